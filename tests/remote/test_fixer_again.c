/* What was read is asked again before it counts: by then a device restarted, or another run came and went. */
#include "tests/lib/say.h"

#include <stdlib.h>
#include <unistd.h>

#include "remote/fixer/internal.h"
#include "tests/lib/fixlab.h"

static void restart_leaf1(struct fixlab *s)
{
	fixlab_restart(s, "leaf1", "3000");
}

static void set_node1_back(struct fixlab *s)
{
	lab_tell(&s->lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0");
}

/* leaf1 is committed and saved; while the other end is applied again, it restarts. */
static void an_end_that_was_committed_before_is_asked_again_before_the_other_is(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_told(&s, "0 state nothing to do: already committed by an earlier run");
	assert_state(&s, 1, FIX_KEPT);
	set_node1_back(&s);
	s.acts_at = "state verified";
	s.acts = restart_leaf1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DOUBT);
	assert_null(s.acts);
	assert_not_told(&s, "1 disarm keep");
	assert_told(&s, "0 state unknown: it restarted, or another run was at work on it, since it was read as planned: verify again");
	assert_state(&s, 1, FIX_UNDONE);
	fixlab_end(&s);
}

static void lose_node1(struct fixlab *s)
{
	fixlab_restart(s, "node1", "300000");
}

/* leaf1 is committed; node1 was read as before, and cannot be reached any more when it is to be armed. */
static void an_end_that_is_lost_after_it_was_read_leaves_a_link_that_is_called_half(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(&s);
	s.acts_at = "state nothing to do";
	s.acts = lose_node1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF);
	assert_null(s.acts);
	assert_told(&s, "0 state half: committed, but node1 of the same link is as before");
	assert_told(&s, "1 state half: as before, but leaf1 of the same link is committed; node1: ");
	fixlab_end(&s);
}

static void lose_leaf1(struct fixlab *s)
{
	fixlab_restart(s, "leaf1", "300000");
}

/* node1 cannot be applied again, so that leaf1 is to be rolled back too, and it cannot be reached for that. */
static void an_end_that_is_lost_before_it_is_rolled_back_leaves_a_link_that_is_called_half(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(&s);
	fixlab_trap(&s, "refuse@node1");
	s.acts_at = "inverse apply";
	s.acts = lose_leaf1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF);
	assert_null(s.acts);
	assert_told(&s, "1 state half: as before, but leaf1 of the same link is as planned, and did not report");
	fixlab_end(&s);
}

static void set_fault(struct fixlab *s, const char *verb, const char *fault)
{
	struct run r = LAB_CTL(&s->lab, "fault", verb, fault);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

/* node1's session is gone before its commit comes; leaf1 has answered already, and restarts. */
static void lose_session_and_restart_leaf1(struct fixlab *s)
{
	set_fault(s, "add", "host-unreachable@node1");
	set_fault(s, "clear", "host-unreachable@node1");
	restart_leaf1(s);
}

static void a_commit_that_is_sent_again_asks_the_other_end_again(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(&s);
	s.options.confirm_us = 45 * SECOND;
	s.acts_at = "disarm keep";
	s.acts = lose_session_and_restart_leaf1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DOUBT);
	assert_null(s.acts);
	assert_told(&s, "0 state unknown: it restarted, or another run was at work on it, since it was read as planned: verify again");
	assert_state(&s, 1, FIX_UNDONE);
	fixlab_end(&s);
}

/* fabcon verify --finish, where what was committed was not saved. */
static void what_was_committed_and_is_lost_is_not_finished(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 120 * SECOND;
	fixlab_die_before(&s, "answer keep");
	do {
		fixlab_elapse(&s, "node1");
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF);
	} while (strstr(s.told.text, "1 state verified") || strstr(s.told.text, "rollback timer armed"));
	s.options.confirm_us = 45 * SECOND;
	s.acts_at = "state verified";
	s.acts = restart_leaf1;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DOUBT);
	assert_null(s.acts);
	assert_not_told(&s, "1 disarm keep");
	fixlab_end(&s);
}

/* Both were committed; then the host's end of each was set back by hand. */
static void two_links_are_half(struct fixlab *s)
{
	fixlab_begin(s, "sonic");
	fixlab_break(s, "pfc-wrong-switch@leaf1:Ethernet0", NULL, NULL);
	fixlab_break(s, "pfc-wrong-host@node1:eth2", NULL, NULL);
	fixlab_break(s, "pfc-wrong-switch@leaf1:Ethernet4", NULL, NULL);
	fixlab_break(s, "pfc-wrong-host@node2:eth2", NULL, NULL);
	fixlab_plan(s, NULL);
	assert_int_equal(s->plan.n_units, 2);
	fixlab_carry_out(s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(s);
	lab_tell(&s->lab, "node2", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0");
}

/* The second link is as before at both ends now: nothing there is left to be finished. */
static void set_second_link_back(struct fixlab *s)
{
	const struct fix_step *step = &s->plan.steps[2];
	char *command = NULL;

	for (size_t i = 0; i < step->n_files; i++)
		if (!strcmp(step->files[i].name, "undo.json"))
			command = xasprintf("cat >/tmp/back.json <<'E'\n%s\nE\nconfig apply-patch /tmp/back.json", step->files[i].text);
	assert_non_null(command);
	lab_tell(&s->lab, "leaf1", command);
	free(command);
}

static void a_link_that_is_not_half_any_more_when_its_turn_comes_is_left_alone(void **state)
{
	struct fixlab s;

	(void)state;
	two_links_are_half(&s);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF);
	s.acts_at = "state verified";
	s.acts = set_second_link_back;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_PARTLY);
	assert_null(s.acts);
	assert_state(&s, 1, FIX_KEPT);
	assert_told(&s, "3 state refused: its link was changed by somebody else since it was read: verify again");
	assert_not_told(&s, "3 arm");
	fixlab_end(&s);
}

/* It was kept without a word to bob, whose undo had seen it armed: the link goes back as a whole. */
static void keep_node1_first(struct fixlab *s)
{
	struct buf script = { NULL };

	device_undo_keep(&s->plan, 1, BY(s->options.owner), &script);
	lab_tell(&s->lab, "node1", script.text);
	buf_done(&script);
}

static void an_undo_that_a_keep_overtakes_rolls_both_ends_back(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 120 * SECOND;
	fixlab_die_before(&s, "answer keep");
	s.acts_at = "disarm undo";
	s.acts = keep_node1_first;
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_null(s.acts);
	assert_state(&s, 0, FIX_UNDONE);
	assert_state(&s, 1, FIX_UNDONE);
	fixlab_end(&s);
}

/* node1 is neither as before nor as planned when the turn of its link has come. */
static void set_node1_otherwise(struct fixlab *s)
{
	if (s->fixer->is_due)
		lab_tell(&s->lab, "node1", "mlnx_qos -i eth2 --pfc 0,1,0,0,1,0,0,0");
	else
		s->acts = set_node1_otherwise;
}

static void a_link_that_cannot_be_finished_is_named_when_the_next_one_was(void **state)
{
	struct fixlab s;

	(void)state;
	two_links_are_half(&s);
	s.acts_at = "observed";
	s.acts = set_node1_otherwise;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_HALF);
	assert_null(s.acts);
	assert_state(&s, 0, FIX_HALF);
	assert_state(&s, 3, FIX_KEPT);
	fixlab_end(&s);
}

/* Each link has an inverse plan of its own. */
static void two_links_that_cannot_be_finished_are_both_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	two_links_are_half(&s);
	fixlab_trap(&s, "refuse@node1");
	fixlab_trap(&s, "refuse@node2");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_TAKEN_BACK);
	for (size_t i = 0; i < s.plan.n_steps; i++)
		assert_state(&s, i, FIX_UNDONE);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_end(&s);
}

static void a_link_that_was_rolled_back_is_not_hidden_by_one_that_was_finished(void **state)
{
	struct fixlab s;

	(void)state;
	two_links_are_half(&s);
	fixlab_trap(&s, "refuse@node1");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_PARTLY);
	assert_state(&s, 0, FIX_UNDONE);
	assert_state(&s, 1, FIX_UNDONE);
	assert_state(&s, 3, FIX_KEPT);
	fixlab_end(&s);
}

/* A run of another plan comes and goes: the number of the lock is higher. */
static void another_runs(struct fixlab *s)
{
	lab_tell(&s->lab, "node1", "cd /run/fabcon/lock && n=$(ls | sort -n | tail -n 1) && ln -s free $((n + 1))");
}

static void another_runs_always(struct fixlab *s)
{
	another_runs(s);
	s->acts = another_runs_always;
}

static void what_was_read_while_another_run_was_at_work_is_read_again(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.acts_at = "observed";
	s.acts = another_runs;
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_null(s.acts);
	assert_state(&s, 0, FIX_KEPT);
	s.acts = another_runs_always;
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_told(&s, "0 state unknown: as planned when it was read, but another run was at work on it, or it restarted: verify again");
	s.acts = NULL;
	fixlab_end(&s);
}

static void another_runs_on_leaf1_always(struct fixlab *s)
{
	lab_tell(&s->lab, "leaf1", "cd /run/fabcon/lock && n=$(ls | sort -n | tail -n 1) && ln -s free $((n + 1))");
	s->acts = another_runs_on_leaf1_always;
}

/* leaf1 is committed, and is what node1 waits for: while others come and go there, it is not known to be as it was read. */
static void an_end_that_others_work_on_is_no_ground_to_commit_the_other(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	set_node1_back(&s);
	s.acts_at = "observed";
	s.acts = another_runs_on_leaf1_always;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_has_ended);
	s.acts = NULL;
	assert_not_told(&s, "1 arm");
	/* leaf1 is read several times within one limit: a late machine answers too few of them, which is no commit either. */
	if (lab_is_late() && strstr(s.told.text, "0 state not reached: it did not answer in time")) {
		print_message("skip: what the end is called: the machine was late\n");
		fixlab_end(&s);
		return;
	}
	assert_int_equal(fixer_end(s.fixer), FIXER_HALF);
	assert_told(&s, "0 state refused: as planned when it was read, but each time another run was at work on it");
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_that_was_committed_before_is_asked_again_before_the_other_is),
		cmocka_unit_test(an_end_that_is_lost_after_it_was_read_leaves_a_link_that_is_called_half),
		cmocka_unit_test(an_end_that_is_lost_before_it_is_rolled_back_leaves_a_link_that_is_called_half),
		cmocka_unit_test(a_commit_that_is_sent_again_asks_the_other_end_again),
		cmocka_unit_test(what_was_committed_and_is_lost_is_not_finished),
		cmocka_unit_test(a_link_that_is_not_half_any_more_when_its_turn_comes_is_left_alone),
		cmocka_unit_test(an_undo_that_a_keep_overtakes_rolls_both_ends_back),
		cmocka_unit_test(what_was_read_while_another_run_was_at_work_is_read_again),
		cmocka_unit_test(two_links_that_cannot_be_finished_are_both_rolled_back),
		cmocka_unit_test(a_link_that_was_rolled_back_is_not_hidden_by_one_that_was_finished),
		cmocka_unit_test(a_link_that_cannot_be_finished_is_named_when_the_next_one_was),
		cmocka_unit_test(an_end_that_others_work_on_is_no_ground_to_commit_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
