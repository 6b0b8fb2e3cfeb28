/*
 * What the screens remember between two pictures. Here stands what they share; what one screen alone remembers is its own
 * (views_own()), and no other file knows its shape.
 */
#ifndef TUI_SCREENS_VIEWS_H
#define TUI_SCREENS_VIEWS_H

#include "core/judge/fold.h"
#include "tui/screens/intent.h"
#include "tui/screens/pause_pane.h"
#include "tui/screens/port_rows.h"
#include "tui/screens/reach.h"
#include "tui/views/subject.h"
#include "tui/widgets/hit_areas.h"
#include "tui/widgets/table.h"

struct views {
	struct table tables[SCREEN_COUNT];	/* each screen's list */
	bool without_pane[SCREEN_COUNT];
	void *own[SCREEN_COUNT];		/* owned; a screen's own state, NULL until it is asked for */
	const struct port *subject;		/* the link that Detail shows, by one end */
	struct portrows ports;
	struct header_counts header;
	struct pause_view pauses;
	struct folds findings;			/* of the list that was asked for last */
	struct acking acking;
	int cols;				/* of the last frame */
	struct hit_areas spots;			/* of the same */
};

/* A screen's own state, zeroed at first: its file has a function that calls this with its struct's size. */
void *views_own(struct views *v, enum screen_id id, size_t size);
/* What is shared; screens_done() lets go of all. */
void views_done(struct views *v);
/* What is shared and points into the model, before the model goes away. */
void views_forget(struct views *v);

#define AT_CURSOR SIZE_MAX
/* The row of a list: one that is given, or AT_CURSOR. False when there is none of n. */
bool views_row(const struct table *t, size_t n, size_t *row);
const struct link *views_link(const struct view_of *of, const struct views *v);
/* For a sparkline, oldest first, and the time from one to the next; of a counter that never moved, a zero for each second watched. */
size_t views_samples(const struct port *p, enum field f, unsigned index, float values[HISTORY_LEN], int64_t *step_us);
/* Those that follow from another are left out, and those that say the same are one row, when it is in short. */
void views_findings(const struct view_of *of, struct views *v, bool in_short);
/* Adds those that closed today. */
void views_closed(const struct view_of *of, struct views *v);
/* Of texts: the frame without its margins; 100 before there was one. */
int views_width(const struct views *v);

#endif
