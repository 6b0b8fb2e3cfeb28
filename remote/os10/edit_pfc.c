/* Which priorities an OS10 port pauses. */
#include "remote/os10/editor.h"

#include <stdio.h>
#include <stdlib.h>

/* What a class pauses: the number of each qos-group that it matches and lists. */
static uint64_t class_pauses(const struct os10_tree *t, const struct os10_part *class)
{
	const char *cos = os10_value(class, "pfc-cos");
	uint64_t bits;

	if (!os10_value(class, "pause") || !cos || !os10_list_bits(span_of(cos), 8, &bits))
		return 0;
	return bits & os10_class_matches(t, OS10_CLASS_GROUP, class);
}

static uint64_t policy_pauses(const struct os10_tree *t, const struct os10_block *policy)
{
	uint64_t paused = 0;

	for (size_t i = 1; i < policy->n; i++)
		paused |= class_pauses(t, &policy->parts[i]);
	return paused;
}

static void drop_part(struct os10_block *b, size_t at)
{
	free(b->parts[at].lines);
	memmove(&b->parts[at], &b->parts[at + 1], (--b->n - at) * sizeof(*b->parts));
}

/* Takes out of the policy what pauses more than is wanted; a class for several priorities is somebody's own design. */
static bool pause_less(struct editor *e, const char *port, struct os10_block *policy, uint64_t wanted)
{
	for (size_t i = policy->n; i-- > 1;) {
		uint64_t paused = class_pauses(e->tree, &policy->parts[i]);

		if (!(paused & ~wanted))
			continue;
		if (paused & wanted)
			return err_set(e->err, "%s: \"%.63s\" pauses several priorities in one class", port, policy->parts[i].header);
		drop_part(policy, i);
	}
	return true;
}

static void pause_more(struct editor *e, struct os10_block *policy, uint64_t wanted)
{
	for (unsigned i = 0; i < 8; i++) {
		struct os10_part *class;
		char number[4];

		if (!(wanted & ~policy_pauses(e->tree, policy) & UINT64_C(1) << i))
			continue;
		class = editor_need_class(e, policy, OS10_CLASS_GROUP, i);
		snprintf(number, sizeof(number), "%u", i);
		if (!os10_value(class, "pause"))
			os10_set(e->tree, class, "pause", "");
		os10_set(e->tree, class, "pfc-cos", number);
	}
}

static bool edit_port_pfc(struct editor *e, struct port_edit *p, struct os10_want *w)
{
	struct os10_part *lines = editor_port_lines(e, p);
	const char *bound = os10_bound(e->tree, lines, OS10_PFC_KEY);
	const char *mode = os10_bound(e->tree, lines, "priority-flow-control mode");
	const struct os10_block *policy = os10_find(e->tree, OS10_POLICY_GROUP, bound);
	uint64_t now = policy && mode && !strcmp(mode, "on") ? policy_pauses(e->tree, policy) : 0, wanted = now;

	if (bound && !policy)
		return err_set(e->err, "%s: its network-qos policy is not in the configuration", p->port);
	for (unsigned i = 0; i < 8; i++)
		if (p->pfc[i] != UNSAID)
			wanted = p->pfc[i] ? wanted | UINT64_C(1) << i : wanted & ~(UINT64_C(1) << i);
	if (wanted == now)
		return true;
	if (!wanted) {
		os10_set(e->tree, lines, "priority-flow-control mode", "off");
		return true;
	}
	editor_want_begin(e, w, OS10_POLICY_GROUP, OS10_PFC_KEY, bound);
	if (!pause_less(e, p->port, &w->content, wanted))
		return false;
	pause_more(e, &w->content, wanted);
	lines = editor_port_lines(e, p);	/* class-maps were made */
	os10_set(e->tree, lines, "priority-flow-control mode", "on");
	os10_set(e->tree, lines, "flowcontrol receive", "off");		/* the two exclude each other */
	os10_set(e->tree, lines, "flowcontrol transmit", "off");
	return true;
}

bool os10_edit_pfc(struct editor *e)
{
	struct os10_want *list = editor_wants_new(e);
	bool is_done = true;

	for (size_t i = 0; i < e->n && is_done; i++)
		if (editor_any_said(e->ports[i].pfc, 8))
			is_done = edit_port_pfc(e, &e->ports[i], &list[i]);
	if (is_done)
		os10_bind_all(e->tree, OS10_POLICY_GROUP, OS10_PFC_KEY, list, e->n);
	editor_wants_free(e, list);
	return is_done;
}
