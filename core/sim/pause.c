/* PFC between simulated ports: when a priority group asks for a pause, and who obeys it. */
#include "core/sim/internal.h"


#define LONGEST_QUANTA	65535
#define QUANTUM_BITS	512
#define WATCHDOG_NS	200000000
#define LEAST_STEP_NS	200
#define STALL_WARNING	0.85	/* of the time after which stall prevention acts (mlx5) */
#define STALL_QUIET_NS	1000000	/* how long a stalled port then sends no pause before it stalls again: our choice */
#define NIC_BYTES	262144	/* what a NIC without thresholds holds: our choice */

/* How long a peer may take to stop, in quanta (802.3, as the switch vendors tabulate it). */
static const struct { double gbps; unsigned quanta; } responses[] = {
	{ 10, 60 }, { 25, 80 }, { 40, 118 }, { 50, 147 }, { 100, 394 }, { 200, 453 }, { 400, 905 }, { 800, 905 },
};

static double response_ns(double gbps)
{
	size_t i = 0, n = sizeof(responses) / sizeof(responses[0]);

	while (i + 1 < n && responses[i].gbps < gbps)
		i++;
	return responses[i].quanta * QUANTUM_BITS / gbps;
}

bool port_sends_pause(const struct sim_port *p, unsigned lane)
{
	bool is_global = p->qos.pause_tx || p->qos.pause_rx;

	return lane == ALL_PRIOS ? p->qos.pause_tx : !is_global && p->qos.pfc[lane];
}

bool port_obeys_pause(const struct sim_port *p, unsigned lane)
{
	bool is_global = p->qos.pause_tx || p->qos.pause_rx;

	return lane == ALL_PRIOS ? p->qos.pause_rx : !is_global && p->qos.pfc[lane];
}

/* for EACH_LANE(l, set of bits) … */
#define EACH_LANE(l, set) \
	(unsigned rest_ = (set), l; rest_ && (l = (unsigned)__builtin_ctz(rest_), true); rest_ &= rest_ - 1)

/* ns of the step that lanes are stopped; gives the set of those that are at any time of it. */
static unsigned play_turns(struct sim_port *p, int64_t now_ns, int64_t end_ns, double *stopped_ns)
{
	unsigned touched = p->stops;
	int64_t since_ns[LANES];

	for EACH_LANE(l, touched) {
		since_ns[l] = now_ns;
		stopped_ns[l] = 0;
	}
	while (p->first_turn < p->n_turns && p->turns[p->first_turn].at_ns < end_ns) {
		const struct turn *t = &p->turns[p->first_turn++];
		int64_t at_ns = t->at_ns > now_ns ? t->at_ns : now_ns;
		unsigned bit = 1u << t->lane;

		if (t->stop == !!(p->stops & bit))
			continue;
		/* It acts a little late after a long step; its time is counted as it was. */
		p->stop_ns[t->lane] += (double)(t->stop ? at_ns - t->at_ns : t->at_ns - at_ns);
		if (!(touched & bit))
			stopped_ns[t->lane] = 0;
		if (!t->stop)
			stopped_ns[t->lane] += (double)(at_ns - since_ns[t->lane]);
		since_ns[t->lane] = at_ns;
		touched |= bit;
		p->stops ^= bit;
	}
	for EACH_LANE(l, p->stops)
		stopped_ns[l] += (double)(end_ns - since_ns[l]);
	return touched;
}

static void note_stop(struct sim_queue *q, bool stops, int64_t now_ns)
{
	if (stops && q->stopped_ns == NEVER) {
		q->stopped_ns = now_ns;
	} else if (!stops && q->stopped_ns != NEVER) {
		q->stopped_ns = NEVER;
		q->free_ns = now_ns;
	}
}

void port_open(struct sim_port *p, int64_t now_ns, double step_ns)
{
	unsigned stopped_queues, touched;
	double stopped_ns[LANES];

	if (p->is_open && !port_is_held(p))
		return;
	p->is_open = !port_is_held(p);
	for (unsigned i = 0; i < p->n_used; i++)
		p->queues[p->used[i]].open = 1;
	touched = play_turns(p, now_ns, now_ns + (int64_t)step_ns, stopped_ns);
	for EACH_LANE(l, touched) {
		double open = 1 - stopped_ns[l] / step_ns;

		p->stop_ns[l] += stopped_ns[l];
		for (unsigned i = 0; i < p->n_used; i++) {
			struct sim_queue *q = &p->queues[p->used[i]];

			if (p->qos.watchdog == WATCHDOG_FORWARDS && (p->stormed >> p->used[i] & 1))
				continue;
			if (l == ALL_PRIOS || p->qos.prio_queue[l] % SIM_PRIOS == p->used[i])
				q->open = least(q->open, open);
		}
	}
	stopped_queues = p->stops >> ALL_PRIOS ? 0xff : 0;
	for EACH_LANE(l, p->stops & 0xff)
		stopped_queues |= 1u << p->qos.prio_queue[l] % SIM_PRIOS;
	for (unsigned i = 0; i < p->n_used; i++)
		note_stop(&p->queues[p->used[i]], stopped_queues >> p->used[i] & 1, now_ns);
}

static void empty_queue(struct sim_port *p, unsigned queue)
{
	for (size_t i = 0; i < p->n_streams; i++) {
		struct stream *st = p->streams[i];

		if (st->queue == queue && st->backlog > 0)
			p->counters.tx_drop[st->prio] += stream_drop(st, st->backlog);
	}
}

/* One counter of a queue in a storm: what has been counted since it was told last, and of that what was before this storm. */
static void tell_count(uint64_t *of_storms, uint64_t *before, uint64_t *told, uint64_t now, bool begins, bool counts)
{
	if (begins)
		*before = *of_storms;
	else if (counts)
		*of_storms += now - *told;
	*told = now;
}

/* What a queue sends and drops, and its priority receives, while it is in a storm. */
static void tell_storm(struct sim_port *p, unsigned queue, bool begins)
{
	struct sim_counters *c = &p->counters;
	bool counts = p->qos.watchdog != WATCHDOG_ALERTS;

	for (size_t i = 0; i < p->n_streams; i++)
		flow_count(p->streams[i]->flow);
	for (size_t i = 0; p->peer && i < p->peer->n_streams; i++)
		flow_count(p->peer->streams[i]->flow);
	for (unsigned l = 0; l < SIM_PRIOS; l++) {
		if (p->qos.prio_queue[l] % SIM_PRIOS != queue)
			continue;
		tell_count(&c->storm_tx[l], &c->storm_tx_before[l], &p->told_tx[l], c->tx_packets[l], begins, counts);
		tell_count(&c->storm_drop[l], &c->storm_drop_before[l], &p->told_drop[l], c->tx_drop[l], begins, counts);
		tell_count(&c->storm_rx[l], &c->storm_rx_before[l], &p->told_rx[l], c->rx_packets[l], begins, counts);
		tell_count(&c->storm_rx_drop[l], &c->storm_rx_drop_before[l], &p->told_rx_drop[l], c->rx_drop[l], begins, counts);
	}
}

void port_watchdog(struct sim_port *p, int64_t now_ns)
{
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		const struct sim_queue *q = &p->queues[i];

		if (p->stormed >> i & 1) {
			tell_storm(p, i, false);
			if (q->stopped_ns == NEVER && now_ns - q->free_ns >= WATCHDOG_NS)
				p->stormed &= ~(1u << i);
			continue;
		}
		if (q->stopped_ns == NEVER || now_ns - q->stopped_ns < WATCHDOG_NS || q->backlog <= 0)
			continue;
		p->stormed |= 1u << i;
		tell_storm(p, i, true);
		for (unsigned l = 0; l < SIM_PRIOS; l++)
			p->counters.storms[l] += (p->stops >> l & 1) && p->qos.prio_queue[l] % SIM_PRIOS == i;
		if (port_drops(p, i))
			empty_queue(p, i);
	}
}

static void count_frame(struct group *g)
{
	struct sim_port *p = g->port, *far = p->peer;
	bool is_obeyed = port_obeys_pause(far, g->lane);

	if (g->lane == ALL_PRIOS) {
		p->counters.pause_tx++;
		far->counters.pause_rx += is_obeyed;
	} else {
		p->counters.pfc_tx[g->lane]++;
		far->counters.pfc_rx[g->lane] += is_obeyed;
	}
	far->counters.pause_unsupported += !is_obeyed;
}

static void push_turn(struct sim_port *p, struct turn turn)
{
	size_t i;

	if (p->first_turn == p->n_turns)
		p->first_turn = p->n_turns = 0;
	*GROW(p->turns, p->n_turns, p->cap_turns) = turn;
	for (i = p->n_turns++; i > p->first_turn && p->turns[i - 1].at_ns > turn.at_ns; i--)
		p->turns[i] = p->turns[i - 1];
	p->turns[i] = turn;
}

static int64_t longest_ns(const struct sim_port *p)
{
	return (int64_t)(LONGEST_QUANTA * QUANTUM_BITS / 8 / p->rate);
}

static void say_pause(struct group *g, bool stop, int64_t at_ns)
{
	struct sim_port *far = g->port->peer;

	count_frame(g);
	g->refresh_ns = stop ? at_ns + longest_ns(g->port) / 2 : NEVER;
	if (!port_obeys_pause(far, g->lane))
		return;
	if (!stop && g->lane != ALL_PRIOS)
		far->counters.pfc_rx_xon[g->lane]++;
	push_turn(far, (struct turn){ .at_ns = at_ns + g->latency_ns, .lane = g->lane, .stop = stop });
}

/* Both packets are whole ones that were begun just before; the cable is passed by the frame and by the last data. */
static int64_t pause_latency_ns(const struct sim_port *p, double packet_bytes)
{
	double wire_bytes = 84 + 2 * (packet_bytes + HEADER_BYTES);

	return (int64_t)(wire_bytes / p->rate + 2.0 * p->delay_ns + response_ns(p->rate * 8));
}

void group_watch(struct group *g, const struct sim *s, int64_t now_ns)
{
	const struct sim_qos *qos = &g->port->qos;
	unsigned from = g->lane == ALL_PRIOS ? 0 : g->lane;
	bool sends = g->port->peer && g->port->rate > 0 && port_sends_pause(g->port, g->lane);

	for (unsigned l = from + 1; g->lane == ALL_PRIOS && l < SIM_PRIOS; l++)
		if (qos->xoff[l] > qos->xoff[from])
			from = l;
	g->xoff = qos->xoff[from];
	g->xon = qos->xon[from];
	g->limit = g->xoff + qos->headroom[from];
	if (!g->port->is_switch && g->limit <= 0)
		g->limit = NIC_BYTES;
	if (!sends && g->refresh_ns != NEVER) {
		g->refresh_ns = NEVER;
		if (g->port->peer && g->port->peer->rate > 0)
			push_turn(g->port->peer, (struct turn){ now_ns + longest_ns(g->port->peer), g->lane, false });
	}
	if (g->port->rate > 0)
		g->latency_ns = pause_latency_ns(g->port, s->packet_bytes);
}

/* Beyond the headroom there is nowhere to put it. */
static void spill(struct group *g)
{
	double keep = most(1 - (g->bytes - g->limit) / g->bytes, 0);

	for (size_t i = 0; i < g->n_streams; i++)
		g->port->counters.rx_drop[g->streams[i]->prio] +=
			stream_drop(g->streams[i], g->streams[i]->backlog * (1 - keep));
	g->bytes = g->limit;
}

static void drain_host(struct group *g, double step_ns)
{
	double all = 0;

	for (unsigned l = 0; l < SIM_PRIOS; l++)
		all += g->port->groups[l].bytes;
	if (all <= 0)
		return;
	double drain = g->port->qos.drain_bps > 0 ? g->port->qos.drain_bps / 8e9 : g->port->rate * 2;
	g->bytes = most(g->bytes - drain * step_ns * g->bytes / all, 0);
}

static void weigh(struct group *g, double step_ns)
{
	g->before = g->bytes;
	if (g->port->is_switch || g->lane == ALL_PRIOS)
		g->bytes = 0;
	if (g->port->is_switch) {
		for (size_t i = 0; i < g->n_streams; i++)
			g->bytes += g->streams[i]->backlog;
	} else if (g->lane == ALL_PRIOS) {
		for (unsigned l = 0; l < SIM_PRIOS; l++)
			g->bytes += g->port->groups[l].bytes;
	} else {
		g->before = g->weighed;
		drain_host(g, step_ns);
		g->weighed = g->bytes;
	}
}

/* When within the step the line from before to bytes passed the level. */
static int64_t crossing(const struct island *is, const struct group *g, double level, double step_ns)
{
	double part = g->bytes == g->before ? 0 : (level - g->before) / (g->bytes - g->before);

	return is->now_ns + (int64_t)(step_ns * least(most(part, 0), 1));
}

/*
 * Half a step too late is too late: on the way to xoff, or while held, a step is no longer than a pause takes to act.
 * Headroom that nobody needs may be used up by a longer one, as nothing is lost by it.
 */
static void limit_step(struct island *is, const struct group *g)
{
	double free_ns = (g->xoff - g->bytes) / g->port->rate, needed = (double)g->latency_ns * g->port->rate;
	double spare_ns = most(least(g->limit - g->xoff - needed, g->xon), 0) / g->port->rate;
	double step_ns = most((double)g->latency_ns + spare_ns, LEAST_STEP_NS);

	if (g->refresh_ns == NEVER)
		step_ns = most(step_ns, free_ns);
	if (step_ns < (double)is->step_ns)
		is->step_ns = (int64_t)step_ns;
}

/*
 * Stall prevention of a NIC: what holds its peer for too long without a break stops doing so, and drops instead if it
 * must. The pause that was sent last runs out by itself; no XON is sent.
 */
static bool prevent_stall(struct group *g, int64_t end_ns)
{
	struct sim_counters *c = &g->port->counters;
	double held_ns = (double)(end_ns - g->held_ns), most_ns = g->port->qos.stall_ms * 1e6;

	if (g->port->is_switch || most_ns <= 0 || g->refresh_ns == NEVER || held_ns < most_ns * STALL_WARNING)
		return false;
	c->stall_warnings += !g->has_warned;
	g->has_warned = true;
	if (held_ns < most_ns)
		return false;
	c->stalls++;
	push_turn(g->port->peer, (struct turn){ g->refresh_ns + longest_ns(g->port) / 2, g->lane, false });
	g->refresh_ns = NEVER;
	g->quiet_ns = end_ns + STALL_QUIET_NS;
	return true;
}

void group_judge(struct island *is, struct group *g, double step_ns)
{
	bool storms = g->lane != ALL_PRIOS && g->port->qos.storm[g->lane], holds = g->refresh_ns != NEVER;
	int64_t end_ns = is->now_ns + (int64_t)step_ns, at_ns;

	weigh(g, step_ns);
	if (g->lane < ALL_PRIOS && g->bytes > (double)g->port->counters.pg_peak[g->lane])
		g->port->counters.pg_peak[g->lane] = (uint64_t)g->bytes;
	if (!port_sends_pause(g->port, g->lane) || g->port->rate <= 0)
		return;
	if (g->port->is_switch && g->bytes > g->limit)
		spill(g);
	if (!storms)
		limit_step(is, g);
	if (is->now_ns < g->quiet_ns || prevent_stall(g, end_ns))
		return;
	if (!holds && (storms || g->bytes > g->xoff)) {
		at_ns = storms ? is->now_ns : crossing(is, g, g->xoff, step_ns);
		g->held_ns = at_ns;
		g->has_warned = false;
		say_pause(g, true, at_ns);
		g->port->hold_ns[g->lane] += (double)(end_ns - at_ns);
	} else if (holds && !storms && g->bytes <= g->xon) {
		at_ns = crossing(is, g, g->xon, step_ns);
		say_pause(g, false, at_ns);
		g->port->hold_ns[g->lane] += (double)(at_ns - is->now_ns);
	} else if (holds) {
		g->port->hold_ns[g->lane] += step_ns;
		for (; g->refresh_ns <= end_ns; g->refresh_ns += longest_ns(g->port) / 2)
			count_frame(g);
	}
}
