/*
 * Dell SmartFabric OS10: the parsers of what its command line prints. Ports are called as the running configuration
 * calls them, "ethernet1/1/1:1", whatever the command printed ("Ethernet 1/1/1:1", "Eth 1/1/1:1").
 *
 * Each returns the facts it added; 0 means a reply it does not understand. A refused command ("% Error: …") makes the
 * facts it would have told unknown, with the device's words as the reason.
 */
#ifndef REMOTE_OS10_OS10_H
#define REMOTE_OS10_OS10_H

#include "remote/platform/platform.h"

#define OS10_STARTUP "show startup-configuration"	/* second command of the running-config probe */

size_t os10_version(const struct answer *a, struct obs *o);
size_t os10_running_config(const struct answer *a, struct obs *o);
size_t os10_interface(const struct answer *a, struct obs *o);
size_t os10_interface_status(const struct answer *a, struct obs *o);
size_t os10_queuing(const struct answer *a, struct obs *o);
size_t os10_queuing_wred(const struct answer *a, struct obs *o);
size_t os10_pfc_details(const struct answer *a, struct obs *o);
size_t os10_fdb(const struct answer *a, struct obs *o);
size_t os10_lldp_detail(const struct answer *a, struct obs *o);
size_t os10_xml(const struct answer *a, struct obs *o);

extern const struct platform os10_platform;
extern const struct dialect os10_dialect;
bool os10_is_it(struct span identification);

/* The one name of a physical data port; false for everything else (management, VLAN, port channel, noise). */
bool os10_port_name(struct span printed, char out[64]);
/* The port of obs for a printed name; OBS_DEVICE when it is none. */
uint16_t os10_port(struct obs *o, struct span printed);
/* The device's own words when it refused the command: a line that begins with "% Error". */
bool os10_refused(struct span text, char reason[128]);

#endif
