/* Egress queues of a simulated port: service, marking, loss. */
#include "core/sim/internal.h"

#include <math.h>

#include "core/roce/red.h"

/* FEC corrects far more than it lets through; how much more is our choice. */
#define FEC_BITS_PER_LOSS	1000

void queue_use(struct sim_port *p, unsigned queue)
{
	for (unsigned i = 0; i < p->n_used; i++)
		if (p->used[i] == queue)
			return;
	p->used[p->n_used++] = (uint8_t)queue;
	p->is_open = false;
}

bool queue_is_clear(const struct sim_port *p, const struct sim_queue *q)
{
	return p->backlog == 0 && q->first == q->n && !port_is_held(p);
}

void queue_token(struct sim_port *p, struct sim_queue *q, struct token what)
{
	if (q->first == q->n)
		q->first = q->n = 0;
	if (q->n == q->cap && q->first > q->n / 2) {
		memmove(q->tokens, q->tokens + q->first, (q->n - q->first) * sizeof(*q->tokens));
		q->n -= q->first;
		q->first = 0;
	}
	if (q->n > q->first)
		what.at_bytes = most(what.at_bytes, q->tokens[q->n - 1].at_bytes);
	*GROW(q->tokens, q->n, q->cap) = what;
	q->n++;
	p->waiting++;
}

static bool is_control(const struct token *t)
{
	return t->kind == TOKEN_CNP || t->kind == TOKEN_NAK;
}

void queue_forget(struct sim_port *p, unsigned flow)
{
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		struct sim_queue *q = &p->queues[i];
		size_t kept = q->first;

		for (size_t j = q->first; j < q->n; j++) {
			if (q->tokens[j].flow != flow)
				q->tokens[kept++] = q->tokens[j];
			else
				q->n_control -= is_control(&q->tokens[j]);
		}
		p->waiting -= (unsigned)(q->n - kept);
		q->n = kept;
	}
}

void token_forward(struct island *is, struct flow *f, struct token what, int64_t at_ns)
{
	for (; what.hop < f->n_hops; what.hop++) {
		struct stream *st = &f->hops[what.hop];
		struct sim_queue *q = &st->port->queues[st->queue];

		if (what.hop > 0 && !queue_is_clear(st->port, q)) {
			what.at_bytes = q->arrived;
			queue_token(st->port, q, what);
			return;
		}
	}
	receiver_token(is, f, &what, at_ns);
}

static uint64_t whole_packets(struct stream *st, double bytes)
{
	double packets = st->drop_part + bytes / st->flow->packet_bytes;
	double whole = floor(packets);

	st->drop_part = packets - whole;
	return (uint64_t)whole;
}

uint64_t stream_lose(struct stream *st, double bytes)
{
	struct flow *f = st->flow;
	struct sim_queue *q = &st->port->queues[st->queue];

	f->wasted += bytes;
	if (!f->has_loss) {
		f->has_loss = true;
		queue_token(st->port, q, (struct token){
			.at_bytes = q->arrived + q->in, .flow = f->id, .kind = TOKEN_GAP,
			.hop = (uint8_t)(st - f->hops), .count = 1 });
	}
	return whole_packets(st, bytes);
}

uint64_t stream_drop(struct stream *st, double bytes)
{
	struct sim_queue *q = &st->port->queues[st->queue];

	bytes = least(bytes, st->backlog);
	st->backlog -= bytes;
	q->backlog -= bytes;
	q->departed += bytes;
	st->port->backlog = most(st->port->backlog - bytes, 0);
	return stream_lose(st, bytes);
}

/* Marks among packets that come in, at odds that stay the same for them all. */
static void mark(struct stream *st, struct sim_queue *q, double bytes, double odds)
{
	struct sim_port *p = st->port;
	double packets = bytes / st->flow->packet_bytes, first = 0;
	uint32_t count = 0;

	if (odds >= 1) {
		st->mark_part += packets;
		count = (uint32_t)st->mark_part;
		st->mark_part -= count;
	} else {
		double hazard = -log1p(-odds) * packets;

		first = least(st->mark_left / hazard, 1);
		for (st->mark_left -= hazard; st->mark_left <= 0; count++)
			st->mark_left += random_exponential(&st->flow->random);
	}
	if (count == 0)
		return;
	p->counters.marked[st->queue] += count;
	queue_token(p, q, (struct token){
		.at_bytes = q->arrived + first * q->in, .flow = st->flow->id, .kind = TOKEN_MARK,
		.hop = (uint8_t)(st - st->flow->hops), .count = count });
}

/* What a switch queue keeps of the bytes that come to it. lossy_part: what of a lossy flow's there is room for. */
static double admit(struct stream *st, struct sim_queue *q, double lossy_part)
{
	const struct sim_qos *qos = &st->port->qos;
	double held = q->arrived - q->departed, keep = st->in, odds = 0;

	if (port_drops(st->port, st->queue))
		keep = 0;
	else if (!st->is_lossless)
		keep *= lossy_part;
	if (qos->ecn[st->queue])
		odds = red_probability(held, qos->kmin[st->queue], qos->kmax[st->queue], qos->pmax[st->queue]);
	if (odds >= 1 && !st->flow->is.ect && held > qos->kmax[st->queue])
		keep = 0;
	if (keep < st->in)
		st->port->counters.tx_drop[st->prio] += stream_lose(st, st->in - keep);
	if (odds > 0 && st->flow->is.ect && keep > 0)
		mark(st, q, keep, odds);
	return keep;
}

/* How much of what comes to a lossy queue there is room for. */
static double lossy_room(const struct sim_port *p, const struct sim_queue *q, double step_ns)
{
	double room = LOSSY_LIMIT + p->rate * step_ns - (q->arrived - q->departed);

	return q->in > room ? most(room, 0) / q->in : 1;
}

static void take_in(struct sim_port *p, double step_ns)
{
	double lossy_part[SIM_PRIOS], kept[SIM_PRIOS];

	for (size_t i = 0; i < p->n_streams; i++)
		p->queues[p->streams[i]->queue].in += p->streams[i]->in;
	for (unsigned i = 0; i < p->n_used; i++) {
		lossy_part[p->used[i]] = lossy_room(p, &p->queues[p->used[i]], step_ns);
		kept[p->used[i]] = 0;
	}
	for (size_t i = 0; i < p->n_streams; i++) {
		struct stream *st = p->streams[i];
		double keep = st->in;

		if (keep > 0 && p->is_switch)
			keep = admit(st, &p->queues[st->queue], lossy_part[st->queue]);
		st->in = 0;
		st->backlog += keep;
		kept[st->queue] += keep;
	}
	for (unsigned i = 0; i < p->n_used; i++) {
		struct sim_queue *q = &p->queues[p->used[i]];

		q->arrived += kept[p->used[i]];
		q->backlog += kept[p->used[i]];
		q->in = 0;
	}
}

/* Shares what the strict queues left, by weight, until all are served or nothing is left. */
static void share(const struct sim_port *p, const double *want, double *out, double left)
{
	for (unsigned round = 0; round < SIM_PRIOS && left > 1e-9; round++) {
		double weights = 0, given = 0;
		unsigned hungry = 0;

		for (unsigned i = 0; i < p->n_used; i++) {
			weights += out[i] < want[i] ? p->qos.share[p->used[i]] : 0;
			hungry += out[i] < want[i];
		}
		for (unsigned i = 0; i < p->n_used; i++) {
			double weight = !hungry ? 0 : weights > 0 ? p->qos.share[p->used[i]] / weights : 1.0 / hungry;
			double more = least(left * weight, want[i] - out[i]);

			out[i] += more;
			given += more;
		}
		left -= given;
		if (given <= 0)
			return;
	}
}

/* How many bytes each of the used queues sends in this step. */
static void schedule(const struct sim_port *p, double step_ns, double *out)
{
	double want[SIM_PRIOS], left = p->rate * step_ns;

	for (unsigned i = 0; i < p->n_used; i++) {
		const struct sim_queue *q = &p->queues[p->used[i]];

		want[i] = least(q->arrived - q->departed, p->rate * step_ns * q->open);
		out[i] = 0;
	}
	for (int queue = SIM_PRIOS - 1; queue >= 0; queue--) {
		for (unsigned i = 0; i < p->n_used; i++) {
			if (p->used[i] != queue || !p->qos.strict[queue])
				continue;
			out[i] = least(want[i], left);
			left -= out[i];
		}
	}
	if (p->n_used == 1)
		out[0] = least(want[0], p->rate * step_ns);
	else
		share(p, want, out, left);
}

/* Frames of which part is damaged at the far end; what is left of the bytes. */
static double damage(struct stream *st, double bytes)
{
	struct sim_port *far = st->port->peer;
	uint64_t lost = 0;
	double hazard = -log1p(-least(far->qos.frame_error, 0.999)) * bytes / st->flow->packet_bytes;

	for (st->damage_left -= hazard; st->damage_left <= 0; lost++)
		st->damage_left += random_exponential(&st->flow->random);
	if (lost == 0)
		return bytes;
	far->counters.phy_err += lost;
	far->counters.fec_corr += lost * FEC_BITS_PER_LOSS;
	double gone = least((double)lost * st->flow->packet_bytes, bytes);
	stream_lose(st, gone);
	return bytes - gone;
}

/* Bytes leave the port. */
static void forward(struct island *is, struct stream *st, double bytes)
{
	struct flow *f = st->flow;

	if (bytes <= 0)
		return;
	st->sent += bytes;
	if (st == f->hops) {
		f->sent += bytes;
		dcqcn_rp_sent(&f->rp, &st->port->qos.dcqcn, bytes);
	}
	if (st->is_too_big) {
		/* Nothing that could show a gap arrives after it: the sender learns by its timer. */
		st->port->peer->counters.rx_drop[st->peer_prio] += whole_packets(st, bytes);
		f->wasted += bytes;
		return;
	}
	if (st->port->peer->qos.frame_error > 0)
		bytes = damage(st, bytes);
	if (st->next)
		st->next->in += bytes;
	else
		receiver_takes(is, st, bytes);
}

/* What was behind bytes that have left now goes on. */
static void release(struct island *is, struct sim_port *p, struct sim_queue *q, double departed_before, double step_ns)
{
	while (q->first < q->n && q->tokens[q->first].at_bytes <= q->departed) {
		struct token t = q->tokens[q->first++];
		struct flow *f = is->sim->flows[t.flow];
		double gone = q->departed - departed_before;
		double part = gone > 0 ? (t.at_bytes - departed_before) / gone : 1;
		int64_t at_ns = is->now_ns + (int64_t)(step_ns * least(most(part, 0), 1));

		p->waiting--;
		t.hop++;
		if (is_control(&t)) {
			q->n_control--;
			feedback_send(is, f, t.kind, t.hop, at_ns);
		} else {
			token_forward(is, f, t, at_ns);
		}
	}
}

static void give_out(struct island *is, struct sim_port *p, double step_ns)
{
	double out[SIM_PRIOS], part[SIM_PRIOS];

	schedule(p, step_ns, out);
	for (unsigned i = 0; i < p->n_used; i++) {
		const struct sim_queue *q = &p->queues[p->used[i]];
		double held = q->arrived - q->departed;

		part[p->used[i]] = held - out[i] < 1e-3 ? 1 : out[i] / held;
	}
	for (size_t i = 0; i < p->n_streams; i++) {
		struct stream *st = p->streams[i];
		double bytes = st->backlog * part[st->queue];

		/* A sender's queue is its memory: what it could not send, it has not begun. */
		st->backlog = p->is_switch ? st->backlog - bytes : 0;
		forward(is, st, bytes);
	}
	p->backlog = 0;
	for (unsigned i = 0; i < p->n_used; i++) {
		struct sim_queue *q = &p->queues[p->used[i]];
		double before = q->departed;

		q->control -= q->control * part[p->used[i]];
		q->backlog = p->is_switch ? q->backlog - q->backlog * part[p->used[i]] : 0;
		q->departed = q->arrived - q->backlog - q->control;
		p->backlog += q->backlog + q->control;
		release(is, p, q, before, step_ns);
		if (q->backlog > (double)p->counters.queue_peak[p->used[i]])
			p->counters.queue_peak[p->used[i]] = (uint64_t)q->backlog;
	}
}

void port_serve(struct island *is, struct sim_port *p, double step_ns)
{
	bool is_held = port_is_held(p);
	double in = 0;

	for (size_t i = 0; i < p->n_streams; i++)
		in += p->streams[i]->in;
	if (!is_held && p->backlog == 0 && p->waiting == 0 && !p->stormed && in <= p->rate * step_ns) {
		for (size_t i = 0; i < p->n_streams; i++) {
			struct stream *st = p->streams[i];

			double bytes = st->in;
			st->in = 0;
			forward(is, st, bytes);
		}
		return;
	}
	port_open(p, is->now_ns, step_ns);
	take_in(p, step_ns);
	give_out(is, p, step_ns);
	if (p->qos.watchdog && p->is_switch)
		port_watchdog(p, is->now_ns);
}
