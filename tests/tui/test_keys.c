/*
 * Each key of the table is pressed on each screen that it names, as the terminal would send it, and must do there what its
 * row says: what follows from a command is written here once, for all screens.
 */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/plans.h"
#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/screens/history.h"
#include "tui/widgets/bind.h"

#define ESC "\033"

static struct world world;
static struct event happened[] = {
	{ 990 * SECOND, "fail", "leaf1:e1", "ecn-on: off" }, { 995 * SECOND, "note", "", "reboot" },
	{ 1001 * SECOND, "closed", "leaf1:e1", "ecn-on" },
};
static struct events events = { .list = happened, .n = 3, .serial = 1 };

static struct plans plans;	/* applied, verified, and to be kept or taken back */
static struct plans made;	/* and one that nothing was begun with */

static bool is_live;	/* for what a replay cannot do */
static bool is_begun;

static struct view_of view(void)
{
	struct view_of of = world_view(&world);

	of.is_replay = !is_live;
	of.events = &events;
	of.first_us = 5 * SECOND;
	of.last_us = world.now_us;
	of.cursor_us = 1000 * SECOND;
	of.fix = is_begun ? &plans.view : &made.view;
	return of;
}

/* A key pressed: the stage before it and after, and the intent. */
struct tried {
	enum screen_id on;		/* or SCREEN_PAGE */
	struct intent i;
	struct stage was, is;
	char *shown_was;		/* the picture without its last row, which has the messages */
	bool has_changed;		/* it is another one now */
	bool was_aside, is_aside;	/* the cursor is in another pane than the list */
};

static void press(struct stage *s, const char *keys)
{
	for (; *keys; keys++) {
		struct view_of of = view();

		stage_key(s, &of, *keys);
	}
}

static struct screen_test *terminal;

static void draw(struct stage *s)
{
	struct view_of of = view();

	stage_draw(s, screen_draw(terminal), &of);
}

/* Yours to free. */
static char *shown(struct stage *s)
{
	char *text, *last;

	draw(s);
	text = xstrdup(screen_text(terminal));
	last = strrchr(text, '\n');
	if (last)
		*last = '\0';
	last = strrchr(text, '\n');
	if (last)
		*last = '\0';
	return text;
}

static bool is_aside(struct stage *s)
{
	struct view_of of = view();

	return screens_subject(s->screen, &of, &s->views).is_aside;
}

/* What was to be seen before the key and is after it. */
static void compare_pictures(struct tried *t, struct stage *s)
{
	char *now = shown(s);

	t->has_changed = strcmp(now, t->shown_was) != 0;
	t->is_aside = is_aside(s);
	free(now);
	free(t->shown_was);
}

static const struct table *list_was(const struct tried *t)
{
	return &t->was.views.tables[t->was.screen];
}

static const struct table *list_is(const struct tried *t)
{
	return &t->is.views.tables[t->was.screen];
}

static bool says(const struct tried *t, const char *words)
{
	return strstr(t->is.message, words) != NULL;
}

static bool is_typing(const struct tried *t, enum typing_kind kind)
{
	return t->is.typing.kind == kind;
}

/* The cursor, the page or the map went on, as far as there was room; on History, time did. */
static bool moved(const struct tried *t)
{
	return t->i.is == INTENT_SEEK || t->i.is == INTENT_TIME || t->i.is == INTENT_LIVE || list_was(t)->cursor != list_is(t)->cursor ||
	       t->was.page.top != t->is.page.top || t->was.page.pan != t->is.page.pan ||
	       list_was(t)->columns.pan != list_is(t)->columns.pan || t->has_changed;
}

/* To another screen, a page, a device's probes, other folds; on History, to the time. */
static bool opened(const struct tried *t)
{
	return t->is.screen != t->was.screen || t->is.has_page || t->i.is == INTENT_SEEK || t->has_changed;
}

static bool went_back(const struct tried *t)
{
	if (t->on == SCREEN_PAGE)
		return !t->is.has_page;
	return t->on == SCREEN_OVERVIEW ? t->i.is == INTENT_QUIT : t->is.screen != t->was.screen;
}

static bool paned(const struct tried *t)
{
	return t->is.screen != t->was.screen || t->is_aside != t->was_aside || t->has_changed;
}

static bool sorted(const struct tried *t)
{
	return list_was(t)->n_sort != list_is(t)->n_sort || list_was(t)->sort[0].column != list_is(t)->sort[0].column;
}

static bool zoomed(const struct tried *t)
{
	return t->has_changed || t->i.is == INTENT_WARM || *t->is.message;
}

/* What the row of a list's command says. */
static bool did_to_list(enum command c, const struct tried *t)
{
	switch (c) {
	case DO_SORT:		return sorted(t);
	case DO_INVERT:		return list_was(t)->is_upside_down != list_is(t)->is_upside_down ||
				       list_was(t)->sort[0].is_inverted != list_is(t)->sort[0].is_inverted;
	case DO_COLUMNS:	return t->is.chooser.is_open;
	case DO_FREEZE:		return list_was(t)->columns.frozen != list_is(t)->columns.frozen;
	case DO_FOLLOW:		return list_was(t)->is_fixed != list_is(t)->is_fixed;
	case DO_PANE:		return t->was.views.without_pane[t->on] != t->is.views.without_pane[t->on];
	case DO_MARK:		return list_is(t)->n_marks == 1;
	case DO_MARK_ALL:	return list_is(t)->n_marks == list_is(t)->n;
	case DO_COMPARE:	return t->is.has_page || says(t, "ark");
	case DO_EXPLAIN:	return t->is.has_page;
	case DO_RAW:		return t->is.has_page || says(t, "reply");
	case DO_OPEN:		return opened(t);
	case DO_ACK:		return is_typing(t, t->on == SCREEN_DIAGNOSE ? TYPING_GIVE : TYPING_ACK);
	case DO_UNDO:		return t->i.is == (t->on == SCREEN_DIAGNOSE ? INTENT_UNGIVE : t->on == SCREEN_FIX ? INTENT_FIX_UNDO : INTENT_UNACK);
	case DO_DIAGNOSE:	return t->is.screen == SCREEN_DIAGNOSE && (t->was.screen != SCREEN_DIAGNOSE ||
				       t->has_changed);
	case DO_ABOUT_ALL:	return t->has_changed;
	case DO_FIX:		return t->i.is == INTENT_PLAN && (t->i.finding || t->i.port || t->i.device);
	case DO_APPLY:		return t->is.confirm.kind == CONFIRM_APPLY;
	case DO_KEEP:		return t->i.is == INTENT_FIX_KEEP;
	case DO_MANIFEST:	return t->is.has_page;
	case DO_DROP:		return t->i.is == INTENT_FIX_DROP;
	case DO_NEXT_FAILURE:	return t->has_changed;
	case DO_RETEST:		return t->i.is == INTENT_TEST_AGAIN && t->i.unit;
	case DO_BLINK:		return t->i.is == INTENT_BLINK && t->i.unit;
	case DO_LABEL:		return is_typing(t, TYPING_LABEL);
	case DO_SKIP:		return is_typing(t, TYPING_SKIP);
	case DO_TEST_RACK:	return t->i.is == INTENT_TEST_RACK;
	case DO_TEST:		return t->i.is == INTENT_TEST_ALLOW;
	case DO_ARM:		return t->i.is == INTENT_ARM;
	case DO_DISARM:		return t->i.is == INTENT_DISARM;
	case DO_KEEP_HOSTS:	return t->i.is == INTENT_KEEP;
	case DO_ZERO:		return t->i.is == INTENT_ZERO && t->i.port;
	case DO_UNZERO:		return t->i.is == INTENT_UNZERO && t->i.port;
	case DO_REFRESH:	return t->i.is == (t->on == SCREEN_FIX ? INTENT_FIX_LOOK : INTENT_REFRESH);
	default:		return false;
	}
}

static bool did_in_time(enum command c, const struct tried *t)
{
	switch (c) {
	case DO_PAUSE:		return t->i.is == INTENT_PAUSE;
	case DO_LIVE:		return t->i.is == INTENT_LIVE;
	case DO_PLAY:		return t->i.is == INTENT_PLAY;
	case DO_NEXT_SAMPLE:	return t->i.is == INTENT_STEP && t->i.by == 1;
	case DO_PREVIOUS_SAMPLE: return t->i.is == INTENT_STEP && t->i.by == -1;
	case DO_NEXT_EVENT:	return t->i.is == INTENT_EVENT && t->i.by == 1 && !t->i.text;
	case DO_PREVIOUS_EVENT:	return t->i.is == INTENT_EVENT && t->i.by == -1;
	case DO_NEXT_NOTE:	return t->i.is == INTENT_EVENT && !strcmp(t->i.text, "note");
	case DO_TIME:		return is_typing(t, TYPING_TIME);
	case DO_NOTE:		return is_typing(t, TYPING_NOTE);
	case DO_SPEED:		return t->i.is == INTENT_SPEED;
	case DO_ZOOM_IN:
	case DO_ZOOM_OUT:	return zoomed(t);
	case DO_MARK_A:		return history_of(&((struct tried *)t)->is.views)->a_us == 1000 * SECOND;
	case DO_MARK_B:		return history_of(&((struct tried *)t)->is.views)->b_us == 1000 * SECOND;
	case DO_BASELINE:	return t->i.is == INTENT_BASELINE;
	default:		return false;
	}
}

static bool did_anywhere(enum command c, const struct tried *t)
{
	enum screen_id to;

	switch (c) {
	case DO_HELP:		return t->is.has_page && t->is.page.is_help;
	case DO_PROMPT:		return is_typing(t, TYPING_COMMAND);
	case DO_FILTER:		return is_typing(t, t->on == SCREEN_PAGE ? TYPING_SEARCH : TYPING_FILTER);
	case DO_COPY:		return t->i.is == INTENT_COPY && t->i.by == 0;
	case DO_COPY_JSON:	return t->i.is == INTENT_COPY && t->i.by == 1;
	case DO_EXPORT:		return is_typing(t, TYPING_EXPORT);
	case DO_REPORT:		return is_typing(t, t->on == SCREEN_BRINGUP ? TYPING_SHEET : TYPING_REPORT);
	case DO_SNAPSHOT:	return is_typing(t, t->on == SCREEN_FIX ? TYPING_PLAN_FILE : TYPING_SNAPSHOT);
	case DO_NEXT_MATCH:
	case DO_PREVIOUS_MATCH:	return says(t, "searches this page");
	case DO_NEXT_PANE:
	case DO_PREVIOUS_PANE:	return paned(t);
	case DO_MATRIX:		return says(t, "no pairs to show");	/* without traffic; with it: test_technician.c */
	case DO_SETTINGS:	return t->i.is == INTENT_SETTINGS;
	case DO_THEME:		return t->i.is == INTENT_THEME;
	case DO_MOUSE:		return t->i.is == INTENT_MOUSE;
	case DO_FILL:		return t->i.is == INTENT_FILL;
	case DO_CANCEL:		return t->i.is == INTENT_DONE && (t->on != SCREEN_PAGE || !t->is.has_page);
	case DO_BACK:		return went_back(t);
	case DO_INTERRUPT:	return t->i.is == INTENT_DONE && says(t, "again quits");
	case DO_SUSPEND:	return t->i.is == INTENT_SUSPEND;
	case DO_REDRAW:		return t->i.is == INTENT_REDRAW;
	case DO_QUIT:		return t->i.is == INTENT_QUIT;
	default:
		if (command_is(c, KEYS_MOVE))
			return moved(t);
		if (command_goes(c, &to))
			return t->is.screen == to && !t->is.has_page;
		return did_to_list(c, t) || did_in_time(c, t);
	}
}

/* What stands there before the key, so that it has something to do. */
static const char *before(enum command c, enum screen_id on)
{
	if (on == SCREEN_DIAGNOSE && (c == DO_DOWN || c == DO_PAGE_DOWN || c == DO_BOTTOM))
		return "g";	/* its cursor begins at the end */
	if (on == SCREEN_BRINGUP && (c == DO_NEXT_FAILURE || c == DO_RIGHT || c == DO_DOWN || c == DO_PAGE_DOWN || c == DO_BOTTOM))
		return "g";	/* its cursor begins at the first failure */
	if (c == DO_UP || c == DO_PAGE_UP || c == DO_TOP)
		return "jj";
	if (c == DO_LEFT)
		return on == SCREEN_OVERVIEW ? "\tl" : on == SCREEN_FABRIC ? "" : "l";
	if (c == DO_RIGHT)
		return on == SCREEN_OVERVIEW ? "\t" : on == SCREEN_FABRIC ? "h" : "";
	if ((c == DO_EXPLAIN || c == DO_RAW || c == DO_FIX || c == DO_DIAGNOSE || c == DO_COMPARE) && on == SCREEN_FABRIC)
		return "jj";	/* from the heading to a row */
	if ((c == DO_DIAGNOSE || c == DO_FIX || c == DO_COMPARE) && on == SCREEN_DIAGNOSE)
		return "G";	/* to the question that found something */
	if ((c == DO_DIAGNOSE || c == DO_FIX || c == DO_COMPARE) && on == SCREEN_HISTORY)
		return "k";	/* from a note to a finding */
	if (c == DO_ZOOM_OUT)
		return "+";
	if (c == DO_OPEN && on == SCREEN_HISTORY)
		return "k";
	return "";
}

/* One try; code 0: by its name. */
static void try(const struct key *k, enum screen_id on, int code)
{
	struct tried t = { .on = on };
	struct stage s = { .screen = on == SCREEN_PAGE ? SCREEN_OVERVIEW : on };
	struct view_of of;

	is_live = k->command == DO_ACK || k->command == DO_UNDO;
	is_begun = k->command == DO_KEEP || k->command == DO_UNDO || k->command == DO_RAW;
	draw(&s);
	press(&s, on == SCREEN_PAGE ? "?" : "");
	press(&s, before(k->command, on));
	t.shown_was = shown(&s);
	t.was_aside = is_aside(&s);
	t.was = s;
	of = view();
	t.i = code ? stage_key(&s, &of, code) : stage_command(&s, &of, k->command);
	t.is = s;
	compare_pictures(&t, &s);
	is_live = is_begun = false;
	if (t.i.is == INTENT_NONE || !did_anywhere(k->command, &t))
		fail_msg("%s (%s, code %d) on screen %d: intent %d, screen %d, message \"%s\"", k->name, key_show(k), code, (int)on + 1,
			 (int)t.i.is, (int)s.screen + 1, s.message);
	stage_done(&s);
}

static void each_key_does_on_each_screen_what_its_row_says(void **state)
{
	unsigned tries = 0;

	(void)state;
	for (size_t i = 0; i < key_count; i++)
		for (enum screen_id on = 0; on <= SCREEN_PAGE; on++) {
			const struct key *k = &key_table[i];

			if (!(k->screens >> on & 1))
				continue;
			for (size_t c = 0; c < 4 && k->codes[c]; c++, tries++)
				try(k, on, k->codes[c]);
			if (!k->codes[0])
				try(k, on, 0);
		}
	printf("%u keys pressed\n", tries);
	assert_true(tries > 600);
}

static void a_key_that_a_screen_does_not_name_does_nothing_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < key_count; i++)
		for (enum screen_id on = 0; on <= SCREEN_PAGE; on++)
			for (size_t c = 0; c < 4 && key_table[i].codes[c]; c++) {
				struct stage s = { .screen = on == SCREEN_PAGE ? SCREEN_OVERVIEW : on };
				struct view_of of = view();

				draw(&s);
				press(&s, on == SCREEN_PAGE ? "?" : "");
				if (key_command(key_table[i].codes[c], on) == DO_NOTHING)
					assert_int_equal(stage_key(&s, &of, key_table[i].codes[c]).is, INTENT_NONE);
				stage_done(&s);
			}
}

/* What can lie over a screen, and what may be typed there, beside questions and the form of the first run. */
static void q_leaves_from_everywhere(void **state)
{
	static const char *const ways[] = {
		"", "?", "x", "o", "/leaf\n", ":ports\n", "3?", "b-10m\n", "1234567898765v", "i", "\n", "\n\n", "c\n", "c" ESC, "*=", "m" ESC,
		"a" ESC, "e" ESC, "?/key\n", "p", "F", "|", "[", "]", "\t\t", "y", "w" ESC, "0",
	};

	(void)state;
	for (size_t i = 0; i < SCREEN_COUNT * sizeof(ways) / sizeof(*ways); i++) {
		struct stage s = { .screen = (enum screen_id)(i % SCREEN_COUNT) };
		unsigned presses = 0;
		struct view_of of;

		draw(&s);
		press(&s, ways[i / SCREEN_COUNT]);
		if (s.confirm.kind)
			press(&s, ESC);	/* q is a letter of what is typed there */
		draw(&s);
		for (of = view(); stage_key(&s, &of, 'q').is != INTENT_QUIT; presses++)
			if (presses > 2 * BACK_MAX)
				fail_msg("after \"%s\" on screen %zu q does not leave", ways[i / SCREEN_COUNT], i % SCREEN_COUNT + 1);
		stage_done(&s);
	}
}

static int begin(void **state)
{
	(void)state;
	terminal = screen_open(24, 80, true, NULL);
	world_known(&world, KNOWN_FULL);
	plans_init(&plans, PLANS_WAITING);
	plans_init(&made, PLANS_ARMED);
	return 0;
}

static int end(void **state)
{
	(void)state;
	world_done(&world);
	plans_done(&plans);
	plans_done(&made);
	screen_close(terminal);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_does_on_each_screen_what_its_row_says),
		cmocka_unit_test(a_key_that_a_screen_does_not_name_does_nothing_there),
		cmocka_unit_test(q_leaves_from_everywhere),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
