/* Places of a frame that stand for a command, tabs and the key bar, as they were drawn: for the mouse. */
#ifndef TUI_WIDGETS_HIT_AREAS_H
#define TUI_WIDGETS_HIT_AREAS_H

#include "tui/widgets/keys.h"

#define SPOTS_MAX 48

struct hit_areas {
	struct spot {
		int y, x, width;
		enum command command;
	} list[SPOTS_MAX];
	size_t n;
};

void hit_areas_add(struct hit_areas *s, int y, int x, int width, enum command command);
enum command hit_areas_at(const struct hit_areas *s, int y, int x);

#endif
