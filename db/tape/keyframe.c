#include "db/tape/keyframe.h"

#include <stdlib.h>

#include "core/model/refreshed.h"

#define KEY_FORM	2
#define KEY_FORM_FIRST	1	/* entries without HAS_MOVE and HAS_STOOD */

enum {	/* bits of an entry */
	IS_UNKNOWN = 1, IS_ROUNDED = 2, IS_UNPROVEN = 4, HAS_TEXT = 8, HAS_BITS = 16,
	IS_OTHER = 32, IS_GONE = 64,
	IS_SLOT = 128,			/* only in the reply: the model holds another value */
	HAS_SERIES = 256, HAS_HISTORY = 512, BY_DEVICE = 1024,
	LAST_IS_VALUE = 2048, LAST_IS_NOW = 4096,	/* of the series: equal to the value, sampled with the reply */
	HAS_RATE = 8192, HAS_CITE = 16384, IS_ABSENT = 32768,
	HAS_MOVE = 65536, HAS_STOOD = 131072,	/* of a refreshed counter */
};

/* -- writing -- */

struct keyframe_writer {
	struct tape_index *said;
	struct tape_device *source;
	struct probe_stream **streams;	/* in the order of the blob */
	const struct reply **replies;
	size_t n;
	struct buf *out;
};

static size_t number_of(const struct keyframe_writer *w, const struct reply *r)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->replies[i] == r)
			return i + 1;
	return 0;
}

static void write_reply(struct keyframe_writer *w, const struct reply *r, const struct probe_stream *a)
{
	put_varint(w->out, (uint64_t)a->version->id);
	put_signed(w->out, r->at_us);
	put_signed(w->out, r->device_us ? r->device_us - r->at_us : 0);
	put_varint(w->out, r->device_us != 0);
	put_varint(w->out, r->n_facts);
	put_varint(w->out, (uint64_t)a->shape.id);
	put_varint(w->out, (uint64_t)a->kept);
}

static unsigned value_bits(const struct value *v)
{
	return (v->is == VALUE_UNKNOWN ? IS_UNKNOWN : 0) | (v->is == VALUE_ABSENT ? IS_ABSENT : 0) |
	       (v->is_rounded ? IS_ROUNDED : 0) | (v->is_unproven ? IS_UNPROVEN : 0) | (v->text ? HAS_TEXT : 0) |
	       (v->bits ? HAS_BITS : 0);
}

static void write_value(struct keyframe_writer *w, const struct value *v)
{
	put_varint(w->out, v->n);
	if (v->text)
		put_text(w->out, v->text);
	if (v->bits)
		put_varint(w->out, v->bits);
}

static int64_t clock_of(const struct reply *r, bool by_device)
{
	return by_device ? r->device_us : r->at_us;
}

/*
 * The next sample yields a fast reply's rate again, so the keyframe omits it; until then the rate is unknown. A replay warms
 * up for longer than that. The next sample of a refreshed counter may be far off, so its rate is stored.
 */
static bool keeps_rate(const struct series *s, const struct cell *c)
{
	return s->per_s != 0 && (!c->reply || c->reply->period_us == 0 || c->reply->period_us > KEY_FAST_US || c->reply->refresh_us);
}

static unsigned series_bits(const struct series *s, const struct cell *c)
{
	return HAS_SERIES | (s->history ? HAS_HISTORY : 0) | (s->by_device_clock ? BY_DEVICE : 0) |
	       (s->last == c->value.n ? LAST_IS_VALUE : 0) | (keeps_rate(s, c) ? HAS_RATE : 0) |
	       (c->reply && s->last_us == clock_of(c->reply, s->by_device_clock) ? LAST_IS_NOW : 0) |
	       (c->reply && c->reply->refresh_us ? HAS_STOOD : 0) | (refreshed_last(s) ? HAS_MOVE : 0);
}

static void write_series(struct keyframe_writer *w, const struct series *s, unsigned bits, int64_t at_us)
{
	put_varint(w->out, s->per_s != 0 && !(bits & HAS_RATE) ? RATE_NONE : s->note);
	if (!(bits & LAST_IS_VALUE))
		put_varint(w->out, s->last);
	if (!(bits & LAST_IS_NOW))
		put_signed(w->out, s->last_us);
	if (bits & HAS_HISTORY)
		put_signed(w->out, at_us - s->began_us);
	if (bits & HAS_RATE)
		buf_add(w->out, &s->per_s, sizeof(s->per_s));
	if (bits & HAS_STOOD)
		put_signed(w->out, s->last_us - s->stood_us);
	if (bits & HAS_MOVE) {
		put_signed(w->out, s->last_us - refreshed_last(s)->from_us);
		put_signed(w->out, s->last_us - refreshed_last(s)->to_us);
	}
}

static void write_cell(struct keyframe_writer *w, unsigned port, enum field f, unsigned index, const struct cell *c,
		       const struct series *s, unsigned more)
{
	int64_t at_us = c->reply ? c->reply->at_us : 0;
	size_t reply = number_of(w, c->reply);
	struct probe_stream *a = reply ? w->streams[reply - 1] : NULL;
	bool is_gone = !c->reply || c->generation != c->reply->generation || c->value.is == VALUE_ABSENT;
	unsigned bits = value_bits(&c->value) | (is_gone ? IS_GONE : 0) | (s ? series_bits(s, c) : 0) | more |
			(a && a->kept && c->cite != CITE_NONE ? HAS_CITE : 0);
	struct last_value *slot = a ? last_values_find(&a->slots, port, tape_index_what(w->said, f, index)) : NULL;

	put_varint(w->out, reply);
	put_varint(w->out, port);
	put_varint(w->out, tape_index_what(w->said, f, index));
	put_varint(w->out, bits);
	write_value(w, &c->value);
	put_signed(w->out, at_us - c->since_us);
	if (bits & HAS_CITE)
		put_varint(w->out, c->cite);
	if (s)
		write_series(w, s, bits, at_us);
	if (slot && !is_gone && last_value_holds(slot, &c->value))
		slot->is_keyed = true;
}

static void write_cells(struct keyframe_writer *w, unsigned port, struct cell *const *cells, struct series *const *series)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++) {
			const struct cell *c = &cells[f][i];
			const struct series *s = series && series[f] ? &series[f][i] : NULL;

			if (!c->reply && !c->other)
				continue;
			write_cell(w, port, (enum field)f, i, c, s, 0);
			if (c->other)
				write_cell(w, port, (enum field)f, i, c->other, NULL, IS_OTHER);
		}
	}
}

/* Values that a reply reported but the model did not take: the base for the differences that follow. */
static void write_slots(struct keyframe_writer *w, size_t reply)
{
	struct probe_stream *a = w->streams[reply];

	for (size_t i = 0; i < a->slots.n; i++) {
		const struct last_value *slot = &a->slots.all[i];

		if (!slot->is_set || slot->is_keyed)
			continue;
		put_varint(w->out, reply + 1);
		put_varint(w->out, slot->place);
		put_varint(w->out, slot->what);
		put_varint(w->out, value_bits(&slot->value) | IS_SLOT);
		write_value(w, &slot->value);
		put_signed(w->out, 0);
	}
}

static unsigned nth_of(struct keyframe_writer *w, const char *port)
{
	bool is_new;

	return tape_index_port(w->said, w->source, port, &is_new)->nth;
}

static void forget_keyed(struct probe_stream *a)
{
	for (size_t i = 0; i < a->slots.n; i++)
		a->slots.all[i].is_keyed = false;
}

void keyframe_write(struct tape_index *s, struct tape_device *source, const struct device *d, struct buf *out)
{
	struct keyframe_writer w = { .said = s, .source = source, .n = d->n_replies, .out = out };

	w.streams = xcalloc(w.n + 1, sizeof(*w.streams));
	w.replies = xcalloc(w.n + 1, sizeof(*w.replies));
	put_varint(out, KEY_FORM);
	put_signed(out, d->heard_us);
	put_varint(out, d->n_ports);
	for (size_t i = 0; i < d->n_ports; i++)
		put_varint(out, nth_of(&w, d->ports[i]->name));
	put_varint(out, w.n);
	for (size_t i = 0; i < w.n; i++) {
		w.replies[i] = d->replies[i];
		w.streams[i] = tape_index_stream(s, source, d->replies[i]->probe, d->replies[i]->subject);
		forget_keyed(w.streams[i]);
		write_reply(&w, w.replies[i], w.streams[i]);
	}
	write_cells(&w, 0, d->cells, NULL);
	for (size_t i = 0; i < d->n_ports; i++)
		write_cells(&w, nth_of(&w, d->ports[i]->name), d->ports[i]->cells, d->ports[i]->series);
	for (size_t i = 0; i < w.n; i++)
		write_slots(&w, i);
	free(w.streams);
	free(w.replies);
}

/* -- reading -- */

static bool read_value(struct span *body, unsigned bits, struct arena *arena, struct value *v)
{
	struct span text = { 0 };
	uint64_t width = 0;

	*v = (struct value){ .is = bits & IS_UNKNOWN ? VALUE_UNKNOWN : bits & IS_ABSENT ? VALUE_ABSENT : VALUE_KNOWN,
			     .is_rounded = bits & IS_ROUNDED, .is_unproven = bits & IS_UNPROVEN };
	if (!take_varint(body, &v->n) || ((bits & HAS_TEXT) && (!take_text(body, &text) || !text.p)) ||
	    ((bits & HAS_BITS) && !take_varint(body, &width)))
		return false;
	v->bits = (uint8_t)width;
	if (bits & HAS_TEXT)
		v->text = arena_text(arena, text.p, text.n);
	return true;
}

static bool read_rate(struct span *body, struct obs_was *was)
{
	if (body->n < sizeof(was->per_s))
		return false;
	memcpy(&was->per_s, body->p, sizeof(was->per_s));
	body->p += sizeof(was->per_s);
	body->n -= sizeof(was->per_s);
	return true;
}

#define LONGEST_US	(INT64_C(1) << 50)	/* 35 years */

/* A time stored as its distance before the last sample. */
static bool take_before(struct span *body, int64_t last_us, int64_t *at_us)
{
	int64_t ago_us;

	if (!take_signed(body, &ago_us) || ago_us < 0 || ago_us > LONGEST_US)
		return false;
	*at_us = (int64_t)((uint64_t)last_us - (uint64_t)ago_us);
	return true;
}

static bool read_moves(struct span *body, unsigned bits, struct obs_was *was)
{
	was->stood_us = was->last_us;
	return (!(bits & HAS_STOOD) || take_before(body, was->last_us, &was->stood_us)) &&
	       (!(bits & HAS_MOVE) || (take_before(body, was->last_us, &was->move_from_us) &&
				       take_before(body, was->last_us, &was->move_to_us)));
}

static bool read_series(struct span *body, unsigned bits, const struct value *v, const struct obs *o, struct obs_was *was)
{
	uint64_t note;
	int64_t began = 0;

	was->has_series = true;
	was->has_history = bits & HAS_HISTORY;
	was->by_device_clock = bits & BY_DEVICE;
	was->last = v->n;
	was->last_us = was->by_device_clock ? o->device_us : o->at_us;
	if (!take_varint(body, &note) || note > RATE_JUMPED || (!(bits & LAST_IS_VALUE) && !take_varint(body, &was->last)) ||
	    (!(bits & LAST_IS_NOW) && !take_signed(body, &was->last_us)) ||
	    ((bits & HAS_HISTORY) && !take_signed(body, &began)))
		return false;
	was->note = (uint8_t)note;
	was->began_us = bits & HAS_HISTORY ? (int64_t)((uint64_t)o->at_us - (uint64_t)began) : 0;
	return (!(bits & HAS_RATE) || read_rate(body, was)) && read_moves(body, bits, was);
}

static bool add_fact(struct keyframe_reply *r, const struct tape_port *p, enum field f, unsigned index, uint32_t cite,
		     struct value v, struct obs_was was)
{
	uint16_t port = p->name ? obs_port(&r->o, span_of(p->name)) : OBS_DEVICE;
	size_t n = r->o.n;

	r->o.cite = cite;
	obs_add(&r->o, port, f, index, v);
	if (r->o.n == n)
		return false;
	*GROW(r->was, n, r->cap_was) = was;
	return true;
}

static void set_slot(struct last_value *slot, const struct value *v, bool has_moved)
{
	last_value_set(slot, v);
	slot->has_moved = has_moved;
}

static bool read_entry(struct tape_index *s, struct tape_device *source, struct span *body, struct keyframe *k)
{
	uint64_t reply, nth, what, bits, cite = CITE_NONE;
	int64_t since;
	struct obs_was was = { 0 };
	struct keyframe_reply *r;
	struct value v;
	enum field f;
	unsigned index;
	bool is_known;

	if (!take_varint(body, &reply) || !take_varint(body, &nth) || !take_varint(body, &what) || !take_varint(body, &bits) ||
	    reply > k->n || (k->n == 0) || nth >= source->n_places)
		return false;
	r = &k->replies[reply ? reply - 1 : 0];
	if (!read_value(body, (unsigned)bits, &r->o.arena, &v) || !take_signed(body, &since) ||
	    ((bits & HAS_CITE) && !take_varint(body, &cite)) ||
	    ((bits & HAS_SERIES) && !read_series(body, (unsigned)bits, &v, &r->o, &was)))
		return false;
	is_known = tape_index_field(s, what, &f, &index);
	if (bits & IS_SLOT || (reply && !(bits & IS_GONE)))
		set_slot(probe_stream_slot(s, r->version->stream, source->places[nth], what), &v, bits & HAS_HISTORY);
	if (bits & IS_SLOT || !is_known || !reply)
		return true;
	was.is_other = bits & IS_OTHER;
	was.is_gone = bits & IS_GONE;
	was.since_us = (int64_t)((uint64_t)r->o.at_us - (uint64_t)since);
	return add_fact(r, source->places[nth], f, index, (uint32_t)cite, v, was);
}

static bool read_reply(struct tape_index *s, struct tape_device *source, struct span *body,
		       bool (*shape_of)(void *ctx, int64_t id, struct probe_stream *a), void *ctx, struct keyframe *k)
{
	uint64_t id, has_clock, n_facts, shape, kept;
	int64_t at_us, clock;
	struct probe_version *v;
	struct keyframe_reply *r;

	if (!take_varint(body, &id) || !take_signed(body, &at_us) || !take_signed(body, &clock) ||
	    !take_varint(body, &has_clock) || !take_varint(body, &n_facts) || !take_varint(body, &shape) ||
	    !take_varint(body, &kept))
		return false;
	v = tape_index_version_by_id(s, (int64_t)id);
	if (!v || v->stream->source != source || (shape && !shape_of(ctx, (int64_t)shape, v->stream)))
		return false;
	v->stream->kept = (int64_t)kept;
	r = GROW(k->replies, k->n, k->cap);
	k->n++;
	r->version = v;
	obs_init(&r->o, source->name, v->stream->probe);
	r->o.subject = v->stream->subject;
	r->o.command = v->command;
	r->o.rank = v->rank;
	r->o.period_us = v->period_us;
	r->o.at_us = at_us;
	r->o.device_us = has_clock ? (int64_t)((uint64_t)at_us + (uint64_t)clock) : 0;
	r->key.n_facts = (size_t)n_facts;
	if (at_us > k->newest_us)
		k->newest_us = at_us;
	return true;
}

static bool read_ports(struct tape_device *source, struct span *body, struct keyframe *k)
{
	uint64_t n, nth;

	if (!take_varint(body, &n) || n > body->n)
		return false;
	while (n-- > 0) {
		if (!take_varint(body, &nth) || nth == 0 || nth >= source->n_places)
			return false;
		*GROW(k->ports, k->n_ports, k->cap_ports) = source->places[nth];
		k->n_ports++;
	}
	return true;
}

static bool read_frame(struct tape_index *s, struct tape_device *source, struct span body,
		       bool (*shape_of)(void *ctx, int64_t id, struct probe_stream *a), void *ctx, struct keyframe *k)
{
	uint64_t form, n;

	if (!take_varint(&body, &form) || form < KEY_FORM_FIRST || form > KEY_FORM || !take_signed(&body, &k->heard_us) ||
	    !read_ports(source, &body, k) || !take_varint(&body, &n) || n > body.n)
		return false;
	while (n-- > 0)
		if (!read_reply(s, source, &body, shape_of, ctx, k))
			return false;
	while (body.n > 0)
		if (!read_entry(s, source, &body, k))
			return false;
	for (size_t i = 0; i < k->n; i++) {
		k->replies[i].key.was = k->replies[i].was;
		k->replies[i].key.heard_us = k->heard_us;
		k->replies[i].o.key = &k->replies[i].key;
	}
	return true;
}

bool keyframe_read(struct tape_index *s, struct tape_device *source, struct span body,
		   bool (*shape_of)(void *ctx, int64_t id, struct probe_stream *a), void *ctx, struct keyframe *out)
{
	*out = (struct keyframe){ .source = source };
	tape_device_forget(source);
	if (read_frame(s, source, body, shape_of, ctx, out))
		return true;
	tape_device_forget(source);
	keyframe_done(out);
	return false;
}

void keyframe_done(struct keyframe *k)
{
	for (size_t i = 0; i < k->n; i++) {
		obs_done(&k->replies[i].o);
		free(k->replies[i].was);
	}
	free(k->replies);
	free(k->ports);
	*k = (struct keyframe){ 0 };
}
