/* The counters of an RDMA port, each driver's own: names and order as its source has them, and what they count here. */
#ifndef REMOTE_LAB_LINUX_HW_COUNTERS_H
#define REMOTE_LAB_LINUX_HW_COUNTERS_H

#include <stddef.h>

#include "remote/lab/world/counters.h"

struct hw_counter {
	const char *names;	/* several of a row that are all 0 */
	size_t at;		/* in struct sim_counters; HW_NOUGHT: stays 0 */
	unsigned bits;
};

#define HW_NOUGHT SIZE_MAX

struct hw_counters {
	const char *driver;	/* "mlx5_ib" */
	const struct hw_counter *rows;
	size_t n;
	bool has_pma;		/* answers for counters/; without, each file there says "N/A (no PMA)" */
};

const struct hw_counters *hw_counters_of(const char *driver);
uint64_t hw_counter_value(const struct hw_counter *row, const struct sim_counters *c);

#endif
