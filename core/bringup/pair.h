/*
 * What one test between two NICs says of the link: per cent of what its MTU and speed can carry, and what the counters of both ends
 * saw of that very test. Pure.
 *
 * The layers are asked from the bottom up, and the first false one is the answer: a link at a small MTU is slow because of the MTU, and
 * a test that ran in another class says nothing of the lossless one, however fast it was.
 */
#ifndef CORE_BRINGUP_PAIR_H
#define CORE_BRINGUP_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/mem.h"

/* A counter's growth during the test. Absent is never zero. */
struct bringup_count {
	bool is_known;
	uint64_t n;
};

/* What the counters of one end of the flow saw. */
struct bringup_seen {
	struct bringup_count class_bytes, all_bytes;	/* in the wanted priority; in all */
	struct bringup_count drops;			/* of the wanted priority; where it is not counted so, of the port */
	struct bringup_count gaps;			/* out of sequence, at the receiver */
	struct bringup_count wire;			/* symbol errors, uncorrectable codewords */
	struct bringup_count marks;			/* packets that arrived marked (CE) */
	struct bringup_count cnps;			/* that the receiver sent; that the sender handled */
};

struct bringup_pair {
	double line_bps;		/* of the slower end */
	double bps;			/* as measured; 0: nothing was */
	unsigned long mtu, mtu_wanted;	/* of RDMA, bytes; 0: not known */
	double pcie_bps;		/* what the slower NIC's slot can carry; 0: not known */
	bool is_ipv6, has_vlan;
	bool is_loop;			/* of a NIC to itself: no counter need tell of it */
	bool is_incast;			/* several send to one: it is asked whether ECN slows them, and no rate, */
	bool wants_ecn;			/* where the policy requires it */
	bool is_across;			/* leaves: uplinks are shared, and what they leave to one pair is no measure of it */
	struct bringup_seen from, to;
};

enum bringup_layer {
	BRINGUP_LAYER_NONE,		/* nothing is false */
	BRINGUP_LAYER_RESULT,		/* the test has no result */
	BRINGUP_LAYER_WIRE, BRINGUP_LAYER_MTU, BRINGUP_LAYER_CLASS, BRINGUP_LAYER_LOSSLESS, BRINGUP_LAYER_PCIE,
	BRINGUP_LAYER_RATE,
	BRINGUP_LAYER_LATENCY,		/* asked of latency tests alone (tests.h) */
	BRINGUP_LAYER_ECN,		/* asked of incast alone */
	BRINGUP_LAYERS,
};
const char *bringup_layer_word(enum bringup_layer l);	/* "wire", "mtu", "class", ... */
const char *bringup_layer_remedy(enum bringup_layer l);	/* a sentence; NULL for NONE */

struct bringup_opinion {
	enum bringup_layer layer;	/* the first that is false */
	enum bringup_layer unseen;	/* the first that no counter tells of; NONE: all were seen. With layer NONE: not known, never passed */
	double ceiling_bps;		/* of this MTU and speed; 0: not known, or it is not to be reached: in an incast, across leaves */
	double share;			/* bps of the ceiling, 0 ... 1 */
	bool blames_sender;		/* of an incast that failed: the sender, not the one that all send to */
	const char *remedy;		/* a sentence; NULL: nothing is false */
	char words[200];		/* "37.1 Gb/s are 40 % of the 92.6 Gb/s that MTU 1024 allows" */
};

/*
 * The payload of RC writes in full packets: 14 Ethernet, 20 IPv4 (40 IPv6), 8 UDP, 12 BTH, 4 ICRC, 4 FCS, 20 preamble and gap, 4 with a
 * VLAN tag. bytes of MTU 0: 0.
 */
double bringup_ceiling_bps(double line_bps, unsigned long mtu, bool is_ipv6, bool has_vlan);

/* mark: the least share of the ceiling that passes, for example 0.95; of an incast, above which it met no congestion. */
void bringup_pair_judge(const struct bringup_pair *p, double mark, struct bringup_opinion *o);

#endif
