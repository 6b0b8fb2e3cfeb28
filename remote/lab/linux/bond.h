/* bond0 as the kernel has it: an interface of its own, above its members. */
#ifndef REMOTE_LAB_LINUX_BOND_H
#define REMOTE_LAB_LINUX_BOND_H

#include "remote/lab/world/fabric.h"

#define BOND_IFINDEX	40

/* Any member is up. */
bool bond_is_up(const struct fabric *f, const struct lab_device *d);
/* The MTU of the bond is handed down to its members; one that it has already changes nothing. */
void bond_set_mtu(struct fabric *f, struct lab_device *d, uint32_t mtu);

/* Its links, which stay; and its state, speed and counters: the sums of what its members' own files say. */
void bond_put(const struct fabric *f, const struct lab_device *d, const char *dir);
void bond_put_counters(const struct fabric *f, const struct lab_device *d, const char *dir);

#endif
