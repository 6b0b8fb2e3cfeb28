/* Acknowledgements: typed, kept, and never in the way of what is worse. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/world.h"
#include "tui/session/acked.h"
#include "tui/text/files.h"

#define NOW	(INT64_C(1789223527) * SECOND)	/* 2026-09-12 14:32:07Z */
#define HOUR	(3600 * SECOND)

static int64_t until(const char *typed)
{
	const char *reason;
	int64_t until_us;

	assert_true(ack_typed(typed, NOW, &until_us, &reason, NULL));
	return until_us - NOW;
}

static void what_is_typed_says_until_when_and_why(void **state)
{
	const char *reason;
	int64_t until_us;
	struct err err;

	(void)state;
	assert_true(until("2h the window") == 2 * HOUR);
	assert_true(until("30m  lunch") == HOUR / 2);
	assert_true(until("tomorrow reboot planned") == 24 * HOUR);
	assert_true(until("15:00 shift ends") == 27 * 60 * SECOND + 53 * SECOND);
	assert_true(until("14:00 next day") == 24 * HOUR - 32 * 60 * SECOND - 7 * SECOND);
	assert_true(until("known to the vendor") == ACK_USUAL_US);
	assert_true(until("0h is no length") == ACK_USUAL_US);
	assert_true(ack_typed("2h the window ", NOW, &until_us, &reason, &err));
	assert_memory_equal(reason, "the window", 10);
	assert_false(ack_typed("2h", NOW, &until_us, &reason, &err));
	assert_non_null(strstr(err.text, "reason"));
	assert_false(ack_typed("  ", NOW, &until_us, &reason, &err));
}

static void the_written_form_reads_back(void **state)
{
	const char *place = "node1:eth2 - leaf1:ethernet1/1/1";
	struct acks a = { 0 }, b = { 0 };
	struct buf text = { 0 };

	(void)state;
	acks_add(&a, "trust-same", place, VERDICT_FAIL, "window: until\nten", NOW, NOW + HOUR);
	acks_add(&a, "device-reached", "leaf2", VERDICT_WARN, "rack is off", NOW, NOW + 2 * HOUR);
	acks_print(&a, &text);
	assert_int_equal(acks_read(&b, buf_span(&text)), 0);
	assert_int_equal(b.n, 2);
	assert_string_equal(b.list[0].where, place);
	assert_string_equal(b.list[0].reason, "window: until ten");
	assert_int_equal(b.list[0].severity, VERDICT_FAIL);
	assert_true(b.list[1].until_us == NOW + 2 * HOUR && b.list[1].at_us == NOW);
	acks_done(&b);
	assert_int_equal(acks_read(&b, SPAN("nonsense\n\n2026-09-12T14:32:07Z ok x at y until z: w\n")), 2);
	assert_int_equal(b.n, 0);
	buf_done(&text);
	acks_done(&a);
}

struct heard {
	size_t n;
	char why[64];
};

static void ended(void *ctx, const struct ack *ack, const char *why)
{
	struct heard *h = ctx;

	(void)ack;
	h->n++;
	snprintf(h->why, sizeof(h->why), "%s", why);
}

static struct acks one_ack(const struct world *w, const struct finding *f, enum verdict severity)
{
	struct acks a = { 0 };

	acks_add(&a, f->check->id, f->where, severity, "known", model_now(w->model), model_now(w->model) + HOUR);
	return a;
}

/* fuzz_acks: the reason began with a NUL, or a mark had a control character: what was written of it could not be read again. */
static void a_line_with_a_control_character_is_no_acknowledgement(void **state)
{
	static const char nul[] = "fail trust-same at node1:eth2 until 2026-09-12T22:32:07Z: \0waits";
	static const char mark[] = "fail trust-same at node1:eth2 until\0262026-09-12T22:32:07Z: a until 2026-09-12T22:32:07Z: waits";
	struct acks a = { NULL };

	(void)state;
	assert_false(acks_read_line(&a, (struct span){ nul, sizeof(nul) - 1 }, NOW));
	assert_false(acks_read_line(&a, SPAN(mark), NOW));
	assert_int_equal(a.n, 0);
	acks_done(&a);
}

static void it_ends_when_the_finding_closes(void **state)
{
	struct heard heard = { 0 };
	struct acks a;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	a = one_ack(&w, world_finding(&w, "trust-same", "node1:eth2"), VERDICT_FAIL);
	assert_non_null(acks_of(&a, world_finding(&w, "trust-same", "node1:eth2"), model_now(w.model)));
	assert_int_equal(acks_settle(&a, w.findings, model_now(w.model), ended, &heard), 0);
	world_set(&w, "node1 eth2 trust = dscp");
	world_run(&w, 5);
	assert_int_equal(acks_settle(&a, w.findings, model_now(w.model), ended, &heard), 1);
	assert_string_equal(heard.why, "it has cleared");
	assert_int_equal(a.n, 0);
	acks_done(&a);
	world_done(&w);
}

static void it_never_hides_what_is_worse_than_was_acknowledged(void **state)
{
	struct heard heard = { 0 };
	struct acks a;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	a = one_ack(&w, world_finding(&w, "trust-same", "node1:eth2"), VERDICT_WARN);
	assert_null(acks_of(&a, world_finding(&w, "trust-same", "node1:eth2"), model_now(w.model)));
	assert_int_equal(acks_settle(&a, w.findings, model_now(w.model), ended, &heard), 1);
	assert_string_equal(heard.why, "it got worse");
	acks_done(&a);
	world_done(&w);
}

static void it_ends_with_its_time_and_a_place_not_judged_yet_ends_nothing(void **state)
{
	struct findings *none = findings_new();
	struct heard heard = { 0 };
	struct acks a = { 0 };

	(void)state;
	acks_add(&a, "trust-same", "node1:eth2 - leaf1:e1", VERDICT_FAIL, "known", NOW, NOW + HOUR);
	assert_int_equal(acks_settle(&a, none, NOW + 1, ended, &heard), 0);
	assert_int_equal(acks_settle(&a, none, NOW + HOUR, ended, &heard), 1);
	assert_string_equal(heard.why, "it has expired");
	acks_done(&a);
	findings_free(none);
}

static void a_restart_knows_it_and_a_replay_tells_it_for_its_time(void **state)
{
	char dir[] = "/tmp/fabcon-ack-XXXXXX";
	struct finding f = { .check = check_find("trust-same"), .where = "node1:eth2 - leaf1:e1", .verdict = VERDICT_FAIL,
			     .weight = VERDICT_FAIL,
			     .is_open = true };
	struct session_options options = { 0 };
	struct acked a, again;
	struct session *s;
	struct stat st;
	struct err err;
	char where[160];
	uv_loop_t loop;
	size_t n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("XDG_STATE_HOME", dir, 1);
	uv_loop_init(&loop);
	s = session_live(&loop, &options, NULL, &err);
	assert_non_null(s);
	session_tick(s);
	assert_true(acked_open(&a, "gpu a/../x", &err));
	assert_null(strchr(strrchr(a.path, '/') + 1, ' '));
	assert_true(acked_add(&a, s, &f, false, "2h waits", &n, &err));
	assert_int_equal(stat(a.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(acked_open(&again, "gpu a/../x", &err));
	assert_non_null(acks_of(&again.acks, &f, model_now(session_model(s)) + SECOND));
	assert_true(acked_take_back(&again, s, where, &err));
	assert_string_equal(where, "trust-same at node1:eth2 - leaf1:e1");
	assert_false(acked_take_back(&a, s, where, &err));
	unlink(a.path);
	acked_done(&a);
	acked_done(&again);
	session_free(s);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
}

static void a_recording_tells_what_was_acknowledged_and_when_it_ended(void **state)
{
	struct event list[] = {
		{ NOW, "ack", "", "fail trust-same at node1:eth2 until 2026-09-12T22:32:07Z: waits" },
		{ NOW + HOUR, "ack ended", "", "fail trust-same at node1:eth2: it has cleared" },
	};
	struct events events = { .list = list, .n = 2 };
	struct finding f = { .check = check_find("trust-same"), .where = "node1:eth2", .verdict = VERDICT_FAIL, .is_open = true };
	struct acked a = { 0 };

	(void)state;
	acked_of_recording(&a, &events);
	assert_null(acks_of(&a.acks, &f, NOW - 1));
	assert_non_null(acks_of(&a.acks, &f, NOW + 1));
	assert_null(acks_of(&a.acks, &f, NOW + HOUR));
	acked_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_typed_says_until_when_and_why),
		cmocka_unit_test(the_written_form_reads_back),
		cmocka_unit_test(a_line_with_a_control_character_is_no_acknowledgement),
		cmocka_unit_test(it_ends_when_the_finding_closes),
		cmocka_unit_test(it_never_hides_what_is_worse_than_was_acknowledged),
		cmocka_unit_test(it_ends_with_its_time_and_a_place_not_judged_yet_ends_nothing),
		cmocka_unit_test(a_restart_knows_it_and_a_replay_tells_it_for_its_time),
		cmocka_unit_test(a_recording_tells_what_was_acknowledged_and_when_it_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
