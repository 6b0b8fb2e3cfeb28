#include "tui/cli/guides.h"
#include "tui/cli/help.h"

#include <ctype.h>

#include "tui/args/exits.h"
#include "tui/cli/command_line.h"
#include "tui/commands/commands.h"
#include "tui/cli/offers.h"

static void option_name(const struct option_row *o, struct buf *out)
{
	if (o->letter)
		buf_printf(out, "-%c, ", o->letter);
	buf_printf(out, "--%s", o->name);
	if (o->arg)
		buf_printf(out, "%s%s", *o->arg == '[' ? "" : " ", o->arg);
}

static void print_option(const struct option_row *o, FILE *out)
{
	struct buf name = { 0 };

	option_name(o, &name);
	fprintf(out, "  %-28s %s\n", name.text, o->help);
	buf_done(&name);
}

static void print_options(FILE *out)
{
	for (size_t i = 0; i < option_count; i++)
		print_option(&option_table[i], out);
	fputs("\nEach has a variable, FABCON_HOST_KEY for --host-key, and a line in config.yaml, host-key: strict;\n"
	      "fabcon config show lists each setting and where it is set.\n", out);
}

/* Those that mean something to the command, and what it may be written as. */
static void print_options_of(const struct cli_command *c, FILE *out)
{
	if (*c->options)
		fputs("\noptions:\n", out);
	for (size_t i = 0; i < option_count; i++)
		if (span_is_among(span_of(option_table[i].name), c->options))
			print_option(&option_table[i], out);
	if (*c->formats)
		fprintf(out, "\n-o takes table (default) or %s here.\n", c->formats);
	fputs("\nfabcon --help lists every option.\n", out);
}

static void print_overview(bool is_long, FILE *out)
{
	fputs("usage: fabcon [OPTIONS] [HOST...] [COMMAND [ARGUMENTS]]\n\n"
	      "The lossless fabric console: reaches GPU nodes and switches over SSH, joins both ends of every cable, and\n"
	      "judges DSCP trust, PFC and ECN. Changes nothing on any device unless you permit it:\napply --rw, or :arm on the "
	      "screens.\n\n", out);
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
	if (is_long)
		print_options_of(c, out);
}

int cmd_help(struct cli *cli)
{
	const struct guide *guide = cli->n_args > 0 ? guide_find(cli->args[0]) : NULL;

	if (guide) {
		guide_print(guide, stdout);
		return EXIT_DONE;
	}
	if (cli->n_args > 0 && !strcmp(cli->args[0], "exit-codes")) {
		exits_print(stdout);
		return EXIT_DONE;
	}
	if (cli->n_args > 0 && !cli_find(cli->args[0]))
		return cli->run(cli, cli->args[0]);	/* says what was meant */
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

/* Completions: the shell hands over the words of the line, and the program says what may come next. */

static const struct {
	const char *shell, *text;
} completion_table[] = {
	{ "bash",
	  "# bash completion of fabcon and fabcon-lab\n"
	  "_fabcon()\n{\n"
	  "\tlocal IFS=$'\\n' line=${COMP_LINE:0:COMP_POINT} words\n"
	  "\tCOMPREPLY=($(\"${COMP_WORDS[0]}\" completion next -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null))\n"
	  "}\n"
	  "_fabcon_lab()\n{\n"
	  "\tlocal IFS=$'\\n'\n"
	  "\tcase ${COMP_WORDS[COMP_CWORD-1]} in\n"
	  "\t--fault|add|clear) \n"
	  "\t\tCOMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" --list-faults 2>/dev/null)\" -- \"${COMP_WORDS[COMP_CWORD]}\")) ;;\n"
	  "\tesac\n"
	  "}\n"
	  "complete -o default -F _fabcon fabcon\n"
	  "complete -o default -F _fabcon_lab fabcon-lab\n" },
	{ "zsh",
	  "#compdef fabcon fabcon-lab\n"
	  "_fabcon()\n{\n"
	  "\tlocal -a offers\n"
	  "\tif [[ $service == fabcon-lab ]]; then\n"
	  "\t\t[[ ${words[CURRENT-1]} == (--fault|add|clear) ]] && offers=(${(f)\"$(${words[1]} --list-faults 2>/dev/null)\"})\n"
	  "\telse\n"
	  "\t\toffers=(${(f)\"$(${words[1]} completion next -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
	  "\tfi\n"
	  "\t(( $#offers )) && compadd -- $offers || _files\n"
	  "}\n"
	  "if [[ $funcstack[1] == _fabcon ]]; then _fabcon \"$@\"; else compdef _fabcon fabcon fabcon-lab; fi\n" },
	{ "fish",
	  "# fish completion of fabcon and fabcon-lab\n"
	  "function __fabcon_next\n"
	  "\tset -l words (commandline -opc)\n"
	  "\t$words[1] completion next -- $words[2..-1] (commandline -ct) 2>/dev/null\n"
	  "end\n"
	  "complete -c fabcon -a '(__fabcon_next)'\n"
	  "complete -c fabcon-lab -l fault -r -a '(fabcon-lab --list-faults 2>/dev/null)'\n"
	  "complete -c fabcon-lab -n '__fish_seen_subcommand_from add clear' -a '(fabcon-lab --list-faults 2>/dev/null)'\n" },
};

static void completion_print(const char *shell, FILE *out)
{
	for (size_t i = 0; i < sizeof(completion_table) / sizeof(*completion_table); i++)
		if (!strcmp(shell, completion_table[i].shell))
			fputs(completion_table[i].text, out);
}

int cmd_completion(struct cli *cli)
{
	const char *shell = cli->args[0];

	if (strcmp(shell, "next") == 0) {
		offers_next((const char *const *)cli->args + 1, (size_t)cli->n_args - 1, stdout);
		return EXIT_DONE;
	}
	if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0 && strcmp(shell, "fish") != 0)
		return complain(EXIT_USAGE, "completions are there for bash, zsh and fish; not \"%s\"", shell);
	completion_print(shell, stdout);
	return EXIT_DONE;
}
