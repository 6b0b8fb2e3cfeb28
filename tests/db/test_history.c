/* Time: what was counted, what happened, what changed between two moments; and the screen that shows it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "db/tape/tape.h"
#include "tests/lib/run.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"
#include "tui/session/notes.h"
#include "tui/session/session.h"
#include "tui/screens/history.h"
#include "tui/views/timeline.h"

#define START_US (INT64_C(1790000000) * SECOND)	/* a multiple of LANE_US */

static char folder[64], path[96];

static int begin_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/fabcon-history-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/r.fabcon", folder);
	setenv("XDG_STATE_HOME", folder, 1);
	return 0;
}

static int end_folder(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static void say_count(struct model *m, const char *what, uint64_t n, int64_t at_us)
{
	char fact[96];

	snprintf(fact, sizeof(fact), "%s = %llu", what, (unsigned long long)n);
	model_say(m, fact, at_us);
}

static void assert_near(double is, double wanted)
{
	if (isnan(is) || fabs(is - wanted) > 0.01 * fabs(wanted) + 0.001)
		fail_msg("%g is not %g", is, wanted);
}

/* -- lanes -- */

static void a_step_counts_evenly_over_the_time_it_took(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 0", START_US);

	(void)state;
	say_count(m, "leaf1 Ethernet4 pfc.rx[3]", 3000, START_US + 30 * SECOND);
	for (int64_t s = 0; s < 30; s += 5)
		assert_near(fabric_history_at(model_lanes(m), LANE_PFC, START_US + s * SECOND), 100 /* frames/s */);
	assert_near(fabric_history_mean(model_lanes(m), LANE_PFC, START_US, START_US + 30 * SECOND), 100);
	model_free(m);
}

static void the_fabric_is_the_sum_of_its_ports_and_the_highest_is_kept(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 cnp.sent = 0", START_US);

	(void)state;
	model_say(m, "leaf2 Ethernet8 cnp.sent = 0", START_US);
	say_count(m, "leaf1 Ethernet4 cnp.sent", 50, START_US + 5 * SECOND);
	say_count(m, "leaf2 Ethernet8 cnp.sent", 100, START_US + 5 * SECOND);
	say_count(m, "leaf1 Ethernet4 cnp.sent", 50, START_US + 10 * SECOND);
	say_count(m, "leaf2 Ethernet8 cnp.sent", 100, START_US + 10 * SECOND);
	assert_near(fabric_history_at(model_lanes(m), LANE_CNP, START_US), 30);
	assert_near(fabric_history_at(model_lanes(m), LANE_CNP, START_US + 5 * SECOND), 0);
	assert_near(fabric_history_highest(model_lanes(m), LANE_CNP, START_US, START_US + 3600 * SECOND), 30);
	assert_near(fabric_history_mean(model_lanes(m), LANE_CNP, START_US, START_US + 10 * SECOND), 15);
	model_free(m);
}

static void where_nothing_was_heard_nothing_is_known(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 0", START_US);
	const struct fabric_history *l = model_lanes(m);

	(void)state;
	assert_true(isnan(fabric_history_at(l, LANE_PFC, START_US)));
	say_count(m, "leaf1 Ethernet4 pfc.rx[3]", 10, START_US + SECOND);
	assert_near(fabric_history_at(l, LANE_PFC, START_US), 10);
	assert_true(isnan(fabric_history_at(l, LANE_ECN, START_US)));
	assert_true(isnan(fabric_history_at(l, LANE_PFC, -1)));
	/* an hour without a word is a gap, whatever was counted meanwhile; and so is a counter that restarts */
	say_count(m, "leaf1 Ethernet4 pfc.rx[3]", 4000, START_US + 3600 * SECOND);
	say_count(m, "leaf1 Ethernet4 pfc.rx[3]", 5, START_US + 3606 * SECOND);
	assert_true(isnan(fabric_history_highest(l, LANE_PFC, START_US + 5 * SECOND, START_US + 7200 * SECOND)));
	model_free(m);
}

static void a_day_is_kept_and_a_clock_that_leaps_is_survived(void **state)
{
	struct fabric_history l = { 0 };

	(void)state;
	fabric_history_count(&l, FIELD_PFC_RX, 7, START_US, START_US + 5 * SECOND);
	fabric_history_count(&l, FIELD_PFC_RX, 9, START_US + 86400 * SECOND, START_US + 86405 * SECOND);
	assert_true(l.end - l.first <= LANES_MAX);
	assert_true(isnan(fabric_history_at(&l, LANE_PFC, START_US)));
	assert_near(fabric_history_at(&l, LANE_PFC, START_US + 86400 * SECOND), 9);
	fabric_history_count(&l, FIELD_PFC_RX, 9, START_US, START_US + SECOND);	/* long gone */
	fabric_history_count(&l, FIELD_PFC_RX, 9, INT64_MAX - 1, INT64_MAX);
	fabric_history_count(&l, FIELD_PFC_RX, 9, -5, 5);
	fabric_history_count(&l, FIELD_PFC_RX, 9, START_US, START_US);
	fabric_history_count(&l, FIELD_MTU, 9, START_US, START_US + SECOND);
	fabric_history_put(&l, INT64_MAX, LANE_PFC, 1);
	fabric_history_put(&l, -1, LANE_PFC, 1);
	fabric_history_put(&l, 4, LANE_PFC, NAN);
	assert_near(fabric_history_at(&l, LANE_PFC, START_US + 86400 * SECOND), 9);
	fabric_history_done(&l);
}

/* -- events -- */

static void findings_are_followed_and_what_was_unknown_is_counted(void **state)
{
	struct events e = { 0 };

	(void)state;
	events_add(&e, 1 * SECOND, "unknown", "leaf1", "ecn-on: not known");
	events_add(&e, 2 * SECOND, "closed", "leaf1", "ecn-on: not known");
	events_add(&e, 3 * SECOND, "warn", "leaf1", "trust-same: differs");
	events_add(&e, 4 * SECOND, "fail", "leaf2", "ecn-on: off");
	events_add(&e, 6 * SECOND, "closed", "leaf2", "ecn-on: off");
	events_add(&e, 5 * SECOND, "note", "", "power cut");
	assert_int_equal(e.n, 4);
	assert_int_equal(e.n_unknown, 1);
	assert_int_equal(events_worst(&e, 0, SECOND), VERDICT_UNKNOWN);
	assert_int_equal(events_worst(&e, 3 * SECOND, 3 * SECOND), VERDICT_WARN);
	assert_int_equal(events_worst(&e, 0, 10 * SECOND), VERDICT_FAIL);
	assert_int_equal(events_worst(&e, 5 * SECOND, 5 * SECOND), VERDICT_FAIL);
	assert_int_equal(events_worst(&e, 7 * SECOND, 9 * SECOND), VERDICT_WARN);
	assert_string_equal(events_next(&e, 0, "note")->text, "power cut");
	assert_string_equal(e.list[2].text, "power cut");
	events_add(&e, 8 * SECOND, EVENT_RUN, "", "begins");
	assert_int_equal(events_worst(&e, 8 * SECOND, 9 * SECOND), VERDICT_OK);
	events_done(&e);
}

static void a_device_that_is_tried_again_and_again_is_one_event_until_it_ends_otherwise(void **state)
{
	static const char *const said[] = {
		"leaf1 state = connecting (was waiting)", "leaf1 state = up (was connecting)", "leaf1 state = retrying (was up)",
		"leaf1 state = connecting (was retrying)", "leaf1 state = retrying (was connecting)",
		"leaf1 state = connecting (was retrying)", "leaf1 state = up (was connecting)",
		"leaf1 state = retrying (was up)", "leaf1 state = refused (was connecting)",
	};
	struct events e = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		events_add(&e, (int64_t)i, "device", "leaf1", said[i]);
		events_add(&e, (int64_t)i, "device", "leaf2", i ? "leaf2 state = retrying (was connecting)" : "leaf2 boot = 1");
	}
	assert_int_equal(e.n, 5 + 2);
	assert_int_equal(e.n_tries, 4 + 7);
	assert_string_equal(e.list[e.n - 1].text, said[8]);
	events_done(&e);
}

static void only_the_newest_events_are_kept(void **state)
{
	struct events e = { 0 };

	(void)state;
	for (size_t i = 0; i < EVENTS_MAX + 10; i++)
		events_add(&e, (int64_t)i, "config", NULL, NULL);
	assert_true(e.n <= EVENTS_MAX);
	assert_int_equal(e.n + e.n_more, EVENTS_MAX + 10);
	assert_int_equal(e.list[e.n - 1].at_us, EVENTS_MAX + 9);
	events_done(&e);
}

/* -- changes -- */

static void settings_are_told_with_each_value_on_the_way(void **state)
{
	struct events e = { 0 };
	struct fabric_history l = { 0 };
	struct changes c = { 0 };

	(void)state;
	events_add(&e, 1 * SECOND, "config", "leaf1 e4", "leaf1 e4 trust = pcp (was dscp)");
	events_add(&e, 12 * SECOND, "config", "leaf1 e4", "leaf1 e4 trust = dscp (was pcp)");
	events_add(&e, 13 * SECOND, "config", "leaf1 e4", "leaf1 e4 alias = \"a = b (was c)\" (was \"x (was \\\" y\")");
	events_add(&e, 14 * SECOND, "config", "leaf1 e4", "leaf1 e4 trust = pcp (was dscp)");
	events_add(&e, 15 * SECOND, "fail", "leaf2", "ecn-on: off");
	events_add(&e, 16 * SECOND, "config", "leaf1 e4", "nonsense without a value");
	changes_read(&c, &e, &l, 20 * SECOND, 10 * SECOND);	/* B before A is the same */
	assert_int_equal(c.a_us, 10 * SECOND);
	assert_int_equal(c.n, 3);
	assert_string_equal(c.list[0].what, "trust");
	assert_string_equal(c.list[0].values.text, "pcp -> dscp -> pcp");
	assert_string_equal(c.list[1].values.text, "\"x (was \\\" y\" -> \"a = b (was c)\"");
	assert_string_equal(c.list[2].what, "ecn-on: off");
	assert_false(c.has_break);
	assert_true(isnan(c.before[LANE_PFC]));
	events_add(&e, 17 * SECOND, EVENT_RUN, "", "begins");
	changes_read(&c, &e, &l, 10 * SECOND, 20 * SECOND);
	assert_true(c.has_break);
	changes_done(&c);
	events_done(&e);
}

/* -- notes -- */

static void a_note_is_plain_text_of_ours_alone(void **state)
{
	char *notes = xasprintf("%s/notes", folder);
	struct events e = { 0 };
	char text[NOTE_MAX + 1];
	struct stat st;
	struct err err;
	FILE *f;

	(void)state;
	assert_false(note_text(" \t ", text));
	assert_true(note_text("  fan\nfailed\033[2J ", text));
	assert_string_equal(text, "fan failed [2J");
	assert_true(notes_add(notes, START_US + 123456, text, &err));
	assert_true(notes_add(notes, START_US + SECOND, "second", &err));
	assert_int_equal(stat(notes, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	f = fopen(notes, "a");
	assert_non_null(f);
	fputs("garbage\n14:26 no date\n2026-99-99T99:99Z no time\n\001\377 \n", f);
	fclose(f);
	notes_read(notes, &e);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.list[0].at_us, START_US + 123456);
	assert_string_equal(e.list[0].text, "fan failed [2J");
	events_done(&e);
	free(notes);
}

/* -- recordings -- */

static void record_minutes(unsigned minutes)
{
	struct recorder_options options = { .fabric = "demo", .commit_us = 2000 };
	struct recorder *r = recorder_open(path, &options, NULL);
	struct obs o;

	assert_non_null(r);
	for (unsigned s = 0; s <= minutes * 60; s++) {
		obs_init(&o, "n1", "counters");
		o.at_us = START_US + s * SECOND;
		o.period_us = SECOND;
		obs_number(&o, obs_port(&o, SPAN("eth0")), FIELD_PFC_RX, 3, 40 * s);
		obs_number(&o, 0, FIELD_OOS, 0, s / 20);
		obs_number(&o, 0, FIELD_MTU, 0, s < 60 ? 1500 : 9000);
		recorder_take(r, &o);
		obs_done(&o);
	}
	recorder_close(r);
}

static void a_recording_gives_its_lanes_events_and_notes_back(void **state)
{
	struct session *s;
	struct err err;

	(void)state;
	record_minutes(3);
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	assert_near(fabric_history_at(session_lanes(s), LANE_PFC, START_US + 100 * SECOND), 40);
	assert_near(fabric_history_mean(session_lanes(s), LANE_LOSS, START_US, START_US + 180 * SECOND), 0.05);
	assert_true(isnan(fabric_history_at(session_lanes(s), LANE_ECN, START_US + 100 * SECOND)));
	assert_true(isnan(fabric_history_at(session_lanes(s), LANE_PFC, START_US - 60 * SECOND)));
	assert_string_equal(events_next(session_events(s), 0, "config")->text, "n1 eth0 mtu = 9000 (was 1500)");
	assert_true(session_annotate(s, START_US + 50 * SECOND, "here", &err));
	assert_false(session_annotate(s, START_US, "  ", &err));
	session_free(s);
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	assert_int_equal(events_next(session_events(s), 0, "note")->at_us, START_US + 50 * SECOND);
	session_free(s);
}

static size_t samples_of(const struct session *s)
{
	const struct port *p = model_find_port(session_model(s), "n1", "eth0");
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];

	assert_non_null(p);
	assert_rate(session_model(s), "n1 eth0 pfc.rx[3]", 40);
	return series_history(port_series(p, FIELD_PFC_RX, 3), at_us, value);
}

static void a_glance_back_tells_the_same_of_that_time_and_a_seek_the_time_before_it(void **state)
{
	int64_t at_us = START_US + 150 * SECOND;
	struct session *s;
	size_t whole;
	struct err err;

	(void)state;
	record_minutes(3);
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	assert_true(session_is_glance(s));
	assert_true(session_seek(s, replay_last(session_recording(s)), &err));
	assert_false(session_is_glance(s));
	whole = samples_of(s);
	assert_true(session_glance(s, at_us, &err));
	assert_true(session_is_glance(s));
	assert_int_equal(model_now(session_model(s)), at_us);
	assert_true(samples_of(s) >= 10 && samples_of(s) < whole);
	assert_true(session_seek(s, at_us, &err));
	assert_false(session_is_glance(s));
	assert_int_equal(samples_of(s), whole);
	session_free(s);
}

static void a_recording_that_is_gone_on_with_remembers(void **state)
{
	struct session_options options = { .record = path };
	const struct events *e;
	struct session *s;
	struct err err;
	uv_loop_t loop;

	(void)state;
	record_minutes(2);
	uv_loop_init(&loop);
	s = session_live(&loop, &options, NULL, &err);
	assert_non_null(s);
	e = session_events(s);
	assert_string_equal(events_next(e, 0, "config")->text, "n1 eth0 mtu = 9000 (was 1500)");
	assert_string_equal(e->list[e->n - 1].kind, EVENT_RUN);
	assert_near(fabric_history_at(session_lanes(s), LANE_PFC, START_US + 100 * SECOND), 40);
	session_free(s);
	uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&loop), 0);
}

static void the_command_line_tells_the_same(void **state)
{
	struct run r;

	(void)state;
	record_minutes(2);
	r = RUN("fabcon", "replay", path, "note", "power", "cut");
	assert_int_equal(r.code, 0);
	run_done(&r);
	r = RUN("fabcon", "-o", "json", "replay", path, "events", "--filter", "kind:note");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "power cut"));
	assert_null(strstr(r.out.text, "mtu"));
	run_done(&r);
	r = RUN("fabcon", "-o", "json", "replay", path, "changes", "--since", "-90s");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "1500 -> 9000"));
	assert_non_null(strstr(r.out.text, "\"between_per_s\""));
	run_done(&r);
	r = RUN("fabcon", "replay", path, "changes", "--since", "-30s");
	assert_null(strstr(r.out.text, "1500 -> 9000"));
	run_done(&r);
	r = RUN("fabcon", "replay", path, "events", "--since", "whenever");
	assert_int_equal(r.code, 2);
	run_done(&r);
	r = RUN("fabcon", "events");
	assert_int_equal(r.code, 2);
	run_done(&r);
}

static void run_in(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void a_recording_from_before_lanes_has_none_and_opens(void **state)
{
	struct session *s;
	struct err err;

	(void)state;
	record_minutes(1);
	run_in("DROP VIEW lanes; DROP TABLE lane; PRAGMA user_version = 2");
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	assert_true(isnan(fabric_history_at(session_lanes(s), LANE_PFC, START_US + 30 * SECOND)));
	session_free(s);
	/* and a view in their place is not run */
	run_in("CREATE VIEW lane AS SELECT 1 AS id, 1 AS pfc, 1 AS ecn, 1 AS cnp, 1 AS loss, 1 AS error");
	s = session_replay(path, NULL, &err);
	assert_non_null(s);
	assert_int_equal(session_lanes(s)->end, 0);
	session_free(s);
}

/* -- the screen -- */

struct stood {
	struct stage stage;
	struct view_of of;
	struct events events;
	struct fabric_history lanes;
	struct world world;
};

static void stand(struct stood *s)
{
	memset(s, 0, sizeof(*s));
	world_init(&s->world);
	world_run(&s->world, 3);
	for (int64_t i = 0; i < 360; i++)
		if (i < 200 || i >= 240)
			fabric_history_put(&s->lanes, START_US / LANE_US + i, LANE_PFC, i >= 100 && i < 140 ? 40000 : 100);
	events_add(&s->events, START_US + 500 * SECOND, "config", "leaf2 Ethernet8",
		   "leaf2 Ethernet8 ecn.on[3] = no (was yes)");
	events_add(&s->events, START_US + 501 * SECOND, "fail", "leaf2:Ethernet8", "ecn-on: ECN is off");
	events_add(&s->events, START_US + 700 * SECOND, "note", "", "power cut \033[2J");
	events_add(&s->events, START_US + 900 * SECOND, "closed", "leaf2:Ethernet8", "ecn-on: ECN is off");
	s->stage.screen = SCREEN_HISTORY;
	s->of = (struct view_of){ .model = s->world.model, .links = &s->world.links, .findings = s->world.findings,
				  .policy = s->world.policy, .inventory = &s->world.inventory, .fabric = "gpu-a", .is_replay = true,
				  .events = &s->events, .lanes = &s->lanes, .first_us = START_US,
				  .last_us = START_US + 1800 * SECOND, .cursor_us = START_US + 550 * SECOND, .serial = 1 };
}

static void stood_done(struct stood *s)
{
	stage_done(&s->stage);
	events_done(&s->events);
	fabric_history_done(&s->lanes);
	world_done(&s->world);
}

static const char *shown(struct stood *s, struct screen_test *t)
{
	s->of.serial++;
	stage_draw(&s->stage, screen_draw(t), &s->of);
	return screen_text(t);
}

static void press(struct stood *s, struct screen_test *t, int code)
{
	struct intent i = stage_key(&s->stage, &s->of, code);

	if (i.is == INTENT_SEEK)
		s->of.cursor_us = i.at_us;
	shown(s, t);
}

static void assert_shows(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not on the screen:\n%s", what, text);
}

static void history_shows_lanes_gaps_and_what_changed_between_the_marks(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stood s;
	const char *text;

	(void)state;
	stand(&s);
	text = shown(&s, t);
	assert_shows(text, "PFC recvd");
	assert_shows(text, "40k/s");
	assert_shows(text, "█");
	assert_shows(text, "▂·");		/* the gap */
	assert_shows(text, "!!!!");
	assert_shows(text, "#");
	assert_shows(text, "20m50s before the end");
	assert_shows(text, "power cut \\x1b[2J");
	press(&s, t, ']');
	for (unsigned i = 0; i < 10; i++)
		press(&s, t, 'h');
	assert_true(s.of.cursor_us < START_US + 500 * SECOND);
	press(&s, t, '[');
	text = shown(&s, t);
	assert_shows(text, "Changed between A ");
	assert_shows(text, "ecn.on[3]  yes -> no");
	assert_shows(text, "ecn-on: ECN is off");
	press(&s, t, '[');			/* a mark where it is already is taken away */
	assert_int_equal(history_of(&s.stage.views)->a_us, 0);
	stood_done(&s);
	screen_close(t);
}

static void the_cursor_stays_in_the_stretch_at_every_zoom(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stood s;

	(void)state;
	stand(&s);
	shown(&s, t);
	for (unsigned i = 0; i < 60; i++) {
		const struct history_view *h = history_of(&s.stage.views);

		press(&s, t, "+++++++++---------hhll[]"[i % 24]);
		s.of.cursor_us = START_US + (i * 37 % 1800) * SECOND;
		shown(&s, t);
		assert_true(h->zoom_us >= timeline_zoom(0) && h->zoom_us <= timeline_zoom(8));
		assert_true(h->from_us <= s.of.cursor_us && s.of.cursor_us <= h->from_us + h->zoom_us + h->column_us);
	}
	stood_done(&s);
	screen_close(t);
}

static void live_history_follows_the_time_until_the_cursor_is_moved(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stood s;
	struct intent i;

	(void)state;
	stand(&s);
	s.of.is_replay = false;
	s.of.cursor_us = s.of.last_us;
	assert_shows(shown(&s, t), "now, ");
	i = stage_key(&s.stage, &s.of, 'h');
	assert_int_equal(i.is, INTENT_SEEK);
	assert_true(i.at_us < s.of.last_us);
	history_of(&s.stage.views)->cursor_us = s.of.cursor_us = i.at_us;
	assert_shows(shown(&s, t), "before now");
	assert_int_equal(stage_key(&s.stage, &s.of, 'G').is, INTENT_LIVE);
	s.stage.screen = SCREEN_PORTS;
	assert_int_equal(stage_key(&s.stage, &s.of, 't').is, INTENT_DONE);
	assert_shows(shown(&s, t), "7 History looks back");
	stood_done(&s);
	screen_close(t);
}

static void a_typed_note_and_a_speed_become_intents(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stood s;
	struct intent i = { 0 };

	(void)state;
	stand(&s);
	shown(&s, t);
	for (const char *c = "mfan failed\n"; *c; c++)
		i = stage_key(&s.stage, &s.of, *c);
	assert_int_equal(i.is, INTENT_NOTE);
	assert_string_equal(i.text, "fan failed");
	for (const char *c = ":speed 10\n"; *c; c++)
		i = stage_key(&s.stage, &s.of, *c);
	assert_int_equal(i.is, INTENT_SPEED);
	assert_int_equal(i.by, 10);
	for (const char *c = ":speed 9999\n"; *c; c++)
		i = stage_key(&s.stage, &s.of, *c);
	assert_int_equal(i.is, INTENT_DONE);
	i = stage_key(&s.stage, &s.of, '\'');
	assert_int_equal(i.is, INTENT_EVENT);
	assert_string_equal(i.text, "note");
	stood_done(&s);
	screen_close(t);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, begin_folder, end_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_counts_evenly_over_the_time_it_took),
		cmocka_unit_test(the_fabric_is_the_sum_of_its_ports_and_the_highest_is_kept),
		cmocka_unit_test(where_nothing_was_heard_nothing_is_known),
		cmocka_unit_test(a_day_is_kept_and_a_clock_that_leaps_is_survived),
		cmocka_unit_test(findings_are_followed_and_what_was_unknown_is_counted),
		cmocka_unit_test(a_device_that_is_tried_again_and_again_is_one_event_until_it_ends_otherwise),
		cmocka_unit_test(only_the_newest_events_are_kept),
		cmocka_unit_test(settings_are_told_with_each_value_on_the_way),
		IN_FOLDER(a_note_is_plain_text_of_ours_alone),
		IN_FOLDER(a_recording_gives_its_lanes_events_and_notes_back),
		IN_FOLDER(a_glance_back_tells_the_same_of_that_time_and_a_seek_the_time_before_it),
		IN_FOLDER(a_recording_that_is_gone_on_with_remembers),
		IN_FOLDER(the_command_line_tells_the_same),
		IN_FOLDER(a_recording_from_before_lanes_has_none_and_opens),
		cmocka_unit_test(history_shows_lanes_gaps_and_what_changed_between_the_marks),
		cmocka_unit_test(the_cursor_stays_in_the_stretch_at_every_zoom),
		cmocka_unit_test(live_history_follows_the_time_until_the_cursor_is_moved),
		cmocka_unit_test(a_typed_note_and_a_speed_become_intents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
