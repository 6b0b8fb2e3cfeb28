#include "remote/sonic/unread.h"

#include <stdio.h>
#include <string.h>

#include "remote/sonic/settings.h"

#define QUEUES_MAX	32		/* of a port, those for multicast too; no priority groups are as many */

/* -- what is known of the members of rows, and what is not -- */

const char *const sonic_qos_members[] = {
	"dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map", "pfc_enable",
	"pfcwd_sw_enable", "scheduler", "tc_to_dscp_map", "tc_to_dot1p_map", "dscp_to_fc_map", "exp_to_fc_map", "NULL", NULL,
};
const char *const sonic_queue_members[] = { "scheduler", "wred_profile", "NULL", NULL };
const char *const sonic_group_members[] = { "profile", "NULL", NULL };
const char *const sonic_wred_members[] = {
	"ecn", "wred_green_enable", "wred_yellow_enable", "wred_red_enable", "green_min_threshold", "green_max_threshold",
	"green_drop_probability", "yellow_min_threshold", "yellow_max_threshold", "yellow_drop_probability", "red_min_threshold",
	"red_max_threshold", "red_drop_probability", NULL,
};
const char *const sonic_watchdog_members[] = {
	"action", "detection_time", "restoration_time", "pfc_stat_history", "POLL_INTERVAL", "BIG_RED_SWITCH", NULL,
};
const char *const sonic_port_members[] = {
	"admin_status", "alias", "index", "lanes", "speed", "mtu", "fec", "autoneg", "adv_speeds", "adv_interface_types",
	"interface_type", "pfc_asym", "tpid", "description", "asic_port_name", "role", "core_id", "core_port_id", "num_voq",
	"asicPortName", "coreId", "corePortId", "numVoq", "macsec", "link_training", "mode", "subport", "dhcp_rate_limit",
	"mux_cable", "media_type", "laser_freq", "tx_power", "dom_polling", "preemphasis", "override_unreliable_los",
	"pt_interface_id", "pt_timestamp_template", "parent_port", "valid_speeds", "supported_speeds", "supported_fecs", "oper_status",
	"hwsku", "learn_mode", "unreliable_los", "idriver", "ipredriver", NULL,
};

const char *const sonic_channel_members[] = {
	"admin_status", "mtu", "min_links", "fallback", "fast_rate", "lacp_key", "learn_mode", "tpid", "mode", "system_mac", "description",
	"lacp_mode", NULL,
};

const char *sonic_stranger(const json_t *row, const char *const *known)
{
	const char *name;
	json_t *value;

	if (row && !json_is_object(row))
		return "(no object)";
	json_object_foreach((json_t *)row, name, value) {
		size_t i = 0;

		while (known[i] && strcmp(known[i], name) != 0)
			i++;
		if (!known[i] || (!json_is_string(value) && (!json_is_integer(value) || known == sonic_qos_members || known == sonic_queue_members)))
			return name;
	}
	return NULL;
}

/* A row with a member of that name in a table that is not known for it. */
static bool is_stray(const struct sonic_config *c, const char *const *homes, const char *member, struct unread *out)
{
	const char *table, *key;
	json_t *rows, *row;

	json_object_foreach((json_t *)c->root, table, rows) {
		bool is_home = false;

		for (size_t i = 0; homes[i]; i++)
			is_home |= strcmp(homes[i], table) == 0;
		if (is_home)
			continue;
		json_object_foreach(rows, key, row)
			if (json_object_get(row, member)) {
				*out = (struct unread){ table, key };
				return true;
			}
	}
	return false;
}

/* -- keys -- */

static bool is_own(const struct sonic_config *c, const struct sonic_key *k)
{
	return !k->host.n || (c->hostname && span_is(k->host, c->hostname));
}

/* Ports that are there, or those that PORT has not: of a port channel, to the CPU, "global". */
static bool are_known_ports(const struct sonic_config *c, struct span list)
{
	const json_t *ports = json_object_get(c->root, "PORT");
	struct span one;
	bool more = true;

	while (more) {
		char name[64];

		more = span_cut(list, ',', &one, &list);
		if (!more)
			one = list;
		snprintf(name, sizeof(name), "%.*s", one.n < 64 ? (int)one.n : 0, one.p);
		if (!json_object_get(ports, name) && !span_starts(one, "PortChannel") && !span_is_nocase(one, "global") && !span_is(one, "CPU"))
			return false;
	}
	return true;
}

/* The first row that may be of any port: its key is not understood, or it stands in a table that is not known. */
static struct unread find_unread(const struct sonic_config *c, const char *const *homes, const char *const *members, bool has_range)
{
	const json_t *own = json_object_get(c->root, *homes);
	struct unread unread = { NULL };
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)json_object_get(c->root, *homes), key, row) {
		struct sonic_key k;

		if (!json_is_object(row) || !sonic_key_cut(key, has_range, &k) || (k.host.n && !c->hostname) ||
		    (is_own(c, &k) && (k.first > QUEUES_MAX || !are_known_ports(c, k.ports))))
			return (struct unread){ *homes, key };
	}
	if (own && !json_is_object(own))
		return (struct unread){ *homes, "" };
	for (size_t i = 0; members[i]; i++)
		if (is_stray(c, homes, members[i], &unread))
			break;
	return unread;
}

void sonic_find_unread(struct sonic_config *c)
{
	static const char *const qos[] = { "PORT_QOS_MAP", NULL }, *const queues[] = { "QUEUE", NULL },
		*const groups[] = { "BUFFER_PG", "BUFFER_QUEUE", NULL }, *const watchdog[] = { "PFC_WD", NULL };
	static const char *const qos_by[] = { "dscp_to_tc_map", "pfc_enable", NULL }, *const queues_by[] = { "wred_profile", NULL },
		*const groups_by[] = { "profile", NULL }, *const watchdog_by[] = { "detection_time", NULL };

	c->qos = find_unread(c, qos, qos_by, false);
	c->queues = find_unread(c, queues, queues_by, true);
	c->groups = find_unread(c, groups, groups_by, true);
	c->watchdog = find_unread(c, watchdog, watchdog_by, false);
}

const char *sonic_unread_reason(const struct unread *u, char reason[128])
{
	snprintf(reason, 128, "the owner of the row %.40s|%.50s could not be parsed", u->table, u->key);
	return reason;
}

const char *sonic_stranger_reason(const char *table, const char *member, char reason[128])
{
	snprintf(reason, 128, "the member %.60s of its row in %.40s could not be parsed", member, table);
	return reason;
}

const char *sonic_unbound_reason(const struct sonic_config *c, char reason[128])
{
	const char *strange = sonic_stranger(c->bound, sonic_qos_members);

	return strange ? sonic_stranger_reason("PORT_QOS_MAP", strange, reason) : c->qos.table ? sonic_unread_reason(&c->qos, reason) : NULL;
}

json_t *sonic_rows_bound(const struct sonic_config *c)
{
	json_t *bound = json_object(), *row;
	const char *key;

	json_object_foreach((json_t *)json_object_get(c->root, "PORT_QOS_MAP"), key, row) {
		struct sonic_key k;

		if (sonic_key_cut(key, false, &k) && is_own(c, &k) && sonic_key_names(&k, c->name))
			json_object_update(bound, row);
	}
	json_object_update(bound, (json_t *)json_object_get(json_object_get(c->root, "PORT_QOS_MAP"), c->name));
	return bound;
}

bool sonic_is_row_of(const struct sonic_config *c, const char *key, unsigned *first, unsigned *last)
{
	struct sonic_key k;

	if (!sonic_key_cut(key, true, &k) || !is_own(c, &k) || !sonic_key_names(&k, c->name) || k.first > 7)
		return false;
	*first = k.first;
	*last = k.last > 7 ? 7 : k.last;
	return true;
}

/* A lossy profile: it reserves nothing, and has no headroom of its own nor one that is computed. */
