#include "tui/screens/reach.h"

#include "tui/screens/views.h"

static int64_t shortest_period(const struct device *d)
{
	int64_t shortest_us = INT64_MAX;

	for (size_t i = 0; i < d->n_replies; i++)
		if (d->replies[i]->period_us && d->replies[i]->period_us < shortest_us)
			shortest_us = d->replies[i]->period_us;
	return shortest_us;
}

/* Its first answer is still to come. */
static bool is_coming(const struct model *m, const struct device *d)
{
	const char *error = device_text(d, FIELD_ERROR);
	uint64_t state;

	return !d->heard_us && !(error && *error) &&
	       (!device_number(m, d, FIELD_STATE, 0, &state) || state == STATE_WAITING || state == STATE_CONNECTING);
}

static void reach_device(const struct model *m, const struct device *d, struct header_counts *r)
{
	int64_t often_us = shortest_period(d);
	bool late = false, up = false, is_known;
	uint64_t state;

	is_known = device_number(m, d, FIELD_STATE, 0, &state);
	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *reply = d->replies[i];
		int64_t age_us = model_now(m) - reply->at_us;

		if (!reply->period_us || !strcmp(reply->probe, "ssh"))
			continue;
		up = true;
		late |= reply_is_late(m, reply);
		if (is_known && state != STATE_UP)
			continue;	/* it is counted as down: its last answers only grow older */
		if (reply->period_us == often_us && (reply_is_late(m, reply) || !reply_is_stale(m, reply)) &&
		    (!r->any || age_us > r->oldest_us)) {
			r->oldest_us = age_us;
			r->any = true;
		}
	}
	r->all++;
	if (is_known)
		up = state == STATE_UP;
	r->up += up;
	r->late += up && late;
	r->coming += !up && is_coming(m, d);
	r->down += !up && !is_coming(m, d);
}

static void count_findings(const struct view_of *of, struct header_counts *r)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++) {
		if (list[i]->cause || list[i]->verdict < VERDICT_LOOK)
			continue;
		if (of->acks && acks_of(of->acks, list[i], model_now(of->model)))
			r->acked++;
		else if (list[i]->verdict >= VERDICT_WARN)
			(*(list[i]->verdict == VERDICT_FAIL ? &r->crit : &r->warn))++;
	}
}

const struct header_counts *views_counts(const struct view_of *of, struct views *v)
{
	struct header_counts *r = &v->header;

	if (r->is_made && r->serial == of->serial)
		return r;
	*r = (struct header_counts){ .is_made = true, .serial = of->serial };
	for (size_t i = 0; i < model_devices(of->model); i++)
		reach_device(of->model, model_device(of->model, i), r);
	for (size_t i = 0; i < model_devices(of->model) && !r->is_judged; i++)
		r->is_judged = findings_judged(of->findings, model_device(of->model, i));
	count_findings(of, r);
	return r;
}
