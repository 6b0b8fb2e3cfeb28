#include "remote/lab/sonic/keys.h"

#include <stdio.h>
#include <stdlib.h>

struct span key_ports(const char *key, struct span *rest)
{
	struct span whole = span_of(key), host, asic, ports, after;

	*rest = SPAN("");
	if (!span_cut(whole, '|', &ports, rest))
		return whole;
	if (span_cut(*rest, '|', &asic, &after) && span_cut(after, '|', &host, rest))
		return host;
	return ports;
}

static bool key_names(const char *key, const char *port, struct span *rest)
{
	struct span list = key_ports(key, rest), one;

	while (span_cut(list, ',', &one, &list))
		if (span_is(one, port))
			return true;
	return span_is(list, port);
}

const char *confdb_port_member(const json_t *db, const char *table, const char *port, const char *field)
{
	json_t *rows = json_object_get(db, table), *row;
	const char *own = json_string_value(json_object_get(json_object_get(rows, port), field)), *key;
	struct span rest;

	if (own)
		return own;
	json_object_foreach(rows, key, row)
		if (json_object_get(row, field) && key_names(key, port, &rest))
			return json_string_value(json_object_get(row, field));
	return NULL;
}

static bool has_number(struct span range, unsigned n)
{
	uint64_t first, last;

	if (!span_take_u64(&range, &first))
		return false;
	last = first;
	if (span_skip(&range, "-") && !span_take_u64(&range, &last))
		return false;
	return n >= first && n <= last;
}

const json_t *confdb_queue(const json_t *db, const char *port, unsigned queue)
{
	json_t *row, *table = json_object_get(db, "QUEUE"), *shared = NULL;
	const char *key;

	json_object_foreach(table, key, row) {
		struct span rest;

		if (!key_names(key, port, &rest) || !has_number(rest, queue))
			continue;
		if (!strchr(key, ','))
			return row;
		shared = row;
	}
	return shared;
}

/* -- rows of several ports -- */

/* The key without the port. */
static char *without(const char *key, const char *port)
{
	struct buf text = { NULL };
	struct span rest, list = key_ports(key, &rest), one;

	for (bool more = true; more;) {
		more = span_cut(list, ',', &one, &list);
		if (!more)
			one = list;
		if (!span_is(one, port))
			buf_printf(&text, "%s%.*s", text.n ? "," : "", (int)one.n, one.p);
	}
	if (rest.n)
		buf_printf(&text, "|%.*s", (int)rest.n, rest.p);
	return text.text;
}

/* What a row of the key says already stays. Takes key. */
static void put_row(json_t *rows, char *key, json_t *shared)
{
	json_t *own = json_object_get(rows, key);

	if (own)
		json_object_update_missing(own, shared);
	else
		json_object_set_new(rows, key, json_deep_copy(shared));
	free(key);
}

/* The first row of several that has the port, taken apart; false: there is none. */
static bool ungroup_one(json_t *rows, const char *port)
{
	const char *key;
	json_t *row;

	json_object_foreach(rows, key, row) {
		struct span rest;

		if (!strchr(key, ',') || !key_names(key, port, &rest))
			continue;
		put_row(rows, rest.n ? xasprintf("%s|%.*s", port, (int)rest.n, rest.p) : xstrdup(port), row);
		put_row(rows, without(key, port), row);
		json_object_del(rows, key);
		return true;
	}
	return false;
}

void confdb_ungroup(json_t *db, const char *port)
{
	static const char *const tables[] = { "PORT_QOS_MAP", "QUEUE", "BUFFER_PG" };

	for (size_t i = 0; i < 3; i++)
		while (ungroup_one(json_object_get(db, tables[i]), port))
			;
}

/* Where in its list a port stands: "Ethernet4" before "Ethernet12". */
static int by_number(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t n = strlen(x), m = strlen(y);

	return n != m ? (n < m ? -1 : 1) : strcmp(x, y);
}

/* The key of the group that row is of: every key with the same rest and the same row. */
static char *group_key(const json_t *rows, struct span rest, const json_t *like)
{
	const char *key, *names[256];
	struct buf text = { NULL };
	size_t n = 0;
	json_t *row;

	json_object_foreach((json_t *)rows, key, row) {
		struct span its;

		key_ports(key, &its);
		if (n < 256 && its.n == rest.n && !strncmp(its.p, rest.p, rest.n) && json_equal(row, like))
			names[n++] = key;
	}
	qsort(names, n, sizeof(*names), by_number);
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s%.*s", i ? "," : "", (int)strcspn(names[i], "|"), names[i]);
	if (rest.n)
		buf_printf(&text, "|%.*s", (int)rest.n, rest.p);
	return text.text;
}

void confdb_group(json_t *db, const char *table)
{
	json_t *rows = json_object_get(db, table), *grouped = json_object(), *row;
	const char *key;

	json_object_foreach(rows, key, row) {
		struct span rest;
		char *group;

		key_ports(key, &rest);
		group = group_key(rows, rest, row);
		json_object_set(grouped, group, row);
		free(group);
	}
	json_object_set_new(db, table, grouped);
}
