/* The fixer against the lab: every device ends as before or as planned, whenever we die and whatever starts again in between. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/fixlab.h"

static void restart_leaf1(struct fixlab *s)
{
	struct run r = LAB_CTL(&s->lab, "reboot", "leaf1");

	assert_int_equal(r.code, 0);
	run_done(&r);
}

/* The device restarted: reading it again shows whether the saved configuration has the change. */
static void what_starts_again_before_it_has_saved_is_not_called_kept(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin(&s, "os10");
	fixlab_break(&s, "mtu-small-switch", "leaf1", "ethernet1/1/1");
	fixlab_plan(&s, "leaf1:ethernet1/1/1");
	s.acts_at = "command write memory";
	s.acts = restart_leaf1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	ASSERT_ORDER(&s, "0 state kept", "0 state applied: the device has no record of the keep any more",
		     "0 state undone: it was committed, but the device rebooted before it was saved");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	fixlab_end(&s);
}

/* Wherever the journal fails: nothing is sent that is not on disk, and what was begun ends by itself. */
static void a_journal_that_cannot_be_written_ends_in_before_or_after(void **state)
{
	static const struct {
		const char *at;
		enum fixer_end end;
		enum fix_state state;
	} stops[] = {
		{ "begin", FIXER_REFUSED, FIX_REFUSED },
		{ "arm", FIXER_REFUSED, FIX_REFUSED },
		{ "state armed", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "command mlnx_qos", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "answer mlnx_qos", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "state verified", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "disarm keep", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "answer keep", FIXER_DONE, FIX_KEPT },
	};
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		s.has_stopped = false;
		s.stops_at = stops[i].at;
		s.options.confirm_us = (stops[i].end == FIXER_TAKEN_BACK ? 24 : 120) * SECOND;	/* what is taken back is so by its timer */
		fixlab_go(&s, FIXER_APPLY);
		fixlab_wait(&s, fixlab_has_ended);
		if (fixer_end(s.fixer) != stops[i].end || fixlab_state(&s, 0) != stops[i].state)
			fail_msg("journal stops at %s: end %d, state %s", stops[i].at, fixer_end(s.fixer), fix_state_word(fixlab_state(&s, 0)));
	}
	fixlab_end(&s);
}

static void whenever_we_die_the_device_ends_as_it_was_or_as_planned(void **state)
{
	static const char *const at[] = {
		"arm", "answer lock", "state armed", "command mlnx_qos", "answer mlnx_qos", "state verifying", "disarm keep", "answer keep",
	};
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.options.confirm_us = 120 * SECOND;
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		fixlab_die_at(&s, at[i]);
		do {
			fixlab_elapse(&s, "node1");
			fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		} while (!fix_state_is_final(fixlab_state(&s, 0)));
		if (!strstr(at[i], "keep") && !fix_state_is_back(fixlab_state(&s, 0)))
			fail_msg("died at %s: %s", at[i], s.told.text);
		if (!strcmp(at[i], "answer keep"))
			assert_state(&s, 0, FIX_KEPT);
		if (fixlab_state(&s, 0) == FIX_KEPT)	/* keep reached the device before we died */
			fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	}
	fixlab_end(&s);
}

/* A plan's own undo is proved before and after arming: only what is sent in between has the line that takes long. */
static struct {
	const char *honest;
	char *slow;
	const char *then_at;
	void (*then)(struct fixlab *s);
} undo;

static void give_undo_back(struct fixlab *s)
{
	s->plan.steps[0].undo.list[0] = undo.honest;
	s->acts_at = undo.then_at;
	s->acts = undo.then;
}

static void slow_undo_down(struct fixlab *s)
{
	s->plan.steps[0].undo.list[0] = undo.slow;
	s->acts_at = "answer lock, and arm";
	s->acts = give_undo_back;
}

/* before and after: around the undo line; then: as s->acts and s->acts_at from then on. */
static void arm_slow_undo(struct fixlab *s, const char *before, const char *after, const char *then_at, void (*then)(struct fixlab *s))
{
	undo.honest = s->plan.steps[0].undo.list[0];
	undo.slow = xasprintf("%s%s%s", before, undo.honest, after);
	undo.then_at = then_at;
	undo.then = then;
	s->acts_at = "arm ";
	s->acts = slow_undo_down;
}

/* A rollback takes minutes on a switch: reads in between show neither before nor after. */
static void an_undo_that_takes_long_is_waited_for(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	arm_slow_undo(&s, "sleep 9; ", "", NULL, NULL);
	s.options.confirm_us = 24 * SECOND;	/* what a late machine needs */
	s.stops_at = "disarm keep";	/* verified, but keep cannot be sent any more */
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	free(undo.slow);
	fixlab_end(&s);
}

/* Its own record says undo, and it is as planned: nobody calls that committed, whoever asks. */
static void a_rollback_that_failed_is_never_called_committed(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	arm_slow_undo(&s, "exit 3; ", "", NULL, NULL);
	s.options.confirm_us = 24 * SECOND;
	s.stops_at = "disarm keep";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DOUBT);
	assert_state(&s, 0, FIX_MIXED);
	s.stops_at = NULL;
	s.has_stopped = false;
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_told(&s, "0 state mixed: still as planned, although it was rolled back: 1 of its undo commands failed");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DOUBT);
	assert_not_told(&s, "0 state kept");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DOUBT);
	assert_not_told(&s, "0 state kept");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: still as planned, although it was rolled back: 1 of its undo commands failed");
	free(undo.slow);
	fixlab_end(&s);
}

static void assert_undo_has_ended(struct fixlab *s)
{
	const char *text = lab_tell(&s->lab, "node1", "for i in /run/fabcon/P-*; do readlink $i/undone || echo \"runs\"; done");

	if (strcmp(text, "0\n") != 0)
		fail_msg("called undone while its undo %s", text);
}

/* The first line has brought everything back, and others follow. */
static void while_an_undo_runs_nothing_is_called_undone(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	arm_slow_undo(&s, "", "; sleep 7", "state undone", assert_undo_has_ended);
	s.options.confirm_us = 24 * SECOND;	/* what a late machine needs */
	s.stops_at = "disarm keep";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_null(s.acts);
	free(undo.slow);
	fixlab_end(&s);
}

/* One is as before already; what was kept on the other can only be taken back by what is journaled first. */
static void an_undo_that_cannot_be_journaled_is_not_called_done(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "trust-pcp@node1:eth2", NULL, NULL);
	fixlab_break(&s, "trust-pcp@node2:eth2", NULL, NULL);
	fixlab_plan(&s, "trust-as-wanted");
	assert_int_equal(s.plan.n_steps, 2);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	lab_tell(&s.lab, s.plan.steps[0].device, "mlnx_qos -i eth2 --trust pcp");
	s.stops_at = "state before";
	fixlab_go(&s, FIXER_UNDO);
	fixlab_wait(&s, fixlab_has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_PARTLY);
	assert_state(&s, 0, FIX_BEFORE);
	assert_state(&s, 1, FIX_REFUSED);
	fixlab_end(&s);
}

static void what_is_as_planned_but_still_armed_is_not_applied_again_and_may_be_kept(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_die_at(&s, "state verified");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_VERIFIED);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_not_told(&s, "command");
	assert_told(&s, "0 state refused: already applied by another run, and not committed, its rollback timer is armed: keep or undo");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	assert_told(&s, "0 state applied: as planned");
	assert_not_told(&s, "state verified");	/* it was read, and not verified */
	fixlab_end(&s);
}

/* The console died in the middle of an inverse plan: its timer sets the plan again, and then the undo may be run again. */
static void an_undo_that_died_may_be_run_again_when_its_timer_has_ended(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.dies_at = "answer mlnx_qos";
	s.is_to_die = false;
	fixlab_go(&s, FIXER_UNDO);
	fixlab_wait(&s, fixlab_is_to_die);
	assert_told(&s, "inverse applied");
	s.dies_at = NULL;
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_told(&s, "0 state unknown: its rollback is already in progress: test@here");
	fixlab_elapse(&s, "node1");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

static void two_fixers_of_one_process_do_not_meet_on_a_device(void **state)
{
	struct fixlab s, other;

	(void)state;
	fixlab_of_trust(&s);
	s.options.waits = true;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_is_waiting);
	other = s;
	other.fixer = NULL;
	other.told = (struct buf){ 0 };
	other.has_ended = false;
	fixlab_go(&other, FIXER_APPLY);
	fixlab_wait(&other, fixlab_has_ended);
	assert_int_equal(fixer_end(other.fixer), FIXER_REFUSED);
	assert_told(&other, "another plan of this console");
	fixer_free(other.fixer);
	buf_done(&other.told);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_starts_again_before_it_has_saved_is_not_called_kept),
		cmocka_unit_test(a_journal_that_cannot_be_written_ends_in_before_or_after),
		cmocka_unit_test(whenever_we_die_the_device_ends_as_it_was_or_as_planned),
		cmocka_unit_test(an_undo_that_takes_long_is_waited_for),
		cmocka_unit_test(a_rollback_that_failed_is_never_called_committed),
		cmocka_unit_test(while_an_undo_runs_nothing_is_called_undone),
		cmocka_unit_test(an_undo_that_cannot_be_journaled_is_not_called_done),
		cmocka_unit_test(what_is_as_planned_but_still_armed_is_not_applied_again_and_may_be_kept),
		cmocka_unit_test(an_undo_that_died_may_be_run_again_when_its_timer_has_ended),
		cmocka_unit_test(two_fixers_of_one_process_do_not_meet_on_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
