/* How many ports of a device are the fabric's, and what else goes by the name of a port. */
#ifndef CORE_FABRIC_PORT_COUNT_H
#define CORE_FABRIC_PORT_COUNT_H

#include "core/fabric/link.h"

struct port_count {
	size_t ports;		/* of a host: with RDMA, or where that is not known; of a switch: all */
	size_t vfs, representors, bonds, soft, infiniband;
	size_t bare;		/* RDMA devices whose interface is not known: soft-iWARP's, and of cards whose interface is elsewhere */
	size_t bare_iwarp;	/* and those that are iWARP */
	size_t iwarp;		/* interfaces with iWARP */
	size_t others;		/* interfaces of which no RDMA device is known */
};

void port_count(struct port_count *n, const struct device *d, const struct links *links, const struct inventory *inv);
/* "300 VFs, 8 representors": what ports leaves out; nothing when that is nothing. */
void port_count_words(const struct port_count *n, struct buf *out);

#endif
