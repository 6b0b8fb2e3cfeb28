/*
 * What arming says to a device's shell, said to the shells of this machine. The device's /run, uptime and boot id are files
 * of a directory of the test's own, and so is its systemd: two scripts that the test believes or not.
 */
#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/fix_plan.h"
#include "remote/arm.h"
#include "tests/lib/say.h"

#define ALICE	"alice@console1 pid 4711"
#define BOB	"bob@console2 pid 12"

static char dir[64];
static const char *shell = "/bin/sh";

/* ---- a device ---- */

static void put(const char *name, const char *text, mode_t mode)
{
	char path[160];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

static bool is_there(const char *name)
{
	struct stat st;
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return lstat(path, &st) == 0;
}

static void uptime_is(unsigned s)
{
	char text[64];

	snprintf(text, sizeof(text), "%u.52 99.10\n", s);
	put("uptime", text, 0644);
}

static void device(void)
{
	char path[96];

	snprintf(dir, sizeof(dir), "/tmp/fabcon-arm.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/bin", dir);
	mkdir(path, 0755);
	uptime_is(1000);
	put("boot_id", "11111111-2222-4333-8444-555555555555\n", 0644);
	put("bin/id", "#!/bin/sh\necho 0\n", 0755);
	put("bin/systemctl", "#!/bin/sh\necho inactive\nexit 3\n", 0755);
	put("bin/systemd-run", "#!/bin/sh\nexit 127\n", 0755);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static void device_gone(void)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void replace(struct buf *text, const char *what, const char *by)
{
	struct buf out = { NULL };
	struct span rest = buf_span(text);
	const char *at;

	while (rest.n && (at = span_find(rest, what)) != NULL) {
		buf_add(&out, rest.p, at - rest.p);
		buf_str(&out, by);
		rest = (struct span){ at + strlen(what), rest.n - (at - rest.p) - strlen(what) };
	}
	buf_add(&out, rest.p, rest.n);
	buf_done(text);
	*text = out;
}

/* The device's own files in the place of this machine's, and the shell that is tried. */
static void localise(struct buf *script)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/run", dir);
	replace(script, "/run/fabcon", path);
	snprintf(path, sizeof(path), "%s/uptime", dir);
	replace(script, "/proc/uptime", path);
	snprintf(path, sizeof(path), "%s/boot_id", dir);
	replace(script, "/proc/sys/kernel/random/boot_id", path);
	if (strcmp(shell, "/bin/sh"))
		replace(script, "/bin/sh", shell);
}

static pid_t begin_script(struct buf *script, int *out)
{
	char path[200], name[160];
	int pipes[2], file;
	pid_t pid;

	snprintf(name, sizeof(name), "%s/script.XXXXXX", dir);
	file = mkstemp(name);
	assert_true(file >= 0 && write(file, script->text, script->n) == (ssize_t)script->n);
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	unlink(name);
	assert_int_equal(pipe(pipes), 0);
	snprintf(path, sizeof(path), "%s/bin:/usr/sbin:/usr/bin:/sbin:/bin", dir);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		dup2(file, 0);
		dup2(pipes[1], 1);
		dup2(pipes[1], 2);
		close(pipes[0]);
		close(pipes[1]);
		close(file);
		setenv("PATH", path, 1);
		execlp(shell, shell, "-s", (char *)NULL);
		_exit(127);
	}
	close(file);
	close(pipes[1]);
	*out = pipes[0];
	return pid;
}

static int end_script(pid_t pid, int out, struct buf *said)
{
	char bytes[4096];
	ssize_t n;
	int status;

	while ((n = read(out, bytes, sizeof(bytes))) > 0)
		buf_add(said, bytes, n);
	close(out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Says the script, which is used up; the status, and (said not NULL) what it printed. */
static int say(struct buf *script, struct buf *said)
{
	struct buf mine = { NULL };
	pid_t pid;
	int out, status;

	localise(script);
	pid = begin_script(script, &out);
	status = end_script(pid, out, said ? said : &mine);
	buf_done(&mine);
	buf_done(script);
	return status;
}

/* ---- a plan ---- */

static struct fix_plan plan_of(const char *id, const char *const *undo)
{
	struct fix_plan p;
	struct fix_step *s;

	fix_plan_init(&p);
	p.id = id;
	s = GROW(p.steps, p.n_steps, p.cap_steps);
	p.n_steps++;
	s->device = "node1";
	s->platform = "linux";
	for (; *undo; undo++) {
		const char **line = GROW(s->undo.list, s->undo.n, s->undo.cap);

		*line = arena_text(&p.arena, *undo, strlen(*undo));
		s->undo.n++;
	}
	return p;
}
#define PLAN(id, ...) plan_of(id, (const char *const[]){ __VA_ARGS__, NULL })

static const char *at(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *at(const char *format, ...)
{
	static char texts[8][300];
	static unsigned which;
	char *text = texts[which++ % 8];
	va_list args;

	va_start(args, format);
	vsnprintf(text, 300, format, args);
	va_end(args);
	return text;
}

enum what { LOOK, SET, KEEP, UNDO, RELEASE };

static void ask_for(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s, struct buf *script)
{
	switch (what) {
	case LOOK:	arm_look(p, 0, owner, script); break;
	case SET:	arm_set(p, 0, owner, undo_s, script); break;
	case KEEP:	arm_keep(p, 0, owner, script); break;
	case UNDO:	arm_undo(p, 0, owner, script); break;
	case RELEASE:	arm_release(p, 0, owner, script); break;
	}
}

static struct arm_report ask(enum what what, const struct fix_plan *p, const char *owner, unsigned undo_s)
{
	struct buf script = { NULL }, said = { NULL };
	struct arm_report r;

	ask_for(what, p, owner, undo_s, &script);
	say(&script, &said);
	arm_read(buf_span(&said), &r);
	if (!r.is_understood)
		fail_msg("not understood: %s", said.text ? said.text : "(nothing)");
	assert_false(r.is_kept && r.is_undone);
	buf_done(&said);
	return r;
}

/* Looks until the step is taken back. */
static struct arm_report wait_undone(const struct fix_plan *p)
{
	time_t give_up = time(NULL) + 30;
	struct arm_report r;

	do {
		usleep(50000);
		r = ask(LOOK, p, ALICE, 0);
	} while (!r.is_undone && time(NULL) < give_up);
	assert_true(r.is_undone);
	return r;
}

/* ---- stories ---- */

static void what_is_armed_is_listed_and_a_kept_step_stays(void **state)
{
	struct fix_plan p;
	struct arm_report r;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	r = ask(LOOK, &p, ALICE, 0);
	assert_false(r.is_locked || r.timer || r.is_kept || r.is_undone);
	assert_false(is_there("run"));
	r = ask(SET, &p, ALICE, 600);
	assert_string_equal(r.error, "");
	assert_true(r.is_locked && r.is_ours);
	assert_int_equal(r.timer, ARM_BY_SHELL);
	assert_int_equal(r.left_s, 600);
	assert_string_equal(r.holder, ALICE " P-1, 900 s left");
	r = ask(LOOK, &p, BOB, 0);
	assert_true(r.is_locked && !r.is_ours);
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "");
	assert_true(r.is_kept && !r.is_locked);
	assert_int_equal(r.timer, ARM_BY_NOTHING);
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
	struct arm_report r;

	(void)state;
	device();
	p = PLAN("P-1", at("echo one >>%s/order", dir), "false", "echo 'unbalanced", at("echo two >>%s/order", dir));
	r = ask(SET, &p, ALICE, 1);
	assert_int_equal(r.timer, ARM_BY_SHELL);
	r = wait_undone(&p);
	assert_false(r.is_locked);
	assert_true(is_there("order"));
	r = ask(KEEP, &p, ALICE, 0);
	assert_string_equal(r.error, "too late: it was taken back");
	assert_true(r.is_undone && !r.is_kept);
	r = ask(UNDO, &p, ALICE, 0);
	assert_string_equal(r.error, at("lines of undo that failed: 2, see %s/run/P-1.1/log", dir));
	fix_plan_done(&p);
	device_gone();
}

/* Ended, whether somebody has taken leave of it or not. */
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
	struct arm_report r;
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
	assert_int_equal(r.timer, ARM_BY_NOTHING);
	file = fopen(at("%s/order", dir), "r");
	assert_non_null(file);
	assert_true(fread(bytes, 1, sizeof(bytes) - 1, file) > 0);
	fclose(file);
	assert_string_equal(bytes, "one\nit's two\nthree\n");
	buf_done(&text);
	fix_plan_done(&p);
	device_gone();
}

/* ---- locks ---- */

static void a_lock_says_who_has_it_and_a_stale_one_is_taken_over(void **state)
{
	struct fix_plan a, b;
	struct arm_report r;

	(void)state;
	device();
	a = PLAN("P-1", "true");
	b = PLAN("P-2", "true");
	ask(SET, &a, ALICE, 600);
	r = ask(SET, &b, BOB, 600);
	assert_string_equal(r.error, "the device is being changed by somebody else");
	assert_true(r.is_locked && !r.is_ours);
	assert_string_equal(r.holder, ALICE " P-1, 900 s left");
	/* Its time is over, but its timer is still listed. */
	uptime_is(3000);
	r = ask(SET, &b, BOB, 600);
	assert_true(r.is_locked && !r.is_ours);
	ask(UNDO, &a, ALICE, 0);
	r = ask(SET, &b, BOB, 0);
	assert_true(r.is_ours);
	assert_string_equal(r.error, "");
	/* Nothing is armed, and its time is over. */
	uptime_is(4799);
	assert_true(ask(SET, &a, ALICE, 0).is_locked);
	uptime_is(4800);
	assert_true(ask(SET, &a, ALICE, 0).is_ours);
	/* The device has started again. */
	put("boot_id", "99999999-2222-4333-8444-555555555555\n", 0644);
	assert_false(ask(LOOK, &a, ALICE, 0).is_locked);
	assert_true(ask(SET, &b, BOB, 0).is_ours);
	assert_string_equal(ask(RELEASE, &b, BOB, 0).error, "");
	assert_false(ask(LOOK, &b, BOB, 0).is_locked);
	fix_plan_done(&a);
	fix_plan_done(&b);
	device_gone();
}

#define CONTENDERS	4
#define LOCK_RACES	20

/* FABCON_TIMES=10: ten times as many races, and every place to be killed at. */
static unsigned times(void)
{
	const char *text = getenv("FABCON_TIMES");
	unsigned long n = text ? strtoul(text, NULL, 10) : 1;

	return n ? n : 1;
}

/* All begin at once: a lock of each kind of staleness lies there, and one has it afterwards. */
static void of_many_consoles_one_gets_the_lock(void **state)
{
	static const char *const stale[] = { NULL, "free", "eve|P-9|1|99999|another-boot", "eve|P-9|1|5|BOOT" };

	(void)state;
	for (unsigned race = 0; race < LOCK_RACES * times(); race++) {
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
			arm_set(&plans[i], 0, i % 2 ? ALICE : BOB, 0, &script);
			localise(&script);
			pids[i] = begin_script(&script, &outs[i]);
			buf_done(&script);
		}
		for (unsigned i = 0; i < CONTENDERS; i++) {
			struct buf said = { NULL };
			struct arm_report r;

			end_script(pids[i], outs[i], &said);
			arm_read(buf_span(&said), &r);
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

/* ---- deciding ---- */

#define DECISIONS	50

static void forget_decision(void)
{
	static const char *const names[] = { "decided", "undone", "log", "runner.1", "runner.2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(at("%s/run/P-1.1/%s", dir, names[i]));
	unlink(at("%s/undone-1", dir));
}

/* The keeper, a person who takes it back, and the timer, all at once. */
static void a_step_is_kept_or_taken_back_and_never_both(void **state)
{
	unsigned n_kept = 0;
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	ask(SET, &p, ALICE, 0);
	for (unsigned race = 0; race < DECISIONS * times(); race++) {
		struct buf scripts[3] = { { NULL }, { NULL }, { NULL } };
		bool says_kept = false, says_undone = false;
		pid_t pids[3];
		int outs[3];

		arm_keep(&p, 0, ALICE, &scripts[race % 3]);
		arm_undo(&p, 0, BOB, &scripts[(race + 1) % 3]);
		buf_printf(&scripts[(race + 2) % 3], "/bin/sh /run/fabcon/P-1.1/undo\n");
		for (unsigned i = 0; i < 3; i++) {
			localise(&scripts[i]);
			pids[i] = begin_script(&scripts[i], &outs[i]);
			buf_done(&scripts[i]);
		}
		for (unsigned i = 0; i < 3; i++) {
			struct buf said = { NULL };
			struct arm_report r;

			end_script(pids[i], outs[i], &said);
			arm_read(buf_span(&said), &r);
			says_kept = says_kept || r.is_kept;
			says_undone = says_undone || r.is_undone || r.is_undoing;
			buf_done(&said);
		}
		assert_true(says_kept != says_undone);
		assert_true(is_there("undone-1") == says_undone);
		n_kept += says_kept;
		forget_decision();
	}
	/* A race that always the same one wins would show nothing. */
	assert_true(n_kept > 0 && n_kept < DECISIONS * times());
	fix_plan_done(&p);
	device_gone();
}

static void a_line_is_not_begun_without_armed_undo(void **state)
{
	struct buf script = { NULL }, said = { NULL };
	struct fix_plan p;

	(void)state;
	device();
	p = PLAN("P-1", "true");
	arm_line(&p, 0, "echo begun", &script);
	assert_int_equal(say(&script, &said), ARM_NOT_BEGUN);
	assert_string_equal(said.text, "fabcon: not begun: nothing is armed here; has the device restarted?\n");
	buf_clear(&said);
	ask(SET, &p, ALICE, 600);
	arm_line(&p, 0, "cat; echo \"it's\" $((1 + 1)); exit 3", &script);
	assert_int_equal(say(&script, &said), 3);
	assert_string_equal(said.text, "it's 2\n");
	buf_clear(&said);
	ask(UNDO, &p, ALICE, 0);
	arm_line(&p, 0, "echo begun", &script);
	assert_int_equal(say(&script, &said), ARM_NOT_BEGUN);
	assert_string_equal(said.text, "fabcon: not begun: it is decided already: undo\n");
	buf_done(&said);
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
	mkdir(at("%s/run/P-9.1.new", dir), 0755);	/* of a shell that was ended */
	uptime_is(1000 + 600 + 86399);
	ask(SET, &open, BOB, 0);
	assert_false(is_there("run/P-9.1.new"));
	assert_true(ask(LOOK, &kept, ALICE, 0).is_kept && ask(LOOK, &undone, ALICE, 0).is_undone);
	uptime_is(1000 + 600 + 86400 + 1800);
	ask(SET, &last, BOB, 0);
	assert_int_equal(count_steps(), 2);
	assert_true(is_there("run/P-3.1/undo"));	/* nobody has decided it */
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

/* 20 s are a second here. */
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
	arm_line(&p, 0, at("touch %s/running; (sleep 3; touch %s/late); touch %s/later", dir, dir, dir), &script);
	localise(&script);
	pid = begin_script(&script, &out);
	while (!is_there("running"))
		usleep(10000);
	assert_true(ask(UNDO, &p, BOB, 0).is_undone);
	assert_int_not_equal(end_script(pid, out, &said), 0);	/* nobody has its output any more: all have ended */
	assert_true(is_there("undone-1"));
	assert_false(is_there("late") || is_there("later"));
	buf_done(&script);
	buf_done(&said);
	fix_plan_done(&p);
	device_gone();
}

/* Longer than its lock was to hold, and its timer has fired: another still has to wait. */
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
	arm_undo(&a, 0, ALICE, &script);
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
	arm_line(&p, 0, at("touch %s/running; sleep 1; echo line >>%s/order", dir, dir), &script);
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

/* ---- what can go wrong while arming ---- */

static void what_cannot_be_armed_says_why_and_leaves_nothing(void **state)
{
	struct arm_report r;
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
	/* A timer that is said to be started and is not listed is none. */
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
	struct arm_report r;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		arm_read(span_of(texts[i]), &r);
		assert_false(r.is_understood && (r.is_kept || r.is_undone || r.timer || r.is_locked));
	}
	arm_read(span_of("fabcon: begin\nfabcon: undone 0\nfabcon: decided keep\nfabcon: end\n"), &r);
	assert_true(r.is_kept && !r.is_undone && !r.is_undoing);
	/* One whose shell was ended may have armed it all the same. */
	arm_read(span_of("fabcon: begin\nfabcon: lock ours x P-1\nfabcon: begin\nfabcon: error ended\nfabcon: end\n"), &r);
	assert_true(!r.is_understood && !strcmp(r.error, "ended"));
	arm_read(span_of("MOTD\nfabcon: begin\nfabcon: lock other \x1b[2J\x9b" "eve P-1\nfabcon: timer shell 99999999999999999999\n"
			 "fabcon: port eth0\x07\nfabcon: end\n"), &r);
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

/* ---- being killed ---- */

#define DEADLY	"set -uT\nfc_k=0\ntrap 'fc_k=$((fc_k + 1)); [ $fc_k -lt %u ] || kill -9 $$' DEBUG\n"

/* The first shell that says these words is killed before its k-th command. */
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

/* False: it came to its end all the same. */
static bool killed_at(enum what what, const struct fix_plan *p, unsigned k)
{
	struct buf script = { NULL }, said = { NULL };
	struct arm_report r;

	ask_for(what, p, ALICE, 0, &script);
	make_deadly(&script, k);
	say(&script, &said);
	arm_read(buf_span(&said), &r);
	buf_done(&said);
	return *r.error;
}

static void killed_anywhere_it_can_be_read_and_ended(void **state)
{
	struct fix_plan p;
	struct arm_report r;
	bool was_killed;

	(void)state;
	shell = "/bin/bash";
	device();
	p = PLAN("P-1", at("touch %s/undone-1", dir));
	was_killed = true;
	for (unsigned k = 1; was_killed; k += times() > 1 ? 1 : 23) {
		was_killed = killed_at(SET, &p, k);
		r = ask(LOOK, &p, ALICE, 0);
		assert_false(r.is_kept || r.is_undone || r.is_undoing);
		ask(RELEASE, &p, ALICE, 0);
		assert_false(ask(LOOK, &p, ALICE, 0).is_locked);
	}
	was_killed = true;
	for (unsigned k = 1; was_killed; k += times() > 1 ? 1 : 11) {
		ask(SET, &p, ALICE, 0);
		was_killed = killed_at(KEEP, &p, k);
		assert_true(ask(KEEP, &p, ALICE, 0).is_kept);
		assert_false(is_there("undone-1"));
	}
	shell = "/bin/sh";
	fix_plan_done(&p);
	device_gone();
}

/* The k-th command of the file that the timer runs. */
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
	struct arm_report r;
	struct fix_plan p;

	(void)state;
	shell = "/bin/bash";
	device();
	p = PLAN("P-1", "true", at("touch %s/undone-1", dir));
	for (unsigned k = 1;; k += times() > 1 ? 1 : 7) {
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
	arm_line(&p, 0, at("cat %s/run/P-1.1/patch.json", dir), &script);
	assert_int_equal(say(&script, &said), 0);
	assert_string_equal(said.text, file->text);
	ask(UNDO, &p, ALICE, 0);
	file->name = "../patch";
	assert_true(*ask(SET, &p, ALICE, 600).error);
	assert_false(ask(LOOK, &p, ALICE, 0).is_locked);
	p.id = "$(reboot)";
	arm_line(&p, 0, "echo begun", &script);
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
		cmocka_unit_test(of_many_consoles_one_gets_the_lock),
		cmocka_unit_test(a_step_is_kept_or_taken_back_and_never_both),
		cmocka_unit_test(a_line_is_not_begun_without_armed_undo),
		cmocka_unit_test(undo_waits_for_the_line_that_is_running),
		cmocka_unit_test(what_is_over_goes_after_a_day_and_of_very_many_after_an_hour),
		cmocka_unit_test(a_line_that_hangs_is_ended_with_all_that_it_has_started),
		cmocka_unit_test(an_undo_that_runs_holds_the_lock),
		cmocka_unit_test(what_cannot_be_armed_says_why_and_leaves_nothing),
		cmocka_unit_test(what_is_not_ours_is_not_believed),
		cmocka_unit_test(the_way_we_came_is_named_with_what_is_below_it),
		cmocka_unit_test(killed_anywhere_it_can_be_read_and_ended),
		cmocka_unit_test(an_undo_that_was_broken_off_is_finished_by_who_comes_next),
		cmocka_unit_test(other_shells_say_the_same),
		cmocka_unit_test(files_and_texts_arrive_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
