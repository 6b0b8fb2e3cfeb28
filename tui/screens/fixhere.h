/* A fix for what the cursor of a screen is on: its finding, its link or its device. */
#ifndef TUI_SCREENS_FIXHERE_H
#define TUI_SCREENS_FIXHERE_H

#include "tui/screens/screens.h"

/* An intent to plan it, or words why there is nothing to be planned. */
struct intent fix_here(const struct view_of *of, struct views *v, enum screen_id screen);

#endif
