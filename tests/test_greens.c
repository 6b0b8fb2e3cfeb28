/* Wrong greens and false reds: a fabric that is ill in a way that looks well, and one that is well and looks ill. */
#include "core/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/world.h"

#define ETH2 "node1 eth2 "
#define LEAF1 "leaf1 ethernet1/1/1 "
#define LEAF2 "leaf2 Ethernet4 "

static const struct finding *needed(const struct world *w, const char *check, const char *where)
{
	const struct finding *f = world_finding(w, check, where);
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; !f && i < n; i++)
		print_message("%s %s %s: %s %s\n", verdict_name(list[i]->verdict), list[i]->check->id, list[i]->where,
			      list[i]->what, list[i]->missing);
	assert_non_null(f);
	return f;
}

static void says(const struct finding *f, enum verdict verdict, const char *words)
{
	assert_string_equal(verdict_name(f->verdict), verdict_name(verdict));
	if (!strstr(f->what, words))
		fail_msg("\"%s\" does not say \"%s\"", f->what, words);
}

/* Marking */

static void a_tos_that_says_congested_already_is_wrong(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "tos.cma = 107");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_FAIL, "congestion");
	world_set(&w, ETH2 "tos.cma = 105");	/* ECT(1) is as good as ECT(0) */
	world_run(&w, 3);
	assert_null(world_finding(&w, "tos-ecn", "node1:eth2"));
	world_done(&w);
}

/* Classes */

static void best_effort_in_the_queue_of_lossless_data_is_found(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "tc.queue[0] = 3");
	world_set(&w, ETH2 "prio.tc[0] = 3");
	world_run(&w, 3);
	says(needed(&w, "best-effort-lossy", "leaf2:Ethernet4"), VERDICT_WARN, "queue 3");
	says(needed(&w, "best-effort-lossy", "node1:eth2"), VERDICT_WARN, "class 3");
	world_done(&w);
}

/* Pause */

/* An E810 counts a pause of one priority for each priority of its class. */
static void priorities_that_an_e810_counts_in_unison_are_not_paused(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "driver = \"ice\"");
	world_set(&w, ETH2 "prio.tc[2] = 3");
	world_set(&w, ETH2 "pfc.rx[2] = 20");
	world_run(&w, 3);
	assert_null(world_finding(&w, "priority-quiet", "node1:eth2"));
	world_set(&w, ETH2 "prio.tc[2] = 2");	/* another class: its own pause */
	world_run(&w, 3);
	says(needed(&w, "priority-quiet", "node1:eth2"), VERDICT_WARN, "priority 2");
	world_done(&w);
}

static void a_queue_that_the_watchdog_stopped_before_we_came_is_found(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.stormed[3] = yes");	/* its count stands still */
	world_run(&w, 30);
	says(needed(&w, "watchdog-quiet", "leaf2:Ethernet4"), VERDICT_FAIL, "now");
	says(needed(&w, "pause-storm", "node1:eth3"), VERDICT_FAIL, "leaf2");
	world_set(&w, LEAF2 "pfc.stormed[3] = no");
	world_run(&w, 30);
	assert_null(world_finding(&w, "watchdog-quiet", "leaf2:Ethernet4"));
	world_done(&w);
}

static void the_watchdog_counts_by_queue(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "tc.queue[3] = 5");
	world_set(&w, LEAF2 "pfc.storm[5] = 1");
	world_run(&w, 3);
	needed(&w, "watchdog-quiet", "leaf2:Ethernet4");
	needed(&w, "pause-storm", "node1:eth3");
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tos_that_says_congested_already_is_wrong),
		cmocka_unit_test(best_effort_in_the_queue_of_lossless_data_is_found),
		cmocka_unit_test(priorities_that_an_e810_counts_in_unison_are_not_paused),
		cmocka_unit_test(a_queue_that_the_watchdog_stopped_before_we_came_is_found),
		cmocka_unit_test(the_watchdog_counts_by_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
