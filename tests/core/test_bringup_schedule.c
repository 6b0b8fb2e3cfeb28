/* The schedule by its properties, on racks that a seed draws: who sends to whom, how often, and which end is to blame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/schedule.h"
#include "tests/lib/say.h"

#define NICS_MAX	1024
#define RACKS		60

static uint64_t random_state;

static unsigned draw(unsigned below)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % below;
}

/* Rail r of all nodes on a leaf of its own, or all rails of so many nodes on one leaf. */
static size_t make_rack(struct bringup_nic *nics, unsigned nodes, unsigned rails, unsigned nodes_of_leaf)
{
	size_t n = 0;

	for (unsigned node = 0; node < nodes; node++)
		for (unsigned rail = 0; rail < rails; rail++)
			nics[n++] = (struct bringup_nic){ node, rail, nodes_of_leaf ? node / nodes_of_leaf * rails + rail : rail };
	return n;
}

static const struct bringup_wishes all = {
	.kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF | 1u << BRINGUP_CROSS_LEAF | 1u << BRINGUP_INCAST | 1u << BRINGUP_LOSSY,
	.loads = 2, .incast = 8,
};

static void assert_round(const struct bringup_schedule *s, const struct bringup_nic *nics, const struct bringup_round *r)
{
	unsigned from[NICS_MAX] = { 0 }, to[NICS_MAX] = { 0 };
	size_t partner[NICS_MAX];

	for (size_t i = 0; i < r->n; i++) {
		const struct bringup_flow *f = &s->flows[r->first + i];
		const struct bringup_nic *a = &nics[f->from], *b = &nics[f->to];

		assert_int_equal(++from[f->from], 1);	/* a NIC sends to one */
		to[f->to]++;
		assert_true(bringup_kind_is_incast(r->kind) || to[f->to] == 1);
		assert_int_equal(r->kind == BRINGUP_LOOPBACK, f->from == f->to);
		assert_true(r->kind == BRINGUP_LOOPBACK || a->node != b->node);
		assert_true(r->kind != BRINGUP_CROSS_LEAF || a->leaf != b->leaf);
		assert_true((r->kind != BRINGUP_SAME_LEAF && !bringup_kind_is_incast(r->kind)) || a->leaf == b->leaf);
		assert_true(!f->is_stream || r->kind == BRINGUP_LOSSY);
		partner[f->from] = f->to;
	}
	for (size_t i = 0; i < r->n && !bringup_kind_is_incast(r->kind); i++) {
		const struct bringup_flow *f = &s->flows[r->first + i];

		assert_int_equal(partner[f->to], f->from);	/* both directions, between the same two */
	}
}

static unsigned loads_of(const struct bringup_schedule *s, enum bringup_kind kind, size_t nic)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n_rounds; i++)
		for (size_t k = 0; k < s->rounds[i].n; k++)
			n += s->rounds[i].kind == kind && s->flows[s->rounds[i].first + k].from == nic;
	return n;
}

static void each_link_is_loaded_both_ways_by_pairs_that_share_no_end(void **state)
{
	static struct bringup_nic nics[NICS_MAX];

	(void)state;
	random_state = 20261127;
	for (unsigned rack = 0; rack < RACKS; rack++) {
		unsigned nodes = 2 + draw(31), rails = 1 + draw(8), of_leaf = draw(2) ? 0 : 1 + draw(nodes);
		size_t n = make_rack(nics, nodes, rails, of_leaf);
		struct bringup_schedule s;

		bringup_schedule_init(&s);
		bringup_schedule_make(&s, nics, n, &all);
		for (size_t i = 0; i < s.n_rounds; i++)
			assert_round(&s, nics, &s.rounds[i]);
		for (size_t i = 0; i < n; i++) {
			unsigned near = 0, far = 0;

			for (size_t k = 0; k < n; k++) {
				near += nics[k].leaf == nics[i].leaf && nics[k].node != nics[i].node;
				far += nics[k].leaf != nics[i].leaf && nics[k].node != nics[i].node;
			}
			assert_int_equal(loads_of(&s, BRINGUP_LOOPBACK, i), 1);
			if (loads_of(&s, BRINGUP_SAME_LEAF, i) < (near < 2 ? near : 2))
				fail_msg("%u nodes, %u rails, %u of a leaf: NIC %zu was loaded %u times on its leaf, of %u", nodes, rails, of_leaf, i,
					 loads_of(&s, BRINGUP_SAME_LEAF, i), near);
			if (far && !loads_of(&s, BRINGUP_CROSS_LEAF, i))
				fail_msg("%u nodes, %u rails, %u of a leaf: NIC %zu has no pair across leaves", nodes, rails, of_leaf, i);
		}
		bringup_schedule_done(&s);
	}
}

static void the_same_rack_has_the_same_schedule(void **state)
{
	static struct bringup_nic nics[NICS_MAX];
	size_t n = make_rack(nics, 32, 8, 0);
	struct bringup_schedule a, b;

	(void)state;
	bringup_schedule_init(&a);
	bringup_schedule_init(&b);
	bringup_schedule_make(&a, nics, n, &all);
	bringup_schedule_make(&b, nics, n, &all);
	assert_int_equal(a.n_flows, b.n_flows);
	assert_memory_equal(a.flows, b.flows, a.n_flows * sizeof(*a.flows));
	bringup_schedule_done(&a);
	bringup_schedule_done(&b);
}

static void who_has_no_partner_gets_none(void **state)
{
	static const struct bringup_nic alone[] = { { 0, 0, 0 } }, one_node[] = { { 0, 0, 0 }, { 0, 1, 1 } };
	struct bringup_schedule s;

	(void)state;
	bringup_schedule_init(&s);
	bringup_schedule_make(&s, NULL, 0, &all);
	assert_int_equal(s.n_rounds, 0);
	bringup_schedule_make(&s, alone, 1, &all);
	assert_int_equal(s.n_rounds, 1);
	assert_int_equal(s.rounds[0].kind, BRINGUP_LOOPBACK);
	bringup_schedule_done(&s);
	bringup_schedule_make(&s, one_node, 2, &all);
	assert_int_equal(s.n_rounds, 1);
	bringup_schedule_done(&s);
}

/* Two leaves have links to other switches, and one has none that is known. */
static void nothing_is_sent_across_from_a_leaf_without_uplinks(void **state)
{
	static struct bringup_nic nics[NICS_MAX];
	size_t n = make_rack(nics, 6, 3, 0);
	struct bringup_schedule s;

	(void)state;
	for (size_t i = 0; i < n; i++)
		nics[i].is_apart = nics[i].leaf == 1;
	bringup_schedule_init(&s);
	bringup_schedule_make(&s, nics, n, &all);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(loads_of(&s, BRINGUP_CROSS_LEAF, i) >= 2, !nics[i].is_apart);
		assert_true(loads_of(&s, BRINGUP_SAME_LEAF, i) >= 2);
	}
	bringup_schedule_done(&s);
}

static void incast_grows_by_twos_as_far_as_there_are_senders(void **state)
{
	static struct bringup_nic nics[NICS_MAX];
	size_t n = make_rack(nics, 6, 1, 0), seen = 0;
	struct bringup_schedule s;

	(void)state;
	bringup_schedule_init(&s);
	bringup_schedule_make(&s, nics, n, &all);
	for (size_t i = 0; i < s.n_rounds; i++)
		if (s.rounds[i].kind == BRINGUP_INCAST)
			assert_int_equal(s.rounds[i].n, 2u << seen++);
	assert_int_equal(seen, 2);	/* 2 and 4; for 8 there are five others */
	bringup_schedule_done(&s);
}

/* Two senders and one stream to the first NIC of each leaf that has so many others. */
static void beside_a_stream_two_others_send(void **state)
{
	static struct bringup_nic nics[NICS_MAX];

	(void)state;
	for (unsigned nodes = 2; nodes <= 6; nodes++) {
		size_t n = make_rack(nics, nodes, 2, 0), rounds = 0;
		struct bringup_schedule s;

		bringup_schedule_init(&s);
		bringup_schedule_make(&s, nics, n, &all);
		for (size_t i = 0; i < s.n_rounds; i++) {
			const struct bringup_round *r = &s.rounds[i];
			unsigned streams = 0;

			if (r->kind != BRINGUP_LOSSY)
				continue;
			for (size_t k = r->first; k < r->first + r->n; k++) {
				streams += s.flows[k].is_stream;
				assert_int_equal(bringup_flow_tool(r, &s.flows[k]), s.flows[k].is_stream ? BRINGUP_STREAM : BRINGUP_WRITE_BW);
			}
			assert_int_equal(r->n, 3 * streams);
			assert_true(streams >= 1);
			rounds++;
		}
		assert_int_equal(rounds, nodes >= 4);
		bringup_schedule_done(&s);
	}
}

/* -- which end -- */

/* Runs what was not run yet: a pair fails where one of its ends is bad. */
static void run(const struct bringup_schedule *s, const bool *is_bad, enum bringup_verdict **verdicts, size_t *n)
{
	*verdicts = xrealloc(*verdicts, s->n_flows * sizeof(**verdicts));
	for (; *n < s->n_flows; (*n)++)
		(*verdicts)[*n] = is_bad[s->flows[*n].from] || is_bad[s->flows[*n].to] ? BRINGUP_FAILED : BRINGUP_PASSED;
}

static bool is_alone(const struct bringup_nic *nics, size_t n, size_t nic)
{
	for (size_t i = 0; i < n; i++)
		if (nics[i].leaf == nics[nic].leaf && nics[i].node != nics[nic].node)
			return false;
	return true;
}

/* Pairs across leaves fail as well: they say of no end that it is bad, and of none that it is good. */
static void the_end_that_is_to_blame_is_found_and_no_other(void **state)
{
	static const struct bringup_wishes pairs = { .kinds = 1u << BRINGUP_SAME_LEAF | 1u << BRINGUP_CROSS_LEAF, .loads = 1 };
	static struct bringup_nic nics[NICS_MAX];

	(void)state;
	random_state = 20261128;
	for (unsigned rack = 0; rack < RACKS; rack++) {
		unsigned nodes = 8 + draw(25), rails = 1 + draw(8), n_bad = 1 + draw(5);
		size_t n = make_rack(nics, nodes, rails, draw(2) ? 0 : 4), n_run = 0;
		enum bringup_end ends[NICS_MAX];
		enum bringup_verdict *verdicts = NULL;
		bool is_bad[NICS_MAX] = { false };
		struct bringup_schedule s;

		for (unsigned i = 0; i < n_bad && i < nodes / 4; i++)
			is_bad[draw((unsigned)n)] = true;
		bringup_schedule_init(&s);
		bringup_schedule_make(&s, nics, n, &pairs);
		do {
			run(&s, is_bad, &verdicts, &n_run);
			bringup_schedule_judge(&s, verdicts, ends, n);
		} while (bringup_schedule_suspects(&s, nics, ends, n, BRINGUP_WRITE_BW));
		for (size_t i = 0; i < n; i++) {
			enum bringup_end expected = is_alone(nics, n, i) ? BRINGUP_END_UNTRIED : is_bad[i] ? BRINGUP_END_BAD : BRINGUP_END_GOOD;

			if (ends[i] != expected)
				fail_msg("%u nodes, %u rails: NIC %zu is %s, and was called %d", nodes, rails, i, is_bad[i] ? "bad" : "good", ends[i]);
		}
		bringup_schedule_done(&s);
		free(verdicts);
	}
}

/* Two nodes alone: nobody says which. */
static void of_two_ends_alone_neither_is_blamed(void **state)
{
	static const struct bringup_wishes pairs = { .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 2 };
	static const struct bringup_nic nics[] = { { 0, 0, 0 }, { 1, 0, 0 } };
	enum bringup_verdict verdicts[] = { BRINGUP_PASSED, BRINGUP_FAILED };
	enum bringup_end ends[2];
	struct bringup_schedule s;

	(void)state;
	bringup_schedule_init(&s);
	bringup_schedule_make(&s, nics, 2, &pairs);
	assert_int_equal(s.n_flows, 2);
	bringup_schedule_judge(&s, verdicts, ends, 2);
	assert_true(ends[0] == BRINGUP_END_SUSPECT && ends[1] == BRINGUP_END_SUSPECT);
	assert_false(bringup_schedule_suspects(&s, nics, ends, 2, BRINGUP_WRITE_BW));
	bringup_schedule_done(&s);
}

/* Its loopback failed, so the failure of the pair is its own, and its partner is not suspected. */
static void who_fails_by_itself_is_bad_and_its_partner_is_not(void **state)
{
	static const struct bringup_wishes pairs = { .kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF, .loads = 1 };
	static const struct bringup_nic nics[] = { { 0, 0, 0 }, { 1, 0, 0 } };
	enum bringup_verdict verdicts[] = { BRINGUP_FAILED, BRINGUP_PASSED, BRINGUP_FAILED, BRINGUP_FAILED };
	enum bringup_end ends[2];
	struct bringup_schedule s;

	(void)state;
	bringup_schedule_init(&s);
	bringup_schedule_make(&s, nics, 2, &pairs);
	assert_int_equal(s.n_flows, 4);
	bringup_schedule_judge(&s, verdicts, ends, 2);
	assert_int_equal(ends[0], BRINGUP_END_BAD);
	assert_int_not_equal(ends[1], BRINGUP_END_SUSPECT);
	assert_int_not_equal(ends[1], BRINGUP_END_BAD);
	verdicts[0] = BRINGUP_PASSED;
	bringup_schedule_judge(&s, verdicts, ends, 2);
	assert_true(ends[0] == BRINGUP_END_SUSPECT && ends[1] == BRINGUP_END_SUSPECT);
	bringup_schedule_done(&s);
}

/* Two that failed against each other, and two good ones of a leaf that nothing joins to theirs: they cannot be asked. */
static void a_suspect_meets_only_whom_it_can_reach(void **state)
{
	static const enum bringup_end ends[] = { BRINGUP_END_SUSPECT, BRINGUP_END_SUSPECT, BRINGUP_END_GOOD, BRINGUP_END_GOOD };

	(void)state;
	for (unsigned apart = 0; apart < 2; apart++) {
		struct bringup_nic nics[4];
		struct bringup_schedule s;

		for (unsigned i = 0; i < 4; i++)
			nics[i] = (struct bringup_nic){ .node = i, .leaf = i / 2, .is_apart = apart };
		bringup_schedule_init(&s);
		assert_int_equal(bringup_schedule_suspects(&s, nics, ends, 4, BRINGUP_WRITE_BW), !apart);
		bringup_schedule_done(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_link_is_loaded_both_ways_by_pairs_that_share_no_end),
		cmocka_unit_test(the_same_rack_has_the_same_schedule),
		cmocka_unit_test(who_has_no_partner_gets_none),
		cmocka_unit_test(nothing_is_sent_across_from_a_leaf_without_uplinks),
		cmocka_unit_test(incast_grows_by_twos_as_far_as_there_are_senders),
		cmocka_unit_test(beside_a_stream_two_others_send),
		cmocka_unit_test(the_end_that_is_to_blame_is_found_and_no_other),
		cmocka_unit_test(of_two_ends_alone_neither_is_blamed),
		cmocka_unit_test(a_suspect_meets_only_whom_it_can_reach),
		cmocka_unit_test(who_fails_by_itself_is_bad_and_its_partner_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
