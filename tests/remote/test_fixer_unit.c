/*
 * The link is the unit of commit: both ends end in one state, whoever dies between them and whoever comes next. Where they do
 * not, that is what is reported.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/fixlab.h"

/* Both ends of the link of node1 have PFC on priority 4: a plan of two steps in one unit, the switch first. */
static void begin_on(struct fixlab *s, const char *switches, const char *switch_port)
{
	char *fault = xasprintf("pfc-wrong-switch@leaf1:%s", switch_port);

	fixlab_begin(s, switches);
	fixlab_break(s, fault, NULL, NULL);
	fixlab_break(s, "pfc-wrong-host@node1:eth2", NULL, NULL);
	free(fault);
	fixlab_plan(s, NULL);
	assert_int_equal(s->plan.n_units, 1);
	assert_int_equal(s->plan.n_steps, 2);
	assert_string_equal(s->plan.steps[0].device, "leaf1");
}

static void begin(struct fixlab *s)
{
	begin_on(s, "sonic", "Ethernet0");
}

static void stop_sending(struct fixlab *s)
{
	s->has_stopped = true;
}

/* leaf1 has its commit, node1 is prepared and has none, and we are dead. */
static void die_between(struct fixlab *s)
{
	s->acts_at = "answer keep";
	s->acts = stop_sending;
	fixlab_die_at(s, "answer keep");
	s->has_stopped = false;
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

static void no_end_is_committed_before_each_is_prepared(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	ASSERT_ORDER(&s, "0 state verified", "disarm keep");
	ASSERT_ORDER(&s, "1 state verified", "0 disarm keep", "0 answer keep", "0 state kept", "1 disarm keep", "1 answer keep", "1 state kept");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_both(&s, FIX_UNDONE);
	fixlab_end(&s);
}

static void half_a_link_is_named_and_whoever_comes_next_commits_the_other_end(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
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
	begin(&s);
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

/* The same by the apply that a person repeats, on the other switch. */
static void an_apply_that_is_repeated_finishes_the_link_too(void **state)
{
	struct fixlab s;

	(void)state;
	begin_on(&s, "os10", "ethernet1/1/1");
	s.options.confirm_us = 20 * SECOND;
	die_between(&s);
	wait_for_timer(&s);
	s.options.confirm_us = 0;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_end(&s);
}

static void trap(struct fixlab *s, const char *what)
{
	struct run r = LAB_CTL(&s->lab, "trap", what);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

static void where_the_other_end_cannot_be_applied_again_both_are_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
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

/* Somebody else has changed it since: nothing is sent, and the link is still called half. */
static void an_end_that_was_changed_by_another_stays_half_and_is_said_so(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
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

static void reboot_node1(struct fixlab *s, const char *down_ms)
{
	struct run r = LAB_CTL(&s->lab, "reboot", "node1", down_ms);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

/* It comes back before its timer would have fired, without the change. */
static void restart_node1(struct fixlab *s)
{
	reboot_node1(s, "4000");
}

static void while_one_end_cannot_be_reached_the_other_is_not_committed(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
	s.acts_at = "state verified";
	s.acts = restart_node1;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_has_ended);
	assert_not_told(&s, "disarm keep");
	assert_both(&s, FIX_UNDONE);
	fixlab_end(&s);
}

static void an_end_that_cannot_be_reached_is_unknown_while_the_other_is_committed(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	reboot_node1(&s, "300000");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_state(&s, 1, FIX_UNKNOWN);
	assert_told(&s, "leaf1 of the same link is committed");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_not_told(&s, "command");
	assert_told(&s, "0 state refused: not rolled back: the state of node1 of the same link is not known");
	fixlab_end(&s);
}

static void one_end_alone_is_not_kept(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
	s.options.waits = true;
	s.options.confirm_us = 40 * SECOND;
	fixlab_die_at(&s, "state verified");
	s.options.waits = false;
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_HALF);
	assert_not_told(&s, "disarm keep");
	fixlab_end(&s);
}

static void without_any_commit_the_timers_roll_both_ends_back(void **state)
{
	struct fixlab s;

	(void)state;
	begin(&s);
	s.options.confirm_us = 15 * SECOND;
	s.acts_at = "disarm keep";
	s.acts = stop_sending;
	fixlab_die_at(&s, "disarm keep");
	s.has_stopped = false;
	do {
		fixlab_go(&s, FIXER_LOOK);
		fixlab_wait(&s, fixlab_has_ended);
	} while (fixlab_state(&s, 0) != FIX_UNDONE || fixlab_state(&s, 1) != FIX_UNDONE);
	assert_int_equal(fixer_end(s.fixer), FIXER_DONE);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_end_is_committed_before_each_is_prepared),
		cmocka_unit_test(half_a_link_is_named_and_whoever_comes_next_commits_the_other_end),
		cmocka_unit_test(where_the_timer_has_fired_the_other_end_is_applied_again),
		cmocka_unit_test(an_apply_that_is_repeated_finishes_the_link_too),
		cmocka_unit_test(where_the_other_end_cannot_be_applied_again_both_are_rolled_back),
		cmocka_unit_test(an_end_that_was_changed_by_another_stays_half_and_is_said_so),
		cmocka_unit_test(while_one_end_cannot_be_reached_the_other_is_not_committed),
		cmocka_unit_test(an_end_that_cannot_be_reached_is_unknown_while_the_other_is_committed),
		cmocka_unit_test(one_end_alone_is_not_kept),
		cmocka_unit_test(without_any_commit_the_timers_roll_both_ends_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
