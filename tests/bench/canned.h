/*
 * A canned host: what a Linux host of the lab said once through its real shell, said again for hundreds of hosts by a
 * speaker that costs next to nothing. Names and MACs are each host's own, time passes, and what counts goes on counting.
 */
#ifndef TESTS_BENCH_CANNED_H
#define TESTS_BENCH_CANNED_H

#include "remote/lab/server/server.h"

/* Asks a host of a lab of its own, with so many ports: 6 make a round of 36 KB. False when there is no lab. */
bool canned_make(unsigned ports);
void canned_done(void);
size_t canned_live_bytes(void);

extern const struct speaker speaker_canned;

#endif
