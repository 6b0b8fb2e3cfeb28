/*
 * SONiC (community): the parsers of what its show commands and its CONFIG_DB print. Ports keep their own names,
 * "Ethernet0"; the second name is the alias. Each returns the facts it added; 0 means a reply it does not understand.
 */
#ifndef REMOTE_SONIC_SONIC_H
#define REMOTE_SONIC_SONIC_H

#include "remote/platform/platform.h"

#define SONIC_SAVED_MARK "--- /etc/sonic/config_db.json"	/* between the running and the saved configuration */

extern const struct platform sonic_platform;
extern const struct dialect sonic_dialect;

size_t sonic_version(const struct answer *a, struct obs *o);
size_t sonic_config(const struct answer *a, struct obs *o);
size_t sonic_pfc_counters(const struct answer *a, struct obs *o);
size_t sonic_pfc_history(const struct answer *a, struct obs *o);
size_t sonic_pfc_priority(const struct answer *a, struct obs *o);
size_t sonic_pfcwd_config(const struct answer *a, struct obs *o);
size_t sonic_pfcwd_stats(const struct answer *a, struct obs *o);
size_t sonic_queue_counters(const struct answer *a, struct obs *o);
size_t sonic_queue_wred(const struct answer *a, struct obs *o);
size_t sonic_queue_watermark(const struct answer *a, struct obs *o);
size_t sonic_pg_watermark(const struct answer *a, struct obs *o);
size_t sonic_pg_drop(const struct answer *a, struct obs *o);
size_t sonic_interfaces_counters(const struct answer *a, struct obs *o);
size_t sonic_interfaces_status(const struct answer *a, struct obs *o);
size_t sonic_fdb(const struct answer *a, struct obs *o);
size_t sonic_lldp_table(const struct answer *a, struct obs *o);

/* The port of obs for a front-panel port; OBS_DEVICE for management, port channels, inner links and noise. */
uint16_t sonic_port(struct obs *o, struct span name);
/* Bytes of the whole frame that a port lets through, from the MTU that SONiC is configured with. */
uint64_t sonic_frame_bytes(uint64_t mtu);

#endif
