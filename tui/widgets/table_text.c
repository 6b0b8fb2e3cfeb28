/* A list's state as a line: words "name=value", values with blanks and what cannot be printed as %XX. */
#include "tui/widgets/table.h"

#include <stdlib.h>

#define MARKS_MAX 4096

static void add_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		buf_printf(out, c > ' ' && c < 127 && c != '%' ? "%c" : "%%%02X", c);
	}
}

/* At most size - 1 bytes of what it stood for. */
static void unescape(struct span s, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n + 1 < size; i++) {
		uint64_t c;

		if (s.p[i] == '%' && i + 2 < s.n && span_hex((struct span){ s.p + i + 1, 2 }, &c) && c) {
			out[n++] = (char)c;
			i += 2;
		} else if (s.p[i]) {
			out[n++] = s.p[i];
		}
	}
	out[n] = '\0';
}

/* The next of "a,b,c". */
static bool next_item(struct span *rest, struct span *item)
{
	if (!rest->n)
		return false;
	*item = *rest;
	if (!span_cut(*rest, ',', item, rest))
		*rest = (struct span){ .n = 0 };
	return true;
}

/* -- saving -- */

static void save_sort(const struct table *t, const struct table_source *s, struct buf *out)
{
	if (t->n_sort)
		buf_str(out, " sort=");
	else if (t->is_upside_down)
		buf_str(out, " sort=-");
	for (size_t k = 0; k < t->n_sort; k++)
		if (t->sort[k].column < s->n_columns)
			buf_printf(out, "%s%s%s", k ? "," : "", t->sort[k].is_inverted ? "-" : "",
				   s->columns[t->sort[k].column].name);
}

static void save_columns(const struct columns *c, const struct table_source *s, struct buf *out)
{
	static const char *const wishes[] = { [WISH_NONE] = "", [WISH_SHOWN] = "+", [WISH_HIDDEN] = "-" };

	if (columns_is_changed(c))
		buf_str(out, " columns=");
	for (size_t i = 0; columns_is_changed(c) && i < c->n; i++)
		if (c->order[i].column < s->n_columns)
			buf_printf(out, "%s%s%s", i ? "," : "", wishes[c->order[i].wish], s->columns[c->order[i].column].name);
	if (c->frozen)
		buf_printf(out, " frozen=%zu", c->frozen);
}

void table_save(const struct table *t, const struct table_source *s, struct buf *out)
{
	buf_str(out, "table");
	save_sort(t, s, out);
	save_columns(&t->columns, s, out);
	if (t->is_fixed)
		buf_str(out, " cursor=fixed");
	if (t->filter) {
		buf_str(out, " filter=");
		add_escaped(out, filter_text(t->filter));
	}
	for (size_t i = 0; i < t->n_marks && i < MARKS_MAX; i++)
		buf_printf(out, "%s%llx", i ? "," : " marks=", (unsigned long long)t->marks[i]);
}

/* -- restoring -- */

static void restore_sort(struct table *t, const struct table_source *s, struct span rest)
{
	struct span item;

	t->n_sort = 0;
	t->is_upside_down = span_is(rest, "-");
	while (next_item(&rest, &item) && t->n_sort < SORT_MAX) {
		bool is_inverted = span_skip(&item, "-");
		size_t column = columns_find(s->columns, s->n_columns, item);

		if (column < s->n_columns && !s->columns[column].is_spark)
			t->sort[t->n_sort++] = (struct sort_key){ (uint8_t)column, is_inverted };
	}
}

/* Those named come first, in that order; those that an older version did not know of, after them. */
static void restore_columns(struct table *t, const struct table_source *s, struct span rest)
{
	struct columns *c = &t->columns;
	struct span item;
	size_t place = 0;

	columns_settle(c, s->n_columns);
	while (next_item(&rest, &item)) {
		enum wish wish = span_skip(&item, "+") ? WISH_SHOWN : span_skip(&item, "-") ? WISH_HIDDEN : WISH_NONE;
		size_t column = columns_find(s->columns, s->n_columns, item);

		for (size_t i = place; i < c->n; i++) {
			if (c->order[i].column != column)
				continue;
			while (i > place)
				i = columns_shift(c, i, -1);
			c->order[place++].wish = (uint8_t)wish;
			break;
		}
	}
}

static void restore_marks(struct table *t, struct span rest)
{
	struct span item;
	uint64_t key;

	t->n_marks = 0;
	while (t->n_marks < MARKS_MAX && next_item(&rest, &item)) {
		if (!span_hex(item, &key) || !key || table_is_marked(t, key))
			continue;
		*GROW(t->marks, t->n_marks, t->cap_marks) = key;
		t->n_marks++;
	}
}

static void restore_filter(struct table *t, const struct table_source *s, struct span value)
{
	const char **names = table_names(s);
	struct filter *f;
	char text[512];

	unescape(value, text, sizeof(text));
	f = filter_new(text, names, NULL);
	if (f)
		table_filter(t, f);
	free(names);
}

static void restore_frozen(struct table *t, struct span value)
{
	uint64_t n;

	if (span_u64(value, &n) && n <= COLUMNS_MAX)
		t->columns.frozen = n;
}

void table_restore(struct table *t, const struct table_source *s, struct span text)
{
	struct span word, name, value;

	while (span_word(&text, &word)) {
		if (!span_cut(word, '=', &name, &value))
			continue;
		if (span_is(name, "sort"))
			restore_sort(t, s, value);
		else if (span_is(name, "columns"))
			restore_columns(t, s, value);
		else if (span_is(name, "frozen"))
			restore_frozen(t, value);
		else if (span_is(name, "cursor"))
			t->is_fixed = span_is(value, "fixed");
		else if (span_is(name, "filter"))
			restore_filter(t, s, value);
		else if (span_is(name, "marks"))
			restore_marks(t, value);
	}
	t->is_ordered = false;
}
