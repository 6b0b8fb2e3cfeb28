/* Commands with typed slots: what may be put into them, and that nothing else ever is. */
#include <stdlib.h>

#include "core/base/template.h"
#include "tests/lib/say.h"

static void slots_are_filled_in_their_order(void **state)
{
	struct buf out = { 0 };
	struct err err;

	(void)state;
	assert_true(template_fill(&out, &err, "mlnx_qos -i {port} --pfc {list}", "eth2", "0,0,0,1,0,0,0,0"));
	assert_string_equal(out.text, "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");
	buf_clear(&out);
	assert_true(template_fill(&out, &err, "x {number} {word} {name} {dir}", UINT64_C(18446744073709551615), "dscp",
				  "ECN_PROFILE-1", "/run/fabcon/P-20261121-4f2a.1"));
	assert_string_equal(out.text, "x 18446744073709551615 dscp ECN_PROFILE-1 /run/fabcon/P-20261121-4f2a.1");
	buf_done(&out);
}

static void braces_of_the_command_itself_stay(void **state)
{
	struct buf out = { 0 };

	(void)state;
	assert_true(template_fill(&out, NULL, "[{ \"op\": \"add\" }] {} ${x:-y} {port}", "Ethernet4"));
	assert_string_equal(out.text, "[{ \"op\": \"add\" }] {} ${x:-y} Ethernet4");
	buf_done(&out);
}

static void real_names_of_ports_fit(void **state)
{
	static const char *const names[] = {
		"eth2", "ens6f0np0", "enp1s0f0.100", "eth0@if5", "bond0", "a", "enp129s0f0np0-1", "ethernet1/1/1",
		"ethernet1/1/1:1", "Ethernet1024", "PortChannel1000", "port-channel128", "ethernet1/1/1-1/1/4,1/1/9",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!template_is_port(names[i]))
			fail_msg("%s is a port's name", names[i]);
}

static void what_no_allowlist_holds_is_refused_and_out_stays(void **state)
{
	static const char *const bad[] = {
		"", "-a", "--help", "$(reboot)", "`id`", "a;b", "a b", "a\nb", "a\tb", "a|b", "a&b", "a>b", "a'b", "a\"b", "a\\b",
		"a*", "a?", "a!", "a#", "~", "a{b", ".", "..", "../x", "eth0/../../x", "\x1b[2J", "a\x1b]52;c;\a", "a\xc2\x9b",
		"a\xe2\x80\xae", "\xff", "0123456789abcdef", "/sys", "@x", "ethernet1/1/1:1234567890123456789",
	};
	struct buf out = { 0 };
	struct err err;

	(void)state;
	buf_str(&out, "before");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (template_fill(&out, &err, "ip link set dev {port} up", bad[i]))
			fail_msg("filled: %s", out.text);
		assert_string_equal(out.text, "before");
		assert_non_null(strstr(err.text, "{port}"));
		for (const char *p = err.text; *p; p++)
			assert_true(*p >= 0x20 && *p < 0x7f);
	}
	buf_done(&out);
}

static void each_slot_has_bounds_of_its_own(void **state)
{
	struct buf out = { 0 };
	char name[66];

	(void)state;
	memset(name, 'a', sizeof(name));
	name[64] = '\0';
	assert_false(template_fill(&out, NULL, "{name}", name));
	name[63] = '\0';
	assert_true(template_fill(&out, NULL, "{name}", name));
	buf_clear(&out);
	assert_false(template_fill(&out, NULL, "{name}", "a@b"));
	assert_false(template_fill(&out, NULL, "{word}", "Dscp"));
	assert_false(template_fill(&out, NULL, "{word}", "seventeen-letters"));
	assert_false(template_fill(&out, NULL, "{list}", "1;2"));
	assert_false(template_fill(&out, NULL, "{list}", ",1"));
	assert_false(template_fill(&out, NULL, "{dir}", "/run/fabcon/../etc"));
	assert_false(template_fill(&out, NULL, "{dir}", "/run/fabcon/a/b"));
	assert_false(template_fill(&out, NULL, "{dir}", "/tmp/P-1.1"));
	assert_int_equal(out.n, 0);
	buf_done(&out);
}

static void what_is_not_known_fills_no_slot(void **state)
{
	struct buf out = { 0 };
	struct err err;

	(void)state;
	assert_false(template_fill(&out, &err, "cma_roce_tos -d {name}", NULL));
	assert_non_null(strstr(err.text, "which is not known"));
	assert_int_equal(out.n, 0);
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_filled_in_their_order),
		cmocka_unit_test(braces_of_the_command_itself_stay),
		cmocka_unit_test(real_names_of_ports_fit),
		cmocka_unit_test(what_no_allowlist_holds_is_refused_and_out_stays),
		cmocka_unit_test(each_slot_has_bounds_of_its_own),
		cmocka_unit_test(what_is_not_known_fills_no_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
