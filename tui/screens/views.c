#include "tui/screens/views.h"

#include <stdlib.h>

void *views_own(struct views *v, enum screen_id id, size_t size)
{
	if (!v->own[id])
		v->own[id] = xcalloc(1, size);
	return v->own[id];
}

void views_done(struct views *v)
{
	portrows_done(&v->ports);
	folds_done(&v->findings);
	pauses_done(&v->pauses.graph);
	memset(v, 0, sizeof(*v));
}

void views_forget(struct views *v)
{
	v->subject = NULL;
	v->pauses.is_made = false;
	portrows_forget(&v->ports);
	folds_clear(&v->findings);
	for (size_t i = 0; i < SCREEN_COUNT; i++)
		v->tables[i].is_ordered = false;
}

const struct link *views_link(const struct view_of *of, const struct views *v)
{
	return v->subject ? links_of_port(of->links, v->subject) : NULL;
}

bool views_row(const struct table *t, size_t n, size_t *row)
{
	return (*row != AT_CURSOR || table_cursor(t, row)) && *row < n;
}

int views_width(const struct views *v)
{
	return v->cols ? v->cols - 4 : 100;
}

static bool is_acked(const struct view_of *of, const struct finding *f)
{
	return of->acks && of->acks->n && acks_of(of->acks, f, model_now(of->model));
}

void views_findings(const struct view_of *of, struct views *v, bool in_short)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	folds_clear(&v->findings);
	for (int acked = 0; acked < 2; acked++)
		for (size_t i = 0; i < n; i++)
			if ((!in_short || !list[i]->cause) && is_acked(of, list[i]) == acked)
				folds_add(&v->findings, list[i], in_short && !acked);
}

/* To those that are open, for a list that asks for them. */
void views_closed(const struct view_of *of, struct views *v)
{
	int64_t now_us = model_now(of->model);
	const struct finding **list;
	size_t n = findings_closed(of->findings, now_us - now_us % (86400 * SECOND), &list);

	for (size_t i = 0; i < n; i++)
		folds_add(&v->findings, list[i], false);
	free(list);
}

size_t views_samples(const struct port *p, enum field f, unsigned index, float values[HISTORY_LEN], int64_t *step_us)
{
	const struct series *s = port_series(p, f, index);
	const struct cell *c = port_cell(p, f, index);
	int64_t at_us[HISTORY_LEN];
	size_t n;

	*step_us = SECOND;
	if (!s || !c || s->note == RATE_NONE)
		return 0;
	if (s->history) {
		n = series_history(s, at_us, values);
		*step_us = n > 1 ? (at_us[n - 1] - at_us[0]) / (int64_t)(n - 1) : SECOND;
		return n;
	}
	/* It has no history because it never moved: that is known from its first reading to its last. */
	n = (size_t)((c->said_us - c->since_us) / SECOND);
	n = n < HISTORY_LEN ? n : HISTORY_LEN;
	memset(values, 0, n * sizeof(*values));
	return n;
}
