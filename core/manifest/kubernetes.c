/*
 * Manifests for clusters. Fields are those that the objects publish: machineconfiguration.openshift.io/v1 with Ignition 3.4,
 * apps/v1, configuration.net.nvidia.com/v1alpha1 (Mellanox/nic-configuration-operator), sriovnetwork.openshift.io/v1
 * (k8snetworkplumbingwg/sriov-network-operator), k8s.cni.cncf.io/v1.
 */
#include "core/manifest/internal.h"

#include <stdlib.h>

#include "core/base/template.h"
#include "core/base/yaml_text.h"

#define NAME		"fabcon-roce"
#define NVIDIA_LABEL	"feature.node.kubernetes.io/pci-15b3.present"
#define NIC_TYPE	"1021"		/* ConnectX-7 */
#define NO_NIC		"0000:00:00.0"	/* a host bridge: no NIC is selected before it is replaced */
/* DOCA 3.2.0 for one kernel of RHCOS 4.20: the tag ends with both. */
#define DRIVER_IMAGE \
	"nvcr.io/nvidia/mellanox/doca-driver:doca3.2.0-25.10-1.2.8.0-5.14.0-570.73.1.el9_6.x86_64-rhcos4.20-amd64"

static void finish(json_t *tree, struct buf *out)
{
	yaml_text(tree, out);
	json_decref(tree);
}

/* apiVersion, kind, metadata with name and, if given, namespace; spec is empty. */
static json_t *object(const char *version, const char *kind, const char *name, const char *namespace)
{
	json_t *metadata = json_pack("{s:s}", "name", name);

	if (namespace)
		json_object_set_new(metadata, "namespace", json_string(namespace));
	return json_pack("{s:s, s:s, s:o, s:{}}", "apiVersion", version, "kind", kind, "metadata", metadata, "spec");
}

/* -- MachineConfig -- */

static void base64(struct span text, struct buf *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < text.n; i += 3) {
		size_t left = text.n - i;
		unsigned long n = (unsigned long)(unsigned char)text.p[i] << 16;
		char four[4];

		n |= left > 1 ? (unsigned long)(unsigned char)text.p[i + 1] << 8 : 0;
		n |= left > 2 ? (unsigned char)text.p[i + 2] : 0;
		for (unsigned k = 0; k < 4; k++)
			four[k] = k <= left ? digits[n >> (18 - 6 * k) & 63] : '=';
		buf_add(out, four, 4);
	}
}

static json_t *ignition_file(const char *path, int mode, const char *text)
{
	struct buf url = { 0 };
	json_t *file;

	buf_str(&url, "data:text/plain;charset=utf-8;base64,");
	base64(span_of(text), &url);
	file = json_pack("{s:s, s:i, s:b, s:{s:s}}", "path", path, "mode", mode, "overwrite", 1, "contents", "source", url.text);
	buf_done(&url);
	return file;
}

/* One text for many nodes: the names of ports are those of one. */
static void same_names(const struct manifest_scene *s, struct buf *out)
{
	buf_printf(out, "# The ports are those of %s: it is for nodes whose fabric ports have the same names. A node without one of them\n"
		   "# reports that in its log.\n", s->device->name);
	manifest_left_out(s, out);
}

bool manifest_machineconfig(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	struct buf script = { 0 };
	json_t *mc, *files, *units;

	if (!manifest_script(s, "machineconfig", &script, err))
		return false;
	mc = object("machineconfiguration.openshift.io/v1", "MachineConfig", "99-" NAME, NULL);
	files = json_pack("[o, o, o]", ignition_file(MANIFEST_SCRIPT, 0755, script.text),
			  ignition_file("/etc/modules-load.d/" NAME ".conf", 0644, manifest_modules),
			  ignition_file("/etc/crio/crio.conf.d/85-" NAME "-memlock", 0644,
					"[crio.runtime]\ndefault_ulimits = [\n\"memlock=-1:-1\",\n]\n"));
	units = json_pack("[{s:s, s:b, s:s}, {s:s, s:s}, {s:s, s:b, s:s}, {s:s, s:b}]", "name", NAME ".service", "enabled", 1, "contents",
			  manifest_service, "name", NAME "-drift.service", "contents", manifest_drift, "name", NAME ".timer", "enabled", 1,
			  "contents", manifest_timer, "name", "lldpad.service", "mask", 1);
	json_object_set_new(json_object_get(mc, "metadata"), "labels",
			    json_pack("{s:s}", "machineconfiguration.openshift.io/role", "worker"));
	json_object_set_new(json_object_get(mc, "spec"), "config",
			    json_pack("{s:{s:s}, s:{s:o}, s:{s:o}}", "ignition", "version", "3.4.0", "storage", "files", files,
				      "systemd", "units", units));
	buf_str(out, "# Applying it drains and REBOOTS every node of the pool that the label names, one after another. Change \"worker\"\n"
		"# to your GPU nodes' own pool.\n");
	same_names(s, out);
	finish(mc, out);
	buf_done(&script);
	return true;
}

/* -- DaemonSet -- */

/* A tab would make YAML quote the whole text on one line. */
static void add_expanded(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '\t')
			buf_str(out, "  ");
		else
			buf_add(out, text, 1);
	}
}

/*
 * The image's tools fit one kernel; then the script, once: it is tried again only while the driver is not ready and nothing was
 * set. A setting that another agent changes would else be written each time, a link flap of an mlx5 each.
 */
static bool pod_script(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	struct buf script = { 0 };

	if (!manifest_script(s, "daemonset", &script, err))
		return false;
	buf_str(out, "case $FABCON_IMAGE in\n*\"$(uname -r)\"*) ;;\n"
		"*) echo \"roce: this image is not for the kernel $(uname -r): nothing is set\" >&2; sleep 60; exit 1 ;;\nesac\n"
		"cat >/tmp/roce.sh <<'END_OF_FILE'\n");
	add_expanded(script.text, out);
	buf_str(out, "END_OF_FILE\n"
		"until sh /tmp/roce.sh; [ $? -ne 75 ]; do\n  echo \"roce: retrying in 60 s\" >&2\n  sleep 60 & wait $!\ndone\n"
		"while :; do\n  sleep 300 & wait $!\n  sh /tmp/roce.sh report\ndone\n");
	buf_done(&script);
	return true;
}

bool manifest_daemonset(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	json_t *set, *container, *pod;
	struct buf script = { 0 };

	if (!pod_script(s, &script, err))
		return false;
	set = object("apps/v1", "DaemonSet", NAME, "nvidia-network-operator");
	container = json_pack("{s:s, s:s, s:s, s:[s,s,s], s:[{s:s, s:s}], s:{s:b}, s:[{s:s, s:s, s:b}, {s:s, s:s}]}",
			      "name", "roce", "image", DRIVER_IMAGE, "imagePullPolicy", "IfNotPresent",
			      "command", "/bin/sh", "-c", script.text, "env", "name", "FABCON_IMAGE", "value", DRIVER_IMAGE,
			      "securityContext", "privileged", 1,
			      "volumeMounts", "name", "run", "mountPath", "/run/mellanox", "readOnly", 1, "name", "sys", "mountPath", "/sys");
	pod = json_pack("{s:b, s:[{s:s}], s:{s:s}, s:[o], s:[{s:s, s:{s:s, s:s}}, {s:s, s:{s:s, s:s}}]}",
			"hostNetwork", 1, "tolerations", "operator", "Exists", "nodeSelector", NVIDIA_LABEL, "true",
			"containers", container,
			"volumes", "name", "run", "hostPath", "path", "/run/mellanox", "type", "DirectoryOrCreate",
			"name", "sys", "hostPath", "path", "/sys", "type", "Directory");
	json_object_set_new(set, "spec", json_pack("{s:{s:{s:s}}, s:{s:{s:{s:s}}, s:o}}", "selector", "matchLabels", "app", NAME,
						   "template", "metadata", "labels", "app", NAME, "spec", pod));
	buf_str(out, "# Privileged on every node: where an operator or a MachineConfig can own these settings, let it.\n"
		"# The image's tag names the kernel that its tools are for: the pod looks for \"uname -r\" in FABCON_IMAGE, and on "
		"another\n"
		"# kernel it logs that and sets nothing. Put your nodes' image at both places. Members of a bond are set each. The\n"
		"# settings are applied when the pod starts; what another agent changes later is reported in its log every 5 minutes.\n");
	same_names(s, out);
	finish(set, out);
	buf_done(&script);
	return true;
}

/* -- operators -- */

/* Virtual functions of the first port that tells; or as many. */
static int vfs(const struct manifest_scene *s, int otherwise)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_ports(s, ports, MANIFEST_PORTS);
	uint64_t is;

	for (size_t i = 0; i < n; i++)
		if (port_number(s->model, ports[i], FIELD_VF, 0, &is) && is < 256)
			return (int)is;
	return otherwise;
}

static json_t *nv_number(const char *name, int64_t n)
{
	char *text = xasprintf("%lld", (long long)n);
	json_t *pair = json_pack("{s:s, s:s}", "name", name, "value", text);

	free(text);
	return pair;
}

/* The operator's own default marks CNPs with DSCP 4, which lands in the class of that DSCP. */
static json_t *cnp_marking(const struct manifest_scene *s)
{
	int64_t dscp = manifest_want(s, false, FIELD_CNP_DSCP, 0), prio = manifest_want(s, false, FIELD_CNP_PRIO, 0);
	json_t *list = json_array();

	if (dscp >= 0)
		json_array_append_new(list, nv_number("CNP_DSCP_P1", dscp));
	if (dscp >= 0)
		json_array_append_new(list, nv_number("CNP_DSCP_P2", dscp));
	if (prio >= 0)
		json_array_append_new(list, nv_number("CNP_802P_PRIO_P1", prio));
	if (prio >= 0)
		json_array_append_new(list, nv_number("CNP_802P_PRIO_P2", prio));
	return list;
}

bool manifest_nicconfigurationtemplate(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	json_t *nct = object("configuration.net.nvidia.com/v1alpha1", "NicConfigurationTemplate", NAME, "nvidia-network-operator");
	int64_t trust = manifest_want(s, false, FIELD_TRUST, 0), tos = manifest_want(s, false, FIELD_TOS_CMA, 0);
	struct buf pfc = { 0 };
	json_t *qos;

	if (trust != TRUST_DSCP && trust != TRUST_PCP) {
		json_decref(nct);
		return err_set(err, "the policy %s does not set the trust mode of hosts", policy_name(s->policy));
	}
	for (unsigned i = 0; i < 8; i++)
		buf_printf(&pfc, "%s%d", i ? "," : "", manifest_want(s, false, FIELD_PFC_ON, i) == 1);
	qos = json_pack("{s:s, s:s}", "trust", trust == TRUST_DSCP ? "dscp" : "pcp", "pfc", pfc.text);
	if (tos >= 0)
		json_object_set_new(qos, "tos", json_integer(tos));
	json_object_set_new(nct, "spec",
			    json_pack("{s:{s:s}, s:{s:s, s:[s]}, s:{s:i, s:s, s:{s:b, s:o}, s:o}}", "nodeSelector", NVIDIA_LABEL, "true",
				      "nicSelector", "nicType", NIC_TYPE, "pciAddresses", NO_NIC, "template", "numVfs", vfs(s, 0),
				      "linkType", "Ethernet", "roceOptimized", "enabled", 1, "qos", qos, "rawNvConfig", cnp_marking(s)));
	buf_str(out, "# pciAddresses: " NO_NIC " selects nothing; replace it by those of the fabric's ports\n"
		"# (readlink /sys/class/net/PORT/device). Without them every NIC of that type is set, storage and InfiniBand too, and\n"
		"# linkType makes it Ethernet.\n");
	buf_str(out, "# nicType " NIC_TYPE " is ConnectX-7: put yours (lspci -n). At most one template may match a NIC. numVfs must "
					   "be that of\n"
		"# the SriovNetworkNodePolicy. Firmware settings take a reboot; trust, PFC and ToS are set again after each boot.\n");
	finish(nct, out);
	buf_done(&pfc);
	return true;
}

bool manifest_sriovnetworknodepolicy(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	const struct port *ports[MANIFEST_PORTS];
	size_t n = manifest_fabric(s, "sriovnetworknodepolicy", ports, err);
	int64_t mtu = manifest_want(s, false, FIELD_MTU, 0);
	json_t *names = json_array(), *policy, *spec;

	for (size_t i = 0; i < n; i++)
		json_array_append_new(names, json_string(ports[i]->name));
	if (!n) {
		json_decref(names);
		return false;
	}
	policy = object("sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy", NAME, "nvidia-network-operator");
	spec = json_pack("{s:s, s:{s:s}, s:o, s:i, s:i, s:b, s:s, s:s}", "resourceName", "roce", "nodeSelector", NVIDIA_LABEL, "true",
			 "nicSelector", json_pack("{s:s, s:o}", "vendor", "15b3", "pfNames", names), "numVfs", vfs(s, 8),
			 "priority", 90, "isRdma", 1, "deviceType", "netdevice",
			 "linkType", "eth");
	if (mtu > 0)
		json_object_set_new(spec, "mtu", json_integer(mtu));
	json_object_set_new(policy, "spec", spec);
	buf_str(out, "# Making virtual functions drains the node. On OpenShift the namespace is openshift-sriov-network-operator.\n");
	same_names(s, out);
	finish(policy, out);
	return true;
}

bool manifest_networkattachmentdefinition(const struct manifest_scene *s, struct buf *out, struct err *err)
{
	json_t *nad = object("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", NAME, "default"), *config;
	char *text;

	(void)s;
	(void)err;
	config = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "cniVersion", "0.3.1", "name", NAME, "type", "sriov", "ipam", "type",
			   "whereabouts", "range", "192.0.2.0/24");
	text = json_dumps(config, 0);
	json_object_set_new(json_object_get(nad, "metadata"), "annotations",
			    json_pack("{s:s}", "k8s.v1.cni.cncf.io/resourceName", "nvidia.com/roce"));
	json_object_set_new(json_object_get(nad, "spec"), "config", json_string(text));
	buf_str(out, "# Replace the range: 192.0.2.0/24 is for documentation only. The resource prefix depends on the SR-IOV operator: "
		     "nvidia.com, openshift.io.\n"
		"# Without an IP address there is no RoCE v2 GID, and NCCL falls back to TCP.\n");
	finish(nad, out);
	free(text);
	json_decref(config);
	return true;
}
