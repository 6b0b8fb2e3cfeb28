/*
 * The overlay on F2: what a person may set while the console runs. A row a setting; a value is seen on the whole screen as
 * soon as it is chosen, Enter keeps it, Esc takes everything back, w writes it to config.yaml for the next time.
 */
#ifndef TUI_CONSOLE_SETTINGS_H
#define TUI_CONSOLE_SETTINGS_H

#include "tui/widgets/draw.h"
#include "tui/widgets/terminal.h"
#include "tui/widgets/themes.h"

struct settings {
	bool is_open;
	size_t row;
	struct look look, before;	/* as it is now, and for Esc */
	struct theme_names themes;
};

void settings_open(struct settings *s, const struct look *look);
void settings_close(struct settings *s);
/* One key, as curses tells it. True: look has changed, or is to be written (*writes). */
bool settings_key(struct settings *s, int code, bool *writes);
void settings_draw(const struct settings *s, const struct draw *d);

/* Puts what differs from what is set already into the person's config.yaml. */
bool look_write(const struct look *look, struct err *err);

#endif
