/* Help and pages are searched: live while it is typed, from match to match, and nothing is lost by it. */
#include <stdio.h>

#include "tests/lib/desk.h"

static void add_words(struct buf *out, const char *text)
{
	struct span rest = span_of(text), word;

	while (span_word(&rest, &word))
		buf_printf(out, "%s%.*s", out->n ? " " : "", (int)word.n, word.p);
}

/* Words in a row, wherever the lines end. */
static bool page_holds(const struct stage *s, const char *text)
{
	struct buf page = { 0 }, words = { 0 };
	bool holds;

	for (size_t i = 0; i < s->page.n; i++)
		add_words(&page, s->page.lines[i].text);
	add_words(&words, text);
	holds = strstr(page.text, words.text);
	buf_done(&page);
	buf_done(&words);
	return holds;
}

static void help_holds_every_key_and_every_word(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, '?');
	for (size_t i = 0; i < key_count; i++)
		assert_true(page_holds(&s, key_table[i].help));
	for (size_t i = 0; i < check_count; i++)
		assert_true(page_holds(&s, check_table[i].id));
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		assert_true(page_holds(&s, field_table[f].help));
	assert_true(page_holds(&s, "pfc_rate"));
	assert_true(page_holds(&s, "~^node1[02]"));
	stage_done(&s);
}

static void help_begins_with_the_keys_of_the_screen(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, '?');
	assert_string_equal(s.page.lines[0].text, "  On this screen: key, :command, what it does");
	assert_non_null(strstr(s.page.lines[1].text, ":open"));
	stage_done(&s);
}

static void help_is_searched_while_it_is_typed(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };
	size_t whole;

	(void)state;
	desk_shown(t, &s);	/* the lines are as wide as the screen is */
	desk_press(&s, '?');
	whole = s.page.n;
	desk_press(&s, '/');
	desk_type(&s, "COLUMN left");
	assert_non_null(strstr(desk_shown(t, &s), "h Left <"));
	assert_non_null(strstr(desk_shown(t, &s), "Search: COLUMN left_"));
	assert_true(s.page.n < 8);
	desk_type(&s, "zzz");
	assert_non_null(strstr(desk_shown(t, &s), "Nothing here matches \"COLUMN leftzzz\""));
	desk_press(&s, 21 /* ^U */);
	assert_int_equal(s.page.n, whole);
	desk_type(&s, "dscp.prio");
	desk_press(&s, '\r');
	assert_true(page_holds(&s, "Priority (802.1Q"));
	assert_true(s.page.n < 20);
	desk_press(&s, '/');
	desk_press(&s, 27);
	assert_int_equal(s.page.n, whole);
	desk_press(&s, 'q');
	assert_false(s.has_page);
	stage_done(&s);
	screen_close(t);
}

static void a_page(struct stage *s)
{
	page_begin(&s->page, "A reply");
	for (unsigned i = 0; i < 100; i++)
		page_add(&s->page, ROLE_IS_TEXT, "line %u%s", i, i % 40 == 7 ? " with Pause frames" : "");
	s->has_page = true;
}

static void words_are_found_on_any_page_and_n_goes_on(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	a_page(&s);
	desk_shown(t, &s);
	desk_press(&s, 'n');
	assert_non_null(strstr(s.message, "/ searches this page"));
	desk_press(&s, '/');
	desk_type(&s, "pause fr");
	assert_int_equal(s.page.found, 7);
	desk_press(&s, '\r');
	desk_press(&s, 'n');
	assert_int_equal(s.page.found, 47);
	assert_non_null(strstr(desk_shown(t, &s), "line 47 with Pause"));
	desk_press(&s, 'n');
	desk_press(&s, 'n');
	assert_int_equal(s.page.found, 7);
	desk_press(&s, 'N');
	assert_int_equal(s.page.found, 87);
	assert_true(s.has_page);
	desk_press(&s, '/');
	desk_type(&s, " none");
	assert_non_null(strstr(s.message, "is not on this page"));
	stage_done(&s);
	screen_close(t);
}

static void searching_an_empty_page_finds_nothing(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	page_begin(&s.page, "Empty");
	s.has_page = true;
	desk_press(&s, '/');
	desk_type(&s, "x");
	desk_press(&s, '\r');
	desk_press(&s, 'n');
	desk_press(&s, 'N');
	assert_non_null(strstr(s.message, "not on this page"));
	stage_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_holds_every_key_and_every_word),
		cmocka_unit_test(help_begins_with_the_keys_of_the_screen),
		cmocka_unit_test(help_is_searched_while_it_is_typed),
		cmocka_unit_test(words_are_found_on_any_page_and_n_goes_on),
		cmocka_unit_test(searching_an_empty_page_finds_nothing),
	};

	return cmocka_run_group_tests(tests, desk_open, desk_close);
}
