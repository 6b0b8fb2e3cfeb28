/* What a certificate is written as. Other programs read it back: xmllint and Python, where they are installed. */
#include <locale.h>
#include <unistd.h>

#include "core/certificate/certificate.h"
#include "tests/core/test_certificate_example.h"
#include "tests/lib/hostile.h"
#include "tests/lib/run.h"
#include "tests/lib/text.h"

static char *written(const json_t *certificate, const char *format)
{
	struct buf out = { 0 };

	assert_non_null(certificate_format_find(format));
	certificate_write(certificate, certificate_format_find(format), &out);
	return out.text;
}

static size_t times(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		n++;
	return n;
}

static void a_format_is_found_by_its_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < certificate_n_formats; i++)
		assert_ptr_equal(certificate_format_find(certificate_formats[i].name), &certificate_formats[i]);
	assert_null(certificate_format_find("pdf"));
}

static void json_is_read_back_as_the_same_certificate(void **state)
{
	json_t *c = failing_example(), *again = NULL;
	char *text = written(c, "json"), *twice;
	struct err err;

	(void)state;
	assert_int_equal(certificate_read(span_of(text), &again, &err), CERTIFICATE_SOUND);
	for (size_t i = 0; i < certificate_n_formats; i++) {
		char *a = written(c, certificate_formats[i].name), *b = written(again, certificate_formats[i].name);

		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	twice = written(again, "json");
	assert_string_equal(text, twice);
	assert_says(text, "\n \"began\": \"2026-11-28T02:00:00Z\",\n \"by\"");
	assert_says(text, "\"value\": 0.95\n");
	free(text);
	free(twice);
	json_decref(c);
	json_decref(again);
}

static void a_rack_that_passed_shows_no_failure(void **state)
{
	json_t *c = example();
	char *md = written(c, "md"), *html = written(c, "html"), *junit = written(c, "junit");

	(void)state;
	assert_says(md, "# Bring-up certificate: rack R14\n\n**PASS**: no failure in 8 NICs; no failure in 8 tests.");
	assert_silent(md, "Failures");
	assert_says(md, "| node1:eth2 | leaf1:Ethernet0 | pass | - | - |");
	assert_says(md, "| 391.9 Gb/s | 100.0 % |");
	assert_says(md, "- test.share.fail: 0.95 of the ceiling (default of this program)");
	assert_says(html, "<span class=\"badge is-pass\">PASS</span>");
	assert_silent(html, "Failures");
	assert_silent(html, "is-fail\"");
	assert_says(junit, "tests=\"80\" failures=\"0\" errors=\"0\" skipped=\"0\"");
	free(md);
	free(html);
	free(junit);
	json_decref(c);
}

static void failures_stand_first_with_what_to_do(void **state)
{
	json_t *c = failing_example();
	char *md = written(c, "md"), *html = written(c, "html");

	(void)state;
	assert_says(md, "**FAIL**: 2 of 8 NICs failed, 1 not known, 1 skipped; 1 of 8 tests failed, 1 not known.");
	assert_says(md, "### node3:eth2 to leaf1:Ethernet8: fail at cabling\n\n- Seen: connected to leaf2 Ethernet8");
	assert_says(md, "- Do: Swap the two cables at node3: eth2 and eth3\n- Because of: node3:eth3\n");
	assert_says(md, "### node1:eth2 to leaf1:Ethernet0: suspect\n");
	assert_true(strstr(md, "## Failures") < strstr(md, "## Links"));
	assert_int_equal(times(md, "\n## "), 10);
	assert_says(md, "- node3:eth2: fails at cabling\n");
	assert_says(md, "- node4:eth3, wire: optic on order (by bob, 2026-11-28 02:30:00 UTC)\n");
	assert_says(md, "- 2026-11-28 02:31:00 UTC, not known: Cable 411 has a kink\n");
	assert_true(strstr(html, "<h2>Failures") < strstr(html, "<h2>Not known"));
	assert_true(strstr(html, "<h2>Not known") < strstr(html, "<h2>Links"));
	assert_says(html, "<td>1500</td><td>node4:eth2</td>");
	assert_says(html, "ecn-on by leaf2.");
	assert_says(html, "rect class=\"fail\" width=\"51.3\"");
	free(md);
	free(html);
	json_decref(c);
}

/* A zero is a value; what nobody measured has none. */
static void what_is_unknown_is_shown_as_unknown(void **state)
{
	json_t *c = failing_example();
	char *md = written(c, "md"), *html = written(c, "html"), *csv = written(c, "csv");

	(void)state;
	assert_says(md, "| node2:eth3 | node3:eth3 | not known | not known | not known | node2 does not answer over TCP |");
	assert_says(md, "firmware not known");
	assert_says(html, "not measured");
	assert_says(html, "drops 0, gaps not known, wire 0");
	assert_says(csv, "\"node3\",\"eth3\",,,392000000000,,4096,,");
	free(md);
	free(html);
	free(csv);
	json_decref(c);
}

static void junit_counts_what_failed_and_passes_nothing_that_is_unknown(void **state)
{
	json_t *c = failing_example();
	char *junit = written(c, "junit");

	(void)state;
	/* 72 stages, 8 tests, one NIC that was not tested, and two links whose state no stage shows: the suspect and the skipped one */
	assert_says(junit, "tests=\"83\" failures=\"2\" errors=\"0\" skipped=\"10\"");
	assert_int_equal(times(junit, "<testcase "), 83);
	assert_int_equal(times(junit, "<failure "), 2);
	assert_int_equal(times(junit, "<skipped "), 10);
	assert_says(junit, "classname=\"node3:eth2\" name=\"cabling\"><failure message=\"connected to leaf2");
	assert_says(junit, "classname=\"node3:eth2\" name=\"wire\"><skipped message=\"not yet\"");
	assert_says(junit, "classname=\"node1:eth2\" name=\"link\"><skipped message=\"suspect: 201.2 Gb/s");
	assert_says(junit, "classname=\"node3:eth2\" name=\"traffic\"><skipped message=\"not tested: fails at cabling\"");
	free(junit);
	json_decref(c);
}

/* -- hostile texts -- */

/* Puts text wherever a certificate has room for one. */
static void replace_texts(json_t *json, const char *text)
{
	static const char fixed[] = "schema state kind began signed ended at sha256";
	const char *key;
	json_t *value;
	void *next;
	size_t i;

	json_object_foreach_safe(json, next, key, value) {
		if (json_is_string(value) && !span_is_among(span_of(key), fixed))
			json_object_set_new(json, key, json_string(text));
		replace_texts(value, text);
	}
	json_array_foreach(json, i, value)
		replace_texts(value, text);
}

/* The names stay different, as they must. */
static json_t *hostile_example(const char *text)
{
	json_t *c = failing_example(), *row;
	char *name;
	size_t i;

	replace_texts(c, text);
	json_array_foreach(at(c, "links"), i, row) {
		json_t *stage;
		size_t n;

		name = xasprintf("%s%zu", text, i);
		json_object_set_new(row, "nic", json_string(name));
		free(name);
		json_object_set_new(row, "settings", json_pack("[{s:s, s:n, s:s, s:s}]", "device", text, "port", "name", text, "value", text));
		json_array_foreach(at(row, "stages"), n, stage) {
			name = xasprintf("%s%zu", text, n);
			json_object_set_new(stage, "stage", json_string(name));
			free(name);
		}
	}
	json_array_foreach(at(c, "devices"), i, row) {
		name = xasprintf("%s%zu", text, i);
		json_object_set_new(row, "name", json_string(name));
		free(name);
	}
	seal(c);
	return c;
}

static const char *const attacks[] = {
	"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "]]>&lt;&#60;</style></svg>",
	"=HYPERLINK(\"http://x\")", "+1+1", "-2+3", "@SUM(A1)", " =1+1", "| a | b |\n# heading\n- item\n\n```", "[x](javascript:alert(1))",
	"*bold* _under_ ~~gone~~ `code` &amp; ![i](http://x)", "www.example.org http://example.org", "\xe2\x80\xae reversed",
	"a,b\"c\r\nd", "\\", "{}{}%s%n", "",
};

/* The lines of CSV end in CR and LF. */
static void assert_harmless(const char *text, const char *attack, const char *format)
{
	struct buf bare = { 0 };
	const char *why;

	for (const char *c = text; *c; c++)
		if (strncmp(c, "\r\n", 2) || strcmp(format, "csv"))
			buf_add(&bare, c, 1);
	why = hostile_in_text(buf_span(&bare));
	if (why)
		fail_msg("%s of \"%s\": %s", format, attack, why);
	buf_done(&bare);
	if (strcmp(format, "html") && strcmp(format, "junit"))
		return;
	assert_silent(text, "<script");
	assert_silent(text, "<img");
	assert_int_equal(times(text, "</style>"), !strcmp(format, "html"));
	assert_silent(text, " onmouseover='");
}

/* Well-formed, as another program's parser has it. */
static void assert_parsed(const char *text, const char *attack, const char *format)
{
	static const char xml[] = "/usr/bin/xmllint";
	struct run r;

	if (access(xml, X_OK))
		return;
	r = run_program((const char *const[]){ xml, "--noout", "-", NULL }, text);
	if (r.code)
		fail_msg("%s of \"%s\": %s", format, attack, r.err.text);
	run_done(&r);
}

static void hostile_texts_are_harmless_in_each_format(void **state)
{
	(void)state;
	if (access("/usr/bin/xmllint", X_OK))
		print_message("skip: xmllint is not installed\n");
	for (size_t i = 0; i < sizeof(attacks) / sizeof(*attacks) + hostile_count; i++) {
		const char *attack = i < hostile_count ? hostile_texts[i] : attacks[i - hostile_count];
		json_t *utf8 = json_string(attack), *c;

		if (!utf8)	/* JSON has no such bytes */
			continue;
		c = hostile_example(attack);
		for (size_t f = 0; f < certificate_n_formats; f++) {
			char *text = written(c, certificate_formats[f].name);

			assert_harmless(text, attack, certificate_formats[f].name);
			if (!strcmp(certificate_formats[f].name, "html") || !strcmp(certificate_formats[f].name, "junit"))
				assert_parsed(text, attack, certificate_formats[f].name);
			free(text);
		}
		json_decref(c);
		json_decref(utf8);
	}
}

static void markdown_of_hostile_texts_keeps_its_lines_and_columns(void **state)
{
	json_t *c = hostile_example("| a | b |\n# heading\n[x](y) <b> http://x www.x.org mlx5_0 `c`");
	char *md = written(c, "md");

	(void)state;
	assert_silent(md, "\n# heading");
	assert_silent(md, " <b>");
	assert_says(md, "\\| a \\| b \\| # heading \\[x\\](y) \\<b\\> http\\://x www\\.x.org mlx5_0 \\`c\\`");
	free(md);
	json_decref(c);
}


static void csv_is_one_table_that_a_spreadsheet_does_not_run(void **state)
{
	static const char script[] =
		"import csv, io, sys\n"
		"text = sys.stdin.buffer.read().decode()\n"
		"assert text.endswith('\\r\\n') and '\\n' not in text.replace('\\r\\n', '')\n"
		"rows = list(csv.DictReader(io.StringIO(text, newline=''), strict=True))\n"
		"assert all(None not in r and None not in r.values() for r in rows)\n"
		"assert [r['row'] for r in rows] == ['link'] * 8 + ['test'] * 8\n"
		"assert not [v for r in rows for v in r.values() if v.lstrip()[:1] in ('=', '+', '-', '@') and v]\n"
		"print(rows[0]['what'], rows[8]['rate_bps'], rows[8]['share_pct'], rows[8]['from_gaps'] == '', rows[8]['from_drops'])\n";
	json_t *c = hostile_example("=1+\"a\",b");
	char *csv = written(c, "csv");
	struct run r;

	(void)state;
	assert_says(csv, "\"'=1+\"\"a\"\",b\"");
	r = run_program((const char *const[]){ "/usr/bin/env", "python3", "-c", script, NULL }, csv);
	if (r.code == 127) {
		print_message("skip: python3 is not installed\n");
	} else {
		assert_string_equal(r.err.text ? r.err.text : "", "");
		assert_string_equal(r.out.text, "'=1+\"a\",b 201200000000 51.3 True 0\n");
	}
	run_done(&r);
	free(csv);
	json_decref(c);
}

static void a_page_needs_nothing_else(void **state)
{
	json_t *c = failing_example();
	char *html = written(c, "html");

	(void)state;
	assert_silent(html, "<script");
	assert_silent(html, " src=");
	assert_silent(html, "@import");
	assert_silent(html, "url(");
	assert_int_equal(times(html, "http"), 1);	/* the name space of XHTML */
	free(html);
	json_decref(c);
}

/* A decimal comma would be another certificate. */
static void it_is_the_same_in_each_locale(void **state)
{
	json_t *c = failing_example();
	char *before[8], *after;

	(void)state;
	for (size_t i = 0; i < certificate_n_formats; i++)
		before[i] = written(c, certificate_formats[i].name);
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		print_message("skip: the locale de_DE.UTF-8 is not installed\n");
	for (size_t i = 0; i < certificate_n_formats; i++) {
		after = written(c, certificate_formats[i].name);
		assert_string_equal(before[i], after);
		free(before[i]);
		free(after);
	}
	seal(c);
	setlocale(LC_ALL, "C");
	json_decref(c);
}

/* Hosts without a rack, tests or facts: each format has a text for that too. */
static void the_smallest_certificate_is_written(void **state)
{
	json_t *c = example();

	(void)state;
	for (size_t i = 0; i < 3; i++)
		put(c, "", ((const char *const[]){ "rack", "fabric", "inventory" })[i], "null");
	for (size_t i = 0; i < 4; i++)
		put(c, "", ((const char *const[]){ "links", "tests", "devices", "limits" })[i], "[]");
	seal(c);
	for (size_t i = 0; i < certificate_n_formats; i++) {
		char *text = written(c, certificate_formats[i].name);

		assert_true(strlen(text) > 100);
		free(text);
	}
	json_decref(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_format_is_found_by_its_name),
		cmocka_unit_test(json_is_read_back_as_the_same_certificate),
		cmocka_unit_test(a_rack_that_passed_shows_no_failure),
		cmocka_unit_test(failures_stand_first_with_what_to_do),
		cmocka_unit_test(what_is_unknown_is_shown_as_unknown),
		cmocka_unit_test(junit_counts_what_failed_and_passes_nothing_that_is_unknown),
		cmocka_unit_test(hostile_texts_are_harmless_in_each_format),
		cmocka_unit_test(markdown_of_hostile_texts_keeps_its_lines_and_columns),
		cmocka_unit_test(csv_is_one_table_that_a_spreadsheet_does_not_run),
		cmocka_unit_test(a_page_needs_nothing_else),
		cmocka_unit_test(it_is_the_same_in_each_locale),
		cmocka_unit_test(the_smallest_certificate_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
