/* The asking end of DIR/ctl.sock: "fabcon-lab ctl", and fabcon-lab under a tool's name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "remote/lab/server/busybox.h"
#include "remote/lab/server/ctl.h"

#define NOBODY	125

static int connect_to(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd;

	if (!path || strlen(path) >= sizeof(at.sun_path))
		return -1;
	strcpy(at.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool send_all(int fd, const void *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		bytes = (const char *)bytes + sent;
		n -= sent;
	}
	return true;
}

static void read_all(int fd, struct buf *answer)
{
	char bytes[16384];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n < 0 && errno != EINTR)
			return;
		if (n > 0)
			buf_add(answer, bytes, n);
	}
}

static bool write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = write(fd, bytes, n);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		bytes += sent;
		n -= sent;
	}
	return true;
}

static int tell(const struct buf *answer)
{
	struct span rest = buf_span(answer), head, count;
	uint64_t status, n;

	if (!span_cut(rest, '\n', &head, &rest) || !span_cut(head, ' ', &head, &count) || !span_u64(head, &status) ||
	    !span_u64(count, &n) || n > rest.n)
		return NOBODY;
	write_all(STDOUT_FILENO, rest.p, n);
	write_all(STDERR_FILENO, rest.p + n, rest.n - n);
	return status;
}

int ctl_ask(const char *socket_path, const char *first, char *const *words)
{
	struct buf text = { NULL };
	int fd = connect_to(socket_path), status = NOBODY;

	if (fd < 0) {
		fprintf(stderr, "fabcon-lab: nobody answers at %s\n", socket_path ? socket_path : "(no socket)");
		return NOBODY;
	}
	buf_add(&text, first, strlen(first) + 1);
	for (; *words; words++)
		buf_add(&text, *words, strlen(*words) + 1);
	if (send_all(fd, text.text, text.n) && !shutdown(fd, SHUT_WR)) {
		buf_clear(&text);
		read_all(fd, &text);
		status = tell(&text);
	}
	close(fd);
	buf_done(&text);
	return status;
}

/* sudo is not asked for a password here: it runs what follows its options. */
static bool is_trapped(const char *kind)
{
	const char *trap = getenv("LAB_TRAP");

	return trap && !strcmp(trap, kind);
}

static int run_sudo(char **argv)
{
	if (is_trapped("no-sudo")) {
		fprintf(stderr, "sudo: a password is required\n");
		return 1;
	}
	while (*argv && **argv == '-')
		argv++;
	if (!*argv)
		return 1;
	setenv("USER", "root", 1);
	execvp(*argv, argv);
	fprintf(stderr, "sudo: %s: command not found\n", *argv);
	return 1;
}

/*
 * A file that the tool is to read is read here, where its path means what it means to the device's shell: its text
 * becomes the last word. A file that cannot be read adds none.
 */
static void add_file(const char *const *verbs, int argc, char **argv, struct buf *text, char **words)
{
	char bytes[4096];
	FILE *file;
	size_t n;

	while (argc > 2 && *verbs && strcmp(argv[1], *verbs))
		verbs++;
	file = argc > 2 && *verbs ? fopen(argv[argc - 1], "re") : NULL;
	if (!file)
		return;
	buf_str(text, "");
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(text, bytes, n);
	fclose(file);
	words[argc] = text->text;
	words[argc + 1] = NULL;
}

/* This machine's program, past fakechroot, where the path leads to this very program. */
static int run_own(char **argv, const char *path)
{
	syscall(SYS_execve, path, argv, environ);
	fprintf(stderr, "%s: not found\n", argv[0]);
	return 127;
}

/* This machine's own, where the device has it. */
static int run_setsid(char **argv)
{
	if (!is_trapped("no-timer"))
		return run_own(argv, "/usr/bin/setsid");
	fprintf(stderr, "%s: not found\n", argv[0]);
	return 127;
}

static int run_busybox(const char *name, char **argv)
{
	int status = busybox_refusal(name, argv);
	char path[64];

	snprintf(path, sizeof(path), "/usr/bin/%s", name);
	return status ? status : run_own(argv, path);
}

/* In a configfs the kernel answers, which is the lab; elsewhere this machine's own does it, in the device's view. */
static bool is_of_configfs(int argc, char **argv)
{
	return argc > 1 && !strncmp(argv[argc - 1], "/sys/kernel/config/", 19);
}

int ctl_client_main(const char *name, const char *const *file_verbs, int argc, char **argv)
{
	const char *node = getenv("LAB_NODE"), *user = getenv("USER");
	struct buf text = { NULL };
	char first[128], **words;
	int status;

	if (!strcmp(name, "sudo"))
		return run_sudo(argv + 1);
	if (!strcmp(name, "setsid"))
		return run_setsid(argv);
	if (!strcmp(name, "mkdir") && !is_of_configfs(argc, argv))
		return run_own(argv, "/usr/bin/mkdir");
	if (!strcmp(name, "rmdir") && !is_of_configfs(argc, argv))
		return run_own(argv, "/usr/bin/rmdir");
	if (busybox_has(name))
		return run_busybox(name, argv);
	snprintf(first, sizeof(first), "%s %s", user && strcmp(user, "root") ? "user" : "tool", node ? node : "");
	argv[0] = (char *)name;
	words = xcalloc((size_t)argc + 2, sizeof(*words));
	memcpy(words, argv, ((size_t)argc + 1) * sizeof(*words));
	if (file_verbs)
		add_file(file_verbs, argc, argv, &text, words);
	status = ctl_ask(getenv("LAB_SOCKET"), first, words);
	free(words);
	buf_done(&text);
	return status;
}
