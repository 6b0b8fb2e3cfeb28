#include "core/bringup/tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bringup_kind_words[BRINGUP_KINDS] = {
	[BRINGUP_LOOPBACK] = "loopback", [BRINGUP_SAME_LEAF] = "pairs of one leaf", [BRINGUP_CROSS_LEAF] = "pairs across leaves",
	[BRINGUP_SUSPECT] = "suspects", [BRINGUP_INCAST] = "incast",
};

const char *const bringup_verdict_words[] = { [BRINGUP_NOT_RUN] = "not known", [BRINGUP_PASSED] = "pass", [BRINGUP_FAILED] = "fail" };

/* -- judging -- */

/* What hindered the test itself says nothing of the link. */
static bool is_hindered(enum measured_fault fault, bool is_soft)
{
	if (fault == MEASURED_NOTHING || fault == MEASURED_RECEIVER)
		return is_soft;
	return fault == MEASURED_NO_TOOL || fault == MEASURED_REFUSED || fault == MEASURED_PORT_TAKEN || fault == MEASURED_CUT ||
	       fault == MEASURED_CLOCK;
}

static void fault_words(const struct measured *m, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s%s", measured_fault_words(m->fault), m->fault == MEASURED_NO_TOOL ? " (package perftest)" : "",
		 m->words[0] ? ": " : "", m->words);
}

static void judge_pair(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	const struct measured *m = &r->measured;
	double wanted[] = { (double)bringup_mtu_wanted(marks->policy, marks->inventory, e->from.host, e->from.nic),
			    (double)bringup_mtu_wanted(marks->policy, marks->inventory, e->to.host, e->to.nic) };
	struct bringup_pair pair = {
		.line_bps = e->line_bps, .pcie_bps = e->pcie_bps, .bps = m->fault == MEASURED_WELL ? m->bps : 0,
		.mtu = m->mtu ? m->mtu : e->mtu, .mtu_wanted = (unsigned long)bringup_lesser(wanted[0], wanted[1]),
		.from = e->sent, .to = e->received, .is_loop = e->kind == BRINGUP_LOOPBACK,
	};

	bringup_pair_judge(&pair, policy_limit(marks->policy, LIMIT_TEST_SHARE), &r->opinion);
	if (r->opinion.layer == BRINGUP_LAYER_RESULT)	/* the tool's own reason tells more than that there is none */
		fault_words(m, r->opinion.words, sizeof(r->opinion.words));
}

/* A loopback need not leave the NIC: what its counters do not tell is no lack. */
void bringup_test_judge(struct bringup_test *test, const struct bringup_marks *marks)
{
	const struct bringup_evidence *e = &test->evidence;
	struct bringup_result *r = &test->result;
	char why[BRINGUP_WORDS + 80];
	bool is_uncounted;

	*r = (struct bringup_result){ .verdict = BRINGUP_NOT_RUN };
	if (e->why) {
		snprintf(r->words, sizeof(r->words), "not run: %s", e->why);
		return;
	}
	measured_read(e->tool, span_of(e->text ? e->text : ""), e->status, &r->measured);
	if (is_hindered(r->measured.fault, e->is_soft)) {
		fault_words(&r->measured, why, sizeof(why));
		snprintf(r->words, sizeof(r->words), "not run: %s: %s", e->from.host, why);
		return;
	}
	judge_pair(e, marks, r);
	if (r->opinion.layer)
		r->verdict = BRINGUP_FAILED;
	else if (!r->opinion.unseen || e->kind == BRINGUP_LOOPBACK)
		r->verdict = BRINGUP_PASSED;
	/* where it is the rate, the opinion's words say so */
	is_uncounted = r->verdict == BRINGUP_NOT_RUN && r->opinion.unseen != BRINGUP_LAYER_RATE;
	snprintf(r->words, sizeof(r->words), "%s%s%s", r->opinion.words, is_uncounted ? "; not known: no counter reports its " : "",
		 is_uncounted ? bringup_layer_word(r->opinion.unseen) : "");
}

/* -- the list -- */

void bringup_evidence_done(struct bringup_evidence *e)
{
	free(e->from.host);
	free(e->from.nic);
	free(e->to.host);
	free(e->to.nic);
	free(e->command);
	free(e->text);
	free(e->why);
	*e = (struct bringup_evidence){ 0 };
}

bool bringup_place_is(const struct bringup_place *p, const char *host, const char *nic)
{
	return !strcmp(p->host, host) && !strcmp(p->nic, nic);
}

size_t bringup_tests_find(const struct bringup_tests *t, const char *host, const char *nic)
{
	size_t i = 0;

	while (i < t->n_nics && !bringup_place_is(t->nics[i].place, host, nic))
		i++;
	return i;
}

static size_t nic_of(struct bringup_tests *t, const struct bringup_place *p)
{
	size_t i = bringup_tests_find(t, p->host, p->nic);
	struct bringup_place *own;

	if (i < t->n_nics)
		return i;
	own = xmalloc(sizeof(*own));	/* the list of tests moves when it grows */
	*own = (struct bringup_place){ xstrdup(p->host), xstrdup(p->nic) };
	GROW(t->nics, t->n_nics, t->cap_nics)->place = own;
	return t->n_nics++;
}

struct bringup_test *bringup_tests_add(struct bringup_tests *t, struct bringup_evidence *e)
{
	struct bringup_test *test = GROW(t->list, t->n, t->cap);

	t->n++;
	test->evidence = *e;
	*e = (struct bringup_evidence){ 0 };
	test->from = nic_of(t, &test->evidence.from);
	test->to = nic_of(t, &test->evidence.to);
	return test;
}

void bringup_tests_done(struct bringup_tests *t)
{
	for (size_t i = 0; i < t->n; i++)
		bringup_evidence_done(&t->list[i].evidence);
	for (size_t i = 0; i < t->n_nics; i++) {
		free(t->nics[i].place->host);
		free(t->nics[i].place->nic);
		free(t->nics[i].place);
	}
	free(t->list);
	free(t->nics);
	*t = (struct bringup_tests){ 0 };
}

/* -- ends -- */

static void judge_ends(struct bringup_tests *t)
{
	enum bringup_verdict *verdicts = xcalloc(t->n + 1, sizeof(*verdicts));
	enum bringup_end *ends = xcalloc(t->n_nics + 1, sizeof(*ends));
	struct bringup_schedule s = { .flows = xcalloc(t->n + 1, sizeof(*s.flows)), .n_flows = t->n };

	for (size_t i = 0; i < t->n; i++) {
		s.flows[i] = (struct bringup_flow){ t->list[i].from, t->list[i].to };
		verdicts[i] = t->list[i].is_repeated ? BRINGUP_NOT_RUN : t->list[i].result.verdict;
	}
	bringup_schedule_judge(&s, verdicts, ends, t->n_nics);
	for (size_t i = 0; i < t->n_nics; i++)
		t->nics[i].end = ends[i];
	free(verdicts);
	free(ends);
	free(s.flows);
}

static bool is_same(const struct bringup_test *a, const struct bringup_test *b)
{
	return a->evidence.kind == b->evidence.kind && a->from == b->from && a->to == b->to;
}

/* What was hindered says nothing once it was tried again; what was measured gives way to what a later run has measured. */
static bool is_past(const struct bringup_test *earlier, const struct bringup_test *later)
{
	if (earlier->result.verdict == BRINGUP_NOT_RUN)
		return true;
	return later->evidence.run > earlier->evidence.run && later->result.verdict != BRINGUP_NOT_RUN;
}

static void mark_repeated(struct bringup_tests *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct bringup_test *later = &t->list[i];
		unsigned failed = 0;
		size_t n = strlen(later->result.words);

		later->is_repeated = false;
		for (size_t k = 0; k < i; k++) {
			struct bringup_test *earlier = &t->list[k];

			if (!is_same(earlier, later) || !is_past(earlier, later))
				continue;
			earlier->is_repeated = true;
			failed += earlier->result.verdict == BRINGUP_FAILED;
		}
		if (failed)
			snprintf(later->result.words + n, sizeof(later->result.words) - n, "; failed %u time%s in runs before", failed,
				 plural_s(failed));
	}
}

void bringup_tests_judge(struct bringup_tests *t, const struct bringup_marks *marks)
{
	for (size_t i = 0; i < t->n; i++)
		bringup_test_judge(&t->list[i], marks);
	mark_repeated(t);
	judge_ends(t);
}

static bool is_loopback(const struct bringup_test *test)
{
	return test->from == test->to;
}

void bringup_tests_say(const struct bringup_tests *t, const char *host, const char *nic, struct bringup_tested_says *out)
{
	static const unsigned order[] = { [BRINGUP_NOT_RUN] = 1, [BRINGUP_PASSED] = 0, [BRINGUP_FAILED] = 2 };
	size_t at = nic ? bringup_tests_find(t, host, nic) : t->n_nics;
	const struct bringup_test *worst = NULL;
	bool has_pair = false;

	*out = (struct bringup_tested_says){ 0 };
	for (size_t i = 0; i < t->n; i++) {
		const struct bringup_test *test = &t->list[i];

		if (test->is_repeated || (test->from != at && test->to != at))
			continue;
		if (t->nics[at].end == BRINGUP_END_GOOD && test->result.verdict == BRINGUP_FAILED)
			continue;
		has_pair |= !is_loopback(test);
		if (!worst || order[test->result.verdict] > order[worst->result.verdict])
			worst = test;
	}
	if (!worst)
		return;
	if (!has_pair && worst->result.verdict == BRINGUP_PASSED) {
		*out = (struct bringup_tested_says){ bringup_verdict_words[BRINGUP_NOT_RUN], NULL, "only its loopback was tested", NULL };
		return;
	}
	*out = (struct bringup_tested_says){ bringup_verdict_words[worst->result.verdict], worst, worst->result.words, NULL };
	if (worst->result.verdict != BRINGUP_FAILED)
		return;
	out->remedy = worst->result.opinion.remedy;
	if (t->nics[at].end == BRINGUP_END_SUSPECT) {
		out->state = "suspect";
		out->remedy = "Test it with another partner, one that passed: either end may be the bad one.";
	}
}
