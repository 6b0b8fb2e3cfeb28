/*
 * The fabric at a moment, for a ticket: what was read, what is wrong with its evidence, what is not known. One document,
 * as JSON, or as Markdown of at most forty lines made from the same.
 */
#ifndef TUI_VIEWS_REPORT_H
#define TUI_VIEWS_REPORT_H

#include <jansson.h>

#include "tui/views/view_of.h"

#define REPORT_LINES 40

/* Every finding that no other explains; the caller's to free. */
json_t *report_json(const struct view_of *of);
/* One fact that a verdict stands on: written form, who said it, when, by which command, in which line. */
json_t *evidence_json(const struct model *m, const struct evidence *e);
/* The worst as far as they have room; what is left out is counted. */
void report_markdown(const json_t *report, bool ascii, struct buf *out);

#endif
