/*
 * What happened, live or in a recording, in the order of its time: findings that opened and closed, changes, devices
 * that came and went, notes. Findings that were merely not known are left out and counted; so are the tries to reach a
 * device after the first that failed, until it ends otherwise.
 */
#ifndef TUI_SESSION_EVENTS_H
#define TUI_SESSION_EVENTS_H

#include "core/judge/check.h"
#include "db/replay/replay.h"

#define EVENT_RUN "recording"	/* kind: a recording begins; what was open before is not known to be */
#define EVENTS_MAX 20000	/* kept, the newest: of a console of weeks, or a hostile recording */

struct event {
	int64_t at_us;
	const char *kind, *where, *text;	/* in one piece of memory that begins with kind */
	enum verdict worst;			/* of the findings open after it: ok, look, warn, fail */
};

struct events {
	struct event *list;	/* owned, oldest first */
	size_t n, cap;
	size_t n_unknown, n_tries, n_more;	/* left out: not known; further tries; older than what is kept */
	uint64_t serial;		/* moves with each that comes */
	struct open_finding *open;	/* owned: findings that are open after the last */
	struct trying *trying;		/* owned: devices that are being reached again and again */
	unsigned n_open[VERDICT_FAIL + 1];
};

/* kind: "config", "device", "note", …, a verdict's word for a finding that opens, "closed". */
void events_add(struct events *e, int64_t at_us, const char *kind, const char *where, const char *text);
void events_read(struct events *e, struct replay *recording);
void events_done(struct events *e);
/* The first after, or the last before a time, of a kind (NULL: any); NULL when there is none. */
const struct event *events_next(const struct events *e, int64_t at_us, const char *kind);
const struct event *events_previous(const struct events *e, int64_t at_us, const char *kind);
/* How many are at or before a time: those from there on are later. */
size_t events_until(const struct events *e, int64_t at_us);
/* The worst that was open at any time in [from_us, to_us]; VERDICT_UNKNOWN before the first event. */
enum verdict events_worst(const struct events *e, int64_t from_us, int64_t to_us);

bool event_is(const struct event *e, const char *kind);
/* A finding opens or closes. */
bool event_is_finding(const struct event *e);

#endif
