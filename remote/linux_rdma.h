/* What the parsers of RDMA tools share with the one of sysfs. */
#ifndef REMOTE_LINUX_RDMA_H
#define REMOTE_LINUX_RDMA_H

#include "core/obs.h"

/* A driver's counter by its name; false when no field is about it. */
bool rdma_counter(struct obs *o, uint16_t port, struct span name, struct span value);
/* "4: ACTIVE", "ACTIVE"; "Ethernet", "InfiniBand". */
void rdma_state(struct obs *o, uint16_t port, struct span value);
void rdma_layer(struct obs *o, uint16_t port, struct span value);
bool gid_is_ipv4(struct span gid);

#endif
