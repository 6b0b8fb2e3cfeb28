/*
 * Random fabrics (tests/lib/states.h), and what must be true of each: no verdict improves when a cell is taken away, and the
 * findings, the tree, the causes, the proof, the pause trees, the list of ports and the report contradict each other nowhere.
 * Each statement that was compared is counted; one that is compared in no state at all fails.
 *
 *	STATES=10000 SEED=1	how many, and the first seed; each state has its own: SEED + 0, + 1, …
 *	STATES=1 SEED=4711	one alone; SHOW=1 prints its facts and findings
 */
#include "core/diagnose/diagnosis.h"
#include "core/diagnose/proof.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/judge/finding.h"
#include "core/judge/judge_context.h"
#include "core/judge/judged.h"
#include "tests/lib/states.h"
#include "tests/lib/worlds.h"
#include "tui/views/port_row.h"
#include "tui/views/report.h"

#define STATES_USUAL	300
#define TAKEN_EACH	8	/* cells taken away, one after the other */

/* -- what was compared, and what was found -- */

struct broken {
	char what[200];
	uint64_t seed;
	unsigned n;
};

static struct {
	struct broken *list;
	size_t n, cap;
	size_t states, verdicts, cells;
	uint64_t seed;
} run;

static void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void broken(const char *format, ...)
{
	char what[200];
	struct broken *b;
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	for (size_t i = 0; i < run.n; i++)
		if (strcmp(run.list[i].what, what) == 0) {
			run.list[i].n++;
			return;
		}
	b = GROW(run.list, run.n, run.cap);
	run.n++;
	b->seed = run.seed;
	b->n = 1;
	memcpy(b->what, what, sizeof(what));
}

/* -- one state, judged -- */

struct judged_state {
	struct state s;
	struct findings *fresh;		/* a ledger that begins now */
	struct findings *going;		/* one that was there before anything was taken away */
	const struct finding *const *open;
	size_t n_open;
};

static struct findings *judge(struct judged_state *j, struct findings *f)
{
	f = f ? f : findings_new();
	findings_judge(f, j->s.model, &j->s.links, j->s.policy, &j->s.inventory);
	return f;
}

static void judge_anew(struct judged_state *j)
{
	findings_free(j->fresh);
	j->fresh = judge(j, NULL);
	j->n_open = findings_open(j->fresh, &j->open);
}

/* -- statements: a row each, counted -- */

struct statement {
	const char *words;
	void (*compare)(struct judged_state *j, size_t *n);
	size_t n;
};

static bool lists(const char *list, const char *id)
{
	struct span rest = span_of(list), word;

	while (span_word(&rest, &word))
		if (span_is(word, id))
			return true;
	return false;
}

static void begin_diagnosis(const struct judged_state *j, struct diagnosis *d, const char *symptom, const struct device *device)
{
	const struct decision_tree *tree = decision_tree_find(NULL);

	diagnosis_make(d, &(struct diagnosis_of){ .model = j->s.model, .links = &j->s.links, .findings = j->fresh,
						  .policy = j->s.policy, .inventory = &j->s.inventory, .tree = tree,
						  .device = device, .symptom = symptom ? symptom_find(tree, symptom) : NULL });
}

/* The worst that is unknown or wrong of one check, wherever it is asked. */
static enum verdict worst_anywhere(const struct judged_state *j, const struct check *check)
{
	enum verdict worst = VERDICT_OK, v;
	bool is_lost;

	for (size_t i = 0; check->of == OF_DEVICE && i < model_devices(j->s.model); i++) {
		v = findings_said(j->fresh, check, model_device(j->s.model, i), NULL, &is_lost);
		worst = v > worst && v != VERDICT_NA ? v : worst;
	}
	for (size_t i = 0; check->of != OF_DEVICE && i < model_ports(j->s.model); i++) {
		const struct port *p = model_port(j->s.model, i);

		v = findings_said(j->fresh, check, p->device, p, &is_lost);
		worst = v > worst && v != VERDICT_NA ? v : worst;
	}
	return worst;
}

static bool is_right(const struct tree_question *q, enum tree_answer answer)
{
	return answer == (q->found == ANSWER_YES ? ANSWER_NO : ANSWER_YES);
}

/* A question is not answered as if all were right while a check of it is open at warn or above, or not known. */
static void tree_asks_all(struct judged_state *j, size_t *n)
{
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct diagnosis d = { 0 };
	struct asking a;

	begin_diagnosis(j, &d, NULL, NULL);
	for (size_t i = 0; i < tree->n_questions; i++) {
		const struct tree_question *q = &tree->questions[i];

		if (!q->checks)
			continue;
		question_ask(&a, &d, q);
		for (size_t k = 0; k < check_count; k++) {
			enum verdict worst = lists(q->checks, check_table[k].id) ? worst_anywhere(j, &check_table[k]) : VERDICT_OK;

			++*n;
			if (is_right(q, a.answer) && worst == VERDICT_UNKNOWN)
				broken("tree: %s is answered %s while %s is not known somewhere", q->id, answer_word(a.answer),
				       check_table[k].id);
			if ((is_right(q, a.answer) || a.answer == ANSWER_NA) && worst >= VERDICT_WARN)
				broken("tree: %s is answered %s while %s is %s", q->id, answer_word(a.answer), check_table[k].id,
				       verdict_name(worst));
			if (a.answer == ANSWER_NA && worst == VERDICT_UNKNOWN)
				broken("tree: %s is n/a while %s is not known somewhere", q->id, check_table[k].id);
		}
	}
	diagnosis_done(&d);
}

/* An answer that a check gives stands on a finding that is open, of a check that is the question's. */
static void tree_stands_on_findings(struct judged_state *j, size_t *n)
{
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct diagnosis d = { 0 };
	struct asking a;

	begin_diagnosis(j, &d, NULL, NULL);
	for (size_t i = 0; i < tree->n_questions; i++) {
		const struct tree_question *q = &tree->questions[i];

		question_ask(&a, &d, q);
		++*n;
		if (a.answer == ANSWER_UNKNOWN && !a.missing[0])
			broken("tree: %s is not known, and nothing is said to lack", q->id);
		if (a.answer != ANSWER_UNKNOWN && !a.what[0])
			broken("tree: %s is answered %s without a word", q->id, answer_word(a.answer));
		if (a.finding && (!a.finding->is_open || a.finding->verdict < VERDICT_LOOK))
			broken("tree: %s stands on %s, which is no open finding", q->id, a.finding->check->id);
		for (size_t k = 0; q->checks && !q->ask && k < j->n_open; k++)
			if (j->open[k]->verdict >= VERDICT_WARN && !j->open[k]->cause && lists(q->checks, j->open[k]->check->id) &&
			    a.answer != q->found)
				broken("tree: %s is answered %s in spite of %s", q->id, answer_word(a.answer), j->open[k]->check->id);
	}
	diagnosis_done(&d);
}

/* The same of one device: what touches it is not passed by. */
static void compare_end_at(struct judged_state *j, const char *symptom, size_t *n)
{
	const struct device *device = model_device(j->s.model, states_below(&j->s, model_devices(j->s.model)));
	struct diagnosis d = { 0 };

	begin_diagnosis(j, &d, symptom, device);
	++*n;
	for (size_t i = 0; d.leaf && (!strcmp(d.leaf->id, "OK") || !strcmp(d.leaf->id, "OPEN")) && i < j->n_open; i++)
		if (j->open[i]->verdict >= VERDICT_LOOK && diagnosis_touches(&d, j->open[i]))
			broken("tree: ends at %s for a device while %s is open there", d.leaf->id, j->open[i]->check->id);
	diagnosis_done(&d);
}

/* "Healthy", "nothing is found wrong": only where nothing is, and the first only where all that the tree asks is known. */
static void tree_ends_honestly(struct judged_state *j, size_t *n)
{
	static const char *const symptoms[] = { NULL, "slow", "none" };
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct diagnosis d = { 0 };

	for (size_t i = 0; i < sizeof(symptoms) / sizeof(*symptoms); i++) {
		begin_diagnosis(j, &d, symptoms[i], NULL);
		compare_end_at(j, symptoms[i], n);
		++*n;
		if (!d.leaf) {
			broken("tree: the way ends at no leaf");
			continue;
		}
		if ((!strcmp(d.leaf->id, "OK") || !strcmp(d.leaf->id, "OPEN")) && findings_count(j->fresh, VERDICT_LOOK))
			broken("tree: ends at %s while %s is open", d.leaf->id, j->open[0]->check->id);
		for (size_t k = 0; !strcmp(d.leaf->id, "OK") && k < tree->n_questions * check_count; k++) {
			const struct tree_question *q = &tree->questions[k / check_count];
			const struct check *check = &check_table[k % check_count];

			if (q->checks && lists(q->checks, check->id) && worst_anywhere(j, check) == VERDICT_UNKNOWN)
				broken("tree: \"%s\" (%s) while %s, of %s, is not known", d.leaf->text, symptoms[i] ? symptoms[i] : "-",
				       check->id, q->id);
		}
	}
	diagnosis_done(&d);
}

/* Questions that read facts of ports by themselves, and the facts; and the answer that says that all is right. */
static const struct {
	const char *question, *fields;
	enum side side;
	enum tree_answer right;
} readers[] = {
	{ "DCQCN", "cc.rpg_ai_rate cc.rpg_hai_rate cc.rpg_min_rate", SIDE_HOST, ANSWER_YES },
	{ "ISCSI", "dscp.prio[4] dscp.prio[26]", SIDE_HOST, ANSWER_YES },
	{ "FEC", "fec", SIDE_ANY, ANSWER_YES },
	{ "X5", "role", SIDE_HOST, ANSWER_YES },
	{ "X5", "role", SIDE_HOST, ANSWER_NA },
	{ "X8", "pci.stall", SIDE_HOST, ANSWER_YES },
	{ "X7", "pcie.width pcie.speed pcie.width.max pcie.speed.max", SIDE_HOST, ANSWER_YES },
};

/* Asked and not to be had, or too old; not what nobody was asked. */
static bool is_unread(const struct judged_state *j, const struct port *p, enum field f, unsigned index)
{
	const struct cell *c = port_cell(p, f, index);

	return c && (c->value.is == VALUE_UNKNOWN || cell_is_stale(j->s.model, c));
}

/* The first port that carries RoCE and of which one of the facts could not be read; or NULL. */
static const struct port *unread(const struct judged_state *j, const char *fields, enum side side, char name[64])
{
	for (size_t i = 0; i < model_ports(j->s.model); i++) {
		const struct port *p = model_port(j->s.model, i);
		struct span rest = span_of(fields), word;
		bool is_switch = findings_scene(j->fresh)->parties[p->device->id].is_switch;
		enum field f;

		if ((side != SIDE_ANY && (side == SIDE_SWITCH) != is_switch) || findings_scene(j->fresh)->ports[p->id].roce != ROCE_YES)
			continue;
		while (span_word(&rest, &word)) {
			unsigned index = 0;

			snprintf(name, 64, "%.*s", (int)word.n, word.p);
			sscanf(name + strcspn(name, "["), "[%u]", &index);
			name[strcspn(name, "[")] = '\0';
			if (field_find(span_of(name), &f) && is_unread(j, p, f, index))
				return p;
		}
	}
	return NULL;
}

/* "None", "all", "the same at both ends": not while one of those could not be read. */
static void readers_have_read(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };
	struct asking a;
	char field[64];

	begin_diagnosis(j, &d, NULL, NULL);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		question_ask(&a, &d, question_find(d.of.tree, readers[i].question));
		++*n;
		if (a.answer == readers[i].right && unread(j, readers[i].fields, readers[i].side, field))
			broken("tree: %s is answered %s while %s of a port could not be read", readers[i].question, answer_word(a.answer), field);
	}
	diagnosis_done(&d);
}

/* -- causes -- */

static bool has_sign(const struct known_cause *cause, const struct finding *f)
{
	for (size_t i = 0; i < SIGNS_MAX && cause->signs[i].check; i++)
		if (strcmp(cause->signs[i].check, f->check->id) == 0)
			return true;
	return false;
}

/* Each cause that is named stands on a finding that is open, on an answer of the tree, or on a log. */
static void causes_stand_on_findings(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };
	struct asking a;

	begin_diagnosis(j, &d, NULL, NULL);
	for (size_t i = 0; i < d.n_suspects; i++) {
		const struct suspect *s = &d.suspects[i];
		bool stands = false;

		for (size_t k = 0; k < s->n_notes; k++) {
			const struct note *note = &s->notes[k];

			++*n;
			stands |= note->is == NOTE_FOR && note->finding && has_sign(s->cause, note->finding);
			stands |= note->is == NOTE_FOR && !note->finding && note->n_evidence;
			if (note->finding && !note->finding->is_open)
				broken("causes: %s stands on %s, which is closed", s->cause->id, note->finding->check->id);
		}
		if (s->is_named && s->cause->asked.question) {
			question_ask(&a, &d, question_find(d.of.tree, s->cause->asked.question));
			stands |= a.answer == s->cause->asked.answer;
		}
		if (s->is_named && !stands)
			broken("causes: %s is named and stands on nothing", s->cause->id);
	}
	diagnosis_done(&d);
}

/* That a finding of this check shows the cause, whatever else is so. */
static bool is_shown_by(const struct known_cause *cause, const struct finding *f)
{
	for (size_t i = 0; i < SIGNS_MAX && cause->signs[i].check; i++)
		if (strcmp(cause->signs[i].check, f->check->id) == 0 && !cause->signs[i].fits)
			return true;
	return false;
}

static bool is_noted(const struct diagnosis *d, const struct finding *f)
{
	for (size_t i = 0; i < d->n_suspects; i++)
		for (size_t k = 0; k < d->suspects[i].n_notes; k++)
			if (d->suspects[i].is_named && d->suspects[i].notes[k].finding == f)
				return true;
	return false;
}

/* A finding that nothing explains, and that shows a cause by itself, has that cause named. */
static void findings_have_causes(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };

	begin_diagnosis(j, &d, NULL, NULL);
	for (size_t i = 0; i < j->n_open; i++)
		for (size_t k = 0; k < known_cause_count && j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->cause; k++) {
			if (!is_shown_by(&known_causes[k], j->open[i]))
				continue;
			++*n;
			if (!is_noted(&d, j->open[i]))
				broken("causes: none is named for %s, a sign of %s", j->open[i]->check->id, known_causes[k].id);
		}
	diagnosis_done(&d);
}

/* -- the proof of each cable -- */

/* Steps and checks that speak of the same: where both are judged at one port, one is not right and the other wrong. */
static const struct {
	const char *step, *check;
	bool both_ways;		/* also: where the check is right, the step is not false */
} pairs[] = {
	{ "trust", "trust-as-wanted", true },
	{ "marking", "ecn-on", false },
	{ "marking", "ecn-sane", false },
	{ "marking", "ecn-before-pfc", false },
	{ "obeys pause", "pause-frames-off", false },
	{ "obeys pause", "pfc-queue-agrees", false },
	{ "no-drop", "pause-frames-off", false },
	{ "answers marks", "np-on", true },
	{ "obeys CNPs", "rp-on", true },
	{ "CNP DSCP", "cnp-marked-as-wanted", true },
	{ "served", "ets-cnp-served", true },
	{ "buffer", "buffer-alone", false },
	{ "wire", "speed-same", false },
	{ "wire", "mtu-fits", false },
	{ "wire", "link-up", false },
};

/* What a check said at a port, or of the link that it is on; n/a where the check speaks of more than one priority at once. */
static enum verdict said_at(const struct judged_state *j, const char *id, const struct port *p)
{
	unsigned lossless = policy_lossless(j->s.policy, false) | policy_lossless(j->s.policy, true);
	const struct check *check = check_find(id);
	const struct link *l = links_of_port(&j->s.links, p);
	bool is_lost;

	if (check->each_priority && lossless & (lossless - 1))
		return VERDICT_NA;
	if (check->of == OF_LINK)
		p = l ? l->a : p;
	return findings_said(j->fresh, check, p->device, p, &is_lost);
}

/* What a step calls false is not right by every check of the same. */
static const char *const false_by[][2] = {
	{ "app ToS", "tos-ecn app-tos-as-wanted" },
	{ "DSCP", "tos-ecn app-tos-as-wanted" },
	{ "ECN bits", "tos-ecn app-tos-as-wanted" },
	{ "priority", "dscp-map-as-wanted" },
	{ "class", "prio-tc-as-wanted" },
	{ "queue", "prio-tc-as-wanted tc-queue-as-wanted" },
	{ "marking", "ecn-on ecn-sane ecn-before-pfc" },
	{ "obeys pause", "pfc-on-where-wanted pause-frames-off pfc-queue-agrees" },
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
		all &= said_at(j, id, at) == VERDICT_OK;
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
			broken("proof: \"%s\" is false while %s are ok", step->name, false_by[i][1]);
	}
}

/* PFC of the very priority, which the check knows of all priorities at once. */
static void compare_pfc(const struct judged_state *j, const struct proof_step *step, size_t *n)
{
	uint64_t on;

	if (step->verdict != VERDICT_OK || !step->at || (strcmp(step->name, "no-drop") != 0 && strcmp(step->name, "obeys pause") != 0))
		return;
	++*n;
	if (port_cell(step->at, FIELD_PFC_ON, step->index) &&
	    (!port_number(j->s.model, step->at, FIELD_PFC_ON, step->index, &on) || !on))
		broken("proof: \"%s\" is proven while PFC is off or not known", step->name);
}

static void compare_step(const struct judged_state *j, const struct proof_step *step, size_t *n)
{
	compare_pfc(j, step, n);
	compare_false(j, step, n);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		enum verdict v;

		if (strcmp(pairs[i].step, step->name) != 0 || !step->at || findings_scene(j->fresh)->ports[step->at->id].roce != ROCE_YES)
			continue;
		v = said_at(j, pairs[i].check, step->at);
		++*n;
		if (step->verdict == VERDICT_OK && (v >= VERDICT_WARN || v == VERDICT_UNKNOWN))
			broken("proof: \"%s\" is proven while %s is %s", step->name, pairs[i].check, verdict_name(v));
		if (step->verdict == VERDICT_FAIL && v == VERDICT_OK && pairs[i].both_ways)
			broken("proof: \"%s\" is false while %s is ok", step->name, pairs[i].check);
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
			broken("proof: \"%s\" is not known, and nothing is said to lack", step->name);
	}
	if (path->n && is_all != (path->verdict == VERDICT_OK))
		broken("proof: a path is %s, which its steps are not", verdict_name(path->verdict));
	for (size_t i = 0; i < sizeof(follows) / sizeof(*follows); i++) {
		const struct proof_step *before = step_of(proof, path, follows[i][0]), *after = step_of(proof, path, follows[i][1]);

		if (before && after && before->verdict == VERDICT_UNKNOWN && after->verdict == VERDICT_OK)
			broken("proof: \"%s\" is proven (%s) while \"%s\" is not known", after->name, after->out, before->name);
	}
}

/* What NCCL marks, and what the tree and the findings say of it. */
static void compare_tos(const struct judged_state *j, const struct proof *proof, const struct proof_path *path, size_t *n)
{
	static const char *const steps[] = { "app ToS", "DSCP", "ECN bits", "trust", "priority" };
	bool is_proven = path->n && path->from;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct proof_step *step = path->n ? step_of(proof, path, steps[i]) : NULL;

		is_proven &= step && step->verdict == VERDICT_OK;
	}
	if (!is_proven)
		return;
	++*n;
	if (said_at(j, "app-tos-as-wanted", path->from) >= VERDICT_WARN)
		broken("proof: the application's marking is proven while app-tos-as-wanted is open");
}

static void proof_agrees(struct judged_state *j, size_t *n)
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

/* -- figures -- */

/* "… 4.2 % of the time on priority 3": the number, as it is written. */
static bool share_in(const char *what, char share[SHARE_TEXT])
{
	const char *end = strstr(what, " % of the time"), *p = end;

	while (p && p > what && p[-1] != ' ')
		p--;
	if (!p || end - p >= SHARE_TEXT)
		return false;
	snprintf(share, SHARE_TEXT, "%.*s", (int)(end - p), p);
	return true;
}

/* The part of the time that a port is stopped is one number in the finding, in the pause tree and in the row of ports. */
static void shares_are_one(struct judged_state *j, size_t *n)
{
	struct pauses g = { 0 };
	char in_finding[SHARE_TEXT], in_tree[SHARE_TEXT];

	pauses_make(&g, &(struct pauses_of){ j->s.model, &j->s.links, j->s.policy, &j->s.inventory });
	for (size_t i = 0; i < j->n_open; i++) {
		const struct finding *f = j->open[i];
		const struct link *l = f->port ? links_of_port(&j->s.links, f->port) : NULL;
		bool is_held = strcmp(f->check->id, "not-paused") == 0;
		const struct port *held = is_held ? f->port : l ? link_far(l, f->port) : NULL;
		const struct hold *h = held ? pauses_hold(&g, held, f->index) : NULL;

		if (!held || f->verdict < VERDICT_LOOK || !share_in(f->what, in_finding) || strcmp(f->check->id, "ecn-carries") == 0)
			continue;
		++*n;
		if (!h)
			broken("pauses: no hold of what %s says", f->check->id);
		else if (strcmp(share_text(in_tree, h->share), in_finding) != 0)
			broken("pauses: %s %% in the tree, %s %% in %s", in_tree, in_finding, f->check->id);
	}
	pauses_done(&g);
}

/* Class 300 has no queue that a watchdog could count; and what is not known to be a switch has no queues at all. */
static bool has_no_queue(const struct judged_state *j, const struct pause_root *r)
{
	const struct link *l = links_of_port(&j->s.links, r->at);
	const struct port *far = l ? link_far(l, r->at) : NULL;
	uint64_t tc, queue;

	if (far && !findings_scene(j->fresh)->parties[far->device->id].is_switch)
		return true;
	if (!far || !port_number(j->s.model, far, FIELD_PRIO_TC, r->prio, &tc))
		tc = r->prio;
	return tc > 7 || (far && port_number(j->s.model, far, FIELD_TC_QUEUE, (unsigned)tc, &queue) && queue > 7);
}

/* A host that sends pause without end is that in the findings and in the pause trees, and no slow receiver in one of them. */
static void storms_are_one(struct judged_state *j, size_t *n)
{
	struct pauses g = { 0 };

	pauses_make(&g, &(struct pauses_of){ j->s.model, &j->s.links, j->s.policy, &j->s.inventory });
	for (size_t i = 0; i < g.n_roots; i++) {
		const struct pause_root *r = &g.roots[i];
		enum verdict v;

		if ((r->is != ROOT_STORM && r->is != ROOT_SLOW_RECEIVER) || !r->is_sure || !r->at ||
		    findings_scene(j->fresh)->ports[r->at->id].roce != ROCE_YES || has_no_queue(j, r))
			continue;
		v = said_at(j, "pause-storm", r->at);
		++*n;
		if (r->is == ROOT_STORM && v == VERDICT_OK)
			broken("pauses: a root is a storm while pause-storm is ok");
		if (r->is == ROOT_SLOW_RECEIVER && v == VERDICT_FAIL)
			broken("pauses: a root is a slow receiver while pause-storm is open");
	}
	pauses_done(&g);
}

/* -- the list of ports -- */

/* An equal sign between two ends is not shown while a check of the pair is wrong or not known. */
static void rows_agree(struct judged_state *j, size_t *n)
{
	for (size_t i = 0; i < j->s.links.n; i++) {
		const struct link *l = &j->s.links.list[i];
		struct portrow row;

		portrow_make(&row, j->s.model, j->fresh, j->s.policy, l, device_is_switch(l->a->device, &j->s.inventory),
			     l->b && device_is_switch(l->b->device, &j->s.inventory));
		for (size_t k = 0; k < j->n_open; k++)
			if (portrow_has(l, j->open[k]) && j->open[k]->port && row.worst < j->open[k]->verdict)
				broken("ports: a row is %s while %s is %s", verdict_name(row.worst), j->open[k]->check->id,
				       verdict_name(j->open[k]->verdict));
		for (unsigned pair = 0; pair < PAIR_COUNT; pair++) {
			enum verdict worst = pair_worst((enum pair)pair, j->fresh, l->a, l->b);

			++*n;
			if (pair_sign(&row.pairs[pair]) == '=' && worst >= VERDICT_WARN)
				broken("ports: %s has a = while it is %s", pair_table[pair].name, verdict_name(worst));
			if (pair_sign(&row.pairs[pair]) == '=' && (!strcmp(row.pairs[pair].a, "?") || !strcmp(row.pairs[pair].b, "?")))
				broken("ports: %s has a = while an end is not known", pair_table[pair].name);
		}
	}
}

/* -- the report -- */

static struct view_of view_of_state(const struct judged_state *j)
{
	return (struct view_of){ .model = j->s.model, .links = &j->s.links, .findings = j->fresh, .policy = j->s.policy,
				 .inventory = &j->s.inventory, .fabric = "random", .lanes = model_lanes(j->s.model) };
}

static size_t count_open(const struct judged_state *j, bool unknown)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n_open; i++)
		n += unknown ? j->open[i]->verdict == VERDICT_UNKNOWN : j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->cause;
	return n;
}

static bool is_anything_unknown(const struct judged_state *j)
{
	for (size_t i = 0; i < check_count; i++)
		if (worst_anywhere(j, &check_table[i]) == VERDICT_UNKNOWN)
			return true;
	return false;
}

static void compare_paper(const struct judged_state *j, const json_t *report)
{
	struct buf paper = { 0 }, words = { 0 };

	report_markdown(report, true, &paper);
	buf_printf(&words, "## Findings: %zu\n", count_open(j, false));
	if (!strstr(paper.text, words.text))
		broken("report: does not say \"%.*s\"", (int)words.n - 1, words.text);
	if (strstr(paper.text, "Not known: nothing") && is_anything_unknown(j))
		broken("report: \"Not known: nothing that is checked\" while a check is not known");
	if (strstr(paper.text, "Nothing is found wrong") && findings_count(j->fresh, VERDICT_LOOK))
		broken("report: \"Nothing is found wrong\" while something is");
	buf_done(&paper);
	buf_done(&words);
}

static void report_agrees(struct judged_state *j, size_t *n)
{
	struct view_of of = view_of_state(j);
	json_t *report = report_json(&of), *row;
	size_t places = 0, explained = 0, i;

	json_array_foreach(json_object_get(report, "unknown"), i, row)
		places += (size_t)json_integer_value(json_object_get(row, "places"));
	json_array_foreach(json_object_get(report, "findings"), i, row)
		explained += (size_t)json_integer_value(json_object_get(row, "explains"));
	*n += 4;
	if (json_array_size(json_object_get(report, "findings")) != count_open(j, false) ||
	    count_open(j, false) != findings_count(j->fresh, VERDICT_LOOK))
		broken("report: another number of findings than are open");
	if (places != count_open(j, true))
		broken("report: another number of places not known than are open");
	if (explained > j->n_open)
		broken("report: findings explain more than there are");
	compare_paper(j, report);
	json_decref(report);
}

/* What a gate stops is what is open; and "nothing could be judged" is not said where something is found at a port. */
static void gates_agree(struct judged_state *j, size_t *n)
{
	struct buf words = { 0 };

	*n += 3;
	if (findings_failing(j->fresh, VERDICT_LOOK) != findings_count(j->fresh, VERDICT_LOOK))
		broken("gates: %s", "another number fails at look than is open");
	for (enum verdict v = VERDICT_LOOK; v <= VERDICT_FAIL; v++)
		if (findings_failing(j->fresh, v) < findings_count(j->fresh, v))
			broken("gates: fewer fail at %s than are open", verdict_name(v));
	if (judged_nothing(j->s.model, j->fresh, 3, &words))
		for (size_t i = 0; i < j->n_open; i++)
			if (j->open[i]->port && j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->check->any_port)
				broken("judged: \"nothing could be judged\" while %s is open", j->open[i]->check->id);
	buf_done(&words);
}

/* -- no verdict improves -- */

enum class { CLASS_OK, CLASS_NA, CLASS_LOST, CLASS_UNKNOWN, CLASS_BAD };

static const char *const class_names[] = { "ok", "n/a", "not said", "unknown", "wrong" };

static enum class class_of(enum verdict v, bool is_lost)
{
	if (v >= VERDICT_LOOK)
		return CLASS_BAD;
	if (v == VERDICT_UNKNOWN)
		return CLASS_UNKNOWN;
	return v == VERDICT_OK ? CLASS_OK : is_lost ? CLASS_LOST : CLASS_NA;
}

/* What a place is: whether it is judged at all, as what, and what it is compared with. */
struct applies {
	const struct port *a, *b;
	uint8_t roce, far_roce;
	bool is_switch, is_far_switch, is_fabric;
};

struct snapshot {
	size_t n_ports, n_devices;
	uint8_t *verdicts[2];		/* class by place, then check: of the fresh ledger, and of the going one */
	struct applies *applies;	/* by port */
};

static struct applies applies_to(const struct judged_state *j, const struct port *p)
{
	const struct judge_context *c = findings_scene(j->fresh);
	const struct link *l = links_of_port(&j->s.links, p);
	const struct port *far = l ? link_far(l, p) : NULL;

	return (struct applies){ .a = l ? l->a : NULL, .b = l ? l->b : NULL, .roce = c->ports[p->id].roce,
				 .far_roce = far ? c->ports[far->id].roce : 0, .is_switch = c->parties[p->device->id].is_switch,
				 .is_far_switch = far && c->parties[far->device->id].is_switch, .is_fabric = l && l->is_fabric };
}

static enum class said(const struct judged_state *j, const struct findings *f, const struct check *check, const struct device *d,
		       const struct port *p)
{
	const struct link *l = p && check->of == OF_LINK ? links_of_port(&j->s.links, p) : NULL;
	bool is_lost = false;
	enum verdict v;

	if (check->of == OF_LINK && (!l || l->a != p))
		return CLASS_NA;
	if ((check->of == OF_DEVICE || check->of == OF_FABRIC) != !p)
		return CLASS_NA;
	v = findings_said(f, check, d, p, &is_lost);
	return class_of(v, is_lost);
}

static void look(const struct judged_state *j, struct snapshot *shot)
{
	const struct findings *ledgers[] = { j->fresh, j->going };

	shot->n_ports = model_ports(j->s.model);
	shot->n_devices = model_devices(j->s.model);
	shot->applies = xcalloc(shot->n_ports + 1, sizeof(*shot->applies));
	for (size_t i = 0; i < shot->n_ports; i++)
		shot->applies[i] = applies_to(j, model_port(j->s.model, i));
	for (size_t k = 0; k < 2; k++) {
		uint8_t *v = shot->verdicts[k] = xcalloc((shot->n_ports + shot->n_devices + 1) * check_count, 1);

		for (size_t i = 0; i < shot->n_ports * check_count; i++)
			*v++ = (uint8_t)said(j, ledgers[k], &check_table[i % check_count], model_port(j->s.model, i / check_count)->device,
					     model_port(j->s.model, i / check_count));
		for (size_t i = 0; i < shot->n_devices * check_count; i++)
			*v++ = (uint8_t)(check_table[i % check_count].of == OF_DEVICE ?
					 said(j, ledgers[k], &check_table[i % check_count], model_device(j->s.model, i / check_count), NULL) :
					 CLASS_NA);
		for (size_t i = 0; i < check_count; i++)
			*v++ = (uint8_t)(check_table[i].of == OF_FABRIC ? said(j, ledgers[k], &check_table[i], NULL, NULL) : CLASS_NA);
	}
}

static void forget_shot(struct snapshot *shot)
{
	free(shot->verdicts[0]);
	free(shot->verdicts[1]);
	free(shot->applies);
}

/* Facts that say what a place is, and whom it faces: without one of them another thing is judged there. */
static const struct {
	enum field field;
	const char *why;
} places_are[] = {
	{ FIELD_PLATFORM, "a device of no known platform is taken for a host" },
	{ FIELD_ROLE, "functions and bonds are judged elsewhere" },
	{ FIELD_RDMA, "only ports with an RDMA device are judged for it" },
	{ FIELD_RDMA_LAYER, "InfiniBand is not judged" },
	{ FIELD_RDMA_SOFT, "soft RDMA beside hardware is not the fabric's" },
	{ FIELD_MANAGEMENT, "soft RDMA at the management port is not the fabric's" },
	{ FIELD_SPEED, "soft RDMA slower than the hardware's is not the fabric's" },
	{ FIELD_BOND, "a member carries the RDMA device of its bond" },
	{ FIELD_HOSTNAME, "LLDP names neighbors by it" },
	{ FIELD_PEER_NAME, "LLDP" }, { FIELD_PEER_PORT, "LLDP" }, { FIELD_PEER_MAC, "LLDP" }, { FIELD_PEER_CHASSIS, "LLDP" },
	{ FIELD_MAC, "LLDP names neighbors by it" }, { FIELD_ALIAS, "LLDP names ports by it" },
	{ FIELD_NEIGHBORS, "who is on the same segment" }, { FIELD_FDB, "who is on the same segment" },
};

static bool says_what_a_place_is(enum field f)
{
	for (size_t i = 0; i < sizeof(places_are) / sizeof(*places_are); i++)
		if (places_are[i].field == f)
			return true;
	return false;
}

#define OF_MAPS \
	"best-effort-lossy ecn-as-wanted ecn-before-pfc ecn-on ecn-sane ets-cnp-served lossless-kept marks-arrive pause-storm " \
	"pfc-queue-agrees prio-tc-as-wanted tc-queue-as-wanted watchdog-quiet class-kept"
#define EITHER TAKEN_WAYS

/* Verdicts that may improve without a cell, a row each: where a fact that nobody states means something by itself. */
static const struct {
	enum field field;
	enum taken how;		/* EITHER: also when it is unknown */
	enum side side;
	const char *checks, *why;
} exceptions[] = {
	{ FIELD_TOS_FORCE, TAKEN_ABSENT, SIDE_HOST, "tos-ecn app-tos-as-wanted", "absent is not forced (field.h)" },
	{ FIELD_PRIO_TC, TAKEN_ABSENT, SIDE_SWITCH, OF_MAPS, "a switch prints no map that is the identity" },
	{ FIELD_TC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, OF_MAPS, "a switch prints no map that is the identity" },
	{ FIELD_PRIO_PG, TAKEN_ABSENT, SIDE_ANY, "ecn-before-pfc lossless-kept", "what is not printed is the identity" },
	{ FIELD_PRIO_PG, TAKEN_ABSENT, SIDE_ANY, "buffer-alone", "a priority of which no buffer is told shares none that is" },
	{ FIELD_PFC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, "pause-storm", "a pause stops the queue of the packets where no map is told" },
	{ FIELD_PFC_QUEUE, TAKEN_ABSENT, SIDE_SWITCH, "pfc-queue-agrees", "judged by the other lossless priority alone" },
	{ FIELD_ETS_ALGO, TAKEN_ABSENT, SIDE_ANY, "ets-adds-up ets-as-wanted ets-cnp-served", "a share that is told says how" },
	{ FIELD_ETS_SHARE, TAKEN_ABSENT, SIDE_ANY, "ets-adds-up ets-as-wanted", "a class without a share is not served by one" },
	{ FIELD_APP_STATUS, TAKEN_ABSENT, SIDE_HOST, "app-not-refused app-not-timed-out", "told only where a completion failed" },
	{ FIELD_APP_WARNING, TAKEN_ABSENT, SIDE_HOST, "app-quiet", "told only where the log warns" },
	{ FIELD_KERNEL_TROUBLE, TAKEN_ABSENT, SIDE_HOST, "kernel-quiet", "told only where there is trouble" },
	{ FIELD_CNP_PRIO, TAKEN_ABSENT, SIDE_HOST, "cnp-marked-as-wanted", "not every NIC has one" },
	{ FIELD_DCBX, TAKEN_ABSENT, SIDE_HOST, "dcbx-off", "some tools tell of one of the two" },
	{ FIELD_DCBX_WILLING, TAKEN_ABSENT, SIDE_HOST, "dcbx-off", "some tools tell of one of the two" },
	{ FIELD_PCIE_SPEED_MAX, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "virtual machines do not tell it" },
	{ FIELD_PCIE_WIDTH_MAX, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "virtual machines do not tell it" },
	{ FIELD_PHY_ERR, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_FEC_LOST, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_ICRC_ERR, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_LINK_DOWNS, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_LINK_CHANGES, TAKEN_ABSENT, SIDE_ANY, "wire-clean", "a port counts some of the signs" },
	{ FIELD_RX_DROP, TAKEN_ABSENT, SIDE_ANY, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DROP_BUFFER, TAKEN_ABSENT, SIDE_HOST, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DROP_CONGESTION, TAKEN_ABSENT, SIDE_HOST, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_TX_DROP, TAKEN_ABSENT, SIDE_SWITCH, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_PG_DROP, TAKEN_ABSENT, SIDE_SWITCH, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_RX_DISCARD, TAKEN_ABSENT, SIDE_ANY, "lossless-kept", "a port counts some kinds of drops" },
	{ FIELD_PAUSE_RX_FRAMES, TAKEN_ABSENT, SIDE_ANY, "link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PAUSE_TX_FRAMES, TAKEN_ABSENT, SIDE_ANY, "link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PFC_STORM, TAKEN_ABSENT, SIDE_ANY, "pause-storm watchdog-quiet", "a system may have no watchdog" },
	{ FIELD_PFC_STORMED, TAKEN_ABSENT, SIDE_ANY, "pause-storm watchdog-quiet", "a system may have no watchdog" },
	{ FIELD_STORM_ERR, TAKEN_ABSENT, SIDE_HOST, "pause-storm", "not every NIC has stall prevention" },
	{ FIELD_PFC_RX_US, TAKEN_ABSENT, SIDE_ANY, "not-paused not-pausing pause-storm slow-receiver",
	  "the other end's time tells, or frames bound the pause from above" },
	{ FIELD_PFC_TX_US, TAKEN_ABSENT, SIDE_ANY, "not-paused not-pausing pause-storm slow-receiver",
	  "the other end's time tells, or frames bound the pause from above" },
	{ FIELD_PFC_RX_US, TAKEN_ABSENT, SIDE_HOST, "ecn-carries", "the paused time is not counted there" },
	{ FIELD_RX_PACKETS, TAKEN_ABSENT, SIDE_HOST, "pause-storm", "bytes tell whether anything arrives" },
	{ FIELD_ECN_MARKED, TAKEN_ABSENT, SIDE_SWITCH, "marks-arrive", "a switch may count no marks" },
	{ FIELD_PFC_RX, TAKEN_ABSENT, SIDE_ANY, "priority-quiet link-pause-quiet", "counted in one direction alone" },
	{ FIELD_PFC_TX, TAKEN_ABSENT, SIDE_ANY, "priority-quiet link-pause-quiet", "counted in one direction alone" },
	{ FIELD_SPEED, TAKEN_ABSENT, SIDE_HOST, "pcie-as-capable", "what the NIC can is asked alone" },
	{ FIELD_APP_GDR, TAKEN_ABSENT, SIDE_HOST, "app-gpu-direct", "where no log tells, the module does" },
	{ FIELD_VF, TAKEN_ABSENT, SIDE_HOST, "vf-as-others", "a port that was not asked is none of the others" },
	{ FIELD_SPEED, EITHER, SIDE_ANY, "fleet-alike", "ports of one speed are compared" },
	{ FIELD_SPEED, EITHER, SIDE_ANY, "not-paused not-pausing", "the other end's speed bounds what the frames may stop" },
	{ FIELD_RDMA, EITHER, SIDE_HOST, "fleet-alike vf-as-others", "ports that carry RoCE are compared" },
	{ FIELD_ROLE, EITHER, SIDE_HOST, "vf-as-others", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_LAYER, EITHER, SIDE_HOST, "fleet-alike vf-as-others", "ports that carry RoCE are compared" },
	{ FIELD_PLATFORM, EITHER, SIDE_ANY, "fleet-alike", "ports of one platform are compared" },
	{ FIELD_ROLE, EITHER, SIDE_ANY, "fleet-alike bond-members-alike", "ports of one role are compared" },
	{ FIELD_PEER_NAME, EITHER, SIDE_ANY, "fleet-alike", "switch ports that are known to carry RoCE are compared" },
	{ FIELD_PEER_NAME, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_PEER_PORT, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_MAC, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
	{ FIELD_PEER_MAC, EITHER, SIDE_ANY, "cables-swapped", "one of the two is not seen: cabled-as-planned says it of the other" },
};

/* What a port does not say is not compared with others. */
static bool is_of_fleet(enum field f)
{
	for (size_t i = 0; i < alike_count; i++)
		if (alike_fields[i] == f)
			return true;
	return false;
}

/* How long a port is stopped is told by its peer too: what one end does not tell any more the other does. */
static bool is_told_beyond(const struct judged_state *j, const struct check *check, const struct evidence *cell)
{
	enum field beyond = cell->field == FIELD_PFC_RX_US ? FIELD_PFC_TX_US : FIELD_PFC_RX_US;
	const struct link *l = cell->port ? links_of_port(&j->s.links, cell->port) : NULL;
	const struct port *far = l ? link_far(l, cell->port) : NULL;
	double us_per_s;

	return (cell->field == FIELD_PFC_RX_US || cell->field == FIELD_PFC_TX_US) && far &&
	       lists("not-paused not-pausing pause-storm slow-receiver", check->id) &&
	       port_rate(j->s.model, far, beyond, cell->index, &us_per_s);
}

static bool is_exception(const struct judged_state *j, const struct check *check, const struct evidence *cell, enum taken how,
			 enum class was)
{
	bool is_switch = findings_scene(j->fresh)->parties[cell->port ? cell->port->device->id : cell->device->id].is_switch;

	if (!strcmp(check->id, "fleet-alike") && is_of_fleet(cell->field) && (how == TAKEN_ABSENT || was == CLASS_UNKNOWN))
		return true;	/* and where no majority is left, one that does not tell is unlike none */
	if (is_told_beyond(j, check, cell))
		return true;
	if (how == TAKEN_ABSENT && !strcmp(check->id, "bond-members-alike"))
		return true;	/* what neither member says is not compared */
	if (how == TAKEN_ABSENT && cell->port && port_text(cell->port, FIELD_BOND))
		return true;	/* what a member does not say its bond may say */
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (exceptions[i].field == cell->field && lists(exceptions[i].checks, check->id) &&
		    (exceptions[i].how == EITHER || exceptions[i].how == how) &&
		    (exceptions[i].side == SIDE_ANY || (exceptions[i].side == SIDE_SWITCH) == is_switch))
			return true;
	return false;
}

/* Where a check is wrong only because a cell is not known: it judged something else before, a row each. */
static const struct {
	enum field field;
	const char *checks, *why;
} worse[] = {
	{ FIELD_UP, "link-up", "of a link that is down the left end says so, and where that is not known the right one" },
	{ FIELD_UP, "speed-same pcie-as-capable", "of a link that is down the speed tells nothing" },
	{ FIELD_SPEED, "fleet-alike", "ports of one speed are compared" },
	{ FIELD_PLATFORM, "fleet-alike", "ports of one platform are compared" },
	{ FIELD_ROLE, "fleet-alike vf-as-others", "ports of one role are compared, of those that carry RoCE" },
	{ FIELD_RDMA, "fleet-alike vf-as-others", "ports that carry RoCE are compared" },
	{ FIELD_RDMA_LAYER, "fleet-alike vf-as-others", "ports that carry RoCE are compared" },
	{ FIELD_PEER_NAME, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_PEER_PORT, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_PEER_MAC, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_MAC, "cabled-as-planned cables-swapped", "whom it faces is told by the other end, or by less" },
	{ FIELD_PRIO_PG, "lossless-kept", "drops of the whole port are looked at where those of the priority are not found" },
};

static bool may_be_worse(const struct check *check, enum field f)
{
	for (size_t i = 0; i < sizeof(worse) / sizeof(*worse); i++)
		if (worse[i].field == f && lists(worse[i].checks, check->id))
			return true;
	return false;
}

static bool improves(enum class before, enum class after)
{
	return before >= CLASS_UNKNOWN && after <= CLASS_NA;
}

static bool applies_as_before(const struct snapshot *before, const struct snapshot *after, size_t port)
{
	return memcmp(&before->applies[port], &after->applies[port], sizeof(*before->applies)) == 0;
}

/* Of the fabric as a whole the ledger lists what is wrong alone: whether that is cleared shows in the one that goes on. */
static bool is_compared(const struct check *check, size_t ledger, enum class was)
{
	return check->of != OF_FABRIC || (ledger == 1 && was == CLASS_BAD);
}

static void compare_place(const struct judged_state *j, const struct snapshot *before, const struct snapshot *after, size_t place,
			  const struct evidence *cell, enum taken how)
{
	for (size_t row = 0; row < check_count; row++)
		for (size_t ledger = 0; ledger < 2; ledger++) {
			enum class was = (enum class)before->verdicts[ledger][place * check_count + row];
			enum class is = (enum class)after->verdicts[ledger][place * check_count + row];
			const struct check *check = &check_table[row];

			if ((was == CLASS_NA && is == CLASS_NA) || !is_compared(check, ledger, was))
				continue;
			run.verdicts++;
			if (improves(was, is) && !is_exception(j, check, cell, how, was))
				broken("monotone%s: %s from %s to %s without %s%s", ledger ? " (going ledger)" : "", check->id,
				       class_names[was], class_names[is], field_table[cell->field].name,
				       how == TAKEN_UNKNOWN ? " (unknown)" : "");
			if (how == TAKEN_UNKNOWN && was != CLASS_BAD && is == CLASS_BAD && !may_be_worse(check, cell->field))
				broken("monotone%s: %s is wrong because %s is unknown", ledger ? " (going ledger)" : "", check->id,
				       field_table[cell->field].name);
		}
}

static void compare_shots(const struct judged_state *j, const struct snapshot *before, const struct snapshot *after,
			  const struct evidence *cell, enum taken how)
{
	bool is_same = true;

	for (size_t i = 0; i < before->n_ports; i++) {
		bool is_alike = applies_as_before(before, after, i);

		is_same &= is_alike;
		if (is_alike)
			compare_place(j, before, after, i, cell, how);
		else if (!says_what_a_place_is(cell->field))
			broken("monotone: without %s another thing is judged", field_table[cell->field].name);
	}
	for (size_t i = before->n_ports; is_same && i <= before->n_ports + before->n_devices; i++)
		compare_place(j, before, after, i, cell, how);
}

/* One that a finding, or what is not known, stands on; else any. */
static bool choose_cell(struct judged_state *j, struct evidence *out)
{
	const struct finding *f = j->n_open ? j->open[states_below(&j->s, j->n_open)] : NULL;

	if (f && f->n_evidence && states_below(&j->s, 3) > 0) {
		*out = f->evidence[states_below(&j->s, f->n_evidence)];
		return true;
	}
	return states_any_cell(&j->s, f && states_below(&j->s, 2) ? f->device : NULL, out);
}

static void take_cells_away(struct judged_state *j)
{
	struct snapshot before, after;
	struct evidence cell;

	look(j, &before);
	for (unsigned i = 0; i < TAKEN_EACH; i++) {
		enum taken how = (enum taken)states_below(&j->s, TAKEN_WAYS);

		if (!choose_cell(j, &cell) || field_table[cell.field].flags & FIELD_SHY || !states_take(&j->s, &cell, how))
			continue;
		run.cells++;
		judge_anew(j);
		judge(j, j->going);
		look(j, &after);
		compare_shots(j, &before, &after, &cell, how);
		forget_shot(&before);
		before = after;
	}
	forget_shot(&before);
}

/* -- the whole -- */

static struct statement statements[] = {
	{ "the tree asks every check of its questions", tree_asks_all, 0 },
	{ "the tree's answers stand on findings", tree_stands_on_findings, 0 },
	{ "no question says all or none of what could not be read", readers_have_read, 0 },
	{ "the tree ends as what was found and read lets it", tree_ends_honestly, 0 },
	{ "causes stand on findings", causes_stand_on_findings, 0 },
	{ "findings have causes", findings_have_causes, 0 },
	{ "proof and findings agree", proof_agrees, 0 },
	{ "a share of the time is one number", shares_are_one, 0 },
	{ "a storm is one in findings and pause trees", storms_are_one, 0 },
	{ "the list of ports and findings agree", rows_agree, 0 },
	{ "gates count what the findings count", gates_agree, 0 },
	{ "report and findings agree", report_agrees, 0 },
};
#define N_STATEMENTS (sizeof(statements) / sizeof(*statements))

static void show(const struct judged_state *j)
{
	struct buf text = { 0 };

	states_print(&j->s, &text);
	fputs(text.text ? text.text : "", stdout);
	for (size_t i = 0; i < j->n_open; i++)
		print_message("%s %s at %s: %s%s%s\n", verdict_name(j->open[i]->verdict), j->open[i]->check->id, j->open[i]->where,
			      j->open[i]->what, j->open[i]->missing[0] ? " lacks " : "", j->open[i]->missing);
	buf_done(&text);
}

static void try_state(uint64_t seed)
{
	struct judged_state j = { .fresh = NULL };

	run.seed = seed;
	run.states++;
	states_draw(&j.s, seed);
	judge_anew(&j);
	j.going = judge(&j, NULL);
	if (getenv("SHOW"))
		show(&j);
	for (size_t i = 0; i < N_STATEMENTS; i++)
		statements[i].compare(&j, &statements[i].n);
	take_cells_away(&j);
	for (size_t i = 0; i < N_STATEMENTS; i++)	/* and once more, with less known */
		statements[i].compare(&j, &statements[i].n);
	findings_free(j.fresh);
	findings_free(j.going);
	states_done(&j.s);
}

static int most_first(const void *a_, const void *b_)
{
	const struct broken *a = a_, *b = b_;

	return a->n > b->n ? -1 : a->n < b->n;
}

static void tell(void)
{
	print_message("%zu states, %zu verdicts compared without a cell, %zu cells taken away\n", run.states, run.verdicts, run.cells);
	for (size_t i = 0; i < N_STATEMENTS; i++)
		print_message("%9zu  %s\n", statements[i].n, statements[i].words);
	if (run.n)
		qsort(run.list, run.n, sizeof(*run.list), most_first);
	for (size_t i = 0; i < run.n; i++)
		print_message("%6u times, first STATES=1 SEED=%llu: %s\n", run.list[i].n, (unsigned long long)run.list[i].seed,
			      run.list[i].what);
}

static uint64_t number_of(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : usual;
}

static void no_surface_contradicts_another_and_no_verdict_improves_without_a_cell(void **state)
{
	uint64_t n = number_of("STATES", STATES_USUAL), seed = number_of("SEED", 1);
	size_t n_broken;

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		try_state(seed + i);
	tell();
	n_broken = run.n;
	free(run.list);
	for (size_t i = 0; i < N_STATEMENTS && n >= STATES_USUAL; i++)
		if (!statements[i].n)
			fail_msg("never compared: %s", statements[i].words);
	assert_true(run.states && run.verdicts && run.cells);
	assert_int_equal(n_broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_surface_contradicts_another_and_no_verdict_improves_without_a_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
