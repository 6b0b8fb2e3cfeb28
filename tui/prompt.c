#include "tui/prompt.h"

#include <fcntl.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "tui/safe.h"

static struct session *asking;

void prompt_for(struct session *s)
{
	asking = s;
}

/* One line from the terminal itself, whatever standard input is. */
static bool read_line(int tty, bool echo, char *line, size_t size)
{
	struct termios old, quiet;
	ssize_t n;

	if (tcgetattr(tty, &old) != 0)
		return false;
	quiet = old;
	if (!echo)
		quiet.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(tty, TCSAFLUSH, &quiet);	/* what was typed before the question is dropped */
	n = read(tty, line, size - 1);
	tcsetattr(tty, TCSANOW, &old);
	if (n <= 0)
		return false;
	line[n - (line[n - 1] == '\n')] = '\0';
	return true;
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct buf text = { 0 };
	char line[1024];
	bool ok;

	(void)ctx;
	if (tty < 0) {
		session_answer(asking, id, NULL);
		return;
	}
	safe_add(&text, span_of(q->text), false);
	dprintf(tty, "\r\033[K%s: %s%s ", q->host, text.text, q->is_yes_no ? " [yes/no]" : "");
	ok = read_line(tty, !q->is_secret, line, sizeof(line));
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
