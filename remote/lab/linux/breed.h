/*
 * The breed of a host's NICs: whose driver, which files and tools come with it. A host has NICs of one breed: mlx5 with the
 * vendor's driver, or what a skin of the group "breed" says.
 */
#ifndef REMOTE_LAB_LINUX_BREED_H
#define REMOTE_LAB_LINUX_BREED_H

#include "remote/lab/world/skins.h"

struct breed {
	enum skin skin;			/* SKIN_COUNT: of hosts that wear none of the group */
	const char *driver, *rdma_driver;	/* of the PCI function and of its RDMA device: "mlx5_core", "mlx5_ib" */
	const char *netdev_driver;	/* as ethtool -i says it; NULL: driver */
	const char *version, *firmware, *board;	/* as ethtool -i says them; board "": it does not */
	const char *old_firmware;	/* an earlier one */
	const char *vendor, *device;	/* PCI ids */
	const char *model;		/* as lspci names it */
	const char *hca_type;
	const char *rdma;		/* name of an RDMA device, with its number */
	const char *link_up, *link_down;	/* as its driver tells them to the kernel's log */
	bool is_ofed;			/* the vendor's files: ecn/, traffic_class, .driver-ready; and its tools (server/programs.c) */
	bool is_mlx5;			/* PFC toggles the link; receive buffers; debugfs */
	bool is_without_dscp;		/* trusts the VLAN tag alone, and has no DCQCN */
};

const struct breed *breed_of(const struct lab_device *d);
const char *firmware_of(const struct lab_device *d, const struct lab_port *p);

#endif
