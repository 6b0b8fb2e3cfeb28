#include "remote/ssh/relay.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libssh/callbacks.h>

#include "remote/ssh/libssh.h"

#define BLOCK	16384

struct relay {
	LIST_ENTRY(relay) link;
	struct ssh *via;
	char *address;
	unsigned port;
	dial_done *done;
	void *ctx;
	ssh_channel channel;
	struct ssh_channel_callbacks_struct callbacks;
	int fd, given_fd;	/* our end of the pair, and the other one until it is given away */
	uv_poll_t poll;
	uv_timer_t start;	/* so that done is never called from relay_new() */
	unsigned handles;
	int interest;
	bool is_open, is_over;
	struct buf to_socket, to_channel;	/* taken from one side, not yet taken by the other */
};

static void on_closed(uv_handle_t *h)
{
	struct relay *r = h->data;

	if (--r->handles)
		return;
	buf_done(&r->to_socket);
	buf_done(&r->to_channel);
	free(r->address);
	free(r);
}

static void end(struct relay *r, const char *why)
{
	if (r->is_over)
		return;
	r->is_over = true;
	LIST_REMOVE(r, link);
	uv_close((uv_handle_t *)&r->poll, on_closed);
	uv_close((uv_handle_t *)&r->start, on_closed);
	close(r->fd);
	if (r->given_fd >= 0)
		close(r->given_fd);
	if (r->channel) {
		ssh_remove_channel_callbacks(r->channel, &r->callbacks);
		ssh_channel_free(r->channel);
	}
	if (!r->is_open && why)
		r->done(r->ctx, -1, why);
}

void relay_free(struct relay *r)
{
	if (r)
		end(r, NULL);
}

static void drop_front(struct buf *b, size_t n)
{
	b->n -= n;
	memmove(b->text, b->text + n, b->n);
}

/* How much the socket took; -1 when it is gone. */
static ssize_t push(struct relay *r, const char *bytes, size_t n)
{
	ssize_t took = send(r->fd, bytes, n, MSG_NOSIGNAL);

	return took < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : took;
}

/* libssh brings bytes of the channel: what is not taken stays there and holds the window shut. */
static int on_data(ssh_session session, ssh_channel channel, void *data, uint32_t len, int is_stderr, void *ctx)
{
	struct relay *r = ctx;

	(void)session, (void)channel;
	if (is_stderr || r->to_socket.n)
		return is_stderr ? (int)len : 0;
	ssize_t took = push(r, data, len);
	return took < 0 ? (int)len : (int)took;
}

/* What waited in the channel's buffer goes on as the socket empties. False: the socket is gone. */
static bool to_socket(struct relay *r)
{
	char block[BLOCK];

	for (;;) {
		if (r->to_socket.n) {
			ssize_t took = push(r, r->to_socket.text, r->to_socket.n);
			if (took < 0)
				return false;
			drop_front(&r->to_socket, took);
			if (r->to_socket.n)
				return true;
		}
		int n = libssh_read(r->channel, block, sizeof(block), false);
		if (n <= 0)
			return n != SSH_ERROR;
		buf_add(&r->to_socket, block, n);
	}
}

static bool to_channel(struct relay *r)
{
	for (;;) {
		char block[BLOCK];
		size_t room = ssh_channel_window_size(r->channel);

		if (r->to_channel.n && room) {
			int n = ssh_channel_write(r->channel, r->to_channel.text, r->to_channel.n);
			if (n < 0)
				return false;
			drop_front(&r->to_channel, n);
		}
		if (r->to_channel.n || !room)
			return true;
		ssize_t n = recv(r->fd, block, sizeof(block), 0);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (!n)
			return false;
		buf_add(&r->to_channel, block, n);
	}
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
	struct relay *r = poll->data;
	struct ssh *via = r->via;

	(void)events;
	if (status < 0)
		end(r, "the jump host's channel broke");
	ssh_touched(via);
}

static void watch(struct relay *r)
{
	bool has_room = !r->to_channel.n && ssh_channel_window_size(r->channel);
	int interest = (has_room ? UV_READABLE : 0) | (r->to_socket.n ? UV_WRITABLE : 0);

	if (interest == r->interest)
		return;
	r->interest = interest;
	if (interest)
		uv_poll_start(&r->poll, interest, on_ready);
	else
		uv_poll_stop(&r->poll);
}

static void carry(struct relay *r)
{
	bool goes_on = to_socket(r) && to_channel(r);

	if (!goes_on || ssh_channel_is_closed(r->channel) || (ssh_channel_is_eof(r->channel) && !r->to_socket.n))
		end(r, NULL);
	else
		watch(r);
}

static void open_it(struct relay *r)
{
	ssh_session session = ssh_handle(r->via);
	char why[256];
	int rc;

	if (!*r->address)
		return end(r, "no address given");
	if (!r->channel)
		r->channel = ssh_channel_new(session);
	rc = r->channel ? ssh_channel_open_forward(r->channel, r->address, r->port, "127.0.0.1", 0) : SSH_ERROR;
	if (rc == SSH_AGAIN)
		return;
	if (rc != SSH_OK) {
		snprintf(why, sizeof(why), "the jump host refuses to connect: %s", ssh_get_error(session));
		return end(r, why);
	}
	r->callbacks.userdata = r;
	r->callbacks.channel_data_function = on_data;
	ssh_callbacks_init(&r->callbacks);
	ssh_set_channel_callbacks(r->channel, &r->callbacks);
	r->is_open = true;
	int fd = r->given_fd;
	r->given_fd = -1;
	r->done(r->ctx, fd, NULL);
	if (!r->is_over)
		watch(r);
}

static void on_start(uv_timer_t *timer)
{
	struct relay *r = timer->data;

	ssh_touched(r->via);
}

struct relay *relay_new(uv_loop_t *loop, struct ssh *via, const char *address, unsigned port, dial_done *done,
			void *ctx)
{
	struct relay *r = xcalloc(1, sizeof(*r));
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) < 0) {
		free(r);
		return NULL;
	}
	*r = (struct relay){ .via = via, .address = xstrdup(address ? address : ""), .port = port, .done = done, .ctx = ctx,
			     .fd = fds[0], .given_fd = fds[1], .handles = 2 };
	uv_poll_init(loop, &r->poll, r->fd);
	uv_timer_init(loop, &r->start);
	r->poll.data = r->start.data = r;
	uv_timer_start(&r->start, on_start, 0, 0);
	LIST_INSERT_HEAD(ssh_relays(via), r, link);
	return r;
}

void relays_drive(struct relay_list *list)
{
	struct relay *r, *next;

	for (r = LIST_FIRST(list); r; r = next) {
		next = LIST_NEXT(r, link);
		if (r->is_open)
			carry(r);
		else
			open_it(r);
	}
}

void relays_end(struct relay_list *list, const char *why)
{
	struct relay *r;

	while ((r = LIST_FIRST(list)))
		end(r, why);
}
