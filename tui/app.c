#include "tui/app.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tui/acked.h"
#include "tui/cli.h"
#include "tui/gather.h"
#include "tui/human.h"
#include "tui/plain.h"
#include "tui/stage.h"
#include "tui/state.h"
#include "tui/themes.h"

#define TICK_MS 500	/* judging twice a second is the most a session does */
#define IDLE_TICKS 20	/* a paste that stands still for so long has lost its end */
#define KEEP_MS 60000	/* what a crash may lose */
#define FRAME_MS 40	/* keys typed faster share a frame */

struct app {
	uv_loop_t *loop;
	struct session *session;
	struct stage stage;
	struct acked acked;
	struct theme theme;
	struct draw draw;
	bool ascii, no_colour;
	bool is_running, is_playing, is_paused;
	unsigned idle_ticks;		/* without a key */
	int64_t paused_us;		/* since when the picture is held */
	bool is_held;			/* it has been drawn as paused; until then one frame is due */
	bool is_begun;			/* curses has the terminal */
	bool is_plain, is_polled;	/* lines instead of curses; and they come from what can be watched */
	struct plain plain;
	uint64_t serial;		/* of what is shown */
	int64_t began_us;
	uint64_t ticked_ms;		/* loop clock, for playing */
	bool is_dirty;
	struct state state;		/* kept from session to session */
	bool keeps_state, is_fresh, is_told_screen, is_told_theme;
	bool is_touched;		/* by a key that was not an answer */
	uint64_t kept_ms;		/* loop clock */
	const char *ended;		/* why, when not by the person */
	int tty;			/* watched for keys; curses reads them from standard input */
	uv_poll_t keys;
	uv_timer_t tick, frame;
	uv_signal_t winch, term, hup, intr;
};

/* The terminal */

static struct termios terminal_before;

/* Only what may be called from a signal handler: the screen left, the cursor shown, the modes as they were. */
static void crashed(int signal)
{
	static const char leave[] = "\033[?2004l\033[?1049l\033[?25h\033[0m\r\n";

	if (write(STDOUT_FILENO, leave, sizeof(leave) - 1) < 0)
		_exit(128 + signal);
	tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
	raise(signal);		/* once more, by the default handler: a core for whoever looks for it */
}

static void guard_terminal(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction sa = { .sa_handler = crashed, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* The terminal says where a paste begins and ends; one that cannot takes no notice. */
static void bracket_pastes(bool on)
{
	const char *text = on ? "\033[?2004h" : "\033[?2004l";

	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;		/* the next write to it will say so */
	if (!on)
		return;
	define_key("\033[200~", KEY_PASTE_BEGIN);
	define_key("\033[201~", KEY_PASTE_END);
}

static void leave_curses(void)
{
	if (isendwin())
		return;
	endwin();
	bracket_pastes(false);
}

static void measure(struct app *a)
{
	struct winsize size;

	/* Not resizeterm(): it types a KEY_RESIZE before every key that follows. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		resize_term(size.ws_row, size.ws_col);
		clearok(curscr, TRUE);
	}
	a->draw.w = stdscr;
	getmaxyx(stdscr, a->draw.rows, a->draw.cols);
}

static void use_theme(struct app *a)
{
	if (a->is_plain)
		return;
	a->draw.with_colour = !a->no_colour && has_colors();
	if (!a->draw.with_colour)
		theme_find(&a->theme, "mono", NULL);	/* a theme of colours says too little without them */
	theme_start(&a->theme, a->draw.with_colour);
	a->draw.theme = &a->theme;
}

static bool begin_curses(struct app *a, struct err *err)
{
	static bool is_registered;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, "the console needs a terminal; without one: fabcon status, ports, findings");
	/* Watched through an opening of its own: a watched file stops blocking, and curses' writes must block. */
	a->tty = open(ttyname(STDIN_FILENO) ? ttyname(STDIN_FILENO) : "/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (a->tty < 0)
		return err_set(err, "the terminal cannot be opened");
	tcgetattr(STDIN_FILENO, &terminal_before);
	setlocale(LC_ALL, "");
	a->draw.glyphs = glyphs_of_locale(a->ascii);
	if (!newterm(NULL, stdout, stdin))
		return err_set(err, "the terminal \"%s\" is not known: set TERM", getenv("TERM") ? getenv("TERM") : "");
	if (!is_registered)
		is_registered = atexit(leave_curses) == 0;
	guard_terminal();
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	bracket_pastes(true);
	use_theme(a);
	measure(a);
	a->is_begun = true;
	return true;
}

/* What is watched is an opening of its own, as with curses; what only a pipe or a file has is read as it is. */
static void begin_plain(struct app *a)
{
	a->tty = isatty(STDIN_FILENO) ? open(ttyname(STDIN_FILENO), O_RDONLY | O_NOCTTY | O_CLOEXEC) : -1;
	if (a->tty < 0)
		a->tty = dup(STDIN_FILENO);
	setlocale(LC_ALL, "");
	plain_begin(&a->plain, glyphs_of_locale(a->ascii)->is_ascii);
}

/* Time: of a replay, all of it; live, as far back as History remembers */

static int64_t first_us(const struct app *a)
{
	const struct replay *recording = session_recording(a->session);
	const struct lanes *lanes = session_lanes(a->session);
	const struct events *events = session_events(a->session);
	int64_t us = recording ? replay_first(recording) : model_now(session_model(a->session));

	if (!recording && lanes->first < lanes->end && lanes->first * LANE_US < us)
		us = lanes->first * LANE_US;
	return !recording && events->n && events->list[0].at_us < us ? events->list[0].at_us : us;
}

static int64_t last_us(const struct app *a)
{
	const struct replay *recording = session_recording(a->session);

	return recording ? replay_last(recording) : model_now(session_model(a->session));
}

static int64_t cursor_us(const struct app *a)
{
	int64_t us = a->stage.views.history.cursor_us;

	return session_is_replay(a->session) || !us ? model_now(session_model(a->session)) : us;
}

/* Pictures */

static void view_now(const struct app *a, struct view_of *of)
{
	struct replay *recording = session_recording(a->session);

	*of = (struct view_of){
		.model = session_model(a->session), .links = session_links(a->session),
		.findings = session_findings(a->session), .policy = session_policy(a->session),
		.inventory = session_inventory(a->session), .fabric = session_fabric(a->session),
		.acks = &a->acked.acks, .is_replay = session_is_replay(a->session), .is_playing = a->is_playing, .is_paused = a->is_paused,
		.serial = a->serial,
	};
	of->is_recording = session_is_recording(a->session, &of->trouble);
	if (!of->trouble)
		of->trouble = session_recording_words(a->session);
	of->events = session_events(a->session);
	of->lanes = session_lanes(a->session);
	of->first_us = first_us(a);
	of->last_us = last_us(a);
	of->cursor_us = cursor_us(a);
	if (!recording) {
		struct poller_count count = poller_count(session_poller(a->session));

		of->answered = count.first_round;
		of->asked = count.hosts;
		of->began_us = a->began_us;
		return;
	}
	if (replay_state(recording, &of->trouble) == REPLAY_WHOLE)
		of->trouble = NULL;
}

static void draw_now(struct app *a)
{
	struct view_of of;

	if (!a->is_begun || !a->session)
		return;
	view_now(a, &of);
	if (a->is_paused && a->is_held)
		stage_draw_bar(&a->stage, &a->draw);
	else
		stage_draw(&a->stage, &a->draw, &of);
	a->is_held = a->is_paused;
	wnoutrefresh(stdscr);
	doupdate();
	a->is_dirty = false;
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

/* Time */

static void seek(struct app *a, int64_t at_us)
{
	int64_t last = last_us(a);
	struct stage_place place;
	struct err err;

	if (at_us < first_us(a))
		at_us = first_us(a);
	if (at_us >= last)
		a->is_playing = false;
	a->serial++;
	if (!session_is_replay(a->session)) {
		a->stage.views.history.cursor_us = at_us < last ? at_us : 0;
		return;
	}
	if (at_us > last)
		at_us = last;
	stage_leave(&a->stage, &place);
	if (!session_seek(a->session, at_us, &err))
		stage_say(&a->stage, "%s", err.text);
	stage_return(&a->stage, session_model(a->session), &place);
}

static void step(struct app *a, int by)
{
	struct replay *recording = session_recording(a->session);
	int64_t to_us = cursor_us(a) + by * SECOND;

	a->is_playing = false;
	if (recording && by > 0 && replay_due(recording) > to_us)
		to_us = replay_due(recording);
	seek(a, to_us);
}

static void step_event(struct app *a, int by)
{
	const struct events *events = session_events(a->session);
	const struct event *e = by > 0 ? events_next(events, cursor_us(a), NULL) : events_previous(events, cursor_us(a), NULL);

	a->is_playing = false;
	if (!e) {
		stage_say(&a->stage, by > 0 ? "No event follows." : "No event before this.");
		return;
	}
	stage_say(&a->stage, "%s at %s: %s", e->kind, e->where, e->text);
	seek(a, e->at_us);
}

/* The screens show UTC, so a time typed there is meant so. */
static const char *as_utc(const char *text, char out[64])
{
	size_t n = strlen(text);

	snprintf(out, 64, "%.60s%s", text, *text != '-' && n && text[n - 1] != 'Z' ? "Z" : "");
	return out;
}

static void go_to_time(struct app *a, const char *text)
{
	int64_t now_us = cursor_us(a), at_us;
	char utc[64];
	struct err err;

	a->is_playing = false;
	if (!strcmp(text, "first")) {
		seek(a, first_us(a));
	} else if (*text == '+') {
		if (parse_duration(text + 1, &at_us, &err))
			seek(a, now_us + at_us);
		else
			stage_say(&a->stage, "%s", err.text);
	} else if (parse_time(as_utc(text, utc), now_us, &at_us, &err)) {
		seek(a, at_us);
	} else {
		stage_say(&a->stage, "%s", err.text);
	}
}

/* What is kept between sessions */

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
		stage_say(&a->stage, "%zu zeros of the last session are gone: their counters were reset since.", a->state.n_lost);
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
	if (*a->state.theme && !a->is_told_theme && themes_find(&a->theme, a->state.theme, NULL))
		use_theme(a);
	take_up(a);
}

static void keep(struct app *a)
{
	struct view_of of;
	struct err err;

	a->kept_ms = uv_now(a->loop);
	view_now(a, &of);
	if (!state_keep(&a->state, &a->stage, &of, &err))
		stage_say(&a->stage, "What you see will not be here next time: %s", err.text);
}

static void say_held(struct app *a)
{
	int64_t now_us = model_now(session_model(a->session));
	char at[HUMAN_MAX], age[HUMAN_MAX];

	stage_say(&a->stage, "PAUSED at %s, %s ago; collecting goes on. p or L goes on.", human_time(at, a->paused_us),
		  human_age(age, now_us - a->paused_us));
}

static void plain_turn(struct app *a);

static void on_tick(uv_timer_t *timer)
{
	struct app *a = timer->data;
	uint64_t now_ms = uv_now(a->loop), passed_ms = now_ms - a->ticked_ms;

	a->ticked_ms = now_ms;
	if (a->is_playing)
		seek(a, model_now(session_model(a->session)) + (int64_t)passed_ms * 1000);
	else if (!session_is_replay(a->session))
		session_tick(a->session);
	acked_settle(&a->acked, a->session);
	a->serial++;
	take_up(a);
	if (now_ms - a->kept_ms > KEEP_MS)
		keep(a);
	if (a->idle_ticks++ == IDLE_TICKS)
		stage_idle(&a->stage);
	if (a->is_paused)
		say_held(a);
	if (a->is_plain)
		plain_turn(a);
	else if (a->is_playing || !session_is_replay(a->session) || a->is_dirty)
		draw_now(a);
}

/* Intents */

static void stop(struct app *a, const char *why)
{
	a->is_running = false;
	a->ended = why;
	uv_stop(a->loop);
}

static void next_theme(struct app *a, const char *name)
{
	struct err err;

	if (!a->draw.with_colour) {
		stage_say(&a->stage, "Without colours there is one theme, mono.");
		return;
	}
	if (!name)
		name = themes_next(a->theme.name);
	if (!themes_find(&a->theme, name, &err)) {
		stage_say(&a->stage, "%s", err.text);
		return;
	}
	stage_say(&a->stage, "Theme: %s", name);
	snprintf(a->state.theme, sizeof(a->state.theme), "%s", name);
	use_theme(a);
}

static void refresh_devices(struct app *a, const char *device)
{
	if (!session_poller(a->session)) {
		stage_say(&a->stage, "A replay asks nobody.");
		return;
	}
	session_refresh(a->session, device);
	stage_say(&a->stage, "Asking %s again.", device ? device : "all devices");
}

static void zero(struct app *a, const struct intent *i)
{
	const struct link *link = links_of_port(session_links(a->session), i->port);
	bool clear = i->is == INTENT_UNZERO;

	session_zero(a->session, i->port, clear);
	if (link && link_far(link, i->port))
		session_zero(a->session, link_far(link, i->port), clear);
	stage_say(&a->stage, clear ? "Counters of %s are as the device has them." :
		  "Counters of %s count from here, in this console alone.", link ? link->name : i->port->name);
}

static void pause_or_go_on(struct app *a)
{
	if (session_is_replay(a->session)) {
		a->is_playing = false;
		return;
	}
	a->is_paused = !a->is_paused;
	a->paused_us = model_now(session_model(a->session));
	if (a->is_paused)
		say_held(a);
}

static void go_live(struct app *a)
{
	a->is_paused = false;
	seek(a, last_us(a));
}

static void acknowledge(struct app *a, const struct intent *i)
{
	const struct finding *f = findings_find(session_findings(a->session), i->acking->check, i->acking->where);
	struct err err;
	size_t n;

	if (!f || !f->is_open)
		stage_say(&a->stage, "It is over by now: there is nothing to acknowledge.");
	else if (!acked_add(&a->acked, a->session, f, i->acking->together, i->text, &n, &err))
		stage_say(&a->stage, "%s", err.text);
	else
		stage_say(&a->stage, "Acknowledged%s: counted apart until it is worse, over or late. U takes it back.",
			  n > 1 ? ", each of them" : "");
	a->serial++;
}

static void take_ack_back(struct app *a)
{
	char where[160];
	struct err err;

	if (acked_take_back(&a->acked, a->session, where, &err))
		stage_say(&a->stage, "Not acknowledged any more: %s", where);
	else
		stage_say(&a->stage, "%s", err.text);
	a->serial++;
}

/* What a recording tells, or the fabric's file. */
static void begin_acks(struct app *a)
{
	struct err err;

	if (session_is_replay(a->session))
		acked_of_recording(&a->acked, session_events(a->session));
	else if (!acked_open(&a->acked, session_fabric(a->session), &err))
		stage_say(&a->stage, "%s", err.text);
}

static void suspend(const struct app *a)
{
	if (a->is_plain) {
		raise(SIGSTOP);
		return;
	}
	leave_curses();
	raise(SIGSTOP);
	refresh();
	bracket_pastes(true);
}

static void act(struct app *a, const struct intent *i)
{
	switch (i->is) {
	case INTENT_QUIT:	stop(a, NULL); break;
	case INTENT_SUSPEND:	suspend(a); break;
	case INTENT_REDRAW:	clearok(stdscr, TRUE); break;
	case INTENT_PAUSE:	pause_or_go_on(a); break;
	case INTENT_LIVE:	go_live(a); break;
	case INTENT_PLAY:	a->is_playing = !a->is_playing; break;
	case INTENT_STEP:	step(a, i->by); break;
	case INTENT_SEEK:	a->is_playing = false; seek(a, i->at_us); break;
	case INTENT_EVENT:	step_event(a, i->by); break;
	case INTENT_TIME:	go_to_time(a, i->text); break;
	case INTENT_THEME:	next_theme(a, i->text); break;
	case INTENT_ZERO:
	case INTENT_UNZERO:	zero(a, i); break;
	case INTENT_REFRESH:	refresh_devices(a, i->device); break;
	case INTENT_ACK:	acknowledge(a, i); break;
	case INTENT_UNACK:	take_ack_back(a); break;
	case INTENT_ANSWER:
		session_answer(a->session, i->question, i->text);
		explicit_bzero(a->stage.given, sizeof(a->stage.given));
		break;
	case INTENT_NONE:
		stage_say(&a->stage, "That key means nothing here. ? shows those that do.");
		break;
	default:
		break;
	}
}

/* Without a picture */

/* A script's lines wait until there is something to ask about. */
static bool plain_is_due(struct app *a, struct poller_count *count)
{
	bool is_read = session_is_replay(a->session) || gather_is_read(a->session, count);

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
		a->serial++;
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
	bool is_first = !a->plain.has_news;
	struct poller_count count = { 0 };
	struct buf out = { 0 };
	struct view_of of;

	if (!a->is_polled || !uv_is_active((uv_handle_t *)&a->keys))
		plain_read(&a->plain, a->tty);
	if (!plain_is_due(a, &count))
		return;
	if (a->plain.is_script && is_first)
		session_judge(a->session);
	view_now(a, &of);
	plain_news(&a->plain, &of, count.first_round, count.hosts, &out);
	if (is_first || (a->stage.n_questions && !a->stage.was_drawn))
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
		stop(a, "nobody reads what is said");
	buf_done(&out);
}

/* What the loop tells */

static bool terminal_is_gone(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	int waiting = 0;

	if (poll(&p, 1, 0) < 0)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return p.revents & POLLIN && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && !waiting;
}

static void on_keys(uv_poll_t *handle, int status, int events)
{
	struct app *a = handle->data;
	struct view_of of;
	size_t n = 0;
	int code;

	(void)events;
	if (a->is_plain) {
		plain_read(&a->plain, a->tty);
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
		a->is_touched |= !a->stage.n_questions;
		view_now(a, &of);
		i = stage_key(&a->stage, &of, code);
		act(a, &i);
		/* A first question must be seen before a key can answer it. */
		if (a->stage.n_questions && !a->stage.was_drawn) {
			draw_now(a);
			flushinp();
		}
	}
	if (!n && (status < 0 || terminal_is_gone()))
		stop(a, "the terminal went away");
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

static void on_signal(uv_signal_t *handle, int signal)
{
	struct app *a = handle->data;

	if (signal == SIGWINCH && a->is_plain)
		return;
	if (signal == SIGWINCH) {
		measure(a);
		a->is_paused = false;	/* there is no picture of this size to hold */
		want_frame(a);
	} else {
		stop(a, signal == SIGHUP ? "the terminal went away" : NULL);
	}
}

static void changed(void *ctx)
{
	(void)ctx;	/* a tick draws; twice a second is what eyes and judgement need */
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct app *a = ctx;

	a->is_paused = false;
	stage_ask(&a->stage, id, q->host, q->text, q->is_secret, q->is_yes_no);
	if (!a->is_begun || a->stage.n_questions > 1)
		return;
	draw_now(a);
	flushinp();
}

/* Beginning and ending */

static bool find_screen(const char *name, enum screen_id *out)
{
	const struct key *k = name ? key_named(span_of(name)) : NULL;

	if (k && k->command >= DO_GO_1 && k->command <= DO_GO_9)
		*out = (enum screen_id)(k->command - DO_GO_1);
	return !name || (k && k->command >= DO_GO_1 && k->command <= DO_GO_9);
}

struct app *app_new(const struct app_options *options, struct err *err)
{
	struct app *a = xcalloc(1, sizeof(*a));
	const char *no_colour = getenv("NO_COLOR");

	a->loop = options->loop;
	a->ascii = options->ascii;
	a->is_plain = options->plain;
	a->no_colour = no_colour && *no_colour;
	if (!themes_find(&a->theme, a->no_colour ? "mono" : options->theme ? options->theme : "auto", err)) {
		stage_say(&a->stage, "%s", err->text);
		themes_find(&a->theme, "auto", NULL);
	}
	if (!find_screen(options->screen, &a->stage.screen)) {
		err_set(err, "no screen \"%s\"; there are overview ports link diagnose fix bringup history findings devices",
			options->screen);
		free(a);
		return NULL;
	}
	a->keeps_state = options->keeps_state;
	a->is_fresh = options->is_fresh;
	a->is_told_screen = options->screen;
	a->is_told_theme = options->theme || a->no_colour;
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
	acked_done(&a->acked);
	free(a);
}

void app_hooks(struct app *a, struct session_hooks *out)
{
	*out = (struct session_hooks){ .ctx = a, .changed = changed, .ask = ask };
}

static void watch_signal(struct app *a, uv_signal_t *handle, int signal)
{
	uv_signal_init(a->loop, handle);
	handle->data = a;
	uv_signal_start(handle, on_signal, signal);
}

static void watch(struct app *a)
{
	a->is_polled = uv_poll_init(a->loop, &a->keys, a->tty) == 0;	/* a file cannot be */
	uv_timer_init(a->loop, &a->tick);
	uv_timer_init(a->loop, &a->frame);
	a->keys.data = a->tick.data = a->frame.data = a;
	if (a->is_polled)
		uv_poll_start(&a->keys, UV_READABLE | UV_DISCONNECT, on_keys);
	uv_timer_start(&a->tick, on_tick, TICK_MS, TICK_MS);
	watch_signal(a, &a->winch, SIGWINCH);
	watch_signal(a, &a->term, SIGTERM);
	watch_signal(a, &a->hup, SIGHUP);
	watch_signal(a, &a->intr, SIGINT);
}

static void closed(uv_handle_t *handle)
{
	(*(unsigned *)handle->data)--;
}

/* The handles are part of the app: it waits until the loop has let go of each. */
static void unwatch(struct app *a)
{
	uv_handle_t *handles[] = {
		(uv_handle_t *)&a->keys, (uv_handle_t *)&a->tick, (uv_handle_t *)&a->frame, (uv_handle_t *)&a->winch,
		(uv_handle_t *)&a->term, (uv_handle_t *)&a->hup, (uv_handle_t *)&a->intr,
	};
	unsigned open = sizeof(handles) / sizeof(*handles);

	open -= !a->is_polled;
	for (size_t i = !a->is_polled; i < sizeof(handles) / sizeof(*handles); i++) {
		handles[i]->data = &open;
		uv_close(handles[i], closed);
	}
	while (open)
		uv_run(a->loop, UV_RUN_ONCE);
}

bool app_run(struct app *a, struct session *s, struct err *err)
{
	if (a->is_plain)
		begin_plain(a);
	else if (!begin_curses(a, err))
		return false;
	a->session = s;
	begin_acks(a);
	a->serial = 1;
	a->is_running = true;
	a->ticked_ms = uv_now(a->loop);
	if (!session_is_replay(s))
		session_tick(s);
	a->began_us = model_now(session_model(s));
	begin_where_it_ended(a);
	watch(a);
	if (a->is_plain)
		plain_turn(a);
	draw_now(a);
	if (a->stage.n_questions)
		flushinp();
	while (a->is_running)
		uv_run(a->loop, UV_RUN_DEFAULT);
	keep(a);
	a->is_begun = false;
	if (!a->is_plain)
		leave_curses();
	plain_done(&a->plain);
	unwatch(a);
	close(a->tty);
	return a->ended ? err_set(err, "%s", a->ended) : true;
}
