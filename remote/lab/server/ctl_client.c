/* The asking end of DIR/ctl.sock: of "fabcon-lab ctl" and of the stand-ins. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "remote/lab/server/ctl.h"

#define NOBODY	125

/* Above the standard ones: a caller that has closed its output would get the answer sent back to us. */
static int own_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), high = fd;

	if (fd >= 0 && fd <= STDERR_FILENO) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(fd);
	}
	return high;
}

static int connect_to(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd;

	if (!path || strlen(path) >= sizeof(at.sun_path))
		return -1;
	strcpy(at.sun_path, path);
	fd = own_socket();
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

static int ask(const char *socket_path, const char *first, char *const *words, bool stays)
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
	if (stays)
		buf_add(&text, CTL_STAYS, sizeof(CTL_STAYS));
	if (send_all(fd, text.text, text.n) && (stays || !shutdown(fd, SHUT_WR))) {
		buf_clear(&text);
		read_all(fd, &text);
		status = tell(&text);
	}
	close(fd);
	buf_done(&text);
	return status;
}

int ctl_ask(const char *socket_path, const char *first, char *const *words)
{
	return ask(socket_path, first, words, false);
}

int ctl_ask_staying(const char *socket_path, const char *first, char *const *words)
{
	return ask(socket_path, first, words, true);
}
