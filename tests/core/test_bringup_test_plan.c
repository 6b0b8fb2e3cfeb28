/* The tests of a rack, from facts: who is tested with whom, who is not and why, and what a result says with the counters beside it. */
#include <stdio.h>
#include <string.h>

#include "core/bringup/test_plan.h"
#include "tests/lib/world.h"

#define ALL ((1u << BRINGUP_STAGES) - 1)

static struct world w;
static struct bringup_rack rack;
static struct bringup_test_plan plan;

/* node1 and node3 have a NIC each on leaf1, and one on leaf2. */
static struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 1 };

static void begin(const char *fact)
{
	static const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	struct bringup_fabric f;

	world_init(&w);
	world_link(&w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_link(&w, "node3", 3, "leaf2", "Ethernet12");
	if (wishes.incast)
		world_link(&w, "node4", 2, "leaf1", "ethernet1/1/4");
	world_set_lines(&w, "node1 eth2 gid.index = 3\nnode1 eth3 gid.index = 3\nnode3 eth2 gid.index = 5\nnode3 eth3 gid.index = 3\n");
	if (fact)
		world_set_lines(&w, fact);
	world_run(&w, 20);
	f = (struct bringup_fabric){ w.model, &w.links, &w.inventory, w.findings };
	bringup_rack_read(&rack, &f, NULL, NULL, ALL);
	bringup_test_plan_make(&plan, &rack, &f, w.policy, &wishes, &load);
}

static void end(void)
{
	bringup_test_plan_done(&plan);
	bringup_rack_done(&rack);
	world_done(&w);
}

static const char *why_skipped(const char *host, const char *nic)
{
	for (size_t i = 0; i < plan.n_skips; i++)
		if (!strcmp(plan.skips[i].unit->host, host) && (!nic || !strcmp(plan.skips[i].unit->nic, nic)))
			return plan.skips[i].why;
	return "";
}

static void nics_of_a_leaf_test_each_other_both_ways(void **state)
{
	struct buf words = { 0 };

	(void)state;
	begin(NULL);
	assert_int_equal(plan.n, 4);
	assert_string_equal(why_skipped("node2", NULL), "it was not read");
	assert_int_equal(plan.schedule.n_rounds, 1);
	assert_int_equal(plan.schedule.n_flows, 4);
	for (size_t i = 0; i < plan.schedule.n_flows; i++) {
		const struct bringup_flow *flow = &plan.schedule.flows[i];
		const struct bringup_unit *a = plan.spots[flow->from].unit, *b = plan.spots[flow->to].unit;

		assert_string_equal(a->peer, b->peer);
		assert_int_not_equal(strcmp(a->host, b->host), 0);
	}
	bringup_test_plan_words(&plan, &words);
	assert_string_equal(words.text, "1 round, about 13 s; 4 NICs, at most 100 Gb/s each; ToS 106, priority 3");
	buf_done(&words);
	end();
}

/* What is told before a run counts each tool's rounds. */
static void each_pair_is_tested_by_each_tool(void **state)
{
	static const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 1,
						      .tools = 1u << BRINGUP_RPING | 1u << BRINGUP_WRITE_LAT };
	static const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	static const enum bringup_tool order[] = { BRINGUP_RPING, BRINGUP_WRITE_BW, BRINGUP_WRITE_LAT };
	static const size_t flows[] = { 4, 4, 2 };	/* a latency is of both directions */
	struct buf words = { 0 };
	struct bringup_fabric f;

	(void)state;
	begin(NULL);
	bringup_test_plan_done(&plan);
	f = (struct bringup_fabric){ w.model, &w.links, &w.inventory, w.findings };
	bringup_test_plan_make(&plan, &rack, &f, w.policy, &wishes, &load);
	assert_int_equal(plan.schedule.n_rounds, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(plan.schedule.rounds[i].kind, BRINGUP_SAME_LEAF);
		assert_int_equal(plan.schedule.rounds[i].tool, order[i]);
		assert_int_equal(plan.schedule.rounds[i].n, flows[i]);
	}
	bringup_test_plan_words(&plan, &words);
	assert_string_equal(words.text, "3 rounds, about 21 s; 4 NICs, at most 100 Gb/s each; ToS 106, priority 3");
	buf_done(&words);
	end();
}

static void what_fails_a_stage_is_not_tested(void **state)
{
	(void)state;
	begin("node3 eth2 trust = pcp\n");
	assert_int_equal(plan.n, 3);
	assert_string_equal(why_skipped("node3", "eth2"), "it fails at qos");
	assert_int_equal(plan.schedule.n_flows, 2);	/* those of leaf2; node1's partner on leaf1 is away */
	end();
	begin("- node3 eth3 gid.index\n");
	assert_string_equal(why_skipped("node3", "eth3"), "no RoCE v2 GID with an address is known");
	end();
}

/* node1 and node3 are cabled to each other: eth2 to eth2 and eth3 to eth3, and node3's far ends are not told. */
static const struct port *cabled_to(const char *host, const char *nic)
{
	return model_find_port(w.model, host, nic);
}

static void hosts_without_a_switch_test_along_their_cables(void **state)
{
	static const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 2 };
	static const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	struct bringup_fabric f;

	(void)state;
	begin(NULL);
	bringup_test_plan_done(&plan);
	for (size_t i = 0; i < rack.n; i++) {
		struct bringup_unit *u = &rack.units[i];

		if (u->nic)
			u->far = !strcmp(u->host, "node1") ? cabled_to("node3", u->nic) : NULL;
	}
	f = (struct bringup_fabric){ w.model, &w.links, &w.inventory, w.findings };
	bringup_test_plan_make(&plan, &rack, &f, w.policy, &wishes, &load);
	assert_int_equal(plan.schedule.n_flows, 4);
	for (size_t i = 0; i < plan.schedule.n_flows; i++) {
		const struct bringup_unit *a = plan.spots[plan.schedule.flows[i].from].unit, *b = plan.spots[plan.schedule.flows[i].to].unit;

		assert_string_equal(a->nic, b->nic);
		assert_string_not_equal(a->host, b->host);
	}
	end();
}

static void who_has_no_partner_is_not_tested_and_it_is_told(void **state)
{
	static const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 2 };
	static const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	struct bringup_fabric f;

	(void)state;
	begin("node3 eth2 trust = pcp\n");
	assert_string_equal(why_skipped("node1", "eth2"), "no NIC of another host on its leaf is tested");
	assert_string_equal(why_skipped("node1", "eth3"), "");
	bringup_test_plan_done(&plan);
	for (size_t i = 0; i < rack.n; i++)
		rack.units[i].far = NULL;
	f = (struct bringup_fabric){ w.model, &w.links, &w.inventory, w.findings };
	bringup_test_plan_make(&plan, &rack, &f, w.policy, &wishes, &load);
	assert_int_equal(plan.schedule.n_flows, 0);
	assert_string_equal(why_skipped("node1", "eth3"), "no partner: what it is cabled to is not known");
	end();
}

static void a_loopback_is_no_partner(void **state)
{
	static const struct bringup_wishes wishes = { .kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF, .loads = 2 };
	static const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	struct bringup_fabric f;

	(void)state;
	begin("node3 eth2 trust = pcp\n");
	bringup_test_plan_done(&plan);
	f = (struct bringup_fabric){ w.model, &w.links, &w.inventory, w.findings };
	bringup_test_plan_make(&plan, &rack, &f, w.policy, &wishes, &load);
	assert_true(plan.schedule.n_flows > 0);
	assert_string_equal(why_skipped("node1", "eth2"), "no NIC of another host on its leaf is tested");
	assert_string_equal(why_skipped("node1", "eth3"), "");
	end();
}

static size_t flows_of(const char *host, const char *nic)
{
	size_t n = 0;

	for (size_t i = 0; i < plan.schedule.n_flows; i++) {
		const struct bringup_unit *a = plan.spots[plan.schedule.flows[i].from].unit, *b = plan.spots[plan.schedule.flows[i].to].unit;

		n += (!strcmp(a->host, host) && !strcmp(a->nic, nic)) || (!strcmp(b->host, host) && !strcmp(b->nic, nic));
	}
	return n;
}

/* One NIC again: what the plan had for it, and what it failed in; each round of what is left holds its flows and no others. */
static void one_nic_again_is_in_every_flow(void **state)
{
	struct bringup_tests before = { 0 };
	struct bringup_evidence e;
	char why[BRINGUP_WORDS];
	size_t of_it, all = 0;

	(void)state;
	begin(NULL);
	of_it = flows_of("node1", "eth2");
	assert_true(of_it > 0 && of_it < plan.schedule.n_flows);
	bringup_flow_begin(&plan, plan.schedule.rounds[0].first, BRINGUP_SUSPECT, BRINGUP_WRITE_BW, &e);
	bringup_tests_add(&before, &e)->result.verdict = BRINGUP_FAILED;
	assert_true(bringup_test_plan_again(&plan, &before, "node1", "eth2", why));
	assert_true(plan.is_again);
	assert_int_equal(plan.schedule.n_flows, of_it + 1);
	assert_int_equal(flows_of("node1", "eth2"), of_it + 1);
	for (size_t r = 0; r < plan.schedule.n_rounds; r++) {
		assert_int_equal(plan.schedule.rounds[r].first, all);
		all += plan.schedule.rounds[r].n;
	}
	assert_int_equal(all, plan.schedule.n_flows);
	assert_false(bringup_test_plan_again(&plan, &before, "node9", "eth2", why));
	assert_string_equal(why, "it is not in the plan of tests");
	bringup_tests_done(&before);
	end();
}

static void evidence_begins_with_what_is_known_of_both_ends(void **state)
{
	struct bringup_evidence e;

	(void)state;
	begin(NULL);
	bringup_flow_begin(&plan, 0, BRINGUP_SAME_LEAF, BRINGUP_WRITE_LAT, &e);
	assert_string_equal(e.from.host, plan.spots[plan.schedule.flows[0].from].unit->host);
	assert_string_equal(e.to.host, plan.spots[plan.schedule.flows[0].to].unit->host);
	assert_int_equal(e.class.tos, 106);
	assert_int_equal(e.class.priority, 3);
	assert_true(e.line_bps == 100e9);
	assert_false(e.sent.all_bytes.is_known);
	assert_int_equal(e.tool, BRINGUP_WRITE_LAT);
	assert_string_equal(e.rail, "leaf1");	/* the inventory names no rail of it */
	assert_true(e.hops.is_known && e.hops.n == 1);
	bringup_evidence_done(&e);
	end();
}

/* Two send to one: whichever of the three is tested again, both send. */
static void an_incast_is_tested_again_as_a_whole(void **state)
{
	struct bringup_tests before = { 0 };
	struct buf words = { 0 };
	char why[BRINGUP_WORDS];
	size_t n = 0;

	(void)state;
	wishes.kinds |= 1u << BRINGUP_INCAST;
	wishes.incast = 4;
	begin("node4 eth2 gid.index = 3\n");
	assert_true(bringup_test_plan_again(&plan, &before, "node3", "eth2", why));
	for (size_t r = 0; r < plan.schedule.n_rounds; r++)
		n += plan.schedule.rounds[r].kind == BRINGUP_INCAST ? plan.schedule.rounds[r].n : 0;
	assert_int_equal(n, 2);
	bringup_test_plan_words(&plan, &words);
	assert_non_null(strstr(words.text, "; incast, up to 2 to 1"));
	buf_done(&words);
	end();
	wishes = (struct bringup_wishes){ .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 1 };
}

/* leaf1 and leaf2 are cabled to spine1; leaf3, with one NIC, to no switch that is known. */
static void links_between_the_switches_are_found_both_ways(void **state)
{
	static const char facts[] =
		"spine1 platform = \"sonic\"\nspine1 hostname = \"spine1\"\n"
		"spine1 Ethernet0 mtu = 9216\nspine1 Ethernet4 mtu = 9216\n"
		"leaf1 ethernet1/1/9 speed = 400000000000\nleaf1 ethernet1/1/9 peer.name = \"spine1\"\nleaf1 ethernet1/1/9 peer.port = \"Ethernet0\"\n"
		"leaf2 Ethernet40 peer.name = \"spine1\"\nleaf2 Ethernet40 peer.port = \"Ethernet4\"\n";
	struct buf words = { 0 };
	struct bringup_evidence e;

	(void)state;
	wishes = (struct bringup_wishes){ .kinds = 1u << BRINGUP_CROSS_LEAF, .loads = 1 };
	begin(facts);
	wishes = (struct bringup_wishes){ .kinds = 1u << BRINGUP_SAME_LEAF, .loads = 1 };
	assert_int_equal(plan.n_uplinks, 4);
	bringup_test_plan_words(&plan, &words);
	assert_non_null(strstr(words.text, " s, across leaves over 2 links between switches; 4 NICs"));
	bringup_uplink_begin(&plan, 0, w.model, &e);
	assert_string_equal(e.from.host, "leaf1");
	assert_string_equal(e.from.nic, "ethernet1/1/9");
	assert_string_equal(e.to.host, "spine1");
	assert_string_equal(e.to.nic, "Ethernet0");
	assert_true(e.line_bps == 400e9);
	assert_int_equal(e.class.priority, 3);
	bringup_evidence_done(&e);
	bringup_uplink_begin(&plan, 1, w.model, &e);
	assert_string_equal(e.from.host, "spine1");
	bringup_evidence_done(&e);
	buf_done(&words);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nics_of_a_leaf_test_each_other_both_ways),
		cmocka_unit_test(each_pair_is_tested_by_each_tool),
		cmocka_unit_test(what_fails_a_stage_is_not_tested),
		cmocka_unit_test(hosts_without_a_switch_test_along_their_cables),
		cmocka_unit_test(who_has_no_partner_is_not_tested_and_it_is_told),
		cmocka_unit_test(a_loopback_is_no_partner),
		cmocka_unit_test(evidence_begins_with_what_is_known_of_both_ends),
		cmocka_unit_test(one_nic_again_is_in_every_flow),
		cmocka_unit_test(an_incast_is_tested_again_as_a_whole),
		cmocka_unit_test(links_between_the_switches_are_found_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
