/* From facts to a test's command, and from counters to what was seen: each test runs in the class that the policy wants lossless. */
#include <stdio.h>
#include <string.h>

#include "core/bringup/traffic.h"
#include "tests/lib/world.h"

static const struct port *nic(const struct world *w)
{
	return model_find_port(w->model, "node1", "eth2");
}

static void join(const struct bringup_command *c, char *out, size_t size)
{
	*out = '\0';
	for (const char *const *w = c->words; *w; w++)
		snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? " " : "", *w);
}

static void a_bandwidth_test_carries_the_class_of_the_policy(void **state)
{
	const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536, .round_trips = 10000 };
	struct bringup_tester t;
	struct bringup_command c;
	struct bringup_class class;
	char why[BRINGUP_WORDS], text[256];
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 gid.index = 3");
	world_run(&w, 5);
	assert_true(bringup_tester_read(w.model, nic(&w), &t, why));
	assert_true(bringup_class_read(w.policy, nic(&w), &w.inventory, &class));
	assert_int_equal(class.tos, 106);
	assert_int_equal(class.priority, 3);
	bringup_command(BRINGUP_WRITE_BW, false, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "ib_write_bw -d mlx5_2 -i 1 -x 3 -F --tclass=106 --report_gbits -q 4 -s 65536 -D 10");
	bringup_command(BRINGUP_WRITE_LAT, false, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "ib_write_lat -d mlx5_2 -i 1 -x 3 -F --tclass=106 -s 8 -n 10000");
	bringup_command(BRINGUP_RPING, false, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "rping -c -C 10 -v");	/* the runner adds the addresses */
	bringup_command(BRINGUP_RPING, true, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "rping -s -C 10 -v");
	bringup_command(BRINGUP_PINGPONG, false, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "ibv_rc_pingpong -d mlx5_2 -i 1 -g 3");
	bringup_command(BRINGUP_STREAM, false, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "iperf3 -u -b 0 -S 0 -i 0 -J -t 10");
	bringup_command(BRINGUP_STREAM, true, &t, &class, &load, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "iperf3 -s -1");
	assert_int_equal(t.mtu, 4096);
	assert_true(t.line_bps > 0 && t.pcie_bps > t.line_bps);
	world_done(&w);
}

/* Its CPU limits a software device, and no line rate: it gets little to do, and nothing to be measured against. */
static void a_software_device_is_loaded_lightly(void **state)
{
	const struct bringup_load load = { .seconds = 10, .qps = 4, .message = 65536 };
	const struct bringup_class class = { .tos = 106, .priority = 3 };
	struct bringup_load between;
	struct bringup_tester t, hard = { 0 };
	struct bringup_command c;
	char why[BRINGUP_WORDS], text[256];
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 gid.index = 3");
	world_set(&w, "node1 eth2 rdma.soft = yes");
	world_run(&w, 5);
	assert_true(bringup_tester_read(w.model, nic(&w), &t, why));
	assert_true(t.is_soft && t.line_bps == 0 && t.pcie_bps == 0);
	between = bringup_load_between(&load, &hard, &t);	/* both ends have to be told the same */
	bringup_command(BRINGUP_WRITE_BW, false, &t, &class, &between, &c);
	join(&c, text, sizeof(text));
	assert_string_equal(text, "ib_write_bw -d mlx5_2 -i 1 -x 3 -F --tclass=106 --report_gbits -q 1 -s 65536 -t 8 -D 10");
	between = bringup_load_between(&load, &hard, &hard);
	assert_int_equal(between.qps, 4);
	assert_int_equal(between.depth, 0);
	world_done(&w);
}

static void what_is_missing_is_named(void **state)
{
	static const struct {
		const char *drop, *set, *why;
	} rows[] = {
		{ "node1 eth2 rdma", NULL, "its RDMA device is not known" },
		{ "node1 eth2 gid.index", NULL, "no RoCE v2 GID with an address is known" },
		{ NULL, "node1 eth2 rdma.state = down", "mlx5_2 is not active" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_tester t;
		char why[BRINGUP_WORDS] = "";
		struct world w;

		world_init(&w);
		world_set(&w, "node1 eth2 gid.index = 3");
		if (rows[i].set)
			world_set(&w, rows[i].set);
		if (rows[i].drop)
			world_drop(&w, rows[i].drop);
		world_run(&w, 5);
		assert_false(bringup_tester_read(w.model, nic(&w), &t, why));
		assert_string_equal(why, rows[i].why);
		world_done(&w);
	}
}

/* Without a ToS for RDMA the DSCP of a lossless priority is taken; a policy that wants nothing lossless has no class to test. */
static void the_class_follows_the_policy(void **state)
{
	static const struct {
		const char *policy;
		bool has_class;
		unsigned tos, priority;
	} rows[] = {
		{ "name a\n* * dscp.prio[24,26] = 3\n* * pfc.on[3] = yes\n", true, 26 << 2 | 2, 3 },
		{ "name b\nhost * tos.cma = 184\n* * dscp.prio[46] = 5\n* * pfc.on[5] = yes\n", true, 184, 5 },
		{ "name c\nhost * tos.cma = 106\n* * dscp.prio[26] = 3\n* * dscp.prio[40] = 5\n* * pfc.on[5] = yes\n", true, 40 << 2 | 2, 5 },
		{ "name d\n* * dscp.prio[26] = 3\n* * pfc.on[0-7] = no\n", false, 0, 0 },
		{ "name e\nhost * mtu = 9000\n", false, 0, 0 },
	};
	struct world w;
	struct err err;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct policy *p = policy_read(span_of(rows[i].policy), "a test", &err);
		struct bringup_class c = { 0 };

		assert_non_null(p);
		assert_int_equal(bringup_class_read(p, nic(&w), &w.inventory, &c), rows[i].has_class);
		assert_int_equal(c.tos, rows[i].tos);
		assert_int_equal(c.priority, rows[i].priority);
		policy_free(p);
	}
	world_done(&w);
}

static void counters_are_compared_and_absent_is_not_zero(void **state)
{
	struct bringup_seen before, after, seen;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 tx.bytes[3] = 1000000");
	world_run(&w, 5);
	bringup_seen_read(w.model, nic(&w), 3, BRINGUP_SENDER, &before);
	world_run(&w, 4);
	bringup_seen_read(w.model, nic(&w), 3, BRINGUP_SENDER, &after);
	seen = bringup_seen_since(&before, &after);
	assert_true(seen.class_bytes.is_known);
	assert_int_equal(seen.class_bytes.n, 4000000);
	assert_true(seen.all_bytes.is_known && seen.all_bytes.n >= seen.class_bytes.n);
	assert_false(seen.gaps.is_known);	/* the receiver's */
	seen = bringup_seen_since(&after, &before);	/* a counter that was reset */
	assert_false(seen.class_bytes.is_known);
	world_drop(&w, "node1 eth2 tx.bytes[3]");
	world_run(&w, 400);
	bringup_seen_read(w.model, nic(&w), 3, BRINGUP_SENDER, &after);
	assert_false(bringup_seen_since(&before, &after).class_bytes.is_known);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bandwidth_test_carries_the_class_of_the_policy),
		cmocka_unit_test(a_software_device_is_loaded_lightly),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(the_class_follows_the_policy),
		cmocka_unit_test(counters_are_compared_and_absent_is_not_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
