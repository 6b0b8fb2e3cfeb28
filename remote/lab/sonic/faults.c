/* The faults of a switch as a SONiC CONFIG_DB has them: fields of the port, and maps and profiles of the port's own. */
#include <stdio.h>

#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/keys.h"
#include "remote/lab/sonic/sonic.h"
#include "remote/lab/world/faults.h"

/* In it the port has rows of its own: what is wrong with one port is wrong with no other. */
static json_t *db_of(struct fabric *f, const struct lab_port *p)
{
	json_t *db = confdb_of(port_device(f, p));

	confdb_ungroup(db, p->name);
	return db;
}

/* PORT_QOS_MAP's member refers to the object of that name, to that of all ports (name NULL), or to none. */
static void bind_map(struct fabric *f, const struct lab_port *p, const char *field, const char *table, const char *name)
{
	const struct lab_device *d = port_device(f, p);
	char text[96];

	confdb_set(confdb_of(d), "PORT_QOS_MAP", p->name, field,
		   name ? confdb_refer(d, table, name, text) : confdb_usual(d, table, text));
}

/* A lossless priority has a priority group of its own, with a lossless buffer, and the watchdog's eye. */
static void set_pfc(struct fabric *f, const struct lab_port *p, const char *priorities)
{
	static const char *const table = "TC_TO_PRIORITY_GROUP_MAP";
	json_t *db = db_of(f, p);
	bool is_own = *priorities && strcmp(priorities, "3");
	char name[32], key[64], text[96];

	snprintf(name, sizeof(name), "ROCE_%u", p->number);
	bind_map(f, p, "tc_to_pg_map", table, NULL);
	json_object_del(json_object_get(db, table), name);
	if (is_own)
		json_object_set_new(json_object_get(db, table), name,
				    json_deep_copy(confdb_map(db, p->name, "tc_to_pg_map", table)));
	for (char prio[] = "1"; *prio <= '7'; ++*prio) {
		if (*prio == '3')
			continue;
		snprintf(key, sizeof(key), "%s|%s", p->name, prio);
		if (strstr(priorities, prio)) {
			confdb_set(db, table, name, prio, prio);
			confdb_set(db, "BUFFER_PG", key, "profile",
				   confdb_refer(port_device(f, p), "BUFFER_PROFILE", "pg_lossless_profile", text));
		} else {
			json_object_del(json_object_get(db, "BUFFER_PG"), key);
		}
	}
	if (is_own)
		bind_map(f, p, "tc_to_pg_map", table, name);
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfcwd_sw_enable", is_own ? priorities : "3");
	confdb_set(db, "PORT_QOS_MAP", p->name, "pfc_enable", priorities);
}

static void pfc_off(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "" : "3");
}

static void pfc_extra(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "3,5" : "3");
}

static void pfc_wrong(struct fabric *f, struct lab_port *p, bool on)
{
	set_pfc(f, p, on ? "4" : "3");
}

/* The RoCE queue's WRED profile is the port's own; is_usual: the fabric's again. */
static void set_wred(struct fabric *f, struct lab_port *p, struct fault_wred wred, bool is_usual)
{
	json_t *db = db_of(f, p);
	const struct lab_device *d = port_device(f, p);
	char key[160], profile[48], text[96];

	confdb_queue_key(d, p, 3, key);
	snprintf(profile, sizeof(profile), "ROCE_%u", p->number);
	confdb_set(db, "QUEUE", key, "wred_profile",
		   is_usual ? confdb_usual(d, "WRED_PROFILE", text) : confdb_refer(d, "WRED_PROFILE", wred.min_kb ? profile : NULL, text));
	json_object_del(json_object_get(db, "WRED_PROFILE"), profile);
	if (is_usual || !wred.min_kb)
		return;
	confdb_set(db, "WRED_PROFILE", profile, "ecn", "ecn_all");
	confdb_set(db, "WRED_PROFILE", profile, "wred_green_enable", "true");
	snprintf(text, sizeof(text), "%u", wred.min_kb * 1000);
	confdb_set(db, "WRED_PROFILE", profile, "green_min_threshold", text);
	snprintf(text, sizeof(text), "%u", wred.max_kb * 1000);
	confdb_set(db, "WRED_PROFILE", profile, "green_max_threshold", text);
	snprintf(text, sizeof(text), "%u", wred.max_pct);
	confdb_set(db, "WRED_PROFILE", profile, "green_drop_probability", text);
}

static void ecn_off(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_OFF, !on);
}

static void ecn_late(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_LATE, !on);
}

static void ecn_weak(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_WEAK, !on);
}

static void ecn_early(struct fabric *f, struct lab_port *p, bool on)
{
	set_wred(f, p, FAULT_ECN_EARLY, !on);
}

/* DSCP 26 goes to class 0 at this port alone. */
static void dscp_lossy(struct fabric *f, struct lab_port *p, bool on)
{
	static const char *const table = "DSCP_TO_TC_MAP";
	json_t *db = db_of(f, p);
	char name[48], key[8];

	snprintf(name, sizeof(name), "ROCE_%u", p->number);
	bind_map(f, p, "dscp_to_tc_map", table, on ? name : NULL);
	if (!on) {
		json_object_del(json_object_get(db, table), name);
		return;
	}
	json_object_set_new(json_object_get(db, table), name,
			    json_deep_copy(confdb_map(db, p->name, "tc_to_queue_map", "TC_TO_QUEUE_MAP")));
	for (unsigned i = 0; i < 64; i++) {
		snprintf(key, sizeof(key), "%u", i);
		confdb_set(db, table, name, key, i == 24 ? "3" : i == 48 ? "6" : "0");
	}
}

static void trust_off(struct fabric *f, struct lab_port *p, bool on)
{
	confdb_set(db_of(f, p), "PORT_QOS_MAP", p->name, "dscp_to_tc_map", NULL);
	if (!on)
		bind_map(f, p, "dscp_to_tc_map", "DSCP_TO_TC_MAP", NULL);
}

/* A copy of the fabric's map under the port's own name, with class 3 sent to another. */
static void own_map(struct fabric *f, struct lab_port *p, const char *field, const char *table, const char *to, bool on)
{
	json_t *db = db_of(f, p);
	char name[32];

	snprintf(name, sizeof(name), "ROCE_%u", p->number);
	if (on)
		json_object_set_new(json_object_get(db, table), name, json_deep_copy(confdb_map(db, p->name, field, table)));
	else
		json_object_del(json_object_get(db, table), name);
	if (on)
		confdb_set(db, table, name, "3", to);
	bind_map(f, p, field, table, on ? name : NULL);
}

static void queue_map(struct fabric *f, struct lab_port *p, bool on)
{
	own_map(f, p, "tc_to_queue_map", "TC_TO_QUEUE_MAP", "0", on);
}

static void pfc_queue(struct fabric *f, struct lab_port *p, bool on)
{
	own_map(f, p, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", "4", on);
}

static void mtu_small(struct fabric *f, struct lab_port *p, bool on)
{
	confdb_set(db_of(f, p), "PORT", p->name, "mtu", on ? "1500" : "9194");
}

static void shut(struct fabric *f, struct lab_port *p, bool on)
{
	confdb_set(db_of(f, p), "PORT", p->name, "admin_status", on ? "down" : "up");
	fabric_refresh(f, NULL);
}

static void watchdog_off(struct fabric *f, struct lab_port *p, bool on)
{
	json_t *db = db_of(f, p);

	if (on)
		json_object_del(json_object_get(db, "PFC_WD"), p->name);
	else
		confdb_set(db, "PFC_WD", p->name, "detection_time", "200");
	if (!on)
		confdb_set(db, "PFC_WD", p->name, "action", confdb_watchdog_action(port_device(f, p)));
	if (!on)
		confdb_set(db, "PFC_WD", p->name, "restoration_time", "200");
}

/* Somebody has named the port, and not saved it. */
static void unsaved(struct fabric *f, struct lab_port *p, bool on)
{
	confdb_set(db_of(f, p), "PORT", p->name, "description", on ? "moved" : NULL);
}

const struct lab_fault lab_sonic_faults[] = {
	{ "pfc-off-switch",	pfc_off },
	{ "pfc-extra-prio",	pfc_extra },
	{ "pfc-wrong-switch",	pfc_wrong },
	{ "pfc-queue-wrong",	pfc_queue },
	{ "ecn-off-switch",	ecn_off },
	{ "kmin-over-xoff",	ecn_late },
	{ "ecn-weak",		ecn_weak },
	{ "ecn-early",		ecn_early },
	{ "dscp-map-lossy",	dscp_lossy },
	{ "trust-off-switch",	trust_off },
	{ "queue-map-wrong",	queue_map },
	{ "mtu-small-switch",	mtu_small },
	{ "port-shut",		shut },
	{ "watchdog-off",	watchdog_off },
	{ "config-unsaved",	unsaved },
	{ NULL },
};
