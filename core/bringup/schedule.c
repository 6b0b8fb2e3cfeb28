#include "core/bringup/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

#define NOBODY		SIZE_MAX
#define BESIDE_STREAM	2	/* senders of an incast: with the stream, a small leaf has as many */

void bringup_schedule_init(struct bringup_schedule *s)
{
	*s = (struct bringup_schedule){ 0 };
}

void bringup_schedule_done(struct bringup_schedule *s)
{
	free(s->flows);
	free(s->rounds);
	bringup_schedule_init(s);
}

bool bringup_kind_tells_of_ends(enum bringup_kind kind)
{
	return kind == BRINGUP_LOOPBACK || kind == BRINGUP_SAME_LEAF || kind == BRINGUP_SUSPECT;
}

bool bringup_kind_is_incast(enum bringup_kind kind)
{
	return kind == BRINGUP_INCAST || kind == BRINGUP_LOSSY;
}

enum bringup_tool bringup_flow_tool(const struct bringup_round *round, const struct bringup_flow *flow)
{
	return flow->is_stream ? BRINGUP_STREAM : round->tool;
}

/* -- rounds -- */

static void add_flow(struct bringup_schedule *s, size_t from, size_t to)
{
	*GROW(s->flows, s->n_flows, s->cap_flows) = (struct bringup_flow){ .from = from, .to = to };
	s->n_flows++;
}

static void add_pair(struct bringup_schedule *s, size_t a, size_t b)
{
	add_flow(s, a, b);
	add_flow(s, b, a);
}

/* The flows that were added since first are a round; none: there is no round. */
static bool end_round(struct bringup_schedule *s, enum bringup_kind kind, size_t first, enum bringup_tool tool)
{
	if (s->n_flows == first)
		return false;
	*GROW(s->rounds, s->n_rounds, s->cap_rounds) = (struct bringup_round){ kind, first, s->n_flows - first, tool };
	s->n_rounds++;
	return true;
}

/* Another round of those flows by another tool; of a pair its first direction alone, or both. */
static void add_again(struct bringup_schedule *s, enum bringup_kind kind, size_t first, size_t end, enum bringup_tool tool, size_t step)
{
	size_t begun = s->n_flows;

	for (size_t i = first; i < end; i += step)
		add_flow(s, s->flows[i].from, s->flows[i].to);
	end_round(s, kind, begun, tool);
}

/* The pairs that were added since first: by each tool that is wanted. */
static bool end_pairs(struct bringup_schedule *s, enum bringup_kind kind, size_t first, unsigned tools)
{
	size_t end = s->n_flows;
	bool is_any = tools & 1u << BRINGUP_RPING ? end_round(s, kind, first, BRINGUP_RPING)
						  : end_round(s, kind, first, BRINGUP_WRITE_BW);

	if (tools & 1u << BRINGUP_RPING)
		add_again(s, kind, first, end, BRINGUP_WRITE_BW, 1);
	if (tools & 1u << BRINGUP_WRITE_LAT)
		add_again(s, kind, first, end, BRINGUP_WRITE_LAT, 2);
	return is_any;
}

/* -- the NICs of one leaf -- */

/* All NICs, those of one leaf together, in the caller's order. */
struct leaves {
	size_t *nics;		/* positions in the caller's list */
	size_t *first;		/* of each leaf, and the end after the last */
	size_t n;		/* leaves */
};

static const struct bringup_nic *sorted;	/* qsort has no context */

static int by_leaf(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, k = *(const size_t *)b;

	if (sorted[i].leaf != sorted[k].leaf)
		return sorted[i].leaf < sorted[k].leaf ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void find_leaves(const struct bringup_nic *nics, size_t n, struct leaves *l)
{
	*l = (struct leaves){ .nics = xcalloc(n + 1, sizeof(*l->nics)), .first = xcalloc(n + 1, sizeof(*l->first)) };
	for (size_t i = 0; i < n; i++)
		l->nics[i] = i;
	sorted = nics;
	qsort(l->nics, n, sizeof(*l->nics), by_leaf);
	for (size_t i = 0; i < n; i++)
		if (!i || nics[l->nics[i]].leaf != nics[l->nics[i - 1]].leaf)
			l->first[l->n++] = i;
	l->first[l->n] = n;
}

static void free_leaves(struct leaves *l)
{
	free(l->nics);
	free(l->first);
}

/* The circle method: the first stands, the others move on by one place each round; opposite places are a pair. */
static size_t in_circle(size_t place, size_t round, size_t places)
{
	return place ? 1 + (place - 1 + round) % (places - 1) : 0;
}

static void add_circle(struct bringup_schedule *s, const struct bringup_nic *nics, const size_t *of_leaf, size_t n, size_t round)
{
	size_t places = n + n % 2;	/* with an odd number, one rests */

	for (size_t i = 0; i < places / 2; i++) {
		size_t a = in_circle(i, round, places), b = in_circle(places - 1 - i, round, places);

		if (a < n && b < n && nics[of_leaf[a]].node != nics[of_leaf[b]].node)
			add_pair(s, of_leaf[a], of_leaf[b]);
	}
}

/* Rounds that an odd number needs: one rests in each, and is loaded as often as the others. */
static size_t rounds_of(size_t n, unsigned loads)
{
	size_t all = n < 2 ? 0 : n % 2 ? n : n - 1, wanted = loads + n % 2;

	return wanted < all ? wanted : all;
}

static void add_same_leaf(struct bringup_schedule *s, const struct bringup_nic *nics, const struct leaves *l,
			  const struct bringup_wishes *w)
{
	for (size_t round = 0;; round++) {
		size_t first = s->n_flows;
		bool is_any = false;

		for (size_t leaf = 0; leaf < l->n; leaf++) {
			size_t n = l->first[leaf + 1] - l->first[leaf];

			if (round >= rounds_of(n, w->loads))
				continue;
			is_any = true;
			add_circle(s, nics, l->nics + l->first[leaf], n, round);
		}
		if (!is_any)
			return;
		end_pairs(s, BRINGUP_SAME_LEAF, first, w->tools);
	}
}

/* -- across leaves -- */

/* What is left of each leaf in this round. */
struct left {
	const struct bringup_nic *nics;
	const struct leaves *leaves;
	bool *is_taken;			/* of each NIC */
	unsigned *loads;		/* of each NIC, in all rounds across leaves */
	size_t *n;			/* free NICs of each leaf */
};

/* How often the free NIC of the leaf was loaded that was loaded least. */
static unsigned least_loads(const struct left *l, size_t leaf)
{
	unsigned least = UINT32_MAX;

	for (size_t i = l->leaves->first[leaf]; i < l->leaves->first[leaf + 1]; i++) {
		size_t nic = l->leaves->nics[i];

		if (!l->is_taken[nic] && l->loads[nic] < least)
			least = l->loads[nic];
	}
	return least;
}

/* The leaf that waits most: it has a NIC that was loaded least; of those, the fullest. */
static size_t next_leaf(const struct left *l)
{
	size_t best = NOBODY;
	unsigned best_loads = 0;

	for (size_t i = 0; i < l->leaves->n; i++) {
		unsigned loads = l->n[i] ? least_loads(l, i) : 0;

		if (l->n[i] && (best == NOBODY || loads < best_loads || (loads == best_loads && l->n[i] > l->n[best]))) {
			best = i;
			best_loads = loads;
		}
	}
	return best;
}

static void take(struct left *l, size_t leaf, size_t nic)
{
	l->is_taken[nic] = true;
	l->n[leaf]--;
}

/*
 * A free NIC of the leaf: the one that was loaded least; of those, one of the rail of other, and never of its node. The search begins
 * at another place each round, so that the pairs differ.
 */
static size_t free_nic(const struct left *l, size_t leaf, size_t other, size_t round)
{
	const struct leaves *all = l->leaves;
	size_t from = all->first[leaf], n = all->first[leaf + 1] - from, best = NOBODY;

	for (size_t i = 0; i < n; i++) {
		size_t nic = all->nics[from + (i + round) % n];
		bool is_of_rail = other != NOBODY && l->nics[nic].rail == l->nics[other].rail;

		if (l->is_taken[nic] || (other != NOBODY && l->nics[nic].node == l->nics[other].node))
			continue;
		if (best == NOBODY || l->loads[nic] < l->loads[best] ||
		    (l->loads[nic] == l->loads[best] && is_of_rail && l->nics[best].rail != l->nics[other].rail))
			best = nic;
	}
	return best;
}

/* The NIC gets a partner of the fullest leaf that has one for it. */
static size_t partner_of(const struct left *l, size_t nic, size_t own_leaf, size_t round, size_t *leaf)
{
	size_t best = NOBODY, most = 0;

	for (size_t i = 0; i < l->leaves->n; i++) {
		size_t one = i != own_leaf && l->n[i] > most ? free_nic(l, i, nic, round) : NOBODY;

		if (one == NOBODY)
			continue;
		best = one;
		most = l->n[i];
		*leaf = i;
	}
	return best;
}

static void add_cross_round(struct bringup_schedule *s, struct left *l, size_t round)
{
	size_t leaf, other_leaf = 0, nic, other;

	while ((leaf = next_leaf(l)) != NOBODY) {
		nic = free_nic(l, leaf, NOBODY, round);
		take(l, leaf, nic);
		other = partner_of(l, nic, leaf, 2 * round + 1, &other_leaf);
		if (other == NOBODY)
			continue;
		take(l, other_leaf, other);
		l->loads[nic]++;
		l->loads[other]++;
		add_pair(s, nic, other);
	}
}

static bool is_each_loaded(const struct left *l, size_t n, unsigned wanted)
{
	for (size_t i = 0; i < n; i++)
		if (l->loads[i] < wanted && !l->nics[i].is_apart)
			return false;
	return true;
}

/* A leaf with more than half of all NICs needs more rounds: those that had no partner come first in the next. */
static void add_cross_leaf(struct bringup_schedule *s, const struct bringup_nic *nics, size_t n, const struct leaves *leaves,
			   const struct bringup_wishes *w)
{
	struct left l = { nics, leaves, xcalloc(n + 1, sizeof(*l.is_taken)), xcalloc(n + 1, sizeof(*l.loads)),
			  xcalloc(n + 1, sizeof(*l.n)) };
	size_t rounds = leaves->n < 2 ? 0 : 4 * (size_t)w->loads;

	for (size_t round = 0; round < rounds && !is_each_loaded(&l, n, w->loads); round++) {
		size_t first = s->n_flows;

		memset(l.is_taken, 0, n * sizeof(*l.is_taken));
		for (size_t i = 0; i < leaves->n; i++)
			l.n[i] = nics[leaves->nics[leaves->first[i]]].is_apart ? 0 : leaves->first[i + 1] - leaves->first[i];
		add_cross_round(s, &l, round);
		if (!end_pairs(s, BRINGUP_CROSS_LEAF, first, w->tools & ~(1u << BRINGUP_WRITE_LAT)))
			break;
	}
	free(l.is_taken);
	free(l.loads);
	free(l.n);
}

/* -- incast -- */

/* The first NIC of each leaf receives from so many others of its leaf, each of another node; and beside them a stream of one more. */
static void add_incast_round(struct bringup_schedule *s, const struct bringup_nic *nics, const struct leaves *l, enum bringup_kind kind,
			     size_t senders)
{
	size_t first = s->n_flows, wanted = senders + (kind == BRINGUP_LOSSY);

	for (size_t leaf = 0; leaf < l->n; leaf++) {
		const size_t *of_leaf = l->nics + l->first[leaf];
		size_t n = l->first[leaf + 1] - l->first[leaf], begun = s->n_flows, found = 0;

		for (size_t i = 1; i < n && found < wanted; i++)
			if (nics[of_leaf[i]].node != nics[of_leaf[0]].node) {
				add_flow(s, of_leaf[i], of_leaf[0]);
				s->flows[s->n_flows - 1].is_stream = found == senders;
				found++;
			}
		if (found < wanted)
			s->n_flows = begun;
	}
	end_round(s, kind, first, BRINGUP_WRITE_BW);
}

/* -- all -- */

static bool is_wanted(const struct bringup_wishes *w, enum bringup_kind kind)
{
	return w->kinds & 1u << kind;
}

void bringup_schedule_make(struct bringup_schedule *s, const struct bringup_nic *nics, size_t n, const struct bringup_wishes *w)
{
	size_t first = s->n_flows;
	struct leaves l;

	find_leaves(nics, n, &l);
	if (is_wanted(w, BRINGUP_LOOPBACK)) {
		for (size_t i = 0; i < n; i++)
			add_flow(s, i, i);
		end_round(s, BRINGUP_LOOPBACK, first, BRINGUP_WRITE_BW);
	}
	if (is_wanted(w, BRINGUP_SAME_LEAF))
		add_same_leaf(s, nics, &l, w);
	if (is_wanted(w, BRINGUP_CROSS_LEAF))
		add_cross_leaf(s, nics, n, &l, w);
	for (size_t senders = 2; is_wanted(w, BRINGUP_INCAST) && senders <= w->incast; senders *= 2)
		add_incast_round(s, nics, &l, BRINGUP_INCAST, senders);
	if (is_wanted(w, BRINGUP_LOSSY))
		add_incast_round(s, nics, &l, BRINGUP_LOSSY, BESIDE_STREAM);
	free_leaves(&l);
}

/* -- suspects -- */

static bool is_pair(const struct bringup_flow *f)
{
	return f->from != f->to;
}

/* A flow of no round: the caller has chosen it. */
static bool tells_of_ends(const struct bringup_schedule *s, size_t flow)
{
	for (size_t i = 0; i < s->n_rounds; i++)
		if (flow - s->rounds[i].first < s->rounds[i].n)
			return bringup_kind_tells_of_ends(s->rounds[i].kind);
	return true;
}

/* A loopback has no partner. */
static bool counts(const struct bringup_schedule *s, const enum bringup_verdict *verdicts, size_t flow)
{
	return verdicts[flow] != BRINGUP_NOT_RUN && is_pair(&s->flows[flow]) && tells_of_ends(s, flow);
}

/* Two NICs that were tested against each other: both ways, by several tools, and again. Failed, if any of that did. */
struct pair {
	size_t a, b;	/* a < b */
	bool has_failed;
};

static int by_ends(const void *one, const void *other)
{
	const struct pair *p = one, *q = other;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return p->b < q->b ? -1 : p->b > q->b;
}

/* Those with a verdict, each once. */
static struct pair *pairs_of(const struct bringup_schedule *s, const enum bringup_verdict *verdicts, size_t *n)
{
	struct pair *pairs = xcalloc(s->n_flows + 1, sizeof(*pairs));
	size_t n_tested = 0;

	for (size_t i = 0; i < s->n_flows; i++) {
		const struct bringup_flow *f = &s->flows[i];
		size_t a = f->from < f->to ? f->from : f->to;

		if (counts(s, verdicts, i))
			pairs[n_tested++] = (struct pair){ a, f->from + f->to - a, verdicts[i] == BRINGUP_FAILED };
	}
	qsort(pairs, n_tested, sizeof(*pairs), by_ends);
	*n = 0;
	for (size_t i = 0; i < n_tested; i++) {
		if (*n && by_ends(&pairs[*n - 1], &pairs[i]) == 0)
			pairs[*n - 1].has_failed |= pairs[i].has_failed;
		else
			pairs[(*n)++] = pairs[i];
	}
	return pairs;
}

void bringup_schedule_judge(const struct bringup_schedule *s, const enum bringup_verdict *verdicts, enum bringup_end *ends, size_t n)
{
	unsigned *passed = xcalloc(n + 1, sizeof(*passed)), *failed = xcalloc(n + 1, sizeof(*failed));
	unsigned *against_good = xcalloc(n + 1, sizeof(*against_good)), *unproven = xcalloc(n + 1, sizeof(*unproven));
	size_t n_pairs;
	struct pair *pairs = pairs_of(s, verdicts, &n_pairs);

	for (const struct pair *p = pairs; p < pairs + n_pairs; p++) {
		unsigned *counted = p->has_failed ? failed : passed;

		counted[p->a]++;
		counted[p->b]++;
	}
	for (const struct pair *p = pairs; p < pairs + n_pairs; p++) {
		against_good[p->a] += p->has_failed && passed[p->b] > 0;
		against_good[p->b] += p->has_failed && passed[p->a] > 0;
	}
	for (size_t i = 0; i < n; i++)
		ends[i] = against_good[i] >= 2 ? BRINGUP_END_BAD : passed[i] || failed[i] ? BRINGUP_END_GOOD : BRINGUP_END_UNTRIED;
	for (size_t i = 0; i < s->n_flows; i++)	/* what fails by itself needs no partner to fail */
		if (!is_pair(&s->flows[i]) && verdicts[i] == BRINGUP_FAILED)
			ends[s->flows[i].from] = BRINGUP_END_BAD;
	for (size_t i = 0; i < s->n_flows; i++) {	/* failures that no bad end explains */
		const struct bringup_flow *f = &s->flows[i];

		if (!counts(s, verdicts, i) || verdicts[i] != BRINGUP_FAILED || ends[f->from] == BRINGUP_END_BAD ||
		    ends[f->to] == BRINGUP_END_BAD)
			continue;
		unproven[f->from]++;
		unproven[f->to]++;
	}
	for (size_t i = 0; i < n; i++)
		if (unproven[i] && ends[i] != BRINGUP_END_BAD)
			ends[i] = BRINGUP_END_SUSPECT;
	free(passed);
	free(failed);
	free(against_good);
	free(unproven);
	free(pairs);
}

static bool have_met(const struct bringup_schedule *s, size_t a, size_t b)
{
	for (size_t i = 0; i < s->n_flows; i++)
		if (s->flows[i].from == a && s->flows[i].to == b)
			return true;
	return false;
}

static bool can_reach(const struct bringup_nic *a, const struct bringup_nic *b)
{
	return a->leaf == b->leaf || (!a->is_apart && !b->is_apart);
}

/* Of the same leaf, if there is one: one link and one switch less that could be to blame. */
static size_t good_partner(const struct bringup_schedule *s, const struct bringup_nic *nics, const enum bringup_end *ends, size_t n,
			   const bool *is_taken, size_t suspect)
{
	size_t best = NOBODY;

	for (size_t i = 0; i < n; i++) {
		bool is_near = nics[i].leaf == nics[suspect].leaf;

		if (ends[i] != BRINGUP_END_GOOD || is_taken[i] || nics[i].node == nics[suspect].node ||
		    !can_reach(&nics[i], &nics[suspect]) || have_met(s, suspect, i))
			continue;
		if (best == NOBODY || (is_near && nics[best].leaf != nics[suspect].leaf))
			best = i;
	}
	return best;
}

bool bringup_schedule_suspects(struct bringup_schedule *s, const struct bringup_nic *nics, const enum bringup_end *ends, size_t n,
			       enum bringup_tool tool)
{
	bool *is_taken = xcalloc(n + 1, sizeof(*is_taken));
	size_t first = s->n_flows;

	for (size_t i = 0; i < n; i++) {
		size_t partner = ends[i] == BRINGUP_END_SUSPECT ? good_partner(s, nics, ends, n, is_taken, i) : NOBODY;

		if (partner == NOBODY)
			continue;
		is_taken[i] = is_taken[partner] = true;
		add_pair(s, i, partner);
	}
	free(is_taken);
	return end_round(s, BRINGUP_SUSPECT, first, tool);
}
