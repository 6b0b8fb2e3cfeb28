/*
 * Questions of the transport (passphrase, host key) on a plain terminal, without the screens: one at a time, read through
 * the loop, so that the other devices, Ctrl-C and the time allowed go on while a person thinks.
 */
#ifndef TUI_ARGS_PROMPT_H
#define TUI_ARGS_PROMPT_H

#include <uv.h>

#include "remote/ssh/question.h"

/* The hook to give to a session when there is a terminal to ask on; else NULL: questions are refused. */
void (*prompt_hook(void))(void *ctx, unsigned id, const struct question *q);
/* Whom the answers go to (text NULL: none was given), and the loop; before that runs. */
void prompt_begin(uv_loop_t *loop, void (*answer)(void *ctx, unsigned id, const char *text), void *ctx);
/* Somebody is being asked: nothing else is to be written on that line. */
bool prompt_is_open(void);
/* What is still asked is forgotten, and the terminal is as it was. Before the loop is closed. */
void prompt_end(void);

#endif
