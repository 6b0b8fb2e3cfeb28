#include "remote/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/runner/node_script.h"

#define SECOND_US	INT64_C(1000000)
#define AFTER_LIMIT_S	30		/* for logging in, for what is printed and for ending */
#define LINGER_MS	3000		/* a server ends by itself when its client has: after that it is ended */
#define WORDS_MAX	40
#define TEXT_MAX	(64u << 10)	/* bytes kept of what one command prints */

/* One end of a test. */
struct end {
	bool is_over;
	int status;
	struct buf text;
};

struct run {
	struct end server, client;
	unsigned port;			/* the server listens; 0: not yet, or never */
	char address[48];		/* of its GID; "": not told */
	bool is_settled;		/* the server listens, or will not */
	bool is_told;
	char why[256];			/* "": nothing went wrong */
};

/* What one session does on one node: all its servers, or all its clients. */
struct side {
	struct runner *runner;
	const char *host;
	bool is_server, is_over;
	struct write_session *session;	/* NULL: not begun */
	struct buf script;
	unsigned limit_s;
	char why[200];			/* the script ended before its tests did */
};

struct runner {
	struct runner_hooks hooks;
	uv_loop_t *loop;
	const struct inventory *inventory;
	struct poller_options options;
	const struct write_permit *permit;
	const struct runner_test *tests;
	size_t n, n_told, n_sides;
	struct run *runs;
	struct side *sides;		/* never moves */
	uv_timer_t linger;
	uv_idle_t tells;
	unsigned handles;
	bool is_freed, is_stopped;
};

static bool is_of(const struct side *s, size_t test)
{
	const struct runner_test *t = &s->runner->tests[test];
	const char *host = s->is_server ? t->server : t->client;

	return host && !strcmp(host, s->host);
}

static struct end *end_of(const struct side *s, size_t test)
{
	return s->is_server ? &s->runner->runs[test].server : &s->runner->runs[test].client;
}

/* -- telling -- */

static void tell(uv_idle_t *idle);

static void tell_soon(struct runner *r)
{
	if (!r->is_freed)
		uv_idle_start(&r->tells, tell);
}

static struct runner_said said(const struct end *e)
{
	return (struct runner_said){ .status = e->is_over ? e->status : -1, .text = buf_span(&e->text) };
}

static bool tell_run(struct runner *r, size_t i)
{
	struct run *run = &r->runs[i];
	struct runner_outcome o = { .server = said(&run->server), .client = said(&run->client), .why = run->why[0] ? run->why : NULL };

	run->is_told = true;
	r->n_told++;
	r->hooks.ended(r->hooks.ctx, i, &o);
	return !r->is_freed;
}

/* A test has ended when both commands have, or when it went wrong. */
static void tell(uv_idle_t *idle)
{
	struct runner *r = idle->data;

	uv_idle_stop(idle);
	for (size_t i = 0; i < r->n; i++) {
		struct run *run = &r->runs[i];

		if (!run->is_told && (run->why[0] || (run->server.is_over && run->client.is_over)) && !tell_run(r, i))
			return;
	}
	if (r->n_told < r->n || !r->hooks.done)
		return;
	for (size_t i = 0; i < r->n_sides; i++)
		if (r->sides[i].session && !r->sides[i].is_over)
			return;
	void (*done)(void *ctx) = r->hooks.done;

	r->hooks.done = NULL;
	done(r->hooks.ctx);
}

/* -- a server that nobody needs any more ends by itself; one that does not is ended, with its session -- */

static bool is_needed(const struct side *s)
{
	const struct runner *r = s->runner;

	for (size_t i = 0; i < r->n; i++)
		if (is_of(s, i) && !r->runs[i].why[0] && !r->runs[i].client.is_over)
			return true;
	return false;
}

static void on_linger(uv_timer_t *timer)
{
	struct runner *r = timer->data;

	for (size_t i = 0; i < r->n_sides; i++) {
		struct side *s = &r->sides[i];

		if (s->session && !s->is_over && s->is_server && !is_needed(s)) {
			snprintf(s->why, sizeof(s->why), "the server did not end after its client, and was ended");
			write_session_end(s->session);
		}
	}
}

static void linger(struct runner *r)
{
	if (!r->is_freed)
		uv_timer_start(&r->linger, on_linger, LINGER_MS, 0);
}

static void fail(struct runner *r, size_t test, const char *host, const char *why)
{
	struct run *run = &r->runs[test];

	size_t n = strlen(host);

	run->is_settled = true;
	if (!run->why[0] && !strncmp(why, host, n) && why[n] == ':')	/* it names the host itself */
		snprintf(run->why, sizeof(run->why), "%s", why);
	else if (!run->why[0])
		snprintf(run->why, sizeof(run->why), "%s: %s", host, why);
	tell_soon(r);
	linger(r);
}

/* -- clients begin when all servers that they need have settled -- */

static void begin_side(struct side *s);

static bool add_words(const struct side *s, size_t test, const char **words, char port[16])
{
	const struct runner_test *t = &s->runner->tests[test];
	size_t n = 0;

	for (const char *const *w = s->is_server ? t->server_words : t->client_words; *w; w++) {
		if (n + 5 >= WORDS_MAX)
			return false;
		words[n++] = *w;
	}
	if (!s->is_server && t->server) {
		snprintf(port, 16, "%u", s->runner->runs[test].port);
		if (t->device && t->client_far)
			words[n++] = t->client_far;
		if (t->device)
			words[n++] = s->runner->runs[test].address;
		words[n++] = "-p";
		words[n++] = port;
	}
	words[n] = NULL;
	return true;
}

/* The tests that are still to be run make its script; false: there is none. */
static bool make_script(struct side *s)
{
	struct runner *r = s->runner;
	struct node_test *tests = xcalloc(r->n, sizeof(*tests));
	const char *(*words)[WORDS_MAX] = xcalloc(r->n, sizeof(*words));
	char (*ports)[16] = xcalloc(r->n, sizeof(*ports));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct runner_test *t = &r->tests[i];

		if (!is_of(s, i) || r->runs[i].why[0])
			continue;
		tests[n] = (struct node_test){ .id = (unsigned)i + 1, .words = words[n], .limit_s = t->limit_s,
					       .port = s->is_server ? t->port : 0, .device = s->is_server ? t->device : t->client_device,
					       .own = s->is_server ? t->server_own : t->client_own,
					       .gid_index = s->is_server ? t->gid_index : t->client_gid_index };
		if (!add_words(s, i, words[n], ports[n])) {
			fail(r, i, s->host, "the command has too many words");
			continue;
		}
		s->limit_s = t->limit_s > s->limit_s ? t->limit_s : s->limit_s;
		n++;
	}
	bool is_made = n && node_script(tests, n, &s->script);

	for (size_t i = 0; i < n && !is_made; i++)
		fail(r, tests[i].id - 1, s->host, "a word of the command, its port or its limit is not allowed");
	free(ports);
	free(words);
	free(tests);
	return is_made;
}

static bool may_begin(const struct side *s)
{
	const struct runner *r = s->runner;

	if (s->session || s->is_over || s->is_server)
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (is_of(s, i) && !r->runs[i].is_settled)
			return false;
	return true;
}

static void settle(struct runner *r)
{
	for (size_t i = 0; i < r->n_sides && !r->is_stopped; i++)
		if (may_begin(&r->sides[i]))
			begin_side(&r->sides[i]);
}

/* -- one session -- */

/* It becomes a word of a command on another node. */
static void take_address(struct run *run, struct span text)
{
	if (text.n < sizeof(run->address) && text.n && strspn(text.p, "0123456789abcdef.:") >= text.n)
		snprintf(run->address, sizeof(run->address), "%.*s", (int)text.n, text.p);
}

static void take_line(struct side *s, struct span line)
{
	struct runner *r = s->runner;
	struct node_line l;
	struct end *e;

	if (!node_line_read(line, &l))
		return;
	if (l.word == NODE_ERROR)
		snprintf(s->why, sizeof(s->why), "%.*s", (int)l.text.n, l.text.p);
	if (!l.id || l.id > r->n || !is_of(s, l.id - 1))
		return;
	e = end_of(s, l.id - 1);
	if (l.word == NODE_ADDRESS && s->is_server) {
		take_address(&r->runs[l.id - 1], l.text);
	} else if (l.word == NODE_LISTENING && s->is_server) {
		r->runs[l.id - 1].port = (unsigned)l.n;
		r->runs[l.id - 1].is_settled = true;
		if (r->tests[l.id - 1].device && !r->runs[l.id - 1].address[0])
			fail(r, l.id - 1, s->host, "the GID has no address");
	} else if (l.word == NODE_OUT && e->text.n < TEXT_MAX) {
		buf_add(&e->text, l.text.p, l.text.n);
		buf_str(&e->text, "\n");
	} else if (l.word == NODE_ENDED) {
		e->is_over = true;
		e->status = (int)l.n;
		if (s->is_server && !r->runs[l.id - 1].port)
			fail(r, l.id - 1, s->host, "the server ended before it listened");
	}
}

static void on_heard(void *ctx, struct span lines)
{
	struct side *s = ctx;
	struct runner *r = s->runner;
	struct span line;

	while (span_line(&lines, &line))
		take_line(s, line);
	settle(r);
	if (!s->is_server)
		linger(r);
	tell_soon(r);
}

/* The session is over: whatever has not ended there has ended now, and how is not known. */
static void close_side(struct side *s, const char *why)
{
	struct runner *r = s->runner;

	s->is_over = true;
	for (size_t i = 0; i < r->n; i++) {
		struct end *e = end_of(s, i);

		if (!is_of(s, i) || e->is_over)
			continue;
		if (s->is_server && r->runs[i].client.is_over) {	/* measured all the same */
			e->is_over = true;
			e->status = -1;
		} else {
			fail(r, i, s->host, s->why[0] ? s->why : why);
		}
	}
	settle(r);
	tell_soon(r);
}

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	struct side *s = ctx;

	(void)hostkey, (void)login;
	if (!p->runs_tests) {
		snprintf(s->why, sizeof(s->why), "%s runs no tests", p->id);
		write_session_end(s->session);
		return;
	}
	write_session_say(s->session, WRITE_TEST, s->script.text, (s->limit_s + AFTER_LIMIT_S) * SECOND_US);
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct side *s = ctx;

	(void)status, (void)output;
	close_side(s, "the script ended before the test did");
	write_session_end(s->session);
}

static void on_ended(void *ctx, const char *why)
{
	struct side *s = ctx;

	close_side(s, why ? why : "ended");
}

static void begin_side(struct side *s)
{
	struct runner *r = s->runner;

	if (!make_script(s)) {
		s->is_over = true;
		return;
	}
	s->session = write_session_new(r->loop, r->inventory, &r->options, NULL, s->host,
				       &(struct write_session_hooks){ .ctx = s, .ready = on_ready, .answered = on_answered, .heard = on_heard,
								      .ended = on_ended });
	write_session_let_test(s->session, r->permit, s->script.text);
}

/* -- the runner -- */

static void add_side(struct runner *r, const char *host, bool is_server)
{
	for (size_t i = 0; i < r->n_sides; i++)
		if (r->sides[i].is_server == is_server && !strcmp(r->sides[i].host, host))
			return;
	r->sides[r->n_sides++] = (struct side){ .runner = r, .host = host, .is_server = is_server };
}

struct runner *runner_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			  const struct write_permit *permit, const struct runner_test *tests, size_t n, const struct runner_hooks *hooks)
{
	struct runner *r = xcalloc(1, sizeof(*r));

	*r = (struct runner){ .hooks = *hooks, .loop = loop, .inventory = inv, .options = *options, .permit = permit, .tests = tests, .n = n };
	r->runs = xcalloc(n ? n : 1, sizeof(*r->runs));
	r->sides = xcalloc(n ? 2 * n : 1, sizeof(*r->sides));
	uv_timer_init(loop, &r->linger);
	uv_idle_init(loop, &r->tells);
	r->linger.data = r->tells.data = r;
	r->handles = 2;
	for (size_t i = 0; i < n; i++) {
		r->runs[i].is_settled = r->runs[i].server.is_over = !tests[i].server;
		if (tests[i].server)
			add_side(r, tests[i].server, true);
	}
	for (size_t i = 0; i < n; i++)
		add_side(r, tests[i].client, false);
	for (size_t i = 0; i < r->n_sides; i++)
		if (r->sides[i].is_server)
			begin_side(&r->sides[i]);
	settle(r);
	tell_soon(r);
	return r;
}

void runner_stop(struct runner *r, const char *why)
{
	r->is_stopped = true;
	for (size_t i = 0; i < r->n; i++)
		if (!r->runs[i].server.is_over || !r->runs[i].client.is_over)
			fail(r, i, r->tests[i].client, why);
	for (size_t i = 0; i < r->n_sides; i++)
		if (r->sides[i].session && !r->sides[i].is_over)
			write_session_end(r->sides[i].session);
}

static void on_closed(uv_handle_t *h)
{
	struct runner *r = h->data;

	if (--r->handles)
		return;
	for (size_t i = 0; i < r->n; i++) {
		buf_done(&r->runs[i].server.text);
		buf_done(&r->runs[i].client.text);
	}
	for (size_t i = 0; i < r->n_sides; i++)
		buf_done(&r->sides[i].script);
	free(r->runs);
	free(r->sides);
	free(r);
}

void runner_free(struct runner *r)
{
	if (!r || r->is_freed)
		return;
	r->is_freed = true;
	for (size_t i = 0; i < r->n_sides; i++)
		write_session_free(r->sides[i].session);
	uv_close((uv_handle_t *)&r->linger, on_closed);
	uv_close((uv_handle_t *)&r->tells, on_closed);
}
