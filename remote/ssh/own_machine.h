/*
 * Whether a device is the machine that the console itself runs on. A name that goes astray (an alias, a tunnel, a wrong
 * line of an inventory) must not have this machine changed: only who names it, as localhost or a loopback address, means it.
 */
#ifndef REMOTE_SSH_OWN_MACHINE_H
#define REMOTE_SSH_OWN_MACHINE_H

#include <stdbool.h>

/* boot_id: as the device's kernel tells it (/proc/sys/kernel/random/boot_id); NULL: it has not, and it is taken for another. */
bool is_own_machine(const char *boot_id);
/* The address is localhost, 127.… or ::1, by the person's own word. */
bool names_own_machine(const char *address);

#endif
