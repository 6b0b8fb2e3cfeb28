/* What a run has compared, and which statements it has found broken. */
#ifndef TESTS_STATES_TALLY_H
#define TESTS_STATES_TALLY_H

#include "tests/lib/say.h"

struct broken {
	char what[200];
	uint64_t seed;		/* of the first state that broke it */
	unsigned n;
};

struct tally {
	struct broken *list;	/* owned */
	size_t n, cap;
	size_t states, verdicts, cells;
	uint64_t seed;		/* of the state that is being compared */
};

extern struct tally tally;

/* Notes that a statement is broken; each wording is listed once, and counted. */
void tally_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what is broken, the most frequent first. */
void tally_print_broken(void);
void tally_done(void);

#endif
