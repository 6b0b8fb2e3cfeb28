/*
 * Racks with defects drawn by seed, each at a node of its own: bring-up names each at its NIC and its layer, and fails no other. Which
 * layer a defect is of is said here by what it is, not by what bring-up says. RACKS: how many; RACK_SEED: of which seeds;
 * RACK_SIZE=NODESxRAILS, RACK_DEFECTS: how large, with how many (0: healthy racks); with CREW_FROM=N rack N alone. RACK_TRAFFIC=1: each
 * pair is tested too, and defects that only this shows are drawn with the others. RACK_KINDS: of these defects alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "tests/lib/cpu.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tui/args/cli.h"

#define RACKS	3
#define SIZE	"6x2"
#define DEFECTS	4
#define MOST	64	/* nodes */

enum whose {
	NIC,		/* one NIC, or the switch port that faces it */
	NICS,		/* each of its node */
	TWO,		/* the first two of its node: swapped cables */
	BOND,		/* the same two of the last node, which are a bond then */
	MEMBER,		/* the second of these */
};

static const struct defect {
	const char *name, *stage;	/* stage "": its settings pass, and the tests of its NIC fail */
	enum whose whose;
	bool is_os10, is_sonic;
} defects[] = {
	{ "host-unreachable", "reach", NICS, true, true },
	{ "garbage-output", "reach", NICS, true, true },
	{ "soft-roce", "identity", NIC, true, true },
	{ "driver-not-ready", "identity", NICS, true, true },
	{ "module-missing", "identity", NICS, true, true },
	{ "vf-unset", "identity", NIC, true, true },
	{ "wrong-firmware", "identity", NIC, true, true },
	{ "pcie-degraded", "paths", NIC, true, true },
	{ "miswire", "cabling", TWO, true, true },
	{ "link-down", "cabling", NIC, true, true },
	{ "port-shut", "cabling", NIC, true, true },
	{ "weak-lane", "wire", NIC, true, true },
	{ "mtu-small-host", "mtu", NIC, true, true },
	{ "mtu-small-switch", "mtu", NIC, true, true },
	{ "bond-mtu-small", "mtu", BOND, true, true },
	{ "bond-member-unset", "qos", MEMBER, true, true },
	{ "trust-pcp", "qos", NIC, true, true },
	{ "trust-off-switch", "qos", NIC, true, true },
	{ "dscp-map-lossy", "qos", NIC, true, true },
	{ "cnp-map-lossy", "qos", NIC, true, true },
	{ "best-effort-lossless", "qos", NIC, true, true },
	{ "iscsi-in-roce", "qos", NIC, true, true },
	{ "prio-tc-wrong", "qos", NIC, true, true },
	{ "queue-map-wrong", "qos", NIC, true, true },
	{ "pfc-queue-wrong", "qos", NIC, false, true },
	{ "pfc-off-host", "qos", NIC, true, true },
	{ "pfc-off-switch", "qos", NIC, true, true },
	{ "pfc-wrong-host", "qos", NIC, true, true },
	{ "pfc-wrong-switch", "qos", NIC, true, true },
	{ "pfc-extra-prio", "qos", NIC, true, true },
	{ "global-pause", "qos", NIC, true, true },
	{ "link-pause-switch", "qos", NIC, true, false },
	{ "watchdog-off", "qos", NIC, false, true },
	{ "buffer-shared", "qos", NIC, true, true },
	{ "ecn-off-switch", "qos", NIC, true, true },
	{ "kmin-over-xoff", "qos", NIC, true, true },
	{ "ecn-weak", "qos", NIC, true, true },
	{ "ecn-early", "qos", NIC, true, true },
	{ "np-off", "qos", NIC, true, true },
	{ "rp-off", "qos", NIC, true, true },
	{ "cnp-dscp-wrong", "qos", NIC, true, true },
	{ "ets-starved-cnp", "qos", NIC, true, true },
	{ "ets-starved-roce", "qos", NIC, true, true },
	{ "ets-sum-wrong", "qos", NIC, true, true },
	{ "dcqcn-aggressive", "qos", NIC, true, true },
	{ "dcbx-firmware", "qos", NIC, true, true },
	{ "tos-104", "qos", NIC, true, true },
	{ "qos-not-kept", "persistence", NICS, true, true },
	{ "no-address", "rdma", NIC, true, true },
	{ "gid-index-v1", "rdma", NICS, true, true },
	{ "hca-unused", "rdma", NIC, true, true },
	{ "bad-cable", "", NIC, true, true },
	{ "slow-receiver", "", NIC, true, true },
	{ "rate-cap", "", NIC, true, true },
};

struct rack {
	struct lab lab;
	unsigned nodes, rails, n;
	const struct defect *at[MOST];	/* by node; NULL: it has none */
	unsigned rail[MOST];
	bool is_sonic, has_traffic;
	struct buf *words;
};

static bool is_shown_by_traffic(const struct defect *d)
{
	return !*d->stage;
}

static bool can_be_drawn(const struct rack *k, const struct defect *d)
{
	const char *kinds = getenv("RACK_KINDS");

	return (!kinds || !*kinds || span_is_among(span_of(d->name), kinds)) && (k->is_sonic ? d->is_sonic : d->is_os10) &&
	       (d->whose < TWO || k->rails > 1) && (k->has_traffic || !is_shown_by_traffic(d));
}

static void draw(struct rack *k, unsigned seed, unsigned wanted)
{
	uint64_t random = seed;

	for (unsigned tries = 0; k->n < wanted && k->n < k->nodes && tries < 10000; tries++) {
		const struct defect *d = &defects[crew_draw(&random, sizeof(defects) / sizeof(*defects))];
		unsigned node = d->whose >= BOND ? k->nodes - 1 : crew_draw(&random, k->nodes);
		bool is_new = !k->at[node] && can_be_drawn(k, d);

		for (unsigned i = 0; i < k->nodes; i++)
			is_new = is_new && k->at[i] != d;
		if (!is_new)
			continue;
		k->at[node] = d;
		k->rail[node] = d->whose == NIC ? crew_draw(&random, k->rails) : d->whose == MEMBER;
		k->n++;
	}
}

static bool is_expected(const struct rack *k, unsigned node, unsigned rail)
{
	const struct defect *d = k->at[node];

	return d && (d->whose == NICS || ((d->whose == TWO || d->whose == BOND) && rail < 2) || (d->whose == MEMBER && rail == 1) ||
		     (d->whose == NIC && k->rail[node] == rail));
}

static bool start(struct rack *k, unsigned seed)
{
	char nodes[16], rails[16], leaves[16], number[16], *faults[MOST];
	const char *args[20 + 2 * MOST];
	unsigned n = 0, n_faults = 0;
	bool done;

	snprintf(nodes, sizeof(nodes), "%u", k->nodes);
	snprintf(rails, sizeof(rails), "%u", k->rails);
	snprintf(leaves, sizeof(leaves), "%u", k->rails);
	snprintf(number, sizeof(number), "%u", seed);
	args[n++] = "--nodes";
	args[n++] = nodes;
	args[n++] = "--rails";
	args[n++] = rails;
	args[n++] = "--leaves";
	args[n++] = leaves;
	args[n++] = "--seed";
	args[n++] = number;
	args[n++] = "--switch-os";
	args[n++] = k->is_sonic ? "sonic" : "os10";
	if (k->has_traffic) {	/* where a job runs nothing is tested, and in some skins no counter tells of a test */
		args[n++] = "--traffic";
		args[n++] = "off";
		args[n++] = "--tidy";
	}
	for (unsigned i = 0; i < k->nodes; i++) {
		const struct defect *d = k->at[i];

		if (!d)
			continue;
		faults[n_faults] = d->whose == NIC || d->whose == MEMBER ? xasprintf("%s@node%u:eth%u", d->name, i + 1, k->rail[i] + 2) :
				   xasprintf("%s@node%u", d->name, i + 1);
		buf_printf(k->words, "  %s\n", faults[n_faults]);
		if (d->whose >= BOND)
			args[n++] = "--bond";
		args[n++] = "--fault";
		args[n++] = faults[n_faults++];
	}
	args[n] = NULL;
	done = lab_start(&k->lab, args);
	while (n_faults)
		free(faults[--n_faults]);
	return done;
}

/* It is compared with the member that was never set up: what that one does not report, a DSCP map beside trust pcp, makes it not known. */
static bool is_twin(const struct rack *k, unsigned node, unsigned rail)
{
	return k->at[node] && k->at[node]->whose == MEMBER && rail == 0;
}

/* Of a NIC whose settings pass: what the tests say of it. */
static bool is_test_right(const struct rack *k, const json_t *row, const struct defect *d)
{
	const char *test = json_string_value(json_object_get(row, "test"));

	if (!k->has_traffic)
		return true;
	return test && !strcmp(test, d ? "fail" : "pass");
}

static void tell_failed_tests(const struct rack *k, const json_t *row)
{
	const json_t *test;
	size_t i;

	json_array_foreach(json_object_get(row, "tests"), i, test)
		if (strcmp(json_string_value(json_object_get(test, "state")), "pass") != 0)
			buf_printf(k->words, "    %s, %s, %s:%s: %s\n", json_string_value(json_object_get(test, "kind")),
				   json_string_value(json_object_get(test, "direction")), json_string_value(json_object_get(test, "host")),
				   json_string_value(json_object_get(test, "nic")), json_string_value(json_object_get(test, "what")));
}

static bool judge(const struct rack *k, const json_t *doc)
{
	const json_t *row;
	unsigned seen = 0;
	bool done = true;
	size_t i;

	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *host = json_string_value(json_object_get(row, "host")), *nic = json_string_value(json_object_get(row, "nic"));
		const char *state = json_string_value(json_object_get(row, "state")), *stage = json_string_value(json_object_get(row, "stage"));
		unsigned node = 0, rail = 0;
		const struct defect *d;
		const char *test;

		if (!host || !nic || !state || sscanf(host, "node%u", &node) != 1 || sscanf(nic, "eth%u", &rail) != 1) {
			buf_printf(k->words, "  %s %s: %s %s\n", host ? host : "?", nic ? nic : "?", stage ? stage : "", state ? state : "?");
			done = false;
			continue;
		}
		seen++;
		d = is_expected(k, node - 1, rail - 2) ? k->at[node - 1] : NULL;
		if (d && !is_shown_by_traffic(d) ? !strcmp(state, "fail") && stage && !strcmp(stage, d->stage) :
		    !strcmp(state, d ? "fail" : "pass") && !stage && is_test_right(k, row, d))
			continue;
		if (is_twin(k, node - 1, rail - 2) && !strcmp(state, "not known"))
			continue;
		test = json_string_value(json_object_get(row, "test"));
		buf_printf(k->words, "  WRONG %s:%s %s %s: %s; test %s; expected %s\n", host, nic, stage ? stage : "-", state,
			   json_string_value(json_object_get(row, "what")), test ? test : "-",
			   !d ? "pass" : is_shown_by_traffic(d) ? "a failed test" : d->stage);
		tell_failed_tests(k, row);
		done = false;
	}
	if (seen != k->nodes * k->rails) {
		buf_printf(k->words, "  %u NICs of %u\n", seen, k->nodes * k->rails);
		done = false;
	}
	return done;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	unsigned seed = crew_number("RACK_SEED", 1) * 1000 + nth;
	struct rack k = { .is_sonic = nth % 2, .has_traffic = crew_number("RACK_TRAFFIC", 0), .words = words };
	const char *size = getenv("RACK_SIZE");
	bool done = false;
	double cpu_s;
	time_t begun;
	struct run r;
	json_t *doc;

	(void)ctx;
	if (sscanf(size ? size : SIZE, "%ux%u", &k.nodes, &k.rails) != 2 || k.nodes > MOST)
		return false;
	draw(&k, seed, crew_number("RACK_DEFECTS", DEFECTS));
	buf_printf(words, "  seed %u, %s, %u nodes of %u NICs, %u defects\n", seed, k.is_sonic ? "SONiC" : "OS10", k.nodes, k.rails, k.n);
	if (!start(&k, seed)) {
		buf_printf(words, "  no lab\n");
		return false;
	}
	begun = time(NULL);
	cpu_s = ended_cpu_s();
	r = k.has_traffic ? LAB_FABCON(&k.lab, "-q", "--timeout", "120s", "bringup", "--traffic", "--reason", "trial", "-o", "json") :
	    LAB_FABCON(&k.lab, "-q", "--timeout", "120s", "bringup", "-o", "json");
	buf_printf(words, "  %ld s, our CPU %.1f s\n", (long)(time(NULL) - begun), ended_cpu_s() - cpu_s);
	doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	done = doc && judge(&k, doc);
	if (r.code != (k.n ? EXIT_FINDINGS : EXIT_DONE)) {
		buf_printf(words, "  exit %d\n%s\n", r.code, r.err.text ? r.err.text : "");
		done = false;
	}
	if (!done && lab_is_late())
		buf_printf(words, "  and this machine is late\n");
	json_decref(doc);
	run_done(&r);
	lab_stop(&k.lab);
	return done;
}

static void each_defect_is_named_at_its_nic_and_layer_and_no_other_nic_fails(void **state)
{
	unsigned n = crew_number("RACKS", RACKS), failed = crew_run("rack", n, crew_number("RACK_JOBS", 2), one, NULL);

	(void)state;
	print_message("%u racks: %u not as they are\n", n, failed);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_defect_is_named_at_its_nic_and_layer_and_no_other_nic_fails) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
