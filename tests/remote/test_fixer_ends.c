/*
 * What the end of a run says where it was stopped on its way, and what a run of another console leaves alone: found by an independent
 * reader of the engine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/say.h"

#include "tests/lib/fixlab.h"

static void begin_with_mtu(struct fixlab *s)
{
	fixlab_begin(s, "sonic");
	fixlab_break(s, "mtu-small-switch", "leaf1", "Ethernet0");
	fixlab_plan(s, "leaf1:Ethernet0");
}

static void stop_at(struct fixlab *s, const char *event)
{
	s->stops_at = event;
	s->has_stopped = false;
}

/* The journal fails when the commit is confirmed, and its save is never sent. */
static void what_was_committed_and_could_not_be_saved_is_not_called_saved(void **state)
{
	struct fixlab s;

	(void)state;
	begin_with_mtu(&s);
	stop_at(&s, "state kept");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_UNSAVED);
	assert_state(&s, 0, FIX_KEPT);
	stop_at(&s, "state applied: as planned");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_UNSAVED);
	assert_state(&s, 0, FIX_KEPT);
	stop_at(&s, NULL);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_UNSAVED);
	fixlab_end(&s);
}

static void take_back(struct fixlab *s)
{
	fixer_undo(s->fixer);
}

/* Ctrl-C while verify --finish reads: nothing was rolled back, and it is still not saved. */
static void a_finish_that_is_ended_early_says_what_is_not_saved(void **state)
{
	struct fixlab s;

	(void)state;
	begin_with_mtu(&s);
	fixlab_die_before(&s, "command config save");
	s.acts_at = "observed";
	s.acts = take_back;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_UNSAVED);
	assert_null(s.acts);
	fixlab_end(&s);
}

/* Another console has armed both ends, and has sent no line yet: its timers and locks are its own. */
static void what_another_run_of_the_plan_has_armed_is_not_rolled_back_by_this_one(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 120 * SECOND;
	fixlab_die_before(&s, "command");
	s.options.owner = "bob@there pid 2";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "state refused: another run of this plan has begun there (test@here pid 1");
	assert_not_told(&s, "arm ");
	fixlab_end(&s);
}

/* Somebody's changes were not saved when it was armed: whoever keeps it later has not seen that, and the device has. */
static void a_later_keep_saves_nothing_of_others_either(void **state)
{
	static const char *const systems[] = { "os10", "sonic" };

	(void)state;
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		struct fixlab s;
		char *saved, *after;

		fixlab_begin(&s, systems[i]);
		fixlab_break(&s, i ? "mtu-small-switch@leaf1:Ethernet4" : "mtu-small-switch@leaf1:ethernet1/1/2", NULL, NULL);
		fixlab_plan(&s, "mtu-fits@leaf1");
		fixlab_break(&s, "config-unsaved@leaf1", NULL, NULL);
		saved = fixlab_saved(&s, "leaf1");
		s.options.waits = true;
		s.options.confirm_us = 120 * SECOND;
		fixlab_go(&s, FIXER_APPLY);
		fixlab_wait(&s, fixlab_is_waiting);
		s.options.waits = false;
		fixlab_carry_out(&s, FIXER_KEEP, FIXER_DONE);
		assert_told(&s, "0 state kept: it already had unsaved changes");
		after = fixlab_saved(&s, "leaf1");
		assert_true(*saved);
		assert_string_equal(after, saved);
		free(saved);
		free(after);
		fixlab_end(&s);
	}
}

/* Rolled back, saved by their owner since, and applied again: what the run that was rolled back left on record is not of this one. */
static void what_others_have_saved_since_stands_in_the_way_of_no_save(void **state)
{
	struct fixlab s;
	struct run r;

	(void)state;
	begin_with_mtu(&s);
	fixlab_break(&s, "config-unsaved@leaf1", NULL, NULL);
	s.acts_at = "state verified";
	s.acts = take_back;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_null(s.acts);
	r = LAB_CTL(&s.lab, "fault", "clear", "config-unsaved@leaf1");
	assert_int_equal(r.code, 0);
	run_done(&r);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	fixlab_end(&s);
}

/* The lock of the inverse plan, as another console has it. */
static void lock_for_the_inverse(struct fixlab *s)
{
	char *script = xasprintf("cd /run/fabcon/lock && n=$(ls | sort -n | tail -n 1) && read -r up rest </proc/uptime &&\n"
				 "ln -s \"bob@there|%s-u|1|$((${up%%%%.*} + 300))|$(cat /proc/sys/kernel/random/boot_id)|1\" $((n + 1))",
				 s->plan.id);

	lab_tell(&s->lab, "node1", script);
	free(script);
}

static void what_is_being_taken_back_is_not_called_committed(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	lock_for_the_inverse(&s);
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DOUBT);
	assert_told(&s, "0 state unknown: as planned, but its rollback is in progress: bob@there");
	fixlab_end(&s);
}

static void what_was_set_again_after_a_rollback_is_as_planned_for_all(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.acts_at = "state verified";
	s.acts = take_back;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_null(s.acts);
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --trust dscp");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_told(&s, "as planned; this plan was rolled back, and it was set again since");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_REFUSED);
	assert_state(&s, 0, FIX_REFUSED);
	assert_told(&s, "as planned; this plan was rolled back, and it was set again since: make a new plan");
	assert_not_told(&s, "arm ");
	fixlab_end(&s);
}

/* On a host without mlnx_qos: dcb has done what it reports as failed, and is run again; so is it by the undo on the device. */
static void what_dcb_has_misread_is_run_again(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin_in(&s, "sonic", "no-mlnx-qos@node1");
	fixlab_break(&s, "pfc-wrong-host@node1:eth2", NULL, NULL);
	fixlab_plan(&s, "node1:eth2");
	assert_true(span_starts(span_of(s.plan.steps[0].lines.list[0]), "dcb "));
	fixlab_trap(&s, "misread@node1");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_trap(&s, "misread@node1");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_trap(&s, "misread@node1");
	s.acts_at = "state verified";
	s.acts = take_back;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_null(s.acts);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_committed_and_could_not_be_saved_is_not_called_saved),
		cmocka_unit_test(a_finish_that_is_ended_early_says_what_is_not_saved),
		cmocka_unit_test(what_another_run_of_the_plan_has_armed_is_not_rolled_back_by_this_one),
		cmocka_unit_test(a_later_keep_saves_nothing_of_others_either),
		cmocka_unit_test(what_others_have_saved_since_stands_in_the_way_of_no_save),
		cmocka_unit_test(what_is_being_taken_back_is_not_called_committed),
		cmocka_unit_test(what_was_set_again_after_a_rollback_is_as_planned_for_all),
		cmocka_unit_test(what_dcb_has_misread_is_run_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
