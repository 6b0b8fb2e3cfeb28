/* What a host says of its interfaces, its neighbours and its RDMA devices: ip, lldpcli, rdma, ibdev2netdev, show_gids. */
#include <stdio.h>

#include "remote/lab/linux/files.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/server/trap.h"
#include "remote/lab/world/neighbor.h"

static struct lab_port *port_at(const struct tool_call *t, unsigned i)
{
	return &t->fabric->ports[t->device->first + i];
}

/* The first port of each RDMA device: both members of a bond share one. */
static bool is_rdma_row(const struct lab_port *p, unsigned i)
{
	return !p->is_member || i == 0;
}

static const char *netdev_of(const struct lab_port *p)
{
	return p->is_member ? "bond0" : p->name;
}

/* -- ip -- */

static void print_link(const struct tool_call *t, const struct lab_port *p, struct buf *out)
{
	bool is_up = port_is_up(t->fabric, p);
	char pci[16];

	port_pci(p, pci);
	buf_printf(out,
		   ",{\"ifindex\":%u,\"ifname\":\"%s\",\"flags\":[%s\"BROADCAST\",\"MULTICAST\",%s\"UP\"%s],\"mtu\":%u,"
		   "\"qdisc\":\"mq\",%s\"operstate\":\"%s\",\"linkmode\":\"DEFAULT\",\"group\":\"default\",\"txqlen\":1000,"
		   "\"link_type\":\"ether\",\"address\":\"%s\",\"broadcast\":\"ff:ff:ff:ff:ff:ff\",\"promiscuity\":0,"
		   "\"allmulti\":0,\"min_mtu\":68,\"max_mtu\":9978,%s\"inet6_addr_gen_mode\":\"eui64\",\"num_tx_queues\":512,"
		   "\"num_rx_queues\":63,\"gso_max_size\":65536,\"gso_max_segs\":65535,\"parentbus\":\"pci\","
		   "\"parentdev\":\"%s\"}",
		   p->number + 2, p->name, is_up ? "" : "\"NO-CARRIER\",", p->is_member ? "\"SLAVE\"," : "",
		   is_up ? ",\"LOWER_UP\"" : "", p->nic.mtu, p->is_member ? "\"master\":\"bond0\"," : "",
		   is_up ? "UP" : "DOWN", p->mac,
		   p->is_member ? "\"linkinfo\":{\"info_slave_kind\":\"bond\",\"info_slave_data\":{\"state\":\"ACTIVE\","
				  "\"mii_status\":\"UP\",\"link_failure_count\":0,\"queue_id\":0,\"ad_aggregator_id\":1}}," : "",
		   pci);
}

static void print_bond(const struct tool_call *t, struct buf *out)
{
	const struct lab_port *p = port_at(t, 0);

	buf_printf(out,
		   ",{\"ifindex\":40,\"ifname\":\"bond0\",\"flags\":[\"BROADCAST\",\"MULTICAST\",\"MASTER\",\"UP\",\"LOWER_UP\"],"
		   "\"mtu\":%u,\"qdisc\":\"noqueue\",\"operstate\":\"UP\",\"linkmode\":\"DEFAULT\",\"group\":\"default\","
		   "\"txqlen\":1000,\"link_type\":\"ether\",\"address\":\"%s\",\"broadcast\":\"ff:ff:ff:ff:ff:ff\","
		   "\"promiscuity\":0,\"allmulti\":0,\"min_mtu\":68,\"max_mtu\":65535,\"linkinfo\":{\"info_kind\":\"bond\","
		   "\"info_data\":{\"mode\":\"802.3ad\",\"miimon\":100,\"xmit_hash_policy\":\"layer3+4\"}}}",
		   p->nic.mtu, p->mac);
}

static bool has_word(const struct tool_call *t, const char *word)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], word))
			return true;
	return false;
}

static int ip_set(struct tool_call *t)
{
	struct lab_port *p = NULL;

	for (int i = 2; i < t->argc; i++) {
		unsigned mtu;

		p = p ? p : tool_port(t, t->argv[i]);
		if (p && is_word(t->argv[i], "mtu") && i + 1 < t->argc && sscanf(t->argv[i + 1], "%u", &mtu) == 1) {
			if (mtu < 68 || mtu > 9978) {
				buf_printf(t->errors, "RTNETLINK answers: Invalid argument\n");
				return 2;
			}
			p->nic.mtu = mtu;
		}
		if (p && (is_word(t->argv[i], "up") || is_word(t->argv[i], "down")))
			p->harm.is_down = is_word(t->argv[i], "down");
	}
	if (!p) {
		buf_printf(t->errors, "Cannot find device \"%s\"\n", t->argc > 3 ? t->argv[t->argc - 1] : "");
		return 1;
	}
	t->is_changed = true;
	return 0;
}

/* Every session comes in by the loopback, as far as its host can see; with the trap, by a port of the fabric. */
static int ip_addresses(struct tool_call *t)
{
	const char *port = trap_is(t->device, "in-band") ? netdev_of(port_at(t, 0)) : "lo";

	buf_printf(t->out, "%u: %s    inet 127.0.0.1/8 scope host %s\\       valid_lft forever preferred_lft forever\n",
		   is_word(port, "lo") ? 1 : 2, port, port);
	return 0;
}

/* The host at the other end of a cable that is up; NULL: a switch is there, or nobody. */
static const struct lab_port *host_beyond(const struct tool_call *t, const struct lab_port *p)
{
	const struct lab_port *peer = p->peer >= 0 && port_is_up(t->fabric, p) ? port_peer(t->fabric, p) : NULL;

	return peer && port_is_host(t->fabric, peer) ? peer : NULL;
}

/* Nothing but RDMA speaks on the fabric's ports, and what ping has made heard. */
static int ip_neighbors(struct tool_call *t)
{
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i), *peer = p->has_pinged ? host_beyond(t, p) : NULL;

		if (peer)
			buf_printf(t->out, "fe80::ec0d:9aff:fe00:%x dev %s lladdr %s REACHABLE\n", peer->number + 1, p->name, peer->mac);
	}
	return 0;
}

int tool_ping(struct tool_call *t)
{
	struct lab_port *p = NULL;
	const struct lab_port *peer;

	for (int i = 1; i + 1 < t->argc; i++)
		if (is_word(t->argv[i], "-I"))
			p = tool_port(t, t->argv[i + 1]);
	if (!p) {
		buf_str(t->errors, "ping: unknown iface\n");
		return 2;
	}
	p->has_pinged = true;
	peer = host_beyond(t, p);
	buf_printf(t->out, "PING ff02::1(ff02::1) from fe80::1%%%s %s: 56 data bytes\n", p->name, p->name);
	if (peer)
		buf_printf(t->out, "64 bytes from fe80::ec0d:9aff:fe00:%x%%%s: icmp_seq=1 ttl=64 time=0.031 ms\n", peer->number + 1, p->name);
	buf_printf(t->out, "\n--- ff02::1 ping statistics ---\n1 packets transmitted, %d received, %d%% packet loss, time 0ms\n", peer != NULL,
		   peer ? 0 : 100);
	return peer ? 0 : 1;
}

int tool_ip(struct tool_call *t)
{
	bool is_json = has_word(t, "-j") || has_word(t, "-json");

	if (has_word(t, "-V")) {
		buf_str(t->out, "ip utility, iproute2-6.1.0, libbpf 1.1.0\n");
		return 0;
	}
	if (has_word(t, "set"))
		return ip_set(t);
	if (has_word(t, "-o") && has_word(t, "addr"))
		return ip_addresses(t);
	if (has_word(t, "neigh"))
		return ip_neighbors(t);
	if (!has_word(t, "link") && !has_word(t, "l")) {
		buf_str(t->errors, "Object \"\" is unknown, try \"ip help\".\n");
		return 1;
	}
	if (!is_json) {
		for (unsigned i = 0; i < t->device->n; i++) {
			const struct lab_port *p = port_at(t, i);

			buf_printf(t->out, "%u: %s: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu %u qdisc mq state %s mode DEFAULT "
				   "group default qlen 1000\n    link/ether %s brd ff:ff:ff:ff:ff:ff\n", p->number + 2, p->name,
				   p->nic.mtu, port_is_up(t->fabric, p) ? "UP" : "DOWN", p->mac);
		}
		return 0;
	}
	buf_str(t->out, "[{\"ifindex\":1,\"ifname\":\"lo\",\"flags\":[\"LOOPBACK\",\"UP\",\"LOWER_UP\"],\"mtu\":65536,"
			"\"qdisc\":\"noqueue\",\"operstate\":\"UNKNOWN\",\"linkmode\":\"DEFAULT\",\"group\":\"default\","
			"\"txqlen\":1000,\"link_type\":\"loopback\",\"address\":\"00:00:00:00:00:00\","
			"\"broadcast\":\"00:00:00:00:00:00\",\"promiscuity\":0}");
	for (unsigned i = 0; i < t->device->n; i++)
		print_link(t, port_at(t, i), t->out);
	if (t->device->has_bond)
		print_bond(t, t->out);
	buf_str(t->out, "]\n");
	return 0;
}

/* -- lldpcli -- */

static void print_neighbour(const struct tool_call *t, const struct lab_port *p, bool is_first, struct buf *out)
{
	const struct lab_port *far = port_peer(t->fabric, p);
	struct neighbor n;

	neighbor_of(t->fabric, far, &n);
	buf_printf(out,
		   "%s{\"name\":\"%s\",\"via\":\"LLDP\",\"rid\":\"%u\",\"age\":\"0 day, 02:11:%02u\",\"chassis\":[{\"id\":"
		   "[{\"type\":\"mac\",\"value\":\"%s\"}],\"name\":[{\"value\":\"%s\"}],\"descr\":[{\"value\":\"%s\"}],"
		   "\"capability\":[{\"type\":\"Bridge\",\"enabled\":true},{\"type\":\"Router\",\"enabled\":true}]}],"
		   "\"port\":[{\"id\":[{\"type\":\"%s\",\"value\":\"%s\"}],\"descr\":[{\"value\":\"%s\"}],"
		   "\"ttl\":[{\"value\":\"120\"}]}]}",
		   is_first ? "" : ",", p->name, p->number, p->number, n.chassis, n.name, n.system, n.port_type, n.port,
		   n.description);
}

static void print_neighbour_text(const struct tool_call *t, const struct lab_port *p, struct buf *out)
{
	struct neighbor n;

	neighbor_of(t->fabric, port_peer(t->fabric, p), &n);
	buf_printf(out,
		   "Interface:    %s, via: LLDP, RID: %u, Time: 0 day, 02:11:%02u\n  Chassis:     \n    ChassisID:    mac %s\n"
		   "    SysName:      %s\n    SysDescr:     %s\n    Capability:   Bridge, on\n    Capability:   Router, on\n"
		   "  Port:        \n    PortID:       %s %s\n    PortDescr:    %s\n    TTL:          120\n"
		   "-------------------------------------------------------------------------------\n",
		   p->name, p->number, p->number, n.chassis, n.name, n.system, n.port_type, n.port, n.description);
}

static void print_neighbour_keys(const struct tool_call *t, const struct lab_port *p, struct buf *out)
{
	struct neighbor n;

	neighbor_of(t->fabric, port_peer(t->fabric, p), &n);
	buf_printf(out,
		   "lldp.%s.via=LLDP\nlldp.%s.rid=%u\nlldp.%s.chassis.mac=%s\nlldp.%s.chassis.name=%s\n"
		   "lldp.%s.chassis.descr=%s\nlldp.%s.port.%s=%s\nlldp.%s.port.descr=%s\nlldp.%s.port.ttl=120\n",
		   p->name, p->name, p->number, p->name, n.chassis, p->name, n.name, p->name, n.system, p->name, n.port_type,
		   n.port, p->name, n.description, p->name);
}

int tool_lldpcli(struct tool_call *t)
{
	bool is_json = has_word(t, "json0") || has_word(t, "json"), is_keys = has_word(t, "keyvalue"), is_first = true;

	if (!has_word(t, "neighbors")) {
		buf_str(t->errors, "[WARN/lldpctl] unknown command from argument 1: ``''\n");
		return 1;
	}
	if (is_json)
		buf_str(t->out, "{\"lldp\":[{\"interface\":[");
	else if (!is_keys)
		buf_str(t->out, "-------------------------------------------------------------------------------\n"
				"LLDP neighbors:\n"
				"-------------------------------------------------------------------------------\n");
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (!port_is_up(t->fabric, p))
			continue;
		if (is_json)
			print_neighbour(t, p, is_first, t->out);
		else if (is_keys)
			print_neighbour_keys(t, p, t->out);
		else
			print_neighbour_text(t, p, t->out);
		is_first = false;
	}
	if (is_json)
		buf_str(t->out, "]}]}\n");
	return 0;
}

/* -- RDMA -- */

int tool_ibdev2netdev(struct tool_call *t)
{
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (is_rdma_row(p, i))
			buf_printf(t->out, "%s port 1 ==> %s (%s)\n", p->rdma, netdev_of(p),
				   port_is_up(t->fabric, p) ? "Up" : "Down");
	}
	return 0;
}

static void print_rdma_link(const struct tool_call *t, unsigned i, bool is_json, bool is_first)
{
	const struct lab_port *p = port_at(t, i);
	bool is_up = port_is_up(t->fabric, p);
	const char *state = is_up ? "ACTIVE" : "DOWN", *physical = is_up ? "LINK_UP" : "DISABLED";

	if (is_json)
		buf_printf(t->out, "%s{\"ifindex\":%u,\"ifname\":\"%s\",\"port\":1,\"state\":\"%s\",\"physical_state\":\"%s\","
			   "\"netdev\":\"%s\",\"netdev_index\":%u}", is_first ? "" : ",", i, p->rdma, state, physical,
			   netdev_of(p), p->is_member ? 40 : p->number + 2);
	else
		buf_printf(t->out, "link %s/1 state %s physical_state %s netdev %s \n", p->rdma, state, physical, netdev_of(p));
}

int tool_rdma(struct tool_call *t)
{
	bool is_json = has_word(t, "-j") || has_word(t, "-jp"), is_first = true;

	if (has_word(t, "system") || has_word(t, "sys")) {
		buf_str(t->out, "netns shared copy-on-fork on\n");
		return 0;
	}
	if (!has_word(t, "link")) {
		buf_str(t->errors, "Object \"\" is unknown, try \"rdma help\".\n");
		return 1;
	}
	if (is_json)
		buf_str(t->out, "[");
	for (unsigned i = 0; i < t->device->n; i++)
		if (is_rdma_row(port_at(t, i), i)) {
			print_rdma_link(t, i, is_json, is_first);
			is_first = false;
		}
	if (is_json)
		buf_str(t->out, "]\n");
	return 0;
}

int tool_show_gids(struct tool_call *t)
{
	unsigned found = 0;

	buf_str(t->out, "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n"
			"---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n");
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		for (unsigned k = 2; is_rdma_row(p, i) && !p->harm.has_no_address && k < 4; k++, found++)
			buf_printf(t->out, "%s\t1\t%u\t0000:0000:0000:0000:0000:ffff:%04x:%04x\t%u.%u.%u.%u  \tv%u\t%s\n",
				   p->rdma, k, p->ip >> 16, p->ip & 0xffff, p->ip >> 24, p->ip >> 16 & 255, p->ip >> 8 & 255,
				   p->ip & 255, k - 1, netdev_of(p));
	}
	buf_printf(t->out, "n_gids_found=%u\n", found);
	return 0;
}

/* The largest RDMA packet that fits a netdev MTU, and its code. */
static unsigned rdma_mtu(unsigned mtu, unsigned *code)
{
	unsigned size = 4096;

	for (*code = 5; size > 256 && size + 96 > mtu; size /= 2)
		(*code)--;
	return size;
}

int tool_ibv_devinfo(struct tool_call *t)
{
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		bool is_up = port_is_up(t->fabric, p);
		unsigned code, size = rdma_mtu(p->nic.mtu, &code);

		if (!is_rdma_row(p, i))
			continue;
		buf_printf(t->out,
			   "hca_id:\t%s\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.39.1002\n"
			   "\tnode_guid:\t\t\t0c42:a103:0000:%02x%02x\n\tsys_image_guid:\t\t\t0c42:a103:0000:%02x00\n"
			   "\tvendor_id:\t\t\t0x02c9\n\tvendor_part_id:\t\t\t4129\n\thw_ver:\t\t\t\t0x0\n"
			   "\tboard_id:\t\t\tMT_0000000838\n\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n"
			   "\t\t\tstate:\t\t\t%s\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t%u (%u)\n"
			   "\t\t\tsm_lid:\t\t\t0\n\t\t\tport_lid:\t\t0\n\t\t\tport_lmc:\t\t0x00\n"
			   "\t\t\tlink_layer:\t\tEthernet\n\n",
			   p->rdma, p->device & 255, p->number, p->device & 255, is_up ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)",
			   size, code);
	}
	return 0;
}

static struct lab_port *rdma_port(const struct tool_call *t)
{
	for (int k = 1; k + 1 < t->argc; k++)
		for (unsigned i = 0; is_word(t->argv[k], "-d") && i < t->device->n; i++)
			if (is_word(t->argv[k + 1], port_at(t, i)->rdma))
				return port_at(t, i);
	return NULL;
}

int tool_cma_roce_tos(struct tool_call *t)
{
	struct lab_port *p = rdma_port(t);
	unsigned tos;

	if (!p) {
		buf_str(t->out, "Device does not exist\n");
		return 1;
	}
	for (int k = 1; k + 1 < t->argc; k++)
		if (is_word(t->argv[k], "-t") && sscanf(t->argv[k + 1], "%u", &tos) == 1 && tos < 256) {
			p->nic.tos_cma = tos;
			t->is_changed = true;
		}
	buf_printf(t->out, "%u\n", p->nic.tos_cma);
	return 0;
}

int tool_cma_roce_mode(struct tool_call *t)
{
	if (!rdma_port(t)) {
		buf_str(t->out, "Device does not exist\n");
		return 1;
	}
	buf_str(t->out, "RoCE v2\n");
	return 0;
}
