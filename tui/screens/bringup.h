/* What the console asks of the Bring-up screen beside its keys: its cursor's NIC, and where a label leads. */
#ifndef TUI_SCREENS_BRINGUP_H
#define TUI_SCREENS_BRINGUP_H

#include "tui/screens/views.h"

/* The NIC under the cursor is to be set aside, for that reason. */
struct intent bringup_skip(const struct view_of *of, struct views *v, const char *reason);
/*
 * The cursor onto the NIC with a label: a host, host:NIC or host NIC, the far end's device:port, else a part of one of them that
 * no other NIC has. False: there is none, or several.
 */
bool bringup_go(const struct view_of *of, struct views *v, struct span label);

#endif
