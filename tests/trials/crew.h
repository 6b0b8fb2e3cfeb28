/* For tests that have much to do: jobs shared out among processes, each with its own labs; what they say is gathered. */
#ifndef TESTS_TRIALS_CREW_H
#define TESTS_TRIALS_CREW_H

#include "core/base/mem.h"

/*
 * Calls job for 0 … n-1, at most so many at once, each in a process of its own. What it adds to words is told at once, a block
 * a job. CREW_FROM of the environment: from that number on instead. Gives how many returned false or ended in a bad way.
 */
unsigned crew_run(const char *title, unsigned n, unsigned at_once, bool (*job)(void *ctx, unsigned nth, struct buf *words), void *ctx);

/* A number of the environment, or this. */
unsigned crew_number(const char *name, unsigned usual);

/* The next number of a seed, below this one (0: 0); and the monotonic clock. */
unsigned crew_draw(uint64_t *random, unsigned below);
int64_t crew_now_ms(void);

#endif
