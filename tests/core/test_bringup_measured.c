/*
 * What the test tools print. The forms are those of Debian 12's perftest 4.5 (by the formats in its programs), rping and ibv_rc_pingpong;
 * the numbers are ours. What real machines printed is read from ../shared/captures where that is there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/measured.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"

#define RULE	"---------------------------------------------------------------------------------------\n"

static const char bandwidth[] =
	RULE
	"                    RDMA_Write BW Test\n"
	" Dual-port       : OFF\t\tDevice         : mlx5_3\n"
	" Number of qps   : 4\t\tTransport type : IB\n"
	" Connection type : RC\t\tUsing SRQ      : OFF\n"
	" Mtu             : 4096[B]\n"
	" Link type       : Ethernet\n"
	" GID index       : 3\n"
	RULE
	" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
	" 1048576    46723            0.00               391.94\t\t   0.046723\n"
	RULE;

/* As ib_write_bw of Debian 12 ended, with 0, on an emulated machine that was too busy. */
#define NO_RATE \
	"                    RDMA_Write BW Test\n" \
	" Mtu             : 4096[B]\n" \
	" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n" \
	" 65536      114           0.000000            0.000000            0.000000\n" RULE
static const char no_rate[] = NO_RATE, no_clock[] = NO_RATE "Correlation coefficient r^2: 0.114327 < 0.9\n";

static const char latency[] =
	RULE
	"                    RDMA_Write Latency Test\n"
	" Mtu             : 1024[B]\n"
	RULE
	" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]"
	"   99.9% percentile[usec] \n"
	" 8       1000          1.92           9.07         1.98     \t       2.01     \t0.14\t\t2.44 \t\t9.07\n"
	RULE;

static const char mean_latency[] =
	RULE
	" #bytes        #iterations       t_avg[usec]    tps average\n"
	" 8             2478123           2.02           247812.30\n"
	RULE;

static const char pings[] = "ping data: rdma-ping-0: ABCDEFGHIJ\nping data: rdma-ping-1: BCDEFGHIJK\nclient DISCONNECT EVENT...\n";

static const char exchanges[] =
	"  local address:  LID 0x0000, QPN 0x000011, PSN 0x9f4ae1, GID ::ffff:10.1.0.1\n"
	"  remote address: LID 0x0000, QPN 0x000011, PSN 0x1a7c22, GID ::ffff:10.1.0.2\n"
	"8192000 bytes in 0.02 seconds = 3276.80 Mbit/sec\n"
	"1000 iters in 0.02 seconds = 20.00 usec/iter\n";

static void read_text(enum bringup_tool tool, const char *text, int status, struct measured *m)
{
	measured_read(tool, span_of(text), status, m);
}

static void what_was_measured_is_read(void **state)
{
	struct measured m;

	(void)state;
	read_text(BRINGUP_WRITE_BW, bandwidth, 0, &m);
	assert_int_equal(m.fault, MEASURED_WELL);
	assert_true(fabs(m.bps - 391.94e9) < 1e6);
	assert_int_equal(m.mtu, 4096);
	read_text(BRINGUP_WRITE_LAT, latency, 0, &m);
	assert_int_equal(m.fault, MEASURED_WELL);
	assert_true(fabs(m.typical_us - 1.98) < 1e-9 && fabs(m.p99_us - 2.44) < 1e-9);
	assert_int_equal(m.mtu, 1024);
	read_text(BRINGUP_WRITE_LAT, mean_latency, 0, &m);
	assert_true(fabs(m.typical_us - 2.02) < 1e-9 && m.p99_us == 0);
	read_text(BRINGUP_RPING, pings, 0, &m);
	assert_int_equal(m.received, 2);
	read_text(BRINGUP_PINGPONG, exchanges, 0, &m);
	assert_int_equal(m.received, 1000);
	assert_true(fabs(m.typical_us - 10) < 1e-9);
}

/* Wherever it is cut, there is the whole result or none. */
static void what_was_cut_is_no_result(void **state)
{
	static const struct {
		enum bringup_tool tool;
		const char *text, *result;
	} whole[] = {
		{ BRINGUP_WRITE_BW, bandwidth, " 1048576 " }, { BRINGUP_WRITE_LAT, latency, " 8       1000" },
		{ BRINGUP_RPING, pings, "ping data" }, { BRINGUP_PINGPONG, exchanges, "1000 iters" },
	};
	struct measured m;

	(void)state;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		const char *result = strstr(whole[i].text, whole[i].result);
		size_t before = (size_t)(strchr(result, '\n') - whole[i].text);
		struct measured all;

		read_text(whole[i].tool, whole[i].text, 0, &all);
		for (size_t n = 0; n <= strlen(whole[i].text); n++) {
			measured_read(whole[i].tool, (struct span){ whole[i].text, n }, 0, &m);
			assert_int_equal(m.fault, n <= before ? MEASURED_CUT : MEASURED_WELL);
			assert_true(n <= before ? m.bps == 0 && m.typical_us == 0 && m.received == 0
						: m.bps == all.bps && m.typical_us == all.typical_us);
		}
	}
	read_text(BRINGUP_WRITE_BW, bandwidth, 1, &m);
	assert_int_equal(m.fault, MEASURED_CUT);	/* a result, and then an end in failure */
}

static void why_there_is_no_result_is_told(void **state)
{
	static const struct {
		enum bringup_tool tool;
		const char *text;
		int status;
		enum measured_fault fault;
	} rows[] = {
		{ BRINGUP_WRITE_BW, "sh: 1: ib_write_bw: not found\n", 127, MEASURED_NO_TOOL },
		{ BRINGUP_WRITE_BW, "bash: ib_write_bw: command not found\n", 127, MEASURED_NO_TOOL },
		{ BRINGUP_WRITE_BW, "IB device mlx5_9 not found\n Unable to find the Infiniband/RoCE device\n", 1, MEASURED_NO_DEVICE },
		{ BRINGUP_WRITE_BW, "Couldn't listen to port 18515\n", 1, MEASURED_PORT_TAKEN },
		{ BRINGUP_WRITE_BW, "no TCP port is free from 18515 on\n", 1, MEASURED_PORT_TAKEN },
		{ BRINGUP_WRITE_BW, "Couldn't connect to 10.0.0.2:18515\nUnable to open file descriptor for socket connection Unable to init the "
				    "socket connection\n", 1, MEASURED_NO_PARTNER },
		{ BRINGUP_WRITE_BW, " Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\nscnt=128, ccnt=0\n", 1,
		  MEASURED_RETRIES },
		{ BRINGUP_WRITE_BW, " Failed to modify QP 286 to RTR\n Unable to Connect the HCA's through the link\n", 1, MEASURED_NO_PATH },
		{ BRINGUP_WRITE_BW, "ib_write_bw: unrecognized option '--tclass=106'\n", 1, MEASURED_REFUSED },
		{ BRINGUP_WRITE_BW, "", 124, MEASURED_TIME },
		{ BRINGUP_WRITE_BW, no_rate, 0, MEASURED_NOTHING },
		{ BRINGUP_WRITE_BW, no_rate, 1, MEASURED_CUT },
		{ BRINGUP_WRITE_BW, no_clock, 0, MEASURED_CLOCK },
		{ BRINGUP_RPING, "cma event RDMA_CM_EVENT_ADDR_ERROR, error -19\nwaiting for addr/route resolution state 1\n", 255,
		  MEASURED_NO_PATH },
		/* rdmacm-utils 44.0: the text from its strings, the reason as perror() adds it; the next as it printed without RDMA */
		{ BRINGUP_RPING, "failed to create RDMA CM event channel: No such file or directory\n", 2, MEASURED_NO_CM },
		{ BRINGUP_RPING, "No RDMA devices were detected\n", 19, MEASURED_NO_DEVICE },
		{ BRINGUP_WRITE_BW, "Couldn't open /dev/x: No such file or directory\n", 1, MEASURED_CUT },
		{ BRINGUP_RPING, "cma event RDMA_CM_EVENT_REJECTED, error 28\nwait for CONNECTED state 4\n", 255, MEASURED_NO_PARTNER },
		{ BRINGUP_RPING, "ping data: rdma-ping-0: ABC\ncq completion failed status 12\n", 255, MEASURED_RETRIES },
		{ BRINGUP_PINGPONG, "Failed status transport retry counter exceeded (12) for wr_id 2\n", 1, MEASURED_RETRIES },
		{ BRINGUP_PINGPONG, "can't read sgid of index 9\n", 1, MEASURED_NO_GID },
	};
	struct measured m;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		read_text(rows[i].tool, rows[i].text, rows[i].status, &m);
		if (m.fault != rows[i].fault)
			fail_msg("%s is \"%s\"", rows[i].text, measured_fault_words(m.fault));
		assert_true(m.bps == 0);
	}
}

static void hostile_texts_are_only_texts(void **state)
{
	static const char junk[] = "\x1b]0;x\a #bytes t_typical\n 8 nan inf -1 1e999 2\n Failed status 12\x1b[31m\n"
				   "1 iters in 0 seconds = - usec\n";
	struct measured m;

	(void)state;
	for (enum bringup_tool tool = 0; tool < BRINGUP_TOOLS; tool++) {
		read_text(tool, junk, 1, &m);
		assert_null(strchr(m.words, '\x1b'));
		assert_true(m.bps == 0 && isfinite(m.typical_us));
		for (size_t n = 0; n < sizeof(junk); n++)
			measured_read(tool, (struct span){ junk, n }, 0, &m);
	}
}

static void what_real_machines_printed_is_read(void **state)
{
	static const struct {
		enum bringup_tool tool;
		const char *path;
		int status;
		enum measured_fault fault;
		double bps;
		unsigned long received;
	} rows[] = {
		{ BRINGUP_WRITE_BW, "../shared/captures/node/perftest/ib_write_bw-roce-cpu-util.txt", 0, MEASURED_WELL, 92.57e9, 0 },
		{ BRINGUP_WRITE_BW, "../shared/captures/node/perftest/err-status12-retry-exceeded.txt", 1, MEASURED_RETRIES, 0, 0 },
		{ BRINGUP_WRITE_BW, "../shared/captures/node/perftest/ib_write_bw-bidir-all-200g.txt", 0, MEASURED_CUT, 0, 0 },	/* both ways */
		{ BRINGUP_RPING, "../shared/captures/node/rping/client-10-verbose.txt", 0, MEASURED_WELL, 0, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct measured m;
		size_t size;
		char *text = file_text(rows[i].path, &size);

		if (!text) {
			print_message("%s is not here: skipped\n", rows[i].path);
			continue;
		}
		measured_read(rows[i].tool, (struct span){ text, size }, rows[i].status, &m);
		if (m.fault != rows[i].fault || fabs(m.bps - rows[i].bps) > 1e6 || m.received != rows[i].received)
			fail_msg("%s: %s, %.2f Gb/s, %lu", rows[i].path, measured_fault_words(m.fault), m.bps / 1e9, m.received);
		free(text);
	}
}

/*
 * iperf 3.12 of Debian 12, as root between two network namespaces (veth, 2 s of -u -b 0 -S 0 -i 0 -J), without the parts that are not
 * read; 30 % were lost at the receiver's socket. Errors: its own, of the same day.
 */
static const char stream_sums[] =
	"\t\t\"sum\":\t{\n\t\t\t\"start\":\t0,\n\t\t\t\"end\":\t2.000064,\n\t\t\t\"seconds\":\t2.000064,\n\t\t\t\"bytes\":\t530301040,\n"
	"\t\t\t\"bits_per_second\":\t2121186129.9178956,\n\t\t\t\"jitter_ms\":\t0.00375593660080277,\n\t\t\t\"lost_packets\":\t112547,\n"
	"\t\t\t\"packets\":\t366230,\n\t\t\t\"lost_percent\":\t30.731234470141715,\n\t\t\t\"sender\":\ttrue\n\t\t}\n";

static void a_stream_tells_what_it_sent_and_what_arrived(void **state)
{
	static const struct {
		const char *before, *after;
		enum measured_fault fault;
	} rows[] = {
		{ "{\n\t\"end\":\t{\n", "\t}\n}\n", MEASURED_WELL },
		{ "warning: UDP block size 8948 exceeds TCP MSS 1448, may result in fragmentation / drops\n{\n\t\"end\":\t{\n", "\t}\n}\n",
		  MEASURED_WELL },
		{ "{\n\t\"end\":\t{\n", "\t}\n", MEASURED_CUT },
		{ "{\n\t\"end\":\t{\n", "\t},\n\t\"error\":\t\"unable to connect to server: Connection refused\"\n}\n", MEASURED_NO_PARTNER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = xasprintf("%s%s%s", rows[i].before, stream_sums, rows[i].after);
		struct measured m;

		measured_read(BRINGUP_STREAM, span_of(text), 0, &m);
		assert_int_equal(m.fault, rows[i].fault);
		if (m.fault == MEASURED_WELL) {
			assert_int_equal(m.sent, 366230);
			assert_int_equal(m.received, 366230 - 112547);
			assert_true(fabs(m.bps - 2121186129.9) < 1);
		} else {
			assert_true(m.bps <= 0 && !m.sent);
		}
		free(text);
	}
}

/* With -J its status is 0, whatever happened. */
static void a_stream_that_could_not_be_sent_says_why(void **state)
{
	static const char form[] = "{\n\t\"start\":\t{\n\t\t\"connected\":\t[],\n\t\t\"version\":\t\"iperf 3.12\"\n\t},\n\t\"intervals\":\t[],\n"
				   "\t\"end\":\t{\n\t},\n\t\"error\":\t\"%s\"\n}\n";
	static const struct {
		const char *error;
		enum measured_fault fault;
	} rows[] = {
		{ "unable to connect to server: Connection refused", MEASURED_NO_PARTNER },
		{ "unable to connect to server: Cannot assign requested address", MEASURED_CUT },
		{ "the server is busy running a test. try again later", MEASURED_CUT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = xasprintf(form, rows[i].error);
		struct measured m;

		measured_read(BRINGUP_STREAM, span_of(text), 0, &m);
		assert_int_equal(m.fault, rows[i].fault);
		assert_non_null(strstr(m.words, rows[i].error));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_measured_is_read),
		cmocka_unit_test(what_was_cut_is_no_result),
		cmocka_unit_test(why_there_is_no_result_is_told),
		cmocka_unit_test(hostile_texts_are_only_texts),
		cmocka_unit_test(what_real_machines_printed_is_read),
		cmocka_unit_test(a_stream_tells_what_it_sent_and_what_arrived),
		cmocka_unit_test(a_stream_that_could_not_be_sent_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
