/* The systems that simulated devices run: one row each (world/system.h). A new one is a folder, and its row here. */
#ifndef REMOTE_LAB_SYSTEMS_H
#define REMOTE_LAB_SYSTEMS_H

#include "core/base/span.h"
#include "remote/lab/world/system.h"

extern const struct lab_system *const lab_systems[];	/* NULL at the end; the first that is no switch is what hosts run */

/* NULL for a name that none has. */
const struct lab_system *lab_system_named(struct span name);
/* "linux, os10 and sonic": every system's name (of_switches: the switches' alone), with last before the last one. */
void lab_system_names(bool of_switches, const char *between, const char *last, char *out, size_t size);

#endif
