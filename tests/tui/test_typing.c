/* The line being typed: edited by what is seen, its past at hand, and a paste is text whatever it holds. */
#include <stdio.h>

#include "tests/lib/desk.h"

#define CONTROL(c) ((c) & 0x1f)

static void type_text(struct typing *t, const char *text)
{
	for (; *text; text++)
		typing_key(t, (unsigned char)*text);
}

static void assert_line(const struct typing *t, const char *text, size_t at)
{
	assert_string_equal(t->text, text);
	assert_int_equal(t->n, strlen(text));
	assert_int_equal(t->at, at);
}

static void the_line_is_edited_where_the_cursor_is(void **state)
{
	struct typing t = { 0 };

	(void)state;
	typing_begin(&t, TYPING_FILTER, "");
	type_text(&t, "leaf trust:pcp");
	typing_key(&t, KEY_HOME);
	typing_key(&t, CONTROL('k'));
	assert_line(&t, "", 0);
	type_text(&t, "one two three");
	typing_key(&t, CONTROL('w'));
	assert_line(&t, "one two ", 8);
	typing_key(&t, CONTROL('a'));
	typing_key(&t, KEY_RIGHT);
	type_text(&t, "X");
	assert_line(&t, "oXne two ", 2);
	typing_key(&t, KEY_DC);
	typing_key(&t, KEY_LEFT);
	typing_key(&t, CONTROL('u'));
	assert_line(&t, "Xe two ", 0);
	typing_key(&t, KEY_END);
	typing_key(&t, KEY_BACKSPACE);
	assert_line(&t, "Xe two", 6);
	assert_false(typing_key(&t, KEY_F(5)));
	assert_false(typing_key(&t, CONTROL('g')));
	typing_done(&t);
}

static void a_character_is_erased_as_it_is_seen(void **state)
{
	static const char *const seen[] = { "é", "e\xcc\x81", "日", "\xf0\x9f\x94\xa5", "a\xcc\x88\xcc\x81" };

	(void)state;
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++) {
		struct typing t = { 0 };

		typing_begin(&t, TYPING_FILTER, "x");
		type_text(&t, seen[i]);
		type_text(&t, "y");
		typing_key(&t, KEY_LEFT);
		typing_key(&t, KEY_LEFT);
		assert_int_equal(t.at, 1);
		typing_key(&t, KEY_RIGHT);
		typing_key(&t, KEY_BACKSPACE);
		assert_line(&t, "xy", 1);
		typing_done(&t);
	}
}

static void a_full_line_takes_no_half_character(void **state)
{
	struct typing t = { 0 };

	(void)state;
	typing_begin(&t, TYPING_FILTER, "");
	for (unsigned i = 0; i < 1000; i++)
		type_text(&t, "日");
	assert_true(t.n < INPUT_MAX);
	assert_int_equal(t.n % 3, 0);
	typing_done(&t);
}

static void what_was_typed_is_found_again_by_kind(void **state)
{
	struct typing t = { 0 };

	(void)state;
	typing_begin(&t, TYPING_FILTER, "trust:pcp");
	typing_end(&t, true);
	typing_begin(&t, TYPING_FILTER, "leaf2");
	typing_end(&t, true);
	typing_begin(&t, TYPING_FILTER, "trust:pcp");
	typing_end(&t, true);
	typing_begin(&t, TYPING_TIME, "");
	assert_false(typing_recall(&t, 1));
	typing_end(&t, false);
	typing_begin(&t, TYPING_FILTER, "new");
	assert_true(typing_recall(&t, 1));
	assert_line(&t, "trust:pcp", 9);
	assert_true(typing_recall(&t, 1));
	assert_line(&t, "leaf2", 5);
	assert_false(typing_recall(&t, 1));
	assert_true(typing_recall(&t, -1));
	assert_true(typing_recall(&t, -1));
	assert_line(&t, "new", 3);
	assert_false(typing_recall(&t, -1));
	typing_done(&t);
}

static void an_answer_is_kept_nowhere(void **state)
{
	struct typing t = { 0 };

	(void)state;
	typing_begin(&t, TYPING_ANSWER, "hunter2");
	typing_end(&t, true);
	for (size_t i = 0; i < sizeof(t); i++)
		assert_true(i + 7 > sizeof(t) || memcmp((const char *)&t + i, "hunter2", 7) != 0);
	assert_int_equal(t.past[TYPING_ANSWER].n, 0);
	typing_done(&t);
}

/* -- on the stage -- */

static void paste(struct stage *s, const char *text, size_t n)
{
	desk_press(s, KEY_PASTE_BEGIN);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(desk_press(s, (unsigned char)text[i]).is, INTENT_DONE);
	desk_press(s, KEY_PASTE_END);
}

static void nothing_of_a_paste_acts_as_a_key(void **state)
{
	static const char hostile[] = "q:quit\r\n\x03\x1b" "9R*";
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	paste(&s, hostile, sizeof(hostile) - 1);
	assert_int_equal(s.screen, SCREEN_PORTS);
	assert_int_equal(s.typing.kind, TYPING_NOTHING);
	assert_non_null(strstr(s.message, "Pasted"));
	desk_press(&s, '/');
	paste(&s, hostile, sizeof(hostile) - 1);
	assert_string_equal(s.typing.text, "q:quit  9R*");
	assert_int_equal(s.typing.kind, TYPING_FILTER);
	assert_string_equal(filter_text(s.views.tables[SCREEN_PORTS].filter), "q:quit  9R*");
	desk_press(&s, 27);
	desk_press(&s, '8');
	assert_int_equal(s.screen, SCREEN_FINDINGS);
	stage_done(&s);
}

static void a_megabyte_pasted_neither_hangs_nor_overflows(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	static char text[1 << 20];

	(void)state;
	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < sizeof(text); i += 7)
		text[i] = '\n';
	desk_press(&s, '/');
	paste(&s, text, sizeof(text));
	assert_true(s.typing.n > 0 && s.typing.n < INPUT_MAX);
	stage_done(&s);
}

static void a_paste_without_an_end_does_not_lock_the_keys_for_ever(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, KEY_PASTE_BEGIN);
	desk_press(&s, '8');
	assert_int_equal(s.screen, SCREEN_PORTS);
	stage_idle(&s);
	desk_press(&s, '8');
	assert_int_equal(s.screen, SCREEN_FINDINGS);
	stage_done(&s);
}

static void a_password_may_be_pasted_and_a_yes_may_not(void **state)
{
	struct screen_test *screen = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct view_of of;
	struct intent i;

	(void)state;
	stage_ask(&s, 1, "node1", "Trust this key?", false, true);
	desk_view(&of);
	stage_draw(&s, screen_draw(screen), &of);
	paste(&s, "y\n", 2);
	assert_int_equal(s.questions.n, 1);
	assert_int_equal(desk_press(&s, 'n').is, INTENT_ANSWER);
	stage_ask(&s, 2, "node1", "Password:", true, false);
	stage_draw(&s, screen_draw(screen), &of);
	paste(&s, "secret", 6);
	stage_draw(&s, screen_draw(screen), &of);
	assert_non_null(strstr(screen_text(screen), "> ******_"));
	assert_null(strstr(screen_text(screen), "secret"));
	i = desk_press(&s, '\r');
	assert_string_equal(i.text, "secret");
	stage_done(&s);
	screen_close(screen);
}

static void the_cursor_of_a_long_line_is_seen(void **state)
{
	struct screen_test *screen = screen_open(24, 60, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };
	struct view_of of;

	(void)state;
	desk_press(&s, '/');
	for (unsigned i = 0; i < 100; i++)
		desk_press(&s, i < 99 ? 'a' : 'z');
	desk_view(&of);
	stage_draw(&s, screen_draw(screen), &of);
	assert_non_null(strstr(screen_text(screen), "aaaz_"));
	desk_press(&s, KEY_HOME);
	desk_press(&s, 'b');
	stage_draw(&s, screen_draw(screen), &of);
	assert_non_null(strstr(screen_text(screen), "Filter: baaa"));
	stage_done(&s);
	screen_close(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_is_edited_where_the_cursor_is),
		cmocka_unit_test(a_character_is_erased_as_it_is_seen),
		cmocka_unit_test(a_full_line_takes_no_half_character),
		cmocka_unit_test(what_was_typed_is_found_again_by_kind),
		cmocka_unit_test(an_answer_is_kept_nowhere),
		cmocka_unit_test(nothing_of_a_paste_acts_as_a_key),
		cmocka_unit_test(a_megabyte_pasted_neither_hangs_nor_overflows),
		cmocka_unit_test(a_paste_without_an_end_does_not_lock_the_keys_for_ever),
		cmocka_unit_test(a_password_may_be_pasted_and_a_yes_may_not),
		cmocka_unit_test(the_cursor_of_a_long_line_is_seen),
	};

	return cmocka_run_group_tests(tests, desk_open, desk_close);
}
