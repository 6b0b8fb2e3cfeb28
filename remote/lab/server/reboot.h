/* A device that starts again: what it was told since its last boot, and had not kept, is gone. */
#ifndef REMOTE_LAB_SERVER_REBOOT_H
#define REMOTE_LAB_SERVER_REBOOT_H

#include "remote/lab/server/server.h"

#define REBOOT_MS	1000	/* until it can be reached again, unless said */

void reboot_device(struct server *s, struct lab_device *d, uint64_t down_ms);

#endif
