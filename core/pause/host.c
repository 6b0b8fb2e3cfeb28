/* Roots behind a host: which senders a paused receiver's traffic comes from. */
#include "core/pause/internal.h"

#include <math.h>
#include <stdlib.h>

#define ALIKE		0.08	/* of what one sends and another receives: the same bytes, counted at two moments */
#define CLEARLY		3	/* times further off, */
#define APART		0.04	/* and by that much: another that is no match */
#define SURELY		1.25	/* times more than what is left over */
#define MOSTLY		0.95	/* of a port's bytes are of the priority: its totals tell how that goes */
#define SEEN		8	/* samples */
#define HARDLY		1e6	/* bytes/s: too little to tell one from another by */

/*
 * Who sends to whom is in no counter. But what one host alone sends, one host alone receives: where a sender's bytes go
 * up and down with those of one receiver, and of no other, its packets go there. Whoever sends more than what all the
 * receivers that are left over get, apart from the root's, sends to the root.
 */
struct course {
	double per_s;			/* bytes of the priority, now; NAN: not known */
	float values[SEEN];		/* bytes/s, the newest first */
	size_t n;			/* 0: nothing tells how it went */
};

struct traffic {
	size_t n;
	const struct port **hosts;
	struct course *sent, *received;
	size_t *goes_to;		/* by place in hosts, or NO_HOLD */
	size_t *place;			/* by port id: in hosts, or NO_HOLD */
};

/* The first of them that tells: the host, then the far end of its cable. */
static double now_of(const struct making *m, const struct port *host, unsigned prio, bool is_sent)
{
	enum field mine = is_sent ? FIELD_TX_BYTES : FIELD_RX_BYTES, its = is_sent ? FIELD_RX_BYTES : FIELD_TX_BYTES;
	const struct port *far = pause_far(m, host);
	double per_s;

	if (pause_rate(m, host, mine, prio, &per_s) ||
	    (far && pause_rate(m, far, its, is_sent ? prio : pause_queue(m, far, prio), &per_s)))
		return per_s;
	return NAN;
}

static struct course course_of(const struct making *m, const struct port *host, unsigned prio, bool is_sent)
{
	enum field total = is_sent ? FIELD_TX_TOTAL : FIELD_RX_TOTAL;
	const struct series *s = port_series(host, total, 0);
	struct course c = { .per_s = now_of(m, host, prio, is_sent) };
	int64_t at_us[HISTORY_LEN];
	float values[HISTORY_LEN];
	double all;
	size_t n;

	if (!pause_rate(m, host, total, 0, &all) || !s->history || c.per_s < MOSTLY * all)
		return c;
	n = series_history(s, at_us, values);
	while (c.n < SEEN && c.n < n && !isnan(values[n - 1 - c.n])) {
		c.values[c.n] = values[n - 1 - c.n];
		c.n++;
	}
	return c;
}

static void read_traffic(const struct making *m, unsigned prio, struct traffic *t)
{
	size_t most = m->of->links->n + 1;

	*t = (struct traffic){ .hosts = xcalloc(most, sizeof(*t->hosts)), .sent = xcalloc(most, sizeof(*t->sent)),
			       .received = xcalloc(most, sizeof(*t->received)), .goes_to = xcalloc(most, sizeof(*t->goes_to)) };
	t->place = xmalloc((model_ports(m->of->model) + 1) * sizeof(*t->place));
	for (size_t i = 0; i < model_ports(m->of->model); i++)
		t->place[i] = NO_HOLD;
	for (size_t i = 0; i < m->of->links->n; i++) {
		const struct link *link = &m->of->links->list[i];

		if (m->tier[link->a->device->id] || !link->is_fabric)
			continue;
		t->place[link->a->id] = t->n;
		t->hosts[t->n] = link->a;
		t->sent[t->n] = course_of(m, link->a, prio, true);
		t->received[t->n] = course_of(m, link->a, prio, false);
		t->goes_to[t->n++] = NO_HOLD;
	}
}

/* How far what one receives is from what another sends, as a part of it; INFINITY when it is not known, or next to nothing. */
static double distance(const struct course *sent, const struct course *received)
{
	size_t n = sent->n < received->n ? sent->n : received->n;
	double apart = 0, all = 0;

	if (isnan(sent->per_s) || isnan(received->per_s))
		return INFINITY;
	for (size_t i = 0; i < n; i++) {
		apart += fabs(sent->values[i] - received->values[i]);
		all += sent->values[i];
	}
	if (!n) {
		apart = fabs(sent->per_s - received->per_s);
		all = sent->per_s;
	}
	return all > HARDLY * (n ? (double)n : 1) ? apart / all : INFINITY;
}

/* The only other host that gets what this one sends (or sends what this one gets). */
static size_t only_partner(const struct traffic *t, size_t of, bool is_sender)
{
	double best = INFINITY, next = INFINITY;
	size_t found = NO_HOLD;

	for (size_t i = 0; i < t->n; i++) {
		double d = i == of ? INFINITY : is_sender ? distance(&t->sent[of], &t->received[i]) :
			   distance(&t->sent[i], &t->received[of]);

		if (d < best) {
			next = best;
			best = d;
			found = i;
		} else if (d < next) {
			next = d;
		}
	}
	return best <= ALIKE && next > CLEARLY * best && next > best + APART ? found : NO_HOLD;
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
			sum += t->received[i].per_s;
	for (size_t i = 0; i < t->n; i++)
		if (t->goes_to[i] != NO_HOLD && t->hosts[t->goes_to[i]] != root)
			sum -= t->received[t->goes_to[i]].per_s;
	return sum;
}

static void judge_host(const struct traffic *t, const struct port *root, double left, struct held_host *host)
{
	size_t at = t->place[host->port->id], to = at != NO_HOLD ? t->goes_to[at] : NO_HOLD;

	if (to != NO_HOLD && t->hosts[to] != root) {
		host->is = HOST_WAITS;
		host->to = t->hosts[to];
	} else if (to != NO_HOLD || (at != NO_HOLD && t->sent[at].per_s > left * SURELY + HARDLY)) {
		host->is = HOST_SENDS;
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

static const struct traffic *need_traffic(struct making *m, unsigned prio)
{
	if (!m->traffic[prio]) {
		m->traffic[prio] = xcalloc(1, sizeof(*m->traffic[prio]));
		read_traffic(m, prio, m->traffic[prio]);
		pair_up(m->traffic[prio]);
	}
	return m->traffic[prio];
}

void pause_hosts(struct making *m, struct pause_root *r)
{
	const struct port *root = host_of(m, r);
	const struct traffic *t;
	double left;

	if (!root || !r->n_hosts)
		return;
	t = need_traffic(m, r->prio);
	left = left_over(t, root);
	for (size_t i = 0; i < r->n_hosts; i++)
		judge_host(t, root, left, &r->hosts[i]);
}

void pause_forget_traffic(struct making *m)
{
	for (unsigned prio = 0; prio < 8; prio++) {
		struct traffic *t = m->traffic[prio];

		if (!t)
			continue;
		free(t->hosts);
		free(t->sent);
		free(t->received);
		free(t->goes_to);
		free(t->place);
		free(t);
	}
}
