/*
 * A plan of two steps as written here, and how far it went, for tests of what is shown of it: leaf1 gets the map of node1's
 * traffic, node1 trusts DSCP. Nothing of it was ever planned by a dialect.
 */
#ifndef TESTS_LIB_PLANS_H
#define TESTS_LIB_PLANS_H

#include "tui/fixing/fix_view.h"

enum plans_at {
	PLANS_MADE,		/* read-only */
	PLANS_ARMED,		/* a person may write */
	PLANS_RUNNING,		/* the second of two lines on leaf1 */
	PLANS_WAITING,		/* verified, and to be kept */
	PLANS_FAILED,		/* taken back on leaf1, node1 not known */
	PLANS_COUNT,
};

struct plans {
	struct fix_plan plan;
	char hash[FIX_HASH_SIZE];
	struct fix_progress steps[2];
	struct fix_view view;
};

void plans_init(struct plans *p, enum plans_at at);
void plans_done(struct plans *p);

#endif
