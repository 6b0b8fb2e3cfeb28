#include "remote/lab/sonic/click.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_name(const struct tool_call *t, int at, struct buf *out)
{
	for (int i = 0; i < at && i < t->argc; i++)
		buf_printf(out, "%s%s", i ? " " : "", t->argv[i]);
}

int click_refuse(struct tool_call *t, int at, bool is_group, const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	buf_str(t->errors, "Usage: ");
	print_name(t, at, t->errors);
	buf_str(t->errors, is_group ? " [OPTIONS] COMMAND [ARGS]...\nTry \"" : " [OPTIONS] [ARGS]...\nTry \"");
	print_name(t, at, t->errors);
	buf_printf(t->errors, " -h\" for help.\n\nError: %s\n", text);
	return 2;
}

/* A group's name alone: what it consists of. */
static int print_help(struct tool_call *t, int at, const struct click *rows)
{
	buf_str(t->out, "Usage: ");
	print_name(t, at, t->out);
	buf_str(t->out, " [OPTIONS] COMMAND [ARGS]...\n\nOptions:\n  -?, -h, --help  Show this message and exit.\n\nCommands:\n");
	for (; rows->word; rows++)
		if (!rows->is_there || rows->is_there(t->device))
			buf_printf(t->out, "  %s\n", rows->word);
	return 0;
}

/* By its name or its beginning; several: how many begin so, as click lists them. */
static const struct click *find(const struct tool_call *t, const char *word, const struct click *rows, struct buf *several)
{
	const struct click *found = NULL;
	unsigned n = 0;

	for (; rows->word; rows++) {
		if (rows->is_there && !rows->is_there(t->device))
			continue;
		if (is_word(word, rows->word))
			return rows;
		if (strncmp(rows->word, word, strlen(word)))
			continue;
		buf_printf(several, "%s%s", n++ ? ", " : "", rows->word);
		found = rows;
	}
	return n == 1 ? found : NULL;
}

static int run_command(struct tool_call *t, int at, const struct click *row)
{
	bool has_port = false;

	for (int i = at; i < t->argc; i++) {
		const char *word = t->argv[i];

		if (*word == '-' && !span_is_among(span_of(word), row->options))
			return click_refuse(t, at, false, "no such option: %s", word);
		if (*word == '-')
			continue;
		if (!row->takes_port || has_port)
			return click_refuse(t, at, false, "Got unexpected extra argument (%s)", word);
		has_port = true;
	}
	return row->run(t);
}

int click_run(struct tool_call *t, int at, const struct click *rows)
{
	struct buf several = { NULL };
	const struct click *row;
	int status;

	if (t->argc <= at)
		return print_help(t, at, rows);
	if (*t->argv[at] == '-')
		return click_refuse(t, at, true, "no such option: %s", t->argv[at]);
	row = find(t, t->argv[at], rows, &several);
	if (!row && several.n)
		status = click_refuse(t, at, true, "Too many matches: %s", several.text);
	else if (!row)
		status = click_refuse(t, at, true, "No such command \"%s\".", t->argv[at]);
	else if (row->group && !(row->run && (t->argc == at + 1 || *t->argv[at + 1] == '-')))
		status = click_run(t, at + 1, row->group);
	else
		status = run_command(t, at + 1, row);
	buf_done(&several);
	return status;
}
