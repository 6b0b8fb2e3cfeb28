/* The Fix screen: what is shown of a plan, what must be typed before anything is sent, and what counts as nothing. */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/plans.h"
#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/console/export.h"
#include "tui/console/plain.h"

static struct world world;
static struct screen_test *terminal;
static struct plans plans;

static struct view_of view(void)
{
	struct view_of of = world_view(&world);

	of.fix = &plans.view;
	return of;
}

static const char *draw(struct stage *s)
{
	struct view_of of = view();

	stage_draw(s, screen_draw(terminal), &of);
	return screen_text(terminal);
}

static struct intent press(struct stage *s, int code)
{
	struct view_of of = view();

	return stage_key(s, &of, code);
}

/* The last key's intent. */
static struct intent type(struct stage *s, const char *keys)
{
	struct intent i = { .is = INTENT_NONE };

	for (; *keys; keys++)
		i = press(s, (unsigned char)*keys);
	return i;
}

static void assert_shows(struct stage *s, const char *words)
{
	const char *text = draw(s);

	if (!strstr(text, words))
		fail_msg("\"%s\" is not on\n%s", words, text);
}

static void begin_at(enum plans_at at, struct stage *s)
{
	plans_done(&plans);
	plans_init(&plans, at);
	*s = (struct stage){ .screen = SCREEN_FIX };
	draw(s);
}

/* -- read-only -- */

static void read_only_enter_asks_nothing_and_says_how_to_arm(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_MADE, &s);
	assert_int_equal(type(&s, "\n").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	assert_string_equal(s.message, "Read-only: :arm REASON first.");
	assert_shows(&s, "| RO");
	assert_int_equal(type(&s, "K").is, INTENT_DONE);
	assert_int_equal(type(&s, "U").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
}

static void a_replay_cannot_apply_however_it_is_asked(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_ARMED, &s);
	plans.view.forbidden = "a replay is read-only";
	type(&s, "\n");
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	assert_string_equal(s.message, "a replay is read-only");
	assert_shows(&s, "Cannot be applied here: a replay is read-only.");
	stage_done(&s);
}

static void arm_takes_a_reason_and_becomes_an_intent(void **state)
{
	struct stage s;
	struct intent i;

	(void)state;
	begin_at(PLANS_MADE, &s);
	i = type(&s, ":arm INC-42 trust\n");
	assert_int_equal(i.is, INTENT_ARM);
	assert_string_equal(i.text, "INC-42 trust");
	assert_int_equal(type(&s, ":disarm\n").is, INTENT_DISARM);
	stage_done(&s);
}

/* No key of any screen but those of Fix asks for a device to be changed; and those ask a person first. */
static void no_single_key_of_any_screen_begins_a_change(void **state)
{
	(void)state;
	for (enum screen_id id = 0; id < SCREEN_COUNT; id++)
		for (int code = 1; code < KEY_MAX; code = code == 255 ? KEY_MIN : code + 1) {
			struct intent i;
			struct stage s;

			begin_at(PLANS_ARMED, &s);
			s.screen = id;
			i = press(&s, code);
			if (i.is == INTENT_FIX_APPLY || i.is == INTENT_FIX_KEEP || i.is == INTENT_FIX_UNDO)
				fail_msg("key %d on screen %d", code, (int)id + 1);
			stage_done(&s);
		}
}

/* -- the question -- */

static void the_beginning_of_the_hash_starts_a_plan_of_several_devices(void **state)
{
	struct stage s;
	struct intent i;
	char word[16];

	(void)state;
	begin_at(PLANS_ARMED, &s);
	type(&s, "\n");
	assert_int_equal(s.confirm.kind, CONFIRM_APPLY);
	snprintf(word, sizeof(word), "2 devices");
	assert_shows(&s, word);
	assert_shows(&s, "[ Cancel ]");
	type(&s, word);
	assert_shows(&s, "[ Apply ]");
	i = type(&s, "\n");
	assert_int_equal(i.is, INTENT_FIX_APPLY);
	assert_string_equal(i.text, plans.hash);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
}

static void the_name_starts_a_plan_of_one_device(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_ARMED, &s);
	plans.plan.n_steps = 1;
	type(&s, "\n");
	assert_shows(&s, "Type  leaf1  to start");
	assert_int_equal(type(&s, "leaf1\n").is, INTENT_FIX_APPLY);
	plans.plan.n_steps = 2;
	stage_done(&s);
}

static void enter_alone_and_any_other_word_cancel(void **state)
{
	static const char *const answers[] = { "\n", "\n\n", "y\n", "yes\n", "leaf1\n", "LEAF1\n", "apply\n", "\033", "\003", "0000000\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct stage s;
		bool began = false;

		begin_at(PLANS_ARMED, &s);
		type(&s, "\n");
		draw(&s);
		for (const char *c = answers[i]; *c; c++)
			began |= press(&s, (unsigned char)*c).is == INTENT_FIX_APPLY;
		assert_false(began);
		stage_done(&s);
	}
}

static void keys_typed_before_the_question_was_drawn_are_dropped(void **state)
{
	struct stage s;
	char keys[32];

	(void)state;
	begin_at(PLANS_ARMED, &s);
	snprintf(keys, sizeof(keys), "\n2 devices\n");
	assert_int_equal(type(&s, keys).is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_APPLY);
	draw(&s);
	assert_int_equal(type(&s, "\n").is, INTENT_DONE);	/* nothing of it was typed into the frame */
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
}

static void pasted_text_confirms_nothing(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_ARMED, &s);
	type(&s, "\n");
	draw(&s);
	press(&s, KEY_PASTE_BEGIN);
	type(&s, plans.hash);
	assert_int_equal(type(&s, "\n").is, INTENT_DONE);
	press(&s, KEY_PASTE_END);
	assert_int_equal(s.confirm.kind, CONFIRM_APPLY);
	assert_string_equal(s.confirm.field.text, "");
	stage_done(&s);
}

/* What does not fit cannot be read, and so cannot be answered. */
static void a_terminal_too_small_for_the_question_gets_no_yes(void **state)
{
	struct draw small = *screen_draw(terminal);
	struct stage s;
	struct view_of of;
	char keys[32];

	(void)state;
	begin_at(PLANS_ARMED, &s);
	type(&s, "\n");
	small.rows = 6;
	small.cols = 30;
	of = view();
	stage_draw(&s, &small, &of);
	snprintf(keys, sizeof(keys), "2 devices\n");
	assert_int_equal(type(&s, keys).is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_APPLY);
	type(&s, "\033");
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
}

/* A name that a file brought, of control characters and a frame of its own, stays in its place. */
static void a_hostile_name_stays_in_its_place(void **state)
{
	static const char hostile[] = "l\033[2J\033]52;c;AA\007 [ Apply ] \xe2\x80\xae" "x";
	struct stage s;

	(void)state;
	begin_at(PLANS_ARMED, &s);
	plans.plan.steps[0].device = hostile;
	type(&s, "\n");
	assert_shows(&s, "[ Cancel ]");
	assert_null(strchr(draw(&s), '\033'));
	assert_null(strstr(draw(&s), "\xe2\x80\xae"));
	stage_done(&s);
	plans.plan.steps[0].device = "leaf1";
}

/* -- while it goes -- */

static void a_countdown_stands_on_every_screen_while_something_is_armed(void **state)
{
	(void)state;
	for (enum screen_id id = 0; id < SCREEN_COUNT; id++) {
		struct stage s;

		begin_at(PLANS_WAITING, &s);
		s.screen = id;
		assert_shows(&s, "AUTO-ROLLBACK IN 00:41");
		assert_shows(&s, "RW 14:59");
		stage_done(&s);
	}
}

static void how_each_step_goes_is_told(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_RUNNING, &s);
	assert_shows(&s, "applying: line 2 of 2");
	assert_shows(&s, "AUTO-ROLLBACK IN 09:41");
	stage_done(&s);
	begin_at(PLANS_WAITING, &s);
	assert_shows(&s, "verifying 34/60 s");
	assert_shows(&s, "K keep | U undo now");
	assert_shows(&s, "Waiting for keep");
	stage_done(&s);
	begin_at(PLANS_FAILED, &s);
	assert_shows(&s, "node1 is not known: a person is needed");
	assert_shows(&s, "> ");
	stage_done(&s);
}

static void keep_and_undo_of_what_goes_on_need_no_second_question(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_WAITING, &s);
	assert_int_equal(type(&s, "K").is, INTENT_FIX_KEEP);
	assert_int_equal(type(&s, "U").is, INTENT_FIX_UNDO);
	stage_done(&s);
	begin_at(PLANS_RUNNING, &s);
	assert_int_equal(type(&s, "K").is, INTENT_DONE);
	assert_non_null(strstr(s.message, "only a verified change"));
	assert_int_equal(type(&s, "\n").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
}

static void after_it_is_kept_the_next_steps_are_to_look_and_to_take_back(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_FAILED, &s);
	plans.steps[0].state = FIX_SAVED;
	plans.steps[1].state = FIX_KEPT;
	plans.view.end = "done: every device is as planned";
	plans.view.is_bad = false;
	assert_shows(&s, "8 shows whether the finding has closed. R reads again, U rolls");
	assert_int_equal(type(&s, "\n").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	assert_non_null(strstr(s.message, "is applied"));
	type(&s, "U");
	assert_int_equal(s.confirm.kind, CONFIRM_UNDO);
	stage_done(&s);
	begin_at(PLANS_FAILED, &s);
	plans.view.doing = DOING_UNDO;
	draw(&s);
	assert_null(strstr(draw(&s), "rolls back what was started"));
	stage_done(&s);
}

/* After it has ended there is nothing to stop any more: taking back is a change of its own. */
static void to_take_back_what_has_ended_is_asked_like_applying(void **state)
{
	struct stage s;
	char keys[32];

	(void)state;
	begin_at(PLANS_FAILED, &s);
	type(&s, "U");
	assert_int_equal(s.confirm.kind, CONFIRM_UNDO);
	draw(&s);
	snprintf(keys, sizeof(keys), "2 devices\n");
	assert_int_equal(type(&s, keys).is, INTENT_FIX_UNDO);
	stage_done(&s);
}

static void leaving_while_a_fix_is_made_says_what_becomes_of_it(void **state)
{
	struct stage s;
	struct intent i;

	(void)state;
	begin_at(PLANS_WAITING, &s);
	confirm_open(&s.confirm, CONFIRM_LEAVE, &plans.view);
	assert_shows(&s, "2 devices roll back by their own timers, first in 00:41");
	assert_int_equal(type(&s, "q").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	confirm_open(&s.confirm, CONFIRM_LEAVE, &plans.view);
	draw(&s);
	i = type(&s, "u");
	assert_int_equal(i.is, INTENT_LEAVE);
	assert_int_equal(i.by, 1);
	confirm_open(&s.confirm, CONFIRM_LEAVE, &plans.view);
	draw(&s);
	i = type(&s, "l");
	assert_int_equal(i.is, INTENT_LEAVE);
	assert_int_equal(i.by, 0);
	stage_done(&s);
}

static void a_plan_of_an_earlier_session_is_offered_and_taken_up(void **state)
{
	static const struct open_plan open[] = {
		{ .id = "P-20261120-aaaa", .devices = "node1, leaf1", .state = "node1 may be armed: not answered, leaf1 timer armed",
		  .rolls_back_us = 700 * SECOND },
	};
	const struct fix_plan *plan;
	struct stage s;
	struct intent i;

	(void)state;
	begin_at(PLANS_MADE, &s);
	plan = plans.view.plan;
	plans.view.plan = NULL;
	plans.view.open = open;
	plans.view.n_open = 1;
	plans.view.wall_us = 119 * SECOND;
	assert_shows(&s, "P-20261120-aaaa");
	assert_shows(&s, "node1, leaf1");
	assert_shows(&s, "rolls back in 09:41; last seen: node1 may be");
	i = type(&s, "\n");
	assert_int_equal(i.is, INTENT_FIX_RESUME);
	assert_string_equal(i.text, open[0].id);
	assert_int_equal(i.by, DO_NOTHING);
	/* of the selected row, without opening it first */
	i = type(&s, "U");
	assert_int_equal(i.is, INTENT_FIX_RESUME);
	assert_string_equal(i.text, open[0].id);
	assert_int_equal(i.by, DO_UNDO);
	i = type(&s, "K");
	assert_int_equal(i.is, INTENT_FIX_RESUME);
	assert_int_equal(i.by, DO_KEEP);
	plans.view.plan = plan;
	stage_done(&s);
}

/* One end committed, the other with a timer that runs: in the list, in 80 columns, and beside the plan when it was opened. */
static void what_the_timer_makes_half_is_said_before_it_does(void **state)
{
	static struct open_plan open[] = {
		{ .id = "P-20261121-4f2a", .devices = "leaf1, node1", .state = "leaf1 committed, node1 verified",
		  .rolls_back_us = 192 * SECOND, .committed = "leaf1", .half = "node1", .half_us = 192 * SECOND },
	};
	const struct fix_plan *plan;
	struct stage s;

	(void)state;
	begin_at(PLANS_MADE, &s);
	plan = plans.view.plan;
	plans.view.plan = NULL;
	plans.view.open = open;
	plans.view.n_open = 1;
	plans.view.wall_us = 119 * SECOND;
	assert_shows(&s, "half a link in 01:13: leaf1 committed, node1 rolls back");
	plans.view.wall_us = 200 * SECOND;
	assert_shows(&s, "may be half a link, its timer was due; leaf1 committed,");
	plans.view.plan = plan;
	plans.view.steps = plans.steps;
	plans.view.was_begun = true;
	plans.view.now_us = 119 * SECOND;
	plans.steps[0].state = FIX_KEPT;
	plans.steps[1] = (struct fix_progress){ .state = FIX_VERIFIED, .undo_at_us = 192 * SECOND };
	assert_shows(&s, "Half a link in 01:13: leaf1 is committed, node1 rolls back then. K commits it");
	plans.steps[1].undo_at_us = 0;
	assert_shows(&s, "Started, and not ended");
	stage_done(&s);
}

/* A plan of an earlier session, armed to write: the line says what Enter, R and K do with it. */
static void begun(struct stage *s, enum fix_state leaf, enum fix_state node)
{
	begin_at(PLANS_ARMED, s);
	plans.view.steps = plans.steps;
	plans.view.was_begun = true;
	plans.steps[0].state = leaf;
	plans.steps[1].state = node;
}

static void a_plan_that_was_started_is_not_offered_to_be_started(void **state)
{
	struct stage s;

	(void)state;
	begun(&s, FIX_HALF, FIX_HALF);
	assert_shows(&s, "K finishes it, U rolls it back");
	assert_shows(&s, "R reads its state. Armed for: INC-42");
	assert_null(strstr(draw(&s), "prompts: type"));
	assert_null(strstr(draw(&s), "dry run"));
	type(&s, "\n");
	assert_non_null(strstr(s.message, "One end of a link is committed and the other is not"));
	type(&s, "K");
	assert_int_equal(s.confirm.kind, CONFIRM_FINISH);
	stage_done(&s);
	/* of this session, too */
	begun(&s, FIX_HALF, FIX_HALF);
	plans.view.was_begun = false;
	assert_null(strstr(draw(&s), "prompts: type"));
	type(&s, "\n");
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	stage_done(&s);
	begun(&s, FIX_UNDONE, FIX_UNDONE);
	assert_shows(&s, "Rolled back: every device is in its previous state.");
	type(&s, "K");
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	assert_non_null(strstr(s.message, "nothing is left to be kept"));
	stage_done(&s);
}

static void nothing_is_asked_where_keep_would_touch_neither_end(void **state)
{
	struct stage s;

	(void)state;
	begun(&s, FIX_HALF, FIX_MIXED);
	assert_shows(&s, "node1 is neither as before nor as planned: K commits nothing there.");
	type(&s, "K");
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	assert_non_null(strstr(s.message, "node1 is neither as before nor as planned: this plan commits nothing there."));
	/* its timer runs: there is something to be done */
	plans.steps[1].undo_at_us = 192 * SECOND;
	type(&s, "K");
	assert_int_equal(s.confirm.kind, CONFIRM_FINISH);
	stage_done(&s);
}

static void after_a_dry_run_it_says_what_was_sent(void **state)
{
	struct stage s;

	(void)state;
	begin_at(PLANS_ARMED, &s);
	assert_shows(&s, "R is a dry run");
	assert_shows(&s, "Nothing has been sent.");
	plans.view.steps = plans.steps;
	plans.view.is_rehearsed = true;
	assert_shows(&s, "The dry run sent read-only commands. Nothing was changed.");
	assert_null(strstr(draw(&s), "Nothing has been sent."));
	stage_done(&s);
}

/* -- panes, commands, words -- */

static void tab_brings_each_pane_where_there_is_room_for_one(void **state)
{
	static const char *const titles[] = { "Diff of step 1: leaf1", "Exactly these commands", "Guards", "Commands and output" };
	struct stage s;

	(void)state;
	begin_at(PLANS_MADE, &s);
	for (size_t i = 0; i < 4; i++) {
		type(&s, "\t");
		assert_shows(&s, titles[i]);
		assert_int_equal(s.screen, SCREEN_FIX);
	}
	type(&s, "\t");
	assert_int_equal(s.screen, SCREEN_BRINGUP);
	stage_done(&s);
}

static void copy_takes_exactly_the_commands_of_all_steps(void **state)
{
	struct buf text = { 0 };
	struct view_of of;
	struct err err;
	struct stage s;
	char what[64];

	(void)state;
	begin_at(PLANS_MADE, &s);
	of = view();
	assert_true(export_view(&s, &of, true, ROWS_TEXT, true, &text, what, &err));
	assert_string_equal(text.text, "# 1 leaf1\npriority-flow-control mode on\ntrust-map dscp trust1\n# undo\nno trust-map dscp\n"
			    "no priority-flow-control mode\n# save\nwrite memory\n# 2 node1\nmlnx_qos -i eth2 --trust=dscp\n# undo\n"
			    "mlnx_qos -i eth2 --trust=pcp\n");
	buf_done(&text);
	stage_done(&s);
}

static void write_offers_a_file_named_after_the_plan(void **state)
{
	struct stage s;
	struct intent i;

	(void)state;
	begin_at(PLANS_MADE, &s);
	type(&s, "w");
	assert_int_equal(s.typing.kind, TYPING_PLAN_FILE);
	assert_string_equal(s.typing.text, "P-20261121-4f2a.json");
	i = type(&s, "\n");
	assert_int_equal(i.is, INTENT_PLAN_FILE);
	assert_string_equal(i.text, "P-20261121-4f2a.json");
	stage_done(&s);
}

static void in_words_everything_is_said_and_a_line_answers(void **state)
{
	static const char *const said[] = {
		"read-only", "1. ", "leaf1", "Diff of step 1", "+  trust-map dscp trust1", "undo $ no trust-map dscp",
		"warning: node1: the link of eth2 goes down for several seconds",
		"Nothing has been sent",
	};
	struct plain p = { .is_script = true };
	struct buf out = { 0 };
	struct view_of of;
	struct stage s;
	char word[16];

	(void)state;
	begin_at(PLANS_MADE, &s);
	of = view();
	plain_show(&p, &s, &of, &out);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strstr(out.text, said[i]))
			fail_msg("\"%s\" is not said:\n%s", said[i], out.text);
	plans.plan.units[0] = (struct fix_unit){ 1, 1, 1 };	/* as a hand leaves it that takes the switch's step out */
	buf_clear(&out);
	plain_show(&p, &s, &of, &out);
	assert_non_null(strstr(out.text, "warning: the other end of node1 eth2 is not part of this plan"));
	stage_done(&s);
	begin_at(PLANS_ARMED, &s);
	plain_line(&s, &of, "apply");
	assert_int_equal(s.confirm.kind, CONFIRM_APPLY);
	buf_clear(&out);
	plain_show(&p, &s, &of, &out);
	assert_non_null(strstr(out.text, "Type"));
	snprintf(word, sizeof(word), "2 devices");
	assert_int_equal(plain_line(&s, &of, word).is, INTENT_FIX_APPLY);
	plain_line(&s, &of, "apply");
	plain_show(&p, &s, &of, &out);
	assert_int_equal(plain_line(&s, &of, "").is, INTENT_DONE);
	assert_int_equal(s.confirm.kind, CONFIRM_NOTHING);
	lines_done(&p.lines);
	buf_done(&out);
	stage_done(&s);
}

/* -- f -- */

static void f_asks_for_a_plan_of_what_the_cursor_is_on(void **state)
{
	static const struct {
		enum screen_id screen;
		const char *keys;
		bool of_finding, of_port, of_device;
	} rows[] = {
		{ SCREEN_FINDINGS, "f", .of_finding = true }, { SCREEN_OVERVIEW, "f", .of_finding = true },
		{ SCREEN_PORTS, "f", .of_port = true }, { SCREEN_DEVICES, "f", .of_device = true },
		{ SCREEN_FABRIC, "jf", .of_device = true }, { SCREEN_FABRIC, "jjf", .of_port = true },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct stage s;
		struct intent i;

		begin_at(PLANS_MADE, &s);
		s.screen = rows[k].screen;
		draw(&s);
		i = type(&s, rows[k].keys);
		assert_int_equal(i.is, INTENT_PLAN);
		assert_true(rows[k].of_finding == !!i.finding && rows[k].of_port == !!i.port && rows[k].of_device == !!i.device);
		stage_done(&s);
	}
}

static int begin(void **state)
{
	(void)state;
	terminal = screen_open(24, 100, true, NULL);
	world_known(&world, KNOWN_FULL);
	plans_init(&plans, PLANS_MADE);
	return 0;
}

static int end(void **state)
{
	(void)state;
	world_done(&world);
	plans_done(&plans);
	screen_close(terminal);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_only_enter_asks_nothing_and_says_how_to_arm),
		cmocka_unit_test(a_replay_cannot_apply_however_it_is_asked),
		cmocka_unit_test(arm_takes_a_reason_and_becomes_an_intent),
		cmocka_unit_test(no_single_key_of_any_screen_begins_a_change),
		cmocka_unit_test(the_beginning_of_the_hash_starts_a_plan_of_several_devices),
		cmocka_unit_test(the_name_starts_a_plan_of_one_device),
		cmocka_unit_test(enter_alone_and_any_other_word_cancel),
		cmocka_unit_test(keys_typed_before_the_question_was_drawn_are_dropped),
		cmocka_unit_test(pasted_text_confirms_nothing),
		cmocka_unit_test(a_terminal_too_small_for_the_question_gets_no_yes),
		cmocka_unit_test(a_hostile_name_stays_in_its_place),
		cmocka_unit_test(a_countdown_stands_on_every_screen_while_something_is_armed),
		cmocka_unit_test(how_each_step_goes_is_told),
		cmocka_unit_test(keep_and_undo_of_what_goes_on_need_no_second_question),
		cmocka_unit_test(after_it_is_kept_the_next_steps_are_to_look_and_to_take_back),
		cmocka_unit_test(to_take_back_what_has_ended_is_asked_like_applying),
		cmocka_unit_test(leaving_while_a_fix_is_made_says_what_becomes_of_it),
		cmocka_unit_test(a_plan_of_an_earlier_session_is_offered_and_taken_up),
		cmocka_unit_test(what_the_timer_makes_half_is_said_before_it_does),
		cmocka_unit_test(a_plan_that_was_started_is_not_offered_to_be_started),
		cmocka_unit_test(nothing_is_asked_where_keep_would_touch_neither_end),
		cmocka_unit_test(after_a_dry_run_it_says_what_was_sent),
		cmocka_unit_test(tab_brings_each_pane_where_there_is_room_for_one),
		cmocka_unit_test(copy_takes_exactly_the_commands_of_all_steps),
		cmocka_unit_test(write_offers_a_file_named_after_the_plan),
		cmocka_unit_test(in_words_everything_is_said_and_a_line_answers),
		cmocka_unit_test(f_asks_for_a_plan_of_what_the_cursor_is_on),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
