/* What a port says of itself by LLDP. */
#ifndef REMOTE_LAB_WORLD_NEIGHBOR_H
#define REMOTE_LAB_WORLD_NEIGHBOR_H

#include "remote/lab/world/fabric.h"

struct neighbor {
	const char *name, *chassis, *system;
	const char *port_type, *port;	/* "mac", "ifname", "local" */
	char description[40];
	char own[24];			/* room for a name that the system makes */
};

/* p: the far end of the cable. The texts are the fabric's, the system's and n's own. */
void neighbor_of(const struct fabric *f, const struct lab_port *p, struct neighbor *n);

#endif
