/* History: the time cursor of a replay, and what happened in the recording; Enter goes there. */
#include <stdio.h>

#include "tui/human.h"
#include "tui/screens.h"

enum { COLUMN_TIME, COLUMN_KIND, COLUMN_WHERE, COLUMN_WHAT, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_TIME]  = { .name = "time", .title = "TIME", .width = 10 },
	[COLUMN_KIND]  = { .name = "kind", .title = "KIND", .width = 8 },
	[COLUMN_WHERE] = { .name = "where", .title = "WHERE", .width = 20, .grow = 1 },
	[COLUMN_WHAT]  = { .name = "what", .title = "WHAT", .width = 24, .grow = 4 },
};

/* A finding's kind is its verdict, and it has the verdict's look. */
static enum role kind_role(const char *kind)
{
	for (enum verdict v = VERDICT_OK; v <= VERDICT_FAIL; v++)
		if (!strcmp(kind, verdict_name(v)))
			return verdict_role(v);
	return ROLE_IS_TEXT;
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct view_of *of = ctx;
	const struct event *e = &of->events->list[row];
	char time[HUMAN_MAX];

	out->role = kind_role(e->kind);
	switch (column) {
	case COLUMN_TIME:
		out->is_number = true;
		out->number = (double)e->at_us;
		if (e->at_us > model_now(of->model))
			out->role = ROLE_IS_MUTED;	/* still to come, from where the cursor is */
		snprintf(out->text, sizeof(out->text), "%s", human_time(time, e->at_us));
		break;
	case COLUMN_KIND:
		snprintf(out->text, sizeof(out->text), "%s", e->kind);
		break;
	case COLUMN_WHERE:
		snprintf(out->text, sizeof(out->text), "%s", e->where);
		break;
	case COLUMN_WHAT:
		snprintf(out->text, sizeof(out->text), "%s", e->text);
		break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	(void)ctx;
	return row + 1;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	static struct view_of shown;

	(void)v;
	shown = *of;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = of->events ? of->events->n : 0, .ctx = &shown,
				    .key = key_of_row, .cell = cell, .serial = of->serial,
				    .empty = of->is_replay ? "Nothing happened in this recording: no finding opened or closed." :
				    "The console is live. fabcon --record FILE records; fabcon replay FILE goes back in it." };
}

/* The recording as a line, the cursor at its place. */
static void draw_axis(const struct draw *d, int y, const struct view_of *of)
{
	int width = d->cols - 4;
	int64_t span = of->last_us - of->first_us, at = model_now(of->model) - of->first_us;
	int x = span > 0 ? (int)((double)at / (double)span * (width - 1)) : 0;

	draw_rule(d, y, 2, width, "");
	draw_text(d, y, 2 + (x < 0 ? 0 : x >= width ? width - 1 : x), 1, ROLE_IS_REPLAY, "v");
}

static int draw_cursor(const struct draw *d, int y, const struct view_of *of)
{
	char first[HUMAN_MAX], last[HUMAN_MAX], now[HUMAN_MAX], behind[HUMAN_MAX];

	draw_rule(d, y, 0, d->cols, "History");
	draw_printf(d, y + 1, 2, d->cols - 4, ROLE_IS_TEXT, "%s  to  %s", human_date(first, of->first_us),
		    human_date(last, of->last_us));
	draw_axis(d, y + 2, of);
	draw_printf(d, y + 3, 2, d->cols - 4, ROLE_IS_REPLAY, "at %s, %s before the end, %s", human_date(now, model_now(of->model)),
		    human_age(behind, of->last_us - model_now(of->model)), of->is_playing ? "playing" : "standing");
	return 4;
}

static int draw_left_out(const struct draw *d, int y, const struct events *e)
{
	char more[64] = "";

	if (e->n_more)
		snprintf(more, sizeof(more), "; %zu past the first %zu", e->n_more, e->n);
	draw_printf(d, y, 0, d->cols, ROLE_IS_MUTED, "  %zu events; left out: %zu of what was not known%s. Enter goes to one.", e->n,
		    e->n_unknown, more);
	return 1;
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	int used = of->is_replay && rows > 8 ? draw_cursor(d, y, of) : 0;
	struct table_source s;

	if (used && of->events)
		used += draw_left_out(d, y + used, of->events);
	source(of, v, &s);
	table_draw(&v->tables[SCREEN_HISTORY], &s, d, y + used, rows - used);
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	size_t row;

	(void)page;
	if (command == DO_REFRESH)
		return (struct intent){ .is = INTENT_REFRESH };
	if (command != DO_OPEN)
		return (struct intent){ .is = INTENT_NONE };
	if (!of->events || !table_cursor(&v->tables[SCREEN_HISTORY], &row) || row >= of->events->n)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no event under the cursor." };
	return (struct intent){ .is = INTENT_SEEK, .at_us = of->events->list[row].at_us };
}

const struct screen screen_history = { .title = "History", .source = source, .draw = draw, .key = key };
