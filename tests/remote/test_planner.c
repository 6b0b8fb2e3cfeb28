/* Plans made from edits: what is grouped, in which order, and what must never change at the same time. */
#include "remote/fixer/planner.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/lib/worlds.h"

#define AT_US INT64_C(1795000000000000)		/* 2026-11-18 */

/* A minimal dialect: a setting is a fact in its written form, one per line, and a command is that line. */

static bool sets_settings(enum field f, bool of_port)
{
	return (field_table[f].scope == SCOPE_PORT) == of_port && field_table[f].kind < KIND_COUNTER;
}

static bool can_set(const char *platform, enum field f, bool of_port)
{
	(void)platform;
	return sets_settings(f, of_port);
}

static void print_cells(const struct device *d, const struct port *p, struct buf *out)
{
	static const enum field fields[] = { FIELD_MTU, FIELD_TRUST, FIELD_PFC_ON, FIELD_ECN_NP, FIELD_CONFIG_SAVED, FIELD_TCP_ECN };

	for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++)
		for (unsigned i = 0; i < field_table[fields[k]].width; i++) {
			const struct cell *c = p ? port_cell(p, fields[k], i) : device_cell(d, fields[k], i);
			struct fact fact = { d->name, p ? p->name : NULL, fields[k], i, c ? c->value : (struct value){ 0 } };

			if (!c || (field_table[fields[k]].scope == SCOPE_PORT) != (p != NULL))
				continue;
			fact_print(&fact, out);
			buf_str(out, "\n");
		}
}

static bool setup(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	uint64_t state;

	if (!device_number(m, d, FIELD_STATE, 0, &state))
		return err_set(err, "it was never read");
	print_cells(d, NULL, out);
	for (size_t i = 0; i < d->n_ports; i++)
		print_cells(d, d->ports[i], out);
	return true;
}

static bool is_line_of(struct span line, const struct edit *e)
{
	struct arena arena = { 0 };
	struct fact fact;
	bool is_it = fact_parse(line, &arena, &fact, NULL) && fact.field == e->field && fact.index == e->index &&
		     !fact.port == !e->port && (!e->port || !strcmp(fact.port, e->port));

	arena_done(&arena);
	return is_it;
}

static const struct edit *edit_of(struct span line, const struct edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_line_of(line, &edits[i]))
			return &edits[i];
	return NULL;
}

static void part(struct span text, const struct edit *edits, size_t n, struct buf *out)
{
	struct span line;

	while (span_line(&text, &line))
		if (edit_of(line, edits, n))
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
}

static bool edit(struct span text, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	struct span line;

	(void)err;
	while (span_line(&text, &line)) {
		const struct edit *e = edit_of(line, edits, n);
		struct fact fact = { 0 };

		if (e) {
			fact = (struct fact){ e->device, e->port, e->field, e->index, e->want };
			fact_print(&fact, after);
		} else {
			buf_add(after, line.p, line.n);
		}
		buf_str(after, "\n");
	}
	return true;
}

static void say(struct arena *arena, struct fix_lines *lines, const char *sign, struct span from, struct span to)
{
	struct buf diff = { 0 };
	struct span rest, line;

	lines_diff(from, to, &diff);
	rest = buf_span(&diff);
	while (span_line(&rest, &line)) {
		char text[200];
		int n = snprintf(text, sizeof(text), "set %.*s", (int)line.n - 2, line.p + 2);

		if (*line.p != *sign)
			continue;
		*GROW(lines->list, lines->n, lines->cap) = arena_text(arena, text, (size_t)n);
		lines->n++;
	}
	buf_done(&diff);
}

static bool commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
		     struct fix_step *step, struct err *err)
{
	(void)err;
	say(arena, &step->lines, "+", from, to);
	say(arena, &step->undo, "-", from, to);
	if (!strncmp(place->device, "leaf", 4)) {
		*GROW(step->save.list, step->save.n, step->save.cap) = "write memory";
		step->save.n++;
	} else {
		step->save_note = "lost at reboot; to persist it: fabcon emit systemd node1";
	}
	if (step->undo.n) {
		char text[100];
		int n = snprintf(text, sizeof(text), "ls %s", place->dir);

		*GROW(step->undo.list, step->undo.n, step->undo.cap) = arena_text(arena, text, (size_t)n);
		step->undo.n++;
	}
	return true;
}

static const struct dialect plain = { sets_settings, setup, part, edit, commands, .lines_in_cli = false };

static const struct dialect *find_plain(const char *platform)
{
	return strcmp(platform, "onyx") ? &plain : NULL;
}

/* A fabric, edits to it, and the plan made from them. */
struct story {
	struct world w;
	struct edits edits;
	struct fix_plan p;
	struct err err;
};

static void begin(struct story *s)
{
	*s = (struct story){ 0 };
	world_init(&s->w);
	fix_plan_init(&s->p);
}

static void end(struct story *s)
{
	fix_plan_done(&s->p);
	edits_done(&s->edits);
	world_done(&s->w);
}

static void want(struct story *s, const char *text)
{
	struct arena arena = { 0 };
	struct edit e;

	if (!edit_parse(span_of(text), &arena, &e, &s->err))
		fail_msg("%s", s->err.text);
	edits_add(&s->edits, &e);
	arena_done(&arena);
}

static bool make(struct story *s)
{
	struct fix_scene scene = { s->w.model, &s->w.links, s->w.policy, &s->w.inventory, can_set };

	return planner_make_by(find_plain, &scene, &s->edits, "a title", NULL, AT_US, &s->p, &s->err);
}

static void need(struct story *s)
{
	if (!make(s))
		fail_msg("%s", s->err.text);
}

/* "1: leaf1 node1 | 2: node2": waves, units, devices in order. */
static void assert_order(const struct story *s, const char *expected)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < s->p.n_units; i++) {
		const struct fix_unit *u = &s->p.units[i];

		buf_printf(&out, "%s%u:", i ? " | " : "", u->wave);
		for (size_t k = u->first; k < u->first + u->n; k++)
			buf_printf(&out, " %s", s->p.steps[k].device);
	}
	assert_string_equal(out.text ? out.text : "", expected);
	buf_done(&out);
}

static void both_ends_of_a_link_are_one_unit_the_switch_first(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_run(&s.w, 2);
	want(&s, "node1 eth2 pfc.on[3] = no (was yes)");
	want(&s, "node1 eth2 trust = pcp (was dscp)");
	want(&s, "leaf1 ethernet1/1/1 pfc.on[3] = no (was yes)");
	need(&s);
	assert_order(&s, "1: leaf1 node1");
	assert_string_equal(s.p.steps[1].base, "node1 eth2 trust = dscp\nnode1 eth2 pfc.on[3] = yes\n");
	assert_string_equal(s.p.steps[1].after, "node1 eth2 trust = pcp\nnode1 eth2 pfc.on[3] = no\n");
	assert_string_equal(s.p.steps[1].ports, "eth2");
	assert_string_equal(s.p.steps[1].lines.list[0], "set node1 eth2 trust = pcp");
	assert_int_equal(s.p.steps[1].lines.n, 2);
	end(&s);
}

/* Sixteen hosts on four switches, with the same fault on each. */
static void one_canary_then_waves_that_double(void **state)
{
	struct story s;
	size_t in_wave[8] = { 0 };

	(void)state;
	begin(&s);
	for (unsigned i = 1; i <= 16; i++) {
		char host[16], leaf[16], port[24], text[80];

		snprintf(host, sizeof(host), "host%u", i);
		snprintf(leaf, sizeof(leaf), "tor%u", i % 4 + 1);
		snprintf(port, sizeof(port), "ethernet1/1/%u", i);
		world_link(&s.w, host, 2, leaf, port);
		snprintf(text, sizeof(text), "%s eth2 ecn.np[3] = no (was yes)", host);
		want(&s, text);
	}
	world_run(&s.w, 2);
	need(&s);
	assert_int_equal(s.p.n_units, 16);
	for (size_t i = 0; i < s.p.n_units; i++)
		in_wave[s.p.units[i].wave]++;
	assert_int_equal(in_wave[1], 1);
	assert_int_equal(in_wave[2], 2);
	assert_int_equal(in_wave[3], 4);
	assert_int_equal(in_wave[4], 8);
	assert_int_equal(in_wave[5], 1);
	end(&s);
}

/* Never at the same time: two rails of a host, two members of a bond, or a switch and one of its ports. */
static void no_wave_touches_a_device_twice(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	for (unsigned i = 1; i <= 6; i++) {
		char host[16], port[24], text[80];

		snprintf(host, sizeof(host), "host%u", i + 10);
		for (unsigned rail = 1; rail <= 2; rail++) {
			snprintf(port, sizeof(port), "ethernet1/1/%u", i);
			world_link(&s.w, host, rail, rail == 1 ? "tor1" : "tor2", port);
			snprintf(text, sizeof(text), "%s eth%u trust = pcp (was dscp)", host, rail);
			want(&s, text);
			snprintf(text, sizeof(text), "tor%u %s pfc.on[3] = no (was yes)", rail, port);
			if (i % 2)
				want(&s, text);
		}
	}
	world_run(&s.w, 2);
	need(&s);
	assert_int_equal(s.p.n_units, 12);
	for (size_t a = 0; a < s.p.n_steps; a++)
		for (size_t b = 0; b < a; b++) {
			unsigned wave_a = 0, wave_b = 0;

			for (size_t u = 0; u < s.p.n_units; u++) {
				const struct fix_unit *unit = &s.p.units[u];

				wave_a = a >= unit->first && a < unit->first + unit->n ? unit->wave : wave_a;
				wave_b = b >= unit->first && b < unit->first + unit->n ? unit->wave : wave_b;
			}
			if (wave_a == wave_b && !strcmp(s.p.steps[a].device, s.p.steps[b].device))
				fail_msg("%s twice in wave %u", s.p.steps[a].device, wave_a);
		}
	end(&s);
}

/* Only switches change: a host with links to both must keep one of them. */
static void both_rails_of_a_host_are_never_down_together(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_link(&s.w, "host1", 1, "tor1", "ethernet1/1/1");
	world_link(&s.w, "host1", 2, "tor2", "ethernet1/1/1");
	world_link(&s.w, "host2", 1, "tor1", "ethernet1/1/2");
	world_link(&s.w, "host2", 2, "tor2", "ethernet1/1/2");
	world_run(&s.w, 2);
	want(&s, "tor1 ethernet1/1/1 mtu = 1500 (was 9216)");
	want(&s, "tor2 ethernet1/1/1 mtu = 1500 (was 9216)");
	want(&s, "tor2 ethernet1/1/2 mtu = 1500 (was 9216)");
	need(&s);
	assert_order(&s, "1: tor1 | 2: tor2 | 3: tor2");
	end(&s);
}

/* Two steps of one device: the second starts from the configuration that the first leaves. */
static void a_later_step_is_made_from_what_the_earlier_ones_leave(void **state)
{
	struct story s;
	char dir[64];

	(void)state;
	begin(&s);
	world_run(&s.w, 2);
	want(&s, "node1 eth2 trust = pcp (was dscp)");
	want(&s, "node1 eth3 trust = pcp (was dscp)");
	want(&s, "node1 tcp_ecn = 1 (was 2)");
	need(&s);
	assert_order(&s, "1: node1 | 2: node1 | 3: node1");
	assert_string_equal(s.p.steps[0].base, "node1 tcp_ecn = 2\n");
	assert_string_equal(s.p.steps[1].base, "node1 eth2 trust = dscp\n");
	assert_string_equal(s.p.steps[2].base, "node1 eth3 trust = dscp\n");
	assert_string_equal(s.p.steps[2].lines.list[0], "set node1 eth3 trust = pcp");
	assert_int_equal(s.p.steps[2].lines.n, 1);
	fix_step_dir(&s.p, 2, dir);
	assert_string_equal(s.p.steps[2].undo.list[1] + strlen("ls "), dir);
	end(&s);
}

static void what_belongs_to_a_whole_device_goes_first_and_alone_and_saving_last(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_link(&s.w, "host1", 1, "tor1", "ethernet1/1/1");
	world_link(&s.w, "host2", 1, "tor2", "ethernet1/1/1");
	world_set(&s.w, "tor1 config.saved = no");
	world_set(&s.w, "tor2 config.saved = no");
	world_run(&s.w, 2);
	want(&s, "tor1 config.saved = yes (was no)");
	want(&s, "tor2 config.saved = yes (was no)");
	want(&s, "host1 eth1 trust = pcp (was dscp)");
	want(&s, "host1 tcp_ecn = 1 (was 2)");
	want(&s, "host2 tcp_ecn = 1 (was 2)");
	need(&s);
	assert_order(&s, "1: host1 | 2: host2 | 3: host1 | 4: tor1 | 5: tor2");
	end(&s);
}

static void a_step_that_would_send_nothing_is_none(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_run(&s.w, 2);
	want(&s, "node1 eth2 trust = dscp (was pcp)");	/* true by now */
	need(&s);
	assert_int_equal(s.p.n_steps, 0);
	assert_int_equal(s.p.n_units, 0);
	end(&s);
}

static void assert_refused(const char *fact, const char *edit, const char *reason)
{
	struct story s;

	begin(&s);
	if (fact)
		world_set(&s.w, fact);
	world_run(&s.w, 2);
	want(&s, edit);
	assert_false(make(&s));
	if (!strstr(s.err.text, reason))
		fail_msg("\"%s\" says nothing of \"%s\"", s.err.text, reason);
	end(&s);
}

/* 1024 links: 128 hosts on eight leaves, both ends of each. */
static void a_thousand_links_are_planned_while_somebody_waits(void **state)
{
	struct story s = { .p = { 0 } };
	struct fix_unit last;
	clock_t begun;

	(void)state;
	world_known(&s.w, KNOWN_LARGE);
	world_run(&s.w, 2);
	for (size_t i = 0; i < s.w.links.n; i++) {
		const struct link *l = &s.w.links.list[i];
		const struct port *const ends[2] = { l->a, l->b };

		if (!l->b || !device_text(l->a->device, FIELD_PLATFORM))
			continue;
		for (unsigned k = 0; k < 2; k++) {
			struct edit e = { ends[k]->device->name, ends[k]->name, FIELD_MTU, 0, { .is = VALUE_KNOWN, .n = 9000 + 216 * k },
					  { .is = VALUE_KNOWN, .n = 4200 }, NULL };

			edits_add(&s.edits, &e);
		}
	}
	begun = clock();
	need(&s);
	assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 20);
	assert_true(s.p.n_steps > 1800);
	last = s.p.units[s.p.n_units - 1];
	assert_true(last.wave >= 128);		/* each leaf has that many links and is touched once per wave */
	end(&s);
}

static void what_cannot_be_planned_says_why_and_where(void **state)
{
	(void)state;
	assert_refused(NULL, "node7 eth2 trust = pcp (was dscp)", "node7: unknown device");
	assert_refused("node1 $(reboot) trust = pcp", "node1 $(reboot) trust = dscp (was pcp)", "not safe in a command");
	assert_refused(NULL, "leaf1 ethernet1/1/9 trust = dscp (was pcp)",
		       "unknown port");
	assert_refused("node1 bond0 role = bond", "node1 bond0 trust = dscp (was pcp)", "set the members of a bond");
	assert_refused("node1 eth2v0 role = vf", "node1 eth2v0 trust = dscp (was pcp)", "physical function");
	assert_refused(NULL, "node1 eth2 pause.rx = yes (was no)", "never turns it on");
	assert_refused("leaf1 platform = \"onyx\"", "leaf1 ethernet1/1/1 trust = pcp (was dscp)",
		       "leaf1: fabcon cannot configure its operating system, onyx");
	assert_refused("leaf1 state = unknown \"never reached\"", "leaf1 ethernet1/1/1 trust = pcp (was dscp)",
		       "its configuration is incomplete: it was never read");
}

static void who_else_writes_the_settings_is_told(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.w, "node1 lldpad = yes");
	world_set(&s.w, "node1 eth2 dcbx = fw");
	world_run(&s.w, 2);
	want(&s, "node1 eth2 trust = pcp (was dscp)");
	need(&s);
	assert_string_equal(s.p.steps[0].disturbs, "lldpad is running and may overwrite it; the NIC's firmware negotiates DCBX "
						   "and may overwrite it");
	end(&s);
}

/* One end of a link alone: the plan says so where the other end is not known to agree with it afterwards. */
static void that_one_end_of_a_link_changes_alone_is_told(void **state)
{
	static const char said[] = "only this end of the link changes, and the other end is not known to agree";
	static const struct {
		const char *facts, *edit;
		bool is_told;
	} rows[] = {
		{ "node1 eth2 trust = pcp", "node1 eth2 trust = dscp (was pcp)", false },
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 trust = pcp", "node1 eth2 trust = dscp (was pcp)", true },
		{ "node1 eth2 trust = pcp\nleaf1 ethernet1/1/1 trust = unknown \"denied\"", "node1 eth2 trust = dscp (was pcp)", true },
		{ "node1 eth2 pfc.on[3] = no\n- node1 eth2 peer.name\n- node1 eth2 peer.port\n- leaf1 ethernet1/1/1 peer.name\n"
		  "- leaf1 ethernet1/1/1 peer.mac", "node1 eth2 pfc.on[3] = yes (was no)",
		  true },
		{ "node1 eth2 ecn.np[3] = no\nleaf1 ethernet1/1/1 trust = pcp", "node1 eth2 ecn.np[3] = yes (was no)", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct story s;
		const char *disturbs;

		begin(&s);
		world_set_lines(&s.w, rows[i].facts);
		world_run(&s.w, 2);
		want(&s, rows[i].edit);
		need(&s);
		disturbs = s.p.steps[0].disturbs ? s.p.steps[0].disturbs : "";
		if ((strstr(disturbs, said) != NULL) != rows[i].is_told)
			fail_msg("row %zu: %s", i, disturbs);
		end(&s);
	}
}

/* What the plan for node1's trust says about a reboot, given these facts about node1. */
static void assert_note(const char *const *facts, const char *edit, const char *says, const char *not)
{
	struct story s;

	begin(&s);
	for (; *facts; facts++)
		world_set(&s.w, *facts);
	world_run(&s.w, 2);
	want(&s, edit);
	need(&s);
	assert_non_null(s.p.steps[0].save_note);
	if (!strstr(s.p.steps[0].save_note, says) || (not && strstr(s.p.steps[0].save_note, not)))
		fail_msg("says \"%s\", not \"%s\"", s.p.steps[0].save_note, says);
	end(&s);
}

static void what_keeps_a_setting_over_a_reboot_is_told(void **state)
{
	static const char *const none[] = { NULL }, *const off[] = { "node1 persist.unit = no", NULL };
	static const char *const on[] = { "node1 persist.unit = yes", "node1 persist.policy = \"roce-lossless\"", NULL };
	static const char *const other[] = { "node1 persist.unit = yes", "node1 persist.policy = \"roce-iscsi\"", NULL };
	static const char *const odd[] = { "node1 persist.unit = yes", "node1 persist.policy = \"$(reboot)\"", NULL };
	static const char *const untold[] = { "node1 persist.unit = unknown \"not to be read\"", NULL };
	static const char trust[] = "node1 eth2 trust = pcp (was dscp)", forgets[] = "lost at reboot";

	(void)state;
	assert_note(none, trust, "lost at reboot; to persist it: fabcon emit systemd node1", "fabcon-roce.service");
	assert_note(off, trust, "lost at reboot; to persist it: fabcon emit systemd node1", "fabcon-roce.service");
	assert_note(untold, trust, forgets, "kept");
	assert_note(on, trust, "persistent: fabcon-roce.service sets it at boot", forgets);
	assert_note(on, "node1 eth2 mtu = 1500 (was 9000)", forgets, "fabcon-roce.service");
	assert_note(other, trust, "sets what the policy roce-iscsi requires at each boot and reports drift: fabcon emit systemd node1 "
				  "writes it again", "sets it at boot");
	assert_note(odd, trust, "its settings are not known", "$(");
	assert_note(on, "node1 eth2 cc.rpg_ai_rate = 10 (was 5)", "no manifest covers cc.rpg_ai_rate", "emit");
}

static void an_operators_setting_is_its_manifests(void **state)
{
	static const char *const nic[] = { "node1 owner = \"nic-configuration-operator machine-config-operator\"", NULL };
	static const char *const sriov[] = { "node1 owner = \"sriov-network-operator\"", NULL };
	static const char trust[] = "node1 eth2 trust = pcp (was dscp)", mtu[] = "node1 eth2 mtu = 1500 (was 9000)";

	(void)state;
	assert_note(nic, trust, "owned by an operator, nic-configuration-operator: change its manifest (fabcon emit "
				"nicconfigurationtemplate node1); a direct change lasts until the operator's next reconcile", NULL);
	assert_note(nic, mtu, "lost at reboot", "owned");
	assert_note(sriov, mtu, "fabcon emit sriovnetworknodepolicy node1", NULL);
	assert_note(sriov, trust, "lost at reboot", "owned");
}

static void what_others_have_not_saved_is_not_saved_by_the_way(void **state)
{
	struct story s;

	(void)state;
	for (unsigned asked = 0; asked < 2; asked++) {
		begin(&s);
		world_set(&s.w, "leaf1 config.saved = no");
		world_run(&s.w, 2);
		want(&s, "leaf1 ethernet1/1/1 trust = pcp (was dscp)");
		if (asked)
			want(&s, "leaf1 config.saved = yes (was no)");
		need(&s);
		assert_int_equal(s.p.steps[0].save.n, asked);
		assert_int_equal(s.p.steps[0].save_note != NULL, !asked);
		end(&s);
	}
}

static void the_same_edits_at_the_same_time_make_the_same_plan_that_reads_back(void **state)
{
	struct story s, again;
	struct fix_plan back = { 0 };
	struct buf a = { 0 }, b = { 0 };
	struct err err;

	(void)state;
	begin(&s);
	begin(&again);
	world_run(&s.w, 2);
	world_run(&again.w, 2);
	want(&s, "node1 eth2 trust = pcp (was dscp)");
	want(&again, "node1 eth2 trust = pcp (was dscp)");
	need(&s);
	need(&again);
	fix_plan_write(&s.p, &a);
	fix_plan_write(&again.p, &b);
	assert_string_equal(a.text, b.text);
	if (!fix_plan_read(&back, buf_span(&a), &err))
		fail_msg("%s", err.text);
	assert_int_equal(strncmp(back.id, "P-20261118-", 11), 0);
	assert_int_equal(back.verify_us, 10000000);
	fix_plan_done(&back);
	buf_done(&a);
	buf_done(&b);
	end(&s);
	end(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_of_a_link_are_one_unit_the_switch_first),
		cmocka_unit_test(one_canary_then_waves_that_double),
		cmocka_unit_test(no_wave_touches_a_device_twice),
		cmocka_unit_test(both_rails_of_a_host_are_never_down_together),
		cmocka_unit_test(a_later_step_is_made_from_what_the_earlier_ones_leave),
		cmocka_unit_test(what_belongs_to_a_whole_device_goes_first_and_alone_and_saving_last),
		cmocka_unit_test(a_step_that_would_send_nothing_is_none),
		cmocka_unit_test(a_thousand_links_are_planned_while_somebody_waits),
		cmocka_unit_test(what_cannot_be_planned_says_why_and_where),
		cmocka_unit_test(who_else_writes_the_settings_is_told),
		cmocka_unit_test(that_one_end_of_a_link_changes_alone_is_told),
		cmocka_unit_test(what_keeps_a_setting_over_a_reboot_is_told),
		cmocka_unit_test(an_operators_setting_is_its_manifests),
		cmocka_unit_test(what_others_have_not_saved_is_not_saved_by_the_way),
		cmocka_unit_test(the_same_edits_at_the_same_time_make_the_same_plan_that_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
