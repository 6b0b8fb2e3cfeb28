/* Checks of the counters themselves: what stands still while traffic moves counts nothing, and its zero acquits nobody. */
#include "core/judge/checks.h"

#include <stdio.h>

#define STILL_US	(60 * SECOND)
#define STILL_SAMPLES	3	/* of the port's bytes in that time */
#define SLIGHT		0.01	/* of the line: less may be what no priority counts */

/* The counters of one direction: the port's bytes, and what splits them. */
struct direction {
	enum field total, parts[2];
	const char *moves;
};

static const struct direction directions[] = {
	{ FIELD_TX_TOTAL, { FIELD_TX_BYTES, FIELD_TX_PACKETS }, "leave" },
	{ FIELD_RX_TOTAL, { FIELD_RX_BYTES, FIELD_RX_PACKETS }, "arrive" },
};

/* Bytes per second, now and in the mean of the last minute the lesser; false: fewer than some samples are known, or none. */
static bool lasting_bytes(struct case_of *c, enum field total, double *per_s)
{
	const struct series *s = port_series(port_source(c->port, total, 0), total, 0);
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	double sum = 0;
	size_t n, used = 0;

	if (!ask_rate(c, c->port, total, 0, per_s))
		return false;
	n = s && s->history ? series_history(s, at_us, value) : 0;
	for (size_t i = n; i > 0 && model_now(c->model) - at_us[i - 1] <= STILL_US; i--, used++)
		sum += value[i - 1];
	if (used < STILL_SAMPLES)
		*per_s = 0;
	else if (sum / (double)used < *per_s)
		*per_s = sum / (double)used;
	return true;
}

static bool counts_each(const struct port *p, enum field f)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		if (!ask_said(p, f, i))
			return false;
	return true;
}

enum stands { STANDS_UNKNOWN, STANDS_NOT, STANDS_BRIEFLY, STANDS_STILL };

/* Whether all counters of a field stand still: one that moves is enough for a no, whatever of the others is not known. */
static enum stands stands_still(struct case_of *c, enum field f)
{
	enum stands all = STANDS_STILL;

	for (unsigned i = 0; i < field_table[f].width; i++) {
		const struct series *s = port_series(port_source(c->port, f, i), f, i);
		double per_s;

		if (port_rate(c->model, port_source(c->port, f, i), f, i, &per_s) && per_s > 0)
			return STANDS_NOT;
		if (!ask_rate(c, c->port, f, i, &per_s))
			all = STANDS_UNKNOWN;
		else if (s->last_us - s->stood_us < STILL_US && all == STANDS_STILL)
			all = STANDS_BRIEFLY;
	}
	return all;
}

/* False: the answer is given. */
static bool moves_with(struct case_of *c, const struct direction *d, enum field f, double bytes_per_s, bool *is_brief)
{
	switch (stands_still(c, f)) {
	case STANDS_STILL:
		ask_no(c, "%.2f Gb/s %s, and no %s of any %s has changed for a minute: their zeros prove nothing", bytes_per_s * 8 / 1e9,
		       d->moves, field_table[f].name, ask_is_switch(c, c->port) ? "queue" : "priority");
		return false;
	case STANDS_BRIEFLY:
		*is_brief = true;
		return true;
	default:
		return true;
	}
}

void ask_counters_move(struct case_of *c)
{
	bool is_asked = false, is_brief = false;

	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++) {
		const struct direction *d = &directions[i];
		uint64_t speed_bps;
		double per_s;

		if (!ask_said(c->port, d->total, 0) || (!counts_each(c->port, d->parts[0]) && !counts_each(c->port, d->parts[1])))
			continue;
		is_asked = true;
		c->n_evidence = 0;
		if (!lasting_bytes(c, d->total, &per_s) || per_s <= 0 || !ask_port(c, c->port, FIELD_SPEED, 0, &speed_bps) ||
		    per_s * 8 < SLIGHT * (double)speed_bps)
			continue;
		for (size_t k = 0; k < 2; k++)
			if (counts_each(c->port, d->parts[k]) && !moves_with(c, d, d->parts[k], per_s, &is_brief))
				return;
	}
	if (!is_asked)
		return ask_na(c, "the bytes of the port, or those of its priorities, are not counted here");
	if (is_brief && !ask_lacks(c)) {
		c->is_early = true;
		return ask_lost(c, "the time since its counters last changed is not known yet");
	}
	ask_ok_unless_lacking(c);
}
