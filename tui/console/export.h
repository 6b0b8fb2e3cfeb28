/*
 * What is in front of a person as a document: the page, the rows of the list, a finding with its evidence, or the whole
 * screen in words. For copying and for files; whatever a device said is safe text in it.
 */
#ifndef TUI_CONSOLE_EXPORT_H
#define TUI_CONSOLE_EXPORT_H

#include "tui/console/stage.h"
#include "tui/widgets/rows.h"

/* By the name's ending: .txt .json .csv .md; false, and why, for another. */
bool export_by_name(const char *name, enum rows_as *as, struct err *err);
/* "fabcon-ports-20261121T084700Z.csv", at the time that is shown. */
void export_name(const struct view_of *of, const char *what, const char *extension, char out[128]);

/*
 * All rows that are shown, or the row at the cursor and the marked rows when is_picked. what: "3 rows", "the page". False,
 * and why, when this view has no such form.
 */
bool export_view(struct stage *s, const struct view_of *of, bool is_picked, enum rows_as as, bool ascii, struct buf *out,
		 char what[64], struct err *err);

#endif
