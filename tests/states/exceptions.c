#include "tests/states/exceptions.h"

#include "core/judge/judge_context.h"

/* Facts that say what a place is, and whom it faces: without one of them another thing is judged there. */
static const struct {
	enum field field;
	const char *why;
} places_are[] = {
	{ FIELD_PLATFORM, "a device of no known platform is taken for a host" },
	{ FIELD_ROLE, "functions and bonds are judged elsewhere" },
	{ FIELD_RDMA, "only ports with an RDMA device are judged for it" },
	{ FIELD_RDMA_LAYER, "InfiniBand is not judged" },
	{ FIELD_RDMA_IWARP, "iWARP is not judged" },
	{ FIELD_RDMA_SOFT, "soft RDMA beside hardware is not the fabric's" },
	{ FIELD_MANAGEMENT, "soft RDMA at the management port is not the fabric's" },
	{ FIELD_SPEED, "soft RDMA slower than the hardware's is not the fabric's" },
	{ FIELD_BOND, "a member carries the RDMA device of its bond" },
	{ FIELD_HOSTNAME, "LLDP names neighbors by it" },
	{ FIELD_PEER_NAME, "LLDP" }, { FIELD_PEER_PORT, "LLDP" }, { FIELD_PEER_MAC, "LLDP" }, { FIELD_PEER_CHASSIS, "LLDP" },
	{ FIELD_MAC, "LLDP names neighbors by it" }, { FIELD_ALIAS, "LLDP names ports by it" },
	{ FIELD_NEIGHBORS, "who is on the same segment" }, { FIELD_FDB, "who is on the same segment" },
};

bool exceptions_allow_another(enum field f)
{
	for (size_t i = 0; i < sizeof(places_are) / sizeof(*places_are); i++)
		if (places_are[i].field == f)
			return true;
	return false;
}

#define OF_MAPS \
	"best-effort-lossy iscsi-apart ecn-as-wanted ecn-before-pfc ecn-on ecn-sane ets-cnp-served lossless-kept marks-arrive pause-storm " \
	"pfc-queue-agrees prio-tc-as-wanted tc-queue-as-wanted watchdog-quiet storm-ended storms-past " \
	"class-kept"
#define EITHER TAKEN_WAYS

/* Verdicts that may improve without a cell, a row each: where a fact that nobody states means something by itself. */
static const struct {
	enum field field;
	enum taken how;		/* EITHER: also when it is unknown */
	enum side side;
	const char *checks, *why;
} exceptions[] = {
	{ FIELD_TOS_FORCE, TAKEN_ABSENT, SIDE_HOST, "tos-ecn app-tos-as-wanted", "absent is not forced (field.h)" },
	{ FIELD_PRIO_TC, TAKEN_ABSENT, SIDE_SWITCH, OF_MAPS, "a switch prints no map that is the identity" },
	{ FIELD_TC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, OF_MAPS, "a switch prints no map that is the identity" },
	{ FIELD_PRIO_PG, TAKEN_ABSENT, SIDE_ANY, "ecn-before-pfc lossless-kept", "what is not printed is the identity" },
	{ FIELD_PRIO_PG, TAKEN_ABSENT, SIDE_ANY, "headroom-fits", "what is not printed is the identity" },
	{ FIELD_PRIO_PG, TAKEN_ABSENT, SIDE_ANY, "buffer-alone", "a priority of which no buffer is told shares none that is" },
	{ FIELD_PFC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, "pause-storm", "a pause stops the queue of the packets where no map is told" },
	{ FIELD_PFC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, "pfc-queue-agrees", "judged by the other lossless priority alone" },
	{ FIELD_ETS_ALGO, TAKEN_ABSENT, SIDE_ANY, "ets-adds-up ets-as-wanted ets-cnp-served", "a share that is told says how" },
	{ FIELD_ETS_SHARE, TAKEN_ABSENT, SIDE_ANY, "ets-adds-up ets-as-wanted", "a class without a share is not served by one" },
	{ FIELD_APP_STATUS, TAKEN_ABSENT, SIDE_HOST, "app-not-refused app-peer-ready app-not-timed-out", "told only where a completion failed" },
	{ FIELD_APP_WARNING, TAKEN_ABSENT, SIDE_HOST, "app-quiet", "told only where the log warns" },
	{ FIELD_KERNEL_TROUBLE, TAKEN_ABSENT, SIDE_HOST, "kernel-quiet", "told only where there is trouble" },
	{ FIELD_CNP_PRIO, TAKEN_ABSENT, SIDE_HOST, "cnp-marked-as-wanted", "not every NIC has one" },
	{ FIELD_DCBX, TAKEN_ABSENT, SIDE_HOST, "dcbx-off", "some tools tell of one of the two" },
	{ FIELD_DCBX_WILLING, TAKEN_ABSENT, SIDE_HOST, "dcbx-off", "some tools tell of one of the two" },
	{ FIELD_PCIE_SPEED_MAX, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "virtual machines do not tell it" },
	{ FIELD_PCIE_WIDTH_MAX, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "virtual machines do not tell it" },
	{ FIELD_PHY_ERR, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_PHY_SYMBOL_ERR, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_FEC_LOST, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_ICRC_ERR, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_LINK_DOWNS, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_LINK_CHANGES, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_RX_DROP, TAKEN_ABSENT, SIDE_ANY, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DROP_BUFFER, TAKEN_ABSENT, SIDE_HOST, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DROP_CONGESTION, TAKEN_ABSENT, SIDE_HOST, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_TX_DROP, TAKEN_ABSENT, SIDE_SWITCH, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_PG_DROP, TAKEN_ABSENT, SIDE_SWITCH, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DISCARD, TAKEN_ABSENT, SIDE_ANY, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_PAUSE_RX_FRAMES, TAKEN_ABSENT, SIDE_ANY, "link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PAUSE_TX_FRAMES, TAKEN_ABSENT, SIDE_ANY, "link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PFC_STORM, TAKEN_ABSENT, SIDE_ANY, "pause-storm watchdog-quiet storm-ended storms-past", "a system may have no watchdog" },
	{ FIELD_PFC_STORMED, TAKEN_ABSENT, SIDE_ANY, "pause-storm watchdog-quiet storm-ended storms-past", "a system may have no watchdog" },
	{ FIELD_PFC_RESTORED, TAKEN_ABSENT, SIDE_ANY, "storms-past", "a system may not count the storms that ended" },
	{ FIELD_WATCHDOG_ACTION, EITHER, SIDE_SWITCH, "storm-ended", "what is dropped in a storm tells the action" },
	{ FIELD_CNP_IGNORED, TAKEN_ABSENT, SIDE_HOST, "cnp-obeyed cnp-loop-closed", "not every NIC counts it" },
	{ FIELD_STORM_ERR, TAKEN_ABSENT, SIDE_HOST, "pause-storm", "not every NIC has stall prevention" },
	{ FIELD_PFC_RX_US, TAKEN_ABSENT, SIDE_ANY, "not-paused not-pausing pause-storm slow-receiver",
	  "the other end's time tells, or frames bound the pause from above" },
	{ FIELD_PFC_TX_US, TAKEN_ABSENT, SIDE_ANY, "not-paused not-pausing pause-storm slow-receiver",
	  "the other end's time tells, or frames bound the pause from above" },
	{ FIELD_PFC_RX_US, TAKEN_ABSENT, SIDE_HOST, "ecn-carries", "the paused time is not counted there" },
	{ FIELD_RX_PACKETS, TAKEN_ABSENT, SIDE_HOST, "pause-storm", "bytes tell whether anything arrives" },
	{ FIELD_ECN_MARKED, TAKEN_ABSENT, SIDE_SWITCH, "marks-arrive", "a switch may count no marks" },
	{ FIELD_PFC_RX, TAKEN_ABSENT, SIDE_ANY, "priority-quiet link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PFC_TX, TAKEN_ABSENT, SIDE_ANY, "priority-quiet link-pause-quiet", "counted in one direction alone" },
	{ FIELD_SPEED, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "what the NIC can is asked alone" },
	{ FIELD_APP_GDR, TAKEN_ABSENT, SIDE_HOST, "app-gpu-direct", "where no log tells, the module does" },
	{ FIELD_APP_GID_INDEX, TAKEN_ABSENT, SIDE_HOST, "app-gid-alike", "a host of which no index is told is no peer" },
	{ FIELD_APP_HCA, TAKEN_ABSENT, SIDE_HOST, "app-uses-all-hcas", "where no log tells, the environment does" },
	{ FIELD_APP_HCA_SET, TAKEN_ABSENT, SIDE_HOST, "app-uses-all-hcas", "where no environment is told, the log does" },
	{ FIELD_SPEED_MAX, TAKEN_ABSENT, SIDE_HOST, "speed-as-capable", "not every driver tells what its card supports" },
	{ FIELD_VF, TAKEN_ABSENT, SIDE_ANY, "vf-as-others", "a port that was not asked is none of the others" },
	{ FIELD_TX_BYTES, TAKEN_ABSENT, SIDE_HOST, "roce-in-class", "half of what RDMA sends, in one lossless priority, is enough" },
	{ FIELD_DRIVER, EITHER, SIDE_HOST, "firmware-alike", "NICs of one driver are compared, where it tells no id of the board" },
	{ FIELD_SPEED, EITHER, SIDE_ANY, "fleet-alike firmware-alike", "ports of one speed are compared" },
	{ FIELD_SPEED, EITHER, SIDE_ANY, "not-paused not-pausing pause-storm slow-receiver", "it bounds what the frames may stop" },
	{ FIELD_RDMA, EITHER, SIDE_HOST, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_BOND, EITHER, SIDE_HOST, "fleet-alike firmware-alike vf-as-others app-gid-alike",
	  "ports that carry RoCE, or whose bond does, are compared" },
	{ FIELD_ROLE, EITHER, SIDE_HOST, "vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_LAYER, EITHER, SIDE_HOST, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_IWARP, EITHER, SIDE_HOST, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_PLATFORM, EITHER, SIDE_ANY, "fleet-alike firmware-alike", "ports of one platform are compared" },
	{ FIELD_PLATFORM, EITHER, SIDE_ANY, "vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_ROLE, EITHER, SIDE_ANY, "fleet-alike firmware-alike bond-members-alike", "ports of one role are compared" },
	{ FIELD_PEER_NAME, EITHER, SIDE_ANY, "fleet-alike", "switch ports that are known to carry RoCE are compared" },
	{ FIELD_PEER_MAC, EITHER, SIDE_ANY, "fleet-alike", "switch ports that are known to carry RoCE are compared" },
	{ FIELD_PEER_PORT, EITHER, SIDE_ANY, "fleet-alike", "switch ports that are known to carry RoCE are compared" },
	{ FIELD_PEER_NAME, EITHER, SIDE_ANY, "app-gid-alike", "a soft device on no link that is known is not judged" },
	{ FIELD_PEER_PORT, EITHER, SIDE_ANY, "app-gid-alike", "a soft device on no link that is known is not judged" },
	{ FIELD_PEER_MAC, EITHER, SIDE_ANY, "app-gid-alike", "a soft device on no link that is known is not judged" },
	{ FIELD_MAC, EITHER, SIDE_ANY, "fleet-alike", "switch ports that are known to carry RoCE are compared" },
	{ FIELD_MAC, EITHER, SIDE_HOST, "app-gid-alike", "a soft device on no link that is known is not judged" },
	{ FIELD_PEER_NAME, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_PEER_PORT, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_MAC, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_PEER_MAC, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
};

/* What a port does not say is not compared with others. */
static bool is_of_fleet(enum field f)
{
	for (size_t i = 0; i < alike_count; i++)
		if (alike_fields[i] == f)
			return true;
	return false;
}

/* How long and how often a port is stopped is told by its peer too: what one end does not tell any more the other does. */
static bool is_told_beyond(const struct judged_state *j, const struct check *check, const struct evidence *cell)
{
	static const enum field ends[][2] = {
		{ FIELD_PFC_RX_US, FIELD_PFC_TX_US }, { FIELD_PFC_TX_US, FIELD_PFC_RX_US }, { FIELD_PFC_RX, FIELD_PFC_TX },
		{ FIELD_PFC_TX, FIELD_PFC_RX },
	};
	const struct link *l = cell->port ? links_of_port(&j->s.links, cell->port) : NULL;
	const struct port *far = l ? link_far(l, cell->port) : NULL;
	double per_s;

	for (size_t i = 0; far && i < sizeof(ends) / sizeof(*ends); i++)
		if (ends[i][0] == cell->field)
			return span_is_among(span_of(check->id), "not-paused not-pausing pause-storm slow-receiver") &&
			       port_rate(j->s.model, far, ends[i][1], cell->index, &per_s);
	return false;
}

bool exceptions_allow_better(const struct judged_state *j, const struct check *check, const struct evidence *cell, enum taken how,
			     enum verdict_class was)
{
	bool is_switch = findings_scene(j->fresh)->parties[cell->port ? cell->port->device->id : cell->device->id].is_switch;

	if (span_is_among(span_of(check->id), "fleet-alike firmware-alike") && is_of_fleet(cell->field) &&
	    (how == TAKEN_ABSENT || was == CLASS_UNKNOWN))
		return true;	/* and where no majority is left, one that does not tell is unlike none */
	if (is_told_beyond(j, check, cell))
		return true;
	if (how == TAKEN_ABSENT && !strcmp(check->id, "bond-members-alike"))
		return true;	/* what neither member says is not compared */
	if (how == TAKEN_ABSENT && cell->port && port_text(cell->port, FIELD_BOND))
		return true;	/* what a member does not say its bond may say */
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (exceptions[i].field == cell->field && span_is_among(span_of(check->id), exceptions[i].checks) &&
		    (exceptions[i].how == EITHER || exceptions[i].how == how) &&
		    (exceptions[i].side == SIDE_ANY || (exceptions[i].side == SIDE_SWITCH) == is_switch))
			return true;
	return false;
}

/* Where a check is wrong only because a cell is not known: it judged something else before, a row each. */
static const struct {
	enum field field;
	const char *checks, *why;
} worse[] = {
	{ FIELD_UP, "link-up", "of a link that is down the left end says so, and where that is not known the right one" },
	{ FIELD_UP, "speed-same pcie-as-capable fec-same speed-as-capable", "of a link that is down speed and FEC tell nothing" },
	{ FIELD_DRIVER, "firmware-alike", "NICs of one driver are compared, where it tells no id of the board" },
	{ FIELD_SPEED, "fleet-alike firmware-alike", "ports of one speed are compared" },
	{ FIELD_SPEED, "app-gid-alike", "soft RDMA slower than the hardware's is no peer" },
	{ FIELD_PLATFORM, "fleet-alike firmware-alike", "ports of one platform are compared" },
	{ FIELD_ROLE, "fleet-alike firmware-alike vf-as-others", "ports of one role are compared, of those that carry RoCE" },
	{ FIELD_RDMA, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_LAYER, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_IWARP, "fleet-alike firmware-alike vf-as-others app-gid-alike", "ports that carry RoCE are compared" },
	{ FIELD_PEER_NAME, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_PEER_PORT, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_PEER_MAC, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_MAC, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_WATCHDOG_ACTION, "watchdog-quiet", "a storm is wrong with each action: where it is known another check says so" },
	{ FIELD_PRIO_PG, "lossless-kept", "drops of the whole port are looked at where those of the priority are not found" },
};

bool exceptions_allow_worse(const struct check *check, enum field f)
{
	for (size_t i = 0; i < sizeof(worse) / sizeof(*worse); i++)
		if (worse[i].field == f && span_is_among(span_of(check->id), worse[i].checks))
			return true;
	return false;
}
