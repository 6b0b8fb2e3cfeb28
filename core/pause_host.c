#include "core/pause_internal.h"

#include <math.h>
#include <stdlib.h>

#define ALIKE		0.03	/* of what one sends and another receives: the same bytes, counted at two moments */
#define HARDLY_BPS	1e6	/* bytes/s: too little to tell one from another by */

/*
 * Who sends to whom is in no counter. But what one host alone sends, one host alone receives: where a sender's rate is
 * just the rate of one receiver, and of no other, its packets go there. Whoever sends more than what all the receivers
 * that are left over get, apart from the root's, sends to the root.
 */
struct traffic {
	size_t n;
	const struct port **hosts;
	double *sent, *received;	/* bytes/s of the priority; NAN: not known */
	size_t *goes_to;		/* by place in hosts, or NO_HOLD */
};

/* By priority where it is counted, at either end of the cable; a switch counts by queue. */
static double bytes_of(const struct making *m, const struct port *host, unsigned prio, bool is_sent)
{
	enum field mine = is_sent ? FIELD_TX_BYTES : FIELD_RX_BYTES, its = is_sent ? FIELD_RX_BYTES : FIELD_TX_BYTES;
	const struct port *far = pause_far(m, host);
	double per_s;

	if (pause_mean(m, host, mine, prio, &per_s))
		return per_s;
	if (far && pause_mean(m, far, its, is_sent ? prio : pause_queue(m, far, prio), &per_s))
		return per_s;
	return NAN;
}

static void read_traffic(const struct making *m, unsigned prio, struct traffic *t)
{
	size_t most = m->of->links->n + 1;

	*t = (struct traffic){ .hosts = xcalloc(most, sizeof(*t->hosts)), .sent = xcalloc(most, sizeof(*t->sent)),
			       .received = xcalloc(most, sizeof(*t->received)), .goes_to = xcalloc(most, sizeof(*t->goes_to)) };
	for (size_t i = 0; i < m->of->links->n; i++) {
		const struct link *link = &m->of->links->list[i];

		if (m->tier[link->a->device->id] || !link->is_fabric)
			continue;
		t->hosts[t->n] = link->a;
		t->sent[t->n] = bytes_of(m, link->a, prio, true);
		t->received[t->n] = bytes_of(m, link->a, prio, false);
		t->goes_to[t->n++] = NO_HOLD;
	}
}

static void traffic_done(struct traffic *t)
{
	free(t->hosts);
	free(t->sent);
	free(t->received);
	free(t->goes_to);
}

static bool alike(double sent, double received)
{
	return sent > HARDLY_BPS && fabs(sent - received) <= ALIKE * sent;
}

/* The only other host that gets what this one sends (or sends what this one gets). */
static size_t only_partner(const struct traffic *t, size_t of, bool is_sender)
{
	size_t found = NO_HOLD;

	for (size_t i = 0; i < t->n; i++) {
		if (i == of || !(is_sender ? alike(t->sent[of], t->received[i]) : alike(t->sent[i], t->received[of])))
			continue;
		if (found != NO_HOLD)
			return NO_HOLD;
		found = i;
	}
	return found;
}

static void pair_up(struct traffic *t)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t to = only_partner(t, i, true);

		if (to != NO_HOLD && only_partner(t, to, false) == i)
			t->goes_to[i] = to;
	}
}

/* What receivers other than the root's get from senders that could not be told; NAN when some are not read. */
static double left_over(const struct traffic *t, const struct port *root)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->hosts[i] != root)
			sum += t->received[i];
	for (size_t i = 0; i < t->n; i++)
		if (t->goes_to[i] != NO_HOLD && t->hosts[t->goes_to[i]] != root)
			sum -= t->received[t->goes_to[i]];
	return sum;
}

static void judge_host(const struct traffic *t, const struct port *root, double left, struct held_host *host)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->hosts[i] != host->port)
			continue;
		if (t->goes_to[i] != NO_HOLD && t->hosts[t->goes_to[i]] != root) {
			host->is = HOST_WAITS;
			host->to = t->hosts[t->goes_to[i]];
		} else if (t->goes_to[i] != NO_HOLD || t->sent[i] > left * (1 + ALIKE) + HARDLY_BPS) {
			host->is = HOST_SENDS;
		}
	}
}

/* The host that a root is about; NULL when it is about a line between switches, or about a ring. */
static const struct port *host_of(const struct making *m, const struct pause_root *r)
{
	const struct port *far = pause_far(m, r->at);

	if (r->is == ROOT_DEADLOCK || r->is == ROOT_UNKNOWN)
		return NULL;
	if (!m->tier[r->at->device->id])
		return r->at;
	return far && !m->tier[far->device->id] ? far : NULL;
}

void pause_hosts(struct making *m, struct pause_root *r)
{
	const struct port *root = host_of(m, r);
	struct traffic t;
	double left;

	if (!root || !r->n_hosts)
		return;
	read_traffic(m, r->prio, &t);
	pair_up(&t);
	left = left_over(&t, root);
	for (size_t i = 0; i < r->n_hosts; i++)
		judge_host(&t, root, left, &r->hosts[i]);
	traffic_done(&t);
}
