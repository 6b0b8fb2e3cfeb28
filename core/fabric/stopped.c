#include "core/fabric/stopped.h"

#include <math.h>
#include <stdio.h>

#include "core/roce/headroom.h"

/* Of the newest samples of a counter; one that never moved has no history, and its rate is all. */
struct newest {
	double values[STOPPED_SAMPLES];	/* per second, the oldest first */
	unsigned n;
	int64_t window_us;		/* as in struct stopped */
};

static struct newest newest(const struct model *m, const struct port *p, enum field f, unsigned prio)
{
	struct newest out = { .n = 0 };
	int64_t at_us[HISTORY_LEN];
	float all[HISTORY_LEN];
	double per_s;
	size_t n, first;

	if (!p || !port_rate(m, p, f, prio, &per_s))
		return out;
	n = series_history(port_series(p, f, prio), at_us, all);
	first = n > STOPPED_SAMPLES ? n - STOPPED_SAMPLES : 0;
	for (size_t i = first; i < n; i++)
		if (!isnan(all[i]))
			out.values[out.n++] = all[i];
	if (!out.n)
		out.values[out.n++] = per_s;
	if (first)
		out.window_us = at_us[n - 1] - at_us[first - 1];
	else if (n > 1)		/* the first one as long as the others */
		out.window_us = (at_us[n - 1] - at_us[0]) * (int64_t)n / (int64_t)(n - 1);
	return out;
}

static double part(double us_per_s)
{
	double share = us_per_s / SECOND;

	return share < 1 ? share : 1;
}

static void take_newest(struct stopped *out, const struct newest *of, const struct port *by, enum field f)
{
	out->samples = of->n;
	out->window_us = of->window_us;
	out->by = by;
	out->field = f;
}

static bool by_time(const struct model *m, const struct port *p, enum field f, unsigned prio, struct stopped *out)
{
	struct newest of = newest(m, p, f, prio);
	double sum = 0, least = INFINITY;

	for (unsigned i = 0; i < of.n; i++) {
		sum += of.values[i];
		least = of.values[i] < least ? of.values[i] : least;
	}
	if (!of.n)
		return false;
	out->basis = PAUSE_BY_TIME;
	out->share = part(sum / of.n);
	out->newest = part(of.values[of.n - 1]);
	out->lasting = of.n < STOPPED_SAMPLES ? 0 : part(least);
	take_newest(out, &of, p, f);
	return true;
}

/* Frames per second by that counter. */
static bool count_frames(const struct model *m, const struct port *p, enum field f, unsigned prio, struct stopped *out)
{
	struct newest of = newest(m, p, f, prio);
	double sum = 0;

	for (unsigned i = 0; i < of.n; i++)
		sum += of.values[i];
	if (!of.n)
		return false;
	out->frames_per_s = sum / of.n;
	take_newest(out, &of, p, f);
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

const char *stopped_text(char out[STOPPED_TEXT], double share, int64_t window_us)
{
	char pct[SHARE_TEXT];
	double s = (double)window_us / SECOND;

	if (window_us > 0)
		snprintf(out, STOPPED_TEXT, "%s %% of the last %.*f s", share_text(pct, share), s < 0.95 ? 1 : 0, s);
	else
		snprintf(out, STOPPED_TEXT, "%s %% of the time", share_text(pct, share));
	return out;
}
