/* What goes back to senders: ACKs, NAKs, CNPs and time-outs, each after its delay. */
#include "core/sim/internal.h"

#include <math.h>

#define ACK_TIMEOUT_NS	67108864	/* 4.096 µs << 14, as NCCL and perftest set it */

static bool comes_before(const struct feedback *a, const struct feedback *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

void feedback_push(struct island *is, struct feedback what)
{
	size_t i = is->n_heap;

	what.order = is->order++;
	*GROW(is->heap, is->n_heap, is->cap_heap) = what;
	for (is->n_heap++; i > 0 && comes_before(&what, &is->heap[(i - 1) / 2]); i = (i - 1) / 2)
		is->heap[i] = is->heap[(i - 1) / 2];
	is->heap[i] = what;
}

static struct feedback pop(struct island *is)
{
	struct feedback first = is->heap[0], last = is->heap[--is->n_heap];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < is->n_heap; i = child) {
		if (child + 1 < is->n_heap && comes_before(&is->heap[child + 1], &is->heap[child]))
			child++;
		if (!comes_before(&is->heap[child], &last))
			break;
		is->heap[i] = is->heap[child];
	}
	is->heap[i] = last;
	return first;
}

/* A lossy queue drops when it is full, and any when its tokens are. */
static void wait_in_queue(struct sim_port *p, struct sim_queue *q, unsigned prio, struct token what)
{
	bool is_full = q->n_control >= CONTROL_LIMIT;

	if (!p->qos.pfc[prio] && q->arrived - q->departed >= LOSSY_LIMIT)
		is_full = true;
	if (is_full || port_drops(p, (unsigned)(q - p->queues))) {
		p->counters.tx_drop[prio]++;
		return;
	}
	queue_use(p, (unsigned)(q - p->queues));
	q->arrived += CONTROL_BYTES;
	q->control += CONTROL_BYTES;
	q->n_control++;
	p->backlog += CONTROL_BYTES;
	what.at_bytes = q->arrived;
	queue_token(p, q, what);
}

void feedback_send(struct island *is, struct flow *f, enum token_kind kind, unsigned hop, int64_t at_ns)
{
	unsigned is_nak = kind == TOKEN_NAK;

	for (;; hop++) {
		if (hop > 0) {
			struct sim_port *left = f->back[hop - 1];

			count_control(left, f->back_prio[hop - 1][is_nak], f->back_peer_prio[hop - 1][is_nak], 1, CONTROL_BYTES);
			at_ns += 2 * left->delay_ns;
		}
		if (hop == f->n_back)
			break;
		struct sim_port *p = f->back[hop];
		struct sim_queue *q = &p->queues[f->back_queue[hop][is_nak]];

		if (!queue_is_clear(p, q)) {
			wait_in_queue(p, q, f->back_prio[hop][is_nak],
				      (struct token){ .flow = f->id, .kind = kind, .hop = (uint8_t)hop });
			return;
		}
	}
	feedback_push(is, (struct feedback){ .at_ns = at_ns, .flow = f->id, .kind = kind });
}

static struct sim_port *receiver(const struct flow *f)
{
	return f->hops[f->n_hops - 1].port->peer;
}

void receiver_token(struct island *is, struct flow *f, const struct token *what, int64_t at_ns)
{
	struct sim_port *host = receiver(f);
	unsigned prio = f->hops[f->n_hops - 1].peer_prio;

	if (f->is.is_tcp) {
		/* Its kernel sends again, and no counter of the NIC shows it. */
		f->has_loss = false;
		f->loss_ns = 0;
		f->told_wasted = f->wasted;
		return;
	}
	switch ((enum token_kind)what->kind) {
	case TOKEN_MARK:
		host->counters.ecn_seen += what->count;
		if (host->qos.np[prio] && dcqcn_np_mark(&f->cnp_ns, &host->qos.dcqcn, at_ns)) {
			host->counters.cnp_sent++;
			feedback_send(is, f, TOKEN_CNP, 0, at_ns);
		}
		break;
	case TOKEN_GAP:
		host->counters.oos++;
		f->in_gap = true;
		feedback_send(is, f, TOKEN_NAK, 0, at_ns);
		break;
	case TOKEN_RESUME:
		f->in_gap = f->has_loss = false;
		f->loss_ns = 0;
		break;
	case TOKEN_CNP:
	case TOKEN_NAK:
		break;
	}
}

void receiver_takes(struct island *is, struct stream *last, double bytes)
{
	struct flow *f = last->flow;
	struct group *sink = last->sink;

	if (sink) {
		double room = most(sink->limit - sink->bytes, 0);

		if (bytes > room) {
			sink->port->counters.rx_drop[last->peer_prio] += stream_lose(last, bytes - room);
			bytes = room;
		}
		sink->bytes += bytes;
	}
	if (f->in_gap) {
		f->wasted += bytes;
		return;
	}
	f->delivered += bytes;
	if (bytes > 0)
		f->progress_ns = is->now_ns;
}

/* Go-back-N: everything from the gap on is sent again. */
static void send_again(struct flow *f)
{
	double packets = floor((f->wasted - f->told_wasted) / f->packet_bytes);

	f->told_wasted += packets * f->packet_bytes;
	f->hops[0].port->counters.retrans += f->is.is_tcp ? 0 : (uint64_t)packets;
}

static void sender_hears(struct island *is, struct flow *f, const struct feedback *what)
{
	struct sim_port *host = f->hops[0].port;

	if (what->kind == TOKEN_NAK) {
		host->counters.seq_err++;
		send_again(f);
		token_forward(is, f, (struct token){ .flow = f->id, .kind = TOKEN_RESUME, .count = 1 }, what->at_ns);
	} else if (host->qos.rp[f->hops[0].prio]) {
		host->counters.cnp_handled++;
		dcqcn_rp_cnp(&f->rp, &host->qos.dcqcn, what->at_ns);
	} else {
		host->counters.cnp_ignored++;
	}
}

void feedback_due(struct island *is)
{
	while (is->n_heap > 0 && is->heap[0].at_ns <= is->now_ns) {
		struct feedback what = pop(is);

		sender_hears(is, is->sim->flows[what.flow], &what);
	}
}

/* The sender begins again from what was acknowledged, whatever has become of a NAK or of the packet sent again. */
static void start_over(struct flow *f)
{
	double waiting = 0;

	for (unsigned i = 0; i < f->n_hops; i++)
		waiting += f->hops[i].backlog;
	f->hops[0].port->counters.ack_timeout += !f->is.is_tcp;
	f->wasted = most(f->wasted, f->sent - f->delivered - waiting);
	f->in_gap = f->has_loss = false;
	f->loss_ns = 0;
	send_again(f);
}

void sender_timeout(struct flow *f, int64_t now_ns)
{
	if (f->has_loss && !f->loss_ns)
		f->loss_ns = now_ns;
	if (f->has_loss && now_ns - f->loss_ns >= ACK_TIMEOUT_NS) {
		f->progress_ns = now_ns;
		start_over(f);
	}
	if (now_ns - f->progress_ns < ACK_TIMEOUT_NS)
		return;
	f->progress_ns = now_ns;
	if (f->sent - f->delivered - f->told_wasted >= f->packet_bytes)
		start_over(f);
}
