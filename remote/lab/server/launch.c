#include "remote/lab/server/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM	4096

/* timeout(1)'s own statuses. */
#define TIMED_OUT	124
#define FAILED		125
#define NOT_RUN		126
#define NOT_FOUND	127

/* -- where a command is -- */

const char *launch_path(const char *path, char *room, size_t size)
{
	const char *base = getenv("FAKECHROOT_BASE");
	int n = base && *path == '/' ? snprintf(room, size, "%s%s", base, path) : 0;

	return n > 0 && (size_t)n < size && !access(room, F_OK) ? room : path;
}

static const char *find(const char *name, char *room, size_t size)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return launch_path(name, room, size);
	while (path && *path) {
		size_t n = strcspn(path, ":");
		char in_device[PATH_ROOM];
		const char *found;

		snprintf(in_device, sizeof(in_device), "%.*s/%s", (int)n, path, name);
		found = launch_path(in_device, room, size);
		if (found == room && !access(found, X_OK))
			return found;
		path += n + (path[n] == ':');
	}
	return NULL;
}

void launch(char **argv)
{
	char room[PATH_ROOM];
	const char *path = find(*argv, room, sizeof(room));

	if (path)
		execve(path, argv, environ);
}

/* -- with a limit -- */

bool launch_can_limit(char *const *argv)
{
	return argv[1] && argv[2] && *argv[1] && strspn(argv[1], "0123456789") == strlen(argv[1]) && strlen(argv[1]) < 7;
}

/* To the command, and to its group but for us. */
static void signal_all(pid_t pid, int signal_number)
{
	signal(signal_number, SIG_IGN);
	kill(pid, signal_number);
	kill(0, signal_number);
	kill(pid, SIGCONT);
	kill(0, SIGCONT);
}

static struct timespec left_until(const struct timespec *end)
{
	struct timespec now, left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = (struct timespec){ end->tv_sec - now.tv_sec, end->tv_nsec - now.tv_nsec };
	if (left.tv_nsec < 0)
		left = (struct timespec){ left.tv_sec - 1, left.tv_nsec + 1000000000 };
	return left.tv_sec < 0 ? (struct timespec){ 0 } : left;
}

/* Waits for its end, passes on what ends us, and ends it at the limit: its status as waitpid() tells it. */
static int await(pid_t pid, unsigned seconds, const sigset_t *awaited, bool *is_late)
{
	struct timespec end;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	while (!waitpid(pid, &status, WNOHANG)) {
		struct timespec left = left_until(&end);
		int got = sigtimedwait(awaited, NULL, seconds && !*is_late ? &left : NULL);

		if (got < 0 && errno == EAGAIN) {
			*is_late = true;
			signal_all(pid, SIGTERM);
		} else if (got > 0 && got != SIGCHLD) {
			signal_all(pid, got);
		}
	}
	return status;
}

/* Also in the child of a vfork(): no buffer of ours is written to. */
static int cannot_run(const char *name, int why)
{
	dprintf(STDERR_FILENO, "timeout: failed to run command '%s': %s\n", name, strerror(why));
	return why == ENOENT ? NOT_FOUND : NOT_RUN;
}

int launch_limited(char **argv)
{
	static const int passed_on[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	char room[PATH_ROOM];
	const char *path = find(argv[2], room, sizeof(room));
	bool is_late = false;
	sigset_t awaited, before;
	int status;
	pid_t pid;

	if (!path)
		return cannot_run(argv[2], ENOENT);
	setpgid(0, 0);
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		sigaddset(&awaited, passed_on[i]);
	sigprocmask(SIG_BLOCK, &awaited, &before);
	pid = vfork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execve(path, argv + 2, environ);
		_exit(cannot_run(argv[2], errno));
	}
	if (pid < 0)
		return FAILED;
	status = await(pid, (unsigned)atoi(argv[1]), &awaited, &is_late);
	if (is_late)
		return TIMED_OUT;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* By the same signal, as its parent's shell is to see it. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}
