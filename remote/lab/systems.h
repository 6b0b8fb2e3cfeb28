/* The table of systems that simulated devices run (world/system.h). A new system is a folder and a row here. */
#ifndef REMOTE_LAB_SYSTEMS_H
#define REMOTE_LAB_SYSTEMS_H

#include "core/base/span.h"
#include "remote/lab/world/system.h"

extern const struct lab_system *const lab_systems[];	/* NULL at the end; generated hosts run the first that is not a switch */

/* NULL: no such system. */
const struct lab_system *lab_system_named(struct span name);
/* "linux, os10 and sonic": the names of all systems, or of switch systems only; last separates the last one. */
void lab_system_names(bool of_switches, const char *between, const char *last, char *out, size_t size);

#endif
