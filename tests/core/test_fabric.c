/* The whole fabric on one screen: the heat map of the Overview, who loses most, and the tree of what is connected. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/fabric/cable_plan.h"
#include "core/fabric/tree.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

static void view(const struct world *w, struct view_of *of)
{
	static uint64_t serial;

	*of = (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				.inventory = &w->inventory, .fabric = "gpu-a", .serial = ++serial };
}

static const char *shown(struct screen_test *t, struct stage *s, const struct world *w)
{
	struct view_of of;

	view(w, &of);
	stage_draw(s, screen_draw(t), &of);
	return screen_text(t);
}

static void press(struct stage *s, const struct world *w, const char *keys)
{
	for (; *keys; keys++) {
		struct view_of of;

		view(w, &of);
		stage_key(s, &of, *keys);
	}
}

static void assert_shows(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not on the screen:\n%s", what, text);
}

static void assert_lacks(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("\"%s\" is on the screen:\n%s", what, text);
}

static const char racks[] =
	"all:\n  children:\n"
	"    rack1:\n      hosts: {node1: {}, node3: {}, node4: {}}\n"
	"    rack2:\n      hosts: {node5: {}, node6: {}}\n"
	"    rail0:\n      hosts: {leaf1: {}}\n"
	"    rail1:\n      hosts: {leaf2: {}}\n"
	"    rail2:\n      hosts: {leaf3: {}}\n"
	"    rail3:\n      hosts: {leaf4: {}}\n"
	"    rail4:\n      hosts: {leaf5: {}}\n";

/* Five nodes on five rails, all well; healthy is what the world makes. */
static void fabric_init(struct world *w)
{
	static const unsigned nodes[] = { 1, 3, 4, 5, 6 };
	struct err err;

	world_init(w);
	for (unsigned i = 0; i < 5; i++) {
		for (unsigned rail = i ? 0 : 2; rail < 5; rail++) {
			char host[16], leaf[16], port[24];

			snprintf(host, sizeof(host), "node%u", nodes[i]);
			snprintf(leaf, sizeof(leaf), "leaf%u", rail + 1);
			snprintf(port, sizeof(port), rail == 1 ? "Ethernet%u" : "ethernet1/1/%u", rail == 1 ? 4 * (i + 1) : i + 1);
			if (rail != 1)
				world_link(w, host, rail + 2, leaf, port);
		}
	}
	if (!inventory_read(&w->inventory, span_of(racks), "racks.yml", &err))
		fail_msg("%s", err.text);
}

static void rows_are_rails_and_signs_are_nodes(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	fabric_init(&w);
	world_set(&w, "node4 eth2 trust = pcp");
	world_run(&w, 12);
	text = shown(t, &s, &w);
	assert_shows(text, "rail0 leaf1 [..!..] 4/5 ok, 1 critical  <- worst");
	assert_shows(text, "rail1 leaf2 [.    ] 1/1 ok");
	assert_shows(text, "rail2..4    [.....]x3 15/15 ok");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void each_kind_of_trouble_has_its_sign(void **state)
{
	static const struct {
		const char *fact, *row;
	} troubles[] = {
		{ "node5 eth2 up = no", "[...x.]" },	      { "node5 eth2 phy.err = 50", "[...E.]" },
		{ "node5 eth2 trust = pcp", "[...!.]" },      { "node5 eth2 pfc.rx_us[3] = 30000", "[...P.]" },
		{ "node5 eth2 trust = unknown \"no\"", "[...?.]" },
	};
	struct screen_test *t = screen_open(36, 120, true, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(troubles) / sizeof(*troubles); i++) {
		struct stage s = { 0 };
		struct world w;

		fabric_init(&w);
		world_set(&w, troubles[i].fact);
		world_run(&w, 12);
		assert_shows(shown(t, &s, &w), troubles[i].row);
		stage_done(&s);
		world_done(&w);
	}
	screen_close(t);
}

static void enter_on_the_map_opens_ports_on_what_is_under_it(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	fabric_init(&w);
	world_set(&w, "node4 eth2 trust = pcp");
	world_run(&w, 12);
	shown(t, &s, &w);
	press(&s, &w, "\t");
	assert_shows(shown(t, &s, &w), "> rail0 leaf1  worst: ! node4:eth2");
	press(&s, &w, "\n");
	assert_int_equal(s.screen, SCREEN_PORTS);
	text = shown(t, &s, &w);
	assert_shows(text, "node1:eth2");
	assert_shows(text, "node6:eth2");
	assert_lacks(text, "node4:eth4");
	press(&s, &w, "1lll");
	assert_shows(shown(t, &s, &w), "> rail0 leaf1 node4  ! node4:eth2");
	press(&s, &w, "x");
	assert_shows(shown(t, &s, &w), "trust = pcp");
	press(&s, &w, "q\n");
	text = shown(t, &s, &w);
	assert_shows(text, "node4:eth2");
	assert_lacks(text, "node1:eth2");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void tab_goes_through_the_panes_and_then_to_the_next_screen(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { 0 };
	struct world w;

	(void)state;
	fabric_init(&w);
	world_run(&w, 12);
	shown(t, &s, &w);
	press(&s, &w, "\t");
	assert_shows(shown(t, &s, &w), "> rail0");
	press(&s, &w, "\t");
	assert_shows(shown(t, &s, &w), "> Worst links");
	press(&s, &w, "j\n");
	assert_int_equal(s.screen, SCREEN_DETAIL);
	press(&s, &w, "q\t");
	assert_int_equal(s.screen, SCREEN_PORTS);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void who_loses_packets_stands_before_who_only_waits(void **state)
{
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { 0 };
	struct world w;
	const char *text;

	(void)state;
	fabric_init(&w);
	world_set(&w, "node3 eth2 pfc.rx_us[3] = 40000");
	world_set(&w, "node6 eth4 rx.drop[3] = 25");
	world_run(&w, 12);
	text = shown(t, &s, &w);
	assert_shows(text, "25/s");
	assert_true(strstr(text, "node6:eth4") < strstr(text, "node3:eth2"));
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void devices_that_were_not_read_are_told_in_a_line(void **state)
{
	struct screen_test *t = screen_open(24, 80, true, NULL);
	struct stage s = { 0 };
	struct world w;

	(void)state;
	fabric_init(&w);
	world_set(&w, "node5 state = refused");
	world_set(&w, "node5 error = \"host key changed\"");
	world_run(&w, 3);
	assert_shows(shown(t, &s, &w), "devices read; node5: host key changed");
	assert_shows(shown(t, &s, &w), "(9 opens it)");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

/* -- the tree -- */

static void plan(struct world *w, const char *rows)
{
	struct buf text = { 0 };
	struct err err;

	buf_printf(&text, "device,port,peer,peer_port\n%s", rows);
	if (!cable_plan_read(&w->inventory, buf_span(&text), "plan.csv", &err))
		fail_msg("%s", err.text);
	buf_done(&text);
}

static void the_tree_says_rack_device_port_and_what_the_plan_says(void **state)
{
	struct screen_test *t = screen_open(60, 200, true, NULL);
	struct stage s = { .screen = SCREEN_FABRIC };
	struct world w;
	const char *text;

	(void)state;
	fabric_init(&w);
	plan(&w, "node3,eth2,leaf1,ethernet1/1/3\nnode4,eth2,leaf1,ethernet1/1/2\nnode5,eth2,leaf1,ethernet1/1/9\n"
	     "node1,eth2,leaf1,ethernet1/1/1\nnode9,eth2,leaf9,e1\n");
	world_set(&w, "node6 eth9 peer.name = \"stranger\"");
	world_set(&w, "node6 eth9 peer.port = \"e7\"");
	world_run(&w, 3);
	text = shown(t, &s, &w);
	assert_shows(text, "Likely swaps");
	assert_shows(text, "swap ethernet1/1/2 and ethernet1/1/3 of leaf1");
	assert_shows(text, "Planned, not seen");
	assert_shows(text, "node9 eth2");
	assert_shows(text, "Unknown neighbors");
	assert_shows(text, "stranger e7, not read");
	assert_shows(text, "- rack1");
	assert_shows(text, "plan has leaf1 ethernet1/1/9");
	assert_shows(text, "swapped with node4 eth2");
	assert_shows(text, "as planned");
	assert_shows(text, "not in the plan");
	assert_shows(text, "LLDP both ends");
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void rows_fold_and_a_filter_sees_what_is_folded(void **state)
{
	struct screen_test *t = screen_open(60, 120, true, NULL);
	struct stage s = { .screen = SCREEN_FABRIC };
	struct world w;
	const char *text;

	(void)state;
	fabric_init(&w);
	world_run(&w, 3);
	assert_shows(shown(t, &s, &w), "- rack1");
	press(&s, &w, "h");
	text = shown(t, &s, &w);
	assert_shows(text, "+ rack1");
	assert_shows(text, "3 devices, 13 links");
	assert_lacks(text, "node3");
	press(&s, &w, "/node3\n");
	assert_shows(shown(t, &s, &w), "node3");
	press(&s, &w, "\033\n");
	assert_shows(shown(t, &s, &w), "- rack1");
	press(&s, &w, "jjj\n");
	assert_int_equal(s.screen, SCREEN_DETAIL);
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

static void a_spine_is_told_beside_the_leaf_that_reaches_it(void **state)
{
	struct world w;
	struct tree tree = { 0 };
	bool is_told = false;

	(void)state;
	fabric_init(&w);
	world_set(&w, "spine1 platform = \"os10\"");
	world_set(&w, "spine1 e1 peer.name = \"leaf1\"");
	world_set(&w, "spine1 e1 peer.port = \"ethernet1/1/31\"");
	world_set(&w, "leaf1 ethernet1/1/31 peer.name = \"spine1\"");
	world_set(&w, "leaf1 ethernet1/1/31 peer.port = \"e1\"");
	world_run(&w, 3);
	assert_true(tree_update(&tree, &w.links, w.model, &w.inventory));
	assert_false(tree_update(&tree, &w.links, w.model, &w.inventory));
	for (size_t i = 0; i < tree.n; i++) {
		const struct device *d = tree.rows[i].is == TREE_DEVICE ? tree.rows[i].device : NULL;

		assert_true(tree.rows[i].end > i && tree.rows[i].end <= tree.n);
		if (d && !strcmp(d->name, "leaf1")) {
			assert_string_equal(tree.ups[d->id], "spine1");
			is_told = true;
		}
	}
	assert_true(is_told);
	tree_done(&tree);
	world_done(&w);
}

/* -- size -- */

#define NODES 128
#define RAILS 8

static void say_large(struct model *m)
{
	struct buf text = { 0 };

	for (unsigned leaf = 0; leaf < RAILS; leaf++) {
		buf_clear(&text);
		buf_printf(&text, "leaf%u platform = \"os10\"\n", leaf + 1);
		for (unsigned n = 0; n < NODES; n++)
			buf_printf(&text, "leaf%u e%u peer.name = \"node%u\"\nleaf%u e%u peer.port = \"eth%u\"\n", leaf + 1, n + 1, n + 1,
				   leaf + 1, n + 1, leaf);
		model_say(m, text.text, SECOND);
	}
	for (unsigned n = 0; n < NODES; n++) {
		buf_clear(&text);
		buf_printf(&text, "node%u platform = \"linux\"\n", n + 1);
		for (unsigned r = 0; r < RAILS; r++)
			buf_printf(&text, "node%u eth%u rdma = \"mlx5_%u\"\nnode%u eth%u peer.name = \"leaf%u\"\nnode%u eth%u peer.port = \"e%u\"\n"
				   "node%u eth%u pfc.rx_us[3] = 5\n", n + 1, r, r, n + 1, r, r + 1, n + 1, r, n + 1, n + 1, r);
		model_say(m, text.text, SECOND);
	}
	buf_done(&text);
}

static void the_map_cursor_survives_a_narrower_screen(void **state)
{
	static const int widths[] = { 200, 60, 120, 80 };
	struct stage s = { 0 };
	struct world w = { .model = model_new(), .policy = policy_builtin("roce-lossless"), .findings = findings_new() };

	(void)state;
	say_large(w.model);
	model_set_now(w.model, 2 * SECOND);
	links_update(&w.links, w.model, &w.inventory);
	findings_judge(w.findings, w.model, &w.links, w.policy, &w.inventory);
	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct screen_test *t = screen_open(24, widths[i], true, NULL);
		const char *text;

		shown(t, &s, &w);
		if (!i)
			press(&s, &w, "\t");
		for (unsigned k = 0; k < 200; k++)
			press(&s, &w, "l");
		text = shown(t, &s, &w);
		assert_shows(text, "node128");
		screen_close(t);
	}
	stage_done(&s);
	world_done(&w);
}

static void a_thousand_links_fit_and_are_quick(void **state)
{
	static const enum screen_id ids[] = { SCREEN_OVERVIEW, SCREEN_FABRIC };
	struct screen_test *t = screen_open(36, 120, true, NULL);
	struct stage s = { 0 };
	struct timespec before, after;
	struct world w = { .model = model_new(), .policy = policy_builtin("roce-lossless"), .findings = findings_new() };
	const char *text;
	double ms;

	(void)state;
	say_large(w.model);
	model_set_now(w.model, 2 * SECOND);
	links_update(&w.links, w.model, &w.inventory);
	assert_int_equal(w.links.n, NODES * RAILS);
	findings_judge(w.findings, w.model, &w.links, w.policy, &w.inventory);
	text = shown(t, &s, &w);
	assert_shows(text, "4 per sign");
	assert_shows(text, "leaf8");
	s.screen = SCREEN_FABRIC;
	assert_shows(shown(t, &s, &w), "136 devices, 1024 links");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	for (unsigned i = 0; i < 40; i++) {
		s.screen = ids[i % 2];
		shown(t, &s, &w);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	ms = ((double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) / 1e6) / 40;
	printf("a frame of 1024 links: %.2f ms of CPU\n", ms);
	assert_true(ms < 100);	/* far above what is seen: this machine may be sanitized and busy */
	stage_done(&s);
	world_done(&w);
	screen_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_rails_and_signs_are_nodes),
		cmocka_unit_test(each_kind_of_trouble_has_its_sign),
		cmocka_unit_test(enter_on_the_map_opens_ports_on_what_is_under_it),
		cmocka_unit_test(tab_goes_through_the_panes_and_then_to_the_next_screen),
		cmocka_unit_test(who_loses_packets_stands_before_who_only_waits),
		cmocka_unit_test(devices_that_were_not_read_are_told_in_a_line),
		cmocka_unit_test(the_tree_says_rack_device_port_and_what_the_plan_says),
		cmocka_unit_test(rows_fold_and_a_filter_sees_what_is_folded),
		cmocka_unit_test(a_spine_is_told_beside_the_leaf_that_reaches_it),
		cmocka_unit_test(the_map_cursor_survives_a_narrower_screen),
		cmocka_unit_test(a_thousand_links_fit_and_are_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
