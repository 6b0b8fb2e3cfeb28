/* Tests of a bring-up: judged from their evidence alone, which a recording gives back as it was; the ends of NICs by their pairs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/tests.h"
#include "tests/lib/world.h"

static struct world w;
static struct bringup_marks marks;

static int begin(void **state)
{
	(void)state;
	world_init(&w);
	world_run(&w, 20);
	marks = (struct bringup_marks){ w.policy, &w.inventory };
	return 0;
}

static int end(void **state)
{
	(void)state;
	world_done(&w);
	return 0;
}

/* Counters of a test of ten seconds at that rate, in that share of the class. */
static struct bringup_seen counted(double bps, double share)
{
	uint64_t bytes = (uint64_t)(bps * 10 / 8);

	return (struct bringup_seen){ .class_bytes = { true, (uint64_t)((double)bytes * share) }, .all_bytes = { true, bytes },
				      .drops = { true, 0 }, .gaps = { true, 0 }, .wire = { true, 0 } };
}

/* As perftest 4.5 prints it with --report_gbits. */
static char *printed(double gbps, unsigned mtu)
{
	return xasprintf("                    RDMA_Write BW Test\n Mtu             : %u[B]\n"
			 " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
			 " 65536      926900           0.00               %.2f                0.185380\n", mtu, gbps);
}

static struct bringup_evidence evidence(const char *from, const char *to, double gbps, unsigned mtu)
{
	return (struct bringup_evidence){
		.kind = BRINGUP_SAME_LEAF, .tool = BRINGUP_WRITE_BW, .from = { xstrdup(from), xstrdup("eth2") },
		.to = { xstrdup(to), xstrdup("eth2") }, .began_us = 5, .ended_us = INT64_C(1796000000000000), .command = xstrdup("ib_write_bw -F"),
		.text = printed(gbps, mtu), .class = { 106, 3 }, .line_bps = 100e9, .pcie_bps = 126e9, .mtu = 4096,
		.sent = counted(gbps * 1e9, 1), .received = counted(gbps * 1e9, 1),
	};
}

static struct bringup_result result_of(struct bringup_evidence e)
{
	struct bringup_tests t = { 0 };
	struct bringup_test *test = bringup_tests_add(&t, &e);
	struct bringup_result r;

	bringup_test_judge(test, &marks);
	r = test->result;
	bringup_tests_done(&t);
	return r;
}

static void a_test_is_judged_with_its_counters(void **state)
{
	struct bringup_evidence e = evidence("node1", "node3", 97, 4096);
	struct bringup_result r;

	(void)state;
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_PASSED);
	assert_string_equal(r.words, "97.0 Gb/s, 98.9 % of what MTU 4096 allows");
	e = evidence("node1", "node3", 97, 4096);
	e.sent = e.received = counted(97e9, 0.1);
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_FAILED);
	assert_int_equal(r.opinion.layer, BRINGUP_LAYER_CLASS);
	r = result_of(evidence("node1", "node3", 91, 1024));
	assert_int_equal(r.opinion.layer, BRINGUP_LAYER_MTU);	/* a small MTU, and no weak cable */
	e = evidence("node1", "node3", 97, 4096);
	e.received.gaps.is_known = false;
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_NOT_RUN);
	assert_non_null(strstr(r.words, "not known: no counter reports its lossless"));
	e = evidence("node1", "node3", 97, 4096);
	e.received.gaps.is_known = false;
	e.kind = BRINGUP_LOOPBACK;	/* need not leave the NIC */
	assert_int_equal(result_of(e).verdict, BRINGUP_PASSED);
}

static void what_hindered_the_test_says_nothing_of_the_link(void **state)
{
	struct bringup_evidence e = evidence("node1", "node3", 97, 4096);
	struct bringup_result r;

	(void)state;
	e.why = xstrdup("node3: mlx5_0 carries 1 queue pair of python3 (pid 77)");
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_NOT_RUN);
	assert_string_equal(r.words, "not run: node3: mlx5_0 carries 1 queue pair of python3 (pid 77)");
	e = evidence("node1", "node3", 97, 4096);
	free(e.text);
	e.text = xstrdup("sh: 1: ib_write_bw: not found\n");
	e.status = 127;
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_NOT_RUN);
	assert_non_null(strstr(r.words, "(package perftest)"));
	e = evidence("node1", "node3", 97, 4096);
	free(e.text);
	e.text = xstrdup(" Failed to modify QP 286 to RTR\n Unable to Connect the HCA's through the link\n");
	e.status = 1;
	r = result_of(e);
	assert_int_equal(r.verdict, BRINGUP_FAILED);
	assert_non_null(strstr(r.words, "Unable to Connect"));
}

/* perftest's text of a failed completion; status 9 is what rxe on a busy CPU gave on the rig (tests/rig/traffic.sh). */
static void a_software_devices_troubles_are_none_of_the_link(void **state)
{
	(void)state;
	for (unsigned is_soft = 0; is_soft < 2; is_soft++) {
		struct bringup_evidence e = evidence("node1", "node3", 97, 4096);

		free(e.text);
		e.text = xstrdup(" Failed status 9\n");
		e.status = 1;
		e.is_soft = is_soft;
		assert_int_equal(result_of(e).verdict, is_soft ? BRINGUP_NOT_RUN : BRINGUP_FAILED);
		e = evidence("node1", "node3", 0, 4096);	/* nothing was completed */
		e.is_soft = is_soft;
		assert_int_equal(result_of(e).verdict, is_soft ? BRINGUP_NOT_RUN : BRINGUP_FAILED);
	}
}

static void a_recording_gives_evidence_back_as_it_was(void **state)
{
	struct bringup_evidence e = evidence("node1", "node3", 91, 1024), back;
	json_t *row, *again;

	(void)state;
	e.received.gaps.is_known = false;
	e.is_soft = true;
	e.rail = xstrdup("rail1");
	e.hops = (struct bringup_count){ true, 1 };
	e.cm_tos = (struct bringup_count){ true, 0 };
	e.pings = 10;
	row = bringup_evidence_json(&e);
	assert_true(json_is_null(json_object_get(json_object_get(row, "received"), "gaps")));	/* absent is never zero */
	assert_true(bringup_evidence_read(row, &back));
	again = bringup_evidence_json(&back);
	assert_true(json_equal(row, again));
	assert_string_equal(result_of(e).words, result_of(back).words);
	json_decref(row);
	json_decref(again);
}

static void rows_that_are_none_of_ours_are_passed_over(void **state)
{
	static const char *const rows[] = {
		"{}", "[]", "null", "{\"kind\":\"loopback\",\"tool\":\"ib_write_bw\",\"from\":{\"host\":\"a\"},\"to\":{\"host\":\"b\",\"nic\":\"c\"}}",
		"{\"kind\":\"other\",\"tool\":\"ib_write_bw\",\"from\":{\"host\":\"a\",\"nic\":\"b\"},\"to\":{\"host\":\"b\",\"nic\":\"c\"}}",
		"{\"kind\":7,\"tool\":[],\"from\":\"x\",\"to\":{}}",
	};
	struct bringup_evidence e = { .status = 7 };
	json_t *row;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		row = json_loads(rows[i], JSON_DECODE_ANY, NULL);
		assert_false(bringup_evidence_read(row, &e));
		assert_int_equal(e.status, 7);
		json_decref(row);
	}
	row = json_loads("{\"kind\":\"loopback\",\"tool\":\"rping\",\"from\":{\"host\":\"a\",\"nic\":\"b\"},\"to\":{\"host\":\"a\",\"nic\":\"b\"},"
			 "\"tos\":-1,\"mtu\":1e300,\"line_bps\":\"x\",\"sent\":{\"drops\":-5},\"text\":5}", 0, NULL);
	assert_true(bringup_evidence_read(row, &e));
	assert_int_equal(e.class.tos, 0);
	assert_int_equal(e.mtu, 0);
	assert_true(e.line_bps == 0);
	assert_false(e.sent.drops.is_known);
	assert_null(e.text);
	bringup_evidence_done(&e);
	json_decref(row);
}

static void add(struct bringup_tests *t, const char *from, const char *to, double gbps)
{
	struct bringup_evidence e = evidence(from, to, gbps, 4096);

	bringup_tests_add(t, &e);
	e = evidence(to, from, gbps, 4096);
	bringup_tests_add(t, &e);
}

static void the_end_that_failed_with_two_good_partners_is_bad(void **state)
{
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };
	size_t bad;

	(void)state;
	add(&t, "node1", "node2", 97);
	add(&t, "node3", "node1", 20);
	bringup_tests_judge(&t, &marks);
	bad = bringup_tests_find(&t, "node3", "eth2");
	assert_int_equal(t.n_nics, 3);
	assert_int_equal(t.nics[bad].end, BRINGUP_END_SUSPECT);
	bringup_tests_say(&t, "node3", "eth2", &says);
	assert_string_equal(says.state, "suspect");
	add(&t, "node3", "node2", 20);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.nics[bad].end, BRINGUP_END_BAD);
	bringup_tests_say(&t, "node3", "eth2", &says);
	assert_int_equal(says.worst->result.verdict, BRINGUP_FAILED);
	assert_string_equal(says.state, "fail");
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_int_equal(says.worst->result.verdict, BRINGUP_PASSED);
	assert_int_equal(bringup_tests_find(&t, "node9", "eth2"), t.n_nics);
	bringup_tests_done(&t);
}

/* Pings pass, and the rate fails by the fault of the partner: of this end no rate is known. */
static void pings_with_a_bad_partner_are_no_pass(void **state)
{
	struct bringup_evidence loop = evidence("node1", "node1", 20, 4096), ping = evidence("node2", "node1", 97, 4096);
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };

	(void)state;
	loop.kind = BRINGUP_LOOPBACK;
	ping.tool = BRINGUP_RPING;
	free(ping.text);
	ping.text = xstrdup("ping data: rdma-ping-0: ABC\n");
	ping.pings = 1;
	bringup_tests_add(&t, &loop);
	bringup_tests_add(&t, &ping);
	add(&t, "node1", "node2", 20);
	bringup_tests_judge(&t, &marks);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_equal(says.state, "fail");
	bringup_tests_say(&t, "node2", "eth2", &says);
	assert_string_equal(says.state, "not known");
	assert_string_equal(says.words, "no rate was measured with a partner that is good");
	bringup_tests_done(&t);
}

static void a_loopback_alone_says_nothing_of_the_link(void **state)
{
	struct bringup_evidence e = evidence("node1", "node1", 97, 4096);
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };

	(void)state;
	e.kind = BRINGUP_LOOPBACK;
	bringup_tests_add(&t, &e);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.list[0].result.verdict, BRINGUP_PASSED);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_equal(says.state, "not known");
	bringup_tests_say(&t, "node2", "eth2", &says);
	assert_null(says.state);
	add(&t, "node1", "node2", 97);
	bringup_tests_judge(&t, &marks);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_equal(says.state, "pass");
	bringup_tests_done(&t);
}

static void what_was_hindered_says_nothing_once_it_was_tried_again(void **state)
{
	struct bringup_evidence e = evidence("node1", "node2", 97, 4096);
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };

	(void)state;
	e.why = xstrdup("interrupted");
	bringup_tests_add(&t, &e);
	bringup_tests_judge(&t, &marks);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_equal(says.state, "not known");
	assert_int_equal(t.n, 1);
	add(&t, "node1", "node2", 20);	/* another verdict stays, and so does each that has one */
	add(&t, "node1", "node2", 97);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.n, 5);
	assert_true(t.list[0].is_repeated);
	for (size_t i = 1; i < t.n; i++)
		assert_false(t.list[i].is_repeated);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_not_equal(says.state, "pass");
	bringup_tests_done(&t);
}

static void add_of_run(struct bringup_tests *t, unsigned run, double gbps)
{
	struct bringup_evidence e = evidence("node1", "node2", gbps, 4096);

	e.run = run;
	if (gbps == 0)
		e.why = xstrdup("interrupted");
	bringup_tests_add(t, &e);
}

/* In the run that comes after a mend, too, once of two times is a failure; and what was not measured there mends nothing. */
static void a_later_run_counts_as_a_whole(void **state)
{
	static const struct {
		double first, later[2];
		const char *says, *words;
	} rows[] = {
		{ 20, { 97, 97 }, "pass", "failed 1 time in runs before" },
		{ 20, { 20, 97 }, "suspect", NULL },
		{ 20, { 97, 20 }, "suspect", NULL },
		{ 20, { 0, 0 }, "suspect", NULL },
		{ 97, { 0, 0 }, "not known", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_tested_says says;
		struct bringup_tests t = { 0 };

		add_of_run(&t, 0, rows[i].first);
		add_of_run(&t, 1, rows[i].later[0]);
		add_of_run(&t, 1, rows[i].later[1]);
		for (int judged = 0; judged < 2; judged++)	/* twice is as once */
			bringup_tests_judge(&t, &marks);
		bringup_tests_say(&t, "node1", "eth2", &says);
		assert_string_equal(says.state, rows[i].says);
		if (rows[i].words)
			assert_non_null(strstr(says.words, rows[i].words));
		bringup_tests_done(&t);
	}
}

/* -- rping and ib_write_lat -- */

static struct bringup_evidence by_tool(const char *from, const char *to, enum bringup_tool tool, const char *text)
{
	struct bringup_evidence e = evidence(from, to, 97, 4096);

	free(e.text);
	e.text = xstrdup(text);
	e.tool = tool;
	e.rail = xstrdup("rail1");
	e.hops = (struct bringup_count){ true, 1 };
	return e;
}

#define PING(n) "ping data: rdma-ping-" n ": ABC\n"

/* rping ends with 0 too when its partner goes away between two pings (rdma-core, librdmacm/examples/rping.c). */
static void pings_are_counted_and_their_class_is_that_of_rdma_cm(void **state)
{
	static const struct {
		const char *text;
		int status;
		bool is_tos_known;
		unsigned tos;
		enum bringup_verdict verdict;
		enum bringup_layer layer;
		const char *words;
	} rows[] = {
		{ PING("0") PING("1") "client DISCONNECT EVENT...\n", 0, true, 106, BRINGUP_PASSED, BRINGUP_LAYER_NONE,
		  "2 pings answered over rdma_cm, whose ToS is 106" },
		{ PING("0") PING("1"), 0, false, 0, BRINGUP_PASSED, BRINGUP_LAYER_NONE, "2 pings answered over rdma_cm, whose ToS is not reported" },
		{ PING("0") PING("1"), 0, true, 0, BRINGUP_FAILED, BRINGUP_LAYER_CLASS,
		  "pings were answered in the class of ToS 0: rdma_cm has that set, not 106" },
		{ PING("0") "client DISCONNECT EVENT...\nwait for RDMA_WRITE_ADV state 10\n", 0, true, 106, BRINGUP_FAILED,
		  BRINGUP_LAYER_RESULT, "1 of 2 pings were answered" },
		{ PING("0") "cq completion failed status 12\n", 255, true, 106, BRINGUP_FAILED, BRINGUP_LAYER_RESULT, "packets were lost" },
		{ "timeout: failed to run command 'rping': No such file or directory\n", 127, true, 106, BRINGUP_NOT_RUN, BRINGUP_LAYER_NONE,
		  "not run: node1: the tool is not installed (package rdmacm-utils)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_evidence e = by_tool("node1", "node3", BRINGUP_RPING, rows[i].text);
		struct bringup_result r;

		e.status = rows[i].status;
		e.pings = 2;
		e.cm_tos = (struct bringup_count){ rows[i].is_tos_known, rows[i].tos };
		r = result_of(e);
		assert_int_equal(r.verdict, rows[i].verdict);
		assert_int_equal(r.opinion.layer, rows[i].layer);
		if (!strstr(r.words, rows[i].words))
			fail_msg("\"%s\" is not \"%s\"", r.words, rows[i].words);
	}
}

/* perftest 4.5's columns. */
static void add_latency(struct bringup_tests *t, const char *from, const char *to, double us)
{
	char *text = xasprintf(" Mtu             : 4096[B]\n #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
			       "t_stdev[usec]   99%% percentile[usec]   99.9%% percentile[usec] \n"
			       " 8       10000          1.50           9.07         %.2f     \t       %.2f     \t0.14\t\t9.00 \t\t9.07\n", us, us);
	struct bringup_evidence e = by_tool(from, to, BRINGUP_WRITE_LAT, text);

	bringup_tests_add(t, &e);
	free(text);
}

static void a_latency_is_judged_against_its_rail_where_that_has_enough_pairs(void **state)
{
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };

	(void)state;
	add_latency(&t, "node1", "node2", 2.00);
	add_latency(&t, "node3", "node4", 2.04);
	add_latency(&t, "node5", "node1", 2.10);
	add_latency(&t, "node2", "node3", 9.00);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.list[3].result.verdict, BRINGUP_NOT_RUN);	/* four: one slow end may be in half of them */
	assert_true(t.list[3].result.is_lone);
	assert_string_equal(t.list[3].result.words,
			    "9.00 us; not judged: of rail1 4 pairs over as many switches were measured, and 5 are needed");
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_null(says.state);	/* by its latency alone nothing is said of a NIC */
	add_latency(&t, "node4", "node5", 1.98);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.list[0].result.verdict, BRINGUP_PASSED);
	assert_string_equal(t.list[0].result.words, "2.00 us, 0.98 times the median of 5 pairs of rail1 over as many switches");
	assert_int_equal(t.list[3].result.verdict, BRINGUP_FAILED);
	assert_int_equal(t.list[3].result.opinion.layer, BRINGUP_LAYER_LATENCY);
	bringup_tests_say(&t, "node2", "eth2", &says);
	assert_string_equal(says.state, "suspect");
	bringup_tests_done(&t);
}

/* Another rail, more switches or a software device is another measure. */
static void unlike_latencies_are_not_compared(void **state)
{
	struct bringup_tests t = { 0 };

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		add_latency(&t, "node1", "node2", 2);
	for (unsigned i = 0; i < 4; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		add_latency(&t, name, "node9", 9);
	}
	free(t.list[5].evidence.rail);
	t.list[5].evidence.rail = xstrdup("rail2");
	t.list[6].evidence.hops.n = 3;
	t.list[7].evidence.is_soft = true;
	t.list[8].evidence.hops.is_known = false;
	bringup_tests_judge(&t, &marks);
	for (size_t i = 0; i < t.n; i++) {
		assert_int_equal(t.list[i].result.verdict, BRINGUP_NOT_RUN);	/* five times one pair are one pair */
		assert_true(t.list[i].result.is_lone);
	}
	bringup_tests_done(&t);
}

/* A pair that several tools failed is one partner, and proves nothing of either end. */
static void one_partner_is_one_however_many_tools_failed(void **state)
{
	struct bringup_tests t = { 0 };
	struct bringup_evidence e;

	(void)state;
	add(&t, "node1", "node2", 97);
	add(&t, "node3", "node1", 20);
	e = by_tool("node3", "node1", BRINGUP_RPING, "cq completion failed status 12\n");
	e.status = 255;
	bringup_tests_add(&t, &e);
	e = by_tool("node1", "node3", BRINGUP_RPING, "cq completion failed status 12\n");
	e.status = 255;
	bringup_tests_add(&t, &e);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.nics[bringup_tests_find(&t, "node3", "eth2")].end, BRINGUP_END_SUSPECT);
	bringup_tests_done(&t);
}

static void add_to_incast(struct bringup_tests *t, const char *from, uint64_t marks, uint64_t sent, uint64_t handled)
{
	struct bringup_evidence e = evidence(from, "node1", 48, 4096);

	e.kind = BRINGUP_INCAST;
	e.received.marks = (struct bringup_count){ true, marks };
	e.received.cnps = (struct bringup_count){ true, sent };
	e.sent.cnps = (struct bringup_count){ true, handled };
	bringup_tests_add(t, &e);
}

static const char *state_of(const struct bringup_tests *t, const char *host)
{
	struct bringup_tested_says says;

	bringup_tests_say(t, host, "eth2", &says);
	return says.state ? says.state : "none";
}

/* All pairs of these NICs passed: no end is bad by an incast that failed, and it is no pair that measures a rate. */
static void an_incast_is_of_the_nic_that_all_send_to(void **state)
{
	static const struct {
		uint64_t marks, sent, handled;
		const char *of_target, *of_sender;
	} rows[] = { { 100, 90, 50, "pass", "pass" }, { 0, 0, 0, "fail", "pass" }, { 100, 0, 0, "fail", "pass" }, { 100, 90, 0, "pass", "fail" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_tests t = { 0 };

		add(&t, "node1", "node2", 97);
		add(&t, "node3", "node1", 97);
		add_to_incast(&t, "node2", rows[i].marks, rows[i].sent, rows[i].handled);
		add_to_incast(&t, "node3", rows[i].marks, rows[i].sent, 50);
		add_to_incast(&t, "node4", rows[i].marks, rows[i].sent, 50);
		bringup_tests_judge(&t, &marks);
		assert_string_equal(state_of(&t, "node1"), rows[i].of_target);
		assert_string_equal(state_of(&t, "node2"), rows[i].of_sender);
		assert_string_equal(state_of(&t, "node3"), "pass");
		assert_string_equal(state_of(&t, "node4"), "none");
		bringup_tests_done(&t);
	}
}

/* One of its senders was tested again, and the incast with it: of its own link that says little. */
static void an_incast_alone_is_no_test_of_a_pair(void **state)
{
	struct bringup_tested_says says;
	struct bringup_tests t = { 0 };

	(void)state;
	add_to_incast(&t, "node2", 100, 90, 50);
	bringup_tests_judge(&t, &marks);
	bringup_tests_say(&t, "node1", "eth2", &says);
	assert_string_equal(says.state, "not known");
	assert_string_equal(says.words, "no pair of it on one leaf was tested");
	bringup_tests_done(&t);
}

/* -- a lossy stream -- */

#define STREAM "{\"end\": {\"sum\": {\"bits_per_second\": 1.99e10, \"packets\": 1000, \"lost_packets\": %u}}}\n"

static void a_stream_is_to_be_in_another_class(void **state)
{
	static const struct {
		struct bringup_count in_class, all;
		unsigned lost;
		enum bringup_verdict verdict;
		const char *words, *of_sender;
	} rows[] = {
		{ { true, 0 }, { true, 1000000 }, 0, BRINGUP_PASSED, "19.9 Gb/s of UDP, 0.0 % of it not received; none of it in priority 3", "pass" },
		{ { true, 20000 }, { true, 1000000 }, 123, BRINGUP_PASSED,
		  "19.9 Gb/s of UDP, 12.3 % of it not received; 2.0 % of what eth2 sent meanwhile was in priority 3", "pass" },
		{ { true, 990000 }, { true, 1000000 }, 0, BRINGUP_FAILED, "99 % of what eth2 sent meanwhile was in priority 3, the lossless one",
		  "fail" },
		{ { true, 200000 }, { true, 1000000 }, 0, BRINGUP_NOT_RUN, "not known: 20 % of what eth2 sent meanwhile was in priority 3", "pass" },
		{ { false, 0 }, { true, 1000000 }, 0, BRINGUP_NOT_RUN, "not known: node2 does not report the bytes of each priority", "pass" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_tests t = { 0 };
		struct bringup_evidence e;
		char *text = xasprintf(STREAM, rows[i].lost);

		add(&t, "node1", "node2", 97);
		add(&t, "node2", "node1", 97);
		e = by_tool("node2", "node1", BRINGUP_STREAM, text);
		e.kind = BRINGUP_LOSSY;
		e.sent = (struct bringup_seen){ .class_bytes = rows[i].in_class, .all_bytes = rows[i].all };
		e.received = (struct bringup_seen){ 0 };
		bringup_tests_add(&t, &e);
		bringup_tests_judge(&t, &marks);
		assert_int_equal(t.list[t.n - 1].result.verdict, rows[i].verdict);
		if (!strstr(t.list[t.n - 1].result.words, rows[i].words))
			fail_msg("no \"%s\" in: %s", rows[i].words, t.list[t.n - 1].result.words);
		assert_string_equal(state_of(&t, "node2"), rows[i].of_sender);
		assert_string_equal(state_of(&t, "node1"), "pass");	/* that it was sent to */
		bringup_tests_done(&t);
		free(text);
	}
}

/* Without the tool the NICs have passed what they were tested by. */
static void a_stream_that_was_not_sent_is_no_lack_of_a_nic(void **state)
{
	struct bringup_tests t = { 0 };
	struct bringup_evidence e;

	(void)state;
	add(&t, "node1", "node2", 97);
	add(&t, "node2", "node1", 97);
	e = by_tool("node2", "node1", BRINGUP_STREAM, "timeout: failed to run command 'iperf3': No such file or directory\n");
	e.kind = BRINGUP_LOSSY;
	e.status = 127;
	bringup_tests_add(&t, &e);
	bringup_tests_judge(&t, &marks);
	assert_non_null(strstr(t.list[t.n - 1].result.words, "not run: node2: the tool is not installed (package iperf3)"));
	assert_string_equal(state_of(&t, "node1"), "pass");
	assert_string_equal(state_of(&t, "node2"), "pass");
	assert_int_equal(bringup_tests_count(&t).unknown, 1);
	bringup_tests_done(&t);
}

/* -- across leaves -- */

/* From leaf1 to spine1 in ten seconds; NO: not counted. */
#define NO	UINT64_MAX

static struct bringup_count count_of(uint64_t n)
{
	return (struct bringup_count){ n != NO, n == NO ? 0 : n };
}

static struct bringup_evidence uplink(uint64_t bytes, uint64_t sent_drops, uint64_t received_drops)
{
	struct bringup_evidence e = { .kind = BRINGUP_UPLINK, .tool = BRINGUP_COUNTERS, .from = { xstrdup("leaf1"), xstrdup("Ethernet48") },
				      .to = { xstrdup("spine1"), xstrdup("Ethernet0") }, .began_us = INT64_C(1796000000000000),
				      .ended_us = INT64_C(1796000010000000), .class = { 106, 3 }, .line_bps = 100e9 };

	e.sent = (struct bringup_seen){ .class_bytes = count_of(bytes), .drops = count_of(sent_drops) };
	e.received = (struct bringup_seen){ .drops = count_of(received_drops) };
	return e;
}

static void a_link_between_switches_is_proven_by_what_it_carried(void **state)
{
	static const struct {
		uint64_t bytes, sent_drops, received_drops;
		enum bringup_verdict verdict;
		const char *words;
	} rows[] = {
		{ 60000000000, 0, 0, BRINGUP_PASSED, "48.0 Gb/s of priority 3, no drops" },
		{ 60000000000, 7, 0, BRINGUP_FAILED, "7 packets were dropped during the tests across leaves" },
		{ 60000000000, NO, 2, BRINGUP_FAILED, "2 packets were dropped during the tests across leaves" },
		{ 60000000000, 0, NO, BRINGUP_NOT_RUN, "48.0 Gb/s of priority 3; not known: spine1 reports no drops" },
		{ NO, 0, 0, BRINGUP_NOT_RUN, "not known: leaf1 does not report the bytes of priority 3" },
		{ 1200000000, 0, 0, BRINGUP_NOT_RUN, "not known: no test across leaves went over it" },
		{ 0, 0, 0, BRINGUP_NOT_RUN, "not known: no test across leaves went over it" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bringup_result r = result_of(uplink(rows[i].bytes, rows[i].sent_drops, rows[i].received_drops));

		assert_int_equal(r.verdict, rows[i].verdict);
		assert_string_equal(r.words, rows[i].words);
	}
}

static void a_link_that_no_round_went_over_is_not_known(void **state)
{
	struct bringup_evidence idle = uplink(0, 0, 0);
	struct bringup_tests t = { 0 };

	(void)state;
	bringup_tests_add(&t, &idle);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(bringup_tests_across(&t).directions, 1);
	assert_int_equal(bringup_tests_across(&t).proven, 0);
	assert_int_equal(bringup_tests_across(&t).unknown, 1);
	bringup_tests_done(&t);
}

/* By the switch's hash no test of one round goes over it, and one of another does. */
static void a_link_that_one_round_went_over_is_proven(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		struct bringup_evidence used = uplink(60000000000, 0, 0), idle = uplink(0, 0, 0);
		struct bringup_tests t = { 0 };
		struct bringup_tally n;

		bringup_tests_add(&t, first ? &idle : &used);
		bringup_tests_add(&t, first ? &used : &idle);
		bringup_tests_judge(&t, &marks);
		n = bringup_tests_count(&t);
		assert_int_equal(n.passed, 1);
		assert_int_equal(n.unknown, 0);
		assert_int_equal(bringup_tests_across(&t).directions, 1);
		assert_int_equal(bringup_tests_across(&t).proven, 1);
		assert_int_equal(bringup_tests_across(&t).failed, 0);
		assert_int_equal(bringup_tests_across(&t).unknown, 0);
		bringup_tests_done(&t);
	}
}

/* The path is bad, or an uplink is full: a NIC is known by the NICs of its leaf. */
static void what_fails_across_leaves_is_said_of_no_nic(void **state)
{
	struct bringup_tests t = { 0 };
	struct bringup_evidence e;

	(void)state;
	add(&t, "node1", "node2", 97);
	add(&t, "node3", "node2", 97);
	e = evidence("node1", "node3", 20, 4096);
	e.kind = BRINGUP_CROSS_LEAF;
	e.received.gaps.n = 5;
	bringup_tests_add(&t, &e);
	e = evidence("node3", "node4", 20, 4096);
	e.kind = BRINGUP_CROSS_LEAF;
	bringup_tests_add(&t, &e);
	bringup_tests_judge(&t, &marks);
	assert_int_equal(t.list[t.n - 2].result.verdict, BRINGUP_FAILED);
	assert_int_equal(t.list[t.n - 2].result.opinion.layer, BRINGUP_LAYER_LOSSLESS);
	assert_int_equal(t.list[t.n - 1].result.verdict, BRINGUP_PASSED);
	assert_string_equal(t.list[t.n - 1].result.words, "20.0 Gb/s across leaves, whose uplinks are shared");
	assert_true(t.list[t.n - 1].result.opinion.ceiling_bps == 0);
	assert_string_equal(state_of(&t, "node1"), "pass");
	assert_string_equal(state_of(&t, "node3"), "pass");
	assert_string_equal(state_of(&t, "node4"), "not known");
	assert_int_equal(bringup_tests_across(&t).directions, 0);
	assert_int_equal(bringup_tests_across(&t).failed, 1);
	assert_ptr_equal(bringup_tests_across(&t).first, &t.list[t.n - 2]);
	bringup_tests_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_test_is_judged_with_its_counters),
		cmocka_unit_test(what_hindered_the_test_says_nothing_of_the_link),
		cmocka_unit_test(a_software_devices_troubles_are_none_of_the_link),
		cmocka_unit_test(a_recording_gives_evidence_back_as_it_was),
		cmocka_unit_test(rows_that_are_none_of_ours_are_passed_over),
		cmocka_unit_test(what_was_hindered_says_nothing_once_it_was_tried_again),
		cmocka_unit_test(a_later_run_counts_as_a_whole),
		cmocka_unit_test(pings_with_a_bad_partner_are_no_pass),
		cmocka_unit_test(a_loopback_alone_says_nothing_of_the_link),
		cmocka_unit_test(the_end_that_failed_with_two_good_partners_is_bad),
		cmocka_unit_test(pings_are_counted_and_their_class_is_that_of_rdma_cm),
		cmocka_unit_test(a_latency_is_judged_against_its_rail_where_that_has_enough_pairs),
		cmocka_unit_test(unlike_latencies_are_not_compared),
		cmocka_unit_test(one_partner_is_one_however_many_tools_failed),
		cmocka_unit_test(an_incast_is_of_the_nic_that_all_send_to),
		cmocka_unit_test(an_incast_alone_is_no_test_of_a_pair),
		cmocka_unit_test(a_link_between_switches_is_proven_by_what_it_carried),
		cmocka_unit_test(a_link_that_no_round_went_over_is_not_known),
		cmocka_unit_test(a_link_that_one_round_went_over_is_proven),
		cmocka_unit_test(what_fails_across_leaves_is_said_of_no_nic),
		cmocka_unit_test(a_stream_is_to_be_in_another_class),
		cmocka_unit_test(a_stream_that_was_not_sent_is_no_lack_of_a_nic),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
