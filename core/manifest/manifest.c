#include "core/manifest/internal.h"

#include <string.h>

#include "core/base/template.h"

const struct manifest manifest_table[] = {
	{ "systemd", "an install script for a oneshot service, its script and a timer that reports drift",
	  "trust, DSCP and class maps, PFC, shares, link pause, ECN, CNPs and ToS of a node's fabric ports; of bnxt and ice by "
	  "dcb, without trust, ECN and CNPs: their drivers have no setting for those",
	  "{fabcon} emit systemd {node} | ssh root@{node} sh", false, manifest_systemd },
	{ "udev", "a udev rule that sets the MTU of a fabric port when it appears and reruns that service",
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
	{ "sriovnetworknodepolicy", "SR-IOV operator: virtual functions and their MTU",
	  "number of virtual functions and MTU of NVIDIA NICs; not of bnxt and ice",
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

static bool is_known_as(const struct port *p, enum field f, uint64_t n)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_KNOWN && c->value.n == n;
}

static bool is_known(const struct port *p, enum field f)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_KNOWN;
}

/* What ends a cable: of a host a physical function, member of a bond or not; of a switch every port. */
static bool ends_a_cable(const struct port *p)
{
	return !is_known(p, FIELD_ROLE) || is_known_as(p, FIELD_ROLE, ROLE_PF) || is_known_as(p, FIELD_ROLE, ROLE_MEMBER);
}

/* A port, the bond above it or a VLAN of either. */
static bool is_of_session(const struct port *p)
{
	const char *management = device_text(p->device, FIELD_MANAGEMENT), *bond = port_text(p, FIELD_BOND);
	struct span name, vlan;

	if (!management)
		return false;
	if (!span_cut(span_of(management), '.', &name, &vlan))
		name = span_of(management);
	return span_is(name, p->name) || (bond && span_is(name, bond));
}

/* The RDMA device of a bond stands at one member, or at the bond. */
static bool has_rdma(const struct manifest_scene *s, const struct port *p)
{
	const char *bond = port_text(p, FIELD_BOND);
	const struct port *master = bond ? model_find_port(s->model, p->device->name, bond) : NULL;

	if (port_text(p, FIELD_RDMA) || (master && port_text(master, FIELD_RDMA)))
		return true;
	for (size_t i = 0; bond && i < p->device->n_ports; i++) {
		const struct port *twin = p->device->ports[i];
		const char *other = port_text(twin, FIELD_BOND);

		if (other && !strcmp(other, bond) && port_text(twin, FIELD_RDMA))
			return true;
	}
	return false;
}

static bool has_cable(const struct manifest_scene *s, const struct port *p)
{
	const struct link *l = s->links ? links_of_port(s->links, p) : NULL;

	return l && link_far(l, p);
}

/* Why a host's port is no port of the fabric, or NULL. */
static const char *why_not(const struct manifest_scene *s, const struct port *p)
{
	if (is_of_session(p))
		return "our session comes in by it";
	if (is_known_as(p, FIELD_RDMA_LAYER, LAYER_INFINIBAND))
		return "InfiniBand";
	if (link_is_iwarp(p))
		return "iWARP";
	return has_rdma(s, p) ? NULL : "no RDMA device is known";
}

/* A storage or management network may be RoCE too: where the fabric's cables are known, one that has none of them is not it. */
static bool has_cables(const struct manifest_scene *s)
{
	for (size_t i = 0; i < s->device->n_ports; i++) {
		const struct port *p = s->device->ports[i];

		if (ends_a_cable(p) && !why_not(s, p) && has_cable(s, p))
			return true;
	}
	return false;
}

static const char *why_left_out(const struct manifest_scene *s, const struct port *p, bool by_cable)
{
	const char *why = why_not(s, p);

	return why ? why : by_cable && !has_cable(s, p) ? "no cable to a device that was read" : NULL;
}

/* "eth0 (our session comes in by it), ib0 (InfiniBand)" */
static void list_left_out(const struct manifest_scene *s, struct buf *out)
{
	bool by_cable = has_cables(s);

	for (size_t i = 0; i < s->device->n_ports; i++) {
		const struct port *p = s->device->ports[i];
		const char *why = ends_a_cable(p) && template_is_port(p->name) ? why_left_out(s, p, by_cable) : NULL;

		if (why)
			buf_printf(out, "%s%s (%s)", out->n ? ", " : "", p->name, why);
	}
}

size_t manifest_fabric(const struct manifest_scene *s, const char *kind, const struct port *out[MANIFEST_PORTS], struct err *err)
{
	struct buf others = { NULL };
	bool by_cable;
	size_t n = 0;

	if (!s->device) {
		err_set(err, "which ports are the fabric's is known of a node alone: name it, fabcon emit %s NODE", kind);
		return 0;
	}
	by_cable = has_cables(s);
	for (size_t i = 0; i < s->device->n_ports && n < MANIFEST_PORTS; i++) {
		const struct port *p = s->device->ports[i];

		if (ends_a_cable(p) && template_is_port(p->name) && !why_left_out(s, p, by_cable))
			out[n++] = p;
	}
	if (n)
		return n;
	list_left_out(s, &others);
	err_set(err, "no port of %s is known to carry RoCE of the fabric%s%s", s->device->name, others.n ? ": " : "",
		others.n ? others.text : "");
	buf_done(&others);
	return 0;
}

void manifest_left_out(const struct manifest_scene *s, struct buf *out)
{
	struct buf others = { NULL };

	list_left_out(s, &others);
	if (others.n)
		buf_printf(out, "# Left out: %s.\n", others.text);
	if (!has_cables(s))
		buf_str(out, "# No cable of these ports is known: take out those that are not the fabric's.\n");
	buf_done(&others);
}

/* Whether it is a port that could carry RoCE: what is known to be another kind, or to be down, is left out. */
static bool carries(const struct port *p)
{
	return ends_a_cable(p) && is_known_as(p, FIELD_UP, 1);
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
