/* Wrong greens and false reds: a fabric that is ill in a way that looks well, and one that is well and looks ill. */
#include "core/judge/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/stopped.h"
#include "tests/lib/world.h"
#include "tui/views/port_row.h"
#include "tui/views/compare.h"
#include "tui/views/worst_links.h"

#define ETH2 "node1 eth2 "
#define LEAF1 "leaf1 ethernet1/1/1 "
#define LEAF2 "leaf2 Ethernet4 "

static const struct finding *needed(const struct world *w, const char *check, const char *where)
{
	const struct finding *f = world_finding(w, check, where);
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; !f && i < n; i++)
		print_message("%s %s %s: %s %s\n", verdict_name(list[i]->verdict), list[i]->check->id, list[i]->where,
			      list[i]->what, list[i]->missing);
	assert_non_null(f);
	return f;
}

static void says(const struct finding *f, enum verdict verdict, const char *words)
{
	assert_string_equal(verdict_name(f->verdict), verdict_name(verdict));
	if (!strstr(f->what, words))
		fail_msg("\"%s\" does not say \"%s\"", f->what, words);
}

/* -- knowing -- */

static void half_an_answer_keeps_nothing_young_that_it_does_not_say(void **state)
{
	struct model *m = model_saying("node1 eth2 pfc.on[3] = yes\nnode1 eth2 pfc.rx[3] = 10", SECOND);
	const struct port *p = model_find_port(m, "node1", "eth2");
	uint64_t n;

	(void)state;
	for (int64_t at_us = 2 * SECOND; at_us < 20 * SECOND; at_us += SECOND) {
		struct obs o;
		struct err err;

		obs_init(&o, "node1", "test");
		o.at_us = at_us;
		o.period_us = SECOND;
		o.rank = 10;
		o.is_partial = true;
		assert_true(obs_read(&o, SPAN("node1 eth2 pfc.on[3] = yes"), &err));
		model_apply(m, &o);
		obs_done(&o);
	}
	assert_true(port_number(m, p, FIELD_PFC_ON, 3, &n));
	assert_false(port_number(m, p, FIELD_PFC_RX, 3, &n));
	assert_non_null(port_cell(p, FIELD_PFC_RX, 3));		/* not gone, but old */
	model_free(m);
}

/* facts NULL: the answer holds none. */
static void answer(struct world *w, const char *probe, const char *facts, bool is_partial)
{
	struct obs o;
	struct err err;

	obs_init(&o, "node1", probe);
	o.at_us = w->now_us;
	o.period_us = 30 * SECOND;
	o.rank = 10;
	o.is_partial = is_partial;
	o.raw = SPAN("text");
	if (facts)
		assert_true(obs_read(&o, span_of(facts), &err));
	model_apply(w->model, &o);
	obs_done(&o);
}

/* A tool was killed on its way: the answer is not whole, which is no layout that nobody knows. */
static void an_answer_that_never_came_whole_is_not_called_garbled(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 2);
	answer(&w, "lldp", "node1 eth2 peer.name = \"leaf1\"", true);
	world_run(&w, 1);
	assert_null(world_finding(&w, "answers-understood", "node1"));
	answer(&w, "lldp", NULL, false);		/* whole, and it holds nothing any more */
	world_run(&w, 1);
	assert_non_null(world_finding(&w, "answers-understood", "node1"));
	world_done(&w);
}

/* The rest of the shares is in what was not received. */
static void shares_of_an_answer_that_was_cut_short_do_not_fail_to_add_up(void **state)
{
	static const char first_class[] = "node1 eth2 ets.algo[0] = ets\nnode1 eth2 ets.share[0] = 20";
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "- " ETH2 "ets.algo[0]\n- " ETH2 "ets.algo[3]\n- " ETH2 "ets.algo[4]\n- " ETH2 "ets.algo[6]\n"
			    "- " ETH2 "ets.share[0]\n- " ETH2 "ets.share[3]\n- " ETH2 "ets.share[4]\n- " ETH2 "ets.share[6]\n");
	world_run(&w, 2);
	answer(&w, "mlnx_qos", first_class, true);
	world_run(&w, 1);
	assert_int_equal(needed(&w, "ets-adds-up", "node1:eth2")->verdict, VERDICT_UNKNOWN);
	answer(&w, "mlnx_qos", first_class, false);
	world_run(&w, 1);
	assert_string_equal(world_finding(&w, "ets-adds-up", "node1:eth2")->what, "the shares add up to 20 %, not to 100");
	world_done(&w);
}

static void a_nic_that_does_not_tell_what_it_can_is_not_as_capable(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "pcie.width.max = unknown \"not root\"");
	world_run(&w, 3);
	assert_int_equal(needed(&w, "pcie-as-capable", "node1:eth2")->verdict, VERDICT_UNKNOWN);
	world_drop(&w, ETH2 "pcie.width.max");	/* a virtual machine */
	world_run(&w, 3);
	assert_null(world_finding(&w, "pcie-as-capable", "node1:eth2"));
	world_done(&w);
}

static void a_member_of_nobody_knows_which_bond_is_not_as_its_twin(void **state)
{
	static const char *const facts[] = { ETH2 "role = member", ETH2 "bond = \"bond0\"", "node1 eth3 role = member",
					     "node1 eth3 bond = unknown \"not root\"" };
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		world_set(&w, facts[i]);
	world_run(&w, 3);
	assert_int_equal(needed(&w, "bond-members-alike", "node1:eth2")->verdict, VERDICT_UNKNOWN);
	assert_int_equal(needed(&w, "bond-members-alike", "node1:eth3")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* OS10 is asked port by port, of those that LLDP names: one that went down names nobody, and is asked no more. */
static void a_port_that_is_down_and_not_asked_makes_no_device_late(void **state)
{
	struct world w;
	struct obs o;
	struct err err;

	(void)state;
	world_init(&w);
	obs_init(&o, "leaf1", "queuing");
	o.subject = "ethernet1/1/1";
	o.period_us = SECOND;
	o.at_us = w.now_us;
	assert_true(obs_read(&o, SPAN("leaf1 ethernet1/1/1 tx.drop[5] = 0"), &err));
	model_apply(w.model, &o);
	obs_done(&o);
	world_run(&w, 60);
	assert_non_null(world_finding(&w, "answers-in-time", "leaf1"));	/* it is up: its answers lack */
	world_set(&w, LEAF1 "up = no");
	world_run(&w, 40);
	assert_null(world_finding(&w, "answers-in-time", "leaf1"));
	world_done(&w);
}

/* Trust is PCP: the map is not printed, and what a packet gets is the port's default, not a row of a map that nobody read. */
static void a_default_priority_is_not_told_as_a_row_of_the_map(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "trust = pcp");
	world_run(&w, 3);
	says(needed(&w, "dscp-same", "node1:eth2"), VERDICT_FAIL,
	     "DSCP 26 gets priority 0 (its default: DSCP is not trusted) at node1 and 3 at leaf1");
	world_done(&w);
}

/* -- marking -- */

static void a_tos_that_says_congested_already_is_wrong(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "tos.cma = 107");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_FAIL, "marks every packet CE");
	world_set(&w, ETH2 "tos.cma = 105");	/* ECT(1) is as good as ECT(0) */
	world_run(&w, 3);
	assert_null(world_finding(&w, "tos-ecn", "node1:eth2"));
	world_done(&w);
}

/* mlx5 sets the ECN bits by itself: likely, until CE marks show that it does. irdma sends the ToS as it is. */
static void a_tos_without_ecn_is_judged_by_what_the_driver_does_with_it(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "tos.cma = 104");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_WARN, "likely sent as Not-ECT");
	world_set(&w, ETH2 "driver = \"ice\"");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_FAIL, "DSCP 26 without ECN: sent as Not-ECT");
	world_done(&w);

	world_init(&w);
	world_set_lines(&w, ETH2 "tos.cma = 104\nnode1 eth3 tos.cma = 104\nnode1 app.tc = 104\n");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_LOOK, "CE marks arrive: the NICs set ECT");
	world_done(&w);
}

/* -- classes -- */

static void best_effort_in_the_queue_of_lossless_data_is_found(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "tc.queue[0] = 3");
	world_set(&w, ETH2 "prio.tc[0] = 3");
	world_run(&w, 3);
	says(needed(&w, "best-effort-lossy", "leaf2:Ethernet4"), VERDICT_WARN, "queue 3");
	says(needed(&w, "best-effort-lossy", "node1:eth2"), VERDICT_WARN, "class 3");
	world_done(&w);
}

/* -- pause -- */

/* An E810 counts a pause of one priority for each priority of its class. */
static void priorities_that_an_e810_counts_in_unison_are_not_paused(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "driver = \"ice\"");
	world_set(&w, ETH2 "prio.tc[2] = 3");
	world_set(&w, ETH2 "pfc.rx[2] = 20");
	world_run(&w, 3);
	assert_null(world_finding(&w, "priority-quiet", "node1:eth2"));
	world_set(&w, ETH2 "prio.tc[2] = 2");	/* another class: its own pause */
	world_run(&w, 3);
	says(needed(&w, "priority-quiet", "node1:eth2"), VERDICT_WARN, "priority 2");
	world_done(&w);
}

static void a_queue_that_the_watchdog_stopped_before_we_came_is_found(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.stormed[3] = yes");	/* its count stands still */
	world_run(&w, 30);
	says(needed(&w, "watchdog-quiet", "leaf2:Ethernet4"), VERDICT_FAIL, "now");
	says(needed(&w, "pause-storm", "node1:eth3"), VERDICT_FAIL, "leaf2");
	world_set(&w, LEAF2 "pfc.stormed[3] = no");
	world_run(&w, 30);
	assert_null(world_finding(&w, "watchdog-quiet", "leaf2:Ethernet4"));
	world_done(&w);
}

static void a_watchdog_that_does_not_tell_whether_it_holds_the_queue_is_not_quiet(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.stormed[3] = unknown \"timeout\"");
	world_run(&w, 5);
	assert_int_equal(needed(&w, "watchdog-quiet", "leaf2:Ethernet4")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* "The watchdog drops packets now" was said whatever its action. */
static void a_watchdog_that_does_not_drop_is_told_with_its_action(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.stormed[3] = yes");
	world_set(&w, LEAF2 "pfc.watchdog.action = alert");
	world_run(&w, 30);
	says(needed(&w, "storm-ended", "leaf2:Ethernet4"), VERDICT_FAIL, "alert: the storm goes on");
	assert_null(world_finding(&w, "watchdog-quiet", "leaf2:Ethernet4"));
	world_set(&w, LEAF2 "pfc.watchdog.action = forward");
	world_run(&w, 30);
	says(needed(&w, "storm-ended", "leaf2:Ethernet4"), VERDICT_FAIL, "forward: it sends in spite of the pause");
	assert_null(world_finding(&w, "watchdog-quiet", "leaf2:Ethernet4"));
	world_set(&w, LEAF2 "pfc.watchdog.action = drop");
	world_run(&w, 30);
	says(needed(&w, "watchdog-quiet", "leaf2:Ethernet4"), VERDICT_FAIL, "is dropping packets of priority 3");
	assert_null(world_finding(&w, "storm-ended", "leaf2:Ethernet4"));
	world_done(&w);
}

static void what_a_watchdog_does_is_not_guessed(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.stormed[3] = yes");
	world_run(&w, 30);
	says(needed(&w, "watchdog-quiet", "leaf2:Ethernet4"), VERDICT_FAIL, "whether it drops is not known");
	world_set(&w, LEAF2 "storm.tx_drop[3] = 5000");	/* it is seen to */
	world_run(&w, 30);
	says(needed(&w, "watchdog-quiet", "leaf2:Ethernet4"), VERDICT_FAIL, "is dropping packets of priority 3");
	world_done(&w);
}

static void a_storm_that_is_over_is_told_as_past_with_its_count(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.watchdog.action = drop");
	world_set(&w, LEAF2 "pfc.restored[3] = 0");
	world_run(&w, 30);
	assert_null(world_finding(&w, "storms-past", "leaf2:Ethernet4"));
	world_set(&w, LEAF2 "pfc.storm[3] = 1");
	world_set(&w, LEAF2 "pfc.restored[3] = 1");
	world_run(&w, 2);
	world_set(&w, LEAF2 "pfc.storm[3] = 0");
	world_set(&w, LEAF2 "pfc.restored[3] = 0");
	world_run(&w, 60);
	says(needed(&w, "storms-past", "leaf2:Ethernet4"), VERDICT_LOOK, "2 storms since its counters began, all over");
	assert_null(world_finding(&w, "watchdog-quiet", "leaf2:Ethernet4"));
	world_run(&w, 700);
	assert_null(world_finding(&w, "storms-past", "leaf2:Ethernet4"));
	world_done(&w);
}

static void who_takes_bytes_is_not_stuck_though_its_packets_stand(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "pfc.tx_us[3] = 800000");
	world_set(&w, ETH2 "pfc.tx[3] = 3000");
	world_set(&w, ETH2 "rx.packets[3] = 0");
	world_set(&w, ETH2 "rx.bytes[3] = 100000000");
	world_run(&w, 15);
	needed(&w, "slow-receiver", "node1:eth2");
	assert_null(world_finding(&w, "pause-storm", "node1:eth2"));
	world_done(&w);
}

/* Where the maps disagree the watchdog counts at the queue that the pause stops: the tree of pauses saw that, the check did not. */
static void a_storm_is_seen_at_the_queue_that_the_pause_stops(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "pfc.queue[3] = 4");
	world_set(&w, LEAF2 "pfc.storm[4] = 2");
	world_run(&w, 15);
	says(needed(&w, "pause-storm", "node1:eth3"), VERDICT_FAIL, "the watchdog of leaf2 saw a storm");
	world_done(&w);
}

static void the_watchdog_counts_by_queue(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "tc.queue[3] = 5");
	world_set(&w, LEAF2 "pfc.storm[5] = 1");
	world_run(&w, 3);
	needed(&w, "watchdog-quiet", "leaf2:Ethernet4");
	needed(&w, "pause-storm", "node1:eth3");
	world_done(&w);
}

/* -- cables -- */

static const struct port *far_end(const struct model *m, struct links *links, const char *device, const char *port)
{
	const struct port *p = model_find_port(m, device, port);
	const struct link *l;

	links_update(links, m, NULL);
	l = links_of_port(links, p);
	return l ? link_far(l, p) : NULL;
}

/* lldpd names the host by the MAC of one of its ports, whichever port it speaks from. */
static void the_mac_of_a_chassis_does_not_name_its_port(void **state)
{
	struct model *m = model_saying("node1 eth2 mac = \"00:00:00:00:00:02\"\n"
				       "node1 eth3 mac = \"00:00:00:00:00:03\"", SECOND);
	struct links links = { 0 };

	(void)state;
	model_say_by(m, "lldp", 0, "leaf1 ethernet1/1/2 peer.chassis = \"00:00:00:00:00:02\"\n"
				   "leaf1 ethernet1/1/2 peer.port = \"eth3\"\n"
				   "leaf1 ethernet1/1/4 peer.chassis = \"00:00:00:00:00:02\"\n"
				   "leaf1 ethernet1/1/4 peer.port = \"eno1\"", SECOND);
	assert_ptr_equal(far_end(m, &links, "leaf1", "ethernet1/1/2"), model_find_port(m, "node1", "eth3"));
	assert_null(far_end(m, &links, "leaf1", "ethernet1/1/4"));
	links_done(&links);
	model_free(m);
}

/* Descriptions often name the port at the other end. */
static void a_port_whose_description_is_another_ports_name_is_not_that_port(void **state)
{
	struct model *m = model_saying("leaf1 ethernet1/1/1 alias = \"Eth 1/1/2\"\n"
				       "leaf1 ethernet1/1/2 alias = \"Eth 1/1/1\"", SECOND);
	struct links links = { 0 };

	(void)state;
	model_say_by(m, "lldp", 0, "node1 eth2 peer.name = \"leaf1\"\nnode1 eth2 peer.port = \"Eth 1/1/2\"", SECOND);
	assert_ptr_equal(far_end(m, &links, "node1", "eth2"), model_find_port(m, "leaf1", "ethernet1/1/2"));
	links_done(&links);
	model_free(m);
}

/* SONiC comes with 9100: packets of 9000 bytes pass it. */
static void switches_of_two_vendors_that_both_take_a_hosts_packets_are_well(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "mtu = 9122");
	world_set(&w, "leaf2 Ethernet8 mtu = 9122");
	world_set(&w, "leaf2 Ethernet8 peer.name = \"leaf1\"");
	world_set(&w, "leaf2 Ethernet8 peer.port = \"ethernet1/1/9\"");
	world_set(&w, "leaf1 ethernet1/1/9 mtu = 9216");
	world_run(&w, 3);
	assert_int_equal(needed(&w, "mtu-as-wanted", "leaf2:Ethernet4")->verdict, VERDICT_LOOK);
	assert_int_equal(needed(&w, "mtu-fits", "leaf1:ethernet1/1/9")->verdict, VERDICT_LOOK);
	world_set(&w, "leaf2 Ethernet8 mtu = 9000");
	world_run(&w, 3);
	assert_int_equal(needed(&w, "mtu-fits", "leaf1:ethernet1/1/9")->verdict, VERDICT_FAIL);
	world_done(&w);
}

/* -- the policy -- */

static void use_policy(struct world *w, const char *more)
{
	char *text = xasprintf("%s%s", policy_builtin_text(policy_builtin_name(0)), more);
	struct err err;

	policy_free(w->policy);
	w->policy = policy_read(span_of(text), "test", &err);
	if (!w->policy)
		fail_msg("%s", err.text);
	free(text);
}

/* No line of a policy goes unjudged: a fabric that differs in a setting without a check of its own was "no finding". */
static void whatever_a_policy_requires_is_judged(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, ETH2 "cc.rpg_ai_rate = 5\nnode1 eth3 cc.rpg_ai_rate = 7\nnode1 tcp_ecn = 2\n" ETH2 "fec = \"rs\"");
	use_policy(&w, "node1 * cc.rpg_ai_rate = 7\nnode1 eth2 fec = \"off\"\nnode1 tcp_ecn = 1\nleaf1 * ets.algo[6] = strict\n");
	world_run(&w, 3);
	says(needed(&w, "port-as-wanted", "node1:eth2"), VERDICT_WARN, "fec is \"rs\", expected \"off\"; cc.rpg_ai_rate is 5, expected 7");
	says(needed(&w, "device-as-wanted", "node1"), VERDICT_WARN, "tcp_ecn is 2, expected 1");
	assert_null(world_finding(&w, "port-as-wanted", "node1:eth3"));
	assert_null(world_finding(&w, "port-as-wanted", "leaf2:Ethernet4"));
	world_set_lines(&w, ETH2 "cc.rpg_ai_rate = 7\nnode1 tcp_ecn = 1\n" ETH2 "fec = \"off\"\n- node1 eth3 cc.rpg_ai_rate");
	world_run(&w, 3);
	assert_null(world_finding(&w, "port-as-wanted", "node1:eth2"));
	assert_null(world_finding(&w, "device-as-wanted", "node1"));
	world_set(&w, "node1 eth3 cc.rpg_ai_rate = unknown \"not root\"");
	world_run(&w, 3);
	assert_int_equal(needed(&w, "port-as-wanted", "node1:eth3")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* By the id of the board or by the driver; the version with that id behind it or without. */
static void a_policy_requires_a_firmware_of_a_part(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, ETH2 "firmware = \"28.36.1010 (MT_0000000838)\"\nnode1 eth3 firmware = \"28.39.1002 (MT_0000000838)\"");
	use_policy(&w, "host part:MT_0000000838 firmware = \"28.39.1002\"\n");
	world_run(&w, 3);
	says(needed(&w, "firmware-as-wanted", "node1:eth2"), VERDICT_WARN, "firmware is 28.36.1010 (MT_0000000838), expected 28.39.1002");
	assert_null(world_finding(&w, "firmware-as-wanted", "node1:eth3"));
	assert_null(world_finding(&w, "port-as-wanted", "node1:eth2"));
	use_policy(&w, "host part:MT_0000000839 firmware = \"28.39.1002\"\n");
	world_run(&w, 3);
	assert_null(world_finding(&w, "firmware-as-wanted", "node1:eth2"));
	use_policy(&w, "host driver:mlx5_* firmware = \"28.36.1010 (MT_0000000838)\"\n");
	world_run(&w, 3);
	assert_null(world_finding(&w, "firmware-as-wanted", "node1:eth2"));
	says(needed(&w, "firmware-as-wanted", "node1:eth3"), VERDICT_WARN,
	     "firmware is 28.39.1002 (MT_0000000838), expected 28.36.1010 (MT_0000000838)");
	use_policy(&w, "host part:MT_0000000838 firmware = \"28.39.1002\"\n");
	world_set(&w, ETH2 "firmware = unknown \"not root\"");
	world_run(&w, 3);
	assert_int_equal(needed(&w, "firmware-as-wanted", "node1:eth2")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* -- loss -- */

static void a_switch_that_drops_what_arrives_does_not_keep_it(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF1 "rx.discard = 40");	/* it shows no drops of priority groups */
	world_set(&w, LEAF2 "rx.discard = 40");	/* this one does: they are of others */
	world_run(&w, 3);
	says(needed(&w, "lossless-kept", "leaf1:ethernet1/1/1"), VERDICT_LOOK, "the priority is not reported");
	assert_null(world_finding(&w, "lossless-kept", "leaf2:Ethernet4"));
	world_done(&w);
}

static void what_a_nic_drops_for_its_host_is_lost_as_well(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "rx.drop.buffer[3] = 7");
	world_run(&w, 3);
	needed(&w, "lossless-kept", "node1:eth2");
	world_set(&w, ETH2 "rx.drop.buffer[3] = 0");
	world_set(&w, ETH2 "rx.drop.congestion[3] = 7");
	world_run(&w, 30);
	needed(&w, "lossless-kept", "node1:eth2");
	world_done(&w);
}

/* -- rows -- */

static void row_of(const struct world *w, const char *port, struct portrow *row)
{
	const struct link *l = links_of_port(&w->links, model_find_port(w->model, "node1", port));

	assert_non_null(l);
	portrow_make(row, w->model, w->findings, w->policy, l, false, true);
}

static void a_row_shows_the_queue_that_the_priority_leaves_by(void **state)
{
	struct portrow row;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, LEAF2 "tc.queue[3] = 5");
	world_set(&w, LEAF2 "ecn.on[5] = no");
	world_run(&w, 3);
	row_of(&w, "eth3", &row);
	assert_string_equal(row.pairs[PAIR_ECN].b, "off");
	world_set(&w, LEAF2 "tc.queue[3] = unknown \"the default is not printed\"");
	world_run(&w, 3);
	row_of(&w, "eth3", &row);
	assert_string_equal(row.pairs[PAIR_ECN].b, "?");
	world_done(&w);
}

static void what_stops_a_port_tells_for_how_long_where_the_port_does_not(void **state)
{
	const struct finding *stopped;
	struct portrow row;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	for (unsigned i = 1; i <= 3; i++) {
		char fact[64];

		snprintf(fact, sizeof(fact), "node1 eth3 pfc.tx_us[3] = %u", i * 500000);
		world_set(&w, fact);
		world_run(&w, 1);
	}
	row_of(&w, "eth3", &row);
	assert_true(row.paused_known && row.paused_share > 0.4);
	assert_string_equal(row.paused->device->name, "leaf2");
	stopped = needed(&w, "not-paused", "leaf2:Ethernet4");
	assert_true(stopped->n_evidence > 0);
	assert_string_equal(stopped->evidence[0].port->name, "eth3");
	assert_int_equal(stopped->evidence[0].field, FIELD_PFC_TX_US);
	world_done(&w);
}

/* The newest sample, the least and the mean of a storm were on one screen: 95, 87.6 and 79 %. */
static void a_share_stopped_is_one_number_wherever_it_is_said(void **state)
{
	static const unsigned us[] = { 930000, 970000, 1000000 };
	const struct finding *storm;
	struct portrow row;
	struct stopped s;
	struct world w;
	char text[64], pct[SHARE_TEXT];

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth3 rx.packets[3] = 0");
	world_run(&w, 3);
	for (size_t i = 0; i < sizeof(us) / sizeof(*us); i++) {
		snprintf(text, sizeof(text), "node1 eth3 pfc.tx_us[3] = %u", us[i]);
		world_set(&w, text);
		world_run(&w, 1);
	}
	row_of(&w, "eth3", &row);
	stopped_of(w.model, row.link->b, row.link->a, 3, &s);
	assert_true(fabs(s.share - 0.9667) < 0.001);
	assert_true(fabs(row.paused_share - s.share) < 1e-9);
	assert_int_equal(s.window_us, 3 * SECOND);
	assert_int_equal(row.paused_window_us, s.window_us);
	snprintf(text, sizeof(text), "sends pause %s %% of the last 3 s on priority 3", share_text(pct, s.share));
	storm = needed(&w, "pause-storm", "node1:eth3");
	says(storm, VERDICT_FAIL, text);
	assert_true(fabs(storm->held - s.share) < 1e-9);
	world_done(&w);
}

/* "No file names mlnx_qos" beside an owner that could not be read: an operator may set it again. */
static void qos_is_called_forgotten_where_nobody_may_keep_it(void **state)
{
	static const char *const keepers[] = { "owner", "persist.unit", "lldpad" };
	struct world w;
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(keepers) / sizeof(*keepers); i++) {
		world_init(&w);
		world_set_lines(&w, "node1 persist.qos = no\nnode1 persist.where = \"/etc/systemd/system\"\n");
		world_run(&w, 3);
		says(world_finding(&w, "qos-kept", "node1"), VERDICT_LOOK, "names mlnx_qos");
		snprintf(text, sizeof(text), "node1 %s = unknown \"not root\"", keepers[i]);
		world_set(&w, text);
		findings_free(w.findings);
		w.findings = findings_new();
		world_run(&w, 3);
		assert_int_equal(world_finding(&w, "qos-kept", "node1")->verdict, VERDICT_UNKNOWN);
		world_done(&w);
	}
}

/* "4200 ≠ 4200": what is wrong with both ends is no difference between them. */
static void two_ends_are_said_to_differ_only_where_they_do(void **state)
{
	struct pair_cell both = { .a = "4200", .b = "4200", .worst = VERDICT_FAIL }, one = { .a = "4200", .b = "9216", .worst = VERDICT_FAIL };
	struct pair_cell half = { .a = "?", .b = "26>3", .worst = VERDICT_FAIL };

	(void)state;
	assert_string_equal(pair_joint(&both), "!");
	assert_string_equal(pair_joint(&one), "≠");
	assert_string_equal(pair_joint(&half), "!");	/* what is not read differs from nothing */
}

/* Its newest sample alone would be another number than that of the pause trees. */
static void a_row_counts_pause_frames_over_the_time_that_the_pause_trees_do(void **state)
{
	static const unsigned counts[] = { 1000, 7000, 14000, 24000 };
	const struct port *port, *peer;
	struct portrow row;
	struct stopped s;
	struct world w;
	char fact[64];

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		snprintf(fact, sizeof(fact), "node1 eth3 pfc.rx[3] = %u", counts[i]);
		world_set(&w, fact);
		world_run(&w, 1);
	}
	row_of(&w, "eth3", &row);
	port = model_find_port(w.model, "node1", "eth3");
	peer = row.link->a == port ? row.link->b : row.link->a;
	stopped_of(w.model, port, peer, 3, &s);
	assert_true(s.frames_per_s > 14999 && s.frames_per_s < 15001);
	assert_true(fabs(row.pfc_per_s - s.frames_per_s) < 1);
	world_done(&w);
}

static void of_a_link_whose_pause_is_known_one_way_it_is_not_told_as_never_stopped(void **state)
{
	static const char *const lost[] = { "node1 eth3 pfc.rx_us[3]", "node1 eth3 pfc.rx[3]", LEAF2 "pfc.tx[3]" };
	struct portrow row;
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth3 pfc.tx_us[3] = 0");
	world_run(&w, 3);
	row_of(&w, "eth3", &row);
	assert_true(row.paused_known);
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		world_drop(&w, lost[i]);
	world_run(&w, 5);
	row_of(&w, "eth3", &row);
	assert_false(row.paused_known);
	world_done(&w);
}

/* "Worst links: 0" stood beside links of which nobody told what they lose. */
static void what_overview_counts_as_losing_nothing_was_told_to_lose_nothing(void **state)
{
	struct worst_links worst = { 0 };
	struct portrow rows[2];
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	row_of(&w, "eth2", &rows[0]);
	row_of(&w, "eth3", &rows[1]);
	worst_links_update(&worst, rows, 2, w.model, w.findings, 3);
	assert_int_equal(worst.silent, 0);
	assert_null(worst.lossy);
	world_set(&w, LEAF2 "tx.drop[3] = unknown \"cut short\"");
	world_set(&w, LEAF1 "tx.drop[0] = 0");
	world_run(&w, 5);
	world_set(&w, LEAF1 "tx.drop[0] = 55000");
	world_run(&w, 5);
	row_of(&w, "eth2", &rows[0]);
	row_of(&w, "eth3", &rows[1]);
	worst_links_update(&worst, rows, 2, w.model, w.findings, 3);
	assert_int_equal(worst.silent, 1);
	assert_true(worst.lossy_per_s > 50000);
	assert_ptr_equal(worst.lossy, &rows[0]);
	worst_links_done(&worst);
	world_done(&w);
}

/* The list of links had 3600 damaged frames a second, and the finding below it 3069: the one was of a second, the other of ten. */
static void overview_and_finding_have_one_number_of_the_same_damage(void **state)
{
	struct worst_links worst = { 0 };
	struct portrow row;
	struct world w;
	char words[64];

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "phy.err = 3000");
	world_run(&w, 12);
	world_set(&w, ETH2 "phy.err = 4000");
	world_run(&w, 2);
	row_of(&w, "eth2", &row);
	worst_links_update(&worst, &row, 1, w.model, w.findings, 3);
	assert_int_equal(worst.n, 1);
	snprintf(words, sizeof(words), "%.0f frames/s with CRC or symbol errors (mean of 11 s)", worst.list[0].errors_per_s);
	assert_string_equal(world_finding(&w, "wire-clean", "node1:eth2")->what, words);
	worst_links_done(&worst);
	world_done(&w);
}

/* The two ends of one cable were each the whole link, compared with itself; and FEC "RS" differed from "rs". */
static void the_ends_of_a_link_are_compared_with_each_other(void **state)
{
	struct comparison c = { 0 };
	bool has_mtu = false;
	struct world w;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 fec = \"RS\"\nleaf1 ethernet1/1/1 fec = \"cl91-rs\"\n");
	world_run(&w, 5);
	compare_end(&c, &(struct compare_with){ w.model, w.policy, &w.inventory }, model_find_port(w.model, "node1", "eth2"));
	compare_end(&c, &(struct compare_with){ w.model, w.policy, &w.inventory }, model_find_port(w.model, "leaf1", "ethernet1/1/1"));
	compare_make(&c);
	for (size_t i = 0; i < c.n_rows; i++) {
		has_mtu |= !strcmp(c.rows[i].of->name, "mtu") && c.rows[i].as == COMPARED_DIFFERS;
		assert_false(!strcmp(c.rows[i].of->name, "fec") && c.rows[i].as != COMPARED_ALIKE);
	}
	assert_true(has_mtu);
	comparison_done(&c);
	world_done(&w);
}

/* A link that LLDP no longer tells, as its port went down, was at once half as bad as what followed from it. */
static void a_port_of_roce_that_is_down_is_as_bad_without_a_known_far_end(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	world_set(&w, ETH2 "up = no");
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "link-up", "node1:eth2")->verdict, VERDICT_FAIL);
	for (size_t i = 0; i < w.n_facts; i++)
		w.facts[i].is_gone |= strstr(w.facts[i].what, " peer.") != NULL;
	world_run(&w, 3);
	assert_null(links_of_port(&w.links, model_find_port(w.model, "node1", "eth2")));
	assert_int_equal(world_finding(&w, "link-up", "node1:eth2")->verdict, VERDICT_FAIL);
	world_done(&w);
}

static void two_known_ends_do_not_agree_while_what_judges_them_is_in_doubt(void **state)
{
	struct portrow row;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	row_of(&w, "eth3", &row);
	assert_int_equal(pair_sign(&row.pairs[PAIR_ECN]), '=');
	world_set(&w, LEAF2 "ecn.kmin[3] = unknown \"not printed\"");
	world_run(&w, 3);
	row_of(&w, "eth3", &row);
	assert_int_equal(pair_sign(&row.pairs[PAIR_ECN]), '?');
	world_done(&w);
}

/* A switch has neither NP nor RP: that nothing is asked about them there is no doubt about its ECN. */
static void what_is_not_asked_of_a_switch_leaves_no_doubt_about_it(void **state)
{
	struct port *p;
	struct world w;

	(void)state;
	world_init(&w);
	world_run(&w, 3);
	p = model_find_port(w.model, "leaf1", "ethernet1/1/1");
	assert_int_equal(pair_worst(PAIR_ECN, w.findings, p, NULL), VERDICT_OK);
	world_set(&w, "leaf1 ethernet1/1/1 ecn.kmin[3] = unknown \"not printed\"");
	world_run(&w, 3);
	assert_int_equal(pair_worst(PAIR_ECN, w.findings, p, NULL), VERDICT_UNKNOWN);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_an_answer_keeps_nothing_young_that_it_does_not_say),
		cmocka_unit_test(an_answer_that_never_came_whole_is_not_called_garbled),
		cmocka_unit_test(shares_of_an_answer_that_was_cut_short_do_not_fail_to_add_up),
		cmocka_unit_test(a_nic_that_does_not_tell_what_it_can_is_not_as_capable),
		cmocka_unit_test(a_member_of_nobody_knows_which_bond_is_not_as_its_twin),
		cmocka_unit_test(a_port_that_is_down_and_not_asked_makes_no_device_late),
		cmocka_unit_test(a_default_priority_is_not_told_as_a_row_of_the_map),
		cmocka_unit_test(a_tos_that_says_congested_already_is_wrong),
		cmocka_unit_test(a_tos_without_ecn_is_judged_by_what_the_driver_does_with_it),
		cmocka_unit_test(best_effort_in_the_queue_of_lossless_data_is_found),
		cmocka_unit_test(priorities_that_an_e810_counts_in_unison_are_not_paused),
		cmocka_unit_test(a_queue_that_the_watchdog_stopped_before_we_came_is_found),
		cmocka_unit_test(a_watchdog_that_does_not_drop_is_told_with_its_action),
		cmocka_unit_test(what_a_watchdog_does_is_not_guessed),
		cmocka_unit_test(a_storm_that_is_over_is_told_as_past_with_its_count),
		cmocka_unit_test(a_watchdog_that_does_not_tell_whether_it_holds_the_queue_is_not_quiet),
		cmocka_unit_test(who_takes_bytes_is_not_stuck_though_its_packets_stand),
		cmocka_unit_test(a_storm_is_seen_at_the_queue_that_the_pause_stops),
		cmocka_unit_test(the_watchdog_counts_by_queue),
		cmocka_unit_test(the_mac_of_a_chassis_does_not_name_its_port),
		cmocka_unit_test(a_port_whose_description_is_another_ports_name_is_not_that_port),
		cmocka_unit_test(switches_of_two_vendors_that_both_take_a_hosts_packets_are_well),
		cmocka_unit_test(whatever_a_policy_requires_is_judged),
		cmocka_unit_test(a_policy_requires_a_firmware_of_a_part),
		cmocka_unit_test(a_switch_that_drops_what_arrives_does_not_keep_it),
		cmocka_unit_test(a_row_shows_the_queue_that_the_priority_leaves_by),
		cmocka_unit_test(what_stops_a_port_tells_for_how_long_where_the_port_does_not),
		cmocka_unit_test(a_share_stopped_is_one_number_wherever_it_is_said),
		cmocka_unit_test(qos_is_called_forgotten_where_nobody_may_keep_it),
		cmocka_unit_test(two_ends_are_said_to_differ_only_where_they_do),
		cmocka_unit_test(a_row_counts_pause_frames_over_the_time_that_the_pause_trees_do),
		cmocka_unit_test(of_a_link_whose_pause_is_known_one_way_it_is_not_told_as_never_stopped),
		cmocka_unit_test(what_overview_counts_as_losing_nothing_was_told_to_lose_nothing),
		cmocka_unit_test(overview_and_finding_have_one_number_of_the_same_damage),
		cmocka_unit_test(the_ends_of_a_link_are_compared_with_each_other),
		cmocka_unit_test(a_port_of_roce_that_is_down_is_as_bad_without_a_known_far_end),
		cmocka_unit_test(two_known_ends_do_not_agree_while_what_judges_them_is_in_doubt),
		cmocka_unit_test(what_is_not_asked_of_a_switch_leaves_no_doubt_about_it),
		cmocka_unit_test(what_a_nic_drops_for_its_host_is_lost_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
