/*
 * A connection through a jump host: a direct-tcpip channel of its session, with a socket pair between the channel and
 * the session that goes through it.
 */
#ifndef REMOTE_SSH_RELAY_H
#define REMOTE_SSH_RELAY_H

#include "remote/ssh/dial.h"
#include "remote/ssh/ssh.h"

/* done and address: as of a dial. Afterwards the relay belongs to the jump host's session and ends with either side. */
struct relay *relay_new(uv_loop_t *loop, struct ssh *via, const char *address, unsigned port, dial_done *done,
			void *ctx);
/* Gives up before done was called; NULL is fine. */
void relay_free(struct relay *r);

/* For the jump host's session: moves what can be moved; or ends them all, saying why to those not connected yet. */
void relays_drive(struct relay_list *list);
void relays_end(struct relay_list *list, const char *why);

#endif
