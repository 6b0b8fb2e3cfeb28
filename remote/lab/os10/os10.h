/* The parts of the OS10 row (system.c). */
#ifndef REMOTE_LAB_OS10_OS10_H
#define REMOTE_LAB_OS10_OS10_H

#include "remote/lab/os10/config.h"
#include "remote/lab/server/tools.h"

/* The command line on a terminal. */
extern const struct speaker lab_os10_terminal;
extern const struct lab_settings lab_os10_settings;
extern const struct lab_fault lab_os10_faults[];

int tool_clish(struct tool_call *t);

#endif
