/*
 * What may be typed next: the candidates that the shells' completions show, and the names that a mistyped one was near to.
 * All of it is made from the tables; nothing is reached, and no program is run.
 */
#ifndef TUI_CLI_OFFERS_H
#define TUI_CLI_OFFERS_H

#include "tui/cli/cli.h"

/* The candidates for the last of these words, as they stand after "fabcon" on a command line; a line each. */
void offers_next(const char *const *words, size_t n, FILE *out);

/* The word of a list ("show path @checks") that is nearest to what was typed; NULL: none is near. Lent until the next call. */
const char *offers_near(const char *list, const char *typed);

/* Whether a list of plain words holds this one. */
bool offers_hold(const char *list, const char *word);

#endif
