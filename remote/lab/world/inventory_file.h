/* What the console is told of the lab: an Ansible inventory with the cable plan, and known_hosts beside it. */
#ifndef REMOTE_LAB_WORLD_INVENTORY_FILE_H
#define REMOTE_LAB_WORLD_INVENTORY_FILE_H

#include "remote/lab/world/fabric.h"

/* ports: the TCP port of each device. */
void inventory_text(struct fabric *f, const char *dir, const uint16_t *ports, struct buf *out);
bool inventory_write(const char *dir, const char *name, const struct buf *text, struct err *err);

#endif
