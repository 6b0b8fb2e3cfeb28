/* For the tests of core/certificate: a rack of four hosts with two NICs each, as its certificate tells of it. */
#ifndef TESTS_CORE_TEST_CERTIFICATE_EXAMPLE_H
#define TESTS_CORE_TEST_CERTIFICATE_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "core/certificate/certificate.h"
#include "tests/lib/say.h"

#define EXAMPLE_HASH	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define EXAMPLE_HOSTS	4
#define EXAMPLE_NICS	2

static const char *const example_stages[] = {
	"reach", "identity", "paths", "cabling", "wire", "mtu", "qos", "persistence", "rdma",
};
#define EXAMPLE_STAGES	(sizeof(example_stages) / sizeof(*example_stages))

static inline json_t *packed(json_t *json)
{
	assert_non_null(json);
	return json;
}

static inline json_t *example_stage(const char *id)
{
	return packed(json_pack("{s:s, s:s, s:n, s:n, s:n, s:n, s:n, s:n}", "stage", id, "state", "pass", "what", "check", "device", "port",
				"not_reported", "not_reported_by"));
}

static inline void add_setting(json_t *settings, const char *device, const char *port, const char *name, const char *value)
{
	json_array_append_new(settings, packed(json_pack("{s:s, s:s?, s:s, s:s}", "device", device, "port", port, "name", name, "value",
							 value)));
}

static inline json_t *example_link(unsigned host, unsigned nic)
{
	json_t *stages = json_array(), *settings = json_array();
	char name[16], port[16], leaf[16], leaf_port[16];

	snprintf(name, sizeof(name), "node%u", host + 1);
	snprintf(port, sizeof(port), "eth%u", nic + 2);
	snprintf(leaf, sizeof(leaf), "leaf%u", nic + 1);
	snprintf(leaf_port, sizeof(leaf_port), "Ethernet%u", host * 4);
	for (size_t i = 0; i < EXAMPLE_STAGES; i++)
		json_array_append_new(stages, example_stage(example_stages[i]));
	add_setting(settings, name, port, "mtu", "9000");
	add_setting(settings, name, port, "pfc.on", "3");
	add_setting(settings, leaf, leaf_port, "mtu", "9216");
	add_setting(settings, leaf, NULL, "ecn.kmin", "150000");
	return packed(json_pack("{s:s, s:s, s:s, s:s, s:s, s:n, s:n, s:n, s:n, s:o, s:o}", "host", name, "nic", port, "peer", leaf,
				"peer_port", leaf_port, "state", "pass", "stage", "what", "do", "because_of", "stages", stages,
				"settings", settings));
}

static inline json_t *example_counters(void)
{
	return packed(json_pack("{s:I, s:I, s:i, s:n, s:i}", "class_bytes", (json_int_t)244962500000, "all_bytes", (json_int_t)244963100000,
				"drops", 0, "gaps", "wire", 0));
}

static inline json_t *example_test(unsigned from, unsigned to, unsigned nic)
{
	char a[16], b[16], port[16];

	snprintf(a, sizeof(a), "node%u", from + 1);
	snprintf(b, sizeof(b), "node%u", to + 1);
	snprintf(port, sizeof(port), "eth%u", nic + 2);
	return packed(json_pack("{s:s, s:{s:s, s:s}, s:{s:s, s:s}, s:s, s:n, s:f, s:f, s:i, s:s, s:s, s:s, s:s, s:{s:o, s:o}}",
				"kind", "pairs of one leaf", "from", "host", a, "nic", port, "to", "host", b, "nic", port, "state", "pass",
				"layer", "rate_bps", 391.94e9 - 1e8 * from, "ceiling_bps", 392e9, "mtu", 4096, "what",
				"391.9 Gb/s are 99 % of the 392.0 Gb/s that MTU 4096 allows", "command",
				"ib_write_bw -d mlx5_0 -x 3 --tclass=106 -q 4 -D 5 --report_gbits", "began", "2026-11-28T02:10:00Z", "ended",
				"2026-11-28T02:10:05Z", "counters", "from", example_counters(), "to", example_counters()));
}

static inline json_t *example_device(const char *name, const char *kind, const char *platform)
{
	return packed(json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "name", name, "kind", kind, "platform", platform, "facts", "serial",
				"MT2243X01234", "firmware", "22.36.1010"));
}

static inline json_t *example_devices(void)
{
	json_t *devices = json_array();
	char name[16];

	for (unsigned i = 0; i < EXAMPLE_HOSTS; i++) {
		snprintf(name, sizeof(name), "node%u", i + 1);
		json_array_append_new(devices, example_device(name, "host", "linux"));
	}
	json_array_append_new(devices, example_device("leaf1", "switch", "sonic"));
	json_array_append_new(devices, example_device("leaf2", "switch", "sonic"));
	return devices;
}

/* Each NIC passed, and sent to the next host's. Sealed. */
static inline json_t *example(void)
{
	json_t *links = json_array(), *tests = json_array(), *certificate;
	struct err err;

	for (unsigned host = 0; host < EXAMPLE_HOSTS; host++)
		for (unsigned nic = 0; nic < EXAMPLE_NICS; nic++) {
			json_array_append_new(links, example_link(host, nic));
			json_array_append_new(tests, example_test(host, (host + 1) % EXAMPLE_HOSTS, nic));
		}
	certificate = packed(json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s}, s:n, s:[{s:s, s:f, s:s, s:s}], s:o, s:o, s:o, s:[], s:[],"
		" s:[]}",
		"schema", CERTIFICATE_SCHEMA, "rack", "R14", "fabric", "gpu-a", "program", "fabcon 0.9.1", "by", "alice@console1", "reason",
		"CHG-1042", "began", "2026-11-28T02:00:00Z", "signed", "2026-11-28T02:41:30Z", "state", "pass", "policy", "title",
		"RoCE v2, one lossless class", "sha256", EXAMPLE_HASH, "inventory", "sha256", EXAMPLE_HASH, "cable_plan", "limits", "id",
		"test.share.fail", "value", 0.95, "unit", "of the ceiling", "source", "default of this program", "devices", example_devices(),
		"links", links, "tests", tests, "not_tested", "skips", "notes"));
	if (!certificate_seal(certificate, &err))
		fail_msg("%s", err.text);
	return certificate;
}

/* -- to change it -- */

/* A value by its path: "links[3].stages[0]"; lent. */
static inline json_t *at(json_t *json, const char *path)
{
	while (*path && json) {
		size_t n = strcspn(path, ".[");

		if (n) {
			json = json_object_getn(json, path, n);
			path += n;
		} else if (*path == '[') {
			json = json_array_get(json, strtoul(path + 1, (char **)&path, 10));
			path++;
		} else {
			path++;
		}
	}
	return packed(json);
}

/* value: JSON text, or NULL to remove the key. */
static inline void put(json_t *json, const char *path, const char *key, const char *value)
{
	if (value)
		assert_int_equal(json_object_set_new(at(json, path), key, packed(json_loads(value, JSON_DECODE_ANY, NULL))), 0);
	else
		assert_int_equal(json_object_del(at(json, path), key), 0);
}

static inline void seal(json_t *certificate)
{
	struct err err;

	if (!certificate_seal(certificate, &err))
		fail_msg("%s", err.text);
}

/* A stage of a link fails, and those above it are not asked. */
static inline void fail_stage(json_t *certificate, unsigned link, unsigned stage, const char *what)
{
	json_t *row = json_array_get(at(certificate, "links"), link);

	for (size_t i = stage; i < EXAMPLE_STAGES; i++)
		put(json_array_get(at(row, "stages"), i), "", "state", i == stage ? "\"fail\"" : "\"not yet\"");
	put(json_array_get(at(row, "stages"), stage), "", "what", what);
	put(json_array_get(at(row, "stages"), stage), "", "check", "\"cable-as-planned\"");
	put(row, "", "state", "\"fail\"");
	json_object_set_new(row, "stage", json_string(example_stages[stage]));
	put(row, "", "what", what);
	put(certificate, "", "state", "\"fail\"");
}

/* The same rack with a failure, a suspect, what is not known and what was not done. Sealed. */
static inline json_t *failing_example(void)
{
	json_t *c = example();

	fail_stage(c, 4, 3, "\"connected to leaf2 Ethernet8, planned: leaf1 Ethernet8 (gpu-a.csv line 411)\"");
	put(c, "links[4]", "do", "\"Swap the two cables at node3: eth2 and eth3\"");
	put(c, "links[4]", "because_of", "\"node3:eth3\"");
	put(c, "tests[0]", "state", "\"fail\"");
	put(c, "tests[0]", "layer", "\"rate\"");
	put(c, "tests[0]", "rate_bps", "201200000000");
	put(c, "tests[0]", "what", "\"201.2 Gb/s are 51 % of the 392.0 Gb/s that MTU 4096 allows\"");
	put(c, "links[0]", "state", "\"suspect\"");
	put(c, "links[0]", "what", "\"201.2 Gb/s are 51 % of the 392.0 Gb/s that MTU 4096 allows\"");
	put(c, "links[3]", "state", "\"not known\"");
	put(c, "links[3]", "stage", "\"wire\"");
	put(c, "links[3]", "what", "\"node2 eth3 fec.uncorrected: not reported\"");
	put(c, "links[3].stages[4]", "state", "\"not known\"");
	put(c, "links[3].stages[4]", "what", "\"node2 eth3 fec.uncorrected: not reported\"");
	put(c, "links[5].stages[6]", "not_reported", "\"ecn-on\"");
	put(c, "links[5].stages[6]", "not_reported_by", "\"leaf2\"");
	put(c, "links[7]", "state", "\"skipped\"");
	put(c, "links[6].settings[0]", "value", "\"1500\"");
	put(c, "tests[3]", "state", "\"not known\"");
	put(c, "tests[3]", "rate_bps", "null");
	put(c, "tests[3]", "command", "null");
	put(c, "tests[3]", "what", "\"node2 does not answer over TCP\"");
	put(c, "devices[2].facts", "firmware", "null");
	put(c, "", "not_tested", "[{\"host\": \"node3\", \"nic\": \"eth2\", \"why\": \"fails at cabling\"}]");
	put(c, "", "skips", "[{\"host\": \"node4\", \"nic\": \"eth3\", \"stage\": \"wire\", \"reason\": \"optic on order\", \"by\": \"bob\","
			    " \"at\": \"2026-11-28T02:30:00Z\"}]");
	put(c, "", "notes", "[{\"at\": \"2026-11-28T02:31:00Z\", \"by\": null, \"text\": \"Cable 411 has a kink\"}]");
	seal(c);
	return c;
}

#endif
