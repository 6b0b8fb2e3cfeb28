/* An edit: one fact to change. Fixes make edits; a platform's dialect turns them into commands. */
#ifndef CORE_FIX_EDIT_H
#define CORE_FIX_EDIT_H

#include "core/model/fact.h"

struct edit {
	const char *device, *port;	/* port NULL: of the device itself */
	enum field field;
	unsigned index;
	/*
	 * Both known: a value that could not be read is never overwritten. was is absent where another fact shows that the value
	 * does not exist yet: thresholds of a queue with ecn.on = no, a switch's DSCP map while DSCP is not trusted.
	 */
	struct value was, want;
	const char *why;		/* the policy's line, or the check's id */
};

struct edits {
	struct edit *list;		/* by device, port, field, index; no duplicates */
	size_t n, cap;
	struct arena arena;		/* of every text above */
};

/* The order of a list: the device's own edits first, then its ports' in natural order; 0: of the same fact. */
int edit_cmp(const struct edit *a, const struct edit *b);
void edits_done(struct edits *e);
/* Copies its texts; replaces an earlier edit of the same fact; an edit that changes nothing is not added. */
void edits_add(struct edits *e, const struct edit *edit);
/* Whether the value (NULL: not reported) is as expected; for modules, whether all expected ones are loaded. */
bool edit_is_met(const struct edit *e, const struct value *now);
/* "leaf1 Ethernet4 pfc.on[3] = yes (was no)" */
void edit_print(const struct edit *e, struct buf *out);
bool edit_parse(struct span line, struct arena *arena, struct edit *out, struct err *err);

#endif
