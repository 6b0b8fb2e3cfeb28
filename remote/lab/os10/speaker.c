/*
 * OS10's command line on a terminal: banner, prompt with the mode, echo, pager, configuration that takes effect line by
 * line, and syslog lines that come when they come.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/bash.h"
#include "remote/lab/os10/cli.h"
#include "remote/lab/os10/os10.h"
#include "remote/lab/server/pace.h"
#include "remote/lab/server/spoil.h"

#define LINE_MAX_BYTES	512
#define SYSLOG_EVERY	40	/* commands */

struct session {
	struct lab_channel *channel;
	struct dell_cli cli;
	struct dell_bash *bash;		/* NULL: the command line answers */
	struct buf line;
	struct buf pending;		/* waits for a key at the pager */
	size_t pending_at;
	unsigned commands;
	bool last_was_cr;
	uv_timer_t working;		/* on a command, which takes its time */
	bool is_working;
	struct buf ahead;		/* typed meanwhile */
};

static void put(struct session *session, const char *text, size_t n)
{
	struct buf out = { NULL };

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			buf_str(&out, "\r\n");
		else
			buf_add(&out, &text[i], 1);
	}
	if (out.n)
		lab_write(session->channel, out.text, out.n, false);
	buf_done(&out);
}

static void prompt(struct session *session)
{
	struct buf text = { NULL };
	size_t n;

	dell_cli_prompt(&session->cli, &text);
	n = text.n;
	if (++session->commands % SYSLOG_EVERY == 0)
		buf_printf(&text, "<165>1 2026-11-21T05:00:00.000000+00:00 %s dn_l3_core_services 812 - - "
			   "Node.1-Unit.1:PRI [event], Dell EMC (OS10) %%NTP_SYNCED: clock is synchronised\n", session->channel->device->name);
	put(session, text.text, text.n);
	if (text.n > n)
		put(session, text.text, n);
	buf_done(&text);
}

/* -- pager -- */

static void page_on(struct session *session, unsigned lines)
{
	size_t at = session->pending_at;

	for (; lines && at < session->pending.n; at++)
		lines -= session->pending.text[at] == '\n';
	put(session, session->pending.text + session->pending_at, at - session->pending_at);
	session->pending_at = at;
	if (at < session->pending.n) {
		put(session, "--More--", 8);
		return;
	}
	buf_clear(&session->pending);
	session->pending_at = 0;
	prompt(session);
}

static void page_key(struct session *session, char key)
{
	put(session, "\r        \r", 10);
	if (key == 'q' || key == 3) {
		buf_clear(&session->pending);
		session->pending_at = 0;
		prompt(session);
	} else
		page_on(session, key == '\r' || key == '\n' ? 1 : session->cli.page_lines);
}

/* -- commands -- */

static void give(struct session *session, struct buf *answer, bool no_more)
{
	size_t lines = 0;

	for (size_t i = 0; i < answer->n; i++)
		lines += answer->text[i] == '\n';
	if (!no_more && session->cli.page_lines && lines > session->cli.page_lines) {
		session->pending = *answer;
		*answer = (struct buf){ NULL };
		session->pending_at = 0;
		page_on(session, session->cli.page_lines);
		return;
	}
	if (answer->n)
		put(session, answer->text, answer->n);
	prompt(session);
}

static void shell_ended(struct lab_channel *c)
{
	struct session *session = c->state;

	session->bash = NULL;
	prompt(session);
}

static void open_shell(struct session *session)
{
	session->bash = dell_bash_new(session->channel, shell_ended);
	if (session->bash)
		return;
	put(session, "% Error: No terminal.\n", 22);
	prompt(session);
}

static void run_line(struct session *session)
{
	struct span typed = session->line.n ? buf_span(&session->line) : SPAN("");
	struct buf answer = { NULL };
	bool no_more = false;
	enum dell_next next = dell_cli_line(&session->cli, typed, &answer, &no_more);

	buf_clear(&session->line);
	if (next == DELL_SAYS_GOODBYE) {
		put(session, "Session terminated for user admin on line vty 0 ( 127.0.0.1 )\n", 62);
		lab_end(session->channel, 0);
	} else if (next == DELL_OPENS_SHELL)
		open_shell(session);
	else
		give(session, &answer, no_more);
	buf_done(&answer);
}

/* -- keys -- */

static void take_input(struct session *session, struct span bytes);

static void on_worked(uv_timer_t *timer)
{
	struct session *session = timer->data;
	struct buf ahead = session->ahead;

	session->ahead = (struct buf){ NULL };
	session->is_working = false;
	run_line(session);
	if (!session->bash || ahead.n)
		take_input(session, buf_span(&ahead));
	buf_done(&ahead);
	lab_pump(session->channel);
}

static void work_on_line(struct session *session)
{
	struct lab_channel *c = session->channel;
	struct span typed = session->line.n ? span_trim(buf_span(&session->line)) : SPAN("");
	uint64_t ms = typed.n ? pace_ms(server_fabric(c->server), c->device, typed) + spoil_asked_ms(c->device, typed) : 0;

	if (!ms) {
		run_line(session);
		return;
	}
	session->is_working = true;
	uv_timer_start(&session->working, on_worked, ms, 0);
}

static void key(struct session *session, char c)
{
	bool was_cr = session->last_was_cr;

	session->last_was_cr = c == '\r';
	if (c == '\n' && was_cr)
		return;
	if (session->pending.n) {
		page_key(session, c);
	} else if (c == '\r' || c == '\n') {
		if (session->channel->has_pty)
			put(session, "\n", 1);
		work_on_line(session);
	} else if (c == 3) {
		buf_clear(&session->line);
		put(session, "^C\n", 3);
		prompt(session);
	} else if ((c == 8 || c == 127) && session->line.n) {
		session->line.text[--session->line.n] = '\0';
		put(session, "\b \b", 3);
	} else if (isprint((unsigned char)c) && session->line.n < LINE_MAX_BYTES) {
		buf_add(&session->line, &c, 1);
		if (session->channel->has_pty)
			put(session, &c, 1);
	}
}

static void take_input(struct session *session, struct span bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		if (session->is_working) {
			buf_add(&session->ahead, bytes.p + i, bytes.n - i);
			return;
		}
		if (session->bash)
			return dell_bash_input(session->bash, (struct span){ bytes.p + i, bytes.n - i });
		key(session, bytes.p[i]);
	}
}

static void os10_input(struct lab_channel *channel, struct span bytes)
{
	take_input(channel->state, bytes);
}

/* Only the terminal's shell is documented; a command given to exec is not accepted. */
static bool os10_start(struct lab_channel *channel, const char *command)
{
	struct session *session;
	struct buf text = { NULL };

	if (command)
		return false;
	session = xcalloc(1, sizeof(*session));
	session->channel = channel;
	dell_cli_init(&session->cli, channel->server, channel->device, channel->user);
	channel->state = session;
	uv_timer_init(server_loop(channel->server), &session->working);
	session->working.data = session;
	buf_printf(&text, "Linux %s 5.10.0-22-amd64 #1 SMP Debian 5.10.178-3 x86_64\n"
		   "###############################################################################\n"
		   "# Simulated switch: nothing here is real.\n"
		   "###############################################################################\n",
		   channel->device->name);
	put(session, text.text, text.n);
	buf_done(&text);
	prompt(session);
	return true;
}

static void os10_eof(struct lab_channel *channel)
{
	lab_end(channel, 0);
}

static void free_session(uv_handle_t *timer)
{
	free(timer->data);
}

static void os10_closed(struct lab_channel *channel)
{
	struct session *session = channel->state;

	buf_done(&session->line);
	buf_done(&session->pending);
	dell_cli_done(&session->cli);
	buf_done(&session->ahead);
	if (session->bash)
		dell_bash_close(session->bash);
	uv_close((uv_handle_t *)&session->working, free_session);
}

static void os10_drained(struct lab_channel *channel)
{
	struct session *session = channel->state;

	if (session->bash)
		dell_bash_drained(session->bash);
}

const struct speaker lab_os10_terminal = {
	.start = os10_start, .input = os10_input, .eof = os10_eof, .drained = os10_drained, .closed = os10_closed,
};
