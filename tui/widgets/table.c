#include "tui/widgets/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/text/safe.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/page.h"
#include "tui/widgets/table_spoken.h"

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

/* -- filtering -- */

struct asked_row {
	const struct table *table;
	const struct table_source *source;
};

static void row_text(const void *ctx, const void *row, struct buf *out)
{
	const struct table_source *s = ((const struct asked_row *)ctx)->source;
	struct cell_view v;

	for (size_t c = 0; c < s->n_columns; c++) {
		if (s->columns[c].is_spark)
			continue;
		memset(&v, 0, sizeof(v));
		s->cell(s->ctx, *(const size_t *)row, c, &v);
		buf_str(out, v.text);
		buf_str(out, " ");
	}
}

static bool has_changed(const struct table_source *s, size_t row)
{
	for (size_t c = 0; c < s->n_columns; c++) {
		struct cell_view v = { .text = "" };

		s->cell(s->ctx, row, c, &v);
		if (v.has_changed)
			return true;
	}
	return false;
}

/* By the column "severity": its number is the verdict. */
static bool severity_is(const struct table_source *s, size_t row, enum verdict least, enum verdict most)
{
	size_t column = columns_find(s->columns, s->n_columns, SPAN("severity"));
	struct cell_view v = { .text = "" };

	if (column == s->n_columns)
		return false;
	s->cell(s->ctx, row, column, &v);
	return v.is_number && v.number >= least && v.number <= most;
}

static bool row_is(const struct asked_row *of, size_t row, struct span what, double *is_so)
{
	if (span_is_nocase(what, "is:marked"))
		*is_so = table_is_marked(of->table, of->source->key(of->source->ctx, row));
	else if (span_is_nocase(what, "is:changed"))
		*is_so = has_changed(of->source, row);
	else if (span_is_nocase(what, "is:bad"))
		*is_so = severity_is(of->source, row, VERDICT_WARN, VERDICT_FAIL);
	else if (span_is_nocase(what, "is:unknown"))
		*is_so = severity_is(of->source, row, VERDICT_UNKNOWN, VERDICT_UNKNOWN);
	else
		return false;
	return true;
}

static bool row_field(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number)
{
	const struct asked_row *of = ctx;
	const struct table_source *s = of->source;
	size_t column = columns_find(s->columns, s->n_columns, name);
	struct cell_view v = { .text = "" };

	if (column == s->n_columns)
		return *is_number = row_is(of, *(const size_t *)row, name, number);
	s->cell(s->ctx, *(const size_t *)row, column, &v);
	buf_str(text, v.text);
	*is_number = v.is_number;
	*number = v.number;
	return true;
}

const char **table_names(const struct table_source *s)
{
	static const char *const be[] = { "is:marked", "is:changed", "is:bad", "is:unknown" };
	bool is_judged = columns_find(s->columns, s->n_columns, SPAN("severity")) < s->n_columns;
	const char **names = xcalloc(s->n_columns + 5, sizeof(*names));
	size_t n = 0;

	for (size_t c = 0; c < s->n_columns; c++)
		if (!s->columns[c].is_spark)
			names[n++] = s->columns[c].name;
	for (size_t i = 0; i < (is_judged ? 4 : 2); i++)
		names[n++] = be[i];
	return names;
}

/* -- ordering -- */

struct sorted {
	size_t row;
	struct {
		bool is_number;
		double number;
		const char *text;
	} by[SORT_MAX];
};

struct sorting {
	size_t n;
	bool is_down[SORT_MAX];
};

/* What is known first, whichever way: an unknown is neither large nor small. */
static int compare(const void *a_, const void *b_, void *ctx)
{
	const struct sorted *a = a_, *b = b_;
	const struct sorting *how = ctx;

	for (size_t k = 0; k < how->n; k++) {
		int order = 0;

		if (a->by[k].is_number != b->by[k].is_number)
			return a->by[k].is_number ? -1 : 1;
		if (a->by[k].is_number)
			order = a->by[k].number < b->by[k].number ? -1 : a->by[k].number > b->by[k].number;
		if (!order)
			order = natural_cmp(a->by[k].text, b->by[k].text);
		if (order)
			return how->is_down[k] ? -order : order;
	}
	return a->row < b->row ? -1 : a->row > b->row;
}

static bool is_down(const struct table *t, const struct table_source *s, size_t key)
{
	return s->columns[t->sort[key].column].big_first != t->sort[key].is_inverted;
}

static void sort_rows(struct table *t, const struct table_source *s)
{
	struct sorted *rows = xcalloc(t->n + 1, sizeof(*rows));
	struct sorting how = { .n = 0 };
	struct arena texts = { 0 };

	for (size_t k = 0; k < t->n_sort && t->sort[k].column < s->n_columns; k++)
		how.is_down[how.n++] = is_down(t, s, k);
	for (size_t i = 0; i < t->n; i++) {
		rows[i].row = t->order[i];
		for (size_t k = 0; k < how.n; k++) {
			struct cell_view v = { .text = "" };

			s->cell(s->ctx, t->order[i], t->sort[k].column, &v);
			rows[i].by[k].is_number = v.is_number;
			rows[i].by[k].number = v.number;
			rows[i].by[k].text = arena_text(&texts, v.text, strlen(v.text));
		}
	}
	qsort_r(rows, t->n, sizeof(*rows), compare, &how);
	for (size_t i = 0; i < t->n; i++)
		t->order[i] = rows[i].row;
	arena_done(&texts);
	free(rows);
}

static void find_cursor(struct table *t, const struct table_source *s)
{
	for (size_t i = 0; i < t->n && t->cursor_key && !t->is_fixed; i++) {
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
	struct asked_row of = { t, s };
	struct filter_row row = { .ctx = &of, .text = row_text, .field = row_field };

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
	if (t->n_sort)
		sort_rows(t, s);
	else if (t->is_upside_down)
		for (size_t i = 0; i < t->n / 2; i++) {
			size_t other = t->order[t->n - 1 - i];

			t->order[t->n - 1 - i] = t->order[i];
			t->order[i] = other;
		}
	find_cursor(t, s);
	t->serial = s->serial;
	t->is_ordered = true;
}

/* -- drawing -- */

void table_lay_out(const struct table *t, const struct table_source *s, int cols, struct layout *l)
{
	columns_lay_out(&t->columns, s->columns, s->n_columns, MARGIN, cols, l);
}

void table_sort_sign(const struct table *t, const struct table_source *s, size_t column, char out[8])
{
	out[0] = '\0';
	for (size_t k = 0; k < t->n_sort; k++) {
		if (t->sort[k].column == column) {
			snprintf(out, 8, k ? " %c%zu" : " %c", is_down(t, s, k) ? 'v' : '^', k + 1);
			return;
		}
	}
}

static int draw_heading(const struct table *t, const struct table_source *s, const struct draw *d, const struct layout *l,
			int y, int rows)
{
	bool two = false;

	draw_blank(d, y, 0, d->cols);
	for (size_t i = 0; i < l->n; i++) {
		const struct column *c = &s->columns[l->column[i]];
		char title[64], sign[8];

		table_sort_sign(t, s, l->column[i], sign);
		snprintf(title, sizeof(title), "%.50s%s", c->title, sign);
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

/* The words that were filtered by, where they stand in a cell. */
static void draw_matches(const struct table *t, const struct draw *d, int y, int x, int width, bool right, const char *text)
{
	int columns = (int)safe_columns(span_of(text), d->glyphs->is_ascii);
	const char *word;

	if (right && columns < width)
		x += width - columns;
	for (size_t i = 0; (word = filter_word(t->filter, i)); i++) {
		const char *at = strcasestr(text, word);
		int before, n = (int)safe_columns(span_of(word), d->glyphs->is_ascii);

		if (!at)
			continue;
		before = (int)safe_columns((struct span){ text, (size_t)(at - text) }, d->glyphs->is_ascii);
		if (before + n <= width)
			draw_restyle(d, y, x + before, n, ROLE_IS_MARKED);
	}
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

		v.text[0] = v.brief[0] = '\0';
		v.role = ROLE_IS_TEXT;
		v.is_number = false;
		v.spark = NULL;
		v.n_spark = 0;
		v.spark_us = 0;
		s->cell(s->ctx, row, l->column[i], &v);
		if (*v.brief && (int)safe_columns(span_of(v.text), d->glyphs->is_ascii) > l->width[i])
			memcpy(v.text, v.brief, sizeof(v.brief));
		if (c->is_spark && v.spark)
			draw_spark(d, y, l->x[i], l->width[i], v.role, v.spark, v.n_spark, v.spark_us);
		else
			draw_cell(d, y, l->x[i], l->width[i], c->right, v.role, v.text);
		draw_matches(t, d, y, l->x[i], l->width[i], c->right, v.text);
	}
	if (is_cursor && !t->is_aside)
		draw_restyle(d, y, 0, d->cols, ROLE_IS_CURSOR);
}

/* The next step stands at the end of the words: they go on below where they are too long for the row. */
static void draw_empty(const struct table *t, const struct table_source *s, const struct draw *d, int y, int rows)
{
	struct page words = { .title = "" };
	struct buf text = { 0 };

	if (s->n_rows && t->filter)
		buf_printf(&text, "No row matches /%s: Esc shows all %zu.", filter_text(t->filter), s->n_rows);
	else
		key_text(&text, s->empty);
	page_begin(&words, "Nothing");
	page_wrap(&words, ROLE_IS_TEXT, "", text.text, d->cols - MARGIN);
	for (int i = 0; i < rows && (size_t)i < words.n; i++)
		draw_text(d, y + i, MARGIN, d->cols - MARGIN, ROLE_IS_TEXT, words.lines[i].text);
	page_done(&words);
	buf_done(&text);
}

void table_draw(struct table *t, const struct table_source *s, const struct draw *d, int y, int rows)
{
	struct layout l;
	int heading;

	if (rows < 1)
		return;
	if (d->lines) {
		table_spoken(t, s, d->lines, y);
		return;
	}
	table_update(t, s);
	t->cols = d->cols;
	table_lay_out(t, s, d->cols, &l);
	heading = rows > 1 ? draw_heading(t, s, d, &l, y, rows) : 0;
	t->page = rows - heading;
	t->y = y;
	t->heading = heading;
	if (t->cursor < t->top)
		t->top = t->cursor;
	if (t->cursor >= t->top + (size_t)t->page)
		t->top = t->cursor - (size_t)t->page + 1;
	if (t->top + (size_t)t->page > t->n)
		t->top = t->n > (size_t)t->page ? t->n - (size_t)t->page : 0;
	if (!t->n)
		draw_empty(t, s, d, y + heading, t->page);
	for (int i = 0; i < t->page && t->top + (size_t)i < t->n; i++)
		draw_row(t, s, d, &l, t->top + (size_t)i, y + heading + i);
}

bool table_column_at(const struct table *t, const struct table_source *s, int y, int x, size_t *column)
{
	struct layout l;

	if (y < t->y || y >= t->y + t->heading)
		return false;
	table_lay_out(t, s, t->cols, &l);
	for (size_t i = 0; i < l.n; i++) {
		if (x < l.x[i] || x >= l.x[i] + l.width[i] || s->columns[l.column[i]].is_spark)
			continue;
		*column = l.column[i];
		return true;
	}
	return false;
}

bool table_place_at(const struct table *t, int y, size_t *place)
{
	int row = y - t->y - t->heading;

	if (row < 0 || row >= t->page || t->top + (size_t)row >= t->n)
		return false;
	*place = t->top + (size_t)row;
	return true;
}

/* -- keys -- */

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

void table_sort_by(struct table *t, size_t column)
{
	struct sort_key old[SORT_MAX];
	size_t n_old = t->n_sort;

	memcpy(old, t->sort, sizeof(old));
	t->sort[0] = (struct sort_key){ .column = (uint8_t)column };
	t->n_sort = 1;
	for (size_t k = 0; k < n_old && t->n_sort < SORT_MAX; k++)
		if (old[k].column != column)
			t->sort[t->n_sort++] = old[k];
	t->is_ordered = false;
}

void table_sort_next(struct table *t, const struct table_source *s)
{
	size_t column = t->n_sort ? t->sort[0].column + 1u : 0;

	while (column < s->n_columns && (s->columns[column].is_spark || s->columns[column].priority >= COLUMN_HIDDEN))
		column++;
	t->n_sort = column < s->n_columns;
	t->sort[0] = (struct sort_key){ .column = (uint8_t)column };
	t->is_upside_down = false;
	t->is_ordered = false;
}

void table_invert(struct table *t)
{
	if (t->n_sort)
		t->sort[0].is_inverted = !t->sort[0].is_inverted;
	else
		t->is_upside_down = !t->is_upside_down;
	t->is_ordered = false;
}

void table_follow(struct table *t)
{
	t->is_fixed = !t->is_fixed;
}

void table_pan(struct table *t, const struct table_source *s, int by)
{
	columns_pan(&t->columns, s->columns, s->n_columns, by);
}

void table_freeze(struct table *t, const struct table_source *s)
{
	struct layout l;

	table_lay_out(t, s, 1000, &l);
	t->columns.frozen = t->columns.frozen ? 0 : l.n_frozen + t->columns.pan + 1;
	t->columns.pan = 0;
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
	t->is_ordered &= !t->filter;	/* which may ask for marks */
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
	t->is_ordered &= !t->filter;
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
