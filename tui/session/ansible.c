#include "tui/session/ansible.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_MAX	60
#define OUT_MAX_BYTES	(64u << 20)
#define ERR_MAX_BYTES	(64u << 10)

static bool is_there(const char *path)
{
	return path && access(path, R_OK) == 0;
}

/* "." when everybody may write there: Ansible does not trust a file of that folder. */
static bool is_open_to_all(const char *folder)
{
	struct stat st;

	return stat(folder, &st) == 0 && (st.st_mode & S_IWOTH);
}

static char *folder_of(const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return xstrdup(path);
	return slash ? xstrndup(path, slash > path ? (size_t)(slash - path) : 1) : xstrdup(".");
}

char *ansible_config(const char *inventory)
{
	const char *named = getenv("ANSIBLE_CONFIG"), *home = getenv("HOME");
	struct stat st;
	char *path, *folder;

	if (named && *named) {
		path = stat(named, &st) == 0 && S_ISDIR(st.st_mode) ? xasprintf("%s/ansible.cfg", named) : xstrdup(named);
		if (is_there(path))
			return path;
		free(path);
	}
	if (!is_open_to_all(".") && is_there("ansible.cfg"))
		return xstrdup("ansible.cfg");
	path = xasprintf("%s/.ansible.cfg", home ? home : "");
	if (home && is_there(path))
		return path;
	free(path);
	if (is_there("/etc/ansible/ansible.cfg"))
		return xstrdup("/etc/ansible/ansible.cfg");
	folder = folder_of(inventory);
	path = xasprintf("%s/ansible.cfg", folder);
	if (is_open_to_all(folder) || !is_there(path)) {
		free(path);
		path = NULL;
	}
	free(folder);
	return path;
}

/* ansible-inventory */

struct program {
	pid_t pid;
	int out, err;
};

static bool start(const char *const *argv, char **env, struct program *p)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int out[2], err[2], failed;

	if (pipe2(out, O_CLOEXEC) < 0)
		return false;
	if (pipe2(err, O_CLOEXEC) < 0) {
		close(out[0]);
		close(out[1]);
		return false;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err[1], STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);		/* it and its children end together */
	failed = posix_spawnp(&p->pid, argv[0], &files, &attr, (char *const *)argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
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
static bool listen_to(struct program *p, struct buf *out, struct buf *err)
{
	int64_t until = now_ms() + SECONDS_MAX * 1000;
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

/* What it complained of, as one line: the last lines say why. */
static const char *last_words(struct buf *err)
{
	size_t from = err->n > 300 ? err->n - 300 : 0;

	for (size_t i = 0; i < err->n; i++)
		if (err->text[i] == '\n')
			err->text[i] = ' ';
	return err->n ? err->text + from : "it printed nothing";
}

static bool run(const char *const *argv, char **env, struct buf *out, struct err *err)
{
	struct program p;
	struct buf words = { 0 };
	int status = 0;
	bool ok;

	if (!start(argv, env, &p))
		return err_set(err, "%s: %s; run it where it is installed: %s --list %s >hosts.json, then fabcon -i hosts.json", argv[0],
			       strerror(errno), argv[0], argv[2]);
	ok = listen_to(&p, out, &words);
	if (!ok)
		kill(-p.pid, SIGKILL);
	while (waitpid(p.pid, &status, 0) < 0 && errno == EINTR)
		;
	close(p.out);
	close(p.err);
	if (!ok)
		err_set(err, "%s did not end within %d s", argv[0], SECONDS_MAX);
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		ok = err_set(err, "%s failed: %s", argv[0], last_words(&words));
	else if (strstr(words.text ? words.text : "", "Unable to parse"))	/* it goes on without that file, and ends well */
		ok = err_set(err, "%s failed: %s", argv[0], last_words(&words));
	buf_done(&words);
	return ok;
}

/* The environment, with ANSIBLE_CONFIG as it is to be. */
static char **environment(const char *config)
{
	size_t n = 0, k = 0;
	char **env;

	while (environ[n])
		n++;
	env = xcalloc(n + 2, sizeof(*env));
	for (size_t i = 0; i < n; i++)
		if (!config || strncmp(environ[i], "ANSIBLE_CONFIG=", 15) != 0)
			env[k++] = xstrdup(environ[i]);
	if (config)
		env[k++] = xasprintf("ANSIBLE_CONFIG=%s", config);
	return env;
}

bool ansible_inventory(const char *const *sources, size_t n, const char *config, struct buf *out, struct err *err)
{
	char **env = environment(config);
	const char **argv = xcalloc(n + 3, sizeof(*argv));
	size_t k = 0;
	bool ok;

	argv[k++] = "ansible-inventory";
	argv[k++] = "--list";
	for (size_t i = 0; i < n; i++)
		argv[k++] = xasprintf("--inventory=%s", sources[i]);
	ok = run(argv, env, out, err);
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(env);
	for (size_t i = 2; i < k; i++)
		free((char *)argv[i]);
	free(argv);
	return ok;
}
