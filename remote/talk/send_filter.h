/*
 * The guard: the last place before the transport. A session without a permit may send only what the tables hold: to a
 * shell the identification, its platform's collector and the collector's words; to a switch's command line its platform's
 * questions with an allowlisted port put in. An errand without one may say the one script that only looks, word for word
 * and once, in place of questions. Whatever a talk wants to say beyond that is not sent, and ends the session.
 */
#ifndef REMOTE_TALK_SEND_FILTER_H
#define REMOTE_TALK_SEND_FILTER_H

#include "remote/talk/way.h"
#include "remote/talk/write_permit.h"

#define GUARD_LINE_MAX 640	/* the longest line of a script that is put over to a switch's shell has 480 */

struct send_filter {
	const struct write_permit *permit; /* with one everything may be said */
	const struct talk_way *way;
	char nonce[20];
	const struct platform *platform;	/* NULL: not identified yet */
	const char *names;		/* ports that its program names; lent, or NULL */
	bool may_fill;			/* the word that fills neighbor tables may be told */
	const char *look;		/* lent; of an errand: the script that may be said all the same, or NULL */
	struct buf known;		/* what must be said word for word: by take_known first, else in lines one after the other */
	struct send_at {
		size_t told;		/* of known */
		size_t n;
		char line[GUARD_LINE_MAX];	/* that is not ended yet */
	} at;
};

/* The ports that its program names (see collector_program_for()), lent until then; before it is identified. */
void send_filter_name_ports(struct send_filter *g, const char *names);
/* A person asked for neighbor tables to be filled: the word for it may be told. */
void send_filter_let_fill(struct send_filter *g);
void send_filter_init(struct send_filter *g, const struct talk_way *way, const char *nonce, const struct write_permit *permit);
/* Before the system is known; text: of device_undo_look(). */
void send_filter_let_look(struct send_filter *g, const char *text);
void send_filter_done(struct send_filter *g);
/* The system is known: from now on its platform's questions may be asked. */
void send_filter_identified(struct send_filter *g, const struct platform *p);

/* Rules of the ways (remote/talk/way.h): of a shell, and of a switch's command line. */
bool send_filter_take_known(const struct send_filter *g, struct send_at *at, struct span *out);
bool send_filter_may_tell(const struct send_filter *g, struct send_at *at, struct span line);
bool send_filter_may_type(const struct send_filter *g, struct send_at *at, struct span line);

/* Whether all of it may be sent next; false, with the line that may not, made harmless. */
bool send_filter_allows(const struct send_filter *g, struct span out, struct err *err);
/* So much of it was sent. */
void send_filter_sent(struct send_filter *g, struct span sent);

#endif
