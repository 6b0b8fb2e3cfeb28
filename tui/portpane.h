/* The pane of a link below a list: what is wanted, what each end says by which command how long ago, and why it matters. */
#ifndef TUI_PORTPANE_H
#define TUI_PORTPANE_H

#include "tui/screens.h"

/* r: made whole. */
void portpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, const struct portrow *r);

#endif
