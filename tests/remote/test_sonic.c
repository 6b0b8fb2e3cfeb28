/* SONiC: what its replies say, and what they must not be taken to say. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/sonic/sonic.h"

static struct obs parsed(const char *probe_id, struct span text)
{
	const struct probe *probe = platform_probe(&sonic_platform, probe_id);
	struct answer a = { .text = text, .status = -1 };
	struct obs o;

	assert_non_null(probe);
	obs_init(&o, "leaf2", NULL);
	platform_parse(&sonic_platform, probe, &a, &o);
	return o;
}

static void secrets_are_masked_and_the_rest_is_still_json(void **state)
{
	size_t n;
	char *text = file_text("tests/fixtures/sonic/config-db/roce-saved.raw", &n);
	struct obs o = parsed("config-db", (struct span){ text, n });

	(void)state;
	assert_non_null(strstr(text, "canary"));
	assert_null(span_find(o.raw, "canary"));
	assert_int_equal(o.raw.n, n);
	assert_true(obs_says(&o, "leaf2 Ethernet0 ecn.on[3] = yes"));
	obs_done(&o);
	free(text);
}

static void a_switch_wide_dscp_map_serves_ports_without_their_own(void **state)
{
	struct obs o = parsed("config-db", SPAN("{\n\"PORT\": {\"Ethernet0\": {}, \"Ethernet4\": {}},\n"
		"\"DSCP_TO_TC_MAP\": {\"A\": {\"26\": \"3\"}, \"B\": {\"26\": \"5\"}},\n"
		"\"PORT_QOS_MAP\": {\"global\": {\"dscp_to_tc_map\": \"A\"}, \"Ethernet4\": {\"dscp_to_tc_map\": \"B\"}}\n}\n"));

	(void)state;
	assert_true(obs_says(&o, "leaf2 Ethernet0 trust = dscp"));
	assert_true(obs_says(&o, "leaf2 Ethernet0 dscp.prio[26] = 3"));
	assert_true(obs_says(&o, "leaf2 Ethernet4 dscp.prio[26] = 5"));
	assert_false(obs_says(&o, "leaf2 Ethernet4 dscp.prio[26] = 3"));
	obs_done(&o);
}

/* Forms of keys: of sonic-mgmt-common's cvl tests (lists), of VOQ documents; the last is of nobody. */
#define DB(qos, queue) "{\n\"DEVICE_METADATA\": {\"localhost\": {\"hostname\": \"lc1\"}},\n" \
	"\"PORT\": {\"Ethernet0\": {}, \"Ethernet4\": {}},\n\"DSCP_TO_TC_MAP\": {\"A\": {\"26\": \"3\"}},\n" \
	"\"WRED_PROFILE\": {\"W\": {\"ecn\": \"ecn_all\"}},\n" \
	"\"PORT_QOS_MAP\": {\"" qos "\": {\"dscp_to_tc_map\": \"A\", \"pfc_enable\": \"3\"}},\n" \
	"\"QUEUE\": {\"" queue "\": {\"wred_profile\": \"W\"}}\n}\n"

static void whose_row_is_not_understood_proves_no_no(void **state)
{
	static const struct {
		const char *text, *trust, *pfc, *ecn;
	} cases[] = {
		{ DB("Ethernet0", "Ethernet0|3"), "dscp", "yes", "yes" },
		{ DB("Ethernet4,Ethernet0", "Ethernet0,Ethernet4|3-4"), "dscp", "yes", "yes" },
		{ DB("Ethernet4", "Ethernet4|3"), "none", "no", "no" },
		{ DB("lc1|asic0|Ethernet0", "lc1|asic0|Ethernet0|3"), "dscp", "yes", "yes" },
		{ DB("lc2|asic0|Ethernet0", "lc2|asic0|Ethernet0|3"), "none", "no", "no" },
		{ DB("Ethernet0-Ethernet4", "Ethernet*|3"),
		  "unknown \"the owner of the row PORT_QOS_MAP|Ethernet0-Ethernet4 could not be parsed\"",
		  "unknown \"the owner of the row PORT_QOS_MAP|Ethernet0-Ethernet4 could not be parsed\"",
		  "unknown \"the owner of the row QUEUE|Ethernet*|3 could not be parsed\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct obs o = parsed("config-db", span_of(cases[i].text));
		char *facts[] = { xasprintf("leaf2 Ethernet0 trust = %s", cases[i].trust),
				  xasprintf("leaf2 Ethernet0 pfc.on[3] = %s", cases[i].pfc),
				  xasprintf("leaf2 Ethernet0 ecn.on[3] = %s", cases[i].ecn) };

		for (size_t k = 0; k < 3; k++) {
			if (!obs_says(&o, facts[k]))
				fail_msg("case %zu does not say \"%s\"", i, facts[k]);
			free(facts[k]);
		}
		obs_done(&o);
	}
}

#define LAG(channels, members) "{\n\"PORT\": {\"Ethernet0\": {\"mtu\": \"9100\"}, \"Ethernet4\": {}},\n" \
	"\"PORTCHANNEL\": {" channels "},\n\"PORTCHANNEL_MEMBER\": {" members "}\n}\n"

/* teammgrd sets the MTU of a port channel on its members, whatever their own rows say. */
static void a_member_has_the_mtu_of_its_port_channel(void **state)
{
	static const struct {
		const char *text, *mtu;		/* of Ethernet0 */
	} cases[] = {
		{ LAG("\"PortChannel1\": {\"mtu\": \"1500\"}", "\"PortChannel1|Ethernet0\": {}"), "1522" },
		{ LAG("\"PortChannel1\": {\"mtu\": \"1500\"}", "\"PortChannel1|Ethernet4,Ethernet0\": {\"NULL\": \"NULL\"}"), "1522" },
		{ LAG("\"PortChannel1\": {\"mtu\": \"1500\"}", "\"PortChannel1|Ethernet4\": {}, \"PortChannel2|Ethernet-BP0\": {}"), "9122" },
		{ LAG("\"PortChannel1\": {\"min_links\": \"1\"}", "\"PortChannel1|Ethernet0\": {}"), "9122" },
		{ LAG("\"PortChannel1\": {\"mtu_new\": \"1500\"}", "\"PortChannel1|Ethernet0\": {}"),
		  "unknown \"a member of its row in PORTCHANNEL could not be parsed: it may be the MTU\"" },
		{ LAG("\"PortChannel1\": {}", "\"PortChannel2|Ethernet0\": {}"),
		  "unknown \"its MTU comes from PORTCHANNEL|PortChannel2, which is not in the configuration\"" },
		{ LAG("\"PortChannel1\": {}, \"PortChannel2\": {}", "\"PortChannel1|Ethernet0\": {}, \"PortChannel2|Ethernet0\": {}"),
		  "unknown \"PORTCHANNEL_MEMBER lists the port in several port channels: its MTU may come from any of them\"" },
		{ LAG("\"PortChannel1\": {\"mtu\": \"1500\"}", "\"PortChannel1|Ethernet0-4\": {}"),
		  "unknown \"a row of PORTCHANNEL_MEMBER could not be parsed: the MTU may come from a port channel\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct obs o = parsed("config-db", span_of(cases[i].text));
		char *fact = xasprintf("leaf2 Ethernet0 mtu = %s", cases[i].mtu);

		if (!obs_says(&o, fact))
			fail_msg("case %zu does not say \"%s\"", i, fact);
		free(fact);
		obs_done(&o);
	}
}

#define ROW(table, key, row) "{\n\"PORT\": {\"Ethernet0\": {}},\n\"" table "\": {\"" key "\": " row "}\n}\n"
#define LOSSY(map, profile) "{\n\"PORT\": {\"Ethernet0\": {}},\n" \
	"\"PORT_QOS_MAP\": {\"Ethernet0\": {\"" map "\": \"m\", \"pfc_enable\": \"3\"}},\n" \
	"\"TC_TO_PRIORITY_GROUP_MAP\": {\"m\": {\"3\": \"3\"}},\n\"BUFFER_PG\": {\"Ethernet0|3\": {\"profile\": \"lossy\"}},\n" \
	"\"BUFFER_PROFILE\": {\"lossy\": " profile "}\n}\n"
#define RX	"  Port Rx    PFC0    PFC3\n---------  ------  ------\n"

/* Found by tests/mutants: a member, a table or a row that is not understood may set what no other says. */
#define ASYM(word, on) "{\n\"PORT\": {\"Ethernet0\": {\"pfc_asym\": \"" word "\"}},\n" \
	"\"PORT_QOS_MAP\": {\"Ethernet0\": {\"pfc_enable\": \"" on "\"}}\n}\n"

static void what_is_not_understood_proves_no_default(void **state)
{
	static const struct {
		const char *probe, *text, *says;	/* "!": not this */
	} cases[] = {
		{ "config-db", ROW("PORT_QOS_MAP", "Ethernet0", "{\"dscp_to_tc_map2\": \"A\"}"), "trust = unknown" },
		{ "config-db", ROW("PORT_QOS_MAP", "Ethernet0", "{\"pfc_enable\": [\"3\"]}"), "pfc.on[3] = unknown" },
		{ "config-db", ROW("PORT_QOS_MAP", "Ethernet0", "null"), "pfc.on[3] = unknown" },
		{ "config-db", ROW("PORT_QOS_MAP2", "Ethernet0", "{\"pfc_enable\": \"3\"}"), "pfc.on[3] = unknown" },
		{ "config-db", ROW("PORT_QOS_MAP", "Ethernet0", "{\"scheduler\": \"s\"}"), "pfc.on[3] = no" },
		{ "config-db", ROW("QUEUE", "Ethernet0|3", "{\"wred_profile2\": \"W\"}"), "ecn.on[3] = unknown" },
		{ "config-db", ROW("QUEUE", "Ethernet0|3", "null"), "ecn.on[3] = unknown" },
		{ "config-db", ROW("QUEUE", "Ethernet0|37", "{\"wred_profile\": \"W\"}"), "ecn.on[3] = unknown" },
		{ "config-db", ROW("QUEUE", "Ethernet0|3", "{\"scheduler\": \"s\"}"), "ecn.on[3] = no" },
		{ "config-db", ROW("PFC_WD", "Ethernet0", "{\"detection_time\": \"200x\"}"), "pfc.watchdog = unknown" },
		{ "config-db", ROW("PFC_WD", "Ethernet0", "{\"detection_times\": \"200\"}"), "pfc.watchdog = unknown" },
		{ "config-db", ROW("PFC_WD", "Ethernet0", "{\"detection_time\": \"200\"}"), "pfc.watchdog = yes" },
		{ "config-db", "{\n\"PORT\": {\"Ethernet0\": {\"mtu\": \"9100x\"}}\n}\n", "mtu = unknown" },
		{ "config-db", "{\n\"PORT\": {\"Ethernet0\": {\"mtu_new\": \"9100\"}}\n}\n", "mtu = unknown" },
		{ "config-db", "{\n\"PORT\": {\"Ethernet0\": {}}\n}\n},\n\"QUEUE\": {}\n}\n", "!Ethernet0" },
		{ "config-db", LOSSY("tc_to_pg_map", "{\"size\": \"0\"}"), "pfc.on[3] = unknown \"enabled, but its priority group has a lossy" },
		{ "config-db", LOSSY("tc_to_pg_map", "{\"size\": \"1\"}"), "pfc.on[3] = yes" },
		{ "config-db", LOSSY("tc_to_pg_map", "{\"size\": \"x\"}"), "pfc.on[3] = unknown" },
		{ "config-db", LOSSY("tc_to_pg_map2", "{\"size\": \"0\"}"), "pfc.on[3] = unknown" },
		{ "config-db", ASYM("on", ""), "pfc.on[0] = unknown \"pfc_asym is on: the port honors pause on every priority" },
		{ "config-db", ASYM("on", "3"), "pfc.on[3] = unknown \"pfc_asym is on" },
		{ "config-db", ASYM("maybe", "3"), "pfc.on[3] = unknown \"pfc_asym is neither on nor off\"" },
		{ "config-db", ASYM("off", "3"), "pfc.on[3] = yes" },
		{ "pfc-counters", RX "Ethernet0       1       2\n", "pfc.rx[3] = 2" },
		{ "pfc-counters", RX "Ethernet0       1       2\n  Port Tx    PFC0    PFC3\nEthernet0       8       9\n", "pfc.rx[3] = 2" },
		{ "pfcwd-config", "PORT       ACTN    DETECTION TIME\n---------  ------  --------------\nEthernet0  drop    200\n",
		  "pfc.watchdog = unknown" },
		{ "fdb", "1 1000 02:00:00:00:00:01 Ethernet0 Dynamic\nx 1000 02:00:00:00:00:02 Ethernet0 Dynamic\n", "fdb = unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct obs o = parsed(cases[i].probe, span_of(cases[i].text));
		bool is_wanted = *cases[i].says != '!';
		struct buf facts = { 0 };

		obs_print(&o, &facts);
		if ((facts.n && strstr(facts.text, cases[i].says + !is_wanted)) != is_wanted)
			fail_msg("\"%s\" of %s; it says\n%s", cases[i].says, cases[i].text, facts.n ? facts.text : "nothing");
		buf_done(&facts);
		obs_done(&o);
	}
}

/* As hand-aligned tables of the command reference have it: "Ethernet12" was read as "Ethernet1". */
static void a_cell_wider_than_its_dashes_is_not_cut(void **state)
{
	struct obs o = parsed("pfc-counters", SPAN(
		"  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
		"---------  ------  ------  ------  ------  ------  ------  ------  ------\n"
		"Ethernet1       0       0       0       1       0       0       0       0\n"
		"Ethernet12      0       0       0       2       0       0       0       0\n"
		"Ethernet13 x    0       0       0       3       0       0       0       0     9\n"));

	(void)state;
	assert_true(obs_says(&o, "leaf2 Ethernet1 pfc.rx[3] = 1"));
	assert_true(obs_says(&o, "leaf2 Ethernet12 pfc.rx[3] = 2"));
	assert_false(obs_says(&o, "leaf2 Ethernet1 pfc.rx[3] = 2"));
	assert_false(obs_says(&o, "leaf2 Ethernet1 pfc.rx[3] = 3"));
	assert_int_equal(o.missed, 1);
	obs_done(&o);
}

/* Received and sent pause are printed one below the other, and differ in their first heading alone. */
static void a_table_whose_dashes_lack_is_not_read_by_those_of_the_one_before(void **state)
{
	struct obs o = parsed("pfc-counters", SPAN(
		"  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
		"---------  ------  ------  ------  ------  ------  ------  ------  ------\n"
		"Ethernet0       0       0       0       1       0       0       0       0\n"
		"\n"
		"  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
		"Ethernet0       0       0       0       7       0       0       0       0\n"));

	(void)state;
	assert_true(obs_says(&o, "leaf2 Ethernet0 pfc.rx[3] = 1"));
	assert_false(obs_says(&o, "leaf2 Ethernet0 pfc.rx[3] = 7"));
	obs_done(&o);
}

/* Cut inside its last line, 12345 is read as 123. */
static void the_last_row_of_a_table_that_was_cut_is_not_read(void **state)
{
	const struct probe *probe = platform_probe(&sonic_platform, "pfc-counters");
	struct answer a = { .status = -1, .is_partial = true, .text = SPAN(
		"  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
		"---------  ------  ------  ------  ------  ------  ------  ------  ------\n"
		"Ethernet0       0       0       0       0       0       0       0   12345\n"
		"Ethernet4       0       0       0       0       0       0       0       1\n"
		"Ethernet8       0       0       0       0       0       0       0     123") };
	struct obs o;

	(void)state;
	obs_init(&o, "leaf2", NULL);
	platform_parse(&sonic_platform, probe, &a, &o);
	assert_true(obs_says(&o, "leaf2 Ethernet0 pfc.rx[7] = 12345"));
	assert_false(obs_says(&o, "leaf2 Ethernet8 pfc.rx[7] = 123"));
	obs_done(&o);
}

/* orchagent binds both; DSCP is what an IP packet is classified by then. */
static void a_port_with_maps_of_both_kinds_trusts_dscp(void **state)
{
	static const char maps[] = "\"DSCP_TO_TC_MAP\": {\"A\": {\"26\": \"3\"}}, \"DOT1P_TO_TC_MAP\": {\"B\": {\"3\": \"3\"}}\n}\n";
	char *both = xasprintf("{\n\"PORT\": {\"Ethernet0\": {}},\n\"PORT_QOS_MAP\": {\"Ethernet0\": {\"dscp_to_tc_map\": \"A\", "
			       "\"dot1p_to_tc_map\": \"B\"}},\n%s", maps);
	char *one = xasprintf("{\n\"PORT\": {\"Ethernet0\": {}},\n\"PORT_QOS_MAP\": {\"Ethernet0\": {\"dot1p_to_tc_map\": "
			      "\"B\"}},\n%s", maps);
	struct obs o = parsed("config-db", span_of(both));

	(void)state;
	assert_true(obs_says(&o, "leaf2 Ethernet0 trust = dscp"));
	obs_done(&o);
	o = parsed("config-db", span_of(one));
	assert_true(obs_says(&o, "leaf2 Ethernet0 trust = pcp"));
	assert_true(obs_says(&o, "leaf2 Ethernet0 pcp.prio[3] = 3"));
	obs_done(&o);
	free(both);
	free(one);
}

static void shares_add_up_to_a_hundred(void **state)
{
	struct obs o = parsed("config-db", SPAN("{\n\"PORT\": {\"Ethernet0\": {}},\n"
		"\"SCHEDULER\": {\"s\": {\"type\": \"DWRR\", \"weight\": \"14\"}},\n"
		"\"QUEUE\": {\"Ethernet0|0-6\": {\"scheduler\": \"s\"}}\n}\n"));
	uint64_t sum = 0;

	(void)state;
	for (size_t i = 0; i < o.n; i++)
		sum += o.facts[i].field == FIELD_ETS_SHARE ? o.facts[i].value.n : 0;
	assert_int_equal(sum, 100);
	obs_done(&o);
}

static void a_fact_of_the_configuration_cites_its_entry(void **state)
{
	size_t n;
	char *text = file_text("tests/fixtures/sonic/config-db/roce-saved.raw", &n);
	struct obs o = parsed("config-db", (struct span){ text, n });
	size_t cited = 0;

	(void)state;
	for (size_t i = 0; i < o.n; i++) {
		if (o.facts[i].field != FIELD_ECN_KMIN)
			continue;
		assert_int_not_equal(o.facts[i].cite, CITE_NONE);
		assert_memory_equal(text + o.facts[i].cite, "\"ROCE\": {", 9);
		cited++;
	}
	assert_int_equal(cited, 1);
	obs_done(&o);
	free(text);
}

static void an_error_in_prose_is_no_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sonic_platform.n_probes; i++) {
		struct obs o = parsed(sonic_platform.probes[i].id, SPAN("Usage: show [OPTIONS]\nError: No such command \"x\".\n"));

		assert_int_equal(o.n, 0);
		obs_done(&o);
	}
}

static void each_capture_is_understood(void **state)
{
	static const struct { const char *probe, *file, *fact; } rows[] = {
		{ "version", "show-version--msn2700", "leaf2 model = \"Mellanox-SN2700\"" },
		{ "config-db", "config-db-json--small", "leaf2 Ethernet4 alias = \"fortyGigE0/4\"" },
		{ "pfc-counters", "show-pfc-counters--basic", "leaf2 Ethernet8 pfc.tx[0] = 1810" },
		{ "pfc-history", "show-pfc-counters-history--basic", "leaf2 Ethernet8 pfc.rx_us[7] = 80000007" },
		{ "pfc-priority", "show-pfc-priority--all", "leaf2 Ethernet4 pfc.on[4] = yes" },
		{ "pfcwd-config", "show-pfcwd-config--z9332-polling-line", "leaf2 Ethernet2 pfc.watchdog = yes" },
		{ "pfcwd-stats", "show-pfcwd-stats--z9332f-stormed", "leaf2 Ethernet4 pfc.storm[3] = 1" },
		{ "pfcwd-stats", "show-pfcwd-stats--z9332f-two-queues", "leaf2 Ethernet6 pfc.storm[3] = 2" },
		{ "pfcwd-stats", "show-pfcwd-stats--z9332f-two-queues", "leaf2 Ethernet4 pfc.restored[3] = 2" },
		{ "pfcwd-stats", "show-pfcwd-stats--z9332f-two-queues", "leaf2 Ethernet4 storm.rx_drop[3] = 371184" },
		{ "pfcwd-stats", "show-pfcwd-stats--z9332f-two-queues", "leaf2 Ethernet6 storm.last_tx_drop[3] = 69" },
		{ "pfcwd-stats", "show-pfcwd-stats--basic", "leaf2 Ethernet8 storm.tx[4] = 100" },
		{ "pfcwd-config", "show-pfcwd-config--z9332-polling-line", "leaf2 Ethernet2 pfc.watchdog.action = drop" },
		{ "queue-counters", "show-queue-counters--all", "leaf2 Ethernet4 tx.drop[2] = 3" },
		{ "queue-wred", "show-queue-wredcounters--nonzero", "leaf2 Ethernet4 ecn.marked[3] = 48" },
		{ "queue-watermark", "show-queue-watermark-unicast--basic", "leaf2 Ethernet4 queue.peak[3] = 1986" },
		{ "pg-watermark", "show-priority-group-watermark-headroom--basic", "leaf2 Ethernet8 pg.peak[7] = 807" },
		{ "pg-drop", "show-priority-group-drop-counters--basic", "leaf2 Ethernet0 pg.drop[7] = 807" },
		{ "interfaces-counters", "show-interfaces-counters--busy-fabric", "leaf2 Ethernet12 rx.discard = 17614" },
		{ "interfaces-status", "show-interfaces-status--basic", "leaf2 Ethernet124 alias = \"etp32\"" },
		{ "lldp", "show-lldp-table--basic", "leaf2 Ethernet116 peer.name = \"T1-2\"" },
	};
	const char *dir = captures_dir();

	(void)state;
	if (!dir) {
		print_message("skip: no captures are here\n");
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[256];
		size_t n;
		char *text;
		struct obs o;

		snprintf(path, sizeof(path), "%s/switch/sonic/%s.txt", dir, rows[i].file);
		text = file_text(path, &n);
		assert_non_null(text);
		o = parsed(rows[i].probe, (struct span){ text, n });
		if (!obs_says(&o, rows[i].fact))
			fail_msg("%s does not say %s", rows[i].file, rows[i].fact);
		obs_done(&o);
		free(text);
	}
}

/* Every prefix of a reply, and every reply with a byte broken, is read without harm. */
static void broken_replies_do_no_harm(void **state)
{
	static const char *const files[] = {
		"config-db/not-saved", "queue-counters/kinds", "interfaces-status/mixed", "pfcwd-stats/stormed", "lldp/kinds",
	};

	(void)state;
	for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++) {
		char path[256];
		size_t n;
		char *text;

		snprintf(path, sizeof(path), "tests/fixtures/sonic/%s.raw", files[f]);
		text = file_text(path, &n);
		for (size_t i = 0; i < sonic_platform.n_probes; i++) {
			for (size_t cut = 0; cut < n; cut += 5) {
				char *broken = xstrndup(text, cut);
				struct obs o;

				if (cut > 3)
					broken[cut / 2] = (char)(cut * 37);
				o = parsed(sonic_platform.probes[i].id, (struct span){ broken, cut });
				obs_done(&o);
				free(broken);
			}
		}
		free(text);
	}
}

static void inner_and_foreign_ports_are_left_out(void **state)
{
	struct obs o;

	(void)state;
	obs_init(&o, "leaf2", "test");
	assert_int_equal(sonic_port(&o, SPAN("Ethernet-BP4")), OBS_DEVICE);
	assert_int_equal(sonic_port(&o, SPAN("PortChannel1")), OBS_DEVICE);
	assert_int_equal(sonic_port(&o, SPAN("eth0")), OBS_DEVICE);
	assert_int_equal(sonic_port(&o, SPAN("Ethernet0;id")), OBS_DEVICE);
	assert_int_equal(sonic_port(&o, SPAN("Ethernet112")), 0);
	obs_done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_masked_and_the_rest_is_still_json),
		cmocka_unit_test(a_switch_wide_dscp_map_serves_ports_without_their_own),
		cmocka_unit_test(whose_row_is_not_understood_proves_no_no),
		cmocka_unit_test(what_is_not_understood_proves_no_default),
		cmocka_unit_test(a_member_has_the_mtu_of_its_port_channel),
		cmocka_unit_test(a_cell_wider_than_its_dashes_is_not_cut),
		cmocka_unit_test(a_table_whose_dashes_lack_is_not_read_by_those_of_the_one_before),
		cmocka_unit_test(the_last_row_of_a_table_that_was_cut_is_not_read),
		cmocka_unit_test(a_port_with_maps_of_both_kinds_trusts_dscp),
		cmocka_unit_test(shares_add_up_to_a_hundred),
		cmocka_unit_test(a_fact_of_the_configuration_cites_its_entry),
		cmocka_unit_test(an_error_in_prose_is_no_table),
		cmocka_unit_test(each_capture_is_understood),
		cmocka_unit_test(broken_replies_do_no_harm),
		cmocka_unit_test(inner_and_foreign_ports_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
