/* What differs between two certificates: each change is named once, and nothing else. */
#include "core/certificate/diff.h"
#include "tests/core/test_certificate_example.h"
#include "tests/lib/hostile.h"
#include "tests/lib/text.h"

/* -- changing a certificate, whatever was changed before -- */

static bool is(const json_t *object, const char *key, const char *text)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value && !strcmp(value, text);
}

static size_t link_at(json_t *c, const char *host, const char *nic)
{
	json_t *links = at(c, "links");
	size_t i = 0;

	while (i < json_array_size(links) && !(is(json_array_get(links, i), "host", host) && is(json_array_get(links, i), "nic", nic)))
		i++;
	return i;
}

static json_t *link_of(json_t *c, const char *host, const char *nic)
{
	return packed(json_array_get(at(c, "links"), link_at(c, host, nic)));
}

static json_t *device_of(json_t *c, const char *name)
{
	json_t *devices = at(c, "devices"), *device;
	size_t i;

	json_array_foreach(devices, i, device)
		if (is(device, "name", name))
			return device;
	fail();
	return NULL;
}

static json_t *test_of(json_t *c, const char *from, const char *nic)
{
	json_t *test;
	size_t i;

	json_array_foreach(at(c, "tests"), i, test)
		if (is(at(test, "from"), "host", from) && is(at(test, "from"), "nic", nic))
			return test;
	fail();
	return NULL;
}

static void remove_tests(json_t *c, const char *host, const char *nic)
{
	json_t *tests = at(c, "tests");

	for (size_t i = json_array_size(tests); i-- > 0;) {
		json_t *from = at(json_array_get(tests, i), "from"), *to = at(json_array_get(tests, i), "to");

		if ((is(from, "host", host) && is(from, "nic", nic)) || (is(to, "host", host) && is(to, "nic", nic)))
			json_array_remove(tests, i);
	}
}

/* -- the changes -- */

static void another_policy(json_t *c)
{
	put(c, "policy", "sha256", "\"ffff456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"");
}

static void no_inventory(json_t *c)
{
	put(c, "", "inventory", "null");
}

static void another_limit(json_t *c)
{
	put(c, "limits[0]", "value", "0.9");
}

static void a_new_limit(json_t *c)
{
	json_array_append_new(at(c, "limits"), packed(json_loads("{\"id\": \"latency\", \"value\": 5, \"unit\": \"us\", \"source\": \"policy\"}",
								  0, NULL)));
}

static void other_firmware(json_t *c)
{
	put(device_of(c, "node2"), "facts", "firmware", "\"22.41.1000\"");
}

static void firmware_not_reported(json_t *c)
{
	put(device_of(c, "leaf2"), "facts", "firmware", "null");
}

static void a_small_mtu(json_t *c)
{
	put(link_of(c, "node1", "eth2"), "settings[0]", "value", "\"1500\"");
}

static void pfc_not_reported(json_t *c)
{
	json_array_remove(at(link_of(c, "node4", "eth3"), "settings"), 1);
}

/* It stands at each of the switch's links. */
static void other_marking(json_t *c)
{
	json_t *link;
	size_t i;

	json_array_foreach(at(c, "links"), i, link)
		if (is(link, "peer", "leaf1"))
			put(link, "settings[3]", "value", "\"100000\"");
}

static void a_link_is_gone(json_t *c)
{
	json_array_remove(at(c, "links"), link_at(c, "node3", "eth3"));
	remove_tests(c, "node3", "eth3");
}

static void a_cable_moved(json_t *c)
{
	put(link_of(c, "node2", "eth2"), "", "peer_port", "\"Ethernet40\"");
	put(link_of(c, "node2", "eth2"), "settings[2]", "port", "\"Ethernet40\"");
}

static void the_mtu_stage_fails(json_t *c)
{
	fail_stage(c, (unsigned)link_at(c, "node4", "eth2"), 5, "\"the packet of 9000 bytes was not answered\"");
}

static void the_wire_is_not_known(json_t *c)
{
	put(link_of(c, "node2", "eth3"), "stages[4]", "state", "\"not known\"");
	put(link_of(c, "node2", "eth3"), "", "state", "\"not known\"");
	if (is(c, "state", "pass"))
		put(c, "", "state", "\"not known\"");
}

static void a_test_is_slower(json_t *c)
{
	put(test_of(c, "node1", "eth3"), "", "rate_bps", "201200000000");
}

static void a_test_has_no_rate(json_t *c)
{
	put(test_of(c, "node4", "eth3"), "", "rate_bps", "null");
}

static void a_test_fails(json_t *c)
{
	put(test_of(c, "node1", "eth2"), "", "state", "\"fail\"");
	put(test_of(c, "node1", "eth2"), "", "what", "\"3 packets were dropped\"");
	put(link_of(c, "node1", "eth2"), "", "state", "\"suspect\"");
	put(c, "", "state", "\"fail\"");
}

static void a_new_host(json_t *c)
{
	json_array_append_new(at(c, "links"), example_link(4, 0));
	json_array_append_new(at(c, "devices"), example_device("node5", "host", "linux"));
	json_array_append_new(at(c, "tests"), example_test(4, 0, 0));
	if (!is(link_of(c, "node1", "eth2"), "peer", "leaf1"))
		return;
	put(link_of(c, "node5", "eth2"), "settings[3]", "value",
	    is(at(link_of(c, "node1", "eth2"), "settings[3]"), "value", "100000") ? "\"100000\"" : "\"150000\"");
}

static const struct {
	void (*make)(json_t *c);
	const char *words;
} changes[] = {
	{ another_policy, "policy RoCE v2, one lossless class, SHA-256 0123456789ab -> RoCE v2, one lossless class, SHA-256 ffff456789ab" },
	{ no_inventory, "inventory SHA-256 0123456789ab -> none" },
	{ another_limit, "limit test.share.fail 0.95 of the ceiling -> 0.9 of the ceiling" },
	{ a_new_limit, "limit latency none -> 5 us" },
	{ other_firmware, "node2: firmware 22.36.1010 -> 22.41.1000" },
	{ firmware_not_reported, "leaf2: firmware 22.36.1010 -> not reported now" },
	{ a_new_host, "node5: new host" },
	{ a_small_mtu, "node1:eth2: mtu 9000 -> 1500" },
	{ other_marking, "leaf1: ecn.kmin 150000 -> 100000" },
	{ a_cable_moved, "node2:eth2: moved from leaf1:Ethernet4 to leaf1:Ethernet40" },
	{ the_wire_is_not_known, "node2:eth3: wire pass -> not known" },
	{ a_link_is_gone, "node3:eth3: link to leaf2:Ethernet8 is gone" },
	{ the_mtu_stage_fails, "node4:eth2: mtu pass -> fail: the packet of 9000 bytes was not answered" },
	{ pfc_not_reported, "node4:eth3: pfc.on 3 -> not reported now" },
	{ a_test_fails, "node1:eth2 to node2:eth2: pairs of one leaf, pass -> fail: 3 packets were dropped" },
	{ a_test_is_slower, "node1:eth3 to node2:eth3: pairs of one leaf, 391.9 Gb/s -> 201.2 Gb/s" },
	{ a_test_has_no_rate, "node4:eth3 to node1:eth3: pairs of one leaf, 391.6 Gb/s -> not reported now" },
};
#define CHANGES	(sizeof(changes) / sizeof(*changes))

static char *lines_of(const struct certificate_diff *d)
{
	struct buf out = { 0 };

	buf_str(&out, "");
	for (size_t i = 0; i < d->n; i++) {
		certificate_change_words(&d->list[i], &out);
		buf_str(&out, "\n");
	}
	return out.text;
}

static char *differences(const json_t *old, const json_t *now)
{
	struct certificate_diff d;
	char *lines;

	certificate_diff(&d, old, now, CERTIFICATE_RATE_SHARE);
	lines = lines_of(&d);
	certificate_diff_done(&d);
	return lines;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* set: 1 << i of changes. The lines are those, each once, in the order of the table's places. */
static void assert_exactly(unsigned set)
{
	json_t *old = example(), *now = example();
	char *lines, *back;
	size_t n = 0;

	for (size_t i = 0; i < CHANGES; i++)
		if (set & 1u << i)
			changes[i].make(now);
	seal(now);
	lines = differences(old, now);
	for (size_t i = 0; i < CHANGES; i++) {
		char *line = xasprintf("%s\n", changes[i].words);
		const char *found = strstr(lines, line);

		if (!found != !(set & 1u << i) || (found && found > lines && found[-1] != '\n'))
			fail_msg("%s is %s in:\n%s", changes[i].words, found ? "not expected" : "missing", lines);
		n += found != NULL;
		free(line);
	}
	if (count_lines(lines) != n)
		fail_msg("more than %zu differences:\n%s", n, lines);
	back = differences(now, old);
	if (count_lines(back) != n)
		fail_msg("the other way round not %zu differences:\n%s", n, back);
	free(lines);
	free(back);
	json_decref(old);
	json_decref(now);
}

static void each_change_alone_is_named_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < CHANGES; i++)
		assert_exactly(1u << i);
}

static void no_change_is_no_difference(void **state)
{
	json_t *old = example(), *now = example();
	char *lines;

	(void)state;
	put(now, "", "signed", "\"2026-12-01T02:41:30Z\"");
	put(now, "", "notes", "[{\"at\": \"2026-11-28T02:31:00Z\", \"by\": null, \"text\": \"another day\"}]");
	put(test_of(now, "node1", "eth3"), "", "rate_bps", "380000000000");	/* 3 % less */
	put(test_of(now, "node1", "eth3"), "counters.from", "drops", "null");
	seal(now);
	lines = differences(old, now);
	assert_string_equal(lines, "");
	free(lines);
	json_decref(old);
	json_decref(now);
}

static void any_set_of_changes_is_exactly_that_set(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		seed = seed * 1103515245u + 12345u;
		assert_exactly(seed >> 8 & ((1u << CHANGES) - 1));
	}
	assert_exactly((1u << CHANGES) - 1);
}

static void assert_lines(void (*make)(json_t *), const char *wanted)
{
	json_t *old = example(), *now = example();
	char *lines;

	make(now);
	seal(now);
	lines = differences(old, now);
	assert_string_equal(lines, wanted);
	free(lines);
	json_decref(old);
	json_decref(now);
}

/* -- what follows from another -- */

static void move_against_the_plan(json_t *c)
{
	a_cable_moved(c);
	fail_stage(c, (unsigned)link_at(c, "node2", "eth2"), 3, "\"planned: leaf1 Ethernet4\"");
	remove_tests(c, "node2", "eth2");
}

static void remove_host(json_t *c)
{
	json_t *devices = at(c, "devices");

	for (size_t i = 0; i < EXAMPLE_NICS; i++) {
		const char *nic = i ? "eth3" : "eth2";

		json_array_remove(at(c, "links"), link_at(c, "node4", nic));
		remove_tests(c, "node4", nic);
	}
	json_array_remove(devices, 3);
}

/* Nothing of it is read; its links are still there, by the plan. */
static void lose_host(json_t *c)
{
	for (size_t i = 0; i < EXAMPLE_NICS; i++) {
		const char *nic = i ? "eth3" : "eth2";
		json_t *settings = at(link_of(c, "node4", nic), "settings");

		json_array_remove(settings, 0);
		json_array_remove(settings, 0);
		fail_stage(c, (unsigned)link_at(c, "node4", nic), 0, "\"no answer\"");
		remove_tests(c, "node4", nic);
	}
	json_array_remove(at(c, "devices"), 3);
}

static void remove_one_test(json_t *c)
{
	json_array_remove(at(c, "tests"), 0);
	put(c, "", "not_tested", "[{\"host\": \"node1\", \"nic\": \"eth2\", \"why\": \"QPs of python3 (pid 2345)\"}]");
}

static void lose_far_end(json_t *c)
{
	put(link_of(c, "node1", "eth2"), "", "peer", "null");
	put(link_of(c, "node1", "eth2"), "", "peer_port", "null");
	json_array_remove(at(link_of(c, "node1", "eth2"), "settings"), 2);
}

static void skip_link(json_t *c)
{
	put(link_of(c, "node1", "eth2"), "", "state", "\"skipped\"");
}

static void other_rack(json_t *c)
{
	put(c, "", "rack", "\"R15\"");
	put(c, "", "cable_plan", "{\"sha256\": \"" EXAMPLE_HASH "\"}");
}

static void what_follows_from_a_difference_is_not_named_again(void **state)
{
	(void)state;
	assert_lines(move_against_the_plan,
		     "node2:eth2: moved from leaf1:Ethernet4 to leaf1:Ethernet40: planned: leaf1 Ethernet4\n");
	assert_lines(remove_host, "node4: host is gone\n");
	assert_lines(lose_host, "node4: facts reported -> not reported now\n"
				"node4: settings reported -> not reported now\n"
				"node4:eth2: reach pass -> fail: no answer\n"
				"node4:eth3: reach pass -> fail: no answer\n");
	assert_lines(remove_one_test, "node1:eth2 to node2:eth2: pairs of one leaf, pass -> not tested now: QPs of python3 (pid 2345)\n");
	assert_lines(lose_far_end, "node1:eth2: far end leaf1:Ethernet0 -> not reported now\n");
	assert_lines(skip_link, "node1:eth2: pass -> skipped\n");
	assert_lines(other_rack, "rack R14 -> R15\ncable plan none -> SHA-256 0123456789ab\n");
}

static void a_failure_of_another_kind_is_a_difference(void **state)
{
	json_t *old = example(), *now;
	char *lines;

	(void)state;
	fail_stage(old, 2, 6, "\"trust is pcp\"");
	seal(old);
	now = json_deep_copy(old);
	put(now, "links[2].stages[6]", "check", "\"pfc-on\"");
	put(now, "links[2].stages[6]", "what", "\"PFC is off\"");
	seal(now);
	lines = differences(old, now);
	assert_string_equal(lines, "node2:eth2: qos fail (cable-as-planned) -> fail (pfc-on): PFC is off\n");
	free(lines);
	fail_stage(now, 2, 8, "\"no answer\"");	/* the stage below is mended: what it had hidden is seen */
	put(now, "links[2].stages[6]", "state", "\"pass\"");
	put(now, "links[2].stages[7]", "state", "\"pass\"");
	seal(now);
	lines = differences(old, now);
	assert_string_equal(lines, "node2:eth2: qos fail -> pass\nnode2:eth2: rdma not yet -> fail: no answer\n");
	free(lines);
	json_decref(old);
	json_decref(now);
}

static void a_turn_for_the_worse_is_told_from_one_for_the_better(void **state)
{
	json_t *good = example(), *bad = example();
	struct certificate_diff d;

	(void)state;
	the_mtu_stage_fails(bad);
	a_test_is_slower(bad);
	seal(bad);
	for (int way = 0; way < 2; way++) {
		certificate_diff(&d, way ? bad : good, way ? good : bad, CERTIFICATE_RATE_SHARE);
		assert_int_equal(d.n, 2);
		for (size_t i = 0; i < d.n; i++) {
			assert_string_equal(certificate_turn_word(d.list[i].turn), way ? "better" : "worse");
			assert_string_equal(certificate_change_word(d.list[i].kind), i ? "rate" : "stage");
		}
		certificate_diff_done(&d);
	}
	json_decref(good);
	json_decref(bad);
}

/* A day without test traffic is neither better nor worse than one with it. */
static void tests_of_one_side_alone_are_one_difference(void **state)
{
	json_t *with = example(), *without = example();
	char *lines, *expected;

	(void)state;
	json_object_set_new(without, "tests", json_array());
	json_object_set_new(packed(json_array_get(at(without, "links"), 0)), "state", json_string("not known"));
	lines = differences(without, with);
	expected = xasprintf("tests 0 -> %zu\n", json_array_size(at(with, "tests")));
	assert_string_equal(lines, expected);
	free(lines);
	free(expected);
	json_decref(with);
	json_decref(without);
}

static void what_is_set_aside_is_neither_better_nor_worse(void **state)
{
	static const char *const others[] = { "pass", "fail", "not known" };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		for (int way = 0; way < 2; way++) {
			json_t *aside = example(), *other = example();
			struct certificate_diff d;

			json_object_set_new(packed(json_array_get(at(aside, "links"), 0)), "state", json_string("skipped"));
			json_object_set_new(packed(json_array_get(at(other, "links"), 0)), "state", json_string(others[i]));
			certificate_diff(&d, way ? other : aside, way ? aside : other, CERTIFICATE_RATE_SHARE);
			assert_int_equal(d.n, 1);
			assert_string_equal(certificate_turn_word(d.list[0].turn), "changed");
			certificate_diff_done(&d);
			json_decref(aside);
			json_decref(other);
		}
}

static void hostile_texts_are_one_line_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < hostile_count; i++) {
		json_t *old = example(), *now = example();
		struct certificate_diff d;
		char *lines;

		/* Those that are not UTF-8 make no JSON string, and the link keeps its name. */
		json_object_set_new(link_of(now, "node1", "eth2"), "host", json_string(hostile_texts[i]));
		json_object_set_new(at(link_of(now, "node2", "eth2"), "settings[0]"), "value", json_string(hostile_texts[i]));
		seal(now);
		certificate_diff(&d, old, now, CERTIFICATE_RATE_SHARE);
		lines = lines_of(&d);
		assert_int_equal(count_lines(lines), d.n);
		assert_null(hostile_in_text(span_of(lines)));
		free(lines);
		certificate_diff_done(&d);
		json_decref(old);
		json_decref(now);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_change_is_no_difference),
		cmocka_unit_test(each_change_alone_is_named_and_nothing_else),
		cmocka_unit_test(any_set_of_changes_is_exactly_that_set),
		cmocka_unit_test(what_follows_from_a_difference_is_not_named_again),
		cmocka_unit_test(a_failure_of_another_kind_is_a_difference),
		cmocka_unit_test(a_turn_for_the_worse_is_told_from_one_for_the_better),
		cmocka_unit_test(tests_of_one_side_alone_are_one_difference),
		cmocka_unit_test(what_is_set_aside_is_neither_better_nor_worse),
		cmocka_unit_test(hostile_texts_are_one_line_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
