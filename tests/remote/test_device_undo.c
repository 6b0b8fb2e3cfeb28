/* Arming: what is armed, listed and locked, and which reports are not trusted (tests/lib/armed.h). */
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

/* -- stories -- */

static void what_is_armed_is_listed_and_a_kept_step_stays(void **state)
{
	struct fix_plan p;
	struct device_undo_report r;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	r = ask(LOOK, &p, ALICE, 0);
	assert_false(r.is_locked || r.timer || r.is_kept || r.is_undone);
	assert_false(is_there("run"));
	r = ask(SET, &p, ALICE, 600);
	assert_string_equal(r.error, "");
	assert_true(r.is_locked && r.is_ours);
	assert_int_equal(r.timer, UNDO_BY_SHELL);
	assert_int_equal(r.left_s, 600);
	assert_string_equal(r.holder, ALICE " P-1, rolls back in 600 s");
	r = ask(LOOK, &p, BOB, 0);
	assert_true(r.is_locked && !r.is_ours);
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "");
	assert_true(r.is_kept && !r.is_locked);
	assert_int_equal(r.timer, UNDO_BY_NOTHING);
	r = ask(UNDO, &p, ALICE, 0);
	assert_string_equal(r.error, "too late: it was kept");
	assert_true(r.is_kept);
	assert_false(is_there("undone-1"));
	fix_plan_done(&p);
	device_gone();
}

static void a_timer_takes_back_what_nobody_keeps(void **state)
{
	struct fix_plan p;
	struct device_undo_report r;

	(void)state;
	device();
	p = PLAN("P-1", at("echo one >>%s/order", dir), "false", "echo 'unbalanced", at("echo two >>%s/order", dir));
	r = ask(SET, &p, ALICE, 5);
	assert_int_equal(r.timer, UNDO_BY_SHELL);
	r = wait_undone(&p);
	assert_false(r.is_locked);
	assert_true(is_there("order"));
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "too late: it was rolled back");
	assert_true(r.is_undone && !r.is_kept);
	r = ask(UNDO, &p, ALICE, 0);
	assert_string_equal(r.error, at("lines of undo that failed: 2, see %s/run/P-1.1/log", dir));
	fix_plan_done(&p);
	device_gone();
}

/* The process has ended, reaped or not. */
static bool sleeper_lives(void)
{
	char bytes[64];
	FILE *file = fopen(at("%s/run/P-1.1/sleeper", dir), "r");
	int pid = 0;
	size_t n;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &pid), 1);
	fclose(file);
	file = fopen(at("/proc/%d/cmdline", pid), "r");
	n = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	if (file)
		fclose(file);
	return n > 0;
}

static void undo_now_runs_every_line_in_order(void **state)
{
	struct buf text = { NULL };
	struct fix_plan p;
	struct device_undo_report r;
	char bytes[64] = "";
	FILE *file;

	(void)state;
	device();
	p = PLAN("P-1", at("echo one >>%s/order", dir), at("echo 'it'\"'\"'s two' >>%s/order; cat", dir),
		 at("echo three >>%s/order", dir));
	ask(SET, &p, ALICE, 600);
	assert_true(sleeper_lives());
	r = ask(UNDO, &p, BOB, 0);
	for (time_t give_up = time(NULL) + 30; sleeper_lives(); usleep(20000))
		assert_true(time(NULL) < give_up);
	assert_string_equal(r.error, "");
	assert_true(r.is_undone && !r.is_locked);
	assert_int_equal(r.timer, UNDO_BY_NOTHING);
	file = fopen(at("%s/order", dir), "r");
	assert_non_null(file);
	assert_true(fread(bytes, 1, sizeof(bytes) - 1, file) > 0);
	fclose(file);
	assert_string_equal(bytes, "one\nit's two\nthree\n");
	buf_done(&text);
	fix_plan_done(&p);
	device_gone();
}

/* -- locks -- */

static void a_lock_says_who_has_it_and_a_stale_one_is_taken_over(void **state)
{
	struct fix_plan a, b;
	struct device_undo_report r;

	(void)state;
	device();
	a = PLAN("P-1", "true");
	b = PLAN("P-2", "true");
	ask(SET, &a, ALICE, 600);
	r = ask(SET, &b, BOB, 600);
	assert_string_equal(r.error, "the device is being changed by somebody else");
	assert_true(r.is_locked && !r.is_ours);
	assert_string_equal(r.holder, ALICE " P-1, rolls back in 600 s");
	/* Expired, but its timer is still listed. */
	uptime_is(3000);
	r = ask(SET, &b, BOB, 600);
	assert_true(r.is_locked && !r.is_ours);
	ask(UNDO, &a, ALICE, 0);
	r = ask(SET, &b, BOB, 0);
	assert_true(r.is_ours);
	assert_string_equal(r.error, "");
	/* Expired, with nothing armed. */
	uptime_is(4799);
	assert_true(ask(SET, &a, ALICE, 0).is_locked);
	uptime_is(4800);
	assert_true(ask(SET, &a, ALICE, 0).is_ours);
	/* From an earlier boot. */
	put("boot_id", "99999999-2222-4333-8444-555555555555\n", 0644);
	assert_false(ask(LOOK, &a, ALICE, 0).is_locked);
	assert_true(ask(SET, &b, BOB, 0).is_ours);
	assert_string_equal(ask(RELEASE, &b, BOB, 0).error, "");
	assert_false(ask(LOOK, &b, BOB, 0).is_locked);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

static bool is_held_by(const struct fix_plan *asks, long pid)
{
	unlink(at("%s/run/lock/7", dir));
	assert_int_equal(symlink(at("eve|P-9|1|99999|11111111-2222-4333-8444-555555555555|%ld", pid), at("%s/run/lock/7", dir)), 0);
	return ask(LOOK, asks, BOB, 0).is_locked;
}

/* Before its timer runs, a lock is held by its process alone; afterwards the timer holds it. */
static void a_lock_whose_taker_died_before_it_had_a_timer_is_free(void **state)
{
	struct fix_plan p;
	pid_t gone;

	(void)state;
	device();
	p = PLAN("P-2", "true");
	gone = fork();
	if (!gone)
		_exit(0);
	waitpid(gone, NULL, 0);
	mkdir(at("%s/run", dir), 0755);
	mkdir(at("%s/run/lock", dir), 0755);
	assert_true(is_held_by(&p, getpid()));
	assert_false(is_held_by(&p, gone));
	mkdir(at("%s/run/P-9.1", dir), 0755);
	put("run/P-9.1/lock", "7\n", 0644);
	assert_true(is_held_by(&p, getpid()));
	assert_false(is_held_by(&p, gone));
	put("run/P-9.1/fires", "99000\n", 0644);
	assert_false(is_held_by(&p, gone));	/* that timer was never started */
	put("run/P-9.1/armed", "\n", 0644);
	assert_true(is_held_by(&p, gone));	/* its lines may have run */
	unlink(at("%s/run/P-9.1/armed", dir));
	put("run/P-9.1/fires", "990\n", 0644);	/* due 10 s ago: its undo may be about to decide */
	assert_true(is_held_by(&p, gone));
	put("run/P-9.1/fires", "980\n", 0644);
	assert_false(is_held_by(&p, gone));
	put("run/P-9.1/lock", "6\n", 0644);	/* an earlier run of that step */
	assert_false(is_held_by(&p, gone));
	fix_plan_done(&p);
	device_gone();
}

/* What is being saved is still ours; who was killed over it leaves the lock for five minutes. */
static void the_lock_is_held_while_what_was_kept_is_saved(void **state)
{
	struct fix_plan a = PLAN("P-1", "true"), b = PLAN("P-2", "true");
	struct device_undo_report r;

	(void)state;
	device();
	ask(SET, &a, ALICE, 600);
	r = ask(KEEP_AND_HOLD, &a, ALICE, 0);
	assert_true(r.is_kept && !r.is_locked);	/* for its own plan */
	assert_int_equal(r.timer, UNDO_BY_NOTHING);
	assert_true(ask(LOOK, &b, BOB, 0).is_locked);
	assert_string_equal(ask(SET, &b, BOB, 600).error, "the device is being changed by somebody else");
	assert_false(ask(RELEASE, &a, ALICE, 0).is_locked);
	assert_true(ask(LOOK, &a, ALICE, 0).is_kept);
	assert_string_equal(ask(SET, &b, BOB, 600).error, "");
	ask(UNDO, &b, BOB, 0);
	ask(SET, &a, ALICE, 600);
	ask(KEEP_AND_HOLD, &a, ALICE, 0);
	uptime_is(1299);
	assert_true(ask(LOOK, &b, BOB, 0).is_locked);
	uptime_is(1300);
	assert_false(ask(LOOK, &b, BOB, 0).is_locked);
	assert_true(ask(SET, &b, BOB, 600).is_ours);
	ask(UNDO, &b, BOB, 0);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

/* Says it to nobody: its output is closed. */
static void say_unheard(struct buf *script)
{
	pid_t pid;
	int out;

	localise(script);
	pid = begin_script(script, &out);
	close(out);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	buf_done(script);
}

/* Whoever keeps a step still has its timer and its lock to end: a later run of the same plan waits for that. */
static void while_a_step_is_being_kept_its_lock_is_held(void **state)
{
	struct fix_plan p = PLAN("P-1", "true");

	(void)state;
	device();
	ask(SET, &p, ALICE, 600);
	assert_int_equal(symlink("keep", at("%s/run/P-1.1/decided", dir)), 0);
	assert_false(ask(LOOK, &p, BOB, 0).is_locked);
	assert_int_equal(symlink("1000", at("%s/run/P-1.1/keeper.%d", dir, getpid())), 0);
	assert_true(ask(LOOK, &p, BOB, 0).is_locked);
	assert_string_equal(ask(SET, &p, BOB, 600).error, "the device is being changed by somebody else");
	uptime_is(1060);
	assert_false(ask(LOOK, &p, BOB, 0).is_locked);
	assert_true(ask(KEEP, &p, ALICE, 0).is_kept);
	fix_plan_done(&p);
	device_gone();
}

/* Its console is gone in the middle of it: nobody reads what it prints. */
static void a_step_that_was_cancelled_is_never_called_kept(void **state)
{
	struct fix_plan p = PLAN("P-1", "true");
	struct device_undo_report r;
	struct buf script = { NULL };

	(void)state;
	device();
	ask(SET, &p, ALICE, 600);
	r = ask(CANCEL, &p, ALICE, 0);
	assert_true(r.is_understood && r.is_kept && r.timer == UNDO_BY_NOTHING && !r.is_locked);
	assert_false(is_there("run/P-1.1"));
	ask(SET, &p, ALICE, 600);
	ask_for(CANCEL, &p, ALICE, 0, &script);
	say_unheard(&script);
	r = ask(LOOK, &p, ALICE, 0);
	assert_true(r.is_understood && !r.is_kept && !r.is_locked && r.timer == UNDO_BY_NOTHING);
	ask(SET, &p, ALICE, 600);
	assert_int_equal(symlink("yes", at("%s/run/P-1.1/cancelled", dir)), 0);	/* killed between its mark and the rest, */
	assert_int_equal(symlink("keep", at("%s/run/P-1.1/decided", dir)), 0);
	assert_false(ask(LOOK, &p, ALICE, 0).is_kept);
	assert_string_equal(ask(SET, &p, ALICE, 600).error, "");
	ask(UNDO, &p, ALICE, 0);
	fix_plan_done(&p);
	device_gone();
}

/* a is applied without a timer, and the lock that it was applied under has expired; b is another plan. */
static void outlast_lock(struct fix_plan *a, struct fix_plan *b)
{
	device();
	*a = PLAN("P-1", at("touch %s/undone-1", dir));
	*b = PLAN("P-2", "true");
	ask(SET, a, ALICE, 0);
	uptime_is(1000 + 1800);
}

/* Applied without a timer, its lock expired: to roll it back or to save it takes the lock again, or waits. */
static void what_has_no_timer_takes_the_lock_again(void **state)
{
	struct fix_plan a, b;

	(void)state;
	outlast_lock(&a, &b);
	assert_string_equal(ask(SET, &b, BOB, 600).error, "");
	assert_string_equal(ask(UNDO, &a, ALICE, 0).error, "the device is being changed by somebody else");
	assert_false(is_there("undone-1"));
	ask(UNDO, &b, BOB, 0);
	assert_true(ask(UNDO, &a, ALICE, 0).is_undone && is_there("undone-1"));
	assert_false(ask(LOOK, &a, ALICE, 0).is_locked);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

/* What another plan has committed since may be of the same settings: it is not rolled back with this one. */
static void what_has_no_timer_is_not_rolled_back_over_a_later_commit(void **state)
{
	struct fix_plan a, b;

	(void)state;
	outlast_lock(&a, &b);
	ask(SET, &b, BOB, 600);
	assert_true(ask(KEEP, &b, BOB, 0).is_kept);
	assert_string_equal(ask(UNDO, &a, ALICE, 0).error,
			    "another plan was committed on this device since: make a new plan of the way back (fabcon plan)");
	assert_false(is_there("undone-1"));
	assert_false(ask(LOOK, &a, ALICE, 0).is_locked);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

static void a_file_in_the_place_of_a_lock_is_named_with_what_to_do(void **state)
{
	struct fix_plan p = PLAN("P-1", "true");

	(void)state;
	device();
	put("run", "in the way\n", 0644);
	assert_string_equal(ask(SET, &p, ALICE, 600).error, at("%s/run is not a directory: remove it (rm %s/run)", dir, dir));
	unlink(at("%s/run", dir));
	ask(SET, &p, ALICE, 600);
	ask(UNDO, &p, ALICE, 0);
	put("run/lock/70", "in the way\n", 0644);
	assert_string_equal(ask(LOOK, &p, ALICE, 0).holder, at("%s/run/lock/70 is not a lock of fabcon: remove it (rm %s/run/lock/70)", dir, dir));
	assert_true(ask(SET, &p, ALICE, 600).is_locked);
	unlink(at("%s/run/lock/70", dir));
	assert_string_equal(ask(SET, &p, ALICE, 600).error, "");
	ask(UNDO, &p, ALICE, 0);
	fix_plan_done(&p);
	device_gone();
}

/* A file system without room for one more file, but for those that the step has put aside: ln of the device. */
static void fill_up(void)
{
	put("used", "0\n", 0644);
	put("bin/ln", at("#!/bin/sh\nread -r used <%s/used\nspare=$(ls %s/run/P-1.1/spare.* 2>/dev/null | wc -l)\n"
			 "[ $used -lt $((4 - spare)) ] || exit 1\necho $((used + 1)) >%s/used\nexec /bin/ln \"$@\"\n", dir, dir, dir), 0755);
}

static void on_a_full_device_the_timer_rolls_back_and_keep_is_recorded(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("echo back >>%s/order", dir));
	ask(SET, &p, ALICE, 3);
	fill_up();
	r = wait_undone(&p);
	assert_true(is_there("order"));
	unlink(at("%s/bin/ln", dir));
	ask(RELEASE, &p, ALICE, 0);
	ask(SET, &p, ALICE, 600);
	fill_up();
	r = ask(KEEP, &p, ALICE, 0);
	assert_true(r.is_kept);
	assert_int_equal(r.timer, UNDO_BY_NOTHING);
	fix_plan_done(&p);
	device_gone();
}

#define CONTENDERS	4
#define LOCK_RACES	20

/* Several processes take the lock at once, over each kind of stale lock: exactly one gets it. */
static void of_many_consoles_one_gets_the_lock(void **state)
{
	static const char *const stale[] = { NULL, "free", "eve|P-9|1|99999|another-boot", "eve|P-9|1|5|BOOT" };

	(void)state;
	for (unsigned race = 0; race < LOCK_RACES * arm_times(); race++) {
		struct fix_plan plans[CONTENDERS];
		pid_t pids[CONTENDERS];
		int outs[CONTENDERS];
		unsigned won = 0;
		char text[160];

		device();
		snprintf(text, sizeof(text), "%s", stale[race % 4] ? stale[race % 4] : "");
		if (race % 4 == 3)
			snprintf(text, sizeof(text), "eve|P-9|1|5|11111111-2222-4333-8444-555555555555");
		if (*text) {
			mkdir(at("%s/run", dir), 0755);
			mkdir(at("%s/run/lock", dir), 0755);
			assert_int_equal(symlink(text, at("%s/run/lock/7", dir)), 0);
		}
		for (unsigned i = 0; i < CONTENDERS; i++) {
			struct buf script = { NULL };

			plans[i] = plan_of(at("P-%u", i), (const char *const[]){ "true", NULL });
			device_undo_set(&plans[i], 0, BY(i % 2 ? ALICE : BOB), 0, &script);
			localise(&script);
			pids[i] = begin_script(&script, &outs[i]);
			buf_done(&script);
		}
		for (unsigned i = 0; i < CONTENDERS; i++) {
			struct buf said = { NULL };
			struct device_undo_report r;

			end_script(pids[i], outs[i], &said);
			device_undo_read(buf_span(&said), &r);
			assert_true(r.is_understood);
			assert_true(r.is_ours == !*r.error);
			won += r.is_ours;
			buf_done(&said);
		}
		assert_int_equal(won, 1);
		for (unsigned i = 0; i < CONTENDERS; i++)
			fix_plan_done(&plans[i]);
		device_gone();
	}
}

static void a_line_is_not_begun_without_armed_undo(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	device_undo_line(&p, 0, BY(ALICE), "echo begun", &script);
	assert_int_equal(say(&script, &said), ARM_NOT_BEGUN);
	assert_string_equal(said.text, "fabcon: not begun: nothing is armed here; has the device restarted?\n");
	buf_clear(&said);
	ask(SET, &p, ALICE, 600);
	device_undo_line(&p, 0, BY(ALICE), "cat; echo \"it's\" $((1 + 1)); exit 3", &script);
	assert_int_equal(say(&script, &said), 3);
	assert_string_equal(said.text, "it's 2\n");
	buf_clear(&said);
	ask(UNDO, &p, ALICE, 0);
	device_undo_line(&p, 0, BY(ALICE), "echo begun", &script);
	assert_int_equal(say(&script, &said), ARM_NOT_BEGUN);
	assert_string_equal(said.text, "fabcon: not begun: it is decided already: undo\n");
	buf_done(&said);
	fix_plan_done(&p);
	device_gone();
}

/* -- what can go wrong while arming -- */

static void what_cannot_be_armed_says_why_and_leaves_nothing(void **state)
{
	struct device_undo_report r;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	put("bin/setsid", "#!/bin/sh\nexit 127\n", 0755);
	r = ask(SET, &p, ALICE, 600);
	assert_string_equal(r.error, "no timer could be started: neither systemd-run nor setsid and sleep gave one");
	assert_false(r.is_locked || r.timer);
	r = ask(LOOK, &p, ALICE, 0);
	assert_false(r.is_locked || r.timer || is_there("run/P-1.1"));
	/* A timer that was reported as started but is not listed does not count. */
	put("bin/systemd-run", "#!/bin/sh\necho Running timer as unit: x.timer\n", 0755);
	r = ask(SET, &p, ALICE, 600);
	assert_true(*r.error && !r.timer);
	put("bin/id", "#!/bin/sh\necho 1000\n", 0755);
	put("bin/sudo", "#!/bin/sh\necho 'sudo: a password is required' >&2\nexit 1\n", 0755);
	r = ask(SET, &p, ALICE, 600);
	assert_string_equal(r.error, "this login is not root, and sudo without a password does not allow: /bin/sh -s fabcon");
	put("bin/sudo", "#!/bin/sh\nshift\nexec \"$@\"\n", 0755);
	r = ask(SET, &p, ALICE, 0);
	assert_string_equal(r.error, "");
	ask(RELEASE, &p, ALICE, 0);
	put("run/P-1.1", "in the way\n", 0644);
	unlink(at("%s/run/P-1.1", dir));
	unlink(at("%s/uptime", dir));
	assert_string_equal(ask(LOOK, &p, ALICE, 0).error, "its uptime and boot id cannot be read from /proc");
	fix_plan_done(&p);
	device_gone();
}

static void what_is_not_ours_is_not_believed(void **state)
{
	static const char *const texts[] = {
		"", "fabcon: end\n", "fabcon: begin\nfabcon: decided keep\n", "fabcon: timer systemd 600\nfabcon: end\n",
		"x fabcon: begin\nfabcon: end", "fabcon: begin fabcon: end\n", "\0\0fabcon: begin\n",
	};
	struct device_undo_report r;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		device_undo_read(span_of(texts[i]), &r);
		assert_false(r.is_understood && (r.is_kept || r.is_undone || r.timer || r.is_locked));
	}
	device_undo_read(span_of("fabcon: begin\nfabcon: undone 0\nfabcon: decided keep\nfabcon: end\n"), &r);
	assert_true(r.is_kept && !r.is_undone && !r.is_undoing);
	/* A shell that was killed may have armed the step all the same. */
	device_undo_read(
		span_of("fabcon: begin\nfabcon: lock ours x P-1\nfabcon: begin\nfabcon: error ended\nfabcon: end\n"),
		&r);
	assert_true(!r.is_understood && !strcmp(r.error, "ended"));
	device_undo_read(span_of("MOTD\nfabcon: begin\nfabcon: lock other \x1b[2J\x9b"
				 "eve P-1\nfabcon: timer shell 99999999999999999999\n"
				 "fabcon: port eth0\x07\nfabcon: end\n"),
			 &r);
	assert_true(r.is_understood && r.is_locked && !r.is_ours);
	assert_string_equal(r.holder, "?[2J?eve P-1");
	assert_int_equal(r.left_s, 0);
	assert_string_equal(r.session_port, "eth0?");
}

static void the_way_we_came_is_named_with_what_is_below_it(void **state)
{
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	put("bin/ip", "#!/bin/sh\necho '1: lo    inet 127.0.0.1/8 scope host lo'\n"
	    "echo '7: bond0.40@bond0    inet 10.0.0.17/24 brd 10.0.0.255 scope global bond0.40'\n", 0755);
	unsetenv("SSH_CONNECTION");
	assert_string_equal(ask(LOOK, &p, ALICE, 0).session_port, "");
	setenv("SSH_CONNECTION", "10.0.0.1 50022 ::ffff:10.0.0.17 22", 1);
	assert_string_equal(ask(LOOK, &p, ALICE, 0).session_port, "bond0.40");
	setenv("SSH_CONNECTION", "10.0.0.1 50022 10.0.0.1 22", 1);
	assert_string_equal(ask(LOOK, &p, ALICE, 0).session_port, "");
	setenv("SSH_CONNECTION", "$(reboot) * 10.0.0.17 `x`", 1);
	assert_string_equal(ask(LOOK, &p, ALICE, 0).session_port, "bond0.40");
	unsetenv("SSH_CONNECTION");
	fix_plan_done(&p);
	device_gone();
}

static void other_shells_say_the_same(void **state)
{
	static const char *const shells[] = { "/bin/dash", "/bin/bash" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		if (access(shells[i], X_OK)) {
			print_message("%s is not here\n", shells[i]);
			continue;
		}
		shell = shells[i];
		what_is_armed_is_listed_and_a_kept_step_stays(state);
		a_timer_takes_back_what_nobody_keeps(state);
		a_line_is_not_begun_without_armed_undo(state);
	}
	shell = "/bin/sh";
}

static void files_and_texts_arrive_as_they_are(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan p;
	struct fix_file *file;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	file = GROW(p.steps[0].files, p.steps[0].n_files, p.steps[0].cap_files);
	p.steps[0].n_files++;
	*file = (struct fix_file){ "patch.json", "[ \"$(reboot)\", '`x`', \\\n\"FABCON_END\" ]\nFABCON_END\nFABCON_END_1\n" };
	assert_string_equal(ask(SET, &p, ALICE, 600).error, "");
	device_undo_line(&p, 0, BY(ALICE), at("cat %s/run/P-1.1/patch.json", dir), &script);
	assert_int_equal(say(&script, &said), 0);
	assert_string_equal(said.text, file->text);
	ask(UNDO, &p, ALICE, 0);
	file->name = "../patch";
	assert_true(*ask(SET, &p, ALICE, 600).error);
	assert_false(ask(LOOK, &p, ALICE, 0).is_locked);
	p.id = "$(reboot)";
	device_undo_line(&p, 0, BY(ALICE), "echo begun", &script);
	buf_clear(&said);
	say(&script, &said);
	assert_null(strstr(said.text, "begun"));
	buf_done(&said);
	free(p.steps[0].files);
	p.steps[0].files = NULL;
	p.steps[0].n_files = 0;
	fix_plan_done(&p);
	device_gone();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_armed_is_listed_and_a_kept_step_stays),
		cmocka_unit_test(a_timer_takes_back_what_nobody_keeps),
		cmocka_unit_test(undo_now_runs_every_line_in_order),
		cmocka_unit_test(a_lock_says_who_has_it_and_a_stale_one_is_taken_over),
		cmocka_unit_test(a_lock_whose_taker_died_before_it_had_a_timer_is_free),
		cmocka_unit_test(the_lock_is_held_while_what_was_kept_is_saved),
		cmocka_unit_test(while_a_step_is_being_kept_its_lock_is_held),
		cmocka_unit_test(a_step_that_was_cancelled_is_never_called_kept),
		cmocka_unit_test(what_has_no_timer_takes_the_lock_again),
		cmocka_unit_test(what_has_no_timer_is_not_rolled_back_over_a_later_commit),
		cmocka_unit_test(a_file_in_the_place_of_a_lock_is_named_with_what_to_do),
		cmocka_unit_test(on_a_full_device_the_timer_rolls_back_and_keep_is_recorded),
		cmocka_unit_test(of_many_consoles_one_gets_the_lock),
		cmocka_unit_test(a_line_is_not_begun_without_armed_undo),
		cmocka_unit_test(what_cannot_be_armed_says_why_and_leaves_nothing),
		cmocka_unit_test(what_is_not_ours_is_not_believed),
		cmocka_unit_test(the_way_we_came_is_named_with_what_is_below_it),
		cmocka_unit_test(other_shells_say_the_same),
		cmocka_unit_test(files_and_texts_arrive_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
