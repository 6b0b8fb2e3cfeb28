/* Passes observations to the writer: keyframes, lanes, samples, and the rows beside them. */
#include "db/record/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/model/fabric_history.h"
#include "db/tape/keyframe.h"

#define KEY_US		(30 * SECOND)
#define TICK_US		(1 * SECOND)
#define KEYS_A_TAKE	2		/* so that no single call writes keyframes for the whole fabric */

/* -- keyframes -- */

static void know_device(struct recorder *r, struct tape_device *source, const struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++)
		names_place(r, source, d->ports[i]->name);
	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *reply = d->replies[i];
		struct obs o = { .probe = reply->probe, .subject = reply->subject, .command = reply->command, .rank = reply->rank,
				 .period_us = reply->period_us, .at_us = reply->at_us, .device_us = reply->device_us };

		names_asker(r, source, &o);
	}
}

static void put_key(struct recorder *r, struct tape_device *source)
{
	const struct device *d = model_find_device(r->model, source->name);

	source->key_sample = r->sample;
	if (!d)
		return;
	know_device(r, source, d);
	buf_clear(&r->body);
	keyframe_write(&r->said, source, d, &r->body);
	row_begin(&r->rows, ROW_KEY);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, source->id);
	row_blob(&r->rows, buf_span(&r->body));
}

static void queue_key(struct recorder *r, struct tape_device *source)
{
	if (source->is_queued)
		return;
	if (r->n_due == r->cap_due) {
		size_t cap = r->cap_due ? r->cap_due * 2 : 64;
		struct tape_device **due = xmalloc(cap * sizeof(struct tape_device *));

		for (size_t i = 0; i < r->n_due; i++)
			due[i] = r->due[(r->due_first + i) % r->cap_due];
		free(r->due);
		r->due = due;
		r->due_first = 0;
		r->cap_due = cap;
	}
	r->due[(r->due_first + r->n_due++) % r->cap_due] = source;
	source->is_queued = true;
	source->unkeyed_us = r->newest_us;
}

/*
 * A device with samples for one keyframe interval gets a keyframe; after two intervals at any cost, because a replay relies
 * on it: a device without a keyframe in that time had no samples.
 */
static void put_due_keys(struct recorder *r)
{
	for (unsigned n = 0; r->n_due > 0; n++) {
		struct tape_device *source = r->due[r->due_first];
		int64_t waited_us = r->newest_us - source->unkeyed_us;

		if (waited_us < r->key_us || (n >= KEYS_A_TAKE && waited_us < 2 * r->key_us - SECOND))
			return;
		r->due_first = (r->due_first + 1) % r->cap_due;
		r->n_due--;
		source->is_queued = false;
		put_key(r, source);
	}
}

/* -- lanes -- */

static void put_lanes(struct recorder *r, int64_t number)
{
	const struct fabric_history *l = model_lanes(r->model);
	bool is_known = false;
	double per_s;

	for (unsigned i = 0; i < LANE_COUNT; i++)
		is_known |= !isnan(fabric_history_bucket(l, (enum lane)i, number));
	if (!is_known)
		return;
	row_begin(&r->rows, ROW_LANE);
	row_int(&r->rows, number);
	for (unsigned i = 0; i < LANE_COUNT; i++) {
		per_s = fabric_history_bucket(l, (enum lane)i, number);
		isnan(per_s) ? row_null(&r->rows) : row_real(&r->rows, round(per_s * (LANE_US / SECOND) * 100) / 100);
	}
}

/* Writes each bucket when it is over, and again after the slowest devices have reported. */
static void put_due_lanes(struct recorder *r)
{
	int64_t number = r->newest_us / LANE_US;

	if (number == r->lane)
		return;
	if (r->lane) {
		put_lanes(r, r->lane);
		put_lanes(r, r->lane - LANE_SETTLED);
	}
	r->lane = number;
}

/* -- taking -- */

static void begin_run(struct recorder *r, int64_t at_us)
{
	tape_index_forget(&r->said);
	while (r->n_due > 0) {
		r->due[r->due_first]->is_queued = false;
		r->due_first = (r->due_first + 1) % r->cap_due;
		r->n_due--;
	}
	r->tick_us = -TICK_US;
	r->is_broken = false;
	r->run++;
	row_begin(&r->rows, ROW_RUN);
	row_int(&r->rows, r->run);
	row_int(&r->rows, r->sample + 1);
	row_int(&r->rows, at_us);
	row_text(&r->rows, "fabcon");
	row_int(&r->rows, r->said.last_place);
}

static void put_tick(struct recorder *r, int64_t at_us)
{
	if (at_us > r->tick_us - TICK_US && at_us < r->tick_us + TICK_US)
		return;
	r->tick_us = at_us;
	row_begin(&r->rows, ROW_TICK);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, at_us);
}

static void put_sample(struct recorder *r, const struct probe_version *v, const struct obs *o, unsigned n_rows,
		       unsigned flags, int64_t shape)
{
	row_begin(&r->rows, ROW_SAMPLE);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, v->id);
	row_int(&r->rows, o->at_us - r->tick_us);
	o->device_us ? row_int(&r->rows, o->device_us - o->at_us - v->clock_us) : row_null(&r->rows);
	row_int(&r->rows, n_rows);
	row_int(&r->rows, flags);
	shape ? row_int(&r->rows, shape) : row_null(&r->rows);
}

static void encode(struct recorder *r, const struct obs *o)
{
	struct tape_device *source = names_source(r, o->device);
	struct probe_stream *a = names_asker(r, source, o);
	bool is_same_shape = shape_is(&a->shape, o);
	int64_t shape = 0;
	unsigned flags = o->is_partial ? SAMPLE_PARTIAL : 0, n_rows = 0;

	r->sample++;
	put_tick(r, o->at_us);
	if (!is_same_shape) {
		shape_fill(r, a, o);
		shape = a->shape.id = shape_number(r, &a->shape);
	}
	/* after a truncated reply the shape may be the same although facts have disappeared */
	if (!o->is_partial && (!is_same_shape || a->had_partial))
		n_rows += rows_absent(r, a);
	a->had_partial = o->is_partial;
	n_rows += rows_facts(r, a, o);
	flags |= rows_raw(r, a, o, is_same_shape);
	put_sample(r, a->version, o, n_rows, flags, shape);
	queue_key(r, source);
	if (source->key_sample == 0)
		put_key(r, source);
	put_due_keys(r);
	put_due_lanes(r);
}

static struct obs apply_to_own(struct recorder *r, const struct obs *o)
{
	struct obs copy = *o;

	copy.facts = xmalloc((o->n + 1) * sizeof(*copy.facts));
	if (o->n)
		memcpy(copy.facts, o->facts, o->n * sizeof(*copy.facts));
	copy.raw = (struct span){ 0 };
	model_apply(r->own, &copy);
	copy.raw = o->raw;
	return copy;
}

static bool put_names(struct recorder *r)
{
	bool done = r->names.n == 0 || writer_put(r->writer, &r->names, r->newest_us);

	if (done)
		buf_clear(&r->names);
	return done;
}

void recorder_take(struct recorder *r, const struct obs *o)
{
	struct obs copy = { .facts = NULL };

	if (o->key || o->is_delta)
		return;		/* from a recording: it is on disk already */
	if (r->own)
		copy = apply_to_own(r, o);
	if (o->at_us > r->newest_us)
		r->newest_us = o->at_us;
	if (r->is_broken && !writer_has_room(r->writer)) {	/* the start of a run is large, and would be dropped, too */
		free(copy.facts);
		r->lost++;
		return;
	}
	if (r->is_broken)
		begin_run(r, o->at_us);
	encode(r, r->own ? &copy : o);
	free(copy.facts);
	if (put_names(r) && writer_put(r->writer, &r->rows, r->newest_us)) {
		buf_clear(&r->rows);
		return;
	}
	r->is_broken = true;
	r->lost++;
	buf_clear(&r->rows);
}

static void put_rows(struct recorder *r, const struct buf *rows)
{
	if (!writer_put(r->writer, rows, r->newest_us))
		r->lost++;
}

void recorder_finding(struct recorder *r, const struct finding *f)
{
	struct buf rows = { 0 };

	row_begin(&rows, f->is_open ? ROW_FINDING_OPENED : ROW_FINDING_CLOSED);
	row_text(&rows, f->check->id);
	row_text(&rows, f->where);
	if (f->is_open) {
		row_text(&rows, verdict_name(f->verdict));
		row_text(&rows, f->what);
		row_text(&rows, f->missing[0] ? f->missing : NULL);
	}
	row_int(&rows, f->is_open ? f->first_us : f->closed_us);
	put_rows(r, &rows);
	buf_done(&rows);
}

void recorder_event(struct recorder *r, int64_t at_us, const char *kind, const char *where, const char *text)
{
	struct buf rows = { 0 };

	rows_event(&rows, at_us, kind, where, text);
	put_rows(r, &rows);
	buf_done(&rows);
}

void recorder_note(struct recorder *r, int64_t at_us, const char *kind, const char *text)
{
	recorder_event(r, at_us, kind, NULL, text);
}

void recorder_command(struct recorder *r, int64_t at_us, const char *device, const char *command, const char *outcome)
{
	struct buf rows = { 0 };

	rows_command(&rows, at_us, device, command, outcome);
	put_rows(r, &rows);
	buf_done(&rows);
}

void recorder_bringup(struct recorder *r, int64_t at_us, const char *kind, const char *body)
{
	struct buf rows = { 0 };

	row_begin(&rows, ROW_BRINGUP);
	row_int(&rows, at_us);
	row_text(&rows, kind);
	row_text(&rows, body);
	put_rows(r, &rows);
	buf_done(&rows);
}

int64_t recorder_acknowledged(const struct recorder *r)
{
	return writer_acknowledged(r->writer);
}

const char *recorder_trouble(const struct recorder *r)
{
	struct recorder *mine = (struct recorder *)r;
	const char *trouble = writer_trouble(mine->writer);

	if (!r->lost)
		return trouble;
	snprintf(mine->trouble, sizeof(mine->trouble), "%s%s%llu observations were not recorded", trouble ? trouble : "",
		 trouble ? "; " : "", (unsigned long long)r->lost);
	return mine->trouble;
}

const char *recorder_words(const struct recorder *r)
{
	return r->words.n ? r->words.text : NULL;
}

/* -- opening -- */

static void put_meta(struct recorder *r, const char *name, const char *value)
{
	if (!value)
		return;
	row_begin(&r->rows, ROW_META);
	row_text(&r->rows, name);
	row_text(&r->rows, value);
}

static bool open_whole(struct tape *t, const char *path, struct buf *words, struct err *err)
{
	struct err damage;

	if (!tape_open(t, path, err))
		return false;
	if (tape_check(t, &damage))
		return true;
	tape_close(t);
	return tape_rescue(path, words, err) && tape_open(t, path, err);
}

/* Numbers are never reused, even if the rows that had them were lost or could not be parsed. */
static void go_on_numbering(struct tape_index *s, const struct tape *t)
{
	s->last_source = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM device UNION ALL SELECT max(device) FROM port"
					" UNION ALL SELECT max(device) FROM reply UNION ALL SELECT max(device) FROM key)", 0);
	s->last_place = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM port UNION ALL SELECT max(port) FROM fact"
				       " UNION ALL SELECT max(ports) FROM run)", 0);
	s->last_version = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM reply UNION ALL SELECT max(reply) FROM sample)",
				      0);
}

static void begin(struct recorder *r, const struct tape *t, const struct recorder_options *options)
{
	char key_us[32];

	snprintf(key_us, sizeof(key_us), "%lld", (long long)r->key_us);
	go_on_numbering(&r->said, t);
	r->run = tape_number(t, "SELECT max(id) FROM run", 0);
	r->shape_id = tape_number(t, "SELECT max(id) FROM shape", 0);
	r->sample = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM sample UNION ALL SELECT max(first) - 1 FROM run"
				   " UNION ALL SELECT max(sample) FROM key UNION ALL SELECT max(id) >> 10 FROM hot)", 0);
	names_fields(r, tape_number(t, "SELECT max(id) FROM field", 0));
	put_meta(r, "key_us", key_us);
	put_meta(r, "fabric", options->fabric);
	put_meta(r, "policy", options->policy);
	put_meta(r, "inventory_text", options->inventory_text);
	put_meta(r, "policy_text", options->policy_text);
	put_meta(r, "plan_text", options->plan_text);
	r->is_broken = true;	/* the first observation begins a run */
}

struct recorder *recorder_open(const char *path, const struct recorder_options *options, struct err *err)
{
	struct recorder *r = xcalloc(1, sizeof(*r));
	struct tape t;

	tape_index_init(&r->said);
	if (!open_whole(&t, path, &r->words, err))
		goto out;
	if (!tape_index_load(&r->said, &t, err)) {
		tape_close(&t);
		goto out;
	}
	r->key_us = options->key_us > 0 ? options->key_us : KEY_US;
	r->own = options->model ? NULL : model_new();
	r->model = options->model ? options->model : r->own;
	begin(r, &t, options);
	r->writer = writer_new(t, &(struct writer_limits){ options->keep_bytes, options->keep_us, options->commit_us });
	put_names(r);
	writer_put(r->writer, &r->rows, INT64_MIN);
	buf_clear(&r->rows);
	return r;
out:
	tape_index_done(&r->said);
	buf_done(&r->words);
	free(r);
	return NULL;
}

void recorder_close(struct recorder *r)
{
	if (!r)
		return;
	for (int64_t i = r->lane - LANE_SETTLED; r->lane && i <= r->lane; i++)
		put_lanes(r, i);
	row_begin(&r->rows, ROW_RUN_ENDED);
	row_int(&r->rows, r->run);
	row_int(&r->rows, r->newest_us);
	writer_put(r->writer, &r->rows, r->newest_us);
	writer_free(r->writer);
	shapes_forget(r);
	tape_index_done(&r->said);
	model_free(r->own);
	free(r->due);
	free(r->hot);
	buf_done(&r->names);
	buf_done(&r->rows);
	buf_done(&r->body);
	buf_done(&r->words);
	free(r);
}
