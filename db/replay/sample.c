/* The samples of a recording: rows of four tables, added up and turned into observations. */
#include <stdlib.h>

#include <zstd.h>

#include "db/replay/internal.h"

#define UNPACKED_MAX	(64u << 20)

/* -- reading blobs -- */

bool sample_unpack(struct span packed, struct buf *out)
{
	unsigned long long n = packed.p ? ZSTD_getFrameContentSize(packed.p, packed.n) : ZSTD_CONTENTSIZE_ERROR;
	char *text;
	size_t got;

	if (n > UNPACKED_MAX)	/* unknown and invalid are the largest numbers */
		return false;
	text = xmalloc((size_t)n + 1);
	got = ZSTD_decompress(text, (size_t)n, packed.p, packed.n);
	buf_clear(out);
	if (!ZSTD_isError(got))
		buf_add(out, text, got);
	free(text);
	return !ZSTD_isError(got);
}

/* A large file is not checked before it is shown: damage is detected when it is read. */
bool replay_row(struct replay *r, sqlite3_stmt *stmt)
{
	int is = sqlite3_step(stmt) & 0xff;

	if (is == SQLITE_NOMEM)
		mem_is_out();	/* not the end of the rows */
	r->is_broken |= is == SQLITE_CORRUPT || is == SQLITE_NOTADB || is == SQLITE_IOERR;
	return is == SQLITE_ROW;
}

static bool find(struct replay *r, sqlite3_stmt *stmt, int64_t id)
{
	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	return replay_row(r, stmt);
}

bool sample_shape(void *ctx, int64_t id, struct probe_stream *a)
{
	struct replay *r = ctx;
	bool done = find(r, r->shape, id) && shape_read(&r->said, a->source, tape_blob(r->shape, 0), &a->shape) &&
		    probe_stream_settle(&r->said, a);

	sqlite3_reset(r->shape);
	a->shape.id = done ? id : 0;
	return done;
}

static void read_cites(struct probe_stream *a, struct span body)
{
	uint64_t cite;

	free(a->cites);
	a->cites = xmalloc((body.n + 1) * sizeof(*a->cites));
	for (a->n_cites = 0; take_varint(&body, &cite); a->n_cites++)
		a->cites[a->n_cites] = cite == 0 || cite > UINT32_MAX ? CITE_NONE : (uint32_t)(cite - 1);
}

/* The text of the stream's last reply, if it was kept. */
struct span sample_text(struct replay *r, struct probe_stream *a)
{
	if (!a->kept)
		return (struct span){ 0 };
	if (a->raw_sample != a->kept) {
		bool done = find(r, r->kept, a->kept) && sample_unpack(tape_blob(r->kept, 0), &a->raw);

		a->n_cites = 0;
		if (done)
			read_cites(a, tape_blob(r->kept, 1));
		sqlite3_reset(r->kept);
		a->raw_sample = done ? a->kept : 0;
	}
	return a->raw_sample == a->kept && a->raw.text ? buf_span(&a->raw) : (struct span){ 0 };
}

/* -- cursors -- */

void cursor_step(struct replay *r, struct cursor *c)
{
	c->sample = replay_row(r, c->stmt) ? sqlite3_column_int64(c->stmt, 0) >> c->shift : INT64_MAX;
}

static void begin_cursor(struct replay *r, struct cursor *c, int64_t sample)
{
	int64_t first = c->shift && sample > INT64_MAX >> c->shift ? INT64_MAX : (int64_t)((uint64_t)sample << c->shift);

	sqlite3_reset(c->stmt);
	sqlite3_bind_int64(c->stmt, 1, first);
	cursor_step(r, c);
}

/* Finds the tick of a sample; samples come in order, so it is mostly the same one. */
static bool find_tick(struct replay *r, int64_t sample)
{
	if (sample >= r->tick_id && sample < r->next_tick)
		return true;
	if (!find(r, r->tick, sample))
		return false;
	r->tick_id = sqlite3_column_int64(r->tick, 0);
	r->tick_us = sqlite3_column_int64(r->tick, 1);
	r->next_tick = sqlite3_column_type(r->tick, 2) == SQLITE_NULL ? INT64_MAX : sqlite3_column_int64(r->tick, 2);
	sqlite3_reset(r->tick);
	return true;
}

int64_t time_plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t sample_us(const struct replay *r)
{
	return time_plus(r->tick_us, sqlite3_column_int64(r->cursors[SAMPLES].stmt, 2));
}

/* Moves to the next sample that has a time, and notes when it is due. */
void replay_stand(struct replay *r)
{
	struct cursor *c = &r->cursors[SAMPLES];

	while (c->sample != INT64_MAX && !find_tick(r, c->sample))
		cursor_step(r, c);
	if (c->sample != INT64_MAX && sample_us(r) > r->due_us)
		r->due_us = sample_us(r);
}

void replay_begin_at(struct replay *r, int64_t sample)
{
	for (int i = 0; i < CURSORS; i++)
		begin_cursor(r, &r->cursors[i], sample);
	r->tick_id = r->next_tick = 0;
	r->due_us = INT64_MIN;
	r->done_sample = sample - 1;
	replay_stand(r);
}

/* -- adding up -- */

void sample_lose(struct tape_device *source, int64_t sample)
{
	if (source->is_lost)
		return;
	source->is_lost = true;
	source->lost_sample = sample;
}

static bool add_step(struct replay *r, struct probe_stream *a, struct last_value *slot, int64_t delta)
{
	if (!slot || !slot->is_set || slot->value.is != VALUE_KNOWN)
		return false;
	slot->value.n += (uint64_t)delta;
	if (r->is_brief)
		replay_skip_touch(a, slot);
	return true;
}

static bool add_hot(struct replay *r, struct probe_stream *a, sqlite3_stmt *row)
{
	uint64_t nth = (uint64_t)sqlite3_column_int64(row, 0) % HOT_PORTS;

	for (unsigned c = 0; c < HOT_COLUMNS; c++)
		if (sqlite3_column_type(row, (int)c + 1) != SQLITE_NULL &&
		    !add_step(r, a, probe_stream_hot(a, nth, c), sqlite3_column_int64(row, (int)c + 1)))
			return false;
	return true;
}

static bool add_chg(struct replay *r, struct probe_stream *a, sqlite3_stmt *row)
{
	const struct tape_port *p = tape_index_port_by_id(&r->said, sqlite3_column_int64(row, 1));
	uint64_t what = (uint64_t)sqlite3_column_int64(row, 2);

	return p && p->source == a->source &&
	       add_step(r, a, last_values_find(&a->slots, p->nth, what), sqlite3_column_int64(row, 3));
}

static bool add_fact(struct replay *r, struct probe_stream *a, sqlite3_stmt *row)
{
	struct tape_port *p = tape_index_port_by_id(&r->said, sqlite3_column_int64(row, 1));
	uint64_t what = (uint64_t)sqlite3_column_int64(row, 2);
	int64_t is = sqlite3_column_int64(row, 3), flags = sqlite3_column_int64(row, 6);
	struct last_value *slot;
	enum field f;
	unsigned index;
	struct value v = { .is = (uint8_t)is, .n = (uint64_t)sqlite3_column_int64(row, 4), .text = tape_text(row, 5),
			   .is_rounded = flags & 1, .is_unproven = flags & 2, .bits = (uint8_t)(flags >> 2) };

	if (!p || p->source != a->source || is < VALUE_ABSENT || is > VALUE_UNKNOWN)
		return false;
	if (!tape_index_field(&r->said, what, &f, &index))
		return true;	/* a field of another version of the program */
	if (is == VALUE_ABSENT) {
		last_value_unset(probe_stream_slot(&r->said, a, p, what));
		return true;
	}
	if (is == VALUE_KNOWN && field_table[f].kind != KIND_TEXT)
		v.text = NULL;	/* the word is for people only */
	slot = probe_stream_slot(&r->said, a, p, what);
	last_value_set(slot, &v);
	if (r->is_brief)
		replay_skip_touch(a, slot);
	return true;
}

/* Adds up the rows of one sample; false when one does not fit or some are missing. */
static bool add_rows(struct replay *r, struct probe_stream *a, int64_t sample, int64_t n_rows)
{
	static bool (*const add[CURSORS])(struct replay *r, struct probe_stream *a, sqlite3_stmt *row) = {
		[HOTS] = add_hot, [CHGS] = add_chg, [FACTS] = add_fact,
	};
	int64_t n = 0;
	bool done = true;

	for (int i = HOTS; i < CURSORS; i++) {
		struct cursor *c = &r->cursors[i];

		while (c->sample < sample)
			cursor_step(r, c);
		for (; c->sample == sample; cursor_step(r, c), n++)
			done = done && add[i](r, a, c->stmt);
	}
	return done && n == n_rows;
}

/* Names and texts are lent from the last values, which stay unchanged until the next observation. */
static void lend_ports(struct obs *o, const struct shape *shape)
{
	for (size_t i = 0; i < shape->n_ports; i++) {
		*GROW(o->ports, o->n_ports, o->cap_ports) = shape->ports[i]->name;
		o->n_ports++;
	}
}

static bool lend_fact(struct obs *o, const struct probe_stream *a, size_t i, uint32_t cite)
{
	const struct shape_fact *f = &a->shape.facts[i];
	const struct last_value *slot = &a->slots.all[f->slot];

	if (!slot->is_set)
		return false;
	*GROW(o->facts, o->n, o->cap) = (struct obs_fact){ .port = f->port, .field = f->field, .index = f->index, .cite = cite,
							    .value = slot->value };
	o->n++;
	return true;
}

static bool fill_obs(struct replay *r, struct probe_stream *a, struct obs *o)
{
	struct span raw = sample_text(r, a);
	bool has_cites = raw.p && a->n_cites == a->shape.n;

	o->raw = raw;
	lend_ports(o, &a->shape);
	for (size_t i = 0; i < a->shape.n; i++)
		if (!lend_fact(o, a, i, has_cites ? a->cites[i] : CITE_NONE))
			return false;
	return true;
}

/* Only the facts that replay_skip_tells(); the rest of that reply is still valid. */
static bool fill_brief(struct replay *r, const struct probe_stream *a, struct obs *o, int64_t sample)
{
	o->is_delta = true;
	lend_ports(o, &a->shape);
	for (size_t i = 0; i < a->shape.n; i++)
		if (replay_skip_tells(a, i, sample >= r->history_from) && !lend_fact(o, a, i, CITE_NONE))
			return false;
	return true;
}

/* Turns the current sample into an observation. False: it has nothing reliable. */
bool sample_read(struct replay *r, const struct probe_version *v, struct obs *o)
{
	sqlite3_stmt *row = r->cursors[SAMPLES].stmt;
	int64_t sample = r->cursors[SAMPLES].sample, flags = sqlite3_column_int64(row, 5);
	bool has_shape = sqlite3_column_type(row, 6) != SQLITE_NULL, has_news, is_brief;
	struct probe_stream *a = v->stream;

	*o = (struct obs){ .device = a->source->name, .probe = a->probe, .subject = a->subject, .command = v->command,
			   .rank = v->rank, .period_us = v->period_us, .at_us = sample_us(r), .is_partial = flags & SAMPLE_PARTIAL,
			   .facts = o->facts, .cap = o->cap, .ports = o->ports, .cap_ports = o->cap_ports, .arena = o->arena };
	if (sqlite3_column_type(row, 3) != SQLITE_NULL)
		o->device_us = time_plus(time_plus(o->at_us, v->clock_us), sqlite3_column_int64(row, 3));
	if (has_shape ? !sample_shape(r, sqlite3_column_int64(row, 6), a) : !a->shape.id)
		return false;
	has_news = has_shape || flags & SAMPLE_TEXT_KEPT || (a->kept && !(flags & SAMPLE_SAME_TEXT));
	if (!(flags & SAMPLE_SAME_TEXT))
		a->kept = flags & SAMPLE_TEXT_KEPT ? sample : 0;
	r->is_brief = replay_skip_begin(a, sample);
	if (!add_rows(r, a, sample, sqlite3_column_int64(row, 4)))
		return false;
	is_brief = replay_skip_end(a, o, has_news || !r->is_brief);
	a->had_partial = o->is_partial;
	return is_brief ? fill_brief(r, a, o, sample) : fill_obs(r, a, o);
}
