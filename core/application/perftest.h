/*
 * What bandwidth tests print: perftest (ib_write_bw and its kin) and nccl-tests (all_reduce_perf and its kin). Several
 * tests may stand in one text. Slices of the text; nothing is copied.
 */
#ifndef CORE_APPLICATION_PERFTEST_H
#define CORE_APPLICATION_PERFTEST_H

#include "core/base/span.h"

#define PERF_RESULTS_MAX	64	/* of one text; more are left out */
#define PERF_HOSTS_MAX		128
#define PERF_REASON_MAX		96

enum perf_kind { PERF_VERBS, PERF_NCCL };

struct perf_result {
	enum perf_kind kind;
	struct span title;		/* "RDMA_Write BW Test"; nccl-tests do not print theirs */
	struct span device, link_type;	/* verbs: "mlx5_0", "Ethernet" */
	uint64_t mtu, gid_index;	/* verbs; mtu 0: not printed */
	bool has_gid;
	bool is_both_ways;		/* both directions are counted together */
	uint64_t bytes;			/* of the message that reached most; of large ones, where there are any */
	double bps;			/* what it reached; nccl-tests: bus bandwidth */
	double mean_bps;		/* nccl-tests: over all sizes; 0: not printed */
	unsigned n_rows;
	unsigned n_wrong;		/* nccl-tests: rows whose result was wrong */
	unsigned ranks;
	struct span hosts[PERF_HOSTS_MAX];	/* nccl-tests: each once */
	size_t n_hosts;
	uint64_t failed;		/* verbs: status of a completion that ended it; 0: none */
	struct span line;		/* that holds bps */
};

/* Returns how many tests were found, at most PERF_RESULTS_MAX. */
size_t perf_read(struct span text, struct perf_result *out);

/* Why its bandwidth tells nothing about the links; NULL: it can be compared with what they carry. */
const char *perf_unjudged(const struct perf_result *p, char reason[PERF_REASON_MAX]);

#endif
