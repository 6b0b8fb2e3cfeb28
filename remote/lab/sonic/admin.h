/* What an administrator of a SONiC switch who is not root is refused: the skin sonic-admin. */
#ifndef REMOTE_LAB_SONIC_ADMIN_H
#define REMOTE_LAB_SONIC_ADMIN_H

#include "remote/lab/server/tools.h"

/* The tools of the same name, for root alone: as a whole, or what changes something. */
int admin_config(struct tool_call *t);
int admin_pfcwd(struct tool_call *t);
int admin_ecnconfig(struct tool_call *t);
int admin_systemd_run(struct tool_call *t);
int admin_id(struct tool_call *t);

#endif
