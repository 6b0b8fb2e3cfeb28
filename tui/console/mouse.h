/*
 * The mouse, for those who ask for it: the wheel moves, a click takes the cursor to a row, a tab or a key of the key bar, a
 * click on a column's heading sorts by it, a double click opens. It does what keys do, and nothing that no key does.
 */
#ifndef TUI_CONSOLE_MOUSE_H
#define TUI_CONSOLE_MOUSE_H

#include "tui/console/stage.h"

enum mouse_is { MOUSE_CLICK, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct intent stage_mouse(struct stage *s, const struct view_of *of, enum mouse_is what, int y, int x);

/* After KEY_MOUSE: what it was. Presses at one place within a moment are a double click. False: nothing for us. */
bool mouse_read(uint64_t now_ms, enum mouse_is *what, int *y, int *x);

#endif
