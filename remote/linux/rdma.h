/* What the parsers of RDMA tools share with the one of sysfs. */
#ifndef REMOTE_LINUX_RDMA_H
#define REMOTE_LINUX_RDMA_H

#include "core/model/obs.h"

/* A driver's counter by its name; false when no field is about it. */
bool rdma_counter(struct obs *o, uint16_t port, struct span name, struct span value);
/* "4: ACTIVE", "ACTIVE"; "Ethernet", "InfiniBand". */
void rdma_state(struct obs *o, uint16_t port, struct span value);
void rdma_layer(struct obs *o, uint16_t port, struct span value);
/* Whether it is a GID at all. */
bool gid_is_text(struct span gid);
/* Of an address that a person or a network gave: IPv4, or IPv6 that is not link-local. */
bool gid_is_address(struct span gid);

#endif
