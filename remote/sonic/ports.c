/* Which names are front-panel ports. */
#include "remote/sonic/sonic.h"

uint16_t sonic_port(struct obs *o, struct span name)
{
	struct span number = name;
	uint64_t n;

	/* "Ethernet-BP4", "Ethernet-Rec0" are links inside the box */
	if (!span_skip(&number, "Ethernet") || number.n > 5 || !span_u64(number, &n))
		return OBS_DEVICE;
	return obs_port(o, name);
}
