/*
 * For tests: text as nobody should print it, a recording that is full of it, and what output may hold all the same.
 */
#ifndef TESTS_LIB_HOSTILE_H
#define TESTS_LIB_HOSTILE_H

#include "core/base/mem.h"

#define HOSTILE_MARK	"hostile"	/* every text holds it: seen on a screen, the rest was printed with it */

/* Escape sequences, control characters, bidirectional and invisible characters, bytes that are no text, formulas. */
extern const char *const hostile_texts[];
extern const size_t hostile_count;

/* A recording of one fabric of which every text, names too, is hostile. */
void hostile_recording(const char *path);

/* NULL when bytes are UTF-8 of visible characters and line ends; else what is wrong, lent until the next call. */
const char *hostile_in_text(struct span bytes);
/* The same for what a program sent to an xterm: only the sequences of curses, and copies to the clipboard, may be there too. */
const char *hostile_in_terminal(struct span bytes);

#endif
