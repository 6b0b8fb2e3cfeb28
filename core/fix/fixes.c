/*
 * What clears each finding, one row each, in the order of core/judge/checks.c. Rows without fields are for people: no command
 * from the console changes a cable, a receiver or a job; the rows say who does what, and which manifest holds it.
 */
#include "core/fix/fix.h"

#define QOS_EMIT	"systemd machineconfig daemonset nicconfigurationtemplate os10 sonic"
#define HOST_EMIT	"systemd machineconfig daemonset nicconfigurationtemplate"
#define SWITCH_EMIT	"os10 sonic"

#define DCQCN \
	"cc.min_time_between_cnps cc.clamp_tgt_rate cc.clamp_tgt_rate_after_time_inc cc.rpg_time_reset cc.rpg_byte_reset " \
	"cc.rpg_threshold cc.rpg_max_rate cc.rpg_ai_rate cc.rpg_hai_rate cc.rpg_gd cc.rpg_min_dec_fac cc.rpg_min_rate " \
	"cc.rate_to_set_on_first_cnp cc.dce_tcp_g cc.dce_tcp_rtt cc.rate_reduce_monitor_period cc.initial_alpha_value"

const struct fix fix_table[] = {
/* Devices */
{ "device-reached", .instead = "fix what the message names: address, key, login or route; no commands are sent to an unreachable device" },
{ "answers-understood", .instead = "read the raw reply; a value that could not be parsed is never overwritten" },
{ "answers-in-time", .instead = "the device's owner: find what loads its CPU or its management network" },
{ "driver-ready", .instead = "the cluster's operator: wait for the driver container, or read its log" },
{ "modules-loaded", .fields = "modules", .emit = "systemd machineconfig" },
{ "memlock-enough", .emit = "machineconfig",
  .instead = "the host's owner: memlock unlimited for the jobs' user (limits.conf, the container runtime)" },
{ "app-memlock-enough", .emit = "machineconfig",
  .instead = "the job's owner: memlock unlimited (limits.conf, the container runtime, systemd's LimitMEMLOCK)" },
{ "app-uses-ib", .emit = "nccl-env networkattachmentdefinition",
  .instead = "the job's owner: NCCL_NET, NCCL_IB_DISABLE and NCCL_IB_HCA; its container needs /dev/infiniband" },
{ "app-gpu-direct", .instead = "the host's owner: load nvidia_peermem, or drivers with DMA-BUF; GPU and NIC behind one PCIe switch" },
{ "app-not-refused", .instead = "the job's owner: fabcon nccl LOG gives the next step for each error" },
{ "app-peer-ready", .instead = "check the process of the named peer" },
{ "app-not-timed-out", .instead = "fix the findings on the path to the named peer, then check the peer itself" },
{ "app-quiet", .instead = "the job's owner: fabcon nccl LOG explains known warnings" },
{ "app-bandwidth", .instead = "fix the other findings here; then PCIe, NUMA and CPU frequency of both ends" },
{ "kernel-quiet", .instead = "the host's owner: read the lines around it (sudo dmesg -T), and fix what they name" },
{ "pcie-as-capable", .instead = "the rack technician: reseat the card, try another slot; then the BIOS" },
{ "vf-as-others", .emit = "sriovnetworknodepolicy",
  .instead = "where the SR-IOV operator runs, its policy creates the VFs; elsewhere the host's owner (sriov_numvfs)" },
{ "lldpad-off", .emit = "machineconfig",
  .instead = "the host's owner: sudo systemctl disable --now lldpad.socket lldpad.service, or manage the settings through it" },
{ "qos-kept", .emit = "systemd",
  .instead = "the host's owner: a unit that sets it at each boot (fabcon emit systemd HOST), or the site's own tool" },
{ "tcp-ecn-is-tcp", .instead = "no action: RoCE ignores this sysctl" },
{ "device-as-wanted", .fields = "tcp_ecn modules" },
{ "config-saved", .fields = "config.saved" },

/* The port and RDMA on it */
{ "rdma-known", .instead = "make what the message names readable to our login" },
{ "link-up", .instead = "the rack technician: cable, transceiver, FEC and speed at both ends. Where a port is shut (ip link: no UP; "
			"OS10: shutdown; SONiC: admin down), first ask whoever shut it" },
{ "rdma-hardware", .instead = "the host's owner: remove the rxe link, and use the hardware's RDMA device" },
{ "rdma-active", .instead = "the host's owner: bring the interface up, and read the driver's messages" },
{ "gid-v2", .emit = "networkmanager networkattachmentdefinition",
  .instead = "the host's owner: give the interface its address" },
{ "app-gid-is-v2", .emit = "nccl-env",
  .instead = "the job's owner: NCCL_IB_GID_INDEX set to the v2 entry, or unset with NCCL 2.21 and later" },
{ "app-gid-alike", .emit = "networkmanager nccl-env",
  .instead = "the host's owner: the same address type as on the other hosts; the job's owner: NCCL_IB_GID_INDEX, or unset with NCCL "
	     "2.21 and later" },
{ "app-uses-all-hcas", .emit = "nccl-env",
  .instead = "the job's owner: NCCL_IB_HCA listing every device of the fabric, or unset" },
{ "rdma-mtu", .fields = "mtu", .emit = "networkmanager os10 sonic" },
{ "tos-ecn", .fields = "tos.cma tos.force", .emit = "systemd daemonset nccl-env" },
{ "app-tos-as-wanted", .emit = "nccl-env",
  .instead = "the job's owner: NCCL_IB_TC as the policy's ToS, in the job's environment or /etc/nccl.conf" },
{ "dcbx-off", .fields = "dcbx dcbx.willing", .emit = HOST_EMIT },
{ "bond-members-alike", .ends = FIX_MEMBERS, .emit = HOST_EMIT,
  .fields = "trust dscp.prio prio.tc pause.rx pause.tx pfc.on ets.algo ets.share ecn.np ecn.rp cnp.dscp cnp.prio tos.cma mtu" },
{ "tools-agree", .instead = "read both by hand, and update the older tool" },
{ "firmware-as-wanted", .instead = "the host's owner: the vendor's firmware update, then a reset of the card or a reboot" },
{ "firmware-alike", .instead = "the host's owner: the vendor's firmware update, then a reset of the card or a reboot" },
{ "fleet-alike", .emit = HOST_EMIT,
  .fields = "trust mtu cable dcbx cnp.dscp cnp.prio tos.cma tos.force " DCQCN },

/* The cable */
{ "cables-swapped", .instead = "the rack technician: swap the two cables at one of their ends, or correct the plan" },
{ "cabled-as-planned", .instead = "the rack technician: move the cable, or correct the plan" },
{ "planned-cables-known", .instead = "the owner of the cable plan: correct the name, or add the device to the inventory" },
{ "far-end-known", .instead = "add the neighbor to the inventory, or let LLDP run at both ends" },
{ "speed-same", .instead = "the rack technician: speed and auto-negotiation at both ends; a change of it takes the link down" },
{ "speed-as-capable", .instead = "the rack technician: cable and transceiver for the card's speed; then the switch port's" },
{ "mtu-fits", .fields = "mtu", .ends = FIX_BOTH_ENDS, .emit = "networkmanager os10 sonic" },
{ "port-as-wanted", .emit = QOS_EMIT,
  .fields = "ets.algo ets.share prio.pg pfc.queue buffer.size cable dcbx dcbx.willing tos.force " DCQCN },
{ "mtu-as-wanted", .fields = "mtu", .emit = "networkmanager os10 sonic" },

/* Marking, priority, class. A switch has a DSCP map only while it trusts DSCP: both in one fix. */
{ "trust-as-wanted", .fields = "trust dscp.prio", .emit = QOS_EMIT },
{ "trust-same", .fields = "trust dscp.prio", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "dscp-map-as-wanted", .fields = "dscp.prio", .emit = QOS_EMIT },
{ "dscp-same", .fields = "trust dscp.prio", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "best-effort-lossy", .fields = "dscp.prio prio.tc tc.queue", .emit = QOS_EMIT },
{ "iscsi-apart", .fields = "dscp.prio", .emit = QOS_EMIT },
{ "prio-tc-as-wanted", .fields = "prio.tc", .emit = QOS_EMIT },
{ "tc-queue-as-wanted", .fields = "tc.queue", .emit = SWITCH_EMIT },
{ "ets-adds-up", .fields = "ets.algo ets.share", .emit = QOS_EMIT },
{ "ets-cnp-served", .fields = "ets.algo ets.share", .emit = QOS_EMIT },
{ "ets-as-wanted", .fields = "ets.algo ets.share", .emit = QOS_EMIT },

/* Flow control: pause configured at only one end is either ignored or never sent. */
{ "pfc-on-where-wanted", .fields = "pfc.on", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "pfc-only-where-wanted", .fields = "pfc.on", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "pfc-same", .fields = "pfc.on", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "pause-frames-off", .fields = "pause.rx pause.tx pfc.on", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "pfc-queue-agrees", .fields = "pfc.queue", .emit = SWITCH_EMIT },
{ "buffer-alone", .fields = "prio.pg", .emit = QOS_EMIT },
{ "headroom-fits", .instead = "the switch's owner: the port's cable length and buffer profile, to match the installed cable" },
{ "watchdog-on", .fields = "pfc.watchdog", .emit = SWITCH_EMIT },

/* CE marks and CNPs */
{ "ecn-on", .fields = "ecn.on ecn.kmin ecn.kmax ecn.pmax", .emit = SWITCH_EMIT },
{ "ecn-sane", .fields = "ecn.kmin ecn.kmax ecn.pmax", .emit = SWITCH_EMIT },
{ "ecn-before-pfc", .fields = "ecn.kmin ecn.kmax ecn.pmax", .emit = SWITCH_EMIT },
{ "ecn-as-wanted", .fields = "ecn.kmin ecn.kmax ecn.pmax", .emit = SWITCH_EMIT },
{ "np-on", .fields = "ecn.np", .emit = HOST_EMIT },
{ "rp-on", .fields = "ecn.rp", .emit = HOST_EMIT },
{ "cnp-marked-as-wanted", .fields = "cnp.dscp cnp.prio", .emit = HOST_EMIT },
{ "cnp-lands", .fields = "cnp.dscp cnp.prio trust dscp.prio", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },

/* Traffic counters: the findings are consequences, or need a person */
{ "counters-move", .instead = "the device's owner: enable its counters, or use the counters of its neighbors" },
{ "pause-storm", .instead = "the rack technician: take the port down or reset the host; until then, only a PFC watchdog with the "
			    "action drop contains it" },
{ "pause-counted-alike", .instead = "compare LLDP and the cable plan with the cable, and fix the findings at either end" },
{ "roce-in-class", .emit = "nccl-env", .instead = "fix the cause: the marking (NCCL_IB_TC, default ToS) or the NIC's DSCP map" },
{ "class-kept", .instead = "fix the cause: trust and DSCP maps of the two ends, or a device that rewrites DSCP" },
{ "memory-keeps-up", .instead = "the host's owner: PCIe width and speed, relaxed ordering, ACS and IOMMU, NUMA" },
{ "slow-receiver", .instead = "the host's owner: PCIe width and speed, ACS and IOMMU, relaxed ordering, NUMA" },
{ "wire-clean", .instead = "the rack technician: clean or swap cable and transceiver; compare FEC at both ends" },
{ "bits-clean", .instead = "the rack technician: clean or swap cable and transceiver" },
{ "not-paused", .instead = "fix the cause: follow the pause to its source" },
{ "not-pausing", .instead = "fix the cause: the paused or congested egress port of this switch" },
{ "ecn-carries", .instead = "fix the cause: follow the pause to its source" },
{ "uplinks-even", .emit = "nccl-env", .instead = "the job's owner: NCCL_IB_QPS_PER_CONNECTION; the network's: the hash, adaptive routing" },
{ "watchdog-quiet", .instead = "fix the cause: the host behind this port, or the next switch, that sends the pause" },
{ "lossless-kept", .instead = "fix the cause: PFC and maps first; then headroom for cable length and MTU" },
{ "sequence-kept", .instead = "fix the cause: drops on the path first; otherwise adaptive routing or a rehashed LAG" },
{ "acks-come", .emit = "nccl-env", .instead = "fix the cause: drops, long pause, links that went down" },
{ "priority-quiet", .instead = "fix the cause: identify the traffic in that priority" },
{ "link-pause-quiet", .fields = "pause.rx pause.tx pfc.on", .ends = FIX_BOTH_ENDS, .emit = QOS_EMIT },
{ "marks-arrive", .instead = "fix the cause: marking and maps, or a tunnel that clears ECN" },
{ "marks-answered", .fields = "ecn.np", .emit = HOST_EMIT },
{ "cnp-obeyed", .fields = "ecn.rp", .emit = HOST_EMIT },
{ "cnp-loop-closed", .fields = "cnp.dscp cnp.prio trust dscp.prio ets.algo ets.share ecn.np ecn.rp", .ends = FIX_FABRIC,
  .emit = QOS_EMIT },
{ "dcqcn-calm", .fields = "cc.rpg_ai_rate cc.rpg_hai_rate cc.rpg_min_rate", .emit = HOST_EMIT },
};

const size_t fix_count = sizeof(fix_table) / sizeof(*fix_table);

const struct fix *fix_find(const char *check)
{
	for (size_t i = 0; i < fix_count; i++)
		if (!strcmp(fix_table[i].check, check))
			return &fix_table[i];
	return NULL;
}

const char *fix_instead(const struct check *check)
{
	const struct fix *fix = fix_find(check->id);

	return fix && fix->instead ? fix->instead : check->change;
}
