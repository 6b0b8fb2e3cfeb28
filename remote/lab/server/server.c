#include "remote/lab/server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libssh/callbacks.h>
#include <libssh/server.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/lab/server/pace.h"
#include "remote/lab/server/spawn.h"
#include "remote/lab/server/timers.h"
#include "remote/lab/server/view.h"
#include "remote/lab/server/write_count.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/inventory_file.h"

#define TRICKLE_MS	20	/* a slow host sends a byte each time */
#define TRICKLE_LATE_MS	3000	/* and its first one late */

struct lab_listener {
	struct server *server;
	unsigned device;
	ssh_bind bind;
	uint16_t port;		/* TCP; kept while the device is unreachable */
	int fd;			/* -1: closed */
	uv_poll_t poll;
	bool is_polled;
	bool was_cut;			/* since it was last looked after */
	uint64_t down_until_ms;		/* 0: it is not down */
};

struct channel {
	struct lab_channel face;	/* first */
	struct lab_session *session;
	struct channel *next;
	ssh_channel ssh;
	struct ssh_channel_callbacks_struct callbacks;
	struct buf out, errors;		/* not yet written */
	size_t out_at, errors_at;
	uint64_t not_before_ms;		/* of a slow host */
	uint64_t late_until_ms;		/* its answer begins no sooner */
	unsigned number;		/* from 1, of all devices */
	int status;
	bool is_started, is_ending, is_closed;
};

struct lab_session {
	struct server *server;
	struct lab_device *device;
	struct lab_session *next;
	ssh_session ssh;
	ssh_event event;
	struct ssh_server_callbacks_struct callbacks;
	struct channel *channels;
	uv_poll_t poll;
	int poll_fd;			/* ours: libssh closes its own when it likes, and the number is used again */
	char user[64];
	bool is_known, is_dead, is_closing;
	bool is_stalled;		/* nothing is read or written any more */
	bool is_garbled;
	bool has_moved;			/* bytes, since it was last cleared */
};

static void session_pump(struct lab_session *s);

/* -- channels -- */

size_t lab_backlog(const struct lab_channel *face)
{
	const struct channel *c = (const struct channel *)face;

	return c->out.n - c->out_at + c->errors.n - c->errors_at;
}

void lab_write(struct lab_channel *face, const void *bytes, size_t n, bool is_error)
{
	struct channel *c = (struct channel *)face;

	if (c->is_closed)
		return;
	if (face->device->is_garbled || c->session->is_garbled)
		fault_garble(&c->out, bytes, n);
	else
		buf_add(is_error ? &c->errors : &c->out, bytes, n);
}

void lab_end(struct lab_channel *face, int status)
{
	struct channel *c = (struct channel *)face;

	if (c->is_ending)
		return;
	c->is_ending = true;
	c->status = status;
}

/* One line of the log of what devices are told: what is not printable is written \xNN. At its end stands which channel it was. */
static void note(const struct channel *c, const char *what, struct span text)
{
	FILE *out = c->session->server->heard;

	if (!out)
		return;
	fprintf(out, "%s %s ", c->face.device->name, what);
	for (size_t i = 0; i < text.n; i++) {
		unsigned char byte = (unsigned char)text.p[i];

		fprintf(out, byte >= ' ' && byte < 0x7f && byte != '\\' ? "%c" : "\\x%02x", byte);
	}
	fprintf(out, " #%u\n", c->number);
	fflush(out);
}

/* Something was asked: what comes back of it comes as late as the answer draws, unless one is awaited already. */
static void draw_lateness(struct channel *c)
{
	struct server *s = c->session->server;
	uint64_t now_ms = uv_now(s->loop);

	if (now_ms >= c->late_until_ms)
		c->late_until_ms = now_ms + pace_late_ms(s->fabric, c->face.device);
}

/* How much may go out now: everything, or what a slow host manages. */
static size_t allowed(struct channel *c, size_t n)
{
	uint64_t now_ms = uv_now(c->session->server->loop);

	if (now_ms < c->late_until_ms)
		return 0;
	if (!c->face.device->is_slow)
		return n;
	if (!c->not_before_ms)
		c->not_before_ms = now_ms + TRICKLE_LATE_MS;
	if (now_ms < c->not_before_ms)
		return 0;
	c->not_before_ms = now_ms + TRICKLE_MS;
	return n > 1 ? 1 : n;
}

static void flush_stream(struct channel *c, struct buf *b, size_t *at, bool is_error)
{
	while (*at < b->n) {
		uint32_t window = ssh_channel_window_size(c->ssh);
		size_t n = allowed(c, b->n - *at);
		int sent;

		if (n > window)
			n = window;
		if (!n)
			return;
		sent = is_error ? ssh_channel_write_stderr(c->ssh, b->text + *at, n)
				: ssh_channel_write(c->ssh, b->text + *at, n);
		if (sent <= 0)
			return;
		c->session->has_moved = true;
		*at += sent;
	}
	if (*at) {
		buf_clear(b);
		*at = 0;
	}
}

static void channel_flush(struct channel *c)
{
	bool had_backlog = lab_backlog(&c->face) > 0;

	if (c->is_closed)
		return;
	flush_stream(c, &c->out, &c->out_at, false);
	flush_stream(c, &c->errors, &c->errors_at, true);
	if (lab_backlog(&c->face))
		return;
	if (had_backlog && !c->is_ending && c->face.speaker->drained)
		c->face.speaker->drained(&c->face);
	if (!c->is_ending)
		return;
	if (c->status >= 0)
		ssh_channel_request_send_exit_status(c->ssh, c->status);
	ssh_channel_send_eof(c->ssh);
	ssh_channel_close(c->ssh);
	c->is_closed = true;
}

static bool start_speaker(struct channel *c, const char *command)
{
	if (c->is_started)
		return false;
	note(c, command ? "exec" : "shell", span_of(command));
	draw_lateness(c);
	c->face.speaker = c->face.device->speaker ? c->face.device->speaker : c->face.device->system->speaker;
	c->is_started = c->face.speaker->start(&c->face, command);
	return c->is_started;
}

static int on_exec(ssh_session ssh, ssh_channel channel, const char *command, void *userdata)
{
	(void)ssh;
	(void)channel;
	return start_speaker(userdata, command) ? 0 : 1;
}

static int on_shell(ssh_session ssh, ssh_channel channel, void *userdata)
{
	(void)ssh;
	(void)channel;
	return start_speaker(userdata, NULL) ? 0 : 1;
}

static int on_pty(ssh_session ssh, ssh_channel channel, const char *term, int width, int height, int px, int py,
		  void *userdata)
{
	(void)ssh;
	(void)channel;
	(void)term;
	(void)width;
	(void)height;
	(void)px;
	(void)py;
	((struct channel *)userdata)->face.has_pty = true;
	return 0;
}

static int on_env(ssh_session ssh, ssh_channel channel, const char *name, const char *value, void *userdata)
{
	(void)ssh;
	(void)channel;
	(void)name;
	(void)value;
	(void)userdata;
	return 0;
}

static int on_data(ssh_session ssh, ssh_channel channel, void *data, uint32_t n, int is_stderr, void *userdata)
{
	struct channel *c = userdata;

	(void)ssh;
	(void)channel;
	c->session->has_moved = true;
	note(c, "input", (struct span){ data, n });
	draw_lateness(c);
	if (!is_stderr && c->is_started && !c->is_ending && c->face.speaker->input)
		c->face.speaker->input(&c->face, (struct span){ data, n });
	return n;
}

static void on_eof(ssh_session ssh, ssh_channel channel, void *userdata)
{
	struct channel *c = userdata;

	(void)ssh;
	(void)channel;
	if (c->is_started && !c->is_ending && c->face.speaker->eof)
		c->face.speaker->eof(&c->face);
}

static void on_close(ssh_session ssh, ssh_channel channel, void *userdata)
{
	(void)ssh;
	(void)channel;
	((struct channel *)userdata)->is_closed = true;
}

static bool may_open(const struct lab_session *s)
{
	unsigned n = 0;

	for (const struct channel *c = s->channels; c; c = c->next)
		n++;
	return s->is_known && (!s->device->channels_max || n < s->device->channels_max);
}

static ssh_channel on_open(ssh_session ssh, void *userdata)
{
	struct lab_session *s = userdata;
	struct channel *c = xcalloc(1, sizeof(*c));

	c->ssh = may_open(s) ? ssh_channel_new(ssh) : NULL;
	if (!c->ssh) {
		free(c);
		return NULL;
	}
	c->number = ++s->server->n_channels;
	c->session = s;
	c->face.server = s->server;
	c->face.device = s->device;
	snprintf(c->face.user, sizeof(c->face.user), "%s", s->user);
	c->callbacks = (struct ssh_channel_callbacks_struct){
		.userdata = c,
		.channel_data_function = on_data,
		.channel_eof_function = on_eof,
		.channel_close_function = on_close,
		.channel_pty_request_function = on_pty,
		.channel_shell_request_function = on_shell,
		.channel_exec_request_function = on_exec,
		.channel_env_request_function = on_env,
	};
	ssh_callbacks_init(&c->callbacks);
	ssh_set_channel_callbacks(c->ssh, &c->callbacks);
	c->next = s->channels;
	s->channels = c;
	return c->ssh;
}

static void channel_done(struct channel *c)
{
	if (c->is_started && c->face.speaker->closed)
		c->face.speaker->closed(&c->face);
	ssh_remove_channel_callbacks(c->ssh, &c->callbacks);
	ssh_channel_free(c->ssh);
	buf_done(&c->out);
	buf_done(&c->errors);
	free(c);
}

static void reap_channels(struct lab_session *s)
{
	for (struct channel **at = &s->channels; *at;) {
		struct channel *c = *at;

		if (!c->is_closed) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		channel_done(c);
	}
}

void server_take_up(struct server *s, struct lab_device *d)
{
	if (d->refreshed && view_read(server_fabric(s), d, server_dir(s)))
		write_count_settle(server_writes(s), d);
}

/* -- sessions -- */

static int on_key(ssh_session ssh, const char *user, struct ssh_key_struct *key, char state, void *userdata)
{
	struct lab_session *s = userdata;

	(void)ssh;
	if (ssh_key_cmp(key, s->server->client_key, SSH_KEY_CMP_PUBLIC))
		return SSH_AUTH_DENIED;
	if (state == SSH_PUBLICKEY_STATE_NONE)
		return SSH_AUTH_SUCCESS;
	if (state != SSH_PUBLICKEY_STATE_VALID)
		return SSH_AUTH_DENIED;
	snprintf(s->user, sizeof(s->user), "%s", user);
	s->is_known = true;
	return SSH_AUTH_SUCCESS;
}

static void send_banner(struct lab_session *s)
{
	ssh_string banner;

	if (!s->device->system->banner)
		return;
	banner = ssh_string_from_char(s->device->system->banner);
	ssh_send_issue_banner(s->ssh, banner);
	ssh_string_free(banner);
}

static int on_none(ssh_session ssh, const char *user, void *userdata)
{
	(void)ssh;
	(void)user;
	send_banner(userdata);
	return SSH_AUTH_DENIED;
}

static void on_session_closed(uv_handle_t *handle)
{
	struct lab_session *s = handle->data;

	ssh_event_remove_session(s->event, s->ssh);
	ssh_event_free(s->event);
	ssh_disconnect(s->ssh);
	ssh_free(s->ssh);
	close(s->poll_fd);
	free(s);
}

static void session_close(struct lab_session *s)
{
	struct server *server = s->server;

	if (s->is_closing)
		return;
	s->is_closing = true;
	for (struct channel *c = s->channels; c; c = c->next)
		c->is_closed = true;
	reap_channels(s);
	for (struct lab_session **at = &server->sessions; *at; at = &(*at)->next)
		if (*at == s) {
			*at = s->next;
			break;
		}
	server->n_sessions--;
	s->device->sessions--;
	server_take_up(server, s->device);
	uv_poll_stop(&s->poll);
	uv_close((uv_handle_t *)&s->poll, on_session_closed);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct lab_session *s = poll->data;

	(void)status;
	(void)events;
	session_pump(s);
}

/* A session of a device whose path is cut, or that stands still: nothing is moved, and it is not closed either. */
static bool is_held(struct lab_session *s)
{
	if (!s->device->is_cut && !s->is_stalled)
		return false;
	s->server->listeners[s->device - s->server->fabric->devices].was_cut = true;
	uv_poll_stop(&s->poll);
	return true;
}

/* Moves bytes both ways until nothing more can be moved now. */
static void session_pump(struct lab_session *s)
{
	int events = UV_READABLE;

	if (s->is_closing || is_held(s))
		return;
	if (ssh_event_dopoll(s->event, 0) == SSH_ERROR)
		s->is_dead = true;
	do {	/* what libssh reads here is not announced again: words to answer, room to write more */
		s->has_moved = false;
		for (struct channel *c = s->channels; c && !is_held(s); c = c->next)
			channel_flush(c);
		if (is_held(s))
			return;
		ssh_event_dopoll(s->event, 0);
	} while (s->has_moved);
	reap_channels(s);
	if (s->is_dead || ssh_get_status(s->ssh) & (SSH_CLOSED | SSH_CLOSED_ERROR)) {
		session_close(s);
		return;
	}
	if (ssh_get_poll_flags(s->ssh) & SSH_WRITE_PENDING)
		events |= UV_WRITABLE;
	uv_poll_start(&s->poll, events, on_readable);
}

void lab_pump(struct lab_channel *c)
{
	session_pump(((struct channel *)c)->session);
}

/* Answers from now on. */
static void session_open(struct lab_session *s)
{
	ssh_set_blocking(s->ssh, 0);
	s->callbacks = (struct ssh_server_callbacks_struct){
		.userdata = s,
		.auth_pubkey_function = on_key,
		.auth_none_function = on_none,
		.channel_open_request_session_function = on_open,
	};
	ssh_callbacks_init(&s->callbacks);
	ssh_set_server_callbacks(s->ssh, &s->callbacks);
	ssh_set_auth_methods(s->ssh, SSH_AUTH_METHOD_PUBLICKEY);
	ssh_handle_key_exchange(s->ssh);
	ssh_event_add_session(s->event, s->ssh);
	session_pump(s);
}

static void session_new(struct lab_listener *l, int fd)
{
	struct lab_session *s = xcalloc(1, sizeof(*s));
	int on = 1;

	s->server = l->server;
	s->device = &l->server->fabric->devices[l->device];
	s->ssh = ssh_new();
	s->poll_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (!s->ssh || s->poll_fd < 0 || uv_poll_init(s->server->loop, &s->poll, s->poll_fd)) {
		if (s->poll_fd >= 0)
			close(s->poll_fd);
		ssh_free(s->ssh);
		close(fd);
		free(s);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	s->poll.data = s;
	s->event = ssh_event_new();
	s->next = s->server->sessions;
	s->server->sessions = s;
	s->server->n_sessions++;
	s->device->sessions++;
	if (ssh_bind_accept_fd(l->bind, s->ssh, fd) == SSH_OK) {
		session_open(s);
		return;
	}
	close(fd);
	session_close(s);
}

/* -- listeners -- */

static void on_connection(uv_poll_t *poll, int status, int events)
{
	struct lab_listener *l = poll->data;
	int fd;

	(void)status;
	(void)events;
	if (l->server->fabric->devices[l->device].is_cut) {
		l->was_cut = true;
		uv_poll_stop(poll);
		return;
	}
	fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd >= 0)
		session_new(l, fd);
}

static bool listener_open(struct lab_listener *l, struct err *err)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(l->port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);
	int on = 1;

	if (l->fd >= 0)
		return true;
	l->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0)
		return err_set(err, "socket: %s", strerror(errno));
	setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(l->fd, (struct sockaddr *)&at, sizeof(at)) || listen(l->fd, 512) ||
	    getsockname(l->fd, (struct sockaddr *)&at, &n)) {
		close(l->fd);
		l->fd = -1;
		return err_set(err, "listening on loopback: %s", strerror(errno));
	}
	l->port = ntohs(at.sin_port);
	uv_poll_init(l->server->loop, &l->poll, l->fd);
	l->poll.data = l;
	l->is_polled = true;
	return !uv_poll_start(&l->poll, UV_READABLE, on_connection);
}

static void on_listener_closed(uv_handle_t *handle)
{
	struct lab_listener *l = handle->data;

	close(l->fd);
	l->fd = -1;
	l->is_polled = false;
	/* It may have become reachable again in the meantime. */
	if (!l->server->fabric->devices[l->device].is_unreachable)
		listener_open(l, NULL);
}

static void listener_close(struct lab_listener *l)
{
	if (!l->is_polled || uv_is_closing((uv_handle_t *)&l->poll))
		return;
	/* Refuse from now on: the descriptor itself must live until the loop has let go of it. */
	shutdown(l->fd, SHUT_RDWR);
	uv_poll_stop(&l->poll);
	uv_close((uv_handle_t *)&l->poll, on_listener_closed);
}

void server_reach(struct server *s, struct lab_device *d)
{
	struct lab_listener *l = &s->listeners[d - s->fabric->devices];

	if (!d->is_unreachable) {
		listener_open(l, NULL);
		return;
	}
	listener_close(l);
	for (struct lab_session *at = s->sessions, *next; at; at = next) {
		next = at->next;
		if (at->device == d)
			session_close(at);
	}
}

/* -- harm to sessions -- */

void server_reset(struct server *s, struct lab_device *d)
{
	for (struct lab_session *at = s->sessions; at; at = at->next)
		if (at->device == d)
			at->is_dead = at->is_stalled = true;	/* closed by look_after() */
}

void server_stall(struct server *s, struct lab_device *d)
{
	for (struct lab_session *at = s->sessions; at; at = at->next)
		at->is_stalled = at->is_stalled || at->device == d;
}

void server_garble(struct server *s, struct lab_device *d)
{
	for (struct lab_session *at = s->sessions; at; at = at->next)
		at->is_garbled = at->is_garbled || at->device == d;
}

void server_down(struct server *s, struct lab_device *d, uint64_t for_ms)
{
	struct lab_listener *l = &s->listeners[d - s->fabric->devices];

	/* Somebody may have made it unreachable for longer. */
	if (!d->is_unreachable || l->down_until_ms)
		l->down_until_ms = uv_now(s->loop) + for_ms + 1;
	d->is_unreachable = true;
	listener_close(l);
	server_reset(s, d);
}

/* What was harmed from within a speaker is ended, and what is whole again goes on, where no speaker is running. */
static void look_after(struct lab_listener *l)
{
	struct server *s = l->server;
	struct lab_device *d = &s->fabric->devices[l->device];

	if (l->down_until_ms && uv_now(s->loop) >= l->down_until_ms) {
		l->down_until_ms = 0;
		d->is_unreachable = false;
		listener_open(l, NULL);
	}
	if (!l->was_cut || d->is_cut)
		return;
	l->was_cut = false;
	if (l->is_polled && !uv_is_closing((uv_handle_t *)&l->poll))
		uv_poll_start(&l->poll, UV_READABLE, on_connection);
	for (struct lab_session *at = s->sessions, *next; at; at = next) {
		next = at->next;
		if (at->device == d)
			session_pump(at);
	}
}

/* -- keys -- */

static bool write_key(ssh_key key, const char *path, struct err *err)
{
	mode_t before = umask(077);
	int done = ssh_pki_export_privkey_file(key, NULL, NULL, NULL, path);

	umask(before);
	return done == SSH_OK || err_set(err, "%s: the key could not be written", path);
}

static bool make_listener(struct server *s, unsigned device, struct buf *known_hosts, struct err *err)
{
	struct lab_listener *l = &s->listeners[device];
	bool no = false;
	ssh_key key = NULL;
	char *text = NULL;

	*l = (struct lab_listener){ .server = s, .device = device, .fd = -1, .bind = ssh_bind_new() };
	if (ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key) != SSH_OK)
		return err_set(err, "a host key could not be made");
	ssh_pki_export_pubkey_base64(key, &text);
	ssh_bind_options_set(l->bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
	ssh_bind_options_set(l->bind, SSH_BIND_OPTIONS_IMPORT_KEY, key);	/* takes the key */
	if (s->fabric->devices[device].system->sshd)
		ssh_bind_options_set(l->bind, SSH_BIND_OPTIONS_BANNER, s->fabric->devices[device].system->sshd);
	if (!listener_open(l, err)) {
		ssh_string_free_char(text);
		return false;
	}
	buf_printf(known_hosts, "[127.0.0.1]:%u ssh-ed25519 %s\n", l->port, text);
	ssh_string_free_char(text);
	return true;
}

bool server_start(struct server *s, struct err *err)
{
	struct buf known_hosts = { NULL }, inventory = { NULL };
	char *key = xasprintf("%s/client_key", s->dir);
	uint16_t *ports = xcalloc(s->fabric->n_devices, sizeof(*ports));
	bool is_done = ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &s->client_key) == SSH_OK &&
		       write_key(s->client_key, key, err);

	for (unsigned i = 0; is_done && i < s->fabric->n_devices; i++) {
		is_done = make_listener(s, i, &known_hosts, err);
		ports[i] = s->listeners[i].port;
	}
	if (is_done) {
		inventory_text(s->fabric, s->dir, ports, &inventory);
		is_done = inventory_write(s->dir, "known_hosts", &known_hosts, err) &&
			  inventory_write(s->dir, "inventory.yml", &inventory, err);
	}
	buf_done(&known_hosts);
	buf_done(&inventory);
	free(ports);
	free(key);
	return is_done;
}

/* -- the server -- */

static void on_trickle(uv_timer_t *timer)
{
	struct server *s = timer->data;

	for (struct lab_session *at = s->sessions, *next; at; at = next) {
		next = at->next;
		if (at->is_dead && at->is_stalled)
			session_close(at);
		else if ((at->device->is_slow || s->fabric->late_ms) && at->channels)
			session_pump(at);
	}
	for (size_t i = 0; i < s->fabric->n_devices; i++)
		look_after(&s->listeners[i]);
}

struct server *server_new(uv_loop_t *loop, struct fabric *f, const char *dir)
{
	struct server *s = xcalloc(1, sizeof(*s));

	s->loop = loop;
	s->fabric = f;
	s->dir = xstrdup(dir);
	s->listeners = xcalloc(f->n_devices, sizeof(*s->listeners));
	for (size_t i = 0; i < f->n_devices; i++)
		s->listeners[i] = (struct lab_listener){ .server = s, .device = i, .fd = -1 };
	s->timers = timers_new(s);
	s->writes = write_count_new(s);
	uv_timer_init(loop, &s->trickle);
	s->trickle.data = s;
	uv_timer_start(&s->trickle, on_trickle, TRICKLE_MS, TRICKLE_MS);
	return s;
}

void server_stop(struct server *s)
{
	for (size_t i = 0; i < s->fabric->n_devices; i++) {
		s->fabric->devices[i].is_unreachable = true;
		listener_close(&s->listeners[i]);
	}
	for (struct lab_session *at = s->sessions, *next; at; at = next) {
		next = at->next;
		session_close(at);
	}
	timers_stop(s->timers);
	spawn_kill_left(s->dir, NULL);
	if (!uv_is_closing((uv_handle_t *)&s->trickle))
		uv_close((uv_handle_t *)&s->trickle, NULL);
}

void server_free(struct server *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->fabric->n_devices; i++)
		ssh_bind_free(s->listeners[i].bind);
	ssh_key_free(s->client_key);
	timers_free(s->timers);
	write_count_free(s->writes);
	free(s->listeners);
	free(s->dir);
	if (s->heard)
		fclose(s->heard);
	free(s);
}

bool server_log(struct server *s, const char *path, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	s->heard = fd >= 0 ? fdopen(fd, "w") : NULL;
	return s->heard || err_set(err, "%s: %s", path, strerror(errno));
}
