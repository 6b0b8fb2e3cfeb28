/* Questions of the transport (passphrase, host key) on a plain terminal, without the screens. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "tui/session.h"

/* The hook to give to a session when there is a terminal to ask on; else NULL: questions are refused. */
void (*prompt_hook(void))(void *ctx, unsigned id, const struct question *q);
/* The session that the answers go to. */
void prompt_for(struct session *s);

#endif
