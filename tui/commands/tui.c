/* fabcon tui: the console, or its first run. */
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/commands/commands.h"
#include "tui/console/app.h"
#include "tui/console/first_run.h"
#include "tui/session/config.h"
#include "tui/text/files.h"

static struct poller_options poller_of(const struct cli *cli)
{
	return (struct poller_options){ .live_us = cli->every_us, .hostkey = cli->hostkey, .identity = cli->identity,
					.use_agent = !cli->no_agent, .fabric_ports = cli->fabric_ports,
					.fills = cli->ping_neighbors };
}

static struct session_options session_of(const struct cli *cli)
{
	return (struct session_options){ .inventory = cli->inventory, .policy = cli->policy, .plan = cli->plan,
					 .record = cli->record, .nccl = cli->nccl, .poller = poller_of(cli) };
}

/* The recording is the caller's; what is live is opened here, its questions answered on the screen. */
static struct session *open_session(struct cli *cli, uv_loop_t *loop, struct app *app, bool is_tried, struct err *err)
{
	struct session_options options = session_of(cli);
	struct session_hooks hooks;

	options.poller.room = is_tried ? FIRSTRUN_OFFERS_MAX : 0;
	if (cli->replay)
		return cli->replay;
	app_hooks(app, &hooks);
	if (cli->no_input || (cli->plain && !isatty(STDIN_FILENO)))	/* a script's lines are no answers */
		hooks.ask = NULL;
	return session_live(loop, &options, &hooks, err);
}

struct opening {
	struct cli *cli;
	uv_loop_t *loop;
	struct app *app;
	struct session *session;
};

/* What is only tried is not recorded. */
static struct session *reopen(void *ctx, const char *inventory, bool stays, struct err *err)
{
	struct opening *o = ctx;
	struct cli with = *o->cli;
	struct session *s;

	with.inventory = inventory;
	with.record = stays ? o->cli->record : NULL;
	s = open_session(&with, o->loop, o->app, !stays, err);
	if (!s)
		return NULL;
	session_free(o->session);
	o->session = s;
	return s;
}

static bool keep(void *ctx, const char *inventory, struct err *err)
{
	struct opening *o = ctx;
	struct session_options options = session_of(o->cli);

	options.inventory = inventory;
	return session_keep(o->session, &options, err);
}

/* Nobody has kept an inventory yet. */
static bool are_names_new(const struct cli *cli)
{
	char *path = config_path("inventory.yml");
	bool is_new = cli->is_named && !cli->replay && path && access(path, F_OK) != 0;

	free(path);
	return is_new;
}

static void close_handle(uv_handle_t *handle, void *ctx)
{
	(void)ctx;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void close_loop(uv_loop_t *loop)
{
	uv_walk(loop, close_handle, NULL);
	uv_run(loop, UV_RUN_DEFAULT);
	uv_loop_close(loop);
}

int cmd_tui(struct cli *cli)
{
	struct err err = { "" };
	uv_loop_t loop;
	struct opening opening = { .cli = cli, .loop = &loop };
	bool is_first = !cli->inventory && !cli->replay;
	struct app_options options = {
		.loop = &loop, .theme = cli->color && strcmp(cli->color, "never") == 0 ? "mono" : cli->theme, .ascii = cli->ascii,
		.plain = cli->plain, .screen = cli->n_args ? cli->args[0] : NULL,
		.braille = cli->braille, .mouse = cli->mouse, .local_times = !cli->utc,
		.keeps_state = true, .is_fresh = cli->fresh, .poller = poller_of(cli), .is_read_only = cli->read_only,
		.needs_signature = cli->needs_signature, .undo_us = cli->undo_us, .verify_us = cli->verify_us,
		.armed_for = cli->rw ? cli->reason ? cli->reason : "" : NULL,
		.remark = cli->config->n_problems ? cli->config->problems[0] : NULL,
		.reopen = is_first ? reopen : NULL, .keep = keep, .ctx = &opening,
		.names = cli->replay ? NULL : cli->inventory, .names_are_new = are_names_new(cli),
	};
	bool ok;

	if (!cli->plain && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return complain(EXIT_USAGE, "the console needs a terminal; without one: fabcon --plain, status, ports, findings");
	if (is_first && !isatty(STDIN_FILENO))
		return complain_of_no_inventory();
	uv_loop_init(&loop);
	opening.app = app_new(&options, &err);
	ok = opening.app && (opening.session = open_session(cli, &loop, opening.app, false, &err)) != NULL &&
	     app_run(opening.app, opening.session, &err);
	if (opening.session != cli->replay)
		session_free(opening.session);
	close_loop(&loop);
	app_free(opening.app);
	return ok ? EXIT_DONE : complain(EXIT_USAGE, "%s", err.text);
}
