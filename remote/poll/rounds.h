/*
 * Which conversation asks what, and when: the periods of a host's rounds, what is due, and the periods that are kept.
 */
#ifndef REMOTE_POLL_ROUNDS_H
#define REMOTE_POLL_ROUNDS_H

#include "remote/poll/reach.h"

/* The first round that is due in this conversation. */
bool rounds_due(const struct conversation *c, enum cadence *cadence);
/* So is a live round, while one of settings runs in the only conversation: it may begin between two questions of that. */
bool rounds_due_between(const struct conversation *c);
/* It begins now, or between: the next time of that cadence is set. */
void rounds_begin(struct conversation *c, enum cadence cadence);
void rounds_ended(struct conversation *c, enum cadence cadence);
/* An answer to this probe has come. */
void rounds_answered(struct conversation *c, const struct probe *probe);
/* When the next round of this conversation is due; INT64_MAX: not before the one that runs has ended. */
int64_t rounds_next_us(const struct conversation *c);
/* A live round that takes longer than its period ends early. */
bool rounds_have_had_their_time(const struct conversation *c);
/* The period to tell with an answer: the one that is kept. */
int64_t rounds_period_us(const struct conversation *c, const struct probe *probe);
/* A new session: everything is due, and no pace is known. */
void rounds_forget(struct reach *r);
void rounds_hasten(struct reach *r);

#endif
