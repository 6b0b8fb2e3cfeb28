/*
 * What only a person can answer (a password, an unknown host key, a yes to a list of changes), in the order it was asked. The
 * first is on the screen; it says its host, and keys typed before it was drawn are no answer to it.
 */
#ifndef TUI_CONSOLE_QUESTIONS_H
#define TUI_CONSOLE_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/widgets/typing.h"

struct asked {
	unsigned id;
	char *host, *text;	/* owned */
	bool is_secret, is_yes_no;
	char *lines;		/* owned: what the yes is for, a line each; or NULL */
	size_t from, seen, n_drawn;	/* of the lines as drawn: the first, how many were shown, and all */
	size_t room;		/* how many fit */
	int width;		/* that they were drawn for */
};

struct questions {
	struct asked *list;	/* owned */
	size_t n, cap;
	bool was_drawn;		/* the first */
};

void questions_add(struct questions *all, unsigned id, const char *host, const char *text, bool is_secret, bool is_yes_no);
/* What the yes to the last question is for: it is taken when all of these lines were shown. */
void questions_about(struct questions *all, const char *const *lines, size_t n);
void questions_drop(struct questions *all);
void questions_done(struct questions *all);

/* True: the key turned the lines of the first question, or was a yes before all of them were shown: neither yes nor no. */
bool questions_turn(struct questions *all, int code);
/* The first, in a frame of fixed words; no device's text ever stands outside of it. answer: as far as it is typed. */
void questions_draw(struct questions *all, const struct draw *d, const struct typing *answer);

#endif
