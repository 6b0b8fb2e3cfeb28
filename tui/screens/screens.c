#include "tui/screens/screens.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/text/human.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/table_spoken.h"

#define ROW(id, object, ...) [SCREEN_##id] = &screen_##object,
const struct screen *const screen_table[SCREEN_COUNT] = { SCREEN_LIST(ROW) };

/* What screens share */

void views_done(struct views *v)
{
	for (size_t i = 0; i < SCREEN_COUNT; i++)
		table_done(&v->tables[i]);
	portrows_done(&v->ports);
	free(v->detail);
	proof_done(&v->proof.proof);
	table_done(&v->devices);
	folds_done(&v->findings);
	changes_done(&v->history.changes);
	diagnose_forget(&v->diagnose);
	heat_done(&v->overview.heat);
	worst_links_done(&v->overview.losses);
	pauses_done(&v->pauses.graph);
	fabric_rows_done(&v->fabric.branches);
	free(v->fabric.turned);
	free(v->fabric.shown);
	memset(v, 0, sizeof(*v));
}

const struct link *views_link(const struct view_of *of, const struct views *v)
{
	return v->subject ? links_of_port(of->links, v->subject) : NULL;
}

bool views_back(struct views *v, enum screen_id id)
{
	if (id != SCREEN_DEVICES || !*v->device)
		return false;
	v->device[0] = '\0';
	table_done(&v->tables[id]);
	v->tables[id] = v->devices;
	v->tables[id].is_ordered = false;
	v->devices = (struct table){ 0 };
	return true;
}

bool views_row(const struct table *t, size_t n, size_t *row)
{
	return (*row != AT_CURSOR || table_cursor(t, row)) && *row < n;
}

int views_width(const struct views *v)
{
	return v->cols ? v->cols - 4 : 100;
}

static bool is_acked(const struct view_of *of, const struct finding *f)
{
	return of->acks && of->acks->n && acks_of(of->acks, f, model_now(of->model));
}

void views_findings(const struct view_of *of, struct views *v, bool in_short)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	folds_clear(&v->findings);
	for (int acked = 0; acked < 2; acked++)
		for (size_t i = 0; i < n; i++)
			if ((!in_short || !list[i]->cause) && is_acked(of, list[i]) == acked)
				folds_add(&v->findings, list[i], in_short && !acked);
}

/* To those that are open, for a list that asks for them. */
void views_closed(const struct view_of *of, struct views *v)
{
	int64_t now_us = model_now(of->model);
	const struct finding **list;
	size_t n = findings_closed(of->findings, now_us - now_us % (86400 * SECOND), &list);

	for (size_t i = 0; i < n; i++)
		folds_add(&v->findings, list[i], false);
	free(list);
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
	case DO_FREEZE:		table_freeze(t, s); break;
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
	struct intent i;

	if (!key_of(command, id))
		return (struct intent){ .is = INTENT_NONE };
	if (screen->pane_key && screen->pane_key(of, v, command, page, &i))
		return i;
	if (screen->source) {
		screen->source(of, v, &s);
		table_update(&v->tables[id], &s);
		if (list_key(&v->tables[id], &s, command))
			return (struct intent){ .is = INTENT_DONE };
	}
	if (command == DO_FOLLOW) {
		table_follow(&v->tables[id]);
		return (struct intent){ .is = INTENT_SAY, .text = v->tables[id].is_fixed ?
					"The cursor stays at its place, whichever row comes there." : "The cursor follows its row." };
	}
	if (command == DO_COMPARE)
		return compare_marked(screen, &v->tables[id], &s, of, v, page);
	return screen->key(of, v, command, page);
}

struct subject screens_subject(enum screen_id id, const struct view_of *of, struct views *v)
{
	struct table_source s;

	if (screens_source(id, of, v, &s))
		table_update(&v->tables[id], &s);
	if (!screen_table[id]->subject)
		return subject_none("There is nothing under the cursor.");
	return screen_table[id]->subject(of, v, AT_CURSOR);
}

bool screens_next_pane(enum screen_id id, const struct view_of *of, struct views *v, int by)
{
	return screen_table[id]->next_pane && screen_table[id]->next_pane(of, v, by);
}

bool screens_source(enum screen_id id, const struct view_of *of, struct views *v, struct table_source *s)
{
	if (!screen_table[id]->source)
		return false;
	screen_table[id]->source(of, v, s);
	return true;
}

const char **screens_filter_names(enum screen_id id, const struct view_of *of, struct views *v)
{
	struct table_source s;

	return screens_source(id, of, v, &s) ? table_names(&s) : NULL;
}

void screens_save(enum screen_id id, const struct view_of *of, struct views *v, struct buf *out)
{
	bool is_aside = id == SCREEN_DEVICES && *v->device;	/* what is kept is the screen's own list */
	struct table opened = v->tables[id];
	char first = v->device[0];
	struct table_source s;

	if (is_aside) {
		v->tables[id] = v->devices;
		v->device[0] = '\0';
	}
	if (screens_source(id, of, v, &s))
		table_save(&v->tables[id], &s, out);
	if (is_aside) {
		v->devices = v->tables[id];
		v->tables[id] = opened;
		v->device[0] = first;
	}
}

void screens_restore(enum screen_id id, const struct view_of *of, struct views *v, struct span text)
{
	struct table_source s;

	if (screens_source(id, of, v, &s))
		table_restore(&v->tables[id], &s, text);
}

/* The header: always one row, first what must not be missed */

static int64_t shortest_period(const struct device *d)
{
	int64_t shortest_us = INT64_MAX;

	for (size_t i = 0; i < d->n_replies; i++)
		if (d->replies[i]->period_us && d->replies[i]->period_us < shortest_us)
			shortest_us = d->replies[i]->period_us;
	return shortest_us;
}

/* Its first answer is still to come. */
static bool is_coming(const struct model *m, const struct device *d)
{
	const char *error = device_text(d, FIELD_ERROR);
	uint64_t state;

	return !d->heard_us && !(error && *error) &&
	       (!device_number(m, d, FIELD_STATE, 0, &state) || state == STATE_WAITING || state == STATE_CONNECTING);
}

static void reach_device(const struct model *m, const struct device *d, struct header_counts *r)
{
	int64_t often_us = shortest_period(d);
	bool late = false, up = false;
	uint64_t state;

	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *reply = d->replies[i];
		int64_t age_us = model_now(m) - reply->at_us;

		if (!reply->period_us || !strcmp(reply->probe, "ssh"))
			continue;
		up = true;
		late |= reply_is_stale(m, reply);
		if (reply->period_us == often_us && (!r->any || age_us > r->oldest_us)) {
			r->oldest_us = age_us;
			r->any = true;
		}
	}
	r->all++;
	if (device_number(m, d, FIELD_STATE, 0, &state))
		up = state == STATE_UP;
	r->up += up && !late;
	r->late += up && late;
	r->coming += !up && is_coming(m, d);
	r->down += !up && !is_coming(m, d);
}

static void count_findings(const struct view_of *of, struct header_counts *r)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++) {
		if (list[i]->cause || list[i]->verdict < VERDICT_LOOK)
			continue;
		if (of->acks && acks_of(of->acks, list[i], model_now(of->model)))
			r->acked++;
		else if (list[i]->verdict >= VERDICT_WARN)
			(*(list[i]->verdict == VERDICT_FAIL ? &r->crit : &r->warn))++;
	}
}

const struct header_counts *views_counts(const struct view_of *of, struct views *v)
{
	struct header_counts *r = &v->header;

	if (r->is_made && r->serial == of->serial)
		return r;
	*r = (struct header_counts){ .is_made = true, .serial = of->serial };
	for (size_t i = 0; i < model_devices(of->model); i++)
		reach_device(of->model, model_device(of->model, i), r);
	count_findings(of, r);
	return r;
}

/* STALE is said when nothing is fresh; that some devices are late is counted beside them. */
static const char *state_word(const struct view_of *of, const struct header_counts *r)
{
	if (of->is_replay)
		return of->is_playing ? "REPLAY playing" : "REPLAY";
	if (of->is_paused)
		return "PAUSED";
	return r->late && !r->up ? "STALE" : "LIVE";
}

/* A part of the header, whole or not at all. */
static int draw_part(const struct draw *d, int x, enum role role, const char *text)
{
	if (x + (int)strlen(text) > d->cols)
		return x;
	return x + draw_text(d, 0, x, d->cols - x, role, text) + 1;
}

static int draw_counts(const struct draw *d, int x, const struct header_counts *r)
{
	size_t crit = r->crit, warn = r->warn;
	char text[64], acked[32] = "";

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
		buf_printf(&text, ", %zu not answered yet", r->coming);
	if (r->late)
		buf_printf(&text, ", %zu stale", r->late);
	buf_printf(&text, ". %zu links. %zu critical and %zu warning findings. Oldest counter: ", of->links->n, crit, warn);
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
	snprintf(text, sizeof(text), "| %zu links", of->links->n);
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
		key_text(out, "{pause} or {live} goes on");
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

void screens_draw(const struct draw *d, enum screen_id id, const struct view_of *of, struct views *v, struct page *page,
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
