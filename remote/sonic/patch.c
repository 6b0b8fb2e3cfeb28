#include "remote/sonic/patch.h"

#include <stdlib.h>

/* Maps and profiles come before the rows that name them, and go after them. */
static const char *const named_tables[] = {
	"BUFFER_POOL", "BUFFER_PROFILE", "DOT1P_TO_TC_MAP", "DSCP_TO_TC_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "SCHEDULER",
	"TC_TO_PRIORITY_GROUP_MAP", "TC_TO_QUEUE_MAP", "WRED_PROFILE",
};

enum stage { STAGE_TEST, STAGE_MAKE, STAGE_SET, STAGE_CLEAR, STAGE_DROP, STAGES };

struct patch {
	json_t *stages[STAGES];		/* lists of operations */
};

bool sonic_is_named(const char *table)
{
	for (size_t i = 0; i < sizeof(named_tables) / sizeof(*named_tables); i++)
		if (!strcmp(named_tables[i], table))
			return true;
	return false;
}

/* "/" and "~" inside a word of a JSON pointer are "~1" and "~0". */
static void put_word(struct buf *path, const char *word)
{
	buf_str(path, "/");
	for (; *word; word++) {
		if (*word == '~' || *word == '/')
			buf_str(path, *word == '~' ? "~0" : "~1");
		else
			buf_add(path, word, 1);
	}
}

/* key and field may be NULL: the whole table, the whole row. */
static void add(struct patch *p, enum stage stage, const char *op, const char *table, const char *key, const char *field,
		const json_t *value)
{
	struct buf path = { NULL };
	json_t *step = json_object();

	put_word(&path, table);
	if (key)
		put_word(&path, key);
	if (field)
		put_word(&path, field);
	json_object_set_new(step, "op", json_string(op));
	json_object_set_new(step, "path", json_string(path.text));
	if (value)
		json_object_set_new(step, "value", json_deep_copy(value));
	json_array_append_new(p->stages[stage], step);
	buf_done(&path);
}

static void compare_rows(struct patch *p, const char *table, const char *key, const json_t *from, const json_t *to)
{
	enum stage set = sonic_is_named(table) ? STAGE_MAKE : STAGE_SET;
	const char *field;
	json_t *value;

	json_object_foreach((json_t *)to, field, value) {
		const json_t *was = json_object_get(from, field);

		if (was && json_equal(was, value))
			continue;
		if (was)
			add(p, STAGE_TEST, "test", table, key, field, was);
		add(p, set, was ? "replace" : "add", table, key, field, value);
	}
	json_object_foreach((json_t *)from, field, value) {
		if (json_object_get(to, field))
			continue;
		add(p, STAGE_TEST, "test", table, key, field, value);
		add(p, STAGE_CLEAR, "remove", table, key, field, NULL);
	}
}

static void compare_tables(struct patch *p, const char *table, const json_t *from, const json_t *to)
{
	enum stage make = sonic_is_named(table) ? STAGE_MAKE : STAGE_SET, drop = sonic_is_named(table) ? STAGE_DROP : STAGE_CLEAR;
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)to, key, row) {
		const json_t *was = json_object_get(from, key);

		if (was)
			compare_rows(p, table, key, was, row);
		else
			add(p, make, "add", table, key, NULL, row);
	}
	json_object_foreach((json_t *)from, key, row) {
		if (json_object_get(to, key))
			continue;
		add(p, STAGE_TEST, "test", table, key, NULL, row);
		add(p, drop, "remove", table, key, NULL, NULL);
	}
}

/* A table without rows is not in CONFIG_DB, and the updater refuses a patch that leaves one. */
static void compare(struct patch *p, const json_t *from, const json_t *to)
{
	const char *table;
	json_t *rows;

	json_object_foreach((json_t *)to, table, rows) {
		const json_t *was = json_object_get(from, table);

		if (json_object_size(was) && json_object_size(rows))
			compare_tables(p, table, was, rows);
		else if (json_object_size(rows))
			add(p, sonic_is_named(table) ? STAGE_MAKE : STAGE_SET, "add", table, NULL, NULL, rows);
	}
	json_object_foreach((json_t *)from, table, rows) {
		if (!json_object_size(rows) || json_object_size(json_object_get(to, table)))
			continue;
		add(p, STAGE_TEST, "test", table, NULL, NULL, rows);
		add(p, sonic_is_named(table) ? STAGE_DROP : STAGE_CLEAR, "remove", table, NULL, NULL, NULL);
	}
}

static void patch_init(struct patch *p)
{
	for (unsigned i = 0; i < STAGES; i++)
		p->stages[i] = json_array();
}

/* Prints stages from first on, one operation a line, and lets go of all. */
static size_t patch_finish(struct patch *p, unsigned first, unsigned last, struct buf *out)
{
	size_t n = 0, i;
	json_t *step;

	for (unsigned s = first; s <= last; s++) {
		json_array_foreach(p->stages[s], i, step) {
			char *text = json_dumps(step, JSON_SORT_KEYS | JSON_ENSURE_ASCII);

			buf_printf(out, "%s%s", n++ ? ",\n" : "[\n", text ? text : "");
			free(text);
		}
	}
	if (n)
		buf_str(out, "\n]\n");
	for (unsigned i = 0; i < STAGES; i++)
		json_decref(p->stages[i]);
	return n;
}

size_t sonic_patch(const json_t *from, const json_t *to, struct buf *out)
{
	struct patch p;

	patch_init(&p);
	compare(&p, from, to);
	return patch_finish(&p, STAGE_TEST, STAGE_DROP, out);
}

/* No test says that something is not there; the whole that it would be in does. */
static void test_row(struct patch *p, const char *table, const char *key, const json_t *is, const json_t *other)
{
	const char *field;
	json_t *value;

	json_object_foreach((json_t *)other, field, value) {
		if (!json_object_get(is, field)) {
			add(p, STAGE_TEST, "test", table, key, NULL, is);
			return;
		}
	}
	json_object_foreach((json_t *)is, field, value)
		if (!json_equal(json_object_get(other, field), value))
			add(p, STAGE_TEST, "test", table, key, field, value);
}

static void test_table(struct patch *p, const char *table, const json_t *is, const json_t *other)
{
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)other, key, row) {
		if (!json_object_get(is, key)) {
			add(p, STAGE_TEST, "test", table, NULL, NULL, is);
			return;
		}
	}
	json_object_foreach((json_t *)is, key, row) {
		const json_t *its = json_object_get(other, key);

		if (!its)
			add(p, STAGE_TEST, "test", table, key, NULL, row);
		else
			test_row(p, table, key, row, its);
	}
}

/* CONFIG_DB has no table without rows. */
static void add_impossible(struct patch *p, const char *table)
{
	json_t *nothing = json_object();

	add(p, STAGE_TEST, "test", table, NULL, NULL, nothing);
	json_decref(nothing);
}

void sonic_patch_test(const json_t *is, const json_t *other, struct buf *out)
{
	struct patch p;
	const char *table;
	json_t *rows;

	patch_init(&p);
	json_object_foreach((json_t *)is, table, rows)
		if (!json_equal(rows, json_object_get(other, table)))
			test_table(&p, table, rows, json_object_get(other, table));
	/* A table that is not there cannot be tested for: this holds never, which errs on the safe side. */
	json_object_foreach((json_t *)other, table, rows)
		if (json_object_size(rows) && !json_object_size(json_object_get(is, table)))
			add_impossible(&p, table);
	patch_finish(&p, STAGE_TEST, STAGE_TEST, out);
}
