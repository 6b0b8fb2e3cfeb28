/*
 * The fixer against the lab: the order of what is sent, who may keep and take back, and what it does not touch. Locks, timers and
 * rollbacks run in the lab's own shells.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/fixlab.h"

static void a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_REHEARSE, FIXER_DONE);
	assert_state(&s, 0, FIX_PLANNED);
	assert_not_told(&s, "command");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	ASSERT_ORDER(&s, "begin apply\n", "0 arm ", "0 answer ", "0 state armed: rollback in 6", "0 state applying\n",
		     "0 command mlnx_qos -i eth2 --trust dscp (-1)\n", "0 answer mlnx_qos -i eth2 --trust dscp\n", "0 state applied\n",
		     "0 state verifying\n", "0 state verified\n", "0 disarm keep (-1)\n", "0 answer keep\n", "0 state kept", "end done\n");
	assert_state(&s, 0, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_not_told(&s, "command");
	assert_not_told(&s, "arm");
	fixlab_end(&s);
}

static void a_device_that_was_changed_since_is_refused_with_the_difference(void **state)
{
	struct fixlab s;
	struct fix_progress p;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "pfc-extra-prio", "node1", "eth2");
	fixlab_plan(&s, "node1:eth2");
	fixlab_break(&s, "pfc-off-host", "node1", "eth2");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	fixer_progress(s.fixer, 0, &p);
	assert_int_equal(p.state, FIX_REFUSED);
	assert_non_null(strstr(p.words, "stale"));
	assert_non_null(p.diff);
	assert_non_null(strstr(p.diff, "pfc.on[3]"));
	assert_not_told(&s, "arm");
	fixlab_end(&s);
}

static void what_another_has_locked_is_not_touched(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_die_at(&s, "state applying");
	s.plan.id = "P-of-bob";
	s.options.owner = "bob@console2 pid 2";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: locked: test@here pid 1");
	assert_not_told(&s, "command");
	fixlab_end(&s);
}

static void what_waits_is_kept_when_that_is_said(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.options.waits = true;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_is_waiting);
	assert_state(&s, 0, FIX_VERIFIED);
	fixer_keep(s.fixer);
	fixlab_wait(&s, fixlab_has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

static void what_waits_is_taken_back_when_that_is_said_or_when_nothing_is(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.options.waits = true;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_is_waiting);
	fixer_undo(s.fixer);
	fixlab_wait(&s, fixlab_has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	ASSERT_ORDER(&s, "0 state verified", "0 state undoing", "0 disarm undo", "0 state undone", "end rolled back");
	s.options.confirm_us = 24 * SECOND;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_told(&s, "0 state undone: it was not kept in time");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

static void what_was_never_applied_is_neither_rolled_back_nor_kept_nor_committed(void **state)
{
	static const struct {
		enum fixer_goal goal;
		enum fixer_end end;
	} asked[] = { { FIXER_LOOK, FIXER_DONE }, { FIXER_UNDO, FIXER_DONE }, { FIXER_KEEP, FIXER_REFUSED }, { FIXER_FINISH, FIXER_DONE } };
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		fixlab_carry_out(&s, asked[i].goal, asked[i].end);
		assert_state(&s, 0, FIX_BEFORE);
		assert_told(&s, "0 state before: nothing of this plan is there");
		assert_not_told(&s, "command");
	}
	s.options.was_applied = false;
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --trust dscp");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_told(&s, "as planned; no record here or on the device that this plan was applied");
	fixlab_end(&s);
}

static void what_was_kept_is_taken_back_by_a_plan_of_its_own(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	assert_told(&s, "0 command mlnx_qos -i eth2 --trust pcp");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_BEFORE);	/* not "rolled back": that is on record at the plan of the undo */
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_BEFORE);
	assert_not_told(&s, "command");
	fixlab_end(&s);
}

/* "saved" is only reported for what was saved, and no checkpoint is left on the switch. */
static void what_is_kept_and_not_saved_is_said_so_and_leaves_no_checkpoint(void **state)
{
	struct fixlab s;
	const char *text;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	fixlab_plan(&s, "leaf1:Ethernet0");
	s.options.skips_save = true;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	text = lab_tell(&s.lab, "leaf1", "sudo config list-checkpoints");
	if (!strstr(text, "[]"))
		fail_msg("left behind: %s", text);
	s.options.skips_save = false;
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	assert_told(&s, "0 state kept: already committed, saved or not");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	assert_told(&s, "0 command config save -y");
	assert_true(strstr(lab_tell(&s.lab, "leaf1", "sudo config list-checkpoints"), "[]") != NULL);
	fixlab_end(&s);
}

/* The query of lock and timer needs no permit; nor does it on a switch CLI. */
static void who_only_looks_hears_what_is_armed_too(void **state)
{
	static const char *const switches[] = { "sonic", "os10" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct write_permit *permit;
		struct fixlab s;

		fixlab_begin(&s, switches[i]);
		fixlab_break(&s, "mtu-small-switch", "leaf1", i ? "ethernet1/1/1" : "Ethernet0");
		fixlab_plan(&s, i ? "leaf1:ethernet1/1/1" : "leaf1:Ethernet0");
		fixlab_die_at(&s, "state verified");
		permit = s.permit;
		s.permit = NULL;
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_VERIFIED);
		assert_told(&s, "0 state verified: as planned, rollback timer armed");
		s.permit = permit;
		fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
		s.permit = NULL;
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_UNDONE);
		s.permit = permit;
		fixlab_end(&s);
	}
}

/* The inverse plan is armed, too: until it is decided, the device may change once more. */
static void who_dies_while_leading_back_leaves_what_nobody_calls_undone(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.options.confirm_us = 25 * SECOND;
	s.dies_at = "inverse verified";
	s.is_to_die = false;
	fixlab_go(&s, FIXER_UNDO);
	fixlab_wait(&s, fixlab_is_to_die);
	assert_true(s.is_to_die && !s.has_ended);
	fixer_free(s.fixer);
	s.fixer = NULL;
	s.dies_at = NULL;
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_told(&s, "0 state unknown: as before, but its rollback is in progress: test@here pid 1 P-");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_not_told(&s, "0 state undone");
	do {
		fixlab_go(&s, FIXER_LOOK);
		fixlab_wait(&s, fixlab_has_ended);
	} while (fixlab_state(&s, 0) != FIX_KEPT);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

static void what_cannot_be_armed_is_changed_if_that_is_wished_and_taken_back_by_us(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_trap(&s, "no-timer@node1");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: no timer could be started");
	s.options.without_undo = s.options.waits = true;
	fixlab_trap(&s, "no-timer@node1");
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_is_waiting);
	assert_told(&s, "0 state armed: without a timer");
	fixer_undo(s.fixer);
	fixlab_wait(&s, fixlab_has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	assert_told(&s, "0 disarm undo");
	s.options.waits = false;
	fixlab_trap(&s, "no-timer@node1");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

/* A PFC change takes the link down for a moment: our own session must not depend on that port. */
static void the_port_that_our_session_comes_in_by_is_touched_only_when_it_is_named(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_trap(&s, "in-band@node1");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "our own SSH session uses eth2");
	assert_not_told(&s, "command");
	s.options.management = "node2 eth2";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_not_told(&s, "command");
	s.options.management = "node1 eth2";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

static void a_switch_that_is_reached_by_a_data_port_is_changed_only_when_its_ports_are_named(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "mtu-small-switch@leaf1:Ethernet4", NULL, NULL);
	fixlab_plan(&s, "leaf1:Ethernet4");
	fixlab_trap(&s, "in-band@leaf1");		/* by another port, Ethernet0 */
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "our own SSH session comes in by a data port (Ethernet0)");
	assert_not_told(&s, "command");
	s.options.management = "leaf1 Ethernet4";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	fixlab_end(&s);
}

static const char top_lock[] = "readlink $(ls -v /run/fabcon/lock/* | tail -n 1)";

/* The plan has been proved by then: its own line saves, this one looks at the lock and fails. */
static void refuse_to_save(struct fixlab *s)
{
	s->plan.steps[0].save.list[0] = "readlink $(ls -v /run/fabcon/lock/* | tail -n 1) | grep -q '^test@here pid 1|P-' && exit 3; exit 4";
}

static void a_save_that_the_switch_refuses_is_not_called_done_and_the_lock_is_held_until_then(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	fixlab_plan(&s, "leaf1:Ethernet0");
	s.acts_at = "disarm keep";
	s.acts = refuse_to_save;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_UNSAVED);
	assert_null(s.acts);
	assert_state(&s, 0, FIX_KEPT);
	ASSERT_ORDER(&s, "0 state kept", "0 command readlink", "0 disarm release the lock", "0 state kept: committed, but not saved: ",
		     "ended with status 3");	/* 4: the lock was not held */
	assert_string_equal(lab_tell(&s.lab, "leaf1", top_lock), "free\n");
	fixlab_end(&s);
}

/* Every verification would be cut off by the timer: refused with the figure, before anything is sent. */
static void a_timer_that_fires_before_verification_ends_is_refused(void **state)
{
	static const enum fixer_goal goals[] = { FIXER_APPLY, FIXER_REHEARSE };
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.plan.verify_us = 30 * SECOND;
	s.options.confirm_us = 20 * SECOND;
	for (size_t i = 0; i < sizeof(goals) / sizeof(*goals); i++) {
		fixlab_carry_out(&s, goals[i], FIXER_REFUSED);
		assert_told(&s, "0 state refused: the rollback timer of 20 s");
		assert_told(&s, "all must hold for 30 s; at least 3");
		assert_not_told(&s, "arm");
	}
	s.plan.verify_us = SECOND / 2;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	fixlab_end(&s);
}

static void assert_still_saved(const struct fixlab *s, const char *device, const char *was)
{
	char *is = fixlab_saved(s, device);

	assert_string_equal(is, was);
	free(is);
}

/* Saving writes the whole configuration, including changes that others made before apply or before undo. */
static void what_somebody_else_has_not_saved_is_not_saved_by_us(void **state)
{
	struct fixlab s;
	char *saved;

	(void)state;
	fixlab_begin(&s, "os10");
	fixlab_break(&s, "mtu-small-switch@leaf1:ethernet1/1/2", NULL, NULL);
	fixlab_plan(&s, "mtu-fits@leaf1");
	fixlab_break(&s, "config-unsaved@leaf1", NULL, NULL);
	saved = fixlab_saved(&s, "leaf1");
	assert_true(*saved && s.plan.steps[0].save.n);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_told(&s, "0 state kept: it already had unsaved changes");
	assert_still_saved(&s, "leaf1", saved);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_told(&s, "0 state undone: by its undo commands, verified; it already had unsaved changes");
	assert_not_told(&s, "write memory");
	assert_still_saved(&s, "leaf1", saved);
	free(saved);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do),
		cmocka_unit_test(a_device_that_was_changed_since_is_refused_with_the_difference),
		cmocka_unit_test(what_another_has_locked_is_not_touched),
		cmocka_unit_test(what_waits_is_kept_when_that_is_said),
		cmocka_unit_test(what_waits_is_taken_back_when_that_is_said_or_when_nothing_is),
		cmocka_unit_test(what_was_never_applied_is_neither_rolled_back_nor_kept_nor_committed),
		cmocka_unit_test(what_was_kept_is_taken_back_by_a_plan_of_its_own),
		cmocka_unit_test(what_is_kept_and_not_saved_is_said_so_and_leaves_no_checkpoint),
		cmocka_unit_test(who_only_looks_hears_what_is_armed_too),
		cmocka_unit_test(who_dies_while_leading_back_leaves_what_nobody_calls_undone),
		cmocka_unit_test(what_cannot_be_armed_is_changed_if_that_is_wished_and_taken_back_by_us),
		cmocka_unit_test(the_port_that_our_session_comes_in_by_is_touched_only_when_it_is_named),
		cmocka_unit_test(a_switch_that_is_reached_by_a_data_port_is_changed_only_when_its_ports_are_named),
		cmocka_unit_test(a_timer_that_fires_before_verification_ends_is_refused),
		cmocka_unit_test(a_save_that_the_switch_refuses_is_not_called_done_and_the_lock_is_held_until_then),
		cmocka_unit_test(what_somebody_else_has_not_saved_is_not_saved_by_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
