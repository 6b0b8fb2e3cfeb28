#include "tui/table.h"

#include <stdio.h>
#include <stdlib.h>

#define MARGIN 2	/* cursor sign and mark */

void table_done(struct table *t)
{
	free(t->order);
	free(t->marks);
	filter_free(t->filter);
	memset(t, 0, sizeof(*t));
}

uint64_t table_key(const char *name)
{
	uint64_t hash = UINT64_C(1469598103934665603);	/* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return hash | 1;
}

/* Filtering */

static void row_text(const void *ctx, const void *row, struct buf *out)
{
	const struct table_source *s = ctx;
	struct cell_view v;

	for (size_t c = 0; c < s->n_columns; c++) {
		memset(&v, 0, sizeof(v));
		s->cell(s->ctx, *(const size_t *)row, c, &v);
		buf_str(out, v.text);
		buf_str(out, " ");
	}
}

static bool row_field(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number)
{
	const struct table_source *s = ctx;
	struct cell_view v = { .text = "" };

	for (size_t c = 0; c < s->n_columns; c++) {
		if (!span_is_nocase(name, s->columns[c].name))
			continue;
		s->cell(s->ctx, *(const size_t *)row, c, &v);
		buf_str(text, v.text);
		*is_number = v.is_number;
		*number = v.number;
		return true;
	}
	return false;
}

const char **table_names(const struct table_source *s)
{
	const char **names = xcalloc(s->n_columns + 1, sizeof(*names));

	for (size_t c = 0; c < s->n_columns; c++)
		names[c] = s->columns[c].name;
	return names;
}

/* Ordering */

struct sorted {
	size_t row;
	bool is_number;
	double number;
	const char *text;
};

struct sorting {
	bool is_down;
};

/* What is known first, whichever way: an unknown is neither large nor small. */
static int compare(const void *a_, const void *b_, void *ctx)
{
	const struct sorted *a = a_, *b = b_;
	const struct sorting *how = ctx;
	int order = 0;

	if (a->is_number != b->is_number)
		return a->is_number ? -1 : 1;
	if (a->is_number)
		order = a->number < b->number ? -1 : a->number > b->number;
	if (!order)
		order = natural_cmp(a->text, b->text);
	if (how->is_down)
		order = -order;
	return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static void sort_rows(struct table *t, const struct table_source *s)
{
	size_t column = t->sort - 1;
	struct sorting how = { .is_down = s->columns[column].big_first != t->inverted };
	struct sorted *rows = xcalloc(t->n + 1, sizeof(*rows));
	struct arena texts = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		struct cell_view v = { .text = "" };

		s->cell(s->ctx, t->order[i], column, &v);
		rows[i] = (struct sorted){ t->order[i], v.is_number, v.number, arena_text(&texts, v.text, strlen(v.text)) };
	}
	qsort_r(rows, t->n, sizeof(*rows), compare, &how);
	for (size_t i = 0; i < t->n; i++)
		t->order[i] = rows[i].row;
	arena_done(&texts);
	free(rows);
}

static void find_cursor(struct table *t, const struct table_source *s)
{
	for (size_t i = 0; i < t->n && t->cursor_key; i++) {
		if (s->key(s->ctx, t->order[i]) == t->cursor_key) {
			t->cursor = i;
			return;
		}
	}
	if (t->cursor >= t->n)
		t->cursor = t->n ? t->n - 1 : 0;
	if (t->cursor_key && t->n)
		t->cursor_key = s->key(s->ctx, t->order[t->cursor]);
}

void table_update(struct table *t, const struct table_source *s)
{
	struct filter_row row = { .ctx = s, .text = row_text, .field = row_field };

	if (t->is_ordered && t->serial == s->serial)
		return;
	t->n = 0;
	for (size_t i = 0; i < s->n_rows; i++) {
		row.row = &i;
		if (!filter_match(t->filter, &row))
			continue;
		*GROW(t->order, t->n, t->cap) = i;
		t->n++;
	}
	if (t->sort && t->sort <= s->n_columns)
		sort_rows(t, s);
	else if (t->inverted)
		for (size_t i = 0; i < t->n / 2; i++) {
			size_t other = t->order[t->n - 1 - i];

			t->order[t->n - 1 - i] = t->order[i];
			t->order[i] = other;
		}
	find_cursor(t, s);
	t->serial = s->serial;
	t->is_ordered = true;
}

/* Drawing */

#define COLUMNS_MAX 32

struct layout {
	size_t column[COLUMNS_MAX];
	int x[COLUMNS_MAX], width[COLUMNS_MAX];
	size_t n;
};

/* The highest priority number for which all columns up to it fit. */
static unsigned fitting(const struct table_source *s, int width)
{
	unsigned best = 0;

	for (unsigned level = 0; level < 10; level++) {
		int need = MARGIN;

		for (size_t c = 0; c < s->n_columns; c++)
			if (s->columns[c].priority <= level)
				need += (int)s->columns[c].width + 1;
		if (need - 1 > width)
			break;
		best = level;
	}
	return best;
}

static void grow(struct layout *l, const struct table_source *s, int left)
{
	unsigned shares = 0;
	int x = MARGIN;

	for (size_t i = 0; i < l->n; i++)
		shares += s->columns[l->column[i]].grow;
	for (size_t i = 0; i < l->n; i++) {
		if (shares && left > 0)
			l->width[i] += left * (int)s->columns[l->column[i]].grow / (int)shares;
		l->x[i] = x;
		x += l->width[i] + 1;
	}
}

static void lay_out(const struct table *t, const struct table_source *s, int width, struct layout *l)
{
	unsigned level = t->pan ? 9 : fitting(s, width);
	size_t gone = 0;
	int used = MARGIN;

	l->n = 0;
	for (size_t c = 0; c < s->n_columns && l->n < COLUMNS_MAX; c++) {
		const struct column *column = &s->columns[c];

		if (column->priority > level)
			continue;
		if (column->priority && gone < t->pan) {
			gone++;
			continue;
		}
		if (used >= width)
			break;
		l->column[l->n] = c;
		l->width[l->n] = (int)column->width;
		used += (int)column->width + 1;
		l->n++;
	}
	grow(l, s, width - used + 1);
}

static int draw_heading(const struct table *t, const struct table_source *s, const struct draw *d, const struct layout *l,
			int y, int rows)
{
	bool two = false;

	draw_blank(d, y, 0, d->cols);
	for (size_t i = 0; i < l->n; i++) {
		const struct column *c = &s->columns[l->column[i]];
		bool is_sorted = t->sort == l->column[i] + 1;
		char title[64];

		snprintf(title, sizeof(title), "%s%s", c->title, !is_sorted ? "" : c->big_first != t->inverted ? " v" : " ^");
		draw_cell(d, y, l->x[i], l->width[i], c->right, ROLE_IS_TITLE, title);
		two |= c->under != NULL;
	}
	if (!two || rows < 12)
		return 1;
	draw_blank(d, y + 1, 0, d->cols);
	for (size_t i = 0; i < l->n; i++)
		if (s->columns[l->column[i]].under)
			draw_cell(d, y + 1, l->x[i], l->width[i], s->columns[l->column[i]].right, ROLE_IS_MUTED,
				  s->columns[l->column[i]].under);
	return 2;
}

static void draw_row(const struct table *t, const struct table_source *s, const struct draw *d, const struct layout *l,
		     size_t place, int y)
{
	bool is_cursor = place == t->cursor;
	size_t row = t->order[place];
	struct cell_view v;

	draw_blank(d, y, 0, d->cols);
	draw_text(d, y, 0, 1, ROLE_IS_TEXT, is_cursor ? ">" : " ");
	draw_text(d, y, 1, 1, ROLE_IS_MARKED, table_is_marked(t, s->key(s->ctx, row)) ? "*" : " ");
	for (size_t i = 0; i < l->n; i++) {
		const struct column *c = &s->columns[l->column[i]];

		v.text[0] = '\0';
		v.role = ROLE_IS_TEXT;
		v.is_number = false;
		v.spark = NULL;
		v.n_spark = 0;
		s->cell(s->ctx, row, l->column[i], &v);
		if (c->is_spark && v.spark)
			draw_spark(d, y, l->x[i], l->width[i], v.role, v.spark, v.n_spark);
		else
			draw_cell(d, y, l->x[i], l->width[i], c->right, v.role, v.text);
	}
	if (is_cursor)
		draw_restyle(d, y, 0, d->cols, ROLE_IS_CURSOR);
}

static void draw_empty(const struct table *t, const struct table_source *s, const struct draw *d, int y)
{
	if (s->n_rows && t->filter)
		draw_printf(d, y, MARGIN, d->cols - MARGIN, ROLE_IS_TEXT,
			    "No row of %zu holds \"%s\". Esc clears the filter.", s->n_rows, filter_text(t->filter));
	else
		draw_text(d, y, MARGIN, d->cols - MARGIN, ROLE_IS_TEXT, s->empty);
}

void table_draw(struct table *t, const struct table_source *s, const struct draw *d, int y, int rows)
{
	struct layout l;
	int heading;

	if (rows < 1)
		return;
	table_update(t, s);
	lay_out(t, s, d->cols, &l);
	heading = rows > 1 ? draw_heading(t, s, d, &l, y, rows) : 0;
	t->page = rows - heading;
	if (t->cursor < t->top)
		t->top = t->cursor;
	if (t->cursor >= t->top + (size_t)t->page)
		t->top = t->cursor - (size_t)t->page + 1;
	if (t->top + (size_t)t->page > t->n)
		t->top = t->n > (size_t)t->page ? t->n - (size_t)t->page : 0;
	if (!t->n)
		draw_empty(t, s, d, y + heading);
	for (int i = 0; i < t->page && t->top + (size_t)i < t->n; i++)
		draw_row(t, s, d, &l, t->top + (size_t)i, y + heading + i);
}

/* Keys */

bool table_cursor(const struct table *t, size_t *row)
{
	if (t->cursor >= t->n)
		return false;
	*row = t->order[t->cursor];
	return true;
}

void table_move(struct table *t, const struct table_source *s, long by)
{
	long to = (long)t->cursor + by;

	if (!t->n)
		return;
	t->cursor = to < 0 ? 0 : to >= (long)t->n ? t->n - 1 : (size_t)to;
	t->cursor_key = s->key(s->ctx, t->order[t->cursor]);
}

void table_sort_next(struct table *t, const struct table_source *s)
{
	do {
		t->sort = (t->sort + 1) % (s->n_columns + 1);
	} while (t->sort && s->columns[t->sort - 1].is_spark);
	t->inverted = false;
	t->is_ordered = false;
}

void table_invert(struct table *t)
{
	t->inverted = !t->inverted;
	t->is_ordered = false;
}

void table_pan(struct table *t, const struct table_source *s, int by)
{
	size_t most = 0;

	for (size_t c = 0; c < s->n_columns; c++)
		most += s->columns[c].priority > 0;
	if (by > 0 && t->pan + 1 < most)
		t->pan++;
	if (by < 0 && t->pan)
		t->pan--;
}

bool table_is_marked(const struct table *t, uint64_t key)
{
	for (size_t i = 0; i < t->n_marks; i++)
		if (t->marks[i] == key)
			return true;
	return false;
}

void table_mark(struct table *t, const struct table_source *s)
{
	uint64_t key;

	if (t->cursor >= t->n)
		return;
	key = s->key(s->ctx, t->order[t->cursor]);
	for (size_t i = 0; i < t->n_marks; i++) {
		if (t->marks[i] == key) {
			t->marks[i] = t->marks[--t->n_marks];
			return;
		}
	}
	*GROW(t->marks, t->n_marks, t->cap_marks) = key;
	t->n_marks++;
}

void table_mark_all(struct table *t, const struct table_source *s)
{
	if (t->n_marks) {
		t->n_marks = 0;
		return;
	}
	for (size_t i = 0; i < t->n; i++) {
		*GROW(t->marks, t->n_marks, t->cap_marks) = s->key(s->ctx, t->order[i]);
		t->n_marks++;
	}
}

void table_filter(struct table *t, struct filter *f)
{
	filter_free(t->filter);
	t->filter = f;
	t->is_ordered = false;
}
