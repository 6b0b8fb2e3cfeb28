/*
 * What sonic-clear leaves behind. It clears nothing in the ASIC: it saves the counters as they are, and each table of that
 * user's begins with when that was and shows the difference since.
 */
#ifndef REMOTE_LAB_SONIC_CACHE_H
#define REMOTE_LAB_SONIC_CACHE_H

#include "remote/lab/world/fabric.h"

#define LAB_BEGINS_S	INT64_C(1795237200)	/* 2026-11-21 05:00:00 UTC, as in the lab's other texts */

struct tool_call;

enum cache_kind { CACHE_PORTS, CACHE_PFC, CACHE_QUEUES, CACHE_WRED, CACHE_KINDS };

struct sonic_caches {
	struct {
		struct sim_counters *ports;	/* owned; as they were; NULL: nothing is saved */
		int64_t at_us;
	} of[CACHE_KINDS];
};

void caches_done(struct sonic_caches *c);
/* The port's counters as a table of that kind shows them. */
void cache_counters(const struct tool_call *t, const struct lab_port *p, enum cache_kind kind, struct sim_counters *out);
/* When they were saved, "2026-11-21T05:12:24.683784"; false: nothing is. */
bool cache_time(const struct tool_call *t, enum cache_kind kind, char out[40]);
/* "Last cached time was 2026-11-21T05:12:24.683784", where something is saved; queue tables have the port before it. */
bool cache_print_time(const struct tool_call *t, enum cache_kind kind, const char *port);

int tool_sonic_clear(struct tool_call *t);

#endif
