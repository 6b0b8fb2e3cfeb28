/* Operators on JSON: the texts stay what they mean, written otherwise, or have something more, less or of another kind.
 */
#include "tests/mutants/mutant.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define SEGMENTS_MAX 16
#define STYLE (JSON_INDENT(4) | JSON_ENCODE_ANY)

/* Where a JSON text stands in the reply, and what it holds. */
struct segment {
	size_t from, to;
	json_t *json;
};

static size_t segments_of(const struct mutant *m, struct segment list[SEGMENTS_MAX])
{
	const char *text = m->of->text;
	size_t n = 0;

	for (size_t at = 0; at < m->of->n && n < SEGMENTS_MAX; at++) {
		json_error_t error;
		json_t *json;

		if ((text[at] != '{' && text[at] != '[') || (at && text[at - 1] != '\n'))
			continue;
		json = json_loadb(text + at, m->of->n - at, JSON_DISABLE_EOF_CHECK, &error);
		if (!json)
			continue;
		if (json_object_size(json) + json_array_size(json) == 0) {
			json_decref(json);
			continue;
		}
		list[n++] = (struct segment){ at, at + (size_t)error.position, json };
		at = list[n - 1].to;
	}
	return n;
}

static void write_with(const struct mutant *m, const struct segment *s, size_t flags, struct buf *out)
{
	char *json = json_dumps(s->json, flags);

	buf_add(out, m->of->text, s->from);
	buf_str(out, json);
	buf_add(out, m->of->text + s->to, m->of->n - s->to);
	free(json);
}

/* Changes one of the reply's JSON texts by that function, and writes the reply. */
static bool change(struct mutant *m, size_t flags, bool (*by)(struct mutant *m, json_t *json))
{
	struct segment list[SEGMENTS_MAX];
	size_t n = segments_of(m, list), at = draw_below(m, n);
	bool done = n && by(m, list[at].json);

	if (done)
		write_with(m, &list[at], flags, &m->text);
	for (size_t i = 0; i < n; i++)
		json_decref(list[i].json);
	return done;
}

/* -- all of it -- */

static void reverse_list(json_t *list)
{
	size_t n = json_array_size(list);

	for (size_t i = 0; i < n / 2; i++) {
		json_t *a = json_incref(json_array_get(list, i)), *b = json_incref(json_array_get(list, n - 1 - i));

		json_array_set_new(list, i, b);
		json_array_set_new(list, n - 1 - i, a);
	}
}

static bool reverse_keys(json_t *json)
{
	json_t *value, *copy = json_copy(json);
	const char *names[4096], *name;
	size_t i, n = 0;

	json_array_foreach(json, i, value) reverse_keys(value);
	json_object_foreach(copy, name, value)
	{
		reverse_keys(value);
		if (n < 4096)
			names[n++] = name;
	}
	for (i = n; n < 4096 && i-- > 0;) {
		json_object_del(json, names[i]);
		json_object_set(json, names[i], json_object_get(copy, names[i]));
	}
	json_decref(copy);
	return true;
}

static bool keys_reversed(struct mutant *m, json_t *json)
{
	(void)m;
	return reverse_keys(json);
}

/* Lists whose order means nothing: those of interfaces. */
static bool lists_reversed(struct mutant *m, json_t *json)
{
	json_t *lldp = json_object_get(json, "lldp");
	json_t *list = json_is_array(json)
			       ? json
			       : json_object_get(json_is_array(lldp) ? json_array_get(lldp, 0) : lldp, "interface");

	(void)m;
	if (!json_is_object(json_array_get(list, 0)) || json_array_size(list) < 2)
		return false;
	reverse_list(list);
	return true;
}

static bool nothing(struct mutant *m, json_t *json)
{
	(void)m, (void)json;
	return true;
}

bool json_keys_reversed(struct mutant *m)
{
	return change(m, STYLE, keys_reversed);
}

bool json_compact(struct mutant *m)
{
	return change(m, JSON_COMPACT, nothing);
}

bool json_lists_reversed(struct mutant *m)
{
	return change(m, STYLE, lists_reversed);
}

/* -- one member -- */

struct spot {
	json_t *parent;
	const char *key;
	size_t seen;
};

static void draw_spot(struct mutant *m, json_t *json, struct spot *s)
{
	const char *name;
	json_t *value;
	size_t i;

	json_object_foreach(json, name, value)
	{
		if (draw_below(m, ++s->seen) == 0) {
			s->parent = json;
			s->key = name;
		}
		draw_spot(m, value, s);
	}
	json_array_foreach(json, i, value) draw_spot(m, value, s);
}

static bool add_member(struct mutant *m, json_t *json)
{
	struct spot s = { NULL };

	draw_spot(m, json, &s);
	return s.parent && json_object_set_new(s.parent, "zq_new",
					       draw_below(m, 2) ? json_string("on") : json_pack("{s:i}", "zq", 3)) == 0;
}

static bool null_member(struct mutant *m, json_t *json)
{
	struct spot s = { NULL };

	draw_spot(m, json, &s);
	return s.parent && json_object_set_new(s.parent, s.key, json_null()) == 0;
}

static bool drop_member(struct mutant *m, json_t *json)
{
	struct spot s = { NULL };

	draw_spot(m, json, &s);
	return s.parent && json_object_del(s.parent, s.key) == 0;
}

static bool rename_key(struct mutant *m, json_t *json)
{
	struct spot s = { NULL };
	json_t *value;

	draw_spot(m, json, &s);
	if (!s.parent || strlen(s.key) > TOKEN_MAX / 2)
		return false;
	snprintf(m->old, sizeof(m->old), "%s", s.key);
	snprintf(m->new, sizeof(m->new), draw_below(m, 2) ? "%s-new" : "%s|zq", s.key);
	value = json_incref(json_object_get(s.parent, s.key));
	json_object_del(s.parent, m->old);
	return json_object_set_new(s.parent, m->new, value) == 0;
}

static bool change_type(struct mutant *m, json_t *json)
{
	struct spot s = { NULL };
	json_t *value, *new = NULL;
	uint64_t n;
	char text[32];

	draw_spot(m, json, &s);
	value = s.parent ? json_object_get(s.parent, s.key) : NULL;
	if (json_is_string(value) && span_u64(span_of(json_string_value(value)), &n)) {
		new = json_integer((json_int_t)n);
	} else if (json_is_integer(value)) {
		snprintf(text, sizeof(text), "%lld", (long long)json_integer_value(value));
		new = json_string(text);
	} else if (json_is_string(value)) {
		new = json_pack("[O]", value);
	} else if (json_is_boolean(value)) {
		new = json_string(json_is_true(value) ? "true" : "false");
	} else if (json_is_object(value)) {
		new = json_pack("[O]", value);
	}
	return new &&json_object_set_new(s.parent, s.key, new) == 0;
}

bool json_member_added(struct mutant *m)
{
	return change(m, STYLE, add_member);
}

bool json_member_null(struct mutant *m)
{
	return change(m, STYLE, null_member);
}

bool json_member_dropped(struct mutant *m)
{
	return change(m, STYLE, drop_member);
}

bool json_key_renamed(struct mutant *m)
{
	return change(m, STYLE, rename_key);
}

bool json_type_changed(struct mutant *m)
{
	return change(m, STYLE, change_type);
}

/* -- forms of CONFIG_DB -- */

static const char *const row_tables[] = { "QUEUE", "BUFFER_PG" };

static bool split_rows(struct mutant *m, json_t *json)
{
	bool done = false;

	(void)m;
	for (size_t t = 0; t < 2; t++) {
		json_t *table = json_object_get(json, row_tables[t]), *copy = json_copy(table), *row;
		const char *key;

		json_object_foreach(copy, key, row)
		{
			struct span head, range, from, to;
			uint64_t first, last;

			if (!span_cut_last(span_of(key), '|', &head, &range) || !span_cut(range, '-', &from, &to) ||
			    !span_u64(from, &first) || !span_u64(to, &last) || last > 7)
				continue;
			json_object_del(table, key);
			for (; first <= last; first++) {
				char name[128];

				snprintf(name, sizeof(name), "%.*s|%u", (int)head.n, head.p, (unsigned)first);
				json_object_set(table, name, row);
				done = true;
			}
		}
		json_decref(copy);
	}
	return done;
}

static bool rows_of_host(struct mutant *m, json_t *json)
{
	json_t *localhost = json_object_get(json_object_get(json, "DEVICE_METADATA"), "localhost");
	const char *host = json_string_value(json_object_get(localhost, "hostname"));
	bool done = false, is_other = draw_below(m, 2);

	for (size_t t = 0; t < 2; t++) {
		json_t *table = json_object_get(json, row_tables[t]), *copy = json_copy(table), *row;
		const char *key;

		json_object_foreach(copy, key, row)
		{
			char name[192];

			if (is_other) /* those of another line card come beside ours */
				snprintf(name, sizeof(name), "otherhost|asic0|%s", key);
			else
				snprintf(name, sizeof(name), "%s|asic0|%s", host ? host : "lc1", key);
			if (!is_other)
				json_object_del(table, key);
			json_object_set(table, name, row);
			done = true;
		}
		json_decref(copy);
	}
	return done;
}

static bool old_references(struct mutant *m, json_t *json)
{
	static const char *const members[][2] = {
		{ "dscp_to_tc_map", "DSCP_TO_TC_MAP" },
		{ "tc_to_queue_map", "TC_TO_QUEUE_MAP" },
		{ "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP" },
		{ "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE" },
		{ "wred_profile", "WRED_PROFILE" },
		{ "scheduler", "SCHEDULER" },
		{ "profile", "BUFFER_PROFILE" },
	};
	static const char *const tables[] = { "PORT_QOS_MAP", "QUEUE", "BUFFER_PG" };
	bool done = false;

	(void)m;
	for (size_t t = 0; t < 3; t++) {
		const char *key;
		json_t *row;

		json_object_foreach(json_object_get(json, tables[t]), key,
				    row) for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		{
			const char *name = json_string_value(json_object_get(row, members[i][0]));
			char text[128];

			if (!name || *name == '[')
				continue;
			snprintf(text, sizeof(text), "[%s|%s]", members[i][1], name);
			json_object_set_new(row, members[i][0], json_string(text));
			done = true;
		}
	}
	return done;
}

/* These three make what they make of both configurations of the reply, or of none. */
bool json_rows_split(struct mutant *m)
{
	return change(m, STYLE, split_rows);
}

bool json_rows_of_host(struct mutant *m)
{
	return change(m, STYLE, rows_of_host);
}

bool json_references(struct mutant *m)
{
	return change(m, STYLE, old_references);
}

/* -- two neighbors -- */

static void rename_texts(json_t *json)
{
	const char *name;
	json_t *value;
	size_t i;

	json_object_foreach(json, name,
			    value) if (json_is_string(value) && (strcmp(name, "value") == 0 ||
								 strcmp(name, "descr") == 0 || strcmp(name, "id") == 0))
	{
		char *text = xasprintf("%s9z", json_string_value(value));

		json_string_set(value, text);
		free(text);
	}
	else
	{
		rename_texts(value);
	}
	json_array_foreach(json, i, value) rename_texts(value);
}

bool json_two_neighbors(struct mutant *m)
{
	struct segment list[SEGMENTS_MAX];
	size_t n = segments_of(m, list), at;
	json_t *lldp = n ? json_object_get(list[0].json, "lldp") : NULL, *own, *other, *interfaces;
	bool done = false;

	if (json_is_array(lldp))
		lldp = json_array_get(lldp, 0);
	interfaces = json_object_get(lldp, "interface");
	at = draw_below(m, json_array_size(interfaces));
	own = json_array_get(interfaces, at);
	if (json_is_object(own)) {
		other = json_deep_copy(own);
		rename_texts(other);
		json_array_insert_new(interfaces, at + draw_below(m, 2), json_incref(other));
		write_with(m, list, STYLE, &m->text);
		for (size_t i = json_array_size(interfaces); i-- > 0;)
			if (json_array_get(interfaces, i) == own)
				json_array_remove(interfaces, i);
		write_with(m, list, STYLE, &m->rival);
		json_decref(other);
		done = true;
	}
	for (size_t i = 0; i < n; i++)
		json_decref(list[i].json);
	return done;
}
