#include "tui/widgets/terminal.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tui/text/human.h"
#include "tui/widgets/themes.h"
#include "tui/widgets/typing.h"

static struct termios modes_before;

/* -- crashes -- */

/* Only what may be called from a signal handler: the screen left, the cursor shown, the modes as they were. */
static void give_back(void)
{
	static const char leave[] = "\033[?1006l\033[?1000l\033[?2004l\033[?1049l\033[?25h\033[0m\r\n";

	if (write(STDOUT_FILENO, leave, sizeof(leave) - 1) > 0)
		tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
}

static void crashed(int signal)
{
	give_back();
	raise(signal);		/* once more, by the default handler: a core for whoever looks for it */
}

/* On a stack of its own: one crash is that there is no more stack. */
static void guard_terminal(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	static char stack[1 << 16];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_handler = crashed, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK };

	sigaltstack(&other, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* -- beginning and ending -- */

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

void terminal_measure(struct terminal *t)
{
	struct winsize size;

	if (!t->is_begun)
		return;
	/* Not resizeterm(): it types a KEY_RESIZE before every key that follows. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		resize_term(size.ws_row, size.ws_col);
		clearok(curscr, TRUE);
	}
	t->draw.w = stdscr;
	getmaxyx(stdscr, t->draw.rows, t->draw.cols);
}

void terminal_dress(struct terminal *t)
{
	t->draw.with_colour = !t->no_colour && has_colors();
	if (!t->draw.with_colour)
		theme_find(&t->theme, "mono", NULL);	/* a theme of colours says too little without them */
	theme_start(&t->theme, t->draw.with_colour);
	t->draw.theme = &t->theme;
}

/*
 * Curses keeps away from SIGTSTP when it finds it taken. Left to itself it would ignore the signal during each update, so
 * that now and then a stop is lost, and draw inside the handler of those it hears.
 */
static bool start_curses(struct terminal *t)
{
	struct sigaction taken = { .sa_handler = SIG_IGN }, before;
	bool ok;

	sigaction(SIGTSTP, &taken, &before);
	ok = newterm(NULL, stdout, stdin) != NULL;
	sigaction(SIGTSTP, &before, NULL);
	t->never_stops = before.sa_handler == SIG_IGN;
	return ok;
}

/* Tells the terminal whether its mouse is ours; until then, and afterwards, it selects text. */
static void terminal_use_mouse(bool on)
{
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouseinterval(0);	/* curses would hold each press back, to see whether it becomes a click */
}

const struct glyphs *glyphs_of_look(const struct look *look)
{
	const struct glyphs *g = glyphs_of_locale(look->signs == SIGNS_ASCII);

	return !g->is_ascii && look->signs == SIGNS_BRAILLE ? &glyphs_braille : g;
}

bool terminal_take_look(struct terminal *t, const struct look *look, struct err *err)
{
	bool ok = !strcmp(look->theme, t->look.theme) || themes_find(&t->theme, look->theme, err);

	if (look->mouse != t->look.mouse)
		terminal_use_mouse(look->mouse);
	t->look = *look;
	t->draw.glyphs = glyphs_of_look(look);
	human_use_local(look->local_times);
	terminal_dress(t);
	return ok;
}

static bool take_terminal(struct terminal *t, struct err *err)
{
	static bool is_registered;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, "the console needs a terminal; without one: fabcon status, ports, findings");
	/* Watched through an opening of its own: a watched file stops blocking, and curses' writes must block. */
	t->tty = open(ttyname(STDIN_FILENO) ? ttyname(STDIN_FILENO) : "/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (t->tty < 0)
		return err_set(err, "the terminal cannot be opened");
	tcgetattr(STDIN_FILENO, &modes_before);
	setlocale(LC_ALL, "");
	if (!start_curses(t)) {
		close(t->tty);
		return err_set(err, "the terminal \"%s\" is not known: set TERM", getenv("TERM") ? getenv("TERM") : "");
	}
	if (!is_registered)
		is_registered = atexit(leave_curses) == 0;
	guard_terminal();
	mem_at_end(give_back);
	return true;
}

bool terminal_begin(struct terminal *t, struct err *err)
{
	if (!take_terminal(t, err))
		return false;
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	bracket_pastes(true);
	if (t->look.mouse)
		terminal_use_mouse(true);
	t->draw.glyphs = glyphs_of_look(&t->look);
	terminal_dress(t);
	t->is_begun = true;
	terminal_measure(t);
	return true;
}

void terminal_end(struct terminal *t)
{
	if (t->is_begun)
		leave_curses();
	t->is_begun = false;
	mem_at_end(NULL);
	close(t->tty);
}

/* -- stopping -- */

void terminal_resume(struct terminal *t)
{
	if (!t->is_begun)
		return;
	reset_prog_mode();
	bracket_pastes(true);
	terminal_measure(t);
	clearok(curscr, TRUE);
	refresh();	/* at once: until curses has drawn, it believes the terminal given back, and would not do it at the end */
}

/*
 * By SIGTSTP, not SIGSTOP: where no shell waits to go on with us (a window that runs the console alone), the system
 * ignores it, and nobody is left with a dead window. What was started with us stops too, as it would by its own ^Z.
 */
void terminal_suspend(struct terminal *t)
{
	struct sigaction ours, ignore = { .sa_handler = SIG_IGN }, stop = { .sa_handler = SIG_DFL };

	if (t->never_stops)
		return;
	if (t->is_begun)
		leave_curses();
	sigaction(SIGTSTP, &ignore, &ours);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &stop, NULL);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	terminal_resume(t);
}

bool terminal_is_gone(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	int waiting = 0;

	if (poll(&p, 1, 0) < 0)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return p.revents & POLLIN && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && !waiting;
}
