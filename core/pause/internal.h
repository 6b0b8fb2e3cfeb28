/*
 * What the files of the pause graph share (pause.c: trees; pause_hold.c: what the counters say; pause_walk.c: from a hold
 * to what it waits for; pause_ring.c: deadlocks; pause_host.c: senders and victims).
 */
#ifndef CORE_PAUSE_INTERNAL_H
#define CORE_PAUSE_INTERNAL_H

#include "core/pause/pause.h"

#define TIER_UNKNOWN	UINT32_MAX

/* What is worked out on the way; gone when the graph is made. */
struct making {
	const struct pauses_of *of;
	struct pauses *g;
	size_t *hold_of;		/* by port id and priority: place in holds, or NO_HOLD */
	unsigned *tier;			/* by device id: links to the nearest host; 0 a host */
	size_t *waiters, *first_waiter;	/* holds that wait for hold i: waiters[first_waiter[i] … first_waiter[i + 1] - 1] */
	struct traffic *traffic[8];	/* of pause_host.c, by priority: read once it is asked for */
};

static inline double pause_limit(const struct making *m, enum limit which)
{
	return policy_limit(m->of->policy, which);
}

const struct port *pause_far(const struct making *m, const struct port *p);

/* pause_hold.c. p may be NULL everywhere: nothing is known. */
void pause_collect(struct making *m);
bool pause_rate(const struct making *m, const struct port *p, enum field f, unsigned index, double *per_s);
/* The mean of the newest samples, where there is a history; else the newest. Of gauges and counters. */
bool pause_mean(const struct making *m, const struct port *p, enum field f, unsigned index, double *mean);
bool pause_moves(const struct making *m, const struct port *p, enum field f, unsigned index);
/* One of two counts has said the same for two polls at least, and the other, where there is one, does not move. */
bool pause_none_pass(const struct making *m, const struct port *p, enum field packets, enum field bytes, unsigned index);
/* How much of its line a port uses, 0 … 1. */
bool pause_load(const struct making *m, const struct port *p, double *load);
/* The queue that packets of a priority leave by; and that a received pause stops. What is not printed is the identity. */
unsigned pause_queue(const struct making *m, const struct port *p, unsigned prio);
unsigned pause_stops(const struct making *m, const struct port *p, unsigned prio);

/* pause_walk.c */
void pause_tiers(struct making *m);
/* Up and down the tree: what came from above goes down, and nothing goes back where it came from. */
bool pause_may_leave(const struct making *m, const struct port *in, const struct port *out);
void pause_follow(struct making *m);
/* A root of which all that is known is where it begins. */
void pause_not_known(struct making *m, struct hold *h);
size_t pause_need_root(struct making *m, enum root_is is, const struct port *at, unsigned prio);
void pause_cite_hold(struct pause_root *r, const struct hold *h);

/* pause_ring.c */
void pause_rings(struct making *m);

/* pause_host.c */
void pause_hosts(struct making *m, struct pause_root *r);
void pause_forget_traffic(struct making *m);

#endif
