/*
 * A plan carried out by a command: its loop, questions of the transport, signals, a line for each state, and what is printed
 * at its end. The Fix screen does the same with what is under it, tui/fixing.h.
 */
#ifndef TUI_CARRY_H
#define TUI_CARRY_H

#include "core/fix_plan.h"
#include "remote/fixer.h"
#include "tui/arming.h"
#include "tui/cli.h"

/* Takes the plan over when it begins. The exit code; everything is said. */
int carry(struct cli *cli, struct fix_plan *plan, const struct arming *arming, enum fixer_goal goal);

#endif
