/* What a host says of its neighbours and its RDMA devices: lldpcli, rdma, ibdev2netdev, show_gids. */
#include <stdio.h>

#include "remote/lab/linux/bond.h"
#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/functions.h"
#include "remote/lab/linux/link_tools.h"
#include "remote/lab/linux/lldpctl.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/world/ages.h"
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

static bool has_word(const struct tool_call *t, const char *word)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], word))
			return true;
	return false;
}

/* -- lldpcli -- */

#define TTL_US	(LLDP_TTL_S * 1000000ll)
#define BEFORE_US	7864000000ll	/* the neighbor before had been there for so long */

/* Text, JSON in both its forms, and keyvalue. */
enum lldp_form { LLDP_TEXT, LLDP_JSON0, LLDP_JSON, LLDP_KEYS };

#define CAPABILITY_JSON	"\"capability\":[{\"type\":\"Bridge\",\"enabled\":true},{\"type\":\"Router\",\"enabled\":true}]"

/* What lldpd knows of one neighbor. */
struct heard {
	const char *interface;
	unsigned rid;
	char age[24];
	const struct neighbor *n;
};

/* json0: each thing is a list. */
static void print_json0(const struct heard *h, struct buf *out)
{
	const struct neighbor *n = h->n;

	buf_printf(out, "{\"name\":\"%s\",\"via\":\"LLDP\",\"rid\":\"%u\",\"age\":\"%s\",\"chassis\":[{\"id\":"
		   "[{\"type\":\"mac\",\"value\":\"%s\"}]", h->interface, h->rid, h->age, n->chassis);
	if (n->name)
		buf_printf(out, ",\"name\":[{\"value\":\"%s\"}],\"descr\":[{\"value\":\"%s\"}]," CAPABILITY_JSON, n->name, n->system);
	buf_printf(out, "}],\"port\":[{\"id\":[{\"type\":\"%s\",\"value\":\"%s\"}],", n->port_type, n->port);
	if (*n->description)
		buf_printf(out, "\"descr\":[{\"value\":\"%s\"}],", n->description);
	buf_str(out, "\"ttl\":[{\"value\":\"120\"}]}]}");
}

/* json: what is there once is no list, and a chassis stands under its name. */
static void print_json(const struct heard *h, struct buf *out)
{
	const struct neighbor *n = h->n;

	buf_printf(out, "{\"%s\":{\"via\":\"LLDP\",\"rid\":\"%u\",\"age\":\"%s\",\"chassis\":{", h->interface, h->rid, h->age);
	if (n->name)
		buf_printf(out, "\"%s\":{", n->name);
	buf_printf(out, "\"id\":{\"type\":\"mac\",\"value\":\"%s\"}", n->chassis);
	if (n->name)
		buf_printf(out, ",\"descr\":\"%s\"," CAPABILITY_JSON "}", n->system);
	buf_printf(out, "},\"port\":{\"id\":{\"type\":\"%s\",\"value\":\"%s\"},", n->port_type, n->port);
	if (*n->description)
		buf_printf(out, "\"descr\":\"%s\",", n->description);
	buf_str(out, "\"ttl\":\"120\"}}}");
}

static void print_keys(const struct heard *h, struct buf *out)
{
	const char *interface = h->interface;
	const struct neighbor *n = h->n;

	buf_printf(out, "lldp.%s.via=LLDP\nlldp.%s.rid=%u\nlldp.%s.age=%s\nlldp.%s.chassis.mac=%s\n", interface, interface, h->rid,
		   interface, h->age, interface, n->chassis);
	if (n->name)
		buf_printf(out, "lldp.%s.chassis.name=%s\nlldp.%s.chassis.descr=%s\nlldp.%s.chassis.Bridge.enabled=on\n"
			   "lldp.%s.chassis.Router.enabled=on\n", interface, n->name, interface, n->system, interface, interface);
	buf_printf(out, "lldp.%s.port.%s=%s\n", interface, n->port_type, n->port);
	if (*n->description)
		buf_printf(out, "lldp.%s.port.descr=%s\n", interface, n->description);
	buf_printf(out, "lldp.%s.port.ttl=120\n", interface);
}

/* Since the link came up; who was at the cable before has not changed for longer. */
static void put_age(const struct tool_call *t, const struct lab_port *p, bool is_before, char age[24])
{
	lldpctl_age(link_age_us(t->fabric, p) + (is_before ? BEFORE_US : 0), age);
}

static void print_neighbor(const struct tool_call *t, const struct lab_port *p, const struct neighbor *n, bool is_before,
			   enum lldp_form form, bool is_first, struct buf *out)
{
	struct heard h = { .interface = p->name, .rid = p->number + (is_before ? 100 : 0), .n = n };

	put_age(t, p, is_before, h.age);
	if (form == LLDP_JSON || form == LLDP_JSON0)
		buf_str(out, is_first ? "" : ",");
	if (form == LLDP_JSON)
		print_json(&h, out);
	else if (form == LLDP_JSON0)
		print_json0(&h, out);
	else if (form == LLDP_KEYS)
		print_keys(&h, out);
	else
		lldpctl_print(h.interface, h.rid, h.age, n, LLDP_TTL_S, out);
}

/*
 * Who was at the cable before the host was moved: another port of the same switch, or the agent of a NIC, which has no name.
 * Both are forgotten when their time to live is over.
 */
static bool neighbor_before(const struct tool_call *t, const struct lab_port *p, struct neighbor *n)
{
	const struct lab_device *d = t->device, *far = port_device(t->fabric, port_peer(t->fabric, p));
	unsigned other = port_peer(t->fabric, p)->number % far->n;

	if (t->fabric->now_us - d->booted_us > TTL_US)
		return false;
	if (wears(d, SKIN_LLDP_NAMELESS)) {
		*n = (struct neighbor){ .chassis = "b8:3f:d2:11:22:30", .port_type = "mac", .port = "b8:3f:d2:11:22:30" };
		return true;
	}
	if (!wears(d, SKIN_LLDP_TWO) || far->n < 2)
		return false;
	neighbor_of(t->fabric, &t->fabric->ports[far->first + other], n);
	return true;
}

static bool is_drawn_first(const struct tool_call *t, const struct lab_port *p)
{
	return ((t->fabric->seed * 0x9e3779b97f4a7c15u) >> 40 ^ p->device ^ p->number) & 1;
}

/* A host whose lldpd is not there, or hears nothing, says nothing either. */
static bool is_silent(const struct lab_device *d)
{
	return wears(d, SKIN_NO_LLDPCLI) || wears(d, SKIN_LLDP_EATEN) || wears(d, SKIN_LLDPD_DOWN);
}

/* How many it prints. */
static unsigned print_neighbors(const struct tool_call *t, const struct lab_port *p, enum lldp_form form, bool is_first,
				struct buf *out)
{
	const struct lab_port *far = port_peer(t->fabric, p);
	struct neighbor now, before;
	bool has_before, is_before_first;

	if (is_silent(port_device(t->fabric, far)))
		return 0;
	neighbor_of(t->fabric, far, &now);
	has_before = neighbor_before(t, p, &before);
	is_before_first = has_before && is_drawn_first(t, p);
	if (is_before_first)
		print_neighbor(t, p, &before, true, form, is_first, out);
	print_neighbor(t, p, &now, false, form, is_first && !is_before_first, out);
	if (has_before && !is_before_first)
		print_neighbor(t, p, &before, true, form, false, out);
	return 1 + has_before;
}

static enum lldp_form form_of(const struct tool_call *t)
{
	return has_word(t, "json0") ? LLDP_JSON0 : has_word(t, "json") ? LLDP_JSON : has_word(t, "keyvalue") ? LLDP_KEYS : LLDP_TEXT;
}

/* What stands around the neighbors: of none, of one, of several. */
static void print_frame(enum lldp_form form, struct span neighbors, unsigned n, struct buf *out)
{
	if (form == LLDP_TEXT)
		buf_str(out, LLDPCTL_HEAD);
	else if (form == LLDP_JSON0)
		buf_str(out, n ? "{\"lldp\":[{\"interface\":[" : "{\"lldp\":[{}]}\n");
	else if (form == LLDP_JSON)
		buf_str(out, n > 1 ? "{\"lldp\":{\"interface\":[" : n ? "{\"lldp\":{\"interface\":" : "{\"lldp\":{}}\n");
	buf_add(out, neighbors.p, neighbors.n);
	if (form == LLDP_JSON0 && n)
		buf_str(out, "]}]}\n");
	else if (form == LLDP_JSON && n)
		buf_str(out, n > 1 ? "]}}\n" : "}}\n");
}

int tool_lldpcli(struct tool_call *t)
{
	enum lldp_form form = form_of(t);
	struct buf neighbors = { 0 };
	unsigned n = 0;

	if (wears(t->device, SKIN_LLDPD_DOWN)) {
		buf_str(t->errors, "2026-11-22T03:43:15 [WARN/control] unable to connect to socket /run/lldpd.socket: No such file or directory\n");
		return 1;
	}
	if (!has_word(t, "neighbors") && !is_word(t->argv[0], "lldpctl")) {
		buf_str(t->errors, "[WARN/lldpctl] unknown command from argument 1: ``''\n");
		return 1;
	}
	for (unsigned i = 0; !wears(t->device, SKIN_LLDP_EATEN) && i < t->device->n; i++)
		if (port_is_up(t->fabric, port_at(t, i)))
			n += print_neighbors(t, port_at(t, i), form, n == 0, &neighbors);
	print_frame(form, buf_span(&neighbors), n, t->out);
	buf_done(&neighbors);
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
			   netdev_of(p), p->is_member ? BOND_IFINDEX : p->number + 2);
	else
		buf_printf(t->out, "link %s/1 state %s physical_state %s netdev %s \n", p->rdma, state, physical, netdev_of(p));
}

static void print_rdma_vfs(const struct tool_call *t, const struct lab_port *p, bool is_json)
{
	for (unsigned vf = 0; vf < vf_seen(t->device, p); vf++) {
		char netdev[48], rdma[48];

		vf_names(t->device, p, vf, netdev, rdma);
		if (is_json)
			buf_printf(t->out, ",{\"ifindex\":%u,\"ifname\":\"%s\",\"port\":1,\"state\":\"ACTIVE\","
				   "\"physical_state\":\"LINK_UP\",\"netdev\":\"%s\"}", 100 + vf, rdma, netdev);
		else
			buf_printf(t->out, "link %s/1 state ACTIVE physical_state LINK_UP netdev %s \n", rdma, netdev);
	}
}

static int rdma_statistic(struct tool_call *t, bool is_json)
{
	bool is_first = true;

	buf_str(t->out, is_json ? "[" : "");
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (!is_rdma_row(p, i))
			continue;
		buf_printf(t->out, is_json ? "%s{\"ifname\":\"%s\",\"port\":1" : "%.0slink %s/1 ", is_first ? "" : ",", p->rdma);
		files_print_rdma_counters(t->fabric, p, is_json ? ",\"%.*s\":%llu" : "%.*s %llu ", t->out);
		buf_str(t->out, is_json ? "}" : "\n");
		is_first = false;
	}
	buf_str(t->out, is_json ? "]\n" : "");
	return 0;
}

int tool_rdma(struct tool_call *t)
{
	bool is_json = has_word(t, "-j") || has_word(t, "-jp"), is_first = true;

	if (has_word(t, "system") || has_word(t, "sys")) {
		buf_str(t->out, "netns shared copy-on-fork on\n");
		return 0;
	}
	if (has_word(t, "statistic") || has_word(t, "stat"))
		return rdma_statistic(t, is_json);
	if (has_word(t, "resource") || has_word(t, "res"))
		return rdma_resource(t, is_json);
	if (!has_word(t, "link")) {
		buf_str(t->errors, "Object \"\" is unknown, try \"rdma help\".\n");
		return 1;
	}
	if (is_json)
		buf_str(t->out, "[");
	for (unsigned i = 0; i < t->device->n; i++)
		if (is_rdma_row(port_at(t, i), i)) {
			print_rdma_link(t, i, is_json, is_first);
			print_rdma_vfs(t, port_at(t, i), is_json);
			is_first = false;
		}
	if (is_json)
		buf_str(t->out, "]\n");
	return 0;
}

/* The EUI-64 of its MAC: what the driver has without any address. */
static void link_local(const struct lab_port *p, const char *form, char *out, size_t size)
{
	unsigned m[6] = { 0 };

	sscanf(p->mac, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]);
	snprintf(out, size, form, ((m[0] ^ 2) & 255) << 8 | (m[1] & 255), (m[2] & 255) << 8 | 255, 0xfe00 | (m[3] & 255),
		 (m[4] & 255) << 8 | (m[5] & 255));
}

/* The forms of captures/node/show_gids: the link-local entries first, then those of the address. */
int tool_show_gids(struct tool_call *t)
{
	unsigned found = 0;
	char local[48];

	buf_str(t->out, "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n"
			"---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n");
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		unsigned n = !is_rdma_row(p, i) || p->harm.is_soft ? 0 : p->harm.has_no_address ? 2 : 4;

		link_local(p, "fe80:0000:0000:0000:%04x:%04x:%04x:%04x", local, sizeof(local));
		for (unsigned k = 0; k < n; k++, found++) {
			buf_printf(t->out, "%s\t1\t%u\t", p->rdma, k);
			if (k < 2)
				buf_printf(t->out, "%s\t\t", local);
			else
				buf_printf(t->out, "0000:0000:0000:0000:0000:ffff:%04x:%04x\t%u.%u.%u.%u  ", p->ip >> 16, p->ip & 0xffff,
					   p->ip >> 24, p->ip >> 16 & 255, p->ip >> 8 & 255, p->ip & 255);
			buf_printf(t->out, "\tv%u\t%s\n", k % 2 + 1, netdev_of(p));
		}
	}
	buf_printf(t->out, "n_gids_found=%u\n", found);
	return 0;
}

/* What -v adds of the device; the names and their order are those of ibv_devinfo of rdma-core. */
static void print_device_details(struct buf *out)
{
	buf_str(out, "\tmax_mr_size:\t\t\t0xffffffffffffffff\n\tpage_size_cap:\t\t\t0xfffffffffffff000\n"
		     "\tmax_qp:\t\t\t\t131072\n\tmax_qp_wr:\t\t\t32768\n\tdevice_cap_flags:\t\t0x21361c36\n\tmax_sge:\t\t\t30\n"
		     "\tmax_cq:\t\t\t\t16777216\n\tmax_mr:\t\t\t\t16777216\n\tmax_pd:\t\t\t\t8388608\n"
		     "\tatomic_cap:\t\t\tATOMIC_HCA (1)\n");
}

static void print_port_details(const struct lab_port *p, bool is_up, struct buf *out)
{
	char local[64], short_local[64];

	link_local(p, "fe80:0000:0000:0000:%04x:%04x:%04x:%04x", local, sizeof(local));
	link_local(p, "fe80::%x:%x:%x:%x", short_local, sizeof(short_local));
	buf_printf(out, "\t\t\tmax_msg_sz:\t\t0x40000000\n\t\t\tport_cap_flags:\t\t0x04010000\n\t\t\tmax_vl_num:\t\tinvalid value (0)\n"
		   "\t\t\tgid_tbl_len:\t\t256\n\t\t\tactive_width:\t\t4X (2)\n\t\t\tactive_speed:\t\t%s\n\t\t\tphys_state:\t\t%s\n"
		   "\t\t\tGID[  0]:\t\t%s, RoCE v1\n\t\t\tGID[  1]:\t\t%s, RoCE v2\n",
		   p->speed_bps >= 200000000000 ? "50.0 Gbps (64)" : "25.0 Gbps (32)", is_up ? "LINK_UP (5)" : "DISABLED (3)", local, short_local);
	if (!p->harm.has_no_address)
		buf_printf(out, "\t\t\tGID[  2]:\t\t0000:0000:0000:0000:0000:ffff:%04x:%04x, RoCE v1\n"
			   "\t\t\tGID[  3]:\t\t::ffff:%u.%u.%u.%u, RoCE v2\n",
			   p->ip >> 16, p->ip & 0xffff, p->ip >> 24, p->ip >> 16 & 255, p->ip >> 8 & 255, p->ip & 255);
}

static void print_devinfo(const struct tool_call *t, const struct lab_port *p, bool is_verbose, struct buf *out)
{
	const struct breed *breed = breed_of(t->device);
	unsigned code, size = rdma_mtu(p->is_member ? t->device->bond_mtu : p->nic.mtu, &code), vendor = 0, part = 0;
	bool is_up = port_is_up(t->fabric, p);

	sscanf(breed->vendor, "%x", &vendor);
	sscanf(breed->device, "%x", &part);
	buf_printf(out,
		   "hca_id:\t%s\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t%s\n"
		   "\tnode_guid:\t\t\t0c42:a103:0000:%02x%02x\n\tsys_image_guid:\t\t\t0c42:a103:0000:%02x00\n"
		   "\tvendor_id:\t\t\t0x%04x\n\tvendor_part_id:\t\t\t%u\n\thw_ver:\t\t\t\t0x0\n",
		   p->rdma, firmware_of(t->device, p), p->device & 255, p->number, p->device & 255, vendor == 0x15b3 ? 0x02c9 : vendor,
		   part);
	if (*breed->board)
		buf_printf(out, "\tboard_id:\t\t\t%s\n", breed->board);
	buf_str(out, "\tphys_port_cnt:\t\t\t1\n");
	if (is_verbose)
		print_device_details(out);
	buf_printf(out,
		   "\t\tport:\t1\n\t\t\tstate:\t\t\t%s\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t%u (%u)\n"
		   "\t\t\tsm_lid:\t\t\t0\n\t\t\tport_lid:\t\t0\n\t\t\tport_lmc:\t\t0x00\n"
		   "\t\t\tlink_layer:\t\tEthernet\n", is_up ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)", size, code);
	if (is_verbose)
		print_port_details(p, is_up, out);
	buf_str(out, "\n");
}

int tool_ibv_devinfo(struct tool_call *t)
{
	const char *wanted = NULL;
	bool is_any = false;

	for (int i = 1; i + 1 < t->argc; i++)
		if (is_word(t->argv[i], "-d"))
			wanted = t->argv[i + 1];
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (!is_rdma_row(p, i) || p->harm.is_soft || (wanted && !is_word(wanted, p->rdma)))
			continue;
		is_any = true;
		print_devinfo(t, p, has_word(t, "-v"), t->out);
	}
	if (is_any)
		return 0;
	if (wanted)
		buf_printf(t->errors, "IB device '%s' wasn't found\n", wanted);
	else
		buf_str(t->errors, "No IB devices found\n");
	return 255;
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
