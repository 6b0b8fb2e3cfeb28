/* Steps through a recording and seeks in it: keyframes first, then sample by sample. */
#include "db/replay/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define WARM_US		(10 * SECOND)
#define WARM_LEAST_US	(9 * SECOND)	/* values polled every second or two, without a rate in a keyframe, are old by then */

/* -- keyframes -- */

void replay_drop_frames(struct replay *r)
{
	for (size_t i = 0; i < r->n_frames; i++)
		keyframe_done(&r->frames[i]);
	r->n_frames = r->frame = r->reply = 0;
	r->n_named = r->next_named = r->next_source = 0;
}

static int by_appearance(const void *a, const void *b)
{
	const struct tape_port *p = *(struct tape_port *const *)a, *q = *(struct tape_port *const *)b;

	return p->id < q->id ? -1 : p->id > q->id;
}

/* Reads the newest keyframe of a device in [from, to]; false when none is valid. */
static bool read_key(struct replay *r, struct tape_device *source, int64_t from, int64_t to)
{
	struct buf body = { 0 };
	struct keyframe k;
	bool done;

	sqlite3_reset(r->key);
	sqlite3_bind_int64(r->key, 1, source->id);
	sqlite3_bind_int64(r->key, 2, from);
	sqlite3_bind_int64(r->key, 3, to);
	done = replay_row(r, r->key) && sample_unpack(tape_blob(r->key, 1), &body) &&
	       keyframe_read(&r->said, source, buf_span(&body), sample_shape, r, &k);
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

/* Devices and ports are named in order of appearance, because models list them in that order. */
static void obs_init_again(struct obs *o, const char *device)
{
	obs_clear(o);
	o->device = device;
	o->probe = o->subject = NULL;
}

static bool next_name(struct replay *r, struct obs *o)
{
	struct tape_device *source;
	struct tape_port *p;

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
		struct keyframe *k = &r->frames[r->frame];
		struct keyframe_reply *reply;

		if (r->reply >= k->n)
			continue;
		reply = &k->replies[r->reply++];
		obs_done(o);
		*o = reply->o;
		reply->o = (struct obs){ 0 };
		o->raw = sample_text(r, reply->version->stream);
		return true;
	}
	replay_drop_frames(r);
	return false;
}

/* -- stepping -- */

static void begin_run(struct replay *r, int64_t sample)
{
	char sql[96];

	tape_index_forget(&r->said);
	snprintf(sql, sizeof(sql), "SELECT min(first) FROM run WHERE first > %lld", (long long)sample);
	r->next_run = tape_number(&r->tape, sql, INT64_MAX);
}

static void lose_all(struct replay *r, int64_t sample)
{
	for (size_t i = 0; i < r->said.n_sources; i++)
		sample_lose(r->said.sources[i], sample);
}

static void pass_sample(struct replay *r)
{
	r->done_sample = r->cursors[SAMPLES].sample;
	cursor_step(r, &r->cursors[SAMPLES]);
	replay_stand(r);
}

/*
 * Takes the current sample; false when it yields nothing. A device with missing rows yields nothing until its next
 * keyframe: adding to a wrong sum would invent values.
 */
static bool take_sample(struct replay *r, struct obs *o)
{
	int64_t sample = r->cursors[SAMPLES].sample;
	const struct probe_version *v =
		tape_index_version_by_id(&r->said, sqlite3_column_int64(r->cursors[SAMPLES].stmt, 1));
	struct tape_device *source = v ? v->stream->source : NULL;
	bool done;

	if (sample >= r->next_run)
		begin_run(r, sample);
	else if (sample != r->done_sample + 1)
		lose_all(r, r->done_sample + 1);
	r->done_sample = sample - 1;
	if (source && source->is_lost && read_key(r, source, source->lost_sample, sample - 1))
		return false;	/* the keyframe first; then this sample again */
	done = source && !source->is_lost && sample > source->key_sample && sample_read(r, v, o);
	if (source && !done && sample > source->key_sample)
		sample_lose(source, sample);
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

/* -- seeking -- */

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
 * The keyframes are of different samples: a port that appeared after its device's keyframe and before another's is in none,
 * but still has its place in the order.
 */
static void name_ports(struct replay *r, int64_t run)
{
	int64_t last = 0, before = ports_before(r, run);

	for (size_t i = 0; i < r->n_named; i++)
		last = r->named[i]->id > last ? r->named[i]->id : last;
	for (struct tape_port *p = r->said.places; p; p = p->by_id.next) {
		if (p->id <= before || p->id > last || !p->name)
			continue;
		*GROW(r->named, r->n_named, r->cap_named) = p;
		r->n_named++;
	}
	if (r->n_named)
		qsort(r->named, r->n_named, sizeof(*r->named), by_appearance);
}

/* Loads the keyframes as of sample; returns where to continue reading so that no device misses a sample. */
static int64_t load_keys(struct replay *r, int64_t run, int64_t sample, int64_t at_us)
{
	int64_t sure = tick_before(r, at_us - 2 * r->key_us - 2 * SECOND);	/* a device without a keyframe since then was silent */
	int64_t from = sample;

	if (sure < run)
		sure = run;
	for (size_t i = 0; i < r->said.n_sources; i++) {
		struct tape_device *source = r->said.sources[i];

		if (!read_key(r, source, run, sample))
			continue;
		if (source->key_sample + 1 < from)
			from = source->key_sample + 1 > sure ? source->key_sample + 1 : sure;
	}
	name_ports(r, run);
	return from;
}

/* Notes the samples from here to the time sought, so that all but the last of each probe can be brief. */
static void plan_way(struct replay *r, int64_t from, int64_t at_us)
{
	int64_t due_us = INT64_MIN;

	replay_skip_forget(&r->said);
	sqlite3_reset(r->way);
	sqlite3_bind_int64(r->way, 1, from);
	sqlite3_bind_int64(r->way, 2, at_us);
	while (replay_row(r, r->way)) {
		const struct probe_version *v = tape_index_version_by_id(&r->said, sqlite3_column_int64(r->way, 1));
		int64_t sample_at_us = time_plus(sqlite3_column_int64(r->way, 2), sqlite3_column_int64(r->way, 3));

		due_us = sample_at_us > due_us ? sample_at_us : due_us;
		if (due_us > at_us)
			break;
		if (v)
			replay_skip_note(v->stream, sqlite3_column_int64(r->way, 0));
	}
	sqlite3_reset(r->way);
}

bool replay_seek(struct replay *r, int64_t at_us, int64_t warm_us, struct err *err)
{
	if (r->is_broken && r->state != REPLAY_SALVAGED && !replay_mend(r, err))
		return false;

	int64_t from_us = at_us - (warm_us <= 0 ? WARM_US : warm_us < WARM_LEAST_US ? WARM_LEAST_US : warm_us);
	int64_t at = tick_before(r, at_us), from, run;

	if (r->first_us > r->last_us)
		return err_set(err, "the recording holds no sample");
	if (from_us < r->first_us)
		from_us = r->first_us;
	replay_drop_frames(r);
	from = tick_before(r, from_us);
	run = run_of(r, at ? at : 1);
	begin_run(r, run);
	from = from > run ? load_keys(r, run, from, from_us) : run;
	replay_begin_at(r, from);
	plan_way(r, from, at_us);
	r->history_from = tick_before(r, from_us - 3 * KEY_FAST_US);
	return true;
}
