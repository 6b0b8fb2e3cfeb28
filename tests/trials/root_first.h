/*
 * Whether what was broken is what is named first: by row 1 of findings and by cause 1 of diagnose.
 */
#ifndef TESTS_TRIALS_ROOT_FIRST_H
#define TESTS_TRIALS_ROOT_FIRST_H

#include <jansson.h>

#include "tests/trials/scenario.h"

enum first_is {
	FIRST_YES,
	FIRST_OTHER,	/* something else stands above it */
	FIRST_UNNAMED,	/* nothing is said of the fabric: no cause, no finding at look or above */
};

/*
 * The fault of that name at "node1:eth2" or "node1", as `fabcon-lab ctl fault list` has it behind the "@".
 * state	what the lab said of itself before, for the other end of the cable
 */
void root_broken(struct broken *b, const char *fault, const char *place, const char *state);

/* findings, causes: rows of the sheets. what: gets row 1 and cause 1 in words. */
enum first_is root_is_first(const struct broken *b, json_t *findings, json_t *causes, struct buf *what);

#endif
