/* Routes of flows through the fabric, and which ports can be simulated apart from the others. */
#include "core/sim/internal.h"

#include <stdlib.h>

#define FAR	UINT32_MAX

static bool is_up(const struct sim_port *p)
{
	return p->peer && p->rate > 0;
}

/* Hops from each device to the target, through switches only. */
static void measure(const struct sim *s, unsigned target, unsigned *distance)
{
	unsigned *queue = xcalloc(s->n_devices + 1, sizeof(*queue));
	size_t first = 0, n = 0;

	for (size_t i = 0; i < s->n_devices; i++)
		distance[i] = FAR;
	distance[target] = 0;
	queue[n++] = target;
	while (first < n) {
		const struct sim_device *d = &s->devices[queue[first]];
		unsigned at = queue[first++];

		for (size_t i = 0; i < d->n_ports; i++) {
			const struct sim_port *p = s->ports[d->ports[i]];

			if (!is_up(p) || !p->peer->is_switch || distance[p->peer->device] != FAR)
				continue;
			distance[p->peer->device] = distance[at] + 1;
			queue[n++] = p->peer->device;
		}
	}
	free(queue);
}

/* One of the ports that lead nearer, by hash; parallel links count each. */
static struct sim_port *nearer(const struct sim *s, unsigned device, const unsigned *distance, uint64_t hash)
{
	const struct sim_device *d = &s->devices[device];
	size_t n = 0;

	for (int round = 0; round < 2; round++) {
		uint64_t state = hash + device;
		size_t wanted = round && n ? random_next(&state) % n : 0, seen = 0;

		for (size_t i = 0; i < d->n_ports; i++) {
			struct sim_port *p = s->ports[d->ports[i]];

			if (!is_up(p) || !p->peer->is_switch || distance[p->peer->device] >= distance[device])
				continue;
			if (round && seen == wanted)
				return p;
			seen++;
		}
		n = seen;
	}
	return NULL;
}

/* The egress ports from one host port to another; how many, 0 when there is no way. */
static unsigned find_path(const struct sim *s, struct sim_port *from, struct sim_port *to, uint64_t hash,
			  struct sim_port **path)
{
	unsigned n = 0, *distance;
	struct sim_port *at = from;

	if (!is_up(from) || !is_up(to))
		return 0;
	distance = xcalloc(s->n_devices, sizeof(*distance));
	measure(s, to->peer->device, distance);
	path[n++] = from;
	while (at->peer != to) {
		unsigned device = at->peer->device;

		at = n == MAX_HOPS || !at->peer->is_switch || distance[device] == FAR ? NULL :
		     distance[device] == 0 ? to->peer : nearer(s, device, distance, hash);
		if (!at) {
			n = 0;
			break;
		}
		path[n++] = at;
	}
	free(distance);
	return n;
}

/* The way that was given; none while it does not join up. */
static unsigned given_path(const struct flow *f, const struct sim_port *from, const struct sim_port *to,
			   struct sim_port **path)
{
	unsigned n = f->n_route;

	for (unsigned i = 0; i < n; i++) {
		path[i] = f->route[i];
		if (!is_up(path[i]) || (i ? path[i]->device != path[i - 1]->peer->device : path[i] != from))
			return 0;
	}
	return path[n - 1]->peer == to ? n : 0;
}

static void forget_path(struct flow *f)
{
	for (unsigned i = 0; i < f->n_hops; i++) {
		f->wasted += f->hops[i].backlog;
		queue_forget(f->hops[i].port, f->id);
	}
	for (unsigned i = 0; i < f->n_back; i++)
		queue_forget(f->back[i], f->id);
	f->n_hops = f->n_back = 0;
	f->in_gap = f->has_loss = false;
	f->loss_ns = 0;
}

static bool same_path(struct sim_port **a, unsigned n_a, struct sim_port **b, unsigned n_b)
{
	return n_a == n_b && !memcmp(a, b, n_a * sizeof(*a));
}

/* A flow that was at line rate stays so when the line changes. */
static void fit_rate(struct flow *f, double line_bps)
{
	f->rp.line_bps = line_bps;
	if (f->rp.timer_ns == NEVER)
		f->rp.target_bps = f->rp.rate_bps = line_bps;
	f->rp.target_bps = least(f->rp.target_bps, line_bps);
	f->rp.rate_bps = least(f->rp.rate_bps, line_bps);
}

static void find_paths(struct sim *s, struct flow *f)
{
	struct sim_port *path[MAX_HOPS], *back[MAX_HOPS], *old[MAX_HOPS];
	struct sim_port *from = s->ports[f->is.from], *to = s->ports[f->is.to];
	uint64_t hash = s->seed * 31 + f->id;
	unsigned n = f->n_route ? given_path(f, from, to, path) : find_path(s, from, to, hash, path);
	unsigned n_back = n ? find_path(s, to, from, hash, back) : 0;

	if (n)
		fit_rate(f, from->rate * 8e9);
	for (unsigned i = 0; i < f->n_hops; i++)
		old[i] = f->hops[i].port;
	if (same_path(old, f->n_hops, path, n) && same_path(f->back, f->n_back, back, n_back))
		return;
	forget_path(f);
	f->n_hops = n;
	f->n_back = n_back;
	for (unsigned i = 0; i < n_back; i++)
		f->back[i] = back[i];
	for (unsigned i = 0; i < n; i++)
		f->hops[i] = (struct stream){
			.flow = f, .port = path[i], .next = i + 1 < n ? &f->hops[i + 1] : NULL,
			.mark_left = random_exponential(&f->random), .damage_left = random_exponential(&f->random) };
}

static unsigned prio_of(const struct sim_port *p, unsigned dscp)
{
	return p->qos.dscp_prio[dscp % 64] % SIM_PRIOS;
}

static unsigned queue_of(const struct sim_port *p, unsigned prio)
{
	return p->qos.prio_queue[prio] % SIM_PRIOS;
}

static void add_stream(struct stream ***list, size_t *n, size_t *cap, struct stream *st)
{
	*GROW(*list, *n, *cap) = st;
	++*n;
}

/* Which queue, priority and ingress group a flow has at one hop: what its ingress port trusts decides. */
static void classify_hop(struct flow *f, unsigned hop)
{
	struct stream *st = &f->hops[hop];
	struct sim_port *in = hop ? f->hops[hop - 1].port->peer : st->port, *far = st->port->peer;
	unsigned lane;

	st->prio = (uint8_t)prio_of(in, f->is.dscp);
	st->peer_prio = (uint8_t)prio_of(far, f->is.dscp);
	st->queue = (uint8_t)queue_of(st->port, st->prio);
	st->is_too_big = (f->is.wire_bytes ? f->is.packet_bytes : f->packet_bytes) + (f->is.is_tcp ? 0 : HEADER_BYTES) > far->qos.mtu;
	lane = in->qos.pause_tx ? ALL_PRIOS : st->prio;
	st->group = hop ? &in->groups[lane] : NULL;
	st->is_lossless = hop && port_sends_pause(in, lane);
	if (st->group)
		add_stream(&st->group->streams, &st->group->n_streams, &st->group->cap_streams, st);
	st->sink = !st->next && far->qos.drain_bps > 0 ? &far->groups[st->peer_prio] : NULL;
	add_stream(&st->port->streams, &st->port->n_streams, &st->port->cap_streams, st);
}

static void classify_back(struct flow *f)
{
	unsigned dscps[2] = { f->n_back ? f->back[0]->qos.cnp_dscp : 0, f->is.dscp };

	for (unsigned i = 0; i < f->n_back; i++) {
		for (unsigned k = 0; k < 2; k++) {
			const struct sim_port *in = i ? f->back[i - 1]->peer : f->back[i];
			unsigned prio = prio_of(in, dscps[k]);

			f->back_prio[i][k] = (uint8_t)prio;
			f->back_queue[i][k] = (uint8_t)queue_of(f->back[i], prio);
			f->back_peer_prio[i][k] = (uint8_t)prio_of(f->back[i]->peer, dscps[k]);
		}
	}
}

/* The queues hold what the flows that now go through them have waiting. */
static void settle_queues(struct sim_port *p)
{
	double held[SIM_PRIOS] = { 0 };

	for (size_t i = 0; i < p->n_streams; i++)
		held[p->streams[i]->queue] += p->streams[i]->backlog;
	p->backlog = 0;
	p->n_used = 0;
	p->is_open = false;
	for (size_t i = 0; i < p->n_streams; i++)
		queue_use(p, p->streams[i]->queue);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		struct sim_queue *q = &p->queues[i];
		double more;

		if (q->n > q->first)
			queue_use(p, i);

		q->backlog = held[i];
		q->control = least((double)q->n_control * CONTROL_BYTES, q->control);
		more = q->backlog + q->control - (q->arrived - q->departed);
		if (more > 0)
			q->arrived += more;
		else
			q->departed -= more;
		p->backlog += q->backlog + q->control;
	}
}

static void classify(struct sim *s)
{
	s->packet_bytes = 0;
	for (size_t i = 0; i < s->n_ports; i++) {
		s->ports[i]->n_streams = 0;
		for (unsigned l = 0; l < LANES; l++)
			s->ports[i]->groups[l].n_streams = 0;
	}
	for (size_t i = 0; i < s->n_flows; i++) {
		struct flow *f = live_flow(s, i);

		if (!f)
			continue;
		if (f->packet_bytes > s->packet_bytes)
			s->packet_bytes = f->packet_bytes;
		for (unsigned h = 0; h < f->n_hops; h++)
			classify_hop(f, h);
		classify_back(f);
	}
	for (size_t i = 0; i < s->n_ports; i++) {
		settle_queues(s->ports[i]);
		for (unsigned l = 0; l < LANES; l++)
			group_watch(&s->ports[i]->groups[l], s, s->now_ns);
	}
}

/* Union-find over ports. */
static unsigned root(unsigned *parent, unsigned i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

static void join(unsigned *parent, const struct sim_port *a, const struct sim_port *b)
{
	unsigned x = root(parent, a->id), y = root(parent, b->id);

	if (x < y)
		parent[y] = x;
	else
		parent[x] = y;
}

static void join_paths(const struct sim *s, unsigned *parent)
{
	for (size_t i = 0; i < s->n_ports; i++)
		if (s->ports[i]->peer)
			join(parent, s->ports[i], s->ports[i]->peer);
	for (size_t i = 0; i < s->n_flows; i++) {
		const struct flow *f = live_flow(s, i);

		if (!f)
			continue;
		for (unsigned h = 1; h < f->n_hops; h++)
			join(parent, f->hops[0].port, f->hops[h].port);
		for (unsigned h = 0; h < f->n_back; h++)
			join(parent, f->hops[0].port, f->back[h]);
	}
}

static bool group_is_live(const struct group *g)
{
	if (g->lane < SIM_PRIOS && g->port->qos.storm[g->lane])
		return true;
	if (!g->port->is_switch && g->port->qos.drain_bps > 0)
		return true;
	return g->n_streams > 0 || g->bytes > 0 || g->refresh_ns != NEVER;
}

static bool port_is_live(const struct sim_port *p)
{
	if (!p->peer)
		return false;
	for (unsigned l = 0; l < LANES; l++)
		if (group_is_live(&p->groups[l]))
			return true;
	return p->n_streams > 0 || p->waiting > 0 || port_is_held(p);
}

/*
 * A port comes after all that feed it: a step carries bytes through. Paths up and down a tree have no circle; of given
 * ones that have, some port comes first.
 */
static void rank_ports(struct sim *s)
{
	bool moved = true;

	for (size_t i = 0; i < s->n_ports; i++)
		s->ports[i]->rank = 0;
	for (int round = 0; round < 2 * MAX_HOPS && moved; round++) {
		moved = false;
		for (size_t i = 0; i < s->n_flows; i++) {
			const struct flow *f = live_flow(s, i);

			for (unsigned h = 1; f && h < f->n_hops; h++) {
				struct sim_port *a = f->hops[h - 1].port, *b = f->hops[h].port;

				if (b->rank <= a->rank) {
					b->rank = a->rank + 1;
					moved = true;
				}
			}
		}
	}
}

static int by_rank(const void *a, const void *b)
{
	const struct sim_port *x = *(struct sim_port *const *)a, *y = *(struct sim_port *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

/* Numbers, from 1, the islands that have anything live; 0 for ports of the others. */
static void number_islands(struct sim *s)
{
	unsigned *parent = xcalloc(s->n_ports, sizeof(*parent)), *number = xcalloc(s->n_ports, sizeof(*number));

	for (unsigned i = 0; i < s->n_ports; i++)
		parent[i] = i;
	join_paths(s, parent);
	for (size_t i = 0; i < s->n_ports; i++) {
		unsigned at = root(parent, s->ports[i]->id);

		if (port_is_live(s->ports[i]) && !number[at])
			number[at] = (unsigned)++s->n_islands;
	}
	for (size_t i = 0; i < s->n_ports; i++)
		s->ports[i]->island = number[root(parent, s->ports[i]->id)];
	free(parent);
	free(number);
}

static void fill_islands(struct sim *s)
{
	for (size_t i = 0; i < s->n_ports; i++) {
		struct sim_port *p = s->ports[i];
		struct island *is = &s->islands[p->island - 1];

		if (!p->island)
			continue;
		*GROW(is->ports, is->n_ports, is->cap_ports) = p;
		is->n_ports++;
		for (unsigned l = 0; l < LANES; l++) {
			if (!group_is_live(&p->groups[l]) || !p->peer)
				continue;
			*GROW(is->groups, is->n_groups, is->cap_groups) = &p->groups[l];
			is->n_groups++;
		}
	}
	for (size_t i = 0; i < s->n_flows; i++) {
		struct flow *f = live_flow(s, i);
		struct island *is = f && f->n_hops ? &s->islands[f->hops[0].port->island - 1] : NULL;

		if (!is)
			continue;
		*GROW(is->flows, is->n_flows, is->cap_flows) = f;
		is->n_flows++;
	}
	for (size_t i = 0; i < s->n_islands; i++)
		qsort(s->islands[i].ports, s->islands[i].n_ports, sizeof(struct sim_port *), by_rank);
}

void sim_drop_islands(struct sim *s)
{
	for (size_t i = 0; i < s->n_islands; i++) {
		free(s->islands[i].ports);
		free(s->islands[i].flows);
		free(s->islands[i].groups);
		free(s->islands[i].heap);
	}
	free(s->islands);
	s->islands = NULL;
	s->n_islands = 0;
}

/* What was on its way back when the islands changed still arrives. */
static void keep_feedback(struct sim *s, const struct island *old, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < old[i].n_heap; j++) {
			const struct flow *f = live_flow(s, old[i].heap[j].flow);

			if (f && f->n_hops)
				feedback_push(&s->islands[f->hops[0].port->island - 1], old[i].heap[j]);
		}
	}
}

/* The ports still list its streams; classify() comes before anybody looks. */
static void bury(struct sim *s, size_t i)
{
	if (s->flows[i])
		forget_path(s->flows[i]);
	free(s->flows[i]);
	s->flows[i] = NULL;
}

void sim_make_islands(struct sim *s)
{
	struct sim old = { .islands = s->islands, .n_islands = s->n_islands };

	for (size_t i = 0; i < s->n_flows; i++) {
		if (!live_flow(s, i))
			bury(s, i);
		else if (s->is_rerouted)
			find_paths(s, s->flows[i]);
	}
	classify(s);
	rank_ports(s);
	s->n_islands = 0;
	number_islands(s);
	s->islands = xcalloc(s->n_islands, sizeof(*s->islands));
	for (size_t i = 0; i < s->n_islands; i++)
		s->islands[i] = (struct island){ .now_ns = s->now_ns, .step_ns = 1000, .sim = s };
	fill_islands(s);
	keep_feedback(s, old.islands, old.n_islands);
	sim_drop_islands(&old);
	s->is_rerouted = s->is_moved = false;
}
