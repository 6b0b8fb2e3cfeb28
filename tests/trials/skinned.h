/*
 * A fix on a fabric in the skins of a seed, which may make it impossible: an old release, a missing tool, reads that do not
 * come whole. Whatever comes of it, the exit code must say what became of the devices, a refusal must have sent nothing, and
 * no sentence may blame somebody for a change that nobody made.
 */
#ifndef TESTS_TRIALS_SKINNED_H
#define TESTS_TRIALS_SKINNED_H

#include "core/base/mem.h"

/* The fault and the switches' system follow from the seed. words gets what came of it, and what was false. */
bool skinned_fix(unsigned seed, struct buf *words);

/* True when text holds no sentence that would be false where nobody else has changed a device; words gets the one that does. */
bool skinned_words(const char *text, struct buf *words);

#endif
