/* Cumulus Linux: what it is asked, and how an MTU is set by its NVUE commands. */
#ifndef REMOTE_CUMULUS_CUMULUS_H
#define REMOTE_CUMULUS_CUMULUS_H

#include "remote/platform/platform.h"

#define CUMULUS_HEADERS	(14 + 4 + 4)	/* Ethernet, FCS, VLAN tag: NVUE's MTU is without them */

extern const struct platform cumulus_platform;
extern const struct dialect cumulus_dialect;

/* "nv set interface PORT link mtu N"; false for another line. */
bool cumulus_mtu_line(struct span line, struct span *port, uint64_t *mtu);

#endif
