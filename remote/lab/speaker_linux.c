/*
 * Simulated Linux hosts, and switches whose shell is a Linux one: each command runs in the real /bin/sh as a child with
 * pipes, so quoting, pipelines, signals and exit codes are the real ones. fakechroot makes /sys, /proc, /etc, /run,
 * /opt and the home directory the device's own files; the fabric's tools are stand-ins that come first in PATH and ask
 * the lab (standin.c). Nothing outlives its channel: the child leads a session of processes that is killed with it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/speakers.h"
#include "remote/lab/view.h"

#define STDIN_BACKLOG	(1u << 20)
#define EXCLUDED	"/bin:/usr:/lib:/lib64:/sbin:/dev"

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

static char preload[256];

bool speaker_linux_ready(struct err *err)
{
	static const char *const places[] = {
		"/usr/lib/*/fakechroot/libfakechroot.so", "/usr/lib/fakechroot/libfakechroot.so",
		"/usr/lib64/fakechroot/libfakechroot.so",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		glob_t found;

		if (!glob(places[i], 0, NULL, &found) && found.gl_pathc)
			snprintf(preload, sizeof(preload), "%s", found.gl_pathv[0]);
		globfree(&found);
		if (*preload)
			return true;
	}
	return err_set(err, "libfakechroot.so is not installed (Debian: apt-get install fakechroot)");
}

const struct speaker *speaker_of(const struct lab_device *d, const char *command)
{
	(void)command;
	if (d->speaker)
		return d->speaker;
	return d->os == OS_OS10 ? &speaker_os10 : &speaker_linux;
}

/* ---- end ---- */

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

/* Of "PID (name) state ppid pgrp session …": the name may hold anything, so from its last parenthesis on. */
static int session_of(const char *pid)
{
	char path[300], text[512];
	FILE *file;
	const char *after;
	int session = -1;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	after = strrchr(text, ')');
	if (!after || sscanf(after + 1, " %*c %*d %*d %d", &session) != 1)
		return -1;
	return session;
}

/* Not the process group alone: timeout(1) and job control make groups of their own. */
static void kill_session(int leader)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	kill(-leader, SIGKILL);
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name) && session_of(entry->d_name) == leader)
			kill(atoi(entry->d_name), SIGKILL);
	if (dir)
		closedir(dir);
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

	/* What the shell left in the background ends here. */
	kill_session(process->pid);
	sh->is_running = false;
	sh->status = signal ? 128 + signal : status;
	if (sh->channel)
		end_when_quiet(sh);
	else
		shell_close(sh);
}

/* ---- bytes ---- */

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
		kill_session(sh->process.pid);
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

/* ---- start ---- */

#define ENV_MAX 14

static void environment(struct lab_channel *c, char **env)
{
	const char *dir = server_dir(c->server), *name = c->device->name;
	size_t n = 0;

	env[n++] = xasprintf("PATH=%s/bin/%s:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", dir,
			     c->device->os == OS_SONIC ? "sonic" : "linux");
	env[n++] = xasprintf("LAB_SOCKET=%s/ctl.sock", dir);
	env[n++] = xasprintf("LAB_NODE=%s", name);
	env[n++] = xasprintf("LD_PRELOAD=%s", preload);
	env[n++] = xasprintf("FAKECHROOT_BASE=%s/nodes/%s", dir, name);
	env[n++] = xasprintf("FAKECHROOT_EXCLUDE_PATH=" EXCLUDED ":%s", dir);
	env[n++] = xasprintf("USER=%s", c->user);
	env[n++] = xasprintf("LOGNAME=%s", c->user);
	env[n++] = xstrdup("HOME=/root");
	env[n++] = xstrdup("SHELL=/bin/sh");
	env[n++] = xstrdup("LANG=C.UTF-8");
	/* A sanitized build is preloaded too, and would rather come first. */
	env[n++] = xstrdup("ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0");
	env[n] = NULL;
}

static bool spawn(struct shell *sh, const char *command)
{
	struct lab_channel *c = sh->channel;
	char *cwd = xasprintf("%s/nodes/%s/root", server_dir(c->server), c->device->name);
	char *args[] = { "/bin/sh", command ? "-c" : NULL, (char *)command, NULL };
	char *env[ENV_MAX];
	uv_stdio_container_t pipes[3] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&sh->in },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&sh->out },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&sh->errors },
	};
	uv_process_options_t options = {
		.file = "/bin/sh", .args = args, .env = env, .cwd = cwd, .exit_cb = on_exit_status,
		.stdio = pipes, .stdio_count = 3,
		.flags = UV_PROCESS_DETACHED,	/* its own process group */
	};
	int done;

	environment(c, env);
	done = uv_spawn(server_loop(c->server), &sh->process, &options);
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(cwd);
	return done == 0;
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
	sh->is_running = spawn(sh, command);
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
		kill_session(sh->process.pid);	/* on_exit_status() goes on */
		return;
	}
	shell_close(sh);
}

const struct speaker speaker_linux = {
	.start = linux_start, .input = linux_input, .eof = linux_eof, .drained = linux_drained, .closed = linux_closed,
};
