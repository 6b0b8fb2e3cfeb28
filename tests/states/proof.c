/* The proof of each cable, beside the findings. */
#include "tests/states/statements.h"

#include <stdio.h>

#include "core/diagnose/proof.h"
#include "core/judge/judge_context.h"

/* Steps and checks that speak of the same: where both are judged at one port, one is not right and the other wrong. */
static const struct {
	const char *step, *check;
	bool both_ways;		/* also: where the check is right, the step is not false */
} pairs[] = {
	{ "trust", "trust-as-wanted", true },
	{ "marking", "ecn-on", false },
	{ "marking", "ecn-sane", false },
	{ "marking", "ecn-before-pfc", false },
	{ "honors pause", "pause-frames-off", false },
	{ "honors pause", "pfc-queue-agrees", false },
	{ "no-drop", "pause-frames-off", false },
	{ "sends CNPs", "np-on", true },
	{ "reacts to CNPs", "rp-on", true },
	{ "CNP DSCP", "cnp-marked-as-wanted", true },
	{ "served", "ets-cnp-served", true },
	{ "buffer", "buffer-alone", false },
	{ "wire", "speed-same", false },
	{ "wire", "mtu-fits", false },
	{ "wire", "link-up", false },
};

/* What a step calls false is not right by every check of the same. */
static const char *const false_by[][2] = {
	{ "app ToS", "tos-ecn app-tos-as-wanted" },
	{ "DSCP", "tos-ecn app-tos-as-wanted rdma-hardware gid-v2 app-gid-is-v2" },
	{ "ECN bits", "tos-ecn app-tos-as-wanted" },
	{ "priority", "dscp-map-as-wanted" },
	{ "class", "prio-tc-as-wanted" },
	{ "queue", "prio-tc-as-wanted tc-queue-as-wanted" },
	{ "marking", "ecn-on ecn-sane ecn-before-pfc" },
	{ "honors pause", "pfc-on-where-wanted pause-frames-off pfc-queue-agrees" },
	{ "no-drop", "pfc-on-where-wanted pause-frames-off" },
	{ "wire", "link-up speed-same mtu-fits" },
};

static bool is_right_by_all(const struct judged_state *j, const char *checks, const struct port *at)
{
	struct span rest = span_of(checks), word;
	char id[64];
	bool all = true;

	while (span_word(&rest, &word)) {
		snprintf(id, sizeof(id), "%.*s", (int)word.n, word.p);
		all &= judged_state_said_at(j, id, at) == VERDICT_OK;
	}
	return all;
}

static void compare_false(const struct judged_state *j, const struct proof_step *step, size_t *n)
{
	for (size_t i = 0; i < sizeof(false_by) / sizeof(*false_by); i++) {
		if (strcmp(false_by[i][0], step->name) != 0 || step->verdict != VERDICT_FAIL || !step->at)
			continue;
		++*n;
		if (is_right_by_all(j, false_by[i][1], step->at))
			tally_broken("proof: \"%s\" is false while %s are ok", step->name, false_by[i][1]);
	}
}

/* PFC of the very priority, which the check knows of all priorities at once. */
static void compare_pfc(const struct judged_state *j, const struct proof_step *step, size_t *n)
{
	uint64_t on;

	if (step->verdict != VERDICT_OK || !step->at || (strcmp(step->name, "no-drop") != 0 && strcmp(step->name, "honors pause") != 0))
		return;
	++*n;
	if (port_cell(step->at, FIELD_PFC_ON, step->index) &&
	    (!port_number(j->s.model, step->at, FIELD_PFC_ON, step->index, &on) || !on))
		tally_broken("proof: \"%s\" is proven while PFC is off or not known", step->name);
}

static void compare_step(const struct judged_state *j, const struct proof_step *step, size_t *n)
{
	compare_pfc(j, step, n);
	compare_false(j, step, n);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		enum verdict v;

		if (strcmp(pairs[i].step, step->name) != 0 || !step->at || findings_scene(j->fresh)->ports[step->at->id].roce != ROCE_YES)
			continue;
		v = judged_state_said_at(j, pairs[i].check, step->at);
		++*n;
		if (step->verdict == VERDICT_OK && (v >= VERDICT_WARN || v == VERDICT_UNKNOWN))
			tally_broken("proof: \"%s\" is proven while %s is %s", step->name, pairs[i].check, verdict_name(v));
		if (step->verdict == VERDICT_FAIL && v == VERDICT_OK && pairs[i].both_ways)
			tally_broken("proof: \"%s\" is false while %s is ok", step->name, pairs[i].check);
	}
}

/* A step that takes what a step before it gave is not proven while that one is not known. */
static const char *const follows[][2] = {
	{ "app ToS", "DSCP" }, { "app ToS", "ECN bits" },
};

static const struct proof_step *step_of(const struct proof *proof, const struct proof_path *path, const char *name)
{
	for (size_t i = path->first; i < path->first + path->n; i++)
		if (strcmp(proof->steps[i].name, name) == 0)
			return &proof->steps[i];
	return NULL;
}

static void compare_path(const struct judged_state *j, const struct proof *proof, const struct proof_path *path, size_t *n)
{
	bool is_all = true;

	for (size_t i = path->first; i < path->first + path->n; i++) {
		const struct proof_step *step = &proof->steps[i];

		compare_step(j, step, n);
		is_all &= step->verdict == VERDICT_OK || step->verdict == VERDICT_NA;
		if (step->verdict == VERDICT_UNKNOWN && !step->missing[0])
			tally_broken("proof: \"%s\" is not known, and nothing is said to lack", step->name);
	}
	if (path->n && is_all != (path->verdict == VERDICT_OK))
		tally_broken("proof: a path is %s, which its steps are not", verdict_name(path->verdict));
	for (size_t i = 0; i < sizeof(follows) / sizeof(*follows); i++) {
		const struct proof_step *before = step_of(proof, path, follows[i][0]), *after = step_of(proof, path, follows[i][1]);

		if (before && after && before->verdict == VERDICT_UNKNOWN && after->verdict == VERDICT_OK)
			tally_broken("proof: \"%s\" is proven (%s) while \"%s\" is not known", after->name, after->out, before->name);
	}
}

/* What NCCL marks, and what the tree and the findings say of it. */
static void compare_tos(const struct judged_state *j, const struct proof *proof, const struct proof_path *path, size_t *n)
{
	static const char *const steps[] = { "app ToS", "DSCP", "ECN bits", "trust", "priority" };
	static const char *const marking[] = { "app-tos-as-wanted", "app-gid-is-v2", "gid-v2", "rdma-hardware" };
	bool is_proven = path->n && path->from;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct proof_step *step = path->n ? step_of(proof, path, steps[i]) : NULL;

		is_proven &= step && step->verdict == VERDICT_OK;
	}
	if (!is_proven)
		return;
	++*n;
	for (size_t i = 0; i < sizeof(marking) / sizeof(*marking); i++)
		if (judged_state_said_at(j, marking[i], path->from) >= VERDICT_WARN)
			tally_broken("proof: the application's marking is proven while %s is open", marking[i]);
}

void proof_agrees(struct judged_state *j, size_t *n)
{
	struct proof proof = { 0 };

	for (size_t i = 0; i < j->s.links.n; i++) {
		const struct link *l = &j->s.links.list[i];

		if (links_of_port(&j->s.links, l->a) != l || (l->b && links_of_port(&j->s.links, l->b) != l))
			continue;	/* two neighbors claim one port: the checks of a port are asked of one link alone */
		proof_make(&proof, &(struct proof_of){ j->s.model, &j->s.links, j->s.policy, &j->s.inventory }, l);
		for (size_t k = 0; k < PROOF_PATHS && !proof.why; k++) {
			compare_path(j, &proof, &proof.paths[k], n);
			compare_tos(j, &proof, &proof.paths[k], n);
		}
	}
	proof_done(&proof);
}
