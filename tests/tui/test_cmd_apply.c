/*
 * apply, verify, keep and undo as a person and a script meet them, over SSH to the lab: what is asked before anything is
 * sent, what a broken-off apply leaves, and that what is printed is what the devices have.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "core/fix/plan.h"
#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/args/cli.h"

#define FAULT		"trust-pcp@node1:eth2"
#define PATIENCE_S	60

static struct lab lab;
static char log_path[96], plan_path[96], hash[FIX_HASH_SIZE], id[64];

/* The set-up: one lab for all, a home and a plan for each. */

static int open_lab(void **state)
{
	(void)state;
	snprintf(log_path, sizeof(log_path), "/tmp/fabcon-apply-%d.log", (int)getpid());
	return LAB(&lab, "--nodes", "2", "--rails", "1", "--leaves", "1", "--log", log_path) ? 0 : -1;
}

static int close_lab(void **state)
{
	(void)state;
	lab_stop(&lab);
	unlink(log_path);
	return 0;
}

static void expect(struct run r, int code, const char *says)
{
	if (r.code != code || (!strstr(r.out.n ? r.out.text : "", says) && !strstr(r.err.n ? r.err.text : "", says)))
		fail_msg("exit %d, not %d with \"%s\":\n%s%s", r.code, code, says, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
}

/* Ten seconds that everything must hold are one: nobody sends here but the test. */
static void shorten(struct fix_plan *plan)
{
	struct buf text = { 0 };
	FILE *f;

	plan->verify_us = 1000000;
	fix_plan_write(plan, &text);
	fix_plan_hash(plan, hash);
	snprintf(id, sizeof(id), "%s", plan->id);
	f = fopen(plan_path, "w");
	fwrite(text.text, 1, text.n, f);
	fclose(f);
	buf_done(&text);
}

static void make_plan(const char *what)
{
	struct fix_plan plan;
	struct err err = { "" };
	size_t n;
	char *text;

	unlink(plan_path);
	expect(LAB_FABCON(&lab, "plan", what, "-O", plan_path), EXIT_DONE, "");
	text = file_text(plan_path, &n);
	assert_non_null(text);
	fix_plan_init(&plan);
	if (!fix_plan_read(&plan, (struct span){ text, n }, &err))
		fail_msg("%s", err.text);
	shorten(&plan);
	fix_plan_done(&plan);
	free(text);
}

static void break_it(void)
{
	struct run r = LAB_CTL(&lab, "fault", "clear", FAULT);

	run_done(&r);
	expect(LAB_CTL(&lab, "fault", "add", FAULT), 0, "");
}

static int open_story(void **state)
{
	if (home_open(state) != 0)
		return -1;
	snprintf(plan_path, sizeof(plan_path), "%s/fix.json", home);
	break_it();
	make_plan("trust-as-wanted@node1:eth2");
	return 0;
}

static const char *trust(void)
{
	struct run r = LAB_CTL(&lab, "state");
	static char word[16];
	const char *at = strstr(r.out.text, "node1 eth2 trust = ");

	assert_non_null(at);
	sscanf(at, "node1 eth2 trust = %15s", word);
	run_done(&r);
	return word;
}

/* What the lab's devices were told, in words. */
static size_t times_told(const char *words)
{
	size_t n, times = 0;
	char *text = file_text(log_path, &n);

	for (const char *at = text; at && (at = strstr(at, words)); at++)
		times++;
	free(text);
	return times;
}

static json_t *document(const struct run *r)
{
	json_error_t error;
	json_t *json = json_loads(r->out.n ? r->out.text : "", 0, &error);

	if (!json)
		fail_msg("not one JSON document: %s in: %s", error.text, r->out.text);
	assert_string_equal(json_string_value(json_object_get(json, "schema")), "fabcon.apply/1");
	return json;
}

static void assert_document(struct run r, int code, const char *end, const char *state)
{
	json_t *json = document(&r), *step = json_array_get(json_object_get(json, "steps"), 0);

	assert_int_equal(r.code, code);
	assert_string_equal(json_string_value(json_object_get(json, "end")), end);
	assert_string_equal(json_string_value(json_object_get(json, "hash")), hash);
	if (state)
		assert_string_equal(json_string_value(json_object_get(step, "state")), state);
	if (state)
		assert_string_equal(json_string_value(json_object_get(step, "one_end")),
				    "the other end of node1 eth2 is not part of this plan");
	json_decref(json);
	run_done(&r);
}

#define APPLY(...) LAB_FABCON(&lab, "apply", plan_path, "--rw", "--approve", hash, "--reason", "INC-42", ##__VA_ARGS__)

/* -- leave -- */

static void write_policy(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* The first 63 digits are the plan's. */
static const char *another_hash(void)
{
	static char other[FIX_HASH_SIZE];

	snprintf(other, sizeof(other), "%s", hash);
	other[63] = other[63] == '0' ? '1' : '0';
	return other;
}

static void nothing_is_sent_without_leave_and_a_yes(void **state)
{
	char policy[160];

	(void)state;
	expect(LAB_FABCON(&lab, "apply", plan_path), EXIT_REFUSED, "permit it with --rw");
	expect(LAB_FABCON(&lab, "apply", plan_path, "--rw"), EXIT_REFUSED, "no terminal to confirm on");
	expect(LAB_FABCON(&lab, "apply", plan_path, "--rw", "--approve", "0123456789"), EXIT_USAGE, "whole hash, 64 hex digits");
	expect(LAB_FABCON(&lab, "apply", plan_path, "--rw", "--approve", another_hash()), EXIT_REFUSED, "is not this plan's hash");
	expect(LAB_FABCON(&lab, "apply", plan_path, "--rw", "--approve", hash, "--read-only"), EXIT_REFUSED, "read-only is set");
	expect(LAB_FABCON(&lab, "undo", plan_path), EXIT_REFUSED, "permit it with --rw");
	expect(LAB_FABCON(&lab, "keep", plan_path), EXIT_REFUSED, "permit it with --rw");
	expect(LAB_FABCON(&lab, "undo", plan_path, "--rw", "--one-end"), EXIT_USAGE, "fabcon undo has no option --one-end");
	expect(LAB_FABCON(&lab, "undo", plan_path, "--rw", "--dry-run"), EXIT_USAGE, "fabcon undo has no option --dry-run");
	expect(LAB_FABCON(&lab, "keep", plan_path, "--rw", "--finish"), EXIT_USAGE, "fabcon keep has no option --finish");
	setenv("FABCON_RO", "1", 1);
	expect(APPLY(), EXIT_REFUSED, "FABCON_RO is set");
	unsetenv("FABCON_RO");
	snprintf(policy, sizeof(policy), "%s/night.policy", lab.dir);
	write_policy(policy, "name night\nread-only change freeze until Monday\n");
	expect(LAB_FABCON(&lab, "-p", policy, "apply", plan_path, "--rw", "--approve", hash), EXIT_REFUSED,
	       "the policy night is read-only: change freeze until Monday");
	assert_document(LAB_FABCON(&lab, "-o", "json", "apply", plan_path), EXIT_REFUSED, "refused", NULL);
	assert_string_equal(trust(), "pcp");
	assert_int_equal(times_told("--trust"), 0);
	assert_int_equal(times_told("/run/fabcon"), 0);
}

static void a_rehearsal_says_what_it_would_do_and_sends_questions(void **state)
{
	struct run r = LAB_FABCON(&lab, "apply", plan_path, "--dry-run");
	struct span rest = buf_span(&r.out), line;

	(void)state;
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "WOULD run on node1: mlnx_qos -i eth2 --trust dscp\n"));
	while (span_line(&rest, &line))
		assert_true(span_starts(line, "WOULD "));
	run_done(&r);
	assert_document(LAB_FABCON(&lab, "-o", "json", "apply", plan_path, "--dry-run"), EXIT_DONE, "done", "planned");
	assert_string_equal(trust(), "pcp");
	assert_int_equal(times_told("--trust"), 0);
}

static void a_file_that_was_touched_or_is_none_is_refused(void **state)
{
	size_t n;
	char *text = file_text(plan_path, &n), *at = strstr(text, "--trust dscp");
	FILE *f = fopen(plan_path, "w");

	(void)state;
	memcpy(at, "--trust PCP ", 12);
	fwrite(text, 1, n, f);
	fclose(f);
	free(text);
	expect(APPLY(), EXIT_REFUSED, "hash");
	expect(LAB_FABCON(&lab, "apply", "/no/such/plan.json", "--rw"), EXIT_USAGE, "/no/such/plan.json");
	expect(LAB_FABCON(&lab, "verify", "P-20261121-none"), EXIT_USAGE, "P-20261121-none");
	assert_string_equal(trust(), "pcp");
}

/* The names of one fabric's devices are often those of another's. */
static void a_plan_of_another_fabric_is_refused_before_anything_is_asked(void **state)
{
	char *other = xasprintf("%s.other.yml", lab.inventory);
	size_t n;
	char *text = file_text(lab.inventory, &n), *at = strstr(text, "fabcon_fabric: ");
	FILE *f = fopen(other, "w");

	(void)state;
	assert_non_null(at);
	at[strlen("fabcon_fabric: ")] = 'X';
	fwrite(text, 1, n, f);
	fclose(f);
	free(text);
	expect(RUN("fabcon", "-i", other, "--no-input", "apply", plan_path, "--dry-run"), EXIT_REFUSED, "was made for the fabric");
	expect(RUN("fabcon", "-i", other, "--no-input", "apply", plan_path, "--rw", "--approve", hash), EXIT_REFUSED, "nothing was sent");
	assert_string_equal(trust(), "pcp");
	unlink(other);
	free(other);
}

static void what_was_changed_meanwhile_is_shown_and_nothing_is_sent(void **state)
{
	(void)state;
	expect(LAB_CTL(&lab, "fault", "add", "pfc-off-host@node1:eth2"), 0, "");
	make_plan("node1:eth2");
	expect(LAB_CTL(&lab, "fault", "clear", "pfc-off-host@node1:eth2"), 0, "");
	expect(LAB_CTL(&lab, "fault", "add", "pfc-wrong-host@node1:eth2"), 0, "");
	struct run r = RUN("fabcon", "-i", lab.inventory, "--no-input", "apply", plan_path, "--rw", "--approve", hash);
	if (r.code != EXIT_REFUSED || !strstr(r.err.text, "  - ") || !strstr(r.err.text, "  + "))
		fail_msg("exit %d, and what differs is not shown: %s", r.code, r.err.text);
	run_done(&r);
	assert_document(APPLY("-o", "json"), EXIT_REFUSED, "refused", "refused");
	assert_string_equal(trust(), "pcp");
	expect(LAB_CTL(&lab, "fault", "clear", "pfc-wrong-host@node1:eth2"), 0, "");
}

/* As fabcon plan -O wrote it, by this user of this machine. */
static void make_own_plan(const char *what)
{
	struct fix_plan plan;
	struct err err = { "" };
	size_t n;
	char *text;

	unlink(plan_path);
	expect(LAB_FABCON(&lab, "plan", what, "-O", plan_path, "--verify-for", "1s"), EXIT_DONE, "");
	text = file_text(plan_path, &n);
	fix_plan_init(&plan);
	if (!text || !fix_plan_read(&plan, (struct span){ text, n }, &err))
		fail_msg("%s", err.text);
	fix_plan_hash(&plan, hash);
	fix_plan_done(&plan);
	free(text);
}

static void of_a_plan_made_here_the_number_of_its_devices_is_typed(void **state)
{
	struct tty *t;

	(void)state;
	expect(LAB_CTL(&lab, "fault", "add", "trust-pcp@node2:eth2"), 0, "");
	make_own_plan("trust-as-wanted");
	t = TTY(60, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw");
	assert_true(tty_shows(t, "Type 2 devices to apply", PATIENCE_S));
	tty_type(t, "node1\n");
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_REFUSED);
	tty_close(t);
	assert_document(APPLY("-o", "json"), EXIT_DONE, "done", "kept");
	assert_string_equal(trust(), "dscp");
	expect(LAB_CTL(&lab, "fault", "clear", "trust-pcp@node2:eth2"), 0, "");
}

/* The file was written by another hand: 8 digits of its hash, which stand on the screen, are not enough. */
static void of_a_plan_from_elsewhere_the_whole_hash_is_pasted(void **state)
{
	char line[FIX_HASH_SIZE + 1];
	struct tty *t;

	(void)state;
	t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw");
	assert_true(tty_shows(t, "not made here", PATIENCE_S));
	snprintf(line, sizeof(line), "%.8s\n", hash);
	tty_type(t, line);
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_REFUSED);
	tty_close(t);
	t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw");
	assert_true(tty_shows(t, "Hash (anything else cancels):", PATIENCE_S));
	tty_type(t, "node1\n");
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_REFUSED);
	tty_close(t);
	assert_string_equal(trust(), "pcp");
	t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw");
	assert_true(tty_shows(t, "Hash (anything else cancels):", PATIENCE_S));
	snprintf(line, sizeof(line), "%s\n", hash);
	tty_type(t, line);
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_DONE);
	tty_close(t);
	assert_string_equal(trust(), "dscp");
	expect(LAB_FABCON(&lab, "audit", "show", id), EXIT_DONE, "by its whole hash, at the terminal");
}

static void rewrite(const char *from, const char *to)
{
	struct fix_plan plan;
	struct err err = { "" };
	size_t n;
	char *text = file_text(plan_path, &n);
	struct fix_lines *lines;

	fix_plan_init(&plan);
	assert_true(fix_plan_read(&plan, (struct span){ text, n }, &err));
	lines = &plan.steps[0].lines;
	for (size_t i = 0; i < lines->n; i++)
		if (!strcmp(lines->list[i], from))
			lines->list[i] = to;
	shorten(&plan);
	fix_plan_done(&plan);
	free(text);
}

/* Its hash is right, and approved; its line is none that the edits and the device give. */
static void a_forged_line_is_named_and_never_sent(void **state)
{
	size_t told = times_told("--trust dscp");

	(void)state;
	rewrite("mlnx_qos -i eth2 --trust dscp", "mlnx_qos -i eth2 --trust dscp; touch /root/canary");
	expect(LAB_FABCON(&lab, "apply", plan_path, "--dry-run"), EXIT_REFUSED, "line 1 of the plan is");
	expect(APPLY(), EXIT_REFUSED, "the device and the edits give \"mlnx_qos -i eth2 --trust dscp\"");
	assert_int_equal(times_told("canary"), 0);
	assert_int_equal(times_told("--trust dscp"), told);
	assert_string_equal(trust(), "pcp");
}

/* What this console's audit does not know was never applied from here: its undo would be a change that nobody approved. */
static void the_undo_of_an_unknown_plan_needs_approval(void **state)
{
	(void)state;
	expect(LAB_FABCON(&lab, "undo", plan_path, "--rw"), EXIT_REFUSED, "no terminal to confirm on");
	expect(LAB_FABCON(&lab, "keep", plan_path, "--rw"), EXIT_REFUSED, "no terminal to confirm on");
}

/* -- the whole way -- */

/* As a person would: the manifest, run at the host. */
static void install_unit(void)
{
	struct run r = LAB_FABCON(&lab, "emit", "systemd", "node1");

	assert_int_equal(r.code, EXIT_DONE);
	lab_tell(&lab, "node1", r.out.text);
	run_done(&r);
}

static void a_fault_is_fixed_seen_gone_and_brought_back(void **state)
{
	(void)state;
	assert_document(APPLY("-o", "json"), EXIT_DONE, "done", "kept");
	assert_string_equal(trust(), "dscp");
	expect(LAB_FABCON(&lab, "findings", "-o", "csv", "--filter", "trust-as-wanted"), EXIT_DONE, "");
	expect(LAB_FABCON(&lab, "verify", id), EXIT_DONE, "lost at reboot; to persist it: fabcon emit systemd node1");
	install_unit();
	expect(LAB_FABCON(&lab, "verify", id), EXIT_DONE, "persistent: fabcon-roce.service sets it at boot");
	size_t told = times_told("--trust dscp");
	assert_document(APPLY("-o", "json"), EXIT_DONE, "done", "nothing to do");
	assert_int_equal(times_told("--trust dscp"), told);
	expect(LAB_FABCON(&lab, "apply", plan_path, "--dry-run"), EXIT_DONE, "WOULD not touch node1: nothing to do");
	struct run undo = RUN("fabcon", "-i", lab.inventory, "--no-input", "undo", id, "--rw", "--reason", "INC-43");
	if (strstr(undo.err.text, "fabcon emit") || !strstr(undo.err.text, "rolling back: it had been committed"))
		fail_msg("what keeps the setting that is rolled back is named, or what goes on is not: %s", undo.err.text);
	expect(undo, EXIT_DONE, "rolled back");
	assert_string_equal(trust(), "pcp");
	expect(LAB_FABCON(&lab, "verify", id), EXIT_DONE, "as before");
	expect(LAB_FABCON(&lab, "audit", "show", id), EXIT_DONE, "mlnx_qos -i eth2 --trust dscp");
	expect(LAB_FABCON(&lab, "audit", "show", id), EXIT_DONE, "undo: INC-43");
	expect(LAB_FABCON(&lab, "audit", "verify"), EXIT_DONE, "every entry intact");
}

static void what_is_not_kept_waits_and_can_be_kept_later(void **state)
{
	(void)state;
	assert_document(APPLY("--confirm-within", "60s", "-o", "json"), EXIT_DONE, "waits", "verified");
	assert_string_equal(trust(), "dscp");
	expect(LAB_FABCON(&lab, "verify", id, "--rw"), EXIT_DONE, "armed");
	expect(LAB_FABCON(&lab, "keep", id, "--rw"), EXIT_DONE, "committed");
	expect(LAB_FABCON(&lab, "verify", id, "--rw"), EXIT_DONE, "committed");
	assert_string_equal(trust(), "dscp");
}

static void nobody_says_keep_and_the_device_takes_it_back(void **state)
{
	struct timespec tenth = { .tv_nsec = 100000000 };

	(void)state;
	assert_document(APPLY("--confirm-within", "30s", "-o", "json"), EXIT_DONE, "waits", "verified");
	for (int i = 0; i < PATIENCE_S * 10 && strcmp(trust(), "pcp") != 0; i++)
		nanosleep(&tenth, NULL);
	assert_string_equal(trust(), "pcp");
	expect(LAB_FABCON(&lab, "verify", id), EXIT_DONE, "as before");
}

/* -- signals and terminals -- */

/* Applies in the background and waits until the device was told. */
static pid_t begin_apply(const char *out)
{
	struct timespec tenth = { .tv_nsec = 100000000 };
	size_t told = times_told("--trust dscp");
	pid_t pid = fork();

	if (pid == 0) {
		if (!freopen(out, "w", stdout))
			_exit(126);
		execl(program_path("fabcon"), "fabcon", "-i", lab.inventory, "--no-input", "-q", "-o", "json", "apply", plan_path, "--rw",
		      "--approve", hash, "--confirm-within", "60s", (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < PATIENCE_S * 10 && times_told("--trust dscp") == told; i++)
		nanosleep(&tenth, NULL);
	assert_true(times_told("--trust dscp") > told);
	return pid;
}

static struct run end_of(pid_t pid, const char *out)
{
	struct run r = { 0 };
	size_t n;
	char *text;
	int status;

	waitpid(pid, &status, 0);
	r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	text = file_text(out, &n);
	buf_add(&r.out, text ? text : "", text ? n : 0);
	free(text);
	return r;
}

static void an_interrupt_takes_back_what_was_begun(void **state)
{
	char *out = xasprintf("%s/out.json", home);
	pid_t pid = begin_apply(out);

	(void)state;
	kill(pid, SIGINT);
	assert_document(end_of(pid, out), EXIT_TAKEN_BACK, "rolled back", "undone");
	assert_string_equal(trust(), "pcp");
	free(out);
}

static void a_second_signal_leaves_at_once_and_says_what_the_timers_will_do(void **state)
{
	char *out = xasprintf("%s/out.json", home);
	pid_t pid = begin_apply(out);
	struct run r;

	(void)state;
	kill(pid, SIGINT);
	kill(pid, SIGTERM);
	r = end_of(pid, out);
	assert_non_null(strstr(r.out.text, "node1 rolls back in "));
	assert_document(r, EXIT_DOUBT, "left", NULL);
	expect(LAB_FABCON(&lab, "undo", id, "--rw"), EXIT_DONE, "rolled back");
	assert_string_equal(trust(), "pcp");
	free(out);
}

static void after_a_kill_it_is_told_read_and_taken_back(void **state)
{
	char *out = xasprintf("%s/out.json", home), *says = xasprintf("%s was started and not finished", id);
	pid_t pid = begin_apply(out);

	(void)state;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect(RUN("fabcon", "-i", lab.inventory, "--no-input", "apply", plan_path, "--dry-run"), EXIT_DONE, says);
	expect(RUN("fabcon", "-i", lab.inventory, "--no-input", "plan", "node1:eth2"), EXIT_DONE, says);
	expect(LAB_FABCON(&lab, "undo", id, "--rw"), EXIT_DONE, "rolled back");
	assert_string_equal(trust(), "pcp");
	expect(RUN("fabcon", "-i", lab.inventory, "--no-input", "apply", plan_path, "--dry-run"), EXIT_DONE, "WOULD run on node1");
	free(out);
	free(says);
}

static void a_terminal_is_asked_for_the_name_and_what_was_typed_before_is_dropped(void **state)
{
	struct tty *t;

	(void)state;
	make_own_plan("trust-as-wanted@node1:eth2");
	t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw", "--reason", "INC-42");
	tty_type(t, "node1\n");		/* before it is asked: if it were taken, this would apply */
	assert_true(tty_shows(t, "Type node1 to apply this", PATIENCE_S));
	assert_true(tty_shows(t, "mlnx_qos -i eth2 --trust dscp", PATIENCE_S));
	tty_type(t, "y\n");
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_REFUSED);
	tty_close(t);
	assert_string_equal(trust(), "pcp");
	t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw", "--confirm-within", "60s");
	assert_true(tty_shows(t, "anything else cancels:", PATIENCE_S));
	tty_type(t, "node1\n");
	assert_true(tty_shows(t, "Keep?", PATIENCE_S));
	assert_string_equal(trust(), "dscp");
	tty_type(t, "yes\n");
	assert_int_equal(tty_end(t, PATIENCE_S), EXIT_DONE);
	tty_close(t);
	assert_string_equal(trust(), "dscp");
}

static void a_terminal_that_is_lost_takes_it_back_and_the_record_is_whole(void **state)
{
	struct tty *t = TTY(40, 120, "fabcon", "-i", lab.inventory, "apply", plan_path, "--rw", "--approve", hash, "--confirm-within", "60s");

	(void)state;
	assert_true(tty_shows(t, "Keep?", PATIENCE_S));
	assert_int_equal(tty_hang_up(t, PATIENCE_S), EXIT_TAKEN_BACK);
	tty_close(t);
	assert_string_equal(trust(), "pcp");
	expect(LAB_FABCON(&lab, "audit", "show", id), EXIT_DONE, "rolled back");
	expect(LAB_FABCON(&lab, "audit", "verify"), EXIT_DONE, "every entry intact");
}

/*
 * Committed at both ends, then one of them changed by hand: the plan can neither finish nor undo that, and says to make a new one.
 * What is advised can be done: the new plan has the changed end alone, and is applied.
 */
static void what_somebody_changed_since_is_mended_by_a_new_plan(void **state)
{
	char first[64];

	(void)state;
	expect(LAB_CTL(&lab, "fault", "add", "pfc-off-switch@leaf1:ethernet1/1/1"), 0, "");
	expect(LAB_CTL(&lab, "fault", "add", "pfc-off-host@node1:eth2"), 0, "");
	make_plan("pfc-on-where-wanted");
	snprintf(first, sizeof(first), "%s", id);
	assert_document(APPLY("-o", "json"), EXIT_DONE, "done", NULL);
	expect(LAB_CTL(&lab, "do", "node1", "mlnx_qos", "-i", "eth2", "--pfc", "0,0,0,1,1,0,0,0"), 0, "");
	expect(LAB_FABCON(&lab, "undo", first, "--rw"), EXIT_DOUBT, "neither as before nor as planned");
	expect(LAB_FABCON(&lab, "verify", first), EXIT_DOUBT, "make a new plan");
	make_plan("pfc-only-where-wanted");
	assert_document(APPLY("-o", "json"), EXIT_DONE, "done", "kept");
	expect(LAB_FABCON(&lab, "verify", first), EXIT_DONE, "as planned");
	expect(LAB_CTL(&lab, "fault", "clear", "pfc-off-switch@leaf1:ethernet1/1/1"), 0, "");
	expect(LAB_CTL(&lab, "fault", "clear", "pfc-off-host@node1:eth2"), 0, "");
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, open_story, home_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(nothing_is_sent_without_leave_and_a_yes),
		STORY(a_rehearsal_says_what_it_would_do_and_sends_questions),
		STORY(a_file_that_was_touched_or_is_none_is_refused),
		STORY(a_plan_of_another_fabric_is_refused_before_anything_is_asked),
		STORY(what_was_changed_meanwhile_is_shown_and_nothing_is_sent),
		STORY(of_a_plan_made_here_the_number_of_its_devices_is_typed),
		STORY(of_a_plan_from_elsewhere_the_whole_hash_is_pasted),
		STORY(a_forged_line_is_named_and_never_sent),
		STORY(the_undo_of_an_unknown_plan_needs_approval),
		STORY(a_fault_is_fixed_seen_gone_and_brought_back),
		STORY(what_is_not_kept_waits_and_can_be_kept_later),
		STORY(nobody_says_keep_and_the_device_takes_it_back),
		STORY(an_interrupt_takes_back_what_was_begun),
		STORY(a_second_signal_leaves_at_once_and_says_what_the_timers_will_do),
		STORY(after_a_kill_it_is_told_read_and_taken_back),
		STORY(what_somebody_changed_since_is_mended_by_a_new_plan),
		STORY(a_terminal_is_asked_for_the_name_and_what_was_typed_before_is_dropped),
		STORY(a_terminal_that_is_lost_takes_it_back_and_the_record_is_whole),
	};

	return cmocka_run_group_tests(tests, open_lab, close_lab);
}
