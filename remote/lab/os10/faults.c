/* The faults of a switch as an OS10 configuration has them: lines of the port's block, and objects of the port's own. */
#include <stdio.h>

#include "remote/lab/os10/os10.h"
#include "remote/lab/world/faults.h"

/* A line of the port's block; line NULL: what begins with key goes. */
static void port_line(struct fabric *f, const struct lab_port *p, const char *key, const char *line)
{
	char header[64];

	snprintf(header, sizeof(header), "interface %s", p->name);
	dell_put(dell_of(port_device(f, p)), header, NULL, key, line);
}

/* A class of the port's own for each priority: a class pauses by the number of its qos-group, whatever else it lists. */
static void pfc_classes(struct dell_config *c, const struct lab_port *p, const char *policy, const char *priorities)
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

/* PFC of these priorities alone: "3", "3,5", "". */
static void set_pfc(struct fabric *f, struct lab_port *p, const char *priorities)
{
	char policy[96], line[96];
	struct dell_config *c = dell_of(port_device(f, p));
	bool is_usual = !strcmp(priorities, "3");

	if (!*priorities) {
		port_line(f, p, "priority-flow-control mode", "priority-flow-control mode off");
		return;
	}
	port_line(f, p, "priority-flow-control mode", "priority-flow-control mode on");
	snprintf(policy, sizeof(policy), "policy-map type network-qos pfc-%u", p->number);
	snprintf(line, sizeof(line), "service-policy input type network-qos pfc-%u", p->number);
	port_line(f, p, "service-policy input", is_usual ? "service-policy input type network-qos rdma-pfc" : line);
	dell_remove(c, policy);
	pfc_classes(c, p, policy, is_usual ? "" : priorities);
}

static void pfc_off(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "" : "3");
}

static void pfc_extra(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "3,5" : "3");
}

static void pfc_wrong(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "4" : "3");
}

/* The RoCE queue's WRED profile is the port's own; is_usual: the fabric's again. */
static void set_wred(struct fabric *f, struct lab_port *p, struct fault_wred wred, bool is_usual)
{
	static const char *const shares[] = { "Q0", "20", "Q3", "60", "Q4", "10", "Q6", "10" };
	struct dell_config *c = dell_of(port_device(f, p));
	char profile[64], policy[96], line[128];

	snprintf(profile, sizeof(profile), "wred wred-%u", p->number);
	snprintf(policy, sizeof(policy), "policy-map type queuing ets-%u", p->number);
	if (is_usual) {
		port_line(f, p, "service-policy output", "service-policy output type queuing rdma-ets");
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
	port_line(f, p, "service-policy output", line);
}

static void ecn_off(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_OFF, !on);
}

static void ecn_late(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_LATE, !on);
}

static void ecn_weak(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_WEAK, !on);
}

static void ecn_early(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_EARLY, !on);
}

/* DSCP 26 goes to class 0 at this port alone. */
static void dscp_lossy(struct fabric *f, struct lab_port *p, bool on)
{
	struct dell_config *c = dell_of(port_device(f, p));
	char header[80], line[80];

	snprintf(header, sizeof(header), "trust dscp-map dscp-%u", p->number);
	if (!on) {
		port_line(f, p, "trust-map dscp", "trust-map dscp rdma-dscp");
		dell_remove(c, header);
		return;
	}
	dell_put(c, header, NULL, "qos-group 0", "qos-group 0 dscp 0-23,25-47,49-63");
	dell_put(c, header, NULL, "qos-group 3", "qos-group 3 dscp 24");
	dell_put(c, header, NULL, "qos-group 6", "qos-group 6 dscp 48");
	snprintf(line, sizeof(line), "trust-map dscp dscp-%u", p->number);
	port_line(f, p, "trust-map dscp", line);
}

static void trust_off(struct fabric *f, struct lab_port *p, bool on)
{
	port_line(f, p, "trust-map dscp", on ? NULL : "trust-map dscp rdma-dscp");
}

static void queue_map(struct fabric *f, struct lab_port *p, bool on)
{
	struct dell_config *c = dell_of(port_device(f, p));
	char header[64], line[64];

	snprintf(header, sizeof(header), "qos-map traffic-class queues-%u", p->number);
	if (on) {
		dell_put(c, header, NULL, "queue 0", "queue 0 qos-group 0-3,5,7");
		dell_put(c, header, NULL, "queue 4", "queue 4 qos-group 4");
		dell_put(c, header, NULL, "queue 6", "queue 6 qos-group 6");
	} else {
		dell_remove(c, header);
	}
	snprintf(line, sizeof(line), "qos-map traffic-class queues-%u", p->number);
	port_line(f, p, "qos-map traffic-class", on ? line : "qos-map traffic-class rdma-queues");
}

static void mtu_small(struct fabric *f, struct lab_port *p, bool on)
{
	port_line(f, p, "mtu", on ? NULL : "mtu 9216");
}

static void shut(struct fabric *f, struct lab_port *p, bool on)
{
	port_line(f, p, "shutdown", on ? "shutdown" : NULL);
	fabric_refresh(f, NULL);
}

static void link_pause(struct fabric *f, struct lab_port *p, bool on)
{
	port_line(f, p, "flowcontrol receive", on ? "flowcontrol receive on" : "flowcontrol receive off");
	port_line(f, p, "flowcontrol transmit", on ? "flowcontrol transmit on" : "flowcontrol transmit off");
}

/* Somebody has named the port, and not saved it. */
static void unsaved(struct fabric *f, struct lab_port *p, bool on)
{
	port_line(f, p, "description", on ? "description moved" : NULL);
}

const struct lab_fault lab_os10_faults[] = {
	{ "pfc-off-switch",	pfc_off },
	{ "pfc-extra-prio",	pfc_extra },
	{ "pfc-wrong-switch",	pfc_wrong },
	{ "ecn-off-switch",	ecn_off },
	{ "kmin-over-xoff",	ecn_late },
	{ "ecn-weak",		ecn_weak },
	{ "ecn-early",		ecn_early },
	{ "dscp-map-lossy",	dscp_lossy },
	{ "trust-off-switch",	trust_off },
	{ "queue-map-wrong",	queue_map },
	{ "mtu-small-switch",	mtu_small },
	{ "port-shut",		shut },
	{ "link-pause-switch",	link_pause },
	{ "config-unsaved",	unsaved },
	{ NULL },
};
