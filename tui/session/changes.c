#include "tui/session/changes.h"

#include <stdlib.h>

#include "core/base/hash.h"

/* Where a setting, or a finding, stands in the list. */
struct known {
	UT_hash_handle hh;
	size_t row;
	char name[];
};

static struct changed *find_or_add(struct changes *c, struct known **known, const char *name, bool *is_new)
{
	struct known *k;

	HASH_FIND_STR(*known, name, k);
	*is_new = !k;
	if (k)
		return &c->list[k->row];
	k = xcalloc(1, sizeof(*k) + strlen(name) + 1);
	strcpy(k->name, name);
	k->row = c->n;
	HASH_ADD_STR(*known, name, k);
	*GROW(c->list, c->n, c->cap) = (struct changed){ 0 };
	return &c->list[c->n++];
}

/* "leaf1 Ethernet4 pfc.on[3]" at "leaf1 Ethernet4": the field alone. */
static struct span without_place(struct span what, const char *where)
{
	struct span field = what;

	if (span_skip(&field, where) && span_skip(&field, " "))
		return field;
	return what;
}

static void add_setting(struct changes *c, struct known **known, const struct event *e)
{
	struct span what, now, was;
	struct changed *row;
	char *name;
	bool is_new;

	if (!fact_split_change(span_of(e->text), &what, &now, &was))
		return;
	name = xstrndup(what.p, what.n);
	row = find_or_add(c, known, name, &is_new);
	free(name);
	if (is_new) {
		what = without_place(what, e->where);
		*row = (struct changed){ .kind = e->kind, .where = e->where, .what = xstrndup(what.p, what.n) };
		buf_add(&row->values, was.p, was.n);
	}
	buf_str(&row->values, " -> ");
	buf_add(&row->values, now.p, now.n);
	row->at_us = e->at_us;
}

/* A finding that opens and closes more than once is told once, as it was last. */
static void add_finding(struct changes *c, struct known **known, const struct event *e)
{
	char *name = xasprintf("%s\n%.*s", e->where, (int)strcspn(e->text, ":"), e->text);
	bool is_new;
	struct changed *row = find_or_add(c, known, name, &is_new);

	free(name);
	if (is_new)
		*row = (struct changed){ .what = xstrdup(e->text) };
	row->kind = e->kind;
	row->where = e->where;
	row->at_us = e->at_us;
}

static void forget(struct known **known)
{
	struct known *k, *next;

	HASH_ITER(hh, *known, k, next) {
		HASH_DELETE(hh, *known, k);
		free(k);
	}
}

enum group { SETTINGS, FINDINGS, DEVICES, GROUPS };

static enum group group_of(const struct event *e)
{
	if (event_is(e, "config"))
		return SETTINGS;
	if (event_is(e, "device"))
		return DEVICES;
	return event_is_finding(e) ? FINDINGS : GROUPS;
}

static void read_group(struct changes *c, const struct events *e, enum group group)
{
	struct known *known = NULL;

	for (size_t i = events_until(e, c->a_us); i < e->n && e->list[i].at_us <= c->b_us; i++) {
		if (group_of(&e->list[i]) != group)
			continue;
		if (group == FINDINGS)
			add_finding(c, &known, &e->list[i]);
		else
			add_setting(c, &known, &e->list[i]);
	}
	forget(&known);
}

void changes_read(struct changes *c, const struct events *e, const struct fabric_history *l, int64_t a_us, int64_t b_us)
{
	const struct event *run;

	changes_done(c);
	c->a_us = a_us < b_us ? a_us : b_us;
	c->b_us = a_us < b_us ? b_us : a_us;
	for (enum group g = SETTINGS; g < GROUPS; g++)
		read_group(c, e, g);
	run = events_next(e, c->a_us, EVENT_RUN);
	c->has_break = run && run->at_us <= c->b_us;
	for (unsigned i = 0; i < LANE_COUNT; i++) {
		c->before[i] = fabric_history_mean(l, (enum lane)i, c->a_us - CHANGES_BESIDE, c->a_us);
		c->between[i] = fabric_history_mean(l, (enum lane)i, c->a_us, c->b_us);
		c->after[i] = fabric_history_mean(l, (enum lane)i, c->b_us, c->b_us + CHANGES_BESIDE);
	}
}

void changes_done(struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->list[i].what);
		buf_done(&c->list[i].values);
	}
	free(c->list);
	*c = (struct changes){ 0 };
}
