#include "core/base/csv.h"

#include <ctype.h>

void csv_divide(struct csv *c, struct span heading)
{
	static const char signs[] = ",;\t";

	c->divider = ',';
	for (size_t i = sizeof(signs) - 1; i > 0; i--)
		if (heading.n && memchr(heading.p, signs[i - 1], heading.n))
			c->divider = signs[i - 1];
}

/* What stands between double quotes; a doubled one stands for itself. */
static bool take_quoted(struct span *rest, struct buf *out)
{
	for (size_t i = 1; i < rest->n; i++) {
		if (rest->p[i] != '"') {
			buf_add(out, rest->p + i, 1);
		} else if (i + 1 < rest->n && rest->p[i + 1] == '"') {
			buf_add(out, "\"", 1);
			i++;
		} else {
			*rest = (struct span){ rest->p + i + 1, rest->n - i - 1 };
			return true;
		}
	}
	return false;
}

static bool take_field(const struct csv *c, struct span *rest, struct buf *out)
{
	const char *end;
	struct span field;

	buf_clear(out);
	while (rest->n && (*rest->p == ' ' || (*rest->p == '\t' && c->divider != '\t')))
		rest->p++, rest->n--;
	if (rest->n && *rest->p == '"' && !take_quoted(rest, out))
		return false;
	end = rest->n ? memchr(rest->p, c->divider, rest->n) : NULL;
	field = span_trim((struct span){ rest->p, end ? (size_t)(end - rest->p) : rest->n });
	buf_add(out, field.p, field.n);
	buf_str(out, "");
	*rest = end ? (struct span){ end + 1, rest->n - (size_t)(end + 1 - rest->p) } : (struct span){ NULL, 0 };
	return true;
}

const char *csv_row(struct csv *c, struct span line)
{
	c->n = 0;
	do {
		if (c->n == CSV_COLUMNS_MAX)
			return "more columns than any table has";
		if (!take_field(c, &line, &c->fields[c->n]))
			return "a quote is not closed on its line";
		c->n++;
	} while (line.p);
	return NULL;
}

const char *csv_field(const struct csv *c, int column)
{
	return column >= 0 && (size_t)column < c->n && c->fields[column].text ? c->fields[column].text : "";
}

static bool is_spelling(const char *spellings, const char *title)
{
	char name[64];
	size_t n = 0;

	for (; *title && n < sizeof(name) - 1; title++)
		name[n++] = (char)(strchr(" .-", *title) ? '_' : tolower((unsigned char)*title));
	name[n] = '\0';
	return span_is_among(span_of(name), spellings);
}

int csv_column(const struct csv *c, const char *spellings)
{
	for (size_t i = 0; i < c->n; i++)
		if (is_spelling(spellings, csv_field(c, (int)i)))
			return (int)i;
	return -1;
}

void csv_done(struct csv *c)
{
	for (size_t i = 0; i < CSV_COLUMNS_MAX; i++)
		buf_done(&c->fields[i]);
}
