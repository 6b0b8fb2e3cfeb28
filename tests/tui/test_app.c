/* The console as a process on a terminal of its own: keys, sizes, signals, and the terminal given back. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <utmp.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/console/app.h"

#define PATIENCE_S 20
/* An address where nobody answers: there is a fabric, and nothing is known of it. */
#define CONSOLE "fabcon", "-i", "127.9.9.9", "--no-agent", "--no-input", "--fresh", "tui"
#define PATIENCE_MS (PATIENCE_S * 1000)

struct console {
	pid_t pid;
	int tty, slave;		/* the slave is kept open, so that its modes can be looked at afterwards */
	struct termios before;
	struct buf said;	/* since the last words that were awaited */
};

static int run_console(void)
{
	struct session_options none = { .inventory = NULL };
	struct app_options options;
	struct session_hooks hooks;
	struct session *session;
	struct err err = { "" };
	uv_loop_t loop;
	struct app *app;
	bool ok;

	uv_loop_init(&loop);
	options = (struct app_options){ .loop = &loop };
	app = app_new(&options, &err);
	app_hooks(app, &hooks);
	session = session_live(&loop, &none, &hooks, &err);
	ok = session && app_run(app, session, &err);
	session_free(session);
	uv_run(&loop, UV_RUN_NOWAIT);
	app_free(app);
	return ok ? 0 : 1;
}

static void start(struct console *c, unsigned short rows, unsigned short cols)
{
	struct winsize size = { .ws_row = rows, .ws_col = cols };

	memset(c, 0, sizeof(*c));
	assert_int_equal(openpty(&c->tty, &c->slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(c->slave, &c->before), 0);
	c->pid = fork();
	if (c->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		close(c->tty);
		login_tty(c->slave);
		_exit(run_console());
	}
	assert_true(c->pid > 0);
}

static int64_t now_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

/* Reads what it draws until the words are there; what was drawn before them is let go. */
static void await(struct console *c, const char *words)
{
	struct pollfd p = { .fd = c->tty, .events = POLLIN };
	char bytes[4096];
	uint64_t late_ns = uv_hrtime() + PATIENCE_MS * UINT64_C(1000000);

	while (!c->said.text || !strstr(c->said.text, words)) {
		ssize_t n = poll(&p, 1, PATIENCE_MS) == 1 ? read(c->tty, bytes, sizeof(bytes)) : -1;

		if (n <= 0 || c->said.n > (1u << 20) || uv_hrtime() > late_ns)
			fail_msg("\"%s\" was never drawn: %s", words, c->said.text ? c->said.text : "");
		buf_add(&c->said, bytes, (size_t)n);
	}
	buf_clear(&c->said);
}

static void type(const struct console *c, const char *keys)
{
	assert_int_equal(write(c->tty, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits for its end, draining what it still draws. */
static int status_at_end(struct console *c)
{
	struct pollfd p = { .fd = c->tty, .events = POLLIN };
	char bytes[4096];
	int64_t late = now_ms() + PATIENCE_MS;
	int status;

	while (waitpid(c->pid, &status, WNOHANG) == 0) {
		ssize_t n = poll(&p, 1, 50) == 1 && p.revents & POLLIN ? read(c->tty, bytes, sizeof(bytes)) : 0;

		if (n < 0)
			fail_msg("the terminal broke");
		buf_add(&c->said, bytes, (size_t)n);
		if (now_ms() > late) {
			kill(c->pid, SIGKILL);
			fail_msg("it does not end");
		}
	}
	while (poll(&p, 1, 0) == 1 && p.revents & POLLIN) {
		ssize_t n = read(c->tty, bytes, sizeof(bytes));

		if (n <= 0)
			break;
		buf_add(&c->said, bytes, (size_t)n);
	}
	return status;
}

static const char *last_of(const char *text, const char *what)
{
	const char *last = NULL;

	while (text && (text = strstr(text, what)) != NULL)
		last = text++;
	return last;
}

/* The modes as they were, the screen that was there before, and a cursor that is seen. */
static void assert_terminal_given_back(struct console *c)
{
	struct termios after;

	assert_int_equal(tcgetattr(c->slave, &after), 0);
	assert_int_equal(after.c_lflag, c->before.c_lflag);
	assert_int_equal(after.c_iflag, c->before.c_iflag);
	assert_int_equal(after.c_oflag, c->before.c_oflag);
	assert_non_null(last_of(c->said.text, "\033[?1049l"));
	assert_true(last_of(c->said.text, "\033[?25h") > last_of(c->said.text, "\033[?25l"));
	assert_true(last_of(c->said.text, "\033[?2004l") > last_of(c->said.text, "\033[?2004h"));
}

static void finish(struct console *c)
{
	close(c->tty);
	close(c->slave);
	buf_done(&c->said);
}

static void it_says_what_to_do_without_an_inventory_and_q_leaves(void **state)
{
	struct console c;
	int status;

	(void)state;
	start(&c, 24, 80);
	await(&c, "9 shows");
	type(&c, "2");
	await(&c, "No devices.");
	type(&c, "qq");
	status = status_at_end(&c);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_terminal_given_back(&c);
	finish(&c);
}

/* Waits until something is drawn, and reads it. */
static void drain(struct console *c)
{
	struct pollfd p = { .fd = c->tty, .events = POLLIN };
	char bytes[1 << 16];

	if (poll(&p, 1, PATIENCE_MS) == 1 && read(c->tty, bytes, sizeof(bytes)) < 0)
		fail_msg("the terminal broke");
}

static void keys_are_heard_after_any_change_of_size(void **state)
{
	static const struct winsize sizes[] = { { 10, 40, 0, 0 }, { 1, 1, 0, 0 }, { 60, 200, 0, 0 }, { 16, 60, 0, 0 } };
	unsigned resizes = getenv("RESIZES") ? (unsigned)atoi(getenv("RESIZES")) : 400;
	struct console c;

	(void)state;
	start(&c, 24, 80);
	await(&c, "9 shows");
	for (unsigned i = 0; i < resizes; i++) {
		assert_int_equal(ioctl(c.tty, TIOCSWINSZ, &sizes[i % 4]), 0);
		if (i % 50 == 0)
			drain(&c);
	}
	type(&c, "8");
	await(&c, "[Findings]");
	type(&c, "1");
	await(&c, "[Overview]");
	type(&c, "q");
	assert_int_equal(status_at_end(&c), 0);
	assert_terminal_given_back(&c);
	finish(&c);
	print_message("%u changes of the size at once, and then the keys are heard\n", resizes);
}

static void assert_shows(struct tty *t, const char *text)
{
	if (!tty_shows(t, text, PATIENCE_S))
		fail_msg("\"%s\" does not come: %s", text, tty_screen(t));
}

static void a_paused_picture_is_held_and_can_be_walked_through(void **state)
{
	struct tty *t = TTY(24, 80, CONSOLE);

	(void)state;
	assert_shows(t, "LIVE");
	tty_type(t, "p");
	assert_shows(t, "FROZEN");
	assert_shows(t, "p or L resumes");
	tty_type(t, "2");
	assert_shows(t, "[Ports]");
	tty_type(t, "F");
	assert_shows(t, "F cursor stays here");
	tty_type(t, "F");
	assert_true(tty_hides(t, "F cursor stays here", PATIENCE_S));
	tty_type(t, "?");
	assert_shows(t, "-- Help");
	assert_shows(t, "1s ago");
	tty_type(t, "q1");
	assert_shows(t, "[Overview]");
	assert_shows(t, "FROZEN");
	tty_type(t, "p");
	assert_shows(t, "LIVE");
	tty_type(t, "p");
	assert_shows(t, "FROZEN");
	tty_type(t, "L");
	assert_shows(t, "LIVE");
	tty_type(t, "pq");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

static bool is_drawn_at(struct tty *t, unsigned rows)
{
	struct span rest = span_of(tty_screen(t)), line = SPAN(""), first;

	if (!span_line(&rest, &first) || !span_starts(first, "fabcon"))
		return false;
	for (unsigned y = 1; y < rows; y++)
		span_line(&rest, &line);
	return span_find(line, "q back") != NULL;
}

/* Not a storm of them: each is waited for, from the header to the keys on the last row. */
static void each_size_is_drawn(void **state)
{
	static const int sizes[][2] = { { 10, 40 }, { 60, 200 }, { 16, 60 }, { 3, 50 }, { 36, 120 }, { 24, 80 } };
	unsigned resizes = getenv("RESIZES") ? (unsigned)atoi(getenv("RESIZES")) : 60;
	char folder[] = "/tmp/fabcon-sizes.XXXXXX", *command;
	struct tty *t;

	(void)state;
	/* Where it can keep its state each minute: that it cannot would be told on the last row. */
	assert_non_null(mkdtemp(folder));
	setenv("XDG_STATE_HOME", folder, 1);
	t = TTY(24, 80, CONSOLE);
	unsetenv("XDG_STATE_HOME");
	assert_shows(t, "LIVE");
	for (unsigned i = 0; i < resizes; i++) {
		const int *size = sizes[i % 6];
		uint64_t late_ns = uv_hrtime() + PATIENCE_MS * UINT64_C(1000000);

		tty_resize(t, size[0], size[1]);
		while (!is_drawn_at(t, (unsigned)size[0])) {
			if (uv_hrtime() > late_ns || !tty_runs(t))
				fail_msg("after %u changes %dx%d is not drawn: %s", i, size[1], size[0], tty_screen(t));
			usleep(1000);
		}
	}
	tty_type(t, "q");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
	command = xasprintf("rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
	free(command);
}

static bool is_over(struct console *c, int *status)
{
	struct pollfd p = { .fd = c->tty, .events = POLLIN };
	char bytes[4096];

	if (poll(&p, 1, 20) == 1 && p.revents & POLLIN && read(c->tty, bytes, sizeof(bytes)) < 0)
		fail_msg("the terminal broke");
	return waitpid(c->pid, status, WNOHANG) == c->pid;
}

/* Whatever lies over the screen, and however little of it can be seen. */
static void q_and_f10_leave_from_everywhere_at_every_size(void **state)
{
	static const struct winsize sizes[] = { { 1, 1, 0, 0 }, { 2, 3, 0, 0 }, { 5, 20, 0, 0 }, { 10, 40, 0, 0 },
						{ 24, 80, 0, 0 }, { 100, 400, 0, 0 } };
	static const char *const leaves[] = { "q", "\033[21~" };
	static const char *const overlays[] = { "", "?", ":", "c", "x" };
	unsigned turn = 0;

	(void)state;
	for (size_t size = 0; size < sizeof(sizes) / sizeof(*sizes); size++)
		for (char screen = '1'; screen <= '9'; screen++, turn++) {
			const char *overlay = overlays[turn % 5], *leave = leaves[*overlay == ':' || turn / 5 % 2];
			struct console c;
			int status = -1;

			start(&c, sizes[size].ws_row, sizes[size].ws_col);
			await(&c, "\033[?1049h");
			type(&c, (char[]){ screen, '\0' });
			type(&c, overlay);
			for (int64_t late = now_ms() + PATIENCE_MS, next = 0; !is_over(&c, &status) && now_ms() < late;)
				if (now_ms() >= next) {
					for (unsigned k = 0; k < 4; k++)
						type(&c, leave);
					next = now_ms() + 400;
				}
			if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
				fail_msg("%ux%u: from screen %c after \"%s\" it does not end", sizes[size].ws_col,
					 sizes[size].ws_row, screen, overlay);
			finish(&c);
		}
}

/* Alone, it is not the beginning of another key; curses by itself would wait a second for the rest. */
static void esc_acts_at_once(void **state)
{
	struct tty *t = TTY(24, 80, CONSOLE);
	int64_t least_ms = INT64_MAX;

	(void)state;
	assert_shows(t, "LIVE");
	for (unsigned i = 0; i < 5; i++) {
		int64_t began_ms;

		tty_type(t, "?");
		assert_shows(t, "-- Help");
		began_ms = now_ms();
		tty_type(t, "\033");
		assert_true(tty_hides(t, "-- Help", PATIENCE_S));
		if (now_ms() - began_ms < least_ms)
			least_ms = now_ms() - began_ms;
	}
	assert_true(least_ms < 400);
	tty_type(t, "q");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

static void a_signal_ends_it_and_the_terminal_is_given_back(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct console c;

		start(&c, 24, 80);
		await(&c, "9 shows");
		kill(c.pid, signals[i]);
		assert_true(WIFEXITED(status_at_end(&c)));
		assert_terminal_given_back(&c);
		finish(&c);
	}
}

static void a_crash_gives_the_terminal_back_too(void **state)
{
	struct console c;

	(void)state;
	start(&c, 24, 80);
	await(&c, "9 shows");
	kill(c.pid, SIGSEGV);
	assert_true(WIFSIGNALED(status_at_end(&c)));
	assert_terminal_given_back(&c);
	finish(&c);
}

/* A terminal with a shell that has jobs, and the console one of them; $$ of it is written down. */
static struct tty *start_in_shell(const char *pid_file)
{
	struct tty *t = TTY(24, 80, "/bin/sh", "-i");
	char *line = xasprintf("PS1=; a=$(stty -g); sh -c 'echo $$ >%s; exec %s -i 127.9.9.9 --no-agent --no-input --fresh tui'\n", pid_file,
			       program_path("fabcon"));

	tty_type(t, line);
	free(line);
	assert_shows(t, "[Overview]");
	return t;
}

static void assert_shell_has_its_modes(struct tty *t, unsigned nth)
{
	char line[128];

	snprintf(line, sizeof(line), "\n[ \"$a\" = \"$(stty -g)\" ] && echo the modes are as $((%u + 1940)) left them\n", nth);
	tty_type(t, line);
	snprintf(line, sizeof(line), "the modes are as %u left them", nth + 1940);
	assert_shows(t, line);
}

static void stopped_it_lends_the_terminal_and_takes_it_again(void **state)
{
	char file[] = "/tmp/fabcon-app.XXXXXX", *text;
	int fd = mkstemp(file);
	struct tty *t;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	t = start_in_shell(file);
	text = file_text(file, NULL);
	for (unsigned i = 0; i < 3; i++) {
		if (i == 1)
			kill(atoi(text), SIGTSTP);	/* by somebody else */
		else
			tty_type(t, "\x1a");
		assert_shows(t, "Stopped");
		assert_shell_has_its_modes(t, i);
		tty_type(t, "fg\n");
		assert_shows(t, "[Overview]");
		tty_type(t, "8");
		assert_shows(t, "[Findings]");
		tty_type(t, "1");
		assert_shows(t, "[Overview]");
	}
	tty_type(t, "q");
	assert_shell_has_its_modes(t, 9);
	free(text);
	unlink(file);
	tty_close(t);
}

/* A window that runs the console alone: nobody could make it go on. */
static void without_a_shell_it_is_not_stopped(void **state)
{
	struct console c;

	(void)state;
	start(&c, 24, 80);
	await(&c, "9 shows");
	type(&c, "\x1a");
	type(&c, "9");
	await(&c, "[Devices]");
	kill(c.pid, SIGTSTP);
	type(&c, "8");
	await(&c, "[Findings]");
	type(&c, "qqq");
	assert_int_equal(status_at_end(&c), 0);
	assert_terminal_given_back(&c);
	finish(&c);
}

static void a_terminal_that_goes_away_ends_it(void **state)
{
	struct console c;
	int status;

	(void)state;
	start(&c, 24, 80);
	await(&c, "9 shows");
	close(c.slave);
	close(c.tty);
	assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
	assert_true(WIFEXITED(status) || WIFSIGNALED(status));
	buf_done(&c.said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_to_do_without_an_inventory_and_q_leaves),
		cmocka_unit_test(keys_are_heard_after_any_change_of_size),
		cmocka_unit_test(each_size_is_drawn),
		cmocka_unit_test(a_paused_picture_is_held_and_can_be_walked_through),
		cmocka_unit_test(q_and_f10_leave_from_everywhere_at_every_size),
		cmocka_unit_test(esc_acts_at_once),
		cmocka_unit_test(a_signal_ends_it_and_the_terminal_is_given_back),
		cmocka_unit_test(a_crash_gives_the_terminal_back_too),
		cmocka_unit_test(stopped_it_lends_the_terminal_and_takes_it_again),
		cmocka_unit_test(without_a_shell_it_is_not_stopped),
		cmocka_unit_test(a_terminal_that_goes_away_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
