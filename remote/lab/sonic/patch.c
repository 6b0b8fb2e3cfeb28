#include "remote/lab/sonic/patch.h"

#include <stdlib.h>
#include <string.h>

#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/keys.h"

#define DEPTH_MAX	4	/* TABLE, key, field, and an item of a list */

/* -- JSON pointers: "/QUEUE/Ethernet0|3/wred_profile"; "~1" is "/", "~0" is "~" -- */

struct pointer {
	char *words[DEPTH_MAX];		/* owned */
	size_t n;
};

static void pointer_done(struct pointer *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->words[i]);
	p->n = 0;
}

static char *unescaped(const char *text, size_t n)
{
	char *word = malloc(n + 1), *to = word;

	for (size_t i = 0; word && i < n; i++) {
		char c = text[i];

		if (c == '~' && i + 1 < n)
			c = text[++i] == '1' ? '/' : '~';
		*to++ = c;
	}
	if (word)
		*to = '\0';
	return word;
}

static bool pointer_read(struct pointer *p, const char *text)
{
	p->n = 0;
	while (text && *text == '/' && p->n < DEPTH_MAX) {
		size_t n = strcspn(++text, "/");

		p->words[p->n++] = unescaped(text, n);
		text += n;
	}
	if (text && !*text && p->n)
		return true;
	pointer_done(p);
	return false;
}

/* The object that holds the last word, or NULL. */
static json_t *parent_of(json_t *root, const struct pointer *p)
{
	for (size_t i = 0; i + 1 < p->n; i++)
		root = json_object_get(root, p->words[i]);
	return json_is_object(root) ? root : NULL;
}

/* -- operations -- */

static bool refuse_path(const char *path, struct err *err)
{
	return err_set(err, "can't replace, remove or test a non-existent object '%s'", path);
}

static bool op_test(json_t *parent, const char *key, json_t *value, const char *path, struct err *err)
{
	json_t *is = json_object_get(parent, key);

	if (!is)
		return refuse_path(path, err);
	if (json_equal(is, value))
		return true;
	return err_set(err, "Testing Value %.80s: the value at '%s' is not equal to tested value", path, path);
}

static bool op_add(json_t *parent, const char *key, json_t *value, const char *path, struct err *err)
{
	(void)path;
	(void)err;
	json_object_set(parent, key, value);
	return true;
}

static bool op_replace(json_t *parent, const char *key, json_t *value, const char *path, struct err *err)
{
	return json_object_get(parent, key) ? op_add(parent, key, value, path, err) : refuse_path(path, err);
}

static bool op_remove(json_t *parent, const char *key, json_t *value, const char *path, struct err *err)
{
	(void)value;
	return json_object_del(parent, key) == 0 || refuse_path(path, err);
}

static const struct {
	const char *name;
	bool needs_value;
	bool (*run)(json_t *parent, const char *key, json_t *value, const char *path, struct err *err);
} operations[] = {
	{ "test", true, op_test },
	{ "add", true, op_add },
	{ "replace", true, op_replace },
	{ "remove", false, op_remove },
};

static bool operate(json_t *db, const json_t *step, struct err *err)
{
	const char *op = json_string_value(json_object_get(step, "op")), *path = json_string_value(json_object_get(step, "path"));
	json_t *value = json_object_get(step, "value"), *parent;
	struct pointer at;
	bool done = false;

	if (!op || !path || !pointer_read(&at, path))
		return err_set(err, "Invalid JSON patch: an operation needs 'op' and 'path'");
	parent = parent_of(db, &at);
	if (!parent)
		refuse_path(path, err);
	else
		err_set(err, "Unknown operation '%s'", op);
	for (size_t i = 0; parent && i < sizeof(operations) / sizeof(*operations); i++) {
		if (strcmp(operations[i].name, op))
			continue;
		done = operations[i].needs_value && !value ? err_set(err, "The operation does not contain a 'value' member") :
		       operations[i].run(parent, at.words[at.n - 1], value, path, err);
	}
	pointer_done(&at);
	return done;
}

/* -- what the models ask -- */

static bool is_number(const char *text, uint64_t least, uint64_t most)
{
	uint64_t n;

	return text && span_u64(span_of(text), &n) && n >= least && n <= most;
}

/* "0" to "7", each once, with commas. */
static bool is_priorities(const char *text)
{
	unsigned seen = 0;

	for (; text && *text; text++) {
		if (*text < '0' || *text > '7' || seen >> (*text - '0') & 1)
			return false;
		seen |= 1u << (*text - '0');
		if (text[1] == ',' && text[2])
			text++;
	}
	return text && seen;
}

static bool is_one_of(const char *text, const char *words)
{
	const char *at = strstr(words, text);
	size_t n = strlen(text);

	return n && at && (at == words || at[-1] == ' ') && (!at[n] || at[n] == ' ');
}

/* What a member may say; the others say what they like. */
static const struct leaf {
	const char *table, *field;
	uint64_t least, most;
	const char *words;		/* instead of numbers */
} leaves[] = {
	{ "PORT", "mtu", 68, 9216, NULL },
	{ "PORT", "admin_status", 0, 0, "up down" },
	{ "WRED_PROFILE", "green_min_threshold", 0, UINT32_MAX, NULL },
	{ "WRED_PROFILE", "green_max_threshold", 0, UINT32_MAX, NULL },
	{ "WRED_PROFILE", "green_drop_probability", 0, 100, NULL },
	{ "WRED_PROFILE", "ecn", 0, 0,
	  "ecn_none ecn_green ecn_yellow ecn_red ecn_green_yellow ecn_green_red ecn_yellow_red ecn_all" },
	{ "WRED_PROFILE", "wred_green_enable", 0, 0, "true false" },
	{ "SCHEDULER", "type", 0, 0, "STRICT DWRR WRR" },
	{ "SCHEDULER", "weight", 1, 100, NULL },
	{ "PFC_WD", "detection_time", 100, 5000, NULL },
	{ "PFC_WD", "restoration_time", 100, 60000, NULL },
	{ "PFC_WD", "action", 0, 0, "drop forward alert" },
	{ "PFC_WD", "POLL_INTERVAL", 100, 3000, NULL },
};

/* The classes that a map's members are, and that they go to: 64 DSCPs to 8, 8 to 8. */
static unsigned map_width(const char *table)
{
	if (!strcmp(table, "DSCP_TO_TC_MAP"))
		return 64;
	return !strcmp(table, "TC_TO_QUEUE_MAP") || !strcmp(table, "TC_TO_PRIORITY_GROUP_MAP") ||
	       !strcmp(table, "MAP_PFC_PRIORITY_TO_QUEUE") || !strcmp(table, "DOT1P_TO_TC_MAP") ? 8 : 0;
}

static bool refers(const json_t *db, const char *table, const char *text)
{
	char plain[64];
	struct span name = span_of(text), inner;

	if (span_skip(&name, "[")) {
		if (!span_cut(name, '|', &inner, &name) || name.n < 2 || !span_is(inner, table))
			return false;
		name.n--;
	}
	if (!name.n || name.n >= sizeof(plain))
		return false;
	memcpy(plain, name.p, name.n);
	plain[name.n] = '\0';
	return json_object_get(json_object_get(db, table), plain) != NULL;
}

static bool member_is_valid(const json_t *db, const char *table, const char *field, const char *text)
{
	unsigned width = map_width(table);

	if (width)
		return is_number(field, 0, width - 1) && is_number(text, 0, 7);
	if (!strcmp(field, "pfc_enable") || !strcmp(field, "pfcwd_sw_enable"))
		return !*text || is_priorities(text);
	for (size_t i = 0; i < N_CONFDB_REFERENCES; i++)
		if (!strcmp(confdb_references[i].table, table) && !strcmp(confdb_references[i].field, field))
			return refers(db, confdb_references[i].to, text);
	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
		if (!strcmp(leaves[i].table, table) && !strcmp(leaves[i].field, field))
			return leaves[i].words ? is_one_of(text, leaves[i].words) : is_number(text, leaves[i].least, leaves[i].most);
	return true;
}

/* Rows that are of ports: the one that their key names is to exist. The models know no lists of them. */
static bool key_is_valid(const json_t *db, const char *table, const char *key)
{
	struct span rest, port = key_ports(key, &rest);
	char name[64];

	if (strcmp(table, "PORT_QOS_MAP") && strcmp(table, "QUEUE") && strcmp(table, "BUFFER_PG") && strcmp(table, "PFC_WD"))
		return true;
	if (!strcasecmp(key, "global"))
		return true;
	if (!port.n || port.n >= sizeof(name))
		return false;
	memcpy(name, port.p, port.n);
	name[port.n] = '\0';
	return json_object_get(json_object_get(db, "PORT"), name) != NULL;
}

static bool row_is_valid(const json_t *db, const char *table, const char *key, const json_t *row, struct err *err)
{
	const char *field;
	json_t *value;

	if (!json_is_object(row))
		return err_set(err, "%s|%s is not a row", table, key);
	if (!key_is_valid(db, table, key))
		return err_set(err, "Data Loading Failed: Leafref \"/sonic-port:sonic-port/PORT/PORT_LIST/name\" of value \"%s\" "
			       "points to a non-existing leaf.", key);
	json_object_foreach((json_t *)row, field, value) {
		if (json_is_array(value))
			continue;
		if (!json_is_string(value) || !member_is_valid(db, table, field, json_string_value(value)))
			return err_set(err, "Data Loading Failed: Invalid value \"%.60s\" in \"%s\" element (%s|%s).",
				       json_is_string(value) ? json_string_value(value) : "", field, table, key);
	}
	return true;
}

bool sonic_is_valid(const json_t *db, struct err *err)
{
	const char *table, *key;
	json_t *rows, *row;

	json_object_foreach((json_t *)db, table, rows) {
		if (!json_is_object(rows))
			return err_set(err, "%s is not a table", table);
		if (!json_object_size(rows))
			return err_set(err, "given patch is not valid because it will result in empty tables which is not allowed "
				       "in ConfigDb. Table: %s", table);
		json_object_foreach(rows, key, row)
			if (!row_is_valid(db, table, key, row, err))
				return false;
	}
	return true;
}

json_t *sonic_patched(const json_t *db, const char *text, struct err *err)
{
	json_error_t where;
	json_t *patch = json_loads(text, 0, &where), *after, *step;
	size_t i;

	if (!json_is_array(patch)) {
		json_decref(patch);
		err_set(err, "Expecting value: line %d column %d", where.line, where.column);
		return NULL;
	}
	after = json_deep_copy(db);
	json_array_foreach(patch, i, step) {
		if (!operate(after, step, err))
			goto refused;
	}
	if (!sonic_is_valid(after, err))
		goto refused;
	json_decref(patch);
	return after;
refused:
	json_decref(patch);
	json_decref(after);
	return NULL;
}
