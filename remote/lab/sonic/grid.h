/* Tables as python's tabulate prints them in its "simple" form: SONiC's way. */
#ifndef REMOTE_LAB_SONIC_GRID_H
#define REMOTE_LAB_SONIC_GRID_H

#include "core/base/mem.h"

struct grid {
	unsigned columns;
	bool to_right;		/* all columns; else the text is at the left and numbers too */
	bool is_narrow;		/* somebody aligned it by hand: the widest first cells stand one over their column */
	char **cells;		/* owned; row by row, the header first */
	size_t n, cap;
};

/* header: the columns' names, separated by '|'. */
void grid_init(struct grid *g, const char *header, bool to_right);
void grid_add(struct grid *g, const char *text);
void grid_number(struct grid *g, uint64_t n);		/* 15437 */
void grid_counter(struct grid *g, uint64_t n);		/* 15,437 */
void grid_text(char out[32], uint64_t n);		/* the same as a text */
void grid_done(struct grid *g);
/* Prints and forgets it. */
void grid_print(struct grid *g, struct buf *out);

#endif
