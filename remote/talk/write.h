/* The two conversations of a write session (remote/poll/write_session.h). Pure, as every talk: bytes in, bytes out. */
#ifndef REMOTE_TALK_WRITE_H
#define REMOTE_TALK_WRITE_H

#include "remote/talk/talk.h"

enum write_kind {
	WRITE_SHELL,		/* a script for /bin/sh of the device: on its standard input, or through "system bash" */
	WRITE_CLI,		/* one line at a switch's command line */
	WRITE_TEST,		/* a script for a shell that keeps the session's input, to end with it: the last of its session */
};

struct talk_write_hooks {
	void *ctx;
	void (*answered)(void *ctx, int status, struct span output);	/* as of write_session_hooks */
	void (*heard)(void *ctx, struct span lines);	/* likewise */
};

/* The face of the two; each begins with it. */
struct talk_write {
	struct talk talk;
	struct talk_write_hooks said;
	void (*say)(struct talk_write *t, enum write_kind how, const char *text);
};

#define WRITE_OUTPUT_MAX	(64u << 10)	/* bytes kept of one answer */

/* Each identifies as its kin for reading does (hooks->identified), then waits for talk_write_say(). */
struct talk *talk_write_sh_new(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said);
struct talk *talk_write_cli_new(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said);
/* All that each says for this script, if it is the first of its session: the guard compares. */
void talk_write_sh_transcript(const char *nonce, const char *text, struct buf *out);
void talk_write_sh_test_transcript(const char *nonce, const char *text, struct buf *out);
void talk_write_cli_transcript(const char *nonce, const char *text, struct buf *out);
void talk_write_say(struct talk *t, enum write_kind how, const char *text);

#endif
