/* The NICs of a rack: each that was read, each that is planned, and each host without either; none passes because nobody answered. */
#include <string.h>

#include "core/bringup/rack.h"
#include "tests/lib/world.h"

#define ALL ((1u << BRINGUP_STAGES) - 1)

static struct bringup_rack rack;

static const struct bringup_unit *unit(const char *host, const char *nic)
{
	for (size_t i = 0; i < rack.n; i++)
		if (!strcmp(rack.units[i].host, host) && (nic ? rack.units[i].nic && !strcmp(rack.units[i].nic, nic) : !rack.units[i].nic))
			return &rack.units[i];
	return NULL;
}

static void read_rack(const struct world *w, bool (*is_in)(const void *ctx, const char *host), unsigned wanted)
{
	const struct bringup_fabric f = { w->model, &w->links, &w->inventory, w->findings };

	bringup_rack_read(&rack, &f, is_in, NULL, wanted);
	assert_int_equal(rack.count[BRINGUP_PASS] + rack.count[BRINGUP_UNKNOWN] + rack.count[BRINGUP_FAIL], rack.n);
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		size_t all = 0;

		for (size_t i = 0; i < BRINGUP_STATES; i++)
			all += rack.stages[s][i];
		assert_int_equal(all, rack.n);
	}
}

static void each_nic_of_a_host_is_a_unit_with_its_far_end(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	assert_int_equal(rack.n, 3);
	assert_string_equal(rack.units[0].nic, "eth2");
	assert_string_equal(rack.units[1].nic, "eth3");
	assert_string_equal(unit("node1", "eth2")->peer, "leaf1");
	assert_string_equal(unit("node1", "eth2")->peer_port, "ethernet1/1/1");
	assert_string_equal(unit("node2", NULL)->words, "no fabric port was read");	/* of this world it is a host without ports */
	assert_int_equal(rack.count[BRINGUP_FAIL], 0);
	world_done(&w);
}

static void a_cable_between_two_hosts_has_a_unit_at_either_end(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_link(&w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_set_lines(&w, "node1 eth2 peer.name = \"node3\"\nnode1 eth2 peer.port = \"eth2\"\n"
			    "node3 eth2 peer.name = \"node1\"\nnode3 eth2 peer.port = \"eth2\"\n");
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	for (int i = 0; i < 2; i++) {
		const struct bringup_unit *u = unit(i ? "node3" : "node1", "eth2");

		assert_non_null(u);
		assert_string_equal(u->peer, i ? "node1" : "node3");
		assert_string_equal(u->peer_port, "eth2");
		assert_ptr_equal(u->far, unit(u->peer, "eth2")->port);
	}
	world_done(&w);
}

static void what_is_false_stops_its_own_unit(void **state)
{
	char why[BRINGUP_WHY_MAX];
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "leaf1 ethernet1/1/1 pfc.on[3] = no");
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	assert_int_equal(unit("node1", "eth2")->course.state, BRINGUP_FAIL);
	assert_int_equal(unit("node1", "eth2")->course.at, BRINGUP_QOS);
	assert_int_equal(rack.count[BRINGUP_FAIL], 1);
	assert_int_equal(rack.stages[BRINGUP_QOS][BRINGUP_FAIL], 1);
	assert_int_equal(unit("node1", "eth2")->course.stages[BRINGUP_RDMA].state, BRINGUP_WAITS);
	assert_string_equal(bringup_unit_finding(w.findings, unit("node1", "eth2"), BRINGUP_QOS)->check->id, "pfc-on-where-wanted");
	assert_string_equal(bringup_unit_why(w.findings, unit("node1", "eth2"), BRINGUP_QOS, why),
			    bringup_unit_finding(w.findings, unit("node1", "eth2"), BRINGUP_QOS)->what);
	read_rack(&w, NULL, 1u << BRINGUP_MTU);	/* asked of nothing else */
	assert_int_equal(rack.count[BRINGUP_PASS], 2);
	world_done(&w);
}

static void what_is_planned_and_was_not_read_is_not_known(void **state)
{
	static const char *const ends[][4] = { { "node1", "eth9", "leaf1", "ethernet1/1/9" }, { "leaf1", "ethernet1/1/7", "node1", "eth7" } };
	struct world w;
	struct err err;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < 2; i++)
		assert_true(inventory_add_cable(&w.inventory, ends[i], &err));
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	assert_int_equal(rack.n, 5);
	assert_int_equal(unit("node1", "eth9")->course.state, BRINGUP_UNKNOWN);
	assert_string_equal(unit("node1", "eth9")->words, "the plan names eth9, which was not read");
	assert_string_equal(unit("node1", "eth7")->peer_port, "ethernet1/1/7");
	world_done(&w);
}

static void a_host_that_says_nothing_is_there_and_not_known(void **state)
{
	struct world w;
	struct err err;

	(void)state;
	world_init(&w);
	assert_true(inventory_add_range(&w.inventory, "node[7-8]", &err));
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	assert_int_equal(rack.n, 5);
	for (unsigned i = 7; i < 9; i++) {
		const struct bringup_unit *u = unit(i == 7 ? "node7" : "node8", NULL);

		assert_non_null(u);
		assert_int_equal(u->course.state, BRINGUP_UNKNOWN);
		assert_int_equal(u->course.at, BRINGUP_REACH);
	}
	world_done(&w);
}

/* Neither failed nor not known, whoever counts it; what passes is not set aside. */
static void what_is_set_aside_is_skipped_and_counted_so(void **state)
{
	char why[BRINGUP_WHY_MAX];
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth3 trust = pcp");
	world_run(&w, 30);
	read_rack(&w, NULL, ALL);
	assert_int_equal(rack.count[BRINGUP_FAIL], 1);
	bringup_rack_skip(&rack, "node1", "eth3", "skipped by alice: optic on order");
	bringup_rack_skip(&rack, "node1", "eth2", "it passed");
	bringup_rack_skip(&rack, "node9", "eth2", "there is none");
	assert_int_equal(rack.count[BRINGUP_FAIL], 0);
	assert_int_equal(rack.count[BRINGUP_SKIPPED], 1);
	assert_int_equal(rack.stages[BRINGUP_QOS][BRINGUP_SKIPPED], 1);
	assert_int_equal(unit("node1", "eth2")->course.state, BRINGUP_PASS);
	assert_string_equal(bringup_unit_why(w.findings, unit("node1", "eth3"), BRINGUP_QOS, why), "skipped by alice: optic on order");
	assert_null(bringup_unit_remedy(w.findings, unit("node1", "eth3")));
	world_done(&w);
}

static bool is_node8(const void *ctx, const char *host)
{
	(void)ctx;
	return !strcmp(host, "node8");
}

static void only_those_asked_for_are_in_it(void **state)
{
	struct world w;
	struct err err;

	(void)state;
	world_init(&w);
	assert_true(inventory_add_range(&w.inventory, "node8", &err));
	world_run(&w, 30);
	read_rack(&w, is_node8, ALL);
	assert_int_equal(rack.n, 1);
	assert_non_null(unit("node8", NULL));
	world_done(&w);
}

static int end(void **state)
{
	(void)state;
	bringup_rack_done(&rack);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_nic_of_a_host_is_a_unit_with_its_far_end),
		cmocka_unit_test(a_cable_between_two_hosts_has_a_unit_at_either_end),
		cmocka_unit_test(what_is_false_stops_its_own_unit),
		cmocka_unit_test(what_is_planned_and_was_not_read_is_not_known),
		cmocka_unit_test(a_host_that_says_nothing_is_there_and_not_known),
		cmocka_unit_test(what_is_set_aside_is_skipped_and_counted_so),
		cmocka_unit_test(only_those_asked_for_are_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
