/*
 * How long commands take. On a real device none is answered at once: a switch's show takes a second, some take many. The
 * cost of a command is a row of pace.c; the lab's --pace divides it.
 */
#ifndef REMOTE_LAB_SERVER_PACE_H
#define REMOTE_LAB_SERVER_PACE_H

#include "remote/lab/world/fabric.h"

/* "real", "off", or how many times as fast, above 0 to 1000; false for another word. */
bool pace_set(struct fabric *f, const char *word);
/*
 * How long the device takes for a command now, in ms; words as typed, with one space between. One in twenty takes five
 * times as long; which ones, the seed draws.
 */
uint64_t pace_ms(const struct fabric *f, const struct lab_device *d, struct span words);
/* How late the device's next answer begins, in ms: each device has its part of the fabric's late_ms, none or up to all of it. */
uint64_t pace_late_ms(const struct fabric *f, const struct lab_device *d);
/* The rows, for the help of who reads the figures. */
void pace_print(struct buf *out);

#endif
