/* The MAC addresses that a table tells of a port (a switch's FDB, a host's neighbor table), as one fact a port. */
#ifndef REMOTE_PLATFORM_MAC_LISTS_H
#define REMOTE_PLATFORM_MAC_LISTS_H

#include "core/model/obs.h"

/* One line of the table: its port and MAC; false where it holds none. */
typedef bool mac_row(struct obs *o, struct span line, uint16_t *port, struct span *mac);

/* Adds to each port named its MACs in lower case, sorted, one blank between, each once; "+" at the end when there are more. */
size_t mac_lists(struct obs *o, struct span text, bool is_partial, enum field f, mac_row *row);

/* Six bytes with colons. */
bool is_mac_text(struct span s);

#endif
