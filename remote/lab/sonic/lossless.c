/* A SONiC switch as the lossless profile sets it up, in the forms of its skins. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/world/skins.h"

#define LOSSLESS_PG_BYTES	"1048576"

static void add_maps(json_t *db)
{
	char key[16], text[16];

	for (unsigned i = 0; i < 64; i++) {
		snprintf(key, sizeof(key), "%u", i);
		confdb_set(db, "DSCP_TO_TC_MAP", "ROCE", key, i == 24 || i == 26 ? "3" : i == 48 ? "6" : "0");
	}
	for (unsigned i = 0; i < 8; i++) {
		snprintf(key, sizeof(key), "%u", i);
		snprintf(text, sizeof(text), "%u", i);
		confdb_set(db, "TC_TO_QUEUE_MAP", "ROCE", key, text);
		confdb_set(db, "MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", key, text);
		confdb_set(db, "TC_TO_PRIORITY_GROUP_MAP", "ROCE", key, i == 3 ? "3" : i == 6 ? "6" : "0");
	}
}

static void add_buffers(json_t *db)
{
	static const char *const rows[][5] = {
		{ "BUFFER_POOL", "egress_lossless_pool", "static", "33554432", "egress" },
		{ "BUFFER_POOL", "egress_lossy_pool", "dynamic", "26843545", "egress" },
		{ "BUFFER_POOL", "ingress_lossless_pool", "dynamic", "33554432", "ingress" },
		{ "BUFFER_PROFILE", "egress_lossless_profile", "egress_lossless_pool", "0", "static_th" },
		{ "BUFFER_PROFILE", "egress_lossy_profile", "egress_lossy_pool", "1518", "dynamic_th" },
		{ "BUFFER_PROFILE", "ingress_lossy_profile", "ingress_lossless_pool", "0", "dynamic_th" },
		{ "BUFFER_PROFILE", "pg_lossless_profile", "ingress_lossless_pool", LOSSLESS_PG_BYTES, "dynamic_th" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *table = rows[i][0], *name = rows[i][1];
		bool is_pool = !strcmp(table, "BUFFER_POOL");

		confdb_set(db, table, name, is_pool ? "mode" : "pool", rows[i][2]);
		confdb_set(db, table, name, "size", rows[i][3]);
		if (is_pool)
			confdb_set(db, table, name, "type", rows[i][4]);
		else
			confdb_set(db, table, name, rows[i][4], !strcmp(rows[i][4], "static_th") ? "33554432" : strstr(name, "lossy") ? "3" : "0");
	}
}

static void add_profiles(json_t *db)
{
	static const char *const colours[] = { "green", "yellow", "red" };
	static const char *const weights[] = { "scheduler.0", "20", "scheduler.3", "60", "scheduler.4", "10",
					       "scheduler.6", "10" };

	for (size_t i = 0; i < 8; i += 2) {
		confdb_set(db, "SCHEDULER", weights[i], "type", "DWRR");
		confdb_set(db, "SCHEDULER", weights[i], "weight", weights[i + 1]);
	}
	confdb_set(db, "WRED_PROFILE", "ROCE_LOSSLESS", "ecn", "ecn_all");
	for (size_t i = 0; i < 3; i++) {
		static const char *const fields[] = {
			"%s_min_threshold", "150000", "%s_max_threshold", "1500000", "%s_drop_probability", "100",
		};
		char field[40];

		for (size_t k = 0; k < 6; k += 2) {
			snprintf(field, sizeof(field), fields[k], colours[i]);
			confdb_set(db, "WRED_PROFILE", "ROCE_LOSSLESS", field, fields[k + 1]);
		}
		snprintf(field, sizeof(field), "wred_%s_enable", colours[i]);
		confdb_set(db, "WRED_PROFILE", "ROCE_LOSSLESS", field, "true");
	}
	confdb_set(db, "PFC_WD", "GLOBAL", "POLL_INTERVAL", "200");
}

/* A socket has four lanes, and each part one: etp1a has the first. */
static void add_lanes(json_t *db, const struct lab_port *p)
{
	unsigned first = p->front * 4 - 3;
	char alias[16], lanes[64];

	if (p->lane) {
		snprintf(alias, sizeof(alias), "etp%u%c", p->front, 'a' + p->lane - 1);
		snprintf(lanes, sizeof(lanes), "%u", first + p->lane - 1);
	} else {
		snprintf(alias, sizeof(alias), "etp%u", p->front);
		snprintf(lanes, sizeof(lanes), "%u,%u,%u,%u", first, first + 1, first + 2, first + 3);
	}
	confdb_set(db, "PORT", p->name, "alias", alias);
	confdb_set(db, "PORT", p->name, "lanes", lanes);
}

static void add_breakout(json_t *db, const struct lab_port *p)
{
	char mode[24];

	snprintf(mode, sizeof(mode), "%ux%lluG", p->lane ? 4 : 1, (unsigned long long)p->speed_bps / 1000000000);
	confdb_set(db, "BREAKOUT_CFG", p->name, "brkout_mode", mode);
}

static void add_port_row(json_t *db, const struct lab_port *p)
{
	char text[64];

	add_lanes(db, p);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)p->speed_bps / 1000000);
	confdb_set(db, "PORT", p->name, "speed", text);
	confdb_set(db, "PORT", p->name, "mtu", "9194");
	confdb_set(db, "PORT", p->name, "fec", "rs");
	confdb_set(db, "PORT", p->name, "admin_status", "up");
	snprintf(text, sizeof(text), "%u", p->front);
	confdb_set(db, "PORT", p->name, "index", text);
	confdb_set(db, "PORT", p->name, "pfc_asym", "off");
	confdb_set(db, "CABLE_LENGTH", "AZURE", p->name, "5m");
}

const char *confdb_watchdog_action(const struct lab_device *d)
{
	return wears(d, SKIN_WATCHDOG_ALERTS) ? "alert" : wears(d, SKIN_WATCHDOG_FORWARDS) ? "forward" : "drop";
}

static void add_port_qos(json_t *db, const struct lab_port *p, const char *action)
{
	static const char *const queues[] = {
		"0", "scheduler.0", "3", "scheduler.3", "4", "scheduler.4", "6", "scheduler.6",
	};
	static const char *const maps[] = {
		"dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map",
	};
	char key[64];

	for (size_t i = 0; i < 4; i++)
		confdb_set(db, "PORT_QOS_MAP", p->name, maps[i], "ROCE");
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfc_enable", "3");
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfcwd_sw_enable", "3");
	for (size_t i = 0; i < 8; i += 2) {
		snprintf(key, sizeof(key), "%s|%s", p->name, queues[i]);
		confdb_set(db, "QUEUE", key, "scheduler", queues[i + 1]);
	}
	snprintf(key, sizeof(key), "%s|3", p->name);
	confdb_set(db, "QUEUE", key, "wred_profile", "ROCE_LOSSLESS");
	confdb_set(db, "BUFFER_PG", key, "profile", "pg_lossless_profile");
	snprintf(key, sizeof(key), "%s|0", p->name);
	confdb_set(db, "BUFFER_PG", key, "profile", "ingress_lossy_profile");
	confdb_set(db, "PFC_WD", p->name, "action", action);
	confdb_set(db, "PFC_WD", p->name, "detection_time", "200");
	confdb_set(db, "PFC_WD", p->name, "restoration_time", "200");
}

static json_t *confdb_lossless(const struct fabric *f, const struct lab_device *d)
{
	json_t *db = json_object();

	confdb_set(db, "DEVICE_METADATA", "localhost", "hostname", d->name);
	confdb_set(db, "DEVICE_METADATA", "localhost", "hwsku", "Accton-AS7726-32X");
	confdb_set(db, "DEVICE_METADATA", "localhost", "platform", "x86_64-accton_as7726_32x-r0");
	confdb_set(db, "DEVICE_METADATA", "localhost", "mac", d->mac);
	confdb_set(db, "DEVICE_METADATA", "localhost", "type", "LeafRouter");
	confdb_set(db, "TACPLUS", "global", "passkey", LAB_SECRET "4");
	confdb_set(db, "SNMP_COMMUNITY", LAB_SECRET "5", "TYPE", "RO");
	add_maps(db);
	add_profiles(db);
	add_buffers(db);
	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i];

		add_port_row(db, p);
		add_port_qos(db, p, confdb_watchdog_action(d));
		if (wears(d, SKIN_BREAKOUT) && p->lane < 2)
			add_breakout(db, p);
	}
	confdb_dress(f, d, db);
	return db;
}

void confdb_configure(const struct fabric *f, struct lab_device *d)
{
	struct sonic_switch *own = xcalloc(1, sizeof(*own));

	own->db = confdb_lossless(f, d);
	own->saved = json_deep_copy(own->db);
	d->own = own;
}
