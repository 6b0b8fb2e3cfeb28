/*
 * The dictionary: every fact's field, once. Recording, comparing, filtering, showing, explaining, simulating and planning
 * are each written over this table; a new field is a new row here and nothing else.
 *
 * Inside the program a field has one unit, the one of its row; parsers convert at the door.
 */
#ifndef CORE_MODEL_FIELD_H
#define CORE_MODEL_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/span.h"

enum scope { SCOPE_DEVICE, SCOPE_PORT };

enum kind {
	KIND_BOOL,
	KIND_INT,	/* a small number that is not a quantity over time */
	KIND_ENUM,	/* one word of the field's list */
	KIND_TEXT,
	KIND_COUNTER,	/* only grows, until a reset or a wrap */
	KIND_GAUGE,	/* goes up and down */
};

enum unit {
	UNIT_NONE, UNIT_BPS, UNIT_BYTES, UNIT_FRAMES, UNIT_PACKETS, UNIT_EVENTS, UNIT_BITS, UNIT_US, UNIT_PCT, UNIT_M, UNIT_MBPS,
};

#define FIELD_SPARK	1u	/* a short history of its rate is kept for sparklines */
#define FIELD_HOT	2u	/* moves at every sample of a busy port: a plain column of the recording */
#define FIELD_LEARNED	8u	/* learned from traffic: comes and goes by itself, is no setting, event or difference */
#define FIELD_OF_BOND	16u	/* of a member of a bond, the bond's stands: the kernel hands it down */
#define FIELD_SHY	4u	/* about the session, not the device: never judged, never in a diff */

/* id, name, scope, kind, unit, how many indices, counter bits, flags, words of an enum, help */
#define FIELDS(X) \
X(PLATFORM,	"platform",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Operating system, identified from its output") \
X(MODEL,	"model",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Hardware model") \
X(VERSION,	"version",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Software version") \
X(HOSTNAME,	"hostname",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Its own host name") \
X(BOOT,		"boot",		DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Boot id: counters restart when it changes") \
X(STATE,	"state",	DEVICE, ENUM,	NONE,	1, 0, FIELD_SHY, "waiting connecting up retrying refused stopped", "How reaching it goes") \
X(ERROR,	"error",	DEVICE, TEXT,	NONE,	1, 0, FIELD_SHY, NULL, "Why it could not be reached: step, reason, what to do") \
X(LATENCY,	"latency",	DEVICE, GAUGE,	US,	1, 0, FIELD_SHY, NULL, "From asking to the end of the last answer") \
X(AUTH,		"auth",		DEVICE, TEXT,	NONE,	1, 0, FIELD_SHY, NULL, "How we logged in") \
X(CONVERSATIONS, "conversations", DEVICE, TEXT, NONE,	1, 0, FIELD_SHY, NULL, \
	"Whether counters and settings are read apart, each over a channel of its own, or why over one") \
X(LOGINS,	"logins",	DEVICE, TEXT,	NONE,	1, 0, FIELD_SHY | FIELD_LEARNED, NULL, \
	"Logins on record, read after a setting has changed: user, origin, terminal, begin and end by the device's clock") \
X(HOSTKEY,	"hostkey",	DEVICE, TEXT,	NONE,	1, 0, FIELD_SHY, NULL, "Host key type and SHA256 fingerprint") \
X(MANAGEMENT,	"management",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "The interface that our own session comes in by") \
X(TCP_ECN,	"tcp_ecn",	DEVICE, INT,	NONE,	1, 0, 0, NULL, "net.ipv4.tcp_ecn: kernel TCP only, no effect on RoCE") \
X(MEMLOCK,	"memlock",	DEVICE, INT,	BYTES,	1, 0, 0, NULL, "Locked-memory limit of fabcon's login; maximum value = unlimited") \
X(MODULES,	"modules",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Loaded kernel modules that matter to RDMA") \
X(DRIVER_READY,	"driver.ready",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "/run/mellanox/drivers/.driver-ready exists (containerized " \
								       "driver)") \
X(LLDPAD,	"lldpad",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "lldpad runs and may overwrite QoS settings") \
X(PERSIST_UNIT,	"persist.unit",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, \
	"fabcon-roce.service is enabled: it applies the host's RoCE settings at each boot") \
X(PERSIST_POLICY, "persist.policy", DEVICE, TEXT, NONE,	1, 0, 0, NULL, "The policy that fabcon-roce.service was generated from") \
X(PERSIST_QOS,	"persist.qos",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, \
	"A file read at boot names a tool that sets NIC QoS (mlnx_qos, dcb, lldptool, cma_roce_tos, roce_np, roce_rp)") \
X(PERSIST_WHERE, "persist.where", DEVICE, TEXT,	NONE,	1, 0, 0, NULL, \
	"Where it was found; if not found, the places that were read") \
X(OWNER,	"owner",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, \
	"Operators on the host that manage its NICs: their pods, machine-config's file; none seen does not prove none") \
X(CONFIG_SAVED,	"config.saved",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "The running configuration equals the startup configuration") \
X(APP_PROCS,	"app.procs",	DEVICE, INT,	NONE,	1, 0, 0, NULL, "Processes that use NCCL or have an RDMA device open") \
X(APP_RANKS,	"app.ranks",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "NCCL ranks of this host") \
X(APP_VERSION,	"app.version",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "NCCL version") \
X(APP_NET,	"app.net",	DEVICE, ENUM,	NONE,	1, 0, 0, "ib socket plugin mixed", \
	"Network that NCCL uses: RDMA (NET/IB), TCP (NET/Socket), a plugin") \
X(APP_HCA,	"app.hca",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "RDMA devices that NCCL uses") \
X(APP_HCA_SET,	"app.hca.set",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "NCCL_IB_HCA is set: it lists the RDMA devices that may be used") \
X(APP_HCA_ASKED, "app.hca.asked", DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "NCCL_IB_HCA, for each process with a different value") \
X(APP_GID_INDEX, "app.gid_index", DEVICE, INT,	NONE,	1, 0, 0, NULL, "GID index that NCCL uses") \
X(APP_TC_SET,	"app.tc.set",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "NCCL_IB_TC is set") \
X(APP_TC,	"app.tc",	DEVICE, INT,	NONE,	1, 0, 0, NULL, "Traffic class (ToS byte) set by NCCL_IB_TC") \
X(APP_FIFO_TC,	"app.fifo_tc",	DEVICE, INT,	NONE,	1, 0, 0, NULL, "Traffic class of NCCL's control messages (NCCL_IB_FIFO_TC)") \
X(APP_GDR,	"app.gdr",	DEVICE, BOOL,	NONE,	1, 0, 0, NULL, "NCCL reaches GPU memory directly from the NIC (GPU Direct RDMA)") \
X(APP_GDR_WHY,	"app.gdr.why",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Why it does, or does not") \
X(APP_STATUS,	"app.status",	DEVICE, INT,	NONE,	1, 0, 0, NULL, \
	"Status of a failed completion in the application's log: 12 retry exceeded, 10 remote access, 4 local protection, 1 local length") \
X(APP_ERROR,	"app.error",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "Failed completions in the application's log, in words") \
X(APP_WARNING,	"app.warning",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "First warning in the application's log") \
X(APP_TROUBLE,	"app.trouble",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, \
	"Cause named by a warning in the application's log: memlock-low, gid-wrong, …") \
X(APP_ENV,	"app.env",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "NCCL_* variables of running processes") \
X(APP_MEMLOCK,	"app.memlock",	DEVICE, INT,	BYTES,	1, 0, 0, NULL, \
	"Least locked-memory limit of the processes that use RDMA; largest number = unlimited") \
X(APP_BW,	"app.bw",	DEVICE, INT,	BPS,	1, 0, 0, NULL, "Bandwidth of a test with large messages") \
X(APP_BW_LINK,	"app.bw.link",	DEVICE, INT,	BPS,	1, 0, 0, NULL, "Maximum of its links: speed, rails and wire efficiency") \
X(APP_BW_TEST,	"app.bw.test",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, "The test") \
X(KERNEL_TROUBLE, "kernel.trouble", DEVICE, TEXT, NONE,	1, 0, 0, NULL, \
	"Kernel log lines about NICs, PCIe and locked memory; the most severe one decoded") \
X(KERNEL_CAUSE,	"kernel.cause",	DEVICE, TEXT,	NONE,	1, 0, 0, NULL, \
	"Cause named by a line of it: pcie-degraded, link-down, memlock-low, …") \
X(KERNEL_LINES,	"kernel.lines",	DEVICE, INT,	NONE,	1, 0, 0, NULL, \
	"Number of kernel log lines that report NIC or PCIe errors") \
\
X(PCIE_SPEED,	"pcie.speed",	PORT, INT,	BPS,	1, 0, 0, NULL, "PCIe transfer rate of a lane, in use") \
X(PCIE_SPEED_MAX, "pcie.speed.max", PORT, INT,	BPS,	1, 0, 0, NULL, "PCIe transfer rate of a lane that the NIC is capable of") \
X(PCIE_WIDTH,	"pcie.width",	PORT, INT,	NONE,	1, 0, 0, NULL, "PCIe lanes in use") \
X(PCIE_WIDTH_MAX, "pcie.width.max", PORT, INT,	NONE,	1, 0, 0, NULL, "PCIe lanes that the NIC is capable of") \
X(UP,		"up",		PORT, BOOL,	NONE,	1, 0, 0, NULL, "The link is up") \
X(SPEED,	"speed",	PORT, INT,	BPS,	1, 0, 0, NULL, "Link speed") \
X(SPEED_MAX,	"speed.max",	PORT, INT,	BPS,	1, 0, 0, NULL, "Fastest link mode that the NIC's port supports") \
X(MTU,		"mtu",		PORT, INT,	BYTES,	1, 0, FIELD_OF_BOND, NULL, "Largest packet: L3 bytes on hosts, L2 bytes on " \
										   "switches") \
X(MAC,		"mac",		PORT, TEXT,	NONE,	1, 0, 0, NULL, "Own MAC address, lower case with colons") \
X(ALIAS,	"alias",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "Second name or description") \
X(DRIVER,	"driver",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "Kernel driver") \
X(FIRMWARE,	"firmware",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "NIC firmware version") \
X(FEC,		"fec",		PORT, TEXT,	NONE,	1, 0, 0, NULL, "Forward error correction in use") \
X(ROLE,		"role",		PORT, ENUM,	NONE,	1, 0, 0, "pf vf bond member other representor", "Kind of interface") \
X(BOND,		"bond",		PORT, TEXT,	NONE,	1, 0, 0, NULL, "The bond it belongs to") \
X(VF,		"vf",		PORT, INT,	NONE,	1, 0, 0, NULL, "Virtual functions on this port") \
X(RDMA,		"rdma",		PORT, TEXT,	NONE,	1, 0, 0, NULL, "RDMA device on this interface") \
X(RDMA_STATE,	"rdma.state",	PORT, ENUM,	NONE,	1, 0, 0, "down init armed active", "RDMA port state") \
X(RDMA_MTU,	"rdma.mtu",	PORT, INT,	BYTES,	1, 0, 0, NULL, "RDMA active MTU") \
X(RDMA_LAYER,	"rdma.layer",	PORT, ENUM,	NONE,	1, 0, 0, "ethernet infiniband", "RDMA link layer") \
X(RDMA_SOFT,	"rdma.soft",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "Soft-RoCE (rxe) or soft-iWARP instead of hardware") \
X(RDMA_IWARP,	"rdma.iwarp",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "The RDMA device is iWARP (TCP), not RoCE") \
X(GID_V2,	"gid.v2",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "A RoCE v2 GID with an IPv4 or IPv6 address (not link-local) " \
								       "is in the table") \
X(GID_INDEX,	"gid.index",	PORT, INT,	NONE,	1, 0, 0, NULL, "Index of the first RoCE v2 GID with such an address") \
X(GID_TYPE,	"gid.type",	PORT, ENUM,	NONE,	16, 0, 0, "v1 v2", "RoCE version of a GID, by its index; the table may be longer") \
X(GID_FAMILY,	"gid.family",	PORT, ENUM,	NONE,	16, 0, 0, "ipv4 ipv6 link-local", "Address type of a GID, by its index") \
X(PEER_NAME,	"peer.name",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "LLDP neighbor: system name") \
X(PEER_PORT,	"peer.port",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "LLDP neighbor: port") \
X(PEER_MAC,	"peer.mac",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "LLDP neighbor: MAC of the port") \
X(PEER_CHASSIS,	"peer.chassis",	PORT, TEXT,	NONE,	1, 0, 0, NULL, "LLDP neighbor: chassis id") \
\
X(NEIGHBORS,	"neighbors",	PORT, TEXT,	NONE,	1, 0, FIELD_LEARNED, NULL, \
	"MACs of the host's neighbor table (ARP, ND) on this interface: hosts on the same layer-2 segment") \
X(FDB,		"fdb",		PORT, TEXT,	NONE,	1, 0, FIELD_LEARNED, NULL, \
	"MACs that the switch learned at this port (forwarding database); + if there are more") \
\
X(TRUST,	"trust",	PORT, ENUM,	NONE,	1, 0, 0, "none pcp dscp both", "The marking that selects the priority") \
X(DSCP_PRIO,	"dscp.prio",	PORT, INT,	NONE,	64, 0, 0, NULL, "Priority (802.1Q; switch: qos-group or TC) of a DSCP") \
X(PCP_PRIO,	"pcp.prio",	PORT, INT,	NONE,	8, 0, 0, NULL, "Priority (switch: qos-group or TC) of a PCP, the VLAN tag's") \
X(PRIO_TC,	"prio.tc",	PORT, INT,	NONE,	8, 0, 0, NULL, "Traffic class of a priority") \
X(TC_QUEUE,	"tc.queue",	PORT, INT,	NONE,	8, 0, 0, NULL, "Egress queue of a traffic class") \
X(PRIO_PG,	"prio.pg",	PORT, INT,	NONE,	8, 0, 0, NULL, "Ingress priority group or receive buffer of a priority") \
X(PFC_QUEUE,	"pfc.queue",	PORT, INT,	NONE,	8, 0, 0, NULL, "Queue that a received pause of a priority pauses") \
X(PFC_ON,	"pfc.on",	PORT, BOOL,	NONE,	8, 0, 0, NULL, "Priority flow control (802.1Qbb) of a priority") \
X(PAUSE_RX,	"pause.rx",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "802.3x link pause is honored (RX)") \
X(PAUSE_TX,	"pause.tx",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "802.3x link pause is sent (TX)") \
X(PFC_WATCHDOG,	"pfc.watchdog",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "PFC watchdog is on") \
X(PFC_STORM,	"pfc.storm",	PORT, COUNTER,	EVENTS,	8, 64, FIELD_SPARK, NULL, "Storms the watchdog has detected on a queue") \
X(PFC_STORMED,	"pfc.stormed",	PORT, BOOL,	NONE,	8, 0, 0, NULL, "The watchdog reports this queue in a storm now") \
X(PFC_RESTORED,	"pfc.restored",	PORT, COUNTER,	EVENTS,	8, 64, FIELD_SPARK, NULL, "Storms that the watchdog has restored on a queue") \
X(WATCHDOG_ACTION, "pfc.watchdog.action", PORT, ENUM, NONE, 1, 0, 0, "drop forward alert", \
  "Action of the PFC watchdog on a stormed queue") \
X(STORM_TX,	"storm.tx",	PORT, COUNTER,	PACKETS, 8, 64, 0, NULL, "Packets a queue sent while in a storm") \
X(STORM_TX_DROP, "storm.tx_drop", PORT, COUNTER, PACKETS, 8, 64, FIELD_SPARK, NULL, "Packets that the watchdog dropped from a queue") \
X(STORM_RX,	"storm.rx",	PORT, COUNTER,	PACKETS, 8, 64, 0, NULL, "Packets received for a queue's class while it was in a storm") \
X(STORM_RX_DROP, "storm.rx_drop", PORT, COUNTER, PACKETS, 8, 64, FIELD_SPARK, NULL, "Of these, dropped on receive") \
X(LAST_STORM_TX, "storm.last_tx", PORT, GAUGE,	PACKETS, 8, 0, 0, NULL, "Packets that a queue sent in the current or last PFC storm") \
X(LAST_STORM_TX_DROP, "storm.last_tx_drop", PORT, GAUGE, PACKETS, 8, 0, 0, NULL, "Packets that the watchdog dropped from a queue then") \
X(LAST_STORM_RX, "storm.last_rx", PORT, GAUGE,	PACKETS, 8, 0, 0, NULL, "Packets received for a queue's class in that storm") \
X(LAST_STORM_RX_DROP, "storm.last_rx_drop", PORT, GAUGE, PACKETS, 8, 0, 0, NULL, "Of these, dropped on receive in that storm") \
X(ETS_ON,	"ets.on",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "Enhanced transmission selection is on") \
X(ETS_ALGO,	"ets.algo",	PORT, ENUM,	NONE,	8, 0, 0, "strict ets vendor", "Scheduler of a traffic class (802.1Qaz TSA)") \
X(ETS_SHARE,	"ets.share",	PORT, INT,	PCT,	8, 0, 0, NULL, "Bandwidth share of a traffic class") \
X(BUFFER_SIZE,	"buffer.size",	PORT, INT,	BYTES,	8, 0, 0, NULL, "Receive buffer or priority group size") \
X(BUFFER_XOFF,	"buffer.xoff",	PORT, INT,	BYTES,	8, 0, 0, NULL, "XOFF threshold") \
X(BUFFER_HEADROOM, "buffer.headroom", PORT, INT, BYTES, 8, 0, 0, NULL, "Headroom of a priority group after XOFF") \
X(CABLE,	"cable",	PORT, INT,	M,	1, 0, 0, NULL, "Cable length the buffers are computed for") \
X(ECN_ON,	"ecn.on",	PORT, BOOL,	NONE,	8, 0, 0, NULL, "ECN marking on a switch queue") \
X(ECN_KMIN,	"ecn.kmin",	PORT, INT,	BYTES,	8, 0, 0, NULL, "Queue length at which marking starts (Kmin)") \
X(ECN_KMAX,	"ecn.kmax",	PORT, INT,	BYTES,	8, 0, 0, NULL, "Queue length above which every packet is marked (Kmax)") \
X(ECN_PMAX,	"ecn.pmax",	PORT, INT,	PCT,	8, 0, 0, NULL, "Marking probability at Kmax") \
X(ECN_NP,	"ecn.np",	PORT, BOOL,	NONE,	8, 0, 0, NULL, "Receiver generates CNPs for CE marks (DCQCN notification point)") \
X(ECN_RP,	"ecn.rp",	PORT, BOOL,	NONE,	8, 0, 0, NULL, "Sender reacts to CNPs (DCQCN reaction point)") \
X(CNP_DSCP,	"cnp.dscp",	PORT, INT,	NONE,	1, 0, 0, NULL, "DSCP of the CNPs it sends") \
X(CNP_PRIO,	"cnp.prio",	PORT, INT,	NONE,	1, 0, 0, NULL, "802.1p priority of the CNPs it sends") \
X(CC_CNP_GAP,	"cc.min_time_between_cnps",	PORT, INT, US,	1, 0, 0, NULL, "Minimum time between two CNPs of a flow") \
X(CC_CLAMP,	"cc.clamp_tgt_rate",		PORT, INT, NONE, 1, 0, 0, NULL, "Target rate follows every cut") \
X(CC_CLAMP_TIME, "cc.clamp_tgt_rate_after_time_inc", PORT, INT, NONE, 1, 0, 0, NULL, "Target rate follows a cut after a timer increase") \
X(CC_TIME_RESET, "cc.rpg_time_reset",		PORT, INT, US,	1, 0, 0, NULL, "Rate-increase timer") \
X(CC_BYTE_RESET, "cc.rpg_byte_reset",		PORT, INT, NONE, 1, 0, 0, NULL, "Rate-increase byte counter, raw") \
X(CC_THRESHOLD,	"cc.rpg_threshold",		PORT, INT, NONE, 1, 0, 0, NULL, "Stages of fast recovery (F)") \
X(CC_MAX_RATE,	"cc.rpg_max_rate",		PORT, INT, MBPS, 1, 0, 0, NULL, "Rate ceiling; 0 = line rate") \
X(CC_AI_RATE,	"cc.rpg_ai_rate",		PORT, INT, MBPS, 1, 0, 0, NULL, "Additive increase") \
X(CC_HAI_RATE,	"cc.rpg_hai_rate",		PORT, INT, MBPS, 1, 0, 0, NULL, "Hyper increase") \
X(CC_GD,	"cc.rpg_gd",			PORT, INT, NONE, 1, 0, 0, NULL, "Cut divisor, log2") \
X(CC_MIN_DEC,	"cc.rpg_min_dec_fac",		PORT, INT, PCT,	1, 0, 0, NULL, "Maximum rate cut, as a fraction of the old rate") \
X(CC_MIN_RATE,	"cc.rpg_min_rate",		PORT, INT, MBPS, 1, 0, 0, NULL, "Rate floor") \
X(CC_FIRST_CNP,	"cc.rate_to_set_on_first_cnp",	PORT, INT, MBPS, 1, 0, 0, NULL, "Rate after the first CNP; 0 = keep") \
X(CC_G,		"cc.dce_tcp_g",			PORT, INT, NONE, 1, 0, 0, NULL, "Weight of alpha, of 1024") \
X(CC_RTT,	"cc.dce_tcp_rtt",		PORT, INT, US,	1, 0, 0, NULL, "Alpha update period") \
X(CC_REDUCE,	"cc.rate_reduce_monitor_period", PORT, INT, US,	1, 0, 0, NULL, "Minimum time between two rate cuts") \
X(CC_ALPHA,	"cc.initial_alpha_value",	PORT, INT, NONE, 1, 0, 0, NULL, "Alpha at the start, of 1024") \
X(TOS_CMA,	"tos.cma",	PORT, INT,	NONE,	1, 0, 0, NULL, "Default ToS of rdma_cm connections (cma_roce_tos)") \
X(TOS_FORCE,	"tos.force",	PORT, INT,	NONE,	1, 0, 0, NULL, "ToS forced on every QP (traffic_class); absent = not forced") \
X(DCBX,		"dcbx",		PORT, ENUM,	NONE,	1, 0, 0, "off os fw", "What negotiates DCB: nothing, the operating system, " \
									      "the firmware") \
X(DCBX_WILLING,	"dcbx.willing",	PORT, BOOL,	NONE,	1, 0, 0, NULL, "Takes DCB settings from its peer") \
\
X(PFC_RX,	"pfc.rx",	PORT, COUNTER, FRAMES,	8, 64, FIELD_SPARK | FIELD_HOT, NULL, "PFC frames received: the peer pauses " \
											      "this port") \
X(PFC_TX,	"pfc.tx",	PORT, COUNTER, FRAMES,	8, 64, FIELD_SPARK | FIELD_HOT, NULL, "PFC frames sent: this port pauses " \
											      "its peer") \
X(PFC_RX_US,	"pfc.rx_us",	PORT, COUNTER, US,	8, 64, FIELD_SPARK | FIELD_HOT, NULL, "Time this port was paused (PFC RX)") \
X(PFC_TX_US,	"pfc.tx_us",	PORT, COUNTER, US,	8, 64, FIELD_SPARK, NULL, "Time this port paused its peer (PFC TX)") \
X(PFC_RX_XON,	"pfc.rx_xon",	PORT, COUNTER, EVENTS,	8, 64, 0, NULL, "Changes from paused to running") \
X(PAUSE_RX_FRAMES, "pause.rx_frames", PORT, COUNTER, FRAMES, 1, 64, FIELD_SPARK, NULL, "802.3x pause frames received") \
X(PAUSE_TX_FRAMES, "pause.tx_frames", PORT, COUNTER, FRAMES, 1, 64, FIELD_SPARK, NULL, "802.3x pause frames sent") \
X(RX_TOTAL,	"rx.total",	PORT, COUNTER, BYTES,	1, 64, FIELD_SPARK | FIELD_HOT, NULL, "Bytes received on the port") \
X(TX_TOTAL,	"tx.total",	PORT, COUNTER, BYTES,	1, 64, FIELD_SPARK | FIELD_HOT, NULL, "Bytes sent on the port") \
X(RDMA_RX,	"rdma.rx",	PORT, COUNTER, BYTES,	1, 64, FIELD_SPARK, NULL, "Bytes received by RDMA") \
X(RDMA_TX,	"rdma.tx",	PORT, COUNTER, BYTES,	1, 64, FIELD_SPARK, NULL, "Bytes sent by RDMA") \
X(RX_BYTES,	"rx.bytes",	PORT, COUNTER, BYTES,	8, 64, FIELD_HOT, NULL, "Bytes received in this priority") \
X(TX_BYTES,	"tx.bytes",	PORT, COUNTER, BYTES,	8, 64, FIELD_HOT, NULL, "Bytes sent in this priority (on a switch: queue)") \
X(RX_PACKETS,	"rx.packets",	PORT, COUNTER, PACKETS,	8, 64, 0, NULL, "Packets received of a priority") \
X(TX_PACKETS,	"tx.packets",	PORT, COUNTER, PACKETS,	8, 64, 0, NULL, "Packets sent of a priority (switch: queue)") \
X(RX_DROP,	"rx.drop",	PORT, COUNTER, PACKETS,	8, 64, FIELD_SPARK, NULL, "Packets of a priority dropped on receive") \
X(RX_DROP_BUFFER, "rx.drop.buffer", PORT, COUNTER, PACKETS, 8, 64, 0, NULL, "Packets of a priority the NIC had no host buffer for") \
X(RX_DROP_CONGESTION, "rx.drop.congestion", PORT, COUNTER, PACKETS, 8, 64, 0, NULL, "Packets of a priority dropped for host congestion") \
X(TX_DROP,	"tx.drop",	PORT, COUNTER, PACKETS,	8, 64, FIELD_SPARK, NULL, "Packets of a priority (switch: queue) dropped on send") \
X(PG_DROP,	"pg.drop",	PORT, COUNTER, PACKETS,	8, 64, FIELD_SPARK, NULL, "Packets dropped by an ingress priority group: " \
										  "headroom failed") \
X(RX_DISCARD,	"rx.discard",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "Packets dropped on receive, all priorities") \
X(TX_DISCARD,	"tx.discard",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "Packets dropped on send, all priorities") \
X(RX_MARKED,	"rx.marked",	PORT, COUNTER, PACKETS,	8, 64, 0, NULL, "Packets the NIC itself marked for host congestion") \
X(RX_NOBUF,	"rx.nobuf",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "No receive work request was posted (out_of_buffer)") \
X(ECN_MARKED,	"ecn.marked",	PORT, COUNTER, PACKETS,	8, 64, FIELD_SPARK | FIELD_HOT, NULL, "Packets marked CE by a switch queue") \
X(ECN_SEEN,	"ecn.seen",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK | FIELD_HOT, NULL, "CE-marked RoCE packets received") \
X(CNP_SENT,	"cnp.sent",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK | FIELD_HOT, NULL, "CNPs sent as a receiver") \
X(CNP_HANDLED,	"cnp.handled",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK | FIELD_HOT, NULL, "CNPs handled as a sender") \
X(CNP_IGNORED,	"cnp.ignored",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "CNPs received and ignored") \
X(OOS,		"oos",		PORT, COUNTER, PACKETS,	1, 32, FIELD_SPARK, NULL, "Sequence gaps seen by a receiver (out_of_sequence)") \
X(SEQ_ERR,	"seq.err",	PORT, COUNTER, PACKETS,	1, 32, FIELD_SPARK, NULL, "Sequence NAKs received by a sender (packet_seq_err)") \
X(ACK_TIMEOUT,	"ack.timeout",	PORT, COUNTER, EVENTS,	1, 32, FIELD_SPARK, NULL, "Local ACK timer expired") \
X(RNR,		"rnr",		PORT, COUNTER, EVENTS,	1, 32, 0, NULL, "Receiver-not-ready (RNR) NAKs received") \
X(RETRANS,	"retrans",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "Retransmissions") \
X(ICRC_ERR,	"icrc.err",	PORT, COUNTER, PACKETS,	1, 64, 0, NULL, "Invariant CRC failures: corruption past the FCS") \
X(PHY_ERR,	"phy.err",	PORT, COUNTER, PACKETS,	1, 64, FIELD_SPARK, NULL, "Frames with CRC or symbol errors") \
X(PHY_SYMBOL_ERR,	"phy.symbol_err",	PORT, COUNTER, EVENTS,	1, 64, 0, NULL, "Symbol errors that FEC did not correct, or " \
											"had no FEC") \
X(FEC_CORR,	"fec.corr",	PORT, COUNTER, BITS,	1, 64, FIELD_SPARK, NULL, "Bits corrected by FEC") \
X(LANE_ERR,	"lane.err",	PORT, COUNTER, BITS,	8, 64, 0, NULL, "Raw bit errors received on a lane, before FEC") \
X(FEC_LOST,	"fec.lost",	PORT, COUNTER, EVENTS,	1, 64, FIELD_SPARK, NULL, "Codewords FEC could not correct") \
X(LINK_DOWNS,	"link.downs",	PORT, COUNTER, EVENTS,	1, 64, 0, NULL, "Times the link went down") \
X(LINK_CHANGES,	"link.changes",	PORT, COUNTER, EVENTS,	1, 32, 0, NULL, \
  "Times the interface's carrier came or went, as counted by the kernel: includes flaps between two readings") \
X(STORM_WARN,	"storm.warn",	PORT, COUNTER, EVENTS,	1, 64, 0, NULL, "NIC: sent pause near its stall limit") \
X(STORM_ERR,	"storm.err",	PORT, COUNTER, EVENTS,	1, 64, 0, NULL, "NIC: stall prevention ended its pause") \
X(PCI_STALL,	"pci.stall",	PORT, GAUGE, PCT,	1, 0, FIELD_SPARK, NULL, "Part of the last second that writes to memory stalled") \
X(QUEUE_BYTES,	"queue.bytes",	PORT, GAUGE, BYTES,	8, 0, FIELD_SPARK, NULL, "Egress queue length") \
X(QUEUE_PEAK,	"queue.peak",	PORT, GAUGE, BYTES,	8, 0, FIELD_SPARK, NULL, "Egress queue watermark") \
X(PG_PEAK,	"pg.peak",	PORT, GAUGE, BYTES,	8, 0, 0, NULL, "Ingress headroom watermark of a priority group")

enum field {
#define X(id, ...) FIELD_##id,
	FIELDS(X)
#undef X
	FIELD_COUNT,
};

struct field_info {
	const char *name;
	enum scope scope;
	enum kind kind;
	enum unit unit;
	uint8_t width;		/* indices 0 … width-1; 1 = no index is written */
	uint8_t bits;		/* of a counter: 32 or 64 */
	unsigned flags;
	const char *words;	/* of an enum, by value, one blank between */
	const char *help;
};

extern const struct field_info field_table[FIELD_COUNT];

/* It was set, and stays until it is set again: no counter or gauge, nothing of the session, nothing learned from traffic. */
static inline bool field_is_setting(enum field f)
{
	const struct field_info *info = &field_table[f];

	return info->kind != KIND_COUNTER && info->kind != KIND_GAUGE && !(info->flags & (FIELD_SHY | FIELD_LEARNED));
}

/* The field of that name; false when there is none. */
bool field_find(struct span name, enum field *out);

/* The word of an enum's value, or NULL; and back. */
struct span field_word(enum field f, uint64_t value);
bool field_word_value(enum field f, struct span word, uint64_t *out);

/* "bytes", "us", "frames", …; "" for UNIT_NONE. As used at the end of JSON names: "kmin_bytes". */
const char *unit_name(enum unit unit);

/* The words of some enums, in the order of their rows above. */
enum { STATE_WAITING, STATE_CONNECTING, STATE_UP, STATE_RETRYING, STATE_REFUSED, STATE_STOPPED };
enum { ROLE_PF, ROLE_VF, ROLE_BOND, ROLE_MEMBER, ROLE_OTHER, ROLE_REPRESENTOR };
enum { RDMA_DOWN, RDMA_INIT, RDMA_ARMED, RDMA_ACTIVE };
enum { LAYER_ETHERNET, LAYER_INFINIBAND };
enum { TRUST_NONE, TRUST_PCP, TRUST_DSCP, TRUST_BOTH };
enum { ETS_STRICT, ETS_ETS, ETS_VENDOR };
enum { APP_NET_IB, APP_NET_SOCKET, APP_NET_PLUGIN, APP_NET_MIXED };
enum { GID_V1, GID_V2 };
enum { GID_IPV4, GID_IPV6, GID_LINK_LOCAL, GID_FAMILIES };
enum { DCBX_OFF, DCBX_OS, DCBX_FW };

#endif
