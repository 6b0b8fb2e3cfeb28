/* Checks of pause over more than one port: that what one end sends is counted at the other, and that nobody waits in a ring. */
#include "core/judge/checks.h"

#include <stdio.h>

#include "core/pause/pause.h"

/*
 * What one end of a cable sends the other receives: pause frames too. Counters are read at different moments, so each end
 * may have one sample more or less in it, at both ends of the time; what differs by more than that is not the same cable,
 * or not obeyed there.
 */

#define LASTING_US	(8 * SECOND)
#define LEAST_FRAMES	100.0
#define FEW_SAMPLES	4

struct counted {
	int64_t at_us[HISTORY_LEN];	/* oldest first */
	float per_s[HISTORY_LEN];
	size_t n;
	int64_t from_us, to_us;		/* that is watched without a gap */
};

/* A counter restarts, or its device does not answer: what came before is not counted. */
static void skip_gaps(struct counted *s)
{
	int64_t least_us = INT64_MAX;

	for (size_t i = 1; i < s->n; i++)
		if (s->at_us[i] - s->at_us[i - 1] < least_us)
			least_us = s->at_us[i] - s->at_us[i - 1];
	for (size_t i = 1; i < s->n; i++)
		if (s->at_us[i] - s->at_us[i - 1] > 2 * least_us + SECOND)
			s->from_us = s->at_us[i];
}

/*
 * False: there is no rate now, or none was ever seen to move and nothing says since when. One that never moved has no history: it
 * has counted nothing up to its last reading, less the period of its reading, for counters may be refreshed as seldom.
 */
static bool watch(struct case_of *c, const struct port *p, enum field f, struct counted *out)
{
	const struct port *source = port_source(p, f, c->index);
	const struct series *s = port_series(source, f, c->index);
	const struct cell *cell;
	double per_s;

	if (!ask_rate(c, p, f, c->index, &per_s))
		return false;
	cell = port_cell(source, f, c->index);
	out->n = series_history(s, out->at_us, out->per_s);
	out->from_us = out->n ? out->at_us[0] : s->began_us;
	out->to_us = out->n ? out->at_us[out->n - 1] : model_now(c->model) - cell_age_us(c->model, cell) - cell->reply->period_us;
	skip_gaps(out);
	return true;
}

/* Frames in the time, and the most that one sample brought: so much may fall on its other side. */
static double frames(const struct counted *s, int64_t from_us, int64_t to_us, double *slack)
{
	double sum = 0, one;

	for (size_t i = 1; i < s->n; i++) {
		one = (double)s->per_s[i] * (double)(s->at_us[i] - s->at_us[i - 1]) / SECOND;
		if (s->at_us[i] <= from_us || s->at_us[i] > to_us)
			continue;
		sum += one;
		if (2 * one > *slack)
			*slack = 2 * one;
	}
	return sum;
}

enum law { LAW_KEPT, LAW_BROKEN, LAW_SHORT };

static enum law one_way(struct case_of *c, const struct port *from, const struct port *to)
{
	struct counted sent = { 0 }, got = { 0 };
	int64_t from_us, to_us;
	double slack_sent = 0, slack_got = 0, n_sent, n_got;

	if (!watch(c, from, FIELD_PFC_TX, &sent) || !watch(c, to, FIELD_PFC_RX, &got))
		return LAW_SHORT;
	if (!sent.n && !got.n)
		return LAW_KEPT;
	from_us = sent.from_us > got.from_us ? sent.from_us : got.from_us;
	to_us = sent.to_us < got.to_us ? sent.to_us : got.to_us;
	if (to_us - from_us < LASTING_US || (sent.n && sent.n < FEW_SAMPLES) || (got.n && got.n < FEW_SAMPLES))
		return LAW_SHORT;
	n_sent = frames(&sent, from_us, to_us, &slack_sent);
	n_got = frames(&got, from_us, to_us, &slack_got);
	if ((n_sent > n_got ? n_sent - n_got : n_got - n_sent) <= slack_sent + slack_got + LEAST_FRAMES)
		return LAW_KEPT;
	ask_no(c, "in %lld s %.50s sent %.0f pause frames of priority %u, %.50s received %.0f", (long long)((to_us - from_us) / SECOND),
	       from->device->name, n_sent, c->index, to->device->name, n_got);
	return LAW_BROKEN;
}

void ask_pause_counted(struct case_of *c)
{
	const struct port *a = c->link->a, *b = ask_far(c);
	enum law there, back;

	if (!b)
		return;
	if (!ask_said(a, FIELD_PFC_TX, c->index) || !ask_said(a, FIELD_PFC_RX, c->index) ||
	    !ask_said(b, FIELD_PFC_TX, c->index) || !ask_said(b, FIELD_PFC_RX, c->index))
		return ask_lost(c, "one end does not count its pause frames");
	there = one_way(c, a, b);
	back = there == LAW_BROKEN ? LAW_BROKEN : one_way(c, b, a);
	if (back == LAW_BROKEN)
		return;
	if (!ask_lacks(c) && (there == LAW_SHORT || back == LAW_SHORT))
		return ask_lost(c, "watched for too short a time");
	ask_ok_unless_lacking(c);
}

/* -- rings -- */

static const struct pauses *pauses_of_round(const struct case_of *c)
{
	struct pauses_asked *p = c->context->pauses;

	if (!p->is_made)
		pauses_make(&p->graph, &(struct pauses_of){ c->model, c->links, c->policy, c->inventory });
	p->is_made = true;
	return &p->graph;
}

/* A ring is told once, at the port that pauses and comes first. */
void ask_deadlock(struct case_of *c)
{
	const struct port *far = c->link ? link_far(c->link, c->port) : NULL;
	const struct pauses *g;
	struct stopped s;

	if (!far || !ask_is_switch(c, far))
		return ask_na(c, "no switch that was read is connected to the other end");
	if (!stopped_of(c->model, far, c->port, c->index, &s))
		return ask_lost(c, "neither end reports its pause");
	ask_cite(c, s.by, s.field, c->index);
	if (s.lasting < policy_limit(c->policy, LIMIT_PAUSE_STORM))
		return ask_ok(c);
	g = pauses_of_round(c);
	for (size_t i = 0; i < g->n_roots; i++) {
		const struct pause_root *r = &g->roots[i];

		if (r->is != ROOT_DEADLOCK || r->at != c->port || r->prio != c->index)
			continue;
		if (!r->is_sure && *r->missing)
			return ask_unknown(c, LACK_REASON, c->port->device, "whether the ports form a PFC deadlock: %.60s", r->missing);
		if (!r->is_sure)
			return ask_unknown(c, LACK_SAMPLE, c->port->device, "whether the PFC deadlock lasts");
		c->n_evidence = r->n_evidence;
		memcpy(c->evidence, r->evidence, sizeof(c->evidence));
		c->held = 1;
		return ask_no(c, "%s", r->what);
	}
	ask_ok(c);
}
