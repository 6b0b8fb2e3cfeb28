/* Help, man pages and completions, made from the tables of commands, options, keys, fields and checks. */
#ifndef TUI_CLI_HELP_H
#define TUI_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* command NULL: the overview. */
void help_print(const char *command, bool is_long, FILE *out);

#endif
