/* The command line as a script meets it: exit codes, one valid document, errors that say what to do. */
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/exits.h"
#include "tui/cli/command_line.h"
#include "tui/commands/commands.h"
#include "tui/cli/guides.h"
#include "tui/text/times.h"
#include "tui/widgets/keys.h"

static json_t *document(const struct run *r)
{
	json_error_t error;
	json_t *json = json_loads(r->out.text, 0, &error);

	if (!json)
		fail_msg("not one JSON document: %s in: %s", error.text, r->out.text);
	return json;
}

static void every_command_has_help_and_an_example(void **state)
{
	(void)state;
	for (size_t i = 0; i < cli_count; i++) {
		struct run r = RUN("fabcon", "help", cli_table[i].name);

		assert_int_equal(r.code, 0);
		assert_non_null(strstr(r.out.text, cli_table[i].example));
		run_done(&r);
	}
}

static void help_after_a_command_is_of_that_command(void **state)
{
	(void)state;
	for (size_t i = 0; i < cli_count; i++) {
		struct run help = RUN("fabcon", "help", cli_table[i].name), after = RUN("fabcon", cli_table[i].name, "--help"),
			   host = RUN("fabcon", "--rw", "node9", cli_table[i].name, "x", "--help", "--no-such");

		assert_int_equal(after.code, 0);
		assert_string_equal(after.out.text, help.out.text);
		assert_string_equal(host.out.text, help.out.text);
		assert_int_equal(host.err.n, 0);
		run_done(&help);
		run_done(&after);
		run_done(&host);
	}
}

static void assert_guessed(struct run r, const char *word)
{
	const char *guess = strstr(r.err.text, "did you mean ");

	assert_int_equal(r.code, EXIT_USAGE);
	assert_int_equal(r.out.n, 0);
	if (!guess || !strstr(guess, word))
		fail_msg("%s is not guessed: %s", word, r.err.text);
	run_done(&r);
}

static void what_was_mistyped_is_guessed(void **state)
{
	(void)state;
	assert_guessed(RUN("fabcon", "stauts"), "\"status\"");
	assert_guessed(RUN("fabcon", "--fial-on", "warn", "check"), "--fail-on");
	assert_guessed(RUN("fabcon", "emit", "systmd"), "\"systemd\"");
	assert_guessed(RUN("fabcon", "explain", "trust-smae"), "\"trust-same\"");
	assert_guessed(RUN("fabcon", "explain", "limts"), "\"limits\"");
}

static void wrong_usage_is_exit_2_and_says_what_is_allowed(void **state)
{
	static const struct {
		const char *a, *b, *c, *says;
	} cases[] = {
		{ "-o", "xml", "status", "table, json, jsonl or csv" },
		{ "--fail-on", "bad", "check", "info, warning or critical" },
		{ "--timeout", "soon", "status", "length of time" },
		{ "tos", "300", NULL, "0-255" },
		{ "explain", "nonsense", NULL, "explain checks" },
		{ "parse", "linux", "nonsense", "parse --list" },
		{ "--no-such-option", "status", NULL, "no-such-option" },
		{ "show", NULL, NULL, "usage" },
		{ "-i", "node1", "--plan=/no/such/plan.csv", "/no/such/plan.csv" },
		{ "-i", "/no/such/file.yml", "status", "/no/such/file.yml" },
		{ "-i", "hosts-nowhere.yml", "status", "No such file" },
		{ "check", "node99", NULL, "--filter node99" },
		{ "-p", "mine", "-inode1", "roce-lossless" },
		{ "version", "please", NULL, "no argument" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct run r = RUN("fabcon", cases[i].a, cases[i].b, cases[i].c);

		if (r.code != EXIT_USAGE || !strstr(r.err.text, cases[i].says))
			fail_msg("case %zu: exit %d: %s", i, r.code, r.err.text);
		run_done(&r);
	}
}

static void a_tos_byte_is_taken_apart(void **state)
{
	struct run r = RUN("fabcon", "-o", "json", "tos", "106");
	json_t *doc, *row;

	(void)state;
	assert_int_equal(r.code, 0);
	doc = document(&r);
	row = json_array_get(json_object_get(doc, "rows"), 0);
	assert_int_equal(json_integer_value(json_object_get(row, "dscp")), 26);
	assert_string_equal(json_string_value(json_object_get(row, "ecn")), "ECT(0)");
	assert_int_equal(json_integer_value(json_object_get(row, "policy_priority")), 3);
	json_decref(doc);
	run_done(&r);
}

static void tables_are_documented_by_themselves(void **state)
{
	static const char *const lists[] = { "checks", "fields", "limits" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct run r = RUN("fabcon", "-o", "json", "explain", lists[i]);
		json_t *doc = document(&r), *row;
		size_t k;

		json_array_foreach(json_object_get(doc, "rows"), k, row) {
			struct run one = RUN("fabcon", "explain", json_string_value(json_object_get(row, "id")));

			if (one.code != 0)
				fail_msg("explain %s: %s", json_string_value(json_object_get(row, "id")), one.err.text);
			run_done(&one);
		}
		json_decref(doc);
		run_done(&r);
	}
}

static void a_device_that_cannot_be_reached_is_exit_4_with_the_reason(void **state)
{
	char path[] = "/tmp/fabcon-cli.XXXXXX";
	int fd = mkstemp(path);
	static const char yaml[] = "all:\n  hosts:\n    lost:\n      ansible_host: 127.0.0.1\n      ansible_port: 1\n";
	struct run r;
	json_t *doc;

	(void)state;
	assert_int_equal(write(fd, yaml, sizeof(yaml) - 1), sizeof(yaml) - 1);
	close(fd);
	r = RUN("fabcon", "-i", path, "--no-input", "--timeout", "3s", "-o", "json", "status");
	unlink(path);
	assert_int_equal(r.code, EXIT_NO_TARGET);
	assert_non_null(strstr(r.err.text, "connection refused: lost"));
	assert_non_null(strstr(r.err.text, "check that sshd runs"));
	doc = document(&r);
	assert_true(json_is_false(json_object_get(doc, "complete")));
	assert_int_equal(json_array_size(json_object_get(doc, "rows")), 1);
	json_decref(doc);
	run_done(&r);
}

static void a_wrong_policy_names_file_line_and_what_is_allowed(void **state)
{
	char path[] = "/tmp/fabcon-cli.XXXXXX";
	int fd = mkstemp(path);
	static const char policy[] = "name mine\n* * pfc.onn[3] = yes\n";
	struct run r;

	(void)state;
	assert_int_equal(write(fd, policy, sizeof(policy) - 1), sizeof(policy) - 1);
	close(fd);
	r = RUN("fabcon", "-i", "localhost", "-p", path, "status");
	unlink(path);
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, ":2:"));
	assert_non_null(strstr(r.err.text, "pfc.onn"));
	run_done(&r);
}

static void a_recording_that_is_none_is_exit_10(void **state)
{
	struct run r = RUN("fabcon", "replay", "/etc/passwd", "status");

	(void)state;
	assert_int_equal(r.code, EXIT_RECORDING);
	assert_non_null(strstr(r.err.text, "/etc/passwd"));
	run_done(&r);
}

static void completions_and_man_pages_are_made_of_the_tables(void **state)
{
	struct run r = RUN("fabcon", "completion", "bash"), man = RUN("fabcon", "man", "fabcon.1");
	struct run check = run_program((const char *const[]){ "/bin/bash", "-n", NULL }, r.out.text);

	(void)state;
	assert_int_equal(check.code, 0);
	for (size_t i = 0; i < cli_count; i++)
		assert_non_null(strstr(man.out.text, cli_table[i].name));
	run_done(&r);
	run_done(&man);
	run_done(&check);
}

/* Commands that print a text by nature, or only take a recording or a terminal. */
static bool has_no_document(const char *name)
{
	static const char *const names[] = { "tui", "record", "replay", "events", "changes", "note", "parse", "completion", "man",
					     "help" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void every_command_prints_one_document_with_its_schema_even_when_nothing_was_read(void **state)
{
	static const struct {
		const char *name, *a, *b;
	} arguments[] = {
		{ "show", "lost", NULL }, { "explain", "checks", NULL }, { "tos", "106", NULL }, { "inventory", "list", NULL },
		{ "compare", "lost", "lost" }, { "config", "show", NULL }, { "calc", NULL, NULL }, { "frame", NULL, NULL },
	};
	char path[] = "/tmp/fabcon-cli.XXXXXX";
	static const char yaml[] = "all:\n  hosts:\n    lost:\n      ansible_host: 127.0.0.1\n      ansible_port: 1\n";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, yaml, sizeof(yaml) - 1), sizeof(yaml) - 1);
	close(fd);
	for (size_t i = 0; i < cli_count; i++) {
		const char *a = NULL, *b = NULL, *schema;
		struct run r;
		json_t *doc;

		for (size_t k = 0; k < sizeof(arguments) / sizeof(*arguments); k++) {
			a = strcmp(arguments[k].name, cli_table[i].name) ? a : arguments[k].a;
			b = strcmp(arguments[k].name, cli_table[i].name) ? b : arguments[k].b;
		}
		if (has_no_document(cli_table[i].name) || (cli_table[i].needs_args && !a))
			continue;
		r = RUN("fabcon", "-i", path, "--no-input", "--timeout", "1s", "-o", "json", cli_table[i].name, a, b);
		if (r.out.n == 0)
			fail_msg("%s: exit %d, no document: %s", cli_table[i].name, r.code, r.err.text);
		doc = document(&r);
		schema = json_string_value(json_object_get(doc, "schema"));
		if (!schema || strncmp(schema, "fabcon.", 7) != 0 || !strchr(schema, '/'))
			fail_msg("%s: no schema in %s", cli_table[i].name, r.out.text);
		if (json_object_get(doc, "complete") && !json_is_false(json_object_get(doc, "complete")))
			fail_msg("%s is complete, and nothing was read: %s", cli_table[i].name, r.out.text);
		json_decref(doc);
		run_done(&r);
	}
	unlink(path);
}

/* A port that takes connections and never says a word. */
static int silent_port(unsigned *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static void a_run_that_is_interrupted_still_prints_its_document(void **state)
{
	static const struct {
		const char *signal;
		int code;
	} signals[] = { { "INT", 130 }, { "TERM", 143 } };
	char path[] = "/tmp/fabcon-cli.XXXXXX";
	int fd = mkstemp(path), silent;
	unsigned port;

	(void)state;
	silent = silent_port(&port);
	dprintf(fd, "all:\n  hosts:\n    mute:\n      ansible_host: 127.0.0.1\n      ansible_port: %u\n", port);
	close(fd);
	for (size_t i = 0; i < 2; i++) {
		struct run r = RUN("/usr/bin/timeout", "--preserve-status", "-s", signals[i].signal, "1", program_path("fabcon"), "-i", path,
				   "--no-input", "--timeout", "60s", "-o", "json", "status");
		json_t *doc = document(&r);

		assert_int_equal(r.code, signals[i].code);
		assert_true(json_is_false(json_object_get(doc, "complete")));
		assert_int_equal(json_array_size(json_object_get(doc, "rows")), 1);
		assert_non_null(strstr(r.err.text, "1 not answered yet: mute"));
		json_decref(doc);
		run_done(&r);
	}
	unlink(path);
	close(silent);
}

/* "fabcon" alone, or with a command or an option that there is. */
static bool is_run(const char *run)
{
	struct span words = span_of(run), word;
	bool is_known = span_word(&words, &word) && !words.n;

	while (span_word(&words, &word)) {
		for (size_t i = 0; i < cli_count; i++)
			is_known |= span_is(word, cli_table[i].name);
		for (size_t i = 0; i < option_count && span_starts(word, "--"); i++)
			is_known |= span_is((struct span){ word.p + 2, word.n - 2 }, option_table[i].name);
	}
	return is_known;
}

/* A person who has never mended anything here finds each step below the one before. */
static void the_guide_of_who_is_on_call_goes_from_the_finding_to_keep_and_undo(void **state)
{
	static const char *const steps[] = { "explain", "fix-this", "refresh", "arm", "apply", "keep", "undo" };
	const struct guide *g = guide_find("on-call");
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < GUIDE_STEPS && g->steps[i].what && at < 7; i++)
		at += g->steps[i].key && !strcmp(g->steps[i].key, steps[at]);
	if (at < 7)
		fail_msg("after the others there is no %s", steps[at]);
}

static void every_step_of_a_guide_is_there_to_be_taken(void **state)
{
	struct run man = RUN("fabcon", "man", "fabcon.1");

	(void)state;
	for (size_t g = 0; g < guide_count; g++) {
		const struct guide *guide = &guide_table[g];
		struct run r = RUN("fabcon", "help", guide->name);

		assert_int_equal(r.code, 0);
		assert_non_null(strstr(r.out.text, guide->title));
		assert_non_null(strstr(man.out.text, guide->for_whom));
		for (size_t i = 0; i < GUIDE_STEPS && guide->steps[i].what; i++) {
			const struct guide_step *s = &guide->steps[i];

			if (!(s->run ? is_run(s->run) : key_named(span_of(s->key)) != NULL))
				fail_msg("guide %s: there is no %s", guide->name, s->run ? s->run : s->key);
			assert_non_null(strstr(r.out.text, guide_types(s)));
		}
		run_done(&r);
	}
	run_done(&man);
}

/* What says nothing about the links is no finding, and what was not read is no success. */
static void a_bandwidth_test_that_tells_nothing_is_not_judged(void **state)
{
	static const struct {
		const char *unit, *row, *says;
		int code;
	} tests[] = {
		{ "Gb/sec", "65536 5000 97.31 97.22 0.18", "ok", EXIT_DONE },
		{ "MiB/sec", "65536 5000 2050.12 2045.33 0.17", "lower than expected", EXIT_FINDINGS },
		{ "Gb/sec", "64 5000 0.45 0.45 0.18", "message size 64 is too small to judge bandwidth", EXIT_DONE },
		{ "ZB/sec", "65536 5000 97.31 97.22 0.18", "no result of it was understood", EXIT_NO_TARGET },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		char path[] = "/tmp/fabcon-cli.XXXXXX";
		int fd = mkstemp(path);
		struct run r;

		dprintf(fd, "RDMA_Write BW Test\n Mtu : 4096[B]\n#bytes #iterations BW peak[%s] BW average[%s] MsgRate[Mpps]\n%s\n",
			tests[i].unit, tests[i].unit, tests[i].row);
		close(fd);
		r = RUN("fabcon", "perf", path, "speed=100G");
		assert_int_equal(r.code, tests[i].code);
		assert_non_null(strstr(r.out.text, tests[i].says));
		assert_true(r.code != EXIT_NO_TARGET || strstr(r.err.text, "no test result could be parsed"));
		run_done(&r);
		unlink(path);
	}
}

static void hostile_text_reaches_no_output_raw(void **state)
{
	struct run r = RUN("fabcon", "explain", "\033]52;c;ZXZpbA==\a\302\233" "31m\342\200\256x");

	(void)state;
	assert_int_equal(r.code, EXIT_USAGE);
	assert_null(strchr(r.err.text, '\033'));
	assert_null(strstr(r.err.text, "\302\233"));
	assert_null(strstr(r.err.text, "\342\200\256"));
	run_done(&r);
}

static void csv_cells_cannot_be_formulas(void **state)
{
	struct sheet *s = sheet_new("fabcon.test/1", "name mtu_bytes");
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	sheet_row(s);
	sheet_text(s, "=HYPERLINK(\"x\")");
	sheet_unknown(s);
	sheet_write(s, SHEET_CSV, out);
	fclose(out);
	assert_string_equal(text, "name,mtu_bytes\n\"'=HYPERLINK(\"\"x\"\")\",\"\"\n");
	sheet_free(s);
	free(text);
}

static void numbers_are_written_in_si_and_never_as_powers(void **state)
{
	struct sheet *s = sheet_new("fabcon.test/1", "a b c d");
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	sheet_row(s);
	sheet_real(s, 36512345678.0);
	sheet_real(s, 123456);
	sheet_real(s, 3.25);
	sheet_cell(s, json_real(18446744073709551615.0), NULL);
	sheet_write(s, SHEET_TABLE, out);
	fclose(out);
	assert_non_null(strstr(text, "36.5G"));
	assert_non_null(strstr(text, "123k"));
	assert_non_null(strstr(text, "3.25"));
	assert_null(strstr(text, "e+"));
	sheet_free(s);
	free(text);
}

static void csv_has_numbers_as_they_are_and_not_as_people_read_them(void **state)
{
	struct sheet *s = sheet_new("fabcon.test/1", "a b c d");
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	sheet_row(s);
	sheet_real(s, 36512345678.25);
	sheet_real(s, 0.99766041666666661);
	sheet_cell(s, json_real(54618806257), "54.6G");
	sheet_real(s, NAN);
	sheet_write(s, SHEET_CSV, out);
	fclose(out);
	assert_string_equal(text, "a,b,c,d\n\"36512345678.25\",\"0.9976604166666666\",\"54618806257\",\"\"\n");
	sheet_free(s);
	free(text);
}

static void times_are_read_as_people_write_them(void **state)
{
	int64_t at, last = INT64_C(1789223167) * SECOND;
	struct err err;

	(void)state;
	assert_true(parse_time("-10m", last, &at, &err));
	assert_int_equal(at, last - 600 * SECOND);
	assert_true(parse_time("2026-09-12T14:26:03.250000Z", last, &at, &err));
	assert_int_equal(at % SECOND, 250000);
	assert_true(parse_time("14:26", last, &at, &err));
	assert_false(parse_time("yesterday", last, &at, &err));
	assert_false(parse_duration("-3s", &at, &err));
}

static void what_a_signal_ends_says_so_in_its_exit_code(void **state)
{
	static const struct {
		const char *signal;
		int code;
	} table[] = { { "TERM", 143 }, { "INT", 130 } };

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct run r = RUN("/usr/bin/timeout", "--preserve-status", "-s", table[i].signal, "3", program_path("fabcon"), "--no-input",
				   "-q", "--timeout", "1s", "-i", "127.0.0.1:1", "status", "--watch=1");

		if (r.code != table[i].code)
			fail_msg("%s: exit %d\n%s%s", table[i].signal, r.code, r.out.text, r.err.text);
		run_done(&r);
	}
}

static void a_recording_that_is_not_there_is_wrong_usage(void **state)
{
	struct run r = RUN("fabcon", "replay", "/nonexistent/incident.db", "findings");

	(void)state;
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
}

/* The manual page and the program tell one table, and each code of the program is in it once. */
static void every_exit_code_is_told_once(void **state)
{
	static const int codes[] = { EXIT_DONE, EXIT_FINDINGS, EXIT_USAGE, EXIT_PARTIAL, EXIT_NO_TARGET, EXIT_INTERNAL, EXIT_TAKEN_BACK,
				     EXIT_DOUBT, EXIT_REFUSED, EXIT_RECORDING, EXIT_UNJUDGED };
	struct run man = RUN("fabcon", "man", "fabcon.1"), help = RUN("fabcon", "help", "exit-codes");

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		size_t n = 0;

		for (size_t k = 0; k < exit_count; k++)
			n += exit_table[k].code == codes[i];
		assert_int_equal(n, 1);
	}
	for (size_t k = 0; k < exit_count; k++)
		assert_non_null(strstr(help.out.text, exit_table[k].words));
	assert_non_null(strstr(man.out.text, "nothing could be judged"));
	run_done(&man);
	run_done(&help);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_help_and_an_example),
		cmocka_unit_test(help_after_a_command_is_of_that_command),
		cmocka_unit_test(what_was_mistyped_is_guessed),
		cmocka_unit_test(wrong_usage_is_exit_2_and_says_what_is_allowed),
		cmocka_unit_test(a_tos_byte_is_taken_apart),
		cmocka_unit_test(tables_are_documented_by_themselves),
		cmocka_unit_test(a_device_that_cannot_be_reached_is_exit_4_with_the_reason),
		cmocka_unit_test(a_wrong_policy_names_file_line_and_what_is_allowed),
		cmocka_unit_test(a_recording_that_is_none_is_exit_10),
		cmocka_unit_test(completions_and_man_pages_are_made_of_the_tables),
		cmocka_unit_test(every_command_prints_one_document_with_its_schema_even_when_nothing_was_read),
		cmocka_unit_test(a_run_that_is_interrupted_still_prints_its_document),
		cmocka_unit_test(the_guide_of_who_is_on_call_goes_from_the_finding_to_keep_and_undo),
		cmocka_unit_test(every_step_of_a_guide_is_there_to_be_taken),
		cmocka_unit_test(a_bandwidth_test_that_tells_nothing_is_not_judged),
		cmocka_unit_test(hostile_text_reaches_no_output_raw),
		cmocka_unit_test(csv_cells_cannot_be_formulas),
		cmocka_unit_test(csv_has_numbers_as_they_are_and_not_as_people_read_them),
		cmocka_unit_test(numbers_are_written_in_si_and_never_as_powers),
		cmocka_unit_test(times_are_read_as_people_write_them),
		cmocka_unit_test(what_a_signal_ends_says_so_in_its_exit_code),
		cmocka_unit_test(a_recording_that_is_not_there_is_wrong_usage),
		cmocka_unit_test(every_exit_code_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
