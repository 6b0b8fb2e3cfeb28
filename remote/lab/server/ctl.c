#include "remote/lab/server/ctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "remote/lab/server/pace.h"
#include "remote/lab/server/reboot.h"
#include "remote/lab/server/spawn.h"
#include "remote/lab/server/spoil.h"
#include "remote/lab/server/timers.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/trap.h"
#include "remote/lab/server/view.h"
#include "remote/lab/server/write_count.h"
#include "remote/lab/world/settings.h"

#define QUESTION_MAX	(1u << 20)	/* a patch file may come along */
#define WORDS_MAX	256

struct ctl {
	struct server *server;
	struct faults *faults;
	struct ctl_hooks hooks;
	uv_pipe_t listener;
	char *path;			/* owned */
	struct asker *waiting;		/* for their answers, which take their time */
	struct asker *staying;		/* with tools that go on */
};

struct asker {
	struct ctl *ctl;
	uv_pipe_t pipe;
	uv_timer_t wait;
	uv_write_t write;
	struct buf question, answer;
	char bytes[4096];
	struct asker *next;		/* of those who wait, or stay */
	bool is_waiting;
	bool is_asked;			/* the question is complete */
	struct tool_going *going;	/* owned; NULL: its tool has ended, or is not begun */
	unsigned open;			/* handles */
};

/* -- verbs -- */

struct verb_call {
	struct ctl *ctl;
	char **words;			/* after the verb; NULL-terminated */
	struct buf *out, *errors;
};

static int refuse(struct verb_call *v, const char *why)
{
	buf_printf(v->errors, "fabcon-lab: %s\n", why);
	return 1;
}

static void after_fault(struct ctl *c, struct lab_device *d)
{
	struct fabric *f = server_fabric(c->server);

	write_count_accept(server_writes(c->server));
	job_write_log(f, server_dir(c->server));
	for (size_t i = 0; i < f->n_devices; i++)
		if (!d || d == &f->devices[i]) {
			server_reach(c->server, &f->devices[i]);
			if (f->devices[i].refreshed)
				view_again(f, &f->devices[i], server_dir(c->server));
		}
}

static int verb_fault(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);
	struct lab_device *d = NULL;
	struct err err;

	if (!v->words[0] || !strcmp(v->words[0], "list")) {
		fault_list(v->ctl->faults, f, v->out);
		return 0;
	}
	if (!v->words[1])
		return refuse(v, "fault add|clear NAME[@DEVICE[:PORT]], or fault list");
	if (!strcmp(v->words[0], "add")) {
		if (!fault_add(v->ctl->faults, f, v->words[1], &d, &err))
			return refuse(v, err.text);
	} else if (!strcmp(v->words[0], "clear")) {
		if (!fault_clear(v->ctl->faults, f, v->words[1], &err))
			return refuse(v, err.text);
	} else
		return refuse(v, "fault add|clear|list");
	after_fault(v->ctl, d);
	return 0;
}

static int verb_traffic(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);

	if (!v->words[0])
		buf_printf(v->out, "%s\n", f->traffic);
	else if (!fabric_traffic(f, v->words[0]))
		return refuse(v, "traffic off|ring|incast|all");
	return 0;
}

static int verb_state(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);

	for (size_t i = 0; i < f->n_devices; i++)
		server_take_up(v->ctl->server, &f->devices[i]);
	fabric_dump(f, v->out);
	fault_list(v->ctl->faults, server_fabric(v->ctl->server), v->out);
	return 0;
}

static int verb_sessions(struct verb_call *v)
{
	buf_printf(v->out, "%zu\n", server_sessions(v->ctl->server));
	return 0;
}

/* What may change a device yet without a word more from outside. */
static int verb_busy(struct verb_call *v)
{
	struct server *s = v->ctl->server;
	const struct fabric *f = server_fabric(s);
	unsigned n = spawn_count(server_dir(s), NULL);

	for (size_t i = 0; i < f->n_devices; i++) {
		timers_list(server_timers(s), &f->devices[i], false, v->out);
		if (f->devices[i].is_unreachable)
			buf_printf(v->out, "%s is not reached\n", f->devices[i].name);
	}
	if (n)
		buf_printf(v->out, "%u processes\n", n);
	if (server_sessions(s))
		buf_printf(v->out, "%zu sessions\n", server_sessions(s));
	return 0;
}

static struct lab_device *named(struct verb_call *v)
{
	struct lab_device *d = v->words[0] ? fabric_device(server_fabric(v->ctl->server), span_of(v->words[0])) : NULL;

	if (!d)
		refuse(v, "which device?");
	return d;
}

static int verb_trap(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);
	struct err err;

	if (!v->words[0] || !strcmp(v->words[0], "list"))
		trap_list(f, v->out);
	else if (!strcmp(v->words[0], "clear"))
		trap_clear(f);
	else if (!trap_set(f, v->words[0], v->words[1], &err))
		return refuse(v, err.text);
	return 0;
}

static int verb_reboot(struct verb_call *v)
{
	struct lab_device *d = named(v);
	uint64_t down_ms = REBOOT_MS;

	if (!d)
		return 1;
	if (v->words[1] && (!span_u64(span_of(v->words[1]), &down_ms) || down_ms > 600000))
		return refuse(v, "reboot DEVICE [MILLISECONDS]");
	reboot_device(v->ctl->server, d, down_ms);
	return 0;
}

/* The timers of its systemd expire now, not in their time. */
static int verb_elapse(struct verb_call *v)
{
	struct lab_device *d = named(v);

	if (!d)
		return 1;
	buf_printf(v->out, "%u\n", timers_elapse(server_timers(v->ctl->server), d));
	return 0;
}

/* Counters begin again, of a port or of all: a clear command, or a driver loaded anew. */
static int verb_clear(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);
	struct lab_device *d = named(v);
	struct lab_port *p = d && v->words[1] ? fabric_port(f, d, span_of(v->words[1])) : NULL;

	if (!d)
		return 1;
	if (v->words[1] && !p)
		return refuse(v, "clear DEVICE [PORT]");
	for (unsigned i = 0; i < d->n; i++)
		if (!p || p == &f->ports[d->first + i])
			counters_clear(f, &f->ports[d->first + i]);
	if (d->refreshed)
		view_counters(f, d, server_dir(v->ctl->server));
	return 0;
}

static int verb_spoil(struct verb_call *v)
{
	struct lab_device *d = named(v);
	uint64_t n = 1;

	if (!d)
		return 1;
	if (!v->words[1] || !v->words[2] || (v->words[3] && (!span_u64(span_of(v->words[3]), &n) || n > 1000000)) ||
	    !spoil_next(d, v->words[1], v->words[2], (unsigned)n))
		return refuse(v, "spoil DEVICE cut|busy|hang|slow TOOL [N]");
	return 0;
}

/* Of sessions that are there, channels that are open stay. */
static int verb_channels(struct verb_call *v)
{
	struct lab_device *d = named(v);
	uint64_t n;

	if (!d)
		return 1;
	if (!v->words[1] || !span_u64(span_of(v->words[1]), &n) || n > 1000)
		return refuse(v, "channels DEVICE N");
	d->channels_max = (unsigned)n;
	return 0;
}

static int verb_writes(struct verb_call *v)
{
	struct lab_device *d = named(v);

	if (!d)
		return 1;
	buf_printf(v->out, "%llu\n", (unsigned long long)write_count_count(server_writes(v->ctl->server), d));
	return 0;
}

/* What was written to a file of its a moment ago counts. */
static int verb_setup(struct verb_call *v)
{
	struct fabric *f = server_fabric(v->ctl->server);
	struct lab_device *d = named(v);

	if (!d)
		return 1;
	server_take_up(v->ctl->server, d);
	setup_print(f, d, v->words[1] && !strcmp(v->words[1], "saved"), v->out);
	return 0;
}

/* From now on the device keeps login records. */
static int verb_login(struct verb_call *v)
{
	struct lab_device *d = named(v);
	const char *dir = server_dir(v->ctl->server);

	if (!d)
		return 1;
	if (!v->words[1] || !v->words[2] || d->n_logins == sizeof(d->logins) / sizeof(*d->logins))
		return refuse(v, "login DEVICE USER FROM, eight times at most");
	struct lab_login *l = &d->logins[d->n_logins++];

	snprintf(l->user, sizeof(l->user), "%s", v->words[1]);
	snprintf(l->from, sizeof(l->from), "%s", v->words[2]);
	l->since_s = (int64_t)time(NULL);
	l->until_s = 0;
	view_put(dir, d, "run/utmp", "");
	view_put(dir, d, "var/log/wtmp", "");
	return 0;
}

static int verb_logout(struct verb_call *v)
{
	struct lab_device *d = named(v);

	if (!d)
		return 1;
	for (unsigned i = d->n_logins; v->words[1] && i-- > 0;)
		if (!strcmp(d->logins[i].user, v->words[1]) && !d->logins[i].until_s) {
			d->logins[i].until_s = (int64_t)time(NULL);
			return 0;
		}
	return refuse(v, "logout DEVICE USER, who is logged in");
}

static int run_tool(struct ctl *c, const char *node, struct tool_call *t);

/* Somebody else is at work there, not over SSH. */
static int verb_do(struct verb_call *v)
{
	int n = 0;

	while (v->words[n])
		n++;
	if (n < 2)
		return refuse(v, "do DEVICE TOOL [ARGUMENT]...");
	struct tool_call t = { .argc = n - 1, .argv = v->words + 1, .out = v->out, .errors = v->errors };
	int status = run_tool(v->ctl, v->words[0], &t);

	if (!t.going)
		return status;
	t.going->free(t.going);
	return refuse(v, "do is not for tools that go on");
}

static int verb_stop(struct verb_call *v)
{
	v->ctl->hooks.stop(v->ctl->hooks.ctx);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct verb_call *v);
} verbs[] = {
	{ "fault", verb_fault }, { "traffic", verb_traffic }, { "state", verb_state }, { "sessions", verb_sessions },
	{ "do", verb_do }, { "trap", verb_trap }, { "reboot", verb_reboot }, { "elapse", verb_elapse }, { "clear", verb_clear },
	{ "spoil", verb_spoil },
	{ "channels", verb_channels }, { "writes", verb_writes },
	{ "login", verb_login }, { "logout", verb_logout },
	{ "setup", verb_setup }, { "busy", verb_busy }, { "stop", verb_stop },
};

static int run_verb(struct verb_call *v)
{
	for (size_t i = 0; v->words[0] && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(v->words[0], verbs[i].name)) {
			v->words++;
			return verbs[i].run(v);
		}
	return refuse(v, "fault add|clear|list, trap KIND@DEVICE [N]|clear|list, reboot DEVICE [MS], elapse DEVICE, clear DEVICE [PORT], "
		      "spoil DEVICE cut|busy|hang|slow TOOL [N], channels DEVICE N, writes DEVICE, login DEVICE USER FROM, logout DEVICE USER, "
		      "setup DEVICE [saved], do DEVICE TOOL [ARGUMENT]..., traffic PATTERN, state, sessions, busy, stop");
}

static int run_tool(struct ctl *c, const char *node, struct tool_call *t)
{
	struct fabric *f = server_fabric(c->server);
	struct lab_device *d = fabric_device(f, span_of(node));
	int status;

	if (!d)
		return 127;
	t->fabric = f;
	t->device = d;
	t->server = c->server;
	/* The script may have written to a setting's file a moment ago. */
	server_take_up(c->server, d);
	status = tool_run(t);
	if (t->is_changed && !write_count_settle(server_writes(c->server), d)) {
		buf_clear(t->out);
		buf_printf(t->errors, d->trap.has_lost_tools ? "%s: command not found\n" : "%s: Operation not permitted\n", t->argv[0]);
		status = d->trap.has_lost_tools ? 127 : 1;
	} else if (d->trap.has_misread && !strcmp(t->argv[0], "dcb")) {
		buf_str(t->errors, "Attribute write: Protocol error\n");
		status = 1;
		d->trap.has_misread = false;
	}
	/* A kernel tells the link that a driver has taken down before the tool returns, not at the next tick. */
	if (t->is_changed && d->refreshed)
		view_again(f, d, server_dir(c->server));
	return t->is_changed || t->going ? status : spoil_reply(f, d, t->argv[0], status, t->out, t->errors);
}

/* -- the socket -- */

static void on_asker_closed(uv_handle_t *handle)
{
	struct asker *a = handle->data;

	if (--a->open)
		return;
	buf_done(&a->question);
	buf_done(&a->answer);
	free(a);
}

static void wait_no_more(struct asker *a)
{
	struct asker **at = &a->ctl->waiting;

	while (a->is_waiting && *at != a)
		at = &(*at)->next;
	if (a->is_waiting)
		*at = a->next;
	a->is_waiting = false;
}

static void stay_no_more(struct asker *a)
{
	struct asker **at = &a->ctl->staying;

	if (!a->going)
		return;
	while (*at != a)
		at = &(*at)->next;
	*at = a->next;
	a->going->free(a->going);
	a->going = NULL;
}

static void asker_close(struct asker *a)
{
	if (uv_is_closing((uv_handle_t *)&a->pipe))
		return;
	wait_no_more(a);
	stay_no_more(a);
	uv_close((uv_handle_t *)&a->pipe, on_asker_closed);
	uv_close((uv_handle_t *)&a->wait, on_asker_closed);
}

static void on_answered(uv_write_t *request, int status)
{
	(void)status;
	asker_close(request->data);
}

static int read_words(const struct asker *a, char *words[WORDS_MAX + 1])
{
	struct span rest = buf_span(&a->question);
	int n = 0;

	while (rest.n && n < WORDS_MAX) {
		words[n++] = (char *)rest.p;
		size_t used = strlen(rest.p) + 1;

		rest.p += used;
		rest.n -= used < rest.n ? used : rest.n;
	}
	words[n] = NULL;
	return n;
}

/* "tool NODE" by root, "user NODE" by who is not. */
static bool is_tool(const char *first)
{
	return !strncmp(first, "tool ", 5) || !strncmp(first, "user ", 5);
}

static void reply(struct asker *a, int status, const struct buf *out, const struct buf *errors)
{
	uv_buf_t bytes;

	buf_printf(&a->answer, "%d %zu\n", status, out->n);
	buf_add(&a->answer, out->text ? out->text : "", out->n);
	buf_add(&a->answer, errors->text ? errors->text : "", errors->n);
	bytes = uv_buf_init(a->answer.text, a->answer.n);
	a->write.data = a;
	if (uv_write(&a->write, (uv_stream_t *)&a->pipe, &bytes, 1, on_answered))
		asker_close(a);
}

static int pid_of(const struct asker *a)
{
	struct ucred who = { 0 };
	socklen_t n = sizeof(who);
	uv_os_fd_t fd;

	if (uv_fileno((const uv_handle_t *)&a->pipe, &fd) || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n))
		return 0;
	return who.pid;
}

static void stay(struct asker *a, struct tool_going *going)
{
	a->going = going;
	a->next = a->ctl->staying;
	a->ctl->staying = a;
}

static void answer(struct asker *a)
{
	struct buf out = { NULL }, errors = { NULL };
	char *words[WORDS_MAX + 1];
	int n = read_words(a, words), status = 127;
	struct tool_call t = { .argc = n - 1, .argv = words + 1, .out = &out, .errors = &errors, .pid = pid_of(a) };

	t.is_user = n && *words[0] == 'u';
	if (n && !strcmp(words[0], "ctl"))
		status = run_verb(&(struct verb_call){ a->ctl, words + 1, &out, &errors });
	else if (n > 1 && is_tool(words[0]))
		status = run_tool(a->ctl, words[0] + 5, &t);
	if (t.going)
		stay(a, t.going);
	else
		reply(a, status, &out, &errors);
	buf_done(&out);
	buf_done(&errors);
}

void ctl_tick(struct ctl *c)
{
	for (struct asker *a = c->staying, *next; a; a = next) {
		next = a->next;
		if (!a->going->step(a->going))
			continue;
		reply(a, a->going->status, &a->going->out, &a->going->errors);
		stay_no_more(a);
	}
}

static void on_waited(uv_timer_t *timer)
{
	struct asker *a = timer->data;

	wait_no_more(a);
	answer(a);
}

/* A tool of a device takes its time, and then says how things are at its end. */
static void answer_in_time(struct asker *a)
{
	struct fabric *f = server_fabric(a->ctl->server);
	char *words[WORDS_MAX + 1];
	int n = read_words(a, words);
	struct lab_device *d = n > 1 && is_tool(words[0]) ? fabric_device(f, span_of(words[0] + 5)) : NULL;
	struct buf line = { NULL };
	uint64_t ms = 0;

	a->is_asked = true;
	for (int i = 1; d && i < n; i++)
		buf_printf(&line, "%s%s", i > 1 ? " " : "", words[i]);
	if (d)
		ms = pace_ms(f, d, buf_span(&line)) + spoil_ms(f, d) + spoil_asked_ms(d, buf_span(&line));
	buf_done(&line);
	if (!ms) {
		answer(a);
		return;
	}
	a->is_waiting = true;
	a->next = a->ctl->waiting;
	a->ctl->waiting = a;
	uv_timer_start(&a->wait, on_waited, ms, 0);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct asker *a = handle->data;

	(void)suggested;
	*buf = uv_buf_init(a->bytes, sizeof(a->bytes));
}

/* The word that says so is taken off. */
static bool ends_with_stays(struct buf *question)
{
	static const char end[] = "\0" CTL_STAYS;

	if (question->n < sizeof(end) || memcmp(question->text + question->n - sizeof(end), end, sizeof(end)))
		return false;
	question->n -= sizeof(CTL_STAYS);
	return true;
}

static void on_question(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct asker *a = stream->data;

	if (n > 0 && !a->is_asked && a->question.n + n <= QUESTION_MAX) {
		buf_add(&a->question, buf->base, n);
		if (ends_with_stays(&a->question))
			answer_in_time(a);
		return;
	}
	if (n == 0)
		return;
	uv_read_stop(stream);
	if (n == UV_EOF && !a->is_asked)
		answer_in_time(a);
	else
		asker_close(a);
}

static void on_asker(uv_stream_t *listener, int status)
{
	struct ctl *c = listener->data;
	struct asker *a;

	if (status)
		return;
	a = xcalloc(1, sizeof(*a));
	a->ctl = c;
	a->pipe.data = a->wait.data = a;
	a->open = 2;
	uv_pipe_init(server_loop(c->server), &a->pipe, 0);
	uv_timer_init(server_loop(c->server), &a->wait);
	if (uv_accept(listener, (uv_stream_t *)&a->pipe))
		asker_close(a);
	else
		uv_read_start((uv_stream_t *)&a->pipe, on_room, on_question);
}

struct ctl *ctl_new(struct server *s, struct faults *faults, const struct ctl_hooks *hooks, struct err *err)
{
	struct ctl *c = xcalloc(1, sizeof(*c));
	int done;

	c->server = s;
	c->faults = faults;
	c->hooks = *hooks;
	c->path = xasprintf("%s/ctl.sock", server_dir(s));
	c->listener.data = c;
	uv_pipe_init(server_loop(s), &c->listener, 0);
	unlink(c->path);
	done = uv_pipe_bind(&c->listener, c->path);
	if (!done)
		done = uv_listen((uv_stream_t *)&c->listener, 512, on_asker);
	if (done)
		err_set(err, "%s: %s", c->path, uv_strerror(done));
	if (!done)
		return c;
	ctl_stop(c);
	return NULL;
}

void ctl_stop(struct ctl *c)
{
	while (c && c->waiting)
		asker_close(c->waiting);
	while (c && c->staying)
		asker_close(c->staying);
	if (c && !uv_is_closing((uv_handle_t *)&c->listener))
		uv_close((uv_handle_t *)&c->listener, NULL);
}

void ctl_free(struct ctl *c)
{
	if (!c)
		return;
	free(c->path);
	free(c);
}
