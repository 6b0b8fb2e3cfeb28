/* Checks: every row is complete, sees what it is for, and never takes not knowing for knowing. */
#include "core/judge/check.h"
#include "core/judge/fold.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/world.h"

/* A world in which one check says no, and how it is made: facts apart by ";", "-" before what nobody says any more. */
struct fault {
	const char *check, *where, *facts;
	/* The fact without which the check does not know; behind "=": only one said to be unknown, not one missing; NULL: never in doubt. */
	const char *lacking;
};

#define ETH2 "node1 eth2 "
#define LEAF1 "leaf1 ethernet1/1/1 "
#define LEAF2 "leaf2 Ethernet4 "

static const struct fault faults[] = {
	{ "device-reached", "node1", "node1 state = retrying;node1 error = \"no route\"", NULL },
	{ "answers-in-time", "node1", "node1 latency = 15000000", NULL },
	{ "driver-ready", "node1", "node1 driver.ready = no", "=node1 driver.ready" },
	{ "modules-loaded", "node1", "node1 modules = \"mlx5_core\"", "=node1 modules" },
	{ "memlock-enough", "node1", "node1 memlock = 65536", "=node1 memlock" },
	{ "lldpad-off", "node1", "node1 lldpad = yes", "=node1 lldpad" },
	{ "qos-kept", "node1", "node1 persist.qos = no", "=node1 persist.qos" },
	{ "config-saved", "leaf1", "leaf1 config.saved = no", "=leaf1 config.saved" },
	{ "link-up", "node1:eth2", ETH2 "up = no", ETH2 "up" },
	{ "rdma-hardware", "node1:eth2", ETH2 "rdma.soft = yes", "=" ETH2 "rdma.soft" },
	{ "rdma-active", "node1:eth2", ETH2 "rdma.state = down", ETH2 "rdma.state" },
	{ "gid-v2", "node1:eth2", ETH2 "gid.v2 = no", ETH2 "gid.v2" },
	{ "rdma-mtu", "node1:eth2", ETH2 "rdma.mtu = 1024", ETH2 "rdma.mtu" },
	{ "tos-ecn", "node1:eth2", ETH2 "tos.cma = 104", ETH2 "tos.cma" },
	{ "tos-ecn", "node1:eth2", ETH2 "tos.force = 104", "=" ETH2 "tos.force" },
	{ "app-tos-as-wanted", "node1:eth2", "node1 app.tc = 0", "=node1 app.tc" },
	{ "app-gid-is-v2", "node1:eth2", "node1 app.gid_index = 2", "=node1 app.gid_index" },
	{ "app-gid-alike", "node1:eth3", "node1 eth3 gid.family[3] = link-local", "=node1 app.gid_index" },
	{ "app-uses-all-hcas", "node1:eth2", "node1 app.hca.set = yes;node1 app.hca.asked = \"mlx5_3\"", "=node1 app.hca.set" },
	{ "app-uses-ib", "node1", "node1 app.net = socket", "=node1 app.net" },
	{ "app-gpu-direct", "node1", "node1 app.gdr = no", "=node1 app.gdr" },
	{ "app-memlock-enough", "node1", "node1 app.memlock = 65536", "=node1 app.memlock" },
	{ "app-not-refused", "node1", "node1 app.status = 10", "=node1 app.status" },
	{ "app-not-timed-out", "node1", "node1 app.status = 12", "=node1 app.status" },
	{ "app-peer-ready", "node1", "node1 app.status = 13", "=node1 app.status" },
	{ "app-quiet", "node1", "node1 app.warning = \"NET/IB : No device found.\"", "=node1 app.warning" },
	{ "app-bandwidth", "node1", "node1 app.bw = 40G", "=node1 app.bw" },
	{ "kernel-quiet", "node1", "node1 kernel.trouble = \"health compromised\"", "=node1 kernel.trouble" },
	{ "pcie-as-capable", "node1:eth2", ETH2 "pcie.width = 4", "=" ETH2 "pcie.width" },
	{ "vf-as-others", "", NULL, NULL },	/* needs more hosts: test_application */
	{ "dcbx-off", "node1:eth2", ETH2 "dcbx = fw", "=" ETH2 "dcbx" },
	{ "bond-members-alike", "node1:eth2",
	  ETH2 "role = member;" ETH2 "bond = \"bond0\";node1 eth3 role = member;node1 eth3 bond = \"bond0\";"
	  ETH2 "trust = pcp", ETH2 "trust" },
	{ "tools-agree", "", NULL, NULL },
	{ "firmware-as-wanted", "", NULL, NULL },	/* by another policy: test_greens */
	{ "firmware-alike", "", NULL, NULL },
	{ "fleet-alike", "", NULL, NULL },
	{ "cables-swapped", "", NULL, NULL },
	{ "pause-counted-alike", "", NULL, NULL },
	{ "no-deadlock", "", NULL, NULL },	/* needs a ring: test_pause */
	{ "cabled-as-planned", "", NULL, NULL },
	{ "planned-cables-known", "", NULL, NULL },
	{ "speed-same", "node1:eth2", ETH2 "speed = 50G", LEAF1 "speed" },
	{ "speed-as-capable", "node1:eth2", ETH2 "speed.max = 200G", "=" ETH2 "speed.max" },
	{ "mtu-fits", "node1:eth2", LEAF1 "mtu = 1532", LEAF1 "mtu" },
	{ "port-as-wanted", "", NULL, NULL },	/* by another policy: test_greens */
	{ "device-as-wanted", "", NULL, NULL },
	{ "mtu-as-wanted", "leaf1:ethernet1/1/1", LEAF1 "mtu = 1532", LEAF1 "mtu" },
	{ "trust-as-wanted", "node1:eth2", ETH2 "trust = pcp", ETH2 "trust" },
	{ "trust-as-wanted", "leaf1:ethernet1/1/1", LEAF1 "trust = none", LEAF1 "trust" },
	{ "fec-same", "node1:eth2", ETH2 "fec = \"RS\";" LEAF1 "fec = \"cl74-fc\"", "=" LEAF1 "fec" },
	{ "trust-same", "node1:eth2", LEAF1 "trust = none", LEAF1 "trust" },
	{ "dscp-map-as-wanted", "leaf2:Ethernet4", LEAF2 "dscp.prio[26] = 1", LEAF2 "dscp.prio[26]" },
	{ "dscp-same", "node1:eth3", LEAF2 "dscp.prio[26] = 1", LEAF2 "dscp.prio[26]" },
	{ "best-effort-lossy", "leaf1:ethernet1/1/1", LEAF1 "dscp.prio[0] = 3", "=" LEAF1 "dscp.prio[0]" },
	{ "iscsi-apart", "node1:eth2", ETH2 "dscp.prio[4] = 3", "=" ETH2 "dscp.prio[4]" },
	{ "prio-tc-as-wanted", "node1:eth2", ETH2 "prio.tc[3] = 0", ETH2 "prio.tc[3]" },
	{ "tc-queue-as-wanted", "leaf2:Ethernet4", LEAF2 "tc.queue[3] = 1", "=" LEAF2 "tc.queue[3]" },
	{ "ets-adds-up", "node1:eth2", ETH2 "ets.share[0] = 40", "=" ETH2 "ets.share[0]" },
	{ "ets-cnp-served", "leaf1:ethernet1/1/1", LEAF1 "ets.share[6] = 1;" LEAF1 "ets.share[0] = 29", LEAF1 "ets.share[6]" },
	{ "ets-cnp-served", "node1:eth2", ETH2 "ets.algo[3] = strict", "=" ETH2 "ets.algo[6]" },
	{ "ets-as-wanted", "node1:eth2", ETH2 "ets.share[0] = 30", "=" ETH2 "ets.share[0]" },
	{ "pfc-on-where-wanted", "node1:eth2", ETH2 "pfc.on[3] = no", ETH2 "pfc.on[3]" },
	{ "pfc-on-where-wanted", "leaf1:ethernet1/1/1", LEAF1 "pfc.on[3] = no", LEAF1 "pfc.on[3]" },
	{ "pfc-only-where-wanted", "leaf1:ethernet1/1/1", LEAF1 "pfc.on[4] = yes", LEAF1 "pfc.on[4]" },
	{ "pfc-same", "node1:eth2", LEAF1 "pfc.on[3] = no", LEAF1 "pfc.on[3]" },
	{ "pause-frames-off", "node1:eth2", ETH2 "pause.rx = yes", ETH2 "pause.rx" },
	{ "pfc-queue-agrees", "leaf2:Ethernet4", LEAF2 "pfc.queue[3] = 4", "=" LEAF2 "pfc.queue[3]" },
	{ "buffer-alone", "node1:eth2", ETH2 "prio.pg[3] = 0", "=" ETH2 "prio.pg[3]" },
	{ "headroom-fits", "leaf2:Ethernet4", LEAF2 "cable = 400", "=" LEAF2 "cable" },
	{ "watchdog-on", "leaf2:Ethernet4", LEAF2 "pfc.watchdog = no", "=" LEAF2 "pfc.watchdog" },
	{ "ecn-on", "leaf1:ethernet1/1/1", LEAF1 "ecn.on[3] = no", LEAF1 "ecn.on[3]" },
	{ "ecn-sane", "leaf1:ethernet1/1/1", LEAF1 "ecn.kmin[3] = 2000 KB", LEAF1 "ecn.kmin[3]" },
	{ "ecn-sane", "leaf1:ethernet1/1/1", LEAF1 "ecn.pmax[3] = 0", LEAF1 "ecn.pmax[3]" },
	{ "ecn-before-pfc", "leaf2:Ethernet4", LEAF2 "ecn.kmin[3] = 900 KB", LEAF2 "ecn.kmin[3]" },
	{ "ecn-as-wanted", "leaf1:ethernet1/1/1", LEAF1 "ecn.kmin[3] = 900 KB", LEAF1 "ecn.kmin[3]" },
	{ "np-on", "node1:eth2", ETH2 "ecn.np[3] = no", ETH2 "ecn.np[3]" },
	{ "rp-on", "node1:eth2", ETH2 "ecn.rp[3] = no", ETH2 "ecn.rp[3]" },
	{ "dcqcn-calm", "node1:eth2", ETH2 "cc.rpg_ai_rate = 1000", "=" ETH2 "cc.rpg_ai_rate" },
	{ "cnp-marked-as-wanted", "node1:eth2", ETH2 "cnp.dscp = 46", ETH2 "cnp.dscp" },
	{ "cnp-lands", "node1:eth2", ETH2 "cnp.dscp = 46", ETH2 "cnp.dscp" },
	{ "counters-move", "", NULL, NULL },	/* takes a minute: test_balance */
	{ "pause-storm", "node1:eth2", ETH2 "pfc.tx_us[3] = 999000;" ETH2 "pfc.tx[3] = 3000", ETH2 "pfc.tx_us[3]" },
	{ "pause-storm", "node1:eth2", ETH2 "pfc.tx_us[3] = 900000;" ETH2 "pfc.tx[3] = 3000;" ETH2 "rx.packets[3] = 0",
	  ETH2 "pfc.tx_us[3]" },
	{ "pause-storm", "node1:eth3", LEAF2 "pfc.storm[3] = 2", NULL },
	{ "slow-receiver", "node1:eth2", ETH2 "pfc.tx_us[3] = 200000;" ETH2 "pfc.tx[3] = 3000", ETH2 "pfc.tx_us[3]" },
	{ "memory-keeps-up", "node1:eth2", ETH2 "pci.stall = 60", "=" ETH2 "pci.stall" },
	{ "bits-clean", "node1:eth2", ETH2 "fec.corr = 4000000", "=" ETH2 "fec.corr" },
	{ "bits-clean", "node1:eth2", ETH2 "fec = \"RS\";" ETH2 "fec.corr = 4000000", ETH2 "fec.corr" },
	{ "bits-clean", "node1:eth2", ETH2 "fec = \"cl74-fc\";" ETH2 "fec.corr = 4000", ETH2 "fec.corr" },
	{ "roce-in-class", "node1:eth2", ETH2 "rdma.tx = 1000000000;" ETH2 "tx.bytes[0] = 1000000000;" ETH2 "tx.bytes[3] = 0", NULL },
	{ "class-kept", "node1:eth2", ETH2 "rx.bytes[0] = 1000000000;" ETH2 "rx.bytes[3] = 0;" LEAF1 "tx.bytes[3] = 1000000000", NULL },
	{ "ecn-carries", "node1:eth2", ETH2 "pfc.rx_us[3] = 80000;" ETH2 "cnp.handled = 0", "=" ETH2 "pfc.rx_us[3]" },
	{ "acks-come", "node1:eth2", ETH2 "ack.timeout = 2", "=" ETH2 "ack.timeout" },
	{ "uplinks-even", "", NULL, NULL },
	{ "wire-clean", "node1:eth2", ETH2 "phy.err = 7", "=" ETH2 "phy.err" },
	{ "wire-clean", "node1:eth2", ETH2 "phy.symbol_err = 7", NULL },
	{ "wire-clean", "node1:eth2", ETH2 "link.changes = 2", NULL },
	{ "not-paused", "node1:eth2", ETH2 "pfc.rx_us[3] = 80000", "=" ETH2 "pfc.rx_us[3]" },
	{ "not-pausing", "leaf1:ethernet1/1/1", ETH2 "pfc.rx_us[3] = 80000", "=" ETH2 "pfc.rx_us[3]" },
	{ "watchdog-quiet", "leaf2:Ethernet4", LEAF2 "pfc.storm[3] = 2", "=" LEAF2 "pfc.storm[3]" },
	{ "watchdog-quiet", "leaf2:Ethernet4", LEAF2 "pfc.storm[3] = 2;" LEAF2 "pfc.watchdog.action = drop", "=" LEAF2 "pfc.storm[3]" },
	{ "storm-ended", "leaf2:Ethernet4", LEAF2 "pfc.storm[3] = 2;" LEAF2 "pfc.watchdog.action = alert", "=" LEAF2 "pfc.storm[3]" },
	{ "storms-past", "", NULL, NULL },	/* takes a storm and its end: test_greens */
	{ "lossless-kept", "leaf1:ethernet1/1/1", LEAF1 "tx.drop[3] = 5", LEAF1 "tx.drop[3]" },
	{ "lossless-kept", "leaf2:Ethernet4", LEAF2 "pg.drop[3] = 5", "=" LEAF2 "pg.drop[3]" },
	{ "lossless-kept", "node1:eth2", ETH2 "rx.drop[3] = 5", "=" ETH2 "rx.drop[3]" },
	{ "sequence-kept", "node1:eth2", ETH2 "oos = 50", ETH2 "oos" },
	{ "priority-quiet", "node1:eth2", ETH2 "pfc.rx[4] = 50", "=" ETH2 "pfc.rx[4]" },
	{ "link-pause-quiet", "node1:eth2", ETH2 "pause.rx_frames = 500", "=" ETH2 "pause.rx_frames" },
	{ "marks-arrive", "node1:eth3", "node1 eth3 ecn.seen = 0", "node1 eth3 ecn.seen" },
	{ "marks-answered", "node1:eth2", ETH2 "cnp.sent = 0", ETH2 "cnp.sent" },
	{ "cnp-obeyed", "node1:eth2", ETH2 "cnp.ignored = 40", "=" ETH2 "cnp.ignored" },
	{ "cnp-loop-closed", "fabric", ETH2 "cnp.handled = 100", ETH2 "cnp.handled" },
};
#define N_FAULTS (sizeof(faults) / sizeof(*faults))

static void apply(struct world *w, const char *facts)
{
	struct span rest = span_of(facts), part;
	char text[200];

	while (rest.n > 0) {
		if (!span_cut(rest, ';', &part, &rest)) {
			part = rest;
			rest.n = 0;
		}
		snprintf(text, sizeof(text), "%.*s", (int)part.n, part.p);
		if (text[0] == '-')
			world_drop(w, text + 1);
		else
			world_set(w, text);
	}
}

static const struct finding *needed(const struct world *w, const char *check, const char *where)
{
	const struct finding *f = world_finding(w, check, where);

	if (!f) {
		print_message("%s at %s:\n", check, where);
		world_fail(w, "there is no such finding");
	}
	return f;
}

static void assert_quiet(const struct world *w)
{
	const struct finding *const *list;

	if (findings_open(w->findings, &list))
		world_fail(w, "a healthy fabric has findings");
}

/* -- the table -- */

static bool leads_to(const struct check *from, const struct check *to, unsigned depth)
{
	struct span rest = span_of(from->after), word;
	char id[64];

	assert_true(depth < check_count);
	while (span_word(&rest, &word)) {
		snprintf(id, sizeof(id), "%.*s", (int)word.n, word.p);
		if (!check_find(id))
			fail_msg("%s comes after %s, which there is not", from->id, id);
		if (check_find(id) == to)
			return true;
	}
	return false;
}

static void every_row_is_complete(void **state)
{
	enum field f;

	(void)state;
	assert_true(check_count <= 128);
	for (size_t i = 0; i < check_count; i++) {
		const struct check *c = &check_table[i];

		assert_ptr_equal(check_find(c->id), c);	/* so ids are unique */
		assert_true(c->ask && c->step > 0 && c->severity >= VERDICT_LOOK);
		assert_true(c->title && strlen(c->title) > 10 && c->why && strlen(c->why) > 20 && c->change && *c->change);
		if (!field_find(span_of(c->fields), &f))
			fail_msg("%s is about %s, which is no field", c->id, c->fields);
		assert_false(leads_to(c, c, 0));
	}
	assert_null(check_find("no such check"));
}

/* Without this, two findings could each be folded under the other and none be seen. */
static void what_explains_is_never_explained_by_what_it_explains(void **state)
{
	bool done[128] = { false };
	size_t left = check_count;

	(void)state;
	for (size_t before = left + 1; left < before;) {
		before = left;
		for (size_t i = 0; i < check_count; i++) {
			bool is_free = !done[i];

			for (size_t k = 0; k < check_count && is_free; k++)
				if (!done[k] && leads_to(&check_table[i], &check_table[k], 0))
					is_free = false;
			left -= is_free;
			done[i] |= is_free;
		}
	}
	assert_int_equal(left, 0);
}

/* Gaps were laid to a device that answered late. */
static void that_the_console_reads_a_device_late_explains_no_harm(void **state)
{
	(void)state;
	for (size_t i = 0; i < check_count; i++)
		if (check_table[i].after && span_is_among(SPAN("answers-in-time"), check_table[i].after))
			fail_msg("%s follows from answers-in-time", check_table[i].id);
}

static void every_check_has_a_world_where_it_says_no(void **state)
{
	/* these never say no: they only say what is not known */
	static const char *const only_unknown[] = { "answers-understood", "rdma-known", "far-end-known", "tcp-ecn-is-tcp" };

	(void)state;
	for (size_t i = 0; i < check_count; i++) {
		bool has = false;

		for (size_t k = 0; k < N_FAULTS; k++)
			has |= strcmp(faults[k].check, check_table[i].id) == 0;
		for (size_t k = 0; k < 4; k++)
			has |= strcmp(only_unknown[k], check_table[i].id) == 0;
		if (!has)
			fail_msg("no test makes %s say no", check_table[i].id);
	}
}

/* -- worlds -- */

static void a_healthy_busy_fabric_has_nothing_to_find(void **state)
{
	struct world w;
	const struct port *a, *b;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	assert_quiet(&w);
	a = model_find_port(w.model, "node1", "eth3");
	b = model_find_port(w.model, "leaf2", "Ethernet4");
	assert_int_equal(findings_worst(w.findings, a, b, NULL), VERDICT_OK);
	/* and that is because they were judged */
	for (size_t i = 0; i < check_count; i++)
		if (check_table[i].of == OF_PORT && check_table[i].severity == VERDICT_FAIL)
			assert_true(findings_worst(w.findings, a, b, check_table[i].fields) != VERDICT_UNKNOWN);
	assert_int_equal(findings_worst(w.findings, a, b, "trust"), VERDICT_OK);
	assert_int_equal(findings_worst(w.findings, a, b, "ecn"), VERDICT_OK);
	assert_int_equal(findings_worst(w.findings, a, NULL, "pfc.on"), VERDICT_OK);
	world_done(&w);
}

static void every_fault_is_named_where_it_is_and_goes_when_mended(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FAULTS; i++) {
		struct world w, healthy;
		const struct finding *f;

		if (!faults[i].facts)
			continue;
		world_init(&w);
		world_init(&healthy);
		world_run(&w, 5);
		apply(&w, faults[i].facts);
		world_run(&w, 15);	/* what moves is judged over ten seconds */
		f = needed(&w, faults[i].check, faults[i].where);
		assert_true(f->verdict >= VERDICT_LOOK && f->what[0] && f->is_open);
		for (size_t k = 0; k < w.n_facts; k++) {
			if (k < healthy.n_facts) {
				memcpy(w.facts[k].value, healthy.facts[k].value, sizeof(w.facts[k].value));
				w.facts[k].per_s = healthy.facts[k].per_s;
			} else if (w.facts[k].is_counter) {
				w.facts[k].per_s = 0;	/* to be told no more would clear nothing */
			} else if (strstr(w.facts[k].what, "pci.stall")) {
				snprintf(w.facts[k].value, sizeof(w.facts[k].value), "0");
			} else {
				w.facts[k].is_gone = true;
			}
		}
		world_run(&w, 15);
		world_run(&w, 31);	/* the longest calm_us */
		assert_quiet(&w);
		world_done(&healthy);
		world_done(&w);
	}
}

/* A job that ended, or whose ToS is forced now, has nothing wrong any more; one of which merely nothing is read has. */
static void what_was_wrong_with_a_job_is_over_with_it(void **state)
{
	static const struct {
		const char *then;
		bool is_over;
	} ways[] = {
		{ "-node1 app.tc;node1 app.procs = 0", true },
		{ "-node1 app.tc;node1 app.procs = unknown \"not root\"", false },
		{ "-node1 app.tc;-node1 app.procs;node1 app.gdr = yes", false },
		{ ETH2 "tos.force = 106;node1 eth3 tos.force = 106", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct world w;

		world_init(&w);
		apply(&w, "node1 app.tc = 0;node1 app.procs = 1");
		world_run(&w, 3);
		needed(&w, "app-tos-as-wanted", "node1:eth2");
		apply(&w, ways[i].then);
		world_run(&w, 2);
		if (!world_finding(&w, "app-tos-as-wanted", "node1:eth2") != ways[i].is_over)
			fail_msg("%s: the finding is %s", ways[i].then, ways[i].is_over ? "kept" : "cleared");
		world_done(&w);
	}
}

static void not_knowing_is_never_ok_and_clears_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FAULTS; i++) {
		const char *what = faults[i].lacking, *check = faults[i].check;
		const struct finding *f;
		struct world w;
		char fact[160];
		int64_t last_us;

		if (!what)
			continue;
		/* not known from the start: said so; where absence means something else, only by an unknown with its reason */
		world_init(&w);
		if (strcmp(check, "bond-members-alike") == 0)
			apply(&w, ETH2 "role = member;" ETH2 "bond = \"b\";node1 eth3 role = member;node1 eth3 bond = \"b\"");
		snprintf(fact, sizeof(fact), "%s = unknown \"not root\"", what + (*what == '='));
		world_set(&w, fact);
		world_run(&w, 12);
		f = needed(&w, check, faults[i].where);
		assert_int_equal(f->verdict, VERDICT_UNKNOWN);
		if (!strstr(f->missing, "not root"))
			fail_msg("%s lacks \"%s\"", check, f->missing);
		world_done(&w);

		/* known to be wrong, then not known any more */
		world_init(&w);
		apply(&w, faults[i].facts);
		world_run(&w, 12);
		f = needed(&w, check, faults[i].where);
		last_us = f->last_us;
		world_set(&w, fact);
		world_run(&w, 3);
		if (*what != '=')
			world_drop(&w, what);
		world_run(&w, 3);
		f = needed(&w, check, faults[i].where);
		if (f->verdict < VERDICT_LOOK || !f->is_open)
			fail_msg("%s: not knowing has cleared it", check);
		if (f->last_us != last_us)
			fail_msg("%s: is still seen, without %s", check, what);
		world_done(&w);
	}
}

static size_t count_bad(const struct world *w)
{
	return findings_count(w->findings, VERDICT_LOOK);
}

static void no_single_missing_fact_makes_a_healthy_fabric_bad(void **state)
{
	struct world w;
	size_t n;

	(void)state;
	world_init(&w);
	n = w.n_facts;
	world_done(&w);
	for (size_t i = 0; i < n; i++) {
		world_init(&w);
		w.facts[i].is_gone = true;
		world_run(&w, 4);
		if (count_bad(&w)) {
			print_message("without %s:\n", w.facts[i].what);
			world_fail(&w, "there is something bad");
		}
		w.facts[i].is_gone = false;
		w.facts[i].is_counter = false;
		snprintf(w.facts[i].value, sizeof(w.facts[i].value), "unknown \"not root\"");
		world_run(&w, 4);
		if (count_bad(&w)) {
			print_message("with %s not known:\n", w.facts[i].what);
			world_fail(&w, "there is something bad");
		}
		world_done(&w);
	}
}

/* Each answers late by another figure: one cause, one row. */
static void devices_that_answer_late_are_one_row(void **state)
{
	const struct check *late = check_find("answers-in-time"), *other = check_find("answers-understood");
	struct finding list[] = {
		{ .check = late, .verdict = VERDICT_LOOK, .where = "node1", .what = "its answers take 3.1 s" },
		{ .check = late, .verdict = VERDICT_LOOK, .where = "node2", .what = "its answers take 2.4 s" },
		{ .check = other, .verdict = VERDICT_LOOK, .where = "node2", .what = "1 answer" },
		{ .check = late, .verdict = VERDICT_LOOK, .where = "leaf1", .what = "its first answers have taken 5 s and are not all here" },
		{ .check = other, .verdict = VERDICT_LOOK, .where = "leaf1", .what = "2 answers" },
	};
	struct folds f = { NULL };

	(void)state;
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		folds_add(&f, &list[i], true);
	assert_int_equal(f.n, 3);
	assert_int_equal(f.list[0].n, 3);
	folds_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_complete),
		cmocka_unit_test(devices_that_answer_late_are_one_row),
		cmocka_unit_test(what_explains_is_never_explained_by_what_it_explains),
		cmocka_unit_test(that_the_console_reads_a_device_late_explains_no_harm),
		cmocka_unit_test(every_check_has_a_world_where_it_says_no),
		cmocka_unit_test(a_healthy_busy_fabric_has_nothing_to_find),
		cmocka_unit_test(every_fault_is_named_where_it_is_and_goes_when_mended),
		cmocka_unit_test(what_was_wrong_with_a_job_is_over_with_it),
		cmocka_unit_test(not_knowing_is_never_ok_and_clears_nothing),
		cmocka_unit_test(no_single_missing_fact_makes_a_healthy_fabric_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
