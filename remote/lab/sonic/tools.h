/* The stand-ins that are a SONiC switch's own. */
#ifndef REMOTE_LAB_SONIC_TOOLS_H
#define REMOTE_LAB_SONIC_TOOLS_H

#include "remote/lab/server/tools.h"

int tool_sonic_show(struct tool_call *t);
int tool_sonic_config(struct tool_call *t);
int sonic_updater(struct tool_call *t);		/* config's words that work on the whole CONFIG_DB; -1: none of them */
int tool_sonic_db_cli(struct tool_call *t);
int tool_sonic_cfggen(struct tool_call *t);
int tool_ecnconfig(struct tool_call *t);
int tool_pfcwd(struct tool_call *t);
int tool_counterpoll(struct tool_call *t);
int tool_pfc_priority(struct tool_call *t);	/* the table of "show pfc priority" */

#endif
