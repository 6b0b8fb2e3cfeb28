/* One link, one finding, one device: what their screens say, and that every row answers why and who said so. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/screen.h"
#include "tests/lib/world.h"
#include "db/record/recorder.h"
#include "tui/views/link_events.h"
#include "tui/session/session.h"
#include "tui/widgets/sparkline_window.h"

static struct view_of view(const struct world *w)
{
	static uint64_t serial;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .serial = ++serial };
}

static const char *shown(struct screen_test *t, struct stage *s, const struct world *w)
{
	struct view_of of = view(w);

	stage_draw(s, screen_draw(t), &of);
	return screen_text(t);
}

static struct intent press(struct stage *s, const struct world *w, int code)
{
	struct view_of of = view(w);

	return stage_key(s, &of, code);
}

static void assert_shows(const char *text, const char *what)
{
	if (!strstr(text, what)) {
		fprintf(stderr, "%s", text);
		fail_msg("\"%s\" is not on the screen above", what);
	}
}

static void at_80x24_what_disagrees_and_what_moves_are_in_sight(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 20);
	text = shown(t, &s, &w);
	assert_shows(text, "trust-as-wanted");
	assert_shows(text, "dscp 26 > [trust pcp NO] >");
	assert_shows(text, "≠");
	assert_shows(text, "MOVES");
	assert_shows(text, "pfc.rx[3]");
	assert_shows(text, "cnp.sent");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* "24:3 26:3 ≠ 24:3 26:3": the check of the map failed by its traffic class, and the two ends were the same. */
static void a_failed_check_is_a_difference_only_where_the_ends_differ(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 dscp.prio[26] = 0");
	world_set(&w, "leaf1 ethernet1/1/1 dscp.prio[26] = 0");
	world_run(&w, 20);
	text = shown(t, &s, &w);
	assert_shows(text, "dscp-map-as-wanted");
	assert_null(strstr(text, "≠"));
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* What the line cannot have carried, and no time can hold, is no rate; that it was not believed is said in its place. */
static void a_rate_that_cannot_be_is_marked_and_not_shown(void **state)
{
	struct screen_test *t = screen_open(40, 140, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 20);
	shown(t, &s, &w);
	world_set(&w, "node1 eth2 pfc.rx_us[3] = 99000000000000");
	world_run(&w, 1);
	for (const char *c = "/pfc.rx_us\n"; *c; c++)
		press(&s, &w, *c);
	assert_shows(shown(t, &s, &w), "? jumped");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* The line of the cursor, of the first that has one. */
static bool is_cursor_on(const char *text, const char *what)
{
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line))
		if (line.n && *line.p == '>' && span_find(line, what))
			return true;
	return false;
}

static void d_opens_at_the_question_that_failed_with_its_verdict(void **state)
{
	struct screen_test *t = screen_open(40, 140, true, NULL);
	struct stage s = { .screen = SCREEN_FINDINGS };
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 20);
	shown(t, &s, &w);
	for (const char *c = "d"; *c; c++)
		press(&s, &w, *c);
	text = shown(t, &s, &w);
	assert_int_equal(s.screen, SCREEN_DIAGNOSE);
	assert_true(is_cursor_on(text, "Q6"));
	assert_shows(text, "trusts pcp, expected dscp");
	press(&s, &w, 'g');
	assert_false(is_cursor_on(shown(t, &s, &w), "Q6"));
	press(&s, &w, '8');
	shown(t, &s, &w);
	press(&s, &w, 'd');
	assert_true(is_cursor_on(shown(t, &s, &w), "Q6"));
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void quiet_counters_are_counted_and_i_shows_them(void **state)
{
	struct screen_test *t = screen_open(60, 120, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	assert_shows(shown(t, &s, &w), "unchanged counters hidden");
	assert_null(strstr(shown(t, &s, &w), "link.downs"));
	press(&s, &w, 'i');
	shown(t, &s, &w);
	press(&s, &w, 'G');
	assert_shows(shown(t, &s, &w), "QUIET");
	assert_shows(shown(t, &s, &w), "link.downs");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* Each row of a screen's list, one after the other: x and o must give a page, or words that say why there is none. */
static void assert_rows_answer(enum screen_id screen, const struct world *w)
{
	struct screen_test *t = screen_open(60, 160, true, NULL);
	struct stage s = { .screen = screen };
	size_t rows;

	shown(t, &s, w);
	rows = s.views.tables[screen].n;
	assert_true(rows > 0);
	for (size_t i = 0; i < rows; i++) {
		static const int keys[] = { 'x', 'o' };

		for (size_t k = 0; k < 2; k++) {
			press(&s, w, keys[k]);
			assert_true(s.has_page || *s.message);
			if (keys[k] == 'x')
				assert_true(s.has_page && s.page.n > 1);
			if (s.has_page)
				press(&s, w, 'q');
			assert_int_equal(s.screen, screen);
		}
		press(&s, w, 'j');
	}
	stage_done(&s);
	screen_close(t);
}

static void every_row_of_every_list_answers_why_and_who(void **state)
{
	static const enum screen_id screens[] = { SCREEN_OVERVIEW, SCREEN_PORTS, SCREEN_DETAIL, SCREEN_FINDINGS, SCREEN_DEVICES };
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_set(&w, "node1 eth3 phy.err = unknown \"not root\"");
	world_drop(&w, "leaf1 ethernet1/1/1 mtu");
	world_run(&w, 5);
	for (size_t i = 0; i < sizeof(screens) / sizeof(*screens); i++)
		assert_rows_answer(screens[i], &w);
	world_done(&w);
}

static void what_is_not_known_names_the_command_that_would_tell(void **state)
{
	struct screen_test *t = screen_open(60, 140, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;
	const char *text = "";

	(void)state;
	world_init(&w);
	world_drop(&w, "node1 eth2 trust");
	world_run(&w, 5);
	shown(t, &s, &w);
	for (size_t i = 0; i < s.views.tables[SCREEN_DETAIL].n && !strstr(text, "Why: trust"); i++) {
		if (s.has_page)
			press(&s, &w, 'q');
		if (i)
			press(&s, &w, 'j');
		press(&s, &w, 'x');
		text = shown(t, &s, &w);
	}
	assert_shows(text, "node1 eth2 trust[0]: not reported");
	assert_shows(text, "verify with");
	assert_shows(text, "as node1 reports it");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_acknowledges_with_a_reason_and_the_rest_is_counted_apart(void **state)
{
	struct screen_test *t = screen_open(36, 140, true, NULL);
	struct stage s = { .screen = SCREEN_FINDINGS };
	struct acks acks = { 0 };
	const struct finding *f;
	struct intent i = { 0 };
	struct view_of of;
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	shown(t, &s, &w);
	press(&s, &w, 'k');	/* the cursor stays on this row, wherever it goes */
	press(&s, &w, 'a');
	assert_shows(shown(t, &s, &w), "Acknowledge");
	for (const char *c = "2h window\n"; *c; c++)
		i = press(&s, &w, *c);
	assert_int_equal(i.is, INTENT_ACK);
	assert_string_equal(i.text, "2h window");
	f = findings_find(w.findings, i.acking->check, i.acking->where);
	acks_add(&acks, f->check->id, f->where, f->verdict, "window", model_now(w.model), model_now(w.model) + 7200 * SECOND);
	of = view(&w);
	of.acks = &acks;
	stage_draw(&s, screen_draw(t), &of);
	text = screen_text(t);
	assert_shows(text, ", 1 acked");
	assert_shows(text, "acked until");
	assert_shows(text, ": window");
	assert_shows(text, "dscp-same");
	assert_true(strstr(text, "acked until") > strstr(text, "dscp-same"));
	assert_int_equal(press(&s, &w, 'U').is, INTENT_UNACK);
	acks_done(&acks);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void what_closed_today_is_listed_when_it_is_asked_for(void **state)
{
	struct screen_test *t = screen_open(36, 140, true, NULL);
	struct stage s = { .screen = SCREEN_FINDINGS };
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	world_set(&w, "node1 eth2 trust = dscp");
	world_run(&w, 5);
	assert_null(strstr(shown(t, &s, &w), "trust-same"));
	for (const char *c = "/state:closed\n"; *c; c++)
		press(&s, &w, *c);
	assert_shows(shown(t, &s, &w), "trust-same");
	assert_shows(shown(t, &s, &w), "closed 00:");
	assert_int_equal(press(&s, &w, 'a').is, INTENT_DONE);
	assert_shows(shown(t, &s, &w), "This finding is closed");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_device_opens_to_its_probes_and_a_probe_to_its_reply(void **state)
{
	struct screen_test *t = screen_open(36, 140, true, NULL);
	struct stage s = { .screen = SCREEN_DEVICES };
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "leaf2 state = retrying");
	world_set(&w, "leaf2 error = \"connect: timed out; is it switched on?\"");
	world_run(&w, 5);
	text = shown(t, &s, &w);
	assert_shows(text, "1 of 4 unreachable: 1 timeout: leaf2 ");
	for (size_t i = 0; i < 4 && !strstr(shown(t, &s, &w), "> ~ leaf2"); i++)
		press(&s, &w, 'j');
	press(&s, &w, '\n');
	text = shown(t, &s, &w);
	assert_shows(text, "reached at");
	assert_shows(text, "error      connect: timed out; is it switched on?");
	assert_shows(text, "to do      check that it is up, and the path to it");
	assert_shows(text, "PROBE");
	assert_shows(text, "test");
	assert_int_equal(press(&s, &w, 'R').is, INTENT_REFRESH);
	press(&s, &w, '\n');
	assert_true(s.has_page);
	assert_shows(shown(t, &s, &w), "Raw reply: leaf2, test");
	press(&s, &w, 'q');
	press(&s, &w, 'q');
	assert_int_equal(s.screen, SCREEN_DEVICES);
	assert_shows(shown(t, &s, &w), "LAST ERROR");
	assert_shows(shown(t, &s, &w), "> ~ leaf2");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void plus_and_minus_choose_how_far_back_sparklines_look(void **state)
{
	struct screen_test *t = screen_open(36, 140, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 90);
	assert_shows(shown(t, &s, &w), "LAST MIN");
	press(&s, &w, '-');
	assert_shows(shown(t, &s, &w), "LAST 10 MIN");
	press(&s, &w, '-');
	assert_shows(shown(t, &s, &w), "LAST HOUR");
	press(&s, &w, '-');
	assert_shows(shown(t, &s, &w), "One hour is the longest");
	press(&s, &w, '+');
	assert_shows(shown(t, &s, &w), "LAST 10 MIN");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_silence_is_a_gap_and_a_long_window_keeps_the_peak(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 0", 1000 * SECOND);
	struct port *p = model_find_port(m, "leaf1", "Ethernet4");
	struct track track;
	char fact[64];
	uint64_t n = 0;

	(void)state;
	for (int64_t s = 1; s <= 300; s++) {
		n += s == 20 ? 5000 : 10;
		snprintf(fact, sizeof(fact), "leaf1 Ethernet4 pfc.rx[3] = %llu", (unsigned long long)n);
		if (s < 100 || s >= 200)
			model_say(m, fact, (1000 + s) * SECOND);
	}
	window_track(m, p, FIELD_PFC_RX, 3, WINDOW_MINUTE, &track);
	assert_int_equal(track.gaps, 0);
	assert_true(track.most == 10);
	window_track(m, p, FIELD_PFC_RX, 3, WINDOW_TEN, &track);
	assert_true(track.most == 5000);
	assert_in_range(track.gaps, 8, 10);
	window_track(m, p, FIELD_PFC_RX, 3, WINDOW_HOUR, &track);
	assert_true(track.most == 5000);
	assert_true(track.values[0] != track.values[0]);
	window_track(m, p, FIELD_PFC_TX, 3, WINDOW_HOUR, &track);
	assert_int_equal(track.n, 0);
	model_free(m);
}

static void events_stand_on_the_time_axis_and_the_newest_is_named(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct events events = { 0 };
	struct view_of of;
	struct world w;
	struct axis axis;
	const char *text;
	int64_t now_us;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	now_us = model_now(w.model);
	events_add(&events, now_us - 45 * SECOND, "config", "node1 eth2", "trust: dscp -> pcp");
	events_add(&events, now_us - 44 * SECOND, "fail", "node1:eth2 - leaf1:ethernet1/1/1", "trust-same: differs");
	events_add(&events, now_us - 10 * SECOND, "config", "node1 eth22", "of another port");
	events_add(&events, now_us - 5 * SECOND, "note", "", "ops7 was here");
	axis_make(&axis, &events, model_find_port(w.model, "node1", "eth2"), NULL, now_us - 60 * SECOND, now_us, 6);
	assert_string_equal(axis.signs, " !   m");
	assert_int_equal(axis.n, 3);
	of = view(&w);
	of.events = &events;
	stage_draw(&s, screen_draw(t), &of);
	text = screen_text(t);
	assert_shows(text, "events |");
	assert_shows(text, "ops7 was here");
	events_done(&events);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_baseline_is_kept_and_every_rate_is_told_against_it(void **state)
{
	struct screen_test *t = screen_open(40, 160, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct baseline taken = { 0 }, kept = { 0 };
	struct buf text = { 0 };
	struct view_of of;
	struct world w;
	struct err err;
	double was;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 cnp.sent = 100");
	world_run(&w, 20);
	baseline_take(&taken, w.model, &w.links, w.policy, &text);
	assert_true(baseline_read(&kept, buf_span(&text), &err));
	assert_int_equal(kept.n, taken.n);
	assert_true(kept.at_us == model_now(w.model));
	assert_true(baseline_of(&kept, model_find_port(w.model, "node1", "eth2"), FIELD_CNP_SENT, 0, &was));
	assert_true(was > 99 && was < 101);
	world_set(&w, "node1 eth2 cnp.sent = 19000");
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 20);
	of = view(&w);
	of.baseline = &kept;
	stage_draw(&s, screen_draw(t), &of);
	assert_shows(screen_text(t), "vs 00:");
	assert_shows(screen_text(t), "x190");
	assert_shows(screen_text(t), "changed");
	assert_false(baseline_read(&kept, SPAN("hello\n"), &err));
	assert_int_equal(kept.n, 0);
	assert_true(baseline_read(&kept, SPAN("fabcon-baseline 1 5\nnode1 eth2 nofield[0] 1\nnode1 eth2 pfc.rx[99] 1\nx\n"
					      "node1 eth2 pfc.rx[3] nan\nnode1 eth2 pfc.rx[3\nnode1 eth2 pfc.rx[3] 7\n"), &err));
	assert_int_equal(kept.n, 1);
	baseline_done(&taken);
	baseline_done(&kept);
	buf_done(&text);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_difference_is_told_in_the_shortest_words(void **state)
{
	char text[24];

	(void)state;
	assert_string_equal(baseline_words(text, 0, 0), "=");
	assert_string_equal(baseline_words(text, 100, 105), "=");
	assert_string_equal(baseline_words(text, 0, 3), "new");
	assert_string_equal(baseline_words(text, 410, 0), "-100%");
	assert_string_equal(baseline_words(text, 100, 135), "+35%");
	assert_string_equal(baseline_words(text, 100, 250), "x2.5");
	assert_string_equal(baseline_words(text, 216, 41200), "x191");
}

static void say_and_record(struct model *m, struct recorder *r, int64_t at_us, uint64_t n)
{
	char text[64];
	struct obs o;

	snprintf(text, sizeof(text), "leaf1 Ethernet4 pfc.rx[3] = %llu", (unsigned long long)n);
	obs_init(&o, "leaf1", "test");
	o.at_us = at_us;
	o.period_us = SECOND;
	assert_true(obs_read(&o, span_of(text), NULL));
	model_apply(m, &o);
	recorder_take(r, &o);
	obs_done(&o);
}

/* Fifteen minutes of ten frames a second, and 9000 in one of them eight minutes before the end. */
static void record_a_burst(const char *path)
{
	struct model *m = model_new();
	struct recorder_options options = { .fabric = "gpu-a", .model = m };
	struct recorder *r = recorder_open(path, &options, NULL);
	uint64_t n = 0;

	assert_non_null(r);
	for (int64_t s = 0; s <= 900; s++)
		say_and_record(m, r, (100000 + s) * SECOND, n += s == 420 ? 9000 : 10);
	recorder_close(r);
	model_free(m);
}

static void a_replay_shows_what_the_recording_holds_of_a_longer_time(void **state)
{
	char dir[] = "/tmp/fabcon-detail-XXXXXX", path[64];
	struct session *s;
	struct track track;
	struct err err = { .text = "" };

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/r.fabcon", dir);
	record_a_burst(path);
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	session_reach(s, window_table[WINDOW_TEN].span_us);
	assert_true(session_seek(s, 100900 * SECOND, &err));
	window_track(session_model(s), model_find_port(session_model(s), "leaf1", "Ethernet4"), FIELD_PFC_RX, 3, WINDOW_TEN, &track);
	assert_true(track.most == 9000);
	assert_int_equal(track.gaps, 0);
	assert_true(track.values[1] == 10);
	session_free(s);
	unlink(path);
	rmdir(dir);
}

static void the_proof_is_in_sight_and_opens_step_by_step(void **state)
{
	struct screen_test *t = screen_open(60, 120, true, NULL);
	struct stage s = { .screen = SCREEN_DETAIL };
	struct world w;
	const char *text;

	(void)state;
	world_init(&w);
	world_set(&w, "leaf1 ethernet1/1/1 pfc.on[3] = no");
	world_run(&w, 20);
	assert_shows(shown(t, &s, &w), "data > app 106 > dscp 26 > prio 3 > TC 3 == prio 3 > [drops NO] > q3");
	press(&s, &w, '\t');
	assert_int_equal(s.screen, SCREEN_DETAIL);
	press(&s, &w, '\n');
	text = shown(t, &s, &w);
	assert_shows(text, "Proof of node1:eth2 - leaf1:ethernet1/1/1");
	assert_shows(text, "first mismatch at \"no-drop\", leaf1 ethernet1/1/1: PFC is off on priority 3");
	assert_shows(text, "DSCP 26 -> priority 3");
	assert_shows(text, "node1 eth2 dscp.prio[26] = 3");
	press(&s, &w, 'q');
	press(&s, &w, '\t');
	assert_int_not_equal(s.screen, SCREEN_DETAIL);
	stage_done(&s);
	screen_close(t);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_80x24_what_disagrees_and_what_moves_are_in_sight),
		cmocka_unit_test(a_failed_check_is_a_difference_only_where_the_ends_differ),
		cmocka_unit_test(the_proof_is_in_sight_and_opens_step_by_step),
		cmocka_unit_test(a_rate_that_cannot_be_is_marked_and_not_shown),
		cmocka_unit_test(d_opens_at_the_question_that_failed_with_its_verdict),
		cmocka_unit_test(quiet_counters_are_counted_and_i_shows_them),
		cmocka_unit_test(every_row_of_every_list_answers_why_and_who),
		cmocka_unit_test(a_acknowledges_with_a_reason_and_the_rest_is_counted_apart),
		cmocka_unit_test(what_closed_today_is_listed_when_it_is_asked_for),
		cmocka_unit_test(a_device_opens_to_its_probes_and_a_probe_to_its_reply),
		cmocka_unit_test(plus_and_minus_choose_how_far_back_sparklines_look),
		cmocka_unit_test(a_silence_is_a_gap_and_a_long_window_keeps_the_peak),
		cmocka_unit_test(events_stand_on_the_time_axis_and_the_newest_is_named),
		cmocka_unit_test(a_baseline_is_kept_and_every_rate_is_told_against_it),
		cmocka_unit_test(a_difference_is_told_in_the_shortest_words),
		cmocka_unit_test(a_replay_shows_what_the_recording_holds_of_a_longer_time),
		cmocka_unit_test(what_is_not_known_names_the_command_that_would_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
