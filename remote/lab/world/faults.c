#include "remote/lab/world/faults.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/world/ring.h"
#include "remote/lab/world/skins.h"

/* -- of any device -- */

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

/* As of a bond that was made with the kernel's MTU, and whose members somebody has set since: nothing is handed up. */
static void small_bond(struct fabric *f, struct lab_port *p, bool on)
{
	struct host_port right;

	host_port_lossless(&right);
	port_device(f, p)->bond_mtu = on ? 1500 : right.mtu;
}

/* NCCL would find no device at all where this one is the last it may use. */
static bool has_another(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_device *d = &f->devices[p->device];

	for (unsigned k = 0; k < d->n && !p->is_member; k++) {
		const struct lab_port *q = &f->ports[d->first + k];

		if (q != p && port_has_rdma(q) && !q->harm.is_left_out)
			return true;
	}
	return false;
}

static void pause_circle(struct fabric *f, struct lab_port *p, bool on)
{
	(void)p;
	ring_routes(f, on);
}

/* The driver's own files are those of the vendor's driver alone. */
#define WITHOUT_OFED	"breed-inbox breed-bnxt breed-ice breed-mlx4"
#define WITHOUT_DCB	"no-dcb+no-mlnx-qos no-dcb+breed-inbox no-dcb+breed-bnxt no-dcb+breed-ice breed-mlx4"
/* The DSCP map is read there and the trust is not: iproute2 has `dcb apptrust` since 6.2, and only mlx5's trust follows from its map. */
#define WITHOUT_TRUST	WITHOUT_DCB " breed-bnxt breed-ice"
#define WITHOUT_LLDP	"lldp-eaten lldpd-down no-lldpcli"
#define WITHOUT_JOB	"busybox"	/* its find and grep cannot look for the processes of a job */
#define WITHOUT_PLAN	"inventory-bare inventory-no-cables"	/* any cable is as good as another */

#define NEEDS_BOND	"a bond: start the lab with --bond"
#define NEEDS_ANOTHER	"a host with another RDMA device: --rails 2"

const struct fault fault_table[] = {
	{ "trust-pcp",		AT_PORT,	"the NIC trusts PCP: untagged RoCE goes to priority 0", .host = "trust = pcp",
	  .cause = "trust-wrong",
	  .hidden_by = WITHOUT_TRUST },
	{ "pfc-off-host",	AT_PORT,	"PFC is off for priority 3 at the NIC", .host = "pfc.on[3] = no",
	  .cause = "pfc-off" },
	{ "pfc-off-switch",	AT_PORT,	"PFC is off at the switch port", .cause = "pfc-off" },
	{ "pfc-extra-prio",	AT_PORT,	"PFC is on for priority 5 too, at one end", .host = "pfc.on[5] = yes",
	  .cause = "pfc-extra",
	  .hidden_by = WITHOUT_DCB },
	{ "ecn-off-switch",	AT_PORT,	"the switch queue does not mark: pause instead of CNPs", .cause = "ecn-off" },
	{ "np-off",		AT_PORT,	"the receiver sends no CNPs (NP off)", .host = "ecn.np[3] = no",
	  .cause = "np-off",
	  .hidden_by = WITHOUT_OFED },
	{ "rp-off",		AT_PORT,	"the sender ignores CNPs (RP off)", .host = "ecn.rp[3] = no", .cause = "rp-off",
	  .hidden_by = WITHOUT_OFED },
	{ "kmin-over-xoff",	AT_PORT,	"marking begins after pause: Kmin 9000 KB", .cause = "ecn-late" },
	{ "dscp-map-lossy",	AT_PORT,	"DSCP 26 lands in the lossy class 0", .host = "dscp.prio[26] = 0",
	  .cause = "dscp-map-wrong",
	  .hidden_by = WITHOUT_DCB },
	{ "cnp-dscp-wrong",	AT_PORT,	"CNPs leave with DSCP 0 and wait behind everything", .host = "cnp.dscp = 0",
	  .cause = "cnp-marked-wrong",
	  .hidden_by = WITHOUT_OFED },
	{ "ets-starved-cnp",	AT_PORT,	"the CNPs' class has 1 % of the bandwidth", .host = "ets.share[6] = 1%; ets.share[0] = 29%",
	  .cause = "cnp-starved",
	  .hidden_by = WITHOUT_DCB },
	{ "mtu-small-switch",	AT_PORT,	"the switch port's MTU is for 1500-byte packets", .cause = "mtu-mismatch" },
	{ "miswire",		AT_PORT,	"two cables of the node are swapped", .cause = "miswired",
	  .check = "cables-swapped", .left_to = "the rack technician: swap the two cables",
	  .hidden_by = WITHOUT_LLDP " " WITHOUT_PLAN },
	{ "slow-receiver",	AT_PORT,	"the host's memory takes a quarter of the line rate", .cause = "slow-receiver",
	  .check = "slow-receiver", .left_to = "the host's owner: PCIe width" },
	{ "rate-cap",		AT_PORT,	"the NIC passes 13 Gb/s, whatever its line: only traffic shows it", .cause = "slow-receiver",
	  .check = "slow-receiver", .left_to = "the host's owner: PCIe width" },
	{ "pause-storm",	AT_PORT,	"PFC storm: the NIC pauses continuously, its stall prevention is off", .cause = "pause-storm",
	  .check = "pause-storm", .left_to = "the rack technician: take the port down",
	  .hidden_by = "no-ethtool/os10" },	/* OS10 counts pause frames and no time: they bound a share from above */
	{ "bad-cable",		AT_PORT,	"one frame in a thousand has a bad FCS", .cause = "degraded-link",
	  .check = "wire-clean", .left_to = "the rack technician: clean or swap cable",
	  .hidden_by = "no-ethtool" },	/* ethtool alone counts them at the port that they come to */
	{ "weak-lane",		AT_PORT,	"one lane of the NIC's optic has 60 000 times the bit errors of the others",
	  .check = "bits-clean", .left_to = "the rack technician: clean or swap cable",
	  .hidden_by = "no-ethtool breed-ice breed-mlx4" },
	{ "tos-104",		AT_PORT,	"RoCE leaves as Not-ECT: dropped where it should be marked",
	  .cause = "tos-not-ect",
	  .hidden_by = "configfs-bare" },
	{ "global-pause",	AT_PORT,	"802.3x link pause is on instead of PFC", .host = "pause.rx = yes; pause.tx = yes; "
												  "pfc.on[3] = no",
	  .cause = "global-pause", .hidden_by = "no-ethtool" },	/* ethtool alone tells of it: what is to be seen is that PFC is off */
	{ "bond-member-unset",	AT_MEMBER,	"the second member of bond0 was never set up", .host = "trust = pcp; pfc.on[3] = no",
	  .needs = NEEDS_BOND, .cause = "bond-member-unset",
	  .hidden_by = WITHOUT_DCB },
	{ "bond-mtu-small",	AT_BOND,	"the MTU of bond0 is 1500, whatever its members were set to", small_bond, .needs = NEEDS_BOND,
	  .cause = "mtu-mismatch" },
	{ "nccl-tc-unset",	AT_DEVICE,	"NCCL_IB_TC is not set and no ToS forced: RoCE leaves with ToS 0", .cause = "tos-unmarked",
	  .check = "app-tos-as-wanted", .left_to = "the job's owner: NCCL_IB_TC" },
	{ "nccl-socket",	AT_DEVICE,	"NCCL_IB_DISABLE=1: the job uses TCP", .cause = "nccl-socket",
	  .check = "app-uses-ib", .left_to = "the job's owner: NCCL_NET",
	  .hidden_by = WITHOUT_JOB },
	{ "hca-unused",		AT_PORT,	"NCCL_IB_HCA does not name the RDMA device of the port: the job does without it",
	  .fits = has_another, .needs = NEEDS_ANOTHER, .cause = "hca-unused",
	  .check = "app-uses-all-hcas", .left_to = "the job's owner: NCCL_IB_HCA",
	  .hidden_by = WITHOUT_JOB },
	{ "gid-index-v1",	AT_DEVICE,	"NCCL_IB_GID_INDEX names a RoCE v1 entry", .cause = "gid-wrong",
	  .check = "app-gid-is-v2", .left_to = "the job's owner: NCCL_IB_GID_INDEX",
	  .hidden_by = WITHOUT_JOB },
	{ "memlock-low",	AT_DEVICE,	"the job may lock 64 KiB of memory", .cause = "memlock-low",
	  .check = "app-memlock-enough", .left_to = "the job's owner: memlock unlimited",
	  .hidden_by = WITHOUT_JOB },
	{ "soft-roce",		AT_PORT,	"the RDMA device of the port is a soft one", .cause = "soft-roce",
	  .check = "rdma-hardware", .left_to = "the host's owner: remove the rxe link" },
	{ "gpudirect-missing",	AT_DEVICE,	"nvidia_peermem is not loaded: GPU memory is reached through the host's",
	  .cause = "gpudirect-missing",
	  .check = "app-gpu-direct", .left_to = "the host's owner: load nvidia_peermem" },
	{ "driver-not-ready",	AT_DEVICE,	"the containerized driver has not reported that it is ready", .cause = "driver-not-ready",
	  .check = "driver-ready", .left_to = "the cluster's operator: wait for the driver",
	  .hidden_by = WITHOUT_OFED },
	{ "qos-not-kept",	AT_DEVICE,	"no file of the host sets the NICs' QoS at boot", .cause = "qos-not-kept",
	  .check = "qos-kept", .left_to = "the host's owner: a unit" },
	{ "vf-unset",		AT_PORT,	"no virtual function was made on the port", .cause = "vf-unset",
	  .check = "vf-as-others", .left_to = "the cluster's operator: virtual functions" },
	{ "wrong-firmware",	AT_PORT,	"the NIC runs an older firmware than others of its part",
	  .check = "firmware-alike", .left_to = "the host's owner: the vendor's firmware update",
	  .hidden_by = "no-ethtool" },
	{ "pcie-degraded",	AT_PORT,	"the NIC's PCIe link is slower than its port", .cause = "pcie-degraded",
	  .check = "pcie-as-capable", .left_to = "the rack technician: reseat the card" },
	{ "nccl-retry-errors",	AT_DEVICE,	"the job's log holds completions with retries exceeded",
	  .check = "app-not-timed-out", .left_to = "the peer that is named" },
	{ "link-down",		AT_PORT,	"the host's interface is down", .cause = "link-down",
	  .check = "link-up", .left_to = "the rack technician" },
	{ "port-shut",		AT_PORT,	"the switch port is shut", .cause = "link-down",
	  .check = "link-up", .left_to = "whoever shut a port down opens it again" },
	{ "no-address",		AT_PORT,	"the interface has no IPv4 address: no RoCE v2 GID of it", .cause = "gid-wrong",
	  .check = "gid-v2", .left_to = "the host's owner: give the interface its address",
	  .hidden_by = "netdev-without-device" },	/* the VLAN on it has entries of the same table */
	{ "mtu-small-host",	AT_PORT,	"the host's MTU is 1500", .host = "mtu = 1500", .cause = "mtu-mismatch" },
	{ "tos-0",		AT_PORT,	"RoCE leaves with ToS 0: unmarked, in the lossy class", .cause = "tos-unmarked",
	  .hidden_by = WITHOUT_OFED },	/* it alone can force a ToS at one port and not at another */
	{ "trust-off-switch",	AT_PORT,	"the switch port has no DSCP map: everything goes to class 0", .cause = "trust-wrong" },
	{ "cnp-map-lossy",	AT_PORT,	"the NIC puts DSCP 48 into priority 0", .host = "dscp.prio[48] = 0",
	  .cause = "dscp-map-wrong",
	  .hidden_by = WITHOUT_DCB },
	{ "best-effort-lossless", AT_PORT,	"unmarked traffic is in the lossless priority", .host = "dscp.prio[0] = 3",
	  .cause = "dscp-map-wrong",
	  .hidden_by = WITHOUT_TRUST },
	{ "iscsi-in-roce",	AT_PORT,	"DSCP 4, iSCSI's, is in RoCE's priority", .host = "dscp.prio[4] = 3",
	  .cause = "iscsi-shares-class",
	  .hidden_by = WITHOUT_TRUST },
	{ "prio-tc-wrong",	AT_PORT,	"priority 3 is in traffic class 0", .host = "prio.tc[3] = 0", .cause = "dscp-map-wrong",
	  .hidden_by = WITHOUT_DCB },
	{ "queue-map-wrong",	AT_PORT,	"class 3 leaves by queue 0, without ECN", .cause = "dscp-map-wrong" },
	{ "pfc-queue-wrong",	AT_PORT,	"pause of priority 3 stops queue 4", .cause = "dscp-map-wrong" },
	{ "pfc-wrong-host",	AT_PORT,	"PFC is on for priority 4 in the place of 3", .host = "pfc.on[3] = no; pfc.on[4] = yes",
	  .cause = "pfc-off",
	  .hidden_by = WITHOUT_DCB },
	{ "pfc-wrong-switch",	AT_PORT,	"PFC is on for priority 4 in the place of 3", .cause = "pfc-off" },
	{ "link-pause-switch",	AT_PORT,	"802.3x link pause is on at the switch port", .cause = "global-pause" },
	{ "ecn-weak",		AT_PORT,	"at Kmax one packet in a hundred is marked", .cause = "ecn-late" },
	{ "ecn-early",		AT_PORT,	"marking begins at 5 KB: throughput suffers", .cause = "ecn-early" },
	{ "dcqcn-aggressive",	AT_PORT,	"the NIC raises its rate 200 times as fast as by default",
	  .host = "cc.rpg_ai_rate = 1000; cc.rpg_hai_rate = 5000",
	  .cause = "dcqcn-aggressive",
	  .hidden_by = WITHOUT_OFED },
	{ "ets-sum-wrong",	AT_PORT,	"the bandwidth shares add up to 80 %", .host = "ets.share[3] = 40%", .cause = "ets-wrong",
	  .check = "ets-adds-up", .left_to = "could not be rolled back to: they add up to 80 %",
	  .hidden_by = WITHOUT_DCB },
	{ "ets-starved-roce",	AT_PORT,	"the RoCE class has 10 % of the bandwidth", .host = "ets.share[3] = 10%; "
												    "ets.share[0] = 70%",
	  .cause = "ets-wrong",
	  .hidden_by = WITHOUT_DCB },
	{ "buffer-shared",	AT_PORT,	"priority 0 fills the lossless receive buffer too", .host = "prio.pg[0] = 1",
	  .cause = "buffer-small",
	  .hidden_by = WITHOUT_DCB },
	{ "watchdog-off",	AT_PORT,	"the port's PFC watchdog is off", .cause = "watchdog-off" },
	{ "dcbx-firmware",	AT_PORT,	"the NIC's firmware negotiates DCB", .host = "dcbx = fw", .cause = "drift",
	  .hidden_by = WITHOUT_DCB },
	{ "config-unsaved",	AT_DEVICE,	"the running configuration was not saved", .cause = "drift" },
	{ "module-missing",	AT_DEVICE,	"ib_uverbs is not loaded", .cause = "driver-not-ready" },
	{ "pause-circle",	AT_DEVICE,	"routes go down and up again: switches pause each other in a ring", pause_circle,
	  .fits = ring_begins_at, .needs = "two leaves with hosts at two spines: --leaves 2 --spines 2 --rails 2", .cause = "deadlock",
	  .check = "no-deadlock", .left_to = "who plans the routes: without the one that closes the ring" },
	{ "host-unreachable",	AT_DEVICE,	"connections are refused", host_unreachable, .cause = "unreachable",
	  .check = "device-reached", .left_to = "no commands are sent to an unreachable device" },
	{ "slow-host",		AT_DEVICE,	"the first byte comes after 3 s, then one at a time", slow_host, .cause = "slow-answers",
	  .check = "answers-in-time", .left_to = "find what loads its CPU or its management network" },
	{ "garbage-output",	AT_DEVICE,	"noise and binary in everything it prints", garbage_output, .cause = "garbled-answers",
	  .check = "answers-in-time", .left_to = "find what loads its CPU or its management network" },
};
const size_t fault_count = sizeof(fault_table) / sizeof(*fault_table);

/* -- adding and clearing -- */

void faults_done(struct faults *faults)
{
	free(faults->list);
	*faults = (struct faults){ NULL };
}

/* The system's own implementation; NULL: the system cannot have this fault, or it is the same on every system. */
static const struct lab_fault *fault_of_system(const struct fabric *f, const struct fault *fault, const struct lab_port *p)
{
	return fault->set ? NULL : system_fault(port_device(f, p)->system, fault->name);
}

static bool is_of_bond(const struct fault *fault)
{
	return fault->place == AT_BOND || fault->place == AT_MEMBER;
}

static bool fits(const struct fabric *f, const struct fault *fault, const struct lab_port *p)
{
	if (is_of_bond(fault) && (!p->is_member || p->number != (fault->place == AT_BOND ? 1 : 2)))
		return false;
	if (fault->fits && !fault->fits(f, p))
		return false;
	return fault->set || (fault->host && port_is_host(f, p)) || fault_of_system(f, fault, p);
}

/* The device, or the fabric around it. */
static bool wears_named(const struct fabric *f, const struct lab_device *d, struct span name)
{
	for (unsigned i = 0; i < SKIN_COUNT; i++)
		if (span_is(name, skin_table[i].name))
			return wears(d, (enum skin)i) || fabric_wears(f, (enum skin)i);
	return false;
}

/* Whether its device wears this, "no-ethtool"; "no-ethtool/os10": at a port of such a switch. */
static bool wears_at(const struct fabric *f, const struct lab_port *p, struct span word)
{
	const struct lab_port *peer = p->peer >= 0 ? port_peer(f, p) : NULL;
	struct span skin = word, system = { 0 };
	bool is_of_system = span_cut(word, '/', &skin, &system);

	return wears_named(f, port_device(f, p), is_of_system ? skin : word) &&
	       (!is_of_system || (peer && span_is(system, port_device(f, peer)->system->name)));
}

static bool is_hidden(const struct fabric *f, const struct fault *fault, const struct lab_port *p)
{
	struct span rest = span_of(fault->hidden_by), all, word;

	while (span_word(&rest, &all)) {
		bool wears_all = true;

		while (wears_all && span_cut(all, '+', &word, &all))
			wears_all = wears_at(f, p, word);
		if (wears_all && wears_at(f, p, all))
			return true;
	}
	return false;
}

/* One setting of a host's port, "pfc.on[3] = no"; off: as the lossless policy has it. */
static void set_fact(struct host_port *nic, struct span fact, bool on)
{
	struct host_port right;
	struct fact_text t;
	struct value value;
	struct arena arena = { NULL };
	struct err err = { "" };
	char line[128];
	uint64_t set;
	unsigned index;
	bool is_read;

	host_port_lossless(&right);
	snprintf(line, sizeof(line), "host port %.*s", (int)fact.n, fact.p);
	is_read = fact_split(span_of(line), &t, &err) && fact_indices(t.field, t.indices, &set, &err) &&
		  value_parse(t.field, t.value, &arena, &value, &err);
	assert(is_read);
	index = (unsigned)__builtin_ctzll(set);
	is_read = on || host_port_get(&right, t.field, index, &value);
	is_read = is_read && host_port_set(nic, t.field, index, value.n);
	assert(is_read);	/* a row of the table that names no setting is found by test_lab */
	arena_done(&arena);
}

static void set_facts(struct host_port *nic, const char *facts, bool on)
{
	struct span rest = span_of(facts), fact;

	while (rest.n) {
		if (!span_cut(rest, ';', &fact, &rest)) {
			fact = rest;
			rest.n = 0;
		}
		set_fact(nic, span_trim(fact), on);
	}
}

bool fault_has_place(const struct fabric *f, const struct fault *fault)
{
	for (size_t i = 0; i < f->n_ports; i++)
		if (fits(f, fault, &f->ports[i]))
			return true;
	return false;
}

/* The first that fits, for a switch's faults the one that faces the first host port. */
static struct lab_port *first_place(struct fabric *f, const struct fault *fault, bool is_to_be_seen)
{
	for (size_t i = 0; i < f->n_ports; i++) {
		struct lab_port *p = &f->ports[i];

		if (is_to_be_seen && is_hidden(f, fault, p))
			continue;
		if (port_is_host(f, p) && p->peer >= 0 && !fits(f, fault, p) && fits(f, fault, port_peer(f, p)))
			return port_peer(f, p);
		if (fits(f, fault, p))
			return p;
	}
	return NULL;
}

/* The named port, for a switch's faults also the one that faces it, or the first. */
static struct lab_port *find_place(struct fabric *f, const struct fault *fault, struct span place, struct err *err)
{
	struct span device = place, port = { NULL, 0 };
	struct lab_device *d;
	struct lab_port *p;

	if (!place.n) {
		p = first_place(f, fault, true);
		if (!p)
			p = first_place(f, fault, false);
		if (!p)
			err_set(err, "%s: nothing here that it could befall%s%s%s", fault->name, fault->needs ? " (it needs " : "",
				fault->needs ? fault->needs : "", fault->needs ? ")" : "");
		return p;
	}
	span_cut(place, ':', &device, &port);
	d = fabric_device(f, device);
	p = !d || !d->n ? NULL : port.n ? fabric_port(f, d, port) : &f->ports[d->first];
	if (p && fits(f, fault, p))
		return p;
	if (p && port.n && port_is_host(f, p) && p->peer >= 0 && fits(f, fault, port_peer(f, p)))
		return port_peer(f, p);
	err_set(err, "%s: %.*s is not a place for it%s%s%s", fault->name, (int)place.n, place.p, fault->needs ? " (it needs " : "",
		fault->needs ? fault->needs : "", fault->needs ? ")" : "");
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

bool fault_needs_bond(const char *text)
{
	struct span name = span_of(text), place;
	const struct fault *fault;
	struct err err;

	span_cut(span_of(text), '@', &name, &place);
	fault = find_fault(name, &err);
	return fault && is_of_bond(fault);
}

/* A fault is as if somebody had configured it and saved; but for the one that is not saved. */
static void set_fault(struct fabric *f, const struct fault *fault, struct lab_port *p, bool on)
{
	struct lab_device *d = port_device(f, p);
	const struct lab_settings *settings = d->system->settings;
	bool was_saved = !settings->is_saved || settings->is_saved(d);
	const struct lab_fault *own = fault_of_system(f, fault, p);

	if (fault->set)
		fault->set(f, p, on);
	else if (fault->host && port_is_host(f, p))
		set_facts(&p->nic, fault->host, on);
	else
		own->set(f, p, on);
	if (settings->save && was_saved && fault->place < AT_DEVICE)
		settings->save(d);
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
		const struct lab_port *at = !port_is_host(f, p) && p->peer >= 0 ? port_peer(f, p) : p;

		buf_printf(out, "%s@%s", on->fault->name, f->devices[p->device].name);
		if (on->fault->place < AT_DEVICE)
			buf_printf(out, ":%s", p->name);
		buf_str(out, is_hidden(f, on->fault, at) ? " hidden\n" : "\n");
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
