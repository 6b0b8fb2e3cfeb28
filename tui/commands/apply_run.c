#include "tui/commands/apply_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/args/prompt.h"
#include "tui/commands/apply_report.h"
#include "tui/fixing/fixing.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"
#include "tui/widgets/table.h"

#define KEEP_QUESTION	UINT32_MAX	/* no id of the transport's */
#define N_SIGNALS	3

struct carrying {
	struct cli *cli;
	enum fixer_goal goal;
	uv_loop_t loop;
	uv_signal_t signals[N_SIGNALS];
	struct session *session;	/* tells the recording; it polls nothing */
	struct fixing *fixing;
	struct {
		enum fix_state state;
		uint64_t words;		/* their key */
	} *shown;			/* by step */
	void (*ask)(void *ctx, unsigned id, const struct question *q);	/* NULL: nobody to ask */
	bool has_ended, has_left, is_asked;
	int interrupted_by;		/* the first signal */
};

/* Progress, a line each to standard error: -q has none but what went wrong. */

static void say_line(const char *device, const char *text)
{
	struct buf safe = { 0 };

	safe_add(&safe, span_of(text), false);
	fprintf(stderr, "%s: %s\n", device, safe.text ? safe.text : "");
	buf_done(&safe);
}

static void say_step(const struct carrying *c, size_t i, const struct fix_progress *p)
{
	struct buf line = { 0 };

	fixing_say_step(p, &line);
	say_line(fixing_plan(c->fixing)->steps[i].device, line.text);
	buf_done(&line);
}

/* Where a plan does not fit what is there: how they differ. */
static void say_diff(const struct fix_progress *p)
{
	struct span rest = span_of(p->diff), line;
	struct buf safe = { 0 };

	while (span_line(&rest, &line)) {
		buf_clear(&safe);
		safe_add(&safe, line, false);
		fprintf(stderr, "  %s\n", safe.text ? safe.text : "");
	}
	buf_done(&safe);
}

static void say_progress(struct carrying *c)
{
	struct fix_progress p;

	for (size_t i = 0; i < fixing_plan(c->fixing)->n_steps; i++) {
		fixing_progress(c->fixing, i, &p);
		if (p.state == c->shown[i].state && (p.state != FIX_UNDOING || table_key(p.words) == c->shown[i].words))
			continue;
		c->shown[i].state = p.state;
		c->shown[i].words = table_key(p.words);
		if (c->cli->quiet)
			continue;
		say_step(c, i, &p);
		if (p.diff && (fix_state_is_final(p.state) || p.state == FIX_MIXED))
			say_diff(&p);
	}
}

/* -- waiting for a person to keep it -- */

static void leave(struct carrying *c)
{
	c->has_left = true;
	uv_stop(&c->loop);
}

static void ask_to_keep(struct carrying *c)
{
	char *text = xasprintf("Verified. Keep? (no = roll back now; no answer = the device rolls back when its timer expires)");
	struct question q = { .host = fixing_plan(c->fixing)->id, .text = text, .is_yes_no = true };

	c->is_asked = true;
	c->ask(NULL, KEEP_QUESTION, &q);
	free(text);
}

static void answered(void *ctx, unsigned id, const char *text)
{
	struct carrying *c = ctx;

	if (!c->fixing || c->has_ended)
		return;
	if (id != KEEP_QUESTION) {
		fixing_answer(c->fixing, id, text);
		return;
	}
	c->is_asked = false;
	if (text && (strcasecmp(text, "y") == 0 || strcasecmp(text, "yes") == 0))
		fixing_keep(c->fixing);
	else
		fixing_undo(c->fixing);
}

/* -- hooks -- */

static void changed(void *ctx)
{
	struct carrying *c = ctx;

	if (!c->fixing || c->has_ended)
		return;
	say_progress(c);
	if (!fixer_is_waiting(fixing_fixer(c->fixing)) || c->is_asked || c->interrupted_by)
		return;
	if (c->ask)
		ask_to_keep(c);
	else
		leave(c);
}

static void asked(void *ctx, unsigned id, const struct question *q)
{
	struct carrying *c = ctx;

	c->ask(NULL, id, q);
}

static void ended(void *ctx)
{
	struct carrying *c = ctx;

	c->has_ended = true;
	uv_stop(&c->loop);
}

/* What the first interrupt does, by goal. */
static const char *const first_words[] = {
	[FIXER_APPLY]  = "rolling back what is not committed yet",
	[FIXER_KEEP]   = "waiting for the devices that were asked to commit",
	[FIXER_UNDO]   = "the rollback goes on to its end",
	[FIXER_FINISH] = "no further link is begun; the summary reports the state of the current one",
};

/* The first takes back what was begun and waits for it; another leaves at once. A terminal that is gone is said once. */
static void interrupted(uv_signal_t *handle, int number)
{
	struct carrying *c = handle->data;
	bool is_first = !c->interrupted_by;

	if (!is_first && number == SIGHUP)
		return;
	if (!is_first || c->goal == FIXER_LOOK || c->goal == FIXER_REHEARSE) {
		c->interrupted_by = number;
		leave(c);
		return;
	}
	c->interrupted_by = number;
	fprintf(stderr, "fabcon: %s; Ctrl-C again quits at once\n", first_words[c->goal]);
	fixing_undo(c->fixing);
}

/* -- beginning and end -- */

static void watch_signals(struct carrying *c)
{
	static const int numbers[N_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < N_SIGNALS; i++) {
		uv_signal_init(&c->loop, &c->signals[i]);
		c->signals[i].data = c;
		uv_signal_start(&c->signals[i], interrupted, numbers[i]);
	}
}

static bool begin(struct carrying *c, struct fix_plan *plan, const struct write_mode *arming, struct err *err)
{
	const struct cli *cli = c->cli;
	struct session_options with = {
		.inventory = cli->inventory, .policy = cli->policy, .plan = cli->plan, .record = cli->record, .is_told = true,
	};
	struct fixer_options options = {
		.goal = c->goal, .confirm_us = cli->confirm_us > 0 ? cli->confirm_us : cli->undo_us,
		.waits = cli->confirm_us > 0, .without_undo = cli->no_undo, .management = cli->management, .skips_save = cli->no_save,
		.poller = { .live_us = cli->every_us, .hostkey = cli->hostkey, .identity = cli->identity, .use_agent = !cli->no_agent },
	};
	struct fixing_hooks hooks = { .ctx = c, .changed = changed, .ask = c->ask ? asked : NULL, .ended = ended };

	c->session = session_live(&c->loop, &with, NULL, err);
	if (!c->session)
		return false;
	options.poller.known_hosts = session_known_hosts(c->session);
	c->shown = xcalloc(plan->n_steps + 1, sizeof(*c->shown));
	prompt_begin(&c->loop, answered, c);
	c->fixing = fixing_begin(&c->loop, plan, session_inventory(c->session), session_policy(c->session), arming, c->session,
				 &options, &hooks, err);
	if (c->fixing && arming && !cli->quiet)
		fprintf(stderr, "%s: begun (fabcon verify %s reads its state)\n", fixing_plan(c->fixing)->id, fixing_plan(c->fixing)->id);
	return c->fixing != NULL;
}

/* "node1 takes itself back in 432 s": what goes on without us. Whether there is anything, and whether anything is in doubt. */
static bool say_what_goes_on(const struct carrying *c, struct buf *words)
{
	int64_t now_us = (int64_t)(uv_hrtime() / 1000);
	bool is_open = false;
	struct fix_progress p;

	for (size_t i = 0; i < fixing_plan(c->fixing)->n_steps; i++) {
		const char *device = fixing_plan(c->fixing)->steps[i].device;

		fixing_progress(c->fixing, i, &p);
		if (p.undo_at_us > now_us)
			buf_printf(words, "; %s rolls back in %lld s", device, (long long)((p.undo_at_us - now_us) / 1000000));
		else if (p.state != FIX_PLANNED && p.state != FIX_READING && !fix_state_is_final(p.state))
			buf_printf(words, "; %s was left %s", device, fix_state_says(p.state));
		else
			continue;
		is_open = true;
	}
	return is_open;
}

/* We go before it has ended: it waits for a person, or a person was in a hurry. */
static int left(const struct carrying *c, const char **end, struct buf *words)
{
	const char *id = fixing_plan(c->fixing)->id;
	bool waits = !c->interrupted_by;

	*end = waits ? "waits" : "left";
	buf_str(words, waits ? "verified, waiting for keep" : "left unfinished");
	if (!say_what_goes_on(c, words))
		return waits ? EXIT_DONE : 128 + c->interrupted_by;
	buf_printf(words, waits ? "; fabcon keep %s --rw keeps it" : "; fabcon verify %s reads its state", id);
	return waits ? EXIT_DONE : EXIT_DOUBT;
}

static int over(const struct carrying *c, const char **end, struct buf *words)
{
	static const char *const ends[] = {
		[FIXER_DONE] = "done", [FIXER_TAKEN_BACK] = "rolled back", [FIXER_DOUBT] = "in doubt", [FIXER_REFUSED] = "refused",
		[FIXER_NOT_REACHED] = "not reached", [FIXER_PARTLY] = "in part", [FIXER_HALF] = "half",
		[FIXER_HALF_OPEN] = "half, and not committed", [FIXER_HALF_TIMED] = "half until the timers end it", [FIXER_UNSAVED] = "not saved",
		[FIXER_NOT_UNDONE] = "not rolled back",
	};
	int code = fixing_code(c->fixing, words);

	*end = ends[fixer_end(fixing_fixer(c->fixing))];
	return code;
}

static int say_end(struct carrying *c)
{
	struct apply_report said = { .fixing = c->fixing, .goal = c->goal };
	struct buf words = { 0 };
	int code = c->has_ended ? over(c, &said.end, &words) : left(c, &said.end, &words);

	say_progress(c);
	said.words = words.text;
	apply_report(c->cli, &said);
	if (!c->cli->quiet || code != EXIT_DONE)
		say_line(fixing_plan(c->fixing)->id, words.text);
	buf_done(&words);
	return code;
}

static void close_handle(uv_handle_t *handle, void *unused)
{
	(void)unused;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void end(struct carrying *c)
{
	prompt_end();
	fixing_free(c->fixing);
	c->fixing = NULL;
	session_free(c->session);
	for (size_t i = 0; i < N_SIGNALS; i++)
		close_handle((uv_handle_t *)&c->signals[i], NULL);
	uv_run(&c->loop, UV_RUN_DEFAULT);
	uv_walk(&c->loop, close_handle, NULL);
	uv_run(&c->loop, UV_RUN_DEFAULT);
	uv_loop_close(&c->loop);
	free(c->shown);
}

int carry(struct cli *cli, struct fix_plan *plan, const struct write_mode *arming, enum fixer_goal goal)
{
	struct carrying c = { .cli = cli, .goal = goal, .ask = cli->no_input ? NULL : prompt_hook() };
	struct err err = { "" };
	int code;

	uv_loop_init(&c.loop);
	watch_signals(&c);
	if (begin(&c, plan, arming, &err)) {
		while (!c.has_ended && !c.has_left)
			uv_run(&c.loop, UV_RUN_DEFAULT);
		code = say_end(&c);
	} else {
		apply_report_refusal(cli, plan, err.text);
		code = complain(c.session ? EXIT_REFUSED : EXIT_USAGE, "%s", err.text);
	}
	end(&c);
	return code;
}
