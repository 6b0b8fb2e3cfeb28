/* Places of a frame that stand for a command, tabs and the key bar, as they were drawn: for the mouse. */
#ifndef TUI_WIDGETS_HIT_AREAS_H
#define TUI_WIDGETS_HIT_AREAS_H

#include "tui/widgets/keys.h"

#define SPOTS_MAX 48

struct spots {
	struct spot {
		int y, x, width;
		enum command command;
	} list[SPOTS_MAX];
	size_t n;
};

void spots_add(struct spots *s, int y, int x, int width, enum command command);
enum command spots_at(const struct spots *s, int y, int x);

#endif
