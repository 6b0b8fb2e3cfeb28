#include "tui/widgets/rows.h"

#include <math.h>
#include <stdlib.h>

#include "tui/text/safe.h"
#include "tui/text/sheet.h"

#define GAP 2	/* blanks between columns of text */

/* What is meant: rows and columns of the source, in the order of the screen */

struct chosen {
	size_t *rows, n_rows, cap_rows;
	size_t *columns, n_columns, cap_columns;
};

static bool is_chosen(const struct rows *r, size_t place)
{
	const struct table *t = r->table;

	switch (r->which) {
	case ROWS_CURSOR:	return place == t->cursor;
	case ROWS_MARKED:	return table_is_marked(t, r->source->key(r->source->ctx, t->order[place]));
	default:		return true;
	}
}

static void choose_row(struct chosen *c, size_t row)
{
	*GROW(c->rows, c->n_rows, c->cap_rows) = row;
	c->n_rows++;
}

static void choose_column(struct chosen *c, const struct rows *r, size_t column, bool with_sparks)
{
	if (r->source->columns[column].is_spark && !with_sparks)
		return;
	*GROW(c->columns, c->n_columns, c->cap_columns) = column;
	c->n_columns++;
}

/* Not one that a person hid, nor one that is there for filters alone. */
static bool is_meant(const struct rows *r, size_t column, enum wish wish)
{
	return wish == WISH_SHOWN || (wish == WISH_NONE && r->source->columns[column].priority < COLUMN_HIDDEN);
}

/* As a person has put them; what only gave way for lack of width is there. */
static void choose_columns(struct chosen *c, const struct rows *r, bool with_sparks)
{
	const struct columns *as = r->table ? &r->table->columns : NULL;

	for (size_t i = 0; as && i < as->n; i++)
		if (as->order[i].column < r->source->n_columns && is_meant(r, as->order[i].column, as->order[i].wish))
			choose_column(c, r, as->order[i].column, with_sparks);
	for (size_t i = 0; (!as || !as->n) && i < r->source->n_columns; i++)
		if (is_meant(r, i, WISH_NONE))
			choose_column(c, r, i, with_sparks);
}

static void choose(struct chosen *c, const struct rows *r, bool with_sparks)
{
	choose_columns(c, r, with_sparks);
	if (r->table)
		table_update(r->table, r->source);
	for (size_t i = 0; r->table && i < r->table->n; i++)
		if (is_chosen(r, i))
			choose_row(c, r->table->order[i]);
	for (size_t i = 0; !r->table && i < r->source->n_rows; i++)
		choose_row(c, i);
}

static void chosen_done(struct chosen *c)
{
	free(c->rows);
	free(c->columns);
}

/* -- one cell -- */

static void look_at(const struct rows *r, size_t row, size_t column, struct cell_view *v)
{
	*v = (struct cell_view){ .role = ROLE_IS_TEXT };
	r->source->cell(r->source->ctx, row, column, v);
}

/* The number is what the text says, and not only what it is sorted by. */
static bool says_number(const struct cell_view *v)
{
	return v->is_number && isfinite(v->number) && (!*v->text || strpbrk(v->text, "0123456789"));
}

static bool is_severity(const struct rows *r, size_t column)
{
	return !strcmp(r->source->columns[column].name, "severity");
}

static void cell_text(const struct rows *r, size_t row, size_t column, struct buf *out)
{
	struct cell_view v;

	look_at(r, row, column, &v);
	buf_clear(out);
	/* A sign alone says nothing to a spreadsheet or an ear. */
	if (is_severity(r, column) && v.is_number)
		buf_str(out, verdict_name((enum verdict)v.number));
	else
		safe_add(out, span_trim(span_of(v.text)), r->ascii_only);
	buf_add(out, "", 0);
}

static json_t *spark_json(const struct cell_view *v)
{
	json_t *array = json_array();

	for (size_t i = 0; i < v->n_spark; i++)
		json_array_append_new(array, isfinite(v->spark[i]) ? json_real((double)v->spark[i]) : json_null());
	return array;
}

static json_t *cell_json(const struct rows *r, size_t row, size_t column)
{
	struct buf text = { 0 };
	struct cell_view v;
	json_t *json;

	look_at(r, row, column, &v);
	if (v.spark)
		return spark_json(&v);
	if (says_number(&v) && !is_severity(r, column))
		return v.number == trunc(v.number) && fabs(v.number) < 1e15 ? json_integer((json_int_t)v.number) :
									       json_real(v.number);
	cell_text(r, row, column, &text);
	json = !strcmp(text.text, "?") || r->source->columns[column].is_spark ? json_null() : json_text(text.text);
	buf_done(&text);
	return json;
}

/* -- text -- */

static void pad(struct buf *out, size_t n)
{
	for (; n; n--)
		buf_str(out, " ");
}

static const char *heading(const struct rows *r, size_t column, bool is_title)
{
	return is_title ? r->source->columns[column].title : r->source->columns[column].name;
}

/* Every cell once: looking at one may be dear. The heading is row 0. */
struct grid {
	const char **cells;
	unsigned *columns_of_cell;
	unsigned *width;
	struct arena texts;
};

static void grid_make(struct grid *g, const struct rows *r, const struct chosen *c)
{
	struct buf text = { 0 };
	size_t at = 0;

	g->cells = xcalloc((c->n_rows + 1) * c->n_columns + 1, sizeof(*g->cells));
	g->columns_of_cell = xcalloc((c->n_rows + 1) * c->n_columns + 1, sizeof(*g->columns_of_cell));
	g->width = xcalloc(c->n_columns + 1, sizeof(*g->width));
	for (size_t row = 0; row <= c->n_rows; row++) {
		for (size_t i = 0; i < c->n_columns; i++, at++) {
			if (row)
				cell_text(r, c->rows[row - 1], c->columns[i], &text);
			g->cells[at] = row ? arena_text(&g->texts, text.text, text.n) : heading(r, c->columns[i], true);
			g->columns_of_cell[at] = safe_columns(span_of(g->cells[at]), false);
			if (g->columns_of_cell[at] > g->width[i])
				g->width[i] = g->columns_of_cell[at];
		}
	}
	buf_done(&text);
}

static void grid_done(struct grid *g)
{
	free(g->cells);
	free(g->columns_of_cell);
	free(g->width);
	arena_done(&g->texts);
}

static void write_text(const struct rows *r, const struct chosen *c, struct buf *out)
{
	struct grid g = { 0 };

	grid_make(&g, r, c);
	for (size_t row = 0; row <= c->n_rows; row++) {
		size_t before = 0;

		for (size_t i = 0; i < c->n_columns; i++) {
			size_t at = row * c->n_columns + i, left = g.width[i] - g.columns_of_cell[at];
			bool right = r->source->columns[c->columns[i]].right;

			if (!*g.cells[at] && i + 1 == c->n_columns)
				break;
			pad(out, before + (right ? left : 0));
			buf_str(out, g.cells[at]);
			before = GAP + (right ? 0 : left);
		}
		buf_str(out, "\n");
	}
	grid_done(&g);
}

static void write_row_words(const struct rows *r, const struct chosen *c, size_t row, struct buf *out)
{
	struct buf text = { 0 };
	const char *between = "";

	for (size_t i = 0; i < c->n_columns; i++) {
		cell_text(r, row, c->columns[i], &text);
		if (!text.n)
			continue;
		buf_printf(out, "%s%s: %s", between, heading(r, c->columns[i], false),
			   !strcmp(text.text, "?") ? "not known" : text.text);
		between = "; ";
	}
	buf_done(&text);
}

static void write_words(const struct rows *r, const struct chosen *c, struct buf *out)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		write_row_words(r, c, c->rows[i], out);
		buf_str(out, "\n");
	}
}

static void write_json(const struct rows *r, const struct chosen *c, struct buf *out)
{
	json_t *rows = rows_json(r);

	(void)c;
	json_add(rows, JSON_INDENT(1), out);
	json_decref(rows);
}

static void csv_cell(const char *text, struct buf *out)
{
	buf_str(out, "\"");
	if (*text && strchr("=+-@", *text))
		buf_str(out, "'");
	for (const char *p = text; *p; p++)
		buf_add(out, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
	buf_str(out, "\"");
}

static void csv_row(const struct rows *r, const struct chosen *c, size_t row, struct buf *out)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < c->n_columns; i++) {
		struct cell_view v;

		look_at(r, row, c->columns[i], &v);
		cell_text(r, row, c->columns[i], &text);
		if (i)
			buf_str(out, ",");
		if (says_number(&v) && !is_severity(r, c->columns[i]))
			buf_printf(out, "%.15g", v.number);
		else
			csv_cell(!strcmp(text.text, "?") ? "" : text.text, out);
	}
	buf_done(&text);
}

static void write_csv(const struct rows *r, const struct chosen *c, struct buf *out)
{
	for (size_t i = 0; i < c->n_columns; i++)
		buf_printf(out, "%s%s", i ? "," : "", heading(r, c->columns[i], false));
	buf_str(out, "\n");
	for (size_t i = 0; i < c->n_rows; i++) {
		csv_row(r, c, c->rows[i], out);
		buf_str(out, "\n");
	}
}

/* What Markdown or HTML would take for its own is said to be a character. */
static void markdown_cell(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]~#&", *text))
			buf_str(out, "\\");
		buf_add(out, text, 1);
	}
}

static void write_markdown(const struct rows *r, const struct chosen *c, struct buf *out)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < c->n_columns; i++)
		buf_printf(out, "| %s ", heading(r, c->columns[i], false));
	buf_str(out, "|\n");
	for (size_t i = 0; i < c->n_columns; i++)
		buf_str(out, r->source->columns[c->columns[i]].right ? "|--:" : "|---");
	buf_str(out, "|\n");
	for (size_t row = 0; row < c->n_rows; row++) {
		for (size_t i = 0; i < c->n_columns; i++) {
			cell_text(r, c->rows[row], c->columns[i], &text);
			buf_str(out, "| ");
			markdown_cell(text.text, out);
			buf_str(out, " ");
		}
		buf_str(out, "|\n");
	}
	buf_done(&text);
}

/* -- for others -- */

enum rows_which rows_meant(const struct table *t)
{
	return t->n_marks ? ROWS_MARKED : ROWS_CURSOR;
}

json_t *rows_json(const struct rows *r)
{
	struct chosen c = { 0 };
	json_t *rows = json_array();

	choose(&c, r, true);
	for (size_t i = 0; i < c.n_rows; i++) {
		json_t *row = json_object();

		for (size_t j = 0; j < c.n_columns; j++)
			json_object_set_new(row, heading(r, c.columns[j], false), cell_json(r, c.rows[i], c.columns[j]));
		json_array_append_new(rows, row);
	}
	chosen_done(&c);
	return rows;
}

size_t rows_write(const struct rows *r, enum rows_as as, struct buf *out)
{
	static void (*const write[])(const struct rows *, const struct chosen *, struct buf *) = {
		[ROWS_TEXT] = write_text, [ROWS_WORDS] = write_words, [ROWS_JSON] = write_json, [ROWS_CSV] = write_csv,
		[ROWS_MARKDOWN] = write_markdown,
	};
	struct chosen c = { 0 };
	size_t n;

	choose(&c, r, false);
	n = c.n_rows;
	write[as](r, &c, out);
	chosen_done(&c);
	return n;
}
