/* Verdicts that may change for the better, or become wrong, when a cell is taken away, a row each with its reason. */
#ifndef TESTS_STATES_EXCEPTIONS_H
#define TESTS_STATES_EXCEPTIONS_H

#include "tests/states/verdicts.h"

/* Whether another thing is judged at a place without this fact. */
bool exceptions_allow_another(enum field f);
/* Whether the check may improve without the cell. was: what it said before. */
bool exceptions_allow_better(const struct judged_state *j, const struct check *check, const struct evidence *cell, enum taken how,
			     enum verdict_class was);
/* Whether the check may be wrong only because the fact is not known. */
bool exceptions_allow_worse(const struct check *check, enum field f);

#endif
