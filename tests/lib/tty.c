#include "tests/lib/tty.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

#include "tests/lib/run.h"

struct tty {
	int fd, rows, cols;
	pid_t pid;
	bool is_over;			/* nothing more will come */
	unsigned n_words;		/* typed by tty_settle() */
	struct buf bytes, text;
	VTerm *vterm;
};

static void be_child(const char *const *argv)
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	/* Unless the test says so, neither reads what is set for whoever runs it, nor keeps anything for them. */
	setenv("XDG_CONFIG_HOME", "/dev/null", 0);
	setenv("XDG_STATE_HOME", "/dev/null", 0);
	setenv("XDG_DATA_HOME", "/dev/null", 0);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	execv(program_path(argv[0]), (char *const *)argv);
	_exit(127);
}

static void begin_screen(struct tty *t)
{
	t->vterm = vterm_new(t->rows, t->cols);
	vterm_set_utf8(t->vterm, true);
	vterm_screen_reset(vterm_obtain_screen(t->vterm), 1);
}

struct tty *tty_open(const char *const *argv, int rows, int cols)
{
	struct tty *t = xcalloc(1, sizeof(*t));
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	t->rows = rows;
	t->cols = cols;
	fflush(NULL);
	t->pid = forkpty(&t->fd, NULL, NULL, &size);
	if (t->pid == 0)
		be_child(argv);
	begin_screen(t);
	return t;
}

/* Reads what is there, waiting for it up to ms. */
static bool take(struct tty *t, int ms)
{
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	char chunk[16384];
	ssize_t n;

	if (t->is_over || poll(&p, 1, ms) <= 0)
		return false;
	n = read(t->fd, chunk, sizeof(chunk));
	if (n <= 0) {
		t->is_over = n == 0 || errno != EINTR;
		return false;
	}
	buf_add(&t->bytes, chunk, (size_t)n);
	vterm_input_write(t->vterm, chunk, (size_t)n);
	return true;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void tty_type(struct tty *t, const char *keys)
{
	for (size_t n = strlen(keys); n > 0;) {
		ssize_t done = write(t->fd, keys, n);

		if (done <= 0)
			return;
		keys += done;
		n -= (size_t)done;
	}
}

void tty_resize(struct tty *t, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	t->rows = rows;
	t->cols = cols;
	/* Not vterm_set_size(): libvterm 0.1.4 does not survive every one. Nothing stands there until it is drawn again. */
	vterm_free(t->vterm);
	begin_screen(t);
	ioctl(t->fd, TIOCSWINSZ, &size);
}

static void add_cell(struct buf *out, const VTermScreenCell *cell)
{
	char utf8[8];
	uint32_t c = cell->chars[0] ? cell->chars[0] : ' ';
	size_t n = 0;

	if (c >= 0x10000)
		c = '?';
	if (c >= 0x800)
		utf8[n++] = (char)(0xe0 | c >> 12);
	if (c >= 0x80) {
		utf8[n] = (char)(n ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
		n++;
	}
	utf8[n] = (char)(n ? 0x80 | (c & 0x3f) : c);
	buf_add(out, utf8, n + 1);
}

const char *tty_screen(struct tty *t)
{
	VTermScreen *screen = vterm_obtain_screen(t->vterm);
	VTermScreenCell cell;

	buf_clear(&t->text);
	for (int y = 0; y < t->rows; y++) {
		for (int x = 0; x < t->cols; x++)
			if (vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &cell) &&
			    cell.chars[0] != (uint32_t)-1)
				add_cell(&t->text, &cell);
		buf_str(&t->text, "\n");
	}
	return t->text.text;
}

static bool wait_for(struct tty *t, const char *text, bool wanted, unsigned seconds)
{
	int64_t until_ms = now_ms() + seconds * 1000;

	while ((strstr(tty_screen(t), text) != NULL) != wanted) {
		if (t->is_over || now_ms() >= until_ms)
			return false;
		take(t, 50);
	}
	return true;
}

bool tty_shows(struct tty *t, const char *text, unsigned seconds)
{
	return wait_for(t, text, true, seconds);
}

bool tty_hides(struct tty *t, const char *text, unsigned seconds)
{
	return wait_for(t, text, false, seconds);
}

bool tty_settle(struct tty *t, unsigned seconds)
{
	char word[32];

	snprintf(word, sizeof(word), ":seen%u", t->n_words++);
	tty_type(t, word);
	if (!tty_shows(t, word, seconds))
		return false;
	tty_type(t, "\033");
	return tty_hides(t, word, seconds);
}

const struct buf *tty_bytes(const struct tty *t)
{
	return &t->bytes;
}

pid_t tty_pid(const struct tty *t)
{
	return t->pid;
}

bool tty_runs(struct tty *t)
{
	while (take(t, 0))
		;
	return !t->is_over;
}

int tty_end(struct tty *t, unsigned seconds)
{
	int64_t until_ms = now_ms() + seconds * 1000;
	int status;

	while (!t->is_over && now_ms() < until_ms)
		take(t, 50);
	if (!t->is_over)
		kill(t->pid, SIGKILL);
	waitpid(t->pid, &status, 0);
	t->pid = 0;
	if (!t->is_over)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int tty_hang_up(struct tty *t, unsigned seconds)
{
	int64_t until_ms = now_ms() + seconds * 1000;
	pid_t pid = t->pid;
	int status;

	close(t->fd);
	t->fd = -1;
	t->is_over = true;
	t->pid = 0;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (now_ms() >= until_ms)
			kill(pid, SIGKILL);
		poll(NULL, 0, 20);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void tty_close(struct tty *t)
{
	if (t->pid > 0) {
		kill(t->pid, SIGKILL);
		waitpid(t->pid, NULL, 0);
	}
	if (t->fd >= 0)
		close(t->fd);
	vterm_free(t->vterm);
	buf_done(&t->bytes);
	buf_done(&t->text);
	free(t);
}
