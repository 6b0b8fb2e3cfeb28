/*
 * Commands that lead from one configuration of an OS10 switch to another, to be typed in configuration mode: objects first,
 * then what the ports are bound to, then objects that are gone; in a port what is taken off before what is put on. Each line
 * is right whatever of the others had been done: from anywhere between, the lines towards a text lead to that text.
 *
 * source	SWITCHES.md 2.6 and 2.7
 */
#ifndef REMOTE_OS10_DIFF_H
#define REMOTE_OS10_DIFF_H

#include "core/fix/plan.h"
#include "remote/os10/tree.h"

/* Adds to lines, texts in arena. False, with the reason: a difference that no command is known for, or a name that no
 * command may hold. */
bool os10_diff(const struct os10_tree *from, const struct os10_tree *to, struct arena *arena, struct fix_lines *lines,
	       struct err *err);
/* Whether commands are known from block a to block b and back, which both stay there. */
bool os10_can_change(const struct os10_block *a, const struct os10_block *b);

#endif
