#include "db/tape/index.h"

#include <stdlib.h>

static const struct { enum field field; unsigned index; } hot_columns[HOT_COLUMNS] = {
	{ FIELD_RX_TOTAL, 0 }, { FIELD_TX_TOTAL, 0 }, { FIELD_RX_BYTES, 3 }, { FIELD_TX_BYTES, 3 },
	{ FIELD_PFC_RX, 3 },   { FIELD_PFC_TX, 3 },   { FIELD_CNP_SENT, 0 }, { FIELD_CNP_HANDLED, 0 },
};

/* -- names -- */

static const char *keep(struct tape_index *s, const char *text)
{
	return text ? arena_text(&s->names, text, strlen(text)) : NULL;
}

static struct tape_device *add_source(struct tape_index *s, int64_t id, const char *name)
{
	struct tape_device *source = xcalloc(1, sizeof(*source));

	source->id = id;
	source->name = keep(s, name);
	if (id > s->last_source)
		s->last_source = id;
	HASH_ADD(by_id, s->by_id, id, sizeof(id), source);
	HASH_ADD_KEYPTR(by_names, s->by_names, source->name, strlen(source->name), source);
	*GROW(s->sources, s->n_sources, s->cap_sources) = source;
	s->n_sources++;
	return source;
}

static struct tape_port *add_place(struct tape_index *s, struct tape_device *source, int64_t id, unsigned nth,
				   const char *name)
{
	struct tape_port *p = xcalloc(1, sizeof(*p));
	const char *key = name ? name : "";

	*p = (struct tape_port){ .id = id, .nth = nth, .name = keep(s, name), .source = source };
	if (id > s->last_place)
		s->last_place = id;
	HASH_ADD(by_id, s->places, id, sizeof(id), p);
	HASH_ADD_KEYPTR(by_name, source->by_name, p->name ? p->name : "", strlen(key), p);
	*GROW(source->places, source->n_places, source->cap_places) = p;
	source->n_places++;
	return p;
}

static struct probe_version *add_variant(struct tape_index *s, struct probe_stream *a, struct probe_version v)
{
	struct probe_version *copy = xmalloc(sizeof(*copy));

	*copy = v;
	copy->stream = a;
	copy->command = keep(s, v.command);
	if (v.id > s->last_version)
		s->last_version = v.id;
	HASH_ADD(by_id, s->versions, id, sizeof(copy->id), copy);
	return copy;
}

struct tape_device *tape_index_device(struct tape_index *s, const char *name, bool *is_new)
{
	struct tape_device *source;

	HASH_FIND(by_names, s->by_names, name, strlen(name), source);
	*is_new = !source;
	return source ? source : add_source(s, s->last_source + 1, name);
}

struct tape_port *tape_index_port(struct tape_index *s, struct tape_device *source, const char *name, bool *is_new)
{
	const char *key = name ? name : "";
	struct tape_port *p;

	HASH_FIND(by_name, source->by_name, key, strlen(key), p);
	*is_new = !p;
	return p ? p : add_place(s, source, s->last_place + 1, (unsigned)source->n_places, name);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

struct probe_stream *tape_index_stream(struct tape_index *s, struct tape_device *source, const char *probe,
				       const char *subject)
{
	struct probe_stream *a;

	for (size_t i = 0; i < source->n_streams; i++) {
		a = source->streams[i];
		if (same_text(a->subject, subject) && strcmp(a->probe, probe) == 0)
			return a;
	}
	a = xcalloc(1, sizeof(*a));
	a->source = source;
	a->probe = keep(s, probe);
	a->subject = keep(s, subject);
	*GROW(source->streams, source->n_streams, source->cap_streams) = a;
	source->n_streams++;
	return a;
}

static bool is_variant(const struct probe_version *v, const char *command, unsigned rank, int64_t period_us)
{
	return v->rank == rank && v->period_us == period_us && same_text(v->command, command);
}

struct probe_version *tape_index_version(struct tape_index *s, struct probe_stream *a, const char *command,
					 unsigned rank, int64_t period_us, int64_t clock_us, bool *is_new)
{
	*is_new = !a->version || !is_variant(a->version, command, rank, period_us);
	if (*is_new)
		a->version = add_variant(s, a,
					 (struct probe_version){.id = s->last_version + 1,
								.command = command,
								.rank = rank,
								.period_us = period_us,
								.clock_us = clock_us});
	return a->version;
}

struct tape_port *tape_index_port_by_id(struct tape_index *s, int64_t id)
{
	struct tape_port *p = s->found;	/* rows of one port are adjacent */

	if (!p || p->id != id)
		HASH_FIND(by_id, s->places, &id, sizeof(id), p);
	if (p)
		s->found = p;
	return p;
}

struct probe_version *tape_index_version_by_id(struct tape_index *s, int64_t id)
{
	struct probe_version *v;

	HASH_FIND(by_id, s->versions, &id, sizeof(id), v);
	return v;
}

static struct tape_device *tape_index_device_by_id(struct tape_index *s, int64_t id)
{
	struct tape_device *source;

	HASH_FIND(by_id, s->by_id, &id, sizeof(id), source);
	return source;
}

/* -- fields -- */

uint64_t tape_index_what(const struct tape_index *s, enum field f, unsigned index)
{
	return (uint64_t)s->file_of[f] << WHAT_INDEX_BITS | index;
}

bool tape_index_field(const struct tape_index *s, uint64_t what, enum field *f, unsigned *index)
{
	uint64_t number = (what & ((1u << WHAT_NTH_BITS) - 1)) >> WHAT_INDEX_BITS;

	if (number >= sizeof(s->field_of) / sizeof(*s->field_of) || s->field_of[number] < 0)
		return false;
	*f = (enum field)s->field_of[number];
	*index = what & ((1u << WHAT_INDEX_BITS) - 1);
	return *index < field_table[*f].width;
}

/* -- slots -- */

static int hot_column(const struct tape_port *p, enum field f, unsigned index)
{
	for (int i = 0; i < HOT_COLUMNS && p->nth < HOT_PORTS; i++)
		if (hot_columns[i].field == f && hot_columns[i].index == index)
			return i;
	return -1;
}

struct last_value *probe_stream_hot(const struct probe_stream *a, size_t nth, unsigned column)
{
	size_t i = nth * HOT_COLUMNS + column;

	return i < a->n_hot && a->hot[i] ? &a->slots.all[a->hot[i] - 1] : NULL;
}

static void note_hot(struct probe_stream *a, const struct last_value *slot)
{
	size_t need = ((size_t)slot->place + 1) * HOT_COLUMNS;

	if (need > a->n_hot) {
		a->hot = xrealloc(a->hot, need * sizeof(*a->hot));
		memset(a->hot + a->n_hot, 0, (need - a->n_hot) * sizeof(*a->hot));
		a->n_hot = need;
	}
	a->hot[need - HOT_COLUMNS + (unsigned)slot->hot] = (uint32_t)(slot - a->slots.all) + 1;
}

struct last_value *probe_stream_slot(struct tape_index *s, struct probe_stream *a, const struct tape_port *p, uint64_t what)
{
	struct last_value *slot = last_values_find(&a->slots, p->nth, what);
	enum field field = FIELD_COUNT;
	unsigned index = 0;

	if (slot)
		return slot;
	tape_index_field(s, what, &field, &index);
	slot = last_values_add(&a->slots, p->nth, what);
	slot->field = (uint8_t)field;
	slot->hot = (int8_t)(what >> WHAT_NTH_BITS ? -1 : hot_column(p, field, index));
	a->source->slots_made++;
	if (slot->hot >= 0)
		note_hot(a, slot);
	return slot;
}

static void asker_forget(struct probe_stream *a)
{
	last_values_clear(&a->slots);
	a->n_hot = 0;
	a->brief.is_known = false;
	a->brief.of_shape = 0;
	a->shape.id = 0;
	a->shape.n = a->shape.n_ports = 0;
	a->kept = 0;
	a->kept_at_us = 0;
	buf_clear(&a->raw);
	a->raw_sample = 0;
	a->n_cites = 0;
}

bool probe_stream_settle(struct tape_index *s, struct probe_stream *a)
{
	struct shape *shape = &a->shape;

	if (a->source->n_places == 0)
		return false;
	a->mark++;
	last_values_reserve(&a->slots, shape->n);
	for (size_t i = 0; i < shape->n; i++) {
		struct shape_fact *f = &shape->facts[i];
		const struct tape_port *p = f->port == OBS_DEVICE ? a->source->places[0] : shape->ports[f->port];
		uint64_t what = tape_index_what(s, (enum field)f->field, f->index);

		struct last_value *slot = probe_stream_slot(s, a, p, what);

		for (uint64_t nth = 1; slot->mark == a->mark; nth++)
			slot = probe_stream_slot(s, a, p, what | nth << WHAT_NTH_BITS);
		slot->mark = a->mark;
		slot->fact = (uint32_t)i;
		f->slot = (uint32_t)(slot - a->slots.all);
	}
	return true;
}

/* -- shapes -- */

void put_varint(struct buf *b, uint64_t n)
{
	unsigned char bytes[10];
	size_t len = 0;

	do {
		bytes[len++] = (unsigned char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
		n >>= 7;
	} while (n);
	buf_add(b, bytes, len);
}

void put_signed(struct buf *b, int64_t n)
{
	put_varint(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

void put_text(struct buf *b, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	put_varint(b, text ? n + 1 : 0);
	buf_add(b, text, n);
}

bool take_varint(struct span *s, uint64_t *n)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && s->n > 0; shift += 7) {
		unsigned char byte = (unsigned char)*s->p++;

		s->n--;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*n = value;
			return true;
		}
	}
	return false;
}

bool take_signed(struct span *s, int64_t *n)
{
	uint64_t value;

	if (!take_varint(s, &value))
		return false;
	*n = (int64_t)(value >> 1 ^ (~(value & 1) + 1));
	return true;
}

bool take_text(struct span *s, struct span *text)
{
	uint64_t n;

	if (!take_varint(s, &n) || (n > 0 && n - 1 > s->n))
		return false;
	*text = (struct span){ n ? s->p : NULL, n ? (size_t)(n - 1) : 0 };
	if (n) {
		s->p += n - 1;
		s->n -= (size_t)(n - 1);
	}
	return true;
}

void shape_write(const struct tape_index *s, const struct shape *shape, struct buf *out)
{
	put_varint(out, shape->n_ports);
	for (size_t i = 0; i < shape->n_ports; i++)
		put_varint(out, (uint64_t)shape->ports[i]->id);
	for (size_t i = 0; i < shape->n; i++) {
		const struct shape_fact *f = &shape->facts[i];

		put_varint(out, f->port == OBS_DEVICE ? 0 : f->port + 1u);
		put_varint(out, tape_index_what(s, (enum field)f->field, f->index));
	}
}

static bool read_shape_fact(struct tape_index *s, struct span *body, struct shape *out)
{
	uint64_t port, what;
	enum field f;
	unsigned index;
	struct shape_fact *fact;

	if (!take_varint(body, &port) || !take_varint(body, &what) || port > out->n_ports)
		return false;
	if (!tape_index_field(s, what, &f, &index))
		return true;	/* a field of another version of fabcon: skipped */
	if ((field_table[f].scope == SCOPE_DEVICE) != (port == 0))
		return false;
	fact = GROW(out->facts, out->n, out->cap);
	*fact = (struct shape_fact){ .port = port ? (uint16_t)(port - 1) : OBS_DEVICE, .field = (uint8_t)f,
				     .index = (uint8_t)index };
	out->n++;
	return true;
}

bool shape_read(struct tape_index *s, struct tape_device *source, struct span body, struct shape *out)
{
	uint64_t n, id;

	out->n = out->n_ports = 0;
	s->mark++;
	if (!take_varint(&body, &n) || n >= OBS_DEVICE || n > body.n)
		return false;
	while (n-- > 0) {
		struct tape_port *p = take_varint(&body, &id) ? tape_index_port_by_id(s, (int64_t)id) : NULL;

		if (!p || !p->name || p->source != source || p->mark == s->mark)
			return false;
		p->mark = s->mark;
		*GROW(out->ports, out->n_ports, out->cap_ports) = p;
		out->n_ports++;
	}
	while (body.n > 0)
		if (!read_shape_fact(s, &body, out))
			return false;
	return true;
}

/* -- the index -- */

void tape_index_init(struct tape_index *s)
{
	*s = (struct tape_index){ 0 };
	for (size_t i = 0; i < sizeof(s->field_of) / sizeof(*s->field_of); i++)
		s->field_of[i] = -1;
}

void tape_device_forget(struct tape_device *source)
{
	for (size_t k = 0; k < source->n_streams; k++)
		asker_forget(source->streams[k]);
}

void tape_index_forget(struct tape_index *s)
{
	for (size_t i = 0; i < s->n_sources; i++) {
		tape_device_forget(s->sources[i]);
		s->sources[i]->key_sample = 0;
		s->sources[i]->is_lost = false;
	}
}

static void source_free(struct tape_device *source)
{
	HASH_CLEAR(by_name, source->by_name);
	for (size_t k = 0; k < source->n_streams; k++) {
		struct probe_stream *a = source->streams[k];

		last_values_done(&a->slots);
		free(a->shape.ports);
		free(a->shape.facts);
		free(a->cites);
		free(a->hot);
		free(a->brief.moved);
		buf_done(&a->raw);
		free(a);
	}
	for (size_t k = 0; k < source->n_places; k++)
		free(source->places[k]);
	free(source->places);
	free(source->streams);
	free(source->owners);
	free(source);
}

void tape_index_done(struct tape_index *s)
{
	struct probe_version *v, *next;

	HASH_ITER(by_id, s->versions, v, next) {
		HASH_DELETE(by_id, s->versions, v);
		free(v);
	}
	HASH_CLEAR(by_id, s->places);
	HASH_CLEAR(by_id, s->by_id);
	HASH_CLEAR(by_names, s->by_names);
	for (size_t i = 0; i < s->n_sources; i++)
		source_free(s->sources[i]);
	free(s->sources);
	arena_done(&s->names);
	*s = (struct tape_index){ 0 };
}

static bool load_field(void *ctx, sqlite3_stmt *row)
{
	struct tape_index *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	const char *name = tape_text(row, 1);
	enum field f;

	if (id <= 0 || id >= (int64_t)(sizeof(s->field_of) / sizeof(*s->field_of)) || !name || !field_find(span_of(name), &f))
		return true;
	if (!same_text(field_table[f].words, tape_text(row, 4)))
		return true;	/* its numbers mean other words: unknown is better than wrong */
	s->field_of[id] = (int)f;
	s->file_of[f] = (int)id;
	return true;
}

/* True for a valid name. Invalid rows are skipped; rows that refer to them are then reported as missing. */
static bool is_plain(const char *name, size_t longest, unsigned char last)
{
	size_t n = strlen(name);

	for (const char *p = name; *p; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p == 0x7f || (unsigned char)*p > last)
			return false;
	return n > 0 && n <= longest;
}

static bool load_device(void *ctx, sqlite3_stmt *row)
{
	struct tape_index *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	const char *name = tape_text(row, 1);

	if (!name || id <= 0 || tape_index_device_by_id(s, id) || !is_plain(name, 255, 0xff))
		return true;
	add_source(s, id, name);
	return true;
}

static bool load_port(void *ctx, sqlite3_stmt *row)
{
	struct tape_index *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	struct tape_device *source = tape_index_device_by_id(s, sqlite3_column_int64(row, 1));
	unsigned nth = (unsigned)sqlite3_column_int(row, 2);
	const char *name = tape_text(row, 3);

	if (!source || id <= 0 || tape_index_port_by_id(s, id) || nth != source->n_places || !name != (nth == 0) ||
	    (name && !is_plain(name, 63, 0x7e)))	/* the same rule as obs_port() */
		return true;
	add_place(s, source, id, nth, name);
	return true;
}

static bool load_reply(void *ctx, sqlite3_stmt *row)
{
	struct tape_index *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	struct tape_device *source = tape_index_device_by_id(s, sqlite3_column_int64(row, 1));
	const char *probe = tape_text(row, 2);
	struct probe_stream *a;

	if (!source || !probe || id <= 0 || tape_index_version_by_id(s, id))
		return true;
	a = tape_index_stream(s, source, probe, tape_text(row, 3));
	a->version = add_variant(s, a, (struct probe_version){ .id = id, .command = tape_text(row, 4),
		.rank = (unsigned)sqlite3_column_int(row, 5), .period_us = sqlite3_column_int64(row, 6),
		.clock_us = sqlite3_column_int64(row, 7) });
	return true;
}

bool tape_index_load(struct tape_index *s, const struct tape *t, struct err *err)
{
	if (!tape_each(t, "SELECT id, name, kind, unit, words FROM field", load_field, s, err) ||
	    !tape_each(t, "SELECT id, name FROM device ORDER BY id", load_device, s, err) ||
	    !tape_each(t, "SELECT id, device, nth, name FROM port ORDER BY id", load_port, s, err))
		return false;
	return tape_each(t, "SELECT id, device, probe, subject, command, rank, period_us, clock_us FROM reply ORDER BY id",
			 load_reply, s, err);
}
