/* The skins of switches (remote/lab/world/skins.h): what a switch in that skin prints and takes, asked of its own tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/os10/show.h"
#include "remote/lab/os10/words.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/settings.h"
#include "tests/lib/lab.h"
#include "tests/lib/one_leaf.h"
#include "tests/lib/say.h"
#include "tests/lib/text.h"

#define SECOND_US 1000000

#define TIDY(nodes, os) fabric_in((nodes), (os), NULL)

/* What a tool of leaf1 prints, both outputs, until the next call. */
static const char *run_tool(struct fabric *f, int wanted, char **words)
{
	static struct buf out;
	struct tool_call t = { .fabric = f, .device = fabric_device(f, SPAN("leaf1")), .argv = words, .out = &out, .errors = &out };
	int status;

	buf_clear(&out);
	while (words[t.argc])
		t.argc++;
	status = tool_run(&t);
	if (status != wanted)
		fail_msg("%s %s: exit %d\n%s", words[0], words[1], status, out.text);
	if (t.is_changed)
		fabric_refresh(f, NULL);
	return out.text ? out.text : "";
}
#define TELL(f, ...) run_tool((f), 0, (char *[]){ __VA_ARGS__, NULL })
#define REFUSED(f, code, ...) run_tool((f), (code), (char *[]){ __VA_ARGS__, NULL })

/* What OS10 prints for "show WORDS", until the next call. */
static const char *show(struct fabric *f, const char *words)
{
	static struct buf out;

	buf_clear(&out);
	if (!dell_show(f, fabric_device(f, SPAN("leaf1")), words, &out))
		fail_msg("show %s: refused", words);
	return out.text ? out.text : "";
}

/* Packets of each size, and octets: no fewer than if each were as small as its name says, no more than the largest. */
static void sizes_fit(const char *of, const char *text)
{
	static const unsigned least[] = { 64, 65, 128, 256, 512, 1024 }, most[] = { 64, 127, 255, 511, 1023, 9412 };
	unsigned long long packets, octets, n[6];
	double fewest = 0, all = 0, count = 0;

	if (sscanf(text, " statistics: %llu packets, %llu octets %llu 64-byte pkts, %llu over 64-byte pkts, %llu over 127-byte pkts "
		   "%llu over 255-byte pkts, %llu over 511-byte pkts, %llu over 1023-byte pkts",
		   &packets, &octets, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) != 8)
		fail_msg("could not be parsed: %.300s", text);
	for (unsigned i = 0; i < 6; i++) {
		fewest += (double)n[i] * least[i];
		all += (double)n[i] * most[i];
		count += (double)n[i];
	}
	if (count != (double)packets || (double)octets < fewest || (double)octets > all)
		fail_msg("%s: %llu packets, %llu octets do not fit:\n%.300s", of, packets, octets, text);
}

static void sizes_of_packets_fit_their_octets(void **state)
{
	struct fabric *f = TIDY(4, "os10");
	const char *text, *at;
	unsigned seen = 0;

	(void)state;
	fabric_traffic(f, "incast");
	fabric_run(f, SECOND_US / 50);
	text = show(f, "interface");
	assert_silent(text, "e+");
	for (at = text; (at = strstr(at, "put statistics:")); at++, seen++)
		sizes_fit(at[-1] == 'n' ? "input" : "output", at + 3);
	assert_true(seen >= 8);
	fabric_free(f);
}

static struct lab_port *leaf_port(struct fabric *f, unsigned i)
{
	return &f->ports[fabric_device(f, SPAN("leaf1"))->first + i];
}

static void flap(struct fabric *f, struct lab_port *p)
{
	p->harm.is_down = true;
	fabric_refresh(f, NULL);
	fabric_run(f, SECOND_US);
	p->harm.is_down = false;
	fabric_refresh(f, NULL);
}

static void reboot(struct fabric *f)
{
	struct lab_device *d = fabric_device(f, SPAN("leaf1"));
	struct setup *now = setup_take(f, d);

	setup_boot(f, d, now);
	for (unsigned i = 0; i < d->n; i++)
		counters_clear(f, &f->ports[d->first + i]);
	d->booted_us = f->now_us;
	d->boots++;
	setup_free(now);
}

/* -- time -- */

static void os10_tells_the_age_of_each_event(void **state)
{
	struct fabric *f = TIDY(2, "os10");
	const char *text;

	(void)state;
	fabric_run(f, 300 * SECOND_US);
	assert_says(show(f, "version"), "Up Time: 00:05:00\n");
	flap(f, leaf_port(f, 0));
	fabric_run(f, 7 * SECOND_US);
	text = show(f, "interface ethernet1/1/1");
	assert_says(text, "counters: 00:05:08\n");
	assert_says(text, "interface status change: 00:00:07\n");
	text = show(f, "lldp neighbors detail");
	assert_says(text, "Information valid for next 113 seconds\nTime since last information change of this neighbor: 00:00:07\n");
	counters_clear(f, leaf_port(f, 1));
	fabric_run(f, 3 * SECOND_US);
	assert_says(show(f, "interface ethernet1/1/2"), "counters: 00:00:03\n");
	reboot(f);
	fabric_run(f, 4 * SECOND_US);
	assert_says(show(f, "version"), "Up Time: 00:00:04\n");
	assert_says(show(f, "interface ethernet1/1/1"), "interface status change: 00:00:04\n");
	fabric_free(f);
}

static void a_switch_with_old_counters_has_been_up_as_long(void **state)
{
	struct fabric *f = WEARING(2, "os10", "counters-old");
	const char *text;

	(void)state;
	fabric_run(f, SECOND_US);
	text = show(f, "version");
	assert_says(text, " weeks ");
	assert_says(show(f, "interface ethernet1/1/1"), " weeks ");
	fabric_free(f);
	f = WEARING(2, "sonic", "counters-old");
	fabric_run(f, SECOND_US);
	assert_says(TELL(f, "show", "version"), " days, ");
	fabric_free(f);
}

static void rates_are_those_of_the_traffic(void **state)
{
	struct fabric *f = TIDY(2, "os10");
	unsigned mbits = 0;
	const char *at;

	(void)state;
	fabric_run(f, 21 * SECOND_US / 10);
	assert_says(show(f, "interface ethernet1/1/1"), "     Input 0 Mbits/sec, 0 packets/sec, 0% of line rate\n");
	fabric_traffic(f, "ring");
	fabric_run(f, 20 * SECOND_US);
	at = strstr(show(f, "interface ethernet1/1/1"), "     Input ");
	assert_int_equal(sscanf(at, " Input %u Mbits/sec", &mbits), 1);
	assert_in_range(mbits, 30000, 100000);
	fabric_free(f);
}

static void sonic_tells_its_time_and_rates(void **state)
{
	struct fabric *f = TIDY(2, "sonic");

	(void)state;
	fabric_run(f, 300 * SECOND_US);
	assert_says(TELL(f, "show", "version"), "Uptime: 05:05:00 up 5 min,  1 user,");
	assert_says(TELL(f, "show", "interfaces", "counters"), "0.00 B/s");
	fabric_traffic(f, "ring");
	fabric_run(f, 20 * SECOND_US);
	assert_says(TELL(f, "show", "interfaces", "counters"), "  6875.00 MB/s     55.00%");
	reboot(f);
	assert_says(TELL(f, "show", "version"), "up 0 min,");
	fabric_free(f);
}

static void a_watchdog_that_saw_no_storm_restored_none(void **state)
{
	struct fabric *f = TIDY(2, "sonic");

	(void)state;
	leaf_port(f, 0)->harm.is_storming = false;
	port_peer(f, leaf_port(f, 0))->harm.is_storming = true;
	assert_says(TELL(f, "show", "pfcwd", "stats", "all"), "0/0");
	assert_silent(TELL(f, "show", "pfcwd", "stats", "all"), "18446744073709551615");
	fabric_free(f);
}

/* -- sonic-clear -- */

static void sonic_clear_saves_and_tables_show_the_difference(void **state)
{
	struct fabric *f = TIDY(2, "sonic");
	const char *text;

	(void)state;
	fabric_traffic(f, "ring");
	fabric_run(f, 2 * SECOND_US);
	assert_silent(TELL(f, "show", "interfaces", "counters"), "Last cached");
	assert_string_equal(TELL(f, "sonic-clear", "counters"), "Cleared counters\n\n");
	text = TELL(f, "show", "interfaces", "counters");
	assert_memory_equal(text, "Last cached time was 2026-11-21T05:00:02.000000\n", 48);
	assert_says(text, "Ethernet0        U        0 ");
	assert_silent(TELL(f, "show", "pfc", "counters"), "Last cached");
	assert_says(TELL(f, "sonic-clear", "queuecounters"), "Clear and update saved counters for Ethernet4\n");
	text = TELL(f, "show", "queue", "counters");
	assert_says(text, "Ethernet4 Last cached time was 2026-11-21T05:00:02.000000\n     Port    TxQ ");
	assert_silent(text, "For namespace");
	reboot(f);
	assert_silent(TELL(f, "show", "interfaces", "counters"), "Last cached");
	assert_says(REFUSED(f, 2, "sonic-clear", "foo"), "Error: No such command \"foo\".\n");
	fabric_free(f);
}

static void counters_cleared_by_somebody_show_what_was_since(void **state)
{
	struct fabric *f = WEARING(2, "sonic", "counters-cleared", "counters-old");
	const char *text;

	(void)state;
	fabric_run(f, 2 * SECOND_US);
	text = TELL(f, "show", "interfaces", "counters");
	assert_says(text, "Last cached time was 2026-11-21T05:00:00.000000\n");
	assert_says(text, "Ethernet0        U        0 ");
	assert_says(TELL(f, "show", "pfc", "counters"), "Last cached time was ");
	fabric_free(f);
}

/* -- CONFIG_DB -- */

static void assert_same_qos(struct fabric *a, struct fabric *b, const char *skin)
{
	for (unsigned i = 0; i < fabric_device(a, SPAN("leaf1"))->n; i++) {
		const struct sim_qos *x = sim_qos(a->sim, leaf_port(a, i)->sim), *y = sim_qos(b->sim, leaf_port(b, i)->sim);

		if (memcmp(x->pfc, y->pfc, sizeof(x->pfc)) || memcmp(x->dscp_prio, y->dscp_prio, sizeof(x->dscp_prio)) ||
		    memcmp(x->ecn, y->ecn, sizeof(x->ecn)) || memcmp(x->kmin, y->kmin, sizeof(x->kmin)) ||
		    memcmp(x->prio_queue, y->prio_queue, sizeof(x->prio_queue)) || x->mtu != y->mtu)
			fail_msg("%s: port %u does not do as a tidy one", skin, i);
	}
}

static const char *const db_skins[] = { "keys-grouped", "keys-voq", "refs-bracketed", "names-azure", "dot1p-maps", "no-schedulers" };
#define N_DB_SKINS (sizeof(db_skins) / sizeof(*db_skins))

static void add_fault(struct fabric *f, const char *fault, bool on)
{
	system_fault(fabric_device(f, SPAN("leaf1"))->system, fault)->set(f, leaf_port(f, 1), on);
	fabric_refresh(f, NULL);
}

static void the_form_of_a_key_changes_nothing_that_is_configured(void **state)
{
	static const char *const faults[] = {
		"pfc-off-switch", "pfc-extra-prio", "pfc-wrong-switch", "pfc-queue-wrong", "ecn-off-switch", "ecn-weak", "dscp-map-lossy",
		"trust-off-switch", "queue-map-wrong",
	};
	struct fabric *tidy = TIDY(3, "sonic");

	(void)state;
	for (size_t i = 0; i <= N_DB_SKINS; i++) {
		const char *skins[N_DB_SKINS + 1] = { i < N_DB_SKINS ? db_skins[i] : db_skins[0], NULL };
		struct fabric *f;

		for (size_t k = 1; i == N_DB_SKINS && k < N_DB_SKINS; k++)
			skins[k] = db_skins[k];
		f = fabric_in(3, "sonic", skins);
		assert_same_qos(tidy, f, skins[0]);
		for (size_t k = 0; k < sizeof(faults) / sizeof(*faults); k++)
			for (int on = 1; on >= 0; on--) {
				add_fault(f, faults[k], on);
				add_fault(tidy, faults[k], on);
				assert_same_qos(tidy, f, faults[k]);
			}
		fabric_free(f);
	}
	fabric_free(tidy);
}

static void each_form_is_as_it_was_published(void **state)
{
	static const char *const table[][2] = {
		{ "keys-grouped", "\"Ethernet0,Ethernet4,Ethernet8\": {" },
		{ "keys-grouped", "\"Ethernet0,Ethernet4,Ethernet8|3\": {" },
		{ "keys-voq", "\"leaf1|asic0|Ethernet0|3\": {" },
		{ "refs-bracketed", "\"dscp_to_tc_map\": \"[DSCP_TO_TC_MAP|ROCE]\"" },
		{ "refs-bracketed", "\"profile\": \"[BUFFER_PROFILE|pg_lossless_profile]\"" },
		{ "names-azure", "\"wred_profile\": \"AZURE_LOSSLESS\"" },
		{ "names-azure", "\"pfc_to_queue_map\": \"AZURE\"" },
		{ "dot1p-maps", "\"dot1p_to_tc_map\": \"ROCE\"" },
	};
	struct fabric *f;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		f = WEARING(3, "sonic", table[i][0]);
		assert_says(TELL(f, "sonic-cfggen", "-d", "--print-data"), table[i][1]);
		fabric_free(f);
	}
	f = WEARING(3, "sonic", "names-azure");
	assert_silent(TELL(f, "sonic-cfggen", "-d", "--print-data"), "ROCE");
	fabric_free(f);
	f = WEARING(3, "sonic", "no-schedulers");
	assert_silent(TELL(f, "sonic-cfggen", "-d", "--print-data"), "cheduler");
	fabric_free(f);
}

static void a_write_acts_or_is_refused_as_on_the_real_one(void **state)
{
	char patch[] = "[{\"op\": \"replace\", \"path\": \"/QUEUE/leaf1|asic0|Ethernet0|3/wred_profile\", \"value\": \"ROCE_LOSSLESS\"}]";
	char add[] = "[{\"op\": \"add\", \"path\": \"/PORT_QOS_MAP/Ethernet0,Ethernet4\", \"value\": {\"pfc_enable\": \"3\"}}]";
	struct fabric *f = WEARING(3, "sonic", "keys-grouped");

	(void)state;
	/* A row of its own beside the list: what it says is the port's, the rest stays the list's. */
	TELL(f, "config", "interface", "pfc", "priority", "Ethernet0", "4", "on");
	assert_true(sim_qos(f->sim, leaf_port(f, 0)->sim)->pfc[4]);
	assert_false(sim_qos(f->sim, leaf_port(f, 0)->sim)->pfc[3]);
	assert_true(sim_qos(f->sim, leaf_port(f, 1)->sim)->pfc[3]);
	assert_int_equal(sim_qos(f->sim, leaf_port(f, 0)->sim)->dscp_prio[26], 3);
	assert_says(REFUSED(f, 2, "config", "apply-patch", "x", "[]"), "Error: No such command \"apply-patch\".\n");
	assert_says(REFUSED(f, 2, "config", "checkpoint", "x"), "Error: No such command \"checkpoint\".\n");
	assert_says(TELL(f, "show", "version"), "SONiC.202012.");
	fabric_free(f);
	f = WEARING(3, "sonic", "keys-voq");
	assert_says(TELL(f, "config", "apply-patch", "x", patch), "Patch applied successfully.");
	fabric_free(f);
	f = TIDY(3, "sonic");
	assert_says(REFUSED(f, 2, "config", "apply-patch", "x", add), "points to a non-existing leaf.");
	fabric_free(f);
}

/* -- tables -- */

static void click_refuses_what_it_does_not_have(void **state)
{
	struct fabric *f = TIDY(3, "sonic");

	(void)state;
	assert_string_equal(REFUSED(f, 2, "show", "interfaces", "foo", "status"),
			    "Usage: show interfaces [OPTIONS] COMMAND [ARGS]...\nTry \"show interfaces -h\" for help.\n\n"
			    "Error: No such command \"foo\".\n");
	assert_says(REFUSED(f, 2, "show", "pfc", "foo"), "Error: No such command \"foo\".\n");
	assert_says(REFUSED(f, 2, "show", "version", "--json"), "Error: no such option: --json\n");
	assert_says(REFUSED(f, 2, "show", "mac", "foo"), "Error: Got unexpected extra argument (foo)\n");
	assert_says(REFUSED(f, 2, "show", "p", "counters"), "Error: Too many matches: pfc, pfcwd, priority-group\n");
	assert_says(REFUSED(f, 2, "pfcwd", "foo"), "Error: ");
	assert_says(TELL(f, "show", "int", "st", "Ethernet4"), "  Ethernet4  ");
	assert_says(TELL(f, "show", "interfaces"), "Commands:\n  counters\n  fec\n  status\n");
	assert_says(TELL(f, "show", "interfaces", "counters", "rates"), "RX_PPS");
	assert_says(REFUSED(f, 2, "show", "interfaces", "counters", "detailed"), "Error: Missing argument \"<INTERFACE_NAME>\".\n");
	fabric_free(f);
}

static void each_table_skin_is_as_it_was_seen(void **state)
{
	static const struct {
		const char *skin, *words[5], *says, *is_silent_on;
	} table[] = {
		{ "type-long", { "show", "interfaces", "status" }, "      up  QSFP-DD Double Density 8X Pluggable Transceiver         off\n", "QSFP28" },
		{ "portchannels", { "show", "interfaces", "status" }, "\nPortChannel0005  ", NULL },
		{ "portchannels", { "show", "interfaces", "status" }, "etp1            trunk      up", "routed      up       up    QSFP" },
		{ "portchannels", { "sonic-cfggen", "-d", "--print-data" }, "\"PortChannel0005|Ethernet16\": {}", NULL },
		{ "backplane-ports", { "show", "interfaces", "status" }, "  Ethernet-BP0  ", NULL },
		{ "backplane-ports", { "show", "interfaces", "counters" }, "\nEthernet-BP256        D  ", NULL },
		{ "backplane-ports", { "show", "pfc", "counters" }, "\nEthernet-BP256     N/A     N/A ", NULL },
		{ "queues-twenty", { "show", "queue", "counters" }, "Ethernet0   MC19 ", "MC8" },
		{ "queues-twenty", { "show", "queue", "watermark", "unicast" }, "    UC8    UC9\n", NULL },
		{ "queues-configured", { "show", "queue", "counters" }, "Ethernet0    UC6 ", "UC7" },
		{ "rows-shifted", { "show", "queue", "watermark", "unicast" }, "\nEthernet16      0 ", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct skin_wish wish = { .names = { table[i].skin }, .n = 1 };
		struct fabric_plan plan = {
			.nodes = 4, .rails = 1, .leaves = 1, .spines = 1, .switch_os = "sonic", .speed_bps = 100000000000, .seed = 7, .lens = 1,
			.skins = &wish,
		};
		struct err err;
		struct fabric *f = fabric_generate(&plan, &err);
		char *words[6] = { NULL };
		const char *text;

		for (size_t k = 0; table[i].words[k]; k++)
			words[k] = (char *)table[i].words[k];
		text = run_tool(f, 0, words);
		assert_says(text, table[i].says);
		if (table[i].is_silent_on)
			assert_silent(text, table[i].is_silent_on);
		fabric_free(f);
	}
}

static void os10_has_more_than_ports(void **state)
{
	struct fabric *f = WEARING(3, "os10", "interface-groups", "counters-old");
	const char *text = show(f, "interface");

	(void)state;
	assert_says(text, "\n\nManagement 1/1/1 is up, line protocol is up\n");
	assert_says(text, "\n\nPort-channel 128 is up, line protocol is up\n");
	assert_says(text, "\n\nVlan 7 is down, line protocol is down\n");
	text = show(f, "interface status");
	assert_says(text, "Eth 1/1/1       Switched-Comp.. up       100G     full     T    7    6,201,");
	assert_says(text, "\nPo 128          Uplink-Po..     up ");
	assert_silent(show(f, "interface ethernet1/1/1"), "Vlan");
	fabric_free(f);
}

static void old_releases_lack_commands(void **state)
{
	struct fabric *f = WEARING(3, "sonic", "no-wredcounters");

	(void)state;
	assert_says(REFUSED(f, 2, "show", "queue", "wredcounters"), "Error: No such command \"wredcounters\".\n");
	assert_says(REFUSED(f, 2, "show", "pfc", "counters", "--history"), "Error: no such option: --history\n");
	assert_says(TELL(f, "show", "pfc", "counters"), "Port Tx");
	fabric_free(f);
	f = WEARING(3, "sonic", "refs-bracketed");
	REFUSED(f, 2, "show", "queue", "wredcounters");
	assert_silent(TELL(f, "show", "queue", "counters"), "For namespace");
	assert_silent(TELL(f, "show", "pfcwd", "config"), "HISTORY");
	fabric_free(f);
}

static void a_release_has_what_it_came_with(void **state)
{
	static const struct {
		const char *skin, *version, *kernel;
		bool is_latest;
	} table[] = {
		{ NULL, "SONiC.202605.", "6.12.41+deb13-sonic-amd64\n", true },
		{ "no-wredcounters", "SONiC.202305.", "5.10.0-18-2-amd64\n", false },
		{ "refs-bracketed", "SONiC.202012.", "4.19.0-12-2-amd64\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *skins[] = { table[i].skin, NULL };
		struct fabric *f = fabric_in(3, "sonic", table[i].skin ? skins : NULL);

		assert_says(TELL(f, "show", "version"), table[i].version);
		assert_string_equal(TELL(f, "uname", "-r"), table[i].kernel);
		run_tool(f, table[i].is_latest ? 0 : 2, (char *[]){ "show", "queue", "wredcounters", NULL });
		run_tool(f, table[i].is_latest ? 0 : 2, (char *[]){ "show", "pfc", "counters", "--history", NULL });
		assert_int_equal(strstr(TELL(f, "show", "pfcwd", "config"), "HISTORY") != NULL, table[i].is_latest);
		assert_int_equal(strstr(TELL(f, "counterpoll", "show"), "WRED_ECN_QUEUE_STAT") != NULL, table[i].is_latest);
		assert_int_equal(strstr(TELL(f, "show", "interfaces", "counters", "detailed", "Ethernet0"), "Trimmed Packets") != NULL,
				 table[i].is_latest);
		fabric_free(f);
	}
}

/* -- sockets that are broken out -- */

static void hosts_of_os10_hang_at_parts_of_sockets(void **state)
{
	struct fabric *f = WEARING(6, "os10", "breakout");
	const char *text;

	(void)state;
	assert_string_equal(leaf_port(f, 4)->name, "ethernet1/1/2:1");
	assert_says(show(f, "interface ethernet1/1/1:4"), "Ethernet 1/1/1:4 is up, line protocol is up\n");
	assert_says(show(f, "interface status"), "\nEth 1/1/1:2     ");
	text = show(f, "running-configuration");
	assert_says(text, "interface breakout 1/1/1 map 100g-4x\ninterface breakout 1/1/2 map 100g-4x\n");
	assert_says(text, "\ninterface ethernet1/1/2:2\n");
	assert_silent(text, "\ninterface ethernet1/1/2\n");
	assert_int_equal(sim_qos(f->sim, leaf_port(f, 4)->sim)->dscp_prio[26], 3);
	fabric_free(f);
}

static void hosts_of_sonic_hang_at_single_lanes(void **state)
{
	struct skin_wish wish = { .names = { "breakout" }, .n = 1 };
	struct fabric_plan plan = {
		.nodes = 5, .rails = 1, .leaves = 1, .spines = 1, .switch_os = "sonic", .speed_bps = 100000000000, .seed = 7, .lens = 1,
		.skins = &wish,
	};
	struct err err;
	struct fabric *f = fabric_generate(&plan, &err);
	const char *text = TELL(f, "show", "interfaces", "status");

	(void)state;
	assert_says(text, "\n  Ethernet0           1     100G   9194     rs    etp1a  routed");
	assert_says(text, "\n  Ethernet3           4     100G   9194     rs    etp1d  routed");
	assert_says(text, "\n  Ethernet4           5     100G   9194     rs    etp2a  routed");
	assert_says(text, "\n  Ethernet8  9,10,11,12     100G   9194     rs     etp3  routed");
	assert_says(TELL(f, "sonic-cfggen", "-d", "--print-data"), "\"Ethernet0\": {\n            \"brkout_mode\": \"4x100G\"");
	TELL(f, "config", "interface", "pfc", "priority", "Ethernet1", "4", "on");
	assert_true(sim_qos(f->sim, leaf_port(f, 1)->sim)->pfc[4]);
	assert_false(sim_qos(f->sim, leaf_port(f, 0)->sim)->pfc[4]);
	fabric_free(f);
}

/* -- LLDP -- */

static void switches_hear_neighbors_as_real_ones_do(void **state)
{
	struct fabric *f = WEARING(16, "os10", "lldp-unnamed", "lldp-mgmt");
	const char *text = show(f, "lldp neighbors detail");
	unsigned unnamed = 0;

	(void)state;
	for (const char *at = text; (at = strstr(at, "Remote System Name: Not Advertised\nRemote System Desc: Not Advertised\n")); at++)
		unnamed++;
	assert_in_range(unnamed, 4, 13);
	assert_says(text, "Remote TTL: 48\n");
	assert_says(text, "Local Port ID: mgmt1/1/1\n");
	assert_says(show(f, "lldp neighbors"), "ethernet1/1/");
	assert_says(show(f, "lldp neighbors"), "  Not Advertised       ");
	fabric_free(f);
	f = WEARING(16, "sonic", "lldp-mgmt", "lldp-deaf");
	text = TELL(f, "show", "lldp", "table");
	assert_says(text, "\neth0         lab-oob-r1      GigabitEthernet 0/7  OBR");
	assert_silent(text, "displayed:  17\n");
	fabric_free(f);
	f = WEARING(2, "sonic", "no-lldpcli@node1", "lldp-eaten@node2");
	text = TELL(f, "show", "lldp", "table");
	assert_silent(text, "Ethernet0 ");
	assert_silent(text, "node2");
	assert_says(text, "displayed:  1\n");
	fabric_free(f);
}

static void words_that_are_begun_are_completed_where_only_one_begins_so(void **state)
{
	static const struct {
		const char *typed, *is;		/* NULL: ambiguous */
		bool in_configuration;
	} table[] = {
		{ "sh ver", "show version", false },
		{ "show run int ethernet1/1/1", "show running-configuration interface ethernet1/1/1", false },
		{ "show running-config", "show running-configuration", false },
		{ "sh v", NULL, false },
		{ "con t", "configure terminal", false },
		{ "c", NULL, false },
		{ "wr mem", "write memory", false },
		{ "foo bar", "foo bar", false },
		{ "sh queui stat int ethernet1/1/1", "show queuing statistics interface ethernet1/1/1", false },
		{ "int ethernet1/1/1", "interface ethernet1/1/1", true },
		{ "do sh ver", "do show version", true },
		{ "priority", "priority", true },
		{ "sh", NULL, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char words[256];

		snprintf(words, sizeof(words), "%s", table[i].typed);
		if (dell_complete(words, sizeof(words), table[i].in_configuration) != (table[i].is != NULL))
			fail_msg("%s: %s", table[i].typed, words);
		if (table[i].is)
			assert_string_equal(words, table[i].is);
	}
}

/* -- who is not root -- */

static void an_administrator_who_is_not_root_needs_sudo(void **state)
{
	static const char script[] = "exec 2>&1; USER=admin; export USER\nid -u\nconfig interface mtu Ethernet0 4096; echo $?\n"
				     "pfcwd stop; echo $?\nshow pfc priority\nsudo -n id -u\n"
				     "sudo -n config interface mtu Ethernet0 4096; echo $?\nshow interfaces status Ethernet0\n";
	struct lab lab;
	const char *text;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", "sonic", "--skin", "sonic-admin"));
	text = lab_tell(&lab, "leaf1", script);
	assert_memory_equal(text, "1000\nRoot privileges are required for this operation\n1\nRoot privileges", 70);
	assert_says(text, "Ethernet4    3\n\n0\n0\n");
	assert_says(text, "   4096     rs  ");
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(os10_tells_the_age_of_each_event),
		cmocka_unit_test(a_switch_with_old_counters_has_been_up_as_long),
		cmocka_unit_test(rates_are_those_of_the_traffic),
		cmocka_unit_test(sonic_tells_its_time_and_rates),
		cmocka_unit_test(a_watchdog_that_saw_no_storm_restored_none),
		cmocka_unit_test(sonic_clear_saves_and_tables_show_the_difference),
		cmocka_unit_test(counters_cleared_by_somebody_show_what_was_since),
		cmocka_unit_test(the_form_of_a_key_changes_nothing_that_is_configured),
		cmocka_unit_test(each_form_is_as_it_was_published),
		cmocka_unit_test(a_write_acts_or_is_refused_as_on_the_real_one),
		cmocka_unit_test(click_refuses_what_it_does_not_have),
		cmocka_unit_test(each_table_skin_is_as_it_was_seen),
		cmocka_unit_test(os10_has_more_than_ports),
		cmocka_unit_test(old_releases_lack_commands),
		cmocka_unit_test(a_release_has_what_it_came_with),
		cmocka_unit_test(hosts_of_os10_hang_at_parts_of_sockets),
		cmocka_unit_test(hosts_of_sonic_hang_at_single_lanes),
		cmocka_unit_test(switches_hear_neighbors_as_real_ones_do),
		cmocka_unit_test(words_that_are_begun_are_completed_where_only_one_begins_so),
		cmocka_unit_test(an_administrator_who_is_not_root_needs_sudo),
		cmocka_unit_test(sizes_of_packets_fit_their_octets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
