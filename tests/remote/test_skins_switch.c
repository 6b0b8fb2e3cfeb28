/* The skins of switches (remote/lab/world/skins.h): what a switch in that skin prints and takes, asked of its own tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/os10/show.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/systems.h"
#include "remote/lab/world/faults.h"
#include "remote/lab/world/settings.h"
#include "tests/lib/say.h"

#define SECOND_US 1000000

/* One rail on one leaf, simulated in full. skins: NULL-terminated, or NULL for a tidy one. */
static struct fabric *fabric_in(unsigned nodes, const char *os, const char *const *skins)
{
	struct skin_wish wish = { .is_tidy = !skins };
	struct fabric_plan plan = {
		.nodes = nodes, .rails = 1, .leaves = 1, .switch_os = os, .speed_bps = 100000000000, .seed = 7, .lens = 1,
		.skins = &wish,
	};
	struct err err = { .text = "" };
	struct fabric *f;

	while (skins && *skins)
		wish.names[wish.n++] = *skins++;
	f = fabric_generate(&plan, &err);
	if (!f)
		fail_msg("%s", err.text);
	return f;
}
#define TIDY(nodes, os) fabric_in((nodes), (os), NULL)
#define WEARING(nodes, os, ...) fabric_in((nodes), (os), (const char *const[]){ __VA_ARGS__, NULL })

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

static void assert_says(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is missing in:\n%s", wanted, text);
}

static void assert_silent(const char *text, const char *unwanted)
{
	if (strstr(text, unwanted))
		fail_msg("\"%s\" is not expected in:\n%s", unwanted, text);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
