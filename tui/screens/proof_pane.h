/* The proof of Detail's link, a line a direction, over its facts. Tab gives it the keys; Enter then shows every step. */
#ifndef TUI_SCREENS_PROOF_PANE_H
#define TUI_SCREENS_PROOF_PANE_H

#include "tui/screens/screens.h"

/* The rows used, at most rows. */
int proofpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v);
bool proofpane_next(const struct view_of *of, struct views *v, int by);
bool proofpane_key(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i);

#endif
