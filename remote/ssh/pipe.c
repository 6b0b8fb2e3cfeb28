#include "remote/ssh/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define TERM_MS		2000	/* from the polite signal to the other one */
#define LINE_BYTES	1000

struct pipe {
	struct pipe_hooks hooks;
	uv_process_t process;
	uv_pipe_t err;
	uv_timer_t patience;
	unsigned handles;
	int in, out;			/* -1: taken, or closed */
	bool has_process, is_running, is_err_open, is_told, is_freed;
	int status;
	char said[PIPE_SAID_MAX + 1];
	size_t n_said;
	struct buf line;
	char block[2048];
	void (*gone)(void *ctx);
	void *gone_ctx;
};

/* -- what it says -- */

static void keep(struct pipe *p, struct span line)
{
	if (p->n_said && p->n_said + 2 < PIPE_SAID_MAX && line.n) {
		memcpy(p->said + p->n_said, "; ", 2);
		p->n_said += 2;
	}
	for (size_t i = 0; i < line.n && p->n_said < PIPE_SAID_MAX; i++) {
		char c = line.p[i];
		p->said[p->n_said++] = c >= ' ' && c <= '~' ? c : '?';
	}
	p->said[p->n_said] = '\0';
}

static void take_line(struct pipe *p)
{
	struct span line = buf_span(&p->line);

	while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' '))
		line.n--;
	bool is_taken = p->hooks.line && !p->is_freed && p->hooks.line(p->hooks.ctx, line);
	if (!is_taken)
		keep(p, line);
	buf_clear(&p->line);
}

static void take(struct pipe *p, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n')
			take_line(p);
		else if (p->line.n < LINE_BYTES)
			buf_add(&p->line, &bytes[i], 1);
	}
}

/* -- its end -- */

static void on_closed(uv_handle_t *h)
{
	struct pipe *p = h->data;

	if (--p->handles)
		return;
	void (*gone)(void *ctx) = p->gone;
	void *ctx = p->gone_ctx;
	buf_done(&p->line);
	free(p);
	if (gone)
		gone(ctx);
}

static void close_all(struct pipe *p)
{
	if (p->has_process)
		uv_close((uv_handle_t *)&p->process, on_closed);
	uv_close((uv_handle_t *)&p->err, on_closed);
	uv_close((uv_handle_t *)&p->patience, on_closed);
}

static void tell_end(struct pipe *p)
{
	if (p->is_running || p->is_err_open || p->is_told || p->is_freed)
		return;
	p->is_told = true;
	uv_timer_stop(&p->patience);
	if (p->line.n)
		take_line(p);
	p->hooks.ended(p->hooks.ctx);
}

/* Somebody it started may hold its stderr for ever. */
static void on_stderr_kept(uv_timer_t *timer)
{
	struct pipe *p = timer->data;

	uv_read_stop((uv_stream_t *)&p->err);
	p->is_err_open = false;
	tell_end(p);
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal)
{
	struct pipe *p = process->data;

	p->is_running = false;
	p->status = signal ? 128 + signal : (int)status;
	if (p->is_freed)
		return close_all(p);
	if (p->is_err_open)
		uv_timer_start(&p->patience, on_stderr_kept, 500, 0);
	tell_end(p);
}

static void on_room(uv_handle_t *h, size_t suggested, uv_buf_t *out)
{
	struct pipe *p = h->data;

	(void)suggested;
	*out = uv_buf_init(p->block, sizeof(p->block));
}

static void on_stderr(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
	struct pipe *p = stream->data;

	if (n > 0)
		return take(p, bytes->base, n);
	if (n == 0)
		return;
	uv_read_stop(stream);
	p->is_err_open = false;
	tell_end(p);
}

static void on_patience_over(uv_timer_t *timer)
{
	struct pipe *p = timer->data;

	kill(-p->process.pid, SIGKILL);
}

/* It leads a group of its own. */
static void end_process(struct pipe *p)
{
	kill(-p->process.pid, SIGTERM);
	uv_timer_start(&p->patience, on_patience_over, TERM_MS, 0);
}

static void close_ends(struct pipe *p)
{
	if (p->in >= 0 && p->in != p->out)
		close(p->in);
	if (p->out >= 0)
		close(p->out);
	p->in = p->out = -1;
}

void pipe_free(struct pipe *p, void (*gone)(void *ctx), void *ctx)
{
	if (!p || p->is_freed)
		return;
	p->is_freed = true;
	p->gone = gone;
	p->gone_ctx = ctx;
	close_ends(p);
	uv_timer_stop(&p->patience);
	if (p->is_running)
		end_process(p);
	else
		close_all(p);
}

/* -- its beginning -- */

/* Both ends close-on-exec; ours does not wait. */
static bool make_socket(int *ours, int *its)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return false;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	*ours = fds[0];
	*its = fds[1];
	return true;
}

/* Wide and endless, as a session of ours asks a switch for; raw, so that nothing of what we write comes back. */
static bool make_tty(int *ours, int *its)
{
	struct winsize size = { .ws_row = 0, .ws_col = 511 };
	struct termios raw = { 0 };

	cfmakeraw(&raw);
	raw.c_cflag |= CREAD | CS8;
	if (openpty(ours, its, NULL, &raw, &size) < 0)
		return false;
	fcntl(*ours, F_SETFD, FD_CLOEXEC);
	fcntl(*its, F_SETFD, FD_CLOEXEC);
	fcntl(*ours, F_SETFL, O_NONBLOCK);
	return true;
}

/* Ours, with TERM as a session of ours has it, and nobody who would ask for a passphrase on a display. */
static char **environment(void)
{
	static char term[] = "TERM=dumb", askpass[] = "SSH_ASKPASS_REQUIRE=never";
	size_t n = 0, at = 0;

	while (environ[n])
		n++;
	char **list = xcalloc(n + 3, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "TERM=", 5) && strncmp(environ[i], "SSH_ASKPASS_REQUIRE=", 20))
			list[at++] = environ[i];
	list[at++] = term;
	list[at++] = askpass;
	return list;
}

static int start(struct pipe *p, const char *const *argv, int its_in, int its_out)
{
	uv_stdio_container_t io[] = {
		{ .flags = UV_INHERIT_FD, .data.fd = its_in },
		{ .flags = UV_INHERIT_FD, .data.fd = its_out },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&p->err },
	};
	uv_process_options_t options = {
		.file = argv[0], .args = (char **)argv, .stdio = io, .stdio_count = 3, .exit_cb = on_process_exit,
		.flags = UV_PROCESS_DETACHED, .env = environment(),
	};
	int rc = uv_spawn(p->err.loop, &p->process, &options);

	p->has_process = true;	/* its handle is to be closed in any case */
	p->handles++;
	free(options.env);
	return rc;
}

/* False: err says why, and what was opened is in p and its. */
static bool open_ends(struct pipe *p, bool wants_tty, int its[2], struct err *err)
{
	if (make_socket(&p->out, &its[1]) && (!wants_tty || make_tty(&p->in, &its[0]))) {
		if (!wants_tty) {
			p->in = p->out;
			its[0] = its[1];
		}
		return true;
	}
	return err_set(err, "no descriptors for a child process: %s", strerror(errno));
}

static void close_its(const int its[2])
{
	if (its[0] >= 0 && its[0] != its[1])
		close(its[0]);
	if (its[1] >= 0)
		close(its[1]);
}

struct pipe *pipe_new(uv_loop_t *loop, const char *const *argv, bool wants_tty, const struct pipe_hooks *hooks,
		      struct err *err)
{
	struct pipe *p = xcalloc(1, sizeof(*p));
	int its[2] = { -1, -1 };

	*p = (struct pipe){ .hooks = *hooks, .in = -1, .out = -1, .handles = 2 };
	uv_pipe_init(loop, &p->err, 0);
	uv_timer_init(loop, &p->patience);
	p->process.data = p->err.data = p->patience.data = p;
	int rc = open_ends(p, wants_tty, its, err) ? start(p, argv, its[0], its[1]) : UV_EMFILE;
	close_its(its);
	if (rc < 0) {
		if (rc != UV_EMFILE)
			err_set(err, "%s: %s", argv[0], uv_strerror(rc));
		p->is_freed = true;
		close_ends(p);
		close_all(p);
		return NULL;
	}
	p->is_running = p->is_err_open = true;
	uv_read_start((uv_stream_t *)&p->err, on_room, on_stderr);
	return p;
}

int pipe_in(const struct pipe *p)
{
	return p->in;
}

int pipe_out(const struct pipe *p)
{
	return p->out;
}

int pipe_take(struct pipe *p)
{
	int fd = p->out;

	p->in = p->out = -1;
	return fd;
}

bool pipe_has_ended(const struct pipe *p)
{
	return p->is_told;
}

int pipe_status(const struct pipe *p)
{
	return p->status;
}

const char *pipe_said(const struct pipe *p)
{
	return p->said;
}
