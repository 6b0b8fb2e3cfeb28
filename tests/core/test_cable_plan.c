/* The cable plan: as spreadsheets write it, what is wrong in it, and what the fabric has made of it. */
#include "core/fabric/cable_plan.h"

#include <stdio.h>

#include "core/judge/check.h"
#include "tests/lib/say.h"

static struct inventory read_plan(const char *text)
{
	struct inventory inv;
	struct err err = { "" };

	inventory_init(&inv);
	if (!cable_plan_read(&inv, span_of(text), "plan.csv", &err))
		fail_msg("%s", err.text);
	return inv;
}

static void assert_cable(const struct inventory *inv, size_t i, const char *text)
{
	const struct cable *c = &inv->cables[i];
	char is[300];

	assert_true(i < inv->n_cables);
	snprintf(is, sizeof(is), "%s %s %s %s", c->device, c->port, c->peer, c->peer_port);
	assert_string_equal(is, text);
}

static void a_plan_is_read_however_a_spreadsheet_wrote_it(void **state)
{
	static const char *const ways[] = {
		"device,port,peer,peer_port\nnode1,eth2,leaf1,ethernet1/1/1\n",
		"\xef\xbb\xbf" "Host;Interface;Switch;Switch Port\r\nnode1;eth2;leaf1;ethernet1/1/1\r\n",
		"# gpu-a, row 4\n\na_device\ta_port\tb_device\tb_port\nnode1\teth2\tleaf1\tethernet1/1/1",
		"Rack,\"Remote-Port\",\"Remote.Device\",Server,NIC,length_m\nR14,\"ethernet1/1/1\" , \"leaf1\",node1, eth2,5\n,,,,,\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct inventory inv = read_plan(ways[i]);

		assert_int_equal(inv.n_cables, 1);
		assert_cable(&inv, 0, "node1 eth2 leaf1 ethernet1/1/1");
		inventory_done(&inv);
	}
}

static void what_is_wrong_in_a_plan_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "", "p.csv: no heading" },
		{ "# nothing\n\n", "p.csv: no heading" },
		{ "device,port,peer\n", "p.csv:1: the header names no column for this" },
		{ "device,port,peer,peer_port\nnode1,eth2,,e1\n", "p.csv:2: this column is empty: peer" },
		{ "device,port,peer,peer_port\nnode1,eth2\n", "p.csv:2: this column is empty: peer" },
		{ "device,port,peer,peer_port\n\nnode1,\"eth2,leaf1,e1\n", "p.csv:3: a quote is not closed" },
		{ "device,port,peer,peer_port\n$(x),eth2,leaf1,e1\n", "p.csv:2: not a device name: $(x)" },
		{ "device,port,peer,peer_port\nnode1,eth2,leaf1,e1\nnode2,eth2,leaf1,e1\n",
		  "p.csv:3: leaf1 e1 is planned to connect to node2 eth2, but to node1 eth2 on line 2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct inventory inv;
		struct err err = { "" };

		inventory_init(&inv);
		assert_false(cable_plan_read(&inv, span_of(wrong[i].text), "p.csv", &err));
		if (!strstr(err.text, wrong[i].says))
			fail_msg("\"%s\" was expected, it says \"%s\"", wrong[i].says, err.text);
		inventory_done(&inv);
	}
}

static void garbage_is_refused_and_breaks_nothing(void **state)
{
	static const char alphabet[] = "device,port;peer\tpeer_port\n\r\"\"#node1,eth2,leaf1,e1\n\xef\xbb\xbf\0\xff";
	unsigned seed = 7;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		char text[200];
		struct inventory inv;
		struct err err;
		size_t n = 0;

		for (; n < sizeof(text); n++) {
			seed = seed * 1103515245 + 12345;
			text[n] = alphabet[(seed >> 16) % sizeof(alphabet)];
		}
		inventory_init(&inv);
		memcpy(text, "device,port,peer,peer_port\n", round % 2 ? 27 : 0);
		cable_plan_read(&inv, (struct span){ text, n }, "garbage", &err);
		inventory_done(&inv);
	}
}

static void a_cable_written_from_both_its_ends_is_one(void **state)
{
	struct inventory inv = read_plan("device,port,peer,peer_port\nnode1,eth2,leaf1,e1\nleaf1,e1,node1,eth2\n");

	(void)state;
	assert_int_equal(inv.n_cables, 1);
	inventory_done(&inv);
}

/* Two nodes at two leaves; each port sees what seen says. */
static struct model *fabric(const char *node1_eth2, const char *node1_eth3)
{
	struct model *m = model_saying("leaf1 platform = \"os10\"\nleaf1 e1 up = yes\nleaf1 e2 up = yes\nleaf1 e9 up = yes", SECOND);
	char facts[400];

	model_say(m, "leaf2 platform = \"os10\"\nleaf2 e1 up = yes\nleaf2 e2 up = yes", SECOND);
	snprintf(facts, sizeof(facts), "node1 platform = \"linux\"\nnode1 eth2 rdma = \"mlx5_0\"\nnode1 eth2 peer.name = \"%.5s\"\n"
		 "node1 eth2 peer.port = \"%s\"\nnode1 eth3 rdma = \"mlx5_1\"\nnode1 eth3 peer.name = \"%.5s\"\n"
		 "node1 eth3 peer.port = \"%s\"\n", node1_eth2, node1_eth2 + 6, node1_eth3, node1_eth3 + 6);
	model_say(m, facts, SECOND);
	return m;
}

static const char as_built[] = "device,port,peer,peer_port\nnode1,eth2,leaf1,e1\nnode1,eth3,leaf2,e1\nnode2,eth2,leaf1,e2\n";

static void two_cables_in_each_others_port_are_a_swap(void **state)
{
	struct inventory inv = read_plan(as_built);
	struct model *m = fabric("leaf2 e1", "leaf1 e1");
	struct links links = { 0 };

	(void)state;
	links_update(&links, m, &inv);
	assert_int_equal(links.n, 3);	/* and the one that only the plan knows */
	assert_ptr_equal(links.list[0].swapped, &links.list[1]);
	assert_ptr_equal(links.list[1].swapped, &links.list[0]);
	assert_string_equal(links.list[0].planned_peer, "leaf1 e1");
	assert_int_equal(links.planned[0].is, PLANNED_ELSEWHERE);
	assert_int_equal(links.planned[2].is, PLANNED_UNSEEN);
	links_done(&links);
	inventory_done(&inv);
	model_free(m);
}

static void one_cable_in_a_wrong_port_is_no_swap(void **state)
{
	struct inventory inv = read_plan(as_built);
	struct model *m = fabric("leaf1 e9", "leaf2 e1");
	struct links links = { 0 };

	(void)state;
	links_update(&links, m, &inv);
	assert_non_null(links.list[0].planned_peer);
	assert_null(links.list[0].swapped);
	assert_null(links.list[1].planned_peer);
	assert_int_equal(links.planned[0].is, PLANNED_ELSEWHERE);
	assert_int_equal(links.planned[1].is, PLANNED_SEEN);
	links_done(&links);
	inventory_done(&inv);
	model_free(m);
}

static void a_swap_is_found_at_both_cables_and_explains_them(void **state)
{
	struct inventory inv = read_plan(as_built);
	struct model *m = fabric("leaf2 e1", "leaf1 e1");
	struct policy *policy = policy_builtin("roce-lossless");
	struct findings *f = findings_new();
	const struct finding *const *list;
	struct links links = { 0 };
	size_t n, swaps = 0;

	(void)state;
	links_update(&links, m, &inv);
	findings_judge(f, m, &links, policy, &inv);
	n = findings_open(f, &list);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(list[i]->check->id, "cables-swapped")) {
			assert_non_null(strstr(list[i]->what, "node1:eth2"));
			assert_non_null(strstr(list[i]->what, "node1:eth3"));
			swaps++;
		}
		if (!strcmp(list[i]->check->id, "cabled-as-planned"))
			assert_string_equal(list[i]->cause->check->id, "cables-swapped");
	}
	assert_int_equal(swaps, 2);
	findings_free(f);
	policy_free(policy);
	links_done(&links);
	inventory_done(&inv);
	model_free(m);
}

static void the_plan_that_is_written_is_kept_to(void **state)
{
	struct inventory none = { 0 }, inv;
	struct model *m = fabric("leaf1 e1", "leaf2 e1");
	struct links links = { 0 };
	struct buf text = { 0 };

	(void)state;
	links_update(&links, m, &none);
	assert_int_equal(cable_plan_write(&links, &text), 2);
	assert_string_equal(text.text, "device,port,peer,peer_port\nnode1,eth2,leaf1,e1\nnode1,eth3,leaf2,e1\n");
	inv = read_plan(text.text);
	links_update(&links, m, &inv);
	assert_int_equal(links.n_planned, 2);
	for (size_t i = 0; i < links.n_planned; i++)
		assert_int_equal(links.planned[i].is, PLANNED_SEEN);
	buf_done(&text);
	links_done(&links);
	inventory_done(&inv);
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_is_read_however_a_spreadsheet_wrote_it),
		cmocka_unit_test(what_is_wrong_in_a_plan_is_told_with_its_line),
		cmocka_unit_test(garbage_is_refused_and_breaks_nothing),
		cmocka_unit_test(a_cable_written_from_both_its_ends_is_one),
		cmocka_unit_test(two_cables_in_each_others_port_are_a_swap),
		cmocka_unit_test(one_cable_in_a_wrong_port_is_no_swap),
		cmocka_unit_test(a_swap_is_found_at_both_cables_and_explains_them),
		cmocka_unit_test(the_plan_that_is_written_is_kept_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
