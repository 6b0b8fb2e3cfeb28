#include "remote/lab/linux/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/lab/linux/files.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/skins.h"

#define VFS_TIDY	8
#define VFS_MANY	300	/* of all ports together */
#define REPRESENTORS	4	/* of a port */

/* -- parts of sysfs -- */

/* home: below /sys/devices. NULL for a name: without it. */
static void put_interface(const struct lab_device *d, const char *dir, const char *home, const char *name, const char *mac, bool is_up)
{
	const struct {
		const char *file, *text;
	} files[] = {
		{ "mtu", "1500\n" }, { "type", "1\n" }, { "operstate", is_up ? "up\n" : "down\n" }, { "carrier", is_up ? "1\n" : "0\n" },
		{ "carrier_changes", "1\n" }, { "speed", is_up ? "25000\n" : "-1\n" }, { "statistics/rx_bytes", "71544\n" },
		{ "statistics/tx_bytes", "2180\n" }, { "statistics/rx_packets", "902\n" }, { "statistics/tx_packets", "31\n" },
	};
	char path[160], target[160], text[32];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		view_putf(d, dir, files[i].text, "sys/devices/%s/net/%s/%s", home, name, files[i].file);
	snprintf(text, sizeof(text), "%s\n", mac);
	view_putf(d, dir, text, "sys/devices/%s/net/%s/address", home, name);
	snprintf(path, sizeof(path), "sys/class/net/%s", name);
	snprintf(target, sizeof(target), "../../devices/%s/net/%s", home, name);
	view_link(dir, d, path, target);
}

/* Its interface stands beside it, in a PCI function: the link leads there. */
static void put_device_link(const struct lab_device *d, const char *dir, const char *home, const char *kind, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "sys/devices/%s/%s/%s/device", home, kind, name);
	view_link(dir, d, path, "../..");
}

struct rdma {
	const char *name, *node_type, *layer, *state;
	const char *gid, *gid_type, *ndev;	/* of entry 0; NULL: none */
	const char *counters;			/* names in hw_counters */
};

static void put_rdma_files(const struct lab_device *d, const char *dir, const char *home, const struct rdma *r)
{
	struct span rest = span_of(r->counters), word;
	char base[128], text[64];

	snprintf(base, sizeof(base), "sys/devices/%s/infiniband/%s", home, r->name);
	view_putf(d, dir, r->node_type, "%s/node_type", base);
	view_putf(d, dir, r->state, "%s/ports/1/state", base);
	view_putf(d, dir, *r->state == '4' ? "5: LinkUp\n" : "3: Disabled\n", "%s/ports/1/phys_state", base);
	view_putf(d, dir, r->layer, "%s/ports/1/link_layer", base);
	view_putf(d, dir, "0\n", "%s/ports/1/counters/port_rcv_data", base);
	view_putf(d, dir, "0\n", "%s/ports/1/counters/port_xmit_data", base);
	while (span_word(&rest, &word))
		view_putf(d, dir, "0\n", "%s/ports/1/hw_counters/%.*s", base, (int)word.n, word.p);
	if (r->gid)
		view_putf(d, dir, r->gid, "%s/ports/1/gids/0", base);
	if (r->gid_type)
		view_putf(d, dir, r->gid_type, "%s/ports/1/gid_attrs/types/0", base);
	snprintf(text, sizeof(text), "%s\n", r->ndev ? r->ndev : "");
	if (r->ndev)
		view_putf(d, dir, text, "%s/ports/1/gid_attrs/ndevs/0", base);
}

static void put_rdma(const struct lab_device *d, const char *dir, const char *home, const struct rdma *r)
{
	char path[128], target[160];

	put_rdma_files(d, dir, home, r);
	snprintf(path, sizeof(path), "sys/class/infiniband/%s", r->name);
	snprintf(target, sizeof(target), "../../devices/%s/infiniband/%s", home, r->name);
	view_link(dir, d, path, target);
}

/* -- virtual functions -- */

unsigned vf_number(const struct lab_device *d, const struct lab_port *p)
{
	if (p->harm.has_no_vf)
		return 0;
	return wears(d, SKIN_VFS_300) && !p->is_member ? VFS_MANY / d->n : VFS_TIDY;
}

unsigned vf_seen(const struct lab_device *d, const struct lab_port *p)
{
	return wears(d, SKIN_VFS_300) && !p->is_member ? vf_number(d, p) : 0;
}

void vf_names(const struct lab_device *d, const struct lab_port *p, unsigned vf, char netdev[48], char rdma[48])
{
	snprintf(netdev, 48, "%sv%u", p->name, vf);
	snprintf(rdma, 48, "mlx5_%u", d->n + (p->number - 1) * (VFS_MANY / d->n) + vf);
}

/* What all VFs show alike, made once: each has a link to it. Hundreds of them are to be there within a second or two. */
static const char model[] = "virtual/vf/infiniband/port";

static void put_model(const struct lab_device *d, const char *dir)
{
	static const struct rdma r = {
		.name = "port", .node_type = "1: CA\n", .layer = "Ethernet\n", .state = "4: ACTIVE\n",
		.gid = "fe80:0000:0000:0000:0000:0000:0000:0000\n", .gid_type = "IB/RoCE v1\n",
		.counters = "out_of_sequence packet_seq_err local_ack_timeout_err out_of_buffer rnr_nak_retry_err duplicate_request",
	};

	put_rdma_files(d, dir, "virtual/vf", &r);
}

static void put_vf_links(const struct lab_device *d, const struct lab_port *p, unsigned vf, const char *dir, const char *pci)
{
	char pf[16], path[128], target[128], netdev[48], rdma[48];

	port_pci(p, pf);
	vf_names(d, p, vf, netdev, rdma);
	snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/physfn", pci);
	snprintf(target, sizeof(target), "../%s", pf);
	view_link(dir, d, path, target);
	snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/virtfn%u", pf, vf);
	snprintf(target, sizeof(target), "../%s", pci);
	view_link(dir, d, path, target);
	snprintf(path, sizeof(path), "sys/class/net/%s", netdev);
	snprintf(target, sizeof(target), "../../devices/pci0000:00/%s/net/%s", pci, netdev);
	view_link(dir, d, path, target);
	snprintf(path, sizeof(path), "sys/class/infiniband/%s", rdma);
	snprintf(target, sizeof(target), "../../devices/pci0000:00/%s/infiniband/%s", pci, rdma);
	view_link(dir, d, path, target);
}

static void put_vf(const struct lab_device *d, const struct lab_port *p, unsigned vf, const char *dir)
{
	char pf[16], pci[24], home[64], path[128], target[64], netdev[48], rdma[48], mac[24];

	port_pci(p, pf);
	vf_names(d, p, vf, netdev, rdma);
	/* The functions after the PF's own, on its bus and the next ones. */
	snprintf(pci, sizeof(pci), "%.5s%02x:%02x.%u", pf, 0x1a + (p->number - 1) * 8 + (vf + 2) / 256, (vf + 2) / 8 % 32, (vf + 2) % 8);
	snprintf(home, sizeof(home), "pci0000:00/%s", pci);
	snprintf(mac, sizeof(mac), "4a:%02x:%02x:%02x:00:%02x\n", p->device & 255, p->number & 255, vf >> 8 & 255, vf & 255);
	view_putf(d, dir, mac, "sys/devices/%s/net/%s/address", home, netdev);
	view_putf(d, dir, "1500\n", "sys/devices/%s/net/%s/mtu", home, netdev);
	view_putf(d, dir, "up\n", "sys/devices/%s/net/%s/operstate", home, netdev);
	view_putf(d, dir, "DRIVER=mlx5_core\n", "sys/devices/%s/uevent", home);
	put_device_link(d, dir, home, "net", netdev);
	put_device_link(d, dir, home, "infiniband", rdma);
	snprintf(path, sizeof(path), "sys/devices/%s/infiniband/%s/ports", home, rdma);
	snprintf(target, sizeof(target), "../../../../%s/ports", model);
	view_link(dir, d, path, target);
	put_vf_links(d, p, vf, dir, pci);
}

static void remove_vf(const struct lab_device *d, const struct lab_port *p, unsigned vf, const char *dir)
{
	char pci[16], path[128], netdev[48], rdma[48];

	port_pci(p, pci);
	vf_names(d, p, vf, netdev, rdma);
	snprintf(path, sizeof(path), "sys/class/net/%s", netdev);
	view_remove(dir, d, path);
	snprintf(path, sizeof(path), "sys/class/infiniband/%s", rdma);
	view_remove(dir, d, path);
	snprintf(path, sizeof(path), "sys/devices/pci0000:00/%s/virtfn%u", pci, vf);
	view_remove(dir, d, path);
}

void functions_put_vfs(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	char *first = xasprintf("%s/nodes/%s/sys/class/net/%sv0", dir, d->name, p->name);
	bool are_there = access(first, F_OK) == 0, are_wanted = vf_seen(d, p) > 0;

	free(first);
	if (are_there == are_wanted)
		return;
	put_model(d, dir);
	for (unsigned vf = 0; vf < VFS_MANY / d->n; vf++)
		if (are_wanted)
			put_vf(d, p, vf, dir);
		else
			remove_vf(d, p, vf, dir);
}

void functions_dump(const struct fabric *f, const struct lab_device *d, struct buf *out)
{
	if (d->has_bond)
		buf_printf(out, "%s bond0 rdma = \"%s\"\n%s bond0 mtu = %u\n", d->name, f->ports[d->first].rdma, d->name, d->bond_mtu);
	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i];

		for (unsigned vf = 0; vf < vf_seen(d, p); vf++) {
			char netdev[48], rdma[48];

			vf_names(d, p, vf, netdev, rdma);
			buf_printf(out, "%s %s rdma = \"%s\"\n", d->name, netdev, rdma);
		}
	}
}

/* -- the others -- */

/* In switchdev mode: each has the PF's function for its device, and is no function of its own. */
static void put_representors(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	char pci[16], home[64];

	port_pci(p, pci);
	snprintf(home, sizeof(home), "pci0000:00/%s", pci);
	for (unsigned i = 0; i < REPRESENTORS; i++) {
		char name[48], text[32];

		snprintf(name, sizeof(name), "%s_%u", p->name, i);
		snprintf(text, sizeof(text), "4e:00:00:00:%02x:%02x", p->number, i);
		put_interface(d, dir, home, name, text, true);
		put_device_link(d, dir, home, "net", name);
		snprintf(text, sizeof(text), "pf%uvf%u\n", (p->number - 1) % 2, i);
		view_putf(d, dir, text, "sys/devices/%s/net/%s/phys_port_name", home, name);
		view_putf(d, dir, "fa67c3ffffc94094\n", "sys/devices/%s/net/%s/phys_switch_id", home, name);
	}
	view_putf(d, dir, "fa67c3ffffc94094\n", "sys/devices/%s/net/%s/phys_switch_id", home, p->name);
}

/* A second card, for InfiniBand. */
static void put_infiniband(const struct lab_device *d, const char *dir)
{
	static const char home[] = "pci0000:00/0000:5e:00.0";
	static const struct rdma r = {
		.name = "ibp94s0", .node_type = "1: CA\n", .layer = "InfiniBand\n", .state = "4: ACTIVE\n",
		.gid = "fe80:0000:0000:0000:0c42:a103:0033:3333\n", .counters = "out_of_sequence packet_seq_err local_ack_timeout_err",
	};

	put_rdma(d, dir, home, &r);
	put_device_link(d, dir, home, "infiniband", r.name);
	view_putf(d, dir, "DRIVER=mlx5_core\nPCI_ID=15B3:1021\n", "sys/devices/%s/uevent", home);
}

/* The other port of a ConnectX-3's RDMA device: captures/node/sysfs-infiniband/mlx4_0-two-ports.txt. */
static void put_second_port(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	static const char *const files[][2] = {
		{ "state", "4: ACTIVE\n" }, { "phys_state", "5: LinkUp\n" }, { "rate", "40 Gb/sec (4X QDR)\n" },
		{ "link_layer", "InfiniBand\n" }, { "gids/0", "fe80:0000:0000:0000:0c42:a103:0044:4402\n" },
		{ "counters/port_rcv_data", "4631917\n" }, { "counters/port_xmit_data", "3733440\n" },
		{ "counters/port_rcv_packets", "61148\n" }, { "counters/port_xmit_packets", "61239\n" },
		{ "counters/port_xmit_wait", "4294967295\n" }, { "counters/link_downed", "0\n" },
	};
	char pci[16];

	port_pci(p, pci);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		view_putf(d, dir, files[i][1], "sys/devices/pci0000:00/%s/infiniband/%s/ports/2/%s", pci, p->rdma, files[i][0]);
}

/* A VLAN of the first port: an interface without a device, with two entries of the port's GID table. */
static void put_vlan(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct lab_port *p = &f->ports[d->first];
	char name[48], base[128], text[64], pci[16];

	port_pci(p, pci);
	snprintf(name, sizeof(name), "%s.100", p->name);
	put_interface(d, dir, "virtual", name, p->mac, true);
	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s/infiniband/%s/ports/1", pci, p->rdma);
	snprintf(text, sizeof(text), "0000:0000:0000:0000:0000:ffff:%04x:%04x\n", (p->ip >> 16) + 100, p->ip & 0xffff);
	for (unsigned i = FIRST_VLAN_GID; i < FIRST_VLAN_GID + 2; i++) {
		view_putf(d, dir, text, "%s/gids/%u", base, i);
		view_putf(d, dir, i % 2 ? "RoCE v2\n" : "IB/RoCE v1\n", "%s/gid_attrs/types/%u", base, i);
		view_putf(d, dir, name, "%s/gid_attrs/ndevs/%u", base, i);
	}
}

/* The management port, which software makes an RDMA device of. */
static void put_management(const struct lab_device *d, const char *dir)
{
	static const char home[] = "pci0000:00/0000:02:00.0";

	put_interface(d, dir, home, "eth0", "b4:96:91:00:00:01", true);
	put_device_link(d, dir, home, "net", "eth0");
	view_putf(d, dir, "DRIVER=igb\nPCI_ID=8086:1521\n", "sys/devices/%s/uevent", home);
}

static void put_soft(const struct lab_device *d, const char *dir)
{
	static const struct rdma rxe = {
		.name = "rxe_eth0", .node_type = "1: CA\n", .layer = "Ethernet\n", .state = "4: ACTIVE\n", .ndev = "eth0",
		.gid = "fe80:0000:0000:0000:b696:91ff:fe00:0001\n", .gid_type = "RoCE v2\n",
		.counters = "duplicate_request out_of_seq_request rcvd_rnr_err rcvd_seq_err sent_pkts rcvd_pkts",
	};
	static const struct rdma siw = {
		.name = "siw_eth0", .node_type = "4: RNIC\n", .layer = "Ethernet\n", .state = "4: ACTIVE\n",
		.gid = "b496:9100:0001:0000:0000:0000:0000:0000\n", .counters = "",
	};

	if (wears(d, SKIN_RXE_BESIDE)) {
		put_rdma(d, dir, "virtual", &rxe);
		view_putf(d, dir, "eth0\n", "sys/devices/virtual/infiniband/%s/parent", rxe.name);
	}
	if (wears(d, SKIN_SIW_BESIDE))
		put_rdma(d, dir, "virtual", &siw);
}

void functions_put(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	for (unsigned i = 0; wears(d, SKIN_REPRESENTORS) && i < d->n; i++)
		put_representors(d, &f->ports[d->first + i], dir);
	for (unsigned i = 0; wears(d, SKIN_BREED_MLX4) && i < d->n; i++)
		if (!f->ports[d->first + i].is_member)
			put_second_port(d, &f->ports[d->first + i], dir);
	if (wears(d, SKIN_RDMA_WITHOUT_NETDEV))
		put_infiniband(d, dir);
	if (wears(d, SKIN_NETDEV_WITHOUT_DEVICE))
		put_vlan(f, d, dir);
	if (wears(d, SKIN_RXE_BESIDE) || wears(d, SKIN_SIW_BESIDE))
		put_management(d, dir);
	put_soft(d, dir);
}
