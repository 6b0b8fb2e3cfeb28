/*
 * The rows of a list as sentences, numbered as they stand: "1. fault, node1:eth2 to leaf1:Eth4. trust: nic pcp, switch
 * dscp, they differ. paused: 41% of time. …". Every cell is there, whatever would have fitted on a screen.
 */
#ifndef TUI_WIDGETS_TABLE_SPOKEN_H
#define TUI_WIDGETS_TABLE_SPOKEN_H

#include "tui/widgets/table.h"

/* The list from row y on: how many there are, how they are ordered and filtered, then each. */
void table_spoken(struct table *t, const struct table_source *s, struct lines *l, int y);

/* "6m05s" as "6 minutes 5 seconds"; false when text is no age. */
bool age_spoken(const char *text, struct buf *out);
const char *verdict_spoken(enum verdict v);

#endif
