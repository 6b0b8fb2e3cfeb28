/*
 * Every fault that can be mended, on every system that has it: broken, named, planned, applied, seen to be gone, and taken
 * back to the byte; and every other: refused, with who mends it. FIXES=NAME tells one, FIXES_ALL=1 all (`make fixes`); else
 * a few of each kind. Some more on fabrics in skins (NASTY_SEEDS="N N …": these alone).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge/check.h"
#include "remote/lab/world/faults.h"
#include "tests/lib/nasty.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/leave.h"
#include "tests/trials/mend.h"
#include "tests/trials/skinned.h"

#define STORIES_MAX 256

static const struct story {
	const char *fault, *os;
} few[] = {
	{ "trust-pcp", "os10" }, { "mtu-small-host", "sonic" }, { "ecn-off-switch", "os10" }, { "pfc-off-switch", "sonic" },
};

static struct told {
	const struct mendable *what;
	const char *os;
} told[STORIES_MAX];
static unsigned n_told;

static const char *const few_left[] = { "ets-sum-wrong", "driver-not-ready", "memlock-low" };

static const struct leavable *left[STORIES_MAX];
static unsigned n_left;

/* 1 and 0 by the environment, -1: nothing was asked for. */
static int is_wished(const char *fault)
{
	const char *only = getenv("FIXES");

	if (only && *only)
		return !strcmp(only, fault);
	return getenv("FIXES_ALL") ? 1 : -1;
}

static bool is_asked(const struct mendable *m, const char *os)
{
	int wished = is_wished(m->fault);

	for (size_t i = 0; i < sizeof(few) / sizeof(*few) && wished < 0; i++)
		if (!strcmp(few[i].fault, m->fault) && !strcmp(few[i].os, os))
			return true;
	return wished > 0;
}

static bool is_asked_too(const struct leavable *l)
{
	int wished = is_wished(l->fault);

	for (size_t i = 0; i < sizeof(few_left) / sizeof(*few_left) && wished < 0; i++)
		if (!strcmp(few_left[i], l->fault))
			return true;
	return wished > 0;
}

static void choose(void)
{
	static const char *const systems[] = { "os10", "sonic" };
	size_t n;
	const struct mendable *list = mendables(&n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 2; k++) {
			const struct mendable *m = &list[i];
			bool is_few = !getenv("FIXES_ALL") && !getenv("FIXES");

			/* a host's fault is told once; its switches take turns */
			if ((m->os && strcmp(m->os, systems[k])) || (m->at_host && !is_few && k != i % 2))
				continue;
			if (is_asked(m, systems[k]))
				told[n_told++] = (struct told){ m, systems[k] };
		}
}

static bool tell(void *ctx, unsigned nth, struct buf *words)
{
	(void)ctx;
	buf_printf(words, "  %s, %s\n", told[nth].what->fault, told[nth].os);
	return mend_story(told[nth].what, told[nth].os, words);
}

static void what_is_broken_is_named_mended_and_taken_back_to_the_byte(void **state)
{
	unsigned failed;

	(void)state;
	choose();
	failed = crew_run("fix", n_told, crew_number("FIXES_JOBS", 4), tell, NULL);
	print_message("%u of %u fixes: broken, named, planned, applied, cleared, undone\n", n_told - failed, n_told);
	assert_int_equal(failed, 0);
}

static bool tell_left(void *ctx, unsigned nth, struct buf *words)
{
	(void)ctx;
	buf_printf(words, "  %s\n", left[nth]->fault);
	return leave_story(left[nth], nth % 2 ? "sonic" : "os10", words);
}

static void what_is_not_mended_from_here_is_refused_with_who_mends_it(void **state)
{
	unsigned failed;
	size_t n;
	const struct leavable *list = leavables(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		if (is_asked_too(&list[i]))
			left[n_left++] = &list[i];
	failed = crew_run("left", n_left, crew_number("FIXES_JOBS", 4), tell_left, NULL);
	print_message("%u of %u left to people: refused, with the reason, and nothing sent\n", n_left - failed, n_left);
	assert_int_equal(failed, 0);
	assert_true(n_told + n_left > 0);
}

/* "NAME" or "NAME@PLACE" of this fault. */
static bool is_of(const char *text, const char *fault)
{
	return strcspn(text, "@") == strlen(fault) && !strncmp(text, fault, strlen(fault));
}

static void every_fault_of_the_lab_is_mended_or_left_with_a_reason(void **state)
{
	size_t n;
	const struct mendable *list = mendables(&n);

	(void)state;
	for (size_t i = 0; i < fault_count; i++) {
		const struct fault *fault = &fault_table[i];
		unsigned mended = 0;

		for (size_t k = 0; k < n; k++)
			mended += is_of(list[k].fault, fault->name);
		if ((mended > 0) == (fault->left_to != NULL))
			fail_msg("%s is %s", fault->name, mended ? "mended, and left to somebody" : "neither mended nor left to anybody");
		if (!fault->left_to != !fault->check || (fault->check && !check_find(fault->check)))
			fail_msg("%s is left to somebody by no check that there is", fault->name);
	}
}

/* -- in skins -- */

static unsigned seeds[NASTY_MAX];

static bool tell_in_skins(void *ctx, unsigned nth, struct buf *words)
{
	(void)ctx;
	return skinned_fix(seeds[nth], words);
}

static void in_skins_a_fix_is_done_or_refused_and_said_so(void **state)
{
	size_t n = is_wished("") < 0 || nasty_is_asked() ? nasty_seeds("8", seeds) : 0;
	unsigned failed = crew_run("fix in skins", (unsigned)n, crew_number("FIXES_JOBS", 4), tell_in_skins, NULL);

	(void)state;
	print_message("%zu fixes on fabrics in skins: something false is said of %u\n", n, failed);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest nasty[] = {
		cmocka_unit_test(in_skins_a_fix_is_done_or_refused_and_said_so),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_of_the_lab_is_mended_or_left_with_a_reason),
		cmocka_unit_test(what_is_broken_is_named_mended_and_taken_back_to_the_byte),
		cmocka_unit_test(what_is_not_mended_from_here_is_refused_with_who_mends_it),
		cmocka_unit_test(in_skins_a_fix_is_done_or_refused_and_said_so),
	};

	return nasty_is_asked() ? cmocka_run_group_tests(nasty, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
