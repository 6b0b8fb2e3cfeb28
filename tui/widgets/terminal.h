/*
 * The terminal as curses has it: taken, measured, lent to the shell while we are stopped, given back. Whatever ends the
 * program, a crash too, leaves the screen, the cursor and the modes as they were.
 */
#ifndef TUI_WIDGETS_TERMINAL_H
#define TUI_WIDGETS_TERMINAL_H

#include "core/base/err.h"
#include "tui/widgets/draw.h"

/* How the console looks and listens; by the application, which alone knows the terminal. */
struct look {
	char theme[32];
	enum signs { SIGNS_UTF8, SIGNS_BRAILLE, SIGNS_ASCII } signs;
	bool mouse;
	bool local_times;
};

struct terminal {
	struct draw draw;
	struct theme theme;
	struct look look;
	bool no_colour;
	int tty;		/* to be watched for keys; curses reads them from standard input */
	bool never_stops;	/* we were started with SIGTSTP ignored, and keep to it */
	bool is_begun;		/* else there are only lines, and nothing below touches a screen */
};

/* theme, look and no_colour are set. Needs a terminal on standard input and output. */
bool terminal_begin(struct terminal *t, struct err *err);
void terminal_end(struct terminal *t);
/* The theme has changed. */
void terminal_dress(struct terminal *t);
/* What was set has; false, and why, when the theme cannot be had: the one before stays. */
bool terminal_take_look(struct terminal *t, const struct look *look, struct err *err);
const struct glyphs *glyphs_of_look(const struct look *look);
/* The size may have changed. */
void terminal_measure(struct terminal *t);
/* Stops us as ^Z stops any program; returns when it goes on, or at once where no shell could make it. */
void terminal_suspend(struct terminal *t);
/* Somebody else may have had the terminal: takes it again, and all is drawn anew with the next frame. */
void terminal_resume(struct terminal *t);
/* Nobody is at the other end any more. */
bool terminal_is_gone(void);

#endif
