#include "core/sim/internal.h"

#include <math.h>
#include <stdlib.h>

#define STEP_BUSY_NS	5000	/* well below the loop of mark, CNP and cut; measured against the packet-level table */
#define STEP_QUIET_NS	16000	/* nothing waits anywhere */
#define STEP_START_NS	1000	/* a burst begins at line rate */
#define WINDOW_BYTES	16e6	/* what a sender has unacknowledged: our choice, some NCCL chunks on all channels */

uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double random_exponential(uint64_t *state)
{
	return -log(((double)(random_next(state) >> 11) + 0.5) * 0x1p-53);
}

struct sim *sim_new(uint64_t seed)
{
	struct sim *s = xcalloc(1, sizeof(*s));

	s->seed = seed;
	return s;
}

static void port_free(struct sim_port *p)
{
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		free(p->queues[i].tokens);
	for (unsigned l = 0; l < LANES; l++)
		free(p->groups[l].streams);
	free(p->streams);
	free(p->turns);
	free(p);
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	sim_drop_islands(s);
	for (size_t i = 0; i < s->n_devices; i++)
		free(s->devices[i].ports);
	for (size_t i = 0; i < s->n_ports; i++)
		port_free(s->ports[i]);
	for (size_t i = 0; i < s->n_flows; i++)
		free(s->flows[i]);
	free(s->devices);
	free(s->ports);
	free(s->flows);
	free(s);
}

unsigned sim_add_device(struct sim *s, bool is_switch)
{
	GROW(s->devices, s->n_devices, s->cap_devices)->is_switch = is_switch;
	return (unsigned)s->n_devices++;
}

unsigned sim_add_port(struct sim *s, unsigned device, const struct sim_qos *qos)
{
	struct sim_port *p = xcalloc(1, sizeof(*p));
	struct sim_device *d = &s->devices[device];

	p->id = (unsigned)s->n_ports;
	p->device = device;
	p->is_switch = d->is_switch;
	p->qos = *qos;
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		p->queues[i].stopped_ns = NEVER;
	for (unsigned l = 0; l < LANES; l++) {
		p->groups[l].port = p;
		p->groups[l].lane = (uint8_t)l;
		p->groups[l].refresh_ns = NEVER;
	}
	*GROW(s->ports, s->n_ports, s->cap_ports) = p;
	s->n_ports++;
	*GROW(d->ports, d->n_ports, d->cap_ports) = p->id;
	d->n_ports++;
	return p->id;
}

/* Nothing is paused on a link that is down, and nobody waits for its XON. */
static void calm(struct sim_port *p)
{
	p->stops = 0;
	p->first_turn = p->n_turns = 0;
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		p->queues[i].stopped_ns = NEVER;
	for (unsigned l = 0; l < LANES; l++)
		p->groups[l].refresh_ns = NEVER;
}

/* Both ends at the speed they share, or down. */
static void train(struct sim *s, struct sim_port *p)
{
	struct sim_port *far = p->peer;
	bool was_up = p->rate > 0, up = far && p->qos.up && far->qos.up && p->qos.speed_bps && far->qos.speed_bps;
	double bps = up ? least((double)p->qos.speed_bps, (double)far->qos.speed_bps) : 0;

	if (bps / 8e9 == p->rate)
		return;
	p->rate = bps / 8e9;
	p->counters.link_downs += was_up && !up;
	if (!up)
		calm(p);
	s->is_rerouted = s->is_moved = true;
	if (far)
		train(s, far);
}

void sim_link(struct sim *s, unsigned port, unsigned other, uint32_t delay_ns)
{
	struct sim_port *a = s->ports[port], *b = s->ports[other];

	sim_unlink(s, port);
	sim_unlink(s, other);
	a->peer = b;
	b->peer = a;
	a->delay_ns = b->delay_ns = delay_ns;
	train(s, a);
}

/* What crosses a link is RDMA; to NULL: nobody is there. */
static void count_rdma(struct sim_port *from, struct sim_port *to, uint64_t bytes, uint64_t packets)
{
	from->counters.rdma_tx_bytes += bytes;
	from->counters.rdma_tx_packets += packets;
	if (!to)
		return;
	to->counters.rdma_rx_bytes += bytes;
	to->counters.rdma_rx_packets += packets;
}

void count_control(struct sim_port *from, unsigned prio, unsigned far_prio, uint64_t packets, unsigned bytes_each)
{
	struct sim_counters *c = &from->counters, *far = &from->peer->counters;

	c->tx_bytes[prio] += packets * bytes_each;
	c->tx_packets[prio] += packets;
	c->tx_control[prio] += packets;
	c->rdma_tx_control += packets;
	far->rx_bytes[far_prio] += packets * bytes_each;
	far->rx_packets[far_prio] += packets;
	far->rx_control[far_prio] += packets;
	far->rdma_rx_control += packets;
	count_rdma(from, from->peer, packets * bytes_each, packets);
}

/* ACKs are counted and not simulated: they are too few to matter to anything else. */
static void count_acks(struct flow *f)
{
	uint64_t acks = (uint64_t)(f->delivered / f->packet_bytes / f->is.packets_per_ack) - f->counted_acks;

	f->counted_acks += acks;
	for (unsigned i = 0; i < f->n_back; i++)
		if (f->back[i]->peer)
			count_control(f->back[i], f->back_prio[i][1], f->back_peer_prio[i][1], acks, ACK_BYTES);
}

/* Byte counters are kept with the flows and added to the ports' when somebody looks or a port changes. */
void flow_count(struct flow *f)
{
	for (unsigned i = 0; i < f->n_hops; i++) {
		struct stream *st = &f->hops[i];
		struct sim_port *p = st->port, *far = p->peer;
		uint64_t bytes = (uint64_t)st->sent - st->counted_bytes;
		uint64_t packets = (uint64_t)(st->sent / f->packet_bytes) - st->counted_packets;

		st->counted_bytes += bytes;
		st->counted_packets += packets;
		p->counters.tx_bytes[st->prio] += bytes;
		p->counters.tx_packets[st->prio] += packets;
		if (!f->is.is_tcp)
			count_rdma(p, far, bytes, packets);
		if (!far)
			continue;
		far->counters.rx_bytes[st->peer_prio] += bytes;
		far->counters.rx_packets[st->peer_prio] += packets;
	}
	if (f->is.packets_per_ack)
		count_acks(f);
}

static void count_all(struct sim *s)
{
	for (size_t i = 0; i < s->n_flows; i++)
		if (live_flow(s, i))
			flow_count(s->flows[i]);
}

void sim_unlink(struct sim *s, unsigned port)
{
	struct sim_port *a = s->ports[port], *b = a->peer;

	if (!b)
		return;
	count_all(s);
	a->peer = b->peer = NULL;
	train(s, a);
	train(s, b);
}

const struct sim_qos *sim_qos(const struct sim *s, unsigned port)
{
	return &s->ports[port]->qos;
}

void sim_set_qos(struct sim *s, unsigned port, const struct sim_qos *qos)
{
	struct sim_port *p = s->ports[port];

	if (!memcmp(&p->qos, qos, sizeof(*qos)))
		return;
	count_all(s);
	p->qos = *qos;
	for (unsigned l = 0; l < LANES; l++)
		if (!port_obeys_pause(p, l))
			p->stops &= ~(1u << l);
	s->is_moved = true;
	train(s, p);
}

static unsigned free_handle(struct sim *s)
{
	for (unsigned i = 0; i < s->n_flows; i++)
		if (!s->flows[i])
			return i;
	*GROW(s->flows, s->n_flows, s->cap_flows) = NULL;
	return (unsigned)s->n_flows++;
}

unsigned sim_flow_add(struct sim *s, const struct sim_flow *flow)
{
	struct flow *f = xcalloc(1, sizeof(*f));
	const struct sim_port *from = s->ports[flow->from];

	f->id = free_handle(s);
	f->is = *flow;
	f->is_live = f->is_on = true;
	f->packet_bytes = flow->packet_bytes ? most(flow->packet_bytes, 64) : 1000;
	if (flow->wire_bytes)
		f->packet_bytes = most(flow->wire_bytes, 64);
	s->has_acks = s->has_acks || flow->packets_per_ack;
	f->cnp_ns = DCQCN_NO_CNP;
	f->change_ns = flow->off_ms > 0 ? s->now_ns + (int64_t)(most(flow->on_ms, 0.001) * 1e6) : NEVER;
	f->progress_ns = s->now_ns;
	f->random = s->seed;
	f->random = random_next(&f->random) ^ (f->id * UINT64_C(0x9e3779b97f4a7c15));
	dcqcn_rp_init(&f->rp, (double)from->qos.speed_bps, s->now_ns);
	if (from->qos.dcqcn.alpha_start > 0)
		f->rp.alpha = from->qos.dcqcn.alpha_start;
	s->flows[f->id] = f;
	s->is_rerouted = s->is_moved = true;
	return f->id;
}

void sim_flow_route(struct sim *s, unsigned flow, const unsigned *ports, unsigned n)
{
	struct flow *f = live_flow(s, flow);

	if (!f || n > MAX_HOPS)
		return;
	for (unsigned i = 0; i < n; i++)
		f->route[i] = s->ports[ports[i]];
	f->n_route = n;
	s->is_rerouted = s->is_moved = true;
}

void sim_flow_end(struct sim *s, unsigned flow)
{
	struct flow *f = live_flow(s, flow);

	if (!f)
		return;
	flow_count(f);
	f->is_live = false;
	s->is_moved = true;
}

double sim_flow_rate(const struct sim *s, unsigned flow)
{
	const struct flow *f = live_flow(s, flow);

	return f ? f->rp.rate_bps : 0;
}

double sim_flow_alpha(const struct sim *s, unsigned flow)
{
	const struct flow *f = live_flow(s, flow);

	return f ? dcqcn_rp_alpha(&f->rp, &s->ports[f->is.from]->qos.dcqcn, s->now_ns) : 0;
}

uint64_t sim_flow_bytes(const struct sim *s, unsigned flow)
{
	const struct flow *f = live_flow(s, flow);

	return f ? (uint64_t)f->delivered : 0;
}

uint64_t sim_flow_sent(const struct sim *s, unsigned flow)
{
	const struct flow *f = live_flow(s, flow);

	return f ? (uint64_t)f->sent : 0;
}

/* What a flow offers in this step. */
static void inject(struct island *is, struct flow *f, double step_ns)
{
	const struct dcqcn *d = &f->hops[0].port->qos.dcqcn;
	double rate, window;

	dcqcn_rp_timer(&f->rp, d, is->now_ns);
	sender_timeout(f, is->now_ns);
	while (is->now_ns >= f->change_ns) {
		f->is_on = !f->is_on;
		f->change_ns += (int64_t)(most(f->is_on ? f->is.on_ms : f->is.off_ms, 0.001) * 1e6);
	}
	if (!f->is_on)
		return;
	rate = f->rp.rate_bps / 8e9;
	if (f->is.demand_bps > 0)
		rate = least(rate, f->is.demand_bps / 8e9);
	if (d->max_bps > 0)
		rate = least(rate, d->max_bps / 8e9);
	window = WINDOW_BYTES - (f->sent - f->delivered - f->wasted);
	if (f->wasted - f->told_wasted > WINDOW_BYTES)
		window = 0;
	f->hops[0].in = most(least(rate * step_ns, window), 0);
}

static int64_t next_step(const struct island *is, int64_t end_ns)
{
	int64_t step_ns = is->step_ns;

	if (is->n_heap > 0 && is->heap[0].at_ns - is->now_ns < step_ns && step_ns > STEP_BUSY_NS) {
		step_ns = is->heap[0].at_ns - is->now_ns;
		step_ns = step_ns < STEP_BUSY_NS ? STEP_BUSY_NS : step_ns;
	}
	for (size_t i = 0; i < is->n_flows; i++) {
		int64_t left_ns = is->flows[i]->change_ns - is->now_ns;

		/* What begins at the very start of the step begins at line rate. */
		if (left_ns <= 0)
			step_ns = step_ns < STEP_START_NS ? step_ns : STEP_START_NS;
		else if (left_ns < step_ns)
			step_ns = left_ns;
	}
	return step_ns < end_ns - is->now_ns ? step_ns : end_ns - is->now_ns;
}

static void step(struct island *is, int64_t step_ns)
{
	double backlog = 0;

	feedback_due(is);
	for (size_t i = 0; i < is->n_flows; i++)
		inject(is, is->flows[i], (double)step_ns);
	for (size_t i = 0; i < is->n_ports; i++) {
		port_serve(is, is->ports[i], (double)step_ns);
		backlog += is->ports[i]->backlog;
	}
	is->step_ns = backlog > 0 ? STEP_BUSY_NS : STEP_QUIET_NS;
	for (size_t i = 0; i < is->n_groups; i++)
		group_judge(is, is->groups[i], (double)step_ns);
	is->now_ns += step_ns;
}

void sim_run(struct sim *s, int64_t ns)
{
	if (s->is_moved) {
		count_all(s);
		sim_make_islands(s);
	}
	s->now_ns += ns;
	for (size_t i = 0; i < s->n_islands; i++)
		while (s->islands[i].now_ns < s->now_ns)
			step(&s->islands[i], next_step(&s->islands[i], s->now_ns));
	/* A port has ACKs of flows that do not leave by it. */
	if (s->has_acks)
		count_all(s);
}

int64_t sim_now(const struct sim *s)
{
	return s->now_ns;
}

static uint64_t whole_us(double ns)
{
	return (uint64_t)(ns / 1000);
}

const struct sim_counters *sim_counters(const struct sim *s, unsigned port)
{
	struct sim_port *p = s->ports[port];
	struct sim_counters *c = &p->counters;

	for (size_t i = 0; i < p->n_streams; i++)
		flow_count(p->streams[i]->flow);
	if (p->peer)
		for (size_t i = 0; i < p->peer->n_streams; i++)
			flow_count(p->peer->streams[i]->flow);
	c->stormed = 0;
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		c->pfc_rx_us[i] = (double)whole_us(p->stop_ns[i]);
		c->pfc_tx_us[i] = (double)whole_us(p->hold_ns[i]);
		c->stormed |= (uint64_t)(p->stormed >> p->qos.prio_queue[i] % SIM_PRIOS & 1) << i;
		c->queue_bytes[i] = (uint64_t)most(p->queues[i].arrived - p->queues[i].departed, 0);
		c->pg_bytes[i] = (uint64_t)p->groups[i].bytes;
	}
	return c;
}
