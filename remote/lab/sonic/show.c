/* SONiC's "show": tables as sonic-utilities prints them. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/click.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/sonic/tools.h"

/* Layer 2 to the hosts: each is learned where it is plugged in. */
static int show_mac(struct tool_call *t)
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
	return 0;
}

static int show_ecn(struct tool_call *t)
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
	return 0;
}

static int show_running(struct tool_call *t)
{
	char *text = json_dumps(confdb_of(t->device), JSON_INDENT(4) | JSON_SORT_KEYS);

	buf_printf(t->out, "%s\n", text ? text : "{}");
	free(text);
	return 0;
}

/* -- the tree of commands -- */

static bool is_new(const struct lab_device *d)
{
	return !sonic_is_old(d);
}

static bool is_before_latest(const struct lab_device *d)
{
	return !sonic_is_latest(d);
}

static const struct click counters_group[] = {
	{ "detailed", show_interfaces_detailed, .takes_port = true },
	{ "fec-stats", show_interfaces_fec_stats, .is_there = is_new },
	{ "rates", show_interfaces_rates },
	{ NULL },
};
static const struct click fec[] = { { "status", show_interfaces_fec, .takes_port = true }, { NULL } };
static const struct click interfaces[] = {
	{ "counters", show_interfaces_counters, counters_group },
	{ "fec", .group = fec, .is_there = is_new },
	{ "status", show_interfaces_status, .takes_port = true },
	{ NULL },
};
static const struct click pfc[] = {
	{ "asymmetric", show_pfc_asymmetric, .takes_port = true },
	{ "counters", show_pfc_counters, .options = "--history", .is_there = sonic_is_latest },
	{ "counters", show_pfc_counters, .is_there = is_before_latest },
	{ "priority", show_pfc_priority, .takes_port = true },
	{ NULL },
};
static const struct click pfcwd[] = {
	{ "config", show_pfcwd_config, .takes_port = true },
	{ "stats", show_pfcwd_stats, .options = "-e --empty", .takes_port = true },
	{ NULL },
};
static const struct click queue_watermark[] = { { "unicast", show_queue_watermark }, { NULL } };
static const struct click queue[] = {
	{ "counters", show_queue_counters, .options = "-nz --nonzero -j --json", .takes_port = true, .is_there = is_new },
	{ "counters", show_queue_counters, .takes_port = true, .is_there = sonic_is_old },
	{ "watermark", .group = queue_watermark },
	{ "wredcounters", show_queue_wredcounters, .options = "-nz --nonzero --json", .takes_port = true, .is_there = sonic_is_latest },
	{ NULL },
};
static const struct click pg_drop[] = { { "counters", show_pg_drops }, { NULL } };
static const struct click pg_watermark[] = { { "headroom", show_pg_headroom }, { "shared", show_pg_shared }, { NULL } };
static const struct click priority_group[] = {
	{ "drop", .group = pg_drop },
	{ "watermark", .group = pg_watermark },
	{ NULL },
};
static const struct click lldp[] = {
	{ "neighbors", show_lldp_neighbors, .takes_port = true },
	{ "table", show_lldp_table },
	{ NULL },
};
static const struct click runningconfiguration[] = { { "all", show_running }, { NULL } };
static const struct click buffer[] = { { "configuration", show_buffer }, { "information", show_buffer }, { NULL } };
static const struct click buffer_pool[] = { { "watermark", show_buffer_pool_watermark }, { NULL } };
static const struct click commands[] = {
	{ "buffer", .group = buffer, .is_there = is_new },
	{ "buffer_pool", .group = buffer_pool },
	{ "ecn", show_ecn },
	{ "interfaces", .group = interfaces },
	{ "lldp", .group = lldp },
	{ "mac", show_mac },
	{ "pfc", .group = pfc },
	{ "pfcwd", .group = pfcwd },
	{ "priority-group", .group = priority_group },
	{ "queue", .group = queue },
	{ "runningconfiguration", .group = runningconfiguration },
	{ "version", show_version },
	{ NULL },
};

int tool_sonic_show(struct tool_call *t)
{
	return click_run(t, 1, commands);
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
	if (sonic_is_latest(t->device)) {
		grid_add(&g, "WRED_ECN_QUEUE_STAT");
		grid_add(&g, "default (10000)");
		grid_add(&g, "enable");
	}
	grid_print(&g, t->out);
	return 0;
}
