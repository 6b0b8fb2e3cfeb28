/* Which port faces which: by LLDP names, by MACs, by the plan, and where they disagree. */
#include "core/fabric/link.h"

#include <stdio.h>

#include "tests/lib/say.h"

static const char host_sees[] =
	"node1 platform = \"linux\"\n"
	"node1 eth2 rdma = \"mlx5_0\"\n"
	"node1 eth2 mac = \"00:00:00:00:01:02\"\n"
	"node1 eth2 peer.name = \"leaf1\"\n"
	"node1 eth2 peer.port = \"ethernet1/1/1\"\n";

static struct links joined(const struct model *m, const struct inventory *inv)
{
	struct links links = { 0 };

	links_update(&links, m, inv);
	return links;
}

static void two_ends_that_see_each_other_are_a_link(void **state)
{
	struct model *m = model_saying(host_sees, SECOND);
	struct links links;

	(void)state;
	model_say(m, "leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 peer.mac = \"00:00:00:00:01:02\"\n", SECOND);
	links = joined(m, NULL);
	assert_int_equal(links.n, 1);
	assert_string_equal(links.list[0].name, "node1:eth2 - leaf1:ethernet1/1/1");
	assert_int_equal(links.list[0].by, BY_LLDP_BOTH);
	assert_true(links.list[0].is_fabric);
	assert_null(links.list[0].planned_peer);
	assert_ptr_equal(link_far(&links.list[0], links.list[0].a), links.list[0].b);
	assert_ptr_equal(links_of_port(&links, links.list[0].b), &links.list[0]);
	links_done(&links);
	model_free(m);
}

static void the_host_stands_left_whatever_was_said_first(void **state)
{
	struct model *m = model_saying("leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 up = yes\n", SECOND);
	struct links links;

	(void)state;
	model_say(m, host_sees, SECOND);
	links = joined(m, NULL);
	assert_int_equal(links.n, 1);
	assert_string_equal(links.list[0].a->device->name, "node1");
	assert_int_equal(links.list[0].by, BY_LLDP_ONE);
	links_done(&links);
	model_free(m);
}

static void names_of_one_port_are_written_in_many_ways(void **state)
{
	static const char *const ways[] = { "Ethernet 1/1/1", "Eth 1/1/1", "Eth1/1/1", "ethernet1/1/1" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = model_saying("leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 up = yes\n"
					       "leaf1 ethernet1/1/11 up = yes\n", SECOND);
		char facts[300];
		struct links links;

		snprintf(facts, sizeof(facts), "node1 eth2 rdma = \"mlx5_0\"\nnode1 eth2 peer.name = \"LEAF1.dc.example\"\n"
			 "node1 eth2 peer.port = \"%s\"\n", ways[i]);
		model_say(m, facts, SECOND);
		links = joined(m, NULL);
		assert_string_equal(links.list[0].name, "node1:eth2 - leaf1:ethernet1/1/1");
		links_done(&links);
		model_free(m);
	}
}

static void a_sonic_alias_is_the_port_too(void **state)
{
	struct model *m = model_saying("leaf2 platform = \"sonic\"\nleaf2 Ethernet4 alias = \"etp2\"\n", SECOND);
	struct links links;

	(void)state;
	model_say(m, "node1 eth2 peer.name = \"leaf2\"\nnode1 eth2 peer.port = \"etp2\"\n", SECOND);
	links = joined(m, NULL);
	assert_string_equal(links.list[0].name, "node1:eth2 - leaf2:Ethernet4");
	assert_false(links.list[0].is_fabric);	/* no RDMA there */
	links_done(&links);
	model_free(m);
}

static void an_alias_that_was_not_read_parts_no_two_ends(void **state)
{
	struct model *m = model_saying("leaf2 platform = \"sonic\"\n"
				       "leaf2 Ethernet16 peer.name = \"spine1\"\nleaf2 Ethernet16 peer.port = \"ethernet1/1/2\"\n"
				       "leaf2 Ethernet20 peer.name = \"spine1\"\nleaf2 Ethernet20 peer.port = \"ethernet1/1/3\"\n", SECOND);
	struct links links;

	(void)state;
	model_say(m, "spine1 platform = \"os10\"\nspine1 ethernet1/1/2 peer.name = \"leaf2\"\nspine1 ethernet1/1/2 peer.port = \"etp5\"\n"
		  "spine1 ethernet1/1/3 peer.name = \"leaf9\"\nspine1 ethernet1/1/3 peer.port = \"etp1\"\n", SECOND);
	links = joined(m, NULL);
	assert_int_equal(links.n, 3);
	assert_string_equal(links.list[0].name, "leaf2:Ethernet16 - spine1:ethernet1/1/2");
	assert_null(links.list[1].b);		/* its far end sees another device */
	assert_null(links.list[2].b);
	links_done(&links);
	model_free(m);
}

static void a_hostname_two_switches_share_joins_nothing(void **state)
{
	struct model *m = model_saying("leaf1 hostname = \"OS10\"\nleaf1 ethernet1/1/1 up = yes\n", SECOND);
	struct links links;

	(void)state;
	model_say(m, "leaf2 hostname = \"OS10\"\nleaf2 ethernet1/1/1 up = yes\n", SECOND);
	model_say(m, "node1 eth2 peer.name = \"OS10\"\nnode1 eth2 peer.port = \"ethernet1/1/1\"\n", SECOND);
	links = joined(m, NULL);
	assert_int_equal(links.n, 1);
	assert_null(links.list[0].b);
	assert_int_equal(links.list[0].by, BY_NOTHING);
	assert_string_equal(links.list[0].seen_peer, "OS10 ethernet1/1/1");
	links_done(&links);
	model_free(m);
}

static void a_bond_lends_its_mac_to_its_members_and_still_they_are_told_apart(void **state)
{
	struct model *m = model_saying("node1 bond0 role = bond\nnode1 bond0 mac = \"00:00:00:00:01:02\"\n"
				       "node1 eth2 role = member\nnode1 eth2 mac = \"00:00:00:00:01:02\"\n", SECOND);
	struct links links;

	(void)state;
	model_say(m, "leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 peer.mac = \"00:00:00:00:01:02\"\n", SECOND);
	links = joined(m, NULL);
	assert_string_equal(links.list[0].name, "node1:eth2 - leaf1:ethernet1/1/1");
	assert_int_equal(links.list[0].by, BY_MAC);
	links_done(&links);
	model_free(m);
}

static struct inventory planning(struct cable *cable, struct host *hosts, size_t n_hosts)
{
	return (struct inventory){ .hosts = hosts, .n_hosts = n_hosts, .cables = cable, .n_cables = 1 };
}

static void a_cable_in_another_hole_than_planned_says_both(void **state)
{
	struct cable cable = { "node1", "eth2", "leaf1", "ethernet1/1/2" };
	struct inventory inv = planning(&cable, NULL, 0);
	struct model *m = model_saying(host_sees, SECOND);
	struct links links;

	(void)state;
	model_say(m, "leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 up = yes\nleaf1 ethernet1/1/2 up = yes\n", SECOND);
	links = joined(m, &inv);
	assert_int_equal(links.n, 1);
	assert_string_equal(links.list[0].b->name, "ethernet1/1/1");
	assert_string_equal(links.list[0].planned_peer, "leaf1 ethernet1/1/2");
	links_done(&links);
	model_free(m);
}

static void the_plan_stands_in_where_nobody_speaks_lldp(void **state)
{
	struct host hosts[] = { { .name = "leaf1", .kind = "switch" } };
	struct cable cable = { "node1", "eth2", "leaf1", "ethernet1/1/1" };
	struct inventory inv = planning(&cable, hosts, 1);
	struct model *m = model_saying("node1 eth2 rdma = \"mlx5_0\"", SECOND);
	struct links links = { 0 };

	(void)state;
	links_update(&links, m, &inv);
	assert_int_equal(links.n, 1);
	assert_null(links.list[0].b);
	assert_string_equal(links.list[0].name, "node1:eth2 - leaf1 ethernet1/1/1");
	model_say(m, "leaf1 ethernet1/1/1 up = yes", SECOND);
	links_update(&links, m, &inv);
	assert_int_equal(links.n, 1);
	assert_int_equal(links.list[0].by, BY_PLAN);
	assert_non_null(links.list[0].b);
	assert_true(device_is_switch(links.list[0].b->device, &inv));
	links_done(&links);
	model_free(m);
}

static void names_count_as_people_count(void **state)
{
	(void)state;
	assert_true(natural_cmp("eth2", "eth10") < 0);
	assert_true(natural_cmp("ethernet1/1/9", "ethernet1/1/10") < 0);
	assert_true(natural_cmp("eth", "eth0") < 0);
	assert_int_equal(natural_cmp("eth2", "eth2"), 0);
	assert_true(natural_cmp("node99999999999999999999", "node99999999999999999998") > 0);
}

/* What each says of one fabric without LLDP, the links that follow, as "name by", and why. */
static const struct {
	const char *says[4], *links, *why;
} quiet_table[] = {
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"\nnode1 eth2 rdma = \"mlx5_0\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01\"" },
	  "node1:eth2 - leaf1:Ethernet0 fdb\n", "the switch learned the NIC's MAC" },
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01 02:00:00:00:99:99\"" },
	  "node1:eth2 - leaf1:Ethernet0 fdb\n", "a MAC that nobody of ours has may be a virtual function's" },
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"\nnode1 eth3 mac = \"02:00:00:00:00:03\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01 02:00:00:00:00:03\"" },
	  "", "two NICs at one port: it is an uplink, or a switch stands between" },
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01\"",
	    "leaf2 platform = \"sonic\"\nleaf2 Ethernet8 fdb = \"02:00:00:00:00:01\"" },
	  "", "one NIC at two ports: which is its own is not known" },
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01 +\"" },
	  "", "more MACs than are told" },
	{ { "node1 platform = \"linux\"\nnode1 eth2 mac = \"02:00:00:00:00:01\"",
	    "leaf1 platform = \"sonic\"\nleaf1 Ethernet0 fdb = \"02:00:00:00:00:01\"\nleaf1 Ethernet0 peer.name = \"leaf2\"" },
	  "leaf1:Ethernet0 - leaf2 nothing\n", "LLDP says another: it is believed" },
	{ { "a platform = \"linux\"\na management = \"eth0\"\na eth2 mac = \"02:00:00:00:00:0a\"\na eth2 neighbors = \"02:00:00:00:00:0b\"",
	    "b platform = \"linux\"\nb management = \"eth0\"\nb eth2 mac = \"02:00:00:00:00:0b\"" },
	  "a:eth2 - b:eth2 segment\n", "a has heard b, and nobody else" },
	{ { "a platform = \"linux\"\na eth2 mac = \"02:00:00:00:00:0a\"\na eth2 neighbors = \"02:00:00:00:00:0b\"",
	    "b platform = \"linux\"\nb management = \"eth0\"\nb eth2 mac = \"02:00:00:00:00:0b\"" },
	  "", "which interface of a is for management is not known" },
	{ { "a platform = \"linux\"\na management = \"eth2\"\na eth2 mac = \"02:00:00:00:00:0a\"\na eth2 neighbors = \"02:00:00:00:00:0b\"",
	    "b platform = \"linux\"\nb management = \"eth0\"\nb eth2 mac = \"02:00:00:00:00:0b\"" },
	  "", "never on the interface our session comes in by" },
	{ { "a platform = \"linux\"\na management = \"eth0\"\na eth2 mac = \"02:00:00:00:00:0a\"\na eth2 neighbors = \"02:00:00:00:00:0b\"",
	    "b platform = \"linux\"\nb management = \"eth0\"\nb eth2 mac = \"02:00:00:00:00:0b\"",
	    "c platform = \"linux\"\nc management = \"eth0\"\nc eth2 mac = \"02:00:00:00:00:0c\"\nc eth2 neighbors = \"02:00:00:00:00:0b\"" },
	  "", "three on one segment: a switch that is not read stands between" },
};

static void print_links(const struct links *links, struct buf *out)
{
	static const char *const by[] = { [BY_NOTHING] = "nothing", [BY_LLDP_BOTH] = "both", [BY_LLDP_ONE] = "one", [BY_MAC] = "mac",
					  [BY_FDB] = "fdb", [BY_PLAN] = "plan", [BY_SEGMENT] = "segment" };

	for (size_t i = 0; i < links->n; i++)
		buf_printf(out, "%s %s\n", links->list[i].name, by[links->list[i].by]);
}

static void without_lldp_the_fdb_names_a_port_and_neighbor_tables_a_segment(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(quiet_table) / sizeof(*quiet_table); i++) {
		struct model *m = model_new();
		struct buf text = { 0 };
		struct links links;

		for (size_t k = 0; k < 4 && quiet_table[i].says[k]; k++)
			model_say(m, quiet_table[i].says[k], SECOND);
		links = joined(m, NULL);
		print_links(&links, &text);
		if (strcmp(text.text ? text.text : "", quiet_table[i].links))
			fail_msg("%s: %snot %s", quiet_table[i].why, text.text ? text.text : "no link ", quiet_table[i].links);
		for (size_t k = 0; k < links.n; k++)	/* a segment is no cable: nobody may compare its two ends */
			if (links.list[k].by == BY_SEGMENT)
				assert_true(!links.list[k].b && links.list[k].beside &&
					    links_of_port(&links, links.list[k].beside) == &links.list[k] &&
					    !link_far(&links.list[k], links.list[k].a));
		links_done(&links);
		buf_done(&text);
		model_free(m);
	}
}

static void lldp_and_the_plan_are_preferred_to_a_segment(void **state)
{
	struct inventory inv = { 0 };
	struct cable cable = { "a", "eth2", "b", "eth2" };
	struct model *m = model_saying(quiet_table[6].says[0], SECOND);
	struct links links;

	(void)state;
	model_say(m, quiet_table[6].says[1], SECOND);
	inv.cables = &cable;
	inv.n_cables = 1;
	links = joined(m, &inv);
	assert_int_equal(links.n, 1);
	assert_int_equal(links.list[0].by, BY_PLAN);
	assert_non_null(links.list[0].b);
	links_done(&links);
	model_say(m, "b eth2 peer.name = \"a\"\nb eth2 peer.port = \"eth2\"", 2 * SECOND);
	links = joined(m, &inv);
	assert_int_equal(links.n, 1);
	assert_int_equal(links.list[0].by, BY_LLDP_ONE);
	links_done(&links);
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_ends_that_see_each_other_are_a_link),
		cmocka_unit_test(the_host_stands_left_whatever_was_said_first),
		cmocka_unit_test(names_of_one_port_are_written_in_many_ways),
		cmocka_unit_test(a_sonic_alias_is_the_port_too),
		cmocka_unit_test(an_alias_that_was_not_read_parts_no_two_ends),
		cmocka_unit_test(a_hostname_two_switches_share_joins_nothing),
		cmocka_unit_test(a_bond_lends_its_mac_to_its_members_and_still_they_are_told_apart),
		cmocka_unit_test(a_cable_in_another_hole_than_planned_says_both),
		cmocka_unit_test(the_plan_stands_in_where_nobody_speaks_lldp),
		cmocka_unit_test(names_count_as_people_count),
		cmocka_unit_test(without_lldp_the_fdb_names_a_port_and_neighbor_tables_a_segment),
		cmocka_unit_test(lldp_and_the_plan_are_preferred_to_a_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
