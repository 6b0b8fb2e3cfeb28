/*
 * The queueing model behind the lab: hosts and switches with egress queues (RED marking), ingress accounting with xoff,
 * xon and headroom, PFC with its delays, CNPs, DCQCN senders, a watchdog. No clock, no I/O: time passes in sim_run().
 * The same seed and the same calls give the same counters. Its acceptance bands are those published for DCQCN
 * (tests/core/test_sim.c states them).
 */
#ifndef CORE_SIM_SIM_H
#define CORE_SIM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/roce/dcqcn.h"

#define SIM_PRIOS 8
#define SIM_LANES 4

struct sim;

/* What a port is set to do, all told: trust already worked out into dscp_prio (an untrusting port maps all to 0). */
enum sim_watchdog { WATCHDOG_OFF, WATCHDOG_DROPS, WATCHDOG_FORWARDS, WATCHDOG_ALERTS };

struct sim_qos {
	bool up;
	uint64_t speed_bps;
	uint32_t mtu;			/* bytes of L2 frame it accepts; larger are dropped */
	uint8_t dscp_prio[64];
	uint8_t prio_queue[SIM_PRIOS];	/* priority -> egress queue */
	bool pfc[SIM_PRIOS];		/* sends and obeys PFC of this priority */
	bool pause_rx, pause_tx;	/* 802.3x: obeys, sends (for everything); overrides pfc */
	bool strict[SIM_PRIOS];		/* queue is served first */
	uint8_t share[SIM_PRIOS];	/* of the rest, in %, by queue */
	bool ecn[SIM_PRIOS];		/* switch egress queue marks */
	uint32_t kmin[SIM_PRIOS], kmax[SIM_PRIOS];	/* bytes */
	double pmax[SIM_PRIOS];		/* 0 … 1 */
	uint32_t xoff[SIM_PRIOS], xon[SIM_PRIOS], headroom[SIM_PRIOS];	/* ingress, bytes */
	bool np[SIM_PRIOS], rp[SIM_PRIOS];	/* host: answers marks, obeys CNPs */
	uint8_t cnp_dscp;		/* host */
	struct dcqcn dcqcn;		/* host: as receiver (cnp_gap_ns) and as sender */
	enum sim_watchdog watchdog;	/* switch: what it does for a queue stopped longer than 200 ms */
	double frame_error;		/* part of received frames damaged, 0 … 1 */
	double drain_bps;		/* host: how fast memory takes what arrives; 0 = line rate */
	bool storm[SIM_PRIOS];		/* host: sends XOFF without end */
	double stall_ms;		/* host: pauses no longer than this without a break (stall prevention); 0: as long as it likes */
};

struct sim_flow {
	unsigned from, to;		/* host ports */
	uint8_t dscp;
	bool ect;			/* ECN-capable (ToS ends in 2) */
	double demand_bps;		/* 0: all it can */
	uint32_t packet_bytes;		/* payload packet; 0: 1000 */
	double on_ms, off_ms;		/* bursts; off 0: always on */
	bool is_tcp;			/* of the kernel's: no RDMA */
	uint32_t wire_bytes;		/* a packet with all that it has on the wire, where that is to be counted; 0: packet_bytes */
	uint32_t packets_per_ack;	/* the receiver acknowledges every so many, on the same priority; 0: no ACK is counted */
};

struct sim_counters {
	uint64_t rx_bytes[SIM_PRIOS], tx_bytes[SIM_PRIOS], rx_packets[SIM_PRIOS], tx_packets[SIM_PRIOS];
	uint64_t pfc_rx[SIM_PRIOS], pfc_tx[SIM_PRIOS];		/* frames */
	double pfc_rx_us[SIM_PRIOS], pfc_tx_us[SIM_PRIOS];
	uint64_t pfc_rx_xon[SIM_PRIOS];
	uint64_t pause_rx, pause_tx;				/* 802.3x frames */
	uint64_t pause_unsupported;				/* received, of a kind that the port is not set to obey */
	uint64_t stall_warnings, stalls;			/* host: stall prevention */
	uint64_t rx_drop[SIM_PRIOS], tx_drop[SIM_PRIOS];	/* ingress (headroom) and egress (lossy queue full, Not-ECT over Kmax) */
	uint64_t marked[SIM_PRIOS];				/* switch egress */
	uint64_t storms[SIM_PRIOS];				/* watchdog: detected, */
	uint64_t storm_tx[SIM_PRIOS], storm_drop[SIM_PRIOS];	/* packets sent and dropped in them, */
	uint64_t storm_rx[SIM_PRIOS], storm_rx_drop[SIM_PRIOS];	/* received and dropped on receive in them, */
	uint64_t storm_tx_before[SIM_PRIOS], storm_drop_before[SIM_PRIOS];	/* and of these, before the last one */
	uint64_t storm_rx_before[SIM_PRIOS], storm_rx_drop_before[SIM_PRIOS];
	uint64_t ecn_seen, cnp_sent, cnp_handled, cnp_ignored;	/* host */
	uint64_t oos, seq_err, ack_timeout, retrans;		/* host */
	uint64_t phy_err, fec_corr, link_downs;
	uint64_t rx_control[SIM_PRIOS], tx_control[SIM_PRIOS];	/* packets among them that carry no data: CNPs, NAKs, ACKs */
	uint64_t rdma_rx_control, rdma_tx_control;
	uint64_t rdma_rx_bytes, rdma_tx_bytes, rdma_rx_packets, rdma_tx_packets;	/* of all priorities; the rest is TCP */
	/* For whoever shows them, 0 here: what a kernel counts of its own, what is sent to all, and raw bit errors by lane. */
	uint64_t kernel_rx_bytes, kernel_tx_bytes, kernel_rx_packets, kernel_tx_packets;
	uint64_t rx_multicast, tx_multicast, rx_broadcast, tx_broadcast;
	uint64_t lane_err[SIM_LANES];
	uint64_t queue_bytes[SIM_PRIOS], queue_peak[SIM_PRIOS], pg_bytes[SIM_PRIOS], pg_peak[SIM_PRIOS];
	uint64_t stormed;					/* bit set: priorities whose queue is in a storm now */
};

struct sim *sim_new(uint64_t seed);
void sim_free(struct sim *s);

unsigned sim_add_device(struct sim *s, bool is_switch);
unsigned sim_add_port(struct sim *s, unsigned device, const struct sim_qos *qos);
void sim_link(struct sim *s, unsigned port, unsigned other, uint32_t delay_ns);
void sim_unlink(struct sim *s, unsigned port);

const struct sim_qos *sim_qos(const struct sim *s, unsigned port);
void sim_set_qos(struct sim *s, unsigned port, const struct sim_qos *qos);

/* Routes up and down the tree by hash of the flow and the seed. Gives a handle; flows end by
 * sim_flow_end(), and the handle may then be given again. */
unsigned sim_flow_add(struct sim *s, const struct sim_flow *flow);
/*
 * The way of a flow, by the ports that it leaves: from the sender's to the one that faces the receiver. For routes that
 * nobody plans: in a ring, they lock up. Nothing flows while they do not join up; n 0: by hash again.
 */
void sim_flow_route(struct sim *s, unsigned flow, const unsigned *ports, unsigned n);
void sim_flow_end(struct sim *s, unsigned flow);
double sim_flow_rate(const struct sim *s, unsigned flow);	/* bit/s now (DCQCN's R_C) */
double sim_flow_alpha(const struct sim *s, unsigned flow);
uint64_t sim_flow_bytes(const struct sim *s, unsigned flow);	/* delivered */
uint64_t sim_flow_sent(const struct sim *s, unsigned flow);	/* bytes, what was lost among them */

void sim_run(struct sim *s, int64_t ns);
int64_t sim_now(const struct sim *s);				/* ns since sim_new() */
const struct sim_counters *sim_counters(const struct sim *s, unsigned port);
/* Of a counter of sim_counters: that of all priorities together. */
static inline uint64_t sim_all_prios(const uint64_t *of_prios)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < SIM_PRIOS; i++)
		n += of_prios[i];
	return n;
}

/* Defaults: a port of that speed set up as the shipped lossless policy says, and one as from the factory. */
void sim_qos_lossless(struct sim_qos *qos, uint64_t speed_bps, bool is_switch);
void sim_qos_factory(struct sim_qos *qos, uint64_t speed_bps, bool is_switch);

#endif
