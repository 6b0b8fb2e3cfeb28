/*
 * Every fault that can be mended, on every system that has it: broken, named, planned, applied, seen to be gone, and taken
 * back to the byte; and every other: refused, with who mends it. FIXES=NAME tells one, FIXES_ALL=1 all (`make fixes`); else
 * a few of each kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lab/world/faults.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/leave.h"
#include "tests/trials/mend.h"

#define STORIES_MAX 256

static const struct story {
	const char *fault, *os;
} few[] = {
	{ "trust-pcp", "os10" }, { "pfc-off-host", "sonic" }, { "tos-104", "os10" }, { "mtu-small-host", "sonic" },
	{ "ecn-off-switch", "os10" }, { "pfc-off-switch", "sonic" }, { "mtu-small-switch", "os10" }, { "ecn-weak", "sonic" },
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

	for (size_t i = 0; i < mendable_count; i++)
		for (size_t k = 0; k < 2; k++) {
			const struct mendable *m = &mendable_table[i];
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

	(void)state;
	for (size_t i = 0; i < leavable_count; i++)
		if (is_asked_too(&leavable_table[i]))
			left[n_left++] = &leavable_table[i];
	failed = crew_run("left", n_left, crew_number("FIXES_JOBS", 4), tell_left, NULL);
	print_message("%u of %u left to people: refused, with the reason, and nothing sent\n", n_left - failed, n_left);
	assert_int_equal(failed, 0);
	assert_true(n_told + n_left > 0);
}

/* "NAME" or "NAME@PLACE". */
static bool is_of(const char *text, const char *fault)
{
	return strcspn(text, "@") == strlen(fault) && !strncmp(text, fault, strlen(fault));
}

static void every_fault_of_the_lab_is_mended_or_left_with_a_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < fault_count; i++) {
		unsigned mended = 0, of_people = 0;

		for (size_t k = 0; k < mendable_count; k++)
			mended += is_of(mendable_table[k].fault, fault_table[i].name);
		for (size_t k = 0; k < leavable_count; k++)
			of_people += is_of(leavable_table[k].fault, fault_table[i].name);
		if ((mended > 0) + of_people != 1)
			fail_msg("%s is in %s of tests/trials' tables", fault_table[i].name, mended ? "both" : "neither");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_of_the_lab_is_mended_or_left_with_a_reason),
		cmocka_unit_test(what_is_broken_is_named_mended_and_taken_back_to_the_byte),
		cmocka_unit_test(what_is_not_mended_from_here_is_refused_with_who_mends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
