/* A whole picture: header, tabs, the screen or the page over it, and the last row. */
#ifndef TUI_SCREENS_FRAME_H
#define TUI_SCREENS_FRAME_H

#include "tui/screens/screens.h"

/* bar: a message or a prompt in the place of the key bar, or NULL. */
void frame_draw(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page,
		const char *bar);

#endif
