/* Live judgement of what moves against what else moves: yes, no and not known, and no verdict that comes and goes. */
#include "tests/lib/world.h"

#include <stdio.h>
#include <stdlib.h>

#define ETH2 "node1 eth2 "
#define LEAF1 "leaf1 ethernet1/1/1 "

static struct world w;

static void begin(void)
{
	world_init(&w);
	world_run(&w, 5);
}

static void say(const char *const *facts)
{
	for (; *facts; facts++)
		world_set(&w, *facts);
}

static void assert_no(const char *check, const char *where, const char *words)
{
	const struct finding *f = world_finding(&w, check, where);

	if (!f || f->verdict < VERDICT_LOOK)
		fail_msg("no open finding matches %s at %s%s%s", check, where, f ? ", but lacks " : "", f ? f->missing : "");
	if (!strstr(f->what, words))
		fail_msg("%s says \"%s\", not \"%s\"", check, f->what, words);
}

static void assert_yes(const char *check, const char *where)
{
	const struct finding *f = world_finding(&w, check, where);

	if (f && f->is_open)
		fail_msg("%s at %s: %s %s%s", check, where, verdict_name(f->verdict), f->what, f->missing);
}

static void assert_not_known(const char *check, const char *where)
{
	const struct finding *f = world_finding(&w, check, where);

	if (!f || f->verdict != VERDICT_UNKNOWN)
		fail_msg("%s at %s is not unknown", check, where);
}

/* No finding of these checks may open at any second. */
static void assert_quiet_for(unsigned seconds, const char *check, const char *where)
{
	for (unsigned i = 0; i < seconds; i++) {
		world_run(&w, 1);
		assert_yes(check, where);
	}
}

static void roce_that_leaves_in_a_lossy_priority_is_found_with_that_priority(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "rdma.tx = 5000000000", ETH2 "tx.bytes[3] = 5100000000", ETH2 "tx.bytes[0] = 2000000000", NULL });
	world_run(&w, 15);
	assert_yes("roce-in-class", "node1:eth2");
	say((const char *const[]){ ETH2 "tx.bytes[3] = 1000", ETH2 "tx.bytes[0] = 7100000000", NULL });
	world_run(&w, 15);
	assert_no("roce-in-class", "node1:eth2",
		  "of 40.00 Gb/s of RDMA traffic only 0.00 leave in a lossless priority; most of the rest is in priority 0");
	world_done(&w);
}

/* As a host tells them: rdma-counters first, then ethtool -S, round by round. */
static void bytes_of_rdma_that_are_asked_for_first_are_compared_all_the_same(void **state)
{
	char fact[80];

	(void)state;
	begin();
	world_set(&w, ETH2 "tos.cma = unknown \"rdma_cm has no configfs directory for it\"");
	say((const char *const[]){ ETH2 "tx.bytes[3] = 1000", ETH2 "tx.bytes[0] = 7100000000", NULL });
	for (unsigned i = 1; i <= 15; i++) {
		snprintf(fact, sizeof(fact), ETH2 "rdma.tx = %u000000000", 5 * i);
		model_say_by(w.model, "rdma-counters", 10, fact, w.now_us + SECOND - 20000);
		world_run(&w, 1);
	}
	assert_no("roce-in-class", "node1:eth2",
		  "of 40.00 Gb/s of RDMA traffic only 0.00 leave in a lossless priority; most of the rest is in priority 0");
	world_done(&w);
}

/* RDMA's bytes are told of the bond's device: the member has no cell and no samples of its own. */
static void the_bytes_of_a_bonds_rdma_device_are_compared_with_its_members_classes(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "role = member", ETH2 "bond = \"bond0\"", "node1 bond0 role = bond", "node1 bond0 rdma = "
													     "\"mlx5_bond_0\"",
				   "node1 bond0 rdma.tx = 5000000000", ETH2 "tx.bytes[3] = 1000", ETH2 "tx.bytes[0] = 7100000000", NULL });
	world_run(&w, 15);
	assert_no("roce-in-class", "node1:eth2",
		  "of 40.00 Gb/s of RDMA traffic of its bond only 0.00 leave in a lossless priority; most of the rest is in priority 0");
	world_done(&w);
}

static void flows_that_begin_and_end_are_in_their_class_all_the_while(void **state)
{
	(void)state;
	begin();
	for (unsigned i = 0; i < 4; i++) {
		say((const char *const[]){ ETH2 "rdma.tx = 5000000000", ETH2 "tx.bytes[3] = 5100000000", ETH2 "tx.bytes[0] = "
													      "6000000000", NULL });
		assert_quiet_for(7, "roce-in-class", "node1:eth2");
		say((const char *const[]){ ETH2 "rdma.tx = 0", ETH2 "tx.bytes[3] = 0", NULL });
		assert_quiet_for(7, "roce-in-class", "node1:eth2");
	}
	world_done(&w);
}

static void without_a_count_of_priorities_nothing_is_said_of_classes(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "rdma.tx = 5000000000", ETH2 "tx.bytes[0] = 5000000000", NULL });
	assert_quiet_for(12, "roce-in-class", "node1:eth2");
	world_set(&w, ETH2 "tx.bytes[3] = unknown \"not root\"");
	world_run(&w, 4);
	assert_not_known("roce-in-class", "node1:eth2");
	world_done(&w);
}

static void a_class_that_changes_on_the_cable_is_found_at_that_hop(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ LEAF1 "tx.bytes[3] = 5000000000", LEAF1 "tx.bytes[0] = 4000000000", ETH2 "rx.bytes[3] = 5000000000",
				   ETH2 "rx.bytes[0] = 4000000000", NULL });
	world_run(&w, 6);
	assert_yes("class-kept", "node1:eth2");
	say((const char *const[]){ ETH2 "rx.bytes[3] = 0", NULL });	/* the flow has ended, the switch has not said so yet */
	assert_quiet_for(6, "class-kept", "node1:eth2");
	say((const char *const[]){ ETH2 "rx.bytes[0] = 9000000000", NULL });
	world_run(&w, 6);
	assert_no("class-kept", "node1:eth2", "leaf1 sends 40.00 Gb/s from queue 3, but node1 counts 0.00 in priority 3: "
						  "most arrive in priority 0");
	world_set(&w, LEAF1 "tx.bytes[3] = unknown \"no such counter\"");
	world_run(&w, 6);
	assert_no("class-kept", "node1:eth2", "40.00 Gb/s");	/* not knowing clears nothing */
	world_done(&w);
}

/* What is missing in the class may be in a priority that is not counted, or not to be read. */
static void bytes_that_may_be_in_a_priority_not_read_are_not_in_their_class(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ LEAF1 "tx.bytes[3] = 5000000000", LEAF1 "tx.bytes[0] = 0", ETH2 "rx.bytes[3] = 0",
				   ETH2 "rx.bytes[0] = unknown \"no such counter\"", ETH2 "rdma.tx = 5000000000", ETH2 "tx.bytes[3] = 0",
				   ETH2 "tx.bytes[0] = unknown \"no such counter\"", NULL });
	world_run(&w, 15);
	assert_not_known("class-kept", "node1:eth2");
	assert_not_known("roce-in-class", "node1:eth2");
	say((const char *const[]){ ETH2 "rx.bytes[0] = 5000000000", ETH2 "tx.bytes[0] = 5000000000", NULL });
	world_run(&w, 15);
	assert_no("class-kept", "node1:eth2", "leaf1 sends 40.00 Gb/s from queue 3");
	assert_no("roce-in-class", "node1:eth2", "of 40.00 Gb/s");
	world_drop(&w, ETH2 "rx.bytes[0]");
	world_drop(&w, ETH2 "tx.bytes[0]");
	world_set(&w, LEAF1 "speed = unknown \"not root\"");	/* how much of the line that is, either */
	world_run(&w, 3);
	assert_no("class-kept", "node1:eth2", "leaf1 sends 40.00 Gb/s from queue 3");
	assert_no("roce-in-class", "node1:eth2", "of 40.00 Gb/s");
	world_done(&w);
}

static void pause_without_marks_is_not_what_ecn_is_for(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "pfc.rx_us[3] = 40000", NULL });
	world_run(&w, 70);	/* CNPs in every second, pause 4 % of it */
	assert_yes("ecn-carries", "node1:eth2");
	say((const char *const[]){ ETH2 "cnp.handled = 0", NULL });
	world_run(&w, 70);
	assert_no("ecn-carries", "node1:eth2", "ECN carried 0 % of the congestion: paused 4.0 % of the time, CNPs in 0 %");
	world_done(&w);
}

/* The CNPs are counted by the bond's RDMA device: a member without samples of its own was told that ECN carries nothing. */
static void cnps_of_a_bonds_rdma_device_count_for_its_members(void **state)
{
	(void)state;
	begin();
	world_drop(&w, ETH2 "cnp.handled");
	say((const char *const[]){ ETH2 "role = member", ETH2 "bond = \"bond0\"", "node1 bond0 role = bond", "node1 bond0 rdma = "
													     "\"mlx5_bond_0\"",
				   "node1 bond0 cnp.handled = 2000", ETH2 "pfc.rx_us[3] = 40000", NULL });
	world_run(&w, 70);
	assert_yes("ecn-carries", "node1:eth2");
	world_done(&w);
}

static void with_hardly_any_pause_there_is_nothing_to_weigh(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "cnp.handled = 0", NULL });
	assert_quiet_for(20, "ecn-carries", "node1:eth2");
	world_done(&w);
}

static void pause_with_cnps_that_nobody_counts_is_not_known(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "pfc.rx_us[3] = 40000", ETH2 "cnp.handled = unknown \"no such counter\"", NULL });
	world_run(&w, 20);
	assert_not_known("ecn-carries", "node1:eth2");
	world_done(&w);
}

static void add_spines(void)
{
	static const char *const facts[] = {
		"spine1 platform = \"os10\"", "spine1 state = up", "spine2 platform = \"os10\"", "spine2 state = up",
		"spine1 ethernet1/1/1 up = yes", "spine2 ethernet1/1/1 up = yes",
		"leaf1 ethernet1/1/9 up = yes", "leaf1 ethernet1/1/9 speed = 100G",
		"leaf1 ethernet1/1/9 peer.name = \"spine1\"", "leaf1 ethernet1/1/9 peer.port = \"ethernet1/1/1\"",
		"leaf1 ethernet1/1/10 up = yes", "leaf1 ethernet1/1/10 speed = 100G",
		"leaf1 ethernet1/1/10 peer.name = \"spine2\"", "leaf1 ethernet1/1/10 peer.port = \"ethernet1/1/1\"", NULL,
	};

	say(facts);
}

static void a_full_uplink_beside_an_idle_one_is_a_collision_of_flows(void **state)
{
	(void)state;
	begin();
	add_spines();
	say((const char *const[]){ "leaf1 ethernet1/1/9 tx.total = 12000000000", "leaf1 ethernet1/1/10 tx.total = 11000000000", NULL });
	assert_quiet_for(15, "uplinks-even", "leaf1");	/* both full: congestion, not collision */
	say((const char *const[]){ "leaf1 ethernet1/1/9 tx.total = 5000000000", "leaf1 ethernet1/1/10 tx.total = 100000", NULL });
	assert_quiet_for(15, "uplinks-even", "leaf1");	/* uneven, with room on either */
	say((const char *const[]){ "leaf1 ethernet1/1/9 tx.total = 12000000000", NULL });
	world_run(&w, 15);
	assert_no("uplinks-even", "leaf1", "uplink ethernet1/1/9 is 96 % full, ethernet1/1/10 0 %");
	world_done(&w);
}

static void an_uplink_that_is_not_counted_leaves_open_how_even_they_are(void **state)
{
	(void)state;
	begin();
	add_spines();
	say((const char *const[]){ "leaf1 ethernet1/1/9 tx.total = 12000000000", "leaf1 ethernet1/1/10 tx.total = unknown \"cut "
										 "short\"", NULL });
	world_run(&w, 12);
	assert_not_known("uplinks-even", "leaf1");
	world_done(&w);
}

static void bits_are_weighed_against_the_line_and_not_against_what_it_carries(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "fec.corr = 500000", ETH2 "rx.total = 0", NULL });	/* 5e-6, on an idle line */
	assert_quiet_for(12, "bits-clean", "node1:eth2");
	say((const char *const[]){ ETH2 "fec.corr = 5000000", NULL });
	world_run(&w, 15);
	assert_no("bits-clean", "node1:eth2", "FEC corrects 5e-05 of all bits");
	world_done(&w);
}

/* Four lanes are printed of any line: one of which no bit was ever wrong may carry nothing. */
static void the_lane_is_named_where_one_has_the_errors(void **state)
{
	static const struct {
		const char *lanes[3], *is_named;
	} rows[] = {
		{ { ETH2 "lane.err[0] = 10000", ETH2 "lane.err[3] = 5000000" }, "FEC corrects 5e-05 of all bits, 99 % of the raw errors on lane 3: " },
		{ { ETH2 "lane.err[0] = 5000000", ETH2 "lane.err[1] = 0", ETH2 "lane.err[2] = 40" }, "99 % of the raw errors on lane 0" },
		{ { ETH2 "lane.err[0] = 1000000", ETH2 "lane.err[3] = 5000000" }, "FEC corrects 5e-05 of all bits: " },
		{ { ETH2 "lane.err[0] = 5000000", ETH2 "lane.err[1] = 0" }, "FEC corrects 5e-05 of all bits: " },
		{ { ETH2 "lane.err[0] = unknown \"cut short\"", ETH2 "lane.err[1] = 5000000" }, "FEC corrects 5e-05 of all bits: " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin();
		world_set(&w, ETH2 "fec.corr = 5000000");
		for (size_t k = 0; k < 3 && rows[i].lanes[k]; k++)
			world_set(&w, rows[i].lanes[k]);
		world_run(&w, 15);
		assert_no("bits-clean", "node1:eth2", rows[i].is_named);
		world_done(&w);
	}
}

/* 5e-6 is usual of RS and far past the end of BASE-R. */
static void bits_that_a_code_not_told_corrects_are_judged_where_all_codes_agree(void **state)
{
	(void)state;
	begin();
	world_drop(&w, ETH2 "fec");
	world_set(&w, ETH2 "fec.corr = 500000");
	world_run(&w, 15);
	assert_not_known("bits-clean", "node1:eth2");
	world_set(&w, ETH2 "fec.corr = 500");
	world_run(&w, 45);
	assert_yes("bits-clean", "node1:eth2");
	world_set(&w, ETH2 "fec.corr = 5000000");
	world_run(&w, 15);
	assert_no("bits-clean", "node1:eth2", "the FEC code, and so its limit, is not reported");
	world_done(&w);
}

static void a_slow_receiver_says_what_its_side_of_the_nic_waits_for(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "pfc.tx_us[3] = 200000", ETH2 "pfc.tx[3] = 3000", NULL });
	world_run(&w, 5);
	assert_no("slow-receiver", "node1:eth2", "the host cannot accept packets as fast as they arrive");
	say((const char *const[]){ ETH2 "rx.nobuf = 0", ETH2 "pci.stall = 0", NULL });
	world_run(&w, 3);
	say((const char *const[]){ ETH2 "rx.nobuf = 90", NULL });
	world_run(&w, 5);
	assert_no("slow-receiver", "node1:eth2", "posts too few receives");
	say((const char *const[]){ ETH2 "pci.stall = 60", NULL });
	world_run(&w, 5);
	assert_no("slow-receiver", "node1:eth2", "PCIe or memory stalls");
	world_done(&w);
}

/* Some ports tell what they drop as one number: then nothing is known of priorities, but that packets are lost. */
static void a_port_that_drops_and_counts_no_priority_is_named_for_gaps(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "oos = 50", NULL });
	world_drop(&w, LEAF1 "tx.drop[3]");
	world_set(&w, LEAF1 "tx.discard = 900");
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "leaf1 ethernet1/1/1 drops 900/s, and does not report the priority");
	world_done(&w);
}

/* Each port counts the drops of each priority, and has none. */
static void count_all_drops(void)
{
	for (size_t i = 0; i < model_ports(w.model); i++) {
		const struct port *p = model_port(w.model, i);

		for (unsigned prio = 0; prio < 8; prio++) {
			char *fact = xasprintf("%s %s tx.drop[%u] = 0", p->device->name, p->name, prio);

			world_set(&w, fact);
			free(fact);
		}
	}
}

static void gaps_are_told_apart_by_whether_anything_drops(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "oos = 50", NULL });
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "no lossless drop: packets overtake each other, or are lost at node1 eth2, which "
						 "does not");
	count_all_drops();
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "no drop or frame error at any port: packets overtake each other");
	assert_null(strstr(world_finding(&w, "sequence-kept", "node1:eth2")->what, "ACK"));
	world_set(&w, "node1 eth3 ack.timeout = 20");
	world_run(&w, 4);
	assert_no("sequence-kept", "node1:eth2", "overtake each other, or are retransmitted after an ACK timeout");
	world_fact(&w, LEAF1 "tx.drop[0]")->per_s = 55000;
	world_run(&w, 4);
	assert_no("sequence-kept", "node1:eth2", "leaf1 ethernet1/1/1 drops 55000/s of priority 0, which is not lossless");
	world_fact(&w, LEAF1 "tx.drop[0]")->per_s = 0;
	world_fact(&w, ETH2 "phy.err")->per_s = 50;
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "packets are lost; node1 eth2 receives 50 frames/s with errors");
	world_fact(&w, ETH2 "oos")->per_s = 5000;
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "packets are lost or reordered; node1 eth2 receives 50 frames/s with errors");
	world_fact(&w, ETH2 "phy.err")->per_s = 0;
	world_drop(&w, LEAF1 "phy.err");
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "or are corrupted at leaf1 ethernet1/1/1, which does not count it");
	world_fact(&w, LEAF1 "tx.drop[0]")->per_s = 0;
	world_set(&w, "leaf2 Ethernet4 pg.drop[3] = 7");
	world_run(&w, 4);
	assert_no("sequence-kept", "node1:eth2", "packets are lost; leaf2 Ethernet4 drops some");
	world_set(&w, "leaf2 Ethernet4 pg.drop[3] = 0");
	world_drop(&w, LEAF1 "tx.drop[3]");
	world_run(&w, 12);
	assert_no("sequence-kept", "node1:eth2", "lost or reordered; what leaf1 ethernet1/1/1 drops is not counted");
	world_done(&w);
}

/* Hosts are read at different moments: a burst is in one's counter and not yet in the other's. */
static void a_few_seconds_of_cnps_do_not_open_the_loop(void **state)
{
	(void)state;
	world_init(&w);
	say((const char *const[]){ ETH2 "cnp.handled = 100", NULL });
	assert_quiet_for(9, "cnp-loop-closed", "fabric");
	world_run(&w, 6);
	assert_no("cnp-loop-closed", "fabric", "lost on the return path");
	world_done(&w);
}

/* Bursts that fall into other seconds of the receiver than of the sender. */
static void cnps_that_lack_by_no_more_than_they_scatter_are_not_lost(void **state)
{
	(void)state;
	begin();
	for (unsigned i = 0; i < 30; i++) {
		world_fact(&w, ETH2 "cnp.handled")->per_s = i % 2 ? 400 : 2300;
		world_run(&w, 1);
		assert_null(i > 15 && world_finding(&w, "cnp-loop-closed", "fabric") &&
			    world_finding(&w, "cnp-loop-closed", "fabric")->verdict >= VERDICT_WARN ? "lost" : NULL);
	}
	for (unsigned i = 0; i < 20; i++) {
		world_fact(&w, ETH2 "cnp.handled")->per_s = 300 + i % 2;
		world_run(&w, 1);
	}
	assert_no("cnp-loop-closed", "fabric", "lost on the return path");
	world_done(&w);
}

/* A busy host is read every few seconds: two of its samples that agree are no more than two samples. */
static void a_lull_in_the_counter_of_a_host_that_is_read_seldom_opens_no_loop(void **state)
{
	uint64_t handled = 1000000;
	char fact[80];

	(void)state;
	begin();
	world_drop(&w, ETH2 "cnp.handled");
	for (unsigned i = 0; i < 60; i++) {
		handled += i < 48 ? 2000 : 800;
		snprintf(fact, sizeof(fact), ETH2 "cnp.handled = %llu", (unsigned long long)handled);
		if (i % 4 == 3)
			model_say_by(w.model, "hw-counters", 10, fact, w.now_us + SECOND);
		world_run(&w, 1);
		assert_null(world_finding(&w, "cnp-loop-closed", "fabric") &&
			    world_finding(&w, "cnp-loop-closed", "fabric")->verdict >= VERDICT_WARN ? "lost" : NULL);
	}
	world_done(&w);
}

/* It answers late: its login is there, and what it counts is not, until it has told which RDMA devices it has. */
static void a_host_whose_rdma_devices_are_not_told_yet_opens_no_loop(void **state)
{
	(void)state;
	begin();
	world_set(&w, "node9 state = up");
	world_set(&w, "node9 platform = \"linux\"");
	say((const char *const[]){ ETH2 "cnp.handled = 100", NULL });
	assert_quiet_for(20, "cnp-loop-closed", "fabric");
	world_set(&w, "node9 eth0 rdma.layer = infiniband");
	world_run(&w, 4);
	assert_no("cnp-loop-closed", "fabric", "lost on the return path");
	world_done(&w);
}

static void the_congestion_loop_says_where_it_is_open(void **state)
{
	(void)state;
	begin();
	say((const char *const[]){ ETH2 "cnp.handled = 100", NULL });
	world_run(&w, 20);
	/* one of the two switches counts its marks */
	assert_no("cnp-loop-closed", "fabric", "marked (at least 3000/s), seen (6000/s), sent, then lost on the return path");
	world_drop(&w, "leaf2 Ethernet4 ecn.marked[3]");
	world_run(&w, 3);
	assert_no("cnp-loop-closed", "fabric", "marked (not counted), seen (6000/s), sent, then lost on the return path");
	world_done(&w);
}

/* Counters of all priorities that stand still for a minute count nothing, whatever their zero says; each at another place. */
static void counters_that_stand_still_while_traffic_moves_are_no_acquittal(void **state)
{
	static const char *const of_host[] = { ETH2 "rx.total", ETH2 "rx.bytes" }, *const of_switch[] = { LEAF1 "tx.total", LEAF1 "tx.packets" };
	static const char *const wheres[] = { "node1:eth2", "leaf1:ethernet1/1/1" };
	char fact[80];

	(void)state;
	for (unsigned at = 0; at < 2; at++) {
		const char *const *names = at ? of_switch : of_host;

		begin();
		for (unsigned i = 0; i < 8; i++) {
			snprintf(fact, sizeof(fact), "%s[%u] = 0", names[1], i);
			world_set(&w, fact);
		}
		snprintf(fact, sizeof(fact), "%s = 5000000000", names[0]);
		world_set(&w, fact);
		assert_quiet_for(55, "counters-move", wheres[at]);
		world_run(&w, 10);
		assert_no("counters-move", wheres[at], at ? "40.00 Gb/s leave, and no tx.packets of any queue has changed for a minute" :
							    "40.00 Gb/s arrive, and no rx.bytes of any priority has changed for a minute");
		snprintf(fact, sizeof(fact), "%s[3] = 4900000", names[1]);
		world_set(&w, fact);
		world_run(&w, 2);
		world_run(&w, 31);
		assert_yes("counters-move", wheres[at]);
		world_done(&w);
	}
}

/* Where one of the priorities is not counted the bytes may be in it; and a port that carries next to nothing shows nothing. */
static void counters_that_may_stand_still_with_reason_are_not_blamed(void **state)
{
	char fact[80];

	(void)state;
	begin();
	for (unsigned i = 0; i < 8; i++) {
		snprintf(fact, sizeof(fact), ETH2 "rx.bytes[%u] = 0", i);
		world_set(&w, fact);
	}
	world_set(&w, ETH2 "rx.total = 1000000");
	world_run(&w, 70);
	assert_yes("counters-move", "node1:eth2");
	world_set(&w, ETH2 "rx.total = 5000000000");
	world_drop(&w, ETH2 "rx.bytes[5]");
	world_run(&w, 70);
	assert_yes("counters-move", "node1:eth2");
	world_set(&w, ETH2 "rx.bytes[5] = unknown \"not root\"");
	world_run(&w, 3);
	assert_not_known("counters-move", "node1:eth2");
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roce_that_leaves_in_a_lossy_priority_is_found_with_that_priority),
		cmocka_unit_test(bytes_of_rdma_that_are_asked_for_first_are_compared_all_the_same),
		cmocka_unit_test(the_bytes_of_a_bonds_rdma_device_are_compared_with_its_members_classes),
		cmocka_unit_test(flows_that_begin_and_end_are_in_their_class_all_the_while),
		cmocka_unit_test(without_a_count_of_priorities_nothing_is_said_of_classes),
		cmocka_unit_test(a_class_that_changes_on_the_cable_is_found_at_that_hop),
		cmocka_unit_test(bytes_that_may_be_in_a_priority_not_read_are_not_in_their_class),
		cmocka_unit_test(pause_without_marks_is_not_what_ecn_is_for),
		cmocka_unit_test(cnps_of_a_bonds_rdma_device_count_for_its_members),
		cmocka_unit_test(with_hardly_any_pause_there_is_nothing_to_weigh),
		cmocka_unit_test(pause_with_cnps_that_nobody_counts_is_not_known),
		cmocka_unit_test(a_full_uplink_beside_an_idle_one_is_a_collision_of_flows),
		cmocka_unit_test(an_uplink_that_is_not_counted_leaves_open_how_even_they_are),
		cmocka_unit_test(bits_are_weighed_against_the_line_and_not_against_what_it_carries),
		cmocka_unit_test(the_lane_is_named_where_one_has_the_errors),
		cmocka_unit_test(bits_that_a_code_not_told_corrects_are_judged_where_all_codes_agree),
		cmocka_unit_test(a_port_that_drops_and_counts_no_priority_is_named_for_gaps),
		cmocka_unit_test(gaps_are_told_apart_by_whether_anything_drops),
		cmocka_unit_test(a_few_seconds_of_cnps_do_not_open_the_loop),
		cmocka_unit_test(cnps_that_lack_by_no_more_than_they_scatter_are_not_lost),
		cmocka_unit_test(a_lull_in_the_counter_of_a_host_that_is_read_seldom_opens_no_loop),
		cmocka_unit_test(a_host_whose_rdma_devices_are_not_told_yet_opens_no_loop),
		cmocka_unit_test(the_congestion_loop_says_where_it_is_open),
		cmocka_unit_test(counters_that_stand_still_while_traffic_moves_are_no_acquittal),
		cmocka_unit_test(counters_that_may_stand_still_with_reason_are_not_blamed),
		cmocka_unit_test(a_slow_receiver_says_what_its_side_of_the_nic_waits_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
