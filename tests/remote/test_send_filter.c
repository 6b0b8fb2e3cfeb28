/* The send filter: the probes of each platform pass, nothing else does, and a session that sends more reaches no device. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/inventory/inventory.h"
#include "remote/fixer/device_undo.h"
#include "remote/talk/collector.h"
#include "remote/runner/node_script.h"
#include "remote/talk/send_filter.h"
#include "remote/os10/os10.h"
#include "remote/linux/linux.h"
#include "remote/poll/reach.h"
#include "remote/talk/write.h"
#include "tests/lib/lab.h"

#define NONCE		"0123456789abcdef"
#define PATIENCE_MS	40000

static void assert_allowed(struct send_filter *g, const char *text)
{
	struct err err;

	if (!send_filter_allows(g, span_of(text), &err))
		fail_msg("refused: %s: %s", text, err.text);
	send_filter_sent(g, span_of(text));
}

static void assert_refused(const struct send_filter *g, struct span text)
{
	struct err err = { "" };

	if (send_filter_allows(g, text, &err))
		fail_msg("allowed: %.*s", (int)text.n, text.p);
	assert_non_null(strstr(err.text, "was not sent"));
	for (const char *p = err.text; *p; p++)
		assert_true(*p >= ' ' && *p <= '~');
}

static void every_question_of_a_command_line_may_be_asked(void **state)
{
	struct send_filter g;

	(void)state;
	send_filter_init(&g, talk_way_find(WAY_CLI), NONCE, NULL);
	assert_allowed(&g, "show version\n");
	assert_allowed(&g, "terminal length 0\n");
	assert_refused(&g, SPAN("show interface\n"));	/* not identified yet */
	send_filter_identified(&g, &os10_platform);
	for (size_t i = 0; i < os10_platform.n_probes; i++) {
		const struct probe *probe = &os10_platform.probes[i];
		struct buf command = { 0 };

		if (probe->cadence == CADENCE_NEVER)
			continue;
		platform_command(probe, probe->per_port ? "ethernet1/1/1:3" : NULL, &command);
		buf_str(&command, "\n");
		assert_allowed(&g, command.text);
		buf_done(&command);
	}
	assert_allowed(&g, " ");	/* the next page */
	assert_allowed(&g, " ");
	assert_allowed(&g, "exit\n");
	send_filter_done(&g);
}

static void nothing_but_questions_may_be_typed(void **state)
{
	static const char *const lines[] = {
		"configure terminal\n", "system bash\n", "write memory\n", "reload\n", "show version; reload\n", "show version | no-more\n",
		"show version\nreload\n", "show running-configuration\rreload\n", "exit \n", "?", "show ?", "sh\n", "\t\n", "\033\n",
		"show interface ethernet 1/1/1 && reload\n", "no terminal length 0\n", "show version",
	};
	struct send_filter g;
	char *wide = xcalloc(1, 700);

	(void)state;
	send_filter_init(&g, talk_way_find(WAY_CLI), NONCE, NULL);
	send_filter_identified(&g, &os10_platform);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_refused(&g, span_of(lines[i]));
	assert_refused(&g, (struct span){ "show version\0\n", 14 });
	memset(wide, ' ', 699);
	assert_refused(&g, span_of(wide));
	free(wide);
	send_filter_done(&g);
}

/* In any pieces that the transport sends. */
static void a_shell_is_told_the_collector_and_its_words_and_no_more(void **state)
{
	struct send_filter g;
	struct buf program = { 0 };

	(void)state;
	for (size_t step = 1; step < 100000; step = step * 3 + 1) {
		send_filter_init(&g, talk_way_find(WAY_SH), NONCE, NULL);
		collector_identify(NONCE, &program);
		assert_allowed(&g, program.text);
		assert_refused(&g, SPAN("live\n"));
		send_filter_identified(&g, &linux_platform);
		buf_clear(&program);
		collector_program(&linux_platform, NONCE, &program);
		buf_str(&program, "once\n");
		for (size_t at = 0; at < program.n; at += step) {
			struct span rest = { program.text + at, program.n - at };
			struct err err;

			assert_true(send_filter_allows(&g, rest, &err));
			send_filter_sent(&g, (struct span){ rest.p, rest.n < step ? rest.n : step });
		}
		assert_allowed(&g, "live\n");
		assert_allowed(&g, "config\nlive\n");
		assert_refused(&g, SPAN("live; reboot\n"));
		assert_refused(&g, SPAN("reboot\n"));
		assert_refused(&g, SPAN("live\nreboot\n"));
		assert_refused(&g, SPAN("exit\n"));
		assert_refused(&g, SPAN("liv"));
		assert_refused(&g, buf_span(&program));
		send_filter_done(&g);
		buf_clear(&program);
	}
	buf_done(&program);
}

static void a_program_that_differs_in_one_byte_is_refused(void **state)
{
	struct send_filter g;
	struct buf program = { 0 };

	(void)state;
	send_filter_init(&g, talk_way_find(WAY_SH), NONCE, NULL);
	send_filter_identified(&g, &linux_platform);
	collector_identify(NONCE, &program);
	collector_program(&linux_platform, NONCE, &program);
	for (size_t at = 0; at < program.n; at += 97) {
		program.text[at] ^= 1;
		assert_refused(&g, buf_span(&program));
		program.text[at] ^= 1;
	}
	assert_allowed(&g, program.text);
	send_filter_done(&g);
	send_filter_init(&g, talk_way_find(WAY_SH), "fedcba9876543210", NULL);
	assert_refused(&g, buf_span(&program));
	send_filter_done(&g);
	buf_done(&program);
}

static void a_session_that_nobody_guards_says_nothing(void **state)
{
	struct err err;

	(void)state;
	assert_false(send_filter_allows(NULL, SPAN("show version\n"), &err));
}

static void assert_transcript(const struct platform *p, const char *look, bool is_test)
{
	const struct talk_way *way = talk_way_find(p->way);
	struct buf known = { 0 }, text = { 0 };
	struct send_filter g;

	(is_test ? way->testing : way->looking)(NONCE, look, &text);
	send_filter_init(&g, way, NONCE, NULL);
	(is_test ? send_filter_let_test : send_filter_let_look)(&g, look);
	collector_identify(NONCE, &known);
	assert_refused(&g, buf_span(&text));	/* not identified yet */
	assert_allowed(&g, way->identification ? known.text : "show version\n");
	send_filter_identified(&g, p);
	for (size_t at = 0; at < text.n; at += 41) {
		text.text[at] ^= 1;
		assert_refused(&g, buf_span(&text));
		text.text[at] ^= 1;
	}
	assert_allowed(&g, text.text);
	assert_refused(&g, buf_span(&text));	/* allowed once only */
	assert_refused(&g, SPAN("touch /etc/x\n"));
	assert_refused(&g, SPAN("configure terminal\n"));
	assert_allowed(&g, "exit\n");
	send_filter_done(&g);
	buf_done(&known);
	buf_done(&text);
}

static void a_script_that_only_looks_may_be_said_once_word_for_word(void **state)
{
	struct buf look = { 0 };
	struct fix_plan p;

	(void)state;
	fix_plan_init(&p);
	p.id = "P-20261121-4f2a";
	GROW(p.steps, p.n_steps, p.cap_steps)->device = "node1";
	p.n_steps++;
	device_undo_look(&p, 0, BY("alice@console1 pid 4711"), &look);
	assert_transcript(&linux_platform, look.text, false);
	assert_transcript(&os10_platform, look.text, false);
	/* Without a permit it is rejected like any other text. */
	struct send_filter g;
	send_filter_init(&g, talk_way_find(WAY_CLI), NONCE, NULL);
	send_filter_identified(&g, &os10_platform);
	assert_refused(&g, SPAN("system bash\n"));
	send_filter_done(&g);
	buf_done(&look);
	fix_plan_done(&p);
}

/* A test of links keeps the session's input, and is otherwise as strictly bound to its one script; a switch runs none. */
static void a_script_that_tests_links_may_be_said_once_word_for_word(void **state)
{
	const char *const words[] = { "ib_write_bw", "-d", "mlx5_0", NULL };
	const struct node_test t = { .id = 1, .words = words, .limit_s = 20, .port = 18515 };
	struct buf script = { 0 }, look = { 0 }, known = { 0 };
	struct send_filter g;

	(void)state;
	assert_true(node_script(&t, 1, &script));
	assert_transcript(&linux_platform, script.text, true);
	talk_way_find(WAY_SH)->looking(NONCE, script.text, &look);
	send_filter_init(&g, talk_way_find(WAY_SH), NONCE, NULL);
	send_filter_let_test(&g, script.text);
	collector_identify(NONCE, &known);
	assert_allowed(&g, known.text);
	send_filter_identified(&g, &linux_platform);
	assert_refused(&g, buf_span(&look));	/* not in the other form */
	send_filter_done(&g);
	send_filter_init(&g, talk_way_find(WAY_CLI), NONCE, NULL);
	send_filter_let_test(&g, script.text);
	send_filter_identified(&g, &os10_platform);
	assert_refused(&g, SPAN("system bash\n"));
	send_filter_done(&g);
	buf_done(&script);
	buf_done(&look);
	buf_done(&known);
}

static void with_a_permit_what_was_planned_may_be_said(void **state)
{
	struct err err;
	struct write_permit *permit = write_permit_new("a test", 0, &err);
	struct send_filter g;

	(void)state;
	send_filter_init(&g, talk_way_find(WAY_SH), NONCE, permit);
	assert_allowed(&g, "echo 1 >/sys/x\n");
	send_filter_done(&g);
	write_permit_free(permit);
}

/* -- a faulty session, against the lab -- */

struct mad {
	struct lab lab;
	struct inventory inv;
	uv_loop_t loop;
	struct talk_hooks sane;
	struct talk *talk;
	const char *says;	/* what it sends in addition */
	bool at_once;
	struct buf said;
	bool is_late;
	char log[64];
};

static void mad_identified(void *ctx, const struct platform *p, struct span text)
{
	struct mad *m = ctx;

	m->sane.identified(m->sane.ctx, p, text);
	buf_str(&m->talk->out, m->says);
}

static void mad_failed(void *ctx, const char *reason)
{
	struct mad *m = ctx;

	m->sane.failed(m->sane.ctx, reason);
}

static struct talk *mad_talk(void *ctx, const struct talk_way *way, const char *nonce, const struct talk_hooks *hooks)
{
	struct mad *m = ctx;
	struct talk_hooks own = { .ctx = m, .identified = mad_identified, .failed = mad_failed };

	m->sane = *hooks;
	m->talk = way->read(nonce, NULL, &own);
	if (m->at_once)
		buf_str(&m->talk->out, m->says);
	return m->talk;
}

static void observed(void *ctx, struct obs *o)
{
	obs_print(o, &((struct mad *)ctx)->said);
}

static void on_late(uv_timer_t *timer)
{
	((struct mad *)timer->data)->is_late = true;
}

static void assert_not_heard(struct mad *m, const char *device)
{
	struct write_way way = { .ctx = m, .talk = mad_talk };
	char path[96], identity[96];
	struct poller_options options = { .only = &device, .n_only = 1, .hostkey = HOSTKEY_STRICT, .known_hosts = path,
					  .identity = identity };
	struct poller *p;
	uv_timer_t guard;
	size_t size;

	snprintf(path, sizeof(path), "%s/known_hosts", m->lab.dir);
	snprintf(identity, sizeof(identity), "%s/client_key", m->lab.dir);
	buf_clear(&m->said);
	p = poller_new(&m->loop, &m->inv, &options, &(struct poller_hooks){ .ctx = m, .observed = observed });
	poller_become_errand(p, &way);
	poller_start(p);
	uv_timer_init(&m->loop, &guard);
	guard.data = m;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!m->is_late && !(m->said.n && strstr(m->said.text, "state = refused")))
		uv_run(&m->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	poller_free(p);
	uv_run(&m->loop, UV_RUN_DEFAULT);
	if (!m->said.n || !strstr(m->said.text, "is not a read-only command"))
		fail_msg("%s: %s", device, m->said.n ? m->said.text : "nothing was said");
	char *log = file_text(m->log, &size);
	assert_non_null(log);
	assert_null(strstr(log, "reboot"));
	free(log);
}

static void a_talk_that_says_more_is_not_heard_by_the_device(void **state)
{
	static const char *const devices[] = { "node1", "leaf1" };
	struct mad m = { .log = "/tmp/fabcon-heard.XXXXXX" };
	struct err err;
	size_t size;
	int fd = mkstemp(m.log);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_true(LAB(&m.lab, "--nodes", "1", "--leaves", "1", "--switch-os", "os10", "--log", m.log));
	char *text = file_text(m.lab.inventory, &size);
	inventory_init(&m.inv);
	assert_true(inventory_read(&m.inv, (struct span){ text, size }, m.lab.inventory, &err));
	uv_loop_init(&m.loop);
	for (size_t i = 0; i < 2; i++) {
		m.says = "reboot\n";
		m.at_once = false;
		assert_not_heard(&m, devices[i]);
		m.at_once = true;
		assert_not_heard(&m, devices[i]);
		m.at_once = false;
		m.says = i ? "show version; reboot\n" : "live; reboot\n";
		assert_not_heard(&m, devices[i]);
	}
	assert_int_equal(uv_loop_close(&m.loop), 0);
	inventory_done(&m.inv);
	buf_done(&m.said);
	free(text);
	lab_stop(&m.lab);
	unlink(m.log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_question_of_a_command_line_may_be_asked),
		cmocka_unit_test(nothing_but_questions_may_be_typed),
		cmocka_unit_test(a_shell_is_told_the_collector_and_its_words_and_no_more),
		cmocka_unit_test(a_program_that_differs_in_one_byte_is_refused),
		cmocka_unit_test(a_session_that_nobody_guards_says_nothing),
		cmocka_unit_test(a_script_that_only_looks_may_be_said_once_word_for_word),
		cmocka_unit_test(a_script_that_tests_links_may_be_said_once_word_for_word),
		cmocka_unit_test(with_a_permit_what_was_planned_may_be_said),
		cmocka_unit_test(a_talk_that_says_more_is_not_heard_by_the_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
