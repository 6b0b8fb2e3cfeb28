/*
 * ssh_config's way to this machine: its files, the environment, and programs of "Match exec", which run when the person has
 * agreed (tui/args/consent.h).
 */
#ifndef TUI_SESSION_SSH_FILES_H
#define TUI_SESSION_SSH_FILES_H

#include "core/inventory/inventory.h"

/* Every host by the site's own ssh: --transport openssh. */
void ssh_files_use_openssh(bool yes);

/* How each host of the inventory is reached. */
void ssh_files_settle(struct inventory *inv);

/* What was read and is not followed, on the way to any host: each once, a line each. */
void ssh_files_notes(const struct routes *routes, struct buf *out);

/* Why hosts are not dialed: each reason once, a line each, "node[01-16]: REASON". */
void ssh_files_troubles(const struct routes *routes, struct buf *out);

/* Reads the files; paths: of those that are there. The first line that ssh refuses, in err: then false. */
bool ssh_files_try(struct buf *paths, struct err *err);

#endif
