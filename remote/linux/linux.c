/* Linux hosts: what they are asked, and how often. */
#include "remote/linux/linux.h"
#include "remote/platform/logins.h"

#define FOREACH_NET "for d in /sys/class/net/*; do port=${d##*/}; ok \"$port\" || continue\n"

/*
 * Z: this host's find and grep have what the search of processes needs, looked for once.
 * rep: a representor, which has its PF's function for its device; the kernel names it pf0vf1, c1pf0vf1, pf0sf88, pf0hpf.
 * nic: a port with hardware of its own that is no virtual function of one we see too; or one without hardware (veth,
 * stacked) that the person or the plan names, or on a host that has no hardware at all.
 * fabric: of those, the ones with RDMA and the members of bonds; all, on a host without RDMA hardware.
 */
static const char prelude[] =
	"Z=; B=yes; for i in /sys/class/net/*/device; do [ -e \"$i\" ] && B=; done\n"
	"soft() { [ ! -e \"$at/device\" ] && [ \"$port\" != lo ] && { [ -n \"$B\" ] || case \" $P \" in *\" $port \"*) :;; *) "
	"false;; esac; }; }\n"
	"rep() { r=; read -r r 2>/dev/null <\"$at/phys_port_name\"; case $r in *pf[0-9]*) return 0;; esac; return 1; }\n"
	"nic() { at=/sys/class/net/$port; { [ -e \"$at/device\" ] && [ ! -e \"$at/device/physfn\" ] && ! rep; } || soft; }\n"
	"has_rdma() { for i in /sys/class/infiniband/*/device; do [ -e \"$i\" ] && return; done; return 1; }\n"
	"fabric() { nic && { [ -d \"$at/device/infiniband\" ] || [ -e \"$at/master\" ] || ! has_rdma; }; }\n"
	"ports() { for at in /sys/class/net/*; do port=${at##*/}; ok \"$port\" && nic && echo \"port $port\"; done; port=; }\n"
	"driver() { drv=; while IFS= read -r v; do case $v in DRIVER=*) drv=${v#DRIVER=};; esac; done \\\n"
	"2>/dev/null <\"/sys/class/net/$port/device/uevent\"; }\n"
	"map() { for i in /sys/class/infiniband/*/device/net/*; do [ -e \"$i\" ] && echo \"$i\"; done\n"
	"grep -sH . /sys/class/infiniband/*/parent /sys/class/infiniband/*/ports/*/gid_attrs/ndevs/0 \"$@\"; }\n";

static const char host_script[] =
	"read -r v </proc/sys/kernel/random/boot_id && echo \"boot=$v\"\n"
	"read -r v </proc/sys/kernel/hostname && echo \"hostname=$v\"\n"
	"n=; [ -r /etc/os-release ] && while IFS= read -r v; do case $v in\n"
	"PRETTY_NAME=*) n=${v#PRETTY_NAME=}; n=${n#\\\"}; n=${n%\\\"};; esac; done </etc/os-release\n"
	"echo \"version=$n ($(uname -sr))\"\n"
	"m=; for f in sys_vendor product_name; do\n"
	"[ -r /sys/class/dmi/id/$f ] && read -r v </sys/class/dmi/id/$f && m=\"$m $v\"; done; echo \"model=$m\"";

static const char settings_script[] =
	"v=; read -r v </proc/sys/net/ipv4/tcp_ecn; echo \"tcp_ecn=$v\"\n"
	"printf 'memlock='; ulimit -l || echo\n"
	"if [ -e /run/mellanox/drivers/.driver-ready ]; then echo driver.ready=yes\n"
	"elif [ -d /run/mellanox/drivers ]; then echo driver.ready=no; fi\n"
	"if grep -sqx lldpad /proc/[0-9]*/comm; then echo lldpad=yes; else echo lldpad=no; fi\n"
	/* the link is what systemctl enable makes: asking systemctl would start a program each time */
	"s=/etc/systemd/system; if [ -e $s/multi-user.target.wants/fabcon-roce.service ]; then echo persist.unit=yes\n"
	"v=; { read -r v && read -r v; } 2>/dev/null </etc/fabcon/roce.sh && case $v in *' as the policy '*' requires them;'* | \\\n"
	"*' as the policy '*' wants them;'*) v=${v#* as the policy }; v=${v%% requires them;*}\n"	/* the older form, too */
	"echo \"persist.policy=${v%% wants them;*}\";; esac\n"
	"elif [ -d $s ]; then echo persist.unit=no; fi\n"
	/* kubelet's directory of a pod's logs is named NAMESPACE_POD_UID, and goes with the pod */
	"n=; for v in /var/log/pods/*_nic-configuration-daemon-*; do [ -e \"$v\" ] && n=\"$n nic-configuration-operator\"; break; done\n"
	"for v in /var/log/pods/*_sriov-network-config-daemon-*; do [ -e \"$v\" ] && n=\"$n sriov-network-operator\"; break; done\n"
	"for v in /var/log/pods/*_fabcon-roce-*; do [ -e \"$v\" ] && n=\"$n fabcon-roce-daemonset\"; break; done\n"
	"[ -e /etc/machine-config-daemon/currentconfig ] && n=\"$n machine-config-operator\"\n"
	"[ -z \"$n\" ] || echo \"owner=${n# }\"";

/*
 * Files that a boot reads, and scripts that they may call. What is larger than 64 KiB is no such script. Links are followed: an
 * enabled unit is one. grep's and find's own errors are lines, too: what could not be read is not taken for empty.
 */
static const char persist_script[] =
	"set --; for d in /etc/systemd/system /etc/systemd/network /etc/udev/rules.d /etc/network /etc/netplan /etc/nmstate \\\n"
	"/etc/NetworkManager /etc/networkd-dispatcher /etc/sysconfig/network-scripts /etc/rc.local /etc/rc.d/rc.local /etc/local.d \\\n"
	"/etc/infiniband /etc/crontab /etc/cron.d /usr/local/bin /usr/local/sbin; do [ ! -e \"$d\" ] || set -- \"$@\" \"$d\"; done\n"
	"echo \"places=$*\"; [ $# = 0 ] || find -L \"$@\" -type f -size -129 -exec grep -lE \\\n"
	"'mlnx_qos|cma_roce_tos|default_roce_tos|lldptool|roce_[nr]p|dcb +(pfc|app|ets|buffer|apptrust) |priority-flow-control' {} + 2>&1\n"
	"echo end";

static const char net_script[] =
	FOREACH_NET
	"at=$d; [ -e \"$d/device\" ] || [ -d \"$d/bonding\" ] || soft || continue\n"
	"set -- \"$@\" \"$d/carrier\" \"$d/operstate\" \"$d/carrier_changes\"\n"
	/* of an RDMA port the kernel's stack sees a part only: ethtool counts the port. The RDMA device of a bond stands at one member. */
	"[ -d \"$d/device/infiniband\" ] || [ -d \"$d/bonding_slave\" ] || [ -d \"$d/bonding\" ] ||\n"
	"set -- \"$@\" \"$d/statistics/rx_bytes\" \"$d/statistics/tx_bytes\"\n"
	"done; port=; grep -sH . /dev/null \"$@\"; :";

static const char link_script[] =
	FOREACH_NET
	"at=$d; if [ -d \"$d/bonding\" ]; then echo \"$d/role:bond\"\n"
	"elif [ ! -e \"$d/device\" ]; then soft || continue; echo \"$d/role:other\"\n"
	"elif [ -d \"$d/bonding_slave\" ]; then echo \"$d/role:member\"\n"
	"elif [ -e \"$d/device/physfn\" ]; then echo \"$d/role:vf\"\n"
	"elif rep; then echo \"$d/role:representor\"\n"
	"else echo \"$d/role:pf\"; fi\n"
	"set -- \"$@\" \"$d/bonding_slave/perm_hwaddr\" \"$d/address\" \"$d/mtu\" \"$d/speed\" \"$d/ifalias\" \\\n"
	"\"$d/device/sriov_numvfs\" \"$d/bonding/slaves\"\n"
	"done; port=; grep -sH . /dev/null \"$@\"; :";

static const char rdma_script[] =
	"for i in /sys/class/infiniband/*; do break; done; [ -e \"$i\" ] || { echo 'no RDMA device'; ports; return 0; }\n"
	"map /sys/class/infiniband/*/ports/*/state /sys/class/infiniband/*/ports/*/link_layer /sys/class/infiniband/*/node_type\n"
	"grep -sH RoCE /sys/class/infiniband/*/ports/*/gid_attrs/types/*\n"
	"grep -sHv '^[0:]*$' /sys/class/infiniband/*/ports/*/gids/*; :";

static const char rdma_counters_script[] =
	"map /sys/class/infiniband/*/ports/*/state /sys/class/infiniband/*/ports/*/counters/port_*_data \\\n"
	"/sys/class/infiniband/*/ports/*/hw_counters/*; :";

static const char tos_script[] =
	"echo tos:; map /sys/class/infiniband/*/tc/*/traffic_class \\\n"
	"/sys/kernel/config/rdma_cm/*/ports/*/default_roce_tos; :";

/* Of Mellanox NICs alone. dcb is named where neither is here: either would do. */
static const char mlnx_qos_script[] =
	"driver; case $drv in '' | mlx*) ;; *) echo \"driver $drv\"; return 0;; esac\n"
	"run mlnx_qos -i \"$port\"; s=$?; [ $s != 127 ] || command -v dcb >/dev/null 2>&1 || echo 'dcb: not found'; return $s";

static const char dcb_script[] =
	"driver; echo \"driver $drv\"; w=0\n"
	/* each object begins a line, also behind an answer that was cut short, whose status is that of the whole */
	"for i in pfc ets app buffer dcbx apptrust; do printf '\\ndcb %s\\n' \"$i\"; run dcb -j \"$i\" show dev \"$port\"; s=$?\n"
	"[ $s = 127 ] && return 127; case $s in 124 | 125 | 129 | 1[3-9]?) w=$s;; esac; done; return $w";

/* The subshell keeps our working directory; the name of the PCI function is the last part of where the link leads. */
static const char ecn_script[] =
	"[ -d \"/sys/class/net/$port/ecn\" ] && { grep -rsH . \"/sys/class/net/$port/ecn\"; return 0; }\n"
	"driver; [ \"$drv\" = mlx5_core ] || { echo 'no DCQCN settings'; return 1; }\n"
	"[ \"$U\" = 0 ] || { echo 'not root'; return 1; }\n"
	"( cd -P \"/sys/class/net/$port/device\" && cd \"/sys/kernel/debug/mlx5/${PWD##*/}/cc_params\" &&\n"
	"grep -sH . ./* ) 2>/dev/null || { echo 'no DCQCN settings'; return 1; }";

/* Not on the interface that our session comes in by. */
static const char fill_script[] =
	"set -- ${SSH_CONNECTION-}; [ -z \"${3-}\" ] || case \"$(run ip -o addr show to \"$3\")\" in *\": $port \"*) return 0;; esac\n"
	"run ping -6 -n -c 1 -w 2 -I \"$port\" ff02::1";

/* The address that sshd was reached at is the third word of SSH_CONNECTION. */
static const char neighbors_script[] =
	"ports; run ip neigh show; s=$?\n"
	"set -- ${SSH_CONNECTION-}; [ -z \"${3-}\" ] || run ip -o addr show to \"$3\"\n"
	"return $s";

/*
 * At most 64 processes, of each at most 32 variables, cut at 200 bytes: those that begin with NCCL_, and no other, leave
 * the host. A login's own shell is no application, though it may have such variables, too. BusyBox has neither find -lname nor
 * grep -z, and would see no process at all.
 */
static const char processes_script[] =
	"[ -r /etc/nccl.conf ] && grep '^NCCL_[A-Z0-9_]*=' /etc/nccl.conf | head -n 32 | cut -c1-200 | while IFS= read -r v; do\n"
	"echo \"conf $v\"; done\n"
	"for i in $( { $T find /proc/[0-9]*/fd -maxdepth 1 -lname '/dev/infiniband/uverbs*'\n"
	"$T grep -lsaz '^NCCL_' /proc/[0-9]*/environ; } 2>/dev/null | cut -d/ -f3 | sort -un | head -n 64); do\n"
	"[ \"$i\" = $$ ] && continue; d=/proc/$i; n=; read -r n 2>/dev/null <\"$d/comm\" || continue\n"
	"case $n in sh|bash|dash|zsh|ksh|sshd*|systemd*|tmux*|screen|login|su|sudo|slurm*|srun|mpirun|orted) continue;; esac\n"
	"echo \"process $i $n\"\n"
	"while read -r v w x y z; do [ \"$v $w $x\" = 'Max locked memory' ] && echo \"memlock $y\"; done 2>/dev/null <\"$d/limits\"\n"
	"grep -saz '^NCCL_' \"$d/environ\" | tr '\\n\\0' ' \\n' | head -n 32 | cut -c1-200; done\n"
	"[ -n \"$Z\" ] || { find / -maxdepth 0 -lname x >/dev/null 2>&1 && echo | grep -saz . >/dev/null 2>&1 && Z=yes; } ||\n"
	"{ echo 'end without find -lname, grep -z'; return; }\n"
	"[ \"$U\" = 0 ] && echo end || echo 'end not root'";

static const char pcie_script[] =
	"for at in /sys/class/net/*; do port=${at##*/}; ok \"$port\" && nic || continue\n"
	"set -- \"$@\" \"$at/device/current_link_speed\" \"$at/device/max_link_speed\" \"$at/device/current_link_width\" \\\n"
	"\"$at/device/max_link_width\"; done; port=; grep -sH . /dev/null \"$@\"; :";

/*
 * The newest lines of those that linux_dmesg() may know: the kernel's log is up to megabytes. A link that flaps must not push
 * out the others; an interface's names stand with its link's states, in their order. The kernel's command line may hold secrets.
 */
static const char dmesg_script[] =
	"v=$(run dmesg 2>&1); s=$?; case $v in dmesg:*) [ $s != 0 ] || s=1 ;; esac\n"
	"[ $s = 0 ] || { printf '%s\\n' \"$v\"; return $s; }\n"
	"printf '%s\\n' \"$v\" | awk '!/mlx5_|infiniband |pcieport|PCIe|NETDEV WATCHDOG|locked memory/ || /ommand line: / { next }\n"
	"/: Link |: renamed from / { links[n++] = $0; next }\n"
	"{ others[m++] = $0 }\n"
	"END { for (i = m > 200 ? m - 200 : 0; i < m; i++) print others[i]\n"
	"for (i = n > 200 ? n - 200 : 0; i < n; i++) print links[i]\n"
	"if (m > 200 || n > 200) print \"" DMESG_CUT " lines than these\" }'";

static const struct probe probes[] = {
	{ .id = "host", .cadence = CADENCE_ONCE, .parse = linux_host, .proof = "source",
	  .command = "cat /proc/sys/kernel/random/boot_id /proc/sys/kernel/hostname /etc/os-release; uname -sr",
	  .script = host_script,
	  .help = "Boot id, name, distribution and kernel, hardware model" },
	{ .id = "net", .cadence = CADENCE_LIVE, .parse = linux_net, .proof = "source", .rank = 20,
	  .command = "grep -H . /sys/class/net/*/carrier /sys/class/net/*/operstate /sys/class/net/*/carrier_changes "
		     "/sys/class/net/*/statistics/?x_bytes",
	  .script = net_script,
	  .help = "Link state of every interface; bytes of those without RDMA" },
	{ .id = "link", .cadence = CADENCE_CONFIG, .parse = linux_net, .proof = "captures",
	  .command = "grep -H . /sys/class/net/*/mtu /sys/class/net/*/address /sys/class/net/*/speed",
	  .script = link_script,
	  .help = "Role, MTU, speed, permanent MAC, bonds and their members, number of virtual functions" },
	{ .id = "settings", .cadence = CADENCE_CONFIG, .parse = linux_settings, .proof = "source",
	  .command = "sysctl net.ipv4.tcp_ecn; ulimit -l; ls /run/mellanox/drivers/.driver-ready; pgrep lldpad; "
		     "systemctl is-enabled fabcon-roce.service; ls /var/log/pods",
	  .script = settings_script,
	  .help = "Settings of the host that matter to RDMA" },
	{ .id = "persist", .cadence = CADENCE_CONFIG, .parse = linux_persist, .proof = "source",
	  .command = "grep -rlE 'mlnx_qos|dcb|lldptool|cma_roce_tos|roce_np' /etc/systemd/system /etc/udev/rules.d /etc/network "
		     "/usr/local/bin",
	  .script = persist_script,
	  .help = "Files read at boot that name a NIC QoS tool" },
	{ .id = "lsmod", .cadence = CADENCE_CONFIG, .parse = linux_lsmod, .proof = "captures",
	  .command = "cat /proc/modules",
	  .help = "Kernel modules that matter to RDMA" },
	{ .id = "rdma", .cadence = CADENCE_CONFIG, .parse = linux_rdma, .proof = "captures",
	  .command = "grep -rsH . /sys/class/infiniband/*/{node_type,ports/*/{state,link_layer,gids,gid_attrs}}",
	  .script = rdma_script,
	  .help = "RDMA devices, their interfaces, state and RoCE v2 GIDs" },
	{ .id = "rdma-counters", .cadence = CADENCE_LIVE, .parse = linux_rdma, .proof = "captures",
	  .command = "grep -sH . /sys/class/infiniband/*/ports/*/{state,counters/port_*_data,hw_counters/*}",
	  .script = rdma_counters_script,
	  .help = "CNPs, ECN marks seen, sequence errors, retransmissions, RDMA bytes" },
	{ .id = "ethtool-S", .cadence = CADENCE_LIVE, .parse = linux_ethtool_counters, .proof = "captures",
	  .per_port = true, .ports_of = "fabric",
	  .command = "ethtool -S {port}", .script = "run ethtool -S \"$port\"",
	  .help = "PFC frames and time, bytes of priorities, drops, physical errors" },
	{ .id = "ethtool-i", .cadence = CADENCE_CONFIG, .parse = linux_ethtool_driver, .proof = "captures",
	  .per_port = true, .ports_of = "nic",
	  .command = "ethtool -i {port}", .script = "run ethtool -i \"$port\"",
	  .help = "Driver and firmware" },
	{ .id = "ethtool-a", .cadence = CADENCE_CONFIG, .parse = linux_ethtool_pause, .proof = "captures",
	  .per_port = true, .ports_of = "fabric",
	  .command = "ethtool -a {port}", .script = "run ethtool -a \"$port\"",
	  .help = "802.3x link pause" },
	{ .id = "ethtool-fec", .cadence = CADENCE_CONFIG, .parse = linux_ethtool_fec, .proof = "source",
	  .per_port = true, .ports_of = "fabric",
	  .command = "ethtool --show-fec {port}", .script = "run ethtool --show-fec \"$port\"",
	  .help = "Forward error correction in use" },
	{ .id = "ethtool-modes", .cadence = CADENCE_CONFIG, .parse = linux_ethtool_modes, .proof = "source",
	  .per_port = true, .ports_of = "fabric",
	  .command = "ethtool {port}", .script = "run ethtool \"$port\"",
	  .help = "Link modes that the NIC's port supports" },
	{ .id = "mlnx_qos", .cadence = CADENCE_CONFIG, .parse = linux_mlnx_qos, .proof = "captures",
	  .per_port = true, .ports_of = "fabric",
	  .command = "mlnx_qos -i {port}", .script = mlnx_qos_script,
	  .help = "Of Mellanox NICs: trust, DSCP map, classes, PFC, ETS, receive buffers, DCBX" },
	{ .id = "dcb", .cadence = CADENCE_CONFIG, .parse = linux_dcb, .proof = "captures", .rank = 20,
	  .per_port = true, .ports_of = "fabric",
	  .command = "dcb -j pfc show dev {port}", .script = dcb_script,
	  .help = "Trust, PFC, ETS, APP table, buffers and DCBX, with any driver (iproute2 dcb); JSON or text" },
	{ .id = "ecn", .cadence = CADENCE_CONFIG, .parse = linux_ecn, .proof = "captures",
	  .per_port = true, .ports_of = "fabric",
	  .command = "grep -r . /sys/class/net/{port}/ecn", .script = ecn_script,
	  .help = "DCQCN of mlx5: notification and reaction points, CNP marking, parameters" },
	{ .id = "tos", .cadence = CADENCE_CONFIG, .parse = linux_rdma, .proof = "captures",
	  .command = "grep -H . /sys/class/infiniband/*/tc/*/traffic_class "
		     "/sys/kernel/config/rdma_cm/*/ports/*/default_roce_tos",
	  .script = tos_script,
	  .help = "Forced and default marking of RDMA connections" },
	{ .id = "ibv_devinfo", .cadence = CADENCE_CONFIG, .parse = linux_ibv_devinfo, .proof = "captures", .rank = 20,
	  .command = "ibv_devinfo", .script = "map; run ibv_devinfo",
	  .help = "Active MTU of RDMA ports" },
	{ .id = "lldp", .cadence = CADENCE_CONFIG, .parse = linux_lldp, .proof = "captures",
	  .command = "lldpcli -f json0 show neighbors",
	  .script = "run lldpcli -f json0 show neighbors; s=$?; [ $s = 0 ] || ports; return $s",
	  .help = "The neighbor's switch port; JSON or keyvalue" },
	{ .id = "neighbors", .cadence = CADENCE_CONFIG, .parse = linux_neighbors, .proof = "source", .rank = 30,
	  .command = "ip neigh show; ip -o addr show to ADDRESS",
	  .script = neighbors_script,
	  .help = "MACs on each segment (ARP, ND), and the interface of our own session" },
	{ .id = "fill-neighbors", .cadence = CADENCE_FILL, .parse = linux_filled, .proof = "source", .rank = 90,
	  .per_port = true, .ports_of = "nic",
	  .command = "ping -6 -n -c 1 -w 2 -I {port} ff02::1", .script = fill_script,
	  .help = "One ping to all IPv6 nodes of a segment, to fill the neighbor table. Only on request" },
	{ .id = "processes", .cadence = CADENCE_CONFIG, .parse = linux_processes, .proof = "source",
	  .command = "grep -z '^NCCL_' /proc/PID/environ; cat /proc/PID/limits /etc/nccl.conf",
	  .script = processes_script,
	  .help = "Processes that use NCCL or hold an RDMA device open: their NCCL_ variables and locked-memory limit" },
	{ .id = "pcie", .cadence = CADENCE_CONFIG, .parse = linux_pcie, .proof = "source",
	  .command = "grep -H . /sys/class/net/*/device/{current,max}_link_{speed,width}",
	  .script = pcie_script,
	  .help = "PCIe speed and width of the NICs, in use and supported" },
	{ .id = "dmesg", .cadence = CADENCE_CONFIG, .parse = linux_dmesg, .proof = "captures",
	  .command = "dmesg", .script = dmesg_script, .keeps = linux_dmesg_line,
	  .help = "NIC, PCIe and memory errors in the kernel log" },
	{ .id = "logins", .cadence = CADENCE_CHANGE, .parse = logins_parse, .proof = "source",
	  .command = LOGINS_COMMAND, .script = LOGINS_SCRIPT,
	  .help = "Open and ended logins, read after a setting has changed" },
	{ .id = "ethtool", .cadence = CADENCE_NEVER, .parse = linux_ethtool, .proof = "captures",
	  .command = "ethtool {port}",
	  .help = "Speed and link" },
	{ .id = "ip-link", .cadence = CADENCE_NEVER, .parse = linux_ip_link, .proof = "captures", .rank = 20,
	  .command = "ip -j -d link show",
	  .help = "MTU, MAC, bonds and virtual functions; JSON or text" },
	{ .id = "bonding", .cadence = CADENCE_NEVER, .parse = linux_bonding, .proof = "captures", .rank = 20,
	  .command = "cat /proc/net/bonding/{port}",
	  .help = "Members of a bond" },
	{ .id = "rdma-link", .cadence = CADENCE_NEVER, .parse = linux_rdma_link, .proof = "captures", .rank = 20,
	  .command = "rdma link",
	  .help = "RDMA devices, their interfaces and state; text or -j" },
	{ .id = "rdma-statistic", .cadence = CADENCE_NEVER, .parse = linux_rdma_statistic, .proof = "captures", .rank = 20,
	  .command = "rdma statistic show",
	  .help = "Counters of RDMA devices; text or -j" },
	{ .id = "ibdev2netdev", .cadence = CADENCE_NEVER, .parse = linux_ibdev2netdev, .proof = "captures", .rank = 20,
	  .command = "ibdev2netdev",
	  .help = "RDMA devices and their interfaces; also -v" },
	{ .id = "show_gids", .cadence = CADENCE_NEVER, .parse = linux_show_gids, .proof = "captures", .rank = 20,
	  .command = "show_gids",
	  .help = "GIDs of RDMA devices" },
	{ .id = "show_counters", .cadence = CADENCE_NEVER, .parse = linux_show_counters, .proof = "captures", .rank = 20,
	  .command = "show_counters {port}", .per_port = true,
	  .help = "Counters of one RDMA device" },
};

/* Systems that print "Linux" and are switches of another dialect are left to their own rows, or alone. */
static bool is_linux(struct span text)
{
	static const char *const others[] = {
		"sonic_version.yml:", "ID=sonic", "cumulus", "Arista", "OS10", "Onyx", "ID=dnos", "ID=\"dnos",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (span_find(text, others[i]))
			return false;
	return span_find(text, "uname: Linux ") != NULL;
}

const struct platform linux_platform = {
	.id = "linux",
	.title = "Linux host",
	.way = WAY_SH,
	.probes = probes,
	.n_probes = sizeof(probes) / sizeof(*probes),
	.prelude = prelude,
	.is_it = is_linux,
	.dialect = &linux_dialect,
	.runs_tests = true,
};
