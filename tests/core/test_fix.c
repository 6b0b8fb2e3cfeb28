/* Fixes: what is broken, found, and which settings would mend it; what is refused; what people do. */
#include "core/fix/fix.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "core/manifest/manifest.h"
#include "tests/lib/world.h"

static bool sets_all(const char *platform, enum field f, bool of_port)
{
	(void)platform;
	return (field_table[f].scope == SCOPE_PORT) == of_port;
}

static bool sets_nothing(const char *platform, enum field f, bool of_port)
{
	(void)platform;
	(void)f;
	(void)of_port;
	return false;
}

static struct fix_scene scene_of(const struct world *w)
{
	return (struct fix_scene){ w->model, &w->links, w->policy, &w->inventory, sets_all };
}

static void print_edits(const struct edits *e, struct buf *out)
{
	for (size_t i = 0; i < e->n; i++) {
		edit_print(&e->list[i], out);
		buf_str(out, "\n");
	}
}

/* -- the tables -- */

static void every_fix_is_of_a_check_or_a_cause_and_of_the_console_or_of_people(void **state)
{
	(void)state;
	for (size_t i = 0; i < fix_count; i++) {
		const struct fix *fix = &fix_table[i];

		if (!check_find(fix->check) && !known_cause_find(fix->check))
			fail_msg("%s is neither a check nor a cause", fix->check);
		if (!fix->fields == !fix->instead)
			fail_msg("%s: fields or instead, and not both", fix->check);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(fix->check, fix_table[k].check);
	}
}

static void every_field_of_a_fix_is_in_the_dictionary(void **state)
{
	(void)state;
	for (size_t i = 0; i < fix_count; i++) {
		struct span rest = span_of(fix_table[i].fields ? fix_table[i].fields : ""), word;
		enum field f;

		while (span_word(&rest, &word)) {
			if (!field_find(word, &f))
				fail_msg("%s: no field %.*s", fix_table[i].check, (int)word.n, word.p);
			if (field_table[f].kind == KIND_COUNTER || field_table[f].kind == KIND_GAUGE)
				fail_msg("%s: %.*s is measured", fix_table[i].check, (int)word.n, word.p);
		}
	}
}

static void every_manifest_of_a_fix_is_one_that_is_made(void **state)
{
	(void)state;
	for (size_t i = 0; i < fix_count; i++) {
		struct span rest = span_of(fix_table[i].emit), word;
		char kind[64];

		while (span_word(&rest, &word)) {
			snprintf(kind, sizeof(kind), "%.*s", (int)word.n, word.p);
			assert_non_null(manifest_find(kind));
		}
	}
}

/* One thing broken, found, and exactly that undone. Lines with - are facts that nobody says any more. */
static const struct story {
	const char *broken, *check, *where, *edits;
} stories[] = {
	{ "node1 eth2 trust = pcp", "trust-as-wanted", "node1:eth2",
	  "node1 eth2 trust = dscp (was pcp)\n" },
	{ "node1 eth2 pfc.on[3] = no", "pfc-on-where-wanted", "node1:eth2",
	  "node1 eth2 pfc.on[3] = yes (was no)\n" },
	{ "leaf1 ethernet1/1/1 pfc.on[3] = no", "pfc-on-where-wanted", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 pfc.on[3] = yes (was no)\n" },
	{ "node1 eth2 pfc.on[5] = yes", "pfc-only-where-wanted", "node1:eth2",
	  "node1 eth2 pfc.on[5] = no (was yes)\n" },
	{ "node1 eth2 pfc.on[3] = no\nnode1 eth2 pfc.on[4] = yes", "pfc-on-where-wanted", "node1:eth2",
	  "node1 eth2 pfc.on[3] = yes (was no)\nnode1 eth2 pfc.on[4] = no (was yes)\n" },
	{ "leaf2 Ethernet4 pfc.on[3] = no\nleaf2 Ethernet4 pfc.on[4] = yes", "pfc-on-where-wanted", "leaf2:Ethernet4",
	  "leaf2 Ethernet4 pfc.on[3] = yes (was no)\nleaf2 Ethernet4 pfc.on[4] = no (was yes)\n" },
	{ "leaf1 ethernet1/1/1 ecn.on[3] = no\n- leaf1 ethernet1/1/1 ecn.kmin[3]\n- leaf1 ethernet1/1/1 ecn.kmax[3]\n"
	  "- leaf1 ethernet1/1/1 ecn.pmax[3]", "ecn-on", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 ecn.on[3] = yes (was no)\nleaf1 ethernet1/1/1 ecn.kmin[3] = 150000 (was absent)\n"
	  "leaf1 ethernet1/1/1 ecn.kmax[3] = 1500000 (was absent)\nleaf1 ethernet1/1/1 ecn.pmax[3] = 100 (was absent)\n" },
	{ "node1 eth2 ecn.np[3] = no", "np-on", "node1:eth2", "node1 eth2 ecn.np[3] = yes (was no)\n" },
	{ "node1 eth2 ecn.rp[3] = no", "rp-on", "node1:eth2", "node1 eth2 ecn.rp[3] = yes (was no)\n" },
	{ "leaf2 Ethernet4 ecn.kmin[3] = 9000 KB\nleaf2 Ethernet4 ecn.kmax[3] = 12000 KB", "ecn-before-pfc", "leaf2:Ethernet4",
	  "leaf2 Ethernet4 ecn.kmin[3] = 150000 (was 9000000)\nleaf2 Ethernet4 ecn.kmax[3] = 1500000 (was 12000000)\n" },
	{ "leaf1 ethernet1/1/1 ecn.pmax[3] = 1", "ecn-as-wanted", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 ecn.pmax[3] = 100 (was 1)\n" },
	{ "leaf1 ethernet1/1/1 ecn.kmin[3] = 5 KB\nleaf1 ethernet1/1/1 ecn.kmax[3] = 20 KB", "ecn-as-wanted",
	  "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 ecn.kmin[3] = 150000 (was 5000)\nleaf1 ethernet1/1/1 ecn.kmax[3] = 1500000 (was 20000)\n" },
	{ "node1 eth2 dscp.prio[26] = 0", "dscp-map-as-wanted", "node1:eth2", "node1 eth2 dscp.prio[26] = 3 (was 0)\n" },
	{ "leaf1 ethernet1/1/1 dscp.prio[26] = 0", "dscp-map-as-wanted", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 dscp.prio[26] = 3 (was 0)\n" },
	{ "node1 eth2 dscp.prio[48] = 0", "dscp-map-as-wanted", "node1:eth2", "node1 eth2 dscp.prio[48] = 6 (was 0)\n" },
	{ "node1 eth2 dscp.prio[4] = 3", "iscsi-apart", "node1:eth2", "node1 eth2 dscp.prio[4] = 0 (was 3)\n" },
	{ "node1 eth2 dscp.prio[0] = 3", "best-effort-lossy", "node1:eth2", "node1 eth2 dscp.prio[0] = 0 (was 3)\n" },
	{ "node1 eth2 cnp.dscp = 0", "cnp-marked-as-wanted", "node1:eth2", "node1 eth2 cnp.dscp = 48 (was 0)\n" },
	{ "node1 eth2 ets.share[6] = 1\nnode1 eth2 ets.share[0] = 29", "ets-cnp-served", "node1:eth2",
	  "node1 eth2 ets.share[0] = 20 (was 29)\nnode1 eth2 ets.share[6] = 10 (was 1)\n" },
	{ "node1 eth2 ets.share[3] = 40", "ets-adds-up", "node1:eth2", "node1 eth2 ets.share[3] = 60 (was 40)\n" },
	{ "node1 eth2 ets.share[3] = 10\nnode1 eth2 ets.share[0] = 70", "ets-as-wanted", "node1:eth2",
	  "node1 eth2 ets.share[0] = 20 (was 70)\nnode1 eth2 ets.share[3] = 60 (was 10)\n" },
	{ "leaf1 ethernet1/1/1 mtu = 1532", "mtu-fits", "node1:eth2 - leaf1", "leaf1 ethernet1/1/1 mtu = 9216 (was 1532)\n" },
	{ "node1 eth2 mtu = 1500", "mtu-as-wanted", "node1:eth2", "node1 eth2 mtu = 9000 (was 1500)\n" },
	{ "node1 eth2 tos.force = 104\nnode1 eth2 tos.cma = 104", "tos-ecn", "node1:eth2",
	  "node1 eth2 tos.cma = 106 (was 104)\nnode1 eth2 tos.force = 106 (was 104)\n" },
	{ "node1 eth2 tos.cma = 0", "tos-ecn", "node1:eth2", "node1 eth2 tos.cma = 106 (was 0)\n" },
	{ "node1 eth2 pause.rx = yes\nnode1 eth2 pause.tx = yes\nnode1 eth2 pfc.on[3] = no", "pause-frames-off", "node1:eth2",
	  "node1 eth2 pfc.on[3] = yes (was no)\nnode1 eth2 pause.rx = no (was yes)\nnode1 eth2 pause.tx = no (was yes)\n" },
	{ "leaf1 ethernet1/1/1 pause.rx = yes\nleaf1 ethernet1/1/1 pause.tx = yes", "pause-frames-off", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 pause.rx = no (was yes)\nleaf1 ethernet1/1/1 pause.tx = no (was yes)\n" },
	{ "leaf1 ethernet1/1/1 trust = none\n- leaf1 ethernet1/1/1 dscp.prio[26]\n- leaf1 ethernet1/1/1 dscp.prio[24]\n"
	  "- leaf1 ethernet1/1/1 dscp.prio[48]", "trust-as-wanted", "leaf1:ethernet1/1/1",
	  "leaf1 ethernet1/1/1 trust = dscp (was none)\nleaf1 ethernet1/1/1 dscp.prio[24] = 3 (was absent)\n"
	  "leaf1 ethernet1/1/1 dscp.prio[26] = 3 (was absent)\nleaf1 ethernet1/1/1 dscp.prio[48] = 6 (was absent)\n" },
	{ "node1 eth2 prio.tc[3] = 0", "prio-tc-as-wanted", "node1:eth2", "node1 eth2 prio.tc[3] = 3 (was 0)\n" },
	{ "leaf2 Ethernet4 tc.queue[3] = 0", "tc-queue-as-wanted", "leaf2:Ethernet4", "leaf2 Ethernet4 tc.queue[3] = 3 (was 0)\n" },
	{ "leaf2 Ethernet4 pfc.queue[3] = 4", "pfc-queue-agrees", "leaf2:Ethernet4",
	  "leaf2 Ethernet4 pfc.queue[3] = 3 (was 4)\n" },
	{ "node1 eth2 prio.pg[0] = 1\nnode1 eth2 rx.total = 1000", "buffer-alone", "node1:eth2",
	  "node1 eth2 prio.pg[0] = 0 (was 1)\n" },
	{ "leaf2 Ethernet4 pfc.watchdog = no", "watchdog-on", "leaf2:Ethernet4", "leaf2 Ethernet4 pfc.watchdog = yes (was no)\n" },
	{ "node1 eth2 dcbx = fw", "dcbx-off", "node1:eth2", "node1 eth2 dcbx = os (was fw)\n" },
	{ "leaf1 config.saved = no", "config-saved", "leaf1", "leaf1 config.saved = yes (was no)\n" },
	{ "node1 modules = \"mlx5_core mlx5_ib rdma_cm\"", "modules-loaded", "node1",
	  "node1 modules = \"mlx5_core mlx5_ib rdma_cm ib_uverbs\" (was \"mlx5_core mlx5_ib rdma_cm\")\n" },
};

static void tell(const struct story *story)
{
	struct world w;
	struct fix_scene scene;
	const struct finding *f;
	struct edits e = { 0 };
	struct buf out = { 0 };
	struct err err;

	world_init(&w);
	world_set_lines(&w, story->broken);
	world_run(&w, 4);
	scene = scene_of(&w);
	f = world_finding(&w, story->check, story->where);
	if (!f)
		fail_msg("no open finding matches %s for: %s", story->check, story->broken);
	if (!fix_of_finding(&scene, f, &e, &err))
		fail_msg("%s: %s", story->check, err.text);
	print_edits(&e, &out);
	if (strcmp(out.text ? out.text : "", story->edits))
		fail_msg("%s:\n%sand not\n%s", story->check, out.text, story->edits);
	buf_done(&out);
	edits_done(&e);
	world_done(&w);
}

static void what_is_broken_is_undone_and_nothing_else_is_touched(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(*stories); i++)
		tell(&stories[i]);
}

/* And what a fix has set is found no more: the edits are told as if they had been made. */
static void a_finding_goes_away_by_its_edits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(*stories); i++) {
		struct span rest = span_of(stories[i].edits), line;
		struct world w;

		world_init(&w);
		world_set_lines(&w, stories[i].broken);
		world_run(&w, 4);
		assert_non_null(world_finding(&w, stories[i].check, stories[i].where));
		while (span_line(&rest, &line)) {
			char *fact = xstrndup(line.p, (size_t)(span_find(line, " (was ") - line.p));

			world_set(&w, fact);
			free(fact);
		}
		world_run(&w, 4);
		if (world_finding(&w, stories[i].check, stories[i].where))
			fail_msg("%s is still there", stories[i].check);
		world_done(&w);
	}
}

/* What says no, with a word of its reason. */
static void assert_refused(const char *broken, const char *check, const char *where, const char *reason)
{
	struct world w;
	struct fix_scene scene;
	const struct finding *f;
	struct edits e = { 0 };
	struct err err = { "" };

	world_init(&w);
	world_set_lines(&w, broken);
	world_run(&w, 4);
	scene = scene_of(&w);
	f = world_finding(&w, check, where);
	assert_non_null(f);
	assert_false(fix_of_finding(&scene, f, &e, &err));
	if (!strstr(err.text, reason))
		fail_msg("%s: \"%s\" says nothing of \"%s\"", check, err.text, reason);
	assert_int_equal(e.n, 0);
	edits_done(&e);
	world_done(&w);
}

static void what_nobody_could_read_is_not_written_over(void **state)
{
	(void)state;
	assert_refused("node1 eth2 pfc.on[3] = no\nleaf1 ethernet1/1/1 pfc.on[3] = unknown \"not in the reply\"",
		       "pfc-on-where-wanted", "node1:eth2", "leaf1 ethernet1/1/1 pfc.on[3] is not known (not in the reply)");
	assert_refused("node1 eth2 pfc.on[3] = no\n- leaf1 ethernet1/1/1 pfc.on[3]", "pfc-on-where-wanted", "node1:eth2",
		       "not reported");
}

static void one_end_alone_is_not_changed_where_both_must_be(void **state)
{
	(void)state;
	assert_refused("node1 eth2 pfc.on[3] = no\nnode1 eth2 peer.name = \"leaf9\"\n- leaf1 ethernet1/1/1 peer.name\n"
		       "- leaf1 ethernet1/1/1 peer.mac", "pfc-on-where-wanted", "node1:eth2", "change at both ends together");
}

static void people_are_told_what_only_they_can_do(void **state)
{
	(void)state;
	assert_refused("node1 eth2 up = no", "link-up", "node1:eth2", "the rack technician");
	assert_refused("node1 app.tc = 0\nnode1 app.tc.set = no", "app-tos-as-wanted", "node1", "fabcon emit nccl-env");
	assert_refused("node1 eth2 pcie.width = 8", "pcie-as-capable", "node1:eth2", "reseat the card");
}

static void a_check_without_a_fix_is_for_people_in_its_own_words(void **state)
{
	struct world w;
	struct fix_scene scene;
	struct finding f;
	struct check check;
	struct edits e = { 0 };
	struct err err = { "" };

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 4);
	scene = scene_of(&w);
	f = *world_finding(&w, "trust-as-wanted", "node1:eth2");
	check = *f.check;
	check.id = "a-check-without-a-fix";
	f.check = &check;
	assert_false(fix_of_finding(&scene, &f, &e, &err));
	assert_string_equal(err.text, check.change);
	assert_int_equal(e.n, 0);
	world_done(&w);
}

static void a_consequence_names_what_it_follows_from(void **state)
{
	(void)state;
	assert_refused("leaf1 ethernet1/1/1 ecn.on[3] = no\nnode1 eth2 pfc.rx_us[3] = 300000\n"
		       "leaf1 ethernet1/1/1 pfc.tx[3] = 3000", "not-paused", "node1:eth2", "a consequence of ecn-on at leaf1");
}

static void buffers_under_traffic_are_left_alone(void **state)
{
	(void)state;
	assert_refused("node1 eth2 prio.pg[0] = 1\nnode1 eth2 rx.total = 200000000", "buffer-alone", "node1:eth2", "under traffic");
	assert_refused("node1 eth2 prio.pg[0] = 1", "buffer-alone", "node1:eth2", "whether the port carries any is not known");
}

static void what_no_dialect_can_set_says_so(void **state)
{
	struct world w;
	struct fix_scene scene;
	struct edits e = { 0 };
	struct err err;

	(void)state;
	world_init(&w);
	world_set(&w, "node1 eth2 trust = pcp");
	world_run(&w, 4);
	scene = scene_of(&w);
	scene.can_set = sets_nothing;
	assert_false(fix_of_finding(&scene, world_finding(&w, "trust-as-wanted", "node1:eth2"), &e, &err));
	assert_non_null(strstr(err.text, "fabcon has no setter for it"));
	assert_false(fix_of_target(&scene, model_find_device(w.model, "node1"), NULL, &e, NULL, &err));
	assert_non_null(strstr(err.text, "cannot configure"));
	world_done(&w);
}

/* A bond's member that was never set up, beside one that was. */
static void each_member_of_a_bond_is_set_and_never_the_bond(void **state)
{
	struct world w;
	struct fix_scene scene;
	const struct finding *f;
	struct edits e = { 0 };
	struct buf out = { 0 };
	struct err err;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 role = member\nnode1 eth2 bond = \"bond0\"\nnode1 eth3 role = member\n"
		      "node1 eth3 bond = \"bond0\"\nnode1 bond0 role = bond\nnode1 bond0 trust = pcp\n"
		      "node1 eth3 trust = pcp\nnode1 eth3 pfc.on[3] = no");
	world_run(&w, 4);
	scene = scene_of(&w);
	f = world_finding(&w, "bond-members-alike", "node1:eth3");
	assert_non_null(f);
	assert_true(fix_of_finding(&scene, f, &e, &err));
	print_edits(&e, &out);
	assert_string_equal(out.text, "node1 eth3 trust = dscp (was pcp)\nnode1 eth3 pfc.on[3] = yes (was no)\n");
	buf_done(&out);
	edits_done(&e);
	world_done(&w);
}

static void assert_bond_mtu(const char *facts, const char *check, const char *where, const char *edits)
{
	struct edits e = { 0 };
	struct buf out = { 0 };
	struct fix_scene scene;
	const struct finding *f;
	struct world w;
	struct err err;

	world_init(&w);
	world_set_lines(&w, "node1 eth2 role = member\nnode1 eth2 bond = \"bond0\"\nnode1 eth3 role = member\n"
		      "node1 eth3 bond = \"bond0\"\nnode1 bond0 role = bond");
	world_set_lines(&w, facts);
	world_run(&w, 4);
	scene = scene_of(&w);
	f = world_finding(&w, check, where);
	assert_non_null(f);
	assert_true(fix_of_finding(&scene, f, &e, &err));
	print_edits(&e, &out);
	assert_string_equal(out.text, edits);
	buf_done(&out);
	edits_done(&e);
	world_done(&w);
}

/* It is judged and set at the bond, which hands it down; of a member that has become smaller since, at the member. */
static void the_mtu_of_a_bond_is_the_bonds(void **state)
{
	(void)state;
	assert_bond_mtu("node1 bond0 mtu = 1500\nnode1 eth2 mtu = 9000\nnode1 eth3 mtu = 9000", "mtu-as-wanted", "node1:eth2",
			"node1 bond0 mtu = 9000 (was 1500)\n");
	assert_bond_mtu("node1 bond0 mtu = 9000\nnode1 eth2 mtu = 1500\nnode1 eth3 mtu = 9000", "bond-members-alike", "node1:eth2",
			"node1 eth2 mtu = 9000 (was 1500)\n");
}

static void what_raises_the_rate_too_fast_goes_back_to_its_defaults(void **state)
{
	struct world w;
	struct fix_scene scene;
	struct edits e = { 0 };
	struct buf out = { 0 };
	struct err err;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 cc.rpg_ai_rate = 1000\nnode1 eth2 cc.rpg_hai_rate = 5000");
	world_run(&w, 4);
	scene = scene_of(&w);
	if (!fix_of_finding(&scene, world_finding(&w, "dcqcn-calm", "node1:eth2"), &e, &err))
		fail_msg("%s", err.text);
	print_edits(&e, &out);
	assert_string_equal(out.text, "node1 eth2 cc.rpg_ai_rate = 5 (was 1000)\n"
				      "node1 eth2 cc.rpg_hai_rate = 50 (was 5000)\n");
	buf_done(&out);
	edits_done(&e);
	world_done(&w);
}

static void a_device_is_made_as_the_policy_wants_it_and_what_is_not_known_is_told(void **state)
{
	struct world w;
	struct fix_scene scene;
	struct edits e = { 0 };
	struct buf out = { 0 }, skipped = { 0 };
	struct err err;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2 trust = pcp\nnode1 eth3 mtu = 1500\nnode1 eth3 cnp.prio = unknown \"not root\"");
	world_run(&w, 4);
	scene = scene_of(&w);
	assert_true(fix_of_target(&scene, model_find_device(w.model, "node1"), NULL, &e, &skipped, &err));
	print_edits(&e, &out);
	assert_string_equal(out.text, "node1 eth2 trust = dscp (was pcp)\nnode1 eth3 mtu = 9000 (was 1500)\n");
	assert_non_null(strstr(skipped.text, "node1 eth3 cnp.prio: not root\n"));
	buf_done(&out);
	buf_done(&skipped);
	edits_done(&e);
	world_done(&w);
}

/* What is forced on every queue pair wins over the default: a device is not as wanted by its default alone. */
static void what_is_forced_is_planned_with_the_default_that_it_wins_over(void **state)
{
	static const char *const rows[][3] = {
		{ "node1 eth2 tos.cma = 0\nnode1 eth2 tos.force = 104", "node1 eth2 tos.cma = 106 (was 0)\nnode1 eth2 tos.force = "
									"106 (was 104)\n", "" },
		{ "node1 eth2 tos.force = 104", "node1 eth2 tos.force = 106 (was 104)\n", "" },
		{ "node1 eth2 tos.cma = 0\nnode1 eth2 tos.force = 0", "node1 eth2 tos.cma = 106 (was 0)\n", "" },
		{ "node1 eth2 tos.force = 106", "", "" },
		{ "node1 eth2 tos.force = unknown \"not root\"", "", "node1 eth2 tos.force: not root\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf out = { 0 }, skipped = { 0 };
		struct edits e = { 0 };
		struct fix_scene scene;
		struct world w;
		struct err err;

		world_init(&w);
		world_set_lines(&w, rows[i][0]);
		world_run(&w, 4);
		scene = scene_of(&w);
		assert_true(fix_of_target(&scene, model_find_device(w.model, "node1"), NULL, &e, &skipped, &err));
		print_edits(&e, &out);
		assert_string_equal(out.text ? out.text : "", rows[i][1]);
		assert_string_equal(skipped.text ? skipped.text : "", rows[i][2]);
		buf_done(&out);
		buf_done(&skipped);
		edits_done(&e);
		world_done(&w);
	}
}

/* A target is made as wanted together with what its link's other end lacks of the same settings, and with nothing else there. */
static void a_target_takes_the_other_end_of_its_link_along(void **state)
{
	static const struct {
		const char *facts, *device, *port, *edits, *skipped;
	} rows[] = {
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 trust = pcp", "node1", "eth2",
		  "leaf1 ethernet1/1/1 trust = dscp (was pcp)\nnode1 eth2 trust = dscp (was pcp)\n", "" },
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 trust = pcp", "leaf1", "ethernet1/1/1",
		  "leaf1 ethernet1/1/1 trust = dscp (was pcp)\nnode1 eth2 trust = dscp (was pcp)\n", "" },
		{ "node1 eth2 pfc.on[3] = no\nleaf1 ethernet1/1/1 pfc.on[3] = no\nnode1 eth3 pfc.on[3] = no\nleaf2 Ethernet4 pfc.on[3] = no",
		  "node1", NULL,
		  "leaf1 ethernet1/1/1 pfc.on[3] = yes (was no)\nleaf2 Ethernet4 pfc.on[3] = yes (was no)\n"
		  "node1 eth2 pfc.on[3] = yes (was no)\nnode1 eth3 pfc.on[3] = yes (was no)\n", "" },
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 mtu = 1522", "node1", "eth2", "node1 eth2 trust = dscp (was pcp)\n", "" },
		{ "node1 eth2 ecn.np[3] = no\nleaf1 ethernet1/1/1 trust = pcp", "node1", "eth2", "node1 eth2 ecn.np[3] = yes (was no)\n", "" },
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 trust = unknown \"denied\"", "node1", "eth2",
		  "node1 eth2 trust = dscp (was pcp)\n", "leaf1 ethernet1/1/1 trust: denied\n" },
		{ "node1 eth2 trust = pcp\n- node1 eth2 peer.name\n- node1 eth2 peer.port\n- leaf1 ethernet1/1/1 peer.name\n"
		  "- leaf1 ethernet1/1/1 peer.mac", "node1", "eth2",
		  "node1 eth2 trust = dscp (was pcp)\n", "the other end of node1 eth2: it is not known\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf out = { 0 }, skipped = { 0 };
		struct edits e = { 0 };
		struct fix_scene scene;
		struct world w;
		struct err err;

		world_init(&w);
		world_set_lines(&w, rows[i].facts);
		world_run(&w, 4);
		scene = scene_of(&w);
		assert_true(fix_of_target(&scene, model_find_device(w.model, rows[i].device),
					  rows[i].port ? model_find_port(w.model, rows[i].device, rows[i].port) : NULL, &e, NULL, &err));
		fix_add_far_ends(&scene, &e, &skipped);
		print_edits(&e, &out);
		assert_string_equal(out.text ? out.text : "", rows[i].edits);
		assert_string_equal(skipped.text ? skipped.text : "", rows[i].skipped);
		buf_done(&out);
		buf_done(&skipped);
		edits_done(&e);
		world_done(&w);
	}
}

static void a_healthy_fabric_has_nothing_to_set(void **state)
{
	static const char *const devices[] = { "node1", "leaf1", "leaf2" };
	struct world w;
	struct fix_scene scene;
	struct edits e = { 0 };
	struct buf out = { 0 };
	struct err err;

	(void)state;
	world_init(&w);
	world_run(&w, 4);
	scene = scene_of(&w);
	for (size_t i = 0; i < 3; i++)
		assert_true(fix_of_target(&scene, model_find_device(w.model, devices[i]), NULL, &e, NULL, &err));
	print_edits(&e, &out);
	assert_string_equal(out.text ? out.text : "", "");
	buf_done(&out);
	edits_done(&e);
	world_done(&w);
}

/* Edits that no policy makes right. */
static void some_things_are_never_done(void **state)
{
	static const char *const never[] = {
		"node1 eth2 pause.rx = yes (was no)", "leaf1 ethernet1/1/1 pause.tx = yes (was no)",
		"leaf2 Ethernet4 pfc.watchdog = no (was yes)", "node1 eth2 pfc.on[6] = yes (was no)",
		"node1 eth2 cnp.dscp = 26 (was 48)", "node1 eth2 cnp.prio = 3 (was 6)",
		"leaf1 ethernet1/1/1 dscp.prio[48] = 3 (was 6)", "node1 eth2v0 trust = dscp (was pcp)",
		"node1 bond0 trust = dscp (was pcp)", "node1 eth2 buffer.size[1] = 200000 (was 100000)",
		"node1 eth2 cable = 100 (was 5)",
	};
	static const char *const allowed[] = {
		"node1 eth2 pause.rx = no (was yes)", "leaf2 Ethernet4 pfc.watchdog = yes (was no)",
		"node1 eth2 pfc.on[3] = yes (was no)", "node1 eth2 cnp.dscp = 48 (was 0)", "node1 eth3 cable = 100 (was 5)",
	};
	struct arena arena = { 0 };
	struct world w;
	struct fix_scene scene;
	struct edit edit;
	struct err err;

	(void)state;
	world_init(&w);
	world_set_lines(&w, "node1 eth2v0 role = vf\nnode1 bond0 role = bond\nnode1 eth2 rx.total = 5000000000\nnode1 eth3 rx.total = 0");
	world_run(&w, 4);
	scene = scene_of(&w);
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++) {
		assert_true(edit_parse(span_of(never[i]), &arena, &edit, &err));
		if (!fix_refuses(&scene, &edit, &err))
			fail_msg("not refused: %s", never[i]);
	}
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		assert_true(edit_parse(span_of(allowed[i]), &arena, &edit, &err));
		if (fix_refuses(&scene, &edit, &err))
			fail_msg("refused: %s: %s", allowed[i], err.text);
	}
	arena_done(&arena);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fix_is_of_a_check_or_a_cause_and_of_the_console_or_of_people),
		cmocka_unit_test(every_field_of_a_fix_is_in_the_dictionary),
		cmocka_unit_test(every_manifest_of_a_fix_is_one_that_is_made),
		cmocka_unit_test(what_is_broken_is_undone_and_nothing_else_is_touched),
		cmocka_unit_test(a_finding_goes_away_by_its_edits),
		cmocka_unit_test(what_nobody_could_read_is_not_written_over),
		cmocka_unit_test(one_end_alone_is_not_changed_where_both_must_be),
		cmocka_unit_test(people_are_told_what_only_they_can_do),
		cmocka_unit_test(a_check_without_a_fix_is_for_people_in_its_own_words),
		cmocka_unit_test(a_consequence_names_what_it_follows_from),
		cmocka_unit_test(buffers_under_traffic_are_left_alone),
		cmocka_unit_test(what_no_dialect_can_set_says_so),
		cmocka_unit_test(each_member_of_a_bond_is_set_and_never_the_bond),
		cmocka_unit_test(the_mtu_of_a_bond_is_the_bonds),
		cmocka_unit_test(what_raises_the_rate_too_fast_goes_back_to_its_defaults),
		cmocka_unit_test(a_device_is_made_as_the_policy_wants_it_and_what_is_not_known_is_told),
		cmocka_unit_test(what_is_forced_is_planned_with_the_default_that_it_wins_over),
		cmocka_unit_test(a_target_takes_the_other_end_of_its_link_along),
		cmocka_unit_test(a_healthy_fabric_has_nothing_to_set),
		cmocka_unit_test(some_things_are_never_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
