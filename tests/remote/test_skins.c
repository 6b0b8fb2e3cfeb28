/* What the lab's devices count, and in what they differ: asked of their own tools and files, without SSH. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "tests/lib/say.h"

#define SECOND_US 1000000

/* One rail on one leaf, simulated in full. skins: NULL-terminated, or NULL for a tidy one. */
static struct fabric *fabric_in(unsigned nodes, const char *os, const char *const *skins)
{
	struct skin_wish wish = { .is_tidy = !skins };
	struct fabric_plan plan = {
		.nodes = nodes, .rails = 1, .leaves = 1, .switch_os = os, .speed_bps = 100000000000, .seed = 7, .lens = 1,
		.skins = &wish,
	};
	struct err err = { .text = "" };
	struct fabric *f;

	while (skins && *skins)
		wish.names[wish.n++] = *skins++;
	f = fabric_generate(&plan, &err);
	if (!f)
		fail_msg("%s", err.text);
	return f;
}
#define TIDY(nodes) fabric_in((nodes), "sonic", NULL)
#define WEARING(nodes, os, ...) fabric_in((nodes), (os), (const char *const[]){ __VA_ARGS__, NULL })

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

static void stall_prevention_counts_a_storm(void **state)
{
	struct fabric *f = TIDY(2);

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, SECOND_US / 2);
	assert_int_equal(nic(f, "node1", "tx_pause_storm_warning_events"), 0);
	fault(f, "pause-storm@node1:eth2");
	fabric_run(f, SECOND_US / 2);
	assert_int_equal(nic(f, "node1", "tx_pause_storm_error_events"), 4);
	assert_true(nic(f, "node1", "tx_pause_storm_warning_events") >= 4);
	assert_int_equal(nic(f, "node2", "tx_pause_storm_error_events"), 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rdma_counters_count_rdma_whatever_its_priority),
		cmocka_unit_test(pause_to_a_host_without_pfc_is_counted_as_unsupported),
		cmocka_unit_test(stall_prevention_counts_a_storm),
		cmocka_unit_test(dcqcn_parameters_act),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
