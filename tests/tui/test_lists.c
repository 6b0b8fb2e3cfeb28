/* What every list can do, on the real screens: choose columns, freeze, sort, filter, mark, compare, and never be mute. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/screen.h"
#include "tests/lib/world.h"

#define ESC 27

static const enum screen_id lists[] = { SCREEN_PORTS, SCREEN_FINDINGS, SCREEN_DEVICES };
#define LISTS (sizeof(lists) / sizeof(*lists))

/* A fabric with one fault, and a console in front of it. */
struct desk {
	struct world world;
	struct screen_test *terminal;
	struct stage stage;
	uint64_t serial;
};

static void desk_open(struct desk *k, enum screen_id screen, int rows, int cols)
{
	memset(k, 0, sizeof(*k));
	world_init(&k->world);
	world_set(&k->world, "node1 eth2 trust = pcp");
	world_run(&k->world, 5);
	k->terminal = screen_open(rows, cols, true, NULL);
	k->stage.screen = screen;
}

static void desk_close(struct desk *k)
{
	stage_done(&k->stage);
	screen_close(k->terminal);
	world_done(&k->world);
}

static struct view_of view(struct desk *k)
{
	const struct world *w = &k->world;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .serial = ++k->serial };
}

static const char *shown(struct desk *k)
{
	struct view_of of = view(k);

	stage_draw(&k->stage, screen_draw(k->terminal), &of);
	return screen_text(k->terminal);
}

/* Keys as typed, drawn after each. */
static const char *press(struct desk *k, const char *keys)
{
	shown(k);
	for (; *keys; keys++) {
		struct view_of of = view(k);

		stage_key(&k->stage, &of, (unsigned char)*keys);
		shown(k);
	}
	return shown(k);
}

static void assert_shows(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not on the screen:\n%s", what, text);
}

static void assert_lacks(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("\"%s\" is on the screen:\n%s", what, text);
}

/* The list's heading, with its line end. */
static const char *heading(const char *text)
{
	static char line[512];
	struct span rest = span_of(text), found = { .n = 0 };

	for (int i = 0; i < 3; i++)
		span_line(&rest, &found);
	snprintf(line, sizeof(line), "%.*s", (int)found.n, found.p);
	return line;
}

/* Two titles are there, in that order. */
static void assert_stand(const char *text, const char *first, const char *second)
{
	const char *line = heading(text);

	assert_shows(line, first);
	assert_shows(line, second);
	assert_true(strstr(line, first) < strstr(line, second));
}

static void a_column_is_hidden_moved_and_taken_back(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_DEVICES, 36, 120);
	assert_stand(press(&k, ""), "DEVICE", "STATE");
	assert_shows(press(&k, "c"), "Columns of this list");
	assert_lacks(heading(press(&k, "jj ")), "STATE");	/* severity, device, state */
	assert_shows(press(&k, ""), "[ ] state");
	assert_stand(press(&k, "\x1b"), "DEVICE", "STATE");
	assert_stand(press(&k, "cjj<\n"), "STATE", "DEVICE");
	assert_lacks(press(&k, ""), "Columns of this list");
	assert_stand(press(&k, "cU\n"), "DEVICE", "STATE");
	desk_close(&k);
}

static void a_column_for_wide_screens_is_shown_on_a_small_one_when_asked_for(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 24, 80);
	assert_lacks(heading(press(&k, "")), "TX bit/s");
	k.stage.views.tables[SCREEN_PORTS].is_ordered = false;
	press(&k, "c");
	for (size_t i = 0; i < COLUMNS_MAX && !strstr(press(&k, ""), "> [ ] tx "); i++)
		press(&k, "j");
	assert_shows(heading(press(&k, " ")), "TX bit/s");
	desk_close(&k);
}

static void the_chooser_says_of_what_an_age_is(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 40, 140);
	press(&k, "");
	press(&k, "c");
	for (size_t i = 0; i < COLUMNS_MAX && !strstr(press(&k, ""), "> [x] age "); i++)
		press(&k, "j");
	assert_shows(press(&k, ""), "of the oldest reply behind the row");
	desk_close(&k);
}

static void rows_are_sorted_by_a_column_of_choice_and_then_by_the_last(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_DEVICES, 36, 120);
	press(&k, "cjs");		/* by device */
	assert_shows(heading(press(&k, "js")), "STATE ^");
	assert_shows(heading(press(&k, "")), "DEVICE ^2");
	assert_shows(heading(press(&k, "s")), "STATE v");
	assert_lacks(heading(press(&k, "\x1b")), "^");
	desk_close(&k);
}

static void a_field_is_completed_and_found_words_are_shown_in_the_rows(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	assert_shows(press(&k, "/tru\t"), "Filter: trust:");
	assert_shows(press(&k, "pcp"), "node1:eth2");
	assert_lacks(press(&k, ""), "node1:eth3");
	assert_shows(press(&k, "\x1b/is:b\t\n"), "node1:eth2");
	assert_lacks(press(&k, ""), "node1:eth3");
	assert_shows(press(&k, "\x1b /is:m\t\n"), "node1:eth2");
	assert_lacks(press(&k, ""), "node1:eth3");
	assert_shows(press(&k, " "), "No row matches /is:marked: Esc shows all 2.");
	desk_close(&k);
}

static void a_small_screen_keeps_the_first_of_what_differs_in_sight(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 16, 60 }, { 10, 40 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct desk k;

		desk_open(&k, SCREEN_PORTS, sizes[i][0], sizes[i][1]);
		assert_shows(press(&k, ""), "trust pcp≠");
		assert_shows(press(&k, ""), "alike");
		desk_close(&k);
	}
}

static void a_wide_screen_shows_more_columns(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	assert_lacks(heading(press(&k, "")), "DROP/s");
	desk_close(&k);
	desk_open(&k, SCREEN_PORTS, 36, 200);
	assert_shows(heading(press(&k, "")), "RAIL");
	assert_shows(heading(press(&k, "")), "DROP/s");
	assert_shows(heading(press(&k, "")), "OOS/s");
	desk_close(&k);
}

static void what_moved_lately_can_be_asked_for(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	assert_shows(press(&k, "/is:changed\n"), "No row matches /is:changed: Esc shows all 2.");
	world_set(&k.world, "node1 eth3 trust = pcp");
	world_run(&k.world, 1);
	assert_shows(press(&k, ""), "node1:eth3");
	assert_lacks(press(&k, ""), "> ! node1:eth2");
	world_run(&k.world, 20);
	assert_shows(press(&k, ""), "No row matches");
	desk_close(&k);
}

static void the_pane_sets_what_is_wanted_beside_what_both_ends_say(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	assert_shows(press(&k, ""), "roce-lossless requires");
	assert_shows(press(&k, ""), "TRUST       dscp          pcp");
	assert_shows(press(&k, ""), "0s ≠ dscp");
	assert_shows(press(&k, ""), "impact");
	assert_shows(press(&k, "j"), "No findings here");
	assert_lacks(press(&k, "i"), "requires");
	desk_close(&k);
}

static void two_marked_links_are_compared_and_what_differs_comes_first(void **state)
{
	struct desk k;
	const char *text;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	text = press(&k, " j =");
	assert_shows(text, "Compare 2");
	assert_shows(text, "node1:eth2 - leaf1:ethernet1/1/1");
	assert_shows(text, "nic trust                 pcp");
	assert_true(strstr(text, "differ\n") < strstr(text, "nic trust"));
	assert_true(strstr(text, "nic trust") < strstr(text, "are alike"));
	desk_close(&k);
}

static void one_link_is_compared_with_the_policy(void **state)
{
	struct desk k;
	const char *text;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	text = press(&k, "=");
	assert_shows(text, "policy roce-lossless");
	assert_shows(text, "1 differ");
	assert_shows(text, "nic trust                 pcp");
	assert_lacks(text, "nic mac ");
	desk_close(&k);
}

static void of_three_the_one_that_differs_is_named(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_DEVICES, 36, 120);
	world_set(&k.world, "node1 version = \"1.0\"");
	world_set(&k.world, "leaf1 version = \"1.0\"");
	world_set(&k.world, "leaf2 version = \"2.0\"");
	world_run(&k.world, 2);
	assert_shows(press(&k, "*="), "version");
	assert_shows(press(&k, ""), "1.0            2 of 4   node2 ?; leaf2 2.0");
	desk_close(&k);
}

static void findings_are_compared_and_of_one_alone_its_link_with_the_policy(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_FINDINGS, 36, 120);
	assert_shows(press(&k, "="), "policy roce-lossless");
	assert_shows(press(&k, "\x1b j ="), "what");
	assert_shows(press(&k, ""), "trusts pcp, expected dscp");
	desk_close(&k);
}

static void probes_of_an_open_device_are_not_compared_as_devices(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_DEVICES, 36, 120);
	assert_shows(press(&k, "\n*="), " alone cannot be compared");
	desk_close(&k);
}

/* Half an answer of a probe, as the model keeps it. */
static void say_half(struct world *w, const char *raw)
{
	struct obs o;

	obs_init(&o, "node1", "mlnx_qos");
	o.at_us = w->now_us;
	o.period_us = 30 * SECOND;
	o.rank = 10;
	o.is_partial = true;
	o.raw = span_of(raw);
	model_apply(w->model, &o);
	obs_done(&o);
}

static void a_busy_device_is_not_said_to_have_been_cut_short(void **state)
{
	struct desk k;

	(void)state;
	desk_open(&k, SCREEN_DEVICES, 36, 160);
	while (!strstr(press(&k, ""), "> ") || !strstr(strstr(press(&k, ""), "> "), "node1"))
		press(&k, "j");
	say_half(&k.world, "RTNETLINK answers: Device or resource busy\n");
	assert_shows(press(&k, "\n"), "the device was busy, never whole");
	assert_lacks(press(&k, ""), "cut short");
	say_half(&k.world, "Priority trust sta");
	assert_shows(press(&k, ""), "cut short, never whole");
	desk_close(&k);
}

static void what_nobody_tells_is_neither_alike_nor_different(void **state)
{
	struct desk k;
	const char *text;

	(void)state;
	desk_open(&k, SCREEN_PORTS, 36, 120);
	world_set(&k.world, "node1 eth3 mtu = unknown \"not root\"");
	world_run(&k.world, 2);
	text = press(&k, "*=");
	assert_shows(text, "are not known for every one");
	assert_true(strstr(text, "are not known") < strstr(text, "nic mtu"));
	assert_true(strstr(text, "nic mtu") < strstr(text, "are alike"));
	desk_close(&k);
}

static void the_chooser_lives_on_every_list_at_every_size(void **state)
{
	static const int sizes[][2] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 5, 20 }, { 1, 8 }, { 60, 240 } };

	(void)state;
	for (size_t i = 0; i < LISTS; i++) {
		for (size_t j = 0; j < sizeof(sizes) / sizeof(*sizes); j++) {
			struct desk k;

			desk_open(&k, lists[i], sizes[j][0], sizes[j][1]);
			press(&k, "cjjjjjjjjjjjjjjjjjjjjjj <<<< s|kkk>>> sI|\ncU\x1b");
			assert_false(k.stage.chooser.is_open);
			desk_close(&k);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_column_is_hidden_moved_and_taken_back),
		cmocka_unit_test(a_column_for_wide_screens_is_shown_on_a_small_one_when_asked_for),
		cmocka_unit_test(the_chooser_says_of_what_an_age_is),
		cmocka_unit_test(rows_are_sorted_by_a_column_of_choice_and_then_by_the_last),
		cmocka_unit_test(a_field_is_completed_and_found_words_are_shown_in_the_rows),
		cmocka_unit_test(a_small_screen_keeps_the_first_of_what_differs_in_sight),
		cmocka_unit_test(a_wide_screen_shows_more_columns),
		cmocka_unit_test(what_moved_lately_can_be_asked_for),
		cmocka_unit_test(the_pane_sets_what_is_wanted_beside_what_both_ends_say),
		cmocka_unit_test(two_marked_links_are_compared_and_what_differs_comes_first),
		cmocka_unit_test(one_link_is_compared_with_the_policy),
		cmocka_unit_test(of_three_the_one_that_differs_is_named),
		cmocka_unit_test(findings_are_compared_and_of_one_alone_its_link_with_the_policy),
		cmocka_unit_test(probes_of_an_open_device_are_not_compared_as_devices),
		cmocka_unit_test(a_busy_device_is_not_said_to_have_been_cut_short),
		cmocka_unit_test(what_nobody_tells_is_neither_alike_nor_different),
		cmocka_unit_test(the_chooser_lives_on_every_list_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
