#include "tui/screens.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/human.h"

const struct screen *const screen_table[SCREEN_COUNT] = {
	[SCREEN_OVERVIEW] = &screen_overview,
	[SCREEN_PORTS]	  = &screen_ports,
	[SCREEN_DETAIL]	  = &screen_detail,
	[SCREEN_DIAGNOSE] = &screen_diagnose,
	[SCREEN_FIX]	  = &screen_fix,
	[SCREEN_BRINGUP]  = &screen_bringup,
	[SCREEN_HISTORY]  = &screen_history,
	[SCREEN_FINDINGS] = &screen_findings,
	[SCREEN_DEVICES]  = &screen_devices,
};

/* What screens share */

void views_done(struct views *v)
{
	for (size_t i = 0; i < SCREEN_COUNT; i++)
		table_done(&v->tables[i]);
	free(v->ports.list);
	free(v->detail);
	free(v->findings);
	memset(v, 0, sizeof(*v));
}

const struct portrows *views_ports(const struct view_of *of, struct views *v)
{
	struct portrows *rows = &v->ports;

	if (rows->serial == of->serial)
		return rows;
	rows->n = 0;
	for (size_t i = 0; i < of->links->n; i++) {
		const struct link *link = &of->links->list[i];
		struct portrow *row = GROW(rows->list, rows->n, rows->cap);

		portrow_make(row, of->model, of->findings, of->policy, link, device_is_switch(link->a->device, of->inventory),
			     link->b && device_is_switch(link->b->device, of->inventory));
		rows->n++;
	}
	rows->serial = of->serial;
	return rows;
}

const struct link *views_link(const struct view_of *of, const struct views *v)
{
	return v->subject ? links_of_port(of->links, v->subject) : NULL;
}

void views_findings(const struct view_of *of, struct views *v, bool roots_only)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	v->n_findings = 0;
	for (size_t i = 0; i < n; i++) {
		if (roots_only && list[i]->cause)
			continue;
		*GROW(v->findings, v->n_findings, v->cap_findings) = list[i];
		v->n_findings++;
	}
}

size_t views_samples(const struct series *s, float values[HISTORY_LEN])
{
	int64_t at_us[HISTORY_LEN];
	size_t n;

	if (!s || s->note == RATE_NONE)
		return 0;
	if (s->history)
		return series_history(s, at_us, values);
	/* It has no history because it never moved: that is known, for as long as it was watched. */
	n = (size_t)((s->last_us - s->began_us) / SECOND);
	n = n < HISTORY_LEN ? n : HISTORY_LEN;
	memset(values, 0, n * sizeof(*values));
	return n;
}

/* Keys */

static bool move_cursor(struct table *t, const struct table_source *s, enum command command)
{
	long page = t->page > 1 ? t->page - 1 : 1;

	switch (command) {
	case DO_UP:		table_move(t, s, -1); break;
	case DO_DOWN:		table_move(t, s, 1); break;
	case DO_PAGE_UP:	table_move(t, s, -page); break;
	case DO_PAGE_DOWN:	table_move(t, s, page); break;
	case DO_TOP:		table_move(t, s, -(long)t->n); break;
	case DO_BOTTOM:		table_move(t, s, (long)t->n); break;
	default:		return false;
	}
	return true;
}

static bool list_key(struct table *t, const struct table_source *s, enum command command)
{
	switch (command) {
	case DO_SORT:		table_sort_next(t, s); break;
	case DO_INVERT:		table_invert(t); break;
	case DO_LEFT:		table_pan(t, s, -1); break;
	case DO_RIGHT:		table_pan(t, s, 1); break;
	case DO_MARK:		table_mark(t, s); break;
	case DO_MARK_ALL:	table_mark_all(t, s); break;
	default:		return move_cursor(t, s, command);
	}
	return true;
}

struct intent screens_key(enum screen_id id, const struct view_of *of, struct views *v, enum command command,
			  struct page *page)
{
	const struct screen *screen = screen_table[id];
	struct table_source s;

	if (!key_of(command, id))
		return (struct intent){ .is = INTENT_NONE };
	if (screen->source) {
		screen->source(of, v, &s);
		table_update(&v->tables[id], &s);
		if (list_key(&v->tables[id], &s, command))
			return (struct intent){ .is = INTENT_DONE };
	}
	return screen->key(of, v, command, page);
}

const char **screens_filter_names(enum screen_id id, const struct view_of *of, struct views *v)
{
	struct table_source s;

	if (!screen_table[id]->source)
		return NULL;
	screen_table[id]->source(of, v, &s);
	return table_names(&s);
}

/* The header: always one row, first what must not be missed */

struct reach {
	size_t up, all, down, late;
	int64_t oldest_us;
	bool any;
};

static void reach_device(const struct model *m, const struct device *d, struct reach *r)
{
	bool late = false, up = false;
	uint64_t state;

	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *reply = d->replies[i];
		int64_t age_us = model_now(m) - reply->at_us;

		if (!reply->period_us || !strcmp(reply->probe, "ssh"))
			continue;
		up = true;
		late |= reply_is_stale(m, reply);
		if (!r->any || age_us > r->oldest_us)
			r->oldest_us = age_us;
		r->any = true;
	}
	r->all++;
	if (device_number(m, d, FIELD_STATE, 0, &state))
		up = state == STATE_UP;
	r->up += up && !late;
	r->late += up && late;
	r->down += !up;
}

static struct reach reach_of(const struct model *m)
{
	struct reach r = { 0 };

	for (size_t i = 0; i < model_devices(m); i++)
		reach_device(m, model_device(m, i), &r);
	return r;
}

static const char *state_word(const struct view_of *of, const struct reach *r)
{
	if (of->is_replay)
		return of->is_playing ? "REPLAY playing" : "REPLAY";
	if (of->is_paused)
		return "PAUSED";
	return r->late ? "STALE" : "LIVE";
}

static void draw_header(const struct draw *d, enum screen_id id, const struct view_of *of)
{
	struct reach r = reach_of(of->model);
	const char *state = state_word(of, &r);
	size_t crit = findings_count(of->findings, VERDICT_FAIL);
	size_t warn = findings_count(of->findings, VERDICT_WARN) - crit;
	char time[HUMAN_MAX], age[HUMAN_MAX], down[64] = "";
	int x = 0;

	draw_blank(d, 0, 0, d->cols);
	x += draw_printf(d, 0, x, d->cols > 70 ? 30 : 12, ROLE_IS_HEADER, "fabcon %s", of->fabric ? of->fabric : "");
	x += draw_printf(d, 0, x + 1, d->cols, !strcmp(state, "LIVE") ? ROLE_IS_LIVE : ROLE_IS_REPLAY, "%s", state) + 1;
	x += draw_text(d, 0, x + 1, d->cols, ROLE_IS_HEADER, human_time(time, model_now(of->model))) + 1;
	x += draw_printf(d, 0, x + 1, d->cols, crit ? ROLE_IS_CRIT : warn ? ROLE_IS_WARN : ROLE_IS_HEADER, "%s%zu CRIT %s%zu WARN",
			 crit ? "!" : "", crit, warn ? "~" : "", warn) + 1;
	if (r.down)
		snprintf(down, sizeof(down), " ?%zu down", r.down);
	if (r.late)
		snprintf(down + strlen(down), sizeof(down) - strlen(down), " ?%zu stale", r.late);
	x += draw_printf(d, 0, x + 1, d->cols, *down ? ROLE_IS_WARN : ROLE_IS_HEADER, "| dev %zu/%zu%s", r.up, r.all, down) + 1;
	x += draw_printf(d, 0, x + 1, d->cols, ROLE_IS_HEADER, "| oldest %s", r.any ? human_age(age, r.oldest_us) : "?") + 1;
	x += draw_printf(d, 0, x + 1, d->cols, ROLE_IS_HEADER, "| RO%s", of->is_recording ? " | REC" : "") + 1;
	x += draw_printf(d, 0, x + 1, d->cols, ROLE_IS_MUTED, "| %zu links", of->links->n) + 1;
	if (of->trouble)
		draw_printf(d, 0, x + 1, d->cols, ROLE_IS_CRIT, "| %s", of->trouble);
	(void)id;
}

static void draw_tabs(const struct draw *d, enum screen_id id)
{
	int x = 0;

	draw_blank(d, 1, 0, d->cols);
	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		bool here = i == id;

		/* Where names do not fit, digits do: the screen that is open keeps its name. */
		x += draw_printf(d, 1, x, d->cols, ROLE_IS_KEY, "%u", i + 1);
		if (here || d->cols >= 90)
			x += draw_printf(d, 1, x, d->cols, here ? ROLE_IS_CURSOR : ROLE_IS_TEXT, here ? "[%s]" : " %s",
					 screen_table[i]->title);
		x++;
	}
}

static void draw_key_bar(const struct draw *d, int y, enum screen_id id)
{
	size_t here = id;
	int x = 0;

	draw_blank(d, y, 0, d->cols);
	for (size_t i = 0; i < key_count; i++) {
		const struct key *k = &key_table[i];
		char name[16];

		if (!k->bar || !(k->screens >> here & 1))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(k->show, " "), k->show);
		if (x + (int)strlen(name) + (int)strlen(k->bar) + 3 > d->cols)
			continue;
		x += draw_text(d, y, x, d->cols, ROLE_IS_KEY, name) + 1;
		x += draw_text(d, y, x, d->cols, ROLE_IS_TEXT, k->bar) + 2;
	}
}

void screens_draw(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page,
		  const char *bar)
{
	int top = d->rows > 8 ? 2 : 1, body = d->rows - top - 1;

	werase(d->w);
	draw_header(d, id, of);
	if (top == 2)
		draw_tabs(d, id);
	if (body > 0 && page)
		page_draw(page, d, top, body);
	else if (body > 0)
		screen_table[id]->draw(d, top, body, of, v);
	if (d->rows < 3 && !bar)
		return;
	if (bar)
		draw_cell(d, d->rows - 1, 0, d->cols, false, ROLE_IS_DIALOG, bar);
	else
		draw_key_bar(d, d->rows - 1, page ? SCREEN_PAGE : id);
}
