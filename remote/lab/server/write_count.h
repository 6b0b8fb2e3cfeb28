/*
 * What devices are told to change: each command that changes settings is counted, and may find a trap (trap.h). A device's
 * lock and step directories are no settings.
 */
#ifndef REMOTE_LAB_SERVER_WRITE_COUNT_H
#define REMOTE_LAB_SERVER_WRITE_COUNT_H

#include "remote/lab/server/server.h"

struct write_count;

struct write_count *write_count_new(struct server *s);
void write_count_free(struct write_count *w);

/*
 * After anything that may have changed d's settings; makes the simulated ports agree. False: the device has taken it back
 * at once, and the caller answers as a tool that failed.
 */
bool write_count_settle(struct write_count *w, struct lab_device *d);
/* What was changed by others than commands (faults) is how the devices are, and boot. */
void write_count_accept(struct write_count *w);
/* As it is now, by no command. */
void write_count_look(struct write_count *w, struct lab_device *d);
uint64_t write_count_count(const struct write_count *w, const struct lab_device *d);

struct setup;
/* How a host comes up again. */
const struct setup *write_count_boot(const struct write_count *w, const struct lab_device *d);

#endif
