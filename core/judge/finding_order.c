/*
 * The order of findings: how bad each is with what follows from it, roots before what they explain, so that a setting that is
 * worth a look stands above the failure that it makes; then what it does to traffic: what loses packets comes before what
 * holds links, the more of them the earlier, and that before a setting that does neither yet; then along the packet's way.
 */
#include <stdlib.h>

#include "core/judge/finding_internal.h"

#define HELD_STEP	4.0	/* shares that differ by less are alike: they move from sample to sample */
#define HELD_LEAST	(1.0 / 1024)

/* Both ends of a cable tell of the same stop. */
static bool is_same_link(const struct finding *a, const struct finding *b)
{
	return a->port && (a->port == b->port || a->port == b->far);
}

/* What follows from a finding counts for it, and for all between. A circle among the table's rows ends it. */
static void weigh_on(struct finding *of)
{
	struct finding *up = (struct finding *)of->cause;

	for (; up && of->depth < check_count; of->depth++) {
		if (of->verdict > up->weight)
			up->weight = of->verdict;
		if (of->check->harm > up->harm)
			up->harm = of->check->harm;
		if (!is_same_link(up, of))
			up->held_with += of->held;
		up = (struct finding *)up->cause;
	}
}

static unsigned held_step(const struct finding *f)
{
	unsigned step = 0;

	for (double least = HELD_LEAST; f->held_with >= least && step < 16; least *= HELD_STEP)
		step++;
	return step;
}

int finding_cmp_place(const struct finding *a, const struct finding *b)
{
	int order;

	if (a->verdict != b->verdict)
		return a->verdict > b->verdict ? -1 : 1;
	if (a->check->step != b->check->step)
		return a->check->step < b->check->step ? -1 : 1;
	order = natural_cmp(a->where, b->where);
	if (order)
		return order;
	if (a->check != b->check)
		return a->check < b->check ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

int finding_cmp(const void *left, const void *right)
{
	const struct finding *a = *(const struct finding *const *)left, *b = *(const struct finding *const *)right;
	unsigned held_a = held_step(a), held_b = held_step(b);

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->harm != b->harm)
		return a->harm > b->harm ? -1 : 1;
	if (held_a != held_b)
		return held_a > held_b ? -1 : 1;
	return finding_cmp_place(a, b);
}

void findings_order(struct findings *f)
{
	for (size_t i = 0; i < f->n_open; i++) {
		struct finding *of = (struct finding *)f->open[i];

		of->weight = of->verdict;
		of->harm = of->verdict >= VERDICT_LOOK ? of->check->harm : HARM_NONE;
		of->held_with = of->held;
		of->depth = 0;
	}
	for (size_t i = 0; i < f->n_open; i++)
		if (f->open[i]->verdict >= VERDICT_LOOK)
			weigh_on((struct finding *)f->open[i]);
	if (f->n_open)
		qsort(f->open, f->n_open, sizeof(*f->open), finding_cmp);
}
