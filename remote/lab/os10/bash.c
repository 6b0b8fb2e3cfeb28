#include "remote/lab/os10/bash.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/lab/server/spawn.h"
#include "remote/lab/server/view.h"

#define INPUT_BACKLOG	(1u << 20)

struct dell_bash {
	struct lab_channel *channel;	/* NULL once the channel is gone */
	void (*ended)(struct lab_channel *c);
	uv_process_t process;
	uv_pipe_t terminal;
	unsigned open_handles;
	bool is_running, is_open, is_paused;
	char bytes[16384];
};

static void on_closed(uv_handle_t *handle)
{
	struct dell_bash *b = handle->data;

	if (!--b->open_handles)
		free(b);
}

static void close_all(struct dell_bash *b)
{
	uv_close((uv_handle_t *)&b->process, on_closed);
	uv_close((uv_handle_t *)&b->terminal, on_closed);
}

static void end_when_quiet(struct dell_bash *b)
{
	struct lab_channel *c = b->channel;

	if (b->is_running || (c && b->is_open))
		return;
	b->channel = NULL;
	close_all(b);
	if (!c)
		return;
	b->ended(c);
	lab_pump(c);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal)
{
	struct dell_bash *b = process->data;

	(void)status, (void)signal;
	spawn_ended(process->pid);
	spawn_kill_session(process->pid);
	b->is_running = false;
	end_when_quiet(b);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct dell_bash *b = handle->data;

	(void)suggested;
	*buf = uv_buf_init(b->bytes, sizeof(b->bytes));
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct dell_bash *b = stream->data;

	if (n < 0) {	/* EIO: nobody has the terminal open any more */
		uv_read_stop(stream);
		b->is_open = false;
		end_when_quiet(b);
		return;
	}
	if (!n || !b->channel)
		return;
	lab_write(b->channel, buf->base, (size_t)n, false);
	if (lab_backlog(b->channel) > CHANNEL_BACKLOG) {
		uv_read_stop(stream);
		b->is_paused = true;
	}
	lab_pump(b->channel);
}

void dell_bash_drained(struct dell_bash *b)
{
	if (!b->is_paused)
		return;
	b->is_paused = false;
	uv_read_start((uv_stream_t *)&b->terminal, on_room, on_output);
}

struct input {
	uv_write_t request;
	char bytes[];
};

static void on_written(uv_write_t *request, int status)
{
	(void)status;
	free(request->data);
}

void dell_bash_input(struct dell_bash *b, struct span bytes)
{
	struct input *input;
	uv_buf_t buf;

	if (!b->is_open || !bytes.n)
		return;
	if (uv_stream_get_write_queue_size((uv_stream_t *)&b->terminal) > INPUT_BACKLOG) {
		spawn_kill_session(b->process.pid);
		return;
	}
	input = xmalloc(sizeof(*input) + bytes.n);
	memcpy(input->bytes, bytes.p, bytes.n);
	input->request.data = input;
	buf = uv_buf_init(input->bytes, (unsigned)bytes.n);
	if (uv_write(&input->request, (uv_stream_t *)&b->terminal, &buf, 1, on_written))
		free(input);
}

void dell_bash_close(struct dell_bash *b)
{
	b->channel = NULL;
	if (b->is_running)
		spawn_kill_session(b->process.pid);	/* on_exit_status() goes on */
}

/* -- begin -- */

static bool open_terminal(int *ours, int *theirs)
{
	char name[64];

	*theirs = -1;
	*ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (*ours >= 0 && !grantpt(*ours) && !unlockpt(*ours) && !ptsname_r(*ours, name, sizeof(name)))
		*theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*theirs >= 0)
		return true;
	if (*ours >= 0)
		close(*ours);
	return false;
}

static bool begin(struct dell_bash *b, int theirs)
{
	struct lab_channel *c = b->channel;
	char *args[] = { "bash", "-i", NULL };
	uv_stdio_container_t terminal = { .flags = UV_INHERIT_FD, .data.fd = theirs };
	uv_stdio_container_t three[3] = { terminal, terminal, terminal };
	uv_process_options_t options = {
		.file = "/bin/bash", .args = args, .exit_cb = on_exit_status, .stdio = three, .stdio_count = 3,
	};

	return spawn(c->server, c->device, c->user, &b->process, &options) == 0;
}

struct dell_bash *dell_bash_new(struct lab_channel *c, void (*ended)(struct lab_channel *c))
{
	struct fabric *f = server_fabric(c->server);
	struct dell_bash *b;
	char prompt[160];
	int ours, theirs;

	if (!open_terminal(&ours, &theirs))
		return NULL;
	view_write(f, c->device, server_dir(c->server));
	view_clock(f, c->device, server_dir(c->server));
	snprintf(prompt, sizeof(prompt), "PS1='admin@%s:\\w\\$ '\n", c->device->name);
	view_put(server_dir(c->server), c->device, "root/.bashrc", prompt);
	b = xcalloc(1, sizeof(*b));
	b->channel = c;
	b->ended = ended;
	b->process.data = b->terminal.data = b;
	uv_pipe_init(server_loop(c->server), &b->terminal, 0);
	b->open_handles = 2;
	b->is_running = begin(b, theirs);
	close(theirs);
	b->is_open = b->is_running && !uv_pipe_open(&b->terminal, ours);
	if (!b->is_open)
		close(ours);
	if (!b->is_running) {
		close_all(b);
		return NULL;
	}
	if (b->is_open)
		uv_read_start((uv_stream_t *)&b->terminal, on_room, on_output);
	return b;
}
