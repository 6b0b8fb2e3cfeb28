/* SONiC's "show pfc" and "show pfcwd". */
#include <stdio.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/keys.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/sonic/tools.h"
#include "remote/lab/world/skins.h"

/* Links inside the box: one that is counted, one that is not. */
static void add_backplane(struct grid *g)
{
	grid_add(g, "Ethernet-BP0");
	for (unsigned k = 0; k < SIM_PRIOS; k++)
		grid_counter(g, k ? 600 + k : 1600);
	grid_add(g, "Ethernet-BP256");
	for (unsigned k = 0; k < SIM_PRIOS; k++)
		grid_add(g, "N/A");
}

static void pfc_table(struct tool_call *t, const char *header, bool is_rx)
{
	struct grid g;

	grid_init(&g, header, true);
	for (unsigned i = 0; i < t->device->n; i++) {
		struct sim_counters c;

		cache_counters(t, port_at(t, i), CACHE_PFC, &c);
		grid_add(&g, port_at(t, i)->name);
		for (unsigned k = 0; k < SIM_PRIOS; k++)
			grid_counter(&g, is_rx ? c.pfc_rx[k] : c.pfc_tx[k]);
	}
	if (wears(t->device, SKIN_BACKPLANE_PORTS))
		add_backplane(&g);
	grid_print(&g, t->out);
	buf_str(t->out, "\n");
}

/* One table, a blank line after each port's rows: the real one prints it so. */
static void pfc_history(struct tool_call *t)
{
	struct grid g;

	cache_print_time(t, CACHE_PFC, "");
	grid_init(&g, "Port|Priority|RX Pause Transitions|Total RX Pause Time US|Recent RX Pause Time US|"
		      "Recent RX Pause Timestamp", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		struct sim_counters c;

		cache_counters(t, port_at(t, i), CACHE_PFC, &c);
		for (unsigned k = 0; k < SIM_PRIOS; k++) {
			char priority[8];

			snprintf(priority, sizeof(priority), "PFC%u", k);
			grid_add(&g, port_at(t, i)->name);
			grid_add(&g, priority);
			grid_counter(&g, c.pfc_rx_xon[k]);
			grid_counter(&g, c.pfc_rx_us[k]);
			grid_counter(&g, 0);
			grid_add(&g, "N/A");
		}
		for (unsigned k = 0; k < g.columns; k++)
			grid_add(&g, "");
	}
	grid_print(&g, t->out);
}

static void pfc_setting(struct tool_call *t, const char *header, const char *table, const char *field)
{
	struct grid g;

	grid_init(&g, header, false);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		const char *text = confdb_port_member(confdb_of(t->device), table, p->name, field);

		if (!is_asked(t, p) || !text || !*text)
			continue;
		grid_add(&g, p->name);
		grid_add(&g, text);
	}
	grid_print(&g, t->out);
	buf_str(t->out, "\n");
}

int tool_pfc_priority(struct tool_call *t)
{
	pfc_setting(t, "Interface|Lossless priorities", "PORT_QOS_MAP", "pfc_enable");
	return 0;
}

int show_pfc_priority(struct tool_call *t)
{
	if (t->argc < 4 || tool_port(t, t->argv[3]))
		return tool_pfc_priority(t);
	buf_printf(t->out, "Cannot find interface %s\n", t->argv[3]);
	return 0;
}

int show_pfc_asymmetric(struct tool_call *t)
{
	pfc_setting(t, "Interface|Asymmetric", "PORT", "pfc_asym");
	return 0;
}

int show_pfc_counters(struct tool_call *t)
{
	if (has_word(t, "--history")) {
		pfc_history(t);
		return 0;
	}
	cache_print_time(t, CACHE_PFC, "");
	pfc_table(t, "Port Rx|PFC0|PFC1|PFC2|PFC3|PFC4|PFC5|PFC6|PFC7", true);
	pfc_table(t, "Port Tx|PFC0|PFC1|PFC2|PFC3|PFC4|PFC5|PFC6|PFC7", false);
	return 0;
}

/* -- watchdog -- */

int show_pfcwd_config(struct tool_call *t)
{
	static const char *const fields[] = { "action", "detection_time", "restoration_time" };
	const char *interval = confdb_get(confdb_of(t->device), "PFC_WD", "GLOBAL", "POLL_INTERVAL");
	struct grid g;

	if (interval)
		buf_printf(t->out, "Changed polling interval to %sms\n", interval);
	grid_init(&g, sonic_is_latest(t->device) ? "PORT|ACTION|DETECTION TIME|RESTORATION TIME|HISTORY" :
						   "PORT|ACTION|DETECTION TIME|RESTORATION TIME", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const char *name = port_at(t, i)->name;

		if (!json_object_get(json_object_get(confdb_of(t->device), "PFC_WD"), name))
			continue;
		grid_add(&g, name);
		for (size_t k = 0; k < 3; k++) {
			const char *text = confdb_get(confdb_of(t->device), "PFC_WD", name, fields[k]);

			grid_add(&g, text ? text : "N/A");
		}
		if (sonic_is_latest(t->device))
			grid_add(&g, "disable");
	}
	grid_print(&g, t->out);
	return 0;
}

static void add_pair(struct grid *g, uint64_t a, uint64_t b)
{
	char text[64];

	snprintf(text, sizeof(text), "%llu/%llu", (unsigned long long)a, (unsigned long long)b);
	grid_add(g, text);
}

/* Both ways, as a Broadcom switch (Z9332F) counts them; the Mellanox platform does not tell of packets received (pfcactionhandler.cpp). */
int show_pfcwd_stats(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "QUEUE|STATUS|STORM DETECTED/RESTORED|TX OK/DROP|RX OK/DROP|TX LAST OK/DROP|RX LAST OK/DROP", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct sim_counters c;
		char text[64];
		bool is_stormed;

		fabric_counters(t->fabric, p, &c);
		if (!c.storms[3] && !has_word(t, "all"))
			continue;
		is_stormed = c.storms[3] && (c.stormed >> 3 & 1);
		snprintf(text, sizeof(text), "%s:3", p->name);
		grid_add(&g, text);
		grid_add(&g, is_stormed ? "stormed" : "operational");
		add_pair(&g, c.storms[3], c.storms[3] - is_stormed);
		add_pair(&g, c.storm_tx[3], c.storm_drop[3]);
		add_pair(&g, c.storm_rx[3], c.storm_rx_drop[3]);
		add_pair(&g, c.storm_tx[3] - c.storm_tx_before[3], c.storm_drop[3] - c.storm_drop_before[3]);
		add_pair(&g, c.storm_rx[3] - c.storm_rx_before[3], c.storm_rx_drop[3] - c.storm_rx_drop_before[3]);
	}
	grid_print(&g, t->out);
	return 0;
}
