/*
 * The console's side of a fix: the plan that is in hand, whether this console may write, and what is being done with the plan.
 * The application has one and passes it the intents about fixes; the screens see it as a struct fix_view. What it does to devices is
 * tui/fixing/fixing.h's; leaving it undone is always safe, since devices take back by themselves what nobody keeps.
 */
#ifndef TUI_CONSOLE_FIX_CONTROLLER_H
#define TUI_CONSOLE_FIX_CONTROLLER_H

#include "tui/console/stage.h"
#include "tui/session/session.h"

struct fix_controller;

struct fix_controller_options {
	uv_loop_t *loop;
	struct stage *stage;		/* where it says what happened */
	struct poller_options poller;	/* how devices are reached */
	int64_t undo_us, verify_us;	/* --undo-after; --verify-for, of plans made here; 0: as usual */
	const char *armed_for;		/* from the beginning, for this reason; lent until then; NULL: read-only */
	bool is_read_only;		/* as configured */
	bool needs_signature;		/* approval: signature: nothing is applied from the screens */
	void *ctx;
	void (*ask)(void *ctx, unsigned id, const struct question *q);
};

struct fix_controller *fix_controller_new(const struct fix_controller_options *options);
void fix_controller_free(struct fix_controller *d);
/* Another session to plan from. Says which plans were begun and not ended. */
void fix_controller_begin(struct fix_controller *d, struct session *s);
/* Before session and loop go: lets go of what is being done, at once, as a kill would; and reads only from now on. */
void fix_controller_end(struct fix_controller *d);

/* False: the intent is about something else. */
bool fix_controller_act(struct fix_controller *d, const struct view_of *of, const struct intent *i);
/* True when a countdown or a state moved. */
bool fix_controller_tick(struct fix_controller *d);
/* As of now; until the next call. */
const struct fix_view *fix_controller_view(struct fix_controller *d);

/* Something is changed on a device, or being changed, that is neither kept nor taken back. */
bool fix_controller_is_busy(const struct fix_controller *d);
/* Begins to take it back; busy until it is. */
void fix_controller_take_back(struct fix_controller *d);
/* What becomes of it when nobody waits: "leaf1 takes it back by itself in 09:41". Nothing when nothing is armed. */
void fix_controller_left_words(struct fix_controller *d, struct buf *out);

#endif
