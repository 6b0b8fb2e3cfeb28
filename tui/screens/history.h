/* What History shows of time; the console moves its cursor. */
#ifndef TUI_SCREENS_HISTORY_H
#define TUI_SCREENS_HISTORY_H

#include "tui/screens/screen.h"
#include "tui/session/changes.h"

/* The stretch of time that History shows. */
struct history_view {
	int64_t from_us, zoom_us;	/* zoom 0: as much as there is */
	int64_t column_us;		/* as last drawn */
	int64_t cursor_us;		/* live; 0: follows the time */
	int64_t a_us, b_us;		/* marks; 0: not set */
	struct changes changes;		/* between the marks, as of so many events and lanes */
	uint64_t changes_of;
	int64_t listed_us;		/* the time that the list's cursor was moved to */
	uint64_t listed;		/* and of how many events */
};

struct history_view *history_of(struct views *v);
/* A time that is a column by away from the cursor. */
int64_t history_beside(const struct view_of *of, struct views *v, int by);

#endif
