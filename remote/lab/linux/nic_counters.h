/*
 * What ethtool -S of a driver counts: its names in its order, each with the quantity of the simulation that it is, or 0.
 * captures/node/ethtool-S: mlx5_core-full and the two after it, bnxt_en-full, ice-full.
 */
#ifndef REMOTE_LAB_LINUX_NIC_COUNTERS_H
#define REMOTE_LAB_LINUX_NIC_COUNTERS_H

#include "remote/lab/world/fabric.h"

/* "     rx_packets: 12", a line each. */
void nic_counters_print(const struct fabric *f, const struct lab_port *p, struct buf *out);

#endif
