/* How the faults of faults.c's table are made, where they are not made there; and what setting a switch port takes. */
#ifndef REMOTE_LAB_WORLD_FAULT_SETS_H
#define REMOTE_LAB_WORLD_FAULT_SETS_H

#include "remote/lab/world/fabric.h"

/* A line of an OS10 port's block; line NULL: what begins with key goes. */
void switch_line(struct fabric *f, const struct lab_port *p, const char *key, const char *line);
bool switch_is_dell(const struct fabric *f, const struct lab_port *p);
/* PFC of these priorities alone: "3", "3,5", "". */
void switch_pfc(struct fabric *f, struct lab_port *p, const char *priorities);

/* The port's own WRED profile of the RoCE queue; min_kb 0: none. usual: the fabric's again. */
struct wred {
	unsigned min_kb, max_kb, max_pct;
	bool usual;
};
void switch_wred(struct fabric *f, struct lab_port *p, struct wred wred);

/* Of hosts (fault_host.c) */
void host_link_down(struct fabric *f, struct lab_port *p, bool on);
void host_pfc_wrong(struct fabric *f, struct lab_port *p, bool on);
void host_prio_tc(struct fabric *f, struct lab_port *p, bool on);
void host_cnp_map(struct fabric *f, struct lab_port *p, bool on);
void host_best_effort(struct fabric *f, struct lab_port *p, bool on);
void host_iscsi(struct fabric *f, struct lab_port *p, bool on);
void host_dcqcn(struct fabric *f, struct lab_port *p, bool on);
void host_tos_0(struct fabric *f, struct lab_port *p, bool on);
void host_ets_sum(struct fabric *f, struct lab_port *p, bool on);
void host_ets_roce(struct fabric *f, struct lab_port *p, bool on);
void host_mtu_small(struct fabric *f, struct lab_port *p, bool on);
void host_buffer_shared(struct fabric *f, struct lab_port *p, bool on);
void host_dcbx_firmware(struct fabric *f, struct lab_port *p, bool on);
void host_module_missing(struct fabric *f, struct lab_port *p, bool on);
void host_no_address(struct fabric *f, struct lab_port *p, bool on);

/* Of switches (fault_switch.c) */
void switch_shut(struct fabric *f, struct lab_port *p, bool on);
void switch_trust_off(struct fabric *f, struct lab_port *p, bool on);
void switch_pfc_wrong(struct fabric *f, struct lab_port *p, bool on);
void switch_ecn_weak(struct fabric *f, struct lab_port *p, bool on);
void switch_ecn_early(struct fabric *f, struct lab_port *p, bool on);
void switch_queue_map(struct fabric *f, struct lab_port *p, bool on);
void switch_pfc_queue(struct fabric *f, struct lab_port *p, bool on);
void switch_watchdog_off(struct fabric *f, struct lab_port *p, bool on);
void switch_link_pause(struct fabric *f, struct lab_port *p, bool on);
void switch_unsaved(struct fabric *f, struct lab_port *p, bool on);

#endif
