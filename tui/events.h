/*
 * What happened in a recording, read once when it is opened: findings that opened and closed, changes, notes. Findings
 * that were merely not known are left out and counted.
 */
#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "core/mem.h"
#include "db/replay.h"

struct event {
	int64_t at_us;
	const char *kind, *where, *text;	/* in the arena */
};

struct events {
	struct event *list;	/* owned, oldest first */
	size_t n, cap;
	size_t n_unknown, n_more;	/* left out: not known; past what is kept */
	struct arena texts;
};

void events_read(struct events *e, struct replay *recording);
void events_done(struct events *e);
/* The first after, or the last before a time; NULL when there is none. */
const struct event *events_next(const struct events *e, int64_t at_us);
const struct event *events_previous(const struct events *e, int64_t at_us);

#endif
