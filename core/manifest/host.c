/* Manifests for hosts: files of systemd, udev and NetworkManager, and NCCL's environment. */
#include "core/manifest/internal.h"

#include <stdio.h>

#include "core/base/template.h"

const char manifest_modules[] = "rdma_cm\nrdma_ucm\nib_uverbs\n";

const char manifest_service[] =
	"[Unit]\n"
	"Description=RoCE settings required by the fabcon policy\n"
	"After=network-online.target openibd.service\n"
	"Wants=network-online.target\n"
	"\n"
	"[Service]\n"
	"Type=oneshot\n"
	"ExecStart=/bin/sh " MANIFEST_SCRIPT "\n"
	"TimeoutStartSec=600\n"
	"\n"
	"[Install]\n"
	"WantedBy=multi-user.target\n";

/*
 * What else writes to the NIC meanwhile (a driver's restart, lldpad, a person) is reported, not written over: a PFC write takes the link
 * of an mlx5 port down, and against another agent that would be a flap at each turn.
 */
const char manifest_drift[] =
	"[Unit]\n"
	"Description=Report drift of RoCE settings; writes nothing\n"
	"After=fabcon-roce.service\n"
	"\n"
	"[Service]\n"
	"Type=oneshot\n"
	"ExecStart=/bin/sh " MANIFEST_SCRIPT " report\n"
	"TimeoutStartSec=600\n";

const char manifest_timer[] =
	"[Unit]\n"
	"Description=Check RoCE settings for drift every 5 minutes\n"
	"\n"
	"[Timer]\n"
	"OnBootSec=2min\n"
	"OnUnitActiveSec=5min\n"
	"Unit=fabcon-roce-drift.service\n"
	"\n"
	"[Install]\n"
	"WantedBy=timers.target\n";

static void file(const char *path, const char *text, struct buf *out)
{
	buf_printf(out, "cat >%s <<'END_OF_FILE'\n%sEND_OF_FILE\n", path, text);
}

/*
 * Which init this host runs: systemd, or one that it has to be told to install for. /run/systemd/system is what sd_booted()
 * looks at. Nothing is written before this.
 */
static const char choose_init[] =
	"refuse() { echo \"roce: $*\" >&2; exit 1; }\n"
	"init=${FABCON_INIT:-}\n"
	"if [ -z \"$init\" ] && [ -d /run/systemd/system ]; then init=systemd; fi\n"
	"if [ -z \"$init\" ]; then\n"
	"\toffers=\n"
	"\toffer() { offers=\"$offers; $*\"; }\n"
	"\t! command -v openrc-run >/dev/null || offer FABCON_INIT=openrc: a service of OpenRC\n"
	"\t! command -v runsvdir >/dev/null || offer FABCON_INIT=runit: a service of runit\n"
	"\t[ ! -d /etc/cron.d ] || offer FABCON_INIT=cron: @reboot in /etc/cron.d\n"
	"\tif [ -e /run/.containerenv ] || [ -e /.dockerenv ]; then\n"
	"\t\toffer this is a container: run it on its host, or use emit daemonset\n"
	"\tfi\n"
	"\t[ -n \"$offers\" ] || offer \"FABCON_INIT=script: the script alone, for your own way to start it at boot\"\n"
	"\trefuse \"this host does not run systemd, and nothing was written. What it has, by running this with it set: ${offers#; }\"\n"
	"fi\n"
	"case $init in\n"
	"systemd) needs=systemctl ;; openrc) needs=\"openrc-run rc-update rc-service\" ;; runit) needs=runsvdir ;; cron|script) needs= ;;\n"
	"*) refuse \"FABCON_INIT is systemd, openrc, runit, cron or script, not $init; nothing was written\" ;;\n"
	"esac\n"
	"for tool in $needs; do command -v \"$tool\" >/dev/null || refuse \"$init: $tool is not here; nothing was written\"; done\n"
	"[ \"$init\" != cron ] || [ -d /etc/cron.d ] || refuse \"cron: /etc/cron.d is not here; nothing was written\"\n";

static const char openrc_service[] =
	"#!/sbin/openrc-run\n"
	"description=\"RoCE settings required by the fabcon policy\"\n"
	"\n"
	"depend() {\n"
	"\tuse net\n"
	"\tafter modules openibd\n"
	"}\n"
	"\n"
	"start() {\n"
	"\tebegin \"Setting RoCE\"\n"
	"\t/bin/sh " MANIFEST_SCRIPT "\n"
	"\teend $?\n"
	"}\n";

/* runit starts again what ends: it is set once, then drift is reported. */
static const char runit_service[] =
	"#!/bin/sh\n"
	"exec 2>&1\n"
	"[ -e /run/fabcon-roce.set ] || /bin/sh " MANIFEST_SCRIPT "\n"
	": >/run/fabcon-roce.set\n"
	"while :; do\n"
	"\tsleep 300\n"
	"\t/bin/sh " MANIFEST_SCRIPT " report\n"
	"done\n";

static const char cron_lines[] =
	"# RoCE settings required by the fabcon policy: set at boot; drift is reported, nothing is written\n"
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
	"@reboot root /bin/sh " MANIFEST_SCRIPT " 2>&1 | logger -t fabcon-roce\n"
	"*/5 * * * * root /bin/sh " MANIFEST_SCRIPT " report 2>&1 | logger -t fabcon-roce-drift\n";

static void install_systemd(struct buf *out)
{
	buf_str(out, "systemd)\n\tmkdir -p /etc/systemd/system /etc/modules-load.d\n");
	file("/etc/modules-load.d/fabcon-roce.conf", manifest_modules, out);
	file("/etc/systemd/system/fabcon-roce.service", manifest_service, out);
	file("/etc/systemd/system/fabcon-roce-drift.service", manifest_drift, out);
	file("/etc/systemd/system/fabcon-roce.timer", manifest_timer, out);
	buf_str(out, "\tsystemctl daemon-reload\n\tsystemctl enable fabcon-roce.service fabcon-roce.timer\n"
		"\tsystemctl start fabcon-roce.service fabcon-roce.timer ;;\n");
}

static void install_others(struct buf *out)
{
	buf_str(out, "openrc)\n");
	file("/etc/init.d/fabcon-roce", openrc_service, out);
	buf_str(out, "\tchmod 0755 /etc/init.d/fabcon-roce\n\trc-update add fabcon-roce default\n\trc-service fabcon-roce start\n"
		"\techo \"roce: drift is reported by: sh " MANIFEST_SCRIPT " report\" ;;\n"
		"runit)\n\tmkdir -p /etc/sv/fabcon-roce\n");
	file("/etc/sv/fabcon-roce/run", runit_service, out);
	buf_str(out, "\tchmod 0755 /etc/sv/fabcon-roce/run\n"
		"\tfor services in /etc/runit/runsvdir/default /etc/service /var/service; do\n"
		"\t\t[ ! -d \"$services\" ] || { ln -sfn /etc/sv/fabcon-roce \"$services/fabcon-roce\"; break; }\n\tdone\n"
		"\t[ -L \"$services/fabcon-roce\" ] || refuse \"no folder of runit's services is here: link /etc/sv/fabcon-roce into yours\" ;;\n"
		"cron)\n");
	file("/etc/cron.d/fabcon-roce", cron_lines, out);
	buf_str(out, "\t/bin/sh " MANIFEST_SCRIPT " ;;\n"
		"script)\n\techo \"roce: at each boot: sh " MANIFEST_SCRIPT "; drift is reported by: sh " MANIFEST_SCRIPT " report\"\n"
		"\t/bin/sh " MANIFEST_SCRIPT " ;;\n");
}

bool manifest_systemd(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	struct buf script = { 0 };

	if (!manifest_script(s, "systemd", &script, err))
		return false;
	buf_printf(out, "#!/bin/sh\n# Installs %s, a service that applies it at boot and a timer that reports\n"
		   "# drift (journalctl -u fabcon-roce-drift). Run it as root, again whenever it changes. It applies the settings at once: a\n"
		   "# PFC change takes the link of an mlx5 port down for some seconds. To apply them later: systemctl start fabcon-roce\n"
		   "# Without systemd it reports what it can install instead, by FABCON_INIT, and writes nothing.\n"
		   "set -eu\n", MANIFEST_SCRIPT);
	buf_str(out, choose_init);
	buf_str(out, "mkdir -p /etc/fabcon\n");
	file(MANIFEST_SCRIPT, script.text, out);
	buf_printf(out, "chmod 0755 %s\ncase $init in\n", MANIFEST_SCRIPT);
	install_systemd(out);
	install_others(out);
	buf_str(out, "esac\n");
	buf_done(&script);
	return true;
}

/* "eth2|eth3", as udev matches one of several. */
static void names(const struct port *const *list, size_t n, const char *between, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? between : "", list[i]->name);
}

/* A rule before this one may have chosen the name; where none has, it is the kernel's. */
static void udev_rules(const char *names_of_ports, const char *does, struct buf *out)
{
	buf_printf(out, "ACTION==\"add\", SUBSYSTEM==\"net\", NAME==\"%s\", ATTR{type}==\"1\", TEST!=\"device/physfn\", %s\n"
		   "ACTION==\"add\", SUBSYSTEM==\"net\", NAME==\"\", KERNEL==\"%s\", ATTR{type}==\"1\", TEST!=\"device/physfn\", %s\n",
		   names_of_ports, does, names_of_ports, does);
}

bool manifest_udev(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_fabric(s, "udev", ports, err);
	int64_t mtu = manifest_want(s, false, FIELD_MTU, 0);
	struct buf list = { NULL };
	char does[32];

	if (!n)
		return false;
	names(ports, n, "|", &list);
	buf_str(out, "# A port of the fabric appears, or its driver starts again: the settings are put right (fabcon emit systemd).\n"
		"# Virtual functions have a physfn, IPoIB is of type 32: they are left out. Where NetworkManager has the port, the MTU of its\n"
		"# connection is the one that stays (fabcon emit networkmanager).\n");
	manifest_left_out(s, out);
	if (mtu > 0) {
		snprintf(does, sizeof(does), "ATTR{mtu}=\"%lld\"", (long long)mtu);
		udev_rules(list.text, does, out);
	}
	udev_rules(list.text, "RUN+=\"/bin/systemctl --no-block start fabcon-roce.service\"", out);
	buf_done(&list);
	return true;
}

bool manifest_networkmanager(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_fabric(s, "networkmanager", ports, err);
	int64_t mtu = manifest_want(s, false, FIELD_MTU, 0);

	if (!n)
		return false;
	if (mtu <= 0)
		return err_set(err, "the policy %s sets no MTU for hosts", policy_name(s->policy));
	buf_str(out, "# The MTU of RoCE ports where their own connection names none. Connections that are up take it when they are\n"
		"# activated again.\n");
	manifest_left_out(s, out);
	buf_str(out, "[connection-fabcon-roce]\nmatch-device=interface-name:");
	names(ports, n, ",interface-name:", out);
	buf_printf(out, "\nethernet.mtu=%lld\n", (long long)mtu);
	return true;
}

/* "mlx5_0,mlx5_1": each RDMA device once. */
static void hcas(const struct port *const *ports, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *name = port_text(ports[i], FIELD_RDMA);
		bool is_known = false;

		for (size_t k = 0; k < i; k++) {
			const char *other = port_text(ports[k], FIELD_RDMA);

			is_known |= name && other && !strcmp(name, other);
		}
		if (name && !is_known && template_is_name(name))
			buf_printf(out, "%s%s", out->n ? "," : "", name);
	}
}

/* The one index that all ports have, or -1. */
static int64_t gid_index(const struct manifest_scene *s, const struct port *const *ports, size_t n)
{
	int64_t index = -1;

	for (size_t i = 0; i < n; i++) {
		uint64_t is;

		if (!port_number(s->model, ports[i], FIELD_GID_INDEX, 0, &is) || (index >= 0 && (uint64_t)index != is))
			return -1;
		index = (int64_t)is;
	}
	return index;
}

bool manifest_nccl_env(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS);
	int64_t tos = manifest_want(s, false, FIELD_TOS_CMA, 0), index = n ? gid_index(s, ports, n) : -1;
	struct buf list = { 0 };

	if (tos < 0)
		return err_set(err, "the policy %s sets no ToS for hosts (tos.cma)", policy_name(s->policy));
	hcas(ports, n, &list);
	buf_printf(out, "# /etc/nccl.conf, or the job's environment. The traffic class is the ToS byte: DSCP %lld and ECN.\n"
		   "# NCCL_NET=IB selects NCCL's own transport: leave it out where the container brings a network plugin (HPC-X, gIB).\nNCCL_NET=IB\n"
		   "NCCL_IB_DISABLE=0\nNCCL_IB_TC=%lld\n", (long long)tos >> 2, (long long)tos);
	if (list.n)
		buf_printf(out, "NCCL_IB_HCA==%s\n", list.text);
	if (index >= 0)
		buf_printf(out, "NCCL_IB_GID_INDEX=%lld\n", (long long)index);
	else
		buf_str(out, "# NCCL_IB_GID_INDEX is left out: NCCL 2.21 and later find the RoCE v2 entry by themselves.\n");
	buf_done(&list);
	return true;
}
