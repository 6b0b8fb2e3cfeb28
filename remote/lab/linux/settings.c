/* A host's settings: its ports', and what its kernel is told beside them. It has no startup configuration. */
#include <stdlib.h>

#include "remote/lab/linux/linux.h"

/* Of a host's port: 32-bit words only, so that they can be compared and merged one by one. */
struct port_settings {
	struct host_port nic;
	uint32_t is_down;
};

struct host {
	uint32_t is_without_peermem, is_without_uverbs, tcp_ecn, bond_mtu;
};

struct host_settings {
	struct host host;
	struct port_settings *ports;	/* owned */
	size_t n;
};

static void *take(const struct fabric *f, const struct lab_device *d)
{
	struct host_settings *s = xcalloc(1, sizeof(*s));

	s->host = (struct host){ d->job.is_without_peermem, d->job.is_without_uverbs, d->tcp_ecn, d->bond_mtu };
	s->n = d->n;
	s->ports = xcalloc(d->n, sizeof(*s->ports));
	for (unsigned i = 0; i < d->n; i++) {
		s->ports[i].nic = f->ports[d->first + i].nic;
		s->ports[i].is_down = f->ports[d->first + i].harm.is_down;
	}
	return s;
}

static void *copy(const void *settings)
{
	const struct host_settings *s = settings;
	struct host_settings *other = xcalloc(1, sizeof(*other));

	*other = *s;
	other->ports = s->n ? xcalloc(s->n, sizeof(*s->ports)) : NULL;
	if (s->n)
		memcpy(other->ports, s->ports, s->n * sizeof(*s->ports));
	return other;
}

static void done(void *settings)
{
	free(((struct host_settings *)settings)->ports);
	free(settings);
}

static bool same(const void *one, const void *other)
{
	const struct host_settings *a = one, *b = other;

	return !memcmp(&a->host, &b->host, sizeof(a->host)) && !memcmp(a->ports, b->ports, a->n * sizeof(*a->ports));
}

static void put(struct fabric *f, struct lab_device *d, const void *settings)
{
	const struct host_settings *s = settings;

	d->job.is_without_peermem = s->host.is_without_peermem;
	d->job.is_without_uverbs = s->host.is_without_uverbs;
	d->tcp_ecn = s->host.tcp_ecn;
	d->bond_mtu = s->host.bond_mtu;
	for (size_t i = 0; i < s->n; i++) {
		f->ports[d->first + i].nic = s->ports[i].nic;
		f->ports[d->first + i].harm.is_down = s->ports[i].is_down;
	}
}

static void merge_words(uint32_t *to, const uint32_t *was, const uint32_t *now, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*to); i++)
		if (was[i] != now[i])
			to[i] = now[i];
}

static void merge(void *boot, const void *was, const void *now)
{
	struct host_settings *to = boot;
	const struct host_settings *from = was, *by = now;

	merge_words((uint32_t *)&to->host, (const uint32_t *)&from->host, (const uint32_t *)&by->host, sizeof(to->host));
	merge_words((uint32_t *)to->ports, (const uint32_t *)from->ports, (const uint32_t *)by->ports, to->n * sizeof(*to->ports));
}

/* -- as tools show it -- */

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

static bool all_reads_same(const void *one, const void *other)
{
	const struct host_settings *a = one, *b = other;

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

static void print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	(void)is_saved;
	for (unsigned i = 0; i < d->n; i++)
		print_port(&f->ports[d->first + i], out);
	buf_printf(out, "module nvidia_peermem %s\nmodule ib_uverbs %s\n", d->job.is_without_peermem ? "missing" : "loaded",
		   d->job.is_without_uverbs ? "missing" : "loaded");
	buf_printf(out, "sysctl net.ipv4.tcp_ecn = %u\n", d->tcp_ecn);
	if (d->has_bond)
		buf_printf(out, "bond0 mtu = %u\n", d->bond_mtu);
}

const struct lab_settings lab_linux_settings = {
	.take = take, .copy = copy, .free = done, .same = same, .reads_same = all_reads_same, .put = put, .merge = merge,
	.print = print,
};
