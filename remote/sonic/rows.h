/* Rows of a CONFIG_DB, looked up and changed so that it never holds an empty row or table: the real one has none. */
#ifndef REMOTE_SONIC_ROWS_H
#define REMOTE_SONIC_ROWS_H

#include <jansson.h>

#include "core/base/span.h"

#define SONIC_USERS	"used_by"	/* a part's table that CONFIG_DB has not: whose the maps and profiles are */

json_t *sonic_row(json_t *db, const char *table, const char *key);
/* Made when it is not there. */
json_t *sonic_need_row(json_t *db, const char *table, const char *key);
/* A row that says nothing then goes, and a table without rows. */
void sonic_clear_member(json_t *db, const char *table, const char *key, const char *field);

void sonic_set_text(json_t *row, const char *field, const char *text);
void sonic_set_number(json_t *row, const char *field, uint64_t n);
/* Numbers are texts there. */
bool sonic_number_of(const json_t *row, const char *field, uint64_t *out);

#endif
