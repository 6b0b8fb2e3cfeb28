/*
 * Which NICs send to which, round after round: every link is loaded in both directions at once, and no NIC has two partners in one
 * round. Pure: from the same NICs and wishes comes the same schedule.
 */
#ifndef CORE_BRINGUP_SCHEDULE_H
#define CORE_BRINGUP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bringup/measured.h"

/* One NIC port. The caller numbers nodes, rails and leaf switches as it likes. */
struct bringup_nic {
	unsigned node, rail, leaf;
	bool is_apart;		/* no link is known from its leaf to another switch: nothing is sent across from there */
};

enum bringup_kind {
	BRINGUP_LOOPBACK,	/* a NIC to itself: separates the NIC and its PCIe from the fabric */
	BRINGUP_SAME_LEAF,	/* two links and one switch */
	BRINGUP_CROSS_LEAF,	/* over the uplinks */
	BRINGUP_SUSPECT,	/* an end of a pair that failed, against one that passed */
	BRINGUP_INCAST,		/* several to one: congestion on purpose */
	BRINGUP_LOSSY,		/* an incast, and beside it a stream of the kernel's to the same NIC, which is to be in another class */
	BRINGUP_UPLINK,		/* no round of its own: what pairs across leaves sent over one link between switches, one way */
	BRINGUP_KINDS,
};

/* Whether a test of that kind tells of its ends: a path over several switches has more that may be bad, and an incast is congested. */
bool bringup_kind_tells_of_ends(enum bringup_kind kind);
/* Several send to one. */
bool bringup_kind_is_incast(enum bringup_kind kind);

/* From one NIC to another, or to itself; positions in the caller's list. */
struct bringup_flow {
	size_t from, to;
	bool is_stream;		/* by BRINGUP_STREAM, whatever its round is tested by */
};

struct bringup_round {
	enum bringup_kind kind;
	size_t first, n;	/* its flows */
	enum bringup_tool tool;	/* that all of them are tested by, but streams */
};

struct bringup_schedule {
	struct bringup_flow *flows;
	struct bringup_round *rounds;
	size_t n_flows, cap_flows, n_rounds, cap_rounds;
};

struct bringup_wishes {
	unsigned kinds;		/* a set: 1 << BRINGUP_LOOPBACK and so on */
	/* A set, beside bandwidth: 1 << BRINGUP_RPING before each round of pairs, both ways; 1 << BRINGUP_WRITE_LAT after it, one way. */
	unsigned tools;
	unsigned loads;		/* how often each link is loaded by pairs of one leaf, and again across leaves; at least that often */
	unsigned incast;	/* most senders to one NIC: rounds of 2, 4, 8 and so on up to it; beside a stream 2 */
};

enum bringup_tool bringup_flow_tool(const struct bringup_round *round, const struct bringup_flow *flow);

void bringup_schedule_init(struct bringup_schedule *s);
void bringup_schedule_done(struct bringup_schedule *s);

/*
 * Appends the rounds of these kinds. A NIC without a partner on its leaf is loaded across leaves, or, alone, by loopback only. Latencies
 * are not measured across leaves: how many switches are between two of them is not known.
 */
void bringup_schedule_make(struct bringup_schedule *s, const struct bringup_nic *nics, size_t n, const struct bringup_wishes *w);

/* What became of a flow. */
enum bringup_verdict { BRINGUP_NOT_RUN, BRINGUP_PASSED, BRINGUP_FAILED };

/* Of one NIC, by its loopback and the pairs that it was in. */
enum bringup_end {
	BRINGUP_END_UNTRIED,	/* no pair of it has run */
	BRINGUP_END_GOOD,	/* it passed with each partner, but those that are bad */
	BRINGUP_END_SUSPECT,	/* it failed with one partner, and which of the two is bad is not proven */
	BRINGUP_END_BAD,	/* it failed by itself, or with two partners that passed with others */
};

/* verdicts: one for each flow of s; those of a round whose kind tells nothing of its ends are passed over. ends: n of them. */
void bringup_schedule_judge(const struct bringup_schedule *s, const enum bringup_verdict *verdicts, enum bringup_end *ends, size_t n);

/*
 * Appends one round in which each suspect is paired, both ways, with an end that is good and that it has not met: of its own leaf where
 * there is one. tool: what it failed by. False: no suspect has such a partner left.
 */
bool bringup_schedule_suspects(struct bringup_schedule *s, const struct bringup_nic *nics, const enum bringup_end *ends, size_t n,
			       enum bringup_tool tool);

#endif
