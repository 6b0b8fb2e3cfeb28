#include "tui/commands/bringup_traffic.h"

#include <stdio.h>

#include "tui/bringup/sending.h"
#include "tui/fixing/write_mode.h"
#include "tui/session/read_fabric.h"

#define SLICE_US	(INT64_C(100) * 1000)

struct waiting {
	const struct cli *cli;
	struct sending *sending;
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
	return true;
}

unsigned bringup_traffic_extras(const struct cli *cli)
{
	return (cli->across ? 1u << BRINGUP_CROSS_LEAF : 0) | (cli->lossy ? 1u << BRINGUP_LOSSY : 0);
}

static void said(void *ctx, const char *line)
{
	const struct waiting *w = ctx;

	if (!w->cli->quiet)
		fprintf(stderr, "%s\n", line);
}

static void done(void *ctx)
{
	((struct waiting *)ctx)->is_done = true;
}

/* Ctrl-C ends the tests, and what was measured is told all the same. */
static void run_to_the_end(struct waiting *w)
{
	while (!w->is_done) {
		int signal = read_fabric_interrupted();

		if (!signal) {
			read_fabric_run(SLICE_US);
			continue;
		}
		if (!w->interrupted_by)
			sending_stop(w->sending);
		w->interrupted_by = signal;
		uv_run(read_fabric_loop(), UV_RUN_ONCE);
	}
}

bool bringup_traffic_send(struct cli *cli, struct session *s, const struct bringup_rack *rack, struct bringup_record *record)
{
	const char *forbidden = write_mode_forbidden(session_is_replay(s), cli->read_only, session_policy(s));
	struct write_mode mode = { 0 };
	struct waiting w = { .cli = cli };
	struct err err;

	if (forbidden || !write_mode_begin(&mode, cli->reason, &err)) {
		cli->answer = EXIT_REFUSED;
		return complain(0, "--traffic: %s", forbidden ? forbidden : err.text) != 0;
	}
	w.sending = sending_new(&(struct sending_options){
		.loop = read_fabric_loop(), .session = s, .permit = mode.permit, .record = record, .extras = bringup_traffic_extras(cli),
		.ctx = &w, .said = said, .done = done,
		.poller = { .hostkey = cli->hostkey, .identity = cli->identity, .use_agent = !cli->no_agent,
			    .known_hosts = session_known_hosts(s) } }, rack, NULL, NULL, &err);
	run_to_the_end(&w);
	sending_free(w.sending);
	uv_run(read_fabric_loop(), UV_RUN_NOWAIT);
	write_mode_end(&mode);
	if (w.interrupted_by)
		cli->answer = 128 + w.interrupted_by;
	return !w.interrupted_by;
}
