/*
 * What a person adds to a session and no device says: findings acknowledged, answers on Diagnose, counters zeroed, a baseline.
 * All but the zeros, which are kept with the state of the screens, are in files of the fabric or events of the recording.
 */
#ifndef TUI_CONSOLE_NOTES_H
#define TUI_CONSOLE_NOTES_H

#include "tui/console/stage.h"
#include "tui/session/acked.h"
#include "tui/session/session.h"

struct notes {
	struct session *session;
	struct stage *stage;
	struct acked acked;
	struct baseline baseline;
};

/* Reads those of the fabric; what cannot be read is said on the stage. */
void notes_begin(struct notes *n, struct session *s, struct stage *stage);
/* The session was opened anew. */
void notes_follow(struct notes *n, struct session *s);
/* The fabric has got a name: the acknowledgements are those of that name. */
void notes_of_named_fabric(struct notes *n);
void notes_done(struct notes *n);

/* Acknowledgements of findings that are over, worse or late end. */
void notes_tick(struct notes *n);
/* Acts on an intent that is about notes; false: it is not. */
bool notes_act(struct notes *n, const struct intent *i);
void notes_view(const struct notes *n, struct view_of *of);

#endif
