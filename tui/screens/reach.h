/* How many devices are reached and how many findings are open, counted once a change: for the header and the Overview. */
#ifndef TUI_SCREENS_REACH_H
#define TUI_SCREENS_REACH_H

#include "tui/views/view_of.h"

struct views;

struct header_counts {
	size_t up, all, down;
	size_t late;		/* of those up */
	size_t coming;		/* asked, and neither heard nor failed so far */
	int64_t oldest_us;	/* of what each device is asked most often */
	bool any;
	size_t crit, warn, acked;	/* findings that follow from no other */
	bool is_judged;		/* some device was: no finding means that none is open */
	bool is_made;
	uint64_t serial;
};

const struct header_counts *views_counts(const struct view_of *of, struct views *v);

#endif
