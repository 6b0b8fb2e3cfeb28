/* Help, man pages and completions, made from the tables of commands, options, keys, fields and checks. */
#ifndef TUI_CLI_HELP_H
#define TUI_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* command NULL: the overview. */
void help_print(const char *command, bool is_long, FILE *out);
void completion_print(const char *shell, FILE *out);
/* page: "fabcon.1", "fabcon-policy.5", "fabcon-lab.1"; false when there is none of that name. */
bool man_print(const char *page, FILE *out);

#endif
