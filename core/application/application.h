/* What the application on a host asks of the fabric, worked out from the facts about it. */
#ifndef CORE_APPLICATION_APPLICATION_H
#define CORE_APPLICATION_APPLICATION_H

#include "core/model/model.h"

enum app_by {
	APP_BY_NOBODY,	/* no application is seen there, or nothing says how it marks */
	APP_BY_UNKNOWN,	/* asked for and not to be had: words is the reason */
	APP_BY_FORCE,	/* tos.force: one ToS for every queue pair, whatever the application asks */
	APP_BY_SET,	/* NCCL_IB_TC */
	APP_BY_DEFAULT,	/* NCCL's own: NCCL_IB_TC is not set */
};

struct app_tos {
	enum app_by by;
	unsigned tos;
	char words[112];	/* where it comes from: "NCCL_IB_TC" */
};

/*
 * The ToS byte that NCCL's data leaves this host port with, in NCCL's own order: what is forced on every queue pair; else
 * NCCL_IB_TC; else the communicator's own configuration, which nothing shows; else 0. The default of rdma_cm (tos.cma)
 * does not apply: NCCL makes its queue pairs by verbs. True when it is known.
 *
 * source	NCCL net_ib: ncclIbConnect(), of several versions
 */
bool app_tos(const struct model *m, const struct port *p, struct app_tos *out);
/* The same of its control messages: NCCL_IB_FIFO_TC where it is set. */
bool app_control_tos(const struct model *m, const struct port *p, struct app_tos *out);

/*
 * Whether NCCL_IB_HCA lets NCCL use an RDMA device: names by their beginnings, "=" before the list: whole, "^": all but these;
 * ":2" behind one: that port of it alone. False too, and *is_of_port, where a name fits for another port than the first.
 *
 * source	NCCL misc/utils.cc: parseStringList(), matchIfList(); transport/net_ib
 */
bool app_may_use(struct span hcas, struct span device, bool *is_of_port);

/* What a PCIe link carries in a second, in bits, after its coding: 8b/10b to 5 GT/s, 128b/130b from 8 GT/s on. */
double pcie_bps(uint64_t lane_rate, uint64_t lanes);

/* The largest RDMA packet, without headers, that Linux allows at an interface's MTU (iboe_get_mtu), in bytes. */
uint64_t rdma_mtu_at(uint64_t mtu_bytes);

/* Part of a link's bits that a test can have as payload, with packets of this RDMA MTU. */
double app_efficiency(uint64_t mtu_bytes);
#define APP_USUAL_SHARE	0.9	/* fabcon default: a test that reaches less of that is low */

#endif
