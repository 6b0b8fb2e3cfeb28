/*
 * Simulated Linux hosts, and switches whose shell is a Linux one: each command runs in the real /bin/sh as a child with
 * pipes, so quoting, pipelines, signals and exit codes are the real ones. fakechroot makes /sys, /proc, /etc, /run,
 * /opt and the home directory the device's own files; the fabric's tools are stand-ins that come first in PATH and ask
 * the lab (ctl_client.c). The child leads a session of processes that is killed with its channel.
 */
#include <stdlib.h>

#include "remote/lab/linux/linux.h"
#include "remote/lab/server/spawn.h"
#include "remote/lab/server/view.h"
#include "remote/lab/server/write_count.h"

#define STDIN_BACKLOG	(1u << 20)

struct shell {
	struct lab_channel *channel;	/* NULL once the channel is gone */
	uv_process_t process;
	uv_pipe_t in, out, errors;
	unsigned open_handles;
	unsigned open_outputs;
	int64_t status;
	bool is_running, is_paused;
	char bytes[16384];
};

/* -- end -- */

static void on_handle_closed(uv_handle_t *handle)
{
	struct shell *sh = handle->data;

	if (!--sh->open_handles)
		free(sh);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_handle_closed);
}

static void shell_close(struct shell *sh)
{
	close_handle((uv_handle_t *)&sh->process);
	close_handle((uv_handle_t *)&sh->in);
	close_handle((uv_handle_t *)&sh->out);
	close_handle((uv_handle_t *)&sh->errors);
}

/* The exit status is told after the last output, as sshd does. */
static void end_when_quiet(struct shell *sh)
{
	struct lab_channel *c = sh->channel;

	if (!c || sh->is_running || sh->open_outputs)
		return;
	lab_end(c, sh->status);
	lab_pump(c);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal)
{
	struct shell *sh = process->data;

	spawn_ended(process->pid);
	/* What the shell left in the background ends here, but for what has a session of its own. */
	spawn_kill_session(process->pid);
	sh->is_running = false;
	sh->status = signal ? 128 + signal : status;
	if (sh->channel)
		end_when_quiet(sh);
	else
		shell_close(sh);
}

/* -- bytes -- */

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct shell *sh = handle->data;

	(void)suggested;
	*buf = uv_buf_init(sh->bytes, sizeof(sh->bytes));
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct shell *sh = stream->data;

	if (n < 0) {
		uv_read_stop(stream);
		sh->open_outputs--;
		end_when_quiet(sh);
		return;
	}
	if (!n || !sh->channel)
		return;
	lab_write(sh->channel, buf->base, n, stream == (uv_stream_t *)&sh->errors);
	if (lab_backlog(sh->channel) > CHANNEL_BACKLOG) {
		uv_read_stop((uv_stream_t *)&sh->out);
		uv_read_stop((uv_stream_t *)&sh->errors);
		sh->is_paused = true;
	}
	lab_pump(sh->channel);
}

static void linux_drained(struct lab_channel *c)
{
	struct shell *sh = c->state;

	if (!sh->is_paused)
		return;
	sh->is_paused = false;
	uv_read_start((uv_stream_t *)&sh->out, on_room, on_output);
	uv_read_start((uv_stream_t *)&sh->errors, on_room, on_output);
}

struct input {
	uv_write_t request;
	char bytes[];
};

static void on_input_written(uv_write_t *request, int status)
{
	(void)status;
	free(request->data);
}

static void linux_input(struct lab_channel *c, struct span bytes)
{
	struct shell *sh = c->state;
	struct input *input;
	uv_buf_t buf;

	if (uv_is_closing((uv_handle_t *)&sh->in))
		return;
	if (uv_stream_get_write_queue_size((uv_stream_t *)&sh->in) > STDIN_BACKLOG) {
		spawn_kill_session(sh->process.pid);
		return;
	}
	input = xmalloc(sizeof(*input) + bytes.n);
	memcpy(input->bytes, bytes.p, bytes.n);
	input->request.data = input;
	buf = uv_buf_init(input->bytes, bytes.n);
	if (uv_write(&input->request, (uv_stream_t *)&sh->in, &buf, 1, on_input_written))
		free(input);
}

static void on_input_ended(uv_shutdown_t *request, int status)
{
	(void)status;
	close_handle((uv_handle_t *)request->handle);
	free(request);
}

static void linux_eof(struct lab_channel *c)
{
	struct shell *sh = c->state;
	uv_shutdown_t *request = xcalloc(1, sizeof(*request));

	if (uv_is_closing((uv_handle_t *)&sh->in) ||
	    uv_shutdown(request, (uv_stream_t *)&sh->in, on_input_ended))
		free(request);
}

/* -- start -- */

static bool begin(struct shell *sh, const char *command)
{
	struct lab_channel *c = sh->channel;
	char *args[] = { "/bin/sh", command ? "-c" : NULL, (char *)command, NULL };
	uv_stdio_container_t pipes[3] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&sh->in },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&sh->out },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&sh->errors },
	};
	uv_process_options_t options = {
		.file = "/bin/sh", .args = args, .exit_cb = on_exit_status, .stdio = pipes, .stdio_count = 3,
	};

	return spawn(c->server, c->device, c->user, &sh->process, &options) == 0;
}

static bool linux_start(struct lab_channel *c, const char *command)
{
	struct shell *sh = xcalloc(1, sizeof(*sh));
	uv_loop_t *loop = server_loop(c->server);

	c->state = sh;
	sh->channel = c;
	sh->process.data = sh->in.data = sh->out.data = sh->errors.data = sh;
	uv_pipe_init(loop, &sh->in, 0);
	uv_pipe_init(loop, &sh->out, 0);
	uv_pipe_init(loop, &sh->errors, 0);
	sh->open_handles = 4;
	view_write(server_fabric(c->server), c->device, server_dir(c->server));
	server_take_up(c->server, c->device);
	view_clock(server_fabric(c->server), c->device, server_dir(c->server));
	sh->is_running = begin(sh, command);
	if (!sh->is_running) {
		sh->channel = NULL;
		shell_close(sh);
		return false;
	}
	sh->open_outputs = 2;
	uv_read_start((uv_stream_t *)&sh->out, on_room, on_output);
	uv_read_start((uv_stream_t *)&sh->errors, on_room, on_output);
	return true;
}

static void linux_closed(struct lab_channel *c)
{
	struct shell *sh = c->state;

	sh->channel = NULL;
	if (sh->is_running) {
		spawn_kill_session(sh->process.pid);	/* on_exit_status() goes on */
		return;
	}
	shell_close(sh);
}

const struct speaker lab_linux_shell = {
	.start = linux_start, .input = linux_input, .eof = linux_eof, .drained = linux_drained, .closed = linux_closed,
};
