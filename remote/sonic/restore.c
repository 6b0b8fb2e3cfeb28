/* A CONFIG_DB's part put back as it was. */
#include <string.h>

#include "remote/sonic/edit.h"
#include "remote/sonic/patch.h"
#include "remote/sonic/refs.h"
#include "remote/sonic/rows.h"

static void restore_row(json_t *db, const char *table, const char *key, const json_t *after, const json_t *base)
{
	const char *field;
	json_t *value;

	json_object_foreach((json_t *)after, field, value)
		if (!json_object_get(base, field) && !strcmp(table, "PORT"))	/* a port stays, whatever is said of it */
			json_object_del(sonic_row(db, table, key), field);
		else if (!json_object_get(base, field))
			sonic_clear_member(db, table, key, field);
	json_object_foreach((json_t *)base, field, value)
		if (!json_equal(json_object_get(after, field), value))
			json_object_set(sonic_need_row(db, table, key), field, value);
}

/* Rows of ports are in a part whole: what is not in base was not there. */
static void restore_table(json_t *db, const char *table, const json_t *after, const json_t *base)
{
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)after, key, row)
		restore_row(db, table, key, row, json_object_get(base, key));
	json_object_foreach((json_t *)base, key, row)
		if (!json_object_get(after, key))
			restore_row(db, table, key, NULL, row);
}

/* Maps and profiles are in a part while a port of it names them: only ours go, when nobody does any more. */
static void restore_named(json_t *db, const char *table, const json_t *after, const json_t *base)
{
	json_t *rows = json_object_get(db, table);
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)after, key, row) {
		const json_t *was = json_object_get(base, key);

		if (was)
			restore_row(db, table, key, row, was);
		else if (!strncmp(key, WISH_PREFIX, strlen(WISH_PREFIX)) && !sonic_ref_is_used(db, table, key))
			json_object_del(rows, key);
	}
	if (rows && !json_object_size(rows))
		json_object_del(db, table);
}

void sonic_restore(json_t *db, json_t *after, json_t *base)
{
	json_t *tables = json_object(), *some;
	const char *table;

	json_object_update(tables, after);
	json_object_update(tables, base);
	json_object_del(tables, SONIC_USERS);
	json_object_foreach(tables, table, some)
		if (!sonic_is_named(table))
			restore_table(db, table, json_object_get(after, table), json_object_get(base, table));
	json_object_foreach(tables, table, some)
		if (sonic_is_named(table))
			restore_named(db, table, json_object_get(after, table), json_object_get(base, table));
	json_decref(tables);
}
