/* SONiC's "show": tables as sonic-utilities prints them. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/keys.h"
#include "remote/lab/sonic/tools.h"
#include "remote/lab/world/ages.h"
#include "remote/lab/world/neighbor.h"

static const struct lab_port *port_at(const struct tool_call *t, unsigned i)
{
	return &t->fabric->ports[t->device->first + i];
}

/* Whether the command named this port, or none at all. */
static bool is_asked(const struct tool_call *t, const struct lab_port *p)
{
	bool is_any = false;

	for (int i = 2; i < t->argc; i++) {
		if (!strncmp(t->argv[i], "Ethernet", 8))
			is_any = true;
		if (is_word(t->argv[i], p->name))
			return true;
	}
	return !is_any;
}

static bool has_word(const struct tool_call *t, const char *word)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], word))
			return true;
	return false;
}

/* As uptime(1): "05:21:03 up 3 days,  2:05,  1 user, ...", "up  2:05,", "up 5 min,". The lab's day begins at 05:00:00. */
static void print_uptime(struct tool_call *t)
{
	long long now_s = t->fabric->now_us / 1000000 + 5 * 3600, up_s = device_up_us(t->fabric, t->device) / 1000000, days = up_s / 86400;

	buf_printf(t->out, "Uptime: %02lld:%02lld:%02lld up ", now_s / 3600 % 24, now_s / 60 % 60, now_s % 60);
	if (days)
		buf_printf(t->out, "%lld day%s, ", days, days == 1 ? "" : "s");
	if (up_s / 3600 % 24)
		buf_printf(t->out, "%2lld:%02lld", up_s / 3600 % 24, up_s / 60 % 60);
	else
		buf_printf(t->out, "%lld min", up_s / 60 % 60);
	buf_str(t->out, ",  1 user,  load average: 0.76, 0.65, 0.61\n\n");
}

static void show_version(struct tool_call *t)
{
	const struct sonic_release *release = sonic_release_of(t->device);

	buf_printf(t->out, "\nSONiC Software Version: SONiC.%s-%s\nSONiC OS Version: %s\nDistribution: Debian %s\n"
		   "Kernel: %s\nBuild commit: %s\nBuild date: %s\n"
		   "Built by: sonic@builder\n\nPlatform: x86_64-accton_as7726_32x-r0\nHwSKU: Accton-AS7726-32X\n"
		   "ASIC: broadcom\nASIC Count: 1\nSerial Number: LAB%04u\nModel Number: N/A\nHardware Rev: N/A\n",
		   release->version, release->commit, release->os, release->debian, release->kernel, release->commit, release->date,
		   (unsigned)(t->device - t->fabric->devices));
	print_uptime(t);
}

static const char *port_text(const struct tool_call *t, const struct lab_port *p, const char *field)
{
	const char *text = confdb_get(confdb_of(t->device), "PORT", p->name, field);

	return text ? text : "N/A";
}

static void show_status(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "Interface|Lanes|Speed|MTU|FEC|Alias|Vlan|Oper|Admin|Type|Asym PFC", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		char speed[24];

		if (!is_asked(t, p))
			continue;
		snprintf(speed, sizeof(speed), "%lluG", (unsigned long long)p->speed_bps / 1000000000);
		grid_add(&g, p->name);
		grid_add(&g, port_text(t, p, "lanes"));
		grid_add(&g, speed);
		grid_add(&g, port_text(t, p, "mtu"));
		grid_add(&g, port_text(t, p, "fec"));
		grid_add(&g, port_text(t, p, "alias"));
		grid_add(&g, "routed");
		grid_add(&g, port_is_up(t->fabric, p) ? "up" : "down");
		grid_add(&g, port_text(t, p, "admin_status"));
		grid_add(&g, "QSFP28 or later");
		grid_add(&g, port_text(t, p, "pfc_asym"));
	}
	grid_print(&g, t->out);
}

static uint64_t sum(const uint64_t *of_prios)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < SIM_PRIOS; i++)
		n += of_prios[i];
	return n;
}

/* "653.87 MB/s": ten thousand of a unit is where the next begins. */
static void add_rate(struct grid *g, double bps)
{
	static const char *const units[] = { "B", "KB", "MB", "GB" };
	double rate = bps / 8;
	unsigned unit = 0;
	char text[32];

	for (; unit < 3 && rate > 10000; unit++)
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

static void show_counters(struct tool_call *t)
{
	struct grid g;

	cache_print_time(t, CACHE_PORTS, "");
	grid_init(&g, "IFACE|STATE|RX_OK|RX_BPS|RX_UTIL|RX_ERR|RX_DRP|RX_OVR|TX_OK|TX_BPS|TX_UTIL|TX_ERR|TX_DRP|TX_OVR", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct sim_counters c;
		struct port_rates rates;

		if (!is_asked(t, p))
			continue;
		cache_counters(t, p, CACHE_PORTS, &c);
		fabric_rates(t->fabric, p, &rates);
		grid_add(&g, p->name);
		grid_add(&g, port_is_up(t->fabric, p) ? "U" : "D");
		grid_counter(&g, sum(c.rx_packets));
		add_rate(&g, rates.rx_bps);
		add_used(&g, rates.rx_bps, p->speed_bps);
		grid_counter(&g, c.phy_err);
		grid_counter(&g, sum(c.rx_drop));
		grid_counter(&g, 0);
		grid_counter(&g, sum(c.tx_packets));
		add_rate(&g, rates.tx_bps);
		add_used(&g, rates.tx_bps, p->speed_bps);
		grid_counter(&g, 0);
		grid_counter(&g, sum(c.tx_drop));
		grid_counter(&g, 0);
	}
	grid_print(&g, t->out);
}

static void show_interfaces(struct tool_call *t)
{
	if (has_word(t, "counters"))
		show_counters(t);
	else
		show_status(t);
}

/* -- pfc -- */

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

void tool_pfc_priority(struct tool_call *t)
{
	pfc_setting(t, "Interface|Lossless priorities", "PORT_QOS_MAP", "pfc_enable");
}

static void show_pfc(struct tool_call *t)
{
	if (has_word(t, "priority"))
		tool_pfc_priority(t);
	else if (has_word(t, "asymmetric"))
		pfc_setting(t, "Interface|Asymmetric", "PORT", "pfc_asym");
	else if (has_word(t, "--history"))
		pfc_history(t);
	else {
		cache_print_time(t, CACHE_PFC, "");
		pfc_table(t, "Port Rx|PFC0|PFC1|PFC2|PFC3|PFC4|PFC5|PFC6|PFC7", true);
		pfc_table(t, "Port Tx|PFC0|PFC1|PFC2|PFC3|PFC4|PFC5|PFC6|PFC7", false);
	}
}

/* -- watchdog -- */

static void watchdog_config(struct tool_call *t)
{
	static const char *const fields[] = { "action", "detection_time", "restoration_time" };
	const char *interval = confdb_get(confdb_of(t->device), "PFC_WD", "GLOBAL", "POLL_INTERVAL");
	struct grid g;

	if (interval)
		buf_printf(t->out, "Changed polling interval to %sms\n", interval);
	grid_init(&g, sonic_is_old(t->device) ? "PORT|ACTION|DETECTION TIME|RESTORATION TIME" :
		      "PORT|ACTION|DETECTION TIME|RESTORATION TIME|HISTORY", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const char *name = port_at(t, i)->name;

		if (!json_object_get(json_object_get(confdb_of(t->device), "PFC_WD"), name))
			continue;
		grid_add(&g, name);
		for (size_t k = 0; k < 3; k++) {
			const char *text = confdb_get(confdb_of(t->device), "PFC_WD", name, fields[k]);

			grid_add(&g, text ? text : "N/A");
		}
		if (!sonic_is_old(t->device))
			grid_add(&g, "disable");
	}
	grid_print(&g, t->out);
}

static void watchdog_stats(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "QUEUE|STATUS|STORM DETECTED/RESTORED|TX OK/DROP|RX OK/DROP|TX LAST OK/DROP|RX LAST OK/DROP", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		const struct lab_port *far = port_peer(t->fabric, p);
		struct sim_counters c;
		char text[64];
		bool is_stormed;

		fabric_counters(t->fabric, p, &c);
		if (!c.storms[3] && !has_word(t, "all"))
			continue;
		is_stormed = c.storms[3] && far && far->harm.is_storming;
		snprintf(text, sizeof(text), "%s:3", p->name);
		grid_add(&g, text);
		grid_add(&g, is_stormed ? "stormed" : "operational");
		snprintf(text, sizeof(text), "%llu/%llu", (unsigned long long)c.storms[3],
			 (unsigned long long)c.storms[3] - is_stormed);
		grid_add(&g, text);
		snprintf(text, sizeof(text), "0/%llu", (unsigned long long)c.tx_drop[3]);
		grid_add(&g, text);
		grid_add(&g, "0/0");
		grid_add(&g, text);
		grid_add(&g, "0/0");
	}
	grid_print(&g, t->out);
}

static void show_pfcwd(struct tool_call *t)
{
	if (has_word(t, "stats"))
		watchdog_stats(t);
	else
		watchdog_config(t);
}

/* -- queues -- */

static void queue_counters(struct tool_call *t, bool of_wred)
{
	enum cache_kind kind = of_wred ? CACHE_WRED : CACHE_QUEUES;

	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct sim_counters c;
		struct grid g;

		if (!is_asked(t, p))
			continue;
		cache_counters(t, p, kind, &c);
		if (!cache_print_time(t, kind, p->name) && !of_wred)
			buf_str(t->out, "For namespace :\n");
		grid_init(&g, of_wred ? "Port|TxQ|WredDrp/pkts|WredDrp/bytes|EcnMarked/pkts|EcnMarked/bytes"
				      : "Port|TxQ|Counter/pkts|Counter/bytes|Drop/pkts|Drop/bytes", true);
		for (unsigned k = 0; k < SIM_PRIOS; k++) {
			char queue[8];

			snprintf(queue, sizeof(queue), "UC%u", k);
			grid_add(&g, p->name);
			grid_add(&g, queue);
			grid_counter(&g, of_wred ? c.tx_drop[k] : c.tx_packets[k]);
			grid_counter(&g, of_wred ? c.tx_drop[k] * 4178 : c.tx_bytes[k]);
			grid_counter(&g, of_wred ? c.marked[k] : c.tx_drop[k]);
			grid_counter(&g, of_wred ? c.marked[k] * 4178 : c.tx_drop[k] * 4178);
		}
		for (unsigned k = SIM_PRIOS; k < 2 * SIM_PRIOS; k++) {
			char queue[8];

			snprintf(queue, sizeof(queue), "MC%u", k);
			grid_add(&g, p->name);
			grid_add(&g, queue);
			for (unsigned column = 0; column < 4; column++)
				grid_counter(&g, 0);
		}
		grid_print(&g, t->out);
		buf_str(t->out, "\n");
	}
}

static void watermarks(struct tool_call *t, const char *title, const char *header, bool of_queues)
{
	struct grid g;

	buf_printf(t->out, "%s\n", title);
	grid_init(&g, header, true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct sim_counters *c = sim_counters(t->fabric->sim, port_at(t, i)->sim);

		grid_add(&g, port_at(t, i)->name);
		for (unsigned k = 0; k < SIM_PRIOS; k++)
			grid_number(&g, of_queues ? c->queue_peak[k] : c->pg_peak[k]);
	}
	grid_print(&g, t->out);
}

static void show_queue(struct tool_call *t)
{
	if (has_word(t, "watermark"))
		watermarks(t, "Egress shared pool occupancy per unicast queue:", "Port|UC0|UC1|UC2|UC3|UC4|UC5|UC6|UC7", true);
	else
		queue_counters(t, has_word(t, "wredcounters"));
}

static void show_priority_group(struct tool_call *t)
{
	struct grid g;

	if (has_word(t, "watermark")) {
		watermarks(t, has_word(t, "headroom") ? "Ingress headroom per PG:" : "Ingress shared pool occupancy per PG:",
			   "Port|PG0|PG1|PG2|PG3|PG4|PG5|PG6|PG7", false);
		return;
	}
	buf_str(t->out, "Ingress PG dropped packets:\n");
	grid_init(&g, "Port|PG0|PG1|PG2|PG3|PG4|PG5|PG6|PG7", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		struct sim_counters c;

		fabric_counters(t->fabric, port_at(t, i), &c);
		grid_add(&g, port_at(t, i)->name);
		for (unsigned k = 0; k < SIM_PRIOS; k++)
			grid_number(&g, c.rx_drop[k]);
	}
	grid_print(&g, t->out);
}

/* -- the rest -- */

static void show_lldp(struct tool_call *t)
{
	struct grid g;
	unsigned entries = 0;

	buf_str(t->out, "Capability codes: (R) Router, (B) Bridge, (O) Other\n");
	grid_init(&g, "LocalPort|RemoteDevice|RemotePortID|Capability|RemotePortDescr", false);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct neighbor n;

		if (!port_is_up(t->fabric, p))
			continue;
		neighbor_of(t->fabric, port_peer(t->fabric, p), &n);
		grid_add(&g, p->name);
		grid_add(&g, n.name);
		grid_add(&g, n.port);
		grid_add(&g, "BR");
		grid_add(&g, n.description);
		entries++;
	}
	grid_print(&g, t->out);
	buf_printf(t->out, "--------------------------------------------------\nTotal entries displayed:  %u\n", entries);
}

/* Layer 2 to the hosts: each is learned where it is plugged in. */
static void show_mac(struct tool_call *t)
{
	struct grid g;
	unsigned entries = 0;

	grid_init(&g, "No.|Vlan|MacAddress|Port|Type", false);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i), *peer = port_peer(t->fabric, p);
		char number[16];

		if (!port_is_up(t->fabric, p) || !port_is_host(t->fabric, peer))
			continue;
		snprintf(number, sizeof(number), "%u", ++entries);
		grid_add(&g, number);
		grid_add(&g, "1000");
		grid_add(&g, peer->mac);
		grid_add(&g, p->name);
		grid_add(&g, "Dynamic");
	}
	grid_print(&g, t->out);
	buf_printf(t->out, "Total number of entries %u\n", entries);
}

static void show_ecn(struct tool_call *t)
{
	const char *name, *field;
	json_t *profile, *text;

	json_object_foreach(json_object_get(confdb_of(t->device), "WRED_PROFILE"), name, profile) {
		size_t width = 0, value_width = 0;

		json_object_foreach(profile, field, text) {
			width = strlen(field) > width ? strlen(field) : width;
			value_width = json_string_length(text) > value_width ? json_string_length(text) : value_width;
		}
		buf_printf(t->out, "Profile: %s\n%.*s  %.*s\n", name, (int)width, "----------------------------------------",
			   (int)value_width, "--------------------");
		json_object_foreach(profile, field, text)
			buf_printf(t->out, "%-*s  %s\n", (int)width, field, json_string_value(text));
		buf_printf(t->out, "%.*s  %.*s\n\n", (int)width, "----------------------------------------", (int)value_width,
			   "--------------------");
	}
}

static void show_running(struct tool_call *t)
{
	char *text = json_dumps(confdb_of(t->device), JSON_INDENT(4) | JSON_SORT_KEYS);

	buf_printf(t->out, "%s\n", text ? text : "{}");
	free(text);
}

int tool_sonic_show(struct tool_call *t)
{
	static const struct {
		const char *word;
		void (*show)(struct tool_call *t);
	} rows[] = {
		{ "version", show_version },		{ "interfaces", show_interfaces },	{ "pfc", show_pfc },
		{ "pfcwd", show_pfcwd },		{ "queue", show_queue },		{ "ecn", show_ecn },
		{ "priority-group", show_priority_group }, { "lldp", show_lldp },
		{ "mac", show_mac },
		{ "runningconfiguration", show_running },
	};

	for (size_t i = 0; t->argc > 1 && i < sizeof(rows) / sizeof(*rows); i++)
		if (is_word(t->argv[1], rows[i].word)) {
			rows[i].show(t);
			return 0;
		}
	buf_printf(t->errors, "Usage: show [OPTIONS] COMMAND [ARGS]...\nTry \"show -h\" for help.\n\n"
		   "Error: No such command \"%s\".\n", t->argc > 1 ? t->argv[1] : "");
	return 2;
}

/* ecnconfig -l; -p PROFILE with thresholds; -q QUEUE on|off. */
int tool_ecnconfig(struct tool_call *t)
{
	static const char *const fields[][2] = {
		{ "-gmin", "green_min_threshold" }, { "-gmax", "green_max_threshold" }, { "-gdrop", "green_drop_probability" },
		{ "-ymin", "yellow_min_threshold" }, { "-ymax", "yellow_max_threshold" },
		{ "-ydrop", "yellow_drop_probability" }, { "-rmin", "red_min_threshold" }, { "-rmax", "red_max_threshold" },
		{ "-rdrop", "red_drop_probability" },
	};
	json_t *db = confdb_of(t->device);
	const char *profile = NULL;

	for (int i = 1; i + 1 < t->argc; i++)
		if (is_word(t->argv[i], "-p") || is_word(t->argv[i], "-profile"))
			profile = t->argv[i + 1];
	if (!profile) {
		show_ecn(t);
		return 0;
	}
	if (!json_object_get(json_object_get(db, "WRED_PROFILE"), profile)) {
		buf_printf(t->errors, "Failed to run command, invalid options:\nProfile %s does not exist\n", profile);
		return 1;
	}
	for (int i = 1; i + 1 < t->argc; i++)
		for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++)
			if (is_word(t->argv[i], fields[k][0])) {
				confdb_set(db, "WRED_PROFILE", profile, fields[k][1], t->argv[i + 1]);
				t->is_changed = true;
			}
	return 0;
}

int tool_counterpoll(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "Type|Interval (in ms)|Status", false);
	grid_add(&g, "QUEUE_STAT");
	grid_add(&g, "default (10000)");
	grid_add(&g, "enable");
	grid_add(&g, "WRED_ECN_QUEUE_STAT");
	grid_add(&g, "default (10000)");
	grid_add(&g, "enable");
	grid_print(&g, t->out);
	return 0;
}
