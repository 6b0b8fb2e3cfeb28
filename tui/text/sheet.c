#include "tui/text/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "core/judge/check.h"
#include "tui/text/filter.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"

struct column {
	char *name, *title;	/* title: a table's heading */
	bool is_hidden;		/* in JSON and CSV only */
};

struct sheet {
	const char *schema;
	struct column *columns;
	size_t n_columns, cap_columns;
	json_t *head;		/* object */
	json_t *rows;		/* array of arrays [value, text or null, …] flattened: two entries a cell */
	json_t *row;		/* lent by rows */
};

static bool ascii_only;

void sheet_ascii_only(void)
{
	ascii_only = true;
}

struct sheet *sheet_new(const char *schema, const char *columns)
{
	struct sheet *s = xcalloc(1, sizeof(*s));
	struct span rest = span_of(columns), word;

	s->schema = schema;
	s->head = json_object();
	s->rows = json_array();
	json_object_set_new(s->head, "schema", json_string(schema));
	while (span_word(&rest, &word)) {
		struct column *c = GROW(s->columns, s->n_columns, s->cap_columns);
		struct span name, title;

		c->is_hidden = word.p[word.n - 1] == '!';
		word.n -= c->is_hidden;
		if (!span_cut(word, '=', &name, &title))
			name = title = word;
		c->name = xstrndup(name.p, name.n);
		c->title = xstrndup(title.p, title.n);
		s->n_columns++;
	}
	return s;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_columns; i++)
		free(s->columns[i].name), free(s->columns[i].title);
	free(s->columns);
	json_decref(s->head);
	json_decref(s->rows);
	free(s);
}

void sheet_set(struct sheet *s, const char *key, json_t *value)
{
	json_object_set_new(s->head, key, value);
}

void sheet_row(struct sheet *s)
{
	s->row = json_array();
	json_array_append_new(s->rows, s->row);
}

void sheet_cell(struct sheet *s, json_t *value, const char *text)
{
	json_array_append_new(s->row, value ? value : json_null());
	json_array_append_new(s->row, json_text(text));
}

void sheet_text(struct sheet *s, const char *text)
{
	sheet_cell(s, json_text(text), NULL);
}

void sheet_verdict(struct sheet *s, enum verdict v)
{
	sheet_cell(s, json_text(verdict_name(v)), severity_name(v));
}

void sheet_number(struct sheet *s, uint64_t n)
{
	sheet_cell(s, json_integer((json_int_t)n), NULL);
}

static const char *real_text(char text[HUMAN_MAX], double x)
{
	if (fabs(x) >= 1e4)
		return human_count(text, x);
	snprintf(text, HUMAN_MAX, x != 0 && fabs(x) < 1e-3 ? "%.6f" : "%.4g", x);
	return text;
}

void sheet_real(struct sheet *s, double x)
{
	char text[HUMAN_MAX];

	if (isnan(x)) {
		sheet_unknown(s);
		return;
	}
	sheet_cell(s, json_real(x), real_text(text, x));
}

void sheet_unknown(struct sheet *s)
{
	sheet_cell(s, NULL, NULL);
}

void sheet_value(struct sheet *s, const struct model *m, enum field f, const struct cell *c)
{
	char text[HUMAN_MAX];

	if (!c || cell_is_stale(m, c))
		sheet_unknown(s);
	else
		sheet_cell(s, json_value(f, &c->value), c->value.is == VALUE_KNOWN && c->value.n == UINT64_MAX ?
			   human_value(text, f, c->value.n) : NULL);
}

size_t sheet_rows(const struct sheet *s)
{
	return json_array_size(s->rows);
}

/* -- values -- */

json_t *json_text(const char *text)
{
	json_t *json;
	struct buf safe = { 0 };

	if (!text)
		return json_null();
	json = json_string(text);	/* refuses bad UTF-8 */
	if (json)
		return json;
	safe_add(&safe, span_of(text), false);
	json = json_string(safe.text ? safe.text : "");
	buf_done(&safe);
	return json ? json : json_null();
}

json_t *json_value(enum field f, const struct value *v)
{
	struct span word;

	if (v->is != VALUE_KNOWN)
		return json_null();
	switch (field_table[f].kind) {
	case KIND_BOOL:
		return json_boolean(v->n);
	case KIND_ENUM:
		word = field_word(f, v->n);
		return word.p ? json_stringn(word.p, word.n) : json_null();
	case KIND_TEXT:
		return json_text(v->text);
	default:
		return v->n > INT64_MAX ? json_real((double)v->n) : json_integer((json_int_t)v->n);
	}
}

json_t *json_time(int64_t at_us)
{
	time_t seconds = (time_t)(at_us / SECOND);
	char text[48], day[32];
	struct tm tm;

	if (at_us == 0)
		return json_null();
	gmtime_r(&seconds, &tm);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%06dZ", day, (int)(at_us % SECOND));
	return json_string(text);
}

/* -- writing -- */

static json_t *cell_value(json_t *row, size_t column)
{
	json_t *value = json_array_get(row, column * 2);

	return value ? value : NULL;
}

/* What a person reads: the text given, else the value; device text goes through the allowlist. */
static void cell_shown(json_t *row, size_t column, const char *unknown, struct buf *out)
{
	json_t *value = cell_value(row, column), *text = json_array_get(row, column * 2 + 1);
	char number[HUMAN_MAX];

	buf_clear(out);
	if (json_is_string(text))
		safe_add(out, span_of(json_string_value(text)), ascii_only);
	else if (json_is_string(value))
		safe_add(out, span_of(json_string_value(value)), ascii_only);
	else if (json_is_integer(value))
		buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		buf_str(out, real_text(number, json_real_value(value)));
	else if (json_is_boolean(value))
		buf_str(out, json_is_true(value) ? "yes" : "no");
	else if (!value || json_is_null(value))
		buf_str(out, unknown);
	else {
		char *dump = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII);

		buf_str(out, dump ? dump : unknown);
		free(dump);
	}
	buf_add(out, "", 0);
}

static size_t columns_of(struct span text)
{
	return safe_columns(text, ascii_only);
}

/* -- filtering -- */

static void row_text(const void *ctx, const void *row, struct buf *out)
{
	const struct sheet *s = ctx;
	struct buf cell = { 0 };

	for (size_t c = 0; c < s->n_columns; c++) {
		cell_shown((json_t *)row, c, "?", &cell);
		buf_printf(out, "%s ", cell.text);
	}
	buf_done(&cell);
}

/* What the screens call a column, and in what unit: its JSON name says the unit instead. */
static const struct {
	const char *end, *instead;
	double scale;
} aliases[] = {
	{ "_per_s", "_rate", 1 }, { "_share", "", 100 }, { "_bps", "", 1 }, { "_prio", "", 1 }, { "_ms", "", 1e-3 }, { "_us", "", 1e-6 },
};

/* False when it has no other name. */
static bool alias_of(const char *name, char *out, size_t size, double *scale)
{
	size_t n = strlen(name);

	*scale = 1;
	if (!strcmp(name, "worst")) {
		snprintf(out, size, "severity");
		return true;
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		size_t end = strlen(aliases[i].end);

		if (n <= end || strcmp(name + n - end, aliases[i].end))
			continue;
		snprintf(out, size, "%.*s%s", (int)(n - end), name, aliases[i].instead);
		*scale = aliases[i].scale;
		return true;
	}
	return false;
}

/* The column that says how bad a row is, or the number of columns. */
static size_t verdict_column(const struct sheet *s)
{
	size_t c = 0;

	while (c < s->n_columns && strcmp(s->columns[c].name, "worst") && strcmp(s->columns[c].name, "severity"))
		c++;
	return c;
}

static bool row_is(const struct sheet *s, json_t *row, struct span what, double *is_so)
{
	const char *verdict = json_string_value(cell_value(row, verdict_column(s)));

	verdict = verdict ? verdict : "";
	if (span_is_nocase(what, "is:bad"))
		*is_so = !strcmp(verdict, verdict_name(VERDICT_WARN)) || !strcmp(verdict, verdict_name(VERDICT_FAIL));
	else if (span_is_nocase(what, "is:unknown"))
		*is_so = !strcmp(verdict, verdict_name(VERDICT_UNKNOWN));
	else
		return false;
	return true;
}

static bool row_field(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number)
{
	const struct sheet *s = ctx;

	for (size_t c = 0; c < s->n_columns; c++) {
		double scale = 1;
		char alias[64];
		json_t *value;

		if (!span_is_nocase(name, s->columns[c].name) &&
		    !(alias_of(s->columns[c].name, alias, sizeof(alias), &scale) && span_is_nocase(name, alias)))
			continue;
		cell_shown((json_t *)row, c, "?", text);
		value = cell_value((json_t *)row, c);
		if (json_is_string(value) && text->n && strcmp(text->text, json_string_value(value)))
			buf_printf(text, " %s", json_string_value(value));	/* severity:critical, and severity:fail */
		*is_number = json_is_number(value);
		*number = *is_number ? json_number_value(value) * (span_is_nocase(name, s->columns[c].name) ? 1 : scale) : 0;
		return true;
	}
	return *is_number = row_is(s, (json_t *)row, name, number);
}

bool sheet_filter(struct sheet *s, const char *text, struct err *err)
{
	const char **names = xcalloc(2 * s->n_columns + 3, sizeof(*names));
	struct arena texts = { 0 };
	char alias[64];
	double scale;
	struct filter *filter;
	size_t n = 0;

	for (; n < s->n_columns; n++)
		names[n] = s->columns[n].name;
	for (size_t c = 0; c < s->n_columns; c++)
		if (alias_of(s->columns[c].name, alias, sizeof(alias), &scale))
			names[n++] = arena_text(&texts, alias, strlen(alias));
	if (verdict_column(s) < s->n_columns) {
		names[n++] = "is:bad";
		names[n++] = "is:unknown";
	}
	filter = filter_new(text, names, err);
	for (size_t i = json_array_size(s->rows); filter && i-- > 0;) {
		struct filter_row row = { .row = json_array_get(s->rows, i), .ctx = s, .text = row_text, .field = row_field };

		if (!filter_match(filter, &row))
			json_array_remove(s->rows, i);
	}
	filter_free(filter);
	arena_done(&texts);
	free(names);
	return filter != NULL;
}

static void write_table(const struct sheet *s, FILE *out)
{
	size_t *width = xcalloc(s->n_columns, sizeof(*width)), i;
	struct buf text = { 0 };
	json_t *row, *summary = json_object_get(s->head, "summary");

	if (json_is_string(summary)) {
		safe_add(&text, span_of(json_string_value(summary)), ascii_only);
		fprintf(out, "%s\n", text.text);
	}
	if (json_array_size(s->rows) == 0) {
		buf_done(&text);
		free(width);
		return;
	}
	for (size_t c = 0; c < s->n_columns; c++) {
		width[c] = columns_of(span_of(s->columns[c].title));
		json_array_foreach(s->rows, i, row) {
			cell_shown(row, c, "?", &text);
			if (columns_of(buf_span(&text)) > width[c])
				width[c] = columns_of(buf_span(&text));
		}
	}
	for (size_t r = 0; r <= json_array_size(s->rows); r++) {
		size_t gap = 0;

		for (size_t c = 0; c < s->n_columns; c++) {
			if (s->columns[c].is_hidden)
				continue;
			buf_clear(&text);
			if (r == 0)
				for (const char *p = s->columns[c].title; *p; p++)
					buf_add(&text, &(char){ (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p) }, 1);
			else
				cell_shown(json_array_get(s->rows, r - 1), c, "?", &text);
			fprintf(out, "%*s%s", (int)gap, "", text.text);
			gap = width[c] - columns_of(buf_span(&text)) + 2;
		}
		fputc('\n', out);
	}
	buf_done(&text);
	free(width);
}

static json_t *row_object(const struct sheet *s, json_t *row)
{
	json_t *object = json_object();

	for (size_t c = 0; c < s->n_columns; c++) {
		json_t *value = cell_value(row, c);

		json_object_set(object, s->columns[c].name, value ? value : json_null());
	}
	return object;
}

void json_add(const json_t *json, size_t flags, struct buf *out)
{
	char *text = json_dumps(json, flags | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII);

	for (const char *c = text; c && *c; c++)	/* DEL is the one control character that jansson lets through */
		*c == 0x7f ? buf_str(out, "\\u007f") : buf_add(out, c, 1);
	buf_str(out, "\n");
	free(text);
}

static void dump(json_t *json, size_t flags, FILE *out)
{
	struct buf text = { 0 };

	json_add(json, flags, &text);
	fputs(text.text, out);
	buf_done(&text);
}

static void write_json(const struct sheet *s, FILE *out)
{
	json_t *doc = json_copy(s->head), *rows = json_array(), *row;
	size_t i;

	json_array_foreach(s->rows, i, row)
		json_array_append_new(rows, row_object(s, row));
	json_object_set_new(doc, "rows", rows);
	dump(doc, JSON_INDENT(1), out);
	json_decref(doc);
}

static void write_jsonl(const struct sheet *s, FILE *out)
{
	json_t *row;
	size_t i;

	json_array_foreach(s->rows, i, row) {
		json_t *object = json_object(), *cells = row_object(s, row);

		json_object_set_new(object, "schema", json_string(s->schema));
		json_object_update(object, cells);
		json_decref(cells);
		dump(object, JSON_COMPACT, out);
		json_decref(object);
	}
}

/* A cell that a spreadsheet would run is guarded by a quote in front (CSV injection). */
static void write_csv_cell(const char *text, bool is_text, FILE *out)
{
	fputc('"', out);
	if (is_text && *text && strchr("=+-@\t\r", *text))
		fputc('\'', out);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fputc('"', out);
}

/* As JSON has it: the fewest digits that are the same number again. */
static void real_exact(struct buf *out, double x)
{
	char text[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	buf_clear(out);
	buf_str(out, text);
}

static void write_csv(const struct sheet *s, FILE *out)
{
	struct buf text = { 0 };
	json_t *row;
	size_t i;

	for (size_t c = 0; c < s->n_columns; c++)
		fprintf(out, "%s%s", c ? "," : "", s->columns[c].name);
	fputc('\n', out);
	json_array_foreach(s->rows, i, row) {
		for (size_t c = 0; c < s->n_columns; c++) {
			json_t *value = cell_value(row, c), *bare = json_array();

			if (c)
				fputc(',', out);
			json_array_append(bare, value ? value : json_null());
			json_array_append_new(bare, json_null());
			if (json_is_real(value))	/* a spreadsheet reads no "54.6G" */
				real_exact(&text, json_real_value(value));
			else
				cell_shown(bare, 0, "", &text);
			write_csv_cell(text.text, json_is_string(value), out);
			json_decref(bare);
		}
		fputc('\n', out);
	}
	buf_done(&text);
}

void sheet_write(const struct sheet *s, enum sheet_format format, FILE *out)
{
	static void (*const write[])(const struct sheet *, FILE *) = {
		[SHEET_TABLE] = write_table, [SHEET_JSON] = write_json, [SHEET_JSONL] = write_jsonl, [SHEET_CSV] = write_csv,
	};

	write[format](s, out);
	fflush(out);
}
