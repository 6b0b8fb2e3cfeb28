/*
 * Frames: what a collector prints, cut into its replies. Between marker lines, which carry our nonce, anything may
 * stand: a login script's greeting before the first, binary or endless output inside one.
 *
 *	@NONCE begin PROBE PORT UPTIME		PORT "-": of the host itself; UPTIME "-": not told
 *	… the reply …
 *	@NONCE end STATUS
 *	@NONCE WORD [WORD]			hello, round live, …
 */
#ifndef REMOTE_TALK_COLLECTOR_FRAMES_H
#define REMOTE_TALK_COLLECTOR_FRAMES_H

#include "core/base/mem.h"

#define MARKER_MAX 256

struct frames_hooks {
	void *ctx;
	/* A reply is complete. port.n == 0: of the host. device_us 0: not told. text is lent until it returns. */
	void (*reply)(void *ctx, struct span probe, struct span port, int64_t device_us, int status, struct span text,
		      bool is_cut);
	/* More of the open frame's text, in pieces that end anywhere, before its reply; NULL: not wanted. */
	void (*part)(void *ctx, struct span text);
	/* A marker line of its own: its words after the nonce. */
	void (*mark)(void *ctx, struct span words);
};

struct collector_frames {
	struct frames_hooks hooks;
	char marker[32];		/* "@NONCE " */
	size_t max;			/* bytes kept of one reply */
	char head[MARKER_MAX];		/* of the open frame: "PROBE PORT UPTIME" */
	bool is_open, is_cut;
	bool is_late;			/* its reply was given early: what still comes is not wanted */
	bool in_line;			/* what comes continues a line that is no marker */
	struct buf line;		/* the beginning of a line that may become a marker */
	struct buf body;
};

void collector_frames_init(struct collector_frames *f, const char *nonce, size_t max, const struct frames_hooks *hooks);
void collector_frames_done(struct collector_frames *f);
void collector_frames_feed(struct collector_frames *f, struct span bytes);
/* Gives what the open frame holds so far as a cut reply (status -1); false when none is open. */
bool collector_frames_give_up(struct collector_frames *f);
/* The probe of the open frame; n == 0 when none is open. */
struct span collector_frames_open_probe(const struct collector_frames *f);
#endif
