/* Manifests for hosts: files of systemd, udev and NetworkManager, and NCCL's environment. */
#include "core/manifest/internal.h"

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

bool manifest_systemd(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	struct buf script = { 0 };

	(void)err;
	manifest_script(s, &script);
	buf_printf(out, "#!/bin/sh\n# Installs %s, a service that applies it at boot and a timer that reports\n"
		   "# drift (journalctl -u fabcon-roce-drift). Run it as root, again whenever it changes. It applies the settings at once: a\n"
		   "# PFC change takes the link of an mlx5 port down for some seconds. To apply them later: systemctl start fabcon-roce\n"
		   "set -eu\n"
		   "mkdir -p /etc/fabcon /etc/systemd/system /etc/modules-load.d\n", MANIFEST_SCRIPT);
	file("/etc/modules-load.d/fabcon-roce.conf", manifest_modules, out);
	file(MANIFEST_SCRIPT, script.text, out);
	buf_printf(out, "chmod 0755 %s\n", MANIFEST_SCRIPT);
	file("/etc/systemd/system/fabcon-roce.service", manifest_service, out);
	file("/etc/systemd/system/fabcon-roce-drift.service", manifest_drift, out);
	file("/etc/systemd/system/fabcon-roce.timer", manifest_timer, out);
	buf_str(out, "systemctl daemon-reload\nsystemctl enable fabcon-roce.service fabcon-roce.timer\n"
		"systemctl start fabcon-roce.service fabcon-roce.timer\n");
	buf_done(&script);
	return true;
}

bool manifest_udev(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	int64_t mtu = manifest_want(s, false, FIELD_MTU, 0);

	(void)err;
	buf_str(out, "# A port of mlx5 appears, or its driver starts again: the settings are put right (fabcon emit systemd).\n"
		"# Virtual functions have a physfn and are left out.\n");
	if (mtu > 0)
		buf_printf(out, "ACTION==\"add\", SUBSYSTEM==\"net\", DRIVERS==\"mlx5_core\", TEST!=\"device/physfn\", "
			   "ATTR{mtu}=\"%lld\"\n", (long long)mtu);
	buf_str(out, "ACTION==\"add\", SUBSYSTEM==\"net\", DRIVERS==\"mlx5_core\", TEST!=\"device/physfn\", "
		"RUN+=\"/bin/systemctl --no-block start fabcon-roce.service\"\n");
	return true;
}

bool manifest_networkmanager(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS), said = 0;
	int64_t mtu = manifest_want(s, false, FIELD_MTU, 0);

	if (mtu <= 0)
		return err_set(err, "the policy %s sets no MTU for hosts", policy_name(s->policy));
	buf_str(out, "# The MTU of RoCE ports where their own connection names none. Connections that are up take it when they are\n"
		"# activated again.\n[connection-fabcon-roce]\nmatch-device=");
	for (size_t i = 0; i < n; i++)
		if (template_is_port(ports[i]->name))
			buf_printf(out, "%sinterface-name:%s", said++ ? "," : "", ports[i]->name);
	buf_printf(out, "%s\nethernet.mtu=%lld\n", said ? "" : "driver:mlx5_core", (long long)mtu);
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
