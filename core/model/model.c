#include "core/model/model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/model/internal.h"

/* -- names -- */

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

const char *model_intern(struct model *m, const char *text)
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

/* Raw replies: a copy of the model has the same text, and the last of them frees it. */

struct raw {
	unsigned holders;
	char text[];
};

static struct raw *raw_of(const struct reply *r)
{
	return (struct raw *)(r->raw - offsetof(struct raw, text));
}

static void drop_raw(struct reply *r)
{
	if (r->raw && --raw_of(r)->holders == 0)
		free(raw_of(r));
	r->raw = NULL;
	r->raw_n = 0;
}

void reply_keep(struct reply *r, struct span bytes)
{
	struct raw *raw = NULL;

	if (!bytes.p || (r->raw && raw_of(r)->holders > 1))
		drop_raw(r);
	if (!bytes.p)
		return;
	raw = xrealloc(r->raw ? raw_of(r) : NULL, sizeof(*raw) + bytes.n + 1);
	raw->holders = 1;
	memcpy(raw->text, bytes.p, bytes.n);
	raw->text[bytes.n] = '\0';
	r->raw = raw->text;
	r->raw_n = bytes.n;
}

void reply_share(struct reply *to, const struct reply *r)
{
	to->raw = r->raw;
	to->raw_n = r->raw_n;
	if (r->raw)
		raw_of(r)->holders++;
}

/* -- devices, ports, replies -- */

struct model *model_new(void)
{
	return xcalloc(1, sizeof(struct model));
}

static void cells_free(struct cell **cells)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++) {
			free(cells[f][i].other);
			free(cells[f][i].known);
		}
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
		reply_keep(d->replies[i], (struct span){ 0 });
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
	fabric_history_done(&m->lanes);
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
	d->name = model_intern(m, name);
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

struct port *model_need_port(struct model *m, struct device *d, const char *name)
{
	char key[512];
	size_t n = join_key(key, sizeof(key), d->name, name, NULL);
	struct port *p = name_find(m->port_names, key, n);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->device = d;
	p->name = model_intern(m, name);
	p->id = (unsigned)m->n_ports;
	p->nth = (unsigned)d->n_ports;
	*GROW(d->ports, d->n_ports, d->cap_ports) = p;
	d->n_ports++;
	*GROW(m->ports, m->n_ports, m->cap_ports) = p;
	m->n_ports++;
	name_put(&m->port_names, key, n, p);
	return p;
}

/* Questions are asked in one order: the one that followed the last is tried first. */
struct reply *model_need_reply(struct model *m, struct device *d, const char *probe, const char *subject)
{
	struct reply *r = d->last_reply ? d->last_reply->next : NULL;
	char key[512];
	size_t n;

	if (r && same_name(r->probe, probe) && same_name(r->subject, subject))
		return r;
	n = join_key(key, sizeof(key), d->name, probe, subject);
	r = name_find(m->reply_names, key, n);
	if (r)
		return r;
	r = xcalloc(1, sizeof(*r));
	r->device = d;
	r->nth = (unsigned)d->n_replies;
	r->probe = model_intern(m, probe);
	r->subject = model_intern(m, subject);
	*GROW(d->replies, d->n_replies, d->cap_replies) = r;
	d->n_replies++;
	name_put(&m->reply_names, key, n, r);
	return r;
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

const struct fabric_history *model_lanes(const struct model *m)
{
	return &m->lanes;
}

void model_recall_lanes(struct model *m, const struct fabric_history *l)
{
	fabric_history_done(&m->lanes);
	m->lanes = *l;
}

void model_on_change(struct model *m, void (*changed)(void *ctx, const struct change *c), void *ctx)
{
	m->changed = changed;
	m->changed_ctx = ctx;
}

uint64_t model_config_serial(const struct model *m)
{
	return m->config_serial;
}

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

bool model_zero_at(struct model *m, const struct port *p, enum field f, unsigned index, uint64_t value)
{
	struct series *s = m->ports[p->id]->series[f];

	if (!s || index >= field_table[f].width || s[index].last < value)
		return false;
	s[index].zero = value;
	return true;
}
