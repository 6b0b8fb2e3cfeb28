#include "tui/args/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "tui/text/safe.h"

struct pending {
	unsigned id;
	char *host, *text;	/* owned */
	char **lines;		/* owned: what the yes is for */
	size_t n_lines;
	bool is_secret, is_yes_no;
};

static struct {
	uv_loop_t *loop;
	void (*give)(void *ctx, unsigned id, const char *text);
	void *ctx;		/* whose give is */
	struct pending *list;	/* the first is on the terminal */
	size_t n, cap;
	int tty;		/* an opening of its own, whatever standard input is */
	struct termios before;
	uv_poll_t poll;
	bool is_watched;	/* tty is open, and poll is on it */
} asking;

static void show_next(void);

static void drop_first(void)
{
	free(asking.list[0].host);
	free(asking.list[0].text);
	for (size_t i = 0; i < asking.list[0].n_lines; i++)
		free(asking.list[0].lines[i]);
	free(asking.list[0].lines);
	asking.n--;
	memmove(asking.list, asking.list + 1, asking.n * sizeof(*asking.list));
}

/* The answer to the first; NULL refuses it. */
static void answer(const char *line)
{
	unsigned id = asking.list[0].id;

	if (asking.is_watched) {
		tcsetattr(asking.tty, TCSANOW, &asking.before);
		if (asking.list[0].is_secret || !line)
			dprintf(asking.tty, "\n");
	}
	drop_first();
	asking.give(asking.ctx, id, line);
	show_next();
}

/* One line. Ctrl-D, and a terminal that is gone, are no answer. */
static void on_line(uv_poll_t *handle, int status, int events)
{
	char line[1024];
	ssize_t n = status < 0 ? 0 : read(asking.tty, line, sizeof(line) - 1);

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	uv_poll_stop(handle);
	if (n > 0)
		line[n - (line[n - 1] == '\n')] = '\0';
	answer(n > 0 ? line : NULL);
	explicit_bzero(line, sizeof(line));
}

static bool watch_terminal(void)
{
	if (asking.is_watched)
		return true;
	asking.tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (asking.tty < 0)
		return false;
	if (tcgetattr(asking.tty, &asking.before) == 0 && uv_poll_init(asking.loop, &asking.poll, asking.tty) == 0)
		return asking.is_watched = true;
	close(asking.tty);
	return false;
}

/* The terminal as a question wants it, before the question is seen: what was typed before it is dropped. */
static bool begin_question(bool echo)
{
	struct termios quiet = asking.before;

	quiet.c_lflag |= ICANON | ISIG;
	if (!echo)
		quiet.c_lflag &= ~(tcflag_t)ECHO;
	return tcsetattr(asking.tty, TCSAFLUSH, &quiet) == 0;
}

static void show_lines(const struct pending *q)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < q->n_lines; i++) {
		buf_clear(&text);
		safe_add(&text, span_of(q->lines[i]), false);
		dprintf(asking.tty, "%4zu  %s\n", i + 1, text.text ? text.text : "");
	}
	buf_done(&text);
}

static void show_next(void)
{
	const struct pending *q = asking.list;
	struct buf text = { 0 };

	if (!asking.n || (asking.is_watched && uv_is_active((uv_handle_t *)&asking.poll)))
		return;		/* an answer may have brought the next question by itself */
	if (!watch_terminal() || !begin_question(!q->is_secret)) {
		answer(NULL);
		return;
	}
	dprintf(asking.tty, "\r\033[K");
	show_lines(q);
	safe_add(&text, span_of(q->text), false);
	dprintf(asking.tty, "%s: %s%s ", q->host, text.text ? text.text : "",
		q->n_lines ? " [yes/no, or the numbers of some: 1,3-5]" : q->is_yes_no ? " [yes/no]" : "");
	buf_done(&text);
	uv_poll_start(&asking.poll, UV_READABLE | UV_DISCONNECT, on_line);
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct pending *p = GROW(asking.list, asking.n, asking.cap);

	(void)ctx;
	*p = (struct pending){ .id = id, .host = xstrdup(q->host ? q->host : ""), .text = xstrdup(q->text ? q->text : ""),
			       .is_secret = q->is_secret, .is_yes_no = q->is_yes_no, .n_lines = q->n_lines };
	p->lines = xcalloc(q->n_lines + 1, sizeof(*p->lines));
	for (size_t i = 0; i < q->n_lines; i++)
		p->lines[i] = xstrdup(q->lines[i]);
	if (asking.n++ == 0)
		show_next();
}

void (*prompt_hook(void))(void *ctx, unsigned id, const struct question *q)
{
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (tty < 0)
		return NULL;
	close(tty);
	return ask;
}

void prompt_begin(uv_loop_t *loop, void (*answer)(void *ctx, unsigned id, const char *text), void *ctx)
{
	asking.loop = loop;
	asking.give = answer;
	asking.ctx = ctx;
}

bool prompt_is_open(void)
{
	return asking.n > 0;
}

void prompt_end(void)
{
	if (asking.n && asking.is_watched) {
		tcsetattr(asking.tty, TCSAFLUSH, &asking.before);
		dprintf(asking.tty, "\n");
	}
	while (asking.n)
		drop_first();
	free(asking.list);
	asking.list = NULL;
	asking.cap = 0;
	if (!asking.is_watched)
		return;
	asking.is_watched = false;
	uv_close((uv_handle_t *)&asking.poll, NULL);
	close(asking.tty);
}
