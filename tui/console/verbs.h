/*
 * Commands that take words, at the ":" prompt: "open node3:eth3", "theme light", "filter trust:pcp". Each is a row: what
 * may stand behind it, to be offered while it is typed, and what is done with it.
 */
#ifndef TUI_CONSOLE_VERBS_H
#define TUI_CONSOLE_VERBS_H

#include "tui/console/stage.h"

typedef void (*verb_offer)(void *ctx, const char *word, const char *help);

struct verb {
	enum command command;		/* its name is the key table's */
	const char *takes;		/* "DEVICE[:PORT]" */
	bool is_free;			/* what is offered is not all there is: as typed will do */
	void (*each)(const struct stage *s, const struct view_of *of, verb_offer offer, void *ctx);	/* NULL: none */
	struct intent (*run)(struct stage *s, const struct view_of *of, const char *words);
};

/* NULL: the command takes no words. */
const struct verb *verb_of(enum command command);

#endif
