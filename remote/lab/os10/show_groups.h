/* What OS10 has beside its ports: the management port, a port-channel, a VLAN; and their descriptions. The skin interface-groups. */
#ifndef REMOTE_LAB_OS10_SHOW_GROUPS_H
#define REMOTE_LAB_OS10_SHOW_GROUPS_H

#include "remote/lab/world/fabric.h"

/* In "show interface", behind the ports; age: "48 weeks 4 days 23:11:15". */
void show_groups(const struct lab_device *d, const char *age, struct buf *out);
/* Their rows in "show interface status". */
void show_groups_status(struct buf *out);

#endif
