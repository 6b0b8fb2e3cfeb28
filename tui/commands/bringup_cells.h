/* What the tests of a bring-up say of a NIC, as cells of its row and as the end of the summary. */
#ifndef TUI_COMMANDS_BRINGUP_CELLS_H
#define TUI_COMMANDS_BRINGUP_CELLS_H

#include "core/bringup/rack.h"
#include "tui/bringup/record.h"
#include "tui/text/sheet.h"

/* The cells "test" and "tests". */
void bringup_cells_tests(const struct bringup_record *r, const struct bringup_unit *u, struct sheet *sheet);
void bringup_cells_summary(const struct bringup_record *r, struct buf *out);

#endif
