/* What was to be named against what was named, as tables to print. */
#ifndef TESTS_TRIALS_MATRIX_H
#define TESTS_TRIALS_MATRIX_H

#include <stdio.h>

#include "tests/trials/scenario.h"

enum outcome { OUTCOME_UNKNOWN, OUTCOME_RIGHT, OUTCOME_WRONG };

/* With one probe left out. */
struct without {
	char probe[40];
	enum outcome outcome;
	struct named_cause top;
};

/* Of one scenario; written by the process that judged it. */
struct result {
	struct scenario scenario;
	unsigned skins;			/* the seed of its fabric's skins; 0: tidy */
	bool is_judged;
	struct err err;			/* why not */
	struct diagnosed diagnosed;
	struct without without[PROBES_MAX];
	size_t n_without;
};

/* Whether its first answer is one of the faults; each fault is among the first answers; or nothing is said. */
enum outcome first_outcome(const struct scenario *s, const struct diagnosed *d);
bool all_named(const struct scenario *s, const struct diagnosed *d);

/* Causes expected down, named first across; of singles. */
void print_matrix(const struct result *results, size_t n, FILE *out);
/* Each fault: how often it was named first, by system. */
void print_rates(const struct result *results, size_t n, FILE *out);
/* Each probe: right, unknown, wrong without it. */
void print_without(const struct result *results, size_t n, FILE *out);
/* What was expected, what was named. */
void print_wrong(const struct result *r, const struct diagnosed *d, FILE *out);

#endif
