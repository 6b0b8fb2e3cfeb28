/*
 * A child process as a connection: its standard input and output are ours to poll, what it writes to stderr is kept, and
 * it is ended and reaped with us. It has no terminal: nothing of it can be typed into, or be drawn over.
 */
#ifndef REMOTE_SSH_PIPE_H
#define REMOTE_SSH_PIPE_H

#include <uv.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define PIPE_SAID_MAX	400	/* bytes of stderr that are kept for messages */

struct pipe_hooks {
	void *ctx;
	/* A line of stderr, without its end; true: it is not kept. May be NULL. */
	bool (*line)(void *ctx, struct span line);
	/* It has ended, and its stderr is read. Called once, never from within a call of yours. */
	void (*ended)(void *ctx);
};

struct pipe;

/*
 * argv[0] is looked for in PATH. wants_tty: its standard input is a terminal that is 511 columns wide, and of TERM dumb.
 * NULL: it cannot be started, and err says why.
 */
struct pipe *pipe_new(uv_loop_t *loop, const char *const *argv, bool wants_tty, const struct pipe_hooks *hooks,
		      struct err *err);
/* Ends it at once, without hooks; gone is called when nothing is left of it, from the loop. NULL is fine. */
void pipe_free(struct pipe *p, void (*gone)(void *ctx), void *ctx);

/* Non-blocking, close-on-exec. Both are the same socket unless it has a terminal. */
int pipe_in(const struct pipe *p);	/* to write to */
int pipe_out(const struct pipe *p);	/* to read from */
/* Takes both: closing is the caller's. Not of one with a terminal. */
int pipe_take(struct pipe *p);

bool pipe_has_ended(const struct pipe *p);
/* 0 .. 255, or 128 + the signal. */
int pipe_status(const struct pipe *p);
/* What it wrote to stderr, in one line, harmless, cut short; "" when nothing. */
const char *pipe_said(const struct pipe *p);

#endif
