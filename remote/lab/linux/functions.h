/*
 * What a host's sysfs holds beside the ports of the fabric, each by a skin: virtual functions, representors, an RDMA device
 * without an interface, an interface without a device, RDMA devices of software. None of them carries traffic.
 */
#ifndef REMOTE_LAB_LINUX_FUNCTIONS_H
#define REMOTE_LAB_LINUX_FUNCTIONS_H

#include "remote/lab/world/fabric.h"

#define FIRST_VLAN_GID	4	/* of the first port, when an interface without a device has two entries of its table */

/* What sriov_numvfs says; and of them, those that are there to be seen. */
unsigned vf_number(const struct lab_device *d, const struct lab_port *p);
unsigned vf_seen(const struct lab_device *d, const struct lab_port *p);
/* "eth2v7", "mlx5_9" of the VF, from 0. */
void vf_names(const struct lab_device *d, const struct lab_port *p, unsigned vf, char netdev[48], char rdma[48]);

void functions_put(const struct fabric *f, const struct lab_device *d, const char *dir);
/* The VFs come and go with their number. */
void functions_put_vfs(const struct lab_device *d, const struct lab_port *p, const char *dir);
/* The RDMA device of each VF, and that of bond0 with its MTU, as the state has them. */
void functions_dump(const struct fabric *f, const struct lab_device *d, struct buf *out);

#endif
