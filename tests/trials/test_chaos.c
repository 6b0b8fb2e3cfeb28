/*
 * Applies that go wrong: killed, cut off, stale, in a race, lied to, failed in part. Each device ends as before or as after the
 * plan, and is reported as it is. A few of each here; `make chaos` all. Some more on fabrics in skins
 * (NASTY_SEEDS="N N …": these alone).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/lib/nasty.h"
#include "tests/lib/say.h"
#include "tests/trials/chaos.h"
#include "tests/trials/chaos_units.h"
#include "tests/trials/crew.h"
#include "tests/trials/partial.h"
#include "tests/trials/skinned.h"
#include "tests/trials/unarmed.h"

static char dir[64];
static unsigned jobs;

typedef bool trial_of(const char *dir, unsigned nth, struct buf *words);

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	return ((trial_of *)ctx)(dir, nth, words);
}

static double cpu_s(const struct rusage *r)
{
	return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) + (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e6;
}

static void run(const char *title, const char *variable, unsigned usual, trial_of *trial)
{
	unsigned n = crew_number(variable, usual), failed;
	struct rusage before, after;

	getrusage(RUSAGE_CHILDREN, &before);
	failed = crew_run(title, n, jobs, one, trial);
	getrusage(RUSAGE_CHILDREN, &after);
	print_message("%s: %u of %u held, %.1f s of a processor each\n", title, n - failed, n,
		      n ? (cpu_s(&after) - cpu_s(&before)) / n : 0);
	assert_int_equal(failed, 0);
}

static int begin(void **state)
{
	(void)state;
	jobs = crew_number("CHAOS_JOBS", 2);
	assert_true(unarmed_begin());
	snprintf(dir, sizeof(dir), "/tmp/fabcon-chaos.XXXXXX");
	assert_non_null(mkdtemp(dir));
	return 0;
}

static int end(void **state)
{
	const struct unarmed_tally *u = unarmed_so_far();
	char *command = xasprintf("rm -rf %s", dir);
	int status = system(command);

	(void)state;
	if (u->trials)
		printf("%u lines of the audit and %u writes at the devices joined in %u trials, %u without an armed rollback\n", u->lines,
		       u->writes, u->trials, u->unarmed + u->untold);
	free(command);
	return status;
}

static void an_apply_that_goes_wrong_ends_before_or_after(void **state)
{
	(void)state;
	run("mishaps", "CHAOS_APPLIES", 2, chaos_mishap);
}

static void a_change_that_cuts_our_own_path_is_taken_back_without_us(void **state)
{
	(void)state;
	run("cuts", "CHAOS_CUTS", 1, chaos_cut);
}

static void a_stale_plan_is_refused_and_a_fresh_one_is_not(void **state)
{
	(void)state;
	run("stale plans", "CHAOS_STALE", 1, chaos_stale);
}

static void of_two_consoles_one_applies(void **state)
{
	(void)state;
	run("races", "CHAOS_RACES", 1, chaos_race);
}

static void who_lies_is_not_believed(void **state)
{
	(void)state;
	run("liars", "CHAOS_LIARS", 1, chaos_liar);
}

static const unsigned failing[] = { 1, 3, 0, 8, 16 };

/* So many of all nodes as there are; each k by itself: a few, or all of them from 0 to the nodes. */
static bool some_fail(void *ctx, unsigned nth, struct buf *words)
{
	const unsigned *nodes = ctx;
	bool is_each = crew_number("CHAOS_PARTIAL", 1) > sizeof(failing) / sizeof(*failing);

	return partial_story(*nodes, is_each ? nth % (*nodes + 1) : failing[nth % 5], 5 + nth, words);
}

static void of_many_devices_some_of_which_fail_each_is_reported_as_it_is(void **state)
{
	unsigned nodes = crew_number("CHAOS_NODES", 4), n = crew_number("CHAOS_PARTIAL", 1), failed;

	(void)state;
	failed = crew_run("some fail", n, jobs, some_fail, &nodes);
	print_message("some fail: %u of %u held, devices each: %u\n", n - failed, n, nodes);
	assert_int_equal(failed, 0);
}

/* -- both ends of a link -- */

static struct unit_tally *tally;	/* shared with the processes of the crew */
static unsigned kills;			/* or restarts, of each fabric */

/* So many mishaps, on fabrics of up to UNIT_KILLS each; their number. */
static unsigned run_units(const char *title, unsigned wanted, bool (*one)(void *ctx, unsigned nth, struct buf *words), unsigned *failed)
{
	unsigned n = wanted < 3 ? wanted : wanted < 3 * UNIT_KILLS ? 3 : (wanted + UNIT_KILLS - 1) / UNIT_KILLS;

	kills = (wanted + n - 1) / n;
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(tally != MAP_FAILED);
	*failed = crew_run(title, n, jobs, one, NULL);
	return n;
}

static bool one_fabric(void *ctx, unsigned nth, struct buf *words)
{
	(void)ctx;
	return chaos_units(tally, nth, kills, words);
}

static void killed_between_the_keeps_no_link_stays_half_and_none_is_hidden(void **state)
{
	unsigned failed, n = run_units("links", crew_number("CHAOS_KILLS", 2), one_fabric, &failed);

	(void)state;
	print_message("%u kills on %u fabrics, %u of them between the first and the last keep, %u with a keep script, and %u interrupts (%u "
		      "applies had ended before): %u links half when the timers had ended; of these %u finished and %u rolled back by the next start; %u "
		      "stayed half; %u exit codes or words hid one\n", tally->kills, n, tally->between, tally->keepers, tally->interrupts, tally->early,
		      tally->half, tally->finished, tally->rolled_back,
		      tally->left_half, tally->lied);
	assert_int_equal(failed, 0);
	assert_int_equal(tally->left_half + tally->lied, 0);
	assert_true(tally->between > 0);
}

static bool one_fabric_restarts(void *ctx, unsigned nth, struct buf *words)
{
	(void)ctx;
	return chaos_restarts(tally, nth, kills, words);
}

static void restarted_between_the_keeps_no_link_stays_half_and_none_is_hidden(void **state)
{
	unsigned failed, n = run_units("restarts", crew_number("CHAOS_RESTARTS", 1), one_fabric_restarts, &failed);

	(void)state;
	print_message("%u restarts of devices on %u fabrics, from the first keep on: %u links half when the timers had ended; of these %u "
		      "finished and %u rolled back by the next start; %u stayed half; %u exit codes or words hid one\n", tally->restarts, n,
		      tally->half, tally->finished, tally->rolled_back, tally->left_half, tally->lied);
	assert_int_equal(failed, 0);
	assert_int_equal(tally->left_half + tally->lied, 0);
	assert_true(tally->restarts > 0);
}

/* -- in skins -- */

static unsigned seeds[NASTY_MAX];

static bool one_in_skins(void *ctx, unsigned nth, struct buf *words)
{
	static trial_of *const trials[] = { chaos_mishap, chaos_liar, chaos_mishap, chaos_cut };
	unsigned seed = seeds[nth];

	(void)ctx;
	buf_printf(words, "  seed %u\n", seed);
	nasty_dress(seed);
	if (!chaos_is_possible(dir, seed, words))
		return skinned_words(words->text, words);
	return trials[seed % 4](dir, seed, words) && skinned_words(words->text, words);
}

static void in_skins_an_apply_that_goes_wrong_ends_before_or_after(void **state)
{
	size_t n = nasty_seeds("6", seeds);
	unsigned failed = crew_run("in skins", (unsigned)n, jobs, one_in_skins, NULL);

	(void)state;
	print_message("%zu mishaps on fabrics in skins: %u ended otherwise, or were told wrongly\n", n, failed);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest nasty[] = {
		cmocka_unit_test(in_skins_an_apply_that_goes_wrong_ends_before_or_after),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_apply_that_goes_wrong_ends_before_or_after),
		cmocka_unit_test(a_change_that_cuts_our_own_path_is_taken_back_without_us),
		cmocka_unit_test(a_stale_plan_is_refused_and_a_fresh_one_is_not),
		cmocka_unit_test(of_two_consoles_one_applies),
		cmocka_unit_test(who_lies_is_not_believed),
		cmocka_unit_test(of_many_devices_some_of_which_fail_each_is_reported_as_it_is),
		cmocka_unit_test(killed_between_the_keeps_no_link_stays_half_and_none_is_hidden),
		cmocka_unit_test(restarted_between_the_keeps_no_link_stays_half_and_none_is_hidden),
		cmocka_unit_test(in_skins_an_apply_that_goes_wrong_ends_before_or_after),
	};
	const struct CMUnitTest links[] = {
		cmocka_unit_test(killed_between_the_keeps_no_link_stays_half_and_none_is_hidden),
	};

	const struct CMUnitTest restarts[] = {
		cmocka_unit_test(restarted_between_the_keeps_no_link_stays_half_and_none_is_hidden),
	};

	if (getenv("CHAOS_RESTARTS"))	/* these alone */
		return cmocka_run_group_tests(restarts, begin, end);
	if (getenv("CHAOS_KILLS"))
		return cmocka_run_group_tests(links, begin, end);
	return nasty_is_asked() ? cmocka_run_group_tests(nasty, begin, end) : cmocka_run_group_tests(tests, begin, end);
}
