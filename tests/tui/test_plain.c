/* The console without a picture: every row of every screen is there in words, and a typed line does what its key does. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"
#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/table_spoken.h"
#include "tui/console/plain.h"
#include "tui/views/fabric_rates.h"

static void view(const struct world *w, struct view_of *of)
{
	*of = world_view(w);
}

static void shown(struct plain *p, struct stage *s, const struct world *w, struct buf *out)
{
	struct view_of of;

	view(w, &of);
	buf_clear(out);
	plain_show(p, s, &of, out);
}

/* What a line does and says. */
static struct intent typed(struct plain *p, struct stage *s, const struct world *w, const char *line, struct buf *out)
{
	struct view_of of;
	struct intent i;

	view(w, &of);
	buf_clear(out);
	i = plain_line(s, &of, line);
	plain_result(p, s, &of, &i, out);
	return i;
}

static void assert_says(const struct buf *out, const char *what)
{
	if (!out->text || !strstr(out->text, what))
		fail_msg("\"%s\" is not said:\n%s", what, out->text ? out->text : "");
}

static void assert_lacks(const struct buf *out, const char *what)
{
	if (out->text && strstr(out->text, what))
		fail_msg("\"%s\" is said:\n%s", what, out->text);
}

/* Letters and digits that stand together in a text, each held against what was said. */
static void assert_holds_words(const char *text, const char *said, const char *of)
{
	while (*text) {
		size_t n = 0;
		char word[256];

		while (isalnum((unsigned char)text[n]))
			n++;
		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		if (n && !strcasestr(said, word))
			fail_msg("\"%s\" of %s is not in plain:\n%s", word, of, said);
		text += n ? n : 1;
	}
}

static void assert_holds_row(const struct table_source *s, size_t row, const char *line)
{
	for (size_t c = 0; c < s->n_columns; c++) {
		struct cell_view v = { .role = ROLE_IS_TEXT };
		struct buf age = { 0 };

		s->cell(s->ctx, row, c, &v);
		if (!strcmp(s->columns[c].name, "severity"))
			snprintf(v.text, sizeof(v.text), "%s", verdict_spoken((enum verdict)v.number));
		assert_holds_words(age_spoken(v.text, &age) ? age.text
				   : sign_words(v.text)	    ? ""
							    : v.text,
				   line, s->columns[c].name);
		if (v.spark)
			assert_non_null(strstr(line, "course"));
		buf_done(&age);
	}
}

/* The line that begins with the row's number. */
static void row_line(const char *said, size_t number, struct buf *line)
{
	struct span rest = span_of(said), one;
	char head[32];

	snprintf(head, sizeof(head), "%zu. ", number);
	buf_clear(line);
	while (span_line(&rest, &one))
		if (span_starts(one, head)) {
			buf_add(line, one.p, one.n);
			return;
		}
	fail_msg("there is no row %zu in:\n%s", number, said);
}

static void assert_holds_list(struct stage *s, const struct world *w, const char *said)
{
	struct table_source source;
	struct buf line = { 0 };
	struct view_of of;

	view(w, &of);
	screen_table[s->screen]->source(&of, &s->views, &source);
	if (!source.n_rows) {
		key_text(&line, source.empty);
		assert_non_null(strstr(said, line.text));
	}
	for (size_t i = 0; i < source.n_rows; i++) {
		row_line(said, i + 1, &line);
		assert_holds_row(&source, i, line.text);
	}
	buf_done(&line);
}

static void every_cell_of_every_row_of_every_screen_is_said(void **state)
{
	struct plain p = { 0 };
	struct buf said = { 0 };

	(void)state;
	for (enum known known = KNOWN_WELL; known < KNOWN_COUNT; known++) {
		struct stage s = { 0 };
		struct world w;

		world_known(&w, known);
		for (unsigned screen = 0; screen < SCREEN_COUNT; screen++) {
			s.screen = (enum screen_id)screen;
			shown(&p, &s, &w, &said);
			assert_says(&said, screen_names[screen].title);
			if (screen_table[screen]->source)
				assert_holds_list(&s, &w, said.text);
		}
		stage_done(&s);
		world_done(&w);
	}
	plain_done(&p);
	buf_done(&said);
}

static bool is_shout(const char *word)
{
	for (; *word; word++)
		if (islower((unsigned char)*word))
			return false;
	return true;
}

/* Words of the body of a picture, but for headings of columns, what signs mean and what the edge cut. */
static void assert_holds_picture(const char *picture, const char *said)
{
	struct span rest = span_of(picture), line;

	for (unsigned y = 0; span_line(&rest, &line); y++) {
		char text[512];

		snprintf(text, sizeof(text), "%.*s", (int)line.n, line.p);
		if (y < 2 || !rest.n || strstr(text, "!crit") || strstr(text, "nic/sw") ||
		    strstr(text, "of probes") || strstr(text, "\xe2\x80\xa6"))
			continue;
		for (char *word = strtok(text, " /,.;:()"); word; word = strtok(NULL, " /,.;:()"))
			if (strlen(word) > 3 && !is_shout(word) && strspn(word, "abcdefghijklmnopqrstuvwxyz") == strlen(word))
				assert_holds_words(word, said, text);
	}
}

static void what_a_screen_draws_beside_its_list_is_said_too(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct plain p = { 0 };
	struct buf said = { 0 };

	(void)state;
	for (enum known known = KNOWN_WELL; known < KNOWN_COUNT; known++) {
		struct stage s = { 0 };
		struct world w;

		world_known(&w, known);
		for (unsigned screen = 0; screen < SCREEN_COUNT; screen++) {
			struct view_of of;

			s.screen = (enum screen_id)screen;
			view(&w, &of);
			stage_draw(&s, screen_draw(t), &of);
			shown(&p, &s, &w, &said);
			assert_holds_picture(screen_text(t), said.text);
		}
		stage_done(&s);
		world_done(&w);
	}
	plain_done(&p);
	buf_done(&said);
	screen_close(t);
}

static void nothing_is_drawn_no_escape_no_box_and_no_bar(void **state)
{
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct stage s = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_FULL);
	world_set(&w, "leaf1 error = \"\\x1b[2J\xe2\x96\x88\xe2\xa3\xbf\"");
	world_run(&w, 1);
	for (unsigned screen = 0; screen < SCREEN_COUNT; screen++) {
		s.screen = (enum screen_id)screen;
		shown(&p, &s, &w, &said);
		assert_lacks(&said, "\033");
		assert_lacks(&said, "----");
		for (const char *c = said.text; *c; c++)
			if ((unsigned char)c[0] == 0xe2 && (unsigned char)c[1] >= 0x94 && (unsigned char)c[1] <= 0xa3)
				fail_msg("a drawing character is said:\n%s", c);
	}
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void ends_that_differ_are_said_to_differ(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_FULL);
	shown(&p, &s, &w, &said);
	assert_says(&said, "1. critical, node1:eth2");
	assert_says(&said, "trust: nic pcp, switch dscp, they differ.");
	assert_says(&said, "trust: both dscp.");
	assert_says(&said, "2 rows, 1 with problems.");
	/* what was found stands while one end is not read: "both dscp" was said of it */
	world_set(&w, "node1 eth2 trust = unknown \"not root\"");
	world_run(&w, 1);
	shown(&p, &s, &w, &said);
	assert_says(&said, "trust: nic not known, switch dscp, which is wrong.");
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void a_line_is_a_screen_a_key_or_a_command_with_its_row(void **state)
{
	struct stage s = { 0 };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_FULL);
	typed(&p, &s, &w, "ports", &said);
	assert_int_equal(s.screen, SCREEN_PORTS);
	typed(&p, &s, &w, "8", &said);
	assert_int_equal(s.screen, SCREEN_FINDINGS);
	typed(&p, &s, &w, "2", &said);
	typed(&p, &s, &w, "open 2", &said);
	assert_int_equal(s.screen, SCREEN_DETAIL);
	assert_says(&said, "node1:eth3");
	typed(&p, &s, &w, "back", &said);
	assert_int_equal(s.screen, SCREEN_PORTS);
	assert_says(&said, "The cursor is here");
	typed(&p, &s, &w, "explain 1", &said);
	assert_says(&said, "trust = pcp");
	assert_false(s.has_page);
	typed(&p, &s, &w, "raw 1", &said);
	assert_true(said.n > 0);
	typed(&p, &s, &w, "open 99", &said);
	assert_says(&said, "Rows here: 1 to 2.");
	assert_int_equal(s.screen, SCREEN_PORTS);
	typed(&p, &s, &w, "frobnicate", &said);
	assert_says(&said, "No command \"frobnicate\"");
	assert_int_equal(typed(&p, &s, &w, "quit", &said).is, INTENT_QUIT);
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void a_list_is_filtered_and_sorted_by_name(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_FULL);
	typed(&p, &s, &w, "filter trust:pcp", &said);
	assert_says(&said, "1 of 2 rows hold \"trust:pcp\"");
	assert_lacks(&said, "node1:eth3");
	typed(&p, &s, &w, "filter", &said);
	assert_says(&said, "node1:eth3");
	typed(&p, &s, &w, "sort paused", &said);
	assert_says(&said, "sorted by paused");
	typed(&p, &s, &w, "sort beauty", &said);
	assert_says(&said, "Columns: severity link");
	typed(&p, &s, &w, "filter nosuch>", &said);
	assert_lacks(&said, "rows hold");
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void what_is_typed_takes_the_place_of_what_was_offered_and_cancel_cancels(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_FULL);
	typed(&p, &s, &w, "filter trust:pcp", &said);
	typed(&p, &s, &w, "/", &said);
	assert_int_equal(s.typing.kind, TYPING_FILTER);
	plain_prompt(&p, &s, &said);
	assert_says(&said, "nothing takes trust:pcp");
	typed(&p, &s, &w, "eth3", &said);
	assert_says(&said, "hold \"eth3\"");
	typed(&p, &s, &w, ":", &said);
	typed(&p, &s, &w, "cancel", &said);
	assert_int_equal(s.typing.kind, TYPING_NOTHING);
	firstrun_begin(&s.first);
	typed(&p, &s, &w, "node[1-", &said);
	firstrun_refuse(&s.first, "unclosed or empty bracket");
	assert_string_equal(typed(&p, &s, &w, "node1", &said).text, "node1");
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

/* A key, a command of the program, or what it waits for. */
static bool names_a_step(const char *text)
{
	static const char *const steps[] = { "fabcon", "{devices}", "{ports}", "{diagnose}", "{findings}", "{history}", "{next}", "Enter", "Esc" };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (strstr(text, steps[i]))
			return true;
	return false;
}

static void no_list_is_empty_without_the_next_step_in_it(void **state)
{
	(void)state;
	for (int is_replay = 0; is_replay < 2; is_replay++) {
		struct stage s = { 0 };
		struct world w;
		struct view_of of;

		world_known(&w, KNOWN_NOTHING);
		view(&w, &of);
		of.is_replay = is_replay;
		for (unsigned screen = 0; screen < SCREEN_COUNT; screen++) {
			struct table_source source;

			if (!screen_table[screen]->source)
				continue;
			screen_table[screen]->source(&of, &s.views, &source);
			if (!source.n_rows && (!source.empty || !names_a_step(source.empty)))
				fail_msg("%s is empty and says only: %s", screen_names[screen].title, source.empty ? source.empty : "");
		}
		stage_done(&s);
		world_done(&w);
	}
}

static void help_names_what_a_screen_can_do(void **state)
{
	struct stage s = { 0 };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_WELL);
	typed(&p, &s, &w, "help ports", &said);
	assert_says(&said, "filter");
	typed(&p, &s, &w, "help zero", &said);
	assert_says(&said, "Count from here");
	typed(&p, &s, &w, "menu", &said);
	assert_says(&said, "2. Ports");
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void a_finding_is_told_when_it_opens_and_when_it_is_right_again(void **state)
{
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct view_of of;
	struct world w;

	(void)state;
	world_known(&w, KNOWN_WELL);
	view(&w, &of);
	plain_news(&p, &of, 3, 3, &said);
	assert_lacks(&said, "New finding");
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 3);
	view(&w, &of);
	buf_clear(&said);
	plain_news(&p, &of, 3, 3, &said);
	assert_says(&said, "New finding: critical, trust-as-wanted at node1:eth2: ");
	buf_clear(&said);
	plain_news(&p, &of, 3, 3, &said);
	assert_int_equal(said.n, 0);
	world_set(&w, "node1 eth2 trust = dscp");
	world_run(&w, 3);
	view(&w, &of);
	plain_news(&p, &of, 3, 3, &said);
	assert_says(&said, "Cleared: critical, trust-as-wanted at node1:eth2.");
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void a_question_is_answered_by_a_line_and_only_yes_is_yes(void **state)
{
	struct stage s = { 0 };
	struct plain p = { 0 };
	struct buf said = { 0 };
	struct world w;

	(void)state;
	world_known(&w, KNOWN_WELL);
	stage_ask(&s, 7, "node1", "Trust this host key?", false, true);
	stage_ask(&s, 8, "node2", "Password:", true, false);
	shown(&p, &s, &w, &said);
	assert_says(&said, "Trust this host key?");
	assert_null(typed(&p, &s, &w, "ports", &said).text);
	shown(&p, &s, &w, &said);
	assert_says(&said, "Password:");
	assert_string_equal(typed(&p, &s, &w, "s3cret", &said).text, "s3cret");
	assert_lacks(&said, "s3cret");
	assert_int_equal(s.questions.n, 0);
	stage_done(&s);
	plain_done(&p);
	buf_done(&said);
	world_done(&w);
}

static void ages_and_courses_are_words(void **state)
{
	float rising[] = { 0, 0, 0, 10, 20, 41000 }, still[] = { 0, 0, 0, 0 }, none[] = { NAN, NAN };
	float late[] = { NAN, NAN, NAN, 3, NAN, 4, 3 };
	struct buf text = { 0 };

	(void)state;
	assert_true(age_spoken("6m05s", &text));
	assert_string_equal(text.text, "6 minutes 5 seconds");
	assert_false(age_spoken("100G", &text));
	assert_false(age_spoken("", &text));
	buf_clear(&text);
	spark_words(&text, rising, 6, 0);
	assert_string_equal(text.text, "rising, 0 to 41k in the last 6 seconds");
	buf_clear(&text);
	spark_words(&text, still, 4, SECOND);
	assert_string_equal(text.text, "0 throughout the last 4 seconds");
	buf_clear(&text);
	spark_words(&text, none, 2, 0);
	assert_string_equal(text.text, "history not known");
	buf_clear(&text);
	spark_words(&text, late, 7, 0);
	assert_string_equal(text.text, "steady, 3 to 4 in the last 4 seconds, 1 second of them not known");
	buf_clear(&text);
	spark_words(&text, still, 4, 60 * SECOND);
	assert_string_equal(text.text, "0 throughout the last 4 minutes");
	buf_done(&text);
}

static void a_link_is_counted_once_and_its_pauses_are_those_of_its_ends(void **state)
{
	struct world w;
	struct stage s = { 0 };
	struct plain p = { 0 };
	struct buf out = { 0 };

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 pfc.rx[3] = 4000\nnode1 eth2 pfc.rx_us[3] = 600000");
	world_run(&w, 20);
	typed(&p, &s, &w, "overview", &out);
	assert_says(&out, ", 1 paused");
	assert_lacks(&out, " paused, 1 warn");
	typed(&p, &s, &w, "ports", &out);
	assert_says(&out, "pfc/s: 4k. pfc/s: 4k to nic. pfc/s: 0 to sw.");
	buf_done(&out);
	plain_done(&p);
	stage_done(&s);
	world_done(&w);
}

/* Whose clock its readings are by does not matter: nothing is known of the time before the first of them. */
static void a_counter_that_never_moved_was_still_since_it_is_watched(void **state)
{
	const int64_t began_us = 100000 * SECOND;
	struct model *m = model_saying("node1 eth2 cnp.sent = 5", began_us);
	struct fabric_rates rates = { .serial = 0 };
	float values[HISTORY_LEN];
	int64_t step_us;
	size_t known = 0;

	(void)state;
	for (int i = 1; i <= 10; i++)
		model_say(m, "node1 eth2 cnp.sent = 5", began_us + i * SECOND);
	rates_update(&rates, m, 3);
	for (size_t i = 0; i < RATE_HISTORY; i++)
		known += !isnan(rates.history[2][i]);
	assert_int_equal(known, 10);
	assert_int_equal(views_samples(model_find_port(m, "node1", "eth2"), FIELD_CNP_SENT, 0, values, &step_us), 10);
	assert_int_equal(step_us, SECOND);
	model_free(m);
}

/* One port is read each second, the other each fifth: the sum does not seem to begin where the history of the first one does. */
static void a_sum_is_told_as_far_back_as_all_ports_are(void **state)
{
	const int64_t began_us = 100000 * SECOND;
	struct model *m = model_saying("node1 eth2 cnp.sent = 0", began_us);
	struct fabric_rates rates = { .serial = 0 };
	char fact[64];

	(void)state;
	model_say(m, "node1 eth3 cnp.sent = 0", began_us);
	for (int i = 1; i <= 300; i++) {
		snprintf(fact, sizeof(fact), "node1 eth2 cnp.sent = %d", i * 1000);
		model_say(m, fact, began_us + i * SECOND);
		if (i % 5)
			continue;
		snprintf(fact, sizeof(fact), "node1 eth3 cnp.sent = %d", i * 1000);
		model_say(m, fact, began_us + i * SECOND);
	}
	rates_update(&rates, m, 3);
	assert_int_equal(rates.step_us, SECOND);
	for (size_t i = 4; i < RATE_HISTORY; i++)
		assert_true(rates.history[2][i] > 1900 && rates.history[2][i] < 2100);
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_of_every_row_of_every_screen_is_said),
		cmocka_unit_test(what_a_screen_draws_beside_its_list_is_said_too),
		cmocka_unit_test(nothing_is_drawn_no_escape_no_box_and_no_bar),
		cmocka_unit_test(ends_that_differ_are_said_to_differ),
		cmocka_unit_test(a_line_is_a_screen_a_key_or_a_command_with_its_row),
		cmocka_unit_test(a_list_is_filtered_and_sorted_by_name),
		cmocka_unit_test(what_is_typed_takes_the_place_of_what_was_offered_and_cancel_cancels),
		cmocka_unit_test(no_list_is_empty_without_the_next_step_in_it),
		cmocka_unit_test(help_names_what_a_screen_can_do),
		cmocka_unit_test(a_finding_is_told_when_it_opens_and_when_it_is_right_again),
		cmocka_unit_test(a_question_is_answered_by_a_line_and_only_yes_is_yes),
		cmocka_unit_test(ages_and_courses_are_words),
		cmocka_unit_test(a_link_is_counted_once_and_its_pauses_are_those_of_its_ends),
		cmocka_unit_test(a_counter_that_never_moved_was_still_since_it_is_watched),
		cmocka_unit_test(a_sum_is_told_as_far_back_as_all_ports_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
