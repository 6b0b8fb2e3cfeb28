/* How far reading a fabric is; and what gather() began, kept going: for recording. */
#ifndef TUI_SESSION_READ_FABRIC_H
#define TUI_SESSION_READ_FABRIC_H

#include "tui/session/session.h"

/* Every device has answered or was given up, and counters were read twice where they can be. */
bool read_fabric_is_read(const struct session *s, struct poller_count *count);
/* Runs the open fabric for that long, or until Ctrl-C when for_us is 0. */
void read_fabric_run(int64_t for_us);

#endif
