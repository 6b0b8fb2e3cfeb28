/*
 * The palette: what the ":" prompt offers for what is typed so far. Commands by their names and help words, best first,
 * each with the key that does it; behind a command, the words that it takes. The row that Enter takes is marked.
 */
#ifndef TUI_CONSOLE_PALETTE_H
#define TUI_CONSOLE_PALETTE_H

#include "tui/console/stage.h"

/* Offers for what is typed; does nothing when that was done already. */
void palette_update(struct palette *p, const struct stage *s, const struct view_of *of, const char *typed);
void palette_done(struct palette *p);
void palette_move(struct palette *p, int by);
/* The line that Enter takes; NULL: nothing fits. */
const char *palette_line(const struct palette *p);
/* The line that Tab makes of what is typed. */
const char *palette_completion(struct palette *p, const char *typed);
/* The command whose name is nearest to a word that is none; NULL: none is near. */
const char *palette_nearest(struct span word);
/* Above the last row. */
void palette_draw(const struct palette *p, const struct draw *d);

#endif
