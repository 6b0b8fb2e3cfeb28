#include "tui/guides.h"
#include "tui/help.h"

#include <ctype.h>

#include "tui/commands.h"

static void option_name(const struct option_row *o, struct buf *out)
{
	if (o->letter)
		buf_printf(out, "-%c, ", o->letter);
	buf_printf(out, "--%s", o->name);
	if (o->arg)
		buf_printf(out, "%s%s", *o->arg == '[' ? "" : " ", o->arg);
}

static void print_options(FILE *out)
{
	for (size_t i = 0; i < option_count; i++) {
		struct buf name = { 0 };

		option_name(&option_table[i], &name);
		fprintf(out, "  %-28s %s\n", name.text, option_table[i].help);
		buf_done(&name);
	}
	fputs("\nEach has a variable, FABCON_HOST_KEY for --host-key, and a line in config.yaml, host-key: strict;\n"
	      "fabcon config show tells what is set where.\n", out);
}

static void print_overview(bool is_long, FILE *out)
{
	fputs("usage: fabcon [OPTIONS] [COMMAND [ARGUMENTS]]\n\n"
	      "The lossless fabric console: reaches GPU nodes and switches over SSH, joins both ends of every cable, and\n"
	      "judges DSCP trust, PFC and ECN. Changes nothing on any device unless told to:\n"
	      "apply --rw, or :arm on the screens.\n\n", out);
	for (size_t i = 0; i < cli_count; i++)
		fprintf(out, "  %-12s %s\n", cli_table[i].name, cli_table[i].summary);
	fputs("\n", out);
	if (is_long)
		print_options(out);
	fputs("\nexamples:\n"
	      "  fabcon -i gpu.yml                          the console\n"
	      "  fabcon -i gpu.yml check --fail-on warn     for CI\n"
	      "  fabcon replay incident.db --at 14:26       last night\n", out);
	if (!is_long)
		fputs("\n--help shows the options; fabcon help COMMAND one command; fabcon help on-call, technician or\n"
		      "reviewer a way through it.\n", out);
}

void help_print(const char *command, bool is_long, FILE *out)
{
	const struct cli_command *c = command ? cli_find(command) : NULL;

	if (!c) {
		print_overview(is_long, out);
		return;
	}
	fprintf(out, "usage: fabcon [OPTIONS] %s %s\n\n%s.\n", c->name, c->args, c->summary);
	if (c->details)
		fprintf(out, "%s\n", c->details);
	fprintf(out, "\nexample:\n  %s\n", c->example);
	if (is_long) {
		fputs("\noptions:\n", out);
		print_options(out);
	}
}

int cmd_help(struct cli *cli)
{
	const struct guide *guide = cli->n_args > 0 ? guide_find(cli->args[0]) : NULL;

	if (guide) {
		guide_print(guide, stdout);
		return EXIT_DONE;
	}
	if (cli->n_args > 0 && !cli_find(cli->args[0]))
		return cli_run(cli, cli->args[0]);	/* says what was meant */
	help_print(cli->n_args > 0 ? cli->args[0] : NULL, true, stdout);
	return EXIT_DONE;
}

int cmd_version(struct cli *cli)
{
	struct sheet *sheet;

	if (cli->format == SHEET_TABLE) {
		printf("fabcon %s\n", FABCON_VERSION);
		return EXIT_DONE;
	}
	sheet = sheet_new("fabcon.version/1", "program version");
	sheet_row(sheet);
	sheet_text(sheet, "fabcon");
	sheet_text(sheet, FABCON_VERSION);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

/* Completions */

static void words(FILE *out, bool commands)
{
	for (size_t i = 0; commands && i < cli_count; i++)
		fprintf(out, "%s ", cli_table[i].name);
	for (size_t i = 0; !commands && i < option_count; i++)
		fprintf(out, "--%s ", option_table[i].name);
}

static void bash_completion(FILE *out)
{
	fputs("_fabcon()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]}\n\tif [[ $word == -* ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '", out);
	words(out, false);
	fputs("' -- \"$word\"))\n\telse\n\t\tCOMPREPLY=($(compgen -W '", out);
	words(out, true);
	fputs("' -- \"$word\") $(compgen -f -- \"$word\"))\n\tfi\n}\ncomplete -F _fabcon fabcon\n", out);
}

static void fish_completion(FILE *out)
{
	for (size_t i = 0; i < cli_count; i++)
		fprintf(out, "complete -c fabcon -n __fish_use_subcommand -a %s -d \"%s\"\n", cli_table[i].name,
			cli_table[i].summary);
	for (size_t i = 0; i < option_count; i++) {
		fprintf(out, "complete -c fabcon -l %s", option_table[i].name);
		if (option_table[i].letter)
			fprintf(out, " -s %c", option_table[i].letter);
		fprintf(out, "%s -d '%s'\n", option_table[i].arg ? " -r" : "", option_table[i].help);
	}
}

void completion_print(const char *shell, FILE *out)
{
	if (strcmp(shell, "fish") == 0) {
		fish_completion(out);
		return;
	}
	if (strcmp(shell, "zsh") == 0)
		fputs("autoload -U +X bashcompinit && bashcompinit\n", out);
	bash_completion(out);
}

int cmd_completion(struct cli *cli)
{
	const char *shell = cli->args[0];

	if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0 && strcmp(shell, "fish") != 0)
		return complain(EXIT_USAGE, "completions are there for bash, zsh and fish; not \"%s\"", shell);
	completion_print(shell, stdout);
	return EXIT_DONE;
}
