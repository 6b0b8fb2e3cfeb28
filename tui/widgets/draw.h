/*
 * Text onto a window. Whatever is drawn goes through tui/text/safe.h and is clipped by columns, so that no text, wherever it
 * came from, can leave its place. Coordinates are rows and columns of the window.
 */
#ifndef TUI_WIDGETS_DRAW_H
#define TUI_WIDGETS_DRAW_H

#include "core/base/mem.h"
#include "core/judge/check.h"
#include "tui/widgets/lines.h"
#include "tui/widgets/theme.h"

/* The signs that carry meaning, in the terminal's character set. */
struct glyphs {
	bool is_ascii;
	const char *differs, *same, *unknown, *more, *bar, *dot;
	const char *spark[9];		/* nothing known, then lowest … highest */
	unsigned spark_levels;
};
extern const struct glyphs glyphs_utf8, glyphs_braille, glyphs_ascii;
/* By the locale's character set, which setlocale() must have set before curses starts. */
const struct glyphs *glyphs_of_locale(bool force_ascii);

struct draw {
	WINDOW *w;
	struct lines *lines;		/* where all goes, as words, when there is no window; else NULL */
	const struct theme *theme;
	const struct glyphs *glyphs;
	int rows, cols;
	bool with_colour;
};

/* Draws text in at most width columns from x; returns the columns used. What does not fit ends in the sign for more. */
int draw_text(const struct draw *d, int y, int x, int width, enum role role, const char *text);
int draw_span(const struct draw *d, int y, int x, int width, enum role role, struct span text);
/* The same, and blanks to the end of width; right: the blanks come first. */
void draw_cell(const struct draw *d, int y, int x, int width, bool right, enum role role, const char *text);
int draw_printf(const struct draw *d, int y, int x, int width, enum role role, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* Words in which {command} stands for that command's key, as it is now. */
int draw_key_text(const struct draw *d, int y, int x, int width, enum role role, const char *text);
/* A title with a rule to the end of the row: "-- Findings ------". */
void draw_rule(const struct draw *d, int y, int x, int width, const char *title);
void draw_blank(const struct draw *d, int y, int x, int width);
/* Gives the columns of a row already drawn another role's look: the cursor row. */
void draw_restyle(const struct draw *d, int y, int x, int width, enum role role);

/*
 * The samples in width columns, newest at the right, the highest of those that share one, scaled to the highest of all;
 * NAN is a gap. All zero draws the lowest level: known to be nothing. n 0 draws gaps: nothing known.
 */
void draw_spark(const struct draw *d, int y, int x, int width, enum role role, const float *values, size_t n,
		int64_t step_us);

/* "!" "~" "." "?": severity by sign first; and its role. */
const char *verdict_sign(enum verdict v);
enum role verdict_role(enum verdict v);
const char *verdict_word(enum verdict v);	/* CRIT, WARN, INFO, ?, ok */

#endif
