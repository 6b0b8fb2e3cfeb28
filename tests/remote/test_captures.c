/*
 * What real devices printed, through our parsers: how much of it is understood, and that nothing of it becomes a wrong
 * fact. The captures stay where they are; without them this says so and is done.
 */
#include "remote/platforms.h"
#include "tests/lib/captured.h"
#include "tests/lib/cited.h"
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

/* What a file must say of the device "d", or with a "!" in front, must not begin to say. Port "p" is asked about. */
static const struct {
	const char *file, *fact;
} truths[] = {
	{ "dmesg/mlx5-cqe-remote-access.txt",		"d kernel.cause = \"remote-access\"" },
	{ "dmesg/mlx5-power-temp-accessreg.txt",	"d kernel.trouble = \"the PCIe slot supplies too little power to the NIC" },
	{ "dmesg/mlx5-power-temp-accessreg.txt",	"!d kernel.cause" },
	{ "dmesg/mlx5-boot-pstore.txt",			"d kernel.lines = 0" },
	{ "dmesg/mlx5-boot-pstore.txt",			"!d kernel.trouble" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"d p trust = dscp" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"d p pfc.on[3] = yes" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"d p dscp.prio[26] = 3" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"d p prio.tc[0] = 1" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"d p prio.pg[3] = 7" },
	{ "mlnx_qos/trust-dscp-pfc3.txt",		"!d p ets.share" },
	{ "mlnx_qos/trust-pcp-pfc3.txt",		"d p trust = pcp" },
	{ "mlnx_qos/trust-pcp-pfc3.txt",		"!d p dscp.prio" },
	{ "mlnx_qos/dscp30-to-prio6-split-line.txt",	"d p dscp.prio[30] = 6" },
	{ "mlnx_qos/dscp30-to-prio6-split-line.txt",	"d p dscp.prio[48] = 6" },
	{ "mlnx_qos/fw-controlled-dcbx-shared-tc.txt",	"d p dcbx = fw" },
	{ "mlnx_qos/fw-controlled-dcbx-shared-tc.txt",	"d p prio.tc[7] = 0" },
	{ "mlnx_qos/fw-controlled-dcbx-shared-tc.txt",	"d p ets.share[3] = 50" },
	{ "mlnx_qos/pfc5-ets-strict-max-buffer.txt",	"d p pfc.on[5] = yes" },
	{ "mlnx_qos/pfc5-ets-strict-max-buffer.txt",	"d p pfc.on[3] = no" },
	{ "mlnx_qos/pfc5-ets-strict-max-buffer.txt",	"d p ets.algo[4] = strict" },
	{ "mlnx_qos/pfc5-ets-strict-max-buffer.txt",	"d p buffer.size[1] = 220896" },
	{ "mlnx_qos/ratelimit-100g-tc-lines.txt",	"d p ets.algo[7] = vendor" },
	{ "mlnx_qos/err-iface-missing-or-not-mlx.txt",	"d p trust = unknown" },
	{ "mlnx_qos/help-1.2.txt",			"!d" },
	{ "dcb/man-app-dscp-names.txt",			"d p dscp.prio[48] = 6" },
	{ "dcb/man-app-dscp-names.txt",			"d p dscp.prio[24] = unknown" },
	{ "dcb/mixed-roce-dcb-talos.txt",		"d p dscp.prio[26] = 3" },
	{ "dcb/mixed-roce-dcb-talos.txt",		"d p pfc.on[3] = yes" },
	{ "dcb/man-ets.txt",				"d p ets.share[2] = 34" },
	{ "dcb/man-ets.txt",				"!d p ets.share[3]" },
	{ "dcb/man-pfc.txt",				"d p pfc.on[6] = yes" },
	{ "ethtool-S/mlx5_core-full.txt",		"d p rx.total = 2202570777997" },
	{ "ethtool-S/mlx5_core-full.txt",		"d p pause.rx_frames = 0" },
	{ "ethtool-S/mlx5_core-full.txt",		"!d p pfc.rx" },
	{ "ethtool-S/mlx5_core-full.txt",		"!d p rx.drop" },
	{ "ethtool-S/mlx5-kernel5.15-global-pause.txt",	"d p pause.tx_frames = 5745042" },
	{ "ethtool-S/mlx5-kernel5.15-global-pause.txt",	"d p rx.drop[0] = 58591314012" },
	{ "ethtool-S/mlx5-ofed-phy-prio0-marked.txt",	"d p phy.err = 386" },
	{ "ethtool-S/ice-e810-pfc-active.txt",		"d p pfc.tx[2] = 14864" },
	{ "ethtool-S/ice-e810-pfc-active.txt",		"d p pfc.tx[4] = 0" },
	{ "ethtool-S/i40e-full.txt",			"d p rx.total = 30388004820195" },
	{ "ethtool-S/bnxt_en-full.txt",			"d p rx.total = 577687185962088" },
	{ "ethtool-S/bnxt_en-full.txt",			"d p rx.discard = 49337" },
	{ "ethtool-S/virtio_net-full.txt",		"!d" },
	{ "ethtool-S/lo-no-stats.txt",			"d p pfc.rx[0] = unknown" },
	{ "ethtool-a/tabs-no-negotiated.txt",		"d p pause.rx = yes" },
	{ "ethtool-a/success-enp0s25.txt",		"d p pause.tx = no" },
	{ "ethtool-a/virtio-err-then-header.txt",	"d p pause.rx = unknown" },
	{ "ethtool-i/virtio-ens3.txt",			"!d p firmware" },
	{ "ethtool/azure-endure.txt",			"d eth1 speed = 54000000000" },
	{ "ethtool/virtio-speed-unknown-6.1.txt",	"d eth0 speed = unknown" },
	{ "ibdev2netdev/v-cx6-onyx.txt",		"d p2p1 rdma = \"mlx5_2\"" },
	{ "ibdev2netdev/v-cx4-vfs.txt",			"d enp2s0f2 up = no" },
	{ "show_gids/mlx5_bond_0.txt",			"d bond0 gid.index = 3" },
	{ "show_gids/cx4-ib-row-without-netdev.txt",	"d ens11f0 gid.v2 = no" },
	{ "show_gids/cx4lx-four-ports.txt",		"d eth02 gid.v2 = no" },
	{ "ibv_devinfo/cx4lx-four.txt",			"d mlx5_1 rdma.state = down" },
	{ "ibv_devinfo/v-gid-table-cx-roce.txt",	"d p gid.index = 3" },
	{ "show_counters/mlx5_bond_0-heavy-ecn.txt",	"d p ecn.seen = 21278189006" },
	{ "show_counters/mlx5_bond_0-heavy-ecn.txt",	"d p oos = 1811101" },
	{ "rdma/statistic-show-cx4lx-line.txt",		"d p rx.nobuf = 135" },
	{ "rdma/link-gb10-persistent-names.txt",	"d enP2p1s0f0np0 rdma = \"roceP2p1s0f0\"" },
	{ "rdma/j-link-ionic.txt",			"d benic8p1 rdma = \"ionic_0\"" },
	{ "sysfs-ecn/spiderpool-qos-query.txt",		"d eth0 cnp.dscp = 48" },
	{ "sysfs-ecn/spiderpool-qos-query.txt",		"d eth0 ecn.rp[3] = yes" },
	{ "sysfs-infiniband/h100-cx7-ib-mlx5_0.txt",	"d p rdma.rx = 922159499729932" },
	{ "sysfs-infiniband/h100-cx7-ib-mlx5_0.txt",	"d p rdma.layer = infiniband" },
	{ "sysfs-infiniband/h100-cx7-ib-mlx5_0.txt",	"!d p cnp." },
	{ "sysfs-infiniband/traffic_class-106.txt",	"d p tos.force = 106" },
	{ "sysfs-bonding/masters-and-slaves.txt",	"d eth4 bond = \"dmz\"" },
	{ "ip-link/j-d-link-local.txt",			"d eth0 mtu = 1400" },
	{ "ip-link/d-s-bond-active-backup.txt",		"d enp2s0 mac = \"52:54:00:c9:b9:47\"" },
	{ "ip-link/d-s-bond-active-backup.txt",		"d enp1s0 bond = \"bond0\"" },
	{ "ip-link/vfs-mlx5-new-link-ether-form.txt",	"d enp132s0f0np0 vf = 4" },
	{ "ip-link/vfs-mlx5-old-MAC-form.txt",		"d enp3s0f0 mac = \"ec:0d:9a:46:9e:84\"" },
	{ "proc-net-bonding/lacp-fast-200g-sles.txt",	"d macvlan0 speed = 200000000000" },
	{ "lldpcli-json/cumulus3.7-internet.txt",	"d swp1 peer.name = \"exit01\"" },
	{ "lldpcli-json/cumulus3.7-internet.txt",	"d swp1 peer.port = \"swp6\"" },
	{ "lldpcli-json/f-json-list-of-one-juniper.txt", "d eno1 peer.port = \"ge-1/0/1\"" },
	{ "lldpcli-json/f-json-single-no-sysname.txt",	"d enp3s0 peer.port = \"g17\"" },
	{ "lldpcli-json/f-json-single-no-sysname.txt",	"!d enp3s0 peer.name" },
	{ "lldpcli-keyvalue/qfx.txt",			"d eth0 peer.port = \"xe-0/0/1\"" },
	{ "lldpcli-keyvalue/qfx.txt",			"d eth0 peer.name = \"sw-filer-f06.dc42\"" },
};

struct tally {
	unsigned files, facts, missed;
};

static bool says(const struct buf *facts, const char *fact)
{
	struct span rest = buf_span(facts), line;

	while (span_line(&rest, &line))
		if (span_starts(line, fact))
			return true;
	return false;
}

static void check_truths(const char *path, const struct buf *facts)
{
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		const char *fact = truths[i].fact;
		size_t n = strlen(path), tail = strlen(truths[i].file);
		bool wanted = *fact != '!';

		if (n < tail || strcmp(path + n - tail, truths[i].file) != 0)
			continue;
		if (says(facts, fact + !wanted) != wanted)
			fail_msg("%s: \"%s\"; it says:\n%s", path, fact, facts->text ? facts->text : "nothing");
	}
}

/* What we write we can read; and a file that holds an error holds nothing known. */
static void check_facts(const char *path, const struct obs *o, const struct buf *facts)
{
	const char *name = strrchr(path, '/') + 1;
	struct obs again;
	struct err err;

	obs_init(&again, "d", "again");
	if (!obs_read(&again, buf_span(facts), &err))
		fail_msg("%s: %s", path, err.text);
	assert_int_equal(again.n, o->n);
	obs_done(&again);
	if (strncmp(name, "err", 3) != 0)
		return;
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].value.is == VALUE_KNOWN)
			fail_msg("%s: an error became %s", path, facts->text);
}

static void parse_file(const struct platform *platform, const struct probe *probe, const char *path, struct tally *t)
{
	struct buf facts = { 0 };
	struct obs o;
	size_t n;
	char *text = file_text(path, &n);
	const struct answer a = { .text = { text, n }, .port = platform->is_switch && !probe->per_port ? NULL : "p",
				  .status = -1 };

	assert_non_null(text);
	obs_init(&o, "d", probe->id);
	platform_parse(platform, probe, &a, &o);
	obs_print(&o, &facts);
	check_facts(path, &o, &facts);
	check_truths(path, &facts);
	cited_check(path, &o);
	t->files++;
	t->facts += (unsigned)o.n;
	t->missed += o.missed;
	buf_done(&facts);
	obs_done(&o);
	free(text);
}

struct reader {
	const struct platform *platform;
	const struct probe *probe;
	struct tally tally;
};

static void read_file(const char *path, void *user)
{
	struct reader *r = user;

	parse_file(r->platform, r->probe, path, &r->tally);
}

static struct tally read_row(const struct captured *row)
{
	struct reader r = { .platform = platform_find(row->platform) };

	r.probe = r.platform ? platform_probe(r.platform, row->probe) : NULL;
	if (!r.probe)
		fail_msg("no probe %s of %s", row->probe, row->platform);
	captured_each(row, read_file, &r);
	return r.tally;
}

static void what_real_devices_printed_holds_no_wrong_fact(void **state)
{
	(void)state;
	if (!captures_dir()) {
		printf("skip: no captures of real devices beside this tree\n");
		return;
	}
	printf("%-52s %6s %6s %8s\n", "captures, read by", "files", "facts", "missed");
	for (size_t i = 0; i < captured_count; i++) {
		const struct captured *row = &captured_table[i];
		struct tally t = read_row(row);

		printf("%-32s %-6s %-16s %3u %6u %8u\n", row->folder, row->platform, row->probe, t.files, t.facts, t.missed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_real_devices_printed_holds_no_wrong_fact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
