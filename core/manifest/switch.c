/*
 * The policy as a switch's configuration: OS10 lines in the order that the switch takes them (objects first, bindings last),
 * and the tables of SONiC's config_db.json. Thresholds in OS10 are KB of 1000 bytes.
 */
#include "core/manifest/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/template.h"

#define CLASSES		8
#define SONIC_HEADERS	22	/* Ethernet, VLAN tag, FCS: what SONiC's mtu is without */

/* What a policy comes to on a switch: class i has a queue, perhaps a share, perhaps pause. */
struct classes {
	unsigned of_dscp[64];		/* 0 where the policy says nothing */
	unsigned queue[CLASSES];
	bool is_used[CLASSES];		/* some DSCP goes there, or it has a share */
	int64_t share[CLASSES];		/* -1: none */
	bool is_strict[CLASSES], is_lossless[CLASSES], marks[CLASSES];
	int64_t kmin[CLASSES], kmax[CLASSES], pmax[CLASSES];
	int64_t mtu;
};

static void read_class(const struct manifest_scene *s, struct classes *c, unsigned i)
{
	int64_t queue = manifest_want(s, true, FIELD_TC_QUEUE, i);

	c->queue[i] = queue >= 0 && queue < CLASSES ? (unsigned)queue : i;
	c->share[i] = manifest_want(s, true, FIELD_ETS_SHARE, i);
	c->is_strict[i] = manifest_want(s, true, FIELD_ETS_ALGO, i) == ETS_STRICT;
	c->is_lossless[i] = manifest_want(s, true, FIELD_PFC_ON, i) == 1;
	c->kmin[i] = manifest_want(s, true, FIELD_ECN_KMIN, i);
	c->kmax[i] = manifest_want(s, true, FIELD_ECN_KMAX, i);
	c->pmax[i] = manifest_want(s, true, FIELD_ECN_PMAX, i);
	c->marks[i] = manifest_want(s, true, FIELD_ECN_ON, i) == 1 && c->kmin[i] >= 0 && c->kmax[i] > 0;
	if (c->pmax[i] < 0)
		c->pmax[i] = 100;
	c->is_used[i] |= i == 0 || c->share[i] > 0 || c->is_strict[i] || c->is_lossless[i];
}

static bool read_classes(const struct manifest_scene *s, struct classes *c, struct err *err)
{
	*c = (struct classes){ .mtu = manifest_want(s, true, FIELD_MTU, 0) };
	for (unsigned i = 0; i < 64; i++) {
		int64_t to = manifest_want(s, true, FIELD_DSCP_PRIO, i);

		if (to >= 0 && to < CLASSES)
			c->of_dscp[i] = (unsigned)to;
		if (to >= 0 && to < CLASSES)
			c->is_used[to] = true;
	}
	for (unsigned i = 0; i < CLASSES; i++)
		read_class(s, c, i);
	if (manifest_want(s, true, FIELD_TRUST, 0) != TRUST_DSCP)
		return err_set(err, "the policy %s does not set trust dscp on switches", policy_name(s->policy));
	return true;
}

/* "0-3,5-23,25": those i below n for which of[i] is to. */
static void ranges(const unsigned *of, unsigned n, unsigned to, struct buf *out)
{
	const char *comma = "";

	for (unsigned i = 0; i < n; i++) {
		unsigned last = i;

		if (of[i] != to)
			continue;
		while (last + 1 < n && of[last + 1] == to)
			last++;
		buf_printf(out, last > i ? "%s%u-%u" : "%s%u", comma, i, last);
		comma = ",";
		i = last;
	}
}

/* -- OS10 -- */

static void os10_maps(const struct classes *c, struct buf *out)
{
	unsigned queues[CLASSES];

	for (unsigned i = 0; i < CLASSES; i++)
		if (c->marks[i])
			buf_printf(out, "wred rdma-ecn-%u\n random-detect color green minimum-threshold %lld maximum-threshold %lld "
				   "drop-probability %lld\n random-detect ecn\n exit\n", i, (long long)c->kmin[i] / 1000,
				   (long long)c->kmax[i] / 1000, (long long)c->pmax[i]);
	buf_str(out, "trust dscp-map rdma-dscp\n");
	for (unsigned i = 0; i < CLASSES; i++) {
		struct buf list = { 0 };

		ranges(c->of_dscp, 64, i, &list);
		if (list.n)
			buf_printf(out, " qos-group %u dscp %s\n", i, list.text);
		buf_done(&list);
		queues[i] = c->is_used[i] ? c->queue[i] : 0;
	}
	buf_str(out, " exit\nqos-map traffic-class rdma-queues\n");
	for (unsigned q = 0; q < CLASSES; q++) {
		struct buf list = { 0 };

		ranges(queues, CLASSES, q, &list);
		if (list.n)
			buf_printf(out, " queue %u qos-group %s\n", q, list.text);
		buf_done(&list);
	}
	buf_str(out, " exit\n");
}

static void os10_policies(const struct classes *c, struct buf *out)
{
	for (unsigned i = 0; i < CLASSES; i++)
		if (c->is_used[i])
			buf_printf(out, "class-map type queuing Q%u\n match queue %u\n exit\n", i, c->queue[i]);
	buf_str(out, "policy-map type queuing rdma-ets\n");
	for (unsigned i = 0; i < CLASSES; i++) {
		if (!c->is_used[i])
			continue;
		buf_printf(out, " class Q%u\n", i);
		if (c->is_strict[i])
			buf_str(out, "  priority\n");
		else if (c->share[i] > 0)
			buf_printf(out, "  bandwidth percent %lld\n", (long long)c->share[i]);
		if (c->marks[i])
			buf_printf(out, "  random-detect rdma-ecn-%u\n", i);
		buf_str(out, "  exit\n");
	}
	buf_str(out, " exit\n");
	for (unsigned i = 0; i < CLASSES; i++)
		if (c->is_lossless[i])
			buf_printf(out, "class-map type network-qos NQ%u\n match qos-group %u\n exit\n", i, i);
	buf_str(out, "policy-map type network-qos rdma-pfc\n");
	for (unsigned i = 0; i < CLASSES; i++)
		if (c->is_lossless[i])
			buf_printf(out, " class NQ%u\n  pause\n  pfc-cos %u\n  exit\n", i, i);
	buf_str(out, " exit\n");
}

/* Without a target a port stands as an example; a target's ports are known, or nothing is made up for it. */
static bool has_ports(const struct manifest_scene *s, size_t n, struct err *err)
{
	return n || !s->device || err_set(err, "no port of %s is known to be up", s->device->name);
}

static void os10_port(const struct classes *c, const char *unit, struct buf *out)
{
	buf_printf(out, "interface ethernet %s\n", unit);
	if (c->mtu > 0)
		buf_printf(out, " mtu %lld\n", (long long)c->mtu);
	buf_str(out, " flowcontrol receive off\n flowcontrol transmit off\n trust-map dscp rdma-dscp\n"
		" qos-map traffic-class rdma-queues\n service-policy input type network-qos rdma-pfc\n"
		" service-policy output type queuing rdma-ets\n ets mode on\n priority-flow-control mode on\n exit\n");
}

bool manifest_os10(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS), said = 0;
	struct classes c;

	if (!has_ports(s, n, err) || !read_classes(s, &c, err))
		return false;
	buf_printf(out, "! %s for Dell SmartFabric OS10. A policy that is bound to a live port disturbs its traffic for a moment:\n"
		   "! port by port, in a window, and on the ports between switches too. Other settings of these objects stay.\n"
		   "configure terminal\n", policy_name(s->policy));
	os10_maps(&c, out);
	os10_policies(&c, out);
	for (size_t i = 0; i < n; i++) {
		struct span unit = span_of(ports[i]->name);

		if (!span_skip(&unit, "ethernet") || !template_is_port(ports[i]->name))
			continue;
		os10_port(&c, unit.p, out);
		said++;
	}
	if (!said && !s->device)
		os10_port(&c, "1/1/1", out);
	buf_str(out, "end\n");	/* each line has its effect at once, and one that fails ends no paste: it is saved after a look */
	return true;
}

/* -- SONiC -- */

static void set(json_t *db, const char *table, const char *key, const char *field, const char *text)
{
	json_t *rows = json_object_get(db, table), *row;

	if (!rows) {
		rows = json_object();
		json_object_set_new(db, table, rows);
	}
	row = json_object_get(rows, key);
	if (!row) {
		row = json_object();
		json_object_set_new(rows, key, row);
	}
	json_object_set_new(row, field, json_string(text));
}

static void set_number(json_t *db, const char *table, const char *key, const char *field, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)n);
	set(db, table, key, field, text);
}

static void sonic_maps(const struct classes *c, json_t *db)
{
	char key[8];

	for (unsigned i = 0; i < 64; i++) {
		snprintf(key, sizeof(key), "%u", i);
		set_number(db, "DSCP_TO_TC_MAP", "ROCE", key, c->of_dscp[i]);
	}
	for (unsigned i = 0; i < CLASSES; i++) {
		snprintf(key, sizeof(key), "%u", i);
		set_number(db, "TC_TO_QUEUE_MAP", "ROCE", key, c->is_used[i] ? c->queue[i] : 0);
		set_number(db, "TC_TO_PRIORITY_GROUP_MAP", "ROCE", key, c->is_lossless[i] ? i : 0);
		set_number(db, "MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", key, c->queue[i]);
	}
}

static void sonic_profiles(const struct classes *c, json_t *db)
{
	static const char *const colours[] = { "green", "yellow", "red" };
	char name[32], field[40];

	for (unsigned i = 0; i < CLASSES; i++) {
		snprintf(name, sizeof(name), "ROCE_%u", i);
		if (c->is_strict[i] || c->share[i] > 0)
			set(db, "SCHEDULER", name, "type", c->is_strict[i] ? "STRICT" : "DWRR");
		if (!c->is_strict[i] && c->share[i] > 0)
			set_number(db, "SCHEDULER", name, "weight", c->share[i]);
		if (!c->marks[i])
			continue;
		set(db, "WRED_PROFILE", name, "ecn", "ecn_all");
		for (size_t k = 0; k < 3; k++) {
			snprintf(field, sizeof(field), "wred_%s_enable", colours[k]);
			set(db, "WRED_PROFILE", name, field, "true");
			snprintf(field, sizeof(field), "%s_min_threshold", colours[k]);
			set_number(db, "WRED_PROFILE", name, field, c->kmin[i]);
			snprintf(field, sizeof(field), "%s_max_threshold", colours[k]);
			set_number(db, "WRED_PROFILE", name, field, c->kmax[i]);
			snprintf(field, sizeof(field), "%s_drop_probability", colours[k]);
			set_number(db, "WRED_PROFILE", name, field, c->pmax[i]);
		}
	}
}

static void sonic_port(const struct classes *c, const char *port, json_t *db)
{
	static const char *const maps[] = { "dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map" };
	struct buf lossless = { 0 };
	char key[64], name[32];

	for (size_t i = 0; i < 4; i++)
		set(db, "PORT_QOS_MAP", port, maps[i], "ROCE");
	for (unsigned i = 0; i < CLASSES; i++) {
		if (c->is_lossless[i])
			buf_printf(&lossless, "%s%u", lossless.n ? "," : "", i);
		snprintf(key, sizeof(key), "%.40s|%u", port, c->queue[i]);
		snprintf(name, sizeof(name), "ROCE_%u", i);
		if (c->is_strict[i] || c->share[i] > 0)
			set(db, "QUEUE", key, "scheduler", name);
		if (c->marks[i])
			set(db, "QUEUE", key, "wred_profile", name);
	}
	if (lossless.n) {
		set(db, "PORT_QOS_MAP", port, "pfc_enable", lossless.text);
		set(db, "PORT_QOS_MAP", port, "pfcwd_sw_enable", lossless.text);
		set(db, "PFC_WD", port, "action", "drop");
		set(db, "PFC_WD", port, "detection_time", "200");
		set(db, "PFC_WD", port, "restoration_time", "200");
	}
	if (c->mtu > SONIC_HEADERS)
		set_number(db, "PORT", port, "mtu", c->mtu - SONIC_HEADERS);
	buf_done(&lossless);
}

bool manifest_sonic(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS), said = 0;
	json_t *db;
	struct classes c;
	char *text;

	if (!has_ports(s, n, err) || !read_classes(s, &c, err))
		return false;
	db = json_object();
	sonic_maps(&c, db);
	sonic_profiles(&c, db);
	set(db, "PFC_WD", "GLOBAL", "POLL_INTERVAL", "200");
	for (size_t i = 0; i < n; i++) {
		struct span number = span_of(ports[i]->name);

		if (!span_skip(&number, "Ethernet") || !template_is_port(ports[i]->name))
			continue;
		sonic_port(&c, ports[i]->name, db);
		said++;
	}
	if (!said && !s->device)
		sonic_port(&c, "Ethernet0", db);
	text = json_dumps(db, JSON_INDENT(4) | JSON_SORT_KEYS);
	buf_printf(out, "%s\n", text ? text : "{}");
	free(text);
	json_decref(db);
	return true;
}
