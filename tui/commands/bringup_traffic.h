/* The tests of fabcon bringup --traffic: run over the session that read the fabric, and written into its recording. */
#ifndef TUI_COMMANDS_BRINGUP_TRAFFIC_H
#define TUI_COMMANDS_BRINGUP_TRAFFIC_H

#include "core/bringup/rack.h"
#include "tui/args/cli.h"
#include "tui/bringup/record.h"

/* False, and the person is told why: no reason, or traffic is not allowed here. */
bool bringup_traffic_may(const struct cli *cli);
/* The kinds of tests that --across and --lossy ask for (bringup_extras). */
unsigned bringup_traffic_extras(const struct cli *cli);
/*
 * Until all have ended, or Ctrl-C; the tests go into *record, and those that it holds are not run again. False: it was refused, and the
 * person is told why, or interrupted.
 */
bool bringup_traffic_send(struct cli *cli, struct session *s, const struct bringup_rack *rack, struct bringup_record *record);

#endif
