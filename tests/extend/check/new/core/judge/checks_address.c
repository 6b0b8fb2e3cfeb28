#include "core/judge/checks_address.h"

/* The second bit of the first octet says that the address is locally administered (IEEE 802). */
static bool is_local(const char *mac)
{
	return mac[0] && strchr("2367abef", mac[1]);
}

void ask_address_made(struct case_of *c)
{
	const struct cell *mac = port_cell(c->port, FIELD_MAC, 0);

	if (!mac || mac->value.is != VALUE_KNOWN)
		return ask_lost(c, "its MAC address is not reported");
	ask_cite(c, c->port, FIELD_MAC, 0);
	if (!is_local(mac->value.text))
		return ask_ok(c);
	ask_no(c, "%.17s is locally administered", mac->value.text);
}
