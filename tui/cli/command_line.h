/* The command line, parsed by the two tables, and the command that it names. */
#ifndef TUI_CLI_COMMAND_LINE_H
#define TUI_CLI_COMMAND_LINE_H

#include "tui/args/cli.h"

struct cli_command {
	const char *name, *args, *summary;
	int (*run)(struct cli *cli);
	const char *details;			/* more of the long help */
	const char *example;
	bool needs_args;
	bool any_config;			/* runs whatever is wrong in the configuration */
	const char *options;			/* long names of those that mean something to it */
	const char *formats;			/* that -o takes beside table */
	const char *words;			/* that its arguments may be, "@hosts" standing for a class (tui/cli/offers.h); NULL: none are known */
};
extern const struct cli_command cli_table[];
extern const size_t cli_count;

/* NULL: there is none. */
const struct cli_command *cli_find(const char *name);
/* Parses and runs; the exit code. */
int cli_main(int argc, char **argv);

#endif
