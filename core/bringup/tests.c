#include "core/bringup/tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPLINK_USED	0.01	/* of its line: below it, what was counted may be others' */
#define FOREIGN		0.05	/* of what a NIC sent while a stream did: so much may be others' */

const char *const bringup_kind_words[BRINGUP_KINDS] = {
	[BRINGUP_LOOPBACK] = "loopback", [BRINGUP_SAME_LEAF] = "pairs of one leaf", [BRINGUP_CROSS_LEAF] = "pairs across leaves",
	[BRINGUP_SUSPECT] = "suspects", [BRINGUP_INCAST] = "incast",
	[BRINGUP_LOSSY] = "incast with a lossy stream", [BRINGUP_UPLINK] = "links between switches",
};

static const char *const verdict_words[] = { [BRINGUP_NOT_RUN] = "not known", [BRINGUP_PASSED] = "pass", [BRINGUP_FAILED] = "fail" };

const char *bringup_result_word(const struct bringup_result *r)
{
	return r->is_lone ? "not judged" : verdict_words[r->verdict];
}

/* -- judging -- */

/* What hindered the test itself says nothing of the link. */
static bool is_hindered(enum measured_fault fault, bool is_soft)
{
	if (fault == MEASURED_NOTHING || fault == MEASURED_RECEIVER)
		return is_soft;
	return fault == MEASURED_NO_TOOL || fault == MEASURED_REFUSED || fault == MEASURED_PORT_TAKEN || fault == MEASURED_CUT ||
	       fault == MEASURED_CLOCK || fault == MEASURED_NO_CM;
}

void bringup_fault_words(enum bringup_tool tool, const struct measured *m, char *out, size_t size)
{
	const char *package = m->fault == MEASURED_NO_TOOL ? bringup_tool_package(tool) : NULL;

	snprintf(out, size, "%s%s%s%s%s%s", measured_fault_words(m->fault), package ? " (package " : "", package ? package : "",
		 package ? ")" : "", m->words[0] ? ": " : "", m->words);
}

static void fail(struct bringup_result *r, enum bringup_layer layer)
{
	r->verdict = BRINGUP_FAILED;
	r->opinion.layer = layer;
	r->opinion.remedy = bringup_layer_remedy(layer);
}

static bool wants_ecn(const struct bringup_evidence *e, const struct bringup_marks *marks)
{
	uint64_t is_on;

	return bringup_wants(marks->policy, marks->inventory, e->to.host, e->to.nic, FIELD_ECN_NP, e->class.priority, &is_on) && is_on;
}

/* Nothing is false, and all that it needs was seen. A loopback need not leave the NIC: to be uncounted is no lack. */
static bool is_proven(const struct bringup_opinion *o, bool is_loop)
{
	return !o->unseen || (is_loop && o->ceiling_bps > 0);
}

static void judge_rate(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	const struct measured *m = &r->measured;
	bool is_loop = e->kind == BRINGUP_LOOPBACK;
	double wanted[] = { (double)bringup_mtu_wanted(marks->policy, marks->inventory, e->from.host, e->from.nic),
			    (double)bringup_mtu_wanted(marks->policy, marks->inventory, e->to.host, e->to.nic) };
	struct bringup_pair pair = {
		.line_bps = e->line_bps, .pcie_bps = e->pcie_bps, .bps = m->fault == MEASURED_WELL ? m->bps : 0,
		.mtu = m->mtu ? m->mtu : e->mtu, .mtu_wanted = (unsigned long)bringup_lesser(wanted[0], wanted[1]),
		.from = e->sent, .to = e->received, .is_loop = is_loop,
		.is_incast = bringup_kind_is_incast(e->kind), .wants_ecn = wants_ecn(e, marks), .is_across = e->kind == BRINGUP_CROSS_LEAF,
	};
	bool is_uncounted;

	bringup_pair_judge(&pair, policy_limit(marks->policy, LIMIT_TEST_SHARE), &r->opinion);
	if (r->opinion.layer == BRINGUP_LAYER_RESULT)	/* the tool's own reason tells more than that there is none */
		bringup_fault_words(e->tool, m, r->opinion.words, sizeof(r->opinion.words));
	if (r->opinion.layer)
		r->verdict = BRINGUP_FAILED;
	else if (is_proven(&r->opinion, is_loop))
		r->verdict = BRINGUP_PASSED;
	/* where it is the rate, or ECN, the opinion's words say so */
	is_uncounted = r->verdict == BRINGUP_NOT_RUN && !is_loop && r->opinion.unseen != BRINGUP_LAYER_RATE &&
		       r->opinion.unseen != BRINGUP_LAYER_ECN;
	snprintf(r->words, sizeof(r->words), "%s%s%s", r->opinion.words, is_uncounted ? "; not known: no counter reports its " : "",
		 is_uncounted ? bringup_layer_word(r->opinion.unseen) : "");
}

/* rping's status is 0 as well when its partner went away before the last answer: the answers are counted. */
static void judge_reach(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	const struct measured *m = &r->measured;
	uint64_t wanted = 0;

	if (m->fault != MEASURED_WELL) {
		fail(r, BRINGUP_LAYER_RESULT);
		bringup_fault_words(e->tool, m, r->words, sizeof(r->words));
	} else if (m->received < e->pings) {
		fail(r, BRINGUP_LAYER_RESULT);
		snprintf(r->words, sizeof(r->words), "%lu of %u pings were answered", m->received, e->pings);
	} else if (bringup_wants(marks->policy, marks->inventory, e->from.host, e->from.nic, FIELD_TOS_CMA, 0, &wanted) &&
		   e->cm_tos.is_known && e->cm_tos.n >> 2 != wanted >> 2) {
		fail(r, BRINGUP_LAYER_CLASS);
		snprintf(r->words, sizeof(r->words), "pings were answered in the class of ToS %llu: rdma_cm has that set, not %llu",
			 (unsigned long long)e->cm_tos.n, (unsigned long long)wanted);
	} else {
		r->verdict = BRINGUP_PASSED;
		snprintf(r->words, sizeof(r->words), e->cm_tos.is_known ? "%lu pings answered over rdma_cm, whose ToS is %llu" :
			 "%lu pings answered over rdma_cm, whose ToS is not reported", m->received, (unsigned long long)e->cm_tos.n);
	}
}

/* A latency has a verdict by comparison only (bringup_tests_compare()). */
static void judge_latency(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	(void)marks;
	if (r->measured.fault == MEASURED_WELL) {
		r->is_lone = true;
		snprintf(r->words, sizeof(r->words), "%.2f us, compared with no other yet", r->measured.typical_us);
		return;
	}
	fail(r, BRINGUP_LAYER_RESULT);
	bringup_fault_words(e->tool, &r->measured, r->words, sizeof(r->words));
}

/*
 * What the kernel sends without a class of its own is to be in another priority than the lossless one. How much of it was not received is
 * told, and not where it was lost: a sender's queue and a receiver's socket lose as well as a switch.
 */
static void judge_stream(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	const struct measured *m = &r->measured;
	const struct bringup_count in_class = e->sent.class_bytes, all = e->sent.all_bytes;
	double part = all.n ? (double)in_class.n / (double)all.n : 0;
	size_t n = (size_t)snprintf(r->words, sizeof(r->words), "%.1f Gb/s of UDP, %.1f %% of it not received", m->bps / 1e9,
				    m->sent ? 100.0 * (double)(m->sent - m->received) / (double)m->sent : 0);

	(void)marks;
	if (!in_class.is_known || !all.is_known || !all.n) {
		snprintf(r->words + n, sizeof(r->words) - n, "; not known: %s does not report the bytes of each priority", e->from.host);
	} else if (part < FOREIGN) {
		r->verdict = BRINGUP_PASSED;
		if (in_class.n)
			snprintf(r->words + n, sizeof(r->words) - n, "; %.1f %% of what %s sent meanwhile was in priority %u", part * 100,
				 e->from.nic, e->class.priority);
		else
			snprintf(r->words + n, sizeof(r->words) - n, "; none of it in priority %u", e->class.priority);
	} else if (part < 0.5) {
		snprintf(r->words + n, sizeof(r->words) - n, "; not known: %.0f %% of what %s sent meanwhile was in priority %u", part * 100,
			 e->from.nic, e->class.priority);
	} else {
		fail(r, BRINGUP_LAYER_CLASS);
		r->opinion.remedy = "Map DSCP 0 to a priority that is not lossless at this host, as the policy requires.";
		r->opinion.blames_sender = true;
		snprintf(r->words + n, sizeof(r->words) - n, "; %.0f %% of what %s sent meanwhile was in priority %u, the lossless one",
			 part * 100, e->from.nic, e->class.priority);
	}
}

static struct bringup_count sum_of(struct bringup_count a, struct bringup_count b)
{
	return (struct bringup_count){ a.is_known || b.is_known, (a.is_known ? a.n : 0) + (b.is_known ? b.n : 0) };
}

/*
 * What errors there were, others' traffic may have met; what it carried of the class is of the tests, where it is more than a little.
 * Which uplink a queue pair takes is the switch's hash: that none took this one is no fault, and no proof of it.
 */
static void judge_uplink(const struct bringup_evidence *e, const struct bringup_marks *marks, struct bringup_result *r)
{
	double seconds = (double)(e->ended_us - e->began_us) / 1e6;
	struct bringup_count bytes = e->sent.class_bytes, drops = sum_of(e->sent.drops, e->received.drops);
	struct bringup_count wire = sum_of(e->sent.wire, e->received.wire);

	(void)marks;
	r->measured.bps = bytes.is_known && seconds > 0 ? (double)bytes.n * 8 / seconds : 0;
	if (wire.n || drops.n) {
		fail(r, wire.n ? BRINGUP_LAYER_WIRE : BRINGUP_LAYER_LOSSLESS);
		snprintf(r->words, sizeof(r->words), "%llu %s during the tests across leaves", (unsigned long long)(wire.n ? wire.n : drops.n),
			 wire.n ? "errors on the wire" : "packets were dropped");
	} else if (!bytes.is_known) {
		snprintf(r->words, sizeof(r->words), "not known: %s does not report the bytes of priority %u", e->from.host, e->class.priority);
	} else if (r->measured.bps < UPLINK_USED * e->line_bps || !bytes.n) {
		snprintf(r->words, sizeof(r->words), "not known: no test across leaves went over it");
	} else if (!e->sent.drops.is_known || !e->received.drops.is_known) {
		snprintf(r->words, sizeof(r->words), "%.1f Gb/s of priority %u; not known: %s reports no drops", r->measured.bps / 1e9,
			 e->class.priority, e->sent.drops.is_known ? e->to.host : e->from.host);
	} else {
		r->verdict = BRINGUP_PASSED;
		snprintf(r->words, sizeof(r->words), "%.1f Gb/s of priority %u, no drops", r->measured.bps / 1e9, e->class.priority);
	}
}

void bringup_test_judge(struct bringup_test *test, const struct bringup_marks *marks)
{
	const struct bringup_evidence *e = &test->evidence;
	struct bringup_result *r = &test->result;
	char why[BRINGUP_WORDS + 80];
	static void (*const judge[BRINGUP_TOOLS])(const struct bringup_evidence *e, const struct bringup_marks *marks,
						  struct bringup_result *r) = {
		[BRINGUP_WRITE_BW] = judge_rate, [BRINGUP_READ_BW] = judge_rate, [BRINGUP_WRITE_LAT] = judge_latency,
		[BRINGUP_RPING] = judge_reach, [BRINGUP_PINGPONG] = judge_reach, [BRINGUP_COUNTERS] = judge_uplink,
		[BRINGUP_STREAM] = judge_stream,
	};

	*r = (struct bringup_result){ .verdict = BRINGUP_NOT_RUN };
	if (e->why) {
		snprintf(r->words, sizeof(r->words), "not run: %s", e->why);
		return;
	}
	measured_read(e->tool, span_of(e->text ? e->text : ""), e->status, &r->measured);
	if (is_hindered(r->measured.fault, e->is_soft) || (e->tool == BRINGUP_STREAM && r->measured.fault)) {
		bringup_fault_words(e->tool, &r->measured, why, sizeof(why));
		snprintf(r->words, sizeof(r->words), "not run: %s: %s", e->from.host, why);
		return;
	}
	judge[e->tool](e, marks, r);
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
	free(e->rail);
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
	*test = (struct bringup_test){ .evidence = *e };
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

/* -- the same test again -- */

static bool is_same(const struct bringup_test *a, const struct bringup_test *b)
{
	return a->evidence.kind == b->evidence.kind && a->evidence.tool == b->evidence.tool && a->from == b->from && a->to == b->to;
}

static bool is_tested_later(const struct bringup_tests *t, size_t at)
{
	for (size_t i = at + 1; i < t->n; i++)
		if (is_same(&t->list[i], &t->list[at]))
			return true;
	return false;
}

/* -- latencies -- */

/* Of a software device it is the latency of its CPU. */
static bool has_latency(const struct bringup_tests *t, size_t at)
{
	const struct bringup_test *test = &t->list[at];

	return test->evidence.tool == BRINGUP_WRITE_LAT && !test->evidence.why && test->result.measured.typical_us > 0 &&
	       test->result.measured.fault == MEASURED_WELL && !test->evidence.is_soft && test->evidence.rail &&
	       test->evidence.hops.is_known && !is_tested_later(t, at);
}

static bool is_comparable(const struct bringup_evidence *a, const struct bringup_evidence *b)
{
	return !strcmp(a->rail, b->rail) && a->hops.n == b->hops.n;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* has: which of the tests have a latency. */
static double median_us(const struct bringup_tests *t, const bool *has, size_t of, size_t *n)
{
	double *us = xcalloc(t->n + 1, sizeof(*us)), median;

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (has[i] && is_comparable(&t->list[i].evidence, &t->list[of].evidence))
			us[(*n)++] = t->list[i].result.measured.typical_us;
	qsort(us, *n, sizeof(*us), by_size);
	median = *n % 2 ? us[*n / 2] : *n ? (us[*n / 2 - 1] + us[*n / 2]) / 2 : 0;
	free(us);
	return median;
}

static void compare(struct bringup_test *test, double median, size_t n, const struct bringup_marks *marks)
{
	struct bringup_result *r = &test->result;
	double us = r->measured.typical_us, limit = policy_limit(marks->policy, LIMIT_TEST_LATENCY);

	r->is_lone = n < BRINGUP_LATENCIES;
	r->median_us = r->is_lone ? 0 : median;
	r->verdict = r->is_lone ? BRINGUP_NOT_RUN : us > limit * median ? BRINGUP_FAILED : BRINGUP_PASSED;
	r->opinion.layer = r->verdict == BRINGUP_FAILED ? BRINGUP_LAYER_LATENCY : BRINGUP_LAYER_NONE;
	r->opinion.remedy = bringup_layer_remedy(r->opinion.layer);
	if (r->is_lone)
		snprintf(r->words, sizeof(r->words), "%.2f us; not judged: of %s %zu pair%s over as many switches %s measured, and %u are needed",
			 us, test->evidence.rail, n, plural_s(n), n == 1 ? "was" : "were", BRINGUP_LATENCIES);
	else
		snprintf(r->words, sizeof(r->words), "%.2f us, %.2f times the median of %zu pairs of %s over as many switches", us,
			 us / median, n, test->evidence.rail);
}

void bringup_tests_compare(struct bringup_tests *t, const struct bringup_marks *marks)
{
	bool *has = xcalloc(t->n + 1, sizeof(*has));

	for (size_t i = 0; i < t->n; i++)
		has[i] = has_latency(t, i);
	for (size_t i = 0; i < t->n; i++) {
		struct bringup_test *test = &t->list[i];
		size_t n;

		if (has[i]) {
			double median = median_us(t, has, i, &n);

			compare(test, median, n, marks);
		} else if (test->result.is_lone) {
			snprintf(test->result.words, sizeof(test->result.words), "%.2f us; not judged: %s", test->result.measured.typical_us,
				 test->evidence.is_soft ? "an end is a software device" : is_tested_later(t, i) ? "it was measured again" :
				 "its rail, or the switches between its ends, are not known");
		}
	}
	free(has);
}

/* -- ends -- */

static void judge_ends(struct bringup_tests *t)
{
	enum bringup_verdict *verdicts = xcalloc(t->n + 1, sizeof(*verdicts));
	enum bringup_end *ends = xcalloc(t->n_nics + 1, sizeof(*ends));
	struct bringup_schedule s = { .flows = xcalloc(t->n + 1, sizeof(*s.flows)), .n_flows = t->n };

	for (size_t i = 0; i < t->n; i++) {
		s.flows[i] = (struct bringup_flow){ .from = t->list[i].from, .to = t->list[i].to };
		if (!t->list[i].is_repeated && bringup_kind_tells_of_ends(t->list[i].evidence.kind))
			verdicts[i] = t->list[i].result.verdict;
	}
	bringup_schedule_judge(&s, verdicts, ends, t->n_nics);
	for (size_t i = 0; i < t->n_nics; i++)
		t->nics[i].end = ends[i];
	free(verdicts);
	free(ends);
	free(s.flows);
}

/* What was hindered says nothing once it was tried again; what was measured gives way to what a later run has measured. */
static bool is_past(const struct bringup_test *earlier, const struct bringup_test *later)
{
	bool is_measured = later->result.verdict != BRINGUP_NOT_RUN || later->result.is_lone;

	if (earlier->result.verdict == BRINGUP_NOT_RUN && !earlier->result.is_lone)
		return true;
	return is_measured && (earlier->result.is_lone || later->evidence.run > earlier->evidence.run);
}

/* A link that no test of this round went over, and one of another did. */
static bool is_proven_before(const struct bringup_test *earlier, const struct bringup_test *later)
{
	return later->evidence.kind == BRINGUP_UPLINK && later->result.verdict == BRINGUP_NOT_RUN &&
	       earlier->result.verdict != BRINGUP_NOT_RUN;
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

			if (!is_same(earlier, later))
				continue;
			later->is_repeated |= is_proven_before(earlier, later);
			if (!is_past(earlier, later))
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
	bringup_tests_compare(t, marks);
	judge_ends(t);
}

struct bringup_tally bringup_tests_count(const struct bringup_tests *t)
{
	struct bringup_tally n = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const struct bringup_result *r = &t->list[i].result;

		if (!t->list[i].is_repeated)
			++*(r->is_lone ? &n.lone : r->verdict == BRINGUP_PASSED ? &n.passed : r->verdict == BRINGUP_FAILED ? &n.failed : &n.unknown);
	}
	return n;
}

void bringup_tally_words(const struct bringup_tally *n, struct buf *out)
{
	buf_printf(out, "%zu failed, %zu not known, %zu passed", n->failed, n->unknown, n->passed);
	if (n->lone)
		buf_printf(out, ", %zu latenc%s measured and not judged", n->lone, n->lone == 1 ? "y" : "ies");
}

static bool is_loopback(const struct bringup_test *test)
{
	return test->from == test->to;
}

/* An incast is of the NIC that all send to, but where it is a sender that failed in it. */
static bool is_of(const struct bringup_test *test, size_t nic)
{
	if (bringup_kind_is_incast(test->evidence.kind))
		return nic == (test->result.opinion.blames_sender ? test->from : test->to);
	return test->from == nic || test->to == nic;
}

/* It is of no NIC, and stands among the tests alone. */
static bool is_of_path(const struct bringup_test *test)
{
	return test->evidence.kind == BRINGUP_CROSS_LEAF || test->evidence.kind == BRINGUP_UPLINK;
}

/* Without iperf3, or without counters of its priorities, a NIC has passed what it was tested by all the same. */
static bool is_unread_stream(const struct bringup_test *test)
{
	return test->evidence.tool == BRINGUP_STREAM && test->result.verdict == BRINGUP_NOT_RUN;
}

/* A link is tested once in each round. */
static bool is_first_of_link(const struct bringup_tests *t, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!t->list[i].is_repeated && is_same(&t->list[i], &t->list[at]))
			return false;
	return t->list[at].evidence.kind == BRINGUP_UPLINK;
}

struct bringup_across bringup_tests_across(const struct bringup_tests *t)
{
	struct bringup_across a = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const struct bringup_test *test = &t->list[i];

		if (test->is_repeated || !is_of_path(test))
			continue;
		a.directions += is_first_of_link(t, i);
		a.proven += is_first_of_link(t, i) && test->result.verdict == BRINGUP_PASSED;
		a.unknown += test->result.verdict == BRINGUP_NOT_RUN;
		if (test->result.verdict == BRINGUP_FAILED && !a.failed++)
			a.first = test;
	}
	return a;
}

void bringup_tests_say(const struct bringup_tests *t, const char *host, const char *nic, struct bringup_tested_says *out)
{
	static const unsigned order[] = { [BRINGUP_NOT_RUN] = 1, [BRINGUP_PASSED] = 0, [BRINGUP_FAILED] = 2 };
	size_t at = nic ? bringup_tests_find(t, host, nic) : t->n_nics;
	const struct bringup_test *worst = NULL;
	bool has_pair = false, has_rate = false, has_other = false;

	*out = (struct bringup_tested_says){ 0 };
	for (size_t i = 0; i < t->n; i++) {
		const struct bringup_test *test = &t->list[i];

		bool tells = bringup_kind_tells_of_ends(test->evidence.kind), is_pair = !is_loopback(test) && tells;

		if (test->is_repeated || test->result.is_lone || is_unread_stream(test) || !is_of(test, at))
			continue;
		has_other |= !tells;
		if (is_of_path(test) || (t->nics[at].end == BRINGUP_END_GOOD && test->result.verdict == BRINGUP_FAILED && is_pair))
			continue;
		has_pair |= is_pair;
		has_rate |= is_pair && bringup_tool_measures_rate(test->evidence.tool);
		if (!worst || order[test->result.verdict] > order[worst->result.verdict])
			worst = test;
	}
	if (!worst && !has_other)
		return;
	if (!worst || (!has_rate && worst->result.verdict == BRINGUP_PASSED)) {
		*out = (struct bringup_tested_says){ verdict_words[BRINGUP_NOT_RUN], NULL, has_pair ?
						     "no rate was measured with a partner that is good" : has_other ? "no pair of it on one leaf was tested" :
						     "only its loopback was tested", NULL };
		return;
	}
	*out = (struct bringup_tested_says){ verdict_words[worst->result.verdict], worst, worst->result.words, NULL };
	if (worst->result.verdict != BRINGUP_FAILED)
		return;
	out->remedy = worst->result.opinion.remedy;
	if (t->nics[at].end == BRINGUP_END_SUSPECT) {
		out->state = "suspect";
		out->remedy = "Test it with another partner, one that passed: either end may be the bad one.";
	}
}
