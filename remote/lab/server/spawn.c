#include "remote/lab/server/spawn.h"
#include "remote/lab/server/programs.h"
#include "remote/lab/server/trap.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/*
 * Of this machine, as it is: libraries, and the devices that every process needs. Its programs are not (programs.h). What no
 * path leads to is this machine's too: its disks (df), processors (nproc), process numbers. This is no jail: a command that
 * drops its environment (env -i, unset LD_PRELOAD) is on this machine, and the lab's directory can be read from every node.
 */
#define DEVICES		"/dev/null:/dev/zero:/dev/full:/dev/random:/dev/urandom:/dev/tty:/dev/ptmx:/dev/pts:/dev/fd:/dev/shm:/dev/stdin:" \
			"/dev/stdout:/dev/stderr"
#define EXCLUDED	"/usr/lib:/usr/lib32:/usr/lib64:/usr/libexec:/usr/share:/lib:/lib32:/lib64:" DEVICES
#define ENV_MAX		16

static char preload[256];

/* Those that libuv waits for. */
static struct {
	int *list;
	size_t n, cap;
} ours;

bool spawn_ready(struct err *err)
{
	static const char *const places[] = {
		"/usr/lib/*/fakechroot/libfakechroot.so", "/usr/lib/fakechroot/libfakechroot.so",
		"/usr/lib64/fakechroot/libfakechroot.so",
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
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

/* -- begin -- */

static void environment(struct server *s, const struct lab_device *d, const char *user, char **env)
{
	const char *dir = server_dir(s);
	size_t n = 0;

	env[n++] = xstrdup("PATH=" PROGRAMS_PATH);
	env[n++] = xasprintf("LAB_SOCKET=%s/ctl.sock", dir);
	env[n++] = xasprintf("LAB_NODE=%s", d->name);
	env[n++] = xasprintf("LD_PRELOAD=%s", preload);
	env[n++] = xasprintf("FAKECHROOT_BASE=%s/nodes/%s", dir, d->name);
	env[n++] = xasprintf("FAKECHROOT_EXCLUDE_PATH=" EXCLUDED ":%s", dir);
	env[n++] = xasprintf("USER=%s", user);
	env[n++] = xasprintf("LOGNAME=%s", user);
	env[n++] = xstrdup("HOME=/root");
	env[n++] = xstrdup("SHELL=/bin/sh");
	env[n++] = xstrdup("LANG=C.UTF-8");
	/* A sanitized build is preloaded too, and would rather come first. */
	env[n++] = xstrdup("ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0");
	env[n++] = xstrdup("SSH_CONNECTION=127.0.0.1 50022 127.0.0.1 22");
	env[n++] = xasprintf("LAB_TRAP=%s", d->trap.kind ? d->trap.kind->name : "");
	env[n] = NULL;
}

int spawn(struct server *s, const struct lab_device *d, const char *user, uv_process_t *process,
	  uv_process_options_t *options)
{
	char *cwd = xasprintf("%s/nodes/%s/root", server_dir(s), d->name), *file = NULL;
	char *env[ENV_MAX];
	int done;

	programs_put(s, d);
	if (!strchr(options->file, '/'))	/* libuv would look for it on this machine */
		options->file = file = programs_find(s, d, options->file);
	if (!options->file) {
		free(cwd);
		return UV_ENOENT;
	}
	environment(s, d, user, env);
	options->env = env;
	options->cwd = cwd;
	options->flags |= UV_PROCESS_DETACHED;	/* its own session */
	done = uv_spawn(server_loop(s), process, options);
	if (!done) {
		int *pid = GROW(ours.list, ours.n, ours.cap);

		*pid = process->pid;
		ours.n++;
	}
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(file);
	free(cwd);
	return done;
}

/* -- end -- */

void spawn_ended(int pid)
{
	for (size_t i = 0; i < ours.n; i++)
		if (ours.list[i] == pid) {
			ours.list[i] = ours.list[--ours.n];
			break;
		}
	if (ours.n)
		return;
	free(ours.list);
	ours.list = NULL;
	ours.cap = 0;
}

static size_t read_proc(const char *pid, const char *file, char *text, size_t size)
{
	char path[300];
	FILE *in;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, file);
	in = fopen(path, "re");
	if (!in)
		return 0;
	n = fread(text, 1, size - 1, in);
	fclose(in);
	text[n] = '\0';
	return n;
}

/* Of "PID (name) state ppid pgrp session …": the name may hold anything, so from its last parenthesis on. */
static int session_of(const char *pid)
{
	char text[512];
	const char *after;
	int session = -1;

	if (!read_proc(pid, "stat", text, sizeof(text)))
		return -1;
	after = strrchr(text, ')');
	if (!after || sscanf(after + 1, " %*c %*d %*d %d", &session) != 1)
		return -1;
	return session;
}

/* Not the process group alone: timeout(1) and job control make groups of their own. */
void spawn_kill_session(int leader)
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

/* Whether the environment has this variable, "NAME=value". */
static bool has_variable(const char *text, size_t n, const char *variable)
{
	for (const char *at = text; at < text + n; at += strlen(at) + 1)
		if (!strcmp(at, variable))
			return true;
	return false;
}

static unsigned left(const char *dir, const struct lab_device *d, bool ends)
{
	char *socket = xasprintf("LAB_SOCKET=%s/ctl.sock", dir), *node = xasprintf("LAB_NODE=%s", d ? d->name : "");
	static char text[32768];
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	unsigned found = 0;
	size_t n;

	while (proc && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		n = read_proc(entry->d_name, "environ", text, sizeof(text));
		if (!has_variable(text, n, socket) || (d && !has_variable(text, n, node)))
			continue;
		found++;
		if (ends)
			kill(atoi(entry->d_name), SIGKILL);
	}
	if (proc)
		closedir(proc);
	free(socket);
	free(node);
	return found;
}

void spawn_kill_left(const char *dir, const struct lab_device *d)
{
	left(dir, d, true);
}

unsigned spawn_count(const char *dir, const struct lab_device *d)
{
	return left(dir, d, false);
}

void spawn_reap(void)
{
	siginfo_t who;

	for (;;) {
		who.si_pid = 0;
		if (waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) || !who.si_pid)
			return;
		for (size_t i = 0; i < ours.n; i++)
			if (ours.list[i] == who.si_pid)
				return;
		waitpid(who.si_pid, NULL, WNOHANG);
	}
}
