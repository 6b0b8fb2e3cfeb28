/* Writing at a switch's command line: lines and scripts, their status, and what is not known; then on the lab's switch. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/os10/undo.h"
#include "remote/platform/dialect.h"
#include "remote/poll/write_session.h"
#include "remote/talk/write.h"
#include "tests/lib/lab.h"

#define PATIENCE_MS	40000
#define SECOND_US	INT64_C(1000000)
#define NONCE		"0123456789abcdef"

/* -- a far end of our own -- */

struct desk {
	struct talk *talk;
	struct buf sent;		/* by the talk, until taken */
	const struct platform *platform;
	unsigned identified, answers;
	int status;
	struct buf output;
	char failed[512];
	size_t chunk;			/* bytes fed at once; 0: all */
};

static void on_identified(void *ctx, const struct platform *p, struct span text)
{
	struct desk *d = ctx;

	(void)text;
	d->identified++;
	d->platform = p;
}

static void on_failed(void *ctx, const char *reason)
{
	snprintf(((struct desk *)ctx)->failed, 512, "%s", reason);
}

static void on_said(void *ctx, int status, struct span output)
{
	struct desk *d = ctx;

	d->answers++;
	d->status = status;
	buf_clear(&d->output);
	buf_add(&d->output, output.p, output.n);
}

static void desk_open(struct desk *d, size_t chunk)
{
	struct talk_hooks hooks = { .ctx = d, .identified = on_identified, .failed = on_failed };
	struct talk_write_hooks said = { .ctx = d, .answered = on_said };

	*d = (struct desk){ .chunk = chunk };
	d->talk = talk_write_cli_new(NONCE, &hooks, &said);
}

static void desk_close(struct desk *d)
{
	talk_free(d->talk);
	buf_done(&d->sent);
	buf_done(&d->output);
}

static void print(struct desk *d, const char *text)
{
	size_t n = strlen(text), step = d->chunk ? d->chunk : n;

	for (size_t i = 0; i < n; i += step)
		talk_feed(d->talk, (struct span){ text + i, n - i < step ? n - i : step });
}

/* What was sent since last time. */
static const char *sent(struct desk *d)
{
	struct span out = talk_to_send(d->talk);

	buf_clear(&d->sent);
	buf_add(&d->sent, out.n ? out.p : "", out.n);
	talk_sent(d->talk, out.n);
	return d->sent.text;
}

static void log_in(struct desk *d)
{
	print(d, "Debian GNU/Linux 11\r\n###########\r\nleaf1# ");
	assert_string_equal(sent(d), "show version\n");
	print(d, "show version\r\nDell SmartFabric OS10 Enterprise\r\nOS Version: 10.5.6.1\r\nleaf1# ");
	assert_string_equal(sent(d), "terminal length 0\n");
	print(d, "terminal length 0\r\nleaf1# ");
	assert_int_equal(d->identified, 1);
	assert_string_equal(d->platform->id, "os10");
}

static void a_line_is_answered_up_to_the_prompt_of_any_mode(void **state)
{
	static const size_t chunks[] = { 0, 1, 7 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct desk d;

		desk_open(&d, chunks[i]);
		log_in(&d);
		talk_write_say(d.talk, WRITE_CLI, "configure terminal");
		assert_string_equal(sent(&d), "configure terminal\n");
		print(&d, "configure terminal\r\nleaf1(config)# ");
		assert_int_equal(d.status, 0);
		assert_int_equal(d.output.n, 0);
		talk_write_say(d.talk, WRITE_CLI, "wred x y");
		print(&d, "wred x y\r\n% Error: Illegal parameter.\r\nleaf1(config)# ");
		assert_int_equal(d.status, 1);
		assert_string_equal(d.output.text, "% Error: Illegal parameter.\n");
		talk_write_say(d.talk, WRITE_CLI, "interface ethernet1/1/1");
		print(&d, "interface ethernet1/1/1\r\n% Warning: the port is down\r\n<165>1 2026-11-21T05:00:00 leaf1 x - - y\r\n"
			  "leaf1(conf-if-eth1/1/1)# ");
		assert_int_equal(d.status, 0);
		assert_string_equal(d.output.text, "% Warning: the port is down\n");
		assert_int_equal(d.answers, 3);
		desk_close(&d);
	}
}

static void a_question_gets_no_answer_and_ends_it(void **state)
{
	struct desk d;

	(void)state;
	desk_open(&d, 0);
	log_in(&d);
	talk_write_say(d.talk, WRITE_CLI, "hardware deep-buffer-mode");
	sent(&d);
	print(&d, "hardware deep-buffer-mode\r\nDo you want to continue ? [yes/no(default)]:");
	assert_string_equal(sent(&d), "");
	assert_non_null(strstr(d.failed, "Do you want to continue"));
	assert_int_equal(d.answers, 0);
	talk_closed(d.talk);
	assert_int_equal(d.status, -1);
	desk_close(&d);
}

static void a_lost_session_leaves_the_line_unknown(void **state)
{
	struct desk d;

	(void)state;
	desk_open(&d, 0);
	log_in(&d);
	talk_write_say(d.talk, WRITE_CLI, "no wred x");
	print(&d, "no wred x\r\n% Err");
	talk_closed(d.talk);
	assert_int_equal(d.answers, 1);
	assert_int_equal(d.status, -1);
	assert_string_equal(d.output.text, "% Err");
	talk_write_say(d.talk, WRITE_CLI, "end");
	assert_int_equal(d.status, -1);
	desk_close(&d);
}

static void a_login_without_a_shell_says_so(void **state)
{
	struct desk d;

	(void)state;
	desk_open(&d, 0);
	log_in(&d);
	talk_write_say(d.talk, WRITE_SHELL, "echo hello");
	assert_string_equal(sent(&d), "system bash\n");
	print(&d, "system bash\r\n% Error: Unrecognized command.\r\nleaf1# ");
	assert_int_equal(d.status, 127);
	assert_string_equal(d.output.text, "% Error: Unrecognized command.\n");
	desk_close(&d);
}

/* What a device prints that knows of our marks: none of it ends the script. */
static void noise_is_not_taken_for_the_end(void **state)
{
	struct desk d;

	(void)state;
	desk_open(&d, 0);
	log_in(&d);
	talk_write_say(d.talk, WRITE_SHELL, "cat /var/log/noise");
	sent(&d);
	print(&d, "system bash\r\nadmin@leaf1:~$ ");
	assert_true(strstr(sent(&d), "stty -echo") != NULL);
	print(&d, "stty -echo; … printf '\\n@%s%s 1 quiet\\n' 01234567 89abcdef\r\n\r\n@" NONCE " 1 quiet\r\n");
	for (const char *line = sent(&d), *end; (end = strchr(line, '\n')); line = end + 1)
		assert_true(end - line <= 512);
	print(&d, "\r\n@" NONCE " 1 begin\r\n@ end 0\r\n@" NONCE "end 0\r\n@0123 1 end 0\r\nleaf1# \r\n  @" NONCE " 1 end 0\r\n");
	assert_int_equal(d.answers, 0);
	print(&d, "\r\n@" NONCE " 1 end 3\r\n");
	assert_int_equal(d.answers, 1);
	assert_int_equal(d.status, 3);
	assert_string_equal(sent(&d), "stty echo; exit\n");
	talk_write_say(d.talk, WRITE_CLI, "end");	/* waits until we are out */
	assert_string_equal(sent(&d), "");
	print(&d, "exit\r\nleaf1# ");
	assert_string_equal(sent(&d), "end\n");
	desk_close(&d);
}

/* -- the lab's switch -- */

struct bench {
	struct lab lab;
	struct inventory inv;
	struct poller_options options;
	uv_loop_t loop;
	struct write_permit *permit;
	struct write_session *session;
	bool is_late, is_ready, has_ended;
	unsigned answers;
	int status;
	struct buf output;
	char why[1000];
};

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	(void)hostkey, (void)login;
	assert_string_equal(p->id, "os10");
	((struct bench *)ctx)->is_ready = true;
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct bench *b = ctx;

	b->answers++;
	b->status = status;
	buf_clear(&b->output);
	buf_add(&b->output, output.p, output.n);
}

static void on_ended(void *ctx, const char *why)
{
	struct bench *b = ctx;

	b->has_ended = true;
	snprintf(b->why, sizeof(b->why), "%s", why ? why : "");
}

static void on_late(uv_timer_t *timer)
{
	((struct bench *)timer->data)->is_late = true;
}

static void wait_until(struct bench *b, const bool *is_so, unsigned answers)
{
	uv_timer_t guard;

	uv_timer_init(&b->loop, &guard);
	guard.data = b;
	b->is_late = false;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!b->is_late && !(is_so && *is_so) && !(answers && b->answers >= answers))
		uv_run(&b->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&b->loop, UV_RUN_NOWAIT);
	if (b->is_late)
		fail_msg("it never came; ended: %d %s; output: %s", b->has_ended, b->why, b->output.n ? b->output.text : "");
}

static void go(struct bench *b, const char *user)
{
	struct host *h = (struct host *)inventory_find(&b->inv, "leaf1");

	h->user = user;
	b->is_ready = false;
	b->session = write_session_new(
		&b->loop, &b->inv, &b->options, b->permit, "leaf1",
		&(struct write_session_hooks){.ctx = b, .ready = on_ready, .answered = on_answered, .ended = on_ended});
	wait_until(b, &b->is_ready, 0);
}

static void bench_open(struct bench *b)
{
	char path[160], *text;
	struct err err;
	size_t n;

	*b = (struct bench){ 0 };
	assert_true(LAB(&b->lab, "--nodes", "1", "--rails", "2", "--leaves", "1", "--spines", "0", "--switch-os", "os10"));
	inventory_init(&b->inv);
	text = file_text(b->lab.inventory, &n);
	if (!inventory_read(&b->inv, (struct span){ text, n }, "inventory.yml", &err))
		fail_msg("%s", err.text);
	free(text);
	uv_loop_init(&b->loop);
	snprintf(path, sizeof(path), "%s/known_hosts", b->lab.dir);
	b->options = (struct poller_options){ .seed = 7, .hostkey = HOSTKEY_STRICT, .known_hosts = xstrdup(path) };
	snprintf(path, sizeof(path), "%s/client_key", b->lab.dir);
	b->options.identity = xstrdup(path);
	b->permit = write_permit_new("a test", 0, &err);
}

static void leave(struct bench *b)
{
	write_session_free(b->session);
	uv_run(&b->loop, UV_RUN_DEFAULT);
}

static void bench_close(struct bench *b)
{
	leave(b);
	assert_int_equal(uv_loop_close(&b->loop), 0);
	inventory_done(&b->inv);
	write_permit_free(b->permit);
	free((char *)b->options.known_hosts);
	free((char *)b->options.identity);
	buf_done(&b->output);
	lab_stop(&b->lab);
}

static void say(struct bench *b, enum write_kind how, const char *text)
{
	unsigned answers = b->answers;

	write_session_say(b->session, how, text, 120 * SECOND_US);
	wait_until(b, NULL, answers + 1);
}

static void assert_said(struct bench *b, int status, const char *output)
{
	if (b->status != status || strcmp(b->output.n ? b->output.text : "", output) != 0)
		fail_msg("status %d, output \"%s\"; wanted %d \"%s\"; ended: %s", b->status, b->output.n ? b->output.text : "",
			 status, output, b->why);
}

static void scripts_and_lines_take_turns_on_a_real_terminal(void **state)
{
	struct buf script = { 0 };
	struct bench b;

	(void)state;
	bench_open(&b);
	go(&b, "admin");
	say(&b, WRITE_SHELL, "echo \"it's $((6 * 7))\"; echo '!! `x` \\ $(reboot)'; echo gone >&2; exit 5");
	assert_said(&b, 5, "it's 42\n!! `x` \\ $(reboot)\ngone\n");
	say(&b, WRITE_CLI, "configure terminal");
	assert_said(&b, 0, "");
	say(&b, WRITE_CLI, "interface ethernet1/1/1");
	say(&b, WRITE_CLI, "mtu 99999");
	assert_said(&b, 1, "% Error: Illegal parameter.\n");
	say(&b, WRITE_SHELL, "cat; cat /etc/hostname");		/* from within a mode; nothing is there to be read */
	assert_said(&b, 0, "leaf1\n");
	for (unsigned i = 0; i < 2000; i++)
		buf_printf(&script, "# line %u of a long script\n", i);
	buf_str(&script, "seq 1 3\n");
	say(&b, WRITE_SHELL, script.text);
	assert_said(&b, 0, "1\n2\n3\n");
	say(&b, WRITE_SHELL, "head -c 3000000 /dev/zero | tr '\\0' x; echo; exit 4");
	assert_int_equal(b.status, 4);
	assert_true(b.output.n <= WRITE_OUTPUT_MAX);
	say(&b, WRITE_CLI, "end");
	assert_said(&b, 0, "");
	leave(&b);
	go(&b, "netadmin");
	say(&b, WRITE_SHELL, "echo never");
	assert_said(&b, 127, "% Error: Unrecognized command.\n");
	leave(&b);
	go(&b, "operator");
	say(&b, WRITE_CLI, "configure terminal");
	assert_said(&b, 1, "% Error: Unrecognized command.\n");
	buf_done(&script);
	bench_close(&b);
}

static void say_all(struct bench *b, const struct fix_lines *lines, size_t n)
{
	say(b, WRITE_CLI, "configure terminal");
	for (size_t i = 0; i < n; i++) {
		say(b, WRITE_CLI, lines->list[i]);
		if (b->status != 0)
			fail_msg("\"%s\": %s", lines->list[i], b->output.text);
	}
	say(b, WRITE_CLI, "end");
}

static char *running(struct bench *b)
{
	say(b, WRITE_CLI, "show running-configuration");
	return xstrdup(b->output.text);
}

/* Whatever of the lines was done: the switch's own shell, alone, brings the configuration back to the byte; and says where it cannot. */
static void the_switch_takes_it_back_by_its_own_shell(void **state)
{
	static const char *const forward[] = {
		"wred fabcon-wred-1", "random-detect color green minimum-threshold 100 maximum-threshold 200 drop-probability 50", "exit",
		"interface ethernet1/1/1", "no service-policy output type queuing rdma-ets", "priority-flow-control mode off",
		"flowcontrol receive on", "mtu 1600", "exit",
	};
	static const char *const back[] = {
		"interface ethernet1/1/1", "no service-policy output type queuing fabcon-ets-1", "flowcontrol receive off", "mtu 9216",
		"service-policy output type queuing rdma-ets", "priority-flow-control mode on", "exit", "no wred fabcon-wred-1",
		"no class-map type queuing fabcon-queue-1",
	};
	const struct fix_lines lines = { (const char **)forward, 9, 9 }, undo = { (const char **)back, 9, 9 };
	static const char *const bad[] = { "interface ethernet1/1/1", "mtu 99999", "exit" };
	const struct fix_lines refused = { (const char **)bad, 3, 3 };
	static const size_t stops[] = { 0, 1, 5, 9 };
	struct buf script = { 0 };
	struct bench b;
	char *base, *now;

	(void)state;
	bench_open(&b);
	go(&b, "admin");
	say(&b, WRITE_SHELL, os10_rehearse);
	assert_said(&b, 0, "");
	base = running(&b);
	os10_undo_script(&undo, &script);
	for (size_t i = 0; i < 4; i++) {
		say_all(&b, &lines, stops[i]);
		say(&b, WRITE_SHELL, script.text);
		assert_int_equal(b.status, 0);
		now = running(&b);
		assert_string_equal(now, base);
		free(now);
	}
	buf_clear(&script);
	os10_undo_script(&refused, &script);
	say(&b, WRITE_SHELL, script.text);
	assert_int_equal(b.status, 1);
	say(&b, WRITE_SHELL, "rm /opt/dell/os10/bin/clish");
	say(&b, WRITE_SHELL, os10_rehearse);
	assert_said(&b, 1, "/opt/dell/os10/bin/clish does not exist\n");
	free(base);
	buf_done(&script);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_answered_up_to_the_prompt_of_any_mode),
		cmocka_unit_test(a_question_gets_no_answer_and_ends_it),
		cmocka_unit_test(a_lost_session_leaves_the_line_unknown),
		cmocka_unit_test(a_login_without_a_shell_says_so),
		cmocka_unit_test(noise_is_not_taken_for_the_end),
		cmocka_unit_test(scripts_and_lines_take_turns_on_a_real_terminal),
		cmocka_unit_test(the_switch_takes_it_back_by_its_own_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
