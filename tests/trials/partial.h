/*
 * A plan over many devices, some of which fail: those before the stop point are as planned, the others as they were, none
 * after it was touched, and the report says exactly so.
 */
#ifndef TESTS_TRIALS_PARTIAL_H
#define TESTS_TRIALS_PARTIAL_H

#include "core/base/mem.h"

/* So many of the nodes fail, chosen by the seed. False, with words, when something of it did not hold. */
bool partial_story(unsigned nodes, unsigned failing, unsigned seed, struct buf *words);

#endif
