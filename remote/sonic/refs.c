#include "remote/sonic/refs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "remote/sonic/settings.h"

#define NAMES_MAX	100

static void wish_free(struct sonic_ref *w)
{
	free(w->table);
	free(w->key);
	free(w->name);
	json_decref(w->content);
	free(w);
}

void sonic_refs_done(struct sonic_refs *w)
{
	for (size_t i = 0; i < w->n; i++)
		wish_free(w->list[i]);
	free(w->list);
	*w = (struct sonic_refs){ NULL };
}

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), k = strlen(with);

	return n >= k && !strcmp(text + n - k, with);
}

static const json_t *row_named(const json_t *db, const char *table, const char *name)
{
	return json_object_get(json_object_get(db, table), name);
}

/* -- wishing -- */

static struct sonic_ref *find(struct sonic_refs *w, const char *table, const char *key, const char *field)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->list[i]->table, table) && !strcmp(w->list[i]->key, key) && !strcmp(w->list[i]->field, field))
			return w->list[i];
	return NULL;
}

struct sonic_ref *sonic_ref_of(struct sonic_refs *w, const json_t *db, const char *table, const char *key,
			       const char *field, const char *to, const char *model, const char *name, struct err *err)
{
	const char *text = sonic_member(db, table, key, field);
	struct sonic_ref *wish = find(w, table, key, field), **slot;
	const json_t *content;
	char plain[64];

	if (wish)
		return wish;
	if (!text && !model) {
		err_set(err, "%s|%s has no %s, and none is defined", table, key, field);
		return NULL;
	}
	content = sonic_reference(text ? text : model, plain) ? row_named(db, to, plain) : NULL;
	if (!json_is_object(content)) {
		err_set(err, "%s %s is not in the configuration", to, text ? text : model);
		return NULL;
	}
	wish = xcalloc(1, sizeof(*wish));
	*wish = (struct sonic_ref){ .table = xstrdup(table), .key = xstrdup(key), .field = field, .to = to,
			       .content = json_deep_copy(content), .name = xstrdup(name) };
	slot = GROW(w->list, w->n, w->cap);
	*slot = wish;
	w->n++;
	return wish;
}

/* -- settling -- */

/* What rows of that table are referred to by; a tunnel's member may be longer. */
static const char *member_of(const char *table)
{
	static const char *const members[][2] = {
		{ "DSCP_TO_TC_MAP", "dscp_to_tc_map" },		{ "DOT1P_TO_TC_MAP", "dot1p_to_tc_map" },
		{ "TC_TO_QUEUE_MAP", "tc_to_queue_map" },	{ "TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map" },
		{ "MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map" }, { "WRED_PROFILE", "wred_profile" },
		{ "SCHEDULER", "scheduler" },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (!strcmp(members[i][0], table))
			return members[i][1];
	return "";
}

/* Old releases write "[TABLE|name]": so does whoever adds to them. */
static bool writes_brackets(const json_t *db, const char *table, const char *field)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(db, table), key, row) {
		const char *text = json_string_value(json_object_get(row, field));

		if (text)
			return *text == '[';
	}
	return false;
}

void sonic_ref_refer(json_t *db, const char *table, const char *key, const char *field, const char *to, const char *name)
{
	json_t *row = json_object_get(json_object_get(db, table), key);
	const char *is = json_string_value(json_object_get(row, field));
	bool brackets = is ? *is == '[' : writes_brackets(db, table, field);
	char *text = brackets ? xasprintf("[%s|%s]", to, name) : xstrdup(name);

	json_object_set_new(row, field, json_string(text));
	free(text);
}

/* Whether all that refer to that row wish for this content. A tunnel may refer by "decap_dscp_to_tc_map". */
static bool all_wish(const struct sonic_refs *w, const json_t *db, const struct sonic_ref *one, const char *name)
{
	const char *table, *key, *field;
	json_t *rows, *row, *value;

	json_object_foreach((json_t *)db, table, rows) {
		if (!strcmp(table, one->to))
			continue;
		json_object_foreach(rows, key, row) {
			json_object_foreach(row, field, value) {
				const char *text = json_string_value(value);
				const struct sonic_ref *other;
				char plain[64];

				if (!text || !ends(field, one->field) || !sonic_reference(text, plain) || strcmp(plain, name))
					continue;
				other = find((struct sonic_refs *)w, table, key, field);
				if (!other || !json_equal(other->content, one->content))
					return false;
			}
		}
	}
	return true;
}

/* How many rows of other tables refer to it, by whatever member. */
static unsigned users(const json_t *db, const char *of, const char *name)
{
	const char *table, *key, *field;
	json_t *rows, *row, *value;
	unsigned n = 0;

	json_object_foreach((json_t *)db, table, rows) {
		if (!strcmp(table, of))
			continue;
		json_object_foreach(rows, key, row)
			json_object_foreach(row, field, value) {
				const char *text = json_string_value(value);
				char plain[64];

				n += text && ends(field, member_of(of)) && sonic_reference(text, plain) && !strcmp(plain, name);
			}
	}
	return n;
}

bool sonic_ref_is_used(const json_t *db, const char *table, const char *name)
{
	return users(db, table, name) > 0;
}

/*
 * Another row that says just that: one of ours, or one that several use already, so that one user more makes it no less
 * somebody's own.
 */
static const char *same_row(const json_t *db, const char *table, const json_t *content)
{
	const char *name, *first = NULL;
	json_t *row;

	json_object_foreach(json_object_get(db, table), name, row) {
		bool is_ours = !strncmp(name, WISH_PREFIX, strlen(WISH_PREFIX));

		if (json_equal(row, content) && (!first || strcmp(name, first) < 0) && (is_ours || users(db, table, name) > 1))
			first = name;
	}
	return first;
}

/* A name that nothing has yet: "fabcon_Ethernet0", "fabcon_Ethernet0_2". The models allow 32 characters. */
static void free_name(const json_t *db, const struct sonic_ref *wish, char out[64])
{
	snprintf(out, 64, "%.40s", wish->name);
	for (unsigned i = 2; i < NAMES_MAX && row_named(db, wish->to, out); i++)
		snprintf(out, 64, "%.40s_%u", wish->name, i);
}

static void settle(const struct sonic_refs *w, json_t *db, const struct sonic_ref *wish)
{
	const char *text = sonic_member(db, wish->table, wish->key, wish->field), *same;
	json_t *rows = json_object_get(db, wish->to);
	char now[64];

	if (!text || !sonic_reference(text, now))
		*now = '\0';
	if (*now && json_equal(json_object_get(rows, now), wish->content))
		return;
	if (*now && all_wish(w, db, wish, now)) {
		json_object_set_new(rows, now, json_deep_copy(wish->content));
		return;
	}
	same = same_row(db, wish->to, wish->content);
	if (same) {
		snprintf(now, sizeof(now), "%.63s", same);
	} else {
		free_name(db, wish, now);
		json_object_set_new(rows, now, json_deep_copy(wish->content));
	}
	sonic_ref_refer(db, wish->table, wish->key, wish->field, wish->to, now);
}

void sonic_refs_settle(struct sonic_refs *w, json_t *db)
{
	for (size_t i = 0; i < w->n; i++)
		settle(w, db, w->list[i]);
	sonic_refs_done(w);
}

/* -- what is usual -- */

const char *sonic_ref_most_used(const json_t *db, const char *table, const char *field, const char *key_ends)
{
	json_t *counts = json_object(), *row;
	const char *key, *best = NULL;
	json_int_t most = 0;
	char plain[64];

	json_object_foreach(json_object_get(db, table), key, row) {
		const char *text = json_string_value(json_object_get(row, field));
		json_int_t n;

		if (!text || !ends(key, key_ends) || !sonic_reference(text, plain))
			continue;
		n = json_integer_value(json_object_get(counts, plain)) + 1;
		json_object_set_new(counts, plain, json_integer(n));
		if (n > most || (n == most && strcmp(text, best) < 0)) {
			most = n;
			best = text;
		}
	}
	json_decref(counts);
	return best;
}
