#include "remote/lab/linux/bond.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/linux/files.h"
#include "remote/lab/server/view.h"

#define HOME	"sys/devices/virtual/net/bond0"

static const struct lab_port *member(const struct fabric *f, const struct lab_device *d, unsigned i)
{
	return &f->ports[d->first + i];
}

bool bond_is_up(const struct fabric *f, const struct lab_device *d)
{
	return port_is_up(f, member(f, d, 0)) || port_is_up(f, member(f, d, 1));
}

void bond_set_mtu(struct fabric *f, struct lab_device *d, uint32_t mtu)
{
	if (mtu == d->bond_mtu)
		return;
	d->bond_mtu = mtu;
	for (unsigned i = 0; i < 2; i++)
		f->ports[d->first + i].nic.mtu = mtu;
}

void bond_put(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct lab_port *a = member(f, d, 0), *b = member(f, d, 1);
	char text[64];

	for (unsigned i = 0; i < 2; i++) {
		const struct lab_port *p = member(f, d, i);
		char name[64], target[80], pci[16];

		port_pci(p, pci);
		snprintf(name, sizeof(name), HOME "/lower_%s", p->name);
		snprintf(target, sizeof(target), "../../../pci0000:00/%s/net/%s", pci, p->name);
		view_link(dir, d, name, target);
	}
	snprintf(text, sizeof(text), "%s %s\n", a->name, b->name);
	view_put(dir, d, HOME "/bonding/slaves", text);
	view_put(dir, d, HOME "/bonding/mode", "802.3ad 4\n");
	view_put(dir, d, HOME "/bonding/xmit_hash_policy", "layer3+4 1\n");
	view_put(dir, d, HOME "/bonding/miimon", "100\n");
	view_put(dir, d, HOME "/type", "1\n");
	snprintf(text, sizeof(text), "%u\n", BOND_IFINDEX);
	view_put(dir, d, HOME "/ifindex", text);
	snprintf(text, sizeof(text), "%s\n", a->mac);
	view_put(dir, d, HOME "/address", text);
	view_put(dir, d, "sys/class/net/bonding_masters", "bond0\n");
	view_link(dir, d, "sys/class/net/bond0", "../../devices/virtual/net/bond0");
}

/* -- what moves -- */

#define PARTNER	"90:b1:1d:00:00:fe"

/* What root sees of LACP: captures/node/proc-net-bonding/lacp-fast-200g-sles.txt. */
static void put_lacp(const struct fabric *f, const struct lab_device *d, unsigned i, struct buf *text)
{
	buf_printf(text, "Actor Churn State: none\nPartner Churn State: none\nActor Churned Count: 0\nPartner Churned Count: 0\n"
		   "details actor lacp pdu:\n    system priority: 65535\n    system mac address: %s\n    port key: 29\n"
		   "    port priority: 255\n    port number: %u\n    port state: 63\n"
		   "details partner lacp pdu:\n    system priority: 32768\n    system mac address: " PARTNER "\n    oper key: 2\n"
		   "    port priority: 255\n    port number: %u\n    port state: 63\n", member(f, d, 0)->mac, i + 1, i + 3);
}

static void put_proc(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	struct buf text = { NULL };

	buf_printf(&text, "Ethernet Channel Bonding Driver: v%s\n\n"
		   "Bonding Mode: IEEE 802.3ad Dynamic link aggregation\n"
		   "Transmit Hash Policy: layer3+4 (1)\nMII Status: %s\nMII Polling Interval (ms): 100\n"
		   "Up Delay (ms): 0\nDown Delay (ms): 0\nPeer Notification Delay (ms): 0\n\n802.3ad info\nLACP active: on\n"
		   "LACP rate: fast\nMin links: 0\nAggregator selection policy (ad_select): stable\nSystem priority: 65535\n"
		   "System MAC address: %s\nActive Aggregator Info:\n\tAggregator ID: 1\n\tNumber of ports: 2\n\tActor Key: 29\n"
		   "\tPartner Key: 2\n\tPartner Mac Address: " PARTNER "\n",
		   d->system->kernel, bond_is_up(f, d) ? "up" : "down", member(f, d, 0)->mac);
	for (unsigned i = 0; i < 2; i++) {
		const struct lab_port *p = member(f, d, i);
		struct sim_counters c;

		fabric_counters(f, p, &c);
		buf_printf(&text, "\nSlave Interface: %s\n", p->name);
		if (port_is_up(f, p))
			buf_printf(&text, "MII Status: up\nSpeed: %llu Mbps\nDuplex: full\n",
				   (unsigned long long)p->speed_bps / 1000000);
		else
			buf_str(&text, "MII Status: down\nSpeed: Unknown\nDuplex: Unknown\n");
		buf_printf(&text, "Link Failure Count: %llu\nPermanent HW addr: %s\nSlave queue ID: 0\nAggregator ID: 1\n",
			   (unsigned long long)c.link_downs, p->mac);
		put_lacp(f, d, i, &text);
	}
	view_put(dir, d, "proc/net/bonding/bond0", text.text);
	buf_done(&text);
}

static uint64_t read_number(const struct lab_device *d, const char *dir, const char *port, const char *name)
{
	char *path = xasprintf("%s/nodes/%s/sys/class/net/%s/statistics/%s", dir, d->name, port, name);
	FILE *file = fopen(path, "re");
	unsigned long long n = 0;

	if (file && fscanf(file, "%llu", &n) != 1)
		n = 0;
	if (file)
		fclose(file);
	free(path);
	return n;
}

void bond_put_counters(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	static const char *const names[] = {
		"rx_bytes", "tx_bytes", "rx_packets", "tx_packets", "rx_errors", "tx_errors", "rx_dropped", "tx_dropped", "multicast",
	};
	uint64_t mbps = 0;
	char text[32];

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		uint64_t n = 0;

		for (unsigned i = 0; i < 2; i++)
			n += read_number(d, dir, member(f, d, i)->name, names[k]);
		snprintf(text, sizeof(text), "%llu\n", (unsigned long long)n);
		view_putf(d, dir, text, HOME "/statistics/%s", names[k]);
	}
	for (unsigned i = 0; i < 2; i++)
		mbps += port_is_up(f, member(f, d, i)) ? member(f, d, i)->speed_bps / 1000000 : 0;
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)mbps);
	view_put(dir, d, HOME "/speed", mbps ? text : "-1\n");
	view_put(dir, d, HOME "/operstate", mbps ? "up\n" : "down\n");
	view_put(dir, d, HOME "/carrier", mbps ? "1\n" : "0\n");
	for (unsigned i = 0; i < 2; i++)
		view_putf(d, dir, port_is_up(f, member(f, d, i)) ? "up\n" : "down\n",
			  "sys/class/net/%s/bonding_slave/mii_status", member(f, d, i)->name);
	put_proc(f, d, dir);
}
