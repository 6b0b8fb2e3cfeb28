/* A ring of two leaves and two spines, and the routes around it: down and up again, as nobody plans them. */
#include "remote/lab/world/ring.h"

static const struct lab_port *port_to(const struct fabric *f, const struct lab_device *d, const struct lab_device *to)
{
	for (size_t i = d->first; i < d->first + d->n; i++)
		if (f->ports[i].peer >= 0 && port_peer(f, &f->ports[i]) && port_device(f, port_peer(f, &f->ports[i])) == to)
			return &f->ports[i];
	return NULL;
}

static bool has_hosts(const struct fabric *f, const struct lab_device *d)
{
	for (size_t i = d->first; i < d->first + d->n; i++)
		if (f->ports[i].peer >= 0 && port_is_host(f, port_peer(f, &f->ports[i])))
			return true;
	return false;
}

/* Up to two switches without hosts that have cables to both. */
static unsigned spines_of(const struct fabric *f, const struct lab_device *a, const struct lab_device *b,
			  const struct lab_device *spines[2])
{
	unsigned n = 0;

	for (size_t i = 0; i < f->n_devices && n < 2; i++) {
		const struct lab_device *d = &f->devices[i];

		if (d->system->is_switch && !has_hosts(f, d) && port_to(f, a, d) && port_to(f, b, d))
			spines[n++] = d;
	}
	return n;
}

static bool is_leaf(const struct fabric *f, const struct lab_device *d)
{
	return d->system->is_switch && has_hosts(f, d);
}

/* The ports that packets leave by, from a leaf around to it again; false: no two leaves with hosts share two spines. */
static bool find_ring(const struct fabric *f, const struct lab_port *ring[4])
{
	const struct lab_device *spines[2];

	for (size_t i = 0; i < f->n_devices; i++)
		for (size_t k = i + 1; k < f->n_devices && is_leaf(f, &f->devices[i]); k++) {
			const struct lab_device *a = &f->devices[i], *b = &f->devices[k];

			if (!is_leaf(f, b) || spines_of(f, a, b, spines) < 2)
				continue;
			ring[0] = port_to(f, a, spines[0]);
			ring[1] = port_to(f, spines[0], b);
			ring[2] = port_to(f, b, spines[1]);
			ring[3] = port_to(f, spines[1], a);
			return true;
		}
	return false;
}

bool ring_begins_at(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_port *ring[4];

	return find_ring(f, ring) && port_device(f, ring[0]) == port_device(f, p);
}

void ring_route(struct fabric *f, const struct lab_flow *flow)
{
	const struct lab_port *from = &f->ports[flow->from], *to = &f->ports[flow->to], *ring[4];
	unsigned way[6] = { from->sim }, begin;

	if (flow->is_tcp || from->peer < 0 || to->peer < 0 || port_device(f, port_peer(f, from)) != port_device(f, port_peer(f, to)) ||
	    !find_ring(f, ring))
		return;
	if (port_device(f, port_peer(f, from)) == port_device(f, ring[0]))
		begin = 0;
	else if (port_device(f, port_peer(f, from)) == port_device(f, ring[2]))
		begin = 2;
	else
		return;
	for (unsigned i = 0; i < 4; i++)
		way[1 + i] = ring[(begin + i) % 4]->sim;
	way[5] = port_peer(f, to)->sim;
	sim_flow_route(f->sim, flow->handle, way, 6);
}

void ring_routes(struct fabric *f, bool on)
{
	f->is_ring = on;
	for (size_t i = 0; i < f->n_flows; i++)
		if (f->flows[i].is_mute)
			continue;
		else if (on)
			ring_route(f, &f->flows[i]);
		else
			sim_flow_route(f->sim, f->flows[i].handle, NULL, 0);
}
