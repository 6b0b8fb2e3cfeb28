/* What is set while the console runs, by F2, and what the mouse does. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/screen.h"
#include "tests/lib/tty.h"
#include "tests/lib/world.h"
#include "tui/console/mouse.h"
#include "tui/text/files.h"
#include "tui/text/human.h"

#define ESC 27

static struct view_of view(const struct world *w)
{
	static uint64_t serial;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .serial = ++serial };
}

/* -- settings -- */

static void a_change_is_seen_at_once_and_esc_takes_it_back(void **state)
{
	struct look look = { .theme = "dark", .signs = SIGNS_UTF8 };
	struct settings s = { 0 };
	bool writes;

	(void)state;
	settings_open(&s, &look);
	assert_true(settings_key(&s, 'l', &writes));
	assert_string_equal(s.look.theme, "light");
	assert_true(settings_key(&s, 'h', &writes));
	assert_true(settings_key(&s, 'h', &writes));
	assert_string_equal(s.look.theme, "auto");
	assert_false(settings_key(&s, 'j', &writes));
	assert_true(settings_key(&s, ' ', &writes));
	assert_int_equal(s.look.signs, SIGNS_BRAILLE);
	assert_true(settings_key(&s, ESC, &writes));
	assert_false(writes);
	assert_false(s.is_open);
	assert_string_equal(s.look.theme, "dark");
	assert_int_equal(s.look.signs, SIGNS_UTF8);
	/* But for what was written. */
	settings_open(&s, &look);
	assert_true(settings_key(&s, 'l', &writes));
	assert_true(settings_key(&s, 'w', &writes));
	assert_true(writes);
	assert_true(settings_key(&s, ESC, &writes));
	assert_string_equal(s.look.theme, "light");
	settings_close(&s);
}

static void the_settings_can_be_read_at_every_size(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 4, 20 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct screen_test *t = screen_open(sizes[i].rows, sizes[i].cols, i % 2, NULL);
		struct look look = { .theme = "dark" };
		struct settings s = { 0 };

		settings_open(&s, &look);
		settings_draw(&s, screen_draw(t));
		assert_non_null(strstr(screen_text(t), "> theme   < dark"));
		settings_close(&s);
		screen_close(t);
	}
}

static void times_of_this_place_have_no_z(void **state)
{
	char text[HUMAN_MAX];
	int64_t at_us = INT64_C(1789221600) * SECOND;	/* 2026-09-12 14:00 UTC */

	(void)state;
	setenv("TZ", "XXX-5:30", 1);
	tzset();
	assert_string_equal(human_date(text, at_us), "2026-09-12 14:00:00Z");
	assert_int_equal(human_ahead_us(at_us), 0);
	human_use_local(true);
	assert_string_equal(human_date(text, at_us), "2026-09-12 19:30:00");
	assert_int_equal(human_ahead_us(at_us), 330 * 60 * SECOND);
	assert_string_equal(human_near(text, at_us + 5 * 3600 * SECOND, at_us), "09-13 00:30");
	human_use_local(false);
	unsetenv("TZ");
	tzset();
}

/* -- the mouse -- */

struct scene_of_mouse {
	struct screen_test *screen;
	struct stage stage;
	struct world world;
	const char *text;
};

static void look_at(struct scene_of_mouse *m)
{
	struct view_of of = view(&m->world);

	stage_draw(&m->stage, screen_draw(m->screen), &of);
	m->text = screen_text(m->screen);
}

static void begin(struct scene_of_mouse *m, enum screen_id screen)
{
	memset(m, 0, sizeof(*m));
	m->screen = screen_open(24, 120, true, NULL);
	m->stage.screen = screen;
	world_init(&m->world);
	world_set(&m->world, "node1 eth2 trust = pcp");
	world_run(&m->world, 5);
	look_at(m);
}

static void end(struct scene_of_mouse *m)
{
	stage_done(&m->stage);
	world_done(&m->world);
	screen_close(m->screen);
}

/* Where a text stands on the screen; that screen holds ASCII only before it. */
static void find(const struct scene_of_mouse *m, const char *text, int *y, int *x)
{
	struct span rest = span_of(m->text), line;

	for (*y = 0; span_line(&rest, &line); (*y)++) {
		const char *at = span_find(line, text);

		if (!at)
			continue;
		*x = (int)(at - line.p);
		return;
	}
	fail_msg("\"%s\" is not on\n%s", text, m->text);
}

static struct intent mouse(struct scene_of_mouse *m, enum mouse_is what, const char *at)
{
	struct view_of of = view(&m->world);
	struct intent i;
	int y = 0, x = 0;

	find(m, at, &y, &x);
	i = stage_mouse(&m->stage, &of, what, y, x);
	look_at(m);
	return i;
}

static void a_click_on_a_tab_opens_its_screen(void **state)
{
	struct scene_of_mouse m;

	(void)state;
	begin(&m, SCREEN_OVERVIEW);
	mouse(&m, MOUSE_CLICK, "8 Findings");
	assert_int_equal(m.stage.screen, SCREEN_FINDINGS);
	mouse(&m, MOUSE_CLICK, "2 Ports");
	assert_int_equal(m.stage.screen, SCREEN_PORTS);
	end(&m);
}

static void a_click_takes_the_cursor_and_a_double_click_opens(void **state)
{
	struct scene_of_mouse m;

	(void)state;
	begin(&m, SCREEN_PORTS);
	mouse(&m, MOUSE_CLICK, "node1:eth3");
	assert_int_equal(m.stage.views.tables[SCREEN_PORTS].cursor, 1);
	assert_int_equal(m.stage.screen, SCREEN_PORTS);
	mouse(&m, MOUSE_DOUBLE, "node1:eth3");
	assert_int_equal(m.stage.screen, SCREEN_DETAIL);
	assert_string_equal(m.stage.views.subject->name, "eth3");
	end(&m);
}

static void a_click_on_a_heading_sorts_and_again_the_other_way(void **state)
{
	struct scene_of_mouse m;
	struct table *t = &m.stage.views.tables[SCREEN_PORTS];

	(void)state;
	begin(&m, SCREEN_PORTS);
	mouse(&m, MOUSE_CLICK, "TRUST");
	assert_int_equal(t->n_sort, 1);
	assert_false(t->sort[0].is_inverted);
	mouse(&m, MOUSE_CLICK, "TRUST");
	assert_int_equal(t->n_sort, 1);
	assert_true(t->sort[0].is_inverted);
	end(&m);
}

static void the_wheel_moves_and_the_key_bar_is_pressed(void **state)
{
	struct scene_of_mouse m;

	(void)state;
	begin(&m, SCREEN_PORTS);
	mouse(&m, MOUSE_WHEEL_DOWN, "node1:eth2");
	assert_int_equal(m.stage.views.tables[SCREEN_PORTS].cursor, 1);
	mouse(&m, MOUSE_WHEEL_UP, "node1:eth2");
	assert_int_equal(m.stage.views.tables[SCREEN_PORTS].cursor, 0);
	mouse(&m, MOUSE_CLICK, "x explain");
	assert_true(m.stage.has_page);
	mouse(&m, MOUSE_WHEEL_DOWN, "fabcon");
	assert_true(m.stage.has_page);
	end(&m);
}

/* Anywhere, with anything over the screen: no crash, and what is asked is not answered by a click. */
static void a_click_answers_no_question_and_hits_nothing_that_is_not_there(void **state)
{
	struct scene_of_mouse m;
	struct view_of of;

	(void)state;
	begin(&m, SCREEN_PORTS);
	stage_ask(&m.stage, 7, "leaf1", "Trust it?", false, true);
	look_at(&m);
	mouse(&m, MOUSE_DOUBLE, "Trust it?");
	mouse(&m, MOUSE_CLICK, "y yes");
	assert_int_equal(m.stage.questions.n, 1);
	of = view(&m.world);
	stage_key(&m.stage, &of, ESC);
	for (unsigned screen = 0; screen < SCREEN_COUNT; screen++) {
		m.stage.screen = (enum screen_id)screen;
		for (int y = -1; y < 26; y++) {
			for (int x = -1; x < 122; x += 3) {
				of = view(&m.world);
				stage_mouse(&m.stage, &of, (enum mouse_is)((y + x + 2) % 4), y, x);
			}
			m.stage.screen = (enum screen_id)screen;
		}
		look_at(&m);
	}
	end(&m);
}

/* -- the program -- */

static bool was_sent(const struct tty *t, const char *bytes)
{
	return span_find(buf_span(tty_bytes(t)), bytes);
}

static void what_is_written_is_there_next_time(void **state)
{
	char *path = xasprintf("%s/fabcon/config.yaml", home);
	struct buf text = { 0 };
	struct err err = { "" };
	struct tty *t = TTY(24, 100, "fabcon", "-i", "localhost", "--no-input");

	(void)state;
	assert_true(tty_shows(t, "Overview", 20));
	tty_type(t, "\033OQ");		/* F2 */
	assert_true(tty_shows(t, "> theme   < auto", 20));
	tty_type(t, "lljjjl");
	assert_true(tty_shows(t, "> mouse   < on", 20));
	assert_true(tty_shows(t, "  theme   < light", 20));
	tty_type(t, "w");
	assert_true(tty_shows(t, "Written to config.yaml", 20));
	tty_type(t, "\r:quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	assert_true(was_sent(t, "\033[?1000h") || was_sent(t, "\033[?1006;1000h"));
	assert_true(was_sent(t, "\033[?1000l") || was_sent(t, "\033[?1006;1000l"));
	tty_close(t);
	if (!file_read(path, &text, &err))
		fail_msg("%s", err.text);
	assert_string_equal(text.text, "theme: light\nmouse: yes\n");
	t = TTY(24, 100, "fabcon", "-i", "localhost", "--no-input");
	tty_type(t, "\033OQ");
	assert_true(tty_shows(t, "> theme   < light", 20));
	tty_type(t, "q:quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	buf_done(&text);
	free(path);
}

static void the_mouse_is_the_terminals_until_it_is_asked_for(void **state)
{
	struct tty *t = TTY(24, 120, "fabcon", "-i", "localhost", "--no-input");

	(void)state;
	assert_true(tty_shows(t, "[Overview]", 20));
	assert_false(was_sent(t, "1000h"));
	tty_type(t, ":mouse\r");
	assert_true(tty_shows(t, "The console uses the mouse", 20));
	assert_true(was_sent(t, "1000h"));
	tty_type(t, "\033[<0;13;2M\033[<0;13;2m");	/* on "2 Ports" */
	assert_true(tty_shows(t, "[Ports]", 20));
	tty_type(t, ":mouse\r");
	assert_true(tty_shows(t, "The terminal uses the mouse", 20));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_seen_at_once_and_esc_takes_it_back),
		cmocka_unit_test(the_settings_can_be_read_at_every_size),
		cmocka_unit_test(times_of_this_place_have_no_z),
		cmocka_unit_test(a_click_on_a_tab_opens_its_screen),
		cmocka_unit_test(a_click_takes_the_cursor_and_a_double_click_opens),
		cmocka_unit_test(a_click_on_a_heading_sorts_and_again_the_other_way),
		cmocka_unit_test(the_wheel_moves_and_the_key_bar_is_pressed),
		cmocka_unit_test(a_click_answers_no_question_and_hits_nothing_that_is_not_there),
		cmocka_unit_test_setup_teardown(what_is_written_is_there_next_time, home_open, home_close),
		cmocka_unit_test_setup_teardown(the_mouse_is_the_terminals_until_it_is_asked_for, home_open, home_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
