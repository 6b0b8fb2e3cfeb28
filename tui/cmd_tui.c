#include <locale.h>
#include <unistd.h>

#include "tui/app.h"
#include "tui/commands.h"
#include "tui/config.h"

/* The recording is the caller's; what is live is opened here, its questions answered on the screen. */
static struct session *open_session(struct cli *cli, uv_loop_t *loop, struct app *app, struct err *err)
{
	struct session_hooks hooks;
	struct session_options options = {
		.inventory = cli->inventory, .policy = cli->policy, .plan = cli->plan, .record = cli->record,
		.poller = { .live_us = cli->every_us, .hostkey = cli->hostkey, .identity = cli->identity,
			    .use_agent = !cli->no_agent },
	};

	if (cli->replay)
		return cli->replay;
	app_hooks(app, &hooks);
	if (cli->no_input || (cli->plain && !isatty(STDIN_FILENO)))	/* a script's lines are no answers */
		hooks.ask = NULL;
	return session_live(loop, &options, &hooks, err);
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
	struct app_options options = {
		.loop = &loop, .theme = cli->color && strcmp(cli->color, "never") == 0 ? "mono" : cli->theme, .ascii = cli->ascii, .plain = cli->plain,
		.screen = cli->n_args ? cli->args[0] : NULL,
		.braille = cli->braille, .mouse = cli->mouse, .local_times = !cli->utc,
		.keeps_state = true, .is_fresh = cli->fresh,
		.remark = cli->config->n_problems ? cli->config->problems[0] : NULL,
	};
	struct session *session = NULL;
	struct app *app;
	bool ok;

	if (!cli->plain && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return complain(EXIT_USAGE, "the console needs a terminal; without one: fabcon --plain, status, ports, findings");
	uv_loop_init(&loop);
	app = app_new(&options, &err);
	ok = app && (session = open_session(cli, &loop, app, &err)) != NULL && app_run(app, session, &err);
	if (session != cli->replay)
		session_free(session);
	close_loop(&loop);
	app_free(app);
	return ok ? EXIT_DONE : complain(EXIT_USAGE, "%s", err.text);
}
