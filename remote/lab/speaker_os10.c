/*
 * OS10's command line on a terminal: banner, prompt with the mode, echo, pager, configuration that takes effect line by
 * line, and syslog lines that come when they come.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/dell_config.h"
#include "remote/lab/dell_show.h"
#include "remote/lab/speakers.h"

#define EXEC_MODE	(-1)
#define LINE_MAX_BYTES	512
#define LINES_DEFAULT	24
#define SYSLOG_EVERY	40	/* commands */

struct cli {
	struct lab_channel *channel;
	struct buf line;
	int mode;			/* EXEC_MODE, or the configuration block one is in */
	unsigned page_lines;		/* 0: no pager */
	struct buf pending;		/* waits for a key at the pager */
	size_t pending_at;
	unsigned commands;
	bool last_was_cr;
};

static void put(struct cli *cli, const char *text, size_t n)
{
	struct buf out = { NULL };

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			buf_str(&out, "\r\n");
		else
			buf_add(&out, &text[i], 1);
	}
	if (out.n)
		lab_write(cli->channel, out.text, out.n, false);
	buf_done(&out);
}

static void prompt(struct cli *cli)
{
	struct lab_device *d = cli->channel->device;
	struct buf text = { NULL };
	size_t n;

	buf_printf(&text, "%s", d->name);
	if (cli->mode >= 0) {
		buf_str(&text, "(");
		dell_prompt(d->dell, cli->mode, &text);
		buf_str(&text, ")");
	}
	buf_str(&text, "# ");
	n = text.n;
	if (++cli->commands % SYSLOG_EVERY == 0)
		buf_printf(&text, "<165>1 2026-11-21T05:00:00.000000+00:00 %s dn_l3_core_services 812 - - "
			   "Node.1-Unit.1:PRI [event], Dell EMC (OS10) %%NTP_SYNCED: clock is synchronised\n", d->name);
	put(cli, text.text, text.n);
	if (text.n > n)
		put(cli, text.text, n);
	buf_done(&text);
}

/* ---- pager ---- */

static void page_on(struct cli *cli, unsigned lines)
{
	size_t at = cli->pending_at;

	for (; lines && at < cli->pending.n; at++)
		lines -= cli->pending.text[at] == '\n';
	put(cli, cli->pending.text + cli->pending_at, at - cli->pending_at);
	cli->pending_at = at;
	if (at < cli->pending.n) {
		put(cli, "--More--", 8);
		return;
	}
	buf_clear(&cli->pending);
	cli->pending_at = 0;
	prompt(cli);
}

static void page_key(struct cli *cli, char key)
{
	put(cli, "\r        \r", 10);
	if (key == 'q' || key == 3) {
		buf_clear(&cli->pending);
		cli->pending_at = 0;
		prompt(cli);
	} else
		page_on(cli, key == '\r' || key == '\n' ? 1 : cli->page_lines);
}

/* ---- commands ---- */

/* "| grep WORD", "| except WORD", "| find WORD": which lines are left; "| no-more": no pager for this one. */
static bool filter(struct buf *text, const char *pipe, bool *no_more)
{
	struct buf kept = { NULL };
	struct span rest = buf_span(text), line;
	char verb[16], word[128] = "";
	bool has_begun = false;
	int n = sscanf(pipe, "%15s %127[^\n]", verb, word);

	if (n >= 1 && !strcmp(verb, "no-more")) {
		*no_more = true;
		return true;
	}
	if (n < 2 || (strcmp(verb, "grep") && strcmp(verb, "except") && strcmp(verb, "find")))
		return false;
	while (span_line(&rest, &line)) {
		bool is_hit = span_find(line, word) != NULL;

		has_begun = has_begun || is_hit;
		if (!strcmp(verb, "grep") ? is_hit : !strcmp(verb, "find") ? has_begun : !is_hit)
			buf_printf(&kept, "%.*s\n", (int)line.n, line.p);
	}
	buf_done(text);
	*text = kept;
	return true;
}

static bool save(struct cli *cli, const char *words)
{
	if (strcmp(words, "write memory") && strcmp(words, "copy running-configuration startup-configuration") &&
	    strcmp(words, "copy running-config startup-config"))
		return false;
	dell_config_save(cli->channel->device->dell);
	return true;
}

static void exec_command(struct cli *cli, const char *words, struct buf *answer)
{
	struct fabric *f = server_fabric(cli->channel->server);
	unsigned lines;

	if (!strncmp(words, "show ", 5)) {
		if (!dell_show(f, cli->channel->device, words + 5, answer))
			buf_str(answer, "% Error: Unrecognized command.\n");
	} else if (sscanf(words, "terminal length %u", &lines) == 1 && lines <= 512)
		cli->page_lines = lines;
	else if (!strncmp(words, "terminal width ", 15) || save(cli, words))
		return;
	else if (!strcmp(words, "configure terminal") || !strcmp(words, "configure") || !strcmp(words, "conf t"))
		cli->mode = 0;
	else
		buf_str(answer, "% Error: Unrecognized command.\n");
}

static void config_command(struct cli *cli, const char *words, struct buf *answer)
{
	struct lab_device *d = cli->channel->device;
	int next;

	if (!strncmp(words, "do ", 3) || !strncmp(words, "show ", 5)) {
		exec_command(cli, words + (*words == 'd' ? 3 : 0), answer);
		return;
	}
	if (save(cli, words))
		return;
	next = dell_config_line(d->dell, cli->mode, words, answer);
	if (next == DELL_REFUSED)
		return;
	cli->mode = next == DELL_LEAVE ? EXEC_MODE : next;
	fabric_refresh(server_fabric(cli->channel->server), d);
}

/* A block that somebody else has deleted is left. */
static void leave_dropped_block(struct cli *cli)
{
	const struct dell_config *c = cli->channel->device->dell;

	if (cli->mode > 0 && !c->blocks[cli->mode].header)
		cli->mode = 0;
}

static void give(struct cli *cli, struct buf *answer, bool no_more)
{
	size_t lines = 0;

	for (size_t i = 0; i < answer->n; i++)
		lines += answer->text[i] == '\n';
	if (!no_more && cli->page_lines && lines > cli->page_lines) {
		cli->pending = *answer;
		*answer = (struct buf){ NULL };
		cli->pending_at = 0;
		page_on(cli, cli->page_lines);
		return;
	}
	if (answer->n)
		put(cli, answer->text, answer->n);
	prompt(cli);
}

static bool is_goodbye(struct cli *cli, const char *words)
{
	return !strcmp(words, "logout") || (cli->mode == EXEC_MODE && !strcmp(words, "exit"));
}

static void run_line(struct cli *cli)
{
	struct span typed = cli->line.n ? buf_span(&cli->line) : SPAN(""), head = typed, pipe = { NULL, 0 };
	struct buf answer = { NULL };
	char words[256], piped[160] = "";
	bool no_more = false;

	if (span_cut(typed, '|', &head, &pipe))
		snprintf(piped, sizeof(piped), "%.*s", (int)pipe.n, pipe.p);
	leave_dropped_block(cli);
	if (!dell_words(head, words, sizeof(words)))
		buf_str(&answer, "% Error: Unrecognized command.\n");
	else if (is_goodbye(cli, words)) {
		put(cli, "Session terminated for user admin on line vty 0 ( 127.0.0.1 )\n", 62);
		lab_end(cli->channel, 0);
		buf_clear(&cli->line);
		return;
	} else if (cli->mode == EXEC_MODE && *words)
		exec_command(cli, words, &answer);
	else if (*words && *words != '!')
		config_command(cli, words, &answer);
	if (*piped && !filter(&answer, piped, &no_more)) {
		buf_clear(&answer);
		buf_str(&answer, "% Error: Unrecognized command.\n");
	}
	buf_clear(&cli->line);
	give(cli, &answer, no_more);
	buf_done(&answer);
}

/* ---- keys ---- */

static void key(struct cli *cli, char c)
{
	bool was_cr = cli->last_was_cr;

	cli->last_was_cr = c == '\r';
	if (c == '\n' && was_cr)
		return;
	if (cli->pending.n) {
		page_key(cli, c);
	} else if (c == '\r' || c == '\n') {
		if (cli->channel->has_pty)
			put(cli, "\n", 1);
		run_line(cli);
	} else if (c == 3) {
		buf_clear(&cli->line);
		put(cli, "^C\n", 3);
		prompt(cli);
	} else if ((c == 8 || c == 127) && cli->line.n) {
		cli->line.text[--cli->line.n] = '\0';
		put(cli, "\b \b", 3);
	} else if (isprint((unsigned char)c) && cli->line.n < LINE_MAX_BYTES) {
		buf_add(&cli->line, &c, 1);
		if (cli->channel->has_pty)
			put(cli, &c, 1);
	}
}

static void os10_input(struct lab_channel *channel, struct span bytes)
{
	struct cli *cli = channel->state;

	for (size_t i = 0; i < bytes.n; i++)
		key(cli, bytes.p[i]);
}

/* Only the terminal's shell is documented; a command given to exec is not accepted. */
static bool os10_start(struct lab_channel *channel, const char *command)
{
	struct cli *cli;
	struct buf text = { NULL };

	if (command)
		return false;
	cli = xcalloc(1, sizeof(*cli));
	cli->channel = channel;
	cli->mode = EXEC_MODE;
	cli->page_lines = LINES_DEFAULT;
	channel->state = cli;
	buf_printf(&text, "Linux %s 5.10.0-22-amd64 #1 SMP Debian 5.10.178-3 x86_64\n"
		   "###############################################################################\n"
		   "# Simulated switch: nothing here is real.\n"
		   "###############################################################################\n",
		   channel->device->name);
	put(cli, text.text, text.n);
	buf_done(&text);
	prompt(cli);
	return true;
}

static void os10_eof(struct lab_channel *channel)
{
	lab_end(channel, 0);
}

static void os10_closed(struct lab_channel *channel)
{
	struct cli *cli = channel->state;

	buf_done(&cli->line);
	buf_done(&cli->pending);
	free(cli);
}

const struct speaker speaker_os10 = {
	.start = os10_start, .input = os10_input, .eof = os10_eof, .closed = os10_closed,
};
