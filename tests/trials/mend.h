/*
 * The story of a fix, whole: something is broken, the console names it, plans, applies, sees it gone, does nothing the
 * second time, and takes it back to the byte.
 */
#ifndef TESTS_TRIALS_MEND_H
#define TESTS_TRIALS_MEND_H

#include "tests/trials/site.h"

/* A fault of the lab that can be mended from here. */
struct mendable {
	const char *fault;
	const char *os;			/* the only system that has it; NULL: any */
	bool at_host;			/* one system of the switches is as good as the other */
	bool needs_bond;
	const char *traffic;		/* NULL: ring */
	bool is_saving;			/* nothing takes that back */
};
/* Every fault that is left to nobody. */
const struct mendable *mendables(size_t *n);

#define PLANS_MAX 4

/* What was planned and applied in one site. */
struct mending {
	char files[PLANS_MAX][128];
	struct planned_fix plans[PLANS_MAX];
	char check[64], where[160];	/* the finding that the first of them is for */
	size_t n;
};

/* Finds the worst finding that can be planned, and writes its plan; false when there is none. */
bool mend_plan(const struct site *s, struct mending *m, struct buf *words);
/* The same for this one, "CHECK@WHERE", or for all at once: NULL. */
bool mend_plan_of(const struct site *s, const char *finding, struct mending *m, struct buf *words);
bool mend_apply(const struct site *s, const struct mending *m, size_t nth, struct buf *words);
bool mend_undo(const struct site *s, const struct mending *m, size_t nth, struct buf *words);
/* Whether a finding of that check at that place is open. */
bool mend_is_found(const struct site *s, const char *check, const char *where);
/* The configuration of a device under a line that names it, and those of all, one after another; yours to free. */
char *mend_setup(const struct site *s, const char *device);
char *mend_setups(const struct site *s);

/* The story. words gets what went wrong. */
bool mend_story(const struct mendable *m, const char *os, struct buf *words);

#endif
