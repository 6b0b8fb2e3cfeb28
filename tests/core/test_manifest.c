/* Manifests: YAML that reads back with the fields that its objects publish, and scripts that set what the policy wants, once. */
#include "tests/lib/say.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <yaml.h>

#include "core/fix/fix.h"
#include "core/manifest/manifest.h"
#include "remote/os10/os10.h"
#include "remote/sonic/sonic.h"
#include "tests/lib/lab.h"

/* A host as it is read: two ports of the fabric. Of a switch the policy alone says enough. */
static const char host[] =
	"node1 eth2 role = pf\nnode1 eth2 rdma = \"mlx5_0\"\nnode1 eth2 up = yes\n"
	"node1 eth3 role = pf\nnode1 eth3 rdma = \"mlx5_1\"\nnode1 eth3 up = yes\n";

static struct buf emitted(const char *kind, const char *policy_name)
{
	struct policy *policy = policy_builtin(policy_name);
	const struct manifest *m = manifest_find(kind);
	struct model *model = model_saying(host, 1000000);
	struct manifest_scene s = { .policy = policy, .model = model };
	struct buf out = { NULL };
	struct err err;

	assert_non_null(m);
	assert_non_null(policy);
	if (!m->is_of_switch)
		s.device = model_find_device(model, "node1");
	if (!m->write(&s, &out, &err))
		fail_msg("%s", err.text);
	model_free(model);
	policy_free(policy);
	return out;
}

/* -- YAML against what is published -- */

enum is { IS_TEXT, IS_NUMBER, IS_YES };

/*
 * Fields of the objects, "[]" for an item of a list, "*" for a name of one's own. From the CRDs and types themselves:
 * machine-config-operator's MachineConfig and Ignition's v3_4 schema, apps/v1, Mellanox/nic-configuration-operator
 * config/crd/bases (chart 25.7), k8snetworkplumbingwg/sriov-network-operator config/crd/bases, the CNI network
 * attachment specification.
 */
static const struct published {
	const char *kind, *path;
	enum is is;
} published[] = {
	{ "*", "apiVersion", IS_TEXT }, { "*", "kind", IS_TEXT },
	{ "*", "metadata.name", IS_TEXT }, { "*", "metadata.namespace", IS_TEXT },
	{ "*", "metadata.labels.*", IS_TEXT }, { "*", "metadata.annotations.*", IS_TEXT },
	{ "MachineConfig", "spec.config.ignition.version", IS_TEXT },
	{ "MachineConfig", "spec.config.storage.files[].path", IS_TEXT },
	{ "MachineConfig", "spec.config.storage.files[].mode", IS_NUMBER },
	{ "MachineConfig", "spec.config.storage.files[].overwrite", IS_YES },
	{ "MachineConfig", "spec.config.storage.files[].contents.source", IS_TEXT },
	{ "MachineConfig", "spec.config.systemd.units[].name", IS_TEXT },
	{ "MachineConfig", "spec.config.systemd.units[].enabled", IS_YES },
	{ "MachineConfig", "spec.config.systemd.units[].mask", IS_YES },
	{ "MachineConfig", "spec.config.systemd.units[].contents", IS_TEXT },
	{ "DaemonSet", "spec.selector.matchLabels.*", IS_TEXT },
	{ "DaemonSet", "spec.template.metadata.labels.*", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.hostNetwork", IS_YES },
	{ "DaemonSet", "spec.template.spec.tolerations[].operator", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.nodeSelector.*", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].name", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].image", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].imagePullPolicy", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].command[]", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].env[].name", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].env[].value", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].securityContext.privileged", IS_YES },
	{ "DaemonSet", "spec.template.spec.containers[].volumeMounts[].name", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].volumeMounts[].mountPath", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.containers[].volumeMounts[].readOnly", IS_YES },
	{ "DaemonSet", "spec.template.spec.volumes[].name", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.volumes[].hostPath.path", IS_TEXT },
	{ "DaemonSet", "spec.template.spec.volumes[].hostPath.type", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.nodeSelector.*", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.nicSelector.nicType", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.nicSelector.pciAddresses[]", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.template.numVfs", IS_NUMBER },
	{ "NicConfigurationTemplate", "spec.template.linkType", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.template.roceOptimized.enabled", IS_YES },
	{ "NicConfigurationTemplate", "spec.template.roceOptimized.qos.trust", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.template.roceOptimized.qos.pfc", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.template.roceOptimized.qos.tos", IS_NUMBER },
	{ "NicConfigurationTemplate", "spec.template.rawNvConfig[].name", IS_TEXT },
	{ "NicConfigurationTemplate", "spec.template.rawNvConfig[].value", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.resourceName", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.nodeSelector.*", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.nicSelector.vendor", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.nicSelector.pfNames[]", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.numVfs", IS_NUMBER },
	{ "SriovNetworkNodePolicy", "spec.priority", IS_NUMBER },
	{ "SriovNetworkNodePolicy", "spec.isRdma", IS_YES },
	{ "SriovNetworkNodePolicy", "spec.deviceType", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.linkType", IS_TEXT },
	{ "SriovNetworkNodePolicy", "spec.mtu", IS_NUMBER },
	{ "NetworkAttachmentDefinition", "spec.config", IS_TEXT },
};

/* And those without which the API server refuses the object. */
static const char *const required[][2] = {
	{ "MachineConfig", "spec.config.ignition.version" },
	{ "MachineConfig", "metadata.labels.machineconfiguration.openshift.io/role" },
	{ "DaemonSet", "spec.selector.matchLabels.app" },
	{ "DaemonSet", "spec.template.metadata.labels.app" },
	{ "DaemonSet", "spec.template.spec.containers[].image" },
	{ "NicConfigurationTemplate", "spec.nicSelector.nicType" },
	{ "NicConfigurationTemplate", "spec.nicSelector.pciAddresses[]" },	/* ours: without it, each NIC of the type */
	{ "NicConfigurationTemplate", "spec.template.numVfs" },
	{ "NicConfigurationTemplate", "spec.template.linkType" },
	{ "NicConfigurationTemplate", "spec.template.roceOptimized.qos.pfc" },
	{ "SriovNetworkNodePolicy", "spec.nicSelector.vendor" },
	{ "SriovNetworkNodePolicy", "spec.nodeSelector.feature.node.kubernetes.io/pci-15b3.present" },
	{ "SriovNetworkNodePolicy", "spec.numVfs" },
	{ "SriovNetworkNodePolicy", "spec.resourceName" },
	{ "NetworkAttachmentDefinition", "spec.config" },
};

/* One leaf, as "path = value" with T, N or Y before it; all of them are the flat form of a document. */
static void flatten(yaml_document_t *doc, yaml_node_t *node, const char *path, struct buf *out)
{
	char below[256];

	if (node->type == YAML_SCALAR_NODE) {
		const char *text = (const char *)node->data.scalar.value;
		bool is_plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		bool is_yes = is_plain && (!strcmp(text, "true") || !strcmp(text, "false"));
		bool is_number = is_plain && *text && strspn(text, "0123456789") == strlen(text);

		buf_printf(out, "%c%s = %.60s\n", is_yes ? 'Y' : is_number ? 'N' : 'T', path, strchr(text, '\n') ? "(lines)" : text);
		return;
	}
	if (node->type == YAML_SEQUENCE_NODE) {
		snprintf(below, sizeof(below), "%s[]", path);
		for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++)
			flatten(doc, yaml_document_get_node(doc, *i), below, out);
		return;
	}
	for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
		yaml_node_t *key = yaml_document_get_node(doc, p->key);

		snprintf(below, sizeof(below), "%s%s%s", path, *path ? "." : "", (const char *)key->data.scalar.value);
		flatten(doc, yaml_document_get_node(doc, p->value), below, out);
	}
}

static struct buf flat(const struct buf *text)
{
	yaml_parser_t parser;
	yaml_document_t doc;
	struct buf out = { NULL };

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text->text, text->n);
	if (!yaml_parser_load(&parser, &doc) || !yaml_document_get_root_node(&doc))
		fail_msg("no YAML: %s", parser.problem);
	flatten(&doc, yaml_document_get_root_node(&doc), "", &out);
	yaml_document_delete(&doc);
	yaml_parser_delete(&parser);
	return out;
}

static bool is_published(const char *kind, char type, struct span path)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		const struct published *p = &published[i];
		size_t n = strlen(p->path);
		bool is_open = p->path[n - 1] == '*';

		if ((*p->kind != '*' && strcmp(p->kind, kind)) || type != "TNY"[p->is])
			continue;
		if (is_open ? path.n > n - 1 && !memcmp(path.p, p->path, n - 1) : span_is(path, p->path))
			return true;
	}
	return false;
}

static void yaml_has_only_fields_that_are_published(void **state)
{
	static const char *const kinds[][2] = {
		{ "machineconfig", "MachineConfig" }, { "daemonset", "DaemonSet" },
		{ "nicconfigurationtemplate", "NicConfigurationTemplate" }, { "sriovnetworknodepolicy", "SriovNetworkNodePolicy" },
		{ "networkattachmentdefinition", "NetworkAttachmentDefinition" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct buf text = emitted(kinds[i][0], "roce-lossless"), leaves = flat(&text);
		struct span rest = buf_span(&leaves), line, path, value;
		char wanted[160];

		snprintf(wanted, sizeof(wanted), "Tkind = %s\n", kinds[i][1]);
		assert_non_null(strstr(leaves.text, wanted));
		while (span_line(&rest, &line)) {
			assert_true(span_cut(line, ' ', &path, &value));
			if (!is_published(kinds[i][1], *path.p, (struct span){ path.p + 1, path.n - 1 }))
				fail_msg("%s has no field %.*s", kinds[i][1], (int)line.n, line.p);
		}
		for (size_t k = 0; k < sizeof(required) / sizeof(*required); k++) {
			snprintf(wanted, sizeof(wanted), "%s = ", required[k][1]);
			if (!strcmp(required[k][0], kinds[i][1]) && !strstr(leaves.text, wanted))
				fail_msg("%s lacks %s", kinds[i][1], required[k][1]);
		}
		buf_done(&text);
		buf_done(&leaves);
	}
}

static void values_are_the_policys(void **state)
{
	struct buf nic = emitted("nicconfigurationtemplate", "roce-iscsi"), leaves = flat(&nic);
	struct buf nccl = emitted("nccl-env", "roce-lossless"), nm = emitted("networkmanager", "roce-lossless");

	(void)state;
	assert_non_null(strstr(leaves.text, "qos.pfc = 0,0,0,1,1,0,0,0\n"));
	assert_non_null(strstr(leaves.text, "qos.tos = 106\n"));
	assert_non_null(strstr(nccl.text, "NCCL_IB_TC=106\n"));
	assert_non_null(strstr(nm.text, "ethernet.mtu=9000\n"));
	buf_done(&nic);
	buf_done(&leaves);
	buf_done(&nccl);
	buf_done(&nm);
}

/* -- switches: the text, read by the parser of what the switch prints -- */

static void assert_says_policy(struct obs *o, const char *policy_name, const char *port)
{
	struct policy *policy = policy_builtin(policy_name);
	struct policy_target t = { .device = "leaf", .port = port, .is_switch = true };
	unsigned agreed = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];
		struct value want;

		if (f->port == OBS_DEVICE || f->value.is != VALUE_KNOWN || !policy_wants(policy, &t, f->field, f->index, &want, NULL))
			continue;
		if (!value_same(f->field, &f->value, &want))
			fail_msg("%s: %s[%u] is not as %s requires it", port, field_table[f->field].name, f->index, policy_name);
		agreed++;
	}
	assert_in_range(agreed, 12, 1000);
	policy_free(policy);
}

static void a_switchs_text_says_what_the_policy_wants(void **state)
{
	(void)state;
	for (size_t i = 0; policy_builtin_name(i); i++) {
		struct buf os10 = emitted("os10", policy_builtin_name(i)), sonic = emitted("sonic", policy_builtin_name(i));
		struct buf config = { NULL };
		struct obs o;

		obs_init(&o, "leaf", "running-config");
		buf_str(&config, "! Version 10.5.6.1\n!\n");
		for (struct span rest = buf_span(&os10), line; span_line(&rest, &line);)
			if (!span_is(span_trim(line), "exit") && !span_is(line, "configure terminal") && !span_is(line, "end"))
				buf_printf(&config, "%s%.*s\n", *line.p != ' ' && *line.p != '!' ? "!\n" : "", (int)line.n, line.p);
		os10_running_config(&(struct answer){ .text = buf_span(&config), .status = -1 }, &o);
		assert_says_policy(&o, policy_builtin_name(i), "ethernet1/1/1");
		obs_clear(&o);
		sonic_config(&(struct answer){ .text = buf_span(&sonic), .status = 0 }, &o);
		assert_says_policy(&o, policy_builtin_name(i), "Ethernet0");
		obs_done(&o);
		buf_done(&config);
		buf_done(&os10);
		buf_done(&sonic);
	}
}

static void no_port_is_made_up_for_a_switch_whose_ports_are_not_known(void **state)
{
	static const char *const kinds[] = { "os10", "sonic" };
	struct policy *policy = policy_builtin("roce-lossless");
	struct model *m = model_new();
	struct manifest_scene context = { .policy = policy, .model = m, .device = model_need_device(m, "leaf1") };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct buf out = { NULL };
		struct err err = { "" };

		assert_false(manifest_find(kinds[i])->write(&context, &out, &err));
		assert_string_equal(err.text, "no port of leaf1 is known to be up");
		assert_int_equal(out.n, 0);
	}
	model_free(m);
	policy_free(policy);
}

/* -- scripts -- */

static void scripts_are_sh(void **state)
{
	static const char *const shells[] = { "/bin/sh", "/bin/bash", "/bin/dash" };
	struct buf text = emitted("systemd", "roce-lossless");

	(void)state;
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		struct run r;

		if (access(shells[i], X_OK))
			continue;
		r = run_program((const char *const[]){ shells[i], "-n", NULL }, text.text);
		if (r.code)
			fail_msg("%s: %s", shells[i], r.err.text);
		run_done(&r);
	}
	buf_done(&text);
}

static unsigned port_of(const struct lab *lab, const char *device)
{
	char *text = file_text(lab->inventory, NULL), *at, key[64];
	unsigned port = 0;

	snprintf(key, sizeof(key), "%s:", device);
	at = text ? strstr(text, key) : NULL;
	at = at ? strstr(at, "ansible_port: ") : NULL;
	if (!at || sscanf(at, "ansible_port: %u", &port) != 1)
		fail_msg("%s has no port", device);
	free(text);
	return port;
}

/* A script on standard input of that device's shell. */
static struct run at_host(const struct lab *lab, const char *device, const char *script)
{
	char port[16], known[160], key[96];

	snprintf(port, sizeof(port), "%u", port_of(lab, device));
	snprintf(known, sizeof(known), "UserKnownHostsFile=%s/known_hosts", lab->dir);
	snprintf(key, sizeof(key), "%s/client_key", lab->dir);
	return run_program((const char *const[]){ "/usr/bin/ssh", "-F", "none", "-o", "BatchMode=yes", "-o", known, "-o",
						  "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-i", key, "-p", port,
						  "root@127.0.0.1", "sh -s", NULL }, script);
}

/* Settings of a host that are not as the policy wants them; words gets a line each. The MTU is another manifest's. */
static unsigned unwanted(const struct lab *lab, const char *device, struct buf *words)
{
	struct run r = LAB_CTL(lab, "state");
	struct policy *policy = policy_builtin("roce-lossless");
	struct span rest = buf_span(&r.out), line;
	struct arena arena = { NULL };
	struct value want;
	unsigned n = 0, judged = 0;
	struct fact f;

	while (span_line(&rest, &line)) {
		if (!fact_parse(line, &arena, &f, NULL) || strcmp(f.device, device) || !f.port || f.field == FIELD_MTU)
			continue;
		if (!policy_wants(policy, &(struct policy_target){ .device = device, .port = f.port }, f.field, f.index, &want, NULL))
			continue;
		judged++;
		if (value_same(f.field, &f.value, &want))
			continue;
		buf_printf(words, "%.*s\n", (int)line.n, line.p);
		n++;
	}
	assert_in_range(judged, 20, 1000);
	arena_done(&arena);
	policy_free(policy);
	run_done(&r);
	return n;
}

/* One lab for all that is run at a host. */
static struct lab lab;

static const char *const faults[] = {
	"trust-pcp@node1:eth2", "pfc-off-host@node1:eth2", "np-off@node1:eth2", "rp-off@node1:eth2",
	"dscp-map-lossy@node1:eth2", "ets-starved-cnp@node1:eth2", "cnp-dscp-wrong@node1:eth2", "tos-104@node1:eth2",
	"global-pause@node1:eth3", "dcbx-firmware@node1:eth3", "prio-tc-wrong@node1:eth3", "pfc-wrong-host@node1:eth3",
};

static void tell_faults(const char *verb)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct run r = LAB_CTL(&lab, "fault", verb, faults[i]);

		if (r.code)
			fail_msg("%s: %s", faults[i], r.err.text);
		run_done(&r);
	}
}

static int open_lab(void **state)
{
	(void)state;
	return LAB(&lab, "--nodes", "2", "--rails", "2", "--seed", "5", "--bond") ? 0 : -1;
}

static int close_lab(void **state)
{
	(void)state;
	lab_stop(&lab);
	return 0;
}

/* A host with all of the faults. */
static int break_host(void **state)
{
	static bool is_broken;
	struct buf words = { NULL };

	(void)state;
	if (is_broken)
		tell_faults("clear");
	tell_faults("add");
	is_broken = true;
	assert_in_range(unwanted(&lab, "node1", &words), sizeof(faults) / sizeof(*faults), 100);
	buf_done(&words);
	return 0;
}

/* A new PFC mask takes an mlx5's link down for a while. */
#define TRAINED "while grep -q down /sys/class/net/eth[0-9]*/operstate; do sleep 0.1; done\n"

static void expect_run(const char *script, const char *says)
{
	char *whole = xasprintf(TRAINED "%s", script);
	struct run r = at_host(&lab, "node1", whole);

	if (r.code || (says ? !r.out.n || !strstr(r.out.text, says) : r.out.n))
		fail_msg("exit %d, not \"%s\":\n%s%s", r.code, says ? says : "", r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
	free(whole);
}

static void assert_mended(void)
{
	struct buf words = { NULL };

	if (unwanted(&lab, "node1", &words))
		fail_msg("not mended:\n%s", words.text);
}

static void the_script_mends_a_host_once_and_leaves_it_alone_then(void **state)
{
	struct buf text = emitted("systemd", "roce-lossless");
	struct run r = at_host(&lab, "node1", text.text);

	(void)state;
	run_done(&r);
	expect_run("sh /etc/fabcon/roce.sh", "mlnx_qos");
	assert_mended();
	expect_run("sh /etc/fabcon/roce.sh", NULL);
	buf_done(&text);
}

/* What the timer runs: every difference is reported, and stays. */
static void drift_is_reported_and_not_written_over(void **state)
{
	struct buf text = emitted("systemd", "roce-lossless"), words = { NULL };
	struct run r;

	(void)state;
	assert_non_null(strstr(text.text, "ExecStart=/bin/sh /etc/fabcon/roce.sh report\n"));
	assert_non_null(strstr(text.text, "Unit=fabcon-roce-drift.service\n"));
	buf_clear(&words);
	r = at_host(&lab, "node1", text.text);
	run_done(&r);
	tell_faults("clear");
	tell_faults("add");
	r = at_host(&lab, "node1", TRAINED "sh /etc/fabcon/roce.sh report");
	if (r.code != 1 || !strstr(r.err.text, "drift: not as required; would run mlnx_qos -i eth2"))
		fail_msg("exit %d: %s%s", r.code, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
	assert_in_range(unwanted(&lab, "node1", &words), sizeof(faults) / sizeof(*faults), 100);
	buf_done(&words);
	buf_done(&text);
}

/* The fabric's tools but for one, as a host has them where it is not installed. */
#define WITHOUT_MLNX_QOS \
	"d=$(mktemp -d); IFS=:; for b in $PATH; do for t in \"$b\"/*; do\n" \
	"[ \"${t##*/}\" = mlnx_qos ] || ln -sf \"$t\" \"$d\"; done; done; unset IFS\n" \
	"PATH=$d; export PATH; ! command -v mlnx_qos || exit 9\n" \
	"sh /etc/fabcon/roce.sh; s=$?; rm -rf \"$d\"; exit $s\n"

static void a_host_that_has_dcb_alone_is_mended_by_it(void **state)
{
	struct buf text = emitted("systemd", "roce-lossless");
	struct run r = at_host(&lab, "node1", text.text);

	(void)state;
	run_done(&r);
	expect_run(WITHOUT_MLNX_QOS, "dcb ets set dev eth2");
	assert_mended();
	expect_run(WITHOUT_MLNX_QOS, NULL);
	buf_done(&text);
}

/* The host's unit, as the host itself tells of it. */
static void a_unit_that_is_installed_is_seen(void **state)
{
	struct buf text = emitted("systemd", "roce-lossless");
	struct run r;

	(void)state;
	r = at_host(&lab, "node1", text.text);
	if (r.code)
		fail_msg("%s", r.err.text);
	run_done(&r);
	r = LAB_FABCON(&lab, "show", "node1");
	if (!r.out.n || !strstr(r.out.text, "persist.unit") || !strstr(r.out.text, "roce-lossless"))
		fail_msg("%s%s", r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
	expect_run("systemctl disable fabcon-roce.service", NULL);
	buf_done(&text);
}

/* Each kind for a target: what stands in it that only the target could say; NULL: it is refused. */
static const struct targeted {
	const char *kind, *target, *says;
} targeted[] = {
	{ "systemd", "node1", "pfc=\"0:0 1:0 2:0 3:1" },
	{ "udev", "node1", "NAME==\"eth2|eth3\", ATTR{type}==\"1\", TEST!=\"device/physfn\", ATTR{mtu}=\"9000\"\n" },
	{ "networkmanager", "node1", "match-device=interface-name:eth2,interface-name:eth3\n" },
	{ "machineconfig", "node1", "kind: MachineConfig\n" },
	{ "daemonset", "node1", "kind: DaemonSet\n" },
	{ "nicconfigurationtemplate", "node1", "pfc: \"0,0,0,1,0,0,0,0\"\n" },
	{ "sriovnetworknodepolicy", "node1", "    - eth2\n    - eth3\n" },
	{ "networkattachmentdefinition", "node1", "kind: NetworkAttachmentDefinition\n" },
	{ "nccl-env", "node1", "NCCL_IB_HCA==mlx5_0,mlx5_1\nNCCL_IB_GID_INDEX=3\n" },
	{ "os10", "leaf1", "interface ethernet 1/1/1\n" },
	{ "machineconfig", "node1", "# The ports are those of node1" }, { "daemonset", "node1", "only=\"eth2 eth3\"\n" },
	{ "os10", "node1", NULL }, { "sonic", "leaf1", NULL }, { "systemd", "leaf1", NULL },
	{ "systemd", "node1", "only=\"eth2 eth3\"\n" },
	{ "systemd", "node2", "only=\"eth2 eth3\"\n" },	/* members of a bond: the RDMA device stands at one of them */
};

static void each_kind_is_made_for_a_target_that_it_fits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(targeted) / sizeof(*targeted); i++) {
		const struct targeted *t = &targeted[i];
		struct run r = LAB_FABCON(&lab, "emit", t->kind, t->target);

		if (t->says ? r.code || !strstr(r.out.text, t->says) : r.code != 2 || r.out.n)
			fail_msg("%s %s: exit %d\n%s%s", t->kind, t->target, r.code, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
		run_done(&r);
	}
}

/* The pod's command as the DaemonSet holds it. */
static char *pod_command(const struct buf *yaml)
{
	yaml_parser_t parser;
	yaml_event_t event;
	char *found = NULL;
	bool is_command = false;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)yaml->text, yaml->n);
	for (bool goes_on = true; goes_on && !found;) {
		assert_true(yaml_parser_parse(&parser, &event));
		goes_on = event.type != YAML_STREAM_END_EVENT;
		if (event.type == YAML_SCALAR_EVENT) {
			const char *value = (const char *)event.data.scalar.value;

			is_command |= !strcmp(value, "command");
			if (is_command && strchr(value, '\n'))
				found = xstrdup(value);
		}
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	assert_non_null(found);
	return found;
}

/* What the pod does until it has gone round once: sleep is where it would wait for the next time, or for ever. */
static struct run pod_once(const char *command, const char *image)
{
	struct buf script = { NULL };
	struct run r;

	buf_printf(&script, "sleep() { echo \"sleeps $1\"; kill $$; command sleep 1; }\nFABCON_IMAGE=\"%s\"\n%s", image, command);
	r = at_host(&lab, "node1", script.text);
	buf_done(&script);
	return r;
}

static void the_pods_script_mends_a_host_again_and_again(void **state)
{
	struct buf yaml = emitted("daemonset", "roce-lossless");
	char *command = pod_command(&yaml);
	struct run r = pod_once(command, "registry/driver:1-$(uname -r)-x");

	(void)state;
	if (!r.out.n || !strstr(r.out.text, "mlnx_qos") || !strstr(r.out.text, "sleeps 300"))
		fail_msg("%s%s", r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
	assert_mended();
	free(command);
	buf_done(&yaml);
}

static void a_pod_whose_image_is_of_another_kernel_sets_nothing(void **state)
{
	struct buf yaml = emitted("daemonset", "roce-lossless"), words = { NULL };
	char *command = pod_command(&yaml);
	struct run r = pod_once(command, "registry/driver:5.14.0-000");

	(void)state;
	if (!r.err.n || !strstr(r.err.text, "this image is not for the kernel"))
		fail_msg("%s%s", r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
	assert_in_range(unwanted(&lab, "node1", &words), sizeof(faults) / sizeof(*faults), 100);
	buf_done(&words);
	free(command);
	buf_done(&yaml);
}

/* -- the DaemonSet of the article that this began with, fault by fault -- */

/* What is wrong with it, by which words one sees that it is, and what ours has for it. */
static const struct fault_of_seed {
	const char *what, *seed, *ours;
} of_seed[] = {
	{ "members of a bond are left as they are",	 "(bond0 slave)",		 "members of a bond each" },
	{ "what is set already is set again: the link flaps", "mlnx_qos -i \"$IFACE\" --pfc",	 "[ \"$now\" = \"$want\" ] || run mlnx_qos" },
	{ "it runs once, then sleeps for ever",		 "tail -f /dev/null",		 "while :; do" },
	{ "the image's kernel is for people to compare", "must match your node",	 "*\"$(uname -r)\"*) ;;" },
	{ "virtual functions are tried",		 "Operation not supported",	 "/device/physfn\" ]" },
	{ "one port that refuses ends the others'",	 "set -euo pipefail",		 "fail \"$*: $output\"" },
	{ "DSCP have no priority",			 "--trust dscp",		 "--dscp2prio \"set," },
	{ "CNPs have no class of their own",		 "--pfc 0,0,0,1,0,0,0,0",	 "cnp_dscp=48" },
	{ "the host's whole /run is mounted",		 "mountPath: /run\n",		 "mountPath: /run/mellanox\n" },
	{ "it sees all processes of the host",		 "hostPID: true",		 NULL },
	{ "mlnx_qos has no --ecn",			 "--ecn 0,0,0,1,0,0,0,0",	 NULL },
};

/* Every text of the articles, one after another; NULL where they are not. */
static char *seeds(void)
{
	struct buf all = { NULL };
	glob_t found;

	if (!glob("../shared/seeds/*.txt", 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			char *text = file_text(found.gl_pathv[i], NULL);

			buf_str(&all, text ? text : "");
			free(text);
		}
		globfree(&found);
	}
	return all.text;
}

static void each_fault_of_the_articles_daemonset_is_mended(void **state)
{
	struct buf ours = emitted("daemonset", "roce-lossless");
	char *theirs = seeds();

	(void)state;
	if (!theirs)
		print_message("the articles are not here: only ours is looked at\n");
	for (size_t i = 0; i < sizeof(of_seed) / sizeof(*of_seed); i++) {
		const struct fault_of_seed *f = &of_seed[i];

		if (theirs && !strstr(theirs, f->seed))
			fail_msg("%s: no article says \"%s\"", f->what, f->seed);
		if (f->ours ? !strstr(ours.text, f->ours) : strstr(ours.text, f->seed) != NULL)
			fail_msg("%s: so does ours", f->what);
	}
	assert_null(strstr(ours.text, "--ecn"));
	assert_null(strstr(ours.text, "mlx5_bond"));
	free(theirs);
	buf_done(&ours);
}

/* The script is at the host, and what stands there is what the test has put there. */
static void install(const char *device)
{
	struct buf text = emitted("systemd", "roce-lossless");
	struct run r = at_host(&lab, device, text.text);

	if (r.code)
		fail_msg("%s", r.err.n ? r.err.text : "");
	run_done(&r);
	buf_done(&text);
}

static void each_member_of_a_bond_is_set_and_the_bond_is_not(void **state)
{
	struct buf words = { NULL };
	struct run r;

	(void)state;
	install("node2");
	for (unsigned i = 2; i < 4; i++) {
		char fault[64];

		snprintf(fault, sizeof(fault), "pfc-off-host@node2:eth%u", i);
		r = LAB_CTL(&lab, "fault", "add", fault);
		assert_int_equal(r.code, 0);
		run_done(&r);
	}
	assert_in_range(unwanted(&lab, "node2", &words), 2, 10);
	r = at_host(&lab, "node2", "sh /etc/fabcon/roce.sh");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "mlnx_qos -i eth2 --pfc"));
	assert_non_null(strstr(r.out.text, "mlnx_qos -i eth3 --pfc"));
	assert_null(strstr(r.out.text, "bond0"));
	run_done(&r);
	buf_clear(&words);
	if (unwanted(&lab, "node2", &words))
		fail_msg("not mended:\n%s", words.text);
	buf_done(&words);
}

/* A port of mlx5 beside those of the fabric; the last word makes it another kind. */
#define PORT(name, state, more) \
	"d=/sys/class/net/" name "; mkdir -p $d/device /sys/bus/pci/drivers/mlx5_core; echo " state " >$d/operstate; echo 1 >$d/type\n" \
	"ln -sfn /sys/bus/pci/drivers/mlx5_core $d/device/driver\n" more "\n"
#define NO_PORT(name) "rm -rf /sys/class/net/" name "\n"

/* Where the script names these beside eth2 and eth3; only= is what it goes by. */
#define NAMING(name) "sed -i 's/^only=.*/only=\"eth2 eth3 " name "\"/' /etc/fabcon/roce.sh\n"

static void a_port_that_is_not_named_is_left_alone_and_one_that_cannot_be_set_is_said(void **state)
{
	static const struct {
		const char *script, *says;
	} table[] = {
		{ PORT("eth8", "up", ":") "sh /etc/fabcon/roce.sh 2>&1; s=$?\n" NO_PORT("eth8") "exit $s\n", NULL },
		{ NAMING("eth8") PORT("eth8", "up", ":") "sh /etc/fabcon/roce.sh 2>&1\n" NO_PORT("eth8"),
		  "eth8: mlnx_qos does not report its state" },
		{ NAMING("eth8") PORT("eth8", "up", "mkdir -p $d/device/physfn") "sh /etc/fabcon/roce.sh 2>&1\n" NO_PORT("eth8"),
		  "eth8 is no physical function: neither set nor checked" },
		{ NAMING("eth8") PORT("eth8", "up", "echo 32 >$d/type") "sh /etc/fabcon/roce.sh 2>&1\n" NO_PORT("eth8"),
		  "eth8 is not Ethernet: neither set nor checked" },
		{ NAMING("eth8") PORT("eth8", "down", ":") "sh /etc/fabcon/roce.sh 2>&1\n" NO_PORT("eth8"),
		  "eth8 is down: neither set nor checked" },
		{ NAMING("eth8") "sh /etc/fabcon/roce.sh report 2>&1; :", "eth8 is not here: neither set nor checked" },
	};

	(void)state;
	install("node1");
	expect_run("sh /etc/fabcon/roce.sh >/dev/null", NULL);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		expect_run(table[i].script, table[i].says);
}

static void a_driver_that_does_not_get_ready_ends_the_wait(void **state)
{
	static const char script[] = "mkdir -p /run/mellanox/drivers; mv /run/mellanox/drivers/.driver-ready /tmp/ready\n"
		"FABCON_WAIT_S=0 sh /etc/fabcon/roce.sh 2>&1; s=$?; mv /tmp/ready /run/mellanox/drivers/.driver-ready\n"
		"echo status $s\n";
	struct buf words = { NULL };

	(void)state;
	install("node1");
	expect_run(script, "the driver is not ready after 0 s: nothing is set\nstatus 75\n");
	assert_in_range(unwanted(&lab, "node1", &words), sizeof(faults) / sizeof(*faults), 100);
	buf_done(&words);
}

static void each_kind_that_a_fix_names_is_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < manifest_count; i++) {
		assert_ptr_equal(manifest_find(manifest_table[i].kind), &manifest_table[i]);
		assert_true(*manifest_table[i].title && *manifest_table[i].owns && *manifest_table[i].applied);
	}
	assert_null(manifest_find("nothing"));
	for (size_t i = 0; i < fix_count; i++) {
		struct span rest = span_of(fix_table[i].emit), word;

		while (span_word(&rest, &word)) {
			char kind[64];

			snprintf(kind, sizeof(kind), "%.*s", (int)word.n, word.p);
			if (!manifest_find(kind))
				fail_msg("%s names a manifest %s", fix_table[i].check, kind);
		}
	}
}

#define AT_HOST(f) cmocka_unit_test_setup(f, break_host)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_that_a_fix_names_is_there),
		cmocka_unit_test(yaml_has_only_fields_that_are_published),
		cmocka_unit_test(values_are_the_policys),
		cmocka_unit_test(a_switchs_text_says_what_the_policy_wants),
		cmocka_unit_test(no_port_is_made_up_for_a_switch_whose_ports_are_not_known),
		cmocka_unit_test(scripts_are_sh),
		AT_HOST(the_script_mends_a_host_once_and_leaves_it_alone_then),
		AT_HOST(drift_is_reported_and_not_written_over),
		AT_HOST(a_host_that_has_dcb_alone_is_mended_by_it),
		AT_HOST(the_pods_script_mends_a_host_again_and_again),
		AT_HOST(a_pod_whose_image_is_of_another_kernel_sets_nothing),
		AT_HOST(a_port_that_is_not_named_is_left_alone_and_one_that_cannot_be_set_is_said),
		AT_HOST(a_driver_that_does_not_get_ready_ends_the_wait),
		cmocka_unit_test(each_member_of_a_bond_is_set_and_the_bond_is_not),
		cmocka_unit_test(each_fault_of_the_articles_daemonset_is_mended),
		cmocka_unit_test(each_kind_is_made_for_a_target_that_it_fits),
		AT_HOST(a_unit_that_is_installed_is_seen),
	};

	return cmocka_run_group_tests(tests, open_lab, close_lab);
}
