/* SONiC's "show interfaces": status, counters, rates. */
#include <stdio.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/world/skins.h"

#define N_BACKPLANE	2	/* links inside the box that are shown */

static const char *port_text(const struct tool_call *t, const struct lab_port *p, const char *field)
{
	const char *text = confdb_get(confdb_of(t->device), "PORT", p->name, field);

	return text ? text : "N/A";
}

/* The port's PortChannel, in room; or what it is without one. */
static const char *vlan_text(const struct tool_call *t, const struct lab_port *p, char room[24])
{
	const struct lab_port *far = port_peer(t->fabric, p);

	if (!wears(t->device, SKIN_PORTCHANNELS))
		return "routed";
	if (!far || port_is_host(t->fabric, far))
		return "trunk";
	snprintf(room, 24, PORTCHANNEL_NAME, p->number);
	return room;
}

static void add_all(struct grid *g, const char *const *texts, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		grid_add(g, texts[i]);
}

static void add_status(struct tool_call *t, const struct lab_port *p, struct grid *g)
{
	char speed[24], room[24];

	snprintf(speed, sizeof(speed), "%lluG", (unsigned long long)p->speed_bps / 1000000000);
	grid_add(g, p->name);
	grid_add(g, port_text(t, p, "lanes"));
	grid_add(g, speed);
	grid_add(g, port_text(t, p, "mtu"));
	grid_add(g, port_text(t, p, "fec"));
	grid_add(g, port_text(t, p, "alias"));
	grid_add(g, vlan_text(t, p, room));
	grid_add(g, port_is_up(t->fabric, p) ? "up" : "down");
	grid_add(g, port_text(t, p, "admin_status"));
	grid_add(g, wears(t->device, SKIN_TYPE_LONG) ? "QSFP-DD Double Density 8X Pluggable Transceiver" : "QSFP28 or later");
	grid_add(g, port_text(t, p, "pfc_asym"));
}

/* A PortChannel of one port each to the switches above. */
static void add_portchannels(struct tool_call *t, struct grid *g)
{
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		char name[24], speed[24];
		const char *oper = port_is_up(t->fabric, p) ? "up" : "down";

		if (strncmp(vlan_text(t, p, name), "Port", 4))
			continue;
		snprintf(speed, sizeof(speed), "%lluG", (unsigned long long)p->speed_bps / 1000000000);
		add_all(g, (const char *const[]){ name, "N/A", speed, port_text(t, p, "mtu"), "N/A", "N/A", "routed", oper, "up", "N/A", "N/A" },
			11);
	}
}

static void add_backplane(struct grid *g)
{
	add_all(g, (const char *const[]){ "Ethernet-BP0", "93,94,95,96", "40G", "9100", "N/A", "Ethernet-BP0", "PortChannel4001", "up", "up",
					  "N/A", "off" }, 11);
	add_all(g, (const char *const[]){ "Ethernet-BP256", "61,62,63,64", "40G", "9100", "N/A", "Ethernet-BP256", "PortChannel4001", "down",
					  "up", "N/A", "off" }, 11);
}

int show_interfaces_status(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "Interface|Lanes|Speed|MTU|FEC|Alias|Vlan|Oper|Admin|Type|Asym PFC", true);
	for (unsigned i = 0; i < t->device->n; i++)
		if (is_asked(t, port_at(t, i)))
			add_status(t, port_at(t, i), &g);
	if (wears(t->device, SKIN_BACKPLANE_PORTS))
		add_backplane(&g);
	add_portchannels(t, &g);
	grid_print(&g, t->out);
	return 0;
}

/* -- counters -- */

/* "653.87 MB/s": ten thousand of a unit is where the next begins; the last is MB. */
static void add_rate(struct grid *g, double bps)
{
	static const char *const units[] = { "B", "KB", "MB" };
	double rate = bps / 8;
	unsigned unit = 0;
	char text[32];

	for (; unit < 2 && rate > 10000; unit++)
		rate /= 1000;
	snprintf(text, sizeof(text), "%.2f %s/s", rate, units[unit]);
	grid_add(g, text);
}

static void add_used(struct grid *g, double bps, uint64_t speed_bps)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f%%", bps * 100 / (double)speed_bps);
	grid_add(g, text);
}

static void add_counters(struct tool_call *t, const struct lab_port *p, struct grid *g)
{
	struct sim_counters c;
	struct port_rates rates;

	cache_counters(t, p, CACHE_PORTS, &c);
	fabric_rates(t->fabric, p, &rates);
	grid_add(g, p->name);
	grid_add(g, port_is_up(t->fabric, p) ? "U" : "D");
	grid_counter(g, sim_all_prios(c.rx_packets));
	add_rate(g, rates.rx_bps);
	add_used(g, rates.rx_bps, p->speed_bps);
	grid_counter(g, c.phy_err);
	grid_counter(g, sim_all_prios(c.rx_drop));
	grid_counter(g, 0);
	grid_counter(g, sim_all_prios(c.tx_packets));
	add_rate(g, rates.tx_bps);
	add_used(g, rates.tx_bps, p->speed_bps);
	grid_counter(g, 0);
	grid_counter(g, sim_all_prios(c.tx_drop));
	grid_counter(g, 0);
}

int show_interfaces_counters(struct tool_call *t)
{
	struct grid g;

	cache_print_time(t, CACHE_PORTS, "");
	grid_init(&g, "IFACE|STATE|RX_OK|RX_BPS|RX_UTIL|RX_ERR|RX_DRP|RX_OVR|TX_OK|TX_BPS|TX_UTIL|TX_ERR|TX_DRP|TX_OVR", true);
	for (unsigned i = 0; i < t->device->n; i++)
		add_counters(t, port_at(t, i), &g);
	for (unsigned i = 0; wears(t->device, SKIN_BACKPLANE_PORTS) && i < N_BACKPLANE; i++)
		add_all(&g, (const char *const[]){ i ? "Ethernet-BP256" : "Ethernet-BP0", i ? "D" : "U", "6,004,117", "13.37 MB/s", "0.27%", "17",
						   "1,000", "N/A", "60,331", "0.00 B/s", "0.00%", "N/A", "N/A", "N/A" }, 14);
	grid_print(&g, t->out);
	return 0;
}

static void add_pps(struct grid *g, double pps)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f/s", pps);
	grid_add(g, text);
}

int show_interfaces_rates(struct tool_call *t)
{
	struct grid g;

	cache_print_time(t, CACHE_PORTS, "");
	grid_init(&g, "IFACE|STATE|RX_OK|RX_BPS|RX_PPS|RX_UTIL|TX_OK|TX_BPS|TX_PPS|TX_UTIL", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct sim_counters c;
		struct port_rates rates;

		cache_counters(t, p, CACHE_PORTS, &c);
		fabric_rates(t->fabric, p, &rates);
		grid_add(&g, p->name);
		grid_add(&g, port_is_up(t->fabric, p) ? "U" : "D");
		grid_counter(&g, sim_all_prios(c.rx_packets));
		add_rate(&g, rates.rx_bps);
		add_pps(&g, rates.rx_pps);
		add_used(&g, rates.rx_bps, p->speed_bps);
		grid_counter(&g, sim_all_prios(c.tx_packets));
		add_rate(&g, rates.tx_bps);
		add_pps(&g, rates.tx_pps);
		add_used(&g, rates.tx_bps, p->speed_bps);
	}
	grid_print(&g, t->out);
	return 0;
}
