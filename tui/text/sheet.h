/*
 * A table that a command prints: one set of rows, written as a text table, JSON, JSON lines or CSV. Names of columns are
 * the JSON names and carry their unit ("mtu_bytes"); a value nobody knows is null, and an empty cell in text is "?".
 */
#ifndef TUI_TEXT_SHEET_H
#define TUI_TEXT_SHEET_H

#include <stdio.h>

#include <jansson.h>

#include "core/judge/check.h"

enum sheet_format { SHEET_TABLE, SHEET_JSON, SHEET_JSONL, SHEET_CSV };

struct sheet;

/* columns: names with one blank between; a name ending in ! is in JSON and CSV only, a table's
 * heading may differ from the name: "proven=configured". schema: "fabcon.ports/1". */
struct sheet *sheet_new(const char *schema, const char *columns);
void sheet_free(struct sheet *s);

/* Of the whole document, beside the rows: {"schema": …, "at": …, key: value, …, "rows": […]}. */
void sheet_set(struct sheet *s, const char *key, json_t *value);

void sheet_row(struct sheet *s);
/* The next cell of the row. text NULL: the table shows the JSON value. Takes the reference to value. */
void sheet_cell(struct sheet *s, json_t *value, const char *text);
void sheet_text(struct sheet *s, const char *text);		/* NULL: unknown */
void sheet_verdict(struct sheet *s, enum verdict v);		/* a table says critical where JSON and CSV say fail */
void sheet_number(struct sheet *s, uint64_t n);
void sheet_real(struct sheet *s, double x);			/* NAN: unknown */
void sheet_unknown(struct sheet *s);
/* A cell of the model: its value with nulls for unknown and old. */
void sheet_value(struct sheet *s, const struct model *m, enum field f, const struct cell *c);

/* Leaves only the rows that match; fields are the columns by name. False, and why, when the filter is not understood. */
bool sheet_filter(struct sheet *s, const char *filter, struct err *err);

/* Tables are written in ASCII from now on: for a locale, or a person, that has no more. */
void sheet_ascii_only(void);

size_t sheet_rows(const struct sheet *s);
void sheet_write(const struct sheet *s, enum sheet_format format, FILE *out);

/* JSON forms used in several documents. */
json_t *json_value(enum field f, const struct value *v);	/* null when not known */
json_t *json_text(const char *text);				/* null for NULL; bad UTF-8 is replaced */
json_t *json_time(int64_t at_us);				/* RFC 3339, UTC, µs */

/* A document as text of ASCII, with a line end. flags: jansson's. */
void json_add(const json_t *json, size_t flags, struct buf *out);

#endif
