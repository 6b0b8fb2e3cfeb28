/* The end of arming: kept or rolled back and never both, whichever process is killed or hangs (tests/lib/armed.h). */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/armed.h"
#include "tests/lib/say.h"

/* -- deciding -- */

#define DECISIONS	24

static void forget_decision(void)
{
	static const char *const names[] = { "decided", "undone", "log", "runner.1", "runner.2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(at("%s/run/P-1.1/%s", dir, names[i]));
	unlink(at("%s/undone-1", dir));
}

/* Keep, undo and the timer at the same time. */
static void a_step_is_kept_or_taken_back_and_never_both(void **state)
{
	unsigned n_kept = 0;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	ask(SET, &p, ALICE, 0);
	for (unsigned race = 0; race < DECISIONS * arm_times(); race++) {
		struct buf scripts[3] = { { NULL }, { NULL }, { NULL } };
		bool says_kept = false, says_undone = false;
		pid_t pids[3];
		int outs[3];

		device_undo_keep(&p, 0, BY(ALICE), &scripts[race % 3]);
		device_undo_undo(&p, 0, BY(BOB), &scripts[(race + 1) % 3]);
		buf_printf(&scripts[(race + 2) % 3], "/bin/sh /run/fabcon/P-1.1/undo\n");
		for (unsigned i = 0; i < 3; i++) {
			localise(&scripts[i]);
			pids[i] = begin_script(&scripts[i], &outs[i]);
			buf_done(&scripts[i]);
			if (i == 0)	/* in two of three races the first has a start, so that each wins some */
				usleep(race / 3 % 3 * 40000);
		}
		for (unsigned i = 0; i < 3; i++) {
			struct buf said = { NULL };
			struct device_undo_report r;

			end_script(pids[i], outs[i], &said);
			device_undo_read(buf_span(&said), &r);
			says_kept = says_kept || r.is_kept;
			says_undone = says_undone || r.is_undone || r.is_undoing;
			buf_done(&said);
		}
		assert_true(says_kept != says_undone);
		assert_true(is_there("undone-1") == says_undone);
		n_kept += says_kept;
		forget_decision();
	}
	/* A race that one side always wins proves nothing. */
	assert_true(n_kept > 0 && n_kept < DECISIONS * arm_times());
	fix_plan_done(&p);
	device_gone();
}

static unsigned count_steps(void)
{
	DIR *steps = opendir(at("%s/run", dir));
	unsigned n = 0;

	assert_non_null(steps);
	for (struct dirent *e; (e = readdir(steps));)
		n += !strncmp(e->d_name, "P-", 2);
	closedir(steps);
	return n;
}

static void what_is_over_goes_after_a_day_and_of_very_many_after_an_hour(void **state)
{
	struct fix_plan kept, undone, open, last;

	(void)state;
	device();
	kept = PLAN("P-1", "true");
	undone = PLAN("P-2", "true");
	open = PLAN("P-3", "true");
	last = PLAN("P-4", "true");
	ask(SET, &kept, ALICE, 600);
	ask(KEEP, &kept, ALICE, 0);
	ask(SET, &undone, ALICE, 600);
	ask(UNDO, &undone, ALICE, 0);
	mkdir(at("%s/run/P-9.1.new", dir), 0755);	/* left by a shell that was killed */
	uptime_is(1000 + 600 + 86399);
	ask(SET, &open, BOB, 0);
	assert_false(is_there("run/P-9.1.new"));
	assert_true(ask(LOOK, &kept, ALICE, 0).is_kept && ask(LOOK, &undone, ALICE, 0).is_undone);
	uptime_is(1000 + 600 + 86400 + 1800);
	ask(SET, &last, BOB, 0);
	assert_int_equal(count_steps(), 2);
	assert_true(is_there("run/P-3.1/undo"));	/* not decided */
	ask(KEEP, &last, BOB, 0);
	for (unsigned i = 10; i < 110; i++)
		mkdir(at("%s/run/P-%u.1", dir, i), 0755);
	ask(SET, &kept, ALICE, 0);
	assert_true(is_there("run/P-4.1"));
	ask(KEEP, &kept, ALICE, 0);
	uptime_is(1000 + 600 + 86400 + 1800 + 3600);
	ask(SET, &undone, ALICE, 0);
	assert_false(is_there("run/P-4.1"));
	fix_plan_done(&kept);
	fix_plan_done(&undone);
	fix_plan_done(&open);
	fix_plan_done(&last);
	device_gone();
}

/* Shortens the wait of 20 s for a running line to one second. */
static void make_impatient(void)
{
	struct buf text = { NULL };
	size_t n;
	char *was = file_text(at("%s/run/P-1.1/undo", dir), &n);

	buf_add(&text, was, n);
	replace(&text, "-ge 20 ]", "-ge 1 ]");
	put("run/P-1.1/undo", text.text, 0644);
	free(was);
	buf_done(&text);
}

static void a_line_that_hangs_is_ended_with_all_that_it_has_started(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan p;
	pid_t pid;
	int out;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	ask(SET, &p, ALICE, 600);
	make_impatient();
	device_undo_line(&p, 0, BY(ALICE), at("touch %s/running; (sleep 3; touch %s/late); touch %s/later", dir, dir, dir), &script);
	localise(&script);
	pid = begin_script(&script, &out);
	while (!is_there("running"))
		usleep(10000);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone);
	assert_int_not_equal(end_script(pid, out, &said), 0);	/* its output is closed: every process has ended */
	assert_true(is_there("undone-1"));
	assert_false(is_there("late") || is_there("later"));
	buf_done(&script);
	buf_done(&said);
	fix_plan_done(&p);
	device_gone();
}

/* The undo runs longer than its lock was to be held, and the timer has fired: another plan still has to wait. */
static void an_undo_that_runs_holds_the_lock(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan a, b;
	pid_t pid;
	int out;

	(void)state;
	device();
	a = PLAN("P-1", at("touch %s/running; while [ ! -e %s/enough ]; do sleep 0.1; done", dir, dir));
	b = PLAN("P-2", "true");
	ask(SET, &a, ALICE, 600);
	device_undo_undo(&a, 0, BY(ALICE), &script);
	localise(&script);
	pid = begin_script(&script, &out);
	while (!is_there("running"))
		usleep(10000);
	uptime_is(9000);
	assert_true(ask(LOOK, &a, BOB, 0).is_undoing);
	assert_string_equal(ask(SET, &b, BOB, 600).error, "the device is being changed by somebody else");
	put("enough", "", 0644);
	assert_int_equal(end_script(pid, out, &said), 0);
	assert_string_equal(ask(SET, &b, BOB, 0).error, "");
	buf_done(&script);
	buf_done(&said);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

static void undo_waits_for_the_line_that_is_running(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan p;
	char bytes[64] = "";
	pid_t pid;
	FILE *file;
	int out;

	(void)state;
	device();
	p = PLAN("P-1", at("echo undo >>%s/order", dir));
	ask(SET, &p, ALICE, 600);
	device_undo_line(&p, 0, BY(ALICE), at("touch %s/running; sleep 1; echo line >>%s/order", dir, dir), &script);
	localise(&script);
	pid = begin_script(&script, &out);
	while (!is_there("running"))
		usleep(10000);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone);
	assert_int_equal(end_script(pid, out, &said), 0);
	file = fopen(at("%s/order", dir), "r");
	assert_non_null(file);
	assert_true(fread(bytes, 1, sizeof(bytes) - 1, file) > 0);
	fclose(file);
	assert_string_equal(bytes, "line\nundo\n");
	buf_done(&script);
	buf_done(&said);
	fix_plan_done(&p);
	device_gone();
}

/* -- being killed -- */

#define DEADLY	"set -uT\nfc_k=0\ntrap 'fc_k=$((fc_k + 1)); [ $fc_k -lt %u ] || kill -9 $$' DEBUG\n"

/* Kills the first shell whose script contains these words before its k-th command. */
static void make_deadly(struct buf *script, unsigned k)
{
	const char *head = span_find(buf_span(script), "set -u\nunset CDPATH\n");
	struct buf out = { NULL };

	assert_non_null(head);
	buf_add(&out, script->text, head - script->text);
	buf_printf(&out, DEADLY, k);
	buf_str(&out, head + strlen("set -u\n"));
	buf_done(script);
	*script = out;
}

/* False: it ended before that. */
static bool killed_at(enum what what, const struct fix_plan *p, unsigned undo_s, unsigned k)
{
	struct buf script = { NULL }, said = { NULL };
	struct device_undo_report r;

	ask_for(what, p, ALICE, undo_s, &script);
	make_deadly(&script, k);
	say(&script, &said);
	device_undo_read(buf_span(&said), &r);
	buf_done(&said);
	return *r.error;
}

static void killed_anywhere_it_can_be_read_and_ended(void **state)
{
	struct fix_plan p;
	struct device_undo_report r;
	bool was_killed;

	(void)state;
	shell = "/bin/bash";
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	was_killed = true;
	for (unsigned k = 1; was_killed; k += arm_times() > 1 ? 1 : 41) {
		was_killed = killed_at(SET, &p, 0, k);
		r = ask(LOOK, &p, ALICE, 0);
		assert_false(r.is_kept || r.is_undone || r.is_undoing);
		ask(RELEASE, &p, ALICE, 0);
		assert_false(ask(LOOK, &p, ALICE, 0).is_locked);
	}
	was_killed = true;
	for (unsigned k = 1; was_killed; k += arm_times() > 1 ? 1 : 23) {
		ask(SET, &p, ALICE, 0);
		was_killed = killed_at(KEEP, &p, 0, k);
		assert_true(ask(KEEP, &p, ALICE, 0).is_kept);
		assert_false(is_there("undone-1"));
	}
	shell = "/bin/sh";
	fix_plan_done(&p);
	device_gone();
}

/* A console is killed while it arms: a timer is listed that will roll back, or the next plan takes the device at once. */
static void killed_while_it_arms_it_leaves_a_timer_or_a_free_lock(void **state)
{
	struct fix_plan a, b;
	bool was_killed = true;
	unsigned n_timers = 0, n_free = 0;

	(void)state;
	shell = "/bin/bash";
	device();
	a = PLAN("P-1", at("touch %s/undone-1", dir));
	b = PLAN("P-2", "true");
	for (unsigned k = 1; was_killed; k += arm_times() > 1 ? 1 : n_free && !n_timers ? 3 : 23) {
		was_killed = killed_at(SET, &a, 600, k);
		if (ask(LOOK, &a, ALICE, 0).timer != UNDO_BY_NOTHING) {
			assert_true(ask(LOOK, &b, BOB, 0).is_locked);
			ask(UNDO, &a, ALICE, 0);
			n_timers++;
		} else {
			n_free += is_there("run/P-1.1/fires");
			assert_false(ask(LOOK, &b, BOB, 0).is_locked);
			assert_string_equal(ask(SET, &b, BOB, 600).error, "");
			assert_false(is_there("run/P-1.1"));	/* a timer that starts late has nothing to run */
			ask(UNDO, &b, BOB, 0);
		}
	}
	assert_true(n_timers > 1 && n_free > 0);
	shell = "/bin/sh";
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

/* Before the k-th command of the undo script that the timer runs. */
static void make_undo_deadly(unsigned k)
{
	struct buf text = { NULL };
	char bytes[4096];
	FILE *file = fopen(at("%s/run/P-1.1/undo", dir), "r");
	size_t n;

	assert_non_null(file);
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(&text, bytes, n);
	fclose(file);
	make_deadly(&text, k);
	put("run/P-1.1/undo.deadly", text.text, 0644);
	buf_done(&text);
}

static void an_undo_that_was_broken_off_is_finished_by_who_comes_next(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;

	(void)state;
	shell = "/bin/bash";
	device();
	p = PLAN("P-1", "true", at("touch %s/undone-1", dir));
	for (unsigned k = 1;; k += arm_times() > 1 ? 1 : 7) {
		struct buf script = { NULL };

		ask(SET, &p, ALICE, 0);
		make_undo_deadly(k);
		buf_printf(&script, "/bin/sh /run/fabcon/P-1.1/undo.deadly\n");
		say(&script, NULL);
		r = ask(LOOK, &p, ALICE, 0);
		assert_false(r.is_kept);
		if (r.is_undone && !r.is_locked && is_there("undone-1") && k > 60)
			break;
		assert_true(k < 400);
		r = ask(UNDO, &p, ALICE, 0);
		assert_string_equal(r.error, "");
		assert_true(r.is_undone && !r.is_locked && is_there("undone-1"));
		unlink(at("%s/undone-1", dir));
	}
	shell = "/bin/sh";
	fix_plan_done(&p);
	device_gone();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_kept_or_taken_back_and_never_both),
		cmocka_unit_test(undo_waits_for_the_line_that_is_running),
		cmocka_unit_test(what_is_over_goes_after_a_day_and_of_very_many_after_an_hour),
		cmocka_unit_test(a_line_that_hangs_is_ended_with_all_that_it_has_started),
		cmocka_unit_test(an_undo_that_runs_holds_the_lock),
		cmocka_unit_test(killed_anywhere_it_can_be_read_and_ended),
		cmocka_unit_test(killed_while_it_arms_it_leaves_a_timer_or_a_free_lock),
		cmocka_unit_test(an_undo_that_was_broken_off_is_finished_by_who_comes_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
