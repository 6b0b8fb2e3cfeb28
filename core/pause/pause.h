/*
 * Who pauses whom: the pause that the counters show, as trees. A hold is one port that its peer lets wait, on one
 * priority; a switch holds those in front of it because something behind it makes its own packets wait, and so on to a
 * root. Direction is the counters': what a port has received (pfc.rx) stopped it.
 *
 *	struct pauses g = { 0 };
 *	pauses_make(&g, &(struct pauses_of){ model, links, policy, inventory });
 *	… g.roots, worst first …
 *	pauses_done(&g);
 *
 * Either end's counters tell of a hold; an end that nobody reads is NULL. Which egress the packets of an ingress wait
 * for is in no counter: it is concluded from what may not send, what stands, what is full, and from up-and-down routes.
 */
#ifndef CORE_PAUSE_PAUSE_H
#define CORE_PAUSE_PAUSE_H

#include "core/fabric/link.h"
#include "core/fabric/stopped.h"
#include "core/model/evidence.h"
#include "core/policy/policy.h"

struct pauses_of {
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
};

#define NO_HOLD	SIZE_MAX

struct hold {
	const struct port *held;	/* may not send; NULL: not read */
	const struct port *holder;	/* its peer, who sends the pause; NULL: not read */
	const struct link *link;	/* NULL: whom the port faces is not known at all */
	unsigned prio;
	enum pause_basis basis;
	double share;			/* of the time, 0 … 1; by frames: at most */
	int64_t window_us;		/* of that time; 0: not known */
	double frames_per_s;		/* NAN: not known */
	bool is_still;			/* nothing of the priority leaves, and it is never let go: for two polls at least */
	bool is_locked;			/* the same for three polls at least: time enough to tell by frames, without times */
	/* Why: holds of the holder's own egress ports (places in waits), */
	size_t first_wait, n_waits;
	/* and roots that begin at this holder (places in causes). */
	size_t first_cause, n_causes;
};

enum root_is {
	ROOT_CONGESTION,	/* more comes for an egress than its line takes: incast, or a collision of flows */
	ROOT_DEGRADED,		/* the same, but the egress is slower than its like, or its wire damages frames */
	ROOT_SLOW_RECEIVER,	/* a host takes less than its line brings */
	ROOT_STORM,		/* a host that stops its switch without end */
	ROOT_DEADLOCK,		/* a ring of switches each waiting for the next */
	ROOT_UNKNOWN,		/* what lacks is in missing */
};

/* What a held host has to do with a root. */
enum host_is {
	HOST_UNKNOWN,		/* its counters could be either's */
	HOST_SENDS,		/* some of what it sends goes there */
	HOST_WAITS,		/* a victim: what it sends arrives elsewhere, and waits behind */
};

struct held_host {
	const struct port *port;
	enum host_is is;
	const struct port *to;	/* HOST_WAITS: the host that gets it */
};

struct pause_root {
	enum root_is is;
	const struct port *at;		/* the congested egress; the host's port, or when it is not read the port that faces it; of a
					 * ring, one of it; of an unknown root, the port that pauses, or is paused by a port not read */
	unsigned prio;
	double share;			/* the worst hold that it causes */
	size_t *holds, n_holds;		/* caused by it, nearest first */
	unsigned *depths;		/* how many links each is away: 1 at the root */
	unsigned hops;			/* of the farthest */
	struct held_host *hosts;
	size_t n_hosts;
	unsigned queue;			/* of a congested egress: the one that stands, */
	double load;			/* and how much of its line it uses, 0 … 1; NAN: not known, or another kind of root */
	bool is_sure;			/* every step stands on times and queues, none on likelihood */
	bool by_frames;			/* of a ring: sure by frames that never cease while nothing leaves, for times are not told */
	char what[192];			/* one line, with the values */
	char missing[96];
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
};

struct pauses {
	struct hold *holds;
	size_t n_holds, cap_holds;
	size_t *waits;			/* holds that other holds wait for */
	size_t n_waits, cap_waits;
	size_t *causes;			/* roots */
	size_t n_causes, cap_causes;
	struct pause_root *roots;
	size_t n_roots, cap_roots;
	unsigned lacking;		/* ways over links that carry RoCE of which no pause is known, by neither end */
};

/* Works them out anew; *g is zeroed before first use. Everything in it is lent by model and links. */
void pauses_make(struct pauses *g, const struct pauses_of *of);
void pauses_done(struct pauses *g);

/* The hold of a port on a priority, or NULL; and the worst root behind it, or NULL. */
const struct hold *pauses_hold(const struct pauses *g, const struct port *held, unsigned prio);
const struct pause_root *pauses_root(const struct pauses *g, const struct port *held, unsigned prio);

/* "node7:eth2"; of an end that is not read, what the other says of it, or "?". Words holds HOLD_END_MAX bytes. */
#define HOLD_END_MAX	128
const char *hold_end(const struct hold *h, bool of_held, char *words);
/* "leaf2:Eth40 (egress q3, 97 %) holds node7 node8, 41.2k frames/s, stopped 38 % of the last 3 s; root: incast into node10: …" */
void pause_root_words(const struct pauses *g, const struct pause_root *r, struct buf *out);
/* Of that, "holds node7 node8, 41.2k frames/s, stopped 38 % of the last 3 s". */
void pause_root_effect(const struct pauses *g, const struct pause_root *r, struct buf *out);
/* "node3:eth2 by leaf2:Eth1, stopped 38 % of the last 3 s; a victim: it sends to node2" */
void pause_hold_words(const struct pause_root *r, const struct hold *h, struct buf *out);
/* The tree of a root: each hold once, below one that it waits for. */
void pause_tree(const struct pauses *g, const struct pause_root *r, void (*told)(void *ctx, const struct hold *h, unsigned depth),
		void *ctx);

const char *root_name(enum root_is is);		/* "congestion", "slow-receiver", … */
const char *root_words(enum root_is is);	/* "oversubscribed egress: offered load exceeds its line rate" */

/*
 * The ring that buffers could wait in, over the links as they are known and routes up and down the tree: a Clos has
 * none. Ports through which one enters each switch of it, in order; how many, 0: there is none. Yours to free.
 */
size_t pauses_possible_ring(const struct pauses_of *of, const struct port ***ring);

#endif
