/* The pane of a link below a list: what is wanted, what each end says by which command how long ago, and why it matters. */
#ifndef TUI_SCREENS_PORT_PANE_H
#define TUI_SCREENS_PORT_PANE_H

#include "tui/screens/screen.h"

/* r: made whole. */
void portpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, const struct portrow *r);

#endif
