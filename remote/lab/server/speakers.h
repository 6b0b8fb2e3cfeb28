/* Who answers on a channel of which device. */
#ifndef REMOTE_LAB_SERVER_SPEAKERS_H
#define REMOTE_LAB_SERVER_SPEAKERS_H

#include "remote/lab/server/server.h"

/* Commands by the real /bin/sh inside the device's own view of /sys, /proc and /etc. */
extern const struct speaker speaker_linux;
/* Dell OS10's command line. */
extern const struct speaker speaker_os10;

/* command NULL: a shell. NULL: refused. */
const struct speaker *speaker_of(const struct lab_device *d, const char *command);

#endif
