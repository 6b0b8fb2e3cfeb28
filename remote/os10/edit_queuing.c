/* How the queues of an OS10 port are served and marked. */
#include "remote/os10/editor.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/os10/diff.h"

#define KB		1000	/* OS10 counts WRED thresholds in KB */
#define WRED_KB_MAX	12480

struct wred {
	struct os10_want want;		/* port: lent by the editor */
	unsigned queue;
};

static bool share_class(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_part *class)
{
	uint64_t share = p->share[queue], algo = p->algo[queue];
	char text[24];

	if (algo == ETS_VENDOR || (share != UNSAID && (share < 1 || share > 100)))
		return err_set(e->err, "%s: queue %u needs strict priority or a bandwidth of 1 to 100 %%", p->port, queue);
	if (algo == ETS_STRICT) {
		os10_unset(class, "bandwidth percent");
		os10_set(e->tree, class, "priority", "");
		return true;
	}
	if (share != UNSAID) {
		snprintf(text, sizeof(text), "%u", (unsigned)share);
		os10_set(e->tree, class, "bandwidth percent", text);
	}
	if (algo == ETS_ETS || share != UNSAID)
		os10_unset(class, "priority");
	return true;
}

static bool shares_fit(struct editor *e, const struct port_edit *p, const struct os10_block *policy)
{
	unsigned sum = 0;

	for (size_t i = 1; i < policy->n; i++) {
		const char *percent = os10_value(&policy->parts[i], "bandwidth percent");

		sum += percent ? (unsigned)strtoul(percent, NULL, 10) : 0;
	}
	return sum == 100 || err_set(e->err, "%s: its bandwidth would add up to %u %%, and OS10 requires 100", p->port, sum);
}

static bool kb_of(struct editor *e, const char *port, uint64_t bytes, uint64_t *kb)
{
	if (bytes % KB || bytes / KB < 1 || bytes / KB > WRED_KB_MAX)
		return err_set(e->err, "%s: a threshold of %llu bytes is outside 1 to %d KB", port, (unsigned long long)bytes, WRED_KB_MAX);
	*kb = bytes / KB;
	return true;
}

/* The green line with what is wanted put in its place. */
static bool green_line(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_part *profile)
{
	const char *green = os10_value(profile, "random-detect color green");
	unsigned long long min = 0, max = 0, drop = 0;
	uint64_t kmin, kmax, pmax;
	bool is_known = green && sscanf(green, "minimum-threshold %llu maximum-threshold %llu drop-probability %llu", &min, &max,
					&drop) == 3;
	char text[160];

	if (!is_known && (p->kmin[queue] == UNSAID || p->kmax[queue] == UNSAID || p->pmax[queue] == UNSAID))
		return err_set(e->err, "port %s: queue %u has no WRED thresholds, and the plan does not set Kmin, Kmax and probability", p->port, queue);
	kmin = min, kmax = max, pmax = p->pmax[queue] == UNSAID ? drop : p->pmax[queue];
	if (p->kmin[queue] != UNSAID && !kb_of(e, p->port, p->kmin[queue], &kmin))
		return false;
	if (p->kmax[queue] != UNSAID && !kb_of(e, p->port, p->kmax[queue], &kmax))
		return false;
	if (kmin > kmax || pmax > 100)
		return err_set(e->err, "%s: queue %u would mark from %llu to %llu KB at %llu %%", p->port, queue,
			       (unsigned long long)kmin, (unsigned long long)kmax, (unsigned long long)pmax);
	snprintf(text, sizeof(text), "minimum-threshold %llu maximum-threshold %llu drop-probability %llu",
		 (unsigned long long)kmin, (unsigned long long)kmax, (unsigned long long)pmax);
	os10_set(e->tree, profile, "random-detect color green", text);
	return true;
}

static bool marks_said(const struct port_edit *p, unsigned i)
{
	return p->ecn[i] != UNSAID || p->kmin[i] != UNSAID || p->kmax[i] != UNSAID || p->pmax[i] != UNSAID;
}

static const struct os10_part *class_of_queue(const struct os10_tree *t, const struct os10_block *policy, unsigned queue)
{
	for (size_t i = 1; policy && i < policy->n; i++)
		if (os10_class_matches(t, OS10_CLASS_QUEUE, &policy->parts[i]) >> queue & 1)
			return &policy->parts[i];
	return NULL;
}

static const struct os10_block *queuing_of(const struct os10_tree *t, const char *port)
{
	const char *bound = os10_bound(t, &os10_find(t, OS10_PORT, port)->parts[0], OS10_QUEUING_KEY);

	return os10_find(t, OS10_POLICY_QUEUE, bound ? bound : os10_common(t, OS10_QUEUING_KEY));
}

/* The profile that a queue has at all the other ports, where they agree. */
static const char *common_profile(const struct os10_tree *t, unsigned queue)
{
	const char *common = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct os10_part *class = t->blocks[i].kind != OS10_PORT ? NULL :
						class_of_queue(t, queuing_of(t, t->blocks[i].name), queue);
		const char *profile = class ? os10_value(class, "random-detect") : NULL;

		if (profile && common && strcmp(profile, common))
			return NULL;
		if (profile)
			common = profile;
	}
	return common;
}

/* What the queue's profile is to say. */
static bool edit_profile(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_want *w)
{
	const struct os10_part *class = class_of_queue(e->tree, queuing_of(e->tree, p->port), queue);
	const char *bound = class ? os10_value(class, "random-detect") : NULL;

	os10_want_init(e->tree, w, OS10_WRED, bound ? bound : common_profile(e->tree, queue));
	w->port = p->port;
	w->is_wanted = true;
	if (!bound)
		w->old = NULL;
	if (!green_line(e, p, queue, &w->content.parts[0]))
		return false;
	os10_set(e->tree, &w->content.parts[0], "random-detect ecn", "");
	return true;
}

/* Whether every class of every port that uses the profile is to have what w wants. */
static bool profile_users_agree(const struct os10_tree *t, const struct wred *list, size_t n, const struct wred *w)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct os10_part *own = &t->blocks[i].parts[0];
		bool is_port = t->blocks[i].kind == OS10_PORT;
		const char *bound = is_port ? os10_bound(t, own, OS10_QUEUING_KEY) :
				    t->blocks[i].kind == OS10_OTHER_PORT ? os10_value(own, OS10_QUEUING_KEY) : NULL;
		const struct os10_block *policy = os10_find(t, OS10_POLICY_QUEUE, bound);

		for (unsigned queue = 0; policy && queue < 8; queue++) {
			const struct os10_part *class = class_of_queue(t, policy, queue);
			const char *profile = class ? os10_value(class, "random-detect") : NULL;
			bool agrees = false;

			if (!profile || strcmp(profile, w->want.old))
				continue;
			for (size_t k = 0; is_port && k < n && !agrees; k++)
				agrees = !strcmp(list[k].want.port, t->blocks[i].name) && list[k].queue == queue &&
					 os10_same_content(t, &list[k].want.content, &w->want.content);
			if (!agrees)
				return false;
		}
	}
	return true;
}

/* The profile of one queue by the rules of the header, as os10_bind_all() does for what ports are bound to. */
static const char *profile_for(struct editor *e, const struct wred *list, size_t n, const struct wred *w)
{
	struct os10_block *old = os10_find(e->tree, OS10_WRED, w->want.old), after = w->want.content;
	const char *same = os10_same_object(e->tree, &w->want.content);

	if (old && os10_same_content(e->tree, old, &w->want.content))
		return old->name;
	if (same)
		return same;
	if (old)
		after.header = old->header;
	if (!old || os10_is_own(old) || !os10_can_change(old, &after) || !profile_users_agree(e->tree, list, n, w))
		return os10_own_object(e->tree, &w->want.content);
	os10_take_content(old, &w->want.content);
	return old->name;
}

static bool edit_port_queuing(struct editor *e, const struct port_edit *p, const struct wred *wreds, size_t n,
			      struct os10_want *w)
{
	const char *bound = os10_bound(e->tree, editor_port_lines(e, p), OS10_QUEUING_KEY);

	editor_want_begin(e, w, OS10_POLICY_QUEUE, OS10_QUEUING_KEY, bound);
	if (bound && !w->old)
		return err_set(e->err, "%s: its queuing policy is not in the configuration", p->port);
	for (unsigned i = 0; i < 8; i++) {
		struct os10_part *class;
		const struct os10_part *now = class_of_queue(e->tree, &w->content, i);

		if (p->algo[i] == UNSAID && p->share[i] == UNSAID && !marks_said(p, i))
			continue;
		if (!now && p->algo[i] == UNSAID && p->share[i] == UNSAID)
			return err_set(e->err, "%s: queue %u has no class, and no bandwidth is required for it", p->port, i);
		if (now && os10_class_matches(e->tree, OS10_CLASS_QUEUE, now) != UINT64_C(1) << i)
			return err_set(e->err, "%s: queue %u shares its class with others", p->port, i);
		class = editor_need_class(e, &w->content, OS10_CLASS_QUEUE, i);
		if (!share_class(e, p, i, class))
			return false;
		if (p->ecn[i] == 0)	/* a profile without ECN would drop */
			os10_unset(class, "random-detect");
		for (size_t k = 0; k < n; k++)
			if (wreds[k].queue == i && !strcmp(wreds[k].want.port, p->port))
				os10_set(e->tree, class, "random-detect", profile_for(e, wreds, n, &wreds[k]));
	}
	return (!editor_any_said(p->share, 8) && !editor_any_said(p->algo, 8)) || shares_fit(e, p, &w->content);
}

bool os10_edit_queuing(struct editor *e)
{
	struct os10_want *list = editor_wants_new(e);
	struct wred *wreds = xcalloc(e->n * 8 + 1, sizeof(*wreds));
	bool is_done = true;
	size_t n = 0;

	for (size_t i = 0; i < e->n * 8 && is_done; i++) {
		const struct port_edit *p = &e->ports[i / 8];

		if (!marks_said(p, i % 8) || p->ecn[i % 8] == 0)
			continue;
		wreds[n].queue = i % 8;
		is_done = edit_profile(e, p, i % 8, &wreds[n++].want);
	}
	for (size_t i = 0; i < e->n && is_done; i++) {
		const struct port_edit *p = &e->ports[i];
		bool marks = false;

		for (unsigned k = 0; k < 8; k++)
			marks |= marks_said(p, k);
		if (marks || editor_any_said(p->share, 8) || editor_any_said(p->algo, 8))
			is_done = edit_port_queuing(e, p, wreds, n, &list[i]);
	}
	if (is_done)
		os10_bind_all(e->tree, OS10_POLICY_QUEUE, OS10_QUEUING_KEY, list, e->n);
	for (size_t i = 0; i < n; i++)
		os10_want_done(&wreds[i].want);
	free(wreds);
	editor_wants_free(e, list);
	return is_done;
}
