/*
 * For tests that run on fabrics in skins: which seeds. NASTY_SEEDS="N N …" of the environment, which `make hunt` sets to fresh
 * ones, or else the list that is committed.
 */
#ifndef TESTS_LIB_NASTY_H
#define TESTS_LIB_NASTY_H

#include <stdbool.h>
#include <stddef.h>

#define NASTY_MAX 1000

/* How many there are. */
size_t nasty_seeds(const char *committed, unsigned seeds[NASTY_MAX]);
/* Seeds were asked for: they alone are tried, and nothing tidy. */
bool nasty_is_asked(void);
/* From now on each lab of this process wears the skins of that seed (LAB_NASTY). */
void nasty_dress(unsigned seed);

#endif
