#include "core/pause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/headroom.h"

#define RECENT		5	/* samples that a share is the mean of */
#define BUSY		0.9	/* of its line: an egress whose queue is not told */
#define MOSTLY		0.5
#define STANDING	0.5	/* of the longest queue of the switch: others that stand beside it */

/* What is worked out on the way; gone when the graph is made. */
struct making {
	const struct pauses_of *of;
	struct pauses *g;
	size_t *hold_of;		/* by port id and priority: place in holds, or NO_HOLD */
	unsigned *tier;			/* by device id: 0 host, 1 leaf, 2 above */
};

static double limit(const struct making *m, enum limit which)
{
	return policy_limit(m->of->policy, which);
}

static const struct port *far_of(const struct making *m, const struct port *p)
{
	const struct link *link = links_of_port(m->of->links, p);

	return link ? link_far(link, p) : NULL;
}

static bool is_switch(const struct making *m, const struct port *p)
{
	return device_is_switch(p->device, m->of->inventory);
}

/* ---- rates ---- */

static bool rate(const struct making *m, const struct port *p, enum field f, unsigned index, double *per_s)
{
	return p && port_rate(m->of->model, p, f, index, per_s);
}

static bool moves(const struct making *m, const struct port *p, enum field f, unsigned index)
{
	double per_s;

	return rate(m, p, f, index, &per_s) && per_s > 0;
}

/* Of a counter of µs: the mean of its newest samples, as a part of the time. */
static bool recent_share(const struct making *m, const struct port *p, enum field f, unsigned prio, double *share)
{
	int64_t at_us[HISTORY_LEN];
	float values[HISTORY_LEN];
	double raw, sum = 0;
	size_t n, used = 0;

	if (!port_share(m->of->model, p, f, prio, share, &raw))
		return false;
	n = series_history(port_series(p, f, prio), at_us, values);
	for (size_t i = n > RECENT ? n - RECENT : 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		sum += values[i] / 1e6;
		used++;
	}
	if (used)
		*share = sum / (double)used;
	if (*share > 1)
		*share = 1;
	return true;
}

/* ---- holds ---- */

/* Of either end's counters: its own before the mirror at its peer, times before frames. */
static bool measure(const struct making *m, struct hold *h)
{
	uint64_t speed_bps;
	bool counted;

	counted = rate(m, h->held, FIELD_PFC_RX, h->prio, &h->frames_per_s) ||
		  rate(m, h->holder, FIELD_PFC_TX, h->prio, &h->frames_per_s);
	if (!counted)
		h->frames_per_s = NAN;
	if (recent_share(m, h->held, FIELD_PFC_RX_US, h->prio, &h->share) ||
	    recent_share(m, h->holder, FIELD_PFC_TX_US, h->prio, &h->share)) {
		h->basis = PAUSE_BY_TIME;
		return true;
	}
	if (!counted || (!port_number(m->of->model, h->held, FIELD_SPEED, 0, &speed_bps) &&
			 !port_number(m->of->model, h->holder, FIELD_SPEED, 0, &speed_bps)) || !speed_bps)
		return false;
	h->basis = PAUSE_BY_FRAMES;
	h->share = pause_share_at_most(speed_bps, h->frames_per_s);
	return true;
}

/* Nothing leaves and nothing lets go; only what is known to be so. */
static bool stands_still(const struct making *m, const struct hold *h)
{
	enum field sent = port_cell(h->held, FIELD_TX_PACKETS, h->prio) ? FIELD_TX_PACKETS : FIELD_TX_BYTES;
	double per_s;

	return h->basis == PAUSE_BY_TIME && h->share >= limit(m, LIMIT_PAUSE_STORM) && rate(m, h->held, sent, h->prio, &per_s) &&
	       per_s == 0 && !moves(m, h->held, FIELD_PFC_RX_XON, h->prio);
}

static void look_at(struct making *m, const struct port *held, const struct port *holder, unsigned prio)
{
	struct hold h = { .held = held, .holder = holder, .prio = prio }, *to;

	if (!measure(m, &h)) {
		m->g->lacking += prio == 0;
		return;
	}
	if (h.share < limit(m, LIMIT_PAUSE_LOOK))
		return;
	h.is_still = stands_still(m, &h);
	to = GROW(m->g->holds, m->g->n_holds, m->g->cap_holds);
	*to = h;
	m->hold_of[held->id * 8 + prio] = m->g->n_holds++;
}

static void collect(struct making *m)
{
	for (size_t i = 0; i < m->of->links->n; i++) {
		const struct link *link = &m->of->links->list[i];

		for (unsigned prio = 0; link->b && prio < 8; prio++) {
			look_at(m, link->a, link->b, prio);
			look_at(m, link->b, link->a, prio);
		}
	}
}

/* ---- where packets may go ---- */

static void find_tiers(struct making *m)
{
	const struct links *links = m->of->links;

	for (size_t i = 0; i < model_devices(m->of->model); i++)
		m->tier[i] = device_is_switch(model_device(m->of->model, i), m->of->inventory) ? 2 : 0;
	for (size_t i = 0; i < links->n; i++) {
		const struct link *link = &links->list[i];

		if (link->b && m->tier[link->a->device->id] == 0 && m->tier[link->b->device->id] == 2)
			m->tier[link->b->device->id] = 1;
	}
}

/* Up and down the tree: what came from above goes down, and nothing goes back where it came from. */
static bool may_leave(const struct making *m, const struct port *in, const struct port *out)
{
	unsigned here = m->tier[in->device->id];
	const struct port *from = far_of(m, in), *to = far_of(m, out);

	if (in == out || !to || !from)
		return false;
	return m->tier[from->device->id] <= here || m->tier[to->device->id] < here;
}

/* ---- roots ---- */

static void cite(struct pause_root *r, const struct port *p, enum field f, unsigned index, const char *note)
{
	struct evidence *e;

	if (!p || r->n_evidence == EVIDENCE_MAX || !port_cell(p, f, index))
		return;
	e = &r->evidence[r->n_evidence++];
	*e = (struct evidence){ .device = p->device, .port = p, .field = f, .index = index };
	snprintf(e->note, sizeof(e->note), "%s", note);
}

static void cite_hold(struct pause_root *r, const struct hold *h)
{
	cite(r, h->held, FIELD_PFC_RX_US, h->prio, "how long it may not send");
	cite(r, h->holder, FIELD_PFC_TX_US, h->prio, "how long it holds its peer");
	cite(r, h->held, FIELD_PFC_RX, h->prio, "pause frames that stop it");
	cite(r, h->holder, FIELD_PFC_TX, h->prio, "pause frames that it sends");
}

static size_t need_root(struct making *m, enum root_is is, const struct port *at, unsigned prio)
{
	struct pauses *g = m->g;
	struct pause_root *r;

	for (size_t i = 0; i < g->n_roots; i++)
		if (g->roots[i].is == is && g->roots[i].at == at && g->roots[i].prio == prio)
			return i;
	r = GROW(g->roots, g->n_roots, g->cap_roots);
	*r = (struct pause_root){ .is = is, .at = at, .prio = prio, .is_sure = true };
	return g->n_roots++;
}

static void add_cause(struct making *m, struct hold *h, size_t root)
{
	*GROW(m->g->causes, m->g->n_causes, m->g->cap_causes) = root;
	m->g->n_causes++;
	h->n_causes++;
}

/* Its wire damages frames, or it is slower than the other ports of its switch that face the same way. */
static bool is_degraded(const struct making *m, const struct port *egress, const char **why)
{
	static const enum field damage[] = { FIELD_PHY_ERR, FIELD_FEC_LOST, FIELD_ICRC_ERR };
	const struct port *far = far_of(m, egress);
	uint64_t mine, its;

	for (size_t i = 0; i < sizeof(damage) / sizeof(*damage); i++) {
		*why = field_table[damage[i]].help;
		if (moves(m, far, damage[i], 0) || moves(m, egress, damage[i], 0))
			return true;
	}
	*why = "slower than the other ports of its kind";
	if (!far || !port_number(m->of->model, egress, FIELD_SPEED, 0, &mine))
		return false;
	for (size_t i = 0; i < egress->device->n_ports; i++) {
		const struct port *other = egress->device->ports[i], *to = far_of(m, other);

		if (to && m->tier[to->device->id] == m->tier[far->device->id] &&
		    port_number(m->of->model, other, FIELD_SPEED, 0, &its) && its > mine)
			return true;
	}
	return false;
}

static void congested(struct making *m, struct hold *h, const struct port *egress, bool is_sure)
{
	const char *why;
	bool degraded = is_degraded(m, egress, &why);
	size_t at = need_root(m, degraded ? ROOT_DEGRADED : ROOT_CONGESTION, egress, h->prio);
	struct pause_root *r = &m->g->roots[at];
	double bytes_per_s;
	uint64_t queue;

	add_cause(m, h, at);
	r->is_sure &= is_sure;
	if (r->what[0])
		return;
	if (port_number(m->of->model, egress, FIELD_QUEUE_BYTES, h->prio, &queue))
		cite(r, egress, FIELD_QUEUE_BYTES, h->prio, "what waits there");
	if (rate(m, egress, FIELD_TX_TOTAL, 0, &bytes_per_s))
		cite(r, egress, FIELD_TX_TOTAL, 0, "how much it sends");
	if (degraded)
		snprintf(r->what, sizeof(r->what), "packets wait for %.40s:%.40s: %.80s", egress->device->name, egress->name, why);
	else
		snprintf(r->what, sizeof(r->what), "more comes for %.40s:%.40s than its line takes", egress->device->name, egress->name);
}

static void unknown_egress(struct making *m, struct hold *h)
{
	size_t at = need_root(m, ROOT_UNKNOWN, h->holder, h->prio);
	struct pause_root *r = &m->g->roots[at];

	add_cause(m, h, at);
	r->is_sure = false;
	snprintf(r->missing, sizeof(r->missing), "which egress of %.40s its packets wait for (queue lengths)", h->holder->device->name);
	snprintf(r->what, sizeof(r->what), "%.40s:%.40s sends pause, and what for is not known", h->holder->device->name, h->holder->name);
}

/* A host that lets its switch wait: storm, or slow. The same signs as the checks of both. */
static void host_holds(struct making *m, struct hold *h)
{
	enum field taken = port_cell(h->holder, FIELD_RX_PACKETS, h->prio) ? FIELD_RX_PACKETS : FIELD_RX_BYTES;
	double per_s;
	bool takes_nothing = h->share >= MOSTLY && rate(m, h->holder, taken, h->prio, &per_s) && per_s == 0;
	bool stuck = h->basis == PAUSE_BY_TIME && (h->share >= limit(m, LIMIT_PAUSE_STORM) || takes_nothing);
	bool storm = stuck || moves(m, h->holder, FIELD_STORM_ERR, 0);
	size_t at = need_root(m, storm ? ROOT_STORM : ROOT_SLOW_RECEIVER, h->holder, h->prio);
	struct pause_root *r = &m->g->roots[at];

	add_cause(m, h, at);
	r->is_sure &= h->basis == PAUSE_BY_TIME;
	snprintf(r->what, sizeof(r->what), storm ? "%.40s sends pause without end (%s%.1f %% of the time)" :
		 "%.40s takes less than its line brings (it holds it %s%.1f %% of the time)", h->holder->device->name,
		 h->basis == PAUSE_BY_TIME ? "" : "at most ", h->share * 100);
	cite(r, h->holder, FIELD_STORM_ERR, 0, "stall prevention stopped its pause");
	cite(r, h->holder, taken, h->prio, "what it takes");
}

/* ---- from a hold to what it waits for ---- */

/* The longest queue among the ports that packets from in may leave by; false when no length is known. */
static bool longest_queue(const struct making *m, const struct port *in, unsigned prio, uint64_t *longest)
{
	bool any = false;

	*longest = 0;
	for (size_t i = 0; i < in->device->n_ports; i++) {
		const struct port *out = in->device->ports[i];
		uint64_t bytes;

		if (!may_leave(m, in, out) || !port_number(m->of->model, out, FIELD_QUEUE_BYTES, prio, &bytes))
			continue;
		any = true;
		if (bytes > *longest)
			*longest = bytes;
	}
	return any;
}

static bool is_busy(const struct making *m, const struct port *egress)
{
	double bytes_per_s;
	uint64_t speed_bps;

	return rate(m, egress, FIELD_TX_TOTAL, 0, &bytes_per_s) && port_number(m->of->model, egress, FIELD_SPEED, 0, &speed_bps) &&
	       speed_bps && bytes_per_s * 8 >= BUSY * (double)speed_bps;
}

static void wait_for(struct making *m, struct hold *h, size_t hold)
{
	*GROW(m->g->waits, m->g->n_waits, m->g->cap_waits) = hold;
	m->g->n_waits++;
	h->n_waits++;
}

/* Egress ports that may not send are followed; those that may and still have a queue are roots. */
static void switch_holds(struct making *m, struct hold *h)
{
	const struct port *in = h->holder;
	uint64_t longest, bytes;
	bool queues = longest_queue(m, in, h->prio, &longest) && longest > 0;

	for (size_t i = 0; i < in->device->n_ports; i++) {
		const struct port *out = in->device->ports[i];
		size_t next = m->hold_of[out->id * 8 + h->prio];

		if (!may_leave(m, in, out))
			continue;
		if (next != NO_HOLD)
			wait_for(m, h, next);
		else if (queues && port_number(m->of->model, out, FIELD_QUEUE_BYTES, h->prio, &bytes) &&
			 (double)bytes >= STANDING * (double)longest)
			congested(m, h, out, true);
		else if (is_busy(m, out))
			congested(m, h, out, false);
	}
	if (!h->n_waits && !h->n_causes)
		unknown_egress(m, h);
}

static void follow(struct making *m)
{
	for (size_t i = 0; i < m->g->n_holds; i++) {
		struct hold *h = &m->g->holds[i];

		h->first_wait = m->g->n_waits;
		h->first_cause = m->g->n_causes;
		if (is_switch(m, h->holder))
			switch_holds(m, h);
		else
			host_holds(m, h);
	}
}

/* ---- rings (Tarjan's strongly connected components) ---- */

struct ring_walk {
	struct making *m;
	size_t *order, *low, *stack;
	bool *on_stack;
	size_t n_stack, next;
};

static bool all_still(const struct ring_walk *w, size_t from)
{
	for (size_t i = from; i < w->n_stack; i++)
		if (!w->m->g->holds[w->stack[i]].is_still)
			return false;
	return true;
}

static bool waits_for_itself(const struct pauses *g, size_t hold)
{
	const struct hold *h = &g->holds[hold];

	for (size_t i = 0; i < h->n_waits; i++)
		if (g->waits[h->first_wait + i] == hold)
			return true;
	return false;
}

static void found_ring(struct ring_walk *w, size_t from)
{
	struct pauses *g = w->m->g;
	const struct hold *first = &g->holds[w->stack[from]];
	size_t n = w->n_stack - from, at;
	struct pause_root *r;

	if ((n < 2 && !waits_for_itself(g, w->stack[from])) || !all_still(w, from))
		return;
	at = need_root(w->m, ROOT_DEADLOCK, first->holder, first->prio);
	r = &g->roots[at];
	snprintf(r->what, sizeof(r->what), "%zu ports wait for each other in a ring, through %.40s: nothing moves", n,
		 first->holder->device->name);
	r->holds = xcalloc(n, sizeof(*r->holds));
	for (size_t i = from; i < w->n_stack; i++) {
		r->holds[r->n_holds++] = w->stack[i];
		cite_hold(r, &g->holds[w->stack[i]]);
	}
}

static void visit(struct ring_walk *w, size_t hold)
{
	const struct hold *h = &w->m->g->holds[hold];
	size_t from = w->n_stack;

	w->order[hold] = w->low[hold] = ++w->next;
	w->stack[w->n_stack++] = hold;
	w->on_stack[hold] = true;
	for (size_t i = 0; i < h->n_waits; i++) {
		size_t other = w->m->g->waits[h->first_wait + i];

		if (!w->order[other])
			visit(w, other);
		if (w->on_stack[other] && w->low[other] < w->low[hold])
			w->low[hold] = w->low[other];
	}
	if (w->low[hold] != w->order[hold])
		return;
	found_ring(w, from);
	while (w->n_stack > from)
		w->on_stack[w->stack[--w->n_stack]] = false;
}

static void find_rings(struct making *m)
{
	size_t n = m->g->n_holds;
	struct ring_walk w = { .m = m };

	w.order = xcalloc(n + 1, sizeof(*w.order));
	w.low = xcalloc(n + 1, sizeof(*w.low));
	w.stack = xcalloc(n + 1, sizeof(*w.stack));
	w.on_stack = xcalloc(n + 1, sizeof(*w.on_stack));
	for (size_t i = 0; i < n; i++)
		if (!w.order[i])
			visit(&w, i);
	free(w.order);
	free(w.low);
	free(w.stack);
	free(w.on_stack);
}

/* ---- trees ---- */

static bool is_caused_by(const struct pauses *g, const struct hold *h, size_t root)
{
	for (size_t i = 0; i < h->n_causes; i++)
		if (g->causes[h->first_cause + i] == root)
			return true;
	return false;
}

static void take_hold(const struct making *m, struct pause_root *r, unsigned *depth, size_t hold, unsigned at)
{
	const struct hold *h = &m->g->holds[hold];

	depth[hold] = at;
	r->holds[r->n_holds++] = hold;
	r->hops = at > r->hops ? at : r->hops;
	if (h->share > r->share)
		r->share = h->share;
	if (!is_switch(m, h->held))
		r->hosts[r->n_hosts++] = h->held;
	cite_hold(r, h);
}

static bool waits_for_one_of(const struct pauses *g, const struct hold *h, const unsigned *depth, unsigned at)
{
	for (size_t i = 0; i < h->n_waits; i++)
		if (depth[g->waits[h->first_wait + i]] == at)
			return true;
	return false;
}

/* Nearest first: the holds at the root, then those that wait for them, and so on. */
static void grow_tree(const struct making *m, size_t root)
{
	struct pauses *g = m->g;
	struct pause_root *r = &g->roots[root];
	unsigned *depth = xcalloc(g->n_holds + 1, sizeof(*depth));
	size_t ring = r->n_holds, before;

	r->holds = xrealloc(r->holds, (g->n_holds + 1) * sizeof(*r->holds));
	r->hosts = xcalloc(g->n_holds + 1, sizeof(*r->hosts));
	r->n_holds = 0;
	for (size_t i = 0; i < ring; i++)
		take_hold(m, r, depth, r->holds[i], 1);
	for (size_t i = 0; i < g->n_holds && !ring; i++)
		if (is_caused_by(g, &g->holds[i], root))
			take_hold(m, r, depth, i, 1);
	for (unsigned at = 1;; at++) {
		before = r->n_holds;
		for (size_t i = 0; i < g->n_holds; i++)
			if (!depth[i] && waits_for_one_of(g, &g->holds[i], depth, at))
				take_hold(m, r, depth, i, at + 1);
		if (r->n_holds == before)
			break;
	}
	free(depth);
}

static int worst_first(const void *a_, const void *b_)
{
	const struct pause_root *a = a_, *b = b_;

	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	if (a->n_holds != b->n_holds)
		return a->n_holds > b->n_holds ? -1 : 1;
	return (a->at->id > b->at->id) - (a->at->id < b->at->id);
}

/* Roots are sorted: what names them by place is told where they went. */
static void sort_roots(struct pauses *g)
{
	struct pause_root *before = xcalloc(g->n_roots + 1, sizeof(*before));

	memcpy(before, g->roots, g->n_roots * sizeof(*before));
	qsort(g->roots, g->n_roots, sizeof(*g->roots), worst_first);
	for (size_t i = 0; i < g->n_causes; i++)
		for (size_t k = 0; k < g->n_roots; k++)
			if (g->roots[k].holds == before[g->causes[i]].holds) {
				g->causes[i] = k;
				break;
			}
	free(before);
}

/* ---- the whole ---- */

void pauses_done(struct pauses *g)
{
	for (size_t i = 0; i < g->n_roots; i++) {
		free(g->roots[i].holds);
		free(g->roots[i].hosts);
	}
	free(g->holds);
	free(g->waits);
	free(g->causes);
	free(g->roots);
	*g = (struct pauses){ 0 };
}

void pauses_make(struct pauses *g, const struct pauses_of *of)
{
	struct making m = { of, g };
	size_t n = model_ports(of->model) * 8;

	pauses_done(g);
	m.hold_of = xmalloc((n + 1) * sizeof(*m.hold_of));
	for (size_t i = 0; i < n; i++)
		m.hold_of[i] = NO_HOLD;
	m.tier = xcalloc(model_devices(of->model) + 1, sizeof(*m.tier));
	find_tiers(&m);
	collect(&m);
	follow(&m);
	find_rings(&m);
	for (size_t i = 0; i < g->n_roots; i++)
		grow_tree(&m, i);
	sort_roots(g);
	free(m.hold_of);
	free(m.tier);
}

const struct hold *pauses_hold(const struct pauses *g, const struct port *held, unsigned prio)
{
	for (size_t i = 0; i < g->n_holds; i++)
		if (g->holds[i].held == held && g->holds[i].prio == prio)
			return &g->holds[i];
	return NULL;
}

const struct pause_root *pauses_root(const struct pauses *g, const struct port *held, unsigned prio)
{
	const struct hold *h = pauses_hold(g, held, prio);

	for (size_t i = 0; h && i < g->n_roots; i++)
		for (size_t k = 0; k < g->roots[i].n_holds; k++)
			if (&g->holds[g->roots[i].holds[k]] == h)
				return &g->roots[i];
	return NULL;
}

static const struct {
	const char *name, *words;
} root_table[] = {
	[ROOT_CONGESTION] = { "congestion", "more comes for it than its line takes" },
	[ROOT_DEGRADED] = { "degraded-link", "its line is slower or worse than its like" },
	[ROOT_SLOW_RECEIVER] = { "slow-receiver", "the host takes less than its line brings" },
	[ROOT_STORM] = { "storm", "the host stops its switch without end" },
	[ROOT_DEADLOCK] = { "deadlock", "a ring of ports that wait for each other" },
	[ROOT_UNKNOWN] = { "unknown", "what it waits for is not known" },
};

const char *root_name(enum root_is is)
{
	return root_table[is].name;
}

const char *root_words(enum root_is is)
{
	return root_table[is].words;
}
