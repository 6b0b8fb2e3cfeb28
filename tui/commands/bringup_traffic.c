#include "tui/commands/bringup_traffic.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/bringup/traffic_run.h"
#include "tui/fixing/write_mode.h"
#include "tui/session/read_fabric.h"

#define SLICE_US	(INT64_C(100) * 1000)
#define TEST_S		5
#define TEST_QPS	4
#define TEST_MESSAGE	65536

struct sending {
	const struct cli *cli;
	struct session *session;
	struct bringup_test_plan plan;
	struct write_mode mode;
	struct traffic_run *run;
	bool is_done;
	int interrupted_by;
};

bool bringup_traffic_may(const struct cli *cli)
{
	if (cli->replay)
		return complain(0, "--traffic: a replay sends nothing") != 0;
	if (!cli->reason || !*cli->reason)
		return complain(0, "--traffic needs --reason TEXT, for the audit: a ticket number") != 0;
	if (cli->watch_us >= 0)
		return complain(0, "--traffic: not with --watch, which would send it again and again") != 0;
	if (!strcmp(cli->format_name, "junit"))
		return complain(0, "--traffic: -o junit has the stages alone; use json or csv") != 0;
	return true;
}

static void said(void *ctx, const char *line)
{
	const struct sending *t = ctx;

	if (!t->cli->quiet)
		fprintf(stderr, "%s\n", line);
}

static void tested(void *ctx, const struct bringup_test *test)
{
	bringup_record_test(((struct sending *)ctx)->session, test);
}

static void done(void *ctx)
{
	((struct sending *)ctx)->is_done = true;
}

static void say_plan(struct sending *t, struct bringup_record *record)
{
	struct buf words = { 0 };

	bringup_test_plan_words(&t->plan, &words);
	said(t, words.text);
	for (size_t i = 0; i < t->plan.n_skips; i++) {
		const struct bringup_skip *s = &t->plan.skips[i];

		buf_clear(&words);
		buf_printf(&words, "not tested: %s%s%s: %s", s->unit->host, s->unit->nic ? " " : "", s->unit->nic ? s->unit->nic : "", s->why);
		said(t, words.text);
		bringup_record_untested(record, t->session, s);
	}
	buf_done(&words);
}

/* Ctrl-C ends the tests, and what was measured is told all the same. */
static void run_to_the_end(struct sending *t)
{
	while (!t->is_done) {
		int signal = read_fabric_interrupted();

		if (!signal) {
			read_fabric_run(SLICE_US);
			continue;
		}
		if (!t->interrupted_by)
			traffic_run_stop(t->run);
		t->interrupted_by = signal;
		uv_run(read_fabric_loop(), UV_RUN_ONCE);
	}
}

bool bringup_traffic_send(struct cli *cli, struct session *s, const struct bringup_rack *rack, const struct bringup_fabric *f,
			  struct bringup_record *record)
{
	const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF, .loads = 2 };
	const struct bringup_load load = { .seconds = TEST_S, .qps = TEST_QPS, .message = TEST_MESSAGE };
	const struct poller_options options = { .hostkey = cli->hostkey, .identity = cli->identity, .use_agent = !cli->no_agent,
						.known_hosts = session_known_hosts(s) };
	const char *forbidden = write_mode_forbidden(session_is_replay(s), cli->read_only, session_policy(s));
	struct sending t = { .cli = cli, .session = s };
	struct err err;

	if (forbidden || !write_mode_begin(&t.mode, cli->reason, &err)) {
		cli->answer = EXIT_REFUSED;
		return complain(0, "--traffic: %s", forbidden ? forbidden : err.text) != 0;
	}
	bringup_test_plan_make(&t.plan, rack, f, session_policy(s), &wishes, &load);
	record->has_traffic = true;
	say_plan(&t, record);
	t.run = traffic_run_new(read_fabric_loop(), s, &options, t.mode.permit, &t.plan, &record->tests,
				&(struct traffic_hooks){ .ctx = &t, .said = said, .tested = tested, .done = done });
	run_to_the_end(&t);
	traffic_run_free(t.run);
	uv_run(read_fabric_loop(), UV_RUN_NOWAIT);
	write_mode_end(&t.mode);
	bringup_test_plan_done(&t.plan);
	return !t.interrupted_by;
}
