#include "core/pause/internal.h"

#include <stdlib.h>

/* -- trees -- */

static bool is_caused_by(const struct pauses *g, const struct hold *h, size_t root)
{
	for (size_t i = 0; i < h->n_causes; i++)
		if (g->causes[h->first_cause + i] == root)
			return true;
	return false;
}

static void take_hold(struct pause_root *r, unsigned *depth, size_t hold, unsigned at)
{
	if (depth[hold])
		return;
	depth[hold] = at;
	r->holds[r->n_holds++] = hold;
	r->hops = at > r->hops ? at : r->hops;
}

/* Nearest first: the holds at the root, then those that wait for them, and so on. */
static void spread(const struct making *m, struct pause_root *r, size_t root, unsigned *depth)
{
	struct pauses *g = m->g;
	size_t ring = r->n_holds;

	r->holds = xrealloc(r->holds, (g->n_holds + 1) * sizeof(*r->holds));
	r->n_holds = 0;
	for (size_t i = 0; i < ring; i++)
		take_hold(r, depth, r->holds[i], 1);
	for (size_t i = 0; i < g->n_holds && !ring; i++)
		if (is_caused_by(g, &g->holds[i], root))
			take_hold(r, depth, i, 1);
	for (size_t i = 0; i < r->n_holds; i++)
		for (size_t k = m->first_waiter[r->holds[i]]; k < m->first_waiter[r->holds[i] + 1]; k++)
			take_hold(r, depth, m->waiters[k], depth[r->holds[i]] + 1);
	r->holds = xrealloc(r->holds, (r->n_holds + 1) * sizeof(*r->holds));
}

static void add_host(struct pause_root *r, size_t *cap, const struct port *host)
{
	GROW(r->hosts, r->n_hosts, *cap)->port = host;
	r->n_hosts++;
}

static void grow_tree(const struct making *m, size_t root)
{
	struct pause_root *r = &m->g->roots[root];
	unsigned *depth = xcalloc(m->g->n_holds + 1, sizeof(*depth));
	size_t cap_hosts = 0;

	spread(m, r, root, depth);
	r->depths = xcalloc(r->n_holds + 1, sizeof(*r->depths));
	for (size_t i = 0; i < r->n_holds; i++) {
		const struct hold *h = &m->g->holds[r->holds[i]];

		r->depths[i] = depth[r->holds[i]];
		r->is_sure &= h->basis == PAUSE_BY_TIME || r->is == ROOT_DEADLOCK;	/* which its ring has told */
		r->share = h->share > r->share ? h->share : r->share;
		if (h->held && !m->tier[h->held->device->id])
			add_host(r, &cap_hosts, h->held);
		pause_cite_hold(r, h);
	}
	free(depth);
}

/* The waits the other way round: who waits for a hold. */
static void turn_waits(struct making *m)
{
	const struct pauses *g = m->g;
	size_t *next;

	m->waiters = xcalloc(g->n_waits + 1, sizeof(*m->waiters));
	m->first_waiter = xcalloc(g->n_holds + 2, sizeof(*m->first_waiter));
	for (size_t i = 0; i < g->n_waits; i++)
		m->first_waiter[g->waits[i] + 1]++;
	for (size_t i = 0; i < g->n_holds; i++)
		m->first_waiter[i + 1] += m->first_waiter[i];
	next = xcalloc(g->n_holds + 1, sizeof(*next));
	for (size_t i = 0; i < g->n_holds; i++) {
		const struct hold *h = &g->holds[i];

		for (size_t k = 0; k < h->n_waits; k++) {
			size_t to = g->waits[h->first_wait + k];

			m->waiters[m->first_waiter[to] + next[to]++] = i;
		}
	}
	free(next);
}

/* Holds that wait for each other, and let go now and then, lead to no root. */
static void grow_trees(struct making *m)
{
	struct pauses *g = m->g;
	bool *is_in = xcalloc(g->n_holds + 1, sizeof(*is_in));

	for (size_t root = 0, hold = 0;; root++) {
		for (; root == g->n_roots && hold < g->n_holds; hold++)
			if (!is_in[hold])
				pause_not_known(m, &g->holds[hold]);
		if (root == g->n_roots)
			break;
		grow_tree(m, root);
		for (size_t i = 0; i < g->roots[root].n_holds; i++)
			is_in[g->roots[root].holds[i]] = true;
		pause_hosts(m, &g->roots[root]);
	}
	free(is_in);
}

/* What is not known comes last, however bad it is. */
static int worst_first(const void *a_, const void *b_)
{
	const struct pause_root *a = a_, *b = b_;

	if ((a->is == ROOT_UNKNOWN) != (b->is == ROOT_UNKNOWN))
		return a->is == ROOT_UNKNOWN ? 1 : -1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	if (a->n_holds != b->n_holds)
		return a->n_holds > b->n_holds ? -1 : 1;
	return (a->at->id > b->at->id) - (a->at->id < b->at->id);
}

/* Roots are sorted: what names them by place is told where they went. */
static void sort_roots(struct pauses *g)
{
	struct pause_root *before;

	if (!g->n_roots)
		return;
	before = xcalloc(g->n_roots, sizeof(*before));
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

/* -- the whole -- */

void pauses_done(struct pauses *g)
{
	for (size_t i = 0; i < g->n_roots; i++) {
		free(g->roots[i].holds);
		free(g->roots[i].depths);
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
	pause_tiers(&m);
	pause_collect(&m);
	pause_follow(&m);
	pause_rings(&m);
	turn_waits(&m);
	grow_trees(&m);
	sort_roots(g);
	pause_forget_traffic(&m);
	free(m.waiters);
	free(m.first_waiter);
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
