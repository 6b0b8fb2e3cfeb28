#include "remote/sonic/rows.h"

#include <stdio.h>

json_t *sonic_row(json_t *db, const char *table, const char *key)
{
	return json_object_get(json_object_get(db, table), key);
}

json_t *sonic_need_row(json_t *db, const char *table, const char *key)
{
	json_t *rows = json_object_get(db, table), *row;

	if (!rows) {
		rows = json_object();
		json_object_set_new(db, table, rows);
	}
	row = json_object_get(rows, key);
	if (!row) {
		row = json_object();
		json_object_set_new(rows, key, row);
	}
	return row;
}

/* A row that says nothing goes, and a table without rows: CONFIG_DB has neither. */
void sonic_clear_member(json_t *db, const char *table, const char *key, const char *field)
{
	json_t *rows = json_object_get(db, table), *row = json_object_get(rows, key);

	json_object_del(row, field);
	if (row && !json_object_size(row))
		json_object_del(rows, key);
	if (rows && !json_object_size(rows))
		json_object_del(db, table);
}

void sonic_set_text(json_t *row, const char *field, const char *text)
{
	json_object_set_new(row, field, json_string(text));
}

void sonic_set_number(json_t *row, const char *field, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	sonic_set_text(row, field, text);
}

bool sonic_number_of(const json_t *row, const char *field, uint64_t *out)
{
	const char *text = json_string_value(json_object_get(row, field));

	return text && span_u64(span_of(text), out);
}
