/* Lossless priorities of a SONiC port: the priority, its priority group's buffer, and the watchdog's eye. */
#include "remote/sonic/editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/sonic/rows.h"
#include "remote/sonic/settings.h"

static bool is_lossless(json_t *db, const char *profile)
{
	char name[64];
	json_t *row;
	uint64_t size;

	if (!profile || !sonic_reference(profile, name))
		return false;
	row = sonic_row(db, "BUFFER_PROFILE", name);
	return row && (!sonic_number_of(row, "size", &size) || size > 0 || json_object_get(row, "xoff") ||
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
	if (!sonic_number_of(sonic_row(s->db, "TC_TO_PRIORITY_GROUP_MAP", name), index, &group) || group >= QUEUES)
		group = QUEUES;
	if (group < QUEUES && is_lossless(s->db, profile_of(s, group)))
		return true;
	if (is_lossless(s->db, profile_of(s, priority)))
		return sonic_set_in_map(s, FIELD_PRIO_PG, priority, priority);
	profile = lossless_profile(s);
	if (profile_of(s, priority))
		return err_set(s->err, "priority group %u of %s has a lossy buffer: it is not changed under traffic", priority, s->port);
	if (!profile)
		return err_set(s->err, "the configuration has no lossless buffer profile for the speed and cable of %s", s->port);
	snprintf(key, sizeof(key), "%.63s|%u", s->port, priority);
	sonic_set_text(sonic_need_row(s->db, "BUFFER_PG", key), "profile", profile);
	return group == priority || sonic_set_in_map(s, FIELD_PRIO_PG, priority, priority);
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
		sonic_set_text(sonic_need_row(s->db, "PORT_QOS_MAP", s->port), member, list.text);
	else
		sonic_clear_member(s->db, "PORT_QOS_MAP", s->port, member);
	buf_done(&list);
	return true;
}

bool sonic_edit_pfc(struct shop *s, const struct edit *e)
{
	if (e->want.n && !make_lossless(s, e->index))
		return false;
	*(e->want.n ? &s->pfc_on : &s->pfc_off) |= 1u << e->index;
	return true;
}

/* The watchdog guards what pauses, where it is told by priority. */
bool sonic_settle_pfc(struct shop *s)
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
		if (strcasecmp(key, "GLOBAL") != 0 && sonic_number_of(row, "detection_time", &detect) && detect)
			return row;
	return NULL;
}

/* As another port has it; else what "pfcwd start_default" gives. Detecting takes at least one poll. */
static void watch(struct shop *s)
{
	const json_t *model = watched(s->db);
	json_t *own = sonic_need_row(s->db, "PFC_WD", s->port);
	uint64_t detect, poll = 0;

	if (sonic_number_of(own, "detection_time", &detect) && detect)
		return;
	if (model) {
		json_object_update(own, (json_t *)model);
		return;
	}
	sonic_number_of(sonic_row(s->db, "PFC_WD", "GLOBAL"), "POLL_INTERVAL", &poll);
	sonic_set_text(own, "action", "drop");
	sonic_set_number(own, "detection_time", poll > 200 ? poll : 200);
	sonic_set_number(own, "restoration_time", poll > 200 ? poll : 200);
}

bool sonic_edit_watchdog(struct shop *s, const struct edit *e)
{
	const char *guarded = sonic_member(s->db, "PORT_QOS_MAP", s->port, "pfcwd_sw_enable");
	const char *on = sonic_member(s->db, "PORT_QOS_MAP", s->port, "pfc_enable");
	const char *polls = sonic_member(s->db, "FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS");

	if (!e->want.n)
		return err_set(s->err, "fabcon does not turn the PFC watchdog off");
	watch(s);
	if (guarded && on && *on && strcmp(guarded, on))	/* nothing pauses yet: what is to be guarded stays named */
		sonic_set_text(sonic_row(s->db, "PORT_QOS_MAP", s->port), "pfcwd_sw_enable", on);
	if (polls && !strcmp(polls, "disable"))
		sonic_set_text(sonic_row(s->db, "FLEX_COUNTER_TABLE", "PFCWD"), "FLEX_COUNTER_STATUS", "enable");
	return true;
}
