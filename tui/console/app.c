#include "tui/console/app.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/console/bringup_controller.h"
#include "tui/console/clipboard_export.h"
#include "tui/console/fix_controller.h"
#include "tui/console/inventory_control.h"
#include "tui/console/look_control.h"
#include "tui/console/mouse.h"
#include "tui/console/notes.h"
#include "tui/console/plain.h"
#include "tui/console/state.h"
#include "tui/console/timeline_control.h"
#include "tui/args/consent.h"
#include "tui/session/read_fabric.h"
#include "tui/text/files.h"
#include "tui/text/human.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/terminal.h"
#include "tui/widgets/themes.h"

#define TICK_MS 500	/* judging twice a second is the most a session does */
#define IDLE_TICKS 20	/* a paste that stands still for so long has lost its end */
#define KEEP_MS 60000	/* what a crash may lose */
#define FRAME_MS 40	/* keys typed faster share a frame */
#define SIGNALS 6

struct app {
	uv_loop_t *loop;
	struct session *session;
	struct stage stage;
	struct timeline_control timeline;
	struct notes notes;
	struct inventory_control inventory;
	struct fix_controller *fix;
	struct bringup_controller *bringup;
	struct terminal terminal;
	struct look_control look;
	bool is_running;
	unsigned idle_ticks;		/* without a key */
	bool is_plain, is_polled;	/* lines instead of curses; and they come from what can be watched */
	struct plain plain;
	int64_t began_us;
	struct session *(*reopen)(void *ctx, const char *inventory, bool stays, struct err *err);
	bool (*keep)(void *ctx, const char *inventory, struct err *err);
	void *reopen_ctx;
	uint64_t ticked_ms;		/* loop clock, for playing */
	bool is_dirty;
	struct state state;		/* kept from session to session */
	bool keeps_state, is_fresh, is_told_screen, is_told_theme;
	bool is_touched;		/* by a key that was not an answer */
	uint64_t kept_ms;		/* loop clock */
	bool is_waited_for;		/* a fix is taken back before the end */
	const char *ended;		/* why, when not by the person */
	uv_poll_t keys;
	uv_timer_t tick, frame;
	uv_signal_t signals[SIGNALS];
};

/* What is watched is an opening of its own, as with curses; what only a pipe or a file has is read as it is. */
static void begin_plain(struct app *a)
{
	a->terminal.tty = isatty(STDIN_FILENO) ? open(ttyname(STDIN_FILENO), O_RDONLY | O_NOCTTY | O_CLOEXEC) : -1;
	if (a->terminal.tty < 0)
		a->terminal.tty = dup(STDIN_FILENO);
	setlocale(LC_ALL, "");
	plain_begin(&a->plain, glyphs_of_look(&a->terminal.look)->is_ascii);
}

/* -- pictures -- */

static void view_now(const struct app *a, struct view_of *of)
{
	timeline_control_view(&a->timeline, of);
	notes_view(&a->notes, of);
	of->began_us = a->began_us;
	of->fix = fix_controller_view(a->fix);
	of->bringup = bringup_controller_now(a->bringup);
}

static void draw_now(struct app *a)
{
	struct view_of of;

	if (!a->terminal.is_begun)
		return;
	view_now(a, &of);
	stage_draw(&a->stage, &a->terminal.draw, &of);
	wnoutrefresh(stdscr);
	doupdate();
	a->is_dirty = false;
}

/* What was typed before it stands there was not meant for it; from then on nothing is lost. */
static void draw_question(struct app *a)
{
	flushinp();
	draw_now(a);
}

static void on_frame(uv_timer_t *timer)
{
	struct app *a = timer->data;

	if (a->is_dirty)
		draw_now(a);
}

static void want_frame(struct app *a)
{
	a->is_dirty = true;
	if (!uv_is_active((uv_handle_t *)&a->frame))
		uv_timer_start(&a->frame, on_frame, FRAME_MS, 0);
}

/* -- what is kept between sessions -- */

static bool zero_again(void *ctx, const struct port *p, enum field f, unsigned index, uint64_t value)
{
	return session_zero_at(((struct app *)ctx)->session, p, f, index, value);
}

static void take_up(struct app *a)
{
	struct view_of of;

	view_now(a, &of);
	state_take_up(&a->state, &a->stage, &of, a->is_touched, zero_again, a);
	if (a->state.n_lost)
		stage_say(&a->stage, "%zu counter baselines of the last session were dropped: the counters have been reset since.", a->state.n_lost);
	a->state.n_lost = 0;
}

static void begin_where_it_ended(struct app *a)
{
	bool is_known = session_is_replay(a->session) || session_inventory(a->session)->n_hosts;
	enum screen_id told = a->stage.screen;
	struct view_of of;
	struct err err;

	view_now(a, &of);
	state_init(&a->state, a->keeps_state && is_known ? of.fabric : NULL, of.is_replay);
	a->kept_ms = uv_now(a->loop);
	if (a->is_fresh)
		return;
	if (!state_load(&a->state, &a->stage, &of, &err))
		stage_say(&a->stage, "%s", err.text);
	if (a->is_told_screen)
		a->stage.screen = told;
	if (!a->is_told_theme)
		look_control_take_up(&a->look);
	take_up(a);
}

static void keep(struct app *a)
{
	struct view_of of;
	struct err err;

	a->kept_ms = uv_now(a->loop);
	view_now(a, &of);
	if (!state_keep(&a->state, &a->stage, &of, &err))
		stage_say(&a->stage, "This view will not be restored next time: %s", err.text);
}

static void plain_turn(struct app *a);

static void on_tick(uv_timer_t *timer)
{
	struct app *a = timer->data;
	uint64_t now_ms = uv_now(a->loop), passed_ms = now_ms - a->ticked_ms;
	bool has_moved = timeline_control_tick(&a->timeline, (int64_t)passed_ms * 1000), is_worked_on;
	struct view_of of;

	a->ticked_ms = now_ms;
	notes_tick(&a->notes);
	is_worked_on = fix_controller_tick(a->fix);
	is_worked_on = bringup_controller_tick(a->bringup) || is_worked_on;
	if (is_worked_on) {
		has_moved = true;
		a->timeline.serial++;
	}
	take_up(a);
	if (now_ms - a->kept_ms > KEEP_MS)
		keep(a);
	if (a->idle_ticks++ == IDLE_TICKS)
		stage_idle(&a->stage);
	if (a->is_plain) {
		plain_turn(a);
		return;
	}
	view_now(a, &of);
	if (inventory_control_offer(&a->inventory, &of) || has_moved || a->is_dirty)
		draw_now(a);
}

/* -- a session on another inventory -- */

/* The answers are counted anew. */
static void count_again(struct app *a)
{
	a->began_us = session_now(a->session);
	a->plain.answered = 0;
	a->plain.was_answered = false;
}

/* All that follows the session follows the new one. */
static bool reopen(void *ctx, const char *inventory, bool stays, struct err *err)
{
	struct app *a = ctx;
	uint64_t serial = a->timeline.serial;
	struct stage_place place;
	struct session *s;

	stage_leave(&a->stage, &place);
	bringup_controller_end(a->bringup);
	s = a->reopen(a->reopen_ctx, inventory, stays, err);
	if (!s)
		return false;
	a->session = s;
	timeline_control_begin(&a->timeline, s, &a->stage);
	fix_controller_begin(a->fix, s);
	bringup_controller_begin(a->bringup, s);
	notes_follow(&a->notes, s);
	a->timeline.serial = serial + 1;
	count_again(a);
	return true;
}

static bool keep_open(void *ctx, const char *inventory, struct err *err)
{
	struct app *a = ctx;
	struct stage_place place;

	stage_leave(&a->stage, &place);
	if (!a->keep(a->reopen_ctx, inventory, err))
		return false;
	count_again(a);
	return true;
}

/* -- intents -- */

static void stop(struct app *a, const char *why)
{
	a->is_running = false;
	a->ended = why;
	uv_stop(a->loop);
}

/* While a fix is being made, what becomes of it is asked first. */
static void quit(struct app *a)
{
	if (fix_controller_is_busy(a->fix))
		confirm_open(&a->stage.confirm, CONFIRM_LEAVE, fix_controller_view(a->fix));
	else
		stop(a, NULL);
}

static void leave(struct app *a, bool takes_back)
{
	if (takes_back)
		fix_controller_take_back(a->fix);
	a->is_waited_for = takes_back;
	stop(a, NULL);
}

/* Nobody is there to be asked: what was begun is taken back. A second time there is no time even for that. */
static void give_way(struct app *a, const char *why)
{
	leave(a, a->is_running && fix_controller_is_busy(a->fix));
	a->ended = why;
}

/* The terminal is a person's again; what was begun is taken back meanwhile, unless he or she does not wait for it. */
static void end_fix(struct app *a)
{
	struct buf left = { 0 };

	uv_timer_stop(&a->tick);
	if (a->is_polled)
		uv_poll_stop(&a->keys);
	if (fix_controller_is_busy(a->fix) && a->is_waited_for)
		fprintf(stderr, "Rolling back what was started; ^C leaves that to the devices' own rollback timers.\n");
	while (fix_controller_is_busy(a->fix) && a->is_waited_for) {
		uv_run(a->loop, UV_RUN_ONCE);
		fix_controller_tick(a->fix);
	}
	if (*a->stage.message && a->is_waited_for && !fix_controller_is_busy(a->fix))
		fprintf(stderr, "%s\n", a->stage.message);
	if (fix_controller_is_busy(a->fix))
		fix_controller_left_words(a->fix, &left);
	if (left.n)
		fputs(left.text, stderr);
	buf_done(&left);
	fix_controller_end(a->fix);
	bringup_controller_end(a->bringup);
}

static void refresh_devices(struct app *a, const char *device)
{
	if (!session_poller(a->session)) {
		stage_say(&a->stage, "This is a replay: no device is contacted.");
		return;
	}
	session_refresh(a->session, device);
	stage_say(&a->stage, "Asking %s again.", device ? device : "all devices");
}

static void fill_neighbors(struct app *a)
{
	if (!session_poller(a->session)) {
		stage_say(&a->stage, "This is a replay: no device is contacted.");
		return;
	}
	poller_fill(session_poller(a->session));
	stage_say(&a->stage, "Each host pings once on each port (IPv6 ff02::1); its neighbor table follows.");
}

static void snapshot(struct app *a, const char *name)
{
	char *path = typed_path(name);
	struct err err;

	if (session_snapshot(a->session, path, &err))
		stage_say(&a->stage, "The recording was written to %s; open it with fabcon replay.", path);
	else
		stage_say(&a->stage, "Not written: %s", err.text);
	free(path);
}

static void act(struct app *a, const struct intent *i);

/* A plan was opened for a key that needs one: the key is taken again. */
static void again(struct app *a, const struct intent *i)
{
	struct view_of of;
	struct intent then;

	if (i->is != INTENT_FIX_RESUME || !i->by)
		return;
	view_now(a, &of);
	if (!of.fix || !of.fix->plan)
		return;
	then = stage_command(&a->stage, &of, (enum command)i->by);
	act(a, &then);
}

static void act(struct app *a, const struct intent *i)
{
	struct view_of of;

	if (timeline_control_act(&a->timeline, i) || look_control_act(&a->look, i))
		return;
	view_now(a, &of);
	if (bringup_controller_act(a->bringup, i) || fix_controller_act(a->fix, &of, i) || notes_act(&a->notes, i) ||
	    inventory_control_act(&a->inventory, &of, i)) {
		a->timeline.serial++;
		again(a, i);
		return;
	}
	switch (i->is) {
	case INTENT_QUIT:	quit(a); break;
	case INTENT_LEAVE:	leave(a, i->by); break;
	case INTENT_SUSPEND:	terminal_suspend(&a->terminal); break;
	case INTENT_REDRAW:	clearok(stdscr, TRUE); break;
	case INTENT_FILL:	fill_neighbors(a); break;
	case INTENT_REFRESH:	refresh_devices(a, i->device); break;
	case INTENT_SNAPSHOT:	snapshot(a, i->text); break;
	case INTENT_ANSWER:
		session_answer(a->session, i->question, i->text);
		explicit_bzero(a->stage.given, sizeof(a->stage.given));
		break;
	case INTENT_NONE:
		stage_say(&a->stage, "That key does nothing here. %s lists the keys.",
			  key_show(key_of(DO_HELP, a->stage.screen)));
		break;
	default:
		view_now(a, &of);
		take(&a->stage, &of, i, STDOUT_FILENO, glyphs_of_look(&a->terminal.look)->is_ascii);
		break;
	}
}

/* -- without a picture -- */

/* A script's lines wait until there is something to ask about. */
static bool plain_is_due(struct app *a, struct poller_count *count)
{
	bool is_read = session_is_replay(a->session) || read_fabric_is_read(a->session, count);

	return is_read || !a->plain.is_script;
}

static void plain_type(struct app *a, struct buf *out)
{
	struct buf line = { 0 };
	struct view_of of;

	while (a->is_running && plain_next(&a->plain, &line)) {
		struct intent i;

		view_now(a, &of);
		i = plain_line(&a->stage, &of, line.text ? line.text : "");
		explicit_bzero(line.text, line.n);
		act(a, &i);
		timeline_control_settle(&a->timeline);
		a->timeline.serial++;
		view_now(a, &of);
		plain_result(&a->plain, &a->stage, &of, &i, out);
	}
	if (a->plain.is_ended)
		stop(a, NULL);
	buf_done(&line);
}

/* What has come to be known, what is asked, and what follows from the lines typed. */
static void plain_turn(struct app *a)
{
	bool is_first = !a->plain.has_news, was_answered;
	struct poller_count count = { 0 };
	struct buf out = { 0 };
	struct view_of of;

	if (!a->is_polled || !uv_is_active((uv_handle_t *)&a->keys))
		plain_read(&a->plain, a->terminal.tty);
	if (!plain_is_due(a, &count))
		return;
	timeline_control_settle(&a->timeline);	/* a line that is printed is not drawn again, with more history */
	if (a->plain.is_script && is_first)
		session_judge(a->session);
	view_now(a, &of);
	was_answered = a->plain.was_answered;
	plain_news(&a->plain, &of, count.first_round, count.hosts, &out);
	if (!a->plain.is_script && inventory_control_offer(&a->inventory, &of)) {
		buf_printf(&out, "%s\n", a->stage.message);
		a->stage.message[0] = '\0';
	}
	if (is_first || (a->stage.first.is == FIRSTRUN_FOUND && !was_answered && a->plain.was_answered) ||
	    (a->stage.questions.n && !a->stage.questions.was_drawn))
		plain_show(&a->plain, &a->stage, &of, &out);
	plain_type(a, &out);
	if (a->is_running && (out.n || !a->plain.is_awaited)) {
		if (a->plain.is_awaited)
			fputc('\n', stdout);
		if (out.n)
			fwrite(out.text, 1, out.n, stdout);
		buf_clear(&out);
		plain_prompt(&a->plain, &a->stage, &out);
	}
	if (out.n)
		fwrite(out.text, 1, out.n, stdout);
	if (fflush(stdout) != 0)
		stop(a, "the output was closed");
	buf_done(&out);
}

/* -- what the loop tells -- */

static struct intent mouse_key(struct app *a, const struct view_of *of)
{
	enum mouse_is what;
	int y, x;

	if (!mouse_read(uv_now(a->loop), &what, &y, &x))
		return (struct intent){ .is = INTENT_DONE };
	return stage_mouse(&a->stage, of, what, y, x);
}

static void on_keys(uv_poll_t *handle, int status, int events)
{
	struct app *a = handle->data;
	struct view_of of;
	size_t n = 0;
	int code;

	(void)events;
	if (a->is_plain) {
		plain_read(&a->plain, a->terminal.tty);
		if (a->plain.is_ended || a->plain.typed.n >= TYPED_MAX)
			uv_poll_stop(handle);	/* from now on, a tick reads */
		plain_turn(a);
		return;
	}
	while (a->is_running && n < 256 && (code = wgetch(stdscr)) != ERR) {
		struct intent i;

		n++;
		if (code == KEY_RESIZE)
			continue;
		a->is_touched |= !a->stage.questions.n;
		view_now(a, &of);
		i = code == KEY_MOUSE ? mouse_key(a, &of) : stage_key(&a->stage, &of, code);
		act(a, &i);
		/* A first question must be seen before a key can answer it. */
		if ((a->stage.questions.n && !a->stage.questions.was_drawn) || (a->stage.confirm.kind && !a->stage.confirm.was_drawn))
			draw_question(a);
	}
	if (!n && (status < 0 || terminal_is_gone()))
		give_way(a, "the terminal was closed");
	if (n)
		a->idle_ticks = 0;
	/* The first key paints at once; a burst shares the frames that follow. */
	if (n && !uv_is_active((uv_handle_t *)&a->frame)) {
		draw_now(a);
		uv_timer_start(&a->frame, on_frame, FRAME_MS, 0);
	} else if (n) {
		want_frame(a);
	}
}

static void end_by_signal(struct app *a, int signal)
{
	give_way(a, signal == SIGHUP ? "the terminal was closed" : NULL);
}

static void resize(struct app *a, int signal)
{
	(void)signal;
	terminal_measure(&a->terminal);
}

static void be_stopped(struct app *a, int signal)
{
	(void)signal;
	terminal_suspend(&a->terminal);
}

/* Stopped by whom we could not hear, too. */
static void go_on(struct app *a, int signal)
{
	(void)signal;
	terminal_resume(&a->terminal);
}

static const struct {
	int signal;
	void (*act)(struct app *a, int signal);
} signal_table[SIGNALS] = {
	{ SIGWINCH,	resize },
	{ SIGTSTP,	be_stopped },
	{ SIGCONT,	go_on },
	{ SIGTERM,	end_by_signal },
	{ SIGHUP,	end_by_signal },
	{ SIGINT,	end_by_signal },
};

static void on_signal(uv_signal_t *handle, int signal)
{
	struct app *a = handle->data;

	signal_table[handle - a->signals].act(a, signal);
	if (a->is_running)
		want_frame(a);
}

static void changed(void *ctx)
{
	(void)ctx;	/* a tick draws; twice a second is what eyes and judgement need */
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct app *a = ctx;

	stage_ask(&a->stage, id, q->host, q->text, q->is_secret, q->is_yes_no);
	if (q->n_lines)
		stage_ask_about(&a->stage, q->lines, q->n_lines);
	if (!a->terminal.is_begun || a->stage.questions.n > 1)
		return;
	draw_question(a);
}

/* -- beginning and ending -- */

static bool find_screen(const char *name, enum screen_id *out)
{
	return !name || screen_named(span_of(name), out);
}

/* A theme that is not to be had is said, and auto stands in for it. */
static void begin_look(struct app *a, const struct app_options *options)
{
	const char *no_colour = getenv("NO_COLOR"), *theme = options->theme ? options->theme : "auto";
	struct terminal *t = &a->terminal;
	struct err err;

	t->look = (struct look){
		.mouse = options->mouse, .local_times = options->local_times,
		.signs = options->ascii ? SIGNS_ASCII : options->braille ? SIGNS_BRAILLE : SIGNS_UTF8,
	};
	snprintf(t->look.theme, sizeof(t->look.theme), "%s", theme);
	human_use_local(options->local_times);
	t->no_colour = no_colour && *no_colour;
	if (!themes_find(&t->theme, t->no_colour ? "mono" : theme, &err)) {
		stage_say(&a->stage, "%s", err.text);
		themes_find(&t->theme, "auto", NULL);
	}
	a->is_told_theme = options->theme || t->no_colour;
	a->look = (struct look_control){ .terminal = t, .stage = &a->stage, .state = &a->state };
}

struct app *app_new(const struct app_options *options, struct err *err)
{
	struct app *a = xcalloc(1, sizeof(*a));

	a->loop = options->loop;
	a->is_plain = options->plain;
	begin_look(a, options);
	if (!find_screen(options->screen, &a->stage.screen)) {
		err_set(err, "no screen \"%s\"; there are" SCREEN_NAMES,
			options->screen);
		free(a);
		return NULL;
	}
	a->fix = fix_controller_new(&(struct fix_controller_options){.loop = a->loop,
								      .stage = &a->stage,
								      .poller = options->poller,
								      .undo_us = options->undo_us,
								      .verify_us = options->verify_us,
								      .armed_for = options->armed_for,
								      .is_read_only = options->is_read_only,
								      .needs_signature = options->needs_signature,
								      .ctx = a,
								      .ask = ask});
	a->bringup = bringup_controller_new(&(struct bringup_controller_options){ .loop = a->loop, .stage = &a->stage,
										  .poller = options->poller,
										  .is_read_only = options->is_read_only });
	a->keeps_state = options->keeps_state;
	a->reopen = options->reopen;
	a->keep = options->keep;
	a->reopen_ctx = options->ctx;
	a->inventory = (struct inventory_control){ .stage = &a->stage, .notes = &a->notes,
						   .names = options->names, .offers_keeping = options->names_are_new,
						   .ctx = a, .reopen = reopen, .keep = keep_open };
	if (a->reopen)
		firstrun_begin(&a->stage.first);
	a->is_fresh = options->is_fresh;
	a->is_told_screen = options->screen;
	if (options->remark)
		stage_say(&a->stage, "%s", options->remark);
	return a;
}

void app_free(struct app *a)
{
	if (!a)
		return;
	stage_done(&a->stage);
	state_done(&a->state);
	notes_done(&a->notes);
	fix_controller_free(a->fix);
	bringup_controller_free(a->bringup);
	free(a);
}

void app_hooks(struct app *a, struct session_hooks *out)
{
	*out = (struct session_hooks){ .ctx = a, .changed = changed, .ask = ask };
}

static void watch(struct app *a)
{
	a->is_polled = uv_poll_init(a->loop, &a->keys, a->terminal.tty) == 0;	/* a file cannot be */
	uv_timer_init(a->loop, &a->tick);
	uv_timer_init(a->loop, &a->frame);
	a->keys.data = a->tick.data = a->frame.data = a;
	if (a->is_polled)
		uv_poll_start(&a->keys, UV_READABLE | UV_DISCONNECT, on_keys);
	uv_timer_start(&a->tick, on_tick, TICK_MS, TICK_MS);
	for (size_t i = 0; i < SIGNALS; i++) {
		uv_signal_init(a->loop, &a->signals[i]);
		a->signals[i].data = a;
		uv_signal_start(&a->signals[i], on_signal, signal_table[i].signal);
	}
}

static void closed(uv_handle_t *handle)
{
	(*(unsigned *)handle->data)--;
}

static void let_go(uv_handle_t *handle, unsigned *open)
{
	handle->data = open;
	uv_close(handle, closed);
	(*open)++;
}

/* The handles are part of the app: it waits until the loop has let go of each. */
static void unwatch(struct app *a)
{
	unsigned open = 0;

	if (a->is_polled)
		let_go((uv_handle_t *)&a->keys, &open);
	let_go((uv_handle_t *)&a->tick, &open);
	let_go((uv_handle_t *)&a->frame, &open);
	for (size_t i = 0; i < SIGNALS; i++)
		let_go((uv_handle_t *)&a->signals[i], &open);
	while (open)
		uv_run(a->loop, UV_RUN_ONCE);
}

bool app_run(struct app *a, struct session *s, struct err *err)
{
	if (a->is_plain)
		begin_plain(a);
	else if (!terminal_begin(&a->terminal, err))
		return false;
	consent_ask_later();		/* the screens have the terminal */
	a->session = s;
	timeline_control_begin(&a->timeline, s, &a->stage);
	fix_controller_begin(a->fix, s);
	bringup_controller_begin(a->bringup, s);
	notes_begin(&a->notes, s, &a->stage);
	a->is_running = true;
	a->ticked_ms = uv_now(a->loop);
	a->began_us = session_now(s);
	begin_where_it_ended(a);
	watch(a);
	if (a->is_plain)
		plain_turn(a);
	if (a->stage.questions.n)
		flushinp();
	draw_now(a);
	while (a->is_running)
		uv_run(a->loop, UV_RUN_DEFAULT);
	keep(a);
	terminal_end(&a->terminal);
	end_fix(a);
	plain_done(&a->plain);
	unwatch(a);
	return a->ended ? err_set(err, "%s", a->ended) : true;
}
