#include "tests/lib/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *program_path(const char *name)
{
	static char path[512];
	const char *build = getenv("FABCON_BUILD");

	if (strchr(name, '/'))
		return name;
	snprintf(path, sizeof(path), "%s/%s", build ? build : ".build/release", name);
	return path;
}

static void run_child(const char *const *argv, int in, int out, int err)
{
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	setenv("XDG_CONFIG_HOME", "/dev/null", 0);	/* unless the test says so, nothing of whoever runs it */
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	execv(program_path(argv[0]), (char *const *)argv);
	_exit(127);
}

/* A file that holds the text, open for reading and already unlinked. */
static int input_fd(const char *text)
{
	FILE *f;
	int fd;

	if (!text)
		return open("/dev/null", O_RDONLY);
	f = tmpfile();
	fputs(text, f);
	fflush(f);
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool take(int fd, struct buf *to)
{
	char chunk[65536];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n > 0)
		buf_add(to, chunk, (size_t)n);
	return n > 0 || (n < 0 && errno == EINTR);
}

struct run run_program(const char *const *argv, const char *input)
{
	struct run r = { 0 };
	int out[2], err[2], in = input_fd(input), status;
	pid_t child;
	struct pollfd fds[2];

	if (pipe(out) != 0 || pipe(err) != 0)
		abort();
	fflush(NULL);
	child = fork();
	if (child == 0)
		run_child(argv, in, out[1], err[1]);
	close(in);
	close(out[1]);
	close(err[1]);
	fds[0] = (struct pollfd){ out[0], POLLIN, 0 };
	fds[1] = (struct pollfd){ err[0], POLLIN, 0 };
	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		poll(fds, 2, -1);
		if (fds[0].revents && !take(out[0], &r.out))
			fds[0].fd = -1;
		if (fds[1].revents && !take(err[0], &r.err))
			fds[1].fd = -1;
	}
	close(out[0]);
	close(err[0]);
	waitpid(child, &status, 0);
	r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	buf_add(&r.out, "", 0);
	buf_add(&r.err, "", 0);
	return r;
}

void run_done(struct run *r)
{
	buf_done(&r->out);
	buf_done(&r->err);
}
