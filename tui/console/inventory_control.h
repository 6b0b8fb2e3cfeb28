/*
 * Which hosts the console has, as its inventory: at the first run those typed are tried and then kept, and those named on the
 * command line are kept by :keep-hosts. The form is tui/console/first_run.h; the session is the loop's to open, which lends
 * the two functions for it. Called by tui/console/app.c alone, with the intents about the inventory.
 */
#ifndef TUI_CONSOLE_INVENTORY_CONTROL_H
#define TUI_CONSOLE_INVENTORY_CONTROL_H

#include "tui/console/notes.h"
#include "tui/console/stage.h"

/* Filled in by the loop before it begins; there is nothing to release. */
struct inventory_control {
	struct stage *stage;
	struct notes *notes;		/* those of the fabric; read again once it has a name */
	const char *names;		/* of the hosts, as given; lent; NULL: none were */
	bool offers_keeping;		/* how they are kept is to be said */
	void *ctx;
	/* Opens a session on the inventory, to try it or to stay with it; false, and why: the session before goes on. */
	bool (*reopen)(void *ctx, const char *inventory, bool stays, struct err *err);
	/* Goes on with the inventory in the session that is there, with its connections; false, and why, when that cannot be. */
	bool (*keep)(void *ctx, const char *inventory, struct err *err);
};

/* Says how the hosts of the command line are kept, once, when the first of them has answered. True: it was said now. */
bool inventory_control_offer(struct inventory_control *c, const struct view_of *of);
/* Acts on an intent that is about the inventory; false: it is not. */
bool inventory_control_act(struct inventory_control *c, const struct view_of *of, const struct intent *i);

#endif
