#include "remote/ssh/dial.h"

#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/mem.h"

#define ADDRESSES	8	/* tried at most, of one name */
#define HEAD_START_MS	250	/* RFC 8305: connection attempt delay */

/*
 * What the network swallowed is sent again no longer than this, even when we are dead by then: a command that is late
 * must not arrive at a device after its undo, which is minutes away.
 */
#define UNHEARD_MS	30000

/* One address being tried. */
struct attempt {
	struct dial *dial;
	struct sockaddr_storage to;
	socklen_t to_len;
	int fd;
	uv_poll_t poll;
	bool is_open;		/* poll is to be closed */
};

struct dial {
	uv_loop_t *loop;
	dial_done *done;
	void *ctx;
	uv_getaddrinfo_t lookup;
	uv_timer_t next;
	struct attempt attempts[ADDRESSES];
	unsigned n, started, failed;
	unsigned handles;	/* that libuv still holds, and the lookup */
	bool is_over, is_resolved;
	char why[256];
};

static void released(struct dial *d)
{
	if (!--d->handles)
		free(d);
}

static void on_timer_closed(uv_handle_t *h)
{
	released(h->data);
}

static void on_attempt_closed(uv_handle_t *h)
{
	released(((struct attempt *)h->data)->dial);
}

/* Ends everything but the descriptor kept. */
static void end(struct dial *d, int keep)
{
	d->is_over = true;
	if (!d->is_resolved)
		uv_cancel((uv_req_t *)&d->lookup);
	uv_close((uv_handle_t *)&d->next, on_timer_closed);
	for (unsigned i = 0; i < d->started; i++) {
		struct attempt *a = &d->attempts[i];
		if (a->is_open)
			uv_close((uv_handle_t *)&a->poll, on_attempt_closed);
		if (a->fd >= 0 && a->fd != keep)
			close(a->fd);
	}
}

static void finish(struct dial *d, int fd)
{
	end(d, fd);
	d->done(d->ctx, fd, fd < 0 ? d->why : NULL);
}

static void say_why(struct dial *d, const struct attempt *a, int error)
{
	char host[INET6_ADDRSTRLEN + IF_NAMESIZE] = "?", port[8] = "?";

	getnameinfo((const struct sockaddr *)&a->to, a->to_len, host, sizeof(host), port, sizeof(port),
		    NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(d->why, sizeof(d->why), "%s port %s: %s", host, port, strerror(error));
}

static void start_next(struct dial *d);

static void attempt_failed(struct attempt *a, int error)
{
	struct dial *d = a->dial;

	say_why(d, a, error);
	if (a->is_open)
		uv_close((uv_handle_t *)&a->poll, on_attempt_closed);
	a->is_open = false;
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
	d->failed++;
	start_next(d);
}

static void on_connected(uv_poll_t *poll, int status, int events)
{
	struct attempt *a = poll->data;
	int error = 0;
	socklen_t size = sizeof(error);

	(void)events;
	if (getsockopt(a->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	if (!error && status < 0)
		error = -status;
	if (error)
		attempt_failed(a, error);
	else
		finish(a->dial, a->fd);
}

static void start(struct attempt *a)
{
	a->fd = socket(a->to.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (a->fd < 0)
		return attempt_failed(a, errno);
	setsockopt(a->fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	setsockopt(a->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(unsigned){ UNHEARD_MS }, sizeof(unsigned));
	if (connect(a->fd, (const struct sockaddr *)&a->to, a->to_len) < 0 && errno != EINPROGRESS)
		return attempt_failed(a, errno);
	int rc = uv_poll_init(a->dial->loop, &a->poll, a->fd);
	if (rc < 0)
		return attempt_failed(a, -rc);
	a->poll.data = a;
	a->is_open = true;
	a->dial->handles++;
	uv_poll_start(&a->poll, UV_WRITABLE, on_connected);
}

static void on_head_start_over(uv_timer_t *timer)
{
	start_next(timer->data);
}

/* Tries the next address; gives up when all have failed. */
static void start_next(struct dial *d)
{
	if (d->is_over)
		return;
	if (d->started < d->n) {
		uv_timer_start(&d->next, on_head_start_over, HEAD_START_MS, 0);
		return start(&d->attempts[d->started++]);
	}
	if (d->failed == d->n)
		finish(d, -1);
}

static bool add_address(struct dial *d, const struct sockaddr *to, socklen_t len)
{
	if (d->n == ADDRESSES || len > sizeof(d->attempts[0].to))
		return false;
	struct attempt *a = &d->attempts[d->n++];
	*a = (struct attempt){ .dial = d, .to_len = len, .fd = -1 };
	memcpy(&a->to, to, len);
	return true;
}

/* The families take turns, beginning with the resolver's favourite. */
static void add_addresses(struct dial *d, const struct addrinfo *list)
{
	const struct addrinfo *a = list, *b = list;
	int family = list ? list->ai_family : AF_UNSPEC;

	while (a || b) {
		while (a && a->ai_family != family)
			a = a->ai_next;
		while (b && b->ai_family == family)
			b = b->ai_next;
		if (a) {
			add_address(d, a->ai_addr, a->ai_addrlen);
			a = a->ai_next;
		}
		if (b) {
			add_address(d, b->ai_addr, b->ai_addrlen);
			b = b->ai_next;
		}
	}
}

static void on_resolved(uv_getaddrinfo_t *lookup, int status, struct addrinfo *list)
{
	struct dial *d = lookup->data;

	d->is_resolved = true;
	if (!d->is_over) {
		if (!status)
			add_addresses(d, list);
		if (d->n) {
			start_next(d);
		} else {
			snprintf(d->why, sizeof(d->why), "%s", status ? uv_strerror(status) : "no address");
			finish(d, -1);
		}
	}
	uv_freeaddrinfo(list);
	released(d);
}

static void on_numeric(uv_timer_t *timer)
{
	start_next(timer->data);
}

/* A numeric address needs no thread. */
static bool add_numeric(struct dial *d, const char *address, unsigned port)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM }, *list;
	char service[16];

	snprintf(service, sizeof(service), "%u", port);
	if (getaddrinfo(address, service, &hints, &list))
		return false;
	add_addresses(d, list);
	freeaddrinfo(list);
	return d->n;
}

static void look_up(struct dial *d, const char *address, unsigned port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	char service[16];

	snprintf(service, sizeof(service), "%u", port);
	d->lookup.data = d;
	d->handles++;
	int rc = uv_getaddrinfo(d->loop, &d->lookup, on_resolved, address, service, &hints);
	if (!rc)
		return;
	d->handles--;
	d->is_resolved = true;
	snprintf(d->why, sizeof(d->why), "%s", uv_strerror(rc));
	uv_timer_start(&d->next, on_head_start_over, 0, 0);	/* with no address: fails there */
}

struct dial *dial_new(uv_loop_t *loop, const char *address, unsigned port, dial_done *done, void *ctx)
{
	struct dial *d = xcalloc(1, sizeof(*d));

	*d = (struct dial){ .loop = loop, .done = done, .ctx = ctx, .handles = 1 };
	uv_timer_init(loop, &d->next);
	d->next.data = d;
	/* getaddrinfo() takes "no name" for this machine. */
	bool is_named = address && *address;
	d->is_resolved = !is_named || add_numeric(d, address, port);
	if (!is_named)
		snprintf(d->why, sizeof(d->why), "no address given");
	if (d->is_resolved)
		uv_timer_start(&d->next, on_numeric, 0, 0);
	else
		look_up(d, address, port);
	return d;
}

void dial_free(struct dial *d)
{
	if (d && !d->is_over)
		end(d, -1);
}

const char *dial_step(const struct dial *d)
{
	return d->n ? "connect" : "resolve";
}
