/* What a host says of its neighbours and its RDMA devices: lldpcli, rdma, ibdev2netdev, show_gids. */
#include <stdio.h>

#include "remote/lab/linux/bond.h"
#include "remote/lab/linux/tools.h"
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
			   netdev_of(p), p->is_member ? BOND_IFINDEX : p->number + 2);
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
