#include "remote/sonic/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/sonic/editor.h"
#include "remote/sonic/rows.h"
#include "remote/sonic/settings.h"
#include "remote/sonic/sonic.h"

#define MTU_LEAST	68
#define MTU_MOST	9216

/* -- maps -- */

static const struct binding {
	enum field field;
	const char *member, *table;
} bindings[] = {
	{ FIELD_DSCP_PRIO, "dscp_to_tc_map", "DSCP_TO_TC_MAP" },
	{ FIELD_TC_QUEUE, "tc_to_queue_map", "TC_TO_QUEUE_MAP" },
	{ FIELD_PRIO_PG, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP" },
	{ FIELD_PFC_QUEUE, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE" },
};
#define N_BINDINGS	(sizeof(bindings) / sizeof(*bindings))

static const struct binding *binding_of(enum field f)
{
	for (size_t i = 0; i < N_BINDINGS; i++)
		if (bindings[i].field == f)
			return &bindings[i];
	return NULL;
}

bool sonic_set_in_map(struct shop *s, enum field f, unsigned index, uint64_t to)
{
	const struct binding *b = binding_of(f);
	const char *global = b->field == FIELD_DSCP_PRIO ? sonic_member(s->db, "PORT_QOS_MAP", "global", b->member) : NULL;
	char name[64], key[8];
	struct sonic_ref *wish;

	snprintf(name, sizeof(name), WISH_PREFIX "%.24s", s->port);
	wish = sonic_ref_of(&s->wishes, s->db, "PORT_QOS_MAP", s->port, b->member, b->table, global, name, s->err);
	if (!wish)
		return false;
	sonic_need_row(s->db, "PORT_QOS_MAP", s->port);
	snprintf(key, sizeof(key), "%u", index);
	sonic_set_number(wish->content, key, to);
	return true;
}

static bool edit_map(struct shop *s, const struct edit *e)
{
	return sonic_set_in_map(s, e->field, e->index, e->want.n);
}

/* Which marking decides is which map is bound: the one that most ports have. */
static bool bind_usual(struct shop *s, const char *member, const char *table)
{
	const char *usual = sonic_ref_most_used(s->db, "PORT_QOS_MAP", member, "");
	char name[64];

	if (sonic_member(s->db, "PORT_QOS_MAP", s->port, member))
		return true;
	if (!usual || !sonic_reference(usual, name))
		return err_set(s->err, "no port has a %s that %s could use; \"fabcon emit sonic\" creates one", member, s->port);
	sonic_need_row(s->db, "PORT_QOS_MAP", s->port);
	sonic_ref_refer(s->db, "PORT_QOS_MAP", s->port, member, table, name);
	return true;
}

static bool edit_trust(struct shop *s, const struct edit *e)
{
	bool by_dscp = e->want.n == TRUST_DSCP || e->want.n == TRUST_BOTH;
	bool by_dot1p = e->want.n == TRUST_PCP || e->want.n == TRUST_BOTH;

	if (by_dscp && !bind_usual(s, "dscp_to_tc_map", "DSCP_TO_TC_MAP"))
		return false;
	if (by_dot1p && !bind_usual(s, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP"))
		return false;
	if (!by_dscp)
		sonic_clear_member(s->db, "PORT_QOS_MAP", s->port, "dscp_to_tc_map");
	if (!by_dot1p)
		sonic_clear_member(s->db, "PORT_QOS_MAP", s->port, "dot1p_to_tc_map");
	return true;
}

/* -- the port itself -- */

static bool edit_mtu(struct shop *s, const struct edit *e)
{
	uint64_t headers = sonic_frame_bytes(0);
	char channel[SONIC_CHANNEL_NAME];

	if (sonic_channel_of(s->db, s->port, channel) != SONIC_IN_NO_CHANNEL)
		return err_set(s->err, "the MTU of %s comes from its port channel%s%s and applies to all members", s->port, *channel ? " " : "",
			       channel);
	if (e->want.n < MTU_LEAST + headers || e->want.n > MTU_MOST + headers)
		return err_set(s->err, "SONiC allows frames of %llu to %llu bytes", (unsigned long long)(MTU_LEAST + headers),
			       (unsigned long long)(MTU_MOST + headers));
	sonic_set_number(sonic_row(s->db, "PORT", s->port), "mtu", e->want.n - headers);
	return true;
}

static bool edit_up(struct shop *s, const struct edit *e)
{
	const char *word = e->want.n ? "up" : "down", *now = sonic_member(s->db, "PORT", s->port, "admin_status");

	if (now && !strcmp(now, word))
		return err_set(s->err, "%s is already set to %s: the link has another problem", s->port, word);
	sonic_set_text(sonic_row(s->db, "PORT", s->port), "admin_status", word);
	return true;
}

/* -- the table -- */

#define OF_PORT		1u	/* which rows an edit reads and writes, for sonic_part() */
#define OF_QOS		2u
#define OF_PFC		4u
#define OF_QUEUE	8u

static const struct editor {
	enum field field;
	bool (*edit)(struct shop *s, const struct edit *e);
	unsigned of;
	const char *member, *table, *names;	/* what it may share with other rows: table|… member names one of names */
} editors[] = {
	{ FIELD_MTU,          edit_mtu,             OF_PORT, NULL, NULL, NULL },
	{ FIELD_UP,           edit_up,              OF_PORT, NULL, NULL, NULL },
	{ FIELD_TRUST,        edit_trust,           OF_QOS, NULL, NULL, NULL },
	{ FIELD_DSCP_PRIO,    edit_map,             OF_QOS, "dscp_to_tc_map", "PORT_QOS_MAP", "DSCP_TO_TC_MAP" },
	{ FIELD_TC_QUEUE,     edit_map,             OF_QOS, "tc_to_queue_map", "PORT_QOS_MAP", "TC_TO_QUEUE_MAP" },
	{ FIELD_PRIO_PG,      edit_map,             OF_QOS, "tc_to_pg_map", "PORT_QOS_MAP", "TC_TO_PRIORITY_GROUP_MAP" },
	{ FIELD_PFC_QUEUE,    edit_map,             OF_QOS, "pfc_to_queue_map", "PORT_QOS_MAP", "MAP_PFC_PRIORITY_TO_QUEUE" },
	{ FIELD_PFC_ON,       sonic_edit_pfc,       OF_QOS | OF_PFC, "tc_to_pg_map", "PORT_QOS_MAP", "TC_TO_PRIORITY_GROUP_MAP" },
	{ FIELD_PFC_WATCHDOG, sonic_edit_watchdog,  OF_QOS | OF_PFC, NULL, NULL, NULL },
	{ FIELD_ETS_ALGO,     sonic_edit_algo,      OF_QUEUE, "scheduler", "QUEUE", "SCHEDULER" },
	{ FIELD_ETS_SHARE,    sonic_edit_share,     OF_QUEUE, "scheduler", "QUEUE", "SCHEDULER" },
	{ FIELD_ECN_ON,       sonic_edit_ecn,       OF_QUEUE, "wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_KMIN,     sonic_edit_threshold, OF_QUEUE, "wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_KMAX,     sonic_edit_threshold, OF_QUEUE, "wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_PMAX,     sonic_edit_threshold, OF_QUEUE, "wred_profile", "QUEUE", "WRED_PROFILE" },
};

static const struct editor *editor_of(enum field f)
{
	for (size_t i = 0; i < sizeof(editors) / sizeof(*editors); i++)
		if (editors[i].field == f)
			return &editors[i];
	return NULL;
}

bool sonic_can_set(enum field f, bool of_port)
{
	return of_port ? editor_of(f) != NULL : f == FIELD_CONFIG_SAVED;
}

/* Its running configuration is left as it is: saving is what each step ends with. */
static bool is_saving(const struct edit *e)
{
	return !e->port && e->field == FIELD_CONFIG_SAVED && e->want.n;
}

/*
 * A row of several ports, or of a VOQ chassis, is not changed for one of them, nor another written beside it. Of queues, that
 * several ports have the row is asked where it is known which queue.
 */
static bool is_alone(struct shop *s, const struct edit *e, unsigned of)
{
	const char *table = of & OF_QOS ? "PORT_QOS_MAP" : of & OF_QUEUE ? "QUEUE" : NULL;
	const char *key = table ? sonic_shared_key(s->db, table, e->port) : NULL;
	bool is_list = key && strchr(key, ',');

	return !key || (is_list && of & OF_QUEUE) ||
	       err_set(s->err, "%s|%.80s is %s: change it on the switch", table, key,
		       is_list ? "one row for several ports" : "a row of a VOQ chassis");
}

static bool edit_one(struct shop *s, const struct edit *e)
{
	const struct editor *editor = editor_of(e->field);

	if (!editor || e->index >= field_table[e->field].width || e->want.is != VALUE_KNOWN)
		return err_set(s->err, "%s cannot be set on SONiC", field_table[e->field].name);
	if (!sonic_row(s->db, "PORT", e->port))
		return err_set(s->err, "PORT|%.63s is not in the configuration", e->port);
	s->port = e->port;
	return is_alone(s, e, editor->of) && editor->edit(s, e);
}

/* All edits of one port, from the first on; how many they were in *n. Shares and lists are settled together. */
static bool edit_port(struct shop *s, const struct edit *edits, size_t n, size_t *done)
{
	const char *port = edits->port;

	s->has_share = s->pfc_on = s->pfc_off = 0;
	for (*done = 0; *done < n && edits[*done].port && !strcmp(edits[*done].port, port); ++*done)
		if (!edit_one(s, &edits[*done]))
			return false;
	return sonic_settle_pfc(s) && sonic_settle_shares(s);
}

bool sonic_edit(json_t *db, const struct edit *edits, size_t n, struct err *err)
{
	struct shop s = { .db = db, .err = err };
	bool done = true;
	size_t many;

	for (size_t i = 0; done && i < n; i += many) {
		many = 1;
		if (is_saving(&edits[i]))
			continue;
		done = edits[i].port ? edit_port(&s, &edits[i], n - i, &many) :
		       err_set(err, "%s of the switch cannot be set", field_table[edits[i].field].name);
	}
	if (done && sonic_thresholds_fit(&s))
		sonic_refs_settle(&s.wishes, db);
	else
		done = false;
	sonic_refs_done(&s.wishes);
	return done;
}

/* -- the part that edits concern -- */

static void take(json_t *part, const json_t *db, const char *table, const char *key, const char *field)
{
	json_t *row = json_object_get(json_object_get(db, table), key), *value = field ? json_object_get(row, field) : NULL;

	if (!row || (field && !value))
		return;
	if (field)
		json_object_set(sonic_need_row(part, table, key), field, value);
	else
		json_object_update(sonic_need_row(part, table, key), row);
}

/* Rows of the port in a table that is keyed "Ethernet0|3". */
static void take_rows(json_t *part, const json_t *db, const char *table, const char *port)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(db, table), key, row) {
		unsigned first, last;

		if (sonic_row_key(key, port, &first, &last))
			take(part, db, table, key, NULL);
	}
}

/* Whether rows of other ports than those in the part refer to it too. */
static bool has_others(const json_t *part, const json_t *db, const struct editor *e, const char *name)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(db, e->table), key, row) {
		const char *text = json_string_value(json_object_get(row, e->member));
		char plain[64];

		if (text && sonic_reference(text, plain) && !strcmp(plain, name) &&
		    !json_object_get(json_object_get(part, e->table), key))
			return true;
	}
	return false;
}

/*
 * What the part's rows name by that member; and whether others would be changed with it, under a table that is none. Who
 * shares what was made by us does not matter: it comes and goes with the ports that are set.
 */
static void take_shared(json_t *part, const json_t *db, const struct editor *e)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(part, e->table), key, row) {
		const char *text = json_string_value(json_object_get(row, e->member));
		char name[64], of[160];

		if (!text || !sonic_reference(text, name))
			continue;
		take(part, db, e->names, name, NULL);
		snprintf(of, sizeof(of), "%s|%s", e->names, name);
		if (strncmp(name, WISH_PREFIX, strlen(WISH_PREFIX)) != 0)
			sonic_set_text(sonic_need_row(part, SONIC_USERS, of), "users", has_others(part, db, e, name) ? "others too" : "these");
	}
}

static void take_shared_row(json_t *part, const json_t *db, const char *table, const char *port)
{
	const char *key = sonic_shared_key(db, table, port);

	if (key)
		take(part, db, table, key, NULL);
}

static void take_port(json_t *part, const json_t *db, const struct edit *e, unsigned of)
{
	if (of & OF_PORT)
		take(part, db, "PORT", e->port, e->field == FIELD_MTU ? "mtu" : "admin_status");
	if (of & OF_QOS) {
		take(part, db, "PORT_QOS_MAP", e->port, NULL);
		take(part, db, "PORT_QOS_MAP", "global", NULL);
		take_shared_row(part, db, "PORT_QOS_MAP", e->port);
	}
	if (of & OF_PFC) {
		take_rows(part, db, "BUFFER_PG", e->port);
		take(part, db, "PFC_WD", e->port, NULL);
		take(part, db, "PFC_WD", "GLOBAL", NULL);
		take(part, db, "FLEX_COUNTER_TABLE", "PFCWD", NULL);
	}
	if (of & OF_QUEUE) {
		take_rows(part, db, "QUEUE", e->port);
		take_shared_row(part, db, "QUEUE", e->port);
	}
}

json_t *sonic_part(const json_t *db, const struct edit *edits, size_t n)
{
	json_t *part = json_object();

	for (size_t i = 0; i < n; i++) {
		const struct editor *editor = edits[i].port ? editor_of(edits[i].field) : NULL;

		if (editor)
			take_port(part, db, &edits[i], editor->of);
	}
	for (size_t i = 0; i < n; i++) {
		const struct editor *editor = edits[i].port ? editor_of(edits[i].field) : NULL;

		if (editor && editor->member)
			take_shared(part, db, editor);
	}
	return part;
}
