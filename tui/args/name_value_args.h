/* Arguments of a command as "name=value" words: a row each, so that help, completions and errors say what there is. */
#ifndef TUI_ARGS_NAME_VALUE_ARGS_H
#define TUI_ARGS_NAME_VALUE_ARGS_H

#include "core/base/err.h"
#include "core/base/mem.h"

struct given {
	const char *name;
	const char *usual;	/* the value when it is not said; NULL: it then has none */
	const char *help;
	const char *text;	/* as said, or usual; set by given_read() */
};

/* Rows end with one that has no name. False, and what there is, for a word that is none of them. */
bool given_read(struct given *rows, char **words, int n, struct err *err);
/* A row's text, or NULL. */
const char *given_text(const struct given *rows, const char *name);
/* A quantity: "100G", "150KB", "16KiB", "20%" (0.2), "40m", "55us" (in ns). False, and why, when it is none. */
bool quantity_read(const char *text, double *out, struct err *err);
bool given_number(const struct given *rows, const char *name, double *out, struct err *err);
/* "speed=100G line rate", a line each. */
void given_help(const struct given *rows, struct buf *out);

#endif
