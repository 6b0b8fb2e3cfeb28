/* What happened to one link, on the time axis of its sparklines: findings, configuration changes, notes, devices that left. */
#ifndef TUI_VIEWS_LINK_EVENTS_H
#define TUI_VIEWS_LINK_EVENTS_H

#include "tui/session/events.h"

#define AXIS_MAX 200

struct axis {
	char signs[AXIS_MAX + 1];	/* a cell each, oldest first; of several in one the worst */
	const struct event *newest;	/* NULL: nothing happened */
	size_t n;
};

/* b may be NULL; the time is [from_us, to_us], in at most AXIS_MAX cells. */
void axis_make(struct axis *out, const struct events *e, const struct port *a, const struct port *b, int64_t from_us,
	       int64_t to_us, size_t cells);

/* What an event's place names: a device, and its port when it is of one; of a link, its first end. NULL: the model has none. */
const struct device *event_place(const struct event *e, const struct model *m, const struct port **port);

#endif
