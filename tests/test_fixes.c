/*
 * Every fault that can be mended, on every system that has it: broken, named, planned, applied, seen to be gone, and taken
 * back to the byte. FIXES=NAME tells one, FIXES_ALL=1 all (`make fixes`); else a few of each kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixing/crew.h"
#include "tests/fixing/mend.h"
#include "tests/lib/say.h"

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

static bool is_asked(const struct mendable *m, const char *os)
{
	const char *only = getenv("FIXES");

	if (only && *only)
		return !strcmp(only, m->fault);
	if (getenv("FIXES_ALL"))
		return true;
	for (size_t i = 0; i < sizeof(few) / sizeof(*few); i++)
		if (!strcmp(few[i].fault, m->fault) && !strcmp(few[i].os, os))
			return true;
	return false;
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
	assert_true(n_told > 0);
	failed = crew_run("fix", n_told, crew_number("FIXES_JOBS", 4), tell, NULL);
	print_message("%u of %u fixes: broken, named, planned, applied, cleared, undone\n", n_told - failed, n_told);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_broken_is_named_mended_and_taken_back_to_the_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
