/* The pairs of a rack host by host: who sends to whom how much of what its MTU and speed allow. */
#ifndef TUI_SCREENS_BRINGUP_MATRIX_H
#define TUI_SCREENS_BRINGUP_MATRIX_H

#include "core/bringup/rack.h"
#include "core/bringup/tests.h"
#include "tui/widgets/page.h"

/*
 * A row for each host that sends, a column for each that receives, in the order of the rack: of the NIC pairs of the two the least
 * rate, in per cent. "97!": one of them failed; "?": none was measured; ".": none was tested. Below them the links between switches,
 * where they were tested. t: judged.
 */
void bringup_matrix_page(struct page *p, const struct bringup_rack *r, const struct bringup_tests *t);

#endif
