#include "remote/lab/world/settings.h"

#include <stdlib.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/sonic/config_db.h"

/* Of a host's port: 32-bit words only, so that they can be compared and merged one by one. */
struct port_settings {
	struct host_port nic;
	uint32_t is_down;
};

struct host {
	uint32_t is_without_peermem, is_without_uverbs, tcp_ecn;
};

struct setup {
	struct host host;
	struct port_settings *ports;	/* owned; hosts */
	size_t n;
	struct dell_config *dell;	/* owned */
	json_t *sonic;			/* owned */
};

struct setup *setup_take(const struct fabric *f, const struct lab_device *d)
{
	struct setup *s = xcalloc(1, sizeof(*s));

	if (d->dell)
		s->dell = dell_config_copy(d->dell);
	if (d->sonic)
		s->sonic = json_deep_copy(d->sonic);
	if (d->os != OS_LINUX)
		return s;
	s->host = (struct host){ d->job.is_without_peermem, d->job.is_without_uverbs, d->tcp_ecn };
	s->n = d->n;
	s->ports = xcalloc(d->n, sizeof(*s->ports));
	for (unsigned i = 0; i < d->n; i++) {
		s->ports[i].nic = f->ports[d->first + i].nic;
		s->ports[i].is_down = f->ports[d->first + i].harm.is_down;
	}
	return s;
}

struct setup *setup_copy(const struct setup *s)
{
	struct setup *copy = xcalloc(1, sizeof(*copy));

	*copy = *s;
	copy->dell = s->dell ? dell_config_copy(s->dell) : NULL;
	copy->sonic = s->sonic ? json_deep_copy(s->sonic) : NULL;
	copy->ports = s->n ? xcalloc(s->n, sizeof(*s->ports)) : NULL;
	if (s->n)
		memcpy(copy->ports, s->ports, s->n * sizeof(*s->ports));
	return copy;
}

void setup_free(struct setup *s)
{
	if (!s)
		return;
	dell_config_free(s->dell);
	json_decref(s->sonic);
	free(s->ports);
	free(s);
}

static bool same_dell(const struct dell_config *a, const struct dell_config *b)
{
	struct buf texts[2] = { { NULL }, { NULL } };
	bool is_same;

	dell_config_print(a, "", &texts[0]);
	dell_config_print(b, "", &texts[1]);
	is_same = span_same(buf_span(&texts[0]), buf_span(&texts[1]));
	buf_done(&texts[0]);
	buf_done(&texts[1]);
	return is_same;
}

bool setup_same(const struct setup *a, const struct setup *b)
{
	if (a->dell)
		return same_dell(a->dell, b->dell);
	if (a->sonic)
		return json_equal(a->sonic, b->sonic);
	return !memcmp(&a->host, &b->host, sizeof(a->host)) && !memcmp(a->ports, b->ports, a->n * sizeof(*a->ports));
}

void setup_put(struct fabric *f, struct lab_device *d, const struct setup *s)
{
	if (s->dell)
		dell_config_put(d->dell, s->dell);
	if (s->sonic) {
		json_decref(d->sonic);
		d->sonic = json_deep_copy(s->sonic);
	}
	if (d->os == OS_LINUX) {
		d->job.is_without_peermem = s->host.is_without_peermem;
		d->job.is_without_uverbs = s->host.is_without_uverbs;
		d->tcp_ecn = s->host.tcp_ecn;
	}
	for (size_t i = 0; i < s->n; i++) {
		f->ports[d->first + i].nic = s->ports[i].nic;
		f->ports[d->first + i].harm.is_down = s->ports[i].is_down;
	}
	fabric_refresh(f, NULL);
}

static void merge_words(uint32_t *to, const uint32_t *was, const uint32_t *now, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*to); i++)
		if (was[i] != now[i])
			to[i] = now[i];
}

void setup_merge(struct setup *boot, const struct setup *was, const struct setup *now)
{
	merge_words((uint32_t *)&boot->host, (const uint32_t *)&was->host, (const uint32_t *)&now->host, sizeof(boot->host));
	merge_words((uint32_t *)boot->ports, (const uint32_t *)was->ports, (const uint32_t *)now->ports,
		    boot->n * sizeof(*boot->ports));
}

void setup_boot(struct fabric *f, struct lab_device *d, const struct setup *boot)
{
	if (d->dell)
		dell_config_boot(d->dell);
	else if (d->sonic)
		confdb_boot(d);
	else
		setup_put(f, d, boot);
	fabric_refresh(f, NULL);
}

/* ---- as tools show it ---- */

/* A map that is not trusted and the share of a class that has none are kept nowhere that a tool could show or set. */
static bool is_idle(const struct host_port *nic, enum field f, unsigned index)
{
	return (f == FIELD_DSCP_PRIO && nic->trust != TRUST_DSCP) || (f == FIELD_ETS_SHARE && nic->tsa[index] != ETS_ETS);
}

static bool reads_same(const struct host_port *a, const struct host_port *b, enum field f, unsigned index)
{
	struct value x = { .is = VALUE_ABSENT }, y = { .is = VALUE_ABSENT };
	bool has_x = !is_idle(a, f, index) && host_port_get(a, f, index, &x),
	     has_y = !is_idle(b, f, index) && host_port_get(b, f, index, &y);

	return has_x == has_y && (!has_x || (x.is == y.is && (x.is != VALUE_KNOWN || x.n == y.n)));
}

static bool port_reads_same(const struct port_settings *a, const struct port_settings *b)
{
	enum field f;

	for (size_t i = 0; (f = host_port_field(i)) != FIELD_COUNT; i++)
		for (unsigned index = 0; index < field_table[f].width; index++)
			if (!reads_same(&a->nic, &b->nic, f, index))
				return false;
	return a->is_down == b->is_down;
}

bool setup_reads_same(const struct setup *a, const struct setup *b)
{
	if (a->dell || a->sonic)
		return setup_same(a, b);
	for (size_t i = 0; i < a->n; i++)
		if (!port_reads_same(&a->ports[i], &b->ports[i]))
			return false;
	return !memcmp(&a->host, &b->host, sizeof(a->host));
}

static void print_port(const struct lab_port *p, struct buf *out)
{
	enum field f;

	for (size_t i = 0; (f = host_port_field(i)) != FIELD_COUNT; i++)
		for (unsigned index = 0; index < field_table[f].width; index++) {
			struct value value;

			if (is_idle(&p->nic, f, index) || !host_port_get(&p->nic, f, index, &value))
				continue;
			buf_printf(out, "%s %s[%u] = ", p->name, field_table[f].name, index);
			if (value.is == VALUE_KNOWN)
				buf_printf(out, "%llu\n", (unsigned long long)value.n);
			else
				buf_str(out, "unset\n");
		}
	buf_printf(out, "%s is %s\n", p->name, p->harm.is_down ? "down" : "up");
}

void setup_print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	if (d->dell && is_saved) {
		buf_add(out, d->dell->startup.text, d->dell->startup.n);
	} else if (d->dell) {
		dell_config_print(d->dell, "", out);
	} else if (d->sonic) {
		char *text = json_dumps(is_saved ? d->sonic_saved : d->sonic, JSON_INDENT(1) | JSON_SORT_KEYS);

		buf_printf(out, "%s\n", text ? text : "");
		free(text);
	} else {
		for (unsigned i = 0; i < d->n; i++)
			print_port(&f->ports[d->first + i], out);
		buf_printf(out, "module nvidia_peermem %s\nmodule ib_uverbs %s\n", d->job.is_without_peermem ? "missing" : "loaded",
			   d->job.is_without_uverbs ? "missing" : "loaded");
		buf_printf(out, "sysctl net.ipv4.tcp_ecn = %u\n", d->tcp_ecn);
	}
}
