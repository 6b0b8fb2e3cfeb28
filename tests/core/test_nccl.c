/* What NCCL's log says, and what follows from it: by our own lines in the wordings of its source, and by real ones. */
#include "core/application/nccl.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

/* Ours: two hosts, four processes, as mpirun mixes them. */
static const char two_hosts[] =
	"NCCL version 2.21.5+cuda12.4\n"
	"[1,0]<stdout>:node1:100:100 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0,mlx5_1\n"
	"node1:100:120 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\n"
	"node2:200:220 [0] NCCL INFO NET/IB : No device found.\n"
	"node2:200:220 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.2<0>\n"
	"node1:100:120 [0] NCCL INFO Using network IB\n"
	"node2:200:220 [0] NCCL INFO Using network Socket\n"
	"node1:100:100 [0] NCCL INFO ncclCommInitRank comm 0x55 rank 0 nranks 3 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x1 - Init START\n"
	"node1:101:121 [1] NCCL INFO comm 0x56 rank 1 nranks 3 cudaDev 1 busId 3b000 - Init COMPLETE\n"
	"node1:101:121 [1] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\n"
	"2026-01-02 12:11:38 node1:100:130 [0] NCCL INFO NCCL_IB_GID_INDEX set by environment to 3.\n"
	"node1:100:130 [0] NCCL INFO NCCL_IB_TC set by environment to 106.\n"
	"node1:100:130 [0] NCCL INFO NET/IB: Dev 0 Port 1 qpn 2234 mtu 5 GID 3 (80FE/7FA3)\n"
	"node1:100:120 [0] NCCL INFO Channel 00/0 : 2[0] -> 0[0] [receive] via NET/IB/0/GDRDMA\n"
	"node1:101:121 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/1\n"
	"node1:101:121 [1] NCCL INFO GPU Direct RDMA Disabled for GPU 1 / HCA 1 (distance 9 > 4)\n"
	"node2:200:220 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [receive] via NET/Socket/0\n"
	"node1:100:120 [0] NCCL INFO Connected all rings\n";

static struct nccl_log read_text(const char *text)
{
	struct nccl_log log = { 0 };

	nccl_read(&log, span_of(text));
	return log;
}

/* The facts of one host, a line each, into out. */
static void facts_of(const char *text, const char *host, struct buf *out)
{
	struct nccl_log log = read_text(text);
	struct buf excerpt = { 0 };
	struct obs o;

	obs_init(&o, host, "nccl-log");
	nccl_facts(&log, span_of(host), &excerpt, &o);
	obs_print(&o, out);
	for (size_t i = 0; i < o.n; i++)
		assert_true(o.facts[i].cite == CITE_NONE || o.facts[i].cite < o.raw.n);
	obs_done(&o);
	buf_done(&excerpt);
	nccl_done(&log);
}

static void assert_says(const struct buf *facts, const char *fact)
{
	if (!facts->text || !strstr(facts->text, fact))
		fail_msg("\"%s\" is not in:\n%s", fact, facts->text ? facts->text : "nothing");
}

static void assert_silent(const struct buf *facts, const char *field)
{
	if (facts->text && strstr(facts->text, field))
		fail_msg("\"%s\" is in:\n%s", field, facts->text);
}

static void each_host_of_a_mixed_log_gets_what_its_own_processes_say(void **state)
{
	struct buf node1 = { 0 }, node2 = { 0 };

	(void)state;
	facts_of(two_hosts, "node1", &node1);
	assert_says(&node1, "node1 app.procs = 2\n");
	assert_says(&node1, "node1 app.ranks = \"0-1\"\n");
	assert_says(&node1, "node1 app.version = \"2.21.5+cuda12.4\"\n");
	assert_says(&node1, "node1 app.net = ib\n");
	assert_says(&node1, "node1 app.hca = \"mlx5_0 mlx5_1\"\n");
	assert_says(&node1, "node1 app.gid_index = 3\n");
	assert_says(&node1, "node1 app.tc = 106\n");
	assert_says(&node1, "node1 app.tc.set = yes\n");
	assert_says(&node1, "node1 app.gdr = no\n");
	assert_says(&node1, "node1 app.gdr.why = \"distance 9 > 4\"\n");
	facts_of(two_hosts, "node2", &node2);
	assert_says(&node2, "node2 app.net = socket\n");
	assert_says(&node2, "node2 app.warning = \"NET/IB : No device found.\"\n");
	assert_silent(&node2, "app.gdr");
	assert_silent(&node2, "app.tc");
	buf_done(&node1);
	buf_done(&node2);
}

static void a_completion_error_is_read_in_all_its_wordings(void **state)
{
	static const char *const lines[] = {
		"n:1:2 [0] transport/net_ib.cc:1296 NCCL WARN NET/IB : Got completion from peer 10.2.0.5<33092> with error 12, opcode 0, "
		"len 0, vendor err 129 (Recv)\n",
		"n:1:2 [1] transport/net_ib.cc:2453 NCCL WARN NET/IB: Got completion from peer 10.2.0.5<51161> with status=12 opcode=129 "
		"len=0 vendor err 129 (Recv) localGid ::ffff:10.2.0.4 remoteGids::ffff:10.2.0.5 hca mlx5_1\n",
		"[2026-03-03 12:11:38] n:1:2 [0] p2p.cc:1 NCCL WARN NET/IB: Got completion from peer 10.2.0.5<51161> with "
		"status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) vendor_err=129  localGid ::1 remoteGids::2 hca mlx5_1\n",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct nccl_log log = read_text(lines[i]);

		assert_int_equal(log.n, 1);
		assert_int_equal(log.list[0].error.status, 12);
		assert_int_equal(log.list[0].error.vendor, 129);
		assert_true(span_is(log.list[0].error.peer, "10.2.0.5"));
		assert_true(i ? span_is(log.list[0].error.hca, "mlx5_1") : log.list[0].error.hca.n == 0);
		assert_true(span_is(log.list[0].host, "n"));
		nccl_done(&log);
	}
}

static void an_error_of_the_time_before_peers_were_named_is_one(void **state)
{
	struct nccl_log log = read_text("n:1:2 [0] transport/net_ib.cu:786 NCCL WARN NET/IB : Got completion with error 12, opcode 1, len 0, "
					"vendor err 129\n");
	struct buf facts = { 0 };

	(void)state;
	assert_int_equal(log.n, 1);
	assert_int_equal(log.list[0].error.status, 12);
	assert_int_equal(log.list[0].error.vendor, 129);
	assert_int_equal(log.list[0].error.peer.n, 0);
	nccl_done(&log);
	facts_of("n:1:2 [0] net_ib.cu:786 NCCL WARN NET/IB : Got completion with error 12, opcode 1, len 0, vendor err 129\n", "n", &facts);
	assert_says(&facts, "n app.status = 12\n");
	assert_silent(&facts, "peer");
	buf_done(&facts);
}

static void the_error_that_others_follow_from_is_the_one_that_is_told(void **state)
{
	struct buf facts = { 0 };

	(void)state;
	facts_of("n:1:2 [0] a.cc:1 NCCL WARN NET/IB: Got completion from peer 1.1.1.1<1> with status=5 opcode=0 len=0 vendor err 249 (Send)\n"
		 "n:1:2 [0] a.cc:1 NCCL WARN NET/IB: Got completion from peer 1.1.1.1<1> with status=10 opcode=0 len=0 vendor err 136 (Send)\n"
		 "n:3:4 [1] a.cc:1 NCCL WARN NET/IB: Got completion from peer 1.1.1.1<1> with status=99 opcode=0 len=0 vendor err 1 (Send)\n",
		 "n", &facts);
	assert_says(&facts, "n app.status = 10\n");
	assert_says(&facts, "the far end refused access to its memory, peer 1.1.1.1\"");
	buf_done(&facts);
}

static void that_no_traffic_class_is_set_is_said_only_where_it_would_have_been_told(void **state)
{
	static const char told[] = "n:1:2 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0\nn:1:2 [0] NCCL INFO Using network IB\n"
				   "n:1:2 [0] NCCL INFO Connected all rings\n";
	struct buf facts = { 0 };

	(void)state;
	facts_of(told, "n", &facts);
	assert_says(&facts, "n app.tc.set = no\n");
	buf_clear(&facts);
	facts_of(strchr(told, '\n') + 1, "n", &facts);	/* without its variables */
	assert_silent(&facts, "app.tc");
	buf_clear(&facts);
	facts_of("n:1:2 [0] NCCL INFO NCCL_IB_TC set by environment to 106.\nn:9:2 [0] NCCL INFO NCCL_IB_TC set by environment to 0.\n", "n",
		 &facts);
	assert_says(&facts, "n app.tc = unknown \"its processes differ\"\n");
	buf_done(&facts);
}

static void a_warning_that_is_known_names_its_cause(void **state)
{
	struct buf facts = { 0 };

	(void)state;
	facts_of("n:1:2 [0] misc/ibvwrap.cc:203 NCCL WARN Call to ibv_create_cq failed with error Cannot allocate memory\n", "n", &facts);
	assert_says(&facts, "n app.trouble = \"memlock-low\"\n");
	buf_clear(&facts);
	facts_of("n:1:2 [0] misc/ibvwrap.cc:262 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out\n", "n", &facts);
	assert_says(&facts, "n app.trouble = \"gid-wrong\"\n");
	for (size_t i = 0; i < nccl_trouble_count; i++)
		assert_true(nccl_troubles[i].what && nccl_troubles[i].next);
	buf_done(&facts);
}

#define EVENT(level, port, word) "n:1:2 [0] NCCL " level " NET/IB : " port "async event : port " word "\n"
#define LOCKED "n:1:2 [0] NCCL WARN Call to ibv_create_cq failed with error Cannot allocate memory\n"

static void a_port_that_is_active_again_is_no_trouble_any_more(void **state)
{
	static const struct {
		const char *text, *says, *not;
	} rows[] = {
		{ EVENT("WARN", "mlx5_1:1 ", "error"), "n app.trouble = \"link-down\"\n", "active" },
		{ EVENT("WARN", "mlx5_1:1 ", "error"), "n app.warning = \"the log reports a port error of mlx5_1:1\"\n", "active" },
		{ EVENT("WARN", "mlx5_1:1 ", "error") EVENT("INFO", "mlx5_1:1 ", "active"),
		  "n app.warning = \"the log reports a port error of mlx5_1:1, then that the port is active\"\n", "app.trouble" },
		{ EVENT("WARN", "Got ", "error") EVENT("WARN", "Got ", "active"),
		  "n app.warning = \"the log reports a port error, then that the port is active\"\n", "app.trouble" },
		{ EVENT("WARN", "mlx5_1:1 ", "error") EVENT("WARN", "mlx5_0:1 ", "active"), "n app.trouble = \"link-down\"\n", "then" },
		{ EVENT("WARN", "mlx5_0:1 ", "error") EVENT("WARN", "mlx5_1:1 ", "error") EVENT("WARN", "mlx5_0:1 ", "active"),
		  "n app.warning = \"the log reports a port error of mlx5_1:1\"\n", "then" },
		{ EVENT("WARN", "mlx5_1:1 ", "active") EVENT("WARN", "mlx5_1:1 ", "error"), "n app.trouble = \"link-down\"\n", "then" },
		{ EVENT("WARN", "mlx5_1:1 ", "error") LOCKED EVENT("INFO", "mlx5_1:1 ", "active"), "n app.trouble = \"memlock-low\"\n", "then" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf facts = { 0 };

		facts_of(rows[i].text, "n", &facts);
		assert_says(&facts, rows[i].says);
		assert_silent(&facts, rows[i].not);
		buf_done(&facts);
	}
}

static void every_status_has_words_and_a_next_step(void **state)
{
	(void)state;
	for (size_t i = 0; i < completion_count; i++) {
		const struct completion *c = &completion_table[i];

		assert_true(c->status && c->status < COMPLETION_STATUSES);
		assert_ptr_equal(completion_find(c->status), c);
		assert_true(strncmp(c->name, "IBV_WC_", 7) == 0 && *c->what && *c->next);
	}
	assert_null(completion_find(0));
	assert_null(completion_find(99));
}

static void noise_is_no_log(void **state)
{
	static const char noise[] = "\0\377NCCL INF\r\n:::::\nNCCL WARN\nx:1:1 [0] NCCL\n\nNET/IB : Using [\n";
	struct nccl_log log = { 0 };

	(void)state;
	assert_int_equal(nccl_read(&log, (struct span){ noise, sizeof(noise) - 1 }), 0);
	assert_int_equal(log.n, 0);
	nccl_done(&log);
}

/* What real processes wrote. */
static void the_captured_logs_are_read_as_what_they_are(void **state)
{
	static const struct {
		const char *file, *host;
		enum nccl_net net;
		unsigned status;
		int direct;
		const char *hcas;
	} files[] = {
		{ "err12-old-format.txt", "node-2", NCCL_NET_IB, 12, -1, "ibP111p0s0 rdmaP1111p0s2" },
		{ "err4-local-prot-mid-format.txt", "tpgds-aihub0007", NCCL_NET_UNKNOWN, 4, -1, "" },
		{ "gdr-enabled-roce-openshift.txt", "", NCCL_NET_IB, 0, 1, "mlx5_1" },
		{ "init-roce-2.30-two-nics.txt", "ubuntu2", NCCL_NET_IB, 0, -1, "mlx5_0 mlx5_1" },
		{ "using-roce-lumi.txt", "nid000012", NCCL_NET_IB, 0, -1, "mlx5_0" },
		{ "using-socket-eth0.txt", "", NCCL_NET_SOCKET, 0, -1, "" },
	};

	(void)state;
	if (!captures_dir()) {
		print_message("skip: there are no captures\n");
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char path[256], *text;
		struct nccl_log log = { 0 };
		struct buf hcas = { 0 };
		size_t n;

		snprintf(path, sizeof(path), "%s/node/nccl-log/%s", captures_dir(), files[i].file);
		text = file_text(path, &n);
		assert_non_null(text);
		nccl_read(&log, (struct span){ text, n });
		assert_int_equal(log.n, 1);
		assert_true(span_same(log.list[0].host, span_of(files[i].host)));
		assert_int_equal(nccl_net(&log.list[0], &(struct nccl_said){ 0 }), files[i].net);
		assert_int_equal(log.list[0].error.status, files[i].status);
		assert_int_equal(nccl_direct(&log.list[0], &(struct nccl_said){ 0 }), files[i].direct);
		nccl_hcas(&log.list[0], &hcas);
		assert_string_equal(hcas.text ? hcas.text : "", files[i].hcas);
		buf_done(&hcas);
		nccl_done(&log);
		free(text);
	}
}

static void the_command_prints_each_process_and_the_next_step(void **state)
{
	const char *const argv[] = { "fabcon", "nccl", "-", NULL };
	struct run r = run_program(argv, two_hosts);

	(void)state;
	assert_int_equal(r.code, EXIT_DONE);
	assert_non_null(strstr(r.out.text, "Socket"));
	assert_non_null(strstr(r.out.text, "no: distance 9 > 4"));
	assert_non_null(strstr(r.out.text, "node2 200: no RDMA device was found\n  -> RDMA is not used"));
	run_done(&r);
	r = run_program(argv, "nothing of NCCL\n");
	assert_int_equal(r.code, EXIT_NO_TARGET);
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_host_of_a_mixed_log_gets_what_its_own_processes_say),
		cmocka_unit_test(a_completion_error_is_read_in_all_its_wordings),
		cmocka_unit_test(an_error_of_the_time_before_peers_were_named_is_one),
		cmocka_unit_test(the_error_that_others_follow_from_is_the_one_that_is_told),
		cmocka_unit_test(that_no_traffic_class_is_set_is_said_only_where_it_would_have_been_told),
		cmocka_unit_test(a_warning_that_is_known_names_its_cause),
		cmocka_unit_test(a_port_that_is_active_again_is_no_trouble_any_more),
		cmocka_unit_test(every_status_has_words_and_a_next_step),
		cmocka_unit_test(noise_is_no_log),
		cmocka_unit_test(the_captured_logs_are_read_as_what_they_are),
		cmocka_unit_test(the_command_prints_each_process_and_the_next_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
