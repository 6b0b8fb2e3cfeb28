#include "core/manifest/internal.h"

#include <string.h>

const struct manifest manifest_table[] = {
	{ "systemd", "an install script for a oneshot service, its script and a timer that reports drift",
	  "trust, DSCP and class maps, PFC, shares, link pause, ECN, CNPs and ToS of a host's physical functions",
	  "{fabcon} emit systemd {node} | ssh root@{node} sh", false, manifest_systemd },
	{ "udev", "a udev rule that sets a new port's MTU and reruns that service",
	  "the MTU, and when the settings are applied again", "/etc/udev/rules.d/85-fabcon-roce.rules, udevadm control --reload", false,
	  manifest_udev },
	{ "networkmanager", "the MTU of RoCE ports, as their NetworkManager default", "the MTU of a host's RoCE ports",
	  "/etc/NetworkManager/conf.d/85-fabcon-roce.conf, nmcli general reload", false, manifest_networkmanager },
	{ "machineconfig", "a MachineConfig for OpenShift: service, timer, script, modules and locked memory",
	  "as systemd, persistent; modules; memlock of containers; lldpad off", "oc apply -f -", false, manifest_machineconfig },
	{ "daemonset", "plain Kubernetes: a privileged pod on each node that sets them when it starts, then reports drift",
	  "as systemd, while it runs",
	  "kubectl apply -f -", false, manifest_daemonset },
	{ "nicconfigurationtemplate", "NVIDIA NIC configuration operator: trust, PFC, ToS and the DSCP of CNPs",
	  "trust, PFC and ToS of the selected NICs; CNP marking by firmware", "kubectl apply -f -", false,
	  manifest_nicconfigurationtemplate },
	{ "sriovnetworknodepolicy", "SR-IOV operator: virtual functions and their MTU", "number of virtual functions; MTU",
	  "kubectl apply -f -", false, manifest_sriovnetworknodepolicy },
	{ "networkattachmentdefinition", "Multus: a pod's second interface on such a virtual function",
	  "a pod's IP address, and with it the pod's RoCE v2 GID", "kubectl apply -f -", false, manifest_networkattachmentdefinition },
	{ "nccl-env", "NCCL's environment", "a job's fabric settings: ToS, devices, GID",
	  "the job's environment, or /etc/nccl.conf", false, manifest_nccl_env },
	{ "os10", "Dell SmartFabric OS10: the policy as configuration lines",
	  "maps, PFC, ECN, shares and MTU of a switch's ports",
	  "paste it at the switch CLI, one port at a time, in a maintenance window; check it, then write memory", true,
	  manifest_os10 },
	{ "sonic", "SONiC: the policy as tables of config_db.json", "maps, PFC, watchdog, ECN, shares and MTU of a switch's ports",
	  "save it as FILE; sudo sonic-cfggen -j FILE --write-to-db (live at once, without YANG validation); check it, then "
	  "sudo config save -y", true,
	  manifest_sonic },
};
const size_t manifest_count = sizeof(manifest_table) / sizeof(*manifest_table);

const struct manifest *manifest_find(const char *kind)
{
	for (size_t i = 0; i < manifest_count; i++)
		if (!strcmp(manifest_table[i].kind, kind))
			return &manifest_table[i];
	return NULL;
}

int64_t manifest_want(const struct manifest_scene *s, bool of_switch, enum field f, unsigned index)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS);
	struct policy_target t = { .is_switch = of_switch };
	struct value v;

	t.device = s->device ? s->device->name : of_switch ? "switch" : "host";
	t.port = n ? ports[0]->name : of_switch ? "ethernet1/1/1" : "eth0";
	if (!policy_wants(s->policy, &t, f, index, &v, NULL) || v.is != VALUE_KNOWN)
		return -1;
	return (int64_t)v.n;
}

void manifest_pairs(const struct manifest_scene *s, bool of_switch, enum field f, struct buf *out)
{
	size_t begin = out->n;

	for (unsigned i = 0; i < field_table[f].width; i++) {
		int64_t n = manifest_want(s, of_switch, f, i);

		if (n >= 0)
			buf_printf(out, "%s%u:%lld", out->n > begin ? " " : "", i, (long long)n);
	}
}

/* Whether it is a port that could carry RoCE: what is known to be another kind, or to be down, is left out. */
static bool carries(const struct port *p)
{
	const struct cell *role = port_cell(p, FIELD_ROLE, 0), *up = port_cell(p, FIELD_UP, 0);

	if (role && role->value.is == VALUE_KNOWN && role->value.n != ROLE_PF && role->value.n != ROLE_MEMBER)
		return false;
	return up && up->value.is == VALUE_KNOWN && up->value.n;
}

void manifest_applied(const struct manifest *m, const char *fabcon, const char *node, struct buf *out)
{
	const char *at = m->applied, *slot;

	for (; (slot = strchr(at, '{')) != NULL; at = strchr(slot, '}') + 1) {
		buf_add(out, at, (size_t)(slot - at));
		buf_str(out, slot[1] == 'n' ? node ? node : "NODE" : fabcon);
	}
	buf_str(out, at);
}

size_t manifest_ports(const struct manifest_scene *s, const struct port *out[], size_t most)
{
	size_t n = 0;

	for (size_t i = 0; s->device && i < s->device->n_ports && n < most; i++)
		if (carries(s->device->ports[i]))
			out[n++] = s->device->ports[i];
	return n;
}
