/*
 * A table on the screen: columns that give way by priority, sorting, a filter, a cursor that stays on its row, marks.
 * Rows are virtual: the caller has n of them, each with a key that stays its own, and is asked for the cells shown.
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include "tui/draw.h"
#include "tui/filter.h"

struct column {
	const char *name;		/* in filters: "trust" */
	const char *title, *under;	/* two rows of heading; under may be NULL */
	unsigned width;			/* columns it needs */
	unsigned grow;			/* share of the columns left over; 0: stays at width */
	uint8_t priority;		/* 0 is always there, then 1, 2, … as there is room */
	bool right;
	bool big_first;			/* sorting by it begins with the largest */
	bool is_spark;
};

/* One cell, as the source answers. */
struct cell_view {
	char text[256];
	enum role role;
	bool is_number;			/* number is known; sorts before what is not */
	double number;
	const float *spark;		/* is_spark: samples, oldest first; lent; NULL: there is no such line */
	size_t n_spark;
};

struct table_source {
	const struct column *columns;
	size_t n_columns;
	size_t n_rows;
	const void *ctx;
	uint64_t (*key)(const void *ctx, size_t row);		/* not 0 */
	void (*cell)(const void *ctx, size_t row, size_t column, struct cell_view *out);
	uint64_t serial;		/* of the rows: they are ordered again when it moves */
	const char *empty;		/* what to do next, when there is no row */
};

struct table {
	size_t *order;			/* rows shown, as they stand */
	size_t n, cap;
	size_t cursor, top;		/* places in order */
	uint64_t cursor_key;		/* 0: nobody has moved it, it stays on the first row */
	uint64_t *marks;
	size_t n_marks, cap_marks;
	size_t sort;			/* column + 1; 0: as the source has them */
	bool inverted;
	struct filter *filter;
	size_t pan;			/* columns gone to the left, of those not always there */
	uint64_t serial;
	bool is_ordered;
	int page;			/* rows that fit, as last drawn */
};

/* A key from a name: it stays when the row's place, or the model itself, does not. */
uint64_t table_key(const char *name);

void table_done(struct table *t);
/* Orders again if the rows moved; the cursor stays with its row, or its place when the row is gone. */
void table_update(struct table *t, const struct table_source *s);
/* Heading and rows from y on, in rows lines; cursor row in reverse. */
void table_draw(struct table *t, const struct table_source *s, const struct draw *d, int y, int rows);
/* The source's row under the cursor; false when there is none. */
bool table_cursor(const struct table *t, size_t *row);

void table_move(struct table *t, const struct table_source *s, long by);
void table_sort_next(struct table *t, const struct table_source *s);
void table_invert(struct table *t);
void table_pan(struct table *t, const struct table_source *s, int by);
void table_mark(struct table *t, const struct table_source *s);
void table_mark_all(struct table *t, const struct table_source *s);
bool table_is_marked(const struct table *t, uint64_t key);
/* Takes over the filter; NULL shows all. */
void table_filter(struct table *t, struct filter *f);
/* The names its filter knows; free() the array. */
const char **table_names(const struct table_source *s);

#endif
