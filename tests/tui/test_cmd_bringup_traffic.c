/*
 * bringup --traffic on a lab: the simulator moves the bytes, the tools print what they got, and the bad end is named, whichever of its
 * partners complained.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>
#include <sqlite3.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

#define PATIENCE_S	180

static struct lab lab;

/* Three hosts on a leaf, so that two partners can prove which end is bad. */
static int begin(void **state)
{
	(void)state;
	return LAB(&lab, "--nodes", "3", "--rails", "1", "--leaves", "1", "--traffic", "off", "--tidy") ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return 0;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static json_t *test_links(int *code)
{
	struct run r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--stages", "reach,cabling", "-o", "json");
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);

	if (!doc)
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	*code = r.code;
	run_done(&r);
	return doc;
}

static void assert_summary(const json_t *doc, const char *what)
{
	if (!strstr(text_of(doc, "summary"), what)) {
		char *dump = json_dumps(doc, JSON_INDENT(1));

		fail_msg("\"%s\" is not in the summary: %s", what, dump);
	}
}

/* Each by what its tool measures. */
static void assert_measured(const json_t *test)
{
	const char *tool = text_of(test, "tool");
	double us = json_real_value(json_object_get(test, "latency_us"));

	if (!strcmp(tool, "rping")) {
		assert_string_equal(text_of(test, "what"), "10 pings answered over rdma_cm, whose ToS is 106");
		return;
	}
	assert_non_null(strstr(text_of(test, "command"), "--tclass=106"));
	if (!strcmp(text_of(test, "kind"), "incast"))
		assert_non_null(strstr(text_of(test, "what"), " packets arrived marked, "));
	else if (!strcmp(tool, "ib_write_bw"))
		assert_true(json_real_value(json_object_get(test, "rate_bps")) > 95e9);
	else
		assert_true(us > 1 && us < 5 && json_is_null(json_object_get(test, "median_us")));
}

static void healthy_links_pass_in_the_class_of_the_policy(void **state)
{
	const json_t *row, *test;
	size_t i, k;
	json_t *doc;
	int code;

	(void)state;
	doc = test_links(&code);
	assert_summary(doc, "20 tests: 0 failed, 0 not known, 17 passed, 3 latencies measured and not judged");
	assert_int_equal(code, EXIT_DONE);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		assert_string_equal(text_of(row, "test"), "pass");
		/* itself; two partners, both directions, by rping too; the latency of each pair; two send to node1 */
		assert_int_equal(json_array_size(json_object_get(row, "tests")), 1 + 4 + 4 + 2 + 1 + !strcmp(text_of(row, "host"), "node1"));
		json_array_foreach(json_object_get(row, "tests"), k, test)
			assert_measured(test);
	}
	json_decref(doc);
}

static void the_bad_end_is_named_and_its_partners_are_not(void **state)
{
	const json_t *row;
	json_t *doc;
	size_t i;
	int code;

	(void)state;
	struct run r = LAB_CTL(&lab, "fault", "add", "slow-receiver@node2:eth2");

	assert_int_equal(r.code, 0);
	run_done(&r);
	doc = test_links(&code);
	assert_int_equal(code, EXIT_FINDINGS);
	assert_summary(doc, "bad end: node2:eth2");
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		bool is_bad = !strcmp(text_of(row, "host"), "node2");

		assert_string_equal(text_of(row, "test"), is_bad ? "fail" : "pass");
		assert_int_equal(is_bad, json_is_string(json_object_get(row, "do")));
	}
	json_decref(doc);
}

/* -- recorded -- */

static char *rows_of(const char *file, const char *from_replay)
{
	struct run r = from_replay ? RUN("fabcon", "replay", file, "bringup", "-o", "csv") :
		       LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--stages", "reach,cabling", "-o", "csv", "--record", file);
	char *text = xstrdup(r.out.text ? r.out.text : "");

	if (r.code != EXIT_DONE)
		fail_msg("exit %d: %s\n%s", r.code, text, r.err.text);
	run_done(&r);
	return text;
}

static unsigned rows_in(const char *file, const char *kind)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	unsigned n;

	if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT count(*) FROM bringup WHERE kind = ?", -1, &stmt, NULL) != SQLITE_OK) {
		sqlite3_close(db);	/* not made yet */
		return 0;
	}
	sqlite3_bind_text(stmt, 1, kind, -1, SQLITE_STATIC);
	n = sqlite3_step(stmt) == SQLITE_ROW ? (unsigned)sqlite3_column_int(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return n;
}

static void a_recording_says_what_the_day_said(void **state)
{
	char *file = xasprintf("%s/day.db", lab.dir), *day, *again;

	(void)state;
	day = rows_of(file, NULL);
	again = rows_of(file, "again");	/* of the same targets and stages, without being told */
	assert_string_equal(day, again);
	assert_int_equal(rows_in(file, "test"), 20);
	assert_int_equal(rows_in(file, "end"), 1);
	free(day);
	free(again);
	free(file);
}

/* A bring-up that has recorded so many tests. */
static pid_t begin_until(const char *file, unsigned tests)
{
	pid_t child = fork();

	if (child == 0) {
		execl(program_path("fabcon"), "fabcon", "-i", lab.inventory, "bringup", "--traffic", "--reason", "INC-7", "--stages",
		      "reach,cabling", "--record", file, "--quiet", NULL);
		_exit(127);
	}
	for (unsigned i = 0; i < 10 * PATIENCE_S && rows_in(file, "test") < tests; i++)
		usleep(100000);
	return child;
}

/* Killed in its second round; what the first has measured is there, and is not measured again. */
static void what_a_kill_cut_off_is_gone_on_with(void **state)
{
	char *file = xasprintf("%s/cut.db", lab.dir), *whole;
	struct run r;
	pid_t child;
	int status;

	(void)state;
	child = begin_until(file, 2);
	assert_true(rows_in(file, "test") >= 2);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status));
	r = LAB_FABCON(&lab, "bringup", "--stages", "reach", "--resume", "--record", file);
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "of other targets or stages"));
	run_done(&r);
	r = LAB_FABCON(&lab, "bringup", "--stages", "reach,cabling", "--resume", "--record", file);
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "repeat --traffic and --reason"));
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", file);	/* what has not ended has not passed */
	assert_int_equal(r.code, EXIT_PARTIAL);
	run_done(&r);
	r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--stages", "reach,cabling", "--resume", "--record", file, "-o", "csv");
	assert_int_equal(r.code, EXIT_DONE);
	run_done(&r);
	assert_int_equal(rows_in(file, "test"), 20);
	assert_int_equal(rows_in(file, "resume"), 1);
	whole = rows_of(file, "again");
	assert_non_null(strstr(whole, "pass"));
	free(whole);
	r = LAB_FABCON(&lab, "bringup", "--stages", "reach,cabling", "--resume", "--record", file);
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "has ended"));
	run_done(&r);
	free(file);
}

/* Ctrl-C, and again: what was interrupted has a verdict then, and no test stands twice. */
static void what_was_interrupted_is_tested_and_passes(void **state)
{
	char *file = xasprintf("%s/int.db", lab.dir);
	struct run r;
	pid_t child;
	int status;

	(void)state;
	child = begin_until(file, 3);
	kill(child, SIGINT);
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGINT);
	assert_int_equal(rows_in(file, "end"), 0);
	r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--stages", "reach,cabling", "--resume", "--record", file);
	if (r.code != EXIT_DONE || !strstr(r.out.text, "20 tests: 0 failed, 0 not known, 17 passed, 3 latencies measured and not judged"))
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", file, "-o", "md");	/* the same numbers */
	if (!r.out.text || !strstr(r.out.text, "no failure in 20 tests, 3 measured and not judged"))
		fail_msg("exit %d: %.2000s", r.code, r.out.text);
	run_done(&r);
	free(file);
}

/* Two leaves, two spines: each of the four links between them carries tests both ways, by the counters of the switches. */
static void tests_across_leaves_prove_the_links_between_switches(void **state)
{
	struct lab wide;
	char *file;
	const json_t *test;
	size_t i, n = 0;
	json_t *sheet;
	struct run r;

	(void)state;
	assert_true(LAB(&wide, "--nodes", "2", "--rails", "2", "--leaves", "2", "--spines", "2", "--switch-os", "mixed", "--traffic", "off",
			"--tidy"));
	file = xasprintf("%s/wide.db", wide.dir);
	r = LAB_FABCON(&wide, "bringup", "--across", "--stages", "reach,cabling");
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
	r = LAB_FABCON(&wide, "bringup", "--traffic", "--across", "--reason", "INC-7", "--stages", "reach,cabling", "--record", file);
	if (r.code != EXIT_DONE || !strstr(r.out.text, "links between switches: 8 of 8 directions carried tests and dropped nothing"))
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", file, "-o", "json");
	sheet = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	assert_non_null(sheet);
	json_array_foreach(json_object_get(sheet, "tests"), i, test) {
		bool is_uplink = !strcmp(text_of(test, "kind"), "links between switches");

		n += is_uplink;
		if (!is_uplink && strcmp(text_of(test, "kind"), "pairs across leaves") != 0)
			continue;
		assert_string_equal(text_of(test, "state"), "pass");
		assert_true(json_is_null(json_object_get(test, "ceiling_bps")));
		assert_true(!is_uplink || json_real_value(json_object_get(test, "rate_bps")) > 1e9);
	}
	assert_true(n >= 8);
	json_decref(sheet);
	run_done(&r);
	lab_stop(&wide);
	free(file);
}

/* RoCE loses nothing beside it, and of a host that puts unmarked packets into the lossless class that is said. */
static void a_lossy_stream_shows_which_class_the_rest_of_a_host_is_in(void **state)
{
	struct lab four;
	char *file;
	const json_t *test;
	size_t i, streams = 0, failed = 0;
	json_t *sheet;
	struct run r;

	(void)state;
	assert_true(LAB(&four, "--nodes", "4", "--rails", "2", "--leaves", "2", "--switch-os", "mixed", "--traffic", "off", "--tidy"));
	file = xasprintf("%s/four.db", four.dir);
	r = LAB_FABCON(&four, "bringup", "--lossy", "--stages", "reach,cabling");
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
	lab_tell(&four, "node4", "mlnx_qos -i eth3 --dscp2prio set,0,3");
	r = LAB_FABCON(&four, "bringup", "--traffic", "--lossy", "--reason", "INC-7", "--stages", "reach,cabling", "--record", file);
	if (r.code != EXIT_FINDINGS)
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", file, "-o", "json");
	sheet = json_loads(r.out.text ? r.out.text : "", 0, NULL);
	assert_non_null(sheet);
	json_array_foreach(json_object_get(sheet, "tests"), i, test) {
		bool is_stream = text_of(test, "tool") && !strcmp(text_of(test, "tool"), "iperf3");
		bool is_bad = is_stream && !strcmp(text_of(json_object_get(test, "from"), "nic"), "eth3");

		if (strcmp(text_of(test, "kind"), "incast with a lossy stream") != 0)
			continue;
		streams += is_stream;
		failed += is_bad;
		assert_string_equal(text_of(test, "state"), is_bad ? "fail" : "pass");
		assert_true(!is_bad || strstr(text_of(test, "what"), "sent meanwhile was in priority 3, the lossless one"));
	}
	assert_int_equal(streams, 2);
	assert_int_equal(failed, 1);
	json_decref(sheet);
	run_done(&r);
	lab_stop(&four);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthy_links_pass_in_the_class_of_the_policy),
		cmocka_unit_test(tests_across_leaves_prove_the_links_between_switches),
		cmocka_unit_test(a_lossy_stream_shows_which_class_the_rest_of_a_host_is_in),
		cmocka_unit_test(a_recording_says_what_the_day_said),
		cmocka_unit_test(what_a_kill_cut_off_is_gone_on_with),
		cmocka_unit_test(what_was_interrupted_is_tested_and_passes),
		cmocka_unit_test(the_bad_end_is_named_and_its_partners_are_not),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
