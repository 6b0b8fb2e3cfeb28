#include "remote/lab/os10/cli.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/os10/show.h"
#include "remote/lab/os10/words.h"
#include "remote/lab/server/view.h"
#include "remote/lab/server/write_count.h"

#define LINES_DEFAULT	24
#define UNKNOWN_COMMAND	"% Error: Unrecognized command.\n"

void dell_cli_init(struct dell_cli *cli, struct server *s, struct lab_device *d, const char *user)
{
	*cli = (struct dell_cli){ .server = s, .device = d, .mode = DELL_EXEC, .page_lines = LINES_DEFAULT };
	if (!strcmp(user, "operator"))
		cli->role = DELL_NETOPERATOR;
	else if (!strcmp(user, "netadmin"))
		cli->role = DELL_NETADMIN;
}

void dell_cli_done(struct dell_cli *cli)
{
	dell_config_free(cli->candidate);
	cli->candidate = NULL;
}

/* What lines are typed into. */
static struct dell_config *edited(struct dell_cli *cli)
{
	return cli->candidate ? cli->candidate : dell_of(cli->device);
}

/* A block that somebody else has deleted is left. */
static void leave_dropped_block(struct dell_cli *cli)
{
	if (cli->mode > 0 && (cli->mode >= (int)edited(cli)->n || !edited(cli)->blocks[cli->mode].header))
		cli->mode = 0;
}

void dell_cli_prompt(struct dell_cli *cli, struct buf *out)
{
	leave_dropped_block(cli);
	buf_str(out, cli->device->name);
	if (cli->mode >= 0) {
		buf_str(out, "(");
		dell_prompt(edited(cli), cli->mode, out);
		buf_str(out, ")");
	}
	buf_str(out, "# ");
}

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

/* -- what lasts -- */

/* "copy running-configuration home://NAME": a file of the user's. */
static bool copy_home(struct dell_cli *cli, const char *words)
{
	struct span name = span_of(words);
	struct buf text = { NULL };
	char path[256];

	if (!span_skip(&name, "copy running-configuration home://") || !name.n || span_find(name, "/") || *name.p == '.')
		return false;
	snprintf(path, sizeof(path), "home/admin/%.*s", (int)name.n, name.p);
	dell_config_print(dell_of(cli->device), "", &text);
	view_put(server_dir(cli->server), cli->device, path, text.text);
	buf_done(&text);
	return true;
}

static bool save(struct dell_cli *cli, const char *words)
{
	if (cli->role == DELL_NETOPERATOR)
		return false;
	if (copy_home(cli, words))
		return true;
	if (strcmp(words, "write memory") && strcmp(words, "copy running-configuration startup-configuration") &&
	    strcmp(words, "copy running-config startup-config"))
		return false;
	dell_config_save(dell_of(cli->device));
	return true;
}

/* The running configuration may have changed. */
static void settle(struct dell_cli *cli, struct buf *answer)
{
	if (!write_count_settle(server_writes(cli->server), cli->device))
		buf_str(answer, "% Error: Operation failed.\n");
	leave_dropped_block(cli);
}

/* -- transactions -- */

static void show_diff(struct dell_cli *cli, struct buf *answer)
{
	if (cli->candidate)
		dell_config_print_changed(cli->candidate, dell_of(cli->device), answer);
}

static bool transaction(struct dell_cli *cli, const char *words, struct buf *answer)
{
	if (cli->role == DELL_NETOPERATOR)
		return false;
	if (!strcmp(words, "start transaction")) {
		if (!cli->candidate)
			cli->candidate = dell_config_copy(dell_of(cli->device));
	} else if (!strcmp(words, "show diff candidate-configuration running-configuration")) {
		show_diff(cli, answer);
	} else if (!strcmp(words, "commit") && cli->candidate) {
		dell_config_free(dell_of(cli->device));
		cli->device->own = cli->candidate;
		cli->candidate = NULL;
		settle(cli, answer);
	} else if (!strcmp(words, "discard") && cli->candidate) {
		dell_cli_done(cli);
		cli->mode = cli->mode > 0 ? 0 : cli->mode;
	} else {
		return false;
	}
	return true;
}

/* -- lines -- */

/* "clear counters", of all or "interface ethernet 1/1/1". Whether it asks to confirm is published nowhere: this one does not. */
static bool clear_counters(struct dell_cli *cli, const char *words, struct buf *answer)
{
	struct fabric *f = server_fabric(cli->server);
	struct span rest = span_of(words);
	const struct lab_port *named = NULL;

	if (cli->role == DELL_NETOPERATOR || !span_skip(&rest, "clear counters"))
		return false;
	if (span_skip(&rest, " interface")) {
		rest = span_trim(rest);
		named = rest.n ? fabric_port(f, cli->device, rest) : NULL;
		if (rest.n && !named)
			buf_str(answer, "% Error: Illegal parameter.\n");
	}
	for (unsigned i = 0; i < cli->device->n && (named || !rest.n); i++)
		if (!named || named == &f->ports[cli->device->first + i])
			counters_clear(f, &f->ports[cli->device->first + i]);
	return named || !rest.n || answer->n;
}

static bool is_configure(const char *words)
{
	return !strcmp(words, "configure terminal") || !strcmp(words, "configure");
}

static void exec_command(struct dell_cli *cli, const char *words, struct buf *answer)
{
	unsigned lines;

	if (transaction(cli, words, answer))
		return;
	if (!strncmp(words, "show ", 5)) {
		if (!dell_show(server_fabric(cli->server), cli->device, words + 5, answer))
			buf_str(answer, UNKNOWN_COMMAND);
	} else if (sscanf(words, "terminal length %u", &lines) == 1 && lines <= 512)
		cli->page_lines = lines;
	else if (!strncmp(words, "terminal width ", 15) || save(cli, words) || clear_counters(cli, words, answer))
		return;
	else if (is_configure(words) && cli->role != DELL_NETOPERATOR)
		cli->mode = 0;
	else
		buf_str(answer, UNKNOWN_COMMAND);
}

static void config_command(struct dell_cli *cli, const char *words, struct buf *answer)
{
	int next;

	if (!strncmp(words, "do ", 3) || !strncmp(words, "show ", 5)) {
		exec_command(cli, words + (*words == 'd' ? 3 : 0), answer);
		return;
	}
	if (save(cli, words) || transaction(cli, words, answer))
		return;
	next = dell_config_line(edited(cli), cli->mode, words, answer);
	if (next == DELL_REFUSED)
		return;
	cli->mode = next == DELL_LEAVE ? DELL_EXEC : next;
	if (!cli->candidate)
		settle(cli, answer);
}

static enum dell_next leaves(const struct dell_cli *cli, const char *words)
{
	if (!strcmp(words, "logout") || (cli->mode == DELL_EXEC && !strcmp(words, "exit")))
		return DELL_SAYS_GOODBYE;
	if (!strcmp(words, cli->mode == DELL_EXEC ? "system bash" : "do system bash") && cli->role == DELL_SYSADMIN)
		return DELL_OPENS_SHELL;
	return DELL_GOES_ON;
}

static bool is_error(const struct buf *answer)
{
	return answer->n && !strncmp(answer->text, "% Error", 7);
}

enum dell_next dell_cli_line(struct dell_cli *cli, struct span typed, struct buf *answer, bool *no_more)
{
	struct span head = typed, pipe = { NULL, 0 };
	char words[256], piped[160] = "";
	enum dell_next next;

	*no_more = false;
	if (span_cut(typed, '|', &head, &pipe))
		snprintf(piped, sizeof(piped), "%.*s", (int)pipe.n, pipe.p);
	leave_dropped_block(cli);
	if (!dell_words(head, words, sizeof(words)) || !dell_complete(words, sizeof(words), cli->mode != DELL_EXEC)) {
		buf_str(answer, UNKNOWN_COMMAND);
		return DELL_GOES_ON;
	}
	next = leaves(cli, words);
	if (next != DELL_GOES_ON)
		return next;
	if (cli->mode == DELL_EXEC && *words)
		exec_command(cli, words, answer);
	else if (*words && *words != '!')
		config_command(cli, words, answer);
	/* A line that is refused is refused whole: no filter sees the error. */
	if (*piped && !is_error(answer) && !filter(answer, piped, no_more)) {
		buf_clear(answer);
		buf_str(answer, UNKNOWN_COMMAND);
	}
	return DELL_GOES_ON;
}
