/*
 * History: what was counted and what happened over time, with a cursor in it. In a replay the cursor is where every
 * screen is; live the others stay at now. Below, the list of events; Enter goes to one.
 */
#include <math.h>
#include <stdio.h>

#include "tui/screens/history.h"
#include "tui/session/logged_in.h"
#include "tui/text/human.h"
#include "tui/views/link_events.h"
#include "tui/views/timeline.h"
#include "tui/widgets/bind.h"

#define LABEL	12	/* columns before the lanes */
#define VALUE	9	/* and after */
#define BEFORE	(60 * SECOND)

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
		if (e->at_us > of->cursor_us)
			out->role = ROLE_IS_MUTED;	/* still to come, from where the cursor is */
		snprintf(out->text, sizeof(out->text), "%s", human_time(time, e->at_us));
		break;
	case COLUMN_KIND:
		snprintf(out->text, sizeof(out->text), "%s", severity_of(e->kind));
		break;
	case COLUMN_WHERE:
		snprintf(out->text, sizeof(out->text), "%s", e->where);
		break;
	case COLUMN_WHAT:
		snprintf(out->text, sizeof(out->text), "%s", e->text);
		break;
	}
}

/* Events come and go at both ends of the list, but never move. */
static uint64_t key_of_row(const void *ctx, size_t row)
{
	const struct view_of *of = ctx;

	return (uint64_t)(uintptr_t)of->events->list[row].text;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	static struct view_of shown;

	(void)v;
	shown = *of;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .ctx = &shown, .key = key_of_row, .cell = cell,
				    .n_rows = of->events ? of->events->n : 0,
				    .serial = of->events ? of->events->serial + 1 : 0,
				    .empty = of->is_replay ?
				    "Nothing happened in this recording: no finding opened or closed. {findings} lists what is open." :
				    "Nothing has happened yet. fabcon --record FILE records; fabcon replay FILE goes back in it." };
}

struct history_view *history_of(struct views *v)
{
	return views_own(v, SCREEN_HISTORY, sizeof(struct history_view));
}

/* -- the stretch of time -- */

static bool is_following(const struct view_of *of, struct views *v)
{
	return !of->is_replay && !history_of(v)->cursor_us;
}

/* Moves the stretch so that the cursor is in it, and it within what there is. */
static void follow_cursor(struct history_view *h, const struct view_of *of, bool is_following)
{
	if (!h->zoom_us)
		h->zoom_us = timeline_zoom_for(of->is_replay ? of->last_us - of->first_us : 0);
	if (is_following)
		h->from_us = of->cursor_us - h->zoom_us;
	else if (of->cursor_us < h->from_us)
		h->from_us = of->cursor_us - h->zoom_us / 4;
	else if (of->cursor_us >= h->from_us + h->zoom_us)
		h->from_us = of->cursor_us - h->zoom_us * 3 / 4;
	if (!is_following && h->from_us + h->zoom_us > of->last_us + h->column_us)
		h->from_us = of->last_us + h->column_us - h->zoom_us;
	if (!is_following && h->from_us < of->first_us)
		h->from_us = of->first_us;
}

static struct timeline stretch(const struct draw *d, const struct view_of *of, struct views *v)
{
	struct history_view *h = history_of(v);
	struct timeline t = { .x = LABEL, .width = d->cols - LABEL - VALUE - 1,
			      .first_us = of->first_us, .last_us = of->last_us };

	t.width = t.width > 8 ? t.width : 8;
	follow_cursor(h, of, is_following(of, v));
	h->column_us = h->zoom_us / t.width;
	t.column_us = h->column_us;
	/* columns begin where they did in the frame before */
	t.from_us = (h->from_us + (is_following(of, v) ? t.column_us : 0)) / t.column_us * t.column_us;
	return t;
}

int64_t history_beside(const struct view_of *of, struct views *v, int by)
{
	int64_t column_us = history_of(v)->column_us > SECOND ? history_of(v)->column_us : SECOND;

	return of->cursor_us + by * column_us;
}

/* -- drawing -- */

static void draw_lane(const struct draw *d, int y, const struct timeline *t, const struct view_of *of, enum lane lane)
{
	double per_s = fabric_history_at(of->lanes, lane, of->cursor_us);
	char text[HUMAN_MAX];

	draw_cell(d, y, 1, LABEL - 1, false, ROLE_IS_TEXT, lane_table[lane].title);
	timeline_lane(d, y, t, of->lanes, lane);
	draw_cell(d, y, t->x + t->width + 1, VALUE - 1, true,
		  isnan(per_s) ? ROLE_IS_UNKNOWN : per_s > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED,
		  isnan(per_s) ? "?" : human_rate(text, lane_table[lane].field, per_s));
}

/* Where rows are few the last rates give way: settings and findings stay. */
static int draw_lanes(const struct draw *d, int y, int rows, const struct timeline *t, const struct view_of *of)
{
	int column = timeline_column(t, of->cursor_us), n = 0;

	for (int lane = 0; lane < LANE_COUNT && n < rows - 2; lane++)
		draw_lane(d, y + n++, t, of, (enum lane)lane);
	draw_cell(d, y + n, 1, LABEL - 1, false, ROLE_IS_TEXT, "config");
	timeline_config(d, y + n++, t, of->events);
	draw_cell(d, y + n, 1, LABEL - 1, false, ROLE_IS_TEXT, "findings");
	timeline_findings(d, y + n++, t, of->events);
	for (int i = 0; i < n && column >= 0; i++)
		draw_restyle(d, y + i, t->x + column, 1, ROLE_IS_CURSOR);
	return n;
}

static void draw_place(const struct draw *d, int y, const struct view_of *of, struct views *v)
{
	char now[HUMAN_MAX], age[HUMAN_MAX], zoom[HUMAN_MAX], behind[64] = "";
	const char *legend = "A column is its highest 5 s; /s at the cursor";

	if (of->is_replay && of->lanes->end == 0)
		legend = "This recording has no fabric totals";
	if (of->is_replay)
		snprintf(behind, sizeof(behind), ", %s before the end, %s", human_age(age, of->last_us - of->cursor_us),
			 of->is_playing ? "playing" : "standing");
	else if (!is_following(of, v))
		snprintf(behind, sizeof(behind), ", %s before now", human_age(age, of->last_us - of->cursor_us));
	draw_printf(d, y, 1, d->cols - 1, is_following(of, v) ? ROLE_IS_TEXT : ROLE_IS_REPLAY, "%s %s%s; %s shown. %s",
		    is_following(of, v) ? "now," : "at", human_date(now, of->cursor_us), behind,
		    human_age(zoom, history_of(v)->zoom_us), legend);
}

static int draw_timeline(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct timeline t = stretch(d, of, v);
	int64_t times[] = { history_of(v)->a_us, history_of(v)->b_us, of->cursor_us };

	draw_cell(d, y, 1, LABEL - 1, false, ROLE_IS_TITLE, "UTC");
	timeline_axis(d, y, &t, times, "ABv", 3);
	rows = draw_lanes(d, y + 1, rows - 2, &t, of);
	draw_place(d, y + 1 + rows, of, v);
	return rows + 2;
}

/* -- what changed between the marks -- */

static const struct changes *changes_between_marks(const struct view_of *of, struct history_view *h)
{
	uint64_t as_of = of->events->serial * 31 + (uint64_t)of->lanes->end + (uint64_t)h->a_us * 7 + (uint64_t)h->b_us;

	if (as_of != h->changes_of)
		changes_read(&h->changes, of->events, of->lanes, h->a_us, h->b_us);
	h->changes_of = as_of;
	return &h->changes;
}

static const char *lane_text(char out[HUMAN_MAX], enum lane lane, double per_s)
{
	return isnan(per_s) ? "?" : human_rate(out, lane_table[lane].field, per_s);
}

static void draw_means(const struct draw *d, int y, const struct changes *c)
{
	char before[HUMAN_MAX], between[HUMAN_MAX], after[HUMAN_MAX];
	int x = 1;

	for (unsigned i = 0; i < LANE_COUNT && x < d->cols; i++)
		x += draw_printf(d, y, x, d->cols - x, ROLE_IS_TEXT, "%s %s > %s > %s   ", lane_table[i].title,
				 lane_text(before, (enum lane)i, c->before[i]), lane_text(between, (enum lane)i, c->between[i]),
				 lane_text(after, (enum lane)i, c->after[i]));
}

static void draw_changed(const struct draw *d, int y, const struct changed *c)
{
	int x = 1 + draw_printf(d, y, 1, d->cols - 1, kind_role(c->kind), "%-7s %s  ", c->kind, c->where);

	x += draw_printf(d, y, x, d->cols - x, ROLE_IS_TEXT, "%s  ", c->what);
	if (c->values.text)
		draw_text(d, y, x, d->cols - x, ROLE_IS_CHANGED, c->values.text);
}

/* In at most that many rows; what does not fit is counted. */
static int draw_changes(const struct draw *d, int y, int rows, const struct view_of *of, struct history_view *h)
{
	const struct changes *c = changes_between_marks(of, h);
	char a[HUMAN_MAX], b[HUMAN_MAX], title[160];
	int used = 0;

	snprintf(title, sizeof(title), "Changed between A %s and B %s%s", human_time(a, c->a_us), human_time(b, c->b_us),
		 c->has_break ? "; recording was off in between and may have missed some" : "");
	draw_rule(d, y + used++, 0, d->cols, title);
	draw_means(d, y + used++, c);
	for (size_t i = 0; i < c->n && used < rows; i++) {
		if (used + 1 == rows && i + 1 < c->n)
			draw_printf(d, y + used, 1, d->cols, ROLE_IS_MUTED, "%zu more: fabcon replay FILE changes lists all", c->n - i);
		else
			draw_changed(d, y + used, &c->list[i]);
		used++;
	}
	if (!c->n)
		draw_text(d, y + used++, 1, d->cols - 1, ROLE_IS_MUTED, "No setting, finding or device changed.");
	return used;
}

/* -- the list -- */

/* The list's cursor goes where the time does; following, to what has just happened. */
static void list_time(struct table *t, struct history_view *h, const struct view_of *of, struct views *v)
{
	bool is_at_end = t->n == 0 || t->cursor + 1 >= t->n;
	size_t until = events_until(of->events, of->cursor_us);

	if (is_following(of, v) ? h->listed == of->events->serial || (h->listed && !is_at_end) : h->listed_us == of->cursor_us)
		return;
	h->listed = of->events->serial;
	h->listed_us = of->cursor_us;
	if (!until)
		return;
	t->cursor_key = key_of_row(of, until - 1);
	t->is_ordered = false;
}

static int draw_left_out(const struct draw *d, int y, const struct events *e)
{
	char more[96] = "";
	size_t n = 0;

	if (e->n_tries)
		n = (size_t)snprintf(more, sizeof(more), ", %zu more connection attempts", e->n_tries);
	if (e->n_more)
		snprintf(more + n, sizeof(more) - n, ", %zu older than these", e->n_more);
	draw_printf(d, y, 0, d->cols, ROLE_IS_MUTED, "  %zu events; hidden: %zu about unknown values%s. Enter goes to one.",
		    e->n, e->n_unknown, more);
	return 1;
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table *t = &v->tables[SCREEN_HISTORY];
	struct table_source s;
	int used = 0;

	if (of->events && of->lanes && rows > 8)
		used = draw_timeline(d, y, rows - 4 < LANE_COUNT + 4 ? rows - 4 : LANE_COUNT + 4, of, v);
	if (used && rows - used > 5)
		used += draw_left_out(d, y + used, of->events);
	if (used && history_of(v)->a_us && history_of(v)->b_us && rows - used > 8)
		used += draw_changes(d, y + used, (rows - used) / 2, of, history_of(v));
	if (of->events)
		list_time(t, history_of(v), of, v);
	source(of, v, &s);
	table_draw(t, &s, d, y + used, rows - used);
}

static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	struct subject s = { .is_part = true };
	const struct event *e;

	if (!of->events || !views_row(&v->tables[SCREEN_HISTORY], of->events->n, &row))
		return subject_none("There is no event under the cursor.");
	e = &of->events->list[row];
	s.device = event_place(e, of->model, &s.port);
	s.link = s.port ? links_of_port(of->links, s.port) : NULL;
	if (!s.device)
		s.none = !strcmp(e->where, "fabric") ? "This is about the whole fabric, not one device or link." :
			 *e->where ? "This event's device or port is not present now." :
				     "This event is not about a device or link.";
	snprintf(s.name, sizeof(s.name), "%s%s%s", e->kind, *e->where ? " at " : "", e->where);
	return s;
}

/* -- keys -- */

static struct intent mark(const struct view_of *of, int64_t *mark_us)
{
	*mark_us = *mark_us == of->cursor_us ? 0 : of->cursor_us;
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent zoom(struct history_view *h, const struct view_of *of, int by)
{
	h->zoom_us = timeline_zoom_by(h->zoom_us, by);
	h->from_us = of->cursor_us - h->zoom_us / 2;
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent open_event(const struct view_of *of, const struct views *v)
{
	size_t row;

	if (!of->events || !table_cursor(&v->tables[SCREEN_HISTORY], &row) || row >= of->events->n)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no event under the cursor." };
	return (struct intent){ .is = INTENT_SEEK, .at_us = of->events->list[row].at_us };
}

/* Who was logged in at the device when this setting changed; NULL: nothing was looked up. */
static const struct event *logins_of(const struct events *all, const struct event *e)
{
	size_t n = strcspn(e->where, " ");

	for (size_t i = events_until(all, e->at_us - 1); event_is(e, "config") && i < all->n; i++) {
		const struct event *l = &all->list[i];

		if (l->at_us - e->at_us > LOGGED_IN_WAIT_US)
			break;
		if (event_is(l, EVENT_LOGINS) && strlen(l->where) == n && !strncmp(l->where, e->where, n))
			return l;
	}
	return NULL;
}

static void explain_logins(struct page *page, const struct events *all, const struct event *e, const struct views *v)
{
	const struct event *l = logins_of(all, e);

	if (l)
		page_wrap(page, ROLE_IS_TEXT, "  logins   ", l->text, views_width(v));
	if (l || event_is(e, EVENT_LOGINS))
		page_wrap(page, ROLE_IS_MUTED, "           ",
			  "No plan explains the change. Login records are evidence, not proof. A command over SSH without a terminal (ssh "
			  "HOST COMMAND, ansible) is in sshd's log alone, which root and the group systemd-journal may read.", views_width(v));
}

/* The event in full: a row of the list may be cut. */
static struct intent explain_event(const struct view_of *of, const struct views *v, struct page *page)
{
	const struct event *e;
	struct buf ways = { 0 };
	char at[HUMAN_MAX];
	size_t row;

	if (!of->events || !table_cursor(&v->tables[SCREEN_HISTORY], &row) || row >= of->events->n)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no event under the cursor." };
	e = &of->events->list[row];
	page_begin(page, "Event: %s%s%s", severity_of(e->kind), *e->where ? " at " : "", e->where);
	page_wrap(page, ROLE_IS_TEXT, "  time     ", human_date(at, e->at_us), views_width(v));
	page_wrap(page, kind_role(e->kind), "  kind     ", severity_of(e->kind), views_width(v));
	if (*e->where)
		page_wrap(page, ROLE_IS_TEXT, "  where    ", e->where, views_width(v));
	page_wrap(page, ROLE_IS_TEXT, "  what     ", e->text, views_width(v));
	explain_logins(page, of->events, e, v);
	key_text(&ways, "{open} goes to its time; {ports} and {findings} then show the state at that time.");
	page_wrap(page, ROLE_IS_MUTED, "  ", ways.text, views_width(v));
	buf_done(&ways);
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	switch (command) {
	case DO_REFRESH:	return (struct intent){ .is = INTENT_REFRESH };
	case DO_OPEN:		return open_event(of, v);
	case DO_EXPLAIN:	return explain_event(of, v, page);
	case DO_RAW:
		return (struct intent){ .is = INTENT_SAY, .text = "Events have no raw reply. {open} goes to its time; {raw} on "
								  "{findings} or {ports} then shows the reply." };
	case DO_ZOOM_IN:	return zoom(history_of(v), of, -1);
	case DO_ZOOM_OUT:	return zoom(history_of(v), of, 1);
	case DO_MARK_A:		return mark(of, &history_of(v)->a_us);
	case DO_MARK_B:		return mark(of, &history_of(v)->b_us);
	default:		return (struct intent){ .is = INTENT_NONE };
	}
}

static void done(void *own)
{
	changes_done(&((struct history_view *)own)->changes);
}

/* The event in full: its row in the list may be cut. */
static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	const struct event *e;
	char at[HUMAN_MAX];
	size_t row;

	(void)ascii;
	if (!of->events || !table_cursor(&v->tables[SCREEN_HISTORY], &row) || row >= of->events->n)
		return NULL;
	e = &of->events->list[row];
	buf_printf(out, "%s %s %s%s%s\n", human_date(at, e->at_us), e->kind, e->where, *e->where ? " " : "", e->text);
	return "the event";
}

const struct screen screen_history = {
	.source = source, .draw = draw, .key = key, .copy = copy,
	.subject = subject, .done = done, .is_in_time = true };
