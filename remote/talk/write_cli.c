/*
 * Writing at a switch's command line. A line is typed and its answer read up to the prompt of whatever mode it led to; a
 * script goes through "system bash": echo off, the script in lines that a terminal takes, checked for its length before it
 * is run by /bin/sh between two lines with our nonce, and out again by "exit".
 */
#include "remote/talk/write.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/talk/cli_session.h"
#include "remote/talk/prompt.h"

#define CHUNK_BYTES	360	/* 480 of base64: a terminal's line holds 4095 at most, and some take 512 */
#define NO_SHELL	127	/* as a shell says of a command that is not there */

struct write_cli {
	struct talk_write face;
	char nonce[20];
	struct cli_session session;
	enum {
		AT_ENTRY, AT_REST, AT_LINE,
		AT_SHELL_PROMPT,		/* "system bash" was typed: a shell's prompt, or the switch's words */
		AT_ECHO_OFF,		/* echo is to go off */
		AT_SCRIPT,
		AT_LEAVING,		/* "exit" was typed */
		AT_END,
	} at;
	bool in_config;			/* the prompt shows a mode */
	bool is_due;			/* an answer */
	bool is_marked;			/* the script's first line with the nonce was seen */
	unsigned said;			/* scripts so far: their marks are told apart */
	struct buf script;		/* to be put over */
	struct buf reply;		/* of the script so far */
	char *next;			/* owned: said while we are leaving the shell */
	enum write_kind next_how;
};

static void answered(struct write_cli *t, int status, struct span output)
{
	if (!t->is_due)
		return;
	t->is_due = false;
	t->face.said.answered(t->face.said.ctx, status, output);
}

static void fail(struct write_cli *t, const char *reason)
{
	if (t->at == AT_END)
		return;
	t->at = AT_END;
	t->face.talk.hooks.failed(t->face.talk.hooks.ctx, reason);
}

/* -- a line -- */

/* "% Warning" is none. */
static bool says_error(const struct write_cli *t, struct span text)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_starts(line, t->session.platform->cli->error_prefix))
			return true;
	return false;
}

static void line_answered(struct write_cli *t)
{
	struct span text = cli_session_answer(&t->session, false);
	struct buf kept = { 0 };

	buf_add(&kept, text.p, text.n);
	t->at = AT_REST;
	answered(t, says_error(t, buf_span(&kept)), buf_span(&kept));
	buf_done(&kept);
}

/* -- a script -- */

static void forget(struct write_cli *t)
{
	teletype_clear(&t->session.tty);
	t->session.scanned = t->session.begins = 0;
}

/* Half of the nonce at a time: the echo of the command holds no whole mark. */
static void add_mark(const char *nonce, unsigned said, const char *word, struct buf *out)
{
	buf_printf(out, "printf '\\n@%%s%%s %u %s\\n' %.8s %s", said, word, nonce, nonce + strnlen(nonce, 8));
}

static void add_echo_off(const char *nonce, unsigned said, struct buf *out)
{
	buf_str(out, "stty -echo; unset HISTFILE PROMPT_COMMAND; PS1= PS2=; LC_ALL=C; export LC_ALL; ");
	add_mark(nonce, said, "quiet", out);
	buf_str(out, "\n");
}

static void add_base64(struct span script, struct buf *out)
{
	unsigned char chunk[CHUNK_BYTES * 4 / 3 + 4];

	for (size_t i = 0; i < script.n; i += CHUNK_BYTES) {
		size_t n = script.n - i < CHUNK_BYTES ? script.n - i : CHUNK_BYTES;

		EVP_EncodeBlock(chunk, (const unsigned char *)script.p + i, (int)n);
		buf_printf(out, "%s\n", (const char *)chunk);
	}
}

/* Nothing runs unless all of it has come over: the shell holds it until its last line, and its length must be right. */
static void add_script(const char *nonce, unsigned said, struct span script, struct buf *out)
{
	buf_str(out, "s=$(base64 -d <<'@'\n");
	add_base64(script, out);
	buf_str(out, "@\n)\n");
	add_mark(nonce, said, "begin", out);
	buf_printf(out, "; if [ ${#s} -eq %zu ]; then ", script.n);
	buf_str(out, "/bin/sh -c \"$s\" </dev/null 2>&1; s=$?; else echo 'the script was not transferred completely'; s=126; fi; ");
	buf_str(out, "printf '\\n@%s%s ");
	buf_printf(out, "%u end %%s\\n' %.8s %s \"$s\"\n", said, nonce, nonce + strnlen(nonce, 8));
}

/* $( ) takes line ends off its end there. */
static struct span without_end(struct span script)
{
	while (script.n && script.p[script.n - 1] == '\n')
		script.n--;
	return script;
}

#define INTO_SHELL	"system bash"
#define OUT_OF_SHELL	"stty echo; exit\n"

void talk_write_cli_transcript(const char *nonce, const char *text, struct buf *out)
{
	buf_str(out, INTO_SHELL "\n");
	add_echo_off(nonce, 1, out);
	add_script(nonce, 1, without_end(span_of(text)), out);
	buf_str(out, OUT_OF_SHELL);
}

/* A shell's prompt stands. What we type is not to be shown, nor remembered. */
static void hush(struct write_cli *t)
{
	t->at = AT_ECHO_OFF;
	forget(t);
	add_echo_off(t->nonce, t->said, &t->face.talk.out);
}

static void put_over(struct write_cli *t)
{
	t->at = AT_SCRIPT;
	t->is_marked = false;
	buf_clear(&t->reply);
	forget(t);
	add_script(t->nonce, t->said, buf_span(&t->script), &t->face.talk.out);
}

static void leave_shell(struct write_cli *t)
{
	t->at = AT_LEAVING;
	forget(t);
	buf_str(&t->face.talk.out, OUT_OF_SHELL);
}

static void script_ended(struct write_cli *t, struct span status)
{
	uint64_t n;
	bool is_known = span_u64(status, &n) && n < 256;

	leave_shell(t);
	if (t->reply.n && t->reply.text[t->reply.n - 1] == '\n')
		t->reply.n--;	/* the mark's own line end */
	answered(t, is_known ? (int)n : -1, buf_span(&t->reply));
}

/* What follows our mark in a line of its own, or false. */
static bool take_mark(const struct write_cli *t, struct span line, const char *word, struct span *rest)
{
	char mark[80];

	snprintf(mark, sizeof(mark), "@%s %u %s", t->nonce, t->said, word);
	*rest = line;
	return span_skip(rest, mark);
}

static void keep(struct write_cli *t, struct span line)
{
	if (!t->is_marked || t->reply.n + line.n + 1 > WRITE_OUTPUT_MAX)
		return;
	buf_add(&t->reply, line.p, line.n);
	buf_str(&t->reply, "\n");
}

/* Whole lines are taken off the terminal as they come: a script may print without end. */
static void read_script(struct write_cli *t)
{
	struct teletype *tty = &t->session.tty;
	struct span rest = { tty->text.text, tty->line }, line, tail;

	while (t->at == AT_SCRIPT && rest.n && span_line(&rest, &line)) {
		if (!t->is_marked)
			t->is_marked = take_mark(t, line, "begin", &tail);
		else if (take_mark(t, line, "end ", &tail))
			return script_ended(t, span_trim(tail));
		else
			keep(t, line);
	}
	if (!tty->line)
		return;
	tty->text.n -= tty->line;
	memmove(tty->text.text, tty->text.text + tty->line, tty->text.n + 1);
	tty->line = 0;
}

static void read_hush(struct write_cli *t)
{
	struct span rest = { t->session.tty.text.text, t->session.tty.line }, line, tail;

	while (rest.n && span_line(&rest, &line))
		if (take_mark(t, line, "quiet", &tail))
			return put_over(t);
}

/* -- what stands at the end -- */

static void start(struct write_cli *t, enum write_kind how, const char *text);

static void at_rest_again(struct write_cli *t)
{
	char *next = t->next;

	t->at = AT_REST;
	t->next = NULL;
	if (next)
		start(t, t->next_how, next);
	free(next);
}

static void at_door(struct write_cli *t, struct span tail, struct span name)
{
	if (cli_session_is_answered(&t->session, tail)) {
		struct span text = cli_session_answer(&t->session, false);
		struct buf kept = { 0 };

		buf_add(&kept, text.p, text.n);
		t->at = AT_REST;
		answered(t, NO_SHELL, buf_span(&kept));
		buf_done(&kept);
	} else if (!span_is(name, t->session.name)) {
		hush(t);
	}
}

static void go_in(struct write_cli *t, struct span tail)
{
	const struct cli_session *s = &t->session;
	struct err err;

	switch (cli_session_enter(&t->session, tail, &err)) {
	case CLI_ENTERED:
		t->at = AT_REST;
		t->face.talk.hooks.identified(t->face.talk.hooks.ctx, s->platform, buf_span(&s->login));
		break;
	case CLI_NOT_SPOKEN:
		t->at = AT_END;
		t->face.talk.hooks.identified(t->face.talk.hooks.ctx, s->platform, buf_span(&s->login));
		break;
	case CLI_REFUSED:
		fail(t, err.text);
		break;
	default:
		break;
	}
}

static void prompt_stands(struct write_cli *t, struct span tail, struct span name)
{
	bool is_own = cli_session_is_own_prompt(&t->session, tail);

	if (is_own)
		t->in_config = memchr(tail.p, '(', tail.n) != NULL;
	if (t->at == AT_ENTRY)
		go_in(t, tail);
	else if (t->at == AT_LINE && cli_session_is_answered(&t->session, tail))
		line_answered(t);
	else if (t->at == AT_SHELL_PROMPT)
		at_door(t, tail, name);
	else if (t->at == AT_LEAVING && is_own)
		at_rest_again(t);
}

static void feed(struct talk *talk, struct span bytes)
{
	struct write_cli *t = (struct write_cli *)talk;
	struct span tail, name;
	struct err err;
	char end;

	if (t->at == AT_END)
		return;
	cli_session_feed(&t->session, bytes);
	if (t->at == AT_REST)
		return teletype_clear(&t->session.tty);	/* nobody asked */
	if (t->at == AT_ECHO_OFF)
		return read_hush(t);
	if (t->at == AT_SCRIPT)
		return read_script(t);
	tail = prompt_last(teletype_tail(&t->session.tty));
	if (prompt_shape(tail, &name, &end))
		prompt_stands(t, tail, name);
	else if (cli_session_is_stuck(&t->session, tail, &err))
		fail(t, err.text);
}

/* -- what is said -- */

static void start(struct write_cli *t, enum write_kind how, const char *text)
{
	if (how == WRITE_CLI) {
		t->at = AT_LINE;
		return cli_session_type(&t->session, text);
	}
	t->said++;
	buf_clear(&t->script);
	buf_add(&t->script, text, without_end(span_of(text)).n);
	t->at = AT_SHELL_PROMPT;
	cli_session_type(&t->session, t->in_config ? "do " INTO_SHELL : INTO_SHELL);
}

static void say(struct talk_write *face, enum write_kind how, const char *text)
{
	struct write_cli *t = (struct write_cli *)face;

	assert(!t->is_due && (t->at == AT_REST || t->at == AT_LEAVING || t->at == AT_END));
	assert(how == WRITE_SHELL || !strchr(text, '\n'));
	t->is_due = true;
	if (t->at == AT_END)
		return answered(t, -1, SPAN(""));
	if (t->at == AT_REST)
		return start(t, how, text);
	free(t->next);
	t->next = xstrdup(text);
	t->next_how = how;
}

/* -- the talk's face -- */

static bool ask(struct talk *talk, enum cadence cadence)
{
	(void)talk, (void)cadence;
	return false;
}

static const char *step(const struct talk *talk)
{
	const struct write_cli *t = (const struct write_cli *)talk;

	return t->at == AT_ENTRY ? cli_session_step(&t->session) : NULL;
}

static void timeout(struct talk *talk)
{
	struct write_cli *t = (struct write_cli *)talk;
	struct err err;

	if (t->at != AT_ENTRY)
		return;
	cli_session_too_late(&t->session, &err);
	fail(t, err.text);
}

/* What it had printed of an answer is given, and that nobody knows how it ended. */
static void closed(struct talk *talk)
{
	struct write_cli *t = (struct write_cli *)talk;
	bool in_script = t->at == AT_SCRIPT;
	struct buf kept = { 0 };
	struct span text = in_script ? buf_span(&t->reply) : cli_session_answer(&t->session, true);

	if (text.n)
		buf_add(&kept, text.p, text.n);
	t->at = AT_END;
	answered(t, -1, buf_span(&kept));
	buf_done(&kept);
}

static void done(struct talk *talk)
{
	struct write_cli *t = (struct write_cli *)talk;

	cli_session_done(&t->session);
	buf_done(&t->face.talk.out);
	buf_done(&t->script);
	buf_done(&t->reply);
	free(t->next);
	free(t);
}

static const struct talk_ops ops = {
	.free = done, .feed = feed, .ask = ask, .step = step, .timeout = timeout, .closed = closed,
};

struct talk *talk_write_cli_new(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said)
{
	struct write_cli *t = xcalloc(1, sizeof(*t));

	t->face = (struct talk_write){ .talk = { .ops = &ops, .hooks = *hooks }, .said = *said, .say = say };
	snprintf(t->nonce, sizeof(t->nonce), "%s", nonce);
	cli_session_init(&t->session, &t->face.talk.out);
	t->session.tty.max = TALK_REPLY_MAX;
	return &t->face.talk;
}
