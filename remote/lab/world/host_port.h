/*
 * What a host's RoCE port is set to, as its tools print and change it; and how that becomes the simulated port.
 * Every setting has its field of the dictionary, so it can be said and read in the written form of facts.
 */
#ifndef REMOTE_LAB_WORLD_HOST_PORT_H
#define REMOTE_LAB_WORLD_HOST_PORT_H

#include "core/model/fact.h"
#include "core/sim/sim.h"

#define TOS_UNSET UINT32_MAX

/* The DCQCN parameters, in the order of the dictionary from FIELD_CC_CNP_GAP to FIELD_CC_ALPHA. */
#define NIC_CC (FIELD_CC_ALPHA - FIELD_CC_CNP_GAP + 1)

struct host_port {
	uint32_t trust, dcbx;		/* words of their fields, as are tsa[] of ets.algo */
	uint32_t dscp_prio[64];
	uint32_t prio_tc[8], tsa[8], share_pct[8], prio_buffer[8], buffer_bytes[8];
	uint32_t pfc[8], np[8], rp[8];
	uint32_t pause_rx, pause_tx;
	uint32_t cnp_dscp, cnp_prio;
	uint32_t cc[NIC_CC];
	uint32_t mtu, cable_m;
	uint32_t tos_cma, tos_force;	/* tos_force: TOS_UNSET when nothing is forced */
	uint32_t tos_app;		/* what the application asks for; TOS_UNSET: the default */
};

/* Set up as the shipped lossless policy says. */
void host_port_lossless(struct host_port *nic);

/* One setting by its field; false for a field that is no setting of a host port. */
bool host_port_get(const struct host_port *nic, enum field f, unsigned index, struct value *out);
bool host_port_set(struct host_port *nic, enum field f, unsigned index, uint64_t n);
/* The fields that are settings of a host port, in order; FIELD_COUNT at the end. */
enum field host_port_field(size_t i);

/* The name of a DCQCN parameter's file: "rpg_ai_rate". */
const char *host_port_cc_name(unsigned i);

/* Puts the settings into the simulated port; what is no setting (speed, faults of the cable) stays as it is. */
void host_port_to_sim(const struct host_port *nic, struct sim_qos *qos);

/* The ToS its RDMA traffic leaves with. */
uint8_t host_port_tos(const struct host_port *nic);

#endif
