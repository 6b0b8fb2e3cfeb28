#include "tui/session/ssh_files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/route/routes.h"
#include "core/ssh_config/ssh_config.h"
#include "tui/args/consent.h"

#define FILE_BYTES_MAX	(4u << 20)
#define EXEC_MS_MAX	30000		/* ssh itself waits for ever; a person in front of a console does not */

extern char **environ;

static bool use_openssh;

void ssh_files_use_openssh(bool yes)
{
	use_openssh = yes;
}

/* A program that ran: Ansible and ssh would run it for every host, we once for the same words. */
struct ran {
	char *command;
	enum ssh_ran ran;
	struct err why;
};

struct here {
	struct ssh_source source;
	char *user_file, *user, *home;
	char machine[256];
	struct ran *ran;
	size_t n, cap;
};

/* -- files -- */

/* As OpenSSH: of another user than root and us, or writable by others, is no configuration of ours. */
static bool is_safe(int fd, const char *path, struct err *why)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_set(why, "%s: %s", path, strerror(errno));
	if (st.st_uid != 0 && st.st_uid != getuid())
		return err_set(why, "Bad owner or permissions on %s: it belongs to user %u; ssh refuses it too. chown it, or "
			       "remove it", path, (unsigned)st.st_uid);
	if (st.st_mode & 022)
		return err_set(why, "Bad owner or permissions on %s: others can write it; ssh refuses it too. chmod go-w %s", path,
			       path);
	return true;
}

static bool read_all(int fd, const char *path, struct buf *text, struct err *why)
{
	char part[16384];
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0) {
		buf_add(text, part, (size_t)n);
		if (text->n > FILE_BYTES_MAX)
			return err_set(why, "%s: more than 4 MiB", path);
	}
	return n == 0 || err_set(why, "%s: %s", path, strerror(errno));
}

/* What cannot be opened is as if it were not there, as ssh has it. O_NONBLOCK: a FIFO would hold us. */
static enum ssh_file_is read_file(void *ctx, const char *path, bool is_checked, struct buf *text, struct err *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool ok;

	(void)ctx;
	if (fd < 0)
		return SSH_FILE_NONE;
	ok = (!is_checked || is_safe(fd, path, why)) && read_all(fd, path, text, why);
	close(fd);
	return ok ? SSH_FILE_READ : SSH_FILE_REFUSED;
}

/* GLOB_TILDE goes by $HOME first, and so does ssh's Include, although the rest of ssh goes by the password file. */
static bool list_files(void *ctx, const char *pattern, struct buf *paths)
{
	glob_t found = { 0 };
	int code = glob(pattern, GLOB_TILDE, NULL, &found);

	(void)ctx;
	for (size_t i = 0; code == 0 && i < found.gl_pathc; i++)
		if (!strchr(found.gl_pathv[i], '\n'))
			buf_printf(paths, "%s\n", found.gl_pathv[i]);
	globfree(&found);
	return code == 0 || code == GLOB_NOMATCH;
}

/* -- programs -- */

static bool begin(const char *shell, const char *command, pid_t *pid)
{
	char *const argv[] = { (char *)shell, "-c", (char *)command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	bool ok;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);	/* all of it ends together */
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);	/* it must not write on the screen */
	ok = posix_spawn(pid, shell, &files, &attributes, argv, environ) == 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return ok;
}

static bool ended(pid_t pid, int *status)
{
	const struct timespec wait = { .tv_nsec = 5000000 };
	pid_t got;

	for (unsigned ms = 0; ms < EXEC_MS_MAX; ms += 5) {
		got = waitpid(pid, status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			return got == pid;
		nanosleep(&wait, NULL);
	}
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

static enum ssh_ran run_now(const char *command, struct err *why)
{
	const char *shell = getenv("SHELL");
	int status;
	pid_t pid;

	shell = shell && *shell ? shell : "/bin/sh";
	if (!begin(shell, command, &pid)) {
		err_set(why, "%s cannot be run", shell);
		return SSH_RAN_FAILED;
	}
	if (!ended(pid, &status)) {
		err_set(why, "did not end within %u s", EXEC_MS_MAX / 1000);
		return SSH_RAN_FAILED;
	}
	if (!WIFEXITED(status)) {
		err_set(why, "ended abnormally");
		return SSH_RAN_FAILED;
	}
	return WEXITSTATUS(status) == 0 ? SSH_RAN_YES : SSH_RAN_NO;
}

/* The person agrees to the line as it is written; the tokens in it are names of hosts, and fit for a shell. */
static enum ssh_ran run(void *ctx, const char *place, const char *written, const char *command, struct err *why)
{
	struct here *h = ctx;
	char *what = xasprintf("%s: Match exec \"%s\"", place, written);
	bool is_agreed = consent_given(CONSENT_MATCH_EXEC, what);
	struct ran *r;

	free(what);
	if (!is_agreed)
		return SSH_RAN_NOT_ALLOWED;
	for (size_t i = 0; i < h->n; i++) {
		if (strcmp(h->ran[i].command, command) != 0)
			continue;
		*why = h->ran[i].why;
		return h->ran[i].ran;
	}
	r = GROW(h->ran, h->n, h->cap);
	h->n++;
	r->command = xstrdup(command);
	r->ran = run_now(command, &r->why);
	*why = r->why;
	return r->ran;
}

/* -- who and where -- */

static const char *environment(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

static bool has_file(void *ctx, const char *path)
{
	(void)ctx;
	return access(path, F_OK) == 0;
}

static const char *home_of(void *ctx, const char *user)
{
	const struct passwd *pw = getpwnam(user);

	(void)ctx;
	return pw ? pw->pw_dir : NULL;
}

/* By the password file, as ssh: with another HOME, ssh still reads the configuration of the person's own home. */
static void here_init(struct here *h)
{
	const struct passwd *pw = getpwuid(getuid());

	*h = (struct here){ .user = pw ? xstrdup(pw->pw_name) : NULL, .home = pw ? xstrdup(pw->pw_dir) : NULL };
	h->user_file = h->home ? xasprintf("%s/.ssh/config", h->home) : NULL;
	if (gethostname(h->machine, sizeof(h->machine) - 1) != 0)
		h->machine[0] = '\0';
	h->source = (struct ssh_source){ .ctx = h, .user = h->user, .home = h->home, .machine = h->machine, .uid = getuid(),
					 .user_file = h->user_file, .system_file = "/etc/ssh/ssh_config",
					 .is_openssh = use_openssh, .read = read_file, .list = list_files, .run = run,
					 .env = environment, .has = has_file, .home_of = home_of };
}

static void here_done(struct here *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->ran[i].command);
	free(h->ran);
	free(h->user_file);
	free(h->user);
	free(h->home);
}

void ssh_files_settle(struct inventory *inv)
{
	struct here h;

	here_init(&h);
	routes_settle(&inv->routes, inv, &h.source);
	here_done(&h);
}

static bool is_line_of(const struct buf *out, const char *line)
{
	struct span rest = buf_span(out), one;

	while (span_line(&rest, &one))
		if (span_is(one, line))
			return true;
	return false;
}

static void add_notes(const struct route *r, struct buf *out)
{
	for (size_t i = 0; i < r->notes.n; i++)
		if (!strchr(r->notes.list[i], '\n') && !is_line_of(out, r->notes.list[i]))
			buf_printf(out, "%s\n", r->notes.list[i]);
}

void ssh_files_notes(const struct routes *routes, struct buf *out)
{
	for (size_t i = 0; i < routes->n; i++)
		add_notes(routes->list[i], out);
	for (size_t i = 0; i < routes->n_jumps; i++)
		add_notes(routes->jumps[i], out);
}

/* The hosts from first on that have its trouble; an earlier one that has it too: none. */
static size_t alike(const struct routes *routes, size_t first, const char **names)
{
	const char *trouble = routes->list[first]->trouble;
	size_t n = 0;

	for (size_t i = 0; i < first; i++)
		if (routes->list[i]->trouble && !strcmp(routes->list[i]->trouble, trouble))
			return 0;
	for (size_t i = first; i < routes->n; i++)
		if (routes->list[i]->trouble && !strcmp(routes->list[i]->trouble, trouble))
			names[n++] = routes->list[i]->name;
	return n;
}

void ssh_files_troubles(const struct routes *routes, struct buf *out)
{
	const char **names = xcalloc(routes->n, sizeof(*names));

	for (size_t i = 0; i < routes->n; i++) {
		size_t n = routes->list[i]->trouble ? alike(routes, i, names) : 0;

		if (!n)
			continue;
		range_fold(names, n, out);
		buf_printf(out, ": %s\n", routes->list[i]->trouble);
	}
	free(names);
}

bool ssh_files_try(struct buf *paths, struct err *err)
{
	struct here h;
	struct ssh_config *c;
	const char *trouble;

	here_init(&h);
	c = ssh_config_new(&h.source);
	trouble = ssh_config_try(c, paths);
	if (trouble)
		err_set(err, "%s", trouble);
	ssh_config_free(c);
	here_done(&h);
	return !trouble;
}
