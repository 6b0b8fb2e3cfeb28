/* The ask functions of the check table, by the noun they are about. */
#ifndef CORE_JUDGE_CHECKS_H
#define CORE_JUDGE_CHECKS_H

#include "core/judge/predicate.h"

/* core/judge/checks_device.c: reaching a device, and its system */
void ask_device_reached(struct case_of *c);
void ask_answers_understood(struct case_of *c);
void ask_answers_in_time(struct case_of *c);
void ask_driver_ready(struct case_of *c);
void ask_modules_loaded(struct case_of *c);
void ask_memlock(struct case_of *c);
void ask_lldpad(struct case_of *c);
void ask_qos_kept(struct case_of *c);
void ask_tcp_ecn(struct case_of *c);
void ask_config_saved(struct case_of *c);

/* core/judge/checks_port.c: the port itself, RDMA on it, what it has in common with others */
void ask_rdma_known(struct case_of *c);
void ask_link_up(struct case_of *c);
void ask_rdma_hardware(struct case_of *c);
void ask_rdma_active(struct case_of *c);
void ask_gid_v2(struct case_of *c);
void ask_rdma_mtu(struct case_of *c);
void ask_dcbx(struct case_of *c);
void ask_bond_members(struct case_of *c);
void ask_tools_agree(struct case_of *c);
void ask_fleet_outlier(struct case_of *c);
void ask_firmware_outlier(struct case_of *c);
void ask_mtu_wanted(struct case_of *c);
void ask_rest_wanted(struct case_of *c);
void ask_firmware_wanted(struct case_of *c);

/* core/judge/checks_map.c: from the application's marking to the queue */
void ask_tos(struct case_of *c);
void ask_trust_wanted(struct case_of *c);
void ask_dscp_map_wanted(struct case_of *c);
void ask_prio_tc_wanted(struct case_of *c);
void ask_tc_queue_wanted(struct case_of *c);
void ask_best_effort_lossy(struct case_of *c);
void ask_iscsi_apart(struct case_of *c);
void ask_dcqcn_calm(struct case_of *c);
void ask_fec_same(struct case_of *c);
void ask_trust_same(struct case_of *c);
void ask_dscp_same(struct case_of *c);
void ask_cnp_lands(struct case_of *c);
/* The priority a DSCP gets at a port, and the queue of a priority there; what is not printed is the identity. */
bool map_priority(struct case_of *c, const struct port *p, unsigned dscp, uint64_t *prio);
bool map_class(struct case_of *c, const struct port *p, unsigned prio, uint64_t *tc);
bool map_queue(struct case_of *c, const struct port *p, unsigned prio, uint64_t *queue);

/* Whether a ToS is of a lossless class and can be marked; else the answer is no. by: what follows its number in words. */
/* Whether the NIC sends the ECN bits of the ToS as software hands them over; others may set ECT by themselves. */
bool port_sends_tos_as_is(const struct port *p);
bool tos_is_right(struct case_of *c, uint64_t tos, uint64_t wanted, const char *by);

/* core/judge/checks_application.c: the application, and what it needs of its host */
void ask_app_tos(struct case_of *c);
void ask_app_net(struct case_of *c);
void ask_app_gid(struct case_of *c);
void ask_app_gid_alike(struct case_of *c);
void ask_app_hcas(struct case_of *c);
void ask_app_gdr(struct case_of *c);
void ask_app_retries(struct case_of *c);
void ask_app_peer(struct case_of *c);
void ask_app_memory(struct case_of *c);
void ask_app_memlock(struct case_of *c);
void ask_app_warning(struct case_of *c);
void ask_app_bandwidth(struct case_of *c);
void ask_kernel_trouble(struct case_of *c);
void ask_pcie(struct case_of *c);
void ask_vf(struct case_of *c);

/* core/judge/checks_flow.c: PFC, link pause, scheduling */
void ask_pfc_on(struct case_of *c);
void ask_pfc_only(struct case_of *c);
void ask_pfc_queue(struct case_of *c);
void ask_buffer_shared(struct case_of *c);
void ask_link_pause(struct case_of *c);
void ask_headroom(struct case_of *c);
void ask_watchdog(struct case_of *c);
void ask_ets_sum(struct case_of *c);
void ask_ets_cnp(struct case_of *c);
void ask_ets_wanted(struct case_of *c);
void ask_pfc_same(struct case_of *c);

/* core/judge/checks_ecn.c: marking, CNPs */
void ask_ecn_on(struct case_of *c);
void ask_ecn_sane(struct case_of *c);
void ask_ecn_before_pfc(struct case_of *c);
void ask_ecn_wanted(struct case_of *c);
void ask_np(struct case_of *c);
void ask_rp(struct case_of *c);
void ask_cnp_mark(struct case_of *c);

/* core/judge/checks_link.c: the cable and what stands at its ends */
void ask_cables_swapped(struct case_of *c);
void ask_planned_cables_known(struct case_of *c);
void ask_cabled_as_planned(struct case_of *c);
void ask_far_end(struct case_of *c);
void ask_speed_capable(struct case_of *c);
void ask_speed_same(struct case_of *c);
void ask_mtu_fits(struct case_of *c);
/* Whether frames of that size hold the packets that the policy wants of hosts. */
bool takes_host_packets(const struct case_of *c, uint64_t switch_mtu);

/* core/judge/checks_pause.c: what both ends of a cable count of the same frames */
void ask_pause_counted(struct case_of *c);
void ask_deadlock(struct case_of *c);

/* core/judge/checks_live.c: what moves */
void ask_storm(struct case_of *c);
void ask_slow_receiver(struct case_of *c);
void ask_paused(struct case_of *c);
void ask_pausing(struct case_of *c);
void ask_watchdog_fired(struct case_of *c);
void ask_storm_ended(struct case_of *c);
void ask_storms_past(struct case_of *c);
void ask_drops(struct case_of *c);
void ask_wire(struct case_of *c);
void ask_cnp_ignored(struct case_of *c);
void ask_marks_answered(struct case_of *c);
void ask_marks_arrive(struct case_of *c);
void ask_cnp_loop(struct case_of *c);
void ask_link_pause_frames(struct case_of *c);
void ask_other_priority_paused(struct case_of *c);
void ask_gaps(struct case_of *c);

/* core/judge/checks_counters.c: counters that count nothing */
void ask_counters_move(struct case_of *c);

/* core/judge/checks_balance.c: what moves, weighed against what else moves */
void ask_roce_in_class(struct case_of *c);
void ask_class_kept(struct case_of *c);
void ask_ecn_balance(struct case_of *c);
void ask_uplinks(struct case_of *c);
void ask_ber(struct case_of *c);
void ask_memory(struct case_of *c);
void ask_acks(struct case_of *c);

#endif
