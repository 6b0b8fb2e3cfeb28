#include "tui/widgets/hit_areas.h"

void hit_areas_add(struct hit_areas *s, int y, int x, int width, enum command command)
{
	if (s->n < SPOTS_MAX)
		s->list[s->n++] = (struct spot){ y, x, width, command };
}

enum command hit_areas_at(const struct hit_areas *s, int y, int x)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].y == y && x >= s->list[i].x && x < s->list[i].x + s->list[i].width)
			return s->list[i].command;
	return DO_NOTHING;
}
