/* What a port says of itself by LLDP. */
#ifndef REMOTE_LAB_WORLD_NEIGHBOR_H
#define REMOTE_LAB_WORLD_NEIGHBOR_H

#include "remote/lab/world/fabric.h"

struct neighbor {
	const char *name, *chassis, *system;
	const char *port_type, *port;	/* "mac", "ifname", "local" */
	char description[40];
	char own[24], about[96];	/* room for a name and a description that the system makes */
};

/* p: the far end of the cable. The texts are the fabric's, the system's and n's own. */
void neighbor_of(const struct fabric *f, const struct lab_port *p, struct neighbor *n);

/*
 * What a switch's port has heard: the neighbor and its TTL; false: nothing. In some skins not every host says its name: the
 * agent of its NIC speaks instead, with the port's MAC alone.
 */
bool switch_neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n, unsigned *ttl_s);

#endif
