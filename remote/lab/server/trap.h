/*
 * Traps: what happens when a device is told to change its settings. A table of rows, as faults are: a lie, a cut path, a
 * device that stands still or starts again, and what a device may lack for arming.
 */
#ifndef REMOTE_LAB_SERVER_TRAP_H
#define REMOTE_LAB_SERVER_TRAP_H

#include "remote/lab/server/server.h"

struct setup;

struct trap {
	const char *name;
	/* Done at the N-th write; was: the settings before it. True: the command is taken as done. NULL: in force at once. */
	bool (*spring)(struct server *s, struct lab_device *d, const struct setup *was);
	const char *help;
};
extern const struct trap trap_table[];
extern const size_t trap_count;

/* "KIND@DEVICE"; nth: "2", or NULL for the first write from now on. Takes the place of another one there. */
bool trap_set(struct fabric *f, const char *text, const char *nth, struct err *err);
/* Every trap, and what it did to a path or to tools. */
void trap_clear(struct fabric *f);
void trap_list(const struct fabric *f, struct buf *out);
void trap_done(struct lab_device *d);

/* After a write; was: the settings before it. False: refused. */
bool trap_spring(struct server *s, struct lab_device *d, const struct setup *was);
/* A cut path is whole again when the settings are as before it was cut. */
void trap_mend(struct lab_device *d, const struct setup *now);

/* "no-sudo" is set there. */
bool trap_is(const struct lab_device *d, const char *name);

#endif
