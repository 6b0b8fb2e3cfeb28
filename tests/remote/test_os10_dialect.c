/* Changing an OS10 switch: what a port is to do, as lines typed in configuration mode, and back from wherever they stopped. */
#include "tests/lib/say.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/config.h"
#include "remote/os10/os10.h"
#include "remote/os10/tree.h"
#include "remote/platform/dialect.h"

#define PORTS 4

/* A switch of the lab, and the dialect's view of it. */
struct bench {
	struct dell_config *dell;
	struct model *model;
	struct buf setup, after;
	struct arena arena;
	struct fix_step step;
	struct err err;
	bool boots_other;		/* what it was saved as is something else */
};

static void bench_open(struct bench *b)
{
	*b = (struct bench){ .dell = dell_config_lossless("leaf1", PORTS) };
}

static void step_clear(struct bench *b)
{
	free(b->step.lines.list);
	free(b->step.undo.list);
	free(b->step.save.list);
	b->step = (struct fix_step){ 0 };
	buf_clear(&b->after);
}

static void bench_close(struct bench *b)
{
	step_clear(b);
	dell_config_free(b->dell);
	model_free(b->model);
	buf_done(&b->setup);
	buf_done(&b->after);
	arena_done(&b->arena);
}

static void config_text(const struct bench *b, struct buf *out)
{
	dell_config_print(b->dell, "", out);
}

/* The switch is read, as the poller would. */
static void read_switch(struct bench *b)
{
	const struct probe *probe = platform_probe(&os10_platform, "running-config");
	struct answer a = { .status = -1 };
	struct buf text = { 0 };
	struct obs o;

	buf_str(&text, "! Version 10.5.6.1\n! Last configuration change at Nov  21 05:00:00 2026\n!\n");
	config_text(b, &text);
	buf_str(&text, OS10_STARTUP "\n");
	buf_str(&text, b->boots_other ? "snmp-server location old\n" : "");
	config_text(b, &text);
	a.text = buf_span(&text);
	model_free(b->model);
	b->model = model_new();
	obs_init(&o, "leaf1", probe->id);
	o.at_us = 1000000;
	o.period_us = 30000000;
	platform_parse(&os10_platform, probe, &a, &o);
	model_apply(b->model, &o);
	obs_done(&o);
	buf_done(&text);
	buf_clear(&b->setup);
	if (!os10_dialect.setup(b->model, model_find_device(b->model, "leaf1"), &b->setup, &b->err))
		fail_msg("%s", b->err.text);
}

/* Facts that are wanted, a line each: "ethernet1/1/1 pfc.on[3] = yes"; every index of a range. */
static size_t edits_of(struct bench *b, const char *facts, struct edit *edits)
{
	struct span rest = span_of(facts), line;
	size_t n = 0;

	while (span_line(&rest, &line)) {
		char *text = xasprintf("leaf1 %.*s", (int)line.n, line.p);
		struct fact_text t;
		uint64_t set;

		assert_true(fact_split(span_of(text), &t, &b->err));
		assert_true(fact_indices(t.field, t.indices, &set, &b->err));
		for (unsigned i = 0; i < 64; i++) {
			if (!(set >> i & 1))
				continue;
			edits[n] = (struct edit){ .device = "leaf1", .field = t.field, .index = i };
			edits[n].port = t.port.n ? arena_text(&b->arena, t.port.p, t.port.n) : NULL;
			assert_true(value_parse(t.field, t.value, &b->arena, &edits[n++].want, &b->err));
		}
		free(text);
	}
	return n;
}

/* Plans what is wanted; false with the reason in err. */
static bool plan(struct bench *b, const char *facts)
{
	struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };
	struct edit edits[256];
	size_t n = edits_of(b, facts, edits);

	read_switch(b);
	step_clear(b);
	return os10_dialect.edit(buf_span(&b->setup), edits, n, &b->after, &b->err) &&
	       os10_dialect.commands(buf_span(&b->setup), buf_span(&b->after), &place, &b->arena, &b->step, &b->err);
}

static void type_line(struct bench *b, int *at, const char *line, bool may_fail)
{
	struct buf answer = { 0 };
	char words[256];
	int next;

	assert_true(dell_words(span_of(line), words, sizeof(words)));
	next = dell_config_line(b->dell, *at, words, &answer);
	if (!may_fail && answer.n)
		fail_msg("\"%s\": %s", line, answer.text);
	if (next >= 0)
		*at = next;
	buf_done(&answer);
}

static void type_lines(struct bench *b, const struct fix_lines *lines, size_t n, bool may_fail)
{
	int at = 0;

	for (size_t i = 0; i < n; i++)
		type_line(b, &at, lines->list[i], may_fail);
}

static void typed(const struct fix_lines *lines, struct buf *out)
{
	for (size_t i = 0; i < lines->n; i++)
		buf_printf(out, "%s\n", lines->list[i]);
}

static void assert_lines(const struct fix_lines *lines, const char *wanted)
{
	struct buf text = { 0 };

	typed(lines, &text);
	assert_string_equal(text.text ? text.text : "", wanted);
	buf_done(&text);
}

/* All is done as planned, and the switch says so. */
static void apply(struct bench *b)
{
	struct buf planned = { 0 };

	type_lines(b, &b->step.lines, b->step.lines.n, false);
	buf_add(&planned, b->after.text, b->after.n);
	read_switch(b);
	assert_string_equal(b->setup.text, planned.text);
	buf_done(&planned);
}

/* From each place where the lines may have stopped, undo brings the same text back. */
static void assert_undone_from_anywhere(struct bench *b)
{
	struct buf base = { 0 }, now = { 0 };

	config_text(b, &base);
	for (size_t k = 0; k <= b->step.lines.n; k++) {
		type_lines(b, &b->step.lines, k, false);
		type_lines(b, &b->step.undo, b->step.undo.n, true);
		buf_clear(&now);
		config_text(b, &now);
		if (now.n != base.n || memcmp(now.text, base.text, base.n))
			fail_msg("after %zu lines the undo leaves\n%s\nwhere there was\n%s", k, now.text, base.text);
	}
	buf_done(&base);
	buf_done(&now);
}

/* What was kept is taken back later: from what the switch is read to say, to the byte. */
static void take_back(struct bench *b, const struct edit *edits, size_t n, const struct buf *base_setup)
{
	struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1-u", "fabcon-P-1-1-u" };
	struct buf base = { 0 }, after = { 0 }, back = { 0 };

	os10_dialect.part(buf_span(base_setup), edits, n, &base);
	os10_dialect.part(buf_span(&b->setup), edits, n, &after);
	step_clear(b);
	assert_true(os10_dialect.restore(buf_span(&b->setup), buf_span(&base), buf_span(&after), &back, &b->err));
	assert_string_equal(back.text, base_setup->text);
	assert_true(os10_dialect.commands(buf_span(&b->setup), buf_span(&back), &place, &b->arena, &b->step, &b->err));
	type_lines(b, &b->step.lines, b->step.lines.n, false);
	read_switch(b);
	assert_string_equal(b->setup.text, base_setup->text);
	buf_done(&base);
	buf_done(&after);
	buf_done(&back);
}

/* -- stories -- */

static void a_port_that_lost_its_trust_gets_the_fabrics_map(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	dell_put(b.dell, "interface ethernet1/1/2", NULL, "trust-map dscp", NULL);
	assert_true(plan(&b, "ethernet1/1/2 trust = dscp\nethernet1/1/2 dscp.prio[24,26] = 3\nethernet1/1/2 dscp.prio[48] = 6"));
	assert_lines(&b.step.lines, "interface ethernet1/1/2\ntrust-map dscp rdma-dscp\nexit\n");
	assert_lines(&b.step.undo, "interface ethernet1/1/2\nno trust-map dscp\nexit\n");
	assert_lines(&b.step.save, "write memory\n");
	assert_undone_from_anywhere(&b);
	apply(&b);
	bench_close(&b);
}

static void pfc_at_a_port_puts_flow_control_off_and_says_so(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	dell_put(b.dell, "interface ethernet1/1/1", NULL, "priority-flow-control mode", "priority-flow-control mode off");
	dell_put(b.dell, "interface ethernet1/1/1", NULL, "flowcontrol receive", "flowcontrol receive on");
	assert_true(plan(&b, "ethernet1/1/1 pfc.on[3] = yes"));
	assert_lines(&b.step.lines, "interface ethernet1/1/1\nflowcontrol receive off\npriority-flow-control mode on\nexit\n");
	assert_lines(&b.step.undo, "interface ethernet1/1/1\npriority-flow-control mode off\nflowcontrol receive on\nexit\n");
	assert_non_null(strstr(b.step.disturbs, "ethernet1/1/1"));
	assert_non_null(strstr(b.step.disturbs, "802.3x"));
	assert_undone_from_anywhere(&b);
	apply(&b);
	bench_close(&b);
}

static void pfc_of_the_wrong_priority_goes_back_to_the_common_policy(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	dell_put(b.dell, "class-map type network-qos NQ4", NULL, "match qos-group", "match qos-group 4");
	dell_put(b.dell, "policy-map type network-qos pfc-1", "class NQ4", "pause", "pause");
	dell_put(b.dell, "policy-map type network-qos pfc-1", "class NQ4", "pfc-cos", "pfc-cos 4");
	dell_put(b.dell, "interface ethernet1/1/1", NULL, "service-policy input",
		 "service-policy input type network-qos pfc-1");
	assert_true(plan(&b, "ethernet1/1/1 pfc.on[3] = yes\nethernet1/1/1 pfc.on[4] = no"));
	assert_lines(&b.step.lines, "interface ethernet1/1/1\nno service-policy input type network-qos pfc-1\n"
				    "service-policy input type network-qos rdma-pfc\nexit\n");
	assert_undone_from_anywhere(&b);
	apply(&b);
	bench_close(&b);
}

static void a_profile_that_is_wrong_for_all_is_changed_itself(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	dell_put(b.dell, "wred rdma-ecn", NULL, "random-detect ecn", NULL);
	assert_true(plan(&b, "ethernet1/1/1 ecn.on[3] = yes\nethernet1/1/2 ecn.on[3] = yes\n"
			     "ethernet1/1/3 ecn.on[3] = yes\nethernet1/1/4 ecn.on[3] = yes"));
	assert_lines(&b.step.lines, "wred rdma-ecn\nrandom-detect ecn\nexit\n");
	assert_lines(&b.step.undo, "wred rdma-ecn\nno random-detect ecn\nexit\n");
	assert_undone_from_anywhere(&b);
	apply(&b);
	bench_close(&b);
}

static void a_port_alone_gets_objects_of_its_own(void **state)
{
	struct bench b;
	struct buf text = { 0 };

	(void)state;
	bench_open(&b);
	assert_true(plan(&b, "ethernet1/1/3 ecn.kmin[3] = 200 KB\nethernet1/1/3 pfc.on[5] = yes"));
	typed(&b.step.lines, &text);
	assert_non_null(strstr(text.text, "wred fabcon-wred-"));
	assert_non_null(strstr(text.text, "policy-map type queuing fabcon-ets-"));
	assert_non_null(strstr(text.text, "class-map type network-qos fabcon-group-5\nmatch qos-group 5\n"));
	assert_null(strstr(text.text, "wred rdma-ecn"));
	assert_undone_from_anywhere(&b);
	apply(&b);

	/* The next port that is to be so takes the same objects. */
	assert_true(plan(&b, "ethernet1/1/4 ecn.kmin[3] = 200 KB\nethernet1/1/4 pfc.on[5] = yes"));
	buf_clear(&text);
	typed(&b.step.lines, &text);
	assert_null(strstr(text.text, "\nwred "));
	assert_true(strncmp(text.text, "interface ethernet1/1/4\n", 24) == 0);
	assert_undone_from_anywhere(&b);
	apply(&b);
	buf_done(&text);
	bench_close(&b);
}

static void what_is_so_already_needs_no_line(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	assert_true(plan(&b, "ethernet1/1/1 trust = dscp\nethernet1/1/1 dscp.prio[24,26] = 3\nethernet1/1/1 pfc.on[3] = yes\n"
			     "ethernet1/1/1 ecn.on[3] = yes\nethernet1/1/1 ecn.kmin[3] = 150 KB\nethernet1/1/1 mtu = 9216\n"
			     "ethernet1/1/1 ets.share[3] = 60\nethernet1/1/1 tc.queue[3] = 3\nethernet1/1/1 pause.rx = no"));
	assert_lines(&b.step.lines, "");
	assert_lines(&b.step.undo, "");
	assert_null(b.step.disturbs);
	bench_close(&b);
}

static void an_mtu_is_written_out_where_the_switch_has_another_default(void **state)
{
	static const char setup[] = "default mtu 9216\n!\ninterface ethernet1/1/1\n mtu 9000\n!\n";
	struct edit edit = { .device = "leaf1", .port = "ethernet1/1/1", .field = FIELD_MTU, .want = { .is = VALUE_KNOWN, .n = 1532 } };
	struct buf after = { 0 };
	struct err err;

	(void)state;
	assert_true(os10_dialect.edit(span_of(setup), &edit, 1, &after, &err));
	assert_non_null(strstr(after.text, "mtu 1532"));
	buf_clear(&after);
	assert_true(os10_dialect.edit(span_of(setup + strlen("default mtu 9216\n!\n")), &edit, 1, &after, &err));
	assert_null(strstr(after.text, "mtu "));
	buf_done(&after);
}

static void saving_alone_is_a_line_of_its_own(void **state)
{
	struct edit edit = { .device = "leaf1", .field = FIELD_CONFIG_SAVED, .want = { .is = VALUE_KNOWN, .n = 1 } };
	struct buf part = { 0 }, after = { 0 };
	struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };
	struct bench b;

	(void)state;
	bench_open(&b);
	b.boots_other = true;
	read_switch(&b);
	assert_true(os10_dialect.edit(buf_span(&b.setup), &edit, 1, &b.after, &b.err));
	assert_true(os10_dialect.commands(buf_span(&b.setup), buf_span(&b.after), &place, &b.arena, &b.step, &b.err));
	assert_lines(&b.step.lines, "do write memory\n");
	assert_lines(&b.step.save, "");
	os10_dialect.part(buf_span(&b.setup), &edit, 1, &part);
	os10_dialect.part(buf_span(&b.after), &edit, 1, &after);
	assert_string_not_equal(part.text, after.text);
	buf_done(&part);
	buf_done(&after);

	/* Beside other edits it waits until these are verified. */
	assert_true(plan(&b, "ethernet1/1/1 mtu = 9000\nconfig.saved = yes"));
	assert_lines(&b.step.lines, "interface ethernet1/1/1\nmtu 9000\nexit\n");
	assert_lines(&b.step.save, "write memory\n");
	bench_close(&b);
}

/* -- texts that are not as they should be -- */

static unsigned roll(uint64_t *seed, unsigned n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed >> 11) % n;
}

static char *normal(const char *text)
{
	struct os10_tree tree;
	struct buf out = { 0 };
	struct err err;

	if (os10_tree_read(&tree, span_of(text), &err))
		os10_tree_print(&tree, &out);
	os10_tree_done(&tree);
	return out.text ? out.text : xstrdup("");
}

static void a_text_without_indentation_is_the_same_configuration(void **state)
{
	struct buf text = { 0 }, flat = { 0 };
	struct span rest, line;
	char *a, *b;
	struct bench bench;

	(void)state;
	bench_open(&bench);
	config_text(&bench, &text);
	for (rest = buf_span(&text); span_line(&rest, &line);) {
		line = span_trim(line);
		buf_printf(&flat, "%.*s \r\n", (int)line.n, line.p);
	}
	a = normal(text.text);
	b = normal(flat.text);
	assert_string_equal(a, b);
	free(b);
	b = normal(a);
	assert_string_equal(a, b);
	free(a);
	free(b);
	buf_done(&text);
	buf_done(&flat);
	bench_close(&bench);
}

static void a_name_that_no_command_may_hold_is_not_typed(void **state)
{
	static const char *const names[] = { "a;reboot", "x|no-more", "$(reboot)", "a'b", "`x`", "a?b", "!", "\xc2\x9b" "2J" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char line[96], header[96];
		struct bench b;

		bench_open(&b);
		snprintf(line, sizeof(line), "trust-map dscp %s", names[i]);
		snprintf(header, sizeof(header), "trust dscp-map %s", names[i]);
		dell_put(b.dell, header, NULL, "qos-group 0", "qos-group 0 dscp 0-63");
		dell_put(b.dell, "interface ethernet1/1/1", NULL, "trust-map dscp", line);
		assert_false(plan(&b, "ethernet1/1/1 dscp.prio[26] = 3"));
		assert_non_null(strstr(b.err.text, "not safe in a command"));
		bench_close(&b);
	}
}

static void what_was_not_read_whole_is_not_changed(void **state)
{
	struct buf out = { 0 };
	struct bench b;
	struct device *d;

	(void)state;
	bench_open(&b);
	read_switch(&b);
	d = model_find_device(b.model, "leaf1");
	model_set_now(b.model, INT64_C(600000000));
	assert_false(os10_dialect.setup(b.model, d, &out, &b.err));
	assert_non_null(strstr(b.err.text, "is stale"));
	model_free(b.model);
	b.model = model_saying("leaf1 ethernet1/1/1 up = yes", 1000000);
	assert_false(os10_dialect.setup(b.model, model_find_device(b.model, "leaf1"), &out, &b.err));
	assert_non_null(strstr(b.err.text, "has not been read"));
	assert_int_equal(out.n, 0);
	assert_false(plan(&b, "ethernet1/1/99 pfc.on[3] = yes"));
	assert_false(plan(&b, "ethernet1/1/1 mtu = 99"));
	assert_false(plan(&b, "ethernet1/1/1 ets.share[3] = 90"));
	assert_false(plan(&b, "ethernet1/1/1 pause.rx = yes"));
	buf_done(&out);
	bench_close(&b);
}

/* Whatever the text: no crash, and what is typed is made of plain words. */
static void garbage_is_survived(void **state)
{
	static const char noise[] = "!\n \t|;'\"$`\\%0193,-/:\x01\xff no class exit";
	struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };
	uint64_t seed = 4711;
	struct buf text = { 0 };
	struct edit edits[64];
	struct bench b;
	size_t n;

	(void)state;
	bench_open(&b);
	config_text(&b, &text);
	n = edits_of(&b, "ethernet1/1/1 trust = dscp\nethernet1/1/1 dscp.prio[24-26] = 3\nethernet1/1/2 pfc.on[3,5] = yes\n"
			 "ethernet1/1/2 ecn.on[3,4] = yes\nethernet1/1/3 ecn.kmax[3] = 900 KB\nethernet1/1/3 tc.queue[2] = 1\n"
			 "ethernet1/1/4 ets.share[0,3] = 40\nethernet1/1/4 mtu = 2000", edits);
	for (unsigned turn = 0; turn < 400; turn++) {
		char *broken = xstrndup(text.text, roll(&seed, 4) ? text.n : roll(&seed, (unsigned)text.n));
		size_t length = strlen(broken);
		struct buf after = { 0 }, part = { 0 };

		for (unsigned i = roll(&seed, 12); i-- > 0 && length;)
			broken[roll(&seed, (unsigned)length)] = noise[roll(&seed, sizeof(noise) - 1)];
		step_clear(&b);
		if (os10_dialect.edit(span_of(broken), edits, n, &after, &b.err) &&
		    os10_dialect.commands(span_of(broken), buf_span(&after), &place, &b.arena, &b.step, &b.err))
			for (size_t i = 0; i < b.step.lines.n; i++)
				for (const char *c = b.step.lines.list[i]; *c; c++)
					assert_true(isalnum((unsigned char)*c) || strchr(" ._-/:,@", *c));
		os10_dialect.part(span_of(broken), edits, n, &part);
		buf_done(&after);
		buf_done(&part);
		free(broken);
	}
	buf_done(&text);
	bench_close(&b);
}

/* -- any edits of any port, one after the other -- */

static void random_fact(uint64_t *seed, unsigned port, struct buf *facts)
{
	buf_printf(facts, "%sethernet1/1/%u ", facts->n ? "\n" : "", port);
	switch (roll(seed, 13)) {
	case 0:
		buf_str(facts, roll(seed, 3) ? "trust = dscp" : "trust = none");
		break;
	case 1:
	case 2:
		buf_printf(facts, "dscp.prio[%u] = %u", roll(seed, 64), roll(seed, 8));
		break;
	case 3:
		buf_printf(facts, "tc.queue[%u] = %u", roll(seed, 8), roll(seed, 8));
		break;
	case 4:
	case 5:
		buf_printf(facts, "pfc.on[%u] = %s", 2 + roll(seed, 4), roll(seed, 3) ? "yes" : "no");
		break;
	case 6:
		buf_printf(facts, "pause.%s = no", roll(seed, 2) ? "rx" : "tx");
		break;
	case 7:
		buf_printf(facts, "ets.on = %s", roll(seed, 2) ? "yes" : "no");
		break;
	case 8:
		buf_printf(facts, "ecn.on[%u] = %s", roll(seed, 2) ? 3 : 4, roll(seed, 2) ? "yes" : "no");
		break;
	case 9:
		buf_printf(facts, "ecn.kmin[3] = %u KB", 100 + roll(seed, 3));
		break;
	case 10:
		buf_printf(facts, "ecn.pmax[3] = %u", roll(seed, 101));
		break;
	case 11:
		buf_printf(facts, "mtu = %u", roll(seed, 2) ? 1532 : 9000 + roll(seed, 217));
		break;
	default:
		buf_printf(facts, "ets.share[0] = 30\nethernet1/1/%u ets.share[3] = %u\nethernet1/1/%u ets.share[4] = %u\n"
			   "ethernet1/1/%u ets.share[6] = 10", port, 30, port, 30, port);
	}
}

/* What was wanted last of each fact is what the switch is read to say. */
static void assert_facts(struct bench *b, const char *facts)
{
	struct edit edits[256];
	size_t n = edits_of(b, facts, edits);

	for (size_t i = 0; i < n; i++) {
		const struct port *p = model_find_port(b->model, "leaf1", edits[i].port);
		const struct cell *c = port_cell(p, edits[i].field, edits[i].index);
		bool is_last = true;

		for (size_t k = i + 1; k < n; k++)
			is_last = is_last && (strcmp(edits[k].port, edits[i].port) || edits[k].field != edits[i].field ||
					      edits[k].index != edits[i].index);
		if (is_last && (!c || c->value.is != VALUE_KNOWN || c->value.n != edits[i].want.n))
			fail_msg("%s %s[%u] is not as wanted by\n%s\nin\n%s", edits[i].port, field_table[edits[i].field].name,
				 edits[i].index, facts, b->setup.text);
	}
}

/* Facts that speak of the same: what pauses and what excludes it, what is marked and what is not. */
static bool contradicts(const char *facts)
{
	return (strstr(facts, "trust = none") && strstr(facts, "dscp.prio")) ||
	       (strstr(facts, "= no") && (strstr(facts, "ecn.kmin") || strstr(facts, "ecn.pmax")) && strstr(facts, "ecn.on[3]"));
}

static void any_edits_are_made_and_undone(void **state)
{
	uint64_t seed = 20261121;
	unsigned made = 0, refused = 0;

	(void)state;
	for (unsigned world = 0; world < 40; world++) {
		struct bench b;

		bench_open(&b);
		for (unsigned turn = 0; turn < 6; turn++) {
			struct buf facts = { 0 };
			unsigned n = 1 + roll(&seed, 4), first = 1 + roll(&seed, PORTS), all = roll(&seed, 4);

			for (unsigned i = 0; i < n; i++)
				random_fact(&seed, 1 + (first + i) % PORTS, &facts);
			if (!all) {	/* the same of every port */
				uint64_t again = seed;

				for (unsigned port = 1; port <= PORTS; port++, seed = again)
					random_fact(&again, port, &facts), again = seed;
				roll(&seed, 2);
			}
			if (!contradicts(facts.text) && plan(&b, facts.text)) {
				struct edit edits[256];
				struct buf base = { 0 };

				assert_undone_from_anywhere(&b);
				buf_add(&base, b.setup.text, b.setup.n);
				apply(&b);
				assert_facts(&b, facts.text);
				if (turn % 2)
					take_back(&b, edits, edits_of(&b, facts.text, edits), &base);
				buf_done(&base);
				made++;
			} else {
				refused++;
			}
			buf_done(&facts);
		}
		bench_close(&b);
	}
	assert_true(made > 130);
	assert_true(refused < made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_that_lost_its_trust_gets_the_fabrics_map),
		cmocka_unit_test(pfc_at_a_port_puts_flow_control_off_and_says_so),
		cmocka_unit_test(pfc_of_the_wrong_priority_goes_back_to_the_common_policy),
		cmocka_unit_test(a_profile_that_is_wrong_for_all_is_changed_itself),
		cmocka_unit_test(a_port_alone_gets_objects_of_its_own),
		cmocka_unit_test(what_is_so_already_needs_no_line),
		cmocka_unit_test(an_mtu_is_written_out_where_the_switch_has_another_default),
		cmocka_unit_test(saving_alone_is_a_line_of_its_own),
		cmocka_unit_test(a_text_without_indentation_is_the_same_configuration),
		cmocka_unit_test(a_name_that_no_command_may_hold_is_not_typed),
		cmocka_unit_test(what_was_not_read_whole_is_not_changed),
		cmocka_unit_test(garbage_is_survived),
		cmocka_unit_test(any_edits_are_made_and_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
