/*
 * What "emit" makes for hosts that are not the usual ones, run by real shells in a folder that stands for the host's root: hosts
 * without systemd, NICs of other vendors, ports that are not the fabric's.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/manifest/manifest.h"
#include "core/policy/policy.h"
#include "tests/lib/run.h"
#include "tests/lib/text.h"

static const char *const shells[] = { "/bin/sh", "/bin/busybox", "/bin/bash" };

/* Writes the manifest of a kind for node1, or has its reason in err. */
static bool emit(const char *kind, const char *facts, struct buf *out, struct err *err)
{
	struct policy *policy = policy_builtin("roce-lossless");
	struct model *m = facts ? model_saying(facts, 1000000) : NULL;
	struct manifest_scene s = { .policy = policy, .model = m, .device = m ? model_find_device(m, "node1") : NULL };
	bool done = manifest_find(kind)->write(&s, out, err);

	model_free(m);
	policy_free(policy);
	return done;
}

/* -- which ports -- */

#define PF(port, rdma)	"node1 " port " role = pf\nnode1 " port " up = yes\nnode1 " port " rdma = \"" rdma "\"\n"

static const char *const of_ports[] = {
	"systemd", "udev", "networkmanager", "machineconfig", "daemonset", "sriovnetworknodepolicy",
};

static void what_sets_ports_is_refused_where_none_is_known_to_be_the_fabrics(void **state)
{
	static const struct {
		const char *facts, *why;
	} table[] = {
		{ NULL, "name it, fabcon emit " },
		{ "node1 eth0 role = pf\nnode1 eth0 up = yes\n",
		  "no port of node1 is known to carry RoCE of the fabric: eth0 (no RDMA device is known)" },
		{ PF("ib0", "mlx5_0") "node1 ib0 rdma.layer = infiniband\n", ": ib0 (InfiniBand)" },
		{ PF("eth0", "mlx5_0") "node1 management = \"eth0\"\n", ": eth0 (our session comes in by it)" },
		{ PF("eth0", "mlx5_0") "node1 management = \"eth0.100\"\n", ": eth0 (our session comes in by it)" },
		{ "node1 eth0 role = member\nnode1 eth0 bond = \"bond0\"\nnode1 eth0 rdma = \"mlx5_bond_0\"\nnode1 management = \"bond0\"\n",
		  ": eth0 (our session comes in by it)" },
		{ "node1 eth0 role = vf\nnode1 eth0 rdma = \"mlx5_0\"\n", "no port of node1 is known to carry RoCE of the fabric" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(of_ports) / sizeof(*of_ports); k++) {
		for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
			struct buf out = { NULL };
			struct err err = { "" };

			if (emit(of_ports[k], table[i].facts, &out, &err) || out.n || !strstr(err.text, table[i].why))
				fail_msg("%s: not \"%s\" but \"%s\"\n%s", of_ports[k], table[i].why, err.text, out.n ? out.text : "");
			buf_done(&out);
		}
	}
}

static void only_the_fabrics_ports_stand_in_it(void **state)
{
	static const char facts[] = PF("eth0", "mlx5_9") PF("eth2", "mlx5_0") PF("ib0", "mlx5_4") "node1 ib0 rdma.layer = infiniband\n"
		"node1 eth7 role = pf\nnode1 eth7 up = yes\nnode1 management = \"eth0\"\n";

	(void)state;
	for (size_t k = 0; k < sizeof(of_ports) / sizeof(*of_ports); k++) {
		struct buf out = { NULL };
		struct err err = { "" };
		struct span rest, line;

		assert_true(emit(of_ports[k], facts, &out, &err));
		if (strcmp(of_ports[k], "machineconfig") != 0)
			assert_non_null(strstr(out.text, "eth2"));
		assert_non_null(strstr(out.text, "# Left out: eth0 (our session comes in by it), ib0 (InfiniBand), eth7 (no RDMA device is known)."));
		for (rest = buf_span(&out); span_line(&rest, &line);)
			if (span_trim(line).n && *span_trim(line).p != '#' && (span_find(line, "eth0") || span_find(line, "ib0") || span_find(line, "eth7")))
				fail_msg("%s: %.*s", of_ports[k], (int)line.n, line.p);
		assert_null(strstr(out.text, "DRIVERS==\"mlx5_core\""));
		assert_null(strstr(out.text, "driver:mlx5_core"));
		buf_done(&out);
	}
}

static void a_storage_port_that_has_no_cable_of_the_fabric_is_left_out(void **state)
{
	struct model *m = model_saying(PF("eth2", "mlx5_0") PF("eth5", "mlx5_3") "node1 eth2 mac = \"0c:42:a1:00:00:02\"\n", 1000000);
	struct policy *policy = policy_builtin("roce-lossless");
	struct manifest_scene s = { .policy = policy, .model = m, .device = model_find_device(m, "node1") };
	struct links links = { NULL };
	struct buf out = { NULL };
	struct err err = { "" };

	(void)state;
	model_say(m, "leaf1 platform = \"os10\"\nleaf1 ethernet1/1/1 peer.mac = \"0c:42:a1:00:00:02\"\n", 1000000);
	links_update(&links, m, NULL);
	s.links = &links;
	if (!links_of_port(&links, model_find_port(m, "node1", "eth2")))
		fail_msg("no link is made of these facts");
	assert_true(manifest_find("systemd")->write(&s, &out, &err));
	assert_non_null(strstr(out.text, "only=\"eth2\"\n"));
	assert_non_null(strstr(out.text, "# Left out: eth5 (no cable to a device that was read).\n"));
	links_done(&links);
	buf_done(&out);
	model_free(m);
	policy_free(policy);
}

/* The programs that a script may take for granted: those of busybox. None of them sets anything of a NIC or of an init. */
static char few[] = "/tmp/test_emit_hosts.few.XXXXXX";

static int make_few(void **state)
{
	struct run r;

	(void)state;
	if (!mkdtemp(few))
		return -1;
	setenv("few", few, 1);
	r = RUN("/bin/sh", "-c",
		"for t in awk sed grep tr readlink ls mkdir cat chmod ln rm sleep uname sh; do ln -s $(command -v $t) $few/$t; done");
	run_done(&r);
	return 0;
}

static int remove_few(void **state)
{
	struct run r = RUN("/bin/rm", "-r", few);

	(void)state;
	run_done(&r);
	return 0;
}

/* -- a host made of files: $d is its root; tools record what they are called with -- */

#define ROOT \
	"set -e; d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; n=$d/sys/class/net/eth2\n" \
	"mkdir -p $d/bin $d/etc $d/run $d/proc/1 $d/sys/class/infiniband/rdma0 $n/device/infiniband/rdma0\n" \
	"mkdir -p $d/sys/kernel/config/rdma_cm/rdma0/ports/1; echo 0 >$d/sys/kernel/config/rdma_cm/rdma0/ports/1/default_roce_tos\n" \
	"echo up >$n/operstate; echo 1 >$n/type; echo systemd >$d/proc/1/comm\n" \
	"printf 'rdma_cm 1 0\\nrdma_ucm 1 0\\nib_uverbs 1 0\\n' >$d/proc/modules\n" \
	"tool() { { echo '#!/bin/sh'; cat; } >$d/bin/$1; chmod +x $d/bin/$1; }\n" \
	"called() { for t; do echo \"echo \\\"${t} \\$*\\\" >>$d/called\" | tool $t; done; }; : >$d/called\n" \
	"driver() { mkdir -p $d/drivers/$1; ln -sfn $d/drivers/$1 $n/device/driver; }; driver mlx5_core\n" \
	/* every path of the host becomes one below $d; a text that still names one of this machine is not run */ \
	"moved() { sed -E \"s~(^|[^A-Za-z0-9_.*}])/(etc|sys|proc|run|var|lib/modules|[.]dockerenv)([/ ;]|$)~\\1$d/\\2\\3~g\n" \
	"s~/bin/sh ~$shell ~g\" >$d/moved\n" \
	"! grep -E '(^|[^A-Za-z0-9_.*}])/(etc|sys|proc|run|var|lib/modules|[.]dockerenv)([/ ;]|$)' $d/moved >&2 || exit 99; }\n" \
	/* busybox would take its own */ \
	"guard() { { echo \"modprobe() { [ -x $d/bin/modprobe ] || return 127; $d/bin/modprobe \\\"\\$@\\\"; }\"; cat $1; } >$2; }\n" \
	"FABCON_WAIT_S=0; export FABCON_WAIT_S\n" \
	"install() { moved <\"$SCRIPT\"; guard $d/moved $d/install; s=0; PATH=$d/bin:$few $shell $d/install 2>&1 || s=$?; echo \"exit $s\"; }\n"

static struct run in_root(const char *kind, const char *shell, const char *facts, const char *script)
{
	char file[] = "/tmp/test_emit_hosts.XXXXXX";
	struct buf text = { NULL }, all = { NULL };
	struct err err = { "" };
	int fd = mkstemp(file);
	struct run r;

	assert_true(fd >= 0);
	if (!emit(kind, facts, &text, &err))
		fail_msg("%s", err.text);
	assert_int_equal(write(fd, text.text, text.n), text.n);
	close(fd);
	buf_printf(&all, "SCRIPT=%s shell='%s%s'\n" ROOT "{ %s\n} >$d/said 2>&1 || { cat $d/said; exit 1; }\nsed \"s~$d~~g\" $d/said\n",
		   file, shell, strstr(shell, "busybox") ? " sh" : "", script);
	r = run_program((const char *const[]){ "/bin/sh", "-s", NULL }, all.text);
	unlink(file);
	buf_done(&text);
	buf_done(&all);
	return r;
}

static const struct case_of {
	const char *what, *script, *says, *never;
} inits[] = {
	{ "nothing is written where there is no init that is known", "install; ls -A $d/etc",
	  "this host does not run systemd, and nothing was written. What it has, by running this with it set: FABCON_INIT=script: the script "
	  "alone, for your own way to start it at boot\nexit 1\n", "fabcon" },
	{ "OpenRC is offered", "called openrc-run; install; ls -A $d/etc", "set: FABCON_INIT=openrc: a service of OpenRC\nexit 1\n", "\nfabcon" },
	{ "runit and cron are offered", "called runsvdir; mkdir $d/etc/cron.d; install; ls -A $d/etc $d/etc/cron.d",
	  "FABCON_INIT=runit: a service of runit; FABCON_INIT=cron: @reboot in /etc/cron.d\nexit 1\n", "\nfabcon" },
	{ "a container is told so", ": >$d/run/.containerenv; install; ls -A $d/etc", "this is a container: run it on its host", "\nfabcon" },
	{ "an init that is not known is refused", "FABCON_INIT=upstart; export FABCON_INIT; install; ls -A $d/etc",
	  "not upstart; nothing was written\nexit 1\n", "\nfabcon" },
	{ "what is not here is refused", "FABCON_INIT=openrc; export FABCON_INIT; install; ls -A $d/etc",
	  "openrc: openrc-run is not here; nothing was written\nexit 1\n", "\nfabcon" },
	{ "systemd is used where it runs", "mkdir -p $d/run/systemd/system; called systemctl; install; cat $d/called; cat $d/etc/modules-load.d/*",
	  "exit 0\nsystemctl daemon-reload\nsystemctl enable fabcon-roce.service fabcon-roce.timer\n"
	  "systemctl start fabcon-roce.service fabcon-roce.timer\nrdma_cm\nrdma_ucm\nib_uverbs\n", "rc-update" },
	{ "OpenRC gets a service", "mkdir $d/etc/init.d; called openrc-run rc-update rc-service; FABCON_INIT=openrc; export FABCON_INIT; install\n"
	  "cat $d/called; $shell -n $d/etc/init.d/fabcon-roce; [ -x $d/etc/init.d/fabcon-roce ]; head -1 $d/etc/init.d/fabcon-roce; ls $d/etc",
	  "exit 0\nrc-update add fabcon-roce default\nrc-service fabcon-roce start\n#!/sbin/openrc-run\n", "systemd" },
	{ "runit sets once and reports drift",
	  "mkdir -p $d/etc/runit/runsvdir/default; called runsvdir; FABCON_INIT=runit; export FABCON_INIT; install\n"
	  "readlink $d/etc/runit/runsvdir/default/fabcon-roce; mv $d/etc/sv/fabcon-roce/run $d/once; rm $d/etc/fabcon/roce.sh\n"
	  "echo \"echo \\\"asked \\${1:-set}\\\"\" >$d/etc/fabcon/roce.sh\n"
	  "sed -i 's/sleep 300/[ -z \"$x\" ] || exit 0; x=1/' $d/once\n"
	  "PATH=$d/bin:$few $shell $d/once; PATH=$d/bin:$few $shell $d/once",
	  "/etc/sv/fabcon-roce\nasked set\nasked report\nasked report\n", NULL },
	{ "cron gets @reboot",
	  "mkdir $d/etc/cron.d; called mlnx_qos ethtool; FABCON_INIT=cron; export FABCON_INIT; install || :; cat $d/etc/cron.d/*",
	  "@reboot root ", "systemctl" },
};

static void expect_case(const struct case_of *c, const char *kind, const char *shell, const char *facts)
{
	struct run r = in_root(kind, shell, facts, c->script);
	const char *out = r.out.text ? r.out.text : "";

	if (!strstr(out, c->says) || (c->never && strstr(out, c->never)))
		fail_msg("%s (%s): not \"%s\":\n%s%s", c->what, shell, c->says, out, r.err.text ? r.err.text : "");
	run_done(&r);
}

static void a_host_without_systemd_is_told_so_before_anything_is_written(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(shells) / sizeof(*shells); k++)
		for (size_t i = 0; !access(shells[k], X_OK) && i < sizeof(inits) / sizeof(*inits); i++)
			expect_case(&inits[i], "systemd", shells[k], PF("eth2", "rdma0"));
}

/* -- the script itself -- */

/* It is installed by its own installer, then run. */
#define RUN_IT(args) \
	"FABCON_INIT=script; export FABCON_INIT; install >/dev/null; guard $d/etc/fabcon/roce.sh $d/roce.sh; : >$d/called\n" \
	"s=0; PATH=$d/bin:$few $shell $d/roce.sh " args " 2>&1 || s=$?; echo \"exit $s\"; cat $d/called"

static const struct case_of drivers[] = {
	{ "bnxt is set by dcb", "driver bnxt_en; called dcb; " RUN_IT(""), "roce: dcb pfc set dev eth2 prio-pfc ", "mlnx_qos" },
	{ "what bnxt cannot is named", "driver bnxt_en; called dcb; " RUN_IT(""),
	  "roce: eth2 (bnxt_en): neither set nor checked, its driver has no setting for it here: trust, ECN of priorities, DSCP and priority "
	  "of CNPs; niccli of Broadcom sets trust and congestion control\nexit 0\n", NULL },
	{ "what ice cannot is named", "driver ice; called dcb; " RUN_IT(""),
	  "roce: eth2 (ice): neither set nor checked, its driver has no setting for it here: trust, ECN of priorities, ", "niccli" },
	{ "ToS of bnxt is set", "driver bnxt_en; called dcb; " RUN_IT("") "; cat $d/sys/kernel/config/rdma_cm/rdma0/ports/1/default_roce_tos",
	  "\n106\n", NULL },
	{ "ice whose firmware owns DCB is left to it",
	  "driver ice; called dcb; echo 'echo \"Private flags for $2:\"; echo \"fw-lldp-agent               : on\"' | tool ethtool; " RUN_IT(""),
	  "roce: eth2: the NIC's firmware owns DCB: classes and PFC are neither set nor checked; to hand them over: ethtool --set-priv-flags "
	  "eth2 fw-lldp-agent off\n", "dcb " },
	{ "a NIC whose tool is away is named", "driver bnxt_en; " RUN_IT(""),
	  "roce: eth2 (bnxt_en): dcb is not here: classes and PFC are not set\n", NULL },
	{ "modules are loaded now", "called dcb modprobe; echo 'rdma_cm 1 0' >$d/proc/modules; " RUN_IT(""),
	  "modprobe rdma_ucm\nmodprobe ib_uverbs\n", "modprobe rdma_cm\n" },
	{ "and only reported by report", "called dcb modprobe; : >$d/proc/modules; " RUN_IT("report"),
	  "drift: not as required; would run modprobe rdma_cm\n", "\nmodprobe" },
	{ "a module in the kernel is not loaded", "called dcb modprobe; : >$d/proc/modules; b=$d/lib/modules/$(uname -r); mkdir -p $b\n"
	  "printf 'kernel/a/rdma_cm.ko\\nkernel/a/rdma_ucm.ko\\nkernel/a/ib_uverbs.ko\\n' >$b/modules.builtin; " RUN_IT(""), "exit ", "modprobe" },
	{ "lldpad is named", "called dcb; echo lldpad >$d/proc/1/comm; " RUN_IT(""),
	  "lldpad runs here and can write DCB settings over these", NULL },
	{ "a driver that is not ready is told by the exit status", "called dcb; rm -r $d/sys/class/infiniband; "
	  RUN_IT(""), "nothing is set\nexit 75\n", "dcb pfc set" },
	{ "report writes nothing", "called dcb; " RUN_IT("report"), "would run dcb pfc set dev eth2 prio-pfc", "\ndcb pfc set" },
};

static void each_nic_is_set_as_far_as_its_driver_goes_and_the_rest_is_named(void **state)
{
	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; !access(shells[k], X_OK) && i < sizeof(drivers) / sizeof(*drivers); i++)
			expect_case(&drivers[i], "systemd", shells[k], PF("eth2", "rdma0"));
}

/* What fails in a pod is not written again each minute: it is set once, and set again only where the driver was not ready. */
static void a_pod_sets_once_though_a_setting_failed(void **state)
{
	struct buf yaml = { NULL };
	struct err err = { "" };
	const char *loop;
	struct run r;

	(void)state;
	assert_true(emit("daemonset", PF("eth2", "mlx5_0"), &yaml, &err));
	loop = strstr(yaml.text, "until sh /tmp/roce.sh");
	assert_non_null(loop);
	for (unsigned is_ready = 0; is_ready < 2; is_ready++) {
		struct buf script = { NULL };

		buf_printf(&script, "n=0; sh() { n=$((n + 1)); echo \"${2:-set}\"; [ $n -lt 4 ] || exit 0; return %d; }\nsleep() { :; }\n%.*s\n",
			   is_ready ? 1 : 75, (int)(strstr(strstr(loop, "report"), "done") + 4 - loop), loop);
		r = run_program((const char *const[]){ "/bin/sh", "-s", NULL }, script.text);
		assert_string_equal(r.out.text, is_ready ? "set\nreport\nreport\nreport\n" : "set\nset\nset\nset\n");
		run_done(&r);
		buf_done(&script);
	}
	buf_done(&yaml);
}

/* Nothing that goes by a timer sets. */
static void no_timer_sets(void **state)
{
	struct buf out = { NULL };
	struct err err = { "" };

	(void)state;
	assert_true(emit("systemd", PF("eth2", "mlx5_0"), &out, &err));
	assert_non_null(strstr(out.text, "Unit=fabcon-roce-drift.service\n"));
	assert_non_null(strstr(out.text, "ExecStart=/bin/sh /etc/fabcon/roce.sh report\n"));
	assert_non_null(strstr(out.text, "*/5 * * * * root /bin/sh /etc/fabcon/roce.sh report 2>&1"));
	assert_non_null(strstr(out.text, "Report drift of RoCE settings; writes nothing"));
	assert_null(strstr(out.text, "Restart="));
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_sets_ports_is_refused_where_none_is_known_to_be_the_fabrics),
		cmocka_unit_test(only_the_fabrics_ports_stand_in_it),
		cmocka_unit_test(a_storage_port_that_has_no_cable_of_the_fabric_is_left_out),
		cmocka_unit_test(a_host_without_systemd_is_told_so_before_anything_is_written),
		cmocka_unit_test(each_nic_is_set_as_far_as_its_driver_goes_and_the_rest_is_named),
		cmocka_unit_test(a_pod_sets_once_though_a_setting_failed),
		cmocka_unit_test(no_timer_sets),
	};

	return cmocka_run_group_tests(tests, make_few, remove_few);
}
