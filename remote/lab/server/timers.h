/*
 * Transient units, as systemd-run makes them: the lab itself waits and runs the command in the device's view, whatever
 * became of the session that asked for it.
 */
#ifndef REMOTE_LAB_SERVER_TIMERS_H
#define REMOTE_LAB_SERVER_TIMERS_H

#include "remote/lab/server/server.h"

struct timers;

struct timers *timers_new(struct server *s);
/* Ends everything; the loop must run until it is empty, then timers_free(). */
void timers_stop(struct timers *t);
void timers_free(struct timers *t);

/* name: without suffix. argv: copied. False when a unit of that name is loaded, or the command cannot be begun. */
bool timers_add(struct timers *t, const struct lab_device *d, const char *name, uint64_t after_ms, char *const *argv,
		struct err *err);
/* The state of "NAME.timer", "NAME.service" or "NAME": "active", "inactive", "failed". */
const char *timers_state(const struct timers *t, const struct lab_device *d, const char *unit);
/* Stops that one of the two; false when there is none. */
bool timers_end(struct timers *t, const struct lab_device *d, const char *unit);
/* Forgets that it failed. */
void timers_reset(struct timers *t, const struct lab_device *d, const char *unit);
/* What waits on this device is due now; returns how many did. */
unsigned timers_elapse(struct timers *t, const struct lab_device *d);
/* As "systemctl list-timers --all" shows them. */
void timers_list(const struct timers *t, const struct lab_device *d, bool with_legend, struct buf *out);
/* The device has lost its power. */
void timers_forget(struct timers *t, const struct lab_device *d);

#endif
