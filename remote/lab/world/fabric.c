#include "remote/lab/world/fabric.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/world/skins.h"

#define CABLE_NS	25	/* 5 m */
#define PARTS		4	/* of a socket that is broken out */

struct fabric *fabric_new(uint64_t seed, unsigned lens)
{
	struct fabric *f = xcalloc(1, sizeof(*f));

	f->seed = seed;
	f->lens = lens ? lens : 1;
	f->sim = sim_new(seed);
	snprintf(f->name, sizeof(f->name), "lab");
	snprintf(f->traffic, sizeof(f->traffic), "off");
	return f;
}

void fabric_free(struct fabric *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_devices; i++)
		if (f->devices[i].own)
			f->devices[i].system->done(&f->devices[i]);
	for (size_t i = 0; i < f->n_ports; i++)
		free(f->ports[i].counting);
	free(f->devices);
	free(f->ports);
	free(f->flows);
	sim_free(f->sim);
	free(f);
}

struct lab_device *fabric_device(struct fabric *f, struct span name)
{
	for (size_t i = 0; i < f->n_devices; i++)
		if (span_is(name, f->devices[i].name))
			return &f->devices[i];
	return NULL;
}

struct lab_port *fabric_port(struct fabric *f, const struct lab_device *d, struct span name)
{
	for (unsigned i = 0; i < d->n; i++)
		if (span_is(name, f->ports[d->first + i].name))
			return &f->ports[d->first + i];
	return NULL;
}

/* By its own switch's configuration. */
static bool is_shut(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_device *d = port_device(f, p);

	return d->own && d->system->is_shut(d, p);
}

bool port_is_up(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_port *peer = port_peer(f, p);

	if (f->now_us < p->down_until_us || (peer && f->now_us < peer->down_until_us))
		return false;
	return peer && !p->harm.is_down && !peer->harm.is_down && !is_shut(f, p) && !is_shut(f, peer);
}

struct lab_device *fabric_add_device(struct fabric *f, struct span name, const struct lab_system *system, struct span rack)
{
	struct lab_device *d = GROW(f->devices, f->n_devices, f->cap_devices);
	unsigned number = f->n_devices++;

	snprintf(d->name, sizeof(d->name), "%.*s", (int)name.n, name.p);
	snprintf(d->rack, sizeof(d->rack), "%.*s", (int)rack.n, rack.p);
	snprintf(d->mac, sizeof(d->mac), "90:b1:1c:%02x:%02x:00", (number >> 8) & 255, number & 255);
	d->system = system;
	d->number = number;
	d->tcp_ecn = 2;
	d->first = f->n_ports;
	return d;
}

/* What a host's port has besides: a NIC with its RDMA device, on the rail of its number. */
static void equip_host(struct lab_port *p)
{
	host_port_lossless(&p->nic);
	snprintf(p->rdma, sizeof(p->rdma), "mlx5_%u", p->number - 1);
	p->rail = p->number - 1;
	p->ip = (10u << 24) | ((100 + p->number) << 16) | (p->device + 1);
}

unsigned fabric_add_port(struct fabric *f, uint64_t speed_bps)
{
	struct lab_device *d = &f->devices[f->n_devices - 1];
	const struct lab_system *system = d->system;
	struct lab_port *p = GROW(f->ports, f->n_ports, f->cap_ports);
	unsigned at = f->n_ports++, number = ++d->n;

	p->device = d - f->devices;
	p->number = number;
	p->peer = p->planned = p->rail = p->link_peer = -1;
	p->speed_bps = speed_bps;
	snprintf(p->name, sizeof(p->name), "%s%u", system->port_prefix, system->port_first + (number - 1) * system->port_step);
	snprintf(p->mac, sizeof(p->mac), "%s:%02x:%02x:%02x", system->mac_prefix, (p->device >> 8) & 255, p->device & 255, number);
	if (!system->is_switch)
		equip_host(p);
	return at;
}

void fabric_plan_cable(struct fabric *f, unsigned a, unsigned b)
{
	f->ports[a].planned = b;
	f->ports[b].planned = a;
	f->ports[a].peer = b;
	f->ports[b].peer = a;
	if (f->ports[a].rail >= 0)
		f->ports[b].rail = f->ports[a].rail;
}

void fabric_bond(struct fabric *f, struct lab_device *d)
{
	if (d->n < 2)
		return;
	d->has_bond = true;
	for (unsigned i = 0; i < 2; i++) {
		struct lab_port *p = &f->ports[d->first + i];

		p->is_member = true;
		snprintf(p->rdma, sizeof(p->rdma), "mlx5_bond_0");
	}
}

static void name_port(const struct lab_system *system, struct lab_port *p)
{
	unsigned base = system->port_first + (p->front - 1) * system->port_step;

	if (p->lane && system->port_part)
		snprintf(p->name, sizeof(p->name), "%s%u%s%u", system->port_prefix, base, system->port_part, p->lane);
	else
		snprintf(p->name, sizeof(p->name), "%s%u", system->port_prefix, p->lane ? base + p->lane - 1 : base);
}

/* Hosts hang at parts of sockets where the switch is broken out, four to each; other switches have sockets of their own. */
static void break_out(struct fabric *f, const struct lab_device *d)
{
	unsigned front = 0, lane = 0;

	for (unsigned k = 0; k < d->n; k++) {
		struct lab_port *p = &f->ports[d->first + k];
		bool is_part = wears(d, SKIN_BREAKOUT) && p->rail >= 0;

		lane = is_part ? lane % PARTS + 1 : 0;
		front += lane < 2;
		p->front = front;
		p->lane = lane;
		if (d->system->is_switch)
			name_port(d->system, p);
	}
}

void fabric_start(struct fabric *f)
{
	for (size_t i = 0; i < f->n_devices; i++) {
		struct lab_device *d = &f->devices[i];
		unsigned id = sim_add_device(f->sim, d->system->is_switch);

		break_out(f, d);
		if (d->system->configure)
			d->system->configure(f, d);
		for (unsigned k = 0; k < d->n; k++) {
			struct lab_port *p = &f->ports[d->first + k];
			struct sim_qos qos;

			sim_qos_lossless(&qos, p->speed_bps, d->system->is_switch);
			p->sim = sim_add_port(f->sim, id, &qos);
		}
	}
	for (size_t i = 0; i < f->n_ports; i++)
		if (f->ports[i].peer > (int)i)
			sim_link(f->sim, f->ports[i].sim, f->ports[f->ports[i].peer].sim, CABLE_NS);
	fabric_refresh(f, NULL);
}

void fabric_cable(struct fabric *f, struct lab_port *a, struct lab_port *b)
{
	struct lab_port *ends[2] = { a, b };

	for (unsigned i = 0; i < 2; i++) {
		if (!ends[i] || ends[i]->peer < 0)
			continue;
		sim_unlink(f->sim, ends[i]->sim);
		f->ports[ends[i]->peer].peer = -1;
		ends[i]->peer = -1;
	}
	if (b) {
		a->peer = b - f->ports;
		b->peer = a - f->ports;
		sim_link(f->sim, a->sim, b->sim, CABLE_NS);
	}
	fabric_refresh(f, NULL);
}
