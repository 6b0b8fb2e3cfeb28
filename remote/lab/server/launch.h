/*
 * Commands of a simulated device, started by a stand-in. The kernel knows nothing of the device's view: paths are looked up in
 * FAKECHROOT_BASE here, because a stand-in that is linked statically has no fakechroot.
 */
#ifndef REMOTE_LAB_SERVER_LAUNCH_H
#define REMOTE_LAB_SERVER_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

/* The device's file, where there is one, as the kernel knows it; else the path itself. */
const char *launch_path(const char *path, char *room, size_t size);
/* Runs a command in place of this program, by its name in PATH or by its path. Returns where that cannot be. */
void launch(char **argv);

/*
 * "timeout SECONDS COMMAND…" as coreutils has it: TERM ends the command and its group of processes, and the status is 124 then. A
 * stand-in, because each question of a collector is asked through it, and coreutils' own took three times the processor of most
 * commands. Another form than whole seconds without options is left to coreutils.
 */
bool launch_can_limit(char *const *argv);
int launch_limited(char **argv);

#endif
