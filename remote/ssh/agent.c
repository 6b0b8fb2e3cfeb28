#include "remote/ssh/agent.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "remote/ssh/identity.h"

/* draft-miller-ssh-agent: the messages that are let through. */
enum { AGENT_FAILURE = 5, AGENT_LIST = 11, AGENT_LISTED = 12, AGENT_SIGN = 13 };

#define MESSAGE_MAX	(256u << 10)	/* of OpenSSH's agent */

struct agent {
	pthread_t thread;
	int given, ours, agent;		/* libssh's end of the pair, the other one, and the agent */
	struct agent_wish wish;
	struct buf list;		/* what is offered, as the agent would list it; complete once offered is set */
	atomic_uint offered;
};

static void free_keys(struct agent_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(keys[i].blob);
		free(keys[i].holder);
	}
	free(keys);
}

void agent_wish_done(struct agent_wish *w)
{
	free_keys(w->certificates, w->n_certificates);
	free_keys(w->named, w->n_named);
	free_keys(w->tried, w->n_tried);
	*w = (struct agent_wish){ 0 };
}

/* -- messages: a length of four bytes, and that many -- */

static uint32_t number_at(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static void add_number(struct buf *b, uint32_t n)
{
	buf_add(b, (char[]){ n >> 24, n >> 16, n >> 8, n }, 4);
}

static void add_text(struct buf *b, struct span s)
{
	add_number(b, s.n);
	buf_add(b, s.p, s.n);
}

static bool take_text(struct span *from, struct span *text)
{
	if (from->n < 4 || number_at(from->p) > from->n - 4)
		return false;
	*text = (struct span){ from->p + 4, number_at(from->p) };
	*from = (struct span){ text->p + text->n, from->n - 4 - text->n };
	return true;
}

/* Waits for one of the two; false when libssh has gone: nobody waits for the agent any more. */
static bool wait_for(const struct agent *a, int fd, short events)
{
	struct pollfd p[] = { { .fd = fd, .events = events }, { .fd = a->ours, .events = POLLRDHUP } };

	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	return !(p[1].revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static bool move(const struct agent *a, int fd, char *bytes, size_t n, bool is_read)
{
	while (n) {
		ssize_t did = is_read ? recv(fd, bytes, n, MSG_DONTWAIT) : send(fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (!did && is_read)
			return false;
		if (did < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (did < 0 && !wait_for(a, fd, is_read ? POLLIN : POLLOUT))
			return false;
		if (did > 0) {
			bytes += did;
			n -= did;
		}
	}
	return true;
}

/* Without its length. */
static bool read_message(const struct agent *a, int fd, struct buf *out)
{
	char length[4], *bytes;

	buf_clear(out);
	if (!move(a, fd, length, 4, true) || !number_at(length) || number_at(length) > MESSAGE_MAX)
		return false;
	bytes = xmalloc(number_at(length));
	bool done = move(a, fd, bytes, number_at(length), true);
	if (done)
		buf_add(out, bytes, number_at(length));
	free(bytes);
	return done;
}

static bool write_message(const struct agent *a, int fd, struct buf *message)
{
	struct buf all = { 0 };

	add_text(&all, buf_span(message));
	bool done = move(a, fd, all.text, all.n, false);
	buf_done(&all);
	return done;
}

/* -- what is offered -- */

/* libssh stops at the first key of a kind that it does not know. */
static bool is_kind_known(struct span blob)
{
	static const char *const kinds[] = {
		"ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
		"sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
		"ssh-ed25519-cert-v01@openssh.com", "ssh-rsa-cert-v01@openssh.com",
		"ecdsa-sha2-nistp256-cert-v01@openssh.com", "ecdsa-sha2-nistp384-cert-v01@openssh.com",
		"ecdsa-sha2-nistp521-cert-v01@openssh.com",
	};
	struct span kind;

	if (!take_text(&blob, &kind))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (span_is(kind, kinds[i]))
			return true;
	return false;
}

static bool same(struct span a, struct span b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static bool is_among(const struct agent_key *keys, size_t n, struct span blob)
{
	for (size_t i = 0; i < n; i++)
		if (same((struct span){ keys[i].blob, keys[i].n }, blob))
			return true;
	return false;
}

/* The next key of a list, which is "blob comment blob comment …". */
static bool next_key(struct span *list, struct span *blob)
{
	struct span comment;

	return take_text(list, blob) && take_text(list, &comment);
}

static bool holds(struct span list, struct span wanted)
{
	struct span blob;

	while (next_key(&list, &blob))
		if (same(blob, wanted))
			return true;
	return false;
}

static void offer(struct agent *a, struct span blob, uint32_t *n)
{
	if (!is_kind_known(blob) || holds(buf_span(&a->list), blob))
		return;
	add_text(&a->list, blob);
	add_text(&a->list, SPAN("key"));
	++*n;
}

/* Whether the agent can sign for a certificate: it holds it as a whole, or its plain key, which is noted. */
static bool can_sign(const struct agent_wish *w, struct span list, struct agent_key *k)
{
	struct span whole = { k->blob, k->n }, blob;

	free(k->holder);
	k->holder = NULL;
	if (holds(list, whole))
		return true;
	while (next_key(&list, &blob)) {
		if (!identity_is_of(blob, whole) || (w->is_named_only && !is_among(w->named, w->n_named, blob)))
			continue;
		k->holder = xmalloc(blob.n);
		memcpy(k->holder, blob.p, blob.n);
		k->n_holder = blob.n;
		return true;
	}
	return false;
}

static void offer_certificates(struct agent *a, struct span list, bool last, uint32_t *n)
{
	for (size_t i = 0; i < a->wish.n_certificates; i++) {
		struct agent_key *k = &a->wish.certificates[i];
		if (k->is_last == last && can_sign(&a->wish, list, k))
			offer(a, (struct span){ k->blob, k->n }, n);
	}
}

static void offer_keys(struct agent *a, struct span list, bool named, uint32_t *n)
{
	const struct agent_wish *w = &a->wish;
	struct span blob;

	while (next_key(&list, &blob))
		if (is_among(w->named, w->n_named, blob) == named && !is_among(w->tried, w->n_tried, blob))
			offer(a, blob, n);
}

/* The agent's list becomes what is to be offered: pubkey_prepare() of ssh. */
static void choose(struct agent *a, struct buf *message)
{
	struct span list;
	uint32_t n = 0;

	if (message->n < 5 || message->text[0] != AGENT_LISTED)
		return;
	list = (struct span){ message->text + 5, message->n - 5 };
	buf_clear(&a->list);
	offer_certificates(a, list, false, &n);
	offer_keys(a, list, true, &n);
	if (!a->wish.is_named_only)
		offer_keys(a, list, false, &n);
	offer_certificates(a, list, true, &n);
	atomic_store(&a->offered, n);
	buf_clear(message);
	buf_add(message, (char[]){ AGENT_LISTED }, 1);
	add_number(message, n);
	buf_add(message, a->list.text, a->list.n);
}

/* A certificate that only a file holds is signed for by its plain key. */
static void name_the_holder(const struct agent *a, struct buf *message)
{
	struct span rest = { message->text + 1, message->n - 1 }, blob;
	struct buf out = { 0 };

	if (!take_text(&rest, &blob))
		return;
	for (size_t i = 0; i < a->wish.n_certificates; i++) {
		const struct agent_key *k = &a->wish.certificates[i];
		if (!k->holder || !same((struct span){ k->blob, k->n }, blob))
			continue;
		buf_add(&out, (char[]){ AGENT_SIGN }, 1);
		add_text(&out, (struct span){ k->holder, k->n_holder });
		buf_add(&out, rest.p, rest.n);
		buf_clear(message);
		buf_add(message, out.text, out.n);
		break;
	}
	buf_done(&out);
}

static bool serve(struct agent *a, struct buf *message)
{
	int what;

	if (!read_message(a, a->ours, message))
		return false;
	what = message->text[0];
	if (what != AGENT_LIST && what != AGENT_SIGN) {
		buf_clear(message);
		buf_add(message, (char[]){ AGENT_FAILURE }, 1);
		return write_message(a, a->ours, message);
	}
	if (what == AGENT_SIGN)
		name_the_holder(a, message);
	if (!write_message(a, a->agent, message) || !read_message(a, a->agent, message))
		return false;
	if (what == AGENT_LIST)
		choose(a, message);
	return write_message(a, a->ours, message);
}

static void *run(void *agent)
{
	struct agent *a = agent;
	struct buf message = { 0 };

	while (serve(a, &message))
		;
	buf_done(&message);
	shutdown(a->ours, SHUT_RDWR);
	return NULL;
}

/* -- for others -- */

static int connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(to.sun_path))
		return -1;
	strcpy(to.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	close(fd);
	return -1;
}

static void done(struct agent *a)
{
	close(a->ours);
	close(a->agent);
	agent_wish_done(&a->wish);
	buf_done(&a->list);
	free(a);
}

struct agent *agent_new(const char *socket, struct agent_wish *wish)
{
	int fds[2], fd = connect_to(socket);
	struct agent *a;

	if (fd < 0)
		return NULL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0) {
		close(fd);
		return NULL;
	}
	a = xcalloc(1, sizeof(*a));
	*a = (struct agent){ .given = fds[0], .ours = fds[1], .agent = fd, .wish = *wish };
	*wish = (struct agent_wish){ 0 };
	if (!pthread_create(&a->thread, NULL, run, a))
		return a;
	close(a->given);
	done(a);
	return NULL;
}

int agent_fd(const struct agent *a)
{
	return a->given;
}

unsigned agent_offered(const struct agent *a)
{
	return atomic_load(&((struct agent *)a)->offered);
}

bool agent_has_offered(const struct agent *a, struct span blob)
{
	return agent_offered(a) && holds(buf_span(&a->list), blob);
}

void agent_free(struct agent *a)
{
	if (!a)
		return;
	shutdown(a->ours, SHUT_RDWR);
	pthread_join(a->thread, NULL);
	done(a);
}
