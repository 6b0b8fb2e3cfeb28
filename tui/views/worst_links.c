#include "tui/views/worst_links.h"

#include <math.h>
#include <stdlib.h>

static const struct loss_field {
	enum field field;
	bool of_priority;	/* drops in lossy classes are how these do their work */
	bool is_error;
} fields[] = {
	{ FIELD_RX_DROP, true, false },	  { FIELD_TX_DROP, true, false }, { FIELD_PG_DROP, true, false },
	{ FIELD_RX_NOBUF, false, false }, { FIELD_PHY_ERR, false, true }, { FIELD_FEC_LOST, false, true },
	{ FIELD_ICRC_ERR, false, true },
};

static void add(double *sum, double per_s)
{
	*sum = isnan(*sum) ? per_s : *sum + per_s;
}

static void add_end(struct worst_link *l, const struct model *m, const struct port *p, unsigned priority)
{
	struct mean mean;
	double per_s;

	for (size_t i = 0; p && i < sizeof(fields) / sizeof(*fields); i++) {
		if (port_mean(m, p, fields[i].field, fields[i].of_priority ? priority : 0, MEAN_US, &mean))
			add(fields[i].is_error ? &l->errors_per_s : &l->drops_per_s, mean.per_s);
		for (unsigned k = 0; fields[i].of_priority && k < 8; k++)
			if (k != priority && port_rate(m, p, fields[i].field, k, &per_s))
				add(&l->lossy_per_s, per_s);
	}
}

/* What is lost weighs more than what only waits. */
static double weigh(const struct worst_link *l)
{
	double weight = isnan(l->paused_share) ? 0 : l->paused_share;

	if (l->drops_per_s > 0)
		weight += 1 + log10(1 + l->drops_per_s);
	if (l->errors_per_s > 0)
		weight += 1 + log10(1 + l->errors_per_s);
	return weight;
}

static int worst_first(const void *left, const void *right)
{
	const struct worst_link *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return natural_cmp(a->row->link->name, b->row->link->name);
}

struct worst_link worst_link_of(const struct portrow *row, const struct model *m, unsigned priority)
{
	struct worst_link one = { row, NAN, NAN, row->paused_known ? row->paused_share : NAN, NAN, 0 };

	add_end(&one, m, row->link->a, priority);
	add_end(&one, m, row->link->b, priority);
	one.weight = weigh(&one);
	return one;
}

/* As the checks of loss, damage and pause have it: one that could not be judged at an end leaves the link untold. */
static bool is_judged_at(const struct findings *f, const struct port *p)
{
	static const char *const checks[] = { "lossless-kept", "wire-clean", "not-paused" };
	bool is_lost = false;

	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		enum verdict v = findings_said(f, check_find(checks[i]), p->device, p, &is_lost);

		if (v == VERDICT_UNKNOWN || (v == VERDICT_NA && is_lost))
			return false;
	}
	return true;
}

static bool is_silent(const struct worst_link *one, const struct findings *f)
{
	const struct link *link = one->row->link;

	return isnan(one->drops_per_s) || isnan(one->errors_per_s) || isnan(one->paused_share) || !is_judged_at(f, link->a) ||
	       (link->b && !is_judged_at(f, link->b));
}

void worst_links_update(struct worst_links *l, const struct portrow *rows, size_t n, const struct model *m,
			const struct findings *f, unsigned priority)
{
	double most = 0;

	l->n = l->silent = 0;
	l->of = n;
	l->lossy_per_s = 0;
	l->lossy = NULL;
	for (size_t i = 0; i < n; i++) {
		struct worst_link one = worst_link_of(&rows[i], m, priority);

		l->silent += is_silent(&one, f);
		if (one.lossy_per_s > most) {
			most = one.lossy_per_s;
			l->lossy = &rows[i];
		}
		l->lossy_per_s += isnan(one.lossy_per_s) ? 0 : one.lossy_per_s;
		if (!(one.weight > 0))
			continue;
		*GROW(l->list, l->n, l->cap) = one;
		l->n++;
	}
	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), worst_first);
}

void worst_links_done(struct worst_links *l)
{
	free(l->list);
	*l = (struct worst_links){ 0 };
}
