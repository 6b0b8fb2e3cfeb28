/* fabcon bringup judge and diff: the certificate of a recorded bring-up, and what differs from it on another day. */
#ifndef TUI_COMMANDS_BRINGUP_JUDGE_H
#define TUI_COMMANDS_BRINGUP_JUDGE_H

#include "tui/args/cli.h"

/* bringup judge FILE: the same recording and policy are the same bytes. */
int bringup_judge(struct cli *cli);
/* bringup diff OLD [NEW|live]: OLD and NEW are recordings, or certificates as JSON. */
int bringup_diff(struct cli *cli);

#endif
