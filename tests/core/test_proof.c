/* The proof of one cable: which step is the first that is false, and what is said of the steps after it. */
#include "core/diagnose/proof.h"
#include "tests/lib/world.h"

#include <stdlib.h>

#define LINK "node1:eth2 - leaf1:ethernet1/1/1"

struct story {
	struct world w;
	struct proof proof;
};

static void prove(struct story *s, const char *name)
{
	struct proof_of of = { s->w.model, &s->w.links, s->w.policy, &s->w.inventory };

	world_run(&s->w, 4);
	for (size_t i = 0; i < s->w.links.n; i++) {
		if (strncmp(s->w.links.list[i].name, name, strlen(name)))
			continue;
		proof_make(&s->proof, &of, &s->w.links.list[i]);
		return;
	}
	fail_msg("no link %s", name);
}

static void begin(struct story *s)
{
	*s = (struct story){ 0 };
	world_init(&s->w);
}

/* No program is seen on the host: then rdma_cm's default is what is known of the marking. */
static void begin_without_nccl(struct story *s)
{
	begin(s);
	world_drop(&s->w, "node1 app.tc");
	world_drop(&s->w, "node1 app.tc.set");
}

static void end(struct story *s)
{
	proof_done(&s->proof);
	world_done(&s->w);
}

static const struct proof_step *step(const struct story *s, enum proof_path_is is, const char *name, const char *device)
{
	const struct proof_path *path = &s->proof.paths[is];

	for (size_t i = path->first; i < path->first + path->n; i++) {
		const struct proof_step *step = &s->proof.steps[i];

		if (!strcmp(step->name, name) && step->at && !strcmp(step->at->device->name, device))
			return step;
	}
	fail_msg("no step %s at %s", name, device);
	return NULL;
}

static void assert_line(const struct story *s, enum proof_path_is is, const char *expected)
{
	struct buf line = { 0 };

	proof_line(&s->proof, &s->proof.paths[is], &line);
	assert_string_equal(line.text, expected);
	buf_done(&line);
}

static void assert_first_false(const struct story *s, enum proof_path_is is, const char *name, const char *device)
{
	const struct proof_path *path = &s->proof.paths[is];
	const struct proof_step *first;

	assert_int_equal(path->verdict, VERDICT_FAIL);
	first = &s->proof.steps[path->first_false];
	assert_string_equal(first->name, name);
	assert_string_equal(first->at->device->name, device);
	assert_true(first->is_first_false);
	for (size_t i = path->first; i < path->first_false; i++)
		assert_int_not_equal(s->proof.steps[i].given, PROOF_WOULD_BE);
	for (size_t i = path->first_false + 1; i < path->first + path->n; i++)
		assert_int_equal(s->proof.steps[i].given, PROOF_WOULD_BE);
}

static void a_healthy_cable_is_proven_in_both_directions_and_for_cnps(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	prove(&s, LINK);
	assert_line(&s, PROOF_DATA_OUT, "app 106 > dscp 26 > prio 3 > TC 3 == prio 3 > no-drop > q3");
	assert_line(&s, PROOF_DATA_IN, "q3 > ECN == prio 3 > no-drop > NP");
	assert_line(&s, PROOF_CNP_OUT, "dscp 48 > prio 6 > TC 6 > served == prio 6 > q6");
	assert_line(&s, PROOF_CNP_IN, "q6 > served == prio 6 > RP");
	assert_int_equal(s.proof.verdict, VERDICT_OK);
	end(&s);
}

/* A map's answer for what is wanted is no answer for what is sent, while that is not known or another. */
static void what_is_wanted_is_called_so_while_what_is_sent_is_not_known(void **state)
{
	static const struct {
		const char *fact;
		enum proof_path_is is;
		const char *in;
		enum proof_given given;
	} rows[] = {
		{ "node1 eth2 tos.cma = 106", PROOF_DATA_OUT, "DSCP 26", PROOF_STANDS },
		{ "node1 eth2 tos.cma = unknown \"not root\"", PROOF_DATA_OUT, "DSCP 26 (per policy)", PROOF_IF },
		{ "node1 eth2 tos.cma = 0", PROOF_DATA_OUT, "DSCP 26 (per policy)", PROOF_IF },
		{ "node1 eth2 tos.cma = 40", PROOF_DATA_OUT, "DSCP 26 (per policy)", PROOF_WOULD_BE },
		{ "node1 eth2 cnp.dscp = 48", PROOF_CNP_OUT, "DSCP 48", PROOF_STANDS },
		{ "node1 eth2 cnp.dscp = unknown \"not root\"", PROOF_CNP_OUT, "DSCP 48 (per policy)", PROOF_IF },
		{ "node1 eth2 cnp.dscp = 0", PROOF_CNP_OUT, "DSCP 48 (per policy)", PROOF_WOULD_BE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct story s;

		begin_without_nccl(&s);
		world_set(&s.w, rows[i].fact);
		prove(&s, LINK);
		assert_string_equal(step(&s, rows[i].is, "priority", "node1")->in, rows[i].in);
		assert_int_equal(step(&s, rows[i].is, "priority", "node1")->given, rows[i].given);
		end(&s);
	}
}

static void the_facts_of_a_step_are_those_it_was_read_from(void **state)
{
	const struct proof_step *trust;
	struct story s;

	(void)state;
	begin(&s);
	prove(&s, LINK);
	trust = step(&s, PROOF_DATA_OUT, "trust", "leaf1");
	assert_int_equal(trust->n_evidence, 1);
	assert_int_equal(trust->evidence[0].field, FIELD_TRUST);
	assert_string_equal(trust->evidence[0].port->device->name, "leaf1");
	assert_string_equal(step(&s, PROOF_DATA_OUT, "priority", "node1")->in, "DSCP 26");
	assert_string_equal(step(&s, PROOF_DATA_OUT, "priority", "node1")->out, "priority 3");
	end(&s);
}

/* What the policy judges by, and where a wrong setting is the first false step. */
static void each_wrong_setting_is_the_first_false_step_of_its_path(void **state)
{
	static const struct {
		const char *fact;
		enum proof_path_is path;
		const char *step, *device;
	} cases[] = {
		{ "node1 eth2 tos.cma = 96", PROOF_DATA_OUT, "ECN bits", "node1" },
		{ "node1 eth2 tos.cma = 104", PROOF_DATA_OUT, "ECN bits", "node1" },
		{ "node1 eth2 tos.cma = 107", PROOF_DATA_OUT, "ECN bits", "node1" },
		{ "node1 eth2 tos.cma = 2", PROOF_DATA_OUT, "DSCP", "node1" },
		{ "node1 eth2 tos.force = 10", PROOF_DATA_OUT, "DSCP", "node1" },
		{ "node1 eth2 trust = pcp", PROOF_DATA_OUT, "trust", "node1" },
		{ "node1 eth2 trust = pcp", PROOF_CNP_IN, "trust", "node1" },
		{ "node1 eth2 dscp.prio[26] = 0", PROOF_DATA_OUT, "priority", "node1" },
		{ "node1 eth2 prio.tc[3] = 0", PROOF_DATA_OUT, "class", "node1" },
		{ "node1 eth2 ets.share[3] = 0", PROOF_DATA_OUT, "scheduler", "node1" },
		{ "node1 eth2 pfc.on[3] = no", PROOF_DATA_OUT, "honors pause", "node1" },
		{ "node1 eth2 pfc.on[3] = no", PROOF_DATA_IN, "no-drop", "node1" },
		{ "node1 eth2 pause.rx = yes", PROOF_DATA_OUT, "honors pause", "node1" },
		{ "node1 eth2 mtu = 9300", PROOF_DATA_OUT, "wire", "node1" },
		{ "leaf1 ethernet1/1/1 trust = pcp", PROOF_DATA_OUT, "trust", "leaf1" },
		{ "leaf1 ethernet1/1/1 dscp.prio[26] = 1", PROOF_DATA_OUT, "priority", "leaf1" },
		{ "leaf1 ethernet1/1/1 pfc.on[3] = no", PROOF_DATA_OUT, "no-drop", "leaf1" },
		{ "leaf1 ethernet1/1/1 ecn.on[3] = no", PROOF_DATA_IN, "marking", "leaf1" },
		{ "leaf1 ethernet1/1/1 ecn.kmin[3] = 2000 KB", PROOF_DATA_IN, "marking", "leaf1" },
		{ "node1 eth2 ecn.np[3] = no", PROOF_DATA_IN, "sends CNPs", "node1" },
		{ "node1 eth2 ecn.rp[3] = no", PROOF_CNP_IN, "reacts to CNPs", "node1" },
		{ "node1 eth2 cnp.dscp = 0", PROOF_CNP_OUT, "CNP DSCP", "node1" },
		{ "node1 eth2 dscp.prio[48] = 3", PROOF_CNP_OUT, "priority", "node1" },
		{ "leaf1 ethernet1/1/1 dscp.prio[48] = 3", PROOF_CNP_OUT, "priority", "leaf1" },
		{ "leaf1 ethernet1/1/1 ets.share[6] = 0", PROOF_CNP_IN, "served", "leaf1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct story s;

		begin_without_nccl(&s);
		world_set(&s.w, cases[i].fact);
		prove(&s, LINK);
		assert_first_false(&s, cases[i].path, cases[i].step, cases[i].device);
		end(&s);
	}
}

static void what_comes_after_a_false_step_is_judged_as_if_it_were_right(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 eth2 trust = pcp");
	world_set(&s.w, "leaf1 ethernet1/1/1 pfc.on[3] = no");
	prove(&s, LINK);
	assert_line(&s, PROOF_DATA_OUT, "app 106 > dscp 26 > [trust pcp NO] > prio 3 > TC 3 == prio 3 > (drops no) > q3");
	assert_false(step(&s, PROOF_DATA_OUT, "no-drop", "leaf1")->is_first_false);
	end(&s);
}

static void a_marking_that_cannot_be_read_is_not_known_and_never_right(void **state)
{
	struct story s;

	(void)state;
	begin_without_nccl(&s);
	world_set(&s.w, "node1 eth2 tos.cma = 0");
	prove(&s, LINK);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->verdict, VERDICT_UNKNOWN);
	assert_non_null(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->settle);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "trust", "node1")->given, PROOF_IF);
	assert_int_equal(s.proof.paths[PROOF_DATA_OUT].verdict, VERDICT_UNKNOWN);
	world_set(&s.w, "node1 eth2 tos.cma = unknown \"not root\"");
	prove(&s, LINK);
	assert_non_null(strstr(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->missing, "not root"));
	end(&s);
}

/* What the policy wants was called proven where the step before it says that it is not known. */
static void what_follows_from_a_marking_that_is_not_known_is_not_known(void **state)
{
	struct story s;

	(void)state;
	begin_without_nccl(&s);
	world_set(&s.w, "node1 eth2 tos.cma = unknown \"not root\"");
	prove(&s, LINK);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->verdict, VERDICT_UNKNOWN);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "DSCP", "node1")->verdict, VERDICT_UNKNOWN);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "ECN bits", "node1")->verdict, VERDICT_UNKNOWN);
	assert_string_equal(step(&s, PROOF_DATA_OUT, "DSCP", "node1")->out, "");
	assert_int_equal(step(&s, PROOF_DATA_OUT, "priority", "node1")->verdict, VERDICT_OK);	/* the map itself was read */
	end(&s);
}

static void what_is_forced_wins_over_the_default(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 eth2 tos.cma = 0");
	world_set(&s.w, "node1 eth2 tos.force = 98");
	prove(&s, LINK);
	assert_string_equal(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->out, "ToS 98");
	assert_string_equal(step(&s, PROOF_DATA_OUT, "priority", "leaf1")->in, "DSCP 24");
	assert_int_equal(s.proof.verdict, VERDICT_OK);
	end(&s);
}

static void what_nccl_is_told_wins_over_the_default_that_is_not_its_own(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 app.tc = 98");
	world_set(&s.w, "node1 app.tc.set = yes");
	prove(&s, LINK);
	assert_string_equal(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->out, "ToS 98");
	assert_int_equal(s.proof.verdict, VERDICT_OK);
	world_drop(&s.w, "node1 app.tc");
	world_set(&s.w, "node1 app.tc.set = no");	/* NCCL marks nothing, whatever rdma_cm's default is */
	prove(&s, LINK);
	assert_first_false(&s, PROOF_DATA_OUT, "DSCP", "node1");
	world_set(&s.w, "node1 app.tc.set = unknown \"not root\"");
	prove(&s, LINK);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "app ToS", "node1")->verdict, VERDICT_UNKNOWN);
	world_set(&s.w, "node1 eth2 tos.force = 106");
	prove(&s, LINK);
	assert_int_equal(s.proof.verdict, VERDICT_OK);
	end(&s);
}

static void an_end_that_is_not_known_proves_nothing(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 eth2 peer.name = \"leaf77\"");
	world_drop(&s.w, "leaf1 ethernet1/1/1 peer.name");
	world_drop(&s.w, "leaf1 ethernet1/1/1 peer.mac");
	prove(&s, "node1:eth2");
	assert_null(s.proof.link->b);
	assert_int_equal(s.proof.verdict, VERDICT_UNKNOWN);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "class", "node1")->verdict, VERDICT_OK);
	for (size_t i = 0; i < s.proof.n_steps; i++)
		assert_true(s.proof.steps[i].at || s.proof.steps[i].verdict == VERDICT_UNKNOWN);
	end(&s);
}

static void a_port_of_many_that_does_not_mark_leaves_open_which_way_it_goes(void **state)
{
	const struct proof_step *beyond;
	struct story s;

	(void)state;
	begin(&s);
	world_link(&s.w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_link(&s.w, "node4", 2, "leaf1", "ethernet1/1/4");
	prove(&s, LINK);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "marking beyond", "leaf1")->verdict, VERDICT_OK);
	world_set(&s.w, "leaf1 ethernet1/1/3 ecn.on[3] = no");
	prove(&s, LINK);
	beyond = step(&s, PROOF_DATA_OUT, "marking beyond", "leaf1");
	assert_int_equal(beyond->verdict, VERDICT_UNKNOWN);
	assert_non_null(strstr(beyond->missing, "ethernet1/1/3"));
	world_set(&s.w, "leaf1 ethernet1/1/4 ecn.on[3] = no");
	prove(&s, LINK);
	assert_first_false(&s, PROOF_DATA_OUT, "marking beyond", "leaf1");
	end(&s);
}

/* The paths after it took the cable of the other port for their own. */
static void a_fault_at_another_port_leaves_the_wire_of_this_cable_its_own(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_link(&s.w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_set(&s.w, "leaf1 ethernet1/1/3 ecn.on[3] = no");
	world_set(&s.w, "leaf1 ethernet1/1/1 mtu = 1500");
	prove(&s, LINK);
	assert_int_equal(step(&s, PROOF_DATA_OUT, "wire", "node1")->verdict, VERDICT_FAIL);
	assert_int_equal(step(&s, PROOF_DATA_IN, "wire", "leaf1")->verdict, VERDICT_FAIL);
	assert_int_equal(step(&s, PROOF_CNP_OUT, "wire", "node1")->verdict, VERDICT_FAIL);
	end(&s);
}

static void with_any_one_setting_unsaid_nothing_becomes_false(void **state)
{
	struct story s;
	size_t n_unknown = 0;

	(void)state;
	begin(&s);
	for (size_t i = 0; i < s.w.n_facts; i++) {
		struct world_fact *f = &s.w.facts[i];

		if (f->is_counter || strstr(f->what, " peer.") || strstr(f->what, "mac") ||
		    (strncmp(f->what, "node1 eth2 ", 11) && strncmp(f->what, "leaf1 ethernet1/1/1 ", 20)))
			continue;
		f->is_gone = true;
		world_run(&s.w, 1);
		prove(&s, "node1:eth2");
		if (s.proof.verdict == VERDICT_FAIL)
			fail_msg("without \"%s\" the cable is said to be wrong", f->what);
		n_unknown += s.proof.verdict == VERDICT_UNKNOWN;
		f->is_gone = false;
	}
	assert_true(n_unknown > 20);
	end(&s);
}

static void a_link_without_rdma_is_not_proven_at_all(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 eth2 rdma.layer = infiniband");
	world_drop(&s.w, "node1 eth2 rdma");
	prove(&s, "node1:eth2");
	assert_int_equal(s.proof.verdict, VERDICT_NA);
	assert_non_null(s.proof.why);
	assert_int_equal(s.proof.n_steps, 0);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_cable_is_proven_in_both_directions_and_for_cnps),
		cmocka_unit_test(what_is_wanted_is_called_so_while_what_is_sent_is_not_known),
		cmocka_unit_test(the_facts_of_a_step_are_those_it_was_read_from),
		cmocka_unit_test(each_wrong_setting_is_the_first_false_step_of_its_path),
		cmocka_unit_test(what_comes_after_a_false_step_is_judged_as_if_it_were_right),
		cmocka_unit_test(a_marking_that_cannot_be_read_is_not_known_and_never_right),
		cmocka_unit_test(what_follows_from_a_marking_that_is_not_known_is_not_known),
		cmocka_unit_test(what_is_forced_wins_over_the_default),
		cmocka_unit_test(what_nccl_is_told_wins_over_the_default_that_is_not_its_own),
		cmocka_unit_test(an_end_that_is_not_known_proves_nothing),
		cmocka_unit_test(a_port_of_many_that_does_not_mark_leaves_open_which_way_it_goes),
		cmocka_unit_test(a_fault_at_another_port_leaves_the_wire_of_this_cable_its_own),
		cmocka_unit_test(with_any_one_setting_unsaid_nothing_becomes_false),
		cmocka_unit_test(a_link_without_rdma_is_not_proven_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
