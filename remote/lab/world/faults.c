#include "remote/lab/world/faults.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/world/fault_sets.h"
#include "remote/lab/world/faults_job.h"

/* ---- settings of a switch port, whatever system it runs ---- */

void switch_line(struct fabric *f, const struct lab_port *p, const char *key, const char *line)
{
	struct dell_config *c = port_device(f, p)->dell;
	char header[64];

	snprintf(header, sizeof(header), "interface %s", p->name);
	dell_put(c, header, NULL, key, line);
}

bool switch_is_dell(const struct fabric *f, const struct lab_port *p)
{
	return f->devices[p->device].os == OS_OS10;
}

static bool is_host(const struct fabric *f, const struct lab_port *p)
{
	return f->devices[p->device].os == OS_LINUX;
}

/* A class of the port's own for each priority: a class pauses by the number of its qos-group, whatever else it lists. */
static void dell_pfc_classes(struct dell_config *c, const struct lab_port *p, const char *policy, const char *priorities)
{
	for (char prio = '0'; prio <= '7'; prio++) {
		char map[64], class[48], line[32];

		snprintf(class, sizeof(class), "class NQ%c-%u", prio, p->number);
		snprintf(map, sizeof(map), "class-map type network-qos NQ%c-%u", prio, p->number);
		dell_remove(c, map);
		if (!strchr(priorities, prio))
			continue;
		snprintf(line, sizeof(line), "match qos-group %c", prio);
		dell_put(c, map, NULL, "match qos-group", line);
		snprintf(line, sizeof(line), "pfc-cos %c", prio);
		dell_put(c, policy, class, "pause", "pause");
		dell_put(c, policy, class, "pfc-cos", line);
	}
}

/* A lossless priority has a priority group of its own, with a lossless buffer, and the watchdog's eye. */
static void sonic_pfc(json_t *db, const struct lab_port *p, const char *priorities)
{
	static const char *const table = "TC_TO_PRIORITY_GROUP_MAP";
	bool is_own = *priorities && strcmp(priorities, "3");
	char name[32], key[64];

	snprintf(name, sizeof(name), "ROCE_%u", p->number);
	confdb_set(db, "PORT_QOS_MAP", p->name, "tc_to_pg_map", "ROCE");
	json_object_del(json_object_get(db, table), name);
	if (is_own)
		json_object_set_new(json_object_get(db, table), name,
				    json_deep_copy(confdb_map(db, p->name, "tc_to_pg_map", table)));
	for (char prio[] = "1"; *prio <= '7'; ++*prio) {
		if (*prio == '3')
			continue;
		snprintf(key, sizeof(key), "%s|%s", p->name, prio);
		if (strstr(priorities, prio)) {
			confdb_set(db, table, name, prio, prio);
			confdb_set(db, "BUFFER_PG", key, "profile", "pg_lossless_profile");
		} else {
			json_object_del(json_object_get(db, "BUFFER_PG"), key);
		}
	}
	if (is_own)
		confdb_set(db, "PORT_QOS_MAP", p->name, "tc_to_pg_map", name);
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfcwd_sw_enable", is_own ? priorities : "3");
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfc_enable", priorities);
}

void switch_pfc(struct fabric *f, struct lab_port *p, const char *priorities)
{
	char policy[96], line[96];
	struct dell_config *c = port_device(f, p)->dell;
	bool is_usual = !strcmp(priorities, "3");

	if (!switch_is_dell(f, p))
		return sonic_pfc(port_device(f, p)->sonic, p, priorities);
	if (!*priorities) {
		switch_line(f, p, "priority-flow-control mode", "priority-flow-control mode off");
		return;
	}
	switch_line(f, p, "priority-flow-control mode", "priority-flow-control mode on");
	snprintf(policy, sizeof(policy), "policy-map type network-qos pfc-%u", p->number);
	snprintf(line, sizeof(line), "service-policy input type network-qos pfc-%u", p->number);
	switch_line(f, p, "service-policy input", is_usual ? "service-policy input type network-qos rdma-pfc" : line);
	dell_remove(c, policy);
	dell_pfc_classes(c, p, policy, is_usual ? "" : priorities);
}

static void dell_wred(struct fabric *f, struct lab_port *p, struct wred wred)
{
	static const char *const shares[] = { "Q0", "20", "Q3", "60", "Q4", "10", "Q6", "10" };
	struct dell_config *c = port_device(f, p)->dell;
	char profile[64], policy[96], line[128];

	snprintf(profile, sizeof(profile), "wred wred-%u", p->number);
	snprintf(policy, sizeof(policy), "policy-map type queuing ets-%u", p->number);
	if (wred.usual) {
		switch_line(f, p, "service-policy output", "service-policy output type queuing rdma-ets");
		dell_remove(c, policy);
		dell_remove(c, profile);
		return;
	}
	for (size_t i = 0; i < 8; i += 2) {
		char class[32];

		snprintf(class, sizeof(class), "class %s", shares[i]);
		snprintf(line, sizeof(line), "bandwidth percent %s", shares[i + 1]);
		dell_put(c, policy, class, "bandwidth percent", line);
	}
	if (wred.min_kb) {
		snprintf(line, sizeof(line), "random-detect color green minimum-threshold %u maximum-threshold %u "
			 "drop-probability %u", wred.min_kb, wred.max_kb, wred.max_pct);
		dell_put(c, profile, NULL, "random-detect color", line);
		dell_put(c, profile, NULL, "random-detect ecn", "random-detect ecn");
		snprintf(line, sizeof(line), "random-detect wred-%u", p->number);
		dell_put(c, policy, "class Q3", "random-detect", line);
	}
	snprintf(line, sizeof(line), "service-policy output type queuing ets-%u", p->number);
	switch_line(f, p, "service-policy output", line);
}

static void sonic_wred(struct fabric *f, struct lab_port *p, struct wred wred)
{
	json_t *db = port_device(f, p)->sonic;
	char key[64], profile[48], text[16];

	snprintf(key, sizeof(key), "%s|3", p->name);
	snprintf(profile, sizeof(profile), "ROCE_%u", p->number);
	confdb_set(db, "QUEUE", key, "wred_profile", wred.usual ? "ROCE_LOSSLESS" : wred.min_kb ? profile : NULL);
	json_object_del(json_object_get(db, "WRED_PROFILE"), profile);
	if (wred.usual || !wred.min_kb)
		return;
	confdb_set(db, "WRED_PROFILE", profile, "ecn", "ecn_all");
	confdb_set(db, "WRED_PROFILE", profile, "wred_green_enable", "true");
	snprintf(text, sizeof(text), "%u", wred.min_kb * 1000);
	confdb_set(db, "WRED_PROFILE", profile, "green_min_threshold", text);
	snprintf(text, sizeof(text), "%u", wred.max_kb * 1000);
	confdb_set(db, "WRED_PROFILE", profile, "green_max_threshold", text);
	snprintf(text, sizeof(text), "%u", wred.max_pct);
	confdb_set(db, "WRED_PROFILE", profile, "green_drop_probability", text);
}

void switch_wred(struct fabric *f, struct lab_port *p, struct wred wred)
{
	if (switch_is_dell(f, p))
		dell_wred(f, p, wred);
	else
		sonic_wred(f, p, wred);
}

/* DSCP 26 goes to class 0 at this port alone. */
static void switch_dscp(struct fabric *f, struct lab_port *p, bool on)
{
	struct lab_device *d = port_device(f, p);
	char name[48], header[80], line[80];

	if (!switch_is_dell(f, p)) {
		snprintf(name, sizeof(name), "ROCE_%u", p->number);
		confdb_set(d->sonic, "PORT_QOS_MAP", p->name, "dscp_to_tc_map", on ? name : "ROCE");
		if (on) {
			json_object_set_new(json_object_get(d->sonic, "DSCP_TO_TC_MAP"), name,
					    json_deep_copy(confdb_map(d->sonic, p->name, "tc_to_queue_map", "TC_TO_QUEUE_MAP")));
			for (unsigned i = 0; i < 64; i++) {
				snprintf(line, sizeof(line), "%u", i);
				confdb_set(d->sonic, "DSCP_TO_TC_MAP", name, line, i == 24 ? "3" : i == 48 ? "6" : "0");
			}
		} else
			json_object_del(json_object_get(d->sonic, "DSCP_TO_TC_MAP"), name);
		return;
	}
	snprintf(header, sizeof(header), "trust dscp-map dscp-%u", p->number);
	if (!on) {
		switch_line(f, p, "trust-map dscp", "trust-map dscp rdma-dscp");
		dell_remove(d->dell, header);
		return;
	}
	dell_put(d->dell, header, NULL, "qos-group 0", "qos-group 0 dscp 0-23,25-47,49-63");
	dell_put(d->dell, header, NULL, "qos-group 3", "qos-group 3 dscp 24");
	dell_put(d->dell, header, NULL, "qos-group 6", "qos-group 6 dscp 48");
	snprintf(line, sizeof(line), "trust-map dscp dscp-%u", p->number);
	switch_line(f, p, "trust-map dscp", line);
}

/* ---- the faults ---- */

static void trust_pcp(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.trust = on ? TRUST_PCP : TRUST_DSCP;
}

static void pfc_off_host(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.pfc[3] = !on;
}

static void pfc_off_switch(struct fabric *f, struct lab_port *p, bool on)
{
	switch_pfc(f, p, on ? "" : "3");
}

static void pfc_extra(struct fabric *f, struct lab_port *p, bool on)
{
	if (is_host(f, p))
		p->nic.pfc[5] = on;
	else
		switch_pfc(f, p, on ? "3,5" : "3");
}

static void ecn_off_switch(struct fabric *f, struct lab_port *p, bool on)
{
	switch_wred(f, p, (struct wred){ .usual = !on });
}

static void kmin_over_xoff(struct fabric *f, struct lab_port *p, bool on)
{
	switch_wred(f, p, (struct wred){ 9000, 12000, 100, !on });
}

static void np_off(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.np[3] = !on;
}

static void rp_off(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.rp[3] = !on;
}

static void dscp_map_lossy(struct fabric *f, struct lab_port *p, bool on)
{
	if (is_host(f, p))
		p->nic.dscp_prio[26] = on ? 0 : 3;
	else
		switch_dscp(f, p, on);
}

static void cnp_dscp_wrong(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.cnp_dscp = on ? 0 : 48;
}

static void ets_starved_cnp(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.share_pct[6] = on ? 1 : 10;
	p->nic.share_pct[0] = on ? 29 : 20;
}

static void mtu_small_switch(struct fabric *f, struct lab_port *p, bool on)
{
	if (switch_is_dell(f, p))
		switch_line(f, p, "mtu", on ? NULL : "mtu 9216");
	else
		confdb_set(port_device(f, p)->sonic, "PORT", p->name, "mtu", on ? "1500" : "9194");
}

/* The cables of this port and of the node's next one (or of the next node's) are swapped; twice is as before. */
static void miswire(struct fabric *f, struct lab_port *p, bool on)
{
	const struct lab_device *d = port_device(f, p);
	struct lab_port *q = p->number < d->n ? p + 1 : d->n > 1 ? p - 1 : &f->ports[(p - f->ports + 1) % f->n_ports];
	struct lab_port *far_p = port_peer(f, p), *far_q = port_peer(f, q);

	(void)on;
	if (!far_p || !far_q || far_p == q)
		return;
	fabric_cable(f, p, NULL);
	fabric_cable(f, q, NULL);
	fabric_cable(f, p, far_q);
	fabric_cable(f, q, far_p);
}

static void slow_receiver(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.drain_bps = on ? p->speed_bps * 0.25 : 0;
}

static void pause_storm(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.is_storming = on;
}

static void bad_cable(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->harm.frame_error = on ? 1e-3 : 0;
}

static void tos_104(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.tos_force = p->nic.tos_cma = on ? 104 : 106;
}

/* Link pause switched on takes the place of PFC in the NIC. */
static void global_pause(struct fabric *f, struct lab_port *p, bool on)
{
	(void)f;
	p->nic.pause_rx = p->nic.pause_tx = on;
	p->nic.pfc[3] = !on;
}

static void bond_member_unset(struct fabric *f, struct lab_port *p, bool on)
{
	struct host_port right;

	(void)f;
	host_port_lossless(&right);
	p->nic.trust = on ? TRUST_PCP : right.trust;
	p->nic.pfc[3] = on ? 0 : right.pfc[3];
}

static void host_unreachable(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->is_unreachable = on;
}

static void slow_host(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->is_slow = on;
}

static void garbage_output(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->is_garbled = on;
}

const struct fault fault_table[] = {
	{ "trust-pcp",		AT_HOST,   trust_pcp,	"the NIC trusts PCP: untagged RoCE goes to priority 0" },
	{ "pfc-off-host",	AT_HOST,   pfc_off_host, "PFC is off for priority 3 at the NIC" },
	{ "pfc-off-switch",	AT_SWITCH, pfc_off_switch, "PFC is off at the switch port" },
	{ "pfc-extra-prio",	AT_HOST_OR_SWITCH, pfc_extra, "PFC is on for priority 5 too, at one end" },
	{ "ecn-off-switch",	AT_SWITCH, ecn_off_switch, "the switch queue does not mark: pause instead of CNPs" },
	{ "np-off",		AT_HOST,   np_off,	"the receiver does not answer marks with CNPs" },
	{ "rp-off",		AT_HOST,   rp_off,	"the sender does not obey CNPs" },
	{ "kmin-over-xoff",	AT_SWITCH, kmin_over_xoff, "marking begins after pause: Kmin 9000 KB" },
	{ "dscp-map-lossy",	AT_HOST_OR_SWITCH, dscp_map_lossy, "DSCP 26 lands in the lossy class 0" },
	{ "cnp-dscp-wrong",	AT_HOST,   cnp_dscp_wrong, "CNPs leave with DSCP 0 and wait behind everything" },
	{ "ets-starved-cnp",	AT_HOST,   ets_starved_cnp, "the CNPs' class has 1 % of the bandwidth" },
	{ "mtu-small-switch",	AT_SWITCH, mtu_small_switch, "the switch port's MTU is for 1500-byte packets" },
	{ "miswire",		AT_HOST,   miswire,	"two cables of the node are swapped" },
	{ "slow-receiver",	AT_HOST,   slow_receiver, "the host's memory takes a quarter of the line rate" },
	{ "pause-storm",	AT_HOST,   pause_storm,	"the NIC sends pause without end" },
	{ "bad-cable",		AT_HOST,   bad_cable,	"one frame in a thousand arrives damaged" },
	{ "tos-104",		AT_HOST,   tos_104,	"RoCE leaves as Not-ECT: dropped where it should be marked" },
	{ "global-pause",	AT_HOST,   global_pause, "802.3x link pause is on instead of PFC" },
	{ "bond-member-unset",	AT_HOST,   bond_member_unset, "the second member of bond0 was never set up" },
	{ "nccl-tc-unset",	AT_DEVICE_HOST, fault_nccl_tc_unset, "NCCL_IB_TC is not set and no ToS forced: RoCE leaves with ToS 0" },
	{ "nccl-socket",	AT_DEVICE_HOST, fault_nccl_socket, "NCCL_IB_DISABLE=1: the job goes over TCP" },
	{ "gid-index-v1",	AT_DEVICE_HOST, fault_gid_index_v1, "NCCL_IB_GID_INDEX names a RoCE v1 entry" },
	{ "memlock-low",	AT_DEVICE_HOST, fault_memlock_low, "the job may lock 64 KiB of memory" },
	{ "soft-roce",		AT_HOST,   fault_soft_roce, "the RDMA device of the port is a soft one" },
	{ "gpudirect-missing",	AT_DEVICE_HOST, fault_gpudirect_missing, "nvidia_peermem is not loaded: GPU memory is reached through the host's" },
	{ "driver-not-ready",	AT_DEVICE_HOST, fault_driver_not_ready, "the containerised driver has not said that it is ready" },
	{ "vf-unset",		AT_HOST,   fault_vf_unset, "no virtual function was made on the port" },
	{ "pcie-degraded",	AT_HOST,   fault_pcie_degraded, "the NIC's PCIe link is slower than its port" },
	{ "nccl-retry-errors",	AT_DEVICE_HOST, fault_nccl_retries, "the job's log holds completions with retries exceeded" },
	{ "link-down",		AT_HOST,   host_link_down, "the host's interface is down" },
	{ "port-shut",		AT_SWITCH, switch_shut,	"the switch port is shut" },
	{ "no-address",		AT_HOST,   host_no_address, "the interface has no IPv4 address: no RoCE v2 GID of it" },
	{ "mtu-small-host",	AT_HOST,   host_mtu_small, "the host's MTU is 1500" },
	{ "tos-0",		AT_HOST,   host_tos_0,	"RoCE leaves with ToS 0: unmarked, in the lossy class" },
	{ "trust-off-switch",	AT_SWITCH, switch_trust_off, "the switch port has no DSCP map: everything goes to class 0" },
	{ "cnp-map-lossy",	AT_HOST,   host_cnp_map, "the NIC puts DSCP 48 into priority 0" },
	{ "best-effort-lossless", AT_HOST, host_best_effort, "unmarked traffic is in the lossless priority" },
	{ "iscsi-in-roce",	AT_HOST,   host_iscsi,	"DSCP 4, iSCSI's, is in RoCE's priority" },
	{ "prio-tc-wrong",	AT_HOST,   host_prio_tc, "priority 3 is in traffic class 0" },
	{ "queue-map-wrong",	AT_SWITCH, switch_queue_map, "class 3 leaves by queue 0, without ECN" },
	{ "pfc-queue-wrong",	AT_SONIC,  switch_pfc_queue, "pause of priority 3 stops queue 4" },
	{ "pfc-wrong-host",	AT_HOST,   host_pfc_wrong, "PFC is on for priority 4 in the place of 3" },
	{ "pfc-wrong-switch",	AT_SWITCH, switch_pfc_wrong, "PFC is on for priority 4 in the place of 3" },
	{ "link-pause-switch",	AT_OS10,   switch_link_pause, "802.3x link pause is on at the switch port" },
	{ "ecn-weak",		AT_SWITCH, switch_ecn_weak, "at Kmax one packet in a hundred is marked" },
	{ "ecn-early",		AT_SWITCH, switch_ecn_early, "marking begins at 5 KB: throughput suffers" },
	{ "dcqcn-aggressive",	AT_HOST,   host_dcqcn,	"the NIC raises its rate by 1 Gb/s a step" },
	{ "ets-sum-wrong",	AT_HOST,   host_ets_sum, "the bandwidth shares add up to 80 %" },
	{ "ets-starved-roce",	AT_HOST,   host_ets_roce, "the RoCE class has 10 % of the bandwidth" },
	{ "buffer-shared",	AT_HOST,   host_buffer_shared, "priority 0 fills the lossless receive buffer too" },
	{ "watchdog-off",	AT_SONIC,  switch_watchdog_off, "the port's PFC watchdog is off" },
	{ "dcbx-firmware",	AT_HOST,   host_dcbx_firmware, "the NIC's firmware negotiates DCB" },
	{ "config-unsaved",	AT_DEVICE_SWITCH, switch_unsaved, "the running configuration was not saved" },
	{ "module-missing",	AT_DEVICE_HOST, host_module_missing, "ib_uverbs is not loaded" },
	{ "host-unreachable",	AT_DEVICE, host_unreachable, "connections are refused" },
	{ "slow-host",		AT_DEVICE, slow_host,	"the first byte comes after 3 s, then one at a time" },
	{ "garbage-output",	AT_DEVICE, garbage_output, "noise and binary in everything it prints" },
};
const size_t fault_count = sizeof(fault_table) / sizeof(*fault_table);

/* ---- adding and clearing ---- */

void faults_done(struct faults *faults)
{
	free(faults->list);
	*faults = (struct faults){ NULL };
}

static bool fits(const struct fabric *f, const struct fault *fault, const struct lab_port *p)
{
	if (fault->set == bond_member_unset)
		return p->is_member && p->number == 2;
	switch (fault->place) {
	case AT_HOST:
	case AT_DEVICE_HOST:
		return is_host(f, p);
	case AT_SWITCH:
	case AT_DEVICE_SWITCH:
		return !is_host(f, p);
	case AT_OS10:
		return switch_is_dell(f, p);
	case AT_SONIC:
		return f->devices[p->device].os == OS_SONIC;
	default:
		return true;
	}
}

/* The named port; or the first that fits, for a switch's faults the one that faces the first host port. */
static struct lab_port *find_place(struct fabric *f, const struct fault *fault, struct span place, struct err *err)
{
	struct span device = place, port = { NULL, 0 };
	struct lab_device *d;
	struct lab_port *p;

	if (!place.n) {
		for (size_t i = 0; i < f->n_ports; i++) {
			p = &f->ports[i];
			if (is_host(f, p) && p->peer >= 0 && !fits(f, fault, p) && fits(f, fault, port_peer(f, p)))
				return port_peer(f, p);
			if (fits(f, fault, p))
				return p;
		}
		err_set(err, "%s: nothing here that it could befall%s", fault->name,
			fault->set == bond_member_unset ? " (start the lab with --bond)" : "");
		return NULL;
	}
	span_cut(place, ':', &device, &port);
	d = fabric_device(f, device);
	p = !d || !d->n ? NULL : port.n ? fabric_port(f, d, port) : &f->ports[d->first];
	if (p && fits(f, fault, p))
		return p;
	err_set(err, "%s: %.*s is not a place for it", fault->name, (int)place.n, place.p);
	return NULL;
}

static const struct fault *find_fault(struct span name, struct err *err)
{
	for (size_t i = 0; i < fault_count; i++)
		if (span_is(name, fault_table[i].name))
			return &fault_table[i];
	err_set(err, "%.*s: no such fault; fabcon-lab --help lists them", (int)name.n, name.p);
	return NULL;
}

/* A fault is as if somebody had configured it and saved; but for the one that is not saved. */
static void set_fault(struct fabric *f, const struct fault *fault, struct lab_port *p, bool on)
{
	struct lab_device *d = port_device(f, p);
	bool was_saved = d->os != OS_OS10 || dell_config_is_saved(d->dell);

	fault->set(f, p, on);
	if (d->os == OS_OS10 && was_saved && fault->place < AT_DEVICE)
		dell_config_save(d->dell);
	if (d->os == OS_SONIC && fault->place < AT_DEVICE) {
		json_decref(d->sonic_saved);
		d->sonic_saved = json_deep_copy(d->sonic);
	}
	fabric_refresh(f, d);
}

bool fault_add(struct faults *faults, struct fabric *f, const char *text, struct lab_device **device, struct err *err)
{
	struct span name = span_of(text), place = { NULL, 0 };
	const struct fault *fault;
	struct lab_port *p;
	struct fault_on *on;

	span_cut(span_of(text), '@', &name, &place);
	fault = find_fault(name, err);
	p = fault ? find_place(f, fault, place, err) : NULL;
	if (!p)
		return false;
	for (size_t i = 0; i < faults->n; i++)
		if (faults->list[i].fault == fault && faults->list[i].port == p - f->ports)
			return err_set(err, "%s is there already", text);
	on = GROW(faults->list, faults->n, faults->cap);
	faults->n++;
	*on = (struct fault_on){ fault, p - f->ports };
	set_fault(f, fault, p, true);
	if (device)
		*device = port_device(f, p);
	return true;
}

bool fault_clear(struct faults *faults, struct fabric *f, const char *text, struct err *err)
{
	struct span name = span_of(text), place = { NULL, 0 };
	size_t kept = 0, n = faults->n;
	const struct fault *fault = NULL;
	const struct lab_port *p = NULL;

	span_cut(span_of(text), '@', &name, &place);
	if (!span_is(name, "all")) {
		fault = find_fault(name, err);
		if (!fault || (place.n && !(p = find_place(f, fault, place, err))))
			return false;
	}
	for (size_t i = 0; i < n; i++) {
		struct fault_on on = faults->list[i];

		if ((fault && on.fault != fault) || (p && on.port != p - f->ports))
			faults->list[kept++] = on;
		else
			set_fault(f, on.fault, &f->ports[on.port], false);
	}
	faults->n = kept;
	return kept < n || !fault || err_set(err, "%s is not on", text);
}

void fault_list(const struct faults *faults, const struct fabric *f, struct buf *out)
{
	for (size_t i = 0; i < faults->n; i++) {
		const struct fault_on *on = &faults->list[i];
		const struct lab_port *p = &f->ports[on->port];

		if (on->fault->place >= AT_DEVICE)
			buf_printf(out, "%s@%s\n", on->fault->name, f->devices[p->device].name);
		else
			buf_printf(out, "%s@%s:%s\n", on->fault->name, f->devices[p->device].name, p->name);
	}
}

void fault_garble(struct buf *out, const void *bytes, size_t n)
{
	static uint32_t draw = 1;
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = p[i];

		draw = draw * 1664525u + 1013904223u;
		if (draw >> 28 == 0)
			c = draw >> 16;
		if (c == '\n' && draw >> 30)
			c = '\0';
		buf_add(out, &c, 1);
	}
}
