/* "system bash": the switch's own shell on a terminal, a real bash in the device's view. */
#ifndef REMOTE_LAB_OS10_BASH_H
#define REMOTE_LAB_OS10_BASH_H

#include "remote/lab/server/server.h"

struct dell_bash;

/* ended: it has exited and everything it printed was written. NULL: it could not be begun. */
struct dell_bash *dell_bash_new(struct lab_channel *c, void (*ended)(struct lab_channel *c));
void dell_bash_input(struct dell_bash *b, struct span bytes);
void dell_bash_drained(struct dell_bash *b);
/* The channel is gone: so is everything of the session. */
void dell_bash_close(struct dell_bash *b);

#endif
