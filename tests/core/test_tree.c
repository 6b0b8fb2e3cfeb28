/* The decision trees and the causes are tables: each row is whole, each branch leads somewhere, each leaf is reached. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "core/remedy/remedy.h"
#include "tests/lib/say.h"

static bool is_place(const struct decision_tree *t, const char *id)
{
	return (question_find(t, id) != NULL) != (leaf_find(t, id) != NULL);
}

static bool is_text(const char *text)
{
	return text && *text;
}

/* Words of a list, each given to see. */
static void each_word(const char *list, void (*see)(const char *word, void *ctx), void *ctx)
{
	struct span rest = span_of(list), word;

	while (span_word(&rest, &word)) {
		char *copy = xstrndup(word.p, word.n);

		see(copy, ctx);
		free(copy);
	}
}

static void is_a_check(const char *word, void *ctx)
{
	if (!check_find(word))
		fail_msg("%s: no check is called %s", (const char *)ctx, word);
}

static void is_a_cause(const char *word, void *ctx)
{
	if (!known_cause_find(word))
		fail_msg("%s: no cause is called %s", (const char *)ctx, word);
}

static void every_question_says_what_it_needs_where_it_leads_and_what_would_prove_it_wrong(void **state)
{
	struct buf commands = { NULL };

	(void)state;
	for (size_t t = 0; t < decision_tree_count; t++)
		for (size_t i = 0; i < decision_trees[t].n_questions; i++) {
			const struct tree_question *q = &decision_trees[t].questions[i];

			if (!is_text(q->text) || !is_text(q->needs) || !is_text(q->wrong_if) || !is_text(q->source) ||
			    !(is_text(q->settle) || remedy_list(q->id, &commands)))
				fail_msg("%s of %s: a text is missing", q->id, decision_trees[t].name);
			if (!is_place(&decision_trees[t], q->yes) || !is_place(&decision_trees[t], q->no) ||
			    !is_place(&decision_trees[t], q->unknown))
				fail_msg("%s of %s: a branch leads nowhere", q->id, decision_trees[t].name);
			if (!q->checks && !q->ask)
				fail_msg("%s of %s: asked by nothing", q->id, decision_trees[t].name);
			if (q->checks && q->found != ANSWER_YES && q->found != ANSWER_NO)
				fail_msg("%s of %s: what a finding answers is not said", q->id, decision_trees[t].name);
			each_word(q->checks, is_a_check, (void *)q->id);
			assert_ptr_equal(question_find(&decision_trees[t], q->id), q);	/* ids are unique */
		}
	buf_done(&commands);
}

/* Marks what can be reached; depth tells a circle. */
static void visit(const struct decision_tree *t, const char *id, bool *questions, bool *leaves, size_t depth)
{
	const struct tree_question *q = question_find(t, id);

	if (depth > t->n_questions)
		fail_msg("the tree %s has a circle through %s", t->name, id);
	if (!q) {
		leaves[leaf_find(t, id) - t->leaves] = true;
		return;
	}
	if (questions[q - t->questions])
		return;
	visit(t, q->yes, questions, leaves, depth + 1);
	visit(t, q->no, questions, leaves, depth + 1);
	visit(t, q->unknown, questions, leaves, depth + 1);
	questions[q - t->questions] = true;	/* afterwards: a way back to it is a circle */
}

static void every_question_and_leaf_is_reached_and_no_way_is_a_circle(void **state)
{
	(void)state;
	for (size_t k = 0; k < decision_tree_count; k++) {
		const struct decision_tree *t = &decision_trees[k];
		bool *questions = xcalloc(t->n_questions, sizeof(bool)), *leaves = xcalloc(t->n_leaves, sizeof(bool));

		visit(t, t->start, questions, leaves, 0);
		for (size_t i = 0; i < t->n_questions; i++)
			if (!questions[i])
				fail_msg("%s: no way leads to the question %s", t->name, t->questions[i].id);
		for (size_t i = 0; i < t->n_leaves; i++)
			if (!leaves[i])
				fail_msg("%s: no way leads to the leaf %s", t->name, t->leaves[i].id);
		free(questions);
		free(leaves);
	}
}

static void every_leaf_has_words_and_names_causes_that_there_are(void **state)
{
	(void)state;
	for (size_t t = 0; t < decision_tree_count; t++)
		for (size_t i = 0; i < decision_trees[t].n_leaves; i++) {
			const struct leaf *leaf = &decision_trees[t].leaves[i];

			assert_true(is_text(leaf->text) && is_text(leaf->source));
			each_word(leaf->causes, is_a_cause, (void *)leaf->id);
			assert_ptr_equal(leaf_find(&decision_trees[t], leaf->id), leaf);
		}
}

static void is_an_answer(const char *word, void *ctx)
{
	struct given_answer answer;
	struct err err;

	if (!given_answer_read(ctx, word, &answer, &err))
		fail_msg("%s", err.text);
}

static void every_symptom_answers_questions_of_its_tree(void **state)
{
	(void)state;
	for (size_t t = 0; t < decision_tree_count; t++)
		for (size_t i = 0; i < decision_trees[t].n_symptoms; i++) {
			assert_true(is_text(decision_trees[t].symptoms[i].felt));
			each_word(decision_trees[t].symptoms[i].felt, is_an_answer, (void *)&decision_trees[t]);
			each_word(decision_trees[t].symptoms[i].answers, is_an_answer, (void *)&decision_trees[t]);
		}
}

static void the_seeds_tree_is_as_the_seed_has_it(void **state)
{
	static const char *const rows[][3] = {
		{ "START", "Q1", "Q1" }, { "Q1", "Q2", "Q4" }, { "Q2", "Q3", "FIX1" }, { "Q3", "FIX3", "FIX2" },
		{ "Q4", "Q5", "OK" }, { "Q5", "FIX4", "Q6" }, { "Q6", "FIX6", "FIX5" },
	};
	const struct decision_tree *t = decision_tree_find("seed");

	(void)state;
	assert_int_equal(t->n_questions, sizeof(rows) / sizeof(*rows));
	for (size_t i = 0; i < t->n_questions; i++) {
		assert_string_equal(question_find(t, rows[i][0])->yes, rows[i][1]);
		assert_string_equal(question_find(t, rows[i][0])->no, rows[i][2]);
	}
}

/* X1 to X22 are the questions that the seed does not have. */
static void the_usual_tree_has_all_extensions(void **state)
{
	const struct decision_tree *t = decision_tree_find(NULL);

	(void)state;
	for (unsigned n = 1; n <= 22; n++) {
		bool is_there = false;
		char id[8];

		snprintf(id, sizeof(id), "X%u", n);
		for (size_t i = 0; i < t->n_questions && !is_there; i++)
			is_there = strcmp(t->questions[i].id, id) == 0;
		if (!is_there)
			fail_msg("no question is %s", id);
	}
}

static void every_cause_is_shown_by_something_that_there_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < known_cause_count; i++) {
		const struct known_cause *c = &known_causes[i];
		enum field f;

		if (!is_text(c->title) || !is_text(c->why) || !is_text(c->change) || !is_text(c->source))
			fail_msg("%s: a text is missing", c->id);
		assert_ptr_equal(known_cause_find(c->id), c);
		if (!c->signs[0].check && !c->asked.question)
			fail_msg("%s: nothing shows it", c->id);
		for (size_t k = 0; k < SIGNS_MAX && c->signs[k].check; k++) {
			is_a_check(c->signs[k].check, (void *)c->id);
			if (c->signs[k].weight < 1 || c->signs[k].weight > 100)
				fail_msg("%s: the weight of %s is none", c->id, c->signs[k].check);
		}
		if (c->asked.question && (!question_find(decision_tree_find(NULL), c->asked.question) || !c->asked.weight))
			fail_msg("%s: no question %s", c->id, c->asked.question);
		if (c->contrary && !field_find(span_of(c->contrary), &f))
			fail_msg("%s: no field %s", c->id, c->contrary);
	}
}

static void the_agreed_causes_are_there(void **state)
{
	static const char agreed[] =
		"trust-wrong dscp-map-wrong pfc-off pfc-extra ecn-off ecn-late np-off rp-off cnp-marked-wrong cnp-starved "
		"mtu-mismatch miswired slow-receiver pause-storm degraded-link tos-not-ect tos-unmarked global-pause "
		"bond-member-unset unreachable slow-answers garbled-answers incast deadlock headroom-small pcie-degraded memlock-low "
		"soft-roce gid-wrong nccl-socket gpudirect-missing driver-not-ready vf-unset link-down speed-mismatch fec-mismatch "
		"iscsi-shares-class drift ecmp-imbalance reordering dcqcn-aggressive retry-exceeded remote-access local-length "
		"watchdog-drops ets-wrong buffer-small";

	(void)state;
	each_word(agreed, is_a_cause, "agreed");
}

/* Checks that no cause has as its sign, or no question asks about, each with its reason. */
static const struct {
	const char *check;
	bool is_unasked;	/* by no question, either */
	const char *reason;
} exceptions[] = {
	{ "app-bandwidth", false, "a symptom: whatever else is found makes it slow" },
	{ "not-paused", false, "a symptom: the cause stands where the pause begins" },
	{ "not-pausing", false, "a symptom: the cause stands where the pause begins" },
	{ "class-kept", false, "trust, a map at either end or what rewrites DSCP between: each has a sign of its own" },
	{ "pause-counted-alike", false, "another cable, or PFC that is off at an end: each has a sign of its own" },
	{ "acks-come", false, "loss, a long pause or a peer that ended: each has a sign of its own" },
	{ "marks-arrive", false, "foreign packets in the queue, or a tunnel: nothing that is read tells which" },
	{ "planned-cables-known", false, "a mistake of the plan or the inventory, not of the fabric" },
	{ "firmware-as-wanted", true, "no symptom follows from a version alone" },
};

static bool is_excepted(const char *check, bool is_unasked)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (strcmp(exceptions[i].check, check) == 0)
			return !is_unasked || exceptions[i].is_unasked;
	return false;
}

static bool is_asked_about(const char *check)
{
	const struct decision_tree *t = decision_tree_find(NULL);

	for (size_t i = 0; i < t->n_questions; i++)
		if (span_is_among(span_of(check), t->questions[i].checks))
			return true;
	return false;
}

static bool is_a_sign(const char *check)
{
	for (size_t i = 0; i < known_cause_count; i++)
		for (size_t k = 0; k < SIGNS_MAX && known_causes[i].signs[k].check; k++)
			if (strcmp(known_causes[i].signs[k].check, check) == 0)
				return true;
	return false;
}

static void every_grave_check_is_asked_about_and_is_a_sign_of_a_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < check_count; i++) {
		const char *id = check_table[i].id;

		if (check_table[i].severity < VERDICT_WARN)
			continue;
		if (!is_asked_about(id) && !is_excepted(id, true))
			fail_msg("no question asks about %s", id);
		if (!is_a_sign(id) && !is_excepted(id, false))
			fail_msg("%s is a sign of no cause", id);
	}
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (!check_find(exceptions[i].check) || is_a_sign(exceptions[i].check))
			fail_msg("%s is no exception", exceptions[i].check);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_question_says_what_it_needs_where_it_leads_and_what_would_prove_it_wrong),
		cmocka_unit_test(every_question_and_leaf_is_reached_and_no_way_is_a_circle),
		cmocka_unit_test(every_leaf_has_words_and_names_causes_that_there_are),
		cmocka_unit_test(every_symptom_answers_questions_of_its_tree),
		cmocka_unit_test(the_seeds_tree_is_as_the_seed_has_it),
		cmocka_unit_test(the_usual_tree_has_all_extensions),
		cmocka_unit_test(every_cause_is_shown_by_something_that_there_is),
		cmocka_unit_test(the_agreed_causes_are_there),
		cmocka_unit_test(every_grave_check_is_asked_about_and_is_a_sign_of_a_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
