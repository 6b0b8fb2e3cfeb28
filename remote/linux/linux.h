/*
 * Linux hosts: what they are asked (linux.c), and the parsers of the answers, by noun. A parser works on the bare output
 * of its tool as well as on what the collector brings.
 */
#ifndef REMOTE_LINUX_LINUX_H
#define REMOTE_LINUX_LINUX_H

#include "remote/platform/platform.h"

extern const struct platform linux_platform;
extern const struct dialect linux_dialect;

size_t linux_host(const struct answer *a, struct obs *o);
size_t linux_settings(const struct answer *a, struct obs *o);
size_t linux_lsmod(const struct answer *a, struct obs *o);
size_t linux_persist(const struct answer *a, struct obs *o);

size_t linux_net(const struct answer *a, struct obs *o);
size_t linux_ip_link(const struct answer *a, struct obs *o);
size_t linux_bonding(const struct answer *a, struct obs *o);

size_t linux_ethtool(const struct answer *a, struct obs *o);
size_t linux_ethtool_counters(const struct answer *a, struct obs *o);
size_t linux_ethtool_driver(const struct answer *a, struct obs *o);
size_t linux_ethtool_pause(const struct answer *a, struct obs *o);
size_t linux_ethtool_fec(const struct answer *a, struct obs *o);
size_t linux_ethtool_modes(const struct answer *a, struct obs *o);

size_t linux_mlnx_qos(const struct answer *a, struct obs *o);
size_t linux_dcb(const struct answer *a, struct obs *o);
size_t linux_ecn(const struct answer *a, struct obs *o);

size_t linux_rdma(const struct answer *a, struct obs *o);
size_t linux_rdma_link(const struct answer *a, struct obs *o);
size_t linux_rdma_statistic(const struct answer *a, struct obs *o);
size_t linux_show_counters(const struct answer *a, struct obs *o);
size_t linux_show_gids(const struct answer *a, struct obs *o);
size_t linux_ibdev2netdev(const struct answer *a, struct obs *o);
size_t linux_ibv_devinfo(const struct answer *a, struct obs *o);

/* remote/linux/application.c */
size_t linux_processes(const struct answer *a, struct obs *o);
size_t linux_pcie(const struct answer *a, struct obs *o);
size_t linux_dmesg(const struct answer *a, struct obs *o);
bool linux_dmesg_line(struct span line);	/* of its log: the lines that it may know */
#define DMESG_CUT "fabcon: more"		/* begins the line behind a log of which only the end is read */

size_t linux_filled(const struct answer *a, struct obs *o);
size_t linux_neighbors(const struct answer *a, struct obs *o);
size_t linux_lldp(const struct answer *a, struct obs *o);

#endif
