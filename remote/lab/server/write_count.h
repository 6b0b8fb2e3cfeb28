/*
 * What devices are told to change: each command that changes settings is counted, and may find a trap (trap.h). A device's
 * lock and step directories are no settings.
 */
#ifndef REMOTE_LAB_SERVER_WRITE_COUNT_H
#define REMOTE_LAB_SERVER_WRITE_COUNT_H

#include "remote/lab/server/server.h"

struct writes;

struct writes *writes_new(struct server *s);
void writes_free(struct writes *w);

/*
 * After anything that may have changed d's settings; makes the simulated ports agree. False: the device has taken it back
 * at once, and the caller answers as a tool that failed.
 */
bool writes_settle(struct writes *w, struct lab_device *d);
/* What was changed by others than commands (faults) is how the devices are, and boot. */
void writes_accept(struct writes *w);
/* As it is now, by no command. */
void writes_look(struct writes *w, struct lab_device *d);
uint64_t writes_count(const struct writes *w, const struct lab_device *d);

struct setup;
/* How a host comes up again. */
const struct setup *writes_boot(const struct writes *w, const struct lab_device *d);

#endif
