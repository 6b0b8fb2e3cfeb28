/* Parsers of Linux hosts: what no reply may do, and what each probe says of itself. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/linux/linux.h"
#include "remote/platforms.h"
#include "remote/talk/way.h"
#include "tests/lib/run.h"

static void parse_text(const struct probe *probe, struct span text, const char *port, int status, struct obs *o)
{
	const struct answer a = { .text = text, .port = port, .status = status };

	obs_init(o, "node1", probe->id);
	platform_parse(&linux_platform, probe, &a, o);
}

static void an_empty_reply_says_nothing(void **state)
{
	struct obs o;

	(void)state;
	for (size_t i = 0; i < linux_platform.n_probes; i++) {
		parse_text(&linux_platform.probes[i], SPAN(""), "eth2", 0, &o);
		assert_int_equal(o.n, 0);
		obs_done(&o);
	}
}

static void a_tool_that_is_missing_leaves_unknowns_with_the_reason(void **state)
{
	static const char *const tools[] = { "ethtool-S", "ethtool-i", "ethtool-a", "ethtool-fec", "mlnx_qos", "dcb" };
	struct obs o;

	(void)state;
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		parse_text(platform_probe(&linux_platform, tools[i]), SPAN("thetool: not found\n"), "eth2", 127, &o);
		assert_true(o.n > 0);
		for (size_t f = 0; f < o.n; f++) {
			assert_int_equal(o.facts[f].value.is, VALUE_UNKNOWN);
			assert_non_null(strstr(o.facts[f].value.text, "is not installed"));
		}
		obs_done(&o);
	}
}

/* Empty, an APP table means PCP on an mlx5; of one that was not read, nothing is known. */
static void an_app_table_that_was_not_read_is_no_trust(void **state)
{
	static const struct {
		const char *text, *says;
	} replies[] = {
		{ "driver mlx5_core\ndcb app\n{}\n", "node1 eth2 trust = pcp" },
		{ "driver mlx5_core\ndcb app\n{\"dscp_prio\":[[26,3]]}\n", "node1 eth2 trust = dscp" },
		{ "dcb app\n{\"pcp_prio\":[[\"1nd\",4],[\"1de\",2]]}\n", "node1 eth2 pcp.prio[1] = 4" },
		{ "dcb app\npcp-prio 3nd:5 3de:1\n", "node1 eth2 pcp.prio[3] = 5" },
		{ "driver mlx5_core\ndcb app\n", "node1 eth2 trust = unknown \"dcb app: incomplete output\"" },
		{ "driver mlx5_core\ndcb app\n{\"dscp_prio\":[[26,", "node1 eth2 trust = unknown \"dcb app: incomplete output\"" },
		{ "driver mlx5_core\ndcb app\n{\"dscpdcb buffer\n{\"prio_buffer\":[0,0,0,1,0,0,0,0]}\n",
		  "node1 eth2 trust = unknown \"dcb app: incomplete output\"" },
		{ "driver mlx5_core\ndcb app\nRTNETLINK answers: Device or resource busy\n",
		  "node1 eth2 trust = unknown \"dcb failed (status 1): RTNETLINK answers: Device or resource busy\"" },
	};
	struct obs o;

	(void)state;
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		parse_text(platform_probe(&linux_platform, "dcb"), span_of(replies[i].text), "eth2", 0, &o);
		if (!obs_says(&o, replies[i].says))
			fail_msg("not \"%s\"", replies[i].says);
		obs_done(&o);
	}
}

/* Of two at one cable the one with a name, then the switch, then who came last; in whatever order they are printed. */
#define HEARD(name, age, port) "{\"name\":\"eth2\",\"age\":\"0 day, " age "\",\"chassis\":[{\"id\":[{\"type\":\"mac\",\"value\":" \
	"\"00:00:00:00:00:01\"}]" name "}],\"port\":[{\"id\":[{\"type\":\"ifname\",\"value\":\"" port "\"}]}]}"
#define LEAF1 ",\"name\":[{\"value\":\"leaf1\"}]"
#define ROUTES ",\"capability\":[{\"type\":\"Bridge\",\"enabled\":false},{\"type\":\"Router\",\"enabled\":true}]"
#define LEAF(age, name, capability, port) "lldp.eth2.rid=1\nlldp.eth2.age=0 day, 00:00:" age "\nlldp.eth2.chassis.mac=00:00:00:00:00:01\n" \
	"lldp.eth2.chassis.name=" name "\nlldp.eth2.chassis." capability "\nlldp.eth2.port.ifname=" port "\n"
#define BOTH(a, b) "{\"lldp\":[{\"interface\":[" a "," b "]}]}\n"

static void of_two_lldp_neighbors_the_better_is_told(void **state)
{
	static const struct {
		const char *text, *says;
	} replies[] = {
		{ BOTH(HEARD(LEAF1, "00:10:00", "swp1"), HEARD(LEAF1, "00:00:09", "swp2")), "node1 eth2 peer.port = \"swp2\"" },
		{ BOTH(HEARD(LEAF1, "00:00:09", "swp2"), HEARD(LEAF1, "00:10:00", "swp1")), "node1 eth2 peer.port = \"swp2\"" },
		{ BOTH(HEARD("", "00:00:01", "swp3"), HEARD(LEAF1, "00:10:00", "swp1")), "node1 eth2 peer.port = \"swp1\"" },
		{ BOTH(HEARD(LEAF1, "00:10:00", "swp1"), HEARD(LEAF1, "00:10:00", "swp2")),
		  "node1 eth2 peer.name = unknown \"two LLDP neighbors, leaf1 and leaf1, and which one is there now is not known\"" },
		/* a switch that routes and does not bridge is one, and came last */
		{ LEAF("20", "leaf1", "Router.enabled=on\nlldp.eth2.chassis.Bridge.enabled=off", "swp1")
		  LEAF("30", "leaf9", "Bridge.enabled=on", "swp9"), "node1 eth2 peer.name = \"leaf1\"" },
		{ LEAF("30", "leaf9", "Bridge.enabled=on", "swp9") LEAF("20", "leaf1", "Router.enabled=on", "swp1"),
		  "node1 eth2 peer.name = \"leaf1\"" },
		{ LEAF("20", "leaf1", "Router.enabled=on", "swp1") LEAF("20", "leaf9", "Bridge.enabled=on", "swp9"),
		  "node1 eth2 peer.port = unknown \"two LLDP neighbors, leaf1 and leaf9, and which one is there now is not known\"" },
		{ BOTH(HEARD(LEAF1 ROUTES, "00:10:00", "swp1"), HEARD(LEAF1, "00:00:09", "swp2")), "node1 eth2 peer.port = \"swp1\"" },
	};
	struct obs o;

	(void)state;
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		parse_text(platform_probe(&linux_platform, "lldp"), span_of(replies[i].text), NULL, 0, &o);
		if (!obs_says(&o, replies[i].says))
			fail_msg("not \"%s\"", replies[i].says);
		obs_done(&o);
	}
}

/* Descriptions are free text: what they say is the port's name only beside an id that is none. */
static void the_port_of_a_neighbor_is_named_by_its_id(void **state)
{
	static const struct {
		const char *port, *says;
	} replies[] = {
		{ "local=etp1\nlldp.eth2.port.descr=Servers0:eth0", "node1 eth2 peer.port = \"etp1\"" },
		{ "local=17\nlldp.eth2.port.descr=rack4 node7 rail2", "node1 eth2 peer.port = \"17\"" },
		{ "local=17\nlldp.eth2.port.descr=Servers0:eth0", "node1 eth2 peer.port = \"17\"" },
		{ "local=512\nlldp.eth2.port.descr=xe-0/0/1:2", "node1 eth2 peer.port = \"xe-0/0/1:2\"" },
		{ "local=g17\nlldp.eth2.port.descr=enp1s0", "node1 eth2 peer.port = \"g17\"" },
		{ "local=etp3\nlldp.eth2.port.descr=Ethernet8", "node1 eth2 peer.port = \"Ethernet8\"" },
		{ "ifname=swp1\nlldp.eth2.port.descr=eth0", "node1 eth2 peer.port = \"swp1\"" },
		{ "mac=00:00:00:00:00:02\nlldp.eth2.port.descr=Ethernet8", "node1 eth2 peer.port = \"Ethernet8\"" },
		{ "mac=00:00:00:00:00:02\nlldp.eth2.port.descr=enp193s0f1np1", "node1 eth2 peer.port = \"enp193s0f1np1\"" },
		{ "mac=00:00:00:00:00:02\nlldp.eth2.port.descr=to node7", "node1 eth2 peer.port = unknown \"its LLDP names the port "
									  "by MAC, and the description is not an interface name\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		char text[300];
		struct obs o;

		snprintf(text, sizeof(text), "lldp.eth2.rid=1\nlldp.eth2.chassis.name=leaf1\nlldp.eth2.port.%s\n", replies[i].port);
		parse_text(platform_probe(&linux_platform, "lldp"), span_of(text), NULL, 0, &o);
		if (!obs_says(&o, replies[i].says))
			fail_msg("not \"%s\"", replies[i].says);
		obs_done(&o);
	}
}

static void a_reply_cut_short_makes_nothing_unknown(void **state)
{
	const struct probe *probe = platform_probe(&linux_platform, "mlnx_qos");
	const struct answer a = { .text = SPAN("Priority trust state: dscp\n"), .port = "eth2", .status = 124,
				  .is_partial = true };
	struct obs o;

	(void)state;
	obs_init(&o, "node1", probe->id);
	platform_parse(&linux_platform, probe, &a, &o);
	assert_int_equal(o.n, 1);
	assert_true(o.is_partial);
	assert_string_equal(o.command, "mlnx_qos -i eth2");
	obs_done(&o);
}

static void the_half_line_of_a_reply_cut_short_is_not_read(void **state)
{
	const struct probe *probe = platform_probe(&linux_platform, "ethtool-S");
	struct answer a = { .text = SPAN("NIC statistics:\n     rx_prio3_pause: 7\n     rx_prio3_bytes: 12"), .port = "eth2",
			    .status = 137, .is_partial = true };
	struct obs o;

	(void)state;
	obs_init(&o, "node1", probe->id);
	platform_parse(&linux_platform, probe, &a, &o);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.raw.n, a.text.n);	/* it is shown as it came */
	obs_done(&o);
}

static void check_case(const struct probe *probe, const char *port, bool is_partial, const char *text, const char *says)
{
	const struct answer a = { .text = span_of(text), .port = port, .status = is_partial ? STATUS_LATE : 0, .is_partial = is_partial };
	bool is_wanted = *says != '!';
	struct buf facts = { 0 };
	struct obs o;

	obs_init(&o, "n", probe->id);
	platform_parse(&linux_platform, probe, &a, &o);
	obs_print(&o, &facts);
	if ((facts.n && strstr(facts.text, says + !is_wanted)) != is_wanted)
		fail_msg("%s: \"%s\" of %s; it says\n%s", probe->id, says, text, facts.n ? facts.text : "nothing");
	buf_done(&facts);
	obs_done(&o);
}

#define MEMBER	"Bonding Mode: x\nMII Status: up\n\n"
#define GIDS	"DEV PORT INDEX GID IPv4 VER DEV\nmlx5_0 1 0 fe80::1 v1 eth2\n"
#define CA	"hca_id: m\n\ttransport:\t\t\tInfiniBand (0)\n\tport: 1\n"
#define NOT_WHOLE	"gid.v2 = unknown \"its GID table is incomplete\""
#define TYPES	"/sys/class/infiniband/m/device/net/eth2\n/sys/class/infiniband/m/ports/1/gid_attrs/types/"
#define GID	"/sys/class/infiniband/m/ports/1/gids/"

/* Found by tests/mutants: what is not understood, or is not there, makes a fact unknown and no other one. */
static void what_is_not_understood_is_told_by_nothing_else(void **state)
{
	static const struct {
		const char *probe, *text, *says;	/* "!": not this */
		bool is_partial;
	} cases[] = {
		{ "net", "/sys/class/net/eth2/carrier:1 \n", "n eth2 up = yes" },
		{ "net", "/sys/class/net/eth2/carrier:-\n", "n eth2 up = unknown" },
		{ "link", "/sys/class/net/eth2/role:member\n/sys/class/net/eth2/address:02:00:00:00:00:01\n", "n eth2 mac = unknown" },
		{ "link", "/sys/class/net/eth2/bonding_slave/perm_hwaddr:?\n/sys/class/net/eth2/address:02:00:00:00:00:01\n",
		  "n eth2 mac = unknown" },
		{ "bonding", MEMBER "Slave Interface: e1\nMII Status: going back\n", "n e1 up = unknown" },
		{ "bonding", MEMBER "Slave: e1\nMII Status: down\nPermanent HW addr: 02:00:00:00:00:01\n", "!mac" },
		{ "bonding", MEMBER "Slave Interface: e1\nMII Status: up\nSlave: e2\nMII Status: down\n", "n e1 up = yes" },
		{ "ip-link", "2: e1: <UP,SLAVE> mtu 1500 master b\n    link/ether 02:00:00:00:00:01\n", "!mac" },
		{ "ip-link", "2: e1: <UP>\n    link/ether 02:00:00:00:00:01\n    link/ether 02:00:00:00:00:02 permaddr "
			     "02:00:00:00:00:03\n", "!mac" },
		{ "ip-link", "2: e1: <UP>\n    vf 0 MAC x\n    vf 2 MAC x\n", "n e1 vf = unknown" },
		{ "ip-link", "2: e1: <UP>\n    vf 0 MAC x\n", "n e1 vf = unknown", true },
		{ "ip-link", "[{\"ifname\":\"e1\",\"master\":\"b\",\"address\":\"02:00:00:00:00:01\"}]\n", "!mac" },
		{ "dcb", "driver mlx5_core\ndcb dcbx\n{\"host\":null}\n", "!dcbx" },
		{ "dcb", "driver mlx5_core\ndcb dcbx\n{\"ieee\":true}\n", "dcbx = fw" },
		{ "dcb", "dscp-prio 24:3 CS3x:2\n", "dscp.prio[24] = unknown" },
		{ "dcb", "order: dscq pcp\n", "trust = unknown" },
		{ "dcb", "driver mlx5_core\ndcb app\n{\"dscp_prio\":null}\n", "trust = unknown" },
		{ "mlnx_qos", "tc: 0 x, tsa: strict\n priority: 0\nclass: 1\n priority: 1\n", "!prio.tc[1]" },
		{ "mlnx_qos", "PFC configuration:\nenabled-new 0 0 0 1 0 0 0 0\n", "!pfc.on" },
		{ "mlnx_qos", "PFC configuration:\nbuffer 0 0 10 0 0 0 0\n", "!prio.pg" },
		{ "lsmod", "mlx5_core 1\nib_core 1\nmlx5_core 1\n", "modules = \"mlx5_core ib_core\"" },
		{ "lsmod", "mlx5_core 1\nib_core 1\n", "modules = unknown", true },
		{ "lldp", "lldp.e.rid=1\nlldp.e.chassis.name=a\nlldp.e.rie=2\nlldp.e.chassis.name=b\n", "!peer" },
		{ "lldp", "lldp.e.rid=1\nlldp.e.chassis.name=a\n", "!peer", true },
		{ "ethtool", "Settings for e1:\n\tSpeed: 1Mb/s\nsettings for e2:\n\tSpeed: 2Mb/s\n", "n e1 speed = 1000000" },
		{ "ibv_devinfo", "hca_id: m\n\tport: 1\n\t\tstate: PORT_ACTIVE (4)\nhca: m2\n\tport: 1\n\t\tstate: PORT_DOWN (1)\n",
		  "!down" },
		{ "ibv_devinfo", CA "\t\tGID[0]: fe80::1, RoCE v1\n", "n p gid.v2 = no" },
		{ "ibv_devinfo", CA "\t\tGID[0]: fe80::1, RoCE v1\n\t\tGID[1]: ::ffff:1.2.3.4, RoCE v3\n", NOT_WHOLE },
		{ "ibv_devinfo", CA "\t\tGID[0]: fe80::1, RoCE v1\n", NOT_WHOLE, true },
		{ "show_gids", GIDS "n_gids_found=1\n", "n eth2 gid.v2 = no" },
		{ "show_gids", GIDS "n_gids_found=2\n", "n eth2 gid.v2 = unknown" },
		{ "show_gids", GIDS, "n eth2 gid.v2 = unknown" },
		{ "rdma", TYPES "1:RoCE v2\n" TYPES "2:RoCE v2\n" GID "2:::ffff:1.2.3.4\n", "gid.index = unknown" },
		{ "rdma", "/sys/class/infiniband/m/node_type:1: CA\n" TYPES "1:RoCE v9\n" GID "1:::ffff:1.2.3.4\n", NOT_WHOLE },
		{ "tos", "tos:\r\n/sys/class/infiniband/m/device/net/eth2\r\n", "!rdma.soft" },
		{ "tos", "/sys/class/infiniband/m/tc/1/traffic_class:Global tclass=106x\n", "tos.force = unknown" },
		{ "processes", "process 1 a\nprocez 2 b\nend\n", "app.procs = unknown" },
		{ "processes", "process 1 a\nmemlock 5\nprocess 2 a\nmemlock ?\nend\n", "app.memlock = unknown" },
		{ "processes", "process 1 a\nNCCL_IB_TC=106K\nend\n", "app.tc = unknown" },
		{ "neighbors", "port eth2\n10.0.0.1 dev eth2 lladdr 02:00:00:00:00:01 REACHABLE\n", "!neighbors", true },
		{ "neighbors", "port eth2\n1 dev eth2 lladdr 02:00:00:00:00:01\n2 dev eth2 ll 02:00:00:00:00:02\n", "neighbors = unknown" },
		{ "host", "hostname=node7\nversion=12.", "!version" },	/* a file that ends inside a line */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(platform_probe(&linux_platform, cases[i].probe), "p", cases[i].is_partial, cases[i].text, cases[i].says);
}

#define TABLE(rows) "DEV PORT INDEX GID IPv4 VER DEV\n" rows "n_gids_found=3\n"

/* An address on a VLAN above it is a GID of the RDMA device, whose interface is that of its first GID. */
static void a_gid_of_a_vlan_is_one_of_the_device_below(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ TABLE("m0 1 0 fe80::1 v2 eth2\nm0 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2.100\nm1 1 0 fe80::2 v2 eth3\n"), "n eth2 gid.v2 = yes" },
		{ TABLE("m0 1 0 fe80::1 v2 eth2\nm0 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2.100\nm1 1 0 fe80::2 v2 eth3\n"), "n eth2 gid.index = 3" },
		{ TABLE("m0 1 0 fe80::1 v2 eth2\nm0 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2.100\nm1 1 0 fe80::2 v2 eth3\n"), "n eth3 gid.v2 = no" },
		{ TABLE("m0 1 0 fe80::1 v2 eth2\nm0 2 0 fe80::2 v2 eth3\nm0 2 1 ::ffff:10.0.0.1 10.0.0.1 v2 eth3\n"), "n eth2 gid.v2 = no" },
		{ TABLE("m0 1 1 fe80::1 v2 eth2\nm0 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2.100\nm1 1 0 fe80::2 v2 eth3\n"),
		  "n eth2 gid.v2 = unknown \"the first GID of its RDMA device is not listed: it may belong to another interface\"" },
		{ TABLE("m0 1 0 fe80::1 v2 bond0\nm0 1 1 ::ffff:10.0.0.1 10.0.0.1 v2 bond0\nm1 1 0 fe80::1 v2 bond0\n"),
		  "n bond0 gid.v2 = unknown \"several RDMA devices have GIDs of this interface\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(platform_probe(&linux_platform, "show_gids"), NULL, false, cases[i].text, cases[i].says);
}

/* In ways in which others than our own questions have it printed: -p, a terminal, text, another maker's script. */
static void what_is_printed_in_another_way_is_read_or_left(void **state)
{
	static const struct {
		const char *probe, *text, *says;	/* "!": not this */
	} cases[] = {
		{ "rdma-statistic", "link mlx5_0/1\n\tout_of_sequence 4\n\tnp_cnp_sent 77\nlink mlx5_1/1\n\tout_of_sequence 5\n",
		  "n p cnp.sent = 77" },
		{ "rdma-statistic", "link mlx5_0/1\n\tout_of_sequence 4\nlink mlx5_1/1\n\tout_of_sequence 5\n", "n mlx5_1 oos = 5" },
		{ "rdma-statistic", "link mlx5_0/1 out_of_sequence 12\n345 np_cnp_sent 77\n", "!oos" },
		{ "rdma-statistic", "link mlx5_0/1 out_of_sequence 12 np_cnp\n_sent 77\n", "n p oos = 12" },
		{ "rdma-statistic", "link mlx5_0/1 out_of_sequence 12 np_cnp_sent\n77 rp_cnp_handled 78\n", "!cnp" },
		{ "dcb", "driver bnxt_en\ndcb buffer\nprio-buffer 0:0 1:0 2:0 3:1\nbuffer-size 0:128Kb 1:256Kb\ntotal-size 1222Kb\n",
		  "n p buffer.size[1] = unknown \"dcb rounds sizes in text; dcb -j reports them exactly\"" },
		{ "dcb", "driver bnxt_en\ndcb buffer\nprio-buffer 0:0 1:0 2:0 3:1\n", "n p prio.pg[3] = 1" },
		{ "ibv_devinfo", "hca_id: m\n\tport: 1\n\t\tstate: PORT_ACTIVE (4)\n\tport: 2\n\t\tstate: PORT_DOWN (1)\n",
		  "n p rdma.state = active" },
		{ "ibv_devinfo", "hca_id: m\n\tport: 1\n\t\tstate: PORT_ACTIVE (4)\n\tport: 2\n\t\tstate: PORT_DOWN (1)\n",
		  "!n p rdma.state = down" },
		{ "show_gids", "DEV PORT INDEX GID IPv4 VER DEV\nm 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2\nn_gids_found=1\n",
		  "n eth2 gid.index = 3" },
		{ "show_gids", "DEV INDEX PORT GID IPv4 VER NETDEV\nm 1 3 ::ffff:10.0.0.1 10.0.0.1 v2 eth2\nn_gids_found=1\n", "!gid" },
		{ "show_gids", "Dev Port Index GID Type Netdev\nm 1 3 ::ffff:10.0.0.1 v2 eth2\n", "!gid" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(platform_probe(&linux_platform, cases[i].probe), "p", false, cases[i].text, cases[i].says);
}

static void who_says_that_it_is_busy_has_not_answered_whole(void **state)
{
	static const struct {
		const char *probe, *text;
		int status;
		bool is_whole;
	} replies[] = {
		{ "mlnx_qos", "RTNETLINK answers: Device or resource busy\n", 1, false },
		{ "dcb", "driver mlx5_core\n\ndcb pfc\nRTNETLINK answers: Device or resource busy\n", 0, false },
		{ "ethtool-a", "netlink error: Device or resource busy\n", 1, false },
		{ "ethtool-a", "netlink error: Operation not supported\n", 1, true },
		{ "processes", "process 12 train\nNCCL_X=Device or resource busy\nend\n", 0, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		const struct probe *probe = platform_probe(&linux_platform, replies[i].probe);
		const struct answer a = { .text = span_of(replies[i].text), .port = "eth2", .status = replies[i].status };
		struct obs o;

		obs_init(&o, "node1", probe->id);
		platform_parse(&linux_platform, probe, &a, &o);
		if (o.is_partial == replies[i].is_whole)
			fail_msg("%s: %s", replies[i].probe, replies[i].text);
		obs_done(&o);
	}
}

/* kernel.dmesg_restrict: the log was not read, which is not a log without such lines. */
static void a_kernel_log_that_is_refused_is_not_known(void **state)
{
	const struct span text = SPAN("dmesg: read kernel buffer failed: Operation not permitted\n");
	struct obs o;

	(void)state;
	parse_text(platform_probe(&linux_platform, "dmesg"), text, NULL, 1, &o);
	assert_int_equal(o.n, 1);
	assert_true(obs_says(&o, "node1 kernel.lines = unknown \"dmesg: not root\""));
	obs_done(&o);
}

/* What a grave line says is known; that there is no other is not. */
static void of_a_kernel_log_whose_end_alone_is_read_the_lines_are_not_counted(void **state)
{
	const struct span text = SPAN("[1] mlx5_core 0000:1a:00.0 eth2: Link down\n" DMESG_CUT " lines than these\n");
	struct obs o;

	(void)state;
	parse_text(platform_probe(&linux_platform, "dmesg"), text, NULL, 0, &o);
	assert_true(obs_says(&o, "node1 kernel.cause = \"link-down\""));
	assert_true(obs_says(&o, "node1 kernel.lines = unknown \"the kernel log has more NIC and PCIe lines than were read\""));
	obs_done(&o);
}

#define NIC	"[1] mlx5_core 0000:c1:00.0: firmware version: 22.38.1002\n"
#define BUS(device, severity) "[9] " device ": PCIe Bus Error: severity=" severity ", type=Physical Layer, (Receiver ID)\n"

static void check_kernel_log(const char *text, const char *says)
{
	check_case(platform_probe(&linux_platform, "dmesg"), NULL, false, text, says);
}

/* The kernel prints the same words for a disk, a GPU or a bridge; since 6.10 "Correctable", before it "Corrected". */
static void an_error_of_the_pcie_bus_is_the_nics_where_the_log_says_so(void **state)
{
	(void)state;
	check_kernel_log(NIC BUS("nvme 0000:41:00.0", "Corrected"), "n kernel.lines = 0");
	check_kernel_log(NIC BUS("pcieport 0000:c0:01.1", "Uncorrectable (Fatal)"), "n kernel.lines = 0");
	check_kernel_log(NIC BUS("pci 0000:c1:00.0", "Uncorrected (Fatal)"), "PCIe reported an uncorrectable error of the NIC ([9] pci");
	check_kernel_log(BUS("pci 0000:c1:00.0", "Uncorrected (Fatal)") NIC, "PCIe reported an uncorrectable error of the NIC ([9] pci");
	check_kernel_log(BUS("bnxt_en 0000:c2:00.0", "Corrected"), "\"PCIe corrected errors of the NIC (");
	check_kernel_log(BUS("mlx5_core 0000:c1:00.0", "Correctable"), "\"PCIe corrected errors of the NIC (");
	check_kernel_log(BUS("mlx5_core 0000:c1:00.0", "Uncorrectable (Non-Fatal)"), "PCIe reported an uncorrectable error of the NIC (");
}

static void only_a_line_about_bandwidth_names_a_slow_pcie_link(void **state)
{
	static const char limited[] = ": 31.504 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x4 link at 0000:40:01.1 "
				      "(capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)\n";
	char line[300];

	(void)state;
	check_kernel_log(BUS("mlx5_core 0000:c1:00.0", "Corrected"), "!kernel.cause");
	check_kernel_log(BUS("mlx5_core 0000:c1:00.0", "Uncorrected (Fatal)"), "!kernel.cause");
	check_kernel_log("[1] mlx5_core 0000:c1:00.0: mlx5_pcie_event:299:(pid 9): Detected insufficient power on the PCIe slot (27W).\n",
			 "!kernel.cause");
	snprintf(line, sizeof(line), "[1] mlx5_core 0000:c1:00.0%s", limited);
	check_kernel_log(line, "n kernel.cause = \"pcie-degraded\"");
	snprintf(line, sizeof(line), "[1] nvme 0000:41:00.0%s", limited);
	check_kernel_log(line, "!kernel");
}

static void a_link_is_the_same_after_its_interface_is_renamed(void **state)
{
	static const char renamed[] = "[1] mlx5_core 0000:c1:00.0 eth9: Link down\n[2] mlx5_core 0000:c1:00.0 eth2: renamed from eth9\n";
	char text[300];

	(void)state;
	check_kernel_log(renamed, "\"eth2: a link went down ([1] mlx5_core 0000:c1:00.0 eth9: Link down)\"");
	snprintf(text, sizeof(text), "%s[3] mlx5_core 0000:c1:00.0 eth2: Link up\n", renamed);
	check_kernel_log(text, "n kernel.lines = 0");
	check_kernel_log("[1] mlx5_core 0000:c1:00.0 eth9: Link down\n[3] mlx5_core 0000:c1:00.0 eth2: Link up\n", "n kernel.lines = 0");
	snprintf(text, sizeof(text), "%s[3] mlx5_core 0000:c1:00.1 eth3: Link up\n", renamed);
	check_kernel_log(text, "n kernel.lines = 1");
	snprintf(text, sizeof(text), "%s[3] mlx5_core 0000:c1:00.1 eth3: Link down\n", renamed);
	check_kernel_log(text, "\"eth2, eth3: a link went down (");
	snprintf(text, sizeof(text), "%s[3] mlx5_core 0000:c1:00.0 rep7: renamed from eth5\n", renamed);
	check_kernel_log(text, "\"eth2: a link went down (");
}

/* As a host is asked: what its kernel calls an interface comes between the states of its link, as it happened. */
static void the_names_of_interfaces_come_in_order_with_their_links(void **state)
{
	struct buf script = { NULL };
	struct run r;

	(void)state;
	buf_str(&script, "run() { printf '%s\\n' 'mlx5_core 0000:c1:00.0 eth9: Link down' 'mlx5_core 0000:c1:00.0 eth2: renamed from eth9' "
			 "'mlx5_core 0000:c1:00.0 eth2: Link up' 'mlx5_core 0000:c1:00.0: firmware version: 22'; }\n");
	buf_str(&script, platform_probe(&linux_platform, "dmesg")->script);
	r = run_program((const char *const[]){ "/bin/sh", "-s", NULL }, script.text);
	assert_int_equal(r.code, 0);
	assert_string_equal(r.out.text, "mlx5_core 0000:c1:00.0: firmware version: 22\nmlx5_core 0000:c1:00.0 eth9: Link down\n"
					"mlx5_core 0000:c1:00.0 eth2: renamed from eth9\nmlx5_core 0000:c1:00.0 eth2: Link up\n");
	buf_done(&script);
	run_done(&r);
}

#define HEALTH(device, words) "[2] mlx5_core " device ": print_health_info:424:(pid 0): " words "\n"
#define MODULE(event) "[2] mlx5_core 0000:c1:00.0: Port module event" event "\n"

/* Wordings of mlx5_core. A NIC that is hot, or was brought back, lacks no module; a broken I2C bus damages no frames. */
static void what_a_nic_tells_of_its_health_is_said_as_it_is_and_ends(void **state)
{
	static const char lost[] = HEALTH("0000:c1:00.0", "device's health compromised - reached miss count");
	static const struct {
		const char *text, *then, *says;
	} rows[] = {
		{ HEALTH("0000:c1:00.0", "Health issue observed, High temperature, severity(3) ERROR:"), "", "reported a high "
													     "temperature (" },
		{ HEALTH("0000:c1:00.0", "Health issue observed, High temperature, severity(3) ERROR:"), "", "!kernel.cause" },
		{ HEALTH("0000:c1:00.0", "Health issue observed, EQ error, severity(3) ERROR:"), "", "the NIC's firmware reported an internal error (" },
		{ HEALTH("0000:c1:00.0", "Health issue observed, EQ error, severity(3) ERROR:"), "", "!kernel.cause" },
		{ lost, "", "the NIC's firmware stopped responding (" },
		{ lost, "", "!kernel.cause" },
		{ lost, HEALTH("0000:c1:00.0", "health recovery succeeded"), "n kernel.lines = 0" },
		{ lost, HEALTH("0000:c1:00.1", "health recovery succeeded"), "the NIC's firmware stopped responding (" },
		{ lost, HEALTH("0000:c1:00.0", "health recovery failed"), "n kernel.lines = 2" },
		{ MODULE("[error]: module 0, Cable error, Bus stuck (I2C or data shorted)"), "", "a transceiver or cable reported "
												 "an error (" },
		{ MODULE("[error]: module 0, Cable error, Bus stuck (I2C or data shorted)"), "", "!kernel.cause" },
		{ MODULE("[error]: module 0, Cable error, High Temperature"), "", "!kernel.cause" },
		{ MODULE("[error]: module 0, Cable error, High Temperature"), MODULE(": module 0, Cable plugged"), "n kernel.lines = 0" },
		{ MODULE("[error]: module 0, Cable error, High Temperature"), MODULE(": module 1, Cable plugged"), "n kernel.lines = 1" },
		/* the gravest first, and behind it what names a cause */
		{ lost, "[3] infiniband mlx5_0: WC error: 10, Message: remote access error\n", "n kernel.cause = \"remote-access\"" },
		{ lost, "[3] infiniband mlx5_0: WC error: 10, Message: remote access error\n", "; the far end refused access" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[512];

		snprintf(text, sizeof(text), "%s%s", rows[i].text, rows[i].then);
		check_kernel_log(text, rows[i].says);
	}
}

static void a_fact_cites_the_line_that_said_it(void **state)
{
	const struct span text = SPAN("NIC statistics:\n     rx_prio3_pause: 7\n");
	struct obs o;

	(void)state;
	parse_text(platform_probe(&linux_platform, "ethtool-S"), text, "eth2", 0, &o);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.facts[0].cite, strlen("NIC statistics:\n"));
	obs_done(&o);
}

static void each_of_three_hundred_rdma_devices_is_of_its_own_interface(void **state)
{
	struct buf text = { 0 };
	struct obs o;

	(void)state;
	for (unsigned i = 0; i < 300; i++)
		buf_printf(&text, "/sys/class/infiniband/mlx5_%u/device/net/eth%u\n", i, i + 2);
	for (unsigned i = 0; i < 300; i++)
		buf_printf(&text, "/sys/class/infiniband/mlx5_%u/ports/1/state:4: ACTIVE\n", i);
	parse_text(platform_probe(&linux_platform, "rdma"), buf_span(&text), NULL, 0, &o);
	assert_true(obs_says(&o, "node1 eth2 rdma = \"mlx5_0\""));
	assert_true(obs_says(&o, "node1 eth301 rdma = \"mlx5_299\""));
	assert_true(obs_says(&o, "node1 eth301 rdma.state = active"));
	obs_done(&o);
	buf_done(&text);
}

/* Of a device with two ports, the one whose GID names an interface has that; the other has none that is told. */
static void the_interface_of_one_port_is_not_given_to_the_other(void **state)
{
	struct obs o;

	(void)state;
	parse_text(platform_probe(&linux_platform, "rdma"),
		   SPAN("/sys/class/infiniband/mlx4_0/device/net/eth2\n"
			"/sys/class/infiniband/mlx4_0/ports/1/gid_attrs/ndevs/0:eth2\n"
			"/sys/class/infiniband/mlx4_0/ports/1/state:4: ACTIVE\n"
			"/sys/class/infiniband/mlx4_0/ports/2/state:1: DOWN\n"), NULL, 0, &o);
	assert_true(obs_says(&o, "node1 eth2 rdma.state = active"));
	assert_false(obs_says(&o, "node1 eth2 rdma.state = down"));
	obs_done(&o);
}

static void a_map_of_rdma_devices_cites_its_line(void **state)
{
	const struct span text = SPAN("/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE\n"
				      "/sys/class/infiniband/mlx5_0/device/net/eth2\n");
	struct obs o;

	(void)state;
	parse_text(platform_probe(&linux_platform, "rdma"), text, NULL, 0, &o);
	assert_int_equal(o.n, 3);
	assert_int_equal(o.facts[1].field, FIELD_RDMA);
	assert_int_equal(o.facts[1].cite, strlen("/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE\n"));
	obs_done(&o);
}

static void a_line_of_a_million_colons_or_brackets_takes_no_time(void **state)
{
	static const char fill[] = ":[{\n ,";
	size_t n = 1u << 20;
	char *text = malloc(n);

	(void)state;
	for (size_t c = 0; c < sizeof(fill) - 1; c++) {
		memset(text, fill[c], n);
		for (size_t i = 0; i < linux_platform.n_probes; i++) {
			struct obs o;

			parse_text(&linux_platform.probes[i], (struct span){ text, n }, "eth2", 0, &o);
			obs_done(&o);
		}
	}
	free(text);
}

static void every_probe_row_is_whole(void **state)
{
	(void)state;
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++) {
			const struct probe *probe = &platform_table[p]->probes[i];

			assert_ptr_equal(platform_probe(platform_table[p], probe->id), probe);	/* its id is its own */
			assert_non_null(probe->parse);
			assert_true(probe->command && *probe->command);
			assert_true(probe->help && *probe->help);
			assert_true(probe->proof && *probe->proof);
			if (probe->per_port && probe->cadence != CADENCE_NEVER)
				assert_non_null(probe->ports_of);
		}
}

static void a_host_is_linux_and_switches_that_run_linux_are_not(void **state)
{
	(void)state;
	assert_ptr_equal(platform_identify(SPAN("uname: Linux n1 5.15.0-91-generic\nID=ubuntu\nuid: 0\n")), &linux_platform);
	assert_ptr_not_equal(platform_identify(SPAN("uname: Linux sonic 5.10.0\nID=debian\nsonic_version.yml:\n")),
			     &linux_platform);
	assert_ptr_not_equal(platform_identify(SPAN("uname: Linux leaf1 5.10.0\nID=cumulus-linux\nuid: 0\n")),
			     &linux_platform);
	assert_null(platform_identify(SPAN("% Invalid input detected\n")));
	assert_null(platform_identify(SPAN("")));
}

/* The script of the host's settings, with its /etc and /var below dir. */
static void add_below(const char *script, const char *dir, struct buf *out)
{
	static const char *const tops[] = { "/etc/", "/var/" };

	while (*script) {
		for (size_t i = 0; i < 2; i++)
			if (!strncmp(script, tops[i], 5))
				buf_str(out, dir);
		buf_add(out, script++, 1);
	}
}

/* What a shell says of a host on which only these things were made; as facts. */
static void host_with(const char *make, struct buf *facts)
{
	const struct probe *p = platform_probe(platform_find("linux"), "settings");
	char dir[] = "/tmp/fabcon-host.XXXXXX";
	struct buf script = { NULL };
	struct run r;
	struct obs o;

	assert_non_null(mkdtemp(dir));
	buf_printf(&script, "cd %s\n%s\n", dir, make);
	add_below(p->script, dir, &script);
	buf_printf(&script, "\nrm -rf %s\n", dir);
	r = run_program((const char *const[]){ "/bin/sh", "-s", NULL }, script.text);
	assert_int_equal(r.code, 0);
	obs_init(&o, "here", "settings");
	p->parse(&(struct answer){ .text = buf_span(&r.out), .status = 0 }, &o);
	assert_int_equal(o.missed, 0);
	obs_print(&o, facts);
	obs_done(&o);
	buf_done(&script);
	run_done(&r);
}

static void assert_host(const char *make, const char *says, const char *not)
{
	struct buf facts = { NULL };

	host_with(make, &facts);
	if ((says && !strstr(facts.text, says)) || (not && strstr(facts.text, not)))
		fail_msg("%s: %s", make, facts.text);
	buf_done(&facts);
}

#define UNITS	"mkdir -p etc/systemd/system/multi-user.target.wants etc/fabcon\n"
#define UNIT	UNITS "touch etc/systemd/system/multi-user.target.wants/fabcon-roce.service\n"

static void a_host_shows_who_else_sets_its_nics(void **state)
{
	(void)state;
	assert_host("", NULL, "persist");
	assert_host("", NULL, "owner");
	assert_host(UNITS, "here persist.unit = no\n", "persist.policy");
	assert_host(UNIT, "here persist.unit = yes\n", "persist.policy");
	assert_host(UNIT "printf '#!/bin/sh\\n# Keeps settings as the policy my site wants them; made\\n' >etc/fabcon/roce.sh",
		    "here persist.policy = \"my site\"\n", NULL);
	assert_host("mkdir -p var/log/pods/network_nic-configuration-daemon-x7f_1 var/log/pods/x_sriov-network-config-daemon-q_2",
		    "here owner = \"nic-configuration-operator sriov-network-operator\"\n", NULL);
	assert_host("mkdir -p var/log/pods/x_fabcon-roce-abcde_3 etc/machine-config-daemon; touch etc/machine-config-daemon/currentconfig",
		    "here owner = \"fabcon-roce-daemonset machine-config-operator\"\n", NULL);
	assert_host("mkdir -p var/log/pods/default_web-1_4", NULL, "owner");
}

static void the_hint_tells_how_to_open_a_channel(void **state)
{
	(void)state;
	assert_ptr_equal(talk_way_guess("linux", SPAN("")), talk_way_find(WAY_SH));
	assert_ptr_equal(talk_way_guess(NULL, SPAN("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u2")), talk_way_find(WAY_SH));
	assert_ptr_equal(talk_way_guess("no such system", SPAN("SSH-2.0-OpenSSH_8.9p1 Ubuntu-3")), talk_way_find(WAY_SH));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_reply_says_nothing),
		cmocka_unit_test(a_tool_that_is_missing_leaves_unknowns_with_the_reason),
		cmocka_unit_test(an_app_table_that_was_not_read_is_no_trust),
		cmocka_unit_test(of_two_lldp_neighbors_the_better_is_told),
		cmocka_unit_test(the_port_of_a_neighbor_is_named_by_its_id),
		cmocka_unit_test(a_reply_cut_short_makes_nothing_unknown),
		cmocka_unit_test(the_half_line_of_a_reply_cut_short_is_not_read),
		cmocka_unit_test(what_is_not_understood_is_told_by_nothing_else),
		cmocka_unit_test(a_gid_of_a_vlan_is_one_of_the_device_below),
		cmocka_unit_test(what_is_printed_in_another_way_is_read_or_left),
		cmocka_unit_test(who_says_that_it_is_busy_has_not_answered_whole),
		cmocka_unit_test(a_kernel_log_that_is_refused_is_not_known),
		cmocka_unit_test(of_a_kernel_log_whose_end_alone_is_read_the_lines_are_not_counted),
		cmocka_unit_test(an_error_of_the_pcie_bus_is_the_nics_where_the_log_says_so),
		cmocka_unit_test(only_a_line_about_bandwidth_names_a_slow_pcie_link),
		cmocka_unit_test(a_link_is_the_same_after_its_interface_is_renamed),
		cmocka_unit_test(the_names_of_interfaces_come_in_order_with_their_links),
		cmocka_unit_test(what_a_nic_tells_of_its_health_is_said_as_it_is_and_ends),
		cmocka_unit_test(a_fact_cites_the_line_that_said_it),
		cmocka_unit_test(each_of_three_hundred_rdma_devices_is_of_its_own_interface),
		cmocka_unit_test(the_interface_of_one_port_is_not_given_to_the_other),
		cmocka_unit_test(a_map_of_rdma_devices_cites_its_line),
		cmocka_unit_test(a_line_of_a_million_colons_or_brackets_takes_no_time),
		cmocka_unit_test(every_probe_row_is_whole),
		cmocka_unit_test(a_host_is_linux_and_switches_that_run_linux_are_not),
		cmocka_unit_test(a_host_shows_who_else_sets_its_nics),
		cmocka_unit_test(the_hint_tells_how_to_open_a_channel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
