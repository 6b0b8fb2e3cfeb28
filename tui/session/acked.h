/*
 * The acknowledgements of one fabric: kept in its state file from one session to the next and told to the recording; of a
 * replay, what the recording tells. See core/judge/ack.h for what one is and when it ends.
 */
#ifndef TUI_SESSION_ACKED_H
#define TUI_SESSION_ACKED_H

#include "core/judge/ack.h"
#include "tui/session/events.h"
#include "tui/session/session.h"

struct acked {
	struct acks acks;
	char *path;		/* owned; NULL: kept nowhere */
};

/* Of a live session. What cannot be read is left out: err says how much, and the file is not overwritten unread. */
bool acked_open(struct acked *a, const char *fabric, struct err *err);
void acked_of_recording(struct acked *a, const struct events *e);
void acked_done(struct acked *a);

/* Acknowledges one finding, or with together all that say the same; typed: until when and why. n: how many it was. */
bool acked_add(struct acked *a, struct session *s, const struct finding *f, bool together, const char *typed, size_t *n,
	       struct err *err);
/* Takes the last one back; where (or NULL) gets its place. */
bool acked_take_back(struct acked *a, struct session *s, char where[160], struct err *err);
/* Ends those whose time is over, that closed or grew worse. */
void acked_settle(struct acked *a, struct session *s);

#endif
