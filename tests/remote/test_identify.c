/* Which system it is, from what it printed; and that a row of the table is whole. */
#include "remote/platforms.h"
#include "tests/lib/say.h"
#include "tests/lib/world.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/talk/way.h"

static void assert_identified(struct span text, const char *id)
{
	const struct platform *p = platform_identify(text);

	if (!p)
		fail_msg("nothing is identified, not %s", id);
	assert_string_equal(p->id, id);
}

static void each_system_is_named_by_its_own_words(void **state)
{
	(void)state;
	assert_identified(SPAN("Dell EMC Networking OS10-Enterprise\r\nOS Version: 10.4.2.2\r\n"), "os10");
	assert_identified(SPAN("Dell SmartFabric OS10 Enterprise\nOS Version: 10.6.0.5\n"), "os10");
	assert_identified(SPAN("Dell Real Time Operating System Software\nDell Application Software Version:  9.14(2.7)\n"), "os9");
	assert_identified(SPAN("Software Version  : '3.4.0-Enterprise_Base'\n"
			       "Product           : Enterprise SONiC Distribution by Dell Technologies\n"), "enterprise-sonic");
	assert_identified(SPAN("uname: Linux leaf1 5.10\nID=debian\nsonic_version.yml:\nbuild_version: '4.0.1-Enterprise_Base'\n"),
			  "enterprise-sonic");
	assert_identified(SPAN("uname: Linux leaf2 5.10\nID=debian\nsonic_version.yml:\nbuild_version: '202311.1'\n"), "sonic");
	assert_identified(SPAN("uname: Linux sw 5.10\nNAME=\"Cumulus Linux\"\nID=cumulus-linux\n"), "cumulus");
	assert_identified(SPAN("Arista vEOS\nHardware version:\nSoftware image version: 4.14.7M\n"), "eos");
	assert_identified(SPAN("Cisco Nexus Operating System (NX-OS) Software\n"), "nxos");
	assert_identified(SPAN("Product name:      Onyx\nProduct release:   3.9\n"), "onyx");
	assert_identified(SPAN("fpc0:\nHostname: a\nModel: qfx5100-48t-6q\nJunos: 21.4R3-S3.4\n"), "junos");
	assert_null(platform_identify(SPAN("Welcome to something else\n")));
	assert_null(platform_identify(SPAN("")));
}

static void each_captured_version_is_its_own_system(void **state)
{
	static const struct { const char *file, *id; } rows[] = {
		{ "dell-os10/show-version--s4112f-10-5-0-2", "os10" },
		{ "dell-os10/show-version--s6000-vm-10-4-0e", "os10" },
		{ "dell-os10/show-version--s5248f-10-6-0-5", "os10" },
		{ "dell-enterprise-sonic/show-version--z9264f-3-4-0", "enterprise-sonic" },
		{ "sonic/show-version--msn2700", "sonic" },
		{ "arista-eos/show-version--ntc-2", "eos" },
		{ "cisco-nxos/show-version--n9k-10-6-1", "nxos" },
		{ "junos/show-version--qfx5100", "junos" },
	};
	const char *dir = captures_dir();

	(void)state;
	if (!dir) {
		print_message("skip: no captures are here\n");
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[256], *text;
		size_t n;

		snprintf(path, sizeof(path), "%s/switch/%s.txt", dir, rows[i].file);
		text = file_text(path, &n);
		assert_non_null(text);
		assert_identified((struct span){ text, n }, rows[i].id);
		free(text);
	}
}

/* Every row says what it is; every probe can be asked, parsed and explained; ids are unique. */
static bool names_a_probe(const struct platform *p, struct span id)
{
	for (size_t i = 0; i < p->n_probes; i++)
		if (span_is(id, p->probes[i].id))
			return true;
	return false;
}

static void the_table_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < platform_count; i++) {
		const struct platform *p = platform_table[i];

		assert_ptr_equal(platform_find(p->id), p);
		assert_non_null(p->title);
		assert_non_null(p->is_it);
		assert_int_equal(!p->way, p->n_probes == 0);
		assert_int_equal(platform_speaks(p, WAY_CLI), p->cli != NULL);
		for (size_t k = 0; k < p->n_probes; k++) {
			const struct probe *probe = &p->probes[k];

			assert_ptr_equal(platform_probe(p, probe->id), probe);
			assert_non_null(probe->parse);
			assert_non_null(probe->help);
			assert_non_null(probe->proof);
			assert_non_null(probe->command);
			struct span rest = span_of(probe->ports_of), id;

			while (platform_speaks(p, WAY_CLI) && span_word(&rest, &id))
				assert_true(names_a_probe(p, id));
			assert_true(!platform_speaks(p, WAY_CLI) || !probe->per_port || probe->ports_of);
		}
	}
}

static void the_way_to_talk_is_guessed_from_hint_and_banner(void **state)
{
	(void)state;
	assert_ptr_equal(talk_way_guess("os10", SPAN("SSH-2.0-OpenSSH_7.9p1 Debian-10")), talk_way_find(WAY_CLI));
	assert_ptr_equal(talk_way_guess(NULL, SPAN("Debian GNU/Linux 9\n\nDell EMC Networking Operating System (OS10)\n")),
			 talk_way_find(WAY_CLI));
	assert_ptr_equal(talk_way_guess("sonic", SPAN("")), talk_way_find(WAY_SH));
	assert_null(talk_way_guess("eos", SPAN("")));
}

static void ways_to_talk_are_whole_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->way)
			assert_non_null(talk_way_find(platform_table[i]->way));
	for (size_t i = 0; i < talk_way_count; i++) {
		const struct talk_way *way = &talk_ways[i];

		assert_ptr_equal(talk_way_find(way->id), way);	/* its id is its own */
		assert_non_null(way->title);
		assert_non_null(talk_way_find(way->otherwise));
		assert_ptr_not_equal(talk_way_find(way->otherwise), way);
		assert_true(way->read && way->write && way->looking && way->may_send);
	}
}

/* Core knows no table of platforms: its receive rate for a switch is what each row says. */
static void what_is_judged_as_a_switch_is_what_the_row_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < platform_count; i++) {
		struct world w;
		char fact[96];

		world_init(&w);
		snprintf(fact, sizeof(fact), "leaf1 platform = \"%s\"", platform_table[i]->id);
		world_set(&w, fact);
		world_run(&w, 2);
		if (device_is_switch(model_find_device(w.model, "leaf1"), NULL) != platform_table[i]->is_switch)
			fail_msg("%s is not what its row says", platform_table[i]->id);
		world_done(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_to_talk_are_whole_rows),
		cmocka_unit_test(each_system_is_named_by_its_own_words),
		cmocka_unit_test(each_captured_version_is_its_own_system),
		cmocka_unit_test(the_table_is_whole),
		cmocka_unit_test(what_is_judged_as_a_switch_is_what_the_row_says),
		cmocka_unit_test(the_way_to_talk_is_guessed_from_hint_and_banner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
