/* A recording taken for what it says: replayed, judged as live, and diagnosed. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "core/fabric/cable_plan.h"
#include "db/replay/replay.h"
#include "remote/platforms.h"
#include "tests/trials/scenario.h"

#define CONSOLE_PROBE	"ssh"		/* what the console itself says of reaching a device */
#define JUDGE_EVERY_US	500000

/* What is known at the recording's end. */
struct heard {
	struct model *model;
	struct links links;
	struct findings *findings;
	struct policy *policy;
	struct inventory inventory;
};

static void heard_done(struct heard *h)
{
	findings_free(h->findings);
	links_done(&h->links);
	model_free(h->model);
	policy_free(h->policy);
	inventory_done(&h->inventory);
}

static bool heard_init(struct heard *h, const struct replay *r, struct err *err)
{
	const char *inventory = replay_inventory(r), *policy = replay_policy(r), *plan = replay_plan(r);

	*h = (struct heard){ .model = model_new(), .findings = findings_new() };
	inventory_init(&h->inventory);
	if (!inventory || !inventory_read(&h->inventory, span_of(inventory), "inventory", err))
		return false;
	if (plan && *plan && !cable_plan_read(&h->inventory, span_of(plan), "plan", err))
		return false;
	for (size_t i = 0; i < h->inventory.n_hosts; i++)
		model_need_device(h->model, h->inventory.hosts[i].name);
	h->policy = policy && *policy ? policy_read(span_of(policy), "policy", err) : policy_builtin("roce-lossless");
	return h->policy != NULL;
}

static void judge(struct heard *h, int64_t at_us)
{
	model_set_now(h->model, at_us);
	links_update(&h->links, h->model, &h->inventory);
	findings_judge(h->findings, h->model, &h->links, h->policy, &h->inventory);
}

/* The same stream, in the same steps as live, but for the probe that is left out. */
static bool hear(struct heard *h, struct replay *r, const char *probe, struct err *err)
{
	int64_t judged_us = replay_first(r);
	struct obs o;

	if (!replay_seek(r, replay_last(r), replay_last(r) - replay_first(r) + 1, err))
		return false;
	obs_init(&o, NULL, NULL);
	while (replay_next(r, INT64_MAX, &o)) {
		if (probe && o.probe && !strcmp(o.probe, probe))
			continue;
		o.refresh_us = platforms_refresh_us(o.probe);
		model_apply(h->model, &o);
		if (o.at_us - judged_us >= JUDGE_EVERY_US)
			judge(h, judged_us = o.at_us);
	}
	obs_done(&o);
	judge(h, replay_last(r));
	return true;
}

static void count_warned(const struct heard *h, struct diagnosed *out)
{
	const struct finding *const *list;
	for (size_t i = findings_open(h->findings, &list); i-- > 0;) {
		if (list[i]->verdict < VERDICT_WARN || list[i]->cause)
			continue;
		out->n_warned++;
		snprintf(out->warned, sizeof(out->warned), "%s at %s: %s", list[i]->check->id, list[i]->where,
			 list[i]->what);
	}
}

/* The named ones, the likeliest first. */
static void rank_answers(const struct heard *h, struct diagnosed *out)
{
	struct diagnosis d = { .n_named = 0 };

	diagnosis_make(&d, &(struct diagnosis_of){
		.model = h->model, .links = &h->links, .findings = h->findings, .policy = h->policy, .inventory = &h->inventory,
	});
	for (size_t i = 0; i < d.n_named && i < ANSWERS_MAX; i++) {
		const struct suspect *suspect = &d.suspects[i];
		struct named_cause *a = &out->answers[out->n_answers++];

		snprintf(a->cause, sizeof(a->cause), "%s", suspect->cause->id);
		snprintf(a->where, sizeof(a->where), "%s", suspect->where);
		snprintf(a->why, sizeof(a->why), "score %d, %.180s", suspect->score, suspect->n_notes ? suspect->notes[0].text : "");
	}
	diagnosis_done(&d);
}

bool diagnose_recording(const char *file, const char *probe, struct diagnosed *out, struct err *err)
{
	struct replay *r = replay_open(file, err);
	struct heard h;
	bool is_heard;

	*out = (struct diagnosed){ .n_answers = 0 };
	if (!r)
		return false;
	is_heard = heard_init(&h, r, err) && hear(&h, r, probe, err);
	if (is_heard) {
		count_warned(&h, out);
		rank_answers(&h, out);
	}
	heard_done(&h);
	replay_close(r);
	return is_heard;
}

size_t probes_of_recording(const char *file, char probes[][40], size_t max)
{
	struct replay *r = replay_open(file, NULL);
	struct obs o;
	size_t n = 0, i;

	if (!r)
		return 0;
	obs_init(&o, NULL, NULL);
	while (replay_next(r, INT64_MAX, &o)) {
		if (!o.probe || !strcmp(o.probe, CONSOLE_PROBE))
			continue;
		for (i = 0; i < n && strcmp(probes[i], o.probe); i++)
			;
		if (i == n && n < max)
			snprintf(probes[n++], sizeof(probes[0]), "%s", o.probe);
	}
	obs_done(&o);
	replay_close(r);
	return n;
}

/* "node1:eth2" in "node1:eth2 - leaf1:ethernet1/1/1", and not in "node1:eth20". */
static bool is_in(const char *where, const char *place)
{
	size_t n = strlen(place);

	for (const char *at = strstr(where, place); at; at = strstr(at + 1, place))
		if ((at == where || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ' || at[n] == ':'))
			return true;
	return false;
}

bool names_fault(const struct named_cause *a, const struct broken *b)
{
	if (strcmp(a->cause, b->kind->cause) && (!b->kind->also || strcmp(a->cause, b->kind->also)))
		return false;
	for (size_t i = 0; i < b->n_places; i++)
		if (is_in(a->where, b->places[i]))
			return true;
	return false;
}
