#include "tui/screens/fix_confirm.h"

#include <stdio.h>
#include <string.h>

#define ESC 27
#define CONTROL(c) ((c) & 0x1f)
#define ROWS 8		/* of the frame */

static const struct {
	const char *title, *verb, *what, *before;
} kinds[] = {
	[CONFIRM_APPLY] = { "fabcon asks: apply", "Apply", " Each device arms a rollback timer first: without a keep, it rolls back.",
			    "to start" },
	[CONFIRM_KEEP]	= { "fabcon asks: keep", "Keep", " The rollback timer is canceled; the verified change stays and is saved.", "to keep it" },
	[CONFIRM_FINISH] = { "fabcon asks: finish", "Finish", " The other end is committed or applied again; if that fails, both roll back.",
			     "to finish it" },
	[CONFIRM_UNDO]	= { "fabcon asks: roll back", "Undo", " Each device is rolled back to its state before this plan.", "to roll it back" },
	[CONFIRM_LEAVE] = { "fabcon asks: leave", "Leave", "A fix is in progress.", "" },
};

void confirm_open(struct fixconfirm *c, enum confirm_kind kind, const struct fix_view *f)
{
	struct buf devices = { 0 }, unsaved = { 0 };

	confirm_close(c);
	if (!f || !f->plan || !f->plan->n_steps || kind == CONFIRM_NOTHING)
		return;
	c->kind = kind;
	c->n_devices = fix_devices(f->plan, &devices);
	c->n_steps = f->plan->n_steps;
	c->n_armed = fix_armed(f);
	c->undo_in_us = fix_undo_in_us(f);
	fix_word(f, c->word);
	snprintf(c->devices, sizeof(c->devices), "%s", devices.text);
	snprintf(c->plan, sizeof(c->plan), "%s", f->plan->id);
	snprintf(c->hash, sizeof(c->hash), "%s", f->hash ? f->hash : "");
	typing_begin(&c->field, TYPING_ANSWER, "");
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (!f->plan->steps[i].save.n)
			buf_printf(&unsaved, "%s%s", unsaved.n ? ", " : "", f->plan->steps[i].device);
	snprintf(c->unsaved, sizeof(c->unsaved), "%s", unsaved.n ? unsaved.text : "");
	buf_done(&devices);
	buf_done(&unsaved);
}

void confirm_close(struct fixconfirm *c)
{
	typing_done(&c->field);
	*c = (struct fixconfirm){ 0 };
}

static bool is_typed(const struct fixconfirm *c)
{
	return *c->word && !strcmp(c->field.text, c->word);
}

static enum confirm_said leave_key(int code)
{
	if (code == 'u' || code == 'U')
		return CONFIRM_SAID_UNDO;
	return code == 'l' || code == CONTROL('c') ? CONFIRM_SAID : CONFIRM_CANCELLED;
}

enum confirm_said confirm_key(struct fixconfirm *c, int code)
{
	if (code == ESC)
		return CONFIRM_CANCELLED;
	if (!c->was_drawn)
		return CONFIRM_STAYS;
	if (c->kind == CONFIRM_LEAVE)
		return leave_key(code);
	if (code == CONTROL('c') || code == KEY_F(10))
		return CONFIRM_CANCELLED;
	if (code == '\n' || code == '\r' || code == KEY_ENTER)
		return is_typed(c) ? CONFIRM_SAID : CONFIRM_CANCELLED;
	typing_key(&c->field, code);
	return CONFIRM_STAYS;
}

/* -- the frame -- */

static void row(const struct draw *d, int y, int x, int width, enum role role, const char *text)
{
	draw_cell(d, y, x, width, false, role, text);
}

static void draw_leave(const struct fixconfirm *c, const struct draw *d, int y, int x, int width)
{
	char text[200], left[16];

	countdown_text(c->undo_in_us, left);
	if (c->n_armed)
		snprintf(text, sizeof(text), " l quit: %zu device%s roll%s back by %s own timer%s, first in %s", c->n_armed,
			 c->n_armed == 1 ? "" : "s", c->n_armed == 1 ? "s" : "", c->n_armed == 1 ? "its" : "their",
			 c->n_armed == 1 ? "" : "s", left);
	else
		snprintf(text, sizeof(text), " l quit: no rollback timer is armed now");
	row(d, y++, x, width, ROLE_IS_DIALOG, " It is not finished: some devices may be changed but not committed.");
	row(d, y++, x, width, ROLE_IS_DIALOG, " u roll back now what was started, then quit");
	row(d, y++, x, width, ROLE_IS_DIALOG, text);
	row(d, y, x, width, ROLE_IS_KEY, " any other key: stay");
}

static void draw_typed(struct fixconfirm *c, const struct draw *d, int y, int x, int width)
{
	bool ready = is_typed(c);
	char text[400];

	snprintf(text, sizeof(text), " Device%s  %s", c->n_devices == 1 ? " " : "s", c->devices);
	row(d, y++, x, width, ROLE_IS_DIALOG, text);
	snprintf(text, sizeof(text), " The rollback timer is canceled. This plan does not save at: %s", c->unsaved);
	row(d, y++, x, width, ROLE_IS_DIALOG, c->kind == CONFIRM_KEEP && *c->unsaved ? text : kinds[c->kind].what);
	snprintf(text, sizeof(text), " Type  %s  %s, Esc to cancel.", c->word, kinds[c->kind].before);
	row(d, y++, x, width, ROLE_IS_DIALOG, text);
	typing_draw(&c->field, d, y++, x, width, " > ", "", false);
	snprintf(text, sizeof(text), ready ? "   Cancel    [ %s ]   Enter selects the choice in brackets" :
		 " [ Cancel ]    %s     Enter selects the choice in brackets", kinds[c->kind].verb);
	row(d, y, x, width, ROLE_IS_KEY, text);
}

void confirm_draw(struct fixconfirm *c, const struct draw *d)
{
	int width = d->cols < 78 ? d->cols : 78, x = (d->cols - width) / 2, y = d->rows > ROWS + 4 ? d->rows / 2 - 5 : d->rows > ROWS;
	char text[200];

	draw_rule(d, y, x, width, kinds[c->kind].title);
	snprintf(text, sizeof(text), " Plan    %s, %zu step%s on %zu device%s", c->plan, c->n_steps, c->n_steps == 1 ? "" : "s",
		 c->n_devices, c->n_devices == 1 ? "" : "s");
	row(d, y + 1, x, width, ROLE_IS_DIALOG, text);
	if (c->kind == CONFIRM_LEAVE)
		draw_leave(c, d, y + 2, x, width);
	else
		draw_typed(c, d, y + 2, x, width);
	draw_rule(d, y + ROWS - (c->kind == CONFIRM_LEAVE ? 2 : 1), x, width, "");
	/* What was not to be seen whole cannot be answered: Esc alone leads out. */
	c->was_drawn = d->lines || (d->rows >= ROWS && d->cols >= 40);
}

void confirm_prompt(const struct fixconfirm *c, struct buf *out)
{
	if (c->kind == CONFIRM_LEAVE)
		buf_str(out, "u rolls back and quits, l quits, Enter stays: ");
	else
		buf_printf(out, "Type %s %s, nothing cancels: ", c->word, kinds[c->kind].before);
}
