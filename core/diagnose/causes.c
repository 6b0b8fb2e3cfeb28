/* What can be the matter with a lossless fabric, a row each. Weights: 60 a wrong setting seen by itself, 50 the same told
 * by a relation of two, 40 what only counters show. */
#include "core/application/application.h"
#include "core/diagnose/diagnosis.h"
#include "core/diagnose/sources.h"

static const struct port *port_of(const struct finding *f)
{
	return f->port;
}

/* The ToS that new queue pairs get there; false when it is not known. */
static bool tos_of(const struct diagnosis *d, const struct finding *f, uint64_t *tos)
{
	const struct port *p = port_of(f);

	if (p && port_number(d->of.model, p, FIELD_TOS_FORCE, 0, tos) && *tos)
		return true;
	return p && port_number(d->of.model, p, FIELD_TOS_CMA, 0, tos);
}

static bool is_lossless_mark(const struct diagnosis *d, const struct finding *f, uint64_t tos)
{
	struct policy_target target = { f->port->device->name, f->port->name, false, NULL };
	struct value wanted;

	return policy_wants(d->of.policy, &target, FIELD_DSCP_PRIO, (unsigned)(tos >> 2 & 63), &wanted, NULL) &&
	       wanted.n < 8 && policy_lossless(d->of.policy, false) >> wanted.n & 1;
}

static bool is_not_ect(const struct diagnosis *d, const struct finding *f)
{
	uint64_t tos;

	return tos_of(d, f, &tos) && is_lossless_mark(d, f, tos);
}

/* Whether a check found its port, or the link it is on, right: not unknown, not beside the point. */
static bool is_right(const struct diagnosis *d, const char *check, const struct port *p)
{
	const struct check *of = check_find(check);
	const struct link *l = links_of_port(d->of.links, p);
	bool is_lost;

	if (of->of == OF_LINK)
		p = l ? l->a : NULL;
	return p && findings_said(d->of.findings, of, p->device, p, &is_lost) == VERDICT_OK;
}

static bool cites(const struct finding *f, enum field field)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].field == field)
			return true;
	return false;
}

/* Headroom fails only where pause is sent and obeyed: everything that would lose packets without it has to be right. */
static bool is_headroom(const struct diagnosis *d, const struct finding *f)
{
	static const char *const needs[] = { "pfc-on-where-wanted", "pfc-same", "mtu-fits", "trust-as-wanted", "dscp-map-as-wanted" };

	if (!f->port || f->cause || !cites(f, FIELD_PG_DROP))
		return false;
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!is_right(d, needs[i], f->port))
			return false;
	return !f->far || is_right(d, "pfc-on-where-wanted", f->far);
}

static bool is_dropping(const struct diagnosis *d, const struct finding *f)
{
	(void)d;
	return !strstr(f->what, "whether it drops is not known");
}

static bool is_not_dropping(const struct diagnosis *d, const struct finding *f)
{
	return !is_dropping(d, f);
}

/* Whatever class the packets are in. */
static bool discards(const struct diagnosis *d, const struct port *p)
{
	double per_s;

	return (port_rate(d->of.model, p, FIELD_TX_DISCARD, 0, &per_s) && per_s > 0) ||
	       (port_rate(d->of.model, p, FIELD_RX_DISCARD, 0, &per_s) && per_s > 0);
}

/* Nothing of the lossless class is dropped or damaged at that end, and RoCE is known to be in the class. */
static bool keeps_all(const struct diagnosis *d, const struct port *p)
{
	return !discards(d, p) && is_right(d, "lossless-kept", p) && is_right(d, "wire-clean", p) &&
	       is_right(d, "trust-as-wanted", p) &&
	       is_right(d, "dscp-map-as-wanted", p) && (device_is_switch(p->device, d->of.inventory) || is_right(d, "tos-ecn", p));
}

/* Gaps without a drop or a damaged frame anywhere: only where all of that is counted. */
static bool is_reordering(const struct diagnosis *d, const struct finding *f)
{
	if (f->cause)
		return false;
	for (size_t i = 0; i < d->of.links->n; i++) {
		const struct link *l = &d->of.links->list[i];

		if (l->is_fabric && (!l->b || !keeps_all(d, l->a) || !keeps_all(d, l->b)))
			return false;
	}
	return true;
}

static bool is_kmin_below(const struct diagnosis *d, const struct finding *f)
{
	struct policy_target target = { .device = f->port->device->name, .port = f->port->name, .is_switch = true,
					.host = inventory_find(d->of.inventory, f->port->device->name) };
	struct value wanted;
	uint64_t kmin;

	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].field == FIELD_ECN_KMIN &&
		    port_number(d->of.model, f->port, FIELD_ECN_KMIN, f->evidence[i].index, &kmin) &&
		    policy_wants(d->of.policy, &target, FIELD_ECN_KMIN, f->index, &wanted, NULL))
			return (double)kmin < (double)wanted.n * (1 - policy_limit(d->of.policy, LIMIT_KB_TOLERANCE));
	return false;
}

static bool is_kmin_not_below(const struct diagnosis *d, const struct finding *f)
{
	return !is_kmin_below(d, f);
}

#define TOGETHER_US	(3 * SECOND)	/* of two readings that are made together one comes first */

/* Read since the symptom began: what was read before may have been changed just then. */
static bool is_read_since(const struct finding *symptom, enum field f)
{
	const struct cell *c = port_cell(port_source(symptom->port, f, 0), f, 0);

	return c && c->said_us >= symptom->first_us - TOGETHER_US;
}

/* The NIC would put what is marked where it belongs: what goes elsewhere is not marked so, unless that is forced. */
static bool is_set_right(const struct diagnosis *d, const struct finding *f)
{
	uint64_t tos;

	if (!f->port || !is_read_since(f, FIELD_TRUST) || !is_read_since(f, FIELD_DSCP_PRIO))
		return false;
	if (port_number(d->of.model, f->port, FIELD_TOS_FORCE, 0, &tos) && tos && is_lossless_mark(d, f, tos))
		return false;
	return is_right(d, "trust-as-wanted", f->port) && is_right(d, "dscp-map-as-wanted", f->port);
}

/*
 * When most answer late it is the way to them, or the console's own machine: no device's fault. Nor is it what makes the
 * fabric's traffic go wrong: where that is seen, its causes stand alone.
 */
static bool is_late_alone(const struct diagnosis *d, const struct finding *f)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list), late = 0;

	for (size_t i = 0; i < n; i++)
		late += list[i]->check == f->check;
	return late * 2 < model_devices(d->of.model) && !findings_count(d->of.findings, VERDICT_WARN);
}

static bool is_unmarked(const struct diagnosis *d, const struct finding *f)
{
	uint64_t tos;

	return tos_of(d, f, &tos) && !is_lossless_mark(d, f, tos);
}

static bool has_status(const struct diagnosis *d, const struct finding *f, unsigned a, unsigned b)
{
	uint64_t status;

	return f->device && device_number(d->of.model, f->device, FIELD_APP_STATUS, 0, &status) && (status == a || status == b);
}

#define STATUS(name, a, b) \
static bool name(const struct diagnosis *d, const struct finding *f) \
{ \
	return has_status(d, f, a, b); \
}
STATUS(is_retry, 12, 20)
STATUS(is_remote_access, 9, 10)
STATUS(is_local_length, 1, 1)
STATUS(is_local_protection, 4, 8)

/* The application's ToS is of a lossless class, but cannot be marked. */
static bool is_app_not_ect(const struct diagnosis *d, const struct finding *f)
{
	struct app_tos tos;

	return f->port && app_tos(d->of.model, f->port, &tos) && is_lossless_mark(d, f, tos.tos);
}

static bool is_app_unmarked(const struct diagnosis *d, const struct finding *f)
{
	struct app_tos tos;

	return f->port && app_tos(d->of.model, f->port, &tos) && !is_lossless_mark(d, f, tos.tos);
}

static bool is_of_mtu(const struct diagnosis *d, const struct finding *f)
{
	(void)d;
	return cites(f, FIELD_RDMA_MTU) || cites(f, FIELD_MTU);
}

/* Link pause takes the place of PFC in a NIC: a host whose link pause is not known counts for less than one where it is off. */
static bool is_without_link_pause(const struct diagnosis *d, const struct finding *f)
{
	uint64_t on;

	return !f->port || device_is_switch(f->device, d->of.inventory) ||
	       port_number(d->of.model, f->port, FIELD_PAUSE_RX, 0, &on);
}

const struct known_cause known_causes[] = {
{ .id = "unreachable", .signs = { { "device-reached", 60 } }, .source = FROM_FABCON,
  .title = "The device is unreachable",
  .why = "Nothing is known about it: a fault there would not be seen, and is not ruled out.",
  .change = "Fix what the message names: address, key, login, route." },
{ .id = "garbled-answers", .signs = { { "answers-understood", 50, .though_unknown = true } }, .of_reading = true, .source = FROM_FABCON,
  .title = "The device's output could not be parsed",
  .why = "What that output would have reported is unknown, not healthy.",
  .change = "Look at the raw reply; log in by hand and run the same command." },
{ .id = "slow-answers", .signs = { { "answers-in-time", 40, .though_unknown = true, .fits = is_late_alone } },
  .of_reading = true, .source = FROM_FABCON,
  .title = "The device answers late",
  .why = "Old values count as unknown; a host that is too busy to answer may be too busy to receive.",
  .change = "Find what loads its CPU or its management network." },
{ .id = "counters-frozen", .signs = { { "counters-move", 45 } }, .source = FROM_FABCON,
  .title = "A port's counters do not change while traffic flows",
  .why = "They do not count: a drop or a pause there would not be seen, and is not ruled out.",
  .change = "Check that the device counts (SONiC: counterpoll show). Until then, go by the counters of the port's neighbor." },
{ .id = "link-down", .contrary = "rx.packets",
  .signs = { { "link-up", 60 }, { "rdma-active", 50 } }, .of_link = true, .source = FROM_STACK "; " FROM_ROCE,
  .title = "A link is down",
  .why = "Running jobs on it hang or abort (retry exceeded); new ones use other rails or TCP, or do not start.",
  .change = "Check cable, transceiver, FEC and speed at both ends, and whether a port is shut down." },
{ .id = "miswired", .signs = { { "cables-swapped", 60 }, { "cabled-as-planned", 60 } }, .of_link = true, .source = FROM_FABCON,
  .title = "A cable is in the wrong port",
  .why = "Rails cross, and settings made for one neighbor meet another.",
  .change = "Swap the two cables at one end, or correct the plan." },
{ .id = "speed-mismatch", .signs = { { "speed-same", 60 } }, .of_link = true, .source = FROM_STACK "; " FROM_ROCE,
  .title = "The two ends run at different speeds",
  .why = "Headroom and thresholds are computed for the wrong speed.",
  .change = "Fix speed and auto-negotiation at both ends." },
{ .id = "speed-below-card", .signs = { { "speed-as-capable", 40 } }, .of_link = true, .source = FROM_FABCON,
  .title = "A link runs below its card's speed",
  .why = "The cable, the transceiver or the switch port limits the job's bandwidth.",
  .change = "If this is not intended: use a cable and transceiver for the card's speed, and set that speed on the switch "
	 "port." },
{ .id = "degraded-link", .signs = { { "wire-clean", 60 } }, .of_link = true, .roots = 1 << ROOT_DEGRADED,
  .source = FROM_MLX5_COUNTERS,
  .title = "A link has uncorrectable errors",
  .why = "Each corrupted frame costs its connection a retransmission.",
  .change = "Clean or swap cable and transceiver; compare FEC at both ends." },
{ .id = "mtu-mismatch", .of_link = true,
  .signs = { { "mtu-fits", 60 }, { "rdma-mtu", 50 }, { "mtu-as-wanted", 50 }, { "fleet-alike", 40, .fits = is_of_mtu } },
  .source = FROM_MTU,
  .title = "MTU mismatch: packets of one end are too large for the other",
  .why = "Full-size packets are dropped while small ones pass: connections come up and then hang.",
  .change = "Set both ends as the policy requires. OS10 counts the L2 header: at least the host's MTU plus 22 (9216 for 9000). "
	    "SONiC adds the 22 itself: at least the host's MTU (9100 for 9000)." },
{ .id = "soft-roce", .of_host = true, .signs = { { "rdma-hardware", 60 } }, .source = FROM_ROCE,
  .title = "Soft-RoCE is used instead of the hardware",
  .why = "The CPU builds every packet: slow, and without PFC classes or DCQCN.",
  .change = "Use the hardware RDMA device; remove the rxe link." },
{ .id = "driver-not-ready", .of_host = true, .signs = { { "driver-ready", 60 }, { "modules-loaded", 60 } }, .source = FROM_STACK,
  .title = "The NIC driver or an RDMA module is missing",
  .why = "RDMA devices come and go, or programs cannot open them: jobs fall back to TCP.",
  .change = "Wait for the driver container or read its log; load the module (sudo modprobe ib_uverbs)." },
{ .id = "memlock-low", .of_host = true, .signs = { { "memlock-enough", 60 }, { "app-memlock-enough", 60 } }, .source = FROM_ROCE,
  .title = "Locked-memory limit (memlock) is too low",
  .why = "RDMA registers buffers by locking them: registration fails, and jobs fall back to TCP or abort.",
  .change = "Set memlock to unlimited for the jobs' user (limits.conf, the container runtime)." },
{ .id = "gid-wrong", .signs = { { "gid-v2", 60 }, { "app-gid-is-v2", 60 } }, .source = FROM_ROCE,
  .title = "The RoCE v2 GID with the right address is missing or not used",
  .why = "RoCE v1 is not routed and carries no DSCP; or connections fail.",
  .change = "Give the interface its address, and set NCCL_IB_GID_INDEX to the RoCE v2 entry or leave it unset with NCCL "
	 "2.21 and later." },
{ .id = "gid-differs", .of_host = true, .signs = { { "app-gid-alike", 60 } }, .source = FROM_ROCE,
  .title = "NCCL's GID index selects different address types on different ports",
  .why = "Addresses of two types do not connect: queue pairs fail, or the job waits until it times out.",
  .change = "Use the same addresses on each interface, and one NCCL_IB_GID_INDEX that is right everywhere, or leave it "
	 "unset." },
{ .id = "hca-unused", .of_host = true, .signs = { { "app-uses-all-hcas", 45 } }, .source = FROM_NCCL_HCA,
  .title = "NCCL leaves an RDMA device unused",
  .why = "The unused device's link is idle while the job's other links are full.",
  .change = "Add it to NCCL_IB_HCA, in the job's environment or /etc/nccl.conf; or leave it out on purpose." },
{ .id = "bond-member-unset", .signs = { { "bond-members-alike", 60 } }, .source = FROM_FABCON,
  .title = "A bond member has no QoS configuration",
  .why = "The bond itself has no trust, PFC or ECN: flows that hash to this member are lossy.",
  .change = "Apply the same settings to each member port." },
{ .id = "tos-not-ect", .signs = { { "tos-ecn", 60, .fits = is_not_ect },
  { "app-tos-as-wanted", 60, .fits = is_app_not_ect } }, .source = FROM_ECN_DROPS,
  .title = "RoCE packets may be sent as Not-ECT",
  .why = "A congested queue may drop what it cannot mark, lossless class or not.",
  .change = "Set a ToS with the ECN bits: the default ToS of the RDMA device, and NCCL_IB_TC of the job." },
{ .id = "tos-unmarked", .signs = { { "tos-ecn", 60, .fits = is_unmarked },
  { "app-tos-as-wanted", 60, .fits = is_app_unmarked }, { "roce-in-class", 55, .fits = is_set_right } }, .source = FROM_NCCL,
  .title = "RoCE packets carry no DSCP of the lossless class",
  .why = "They share a class with everything else and are dropped under load.",
  .change = "Set the default ToS of the RDMA device, and NCCL_IB_TC of the job (its own default is 0)." },
{ .id = "trust-wrong", .signs = { { "trust-as-wanted", 60 }, { "trust-same", 50 } }, .source = FROM_STACK,
  .title = "A port's trust mode differs from policy",
  .why = "The marking is ignored: RoCE goes to the default priority, which is lossy.",
  .change = "Set the trust mode that the policy requires (usually DSCP)." },
{ .id = "dscp-map-wrong", .source = FROM_MLNX_QOS "; " FROM_SONIC_QOS,
  .signs = { { "dscp-map-as-wanted", 60, .stands_alone = true }, { "dscp-same", 50 }, { "prio-tc-as-wanted", 60, .stands_alone = true },
	     { "tc-queue-as-wanted", 60, .stands_alone = true }, { "pfc-queue-agrees", 55 }, { "best-effort-lossy", 45 } },
  .title = "A map sends RoCE to another priority, class or queue",
  .why = "RoCE outside the lossless class is dropped under load; CNPs in a data class arrive late.",
  .change = "Correct the map on this port." },
{ .id = "pfc-off",
  .signs = { { "pfc-on-where-wanted", 60, .fits = is_without_link_pause }, { "pfc-on-where-wanted", 40 }, { "pfc-same", 50 } },
  .source = FROM_PFC,
  .title = "PFC is off on a lossless priority",
  .why = "A port without it neither sends nor honors pause on that priority: a full buffer drops.",
  .change = "Enable PFC at both ends in one step. If that takes the link down (mlx5), jobs on it may abort: drain the host first." },
{ .id = "pfc-extra", .signs = { { "pfc-only-where-wanted", 60 }, { "priority-quiet", 45 } }, .source = FROM_FABCON,
  .title = "PFC is on for a lossy priority",
  .why = "Each lossless priority takes headroom, and its pause spreads to traffic that could have been dropped.",
  .change = "Make sure that no other lossless traffic uses it, then disable PFC for it at both ends; or add it to the policy." },
{ .id = "global-pause", .signs = { { "pause-frames-off", 65 }, { "link-pause-quiet", 45 } }, .of_link = true,
  .source = FROM_MLX5_BUFFER,
  .title = "802.3x link pause is on",
  .why = "Global pause is mutually exclusive with PFC and pauses all priorities, including CNPs.",
  .change = "Turn link-level flow control off in both directions, at both ends." },
{ .id = "ecn-off", .contrary = "ecn.marked", .signs = { { "ecn-on", 60 } }, .roots = 1 << ROOT_CONGESTION, .source = FROM_DCQCN,
  .title = "ECN is off on a lossless queue of a switch",
  .why = "Senders are never told to slow down: only PFC is left, and it spreads.",
  .change = "Apply a WRED profile with ECN to the queue, with the policy's thresholds." },
{ .id = "ecn-late", .contrary = "ecn.marked", .signs = { { "ecn-before-pfc", 60 }, { "ecn-sane", 60 },
  { "ecn-as-wanted", 50, .fits = is_kmin_not_below } },
  .roots = 1 << ROOT_CONGESTION, .source = FROM_DCQCN "; " FROM_STACK,
  .title = "ECN marking starts too late",
  .why = "PFC may pause the senders before the queue is long enough to be marked: few marks, steady pause.",
  .change = "Lower Kmin below the XOFF threshold, as the policy requires." },
{ .id = "ecn-early", .signs = { { "ecn-as-wanted", 50, .fits = is_kmin_below } }, .source = FROM_FABCON,
  .title = "ECN marking starts too early",
  .why = "Senders slow down before a queue has formed: throughput is lost where there are few flows.",
  .change = "Raise Kmin to the policy's value." },
{ .id = "np-off", .contrary = "cnp.sent", .signs = { { "np-on", 60 }, { "marks-answered", 45 } }, .roots = 1 << ROOT_CONGESTION,
  .source = FROM_HW_COUNTERS,
  .title = "DCQCN notification point (NP) is disabled on a receiver",
  .why = "It generates no CNPs and its senders never slow down: steady pause.",
  .change = "Enable the notification point for this priority." },
{ .id = "rp-off", .contrary = "cnp.handled", .signs = { { "rp-on", 60 }, { "cnp-obeyed", 45 } }, .source = FROM_HW_COUNTERS,
  .title = "DCQCN reaction point (RP) is disabled on a sender",
  .why = "It keeps its rate while queues fill: steady pause for it and its neighbors.",
  .change = "Enable the reaction point for this priority." },
{ .id = "cnp-marked-wrong", .signs = { { "cnp-marked-as-wanted", 60 }, { "cnp-lands", 50 } }, .source = FROM_HW_COUNTERS "; " FROM_CUMULUS,
  .title = "CNP marking differs from policy",
  .why = "CNPs wait behind data, or are dropped with it.",
  .change = "Set the DSCP and the 802.1p priority of CNPs as the policy requires." },
{ .id = "cnp-starved", .signs = { { "ets-cnp-served", 60 }, { "cnp-loop-closed", 40 } }, .source = FROM_HW_COUNTERS "; " FROM_CUMULUS,
  .title = "CNPs wait behind data",
  .why = "A CNP that arrives late slows its sender too late: queues grow to the PFC limit.",
  .change = "Give the CNP class strict priority, or its ETS bandwidth." },
{ .id = "ets-wrong", .signs = { { "ets-adds-up", 55 }, { "ets-as-wanted", 50 } }, .source = FROM_MLX5_DCB,
  .title = "ETS bandwidth differs from policy",
  .why = "Under load the classes get other shares of the link than planned.",
  .change = "Set the bandwidth of all classes in one command; it adds up to 100 %." },
{ .id = "buffer-small", .signs = { { "buffer-alone", 50 } }, .source = FROM_MLX5_BUFFER,
  .title = "A lossless priority has no buffer of its own",
  .why = "Lossy traffic fills the buffer and makes it send pause.",
  .change = "Give lossless priorities a receive buffer of their own." },
{ .id = "drift", .signs = { { "fleet-alike", 40 }, { "lldpad-off", 50 }, { "dcbx-off", 50 }, { "config-saved", 40 },
  { "tools-agree", 40 }, { "port-as-wanted", 40 }, { "device-as-wanted", 40 } },
  .source = FROM_MLNX_QOS,
  .title = "Settings drift, or something may overwrite them",
  .why = "What was set by hand is replaced by lldpad, by DCBX in the firmware, or at the next boot.",
  .change = "Find what overwrites them (lldpad, DCBX, a reboot), re-apply, and make the settings persistent." },
{ .id = "qos-not-kept", .of_host = true, .signs = { { "qos-kept", 30 } }, .source = FROM_MLNX_QOS,
  .title = "A reboot would forget the host's QoS",
  .why = "The tools change the running state; no boot-time file that was read names them.",
  .change = "fabcon emit systemd HOST writes a unit; or let the site's own tool set it at each boot." },
{ .id = "pause-storm", .contrary = "rx.packets", .signs = { { "pause-storm", 60 } }, .of_link = true, .roots = 1 << ROOT_STORM,
  .source = FROM_PFCWD,
  .title = "PFC storm: a host pauses its switch port continuously",
  .why = "A stuck receiver pauses its switch, then its neighbors, then the fabric.",
  .change = "Take the port down or reset the host; turn the PFC watchdogs on." },
{ .id = "slow-receiver", .of_host = true, .signs = { { "slow-receiver", 60 }, { "memory-keeps-up", 45 } },
  .asked = { "X8", ANSWER_NO, 45, 11 }, .of_link = true,
  .roots = 1 << ROOT_SLOW_RECEIVER,
  .source = FROM_MLX5_COUNTERS,
  .title = "A host is a slow receiver",
  .why = "Its NIC cannot write packets to memory as fast as they arrive: it pauses its switch, which pauses the senders.",
  .change = "Check PCIe width and speed, ACS and IOMMU, relaxed ordering, NUMA." },
{ .id = "headroom-small", .signs = { { "lossless-kept", 50, .fits = is_headroom }, { "headroom-fits", 50 } },
  .source = FROM_HEADROOM "; " FROM_LOSSLESS,
  .title = "Headroom is too small",
  .why = "Data in flight when pause is sent does not fit: lossless packets are dropped.",
  .change = "Compute it with fabcon calc headroom for speed, cable and MTU; set the buffer, or the cable length it is "
	 "computed from." },
{ .id = "watchdog-drops", .signs = { { "watchdog-quiet", 45, .fits = is_dropping } }, .source = FROM_PFCWD,
  .title = "The PFC watchdog drops packets",
  .why = "A queue was paused too long, and is freed by dropping its packets.",
  .change = "Find what sends the pause: the host behind this port, or the switch beyond." },
{ .id = "watchdog-spares", .signs = { { "storm-ended", 45 }, { "watchdog-quiet", 40, .fits = is_not_dropping } }, .source = FROM_PFCWD,
  .title = "A queue is in a PFC storm, with no sign that the PFC watchdog drops",
  .why = "Its action is alert or forward, or is unknown: the queue stays paused, or sends what its peer has no room for.",
  .change = "Find what sends the pause: the host behind this port, or the switch beyond." },
{ .id = "watchdog-off", .signs = { { "watchdog-on", 50 } }, .source = FROM_PFCWD,
  .title = "The PFC watchdog is off",
  .why = "A single host with a PFC storm can stop the whole fabric.",
  .change = "Start the PFC watchdog on this port with a detection time, action drop and a restoration time, and save the "
	 "configuration." },
{ .id = "reordering", .signs = { { "sequence-kept", 45, .fits = is_reordering } }, .source = FROM_HW_COUNTERS,
  .title = "Packets are reordered",
  .why = "A gap may cost a retransmission although nothing is lost.",
  .change = "Use adaptive routing or packet spraying only where the NICs support it; check whether a LAG rehashes." },
{ .id = "incast", .asked = { "X15", ANSWER_YES, 40, 12 }, .source = FROM_LOSSLESS,
  .title = "Incast: offered load exceeds the egress port's line rate",
  .why = "The switch pauses every upstream sender, including victim flows headed elsewhere.",
  .change = "Spread the flows to it, or place the job differently; lower Kmin, so that ECN acts earlier." },
{ .id = "deadlock", .signs = { { "no-deadlock", 70 } }, .of_link = true, .roots = 1 << ROOT_DEADLOCK, .source = FROM_DEADLOCKS,
  .title = "PFC deadlock: switches pause each other in a loop",
  .why = "Nothing moves on any of its ports, and nothing will without intervention.",
  .change = "Enable a PFC watchdog that drops on one switch, or remove the route that closes the loop; keep flooded traffic "
	 "out of lossless classes." },
{ .id = "ecmp-imbalance", .asked = { "X18", ANSWER_NO, 45, 13 }, .source = FROM_LOSSLESS,
  .title = "ECMP imbalance: one uplink is saturated while an equal-cost uplink is idle",
  .why = "Flows collide on one path and get part of the available bandwidth.",
  .change = "Add entropy: NCCL_IB_QPS_PER_CONNECTION, UDP source ports; or adaptive routing." },
{ .id = "fec-mismatch", .signs = { { "fec-same", 55 } }, .of_link = true, .source = FROM_MLX5_COUNTERS,
  .title = "FEC differs between the two ends",
  .why = "The link does not come up, or it has errors.",
  .change = "Set the same FEC at both ends." },
{ .id = "pcie-degraded", .of_host = true, .signs = { { "pcie-as-capable", 60 } },
  .asked = { "X7", ANSWER_NO, 75, 2 }, .source = FROM_MLX5_COUNTERS,
  .title = "A NIC's PCIe link runs below its capability",
  .why = "PCIe runs slower or narrower than the NIC can; where that is below the line rate, the host becomes a slow receiver.",
  .change = "Reseat the card; check BIOS, slot and riser." },
{ .id = "gpudirect-missing", .of_host = true, .signs = { { "app-gpu-direct", 60 }, { "app-not-refused", 45, .fits = is_local_protection } },
  .asked = { "X6", ANSWER_NO, 50, 2 }, .source = FROM_STACK ", corrected",
  .title = "GPUDirect RDMA is not in use",
  .why = "Every byte is copied through host memory: lower bandwidth, and CPU time.",
  .change = "Load nvidia_peermem (sudo modprobe nvidia_peermem), or use the open kernel modules with dma-buf." },
{ .id = "nccl-socket", .of_host = true, .signs = { { "app-uses-ib", 60 } },
  .asked = { "Q1", ANSWER_YES, 45, 3 }, .source = FROM_STACK,
  .title = "NCCL uses TCP (NET/Socket)",
  .why = "It found no usable RDMA device, or is configured not to use one.",
  .change = "Run with NCCL_DEBUG=INFO to see why; check NCCL_NET, NCCL_IB_HCA and the pod's network annotations." },
{ .id = "vf-unset", .of_host = true, .signs = { { "vf-as-others", 60 } },
  .asked = { "X5", ANSWER_NO, 50, 2 }, .source = FROM_DSCP,
  .title = "A port has no virtual functions, unlike its peers",
  .why = "Pods that request one get none. VFs take their QoS from the PF and refuse mlnx_qos (\"not supported\").",
  .change = "Create the virtual functions as on the other hosts; set QoS on the PF." },
{ .id = "retry-exceeded", .signs = { { "app-not-timed-out", 40, .fits = is_retry } },
  .asked = { "RETRY", ANSWER_YES, 30, 14 }, .source = FROM_HW_COUNTERS,
  .title = "Retry count exceeded",
  .why = "The path lost packets or was paused longer than the timeout, or the peer had exited: the job ends. Look for the rank that "
	 "failed first.",
  .change = "Check what was paused, down or dropping at that time; only then raise NCCL_IB_TIMEOUT." },
{ .id = "peer-not-ready", .of_host = true, .signs = { { "app-peer-ready", 60 } }, .source = FROM_ROCE,
  .title = "Receiver not ready (application)",
  .why = "The peer reported it (RNR NAK): packets get through both ways, but its process had no receive posted. This path is not "
	 "the cause; check whether the peer was itself waiting on another path.",
  .change = "Check the peer that the log names: is its process stuck or slow? (A process that exited gives retry exceeded.)" },
{ .id = "remote-access", .of_host = true, .signs = { { "app-not-refused", 60, .fits = is_remote_access } },
  .asked = { "WC10", ANSWER_YES, 50, 2 }, .source = FROM_ROCE,
  .title = "A peer refuses access to its memory",
  .why = "A registration or a key is wrong at the peer: it is not the fabric.",
  .change = "Check the application and the peer's log." },
{ .id = "local-length", .of_host = true, .signs = { { "app-not-refused", 60, .fits = is_local_length } },
  .asked = { "WC1", ANSWER_YES, 50, 2 }, .source = FROM_ROCE,
  .title = "A message was longer than the buffer posted for it",
  .why = "The application's own buffers are wrong: it is not the fabric.",
  .change = "Compare library versions and message sizes of both ends." },
{ .id = "local-protection", .of_host = true, .signs = { { "app-not-refused", 60, .fits = is_local_protection } }, .source = FROM_ROCE,
  .title = "Local memory was not registered for the requested access",
  .why = "The NIC may not read or write that memory: it is this host and its application, not the fabric.",
  .change = "Check how the application registers (GPU) memory: nvidia_peermem or DMA-BUF, IOMMU, memlock." },
{ .id = "iscsi-shares-class", .signs = { { "iscsi-apart", 60 } }, .source = FROM_QOS,
  .title = "iSCSI shares RoCE's traffic class",
  .why = "Each pauses and delays the other: pause for storage becomes pause for RoCE.",
  .change = "Map the DSCP that your iSCSI uses to a class of its own; without iSCSI, map DSCP 4 to a lossy priority." },
{ .id = "dcqcn-aggressive", .signs = { { "dcqcn-calm", 60 } }, .source = FROM_PARAMETERS "; bounds: fabcon defaults",
  .title = "DCQCN increases its rate too fast",
  .why = "The sender reacts to CNPs, and the queue fills again at once: steady pause in spite of ECN.",
  .change = "Set rpg_ai_rate, rpg_hai_rate and rpg_min_rate back to their defaults (5, 50, 1 Mb/s)." },
};
const size_t known_cause_count = sizeof(known_causes) / sizeof(*known_causes);

const struct known_cause *known_cause_find(const char *id)
{
	for (size_t i = 0; i < known_cause_count; i++)
		if (strcmp(known_causes[i].id, id) == 0)
			return &known_causes[i];
	return NULL;
}
