/*
 * The allowlist for everything that is sent, directly in front of the transport. A session without a write permit may send
 * only what is in the tables. To a shell: the identification script, the collector of its platform, and the collector's
 * command words. To a switch CLI: the probe commands of its platform, with an allowlisted port name filled in. A write session
 * without a permit may send one query script (device_undo_look()), exactly and once, instead of probes. Anything else is not
 * sent and ends the session.
 */
#ifndef REMOTE_TALK_SEND_FILTER_H
#define REMOTE_TALK_SEND_FILTER_H

#include "remote/talk/way.h"
#include "remote/talk/write_permit.h"

#define GUARD_LINE_MAX 640	/* the longest line of a script for a switch shell has 480 bytes */

struct send_filter {
	const struct write_permit *permit; /* with a permit everything is allowed */
	const struct talk_way *way;
	char nonce[20];
	const struct platform *platform;	/* NULL: not identified yet */
	const char *names;		/* port names for its collector program; lent, or NULL */
	bool may_fill;			/* the command word that fills neighbor tables is allowed */
	const char *look;		/* lent; the one script that a write session may send without a permit; or NULL */
	bool look_is_test;		/* it tests links, with a permit of its own (write_session_let_test()) */
	struct buf known;		/* the text that must be sent exactly: before anything else where the way has take_known, else line by line */
	struct send_at {
		size_t told;		/* bytes of known that were sent */
		size_t n;
		char line[GUARD_LINE_MAX];	/* the unfinished line */
	} at;
};

/* Sets the port names for the collector program (see collector_program_for()), lent until identification. Call it before. */
void send_filter_name_ports(struct send_filter *g, const char *names);
/* A person requested that neighbor tables be filled: allows the command word for it. */
void send_filter_let_fill(struct send_filter *g);
void send_filter_init(struct send_filter *g, const struct talk_way *way, const char *nonce, const struct write_permit *permit);
/* Allows the query script text of device_undo_look(). Call it before the system is identified. */
void send_filter_let_look(struct send_filter *g, const char *text);
/* The same of a script that tests links. */
void send_filter_let_test(struct send_filter *g, const char *text);
void send_filter_done(struct send_filter *g);
/* The system is identified: from now on the probes of its platform are allowed. */
void send_filter_identified(struct send_filter *g, const struct platform *p);

/* Rules of the ways (remote/talk/way.h): for a shell, and for a switch CLI. */
bool send_filter_take_known(const struct send_filter *g, struct send_at *at, struct span *out);
bool send_filter_may_tell(const struct send_filter *g, struct send_at *at, struct span line);
bool send_filter_may_type(const struct send_filter *g, struct send_at *at, struct span line);

/* True when all of out may be sent next. False: err quotes the rejected line, made printable. */
bool send_filter_allows(const struct send_filter *g, struct span out, struct err *err);
/* Records that these bytes were sent. */
void send_filter_sent(struct send_filter *g, struct span sent);

#endif
