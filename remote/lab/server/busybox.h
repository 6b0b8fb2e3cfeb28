/*
 * The applets of BusyBox that refuse what the GNU programs of their names take. A device in that skin has them in the places
 * of this machine's: they refuse as BusyBox does, or do as this machine's program.
 */
#ifndef REMOTE_LAB_SERVER_BUSYBOX_H
#define REMOTE_LAB_SERVER_BUSYBOX_H

#include <stdbool.h>

extern const char *const busybox_names[];	/* ends with NULL */

bool busybox_has(const char *name);
/* The exit status of a refusal, whose words are on standard error; 0: it is none. */
int busybox_refusal(const char *name, char *const *argv);

#endif
