/*
 * The columns of a list: what each is, what a person made of them (order, shown or not, frozen, panned), and how they
 * share the width there is. Columns give way by priority; those that a person asked for go last.
 */
#ifndef TUI_WIDGETS_COLUMNS_H
#define TUI_WIDGETS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/span.h"

#define COLUMNS_MAX 48
#define COLUMN_HIDDEN 100	/* priority of a column that is there for filters, until a person asks to see it */

struct column {
	const char *name;		/* in filters: "trust" */
	const char *title, *under;	/* two rows of heading; under may be NULL */
	const char *help;		/* in the chooser; NULL: the title says it */
	unsigned width;			/* columns it needs */
	unsigned grow;			/* share of the columns left over; 0: stays at width */
	uint8_t priority;		/* 0 is always there, then 1, 2, … as there is room */
	int from_cols, below_cols;	/* only on screens at least, or less, this wide; 0: on any */
	bool right;
	bool big_first;			/* sorting by it begins with the largest */
	bool is_spark;
};

enum wish { WISH_NONE, WISH_SHOWN, WISH_HIDDEN };

/* Zeroed: as the list has them. */
struct columns {
	struct {
		uint8_t column, wish;
	} order[COLUMNS_MAX];		/* the list's columns, as they stand; n 0: in the list's own order */
	size_t n;
	size_t frozen;			/* how many of those shown stay when panning; 0: the leading ones always there */
	size_t pan;			/* columns gone to the left, of those not frozen */
};

struct layout {
	size_t column[COLUMNS_MAX];	/* of the list */
	int x[COLUMNS_MAX], width[COLUMNS_MAX];
	size_t n, n_frozen;
	bool is_cut;			/* some have given way */
};

/* Makes every column a place of its own, to be moved or wished for. */
void columns_settle(struct columns *c, size_t n_all);
bool columns_is_changed(const struct columns *c);

/* The first margin columns of the screen are the caller's. */
void columns_lay_out(const struct columns *c, const struct column *all, size_t n_all, int margin, int width, struct layout *l);

void columns_pan(struct columns *c, const struct column *all, size_t n_all, int by);
/* A place's wish becomes the other of what is seen of it. */
void columns_toggle(struct columns *c, size_t place, bool is_seen);
/* Moves a column by one place; the place it has then. */
size_t columns_shift(struct columns *c, size_t place, int by);
/* Of a name; n_all when there is none. */
size_t columns_find(const struct column *all, size_t n_all, struct span name);

#endif
