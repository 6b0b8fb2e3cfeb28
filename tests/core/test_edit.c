/* Edits: one order, none twice, and one written form. */
#include "core/fix/edit.h"
#include "tests/lib/say.h"

static void add(struct edits *e, const char *text)
{
	struct arena arena = { 0 };
	struct edit edit;
	struct err err;

	if (!edit_parse(span_of(text), &arena, &edit, &err))
		fail_msg("%s", err.text);
	edits_add(e, &edit);
	arena_done(&arena);
}

static void assert_edits(const struct edits *e, const char *expected)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < e->n; i++) {
		edit_print(&e->list[i], &out);
		buf_str(&out, "\n");
	}
	assert_string_equal(out.text ? out.text : "", expected);
	buf_done(&out);
}

static void edits_stand_by_device_port_field_and_index(void **state)
{
	struct edits e = { 0 };

	(void)state;
	add(&e, "node10 eth2 mtu = 9000 (was 1500)");
	add(&e, "node2 eth10 pfc.on[3] = yes (was no)");
	add(&e, "node2 eth2 pfc.on[4] = no (was yes)");
	add(&e, "node2 eth2 pfc.on[3] = yes (was no)");
	add(&e, "node2 config.saved = yes (was no)");
	add(&e, "node2 eth2 trust = dscp (was pcp)");
	assert_edits(&e, "node2 config.saved = yes (was no)\n"
			 "node2 eth2 trust = dscp (was pcp)\n"
			 "node2 eth2 pfc.on[3] = yes (was no)\n"
			 "node2 eth2 pfc.on[4] = no (was yes)\n"
			 "node2 eth10 pfc.on[3] = yes (was no)\n"
			 "node10 eth2 mtu = 9000 (was 1500)\n");
	edits_done(&e);
}

static void a_later_edit_of_the_same_fact_takes_its_place(void **state)
{
	struct edits e = { 0 };

	(void)state;
	add(&e, "node1 eth2 mtu = 9000 (was 1500)");
	add(&e, "node1 eth2 mtu = 4200 (was 1500)");
	assert_edits(&e, "node1 eth2 mtu = 4200 (was 1500)\n");
	edits_done(&e);
}

static void an_edit_that_changes_nothing_is_not_added(void **state)
{
	struct edits e = { 0 };

	(void)state;
	add(&e, "node1 eth2 trust = dscp (was dscp)");
	add(&e, "node1 eth2 alias = \"a\" (was \"a\")");
	assert_edits(&e, "");
	edits_done(&e);
}

static void texts_with_the_signs_of_the_form_in_them_come_back(void **state)
{
	struct edits e = { 0 };

	(void)state;
	add(&e, "node1 eth2 alias = \"a = b (was c)\" (was \"\\x1b[2J \\\" (was \")");
	assert_edits(&e, "node1 eth2 alias = \"a = b (was c)\" (was \"\\x1b[2J \\\" (was \")\n");
	edits_done(&e);
}

static void what_was_not_there_yet_may_be_set(void **state)
{
	struct edits e = { 0 };

	(void)state;
	add(&e, "leaf1 Ethernet4 ecn.kmin[3] = 150000 (was absent)");
	assert_edits(&e, "leaf1 Ethernet4 ecn.kmin[3] = 150000 (was absent)\n");
	edits_done(&e);
}

static void what_is_not_known_is_not_edited(void **state)
{
	static const char *const refused[] = {
		"node1 eth2 trust = dscp", "node1 eth2 trust = dscp (was unknown \"not root\")",
		"node1 eth2 trust = absent (was pcp)",
		"node1 eth2 trust = layer2 (was pcp)", "node1 eth2 pfc.on[8] = yes (was no)",
		"node1 eth2 pfc.on[0-1] = yes (was no)", "node1 trust = dscp (was pcp)", "", "(was )", " = (was )", "node1 eth2 mtu = (was 150)",
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct edit edit;
		struct err err = { "" };

		if (edit_parse(span_of(refused[i]), &arena, &edit, &err))
			fail_msg("taken: %s", refused[i]);
		assert_true(err.text[0]);
	}
	arena_done(&arena);
}

static void an_edit_is_met_by_what_it_wants_and_modules_by_all_of_theirs(void **state)
{
	struct value list = { .is = VALUE_KNOWN, .text = "ib_uverbs mlx5_ib" }, now = { .is = VALUE_KNOWN, .text = "rdma_cm mlx5_ib ib_uverbs" };
	struct edit e = { .device = "node1", .field = FIELD_MODULES, .want = list };

	(void)state;
	assert_true(edit_is_met(&e, &now));
	now.text = "rdma_cm mlx5_ib";
	assert_false(edit_is_met(&e, &now));
	assert_false(edit_is_met(&e, NULL));
	e = (struct edit){ .device = "node1", .port = "eth2", .field = FIELD_MTU, .want = { .is = VALUE_KNOWN, .n = 9000 } };
	assert_false(edit_is_met(&e, NULL));
	assert_true(edit_is_met(&e, &e.want));
	e.want.is = VALUE_ABSENT;
	assert_true(edit_is_met(&e, NULL));
	assert_false(edit_is_met(&e, &(struct value){ .is = VALUE_UNKNOWN }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_stand_by_device_port_field_and_index),
		cmocka_unit_test(a_later_edit_of_the_same_fact_takes_its_place),
		cmocka_unit_test(an_edit_that_changes_nothing_is_not_added),
		cmocka_unit_test(texts_with_the_signs_of_the_form_in_them_come_back),
		cmocka_unit_test(what_was_not_there_yet_may_be_set),
		cmocka_unit_test(what_is_not_known_is_not_edited),
		cmocka_unit_test(an_edit_is_met_by_what_it_wants_and_modules_by_all_of_theirs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
