/*
 * Acknowledgements: somebody knows of a finding, says why, and until when. One is by check and place; it ends when the
 * finding closes, when it grows worse or when its time is over, so it never hides what nobody has seen.
 *
 * The written form, in the state file behind its time, and in a recording's event:
 *
 *	fail trust-same at node1:eth2 - leaf1:ethernet1/1/1 until 2026-09-12T22:32:07Z: waits for the window tonight
 */
#ifndef CORE_JUDGE_ACK_H
#define CORE_JUDGE_ACK_H

#include "core/judge/check.h"

#define ACK_USUAL_US	(8 * 3600 * SECOND)

struct ack {
	char *check, *where, *reason;	/* owned */
	enum verdict severity;		/* that was acknowledged */
	int64_t at_us, until_us;
	int64_t ended_us;		/* 0: not yet; of a recording, whose acknowledgements are all known at once */
};

struct acks {
	struct ack *list;		/* owned, oldest first */
	size_t n, cap;
};

void acks_done(struct acks *a);

/* "2h until the window", "tomorrow reboot planned", "14:30 …": until when (or the usual time), and why, which must be said. */
bool ack_typed(const char *typed, int64_t now_us, int64_t *until_us, const char **reason, struct err *err);

/* Takes the place of an earlier one of the same check and place. Lent until the next change. */
const struct ack *acks_add(struct acks *a, const char *check, const char *where, enum verdict severity, const char *reason,
			   int64_t at_us, int64_t until_us);
/* The one that holds for a finding at a time, or NULL: also when it has grown worse since. */
const struct ack *acks_of(const struct acks *a, const struct finding *f, int64_t now_us);
void acks_remove(struct acks *a, const struct ack *ack);
/* Takes away those that end, after telling each and why. Returns how many. */
size_t acks_settle(struct acks *a, const struct findings *f, int64_t now_us,
		   void (*ended)(void *ctx, const struct ack *ack, const char *why), void *ctx);

/* Adds the written form; and of all, a line each with its time before it. */
void ack_print(const struct ack *ack, struct buf *out);
void acks_print(const struct acks *a, struct buf *out);
/* Adds one as a recording's event tells it; false when it is none. */
bool acks_read_line(struct acks *a, struct span line, int64_t at_us);
/* Adds all of a text; returns the lines that were not understood. */
size_t acks_read(struct acks *a, struct span text);
/* "fail trust-same at PLACE: why": the end of one, as an event; and back. */
void ack_print_end(const struct ack *ack, const char *why, struct buf *out);
bool acks_read_end(struct acks *a, struct span line, int64_t at_us);

#endif
