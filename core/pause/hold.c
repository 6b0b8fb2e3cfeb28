/* Holds: ports whose peer paused them lately, with how much and by which counters. */
#include "core/pause/internal.h"

#include <math.h>

#define RECENT	5	/* samples that a mean is of */
#define POLLS	2	/* that a thing has to last to stand */
#define LOCKED_POLLS	3	/* that it has to last where only frames are counted */

const struct port *pause_far(const struct making *m, const struct port *p)
{
	const struct link *link = p ? links_of_port(m->of->links, p) : NULL;

	return link ? link_far(link, p) : NULL;
}

/* -- counters -- */

bool pause_rate(const struct making *m, const struct port *p, enum field f, unsigned index, double *per_s)
{
	return p && port_rate(m->of->model, p, f, index, per_s);
}

/* Whether there is anything new to be said of it; *newest when there is no history. */
static bool newest(const struct making *m, const struct port *p, enum field f, unsigned index, double *value)
{
	uint64_t n;

	if (!p || field_table[f].kind == KIND_COUNTER)
		return pause_rate(m, p, f, index, value);
	if (!port_number(m->of->model, p, f, index, &n))
		return false;
	*value = (double)n;
	return true;
}

static size_t recent(const struct port *p, enum field f, unsigned index, size_t most, float *values)
{
	const struct series *s = port_series(p, f, index);
	int64_t at_us[HISTORY_LEN];
	float all[HISTORY_LEN];
	size_t n = s && s->history ? series_history(s, at_us, all) : 0, used = 0;

	for (size_t i = n > most ? n - most : 0; i < n; i++)
		if (!isnan(all[i]))
			values[used++] = all[i];
	return used;
}

bool pause_mean(const struct making *m, const struct port *p, enum field f, unsigned index, double *mean)
{
	float values[RECENT];
	double sum = 0;
	size_t n;

	if (!newest(m, p, f, index, mean))
		return false;
	n = recent(p, f, index, RECENT, values);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	if (n)
		*mean = sum / (double)n;
	return true;
}

bool pause_moves(const struct making *m, const struct port *p, enum field f, unsigned index)
{
	double per_s;

	return pause_rate(m, p, f, index, &per_s) && per_s > 0;
}

/* Known to have said the same for so many polls at least. */
static bool stands(const struct making *m, const struct port *p, enum field f, unsigned index, int64_t polls)
{
	const struct cell *c = p ? port_cell(p, f, index) : NULL;
	double per_s;

	return c && pause_rate(m, p, f, index, &per_s) && per_s == 0 &&
	       c->said_us - c->since_us >= polls * (c->reply->period_us ? c->reply->period_us : SECOND);
}

static bool none_pass(const struct making *m, const struct port *p, enum field packets, enum field bytes, unsigned index,
		      int64_t polls)
{
	return (stands(m, p, packets, index, polls) || stands(m, p, bytes, index, polls)) && p && !pause_moves(m, p, packets, index) &&
	       !pause_moves(m, p, bytes, index);
}

bool pause_none_pass(const struct making *m, const struct port *p, enum field packets, enum field bytes, unsigned index)
{
	return none_pass(m, p, packets, bytes, index, POLLS);
}

bool pause_load(const struct making *m, const struct port *p, double *load)
{
	double bytes_per_s = 0, of_queue;
	uint64_t speed_bps;
	bool is_told = pause_mean(m, p, FIELD_TX_TOTAL, 0, &bytes_per_s);

	for (unsigned q = 0; !is_told && q < 8; q++)
		if (pause_rate(m, p, FIELD_TX_BYTES, q, &of_queue))
			bytes_per_s += of_queue;
	if ((!is_told && bytes_per_s == 0) || !port_number(m->of->model, p, FIELD_SPEED, 0, &speed_bps) || !speed_bps)
		return false;
	*load = bytes_per_s * 8 / (double)speed_bps;
	return true;
}

/* -- maps -- */

static unsigned mapped(const struct making *m, const struct port *p, enum field f, unsigned index)
{
	uint64_t to;

	return index < field_table[f].width && port_number(m->of->model, p, f, index, &to) && to < 8 ? (unsigned)to : index;
}

unsigned pause_queue(const struct making *m, const struct port *p, unsigned prio)
{
	return mapped(m, p, FIELD_TC_QUEUE, mapped(m, p, FIELD_PRIO_TC, prio));
}

unsigned pause_stops(const struct making *m, const struct port *p, unsigned prio)
{
	uint64_t queue;

	return port_number(m->of->model, p, FIELD_PFC_QUEUE, prio, &queue) && queue < 8 ? (unsigned)queue : pause_queue(m, p, prio);
}

/* -- holds -- */

/* Of either end's counters. */
static bool measure(const struct making *m, struct hold *h, double *lasting)
{
	struct stopped stopped;
	bool is_known = stopped_of(m->of->model, h->held, h->holder, h->prio, &stopped);

	h->basis = stopped.basis;
	h->share = stopped.share;
	h->window_us = stopped.window_us;
	h->frames_per_s = stopped.frames_per_s;
	*lasting = stopped.lasting;
	return is_known;
}

/* The bytes of the priority: a switch counts what it sends by queue; what one end sends the other receives. */
static bool sends_nothing(const struct making *m, const struct hold *h, int64_t polls)
{
	unsigned sent_as = h->held && m->tier[h->held->device->id] ? pause_queue(m, h->held, h->prio) : h->prio;

	if (h->held && (port_cell(h->held, FIELD_TX_PACKETS, sent_as) || port_cell(h->held, FIELD_TX_BYTES, sent_as)))
		return none_pass(m, h->held, FIELD_TX_PACKETS, FIELD_TX_BYTES, sent_as, polls);
	return none_pass(m, h->holder, FIELD_RX_PACKETS, FIELD_RX_BYTES, h->prio, polls);
}

static void look_at(struct making *m, const struct link *link, const struct port *held, const struct port *holder, unsigned prio)
{
	struct hold h = { .held = held, .holder = holder, .link = link, .prio = prio };
	double storm = pause_limit(m, LIMIT_PAUSE_STORM), lasting;

	if (!measure(m, &h, &lasting) || h.share < pause_limit(m, LIMIT_PAUSE_LOOK))
		return;
	h.is_still = lasting >= storm && sends_nothing(m, &h, POLLS) && !pause_moves(m, held, FIELD_PFC_RX_XON, prio);
	h.is_locked = h.is_still && sends_nothing(m, &h, LOCKED_POLLS);
	*GROW(m->g->holds, m->g->n_holds, m->g->cap_holds) = h;
	if (held)
		m->hold_of[held->id * 8 + prio] = m->g->n_holds;
	m->g->n_holds++;
}

static bool is_told(const struct making *m, const struct port *held, const struct port *holder)
{
	double per_s;

	for (unsigned prio = 0; prio < 8; prio++)
		if (pause_rate(m, held, FIELD_PFC_RX, prio, &per_s) || pause_rate(m, holder, FIELD_PFC_TX, prio, &per_s))
			return true;
	return false;
}

static void look_both_ways(struct making *m, const struct link *link, const struct port *a, const struct port *b)
{
	for (unsigned prio = 0; prio < 8; prio++) {
		look_at(m, link, a, b, prio);
		look_at(m, link, b, a, prio);
	}
	if (link && link->is_fabric)
		m->g->lacking += !is_told(m, a, b) + !is_told(m, b, a);
}

void pause_collect(struct making *m)
{
	for (size_t i = 0; i < m->of->links->n; i++)
		look_both_ways(m, &m->of->links->list[i], m->of->links->list[i].a, m->of->links->list[i].b);
	for (size_t i = 0; i < model_ports(m->of->model); i++) {
		const struct port *p = model_port(m->of->model, i);

		if (!links_of_port(m->of->links, p))
			look_both_ways(m, NULL, p, NULL);
	}
}
