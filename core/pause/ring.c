/* Rings of switches that wait for one another: strongly connected components of the holds. */
#include "core/pause/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* -- strongly connected components (Tarjan), without recursion -- */

#define NONE	SIZE_MAX

struct graph {
	size_t n;
	/* The k-th way from a node: false after the last; *to NONE: no way. */
	bool (*way)(const struct graph *g, size_t from, size_t k, size_t *to);
	void (*component)(struct graph *g, const size_t *nodes, size_t n);
	struct making *m;
	size_t *found;			/* of pauses_possible_ring(): the first ring's nodes */
	size_t n_found;
};

struct walk {
	size_t *order, *low, *next_way;	/* by node; order 0: not seen */
	size_t *open, n_open;		/* of no component yet */
	size_t *path, n_path;
	bool *is_open;
	size_t seen;
};

static void enter(struct walk *w, size_t node)
{
	w->order[node] = w->low[node] = ++w->seen;
	w->open[w->n_open++] = node;
	w->is_open[node] = true;
	w->path[w->n_path++] = node;
}

static void leave(struct graph *g, struct walk *w, size_t node)
{
	size_t from = w->n_open, parent;

	w->n_path--;
	parent = w->n_path ? w->path[w->n_path - 1] : node;
	if (w->low[node] < w->low[parent])
		w->low[parent] = w->low[node];
	if (w->low[node] != w->order[node])
		return;
	do
		w->is_open[w->open[--from]] = false;
	while (w->open[from] != node);
	g->component(g, w->open + from, w->n_open - from);
	w->n_open = from;
}

static void visit(struct graph *g, struct walk *w, size_t root)
{
	size_t to;

	enter(w, root);
	while (w->n_path) {
		size_t node = w->path[w->n_path - 1];

		if (!g->way(g, node, w->next_way[node]++, &to))
			leave(g, w, node);
		else if (to != NONE && !w->order[to])
			enter(w, to);
		else if (to != NONE && w->is_open[to] && w->order[to] < w->low[node])
			w->low[node] = w->order[to];
	}
}

static void find_components(struct graph *g)
{
	size_t *all = xcalloc(5 * g->n + 1, sizeof(*all));
	struct walk w = { .order = all, .low = all + g->n, .next_way = all + 2 * g->n, .open = all + 3 * g->n, .path = all + 4 * g->n };

	w.is_open = xcalloc(g->n + 1, sizeof(*w.is_open));
	for (size_t i = 0; i < g->n; i++)
		if (!w.order[i])
			visit(g, &w, i);
	free(all);
	free(w.is_open);
}

static bool is_among(const size_t *nodes, size_t n, size_t node)
{
	for (size_t i = 0; i < n; i++)
		if (nodes[i] == node)
			return true;
	return false;
}

/* -- deadlocks: holds that wait for each other, and for nothing else -- */

static bool hold_way(const struct graph *g, size_t from, size_t k, size_t *to)
{
	const struct hold *h = &g->m->g->holds[from];

	if (k >= h->n_waits)
		return false;
	*to = g->m->g->waits[h->first_wait + k];
	return true;
}

/* One that lets go now and then, or waits for something beside the ring, may be all that the others wait for. */
static bool is_locked(const struct pauses *g, const size_t *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct hold *h = &g->holds[nodes[i]];

		if (!h->is_still || h->n_causes || !h->n_waits)
			return false;
		for (size_t k = 0; k < h->n_waits; k++)
			if (!is_among(nodes, n, g->waits[h->first_wait + k]))
				return false;
	}
	return true;
}

/* The ring is told at one of its ports: the same one as long as it is the same ring. */
static size_t first_of(const struct pauses *g, const size_t *nodes, size_t n)
{
	size_t first = nodes[0];

	for (size_t i = 1; i < n; i++)
		if (g->holds[nodes[i]].holder->id < g->holds[first].holder->id)
			first = nodes[i];
	return first;
}

/*
 * Frames alone bound the time from above: a port that they could stop all the time may be stopped for none of it. Here they
 * never ceased while nothing left for several reads: a buffer above its threshold for all of that time drains into nothing.
 */
static void deadlock_words(const struct pauses *g, struct pause_root *r)
{
	char names[112] = "";
	size_t used = 0;

	for (size_t i = 0; i < r->n_holds && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %.40s", g->holds[r->holds[i]].holder->device->name);
	snprintf(r->what, sizeof(r->what), "%zu ports wait for each other in a loop and nothing moves:%s%s", r->n_holds, names,
		 r->by_frames ? " (continuous pause frames)" : "");
}

/* Nothing of the priority leaves by an exit, as its peer counts. */
static bool none_arrives(const struct making *m, const struct port *out, unsigned prio)
{
	const struct port *far = pause_far(m, out);
	double packets, bytes, pauses;

	return pause_rate(m, far, FIELD_PFC_TX, prio, &pauses) &&
	       (pause_rate(m, far, FIELD_RX_PACKETS, prio, &packets) ? packets == 0 :
		pause_rate(m, far, FIELD_RX_BYTES, prio, &bytes) && bytes == 0);
}

/* What the ring's own exit of a switch tells, and another exit, which packets may leave by as well, does not. */
static bool is_unread(const struct making *m, const struct port *of_ring, const struct port *out, unsigned prio)
{
	const struct { enum field f; unsigned index_ring, index; } counters[] = {
		{ FIELD_TX_PACKETS, pause_queue(m, of_ring, prio), pause_queue(m, out, prio) },
		{ FIELD_TX_BYTES, pause_queue(m, of_ring, prio), pause_queue(m, out, prio) },
		{ FIELD_PFC_RX, prio, prio },
	};
	uint64_t up;
	double per_s;

	if (port_number(m->of->model, out, FIELD_UP, 0, &up) && !up)
		return false;
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (pause_rate(m, of_ring, counters[i].f, counters[i].index_ring, &per_s) &&
		    !pause_rate(m, out, counters[i].f, counters[i].index, &per_s))
			return !none_arrives(m, out, prio);
	return false;
}

/* An exit of a switch in the ring that was not read: all may wait for that one. NULL: there is none. */
static const struct port *unread_exit(const struct making *m, const struct hold *h)
{
	const struct port *of_ring = m->g->holds[m->g->waits[h->first_wait]].held;

	for (size_t i = 0; of_ring && i < h->holder->device->n_ports; i++) {
		const struct port *out = h->holder->device->ports[i];

		if (out != h->holder && out != of_ring && links_of_port(m->of->links, out) && is_unread(m, of_ring, out, h->prio))
			return out;
	}
	return NULL;
}

/* Times say by themselves that nothing moves; frames only where every other exit is known. */
static void judge_by_frames(const struct making *m, struct pause_root *r, const struct hold *h)
{
	const struct port *exit = unread_exit(m, h);

	r->by_frames = true;
	r->is_sure &= h->is_locked && !exit;
	if (exit)
		snprintf(r->missing, sizeof(r->missing), "counters of %.40s:%.30s", exit->device->name, exit->name);
}

static void deadlock(struct graph *gr, const size_t *nodes, size_t n)
{
	struct pauses *g = gr->m->g;
	const struct hold *first;
	struct pause_root *r;
	size_t at;

	if (!is_locked(g, nodes, n))
		return;
	first = &g->holds[first_of(g, nodes, n)];
	at = pause_need_root(gr->m, ROOT_DEADLOCK, first->holder, first->prio);
	r = &g->roots[at];
	r->holds = xcalloc(n, sizeof(*r->holds));
	r->n_holds = n;
	memcpy(r->holds, nodes, n * sizeof(*nodes));
	pause_cite_hold(r, first);
	for (size_t i = 0; i < n; i++) {
		const struct hold *h = &g->holds[nodes[i]];

		if (h->basis != PAUSE_BY_TIME)
			judge_by_frames(gr->m, r, h);
		pause_cite_hold(r, h);
	}
	deadlock_words(g, r);
}

void pause_rings(struct making *m)
{
	struct graph g = { .n = m->g->n_holds, .way = hold_way, .component = deadlock, .m = m };

	find_components(&g);
}

/* -- rings that are possible: a node is a switch's port, where packets come in from another switch -- */

static bool is_between_switches(const struct making *m, const struct port *p)
{
	const struct port *far = pause_far(m, p);

	return far && m->tier[far->device->id] && m->tier[p->device->id];
}

static bool port_way(const struct graph *g, size_t from, size_t k, size_t *to)
{
	const struct port *in = model_port(g->m->of->model, from);

	*to = NONE;
	if (k >= in->device->n_ports)
		return false;
	if (is_between_switches(g->m, in) && is_between_switches(g->m, in->device->ports[k]) &&
	    pause_may_leave(g->m, in, in->device->ports[k]))
		*to = pause_far(g->m, in->device->ports[k])->id;
	return true;
}

/* Goes on inside the component until it comes back: that far it is a ring. */
static void keep_ring(struct graph *g, const size_t *nodes, size_t n)
{
	bool *is_in, *is_passed;
	size_t len = 0, to = NONE, first = 0;

	if (n < 2 || g->found)
		return;
	is_in = xcalloc(2 * g->n, sizeof(*is_in));
	is_passed = is_in + g->n;
	for (size_t i = 0; i < n; i++)
		is_in[nodes[i]] = true;
	g->found = xcalloc(n, sizeof(*g->found));
	for (size_t node = nodes[0]; !is_passed[node]; node = to) {
		is_passed[node] = true;
		g->found[len++] = node;
		for (size_t k = 0; port_way(g, node, k, &to); k++)
			if (to != NONE && is_in[to])
				break;
	}
	while (g->found[first] != to)
		first++;
	g->n_found = len - first;
	memmove(g->found, g->found + first, g->n_found * sizeof(*g->found));
	free(is_in);
}

size_t pauses_possible_ring(const struct pauses_of *of, const struct port ***ring)
{
	struct making m = { .of = of };
	struct graph g = { .n = model_ports(of->model), .way = port_way, .component = keep_ring, .m = &m };

	m.tier = xcalloc(model_devices(of->model) + 1, sizeof(*m.tier));
	pause_tiers(&m);
	find_components(&g);
	*ring = xcalloc(g.n_found + 1, sizeof(**ring));
	for (size_t i = 0; i < g.n_found; i++)
		(*ring)[i] = model_port(of->model, g.found[i]);
	free(g.found);
	free(m.tier);
	return g.n_found;
}
