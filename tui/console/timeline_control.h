/*
 * Which moment is shown: now, one that is held while collecting goes on, or any of a recording. Live, History's
 * cursor alone moves, as far back as is remembered. All movements through time are made here; what the stage holds of a
 * model is let go before and found again after each.
 */
#ifndef TUI_CONSOLE_TIMELINE_CONTROL_H
#define TUI_CONSOLE_TIMELINE_CONTROL_H

#include "tui/console/stage.h"
#include "tui/session/session.h"

struct timeline_control {
	struct session *session;
	struct stage *stage;
	bool is_playing;
	unsigned speed;		/* of playing: so many times as it was */
	bool has_moved;		/* since the last tick */
	uint64_t serial;	/* moves when anything shown may have */
};

void timeline_control_begin(struct timeline_control *t, struct session *s, struct stage *stage);
/* So much time has passed: a replay that plays moves by it. True when the picture may have changed. */
bool timeline_control_tick(struct timeline_control *t, int64_t passed_us);
/* The whole history of the moment that was only glanced at. True when there is more to be seen. */
bool timeline_control_settle(struct timeline_control *t);
/* Acts on an intent that is about time; false: it is not. */
bool timeline_control_act(struct timeline_control *t, const struct intent *i);
/* All that the screens may read, at that moment. */
void timeline_control_view(const struct timeline_control *t, struct view_of *of);

#endif
