/*
 * A stretch of time as columns of the screen: its axis with ticks and marks, sparklines of what was counted, and signs
 * for what happened. A column shows the highest five seconds in it, so that no burst is lost by zooming out.
 */
#ifndef TUI_VIEWS_TIMELINE_H
#define TUI_VIEWS_TIMELINE_H

#include "core/model/fabric_history.h"
#include "tui/session/events.h"
#include "tui/widgets/draw.h"

struct timeline {
	int64_t from_us, column_us;
	int x, width;			/* columns of the screen */
	int64_t first_us, last_us;	/* nothing was recorded outside */
};

/* The zooms, narrowest first; 0 past the last. */
int64_t timeline_zoom(size_t i);
/* The nearest zoom that holds span, and its neighbours. */
int64_t timeline_zoom_for(int64_t span_us);
int64_t timeline_zoom_by(int64_t zoom_us, int by);

/* The column of a time, or -1. */
int timeline_column(const struct timeline *t, int64_t at_us);
/* times and signs: marks on the axis; of two in one column the later one is seen. */
void timeline_axis(const struct draw *d, int y, const struct timeline *t, const int64_t *times, const char *signs,
		   size_t n);
void timeline_lane(const struct draw *d, int y, const struct timeline *t, const struct fabric_history *lanes,
		   enum lane lane);
/* A # where a setting changed. */
void timeline_config(const struct draw *d, int y, const struct timeline *t, const struct events *e);
/* ! ~ - for the worst finding that was open, a dot for none. */
void timeline_findings(const struct draw *d, int y, const struct timeline *t, const struct events *e);

#endif
