/*
 * A table on the screen: columns that give way by priority, sorting, a filter, a cursor that stays on its row, marks.
 * Rows are virtual: the caller has n of them, each with a key that stays its own, and is asked for the cells shown.
 */
#ifndef TUI_WIDGETS_TABLE_H
#define TUI_WIDGETS_TABLE_H

#include "tui/text/filter.h"
#include "tui/widgets/columns.h"
#include "tui/widgets/draw.h"

/* One cell, as the source answers. */
struct cell_view {
	char text[256];
	char brief[64];			/* drawn instead where text does not fit; empty: text is cut */
	enum role role;
	bool has_changed;		/* its value moved lately */
	bool is_number;			/* number is known; sorts before what is not */
	double number;
	const char *ends[2];		/* what text says of two ends: "nic", "switch"; lent; NULL: it says nothing of the kind */
	const float *spark;		/* is_spark: samples, oldest first; lent; NULL: there is no such line */
	size_t n_spark;
	int64_t spark_us;		/* from one sample to the next; 0: a second */
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

#define SORT_MAX 3

struct sort_key {
	uint8_t column;
	bool is_inverted;		/* against the column's own way */
};

struct table {
	size_t *order;			/* rows shown, as they stand */
	size_t n, cap;
	size_t cursor, top;		/* places in order */
	uint64_t cursor_key;		/* 0: nobody has moved it, it stays on the first row */
	uint64_t *marks;
	size_t n_marks, cap_marks;
	struct sort_key sort[SORT_MAX];	/* rows that are alike by one stand by the next, and at last as the source has them */
	size_t n_sort;
	bool is_upside_down;		/* n_sort 0: the source's order, from its end */
	bool is_fixed;			/* the cursor stays at its place, not on its row */
	struct filter *filter;
	struct columns columns;
	uint64_t serial;
	bool is_ordered;
	bool is_aside;			/* another pane has the keys: the cursor's row is not in reverse */
	int page, cols;			/* rows that fit and columns of the screen, as last drawn */
	int y, heading;			/* where, and rows of heading, as last drawn */
};

/* A key from a name: it stays when the row's place, or the model itself, does not. */
uint64_t table_key(const char *name);

void table_done(struct table *t);
/* Orders again if the rows moved; the cursor stays with its row, or its place when the row is gone. */
void table_update(struct table *t, const struct table_source *s);
/* Heading and rows from y on, in rows lines; cursor row in reverse. */
void table_draw(struct table *t, const struct table_source *s, const struct draw *d, int y, int rows);
/* What is at a place of the screen: the column whose heading it is; a place in order. */
bool table_column_at(const struct table *t, const struct table_source *s, int y, int x, size_t *column);
bool table_place_at(const struct table *t, int y, size_t *place);
/* The source's row under the cursor; false when there is none. */
bool table_cursor(const struct table *t, size_t *row);

/* Which columns stand where on a screen of some width; and the sign beside a title, " v2", or nothing. */
void table_lay_out(const struct table *t, const struct table_source *s, int cols, struct layout *l);
void table_sort_sign(const struct table *t, const struct table_source *s, size_t column, char out[8]);

void table_move(struct table *t, const struct table_source *s, long by);
/* By another column first, keeping what it was sorted by before as the next keys; or by the next column alone. */
void table_sort_by(struct table *t, size_t column);
void table_sort_next(struct table *t, const struct table_source *s);
void table_invert(struct table *t);
/* The cursor stays on its row, or (the other way) at its place. */
void table_follow(struct table *t);
/* The columns up to the leftmost that pans stay from now on; or, when a person froze some, as the list has it. */
void table_freeze(struct table *t, const struct table_source *s);
void table_pan(struct table *t, const struct table_source *s, int by);
void table_mark(struct table *t, const struct table_source *s);
void table_mark_all(struct table *t, const struct table_source *s);
bool table_is_marked(const struct table *t, uint64_t key);
/* Takes over the filter; NULL shows all. */
void table_filter(struct table *t, struct filter *f);
/* The names its filter knows; free() the array. */
const char **table_names(const struct table_source *s);

/*
 * What a person made of a list as one line of printable text, and back: columns, order, filter and marks, by name.
 * What is not understood (an older version's column, a damaged line) is left as it was; the rest is done.
 */
void table_save(const struct table *t, const struct table_source *s, struct buf *out);
void table_restore(struct table *t, const struct table_source *s, struct span text);

#endif
