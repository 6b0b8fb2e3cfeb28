/* For tests: a terminal in memory. What curses writes is read back as lines of text, by libvterm. */
#ifndef TESTS_LIB_SCREEN_H
#define TESTS_LIB_SCREEN_H

#include "tui/console/stage.h"

struct screen_test;

/* A terminal of that size, "screen-256color" unless said; utf8 by the locale, which is set here. */
struct screen_test *screen_open(int rows, int cols, bool utf8, const char *term);
void screen_close(struct screen_test *s);
const struct draw *screen_draw(const struct screen_test *s);
/* As on a terminal that has so many colours; 0: by attributes alone, in the theme mono. */
void screen_dress(struct screen_test *s, int colours);

/* Shows what was drawn since. Lines without the blanks at their ends, with line ends; lent until the next call. */
const char *screen_text(struct screen_test *s);
/* Draws all of it again, as if nothing stood there. */
const char *screen_again(struct screen_test *s);
/* The role that a cell was drawn in; ROLE_COUNT: in none, or without colours. */
enum role screen_role(const struct screen_test *s, int y, int x);
/* Bytes curses has sent for the last screen_text(). */
size_t screen_bytes(const struct screen_test *s);

#endif
