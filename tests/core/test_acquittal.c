/* "The network is not the cause": said where all that would show a network cause was read and is right, and nowhere else. */
#include <stdio.h>

#include "core/diagnose/acquittal.h"
#include "tests/lib/world.h"

#define LONG_ENOUGH	15	/* seconds */

struct trial {
	struct world world;
	struct diagnosis diagnosis;
	struct acquittal acquittal;
};

/* What the small world does not report: what RDMA sends, and in which class. */
static const char rest[] =
	"node1 eth2 rdma.tx = 1000000000\nnode1 eth3 rdma.tx = 1000000000\n"
	"node1 eth2 tx.bytes[3] = 1000000000\nnode1 eth3 tx.bytes[3] = 1000000000\n";

static void begin(struct trial *t)
{
	memset(t, 0, sizeof(*t));
	world_init(&t->world);
	world_set_lines(&t->world, rest);
}

static void end(struct trial *t)
{
	acquittal_done(&t->acquittal);
	diagnosis_done(&t->diagnosis);
	world_done(&t->world);
}

static const struct acquittal *judge(struct trial *t, unsigned seconds, const char *device)
{
	struct world *w = &t->world;

	world_run(w, seconds);
	diagnosis_make(&t->diagnosis, &(struct diagnosis_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
							      .inventory = &w->inventory, .device = device ? model_find_device(w->model, device) : NULL });
	acquittal_make(&t->acquittal, &t->diagnosis);
	return &t->acquittal;
}

static void assert_says(const struct acquittal *a, const char *words)
{
	struct buf says = { 0 };

	acquittal_words(a, &says);
	if (!strstr(says.text, words))
		fail_msg("\"%s\" does not say \"%s\"", says.text, words);
	buf_done(&says);
}

static bool lacks(const struct acquittal *a, const char *key)
{
	for (size_t i = 0; i < a->n_lacks; i++)
		if (!strcmp(a->lacks[i].key, key))
			return true;
	return false;
}

/* node2 is there to compare with and is not read: without it every device of the small world answers. */
static void begin_whole(struct trial *t)
{
	begin(t);
	world_drop(&t->world, "node2 memlock");
	world_drop(&t->world, "node2 ib0 rdma.layer");
}

static void assert_is(const struct acquittal *a, enum acquittal_is is)
{
	if (a->is == is)
		return;
	for (size_t i = 0; i < a->n_lacks; i++)
		print_message("missing: %s at %s: %s\n", a->lacks[i].key, a->lacks[i].where, a->lacks[i].what);
	if (a->open)
		print_message("open: %s at %s: %s\n", a->open->check->id, a->open->where, a->open->what);
	fail_msg("%s, not %s", acquittal_name(a->is), acquittal_name(is));
}

static void a_healthy_network_is_acquitted_with_its_proof(void **state)
{
	const struct acquittal *a;
	struct trial t;

	(void)state;
	begin_whole(&t);
	a = judge(&t, LONG_ENOUGH, NULL);
	assert_is(a, ACQUITTAL_NETWORK);
	assert_int_equal(a->links, 2);
	assert_int_equal(a->hosts, 1);
	assert_int_equal(a->switches, 2);
	assert_int_equal(a->window_us, (LONG_ENOUGH - 2) * SECOND);
	assert_true(a->checks > 30 && a->right > a->checks && a->counters > 10);
	assert_says(a, "The network is not the cause: on all 2 links of 1 host and 2 switches");
	assert_says(a, "in the last 13 s no lossless packet was dropped");
	assert_says(a, "no port was paused more than <0.1 % of the time");	/* the small world's 200 us of a second */
	assert_is(judge(&t, 100, NULL), ACQUITTAL_NETWORK);
	assert_int_equal(t.acquittal.window_us, ACQUITTAL_MOST_US);
	assert_is(judge(&t, 1, "node1"), ACQUITTAL_NETWORK);
	end(&t);
}

/* What every acquittal stands on, fact by fact: without any one of them it is not known. */
static const char *const stands_on[] = {
	"node1 eth2 trust", "node1 eth2 pfc.on[3]", "node1 eth2 mtu", "node1 eth2 dscp.prio[26]", "node1 eth2 dscp.prio[48]",
	"node1 eth2 prio.tc[3]", "node1 eth2 tos.cma", "node1 eth2 up", "node1 eth2 rdma", "node1 eth2 rdma.state", "node1 eth2 gid.v2",
	"node1 eth2 pause.rx", "node1 eth2 ecn.np[3]", "node1 eth2 ecn.rp[3]", "node1 eth2 rx.drop[3]", "node1 eth2 phy.err",
	"node1 eth2 oos", "node1 eth2 rdma.tx", "node1 eth2 tx.bytes[3]", "node1 eth2 pfc.tx_us[3]", "node1 eth2 speed",
	"node1 eth2 cnp.sent", "node1 eth2 ecn.seen", "leaf1 ethernet1/1/1 trust", "leaf1 ethernet1/1/1 pfc.on[3]",
	"leaf1 ethernet1/1/1 mtu", "leaf1 ethernet1/1/1 dscp.prio[26]", "leaf1 ethernet1/1/1 ecn.on[3]", "leaf1 ethernet1/1/1 ecn.kmin[3]",
	"leaf1 ethernet1/1/1 pause.rx", "leaf1 ethernet1/1/1 tx.drop[3]", "leaf1 ethernet1/1/1 phy.err", "leaf1 ethernet1/1/1 speed",
};

/* Facts that the other end, a default or another counter stands for where nobody reports them; not where they cannot be read. */
static const char *const stood_in_for[] = {
	"node1 eth2 prio.tc[3]", "node1 eth2 pfc.tx_us[3]", "node1 eth2 phy.err", "node1 eth2 rx.drop[3]", "node1 eth2 pause.rx", "node1 eth2 up",
	"leaf1 ethernet1/1/1 speed", "node1 eth2 speed",
};

static bool is_stood_in_for(const char *what)
{
	for (size_t i = 0; i < sizeof(stood_in_for) / sizeof(*stood_in_for); i++)
		if (!strcmp(stood_in_for[i], what))
			return true;
	return false;
}

static void without_a_fact_that_it_stands_on_it_is_not_known(void **state)
{
	char fact[160];

	(void)state;
	for (size_t i = 0; i < sizeof(stands_on) / sizeof(*stands_on); i++)
		for (unsigned is_unknown = is_stood_in_for(stands_on[i]); is_unknown < 2; is_unknown++) {
			struct trial t;

			begin_whole(&t);
			assert_non_null(world_fact(&t.world, stands_on[i]));
			snprintf(fact, sizeof(fact), "%s = unknown \"not root\"", stands_on[i]);
			if (is_unknown)
				world_set(&t.world, fact);
			else
				world_drop(&t.world, stands_on[i]);
			judge(&t, LONG_ENOUGH, NULL);
			if (t.acquittal.is == ACQUITTAL_NETWORK)
				fail_msg("acquitted without %s (%s)", stands_on[i], is_unknown ? "unknown" : "not reported");
			assert_true(t.acquittal.n_lacks || t.acquittal.n_open);
			end(&t);
		}
}

static void a_finding_of_the_network_is_no_acquittal(void **state)
{
	static const char *const faults[] = {
		"node1 eth2 trust = pcp", "node1 eth2 pfc.on[3] = no", "leaf1 ethernet1/1/1 ecn.on[3] = no", "node1 eth2 mtu = 1500",
		"node1 eth2 tos.cma = 0", "leaf2 Ethernet4 tx.drop[3] = 50", "node1 eth3 phy.err = 3", "node1 eth3 oos = 5000",
		"node1 eth2 pause.rx = yes", "leaf2 Ethernet4 pfc.watchdog = no", "node1 lldpad = yes",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		const struct acquittal *a;
		struct trial t;

		begin_whole(&t);
		world_set(&t.world, faults[i]);
		a = judge(&t, LONG_ENOUGH, NULL);
		if (a->is == ACQUITTAL_NETWORK)
			fail_msg("acquitted in spite of %s", faults[i]);
		if (!a->n_open)
			fail_msg("nothing is open of %s", faults[i]);
		end(&t);
	}
}

/* The hosts' own troubles are no fault of the network: it is acquitted beside them, and they are named. */
static void what_is_wrong_with_a_host_acquits_the_network(void **state)
{
	static const struct {
		const char *fact, *words;
	} faults[] = {
		{ "node1 app.memlock = 65536", "Look at the hosts: app-memlock-enough at node1" },
		{ "node1 eth2 pcie.width = 4", "Look at the hosts: pcie-as-capable at node1:eth2" },
		{ "node1 app.gdr = no", "Look at the hosts: app-gpu-direct at node1" },
		{ "node1 app.net = socket", "Look at the hosts: app-uses-ib at node1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct trial t;

		begin_whole(&t);
		world_set(&t.world, faults[i].fact);
		assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_NETWORK);
		assert_says(&t.acquittal, faults[i].words);
		end(&t);
	}
}

/* The cause is the host's, and the network could not be read: nobody says that it is right. */
static void a_cause_at_a_host_does_not_acquit_a_network_that_was_not_read(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_set(&t.world, "node1 app.memlock = 65536");
	world_set(&t.world, "leaf1 ethernet1/1/1 trust = unknown \"not root\"");
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_CAUSE);
	assert_says(&t.acquittal, "A cause is named: memlock-low at node1");
	assert_says(&t.acquittal, "whether the network is right is not known: missing trust-as-wanted");
	end(&t);
}

/* One verdict of screen and report: beside an acquittal nothing about the network is open, and what nothing reports is named. */
static void no_question_about_the_network_is_open_beside_an_acquittal(void **state)
{
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct asking asked;
	struct trial t;
	size_t n = 0;

	(void)state;
	begin_whole(&t);
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_NETWORK);
	for (size_t i = 0; i < tree->n_questions; i++) {
		question_ask(&asked, &t.diagnosis, &tree->questions[i]);
		if (asked.answer == ANSWER_UNKNOWN && acquittal_asks(&tree->questions[i]))
			fail_msg("acquitted while %s is open: %s", tree->questions[i].id, asked.missing);
		n += asked.answer == ANSWER_UNREPORTED && acquittal_asks(&tree->questions[i]);
	}
	assert_true(n > 0);
	assert_says(&t.acquittal, "Not reported everywhere, and so not judged there: ");
	assert_says(&t.acquittal, "watchdog-quiet");
	end(&t);
}

/* Read once, by a probe that has not answered since: what it told may be otherwise by now. */
static void a_setting_that_is_too_old_acquits_nothing(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_run(&t.world, 1);
	model_say_by(t.world.model, "silent", 0, "node1 eth2 alias = \"rail 0\"", t.world.now_us);
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "current settings"));
	end(&t);
}

/* The time that a port was paused is known since it is counted, not since the counters of loss are. */
static void the_window_is_no_longer_than_pause_was_counted(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_drop(&t.world, "node1 eth3 pfc.rx_us[3]");
	world_drop(&t.world, "node1 eth3 pfc.rx[3]");
	world_drop(&t.world, "leaf2 Ethernet4 pfc.tx[3]");
	judge(&t, 30, NULL);
	world_set(&t.world, "node1 eth3 pfc.rx_us[3] = 0");
	assert_is(judge(&t, 5, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "time watched"));
	end(&t);
}

static void a_short_look_proves_nothing(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	assert_is(judge(&t, 5, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "time watched"));
	assert_is(judge(&t, 7, NULL), ACQUITTAL_NETWORK);
	end(&t);
}

/* "It was found until 53 s ago" was said of what was found just then, and was the cause named. */
static void what_is_open_again_is_not_said_to_be_over(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	judge(&t, LONG_ENOUGH, NULL);
	findings_remember_closed(t.world.findings, "pfc-on-where-wanted", "node1:eth2", "PFC is on for none, expected 3", VERDICT_FAIL,
				 t.world.now_us - 30 * SECOND, t.world.now_us - 20 * SECOND);
	assert_is(judge(&t, 1, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "time since the last finding"));
	world_set(&t.world, "node1 eth2 pfc.on[3] = no");
	assert_is(judge(&t, 2, NULL), ACQUITTAL_CAUSE);
	assert_false(lacks(&t.acquittal, "time since the last finding"));
	end(&t);
}

/* Ten findings "of the network" were the slow host itself, its memory, and four hosts that answered late. */
static void findings_of_hosts_are_not_counted_as_the_networks(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_set_lines(&t.world, "node1 eth2 pfc.tx_us[3] = 200000\nnode1 eth2 pfc.tx[3] = 3000\nnode1 eth2 pci.stall = 60\n"
		  "node1 latency = 15000000\nleaf2 latency = 15000000\n");
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_CAUSE);
	assert_string_equal(t.acquittal.first->cause->id, "slow-receiver");
	assert_says(&t.acquittal, "It is a host's; of the network 1 finding is open");	/* leaf2 late: that leaf1 is paused follows from the host */
	end(&t);
}

/* A loss that is over is within the time that is looked back on; then it is not. */
static void a_loss_of_the_last_minute_is_no_acquittal(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	judge(&t, LONG_ENOUGH, NULL);
	world_set(&t.world, "leaf2 Ethernet4 tx.drop[3] = 50");
	assert_is(judge(&t, 2, NULL), ACQUITTAL_NOT_KNOWN);
	assert_says(&t.acquittal, "The network is not ruled out: lossless-kept at leaf2:Ethernet4");
	world_set(&t.world, "leaf2 Ethernet4 tx.drop[3] = 0");
	assert_is(judge(&t, 40, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "loss counters"));
	judge(&t, 25, NULL);
	assert_is(judge(&t, 62, NULL), ACQUITTAL_NETWORK);
	end(&t);
}

static void a_port_whose_counters_stand_still_proves_nothing(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_set(&t.world, "leaf1 ethernet1/1/1 tx.packets[3] = 0");
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "traffic"));
	end(&t);
}

static void a_neighbor_that_is_not_read_is_no_acquittal(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_set_lines(&t.world, "leaf1 ethernet1/1/9 up = yes\n");
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "neighbors"));
	world_set_lines(&t.world, "leaf1 ethernet1/1/9 up = no\n");
	assert_is(judge(&t, 1, NULL), ACQUITTAL_NETWORK);
	end(&t);
}

/* A switch may stand between that nothing tells to be one. */
static void a_device_that_may_be_a_switch_is_no_acquittal(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_set_lines(&t.world, "spare hostname = \"spare\"\n");
	assert_is(judge(&t, LONG_ENOUGH, "node1"), ACQUITTAL_NOT_KNOWN);
	assert_true(lacks(&t.acquittal, "platform"));
	world_set_lines(&t.world, "spare platform = \"linux\"\nspare modules = \"ext4\"\n");
	assert_is(judge(&t, 1, "node1"), ACQUITTAL_NETWORK);
	end(&t);
}

/* Another host's fault is not this one's; what a switch between them has is. */
static void asked_about_one_host_the_switches_count_and_other_hosts_do_not(void **state)
{
	struct trial t;

	(void)state;
	begin_whole(&t);
	world_link(&t.world, "node3", 2, "leaf1", "ethernet1/1/3");
	world_set_lines(&t.world, "node3 eth2 rdma.tx = 1000000000\nnode3 eth2 tx.bytes[3] = 1000000000\nnode3 eth2 trust = pcp\n");
	assert_is(judge(&t, LONG_ENOUGH, NULL), ACQUITTAL_CAUSE);
	assert_is(judge(&t, 1, "node1"), ACQUITTAL_NETWORK);
	assert_int_equal(t.acquittal.links, 2);
	assert_is(judge(&t, 1, "node3"), ACQUITTAL_CAUSE);
	world_set(&t.world, "leaf1 config.saved = no");
	assert_true(judge(&t, 1, "node1")->is != ACQUITTAL_NETWORK);
	end(&t);
}

/* Every check that is needed exists; what is of hosts is needed by no acquittal. */
static void rows_name_checks(void **state)
{
	size_t needed = 0, of_hosts = 0;

	(void)state;
	for (size_t i = 0; i < check_count; i++) {
		needed += acquittal_needs(&check_table[i]);
		of_hosts += acquittal_is_of_host(&check_table[i]);
		assert_false(acquittal_needs(&check_table[i]) && acquittal_is_of_host(&check_table[i]));
		if (acquittal_is_of_host(&check_table[i]) && check_table[i].side != SIDE_HOST)
			fail_msg("%s is not asked of hosts alone", check_table[i].id);
	}
	assert_int_equal(needed, 42);
	assert_int_equal(of_hosts, 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_network_is_acquitted_with_its_proof),
		cmocka_unit_test(without_a_fact_that_it_stands_on_it_is_not_known),
		cmocka_unit_test(a_finding_of_the_network_is_no_acquittal),
		cmocka_unit_test(what_is_wrong_with_a_host_acquits_the_network),
		cmocka_unit_test(a_cause_at_a_host_does_not_acquit_a_network_that_was_not_read),
		cmocka_unit_test(no_question_about_the_network_is_open_beside_an_acquittal),
		cmocka_unit_test(a_setting_that_is_too_old_acquits_nothing),
		cmocka_unit_test(the_window_is_no_longer_than_pause_was_counted),
		cmocka_unit_test(a_short_look_proves_nothing),
		cmocka_unit_test(findings_of_hosts_are_not_counted_as_the_networks),
		cmocka_unit_test(what_is_open_again_is_not_said_to_be_over),
		cmocka_unit_test(a_loss_of_the_last_minute_is_no_acquittal),
		cmocka_unit_test(a_port_whose_counters_stand_still_proves_nothing),
		cmocka_unit_test(a_neighbor_that_is_not_read_is_no_acquittal),
		cmocka_unit_test(a_device_that_may_be_a_switch_is_no_acquittal),
		cmocka_unit_test(asked_about_one_host_the_switches_count_and_other_hosts_do_not),
		cmocka_unit_test(rows_name_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
