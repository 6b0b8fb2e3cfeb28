/* What was judged and what was not: no verdict is better than what it stands on. */
#include "core/judge/judged.h"

#include <stdio.h>

#include "core/fabric/cable_plan.h"
#include "tests/lib/world.h"

static void assert_words(const struct world *w, const char *words)
{
	struct judged j;
	struct buf text = { 0 };

	judged_make(&j, w->model, w->findings);
	judged_words(&j, 9, &text);
	if (!text.n || !strstr(text.text, words))
		fail_msg("not said: %s\nbut: %s", words, text.n ? text.text : "nothing");
	buf_done(&text);
	judged_done(&j);
}

static void a_healthy_fabric_is_judged_whole(void **state)
{
	struct world w;
	struct judged j;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	judged_make(&j, w.model, w.findings);
	assert_int_equal(j.n, 3);
	assert_int_equal(j.n_list, 1);		/* a host to compare with, not on the fabric */
	assert_string_equal(j.list[0].device->name, "node2");
	assert_false(judged_is_nothing(&j));
	judged_done(&j);
	world_done(&w);
}

static void a_host_without_rdma_is_named_with_the_reason_it_gave(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node9 platform = \"linux\"");
	world_set(&w, "node9 eth2 up = yes");
	world_set(&w, "node9 eth2 rdma = unknown \"no RDMA device on this host\"");
	world_run(&w, 5);
	assert_words(&w, "node9: no RDMA device on this host");
	world_set(&w, "node9 eth2 rdma.layer = infiniband");
	world_run(&w, 2);
	assert_words(&w, "node9: its RDMA ports are InfiniBand");
	world_done(&w);
}

static const char *why_alone(const struct world *w, const char *device)
{
	static char why[sizeof(((struct unjudged *)0)->why)];
	struct judged j;

	why[0] = '\0';
	judged_neighbors(&j, w->model);
	for (size_t i = 0; i < j.n_list; i++)
		if (strcmp(j.list[i].device->name, device) == 0)
			memcpy(why, j.list[i].why, sizeof(why));
	judged_done(&j);
	return why;
}

/* Of a support bundle no probe has asked for neighbors. */
static void who_was_not_asked_for_neighbors_does_not_name_none(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node9 eth2 up = yes");
	world_run(&w, 2);
	assert_string_equal(why_alone(&w, "node9"), "LLDP was not read");
	world_done(&w);
}

/* Two hosts and no switch: nothing at all was judged. */
static void only_unjudged_devices_are_nothing_judged(void **state)
{
	struct buf text = { 0 };
	struct findings *f = findings_new();
	struct policy *policy = policy_builtin("roce-lossless");
	struct inventory inv = { 0 };
	struct links links = { 0 };
	struct model *m = model_saying("a platform = \"linux\"\na eth0 up = yes", SECOND);

	(void)state;
	model_say(m, "b platform = \"linux\"", SECOND);
	links_update(&links, m, &inv);
	findings_judge(f, m, &links, policy, &inv);
	assert_true(judged_nothing(m, f, 9, &text));
	assert_string_equal(text.text, "nothing could be judged: a: none of its ports is known to carry RoCE; "
				       "b: it names no network port");
	buf_done(&text);
	findings_free(f);
	policy_free(policy);
	links_done(&links);
	model_free(m);
}

static const struct finding *planned(struct world *w, const char *plan)
{
	struct err err = { "" };

	w->inventory.n_cables = 0;
	if (!cable_plan_read(&w->inventory, span_of(plan), "plan.csv", &err))
		fail_msg("%s", err.text);
	world_run(w, 3);
	return world_finding(w, "planned-cables-known", "fabric");
}

static void a_planned_end_that_is_not_there_is_found_and_one_that_is_not_read_is_unknown(void **state)
{
	const struct finding *f;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	assert_null(planned(&w, "device,port,peer,peer_port\nnode1,eth2,leaf1,ethernet1/1/1\n"));
	f = planned(&w, "device,port,peer,peer_port\nnode1,eth2,leaf1,ethernet1/1/1\nnode1,eth7,leaf1,ethernet1/1/2\n");
	assert_non_null(f);
	assert_int_equal(f->verdict, VERDICT_WARN);
	assert_string_equal(f->what, "1 of 2 planned cables not found: node1 has no port eth7");
	assert_null(planned(&w, "device,port,peer,peer_port\nnode1,eth2,leaf1,ethernet1/1/1\n"));
	model_need_device(w.model, "node5");
	f = planned(&w, "device,port,peer,peer_port\nnode5,eth2,leaf1,ethernet1/1/1\n");
	assert_true(!f || f->verdict == VERDICT_UNKNOWN);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_fabric_is_judged_whole),
		cmocka_unit_test(a_host_without_rdma_is_named_with_the_reason_it_gave),
		cmocka_unit_test(who_was_not_asked_for_neighbors_does_not_name_none),
		cmocka_unit_test(only_unjudged_devices_are_nothing_judged),
		cmocka_unit_test(a_planned_end_that_is_not_there_is_found_and_one_that_is_not_read_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
