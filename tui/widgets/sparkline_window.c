#include "tui/widgets/sparkline_window.h"

#include <math.h>

const struct window_info window_table[WINDOWS] = {
	[WINDOW_MINUTE]	= { "LAST MIN", 60 * SECOND },
	[WINDOW_TEN]	= { "LAST 10 MIN", 600 * SECOND },
	[WINDOW_HOUR]	= { "LAST HOUR", 3600 * SECOND },
};

static int64_t stretch_us(enum window w)
{
	return window_table[w].span_us / WINDOW_LEN;
}

/* What never moved has no history: it was nothing for as long as somebody said so. */
static void still(struct track *t, const struct cell *c, int64_t now_us, enum window w)
{
	for (int64_t i = 0; i < WINDOW_LEN; i++) {
		int64_t begin_us = now_us - (WINDOW_LEN - i) * stretch_us(w);

		if (begin_us + stretch_us(w) > c->since_us && begin_us <= c->said_us)
			t->values[i] = 0;
	}
}

static void last_minute(struct track *t, const struct series *s, int64_t now_us)
{
	int64_t at_us[HISTORY_LEN];
	float values[HISTORY_LEN];
	size_t n = series_history(s, at_us, values);

	for (size_t i = 0; i < n; i++) {
		int64_t back = (now_us - at_us[i]) / SECOND;
		float *to = back >= 0 && back < WINDOW_LEN ? &t->values[WINDOW_LEN - 1 - back] : NULL;

		if (to && !(*to >= values[i]))
			*to = values[i];
	}
}

/* Stretches that only look empty because the question is asked less often are as the one before; then counts. */
static void window_finish(struct track *t, enum window w, int64_t period_us)
{
	int64_t reach = (period_us * 5 / 2) / stretch_us(w), known = -1;

	t->most = NAN;
	t->gaps = 0;
	for (int64_t i = 0; i < WINDOW_LEN; i++) {
		if (!isnan(t->values[i]))
			known = i;
		else if (known >= 0 && i - known <= reach)
			t->values[i] = t->values[known];
		else
			t->gaps += known >= 0;
		if (!isnan(t->values[i]) && !(t->most >= t->values[i]))
			t->most = t->values[i];
	}
	t->n = known >= 0 ? WINDOW_LEN : 0;
}

void window_track(const struct model *m, const struct port *p, enum field f, unsigned index, enum window w, struct track *out)
{
	const struct cell *c = port_cell(p, f, index);
	const struct series *s = port_series(p, f, index);

	for (size_t i = 0; i < WINDOW_LEN; i++)
		out->values[i] = NAN;
	if (s && !s->history && c && c->value.is == VALUE_KNOWN && (s->note != RATE_NONE || field_table[f].kind == KIND_GAUGE))
		still(out, c, model_now(m), w);
	else if (s && w == WINDOW_MINUTE)
		last_minute(out, s, model_now(m));
	else if (s)
		series_coarse(s, w == WINDOW_TEN ? COARSE_10S : COARSE_60S, model_now(m), out->values);
	window_finish(out, w, c ? c->reply->period_us : 0);
}
