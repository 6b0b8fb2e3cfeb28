/* Arguments of a command as "name=value" words: a row each, so that help, completions and errors say what there is. */
#ifndef TUI_ARGS_NAME_VALUE_ARGS_H
#define TUI_ARGS_NAME_VALUE_ARGS_H

#include "core/base/err.h"
#include "core/base/mem.h"

struct name_value {
	const char *name;
	const char *usual;	/* the value when it is not said; NULL: it then has none */
	const char *help;
	const char *text;	/* as said, or usual; set by name_value_read() */
};

/* Rows end with one that has no name. False, and what there is, for a word that is none of them. */
bool name_value_read(struct name_value *rows, char **words, int n, struct err *err);
/* A row's text, or NULL. */
const char *name_value_text(const struct name_value *rows, const char *name);
bool name_value_number(const struct name_value *rows, const char *name, double *out, struct err *err);
/* "speed=100G line rate", a line each. */
void name_value_help(const struct name_value *rows, struct buf *out);

#endif
