/*
 * Undo lines typed by the switch's own shell, with nobody logged in. "clish -B FILE" runs a file of commands, "clish -c" one
 * of them; both without an interactive login need the environment that such a login would have.
 *
 * source	user guide 10.6, "Linux shell commands" (-c, -B, batch files that begin with "configure terminal"); the environment:
 *		microsoft/arc-switch, on 10.6.0.5. Whether a batch goes on behind a line that is refused is written nowhere: where
 *		one was refused, each line is typed again in a batch of its own.
 */
#ifndef REMOTE_OS10_UNDO_H
#define REMOTE_OS10_UNDO_H

#include "core/fix/plan.h"

/* As of struct dialect. */
void os10_undo_script(const struct fix_lines *undo, struct buf *sh);
extern const char os10_rehearse[];

#endif
