#include "tui/views/fabric_rates.h"

#include <math.h>

const struct rate_row rate_table[FABRIC_RATES] = {
	{ "PFC frames received", FIELD_PFC_RX,	    true },
	{ "ECN marked by switches", FIELD_ECN_MARKED, true },
	{ "CNP sent by NICs",	 FIELD_CNP_SENT,    false },
	{ "CNP handled by NICs", FIELD_CNP_HANDLED, false },
	{ "out of sequence",	 FIELD_OOS,	    false },
};

#define HOLDS_US (5 * SECOND)	/* the newest sample stands for what follows it, until it would be old */

static void add(float *sum, float value)
{
	*sum = isnan(*sum) ? value : *sum + value;
}

/* A sample is the mean since the one before it: it stands for every step between the two. */
static void add_history(struct fabric_rates *r, unsigned which, const struct series *s, int64_t now_us)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	size_t n = series_history(s, at_us, value), k = 0;

	for (size_t i = 0; n && i < RATE_HISTORY; i++) {
		int64_t then_us = now_us - (int64_t)(RATE_HISTORY - 1 - i) * r->step_us;

		while (k < n && at_us[k] < then_us)
			k++;
		if (k == n && then_us - at_us[n - 1] > HOLDS_US + r->step_us)
			return;
		if ((k > 0 || at_us[0] - then_us < SECOND) && !isnan(value[k < n ? k : n - 1]))
			add(&r->history[which][i], value[k < n ? k : n - 1]);
	}
}

/* It never moved: that is known from its first reading on. */
static void add_nothing(struct fabric_rates *r, unsigned which, const struct cell *c, int64_t now_us)
{
	int64_t steps = (now_us - c->since_us) / r->step_us, ended = (now_us - c->said_us - HOLDS_US) / r->step_us;

	for (int64_t i = ended > 0 ? ended : 0; i < steps && i < RATE_HISTORY; i++)
		add(&r->history[which][RATE_HISTORY - 1 - i], 0);
}

static void sum_rate(struct fabric_rates *r, unsigned which, const struct model *m, unsigned priority)
{
	unsigned index = rate_table[which].of_priority ? priority : 0;
	double per_s;

	for (size_t i = 0; i < RATE_HISTORY; i++)
		r->history[which][i] = NAN;
	for (size_t i = 0; i < model_ports(m); i++) {
		const struct port *p = model_port(m, i);
		const struct series *s = port_series(p, rate_table[which].field, index);
		const struct cell *c = port_cell(p, rate_table[which].field, index);

		if (s && s->history)
			add_history(r, which, s, model_now(m));
		else if (s && c && s->note != RATE_NONE)
			add_nothing(r, which, c, model_now(m));
		if (!port_rate(m, p, rate_table[which].field, index, &per_s))
			continue;
		r->now[which] += per_s;
		r->known[which] = true;
	}
}

/*
 * As far back as every ring that is full reaches, spread over the steps: beyond, the sum would lack the ports that are read more
 * often, and seem to have been lower. While none is full, each reaches back to when its counter first moved.
 */
static int64_t step_of(const struct model *m, unsigned priority)
{
	int64_t at_us[HISTORY_LEN], longest_us = 0, shortest_us = INT64_MAX, reach_us;
	float value[HISTORY_LEN];

	for (size_t i = 0; i < model_ports(m); i++) {
		for (unsigned which = 0; which < FABRIC_RATES; which++) {
			const struct series *s = port_series(model_port(m, i), rate_table[which].field,
							     rate_table[which].of_priority ? priority : 0);
			size_t n = s && s->history ? series_history(s, at_us, value) : 0;

			reach_us = n ? model_now(m) - at_us[0] : 0;
			longest_us = reach_us > longest_us ? reach_us : longest_us;
			if (n == HISTORY_LEN)
				shortest_us = reach_us < shortest_us ? reach_us : shortest_us;
		}
	}
	if (shortest_us <= longest_us)
		reach_us = shortest_us / RATE_HISTORY / SECOND * SECOND;
	else
		reach_us = (longest_us / RATE_HISTORY + SECOND - 1) / SECOND * SECOND;
	return reach_us > SECOND ? reach_us : SECOND;
}

void rates_update(struct fabric_rates *r, const struct model *m, unsigned priority)
{
	memset(r->now, 0, sizeof(r->now));
	memset(r->known, 0, sizeof(r->known));
	r->step_us = step_of(m, priority);
	for (unsigned i = 0; i < FABRIC_RATES; i++)
		sum_rate(r, i, m, priority);
}
