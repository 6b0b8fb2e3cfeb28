#include "remote/ssh/openssh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "remote/platform/mask.h"
#include "remote/ssh/pipe.h"

#define READ_BUDGET	(64u << 10)	/* bytes a wake-up, as in remote/ssh/ssh.c */
#define SAID_MAX	400

/* One child process, one channel. It outlives the session by the time libuv needs. */
struct channel {
	struct openssh *session;	/* NULL: dropped */
	struct ssh_common *common;
	struct pipe *pipe;
	uv_poll_t out, in;		/* in: of one with a terminal alone */
	unsigned handles;
	bool has_in, is_eof, wants_write;
};

struct openssh {
	struct ssh_common *common;
	struct ssh_plan plan;
	struct ssh_hooks hooks;
	struct channel *channel;
	struct send_filter *guard;
	uv_timer_t begins;
	uv_idle_t again;
	unsigned handles;
	bool is_in;			/* logged in, as its stderr or its output says */
	bool is_over, is_freed;
	char hostkey[64 + FINGERPRINT_SIZE], login[128];
	char said[SAID_MAX + 1], last[SAID_MAX + 1];	/* stderr of the far end; the last line of ssh's own */
	char hint[SAID_MAX + 1];	/* a line before it that says why */
};

/* -- the command line -- */

/* The first word of an option is the one that counts: these are not for a configuration to change. Known since OpenSSH 7.6. */
static const char *const fixed[] = {
	"-o", "LogLevel=DEBUG1",	/* how it logs in, and the host key: read from its stderr */
	"-o", "BatchMode=yes",
	"-o", "ServerAliveInterval=5",
	"-o", "ServerAliveCountMax=3",
	"-o", "ForwardAgent=no",
	"-o", "ForwardX11=no",
	"-o", "ClearAllForwardings=yes",
	"-o", "PermitLocalCommand=no",
	"-o", "RemoteCommand=none",
	"-o", "EscapeChar=none",
	"-o", "UpdateHostKeys=no",
	"-o", "ControlMaster=no",
};

struct words {
	const char **list;
	size_t n, cap;
	struct arena *arena;
};

static void add(struct words *w, const char *word)
{
	*GROW(w->list, w->n, w->cap) = word;
	if (word)
		w->n++;
}

static void add_option(struct words *w, const char *name, const char *value)
{
	char *text = xasprintf("%s=%s", name, value);

	add(w, "-o");
	add(w, arena_text(w->arena, text, strlen(text)));
	free(text);
}

/* The command line, ended by NULL; texts are lent by the plan but for those in words. Yours to free. */
static const char **openssh_argv(const struct ssh_plan *plan, const struct talk_way *way, int64_t timeout_us, struct arena *arena)
{
	struct words w = { .arena = arena };
	char seconds[24];

	snprintf(seconds, sizeof(seconds), "%lld", (long long)((timeout_us + 999999) / 1000000));
	add(&w, "ssh");
	add(&w, way->program ? "-T" : "-tt");
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		add(&w, fixed[i]);
	add_option(&w, "ConnectTimeout", seconds);
	add_option(&w, "StrictHostKeyChecking", plan->accepts_new ? "accept-new" : "yes");
	if (plan->is_own)	/* what is verified over a new connection must not share an old one */
		add_option(&w, "ControlPath", "none");
	if (plan->known_hosts_file)
		add_option(&w, "UserKnownHostsFile", plan->known_hosts_file);
	if (plan->known_hosts_file)
		add_option(&w, "GlobalKnownHostsFile", "/dev/null");
	if (plan->identity_file) {
		add(&w, "-i");
		add(&w, plan->identity_file);
	}
	if (!plan->uses_agent)
		add_option(&w, "IdentityAgent", "none");
	for (size_t i = 0; i < plan->ssh_args->n; i++)
		add(&w, plan->ssh_args->list[i]);
	add(&w, "--");
	add(&w, plan->destination);
	if (way->program)
		add(&w, way->program);
	add(&w, NULL);
	return w.list;
}

/* -- ending -- */

static void let_go(struct openssh *s)
{
	struct ssh_common *common = s->common;

	if (s->handles)
		return;
	free(s);
	if (!--common->sessions)
		common->emptied(common);
}

static void on_closed(uv_handle_t *h)
{
	struct openssh *s = h->data;

	s->handles--;
	let_go(s);
}

static void release(struct channel *c)
{
	struct ssh_common *common = c->common;

	if (--c->handles)
		return;
	free(c);
	if (!--common->sessions)	/* the loop and what sessions share is still needed */
		common->emptied(common);
}

static void on_channel_closed(uv_handle_t *h)
{
	release(h->data);
}

static void on_pipe_gone(void *ctx)
{
	release(ctx);
}

static void drop_channel(struct openssh *s)
{
	struct channel *c = s->channel;

	if (!c)
		return;
	s->channel = NULL;
	c->session = NULL;
	uv_close((uv_handle_t *)&c->out, on_channel_closed);
	if (c->has_in)
		uv_close((uv_handle_t *)&c->in, on_channel_closed);
	pipe_free(c->pipe, on_pipe_gone, c);
}

static void stop(struct openssh *s)
{
	s->is_over = true;
	uv_timer_stop(&s->begins);
	uv_idle_stop(&s->again);
	drop_channel(s);
}

static void end(struct openssh *s, enum ssh_end how, const char *why)
{
	if (s->is_over)
		return;
	stop(s);
	s->hooks.ended(s->hooks.ctx, how, why);
}

void openssh_free(struct openssh *s)
{
	if (!s || s->is_freed)
		return;
	s->is_freed = true;
	stop(s);
	uv_close((uv_handle_t *)&s->begins, on_closed);
	uv_close((uv_handle_t *)&s->again, on_closed);
}

/* -- what its stderr says -- */

static void on_again(uv_idle_t *idle);

/* What it says last when it gives up before the log-in, and what helps. */
static const struct {
	const char *words, *step, *remedy;
	enum ssh_end how;
} reasons[] = {
	{ "Permission denied", "authentication", "it cannot prompt for a password or passphrase here: add the key with ssh-add, use "
						 "another key, or use the transport libssh, which prompts",
	  SSH_END_REFUSED },
	{ "Too many authentication failures", "authentication", "set IdentityFile to the host's key, and IdentitiesOnly yes", SSH_END_REFUSED },
	{ "Host key verification failed", "host key", "verify the host's key, and add it to known_hosts by connecting once with ssh",
	  SSH_END_REFUSED },
	{ "Bad configuration option", "connect", "fix that line", SSH_END_REFUSED },
	{ "Bad owner or permissions", "connect", "fix the file's owner and permissions", SSH_END_REFUSED },
	{ "terminating", "connect", "fix that line", SSH_END_REFUSED },
	{ "unknown option", "connect", "fix the arguments", SSH_END_REFUSED },
};

static void end_before_login(struct openssh *s, int status)
{
	char said[2 * SAID_MAX + 8], why[sizeof(said) + 500];

	snprintf(said, sizeof(said), "%s%s%s", s->hint, s->hint[0] ? "; " : "", s->last[0] ? s->last : "nothing");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (!strstr(said, reasons[i].words))
			continue;
		snprintf(why, sizeof(why), "%s: the site's ssh reported: %s%s%s; %s", reasons[i].step, said,
			 s->hostkey[0] && reasons[i].step[0] == 'h' ? "; it is " : "", reasons[i].step[0] == 'h' ? s->hostkey : "",
			 reasons[i].remedy);
		return end(s, reasons[i].how, why);
	}
	snprintf(why, sizeof(why), "connect: the site's ssh ended with status %d: %s", status, said);
	end(s, SSH_END_RETRY, why);
}

static void logged_in(struct openssh *s)
{
	if (s->is_in || s->is_over)
		return;
	s->is_in = true;
	if (!s->login[0])
		snprintf(s->login, sizeof(s->login), "a shared connection of the site's ssh");
	uv_idle_start(&s->again, on_again);	/* what is to be sent has waited for it */
	s->hooks.opened(s->hooks.ctx, 0);
}

/* "Server host key: ssh-ed25519 SHA256:…", or a certificate's with more behind it: the first two words. */
static void note_hostkey(struct openssh *s, struct span words)
{
	struct span type, print;

	if (s->hostkey[0] || !span_word(&words, &type) || !span_word(&words, &print))
		return;
	if (print.n && print.p[print.n - 1] == ',')
		print.n--;
	snprintf(s->hostkey, sizeof(s->hostkey), "%.*s %.*s", (int)type.n, type.p, (int)print.n, print.p);
}

/* 'Authenticated to HOST ([ADDRESS]:PORT) using "publickey".' */
static void note_login(struct openssh *s, struct span line)
{
	struct span head, method, tail;

	if (span_cut(line, '"', &head, &tail) && span_cut(tail, '"', &method, &tail))
		snprintf(s->login, sizeof(s->login), "%.*s by the site's ssh", (int)method.n, method.p);
	logged_in(s);
}

static bool is_hint(struct span line)
{
	static const char *const words[] = { " are too open", "IDENTIFICATION HAS CHANGED", "Offending ", "marked as revoked" };
	char text[SAID_MAX];

	snprintf(text, sizeof(text), "%.*s", (int)line.n, line.p);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

/* Of the far end everything is a remark; before the log-in only the last line counts: a banner may come before it. */
static void note_plain(struct openssh *s, struct span line)
{
	char *to = s->is_in ? s->said : is_hint(line) ? s->hint : s->last;
	size_t n = s->is_in || to == s->hint ? strlen(to) : 0;
	char seen[SAID_MAX];

	if (s->is_in) {
		mask_quote(seen, sizeof(seen), line);
		line = span_of(seen);
	}
	if (n && n + 2 < SAID_MAX)
		n += snprintf(to + n, SAID_MAX - n, "; ");
	for (size_t i = 0; i < line.n && n < SAID_MAX; i++)
		to[n++] = line.p[i] >= ' ' && line.p[i] <= '~' ? line.p[i] : '?';
	to[n] = '\0';
}

/* What ssh logs of itself. */
static bool is_of_its_own(struct span line)
{
	static const char *const begins[] = { "debug1: ", "OpenSSH_", "Transferred: sent ", "Bytes per second: sent " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (span_starts(line, begins[i]))
			return true;
	return false;
}

static bool on_line(void *ctx, struct span line)
{
	struct channel *c = ctx;
	struct openssh *s = c->session;

	if (!s || s->is_over || !line.n)
		return true;
	if (s->is_in) {
		if (!is_of_its_own(line))
			note_plain(s, line);
		return true;
	}
	if (span_starts(line, "Authenticated to "))
		note_login(s, line);
	else if (span_skip(&line, "debug1: Server host key: ") || span_skip(&line, "debug1: Server host certificate: "))
		note_hostkey(s, line);
	else if (span_starts(line, "debug1: mux_client_request_session"))
		logged_in(s);
	else if (!is_of_its_own(line))
		note_plain(s, line);
	return true;
}

/* -- its bytes -- */

static void watch(struct channel *c);

static void send_pending(struct openssh *s)
{
	struct channel *c = s->channel;
	struct span out;
	struct err err;
	char why[sizeof(err.text) + 20];

	c->wants_write = false;
	while (s->is_in && (out = s->hooks.to_send(s->hooks.ctx, 0)).n) {
		if (!send_filter_allows(s->guard, out, &err)) {
			snprintf(why, sizeof(why), "session: %s", err.text);
			return end(s, SSH_END_REFUSED, why);
		}
		ssize_t n = write(pipe_in(c->pipe), out.p, out.n);
		if (n <= 0) {
			c->wants_write = n < 0 && (errno == EAGAIN || errno == EINTR);
			return;
		}
		send_filter_sent(s->guard, (struct span){ out.p, (size_t)n });
		s->hooks.sent(s->hooks.ctx, 0, n);
	}
}

/* Whether there may be more at once. */
static bool receive(struct openssh *s)
{
	struct channel *c = s->channel;
	char block[16384];
	ssize_t n = read(pipe_out(c->pipe), block, sizeof(block));

	if (n < 0)
		return errno == EINTR;
	if (n == 0) {
		c->is_eof = true;
		return false;
	}
	logged_in(s);
	if (!s->is_over && s->channel == c)
		s->hooks.received(s->hooks.ctx, 0, (struct span){ block, n });
	return !s->is_over && s->channel == c;
}

static void drive(struct openssh *s)
{
	struct channel *c = s->channel;
	unsigned rounds = READ_BUDGET / 16384;

	if (s->is_over || !c)
		return;
	send_pending(s);
	while (!s->is_over && s->channel == c && rounds && receive(s)) {
		rounds--;
		send_pending(s);
	}
	if (s->is_over || s->channel != c)
		return;
	if (!rounds)
		uv_idle_start(&s->again, on_again);
	watch(c);
}

static void on_again(uv_idle_t *idle)
{
	uv_idle_stop(idle);
	drive(idle->data);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
	struct channel *c = poll->data;

	(void)status, (void)events;
	if (c->session)
		drive(c->session);
}

static void watch(struct channel *c)
{
	int reads = c->is_eof ? 0 : UV_READABLE, writes = c->wants_write ? UV_WRITABLE : 0;

	if (!c->has_in)
		reads |= writes;
	if (reads)
		uv_poll_start(&c->out, reads, on_ready);
	else
		uv_poll_stop(&c->out);
	if (c->has_in && writes)
		uv_poll_start(&c->in, writes, on_ready);
	else if (c->has_in)
		uv_poll_stop(&c->in);
}

/* What it left to be read comes before its end. */
static void on_pipe_ended(void *ctx)
{
	struct channel *c = ctx;
	struct openssh *s = c->session;
	char why[SAID_MAX + 100];

	while (s && !s->is_over && s->channel == c && !c->is_eof && receive(s))
		;
	if (!s || s->is_over || s->channel != c)
		return;
	int status = pipe_status(c->pipe);
	if (!s->is_in)
		return end_before_login(s, status);
	if (status < 128) {
		uv_poll_stop(&c->out);
		s->hooks.closed(s->hooks.ctx, 0, status, span_of(s->said));
		return;
	}
	snprintf(why, sizeof(why), "session: the site's ssh ended with status %d%s%s", status, s->said[0] ? ": " : "", s->said);
	end(s, SSH_END_RETRY, why);
}

/* -- for others -- */

static void on_begins(uv_timer_t *timer)
{
	struct openssh *s = timer->data;

	s->hooks.up(s->hooks.ctx);
}

struct openssh *openssh_new(struct ssh_common *common, const struct ssh_plan *plan, const struct ssh_hooks *hooks)
{
	struct openssh *s = xcalloc(1, sizeof(*s));

	*s = (struct openssh){ .common = common, .plan = *plan, .hooks = *hooks, .handles = 2 };
	common->sessions++;
	uv_timer_init(common->loop, &s->begins);
	uv_idle_init(common->loop, &s->again);
	s->begins.data = s->again.data = s;
	uv_timer_start(&s->begins, on_begins, 0, 0);
	return s;
}

/* A destination is never an option, and never empty. */
static bool is_destination(const char *text)
{
	return text && *text && *text != '-' && !strpbrk(text, " \t\r\n'\"`$;&|<>(){}\\");
}

static struct pipe *start(struct channel *c, const struct ssh_plan *plan, const struct talk_way *way, struct err *err)
{
	struct pipe_hooks hooks = { .ctx = c, .line = on_line, .ended = on_pipe_ended };
	struct arena words = { 0 };

	if (!is_destination(plan->destination)) {
		err_set(err, "no valid destination for ssh");
		return NULL;
	}
	const char **argv = openssh_argv(plan, way, c->common->timeout_us, &words);
	struct pipe *pipe = pipe_new(c->common->loop, argv, !way->program, &hooks, err);
	free(argv);
	arena_done(&words);
	return pipe;
}

static void begin_channel(struct openssh *s, struct channel *c, bool has_in)
{
	s->channel = c;
	s->common->sessions++;
	c->handles = 2 + has_in;
	c->has_in = has_in;
	c->out.data = c->in.data = c;
	uv_poll_init(s->common->loop, &c->out, pipe_out(c->pipe));
	if (has_in)
		uv_poll_init(s->common->loop, &c->in, pipe_in(c->pipe));
	watch(c);
}

void openssh_open(struct openssh *s, const struct talk_way *way, struct send_filter *guard)
{
	struct channel *c = xcalloc(1, sizeof(*c));
	char why[sizeof(struct err) + 80];
	struct err err;

	drop_channel(s);
	s->guard = guard;
	s->is_in = false;
	s->said[0] = s->last[0] = s->hint[0] = '\0';
	*c = (struct channel){ .session = s, .common = s->common };
	c->pipe = start(c, &s->plan, way, &err);
	if (c->pipe)
		return begin_channel(s, c, !way->program);
	free(c);
	snprintf(why, sizeof(why), "connect: %s; is openssh-client installed?", err.text);
	end(s, SSH_END_REFUSED, why);
}

void openssh_kick(struct openssh *s)
{
	if (!s->is_over && s->channel)
		uv_idle_start(&s->again, on_again);
}

void openssh_hang_up(struct openssh *s)
{
	if (s->channel && !s->channel->has_in)
		shutdown(pipe_in(s->channel->pipe), SHUT_WR);
}

const char *openssh_login(const struct openssh *s)
{
	return s->login;
}

const char *openssh_hostkey(const struct openssh *s)
{
	return s->hostkey;
}
