#include "tui/console/look_control.h"

#include <stdio.h>
#include <string.h>

#include "tui/widgets/themes.h"

static void take_look(struct look_control *c, const struct look *look)
{
	struct err err;

	if (strcmp(look->theme, c->terminal->look.theme))
		snprintf(c->state->theme, sizeof(c->state->theme), "%s", look->theme);
	if (!terminal_take_look(c->terminal, look, &err))
		stage_say(c->stage, "%s", err.text);
}

static void next_theme(struct look_control *c, const char *name)
{
	struct look look = c->terminal->look;
	struct theme t;
	struct err err;

	if (!c->terminal->draw.with_colour) {
		stage_say(c->stage, "Without colors the only theme is mono.");
		return;
	}
	if (!name)
		name = themes_next(look.theme);
	if (!themes_find(&t, name, &err)) {
		stage_say(c->stage, "%s", err.text);
		return;
	}
	snprintf(look.theme, sizeof(look.theme), "%s", name);
	stage_say(c->stage, "Theme: %s", name);
	take_look(c, &look);
}

static void turn_mouse(struct look_control *c)
{
	struct look look = c->terminal->look;

	if (!c->terminal->is_begun) {
		stage_say(c->stage, "Line mode has no mouse.");
		return;
	}
	look.mouse = !look.mouse;
	stage_say(c->stage, look.mouse ? "The console uses the mouse; :mouse returns it to the terminal to select text." :
		  "The terminal uses the mouse: it selects text.");
	take_look(c, &look);
}

static void open_settings(struct look_control *c)
{
	if (!c->terminal->is_begun)
		stage_say(c->stage, "Line mode has no display settings.");
	else
		settings_open(&c->stage->settings, &c->terminal->look);
}

static void take_settings(struct look_control *c, bool writes)
{
	struct err err;

	take_look(c, &c->stage->settings.look);
	if (writes && look_write(&c->terminal->look, &err))
		stage_say(c->stage, "Written to config.yaml.");
	else if (writes)
		stage_say(c->stage, "%s", err.text);
}

void look_control_take_up(struct look_control *c)
{
	struct look *look = &c->terminal->look;

	if (!*c->state->theme || !themes_find(&c->terminal->theme, c->state->theme, NULL))
		return;
	snprintf(look->theme, sizeof(look->theme), "%s", c->state->theme);
	if (c->terminal->is_begun)
		terminal_dress(c->terminal);
}

bool look_control_act(struct look_control *c, const struct intent *i)
{
	switch (i->is) {
	case INTENT_THEME:	next_theme(c, i->text); return true;
	case INTENT_MOUSE:	turn_mouse(c); return true;
	case INTENT_SETTINGS:	open_settings(c); return true;
	case INTENT_LOOK:	take_settings(c, i->text); return true;
	default:		return false;
	}
}
