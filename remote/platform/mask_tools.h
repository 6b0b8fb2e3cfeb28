/* Secrets that stand where a tool or a kind of file wants them, with no name of theirs before them. */
#ifndef REMOTE_PLATFORM_MASK_TOOLS_H
#define REMOTE_PLATFORM_MASK_TOOLS_H

#include "core/base/span.h"

/* "curl -u user:password", "sshpass -p …", lines of ntp.keys and of the shadow file. */
void mask_tools(char *p, size_t n);

/* Behind "authentication simple", "auth sha", "standby 1 authentication": hides to the line's end; true where it did. */
bool mask_behind_method(char *p, size_t n, struct span word);

#endif
