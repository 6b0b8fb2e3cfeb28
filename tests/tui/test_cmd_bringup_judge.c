/*
 * The certificate of a recorded bring-up and what differs from it later, on a lab: the same recording is the same bytes, another policy
 * another verdict, each change is named where it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sqlite3.h>

#include "core/policy/policy.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

static struct lab lab;
static char *recording;

static int begin(void **state)
{
	struct run r;

	(void)state;
	if (!LAB(&lab, "--nodes", "2", "--rails", "2", "--leaves", "2", "--switch", "mixed", "--traffic", "off", "--tidy"))
		return -1;
	recording = xasprintf("%s/day.db", lab.dir);
	r = LAB_FABCON(&lab, "bringup", "--traffic", "--reason", "INC-7", "--record", recording, "--quiet");
	if (r.code != EXIT_DONE)
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	run_done(&r);
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(recording);
	lab_stop(&lab);
	return 0;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static json_t *document(struct run *r)
{
	json_t *doc = json_loads(r->out.text ? r->out.text : "", 0, NULL);

	if (!doc)
		fail_msg("exit %d: %s\n%s", r->code, r->out.text, r->err.text);
	return doc;
}

static void the_same_recording_is_the_same_bytes_in_each_form(void **state)
{
	static const char *const forms[] = { "md", "json", "html", "junit", "csv" };

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct run a = RUN("fabcon", "bringup", "judge", recording, "-o", forms[i]);
		struct run b = RUN("fabcon", "bringup", "judge", recording, "-o", forms[i]);

		assert_int_equal(a.code, EXIT_DONE);
		assert_true(a.out.n > 1000);
		assert_string_equal(a.out.text, b.out.text);
		run_done(&a);
		run_done(&b);
	}
}

/* sql: one statement with the word in it as %Q, which quotes it. */
static void carry_out(const char *file, const char *sql, const char *word)
{
	sqlite3 *db;
	char *text = sqlite3_mprintf(sql, word);

	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	sqlite3_free(text);
}

/* What a command printed is not in the certificate; its hash is. */
static void what_a_test_printed_is_part_of_the_seal(void **state)
{
	char *changed = xasprintf("%s/changed.db", lab.dir);
	struct run a, b;

	(void)state;
	carry_out(recording, "VACUUM INTO %Q", changed);
	a = RUN("fabcon", "bringup", "judge", changed, "-o", "json");
	carry_out(changed, "UPDATE bringup SET body = replace(body, %Q, 'TX breadth')", "TX depth");
	b = RUN("fabcon", "bringup", "judge", changed, "-o", "json");
	assert_true(a.code == EXIT_DONE && b.code == EXIT_DONE);
	assert_string_not_equal(a.out.text, b.out.text);
	run_done(&a);
	run_done(&b);
	free(changed);
}

/* Signed on the day by OpenSSH's own tool: what is judged from the recording later has that signature, and another text has not. */
static void what_is_judged_again_has_the_signature_of_the_day(void **state)
{
	const char *const dir = lab.dir;
	char *command = xasprintf("cd %s && ssh-keygen -q -t ed25519 -N '' -f key && { printf 'alice '; cat key.pub; } >signers && "
				  "ssh-keygen -q -Y sign -f key -n fabcon.certificate day.json 2>sign.err && "
				  "ssh-keygen -q -Y verify -f signers -I alice -n fabcon.certificate -s day.json.sig <again.json >ok.txt && "
				  "! ssh-keygen -q -Y verify -f signers -I alice -n fabcon.certificate -s day.json.sig <day.md >no.txt 2>&1",
				  dir);
	static const char *const files[][2] = { { "day.json", "json" }, { "again.json", "json" }, { "day.md", "md" } };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct run r = RUN("fabcon", "bringup", "judge", recording, "-o", files[i][1]);
		char *path = xasprintf("%s/%s", dir, files[i][0]);
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		assert_int_equal(fwrite(r.out.text, 1, r.out.n, file), r.out.n);
		assert_int_equal(fclose(file), 0);
		run_done(&r);
		free(path);
	}
	assert_int_equal(system(command), 0);
	free(command);
}

static void a_certificate_has_what_was_measured_and_by_what(void **state)
{
	struct run r = RUN("fabcon", "bringup", "judge", recording, "-o", "json");
	json_t *doc = document(&r);
	unsigned n[3] = { 0 };
	const json_t *test;
	size_t i;

	(void)state;
	assert_string_equal(text_of(doc, "state"), "pass");
	assert_string_equal(text_of(doc, "reason"), "INC-7");
	assert_int_equal(json_array_size(json_object_get(doc, "links")), 4);
	assert_int_equal(json_array_size(json_object_get(doc, "devices")), 4);
	json_array_foreach(json_object_get(doc, "tests"), i, test) {
		const json_t *from = json_object_get(json_object_get(test, "counters"), "from");
		const char *command = text_of(test, "command");
		enum { BANDWIDTH, LATENCY, REACH } kind = !strncmp(command, "ib_write_bw ", 12) ? BANDWIDTH :
								 !strncmp(command, "ib_write_lat ", 13) ? LATENCY : REACH;

		assert_true(kind != REACH || !strncmp(command, "rping ", 6));
		n[kind]++;
		if (kind != REACH)
			assert_non_null(strstr(command, "--tclass=106"));
		if (kind == BANDWIDTH && strcmp(text_of(test, "kind"), "loopback") != 0)	/* need not leave the NIC */
			assert_true(json_integer_value(json_object_get(from, "class_bytes")) > 0);
	}
	assert_int_equal(n[0], 8);	/* each by itself; a pair on each leaf, both ways */
	assert_int_equal(n[1], 2);	/* half a round trip is that of both ways */
	assert_int_equal(n[2], 4);
	json_decref(doc);
	run_done(&r);
}

/* Each stage that was asked passed, and the others nobody knows: no green. */
static void what_was_not_asked_or_not_tested_has_not_passed(void **state)
{
	static const char *const asked[][4] = { { "--stages", "reach,cabling", "--traffic", "--reason=INC-7" }, { "--quiet", NULL } };
	static const char *const said[] = { "not asked for: identity", "no test" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *file = xasprintf("%s/part%zu.db", lab.dir, i);
		struct run r = LAB_FABCON(&lab, "bringup", "--record", file, asked[i][0], asked[i][1], asked[i][2], asked[i][3]);

		assert_int_equal(r.code, EXIT_DONE);
		run_done(&r);
		r = RUN("fabcon", "bringup", "judge", file);
		if (r.code != EXIT_PARTIAL || !strstr(r.out.text, "NOT KNOWN") || !strstr(r.out.text, said[i]))
			fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
		run_done(&r);
		free(file);
	}
}

static void another_policy_judges_the_same_day_otherwise(void **state)
{
	char *policy = xasprintf("%s/strict.policy", lab.dir);
	FILE *out = fopen(policy, "w");
	struct run r;

	(void)state;
	assert_non_null(out);
	fprintf(out, "%s\nlimit test.share.fail = 1.5\n", policy_builtin_text("roce-lossless"));
	fclose(out);
	r = RUN("fabcon", "bringup", "judge", recording, "-p", policy, "-o", "md");
	if (r.code != EXIT_FINDINGS)
		fail_msg("exit %d: %s\n%s", r.code, r.out.text, r.err.text);
	assert_non_null(strstr(r.out.text, "test.share.fail: 1.5"));
	run_done(&r);
	free(policy);
}

/* The rows of a comparison with today: "node1 eth2 mtu 9000 1500". */
static char *changes(int wanted)
{
	struct run r = LAB_FABCON(&lab, "bringup", "diff", recording, "live", "-o", "json", "--quiet");
	json_t *doc = document(&r);
	struct buf out = { 0 };
	const json_t *row;
	size_t i;

	assert_int_equal(r.code, wanted);
	buf_str(&out, "");
	json_array_foreach(json_object_get(doc, "rows"), i, row)
		buf_printf(&out, "%s %s %s %s %s %s\n", text_of(row, "kind"), text_of(row, "device"), text_of(row, "port"), text_of(row, "name"),
			   text_of(row, "was"), text_of(row, "now"));
	json_decref(doc);
	run_done(&r);
	return out.text;
}

static void what_has_changed_since_is_named_and_nothing_else(void **state)
{
	struct run r;
	char *rows;

	(void)state;
	rows = changes(EXIT_DONE);
	assert_string_equal(rows, "");
	free(rows);
	r = LAB_CTL(&lab, "fault", "add", "trust-pcp@node1:eth2");
	assert_int_equal(r.code, 0);
	run_done(&r);
	rows = changes(EXIT_FINDINGS);
	assert_string_equal(rows, "setting node1 eth2 trust dscp pcp\n"
				  "setting node1 eth2 dscp.prio[0-63] reported \n"
				  "stage node1 eth2 qos pass fail\n");
	free(rows);
	r = LAB_CTL(&lab, "fault", "clear", "trust-pcp@node1:eth2");
	run_done(&r);
	rows = changes(EXIT_DONE);
	assert_string_equal(rows, "");
	free(rows);
}

static void a_certificate_is_compared_as_its_recording_is_and_refused_when_it_was_changed(void **state)
{
	char *file = xasprintf("%s/day.json", lab.dir), *text, *rate;
	struct run r = RUN("fabcon", "bringup", "judge", recording, "-o", "json");
	FILE *out = fopen(file, "w");

	(void)state;
	assert_non_null(out);
	fputs(r.out.text, out);
	fclose(out);
	text = r.out.text;
	rate = strstr(text, "\"rate_bps\": 98");
	assert_non_null(rate);
	rate[12] = '7';
	rate = xstrdup(text);
	run_done(&r);
	r = RUN("fabcon", "bringup", "diff", file, recording);
	assert_int_equal(r.code, EXIT_DONE);
	assert_non_null(strstr(r.out.text, "0 differences"));
	run_done(&r);
	out = fopen(file, "w");
	fputs(rate, out);
	fclose(out);
	r = RUN("fabcon", "bringup", "diff", file, recording);
	assert_int_equal(r.code, EXIT_RECORDING);
	run_done(&r);
	free(rate);
	free(file);
}

static void what_is_no_bring_up_is_refused(void **state)
{
	struct run r = RUN("fabcon", "bringup", "judge");

	(void)state;
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", "/nonexistent.db");
	assert_int_equal(r.code, EXIT_RECORDING);
	assert_non_null(strstr(r.err.text, "/nonexistent.db: No such file"));
	run_done(&r);
	r = RUN("fabcon", "bringup", "judge", recording, "-o", "jsonl");
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
	r = LAB_FABCON(&lab, "bringup", "-o", "html");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "fabcon bringup judge FILE"));
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_recording_is_the_same_bytes_in_each_form),
		cmocka_unit_test(what_is_judged_again_has_the_signature_of_the_day),
		cmocka_unit_test(what_a_test_printed_is_part_of_the_seal),
		cmocka_unit_test(a_certificate_has_what_was_measured_and_by_what),
		cmocka_unit_test(what_was_not_asked_or_not_tested_has_not_passed),
		cmocka_unit_test(another_policy_judges_the_same_day_otherwise),
		cmocka_unit_test(what_has_changed_since_is_named_and_nothing_else),
		cmocka_unit_test(a_certificate_is_compared_as_its_recording_is_and_refused_when_it_was_changed),
		cmocka_unit_test(what_is_no_bring_up_is_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
