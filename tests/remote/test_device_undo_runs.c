/* Runs of one step, one after another: what one of them still does touches nothing of a later one (tests/lib/armed.h). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/armed.h"
#include "tests/lib/say.h"

static struct device_undo_report tell(struct buf *script)
{
	struct device_undo_report r;
	struct buf said = { NULL };

	say(script, &said);
	device_undo_read(buf_span(&said), &r);
	buf_done(&said);
	return r;
}

/* However late it comes, what an earlier run sends touches nothing of a later one: its timer, its lock and its undo stay. */
static void what_an_earlier_run_sends_late_does_nothing_to_a_later_one(void **state)
{
	static void (*const late[])(const struct fix_plan *, size_t, const struct device_undo_by *, struct buf *) = {
		device_undo_keep, device_undo_keep_and_hold, device_undo_cancel, device_undo_undo, device_undo_release,
	};
	struct device_undo_by earlier = { .owner = ALICE };
	struct device_undo_report r;
	struct buf script = { NULL };
	unsigned long run;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone", dir));
	earlier.run = ask(SET, &p, ALICE, 600).run;
	assert_true(earlier.run > 0 && ask(UNDO, &p, ALICE, 0).is_undone);
	unlink(at("%s/undone", dir));
	run = ask(SET, &p, BOB, 600).run;
	assert_true(run > earlier.run);
	for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++) {
		late[i](&p, 0, &earlier, &script);
		r = tell(&script);
		assert_string_equal(r.error, "another run of this plan has taken its place");
		r = ask(LOOK, &p, BOB, 0);
		assert_true(r.run == run && r.timer == UNDO_BY_SHELL && r.is_ours && !r.is_kept && !r.is_undone && !is_there("undone"));
	}
	device_undo_line(&p, 0, &earlier, "true", &script);
	assert_int_equal(say(&script, NULL), ARM_NOT_BEGUN);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone && is_there("undone"));
	fix_plan_done(&p);
	device_gone();
}

/* What is otherwise then, somebody else has set. */
static void before_its_first_line_an_undo_takes_nothing_back(void **state)
{
	struct buf script = { NULL };
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone", dir));
	ask_for(SET, &p, ALICE, 600, &script);
	assert_int_equal(tell(&script).timer, UNDO_BY_SHELL);
	assert_true(ask(UNDO, &p, ALICE, 0).is_undone && !is_there("undone"));
	ask_for(SET, &p, ALICE, 600, &script);
	assert_int_equal(tell(&script).timer, UNDO_BY_SHELL);
	device_undo_line(&p, 0, BY(ALICE), "false", &script);
	assert_int_equal(say(&script, NULL), 1);
	assert_true(ask(UNDO, &p, ALICE, 0).is_undone && is_there("undone"));
	fix_plan_done(&p);
	device_gone();
}

/* Its timer was killed and its lock has expired; then another plan was committed. */
static void an_undo_that_has_lost_its_timer_runs_over_no_later_commit(void **state)
{
	struct fix_plan p, q;
	size_t n;
	char *sleeper;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone", dir));
	q = PLAN("P-2", "true");
	ask(SET, &p, ALICE, 600);
	sleeper = file_text(at("%s/run/P-1.1/sleeper", dir), &n);
	assert_int_equal(kill((pid_t)-strtol(sleeper, NULL, 10), SIGKILL), 0);
	free(sleeper);
	uptime_is(1000 + 600 + 300 + 1);
	ask(SET, &q, BOB, 600);
	assert_true(ask(KEEP, &q, BOB, 0).is_kept);
	assert_string_equal(ask(UNDO, &p, ALICE, 0).error,
			    "another plan was committed on this device since: make a new plan of the way back (fabcon plan)");
	assert_false(is_there("undone"));
	fix_plan_done(&p);
	fix_plan_done(&q);
	device_gone();
}

/* It was on its way while another run came and went: the device is not as it was when it was asked. */
static void an_arming_that_comes_late_is_refused(void **state)
{
	struct fix_plan p = PLAN("P-1", "true");
	struct device_undo_by by = { .owner = ALICE };
	struct device_undo_report seen, r;
	struct buf script = { NULL };

	(void)state;
	device();
	seen = ask(LOOK, &p, ALICE, 0);
	by.seen = &seen.seen;
	ask(SET, &p, BOB, 600);
	ask(KEEP, &p, BOB, 0);
	device_undo_set(&p, 0, &by, 600, &script);
	r = tell(&script);
	assert_string_equal(r.error, "another run was at work here since the device was asked: run this again");
	assert_true(r.timer == UNDO_BY_NOTHING && !r.is_locked);
	seen = ask(LOOK, &p, ALICE, 0);
	assert_true(seen.is_kept && seen.timer == UNDO_BY_NOTHING);
	by.seen = &seen.seen;
	device_undo_set(&p, 0, &by, 600, &script);
	r = tell(&script);
	assert_true(r.timer == UNDO_BY_SHELL && r.is_ours);
	assert_int_equal(r.run, seen.seen.lock + 1);	/* the next lock */
	ask(UNDO, &p, ALICE, 0);
	fix_plan_done(&p);
	device_gone();
}

static bool waits_for(const char *name)
{
	for (unsigned i = 0; i < 6000 && !is_there(name); i++)
		usleep(10000);
	return is_there(name);
}

/* Two undo scripts of one run; the second waits for the first, and wakes when a later run stands in its place. */
static void an_undo_that_waited_does_not_run_in_a_later_run(void **state)
{
	struct buf scripts[2] = { { NULL }, { NULL } }, said = { NULL };
	struct device_undo_report r;
	struct fix_plan p;
	struct stat st;
	pid_t pids[2];
	int outs[2];

	(void)state;
	device();
	p = PLAN("P-1", at("echo >>%s/runs; while [ ! -e %s/go ]; do sleep 0.05; done", dir, dir));
	ask(SET, &p, ALICE, 600);
	for (size_t i = 0; i < 2; i++) {
		ask_for(UNDO, &p, ALICE, 0, &scripts[i]);
		localise(&scripts[i]);
		pids[i] = begin_script(&scripts[i], &outs[i]);
		assert_true(waits_for("runs"));
	}
	put("go", "", 0644);
	assert_true(waits_for("run/P-1.1/undone"));
	r = ask(SET, &p, BOB, 600);
	while (r.error[0])	/* the first has given its lock a moment later */
		r = ask(SET, &p, BOB, 600);
	for (size_t i = 0; i < 2; i++) {
		end_script(pids[i], outs[i], &said);
		buf_done(&scripts[i]);
	}
	buf_done(&said);
	r = ask(LOOK, &p, BOB, 0);
	assert_true(r.timer == UNDO_BY_SHELL && r.is_ours && !r.is_undone && !r.is_undoing);
	assert_int_equal(stat(at("%s/runs", dir), &st), 0);
	assert_int_equal(st.st_size, 1);	/* once */
	assert_true(ask(UNDO, &p, BOB, 0).is_undone);
	fix_plan_done(&p);
	device_gone();
}

/* Its session was cut while it prepared; the step was undone, and a later run armed: its failure takes nothing away. */
static void an_arming_that_was_overtaken_removes_nothing_of_a_later_run(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct device_undo_report r;
	struct fix_file file;
	struct fix_plan p;
	pid_t pid;
	int out;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	p.steps[0].platform = "sonic";
	file = (struct fix_file){ .name = "patch.json", .text = "[]\n" };
	p.steps[0].files = &file;
	p.steps[0].n_files = 1;
	put("bin/config", at("#!/bin/sh\n[ -e %s/slow ] || exit 0\nrm %s/slow; echo >%s/waits\n"
			     "while [ ! -e %s/go ]; do sleep 0.05; done\nexit 1\n", dir, dir, dir, dir), 0755);
	put("slow", "", 0644);
	ask_for(SET, &p, ALICE, 600, &script);
	localise(&script);
	pid = begin_script(&script, &out);
	assert_true(waits_for("waits"));
	assert_true(ask(UNDO, &p, ALICE, 0).is_undone);
	assert_string_equal(ask(SET, &p, BOB, 600).error, "");
	put("go", "", 0644);
	end_script(pid, out, &said);
	device_undo_read(buf_span(&said), &r);
	assert_true(r.error[0]);
	buf_done(&said);
	buf_done(&script);
	r = ask(LOOK, &p, BOB, 0);
	assert_true(r.timer == UNDO_BY_SHELL && r.is_ours && !r.is_undone);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone);
	p.steps[0].files = NULL;
	p.steps[0].n_files = 0;
	fix_plan_done(&p);
	device_gone();
}

/* A cancel moves its step away, which takes long: nobody arms in its place until it has. */
static void while_a_cancel_clears_up_nobody_arms(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct device_undo_report r;
	struct fix_plan p;
	pid_t pid;
	int out;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	ask(SET, &p, ALICE, 600);
	put("slow", "", 0644);
	put("bin/rm", at("#!/bin/sh\n[ ! -e %s/slow ] || { /bin/rm %s/slow; echo >%s/waits; while [ ! -e %s/go ]; do sleep 0.05; done; }\n"
			 "exec /bin/rm \"$@\"\n", dir, dir, dir, dir), 0755);
	ask_for(CANCEL, &p, ALICE, 0, &script);
	localise(&script);
	pid = begin_script(&script, &out);
	assert_true(waits_for("waits"));
	assert_true(ask(SET, &p, BOB, 600).error[0]);
	put("go", "", 0644);
	end_script(pid, out, &said);
	r = ask(SET, &p, BOB, 600);
	assert_string_equal(r.error, "");
	r = ask(LOOK, &p, BOB, 0);
	assert_true(r.timer == UNDO_BY_SHELL && r.is_ours && is_there("run/P-1.1/undo"));
	ask(UNDO, &p, BOB, 0);
	buf_done(&said);
	buf_done(&script);
	fix_plan_done(&p);
	device_gone();
}

/* Killed for lack of memory, or at the end of the session that armed it. */
static void a_timer_that_was_lost_leaves_a_step_that_is_not_called_free(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;
	char pid[32] = "";
	FILE *file;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone", dir));
	ask(SET, &p, ALICE, 600);
	file = fopen(at("%s/run/P-1.1/sleeper", dir), "r");
	assert_non_null(file);
	assert_non_null(fgets(pid, sizeof(pid), file));
	fclose(file);
	kill(-(pid_t)atol(pid), SIGKILL);
	do {
		r = ask(LOOK, &p, BOB, 0);
	} while (r.timer != UNDO_BY_NOTHING);
	assert_true(r.is_unarmed && r.run && !r.is_kept && !r.is_undone);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone && is_there("undone"));
	assert_false(ask(LOOK, &p, BOB, 0).is_unarmed);
	fix_plan_done(&p);
	device_gone();
}

/* Its session stalled; meanwhile another plan has the lock, and what it changes is not this one's to save. */
static void what_is_saved_late_is_not_what_another_plan_changes(void **state)
{
	struct device_undo_by by = { .owner = ALICE };
	struct buf script = { NULL };
	struct fix_plan p, q;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	q = PLAN("Q-1", "true");
	by.run = ask(SET, &p, ALICE, 600).run;
	device_undo_save(&p, 0, &by, at("touch %s/saved", dir), &script);
	assert_int_equal(say(&script, NULL), ARM_NOT_BEGUN);	/* nothing is kept yet */
	assert_true(ask(KEEP_AND_HOLD, &p, ALICE, 0).is_unsaved);
	device_undo_save(&p, 0, &by, at("touch %s/saved", dir), &script);
	assert_int_equal(say(&script, NULL), 0);
	assert_true(is_there("saved"));
	unlink(at("%s/saved", dir));
	ask(RELEASE, &p, ALICE, 0);
	ask(SET, &q, BOB, 600);
	device_undo_save(&p, 0, &by, at("touch %s/saved", dir), &script);
	assert_int_equal(say(&script, NULL), ARM_NOT_BEGUN);
	assert_false(is_there("saved"));
	ask(UNDO, &q, BOB, 0);
	fix_plan_done(&p);
	fix_plan_done(&q);
	device_gone();
}

/* Neither the decision nor the mark of who runs it could be written: the undo runs all the same, and a keep finds it so. */
static void what_is_taken_back_without_room_to_say_so_cannot_be_kept(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone", dir));
	ask(SET, &p, ALICE, 3);
	put("bin/ln", "#!/bin/sh\nexit 1\n", 0755);
	assert_true(waits_for("undone"));
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "too late: it was rolled back");
	r = ask(LOOK, &p, ALICE, 0);
	assert_true(r.is_undoing && !r.is_kept && !r.is_unarmed);
	fix_plan_done(&p);
	device_gone();
}

/* Decided, begun by a process that is gone, and not ended. */
static void kill_the_undo(void)
{
	assert_int_equal(symlink("undo", at("%s/run/P-1.1/decided", dir)), 0);
	assert_int_equal(symlink("4194303", at("%s/run/P-1.1/runner.1", dir)), 0);	/* more than the process ids that Linux gives by default */
}

static void an_undo_that_was_killed_is_not_waited_for(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;
	char *sleeper;
	size_t n;

	(void)state;
	device();
	p = PLAN("P-1", "true", at("touch %s/undone-1", dir));
	ask(SET, &p, ALICE, 0);
	kill_the_undo();
	r = ask(LOOK, &p, ALICE, 0);
	assert_true(r.is_unarmed && !r.is_undoing && !r.is_undone && !r.is_kept);
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "too late: its rollback was begun, and killed before its end: undo it");
	assert_false(r.is_kept);
	r = ask(UNDO, &p, ALICE, 0);
	assert_string_equal(r.error, "");
	assert_true(r.is_undone && !r.is_locked && is_there("undone-1"));
	r = ask(SET, &p, ALICE, 600);
	assert_string_equal(r.error, "");
	sleeper = file_text(at("%s/run/P-1.1/sleeper", dir), &n);
	assert_int_equal(kill((pid_t)-strtol(sleeper, NULL, 10), SIGKILL), 0);
	free(sleeper);
	kill_the_undo();
	uptime_is(1000 + 600 + 300 + 1);	/* its lock has expired, and the device was read as it is before the step */
	assert_string_equal(ask(SET, &p, ALICE, 600).error, "");
	assert_true(ask(LOOK, &p, ALICE, 0).timer != UNDO_BY_NOTHING);
	assert_true(ask(UNDO, &p, ALICE, 0).is_undone);
	fix_plan_done(&p);
	device_gone();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_its_first_line_an_undo_takes_nothing_back),
		cmocka_unit_test(an_undo_that_has_lost_its_timer_runs_over_no_later_commit),
		cmocka_unit_test(what_an_earlier_run_sends_late_does_nothing_to_a_later_one),
		cmocka_unit_test(an_arming_that_comes_late_is_refused),
		cmocka_unit_test(an_undo_that_waited_does_not_run_in_a_later_run),
		cmocka_unit_test(an_arming_that_was_overtaken_removes_nothing_of_a_later_run),
		cmocka_unit_test(while_a_cancel_clears_up_nobody_arms),
		cmocka_unit_test(a_timer_that_was_lost_leaves_a_step_that_is_not_called_free),
		cmocka_unit_test(what_is_saved_late_is_not_what_another_plan_changes),
		cmocka_unit_test(what_is_taken_back_without_room_to_say_so_cannot_be_kept),
		cmocka_unit_test(an_undo_that_was_killed_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
