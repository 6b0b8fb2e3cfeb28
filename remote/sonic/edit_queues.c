/* Queues of a SONiC port: their marking, and their shares of the bandwidth. */
#include "remote/sonic/editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/sonic/rows.h"
#include "remote/sonic/settings.h"

/* -- queues -- */

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

static struct sonic_ref *queue_wish(struct shop *s, unsigned queue, const char *member, const char *table)
{
	char key[80], name[64];

	if (!queue_key(s, queue, key))
		return NULL;
	snprintf(name, sizeof(name), WISH_PREFIX "%.20s_%u", s->port, queue);
	return sonic_ref_of(&s->wishes, s->db, "QUEUE", key, member, table, NULL, name, s->err);
}

static bool bind_wred(struct shop *s, unsigned queue, const char *key)
{
	char ends[8], name[64];
	const char *usual;

	snprintf(ends, sizeof(ends), "|%u", queue);
	usual = sonic_ref_most_used(s->db, "QUEUE", "wred_profile", ends);
	if (!usual)
		usual = sonic_ref_most_used(s->db, "QUEUE", "wred_profile", "");
	if (!usual || !sonic_reference(usual, name))
		return err_set(s->err, "no queue has a WRED profile that queue %u of %s could use; \"fabcon emit sonic\" creates one",
			       queue, s->port);
	sonic_need_row(s->db, "QUEUE", key);
	sonic_ref_refer(s->db, "QUEUE", key, "wred_profile", "WRED_PROFILE", name);
	return true;
}

bool sonic_edit_ecn(struct shop *s, const struct edit *e)
{
	struct sonic_ref *wish;
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
	sonic_set_text(wish->content, "ecn", "ecn_all");
	if (json_object_get(wish->content, "wred_green_enable"))
		sonic_set_text(wish->content, "wred_green_enable", "true");
	return true;
}

/* The other colours go with green where they said the same; untouched traffic is green. */
bool sonic_edit_threshold(struct shop *s, const struct edit *e)
{
	static const char *const colours[] = { "green", "yellow", "red" };
	const char *what = e->field == FIELD_ECN_KMIN ? "min_threshold" :
			   e->field == FIELD_ECN_KMAX ? "max_threshold" : "drop_probability";
	struct sonic_ref *wish = queue_wish(s, e->index, "wred_profile", "WRED_PROFILE");
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
			sonic_set_number(wish->content, member, e->want.n);
	}
	json_decref(was);
	return true;
}

bool sonic_thresholds_fit(struct shop *s)
{
	for (size_t i = 0; i < s->wishes.n; i++) {
		const json_t *content = s->wishes.list[i]->content;
		uint64_t least, most;

		if (sonic_number_of(content, "green_min_threshold", &least) && sonic_number_of(content, "green_max_threshold", &most) &&
		    least > most)
			return err_set(s->err, "%s: Kmin %llu bytes would be above Kmax %llu bytes",
				       s->wishes.list[i]->key, (unsigned long long)least, (unsigned long long)most);
	}
	return true;
}

/* -- bandwidth shares -- */

bool sonic_edit_algo(struct shop *s, const struct edit *e)
{
	struct sonic_ref *wish;

	if (e->want.n != ETS_STRICT && e->want.n != ETS_ETS)
		return err_set(s->err, "SONiC's schedulers are strict or weighted");
	wish = queue_wish(s, e->index, "scheduler", "SCHEDULER");
	if (!wish)
		return false;
	sonic_set_text(wish->content, "type", e->want.n == ETS_STRICT ? "STRICT" : "DWRR");
	if (e->want.n == ETS_ETS && !json_object_get(wish->content, "weight"))
		sonic_set_text(wish->content, "weight", "1");
	return true;
}

bool sonic_edit_share(struct shop *s, const struct edit *e)
{
	if (e->want.n == 0 || e->want.n > 100)
		return err_set(s->err, "a queue's weight is 1 to 100: %llu %% of the bandwidth is not possible",
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

	if (!type || !strcmp(type, "STRICT") || !sonic_number_of(scheduler, "weight", &weight) || weight > 100)
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
bool sonic_settle_shares(struct shop *s)
{
	uint64_t weight[QUEUES], total = 0, sum;

	if (!s->has_share)
		return true;
	for (unsigned i = 0; i < QUEUES; i++) {
		weight[i] = weight_of(s, i);
		total += weight[i];
		if (!weight[i] && s->has_share >> i & 1)
			return err_set(s->err, "queue %u of %s has no DWRR weight", i, s->port);
	}
	sum = fill_shares(s, weight, total);
	if (sum != 100)
		return err_set(s->err, "the bandwidth of %s would add up to %llu %%", s->port, (unsigned long long)sum);
	for (unsigned i = 0; i < QUEUES; i++) {
		struct sonic_ref *wish;

		if (!weight[i] || !s->shares[i] || weight[i] == s->shares[i])
			continue;
		wish = queue_wish(s, i, "scheduler", "SCHEDULER");
		if (!wish)
			return false;
		sonic_set_number(wish->content, "weight", s->shares[i]);
	}
	return true;
}
