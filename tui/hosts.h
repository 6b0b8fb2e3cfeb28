/* The hosts that a person names, by -i, on the command line or in the first-run form: read, and how each is reached settled. */
#ifndef TUI_HOSTS_H
#define TUI_HOSTS_H

#include "core/inventory.h"

/* name: a file, or a range of names. text: gets the file's bytes, for a recording; nothing of a range. */
bool hosts_load(struct inventory *inv, const char *name, struct buf *text, struct err *err);

#endif
