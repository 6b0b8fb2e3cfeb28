#include "remote/lab/linux/lldpctl.h"

#include <stdio.h>

void lldpctl_age(int64_t age_us, char out[24])
{
	unsigned s = (unsigned)(age_us / 1000000);

	snprintf(out, 24, "%u day%s, %02u:%02u:%02u", s / 86400, s / 86400 > 1 ? "s" : "", s / 3600 % 24, s / 60 % 60, s % 60);
}

void lldpctl_print(const char *interface, unsigned rid, const char *age, const struct neighbor *n, unsigned ttl_s, struct buf *out)
{
	buf_printf(out, "Interface:    %s, via: LLDP, RID: %u, Time: %s\n  Chassis:     \n    ChassisID:    mac %s\n", interface, rid, age,
		   n->chassis);
	if (n->name)
		buf_printf(out, "    SysName:      %s\n    SysDescr:     %s\n    Capability:   Bridge, on\n    Capability:   Router, on\n",
			   n->name, n->system);
	buf_printf(out, "  Port:        \n    PortID:       %s %s\n", n->port_type, n->port);
	if (*n->description)
		buf_printf(out, "    PortDescr:    %s\n", n->description);
	buf_printf(out, "    TTL:          %u\n" LLDPCTL_RULE, ttl_s);
}
