/* The ":" prompt: what is meant is found by a few letters, shown with its key, completed, and done. */
#include <stdio.h>

#include "tests/lib/desk.h"
#include "tui/console/palette.h"
#include "tui/console/verbs.h"
#include "tui/text/fuzzy.h"

static struct intent command(struct stage *s, const char *text)
{
	desk_press(s, ':');
	desk_type(s, text);
	return desk_press(s, '\r');
}

static void what_fits_better_comes_first(void **state)
{
	(void)state;
	assert_true(fuzzy_fit(SPAN("ports"), "ports") > fuzzy_fit(SPAN("port"), "ports"));
	assert_true(fuzzy_fit(SPAN("ne"), "next") > fuzzy_fit(SPAN("ev"), "next-event"));
	assert_true(fuzzy_fit(SPAN("ev"), "next-event") > fuzzy_fit(SPAN("xt"), "next-event"));
	assert_true(fuzzy_fit(SPAN("xt"), "next-event") > fuzzy_fit(SPAN("nv"), "next-event"));
	assert_int_equal(fuzzy_fit(SPAN("vn"), "nev"), 0);
	assert_int_equal(fuzzy_fit(SPAN("nexts"), "next"), 0);
	assert_int_equal(fuzzy_distance(SPAN("stauts"), "status"), 2);
	assert_int_equal(fuzzy_distance(SPAN(""), "abc"), 3);
}

static void the_palette_shows_each_command_with_its_key(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, ':');
	assert_null(palette_line(&s.palette));
	desk_type(&s, "mark");
	assert_string_equal(palette_line(&s.palette), "mark");
	assert_non_null(strstr(desk_shown(t, &s), "> Space       mark"));
	desk_press(&s, KEY_DOWN);
	assert_string_equal(palette_line(&s.palette), "mark-all");
	assert_non_null(strstr(desk_shown(t, &s), "> *           mark-all"));
	desk_press(&s, '\r');
	assert_true(s.views.tables[SCREEN_PORTS].n_marks > 1);
	stage_done(&s);
	screen_close(t);
}

static void a_command_is_found_by_what_it_does(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, ':');
	desk_type(&s, "reverse the");
	assert_null(palette_line(&s.palette));	/* by its help alone: Enter takes it once it is chosen */
	desk_press(&s, KEY_DOWN);
	assert_string_equal(palette_line(&s.palette), "invert");
	stage_done(&s);
}

/* Words of a help text, and letters scattered over a name, start nothing. */
static void enter_takes_what_was_named_alone(void **state)
{
	static const char *const typed[] = { "node", "tree", "nxsn", "closes", "ui", "eep", "it" };

	(void)state;
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		struct stage s = { .screen = SCREEN_PORTS };

		assert_int_equal(command(&s, typed[i]).is, INTENT_DONE);
		assert_int_equal(s.screen, SCREEN_PORTS);
		assert_false(s.has_page);
		assert_int_equal(s.typing.kind, TYPING_NOTHING);
		assert_non_null(strstr(s.message, "No command"));
		stage_done(&s);
	}
}

/* They would be dropped, and the command done to the row at the cursor. */
static void words_that_a_command_does_not_take_are_refused(void **state)
{
	static const char *const typed[] = { "raw leaf1", "refresh node5", "acknowledge x 2h", "quit now", "ports node1", "disarm x" };

	(void)state;
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		struct stage s = { .screen = SCREEN_FINDINGS };

		assert_int_equal(command(&s, typed[i]).is, INTENT_DONE);
		assert_int_equal(s.screen, SCREEN_FINDINGS);
		assert_false(s.has_page);
		assert_int_equal(s.typing.kind, TYPING_NOTHING);
		assert_non_null(strstr(s.message, "takes no words"));
		stage_done(&s);
	}
}

/* Two devices begin so: neither is gone to. */
static void the_first_of_many_is_not_opened(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	command(&s, "open node");
	assert_int_equal(s.screen, SCREEN_PORTS);
	assert_non_null(strstr(s.message, "No screen, device or device:port is named \"node\""));
	stage_done(&s);
}

/* Its name, what stands on its tab, and what does where there is little room. */
static void a_screen_is_found_by_each_of_its_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		const char *const names[] = { screen_names[i].name, screen_names[i].title, screen_names[i].brief };

		for (size_t n = 0; n < 3; n++) {
			struct stage s = { .screen = i == SCREEN_PORTS ? SCREEN_DEVICES : SCREEN_PORTS };
			enum screen_id id;

			command(&s, names[n]);
			assert_int_equal(s.screen, i);
			assert_true(screen_named(span_of(names[n]), &id));
			assert_int_equal(id, i);
			stage_done(&s);
		}
	}
}

static void every_command_is_taken_by_its_whole_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < key_count; i++) {
		struct stage s = { .screen = SCREEN_OVERVIEW };

		desk_press(&s, ':');
		desk_type(&s, key_table[i].name);
		assert_string_equal(palette_line(&s.palette), key_table[i].name);
		stage_done(&s);
	}
}

static void enter_on_nothing_does_nothing(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	command(&s, "");
	assert_int_equal(s.screen, SCREEN_PORTS);
	assert_false(s.has_page);
	assert_string_equal(s.message, "");
	stage_done(&s);
}

static void an_unknown_word_is_answered_with_the_nearest_command(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	command(&s, "portz");
	assert_string_equal(s.message, "No command \"portz\". Did you mean :ports?");
	command(&s, "xyzzyplugh");
	assert_string_equal(s.message, "No command \"xyzzyplugh\". ? lists them.");
	stage_done(&s);
}

static void tab_completes_commands_and_their_words(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	desk_press(&s, ':');
	desk_type(&s, "the");
	desk_press(&s, '\t');
	assert_string_equal(s.typing.text, "theme ");
	desk_type(&s, "mo");
	desk_press(&s, '\t');
	assert_string_equal(s.typing.text, "theme mono");
	assert_int_equal(desk_press(&s, '\r').is, INTENT_THEME);
	desk_press(&s, ':');
	desk_type(&s, "open node1:eth3");
	assert_string_equal(palette_line(&s.palette), "open node1:eth3");
	desk_press(&s, 27);
	desk_press(&s, ':');
	desk_type(&s, "filter leaf1 tru");
	assert_string_equal(palette_line(&s.palette), "filter leaf1 tru");
	desk_press(&s, KEY_DOWN);
	desk_press(&s, '\t');
	assert_string_equal(s.typing.text, "filter leaf1 trust:");
	stage_done(&s);
}

static void open_goes_to_what_is_named(void **state)
{
	struct stage s = { .screen = SCREEN_OVERVIEW };
	struct screen_test *t = screen_open(24, 80, true, NULL);

	(void)state;
	command(&s, "open node1:eth3");
	assert_int_equal(s.screen, SCREEN_DETAIL);
	assert_string_equal(s.views.subject->name, "eth3");
	command(&s, "open leaf2");
	assert_int_equal(s.screen, SCREEN_DEVICES);
	assert_non_null(strstr(desk_shown(t, &s), "\n> . leaf2"));
	command(&s, "open findings");
	assert_int_equal(s.screen, SCREEN_FINDINGS);
	command(&s, "open node99:eth0");
	assert_int_equal(s.screen, SCREEN_FINDINGS);
	assert_non_null(strstr(s.message, "No screen, device or device:port is named \"node99:eth0\""));
	stage_done(&s);
	screen_close(t);
}

static void filter_and_sort_take_words(void **state)
{
	char words[400] = "";
	struct stage s = { .screen = SCREEN_PORTS };
	struct table *t = &s.views.tables[SCREEN_PORTS];

	(void)state;
	command(&s, "filter leaf2 !node9");
	assert_string_equal(filter_text(t->filter), "leaf2 !node9");
	memset(words, 'a', sizeof(words) - 1);
	memcpy(words, "filter ", 7);
	command(&s, words);
	assert_string_equal(filter_text(t->filter), words + 7);
	command(&s, "filter leaf2 !node9");
	command(&s, "filter nofield>1");
	assert_string_equal(filter_text(t->filter), "leaf2 !node9");
	assert_true(*s.message);
	command(&s, "sort paused");
	assert_int_equal(t->n_sort, 1);
	command(&s, "sort nothing");
	assert_non_null(strstr(s.message, "No column \"nothing\""));
	s.screen = SCREEN_BRINGUP;
	command(&s, "filter x");
	assert_string_equal(s.message, "This screen has no list to filter.");
	stage_done(&s);
}

/* A reason that is typed after the message was read as keys. */
static void arm_alone_waits_for_its_reason(void **state)
{
	struct stage s = { .screen = SCREEN_FIX };

	(void)state;
	command(&s, "arm");
	assert_int_equal(s.typing.kind, TYPING_COMMAND);
	assert_string_equal(s.typing.text, "arm ");
	stage_done(&s);
}

static void explain_tells_what_a_name_means(void **state)
{
	struct stage s = { .screen = SCREEN_OVERVIEW };
	struct screen_test *t = screen_open(36, 120, true, NULL);

	(void)state;
	command(&s, "explain trust-same");
	assert_true(s.has_page);
	assert_non_null(strstr(desk_shown(t, &s), "Matters:"));
	desk_press(&s, 'q');
	command(&s, "explain nothing-of-the-kind");
	assert_false(s.has_page);
	stage_done(&s);
	screen_close(t);
}

static void the_first_of_what_was_offered_goes_back_to_what_was_typed_before(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };

	(void)state;
	command(&s, "open leaf2");
	desk_press(&s, ':');
	desk_press(&s, KEY_UP);
	assert_string_equal(s.typing.text, "open leaf2");
	assert_string_equal(palette_line(&s.palette), "open leaf2");
	desk_press(&s, KEY_DOWN);
	assert_string_equal(s.typing.text, "");
	stage_done(&s);
}

static void the_palette_leaves_every_size_alone(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 5, 20 }, { 1, 8 } };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		struct screen_test *t = screen_open(sizes[i / 2].rows, sizes[i / 2].cols, i % 2, NULL);
		struct stage s = { .screen = SCREEN_PORTS };

		desk_press(&s, ':');
		assert_non_null(strchr(desk_shown(t, &s), ':'));
		desk_type(&s, "open \033zzz");
		desk_shown(t, &s);
		stage_done(&s);
		screen_close(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_better_comes_first),
		cmocka_unit_test(the_palette_shows_each_command_with_its_key),
		cmocka_unit_test(a_command_is_found_by_what_it_does),
		cmocka_unit_test(enter_takes_what_was_named_alone),
		cmocka_unit_test(words_that_a_command_does_not_take_are_refused),
		cmocka_unit_test(the_first_of_many_is_not_opened),
		cmocka_unit_test(a_screen_is_found_by_each_of_its_names),
		cmocka_unit_test(every_command_is_taken_by_its_whole_name),
		cmocka_unit_test(enter_on_nothing_does_nothing),
		cmocka_unit_test(an_unknown_word_is_answered_with_the_nearest_command),
		cmocka_unit_test(tab_completes_commands_and_their_words),
		cmocka_unit_test(open_goes_to_what_is_named),
		cmocka_unit_test(filter_and_sort_take_words),
		cmocka_unit_test(arm_alone_waits_for_its_reason),
		cmocka_unit_test(explain_tells_what_a_name_means),
		cmocka_unit_test(the_first_of_what_was_offered_goes_back_to_what_was_typed_before),
		cmocka_unit_test(the_palette_leaves_every_size_alone),
	};

	return cmocka_run_group_tests(tests, desk_open, desk_close);
}
