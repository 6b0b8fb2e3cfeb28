#include "db/tape/index.h"

#include <stdlib.h>

static const struct { enum field field; unsigned index; } hot_columns[HOT_COLUMNS] = {
	{ FIELD_RX_TOTAL, 0 }, { FIELD_TX_TOTAL, 0 }, { FIELD_RX_BYTES, 3 }, { FIELD_TX_BYTES, 3 },
	{ FIELD_PFC_RX, 3 },   { FIELD_PFC_TX, 3 },   { FIELD_CNP_SENT, 0 }, { FIELD_CNP_HANDLED, 0 },
};

/* Names */

static const char *keep(struct said *s, const char *text)
{
	return text ? arena_text(&s->names, text, strlen(text)) : NULL;
}

static struct source *add_source(struct said *s, int64_t id, const char *name)
{
	struct source *source = xcalloc(1, sizeof(*source));

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

static struct place *add_place(struct said *s, struct source *source, int64_t id, unsigned nth, const char *name)
{
	struct place *p = xcalloc(1, sizeof(*p));
	const char *key = name ? name : "";

	*p = (struct place){ .id = id, .nth = nth, .name = keep(s, name), .source = source };
	if (id > s->last_place)
		s->last_place = id;
	HASH_ADD(by_id, s->places, id, sizeof(id), p);
	HASH_ADD_KEYPTR(by_name, source->by_name, p->name ? p->name : "", strlen(key), p);
	*GROW(source->places, source->n_places, source->cap_places) = p;
	source->n_places++;
	return p;
}

static struct variant *add_variant(struct said *s, struct asker *a, struct variant v)
{
	struct variant *copy = xmalloc(sizeof(*copy));

	*copy = v;
	copy->asker = a;
	copy->command = keep(s, v.command);
	if (v.id > s->last_variant)
		s->last_variant = v.id;
	HASH_ADD(by_id, s->variants, id, sizeof(copy->id), copy);
	return copy;
}

struct source *said_source(struct said *s, const char *name, bool *is_new)
{
	struct source *source;

	HASH_FIND(by_names, s->by_names, name, strlen(name), source);
	*is_new = !source;
	return source ? source : add_source(s, s->last_source + 1, name);
}

struct place *said_place(struct said *s, struct source *source, const char *name, bool *is_new)
{
	const char *key = name ? name : "";
	struct place *p;

	HASH_FIND(by_name, source->by_name, key, strlen(key), p);
	*is_new = !p;
	return p ? p : add_place(s, source, s->last_place + 1, (unsigned)source->n_places, name);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

struct asker *said_asker(struct said *s, struct source *source, const char *probe, const char *subject)
{
	struct asker *a;

	for (size_t i = 0; i < source->n_askers; i++) {
		a = source->askers[i];
		if (same_text(a->subject, subject) && strcmp(a->probe, probe) == 0)
			return a;
	}
	a = xcalloc(1, sizeof(*a));
	a->source = source;
	a->probe = keep(s, probe);
	a->subject = keep(s, subject);
	*GROW(source->askers, source->n_askers, source->cap_askers) = a;
	source->n_askers++;
	return a;
}

static bool is_variant(const struct variant *v, const char *command, unsigned rank, int64_t period_us)
{
	return v->rank == rank && v->period_us == period_us && same_text(v->command, command);
}

struct variant *said_variant(struct said *s, struct asker *a, const char *command, unsigned rank, int64_t period_us,
			     int64_t clock_us, bool *is_new)
{
	*is_new = !a->variant || !is_variant(a->variant, command, rank, period_us);
	if (*is_new)
		a->variant = add_variant(s, a, (struct variant){ .id = s->last_variant + 1, .command = command, .rank = rank,
								 .period_us = period_us, .clock_us = clock_us });
	return a->variant;
}

struct place *said_place_by_id(struct said *s, int64_t id)
{
	struct place *p = s->found;	/* rows of one port come together */

	if (!p || p->id != id)
		HASH_FIND(by_id, s->places, &id, sizeof(id), p);
	if (p)
		s->found = p;
	return p;
}

struct variant *said_variant_by_id(struct said *s, int64_t id)
{
	struct variant *v;

	HASH_FIND(by_id, s->variants, &id, sizeof(id), v);
	return v;
}

struct source *said_source_by_id(struct said *s, int64_t id)
{
	struct source *source;

	HASH_FIND(by_id, s->by_id, &id, sizeof(id), source);
	return source;
}

/* Fields */

uint64_t said_what(const struct said *s, enum field f, unsigned index)
{
	return (uint64_t)s->file_of[f] << WHAT_INDEX_BITS | index;
}

bool said_field(const struct said *s, uint64_t what, enum field *f, unsigned *index)
{
	uint64_t number = (what & ((1u << WHAT_NTH_BITS) - 1)) >> WHAT_INDEX_BITS;

	if (number >= sizeof(s->field_of) / sizeof(*s->field_of) || s->field_of[number] < 0)
		return false;
	*f = (enum field)s->field_of[number];
	*index = what & ((1u << WHAT_INDEX_BITS) - 1);
	return *index < field_table[*f].width;
}

/* Slots */

void hot_fact(unsigned column, enum field *f, unsigned *index)
{
	*f = hot_columns[column].field;
	*index = hot_columns[column].index;
}

static int hot_column(const struct place *p, enum field f, unsigned index)
{
	for (int i = 0; i < HOT_COLUMNS && p->nth < HOT_PORTS; i++)
		if (hot_columns[i].field == f && hot_columns[i].index == index)
			return i;
	return -1;
}

struct slot *asker_hot(const struct asker *a, size_t nth, unsigned column)
{
	size_t i = nth * HOT_COLUMNS + column;

	return i < a->n_hot && a->hot[i] ? &a->slots.all[a->hot[i] - 1] : NULL;
}

static void note_hot(struct asker *a, const struct slot *slot)
{
	size_t need = ((size_t)slot->place + 1) * HOT_COLUMNS;

	if (need > a->n_hot) {
		a->hot = xrealloc(a->hot, need * sizeof(*a->hot));
		memset(a->hot + a->n_hot, 0, (need - a->n_hot) * sizeof(*a->hot));
		a->n_hot = need;
	}
	a->hot[need - HOT_COLUMNS + (unsigned)slot->hot] = (uint32_t)(slot - a->slots.all) + 1;
}

struct slot *asker_slot(struct said *s, struct asker *a, const struct place *p, uint64_t what)
{
	struct slot *slot = slots_find(&a->slots, p->nth, what);
	enum field field = FIELD_COUNT;
	unsigned index = 0;

	if (slot)
		return slot;
	said_field(s, what, &field, &index);
	slot = slots_add(&a->slots, p->nth, what);
	slot->field = (uint8_t)field;
	slot->hot = (int8_t)(what >> WHAT_NTH_BITS ? -1 : hot_column(p, field, index));
	a->source->slots_made++;
	if (slot->hot >= 0)
		note_hot(a, slot);
	return slot;
}

static void asker_forget(struct asker *a)
{
	slots_clear(&a->slots);
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

bool asker_settle(struct said *s, struct asker *a)
{
	struct shape *shape = &a->shape;

	if (a->source->n_places == 0)
		return false;
	a->mark++;
	slots_reserve(&a->slots, shape->n);
	for (size_t i = 0; i < shape->n; i++) {
		struct shape_fact *f = &shape->facts[i];
		const struct place *p = f->port == OBS_DEVICE ? a->source->places[0] : shape->ports[f->port];
		uint64_t what = said_what(s, (enum field)f->field, f->index);

		struct slot *slot = asker_slot(s, a, p, what);

		for (uint64_t nth = 1; slot->mark == a->mark; nth++)
			slot = asker_slot(s, a, p, what | nth << WHAT_NTH_BITS);
		slot->mark = a->mark;
		slot->fact = (uint32_t)i;
		f->slot = (uint32_t)(slot - a->slots.all);
	}
	return true;
}

/* Shapes */

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

void shape_write(const struct said *s, const struct shape *shape, struct buf *out)
{
	put_varint(out, shape->n_ports);
	for (size_t i = 0; i < shape->n_ports; i++)
		put_varint(out, (uint64_t)shape->ports[i]->id);
	for (size_t i = 0; i < shape->n; i++) {
		const struct shape_fact *f = &shape->facts[i];

		put_varint(out, f->port == OBS_DEVICE ? 0 : f->port + 1u);
		put_varint(out, said_what(s, (enum field)f->field, f->index));
	}
}

static bool read_shape_fact(struct said *s, struct span *body, struct shape *out)
{
	uint64_t port, what;
	enum field f;
	unsigned index;
	struct shape_fact *fact;

	if (!take_varint(body, &port) || !take_varint(body, &what) || port > out->n_ports)
		return false;
	if (!said_field(s, what, &f, &index))
		return true;	/* a field of another version of the program */
	if ((field_table[f].scope == SCOPE_DEVICE) != (port == 0))
		return false;
	fact = GROW(out->facts, out->n, out->cap);
	*fact = (struct shape_fact){ .port = port ? (uint16_t)(port - 1) : OBS_DEVICE, .field = (uint8_t)f,
				     .index = (uint8_t)index };
	out->n++;
	return true;
}

bool shape_read(struct said *s, struct source *source, struct span body, struct shape *out)
{
	uint64_t n, id;

	out->n = out->n_ports = 0;
	s->mark++;
	if (!take_varint(&body, &n) || n >= OBS_DEVICE || n > body.n)
		return false;
	while (n-- > 0) {
		struct place *p = take_varint(&body, &id) ? said_place_by_id(s, (int64_t)id) : NULL;

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

/* The whole */

void said_init(struct said *s)
{
	*s = (struct said){ 0 };
	for (size_t i = 0; i < sizeof(s->field_of) / sizeof(*s->field_of); i++)
		s->field_of[i] = -1;
}

void source_forget(struct source *source)
{
	for (size_t k = 0; k < source->n_askers; k++)
		asker_forget(source->askers[k]);
}

void said_forget(struct said *s)
{
	for (size_t i = 0; i < s->n_sources; i++) {
		source_forget(s->sources[i]);
		s->sources[i]->key_sample = 0;
		s->sources[i]->is_lost = false;
	}
}

static void source_free(struct source *source)
{
	HASH_CLEAR(by_name, source->by_name);
	for (size_t k = 0; k < source->n_askers; k++) {
		struct asker *a = source->askers[k];

		slots_done(&a->slots);
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
	free(source->askers);
	free(source->owners);
	free(source);
}

void said_done(struct said *s)
{
	struct variant *v, *next;

	HASH_ITER(by_id, s->variants, v, next) {
		HASH_DELETE(by_id, s->variants, v);
		free(v);
	}
	HASH_CLEAR(by_id, s->places);
	HASH_CLEAR(by_id, s->by_id);
	HASH_CLEAR(by_names, s->by_names);
	for (size_t i = 0; i < s->n_sources; i++)
		source_free(s->sources[i]);
	free(s->sources);
	arena_done(&s->names);
	*s = (struct said){ 0 };
}

static bool load_field(void *ctx, sqlite3_stmt *row)
{
	struct said *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	const char *name = tape_text(row, 1);
	enum field f;

	if (id <= 0 || id >= (int64_t)(sizeof(s->field_of) / sizeof(*s->field_of)) || !name || !field_find(span_of(name), &f))
		return true;
	if (!same_text(field_table[f].words, tape_text(row, 4)))
		return true;	/* its numbers mean other words: not understood rather than wrong */
	s->field_of[id] = (int)f;
	s->file_of[f] = (int)id;
	return true;
}

/* Rows that do not fit are passed over: what refers to them is then missed, and says so. */
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
	struct said *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	const char *name = tape_text(row, 1);

	if (!name || id <= 0 || said_source_by_id(s, id) || !is_plain(name, 255, 0xff))
		return true;
	add_source(s, id, name);
	return true;
}

static bool load_port(void *ctx, sqlite3_stmt *row)
{
	struct said *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	struct source *source = said_source_by_id(s, sqlite3_column_int64(row, 1));
	unsigned nth = (unsigned)sqlite3_column_int(row, 2);
	const char *name = tape_text(row, 3);

	if (!source || id <= 0 || said_place_by_id(s, id) || nth != source->n_places || !name != (nth == 0) ||
	    (name && !is_plain(name, 63, 0x7e)))	/* as obs_port() takes them */
		return true;
	add_place(s, source, id, nth, name);
	return true;
}

static bool load_reply(void *ctx, sqlite3_stmt *row)
{
	struct said *s = ctx;
	int64_t id = sqlite3_column_int64(row, 0);
	struct source *source = said_source_by_id(s, sqlite3_column_int64(row, 1));
	const char *probe = tape_text(row, 2);
	struct asker *a;

	if (!source || !probe || id <= 0 || said_variant_by_id(s, id))
		return true;
	a = said_asker(s, source, probe, tape_text(row, 3));
	a->variant = add_variant(s, a, (struct variant){ .id = id, .command = tape_text(row, 4),
		.rank = (unsigned)sqlite3_column_int(row, 5), .period_us = sqlite3_column_int64(row, 6),
		.clock_us = sqlite3_column_int64(row, 7) });
	return true;
}

bool said_load(struct said *s, const struct tape *t, struct err *err)
{
	if (!tape_each(t, "SELECT id, name, kind, unit, words FROM field", load_field, s, err) ||
	    !tape_each(t, "SELECT id, name FROM device ORDER BY id", load_device, s, err) ||
	    !tape_each(t, "SELECT id, device, nth, name FROM port ORDER BY id", load_port, s, err))
		return false;
	return tape_each(t, "SELECT id, device, probe, subject, command, rank, period_us, clock_us FROM reply ORDER BY id",
			 load_reply, s, err);
}
