/*
 * The console's side of a bring-up: the permit to send test traffic, the tests that run, what a person sets aside, and the sheet. The
 * screens see it as a struct bringup_now. It changes no setting of a device.
 */
#ifndef TUI_CONSOLE_BRINGUP_CONTROLLER_H
#define TUI_CONSOLE_BRINGUP_CONTROLLER_H

#include "tui/bringup/bringup_now.h"
#include "tui/console/stage.h"
#include "tui/session/session.h"

struct bringup_controller;

struct bringup_controller_options {
	uv_loop_t *loop;
	struct stage *stage;		/* where it says what happened */
	struct poller_options poller;	/* how hosts are reached */
	bool is_read_only;		/* as configured */
};

struct bringup_controller *bringup_controller_new(const struct bringup_controller_options *options);
void bringup_controller_free(struct bringup_controller *b);
/* Another session. */
void bringup_controller_begin(struct bringup_controller *b, struct session *s);
/* Before session and loop go: ends what runs, and waits for that. */
void bringup_controller_end(struct bringup_controller *b);

/* False: the intent is about something else too. */
bool bringup_controller_act(struct bringup_controller *b, const struct intent *i);
/* True when what is shown of it has changed. */
bool bringup_controller_tick(struct bringup_controller *b);
/* As of now; until the next call. */
const struct bringup_now *bringup_controller_now(struct bringup_controller *b);

#endif
