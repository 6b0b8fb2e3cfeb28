/* The skins of Linux hosts (remote/lab/world/skins.h), each over OpenSSH: what a host in that skin answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/text.h"

static struct lab lab;

/* fabcon-lab ctl, whose words do not matter. */
static void tell_lab(const char *const *words)
{
	struct run r = lab_ctl(&lab, words);

	assert_int_equal(r.code, 0);
	run_done(&r);
}
#define ctl(...) tell_lab((const char *const[]){ __VA_ARGS__, NULL })

static void start(const char *skin)
{
	if (skin)
		assert_true(LAB(&lab, "--nodes", "2", "--skin", skin));
	else
		assert_true(LAB(&lab, "--nodes", "2"));
}

/* -- programs -- */

static void a_host_has_the_programs_of_a_host_and_no_others(void **state)
{
	const char *text;

	(void)state;
	start(NULL);
	text = lab_tell(&lab, "node1", "for i in python3 tc ss gcc fabcon mount; do which $i || echo \"no $i\"; done\n"
				       "which mlnx_qos ethtool awk sh; echo b a | awk '{ print $2 }' | tac");
	assert_string_equal(text, "no python3\nno tc\nno ss\nno gcc\nno fabcon\nno mount\n"
				  "/usr/bin/mlnx_qos\n/usr/sbin/ethtool\n/usr/bin/awk\n/usr/bin/sh\na\n");
	assert_says(lab_tell(&lab, "node1", "PATH=/nowhere; tc; echo $?"), "127\n");
	text = lab_tell(&lab, "node2", "dmesg; cat /proc/cmdline; lspci; journalctl -k | wc -l");
	assert_says(text, "mlx5_core 0000:1a:00.0 eth2: Link up\n");
	assert_says(text, "Hostname set to <node2>.");
	assert_says(text, "\nBOOT_IMAGE=/boot/vmlinuz-");
	assert_says(text, "\n1a:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n");
	lab_stop(&lab);
}

/* What this machine's own shell and coreutils print for the same script. */
static char *here(const char *script)
{
	FILE *in = popen(script, "r");
	struct buf text = { NULL };
	char bytes[4096];
	size_t n;

	assert_non_null(in);
	buf_str(&text, "");
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		buf_add(&text, bytes, n);
	pclose(in);
	return text.text;
}

/* Ours is no coreutils': that one is asked the same. */
static void a_time_limit_ends_as_that_of_coreutils_does(void **state)
{
	static const char script[] =
		"export LC_ALL=C; exec 2>&1; timeout 20 true; echo $?; timeout 20 sh -c 'exit 3'; echo $?; timeout 1 sleep 60; echo $?\n"
		"timeout 20 no-such-tool; echo $?; timeout 20 /dev/null; echo $?; timeout 0 echo no limit; echo $?\n"
		"timeout 1 sh -c 'trap \"\" TERM; sleep 3; echo went on'; echo $?; timeout 1 sh -c 'sleep 60; :'; echo $?\n"
		"timeout 20 sh -c 'kill -TERM $$'; echo $?; timeout -s KILL 1 sleep 60; echo $?; timeout 0.5 sleep 60; echo $?\n"
		"echo in | timeout 20 cat; echo $?; timeout 20 sh -c 'kill -TERM $PPID; sleep 60'; echo $?\n";
	char *coreutils = here(script);

	(void)state;
	start(NULL);
	assert_string_equal(lab_tell(&lab, "node1", script), coreutils);
	lab_stop(&lab);
	free(coreutils);
}

static void a_program_that_a_skin_takes_away_is_not_found(void **state)
{
	static const char *const table[][2] = {
		{ "no-mlnx-qos@node1", "mlnx_qos" }, { "no-dcb@node1", "dcb" }, { "no-ethtool@node1", "ethtool" },
		{ "no-systemd@node1", "systemd-run" }, { "no-lldpcli@node1", "lldpcli" },
	};
	const char *args[16] = { "--nodes", "2" };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		args[2 + i * 2] = "--skin";
		args[3 + i * 2] = table[i][0];
	}
	assert_true(lab_start(&lab, args));
	for (size_t i = 0; i < 5; i++) {
		char script[64], wanted[64];

		snprintf(script, sizeof(script), "exec 2>&1\n%s; echo $?", table[i][1]);
		snprintf(wanted, sizeof(wanted), "%s: not found\n127\n", table[i][1]);
		assert_says(lab_tell(&lab, "node1", script), wanted);
		assert_silent(lab_tell(&lab, "node2", script), "not found");
	}
	lab_stop(&lab);
}

static void busybox_refuses_what_gnu_takes(void **state)
{
	static const char *const refused[][2] = {
		{ "grep -z x /etc/hostname", "grep: unrecognized option: z\nBusyBox v1.36.1 " },
		{ "grep -lsaz x /etc/hostname", "grep: unrecognized option: z\n" },
		{ "grep --include=x x", "grep: unrecognized option: include=x\n" },
		{ "find / -maxdepth 0 -lname x", "find: unrecognized: -lname\nBusyBox v1.36.1 " },
	};

	(void)state;
	start("busybox@node1");
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		char script[80];

		snprintf(script, sizeof(script), "exec 2>&1; %s; echo $?", refused[i][0]);
		assert_says(lab_tell(&lab, "node1", script), refused[i][1]);
		assert_silent(lab_tell(&lab, "node2", script), "unrecognized");
	}
	assert_string_equal(lab_tell(&lab, "node1", "grep -sH -m 1 -e node /etc/hostname; find /etc -name hostname; which bash systemctl"),
			    "/etc/hostname:node1\n/etc/hostname\n");
	assert_says(lab_tell(&lab, "node1", "cat /etc/os-release"), "ID=alpine\n");
	lab_stop(&lab);
}

/* -- the driver -- */

static void wait_for(const char *script, const char *wanted)
{
	time_t give_up = time(NULL) + 20;

	while (!strstr(lab_tell(&lab, "node1", script), wanted))
		if (time(NULL) > give_up)
			fail_msg("never said \"%s\", but:\n%s", wanted, lab_tell(&lab, "node1", script));
}

#define LINK	"cd /sys/class; cat net/eth2/carrier_changes net/eth2/operstate infiniband/mlx5_0/ports/1/state\n"

static void a_new_pfc_mask_toggles_the_link(void **state)
{
	(void)state;
	start("slow-training");
	wait_for(LINK, "1\nup\n4: ACTIVE\n");
	lab_tell(&lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");	/* as it is: nothing happens */
	assert_string_equal(lab_tell(&lab, "node1", LINK), "1\nup\n4: ACTIVE\n");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,1,1,0,0,0 >/dev/null; sleep 0.5; " LINK), "down\n1: DOWN\n");
	wait_for(LINK, "3\nup\n4: ACTIVE\n");
	lab_tell(&lab, "node1", "dcb pfc set dev eth2 prio-pfc 4:off");
	wait_for(LINK, "5\nup\n4: ACTIVE\n");
	lab_stop(&lab);
}

/* Link events of eth2, without their times. */
#define EVENTS "dmesg | sed -n 's/.* eth2: Link /Link /p'\n"

static void the_kernels_log_has_each_link_that_went_down_and_came_up(void **state)
{
	(void)state;
	start(NULL);
	assert_string_equal(lab_tell(&lab, "node1", EVENTS), "Link up\n");
	lab_tell(&lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,1,1,0,0,0");
	wait_for(EVENTS, "Link up\nLink down\nLink up\n");
	assert_string_equal(lab_tell(&lab, "node2", EVENTS), "Link up\n");
	ctl("fault", "add", "link-down@node2:eth2");
	assert_string_equal(lab_tell(&lab, "node2", EVENTS), "Link up\nLink down\n");
	assert_string_equal(lab_tell(&lab, "node2", "dmesg | sort -sc -t '[' -k 2n && echo in order"), "in order\n");
	lab_stop(&lab);
}

static void pause_and_pfc_exclude_each_other(void **state)
{
	(void)state;
	start(NULL);
	lab_tell(&lab, "node1", "ethtool -A eth2 rx on tx on");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2"), "enabled     0   0   0   0   0   0   0   0");
	lab_tell(&lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");
	assert_says(lab_tell(&lab, "node1", "ethtool -a eth2"), "RX:\t\toff\nTX:\t\toff\n");
	lab_stop(&lab);
}

static void buffers_too_small_for_what_is_lossless_are_refused(void **state)
{
	(void)state;
	start("buffers-checked");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2 --buffer_size 1000,1,0,0,0,0,0,0; echo $?"), "Buffers commands error\n1\n");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2 --prio2buffer 0,0,0,2,0,0,0,0; echo $?"), "Buffers commands error\n1\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1\ndcb buffer set dev eth2 buffer-size 1:60000; echo $?"),
		    "Attribute write: Cannot allocate memory\n1\n");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2 --buffer_size 130944,130944,0,0,0,0,0,0"), ": 130944,130944,0,0,");
	lab_stop(&lab);
}

static void rdma_cm_shows_a_device_only_while_somebody_made_it(void **state)
{
	(void)state;
	start("configfs-bare");
	assert_string_equal(lab_tell(&lab, "node1", "ls /sys/kernel/config/rdma_cm"), "");
	assert_string_equal(lab_tell(&lab, "node1", "d=/sys/kernel/config/rdma_cm/mlx5_0\nmkdir -p $d && cat $d/ports/1/default_roce_tos\n"
				     "echo 104 >$d/ports/1/default_roce_tos; rmdir $d; ls $d 2>/dev/null; mkdir $d\n"
				     "cat $d/ports/1/default_roce_tos; mkdir /tmp/x && rmdir /tmp/x && echo made"), "106\n104\nmade\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; mkdir /sys/kernel/config/rdma_cm/none; echo $?"), "No such device\n1\n");
	lab_stop(&lab);
}

static void the_kernels_mlx5_has_other_files_and_no_mlnx_tools(void **state)
{
	const char *text;

	(void)state;
	start("breed-inbox");
	text = lab_tell(&lab, "node1", "which mlnx_qos show_gids || echo none; cd /sys/class; ls net/eth2/ecn infiniband/mlx5_0/tc 2>/dev/null\n"
				       "cat net/eth2/device/uevent; cat /sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp; dcb pfc show dev eth2");
	assert_says(text, "none\nDRIVER=mlx5_core\n");
	assert_says(text, "PCI_SLOT_NAME=0000:1a:00.0\n48\npfc-cap 8");
	lab_tell(&lab, "node1", "echo 46 >/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp; sleep 0.3");
	text = lab_tell(&lab, "node1", "cat /sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp");
	assert_string_equal(text, "46\n");
	lab_stop(&lab);
}

static void a_breed_has_its_driver_and_the_names_of_its_devices(void **state)
{
	(void)state;
	start("breed-bnxt");
	assert_string_equal(lab_tell(&lab, "node1", "cd /sys/class; readlink net/eth2/device/driver; ls infiniband; grep -c bnxt /proc/modules"),
			    "../../../bus/pci/drivers/bnxt_en\nbnxt_re0\n3\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; dcb buffer show dev eth2; echo $?"), "Attribute read: Operation not supported\n1\n");
	assert_says(lab_tell(&lab, "node1", "lsmod"), "bnxt_re               471040  0\n");
	lab_stop(&lab);
}

/* All of captures/node/ethtool-S/bnxt_en-full.txt and ice-full.txt: tests/remote/fidelity.txt. */
static void a_breed_counts_under_its_drivers_names(void **state)
{
	const char *text;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "3", "--skin", "breed-bnxt@node1", "--skin", "breed-ice@node2"));
	text = lab_tell(&lab, "node1", "ethtool -i eth2; ethtool -S eth2");
	assert_says(text, "driver: bnxt_en\n");
	assert_says(text, "     [11]: missed_irqs: 0\n     rx_total_l4_csum_errors: 0\n");
	assert_says(text, "     rx_bytes_pri3: ");
	assert_silent(text, "_prio3_");
	text = lab_tell(&lab, "node2", "ethtool -i eth2; ethtool -S eth2");
	assert_says(text, "driver: ice\n");
	assert_says(text, "     rx_queue_127_bytes: 0\n     rx_bytes.nic: ");
	assert_says(text, "     rx_priority_3_xoff.nic: 0\n");
	assert_silent(text, "_prio3_");
	text = lab_tell(&lab, "node3", "ethtool -S eth2");
	assert_says(text, "     rx_prio3_pause: 0\n");
	assert_says(text, "     tx15_wake: 0\n");
	lab_stop(&lab);
}

static void an_rdma_device_counts_under_its_drivers_names(void **state)
{
	static const struct {
		const char *device, *has, *pma;
	} table[] = {
		{ "node1 bnxt_re0", "rx_ecn_marked_pkts tx_cnp_pkts oos_drop_count seq_err_naks_rcvd", "N/A (no PMA)\n" },
		{ "node2 irdma0", "RxECNMrkd cnpSent cnpHandled ip4OutOctets", "N/A (no PMA)\n" },
		{ "node3 mlx4_0", "sq_num_to rq_num_oos sq_num_oos", NULL },
		{ "node4 mlx5_0", "np_cnp_sent rp_cnp_handled out_of_sequence", NULL },
	};

	(void)state;
	assert_true(LAB(&lab, "--nodes", "4", "--skin", "breed-bnxt@node1", "--skin", "breed-ice@node2", "--skin", "breed-mlx4@node3"));
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct span host, device, rest = span_of(table[i].has), word;
		char script[256], node[16];
		const char *text;

		assert_true(span_cut(span_of(table[i].device), ' ', &host, &device));
		snprintf(node, sizeof(node), "%.*s", (int)host.n, host.p);
		snprintf(script, sizeof(script), "cd /sys/class/infiniband/%.*s/ports/1; ls hw_counters; cat counters/port_rcv_data\n"
						 "rdma statistic show", (int)device.n, device.p);
		text = lab_tell(&lab, node, script);
		while (span_word(&rest, &word)) {
			char name[64];

			snprintf(name, sizeof(name), "%.*s\n", (int)word.n, word.p);
			assert_says(text, name);
			snprintf(name, sizeof(name), " %.*s ", (int)word.n, word.p);
			assert_says(text, name);
		}
		if (i < 3)
			assert_silent(text, "np_cnp_sent");
		if (table[i].pma)
			assert_says(text, table[i].pma);
		else
			assert_silent(text, "N/A");
	}
	lab_stop(&lab);
}

/* drivers/net/ethernet/mellanox/mlx4 of the kernel: no trust, no receive buffers, pause where no priority has PFC. */
static void mlx4_knows_no_dscp(void **state)
{
	const char *text;

	(void)state;
	start("breed-mlx4");
	text = lab_tell(&lab, "node1", "cd /sys/class; readlink net/eth2/device/driver; ls infiniband; ethtool -i eth2; ethtool -S eth2");
	assert_says(text, "bus/pci/drivers/mlx4_core\nmlx4_0\ndriver: mlx4_en\nversion: 4.0-0\nfirmware-version: 2.42.5000\n");
	assert_says(text, "     rx_pause_prio_3: 0\n     rx_pause_duration_prio_3: 0\n     rx_pause_transition_prio_3: 0\n");
	assert_says(text, "     rx_novlan_packets: ");
	assert_says(lab_tell(&lab, "node1", "cat /sys/class/infiniband/mlx4_0/ports/?/link_layer"), "Ethernet\nInfiniBand\n");
	assert_silent(text, "rx_prio3");
	assert_says(lab_tell(&lab, "node1", "mlnx_qos -i eth2; echo $?"),
		    "Priority trust state is not supported on your system\nBuffers commands are not supported on your system\n"
		    "DCBX mode: OS controlled\nPFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n"
		    "\tenabled     0   0   0   1   0   0   0   0   \ntc: 0 ");
	assert_string_equal(lab_tell(&lab, "node1", "mlnx_qos -i eth2 --trust dscp; echo $?"),
			    "Priority trust state is not supported on your system\n1\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; dcb buffer show dev eth2; echo $?"), "Attribute read: Operation not supported\n1\n");
	text = lab_tell(&lab, "node1", "dcb pfc set dev eth2 prio-pfc 3:off; ethtool -a eth2; ethtool -S eth2\n"
				       "cat /sys/class/net/eth2/carrier_changes");
	assert_says(text, "RX:\t\ton\nTX:\t\ton\n");
	assert_silent(text, "rx_pause_prio_3");
	assert_says(text, "     rx_pause: 0\n");
	assert_says(text, "\n1\n");
	lab_stop(&lab);
}

/* -- ip and bond0 -- */

static void a_bonds_mtu_is_handed_down_and_never_up(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "2", "--bond"));
#define MTUS "cd /sys/class/net; cat bond0/mtu eth2/mtu eth3/mtu\n"
	assert_string_equal(lab_tell(&lab, "node2", MTUS), "9000\n9000\n9000\n");
	assert_string_equal(lab_tell(&lab, "node2", "ip link set eth2 mtu 4200; " MTUS), "9000\n4200\n9000\n");
	assert_says(lab_tell(&lab, "node2", "ip -j link show bond0"), "\"mtu\":9000");
	assert_string_equal(lab_tell(&lab, "node2", "ip link set bond0 mtu 4300; " MTUS), "4300\n4300\n4300\n");
	assert_string_equal(lab_tell(&lab, "node2", "echo 5000 >/sys/class/net/bond0/mtu; sleep 0.5; " MTUS), "5000\n5000\n5000\n");
	lab_stop(&lab);
}

/* Its members' that are up, together (Linux, bond_ethtool_get_link_ksettings). */
static void ethtool_gives_a_bond_the_speed_of_its_members(void **state)
{
#define BOND "ethtool bond0 | sed -n 's/^.\\(Speed\\|Duplex\\|Port\\|Auto-negotiation\\|Link detected\\)/\\1/p'\n"
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "2", "--bond"));
	assert_string_equal(lab_tell(&lab, "node2", BOND), "Speed: 200000Mb/s\nDuplex: Full\nAuto-negotiation: off\nPort: Other\n"
							   "Link detected: yes\n");
	assert_says(lab_tell(&lab, "node2", "ip link set eth3 down; " BOND), "Speed: 100000Mb/s\nDuplex: Full\n");
	assert_string_equal(lab_tell(&lab, "node2", "ip link set eth2 down; " BOND),
			    "Speed: Unknown!\nDuplex: Unknown! (255)\nAuto-negotiation: off\nPort: Other\nLink detected: no\n");
	lab_stop(&lab);
}

static void bond0_counts_what_its_members_count_and_is_up_with_one_of_them(void **state)
{
	const char *text;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "2", "--bond"));
	text = lab_tell(&lab, "node2", "cd /sys/class/net; ls bond0/statistics | wc -l; ip link set eth3 down; sleep 0.3\n"
				       "cat bond0/operstate bond0/speed; ip link show bond0; cat /proc/net/bonding/bond0");
	assert_says(text, "9\nup\n100000\n40: bond0: <BROADCAST,MULTICAST,MASTER,UP,LOWER_UP> mtu 9000");
	assert_says(text, "Slave Interface: eth3\nMII Status: down\nSpeed: Unknown\nDuplex: Unknown\nLink Failure Count: 1\n");
	lab_stop(&lab);
}

static void the_hash_of_a_bond_is_uneven(void **state)
{
	unsigned long long a, b;
	const char *text;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "2", "--bond", "--skin", "bond-uneven"));
	/* in one command: on a busy machine much is sent between two */
	text = lab_tell(&lab, "node2", "sleep 1; (ethtool -S eth2; ethtool -S eth3) | grep tx_bytes_phy");
	assert_int_equal(sscanf(text, " tx_bytes_phy: %llu tx_bytes_phy: %llu", &a, &b), 2);
	assert_true(a && b);
	assert_true(a < b ? a * 10 < b * 8 : b * 10 < a * 8);
	lab_stop(&lab);
}

static void ip_shows_the_interface_that_is_asked_for(void **state)
{
	const char *text;

	(void)state;
	start(NULL);
	text = lab_tell(&lab, "node1", "ip -d -s link show eth2");
	assert_says(text, "3: eth2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP ");
	assert_says(text, "maxmtu 9978");
	assert_says(text, "    RX: ");
	assert_silent(text, "1: lo:");
	ctl("fault", "add", "link-down@node1:eth2");
	assert_says(lab_tell(&lab, "node1", "ip link show dev eth2"), "<BROADCAST,MULTICAST> mtu 9000 qdisc mq state DOWN ");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; ip link show eth9; echo $?"), "Device \"eth9\" does not exist.\n1\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; ip link set eth9 up; echo $?"), "Cannot find device \"eth9\"\n1\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; ip link set eth2 mtu 12000; echo $?"), "greater than device maximum.\n2\n");
	lab_stop(&lab);
}

/* -- neighbors -- */

static void lldpcli_has_two_neighbors_after_a_start(void **state)
{
	const char *text;

	(void)state;
	start("lldp-two@node1");
	text = lab_tell(&lab, "node1", "lldpcli -f keyvalue show neighbors; echo; lldpcli -f json0 show neighbors");
	assert_says(text, "lldp.eth2.port.ifname=ethernet1/1/1\n");
	assert_says(text, "lldp.eth2.port.ifname=ethernet1/1/2\n");
	assert_says(text, "},{\"name\":\"eth2\"");
	lab_stop(&lab);
	start("lldp-nameless@node1");
	text = lab_tell(&lab, "node1", "lldpcli show neighbors");
	assert_says(text, "ChassisID:    mac b8:3f:d2:11:22:30\n  Port:");
	assert_says(text, "SysName:      leaf1");
	lab_stop(&lab);
}

static void lldpcli_may_have_no_neighbors_or_no_daemon(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--skin", "lldp-eaten@node1", "--skin", "lldpd-down@node2"));
	assert_string_equal(lab_tell(&lab, "node1", "for i in json0 json keyvalue; do lldpcli -f $i show neighbors; done"),
			    "{\"lldp\":[{}]}\n{\"lldp\":{}}\n");
	assert_says(lab_tell(&lab, "node2", "exec 2>&1\nlldpcli -f json0 show neighbors; echo $?"),
			    "[WARN/control] unable to connect to socket /run/lldpd.socket: No such file or directory\n1\n");
	lab_stop(&lab);
}

/* -- RDMA -- */

static void show_gids_has_the_link_local_entries_and_ibv_devinfo_more_with_v(void **state)
{
	(void)state;
	start(NULL);
	assert_says(lab_tell(&lab, "node1", "show_gids"),
		    "mlx5_0\t1\t0\tfe80:0000:0000:0000:0e42:a1ff:fe00:0001\t\t\tv1\teth2\n"
		    "mlx5_0\t1\t1\tfe80:0000:0000:0000:0e42:a1ff:fe00:0001\t\t\tv2\teth2\n"
		    "mlx5_0\t1\t2\t0000:0000:0000:0000:0000:ffff:0a65:0001\t10.101.0.1  \tv1\teth2\n");
	assert_says(lab_tell(&lab, "node1", "show_gids | tail -1"), "n_gids_found=4\n");
	assert_silent(lab_tell(&lab, "node1", "ibv_devinfo"), "GID[");
	assert_says(lab_tell(&lab, "node1", "ibv_devinfo -v"), "GID[  3]:\t\t::ffff:10.101.0.1, RoCE v2\n");
	assert_says(lab_tell(&lab, "node1", "exec 2>&1; ibv_devinfo -d mlx5_9; echo $?"), "IB device 'mlx5_9' wasn't found\n255\n");
	lab_stop(&lab);
}

/* -- beside the ports -- */

static void hundreds_of_virtual_functions_have_interfaces_and_rdma_devices(void **state)
{
	const char *text;

	(void)state;
	start("vfs-300@node1");
	text = lab_tell(&lab, "node1", "cd /sys/class; cat net/eth2/device/sriov_numvfs; ls -d net/eth2/device/virtfn* | wc -l\n"
				       "ls infiniband | wc -l; ip link show eth2 | grep -c vf; cd infiniband; for i in *; do break; done; echo $i\n"
				       "for i in *; do echo $i; done | sed -n 3p; ls -d /sys/class/net/eth2v7/device/physfn; rdma link | grep -c ^link");
	assert_string_equal(text, "300\n300\n301\n300\nmlx5_0\nmlx5_10\n/sys/class/net/eth2v7/device/physfn\n301\n");
	ctl("fault", "add", "vf-unset@node1:eth2");
	text = lab_tell(&lab, "node1", "cd /sys/class; cat net/eth2/device/sriov_numvfs; ls infiniband net");
	assert_string_equal(text, "0\ninfiniband:\nmlx5_0\n\nnet:\neth2\nlo\n");
	lab_stop(&lab);
}

static void other_devices_stand_beside_the_ports(void **state)
{
	static const struct {
		const char *skin, *script, *wanted;
	} table[] = {
		{ "representors@node1", "ls net; cd net/eth2_0; ls -d device/physfn; cat phys_port_name device/uevent",
		  "eth2\neth2_0\neth2_1\neth2_2\neth2_3\nlo\npf0vf0\nDRIVER=mlx5_core\n" },
		{ "rdma-without-netdev@node1", "cd infiniband; ls; ls ibp94s0/device/net; cat ibp94s0/ports/1/link_layer",
		  "ibp94s0\nmlx5_0\nInfiniBand\n" },
		{ "netdev-without-device@node1", "ls net; ls -d net/eth2.100/device; cat infiniband/mlx5_0/ports/1/gid_attrs/ndevs/5",
		  "eth2\neth2.100\nlo\neth2.100" },
		{ "rxe-beside@node1", "ls infiniband; cat infiniband/rxe_eth0/parent infiniband/rxe_eth0/ports/1/gid_attrs/ndevs/0",
		  "mlx5_0\nrxe_eth0\neth0\neth0\n" },
		{ "siw-beside@node1", "ls infiniband; cat infiniband/siw_eth0/node_type", "mlx5_0\nsiw_eth0\n4: RNIC\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char script[256];

		start(table[i].skin);
		snprintf(script, sizeof(script), "exec 2>/dev/null; cd /sys/class; %s", table[i].script);
		assert_says(lab_tell(&lab, "node1", script), table[i].wanted);
		lab_stop(&lab);
	}
}

/* "node1", "300 VFs, 4 representors": of fabcon status, what PORTS counts is the one port of the fabric. */
static void assert_left_out(const char *skin, const char *words)
{
	const char *row, *line_end;
	struct run r;

	assert_true(LAB(&lab, "--nodes", "2", "--skin", skin, "--skin", "representors@node1"));
	r = LAB_FABCON(&lab, "-o", "csv", "status");
	assert_int_equal(r.code, 0);
	row = strstr(r.out.text, "\"node1\",");
	assert_non_null(row);
	line_end = strchr(row, '\n');
	if (!strstr(row, words) || strstr(row, words) > line_end)
		fail_msg("\"%s\" is not in %s", words, r.out.text);
	run_done(&r);
	lab_stop(&lab);
}

static void what_is_no_port_of_the_fabric_is_not_counted_as_one(void **state)
{
	(void)state;
	assert_left_out("vfs-300@node1", "\"1\",\"300 VFs, 4 representors\"");
	assert_left_out("rxe-beside@node1", "\"1\",\"4 representors, 1 with soft RDMA\"");
	assert_left_out("siw-beside@node1", "\"1\",\"4 representors, 1 iWARP device without interface, 1 without known RDMA\"");
}

/* Neither mlnx_qos nor dcb at one port of one of three devices: many checks, and still one device. */
static void what_checks_lack_is_counted_as_checks(void **state)
{
	struct run r;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--skin", "no-dcb@node1", "--skin", "no-mlnx-qos@node1"));
	r = LAB_FABCON(&lab, "findings");
	if (!strstr(r.out.text, "answers-in-time"))	/* found on a machine that has much to do */
		assert_says(r.out.text, "no finding in what could be judged at 3 of 3 devices; ");
	assert_says(r.out.text, " could not be judged because a fact is missing (-v lists them)");
	assert_silent(r.out.text, "devices could not be judged");
	run_done(&r);
	lab_stop(&lab);
}

/* One host at one switch: every count that is one. */
static void one_thing_is_not_counted_in_the_plural(void **state)
{
	static const char *const commands[] = { "status", "diagnose", "prove", "report", "map" };
	static const char *const wrong[] = { " 1 ports", " 1 hosts", " 1 places", "1 links", " 1 switch ports", " 1 values" };

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1"));
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct run r = LAB_FABCON(&lab, commands[i]);

		for (size_t k = 0; k < sizeof(wrong) / sizeof(*wrong); k++)
			assert_silent(r.out.text, wrong[k]);
		run_done(&r);
	}
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_the_programs_of_a_host_and_no_others),
		cmocka_unit_test(a_time_limit_ends_as_that_of_coreutils_does),
		cmocka_unit_test(a_program_that_a_skin_takes_away_is_not_found),
		cmocka_unit_test(busybox_refuses_what_gnu_takes),
		cmocka_unit_test(a_new_pfc_mask_toggles_the_link),
		cmocka_unit_test(the_kernels_log_has_each_link_that_went_down_and_came_up),
		cmocka_unit_test(pause_and_pfc_exclude_each_other),
		cmocka_unit_test(buffers_too_small_for_what_is_lossless_are_refused),
		cmocka_unit_test(rdma_cm_shows_a_device_only_while_somebody_made_it),
		cmocka_unit_test(the_kernels_mlx5_has_other_files_and_no_mlnx_tools),
		cmocka_unit_test(a_breed_has_its_driver_and_the_names_of_its_devices),
		cmocka_unit_test(a_breed_counts_under_its_drivers_names),
		cmocka_unit_test(an_rdma_device_counts_under_its_drivers_names),
		cmocka_unit_test(mlx4_knows_no_dscp),
		cmocka_unit_test(a_bonds_mtu_is_handed_down_and_never_up),
		cmocka_unit_test(ethtool_gives_a_bond_the_speed_of_its_members),
		cmocka_unit_test(bond0_counts_what_its_members_count_and_is_up_with_one_of_them),
		cmocka_unit_test(the_hash_of_a_bond_is_uneven),
		cmocka_unit_test(ip_shows_the_interface_that_is_asked_for),
		cmocka_unit_test(lldpcli_has_two_neighbors_after_a_start),
		cmocka_unit_test(lldpcli_may_have_no_neighbors_or_no_daemon),
		cmocka_unit_test(show_gids_has_the_link_local_entries_and_ibv_devinfo_more_with_v),
		cmocka_unit_test(hundreds_of_virtual_functions_have_interfaces_and_rdma_devices),
		cmocka_unit_test(other_devices_stand_beside_the_ports),
		cmocka_unit_test(what_is_no_port_of_the_fabric_is_not_counted_as_one),
		cmocka_unit_test(what_checks_lack_is_counted_as_checks),
		cmocka_unit_test(one_thing_is_not_counted_in_the_plural),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
