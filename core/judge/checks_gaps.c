/* Gaps in the sequence of packets: whether they were dropped, damaged or overtaken, by what every port counts. */
#include "core/judge/checks.h"

#include <stdio.h>

/* Drops of packets, over every port that carries RoCE. */
struct dropping {
	const struct port *lossless, *lossy;	/* drop packets of a lossless priority, of another one; NULL: none is counted */
	unsigned lossy_prio;
	double lossy_per_s;			/* there */
	const struct port *whole;		/* drops packets and does not count them by priority; NULL: none does */
	bool is_whole_late;			/* it does, and was not asked since */
	double whole_per_s;			/* there */
	const struct port *uncounted;		/* does not count the drops of this priority, the lossless ones first; NULL: all do */
	unsigned uncounted_prio;
	bool is_lossless_uncounted, is_late;	/* it counts them, and was not asked since the gaps began */
	int64_t since_us;			/* when they did, as far as the mean looks back */
	const struct port *damaged, *damage_uncounted;	/* receives damaged frames; does not count them; NULL: none does */
	double damaged_per_s;			/* there */
};

/* What its counters stood at before the gaps began says nothing of them: *is_late. */
static bool drop_rate(const struct case_of *c, const struct port *p, unsigned prio, int64_t since_us, double *per_s, bool *is_late)
{
	static const enum field fields[] = { FIELD_TX_DROP, FIELD_PG_DROP, FIELD_RX_DROP };
	bool is_counted = false;
	struct mean mean;

	*per_s = 0;
	*is_late = false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct cell *cell = port_cell(port_source(p, fields[i], prio), fields[i], prio);

		*is_late |= cell && cell->value.is == VALUE_KNOWN && cell->said_us < since_us;
		if (!port_mean(c->model, p, fields[i], prio, MEAN_US, &mean))
			continue;
		is_counted = true;
		*per_s = mean.per_s > *per_s ? mean.per_s : *per_s;
	}
	return is_counted && (*per_s > 0 || !*is_late);
}

static void look_for_drops(const struct case_of *c, const struct port *p, unsigned lossless, struct dropping *d)
{
	double per_s;

	for (unsigned prio = 0; prio < 8; prio++) {
		bool is_lossless = lossless >> prio & 1, is_late;

		if (!drop_rate(c, p, prio, d->since_us, &per_s, &is_late)) {
			if (d->uncounted && (d->is_lossless_uncounted || !is_lossless))
				continue;
			d->uncounted = p;
			d->is_late = is_late;
			d->uncounted_prio = prio;
			d->is_lossless_uncounted = is_lossless;
		} else if (per_s > 0 && is_lossless) {
			d->lossless = p;
		} else if (per_s > d->lossy_per_s) {
			d->lossy = p;
			d->lossy_prio = prio;
			d->lossy_per_s = per_s;
		}
	}
}

/* A port that tells its drops as one number tells nothing of priorities. */
static void look_for_whole_drops(const struct case_of *c, const struct port *p, struct dropping *d)
{
	static const enum field fields[] = { FIELD_TX_DISCARD, FIELD_RX_DISCARD };
	bool is_late, is_any_late = false;
	double by_priority;
	struct mean mean;

	for (unsigned prio = 0; prio < 8; prio++) {
		if (drop_rate(c, p, prio, d->since_us, &by_priority, &is_late))
			return;
		is_any_late |= is_late;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (port_mean(c->model, p, fields[i], 0, MEAN_US, &mean) && mean.per_s > d->whole_per_s) {
			d->whole = p;
			d->is_whole_late = is_any_late;
			d->whole_per_s = mean.per_s;
		}
}

static void look_for_damage(const struct case_of *c, const struct port *p, struct dropping *d)
{
	static const enum field fields[] = { FIELD_PHY_ERR, FIELD_FEC_LOST, FIELD_ICRC_ERR };
	bool is_counted = false;
	struct mean mean;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!port_mean(c->model, p, fields[i], 0, MEAN_US, &mean))
			continue;
		is_counted |= fields[i] == FIELD_PHY_ERR;
		if (mean.per_s > d->damaged_per_s) {
			d->damaged = p;
			d->damaged_per_s = mean.per_s;
		}
	}
	if (!is_counted)
		d->damage_uncounted = p;
}

/* When the counter of gaps first moved, of the time that its mean is taken over. */
static int64_t gaps_since_us(const struct case_of *c)
{
	const struct series *s = port_series(port_source(c->port, FIELD_OOS, 0), FIELD_OOS, 0);
	int64_t at_us[HISTORY_LEN], since_us = model_now(c->model);
	float value[HISTORY_LEN];

	for (size_t n = s && s->history ? series_history(s, at_us, value) : 0; n > 0 && model_now(c->model) - at_us[n - 1] <= MEAN_US; n--)
		if (value[n - 1] > 0)
			since_us = at_us[n - 1];
	return since_us;
}

static struct dropping drops_anywhere(const struct case_of *c)
{
	struct dropping d = { .since_us = gaps_since_us(c) };

	for (size_t i = 0; i < model_ports(c->model); i++) {
		const struct port *p = model_port(c->model, i);

		if (c->context->ports[p->id].roce != ROCE_YES)
			continue;
		look_for_drops(c, p, ask_lossless(c, p), &d);
		look_for_whole_drops(c, p, &d);
		look_for_damage(c, p, &d);
	}
	return d;
}

/* What waits too long behind a pause is sent again, and then arrives twice. */
static bool times_out_anywhere(const struct case_of *c)
{
	double per_s;

	for (size_t i = 0; i < model_ports(c->model); i++)
		if (port_rate(c->model, model_port(c->model, i), FIELD_ACK_TIMEOUT, 0, &per_s) && per_s > 0)
			return true;
	return false;
}

/* "No drop" and "no damage" are said of what is counted everywhere alone. */
static void tell_gaps(struct case_of *c, double gaps)
{
	struct dropping d = drops_anywhere(c);
	char rate[RATE_TEXT], lost[RATE_TEXT];

	rate_text(rate, gaps);
	if (d.lossless)
		return ask_no(c, "%s sequence gaps/s: packets are lost; %.50s %.40s drops some", rate, d.lossless->device->name,
			      d.lossless->name);
	if (d.lossy)
		return ask_no(c, "%s sequence gaps/s: packets are lost; %.50s %.40s drops %s/s of priority %u, which is not lossless",
			      rate, d.lossy->device->name, d.lossy->name, rate_text(lost, d.lossy_per_s), d.lossy_prio);
	if (d.whole)
		return ask_no(c, "%s sequence gaps/s: packets are lost; %.50s %.40s drops %s/s, %s", rate, d.whole->device->name,
			      d.whole->name, rate_text(lost, d.whole_per_s), d.is_whole_late ? "of which priority is not read yet" :
			      "and does not report the priority");
	if (d.damaged)
		return ask_no(c, "%s sequence gaps/s: packets are lost%s; %.50s %.40s receives %s frames/s with errors", rate,
			      d.damaged_per_s < gaps / 10 ? " or reordered" : "", d.damaged->device->name, d.damaged->name,
			      rate_text(lost, d.damaged_per_s));
	if (d.uncounted && d.is_lossless_uncounted)
		return ask_no(c, "%s sequence gaps/s: packets are lost or reordered; what %.50s %.40s drops is not %s", rate,
			      d.uncounted->device->name, d.uncounted->name, d.is_late ? "read yet" : "counted");
	if (d.uncounted)
		return ask_no(c, "%s sequence gaps/s, no lossless drop: packets overtake each other, or are lost at %.50s %.40s, %s", rate,
			      d.uncounted->device->name, d.uncounted->name, d.is_late ? "not all of whose drops are read yet" :
			      "which does not count all drops");
	if (d.damage_uncounted)
		return ask_no(c, "%s sequence gaps/s and no drop at any port: packets overtake each other, or are corrupted at "
				 "%.50s %.40s, "
			      "which does not count it", rate, d.damage_uncounted->device->name, d.damage_uncounted->name);
	ask_no(c, "%s sequence gaps/s and no drop or frame error at any port: packets overtake each other%s", rate,
	       times_out_anywhere(c) ? ", or are retransmitted after an ACK timeout" : "");
}

void ask_gaps(struct case_of *c)
{
	unsigned lossless = ask_lossless(c, c->port);
	double gaps, packets = 0, per_s;
	int64_t mean_us;

	if (ask_is_counted(c->port, FIELD_OOS))
		return ask_na(c, ask_counted_there);
	if (!ask_mean(c, c->port, FIELD_OOS, 0, &gaps))
		return;
	mean_us = c->mean_us;
	if (gaps == 0)
		return ask_ok(c);
	for (unsigned prio = 0; prio < 8; prio++)
		if (lossless >> prio & 1 && ask_mean(c, c->port, FIELD_RX_PACKETS, prio, &per_s))
			packets += per_s;
	if (ask_lacks(c))
		return;
	if (gaps <= packets * policy_limit(c->policy, LIMIT_OOS_WARN))
		return ask_ok(c);
	tell_gaps(c, gaps);
	ask_tell_window(c, mean_us);
}
