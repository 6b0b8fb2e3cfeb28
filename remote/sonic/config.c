/*
 * SONiC's CONFIG_DB as JSON: maps and profiles first, then which port uses which. Old releases refer to them as
 * "[DSCP_TO_TC_MAP|AZURE]", new ones as "AZURE". What is referred to and not there is unknown with that reason.
 *
 * A profile's xoff is told as buffer.headroom: it is what fits behind a threshold that moves with the free pool, not the fill at
 * which pause is sent (buffer.xoff), which is not told.
 */
#include "remote/sonic/sonic.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/sonic/settings.h"
#include "remote/sonic/unread.h"

#define PORTS_MAX	1024		/* more ports or rows than any switch has are not believed */
#define ROWS_MAX	16384
#define CITE_WINDOW	(256u << 10)	/* bytes of a table that are looked through for an entry */
#define MTU_DEFAULT	9100		/* of a port or a port channel without the member (portmgr, teammgr) */
#define FRAME_HEADERS	(14 + 4 + 4)	/* Ethernet, FCS, VLAN tag: orchagent adds them (setPortMtu) */

uint64_t sonic_frame_bytes(uint64_t mtu)
{
	return mtu + FRAME_HEADERS;
}

static const json_t *entry(const struct sonic_config *c, const char *table, const char *key)
{
	return json_object_get(json_object_get(c->root, table), key);
}

static const char *member(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static bool is_word(const json_t *object, const char *name, const char *word)
{
	const char *is = member(object, name);

	return is && strcmp(is, word) == 0;
}

static bool number_of(const json_t *object, const char *name, uint64_t *out)
{
	const json_t *value = json_object_get(object, name);

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*out = (uint64_t)json_integer_value(value);
		return true;
	}
	return json_is_string(value) && span_u64(span_of(json_string_value(value)), out);
}

static const char *table_begins(struct sonic_config *c, const char *table)
{
	char quoted[80];

	for (size_t i = 0; i < c->n_tables; i++)
		if (strcmp(c->tables[i].name, table) == 0)
			return c->tables[i].at;
	if (c->n_tables == sizeof(c->tables) / sizeof(*c->tables))
		return NULL;
	snprintf(quoted, sizeof(quoted), "\"%s\": {", table);
	c->tables[c->n_tables].name = table;
	return c->tables[c->n_tables++].at = span_find(c->text, quoted);
}

/* The facts added next are said where this entry begins in the text. */
static void cite(struct sonic_config *c, const char *table, const char *key)
{
	const char *at = table_begins(c, table);
	char quoted[160];
	struct span rest;

	c->o->cite = CITE_NONE;
	if (!at)
		return;
	rest = (struct span){ at, (size_t)(c->text.p + c->text.n - at) };
	if (rest.n > CITE_WINDOW)
		rest.n = CITE_WINDOW;
	snprintf(quoted, sizeof(quoted), "\"%s\": ", key);
	at = span_find(rest, quoted);
	if (at)
		obs_cite(c->o, (struct span){ at, 1 });
}

static void field_unknown(struct sonic_config *c, enum field f, const char *reason)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		obs_unknown(c->o, c->port, f, i, reason);
}

static void all_unknown(struct sonic_config *c, enum field f, const char *table, const char *name)
{
	char reason[128];

	snprintf(reason, sizeof(reason), "%s %.48s is not in the configuration", table, name);
	field_unknown(c, f, reason);
}

/* Maps: {"26": "3", …}, bound in PORT_QOS_MAP by a member of its own */

static const struct binding {
	const char *member, *table;
	enum field field;
	const char *by_default;		/* why it is not known where none is bound; NULL: it is not said */
} bindings[] = {
	{ "dscp_to_tc_map", "DSCP_TO_TC_MAP", FIELD_DSCP_PRIO, NULL },
	{ "dot1p_to_tc_map", "DOT1P_TO_TC_MAP", FIELD_PCP_PRIO, NULL },
	{ "tc_to_queue_map", "TC_TO_QUEUE_MAP", FIELD_TC_QUEUE, "no tc_to_queue_map is bound: the ASIC has a default" },
	{ "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", FIELD_PRIO_PG, "no tc_to_pg_map is bound: the ASIC has a default" },
	{ "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", FIELD_PFC_QUEUE, NULL },
};

static void tell_map(struct sonic_config *c, const struct binding *b, const json_t *bound)
{
	const char *text = member(bound, b->member), *from;
	char name[64];
	const json_t *map;
	json_t *to;
	uint64_t index, value;

	if (!text || !sonic_reference(text, name)) {
		if (b->by_default)
			field_unknown(c, b->field, b->by_default);
		return;
	}
	map = entry(c, b->table, name);
	cite(c, map ? b->table : "PORT_QOS_MAP", map ? name : c->name);
	if (!map) {
		all_unknown(c, b->field, b->table, name);
		return;
	}
	json_object_foreach((json_t *)map, from, to) {
		if (span_u64(span_of(from), &index) && index < field_table[b->field].width &&
		    number_of(map, from, &value) && value < 8)
			obs_number(c->o, c->port, b->field, (unsigned)index, value);
		else
			c->o->missed++;
	}
}

static bool is_lossy(const json_t *profile)
{
	uint64_t size;

	return number_of(profile, "size", &size) && size == 0 && !json_object_get(profile, "xoff") &&
	       !json_object_get(profile, "headroom_type");
}

struct groups {
	unsigned lossy, unread;		/* bit sets: with a lossy buffer profile; of a profile that nobody can tell */
};

/* Whether what a profile says of its size is understood; in the dynamic model it may say nothing. */
static bool is_understood(const json_t *profile)
{
	uint64_t n;

	return profile && (number_of(profile, "size", &n) || (!json_object_get(profile, "size") && json_object_get(profile, "headroom_type")));
}

/* Priority groups with a lossy buffer profile: they send no pause. */
static struct groups groups_of(const struct sonic_config *c)
{
	const json_t *table = json_object_get(c->root, "BUFFER_PG");
	const char *key;
	struct groups g = { 0 };
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		const char *text = member(row, "profile");
		unsigned first, last;
		char name[64] = "";

		if (!sonic_is_row_of(c, key, &first, &last))
			continue;
		for (unsigned i = first; i <= last; i++)
			if (sonic_stranger(row, sonic_group_members) || (text && (!sonic_reference(text, name) ||
			    (strcmp(name, "NULL") != 0 && !is_understood(entry(c, "BUFFER_PROFILE", name))))))
				g.unread |= 1u << i;
			else if (text && is_lossy(entry(c, "BUFFER_PROFILE", name)))
				g.lossy |= 1u << i;
	}
	return g;
}

/* Why a priority for which pause is on may send none all the same; NULL: it sends. */
static const char *no_pause_reason(const struct sonic_config *c, unsigned priority, struct groups g, char reason[128])
{
	const char digit[] = { (char)('0' + priority), '\0' }, *text = member(c->bound, "tc_to_pg_map"), *strange;
	char name[64];
	uint64_t group;

	if (c->groups.table)
		return sonic_unread_reason(&c->groups, reason);
	if (!g.lossy && !g.unread)
		return NULL;
	strange = sonic_stranger(c->bound, sonic_qos_members);
	if (!text)
		return strange ? sonic_stranger_reason("PORT_QOS_MAP", strange, reason) : NULL;
	if (!sonic_reference(text, name) || !number_of(entry(c, "TC_TO_PRIORITY_GROUP_MAP", name), digit, &group) || group > 7)
		return "its priority group is not in the configuration";
	if (g.unread >> group & 1)
		return "the buffer profile of its priority group could not be parsed";
	return g.lossy >> group & 1 ? "enabled, but its priority group has a lossy buffer profile" : NULL;
}

/*
 * Why nobody can tell with one word whether pause is on, of any priority; NULL: it can be told. With asymmetric PFC the port obeys
 * pause for every priority, and sends it for those of pfc_enable (portsorch, setPortPfcAsym).
 */
static const char *asymmetric_reason(const struct sonic_config *c)
{
	const json_t *port = entry(c, "PORT", c->name);

	if (is_word(port, "pfc_asym", "on"))
		return "pfc_asym is on: the port honors pause on every priority and sends it on those of pfc_enable";
	return !json_object_get(port, "pfc_asym") || is_word(port, "pfc_asym", "off") ? NULL : "pfc_asym is neither on nor off";
}

/* What PORT_QOS_MAP binds; a DSCP map under "global" is the switch's, for ports that have none of their own. */
static void tell_qos(struct sonic_config *c)
{
	const json_t *bound = c->bound, *global = entry(c, "PORT_QOS_MAP", "global");
	const char *enabled = member(bound, "pfc_enable");
	bool by_dscp = member(bound, "dscp_to_tc_map"), by_dot1p = member(bound, "dot1p_to_tc_map");
	bool by_global = !by_dscp && !by_dot1p && member(global, "dscp_to_tc_map");
	struct groups groups = groups_of(c);
	uint64_t on = 0;
	char reason[128];
	const char *why = sonic_unbound_reason(c, reason), *asymmetric = asymmetric_reason(c), *silent;
	char more[128];

	cite(c, json_object_size(bound) || by_global ? "PORT_QOS_MAP" : "PORT", by_global ? "global" : c->name);
	if (!by_dscp && why)
		obs_unknown(c->o, c->port, FIELD_TRUST, 0, why);
	else
		obs_number(c->o, c->port, FIELD_TRUST, 0, by_dscp || by_global ? TRUST_DSCP : by_dot1p ? TRUST_PCP : TRUST_NONE);
	if (by_global)
		tell_map(c, &bindings[0], global);
	for (unsigned i = 0; i < 8; i++) {
		if (asymmetric)
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, asymmetric);
		else if (!sonic_priority_set(enabled ? enabled : "", &on))
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, "pfc_enable is not a list of priorities");
		else if (!enabled && why)
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, why);
		else if (on >> i & 1 && (silent = no_pause_reason(c, i, groups, more)))
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, silent);
		else
			obs_bool(c->o, c->port, FIELD_PFC_ON, i, on >> i & 1);
	}
	for (size_t i = 0; i < sizeof(bindings) / sizeof(*bindings); i++)
		tell_map(c, &bindings[i], bound);
}

struct queue {
	const char *key;		/* of its row in QUEUE, or NULL */
	const json_t *row;
	bool is_weighted;
	bool is_unread;			/* it may have a weight, and nobody can tell which */
	uint64_t weight;
};

static void find_queues(struct sonic_config *c, struct queue queues[8])
{
	const json_t *table = json_object_get(c->root, "QUEUE");
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		unsigned first, last;

		if (!sonic_is_row_of(c, key, &first, &last))
			continue;
		for (unsigned i = first; i <= last; i++)
			queues[i] = (struct queue){ .key = key, .row = row };
	}
}

/* "ecn_none", "ecn_all", "ecn_green", "ecn_green_yellow" …; NULL: it is not said. */
static bool is_ecn_mode(const char *mode)
{
	struct span rest = span_of(mode);

	if (!mode || span_is(rest, "ecn_none") || span_is(rest, "ecn_all"))
		return true;
	if (!span_skip(&rest, "ecn"))
		return false;
	while (span_skip(&rest, "_green") || span_skip(&rest, "_yellow") || span_skip(&rest, "_red"))
		;
	return rest.n == 0;
}

/* Why nobody can tell whether the profile marks; NULL: it can be told. */
static const char *strange_profile(const json_t *profile, char reason[128])
{
	const char *enable = member(profile, "wred_green_enable"), *strange = sonic_stranger(profile, sonic_wred_members);

	if (!is_ecn_mode(member(profile, "ecn")))
		return "fabcon does not recognize the ecn mode of its WRED profile";
	if (enable && strcmp(enable, "true") != 0 && strcmp(enable, "false") != 0)
		return "the wred_green_enable of its WRED profile is neither true nor false";
	if (strange && (!member(profile, "ecn") || !enable)) {
		snprintf(reason, 128, "the member %.60s of its WRED profile could not be parsed", strange);
		return reason;
	}
	return NULL;
}

/* Untouched traffic is green. */
static bool marks_green(const char *mode)
{
	return mode && (strcmp(mode, "ecn_all") == 0 || strstr(mode, "green"));
}

static void tell_ecn(struct sonic_config *c, unsigned i, const struct queue *queue)
{
	const char *text = member(queue->row, "wred_profile");
	const json_t *profile;
	char name[64], reason[128];
	const char *strange = sonic_stranger(queue->row, sonic_queue_members);
	uint64_t n;

	if (!text || !sonic_reference(text, name)) {
		if (c->queues.table)
			obs_unknown(c->o, c->port, FIELD_ECN_ON, i, sonic_unread_reason(&c->queues, reason));
		else if (strange || text)
			obs_unknown(c->o, c->port, FIELD_ECN_ON, i, sonic_stranger_reason("QUEUE", strange ? strange : "wred_profile", reason));
		else
			obs_bool(c->o, c->port, FIELD_ECN_ON, i, false);
		return;
	}
	profile = entry(c, "WRED_PROFILE", name);
	if (!profile) {
		snprintf(reason, sizeof(reason), "WRED_PROFILE %s is not in the configuration", name);
		obs_unknown(c->o, c->port, FIELD_ECN_ON, i, reason);
		return;
	}
	cite(c, "WRED_PROFILE", name);
	strange = strange_profile(profile, reason);
	if (strange) {
		obs_unknown(c->o, c->port, FIELD_ECN_ON, i, strange);
		return;
	}
	if (marks_green(member(profile, "ecn")) && is_word(profile, "wred_green_enable", "false")) {
		obs_unknown(c->o, c->port, FIELD_ECN_ON, i, "its profile has WRED off for green and ECN on: ASICs differ");
		return;
	}
	obs_bool(c->o, c->port, FIELD_ECN_ON, i, marks_green(member(profile, "ecn")));
	if (!marks_green(member(profile, "ecn")))
		return;
	if (number_of(profile, "green_min_threshold", &n))
		obs_number(c->o, c->port, FIELD_ECN_KMIN, i, n);
	if (number_of(profile, "green_max_threshold", &n))
		obs_number(c->o, c->port, FIELD_ECN_KMAX, i, n);
	if (number_of(profile, "green_drop_probability", &n))
		obs_number(c->o, c->port, FIELD_ECN_PMAX, i, n);
}

static void tell_algorithm(struct sonic_config *c, unsigned i, struct queue *queue)
{
	const char *text = member(queue->row, "scheduler"), *type;
	const json_t *scheduler;
	char name[64];

	queue->is_unread = text || sonic_stranger(queue->row, sonic_queue_members);
	if (!text || !sonic_reference(text, name))
		return;
	scheduler = entry(c, "SCHEDULER", name);
	type = member(scheduler, "type");
	if (!type)
		return;
	queue->is_unread = strcmp(type, "STRICT") != 0;
	if (strcmp(type, "STRICT") == 0) {
		obs_number(c->o, c->port, FIELD_ETS_ALGO, i, ETS_STRICT);
	} else if (strcmp(type, "DWRR") == 0 || strcmp(type, "WRR") == 0) {
		obs_number(c->o, c->port, FIELD_ETS_ALGO, i, ETS_ETS);
		queue->is_weighted = number_of(scheduler, "weight", &queue->weight) && queue->weight <= 100;
		queue->is_unread = !queue->is_weighted;
	}
}

/*
 * Weights are relative; a share is a weight's part of all of the port's. Rounding goes to the running sum, so that the
 * shares add up to 100.
 */
static void tell_shares(struct sonic_config *c, const struct queue queues[8])
{
	uint64_t total = 0, sum = 0, given = 0;
	bool unread = c->queues.table;

	for (unsigned i = 0; i < 8; i++) {
		total += queues[i].is_weighted ? queues[i].weight : 0;
		unread |= queues[i].is_unread;
	}
	for (unsigned i = 0; i < 8 && total > 0; i++) {
		uint64_t upto;

		if (!queues[i].is_weighted)
			continue;
		sum += queues[i].weight;
		upto = (sum * 100 + total / 2) / total;
		cite(c, "QUEUE", queues[i].key);
		if (unread)
			obs_unknown(c->o, c->port, FIELD_ETS_SHARE, i, "the weight of another queue could not be parsed");
		else
			obs_number(c->o, c->port, FIELD_ETS_SHARE, i, upto - given);
		given = upto;
	}
	if (total > 0)
		obs_bool(c->o, c->port, FIELD_ETS_ON, 0, true);
}

static void tell_queues(struct sonic_config *c)
{
	struct queue queues[8] = { 0 };

	find_queues(c, queues);
	for (unsigned i = 0; i < 8; i++) {
		cite(c, queues[i].key ? "QUEUE" : "PORT", queues[i].key ? queues[i].key : c->name);
		tell_algorithm(c, i, &queues[i]);
		tell_ecn(c, i, &queues[i]);
	}
	tell_shares(c, queues);
}

static void tell_buffers(struct sonic_config *c)
{
	const json_t *table = json_object_get(c->root, "BUFFER_PG");
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		const char *text = member(row, "profile");
		unsigned first, last;
		char name[64];
		bool has_size, has_xoff;
		uint64_t size, xoff;

		if (!sonic_is_row_of(c, key, &first, &last) || !text || !sonic_reference(text, name))
			continue;
		has_size = number_of(entry(c, "BUFFER_PROFILE", name), "size", &size);
		has_xoff = number_of(entry(c, "BUFFER_PROFILE", name), "xoff", &xoff);
		cite(c, "BUFFER_PG", key);
		for (unsigned i = first; i <= last; i++) {
			if (has_size)
				obs_number(c->o, c->port, FIELD_BUFFER_SIZE, i, size);
			if (has_xoff)
				obs_number(c->o, c->port, FIELD_BUFFER_HEADROOM, i, xoff);
		}
	}
}

static void tell_cable(struct sonic_config *c)
{
	const json_t *table = json_object_get(c->root, "CABLE_LENGTH");
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		struct span length = span_of(member(row, c->name));
		uint64_t metres;

		if (!span_take_u64(&length, &metres) || !span_is(length, "m"))
			continue;
		cite(c, "CABLE_LENGTH", key);
		obs_number(c->o, c->port, FIELD_CABLE, 0, metres);
	}
}

/*
 * A row may be there for its history alone; newer releases guard only the priorities of pfcwd_sw_enable; and all of it
 * rests on polling (pfcwdorch, flexcounterorch).
 */
static bool is_watched(const struct sonic_config *c)
{
	const json_t *bound = c->bound;
	const char *enabled = member(bound, "pfc_enable"), *guarded = member(bound, "pfcwd_sw_enable");
	uint64_t detect_ms, on = 0, of = 0;

	if (!number_of(entry(c, "PFC_WD", c->name), "detection_time", &detect_ms) || detect_ms == 0 ||
	    is_word(entry(c, "FLEX_COUNTER_TABLE", "PFCWD"), "FLEX_COUNTER_STATUS", "disable"))
		return false;
	return !guarded || !enabled || (sonic_priority_set(enabled, &on) && sonic_priority_set(guarded, &of) && (on & ~of) == 0);
}

/* Why nobody can tell whether it is; NULL: it can be told. */
static const char *watchdog_reason(const struct sonic_config *c, char reason[128])
{
	const json_t *row = entry(c, "PFC_WD", c->name), *polling = entry(c, "FLEX_COUNTER_TABLE", "PFCWD");
	const char *enabled = member(c->bound, "pfc_enable"), *guarded = member(c->bound, "pfcwd_sw_enable");
	const char *strange = sonic_stranger(row, sonic_watchdog_members);
	uint64_t n;

	if (strange)
		return sonic_stranger_reason("PFC_WD", strange, reason);
	if (json_object_get(row, "detection_time") && !number_of(row, "detection_time", &n))
		return sonic_stranger_reason("PFC_WD", "detection_time", reason);
	if (!row)
		return c->watchdog.table ? sonic_unread_reason(&c->watchdog, reason) : NULL;
	if (json_object_size(polling) && !is_word(polling, "FLEX_COUNTER_STATUS", "enable") && !is_word(polling, "FLEX_COUNTER_STATUS", "disable"))
		return "FLEX_COUNTER_TABLE|PFCWD could not be parsed";
	if ((!guarded || !enabled) && sonic_unbound_reason(c, reason))
		return reason;
	if ((guarded && !sonic_priority_set(guarded, &n)) || (guarded && enabled && !sonic_priority_set(enabled, &n)))
		return "pfcwd_sw_enable or pfc_enable is not a list of priorities";
	return NULL;
}

/* Of a port that is watched; pfcwdorch drops where its row has no action. */
static void tell_watchdog_action(const struct sonic_config *c)
{
	const json_t *row = entry(c, "PFC_WD", c->name);
	const char *action = member(row, "action");

	if (action)
		obs_word(c->o, c->port, FIELD_WATCHDOG_ACTION, 0, span_of(action));
	else if (is_watched(c) && !json_object_get(row, "action"))
		obs_word(c->o, c->port, FIELD_WATCHDOG_ACTION, 0, SPAN("drop"));
}

/* UINT64_MAX: a member of the row may be the MTU, and was not understood. */
static uint64_t mtu_of(const json_t *row, const char *const *known)
{
	uint64_t n;

	if (number_of(row, "mtu", &n))
		return n;
	return json_object_get(row, "mtu") || sonic_stranger(row, known) ? UINT64_MAX : MTU_DEFAULT;
}

/* A member of a port channel takes its MTU, whatever the port's own row says (teammgr, setLagMtu and addLagMember). */
static void tell_mtu(struct sonic_config *c, const json_t *row)
{
	char channel[SONIC_CHANNEL_NAME], reason[128];
	enum sonic_membership is = sonic_channel_of(c->root, c->name, channel);
	const json_t *its = entry(c, "PORTCHANNEL", channel);
	uint64_t n = is == SONIC_IN_CHANNEL ? mtu_of(its, sonic_channel_members) : mtu_of(row, sonic_port_members);

	if (is == SONIC_IN_SEVERAL) {
		obs_unknown(c->o, c->port, FIELD_MTU, 0, "PORTCHANNEL_MEMBER lists the port in several port channels: its MTU may "
							 "come from any of them");
	} else if (is == SONIC_MAY_BE_IN_ONE) {
		obs_unknown(c->o, c->port, FIELD_MTU, 0, "a row of PORTCHANNEL_MEMBER could not be parsed: the MTU may come from a "
							 "port channel");
	} else if (is == SONIC_IN_CHANNEL && !its) {
		snprintf(reason, sizeof(reason), "its MTU comes from PORTCHANNEL|%s, which is not in the configuration", channel);
		obs_unknown(c->o, c->port, FIELD_MTU, 0, reason);
	} else if (n == UINT64_MAX) {
		snprintf(reason, sizeof(reason), "a member of its row in %s could not be parsed: it may be the MTU", its ? "PORTCHANNEL" : "PORT");
		obs_unknown(c->o, c->port, FIELD_MTU, 0, reason);
	} else if (n <= 65535) {
		cite(c, its ? "PORTCHANNEL" : "PORT", its ? channel : c->name);
		obs_number(c->o, c->port, FIELD_MTU, 0, sonic_frame_bytes(n));
	}
}

static void tell_port(struct sonic_config *c, const json_t *row)
{
	const char *alias = member(row, "alias"), *fec = member(row, "fec"), *unwatched;
	char reason[128];
	uint64_t n;

	cite(c, "PORT", c->name);
	if (number_of(row, "speed", &n) && n <= 10000000)
		obs_number(c->o, c->port, FIELD_SPEED, 0, n * 1000000);	/* CONFIG_DB counts Mb/s */
	tell_mtu(c, row);
	cite(c, "PORT", c->name);
	if (alias)
		obs_text(c->o, c->port, FIELD_ALIAS, span_of(alias));
	if (fec)
		obs_text(c->o, c->port, FIELD_FEC, span_of(fec));
	c->bound = sonic_rows_bound(c);
	tell_qos(c);
	tell_queues(c);
	tell_buffers(c);
	tell_cable(c);
	cite(c, entry(c, "PFC_WD", c->name) ? "PFC_WD" : "PORT", c->name);
	unwatched = watchdog_reason(c, reason);
	if (unwatched)
		obs_unknown(c->o, c->port, FIELD_PFC_WATCHDOG, 0, unwatched);
	else
		obs_bool(c->o, c->port, FIELD_PFC_WATCHDOG, 0, is_watched(c));
	if (!unwatched)
		tell_watchdog_action(c);
	json_decref(c->bound);
}

/* Whether more of it follows where it ended: a bracket too many, and what is read is a part. */
static bool goes_on(struct span text, size_t end)
{
	while (end < text.n && strchr(" \t\r\n", text.p[end]))
		end++;
	return end < text.n && strchr(",\"]}", text.p[end]);
}

/* A JSON object from the first line that begins one: what stands before it is a warning of the tool. */
static json_t *load(struct span text)
{
	struct span rest = text, line;

	while (span_line(&rest, &line)) {
		json_error_t error;
		json_t *json;

		if (!span_starts(line, "{"))
			continue;
		text = (struct span){ line.p, (size_t)(text.p + text.n - line.p) };
		json = json_loadb(text.p, text.n, JSON_DISABLE_EOF_CHECK, &error);
		if (!json || !goes_on(text, (size_t)error.position))
			return json;
		json_decref(json);
		return NULL;
	}
	return NULL;
}

static void split_reply(struct span text, struct span *running, struct span *saved)
{
	struct span rest = text, line;

	*running = text;
	*saved = (struct span){ NULL, 0 };
	while (span_line(&rest, &line)) {
		if (!span_is(line, SONIC_SAVED_MARK))
			continue;
		*running = (struct span){ text.p, (size_t)(line.p - text.p) };
		*saved = (struct span){ rest.p ? rest.p : "", rest.n };
		return;
	}
}

json_t *sonic_running(struct span reply)
{
	struct span running, saved;
	json_t *root;

	split_reply(reply, &running, &saved);
	root = load(running);
	if (json_is_object(root))
		return root;
	json_decref(root);
	return NULL;
}

static void tell_saved(const json_t *running, struct span text, struct obs *o)
{
	json_t *saved = load(text);

	o->cite = CITE_NONE;
	if (saved)
		obs_bool(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, json_equal(running, saved));
	else
		obs_unknown(o, OBS_DEVICE, FIELD_CONFIG_SAVED, 0, "/etc/sonic/config_db.json could not be read");
	json_decref(saved);
}

static bool is_absurd(const json_t *root)
{
	return json_object_size(json_object_get(root, "PORT")) > PORTS_MAX ||
	       json_object_size(json_object_get(root, "QUEUE")) > ROWS_MAX ||
	       json_object_size(json_object_get(root, "BUFFER_PG")) > ROWS_MAX;
}

size_t sonic_config(const struct answer *a, struct obs *o)
{
	struct span running, saved;
	struct sonic_config c = { .o = o };
	const char *key;
	json_t *row, *root;

	if (a->is_partial)
		return 0;
	split_reply(a->text, &running, &saved);
	root = load(running);
	c.root = root;
	c.text = running;
	if (is_absurd(root)) {
		json_decref(root);
		return 0;
	}
	c.hostname = member(entry(&c, "DEVICE_METADATA", "localhost"), "hostname");
	if (c.hostname) {
		cite(&c, "DEVICE_METADATA", "localhost");
		obs_text(o, OBS_DEVICE, FIELD_HOSTNAME, span_of(c.hostname));
	}
	sonic_find_unread(&c);
	json_object_foreach(json_object_get(root, "PORT"), key, row) {
		c.name = key;
		c.port = sonic_port(o, span_of(key));
		if (c.port != OBS_DEVICE)
			tell_port(&c, row);
	}
	if (saved.p && root)
		tell_saved(root, saved, o);
	json_decref(root);
	return o->n;
}
