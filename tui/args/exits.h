/* The exit codes; what each means for a person is its row in exits.c. */
#ifndef TUI_ARGS_EXITS_H
#define TUI_ARGS_EXITS_H

#include <stddef.h>
#include <stdio.h>

enum exit_code {
	EXIT_DONE = 0,		/* done, aligned */
	EXIT_FINDINGS = 1,	/* findings at or above --fail-on */
	EXIT_USAGE = 2,
	EXIT_PARTIAL = 3,	/* some targets not read; the result is still printed */
	EXIT_NO_TARGET = 4,	/* none could be read */
	EXIT_INTERNAL = 5,
	EXIT_TAKEN_BACK = 7,	/* change failed; all devices verified back to their previous state */
	EXIT_DOUBT = 8,		/* a device is not proven to be as it was or as planned, or only some were changed */
	EXIT_REFUSED = 9,	/* read-only, stale, locked, not approved: nothing was changed */
	EXIT_RECORDING = 10,	/* damaged or too new */
	EXIT_UNJUDGED = 11,	/* some devices answered, and nothing of them could be judged */
};

struct exit_row {
	int code;
	const char *codes, *words;
};
extern const struct exit_row exit_table[];
extern const size_t exit_count;

void exits_print(FILE *out);

#endif
