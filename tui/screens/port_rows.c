#include "tui/screens/port_rows.h"

#include <stdlib.h>

#include "tui/screens/views.h"

#define CHANGED_US (10 * SECOND)	/* how long a value that moved is shown to have: a person looks away for that long */

/* What a link's ends said last, and when it was first seen to be otherwise. */
struct port_seen {
	uint64_t said[PAIR_COUNT];	/* 0: nothing yet, or not known */
	int64_t changed_us[PAIR_COUNT];
};

/* Worst first, else as the links stand. */
static int by_verdict(const void *a_, const void *b_)
{
	const struct portrow *a = a_, *b = b_;
	enum verdict of_a = a->worst, of_b = b->worst;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return a->link < b->link ? -1 : a->link > b->link;
}

/* Ports are numbered by their model: with another one, nothing was seen yet. */
static void remember_model(struct portrows *rows, const struct model *m)
{
	size_t n = model_ports(m);

	if (rows->model != m)
		rows->n_seen = 0;
	rows->model = m;
	if (rows->n_seen >= n)
		return;
	rows->seen = xrealloc(rows->seen, n * sizeof(*rows->seen));
	memset(rows->seen + rows->n_seen, 0, (n - rows->n_seen) * sizeof(*rows->seen));
	rows->n_seen = n;
}

void portrows_forget(struct portrows *rows)
{
	rows->n = 0;
	rows->model = NULL;
	rows->serial = 0;
}

void portrows_done(struct portrows *rows)
{
	free(rows->list);
	free(rows->seen);
}

const struct portrows *views_ports(const struct view_of *of, struct views *v)
{
	struct portrows *rows = &v->ports;

	if (rows->serial == of->serial)
		return rows;
	rows->n = 0;
	for (size_t i = 0; i < of->links->n; i++) {
		const struct link *link = &of->links->list[i];
		struct portrow *row = GROW(rows->list, rows->n, rows->cap);

		portrow_begin(row, of->model, of->findings, of->policy, link);
		rows->n++;
	}
	if (rows->n)
		qsort(rows->list, rows->n, sizeof(*rows->list), by_verdict);
	remember_model(rows, of->model);
	rows->serial = of->serial;
	return rows;
}

/* Marks what moved lately. What was not known before has not moved: it was learned. */
static void mark_changes(struct port_seen *seen, struct portrow *row, int64_t now_us)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		struct pair_cell *c = &row->pairs[i];
		uint64_t said = table_key(c->a) * 31 + table_key(c->b);

		if (c->a[0] == '?' || c->b[0] == '?')
			continue;
		if (seen->said[i] && seen->said[i] != said)
			seen->changed_us[i] = now_us;
		seen->said[i] = said;
		c->is_changed = seen->changed_us[i] && now_us >= seen->changed_us[i] &&
				now_us - seen->changed_us[i] < CHANGED_US;
	}
}

const struct portrow *views_port(const struct view_of *of, struct views *v, size_t i)
{
	struct portrow *row = &v->ports.list[i];
	const struct link *link = row->link;

	if (row->is_whole)
		return row;
	portrow_make(row, of->model, of->findings, of->policy, link, device_is_switch(link->a->device, of->inventory),
		     link->b && device_is_switch(link->b->device, of->inventory));
	if (link->a->id < v->ports.n_seen)
		mark_changes(&v->ports.seen[link->a->id], row, model_now(of->model));
	return row;
}
