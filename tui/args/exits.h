/* The table of exit codes. */
#ifndef TUI_ARGS_EXITS_H
#define TUI_ARGS_EXITS_H

#include <stddef.h>
#include <stdio.h>

struct exit_row {
	int code;
	const char *codes, *words;
};
extern const struct exit_row exit_table[];
extern const size_t exit_count;

void exits_print(FILE *out);

#endif
