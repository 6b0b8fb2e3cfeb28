/*
 * clish as the switch's own shell has it: "-c COMMAND", and "-B FILE", a file of commands in one session. Whether the real
 * one goes on behind a refused line of a batch is written nowhere; this one does not, which is the harder case.
 */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/cli.h"
#include "remote/lab/os10/os10.h"

#define BATCH_MAX	(256u << 10)

/* A file of the device's own, whole. */
static bool read_own(struct tool_call *t, const char *path, struct buf *text)
{
	char *full = xasprintf("%s/nodes/%s/%s", server_dir(t->server), t->device->name, path);
	FILE *file = *path == '/' && !strstr(path, "..") ? fopen(full, "re") : NULL;
	char bytes[4096];
	size_t n;

	free(full);
	if (!file)
		return false;
	while (text->n < BATCH_MAX && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(text, bytes, n);
	fclose(file);
	return true;
}

/* False: it was refused. */
static bool run_line(struct tool_call *t, struct dell_cli *cli, struct span line)
{
	struct buf answer = { NULL };
	bool no_more, is_refused;

	dell_cli_line(cli, line, &answer, &no_more);
	is_refused = answer.n && !strncmp(answer.text, "% Error", 7);
	buf_add(t->out, answer.text, answer.n);
	buf_done(&answer);
	return !is_refused;
}

static int run_batch(struct tool_call *t, struct dell_cli *cli, const char *path)
{
	struct buf text = { NULL };
	struct span rest, line;

	if (!read_own(t, path, &text)) {
		buf_printf(t->out, "%% Error: %s: No such file or directory\n", path);
		return 1;
	}
	rest = buf_span(&text);
	while (rest.n && span_line(&rest, &line) && run_line(t, cli, span_trim(line)))
		;
	buf_done(&text);
	return 0;
}

int tool_clish(struct tool_call *t)
{
	struct dell_cli cli;
	int status = 0;

	dell_cli_init(&cli, t->server, t->device, "admin");
	buf_str(t->out, "New user admin logged in at session 10\n");
	for (int i = 1; i + 1 < t->argc; i += 2) {
		if (is_word(t->argv[i], "-c"))
			run_line(t, &cli, span_of(t->argv[i + 1]));
		else if (is_word(t->argv[i], "-B"))
			status = run_batch(t, &cli, t->argv[i + 1]);
	}
	buf_str(t->out, "User admin logged out at session 10\n");
	dell_cli_done(&cli);
	return status;
}
