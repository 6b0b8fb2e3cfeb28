/* Numbers drawn from the seed of a state, and values that are not as wanted. */
#ifndef TESTS_STATES_VALUES_H
#define TESTS_STATES_VALUES_H

#include "tests/states/states.h"

bool values_one_in(struct state *s, uint64_t n);
#define VALUES_PICK(s, array) ((array)[states_below((s), sizeof(array) / sizeof(*(array)))])

/* Any value of the cell's field. */
void values_draw(struct state *s, struct state_cell *c);

#endif
