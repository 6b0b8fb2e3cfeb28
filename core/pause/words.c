/* Pause trees in words: roots, holds, and what each root means. */
#include "core/pause/pause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NAMES_MAX	6	/* that a line of words tells */

const char *hold_end(const struct hold *h, bool of_held, char *words)
{
	const struct port *p = of_held ? h->held : h->holder;
	const char *seen = h->link ? h->link->seen_peer ? h->link->seen_peer : h->link->planned_peer : NULL;

	if (p)
		snprintf(words, HOLD_END_MAX, "%.60s:%.60s", p->device->name, p->name);
	else
		snprintf(words, HOLD_END_MAX, "%.120s", seen ? seen : "?");
	return words;
}

/* The hold of the root's own port, by a peer that is not read; NULL: the root is what holds. */
static const struct hold *own_hold(const struct pauses *g, const struct pause_root *r)
{
	for (size_t i = 0; i < r->n_holds; i++)
		if (g->holds[r->holds[i]].held == r->at)
			return &g->holds[r->holds[i]];
	return NULL;
}

/* Hosts, or where none is known ports: others than the root's own. */
static void add_held(const struct pauses *g, const struct pause_root *r, const char *word, struct buf *out)
{
	const struct hold *own = own_hold(g, r);
	size_t told = 0, of = r->n_hosts ? r->n_hosts : r->n_holds - (own != NULL);

	if (of)
		buf_str(out, word);
	for (size_t i = 0; i < r->n_hosts && told < NAMES_MAX; i++, told++)
		buf_printf(out, " %s", r->hosts[i].port->device->name);
	for (size_t i = 0; i < r->n_holds && !r->n_hosts && told < NAMES_MAX; i++) {
		char words[HOLD_END_MAX];

		if (&g->holds[r->holds[i]] == own)
			continue;
		buf_printf(out, " %s", hold_end(&g->holds[r->holds[i]], true, words));
		told++;
	}
	if (told < of)
		buf_printf(out, " and %zu more", of - told);
}

static void add_frames(const struct pauses *g, const struct pause_root *r, struct buf *out)
{
	double sum = 0;
	size_t n = 0;
	char rate[RATE_TEXT];

	for (size_t i = 0; i < r->n_holds; i++)
		if (g->holds[r->holds[i]].frames_per_s > 0) {
			sum += g->holds[r->holds[i]].frames_per_s;
			n++;
		}
	if (!n)
		return;
	if (sum >= 1000)
		buf_printf(out, ", %.1fk frames/s", sum / 1000);
	else
		buf_printf(out, ", %s frames/s", rate_text(rate, sum));
	if (n > 1)
		buf_printf(out, " on %zu links", n);	/* of the root and of those that it makes wait */
}

/* NULL: it holds nothing. */
static const struct hold *worst_hold(const struct pauses *g, const struct pause_root *r)
{
	for (size_t i = 0; i < r->n_holds; i++)
		if (g->holds[r->holds[i]].share == r->share)
			return &g->holds[r->holds[i]];
	return NULL;
}

static void add_share(struct buf *out, const struct hold *h)
{
	char share[STOPPED_TEXT];

	buf_printf(out, "paused %s%s", h->basis == PAUSE_BY_TIME ? "" : "at most ", stopped_text(share, h->share, h->window_us));
}

void pause_root_effect(const struct pauses *g, const struct pause_root *r, struct buf *out)
{
	const struct hold *worst = worst_hold(g, r), *own = own_hold(g, r);
	char words[HOLD_END_MAX];

	if (own)
		buf_printf(out, "is paused by %s", hold_end(own, false, words));
	add_held(g, r, own ? ", and pauses" : "pauses", out);
	add_frames(g, r, out);
	if (!worst)
		return;
	buf_str(out, ", ");
	add_share(out, worst);
}

void pause_root_words(const struct pauses *g, const struct pause_root *r, struct buf *out)
{
	buf_printf(out, "%s:%s ", r->at->device->name, r->at->name);
	if (!isnan(r->load))
		buf_printf(out, "(egress q%u, %.0f %%) ", r->queue, r->load > 1 ? 100 : r->load * 100);
	pause_root_effect(g, r, out);
	buf_printf(out, "; root: %s%s", r->what, r->is_sure || r->is == ROOT_UNKNOWN ? "" : " (likely)");
}

static const struct held_host *host_at(const struct pause_root *r, const struct port *p)
{
	for (size_t i = 0; i < r->n_hosts; i++)
		if (r->hosts[i].port == p)
			return &r->hosts[i];
	return NULL;
}

void pause_hold_words(const struct pause_root *r, const struct hold *h, struct buf *out)
{
	const struct held_host *host = h->held ? host_at(r, h->held) : NULL;
	char held[HOLD_END_MAX], holder[HOLD_END_MAX];

	buf_printf(out, "%s by %s, ", hold_end(h, true, held), hold_end(h, false, holder));
	add_share(out, h);
	if (h->is_still)
		buf_str(out, ", nothing leaves");
	if (host && host->is == HOST_SENDS)
		buf_str(out, "; sends to it");
	else if (host && host->is == HOST_WAITS)
		buf_printf(out, "; a victim: it sends to %s", host->to->device->name);
}

/* Those that wait for a hold stand below it: each once. */
static void visit(const struct pauses *g, const struct pause_root *r, size_t at, bool *is_told,
		  void (*told)(void *ctx, const struct hold *h, unsigned depth), void *ctx)
{
	is_told[at] = true;
	told(ctx, &g->holds[r->holds[at]], r->depths[at]);
	for (size_t i = at + 1; i < r->n_holds; i++) {
		const struct hold *h = &g->holds[r->holds[i]];

		for (size_t k = 0; k < h->n_waits && !is_told[i] && r->depths[i] == r->depths[at] + 1; k++)
			if (g->waits[h->first_wait + k] == r->holds[at])
				visit(g, r, i, is_told, told, ctx);
	}
}

void pause_tree(const struct pauses *g, const struct pause_root *r, void (*told)(void *ctx, const struct hold *h, unsigned depth),
		void *ctx)
{
	bool *is_told = xcalloc(r->n_holds + 1, sizeof(*is_told));

	for (size_t i = 0; i < r->n_holds; i++)
		if (!is_told[i])
			visit(g, r, i, is_told, told, ctx);
	free(is_told);
}

static const struct {
	const char *name, *words;
} root_table[] = {
	[ROOT_CONGESTION] = { "congestion", "oversubscribed egress: offered load exceeds its line rate" },
	[ROOT_DEGRADED] = { "degraded-link", "slower or more errored than its peers" },
	[ROOT_SLOW_RECEIVER] = { "slow-receiver", "the host receives less than its line rate" },
	[ROOT_STORM] = { "storm", "PFC storm: the host pauses its switch port continuously" },
	[ROOT_DEADLOCK] = { "deadlock", "PFC deadlock: ports wait for each other in a loop" },
	[ROOT_UNKNOWN] = { "unknown", "cause unknown" },
};

const char *root_name(enum root_is is)
{
	return root_table[is].name;
}

const char *root_words(enum root_is is)
{
	return root_table[is].words;
}
