/* The stages of bring-up over a small fabric of written facts: what is true passes, what is false fails at its own layer, and what nobody
 * said is not known. */
#include <stdio.h>
#include <string.h>

#include "core/bringup/stage.h"
#include "tests/lib/world.h"

#define ALL ((1u << BRINGUP_STAGES) - 1)

static const struct port *nic(const struct world *w)
{
	return model_find_port(w->model, "node1", "eth2");
}

static const struct port *far(const struct world *w)
{
	return model_find_port(w->model, "leaf1", "ethernet1/1/1");
}

static const char *id_of(enum bringup_stage s)
{
	return s < BRINGUP_STAGES ? bringup_stage_table[s].id : "none";
}

static void each_row_names_checks_that_exist_each_in_one_stage(void **state)
{
	(void)state;
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		struct span ids = span_of(bringup_stage_table[s].checks), id;

		assert_int_equal(bringup_stage_find(span_of(bringup_stage_table[s].id)), s);
		while (span_word(&ids, &id)) {
			if (!bringup_stage_check(id))
				fail_msg("%s: there is no check %.*s", bringup_stage_table[s].id, (int)id.n, id.p);
			for (enum bringup_stage other = s + 1; other < BRINGUP_STAGES; other++)
				if (span_is_among(id, bringup_stage_table[other].checks))
					fail_msg("%.*s is in %s and in %s", (int)id.n, id.p, bringup_stage_table[s].id, bringup_stage_table[other].id);
		}
	}
	assert_int_equal(bringup_stage_find(SPAN("no-such")), BRINGUP_STAGES);
}

static void what_is_false_fails_at_its_own_layer(void **state)
{
	static const struct {
		const char *fact, *stage, *check, *device;
	} rows[] = {
		{ "node1 eth2 mtu = 1500", "mtu", "mtu-as-wanted", "node1" },
		{ "node1 eth2 trust = pcp", "qos", "trust-as-wanted", "node1" },
		{ "leaf1 ethernet1/1/1 pfc.on[3] = no", "qos", "pfc-on-where-wanted", "leaf1" },
		{ "leaf1 ethernet1/1/1 speed = 50G", "wire", "speed-same", NULL },
		{ "node1 eth2 dscp.prio[0] = 3", "qos", "best-effort-lossy", "node1" },
		{ "node1 eth2 prio.pg[3] = 0", "qos", "buffer-alone", "node1" },
		{ "leaf1 ethernet1/1/1 pfc.watchdog = no", "qos", "watchdog-on", "leaf1" },	/* a system may be silent about it; this one is not */
		{ "node1 eth2 tos.cma = 104", "qos", "tos-ecn", "node1" },
		{ "node1 eth2 up = no", "cabling", "link-up", "node1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_course c;
		struct bringup_answer a;
		enum bringup_stage s;
		struct world w;

		world_init(&w);
		world_set(&w, rows[i].fact);
		world_run(&w, 30);
		bringup_course_read(w.findings, nic(&w)->device, nic(&w), far(&w), ALL, &c);
		s = c.at;
		a = c.stages[s < BRINGUP_STAGES ? s : 0];
		if (strcmp(id_of(s), rows[i].stage) != 0 || a.state != BRINGUP_FAIL || strcmp(a.check->id, rows[i].check) != 0)
			fail_msg("%s: %s says %s, by %s", rows[i].fact, id_of(s), bringup_state_word(a.state), a.check ? a.check->id : "none");
		assert_true(!rows[i].device || !strcmp(a.device->name, rows[i].device));
		for (enum bringup_stage k = 0; k < BRINGUP_STAGES; k++)
			assert_true(k > s ? c.stages[k].state == BRINGUP_WAITS : k == s ? c.stages[k].state == BRINGUP_FAIL : c.stages[k].state < BRINGUP_FAIL);
		world_done(&w);
	}
}

/* Four more ports like node1's two. One that is unlike them fails at the stage of the setting that differs. */
static void what_differs_from_others_fails_at_the_layer_of_its_setting(void **state)
{
	static const struct {
		const char *fact, *stage, *check;
	} rows[] = {
		{ "firmware = \"20.1.1\"", "identity", "firmware-alike" }, { "fec = \"rs\"", "wire", "fleet-alike" },
		{ "rdma.mtu = 1024", "mtu", "fleet-alike" }, { "cc.rpg_ai_rate = 1000", "qos", "fleet-alike" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct world w;
		char text[300];

		world_init(&w);
		for (unsigned i = 2; i < 8; i++) {
			snprintf(text, sizeof(text), "node1 eth%u rdma = \"mlx5_%u\"\nnode1 eth%u speed = 100G\nnode1 eth%u role = pf\n"
				 "node1 eth%u driver = \"mlx5_core\"\nnode1 eth%u firmware = \"22.41.1000\"\nnode1 eth%u fec = \"off\"\nnode1 eth%u rdma.mtu = 4096\n"
				 "node1 eth%u cc.rpg_ai_rate = 5\n", i, i, i, i, i, i, i, i, i);
			world_set_lines(&w, text);
		}
		snprintf(text, sizeof(text), "node1 eth7 %s\n", rows[k].fact);
		world_set_lines(&w, text);
		world_run(&w, 3);
		assert_non_null(world_finding(&w, rows[k].check, "node1:eth7"));
		for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
			struct bringup_answer a;

			bringup_stage_ask(s, w.findings, model_find_port(w.model, "node1", "eth7"), NULL, &a);
			if ((a.state == BRINGUP_FAIL && !strcmp(a.check->id, rows[k].check)) != !strcmp(bringup_stage_table[s].id, rows[k].stage))
				fail_msg("%s: %s says %s", rows[k].fact, bringup_stage_table[s].id, bringup_state_word(a.state));
		}
		world_done(&w);
	}
}

/* Each stage of a healthy link passes, or is not known for a fact that this fabric does not tell; none fails. */
static void nothing_that_is_right_fails(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 30);
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		struct bringup_answer a;

		bringup_stage_ask(s, w.findings, nic(&w), far(&w), &a);
		print_message("%s: %s %s\n", bringup_stage_table[s].id, bringup_state_word(a.state), a.check ? a.check->id : "");
		assert_int_not_equal(a.state, BRINGUP_FAIL);
	}
	world_done(&w);
}

static void what_nobody_said_is_not_known(void **state)
{
	struct bringup_answer a;
	struct world w;

	(void)state;
	world_init(&w);
	world_drop(&w, "node1 eth2 trust");
	world_run(&w, 30);
	bringup_stage_ask(BRINGUP_QOS, w.findings, nic(&w), far(&w), &a);
	assert_int_equal(a.state, BRINGUP_UNKNOWN);
	assert_non_null(a.check);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_names_checks_that_exist_each_in_one_stage),
		cmocka_unit_test(what_is_false_fails_at_its_own_layer),
		cmocka_unit_test(what_differs_from_others_fails_at_the_layer_of_its_setting),
		cmocka_unit_test(nothing_that_is_right_fails),
		cmocka_unit_test(what_nobody_said_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
