/*
 * Half a link, left by who died between the two commits: it is named, and whoever comes next ends it, by committing the other end,
 * by applying it again, or by rolling both back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* One end by its own undo, the other by an inverse plan or not at all: the record of a rollback is at the first. */
static void assert_both_are_back(struct fixlab *s)
{
	for (size_t i = 0; i < 2; i++)
		if (!fix_state_is_back(fixlab_state(s, i)))
			fail_msg("step %zu is not back: %s", i, s->told.text);
}

static void wait_for_timer(struct fixlab *s)
{
	do {
		fixlab_elapse(s, "node1");
		fixlab_carry_out(s, FIXER_LOOK, FIXER_HALF);
	} while (strstr(s->told.text, "1 state verified") || strstr(s->told.text, "rollback timer armed"));
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
	assert_state(&s, 0, FIX_SAVED);		/* it was committed, and whoever did so died before it was saved */
	assert_told(&s, "0 command config save -y");
	assert_state(&s, 1, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_told(&s, "0 state kept: as planned; saved (survives reboot)");
	fixlab_end(&s);
}

/* leaf1 has its decision as a keep writes it first; whoever wrote it is dead, and the timer there goes on. */
static void decide_without_stopping_the_timer(struct fixlab *s)
{
	char *decided = xasprintf("%s/nodes/leaf1/run/fabcon/%s.1/decided", s->lab.dir, s->plan.id);

	s->options.waits = true;
	fixlab_die_at(s, "state verified");
	s->options.waits = false;
	assert_int_equal(symlink("keep", decided), 0);
	free(decided);
}

/* That timer rolls back nothing, and the other end's does: what looks prepared at both ends is half a link. */
static void a_commit_counts_though_its_timer_still_runs(void **state)
{
	static const enum fixer_goal next[] = { FIXER_FINISH, FIXER_KEEP };

	(void)state;
	for (size_t i = 0; i < sizeof(next) / sizeof(*next); i++) {
		struct fixlab s;

		fixlab_of_link(&s, "sonic", "Ethernet0");
		s.options.confirm_us = 120 * SECOND;
		decide_without_stopping_the_timer(&s);
		s.options.owner = "test@here pid 2";
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF);
		assert_both(&s, FIX_HALF);
		assert_told(&s, "0 state half: committed, but node1 of the same link is as planned, rollback timer armed");
		assert_told(&s, "1 state half: as planned, rollback timer armed, but leaf1 of the same link is committed; its timer rolls it "
				"back at ");
		fixlab_carry_out(&s, next[i], FIXER_DONE);
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
		assert_both(&s, FIX_UNDONE);
		fixlab_end(&s);
	}
}

/* One device, committed by who died before it was saved: it is named, and saved by whoever comes next, under the lock. */
static void what_was_committed_and_not_saved_is_named_and_saved_by_whoever_comes_next(void **state)
{
	static const enum fixer_goal next[] = { FIXER_FINISH, FIXER_APPLY, FIXER_KEEP };

	(void)state;
	for (size_t i = 0; i < sizeof(next) / sizeof(*next); i++) {
		struct fixlab s;

		fixlab_begin(&s, "sonic");
		fixlab_break(&s, "mtu-small-switch", "leaf1", "Ethernet0");
		fixlab_plan(&s, "leaf1:Ethernet0");
		fixlab_die_before(&s, "command config save");
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_UNSAVED);
		assert_told(&s, "0 state kept: as planned and committed, but the run that committed it ended before it was saved");
		s.options.owner = "bob@there pid 2";
		fixlab_carry_out(&s, next[i], FIXER_DONE);
		ASSERT_ORDER(&s, "0 disarm keep", "0 command config save -y", "0 disarm release the lock", "0 state saved");
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_told(&s, "saved (survives reboot)");
		fixlab_end(&s);
	}
}

/* One end is applied and the other not yet begun: there is nothing to finish, its own timer ends it, and when is told. */
static void what_only_waits_for_its_timer_is_not_told_to_be_finished(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 40 * SECOND;
	fixlab_die_before(&s, "state applied");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF_TIMED);
	assert_both(&s, FIX_HALF);
	assert_told(&s, "0 state half: as planned, rollback timer armed, but node1 of the same link is as before; its timer rolls it back at ");
	assert_told(&s, "1 state half: as before, but leaf1 of the same link is as planned, rollback timer armed");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_HALF_TIMED);
	assert_told(&s, "0 state half: as planned, rollback timer armed, but node1 of the same link is as before; its timer rolls it back at ");
	assert_not_told(&s, "disarm keep");
	do {
		fixlab_go(&s, FIXER_LOOK);
		fixlab_wait(&s, fixlab_has_ended);
	} while (fixlab_state(&s, 0) != FIX_UNDONE);
	assert_int_equal(fixer_end(s.fixer), FIXER_DONE);
	fixlab_end(&s);
}

/* The plan has been proved by then: its own line saves, this one fails. */
static void fail_to_save(struct fixlab *s)
{
	s->plan.steps[0].save.list[0] = "exit 3";
}

/* It stays on record as not saved while no save has succeeded. */
static void a_save_that_fails_stays_to_be_done(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin(&s, "sonic");
	fixlab_break(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	fixlab_plan(&s, "leaf1:Ethernet0");
	fixlab_die_before(&s, "command config save");
	s.acts_at = "disarm keep";
	s.acts = fail_to_save;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_UNSAVED);
	assert_null(s.acts);
	assert_told(&s, "0 state kept: committed, but not saved");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_UNSAVED);
	assert_told(&s, "ended before it was saved");
	fixlab_end(&s);
}

/* Another console, without our audit, with a plan of its own for both ends. */
static void plan_of_another(struct fixlab *s)
{
	char policy[128], path[128];
	struct err err;
	size_t n;
	FILE *out;
	char *text;
	struct run r;

	snprintf(policy, sizeof(policy), "%s/five.policy", s->lab.dir);
	snprintf(path, sizeof(path), "%s/five.json", s->lab.dir);
	out = fopen(policy, "w");
	assert_non_null(out);
	fputs("name five\n* * pfc.on[3] = no\n* * pfc.on[5] = yes\n", out);
	fclose(out);
	r = LAB_FABCON(&s->lab, "plan", "-p", policy, "node1:eth2", "-O", path);
	if (r.code != 0)
		fail_msg("no plan: %d %s %s", r.code, r.out.text, r.err.text);
	run_done(&r);
	text = file_text(path, &n);
	fix_plan_init(&s->plan);
	assert_true(fix_plan_read(&s->plan, (struct span){ text, n }, &err));
	free(text);
	assert_int_equal(s->plan.n_steps, 2);
	s->options.owner = "bob@there pid 2";
}

/* The first end is free, as when it was committed and saved, and the other is held: nothing is begun at the free one. */
static void another_console_begins_at_neither_end_of_an_open_link(void **state)
{
	struct fix_plan ours;
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 120 * SECOND;
	die_between(&s);
	lab_tell(&s.lab, "leaf1", "sudo sh -c 'rm -f /run/fabcon/lock/*'");
	ours = s.plan;
	plan_of_another(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "1 state refused: locked: test@here pid 1 P-");
	assert_not_told(&s, " arm ");
	assert_not_told(&s, "command");
	fix_plan_done(&ours);
	fixlab_end(&s);
}

/* The switch is committed, and the timer of the host has rolled it back. */
static void begin_half(struct fixlab *s, const char *switches, const char *switch_port)
{
	fixlab_of_link(s, switches, switch_port);
	s->options.confirm_us = 120 * SECOND;
	die_between(s);
	wait_for_timer(s);
}

static void where_the_timer_has_fired_the_other_end_is_applied_again(void **state)
{
	struct fixlab s;

	(void)state;
	begin_half(&s, "sonic", "Ethernet0");
	assert_both(&s, FIX_HALF);
	assert_told(&s, "0 state half: committed, but node1 of the same link is as before");
	assert_told(&s, "1 state half: as before, but leaf1 of the same link is committed");
	s.options.confirm_us = 0;
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_end(&s);
}

/* Undo ends what this plan did: the end that somebody set by hand since stays, and so does the other of its link. */
static void an_end_that_somebody_set_again_holds_the_other_where_it_is(void **state)
{
	struct fixlab s;

	(void)state;
	begin_half(&s, "sonic", "Ethernet0");
	for (size_t i = 0; i < s.plan.steps[1].lines.n; i++)
		lab_tell(&s.lab, "node1", s.plan.steps[1].lines.list[i]);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_UNSAVED);
	assert_state(&s, 1, FIX_NOTHING_TO_DO);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_REFUSED);
	assert_both(&s, FIX_REFUSED);
	assert_told(&s, "0 state refused: not rolled back: node1 of the same link was changed since");
	assert_told(&s, "1 state refused: as planned; this plan was rolled back, and it was set again since: make a new plan");
	assert_not_told(&s, " arm ");
	fixlab_end(&s);
}

static void an_apply_that_is_repeated_finishes_the_link_too(void **state)
{
	struct fixlab s;

	(void)state;
	begin_half(&s, "os10", "ethernet1/1/1");
	s.options.confirm_us = 0;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_end(&s);
}

static void begin_without_timers(struct fixlab *s)
{
	fixlab_of_link(s, "sonic", "Ethernet0");
	s->options.without_undo = true;
	fixlab_trap(s, "no-timer@leaf1");
	fixlab_trap(s, "no-timer@node1");
}

/* Nothing ends it by itself, and nobody has committed anything: it is rolled back. */
static void half_a_link_without_timers_is_to_be_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	begin_without_timers(&s);
	fixlab_die_at(&s, "state applied");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF_OPEN);
	assert_told(&s, "0 state half: as planned, and not known to be committed, but node1 of the same link is as before");
	s.options.owner = "test@here pid 2";
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF_OPEN);
	assert_told(&s, "0 state refused: already applied by another run, and not committed (test@here pid 1");
	assert_not_told(&s, "arm ");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_both_are_back(&s);
	fixlab_end(&s);
}

/* One end is committed, and the other is as planned without a timer: an apply leaves that to verify --finish. */
static void half_a_link_without_timers_is_finished_where_one_end_is_committed(void **state)
{
	struct fixlab s;

	(void)state;
	begin_without_timers(&s);
	die_between(&s);
	s.options.owner = "test@here pid 2";
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_HALF);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF);
	assert_told(&s, "0 state half: committed, but node1 of the same link is as planned, and not known to be committed");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DONE);
	assert_state(&s, 1, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_end(&s);
}

static void where_the_other_end_cannot_be_applied_again_both_are_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	begin_half(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 0;
	fixlab_trap(&s, "refuse@node1");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_TAKEN_BACK);
	assert_both(&s, FIX_UNDONE);
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_both_are_back(&s);
	fixlab_end(&s);
}

static void an_end_that_was_changed_by_another_stays_half_and_is_said_so(void **state)
{
	struct fixlab s;

	(void)state;
	begin_half(&s, "sonic", "Ethernet0");
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,0,1,0,0");
	fixlab_carry_out(&s, FIXER_FINISH, FIXER_DOUBT);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_HALF);
	assert_state(&s, 1, FIX_MIXED);
	assert_told(&s, "1 state mixed: neither as before nor as planned: now node1 eth2 pfc.on[4] = no");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_HALF);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_HALF);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_link_is_named_and_whoever_comes_next_commits_the_other_end),
		cmocka_unit_test(a_commit_counts_though_its_timer_still_runs),
		cmocka_unit_test(what_was_committed_and_not_saved_is_named_and_saved_by_whoever_comes_next),
		cmocka_unit_test(what_only_waits_for_its_timer_is_not_told_to_be_finished),
		cmocka_unit_test(a_save_that_fails_stays_to_be_done),
		cmocka_unit_test(another_console_begins_at_neither_end_of_an_open_link),
		cmocka_unit_test(where_the_timer_has_fired_the_other_end_is_applied_again),
		cmocka_unit_test(an_end_that_somebody_set_again_holds_the_other_where_it_is),
		cmocka_unit_test(an_apply_that_is_repeated_finishes_the_link_too),
		cmocka_unit_test(half_a_link_without_timers_is_to_be_rolled_back),
		cmocka_unit_test(half_a_link_without_timers_is_finished_where_one_end_is_committed),
		cmocka_unit_test(where_the_other_end_cannot_be_applied_again_both_are_rolled_back),
		cmocka_unit_test(an_end_that_was_changed_by_another_stays_half_and_is_said_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
