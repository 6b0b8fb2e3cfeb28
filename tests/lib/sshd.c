#include "tests/lib/sshd.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/say.h"

#define SSHD	"/usr/sbin/sshd"

const char *sshd_path(const struct sshd *d, const char *name)
{
	static char paths[8][128];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", d->dir, name);
	return path;
}

void sshd_write(const struct sshd *d, const char *name, const char *text)
{
	FILE *f = fopen(sshd_path(d, name), "w");

	assert_non_null(f);
	fchmod(fileno(f), 0600);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

void sshd_keygen(const struct sshd *d, const char *name, const char *how)
{
	char command[512];

	snprintf(command, sizeof(command), "ssh-keygen -q -C test %s -f %s", how, sshd_path(d, name));
	assert_int_equal(system(command), 0);
}

char *sshd_public_key(const struct sshd *d, const char *name)
{
	char file[64];
	size_t n;

	snprintf(file, sizeof(file), "%s.pub", name);
	char *text = file_text(sshd_path(d, file), &n);
	assert_non_null(text);
	*strrchr(text, ' ') = '\0';
	return text;
}

static struct sockaddr_in loopback(unsigned port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* sshd cannot choose its own port. It is held for it, bound and not listening: sshd may bind it beside us, and nobody else. */
static void hold_port(struct sshd *d)
{
	struct sockaddr_in a = loopback(0);
	socklen_t n = sizeof(a);
	int yes = 1;

	d->port_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(setsockopt(d->port_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)), 0);
	assert_int_equal(bind(d->port_fd, (struct sockaddr *)&a, n), 0);
	assert_int_equal(getsockname(d->port_fd, (struct sockaddr *)&a, &n), 0);
	d->port = ntohs(a.sin_port);
}

static bool listens(const struct sshd *d)
{
	struct sockaddr_in a = loopback(d->port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bool yes = !connect(fd, (struct sockaddr *)&a, sizeof(a));

	close(fd);
	return yes;
}

/*
 * The account's own start-up files are not read: a person's bash may wait a minute for a lock that a login which we ended has left
 * (pyenv). sshd takes the first SetEnv alone, so that ours joins it.
 */
static void put_home(const struct sshd *d, const char *extra, struct buf *text)
{
	const char *at = strstr(extra, "SetEnv ");
	size_t n = at ? (size_t)(at - extra) + strlen("SetEnv ") : 0;

	if (at)
		buf_add(text, extra, n);
	buf_printf(text, "%sHOME=%s%s%s", at ? "" : "SetEnv ", d->dir, at ? " " : "\n", extra + n);
}

static void configure(struct sshd *d, const char *extra)
{
	struct buf text = { 0 };

	put_home(d, extra, &text);
	buf_printf(&text, "ListenAddress 127.0.0.1\nPort %u\nHostKey %s/host\nAuthorizedKeysFile %s/authorized_keys\n",
		   d->port, d->dir, d->dir);
	buf_str(&text, "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
		       "KbdInteractiveAuthentication no\nMaxStartups 100\nPrintMotd no\nLogLevel VERBOSE\n");
	sshd_write(d, "sshd_config", text.text);
	buf_done(&text);
}

/* For this process and what it starts alone. */
static bool put_accounts(const struct sshd *d)
{
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount(sshd_path(d, "passwd"), "/etc/passwd", NULL, MS_BIND, NULL) &&
	       !mount(sshd_path(d, "shadow"), "/etc/shadow", NULL, MS_BIND, NULL);
}

#define NO_ACCOUNTS	42	/* exit code */

static pid_t launch(const struct sshd *d, bool with_accounts)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);	/* a test that crashes leaves nothing behind */
	if (getppid() != parent || !freopen(sshd_path(d, "log"), "a", stderr))
		_exit(1);
	if (with_accounts && !put_accounts(d))
		_exit(NO_ACCOUNTS);
	execl(SSHD, SSHD, "-D", "-e", "-f", sshd_path(d, "sshd_config"), (char *)NULL);
	_exit(127);
}

static bool comes_up(struct sshd *d, int *status)
{
	for (int i = 0; i < 500; i++) {
		if (waitpid(d->pid, status, WNOHANG) == d->pid)
			return false;
		if (listens(d))
			return true;
		usleep(10000);
	}
	return false;
}

bool sshd_prepare(struct sshd *d)
{
	*d = (struct sshd){ 0 };
	if (access(SSHD, X_OK) < 0)
		return false;
	if (!getuid())
		mkdir("/run/sshd", 0755);	/* where the system's own service is not started */
	strcpy(d->dir, "/tmp/fabcon-sshd.XXXXXX");
	assert_non_null(mkdtemp(d->dir));
	sshd_keygen(d, "host", "-t ed25519 -N ''");
	sshd_keygen(d, "id", "-t ed25519 -N ''");
	char *key = sshd_public_key(d, "id");
	sshd_write(d, "authorized_keys", key);
	free(key);
	hold_port(d);
	return true;
}

bool sshd_launch(struct sshd *d, const char *extra, bool with_accounts)
{
	int status = 0;

	configure(d, extra);
	d->pid = launch(d, with_accounts);
	if (comes_up(d, &status))
		return true;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != NO_ACCOUNTS)
		fail_msg("sshd does not start: see %s/log", d->dir);
	return false;
}

bool sshd_start(struct sshd *d, const char *extra)
{
	return sshd_prepare(d) && sshd_launch(d, extra, false);
}

void sshd_stop(struct sshd *d)
{
	char command[128];

	if (!d->dir[0])
		return;
	if (d->pid) {
		sshd_signal_children(d, SIGCONT);
		sshd_signal_children(d, SIGTERM);
		kill(d->pid, SIGTERM);
		waitpid(d->pid, NULL, 0);
	}
	close(d->port_fd);
	snprintf(command, sizeof(command), "rm -rf %s", d->dir);
	assert_int_equal(system(command), 0);
	d->pid = 0;
}

/* The parent of a process, or 0. */
static pid_t parent_of(pid_t pid)
{
	char path[64];
	size_t n;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	char *text = file_text(path, &n);
	char *after = text ? strrchr(text, ')') : NULL;
	if (after && sscanf(after, ") %*c %d", &parent) != 1)
		parent = 0;
	free(text);
	return parent;
}

static bool descends(pid_t pid, pid_t from)
{
	for (int depth = 0; pid > 1 && depth < 16; depth++) {
		pid = parent_of(pid);
		if (pid == from)
			return true;
	}
	return false;
}

unsigned sshd_logins(const struct sshd *d)
{
	size_t n_bytes;
	char *log = file_text(sshd_path(d, "log"), &n_bytes);
	unsigned n = 0;

	for (char *at = log; (at = strstr(at, "Accepted publickey")); at++)
		n++;
	free(log);
	return n;
}

unsigned sshd_signal_children(const struct sshd *d, int signal)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	unsigned n = 0;

	while ((e = readdir(proc))) {
		pid_t pid = atoi(e->d_name);
		if (pid <= 1 || !descends(pid, d->pid))
			continue;
		n++;
		if (signal)
			kill(pid, signal);
	}
	closedir(proc);
	return n;
}
