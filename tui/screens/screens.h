/*
 * The screens together: what the console asks of whichever is up. Only this file's table knows them all; what they share lies
 * below them in views.h, port_rows.h and reach.h.
 */
#ifndef TUI_SCREENS_SCREENS_H
#define TUI_SCREENS_SCREENS_H

#include "tui/screens/screen.h"

extern const struct screen *const screen_table[SCREEN_COUNT];

void screens_done(struct views *v);
/* Before the model goes away: what is held of it is let go. */
void screens_forget(struct views *v);
/* As if the screen had never been looked at. */
void screens_reset(struct views *v, enum screen_id id);
/* What lies over a screen's list is left; false: nothing does. */
bool screens_back(struct views *v, enum screen_id id);
/* A key on a screen: the list's keys, then the screen's own. */
struct intent screens_key(enum screen_id id, const struct view_of *of, struct views *v, enum command command,
			  struct page *page);
/* Tab goes to the screen's next pane, and to the next screen where this is false. */
bool screens_next_pane(enum screen_id id, const struct view_of *of, struct views *v, int by);
/* What the cursor of a screen is on: d, f, =, x, o, y and e are all about it. */
struct subject screens_subject(enum screen_id id, const struct view_of *of, struct views *v);
/* A screen's list; false when it has none. */
bool screens_source(enum screen_id id, const struct view_of *of, struct views *v, struct table_source *s);
/* Of a screen's list; NULL names when it has none. free() the names. */
const char **screens_filter_names(enum screen_id id, const struct view_of *of, struct views *v);
/* What a person made of a screen's list, as a line of text and back; nothing when it has none. */
void screens_save(enum screen_id id, const struct view_of *of, struct views *v, struct buf *out);
void screens_restore(enum screen_id id, const struct view_of *of, struct views *v, struct span text);

#endif
