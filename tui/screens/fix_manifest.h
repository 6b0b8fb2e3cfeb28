/* The manifests that own what a step changes: a page of the first, whole, and the names of the others. */
#ifndef TUI_SCREENS_FIX_MANIFEST_H
#define TUI_SCREENS_FIX_MANIFEST_H

#include "tui/views/view_of.h"
#include "tui/widgets/page.h"

/* False, and why: none owns it, or it cannot be written of what is known. */
bool fixmanifest_page(const struct view_of *of, size_t step, struct page *page, int width, struct err *err);

#endif
