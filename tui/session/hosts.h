/* The hosts that a person names, by -i, on the command line or in the first-run form: read, and how each is reached settled. */
#ifndef TUI_SESSION_HOSTS_H
#define TUI_SESSION_HOSTS_H

#include "core/inventory/inventory.h"

/*
 * names: sources, a line each. A file or a folder that is there, "-" for standard input, else hosts as they are typed:
 * "spark1 root@10.0.0.2:2222 node[01-16] ./hosts.yml". A line that begins with a blank was typed as hosts on the command
 * line: a word of it is a file only when no host can be called so. text: gets the inventory for a recording.
 * False: the inventory is empty.
 */
bool hosts_load(struct inventory *inv, const char *names, struct buf *text, struct err *err);

/* The inventory as a file of its own, to be written elsewhere; false when a host of it could not be followed. */
bool hosts_keep(struct inventory *inv, struct buf *text, struct err *err);

/* To standard error: what was read and is not followed. */
void hosts_say_notes(const struct inventory *inv);

#endif
