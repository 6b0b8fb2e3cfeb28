#include "tui/session/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUT_MAX_BYTES	(64u << 20)
#define ERR_MAX_BYTES	(64u << 10)

extern char **environ;

struct program {
	pid_t pid;
	int out, err;
};

/* A file without a name that holds the text: the program may read it as slowly as it wants. */
static int input_of(struct span in)
{
	int fd = in.n ? memfd_create("fabcon", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t done = 0; fd >= 0 && done < in.n;) {
		ssize_t n = write(fd, in.p + done, in.n - done);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return -1;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool open_pipes(int out[2], int err[2])
{
	if (pipe2(out, O_CLOEXEC) < 0)
		return false;
	if (pipe2(err, O_CLOEXEC) == 0)
		return true;
	close(out[0]);
	close(out[1]);
	return false;
}

static int spawn(const struct child *c, int in, int out, int err, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int failed;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);		/* it and its children end together */
	failed = posix_spawnp(pid, c->argv[0], &files, &attr, (char *const *)c->argv, c->env ? c->env : environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static bool start(const struct child *c, struct program *p)
{
	int out[2], err[2], in = input_of(c->in), failed;

	if (in < 0)
		return false;
	if (!open_pipes(out, err)) {
		close(in);
		return false;
	}
	failed = spawn(c, in, out[1], err[1], &p->pid);
	close(in);
	close(out[1]);
	close(err[1]);
	p->out = out[0];
	p->err = err[0];
	if (!failed)
		return true;
	close(out[0]);
	close(err[0]);
	errno = failed;
	return false;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* One read; false at the end of it. What is too much is read and dropped. */
static bool take(int fd, struct buf *to, size_t most)
{
	char chunk[65536];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	if (to->n + (size_t)n <= most)
		buf_add(to, chunk, (size_t)n);
	return true;
}

/* Reads both to their ends; false: the time is over. */
static bool listen_to(struct program *p, int limit_s, struct buf *out, struct buf *err)
{
	int64_t until = now_ms() + (int64_t)limit_s * 1000;
	struct pollfd fds[2] = { { p->out, POLLIN, 0 }, { p->err, POLLIN, 0 } };

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		int64_t left = until - now_ms();

		if (left <= 0)
			return false;
		if (poll(fds, 2, (int)left) < 0 && errno != EINTR)
			return false;
		if (fds[0].fd >= 0 && fds[0].revents && !take(p->out, out, OUT_MAX_BYTES))
			fds[0].fd = -1;
		if (fds[1].fd >= 0 && fds[1].revents && !take(p->err, err, ERR_MAX_BYTES))
			fds[1].fd = -1;
	}
	return true;
}

bool child_run(const struct child *c, struct buf *out, struct buf *errors, int *status)
{
	struct program p;
	int how = 0;
	bool ok;

	*status = -1;
	if (!start(c, &p))
		return false;
	ok = listen_to(&p, c->limit_s, out, errors);
	if (!ok)
		kill(-p.pid, SIGKILL);
	while (waitpid(p.pid, &how, 0) < 0 && errno == EINTR)
		;
	close(p.out);
	close(p.err);
	*status = !ok ? -2 : WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	return ok;
}
