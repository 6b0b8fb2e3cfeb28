#include "tui/screens/frame.h"

#include <stdio.h>

#include "tui/fixing/fix_view.h"
#include "tui/text/human.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/table_spoken.h"

/* The header: always one row, first what must not be missed */

/* STALE is said when nothing is fresh; that some devices are late is counted beside them. */
static const char *state_word(const struct view_of *of, const struct header_counts *r)
{
	if (of->is_replay)
		return of->is_playing ? "REPLAY playing" : "REPLAY";
	if (of->is_paused)
		return "FROZEN";
	return r->late && r->late == r->up ? "STALE" : "LIVE";
}

/* A part of the header, whole or not at all. */
static int draw_part(const struct draw *d, int x, enum role role, const char *text)
{
	if (x + (int)strlen(text) > d->cols)
		return x;
	return x + draw_text(d, 0, x, d->cols - x, role, text) + 1;
}

/* No finding is open, and none could have been: that is no zero. */
static const char *not_judged(const struct header_counts *r)
{
	if (r->is_judged || r->crit || r->warn || r->acked)
		return NULL;
	return r->coming ? "not judged yet" : "not judged";
}

static int draw_counts(const struct draw *d, int x, const struct header_counts *r)
{
	size_t crit = r->crit, warn = r->warn;
	char text[64], acked[32] = "";

	if (not_judged(r))
		return draw_part(d, x, ROLE_IS_UNKNOWN, d->cols < 60 ? "!? ~?" : not_judged(r));
	if (r->acked)
		snprintf(acked, sizeof(acked), d->cols < 60 ? " a%zu" : ", %zu acked", r->acked);
	if (d->cols < 60)
		snprintf(text, sizeof(text), "!%zu ~%zu%s", crit, warn, acked);
	else
		snprintf(text, sizeof(text), "%s%zu CRIT %s%zu WARN%s", crit ? "!" : "", crit, warn ? "~" : "", warn, acked);
	return draw_part(d, x, crit ? ROLE_IS_CRIT : warn ? ROLE_IS_WARN : ROLE_IS_HEADER, text);
}

static int draw_reach(const struct draw *d, int x, const struct header_counts *r)
{
	size_t n;
	char text[128], age[HUMAN_MAX];

	n = (size_t)snprintf(text, sizeof(text), "| dev %zu/%zu", r->up, r->all);
	if (r->down)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " ?%zu down", r->down);
	if (r->coming)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " ?%zu not yet", r->coming);
	if (r->late)
		snprintf(text + n, sizeof(text) - n, " ?%zu stale", r->late);
	x = draw_part(d, x, r->down || r->coming || r->late ? ROLE_IS_WARN : ROLE_IS_HEADER, text);
	snprintf(text, sizeof(text), "| counters %s%s", r->any ? human_age(age, r->oldest_us) : "?", r->any ? " old" : "");
	return draw_part(d, x, ROLE_IS_HEADER, text);
}

/* The header, the screen's name and what is wrong with the recording, for those who do not see where they stand. */
static void say_header(struct lines *l, enum screen_id id, const struct view_of *of, struct views *v)
{
	const struct header_counts *r = views_counts(of, v);
	size_t crit = findings_count(of->findings, VERDICT_FAIL), warn = findings_count(of->findings, VERDICT_WARN) - crit;
	char time[HUMAN_MAX], age[HUMAN_MAX];
	struct buf text = { 0 }, badge = { 0 };

	lines_title(l, 0, 0, screen_names[id].title);
	fix_badge(of->fix, &badge);
	buf_printf(&text, "Fabric %s, %s, %s, %s%s. ", of->fabric ? of->fabric : "without a name", state_word(of, r),
		   human_date(time, model_now(of->model)), fix_is_armed(of->fix) ? badge.text : "read-only",
		   of->is_recording ? ", recording" : "");
	buf_printf(&text, "%zu of %zu devices up", r->up, r->all);
	if (r->down)
		buf_printf(&text, ", %zu down", r->down);
	if (r->coming)
		buf_printf(&text, ", %zu pending", r->coming);
	if (r->late)
		buf_printf(&text, ", %zu of them stale", r->late);
	buf_printf(&text, ". %zu link%s. ", of->links->n, plural_s(of->links->n));
	if (not_judged(r) && !crit && !warn)
		buf_printf(&text, "Findings: %s. Oldest counter: ", not_judged(r));
	else
		buf_printf(&text, "%zu critical and %zu warning findings. Oldest counter: ", crit, warn);
	if (!r->any || !age_spoken(human_age(age, r->oldest_us), &text))
		buf_str(&text, "not known");
	buf_str(&text, ".");
	lines_words(l, 0, buf_span(&text));
	if (of->trouble)
		lines_words(l, 0, span_of(of->trouble));
	buf_done(&text);
	buf_done(&badge);
}

/* That something may be changed, or takes itself back, comes before what can be left out; that nothing can, after it. */
static int draw_badge(const struct draw *d, int x, const struct view_of *of)
{
	struct buf text = { 0 };

	buf_str(&text, "| ");
	fix_badge(of->fix, &text);
	if (of->is_recording && !fix_is_armed(of->fix))
		buf_str(&text, " | REC");
	x = draw_part(d, x, fix_badge_role(of->fix), text.text);
	buf_done(&text);
	return x;
}

static void draw_header(const struct draw *d, const struct view_of *of, struct views *v)
{
	const struct header_counts *r = views_counts(of, v);
	const char *state = state_word(of, r);
	char text[HUMAN_MAX], words[HUMAN_MAX + 32];
	int x;

	draw_blank(d, 0, 0, d->cols);
	x = draw_printf(d, 0, 0, d->cols > 70 ? 30 : 12, ROLE_IS_HEADER, "fabcon %s", of->fabric ? of->fabric : "") + 1;
	x = draw_part(d, x, !strcmp(state, "LIVE") ? ROLE_IS_LIVE : ROLE_IS_REPLAY, state);
	x = draw_part(d, x, ROLE_IS_HEADER, (of->is_replay && d->cols >= 100 ? human_date : human_time)(text, model_now(of->model)));
	if (of->is_paused) {
		snprintf(words, sizeof(words), "%s ago", human_age(text, of->held_us));
		x = draw_part(d, x, ROLE_IS_REPLAY, words);
	}
	if (of->is_replay && d->cols >= 100) {
		snprintf(words, sizeof(words), "x%u, %s before the end", of->speed ? of->speed : 1,
			 human_age(text, of->last_us - model_now(of->model)));
		x = draw_part(d, x, ROLE_IS_REPLAY, words);
	}
	if (fix_is_armed(of->fix))
		x = draw_badge(d, x, of);
	x = draw_counts(d, x, r);
	x = draw_reach(d, x, r);
	if (!fix_is_armed(of->fix))
		x = draw_badge(d, x, of);
	else if (of->is_recording)
		x = draw_part(d, x, ROLE_IS_HEADER, "| REC");
	snprintf(text, sizeof(text), "| %zu link%s", of->links->n, plural_s(of->links->n));
	draw_part(d, x, ROLE_IS_MUTED, text);
}

/* Beside the tabs: what narrows or moves what is shown, and the way out of it. */
static void hint_text(enum screen_id id, const struct view_of *of, const struct views *v, struct buf *out)
{
	const struct table *t = &v->tables[id];

	if (t->is_fixed)
		key_text(out, "{follow} cursor stays here  ");
	if (t->filter)
		buf_printf(out, "/%.100s  (Esc)", filter_text(t->filter));
	else if (of->is_replay)
		key_text(out, "{next} {previous} step  {time} go to  {live} end  {history} plays");
	else if (of->is_paused)
		key_text(out, "{pause} or {live} resumes");
}

/* Where the names of all screens do not fit, their short ones do; then digits: the screen that is open keeps its name. */
enum tabs { TABS_WHOLE, TABS_BRIEF, TABS_DIGITS };

static const char *tab_name(enum screen_id tab, enum screen_id here, enum tabs tabs)
{
	if (tab == here || tabs == TABS_WHOLE)
		return screen_names[tab].title;
	return tabs == TABS_DIGITS ? "" : screen_names[tab].brief;
}

static int tabs_width(enum screen_id here, enum tabs tabs)
{
	int width = 0;

	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		const char *name = tab_name(i, here, tabs);

		width += (int)key_brief(key_to(i)).n + (i == here ? 2 : *name != 0) + (int)strlen(name) + 1;
	}
	return width;
}

static int draw_tab(const struct draw *d, int x, enum screen_id tab, enum screen_id here, const char *name)
{
	int from = x;

	x += draw_span(d, 1, x, d->cols - x, ROLE_IS_KEY, key_brief(key_to(tab)));
	if (*name)
		x += draw_printf(d, 1, x, d->cols - x, tab == here ? ROLE_IS_CURSOR : ROLE_IS_TEXT,
				 tab == here ? "[%s]" : " %s", name);
	return x - from;
}

static void draw_tabs(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v)
{
	struct buf hint = { 0 };
	enum tabs tabs = TABS_WHOLE;
	int x = 0, room;

	draw_blank(d, 1, 0, d->cols);
	hint_text(id, of, v, &hint);
	room = d->cols - (int)hint.n;
	while (tabs < TABS_DIGITS && tabs_width(id, tabs) > room)
		tabs++;
	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		int width = draw_tab(d, x, i, id, tab_name(i, id, tabs));

		hit_areas_add(&v->spots, 1, x, width, key_to(i)->command);
		x += width + 1;
	}
	if (hint.n)
		draw_span(d, 1, room > x ? room : x, d->cols - (room > x ? room : x), ROLE_IS_REPLAY, buf_span(&hint));
	buf_done(&hint);
}

/* The way to all other keys, and the way out. */
static bool is_always_there(const struct key *k)
{
	return k->command == DO_HELP || k->command == DO_BACK;
}

static int bar_width(const struct key *k)
{
	return (int)(key_brief(k).n + strlen(k->bar)) + 3;
}

/* As many keys as fit, in the table's order; those that are always there have their room kept. */
static void draw_key_bar(const struct draw *d, int y, enum screen_id id, struct hit_areas *spots)
{
	int x = 0, kept = 0;

	draw_blank(d, y, 0, d->cols);
	for (size_t i = 0; i < key_count; i++)
		if (key_table[i].screens >> id & 1 && is_always_there(&key_table[i]))
			kept += bar_width(&key_table[i]);
	for (size_t i = 0; i < key_count; i++) {
		const struct key *k = &key_table[i];
		int from = x;

		if (!k->bar || !(k->screens >> id & 1))
			continue;
		if (is_always_there(k))
			kept -= bar_width(k);
		if (x + bar_width(k) + kept > d->cols + 1)	/* the last of them has no blanks after it */
			continue;
		x += draw_span(d, y, x, d->cols - x, ROLE_IS_KEY, key_brief(k)) + 1;
		x += draw_text(d, y, x, d->cols - x, ROLE_IS_TEXT, k->bar) + 2;
		hit_areas_add(spots, y, from, x - from - 2, k->command);
	}
}

/* A page is read where it is asked for: alone. */
static void say_screen(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page)
{
	if (page) {
		page_draw(page, d, 0, d->rows);
		return;
	}
	say_header(d->lines, id, of, v);
	screen_table[id]->draw(d, 1, d->rows - 1, of, v);
}

void frame_draw(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page,
		const char *bar)
{
	int top = d->rows > 8 ? 2 : 1, body;

	v->cols = d->cols;
	if (d->lines) {
		say_screen(d, id, of, v, page);
		return;
	}
	v->spots.n = 0;
	werase(d->w);
	draw_header(d, of, v);
	if (top == 2)
		draw_tabs(d, id, of, v);
	if (of->trouble && d->rows > 4)
		draw_printf(d, top++, 0, d->cols, ROLE_IS_CRIT, "! %s", of->trouble);
	body = d->rows - top - 1;
	if (body > 0 && page)
		page_draw(page, d, top, body);
	else if (body > 0)
		screen_table[id]->draw(d, top, body, of, v);
	if (d->rows < 3 && !bar)
		return;
	if (bar)
		draw_cell(d, d->rows - 1, 0, d->cols, false, ROLE_IS_DIALOG, bar);
	else
		draw_key_bar(d, d->rows - 1, page ? SCREEN_PAGE : id, &v->spots);
}
