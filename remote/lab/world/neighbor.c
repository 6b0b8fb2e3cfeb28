#include "remote/lab/world/neighbor.h"

#include <stdio.h>

void neighbor_of(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	const struct lab_device *d = &f->devices[p->device];

	*n = (struct neighbor){ .name = d->name, .chassis = d->mac };
	snprintf(n->alias, sizeof(n->alias), "etp%u", p->number);
	snprintf(n->description, sizeof(n->description), "%s", p->name);
	switch (d->os) {
	case OS_LINUX:		/* lldpd: the port's MAC, and its name as the description */
		n->system = "Ubuntu 22.04.4 LTS Linux 5.15.0-91-generic #101-Ubuntu SMP x86_64";
		n->chassis = f->ports[d->first].mac;
		n->port_type = "mac";
		n->port = p->mac;
		break;
	case OS_OS10:
		n->system = "Dell SmartFabric OS10 Enterprise. Software version: 10.5.6.1";
		n->port_type = "ifname";
		n->port = p->name;
		break;
	case OS_SONIC:		/* the alias, as a local name */
		n->system = "SONiC Software Version: SONiC.202305.1-3d1a8c2 - HwSku: Accton-AS7726-32X";
		n->port_type = "local";
		n->port = n->alias;
		break;
	}
}
