/*
 * Skins: in what a device differs from the tidy one, as real devices do. Each device of a fabric wears those that the seed
 * draws for it; the code that makes the difference asks wears(). A new skin is a row here and the place that asks for it;
 * --skin, the help, the manual page and the state are made from the rows.
 *
 * id, name	enum skin, and after --skin
 * of		who can wear it: systems' names, "host", "switch", "device", or "fabric": all of it at once
 * odds		of a hundred, how many do
 * group	of those with the same word a device wears one at most; ""
 * help		what it changes
 * seen		where a real device was seen so; "unproven": nowhere yet
 */
#ifndef REMOTE_LAB_WORLD_SKINS_H
#define REMOTE_LAB_WORLD_SKINS_H

#include "core/base/err.h"
#include "remote/lab/world/fabric.h"

#define SKIN_LIST(ROW) \
ROW(INVENTORY_BARE, "inventory-bare", "fabric", 30, "", \
	"the inventory has names, ports and users alone: no platform, no kind, no rack, no cables", "public Ansible repositories") \
ROW(INVENTORY_NO_CABLES, "inventory-no-cables", "fabric", 50, "", \
	"the inventory has no cables: they are known by LLDP alone", "public Ansible repositories") \
ROW(INVENTORY_TWICE, "inventory-twice", "fabric", 30, "", \
	"each host stands in a second group too", "public Ansible repositories") \
ROW(FRAME_BYTES, "frame-bytes", "fabric", 70, "", \
	"packets have headers, FCS, preamble and gap: octets are those of frames, and ends need not agree", \
	"unproven: standard frame formats") \
ROW(OCTETS_BARE, "octets-bare", "device", 30, "octets", "counts frames without their FCS", "unproven") \
ROW(OCTETS_WIRE, "octets-wire", "switch", 15, "octets", "counts preamble and gap with each frame", "unproven") \
ROW(BACKGROUND, "background", "host", 60, "", \
	"carries the kernel's TCP, ARP and LLDP on priority 0 too, and acknowledges RDMA on RDMA's priority", \
	"captures ethtool-S/mlx5_core-full, mlx5-ofed-phy-prio0-marked") \
ROW(LINE_UNEVEN, "line-uneven", "host", 60, "", "its NICs send up to 3 % below line rate, each its own part", "unproven") \
ROW(COUNTERS_OLD, "counters-old", "device", 50, "", \
	"counters are weeks old: large, each its own, drops and errors among them, 32-bit ones near their end", \
	"captures ethtool-S/mlx5_core-full; show interface of a Dell S5248F") \
ROW(COUNTERS_CACHED, "counters-cached", "device", 50, "", \
	"shows a switch's port counters of up to 1 s ago, its queues' of up to 10 s, a NIC's of 12 ms, each by a clock of its own", \
	"SONiC flex counters: counterpoll show; rdma core: hw_counters lifespan") \
ROW(READS_CUT, "reads-cut", "host sonic", 20, "reads", \
	"one read of 25 is cut: its tool is killed, and what it had printed ends at any byte", "a Linux 6.1 kernel under load") \
ROW(READS_BUSY, "reads-busy", "host", 12, "reads", \
	"one read of 25 fails: Device or resource busy", "dcb on a Linux 6.1 kernel") \
ROW(READS_HANG, "reads-hang", "host sonic", 8, "reads", \
	"one read of 60 takes 20 s more", "unproven; firmware that is being reset") \
/* of Linux hosts */ \
ROW(NO_MLNX_QOS, "no-mlnx-qos", "host", 15, "", \
	"mlnx_qos is not installed", "spidernet-io/spiderpool rdma-qos.sh asks for it before it is used") \
ROW(NO_DCB, "no-dcb", "host", 20, "", \
	"dcb is not installed: iproute2 before 5.11", "iproute2 5.11 is the first with dcb") \
ROW(NO_ETHTOOL, "no-ethtool", "host", 6, "", \
	"ethtool is not installed", "unproven; containers and small images") \
ROW(NO_SYSTEMD, "no-systemd", "host", 8, "", \
	"no systemd: neither systemctl nor systemd-run nor journalctl", "Alpine, busybox, containers") \
ROW(NO_LLDPCLI, "no-lldpcli", "host", 10, "host-lldp", \
	"lldpd is not installed", "DGX images") \
ROW(BUFFERS_CHECKED, "buffers-checked", "host", 90, "", \
	"the driver refuses receive buffers that are too small for what is lossless in them", "mlx5 port_buffer.c in the kernel") \
ROW(SLOW_TRAINING, "slow-training", "host", 70, "", \
	"the link is down for 1 to 3 s when a new PFC mask toggles it", "mlx5_toggle_port_link in the kernel; the time is unproven") \
ROW(CONFIGFS_BARE, "configfs-bare", "host", 60, "", \
	"the rdma_cm directory of an RDMA device is there only after mkdir, until rmdir", "a Linux 6.1 kernel") \
ROW(BREED_INBOX, "breed-inbox", "host", 25, "breed", \
	"mlx5 with the kernel's driver: no ecn files, no traffic_class, no mlnx_qos", "drivers/infiniband/hw/mlx5/cong.c") \
ROW(BREED_BNXT, "breed-bnxt", "host", 1, "breed", \
	"Broadcom NICs: bnxt_en and bnxt_re, dcb alone", "captures/node/ethtool-S/bnxt_en-full.txt") \
ROW(BREED_ICE, "breed-ice", "host", 1, "breed", \
	"Intel NICs: ice and irdma, dcb alone", "captures/node/ethtool-S/ice-full.txt") \
ROW(LLDP_TWO, "lldp-two", "host", 20, "host-lldp", \
	"after a start lldpcli has the neighbor before as well, for a TTL, first or second", "published lldpd outputs") \
ROW(LLDP_NAMELESS, "lldp-nameless", "host", 15, "host-lldp", \
	"after a start lldpcli has the agent of a NIC as well, without a name, for a TTL", "published lldpd outputs") \
ROW(LLDP_EATEN, "lldp-eaten", "host", 15, "host-lldp", \
	"the NIC's firmware takes LLDP frames: lldpcli has no neighbors", "LLDP_NB of mlxconfig") \
ROW(LLDPD_DOWN, "lldpd-down", "host", 8, "host-lldp", \
	"lldpd does not run", "captures/node/lldpcli-json/err-daemon-not-running.txt") \
ROW(VFS_300, "vfs-300", "host", 4, "", \
	"300 virtual functions, each with an interface and an RDMA device", "300 tried on Linux 6.1; captures/node/ip-link/vfs-*") \
ROW(REPRESENTORS, "representors", "host", 12, "", \
	"four representors beside each port, with the port's own function for their device", \
	"captures/node/ip-link/vfs-switchdev-portname.txt") \
ROW(RDMA_WITHOUT_NETDEV, "rdma-without-netdev", "host", 15, "", \
	"an InfiniBand card beside: an RDMA device without an interface", "captures/node/sysfs-infiniband/h100-cx7-ib-mlx5_0.txt") \
ROW(NETDEV_WITHOUT_DEVICE, "netdev-without-device", "host", 15, "", \
	"a VLAN of the first port with two entries of its GID table", "a Linux 6.1 kernel") \
ROW(RXE_BESIDE, "rxe-beside", "host", 12, "", \
	"Soft-RoCE on the management port, beside the hardware", "a Linux 6.1 kernel") \
ROW(SIW_BESIDE, "siw-beside", "host", 8, "", \
	"Soft-iWARP on the management port, beside the hardware", "a Linux 6.1 kernel") \
/* of switches */ \
ROW(COUNTERS_CLEARED, "counters-cleared", "sonic", 25, "", \
	"somebody ran sonic-clear: tables begin with \"Last cached time was …\" and show what was since", \
	"sonic-utilities scripts/portstat, pfcstat, queuestat; a portstat of 2025-03-25 in an issue") \
ROW(KEYS_GROUPED, "keys-grouped", "sonic", 15, "sonic-keys", \
	"a release before 202111: keys of PORT_QOS_MAP, QUEUE and BUFFER_PG are lists of ports; no apply-patch, no checkpoints", \
	"sonic-mgmt-common cvl tests: QUEUE|Ethernet0,Ethernet4,…|0") \
ROW(KEYS_VOQ, "keys-voq", "sonic", 8, "sonic-keys", \
	"virtual output queues: QUEUE's keys are host|asic0|Ethernet0|3", "sonic-net VOQ documents; SYSTEM_PORT of minigraph tests") \
ROW(REFS_BRACKETED, "refs-bracketed", "sonic", 15, "", \
	"a release before 202111: references are [TABLE|name]; no apply-patch, no checkpoints", \
	"sonic-mgmt-common cvl tests: [SCHEDULER|scheduler.1]; a published CONFIG_DB of Enterprise SONiC") \
ROW(NAMES_AZURE, "names-azure", "sonic", 50, "", \
	"maps and profiles are named AZURE and AZURE_LOSSLESS", "captures config-db-json--qos-reload-result, show-ecn--azure-lossless") \
ROW(DOT1P_MAPS, "dot1p-maps", "sonic", 25, "", \
	"ports have a dot1p_to_tc_map beside their dscp_to_tc_map", "a published CONFIG_DB of Enterprise SONiC with roce enabled") \
ROW(NO_SCHEDULERS, "no-schedulers", "sonic", 15, "", \
	"no SCHEDULER rows: queues share as the ASIC does by default", "published configurations (REALITY, switches 5)") \
ROW(TYPE_LONG, "type-long", "sonic", 30, "", \
	"transceivers' types of 47 characters", "a Z9332F: sonic-buildimage#3800, #9046") \
ROW(PORTCHANNELS, "portchannels", "sonic", 30, "", \
	"links to switches are PortChannels, with rows of their own; hosts' ports are trunks", \
	"captures show-interfaces-status--basic; sonic-buildimage#9046") \
ROW(BACKPLANE_PORTS, "backplane-ports", "sonic", 15, "", \
	"tables have rows of links inside the box, Ethernet-BP0 and the like", "sonic-utilities tests, multi-asic") \
ROW(QUEUES_TWENTY, "queues-twenty", "sonic", 25, "sonic-queues", \
	"10 unicast queues and 10 of multicast, of which two drop", "captures show-queue-counters--all; sonic-buildimage#6290") \
ROW(QUEUES_CONFIGURED, "queues-configured", "sonic", 25, "sonic-queues", \
	"counts the queues that CONFIG_DB has rows of, and no others", "sonic-swss#2759") \
ROW(ROWS_SHIFTED, "rows-shifted", "sonic", 15, "", \
	"in tables of watermarks the longest ports' names are wider than their column: the row is shifted", \
	"captures show-queue-watermark-unicast--command-reference, an example of the manual") \
ROW(NO_WREDCOUNTERS, "no-wredcounters", "sonic", 40, "", \
	"release 202305: neither show queue wredcounters nor show pfc counters --history, nor what else came in 2024 and 2025", \
	"sonic-utilities before #2807 and #3778") \
ROW(LLDP_UNNAMED, "lldp-unnamed", "switch", 30, "", \
	"of some hosts the NIC's agent speaks LLDP, without a name", "captures show-lldp-neighbors-detail--s5248f-10-5-6-1: 9 of 16") \
ROW(LLDP_MGMT, "lldp-mgmt", "switch", 50, "", \
	"the management port has a neighbor too", "captures show-lldp-table--basic, show-lldp-neighbors--mfd-not-advertised") \
ROW(LLDP_DEAF, "lldp-deaf", "switch", 15, "", \
	"a third of the ports have heard no LLDP", "captures show-lldp-table--basic: 2 of the ports") \
ROW(WATCHDOG_ALERTS, "watchdog-alerts", "sonic", 15, "watchdog-action", \
	"the PFC watchdog's action is alert: it counts storms and lets them be", "sonic-utilities pfcwd/main.py: drop, forward, alert") \
ROW(WATCHDOG_FORWARDS, "watchdog-forwards", "sonic", 10, "watchdog-action", \
	"the PFC watchdog's action is forward: a queue in a storm sends in spite of the pause", \
	"sonic-swss orchagent/pfcactionhandler.cpp: PfcWdLossyHandler takes PFC off the queue") \
ROW(SONIC_ADMIN, "sonic-admin", "sonic", 40, "", \
	"the login is not root: what changes something needs sudo", "sonic-utilities: config, pfcwd, ecnconfig ask for geteuid() 0") \
ROW(INTERFACE_GROUPS, "interface-groups", "os10", 50, "", \
	"the management port, a port-channel and a VLAN stand among the interfaces, and descriptions are cut", \
	"captures show-interface--s5248f-10-5-6-1, show-interface-status--s5248f-10-6-0-5") \
/* Came later: drawn after those above, so that what a seed drew of them stays. New rows go to the end. */ \
ROW(BREED_MLX4, "breed-mlx4", "host", 1, "breed", \
	"ConnectX-3 with the kernel's mlx4 drivers: no trust in DSCP, no DCQCN, no receive buffers; priorities are those of VLAN tags; " \
	"its RDMA devices' second port is InfiniBand", \
	"captures sysfs-infiniband/mlx4_0-two-ports; mlx4 en_ethtool.c, en_dcb_nl.c, main.c in the kernel; unproven: mlnx_qos") \
ROW(BUSYBOX, "busybox", "host", 5, "", \
	"Alpine: grep and find are BusyBox's, without GNU's options; no bash, no systemd", \
	"grep -z and find -lname refused by BusyBox 1.36 of Alpine images; mer-hybris/droid-hal-device#201") \
ROW(BREAKOUT, "breakout", "switch", 15, "", \
	"hosts' ports are parts of sockets, four each: ethernet1/1/1:1 of OS10, Ethernet0 to Ethernet3 with a lane each of SONiC", \
	"captures show-interface--mfd-breakout-10g, show-interface-status--s5248f-10-6-0-5; BREAKOUT_CFG of sonic-utilities") \
ROW(BOND_UNEVEN, "bond-uneven", "host", 60, "", \
	"of bond0's two members one carries a tenth to seven tenths of what the other does", \
	"unproven: each queue pair is one flow for the hash") \
ROW(GIDS_CUT, "gids-cut", "host", 10, "", \
	"reading its GID tables is cut: the types of all entries are there, of the GIDs those of the link-local address alone", \
	"unproven; a reply that was cut on a Linux 6.1 host")

enum skin {
#define SKIN_ID(id, ...) SKIN_##id,
	SKIN_LIST(SKIN_ID)
#undef SKIN_ID
	SKIN_COUNT,
};
#define SKIN_FIRST_LATER	SKIN_BREED_MLX4

struct skin_row {
	const char *name, *of;
	unsigned odds;
	const char *group, *help, *seen;
};
extern const struct skin_row skin_table[SKIN_COUNT];

static inline bool wears(const struct lab_device *d, enum skin skin)
{
	return d->skins >> skin & 1;
}
static inline bool fabric_wears(const struct fabric *f, enum skin skin)
{
	return f->skins >> skin & 1;
}

/* What is asked for on the command line. */
struct skin_wish {
	bool is_tidy;
	const char *names[32];		/* "NAME", "NAME@DEVICE"; where there is one, none but these are worn */
	size_t n;
};

/* Dresses the fabric and each device, before they are configured. wish NULL: tidy. */
bool skins_dress(struct fabric *f, const struct skin_wish *wish, struct err *err);
/* Who wears what, a line each: "node1 wears pace-slow lldp-two". */
void skins_print(const struct fabric *f, struct buf *out);

#endif
