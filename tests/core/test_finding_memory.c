/* What the ledger of findings keeps: not knowing clears nothing, a copy says the same, each opening is told once. */
#include "core/judge/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/world.h"

/* A loaded host, a switch's tools: each answer may take some seconds, the first of all too. */
static void answers_that_take_some_seconds_are_usual(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 latency = 7500000");
	world_run(&w, 2);
	world_set(&w, "node3 state = connecting");
	world_run(&w, 6);
	assert_null(world_finding(&w, "answers-in-time", "node1"));
	assert_null(world_finding(&w, "answers-in-time", "node3"));
	world_run(&w, 5);
	assert_non_null(world_finding(&w, "answers-in-time", "node3"));
	world_set(&w, "node1 latency = 9000000");
	world_run(&w, 2);
	assert_int_equal(world_finding(&w, "answers-in-time", "node1")->verdict, VERDICT_LOOK);
	world_done(&w);
}

static void losing_rdma_does_not_clear_what_was_wrong(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	world_drop(&w, "node1 eth2 rdma");
	world_run(&w, 5);
	assert_non_null(world_finding(&w, "trust-as-wanted", "node1:eth2"));
	world_done(&w);
}

static void a_ledger_that_begins_later_remembers_what_it_can_no_longer_see(void **state)
{
	struct world w;
	const struct finding *f;

	(void)state;
	world_init(&w);
	world_drop(&w, "node1 eth2 trust");
	findings_free(w.findings);
	w.findings = findings_new();
	findings_remember(w.findings, "trust-as-wanted", "node1:eth2", "trusts pcp, expected dscp", VERDICT_FAIL, 7 * SECOND);
	findings_remember(w.findings, "mtu-as-wanted", "node1:eth2", "MTU 1500", VERDICT_WARN, 7 * SECOND);
	world_run(&w, 2);
	f = world_finding(&w, "trust-as-wanted", "node1:eth2");
	assert_non_null(f);
	assert_int_equal(f->verdict, VERDICT_FAIL);
	assert_int_equal(f->first_us, 7 * SECOND);
	assert_string_equal(f->what, "as first seen: trusts pcp, expected dscp");
	assert_int_equal(f->last_us, 7 * SECOND);
	assert_null(world_finding(&w, "mtu-as-wanted", "node1:eth2"));	/* seen to be right now */
	world_done(&w);
}

/* A number that was counted a minute ago stood in a finding beside the number of now, and nothing told the two apart. */
static void what_cannot_be_judged_any_more_is_said_to_be_as_first_seen(void **state)
{
	static const char words[] =
		"a sentence of one hundred and ninety bytes, that ends with the number of the packets that were lost: 123456789 ";
	char longest[192];
	const struct finding *f;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 phy.err = 3000");
	world_run(&w, 12);
	assert_string_equal(world_finding(&w, "wire-clean", "node1:eth2")->what, "3000 frames/s with CRC or symbol errors (mean of 11 s)");
	world_set(&w, "node1 eth2 phy.err = unknown \"ethtool does not answer\"");
	world_run(&w, 3);
	f = world_finding(&w, "wire-clean", "node1:eth2");
	assert_string_equal(f->what, "as first seen: 3000 frames/s with CRC or symbol errors (mean of 11 s)");
	assert_true(f->is_standing && *f->missing);
	world_set(&w, "node1 eth2 phy.err = 0");
	world_run(&w, 12);
	f = findings_find(w.findings, "wire-clean", "node1:eth2");
	assert_false(f->is_open);
	assert_string_equal(f->what, "3000 frames/s with CRC or symbol errors (mean of 11 s)");

	snprintf(longest, sizeof(longest), "%s%s", words, words);
	findings_remember(w.findings, "trust-as-wanted", "node1:eth2", longest, VERDICT_FAIL, 7 * SECOND);
	world_drop(&w, "node1 eth2 trust");
	world_run(&w, 2);
	f = world_finding(&w, "trust-as-wanted", "node1:eth2");
	assert_string_equal(f->what + strlen(f->what) - 8, "with ...");
	world_done(&w);
}

/* Not knowing clears nothing, but a sentence about a setting ends with that setting: what is so now is not known. */
static void what_cited_a_setting_is_unknown_when_it_is_another(void **state)
{
	const struct finding *f;
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 trust = pcp");
	world_run(&w, 2);
	assert_int_equal(world_finding(&w, "trust-same", "node1:eth2")->verdict, VERDICT_FAIL);
	world_drop(&w, "leaf1 ethernet1/1/1 trust");
	world_run(&w, 2);
	assert_int_equal(world_finding(&w, "trust-same", "node1:eth2")->verdict, VERDICT_FAIL);
	world_set_lines(&w, "node1 eth2 trust = dscp");
	world_run(&w, 2);
	f = world_finding(&w, "trust-same", "node1:eth2");
	assert_true(!f || f->verdict == VERDICT_UNKNOWN);
	world_done(&w);
}

/* The recording has the words of the opening; a replay that begins now can say no others. */
static void what_stands_unjudged_says_what_it_opened_with(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 mtu = 1500");
	world_run(&w, 2);
	assert_non_null(strstr(world_finding(&w, "mtu-as-wanted", "node1:eth2")->what, "1500"));
	world_set_lines(&w, "node1 eth2 mtu = 2000");
	world_run(&w, 2);
	assert_non_null(strstr(world_finding(&w, "mtu-as-wanted", "node1:eth2")->what, "2000"));
	world_drop(&w, "node1 eth2 mtu");
	world_run(&w, 2);
	assert_non_null(strstr(world_finding(&w, "mtu-as-wanted", "node1:eth2")->what, "1500"));
	world_done(&w);
}

/* Word for word, and of the copy's own devices and ports. */
static void assert_same_finding(const struct finding *a, const struct finding *b, const struct model *copy)
{
	assert_ptr_equal(a->check, b->check);
	assert_string_equal(a->where, b->where);
	assert_string_equal(a->what, b->what);
	assert_int_equal(a->verdict, b->verdict);
	assert_int_equal(a->first_us, b->first_us);
	assert_int_equal(a->seen, b->seen);
	if (b->port)
		assert_ptr_equal(b->port, model_find_port(copy, a->port->device->name, a->port->name));
	if (b->device)
		assert_ptr_equal(b->device, model_find_device(copy, a->device->name));
	for (size_t i = 0; i < b->n_evidence; i++)
		if (b->evidence[i].port)
			assert_ptr_equal(b->evidence[i].port, model_port(copy, b->evidence[i].port->id));
	assert_int_equal(a->cause != NULL, b->cause != NULL);
	if (a->cause)
		assert_string_equal(a->cause->where, b->cause->where);
}

static void a_copy_of_the_ledger_tells_the_same_while_the_ledger_goes_on(void **state)
{
	const struct finding *const *then, *const *now;
	struct findings *ledger;
	struct model *copy;
	struct world w;
	size_t n;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "leaf1 ethernet1/1/1 pfc.on[3] = no\nnode1 eth3 trust = pcp");
	world_run(&w, 3);
	copy = model_copy(w.model);
	ledger = findings_copy(w.findings, copy);
	n = findings_open(w.findings, &now);
	assert_true(n > 2);
	assert_int_equal(findings_open(ledger, &then), n);
	for (size_t i = 0; i < n; i++)
		assert_same_finding(now[i], then[i], copy);
	for (size_t i = 0; i < model_ports(copy); i++)
		assert_int_equal(findings_worst(ledger, model_port(copy, i), NULL, NULL),
				 findings_worst(w.findings, model_port(w.model, i), NULL, NULL));

	world_set_lines(&w, "leaf1 ethernet1/1/1 pfc.on[3] = yes\nnode1 eth3 trust = dscp");
	world_run(&w, 3);
	assert_null(world_finding(&w, "trust-as-wanted", "node1:eth3"));
	assert_int_equal(findings_open(ledger, &then), n);
	findings_free(ledger);
	model_free(copy);
	world_done(&w);
}

static void count_changes(void *ctx, const struct finding *finding)
{
	*(unsigned *)ctx += strcmp(finding->check->id, "answers-in-time") == 0;
}

static void what_comes_and_goes_is_one_finding_and_over_when_it_stays_away(void **state)
{
	const struct finding *f;
	unsigned changes = 0;
	int64_t first_us;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 1);
	findings_on_change(w.findings, count_changes, &changes);
	world_set_lines(&w, "node1 latency = 15000000");
	world_run(&w, 1);
	f = world_finding(&w, "answers-in-time", "node1");
	assert_non_null(f);
	assert_string_equal(f->what, "its answers take 15.0 s");
	first_us = f->first_us;
	for (unsigned i = 0; i < 6; i++) {
		world_set_lines(&w, "node1 latency = 40000");
		world_run(&w, 20);
		assert_string_equal(world_finding(&w, "answers-in-time", "node1")->what, "cleared, for less than 30 s yet");
		world_set_lines(&w, "node1 latency = 9000000");
		world_run(&w, 1);
		assert_string_equal(world_finding(&w, "answers-in-time", "node1")->what, "its answers take 9.0 s");
	}
	assert_int_equal(changes, 1);
	assert_int_equal(world_finding(&w, "answers-in-time", "node1")->first_us, first_us);

	world_set_lines(&w, "node1 latency = 40000");
	world_run(&w, 1);
	world_run(&w, 31);
	assert_null(world_finding(&w, "answers-in-time", "node1"));
	assert_int_equal(changes, 2);
	f = findings_find(w.findings, "answers-in-time", "node1");
	assert_non_null(f);
	assert_string_equal(f->what, "its answers take 9.0 s");
	world_done(&w);
}

static void a_ledger_that_begins_while_it_is_right_again_says_the_same(void **state)
{
	const struct finding *f;
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 latency = 40000");
	findings_free(w.findings);
	w.findings = findings_new();
	findings_remember(w.findings, "answers-in-time", "node1", "its answers take 15.0 s", VERDICT_LOOK, 7 * SECOND);
	findings_remember(w.findings, "mtu-as-wanted", "node1:eth2", "MTU 1500", VERDICT_WARN, 7 * SECOND);
	world_run(&w, 2);
	f = world_finding(&w, "answers-in-time", "node1");
	assert_non_null(f);
	assert_string_equal(f->what, "cleared, for less than 30 s yet");
	assert_int_equal(f->first_us, 7 * SECOND);
	assert_null(world_finding(&w, "mtu-as-wanted", "node1:eth2"));
	world_done(&w);
}

/* -- what is not known any more -- */

/* Without the majority there is nothing to be unlike; that its ports do not tell is no such acquittal. */
static void a_majority_that_is_not_told_any_more_clears_no_outlier(void **state)
{
	struct world w;
	char text[300];

	(void)state;
	world_init(&w);
	for (unsigned i = 4; i < 8; i++) {
		snprintf(text, sizeof(text), "node1 eth%u rdma = \"mlx5_%u\"\nnode1 eth%u speed = 100G\nnode1 eth%u role = pf\n"
			 "node1 eth%u driver = \"mlx5_core\"\nnode1 eth%u firmware = \"%s\"\n", i, i, i, i, i, i, i == 7 ? "20.1.1" : "22.41.1000");
		world_set_lines(&w, text);
	}
	world_run(&w, 3);
	assert_non_null(world_finding(&w, "firmware-alike", "node1:eth7"));
	world_set_lines(&w, "node1 eth2 firmware = unknown \"not root\"\nnode1 eth3 firmware = unknown \"not root\"\n"
		  "node1 eth4 firmware = unknown \"not root\"\n");
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth7")->verdict, VERDICT_LOOK);
	findings_free(w.findings);
	w.findings = findings_new();
	world_run(&w, 1);
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth7")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

static void one_that_does_not_tell_makes_no_majority_against_another(void **state)
{
	struct world w;
	char text[300];

	(void)state;
	world_init(&w);
	for (unsigned i = 4; i < 8; i++) {	/* four of six: no majority */
		snprintf(text, sizeof(text), "node1 eth%u rdma = \"mlx5_%u\"\nnode1 eth%u speed = 100G\nnode1 eth%u role = pf\n"
			 "node1 eth%u driver = \"mlx5_core\"\nnode1 eth%u firmware = \"%s\"\n", i, i, i, i, i, i, i > 5 ? "20.1.1" : "22.41.1000");
		world_set_lines(&w, text);
	}
	world_run(&w, 3);
	assert_null(world_finding(&w, "firmware-alike", "node1:eth7"));
	world_set_lines(&w, "node1 eth6 rdma = unknown \"not root\"\n");
	world_run(&w, 3);	/* nor one that may carry RoCE or not */
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth7")->verdict, VERDICT_UNKNOWN);
	world_set_lines(&w, "node1 eth6 rdma = \"mlx5_6\"\n");
	world_run(&w, 3);
	assert_null(world_finding(&w, "firmware-alike", "node1:eth7"));
	world_set_lines(&w, "node1 eth6 firmware = unknown \"not root\"\n");
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth7")->verdict, VERDICT_UNKNOWN);
	world_set_lines(&w, "node1 eth5 firmware = unknown \"not root\"\nnode1 eth7 firmware = unknown \"not root\"\n");
	world_run(&w, 3);	/* nor does the one that may be unlike them */
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth7")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* A host whose RDMA devices were not read may belong to them all the same. */
static void ports_of_which_nothing_is_known_of_rdma_make_no_majority(void **state)
{
	struct world w;
	char text[300];

	(void)state;
	world_init(&w);
	for (unsigned i = 4; i < 18; i++) {
		snprintf(text, sizeof(text), "node1 eth%u speed = 100G\nnode1 eth%u role = pf\nnode1 eth%u up = yes\n"
			 "node1 eth%u driver = \"mlx5_core\"\nnode1 eth%u firmware = \"%s\"\n",
			 i, i, i, i, i, i > 12 ? "20.1.1" : "22.41.1000");
		world_set_lines(&w, text);
		snprintf(text, sizeof(text), "node1 eth%u rdma = \"mlx5_%u\"\n", i, i);
		if (i < 14)
			world_set_lines(&w, text);
	}
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth13")->verdict, VERDICT_UNKNOWN);
	for (unsigned i = 14; i < 18; i++) {	/* what is down carries nothing */
		snprintf(text, sizeof(text), "node1 eth%u up = no\n", i);
		world_set_lines(&w, text);
	}
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "firmware-alike", "node1:eth13")->verdict, VERDICT_LOOK);
	world_done(&w);
}

/* What the bond says stands for its member: there is no cell of the member's own to read. */
static void what_a_bond_says_of_its_member_can_be_compared_with_the_fleet(void **state)
{
	struct world w;
	char text[400];

	(void)state;
	world_init(&w);
	for (unsigned i = 4; i < 10; i++) {
		snprintf(text, sizeof(text), "node1 eth%u rdma = \"mlx5_%u\"\nnode1 eth%u speed = 100G\nnode1 eth%u role = member\n"
			 "node1 eth%u cc.rpg_ai_rate = 5\n", i, i, i, i, i);
		world_set_lines(&w, text);
	}
	world_set_lines(&w, "node1 eth10 rdma = \"mlx5_10\"\nnode1 eth10 speed = 100G\nnode1 eth10 role = member\nnode1 eth10 bond = \"bond0\"\n"
		  "node1 bond0 role = bond\nnode1 bond0 cc.rpg_ai_rate = 5\n");
	world_run(&w, 3);
	assert_null(world_finding(&w, "fleet-alike", "node1:eth10"));
	world_done(&w);
}

static void a_silent_device_is_one_finding_and_its_faults_stay(void **state)
{
	struct world w;
	const struct finding *const *list;
	size_t n;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	model_set_now(w.model, w.now_us + 60 * SECOND);
	findings_judge(w.findings, w.model, &w.links, w.policy, &w.inventory);
	n = findings_open(w.findings, &list);
	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict == VERDICT_UNKNOWN && strcmp(list[i]->check->id, "answers-in-time") != 0 && !list[i]->cause)
			world_fail(&w, "a silent device is told more than once");
	assert_non_null(world_finding(&w, "trust-as-wanted", "node1:eth2"));
	assert_non_null(world_finding(&w, "answers-in-time", "leaf2"));
	assert_int_equal(findings_worst(w.findings, model_find_port(w.model, "leaf2", "Ethernet4"), NULL, "ecn.on"),
			 VERDICT_UNKNOWN);
	world_done(&w);
}

static void garbage_is_named_and_is_not_health(void **state)
{
	struct world w;
	struct obs o;
	const struct finding *f;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	obs_init(&o, "leaf1", "running-config");
	o.at_us = w.now_us;
	o.period_us = 30 * SECOND;
	o.raw = SPAN("\x01\x02 %% gar\xff" "bage\n");
	model_apply(w.model, &o);
	obs_done(&o);
	findings_judge(w.findings, w.model, &w.links, w.policy, &w.inventory);
	f = world_finding(&w, "answers-understood", "leaf1");
	assert_non_null(f);
	assert_int_equal(f->verdict, VERDICT_UNKNOWN);
	assert_string_equal(f->missing, "running-config could not be parsed");
	world_done(&w);
}

static void pause_frames_alone_never_make_a_warning(void **state)
{
	struct world w;
	const struct finding *f;

	(void)state;
	world_init(&w);
	world_drop(&w, "node1 eth2 pfc.rx_us[3]");
	world_drop(&w, "node1 eth2 pfc.tx_us[3]");
	world_set_lines(&w, "leaf1 ethernet1/1/1 pfc.rx[3] = 3000\nnode1 eth2 pfc.rx[3] = 3000\n");
	world_run(&w, 12);
	f = world_finding(&w, "not-paused", "leaf1:ethernet1/1/1");
	assert_non_null(f);
	assert_int_equal(f->verdict, VERDICT_UNKNOWN);
	assert_non_null(strstr(f->missing, "no times"));
	assert_int_equal(findings_count(w.findings, VERDICT_LOOK), 0);

	/* and one frame a second cannot stop a 100 Gb/s port for long */
	world_set_lines(&w, "leaf1 ethernet1/1/1 pfc.rx[3] = 1\nnode1 eth2 pfc.rx[3] = 1\nleaf1 ethernet1/1/1 pfc.tx[3] = 1\n");
	world_run(&w, 12);
	assert_null(world_finding(&w, "not-paused", "leaf1:ethernet1/1/1"));
	world_done(&w);
}

static void a_burst_of_pause_is_pfc_at_work(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	world_set_lines(&w, "node1 eth2 pfc.rx_us[3] = 60000");
	world_run(&w, 1);
	assert_int_equal(findings_count(w.findings, VERDICT_WARN), 0);
	world_set_lines(&w, "node1 eth2 pfc.rx_us[3] = 0");
	world_run(&w, 3);
	assert_int_equal(findings_count(w.findings, VERDICT_UNKNOWN), 0);
	world_done(&w);
}

static void a_link_with_one_end_unread_is_judged_at_the_other(void **state)
{
	struct world w;
	const struct finding *f;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < w.n_facts; i++)
		if (strncmp(w.facts[i].what, "leaf1", 5) == 0)
			w.facts[i].is_gone = true;
	world_set_lines(&w, "node1 eth2 trust = pcp");
	world_run(&w, 5);
	assert_non_null(world_finding(&w, "trust-as-wanted", "node1:eth2"));
	f = world_finding(&w, "far-end-known", "node1:eth2");
	assert_non_null(f);
	assert_int_equal(f->verdict, VERDICT_UNKNOWN);
	assert_null(world_finding(&w, "trust-same", "node1:eth2"));
	world_done(&w);
}

/* -- the ledger -- */

struct log {
	char text[4000];
};

static void note(void *ctx, const struct finding *f)
{
	struct log *log = ctx;
	size_t n = strlen(log->text);

	snprintf(log->text + n, sizeof(log->text) - n, "%s %s %s\n", f->is_open ? "open" : "closed", f->check->id, f->where);
}

static void what_opens_and_closes_is_told_once(void **state)
{
	struct log log = { "" };
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	findings_on_change(w.findings, note, &log);
	world_set_lines(&w, "node1 eth2 gid.v2 = no");
	world_run(&w, 1);
	world_run(&w, 1);
	assert_int_equal(world_finding(&w, "gid-v2", "node1:eth2")->seen, 2);
	findings_judge(w.findings, w.model, &w.links, w.policy, &w.inventory);	/* a screen that opens at that very moment */
	assert_int_equal(world_finding(&w, "gid-v2", "node1:eth2")->seen, 2);
	world_set_lines(&w, "node1 eth2 gid.v2 = yes");
	world_run(&w, 1);
	world_run(&w, 1);
	assert_string_equal(log.text, "open gid-v2 node1:eth2\nclosed gid-v2 node1:eth2\n");
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_that_take_some_seconds_are_usual),
		cmocka_unit_test(losing_rdma_does_not_clear_what_was_wrong),
		cmocka_unit_test(a_ledger_that_begins_later_remembers_what_it_can_no_longer_see),
		cmocka_unit_test(what_cannot_be_judged_any_more_is_said_to_be_as_first_seen),
		cmocka_unit_test(what_cited_a_setting_is_unknown_when_it_is_another),
		cmocka_unit_test(what_stands_unjudged_says_what_it_opened_with),
		cmocka_unit_test(a_copy_of_the_ledger_tells_the_same_while_the_ledger_goes_on),
		cmocka_unit_test(what_comes_and_goes_is_one_finding_and_over_when_it_stays_away),
		cmocka_unit_test(a_ledger_that_begins_while_it_is_right_again_says_the_same),
		cmocka_unit_test(a_majority_that_is_not_told_any_more_clears_no_outlier),
		cmocka_unit_test(one_that_does_not_tell_makes_no_majority_against_another),
		cmocka_unit_test(ports_of_which_nothing_is_known_of_rdma_make_no_majority),
		cmocka_unit_test(what_a_bond_says_of_its_member_can_be_compared_with_the_fleet),
		cmocka_unit_test(a_silent_device_is_one_finding_and_its_faults_stay),
		cmocka_unit_test(garbage_is_named_and_is_not_health),
		cmocka_unit_test(pause_frames_alone_never_make_a_warning),
		cmocka_unit_test(a_burst_of_pause_is_pfc_at_work),
		cmocka_unit_test(a_link_with_one_end_unread_is_judged_at_the_other),
		cmocka_unit_test(what_opens_and_closes_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
