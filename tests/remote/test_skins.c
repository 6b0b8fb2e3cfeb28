/* What the lab's devices count, and in what they differ: asked of their own tools and files, without SSH. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "tests/lib/one_leaf.h"
#include "tests/lib/say.h"

#define SECOND_US 1000000

#define TIDY(nodes) fabric_in((nodes), "sonic", NULL)

/* What a tool of the device prints, until the next call. */
static const char *tell(struct fabric *f, const char *device, char **words)
{
	static struct buf out;
	struct buf errors = { NULL };
	struct tool_call t = { .fabric = f, .device = fabric_device(f, span_of(device)), .argv = words, .out = &out, .errors = &errors };

	buf_clear(&out);
	while (words[t.argc])
		t.argc++;
	if (tool_run(&t))
		fail_msg("%s: %s", words[0], errors.text);
	buf_done(&errors);
	return out.text;
}
#define TELL(f, device, ...) tell((f), (device), (char *[]){ __VA_ARGS__, NULL })

/* A counter of ethtool -S. */
static uint64_t nic(struct fabric *f, const char *device, const char *name)
{
	const char *text = TELL(f, device, "ethtool", "-S", "eth2"), *at;
	char wanted[80];

	snprintf(wanted, sizeof(wanted), " %s: ", name);
	at = strstr(text, wanted);
	if (!at)
		fail_msg("no %s in:\n%s", name, text);
	return strtoull(at + strlen(wanted), NULL, 10);
}

static void fault(struct fabric *f, const char *text)
{
	struct faults faults = { NULL };
	struct err err = { .text = "" };

	if (!fault_add(&faults, f, text, NULL, &err))
		fail_msg("%s", err.text);
	faults_done(&faults);
}

static struct lab_port *first_port(struct fabric *f, const char *device)
{
	return &f->ports[fabric_device(f, span_of(device))->first];
}

/* -- counters by kind of traffic -- */

static void rdma_counters_count_rdma_whatever_its_priority(void **state)
{
	struct fabric *f = TIDY(2);

	(void)state;
	fabric_traffic(f, "ring");
	fault(f, "trust-pcp@node2:eth2");
	fabric_run(f, SECOND_US / 100);
	assert_int_equal(nic(f, "node2", "tx_prio3_bytes"), 0);
	assert_true(nic(f, "node2", "tx_prio0_bytes") > 1000000);
	assert_true(nic(f, "node2", "tx_vport_rdma_unicast_bytes") >= nic(f, "node2", "tx_prio0_bytes"));
	assert_true(nic(f, "node2", "tx_vport_rdma_unicast_packets") >= nic(f, "node2", "tx_prio0_packets"));
	assert_int_equal(nic(f, "node2", "tx_bytes"), 0);
	assert_int_equal(nic(f, "node1", "rx_packets"), 0);
	assert_true(nic(f, "node1", "rx_vport_rdma_unicast_bytes") > 1000000);
	fabric_free(f);
}

/* -- pause -- */

static void pause_to_a_host_without_pfc_is_counted_as_unsupported(void **state)
{
	struct fabric *f = TIDY(4);
	uint64_t before;

	(void)state;
	fabric_traffic(f, "incast");
	for (unsigned i = 0; i < 4; i++) {
		char text[64];

		snprintf(text, sizeof(text), "ecn-off-switch@leaf1:Ethernet%u", 4 * i);
		fault(f, text);
	}
	fabric_run(f, SECOND_US / 50);
	for (unsigned i = 1; i <= 4; i++) {
		char name[16], text[32];

		snprintf(name, sizeof(name), "node%u", i);
		before = nic(f, name, "rx_pause_ctrl_phy");
		assert_int_equal(nic(f, name, "rx_unsupported_op_phy"), 0);
		snprintf(text, sizeof(text), "pfc-off-host@%s", name);
		fault(f, text);
		fabric_run(f, SECOND_US / 50);
		assert_int_equal(nic(f, name, "rx_pause_ctrl_phy"), before);
		assert_true(before == 0 || nic(f, name, "rx_unsupported_op_phy") > 100);
		assert_int_equal(nic(f, name, "rx_mac_control_phy"), before + nic(f, name, "rx_unsupported_op_phy"));
	}
	fabric_free(f);
}

/* A NIC whose stall prevention acts stops sending pause (DOMAIN 3.3): a storm without end is of one whose does not. */
static void a_storm_without_end_is_of_a_nic_whose_stall_prevention_does_not_act(void **state)
{
	struct fabric *f = TIDY(2);
	uint64_t before;

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, SECOND_US / 2);
	assert_int_equal(nic(f, "node1", "tx_pause_storm_warning_events"), 0);
	fault(f, "pause-storm@node1:eth2");
	fabric_run(f, SECOND_US / 2);
	before = nic(f, "node1", "tx_prio3_pause_duration");
	fabric_run(f, SECOND_US / 2);
	assert_true(nic(f, "node1", "tx_prio3_pause_duration") - before > 499000);
	assert_int_equal(nic(f, "node1", "tx_pause_storm_error_events"), 0);
	assert_int_equal(nic(f, "node1", "tx_pause_storm_warning_events"), 0);
	fabric_free(f);
}

/* -- congestion control -- */

struct cost {
	uint64_t marked, paused_us, cnps;
};

/* Of an incast that has settled, with this fault at each sender. */
static struct cost incast_with(const char *name)
{
	struct fabric *f = TIDY(5);
	struct cost cost = { 0 };

	fabric_traffic(f, "incast");
	for (unsigned i = 1; name && i <= 5; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s@node%u:eth2", name, i);
		fault(f, text);
	}
	for (unsigned round = 0; round < 2; round++) {
		struct cost before = cost;

		memset(&cost, 0, sizeof(cost));
		fabric_run(f, SECOND_US / 5);
		for (size_t i = 0; i < f->n_ports; i++) {
			struct sim_counters c;

			fabric_counters(f, &f->ports[i], &c);
			cost.marked += c.marked[3];
			cost.paused_us += (uint64_t)c.pfc_rx_us[3];
			cost.cnps += c.cnp_handled;
		}
		if (round)
			cost = (struct cost){ cost.marked - before.marked, cost.paused_us - before.paused_us, cost.cnps - before.cnps };
	}
	fabric_free(f);
	return cost;
}

static void dcqcn_parameters_act(void **state)
{
	struct cost normal = incast_with(NULL), aggressive = incast_with("dcqcn-aggressive");

	(void)state;
	assert_true(aggressive.marked > 5 * normal.marked);
}

/* -- files -- */

/* The tree of a lab whose devices' files are below it. */
struct tree {
	char dir[64];
	struct fabric *f;
	struct lab_device *node;	/* the first host, whose files are there */
};

static struct tree tree_new(void)
{
	struct tree t = { .dir = "/tmp/fabcon-skins.XXXXXX", .f = TIDY(2) };
	char nodes[80];

	assert_non_null(mkdtemp(t.dir));
	snprintf(nodes, sizeof(nodes), "%s/nodes", t.dir);
	assert_int_equal(mkdir(nodes, 0700), 0);
	t.node = fabric_device(t.f, SPAN("node1"));
	fabric_traffic(t.f, "ring");
	view_write(t.f, t.node, t.dir);
	view_read(t.f, t.node, t.dir);
	return t;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static void tree_free(struct tree *t)
{
	view_done(t->node);
	fabric_free(t->f);
	nftw(t->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static FILE *file_of(const struct tree *t, const char *path, const char *mode)
{
	char full[256];
	FILE *file;

	snprintf(full, sizeof(full), "%s/nodes/node1/%s", t->dir, path);
	file = fopen(full, mode);
	if (!file)
		fail_msg("no %s", full);
	return file;
}

static uint64_t number_in(const struct tree *t, const char *path)
{
	FILE *file = file_of(t, path, "r");
	unsigned long long n = 0;

	assert_int_equal(fscanf(file, "%llu", &n), 1);
	fclose(file);
	return n;
}

static void number_to(const struct tree *t, const char *path, unsigned n)
{
	FILE *file = file_of(t, path, "w");

	fprintf(file, "%u\n", n);
	fclose(file);
}

#define XMIT	"sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_packets"

static void the_first_value_after_a_login_is_of_that_time(void **state)
{
	struct tree t = tree_new();
	struct sim_counters c;

	(void)state;
	fabric_run(t.f, SECOND_US / 100);
	assert_int_equal(number_in(&t, XMIT), 0);	/* nobody has looked since */
	view_write(t.f, t.node, t.dir);
	fabric_counters(t.f, first_port(t.f, "node1"), &c);
	assert_true(c.rdma_tx_packets > 1000);
	assert_int_equal(number_in(&t, XMIT), c.rdma_tx_packets);
	tree_free(&t);
}

static void a_counter_that_stands_is_not_written_again_and_one_that_shrinks_is_whole(void **state)
{
	struct tree t = tree_new();

	(void)state;
	number_to(&t, "sys/class/net/eth2/statistics/rx_bytes", 7);
	for (unsigned i = 0; i < 3; i++) {
		fabric_run(t.f, SECOND_US / 100);
		view_counters(t.f, t.node, t.dir);
	}
	assert_int_equal(number_in(&t, "sys/class/net/eth2/statistics/rx_bytes"), 7);
	assert_true(number_in(&t, XMIT) > 1000);
	counters_clear(t.f, first_port(t.f, "node1"));
	view_counters(t.f, t.node, t.dir);
	assert_int_equal(number_in(&t, XMIT), 0);
	tree_free(&t);
}

static void a_write_to_a_setting_is_heard_and_silence_is_not_read(void **state)
{
	static const char np[] = "sys/class/net/eth2/ecn/roce_np/enable/3", tos[] = "sys/class/infiniband/mlx5_0/tc/1/traffic_class";
	struct tree t = tree_new();
	struct lab_port *p = first_port(t.f, "node1");

	(void)state;
	assert_false(view_read(t.f, t.node, t.dir));
	number_to(&t, np, 0);
	number_to(&t, tos, 104);
	assert_true(view_read(t.f, t.node, t.dir));
	assert_int_equal(p->nic.np[3], 0);
	assert_int_equal(p->nic.tos_force, 104);
	/* Nobody wrote: what differs now is the lab's own, and is not taken for a user's. */
	view_read(t.f, t.node, t.dir);
	p->nic.np[3] = 1;
	assert_false(view_read(t.f, t.node, t.dir));
	assert_int_equal(p->nic.np[3], 1);
	view_settings(t.f, t.node, t.dir);
	assert_int_equal(number_in(&t, np), 1);
	number_to(&t, np, 0);
	assert_true(view_read(t.f, t.node, t.dir));
	tree_free(&t);
}

/* -- skins -- */

static struct sim_counters shown(struct fabric *f, const char *device)
{
	struct sim_counters c;

	fabric_counters(f, first_port(f, device), &c);
	return c;
}

static void a_background_moves_the_netdev_and_priority_0_and_no_rdma_counter(void **state)
{
	struct fabric *f = WEARING(3, "sonic", "background");
	uint64_t rdma;

	(void)state;
	fabric_traffic(f, "off");
	fabric_run(f, SECOND_US / 10);
	assert_true(nic(f, "node1", "tx_bytes") > 100000);
	assert_true(nic(f, "node1", "rx_packets") > 100);
	assert_int_equal(nic(f, "node1", "tx_prio0_packets"), nic(f, "node1", "tx_packets"));
	assert_int_equal(nic(f, "node1", "tx_vport_rdma_unicast_packets"), 0);
	fabric_run(f, 20 * SECOND_US);
	assert_true(nic(f, "node1", "rx_multicast_phy") > nic(f, "node1", "tx_multicast_phy"));
	assert_true(nic(f, "node1", "rx_broadcast_phy") > 0);

	/* The receiver of an incast acknowledges on the priority of the data: its senders receive there. */
	fabric_traffic(f, "incast");
	rdma = nic(f, "node1", "rx_vport_rdma_unicast_packets") + nic(f, "node2", "rx_vport_rdma_unicast_packets") +
	       nic(f, "node3", "rx_vport_rdma_unicast_packets");
	assert_int_equal(rdma, 0);
	fabric_run(f, SECOND_US / 10);
	for (unsigned i = 1; i <= 3; i++) {
		char name[16];

		snprintf(name, sizeof(name), "node%u", i);
		assert_true(nic(f, name, "rx_prio3_packets") > 1000);
		assert_true(nic(f, name, "tx_prio3_packets") > 1000);
	}
	fabric_free(f);
}

static void octets_of_frames_differ_by_device_and_fit_the_line(void **state)
{
	struct fabric *f = WEARING(4, "sonic", "frame-bytes", "octets-bare@node1", "octets-wire@leaf1");
	struct sim_counters host, port;

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, SECOND_US / 10);
	host = shown(f, "node1");
	fabric_counters(f, port_peer(f, first_port(f, "node1")), &port);
	assert_int_equal(host.tx_packets[3], port.rx_packets[3]);
	/* The last packet of each flow is on its way. */
	assert_in_range(host.tx_bytes[3] - host.tx_packets[3] * (4096 + 58), 0, 2 * 4178);
	assert_in_range(port.rx_bytes[3] - port.rx_packets[3] * (4096 + 82), 0, 2 * 4178);
	assert_true(port.rx_bytes[3] * 8 <= 100000000000 / 10);
	/* The kernel's are none of it. */
	assert_int_equal(nic(f, "node1", "tx_bytes") + nic(f, "node2", "rx_bytes"), 0);
	assert_in_range(nic(f, "node2", "tx_prio3_bytes") - nic(f, "node2", "tx_prio3_packets") * (4096 + 62), 0, 2 * 4178);
	fabric_free(f);
}

static void no_two_senders_are_alike_on_uneven_lines(void **state)
{
	for (unsigned uneven = 0; uneven < 2; uneven++) {
		struct fabric *f = uneven ? WEARING(4, "sonic", "line-uneven") : TIDY(4);
		uint64_t bytes[4];
		size_t n = 0;

		fabric_traffic(f, "incast");
		for (unsigned i = 0; i < 4; i++) {
			char text[64];

			snprintf(text, sizeof(text), "ecn-off-switch@leaf1:Ethernet%u", 4 * i);
			fault(f, text);
		}
		fabric_run(f, SECOND_US / 5);
		for (unsigned i = 1; i <= 4; i++) {
			char name[16];

			snprintf(name, sizeof(name), "node%u", i);
			bytes[n] = shown(f, name).tx_bytes[3];
			n += bytes[n] > 0;
		}
		assert_int_equal(n, 3);
		assert_int_equal(uneven, bytes[0] != bytes[1] && bytes[1] != bytes[2] && bytes[0] != bytes[2]);
		fabric_free(f);
	}
	(void)state;
}

static void old_counters_are_large_and_every_port_has_its_own(void **state)
{
	struct fabric *f = WEARING(3, "sonic", "counters-old");
	struct sim_counters a = shown(f, "node1"), b = shown(f, "node2"), later;

	(void)state;
	fabric_traffic(f, "ring");
	assert_true(a.rx_bytes[3] > 1000000000000 && a.rx_bytes[3] != b.rx_bytes[3]);
	assert_true(a.rx_drop[0] > 0 && a.oos > 0 && a.phy_err > 0 && a.pfc_rx[3] > 0);
	assert_true(a.rx_drop[0] != b.rx_drop[0] && a.oos != b.oos && a.pfc_rx[3] != b.pfc_rx[3]);
	fabric_run(f, SECOND_US / 100);
	later = shown(f, "node1");
	assert_true(later.tx_bytes[3] > a.tx_bytes[3]);
	assert_int_equal(later.oos, a.oos);
	assert_int_equal(later.phy_err, a.phy_err);
	assert_true(nic(f, "node1", "tx_vport_rdma_unicast_bytes") > a.rdma_tx_bytes);
	/* The state holds what truly was. */
	counters_true(f, first_port(f, "node1"), &later);
	assert_int_equal(later.oos + later.phy_err, 0);
	counters_clear(f, first_port(f, "node1"));
	assert_int_equal(shown(f, "node1").tx_bytes[3], 0);
	assert_true(shown(f, "node2").tx_bytes[3] > 0);
	fabric_run(f, SECOND_US / 100);
	assert_true(shown(f, "node1").tx_bytes[3] > 0 && shown(f, "node1").tx_bytes[3] < 200000000);
	fabric_free(f);
}

/* Of 32 bits in the NIC, whatever the simulation counts. */
static void old_sequence_errors_wrap_on_some_port(void **state)
{
	struct fabric *f = WEARING(12, "sonic", "counters-old");
	unsigned wrapped = 0;

	(void)state;
	fabric_traffic(f, "ring");
	for (unsigned i = 1; i <= 12; i++) {
		char text[64];

		snprintf(text, sizeof(text), "bad-cable@node%u:eth2", i);
		fault(f, text);
	}
	for (unsigned i = 1; i <= 12; i++) {
		char name[16];

		snprintf(name, sizeof(name), "node%u", i);
		wrapped += shown(f, name).oos > UINT32_MAX;
	}
	assert_int_equal(wrapped, 0);
	fabric_run(f, SECOND_US);
	for (unsigned i = 1; i <= 12; i++) {
		char name[16];

		snprintf(name, sizeof(name), "node%u", i);
		wrapped += shown(f, name).oos > UINT32_MAX || shown(f, name).seq_err > UINT32_MAX;
	}
	assert_true(wrapped > 0);
	fabric_free(f);
}

static void cached_counters_stand_still_between_two_refreshes(void **state)
{
	struct fabric *f = WEARING(2, "sonic", "counters-cached");
	const struct lab_port *p = first_port(f, "leaf1");
	unsigned moves[COUNTER_TABLES] = { 0 };
	uint64_t last[COUNTER_TABLES] = { 0 };
	bool late[2];

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, 12 * SECOND_US);
	for (unsigned i = 0; i < 300; i++) {
		fabric_run(f, SECOND_US / 10);
		for (unsigned t = 0; t < COUNTER_TABLES; t++) {
			struct sim_counters c;

			fabric_counters_of(f, p, t, &c);
			moves[t] += i && c.rx_bytes[3] != last[t];
			last[t] = c.rx_bytes[3];
		}
	}
	assert_in_range(moves[COUNTERS_OF_PORT], 28, 30);
	assert_in_range(moves[COUNTERS_OF_QUEUE], 2, 3);
	/* A NIC is late by a hundredth of a second, and not both by the same. */
	late[0] = late[1] = false;
	for (unsigned i = 0; i < 20; i++) {
		fabric_run(f, SECOND_US / 10);
		for (unsigned k = 0; k < 2; k++) {
			const char *name = k ? "node2" : "node1";
			struct sim_counters now;

			counters_true(f, first_port(f, name), &now);
			assert_in_range(now.tx_bytes[3] - shown(f, name).tx_bytes[3], 0, 80000000);
			late[k] = late[k] || now.tx_bytes[3] > shown(f, name).tx_bytes[3];
		}
	}
	assert_true(late[0] || late[1]);
	fabric_free(f);
}

static void a_ports_rates_are_those_of_its_counters(void **state)
{
	struct fabric *f = TIDY(2);
	struct port_rates rates;

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, 11 * SECOND_US);
	fabric_rates(f, first_port(f, "leaf1"), &rates);
	/* The ring's share of the line (traffic.c). */
	assert_true(rates.rx_bps > 54e9 && rates.rx_bps < 56e9);
	assert_true(rates.tx_bps > 54e9 && rates.tx_bps < 56e9);
	assert_true(rates.rx_pps > 1.6e6 && rates.rx_pps < 1.8e6);
	fabric_traffic(f, "off");
	fabric_run(f, 21 * SECOND_US);
	fabric_rates(f, first_port(f, "leaf1"), &rates);
	assert_true(rates.rx_bps == 0 && rates.tx_pps == 0);
	fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rdma_counters_count_rdma_whatever_its_priority),
		cmocka_unit_test(pause_to_a_host_without_pfc_is_counted_as_unsupported),
		cmocka_unit_test(a_storm_without_end_is_of_a_nic_whose_stall_prevention_does_not_act),
		cmocka_unit_test(dcqcn_parameters_act),
		cmocka_unit_test(a_background_moves_the_netdev_and_priority_0_and_no_rdma_counter),
		cmocka_unit_test(octets_of_frames_differ_by_device_and_fit_the_line),
		cmocka_unit_test(no_two_senders_are_alike_on_uneven_lines),
		cmocka_unit_test(old_counters_are_large_and_every_port_has_its_own),
		cmocka_unit_test(old_sequence_errors_wrap_on_some_port),
		cmocka_unit_test(cached_counters_stand_still_between_two_refreshes),
		cmocka_unit_test(a_ports_rates_are_those_of_its_counters),
		cmocka_unit_test(the_first_value_after_a_login_is_of_that_time),
		cmocka_unit_test(a_counter_that_stands_is_not_written_again_and_one_that_shrinks_is_whole),
		cmocka_unit_test(a_write_to_a_setting_is_heard_and_silence_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
