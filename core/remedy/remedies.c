/*
 * Commands that read, a row each: of one id, rows of one driver stand before those of any, and hold for it alone. Sources: iproute2's
 * dcb(8), rdma(8), ip(8); ethtool(8); mlnx_qos of mlnx-tools; perftest; sonic-utilities' Command-Reference; Dell's OS10 user guides.
 */
#include "core/remedy/remedy.h"

#define TWICE	"twice, a few seconds apart"
#define MLX5	"linux/mlx5_core"
#define QOS	"linux/mlnx_qos"
#define OFED	"linux/ofed"

const struct remedy remedy_table[] = {
/* RDMA on a host */
{ "X1 rdma-hardware", "linux", "rdma link show {rdma}/1" },
{ "X2 link-up rdma-active speed-same speed-as-capable", "linux", "ip -s link show dev {port}" },
{ "X2 link-up speed-same speed-as-capable", "os10", "show interface {ethernet}" },
{ "X2 link-up speed-same speed-as-capable", "sonic", "show interfaces status {port}" },
{ "READY driver-ready modules-loaded", "linux", "lsmod | grep ib_uverbs" },
{ "kernel-quiet", "linux", "sudo dmesg -T | grep -E 'mlx5_core|bnxt_en|\\bice\\b|AER|PCIe'" },
{ "X3 gid-v2 app-gid-is-v2 app-gid-alike", "linux", "ibv_devinfo -v -d {rdma} | grep GID" },
{ "X5 vf-as-others", "linux", "ip link show dev {port}" },
{ "X6 app-gpu-direct", "linux", "lsmod | grep nvidia_peermem" },

/* the host's buses, the cable, the packet's size */
{ "X7 pcie-as-capable", "linux", "grep -H . /sys/class/net/{port}/device/current_link_* /sys/class/net/{port}/device/max_link_*" },
{ "X8 memory-keeps-up", MLX5, "ethtool -S {port} | grep outbound_pci_stalled_wr", TWICE },
{ "WIRED cables-swapped cabled-as-planned planned-cables-known far-end-known", "linux", "lldpcli show neighbors ports {port}" },
{ "WIRED cables-swapped cabled-as-planned planned-cables-known far-end-known", "os10",
  "show lldp neighbors interface {ethernet} detail" },
{ "WIRED cables-swapped cabled-as-planned planned-cables-known far-end-known", "sonic", "show lldp neighbors {port}" },
{ "rdma-mtu", "linux", "ibv_devinfo -d {rdma}" },
{ "X9 mtu-fits mtu-as-wanted", "linux", "ip link show dev {port}" },
{ "X9 mtu-fits mtu-as-wanted", "os10", "show interface {ethernet}" },
{ "X9 mtu-fits mtu-as-wanted", "sonic", "show interfaces status {port}" },
{ "X19 wire-clean bits-clean", "linux", "ethtool -S {port} | grep -iE 'crc|symbol|fec|link_down'", TWICE },
{ "X19 wire-clean bits-clean", "os10", "show interface {ethernet}", TWICE },
{ "X19 wire-clean bits-clean", "sonic", "show interfaces counters -i {port}", TWICE },
{ "FEC fec-same", "linux", "ethtool --show-fec {port}" },
{ "FEC fec-same", "os10", "show interface {ethernet}" },
{ "FEC fec-same", "sonic", "show interfaces status {port}" },
{ "Q4 app-bandwidth", "linux", "ib_write_bw -d {rdma} -x {gid} --tclass {tos} --report_gbits",
  "then on a second host with its own device and GID index, and this host's name at the end" },

/* from the application's mark to the lossless class, at both ends */
{ "X10 tos-ecn", OFED, "cat /sys/class/infiniband/{rdma}/tc/1/traffic_class; sudo cma_roce_tos -d {rdma}" },
{ "X10 tos-ecn", "linux", "sudo cat /sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_tos",
  "only if the directory exists; rdma_cm does not create it" },
{ "X20 Q6 bond-members-alike trust-as-wanted trust-same", QOS, "sudo mlnx_qos -i {port}" },
{ "X20 Q6 bond-members-alike trust-as-wanted trust-same", "linux", "dcb app show dev {port}",
  "dscp-prio entries: the port uses DSCP; where the driver has dcb apptrust (iproute2 6.2), that shows the order" },
{ "Q6 trust-as-wanted trust-same", "os10", "show running-configuration interface {ethernet}" },
{ "Q6 trust-as-wanted trust-same", "sonic", "sonic-db-cli CONFIG_DB hgetall 'PORT_QOS_MAP|{port}'" },
{ "MAPS ISCSI dscp-map-as-wanted dscp-same prio-tc-as-wanted best-effort-lossy iscsi-apart", QOS, "sudo mlnx_qos -i {port}" },
{ "MAPS ISCSI dscp-map-as-wanted dscp-same prio-tc-as-wanted best-effort-lossy iscsi-apart", "linux", "dcb app show dev {port}" },
{ "MAPS ISCSI dscp-map-as-wanted dscp-same prio-tc-as-wanted best-effort-lossy iscsi-apart", "os10",
  "show running-configuration trust-map" },
{ "tc-queue-as-wanted pfc-queue-agrees", "os10", "show running-configuration qos-map" },
{ "MAPS ISCSI dscp-map-as-wanted dscp-same prio-tc-as-wanted tc-queue-as-wanted pfc-queue-agrees best-effort-lossy iscsi-apart", "sonic",
  "sonic-db-cli CONFIG_DB hgetall 'PORT_QOS_MAP|{port}'", "then sonic-cfggen -d --var-json with each map that it names" },
{ "PAUSE pause-frames-off link-pause-quiet", "linux", "ethtool -a {port}" },
{ "PAUSE pause-frames-off link-pause-quiet", "os10", "show interface {ethernet}" },
{ "PFC pfc-on-where-wanted pfc-same pfc-only-where-wanted priority-quiet", QOS, "sudo mlnx_qos -i {port}" },
{ "PFC pfc-on-where-wanted pfc-same pfc-only-where-wanted priority-quiet", "linux", "dcb pfc show dev {port}" },
{ "PFC pfc-on-where-wanted pfc-same pfc-only-where-wanted priority-quiet", "os10",
  "show interface {ethernet} priority-flow-control details" },
{ "PFC pfc-on-where-wanted pfc-same pfc-only-where-wanted priority-quiet", "sonic", "show pfc priority {port}" },
{ "ETS ets-cnp-served ets-adds-up ets-as-wanted", QOS, "sudo mlnx_qos -i {port}" },
{ "ETS ets-cnp-served ets-adds-up ets-as-wanted", "linux", "dcb ets show dev {port}" },
{ "ETS ets-cnp-served ets-adds-up ets-as-wanted", "os10", "show running-configuration policy-map" },
{ "ETS ets-cnp-served ets-adds-up ets-as-wanted", "sonic", "sonic-cfggen -d --var-json SCHEDULER" },
{ "ETS buffer-alone", "linux", "dcb buffer show dev {port}" },
{ "ETS headroom-fits", "sonic", "mmuconfig -l" },
{ "ECN ecn-on ecn-sane ecn-before-pfc ecn-as-wanted", "os10", "show running-configuration wred" },
{ "ECN ecn-on ecn-sane ecn-before-pfc ecn-as-wanted", "sonic", "ecnconfig -l" },
{ "NPRP np-on", OFED, "cat /sys/class/net/{port}/ecn/roce_np/enable/{prio}" },
{ "NPRP rp-on", OFED, "cat /sys/class/net/{port}/ecn/roce_rp/enable/{prio}" },
{ "NPRP cnp-marked-as-wanted cnp-lands", OFED, "cat /sys/class/net/{port}/ecn/roce_np/cnp_dscp" },
{ "DCQCN dcqcn-calm", OFED, "cat /sys/class/net/{port}/ecn/roce_rp/rpg_ai_rate" },

/* what moves */
{ "SAMECABLE X13 X12 Q5 pause-counted-alike pause-storm slow-receiver not-paused not-pausing", MLX5,
  "ethtool -S {port} | grep prio{prio}_pause", TWICE },
{ "SAMECABLE X13 X12 Q5 pause-counted-alike pause-storm slow-receiver not-paused not-pausing", "linux", "dcb -s pfc show dev {port}",
  TWICE },
{ "SAMECABLE X13 RING X12 Q5 pause-counted-alike pause-storm no-deadlock slow-receiver not-paused not-pausing", "os10",
  "show interface {ethernet} priority-flow-control details", TWICE },
{ "SAMECABLE X13 RING X12 Q5 pause-counted-alike pause-storm no-deadlock slow-receiver not-paused not-pausing", "sonic",
  "show pfc counters", TWICE },
{ "storm-ended storms-past watchdog-quiet watchdog-on", "sonic", "show pfcwd stats" },
{ "X11 roce-in-class class-kept", MLX5, "ethtool -S {port} | grep -E 'prio[0-7]_bytes|vport_rdma'", TWICE },
{ "X11 class-kept", "os10", "show queuing statistics interface {ethernet}", TWICE },
{ "X11 class-kept", "sonic", "show queue counters {port}", TWICE },
{ "X14 marks-arrive marks-answered cnp-obeyed cnp-loop-closed", "linux",
  "grep -H . /sys/class/infiniband/{rdma}/ports/1/hw_counters/*", TWICE },
{ "X14 marks-arrive", "os10", "show queuing statistics interface {ethernet} wred", TWICE },
{ "X14 marks-arrive", "sonic", "show queue wredcounters {port}", TWICE },
{ "X15 X18 uplinks-even", "os10", "show queuing statistics interface {ethernet}", TWICE },
{ "X15 X18 uplinks-even", "sonic", "show queue counters {port}", TWICE },
{ "X16 lossless-kept watchdog-quiet", "linux", "ethtool -S {port} | grep -E 'discard|dropped|out_of_buffer'", TWICE },
{ "X16 lossless-kept", "os10", "show queuing statistics interface {ethernet}", TWICE },
{ "X16 lossless-kept", "sonic", "show priority-group drop counters", TWICE },
{ "X17 sequence-kept", MLX5, "cat /sys/class/infiniband/{rdma}/ports/1/hw_counters/out_of_sequence", TWICE },
{ "ACKS acks-come", MLX5, "cat /sys/class/infiniband/{rdma}/ports/1/hw_counters/local_ack_timeout_err", TWICE },

{ "X17 sequence-kept ACKS acks-come", "linux", "grep -H . /sys/class/infiniband/{rdma}/ports/1/hw_counters/*", TWICE },

/* who else may set it */
{ "X21 dcbx-off", QOS, "sudo mlnx_qos -i {port}" },
{ "X21", MLX5, "systemctl status lldpad.socket lldpad.service" },
{ "X21 lldpad-off", "linux", "systemctl status lldpad.socket lldpad.service" },
{ "KEPT qos-kept", "linux", "grep -rlE 'mlnx_qos|dcb (pfc|app|ets)|cma_roce_tos' /etc/systemd/system /etc/udev/rules.d /usr/local/bin" },
};
const size_t remedy_count = sizeof(remedy_table) / sizeof(*remedy_table);
