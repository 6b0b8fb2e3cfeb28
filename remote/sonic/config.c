/*
 * SONiC's CONFIG_DB as JSON: maps and profiles first, then which port uses which. Old releases refer to them as
 * "[DSCP_TO_TC_MAP|AZURE]", new ones as "AZURE". What is referred to and not there is unknown with that reason.
 *
 * Not told: buffer.xoff. SONiC's xoff is the headroom behind a threshold that moves with the free pool, not the fill at
 * which pause is sent.
 */
#include "remote/sonic/sonic.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/sonic/settings.h"

#define PORTS_MAX	1024		/* more ports or rows than any switch has are not believed */
#define ROWS_MAX	16384
#define CITE_WINDOW	(256u << 10)	/* bytes of a table that are looked through for an entry */
#define MTU_DEFAULT	9100		/* of a port without the member (portmgr) */
#define FRAME_HEADERS	(14 + 4 + 4)	/* Ethernet, FCS, VLAN tag: orchagent adds them (setPortMtu) */

uint64_t sonic_frame_bytes(uint64_t mtu)
{
	return mtu + FRAME_HEADERS;
}

struct config {
	struct span text;
	const json_t *root;
	struct obs *o;
	const char *name;	/* of the port being told */
	uint16_t port;
	const char *hostname;	/* NULL: it does not say */
	json_t *bound;		/* owned; what PORT_QOS_MAP binds to the port, in all its rows together */
	const char *unread_qos, *unread_queue;	/* a key of that table whose ports nobody can tell; NULL: none */
	struct {
		const char *name, *at;
	} tables[16];		/* where each cited table begins in text */
	size_t n_tables;
};

static const json_t *entry(const struct config *c, const char *table, const char *key)
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

static const char *table_begins(struct config *c, const char *table)
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
static void cite(struct config *c, const char *table, const char *key)
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

static void field_unknown(struct config *c, enum field f, const char *reason)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		obs_unknown(c->o, c->port, f, i, reason);
}

static void all_unknown(struct config *c, enum field f, const char *table, const char *name)
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
	{ "tc_to_queue_map", "TC_TO_QUEUE_MAP", FIELD_TC_QUEUE, "no tc_to_queue_map is bound: the ASIC has a default" },
	{ "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", FIELD_PRIO_PG, "no tc_to_pg_map is bound: the ASIC has a default" },
	{ "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", FIELD_PFC_QUEUE, NULL },
};

static void tell_map(struct config *c, const struct binding *b, const json_t *bound)
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

/* -- keys -- */

static bool is_own(const struct config *c, const struct sonic_key *k)
{
	return !k->host.n || (c->hostname && span_is(k->host, c->hostname));
}

/* Ports that are there, or those that PORT has not: of a port channel, to the CPU, "global". */
static bool are_known_ports(const struct config *c, struct span list)
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
		if (!json_object_get(ports, name) && !span_starts(one, "PortChannel") && !span_is(one, "global") && !span_is(one, "CPU"))
			return false;
	}
	return true;
}

/* The first key that may be of any port: then what no row says is not "no". */
static const char *unread_key(const struct config *c, const char *table, bool has_range)
{
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)json_object_get(c->root, table), key, row) {
		struct sonic_key k;

		if (!sonic_key_cut(key, has_range, &k) || (k.host.n && !c->hostname) || (is_own(c, &k) && !are_known_ports(c, k.ports)))
			return key;
	}
	return NULL;
}

static const char *unread_reason(const char *table, const char *key, char reason[128])
{
	snprintf(reason, 128, "whose the row %s|%.60s is was not understood", table, key);
	return reason;
}

/* Of several rows the port's own counts. */
static json_t *rows_bound(const struct config *c)
{
	json_t *bound = json_object(), *row;
	const char *key;

	json_object_foreach((json_t *)json_object_get(c->root, "PORT_QOS_MAP"), key, row) {
		struct sonic_key k;

		if (sonic_key_cut(key, false, &k) && is_own(c, &k) && sonic_key_names(&k, c->name))
			json_object_update(bound, row);
	}
	json_object_update(bound, (json_t *)entry(c, "PORT_QOS_MAP", c->name));
	return bound;
}

/* Whether a row of queues or groups is the port's. */
static bool is_row_of(const struct config *c, const char *key, unsigned *first, unsigned *last)
{
	struct sonic_key k;

	if (!sonic_key_cut(key, true, &k) || !is_own(c, &k) || !sonic_key_names(&k, c->name) || k.first > 7)
		return false;
	*first = k.first;
	*last = k.last > 7 ? 7 : k.last;
	return true;
}

/* A lossy profile: it reserves nothing, and has no headroom of its own nor one that is computed. */
static bool is_lossy(const json_t *profile)
{
	uint64_t size;

	return number_of(profile, "size", &size) && size == 0 && !json_object_get(profile, "xoff") &&
	       !json_object_get(profile, "headroom_type");
}

/* Priority groups with a lossy buffer profile: they send no pause. */
static unsigned lossy_groups(const struct config *c)
{
	const json_t *table = json_object_get(c->root, "BUFFER_PG");
	const char *key;
	unsigned set = 0;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		const char *text = member(row, "profile");
		unsigned first, last;
		char name[64];

		if (!is_row_of(c, key, &first, &last) || !text || !sonic_reference(text, name))
			continue;
		for (unsigned i = first; is_lossy(entry(c, "BUFFER_PROFILE", name)) && i <= last; i++)
			set |= 1u << i;
	}
	return set;
}

/* Whether pause is on for a priority whose group sends none. */
static bool is_lossy_there(const struct config *c, const json_t *bound, unsigned priority, unsigned lossy)
{
	const char digit[] = { (char)('0' + priority), '\0' }, *text = member(bound, "tc_to_pg_map");
	char name[64];
	uint64_t group;

	return text && sonic_reference(text, name) && number_of(entry(c, "TC_TO_PRIORITY_GROUP_MAP", name), digit, &group) &&
	       group < 8 && lossy >> group & 1;
}

/* What PORT_QOS_MAP binds; a DSCP map under "global" is the switch's, for ports that have none of their own. */
static void tell_qos(struct config *c)
{
	const json_t *bound = c->bound, *global = entry(c, "PORT_QOS_MAP", "global");
	const char *enabled = member(bound, "pfc_enable");
	bool by_dscp = member(bound, "dscp_to_tc_map"), by_dot1p = member(bound, "dot1p_to_tc_map");
	bool by_global = !by_dscp && !by_dot1p && member(global, "dscp_to_tc_map");
	unsigned lossy = enabled ? lossy_groups(c) : 0;
	uint64_t on = 0;
	char reason[128];

	cite(c, json_object_size(bound) || by_global ? "PORT_QOS_MAP" : "PORT", by_global ? "global" : c->name);
	if (!by_dscp && !by_dot1p && c->unread_qos)
		obs_unknown(c->o, c->port, FIELD_TRUST, 0, unread_reason("PORT_QOS_MAP", c->unread_qos, reason));
	else
		obs_number(c->o, c->port, FIELD_TRUST, 0, by_dscp || by_global ? TRUST_DSCP : by_dot1p ? TRUST_PCP : TRUST_NONE);
	if (by_global)
		tell_map(c, &bindings[0], global);
	for (unsigned i = 0; i < 8; i++) {
		if (!sonic_priority_set(enabled ? enabled : "", &on))
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, "pfc_enable is not a list of priorities");
		else if (!enabled && c->unread_qos)
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, unread_reason("PORT_QOS_MAP", c->unread_qos, reason));
		else if (on >> i & 1 && is_lossy_there(c, bound, i, lossy))
			obs_unknown(c->o, c->port, FIELD_PFC_ON, i, "its priority group has a lossy buffer profile");
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
	uint64_t weight;
};

static void find_queues(struct config *c, struct queue queues[8])
{
	const json_t *table = json_object_get(c->root, "QUEUE");
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		unsigned first, last;

		if (!is_row_of(c, key, &first, &last))
			continue;
		for (unsigned i = first; i <= last; i++)
			queues[i] = (struct queue){ .key = key, .row = row };
	}
}

/* "ecn_all", "ecn_green", "ecn_green_yellow" …: untouched traffic is green. */
static bool marks_green(const char *mode)
{
	return mode && (strcmp(mode, "ecn_all") == 0 || strstr(mode, "green"));
}

static void tell_ecn(struct config *c, unsigned i, const struct queue *queue)
{
	const char *text = member(queue->row, "wred_profile");
	const json_t *profile;
	char name[64], reason[128];
	uint64_t n;

	if (!text || !sonic_reference(text, name)) {
		if (c->unread_queue)
			obs_unknown(c->o, c->port, FIELD_ECN_ON, i, unread_reason("QUEUE", c->unread_queue, reason));
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

static void tell_algorithm(struct config *c, unsigned i, struct queue *queue)
{
	const char *text = member(queue->row, "scheduler"), *type;
	const json_t *scheduler;
	char name[64];

	if (!text || !sonic_reference(text, name))
		return;
	scheduler = entry(c, "SCHEDULER", name);
	type = member(scheduler, "type");
	if (!type)
		return;
	if (strcmp(type, "STRICT") == 0) {
		obs_number(c->o, c->port, FIELD_ETS_ALGO, i, ETS_STRICT);
	} else if (strcmp(type, "DWRR") == 0 || strcmp(type, "WRR") == 0) {
		obs_number(c->o, c->port, FIELD_ETS_ALGO, i, ETS_ETS);
		queue->is_weighted = number_of(scheduler, "weight", &queue->weight) && queue->weight <= 100;
	}
}

/*
 * Weights are relative; a share is a weight's part of all of the port's. Rounding goes to the running sum, so that the
 * shares add up to 100.
 */
static void tell_shares(struct config *c, const struct queue queues[8])
{
	uint64_t total = 0, sum = 0, given = 0;

	for (unsigned i = 0; i < 8; i++)
		total += queues[i].is_weighted ? queues[i].weight : 0;
	for (unsigned i = 0; i < 8 && total > 0; i++) {
		uint64_t upto;

		if (!queues[i].is_weighted)
			continue;
		sum += queues[i].weight;
		upto = (sum * 100 + total / 2) / total;
		cite(c, "QUEUE", queues[i].key);
		obs_number(c->o, c->port, FIELD_ETS_SHARE, i, upto - given);
		given = upto;
	}
	if (total > 0)
		obs_bool(c->o, c->port, FIELD_ETS_ON, 0, true);
}

static void tell_queues(struct config *c)
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

static void tell_buffers(struct config *c)
{
	const json_t *table = json_object_get(c->root, "BUFFER_PG");
	const char *key;
	json_t *row;

	json_object_foreach((json_t *)table, key, row) {
		const char *text = member(row, "profile");
		unsigned first, last;
		char name[64];
		uint64_t size;

		if (!is_row_of(c, key, &first, &last) || !text || !sonic_reference(text, name))
			continue;
		if (!number_of(entry(c, "BUFFER_PROFILE", name), "size", &size))
			continue;
		cite(c, "BUFFER_PG", key);
		for (unsigned i = first; i <= last; i++)
			obs_number(c->o, c->port, FIELD_BUFFER_SIZE, i, size);
	}
}

static void tell_cable(struct config *c)
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
static bool is_watched(const struct config *c)
{
	const json_t *bound = c->bound;
	const char *enabled = member(bound, "pfc_enable"), *guarded = member(bound, "pfcwd_sw_enable");
	uint64_t detect_ms, on = 0, of = 0;

	if (!number_of(entry(c, "PFC_WD", c->name), "detection_time", &detect_ms) || detect_ms == 0 ||
	    is_word(entry(c, "FLEX_COUNTER_TABLE", "PFCWD"), "FLEX_COUNTER_STATUS", "disable"))
		return false;
	return !guarded || !enabled || (sonic_priority_set(enabled, &on) && sonic_priority_set(guarded, &of) && (on & ~of) == 0);
}

static void tell_port(struct config *c, const json_t *row)
{
	const char *alias = member(row, "alias"), *fec = member(row, "fec");
	uint64_t n;

	cite(c, "PORT", c->name);
	if (number_of(row, "speed", &n) && n <= 10000000)
		obs_number(c->o, c->port, FIELD_SPEED, 0, n * 1000000);	/* CONFIG_DB counts Mb/s */
	if (!number_of(row, "mtu", &n))
		n = MTU_DEFAULT;
	if (n <= 65535)
		obs_number(c->o, c->port, FIELD_MTU, 0, sonic_frame_bytes(n));
	if (alias)
		obs_text(c->o, c->port, FIELD_ALIAS, span_of(alias));
	if (fec)
		obs_text(c->o, c->port, FIELD_FEC, span_of(fec));
	c->bound = rows_bound(c);
	tell_qos(c);
	tell_queues(c);
	tell_buffers(c);
	tell_cable(c);
	cite(c, entry(c, "PFC_WD", c->name) ? "PFC_WD" : "PORT", c->name);
	obs_bool(c->o, c->port, FIELD_PFC_WATCHDOG, 0, is_watched(c));
	json_decref(c->bound);
}

/* A JSON object from the first line that begins one: what stands before it is a warning of the tool. */
static json_t *load(struct span text)
{
	struct span rest = text, line;

	while (span_line(&rest, &line)) {
		if (!span_starts(line, "{"))
			continue;
		return json_loadb(line.p, (size_t)(text.p + text.n - line.p), JSON_DISABLE_EOF_CHECK, NULL);
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
	struct config c = { .o = o };
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
	c.unread_qos = unread_key(&c, "PORT_QOS_MAP", false);
	c.unread_queue = unread_key(&c, "QUEUE", true);
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
