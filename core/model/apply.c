/* An observation into the model: which fact replaces which, and what is no longer said. */
#include "core/model/model.h"

#include <stdlib.h>

#include "core/model/internal.h"

#define DEVICE_US_MAX	(INT64_MAX / 2)	/* no clock says that: two of them have a difference */

/*
 * Whether what r says replaces what c holds. A better probe is believed, unless it does not know. Only the times of
 * observations count, not model_now(): a replay must decide as it was decided live.
 */
static bool outranks(const struct reply *r, const struct value *v, const struct cell *c)
{
	if (!cell_stands(c) || c->reply == r || reply_is_old(c->reply, cell_said_us(c), r->at_us))
		return true;
	if (c->value.is != v->is)
		return v->is == VALUE_KNOWN;
	return r->rank <= c->reply->rank;
}

static struct cell *need_other(struct port *p, struct cell *c)
{
	if (!c->other) {
		c->other = xcalloc(1, sizeof(*c->other));
		if (p)
			p->n_others++;
	}
	return c->other;
}

static void drop_other(struct port *p, struct cell *c)
{
	if (p && c->other)
		p->n_others--;
	free(c->other);
	c->other = NULL;
}

static void note_other(struct model *m, struct port *p, struct cell *c, struct reply *r, const struct obs_fact *f)
{
	bool is_again = c->other && c->other->reply == r && value_same((enum field)f->field, &f->value, &c->other->value);
	int64_t since_us = is_again ? c->other->since_us : r->at_us;

	if (f->value.is != VALUE_KNOWN || value_same((enum field)f->field, &f->value, &c->value)) {
		if (c->other && c->other->reply == r)
			drop_other(p, c);
		return;
	}
	*need_other(p, c) = (struct cell){ .value = f->value, .reply = r, .generation = r->generation, .cite = f->cite,
				   .since_us = since_us, .said_us = r->at_us };
	c->other->value.text = model_intern(m, f->value.text);
}

/* What cannot be read has not changed; once it is read again it may have. */
static bool is_change(struct cell *c, const struct obs_fact *f, struct value *was)
{
	bool knew = c->known != NULL;

	*was = knew ? *c->known : c->value;
	if (field_table[f->field].flags & FIELD_SHY)
		return true;
	if (f->value.is != VALUE_KNOWN) {
		if (!knew && c->value.is == VALUE_KNOWN)
			*(c->known = xmalloc(sizeof(*c->known))) = c->value;
		return false;
	}
	free(c->known);
	c->known = NULL;
	return was->is == VALUE_KNOWN && !value_same((enum field)f->field, was, &f->value);
}

static void tell_change(struct model *m, const struct port *p, struct cell *c, const struct reply *r, const struct obs_fact *f)
{
	struct value was;
	int64_t was_us = c->known ? c->since_us - r->period_us : c->said_us;	/* unreadable since, it was read a period before that */
	struct change change = { r->device, p, (enum field)f->field, f->index, &was, &f->value, was_us, r->at_us };

	m->config_serial++;
	if (cell_stands(c) && is_change(c, f, &was) && m->changed)
		m->changed(m->changed_ctx, &change);
}

static void set_cell(struct model *m, struct port *p, struct cell *c, struct reply *r, struct obs_fact *f)
{
	enum field field = (enum field)f->field;
	struct value v = f->value;

	f->is_changed = !cell_stands(c) || !value_same(field, &c->value, &v);
	if (f->is_changed) {
		if (field_table[field].kind != KIND_COUNTER && field_table[field].kind != KIND_GAUGE)
			tell_change(m, p, c, r, f);
		c->since_us = r->at_us;
	}
	if (c->reply && c->reply != r && cell_stands(c) && v.is == VALUE_KNOWN && c->value.is == VALUE_KNOWN && f->is_changed &&
	    r->rank < c->reply->rank) {
		/* the better probe has come second: what the other said stays beside it */
		struct cell *other = need_other(p, c);

		*other = *c;
		other->other = NULL;
		other->known = NULL;
	}
	v.text = f->is_changed ? model_intern(m, v.text) : c->value.text;
	c->value = v;
	c->reply = r;
	c->generation = r->generation;
	c->cite = f->cite;
	c->said_us = r->at_us;
	if (c->other && (c->other->reply == r || value_same(field, &c->other->value, &c->value)))
		drop_other(p, c);
}

static struct cell *need_cell(struct cell **cells, enum field f, unsigned index)
{
	if (!cells[f])
		cells[f] = xcalloc(field_table[f].width, sizeof(struct cell));
	return &cells[f][index];
}

static struct series *need_series(struct port *p, enum field f, unsigned index)
{
	if (!p->series[f])
		p->series[f] = xcalloc(field_table[f].width, sizeof(struct series));
	return &p->series[f][index];
}

/* Of a link that is down no speed is told: what passes when it is back is bounded by what it was before. */
static uint64_t speed_bps(struct port *p)
{
	const struct cell *c = p->cells[FIELD_SPEED];

	if (c && c->value.is == VALUE_KNOWN && c->value.n)
		p->speed_bps = c->value.n;
	return p->speed_bps;
}

static void count(struct model *m, struct port *p, enum field f, unsigned index, struct value v, struct reply *r)
{
	struct series *s = v.is == VALUE_KNOWN ? need_series(p, f, index) : NULL;
	int64_t new_us;

	if (!s)
		return;
	new_us = series_take(s, &(struct sampling){ .field = f, .value = v, .at_us = r->at_us, .device_us = r->device_us,
						    .speed_bps = speed_bps(p), .refresh_us = r->refresh_us, .often_us = &r->often_us,
						    .began_us = r->device->began_us, .has_wide = r->device->has_wide });
	if (new_us)
		fabric_history_count(&m->lanes, f, s->per_s, r->at_us - new_us, r->at_us);
}

/* A counter that the last answer, a delta, did not mention stood still then: it had a sample all the same. */
static void catch_up(struct model *m, struct port *p, struct reply *r, enum field f, unsigned index)
{
	const struct cell *c = p->cells[f] ? &p->cells[f][index] : NULL;
	const struct series *s = p->series[f] ? &p->series[f][index] : NULL;
	int64_t at_us = r->device_us ? r->device_us : r->at_us;

	if (!c || !s || c->reply != r || !cell_stands(c) || field_table[f].kind != KIND_COUNTER || s->last_us == 0 ||
	    s->by_device_clock != (r->device_us != 0) || s->last_us >= at_us)
		return;
	count(m, p, f, index, c->value, r);
}

static void catch_up_with(struct model *m, struct device *d, struct reply *r, const struct obs *o)
{
	for (size_t i = 0; o->is_delta && i < o->n; i++)
		if (o->facts[i].port != OBS_DEVICE)
			catch_up(m, m->resolved[o->facts[i].port], r, (enum field)o->facts[i].field, o->facts[i].index);
	for (size_t i = 0; !o->is_delta && i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; d->ports[i]->series[f] && k < field_table[f].width; k++)
				catch_up(m, d->ports[i], r, (enum field)f, k);
}

static void apply_fact(struct model *m, struct device *d, struct reply *r, struct obs_fact *f)
{
	struct port *p = f->port == OBS_DEVICE ? NULL : m->resolved[f->port];
	struct cell *c = need_cell(p ? p->cells : d->cells, (enum field)f->field, f->index);

	f->is_changed = false;
	if (f->value.is == VALUE_ABSENT) {	/* from a recording: no longer said */
		if (c->reply == r && c->value.is != VALUE_ABSENT) {
			f->is_changed = true;
			c->value = f->value;
			m->config_serial++;
		}
		return;
	}
	if (!outranks(r, &f->value, c)) {
		note_other(m, p, c, r, f);
		return;
	}
	set_cell(m, p, c, r, f);
	if (p && field_table[f->field].kind >= KIND_COUNTER)
		count(m, p, (enum field)f->field, f->index, f->value, r);
}

/* Counters restart with the device: what they were before says nothing about now. */
static void forget_samples(struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; d->ports[i]->series[f] && k < field_table[f].width; k++)
				series_forget(&d->ports[i]->series[f][k]);
}

/* A counter that does not wrap has gone back: those of the device that do have not wrapped either. */
static void see_what_went_back(struct model *m, struct device *d, const struct reply *r, const struct obs *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];
		const struct port *p = f->port == OBS_DEVICE ? NULL : m->resolved[f->port];
		const struct series *s = p && p->series[f->field] ? &p->series[f->field][f->index] : NULL;
		unsigned bits = f->value.bits ? f->value.bits : field_table[f->field].bits;

		if (!p || field_table[f->field].kind != KIND_COUNTER || f->value.is != VALUE_KNOWN || bits < 64)
			continue;
		d->has_wide = true;
		if (s && s->last_us && f->value.n < s->last && p->cells[f->field][f->index].reply == r)
			d->began_us = o->at_us;
	}
}

static bool is_new_boot(const struct device *d, const struct obs *o)
{
	const struct cell *c = device_cell(d, FIELD_BOOT, 0);

	for (size_t i = 0; c && i < o->n; i++)
		if (o->facts[i].field == FIELD_BOOT && !value_same(FIELD_BOOT, &o->facts[i].value, &c->value))
			return true;
	return false;
}

static bool is_about_session(const struct obs *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (!(field_table[o->facts[i].field].flags & FIELD_SHY))
			return false;
	return o->n > 0;
}

/* Drops the facts that the probe's last reply said and this one does not: those just said have the new generation. */
static void drop_unsaid(struct model *m, struct device *d, struct reply *r, const struct obs *o)
{
	r->generation++;
	if (r->n_facts != o->n)
		m->config_serial++;
	r->n_facts = o->n;
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];
		struct port *p = f->port == OBS_DEVICE ? NULL : m->resolved[f->port];
		struct cell *c = &(p ? p->cells : d->cells)[f->field][f->index];

		if (c->reply == r)
			c->generation = r->generation;
		if (c->other && c->other->reply == r)
			c->other->generation = r->generation;
	}
}

static void forget_cites_in(struct cell *const *cells, const struct reply *r)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned k = 0; cells[f] && k < field_table[f].width; k++)
			for (struct cell *c = &cells[f][k]; c; c = c->other)
				if (c->reply == r)
					c->cite = CITE_NONE;
}

/* What is not told again by an answer that was cut stands, and was said by a text that is gone. */
static void forget_cites(struct device *d, const struct reply *r)
{
	forget_cites_in(d->cells, r);
	for (size_t i = 0; i < d->n_ports; i++)
		forget_cites_in(d->ports[i]->cells, r);
}

/* Replies mostly go through the ports in one order: the one after the last is tried first. */
static void resolve_ports(struct model *m, struct device *d, struct reply *r, const struct obs *o)
{
	unsigned next = r ? r->first_port : 0;

	if (o->n_ports > m->cap_resolved) {
		m->cap_resolved = o->n_ports;
		m->resolved = xrealloc(m->resolved, m->cap_resolved * sizeof(*m->resolved));
	}
	for (size_t i = 0; i < o->n_ports; i++) {
		struct port *p = next < d->n_ports ? d->ports[next] : NULL;

		if (!p || strcmp(p->name, o->ports[i]) != 0)
			p = model_need_port(m, d, o->ports[i]);
		m->resolved[i] = p;
		next = p->nth + 1;
	}
	if (r && o->n_ports)
		r->first_port = m->resolved[0]->nth;
}

static void take_reply(struct model *m, struct reply *r, const struct obs *o)
{
	if (o->command && !same_name(r->command, o->command))
		r->command = model_intern(m, o->command);
	r->rank = o->rank;
	r->at_us = o->at_us;
	r->whole_us = o->is_partial ? r->whole_us : o->at_us;
	r->device_us = o->device_us > -DEVICE_US_MAX && o->device_us < DEVICE_US_MAX ? o->device_us : 0;
	r->has_spoken |= o->n > 0;
	r->period_us = o->period_us;
	r->refresh_us = o->refresh_us;
	r->missed = o->missed;
}

static void restore_fact(struct model *m, struct device *d, struct reply *r, const struct obs_fact *f,
			 const struct obs_was *was)
{
	struct port *p = f->port == OBS_DEVICE ? NULL : m->resolved[f->port];
	struct cell *c = need_cell(p ? p->cells : d->cells, (enum field)f->field, f->index);

	if (p && was->has_series)
		series_restore(need_series(p, (enum field)f->field, f->index), was);
	if (was->is_other)
		c = need_other(p, c);
	c->value = f->value;
	c->value.text = model_intern(m, f->value.text);
	c->reply = r;
	c->generation = r->generation - was->is_gone;
	c->cite = f->cite;
	c->since_us = was->since_us;
	c->said_us = r->at_us;
}

/* A keyframe: the reply as it was when the recording was made. */
static void restore(struct model *m, struct device *d, struct reply *r, const struct obs *o)
{
	d->heard_us = o->key->heard_us;
	m->config_serial++;
	if (!r)
		return;
	take_reply(m, r, o);
	reply_keep(r, o->raw);
	r->n_facts = o->key->n_facts;
	for (size_t i = 0; i < o->n; i++)
		restore_fact(m, d, r, &o->facts[i], &o->key->was[i]);
}

static void apply_reply(struct model *m, struct device *d, struct reply *r, struct obs *o)
{
	if (r->was_delta)
		catch_up_with(m, d, r, o);
	r->was_delta = o->is_delta;
	if (is_new_boot(d, o)) {
		forget_samples(d);
		d->began_us = o->at_us;
	}
	see_what_went_back(m, d, r, o);
	take_reply(m, r, o);
	if (!o->is_delta || o->raw.p)
		reply_keep(r, o->raw);
	if (o->is_partial)
		forget_cites(d, r);
	for (size_t i = 0; i < o->n; i++)
		apply_fact(m, d, r, &o->facts[i]);
	if (!o->is_partial && !o->is_delta)
		drop_unsaid(m, d, r, o);
	if (!is_about_session(o))
		d->heard_us = o->at_us;
}

void model_apply(struct model *m, struct obs *o)
{
	struct device *d = model_need_device(m, o->device);
	struct reply *r = o->key && !o->probe ? NULL : model_need_reply(m, d, o->probe, o->subject);

	resolve_ports(m, d, r, o);
	if (o->key)
		restore(m, d, r, o);
	else
		apply_reply(m, d, r, o);
	if (d->last_reply)
		d->last_reply->next = r;
	d->last_reply = r;
	model_set_now(m, o->at_us);
	m->serial++;
}
