/* ip of iproute2 6.1: link, addr and neigh, in text and JSON, of one interface or of all. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/bond.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/functions.h"
#include "remote/lab/linux/mlx5.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/server/trap.h"

/* What is asked for: options, object, verb, the interface. */
struct asked {
	bool is_json, has_details, has_counters, is_one_line, is_brief;
	const char *object, *verb, *name;
	int rest;		/* of the words: what follows the interface */
};

static struct lab_port *port_at(const struct tool_call *t, unsigned i)
{
	return &t->fabric->ports[t->device->first + i];
}

static void read_option(const char *word, struct asked *a)
{
	a->is_json = a->is_json || is_word(word, "-j") || is_word(word, "-json") || is_word(word, "--json");
	a->has_details = a->has_details || is_word(word, "-d") || is_word(word, "-details");
	a->has_counters = a->has_counters || is_word(word, "-s") || is_word(word, "-stats") || is_word(word, "-statistics");
	a->is_one_line = a->is_one_line || is_word(word, "-o") || is_word(word, "-oneline");
	a->is_brief = a->is_brief || is_word(word, "-br") || is_word(word, "-brief");
}

static void read_words(struct tool_call *t, struct asked *a)
{
	int i = 1;

	for (; i < t->argc && t->argv[i][0] == '-'; i++)
		read_option(t->argv[i], a);
	a->object = i < t->argc ? t->argv[i++] : "";
	a->verb = i < t->argc ? t->argv[i++] : "show";
	for (; i < t->argc; i++)
		if (!is_word(t->argv[i], "dev"))
			break;
	a->name = i < t->argc ? t->argv[i++] : NULL;
	a->rest = i;
}

/* -- link show -- */

struct counted {
	unsigned long long n[6];
};

static struct counted counters_of(const struct tool_call *t, const char *name, const char *const *files)
{
	struct counted c = { { 0 } };

	for (unsigned i = 0; i < 6; i++) {
		char *path = xasprintf("%s/nodes/%s/sys/class/net/%s/statistics/%s", server_dir(t->server), t->device->name, name, files[i]);
		FILE *file = fopen(path, "re");

		if (file && fscanf(file, "%llu", &c.n[i]) != 1)
			c.n[i] = 0;
		if (file)
			fclose(file);
		free(path);
	}
	return c;
}

/* Columns as wide as their widest: iproute2 since 5.13. */
static void print_table(struct buf *out, const char *direction, const char *const *names, const struct counted *c)
{
	int widths[6];

	buf_printf(out, "    %s ", direction);
	for (unsigned i = 0; i < 6; i++) {
		int name = (int)strlen(names[i]), number = snprintf(NULL, 0, "%llu", c->n[i]) - (i ? 0 : 4);

		widths[i] = name > number ? name : number;
		buf_printf(out, "%*s ", widths[i], names[i]);
	}
	buf_printf(out, "          \n    %*llu ", widths[0] + 4, c->n[0]);
	for (unsigned i = 1; i < 6; i++)
		buf_printf(out, "%*llu ", widths[i], c->n[i]);
	buf_str(out, "\n");
}

static void print_counters(const struct tool_call *t, const struct asked *a, const char *name)
{
	static const char *const rx[] = { "rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "rx_missed_errors", "multicast" };
	static const char *const tx[] = { "tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_carrier_errors", "collisions" };
	struct counted r = counters_of(t, name, rx), s = counters_of(t, name, tx);

	if (!a->has_counters)
		return;
	if (a->is_json) {
		buf_printf(t->out, ",\"stats64\":{\"rx\":{\"bytes\":%llu,\"packets\":%llu,\"errors\":%llu,\"dropped\":%llu,"
			   "\"over_errors\":0,\"multicast\":%llu},", r.n[0], r.n[1], r.n[2], r.n[3], r.n[5]);
		buf_printf(t->out, "\"tx\":{\"bytes\":%llu,\"packets\":%llu,\"errors\":%llu,\"dropped\":%llu,\"carrier_errors\":%llu,"
			   "\"collisions\":%llu}}", s.n[0], s.n[1], s.n[2], s.n[3], s.n[4], s.n[5]);
		return;
	}
	print_table(t->out, "RX:", (const char *const[]){ "bytes", "packets", "errors", "dropped", "missed", "mcast" }, &r);
	print_table(t->out, "TX:", (const char *const[]){ "bytes", "packets", "errors", "dropped", "carrier", "collsns" }, &s);
}

/* What iproute2 6.1 adds after gso_max_segs: captures/node/ip-link/j-d-link-local.txt. */
#define TSO_JSON	"\"tso_max_size\":524280,\"tso_max_segs\":65535,\"gro_max_size\":65536"
#define TSO_TEXT	"tso_max_size 524280 tso_max_segs 65535 gro_max_size 65536 "

static void print_loopback(const struct tool_call *t, const struct asked *a)
{
	if (a->is_json)
		buf_str(t->out, "{\"ifindex\":1,\"ifname\":\"lo\",\"flags\":[\"LOOPBACK\",\"UP\",\"LOWER_UP\"],\"mtu\":65536,"
				"\"qdisc\":\"noqueue\",\"operstate\":\"UNKNOWN\",\"linkmode\":\"DEFAULT\",\"group\":\"default\","
				"\"txqlen\":1000,\"link_type\":\"loopback\",\"address\":\"00:00:00:00:00:00\","
				"\"broadcast\":\"00:00:00:00:00:00\"");
	else
		buf_str(t->out, "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000\n"
				"    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00");
	if (a->has_details)
		buf_str(t->out, a->is_json ? ",\"promiscuity\":0,\"allmulti\":0,\"min_mtu\":0,\"max_mtu\":0,"
					     "\"inet6_addr_gen_mode\":\"eui64\",\"num_tx_queues\":1,\"num_rx_queues\":1,"
					     "\"gso_max_size\":65536,\"gso_max_segs\":65535," TSO_JSON
					   : " promiscuity 0 allmulti 0 minmtu 0 maxmtu 0 addrgenmode eui64 numtxqueues 1 numrxqueues 1 "
					     "gso_max_size 65536 gso_max_segs 65535 " TSO_TEXT);
	buf_str(t->out, a->is_json ? "" : "\n");
}

static void print_port_json(const struct tool_call *t, const struct lab_port *p)
{
	bool is_up = port_is_up(t->fabric, p);
	char pci[16];

	port_pci(p, pci);
	buf_printf(t->out,
		   "{\"ifindex\":%u,\"ifname\":\"%s\",\"flags\":[%s\"BROADCAST\",\"MULTICAST\"%s%s%s],\"mtu\":%u,"
		   "\"qdisc\":\"mq\",%s\"operstate\":\"%s\",\"linkmode\":\"DEFAULT\",\"group\":\"default\",\"txqlen\":1000,"
		   "\"link_type\":\"ether\",\"address\":\"%s\",\"broadcast\":\"ff:ff:ff:ff:ff:ff\",\"promiscuity\":0,"
		   "\"allmulti\":0,\"min_mtu\":68,\"max_mtu\":%u,%s\"inet6_addr_gen_mode\":\"eui64\",\"num_tx_queues\":512,"
		   "\"num_rx_queues\":63,\"gso_max_size\":65536,\"gso_max_segs\":65535," TSO_JSON ",\"parentbus\":\"pci\","
		   "\"parentdev\":\"%s\"",
		   p->number + 2, p->name, is_up || p->harm.is_down ? "" : "\"NO-CARRIER\",", p->is_member ? ",\"SLAVE\"" : "",
		   p->harm.is_down ? "" : ",\"UP\"", is_up ? ",\"LOWER_UP\"" : "", p->nic.mtu, p->is_member ? "\"master\":\"bond0\"," : "",
		   is_up ? "UP" : "DOWN", p->mac, MLX5_MAX_MTU,
		   p->is_member ? "\"linkinfo\":{\"info_slave_kind\":\"bond\",\"info_slave_data\":{\"state\":\"ACTIVE\","
				  "\"mii_status\":\"UP\",\"link_failure_count\":0,\"queue_id\":0,\"ad_aggregator_id\":1}}," : "",
		   pci);
}

static void print_port_text(const struct tool_call *t, const struct asked *a, const struct lab_port *p)
{
	bool is_up = port_is_up(t->fabric, p);
	char pci[16];

	port_pci(p, pci);
	buf_printf(t->out,
		   "%u: %s: <%sBROADCAST,MULTICAST%s%s%s> mtu %u qdisc mq %sstate %s mode DEFAULT group default qlen 1000\n"
		   "    link/ether %s brd ff:ff:ff:ff:ff:ff",
		   p->number + 2, p->name, is_up || p->harm.is_down ? "" : "NO-CARRIER,", p->is_member ? ",SLAVE" : "",
		   p->harm.is_down ? "" : ",UP", is_up ? ",LOWER_UP" : "", p->nic.mtu, p->is_member ? "master bond0 " : "",
		   is_up ? "UP" : "DOWN", p->mac);
	if (a->has_details) {
		buf_printf(t->out, " promiscuity 0 allmulti 0 minmtu 68 maxmtu %u ", MLX5_MAX_MTU);
		if (p->is_member)
			buf_printf(t->out, "\n    bond_slave state %s mii_status %s link_failure_count 0 perm_hwaddr %s queue_id 0 "
				   "ad_aggregator_id 1 ad_actor_oper_port_state 63 ad_actor_oper_port_state_str "
				   "<active,short_timeout,aggregating,in_sync,collecting,distributing> ",
				   is_up ? "ACTIVE" : "BACKUP", is_up ? "UP" : "DOWN", p->mac);
		buf_printf(t->out, "addrgenmode eui64 numtxqueues 512 numrxqueues 63 gso_max_size 65536 gso_max_segs 65535 " TSO_TEXT
			   "parentbus pci parentdev %s ", pci);
	}
	buf_str(t->out, "\n");
}

/* The new form of iproute2: captures/node/ip-link/vfs-mlx5-new-link-ether-form.txt. */
static void print_vfs(const struct tool_call *t, const struct asked *a, const struct lab_port *p)
{
	unsigned n = vf_seen(t->device, p);

	buf_str(t->out, a->is_json && n ? ",\"vfinfo_list\":[" : "");
	for (unsigned i = 0; i < n; i++)
		buf_printf(t->out, a->is_json ? "%s{\"vf\":%u,\"link_type\":\"ether\",\"address\":\"00:00:00:00:00:00\","
					       "\"broadcast\":\"ff:ff:ff:ff:ff:ff\",\"vlan_list\":[{}],\"rate\":{},\"spoofchk\":false,"
					       "\"link_state\":\"auto\",\"trust\":false,\"query_rss_en\":false}"
					     : "%.0s    vf %u     link/ether 00:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff, spoof checking off, "
					       "link-state auto, trust off, query_rss off\n", i ? "," : "", i);
	buf_str(t->out, a->is_json && n ? "]" : "");
}

static void print_bond(const struct tool_call *t, const struct asked *a)
{
	const struct lab_device *d = t->device;
	bool is_up = bond_is_up(t->fabric, d);
	const char *mac = port_at(t, 0)->mac;

	if (a->is_json) {
		buf_printf(t->out,
			   "{\"ifindex\":%u,\"ifname\":\"bond0\",\"flags\":[%s\"BROADCAST\",\"MULTICAST\",\"MASTER\",\"UP\"%s],"
			   "\"mtu\":%u,\"qdisc\":\"noqueue\",\"operstate\":\"%s\",\"linkmode\":\"DEFAULT\",\"group\":\"default\","
			   "\"txqlen\":1000,\"link_type\":\"ether\",\"address\":\"%s\",\"broadcast\":\"ff:ff:ff:ff:ff:ff\","
			   "\"promiscuity\":0,\"allmulti\":0,\"min_mtu\":68,\"max_mtu\":65535,\"linkinfo\":{\"info_kind\":\"bond\","
			   "\"info_data\":{\"mode\":\"802.3ad\",\"miimon\":100,\"xmit_hash_policy\":\"layer3+4\"}},"
			   "\"inet6_addr_gen_mode\":\"eui64\",\"num_tx_queues\":16,\"num_rx_queues\":16,\"gso_max_size\":65536,"
			   "\"gso_max_segs\":65535," TSO_JSON,
			   BOND_IFINDEX, is_up ? "" : "\"NO-CARRIER\",", is_up ? ",\"LOWER_UP\"" : "", d->bond_mtu,
			   is_up ? "UP" : "DOWN", mac);
		return;
	}
	buf_printf(t->out, "%u: bond0: <%sBROADCAST,MULTICAST,MASTER,UP%s> mtu %u qdisc noqueue state %s mode DEFAULT group default "
		   "qlen 1000\n    link/ether %s brd ff:ff:ff:ff:ff:ff", BOND_IFINDEX, is_up ? "" : "NO-CARRIER,", is_up ? ",LOWER_UP" : "",
		   d->bond_mtu, is_up ? "UP" : "DOWN", mac);
	if (a->has_details)
		buf_str(t->out, " promiscuity 0 allmulti 0 minmtu 68 maxmtu 65535 \n    bond mode 802.3ad miimon 100 updelay 0 downdelay 0 "
				"peer_notify_delay 0 use_carrier 1 arp_interval 0 arp_missed_max 2 arp_validate none arp_all_targets any "
				"primary_reselect always fail_over_mac none xmit_hash_policy layer3+4 resend_igmp 1 num_grat_arp 1 "
				"all_slaves_active 0 min_links 0 lp_interval 1 packets_per_slave 1 lacp_active on lacp_rate fast "
				"ad_select stable tlb_dynamic_lb 1 addrgenmode eui64 numtxqueues 16 numrxqueues 16 gso_max_size 65536 "
				"gso_max_segs 65535 " TSO_TEXT);
	buf_str(t->out, "\n");
}

/* Prints a comma before all but the first; false when the interface is not the one that is asked for. */
static bool begin(const struct tool_call *t, const struct asked *a, const char *name, bool *is_first)
{
	if (a->name && !is_word(a->name, name))
		return false;
	buf_str(t->out, a->is_json && !*is_first ? "," : "");
	*is_first = false;
	return true;
}

static void end(const struct tool_call *t, const struct asked *a, const char *name)
{
	print_counters(t, a, name);
	buf_str(t->out, a->is_json ? "}" : "");
}

static int link_show(struct tool_call *t, const struct asked *a)
{
	bool is_first = true;

	buf_str(t->out, a->is_json ? "[" : "");
	if (begin(t, a, "lo", &is_first)) {
		print_loopback(t, a);
		end(t, a, "lo");
	}
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (!begin(t, a, p->name, &is_first))
			continue;
		if (a->is_json)
			print_port_json(t, p);
		else
			print_port_text(t, a, p);
		print_vfs(t, a, p);
		end(t, a, p->name);
	}
	if (t->device->has_bond && begin(t, a, "bond0", &is_first)) {
		print_bond(t, a);
		end(t, a, "bond0");
	}
	if (is_first) {
		buf_clear(t->out);
		buf_printf(t->errors, "Device \"%s\" does not exist.\n", a->name);
		return 1;
	}
	buf_str(t->out, a->is_json ? "]\n" : "");
	return 0;
}

/* -- link set -- */

static int refused(struct tool_call *t, const char *why)
{
	buf_printf(t->errors, "%s\n", why);
	return 2;
}

static int set_mtu(struct tool_call *t, struct lab_port *p, const char *text)
{
	unsigned mtu;
	char tail;

	if (sscanf(text, "%u%c", &mtu, &tail) != 1) {
		buf_printf(t->errors, "Error: argument \"%s\" is wrong: Invalid \"mtu\" value\n\n", text);
		return 255;
	}
	if (mtu < 68)
		return refused(t, "Error: mtu less than device minimum.");
	if (mtu > MLX5_MAX_MTU)
		return refused(t, "Error: mtu greater than device maximum.");
	if (p)
		p->nic.mtu = mtu;
	else
		bond_set_mtu(t->fabric, t->device, mtu);
	return 0;
}

static int link_set(struct tool_call *t, const struct asked *a)
{
	struct lab_port *p = tool_port(t, a->name);
	int status = 0;

	if (!p && (!t->device->has_bond || !is_word(a->name, "bond0"))) {
		buf_printf(t->errors, "Cannot find device \"%s\"\n", a->name ? a->name : "");
		return 1;
	}
	for (int i = a->rest; !status && i < t->argc; i++) {
		const char *word = t->argv[i];

		if (is_word(word, "mtu") && i + 1 < t->argc) {
			status = set_mtu(t, p, t->argv[++i]);
		} else if (is_word(word, "up") || is_word(word, "down")) {
			if (p)
				p->harm.is_down = is_word(word, "down");
		} else {
			buf_printf(t->errors, "Error: either \"dev\" is duplicate, or \"%s\" is a garbage.\n", word);
			return 255;
		}
	}
	t->is_changed = !status;
	return status;
}

/* -- addr, neigh -- */

/* Every session comes in by the loopback, as far as its host can see; with the trap, by a port of the fabric. */
static int ip_addresses(struct tool_call *t)
{
	const struct lab_port *first = port_at(t, 0);
	const char *port = !trap_is(t->device, "in-band") ? "lo" : first->is_member ? "bond0" : first->name;

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

static bool is_object(const struct asked *a, const char *name)
{
	return *a->object && !strncmp(name, a->object, strlen(a->object));
}

int tool_ip(struct tool_call *t)
{
	struct asked a = { .rest = 0 };

	if (t->argc > 1 && (is_word(t->argv[1], "-V") || is_word(t->argv[1], "-Version"))) {
		buf_str(t->out, "ip utility, iproute2-6.1.0, libbpf 1.1.0\n");
		return 0;
	}
	read_words(t, &a);
	if (is_object(&a, "address"))
		return ip_addresses(t);
	if (is_object(&a, "neighbour"))
		return ip_neighbors(t);
	if (!is_object(&a, "link")) {
		buf_printf(t->errors, "Object \"%s\" is unknown, try \"ip help\".\n", a.object);
		return 1;
	}
	if (is_word(a.verb, "set"))
		return link_set(t, &a);
	if (is_word(a.verb, "show") || is_word(a.verb, "list") || is_word(a.verb, "ls"))
		return link_show(t, &a);
	buf_printf(t->errors, "Command \"%s\" is unknown, try \"ip link help\".\n", a.verb);
	return 255;
}
