#include "db/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include <zstd.h>

#include "db/brief.h"
#include "db/key.h"
#include "db/snapshot.h"

#define WARM_US		(10 * SECOND)
#define WARM_LEAST_US	(9 * SECOND)	/* what comes each second or two, and has no rate in a keyframe, is old by then */
#define KEY_US		(30 * SECOND)
#define UNPACKED_MAX	(64u << 20)

/* Rows of one table in the order of their samples. */
struct cursor {
	sqlite3_stmt *stmt;
	int64_t sample;		/* of the row it stands on; INT64_MAX: at the end */
	int shift;		/* from its first column to the sample */
};

enum { SAMPLES, HOTS, CHGS, FACTS, CURSORS };

struct replay {
	struct tape tape;
	struct said said;
	enum replay_state state;
	struct buf words;
	char *path, *inventory, *policy, *plan, *fabric;
	bool is_broken;
	int64_t first_us, last_us, key_us;

	struct cursor cursors[CURSORS];
	sqlite3_stmt *tick, *shape, *key, *kept, *way;
	int64_t tick_id, tick_us, next_tick;	/* the tick of the sample stood on, and the id of the one after */
	int64_t due_us;				/* never goes back */
	int64_t done_sample;			/* the last one taken */
	int64_t history_from;			/* sample: what was sought is to have its histories from there */
	bool is_brief;				/* the sample being added up is before what was sought */
	int64_t next_run;			/* first sample of the run after; INT64_MAX: none */
	struct key_frame *frames;		/* given out before anything else */
	size_t n_frames, cap_frames, frame, reply;
	struct place **named;			/* ports to be named before that, in order of appearance */
	size_t n_named, cap_named, next_named;
	size_t next_source;			/* and devices */
	struct obs_key naming;
};

/* Reading blobs */

static bool unpack(struct span packed, struct buf *out)
{
	unsigned long long n = packed.p ? ZSTD_getFrameContentSize(packed.p, packed.n) : ZSTD_CONTENTSIZE_ERROR;
	char *text;
	size_t got;

	if (n > UNPACKED_MAX)	/* unknown and wrong are the largest numbers */
		return false;
	text = xmalloc((size_t)n + 1);
	got = ZSTD_decompress(text, (size_t)n, packed.p, packed.n);
	buf_clear(out);
	if (!ZSTD_isError(got))
		buf_add(out, text, got);
	free(text);
	return !ZSTD_isError(got);
}

/* A large file is not checked before it is shown: damage shows when it is read. */
static bool next_row(struct replay *r, sqlite3_stmt *stmt)
{
	int is = sqlite3_step(stmt) & 0xff;

	r->is_broken |= is == SQLITE_CORRUPT || is == SQLITE_NOTADB || is == SQLITE_IOERR;
	return is == SQLITE_ROW;
}

static bool find(struct replay *r, sqlite3_stmt *stmt, int64_t id)
{
	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	return next_row(r, stmt);
}

static bool load_shape(void *ctx, int64_t id, struct asker *a)
{
	struct replay *r = ctx;
	bool done = find(r, r->shape, id) && shape_read(&r->said, a->source, tape_blob(r->shape, 0), &a->shape) &&
		    asker_settle(&r->said, a);

	sqlite3_reset(r->shape);
	a->shape.id = done ? id : 0;
	return done;
}

static void read_cites(struct asker *a, struct span body)
{
	uint64_t cite;

	free(a->cites);
	a->cites = xmalloc((body.n + 1) * sizeof(*a->cites));
	for (a->n_cites = 0; take_varint(&body, &cite); a->n_cites++)
		a->cites[a->n_cites] = cite == 0 || cite > UINT32_MAX ? CITE_NONE : (uint32_t)(cite - 1);
}

/* The text of the asker's last reply, when it was kept. */
static struct span text_of(struct replay *r, struct asker *a)
{
	if (!a->kept)
		return (struct span){ 0 };
	if (a->raw_sample != a->kept) {
		bool done = find(r, r->kept, a->kept) && unpack(tape_blob(r->kept, 0), &a->raw);

		a->n_cites = 0;
		if (done)
			read_cites(a, tape_blob(r->kept, 1));
		sqlite3_reset(r->kept);
		a->raw_sample = done ? a->kept : 0;
	}
	return a->raw_sample == a->kept && a->raw.text ? buf_span(&a->raw) : (struct span){ 0 };
}

/* Cursors */

static void step(struct replay *r, struct cursor *c)
{
	c->sample = next_row(r, c->stmt) ? sqlite3_column_int64(c->stmt, 0) >> c->shift : INT64_MAX;
}

static void begin_cursor(struct replay *r, struct cursor *c, int64_t sample)
{
	int64_t first = c->shift && sample > INT64_MAX >> c->shift ? INT64_MAX : (int64_t)((uint64_t)sample << c->shift);

	sqlite3_reset(c->stmt);
	sqlite3_bind_int64(c->stmt, 1, first);
	step(r, c);
}

/* Finds the tick a sample belongs to; samples come in order, so mostly it is the same one. */
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

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t sample_us(const struct replay *r)
{
	return plus(r->tick_us, sqlite3_column_int64(r->cursors[SAMPLES].stmt, 2));
}

/* Stands on the next sample that has a time, and notes when it is due. */
static void stand(struct replay *r)
{
	struct cursor *c = &r->cursors[SAMPLES];

	while (c->sample != INT64_MAX && !find_tick(r, c->sample))
		step(r, c);
	if (c->sample != INT64_MAX && sample_us(r) > r->due_us)
		r->due_us = sample_us(r);
}

static void begin_at(struct replay *r, int64_t sample)
{
	for (int i = 0; i < CURSORS; i++)
		begin_cursor(r, &r->cursors[i], sample);
	r->tick_id = r->next_tick = 0;
	r->due_us = INT64_MIN;
	r->done_sample = sample - 1;
	stand(r);
}

/* Adding up */

static void lose(struct source *source, int64_t sample)
{
	if (source->is_lost)
		return;
	source->is_lost = true;
	source->lost_sample = sample;
}

static bool add_step(struct replay *r, struct asker *a, struct slot *slot, int64_t delta)
{
	if (!slot || !slot->is_set || slot->value.is != VALUE_KNOWN)
		return false;
	slot->value.n += (uint64_t)delta;
	if (r->is_brief)
		brief_touch(a, slot);
	return true;
}

static bool add_hot(struct replay *r, struct asker *a, sqlite3_stmt *row)
{
	uint64_t nth = (uint64_t)sqlite3_column_int64(row, 0) % HOT_PORTS;

	for (unsigned c = 0; c < HOT_COLUMNS; c++)
		if (sqlite3_column_type(row, (int)c + 1) != SQLITE_NULL &&
		    !add_step(r, a, asker_hot(a, nth, c), sqlite3_column_int64(row, (int)c + 1)))
			return false;
	return true;
}

static bool add_chg(struct replay *r, struct asker *a, sqlite3_stmt *row)
{
	const struct place *p = said_place_by_id(&r->said, sqlite3_column_int64(row, 1));
	uint64_t what = (uint64_t)sqlite3_column_int64(row, 2);

	return p && p->source == a->source &&
	       add_step(r, a, slots_find(&a->slots, p->nth, what), sqlite3_column_int64(row, 3));
}

static bool add_fact(struct replay *r, struct asker *a, sqlite3_stmt *row)
{
	struct place *p = said_place_by_id(&r->said, sqlite3_column_int64(row, 1));
	uint64_t what = (uint64_t)sqlite3_column_int64(row, 2);
	int64_t is = sqlite3_column_int64(row, 3), flags = sqlite3_column_int64(row, 6);
	struct slot *slot;
	enum field f;
	unsigned index;
	struct value v = { .is = (uint8_t)is, .n = (uint64_t)sqlite3_column_int64(row, 4), .text = tape_text(row, 5),
			   .is_rounded = flags & 1, .is_unproven = flags & 2, .bits = (uint8_t)(flags >> 2) };

	if (!p || p->source != a->source || is < VALUE_ABSENT || is > VALUE_UNKNOWN)
		return false;
	if (!said_field(&r->said, what, &f, &index))
		return true;	/* a field of another version of the program */
	if (is == VALUE_ABSENT) {
		slot_unset(asker_slot(&r->said, a, p, what));
		return true;
	}
	if (is == VALUE_KNOWN && field_table[f].kind != KIND_TEXT)
		v.text = NULL;	/* the word is there for people */
	slot = asker_slot(&r->said, a, p, what);
	slot_set(slot, &v);
	if (r->is_brief)
		brief_touch(a, slot);
	return true;
}

/* Adds the rows of one sample up; false when one does not fit or some are missing. */
static bool add_rows(struct replay *r, struct asker *a, int64_t sample, int64_t n_rows)
{
	static bool (*const add[CURSORS])(struct replay *r, struct asker *a, sqlite3_stmt *row) = {
		[HOTS] = add_hot, [CHGS] = add_chg, [FACTS] = add_fact,
	};
	int64_t n = 0;
	bool done = true;

	for (int i = HOTS; i < CURSORS; i++) {
		struct cursor *c = &r->cursors[i];

		while (c->sample < sample)
			step(r, c);
		for (; c->sample == sample; step(r, c), n++)
			done = done && add[i](r, a, c->stmt);
	}
	return done && n == n_rows;
}

/* Names and texts are those of what was said, which stays as it is until the next observation. */
static void lend_ports(struct obs *o, const struct shape *shape)
{
	for (size_t i = 0; i < shape->n_ports; i++) {
		*GROW(o->ports, o->n_ports, o->cap_ports) = shape->ports[i]->name;
		o->n_ports++;
	}
}

static bool lend_fact(struct obs *o, const struct asker *a, size_t i, uint32_t cite)
{
	const struct shape_fact *f = &a->shape.facts[i];
	const struct slot *slot = &a->slots.all[f->slot];

	if (!slot->is_set)
		return false;
	*GROW(o->facts, o->n, o->cap) = (struct obs_fact){ .port = f->port, .field = f->field, .index = f->index, .cite = cite,
							    .value = slot->value };
	o->n++;
	return true;
}

static bool fill_obs(struct replay *r, struct asker *a, struct obs *o)
{
	struct span raw = text_of(r, a);
	bool has_cites = raw.p && a->n_cites == a->shape.n;

	o->raw = raw;
	lend_ports(o, &a->shape);
	for (size_t i = 0; i < a->shape.n; i++)
		if (!lend_fact(o, a, i, has_cites ? a->cites[i] : CITE_NONE))
			return false;
	return true;
}

/* Only what brief_tells(); the rest of that reply still stands. */
static bool fill_brief(struct replay *r, const struct asker *a, struct obs *o, int64_t sample)
{
	o->is_delta = true;
	lend_ports(o, &a->shape);
	for (size_t i = 0; i < a->shape.n; i++)
		if (brief_tells(a, i, sample >= r->history_from) && !lend_fact(o, a, i, CITE_NONE))
			return false;
	return true;
}

/* Makes the sample stood on an observation. False: it says nothing that could be relied on. */
static bool read_sample(struct replay *r, const struct variant *v, struct obs *o)
{
	sqlite3_stmt *row = r->cursors[SAMPLES].stmt;
	int64_t sample = r->cursors[SAMPLES].sample, flags = sqlite3_column_int64(row, 5);
	bool has_shape = sqlite3_column_type(row, 6) != SQLITE_NULL, has_news, is_brief;
	struct asker *a = v->asker;

	*o = (struct obs){ .device = a->source->name, .probe = a->probe, .subject = a->subject, .command = v->command,
			   .rank = v->rank, .period_us = v->period_us, .at_us = sample_us(r), .is_partial = flags & SAMPLE_PARTIAL,
			   .facts = o->facts, .cap = o->cap, .ports = o->ports, .cap_ports = o->cap_ports, .arena = o->arena };
	if (sqlite3_column_type(row, 3) != SQLITE_NULL)
		o->device_us = plus(plus(o->at_us, v->clock_us), sqlite3_column_int64(row, 3));
	if (has_shape ? !load_shape(r, sqlite3_column_int64(row, 6), a) : !a->shape.id)
		return false;
	has_news = has_shape || flags & SAMPLE_TEXT_KEPT || (a->kept && !(flags & SAMPLE_SAME_TEXT));
	if (!(flags & SAMPLE_SAME_TEXT))
		a->kept = flags & SAMPLE_TEXT_KEPT ? sample : 0;
	r->is_brief = brief_begin(a, sample);
	if (!add_rows(r, a, sample, sqlite3_column_int64(row, 4)))
		return false;
	is_brief = brief_end(a, o, has_news || !r->is_brief);
	a->had_partial = o->is_partial;
	return is_brief ? fill_brief(r, a, o, sample) : fill_obs(r, a, o);
}

/* Keyframes */

static void drop_frames(struct replay *r)
{
	for (size_t i = 0; i < r->n_frames; i++)
		key_frame_done(&r->frames[i]);
	r->n_frames = r->frame = r->reply = 0;
	r->n_named = r->next_named = r->next_source = 0;
}

static int by_appearance(const void *a, const void *b)
{
	const struct place *p = *(struct place *const *)a, *q = *(struct place *const *)b;

	return p->id < q->id ? -1 : p->id > q->id;
}

/* Reads the newest key of a device in [from, to]; false when there is none that is sound. */
static bool read_key(struct replay *r, struct source *source, int64_t from, int64_t to)
{
	struct buf body = { 0 };
	struct key_frame k;
	bool done;

	sqlite3_reset(r->key);
	sqlite3_bind_int64(r->key, 1, source->id);
	sqlite3_bind_int64(r->key, 2, from);
	sqlite3_bind_int64(r->key, 3, to);
	done = next_row(r, r->key) && unpack(tape_blob(r->key, 1), &body) &&
	       key_read(&r->said, source, buf_span(&body), load_shape, r, &k);
	if (done) {
		source->key_sample = sqlite3_column_int64(r->key, 0);
		source->is_lost = false;
		*GROW(r->frames, r->n_frames, r->cap_frames) = k;
		r->n_frames++;
		for (size_t i = 0; i < k.n_ports; i++) {
			*GROW(r->named, r->n_named, r->cap_named) = k.ports[i];
			r->n_named++;
		}
	}
	sqlite3_reset(r->key);
	buf_done(&body);
	return done;
}

/* Devices and ports are named in the order in which they appeared, because models list them so. */
static void obs_init_again(struct obs *o, const char *device)
{
	obs_clear(o);
	o->device = device;
	o->probe = o->subject = NULL;
}

static bool next_name(struct replay *r, struct obs *o)
{
	struct source *source;
	struct place *p;

	while (r->next_source < r->n_frames) {
		obs_init_again(o, r->frames[r->next_source++].source->name);
		o->key = &r->naming;
		return true;
	}
	if (r->next_named >= r->n_named)
		return false;
	source = r->named[r->next_named]->source;
	obs_init_again(o, source->name);
	for (; r->next_named < r->n_named && (p = r->named[r->next_named])->source == source; r->next_named++)
		obs_port(o, span_of(p->name));
	o->key = &r->naming;
	return true;
}

static bool next_of_keys(struct replay *r, struct obs *o)
{
	if (next_name(r, o))
		return true;
	for (; r->frame < r->n_frames; r->frame++, r->reply = 0) {
		struct key_frame *k = &r->frames[r->frame];
		struct key_reply *reply;

		if (r->reply >= k->n)
			continue;
		reply = &k->replies[r->reply++];
		obs_done(o);
		*o = reply->o;
		reply->o = (struct obs){ 0 };
		o->raw = text_of(r, reply->variant->asker);
		return true;
	}
	drop_frames(r);
	return false;
}

/* Going through */

static void begin_run(struct replay *r, int64_t sample)
{
	char sql[96];

	said_forget(&r->said);
	snprintf(sql, sizeof(sql), "SELECT min(first) FROM run WHERE first > %lld", (long long)sample);
	r->next_run = tape_number(&r->tape, sql, INT64_MAX);
}

static void lose_all(struct replay *r, int64_t sample)
{
	for (size_t i = 0; i < r->said.n_sources; i++)
		lose(r->said.sources[i], sample);
}

static void pass_sample(struct replay *r)
{
	r->done_sample = r->cursors[SAMPLES].sample;
	step(r, &r->cursors[SAMPLES]);
	stand(r);
}

/*
 * Takes the sample stood on; false when nothing is to be given out for it. Of a device with rows missing nothing is
 * given out until its next keyframe: adding to a wrong sum would invent values.
 */
static bool take_sample(struct replay *r, struct obs *o)
{
	int64_t sample = r->cursors[SAMPLES].sample;
	const struct variant *v = said_variant_by_id(&r->said, sqlite3_column_int64(r->cursors[SAMPLES].stmt, 1));
	struct source *source = v ? v->asker->source : NULL;
	bool done;

	if (sample >= r->next_run)
		begin_run(r, sample);
	else if (sample != r->done_sample + 1)
		lose_all(r, r->done_sample + 1);
	r->done_sample = sample - 1;
	if (source && source->is_lost && read_key(r, source, source->lost_sample, sample - 1))
		return false;	/* the key first; then this sample again */
	done = source && !source->is_lost && sample > source->key_sample && read_sample(r, v, o);
	if (source && !done && sample > source->key_sample)
		lose(source, sample);
	if (!source)
		lose_all(r, sample);
	pass_sample(r);
	return done;
}

bool replay_next(struct replay *r, int64_t until_us, struct obs *o)
{
	for (;;) {
		obs_clear(o);
		if (next_of_keys(r, o))
			return true;
		if (r->cursors[SAMPLES].sample == INT64_MAX || r->due_us > until_us)
			return false;
		if (take_sample(r, o))
			return true;
	}
}

int64_t replay_due(const struct replay *r)
{
	if (r->n_frames > 0)
		return r->first_us;
	return r->cursors[SAMPLES].sample == INT64_MAX ? INT64_MAX : r->due_us;
}

/* Seeking */

/* The first sample of the last tick at or before a time; 0: none. */
static int64_t tick_before(const struct replay *r, int64_t at_us)
{
	char sql[120];

	snprintf(sql, sizeof(sql), "SELECT id FROM tick WHERE at_us <= %lld ORDER BY at_us DESC, id DESC LIMIT 1",
		 (long long)at_us);
	return tape_number(&r->tape, sql, 0);
}

static int64_t run_of(const struct replay *r, int64_t sample)
{
	char sql[96];

	snprintf(sql, sizeof(sql), "SELECT max(first) FROM run WHERE first <= %lld", (long long)sample);
	return tape_number(&r->tape, sql, 0);
}

static int64_t ports_before(const struct replay *r, int64_t run)
{
	char sql[96];

	snprintf(sql, sizeof(sql), "SELECT ports FROM run WHERE first = %lld", (long long)run);
	return tape_number(&r->tape, sql, INT64_MAX);
}

/*
 * The keys are of different samples: a port that appeared after its device's key and before another's is in none, and
 * has its place in the order all the same.
 */
static void name_ports(struct replay *r, int64_t run)
{
	int64_t last = 0, before = ports_before(r, run);

	for (size_t i = 0; i < r->n_named; i++)
		last = r->named[i]->id > last ? r->named[i]->id : last;
	for (struct place *p = r->said.places; p; p = p->by_id.next) {
		if (p->id <= before || p->id > last || !p->name)
			continue;
		*GROW(r->named, r->n_named, r->cap_named) = p;
		r->n_named++;
	}
	if (r->n_named)
		qsort(r->named, r->n_named, sizeof(*r->named), by_appearance);
}

/* Loads the keys as of sample; returns where to read on so that nothing of any device is left out. */
static int64_t load_keys(struct replay *r, int64_t run, int64_t sample, int64_t at_us)
{
	int64_t sure = tick_before(r, at_us - 2 * r->key_us - 2 * SECOND);	/* a device without a key since then was silent */
	int64_t from = sample;

	if (sure < run)
		sure = run;
	for (size_t i = 0; i < r->said.n_sources; i++) {
		struct source *source = r->said.sources[i];

		if (!read_key(r, source, run, sample))
			continue;
		if (source->key_sample + 1 < from)
			from = source->key_sample + 1 > sure ? source->key_sample + 1 : sure;
	}
	name_ports(r, run);
	return from;
}

/* Notes the samples from where it stands to what is sought, so that all but the last of each question can be brief. */
static void plan_way(struct replay *r, int64_t from, int64_t at_us)
{
	int64_t due_us = INT64_MIN;

	brief_forget(&r->said);
	sqlite3_reset(r->way);
	sqlite3_bind_int64(r->way, 1, from);
	sqlite3_bind_int64(r->way, 2, at_us);
	while (next_row(r, r->way)) {
		const struct variant *v = said_variant_by_id(&r->said, sqlite3_column_int64(r->way, 1));
		int64_t sample_at_us = plus(sqlite3_column_int64(r->way, 2), sqlite3_column_int64(r->way, 3));

		due_us = sample_at_us > due_us ? sample_at_us : due_us;
		if (due_us > at_us)
			break;
		if (v)
			brief_note(v->asker, sqlite3_column_int64(r->way, 0));
	}
	sqlite3_reset(r->way);
}

static bool mend(struct replay *r, struct err *err);

bool replay_seek(struct replay *r, int64_t at_us, int64_t warm_us, struct err *err)
{
	if (r->is_broken && r->state != REPLAY_SALVAGED && !mend(r, err))
		return false;

	int64_t from_us = at_us - (warm_us <= 0 ? WARM_US : warm_us < WARM_LEAST_US ? WARM_LEAST_US : warm_us);
	int64_t at = tick_before(r, at_us), from, run;

	if (r->first_us > r->last_us)
		return err_set(err, "the recording holds no sample");
	if (from_us < r->first_us)
		from_us = r->first_us;
	drop_frames(r);
	from = tick_before(r, from_us);
	run = run_of(r, at ? at : 1);
	begin_run(r, run);
	from = from > run ? load_keys(r, run, from, from_us) : run;
	begin_at(r, from);
	plan_way(r, from, at_us);
	r->history_from = tick_before(r, from_us - 3 * KEY_FAST_US);
	return true;
}

/* Opening */

static char *meta(const struct replay *r, const char *name)
{
	char *text = NULL;
	sqlite3_stmt *stmt = tape_prepare(&r->tape, "SELECT value FROM meta WHERE name = ?", NULL);

	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW && tape_text(stmt, 0))
		text = xstrdup(tape_text(stmt, 0));
	sqlite3_finalize(stmt);
	return text;
}

static bool prepare(struct replay *r, struct err *err)
{
	static const struct { const char *sql; int shift; } tables[CURSORS] = {
		[SAMPLES] = { "SELECT id, reply, at, clock, rows, flags, shape FROM sample WHERE id >= ? ORDER BY id", 0 },
		[HOTS] = { "SELECT * FROM hot WHERE id >= ? ORDER BY id", 10 },
		[CHGS] = { "SELECT * FROM chg WHERE sample >= ? ORDER BY sample", 0 },
		[FACTS] = { "SELECT * FROM fact WHERE sample >= ? ORDER BY sample", 0 },
	};

	for (int i = 0; i < CURSORS; i++) {
		r->cursors[i] = (struct cursor){ tape_prepare(&r->tape, tables[i].sql, err), INT64_MAX, tables[i].shift };
		if (!r->cursors[i].stmt)
			return false;
	}
	r->tick = tape_prepare(&r->tape, "SELECT id, at_us, (SELECT min(id) FROM tick WHERE id > ?1) FROM tick WHERE id <= ?1"
			       " ORDER BY id DESC LIMIT 1", err);
	r->shape = tape_prepare(&r->tape, "SELECT body FROM shape WHERE id = ?", err);
	r->key = tape_prepare(&r->tape, "SELECT sample, body FROM key WHERE device = ? AND sample BETWEEN ? AND ?"
			      " ORDER BY sample DESC LIMIT 1", err);
	r->kept = tape_prepare(&r->tape, "SELECT raw.body, kept.cites FROM kept JOIN raw ON raw.id = kept.raw"
			       " WHERE kept.sample = ?", err);
	r->way = tape_prepare(&r->tape, "SELECT s.id, s.reply, t.at_us, s.at FROM tick t CROSS JOIN sample s"
			      " ON s.id >= max(t.id, ?1) AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), 9223372036854775807)"
			      " WHERE t.id >= (SELECT max(id) FROM tick WHERE id <= ?1) AND t.at_us <= ?2 ORDER BY t.id, s.id", err);
	return r->tick && r->shape && r->key && r->kept && r->way;
}

/* After the oldest was dropped, a keyframe's time has to pass before every device is known from one that is kept. */
static void find_ends(struct replay *r)
{
	int64_t pruned = tape_number(&r->tape, "SELECT value FROM meta WHERE name = 'pruned'", 0);
	char sql[96];

	r->key_us = tape_number(&r->tape, "SELECT value FROM meta WHERE name = 'key_us'", KEY_US);
	if (r->key_us <= 0 || r->key_us > 3600 * SECOND)
		r->key_us = KEY_US;
	snprintf(sql, sizeof(sql), "SELECT at_us FROM tick WHERE id >= %lld ORDER BY id LIMIT 1", (long long)pruned);
	r->first_us = tape_number(&r->tape, sql, INT64_MAX);
	r->last_us = tape_number(&r->tape, "SELECT max((SELECT at_us FROM tick WHERE tick.id <= s.id ORDER BY id DESC LIMIT 1) + at)"
				 " FROM (SELECT id, at FROM sample ORDER BY id DESC LIMIT 5000) s", INT64_MIN);
	if (pruned && r->first_us < INT64_MAX - 2 * r->key_us)
		r->first_us += 2 * r->key_us;
	if (pruned && r->first_us > r->last_us)
		r->first_us = r->last_us;
}

static void find_state(struct replay *r)
{
	if (r->state == REPLAY_SALVAGED)
		return;
	if (tape_number(&r->tape, "SELECT count(*) FROM run WHERE id = (SELECT max(id) FROM run) AND ended_us IS NULL", 0) == 0)
		return;
	r->state = REPLAY_CUT;
	buf_str(&r->words, "the recording was not closed: its console was ended by force, or still records");
}

static bool open_salvaged(struct replay *r, const char *damage, struct err *err)
{
	struct tape temporary;
	struct buf lost = { 0 };

	if (!tape_open_temporary(&temporary, err))
		return false;
	tape_salvage(&r->tape, &temporary, &lost);
	tape_close(&r->tape);
	r->tape = temporary;
	r->state = REPLAY_SALVAGED;
	buf_clear(&r->words);
	buf_printf(&r->words, "%s is damaged (%.100s); shown is what could be read", r->path, damage);
	if (lost.n)
		buf_printf(&r->words, "; incomplete: %s", lost.text);
	buf_done(&lost);
	return true;
}

static void let_go(struct replay *r)
{
	drop_frames(r);
	for (int i = 0; i < CURSORS; i++)
		sqlite3_finalize(r->cursors[i].stmt);
	sqlite3_finalize(r->tick);
	sqlite3_finalize(r->shape);
	sqlite3_finalize(r->key);
	sqlite3_finalize(r->kept);
	sqlite3_finalize(r->way);
	said_done(&r->said);
	memset(r->cursors, 0, sizeof(r->cursors));
	r->tick = r->shape = r->key = r->kept = r->way = NULL;
}

static bool load(struct replay *r, struct err *err)
{
	said_init(&r->said);
	if (!said_load(&r->said, &r->tape, err) || !prepare(r, err))
		return false;
	find_ends(r);
	find_state(r);
	return true;
}

/* Damage was met: on with what can be salvaged. */
static bool mend(struct replay *r, struct err *err)
{
	let_go(r);
	return open_salvaged(r, sqlite3_errstr(SQLITE_CORRUPT), err) && load(r, err);
}

bool replay_is_broken(const struct replay *r)
{
	return r->is_broken && r->state != REPLAY_SALVAGED;
}

bool replay_copy(const struct replay *r, const char *path, struct err *err)
{
	return snapshot_of(&r->tape, path, err);
}

struct replay *replay_open(const char *path, struct err *err)
{
	struct replay *r = xcalloc(1, sizeof(*r));
	struct err damage;

	r->path = xstrdup(path);
	if (!tape_open_read(&r->tape, path, err) ||
	    (!tape_glance(&r->tape, &damage) && !open_salvaged(r, damage.text, err)) || !load(r, err)) {
		replay_close(r);
		return NULL;
	}
	r->inventory = meta(r, "inventory_text");
	r->policy = meta(r, "policy_text");
	r->plan = meta(r, "plan_text");
	r->fabric = meta(r, "fabric");
	replay_seek(r, r->first_us, 0, NULL);
	return r;
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	let_go(r);
	tape_close(&r->tape);
	free(r->frames);
	free(r->named);
	free(r->path);
	free(r->inventory);
	free(r->policy);
	free(r->plan);
	free(r->fabric);
	buf_done(&r->words);
	free(r);
}

enum replay_state replay_state(const struct replay *r, const char **words)
{
	*words = r->words.n ? r->words.text : NULL;
	return r->state;
}

int64_t replay_first(const struct replay *r)
{
	return r->first_us;
}

int64_t replay_last(const struct replay *r)
{
	return r->last_us;
}

int64_t replay_began(const struct replay *r)
{
	return tape_number(&r->tape, "SELECT min(began_us) FROM run", 0);
}

const char *replay_inventory(const struct replay *r)
{
	return r->inventory;
}

const char *replay_policy(const struct replay *r)
{
	return r->policy;
}

const char *replay_plan(const struct replay *r)
{
	return r->plan;
}

const char *replay_fabric(const struct replay *r)
{
	return r->fabric;
}

static bool put_lane_row(void *ctx, sqlite3_stmt *row)
{
	for (int i = 0; i < LANE_COUNT; i++)
		if (sqlite3_column_type(row, i + 1) != SQLITE_NULL)
			lanes_put(ctx, sqlite3_column_int64(row, 0), (enum lane)i,
				  sqlite3_column_double(row, i + 1) / (double)(LANE_US / SECOND));
	return true;
}

bool replay_lanes(const struct replay *r, struct lanes *l)
{
	/* a view in its place would run what its writer likes */
	if (tape_number(&r->tape, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'lane' AND sql LIKE 'CREATE TABLE%'",
			0) != 1)
		return false;
	return tape_each(&r->tape, "SELECT * FROM lane ORDER BY id", put_lane_row, l, NULL);
}

void replay_findings(struct replay *r, int64_t at_us, void (*each)(void *ctx, const struct replay_finding *f), void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT check_id, place, what, verdict, opened_us FROM finding WHERE verdict IN ('look', 'warn', 'fail')"
		" AND opened_us <= ?1 AND (closed_us IS NULL OR closed_us > ?1) ORDER BY opened_us", NULL);

	sqlite3_bind_int64(stmt, 1, at_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_finding){ tape_text(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2),
						    tape_text(stmt, 3), sqlite3_column_int64(stmt, 4), 0 });
	sqlite3_finalize(stmt);
}

void replay_closed(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_finding *f),
		   void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT check_id, place, what, verdict, opened_us, closed_us FROM finding WHERE verdict IN ('look', 'warn', 'fail')"
		" AND closed_us BETWEEN ?1 AND ?2 ORDER BY closed_us DESC LIMIT 4096", NULL);

	sqlite3_bind_int64(stmt, 1, from_us);
	sqlite3_bind_int64(stmt, 2, to_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_finding){ tape_text(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2), tape_text(stmt, 3),
						    sqlite3_column_int64(stmt, 4), sqlite3_column_int64(stmt, 5) });
	sqlite3_finalize(stmt);
}

void replay_events(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_event *e),
		   void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT at_us, kind, place, text FROM event WHERE at_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT opened_us, verdict, place, check_id || ': ' || what FROM finding WHERE opened_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT closed_us, 'closed', place, check_id || ': ' || what FROM finding WHERE closed_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT began_us, 'recording', '', 'begins' FROM run WHERE began_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT ended_us, 'ended', '', 'the recording' FROM run WHERE ended_us BETWEEN ?1 AND ?2"
		" ORDER BY 1", NULL);

	sqlite3_bind_int64(stmt, 1, from_us);
	sqlite3_bind_int64(stmt, 2, to_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_event){ sqlite3_column_int64(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2),
						  tape_text(stmt, 3) });
	sqlite3_finalize(stmt);
}
