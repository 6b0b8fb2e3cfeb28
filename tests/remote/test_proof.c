/* A plan proves itself: what the planner made is taken, and whatever a hand changed in it is refused with the first difference. */
#include "remote/fixer/proof.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/fixer/planner.h"
#include "remote/platforms.h"
#include "tests/lib/say.h"
#include "tests/lib/world.h"

#define AT_US INT64_C(1795000000000000)

struct story {
	struct world w;
	struct edits edits;
	struct fix_plan p;
	struct err err;
};

static void want(struct story *s, const char *text)
{
	struct arena arena = { 0 };
	struct edit e;

	if (!edit_parse(span_of(text), &arena, &e, &s->err))
		fail_msg("%s", s->err.text);
	edits_add(&s->edits, &e);
	arena_done(&arena);
}

static void make_by(struct story *s, const struct policy *policy)
{
	struct fix_scene scene = { s->w.model, &s->w.links, policy, &s->w.inventory, dialect_can_set };

	fix_plan_init(&s->p);
	if (!planner_make(&scene, &s->edits, "a title", NULL, AT_US, &s->p, &s->err))
		fail_msg("%s", s->err.text);
}

static void make(struct story *s)
{
	make_by(s, s->w.policy);
}

/* A host of written facts with a plan of several lines. */
static void begin(struct story *s)
{
	*s = (struct story){ 0 };
	world_init(&s->w);
	world_run(&s->w, 2);
	want(s, "node1 eth2 trust = pcp (was dscp)");
	want(s, "node1 eth2 pfc.on[3] = no (was yes)");
	want(s, "node1 eth2 pfc.on[4] = yes (was no)");
	make(s);
	assert_int_equal(s->p.n_steps, 1);
	assert_true(s->p.steps[0].lines.n >= 2);
}

static void end(struct story *s)
{
	fix_plan_done(&s->p);
	edits_done(&s->edits);
	world_done(&s->w);
}

static struct proof_scene scene_of(const struct story *s)
{
	return (struct proof_scene){ s->w.model, s->w.policy, &s->w.inventory };
}

static bool proves(struct story *s)
{
	const struct proof_scene scene = scene_of(s);
	bool ok = true;

	s->err = (struct err){ "" };
	for (size_t i = 0; ok && i < s->p.n_steps; i++)
		ok = proof_of_step(&scene, &s->p, i, &s->err);
	return ok;
}

/* Written and read, as a file is. */
static void as_file(struct story *s)
{
	struct buf text = { 0 };
	struct fix_plan back;

	fix_plan_init(&back);
	fix_plan_write(&s->p, &text);
	if (!fix_plan_read(&back, buf_span(&text), &s->err))
		fail_msg("%s", s->err.text);
	fix_plan_done(&s->p);
	s->p = back;
	buf_done(&text);
}

static void what_the_planner_made_is_taken(void **state)
{
	struct proof_scene scene;
	struct story s;

	(void)state;
	begin(&s);
	as_file(&s);
	if (!proves(&s))
		fail_msg("%s", s.err.text);
	scene = scene_of(&s);
	if (!proof_of_order(&scene, &s.p, &s.err) || !proof_of_save(&scene, &s.p, 0, &s.err))
		fail_msg("%s", s.err.text);
	end(&s);
}

/* -- hands -- */

static void another_line(struct fix_step *s) { s->lines.list[1] = "touch /root/canary"; }
static void a_line_less(struct fix_step *s) { s->lines.n--; }
static void a_line_more(struct fix_step *s) { *GROW(s->lines.list, s->lines.n, s->lines.cap) = "reboot"; s->lines.n++; }
static void an_appended_command(struct fix_step *s) { s->lines.list[0] = "mlnx_qos -i eth2 --trust pcp; touch /root/canary"; }
static void lines_exchanged(struct fix_step *s)
{
	const char *first = s->lines.list[0];

	s->lines.list[0] = s->lines.list[1];
	s->lines.list[1] = first;
}
static void another_undo(struct fix_step *s) { s->undo.list[0] = "true"; }
static void no_undo(struct fix_step *s) { s->undo.n = 0; }
static void a_save(struct fix_step *s) { *GROW(s->save.list, s->save.n, s->save.cap) = "rm -rf /"; s->save.n++; }
static void a_file(struct fix_step *s) { *GROW(s->files, s->n_files, s->cap_files) = (struct fix_file){ "undo.json", "x" }; s->n_files++; }
static void other_ports(struct fix_step *s) { s->ports = "eth9"; }
static void no_ports(struct fix_step *s) { s->ports = NULL; }
static void nothing_disturbed(struct fix_step *s) { s->disturbs = NULL; }
static void another_after(struct fix_step *s) { s->after = s->base; }
static void another_platform(struct fix_step *s) { s->platform = "sonic"; }
static void another_want(struct fix_step *s) { s->edits[s->n_edits - 1].want.n = !s->edits[s->n_edits - 1].want.n; }
static void another_was(struct fix_step *s) { s->edits[s->n_edits - 1].was.n = !s->edits[s->n_edits - 1].was.n; }
static void no_was(struct fix_step *s) { s->edits[0].was.is = VALUE_ABSENT; }
static void an_edit_less(struct fix_step *s) { s->n_edits--; }

static void whatever_a_hand_changed_is_refused_and_named(void **state)
{
	static const struct {
		void (*hand)(struct fix_step *s);
		const char *words;
	} hands[] = {
		{ another_line, "line 2 of the plan is \"touch /root/canary\"; the device and the edits give \"mlnx_qos" },
		{ a_line_less, "of the plan is \"nothing\"" }, { a_line_more, "\"reboot\"; the device and the edits give \"nothing\"" },
		{ an_appended_command, "line 1 of the plan" }, { lines_exchanged, "line 1 of the plan" },
		{ another_undo, "undo line 1 of the plan is \"true\"" }, { no_undo, "undo line 1 of the plan is \"nothing\"" },
		{ a_save, "save line 1 of the plan is \"rm -rf /\"" }, { a_file, "file list of the plan is \"undo.json\"" },
		{ other_ports, "ports of the plan is \"eth9\"" }, { no_ports, "ports of the plan is \"nothing\"" },
		{ nothing_disturbed, "disturbs of the plan is \"nothing\"" }, { another_after, "of after of the plan" },
		{ another_platform, "for the platform \"sonic\"; the device is linux" }, { another_want, "of the plan is" },
		{ an_edit_less, "of the plan is" },
		{ another_was, "an edit of the plan is \"node1 eth2 pfc.on[4] = yes (was yes)\"; the device and the edits give \"node1 eth2 "
			       "pfc.on[4] = yes (was no)\"" },
		{ no_was, "an edit of the plan is" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hands) / sizeof(*hands); i++) {
		struct story s;

		begin(&s);
		hands[i].hand(&s.p.steps[0]);
		if (proves(&s))
			fail_msg("hand %zu: taken", i);
		if (!strstr(s.err.text, hands[i].words) || !strstr(s.err.text, "make the plan again"))
			fail_msg("hand %zu: no \"%s\" in: %s", i, hands[i].words, s.err.text);
		end(&s);
	}
}

/* What the device does beside the change may be other by now; the lines are the same. */
static void what_changed_beside_an_honest_plan_refuses_it_not(void **state)
{
	static const struct {
		const char *before, *after;
		bool is_taken;
	} rows[] = {
		{ "node1 lldpad = yes", "node1 lldpad = no", true },
		{ "node1 lldpad = no", "node1 lldpad = yes", false },	/* an agent that nobody was warned of */
		{ "node1 driver.ready = no", "node1 driver.ready = yes", true },
		{ "node1 driver.ready = yes", "node1 driver.ready = no", true },
		{ "node1 persist.unit = no", "node1 persist.unit = yes", true },
		{ "node1 eth3 mtu = 9000", "node1 eth3 mtu = 1500", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct story s = { 0 };

		world_init(&s.w);
		world_set(&s.w, rows[i].before);
		world_run(&s.w, 2);
		want(&s, "node1 eth2 trust = pcp (was dscp)");
		make(&s);
		world_set(&s.w, rows[i].after);
		world_run(&s.w, 2);
		if (proves(&s) != rows[i].is_taken)
			fail_msg("row %zu: %s", i, s.err.text[0] ? s.err.text : "taken");
		end(&s);
	}
}

/* Honest lines of a change that fabcon never makes: the CNPs' priority is lossless. Whatever the plan calls its policy. */
static void what_is_never_set_is_refused_in_a_file_too(void **state)
{
	static const struct {
		const char *policy, *words;
	} rows[] = {
		{ "roce-lossless", "never set" },
		{ "x", "; the plan names policy x, and was judged by roce-lossless: if that is another one, give it with -p" },
		{ NULL, "; the plan names no policy, and was judged by roce-lossless: make the plan again" },
	};
	struct policy *other = policy_read(SPAN("name other\nhost * cnp.prio = 5\n* * pfc.on[6] = yes\n"), "other.policy", NULL);

	(void)state;
	assert_non_null(other);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct story s = { 0 };

		world_init(&s.w);
		world_run(&s.w, 2);
		want(&s, "node1 eth2 pfc.on[6] = yes (was no)");
		make_by(&s, other);
		s.p.policy = rows[i].policy;
		as_file(&s);
		if (proves(&s))
			fail_msg("row %zu: taken", i);
		if (!strstr(s.err.text, "CNPs in a lossless class") || !strstr(s.err.text, rows[i].words))
			fail_msg("row %zu: no \"%s\" in: %s", i, rows[i].words, s.err.text);
		end(&s);
	}
	policy_free(other);
}

/* -- order -- */

static void add_hosts(struct story *s, unsigned n)
{
	*s = (struct story){ 0 };
	world_init(&s->w);
	for (unsigned i = 1; i <= n; i++) {
		char host[16], port[24], text[80];

		snprintf(host, sizeof(host), "host%u", i);
		snprintf(port, sizeof(port), "ethernet1/1/%u", i);
		world_link(&s->w, host, 2, "tor1", port);
		snprintf(text, sizeof(text), "%s eth2 ecn.np[3] = no (was yes)", host);
		want(s, text);
	}
	world_run(&s->w, 2);
	make(s);
}

static void first_wave_of_two(struct fix_plan *p) { p->units[1].wave = 1; }
static void all_in_the_second(struct fix_plan *p) { for (size_t u = 1; u < p->n_units; u++) p->units[u].wave = 2; }
static void one_device_twice(struct fix_plan *p) { p->steps[2].device = p->steps[1].device; }
static void one_unit_of_two_hosts(struct fix_plan *p)
{
	p->units[1].n = 2;
	for (size_t u = 2; u + 1 < p->n_units; u++)
		p->units[u] = p->units[u + 1];
	p->n_units--;
	for (size_t u = 2; u < p->n_units; u++)
		p->units[u].first = u + 1;
}
static void an_edit_twice(struct fix_plan *p)
{
	struct fix_step *s = &p->steps[0];
	struct edit *e = GROW(s->edits, s->n_edits, s->cap_edits);

	*e = s->edits[0];
	s->n_edits++;
}
static void no_edits(struct fix_plan *p) { p->steps[3].n_edits = 0; }

static void an_order_that_no_planner_makes_is_refused(void **state)
{
	static const struct {
		void (*hand)(struct fix_plan *p);
		const char *words;
	} hands[] = {
		{ first_wave_of_two, "batch 1 of the plan has 2 units" }, { all_in_the_second, "the planner puts at most 2 there" },
		{ one_device_twice, "twice" }, { one_unit_of_two_hosts, "and a port of another link" }, { an_edit_twice, "planner's order" },
		{ no_edits, "has no edits" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hands) / sizeof(*hands); i++) {
		struct proof_scene scene;
		struct story s;

		add_hosts(&s, 7);
		scene = scene_of(&s);
		if (!proof_of_order(&scene, &s.p, &s.err))
			fail_msg("%s", s.err.text);
		hands[i].hand(&s.p);
		s.err = (struct err){ "" };
		if (proof_of_order(&scene, &s.p, &s.err))
			fail_msg("hand %zu: taken", i);
		if (!strstr(s.err.text, hands[i].words))
			fail_msg("hand %zu: no \"%s\" in: %s", i, hands[i].words, s.err.text);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_planner_made_is_taken),
		cmocka_unit_test(whatever_a_hand_changed_is_refused_and_named),
		cmocka_unit_test(what_changed_beside_an_honest_plan_refuses_it_not),
		cmocka_unit_test(what_is_never_set_is_refused_in_a_file_too),
		cmocka_unit_test(an_order_that_no_planner_makes_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
