#include "core/model.h"

#include <stdio.h>
#include <stdlib.h>

#include <uthash.h>

struct text_entry {
	UT_hash_handle hh;
	char text[];
};

struct name_entry {
	UT_hash_handle hh;
	void *what;
	char name[];		/* "device" or "device\nport" or a reply's "device\nprobe\nsubject" */
};

struct model {
	struct device **devices;
	size_t n_devices, cap_devices;
	struct port **ports;
	size_t n_ports, cap_ports;
	struct name_entry *device_names, *port_names, *reply_names;
	struct text_entry *texts;
	int64_t now_us;
	uint64_t serial, config_serial;
	struct port **resolved;		/* ports of the observation being applied */
	size_t cap_resolved;
};

/* Names */

static void *name_find(struct name_entry *names, const char *key, size_t n)
{
	struct name_entry *e;

	HASH_FIND(hh, names, key, n, e);
	return e ? e->what : NULL;
}

static void name_put(struct name_entry **names, const char *key, size_t n, void *what)
{
	struct name_entry *e = xcalloc(1, sizeof(*e) + n + 1);

	memcpy(e->name, key, n);
	e->what = what;
	HASH_ADD_KEYPTR(hh, *names, e->name, n, e);
}

static void names_done(struct name_entry **names)
{
	struct name_entry *e, *next;

	HASH_ITER(hh, *names, e, next) {
		HASH_DELETE(hh, *names, e);
		free(e);
	}
}

static const char *intern(struct model *m, const char *text)
{
	struct text_entry *e;
	size_t n;

	if (!text)
		return NULL;
	n = strlen(text);
	HASH_FIND(hh, m->texts, text, n, e);
	if (!e) {
		e = xcalloc(1, sizeof(*e) + n + 1);
		memcpy(e->text, text, n);
		HASH_ADD_KEYPTR(hh, m->texts, e->text, n, e);
	}
	return e->text;
}

/* Joins up to three names into a key; short ones on the caller's stack are all there is. */
static size_t join_key(char *key, size_t size, const char *a, const char *b, const char *c)
{
	int n = snprintf(key, size, "%s\n%s\n%s", a, b ? b : "", c ? c : "");

	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* Devices, ports, replies */

struct model *model_new(void)
{
	return xcalloc(1, sizeof(struct model));
}

static void cells_free(struct cell **cells)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++)
			free(cells[f][i].other);
		free(cells[f]);
	}
}

static void port_free(struct port *p)
{
	cells_free(p->cells);
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		series_free(p->series[f], field_table[f].width);
	free(p);
}

static void device_free(struct device *d)
{
	cells_free(d->cells);
	for (size_t i = 0; i < d->n_ports; i++)
		port_free(d->ports[i]);
	for (size_t i = 0; i < d->n_replies; i++) {
		free(d->replies[i]->raw);
		free(d->replies[i]);
	}
	free(d->ports);
	free(d->replies);
	free(d);
}

void model_free(struct model *m)
{
	struct text_entry *e, *next;

	if (!m)
		return;
	names_done(&m->device_names);
	names_done(&m->port_names);
	names_done(&m->reply_names);
	for (size_t i = 0; i < m->n_devices; i++)
		device_free(m->devices[i]);
	HASH_ITER(hh, m->texts, e, next) {
		HASH_DELETE(hh, m->texts, e);
		free(e);
	}
	free(m->devices);
	free(m->ports);
	free(m->resolved);
	free(m);
}

struct device *model_find_device(const struct model *m, const char *name)
{
	return name_find(m->device_names, name, strlen(name));
}

struct device *model_need_device(struct model *m, const char *name)
{
	struct device *d = model_find_device(m, name);

	if (d)
		return d;
	d = xcalloc(1, sizeof(*d));
	d->name = intern(m, name);
	d->id = (unsigned)m->n_devices;
	*GROW(m->devices, m->n_devices, m->cap_devices) = d;
	m->n_devices++;
	name_put(&m->device_names, d->name, strlen(d->name), d);
	return d;
}

struct port *model_find_port(const struct model *m, const char *device, const char *port)
{
	char key[512];
	size_t n = join_key(key, sizeof(key), device, port, NULL);

	return name_find(m->port_names, key, n);
}

static struct port *need_port(struct model *m, struct device *d, const char *name)
{
	char key[512];
	size_t n = join_key(key, sizeof(key), d->name, name, NULL);
	struct port *p = name_find(m->port_names, key, n);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->device = d;
	p->name = intern(m, name);
	p->id = (unsigned)m->n_ports;
	p->nth = (unsigned)d->n_ports;
	*GROW(d->ports, d->n_ports, d->cap_ports) = p;
	d->n_ports++;
	*GROW(m->ports, m->n_ports, m->cap_ports) = p;
	m->n_ports++;
	name_put(&m->port_names, key, n, p);
	return p;
}

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Questions are asked in one order: the one that followed the last is tried first. */
static struct reply *need_reply(struct model *m, struct device *d, const struct obs *o)
{
	struct reply *r = d->last_reply ? d->last_reply->next : NULL;
	char key[512];
	size_t n;

	if (r && same_name(r->probe, o->probe) && same_name(r->subject, o->subject))
		return r;
	n = join_key(key, sizeof(key), d->name, o->probe, o->subject);
	r = name_find(m->reply_names, key, n);
	if (r)
		return r;
	r = xcalloc(1, sizeof(*r));
	r->device = d;
	r->probe = intern(m, o->probe);
	r->subject = intern(m, o->subject);
	*GROW(d->replies, d->n_replies, d->cap_replies) = r;
	d->n_replies++;
	name_put(&m->reply_names, key, n, r);
	return r;
}

/* Applying */

static void take_raw(struct reply *r, struct span raw)
{
	if (!raw.p) {
		free(r->raw);
		r->raw = NULL;
		r->raw_n = 0;
		return;
	}
	r->raw = xrealloc(r->raw, raw.n + 1);
	memcpy(r->raw, raw.p, raw.n);
	r->raw[raw.n] = '\0';
	r->raw_n = raw.n;
}

static bool stands(const struct cell *c)
{
	return c->reply && c->generation == c->reply->generation && c->value.is != VALUE_ABSENT;
}

#define ONCE_PERIOD	(30 * SECOND)	/* what is asked once a session is as fresh as the session */

static bool is_old(const struct reply *r, int64_t at_us, int64_t now_us)
{
	if (r->period_us > 0)
		return now_us - at_us > 3 * r->period_us + 2 * SECOND;
	return now_us - (r->device->heard_us > at_us ? r->device->heard_us : at_us) > 3 * ONCE_PERIOD;
}

/* An answer that was cut short may lack a value for ever: it does not keep young what it did not say. */
static int64_t said_last_us(const struct cell *c)
{
	return c->said_us > c->reply->whole_us ? c->said_us : c->reply->whole_us;
}

/*
 * Whether what r says replaces what c holds. A better probe is believed, unless it does not know. Only the times of
 * observations count, not model_now(): a replay must decide as it was decided live.
 */
static bool outranks(const struct reply *r, const struct value *v, const struct cell *c)
{
	if (!stands(c) || c->reply == r || is_old(c->reply, said_last_us(c), r->at_us))
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
	if (f->value.is != VALUE_KNOWN || value_same((enum field)f->field, &f->value, &c->value)) {
		if (c->other && c->other->reply == r)
			drop_other(p, c);
		return;
	}
	*need_other(p, c) = (struct cell){ .value = f->value, .reply = r, .generation = r->generation, .cite = f->cite,
				   .since_us = r->at_us, .said_us = r->at_us };
	c->other->value.text = intern(m, f->value.text);
}

static void set_cell(struct model *m, struct port *p, struct cell *c, struct reply *r, struct obs_fact *f)
{
	enum field field = (enum field)f->field;
	struct value v = f->value;

	f->is_changed = !stands(c) || !value_same(field, &c->value, &v);
	if (f->is_changed) {
		c->since_us = r->at_us;
		if (field_table[field].kind != KIND_COUNTER && field_table[field].kind != KIND_GAUGE)
			m->config_serial++;
	}
	if (c->reply && c->reply != r && stands(c) && v.is == VALUE_KNOWN && c->value.is == VALUE_KNOWN && f->is_changed &&
	    r->rank < c->reply->rank) {
		/* the better probe has come second: what the other said stays beside it */
		struct cell *other = need_other(p, c);

		*other = *c;
		other->other = NULL;
	}
	v.text = f->is_changed ? intern(m, v.text) : c->value.text;
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

static uint64_t speed_bps(const struct port *p)
{
	const struct cell *c = p->cells[FIELD_SPEED];

	return c && c->value.is == VALUE_KNOWN ? c->value.n : 0;
}

static void count(struct port *p, enum field f, unsigned index, struct value v, const struct reply *r)
{
	if (v.is == VALUE_KNOWN)
		series_take(need_series(p, f, index),
			    &(struct sampling){ .field = f, .value = v, .at_us = r->at_us, .device_us = r->device_us,
						.speed_bps = speed_bps(p) });
}

/* A counter that the last answer, a delta, did not mention stood still then: it had a sample all the same. */
static void catch_up(struct port *p, const struct reply *r, enum field f, unsigned index)
{
	const struct cell *c = p->cells[f] ? &p->cells[f][index] : NULL;
	const struct series *s = p->series[f] ? &p->series[f][index] : NULL;
	int64_t at_us = r->device_us ? r->device_us : r->at_us;

	if (!c || !s || c->reply != r || !stands(c) || field_table[f].kind != KIND_COUNTER || s->last_us == 0 ||
	    s->by_device_clock != (r->device_us != 0) || s->last_us >= at_us)
		return;
	count(p, f, index, c->value, r);
}

static void catch_up_with(struct model *m, struct device *d, const struct reply *r, const struct obs *o)
{
	for (size_t i = 0; o->is_delta && i < o->n; i++)
		if (o->facts[i].port != OBS_DEVICE)
			catch_up(m->resolved[o->facts[i].port], r, (enum field)o->facts[i].field, o->facts[i].index);
	for (size_t i = 0; !o->is_delta && i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; d->ports[i]->series[f] && k < field_table[f].width; k++)
				catch_up(d->ports[i], r, (enum field)f, k);
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
		count(p, (enum field)f->field, f->index, f->value, r);
}

/* Counters restart with the device: what they were before says nothing about now. */
static void forget_samples(struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; d->ports[i]->series[f] && k < field_table[f].width; k++)
				series_forget(&d->ports[i]->series[f][k]);
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

/* What stood by this reply and was not said again goes: the facts just said move on with its generation. */
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
			p = need_port(m, d, o->ports[i]);
		m->resolved[i] = p;
		next = p->nth + 1;
	}
	if (r && o->n_ports)
		r->first_port = m->resolved[0]->nth;
}

static void take_reply(struct model *m, struct reply *r, const struct obs *o)
{
	if (o->command && !same_name(r->command, o->command))
		r->command = intern(m, o->command);
	r->rank = o->rank;
	r->at_us = o->at_us;
	r->whole_us = o->is_partial ? r->whole_us : o->at_us;
	r->device_us = o->device_us;
	r->has_spoken |= o->n > 0;
	r->period_us = o->period_us;
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
	c->value.text = intern(m, f->value.text);
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
	take_raw(r, o->raw);
	r->n_facts = o->key->n_facts;
	for (size_t i = 0; i < o->n; i++)
		restore_fact(m, d, r, &o->facts[i], &o->key->was[i]);
}

static void apply_reply(struct model *m, struct device *d, struct reply *r, struct obs *o)
{
	if (r->was_delta)
		catch_up_with(m, d, r, o);
	r->was_delta = o->is_delta;
	if (is_new_boot(d, o))
		forget_samples(d);
	take_reply(m, r, o);
	if (!o->is_delta || o->raw.p)
		take_raw(r, o->raw);
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
	struct reply *r = o->key && !o->probe ? NULL : need_reply(m, d, o);

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

void model_set_now(struct model *m, int64_t now_us)
{
	if (now_us > m->now_us)
		m->now_us = now_us;
}

int64_t model_now(const struct model *m)
{
	return m->now_us;
}

uint64_t model_serial(const struct model *m)
{
	return m->serial;
}

uint64_t model_config_serial(const struct model *m)
{
	return m->config_serial;
}

/* Reading */

size_t model_devices(const struct model *m)
{
	return m->n_devices;
}

struct device *model_device(const struct model *m, size_t i)
{
	return m->devices[i];
}

size_t model_ports(const struct model *m)
{
	return m->n_ports;
}

struct port *model_port(const struct model *m, size_t i)
{
	return m->ports[i];
}

static const struct cell *standing(struct cell *const *cells, enum field f, unsigned index)
{
	const struct cell *c;

	if (!cells[f] || index >= field_table[f].width)
		return NULL;
	c = &cells[f][index];
	return stands(c) ? c : NULL;
}

const struct cell *port_cell(const struct port *p, enum field f, unsigned index)
{
	return standing(p->cells, f, index);
}

const struct cell *device_cell(const struct device *d, enum field f, unsigned index)
{
	return standing(d->cells, f, index);
}

bool reply_is_stale(const struct model *m, const struct reply *r)
{
	return is_old(r, r->at_us, m->now_us);
}

bool cell_is_stale(const struct model *m, const struct cell *c)
{
	return is_old(c->reply, said_last_us(c), m->now_us);
}

int64_t cell_age_us(const struct model *m, const struct cell *c)
{
	return m->now_us - said_last_us(c);
}

static bool known_number(const struct model *m, const struct cell *c, uint64_t *out)
{
	if (!c || c->value.is != VALUE_KNOWN || cell_is_stale(m, c))
		return false;
	*out = c->value.n;
	return true;
}

bool port_number(const struct model *m, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	return known_number(m, port_cell(p, f, index), out);
}

bool device_number(const struct model *m, const struct device *d, enum field f, unsigned index, uint64_t *out)
{
	return known_number(m, device_cell(d, f, index), out);
}

static const char *known_text(const struct cell *c)
{
	return c && c->value.is == VALUE_KNOWN ? c->value.text : NULL;
}

const char *port_text(const struct port *p, enum field f)
{
	return known_text(port_cell(p, f, 0));
}

const char *device_text(const struct device *d, enum field f)
{
	return known_text(device_cell(d, f, 0));
}

const struct series *port_series(const struct port *p, enum field f, unsigned index)
{
	if (!p->series[f] || index >= field_table[f].width)
		return NULL;
	return &p->series[f][index];
}

bool port_rate(const struct model *m, const struct port *p, enum field f, unsigned index, double *per_s)
{
	const struct cell *c = port_cell(p, f, index);
	const struct series *s = port_series(p, f, index);

	if (!c || !s || c->value.is != VALUE_KNOWN || cell_is_stale(m, c))
		return false;
	if (s->note != RATE_OK && s->note != RATE_WRAPPED)
		return false;
	*per_s = s->per_s;
	return true;
}

bool port_share(const struct model *m, const struct port *p, enum field f, unsigned index, double *share, double *raw)
{
	double per_s;

	if (!port_rate(m, p, f, index, &per_s))
		return false;
	*raw = per_s / SECOND;
	*share = *raw > 1 ? 1 : *raw;
	return true;
}

static void zero_port(struct port *p, bool clear)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; p->series[f] && i < field_table[f].width; i++)
			p->series[f][i].zero = clear ? 0 : p->series[f][i].last;
}

void model_zero(struct model *m, const struct port *p, bool clear)
{
	if (p) {
		zero_port(m->ports[p->id], clear);
		return;
	}
	for (size_t i = 0; i < m->n_ports; i++)
		zero_port(m->ports[i], clear);
}

struct span cell_line(const struct cell *c, unsigned *number)
{
	struct span rest, line;

	*number = 0;
	if (!c->reply || !c->reply->raw || c->cite >= c->reply->raw_n)
		return (struct span){ 0 };
	for (const char *p = c->reply->raw; p < c->reply->raw + c->cite; p++)
		*number += *p == '\n';
	*number += 1;
	rest = (struct span){ c->reply->raw + c->cite, c->reply->raw_n - c->cite };
	span_line(&rest, &line);
	return line;
}
