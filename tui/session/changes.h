/*
 * What changed between two times: settings with each value they had on the way, findings that opened and closed, and
 * the mean rates before, between and after.
 */
#ifndef TUI_SESSION_CHANGES_H
#define TUI_SESSION_CHANGES_H

#include "core/model/fabric_history.h"
#include "tui/session/events.h"

#define CHANGES_BESIDE (60 * SECOND)	/* the means before and after are over as much, or what there is of it */

struct changed {
	const char *kind;		/* "config", "device", a verdict's word, "closed"; lent by the events */
	const char *where;
	char *what;			/* "pfc.on[3]", or of a finding its text */
	struct buf values;		/* "yes -> no -> yes"; of a finding none */
	int64_t at_us;			/* the last of them */
};

struct changes {
	int64_t a_us, b_us;
	struct changed *list;		/* settings, then findings, then the rest; each by time */
	size_t n, cap;
	bool has_break;			/* recording began anew in between: what changed before that is not told */
	double before[LANE_COUNT], between[LANE_COUNT], after[LANE_COUNT];	/* per second; NAN: not known */
};

/* Of the times the earlier is a. The events must outlive c. */
void changes_read(struct changes *c, const struct events *e, const struct fabric_history *l, int64_t a_us, int64_t b_us);
void changes_done(struct changes *c);

#endif
