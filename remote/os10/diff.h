/*
 * The commands that change an OS10 switch from one configuration to another, for configuration mode. Order: new objects, then
 * the bindings of ports, then the removal of objects; within a port, removals before additions. Lines are independent and
 * idempotent: applied from any partial state they converge to the wanted text.
 *
 * source	Dell's OS10 user guides 10.4 to 10.6; Dell's reference configurations for RoCE; for most "no" forms, the commands that
 *		intel/mfd-switchmanagement sends
 */
#ifndef REMOTE_OS10_DIFF_H
#define REMOTE_OS10_DIFF_H

#include "core/fix/plan.h"
#include "remote/os10/tree.h"

/*
 * Appends the commands to lines; their texts are in arena. False, with the reason, when no command is known for a difference or
 * when a name must not be part of a command.
 */
bool os10_diff(const struct os10_tree *from, const struct os10_tree *to, struct arena *arena, struct fix_lines *lines,
	       struct err *err);
/* True when commands are known to change block a into block b and back. Both blocks exist on both sides. */
bool os10_can_change(const struct os10_block *a, const struct os10_block *b);

#endif
