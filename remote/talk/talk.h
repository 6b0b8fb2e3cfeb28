/*
 * A conversation with one device: bytes in, bytes out, answers out. No I/O, no clock, no memory of other devices; the
 * poller moves the bytes. The ways to talk are rows of remote/talk/ways.c.
 *
 * Order: opened -> bytes -> identified -> (rounds asked by the poller) -> answers -> round ended.
 */
#ifndef REMOTE_TALK_TALK_H
#define REMOTE_TALK_TALK_H

#include "remote/platform/platform.h"

struct talk;

struct talk_hooks {
	void *ctx;
	/* The system is known (p NULL: unknown or not spoken; text says what it printed). Called once. */
	void (*identified)(void *ctx, const struct platform *p, struct span text);
	/* One reply. device_us: the device's monotonic clock when sampled, 0 if it has none to tell. */
	void (*answered)(void *ctx, const struct probe *probe, const struct answer *a, int64_t device_us);
	/* All replies of the round that talk_ask() began have come. */
	void (*round_ended)(void *ctx, enum cadence cadence);
	/* The conversation cannot go on: expired password, a question we will not answer, not the expected shell. */
	void (*failed)(void *ctx, const char *reason);
};

/* nonce: 16 random hex digits; marks our own lines, so that noise and hostile output cannot fake them. */
struct talk *talk_sh_new(const char *nonce, const struct talk_hooks *hooks);
/* To a talk_sh before it is identified: ports its program names (collector_program_for()), lent for its life. */
void talk_sh_name_ports(struct talk *talk, const char *names);
struct talk *talk_cli_new(const struct talk_hooks *hooks);
void talk_free(struct talk *t);

/* Bytes from the device. */
void talk_feed(struct talk *t, struct span bytes);
/* Bytes to send: a buffer the caller drains from its front with talk_sent(). */
struct span talk_to_send(const struct talk *t);
void talk_sent(struct talk *t, size_t n);

/* Begins a round of every probe of that cadence; false while another round runs or before it is identified. */
bool talk_ask(struct talk *t, enum cadence cadence);
/*
 * Begins a round between two questions of the round that runs, which goes on after it; the end of each is told. False where
 * a round cannot be interrupted (talk_may_interrupt()), or one already is.
 */
bool talk_ask_between(struct talk *t, enum cadence cadence);
bool talk_may_interrupt(const struct talk *t);
/*
 * The running round has had its time: it ends after the running question. A switch asked port by port may need many
 * rounds to get through; the next round of that cadence goes on with the port questions that were left.
 */
void talk_hurry(struct talk *t);
/* What another conversation with the same device was answered: which ports there are to ask about. */
void talk_hear(struct talk *t, const struct probe *probe, const struct answer *a);
/* How many questions the running round's cadence has that are asked port by port; 0 where they cost no turn each. */
size_t talk_port_questions(const struct talk *t);
/* The probe now being answered, for error texts; NULL between rounds. */
const char *talk_step(const struct talk *t);
/* The deadline of the running question has passed: what came so far is given as a partial answer, and it goes on if it can. */
void talk_timeout(struct talk *t);
/* The channel ended. A running answer is given as partial. */
void talk_closed(struct talk *t);

#define TALK_REPLY_MAX	(4u << 20)	/* bytes of one reply; more is cut and marked partial */

/* What each kind of talk does; a talk begins with struct talk. */
struct talk_ops {
	void (*free)(struct talk *t);
	void (*feed)(struct talk *t, struct span bytes);
	bool (*ask)(struct talk *t, enum cadence cadence);
	bool (*ask_between)(struct talk *t, enum cadence cadence);	/* NULL: a round is one turn */
	void (*hurry)(struct talk *t);				/* likewise */
	size_t (*port_questions)(const struct talk *t);		/* likewise */
	void (*hear)(struct talk *t, const struct probe *probe, const struct answer *a);	/* NULL: it finds its ports itself */
	const char *(*step)(const struct talk *t);
	void (*timeout)(struct talk *t);
	void (*closed)(struct talk *t);
};
struct talk {
	const struct talk_ops *ops;
	struct talk_hooks hooks;
	struct buf out;
};

#endif
