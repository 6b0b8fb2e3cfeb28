/*
 * A TCP connection being made, without holding the loop: the name is looked up in a helper thread, and each address
 * gets a head start over the next (RFC 8305), so a dead first address costs a quarter of a second.
 */
#ifndef REMOTE_SSH_DIAL_H
#define REMOTE_SSH_DIAL_H

#include <uv.h>

#include "core/base/err.h"

struct dial;

/*
 * fd: connected, non-blocking, close-on-exec, yours; or -1, and why holds the reason. Called once, never from within
 * dial_new(); the dial is gone after it.
 */
typedef void dial_done(void *ctx, int fd, const char *why);

/* address NULL or "": refused, through done. */
struct dial *dial_new(uv_loop_t *loop, const char *address, unsigned port, dial_done *done, void *ctx);
/* Gives up without calling done; NULL is fine. */
void dial_free(struct dial *d);
/* "resolve" or "connect": where it stands. */
const char *dial_step(const struct dial *d);

#endif
