#include "tui/prompt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "tui/safe.h"

static struct session *asking;

void prompt_for(struct session *s)
{
	asking = s;
}

#define CTRL_C 3

/*
 * The terminal as a question wants it, before the question is seen: what is typed at once is neither shown nor dropped.
 * Ctrl-C ends the line instead of signalling, because a signal would not end the read.
 */
static bool begin_question(int tty, bool echo, struct termios *old)
{
	struct termios quiet;

	if (tcgetattr(tty, old) != 0)
		return false;
	quiet = *old;
	quiet.c_lflag &= ~(tcflag_t)(ISIG | (echo ? 0 : ECHO));
	quiet.c_cc[VEOL] = CTRL_C;
	return tcsetattr(tty, TCSAFLUSH, &quiet) == 0;	/* what was typed before the question is dropped */
}

/* One line from the terminal itself, whatever standard input is. */
static bool read_line(int tty, char *line, size_t size)
{
	ssize_t n = read(tty, line, size - 1);

	if (n <= 0)
		return false;
	if (line[n - 1] == CTRL_C) {
		raise(SIGINT);
		return false;
	}
	line[n - (line[n - 1] == '\n')] = '\0';
	return true;
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct buf text = { 0 };
	struct termios old;
	char line[1024];
	bool ok;

	(void)ctx;
	if (tty < 0 || !begin_question(tty, !q->is_secret, &old)) {
		session_answer(asking, id, NULL);
		if (tty >= 0)
			close(tty);
		return;
	}
	safe_add(&text, span_of(q->text), false);
	dprintf(tty, "\r\033[K%s: %s%s ", q->host, text.text, q->is_yes_no ? " [yes/no]" : "");
	ok = read_line(tty, line, sizeof(line));
	tcsetattr(tty, TCSANOW, &old);
	if (q->is_secret)
		dprintf(tty, "\n");
	session_answer(asking, id, ok ? line : NULL);
	explicit_bzero(line, sizeof(line));
	buf_done(&text);
	close(tty);
}

void (*prompt_hook(void))(void *ctx, unsigned id, const struct question *q)
{
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (tty < 0)
		return NULL;
	close(tty);
	return ask;
}
