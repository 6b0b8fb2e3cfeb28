/* Who pauses whom, as a pane: the roots, worst first, and the trees as far as there is room. */
#ifndef TUI_SCREENS_PAUSE_PANE_H
#define TUI_SCREENS_PAUSE_PANE_H

#include "core/pause/pause.h"
#include "tui/widgets/draw.h"

struct view_of;
struct views;

struct pause_view {
	struct pauses graph;
	bool is_made;
	uint64_t serial;
};

/*
 * In at most that many rows; returns the rows used, 0 when nothing is paused. link: only the trees that it is in, its own
 * holds marked; NULL: all.
 */
int pausepane_draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v, const struct link *link);

#endif
