/* Fix: the steps of a plan in their order, what each changes and with which commands, what guards it, and how it goes. */
#include <stdio.h>
#include <stdlib.h>

#include "tui/fixing/fix_view.h"
#include "tui/screens/fix_confirm.h"
#include "tui/screens/fix_manifest.h"
#include "tui/screens/screen.h"
#include "tui/widgets/bind.h"

enum { COLUMN_SIGN, COLUMN_STEP, COLUMN_DEVICE, COLUMN_WHAT, COLUMN_UNDO, COLUMN_STATE, COLUMNS };

#define STEP_COLUMNS(state_width) \
{ \
	[COLUMN_SIGN]	= { .name = "sign", .title = "", .width = 1 }, \
	[COLUMN_STEP]	= { .name = "step", .title = "#", .width = 3, .right = true }, \
	[COLUMN_DEVICE] = { .name = "device", .title = "DEVICE", .width = 8, .grow = 1 }, \
	[COLUMN_WHAT]	= { .name = "what", .title = "WHAT", .width = 16, .grow = 8 }, \
	[COLUMN_UNDO]	= { .name = "undo", .title = "UNDO", .width = 4, .priority = 2 }, \
	[COLUMN_STATE]	= { .name = "state", .title = "STATE", .width = (state_width), .grow = 3 }, \
}

/* Before it is begun, what a plan changes has the room; then, how it goes. */
static const struct column planned_columns[COLUMNS] = STEP_COLUMNS(8);
static const struct column begun_columns[COLUMNS] = STEP_COLUMNS(18);

/* Of unfinished plans; the time until a device rolls back comes before what can be cut. The state names its devices, too. */
enum { OPEN_SIGN, OPEN_PLAN, OPEN_DEVICES, OPEN_STATE, OPEN_COLUMNS };

static const struct column open_columns[OPEN_COLUMNS] = {
	[OPEN_SIGN]	= { .name = "sign", .title = "", .width = 1 },
	[OPEN_PLAN]	= { .name = "plan", .title = "PLAN", .width = 16 },
	[OPEN_DEVICES]	= { .name = "devices", .title = "DEVICES", .width = 12, .grow = 1, .priority = 2 },
	[OPEN_STATE]	= { .name = "state", .title = "UNFINISHED", .width = 56, .grow = 8 },
};

/* The panes of Fix, in the order of Tab. */
enum fix_pane { FIX_PANE_STEPS, FIX_PANE_DIFF, FIX_PANE_COMMANDS, FIX_PANE_GUARDS, FIX_PANE_LOG, FIX_PANES };

struct fix_panes {
	enum fix_pane pane;		/* that has the keys */
	size_t top[FIX_PANES];		/* lines gone up */
};

static struct fix_panes *mine(struct views *v)
{
	return views_own(v, SCREEN_FIX, sizeof(struct fix_panes));
}

/* -- the list: the plan's steps; without a plan, those that were begun and not ended -- */

static void step_cell(const struct fix_view *f, size_t row, size_t column, struct cell_view *out)
{
	const struct fix_step *s = &f->plan->steps[row];
	enum fix_state state = f->steps ? f->steps[row].state : FIX_PLANNED;
	struct buf text = { 0 };

	out->role = fix_role(state);
	switch (column) {
	case COLUMN_SIGN:	buf_str(&text, fix_sign(state)); break;
	case COLUMN_STEP:	buf_printf(&text, "%zu", row + 1); break;
	case COLUMN_DEVICE:	buf_str(&text, s->device); break;
	case COLUMN_WHAT:	fix_what(s, &text); break;
	case COLUMN_UNDO:	buf_str(&text, s->undo.n ? "yes" : "none"); break;
	default:		fix_words(f, row, &text);
	}
	if (column == COLUMN_STEP) {
		out->is_number = true;
		out->number = (double)row + 1;
	}
	snprintf(out->text, sizeof(out->text), "%s", text.text ? text.text : "");
	buf_done(&text);
}

static void open_cell(const struct fix_view *f, size_t row, size_t column, struct cell_view *out)
{
	const struct open_plan *p = &f->open[row];
	struct buf text = { 0 };

	out->role = ROLE_IS_WARN;
	switch (column) {
	case OPEN_SIGN:		buf_str(&text, "?"); break;
	case OPEN_PLAN:		buf_str(&text, p->id); break;
	case OPEN_DEVICES:	buf_str(&text, p->devices); break;
	default:		fix_open_words(f, row, &text);
	}
	snprintf(out->text, sizeof(out->text), "%s", text.text);
	buf_done(&text);
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct fix_view *f = ctx;

	if (f->plan) {
		step_cell(f, row, column, out);
		return;
	}
	open_cell(f, row, column, out);
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	const struct fix_view *f = ctx;

	return f->plan ? row + 1 : table_key(f->open[row].id);
}

static const struct fix_view *view_of_fix(const struct view_of *of)
{
	static const struct fix_view nothing;

	return of->fix ? of->fix : &nothing;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	const struct fix_view *f = view_of_fix(of);

	(void)v;
	*s = (struct table_source){ .columns = !f->plan ? open_columns : fix_was_done(f) ? begun_columns : planned_columns,
				    .n_columns = f->plan ? COLUMNS : OPEN_COLUMNS,
				    .n_rows = f->plan ? f->plan->n_steps : f->n_open, .ctx = f,
				    .key = key_of_row, .cell = cell, .serial = of->serial,
				    .empty = "There is no plan. {fix-this} on {findings}, {ports} or {devices} makes one (read-only)." };
}

static bool cursor_step(const struct fix_view *f, const struct views *v, size_t *step)
{
	return f->plan && table_cursor(&v->tables[SCREEN_FIX], step) && *step < f->plan->n_steps;
}

/* A step's device; without a plan, one that was begun and not ended. All panes are about the step. */
static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	const struct fix_view *f = view_of_fix(of);
	struct subject s = { .is_part = true };

	if (!views_row(&v->tables[SCREEN_FIX], f->plan ? f->plan->n_steps : f->n_open, &row))
		return subject_none("There is no step under the cursor.");
	if (f->plan)
		s.device = model_find_device(of->model, f->plan->steps[row].device);
	snprintf(s.name, sizeof(s.name), "%s", f->plan ? f->plan->steps[row].device : f->open[row].id);
	return s;
}

/* A plan is its commands. */
static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	(void)v;
	(void)ascii;
	if (!view_of_fix(of)->plan)
		return NULL;
	fix_commands(of->fix->plan, SIZE_MAX, out);
	return "the commands";
}

/* -- panes -- */

static void make_pane(const struct fix_view *f, const struct views *v, enum fix_pane pane, int width, struct page *p)
{
	size_t step = 0;

	page_begin(p, "%s", "");
	if (!cursor_step(f, v, &step))
		step = 0;
	if (!f->plan || !f->plan->n_steps)
		return;
	switch (pane) {
	case FIX_PANE_DIFF:
		snprintf(p->title, sizeof(p->title), "Diff of step %zu: %.60s", step + 1, f->plan->steps[step].device);
		fix_diff_lines(f, step, p);
		break;
	case FIX_PANE_COMMANDS:
		snprintf(p->title, sizeof(p->title), "Exactly these commands");
		fix_command_lines(f, step, p, width);
		break;
	case FIX_PANE_GUARDS:
		snprintf(p->title, sizeof(p->title), "Guards");
		fix_guard_lines(f, p, width);
		break;
	default:
		snprintf(p->title, sizeof(p->title), f->is_rehearsed ? "Dry run: read-only commands only; nothing was changed" : "Commands and output");
		fix_log_lines(f, p);
		if (!p->n)
			page_add(p, ROLE_IS_MUTED, "Nothing has been sent.");
	}
}

/* The log's end is what matters, until somebody scrolls. */
static size_t first_line(struct fix_panes *panes, enum fix_pane pane, const struct page *p, int rows)
{
	size_t last = p->n > (size_t)rows ? p->n - (size_t)rows : 0;

	if (pane == FIX_PANE_LOG && panes->pane != FIX_PANE_LOG)
		return last;
	if (panes->top[pane] > last)
		panes->top[pane] = last;
	return panes->top[pane];
}

static void draw_pane(const struct draw *d, int y, int x, int width, int rows, const struct fix_view *f, struct views *v,
		      enum fix_pane pane)
{
	struct page p = { .title = "" };
	char title[200];
	size_t top;

	if (rows < 2)
		return;
	make_pane(f, v, pane, width - 1, &p);
	top = first_line(mine(v), pane, &p, rows - 1);
	snprintf(title, sizeof(title), "%s%s", mine(v)->pane == pane && !d->lines ? "> " : "", p.title);
	if (p.n > (size_t)rows - 1)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), "  %zu-%zu of %zu", top + 1, top + (size_t)rows - 1, p.n);
	draw_rule(d, y, x, width, title);
	for (int i = 0; i < rows - 1 && top + (size_t)i < p.n; i++)
		draw_text(d, y + 1 + i, x + 1, width - 1, p.lines[top + (size_t)i].role, p.lines[top + (size_t)i].text);
	page_done(&p);
}

/* -- the whole -- */

static void draw_open_head(const struct draw *d, int y)
{
	struct buf text = { 0 };

	key_text(&text, "Unfinished: {open} opens one, {refresh} reads its state, {keep} commits it, {undo} rolls it back.");
	draw_text(d, y, 1, d->cols - 1, ROLE_IS_MUTED, text.text);
	buf_done(&text);
}

static void draw_head(const struct draw *d, int y, const struct fix_view *f)
{
	const struct fix_plan *p = f->plan;
	struct buf text = { 0 }, devices = { 0 };
	size_t changes = 0, n;

	if (!p && f->n_open && !f->refused) {
		draw_open_head(d, y);
		return;
	}
	if (!p) {
		draw_text(d, y, 1, d->cols - 1, f->refused ? ROLE_IS_WARN : ROLE_IS_MUTED, f->refused ? f->refused : "No plan");
		return;
	}
	for (size_t i = 0; i < p->n_steps; i++)
		changes += p->steps[i].n_edits;
	n = fix_devices(p, &devices);
	buf_printf(&text, "plan %s  %s | %zu change%s, %zu device%s | policy %s", p->id, p->title ? p->title : "", changes,
		   changes == 1 ? "" : "s", n, n == 1 ? "" : "s", p->policy ? p->policy : "?");
	draw_text(d, y, 1, d->cols - 1, ROLE_IS_TITLE, text.text);
	buf_done(&text);
	buf_done(&devices);
}

static int draw_now(const struct draw *d, int y, int rows, const struct fix_view *f)
{
	struct page p = { .title = "" };
	int used = rows < 16 ? 2 : 4;

	if (!f->plan || rows < 8)
		return 0;
	page_begin(&p, "Now");
	fix_now_lines(f, &p, d->cols - 2);
	draw_rule(d, y + rows - used, 0, d->cols, f->doing == DOING_NOTHING ? "Apply" : "In hand");
	for (int i = 0; i < used - 1 && (size_t)i < p.n; i++)
		draw_text(d, y + rows - used + 1 + i, 1, d->cols - 1, p.lines[i].role, p.lines[i].text);
	page_done(&p);
	return used;
}

/* Beside each other where there is room: what is done at the left, what it is made of at the right. */
static void draw_beside(const struct draw *d, int y, int rows, const struct fix_view *f, struct views *v, struct table_source *s)
{
	int left = f->plan ? d->cols * 60 / 100 : d->cols, upper = rows / 2, x = left + 1;
	enum fix_pane lower = f->n_log && mine(v)->pane != FIX_PANE_GUARDS ? FIX_PANE_LOG : FIX_PANE_GUARDS;
	struct draw part = *d;

	part.cols = left;
	draw_rule(d, y, 0, left, !f->plan ? "Plans" : mine(v)->pane == FIX_PANE_STEPS ? "> Steps, in order" : "Steps, in order");
	table_draw(&v->tables[SCREEN_FIX], s, &part, y + 1, upper - 1);
	if (!f->plan)
		return;
	draw_pane(d, y, x, d->cols - x, upper, f, v, FIX_PANE_DIFF);
	draw_pane(d, y + upper, 0, left, rows - upper, f, v, lower);
	draw_pane(d, y + upper, x, d->cols - x, rows - upper, f, v, FIX_PANE_COMMANDS);
}

/* Else the steps, and below them the pane that Tab has brought; on the smallest that pane alone. */
static void draw_stacked(const struct draw *d, int y, int rows, const struct fix_view *f, struct views *v, struct table_source *s)
{
	enum fix_pane pane = mine(v)->pane == FIX_PANE_STEPS ? f->n_log ? FIX_PANE_LOG : FIX_PANE_COMMANDS : mine(v)->pane;
	int upper = !f->plan ? rows : rows < 10 ? mine(v)->pane == FIX_PANE_STEPS ? rows : 0 : rows / 2;

	if (upper)
		table_draw(&v->tables[SCREEN_FIX], s, d, y, upper);
	if (f->plan && upper < rows)
		draw_pane(d, y + upper, 0, d->cols, rows - upper, f, v, pane);
}

#define ALOUD_COLS	2000	/* nothing is wrapped or cut into pieces */

/* A sign at the front becomes a word; of a guard that holds there is nothing to be said. */
static void say_line(struct lines *l, int y, enum fix_pane pane, const char *text)
{
	const char sign[2] = { *text };
	bool has_sign = pane == FIX_PANE_GUARDS && *text && text[1] == ' ' && sign_words(sign);
	struct buf line = { 0 };

	if (has_sign && *sign != '.')
		buf_printf(&line, "%s: ", sign_words(sign));
	buf_str(&line, has_sign ? text + 2 : text);
	lines_words(l, y, buf_span(&line));
	buf_done(&line);
}

static void say_pane(const struct draw *d, int y, const struct fix_view *f, const struct views *v, enum fix_pane pane)
{
	struct page p = { .title = "" };

	make_pane(f, v, pane, ALOUD_COLS, &p);
	draw_rule(d, y, 0, LINES_COLS, p.title);
	for (size_t i = 0; i < p.n; i++)
		say_line(d->lines, y + 1, pane, p.lines[i].text);
	page_done(&p);
}

/* In words: everything, one after the other. */
static void draw_words(const struct draw *d, int y, const struct fix_view *f, struct views *v, struct table_source *s)
{
	struct page p = { .title = "" };

	draw_head(d, y++, f);
	draw_rule(d, y++, 0, LINES_COLS, "Steps, in order");
	table_draw(&v->tables[SCREEN_FIX], s, d, y++, LINES_ROWS);
	if (!f->plan)
		return;
	for (enum fix_pane pane = FIX_PANE_DIFF; pane < FIX_PANES; pane++, y += 2)
		say_pane(d, y, f, v, pane);
	page_begin(&p, "Now");
	fix_now_lines(f, &p, ALOUD_COLS);
	for (size_t i = 0; i < p.n; i++)
		say_line(d->lines, y, FIX_PANE_STEPS, p.lines[i].text);
	page_done(&p);
}

#define SIDE_COLS	110	/* from here on the panes stand beside each other */

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	const struct fix_view *f = view_of_fix(of);
	struct table *t = &v->tables[SCREEN_FIX];
	struct table_source s;

	source(of, v, &s);
	t->is_aside = mine(v)->pane != FIX_PANE_STEPS;
	if (d->lines) {
		draw_words(d, y, f, v, &s);
		return;
	}
	table_update(t, &s);
	if (rows > 4) {
		draw_head(d, y++, f);
		rows--;
	}
	rows -= draw_now(d, y, rows, f);
	if (d->cols >= SIDE_COLS && rows >= 10)
		draw_beside(d, y, rows, f, v, &s);
	else
		draw_stacked(d, y, rows, f, v, &s);
}

/* -- keys -- */

static struct intent say(const char *text)
{
	return (struct intent){ .is = INTENT_SAY, .text = text };
}

static const char arm_first[] = "Read-only: :arm REASON first.";

/* What is done with a plan is asked for; why it cannot be, where it cannot. */
static struct intent asked_for(const struct fix_view *f, enum confirm_kind kind)
{
	if (f->doing != DOING_NOTHING)
		return say("It is in progress.");
	if (f->forbidden)
		return say(f->forbidden);
	if (f->armed_left_us <= 0)
		return say(arm_first);
	return (struct intent){ .is = INTENT_CONFIRM, .by = (int)kind };
}

static bool open_row(const struct fix_view *f, const struct views *v, size_t *row)
{
	return !f->plan && table_cursor(&v->tables[SCREEN_FIX], row) && *row < f->n_open;
}

/* It is opened, and then the key that asked for more is taken again. */
static struct intent open_plan(const struct fix_view *f, size_t row, enum command then)
{
	return (struct intent){ .is = INTENT_FIX_RESUME, .text = f->open[row].id, .by = (int)then };
}

/* By whatever hand: the plan does not know the state it is in. */
static struct intent changed(const struct fix_view *f)
{
	static char text[256];

	snprintf(text, sizeof(text), "%.80s is neither as before nor as planned: this plan commits nothing there. {fix-this} on {findings} "
				     "makes a new plan.", fix_changed_device(f));
	return say(text);
}

static struct intent apply(const struct fix_view *f, const struct views *v)
{
	size_t row;

	if (open_row(f, v, &row))
		return open_plan(f, row, DO_NOTHING);
	if (!f->plan)
		return say("There is no plan. {fix-this} on {findings}, {ports} or {devices} makes one.");
	if (f->doing == DOING_NOTHING && fix_changed_device(f))
		return changed(f);
	if (f->was_begun && fix_is_back(f))
		return say("It was rolled back. {fix-this} on {findings}, {ports} or {devices} makes a new plan.");
	if (f->doing == DOING_NOTHING && (f->was_begun || fix_is_half(f)))
		return say(f->is_half_open ? "Half a link, and neither end is committed: {undo} rolls it back." :
			   fix_is_half(f) ? "One end of a link is committed and the other is not: {keep} finishes it, {undo} rolls it back." :
			   "It was started before: {refresh} reads its state, {keep} keeps it, {undo} rolls it back.");
	if (fix_is_in_place(f) && f->doing == DOING_NOTHING)
		return say("Every step is applied: {refresh} reads again, {undo} rolls back.");
	return asked_for(f, CONFIRM_APPLY);
}

static struct intent keep(const struct fix_view *f, const struct views *v)
{
	size_t row;

	if (open_row(f, v, &row))
		return open_plan(f, row, DO_KEEP);
	if (f->doing == DOING_APPLY && f->is_waiting)
		return (struct intent){ .is = INTENT_FIX_KEEP };
	if (f->doing != DOING_NOTHING)
		return say("Not yet: only a verified change can be kept.");
	if (!f->plan || !(f->was_begun || fix_armed(f) || fix_is_half(f)))
		return say("Nothing is waiting for keep.");
	if (fix_changed_device(f))
		return changed(f);
	if (fix_is_back(f))
		return say("It was rolled back: nothing is left to be kept.");
	if (f->is_half_open)
		return say("Half a link, and neither end is committed: {undo} rolls it back.");
	return asked_for(f, fix_is_half(f) ? CONFIRM_FINISH : CONFIRM_KEEP);
}

static struct intent undo(const struct fix_view *f, const struct views *v)
{
	size_t row;

	if (open_row(f, v, &row))
		return open_plan(f, row, DO_UNDO);
	if (f->doing == DOING_APPLY)
		return (struct intent){ .is = INTENT_FIX_UNDO };
	if (!f->plan || !fix_was_done(f))
		return say("Nothing was done that could be rolled back.");
	return asked_for(f, CONFIRM_UNDO);
}

static struct intent look(const struct fix_view *f, const struct views *v)
{
	size_t row;

	if (open_row(f, v, &row))
		return open_plan(f, row, DO_REFRESH);
	if (!f->plan)
		return say("There is no plan for a dry run.");
	if (f->doing != DOING_NOTHING)
		return say("It is in progress.");
	return (struct intent){ .is = INTENT_FIX_LOOK };
}

static struct intent explain(const struct fix_view *f, const struct views *v, struct page *page)
{
	struct buf text = { 0 };
	struct span rest, line;

	if (!f->plan)
		return say("There is no plan.");
	page_begin(page, "Plan %s, sha %.8s", f->plan->id, f->hash ? f->hash : "");
	fix_plan_print(f->plan, &text);
	rest = buf_span(&text);
	while (span_line(&rest, &line))
		page_add(page, ROLE_IS_TEXT, "%.*s", (int)(line.n < 4000 ? line.n : 4000), line.p);
	buf_done(&text);
	page_add(page, ROLE_IS_TITLE, "Guards");
	fix_guard_lines(f, page, views_width(v));
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent replies(const struct fix_view *f, struct page *page)
{
	if (!f->n_log)
		return say("No output: nothing was sent with this plan.");
	page_begin(page, "Commands and output");
	fix_log_lines(f, page);
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent drop(const struct fix_view *f, const struct views *v)
{
	size_t step;

	if (!cursor_step(f, v, &step))
		return say("There is no step under the cursor.");
	if (f->doing != DOING_NOTHING || fix_was_done(f))
		return say("A plan that was started cannot be changed.");
	return (struct intent){ .is = INTENT_FIX_DROP, .by = (int)step };
}

static struct intent manifest(const struct view_of *of, const struct views *v, struct page *page)
{
	static struct err err;
	size_t step;

	if (!cursor_step(view_of_fix(of), v, &step))
		return say("There is no step under the cursor.");
	if (!fixmanifest_page(of, step, page, views_width(v), &err))
		return say(err.text);
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct fix_view *f = view_of_fix(of);

	switch (command) {
	case DO_APPLY:		return apply(f, v);
	case DO_KEEP:		return keep(f, v);
	case DO_UNDO:		return undo(f, v);
	case DO_REFRESH:	return look(f, v);
	case DO_EXPLAIN:	return explain(f, v, page);
	case DO_RAW:		return replies(f, page);
	case DO_DROP:		return drop(f, v);
	case DO_MANIFEST:	return manifest(of, v, page);
	default:		return (struct intent){ .is = INTENT_NONE };
	}
}

/* Beside the steps, the moving keys scroll. */
static bool pane_key(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i)
{
	size_t *top = &mine(v)->top[mine(v)->pane];

	(void)page;
	if (mine(v)->pane == FIX_PANE_STEPS || !view_of_fix(of)->plan)
		return false;
	*i = (struct intent){ .is = INTENT_DONE };
	switch (command) {
	case DO_UP:		*top -= *top > 0; return true;
	case DO_DOWN:		*top += 1; return true;
	case DO_PAGE_UP:	*top -= *top > 8 ? 8 : *top; return true;
	case DO_PAGE_DOWN:	*top += 8; return true;
	case DO_TOP:		*top = 0; return true;
	case DO_BOTTOM:		*top = 1 << 20; return true;
	default:		return false;
	}
}

static bool next_pane(const struct view_of *of, struct views *v, int by)
{
	int to = (int)mine(v)->pane + by;

	if (!view_of_fix(of)->plan || to < 0 || to >= FIX_PANES) {
		mine(v)->pane = FIX_PANE_STEPS;
		return false;
	}
	mine(v)->pane = (enum fix_pane)to;
	return true;
}

const struct screen screen_fix = {
	.source = source, .draw = draw, .key = key,
	.pane_key = pane_key, .next_pane = next_pane, .subject = subject, .copy = copy, .writes_plan = true };
