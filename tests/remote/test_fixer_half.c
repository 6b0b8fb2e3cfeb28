/*
 * Half a link, left by who died between the two commits: it is named, and whoever comes next ends it, by committing the other end,
 * by applying it again, or by rolling both back.
 */
#include "tests/lib/say.h"

#include "tests/lib/fixlab.h"

/* leaf1 has its commit, node1 is prepared and has none, and we are dead. */
static void die_between(struct fixlab *s)
{
	fixlab_die_before(s, "answer keep");
}

static void assert_both(const struct fixlab *s, enum fix_state state)
{
	assert_state(s, 0, state);
	assert_state(s, 1, state);
}

static void wait_for_timer(struct fixlab *s)
{
	do {
		fixlab_carry_out(s, FIXER_LOOK, FIXER_HALF);
	} while (strstr(s->told.text, "1 state verified") || strstr(s->told.text, "rollback timer armed"));
}

static void trap(struct fixlab *s, const char *what)
{
	struct run r = LAB_CTL(&s->lab, "trap", what);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

static void half_a_link_is_named_and_whoever_comes_next_commits_the_other_end(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 60 * SECOND;
	die_between(&s);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF);
	assert_both(&s, FIX_HALF);
	assert_told(&s, "0 state half: committed, but node1 of the same link is as planned, rollback timer armed");
	assert_told(&s, "1 state half: as planned, rollback timer armed, but leaf1 of the same link is committed");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_end(&s);
}

static void where_the_timer_has_fired_the_other_end_is_applied_again(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 15 * SECOND;
	die_between(&s);
	wait_for_timer(&s);
	assert_both(&s, FIX_HALF);
	assert_told(&s, "0 state half: committed, but node1 of the same link is as before");
	assert_told(&s, "1 state half: as before, but leaf1 of the same link is committed");
	s.options.confirm_us = 0;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_end(&s);
}

static void an_apply_that_is_repeated_finishes_the_link_too(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "os10", "ethernet1/1/1");
	s.options.confirm_us = 20 * SECOND;
	die_between(&s);
	wait_for_timer(&s);
	s.options.confirm_us = 0;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_end(&s);
}

static void where_the_other_end_cannot_be_applied_again_both_are_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 15 * SECOND;
	die_between(&s);
	wait_for_timer(&s);
	s.options.confirm_us = 0;
	trap(&s, "refuse@node1");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	assert_both(&s, FIX_UNDONE);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_both(&s, FIX_UNDONE);
	fixlab_end(&s);
}

static void an_end_that_was_changed_by_another_stays_half_and_is_said_so(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 15 * SECOND;
	die_between(&s);
	wait_for_timer(&s);
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,0,1,0,0");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DOUBT);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_HALF);
	assert_state(&s, 1, FIX_MIXED);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_HALF);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_link_is_named_and_whoever_comes_next_commits_the_other_end),
		cmocka_unit_test(where_the_timer_has_fired_the_other_end_is_applied_again),
		cmocka_unit_test(an_apply_that_is_repeated_finishes_the_link_too),
		cmocka_unit_test(where_the_other_end_cannot_be_applied_again_both_are_rolled_back),
		cmocka_unit_test(an_end_that_was_changed_by_another_stays_half_and_is_said_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
