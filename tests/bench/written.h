/*
 * A recording for benchmarks, written from facts: hosts of some ports each, every port of a host at another leaf, healthy
 * and busy. Counters are said each every_s, settings each half a minute.
 */
#ifndef TESTS_BENCH_WRITTEN_H
#define TESTS_BENCH_WRITTEN_H

#include <stdbool.h>

struct written_plan {
	unsigned hosts, ports;
	unsigned lasts_s, every_s;
};

/* False when it cannot be written. */
bool written_make(const char *path, const struct written_plan *plan);

#endif
