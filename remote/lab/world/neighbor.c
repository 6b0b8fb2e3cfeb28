#include "remote/lab/world/neighbor.h"

#include <stdio.h>

#include "remote/lab/world/ages.h"
#include "remote/lab/world/skins.h"

void neighbor_of(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	const struct lab_device *d = &f->devices[p->device];

	*n = (struct neighbor){ .name = d->name, .chassis = d->mac };
	snprintf(n->description, sizeof(n->description), "%s", p->name);
	d->system->neighbor(f, p, n);
}

#define AGENT_TTL_S	48
#define AGENT		"ConnectX-7, 400GbE OSFP"

/* Without lldpd nobody speaks. */
static bool is_mute(const struct lab_device *host)
{
	return wears(host, SKIN_NO_LLDPCLI) || wears(host, SKIN_LLDPD_DOWN);
}

static bool is_unnamed(const struct fabric *f, const struct lab_port *p, const struct lab_port *far)
{
	return wears(port_device(f, p), SKIN_LLDP_UNNAMED) && port_is_host(f, far) && port_draw(f, p, "lldp unnamed") % 16 < 9;
}

bool switch_neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n, unsigned *ttl_s)
{
	const struct lab_device *d = port_device(f, p);
	const struct lab_port *far = port_peer(f, p);

	if (!far || (wears(d, SKIN_LLDP_DEAF) && port_draw(f, p, "lldp deaf") % 3 == 0) || is_mute(port_device(f, far)))
		return false;
	*ttl_s = LLDP_TTL_S;
	neighbor_of(f, far, n);
	if (!wears(port_device(f, far), SKIN_LLDP_EATEN) && !is_unnamed(f, p, far))
		return true;
	*ttl_s = AGENT_TTL_S;
	*n = (struct neighbor){ .chassis = far->mac, .port_type = "mac", .port = far->mac, .description = AGENT };
	return true;
}
