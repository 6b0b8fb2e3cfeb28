/*
 * Whether an RDMA device carries queue pairs of others, as "rdma resource show qp" (iproute2) lists them: no test is run beside them.
 * Pure.
 *
 * What a process holds has its pid; what the kernel holds has a module instead of one, in brackets in later releases: "comm [ib_core]".
 * What ib_uverbs holds outlives the process that made it, and counts as a process's. Lines and their origin are in
 * tests/core/test_bringup_others.c.
 */
#ifndef CORE_BRINGUP_OTHERS_H
#define CORE_BRINGUP_OTHERS_H

#include "core/base/span.h"

struct bringup_others {
	bool is_known;		/* the list was read */
	unsigned n;		/* queue pairs of processes on that device */
	char who[96];		/* the first: "python3 (pid 2345)" */
};

/* text: what the command printed; status: its exit status. */
void bringup_others_read(struct span text, int status, const char *device, struct bringup_others *o);

#endif
