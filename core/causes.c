/* What can be the matter with a lossless fabric, a row each. Weights: 60 a wrong setting seen by itself, 50 the same told
 * by a relation of two, 40 what only counters show. */
#include "core/diagnosis.h"

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

static bool is_unmarked(const struct diagnosis *d, const struct finding *f)
{
	uint64_t tos;

	return tos_of(d, f, &tos) && !is_lossless_mark(d, f, tos);
}

const struct known_cause known_causes[] = {
{ .id = "unreachable", .signs = { { "device-reached", 60 } }, .source = "house",
  .title = "The device cannot be reached",
  .why = "Nothing is known of it: a fault there cannot be seen, and is not excluded.",
  .change = "Mend what the message names: address, key, login, route." },
{ .id = "garbled-answers", .signs = { { "answers-understood", 50, .though_unknown = true } }, .source = "house",
  .title = "The device answers with what nobody can read",
  .why = "What its answers should have said is unknown, not healthy.",
  .change = "Look at the raw reply; log in by hand and ask the same." },
{ .id = "slow-answers", .signs = { { "answers-in-time", 45, .though_unknown = true } }, .source = "house",
  .title = "The device answers late",
  .why = "Old values are not known any more; a host that is too busy to answer may be too busy to receive.",
  .change = "See what keeps its CPU or its management network busy." },
{ .id = "link-down", .signs = { { "link-up", 60 }, { "rdma-active", 50 } }, .of_link = true, .source = "DOMAIN 10 X2",
  .title = "A link is down",
  .why = "Jobs fall back to other rails or to TCP, or do not start.",
  .change = "Look at cable, transceiver, FEC and speed at both ends, and whether a port is shut." },
{ .id = "miswired", .signs = { { "cables-swapped", 60 }, { "cabled-as-planned", 60 } }, .of_link = true, .source = "house",
  .title = "A cable is in the wrong port",
  .why = "Rails cross, and settings made for one neighbour meet another.",
  .change = "Swap the two cables at one of their ends, or correct the plan." },
{ .id = "speed-mismatch", .signs = { { "speed-same", 60 } }, .of_link = true, .source = "DOMAIN 10 X2",
  .title = "The two ends run at different speeds",
  .why = "Headroom and thresholds are computed for another link than it is.",
  .change = "Fix speed and auto-negotiation at both ends." },
{ .id = "degraded-link", .signs = { { "wire-clean", 60 } }, .of_link = true, .roots = 1 << ROOT_DEGRADED,
  .source = "DOMAIN 8 row 13, 10 X19",
  .title = "A cable damages frames",
  .why = "Each damaged frame costs a go-back-N of its connection.",
  .change = "Clean or swap cable and transceiver; compare FEC at both ends." },
{ .id = "mtu-mismatch", .signs = { { "mtu-fits", 60 }, { "rdma-mtu", 50 }, { "mtu-as-wanted", 50 } }, .of_link = true,
  .source = "DOMAIN 1.2, 10 X9",
  .title = "Packets of one end are too large for the other",
  .why = "Full-size packets are dropped while small ones pass: connections come up and then hang.",
  .change = "Set the switch's MTU to at least the host's plus 22 (9216 with 9000 is right)." },
{ .id = "soft-roce", .signs = { { "rdma-hardware", 60 } }, .source = "DOMAIN 10 X1",
  .title = "Soft-RoCE is used instead of the hardware",
  .why = "The CPU makes every packet: slow, and no PFC class or DCQCN applies.",
  .change = "Use the hardware's RDMA device; remove the rxe link." },
{ .id = "driver-not-ready", .signs = { { "driver-ready", 60 }, { "modules-loaded", 60 } }, .source = "DOMAIN 9 FIX1",
  .title = "The NIC driver or an RDMA module is not there",
  .why = "RDMA devices come and go, or programs cannot open them: jobs fall back to TCP.",
  .change = "Wait for the driver container or read its log; modprobe ib_uverbs." },
{ .id = "memlock-low", .signs = { { "memlock-enough", 60 } }, .source = "DOMAIN 10 X4",
  .title = "Too little memory may be locked",
  .why = "RDMA registers buffers by locking them: registering fails, and jobs fall back or end.",
  .change = "Set memlock to unlimited for the jobs' user (limits.conf, the container runtime)." },
{ .id = "gid-wrong", .signs = { { "gid-v2", 60 } }, .source = "DOMAIN 10 X3",
  .title = "There is no RoCE v2 GID with the right address",
  .why = "Packets are RoCE v1, which is not routed and carries no DSCP; or connections fail.",
  .change = "Give the interface its IPv4 address; NCCL_IB_GID_INDEX to the v2 entry." },
{ .id = "bond-member-unset", .signs = { { "bond-members-alike", 60 } }, .source = "DOMAIN 11-6, 10 X20",
  .title = "A bond's member was never set up",
  .why = "The bond knows nothing of trust, PFC and ECN: flows that hash to this member are lossy.",
  .change = "Apply the same settings to each member port." },
{ .id = "tos-not-ect", .signs = { { "tos-ecn", 60, .fits = is_not_ect } }, .source = "DOMAIN 4.1 drop trap",
  .title = "RoCE packets say that they cannot be marked",
  .why = "Over the threshold some switches drop what they cannot mark, lossless class or not.",
  .change = "cma_roce_tos -d DEVICE -t 106; NCCL_IB_TC=106." },
{ .id = "tos-unmarked", .signs = { { "tos-ecn", 60, .fits = is_unmarked } }, .source = "DOMAIN 11-5, 10 X10",
  .title = "RoCE packets carry no DSCP of the lossless class",
  .why = "They travel with everything else and are dropped under load.",
  .change = "cma_roce_tos -d DEVICE -t 106, and NCCL_IB_TC=106 (its own default is 0)." },
{ .id = "trust-wrong", .signs = { { "trust-as-wanted", 60 }, { "trust-same", 50 } }, .source = "DOMAIN 1.2, 9 FIX5",
  .title = "A port does not trust DSCP",
  .why = "The marking is ignored: RoCE goes to the default priority, which is lossy.",
  .change = "Host: mlnx_qos --trust dscp. Switch: apply the DSCP trust map to the port." },
{ .id = "dscp-map-wrong", .source = "DOMAIN 1, 11-7",
  .signs = { { "dscp-map-as-wanted", 60, .stands_alone = true }, { "dscp-same", 50 }, { "prio-tc-as-wanted", 60, .stands_alone = true },
	     { "tc-queue-as-wanted", 60, .stands_alone = true }, { "pfc-queue-agrees", 55 }, { "best-effort-lossy", 45 } },
  .title = "A map sends RoCE to another priority, class or queue",
  .why = "RoCE outside the lossless class is dropped under load; CNPs in a data class come late.",
  .change = "Host: mlnx_qos --dscp2prio set,26,3. Switch: correct the map on the port." },
{ .id = "pfc-one-sided", .signs = { { "pfc-on-where-wanted", 60 }, { "pfc-same", 50 } }, .source = "DOMAIN 3.1, 12",
  .title = "PFC is missing at an end of a link",
  .why = "That end neither sends nor obeys pause: a full buffer drops.",
  .change = "Turn PFC on at both ends in one step. On mlx5 the link flaps." },
{ .id = "pfc-extra", .signs = { { "pfc-only-where-wanted", 60 }, { "priority-quiet", 45 } }, .source = "DOMAIN 8 row 16",
  .title = "PFC is on for a priority that is to be lossy",
  .why = "Each lossless priority takes headroom, and its pause spreads to traffic that could have been dropped.",
  .change = "Turn PFC off for it at both ends." },
{ .id = "global-pause", .signs = { { "pause-frames-off", 65 }, { "link-pause-quiet", 45 } }, .of_link = true,
  .source = "DOMAIN 8 row 17",
  .title = "802.3x link pause is on",
  .why = "It excludes PFC and stops every priority at once, CNPs among them.",
  .change = "Host: ethtool -A IF rx off tx off. Switch: flowcontrol receive off, transmit off." },
{ .id = "ecn-off", .signs = { { "ecn-on", 60 } }, .roots = 1 << ROOT_CONGESTION, .source = "DOMAIN 8 row 1",
  .title = "ECN is off on a lossless queue of a switch",
  .why = "Senders are never told to slow down: PFC is all that is left, and it spreads.",
  .change = "Apply a WRED profile with ECN to the queue (150 KB, 1500 KB, 100 %)." },
{ .id = "ecn-late", .signs = { { "ecn-before-pfc", 60 }, { "ecn-sane", 60 }, { "ecn-as-wanted", 50 } },
  .roots = 1 << ROOT_CONGESTION, .source = "DOMAIN 4.1, 9 FIX4",
  .title = "Marking begins too late",
  .why = "PFC stops the queue before it is long enough to be marked: no marks, steady pause.",
  .change = "Lower Kmin below the fill at which pause is sent, as the policy says." },
{ .id = "np-off", .signs = { { "np-on", 60 }, { "marks-answered", 45 } }, .roots = 1 << ROOT_CONGESTION,
  .source = "DOMAIN 8 row 3",
  .title = "A receiver does not answer marks with CNPs",
  .why = "Its senders never slow down: steady pause.",
  .change = "echo 1 > /sys/class/net/IF/ecn/roce_np/enable/3" },
{ .id = "rp-off", .signs = { { "rp-on", 60 }, { "cnp-obeyed", 45 } }, .source = "DOMAIN 8 row 5",
  .title = "A sender does not obey CNPs",
  .why = "It keeps its rate while queues fill: steady pause for it and for its neighbours.",
  .change = "echo 1 > /sys/class/net/IF/ecn/roce_rp/enable/3" },
{ .id = "cnp-marked-wrong", .signs = { { "cnp-marked-as-wanted", 60 }, { "cnp-lands", 50 } }, .source = "DOMAIN 8 row 4",
  .title = "CNPs are not marked as wanted",
  .why = "They wait behind data, or are dropped with it.",
  .change = "echo 48 > /sys/class/net/IF/ecn/roce_np/cnp_dscp" },
{ .id = "cnp-starved", .signs = { { "ets-cnp-served", 60 }, { "cnp-loop-closed", 40 } }, .source = "DOMAIN 8 row 4, 11-25",
  .title = "CNPs wait behind data",
  .why = "A CNP that comes late slows its sender too late: queues grow to the PFC limit.",
  .change = "Serve the class of the CNPs first (strict), or give it its share." },
{ .id = "ets-wrong", .signs = { { "ets-adds-up", 55 }, { "ets-as-wanted", 50 } }, .source = "DOMAIN 1.1",
  .title = "Bandwidth shares are not as meant",
  .why = "Under load the classes get other parts of the link than planned.",
  .change = "Set the shares of all classes in one command; they add up to 100." },
{ .id = "buffer-small", .signs = { { "buffer-alone", 50 } }, .source = "DOMAIN 1.1 receive",
  .title = "A lossless priority has no buffer of its own",
  .why = "Lossy traffic fills the buffer and makes it send pause.",
  .change = "Give lossless priorities a receive buffer of their own." },
{ .id = "drift", .signs = { { "fleet-alike", 40 }, { "lldpad-off", 50 }, { "dcbx-off", 50 }, { "config-saved", 40 }, { "tools-agree", 40 } },
  .source = "DOMAIN 10 X21",
  .title = "Settings drift, or something may overwrite them",
  .why = "What was set by hand is replaced by lldpad, by DCBX in the firmware, or at the next boot.",
  .change = "Find who overwrites (lldpad, DCBX, a reboot), re-apply, and make it last." },
{ .id = "pause-storm", .signs = { { "pause-storm", 60 } }, .of_link = true, .roots = 1 << ROOT_STORM,
  .source = "DOMAIN 3.3, 8 row 14",
  .title = "A host sends pause without end",
  .why = "A stuck receiver stops its switch, then its neighbours, then the fabric.",
  .change = "Take the port down or reset the host; turn the watchdogs on." },
{ .id = "slow-receiver", .signs = { { "slow-receiver", 60 } }, .of_link = true, .roots = 1 << ROOT_SLOW_RECEIVER,
  .source = "DOMAIN 3.1, 8 row 9, 10 X12",
  .title = "A host is a slow receiver",
  .why = "Its NIC cannot hand packets to memory as fast as they come: it pauses its switch, which pauses the senders.",
  .change = "Look at PCIe width and speed, ACS and IOMMU, relaxed ordering, out_of_buffer." },
};
const size_t known_cause_count = sizeof(known_causes) / sizeof(*known_causes);

const struct known_cause *known_cause_find(const char *id)
{
	for (size_t i = 0; i < known_cause_count; i++)
		if (strcmp(known_causes[i].id, id) == 0)
			return &known_causes[i];
	return NULL;
}
