/* What OS10 prints for its "show" commands. */
#ifndef REMOTE_LAB_OS10_SHOW_H
#define REMOTE_LAB_OS10_SHOW_H

#include "remote/lab/world/fabric.h"

/* words: what follows "show", normalised. False for a command it has not: nothing was printed. */
bool dell_show(struct fabric *f, const struct lab_device *d, const char *words, struct buf *out);

#endif
