/* CSV is JSON in another form: the same rows in the same order, and in each cell the same value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trials/moment.h"
#include "tui/text/safe.h"

/* One cell, and whether it was the last of its line; false at the end of the text. */
static bool next_cell(const char **text, struct buf *cell, bool *is_last)
{
	const char *at = *text;
	bool is_quoted = *at == '"';

	buf_clear(cell);
	if (!*at)
		return false;
	for (at += is_quoted; *at && (is_quoted || (*at != ',' && *at != '\n')); at++) {
		if (is_quoted && *at == '"' && *++at != '"')
			break;
		buf_add(cell, at, 1);
	}
	buf_add(cell, "", 0);
	*is_last = *at != ',';
	*text = *at ? at + 1 : at;
	return true;
}

/* As a text stands in CSV: what a terminal may be shown, and what a spreadsheet does not run. */
static bool is_text(const char *cell, const char *text)
{
	struct buf safe = { 0 };
	bool is_same;

	if (*text && strchr("=+-@\t\r", *text))
		buf_str(&safe, "'");
	safe_add(&safe, span_of(text), false);
	is_same = !strcmp(cell, safe.text ? safe.text : "");
	buf_done(&safe);
	return is_same;
}

static bool is_value(const char *cell, json_t *value)
{
	json_t *inner;
	char *end;
	bool is_same;

	if (!value || json_is_null(value))
		return !*cell;
	if (json_is_string(value))
		return is_text(cell, json_string_value(value));
	if (json_is_boolean(value))
		return !strcmp(cell, json_is_true(value) ? "yes" : "no");
	if (json_is_number(value))
		return *cell && strtod(cell, &end) == json_number_value(value) && !*end;
	inner = json_loads(cell, JSON_DECODE_ANY, NULL);
	is_same = inner && json_equal(inner, value);
	json_decref(inner);
	return is_same;
}

static void differ_cell(struct moment *m, const char *command, size_t nth, const char *column, const char *cell, json_t *value)
{
	char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char where[160];

	snprintf(where, sizeof(where), "row %zu of %.40s, %.60s", nth, command, column);
	differ(m, "the cell in CSV", where, cell, dump ? dump : "no such column in JSON");
	free(dump);
}

#define COLUMNS_MAX 64

/* One row; false when the text has ended. */
static bool compare_row(struct moment *m, const char *command, const char **text, const struct buf *names, size_t n_names, json_t *row,
			size_t nth)
{
	struct buf cell = { 0 };
	bool is_last = false;
	size_t c = 0;

	for (; !is_last && next_cell(text, &cell, &is_last); c++) {
		json_t *value = c < n_names ? json_object_get(row, names[c].text) : NULL;

		if (!value || !is_value(cell.text, value))
			differ_cell(m, command, nth, c < n_names ? names[c].text : "a cell too many", cell.text, value);
	}
	m->count->statements += c > 0;
	if (c && (c != n_names || c != json_object_size(row)))
		differ(m, "the columns", command, "CSV", "JSON");
	buf_done(&cell);
	return c > 0;
}

static void compare_text(struct moment *m, const char *command, const char *text, json_t *rows)
{
	struct buf names[COLUMNS_MAX] = { { 0 } };
	size_t n_names = 0, i;
	bool is_last = false;
	json_t *row;

	while (!is_last && n_names < COLUMNS_MAX && next_cell(&text, &names[n_names], &is_last))
		n_names++;
	json_array_foreach(rows, i, row)
		if (!compare_row(m, command, &text, names, n_names, row, i + 1))
			break;
	same_number(m, "rows", command, "CSV", (double)i + (*text != '\0'), "JSON", (double)json_array_size(rows));
	for (size_t k = 0; k < COLUMNS_MAX; k++)
		buf_done(&names[k]);
}

static void compare_command(struct moment *m, const char *command, const char *of, json_t *rows)
{
	struct run r = moment_run(m, (const char *const[]){ "-o", "csv", command, of, NULL }, NULL);

	compare_text(m, command, r.out.text, rows);
	run_done(&r);
}

/* All of one device, drawn by the moment's place in the recording. */
static void compare_show(struct moment *m)
{
	json_t *devices = rows_of(m->status), *rows = json_array(), *row;
	size_t n = json_array_size(devices), i;
	const char *device = text_of(json_array_get(devices, n ? m->count->moments % n : 0), "device");

	json_array_foreach(rows_of(m->cells), i, row)
		if (!strcmp(text_of(row, "device"), device))
			json_array_append(rows, row);
	if (n)
		compare_command(m, "show", device, rows);
	json_decref(rows);
}

void compare_csv(struct moment *m)
{
	json_t *events = surfaces_sheet(m->file, m->at, "events");

	compare_command(m, "ports", NULL, rows_of(m->ports));
	compare_command(m, "findings", NULL, rows_of(m->findings));
	compare_command(m, "pauses", NULL, rows_of(m->pauses));
	compare_command(m, "status", NULL, rows_of(m->status));
	compare_command(m, "events", NULL, rows_of(events));
	compare_show(m);
	json_decref(events);
}
