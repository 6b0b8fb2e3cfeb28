/*
 * How far back sparklines look: a minute, ten or an hour, each in as many stretches. Live from what the model keeps, in a
 * replay from the recording. A stretch without a sample is a gap.
 */
#ifndef TUI_WIDGETS_SPARKLINE_WINDOW_H
#define TUI_WIDGETS_SPARKLINE_WINDOW_H

#include "core/model/model.h"

#define WINDOW_LEN COARSE_LEN

enum window { WINDOW_MINUTE, WINDOW_TEN, WINDOW_HOUR, WINDOWS };

struct window_info {
	const char *title;	/* of a column */
	int64_t span_us;
};
extern const struct window_info window_table[WINDOWS];

struct track {
	float values[WINDOW_LEN];	/* the highest of each stretch, oldest first; NAN: a gap */
	size_t n;			/* 0: nothing is known */
	size_t gaps;			/* stretches without a sample, after the first that has one */
	double most;			/* NAN: nothing is known */
};

/* One counter's or gauge's last such time, up to now_us, as the model knows it. */
void window_track(const struct model *m, const struct port *p, enum field f, unsigned index, enum window w, struct track *out);

#endif
