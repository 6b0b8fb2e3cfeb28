/* What a person takes out of the console: to the clipboard, into files. The acts behind y Y e r. */
#ifndef TUI_CONSOLE_CLIPBOARD_EXPORT_H
#define TUI_CONSOLE_CLIPBOARD_EXPORT_H

#include "tui/console/stage.h"

/*
 * INTENT_COPY, _EXPORT, _REPLACE: done, and said on the last row. terminal: where the clipboard is reached. False when the
 * intent is none of these.
 */
bool take(struct stage *s, const struct view_of *of, const struct intent *i, int terminal, bool ascii);

#endif
