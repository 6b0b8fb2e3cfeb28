/* Which NICs, stages and tests a bring-up command is about. */
#ifndef TUI_COMMANDS_BRINGUP_READ_H
#define TUI_COMMANDS_BRINGUP_READ_H

#include "core/bringup/rack.h"
#include "tui/args/cli.h"
#include "tui/bringup/record.h"

/* A list with commas as a set; NULL: all. False, and the person is told why. */
bool bringup_read_stages(const char *text, unsigned *wanted);

/*
 * The rack that the command line names, and what is recorded of its tests. Of a recording: the targets and stages that its bring-up was
 * of, where no others are asked for. cli lends from *record then.
 */
void bringup_read(struct cli *cli, struct session *s, struct bringup_record *record, struct bringup_rack *r);

#endif
