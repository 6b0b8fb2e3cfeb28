#include "remote/lab/sonic/config_db.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/keys.h"

#define SONIC_MTU_DEFAULT	9100

const struct confdb_reference confdb_references[N_CONFDB_REFERENCES] = {
	{ "PORT_QOS_MAP", "dscp_to_tc_map", "DSCP_TO_TC_MAP" },
	{ "PORT_QOS_MAP", "dot1p_to_tc_map", "DOT1P_TO_TC_MAP" },
	{ "PORT_QOS_MAP", "tc_to_queue_map", "TC_TO_QUEUE_MAP" },
	{ "PORT_QOS_MAP", "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP" },
	{ "PORT_QOS_MAP", "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE" },
	{ "QUEUE", "wred_profile", "WRED_PROFILE" },
	{ "QUEUE", "scheduler", "SCHEDULER" },
	{ "BUFFER_PG", "profile", "BUFFER_PROFILE" },
	{ "BUFFER_PROFILE", "pool", "BUFFER_POOL" },
};

const char *confdb_get(const json_t *db, const char *table, const char *key, const char *field)
{
	return json_string_value(json_object_get(json_object_get(json_object_get(db, table), key), field));
}

static json_t *need(json_t *parent, const char *key)
{
	json_t *child = json_object_get(parent, key);

	if (!child) {
		child = json_object();
		json_object_set_new(parent, key, child);
	}
	return child;
}

void confdb_set(json_t *db, const char *table, const char *key, const char *field, const char *text)
{
	json_t *row = need(need(db, table), key);

	if (text)
		json_object_set_new(row, field, json_string(text));
	else
		json_object_del(row, field);
}

/* "[TABLE|name]" or "name". */
static const json_t *referred(const json_t *db, const char *table, const char *name)
{
	char plain[64];
	const char *bar = strchr(name, '|');

	if (*name == '[' && bar) {
		snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(bar + 1, "]"), bar + 1);
		name = plain;
	}
	return json_object_get(json_object_get(db, table), name);
}

const json_t *confdb_map(const json_t *db, const char *port, const char *field, const char *table)
{
	const char *name = confdb_port_member(db, "PORT_QOS_MAP", port, field);

	return name ? referred(db, table, name) : NULL;
}

static void read_map(const json_t *map, uint8_t *array, unsigned width)
{
	for (unsigned i = 0; map && i < width; i++) {
		char key[16];
		const char *text;

		snprintf(key, sizeof(key), "%u", i);
		text = json_string_value(json_object_get(map, key));
		if (text)
			array[i] = atoi(text) & 7;
	}
}

static void read_wred(const json_t *db, const char *name, unsigned queue, struct sim_qos *qos)
{
	const json_t *wred = referred(db, "WRED_PROFILE", name);
	const char *ecn = json_string_value(json_object_get(wred, "ecn"));
	const char *min = json_string_value(json_object_get(wred, "green_min_threshold"));
	const char *max = json_string_value(json_object_get(wred, "green_max_threshold"));
	const char *drop = json_string_value(json_object_get(wred, "green_drop_probability"));

	if (!ecn || !min || !max || (strcmp(ecn, "ecn_all") && !strstr(ecn, "green")))
		return;
	qos->ecn[queue] = true;
	qos->kmin[queue] = strtoul(min, NULL, 10);
	qos->kmax[queue] = strtoul(max, NULL, 10);
	qos->pmax[queue] = drop ? atoi(drop) / 100.0 : 1;
}

static void read_queue(const json_t *db, const char *port, unsigned queue, struct sim_qos *qos)
{
	const json_t *row = confdb_queue(db, port, queue);
	const char *wred = json_string_value(json_object_get(row, "wred_profile"));
	const char *scheduler = json_string_value(json_object_get(row, "scheduler"));
	const json_t *how = scheduler ? referred(db, "SCHEDULER", scheduler) : NULL;
	const char *type = json_string_value(json_object_get(how, "type"));
	const char *weight = json_string_value(json_object_get(how, "weight"));

	qos->ecn[queue] = false;
	qos->strict[queue] = type && !strcmp(type, "STRICT");
	qos->share[queue] = weight ? atoi(weight) : 1;
	if (wred)
		read_wred(db, wred, queue, qos);
}

/* What pfcwdorch does where the row has no action is to drop. */
static enum sim_watchdog watchdog_of(const json_t *db, const char *port)
{
	const char *action = confdb_get(db, "PFC_WD", port, "action");

	if (!json_object_get(json_object_get(db, "PFC_WD"), port))
		return WATCHDOG_OFF;
	return action && !strcmp(action, "forward") ? WATCHDOG_FORWARDS : action && !strcmp(action, "alert") ? WATCHDOG_ALERTS :
	       WATCHDOG_DROPS;
}

void confdb_to_sim(const json_t *db, const char *port, struct sim_qos *qos)
{
	const char *mtu = confdb_get(db, "PORT", port, "mtu");
	const char *pfc = confdb_port_member(db, "PORT_QOS_MAP", port, "pfc_enable");
	const json_t *dscp = confdb_map(db, port, "dscp_to_tc_map", "DSCP_TO_TC_MAP");

	/* The frame on the wire: SONiC's mtu is without Ethernet header, VLAN tag and FCS. */
	qos->mtu = (mtu ? atoi(mtu) : SONIC_MTU_DEFAULT) + 14 + 4 + 4;
	qos->pause_rx = qos->pause_tx = false;
	qos->watchdog = watchdog_of(db, port);
	memset(qos->dscp_prio, 0, sizeof(qos->dscp_prio));
	read_map(dscp, qos->dscp_prio, 64);
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		qos->prio_queue[i] = i;
	read_map(confdb_map(db, port, "tc_to_queue_map", "TC_TO_QUEUE_MAP"), qos->prio_queue, SIM_PRIOS);
	memset(qos->pfc, 0, sizeof(qos->pfc));
	for (; pfc && *pfc; pfc++)
		if (*pfc >= '0' && *pfc <= '7')
			qos->pfc[*pfc - '0'] = true;
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		read_queue(db, port, i, qos);
}

/* -- of a device -- */

void confdb_done(struct lab_device *d)
{
	struct sonic_switch *own = sonic_of(d);

	json_decref(own->db);
	json_decref(own->saved);
	json_decref(own->checkpoints);
	caches_done(&own->caches);
	free(own);
	d->own = NULL;
}

void confdb_replace(struct lab_device *d, json_t *db)
{
	json_decref(confdb_of(d));
	sonic_of(d)->db = db;
}

void confdb_save(struct lab_device *d)
{
	json_decref(sonic_of(d)->saved);
	sonic_of(d)->saved = json_deep_copy(confdb_of(d));
}

void confdb_boot(struct lab_device *d)
{
	if (sonic_of(d)->saved)
		confdb_replace(d, json_deep_copy(sonic_of(d)->saved));
}
