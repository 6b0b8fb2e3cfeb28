/* The far side of a benchmark: a process of its own, one thread, that is as many canned hosts as asked for. */
#ifndef TESTS_BENCH_FAR_H
#define TESTS_BENCH_FAR_H

#include <sys/types.h>

#include "core/inventory/inventory.h"

struct far {
	pid_t pid;
	char dir[64];
	char key[96], inventory[96], known_hosts[96];
	double took_s;		/* from the start until all listen */
	struct inventory hosts;
};

/* Hosts are called name1, name2, …; the process ends with ours, or by far_stop(). False when it does not come up. */
bool far_start(struct far *f, const char *name, unsigned hosts);
void far_stop(struct far *f);

/* Of any process: CPU seconds so far, and what it holds in memory now and at most; -1: it is gone. */
double process_cpu_s(pid_t pid);
double process_rss_mb(pid_t pid);
double process_peak_mb(pid_t pid);

#endif
