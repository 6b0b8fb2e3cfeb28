/* Why a link's row is as it is: the findings with their evidence, then both facts that each column stands on. */
#ifndef TUI_VIEWS_PORT_WHY_H
#define TUI_VIEWS_PORT_WHY_H

#include "tui/views/port_row.h"
#include "tui/views/view_of.h"
#include "tui/widgets/page.h"

/* width: of the lines */
void portwhy_page(struct page *p, const struct view_of *of, const struct link *link, int width);

#endif
