/*
 * N senders to one receiver through one switch, in the queueing model: what DCQCN settles to, packet by packet. Beside
 * the fluid model's fixed point (core/roce/dcqcn.h), which is quicker and lower.
 */
#ifndef CORE_SIM_INCAST_H
#define CORE_SIM_INCAST_H

#include "core/sim/sim.h"

#define INCAST_MOST	64	/* senders */

struct incast {
	unsigned senders;
	uint64_t speed_bps;
	uint32_t kmin, kmax;		/* bytes */
	double pmax;			/* 0 … 1 */
	uint32_t delay_ns;		/* of each leg */
	int64_t from_ms, to_ms;		/* what is measured of the run */
	uint64_t seed;
};

struct incast_result {
	double queue_bytes;		/* mean */
	double queue_p90_bytes;
	double mark;			/* part of the packets, 0 … 1 */
	double alpha;			/* mean over the flows */
	double cnp_per_s;		/* of one flow */
	double use;			/* of the receiver's line */
	double jain;			/* fairness of the bytes since the start */
	float queue[256];		/* bytes, over the measured time */
	unsigned n_queue;
};

/* The buffer has no end and pause does not act: DCQCN alone. False for 0 or too many senders. */
bool incast_run(const struct incast *in, struct incast_result *out);

#endif
