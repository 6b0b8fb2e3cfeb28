/* The parts of the Linux row (system.c). Switches with a Linux shell use lab_linux_shell too. */
#ifndef REMOTE_LAB_LINUX_LINUX_H
#define REMOTE_LAB_LINUX_LINUX_H

#include "remote/lab/server/server.h"

/* Commands by the real /bin/sh inside the device's own view of /sys, /proc and /etc. */
extern const struct speaker lab_linux_shell;
extern const struct lab_settings lab_linux_settings;
extern const struct lab_files lab_linux_files;
extern const struct lab_fault lab_linux_faults[];

#endif
