#include "remote/sonic/settings.h"

#include <ctype.h>
#include <stdlib.h>

/* -- writing -- */

static bool is_plain(const char *word, bool is_table)
{
	if (!*word || *word == '{' || *word == '=')
		return false;
	for (const char *c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.:/,@#*+()[]-", *c) && (is_table || *c != '|'))
			return false;
	return true;
}

static void put_json(const json_t *value, struct buf *out)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_ENSURE_ASCII);

	buf_str(out, text ? text : "null");
	free(text);
}

static void put_word(const char *word, bool is_table, struct buf *out)
{
	json_t *quoted;

	if (is_plain(word, is_table)) {
		buf_str(out, word);
		return;
	}
	quoted = json_string(word);
	put_json(quoted, out);
	json_decref(quoted);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys of an object in order; yours to free. */
static const char **sorted_keys(const json_t *object, size_t *n)
{
	const char **keys = xcalloc(json_object_size(object) + 1, sizeof(*keys)), *key;
	json_t *value;

	*n = 0;
	json_object_foreach((json_t *)object, key, value)
		keys[(*n)++] = key;
	qsort(keys, *n, sizeof(*keys), by_name);
	return keys;
}

static void write_row(const char *table, const char *key, const json_t *row, struct buf *out)
{
	size_t n;
	const char **fields = sorted_keys(row, &n);

	for (size_t i = 0; i < n || (i == 0 && n == 0); i++) {
		put_word(table, true, out);
		buf_str(out, "|");
		put_word(key, false, out);
		if (n == 0) {
			buf_str(out, " {}\n");
			break;
		}
		buf_str(out, " ");
		put_word(fields[i], false, out);
		buf_str(out, " = ");
		put_json(json_object_get(row, fields[i]), out);
		buf_str(out, "\n");
	}
	free(fields);
}

void sonic_setup_write(const json_t *db, struct buf *out)
{
	size_t n_tables, n_keys;
	const char **tables = sorted_keys(db, &n_tables);

	for (size_t t = 0; t < n_tables; t++) {
		const json_t *rows = json_object_get(db, tables[t]);
		const char **keys = sorted_keys(rows, &n_keys);

		for (size_t k = 0; k < n_keys; k++)
			write_row(tables[t], keys[k], json_object_get(rows, keys[k]), out);
		free(keys);
	}
	free(tables);
}

/* -- reading -- */

/* Takes a word that ends before `end`, or a quoted one, off *rest: as it is written. */
static bool take_word(struct span *rest, char end, struct span *word)
{
	size_t n = 0;

	if (rest->n && *rest->p == '"') {
		for (n = 1; n < rest->n && rest->p[n] != '"'; n++)
			n += rest->p[n] == '\\';
		n++;
	} else {
		while (n < rest->n && rest->p[n] != end)
			n++;
	}
	if (n == 0 || n > rest->n)
		return false;
	*word = (struct span){ rest->p, n };
	*rest = (struct span){ rest->p + n, rest->n - n };
	return true;
}

/* Takes "TABLE|key" (and the member, n == 0 of a row without any) off the front of a line, as they are written. */
static bool sonic_setup_split(struct span line, struct span *table, struct span *key, struct span *field)
{
	if (!take_word(&line, '|', table) || !span_skip(&line, "|") || !take_word(&line, ' ', key) || !span_skip(&line, " "))
		return false;
	*field = (struct span){ line.p, 0 };
	return span_is(line, "{}") || take_word(&line, ' ', field);
}

/* Yours to free; NULL when it is no word. */
static char *word_text(struct span word)
{
	json_t *quoted;
	char *text;

	if (word.n == 0 || *word.p != '"')
		return xstrndup(word.p, word.n);
	quoted = json_loadb(word.p, word.n, JSON_DECODE_ANY, NULL);
	text = json_is_string(quoted) ? xstrdup(json_string_value(quoted)) : NULL;
	json_decref(quoted);
	return text;
}

static json_t *need(json_t *parent, const char *key)
{
	json_t *child = json_object_get(parent, key);

	if (child)
		return child;
	child = json_object();
	json_object_set_new(parent, key, child);
	return child;
}

static bool read_line(json_t *db, struct span line)
{
	struct span table, key, field, value;
	char *t, *k, *f;
	bool done = false;
	json_t *row, *of;

	if (!sonic_setup_split(line, &table, &key, &field))
		return false;
	t = word_text(table);
	k = word_text(key);
	f = word_text(field);
	row = t && k ? need(need(db, t), k) : NULL;
	value = (struct span){ field.p + field.n, (size_t)(line.p + line.n - field.p - field.n) };
	if (row && field.n == 0) {
		done = true;
	} else if (row && f && span_skip(&value, " = ")) {
		of = json_loadb(value.p, value.n, JSON_DECODE_ANY, NULL);
		done = of && json_object_set_new(row, f, of) == 0;
	}
	free(t);
	free(k);
	free(f);
	return done;
}

json_t *sonic_setup_read(struct span text, struct err *err)
{
	json_t *db = json_object();
	struct span line;

	while (span_line(&text, &line)) {
		if (line.n == 0 || read_line(db, line))
			continue;
		err_set(err, "not a line of a SONiC configuration: %.*s", line.n > 80 ? 80 : (int)line.n, line.p);
		json_decref(db);
		return NULL;
	}
	return db;
}

/* -- what is written in CONFIG_DB -- */

const char *sonic_member(const json_t *db, const char *table, const char *key, const char *field)
{
	return json_string_value(json_object_get(json_object_get(json_object_get(db, table), key), field));
}

bool sonic_reference(const char *text, char out[64])
{
	struct span s = span_of(text), table, name;

	if (s.n > 2 && *s.p == '[' && s.p[s.n - 1] == ']') {
		s = (struct span){ s.p + 1, s.n - 2 };
		if (span_cut(s, '|', &table, &name))
			s = name;
	}
	if (s.n == 0 || s.n > 63)
		return false;
	memcpy(out, s.p, s.n);
	out[s.n] = '\0';
	return true;
}

static bool names_port(struct span list, const char *port)
{
	struct span one;

	while (span_cut(list, ',', &one, &list))
		if (span_is(one, port))
			return true;
	return span_is(list, port);
}

static bool take_range(struct span range, struct sonic_key *out)
{
	uint64_t from, to;

	if (!span_take_u64(&range, &from))
		return false;
	to = from;
	if ((span_skip(&range, "-") && !span_take_u64(&range, &to)) || range.n > 0 || from > to || to > 63)
		return false;
	out->first = (unsigned)from;
	out->last = (unsigned)to;
	return true;
}

bool sonic_key_cut(const char *key, bool has_range, struct sonic_key *out)
{
	struct span rest = span_of(key), range, asic;

	*out = (struct sonic_key){ .last = 7 };
	if (has_range && (!span_cut_last(rest, '|', &rest, &range) || !take_range(range, out)))
		return false;
	out->ports = rest;
	if (!span_cut(rest, '|', &out->host, &rest))
		out->host = (struct span){ NULL, 0 };
	else if (!span_cut(rest, '|', &asic, &out->ports) || !out->host.n || memchr(out->ports.p, '|', out->ports.n))
		return false;
	return out->ports.n > 0;
}

bool sonic_key_names(const struct sonic_key *k, const char *port)
{
	return names_port(k->ports, port);
}

const char *sonic_shared_key(const json_t *db, const char *table, const char *port)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(db, table), key, row) {
		struct sonic_key k;

		if (sonic_key_cut(key, strcmp(table, "PORT_QOS_MAP") != 0, &k) && sonic_key_names(&k, port) &&
		    (k.host.n || memchr(k.ports.p, ',', k.ports.n)))
			return key;
	}
	return NULL;
}

bool sonic_row_key(const char *key, const char *port, unsigned *first, unsigned *last)
{
	struct sonic_key k;

	if (!sonic_key_cut(key, true, &k) || k.host.n || !names_port(k.ports, port) || k.first > 7)
		return false;
	*first = k.first;
	*last = k.last > 7 ? 7 : k.last;
	return true;
}

/* A port, or one that is gone: "Ethernet0", "Ethernet-BP0" (backplane). "Ethernet*" and "Ethernet0-4" are none. */
static bool is_port_name(struct span name)
{
	uint64_t n;

	if (!span_skip(&name, "Ethernet"))
		return false;
	if (span_skip(&name, "-"))
		while (name.n && isalpha((unsigned char)*name.p))
			name.p++, name.n--;
	return span_u64(name, &n);
}

static bool are_port_names(struct span list)
{
	struct span one;

	while (span_cut(list, ',', &one, &list))
		if (!is_port_name(one))
			return false;
	return is_port_name(list);
}

enum sonic_membership sonic_channel_of(const json_t *db, const char *port, char channel[SONIC_CHANNEL_NAME])
{
	enum sonic_membership is = SONIC_IN_NO_CHANNEL;
	bool is_unread = false;
	const char *key;
	json_t *row;

	*channel = '\0';
	json_object_foreach(json_object_get(db, "PORTCHANNEL_MEMBER"), key, row) {
		struct span name, ports;

		if (!span_cut(span_of(key), '|', &name, &ports) || !name.n || name.n >= SONIC_CHANNEL_NAME || !are_port_names(ports)) {
			is_unread = true;
		} else if (names_port(ports, port) && !span_is(name, channel)) {
			is = is == SONIC_IN_NO_CHANNEL ? SONIC_IN_CHANNEL : SONIC_IN_SEVERAL;
			snprintf(channel, SONIC_CHANNEL_NAME, "%.*s", (int)name.n, name.p);
		}
	}
	if (is == SONIC_IN_SEVERAL)
		*channel = '\0';
	return is == SONIC_IN_NO_CHANNEL && is_unread ? SONIC_MAY_BE_IN_ONE : is;
}

/* "3,4" as a bit set; "" is none. */
bool sonic_priority_set(const char *text, uint64_t *set)
{
	struct span more = span_of(text), part;
	uint64_t bits = 0, n;

	while (more.n > 0) {
		if (!span_cut(more, ',', &part, &more)) {
			part = more;
			more.n = 0;
		}
		if (!span_u64(span_trim(part), &n) || n > 7)
			return false;
		bits |= UINT64_C(1) << n;
	}
	*set = bits;
	return true;
}
