#include "tui/console/mouse.h"

#define WHEEL_ROWS 3
#define DOUBLE_MS 400

bool mouse_read(uint64_t now_ms, enum mouse_is *what, int *y, int *x)
{
	static uint64_t pressed_ms;
	static int last_y = -1, last_x = -1;
	MEVENT e;

	if (getmouse(&e) != OK)
		return false;
	*y = e.y;
	*x = e.x;
	if (e.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
		*what = e.bstate & BUTTON4_PRESSED ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
		return true;
	}
	*what = e.y == last_y && e.x == last_x && now_ms - pressed_ms < DOUBLE_MS ? MOUSE_DOUBLE : MOUSE_CLICK;
	last_y = *what == MOUSE_DOUBLE ? -1 : e.y;	/* a third press begins anew */
	last_x = e.x;
	pressed_ms = now_ms;
	return e.bstate & BUTTON1_PRESSED;
}

static struct intent wheel(struct stage *s, const struct view_of *of, enum command command)
{
	struct intent i = { .is = INTENT_DONE };

	for (int n = 0; n < WHEEL_ROWS && i.is == INTENT_DONE; n++)
		if (key_of(command, s->has_page ? SCREEN_PAGE : s->screen))
			i = stage_command(s, of, command);
	return i;
}

static void sort_by(struct table *t, size_t column)
{
	if (t->n_sort && t->sort[0].column == column)
		table_invert(t);
	else
		table_sort_by(t, column);
}

static struct intent click_table(struct stage *s, const struct view_of *of, enum mouse_is what, int y, int x)
{
	struct table *t = &s->views.tables[s->screen];
	struct intent done = { .is = INTENT_DONE };
	struct table_source list;
	size_t column, place;

	if (!screens_source(s->screen, of, &s->views, &list))
		return done;
	table_update(t, &list);
	if (table_column_at(t, &list, y, x, &column)) {
		if (key_of(DO_SORT, s->screen))
			sort_by(t, column);
		return done;
	}
	if (!table_place_at(t, y, &place))
		return done;
	table_move(t, &list, (long)place - (long)t->cursor);
	if (what == MOUSE_DOUBLE && key_of(DO_OPEN, s->screen))
		return stage_command(s, of, DO_OPEN);
	return done;
}

struct intent stage_mouse(struct stage *s, const struct view_of *of, enum mouse_is what, int y, int x)
{
	enum command command;

	if (s->first.is || s->questions.n || s->typing.kind != TYPING_NOTHING || s->chooser.is_open || s->settings.is_open ||
	    s->confirm.kind)
		return (struct intent){ .is = INTENT_DONE };	/* what lies over the screen has the keys alone */
	s->message[0] = '\0';
	if (what == MOUSE_WHEEL_UP || what == MOUSE_WHEEL_DOWN)
		return wheel(s, of, what == MOUSE_WHEEL_UP ? DO_UP : DO_DOWN);
	command = hit_areas_at(&s->views.spots, y, x);
	if (command != DO_NOTHING)
		return stage_command(s, of, command);
	if (s->has_page)
		return (struct intent){ .is = INTENT_DONE };
	return click_table(s, of, what, y, x);
}
