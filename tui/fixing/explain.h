/*
 * What the plans of this user's audit have set on a device, and when: a change that was read there is explained by a plan whose
 * edits have that very field, and the value that it was read as, as planned or as before. All else is somebody else's change.
 */
#ifndef TUI_FIXING_EXPLAIN_H
#define TUI_FIXING_EXPLAIN_H

#include "tui/session/logged_in.h"

/* Fills in "by" of those that a plan explains: "P-… by alice (apply: INC-42)". They are of one device. */
void plans_explain(const char *device, struct setting_change *list, size_t n);

#endif
