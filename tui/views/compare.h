/*
 * Comparing: two or more links, devices or findings, or a link and what the policy wants of it, fact by fact. What
 * differs is told apart from what is alike, from what somebody does not tell, and from what differs by nature (names).
 */
#ifndef TUI_VIEWS_COMPARE_H
#define TUI_VIEWS_COMPARE_H

#include "core/judge/check.h"
#include "tui/widgets/page.h"

/* One thing that a subject says. */
struct told {
	const char *part;		/* "nic", "sw", a port's name, or "" */
	const char *name;		/* "trust" */
	unsigned order, index;		/* of the name among the others; of the value in the field */
	bool is_indexed, is_by_nature;
	const char *value;		/* NULL: not known */
	int64_t age_us;			/* -1: none */
};

struct compared {
	char name[160];
	bool is_policy;			/* what it does not say is not lacking */
	struct told *told;		/* owned */
	size_t n, cap;
};

enum compared_as { COMPARED_DIFFERS, COMPARED_UNKNOWN, COMPARED_NATURE, COMPARED_ALIKE, COMPARED_UNSAID, COMPARED_ALONE };
#define COMPARED_KINDS (COMPARED_ALONE + 1)

struct compared_row {
	enum compared_as as;
	const struct told *of;		/* whoever says it first */
	unsigned last;			/* index up to which all say the same as at of->index */
	const struct told **told;	/* owned; by subject; NULL: says nothing of it */
};

struct comparison {
	struct compared *subjects;	/* owned */
	size_t n, cap;
	struct compared_row *rows;	/* owned; what differs first */
	size_t n_rows, cap_rows;
	struct arena texts;
};

/* What the subjects are read from. */
struct compare_with {
	const struct model *model;
	const struct policy *policy;
	const struct inventory *inventory;
};

void compare_link(struct comparison *c, const struct compare_with *with, const struct link *link);
void compare_port(struct comparison *c, const struct compare_with *with, const struct port *p);
/* One end of a link, to compare with its other end, whatever the two are. */
void compare_end(struct comparison *c, const struct compare_with *with, const struct port *p);
void compare_device(struct comparison *c, const struct compare_with *with, const struct device *d);
void compare_finding(struct comparison *c, const struct compare_with *with, const struct finding *f);
/* What the policy wants of a link. */
void compare_policy(struct comparison *c, const struct compare_with *with, const struct link *link);

/* Fills rows, once every subject is there. */
void compare_make(struct comparison *c);
void comparison_done(struct comparison *c);

/* "nic dscp.prio[24-26]" */
void compare_label(const struct compared_row *row, char *out, size_t size);
/* The value that most subjects say, and how many; NULL when nobody says any. */
const char *compare_majority(const struct comparison *c, const struct compared_row *row, size_t *n);

void compare_page(struct page *p, const struct comparison *c, int width);

#endif
