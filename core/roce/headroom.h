/*
 * Headroom: what a lossless buffer must still take in after it has decided to send pause. Three ways of working it out,
 * each as its owner does; and the pause that a frame can hold a peer for. All sizes in bytes, cables in metres.
 */
#ifndef CORE_ROCE_HEADROOM_H
#define CORE_ROCE_HEADROOM_H

#include <stdbool.h>
#include <stdint.h>

struct headroom_case {
	uint64_t speed_bps;
	double cable_m;
	uint32_t mtu;			/* of either end, L2 */
	/* Of a cell-based switch buffer alone: what a byte of the line takes of it (1: nothing is wasted), the largest packet
	 * of the lossless class, and the delay of a gearbox one way. */
	double occupancy;
	uint32_t lossless_mtu;
	double gearbox_bytes;
};

/* A method; it knows no answer for a speed that its tables do not hold. */
struct headroom_method {
	const char *name, *help;
	bool (*bytes)(const struct headroom_case *c, double *out);
	const char *source;
};
extern const struct headroom_method headroom_table[];
extern const unsigned headroom_count;

/* The usual values for what a caller does not say: 9216 byte packets, 1024 in the lossless class, no waste. */
struct headroom_case headroom_usual(uint64_t speed_bps, double cable_m);

/*
 * The longest cable, in m, for which the method asks for no more than headroom bytes; false when even none is too long,
 * or the method knows no answer.
 */
bool headroom_cable(const struct headroom_method *method, struct headroom_case c, double headroom, double *out);

/*
 * What a cable of that length holds there and back, in bytes: it is on its way when pause is sent, and comes before the pause can
 * have an effect. A lower bound: the delays of both ends, and the frames that they have begun, come on top of it.
 */
double headroom_of_cable(uint64_t speed_bps, double cable_m);

/* What the peer may take to obey (802.3 pause reaction), in quanta of 512 bit times; 0: not in the table. */
unsigned pause_reaction_quanta(uint64_t speed_bps);

/* 802.3: a quantum, and the longest that one frame can hold a peer (65535 of them). ns. */
double pause_quantum_ns(uint64_t speed_bps);
double pause_longest_ns(uint64_t speed_bps);
/* How many frames a second it takes, at least, to hold a peer all the time. */
double pause_frames_to_hold(uint64_t speed_bps);
/* Frames only bound the time stopped from above: this part of it, at most 1. Durations say more. */
double pause_share_at_most(uint64_t speed_bps, double frames_per_s);

#endif
