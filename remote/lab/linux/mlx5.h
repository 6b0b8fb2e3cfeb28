/*
 * What the mlx5 driver makes of a write: which it refuses, and what a new PFC mask costs. As in the kernel's en_dcbnl.c
 * and en/port_buffer.c.
 */
#ifndef REMOTE_LAB_LINUX_MLX5_H
#define REMOTE_LAB_LINUX_MLX5_H

#include "remote/lab/world/fabric.h"

#define MLX5_MAX_MTU		9978
#define MLX5_BUFFER_BYTES	1027728		/* of all receive buffers together */

/*
 * Takes the mask. A mask other than the one before ends the 802.3x pause, and toggles the link.
 */
void mlx5_set_pfc(struct fabric *f, struct lab_port *p, const uint32_t pfc[8]);
/* Whether the driver takes these buffers: of hosts that check them, those that keep what is lossless without loss. */
bool mlx5_takes_buffers(const struct fabric *f, const struct lab_port *p, const struct host_port *wanted);

#endif
