/*
 * For tests: how often one kind of line comes, and with which numbers. From captures follow laws that another text is held to:
 *
 *	"tc: N ratelimit" with 0 to 7, in each block	it begins, ends and leaves out as one of the captures does
 *	"priority: N" 8 times in each block		so often, where all captures agree
 *	"priority N N" with 8 numbers			so many, where all captures agree
 */
#ifndef TESTS_LIB_REPEATS_H
#define TESTS_LIB_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

/* A line: its block, counted from 0 over all texts; its first number (-1: none, or not a small one), how many it has. */
struct repeat {
	size_t block;
	long index;
	unsigned numbers;
};

struct repeats {
	struct repeat *lines;	/* owned */
	size_t n, cap;
};

void repeats_add(struct repeats *r, struct repeat line);
void repeats_done(struct repeats *r);
/*
 * What breaks a law of theirs, as "0-7 in captures, 0-5,7 here" (the caller frees it); NULL when nothing does. Of cells, whose
 * table has as many rows as there are ports, the indices alone have laws.
 */
char *repeats_differ(const struct repeats *theirs, const struct repeats *ours, bool are_cells);

#endif
