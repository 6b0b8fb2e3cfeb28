/*
 * What may be typed next: the candidates that the shells' completions show.
 * All of it is made from the tables; nothing is reached, and no program is run.
 */
#ifndef TUI_CLI_OFFERS_H
#define TUI_CLI_OFFERS_H

#include "tui/args/cli.h"

/* The candidates for the last of these words, as they stand after "fabcon" on a command line; a line each. */
void offers_next(const char *const *words, size_t n, FILE *out);

#endif
