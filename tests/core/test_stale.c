/* What was so a moment ago is not told as so now, and what is not read is not told as well. Each was seen on a recording. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/acquittal.h"
#include "core/diagnose/proof.h"
#include "core/pause/pause.h"
#include "tests/lib/world.h"

#define ETH2	"node1 eth2 "
#define LEAF1	"leaf1 ethernet1/1/1 "

static struct world w;
static struct diagnosis d;

static void begin(void)
{
	memset(&d, 0, sizeof(d));
	world_init(&w);
}

static void end(void)
{
	diagnosis_done(&d);
	world_done(&w);
}

static void diagnose(void)
{
	diagnosis_make(&d, &(struct diagnosis_of){ .model = w.model, .links = &w.links, .findings = w.findings, .policy = w.policy,
						   .inventory = &w.inventory });
}

static const struct suspect *suspect(const char *cause)
{
	for (size_t i = 0; i < d.n_suspects; i++)
		if (d.suspects[i].is_named && !strcmp(d.suspects[i].cause->id, cause))
			return &d.suspects[i];
	return NULL;
}

/* NULL: it is as it should be there, or not applicable. */
static const char *said(const char *check, const char *where)
{
	const struct finding *f = world_finding(&w, check, where);

	return f ? f->what : NULL;
}

static void assert_said(const char *check, const char *where, const char *words)
{
	const char *what = said(check, where);

	if (!what || strcmp(what, words) != 0)
		fail_msg("%s at %s: \"%s\", not \"%s\"", check, where, what ? what : "nothing", words);
}

/* Facts said once, by a probe that is asked each half minute. */
static void say_once(const char *probe, const char *device, const char *facts)
{
	struct err err;
	struct obs o;

	obs_init(&o, device, probe);
	o.at_us = w.now_us;
	o.period_us = 30 * SECOND;
	o.rank = 30;
	if (!obs_read(&o, span_of(facts), &err))
		fail_msg("%s", err.text);
	model_apply(w.model, &o);
	obs_done(&o);
}

/* Trust and map of node1 eth2. */
static void say_settings(void)
{
	struct buf facts = { 0 };

	buf_str(&facts, ETH2 "trust = dscp\n");
	for (unsigned i = 0; i < 64; i++)
		buf_printf(&facts, ETH2 "dscp.prio[%u] = %u\n", i, i / 8);
	say_once("mlnx_qos", "node1", facts.text);
	buf_done(&facts);
}

/*
 * node1 sends in priority 0. Its map was read before that began, and may have been changed just then: marking was blamed,
 * with the ToS forced and right.
 */
static void marking_is_not_blamed_by_settings_that_are_older_than_the_symptom(void **state)
{
	char name[64];

	(void)state;
	begin();
	world_drop(&w, ETH2 "trust");
	for (unsigned i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), ETH2 "dscp.prio[%u]", i);
		world_drop(&w, name);
	}
	world_set_lines(&w, ETH2 "tos.force = 0\n" ETH2 "rdma.tx = 1000000000\n" ETH2 "tx.bytes[3] = 1000000000\n" ETH2 "tx.bytes[0] = 0\n");
	say_settings();
	world_run(&w, 12);
	assert_null(said("roce-in-class", "node1:eth2"));
	world_set_lines(&w, ETH2 "tx.bytes[3] = 0\n" ETH2 "tx.bytes[0] = 1000000000\n");
	world_run(&w, 12);
	assert_non_null(said("roce-in-class", "node1:eth2"));
	diagnose();
	assert_null(suspect("tos-unmarked"));
	say_settings();
	world_run(&w, 2);
	diagnose();
	assert_non_null(suspect("tos-unmarked"));
	world_set(&w, ETH2 "tos.force = 106");
	world_run(&w, 2);
	diagnose();
	assert_null(suspect("tos-unmarked"));
	end();
}

/* A slow receiver was cause 1 of a link that is down: its counters had moved two seconds ago. */
static void nothing_is_paused_on_a_link_that_is_down(void **state)
{
	(void)state;
	begin();
	world_set(&w, ETH2 "pfc.tx_us[3] = 300000");
	world_run(&w, 12);
	assert_non_null(said("slow-receiver", "node1:eth2"));
	world_set_lines(&w, LEAF1 "up = no\n" ETH2 "up = no\n");
	world_run(&w, 1);
	assert_null(said("slow-receiver", "node1:eth2"));
	assert_null(said("not-paused", "leaf1:ethernet1/1/1"));
	end();
}

/* The storm of a host that is not read any more stayed for ever, though its switch was seen not to be paused. */
static void a_storm_is_over_where_the_switch_is_not_paused(void **state)
{
	static const char link[] = "node1:eth2 - leaf1:ethernet1/1/1";
	const struct finding *f;

	(void)state;
	begin();
	world_set_lines(&w, LEAF1 "pfc.rx[3] = 20000\n" LEAF1 "pfc.rx_us[3] = 1000000\n");
	world_run(&w, 12);
	assert_non_null(said("pause-storm", link));
	world_set(&w, "node1 state = retrying");
	world_drop(&w, ETH2 "storm.err");
	world_set(&w, ETH2 "storm.err = unknown \"too old\"");
	world_run(&w, 2);
	f = world_finding(&w, "pause-storm", link);
	assert_true(f && f->verdict == VERDICT_FAIL && !f->cause);	/* nor does it follow from what came later */
	world_set_lines(&w, LEAF1 "pfc.rx[3] = 0\n" LEAF1 "pfc.rx_us[3] = 0\n");
	world_run(&w, 12);
	f = world_finding(&w, "pause-storm", link);
	assert_true(!f || f->verdict == VERDICT_UNKNOWN);
	end();
}

/* 367 damaged frames/s stood beside a counter that had not moved for five seconds: it was the mean of ten. */
static void a_mean_is_told_with_its_window(void **state)
{
	(void)state;
	begin();
	world_set(&w, ETH2 "phy.err = 1000");
	world_run(&w, 12);
	assert_said("wire-clean", "node1:eth2", "1000 frames/s with CRC or symbol errors (mean of 11 s)");
	world_set(&w, ETH2 "phy.err = 0");
	world_run(&w, 5);
	assert_non_null(strstr(said("wire-clean", "node1:eth2"), "(mean of 11 s)"));
	end();
}

/* One flap was "1 times/s the link went down", and of a link that is down a damaged one. */
static void a_flap_is_no_rate_and_no_damage_of_a_link_that_is_down(void **state)
{
	(void)state;
	begin();
	world_run(&w, 5);
	world_set(&w, ETH2 "link.downs = 1");
	world_run(&w, 1);
	assert_said("wire-clean", "node1:eth2", "the link went down between the last two reads");
	world_set(&w, ETH2 "up = no");
	world_run(&w, 1);
	assert_null(said("wire-clean", "node1:eth2"));
	assert_non_null(said("link-up", "node1:eth2"));
	end();
}

/* "drops 0 packets/s" of three in eleven seconds. */
static void a_rate_below_one_is_not_zero(void **state)
{
	(void)state;
	begin();
	world_run(&w, 10);
	world_set(&w, "leaf2 Ethernet4 pg.drop[3] = 3");
	world_run(&w, 1);
	world_set(&w, "leaf2 Ethernet4 pg.drop[3] = 0");
	world_run(&w, 8);
	assert_said("lossless-kept", "leaf2:Ethernet4", "priority group 3 (priority 3) drops 0.333 packets/s on receive (mean of 9 s)");
	end();
}

/* Full-size packets that a switch drops for its MTU were "the headroom overflows", and blamed on the map of a queue. */
static void what_is_dropped_on_receive_follows_from_the_mtu_first(void **state)
{
	const struct finding *f;

	(void)state;
	begin();
	world_set_lines(&w, "leaf2 Ethernet4 mtu = 1522\nleaf2 Ethernet4 tc.queue[3] = 0\nleaf2 Ethernet4 pg.drop[3] = 500\n");
	world_run(&w, 12);
	f = world_finding(&w, "lossless-kept", "leaf2:Ethernet4");
	assert_non_null(f);
	assert_string_equal(f->what, "priority group 3 (priority 3) drops 500 packets/s on receive (mean of 11 s)");
	assert_true(f->cause && !strcmp(f->cause->check->id, "mtu-fits"));
	end();
}

/* A switch that had booted again had "32 loss counters still for 52 s": they were 0 before and after. */
static void counters_are_still_since_the_device_counts(void **state)
{
	struct acquittal a = { 0 };

	(void)state;
	begin();
	world_set(&w, LEAF1 "tx.total = 1000000000");
	world_run(&w, 40);
	diagnose();
	acquittal_make(&a, &d);
	assert_true(a.window_us >= 30 * SECOND);
	world_fact(&w, LEAF1 "tx.total")->count = 0;
	world_run(&w, 5);
	diagnose();
	acquittal_make(&a, &d);
	assert_true(a.window_us <= 6 * SECOND);
	acquittal_done(&a);
	end();
}

/* 10 000 pause frames a second from a host that is not read stopped a switch, and not a row said so. */
static void a_port_is_judged_by_its_pause_though_its_peer_is_not_read(void **state)
{
	const struct finding *f;
	struct buf words = { 0 };
	struct pauses g = { 0 };

	(void)state;
	begin();
	world_set_lines(&w, "leaf1 ethernet1/1/9 up = yes\nleaf1 ethernet1/1/9 speed = 100G\nleaf1 ethernet1/1/9 peer.name = \"node9\"\n"
			    "leaf1 ethernet1/1/9 pfc.rx[3] = 0\nleaf1 ethernet1/1/9 pfc.tx[3] = 0\n");
	world_run(&w, 5);
	assert_null(said("not-paused", "leaf1:ethernet1/1/9"));
	world_set(&w, "leaf1 ethernet1/1/9 pfc.rx[3] = 10000");
	world_run(&w, 5);
	f = world_finding(&w, "not-paused", "leaf1:ethernet1/1/9");
	assert_true(f && f->verdict == VERDICT_UNKNOWN && strstr(f->missing, "10000 frames/s"));
	pauses_make(&g, &(struct pauses_of){ w.model, &w.links, w.policy, &w.inventory });
	assert_int_equal(g.n_roots, 1);
	pause_root_words(&g, &g.roots[0], &words);
	assert_non_null(strstr(words.text, "leaf1:ethernet1/1/9 is paused by node9"));
	buf_done(&words);
	pauses_done(&g);
	end();
}

/* Packets in the wrong class hang on a map that may have been changed: it was read again after 15 s. */
static void what_traffic_does_has_settings_read_again(void **state)
{
	static const char *const symptoms[] = { "roce-in-class", "class-kept", "wire-clean", "lossless-kept", "cnp-loop-closed", "link-up" };
	static const char *const others[] = { "trust-as-wanted", "answers-in-time", "counters-move", "device-reached" };

	(void)state;
	for (size_t i = 0; i < sizeof(symptoms) / sizeof(*symptoms); i++)
		assert_true(check_is_symptom(check_find(symptoms[i])));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(check_is_symptom(check_find(others[i])));
}

/* "No drop at any port", by counters that were read before the gaps began; and a port that "does not tell of which priority". */
static void drops_that_were_not_read_since_are_no_drops_that_are_not(void **state)
{
	char *fact;

	(void)state;
	begin();
	world_run(&w, 1);
	for (size_t i = 0; i < model_ports(w.model); i++)
		for (unsigned prio = 0; prio < 8; prio++) {
			const struct port *p = model_port(w.model, i);

			fact = xasprintf("%s %s tx.drop[%u] = 0", p->device->name, p->name, prio);
			world_set(&w, fact);
			*strstr(fact, " =") = '\0';
			if (!strcmp(p->device->name, "leaf1"))
				world_drop(&w, fact);
			free(fact);
		}
	world_run(&w, 2);
	for (unsigned pass = 0; pass < 2; pass++) {
		struct buf facts = { 0 };

		for (unsigned prio = 0; prio < 8; prio++)
			buf_printf(&facts, LEAF1 "tx.drop[%u] = 0\n", prio);
		say_once("queuing", "leaf1", facts.text);
		buf_done(&facts);
		world_run(&w, 12);
	}
	world_set(&w, ETH2 "oos = 500");
	world_run(&w, 5);
	assert_non_null(strstr(said("sequence-kept", "node1:eth2"), "what leaf1 ethernet1/1/1 drops is not read yet"));
	world_set(&w, LEAF1 "tx.discard = 900");
	world_run(&w, 5);
	assert_non_null(strstr(said("sequence-kept", "node1:eth2"), "of which priority is not read yet"));
	end();
}

/* RoCE v1 carries no DSCP, and "DSCP 26 yes" was said of it. */
static void a_marking_is_not_proven_of_packets_that_carry_none(void **state)
{
	static const char *const wrong[] = { ETH2 "gid.type[3] = v1", ETH2 "gid.v2 = no", ETH2 "rdma.soft = yes" };
	static const char *const right[] = { ETH2 "gid.type[3] = v2", ETH2 "gid.v2 = yes", ETH2 "rdma.soft = no" };

	(void)state;
	begin();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct proof proof = { 0 };
		bool is_false = false;

		world_set(&w, wrong[i]);
		world_run(&w, 2);
		proof_make(&proof, &(struct proof_of){ w.model, &w.links, w.policy, &w.inventory },
			   links_of_port(&w.links, model_find_port(w.model, "node1", "eth2")));
		for (size_t k = 0; k < proof.n_steps; k++)
			is_false |= !strcmp(proof.steps[k].name, "DSCP") && proof.steps[k].verdict >= VERDICT_WARN;
		assert_true(is_false);
		proof_done(&proof);
		world_set(&w, right[i]);
	}
	end();
}

/* "0 hosts with NET/IB, 1 with NET/Socket: no", while another host's job ran and its log was not read. */
static void jobs_that_do_not_tell_their_transport_are_not_of_one_kind(void **state)
{
	struct asking a;

	(void)state;
	begin();
	world_link(&w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_set(&w, "node1 app.net = socket");
	world_drop(&w, "node3 app.net");
	world_run(&w, 3);
	diagnose();
	question_ask(&a, &d, question_find(decision_tree_find(NULL), "X22"));
	assert_int_equal(a.answer, ANSWER_UNREPORTED);
	world_set(&w, "node3 app.net = ib");
	world_run(&w, 3);
	diagnose();
	question_ask(&a, &d, question_find(decision_tree_find(NULL), "X22"));
	assert_int_equal(a.answer, ANSWER_YES);
	end();
}

/* "Does every device answer? Yes", beside "1 not read whole in 6s". */
static void devices_that_are_still_answering_have_not_answered(void **state)
{
	struct asking a;

	(void)state;
	begin();
	world_run(&w, 12);
	diagnose();
	question_ask(&a, &d, question_find(decision_tree_find(NULL), "READ"));
	assert_int_equal(a.answer, ANSWER_YES);
	d.of.is_partial = true;
	question_ask(&a, &d, question_find(decision_tree_find(NULL), "READ"));
	assert_int_equal(a.answer, ANSWER_UNKNOWN);
	end();
}

/* "0.0 KB are left": of a buffer that no priority was said to use. make calm, seed 70237. */
static void headroom_is_of_the_buffer_that_the_nic_says_holds_the_priority(void **state)
{
	(void)state;
	begin();
	world_set_lines(&w, ETH2 "cable = 5\n" ETH2 "buffer.size[1] = 261888\n" ETH2 "buffer.size[3] = 0\n");
	world_run(&w, 3);
	assert_null(said("headroom-fits", "node1:eth2"));
	world_drop(&w, ETH2 "prio.pg[3]");
	world_run(&w, 3);
	assert_null(said("headroom-fits", "node1:eth2"));
	world_set(&w, ETH2 "prio.pg[3] = 3");
	world_run(&w, 3);
	assert_non_null(said("headroom-fits", "node1:eth2"));
	end();
}

/* A storm that begins was a slow receiver for some seconds, though nothing arrived that it could have been slow to take. */
static void who_receives_nothing_is_not_slow_to_receive(void **state)
{
	const struct finding *f;

	(void)state;
	begin();
	world_set_lines(&w, ETH2 "pfc.tx_us[3] = 300000\n" ETH2 "rx.bytes[3] = 1000000\n");
	world_run(&w, 6);
	assert_non_null(said("slow-receiver", "node1:eth2"));
	world_set(&w, ETH2 "rx.bytes[3] = 0");
	world_run(&w, 3);
	f = world_finding(&w, "slow-receiver", "node1:eth2");
	assert_true(!f || f->verdict == VERDICT_UNKNOWN || f->is_standing);
	end();
}

/* Each member of a bond had all of the bond's RDMA traffic: 110 Gb/s on 100G. */
static void bytes_of_a_bond_are_those_of_its_members_together(void **state)
{
	const struct finding *f;

	(void)state;
	begin();
	for (unsigned i = 2; i < 4; i++) {
		char *fact = xasprintf("node1 eth%u rdma", i), *set = xasprintf("node1 eth%u bond = \"bond0\"", i);
		char *bytes = xasprintf("node1 eth%u tx.bytes[3] = 6000000000\nnode1 eth%u tx.bytes[0] = 0\n", i, i);

		world_drop(&w, fact);
		world_set(&w, set);
		world_set_lines(&w, bytes);
		free(fact);
		free(set);
		free(bytes);
	}
	world_set_lines(&w, "node1 bond0 rdma = \"mlx5_bond_0\"\nnode1 bond0 role = bond\nnode1 bond0 rdma.tx = 12000000000\n");
	world_run(&w, 12);
	assert_null(said("roce-in-class", "node1:eth2"));
	assert_null(said("roce-in-class", "node1:eth3"));
	world_set_lines(&w, "node1 eth2 tx.bytes[3] = 0\nnode1 eth2 tx.bytes[0] = 7000000000\nnode1 eth3 tx.bytes[3] = 5000000000\n");
	world_run(&w, 12);
	f = world_finding(&w, "roce-in-class", "node1:eth2");
	assert_true(f && strstr(f->what, "of 96.00 Gb/s of RDMA traffic of its bond only 40.00 leave"));
	assert_null(said("roce-in-class", "node1:eth3"));
	assert_null(f->cause);
	/* what is set wrong at the other member explains it: told at eth2, a story of its own */
	world_set_lines(&w, "node1 eth2 role = member\nnode1 eth3 role = member\nnode1 eth3 trust = pcp\nnode1 eth3 pfc.on[3] = no\n");
	world_run(&w, 12);
	f = world_finding(&w, "roce-in-class", "node1:eth2");
	assert_true(f && f->cause);
	assert_string_equal(f->cause->check->id, "bond-members-alike");
	assert_string_equal(f->cause->port->name, "eth3");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_that_were_not_read_since_are_no_drops_that_are_not),
		cmocka_unit_test(a_marking_is_not_proven_of_packets_that_carry_none),
		cmocka_unit_test(jobs_that_do_not_tell_their_transport_are_not_of_one_kind),
		cmocka_unit_test(devices_that_are_still_answering_have_not_answered),
		cmocka_unit_test(headroom_is_of_the_buffer_that_the_nic_says_holds_the_priority),
		cmocka_unit_test(who_receives_nothing_is_not_slow_to_receive),
		cmocka_unit_test(bytes_of_a_bond_are_those_of_its_members_together),
		cmocka_unit_test(what_traffic_does_has_settings_read_again),
		cmocka_unit_test(marking_is_not_blamed_by_settings_that_are_older_than_the_symptom),
		cmocka_unit_test(nothing_is_paused_on_a_link_that_is_down),
		cmocka_unit_test(a_storm_is_over_where_the_switch_is_not_paused),
		cmocka_unit_test(a_mean_is_told_with_its_window),
		cmocka_unit_test(a_flap_is_no_rate_and_no_damage_of_a_link_that_is_down),
		cmocka_unit_test(a_rate_below_one_is_not_zero),
		cmocka_unit_test(what_is_dropped_on_receive_follows_from_the_mtu_first),
		cmocka_unit_test(counters_are_still_since_the_device_counts),
		cmocka_unit_test(a_port_is_judged_by_its_pause_though_its_peer_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
