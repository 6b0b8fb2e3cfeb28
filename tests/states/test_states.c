/*
 * Random fabrics (tests/states/states.h), and what must be true of each: no verdict improves when a cell is taken away, and the
 * findings, the tree, the causes, the proof, the pause trees, the list of ports and the report contradict each other nowhere.
 * Each statement that was compared is counted; one that is compared in no state at all fails.
 *
 *	STATES=10000 SEED=1	how many, and the first seed; each state has its own: SEED + 0, + 1, …
 *	STATES=1 SEED=4711	one alone; SHOW=1 prints its facts and findings
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/states/statements.h"

#define STATES_USUAL	300

/* A row each, counted. */
struct statement {
	const char *words;
	void (*compare)(struct judged_state *j, size_t *n);
	size_t n;
};

static struct statement statements[] = {
	{ "the tree asks every check of its questions", tree_asks_all, 0 },
	{ "the tree's answers stand on findings", tree_stands_on_findings, 0 },
	{ "no question says all or none of what could not be read", tree_readers_have_read, 0 },
	{ "the tree ends as what was found and read lets it", tree_ends_honestly, 0 },
	{ "causes stand on findings", causes_stand_on_findings, 0 },
	{ "findings have causes", causes_are_named, 0 },
	{ "an acquittal stands on what was read and found", acquittals_are_proven, 0 },
	{ "proof and findings agree", proof_agrees, 0 },
	{ "a share of the time is one number", pauses_agree_on_shares, 0 },
	{ "a storm is one in findings and pause trees", pauses_agree_on_storms, 0 },
	{ "the list of ports and findings agree", surfaces_port_rows_agree, 0 },
	{ "map and list of ports agree", surfaces_map_agrees, 0 },
	{ "gates count what the findings count", surfaces_gates_agree, 0 },
	{ "report and findings agree", surfaces_report_agrees, 0 },
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
	struct judged_state j;

	tally.seed = seed;
	tally.states++;
	judged_state_init(&j, seed);
	if (getenv("SHOW"))
		show(&j);
	for (size_t i = 0; i < N_STATEMENTS; i++)
		statements[i].compare(&j, &statements[i].n);
	monotone_compare(&j);
	for (size_t i = 0; i < N_STATEMENTS; i++)	/* and once more, with less known */
		statements[i].compare(&j, &statements[i].n);
	judged_state_done(&j);
}

static void tell(void)
{
	print_message("%zu states, %zu verdicts compared without a cell, %zu cells taken away\n", tally.states, tally.verdicts,
		      tally.cells);
	for (size_t i = 0; i < N_STATEMENTS; i++)
		print_message("%9zu  %s\n", statements[i].n, statements[i].words);
	tally_print_broken();
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
	n_broken = tally.n;
	tally_done();
	for (size_t i = 0; i < N_STATEMENTS && n >= STATES_USUAL; i++)
		if (!statements[i].n)
			fail_msg("never compared: %s", statements[i].words);
	assert_true(tally.states && tally.verdicts && tally.cells);
	assert_int_equal(n_broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_surface_contradicts_another_and_no_verdict_improves_without_a_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
