/*
 * Replies that go wrong on reads: a tool is killed halfway, finds its device busy, or takes very long. Which of a device's
 * reads, the seed and their count say. A write is never spoiled: traps (trap.h) are for those.
 */
#ifndef REMOTE_LAB_SERVER_SPOIL_H
#define REMOTE_LAB_SERVER_SPOIL_H

#include "remote/lab/world/fabric.h"

/* A tool of the device has read something: changes what it printed; returns its exit status. */
int spoil_reply(const struct fabric *f, struct lab_device *d, const char *tool, int status, struct buf *out, struct buf *errors);
/* The tool's next n reads at the device are "cut", "busy", "hang" or "slow"; false for another word. */
bool spoil_next(struct lab_device *d, const char *kind, const char *tool, unsigned n);
/* How much longer the device's next read takes, in ms: by its skins, and as spoil_next() said of this command line. */
uint64_t spoil_ms(const struct fabric *f, const struct lab_device *d);
uint64_t spoil_asked_ms(struct lab_device *d, struct span line);

#endif
