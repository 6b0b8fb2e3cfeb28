/*
 * Link tests between simulated hosts, by their own tools over real SSH: what they measure is what the simulator gave them, and fabcon's
 * own script and parsers work with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bringup/measured.h"
#include "remote/runner/node_script.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"

#define LINE_BPS	100e9
#define WAIT_LISTENS	"i=0; until grep -q ':%04X 00000000:0000 0A ' /proc/net/tcp; do i=$((i+1)); " \
			"[ $i -lt 200 ] || break; sleep 0.05; done\n"

static struct lab lab;

/* In a session of its own: what a command printed, and its status, are in /tmp/NAME of the device. */
static void start(const char *device, const char *name, const char *command, unsigned port)
{
	/* The shell's own session ends with it: it stays until the other one has begun. */
	char *script = xasprintf("rm -f /tmp/%s /tmp/%s.rc /tmp/%s.pid\n"
				 "setsid sh -c 'echo $$ >/tmp/%s.pid; %s; echo $? >/tmp/%s.rc' >/tmp/%s 2>&1 </dev/null &\n"
				 "until [ -s /tmp/%s.pid ]; do sleep 0.05; done\n", name, name, name, name, command, name, name, name);
	char *wait = port ? xasprintf(WAIT_LISTENS, port) : xstrdup(""), *both = xasprintf("%s%s", script, wait);

	lab_tell(&lab, device, both);
	free(script);
	free(wait);
	free(both);
}

/* Waits for its end; its output, a new text, and its status. */
static char *finish(const char *device, const char *name, int *status)
{
	char *script = xasprintf("i=0; until [ -s /tmp/%s.rc ]; do i=$((i+1)); [ $i -lt 400 ] || break; sleep 0.1; done\n"
				 "echo \"rc $(cat /tmp/%s.rc)\"; cat /tmp/%s\n", name, name, name);
	const char *said = lab_tell(&lab, device, script), *line = strchr(said, '\n');

	*status = -1;
	sscanf(said, "rc %d", status);
	free(script);
	return xstrdup(line ? line + 1 : "");
}

/* A command in the foreground. */
static int run_on(const char *device, const char *command, char **text)
{
	char *script = xasprintf("%s\necho \"rc $?\"\n", command);
	const char *said = lab_tell(&lab, device, script), *end = strstr(said, "rc ");
	int status = -1;

	for (const char *next = end; next; next = strstr(next + 1, "\nrc "))
		end = next;
	if (end)
		sscanf(*end == '\n' ? end + 1 : end, "rc %d", &status);
	*text = xstrdup(said);
	free(script);
	return status;
}

static double counter(const char *name)
{
	struct run r = LAB_CTL(&lab, "state");
	char *wanted = xasprintf("\n%s = ", name);
	const char *at = r.out.text ? strstr(r.out.text, wanted) : NULL;
	double n = at ? strtod(at + strlen(wanted), NULL) : 0;

	run_done(&r);
	free(wanted);
	return n;
}

static void assert_says(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is not in:\n%s", wanted, text);
}

static struct measured read_text(enum bringup_tool tool, const char *text, int status)
{
	struct measured m;

	measured_read(tool, span_of(text), status, &m);
	return m;
}

/* A server on node1, its client on another; what the client measured, with the server's word for it. */
static struct measured measure(enum bringup_tool tool, const char *server, const char *client, unsigned port)
{
	int status, served;
	char *text, *other;
	struct measured m;

	start("node1", "server", server, port);
	status = run_on("node2", client, &text);
	other = finish("node1", "server", &served);
	m = read_text(tool, text, status);
	if (m.fault == MEASURED_WELL && served)
		fail_msg("the server ended with %d:\n%s", served, other);
	if (m.fault != MEASURED_WELL)
		print_message("%s\n%s", text, other);
	free(text);
	free(other);
	return m;
}

static void begin(void)
{
	assert_true(LAB(&lab, "--nodes", "4", "--rails", "2", "--traffic", "off"));
}

#define WRITES		"ib_write_bw -d mlx5_0 -x 3 --report_gbits --tclass=106 -D 2"

static void a_healthy_pair_measures_its_line_in_its_class(void **state)
{
	struct measured m;
	double before, other;

	(void)state;
	begin();
	before = counter("node2 eth2 tx.bytes[3]");
	other = counter("node2 eth2 tx.bytes[0]");
	m = measure(BRINGUP_WRITE_BW, WRITES, WRITES " 10.101.0.1", 18515);
	assert_int_equal(m.fault, MEASURED_WELL);
	assert_true(m.bps > 0.9 * LINE_BPS && m.bps < LINE_BPS);
	assert_int_equal(m.mtu, 4096);
	/* Two seconds of it, on both ends and at the switch between them. */
	assert_true(counter("node2 eth2 tx.bytes[3]") - before > 1.8 * m.bps / 8);
	assert_true(counter("node1 eth2 rx.bytes[3]") - before > 1.8 * m.bps / 8);
	assert_true(counter("node2 eth2 tx.bytes[0]") - other < 1e6);
	m = measure(BRINGUP_READ_BW, "ib_read_bw -d mlx5_0 --tclass=106", "ib_read_bw -d mlx5_0 -q 2 node1", 18515);
	assert_true(m.fault == MEASURED_WELL && m.bps > 0.9 * LINE_BPS && m.bps < LINE_BPS);
	lab_stop(&lab);
}

/* The tool asks for the class, and the NIC makes of it what it is set to. */
static void a_nic_that_trusts_pcp_sends_it_in_another_priority(void **state)
{
	double before, other;
	struct measured m;
	char *text;

	(void)state;
	begin();
	run_on("node2", "mlnx_qos -i eth2 --trust pcp >/dev/null; sleep 1", &text);
	free(text);
	before = counter("node2 eth2 tx.bytes[0]");
	other = counter("node2 eth2 tx.bytes[3]");
	m = measure(BRINGUP_WRITE_BW, WRITES, WRITES " node1", 18515);
	assert_int_equal(m.fault, MEASURED_WELL);
	assert_true(counter("node2 eth2 tx.bytes[0]") - before > 1e9);
	assert_true(counter("node2 eth2 tx.bytes[3]") - other < 1e6);
	lab_stop(&lab);
}

/* Two senders to node1's port at once, each with a server of its own; what both measured together. */
static double measure_two(const char *options)
{
	double sum = 0;

	start("node1", "a", "ib_write_bw -d mlx5_0 -x 3", 18515);
	start("node1", "b", "ib_write_bw -d mlx5_0 -x 3 -p 18516", 18516);
	for (unsigned i = 0; i < 2; i++) {
		char *client = xasprintf("ib_write_bw -d mlx5_0 -x 3 --report_gbits -D 6 %s node1 -p %u", options, 18515 + i);

		start(i ? "node3" : "node2", "client", client, 0);
		free(client);
	}
	for (unsigned i = 0; i < 2; i++) {
		int status;
		char *text = finish(i ? "node3" : "node2", "client", &status);
		struct measured m = read_text(BRINGUP_WRITE_BW, text, status);

		if (m.fault != MEASURED_WELL)
			print_message("%s", text);
		free(text);
		assert_int_equal(m.fault, MEASURED_WELL);
		assert_true(m.bps < 0.75 * LINE_BPS);
		sum += m.bps;
	}
	return sum;
}

static void two_clients_at_once_share_the_receiver(void **state)
{
	double bps;

	(void)state;
	begin();
	bps = measure_two("--tclass=106");
	assert_true(bps > 0.8 * LINE_BPS && bps < LINE_BPS);
	lab_stop(&lab);
}

/* Without the class packets are dropped where two meet, and go-back-N sends much again. */
static void two_clients_in_the_wrong_class_lose_packets(void **state)
{
	char *text;
	double bps;

	(void)state;
	begin();
	for (unsigned i = 0; i < 2; i++) {
		run_on(i ? "node3" : "node2", "echo -1 >/sys/class/infiniband/mlx5_0/tc/1/traffic_class; sleep 0.3", &text);
		free(text);
	}
	bps = measure_two("--tclass=0");
	assert_true(bps < 0.8 * LINE_BPS);
	assert_true(counter("leaf1 ethernet1/1/1 tx.drop[0]") > 0);
	lab_stop(&lab);
}

static void what_is_wrong_lowers_what_is_measured(void **state)
{
	struct measured m;
	struct run r;
	char *text;
	int status;

	(void)state;
	begin();
	r = LAB_CTL(&lab, "fault", "add", "pcie-degraded@node2:eth2");
	assert_int_equal(r.code, 0);
	run_done(&r);
	m = measure(BRINGUP_WRITE_BW, WRITES, WRITES " node1", 18515);
	assert_true(m.fault == MEASURED_WELL && m.bps < 0.8 * LINE_BPS && m.bps > 0.05 * LINE_BPS);
	r = LAB_CTL(&lab, "fault", "clear", "pcie-degraded@node2:eth2");
	run_done(&r);
	/* A link that goes away in the middle: the queue pair gives up. */
	start("node1", "server", WRITES, 18515);
	start("node2", "client", "ib_write_bw -d mlx5_0 -x 3 --tclass=106 -D 30 node1", 0);
	run_on("node1", "sleep 1; ip link set eth2 down", &text);
	free(text);
	text = finish("node2", "client", &status);
	m = read_text(BRINGUP_WRITE_BW, text, status);
	assert_int_equal(m.fault, MEASURED_RETRIES);
	free(text);
	/* And then there is no path to it at all. */
	assert_int_equal(run_on("node1", "ib_write_bw -d mlx5_0", &text), 1);
	assert_says(text, "Port number 1 state is Down");
	free(text);
	assert_int_equal(run_on("node2", "rping -c -a 10.101.0.1 -C 2", &text), 255);
	assert_int_equal(read_text(BRINGUP_RPING, text, 255).fault, MEASURED_NO_PATH);
	free(text);
	lab_stop(&lab);
}

static void a_port_is_taken_on_its_own_device_alone(void **state)
{
	char *text;

	(void)state;
	begin();
	start("node1", "server", WRITES, 18515);
	assert_int_equal(run_on("node1", WRITES, &text), 1);
	assert_says(text, "Couldn't listen to port 18515\n");
	assert_int_equal(read_text(BRINGUP_WRITE_BW, text, 1).fault, MEASURED_PORT_TAKEN);
	free(text);
	start("node3", "server", WRITES, 18515);
	run_on("node3", "grep -c ':4853 00000000:0000 0A ' /proc/net/tcp", &text);
	assert_says(text, "1\n");
	free(text);
	/* The one that is named is met, and the other goes on listening. */
	assert_int_equal(run_on("node2", WRITES " node3", &text), 0);
	free(text);
	run_on("node1", "grep -c ':4853 00000000:0000 0A ' /proc/net/tcp", &text);
	assert_says(text, "1\n");
	free(text);
	lab_stop(&lab);
}

static void a_gid_that_is_not_there_has_no_path(void **state)
{
	int status;
	char *text;

	(void)state;
	begin();
	start("node1", "server", "ib_write_bw -x 5", 18515);
	assert_int_equal(run_on("node2", "ib_write_bw -x 3 node1", &text), 1);
	assert_int_equal(read_text(BRINGUP_WRITE_BW, text, 1).fault, MEASURED_NO_PATH);
	free(text);
	text = finish("node1", "server", &status);
	assert_says(text, "to RTR\n Unable to Connect the HCA's through the link\n");
	assert_int_equal(status, 1);
	free(text);
	assert_int_equal(run_on("node2", "ibv_rc_pingpong -g 9 node1", &text), 1);
	assert_int_equal(read_text(BRINGUP_PINGPONG, text, 1).fault, MEASURED_NO_GID);
	free(text);
	start("node1", "server", "ibv_rc_pingpong -g 5", 18515);
	assert_int_equal(run_on("node2", "ibv_rc_pingpong -g 3 node1", &text), 1);
	free(text);
	text = finish("node1", "server", &status);
	assert_says(text, "Failed to modify QP to RTR\nCouldn't connect to remote QP\n");
	free(text);
	lab_stop(&lab);
}

static void where_nobody_listens_nobody_answers(void **state)
{
	char *text;

	(void)state;
	begin();
	assert_int_equal(run_on("node2", WRITES " 10.101.0.1", &text), 1);
	assert_says(text, "Couldn't connect to 10.101.0.1:18515\n");
	assert_int_equal(read_text(BRINGUP_WRITE_BW, text, 1).fault, MEASURED_NO_PARTNER);
	free(text);
	assert_int_equal(run_on("node2", "rping -c -a 10.101.0.1 -C 2", &text), 255);
	assert_int_equal(read_text(BRINGUP_RPING, text, 255).fault, MEASURED_NO_PARTNER);
	free(text);
	assert_int_equal(run_on("node2", "ibv_rc_pingpong -g 3 node1", &text), 1);
	assert_int_equal(read_text(BRINGUP_PINGPONG, text, 1).fault, MEASURED_NO_PARTNER);
	free(text);
	assert_int_equal(run_on("node2", "ib_write_bw -d mlx5_7 node1", &text), 1);
	assert_int_equal(read_text(BRINGUP_WRITE_BW, text, 1).fault, MEASURED_NO_DEVICE);
	free(text);
	lab_stop(&lab);
}

static void latency_and_pings_have_their_numbers(void **state)
{
	struct measured m;

	(void)state;
	begin();
	m = measure(BRINGUP_WRITE_LAT, "ib_write_lat -d mlx5_0", "ib_write_lat -d mlx5_0 node1", 18515);
	assert_true(m.fault == MEASURED_WELL && m.typical_us > 1 && m.typical_us < 5);
	m = measure(BRINGUP_WRITE_LAT, "ib_write_lat -d mlx5_0 -D 1", "ib_write_lat -d mlx5_0 -D 1 node1", 18515);
	assert_true(m.fault == MEASURED_WELL && m.typical_us > 1 && m.typical_us < 5);
	m = measure(BRINGUP_PINGPONG, "ibv_rc_pingpong -g 3", "ibv_rc_pingpong -g 3 node1", 18515);
	assert_int_equal(m.received, 1000);
	/* rping's server is at the RDMA CM: nobody sees it in /proc/net/tcp. */
	m = measure(BRINGUP_RPING, "rping -s -v -C 10", "sleep 0.3; rping -c -a 10.101.0.1 -C 10 -v", 0);
	assert_int_equal(m.received, 10);
	lab_stop(&lab);
}

static void who_is_killed_leaves_no_flow_and_no_listener(void **state)
{
	double then, now;
	char *text;
	int status;

	(void)state;
	begin();
	start("node1", "server", WRITES, 18515);
	start("node2", "client", "ib_write_bw -d mlx5_0 -x 3 --tclass=106 -D 60 node1", 0);
	run_on("node2", "i=0; until rdma resource show qp | grep -q ib_write_bw; do i=$((i+1)); [ $i -lt 100 ] || break; sleep 0.05; done\n"
			"rdma resource show qp; rdma -j resource show qp", &text);
	assert_says(text, " type RC state RTS ");
	assert_says(text, " comm ib_write_bw");
	assert_says(text, "\"comm\":\"ib_write_bw\"");
	assert_says(text, "lqpn 1 type GSI state RTS sq-psn 0 comm [ib_core]");
	free(text);
	run_on("node2", "sleep 0.5; kill -KILL -$(cat /tmp/client.pid); sleep 0.5; rdma resource show qp", &text);
	assert_null(strstr(text, "ib_write_bw"));
	free(text);
	text = finish("node1", "server", &status);
	assert_int_equal(status, 1);
	assert_says(text, "Couldn't read remote address");
	free(text);
	then = counter("node2 eth2 tx.bytes[3]");
	assert_true(then > 1e8);
	usleep(500000);
	now = counter("node2 eth2 tx.bytes[3]");
	assert_true(now - then < 1e6);
	/* A server that listens, by SIGTERM. */
	start("node1", "server", WRITES, 18515);
	run_on("node1", "kill -TERM -$(cat /tmp/server.pid); sleep 0.5; grep -c ':4853 ' /proc/net/tcp", &text);
	assert_says(text, "0\n");
	free(text);
	lab_stop(&lab);
}

/* Our own script, as the runner sends it; its standard input is open. */
static char *run_script(const struct node_test *tests, const char *device, bool in_background)
{
	struct buf script = { NULL }, text = { NULL };

	assert_true(node_script(tests, 1, &script));
	buf_printf(&text, "cat >/tmp/run.sh <<'END_OF_SCRIPT'\n%sEND_OF_SCRIPT\nrm -f /tmp/in /tmp/run.out; mkfifo /tmp/in\n", script.text);
	if (in_background)
		buf_str(&text, "setsid sh -c 'exec 9<>/tmp/in; sh /tmp/run.sh <&9' >/tmp/run.out 2>&1 </dev/null &\n"
			       "i=0; until grep -q listening /tmp/run.out; do i=$((i+1)); [ $i -lt 200 ] || break; sleep 0.05; done\n"
			       "cat /tmp/run.out\n");
	else
		buf_str(&text, "exec 9<>/tmp/in; sh /tmp/run.sh <&9\n");
	char *said = xstrdup(lab_tell(&lab, device, text.text));

	buf_done(&script);
	buf_done(&text);
	return said;
}

static void fabcons_script_sees_it_listen_and_reads_its_result(void **state)
{
	static const char *const server[] = { "ib_write_bw", "-d", "mlx5_0", "-x", "3", "-D", "2", "--report_gbits", NULL };
	static const char *const client[] = { "ib_write_bw", "-d", "mlx5_0", "-x", "3", "-D", "2", "--report_gbits", "--tclass=106",
					      "10.101.0.1", "-p", "18516", NULL };
	struct buf out = { NULL };
	struct node_line line;
	struct measured m;
	struct span rest, each;
	int status = -1;
	char *said;

	(void)state;
	begin();
	start("node1", "other", "ib_write_bw", 18515);	/* the port that the script tries first is somebody's */
	said = run_script(&(struct node_test){ .id = 7, .words = server, .limit_s = 30, .port = 18515 }, "node1", true);
	assert_says(said, "fabcon: listening 7 18516\n");
	free(said);
	said = run_script(&(struct node_test){ .id = 9, .words = client, .limit_s = 30 }, "node2", false);
	rest = span_of(said);
	while (span_line(&rest, &each))
		if (node_line_read(each, &line) && line.word == NODE_OUT)
			buf_printf(&out, "%.*s\n", (int)line.text.n, line.text.p);
		else if (node_line_read(each, &line) && line.word == NODE_ENDED)
			status = (int)line.n;
	measured_read(BRINGUP_WRITE_BW, buf_span(&out), status, &m);
	if (m.fault != MEASURED_WELL)
		print_message("%s", said);
	assert_int_equal(m.fault, MEASURED_WELL);
	assert_true(m.bps > 0.9 * LINE_BPS);
	buf_done(&out);
	free(said);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_pair_measures_its_line_in_its_class),
		cmocka_unit_test(a_nic_that_trusts_pcp_sends_it_in_another_priority),
		cmocka_unit_test(two_clients_at_once_share_the_receiver),
		cmocka_unit_test(two_clients_in_the_wrong_class_lose_packets),
		cmocka_unit_test(what_is_wrong_lowers_what_is_measured),
		cmocka_unit_test(a_port_is_taken_on_its_own_device_alone),
		cmocka_unit_test(a_gid_that_is_not_there_has_no_path),
		cmocka_unit_test(where_nobody_listens_nobody_answers),
		cmocka_unit_test(latency_and_pings_have_their_numbers),
		cmocka_unit_test(who_is_killed_leaves_no_flow_and_no_listener),
		cmocka_unit_test(fabcons_script_sees_it_listen_and_reads_its_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
