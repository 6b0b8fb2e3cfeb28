/* The rows of one observation: counter differences, facts, disappeared facts, and the text. */
#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "db/record/internal.h"

#define LIVE_RAW_US	(300 * SECOND)	/* the text of a reply polled each second is kept this often */
#define LIVE_PERIOD_US	(5 * SECOND)
#define RAW_MAX		(1u << 20)

/* -- facts -- */

static void put_fact(struct recorder *r, const struct probe_stream *a, const struct last_value *slot, const struct value *v)
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

void rows_event(struct buf *rows, int64_t at_us, const char *kind, const char *place, const char *text)
{
	row_begin(rows, ROW_EVENT);
	row_int(rows, at_us);
	row_text(rows, kind);
	row_text(rows, place);
	row_text(rows, text);
}

static void put_change(struct recorder *r, const struct obs *o, const struct obs_fact *f, const struct last_value *slot)
{
	const char *port = f->port == OBS_DEVICE ? NULL : o->ports[f->port];
	struct fact now = { o->device, port, (enum field)f->field, f->index, f->value };
	char *place = port ? xasprintf("%s %s", o->device, port) : xstrdup(o->device);
	bool is_shy = field_table[f->field].flags & FIELD_SHY;

	buf_clear(&r->body);
	fact_print_change(&now, &slot->value, &r->body);
	rows_event(&r->rows, o->at_us, is_shy ? "device" : "config", place, r->body.text);
	free(place);
}

static bool is_step(const struct last_value *slot, const struct value *v)
{
	const struct value *w = &slot->value;

	return slot->is_set && w->is == VALUE_KNOWN && v->is == VALUE_KNOWN && !v->text && !w->text &&
	       w->is_rounded == v->is_rounded && w->is_unproven == v->is_unproven && w->bits == v->bits &&
	       field_table[slot->field].kind >= KIND_COUNTER;
}

static unsigned put_step(struct recorder *r, const struct probe_stream *a, const struct obs_fact *f,
			 struct last_value *slot)
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

static unsigned put_difference(struct recorder *r, const struct probe_stream *a, const struct obs *o,
			       const struct obs_fact *f, struct last_value *slot)
{
	enum kind kind = field_table[f->field].kind;

	if (last_value_holds(slot, &f->value))
		return 0;
	if (is_step(slot, &f->value))
		return put_step(r, a, f, slot);
	if (slot->is_set && f->is_changed && kind < KIND_COUNTER && !(field_table[f->field].flags & FIELD_LEARNED))
		put_change(r, o, f, slot);
	put_fact(r, a, slot, &f->value);
	last_value_set(slot, &f->value);
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

/* Facts that a complete reply no longer reports. Slots that it reported carry the mark of its shape. */
unsigned rows_absent(struct recorder *r, struct probe_stream *a)
{
	unsigned n = 0;

	for (size_t i = 0; i < a->slots.n; i++) {
		struct last_value *slot = &a->slots.all[i];

		if (!slot->is_set || slot->mark == a->mark)
			continue;
		last_value_unset(slot);
		put_fact(r, a, slot, &slot->value);
		n++;
	}
	return n;
}

unsigned rows_facts(struct recorder *r, struct probe_stream *a, const struct obs *o)
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

/* -- the texts of replies -- */

static void put_raw(struct recorder *r, struct probe_stream *a, const struct obs *o, const unsigned char *sha)
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

/* Returns the flags for the text: kept with this sample, same as before, or (0) not kept. */
unsigned rows_raw(struct recorder *r, struct probe_stream *a, const struct obs *o, bool is_same_shape)
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
