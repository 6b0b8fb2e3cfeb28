#include "remote/ssh/ssh.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libssh/callbacks.h>
#include <libssh/server.h>	/* ssh_send_keepalive() */

#include "remote/ssh/dial.h"
#include "remote/ssh/handshake.h"
#include "remote/ssh/libssh.h"
#include "remote/ssh/login.h"
#include "remote/ssh/openssh.h"
#include "remote/ssh/pipe.h"
#include "remote/ssh/relay.h"

#define MS(us)		((uint64_t)((us) + 999) / 1000)
#define READ_BUDGET	(64u << 10)	/* bytes a wake-up: under a millisecond of parsing */
#define AGENTS		3		/* of libuv's four helpers: names must still be looked up */
#define PERSON_MS	110000		/* sshd's LoginGraceTime is 120 s */
#define SAID_MAX	400		/* bytes of stderr kept for messages */
#define PING_MAX_MS	5000		/* silence that is asked about; three times that is an end */

enum step {
	STEP_DIAL, STEP_KEX, STEP_HOSTKEY, STEP_LOGIN, STEP_PERSON, STEP_HELPER, STEP_IDLE, STEP_CHANNEL, STEP_RUN,
};

static const char *const step_names[] = {
	[STEP_KEX] = "key exchange", [STEP_HOSTKEY] = "host key", [STEP_LOGIN] = "authentication",
	[STEP_PERSON] = "authentication", [STEP_HELPER] = "authentication", [STEP_IDLE] = "session",
	[STEP_CHANNEL] = "channel", [STEP_RUN] = "session",
};

struct channel {
	ssh_channel handle;		/* NULL: there is none */
	struct send_filter *guard;
	const struct talk_way *way;
	unsigned asked;			/* of the requests that open it */
	bool is_over;
	struct buf said;
};

struct ssh {
	struct openssh *site;		/* the site's own ssh does it all, and nothing below is used; or NULL */
	struct ssh_common *common;
	struct ssh_plan plan;
	struct ssh_hooks hooks;
	enum step step;
	bool is_over;			/* ended() was called, or ssh_free_session() */
	bool is_freed, is_queued;
	unsigned handles;		/* that libuv still holds, and the helper */

	struct dial *dial;
	struct relay *relay;
	struct pipe *proxy;		/* the ProxyCommand */
	bool is_proxy_awaited;		/* the connection has ended: the command's own words are awaited */
	ssh_session session;
	struct ssh_counter_struct counter;
	struct login login;
	char hostkey[64 + FINGERPRINT_SIZE];
	struct buf banner;

	struct channel channels[SSH_CHANNELS];

	uv_poll_t poll;
	uv_timer_t timer;
	uv_idle_t again;		/* more was ready than one wake-up may take */
	uv_work_t work;
	uint64_t due_ms;		/* of the step's deadline */
	int interest;
	bool has_poll;
	uint64_t bytes_in, last_in_ms;	/* to notice silence */
	unsigned pings;

	struct relay_list relays;	/* of the sessions that go through this one */
	ssh_event event;		/* a jump host's: packets for whichever channel */
	TAILQ_ENTRY(ssh) in_queue;
};

static void drive(struct ssh *s);

/* -- ending -- */

static void let_go(struct ssh *s)
{
	struct ssh_common *common = s->common;

	if (s->handles)
		return;
	if (s->event) {
		ssh_event_remove_session(s->event, s->session);
		ssh_event_free(s->event);
	}
	ssh_free(s->session);
	login_done(&s->login);
	buf_done(&s->banner);
	for (unsigned i = 0; i < SSH_CHANNELS; i++)
		buf_done(&s->channels[i].said);
	free(s);
	if (!--common->sessions)
		common->emptied(common);
}

static void on_closed(uv_handle_t *h)
{
	struct ssh *s = h->data;

	s->handles--;
	let_go(s);
}

static void on_proxy_gone(void *ctx)
{
	struct ssh *s = ctx;

	s->handles--;
	let_go(s);
}

static void close_handle(void *handle)
{
	uv_close(handle, on_closed);
}

/* Stops everything but the memory. The watcher goes first: libssh closes its descriptor when it likes. */
static void stop(struct ssh *s, const char *why)
{
	s->is_over = true;
	login_cancel(&s->login);
	if (s->has_poll)
		uv_poll_stop(&s->poll);
	s->interest = 0;
	uv_timer_stop(&s->timer);
	uv_idle_stop(&s->again);
	if (s->is_queued)
		TAILQ_REMOVE(&s->common->agent_queue, s, in_queue);
	s->is_queued = false;
	dial_free(s->dial);
	relay_free(s->relay);
	s->dial = NULL;
	s->relay = NULL;
	relays_end(&s->relays, why);
}

/* "key exchange" */
static const char *ssh_step(const struct ssh *s)
{
	if (s->step != STEP_DIAL)
		return step_names[s->step];
	return s->dial ? dial_step(s->dial) : "connect";
}

static void end(struct ssh *s, enum ssh_end how, const char *why)
{
	char text[900];

	if (s->is_over)
		return;
	snprintf(text, sizeof(text), "%s: %s", ssh_step(s), why);
	stop(s, text);
	s->hooks.ended(s->hooks.ctx, how, text);
}

static void end_of_proxy(struct ssh *s)
{
	const char *said = pipe_said(s->proxy);
	char why[PIPE_SAID_MAX + 100];

	snprintf(why, sizeof(why), "ProxyCommand ended with status %d%s%s", pipe_status(s->proxy), *said ? ": " : "", said);
	s->step = STEP_DIAL;	/* there was no connection */
	end(s, SSH_END_RETRY, why);
}

/* A ProxyCommand's own words tell more than the end of its output. */
static bool awaits_proxy(struct ssh *s)
{
	if (!s->proxy || pipe_has_ended(s->proxy) || s->step > STEP_KEX)
		return false;
	s->is_proxy_awaited = true;
	if (s->has_poll)
		uv_poll_stop(&s->poll);
	s->interest = 0;
	return true;
}

static void end_broken(struct ssh *s)
{
	const char *error = s->session ? ssh_get_error(s->session) : "";

	if (s->is_over || awaits_proxy(s))
		return;
	if (s->proxy && pipe_has_ended(s->proxy) && s->step <= STEP_KEX)
		return end_of_proxy(s);
	if (s->step == STEP_LOGIN && s->login.session) {
		bool is_refused = login_broken(&s->login) == LOGIN_REFUSED;
		return end(s, is_refused ? SSH_END_REFUSED : SSH_END_RETRY, s->login.why);
	}

	end(s, SSH_END_RETRY, *error ? error : "the connection broke");
}

/* Politely, if the socket takes it at once: the far end logs a goodbye, and no half-open session stays there. */
static void say_goodbye(struct ssh *s)
{
	if (s->session && s->step != STEP_HELPER && ssh_is_connected(s->session))
		ssh_disconnect(s->session);
}

void ssh_free_session(struct ssh *s)
{
	if (!s || s->is_freed)
		return;
	s->is_freed = true;
	if (s->site) {
		openssh_free(s->site);
		free(s);
		return;
	}
	if (!s->is_over)
		stop(s, "the session through it was closed");
	if (s->has_poll)
		close_handle(&s->poll);
	close_handle(&s->timer);
	close_handle(&s->again);
	say_goodbye(s);
	if (s->proxy) {
		s->handles++;
		pipe_free(s->proxy, on_proxy_gone, s);
	}
}

/* -- time -- */

static void on_deadline(uv_timer_t *timer);

static void set_deadline(struct ssh *s, uint64_t in_ms)
{
	s->due_ms = uv_now(s->common->loop) + in_ms;
	uv_timer_start(&s->timer, on_deadline, in_ms, 0);
}

/* A server that took the connection: under load it answers later. */
static bool may_be_late(const struct ssh *s)
{
	return (s->step >= STEP_KEX && s->step <= STEP_LOGIN) || s->step == STEP_CHANNEL;
}

static void on_deadline(uv_timer_t *timer)
{
	struct ssh *s = timer->data;
	char why[128];

	if (uv_now(s->common->loop) > s->due_ms + AWAY_MS)
		return set_deadline(s, MS(s->common->timeout_us));
	if (s->step == STEP_HELPER || s->is_queued)
		return end(s, SSH_END_RETRY, "the agent does not answer; is it waiting for a key confirmation?");
	snprintf(why, sizeof(why), "no answer in %.1f s", s->common->timeout_us / 1e6);
	end(s, may_be_late(s) ? SSH_END_LATE : SSH_END_RETRY, why);
}

static void enter(struct ssh *s, enum step step)
{
	s->step = step;
	if (step == STEP_PERSON)	/* no limit of ours; the server's may close the connection, and then it is made again */
		uv_timer_stop(&s->timer);
	else
		set_deadline(s, step == STEP_HELPER ? PERSON_MS : MS(s->common->timeout_us));
}

static void note_bytes(struct ssh *s)
{
	if (s->counter.in_bytes == s->bytes_in)
		return;
	s->bytes_in = s->counter.in_bytes;
	s->last_in_ms = uv_now(s->common->loop);
	s->pings = 0;
}

static void ping(struct ssh *s)
{
	/* The first call may only collect the answer to an earlier one; any answer, also a refusal, is life. */
	ssh_send_keepalive(s->session);
	ssh_send_keepalive(s->session);
	s->pings++;
}

static uint64_t ping_ms(const struct ssh *s)
{
	uint64_t half_ms = MS(s->common->timeout_us) / 2;

	return half_ms < PING_MAX_MS ? half_ms : PING_MAX_MS;
}

/* After 5 and 10 s of silence the far end is asked for a sign of life; just before 15 s it is gone. */
static void on_silence(uv_timer_t *timer)
{
	struct ssh *s = timer->data;
	char why[128];

	drive(s);
	if (s->is_over)
		return;
	uint64_t silent_ms = uv_now(s->common->loop) - s->last_in_ms, step_ms = ping_ms(s);
	uint64_t end_ms = 3 * step_ms - step_ms / 10;
	if (silent_ms >= end_ms && s->pings >= 2) {
		snprintf(why, sizeof(why), "no sign of life for %.1f s; the host, its network or the path hangs",
			 silent_ms / 1e3);
		return end(s, SSH_END_RETRY, why);
	}
	if (silent_ms >= (s->pings + 1) * step_ms) {
		ping(s);
		drive(s);
		if (s->is_over)
			return;
	}
	uint64_t next_ms = s->pings >= 2 ? end_ms : (s->pings + 1) * step_ms;
	uv_timer_start(&s->timer, on_silence, next_ms > silent_ms ? next_ms - silent_ms : step_ms / 5 + 1, 0);
}

static void watch_silence(struct ssh *s)
{
	s->last_in_ms = uv_now(s->common->loop);
	s->pings = 0;
	uv_timer_start(&s->timer, on_silence, ping_ms(s), 0);
}

/* -- readiness -- */

static void on_ready(uv_poll_t *poll, int status, int events)
{
	(void)status, (void)events;
	drive(poll->data);
}

/* Each call may arm or disarm writing, and may have closed the descriptor. */
static void watch(struct ssh *s)
{
	if (s->is_over || !s->has_poll || s->is_proxy_awaited)
		return;
	bool is_read = s->step != STEP_HELPER && s->step != STEP_PERSON && (s->step != STEP_IDLE || s->event);
	if (!is_read) {	/* what comes waits in the kernel, and does not wake us for ever */
		uv_poll_stop(&s->poll);
		s->interest = 0;
		return;
	}
	if (ssh_get_fd(s->session) < 0)
		return end_broken(s);
	int interest = UV_READABLE | (ssh_get_poll_flags(s->session) & SSH_WRITE_PENDING ? UV_WRITABLE : 0);
	if (interest == s->interest)
		return;
	s->interest = interest;
	uv_poll_start(&s->poll, interest, on_ready);
}

static void on_again(uv_idle_t *idle)
{
	uv_idle_stop(idle);
	drive(idle->data);
}

/* -- connecting -- */

/* libssh makes the descriptor blocking when it is connected: one stopped peer would hold us all. */
static void set_nonblocking(struct ssh *s)
{
	int fd = ssh_get_fd(s->session);

	if (fd >= 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
}

static void on_connected(void *ctx, int fd, const char *why)
{
	struct ssh *s = ctx;

	if (fd < 0)
		return end(s, SSH_END_RETRY, why);
	s->dial = NULL;
	s->relay = NULL;
	s->session = ssh_new();
	ssh_set_blocking(s->session, 0);
	if (!handshake_options(s->session, &s->plan, fd)) {
		close(fd);
		return end(s, SSH_END_REFUSED, ssh_get_error(s->session));
	}
	ssh_set_counters(s->session, &s->counter, NULL);
	s->has_poll = !uv_poll_init(s->common->loop, &s->poll, fd);
	if (!s->has_poll) {
		close(fd);
		return end(s, SSH_END_RETRY, "the connection cannot be polled");
	}
	s->poll.data = s;
	s->handles++;
	enter(s, STEP_KEX);
	drive(s);
}

static void exchange_keys(struct ssh *s)
{
	int rc = ssh_connect(s->session);

	set_nonblocking(s);
	if (rc == SSH_AGAIN)
		return;
	if (rc != SSH_OK)
		return end_broken(s);
	enter(s, STEP_HOSTKEY);
}

static void judge_hostkey(struct ssh *s)
{
	struct hostkey_seen seen;
	struct buf name = { 0 };
	size_t n = 0;
	char *bytes = handshake_key(s->session, &n);
	struct span key = { bytes, n };
	char why[700];

	if (!bytes)
		return end(s, SSH_END_REFUSED, "the server's key cannot be read");
	known_files_name(s->plan.host_key_alias, s->plan.address, s->plan.port, &name);
	enum hostkey_verdict verdict = handshake_judge(&s->plan, name.text, key, &seen);
	snprintf(s->hostkey, sizeof(s->hostkey), "%s %s", seen.type, seen.fingerprint);
	bool goes_on = verdict == HOSTKEY_KNOWN || s->hooks.trust(s->hooks.ctx, verdict, &seen, key);
	free(bytes);
	if (!goes_on)
		known_hosts_explain(verdict, &seen, name.text, why, sizeof(why));
	buf_done(&name);
	if (!goes_on)
		return end(s, SSH_END_HOSTKEY, why);
	login_init(&s->login, s->session, &s->plan, s->common->may_ask);
	enter(s, STEP_LOGIN);
}

/* -- logging in -- */

static void on_helped(uv_work_t *work, int status);

static void help(uv_work_t *work)
{
	login_agent(&((struct ssh *)work->data)->login);
}

/* Lends the session to a helper thread; until it is back nobody here touches it. */
static void lend(struct ssh *s)
{
	enter(s, STEP_HELPER);
	s->common->agents_at_work++;
	s->handles++;
	watch(s);
	s->work.data = s;
	uv_queue_work(s->common->loop, &s->work, help, on_helped);
}

static void lend_or_wait(struct ssh *s)
{
	if (s->common->agents_at_work < AGENTS)
		return lend(s);
	enter(s, STEP_HELPER);
	s->is_queued = true;
	TAILQ_INSERT_TAIL(&s->common->agent_queue, s, in_queue);
}

static void on_helped(uv_work_t *work, int status)
{
	struct ssh *s = work->data;
	struct ssh_common *common = s->common;

	(void)status;
	common->agents_at_work--;
	struct ssh *next = TAILQ_FIRST(&common->agent_queue);
	if (next) {
		TAILQ_REMOVE(&common->agent_queue, next, in_queue);
		next->is_queued = false;
		lend(next);
	}
	s->handles--;
	s->step = STEP_LOGIN;
	if (s->is_freed)
		return let_go(s);
	if (!s->is_over) {
		enter(s, STEP_LOGIN);
		drive(s);
	}
}

static void ask(struct ssh *s)
{
	struct question q = login_question(&s->login);

	enter(s, STEP_PERSON);
	s->hooks.ask(s->hooks.ctx, &q);
}

static void note_banner(struct ssh *s)
{
	const char *id = ssh_get_serverbanner(s->session);
	char *issue = ssh_get_issue_banner(s->session);

	buf_printf(&s->banner, "%.255s\n%.2000s", id ? id : "", issue ? issue : "");
	free(issue);
}

static void logged_in(struct ssh *s)
{
	note_banner(s);
	if (s->plan.is_jump) {
		s->event = ssh_event_new();
		ssh_event_add_session(s->event, s->session);
	}
	s->step = STEP_IDLE;
	watch_silence(s);
	s->hooks.up(s->hooks.ctx);
}

static void log_in(struct ssh *s)
{
	switch (login_step(&s->login)) {
	case LOGIN_AGAIN:
		return;
	case LOGIN_DONE:
		return logged_in(s);
	case LOGIN_ASK:
		return ask(s);
	case LOGIN_HELPER:
		return lend_or_wait(s);
	case LOGIN_REFUSED:
		return end(s, SSH_END_REFUSED, s->login.why);
	case LOGIN_LOCKED:
		return end(s, SSH_END_LOCKED, s->login.why);
	case LOGIN_BROKEN:
		return end(s, SSH_END_RETRY, s->login.why);
	}
}

void ssh_ask_again(struct ssh *s)
{
	if (!s->site && !s->is_over && s->step == STEP_PERSON)
		ask(s);
}

void ssh_answer(struct ssh *s, const char *text)
{
	if (s->is_over || s->step != STEP_PERSON)
		return;
	if (!login_answer(&s->login, text))
		return end(s, SSH_END_REFUSED, s->login.why);
	enter(s, STEP_LOGIN);
	drive(s);
}

/* -- the channels -- */

static int open_session(struct channel *c)
{
	return ssh_channel_open_session(c->handle);
}

/* Wide and endless: nothing is wrapped and, where a switch believes it, nothing paged. */
static int request_pty(struct channel *c)
{
	return c->way->program ? SSH_OK : ssh_channel_request_pty_size(c->handle, "dumb", 511, 0);
}

static int request_program(struct channel *c)
{
	if (!c->way->program)
		return ssh_channel_request_shell(c->handle);
	return ssh_channel_request_exec(c->handle, c->way->program);
}

static int (*const channel_requests[])(struct channel *c) = { open_session, request_pty, request_program };
#define CHANNEL_REQUESTS	(sizeof(channel_requests) / sizeof(*channel_requests))

static bool is_open(const struct channel *c)
{
	return c->handle && c->asked == CHANNEL_REQUESTS;
}

/* SSH_OK: it is open; SSH_AGAIN: not yet; SSH_ERROR: it will not be. */
static int go_on_opening(struct channel *c)
{
	while (c->asked < CHANNEL_REQUESTS) {
		int rc = channel_requests[c->asked](c);
		if (rc != SSH_OK)
			return rc;
		c->asked++;
	}
	return SSH_OK;
}

static void open_first(struct ssh *s)
{
	int rc = go_on_opening(&s->channels[0]);

	if (rc == SSH_AGAIN)
		return;
	if (rc != SSH_OK)
		return end_broken(s);
	s->step = STEP_RUN;
	watch_silence(s);
	s->hooks.opened(s->hooks.ctx, 0);
}

/* While the first goes on; that it is refused ends no session. */
static void open_second(struct ssh *s)
{
	struct channel *c = &s->channels[1];
	int rc = go_on_opening(c);

	if (rc == SSH_AGAIN)
		return;
	if (rc == SSH_OK)
		return s->hooks.opened(s->hooks.ctx, 1);
	if (!ssh_is_connected(s->session))
		return end_broken(s);
	c->is_over = true;
	s->hooks.closed(s->hooks.ctx, 1, -1, span_of(ssh_get_error(s->session)));
}

static void close_channel(struct channel *c)
{
	if (c->handle)
		ssh_channel_free(c->handle);
	c->handle = NULL;
	buf_clear(&c->said);
}

void ssh_open(struct ssh *s, unsigned channel, const struct talk_way *way, struct send_filter *guard)
{
	struct channel *c = &s->channels[channel];

	if (s->site)
		return openssh_open(s->site, way, guard);
	close_channel(c);
	c->guard = guard;
	c->handle = ssh_channel_new(s->session);
	c->way = way;
	c->asked = 0;
	c->is_over = false;
	if (channel == 0)
		enter(s, STEP_CHANNEL);
	uv_idle_start(&s->again, on_again);
	watch(s);
}

/* One that is not open yet is kept: its confirmation may come, and must find it. */
void ssh_close_second(struct ssh *s)
{
	struct channel *c = &s->channels[1];

	if (is_open(c))
		close_channel(c);
	c->is_over = true;
	if (!s->site && !s->is_over)
		watch(s);
}

bool ssh_may_open_second(const struct ssh *s)
{
	return !s->site;
}

static void send_pending(struct ssh *s, unsigned at)
{
	struct channel *c = &s->channels[at];
	struct span out = s->hooks.to_send(s->hooks.ctx, at);
	struct err err;

	while (out.n && ssh_channel_window_size(c->handle)) {
		if (!send_filter_allows(c->guard, out, &err))
			return end(s, SSH_END_REFUSED, err.text);
		int n = ssh_channel_write(c->handle, out.p, out.n);
		if (n <= 0)
			return;
		send_filter_sent(c->guard, (struct span){ out.p, (size_t)n });
		s->hooks.sent(s->hooks.ctx, at, n);
		out = s->hooks.to_send(s->hooks.ctx, at);
	}
}

/* stderr shares the window: unread, it would shut it. */
static int read_said(struct channel *c)
{
	char block[4096];
	int n = libssh_read(c->handle, block, sizeof(block), true);

	if (n > 0 && c->said.n < SAID_MAX)
		buf_add(&c->said, block, (size_t)n < SAID_MAX - c->said.n ? (size_t)n : SAID_MAX - c->said.n);
	return n > 0 ? n : 0;
}

static void channel_ended(struct ssh *s, unsigned at)
{
	struct channel *c = &s->channels[at];

	c->is_over = true;
	s->hooks.closed(s->hooks.ctx, at, libssh_exit_status(c->handle), buf_span(&c->said));
}

/* What one channel has to say and to hear, once; how many bytes came. */
static size_t transfer_one(struct ssh *s, unsigned at)
{
	struct channel *c = &s->channels[at];
	ssh_channel handle = c->handle;
	char block[16384];

	send_pending(s, at);
	if (s->is_over)
		return 0;
	int said = read_said(c), n = libssh_read(handle, block, sizeof(block), false);
	if (n == SSH_ERROR)
		return end_broken(s), 0;
	if (n > 0)
		s->hooks.received(s->hooks.ctx, at, (struct span){ block, n });
	if (s->is_over || c->handle != handle)
		return 0;
	if (n > 0 || said > 0)
		return (size_t)said + (n > 0 ? (size_t)n : 0);
	if (!ssh_is_connected(s->session))
		end_broken(s);
	else if (ssh_channel_is_eof(handle) || ssh_channel_is_closed(handle))
		channel_ended(s, at);
	return 0;
}

static size_t transfer_second(struct ssh *s)
{
	struct channel *c = &s->channels[1];

	if (!c->handle || c->is_over)
		return 0;
	if (is_open(c))
		return transfer_one(s, 1);
	open_second(s);
	return 0;
}

/* Reading one channel takes in what comes for the other, which is then read once more. */
static void transfer(struct ssh *s)
{
	size_t total = 0, moved;
	uint64_t heard;

	do {
		heard = s->counter.in_bytes;
		moved = transfer_one(s, 0);
		if (!s->is_over && s->step == STEP_RUN && !s->channels[0].is_over)
			moved += transfer_second(s);
		if (s->is_over || s->step != STEP_RUN || s->channels[0].is_over)
			return;
		if (!moved && s->counter.in_bytes == heard)
			return;
		total += moved ? moved : sizeof(uint64_t);
	} while (total < READ_BUDGET);
	uv_idle_start(&s->again, on_again);
}

void ssh_kick(struct ssh *s)
{
	if (s->site)
		openssh_kick(s->site);
	else if (!s->is_over && s->step == STEP_RUN && !s->channels[0].is_over)
		uv_idle_start(&s->again, on_again);
}

void ssh_hang_up(struct ssh *s)
{
	if (s->site)
		return openssh_hang_up(s->site);
	if (s->is_over || s->step != STEP_RUN || s->channels[0].is_over)
		return;
	for (unsigned i = 0; i < SSH_CHANNELS; i++)
		if (is_open(&s->channels[i]) && !s->channels[i].is_over)
			ssh_channel_send_eof(s->channels[i].handle);
	watch(s);
}

/* -- the machine -- */

/* A session without a running channel still answers and notices its end. */
static void idle(struct ssh *s)
{
	if (libssh_is_out_of_memory(s->session))
		return end_broken(s);
	if (s->event) {
		ssh_event_dopoll(s->event, 0);
		relays_drive(&s->relays);
	} else if (s->channels[0].handle) {
		ssh_channel_poll(s->channels[0].handle, 0);
	}
	if (!s->is_over && !ssh_is_connected(s->session))
		end_broken(s);
}

static void drive_step(struct ssh *s)
{
	switch (s->step) {
	case STEP_DIAL:
	case STEP_HELPER:
	case STEP_PERSON:
		return;
	case STEP_KEX:
		return exchange_keys(s);
	case STEP_HOSTKEY:
		return judge_hostkey(s);
	case STEP_LOGIN:
		return log_in(s);
	case STEP_IDLE:
		return idle(s);
	case STEP_CHANNEL:
		return open_first(s);
	case STEP_RUN:
		return s->channels[0].is_over ? idle(s) : transfer(s);
	}
}

static bool wants_to_write(const struct ssh *s)
{
	return s->step != STEP_HELPER && ssh_get_fd(s->session) >= 0 &&
	       ssh_get_poll_flags(s->session) & SSH_WRITE_PENDING;
}

/*
 * Goes on as far as it gets without waiting. What a call left to be written mostly can be at once: another call does
 * that at the price of a poll(), and spares a wake-up and four changes of what we wait for.
 */
static void drive(struct ssh *s)
{
	enum step before;
	bool was_flushed = false, goes_on;

	do {
		before = s->step;
		drive_step(s);
		if (s->is_over)
			return;
		goes_on = s->step != before;
		if (!goes_on && !was_flushed && s->session && wants_to_write(s))
			goes_on = was_flushed = true;
	} while (goes_on);
	note_bytes(s);
	watch(s);
}

static void on_proxy_ended(void *ctx)
{
	struct ssh *s = ctx;

	if (!s->is_over && (s->is_proxy_awaited || s->step == STEP_DIAL))
		end_of_proxy(s);
}

/* Not from within ssh_new_session(). */
static void on_proxy_begun(uv_timer_t *timer)
{
	struct ssh *s = timer->data;
	const char *shell = getenv("SHELL");
	char *script = xasprintf("exec %s", s->plan.proxy_command);
	const char *argv[] = { shell && *shell ? shell : "/bin/sh", "-c", script, NULL };
	struct pipe_hooks hooks = { .ctx = s, .ended = on_proxy_ended };
	char why[sizeof(struct err) + 40];
	struct err err;

	s->proxy = pipe_new(s->common->loop, argv, false, &hooks, &err);
	free(script);
	if (s->proxy) {
		set_deadline(s, MS(s->common->timeout_us));
		return on_connected(s, pipe_take(s->proxy), NULL);
	}
	snprintf(why, sizeof(why), "ProxyCommand: %s", err.text);
	end(s, SSH_END_RETRY, why);
}

static void start(struct ssh *s)
{
	s->step = STEP_DIAL;
	set_deadline(s, MS(s->common->timeout_us));
	if (s->plan.proxy_command) {
		uv_timer_start(&s->timer, on_proxy_begun, 0, 0);
		return;
	}
	if (!s->plan.via) {
		s->dial = dial_new(s->common->loop, s->plan.address, s->plan.port, on_connected, s);
		return;
	}
	s->relay = relay_new(s->common->loop, s->plan.via, s->plan.address, s->plan.port, on_connected, s);
	if (!s->relay)
		set_deadline(s, 0);
}

struct ssh *ssh_new_session(struct ssh_common *common, const struct ssh_plan *plan, const struct ssh_hooks *hooks)
{
	struct ssh *s = xcalloc(1, sizeof(*s));

	if (plan->transport == TRANSPORT_OPENSSH) {
		s->site = openssh_new(common, plan, hooks);
		return s;
	}
	s->common = common;
	s->plan = *plan;
	s->hooks = *hooks;
	s->handles = 2;
	s->login.agent_fd = -1;
	common->sessions++;
	LIST_INIT(&s->relays);
	uv_timer_init(common->loop, &s->timer);
	uv_idle_init(common->loop, &s->again);
	s->timer.data = s->again.data = s;
	start(s);
	return s;
}

struct span ssh_banner(const struct ssh *s)
{
	return buf_span(&s->banner);
}

const char *ssh_login(const struct ssh *s)
{
	return s->site ? openssh_login(s->site) : s->login.how;
}

const char *ssh_hostkey(const struct ssh *s)
{
	return s->site ? openssh_hostkey(s->site) : s->hostkey;
}

ssh_session ssh_handle(struct ssh *s)
{
	return s->session;
}

struct relay_list *ssh_relays(struct ssh *s)
{
	return &s->relays;
}

void ssh_touched(struct ssh *s)
{
	if (!s->is_over)
		drive(s);
}
