/* SONiC: its updater in the lab, and the commands that lead from one CONFIG_DB to another and back. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/confdb.h"
#include "remote/lab/sonic_patch.h"
#include "remote/lab/tools.h"

#define WORDS_MAX	8

static struct fabric *fabric_of_sonic(void)
{
	struct fabric_plan plan = { .nodes = 4, .rails = 1, .leaves = 1, .spines = 0, .switch_os = "sonic",
				    .speed_bps = 100000000000, .seed = 7 };
	struct err err;
	struct fabric *f = fabric_generate(&plan, &err);

	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* A command line at leaf1; text is what the file that it names holds. */
static int run_at(struct fabric *f, const char *line, const char *text, struct buf *said)
{
	char *copy = xstrdup(line), *words[WORDS_MAX + 2], *rest = NULL;
	struct lab_device *d = fabric_device(f, SPAN("leaf1"));
	struct tool_call t = { f, d, 0, words, said, said, false };
	int status;

	for (char *w = strtok_r(copy, " ", &rest); w && t.argc < WORDS_MAX; w = strtok_r(NULL, " ", &rest))
		words[t.argc++] = w;
	if (text)
		words[t.argc++] = (char *)text;
	words[t.argc] = NULL;
	status = tool_run(&t);
	if (t.is_changed)
		fabric_refresh(f, d);
	free(copy);
	return status;
}

static char *db_text(struct fabric *f)
{
	return json_dumps(fabric_device(f, SPAN("leaf1"))->sonic, JSON_SORT_KEYS);
}

static void assert_patch(struct fabric *f, const char *patch, int status, const char *words)
{
	struct buf said = { NULL };
	char *before = db_text(f), *after;

	assert_int_equal(run_at(f, "config apply-patch -v /tmp/p.json", patch, &said), status);
	if (!strstr(said.text, words))
		fail_msg("\"%s\" is not in: %s", words, said.text);
	after = db_text(f);
	if (status)
		assert_string_equal(before, after);
	else
		assert_string_not_equal(before, after);
	free(before);
	free(after);
	buf_done(&said);
}

static void a_patch_is_applied_whole_or_refused_whole(void **state)
{
	static const struct { const char *patch, *words; } refused[] = {
		{ "", "Expecting value" },
		{ "{}", "Expecting value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"1500\"},"
		  "{\"op\":\"test\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"9194\"}]", "not equal to tested value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet999/mtu\",\"value\":\"1500\"}]", "non-existent object" },
		{ "[{\"op\":\"add\",\"path\":\"/PORT_QOS_MAP/Ethernet999\",\"value\":{\"pfc_enable\":\"3\"}}]", "non-existing leaf" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"99999\"}]", "Invalid value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT_QOS_MAP/Ethernet0/pfc_enable\",\"value\":\"3,9\"}]", "Invalid value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT_QOS_MAP/Ethernet0/dscp_to_tc_map\",\"value\":\"NONE\"}]", "Invalid value" },
		{ "[{\"op\":\"remove\",\"path\":\"/WRED_PROFILE/ROCE_LOSSLESS\"}]", "" },
		{ "[{\"op\":\"add\",\"path\":\"/NEW\",\"value\":{}}]", "empty tables" },
		{ "[{\"op\":\"move\",\"path\":\"/PORT/Ethernet0\",\"from\":\"/PORT/Ethernet4\"}]", "Unknown operation" },
		{ "[{\"op\":\"add\",\"path\":\"/PORT/Ethernet0/mtu\"}]", "'value'" },
	};
	struct fabric *f = fabric_of_sonic();

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_patch(f, refused[i].patch, 2, refused[i].words);
	assert_patch(f, "[{\"op\":\"test\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"9194\"},"
		     "{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"1500\"},"
		     "{\"op\":\"remove\",\"path\":\"/QUEUE/Ethernet0|3/wred_profile\"},"
		     "{\"op\":\"add\",\"path\":\"/VLAN\",\"value\":{\"a~b/c\":{}}},"
		     "{\"op\":\"remove\",\"path\":\"/VLAN/a~0b~1c\"},{\"op\":\"remove\",\"path\":\"/VLAN\"}]", 0, "successfully");
	assert_string_equal(confdb_get(fabric_device(f, SPAN("leaf1"))->sonic, "PORT", "Ethernet0", "mtu"), "1500");
	fabric_free(f);
}

static void a_checkpoint_is_what_rollback_brings_back(void **state)
{
	struct fabric *f = fabric_of_sonic();
	struct buf said = { NULL };
	char *before = db_text(f), *after;

	(void)state;
	assert_int_equal(run_at(f, "config rollback here", NULL, &said), 2);
	assert_int_equal(run_at(f, "config checkpoint here", NULL, &said), 0);
	assert_int_equal(run_at(f, "config interface shutdown Ethernet0", NULL, &said), 0);
	assert_int_equal(run_at(f, "config interface pfc priority Ethernet4 4 on", NULL, &said), 0);
	assert_int_equal(run_at(f, "config rollback here", NULL, &said), 0);
	after = db_text(f);
	assert_string_equal(before, after);
	assert_int_equal(run_at(f, "config list-checkpoints", NULL, &said), 0);
	assert_non_null(strstr(said.text, "\"here\""));
	assert_int_equal(run_at(f, "config delete-checkpoint here", NULL, &said), 0);
	assert_int_equal(run_at(f, "config delete-checkpoint here", NULL, &said), 2);
	free(before);
	free(after);
	buf_done(&said);
	fabric_free(f);
}

static void what_was_not_saved_is_gone_after_a_boot(void **state)
{
	struct fabric *f = fabric_of_sonic();
	struct buf said = { NULL };
	struct lab_device *d = fabric_device(f, SPAN("leaf1"));

	(void)state;
	run_at(f, "config interface mtu Ethernet0 1500", NULL, &said);
	assert_int_equal(run_at(f, "config save", NULL, &said), 1);
	confdb_boot(d);
	assert_string_equal(confdb_get(d->sonic, "PORT", "Ethernet0", "mtu"), "9194");
	run_at(f, "config interface mtu Ethernet0 1500", NULL, &said);
	assert_int_equal(run_at(f, "config save -y", NULL, &said), 0);
	confdb_boot(d);
	assert_string_equal(confdb_get(d->sonic, "PORT", "Ethernet0", "mtu"), "1500");
	buf_done(&said);
	fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_is_applied_whole_or_refused_whole),
		cmocka_unit_test(a_checkpoint_is_what_rollback_brings_back),
		cmocka_unit_test(what_was_not_saved_is_gone_after_a_boot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
