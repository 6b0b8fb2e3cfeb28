/* Policies: the shipped ones read, later lines win, and wrong lines are named. */
#include "core/policy/policy.h"

#include "tests/lib/say.h"

static struct policy *reading(const char *text)
{
	struct err err;
	struct policy *p = policy_read(span_of(text), "site.policy", &err);

	if (!p)
		fail_msg("%s", err.text);
	return p;
}

static void assert_refused(const char *text, const char *because)
{
	struct err err;

	assert_null(policy_read(span_of(text), "site.policy", &err));
	if (!strstr(err.text, because))
		fail_msg("\"%s\" does not say \"%s\"", err.text, because);
}

static void every_shipped_policy_reads_and_keeps_priority_3_lossless(void **state)
{
	size_t n = 0;

	(void)state;
	for (const char *name; (name = policy_builtin_name(n)); n++) {
		struct err err;
		struct policy *p = policy_read(span_of(policy_builtin_text(name)), name, &err);

		if (!p)
			fail_msg("%s", err.text);
		assert_string_equal(policy_name(p), name);
		assert_true(policy_lossless(p, true) & 1u << 3);
		assert_true(policy_lossless(p, false) & 1u << 3);
		assert_int_equal(policy_cnp_priority(p), 6);
		policy_free(p);
	}
	assert_int_equal(n, 3);
	assert_null(policy_builtin("no such policy"));
}

static void a_later_line_wins_over_an_earlier_one(void **state)
{
	struct policy *p = reading("* * mtu = 9000\nswitch * mtu = 9216\nleaf? ethernet1/1/* mtu = 9100\n@old * mtu = 1500\n");
	const char *old[] = { "old" };
	struct host host = { .name = "leaf1", .groups = old, .n_groups = 1 };
	struct policy_target t = { .device = "node1", .port = "eth2" };
	struct value v;
	const char *text;

	(void)state;
	assert_true(policy_wants(p, &t, FIELD_MTU, 0, &v, &text));
	assert_int_equal(v.n, 9000);
	t = (struct policy_target){ .device = "leaf1", .port = "Ethernet4", .is_switch = true };
	assert_true(policy_wants(p, &t, FIELD_MTU, 0, &v, &text));
	assert_int_equal(v.n, 9216);
	t.port = "ethernet1/1/7";
	assert_true(policy_wants(p, &t, FIELD_MTU, 0, &v, &text));
	assert_int_equal(v.n, 9100);
	assert_string_equal(text, "leaf? ethernet1/1/* mtu = 9100");
	t.host = &host;
	assert_true(policy_wants(p, &t, FIELD_MTU, 0, &v, &text));
	assert_int_equal(v.n, 1500);
	assert_false(policy_wants(p, &t, FIELD_TRUST, 0, &v, NULL));
	policy_free(p);
}

static void limits_take_shares_and_small_numbers(void **state)
{
	struct policy *p = reading("limit pause.share.warn = 2.5 %\nlimit oos.warn = 1e-5\n");

	(void)state;
	assert_true(policy_limit(p, LIMIT_PAUSE_WARN) > 0.02499 && policy_limit(p, LIMIT_PAUSE_WARN) < 0.02501);
	assert_true(policy_limit(p, LIMIT_OOS_WARN) > 0.99e-5 && policy_limit(p, LIMIT_OOS_WARN) < 1.01e-5);
	assert_true(policy_limit(p, LIMIT_PAUSE_BAD) == limit_table[LIMIT_PAUSE_BAD].normal);
	policy_free(p);
}

static void a_wrong_line_is_named_with_what_would_be_right(void **state)
{
	(void)state;
	assert_refused("name x\n* * pfc.onn[3] = yes\n", "site.policy:2: no field is named pfc.onn");
	assert_refused("* * pfc.on[8] = yes\n", "indices 0-7");
	assert_refused("* * trust = maybe\n", "none pcp dscp both");
	assert_refused("* * pfc.rx[3] = 5\n", "measured");
	assert_refused("* state = up\n", "measured");
	assert_refused("name x\nhost part: firmware = \"1\"\n", "site.policy:2: part: needs a name behind it: part:MT_0000000838");
	assert_refused("host driver:mlx5_core mtu = 9000\n", "driver:mlx5_core is for firmware alone: mtu needs names of ports");
	assert_refused("* * mtu = unknown \"x\"\n", "needs a value");
	assert_refused("limit nothing = 1\n", "pause.share.warn");
	assert_refused("limit oos.warn = much\n", "needs a number");
	assert_refused("hello\n", "no = in");
	assert_refused("name x\rreboot\n", "letters, digits");
	assert_refused("name x\xc2\x85y\n", "letters, digits");
	assert_refused("name a name that goes on and on as if nobody had to read it on a screen\n", "63");
	assert_refused("name x\nread-only\n", "site.policy:2: read-only needs a reason");
	assert_refused("read-only # not reported why\n", "needs a reason");
}

static void a_policy_that_is_only_to_be_read_says_why(void **state)
{
	struct policy *p = reading("read-only change freeze until Monday, INC-42\nname night\n");

	(void)state;
	assert_string_equal(policy_read_only(p), "the policy night is read-only: change freeze until Monday, INC-42");
	policy_free(p);
	p = reading("* * pfc.on[3] = yes\n");
	assert_null(policy_read_only(p));
	policy_free(p);
}

static void lossless_priorities_are_those_wanted_of_all(void **state)
{
	struct policy *p = policy_builtin("roce-iscsi");

	(void)state;
	assert_int_equal(policy_lossless(p, true), 1u << 3 | 1u << 4);
	policy_free(p);
	p = reading("leaf1 * pfc.on[5] = yes\n");
	assert_int_equal(policy_lossless(p, true), 0);
	assert_int_equal(policy_cnp_priority(p), 8);
	policy_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_policy_reads_and_keeps_priority_3_lossless),
		cmocka_unit_test(a_later_line_wins_over_an_earlier_one),
		cmocka_unit_test(limits_take_shares_and_small_numbers),
		cmocka_unit_test(a_wrong_line_is_named_with_what_would_be_right),
		cmocka_unit_test(a_policy_that_is_only_to_be_read_says_why),
		cmocka_unit_test(lossless_priorities_are_those_wanted_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
