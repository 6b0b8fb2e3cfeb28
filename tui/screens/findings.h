/* The list of findings, which the Overview has in short and the Findings screen whole. */
#ifndef TUI_SCREENS_FINDINGS_H
#define TUI_SCREENS_FINDINGS_H

#include "tui/screens/screen.h"

void findings_source(const struct view_of *of, struct views *v, bool in_short, struct table_source *s);
const struct fold *findings_cursor(const struct views *v, const struct table *t);
struct subject findings_subject(const struct view_of *of, const struct views *v, const struct table *t, size_t row);
/* The finding under the cursor with its evidence, as text. */
const char *findings_evidence(const struct view_of *of, struct views *v, struct table *t, bool ascii, struct buf *out);
/* The whole text of one, as much as fits: what was found, why it matters, what to do, what follows from it. */
void findings_pane(const struct draw *d, int y, int rows, const struct view_of *of, const struct fold *row);
struct intent findings_key(const struct view_of *of, struct views *v, struct table *t, enum command command,
			   struct page *page);

#endif
