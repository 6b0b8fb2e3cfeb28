/* OS10: what its replies say, and what they must not be taken to say. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/os10/os10.h"

static struct obs parsed(const char *probe_id, const char *port, const char *text, bool is_partial)
{
	const struct probe *probe = platform_probe(&os10_platform, probe_id);
	struct answer a = { .text = span_of(text), .port = port, .status = -1, .is_partial = is_partial };
	struct obs o;

	assert_non_null(probe);
	obs_init(&o, "leaf1", NULL);
	platform_parse(&os10_platform, probe, &a, &o);
	return o;
}

static void assert_says(struct obs o, const char *fact)
{
	if (!obs_says(&o, fact)) {
		struct buf text = { 0 };

		obs_print(&o, &text);
		fail_msg("not said: %s\nbut: %.4000s", fact, text.text ? text.text : "nothing");
	}
	obs_done(&o);
}

static const char bare_port[] =
	"! Version 10.5.6.1\n"
	"interface ethernet1/1/1\n no shutdown\n!\n";

static void an_unconfigured_port_trusts_nothing_and_pauses_nothing(void **state)
{
	(void)state;
	assert_says(parsed("running-config", NULL, bare_port, false), "leaf1 ethernet1/1/1 trust = none");
	assert_says(parsed("running-config", NULL, bare_port, false), "leaf1 ethernet1/1/1 dscp.prio[26] = 0");
	assert_says(parsed("running-config", NULL, bare_port, false), "leaf1 ethernet1/1/1 pfc.on[3] = no");
	assert_says(parsed("running-config", NULL, bare_port, false), "leaf1 ethernet1/1/1 mtu = 1532");
	assert_says(parsed("running-config", NULL, bare_port, false),
		    "leaf1 ethernet1/1/1 tc.queue[3] = unknown \"no qos-map traffic-class is bound, "
		    "and the default map is not printed\"");
}

static void check_case(const char *probe, const char *text, const char *says)
{
	struct obs o = parsed(probe, NULL, text, false);
	bool is_wanted = *says != '!';
	struct buf facts = { 0 };

	obs_print(&o, &facts);
	if ((facts.n && strstr(facts.text, says + !is_wanted)) != is_wanted)
		fail_msg("\"%s\" of %s; it says\n%s", says, text, facts.n ? facts.text : "nothing");
	buf_done(&facts);
	obs_done(&o);
}

#define ETH1	"interface ethernet1/1/1\n"
#define PFC	"class-map type network-qos c\n match qos-group 3\n!\npolicy-map type network-qos p\n class c\n  "
#define ON_1	"!\n" ETH1 " priority-flow-control mode on\n service-policy input type network-qos p\n!\n"
#define ECN	"wred w\n random-detect ecn\n!\nclass-map type queuing q\n match queue 3\n!\npolicy-map type queuing p\n"
#define OUT_1	"!\n" ETH1 " service-policy output type queuing p\n!\n"
#define UP	" is up, line protocol is up\n"

/* Found by tests/mutants: a line that is not understood may set what no other says; then the default is not told. */
static void a_line_that_is_not_understood_proves_no_default(void **state)
{
	static const struct {
		const char *probe, *text, *says;	/* "!": not this */
	} cases[] = {
		{ "running-config", ETH1 " trust-mop dscp x\n!\n", "trust = unknown \"a line could not be parsed: trust-mop dscp x\"" },
		{ "running-config", ETH1 " switchport access vlan 1\n!\n", "trust = none" },
		{ "running-config", "system-new qos\n trust-map dscp x\n!\n" ETH1 "!\n", "trust = unknown" },
		{ "running-config", ETH1 " priority-flow-control mode onn\n!\n", "pfc.on[3] = unknown" },
		{ "running-config", ETH1 " priority-flow-control MODE on\n!\n", "pfc.on[3] = unknown" },
		{ "running-config", ETH1 " flowcontrol receive onn\n!\n", "pause.rx = unknown" },
		{ "running-config", ETH1 " ets mode onn\n!\n", "ets.on = unknown" },
		{ "running-config", ETH1 " mtu 9216x\n!\n", "mtu = unknown" },
		{ "running-config", PFC "pause\n  pfc-cos 3\n" ON_1, "pfc.on[3] = yes" },
		{ "running-config", PFC "pause\n  pfc-cos 3x\n" ON_1, "pfc.on[3] = unknown" },
		{ "running-config", PFC "pause-new\n  pfc-cos 3\n" ON_1, "pfc.on[3] = unknown" },
		{ "running-config", ECN " class q\n  random-detect w\n" OUT_1, "ecn.on[3] = yes" },
		{ "running-config", ECN " class q\n  random-detect w\n" OUT_1, "ecn.on[4] = no" },
		{ "running-config", ECN " class q\n class q\n  random-detect w\n" OUT_1, "ecn.on[3] = yes" },
		{ "running-config", ECN " klass q\n  random-detect w\n" OUT_1, "ecn.on[3] = unknown" },
		{ "running-config", ECN " class r\n  random-detect w\n" OUT_1, "ecn.on[3] = unknown" },
		{ "running-config", ECN " class q\n  random-detekt w\n" OUT_1, "ecn.on[3] = unknown" },
		{ "interface", "Ethernet 1/1/1 is aktiv, line protocol is aktiv\n", "up = unknown" },
		{ "interface", "Ethernet 1/1/1" UP "Input statistics:\n 5 octets\nEthernet 1/1/2 up\nInput statistics:\n 6 octets\n",
		  "1/1 rx.total = 5" },
		{ "interface", "Ethernet 1/1/1" UP "Input statistics:\n 5 octets\nAusgabe:\n 6 octets\n", "rx.total = 5" },
		{ "interface-status", "Port Description Status Speed Duplex\nEth 1/1/1 longerdown 25G full\n", "!up" },
		{ "fdb", "1 02:00:00:00:00:01 dynamic ethernet1/1/1\n1 02:00:00:00:00:02 dyn ethernet1/1/1\n", "fdb = unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(cases[i].probe, cases[i].text, cases[i].says);
}

static void the_interface_line_wins_over_system_qos(void **state)
{
	static const char text[] =
		"trust dscp-map own\n qos-group 3 dscp 26\n!\n"
		"trust dscp-map everywhere\n qos-group 5 dscp 26\n!\n"
		"system qos\n trust-map dscp everywhere\n!\n"
		"interface ethernet1/1/1\n trust-map dscp own\n!\n"
		"interface ethernet1/1/2\n!\n";

	(void)state;
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/1 dscp.prio[26] = 3");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/2 dscp.prio[26] = 5");
}

static void random_detect_ecn_in_a_class_is_a_profile_of_that_name(void **state)
{
	static const char text[] =
		"class-map type queuing Q3\nmatch queue 3\n!\n"
		"policy-map type queuing P\n!\nclass Q3\nbandwidth percent 50\nrandom-detect ecn\n!\n"
		"interface ethernet1/1/1\nservice-policy output type queuing P\n!\n";

	(void)state;
	assert_says(parsed("running-config", NULL, text, false),
		    "leaf1 ethernet1/1/1 ecn.on[3] = unknown \"WRED profile ecn is not in the configuration\"");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/1 ets.share[3] = 50");
}

static void a_policy_that_is_not_printed_leaves_pfc_unknown(void **state)
{
	static const char text[] =
		"interface ethernet1/1/1\n priority-flow-control mode on\n"
		" service-policy input type network-qos lost\n!\n";

	(void)state;
	assert_says(parsed("running-config", NULL, text, false),
		    "leaf1 ethernet1/1/1 pfc.on[3] = unknown \"network-qos policy lost is not in the configuration\"");
}

/* After a published configuration that trusts PCP: captures/switch/dell-os10/running-config-reference--azure-local-rack-aware-qos. */
static void a_network_that_trusts_pcp_tells_the_priority_of_each(void **state)
{
	static const char text[] =
		"trust dot1p-map PCPs\n qos-group 0 dot1p 0-2,4-6\n qos-group 5 dot1p 3\n!\n"
		"interface ethernet1/1/2\n no shutdown\n!\n"
		"system qos\n trust-map dot1p PCPs\n";

	(void)state;
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/2 trust = pcp");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/2 pcp.prio[3] = 5");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/2 pcp.prio[4] = 0");
}

static void a_range_of_ports_is_each_of_them(void **state)
{
	static const char text[] =
		"interface range ethernet1/1/1-1/1/3,1/1/9\n mtu 9216\n!\n"
		"interface ethernet1/1/2\n description second\n!\n";

	(void)state;
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/3 mtu = 9216");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/9 mtu = 9216");
	assert_says(parsed("running-config", NULL, text, false), "leaf1 ethernet1/1/2 mtu = 9216");
}

/* Dell's user guide of 10.5: "default mtu" sets it at all ports that have no line of their own; it may be printed anywhere. */
static void the_default_mtu_of_the_switch_is_that_of_ports_without_a_line(void **state)
{
	static const char text[] =
		"interface ethernet1/1/1\n no shutdown\n!\ninterface ethernet1/1/2\n mtu 1532\n!\ndefault mtu 9216\n!\n"
		"interface ethernet1/1/3\n zq zq\n!\n";

	(void)state;
	check_case("running-config", text, "ethernet1/1/1 mtu = 9216");
	check_case("running-config", text, "ethernet1/1/2 mtu = 1532");
	check_case("running-config", text, "ethernet1/1/3 mtu = unknown");
	check_case("running-config", "default mtu all\n!\ninterface ethernet1/1/1\n no shutdown\n!\n", "ethernet1/1/1 mtu = unknown");
}

/* A NIC's firmware and its host both speak: OS10 prints the firmware first. */
static void of_two_neighbors_the_one_that_gives_a_name_is_told(void **state)
{
	static const char text[] =
		"Remote Chassis ID Subtype: Mac address (4)\nRemote Chassis ID: 02:00:00:aa:00:01\n"
		"Remote Port ID: 02:00:00:aa:00:02\nLocal Port ID: ethernet1/1/1\nRemote System Name: Not Advertised\n"
		"---------------------------------------------------------------------------\n"
		"Remote Chassis ID Subtype: Mac address (4)\nRemote Chassis ID: 02:00:00:aa:00:01\n"
		"Remote Port ID: eth2\nLocal Port ID: ethernet1/1/1\nRemote System Name: node1\n"
		"---------------------------------------------------------------------------\n";

	(void)state;
	check_case("lldp", text, "ethernet1/1/1 peer.name = \"node1\"");
	check_case("lldp", text, "ethernet1/1/1 peer.port = \"eth2\"");
}

/* Cut at its column's end, ethernet1/1/12:4 is another port. */
static void a_row_whose_cells_were_pushed_aside_is_missed(void **state)
{
	static const char text[] =
		"Port      Description     Status   Speed    Duplex   Mode Vlan Tagged-Vlans\n"
		"Eth 1/1/1 node1 eth2      up       100G     full     A    1    -\n"
		"Eth 1/1/12:4 node2        up       25G      full     A    1    -\n";

	(void)state;
	check_case("interface-status", text, "ethernet1/1/1 speed = 100");
	check_case("interface-status", text, "!ethernet1/1/12");
}

static void a_configuration_that_was_cut_short_says_nothing(void **state)
{
	struct obs o = parsed("running-config", NULL, bare_port, true);

	(void)state;
	assert_int_equal(o.n, 0);
	obs_done(&o);
}

static void saved_means_equal_but_for_the_date(void **state)
{
	static const char same[] =
		"! Version 10.5.6.1\n! Last configuration change at Mar  06 12:09:16 2026\n!\nhostname a\n"
		"interface ethernet1/1/1\n!\n" OS10_STARTUP "\n"
		"! Version 10.5.6.1\r\n! Last configuration change at Jan  01 00:00:00 2025\n!\nhostname a \n"
		"interface ethernet1/1/1\n!\n";
	static const char other[] =
		"interface ethernet1/1/1\n mtu 9216\n!\n" OS10_STARTUP "\ninterface ethernet1/1/1\n!\n";
	static const char refused[] =
		"interface ethernet1/1/1\n!\n" OS10_STARTUP "\n% Error: Unrecognized command.\n";

	(void)state;
	assert_says(parsed("running-config", NULL, same, false), "leaf1 config.saved = yes");
	assert_says(parsed("running-config", NULL, other, false), "leaf1 config.saved = no");
	assert_says(parsed("running-config", NULL, refused, false),
		    "leaf1 config.saved = unknown \"% Error: Unrecognized command.\"");
}

static void secrets_do_not_reach_the_observation(void **state)
{
	size_t n;
	char *text = file_text("tests/fixtures/os10/running-config/recipe.raw", &n);
	struct obs o = parsed("running-config", NULL, text, false);

	(void)state;
	assert_non_null(strstr(text, "canary"));
	assert_int_equal(o.raw.n, n);
	assert_null(span_find(o.raw, "canary"));
	assert_non_null(span_find(o.raw, "priority-flow-control mode on"));
	obs_done(&o);
	free(text);
}

static void a_missing_number_is_not_zero_and_a_float_is_rounded(void **state)
{
	static const char text[] =
		"Ethernet 1/1/1 is up, line protocol is up\n"
		"Input statistics:\n     10 packets, 1.88684486633e+11 octets\n"
		"Output statistics:\n     0 throttles,  discarded, 0 Collisions,  wred drops\n";
	struct obs o = parsed("interface", NULL, text, false);

	(void)state;
	assert_true(obs_says(&o, "leaf1 ethernet1/1/1 rx.total = ~188684486633"));
	for (size_t i = 0; i < o.n; i++)
		assert_int_not_equal(o.facts[i].field, FIELD_TX_DISCARD);
	obs_done(&o);
}

static void unpublished_layouts_are_marked_unproven(void **state)
{
	static const char text[] =
		"ethernet1/1/1\nAdmin Mode : true\nCos   Rx   Tx\n-------\n3   300   200\n";
	struct obs o = parsed("pfc", "ethernet1/1/1", text, false);

	(void)state;
	assert_true(obs_says(&o, "leaf1 ethernet1/1/1 pfc.rx[3] = 300"));
	assert_true(obs_says(&o, "leaf1 ethernet1/1/1 pfc.tx[3] = 200"));
	assert_true(o.facts[0].value.is_unproven);
	obs_done(&o);
}

static void a_refused_command_makes_its_facts_unknown_with_the_devices_words(void **state)
{
	(void)state;
	assert_says(parsed("pfc", "ethernet1/1/1", "% Error: Unrecognized command.\n", false),
		    "leaf1 ethernet1/1/1 pfc.rx[3] = unknown \"% Error: Unrecognized command.\"");
	assert_says(parsed("queuing-wred", "ethernet1/1/1", "% Error: Unrecognized command.\n", false),
		    "leaf1 ethernet1/1/1 ecn.marked[3] = unknown \"% Error: Unrecognized command.\"");
	assert_says(parsed("queuing", "ethernet1/1/1", "% Error: Illegal parameter.\n", false),
		    "leaf1 ethernet1/1/1 tx.drop[3] = unknown \"% Error: Illegal parameter.\"");
}

static void each_capture_is_understood(void **state)
{
	static const struct { const char *probe, *file, *fact; } rows[] = {
		{ "version", "show-version--s6000-vm-10-4-0e", "leaf1 version = \"10.4.0E(R1)\"" },
		{ "version", "show-version--s5248f-10-6-0-5", "leaf1 model = \"S5248F-ON\"" },
		{ "running-config", "show-running-configuration--cray-10-5-1-4", "leaf1 ethernet1/1/52 pause.rx = yes" },
		{ "running-config", "show-running-configuration--s4112f-10-5-0-2-lag", "leaf1 ethernet1/1/5 trust = none" },
		{ "running-config", "show-running-configuration--10-3-9999e", "leaf1 ethernet1/1/1 mtu = 1532" },
		{ "running-config", "running-config-reference--dell-ax-h19195-s4112f-interface",
		  "leaf1 ethernet1/1/8 mtu = 9216" },
		{ "interface", "show-interface--s5248f-10-5-6-1", "leaf1 ethernet1/1/1 tx.discard = 296897" },
		{ "interface", "show-interface--mfd-breakout-10g", "leaf1 ethernet1/1/3:1 speed = 10000000000" },
		{ "interface-status", "show-interface-status--s5248f-10-6-0-5", "leaf1 ethernet1/1/3:1 up = no" },
		{ "queuing", "show-queuing-statistics-interface--cubic-drops-q5", "leaf1 ethernet1/1/4 tx.drop[5] = 1263665" },
		{ "lldp", "show-lldp-neighbors-detail--s5248f-10-5-6-1", "leaf1 ethernet1/1/1 peer.mac = \"1c:34:da:42:14:7c\"" },
		{ "display-xml", "show-interface-display-xml--10-4-0e-eth1-eth2", "leaf1 ethernet1/1/2 rx.total = 6220575" },
	};
	const char *dir = captures_dir();

	(void)state;
	if (!dir) {
		print_message("skip: no captures are here\n");
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[256];
		char *text;

		snprintf(path, sizeof(path), "%s/switch/dell-os10/%s.txt", dir, rows[i].file);
		text = file_text(path, NULL);
		assert_non_null(text);
		assert_says(parsed(rows[i].probe, NULL, text, false), rows[i].fact);
		free(text);
	}
}

static void more_ports_than_a_switch_can_have_are_not_believed(void **state)
{
	struct buf text = { 0 };
	struct obs o;

	(void)state;
	for (unsigned slot = 1; slot <= 2000; slot++)
		buf_printf(&text, "interface range ethernet1/%u/1-1/%u/256\n mtu 9216\n!\n", slot, slot);
	o = parsed("running-config", NULL, text.text, false);
	assert_int_equal(o.n, 0);
	obs_done(&o);
	buf_done(&text);
}

static void an_entity_bomb_does_not_go_off(void **state)
{
	struct obs o = parsed("display-xml", NULL,
			      "<?xml version=\"1.0\"?>\n<!DOCTYPE b [<!ENTITY a \"xxxxxxxx\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n"
			      "<interface><name>ethernet1/1/1</name><oper-status>&b;</oper-status></interface>\n", false);

	(void)state;
	assert_int_equal(o.n, 0);
	assert_int_equal(o.missed, 1);
	obs_done(&o);
}

/* Every prefix of a reply, and every reply with a byte broken, is read without harm. */
static void broken_replies_do_no_harm(void **state)
{
	size_t n;
	char *text = file_text("tests/fixtures/os10/running-config/recipe.raw", &n);

	(void)state;
	for (size_t i = 0; i < os10_platform.n_probes; i++) {
		for (size_t cut = 0; cut < n; cut += 7) {
			char *broken = xstrndup(text, cut);
			struct answer a = { .text = { broken, cut }, .port = "ethernet1/1/1", .status = -1 };
			struct obs o;

			if (cut > 3)
				broken[cut / 2] = (char)(cut * 37);
			obs_init(&o, "leaf1", NULL);
			platform_parse(&os10_platform, &os10_platform.probes[i], &a, &o);
			obs_done(&o);
			free(broken);
		}
	}
	free(text);
}

static void port_names_are_one_and_only_data_ports_have_one(void **state)
{
	char name[64];

	(void)state;
	assert_true(os10_port_name(SPAN("Ethernet 1/1/3:1"), name));
	assert_string_equal(name, "ethernet1/1/3:1");
	assert_true(os10_port_name(SPAN("Eth 1/1/1"), name));
	assert_string_equal(name, "ethernet1/1/1");
	assert_false(os10_port_name(SPAN("mgmt1/1/1"), name));
	assert_false(os10_port_name(SPAN("ethernet1/1/1;reboot"), name));
	assert_false(os10_port_name(SPAN("port-channel51"), name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unconfigured_port_trusts_nothing_and_pauses_nothing),
		cmocka_unit_test(a_line_that_is_not_understood_proves_no_default),
		cmocka_unit_test(the_interface_line_wins_over_system_qos),
		cmocka_unit_test(random_detect_ecn_in_a_class_is_a_profile_of_that_name),
		cmocka_unit_test(a_policy_that_is_not_printed_leaves_pfc_unknown),
		cmocka_unit_test(a_network_that_trusts_pcp_tells_the_priority_of_each),
		cmocka_unit_test(a_range_of_ports_is_each_of_them),
		cmocka_unit_test(the_default_mtu_of_the_switch_is_that_of_ports_without_a_line),
		cmocka_unit_test(of_two_neighbors_the_one_that_gives_a_name_is_told),
		cmocka_unit_test(a_row_whose_cells_were_pushed_aside_is_missed),
		cmocka_unit_test(a_configuration_that_was_cut_short_says_nothing),
		cmocka_unit_test(saved_means_equal_but_for_the_date),
		cmocka_unit_test(secrets_do_not_reach_the_observation),
		cmocka_unit_test(a_missing_number_is_not_zero_and_a_float_is_rounded),
		cmocka_unit_test(unpublished_layouts_are_marked_unproven),
		cmocka_unit_test(a_refused_command_makes_its_facts_unknown_with_the_devices_words),
		cmocka_unit_test(each_capture_is_understood),
		cmocka_unit_test(more_ports_than_a_switch_can_have_are_not_believed),
		cmocka_unit_test(an_entity_bomb_does_not_go_off),
		cmocka_unit_test(broken_replies_do_no_harm),
		cmocka_unit_test(port_names_are_one_and_only_data_ports_have_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
