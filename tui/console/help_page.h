/*
 * The help over a screen: its keys first, then the signs, the filter's language, the list's columns, the keys of other
 * screens, and what every check, field and limit means. Words that are looked for leave only the lines that hold them.
 */
#ifndef TUI_CONSOLE_HELP_PAGE_H
#define TUI_CONSOLE_HELP_PAGE_H

#include "tui/widgets/page.h"
#include "tui/widgets/table.h"

/* list: of the screen, or NULL. words: all must be in a line, any case; "" leaves everything. width: of the lines. */
void help_page(struct page *p, enum screen_id screen, const struct table_source *list, const char *words, int width);

#endif
