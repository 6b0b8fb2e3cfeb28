/* The order of findings: harm first, roots above what follows from them. */
#include "core/judge/check.h"

#include "tests/lib/world.h"

static const struct finding *nth(const struct world *w, size_t n)
{
	const struct finding *const *list;

	assert_true(findings_open(w->findings, &list) > n);
	return list[n];
}

static size_t place_in_order(const struct world *w, const char *check, const char *where)
{
	const struct finding *const *list, *f = world_finding(w, check, where);
	size_t n = findings_open(w->findings, &list);

	if (!f)
		world_fail(w, check);
	for (size_t i = 0; i < n; i++)
		if (list[i] == f)
			return i;
	world_fail(w, check);
	return n;
}

static const char storm[] = "node1 eth3 pfc.tx_us[3] = 1000000\nleaf2 Ethernet4 pfc.rx[3] = 4000\nnode1 eth3 rx.packets[3] = 0\n";

static void a_stopped_link_comes_before_a_setting_that_harms_nothing_yet(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, storm);
	world_set_lines(&w, "leaf1 ethernet1/1/1 ecn.on[3] = no\nnode1 eth2 trust = pcp\n");
	world_run(&w, 15);
	if (strcmp(nth(&w, 0)->check->id, "pause-storm") != 0)
		world_fail(&w, "the storm is not the first");
	world_done(&w);
}

static void what_loses_packets_comes_before_what_stops_them(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, storm);
	world_set_lines(&w, "node1 eth2 phy.err = 30\n");
	world_run(&w, 15);
	if (strcmp(nth(&w, 0)->check->id, "wire-clean") != 0)
		world_fail(&w, "the loss is not the first");
	assert_int_equal(nth(&w, 0)->harm, HARM_LOSES);
	world_done(&w);
}

/* A setting that packets are lost by is as grave as the loss. */
static void what_follows_counts_for_its_root(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 trust = pcp\nleaf2 Ethernet4 pfc.on[3] = no\nleaf2 Ethernet4 tx.drop[3] = 20\n");
	world_run(&w, 15);
	if (strcmp(nth(&w, 0)->check->id, "pfc-on-where-wanted") != 0)
		world_fail(&w, "the setting that loses packets is not the first");
	assert_int_equal(nth(&w, 0)->harm, HARM_LOSES);
	assert_null(nth(&w, 0)->cause);
	assert_true(place_in_order(&w, "trust-as-wanted", "node1:eth2") < place_in_order(&w, "lossless-kept", "leaf2:Ethernet4"));
	world_done(&w);
}

/* PFC on one priority more is a warning by itself; the packets that are lost because of it are not. */
static void a_warning_that_losses_follow_from_stands_above_another_failure(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 gid.v2 = no\nleaf2 Ethernet4 pfc.on[5] = yes\nleaf2 Ethernet4 tx.drop[3] = 20\n");
	world_run(&w, 15);
	if (strcmp(nth(&w, 0)->check->id, "pfc-only-where-wanted") != 0)
		world_fail(&w, "the setting that loses packets is not the first");
	assert_int_equal(nth(&w, 0)->verdict, VERDICT_WARN);
	assert_int_equal(nth(&w, 0)->weight, VERDICT_FAIL);
	assert_int_equal(world_finding(&w, "gid-v2", "node1:eth2")->verdict, VERDICT_FAIL);
	world_done(&w);
}

/* It was laid to adaptive routing. */
static void gaps_of_a_job_that_does_not_mark_follow_from_that(void **state)
{
	const struct finding *gaps;
	struct world w;

	(void)state;
	world_init(&w);
	world_drop(&w, "node1 app.tc");
	world_set_lines(&w, "node1 app.tc.set = no\nnode1 eth2 oos = 50\n");
	world_run(&w, 15);
	gaps = world_finding(&w, "sequence-kept", "node1:eth2");
	assert_non_null(gaps);
	assert_non_null(gaps->cause);
	assert_string_equal(gaps->cause->check->id, "app-tos-as-wanted");
	assert_true(place_in_order(&w, "app-tos-as-wanted", "node1:eth2") < place_in_order(&w, "sequence-kept", "node1:eth2"));
	world_done(&w);
}

static void of_two_that_hold_links_the_one_that_holds_much_more_is_first(void **state)
{
	static const struct {
		const char *facts, *first;
	} rows[] = {
		{ "node1 eth2 pfc.tx_us[3] = 90000\nnode1 eth3 pfc.tx_us[3] = 700000\n", "node1:eth3" },
		{ "node1 eth2 pfc.tx_us[3] = 700000\nnode1 eth3 pfc.tx_us[3] = 90000\n", "node1:eth2" },
		{ "node1 eth2 pfc.tx_us[3] = 300000\nnode1 eth3 pfc.tx_us[3] = 310000\n", "node1:eth2" },
		{ "node1 eth2 pfc.tx_us[3] = 310000\nnode1 eth3 pfc.tx_us[3] = 300000\n", "node1:eth2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct world w;

		world_init(&w);
		world_set_lines(&w, rows[i].facts);
		world_run(&w, 15);
		if (strcmp(nth(&w, 0)->check->id, "slow-receiver") != 0 || strcmp(nth(&w, 0)->where, rows[i].first) != 0)
			world_fail(&w, rows[i].first);
		world_done(&w);
	}
}

/* ECN of a port is of what leaves by it: it does not stop who sends into it. */
static void what_a_storm_stops_is_not_laid_to_a_setting_beside_it(void **state)
{
	const struct finding *paused;
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, storm);
	world_set_lines(&w, "leaf1 ethernet1/1/1 ecn.on[3] = no\nnode1 eth2 pfc.rx_us[3] = 900000\n");
	world_run(&w, 15);
	paused = world_finding(&w, "not-paused", "node1:eth2");
	if (!paused || !paused->cause || strcmp(paused->cause->check->id, "pause-storm") != 0)
		world_fail(&w, "not because of the storm");
	assert_null(world_finding(&w, "ecn-on", "leaf1")->cause);
	world_done(&w);
}

/* A host that pauses all of the time is judged as a storm, and never as a slow receiver beside it: one root. */
static void a_host_that_storms_is_no_slow_receiver_beside_it(void **state)
{
	static const char *const watchdogs[] = { "", "leaf2 Ethernet4 pfc.storm[3] = 1\n", "node1 eth3 storm.err = 1\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(watchdogs) / sizeof(*watchdogs); i++) {
		const struct finding *paused;
		struct world w;

		world_init(&w);
		world_set_lines(&w, storm);
		world_set_lines(&w, watchdogs[i]);
		world_run(&w, 15);
		paused = world_finding(&w, "not-paused", "leaf2:Ethernet4");
		if (world_finding(&w, "slow-receiver", "node1:eth3"))
			world_fail(&w, "a slow receiver of its own");
		if (!paused || !paused->cause || strcmp(paused->cause->check->id, "pause-storm") != 0)
			world_fail(&w, "paused for another reason");
		world_done(&w);
	}
}

/* Its switch answers late, so that the storm is not judged: what pauses all of the time is still no slow receiver. */
static void a_storm_that_cannot_be_judged_is_no_slow_receiver(void **state)
{
	const struct finding *open;
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, storm);
	world_set(&w, "leaf2 Ethernet4 up = unknown \"timeout\"");
	world_run(&w, 15);
	open = world_finding(&w, "pause-storm", "node1:eth3");
	if (!open || open->verdict != VERDICT_UNKNOWN)
		world_fail(&w, "the storm is not unknown, though its link may be down");
	if (world_finding(&w, "slow-receiver", "node1:eth3"))
		world_fail(&w, "a slow receiver");
	world_done(&w);
}

/* One that pauses most of the time since a sample ago may be a storm that began within it. */
static void a_pause_that_has_just_begun_is_no_slow_receiver_yet(void **state)
{
	const struct finding *slow;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	world_set_lines(&w, "node1 eth3 pfc.tx_us[3] = 800000\n");
	world_run(&w, 2);
	slow = world_finding(&w, "slow-receiver", "node1:eth3");
	if (slow && slow->verdict >= VERDICT_LOOK)
		world_fail(&w, "a slow receiver at once");
	world_run(&w, 8);
	slow = world_finding(&w, "slow-receiver", "node1:eth3");
	if (!slow || slow->verdict < VERDICT_WARN)
		world_fail(&w, "no slow receiver");
	world_done(&w);
}

static void the_worst_comes_first_and_then_the_first_false_step(void **state)
{
	const struct finding *const *list;
	struct world w;
	size_t n;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth3 ecn.np[3] = no\nnode1 eth2 ecn.np[3] = no\nnode1 eth2 trust = pcp\nnode1 eth2 dcbx = fw\n");
	world_run(&w, 3);
	n = findings_open(w.findings, &list);
	assert_true(n >= 4);
	for (size_t i = 1; i < n; i++) {
		assert_true(list[i - 1]->verdict >= list[i]->verdict);
		if (list[i - 1]->verdict == list[i]->verdict && list[i - 1]->depth == list[i]->depth)
			assert_true(list[i - 1]->check->step <= list[i]->check->step);
	}
	assert_string_equal(list[0]->check->id, "trust-as-wanted");
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stopped_link_comes_before_a_setting_that_harms_nothing_yet),
		cmocka_unit_test(what_loses_packets_comes_before_what_stops_them),
		cmocka_unit_test(what_follows_counts_for_its_root),
		cmocka_unit_test(a_warning_that_losses_follow_from_stands_above_another_failure),
		cmocka_unit_test(gaps_of_a_job_that_does_not_mark_follow_from_that),
		cmocka_unit_test(of_two_that_hold_links_the_one_that_holds_much_more_is_first),
		cmocka_unit_test(what_a_storm_stops_is_not_laid_to_a_setting_beside_it),
		cmocka_unit_test(a_host_that_storms_is_no_slow_receiver_beside_it),
		cmocka_unit_test(a_storm_that_cannot_be_judged_is_no_slow_receiver),
		cmocka_unit_test(a_pause_that_has_just_begun_is_no_slow_receiver_yet),
		cmocka_unit_test(the_worst_comes_first_and_then_the_first_false_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
