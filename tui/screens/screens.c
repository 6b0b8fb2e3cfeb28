#include "tui/screens/screens.h"

#include <stdlib.h>

#define ROW(id, object, ...) [SCREEN_##id] = &screen_##object,
const struct screen *const screen_table[SCREEN_COUNT] = { SCREEN_LIST(ROW) };

void screens_done(struct views *v)
{
	for (size_t i = 0; i < SCREEN_COUNT; i++)
		screens_reset(v, (enum screen_id)i);
	views_done(v);
}

void screens_reset(struct views *v, enum screen_id id)
{
	table_done(&v->tables[id]);
	if (v->own[id] && screen_table[id]->done)
		screen_table[id]->done(v->own[id]);
	free(v->own[id]);
	v->own[id] = NULL;
}

void screens_forget(struct views *v)
{
	views_forget(v);
	for (size_t i = 0; i < SCREEN_COUNT; i++)
		if (v->own[i] && screen_table[i]->forget)
			screen_table[i]->forget(v->own[i]);
}

bool screens_back(struct views *v, enum screen_id id)
{
	return screen_table[id]->back && screen_table[id]->back(v);
}

/* -- keys -- */

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

/* A screen that is gone to with words shows what they filter. */
static struct intent arrive(const struct view_of *of, struct views *v, struct intent i)
{
	const char **names = i.is == INTENT_GO && i.text ? screens_filter_names(i.screen, of, v) : NULL;

	if (names)
		table_filter(&v->tables[i.screen], filter_new(i.text, names, NULL));
	free(names);
	return i;
}

static struct intent screens_compare(enum screen_id id, const struct view_of *of, struct views *v, struct page *page)
{
	struct table_source s = { .n_rows = 0 };

	if (screens_source(id, of, v, &s))
		table_update(&v->tables[id], &s);
	return compare_marked(id, &v->tables[id], &s, of, v, page);
}

struct intent screens_key(enum screen_id id, const struct view_of *of, struct views *v, enum command command,
			  struct page *page)
{
	const struct screen *screen = screen_table[id];
	struct table_source s;
	struct intent i;

	if (!key_of(command, id))
		return (struct intent){ .is = INTENT_NONE };
	if (command == DO_COMPARE)
		return screens_compare(id, of, v, page);
	if (screen->pane_key && screen->pane_key(of, v, command, page, &i))
		return arrive(of, v, i);
	if (screen->source) {
		screen->source(of, v, &s);
		table_update(&v->tables[id], &s);
		if (list_key(&v->tables[id], &s, command))
			return (struct intent){ .is = INTENT_DONE };
	}
	if (command == DO_FOLLOW) {
		table_follow(&v->tables[id]);
		return (struct intent){ .is = INTENT_SAY, .text = v->tables[id].is_fixed ?
					"The cursor stays on this line; rows move under it." : "The cursor follows its row." };
	}
	return arrive(of, v, screen->key(of, v, command, page));
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
	struct table_source s;

	if (screen_table[id]->save)
		screen_table[id]->save(of, v, out);
	else if (screens_source(id, of, v, &s))
		table_save(&v->tables[id], &s, out);
}

void screens_restore(enum screen_id id, const struct view_of *of, struct views *v, struct span text)
{
	struct table_source s;

	if (screens_source(id, of, v, &s))
		table_restore(&v->tables[id], &s, text);
}
