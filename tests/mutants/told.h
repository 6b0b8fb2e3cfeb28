/* What a reply tells: each fact once, as the model would have it, so that two replies can be compared. */
#ifndef TESTS_MUTANTS_TOLD_H
#define TESTS_MUTANTS_TOLD_H

#include "core/model/obs.h"
#include "tests/mutants/reply.h"

struct told_fact {
	const char *port; /* "": of the device */
	const struct obs_fact *fact;
};

struct told {
	struct obs obs;
	struct told_fact *list; /* owned; in order of told_order(), one of each */
	size_t n;
	char *text; /* owned; a copy of its own, so that a read past the end is seen */
};

/* Parses text as an answer to the reply's question. */
void told_parse(struct told *t, const struct reply_text *r, struct span text, int status, bool is_partial);
void told_done(struct told *t);

/* By port, field, index. */
int told_order(const struct told_fact *a, const struct told_fact *b);
/* The same fact of another reply, or NULL. */
const struct told_fact *told_find(const struct told *t, const struct told_fact *like);
/* A fact that is there and known; f may be NULL. */
bool told_is_known(const struct told_fact *f);
bool told_is_same(const struct told_fact *a, const struct told_fact *b);
/* "eth2 pfc.on[3] = yes", or "(absent)". */
void told_print(const struct told_fact *f, struct buf *out);

#endif
