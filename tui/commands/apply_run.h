/*
 * A plan carried out by a command: its loop, questions of the transport, signals, a line for each state, and what is printed
 * at its end. The Fix screen does the same with what is under it, tui/fixing/fixing.h.
 */
#ifndef TUI_COMMANDS_APPLY_RUN_H
#define TUI_COMMANDS_APPLY_RUN_H

#include "core/fix/plan.h"
#include "remote/fixer/fixer.h"
#include "tui/args/cli.h"
#include "tui/fixing/write_mode.h"

/* Takes the plan over when it begins. The exit code; everything is said. */
int carry(struct cli *cli, struct fix_plan *plan, const struct write_mode *arming, enum fixer_goal goal);

#endif
