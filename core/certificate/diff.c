#include "core/certificate/diff.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/certificate/internal.h"

#define CABLING	"cabling"	/* the stage that a moved cable shows in */

struct side {
	const json_t *certificate;
	json_t *rows;			/* links, devices, settings, tests and the like by key: borrowed rows */
};

struct comparison {
	struct certificate_diff *diff;
	struct side old, now;
	double rate_share;
	bool has_moved;			/* the link that is being compared */
	size_t cable;			/* then its row of the list */
	bool are_paired_anew;		/* a link is gone or new, so that the others may have other partners */
	json_t *shown;			/* keys of links whose stages, cable or tests differ, and of settings that were compared */
	json_t *changed;		/* keys of links whose stages or cable differ: their tests may be missing because of that */
};

/* -- indices: KEY("link", host, nic) and so on -> the row -- */

static const json_t *find(const struct side *s, const char *key)
{
	return json_object_get(s->rows, key);
}

static void keep(const struct side *s, const char *key, const json_t *row)
{
	if (!json_object_get(s->rows, key))
		json_object_set(s->rows, key, (json_t *)row);
}

static const char *link_key(struct arena *a, const json_t *link)
{
	return KEY(a, "link", text_of(link, "host"), text_of(link, "nic"));
}

static const char *setting_key(struct arena *a, const json_t *s)
{
	return KEY(a, "setting", text_of(s, "device"), text_of(s, "port"), text_of(s, "name"));
}

/* Tests of the same pair by the same tool are told apart by their order. */
static const char *test_key(struct arena *a, const json_t *test, json_t *counts)
{
	const json_t *from = member(test, "from"), *to = member(test, "to");
	const char *pair = KEY(a, "test", text_of(test, "kind"), certificate_tool(test), text_of(from, "host"), text_of(from, "nic"),
			       text_of(to, "host"), text_of(to, "nic"));
	json_int_t n = json_integer_value(json_object_get(counts, pair));
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)n);
	json_object_set_new(counts, pair, json_integer(n + 1));
	return KEY(a, pair, number);
}

static const char *tested_key(struct arena *a, const json_t *test, const char *which)
{
	const json_t *end = member(test, which);

	return KEY(a, "tested", text_of(test, "kind"), text_of(end, "host"), text_of(end, "nic"));
}

static void index_link(const struct side *s, const json_t *link, struct arena *a)
{
	const json_t *setting;

	keep(s, link_key(a, link), link);
	keep(s, KEY(a, "place", text_of(link, "host")), link);
	keep(s, KEY(a, "place", text_of(link, "peer")), link);
	for (EACH(member(link, "settings"), setting)) {
		keep(s, setting_key(a, setting), setting);
		if (text_of(setting, "value"))
			keep(s, KEY(a, "settings of", text_of(setting, "device")), setting);
	}
}

static void index_rows(struct side *s, const json_t *certificate, struct arena *a)
{
	json_t *counts = json_object();
	const json_t *row;

	*s = (struct side){ certificate, json_object() };
	for (EACH(member(certificate, "limits"), row))
		keep(s, KEY(a, "limit", text_of(row, "id")), row);
	for (EACH(member(certificate, "devices"), row))
		keep(s, KEY(a, "device", text_of(row, "name")), row);
	for (EACH(member(certificate, "links"), row))
		index_link(s, row, a);
	for (EACH(member(certificate, "tests"), row)) {
		keep(s, test_key(a, row, counts), row);
		keep(s, tested_key(a, row, "from"), row);
		keep(s, tested_key(a, row, "to"), row);
	}
	for (EACH(member(certificate, "not_tested"), row))
		keep(s, KEY(a, "not tested", text_of(row, "host"), text_of(row, "nic")), row);
	json_decref(counts);
}

/* -- what is found -- */

static bool are_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const char *lasting(struct comparison *c, const char *text)
{
	return text ? arena_text(&c->diff->arena, text, strlen(text)) : NULL;
}

static struct certificate_change *add(struct comparison *c, enum certificate_change_kind kind, const char *device, const char *port)
{
	struct certificate_change *change = GROW(c->diff->list, c->diff->n, c->diff->cap);

	c->diff->n++;
	change->kind = kind;
	change->device = lasting(c, device);
	change->port = lasting(c, port);
	return change;
}

static void set(struct comparison *c, struct certificate_change *change, const char *name, const char *was, const char *now)
{
	change->name = lasting(c, name);
	change->was = lasting(c, was);
	change->now = lasting(c, now);
}

/* Adds a difference of two texts, of which either may be unknown; nothing if they are the same. */
static void compare(struct comparison *c, enum certificate_change_kind kind, const char *device, const char *port, const char *name,
		    const char *was, const char *now)
{
	if (!are_same(was, now))
		set(c, add(c, kind, device, port), name, was, now);
}

/* What a person has set aside, or asks about again, is neither. */
static enum certificate_turn turn_of(const char *was, const char *now)
{
	static const char *const worse[] = { "pass", "not yet", "not known", "suspect", "fail" };
	int a = -1, b = -1;

	for (int i = 0; i < (int)(sizeof(worse) / sizeof(*worse)); i++) {
		a = are_same(was, worse[i]) ? i : a;
		b = are_same(now, worse[i]) ? i : b;
	}
	return a < 0 || b < 0 || a == b ? TURN_OTHER : b > a ? TURN_WORSE : TURN_BETTER;
}

/* -- the rack -- */

static const char *file_text(struct comparison *c, const json_t *file)
{
	const char *title = text_of(file, "title");
	struct buf text = { 0 };
	const char *kept;

	if (!json_is_object(file))
		return NULL;
	buf_printf(&text, "%s%s%.12s", title ? title : "", title ? ", SHA-256 " : "SHA-256 ", text_of(file, "sha256"));
	kept = lasting(c, text.text);
	buf_done(&text);
	return kept;
}

static void compare_files(struct comparison *c)
{
	static const struct {
		const char *key, *name;
	} files[] = { { "policy", "policy" }, { "inventory", "inventory" }, { "cable_plan", "cable plan" } };

	compare(c, CHANGE_RACK, NULL, NULL, "rack", text_of(c->old.certificate, "rack"), text_of(c->now.certificate, "rack"));
	compare(c, CHANGE_RACK, NULL, NULL, "fabric", text_of(c->old.certificate, "fabric"), text_of(c->now.certificate, "fabric"));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const json_t *was = member(c->old.certificate, files[i].key), *now = member(c->now.certificate, files[i].key);

		if (!are_same(text_of(was, "sha256"), text_of(now, "sha256")))
			set(c, add(c, CHANGE_FILE, NULL, NULL), files[i].name, file_text(c, was), file_text(c, now));
	}
}

static const char *value_text(struct comparison *c, const json_t *limit)
{
	return limit ? certificate_value(&c->diff->arena, limit) : NULL;
}

static void compare_limits(struct comparison *c)
{
	const json_t *limit;

	for (EACH(member(c->old.certificate, "limits"), limit)) {
		const char *id = text_of(limit, "id");

		compare(c, CHANGE_LIMIT, NULL, NULL, id, value_text(c, limit),
			value_text(c, find(&c->now, KEY(&c->diff->arena, "limit", id))));
	}
	for (EACH(member(c->now.certificate, "limits"), limit)) {
		const char *id = text_of(limit, "id");

		if (!find(&c->old, KEY(&c->diff->arena, "limit", id)))
			compare(c, CHANGE_LIMIT, NULL, NULL, id, NULL, value_text(c, limit));
	}
}

/* -- devices -- */

/* Neither read nor named by any link. */
static bool is_absent(struct comparison *c, const struct side *s, const char *device)
{
	return !find(s, KEY(&c->diff->arena, "device", device)) && !find(s, KEY(&c->diff->arena, "place", device));
}

static void compare_facts(struct comparison *c, const json_t *was, const json_t *now, const char *device)
{
	const json_t *old_facts = member(was, "facts"), *new_facts = member(now, "facts");
	const char **names = certificate_keys(old_facts), **name;

	for (name = names; *name; name++)
		compare(c, CHANGE_FACT, device, NULL, *name, text_of(old_facts, *name), text_of(new_facts, *name));
	free(names);
	names = certificate_keys(new_facts);
	for (name = names; *name; name++)
		if (!json_object_get(old_facts, *name))
			compare(c, CHANGE_FACT, device, NULL, *name, NULL, text_of(new_facts, *name));
	free(names);
}

/* was or now NULL: nothing of the device was read then. */
static void compare_device(struct comparison *c, const json_t *was, const json_t *now)
{
	const char *device = text_of(was ? was : now, "name");

	if (is_absent(c, &c->now, device)) {
		set(c, add(c, CHANGE_DEVICE, device, NULL), NULL, text_of(was, "kind"), NULL);
	} else if (is_absent(c, &c->old, device)) {
		set(c, add(c, CHANGE_DEVICE, device, NULL), NULL, NULL, text_of(now, "kind"));
	} else if (!was || !now) {
		compare(c, CHANGE_FACT, device, NULL, "facts", was ? "reported" : NULL, now ? "reported" : NULL);
	} else {
		compare(c, CHANGE_FACT, device, NULL, "platform", text_of(was, "platform"), text_of(now, "platform"));
		compare_facts(c, was, now, device);
	}
}

static void compare_devices(struct comparison *c)
{
	const json_t *device;

	for (EACH(member(c->old.certificate, "devices"), device))
		compare_device(c, device, find(&c->now, KEY(&c->diff->arena, "device", text_of(device, "name"))));
	for (EACH(member(c->now.certificate, "devices"), device))
		if (!find(&c->old, KEY(&c->diff->arena, "device", text_of(device, "name"))))
			compare_device(c, NULL, device);
}

/* -- links -- */

static void show(struct comparison *c, const char *key)
{
	json_object_set_new(c->shown, key, json_true());
}

static bool has_moved(const json_t *was, const json_t *now)
{
	return !are_same(text_of(was, "peer"), text_of(now, "peer")) || !are_same(text_of(was, "peer_port"), text_of(now, "peer_port"));
}

/* Settings of the far end come and go with the cable. */
static bool is_of_far_end(const json_t *setting, const json_t *link)
{
	return are_same(text_of(setting, "device"), text_of(link, "peer"));
}

/* One setting is compared once, though it may stand at many links. */
static bool is_first(struct comparison *c, const char *key)
{
	bool is_first = !json_object_get(c->shown, key);

	show(c, key);
	return is_first;
}

/* A device of which no setting is known on the other side, as when it is not reached: that is one difference. */
static bool are_all_missing(struct comparison *c, const json_t *setting, const struct side *other, bool is_old)
{
	const char *device = text_of(setting, "device"), *key = KEY(&c->diff->arena, "settings of", device);

	if (find(other, key))
		return false;
	if (is_first(c, key))
		compare(c, CHANGE_SETTING, device, NULL, "settings", is_old ? "reported" : NULL, is_old ? NULL : "reported");
	return true;
}

static void compare_setting(struct comparison *c, const json_t *setting, const struct side *other, bool is_old)
{
	const json_t *twin = find(other, setting_key(&c->diff->arena, setting));
	const char *here = text_of(setting, "value"), *there = text_of(twin, "value");

	if (here && are_all_missing(c, setting, other, is_old))
		return;
	if (is_first(c, setting_key(&c->diff->arena, setting)))
		compare(c, CHANGE_SETTING, text_of(setting, "device"), text_of(setting, "port"), text_of(setting, "name"),
			is_old ? here : there, is_old ? there : here);
}

static void compare_settings(struct comparison *c, const json_t *was, const json_t *now)
{
	bool moved = has_moved(was, now);
	const json_t *setting;

	for (EACH(member(was, "settings"), setting))
		if (find(&c->now, setting_key(&c->diff->arena, setting)) || !moved || !is_of_far_end(setting, was))
			compare_setting(c, setting, &c->now, true);
	for (EACH(member(now, "settings"), setting))
		if (!find(&c->old, setting_key(&c->diff->arena, setting)) && (!moved || !is_of_far_end(setting, now)))
			compare_setting(c, setting, &c->old, false);
}

static const json_t *stage_of(const json_t *link, const char *id)
{
	const json_t *stage;

	for (EACH(member(link, "stages"), stage))
		if (are_same(text_of(stage, "stage"), id))
			return stage;
	return NULL;
}

/*
 * "not yet" follows from a stage below, which is named itself: it is no difference, unless the stage was good before that one failed
 * and is not now. Two failures are the same if the same check found them.
 */
static bool is_stage_difference(const json_t *was, const json_t *now)
{
	if (was && has_state(was, "not yet"))
		return now && (has_state(now, "fail") || has_state(now, "not known"));
	if (now && has_state(now, "not yet"))
		return false;
	if (was && now && has_state(was, "fail") && has_state(now, "fail"))
		return !are_same(text_of(was, "check"), text_of(now, "check"));
	return !are_same(text_of(was, "state"), text_of(now, "state"));
}

static const char *state_text(struct comparison *c, const json_t *stage, bool with_check)
{
	const char *state = text_of(stage, "state"), *check = text_of(stage, "check");
	struct buf text = { 0 };
	const char *kept;

	if (!state || !with_check || !check)
		return state;
	buf_printf(&text, "%s (%s)", state, check);
	kept = lasting(c, text.text);
	buf_done(&text);
	return kept;
}

/* A cable that moved may no longer be as planned: that is the same difference, which then got worse or better. */
static bool is_in_cable(struct comparison *c, const json_t *was, const json_t *now)
{
	struct certificate_change *cable;

	if (!c->has_moved || !was || !now || !are_same(text_of(now, "stage"), CABLING))
		return false;
	cable = &c->diff->list[c->cable];
	cable->turn = turn_of(text_of(was, "state"), text_of(now, "state"));
	cable->why = cable->turn == TURN_BETTER ? NULL : lasting(c, text_of(now, "what"));
	return true;
}

static void compare_stage(struct comparison *c, const json_t *link, const json_t *was, const json_t *now)
{
	bool both_fail = was && now && has_state(was, "fail") && has_state(now, "fail");
	struct certificate_change *change;

	if (!is_stage_difference(was, now))
		return;
	show(c, link_key(&c->diff->arena, link));
	json_object_set_new(c->changed, link_key(&c->diff->arena, link), json_true());
	if (is_in_cable(c, was, now))
		return;
	change = add(c, CHANGE_STAGE, text_of(link, "host"), text_of(link, "nic"));
	set(c, change, text_of(was ? was : now, "stage"), state_text(c, was, both_fail), state_text(c, now, both_fail));
	change->turn = turn_of(text_of(was, "state"), text_of(now, "state"));
	change->why = change->turn == TURN_BETTER ? NULL : lasting(c, text_of(now, "what"));
}

static void compare_stages(struct comparison *c, const json_t *was, const json_t *now)
{
	const json_t *stage;

	for (EACH(member(was, "stages"), stage))
		compare_stage(c, now, stage, stage_of(now, text_of(stage, "stage")));
	for (EACH(member(now, "stages"), stage))
		if (!stage_of(was, text_of(stage, "stage")))
			compare_stage(c, now, NULL, stage);
}

static void compare_cable(struct comparison *c, const json_t *was, const json_t *now)
{
	c->has_moved = has_moved(was, now);
	c->cable = c->diff->n;
	if (!c->has_moved)
		return;
	set(c, add(c, CHANGE_CABLE, text_of(now, "host"), text_of(now, "nic")), NULL, certificate_far(&c->diff->arena, was),
	    certificate_far(&c->diff->arena, now));
	json_object_set_new(c->changed, link_key(&c->diff->arena, now), json_true());
}

/* A link that one side alone has, unless its whole host is named. */
static void add_lone_link(struct comparison *c, const json_t *link, bool is_old)
{
	const struct side *here = is_old ? &c->old : &c->now, *there = is_old ? &c->now : &c->old;
	const char *far = certificate_far(&c->diff->arena, link), *host = text_of(link, "host");

	c->are_paired_anew = true;
	if (find(here, KEY(&c->diff->arena, "device", host)) && is_absent(c, there, host))
		return;
	if (!far)
		far = "an unknown far end";
	set(c, add(c, CHANGE_LINK, host, text_of(link, "nic")), NULL, is_old ? far : NULL, is_old ? NULL : far);
}

static void compare_links(struct comparison *c)
{
	const json_t *link, *now;

	for (EACH(member(c->old.certificate, "links"), link)) {
		now = find(&c->now, link_key(&c->diff->arena, link));
		if (!now) {
			add_lone_link(c, link, true);
			continue;
		}
		compare_cable(c, link, now);
		compare_settings(c, link, now);
		compare_stages(c, link, now);
	}
	for (EACH(member(c->now.certificate, "links"), link))
		if (!find(&c->old, link_key(&c->diff->arena, link)))
			add_lone_link(c, link, false);
}

/* The state of a link follows from its stages and tests; where none of them differs, it stands for itself. */
static void compare_states(struct comparison *c)
{
	const json_t *link, *now;

	for (EACH(member(c->old.certificate, "links"), link)) {
		const char *key = link_key(&c->diff->arena, link), *was = text_of(link, "state");
		struct certificate_change *change;

		now = find(&c->now, key);
		if (!now || has_state(now, was) || json_object_get(c->shown, key))
			continue;
		change = add(c, CHANGE_STATE, text_of(link, "host"), text_of(link, "nic"));
		set(c, change, NULL, was, text_of(now, "state"));
		change->turn = turn_of(was, text_of(now, "state"));
		change->why = change->turn == TURN_BETTER ? NULL : lasting(c, text_of(now, "what"));
	}
}

/* -- tests -- */

static struct certificate_change *add_test(struct comparison *c, enum certificate_change_kind kind, const json_t *test)
{
	const json_t *from = member(test, "from"), *to = member(test, "to");
	struct certificate_change *change = add(c, kind, text_of(from, "host"), text_of(from, "nic"));

	change->to_device = lasting(c, text_of(to, "host"));
	change->to_port = lasting(c, text_of(to, "nic"));
	show(c, link_key(&c->diff->arena, from));
	show(c, link_key(&c->diff->arena, to));
	return change;
}

/* By more than the share of what it was; or known on one side alone. Of an incast each sender has whatever part of the rate. */
static bool is_rate_difference(const struct comparison *c, const json_t *test, double was, double now)
{
	if (certificate_is_incast(test))
		return false;
	if (isnan(was) || isnan(now))
		return isnan(was) != isnan(now);
	return fabs(now - was) > c->rate_share * was;
}

static void compare_test(struct comparison *c, const json_t *was, const json_t *now)
{
	double old_rate = number_of(was, "rate_bps"), new_rate = number_of(now, "rate_bps");
	struct certificate_change *change;

	if (!has_state(now, text_of(was, "state"))) {
		change = add_test(c, CHANGE_TEST, now);
		set(c, change, certificate_test(&c->diff->arena, now), text_of(was, "state"), text_of(now, "state"));
		change->turn = turn_of(text_of(was, "state"), text_of(now, "state"));
		change->why = change->turn == TURN_BETTER ? NULL : lasting(c, text_of(now, "what"));
	} else if (is_rate_difference(c, now, old_rate, new_rate)) {
		change = add_test(c, CHANGE_RATE, now);
		set(c, change, text_of(now, "kind"), certificate_amount(&c->diff->arena, old_rate, "b/s"),
		    certificate_amount(&c->diff->arena, new_rate, "b/s"));
		change->turn = isnan(new_rate) ? TURN_WORSE : isnan(old_rate) || new_rate > old_rate ? TURN_BETTER : TURN_WORSE;
	}
}

/* Its test is missing because of what is named there: the link is not there on the other side, or its stages or its cable differ. */
static bool follows_from(struct comparison *c, const struct side *other, const json_t *end)
{
	const char *key = link_key(&c->diff->arena, end);

	return !find(other, key) || json_object_get(c->changed, key);
}

/* Whether a test that one side alone has is a difference. With other partners, each NIC that is still tested is as before. */
static bool is_lone_difference(struct comparison *c, const struct side *other, const json_t *test)
{
	if (follows_from(c, other, member(test, "from")) || follows_from(c, other, member(test, "to")))
		return false;
	return !c->are_paired_anew || !find(other, tested_key(&c->diff->arena, test, "from")) ||
	       !find(other, tested_key(&c->diff->arena, test, "to"));
}

static const json_t *not_tested(struct comparison *c, const struct side *s, const json_t *end)
{
	return find(s, KEY(&c->diff->arena, "not tested", text_of(end, "host"), text_of(end, "nic")));
}

static void add_lone_test(struct comparison *c, const json_t *test, bool is_old)
{
	const json_t *from = member(test, "from"), *to = member(test, "to"), *why;
	struct certificate_change *change = add_test(c, CHANGE_TEST, test);

	why = not_tested(c, &c->now, from) ? not_tested(c, &c->now, from) : not_tested(c, &c->now, to);
	set(c, change, certificate_test(&c->diff->arena, test), is_old ? text_of(test, "state") : NULL, is_old ? NULL : text_of(test, "state"));
	change->turn = is_old ? TURN_WORSE : TURN_OTHER;
	change->why = is_old ? lasting(c, text_of(why, "why")) : NULL;
}

static void add_lone_tests(struct comparison *c, const struct side *here, const struct side *there, bool is_old)
{
	json_t *counts = json_object();
	const json_t *test;

	for (EACH(member(here->certificate, "tests"), test))
		if (!find(there, test_key(&c->diff->arena, test, counts)) && is_lone_difference(c, there, test))
			add_lone_test(c, test, is_old);
	json_decref(counts);
}

static void compare_tests(struct comparison *c)
{
	json_t *counts = json_object();
	const json_t *test, *now;

	for (EACH(member(c->old.certificate, "tests"), test)) {
		now = find(&c->now, test_key(&c->diff->arena, test, counts));
		if (now)
			compare_test(c, test, now);
	}
	json_decref(counts);
}

/* Without tests on one side, none of them is a difference, and no state that follows from them. */
static void compare_traffic(struct comparison *c)
{
	const json_t *was = member(c->old.certificate, "tests"), *now = member(c->now.certificate, "tests");
	size_t n_was = json_array_size(was), n_now = json_array_size(now);
	struct arena *a = &c->diff->arena;

	if (!json_is_array(was) || !json_is_array(now))		/* they are not compared */
		return;
	if (!n_was != !n_now) {
		set(c, add(c, CHANGE_RACK, NULL, NULL), "tests", certificate_count(a, (double)n_was), certificate_count(a, (double)n_now));
		return;
	}
	add_lone_tests(c, &c->old, &c->now, true);
	add_lone_tests(c, &c->now, &c->old, false);
	compare_tests(c);
	compare_states(c);
}

/* -- indices that changed alike -- */

/* "dscp.prio" and 26 of "dscp.prio[26]". False: it has no index. */
static bool split_name(const char *name, struct span *base, unsigned *index)
{
	const char *bracket = name ? strrchr(name, '[') : NULL;
	char end;

	if (!bracket || sscanf(bracket, "[%4u%c", index, &end) != 2 || end != ']')
		return false;
	*base = (struct span){ name, (size_t)(bracket - name) };
	return true;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* The same change, or values that are all gone or all new: whatever each was. */
static bool is_alike(const struct certificate_change *a, const struct certificate_change *b)
{
	if (a->kind != CHANGE_SETTING || b->kind != CHANGE_SETTING || !is_same(a->device, b->device) || !is_same(a->port, b->port))
		return false;
	return (!a->now && !b->now) || (!a->was && !b->was) || (is_same(a->was, b->was) && is_same(a->now, b->now));
}

/* One row for neighboring indices: "dscp.prio[0-63]: reported -> not reported now". */
static void join_indices(struct certificate_diff *d)
{
	size_t n = 0;

	for (size_t i = 0, next; i < d->n; i = next) {
		struct certificate_change row = d->list[i];
		struct span base, other;
		unsigned first, last, index;

		next = i + 1;
		if (split_name(row.name, &base, &first)) {
			last = first;
			while (next < d->n && is_alike(&row, &d->list[next]) && split_name(d->list[next].name, &other, &index) &&
			       index == last + 1 && other.n == base.n && !memcmp(other.p, base.p, base.n)) {
				row.was = is_same(row.was, d->list[next].was) ? row.was : "reported";
				row.now = is_same(row.now, d->list[next].now) ? row.now : "reported";
				last = index;
				next++;
			}
			if (last > first) {
				char *name = xasprintf("%.*s[%u-%u]", (int)base.n, base.p, first, last);

				row.name = arena_text(&d->arena, name, strlen(name));
				free(name);
			}
		}
		d->list[n++] = row;
	}
	d->n = n;
}

/* -- the whole -- */

void certificate_diff(struct certificate_diff *d, const json_t *old, const json_t *now, double rate_share)
{
	struct comparison c = { .diff = d, .rate_share = rate_share, .shown = json_object(), .changed = json_object() };

	*d = (struct certificate_diff){ 0 };
	index_rows(&c.old, old, &d->arena);
	index_rows(&c.now, now, &d->arena);
	compare_files(&c);
	compare_limits(&c);
	compare_devices(&c);
	compare_links(&c);
	compare_traffic(&c);
	join_indices(d);
	json_decref(c.old.rows);
	json_decref(c.now.rows);
	json_decref(c.shown);
	json_decref(c.changed);
}

void certificate_diff_done(struct certificate_diff *d)
{
	free(d->list);
	arena_done(&d->arena);
	*d = (struct certificate_diff){ 0 };
}
