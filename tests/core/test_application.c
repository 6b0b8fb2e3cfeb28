/* The application beside the fabric: how it marks, what tests reached, what its host lacks for it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/application/application.h"
#include "core/application/perftest.h"
#include "core/diagnose/diagnosis.h"
#include "core/diagnose/question.h"
#include "tests/lib/lab.h"
#include "tests/lib/world.h"
#include "tui/args/cli.h"
#include "tui/session/app_log.h"

static void assert_tos(const char *facts, enum app_by by, unsigned tos)
{
	struct model *m = model_saying("node1 eth2 tos.cma = 106", SECOND);
	struct app_tos out;

	if (facts)
		model_say_by(m, "processes", 10, facts, SECOND);
	model_set_now(m, SECOND);
	app_tos(m, model_find_port(m, "node1", "eth2"), &out);
	assert_int_equal(out.by, by);
	assert_int_equal(out.tos, tos);
	model_free(m);
}

static void the_traffic_class_is_resolved_in_nccls_own_order(void **state)
{
	(void)state;
	assert_tos(NULL, APP_BY_NOBODY, 0);	/* rdma_cm's default is not NCCL's */
	assert_tos("node1 app.tc = 106", APP_BY_SET, 106);
	assert_tos("node1 app.tc.set = no", APP_BY_DEFAULT, 0);
	assert_tos("node1 app.tc = unknown \"its processes differ\"", APP_BY_UNKNOWN, 0);
	assert_tos("node1 app.tc = 106\nnode1 eth2 tos.force = 104", APP_BY_FORCE, 104);
	assert_tos("node1 app.tc = 106\nnode1 eth2 tos.force = 0", APP_BY_SET, 106);
	assert_tos("node1 app.tc = 106\nnode1 eth2 tos.force = unknown \"not root\"", APP_BY_UNKNOWN, 0);
}

/* The process was read before the port: nothing is said of its packets. */
static void whether_a_tos_is_forced_is_read_before_the_application_is_judged(void **state)
{
	struct model *m = model_saying("node1 eth2 mtu = 9000\nnode1 app.tc = 0\nnode1 app.tc.set = yes", SECOND);
	struct app_tos out;

	(void)state;
	assert_false(app_tos(m, model_find_port(m, "node1", "eth2"), &out));
	assert_int_equal(out.by, APP_BY_UNKNOWN);
	assert_non_null(strstr(out.words, "has not been read yet"));
	model_free(m);
}

/* Its RDMA device is the bond's: "tos.force has not been read yet" stayed for ever. */
static void of_a_member_the_bond_says_which_tos_is_forced(void **state)
{
	struct model *m = model_saying("node1 eth2 bond = \"bond0\"\nnode1 bond0 role = bond\nnode1 bond0 tos.cma = 106\n"
				       "node1 bond0 tos.force = 104\nnode1 app.tc = 106", SECOND);
	struct app_tos out;

	(void)state;
	assert_true(app_tos(m, model_find_port(m, "node1", "eth2"), &out));
	assert_int_equal(out.by, APP_BY_FORCE);
	assert_int_equal(out.tos, 104);
	model_free(m);
}

static void control_messages_follow_the_data_unless_they_are_set_apart(void **state)
{
	struct model *m = model_saying("node1 eth2 tos.cma = 106\nnode1 app.tc = 106\nnode1 app.fifo_tc = 192", SECOND);
	struct app_tos out;

	(void)state;
	assert_true(app_control_tos(m, model_find_port(m, "node1", "eth2"), &out));
	assert_int_equal(out.tos, 192);
	model_free(m);
	m = model_saying("node1 eth2 tos.cma = 106\nnode1 app.tc = 106", SECOND);
	assert_true(app_control_tos(m, model_find_port(m, "node1", "eth2"), &out));
	assert_int_equal(out.tos, 106);
	model_free(m);
}

static void efficiency_is_that_of_the_packets_on_the_wire(void **state)
{
	(void)state;
	assert_float_equal(app_efficiency(4096), 0.980, 0.0005);
	assert_float_equal(app_efficiency(1024), 0.926, 0.0005);
	assert_float_equal(pcie_bps(8000000000u, 8) / 1e9, 63.0, 0.1);	/* as the kernel says: 63.008 Gb/s */
	assert_float_equal(pcie_bps(5000000000u, 4) / 1e9, 16.0, 0.01);
}

static void virtual_functions_are_missed_only_where_others_have_them(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (unsigned i = 3; i < 8; i++) {
		char host[16], port[24], fact[48];

		snprintf(host, sizeof(host), "node%u", i);
		snprintf(port, sizeof(port), "ethernet1/1/%u", i);
		world_link(&w, host, 2, "leaf1", port);
		snprintf(fact, sizeof(fact), "%s eth2 vf = 8", host);
		world_set(&w, fact);
	}
	world_run(&w, 3);
	assert_non_null(world_finding(&w, "vf-as-others", "node1:eth2"));
	/* too few others tell: that clears nothing, and is no acquittal where nothing was found before */
	for (unsigned i = 3; i < 6; i++) {
		char fact[48];

		snprintf(fact, sizeof(fact), "node%u eth2 vf = unknown \"not root\"", i);
		world_set(&w, fact);
	}
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "vf-as-others", "node1:eth2")->verdict, VERDICT_WARN);
	findings_free(w.findings);
	w.findings = findings_new();
	world_run(&w, 1);
	assert_int_equal(world_finding(&w, "vf-as-others", "node1:eth2")->verdict, VERDICT_UNKNOWN);
	world_set(&w, "node1 eth2 vf = 8");
	world_set(&w, "node1 eth3 vf = 8");
	world_run(&w, 3);
	assert_null(world_finding(&w, "vf-as-others", "node1"));
	world_done(&w);
}

/* As NCCL reads its own variable: parseStringList() and matchIfList() of misc/utils.cc. */
static void which_devices_nccl_may_use_is_read_as_nccl_reads_it(void **state)
{
	static const struct {
		const char *hcas, *device;
		bool may, is_of_port;
	} lists[] = {
		{ "mlx5_0,mlx5_1", "mlx5_1", true, false },	{ "mlx5_0,mlx5_1", "mlx5_2", false, false },
		{ "mlx5", "mlx5_2", true, false },		{ "mlx5_1", "mlx5_10", true, false },
		{ "=mlx5_1", "mlx5_10", false, false },		{ "=mlx5_1:1", "mlx5_1", true, false },
		{ "^mlx5_0", "mlx5_0", false, false },		{ "^mlx5_0", "mlx5_1", true, false },
		{ "^=mlx5_1", "mlx5_10", true, false },		{ "mlx5_0:2", "mlx5_0", false, true },
		{ "rocep1s0f1,roceP2p1s0f1", "roceP2p1s0f1", true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		bool is_of_port;

		if (app_may_use(span_of(lists[i].hcas), span_of(lists[i].device), &is_of_port) != lists[i].may ||
		    is_of_port != lists[i].is_of_port)
			fail_msg("%s of %s", lists[i].device, lists[i].hcas);
	}
}

/* One port of a card that shows as two devices, and NCCL_IB_HCA names one of them: 98 Gb/s of 161. */
static void a_device_that_nccl_leaves_alone_is_told_unless_it_is_for_something_else(void **state)
{
	static const struct {
		const char *facts;
		bool is_found;
	} ways[] = {
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2\"\n", true },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2 mlx5_3\"\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"^mlx5_3\"\n", true },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5\"\n", false },
		{ "- node1 app.hca.set\nnode1 app.hca = \"mlx5_2\"\n", true },
		{ "- node1 app.hca.set\nnode1 app.hca = \"mlx5_2+mlx5_3\"\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2\"\nnode1 app.hca = \"mlx5_3\"\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2\"\nnode1 eth3 speed = 25G\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2\"\nnode1 eth3 rdma.tx = 5000\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx5_2\"\nnode1 eth3 rdma.state = down\n", false },
		{ "node1 app.hca.set = yes\nnode1 app.hca.asked = \"mlx4\"\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		const struct finding *f;
		struct world w;

		world_init(&w);
		world_set_lines(&w, ways[i].facts);
		world_run(&w, 3);
		f = world_finding(&w, "app-uses-all-hcas", "node1:eth3");
		if ((f && f->verdict == VERDICT_LOOK) != ways[i].is_found || world_finding(&w, "app-uses-all-hcas", "node1:eth2"))
			fail_msg("%s: %s", ways[i].facts, f ? f->what : "not found");
		if (f && i == 0)
			assert_string_equal(f->what, "mlx5_3 is up, and NCCL does not use it: NCCL_IB_HCA is mlx5_2");
		world_done(&w);
	}
}

/* A log that was refused, or of which only the end was read, is not one in which nothing is wrong. */
static void of_a_log_that_was_not_read_whole_no_trouble_is_not_said(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 kernel.lines = 0");
	world_run(&w, 2);
	assert_null(world_finding(&w, "kernel-quiet", "node1"));
	world_set(&w, "node1 kernel.lines = unknown \"dmesg: not root\"");
	world_run(&w, 2);
	assert_int_equal(world_finding(&w, "kernel-quiet", "node1")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

/* Index 3 is an IPv4 address at most ports, and link-local where the interface has none yet: "Failed to modify QP to RTR". */
static void an_index_that_names_another_kind_of_address_is_told_where_it_is_the_odd_one(void **state)
{
	const struct finding *f;
	struct world w;

	(void)state;
	world_init(&w);
	world_link(&w, "node3", 2, "leaf1", "ethernet1/1/3");
	world_set(&w, "node3 eth2 gid.family[3] = link-local");
	world_run(&w, 3);
	f = world_finding(&w, "app-gid-alike", "node3:eth2");
	assert_non_null(f);
	assert_string_equal(f->what, "NCCL's GID index 3 is a link-local address here, and an IPv4 address at 2 of 3 ports");
	assert_null(world_finding(&w, "app-gid-alike", "node1"));
	/* the index is what counts: another one is right there */
	world_set(&w, "node3 eth2 gid.family[5] = ipv4");
	world_set(&w, "node3 eth2 gid.type[5] = v2");
	world_set(&w, "node3 app.gid_index = 5");
	world_run(&w, 3);
	assert_null(world_finding(&w, "app-gid-alike", "node"));
	/* with enough that are silent there may be another majority: nothing is said */
	world_set(&w, "node3 app.gid_index = 3");
	world_set(&w, "node1 eth2 gid.family[3] = unknown \"not root\"");
	findings_free(w.findings);
	w.findings = findings_new();
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "app-gid-alike", "node3:eth2")->verdict, VERDICT_UNKNOWN);
	/* so is one that may be the member of a bond, of which another device tells */
	world_set(&w, "node1 eth2 gid.family[3] = ipv4");
	world_drop(&w, "node1 eth2 rdma");
	world_set(&w, "node1 eth2 bond = unknown \"not root\"");
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "app-gid-alike", "node3:eth2")->verdict, VERDICT_UNKNOWN);
	/* and one that may be soft RDMA beside the fabric's hardware */
	world_set(&w, "node1 eth2 rdma = \"mlx5_2\"");
	world_drop(&w, "node1 eth2 bond");
	world_set(&w, "node3 eth2 gid.family[3] = ipv4");
	world_set(&w, "node1 eth3 gid.family[3] = link-local");
	world_set(&w, "node1 eth2 rdma.soft = unknown \"not root\"");
	world_set(&w, "node1 eth3 rdma.soft = unknown \"not root\"");
	findings_free(w.findings);
	w.findings = findings_new();
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "app-gid-alike", "node3:eth2")->verdict, VERDICT_UNKNOWN);
	/* one that is soft, too: that it is not beside hardware stands on a speed that was not read */
	world_set(&w, "node1 eth2 rdma.soft = yes");
	world_set(&w, "node1 eth3 rdma.soft = yes");
	world_drop(&w, "node1 eth2 speed");
	world_drop(&w, "node1 eth3 speed");
	world_run(&w, 3);
	assert_int_equal(world_finding(&w, "app-gid-alike", "node3:eth2")->verdict, VERDICT_UNKNOWN);
	world_done(&w);
}

static size_t results_of(const char *text, struct perf_result *out)
{
	return perf_read(span_of(text), out);
}

/* Ours, in perftest's layout. */
static void perftest_bandwidth_is_read_in_its_own_unit(void **state)
{
	static struct perf_result r[PERF_RESULTS_MAX];

	(void)state;
	assert_int_equal(results_of("   RDMA_Write BW Test\n Device         : mlx5_0\n Mtu             : 1024[B]\n GID index       : 3\n"
				    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
				    " 65536      1000           0.00               92.50              0.17\n", r), 1);
	assert_float_equal(r[0].bps, 92.5e9, 1);
	assert_int_equal(r[0].mtu, 1024);
	assert_true(r[0].has_gid && r[0].gid_index == 3 && span_is(r[0].device, "mlx5_0"));
	assert_int_equal(results_of("RDMA_Read BW Test\n#bytes #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]\n"
				    "8388608 2000 100.0 100.0 0.1\n", r), 1);
	assert_float_equal(r[0].bps, 100 * 1048576.0 * 8, 1);
	assert_int_equal(results_of("Completion with error at client\nFailed status 12: wr_id 7 syndrom 0x81\n", r), 1);
	assert_int_equal(r[0].failed, 12);
	assert_int_equal(results_of("65536 1 2 3 4\n# Avg bus bandwidth : 3\n", r), 0);
}

/* MiB/sec is the newer word of perftest, and what its MB/sec has always counted; of another unit nothing is taken. */
static void the_units_of_perftest_are_read_and_no_other(void **state)
{
	static struct perf_result r[PERF_RESULTS_MAX];
	char reason[PERF_REASON_MAX];

	(void)state;
	assert_int_equal(results_of("RDMA_Write BW Test\n#bytes #iterations BW peak[MiB/sec] BW average[MiB/sec] MsgRate[Mpps]\n"
				    "65536 5000 2050.12 2045.33 0.17\n", r), 1);
	assert_float_equal(r[0].bps, 2045.33 * 1048576 * 8, 1);
	assert_null(perf_unjudged(&r[0], reason));
	assert_int_equal(results_of("RDMA_Write BW Test\n#bytes #iterations BW peak[ZB/sec] BW average[ZB/sec] MsgRate[Mpps]\n"
				    "65536 5000 2050.12 2045.33 0.17\n", r), 1);
	assert_string_equal(perf_unjudged(&r[0], reason), "no result of it was understood");
}

/* Small messages measure how many a second; of a test over all sizes the large ones count, though a small one reached more. */
static void small_messages_tell_nothing_about_bandwidth(void **state)
{
	static const char heading[] = "RDMA_Write BW Test\n#bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n";
	static struct perf_result r[PERF_RESULTS_MAX];
	char reason[PERF_REASON_MAX], text[300];

	(void)state;
	snprintf(text, sizeof(text), "%s64 5000 0.45 0.45 0.18\n", heading);
	assert_int_equal(results_of(text, r), 1);
	assert_string_equal(perf_unjudged(&r[0], reason), "message size 64 is too small to judge bandwidth");
	snprintf(text, sizeof(text), "%s4096 5000 97.9 97.8 0.18\n65536 5000 96.1 96.0 0.18\n131072 5000 96.3 96.2 0.18\n64 5000 98 98 1\n",
		 heading);
	assert_int_equal(results_of(text, r), 1);
	assert_null(perf_unjudged(&r[0], reason));
	assert_int_equal(r[0].bytes, 131072);
	assert_float_equal(r[0].bps, 96.2e9, 1);
	assert_int_equal(results_of("# Using devices\n# Rank 0 Pid 1 on n1 device 0 [0x0f] H100\n# Rank 1 Pid 2 on n2 device 0 "
				    "[0x0f] H100\n"
				    " 1048576 262144 float sum -1 74.7 14.0 24.5 0 76.1 13.7 24.0 0\n", r), 1);
	assert_string_equal(perf_unjudged(&r[0], reason), "message size 1048576 is too small to judge bandwidth");
}

/* Within one host the ranks talk over NVLink or its memory. */
static void a_test_within_one_host_tells_nothing_about_the_links(void **state)
{
	static struct perf_result r[PERF_RESULTS_MAX];
	char reason[PERF_REASON_MAX];

	(void)state;
	assert_int_equal(results_of("# Using devices\n# Rank 0 Pid 1 on n1 device 0 [0x0f] H100\n# Rank 1 Pid 1 on n1 device 1 "
				    "[0x1f] H100\n"
				    " 8589934592 2147483648 float sum -1 3100.7 2.00 3.50 0 3100.6 2.00 3.50 0\n", r), 1);
	assert_string_equal(perf_unjudged(&r[0], reason), "all ranks are on one host: no byte crosses a link");
}

static void nccl_tests_are_read_with_and_without_a_root_column(void **state)
{
	static struct perf_result r[PERF_RESULTS_MAX];

	(void)state;
	assert_int_equal(results_of("# Using devices\n#  Rank  0 Group  0 Pid 1 on n1 device  0 [0x0f] H100\n"
				    "#  Rank  1 Group  0 Pid 2 on n2 device  0 [0x0f] H100\n"
				    " 1048576 262144 float sum -1 74.7 14.0 24.5 0 76.1 13.7 24.0 0\n"
				    " 2097152 524288 float sum 93.4 22.4 39.2 N/A 96.1 21.8 38.1 N/A\n"
				    "# Avg bus bandwidth    : 31.4\n", r), 1);
	assert_int_equal(r[0].ranks, 2);
	assert_int_equal(r[0].n_hosts, 2);
	assert_int_equal(r[0].bytes, 2097152);
	assert_float_equal(r[0].bps, 39.2 * 8e9, 1);
	assert_float_equal(r[0].mean_bps, 31.4 * 8e9, 1);
}

static void the_captured_tests_are_read(void **state)
{
	static const struct {
		const char *file;
		size_t n;
		double gbps;
	} files[] = {
		{ "perftest/ib_write_bw-roce-cpu-util.txt", 1, 92.57 },
		{ "perftest/ib_write_bw-bidir-all-200g.txt", 1, 204.6 },
		{ "nccl-tests/oci-h100-2node-allreduce.txt", 1, 471.22 * 8 },
		{ "nccl-tests/sb-allreduce.txt", 1, 235.26 * 8 },
	};
	static struct perf_result r[PERF_RESULTS_MAX];

	(void)state;
	if (!captures_dir()) {
		print_message("skip: there are no captures\n");
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char path[256], *text;
		size_t n;

		snprintf(path, sizeof(path), "%s/node/%s", captures_dir(), files[i].file);
		text = file_text(path, &n);
		assert_non_null(text);
		assert_int_equal(perf_read((struct span){ text, n }, r), files[i].n);
		assert_float_equal(r[0].bps / 1e9, files[i].gbps, 0.05);
		free(text);
	}
}

static void take(void *ctx, struct obs *o)
{
	model_apply(((struct world *)ctx)->model, o);
}

/* What Q4 of the tree says, with that file brought along and the port at that speed. */
static int is_slow(const char *file, const char *speed)
{
	struct applog *log;
	struct diagnosis d = { 0 };
	struct asking asked;
	struct world w;
	struct err err;
	char text[600];

	world_init(&w);
	world_drop(&w, "node1 app.bw");
	world_drop(&w, "node1 app.bw.link");
	world_set(&w, "node1 eth2 rdma = \"roceP2p1s0f0\"");
	snprintf(text, sizeof(text), "node1 eth2 speed = %s", speed);
	world_set(&w, text);
	world_run(&w, 1);
	snprintf(text, sizeof(text), "node1=%s", file);
	log = applog_read(text, &err);
	assert_non_null(log);
	applog_tell(log, w.model, model_now(w.model), take, &w);
	world_run(&w, 3);
	diagnosis_make(&d, &(struct diagnosis_of){ .model = w.model, .links = &w.links, .findings = w.findings, .policy = w.policy,
						   .inventory = &w.inventory });
	question_ask(&asked, &d, question_find(decision_tree_find(NULL), "Q4"));
	applog_free(log);
	diagnosis_done(&d);
	world_done(&w);
	return asked.answer;
}

/* A small message is slow on a link that nothing is wrong with. */
static void a_test_with_small_messages_does_not_make_bandwidth_low(void **state)
{
	static const char heading[] = "RDMA_Write BW Test\n Device         : roceP2p1s0f0\n Mtu             : 4096[B]\n"
				      "#bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n";
	char path[] = "/tmp/fabcon-perf.XXXXXX", text[300];
	int fd = mkstemp(path);

	(void)state;
	snprintf(text, sizeof(text), "%s64 5000 0.45 0.45 0.18\n", heading);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(is_slow(path, "100G"), ANSWER_UNREPORTED);
	snprintf(text, sizeof(text), "%s65536 5000 45.0 45.0 0.18\n", heading);
	assert_int_equal(pwrite(fd, text, strlen(text), 0), strlen(text));
	assert_int_equal(is_slow(path, "100G"), ANSWER_YES);
	close(fd);
	unlink(path);
}

/* perftest prints no host's name: whose it is is said with it. */
static void a_test_of_one_link_answers_whether_bandwidth_is_low(void **state)
{
	struct err err;
	char path[400];

	(void)state;
	if (!captures_dir()) {
		print_message("skip: there are no captures\n");
		return;
	}
	snprintf(path, sizeof(path), "%s/node/perftest/ib_write_bw-roce-cpu-util.txt", captures_dir());
	assert_int_equal(is_slow(path, "100G"), ANSWER_NO);
	assert_int_equal(is_slow(path, "200G"), ANSWER_YES);
	assert_null(applog_read(path, &err));
	assert_non_null(strstr(err.text, "--nccl HOST=FILE"));
}

/* The job of a simulated fabric: read from /proc and from its log, found, and named first among the causes. */
static void an_unmarked_job_is_found_over_ssh_and_its_secrets_stay(void **state)
{
	struct lab lab;
	struct run r;
	char log[128];

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "1", "--fault", "nccl-tc-unset@node1"));
	r = LAB_FABCON(&lab, "show", "node1");
	assert_non_null(strstr(r.out.text, "NCCL_IB_HCA=mlx5_0"));
	assert_null(strstr(r.out.text, "HF_TOKEN"));
	run_done(&r);
	snprintf(log, sizeof(log), "%s/nccl.log", lab.dir);
	r = LAB_FABCON(&lab, "--nccl", log, "findings");
	assert_non_null(strstr(r.out.text, "app-tos-as-wanted"));
	assert_non_null(strstr(r.out.text, "NCCL_IB_TC is not set"));
	run_done(&r);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_traffic_class_is_resolved_in_nccls_own_order),
		cmocka_unit_test(whether_a_tos_is_forced_is_read_before_the_application_is_judged),
		cmocka_unit_test(of_a_member_the_bond_says_which_tos_is_forced),
		cmocka_unit_test(control_messages_follow_the_data_unless_they_are_set_apart),
		cmocka_unit_test(efficiency_is_that_of_the_packets_on_the_wire),
		cmocka_unit_test(which_devices_nccl_may_use_is_read_as_nccl_reads_it),
		cmocka_unit_test(a_device_that_nccl_leaves_alone_is_told_unless_it_is_for_something_else),
		cmocka_unit_test(of_a_log_that_was_not_read_whole_no_trouble_is_not_said),
		cmocka_unit_test(an_index_that_names_another_kind_of_address_is_told_where_it_is_the_odd_one),
		cmocka_unit_test(virtual_functions_are_missed_only_where_others_have_them),
		cmocka_unit_test(perftest_bandwidth_is_read_in_its_own_unit),
		cmocka_unit_test(the_units_of_perftest_are_read_and_no_other),
		cmocka_unit_test(small_messages_tell_nothing_about_bandwidth),
		cmocka_unit_test(a_test_within_one_host_tells_nothing_about_the_links),
		cmocka_unit_test(a_test_with_small_messages_does_not_make_bandwidth_low),
		cmocka_unit_test(nccl_tests_are_read_with_and_without_a_root_column),
		cmocka_unit_test(the_captured_tests_are_read),
		cmocka_unit_test(a_test_of_one_link_answers_whether_bandwidth_is_low),
		cmocka_unit_test(an_unmarked_job_is_found_over_ssh_and_its_secrets_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
