/* The command bringup on a lab: what fails is named at its stage and its NIC, what was not read has not passed, exit codes. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

static struct lab lab;
static char recording[128];

static int begin(void **state)
{
	(void)state;
	if (!LAB(&lab, "--nodes", "2", "--rails", "2", "--leaves", "1", "--traffic", "off", "--tidy", "--fault", "trust-pcp@node1:eth2",
		 "--fault", "link-down@node2:eth3"))
		return -1;
	snprintf(recording, sizeof(recording), "%s/rec.db", lab.dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return 0;
}

static void assert_says(const struct run *r, int code, const char *out, const char *err)
{
	const char *said = r->out.text ? r->out.text : "", *complained = r->err.text ? r->err.text : "";

	if (r->code != code || (out && !strstr(said, out)) || (err && !strstr(complained, err)))
		fail_msg("exit %d:\n%s\n%s", r->code, said, complained);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void assert_at(const json_t *row, const char *stage, const char *state)
{
	if (strcmp(text_of(row, "stage"), stage) != 0 || strcmp(text_of(row, "state"), state) != 0)
		fail_msg("%s %s: %s %s: %s", text_of(row, "host"), text_of(row, "nic"), text_of(row, "stage"), text_of(row, "state"),
			 text_of(row, "what"));
}

/* Each stage of each NIC has a state, and whatever has not passed says why. */
static void assert_stages(const json_t *row)
{
	const json_t *stage;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(row, "stages")), 9);
	json_array_foreach(json_object_get(row, "stages"), i, stage)
		if (!strcmp(text_of(stage, "state"), "pass") != !*text_of(stage, "what"))
			fail_msg("%s: %s, \"%s\"", text_of(stage, "stage"), text_of(stage, "state"), text_of(stage, "what"));
}

static void what_fails_is_named_at_its_stage_and_its_nic_alone(void **state)
{
	struct run r = LAB_FABCON(&lab, "bringup", "-o", "json", "--record", recording);
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	const json_t *row;
	size_t i, failed = 0;

	(void)state;
	assert_int_equal(r.code, EXIT_FINDINGS);
	assert_non_null(doc);
	assert_int_equal(json_array_size(json_object_get(doc, "rows")), 4);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		const char *host = text_of(row, "host"), *nic = text_of(row, "nic");

		assert_stages(row);
		if (!strcmp(host, "node1") && !strcmp(nic, "eth2"))
			assert_at(row, "qos", "fail");
		if (!strcmp(host, "node2") && !strcmp(nic, "eth3"))
			assert_at(row, "cabling", "fail");
		failed += !strcmp(text_of(row, "state"), "fail");
	}
	assert_int_equal(failed, 2);
	json_decref(doc);
	run_done(&r);
}

static void stages_are_asked_alone(void **state)
{
	struct run r = RUN("fabcon", "replay", recording, "bringup", "--stages", "reach,cabling", "node1");

	(void)state;
	assert_says(&r, EXIT_DONE, "2 NICs: 0 failed, 0 not known, 2 passed; of these stages alone: reach,cabling; no traffic was sent",
		    NULL);
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "bringup", "--stages", "cabling,light");
	assert_says(&r, EXIT_USAGE, NULL, "no stage is called \"light\"; stages: reach identity paths");
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "bringup", "--stages", "");
	assert_says(&r, EXIT_USAGE, NULL, "no stage is called \"\"");
	run_done(&r);
}

static void a_name_that_is_no_host_and_no_rack_is_said_to_be_none(void **state)
{
	struct run r = RUN("fabcon", "replay", recording, "bringup", "R14");

	(void)state;
	assert_says(&r, EXIT_USAGE, "0 NICs", "R14");
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "bringup", "leaf1");
	assert_says(&r, EXIT_USAGE, "0 NICs", "leaf1: a switch; bring-up takes hosts and their racks");
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "bringup", "node1:eth2");
	assert_says(&r, EXIT_USAGE, "0 NICs", "node1:eth2: a port; bring-up takes hosts and their racks");
	run_done(&r);
	r = RUN("fabcon", "replay", recording, "bringup", "--stages", "cabling", "node1", "R14");
	assert_says(&r, EXIT_PARTIAL, "2 NICs: 0 failed, 0 not known, 2 passed", "R14");
	run_done(&r);
}

/* Traffic is a permission of its own: never on a replay, never without a reason. */
static void no_traffic_is_sent_without_leave(void **state)
{
	struct run r = RUN("fabcon", "replay", recording, "bringup", "--traffic", "--reason", "INC-7");

	(void)state;
	assert_says(&r, EXIT_USAGE, NULL, "--traffic: a replay sends nothing");
	run_done(&r);
	r = LAB_FABCON(&lab, "bringup", "--traffic");
	assert_says(&r, EXIT_USAGE, NULL, "--traffic needs --reason");
	run_done(&r);
	r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--watch");
	assert_says(&r, EXIT_USAGE, NULL, "not with --watch");
	run_done(&r);
	setenv("FABCON_RO", "1", 1);
	r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7");
	unsetenv("FABCON_RO");
	assert_says(&r, EXIT_REFUSED, "no traffic was sent", "FABCON_RO");
	run_done(&r);
}

static void junit_has_a_case_for_each_stage_and_passes_nothing_unasked(void **state)
{
	struct run r = RUN("fabcon", "replay", recording, "bringup", "-o", "junit");
	size_t cases = 0;

	(void)state;
	assert_says(&r, EXIT_FINDINGS, "tests=\"36\" failures=\"2\"", NULL);
	for (const char *c = r.out.text; (c = strstr(c, "<testcase ")); c++)
		cases++;
	assert_int_equal(cases, 36);
	assert_non_null(strstr(r.out.text, "<testcase classname=\"node1:eth2\" name=\"qos\"><failure message=\"trusts pcp"));
	assert_non_null(strstr(r.out.text, "<testcase classname=\"node1:eth2\" name=\"rdma\"><skipped message=\"not yet: a stage before it "
					   "fails\"/>"));
	run_done(&r);
}

/* What fails before is not tested, and what another program uses is not known: neither is a case that passed. */
static void junit_of_a_run_with_traffic_has_its_tests_too(void **state)
{
	struct run r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "-o", "junit");

	(void)state;
	assert_says(&r, EXIT_FINDINGS, "<testcase classname=\"node1:eth2\" name=\"traffic\"><skipped message=\"not tested: it fails at qos", NULL);
	assert_says(&r, EXIT_FINDINGS, "\" name=\"loopback to node", NULL);
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fails_is_named_at_its_stage_and_its_nic_alone),
		cmocka_unit_test(stages_are_asked_alone),
		cmocka_unit_test(a_name_that_is_no_host_and_no_rack_is_said_to_be_none),
		cmocka_unit_test(no_traffic_is_sent_without_leave),
		cmocka_unit_test(junit_has_a_case_for_each_stage_and_passes_nothing_unasked),
		cmocka_unit_test(junit_of_a_run_with_traffic_has_its_tests_too),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
