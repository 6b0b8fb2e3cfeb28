#include "remote/sonic_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/sonic.h"
#include "remote/sonic_rows.h"
#include "remote/sonic_setup.h"
#include "remote/sonic_wish.h"

#define QUEUES	8
#define MTU_LEAST	68
#define MTU_MOST	9216

/* The port that is being edited. */
struct shop {
	json_t *db;
	const char *port;
	struct wishes wishes;
	uint64_t shares[QUEUES];	/* wanted, in % */
	unsigned has_share;		/* bit set of queues */
	unsigned pfc_on, pfc_off;	/* bit sets of priorities, wanted so */
	struct err *err;
};

static void set_text(json_t *row, const char *field, const char *text)
{
	json_object_set_new(row, field, json_string(text));
}

static void set_number(json_t *row, const char *field, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	set_text(row, field, text);
}

static bool number_of(const json_t *row, const char *field, uint64_t *out)
{
	const char *text = json_string_value(json_object_get(row, field));

	return text && span_u64(span_of(text), out);
}

/* ---- maps ---- */

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

static bool set_in_map(struct shop *s, const struct binding *b, unsigned index, uint64_t to)
{
	const char *global = b->field == FIELD_DSCP_PRIO ? sonic_member(s->db, "PORT_QOS_MAP", "global", b->member) : NULL;
	char name[64], key[8];
	struct wish *wish;

	snprintf(name, sizeof(name), WISH_PREFIX "%.24s", s->port);
	wish = wish_of(&s->wishes, s->db, "PORT_QOS_MAP", s->port, b->member, b->table, global, name, s->err);
	if (!wish)
		return false;
	sonic_need_row(s->db, "PORT_QOS_MAP", s->port);
	snprintf(key, sizeof(key), "%u", index);
	set_number(wish->content, key, to);
	return true;
}

static bool edit_map(struct shop *s, const struct edit *e)
{
	return set_in_map(s, binding_of(e->field), e->index, e->want.n);
}

/* Which marking decides is which map is bound: the one that most ports have. */
static bool bind_usual(struct shop *s, const char *member, const char *table)
{
	const char *usual = wish_most_used(s->db, "PORT_QOS_MAP", member, "");
	char name[64];

	if (sonic_member(s->db, "PORT_QOS_MAP", s->port, member))
		return true;
	if (!usual || !sonic_reference(usual, name))
		return err_set(s->err, "no port has a %s that %s could take; \"fabcon emit sonic\" makes one", member, s->port);
	sonic_need_row(s->db, "PORT_QOS_MAP", s->port);
	wish_refer(s->db, "PORT_QOS_MAP", s->port, member, table, name);
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

/* ---- PFC: the priority, its priority group's buffer, and the watchdog's eye ---- */

static bool is_lossless(json_t *db, const char *profile)
{
	char name[64];
	json_t *row;
	uint64_t size;

	if (!profile || !sonic_reference(profile, name))
		return false;
	row = sonic_row(db, "BUFFER_PROFILE", name);
	return row && (!number_of(row, "size", &size) || size > 0 || json_object_get(row, "xoff") ||
		       json_object_get(row, "headroom_type"));
}

/* The buffer profile of the port's priority group, or NULL. */
static const char *profile_of(struct shop *s, unsigned group)
{
	const char *key;
	json_t *row;

	json_object_foreach(json_object_get(s->db, "BUFFER_PG"), key, row) {
		unsigned first, last;

		if (sonic_row_key(key, s->port, &first, &last) && group >= first && group <= last)
			return json_string_value(json_object_get(row, "profile"));
	}
	return NULL;
}

/* "100000" and "5m": two ports with the same of both have buffers of one size. */
static bool same_line(struct shop *s, const char *other)
{
	const char *mine = sonic_member(s->db, "PORT", s->port, "speed"), *its = sonic_member(s->db, "PORT", other, "speed");
	const char *key;
	json_t *row;

	if (!mine || !its || strcmp(mine, its))
		return false;
	json_object_foreach(json_object_get(s->db, "CABLE_LENGTH"), key, row)
		if (!json_equal(json_object_get(row, s->port), json_object_get(row, other)))
			return false;
	return true;
}

/* Of another lossless group of this port, else of a port with the same speed and cable. */
static const char *lossless_profile(struct shop *s)
{
	const char *key, *found = NULL;
	json_t *row;

	for (unsigned i = 0; i < QUEUES; i++)
		if (is_lossless(s->db, profile_of(s, i)))
			return profile_of(s, i);
	json_object_foreach(json_object_get(s->db, "BUFFER_PG"), key, row) {
		const char *text = json_string_value(json_object_get(row, "profile"));
		char other[64];

		snprintf(other, sizeof(other), "%.*s", (int)strcspn(key, "|"), key);
		if (is_lossless(s->db, text) && same_line(s, other) && (!found || strcmp(text, found) < 0))
			found = text;
	}
	return found;
}

/*
 * Pause needs a group with headroom. A group that has none gets a lossless profile only where it has no buffer at all yet:
 * what traffic uses now is not changed under it.
 */
static bool make_lossless(struct shop *s, unsigned priority)
{
	const char *map = sonic_member(s->db, "PORT_QOS_MAP", s->port, "tc_to_pg_map"), *profile;
	char name[64], key[80], index[8];
	uint64_t group = priority;

	snprintf(index, sizeof(index), "%u", priority);
	if (!json_object_get(s->db, "BUFFER_PG"))
		return true;	/* buffers are not told in CONFIG_DB here */
	if (!map || !sonic_reference(map, name))
		return err_set(s->err, "%s has no tc_to_pg_map: which buffer priority %u uses is not known", s->port, priority);
	if (!number_of(sonic_row(s->db, "TC_TO_PRIORITY_GROUP_MAP", name), index, &group) || group >= QUEUES)
		group = QUEUES;
	if (group < QUEUES && is_lossless(s->db, profile_of(s, group)))
		return true;
	if (is_lossless(s->db, profile_of(s, priority)))
		return set_in_map(s, binding_of(FIELD_PRIO_PG), priority, priority);
	profile = lossless_profile(s);
	if (profile_of(s, priority))
		return err_set(s->err, "priority group %u of %s has a lossy buffer: it is not changed under traffic", priority, s->port);
	if (!profile)
		return err_set(s->err, "no lossless buffer profile for the speed and cable of %s is in the configuration", s->port);
	snprintf(key, sizeof(key), "%.63s|%u", s->port, priority);
	set_text(sonic_need_row(s->db, "BUFFER_PG", key), "profile", profile);
	return group == priority || set_in_map(s, binding_of(FIELD_PRIO_PG), priority, priority);
}

/* Priorities join and leave "3,4"; a list that becomes empty goes. */
static bool put_priorities(struct shop *s, const char *member)
{
	const char *text = sonic_member(s->db, "PORT_QOS_MAP", s->port, member);
	struct buf list = { NULL };
	uint64_t set = 0;

	if (text && !sonic_priority_set(text, &set))
		return err_set(s->err, "PORT_QOS_MAP|%s %s is not a list of priorities", s->port, member);
	set = (set | s->pfc_on) & ~(uint64_t)s->pfc_off;
	for (unsigned i = 0; i < 8; i++)
		if (set >> i & 1)
			buf_printf(&list, "%s%u", list.n ? "," : "", i);
	if (list.n)
		set_text(sonic_need_row(s->db, "PORT_QOS_MAP", s->port), member, list.text);
	else
		sonic_clear_member(s->db, "PORT_QOS_MAP", s->port, member);
	buf_done(&list);
	return true;
}

static bool edit_pfc(struct shop *s, const struct edit *e)
{
	if (e->want.n && !make_lossless(s, e->index))
		return false;
	*(e->want.n ? &s->pfc_on : &s->pfc_off) |= 1u << e->index;
	return true;
}

/* The watchdog guards what pauses, where it is told by priority. */
static bool settle_pfc(struct shop *s)
{
	if (!s->pfc_on && !s->pfc_off)
		return true;
	if (sonic_member(s->db, "PORT_QOS_MAP", s->port, "pfcwd_sw_enable") && !put_priorities(s, "pfcwd_sw_enable"))
		return false;
	return put_priorities(s, "pfc_enable");
}

/* The row of a port that is watched; NULL when none is. */
static const json_t *watched(const json_t *db)
{
	const char *key;
	uint64_t detect;
	json_t *row;

	json_object_foreach(json_object_get(db, "PFC_WD"), key, row)
		if (strcasecmp(key, "GLOBAL") != 0 && number_of(row, "detection_time", &detect) && detect)
			return row;
	return NULL;
}

/* As another port has it; else what "pfcwd start_default" gives. Detecting takes at least one poll. */
static void watch(struct shop *s)
{
	const json_t *model = watched(s->db);
	json_t *own = sonic_need_row(s->db, "PFC_WD", s->port);
	uint64_t detect, poll = 0;

	if (number_of(own, "detection_time", &detect) && detect)
		return;
	if (model) {
		json_object_update(own, (json_t *)model);
		return;
	}
	number_of(sonic_row(s->db, "PFC_WD", "GLOBAL"), "POLL_INTERVAL", &poll);
	set_text(own, "action", "drop");
	set_number(own, "detection_time", poll > 200 ? poll : 200);
	set_number(own, "restoration_time", poll > 200 ? poll : 200);
}

static bool edit_watchdog(struct shop *s, const struct edit *e)
{
	const char *guarded = sonic_member(s->db, "PORT_QOS_MAP", s->port, "pfcwd_sw_enable");
	const char *on = sonic_member(s->db, "PORT_QOS_MAP", s->port, "pfc_enable");
	const char *polls = sonic_member(s->db, "FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS");

	if (!e->want.n)
		return err_set(s->err, "the PFC watchdog is not switched off from here");
	watch(s);
	if (guarded && on && strcmp(guarded, on))
		set_text(sonic_row(s->db, "PORT_QOS_MAP", s->port), "pfcwd_sw_enable", on);
	if (polls && !strcmp(polls, "disable"))
		set_text(sonic_row(s->db, "FLEX_COUNTER_TABLE", "PFCWD"), "FLEX_COUNTER_STATUS", "enable");
	return true;
}

/* ---- queues ---- */

/* A row of several queues falls apart into one for each. */
static void split_row(struct shop *s, const char *key, unsigned first, unsigned last)
{
	json_t *rows = json_object_get(s->db, "QUEUE"), *row = json_object_get(rows, key);
	char single[80], *whole = xstrdup(key);

	json_incref(row);
	json_object_del(rows, whole);
	for (unsigned i = first; i <= last; i++) {
		snprintf(single, sizeof(single), "%.63s|%u", s->port, i);
		if (!json_object_get(rows, single))
			json_object_set_new(rows, single, json_deep_copy(row));
	}
	json_decref(row);
	free(whole);
}

/* The key of the one row of this queue; false when it belongs to other ports too. The row need not be there. */
static bool queue_key(struct shop *s, unsigned queue, char out[80])
{
	const char *key;
	json_t *row;

	snprintf(out, 80, "%.63s|%u", s->port, queue);
	json_object_foreach(json_object_get(s->db, "QUEUE"), key, row) {
		unsigned first, last;

		if (!sonic_row_key(key, s->port, &first, &last) || queue < first || queue > last)
			continue;
		if (strchr(key, ','))
			return err_set(s->err, "QUEUE|%.80s is one row for several ports", key);
		if (first != last)
			split_row(s, key, first, last);
		return true;
	}
	return true;
}

static struct wish *queue_wish(struct shop *s, unsigned queue, const char *member, const char *table)
{
	char key[80], name[64];

	if (!queue_key(s, queue, key))
		return NULL;
	snprintf(name, sizeof(name), WISH_PREFIX "%.20s_%u", s->port, queue);
	return wish_of(&s->wishes, s->db, "QUEUE", key, member, table, NULL, name, s->err);
}

static bool bind_wred(struct shop *s, unsigned queue, const char *key)
{
	char ends[8], name[64];
	const char *usual;

	snprintf(ends, sizeof(ends), "|%u", queue);
	usual = wish_most_used(s->db, "QUEUE", "wred_profile", ends);
	if (!usual)
		usual = wish_most_used(s->db, "QUEUE", "wred_profile", "");
	if (!usual || !sonic_reference(usual, name))
		return err_set(s->err, "no queue has a WRED profile that queue %u of %s could take; \"fabcon emit sonic\" makes one",
			       queue, s->port);
	sonic_need_row(s->db, "QUEUE", key);
	wish_refer(s->db, "QUEUE", key, "wred_profile", "WRED_PROFILE", name);
	return true;
}

static bool edit_ecn(struct shop *s, const struct edit *e)
{
	struct wish *wish;
	char key[80];

	if (!queue_key(s, e->index, key))
		return false;
	if (!e->want.n) {
		sonic_clear_member(s->db, "QUEUE", key, "wred_profile");
		return true;
	}
	if (!sonic_member(s->db, "QUEUE", key, "wred_profile") && !bind_wred(s, e->index, key))
		return false;
	wish = queue_wish(s, e->index, "wred_profile", "WRED_PROFILE");
	if (!wish)
		return false;
	set_text(wish->content, "ecn", "ecn_all");
	if (json_object_get(wish->content, "wred_green_enable"))
		set_text(wish->content, "wred_green_enable", "true");
	return true;
}

/* The other colours go with green where they said the same; untouched traffic is green. */
static bool edit_threshold(struct shop *s, const struct edit *e)
{
	static const char *const colours[] = { "green", "yellow", "red" };
	const char *what = e->field == FIELD_ECN_KMIN ? "min_threshold" :
			   e->field == FIELD_ECN_KMAX ? "max_threshold" : "drop_probability";
	struct wish *wish = queue_wish(s, e->index, "wred_profile", "WRED_PROFILE");
	const json_t *is;
	json_t *was;
	char member[40];

	if (!wish)
		return false;
	snprintf(member, sizeof(member), "green_%s", what);
	was = json_incref(json_object_get(wish->content, member));
	for (size_t i = 0; i < 3; i++) {
		snprintf(member, sizeof(member), "%s_%s", colours[i], what);
		is = json_object_get(wish->content, member);
		if (i == 0 || (is && was && json_equal(is, was)))
			set_number(wish->content, member, e->want.n);
	}
	json_decref(was);
	return true;
}

static bool thresholds_fit(struct shop *s)
{
	for (size_t i = 0; i < s->wishes.n; i++) {
		const json_t *content = s->wishes.list[i]->content;
		uint64_t least, most;

		if (number_of(content, "green_min_threshold", &least) && number_of(content, "green_max_threshold", &most) &&
		    least > most)
			return err_set(s->err, "%s: the queue would be marked from %llu bytes on, above its %llu bytes for all",
				       s->wishes.list[i]->key, (unsigned long long)least, (unsigned long long)most);
	}
	return true;
}

/* ---- bandwidth shares ---- */

static bool edit_algo(struct shop *s, const struct edit *e)
{
	struct wish *wish;

	if (e->want.n != ETS_STRICT && e->want.n != ETS_ETS)
		return err_set(s->err, "SONiC's schedulers are strict or weighted");
	wish = queue_wish(s, e->index, "scheduler", "SCHEDULER");
	if (!wish)
		return false;
	set_text(wish->content, "type", e->want.n == ETS_STRICT ? "STRICT" : "DWRR");
	if (e->want.n == ETS_ETS && !json_object_get(wish->content, "weight"))
		set_text(wish->content, "weight", "1");
	return true;
}

static bool edit_share(struct shop *s, const struct edit *e)
{
	if (e->want.n == 0 || e->want.n > 100)
		return err_set(s->err, "a queue's weight is 1 to 100: %llu %% of the bandwidth cannot be had",
			       (unsigned long long)e->want.n);
	s->shares[e->index] = e->want.n;
	s->has_share |= 1u << e->index;
	return true;
}

/* The scheduler of a queue as it is, or as it will be; NULL: none that is there. */
static const json_t *scheduler_of(struct shop *s, unsigned queue)
{
	const char *key, *text;
	char single[80], name[64];
	json_t *row;

	snprintf(single, sizeof(single), "%.63s|%u", s->port, queue);
	for (size_t i = 0; i < s->wishes.n; i++)
		if (!strcmp(s->wishes.list[i]->key, single) && !strcmp(s->wishes.list[i]->field, "scheduler"))
			return s->wishes.list[i]->content;
	json_object_foreach(json_object_get(s->db, "QUEUE"), key, row) {
		unsigned first, last;

		if (!sonic_row_key(key, s->port, &first, &last) || queue < first || queue > last)
			continue;
		text = json_string_value(json_object_get(row, "scheduler"));
		return text && sonic_reference(text, name) ? sonic_row(s->db, "SCHEDULER", name) : NULL;
	}
	return NULL;
}

/* 0: not served by weight. */
static uint64_t weight_of(struct shop *s, unsigned queue)
{
	const json_t *scheduler = scheduler_of(s, queue);
	const char *type = json_string_value(json_object_get(scheduler, "type"));
	uint64_t weight;

	if (!type || !strcmp(type, "STRICT") || !number_of(scheduler, "weight", &weight) || weight > 100)
		return 0;
	return weight;
}

/* Fills in the shares that were not asked for, as the configuration's parser tells them; gives the sum. */
static uint64_t fill_shares(struct shop *s, const uint64_t weight[QUEUES], uint64_t total)
{
	uint64_t upto = 0, given = 0, sum = 0;

	for (unsigned i = 0; i < QUEUES; i++) {
		uint64_t now;

		if (!weight[i])
			continue;
		upto += weight[i];
		now = (upto * 100 + total / 2) / total;
		if (!(s->has_share >> i & 1))
			s->shares[i] = now - given;
		given = now;
		sum += s->shares[i];
	}
	return sum;
}

/* Weights are shares of their sum: with all of them told as percents, those sum up to 100. */
static bool settle_shares(struct shop *s)
{
	uint64_t weight[QUEUES], total = 0, sum;

	if (!s->has_share)
		return true;
	for (unsigned i = 0; i < QUEUES; i++) {
		weight[i] = weight_of(s, i);
		total += weight[i];
		if (!weight[i] && s->has_share >> i & 1)
			return err_set(s->err, "queue %u of %s is not served by weight", i, s->port);
	}
	sum = fill_shares(s, weight, total);
	if (sum != 100)
		return err_set(s->err, "the shares of %s would add up to %llu %%", s->port, (unsigned long long)sum);
	for (unsigned i = 0; i < QUEUES; i++) {
		struct wish *wish;

		if (!weight[i] || !s->shares[i] || weight[i] == s->shares[i])
			continue;
		wish = queue_wish(s, i, "scheduler", "SCHEDULER");
		if (!wish)
			return false;
		set_number(wish->content, "weight", s->shares[i]);
	}
	return true;
}

/* ---- the port itself ---- */

static bool edit_mtu(struct shop *s, const struct edit *e)
{
	uint64_t headers = sonic_frame_bytes(0);

	if (e->want.n < MTU_LEAST + headers || e->want.n > MTU_MOST + headers)
		return err_set(s->err, "SONiC takes frames of %llu to %llu bytes", (unsigned long long)(MTU_LEAST + headers),
			       (unsigned long long)(MTU_MOST + headers));
	set_number(sonic_row(s->db, "PORT", s->port), "mtu", e->want.n - headers);
	return true;
}

static bool edit_up(struct shop *s, const struct edit *e)
{
	const char *word = e->want.n ? "up" : "down", *now = sonic_member(s->db, "PORT", s->port, "admin_status");

	if (now && !strcmp(now, word))
		return err_set(s->err, "%s is set to be %s already: the link is another matter", s->port, word);
	set_text(sonic_row(s->db, "PORT", s->port), "admin_status", word);
	return true;
}

/* ---- the table ---- */

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
	{ FIELD_MTU,	      edit_mtu,	      OF_PORT,	NULL, NULL, NULL },
	{ FIELD_UP,	      edit_up,	      OF_PORT,	NULL, NULL, NULL },
	{ FIELD_TRUST,	      edit_trust,     OF_QOS,	NULL, NULL, NULL },
	{ FIELD_DSCP_PRIO,    edit_map,	      OF_QOS,	"dscp_to_tc_map", "PORT_QOS_MAP", "DSCP_TO_TC_MAP" },
	{ FIELD_TC_QUEUE,     edit_map,	      OF_QOS,	"tc_to_queue_map", "PORT_QOS_MAP", "TC_TO_QUEUE_MAP" },
	{ FIELD_PRIO_PG,      edit_map,	      OF_QOS,	"tc_to_pg_map", "PORT_QOS_MAP", "TC_TO_PRIORITY_GROUP_MAP" },
	{ FIELD_PFC_QUEUE,    edit_map,	      OF_QOS,	"pfc_to_queue_map", "PORT_QOS_MAP", "MAP_PFC_PRIORITY_TO_QUEUE" },
	{ FIELD_PFC_ON,	      edit_pfc,	      OF_QOS | OF_PFC, "tc_to_pg_map", "PORT_QOS_MAP", "TC_TO_PRIORITY_GROUP_MAP" },
	{ FIELD_PFC_WATCHDOG, edit_watchdog,  OF_QOS | OF_PFC, NULL, NULL, NULL },
	{ FIELD_ETS_ALGO,     edit_algo,      OF_QUEUE,	"scheduler", "QUEUE", "SCHEDULER" },
	{ FIELD_ETS_SHARE,    edit_share,     OF_QUEUE,	"scheduler", "QUEUE", "SCHEDULER" },
	{ FIELD_ECN_ON,	      edit_ecn,	      OF_QUEUE,	"wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_KMIN,     edit_threshold, OF_QUEUE,	"wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_KMAX,     edit_threshold, OF_QUEUE,	"wred_profile", "QUEUE", "WRED_PROFILE" },
	{ FIELD_ECN_PMAX,     edit_threshold, OF_QUEUE,	"wred_profile", "QUEUE", "WRED_PROFILE" },
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

static bool edit_one(struct shop *s, const struct edit *e)
{
	const struct editor *editor = editor_of(e->field);

	if (!editor || e->index >= field_table[e->field].width || e->want.is != VALUE_KNOWN)
		return err_set(s->err, "%s cannot be set on SONiC", field_table[e->field].name);
	if (!sonic_row(s->db, "PORT", e->port))
		return err_set(s->err, "PORT|%.63s is not in the configuration", e->port);
	s->port = e->port;
	return editor->edit(s, e);
}

/* All edits of one port, from the first on; how many they were in *n. Shares and lists are settled together. */
static bool edit_port(struct shop *s, const struct edit *edits, size_t n, size_t *done)
{
	const char *port = edits->port;

	s->has_share = s->pfc_on = s->pfc_off = 0;
	for (*done = 0; *done < n && edits[*done].port && !strcmp(edits[*done].port, port); ++*done)
		if (!edit_one(s, &edits[*done]))
			return false;
	return settle_pfc(s) && settle_shares(s);
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
	if (done && thresholds_fit(&s))
		wishes_settle(&s.wishes, db);
	else
		done = false;
	wishes_done(&s.wishes);
	return done;
}

/* ---- the part that edits concern ---- */

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
			set_text(sonic_need_row(part, SONIC_USERS, of), "users", has_others(part, db, e, name) ? "others too" : "these");
	}
}

static void take_port(json_t *part, const json_t *db, const struct edit *e, unsigned of)
{
	if (of & OF_PORT)
		take(part, db, "PORT", e->port, e->field == FIELD_MTU ? "mtu" : "admin_status");
	if (of & OF_QOS) {
		take(part, db, "PORT_QOS_MAP", e->port, NULL);
		take(part, db, "PORT_QOS_MAP", "global", NULL);
	}
	if (of & OF_PFC) {
		take_rows(part, db, "BUFFER_PG", e->port);
		take(part, db, "PFC_WD", e->port, NULL);
		take(part, db, "PFC_WD", "GLOBAL", NULL);
		take(part, db, "FLEX_COUNTER_TABLE", "PFCWD", NULL);
	}
	if (of & OF_QUEUE)
		take_rows(part, db, "QUEUE", e->port);
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
