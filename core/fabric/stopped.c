#include "core/fabric/stopped.h"

#include <math.h>
#include <stdio.h>

#include "core/roce/headroom.h"

/* The newest samples of a counter, per second, the oldest first; one that never moved has no history, and its rate is all. */
static unsigned newest(const struct model *m, const struct port *p, enum field f, unsigned prio, double values[STOPPED_SAMPLES])
{
	int64_t at_us[HISTORY_LEN];
	float all[HISTORY_LEN];
	double per_s;
	unsigned used = 0;
	size_t n;

	if (!p || !port_rate(m, p, f, prio, &per_s))
		return 0;
	n = series_history(port_series(p, f, prio), at_us, all);
	for (size_t i = n > STOPPED_SAMPLES ? n - STOPPED_SAMPLES : 0; i < n; i++)
		if (!isnan(all[i]))
			values[used++] = all[i];
	if (!used)
		values[used++] = per_s;
	return used;
}

static double part(double us_per_s)
{
	double share = us_per_s / SECOND;

	return share < 1 ? share : 1;
}

static bool by_time(const struct model *m, const struct port *p, enum field f, unsigned prio, struct stopped *out)
{
	double values[STOPPED_SAMPLES], sum = 0, least = INFINITY;
	unsigned n = newest(m, p, f, prio, values);

	for (unsigned i = 0; i < n; i++) {
		sum += values[i];
		least = values[i] < least ? values[i] : least;
	}
	if (!n)
		return false;
	out->basis = PAUSE_BY_TIME;
	out->share = part(sum / n);
	out->newest = part(values[n - 1]);
	out->lasting = n < STOPPED_SAMPLES ? 0 : part(least);
	out->samples = n;
	out->by = p;
	out->field = f;
	return true;
}

/* Frames per second by that counter. */
static bool count_frames(const struct model *m, const struct port *p, enum field f, unsigned prio, struct stopped *out)
{
	double values[STOPPED_SAMPLES], sum = 0;
	unsigned n = newest(m, p, f, prio, values);

	for (unsigned i = 0; i < n; i++)
		sum += values[i];
	if (!n)
		return false;
	out->frames_per_s = sum / n;
	out->samples = n;
	out->by = p;
	out->field = f;
	return true;
}

static bool line_speed(const struct model *m, const struct port *held, const struct port *holder, uint64_t *bps)
{
	return (held && port_number(m, held, FIELD_SPEED, 0, bps) && *bps) ||
	       (holder && port_number(m, holder, FIELD_SPEED, 0, bps) && *bps);
}

bool stopped_of(const struct model *m, const struct port *held, const struct port *holder, unsigned prio, struct stopped *out)
{
	bool is_counted;
	uint64_t bps;

	*out = (struct stopped){ .frames_per_s = NAN };
	is_counted = count_frames(m, held, FIELD_PFC_RX, prio, out) || count_frames(m, holder, FIELD_PFC_TX, prio, out);
	if (by_time(m, held, FIELD_PFC_RX_US, prio, out) || by_time(m, holder, FIELD_PFC_TX_US, prio, out))
		return true;
	if (!is_counted || (out->frames_per_s > 0 && !line_speed(m, held, holder, &bps))) {
		out->by = NULL;
		return false;
	}
	out->basis = PAUSE_BY_FRAMES;
	out->share = out->frames_per_s > 0 ? pause_share_at_most(bps, out->frames_per_s) : 0;
	out->lasting = out->newest = out->share;
	return true;
}

const char *share_text(char out[SHARE_TEXT], double share)
{
	double pct = share * 100;

	if (pct > 0 && pct < 0.1)
		snprintf(out, SHARE_TEXT, "<0.1");
	else
		snprintf(out, SHARE_TEXT, pct > 0 && pct < 9.95 ? "%.1f" : "%.0f", pct > 0 ? pct : 0);
	return out;
}
