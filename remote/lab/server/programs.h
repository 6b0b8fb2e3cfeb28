/*
 * The programs of a device: /usr/bin and /usr/sbin in its own view of the files. They hold the stand-ins of its system
 * and a list of ordinary programs of this machine (coreutils, sh, grep, ...), and nothing else: what this machine has
 * besides is not there, and what a skin takes away is not found.
 */
#ifndef REMOTE_LAB_SERVER_PROGRAMS_H
#define REMOTE_LAB_SERVER_PROGRAMS_H

#include "remote/lab/server/server.h"

#define PROGRAMS_PATH	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Stand-ins of every system's devices, beside the tools of its own; ends with NULL. */
extern const char *const programs_everywhere[];

/* Makes both directories, once. */
void programs_put(struct server *s, const struct lab_device *d);
/* Where this machine finds the device's program of that name, a new text; NULL: the device has none. */
char *programs_find(struct server *s, const struct lab_device *d, const char *name);

#endif
