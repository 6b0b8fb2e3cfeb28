/* Plans that were begun and not ended: how they are listed, and which other plans they let through. The fixer is a stand-in. */
#include "remote/ssh/clock.h"
#include "tests/lib/home.h"
#include "tests/lib/stand_in_fixer.h"
#include "tui/fixing/plans.h"

/* -- listed -- */

/* A kill between the arm command and its answer leaves a device that may be armed; the words of the log are those of the screens. */
static void a_plan_that_may_be_armed_is_listed(void **state)
{
	struct open_plan list[4];
	int64_t timers[2];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	assert_int_equal(plans_open_list(list, 4), 0);
	happens(0, "arm", "lock, and arm the rollback timer", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].id, "P-1");
	assert_string_equal(list[0].devices, "node1");
	assert_string_equal(list[0].state, "node1 may be armed: not answered");
	assert_int_equal(list[0].rolls_back_us, 0);
	happens(0, "state", "armed: rollback in 598 s by systemd", 0, NULL);
	happens(0, "state", "applied", 0, NULL);
	happens(1, "arm", "lock, and arm the rollback timer", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_non_null(strstr(list[0].state, "node1 applied, "));
	assert_non_null(strstr(list[0].state, " may be armed: not answered"));
	assert_true(list[0].rolls_back_us > clock_us() + 500 * SECOND && list[0].rolls_back_us <= clock_us() + 598 * SECOND);
	plan_timers("P-1", timers, 2);
	assert_int_equal(timers[0], list[0].rolls_back_us);
	assert_int_equal(timers[1], 0);
	happens(0, "state", "kept: by the device", 0, NULL);
	assert_log(f, "node1: committed: by the device");
	assert_audit("P-1 0 node1 state: kept: by the device", true);
	happens(1, "state", "undone", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 0);
	fixing_free(f);
}

/* One end of a link was committed: the timer of the other then makes half a link. Both are named, whichever is still open. */
static void the_committed_end_of_an_open_link_is_listed(void **state)
{
	struct open_plan list[4];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		happens(i, "state", "armed: rollback in 73 s by systemd", 0, NULL);
		happens(i, "state", "verified", 0, NULL);
	}
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node1 verified, node2 verified");
	assert_string_equal(list[0].committed, "");
	assert_int_equal(list[0].half_us, 0);
	happens(0, "disarm", "keep", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node1 may be committed: not answered, node2 verified");
	happens(0, "state", "kept", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].devices, "node1, node2");
	assert_string_equal(list[0].state, "node1 committed, node2 verified");
	assert_string_equal(list[0].committed, "node1");
	assert_string_equal(list[0].half, "node2");
	assert_int_equal(list[0].half_us, list[0].rolls_back_us);
	assert_true(list[0].half_us > clock_us());
	happens(1, "state", "kept", 0, NULL);
	happens(0, "state", "unknown: not reached", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node2 committed, node1 unknown");
	fixing_free(f);
}

/* A verify has read both ends as half: the committed one has no timer, and the other the one that it was armed with last. */
static void of_half_a_link_the_timer_of_its_open_end_is_listed(void **state)
{
	struct open_plan list[4];
	int64_t timers[2];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "armed: rollback in 70 s by systemd", 0, NULL);
	happens(1, "state", "armed: rollback in 80 s by systemd", 0, NULL);
	happens(0, "disarm", "keep", -1, NULL);
	happens(0, "state", "kept", 0, NULL);
	fixing_free(f);		/* killed */
	f = begin("P-1", FIXER_FINISH, NULL);
	happens(1, "arm", "lock, and arm the rollback timer", -1, NULL);
	happens(1, "state", "armed: rollback in 600 s by systemd", 0, NULL);
	happens(1, "state", "applied", 0, NULL);
	fixing_free(f);		/* killed */
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &(struct err){ "" });
	happens(0, "state", "kept: as planned and committed", 0, NULL);
	happens(0, "state", "half: committed, but node2 of the same link is as planned, rollback timer armed", 0, NULL);
	happens(1, "state", "half: as planned, rollback timer armed, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].devices, "node1, node2");
	assert_string_equal(list[0].state, "node1 committed, node2 half");
	assert_string_equal(list[0].committed, "node1");
	assert_string_equal(list[0].half, "node2");
	assert_true(list[0].half_us > clock_us() + 500 * SECOND);
	assert_int_equal(list[0].rolls_back_us, list[0].half_us);
	plan_timers("P-1", timers, 2);
	assert_int_equal(timers[0], 0);
	assert_int_equal(timers[1], list[0].half_us);
}

/* -- other plans -- */

static void a_device_that_was_left_in_doubt_takes_no_other_plan(void **state)
{
	struct write_mode a = armed();
	struct buf open = { 0 };
	struct err err = { "" };
	struct fixing *f;

	(void)state;
	plans_not_ended(&open);
	assert_int_equal(open.n, 0);
	f = begin("P-1", FIXER_APPLY, NULL);
	happens(0, "state", "armed: undo in 600 s by systemd", 0, NULL);
	happens(1, "state", "undone", 0, NULL);
	fixing_free(f);		/* as a kill would */
	plans_not_ended(&open);
	assert_non_null(strstr(open.text, "P-1 was started and not finished (fabcon verify P-1): node1 armed "));
	assert_null(strstr(open.text, "node2"));
	assert_null(try_begin("P-2", FIXER_APPLY, &a, NULL, &err));
	assert_non_null(strstr(err.text, "P-1 has not ended (node1 armed): verify it first (fabcon verify P-1)"));
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &err);
	happens(0, "state", "reading", 0, NULL);
	happens(0, "state", "undone: as it was before", 0, NULL);
	fixing_free(f);
	assert_audit("P-1 0 node1 state: reading", false);
	buf_clear(&open);
	plans_not_ended(&open);
	assert_int_equal(open.n, 0);
	f = try_begin("P-2", FIXER_APPLY, &a, NULL, &err);
	assert_non_null(f);
	fixing_free(f);
	write_mode_end(&a);
	buf_done(&open);
}

/* A plan of node1 alone. */
static struct fixing *try_begin_at_node1(const char *id, const struct write_mode *arming, struct err *err)
{
	struct fixer_options options = { .goal = FIXER_APPLY };
	struct fixing_hooks hooks = { 0 };
	struct fixing *f;
	struct fix_plan plan;

	make_plan(&plan, id);
	plan.steps[1].device = "node3";
	plan.units[0].n = 1;
	*GROW(plan.units, plan.n_units, plan.cap_units) = (struct fix_unit){ 1, 1, 2 };
	plan.n_units = 2;
	f = fixing_begin(NULL, &plan, NULL, NULL, arming, NULL, &options, &hooks, err);
	fix_plan_done(&plan);
	return f;
}

static void the_other_end_of_a_link_that_is_open_takes_no_other_plan_either(void **state)
{
	struct write_mode a = armed();
	struct err err = { "" };
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "kept", 0, NULL);
	happens(1, "state", "verified", 0, NULL);
	fixing_free(f);		/* as a kill would */
	assert_null(try_begin_at_node1("P-2", &a, &err));
	assert_string_equal(err.text, "P-1 has not ended (node2 verified, the other end of a link of node1): verify it first (fabcon verify P-1)");
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &err);
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "half: as before, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_null(try_begin_at_node1("P-2", &a, &err));
	assert_string_equal(err.text, "P-1 has not ended (node1 half): verify it first (fabcon verify P-1)");
	write_mode_end(&a);
}

static void committed_at_both_ends(void)
{
	for (size_t i = 0; i < 2; i++) {
		happens(i, "arm", "lock, and arm the rollback timer", -1, NULL);
		happens(i, "state", "armed: rollback in 600 s by systemd", 0, NULL);
		happens(i, "state", "verified", 0, NULL);
	}
	for (size_t i = 0; i < 2; i++) {
		happens(i, "disarm", "keep", -1, NULL);
		happens(i, "state", "kept", 0, NULL);
	}
}

static void read_as_mixed(size_t mixed)
{
	struct fixing *f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &(struct err){ "" });

	happens(mixed, "state", "mixed: neither as before nor as planned", 0, NULL);
	happens(1 - mixed, "state", "half: committed, but the other of the same link is neither as before nor as planned", 0, NULL);
	fixing_free(f);
}

/* Whether another plan may begin, and what is listed as not ended. */
static void assert_lets(bool lets, size_t n_open)
{
	struct write_mode a = armed();
	struct open_plan list[4];
	struct err err = { "" };
	struct fixing *f = try_begin("P-2", FIXER_APPLY, &a, NULL, &err);

	if (lets != (f != NULL))
		fail_msg("%s", lets ? err.text : "it begins");
	assert_int_equal(plans_open_list(list, 4), n_open);
	fixing_free(f);
	write_mode_end(&a);
}

/* No timer of the plan is there, all was read, and what differs is somebody's later change: the way is free for a new plan. */
static void a_link_that_was_changed_after_its_plan_ended_takes_a_new_one(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(true, 0);
	/* an undo looked, and refused: nothing was sent */
	f = begin("P-1", FIXER_UNDO, NULL);
	happens(0, "state", "undoing", 0, NULL);
	happens(1, "state", "undoing", 0, NULL);
	assert_lets(false, 1);		/* not read yet */
	happens(1, "state", "mixed: neither as before nor as planned", 0, NULL);
	happens(0, "state", "refused: not rolled back", 0, NULL);
	happens(0, "state", "half: committed, but node2 of the same link is neither as before nor as planned", 0, NULL);
	fixing_free(f);
	assert_lets(true, 0);
}

static void a_link_whose_timers_may_run_takes_none(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	/* one end did not answer */
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "unknown: not reached", 0, NULL);
	assert_lets(false, 1);
	/* armed anew, and left; a look says what it is, and not that its timer is gone */
	happens(1, "arm", "lock, and arm the rollback timer", -1, NULL);
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(false, 1);
}

static void a_link_of_which_one_end_was_never_committed_takes_none(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	happens(1, "disarm", "keep", -1, NULL);
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(false, 1);
	/* half without a foreign value is the plan's own business: it finishes it */
	f = begin("P-1", FIXER_FINISH, NULL);
	committed_at_both_ends();
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "half: as before, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_lets(false, 1);
}

static void its_own_plan_may_be_gone_on_with(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "unknown: the session ended before the answer", 0, NULL);
	fixing_free(f);
	fixing_free(begin("P-1", FIXER_UNDO, NULL));
	fixing_free(begin("P-1", FIXER_APPLY, NULL));
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, home_open, home_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(a_plan_that_may_be_armed_is_listed),
		STORY(the_committed_end_of_an_open_link_is_listed),
		STORY(of_half_a_link_the_timer_of_its_open_end_is_listed),
		STORY(a_device_that_was_left_in_doubt_takes_no_other_plan),
		STORY(the_other_end_of_a_link_that_is_open_takes_no_other_plan_either),
		STORY(its_own_plan_may_be_gone_on_with),
		STORY(a_link_that_was_changed_after_its_plan_ended_takes_a_new_one),
		STORY(a_link_whose_timers_may_run_takes_none),
		STORY(a_link_of_which_one_end_was_never_committed_takes_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
