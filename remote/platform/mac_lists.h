/* The MAC addresses that a table tells of a port (a switch's FDB, a host's neighbor table), as one fact a port. */
#ifndef REMOTE_PLATFORM_MAC_LISTS_H
#define REMOTE_PLATFORM_MAC_LISTS_H

#include "core/model/obs.h"

/* A line that is none of the others and holds a MAC may be of any port: then no list is known to be whole. */
enum mac_row_is {
	MAC_ROW,
	MAC_ROW_OTHER,		/* understood, and it adds nothing */
	MAC_ROW_STRANGE,
};

/* One line of the table: its port and MAC. */
typedef enum mac_row_is mac_row(struct obs *o, struct span line, uint16_t *port, struct span *mac);

/* Adds to each port named its MACs in lower case, sorted, one blank between, each once; "+" at the end when there are more. */
size_t mac_lists(struct obs *o, struct span text, bool is_partial, enum field f, mac_row *row);

/* Six bytes with colons. */
bool is_mac_text(struct span s);

#endif
