/* A plan as a file: written, read back, refused when anything in it was touched; and as people read it. */
#include "core/fix/plan.h"

#include <stdlib.h>

#include <jansson.h>

#include "tests/lib/say.h"

static void add_line(struct fix_lines *lines, const char *text)
{
	*GROW(lines->list, lines->n, lines->cap) = text;
	lines->n++;
}

static void add_edit(struct fix_plan *p, struct fix_step *s, const char *text)
{
	struct err err;
	struct edit *e = GROW(s->edits, s->n_edits, s->cap_edits);

	assert_true(edit_parse(span_of(text), &p->arena, e, &err));
	e->why = "* * trust = dscp";
	s->n_edits++;
}

static struct fix_step *add_step(struct fix_plan *p, const char *device, const char *platform)
{
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);

	p->n_steps++;
	s->device = device;
	s->platform = platform;
	return s;
}

static void add_unit(struct fix_plan *p, size_t first, size_t n, unsigned wave)
{
	*GROW(p->units, p->n_units, p->cap_units) = (struct fix_unit){ first, n, wave };
	p->n_units++;
}

static void add_patch(struct fix_step *s)
{
	*GROW(s->files, s->n_files, s->cap_files) = (struct fix_file){ "patch.json", "[\n\t{}\n]\n" };
	s->n_files++;
}

/* Both ends of a link; a description that is no UTF-8, and one that is the private character standing for such bytes. */
static void make_plan(struct fix_plan *p)
{
	struct fix_step *s;

	fix_plan_init(p);
	p->id = "P-20261121-4f2a";
	p->made_us = INT64_C(1795000000000000);
	p->fabric = "lab";
	p->policy = "roce-lossless";
	p->title = "The two ends trust different markings";
	p->finding = "trust-same node1:eth2 - leaf1:Ethernet4";
	p->verify_us = 10000000;
	s = add_step(p, "leaf1", "sonic");
	s->base = "Ethernet4 trust=pcp\ndescription=\xff\xfe caf\xc3\xa9 \xf4\x8f\xbf\xbf \x1b[2J\n";
	s->after = "Ethernet4 trust=dscp\n";
	s->ports = "Ethernet4";
	add_edit(p, s, "leaf1 Ethernet4 trust = dscp (was pcp)");
	add_line(&s->lines, "config apply-patch /run/fabcon/P-20261121-4f2a.1/patch.json");
	add_line(&s->undo, "config rollback fabcon-P-20261121-4f2a-1");
	add_line(&s->save, "config save -y");
	add_patch(s);
	s = add_step(p, "node1", "linux");
	s->base = "eth2 trust pcp\n";
	s->after = "eth2 trust dscp\n";
	s->ports = "eth2 eth3";
	s->disturbs = "the link of eth2 goes down for several seconds";
	s->save_note = "fabcon emit systemd node1";
	add_edit(p, s, "node1 eth2 trust = dscp (was pcp)");
	add_line(&s->lines, "mlnx_qos -i eth2 --trust=dscp");
	add_line(&s->undo, "mlnx_qos -i eth2 --trust=pcp");
	add_unit(p, 0, 2, 1);
}

static void write_plan(const struct fix_plan *p, struct buf *out)
{
	fix_plan_write(p, out);
	assert_non_null(out->text);
}

static void a_plan_is_written_and_read_and_written_the_same(void **state)
{
	struct fix_plan p, back = { 0 };
	struct buf once = { 0 }, again = { 0 };
	char hash[FIX_HASH_SIZE], hash_back[FIX_HASH_SIZE];
	struct err err;

	(void)state;
	make_plan(&p);
	write_plan(&p, &once);
	if (!fix_plan_read(&back, buf_span(&once), &err))
		fail_msg("%s", err.text);
	write_plan(&back, &again);
	assert_string_equal(once.text, again.text);
	assert_string_equal(back.steps[0].base, p.steps[0].base);
	assert_string_equal(back.steps[0].files[0].text, p.steps[0].files[0].text);
	assert_int_equal(back.units[0].n, 2);
	assert_null(back.steps[0].disturbs);
	fix_plan_hash(&p, hash);
	fix_plan_hash(&back, hash_back);
	assert_string_equal(hash, hash_back);
	fix_plan_done(&p);
	fix_plan_done(&back);
	buf_done(&once);
	buf_done(&again);
}

/* A byte is another one: then it is no plan, or the plan it was (the way it is laid out has no meaning). */
static void no_byte_of_the_file_can_be_changed(void **state)
{
	static const unsigned char flips[] = { 0x01, 0x02, 0x10, 0x20, 0x80 };
	struct fix_plan p, back = { 0 };
	struct buf text = { 0 };
	char hash[FIX_HASH_SIZE], other[FIX_HASH_SIZE];
	size_t refused = 0;
	struct err err;

	(void)state;
	make_plan(&p);
	fix_plan_hash(&p, hash);
	write_plan(&p, &text);
	for (size_t i = 0; i < text.n * sizeof(flips); i++) {
		char *byte = &text.text[i / sizeof(flips)], was = *byte;

		*byte = (char)(was ^ flips[i % sizeof(flips)]);
		if (fix_plan_read(&back, buf_span(&text), &err)) {
			fix_plan_hash(&back, other);
			assert_string_equal(hash, other);
		} else {
			refused++;
		}
		*byte = was;
	}
	assert_true(refused > text.n * sizeof(flips) * 3 / 4);
	fix_plan_done(&p);
	fix_plan_done(&back);
	buf_done(&text);
}

static void a_cut_file_is_no_plan(void **state)
{
	struct fix_plan p, back = { 0 };
	struct buf text = { 0 };
	struct err err;

	(void)state;
	make_plan(&p);
	write_plan(&p, &text);
	for (size_t n = 0; n + 2 < text.n; n++)
		assert_false(fix_plan_read(&back, (struct span){ text.text, n }, &err));
	assert_int_equal(back.n_steps, 0);
	fix_plan_done(&p);
	buf_done(&text);
}

/* The file's text with an honest hash, after a hand went through its JSON. */
static bool read_after(void (*hand)(struct fix_plan *p), struct err *err)
{
	struct fix_plan p, back = { 0 };
	struct buf text = { 0 };
	bool ok;

	make_plan(&p);
	hand(&p);
	write_plan(&p, &text);
	ok = fix_plan_read(&back, buf_span(&text), err);
	fix_plan_done(&p);
	fix_plan_done(&back);
	buf_done(&text);
	return ok;
}

static void two_lines_in_one(struct fix_plan *p) { p->steps[1].lines.list[0] = "true\nreboot"; }
static void an_escape(struct fix_plan *p) { p->steps[1].undo.list[0] = "echo \x1b]52;c;x\x07"; }
static void no_command(struct fix_plan *p) { p->steps[1].lines.list[0] = ""; }
static void a_device_with_a_blank(struct fix_plan *p) { p->steps[0].device = "leaf1 leaf2"; }
static void an_option_for_a_device(struct fix_plan *p) { p->steps[0].device = "-oProxyCommand=x"; }
static void a_path_for_an_id(struct fix_plan *p) { p->id = "../../etc"; }
static void a_path_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = "../cron"; }
static void the_devices_own_undo_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = "undo"; }
static void a_lock_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = "lock"; }
static void a_decision_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = "decided"; }
static void a_runner_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = "runner.1"; }
static void an_end_alone_for_a_file(struct fix_plan *p) { p->steps[0].files[0].name = ".json"; }
static void nothing_verified(struct fix_plan *p) { p->verify_us = 0; }
static void an_edit_of_another_device(struct fix_plan *p) { p->steps[0].edits[0].device = "leaf2"; }
static void a_port_that_is_a_command(struct fix_plan *p) { p->steps[1].ports = "eth2 $(reboot)"; }
static void an_edited_port_that_is_one(struct fix_plan *p) { p->steps[1].edits[0].port = "a;b"; }
static void a_title_that_repaints(struct fix_plan *p) { p->title = "fine\x1b[2J"; }
static void a_title_of_eight_bit_control(struct fix_plan *p) { p->title = "fine\xc2\x9b" "2J"; }
static void a_wave_left_out(struct fix_plan *p) { p->units[0].wave = 2; }
static void an_endless_wait(struct fix_plan *p) { p->verify_us = INT64_MAX; }

static void hostile_plans_are_refused_though_their_hash_fits(void **state)
{
	static void (*const hands[])(struct fix_plan *) = {
		two_lines_in_one, an_escape, no_command, a_device_with_a_blank, an_option_for_a_device, a_path_for_an_id,
		a_path_for_a_file, the_devices_own_undo_for_a_file, a_lock_for_a_file, a_decision_for_a_file, a_runner_for_a_file,
		an_end_alone_for_a_file, nothing_verified, an_edit_of_another_device, a_port_that_is_a_command, an_edited_port_that_is_one,
		a_title_that_repaints, a_title_of_eight_bit_control, a_wave_left_out, an_endless_wait,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hands) / sizeof(*hands); i++) {
		struct err err = { "" };

		if (read_after(hands[i], &err))
			fail_msg("hand %zu: taken", i);
		assert_true(err.text[0]);
		assert_null(strstr(err.text, "hash"));
	}
}

static void set_in(json_t *plan, const char *key, json_t *value)
{
	json_object_set_new(plan, key, value);
}

/* Members that the hash does not know of, or that are of another kind. */
static void what_a_plan_does_not_hold_is_refused(void **state)
{
	static const struct {
		const char *key, *value;
	} rows[] = {
		{ "schema", "\"fabcon.plan/2\"" }, { "schema", "1" }, { "sudo", "true" }, { "hash", "null" }, { "hash", "\"00\"" },
		{ "units", "{}" }, { "units", "[1]" }, { "units", "[{\"wave\":1,\"steps\":[]}]" }, { "made_us", "\"now\"" },
		{ "made_us", "-1" }, { "id", "\"P-1\"" }, { "title", "[]" },
	};
	struct fix_plan p, back = { 0 };
	struct buf text = { 0 };
	struct err err;

	(void)state;
	make_plan(&p);
	write_plan(&p, &text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *plan = json_loadb(text.text, text.n, 0, NULL);
		char *changed;

		set_in(plan, rows[i].key, json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
		changed = json_dumps(plan, 0);
		if (fix_plan_read(&back, span_of(changed), &err))
			fail_msg("taken: %s = %s", rows[i].key, rows[i].value);
		free(changed);
		json_decref(plan);
	}
	fix_plan_done(&p);
	buf_done(&text);
}

static void more_steps_than_anybody_can_review_are_refused(void **state)
{
	struct fix_plan p, back = { 0 };
	struct buf text = { 0 };
	struct err err;

	(void)state;
	make_plan(&p);
	for (size_t i = 0; i < 4096; i++) {
		struct fix_step *s = add_step(&p, "node2", "linux");

		s->base = s->after = "";
		add_unit(&p, p.n_steps - 1, 1, 2);
	}
	write_plan(&p, &text);
	assert_false(fix_plan_read(&back, buf_span(&text), &err));
	assert_non_null(strstr(err.text, "more than"));
	fix_plan_done(&p);
	buf_done(&text);
}

static void people_read_commands_undo_and_what_is_disturbed(void **state)
{
	static const char *const parts[] = {
		"plan P-20261121-4f2a: The two ends trust different markings\n", "batch 1, alone\n", "step 2: node1 (linux)\n",
		"  node1 eth2 trust = dscp (was pcp)   # * * trust = dscp\n",
		"  disturbs: the link of eth2 goes down for several seconds\n", "    mlnx_qos -i eth2 --trust=dscp\n",
		"    config rollback fabcon-P-20261121-4f2a-1\n", "  over a reboot: fabcon emit systemd node1\n",
		"no lossless drop for 10 s\n", "made 2026-11-18T", "  file patch.json\n",
	};
	struct fix_plan p;
	struct buf out = { 0 };

	(void)state;
	make_plan(&p);
	fix_plan_print(&p, &out);
	assert_non_null(strstr(out.text, "the words of the plan's author: not proved"));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strstr(out.text, parts[i]))
			fail_msg("not said: %s\n%s", parts[i], out.text);
	fix_plan_done(&p);
	buf_done(&out);
}

/* What a hand leaves that takes the switch's step out: the texts of the plan say nothing of it. */
static void a_plan_that_lost_one_end_of_a_link_tells_it(void **state)
{
	static const char words[] = "the other end of node1 eth2 is not part of this plan";
	struct buf out = { 0 };
	struct fix_plan p;

	(void)state;
	make_plan(&p);
	fix_plan_print(&p, &out);
	assert_null(strstr(out.text, "the other end"));
	assert_false(fix_plan_say_one_end(&p, 1, &out));
	p.units[0] = (struct fix_unit){ 1, 1, 1 };
	buf_clear(&out);
	fix_plan_print(&p, &out);
	if (!strstr(out.text, words) || strstr(out.text, "leaf1 (sonic)"))
		fail_msg("\"%s\" is not said:\n%s", words, out.text);
	p.steps[1].edits[0].field = FIELD_TOS_CMA;	/* of no link */
	assert_null(fix_plan_one_end(&p, 1));
	fix_plan_done(&p);
	buf_done(&out);
}

static void names_on_a_device_are_short_and_count_from_one(void **state)
{
	struct fix_plan p;
	char name[64];

	(void)state;
	make_plan(&p);
	fix_step_dir(&p, 0, name);
	assert_string_equal(name, "/run/fabcon/P-20261121-4f2a.1");
	fix_step_name(&p, 0, name);
	assert_string_equal(name, "fabcon-P-20261121-4f2a-1");
	fix_plan_done(&p);
}

static void assert_diff(const char *a, const char *b, const char *expected)
{
	struct buf out = { 0 };

	lines_diff(span_of(a), span_of(b), &out);
	assert_string_equal(out.text ? out.text : "", expected);
	buf_done(&out);
}

static void two_texts_differ_by_as_few_lines_as_can_be(void **state)
{
	(void)state;
	assert_diff("", "", "");
	assert_diff("a\nb\nc\n", "a\nb\nc\n", "");
	assert_diff("a\nb\nc\n", "a\nx\nc\n", "- b\n+ x\n");
	assert_diff("a\nb\nc\nd\n", "b\nc\nd\ne\n", "- a\n+ e\n");
	assert_diff("", "a\n", "+ a\n");
	assert_diff("a\nb\na\nb\n", "b\na\n", "- a\n- b\n");
}

static void lines_that_count_up_are_one(void **state)
{
	(void)state;
	assert_diff("", "p[0] = 1\np[1] = 1\np[2] = 2\n", "+ p[0-1] = 1\n+ p[2] = 2\n");
	assert_diff("p[3] = 1\n", "p[3] = 2\np[4] = 2\n", "- p[3] = 1\n+ p[3-4] = 2\n");
	assert_diff("", "p[0] = 1\np[2] = 1\nq[3] = 1\n", "+ p[0] = 1\n+ p[2] = 1\n+ q[3] = 1\n");
	assert_diff("", "p[] = 1\np[1\np[x] = 1\n", "+ p[] = 1\n+ p[1\n+ p[x] = 1\n");
}

static void texts_too_long_to_compare_are_shown_whole(void **state)
{
	struct buf a = { 0 }, b = { 0 }, out = { 0 };

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		buf_printf(&a, "a%u\n", i);
		buf_printf(&b, "b%u\n", i);
	}
	lines_diff(buf_span(&a), buf_span(&b), &out);
	assert_int_equal(strncmp(out.text, "- a0\n- a1\n", 10), 0);
	assert_non_null(strstr(out.text, "+ b2999\n"));
	buf_done(&a);
	buf_done(&b);
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_is_written_and_read_and_written_the_same),
		cmocka_unit_test(no_byte_of_the_file_can_be_changed),
		cmocka_unit_test(a_cut_file_is_no_plan),
		cmocka_unit_test(hostile_plans_are_refused_though_their_hash_fits),
		cmocka_unit_test(what_a_plan_does_not_hold_is_refused),
		cmocka_unit_test(more_steps_than_anybody_can_review_are_refused),
		cmocka_unit_test(people_read_commands_undo_and_what_is_disturbed),
		cmocka_unit_test(a_plan_that_lost_one_end_of_a_link_tells_it),
		cmocka_unit_test(names_on_a_device_are_short_and_count_from_one),
		cmocka_unit_test(two_texts_differ_by_as_few_lines_as_can_be),
		cmocka_unit_test(lines_that_count_up_are_one),
		cmocka_unit_test(texts_too_long_to_compare_are_shown_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
