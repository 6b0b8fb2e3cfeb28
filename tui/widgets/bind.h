/*
 * Keys of a person's own choice: what the configuration's "keys:" puts in the place of the key table's. A command that it
 * names has the keys that it names and no others. Keys are words: x ? ctrl-x ^X F5 Space Enter Esc Tab S-Tab Up Down Left
 * Right PgUp PgDn Home End Ins Del Backspace.
 */
#ifndef TUI_WIDGETS_BIND_H
#define TUI_WIDGETS_BIND_H

#include "core/base/err.h"
#include "tui/widgets/keys.h"

#define KEY_CODES 4		/* a command has at most */
#define KEYS_MAX 256		/* rows of the key table */

struct binding {
	bool is_set;
	int codes[KEY_CODES];
	char show[40];		/* "x F7" */
	char from[200];		/* "config.yaml:3" */
};

/* One a row of the key table. */
struct bindings {
	struct binding rows[KEYS_MAX];
};

/* One key by its word, and how it is shown; false when there is none of that name. */
bool key_of_word(struct span word, int *code, char show[12]);

/* "explain" has these keys from now on; none at all when n is 0. from: where that was said, for messages. */
bool bindings_set(struct bindings *b, struct span command, const struct span *words, size_t n, const char *from,
		  struct err *err);
/* Whether they can be used: no key means two things on one screen, and help, cancel, back, ":" and ^C can be reached. */
bool bindings_check(const struct bindings *b, struct err *err);

/* From now on the keys are these (copied); NULL: the key table's. */
void bindings_use(const struct bindings *b);

/* Of a row of the key table, as they are now: whether a code is one of its keys; the keys in words, ":zero" for none. */
bool key_has(const struct key *k, int code);
const char *key_show(const struct key *k);
/* The first of them, for where there is room for one. */
struct span key_brief(const struct key *k);
/* Adds text in which {command} stands for that command's key as it is now: "{devices} shows why". */
void key_text(struct buf *out, const char *text);

#endif
