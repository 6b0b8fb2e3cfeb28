/* For tests: small fabrics, and what their counters have to keep. */
#ifndef TESTS_LIB_STAR_H
#define TESTS_LIB_STAR_H

#include "core/sim/sim.h"
#include "tests/lib/say.h"

#define MS	INT64_C(1000000)
#define US	INT64_C(1000)

#define assert_between(value, low, high) \
	do { \
		double v_ = (value); \
		if (!(v_ >= (low) && v_ <= (high))) \
			fail_msg("%s is %g, not in %g … %g", #value, v_, (double)(low), (double)(high)); \
	} while (0)

/* Senders on one switch, each on its own port, and one receiver. */
struct star {
	struct sim *s;
	unsigned hosts[65], ports[65];	/* host port, and the switch's that faces it; the last is the receiver's */
	unsigned n, flows[64];
};

struct star star_new(unsigned n, uint64_t bps, uint32_t delay_ns, uint64_t seed);
/* Every sender to the receiver, all they can. */
void star_incast(struct star *st);
/* Applies a change to every port of the switch, or of the hosts. */
void star_change(struct star *st, bool at_switch, void (*change)(struct sim_qos *qos));

const struct sim_counters *at_switch(const struct star *st, unsigned i);
const struct sim_counters *at_host(const struct star *st, unsigned i);
/* Over all ports of the switch: pause frames of priority 3; packets dropped. */
uint64_t pauses_sent(const struct star *st);
uint64_t switch_drops(const struct star *st);
/* What one end of each cable sent is what the other received: bytes, packets, pauses and their time. */
void assert_conserved(const struct star *st);

void ecn_off(struct sim_qos *qos);
void ecn_on(struct sim_qos *qos);
void storm(struct sim_qos *qos);

/* Two leaves with two hosts each, and two spines with one link to each leaf. */
struct clos {
	struct sim *s;
	unsigned hosts[4], downs[4], ups[2][2], spines[2][2];	/* ups[leaf][spine], spines[spine][leaf] */
};

struct clos clos_new(uint64_t bps, uint64_t seed);

#endif
