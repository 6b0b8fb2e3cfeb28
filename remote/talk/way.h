/*
 * The ways to talk to a device: a row each in ways.c. A row holds what the SSH channel runs, the functions that read and write
 * over it, and what the send filter lets pass on it. The row of a platform names its way.
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
	const char *otherwise;		/* the way to try next when this one does not recognize the system */
	const char *program;		/* what the channel executes; NULL: the login shell, on a PTY */
	bool fills_neighbors;		/* it can send the pings that fill the neighbor table (--ping-neighbors) */

	/* Makes a conversation that reads. ports: interfaces to count although they have no hardware (--fabric-port), or NULL; lent
	 * for the life of the conversation. */
	struct talk *(*read)(const char *nonce, const char *ports, const struct talk_hooks *hooks);
	struct talk *(*write)(const char *nonce, const struct talk_hooks *hooks, const struct talk_write_hooks *said);

	/*
	 * What the send filter lets pass without a permit to write. The first four append texts that may be sent only word for
	 * word: before the system is known, once it is known, and in a write session that only reads, or only tests links. NULL:
	 * there is no such text.
	 */
	void (*identification)(const char *nonce, struct buf *known);
	void (*questions)(const struct platform *p, const char *nonce, const char *ports, struct buf *known);
	void (*looking)(const char *nonce, const char *script, struct buf *known);
	void (*testing)(const char *nonce, const char *script, struct buf *known);	/* of a test of links; NULL: it runs none */
	/* Removes one of these texts from the front of out; false when out begins with anything else. NULL: all is judged by lines. */
	bool (*take_known)(const struct send_filter *g, struct send_at *at, struct span *out);
	/* Any other line: may it be sent? */
	bool (*may_send)(const struct send_filter *g, struct send_at *at, struct span line);
};

extern const struct talk_way talk_ways[];
extern const size_t talk_way_count;

/* NULL: there is none, or id is NULL. */
const struct talk_way *talk_way_find(const char *id);
/* The way to try first, by the inventory's platform hint (or NULL) and the SSH banner (or empty). NULL: do not talk to it. */
const struct talk_way *talk_way_guess(const char *platform_hint, struct span banner);

#endif
