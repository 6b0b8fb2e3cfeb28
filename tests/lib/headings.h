/*
 * For tests: on which side the cells of a table without lines of dashes stand under their heading. A heading is a line
 * without values, with lines of one kind below it, and is known by its own kind; each of its words is a column.
 *
 *	Queue Packets     Bytes		"Packets": each cell begins where it begins
 *	0     4711        1202370
 */
#ifndef TESTS_LIB_HEADINGS_H
#define TESTS_LIB_HEADINGS_H

#include "core/base/span.h"

/* A word of a heading: under how many lines a cell begins where it begins, or ends where it ends. */
struct heading {
	char *kind, *word;	/* owned */
	size_t place, lines, begins, ends;
};

struct headings {
	struct heading *rows;	/* owned */
	size_t n, cap;
};

/* Notes it for one line below; both without tabs. */
void headings_add(struct headings *h, const char *kind, struct span heading, struct span below);
void headings_done(struct headings *h);
/* Whether the cells stand there otherwise than in each line of theirs; false where theirs tells no side, or ours has it not. */
bool headings_differ(const struct heading *theirs, const struct headings *ours);

#endif
