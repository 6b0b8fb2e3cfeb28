#include "remote/lab/world/fault_sets.h"

#include <stdio.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/sonic/config_db.h"

static json_t *db_of(struct fabric *f, const struct lab_port *p)
{
	return port_device(f, p)->sonic;
}

void switch_shut(struct fabric *f, struct lab_port *p, bool on)
{
	if (switch_is_dell(f, p))
		switch_line(f, p, "shutdown", on ? "shutdown" : NULL);
	else
		confdb_set(db_of(f, p), "PORT", p->name, "admin_status", on ? "down" : "up");
	fabric_refresh(f, NULL);
}

void switch_trust_off(struct fabric *f, struct lab_port *p, bool on)
{
	if (switch_is_dell(f, p))
		switch_line(f, p, "trust-map dscp", on ? NULL : "trust-map dscp rdma-dscp");
	else
		confdb_set(db_of(f, p), "PORT_QOS_MAP", p->name, "dscp_to_tc_map", on ? NULL : "ROCE");
}

void switch_pfc_wrong(struct fabric *f, struct lab_port *p, bool on)
{
	switch_pfc(f, p, on ? "4" : "3");
}

void switch_ecn_weak(struct fabric *f, struct lab_port *p, bool on)
{
	switch_wred(f, p, (struct wred){ 150, 1500, 1, !on });
}

void switch_ecn_early(struct fabric *f, struct lab_port *p, bool on)
{
	switch_wred(f, p, (struct wred){ 5, 20, 100, !on });
}

/* A copy of the fabric's map under the port's own name, with class 3 sent to another: SONiC's way. */
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
	confdb_set(db, "PORT_QOS_MAP", p->name, field, on ? name : "ROCE");
}

void switch_queue_map(struct fabric *f, struct lab_port *p, bool on)
{
	struct dell_config *c = port_device(f, p)->dell;
	char header[64], line[64];

	if (!switch_is_dell(f, p))
		return own_map(f, p, "tc_to_queue_map", "TC_TO_QUEUE_MAP", "0", on);
	snprintf(header, sizeof(header), "qos-map traffic-class queues-%u", p->number);
	if (on) {
		dell_put(c, header, NULL, "queue 0", "queue 0 qos-group 0-3,5,7");
		dell_put(c, header, NULL, "queue 4", "queue 4 qos-group 4");
		dell_put(c, header, NULL, "queue 6", "queue 6 qos-group 6");
	} else {
		dell_remove(c, header);
	}
	snprintf(line, sizeof(line), "qos-map traffic-class queues-%u", p->number);
	switch_line(f, p, "qos-map traffic-class", on ? line : "qos-map traffic-class rdma-queues");
}

void switch_pfc_queue(struct fabric *f, struct lab_port *p, bool on)
{
	own_map(f, p, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", "4", on);
}

void switch_watchdog_off(struct fabric *f, struct lab_port *p, bool on)
{
	json_t *db = db_of(f, p);

	if (on)
		json_object_del(json_object_get(db, "PFC_WD"), p->name);
	else
		confdb_set(db, "PFC_WD", p->name, "detection_time", "200");
	if (!on)
		confdb_set(db, "PFC_WD", p->name, "action", "drop");
	if (!on)
		confdb_set(db, "PFC_WD", p->name, "restoration_time", "200");
}

void switch_link_pause(struct fabric *f, struct lab_port *p, bool on)
{
	switch_line(f, p, "flowcontrol receive", on ? "flowcontrol receive on" : "flowcontrol receive off");
	switch_line(f, p, "flowcontrol transmit", on ? "flowcontrol transmit on" : "flowcontrol transmit off");
}

/* Somebody has named the port, and not saved it. */
void switch_unsaved(struct fabric *f, struct lab_port *p, bool on)
{
	if (switch_is_dell(f, p))
		switch_line(f, p, "description", on ? "description moved" : NULL);
	else
		confdb_set(db_of(f, p), "PORT", p->name, "description", on ? "moved" : NULL);
}
