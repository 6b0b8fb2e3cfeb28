#include "tui/args/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/text/fuzzy.h"
#include "tui/text/safe.h"

int complain(int code, const char *format, ...)
{
	struct buf safe = { 0 };
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		mem_is_out();	/* never an end without words */
	va_end(args);
	safe_add(&safe, span_of(text), false);
	fprintf(stderr, "fabcon: %s\n", safe.text ? safe.text : "");
	free(text);
	buf_done(&safe);
	return code;
}

void complain_of_target(struct cli *cli, const char *target, const char *near)
{
	if (near)
		complain(0, "%s: no such device, port or link; did you mean \"%s\"?", target, near);
	else
		complain(0, "%s: no such device, port or link (see fabcon status, fabcon ports)", target);
	cli->n_unfound++;
}

const char *device_near(const struct model *m, const char *target)
{
	char *name = xstrndup(target, strcspn(target, ":"));
	struct fuzzy_nearest nearest = { .typed = name };

	for (size_t i = 0; !model_find_device(m, name) && i < model_devices(m); i++)
		fuzzy_try(&nearest, model_device(m, i)->name);
	free(name);
	return nearest.word;
}

void cli_name(struct cli *cli, const char *source)
{
	char *names = cli->is_named && cli->inventory ? xasprintf("%s\n%s", cli->inventory, source) : xstrdup(source);

	free(cli->names);
	cli->inventory = cli->names = names;
	cli->is_named = true;
}

const char *usual_command(const struct cli *cli)
{
	bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	return is_terminal || (cli->plain && !isatty(STDIN_FILENO)) ? "tui" : "status";
}
