/* How Linux hosts are changed: exact commands, what is refused, and that undo brings back what was, from anywhere. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/view.h"
#include "remote/linux/linux.h"
#include "remote/linux/setters.h"
#include "remote/platforms.h"
#include "tests/lib/say.h"

static const struct dialect_place place = { "node1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };

/* -- one change of a text -- */

struct change_of {
	struct edit edits[16];
	size_t n;
	struct arena arena;
	struct buf base, after, whole;
	struct fix_step step;
	struct err err;
	bool is_planned;
};

static void add_edit(struct change_of *c, struct span setup, const char *fact)
{
	struct linux_setup s = { 0 };
	struct fact f;
	struct err err;
	const struct value *was;

	if (!fact_parse(span_of(fact), &c->arena, &f, &err))
		fail_msg("%s: %s", fact, err.text);
	assert_true(linux_setup_read(&s, setup, NULL));
	was = linux_value(&s, f.port, f.field, f.index);
	c->edits[c->n] = (struct edit){ f.device, f.port, f.field, f.index, { 0 }, f.value, "test" };
	if (was)
		c->edits[c->n].was = *was;
	if (was && was->text)
		c->edits[c->n].was.text = arena_text(&c->arena, was->text, strlen(was->text));
	c->n++;
	linux_setup_done(&s);
}

static void plan(struct change_of *c, struct span setup)
{
	const struct dialect *d = dialect_find("linux");

	c->is_planned = d->edit(setup, c->edits, c->n, &c->whole, &c->err) &&
			d->commands(setup, buf_span(&c->whole), &place, &c->arena, &c->step, &c->err);
	d->part(setup, c->edits, c->n, &c->base);
	if (c->is_planned)
		d->part(buf_span(&c->whole), c->edits, c->n, &c->after);
}

static void change_done(struct change_of *c)
{
	free(c->step.lines.list);
	free(c->step.undo.list);
	buf_done(&c->base);
	buf_done(&c->after);
	buf_done(&c->whole);
	arena_done(&c->arena);
	*c = (struct change_of){ 0 };
}

static void change(struct change_of *c, const char *setup, const char *edits)
{
	struct span rest = span_of(edits), line;

	*c = (struct change_of){ 0 };
	while (span_line(&rest, &line)) {
		char fact[160];

		snprintf(fact, sizeof(fact), "%.*s", (int)line.n, line.p);
		add_edit(c, span_of(setup), fact);
	}
	plan(c, span_of(setup));
}

static void assert_lines(const struct fix_lines *lines, const char *wanted)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < lines->n; i++)
		buf_printf(&text, "%s\n", lines->list[i]);
	assert_string_equal(text.text ? text.text : "", wanted);
	buf_done(&text);
}

static void assert_planned(const char *setup, const char *edits, const char *lines, const char *undo)
{
	struct change_of c;

	change(&c, setup, edits);
	if (!c.is_planned)
		fail_msg("%s", c.err.text);
	assert_lines(&c.step.lines, lines);
	assert_lines(&c.step.undo, undo);
	change_done(&c);
}

static void assert_refused(const char *setup, const char *edits, const char *why)
{
	struct change_of c;

	change(&c, setup, edits);
	if (c.is_planned)
		fail_msg("planned: %s", edits);
	if (!strstr(c.err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", c.err.text, why);
	change_done(&c);
}

#define PFC_3	"node1 eth2 pfc.on[0] = no\nnode1 eth2 pfc.on[1] = no\nnode1 eth2 pfc.on[2] = no\nnode1 eth2 pfc.on[3] = yes\n" \
		"node1 eth2 pfc.on[4] = no\nnode1 eth2 pfc.on[5] = no\nnode1 eth2 pfc.on[6] = no\nnode1 eth2 pfc.on[7] = no\n"
#define CLASSES	"node1 eth2 prio.tc[0] = 0\nnode1 eth2 prio.tc[1] = 0\nnode1 eth2 prio.tc[2] = 0\nnode1 eth2 prio.tc[3] = 0\n" \
		"node1 eth2 prio.tc[4] = 4\nnode1 eth2 prio.tc[5] = 0\nnode1 eth2 prio.tc[6] = 6\nnode1 eth2 prio.tc[7] = 0\n" \
		"node1 eth2 ets.algo[0] = ets\nnode1 eth2 ets.algo[1] = strict\nnode1 eth2 ets.algo[2] = vendor\n" \
		"node1 eth2 ets.algo[3] = ets\nnode1 eth2 ets.algo[4] = strict\nnode1 eth2 ets.algo[5] = strict\n" \
		"node1 eth2 ets.algo[6] = strict\nnode1 eth2 ets.algo[7] = strict\n" \
		"node1 eth2 ets.share[0] = 40\nnode1 eth2 ets.share[3] = 60\n"

/* -- exact commands -- */

static void trust_comes_before_the_map_and_undo_forgets_both(void **state)
{
	(void)state;
	assert_planned("node1 eth2 trust = pcp\n", "node1 eth2 trust = dscp\n", "mlnx_qos -i eth2 --trust dscp\n",
		       "mlnx_qos -i eth2 --trust pcp\n");
	assert_planned("node1 eth2 trust = pcp\n", "node1 eth2 trust = dscp\nnode1 eth2 dscp.prio[46] = 3",
		       "mlnx_qos -i eth2 --trust dscp\nmlnx_qos -i eth2 --dscp2prio set,46,3\n", "mlnx_qos -i eth2 --trust pcp\n");
	assert_planned("node1 eth2 trust = dscp\nnode1 eth2 dscp.prio[26] = 0\n", "node1 eth2 dscp.prio[26] = 3",
		       "mlnx_qos -i eth2 --dscp2prio set,26,3\n", "mlnx_qos -i eth2 --dscp2prio set,26,0\n");
	assert_refused("node1 eth2 trust = dscp\nnode1 eth2 dscp.prio[26] = 0\n", "node1 eth2 trust = pcp", "would be lost");
}

static void pfc_is_written_as_a_whole_and_disturbs_the_link(void **state)
{
	struct change_of c;

	(void)state;
	change(&c, PFC_3, "node1 eth2 pfc.on[3] = no\nnode1 eth2 pfc.on[4] = yes");
	assert_lines(&c.step.lines, "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0\n");
	assert_lines(&c.step.undo, "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0\n");
	assert_string_equal(c.step.disturbs, "the link of eth2 goes down for several seconds on mlx5, and may on other NICs");
	assert_string_equal(c.step.ports, "eth2");
	assert_non_null(strstr(c.step.save_note, "fabcon emit systemd node1"));
	assert_int_equal(c.step.save.n, 0);
	change_done(&c);
	assert_refused("node1 eth2 pfc.on[3] = yes\n", "node1 eth2 pfc.on[3] = no", "pfc.on[0] of eth2 is not known");
}

static void cable_length_is_never_given_without_pfc(void **state)
{
	(void)state;
	assert_planned(PFC_3 "node1 eth2 cable = 5\n", "node1 eth2 cable = 100",
		       "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0 --cable_len 100\n",
		       "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0 --cable_len 5\n");
}

static void classes_schedulers_and_shares_go_in_one_call(void **state)
{
	(void)state;
	assert_planned(CLASSES, "node1 eth2 prio.tc[3] = 3",
		       "mlnx_qos -i eth2 --prio_tc 0,0,0,3,4,0,6,0 --tsa ets,strict,vendor,ets,strict,strict,strict,strict "
		       "--tcbw 40,0,0,60,0,0,0,0\n",
		       "mlnx_qos -i eth2 --prio_tc 0,0,0,0,4,0,6,0 --tsa ets,strict,vendor,ets,strict,strict,strict,strict "
		       "--tcbw 40,0,0,60,0,0,0,0\n");
	assert_refused(CLASSES, "node1 eth2 ets.share[3] = 50", "90 %, not 100");
	assert_refused("node1 eth2 ets.algo[0] = ets\nnode1 eth2 ets.share[0] = 80\n", "node1 eth2 ets.share[0] = 100",
		       "could not be rolled back to");
	assert_refused("node1 eth2 prio.tc[3] = 0\n", "node1 eth2 prio.tc[3] = 3", "is not known");
}

static void without_mlnx_qos_the_same_is_said_to_dcb(void **state)
{
	(void)state;
	assert_planned("# node1 eth2 by dcb\n" PFC_3, "node1 eth2 pfc.on[3] = no",
		       "dcb pfc set dev eth2 prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off\n",
		       "dcb pfc set dev eth2 prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off\n");
	assert_planned("# node1 eth2 by dcb\n" CLASSES, "node1 eth2 ets.share[3] = 50\nnode1 eth2 ets.share[0] = 50",
		       "dcb ets set dev eth2 prio-tc 0:0 1:0 2:0 3:0 4:4 5:0 6:6 7:0 tc-tsa 0:ets 1:strict 2:vendor 3:ets 4:strict "
		       "5:strict 6:strict 7:strict tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0\n",
		       "dcb ets set dev eth2 prio-tc 0:0 1:0 2:0 3:0 4:4 5:0 6:6 7:0 tc-tsa 0:ets 1:strict 2:vendor 3:ets 4:strict "
		       "5:strict 6:strict 7:strict tc-bw 0:40 1:0 2:0 3:60 4:0 5:0 6:0 7:0\n");
	assert_planned("# node1 eth2 by dcb\nnode1 eth2 trust = dscp\nnode1 eth2 dscp.prio[26] = 0\nnode1 eth2 dscp.prio[48] = 0\n",
		       "node1 eth2 dscp.prio[26] = 3\nnode1 eth2 dscp.prio[48] = 6", "dcb app replace dev eth2 dscp-prio 26:3 48:6\n",
		       "dcb app replace dev eth2 dscp-prio 26:0 48:0\n");
	/* an older dcb says nothing of trust */
	assert_planned("# node1 eth2 by dcb\nnode1 eth2 dscp.prio[26] = 0\n", "node1 eth2 dscp.prio[26] = 3",
		       "dcb app replace dev eth2 dscp-prio 26:3\n", "dcb app replace dev eth2 dscp-prio 26:0\n");
	assert_refused("# node1 eth2 by dcb\n" PFC_3 "node1 eth2 cable = 5\n", "node1 eth2 cable = 9", "dcb cannot set cable");
}

static void dcqcn_is_set_where_its_driver_has_it(void **state)
{
	(void)state;
	assert_planned("node1 eth2 ecn.np[3] = no\nnode1 eth2 cnp.dscp = 0\n", "node1 eth2 ecn.np[3] = yes\nnode1 eth2 cnp.dscp = 48",
		       "echo 1 > /sys/class/net/eth2/ecn/roce_np/enable/3\necho 48 > /sys/class/net/eth2/ecn/roce_np/cnp_dscp\n",
		       "echo 0 > /sys/class/net/eth2/ecn/roce_np/enable/3\necho 0 > /sys/class/net/eth2/ecn/roce_np/cnp_dscp\n");
	assert_planned("# node1 eth2 by cc_params\nnode1 eth2 cc.rpg_ai_rate = 5\n", "node1 eth2 cc.rpg_ai_rate = 10",
		       "( cd -P /sys/class/net/eth2/device && echo 10 > \"/sys/kernel/debug/mlx5/${PWD##*/}/cc_params/rp_ai_rate\" )\n",
		       "( cd -P /sys/class/net/eth2/device && echo 5 > \"/sys/kernel/debug/mlx5/${PWD##*/}/cc_params/rp_ai_rate\" )\n");
}

static void what_is_of_the_rdma_device_is_set_there(void **state)
{
	(void)state;
	assert_planned("# node1 bond0 role = bond\n# node1 bond0 rdma = \"mlx5_bond_0\"\nnode1 bond0 tos.cma = 0\n",
		       "node1 bond0 tos.cma = 106", "echo 106 > /sys/kernel/config/rdma_cm/mlx5_bond_0/ports/1/default_roce_tos\n",
		       "echo 0 > /sys/kernel/config/rdma_cm/mlx5_bond_0/ports/1/default_roce_tos\n");
	assert_planned("# node1 eth2 rdma = \"mlx5_0\"\n", "node1 eth2 tos.force = 106",
		       "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n",
		       "echo -1 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n");
	assert_refused("node1 eth2 tos.cma = 0\n", "node1 eth2 tos.cma = 106", "RDMA device of eth2 is not known");
}

/* ../shared/REALITY.md: a real kernel has the folder only while somebody made it, and keeps the value of one that is gone. */
static void a_folder_of_rdma_cm_is_made_and_taken_away(void **state)
{
	static const char setup[] = "# node1 eth2 rdma = \"mlx5_0\"\nnode1 eth2 mtu = 9000\n";
	struct edit e = { "node1", "eth2", FIELD_TOS_CMA, 0, { .is = VALUE_ABSENT }, { .is = VALUE_KNOWN, .n = 106 }, "test" };
	struct arena arena = { 0 };
	struct fix_step step = { 0 };
	struct buf after = { 0 };
	struct err err;

	(void)state;
	assert_true(linux_dialect.edit(span_of(setup), &e, 1, &after, &err));
	assert_true(linux_dialect.commands(span_of(setup), buf_span(&after), NULL, &arena, &step, &err));
	assert_lines(&step.lines, "[ -d /sys/kernel/config/rdma_cm/mlx5_0 ] || mkdir /sys/kernel/config/rdma_cm/mlx5_0\n"
				  "echo 106 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos\n");
	assert_lines(&step.undo, "[ ! -d /sys/kernel/config/rdma_cm/mlx5_0 ] || "
				 "echo 0 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos\n"
				 "[ ! -d /sys/kernel/config/rdma_cm/mlx5_0 ] || rmdir /sys/kernel/config/rdma_cm/mlx5_0\n");
	free(step.lines.list);
	free(step.undo.list);
	buf_done(&after);
	arena_done(&arena);
}

/* The kernel hands a bond's MTU down and takes none up: ../shared/REALITY.md, seen on two real kernels. */
static void a_bond_hands_its_mtu_down(void **state)
{
	static const char bond[] = "# node1 bond0 role = bond\n# node1 eth2 bond = \"bond0\"\n# node1 eth3 bond = \"bond0\"\n";
	char setup[400];

	(void)state;
	snprintf(setup, sizeof(setup), "%snode1 bond0 mtu = 1500\nnode1 eth2 mtu = 9000\nnode1 eth3 mtu = 1500\n", bond);
	assert_planned(setup, "node1 bond0 mtu = 4200", "ip link set dev bond0 mtu 4200\n",
		       "ip link set dev bond0 mtu 1500\nip link set dev eth2 mtu 9000\n");
	assert_planned(setup, "node1 bond0 mtu = 9000", "ip link set dev bond0 mtu 9000\n",
		       "ip link set dev bond0 mtu 1500\nip link set dev eth2 mtu 9000\n");
	assert_planned(setup, "node1 eth2 mtu = 1500", "ip link set dev eth2 mtu 1500\n", "ip link set dev eth2 mtu 9000\n");
	assert_refused(setup, "node1 eth3 mtu = 9000", "a member of bond0");
	assert_refused(setup, "node1 bond0 mtu = 9000\nnode1 eth3 mtu = 4200", "a member of bond0");
}

static void settings_of_the_host_itself_say_who_keeps_them(void **state)
{
	struct change_of c;

	(void)state;
	change(&c, "node1 tcp_ecn = 2\nnode1 modules = \"mlx5_ib rdma_cm\"\nnode1 eth2 mtu = 1500\n",
	       "node1 tcp_ecn = 1\nnode1 modules = \"nvidia_peermem mlx5_ib rdma_cm\"\nnode1 eth2 mtu = 9000");
	assert_true(c.is_planned);
	assert_lines(&c.step.lines, "modprobe nvidia_peermem\nsysctl -w net.ipv4.tcp_ecn=1\nip link set dev eth2 mtu 9000\n");
	assert_lines(&c.step.undo, "! grep -q \"^nvidia_peermem \" /proc/modules || rmmod nvidia_peermem\n"
				   "sysctl -w net.ipv4.tcp_ecn=2\nip link set dev eth2 mtu 1500\n");
	assert_non_null(strstr(c.step.save_note, "/etc/sysctl.d"));
	assert_non_null(strstr(c.step.save_note, "/etc/modules-load.d"));
	assert_non_null(strstr(c.step.save_note, "NetworkManager"));
	assert_string_equal(c.base.text, "node1 tcp_ecn = 2\nnode1 modules = \"\"\nnode1 eth2 mtu = 1500\n");
	assert_string_equal(c.after.text, "node1 tcp_ecn = 1\nnode1 modules = \"nvidia_peermem\"\nnode1 eth2 mtu = 9000\n");
	change_done(&c);
	assert_refused("node1 modules = \"mlx5_ib rdma_cm\"\n", "node1 modules = \"mlx5_ib\"", "never unloaded");
}

static void pause_goes_before_pfc_comes_and_comes_after_it_went(void **state)
{
	static const char setup[] =
		"node1 eth2 pfc.on[0] = no\nnode1 eth2 pfc.on[1] = no\nnode1 eth2 pfc.on[2] = no\nnode1 eth2 pfc.on[3] = no\n"
		"node1 eth2 pfc.on[4] = no\nnode1 eth2 pfc.on[5] = no\nnode1 eth2 pfc.on[6] = no\nnode1 eth2 pfc.on[7] = no\n"
		"node1 eth2 pause.rx = yes\nnode1 eth2 pause.tx = yes\n";

	(void)state;
	assert_planned(setup, "node1 eth2 pause.rx = no\nnode1 eth2 pause.tx = no\nnode1 eth2 pfc.on[3] = yes",
		       "ethtool -A eth2 rx off tx off\nmlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0\n",
		       "mlnx_qos -i eth2 --pfc 0,0,0,0,0,0,0,0\nethtool -A eth2 rx on tx on\n");
	assert_refused(setup, "node1 eth2 pfc.on[3] = yes", "exclude each other");
}

/* Eight lines of the map, then eight sizes; fact lines have one index each. */
static const char *buffers_at(char text[1200], unsigned pg3, const unsigned size[8])
{
	size_t n = 0;

	for (unsigned i = 0; i < 8; i++)
		n += (size_t)snprintf(text + n, 1200 - n, "node1 eth2 prio.pg[%u] = %u\n", i, i == 3 ? pg3 : 0);
	for (unsigned i = 0; i < 8; i++)
		n += (size_t)snprintf(text + n, 1200 - n, "node1 eth2 buffer.size[%u] = %u\n", i, size[i]);
	return text;
}

/* ../shared/REALITY.md, seen on a real kernel: a lossless priority was moved to a buffer before that had any bytes. */
static void no_priority_is_in_a_buffer_without_bytes(void **state)
{
	static const unsigned one[8] = {1000, 500}, two[8] = {1000, 0, 500}, all_in_one[8] = {1500};
	char text[1200];

	(void)state;
	assert_planned(
		buffers_at(text, 0, all_in_one),
		"node1 eth2 prio.pg[3] = 1\nnode1 eth2 buffer.size[0] = 1000\nnode1 eth2 buffer.size[1] = 500",
		"mlnx_qos -i eth2 --buffer_size 1000,500,0,0,0,0,0,0\nmlnx_qos -i eth2 --prio2buffer 0,0,0,1,0,0,0,0\n",
		"mlnx_qos -i eth2 --prio2buffer 0,0,0,0,0,0,0,0\nmlnx_qos -i eth2 --buffer_size 1500,0,0,0,0,0,0,0\n");
	assert_planned(buffers_at(text, 1, one),
		       "node1 eth2 prio.pg[3] = 2\nnode1 eth2 buffer.size[1] = 0\nnode1 eth2 buffer.size[2] = 500",
		       "mlnx_qos -i eth2 --buffer_size 1000,500,500,0,0,0,0,0\nmlnx_qos -i eth2 --prio2buffer "
		       "0,0,0,2,0,0,0,0\n"
		       "mlnx_qos -i eth2 --buffer_size 1000,0,500,0,0,0,0,0\n",
		       "mlnx_qos -i eth2 --buffer_size 1000,500,500,0,0,0,0,0\nmlnx_qos -i eth2 --prio2buffer "
		       "0,0,0,1,0,0,0,0\n"
		       "mlnx_qos -i eth2 --buffer_size 1000,500,0,0,0,0,0,0\n");
	assert_refused(buffers_at(text, 2, two), "node1 eth2 prio.pg[3] = 1", "0 bytes");
	assert_refused(buffers_at(text, 1, one), "node1 eth2 buffer.size[1] = 0", "0 bytes");
}

static void a_driver_that_is_not_ready_is_waited_for_with_a_limit(void **state)
{
	struct change_of c;

	(void)state;
	change(&c, "# node1 driver.ready = no\nnode1 eth2 mtu = 1500\n", "node1 eth2 mtu = 9000");
	assert_int_equal(c.step.lines.n, 2);
	assert_true(span_starts(span_of(c.step.lines.list[0]), "timeout 60 "));
	assert_lines(&c.step.undo, "ip link set dev eth2 mtu 1500\n");
	change_done(&c);
}

/* -- refusals -- */

static void what_cannot_be_set_is_refused_with_the_reason(void **state)
{
	(void)state;
	assert_refused("# node1 eth5 role = vf\nnode1 eth5 trust = pcp\n", "node1 eth5 trust = dscp", "virtual function");
	assert_refused("# node1 bond0 role = bond\nnode1 bond0 trust = pcp\n", "node1 bond0 trust = dscp",
		       "each of its members");
	assert_refused("# node1 eth2 up = no\nnode1 eth2 trust = pcp\n", "node1 eth2 trust = dscp", "is down");
	assert_refused("node1 eth2 mtu = 1500\n", "node1 eth2 trust = dscp", "is not known and is not overwritten");
	assert_refused("node1 eth2 mtu = 1500\n", "node1 eth2 mtu = 40", "cannot have that value");
	assert_refused("node1 eth2 trust = dscp\n", "node1 eth2 trust = both", "cannot have that value");
	assert_refused("node1 eth2 mtu = 1500\n", "node1 eth2 vf = 8", "is not set on hosts");
	assert_refused("node1 eth2 mtu = 1500\n", "node2 eth2 mtu = 9000", "node2");
	assert_refused("", "node1 eth2 mtu = 9000", "have been read");
}

static void a_name_that_is_no_interface_is_in_no_command(void **state)
{
	static const char *const names[] = { "$(reboot)", "-a", "a;b", "ethernet1/1/1", "..", "a`b`" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char setup[96];
		struct buf out = { 0 };
		struct edit e = { "node1", names[i], FIELD_MTU, 0, { .is = VALUE_KNOWN, .n = 1500 },
				  { .is = VALUE_KNOWN, .n = 9000 }, "test" };

		snprintf(setup, sizeof(setup), "node1 %s mtu = 1500\n", names[i]);
		assert_false(linux_dialect.edit(span_of(setup), &e, 1, &out, NULL));
		assert_false(linux_dialect.edit(SPAN("node1 eth2 mtu = 1500\n"), &e, 1, &out, NULL));
		assert_int_equal(out.n, 0);
	}
}

static void every_setting_has_its_setter_and_its_keeper(void **state)
{
	(void)state;
	for (int f = 0; f < FIELD_COUNT; f++) {
		bool of_port = field_table[f].scope == SCOPE_PORT;

		assert_int_equal(linux_dialect.can_set(f, of_port), linux_setter_of(f) != NULL);
		assert_false(linux_dialect.can_set(f, !of_port));
		if (linux_setter_of(f)) {
			assert_non_null(linux_setter_of(f)->keeper);
			assert_true(linux_is_setting(f));
		}
	}
}

/* -- the lab's host as the device -- */

struct box {
	struct fabric *fabric;
	struct lab_device *device;
	struct model *model;
	char dir[64];
	int64_t now_us;
	bool is_by_dcb;
	unsigned failed;
};

static int tool(struct box *b, const char *line, struct buf *out)
{
	struct buf errors = { 0 };
	char *words[100], *text = xstrdup(line), *rest = text, *word;
	struct tool_call t = { b->fabric, b->device, 0, words, out, &errors, false };
	int status;

	while (t.argc < 99 && (word = strsep(&rest, " ")))
		words[t.argc++] = word;
	words[t.argc] = NULL;
	status = tool_run(&t);
	if (t.is_changed)
		view_settings(b->fabric, b->device, b->dir);
	buf_done(&errors);
	free(text);
	return status;
}

/* "echo 1 > /sys/…": into the file as it is there, as the kernel has it. */
static int write_file(struct box *b, const char *line)
{
	char value[16], path[256], *full;
	int fd, status = 1;

	if (sscanf(line, "echo %15s > %255s", value, path) != 2)
		return 2;
	full = xasprintf("%s/nodes/%s%s", b->dir, b->device->name, path);
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	free(full);
	if (fd >= 0) {
		status = write(fd, value, strlen(value)) != (ssize_t)strlen(value);
		close(fd);
		view_read(b->fabric, b->device, b->dir);
	}
	return status;
}

static void run_line(struct box *b, const char *line)
{
	struct buf out = { 0 };
	const char *guarded = strstr(line, " /proc/modules || ");
	int status;

	if (!strncmp(line, "echo ", 5))
		status = write_file(b, line);
	else if (guarded)
		status = b->device->job.is_without_peermem ? 0 : tool(b, strstr(guarded, "rmmod"), &out);
	else
		status = tool(b, line, &out);
	if (status)
		fail_msg("%s: exit %d: %s", line, status, out.text ? out.text : "");
	buf_done(&out);
}

static void ask(struct box *b, const char *probe, const char *port, const char *command)
{
	struct buf text = { 0 };
	struct answer a = { .port = port };
	struct obs o;

	if (!strcmp(probe, "dcb")) {
		static const char *const objects[] = { "pfc", "ets", "app", "buffer", "dcbx" };

		buf_str(&text, "driver mlx5_core\n");
		for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
			char line[64];

			snprintf(line, sizeof(line), "dcb -j %s show dev %s", objects[i], port);
			buf_printf(&text, "dcb %s\n", objects[i]);
			tool(b, line, &text);
		}
	} else {
		a.status = tool(b, command, &text);
	}
	a.text = buf_span(&text);
	obs_init(&o, "node1", probe);
	o.at_us = b->now_us;
	o.period_us = 30000000;
	o.subject = port;
	platform_parse(&linux_platform, platform_probe(&linux_platform, probe), &a, &o);
	model_apply(b->model, &o);
	obs_done(&o);
	buf_done(&text);
}

static void say_files(struct box *b, const struct lab_port *p)
{
	static const enum field fields[] = { FIELD_MTU, FIELD_ECN_NP, FIELD_ECN_RP, FIELD_CNP_DSCP, FIELD_CNP_PRIO, FIELD_TOS_CMA,
					     FIELD_TOS_FORCE, FIELD_CC_AI_RATE, FIELD_CC_HAI_RATE, FIELD_CC_CNP_GAP };
	struct buf facts = { 0 };

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		for (unsigned k = 0; k < field_table[fields[i]].width; k++) {
			struct fact fact = { "node1", p->name, fields[i], k, { 0 } };

			if (host_port_get(&p->nic, fields[i], k, &fact.value) && fact.value.is == VALUE_KNOWN) {
				fact_print(&fact, &facts);
				buf_str(&facts, "\n");
			}
		}
	buf_printf(&facts, "node1 %s role = pf\nnode1 %s up = yes\nnode1 %s rdma = \"%s\"\nnode1 %s driver = \"mlx5_core\"\n", p->name,
		   p->name, p->name, p->rdma, p->name);
	buf_printf(&facts, "node1 tcp_ecn = %u\n", b->device->tcp_ecn);
	buf_printf(&facts, "node1 modules = \"%sib_uverbs mlx5_ib\"\n", b->device->job.is_without_peermem ? "" : "nvidia_peermem ");
	model_say_by(b->model, p->name, 10, facts.text, b->now_us);
	buf_done(&facts);
}

static void read_box(struct box *b, struct buf *setup)
{
	struct err err;

	b->now_us += 30000000;
	for (unsigned i = 0; i < b->device->n; i++) {
		const struct lab_port *p = &b->fabric->ports[b->device->first + i];
		char command[64];

		say_files(b, p);
		snprintf(command, sizeof(command), "mlnx_qos -i %s", p->name);
		if (!b->is_by_dcb)
			ask(b, "mlnx_qos", p->name, command);
		ask(b, "dcb", p->name, NULL);
		snprintf(command, sizeof(command), "ethtool -a %s", p->name);
		ask(b, "ethtool-a", p->name, command);
	}
	model_set_now(b->model, b->now_us);
	buf_clear(setup);
	if (!linux_dialect.setup(b->model, model_find_device(b->model, "node1"), setup, &err))
		fail_msg("%s", err.text);
}

static void box_init(struct box *b, bool is_by_dcb)
{
	struct fabric_plan how = { .nodes = 1, .rails = 2, .leaves = 2, .switch_os = "sonic", .speed_bps = 100000000000, .seed = 1 };
	struct err err;

	*b = (struct box){ .now_us = 1000000, .is_by_dcb = is_by_dcb, .dir = "/tmp/fabcon-dialect-XXXXXX" };
	assert_non_null(mkdtemp(b->dir));
	b->fabric = fabric_generate(&how, &err);
	assert_non_null(b->fabric);
	b->device = fabric_device(b->fabric, SPAN("node1"));
	assert_non_null(b->device);
	b->model = model_new();
	view_write(b->fabric, b->device, b->dir);
}

static void box_done(struct box *b)
{
	char command[96];

	model_free(b->model);
	view_done(b->device);
	fabric_free(b->fabric);
	snprintf(command, sizeof(command), "rm -rf %s", b->dir);
	assert_int_equal(system(command), 0);
}

struct still {
	struct host_port nics[2];
	unsigned tcp_ecn;
	bool is_without_peermem;
};

static void take_still(struct box *b, struct still *s)
{
	for (unsigned i = 0; i < 2; i++)
		s->nics[i] = b->fabric->ports[b->device->first + i].nic;
	s->tcp_ecn = b->device->tcp_ecn;
	s->is_without_peermem = b->device->job.is_without_peermem;
}

static void put_still(struct box *b, const struct still *s)
{
	for (unsigned i = 0; i < 2; i++)
		b->fabric->ports[b->device->first + i].nic = s->nics[i];
	b->device->tcp_ecn = s->tcp_ecn;
	b->device->job.is_without_peermem = s->is_without_peermem;
	view_settings(b->fabric, b->device, b->dir);
}

/* Somewhere a host may be: what the tools would have taken. */
static void shake(struct box *b)
{
	for (unsigned i = 0; i < 2; i++) {
		struct host_port *n = &b->fabric->ports[b->device->first + i].nic;

		host_port_lossless(n);
		n->trust = rand() % 3 ? TRUST_DSCP : TRUST_PCP;
		for (unsigned k = 0; k < 64; k++)
			n->dscp_prio[k] = n->trust == TRUST_DSCP && rand() % 4 == 0 ? (unsigned)rand() % 8 : k >> 3;
		n->pause_rx = n->pause_tx = rand() % 4 == 0;
		for (unsigned k = 0; k < 8; k++) {
			n->pfc[k] = !n->pause_rx && rand() % 3 == 0;
			n->np[k] = rand() % 2;
			n->rp[k] = rand() % 2;
			n->prio_tc[k] = rand() % 8;
			n->prio_buffer[k] = rand() % 3;
		}
		n->mtu = rand() % 2 ? 1500 : 9000;
		n->cable_m = 1 + rand() % 100;
		n->dcbx = rand() % 2 ? DCBX_OS : DCBX_FW;
		n->tos_cma = rand() % 256;
		n->tos_force = rand() % 2 ? TOS_UNSET : (unsigned)rand() % 256;
	}
	b->device->tcp_ecn = rand() % 3;
	b->device->job.is_without_peermem = rand() % 2;
	view_settings(b->fabric, b->device, b->dir);
}

static void random_edit(struct change_of *c, struct span setup)
{
	static const struct {
		enum field field;
		unsigned least, values;
	} kinds[] = {
		{ FIELD_TRUST, TRUST_PCP, 2 },	{ FIELD_DSCP_PRIO, 0, 8 }, { FIELD_PFC_ON, 0, 2 },  { FIELD_PFC_ON, 0, 2 },
		{ FIELD_PRIO_TC, 0, 8 },	{ FIELD_PRIO_PG, 0, 8 },   { FIELD_PAUSE_RX, 0, 2 }, { FIELD_PAUSE_TX, 0, 2 },
		{ FIELD_BUFFER_SIZE, 0, 9999 }, { FIELD_CABLE, 1, 200 },   { FIELD_ECN_NP, 0, 2 },  { FIELD_ECN_RP, 0, 2 },
		{ FIELD_CNP_DSCP, 0, 64 },	{ FIELD_CNP_PRIO, 0, 8 },  { FIELD_TOS_CMA, 0, 256 }, { FIELD_TOS_FORCE, 0, 256 },
		{ FIELD_CC_AI_RATE, 1, 99 },	{ FIELD_DCBX, DCBX_OS, 2 }, { FIELD_MTU, 1500, 8000 }, { FIELD_TCP_ECN, 0, 3 },
		{ FIELD_ETS_SHARE, 0, 101 },	{ FIELD_MODULES, 0, 1 },
	};
	size_t k = (size_t)rand() % (sizeof(kinds) / sizeof(*kinds));
	struct fact f = { "node1", NULL, kinds[k].field, 0, { .is = VALUE_KNOWN } };
	struct buf text = { 0 };

	if (field_table[f.field].scope == SCOPE_PORT)
		f.port = rand() % 2 ? "eth2" : "eth3";
	f.index = rand() % field_table[f.field].width;
	f.value.n = kinds[k].least + rand() % kinds[k].values;
	f.value.text = "ib_uverbs mlx5_ib nvidia_peermem";
	fact_print(&f, &text);
	add_edit(c, setup, text.text);
	buf_done(&text);
}

/* The device itself says how it is set. */
static void assert_is(struct box *b, const struct change_of *c, const struct buf *wanted, const char *when, size_t k)
{
	struct buf setup = { 0 }, part = { 0 };

	read_box(b, &setup);
	linux_dialect.part(buf_span(&setup), c->edits, c->n, &part);
	if (!span_same(buf_span(&part), buf_span(wanted))) {
		for (size_t i = 0; i < c->step.lines.n; i++)
			print_message("line %s\n", c->step.lines.list[i]);
		for (size_t i = 0; i < c->step.undo.n; i++)
			print_message("undo %s\n", c->step.undo.list[i]);
		fail_msg("%s (after %zu lines):\n%s\nis not\n%s", when, k, part.text ? part.text : "", wanted->text ? wanted->text : "");
	}
	buf_done(&setup);
	buf_done(&part);
}

static void assert_nothing_is_left_to_do(struct box *b, const struct change_of *c)
{
	struct change_of again = { .n = c->n };
	struct buf setup = { 0 };

	memcpy(again.edits, c->edits, sizeof(c->edits));
	read_box(b, &setup);
	plan(&again, buf_span(&setup));
	assert_true(again.is_planned);
	assert_lines(&again.step.lines, "");
	assert_lines(&again.step.undo, "");
	assert_null(again.step.disturbs);
	change_done(&again);
	buf_done(&setup);
}

/* As it is when somebody thinks better of it a day later. */
static void assert_leads_back(struct box *b, const struct change_of *c, const struct buf *was)
{
	struct buf setup = { 0 }, back = { 0 };

	read_box(b, &setup);
	assert_true(linux_dialect.restore(buf_span(&setup), buf_span(&c->base), buf_span(&c->after), &back, NULL));
	assert_string_equal(back.text, was->text);
	buf_done(&setup);
	buf_done(&back);
}

static bool one_round(struct box *b)
{
	struct buf setup = { 0 };
	struct change_of c = { 0 };
	struct still before;
	bool is_planned;

	shake(b);
	take_still(b, &before);
	read_box(b, &setup);
	for (int n = 1 + rand() % 5; n > 0; n--)
		random_edit(&c, buf_span(&setup));
	plan(&c, buf_span(&setup));
	is_planned = c.is_planned;
	for (size_t k = 0; c.is_planned && k <= c.step.lines.n; k++) {
		put_still(b, &before);
		for (size_t i = 0; i < k; i++)
			run_line(b, c.step.lines.list[i]);
		if (k == c.step.lines.n) {
			assert_is(b, &c, &c.after, "done", k);
			assert_nothing_is_left_to_do(b, &c);
			assert_leads_back(b, &c, &setup);
		}
		for (size_t i = 0; i < c.step.undo.n; i++)
			run_line(b, c.step.undo.list[i]);
		assert_is(b, &c, &c.base, "undone", k);
	}
	change_done(&c);
	buf_done(&setup);
	return is_planned;
}

static void from_wherever_commands_stop_undo_brings_back_what_was(void **state)
{
	unsigned planned = 0, rounds = 75;

	(void)state;
	srand(5);
	for (int by_dcb = 0; by_dcb < 2; by_dcb++) {
		struct box b;

		box_init(&b, by_dcb);
		for (unsigned i = 0; i < rounds; i++)
			planned += one_round(&b);
		box_done(&b);
	}
	print_message("%u of %u random changes planned, done and undone from every place\n", planned, 2 * rounds);
	assert_true(planned > rounds / 2);
}

/* -- what a plan is compared with -- */

static void answer(struct model *m, const char *probe, const char *port, bool is_cut, const char *facts)
{
	struct obs o;

	obs_init(&o, "node1", probe);
	o.subject = port;
	o.at_us = SECOND;
	o.is_partial = is_cut;
	assert_true(obs_read(&o, span_of(facts), NULL));
	model_apply(m, &o);
	obs_done(&o);
}

static void a_setup_is_not_whole_while_an_answer_is_cut_be_it_the_first(void **state)
{
	static const char *const of_host[] = { "settings", "lsmod", "rdma", "tos" };
	static const char *const of_port[] = { "mlnx_qos", "dcb", "ecn", "ethtool-a" };

	(void)state;
	for (int is_cut = 0; is_cut < 2; is_cut++) {
		struct model *m = model_new();
		struct err err = { "" };

		answer(m, "host", NULL, is_cut, "");
		answer(m, "link", NULL, false, "node1 eth2 role = pf\nnode1 eth2 rdma = \"mlx5_0\"\n");
		for (size_t i = 0; i < sizeof(of_host) / sizeof(*of_host); i++)
			answer(m, of_host[i], NULL, false, "");
		for (size_t i = 0; i < sizeof(of_port) / sizeof(*of_port); i++)
			answer(m, of_port[i], "eth2", false, "");
		answer(m, "ethtool-i", "eth2", true, "");
		assert_false(linux_setup_is_whole(model_find_device(m, "node1"), 0, &err));
		assert_string_equal(err.text, "node1 eth2: the output of \"ethtool-i\" is incomplete");
		answer(m, "ethtool-i", "eth2", false, "node1 eth2 driver = \"mlx5_core\"\n");
		assert_true(linux_setup_is_whole(model_find_device(m, "node1"), 0, &err));
		model_free(m);
	}
}

/* The live round repeats which RDMA device a port has: when it is late, the port is not one that was changed. */
static void a_live_round_that_is_late_takes_nothing_out_of_a_setup(void **state)
{
	static const struct {
		unsigned after_s;
		bool is_in;
	} rows[] = { { 3, true }, { 20, true }, { 90, true }, { 100, false } };
	struct model *m = model_new();
	struct obs o;

	(void)state;
	answer(m, "link", NULL, false, "node1 eth2 role = pf\nnode1 eth2 rdma = \"mlx5_0\"\n");
	obs_init(&o, "node1", "rdma_counters");
	o.at_us = 2 * SECOND;
	o.period_us = SECOND;
	assert_true(obs_read(&o, span_of("node1 eth2 rdma = \"mlx5_0\"\n"), NULL));
	model_apply(m, &o);
	obs_done(&o);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf setup = { 0 };

		model_set_now(m, (2 + rows[i].after_s) * SECOND);
		assert_true(linux_setup_write(m, model_find_device(m, "node1"), &setup, NULL));
		assert_int_equal(setup.n && strstr(setup.text, "# node1 eth2 rdma = \"mlx5_0\""), rows[i].is_in);
		buf_done(&setup);
	}
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_setup_is_not_whole_while_an_answer_is_cut_be_it_the_first),
		cmocka_unit_test(a_live_round_that_is_late_takes_nothing_out_of_a_setup),
		cmocka_unit_test(trust_comes_before_the_map_and_undo_forgets_both),
		cmocka_unit_test(pfc_is_written_as_a_whole_and_disturbs_the_link),
		cmocka_unit_test(cable_length_is_never_given_without_pfc),
		cmocka_unit_test(classes_schedulers_and_shares_go_in_one_call),
		cmocka_unit_test(without_mlnx_qos_the_same_is_said_to_dcb),
		cmocka_unit_test(dcqcn_is_set_where_its_driver_has_it),
		cmocka_unit_test(what_is_of_the_rdma_device_is_set_there),
		cmocka_unit_test(a_bond_hands_its_mtu_down),
		cmocka_unit_test(settings_of_the_host_itself_say_who_keeps_them),
		cmocka_unit_test(pause_goes_before_pfc_comes_and_comes_after_it_went),
		cmocka_unit_test(a_folder_of_rdma_cm_is_made_and_taken_away),
		cmocka_unit_test(no_priority_is_in_a_buffer_without_bytes),
		cmocka_unit_test(a_driver_that_is_not_ready_is_waited_for_with_a_limit),
		cmocka_unit_test(what_cannot_be_set_is_refused_with_the_reason),
		cmocka_unit_test(a_name_that_is_no_interface_is_in_no_command),
		cmocka_unit_test(every_setting_has_its_setter_and_its_keeper),
		cmocka_unit_test(from_wherever_commands_stop_undo_brings_back_what_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
