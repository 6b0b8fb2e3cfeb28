/* For tests: a terminal in memory. What curses writes is read back as lines of text, by libvterm. */
#ifndef TESTS_LIB_SCREEN_H
#define TESTS_LIB_SCREEN_H

#include "tui/stage.h"

struct screen_test;

/* A terminal of that size, "screen-256color" unless said; utf8 by the locale, which is set here. */
struct screen_test *screen_open(int rows, int cols, bool utf8, const char *term);
void screen_close(struct screen_test *s);
const struct draw *screen_draw(const struct screen_test *s);

/* Shows what was drawn since. Lines without the blanks at their ends, with line ends; lent until the next call. */
const char *screen_text(struct screen_test *s);
/* Bytes curses has sent for the last screen_text(). */
size_t screen_bytes(const struct screen_test *s);

#endif
