/*
 * Notes on a recording that is only read: they stand in a file of their own beside our other state, a line each, "TIME
 * text", found again by when the recording began, wherever it has been moved to.
 */
#ifndef TUI_SESSION_NOTES_H
#define TUI_SESSION_NOTES_H

#include "tui/session/events.h"

#define NOTE_MAX	400	/* bytes */
#define NOTES_MAX	2000	/* of a file */

/* NULL when there is no place for state. Yours to free. */
char *notes_path(const struct replay *recording);
/* Adds what the file holds to the events; what is no note is passed over. */
void notes_read(const char *path, struct events *e);
bool notes_add(const char *path, int64_t at_us, const char *text, struct err *err);
/* One line of plain text, as a note is kept: no controls, no longer than NOTE_MAX. False when nothing is left. */
bool note_text(const char *typed, char out[NOTE_MAX + 1]);

#endif
