/*
 * The one door for text on its way out: to the screen, plain output, logs, file names. Device text is hostile; it may
 * hold escape sequences that repaint a dialog or type an answer to it. Only what is plainly printable passes, all else
 * becomes a visible escape: \x1b for a byte, \u202e for a character.
 */
#ifndef TUI_TEXT_SAFE_H
#define TUI_TEXT_SAFE_H

#include "core/base/mem.h"

#define SAFE_MAX 12	/* bytes that one character may become, with the NUL */

/*
 * Takes one character off the front of *rest and gives what may be printed for it, and how many columns that takes.
 * ascii_only: for a terminal or file that knows no UTF-8. Widths are those of the locale, as the terminal's are.
 */
bool safe_next(struct span *rest, bool ascii_only, char out[SAFE_MAX], unsigned *columns);

/* Adds text, made safe. Line ends are escaped too: a caller that wants lines adds them itself. */
void safe_add(struct buf *out, struct span text, bool ascii_only);

/* Columns that text takes once it is safe. */
unsigned safe_columns(struct span text, bool ascii_only);

#endif
