/*
 * The console: the loop of keys, time and pictures over a session. It alone acts on intents. Those about the time, notes,
 * the inventory and the look go to the file of that noun in this folder; those about fixes go to fix_controller, and nothing
 * else writes to a device. Whatever ends it, the terminal is given back as it was.
 *
 *	app = app_new(&options);		before the session: it answers the session's questions
 *	app_hooks(app, &hooks);
 *	session = session_live(loop, …, &hooks, &err);
 *	app_run(app, session, &err);		until the person quits
 *	session_free(session); app_free(app);
 */
#ifndef TUI_CONSOLE_APP_H
#define TUI_CONSOLE_APP_H

#include "tui/session/session.h"

struct app;

struct app_options {
	uv_loop_t *loop;
	const char *theme;	/* name, or NULL: as last time, or auto; NO_COLOR in the environment: mono */
	bool ascii;		/* signs in ASCII, whatever the locale says */
	bool braille, mouse, local_times;
	bool plain;		/* lines instead of a picture; needs no terminal */
	const char *screen;	/* "ports": the one to begin on; NULL: overview */
	bool keeps_state, is_fresh;	/* what tui/console/state.h keeps is kept; and not taken up this time */
	/*
	 * Not NULL: there is no inventory, and the console begins as the form that makes one. Opens the session anew on an
	 * inventory (the one before is freed), to try it or to stay with it; NULL, and why, when it cannot be read. keep: goes on
	 * with the inventory in the session that is there, with its connections; false, and why, when that cannot be.
	 */
	struct session *(*reopen)(void *ctx, const char *inventory, bool stays, struct err *err);
	bool (*keep)(void *ctx, const char *inventory, struct err *err);
	void *ctx;
	struct poller_options poller;	/* how devices are reached when one is changed */
	int64_t undo_us, verify_us;	/* --undo-after, --verify-for; 0: as usual */
	const char *armed_for;	/* it begins armed, for this reason; NULL: read-only */
	bool is_read_only;	/* nothing is ever changed from here, as configured */
	bool needs_signature;	/* approval: signature */
	const char *names;	/* the hosts as they were named; NULL: none were */
	bool names_are_new;	/* on the command line, and there is no usual inventory: how to keep them is said */
	const char *remark;	/* to be said when it begins: what is wrong in the configuration; NULL: nothing */
};

struct app *app_new(const struct app_options *options, struct err *err);
void app_free(struct app *a);
void app_hooks(struct app *a, struct session_hooks *out);

/* Needs a terminal on standard input and output. False, and why, when it could not begin or the terminal was closed. */
bool app_run(struct app *a, struct session *s, struct err *err);

#endif
