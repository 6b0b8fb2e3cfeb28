#include "tui/widgets/table_spoken.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/widgets/bind.h"

const char *verdict_spoken(enum verdict v)
{
	static const char *const words[] = {
		[VERDICT_OK] = "as it should be", [VERDICT_NA] = "does not apply", [VERDICT_UNKNOWN] = "not known",
		[VERDICT_LOOK] = "info", [VERDICT_WARN] = "warning", [VERDICT_FAIL] = "critical",
	};

	return words[v];
}

/* -- ages -- */

static const struct {
	char letter;
	const char *word;
} age_table[] = { { 'd', "day" }, { 'h', "hour" }, { 'm', "minute" }, { 's', "second" } };

static const char *age_word(char letter)
{
	for (size_t i = 0; i < sizeof(age_table) / sizeof(*age_table); i++)
		if (age_table[i].letter == letter)
			return age_table[i].word;
	return NULL;
}

bool age_spoken(const char *text, struct buf *out)
{
	struct buf words = { 0 };
	const char *at = text;
	bool ok = isdigit((unsigned char)*at);

	while (ok && *at) {
		char *end;
		unsigned long n = strtoul(at, &end, 10);
		const char *word = isdigit((unsigned char)*at) ? age_word(*end) : NULL;

		ok = word && end - at < 6;
		if (ok && (n || !words.n) && (n || !end[1]))
			buf_printf(&words, "%s%lu %s%s", words.n ? " " : "", n, word, n == 1 ? "" : "s");
		at = ok ? end + 1 : at;
	}
	if (ok)
		buf_str(out, words.text);
	buf_done(&words);
	return ok;
}

/* -- cells -- */

/* "pcp≠dscp", "dscp=dscp", "9000/9216": what each end says, and whether that is right. */
static bool pair_aloud(const char *const ends[2], const char *text, struct buf *out)
{
	static const char *const signs[] = { "\xe2\x89\xa0", "=", "/", "!" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const char *sign = strstr(text, signs[i]), *b = sign ? sign + strlen(signs[i]) : NULL;
		size_t n = sign ? (size_t)(sign - text) : 0;
		bool is_a = n == 1 && *text == '?', is_b = b && !strcmp(b, "?");

		if (!sign)
			continue;
		if (is_a && is_b)
			buf_str(out, "not known");
		else if (i == 1 && n == strlen(b) && !strncmp(text, b, n) && !is_a)
			buf_printf(out, "both %s", b);
		else if (i == 3 && !is_a && !is_b)
			buf_printf(out, "both %s, which is wrong", b);
		else
			buf_printf(out, "%s %.*s, %s %s%s", ends[0], is_a ? 9 : (int)n, is_a ? "not known" : text, ends[1],
				   is_b ? "not known" : b, i == 0 ? ", they differ" : i == 3 ? ", which is wrong" : "");
		return true;
	}
	return false;
}

static void cell_aloud(const struct column *c, const struct cell_view *v, struct buf *out)
{
	if (c->is_spark && v->spark)
		spark_words(out, v->spark, v->n_spark, v->spark_us);
	else if (!strcmp(c->name, "severity") && v->is_number && v->number >= 0 && v->number <= VERDICT_FAIL)
		buf_str(out, verdict_spoken((enum verdict)v->number));
	else if (sign_words(v->text))
		buf_str(out, sign_words(v->text));
	else if (!(v->ends[0] && pair_aloud(v->ends, v->text, out)) && !age_spoken(v->text, out))
		buf_str(out, v->text);
}

/* The column's name; where its title holds the unit or a device's name, the title. */
static void label(const struct column *c, struct buf *out)
{
	const char *from = (c->title && strstr(c->title, "/s")) || !c->name[1] ? c->title : c->is_spark ? "course" : c->name;

	for (; *from; from++)
		buf_printf(out, "%c", *from == '_' ? ' ' : from == c->title || c->name[1] ? tolower((unsigned char)*from) : *from);
	buf_str(out, ": ");
}

/* What a row is, is said without a label: its severity and its name. */
static bool is_bare(const struct table_source *s, size_t column)
{
	return column == 0 || (column == 1 && !strcmp(s->columns[0].name, "severity")) ||
	       !strcmp(s->columns[column].name, "differs");
}

/* One row, without its number and the line's end. */
static void row_spoken(const struct table_source *s, size_t row, struct buf *out)
{
	size_t begin = out->n;

	for (size_t c = 0; c < s->n_columns; c++) {
		const struct column *column = &s->columns[c];
		struct cell_view v = { .role = ROLE_IS_TEXT };

		s->cell(s->ctx, row, c, &v);
		if (!*v.text && !v.spark)
			continue;
		if (out->n > begin)
			buf_str(out, c == 1 ? ", " : ". ");
		if (!is_bare(s, c))
			label(column, out);
		cell_aloud(column, &v, out);
		if (column->under && !v.ends[0] && strcmp(v.text, "?"))
			buf_printf(out, " %s", column->under);
	}
	buf_str(out, ".");
}

/* -- lists -- */

static size_t problems(const struct table *t, const struct table_source *s)
{
	size_t n = 0;

	if (!s->n_columns || strcmp(s->columns[0].name, "severity"))
		return 0;
	for (size_t i = 0; i < t->n; i++) {
		struct cell_view v = { .role = ROLE_IS_TEXT };

		s->cell(s->ctx, t->order[i], 0, &v);
		n += v.is_number && v.number >= VERDICT_WARN;
	}
	return n;
}

static void say_counts(const struct table *t, const struct table_source *s, struct lines *l, int y)
{
	size_t wrong = problems(t, s);
	struct buf text = { 0 };

	if (t->filter)
		buf_printf(&text, "%zu of %zu rows hold \"%s\"; \"filter\" alone shows all", t->n, s->n_rows, filter_text(t->filter));
	else
		buf_printf(&text, "%zu row%s", t->n, t->n == 1 ? "" : "s");
	if (wrong)
		buf_printf(&text, ", %zu with problems", wrong);
	if (t->n_sort && t->sort[0].column < s->n_columns)
		buf_printf(&text, ", sorted by %s", s->columns[t->sort[0].column].name);
	buf_str(&text, ".");
	lines_words(l, y, buf_span(&text));
	buf_done(&text);
}

void table_spoken(struct table *t, const struct table_source *s, struct lines *l, int y)
{
	struct buf text = { 0 };

	table_update(t, s);
	if (s->n_rows) {
		say_counts(t, s, l, y);
	} else {
		key_text(&text, s->empty);
		lines_words(l, y, buf_span(&text));
	}
	for (size_t i = 0; i < t->n; i++) {
		buf_clear(&text);
		buf_printf(&text, "%zu. ", i + 1);
		row_spoken(s, t->order[i], &text);
		if (table_is_marked(t, s->key(s->ctx, t->order[i])))
			buf_str(&text, " Marked.");
		if (t->cursor_key && i == t->cursor)
			buf_str(&text, " The cursor is here.");
		lines_words(l, y, buf_span(&text));
	}
	buf_done(&text);
}
