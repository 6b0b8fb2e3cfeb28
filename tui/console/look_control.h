/*
 * How the console looks and listens, as the person sets it while it runs: the theme, the mouse, and what else is in the
 * settings. It has the terminal look so, and the theme that was chosen kept with the state of the screens. The overlay is
 * tui/console/settings.h. Called by tui/console/app.c alone, with the intents about the look.
 */
#ifndef TUI_CONSOLE_LOOK_CONTROL_H
#define TUI_CONSOLE_LOOK_CONTROL_H

#include "tui/console/stage.h"
#include "tui/console/state.h"
#include "tui/widgets/terminal.h"

/* Filled in by the loop before it begins; there is nothing to release. */
struct look_control {
	struct terminal *terminal;	/* not begun: lines, which have no look */
	struct stage *stage;
	struct state *state;
};

/* The theme of the last session; one that is gone since is passed over. */
void look_control_take_up(struct look_control *c);
/* Acts on an intent that is about the look; false: it is not. */
bool look_control_act(struct look_control *c, const struct intent *i);

#endif
