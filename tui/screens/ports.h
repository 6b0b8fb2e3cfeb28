/* What a key does to a link, wherever the cursor found it. */
#ifndef TUI_SCREENS_PORTS_H
#define TUI_SCREENS_PORTS_H

#include "tui/screens/screen.h"

struct intent ports_key(const struct view_of *of, struct views *v, const struct link *link, enum command command,
			struct page *page);

#endif
