/*
 * The ways to talk to a device: a row each in ways.c. A row says what the session's channel is, who converses on it, and what the
 * send filter lets pass; a platform's row names its way.
 */
#ifndef REMOTE_TALK_WAY_H
#define REMOTE_TALK_WAY_H

#include "remote/talk/talk.h"
#include "remote/talk/write.h"

struct send_filter;
struct send_at;

struct talk_way {
	const char *id;			/* WAY_SH */
	const char *title;		/* "shell" */
	const char *otherwise;		/* the way that is tried when this one found no system that is known */
	const char *program;		/* that the channel executes; NULL: its channel is the login shell on a PTY */
	bool fills_neighbors;		/* it can be told to fill the neighbor table */

	/* The conversation that reads; ports: counted though they have no hardware, lent for its life, or NULL. */
	struct talk *(*read)(const char *nonce, const char *ports, const struct talk_hooks *hooks);
	struct talk *(*write)(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said);

	/*
	 * What the send filter lets pass without a permit. The first three add to the text that must be sent word for word:
	 * before the system is known, once it is, and of a write session that only looks. NULL: there is no such text.
	 */
	void (*identification)(const char *nonce, struct buf *known);
	void (*questions)(const struct platform *p, const char *nonce, const char *ports, struct buf *known);
	void (*looking)(const char *nonce, const char *script, struct buf *known);
	/* Takes what is known off the front of out, byte for byte; false when out is something else. NULL: it comes as lines. */
	bool (*take_known)(const struct send_filter *g, struct send_at *at, struct span *out);
	bool (*may_send)(const struct send_filter *g, struct send_at *at, struct span line);
};

extern const struct talk_way talk_ways[];
extern const size_t talk_way_count;

/* NULL: there is none, or id is NULL. */
const struct talk_way *talk_way_find(const char *id);
/* How to open the first channel, from the inventory's hint (or NULL) and the SSH banner (or empty). NULL: it is left alone. */
const struct talk_way *talk_way_guess(const char *platform_hint, struct span banner);

#endif
