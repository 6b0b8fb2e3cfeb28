#include "db/recorder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>
#include <uthash.h>

#include "core/lanes.h"
#include "db/key.h"
#include "db/said.h"
#include "db/writer.h"

#define KEY_US		(30 * SECOND)
#define TICK_US		(1 * SECOND)
#define LIVE_RAW_US	(300 * SECOND)	/* the text of a reply that comes each second is kept this often */
#define LIVE_PERIOD_US	(5 * SECOND)
#define RAW_MAX		(1u << 20)
#define SHAPES_MAX	8192		/* remembered; past that a shape may be written again */
#define KEYS_A_TAKE	2		/* so that no single call pays for the whole fabric */

struct shape_name {
	UT_hash_handle hh;
	int64_t id;
	size_t n;
	char body[];
};

struct recorder {
	struct writer *writer;
	struct said said;
	const struct model *model;
	struct model *own;		/* NULL when a model was lent */
	int64_t key_us;
	int64_t run, sample, shape_id;
	int64_t tick_us, newest_us;
	int64_t lane;			/* the bucket being counted; 0: none yet */
	struct source **due;		/* a ring: devices with samples since their key, the longest waiting first */
	size_t due_first, n_due, cap_due;
	struct shape_name *shapes;
	struct buf names;		/* rows that others refer to: never lost, they wait for room */
	struct buf rows;		/* of the observation being taken */
	struct buf body;		/* scratch */
	struct hot_row { int64_t delta[HOT_COLUMNS]; unsigned mask; } *hot;
	size_t cap_hot;
	uint64_t lost;			/* observations that found no room */
	bool is_broken;			/* some were lost: a new run begins with the next that fits */
	char trouble[320];
	struct buf words;
};

/* Names */

static void put_field(struct recorder *r, enum field f, int64_t id)
{
	const struct field_info *info = &field_table[f];

	row_begin(&r->names, ROW_FIELD);
	row_int(&r->names, id);
	row_text(&r->names, info->name);
	row_int(&r->names, info->kind);
	row_text(&r->names, unit_name(info->unit));
	row_text(&r->names, info->words);
}

/* A field the file has no number for, or where its words have changed since, gets the next one. */
static void number_fields(struct recorder *r, int64_t last)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (r->said.file_of[f])
			continue;
		r->said.file_of[f] = (int)++last;
		r->said.field_of[last] = (int)f;
		put_field(r, (enum field)f, last);
	}
}

static struct place *need_place(struct recorder *r, struct source *source, const char *name)
{
	bool is_new;
	struct place *p = said_place(&r->said, source, name, &is_new);

	if (is_new) {
		row_begin(&r->names, ROW_PORT);
		row_int(&r->names, p->id);
		row_int(&r->names, source->id);
		row_int(&r->names, p->nth);
		row_text(&r->names, name);
	}
	return p;
}

static struct source *need_source(struct recorder *r, const char *name)
{
	bool is_new;
	struct source *source = said_source(&r->said, name, &is_new);

	if (is_new) {
		row_begin(&r->names, ROW_DEVICE);
		row_int(&r->names, source->id);
		row_text(&r->names, name);
	}
	if (source->n_places == 0)	/* new, or its ports were lost with a damaged page */
		need_place(r, source, NULL);
	return source;
}

static void put_command(struct buf *rows, int64_t at_us, const char *device, const char *text, const char *outcome)
{
	row_begin(rows, ROW_COMMAND);
	row_int(rows, at_us);
	row_text(rows, device);
	row_text(rows, text);
	row_text(rows, outcome);
}

static void put_reply(struct recorder *r, const struct variant *v, int64_t at_us)
{
	const struct asker *a = v->asker;

	row_begin(&r->names, ROW_REPLY);
	row_int(&r->names, v->id);
	row_int(&r->names, a->source->id);
	row_text(&r->names, a->probe);
	row_text(&r->names, a->subject);
	row_text(&r->names, v->command);
	row_int(&r->names, v->rank);
	row_int(&r->names, v->period_us);
	row_int(&r->names, v->clock_us);
	if (v->command)
		put_command(&r->names, at_us, a->source->name, v->command, "answered");
}

static struct asker *need_asker(struct recorder *r, struct source *source, const struct obs *o)
{
	struct asker *a = said_asker(&r->said, source, o->probe, o->subject);
	const char *command = o->command ? o->command : a->variant ? a->variant->command : NULL;
	int64_t clock_us = o->device_us ? o->device_us - o->at_us : 0;
	bool is_new;
	struct variant *v = said_variant(&r->said, a, command, o->rank, o->period_us, clock_us, &is_new);

	if (is_new)
		put_reply(r, v, o->at_us);
	return a;
}

/* Shapes */

static bool is_shape(const struct shape *shape, const struct obs *o)
{
	if (!shape->id || shape->n != o->n || shape->n_ports != o->n_ports)
		return false;
	for (size_t i = 0; i < o->n_ports; i++)
		if (strcmp(shape->ports[i]->name, o->ports[i]) != 0)
			return false;
	for (size_t i = 0; i < o->n; i++) {
		const struct shape_fact *s = &shape->facts[i];
		const struct obs_fact *f = &o->facts[i];

		if (s->field != f->field || s->index != f->index || s->port != f->port)
			return false;
	}
	return true;
}

static void fill_shape(struct recorder *r, struct asker *a, const struct obs *o)
{
	struct shape *shape = &a->shape;

	shape->n = shape->n_ports = 0;
	if (o->n > shape->cap) {
		shape->cap = o->n;
		shape->facts = xrealloc(shape->facts, shape->cap * sizeof(*shape->facts));
	}
	for (size_t i = 0; i < o->n_ports; i++) {
		*GROW(shape->ports, shape->n_ports, shape->cap_ports) = need_place(r, a->source, o->ports[i]);
		shape->n_ports++;
	}
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];

		shape->facts[shape->n++] = (struct shape_fact){ f->port, f->field, f->index, 0 };
	}
	asker_settle(&r->said, a);
}

static void forget_shapes(struct recorder *r)
{
	struct shape_name *name, *next;

	HASH_ITER(hh, r->shapes, name, next) {
		HASH_DELETE(hh, r->shapes, name);
		free(name);
	}
}

static int64_t number_shape(struct recorder *r, const struct shape *shape)
{
	struct shape_name *name;

	buf_clear(&r->body);
	shape_write(&r->said, shape, &r->body);
	HASH_FIND(hh, r->shapes, r->body.text, r->body.n, name);
	if (name)
		return name->id;
	if (HASH_COUNT(r->shapes) >= SHAPES_MAX)
		forget_shapes(r);
	name = xmalloc(sizeof(*name) + r->body.n);
	name->id = ++r->shape_id;
	name->n = r->body.n;
	memcpy(name->body, r->body.text, r->body.n);
	HASH_ADD_KEYPTR(hh, r->shapes, name->body, name->n, name);
	row_begin(&r->names, ROW_SHAPE);
	row_int(&r->names, name->id);
	row_blob(&r->names, buf_span(&r->body));
	return name->id;
}

/* Facts */

static void put_fact(struct recorder *r, const struct asker *a, const struct slot *slot, const struct value *v)
{
	unsigned flags = v->is_rounded | v->is_unproven << 1 | (unsigned)v->bits << 2;
	struct span word = { 0 };
	char text[64];

	if (slot->field < FIELD_COUNT && field_table[slot->field].kind == KIND_ENUM && v->is == VALUE_KNOWN)
		word = field_word((enum field)slot->field, v->n);
	snprintf(text, sizeof(text), "%.*s", (int)word.n, word.p ? word.p : "");
	row_begin(&r->rows, ROW_FACT);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, a->source->places[slot->place]->id);
	row_int(&r->rows, (int64_t)slot->what);
	row_int(&r->rows, v->is);
	row_int(&r->rows, (int64_t)v->n);
	row_text(&r->rows, word.n ? text : v->text);
	row_int(&r->rows, flags);
}

static void put_event(struct buf *rows, int64_t at_us, const char *kind, const char *place, const char *text)
{
	row_begin(rows, ROW_EVENT);
	row_int(rows, at_us);
	row_text(rows, kind);
	row_text(rows, place);
	row_text(rows, text);
}

static void put_change(struct recorder *r, const struct obs *o, const struct obs_fact *f, const struct slot *slot)
{
	const char *port = f->port == OBS_DEVICE ? NULL : o->ports[f->port];
	struct fact now = { o->device, port, (enum field)f->field, f->index, f->value };
	char *place = port ? xasprintf("%s %s", o->device, port) : xstrdup(o->device);
	bool is_shy = field_table[f->field].flags & FIELD_SHY;

	buf_clear(&r->body);
	fact_print_change(&now, &slot->value, &r->body);
	put_event(&r->rows, o->at_us, is_shy ? "device" : "config", place, r->body.text);
	free(place);
}

static bool is_step(const struct slot *slot, const struct value *v)
{
	const struct value *w = &slot->value;

	return slot->is_set && w->is == VALUE_KNOWN && v->is == VALUE_KNOWN && !v->text && !w->text &&
	       w->is_rounded == v->is_rounded && w->is_unproven == v->is_unproven && w->bits == v->bits &&
	       field_table[slot->field].kind >= KIND_COUNTER;
}

static unsigned put_step(struct recorder *r, const struct asker *a, const struct obs_fact *f, struct slot *slot)
{
	int64_t delta = (int64_t)(f->value.n - slot->value.n);

	slot->value.n = f->value.n;
	if (slot->hot >= 0) {
		r->hot[f->port].delta[slot->hot] = delta;
		r->hot[f->port].mask |= 1u << slot->hot;
		return 0;
	}
	row_begin(&r->rows, ROW_CHG);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, a->source->places[slot->place]->id);
	row_int(&r->rows, (int64_t)slot->what);
	row_int(&r->rows, delta);
	return 1;
}

static unsigned put_difference(struct recorder *r, const struct asker *a, const struct obs *o, const struct obs_fact *f,
			       struct slot *slot)
{
	enum kind kind = field_table[f->field].kind;

	if (slot_holds(slot, &f->value))
		return 0;
	if (is_step(slot, &f->value))
		return put_step(r, a, f, slot);
	if (slot->is_set && f->is_changed && kind < KIND_COUNTER)
		put_change(r, o, f, slot);
	put_fact(r, a, slot, &f->value);
	slot_set(slot, &f->value);
	return 1;
}

static unsigned put_hot(struct recorder *r, const struct shape *shape)
{
	unsigned n = 0;

	for (size_t i = 0; i < shape->n_ports; i++) {
		const struct hot_row *h = &r->hot[i];

		if (!h->mask)
			continue;
		row_begin(&r->rows, ROW_HOT);
		row_int(&r->rows, (int64_t)((uint64_t)r->sample * HOT_PORTS + shape->ports[i]->nth));
		for (unsigned c = 0; c < HOT_COLUMNS; c++)
			h->mask & 1u << c ? row_int(&r->rows, h->delta[c]) : row_null(&r->rows);
		n++;
	}
	return n;
}

/* What a whole reply no longer says. Slots it said carry the mark of its shape. */
static unsigned put_absent(struct recorder *r, struct asker *a)
{
	unsigned n = 0;

	for (size_t i = 0; i < a->slots.n; i++) {
		struct slot *slot = &a->slots.all[i];

		if (!slot->is_set || slot->mark == a->mark)
			continue;
		slot_unset(slot);
		put_fact(r, a, slot, &slot->value);
		n++;
	}
	return n;
}

static unsigned put_facts(struct recorder *r, struct asker *a, const struct obs *o)
{
	unsigned n = 0;

	if (o->n_ports > r->cap_hot) {
		r->cap_hot = o->n_ports;
		r->hot = xrealloc(r->hot, r->cap_hot * sizeof(*r->hot));
	}
	for (size_t i = 0; i < o->n_ports; i++)
		r->hot[i].mask = 0;
	for (size_t i = 0; i < o->n; i++)
		n += put_difference(r, a, o, &o->facts[i], &a->slots.all[a->shape.facts[i].slot]);
	return n + put_hot(r, &a->shape);
}

/* The texts of replies */

static void put_raw(struct recorder *r, struct asker *a, const struct obs *o, const unsigned char *sha)
{
	struct span digest = { (const char *)sha, sizeof(a->sha) };

	row_begin(&r->rows, ROW_RAW);
	row_blob(&r->rows, digest);
	row_int(&r->rows, (int64_t)o->raw.n);
	row_blob(&r->rows, o->raw);
	buf_clear(&r->body);
	for (size_t i = 0; i < o->n; i++)
		put_varint(&r->body, o->facts[i].cite == CITE_NONE ? 0 : o->facts[i].cite + UINT64_C(1));
	row_begin(&r->rows, ROW_KEPT);
	row_int(&r->rows, r->sample);
	row_blob(&r->rows, digest);
	row_blob(&r->rows, buf_span(&r->body));
	memcpy(a->sha, sha, sizeof(a->sha));
	a->kept = r->sample;
	a->kept_at_us = o->at_us;
}

/* Which bits say what became of the text: kept with this sample, the same as before, or not kept. */
static unsigned take_raw(struct recorder *r, struct asker *a, const struct obs *o, bool is_same_shape)
{
	bool is_live = o->period_us > 0 && o->period_us < LIVE_PERIOD_US;
	int64_t since_us = o->at_us - a->kept_at_us;
	unsigned char sha[32];

	if (!o->raw.p || o->raw.n > RAW_MAX || (is_live && since_us >= 0 && since_us < LIVE_RAW_US)) {
		a->kept = 0;
		return 0;
	}
	EVP_Digest(o->raw.p, o->raw.n, sha, NULL, EVP_sha256(), NULL);
	if (a->kept && is_same_shape && memcmp(sha, a->sha, sizeof(sha)) == 0)
		return SAMPLE_SAME_TEXT;
	put_raw(r, a, o, sha);
	return SAMPLE_TEXT_KEPT;
}

/* Keyframes */

static void know_device(struct recorder *r, struct source *source, const struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++)
		need_place(r, source, d->ports[i]->name);
	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *reply = d->replies[i];
		struct obs o = { .probe = reply->probe, .subject = reply->subject, .command = reply->command, .rank = reply->rank,
				 .period_us = reply->period_us, .at_us = reply->at_us, .device_us = reply->device_us };

		need_asker(r, source, &o);
	}
}

static void put_key(struct recorder *r, struct source *source)
{
	const struct device *d = model_find_device(r->model, source->name);

	source->key_sample = r->sample;
	if (!d)
		return;
	know_device(r, source, d);
	buf_clear(&r->body);
	key_write(&r->said, source, d, &r->body);
	row_begin(&r->rows, ROW_KEY);
	row_int(&r->rows, r->sample);
	row_int(&r->rows, source->id);
	row_blob(&r->rows, buf_span(&r->body));
}

static void queue_key(struct recorder *r, struct source *source)
{
	if (source->is_queued)
		return;
	if (r->n_due == r->cap_due) {
		size_t cap = r->cap_due ? r->cap_due * 2 : 64;
		struct source **due = xmalloc(cap * sizeof(struct source *));

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
 * Whoever has had samples for a key's time gets one; at twice that time whatever it costs, because a replay relies on
 * it: a device without a key in that time had no samples.
 */
static void put_due_keys(struct recorder *r)
{
	for (unsigned n = 0; r->n_due > 0; n++) {
		struct source *source = r->due[r->due_first];
		int64_t waited_us = r->newest_us - source->unkeyed_us;

		if (waited_us < r->key_us || (n >= KEYS_A_TAKE && waited_us < 2 * r->key_us - SECOND))
			return;
		r->due_first = (r->due_first + 1) % r->cap_due;
		r->n_due--;
		source->is_queued = false;
		put_key(r, source);
	}
}

/* Lanes */

static void put_lanes(struct recorder *r, int64_t number)
{
	const struct lanes *l = model_lanes(r->model);
	bool is_known = false;
	double per_s;

	for (unsigned i = 0; i < LANE_COUNT; i++)
		is_known |= !isnan(lanes_bucket(l, (enum lane)i, number));
	if (!is_known)
		return;
	row_begin(&r->rows, ROW_LANE);
	row_int(&r->rows, number);
	for (unsigned i = 0; i < LANE_COUNT; i++) {
		per_s = lanes_bucket(l, (enum lane)i, number);
		isnan(per_s) ? row_null(&r->rows) : row_real(&r->rows, round(per_s * (LANE_US / SECOND) * 100) / 100);
	}
}

/* Each bucket when it is over, and once more when the slowest have told of it. */
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

/* Taking */

static void begin_run(struct recorder *r, int64_t at_us)
{
	said_forget(&r->said);
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

static void put_sample(struct recorder *r, const struct variant *v, const struct obs *o, unsigned n_rows, unsigned flags,
		       int64_t shape)
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
	struct source *source = need_source(r, o->device);
	struct asker *a = need_asker(r, source, o);
	bool is_same_shape = is_shape(&a->shape, o);
	int64_t shape = 0;
	unsigned flags = o->is_partial ? SAMPLE_PARTIAL : 0, n_rows = 0;

	r->sample++;
	put_tick(r, o->at_us);
	if (!is_same_shape) {
		fill_shape(r, a, o);
		shape = a->shape.id = number_shape(r, &a->shape);
	}
	/* after a partial one the shape may be the same and things gone all the same */
	if (!o->is_partial && (!is_same_shape || a->had_partial))
		n_rows += put_absent(r, a);
	a->had_partial = o->is_partial;
	n_rows += put_facts(r, a, o);
	flags |= take_raw(r, a, o, is_same_shape);
	put_sample(r, a->variant, o, n_rows, flags, shape);
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
		return;		/* of a recording: it is on disk already */
	if (r->own)
		copy = apply_to_own(r, o);
	if (o->at_us > r->newest_us)
		r->newest_us = o->at_us;
	if (r->is_broken && !writer_has_room(r->writer)) {	/* a run's beginning is large, and would be lost, too */
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

void recorder_note(struct recorder *r, int64_t at_us, const char *kind, const char *text)
{
	struct buf rows = { 0 };

	put_event(&rows, at_us, kind, NULL, text);
	put_rows(r, &rows);
	buf_done(&rows);
}

void recorder_command(struct recorder *r, int64_t at_us, const char *device, const char *command, const char *outcome)
{
	struct buf rows = { 0 };

	put_command(&rows, at_us, device, command, outcome);
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

/* Opening */

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

/* Numbers are not given twice, also where the rows that had them were lost or not understood. */
static void go_on_numbering(struct said *s, const struct tape *t)
{
	s->last_source = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM device UNION ALL SELECT max(device) FROM port"
					" UNION ALL SELECT max(device) FROM reply UNION ALL SELECT max(device) FROM key)", 0);
	s->last_place = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM port UNION ALL SELECT max(port) FROM fact"
				       " UNION ALL SELECT max(ports) FROM run)", 0);
	s->last_variant = tape_number(t, "SELECT max(m) FROM (SELECT max(id) AS m FROM reply UNION ALL SELECT max(reply) FROM sample)",
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
	number_fields(r, tape_number(t, "SELECT max(id) FROM field", 0));
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

	said_init(&r->said);
	if (!open_whole(&t, path, &r->words, err))
		goto out;
	if (!said_load(&r->said, &t, err)) {
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
	said_done(&r->said);
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
	forget_shapes(r);
	said_done(&r->said);
	model_free(r->own);
	free(r->due);
	free(r->hot);
	buf_done(&r->names);
	buf_done(&r->rows);
	buf_done(&r->body);
	buf_done(&r->words);
	free(r);
}
