/* The overlay in which a person chooses the columns of a list: which, in what order, sorted by what, frozen up to where. */
#ifndef TUI_WIDGETS_COLUMN_CHOOSER_H
#define TUI_WIDGETS_COLUMN_CHOOSER_H

#include "tui/widgets/table.h"

struct chooser {
	bool is_open;
	size_t place;			/* of the cursor, in the columns' order */
	struct columns columns;		/* as they were, for Esc; and the order of the rows */
	struct sort_key sort[SORT_MAX];
	size_t n_sort;
	bool is_upside_down;
};

void chooser_open(struct chooser *c, struct table *t, const struct table_source *s);
/* One key, as curses tells it; the list follows at once. Enter, c and q leave it so, Esc takes everything back. */
void chooser_key(struct chooser *c, struct table *t, const struct table_source *s, int code);
/* Over the lower part of the window, so that the list's heading is seen. */
void chooser_draw(const struct chooser *c, const struct table *t, const struct table_source *s, const struct draw *d);

#endif
