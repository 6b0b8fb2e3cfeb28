/*
 * Who pauses whom: the pause that the counters show, as trees. A hold is one port that its peer lets wait, on one
 * priority; a switch holds those in front of it because something behind it makes its own packets wait, and so on to a
 * root. Direction is the counters': what a port has received (pfc.rx) stopped it.
 *
 *	struct pauses g = { 0 };
 *	pauses_make(&g, &(struct pauses_of){ model, links, policy, inventory });
 *	… g.roots, worst first …
 *	pauses_done(&g);
 */
#ifndef CORE_PAUSE_H
#define CORE_PAUSE_H

#include "core/check.h"

struct pauses_of {
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
};

/* What a share stands on. Frames bound it from above only: one frame stops for 65535 quanta or for none. */
enum pause_basis { PAUSE_BY_NOTHING, PAUSE_BY_FRAMES, PAUSE_BY_TIME };

#define NO_HOLD	SIZE_MAX

struct hold {
	const struct port *held;	/* may not send */
	const struct port *holder;	/* its peer, who sends the pause */
	unsigned prio;
	enum pause_basis basis;
	double share;			/* of the time, 0 … 1; by frames: at most */
	double frames_per_s;		/* NAN: not known */
	bool is_still;			/* nothing of the priority leaves, and it is never let go: as far as known */
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

struct pause_root {
	enum root_is is;
	const struct port *at;		/* the congested egress; the host's port; of a ring, one of it; of an unknown root, the port that pauses */
	unsigned prio;
	double share;			/* the worst hold that it causes */
	size_t *holds, n_holds;		/* caused by it, nearest first */
	unsigned hops;			/* of the farthest */
	const struct port **hosts;	/* held hosts: senders to it, and victims that wait behind them */
	size_t n_hosts;
	bool is_sure;			/* every step stands on times and queues, none on likelihood */
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
	unsigned lacking;		/* ends of links of which no pause is known, either way */
};

/* Works them out anew; *g is zeroed before first use. Everything in it is lent by model and links. */
void pauses_make(struct pauses *g, const struct pauses_of *of);
void pauses_done(struct pauses *g);

/* The hold of a port on a priority, or NULL; and the worst root behind it, or NULL. */
const struct hold *pauses_hold(const struct pauses *g, const struct port *held, unsigned prio);
const struct pause_root *pauses_root(const struct pauses *g, const struct port *held, unsigned prio);

const char *root_name(enum root_is is);		/* "congestion", "slow-receiver", … */
const char *root_words(enum root_is is);	/* "more comes for it than its line takes" */

#endif
