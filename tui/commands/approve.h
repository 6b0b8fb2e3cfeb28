/*
 * Approval of a plan before anything is sent. A plan that was made by this user of this machine is shown and confirmed by typing
 * its device's name or the number of its devices; any other needs its whole hash or a signature: 8 hex digits of a hash can be
 * forged in minutes. Who approved is written to the audit first.
 */
#ifndef TUI_COMMANDS_APPROVE_H
#define TUI_COMMANDS_APPROVE_H

#include "tui/args/cli.h"
#include "core/fix/plan.h"

/* EXIT_DONE, or the code of the refusal, which has been reported. */
int approve(const struct cli *cli, const struct fix_plan *plan);
/* keep and undo: only a plan that this user's audit does not know, from its apply, has to be approved. */
int approve_unknown(const struct cli *cli, const struct fix_plan *plan);

/* Plans of this user that were begun and not ended, a line each: what is read of their devices may be rolled back. */
void say_unfinished(const struct cli *cli);

/* Reports a refusal; returns EXIT_REFUSED. */
int refuse_plan(const struct cli *cli, const struct fix_plan *plan, const char *words);

#endif
