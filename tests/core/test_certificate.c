/* The form of a certificate and its seal: what is refused, and with which words. */
#include "core/certificate/certificate.h"
#include "core/certificate/internal.h"
#include "tests/core/test_certificate_example.h"
#include "tests/lib/run.h"
#include "tests/lib/text.h"

static char *json_of(const json_t *certificate)
{
	struct buf out = { 0 };

	certificate_write(certificate, certificate_format_find("json"), &out);
	return out.text;
}

/* One link, one test and two devices, and a row of each list. */
static json_t *small_example(void)
{
	static const char *const lists[] = { "links", "tests", "devices" };
	json_t *c = failing_example();

	for (size_t i = 0; i < 3; i++)
		while (json_array_size(at(c, lists[i])) > 1)
			json_array_remove(at(c, lists[i]), 1);
	seal(c);
	return c;
}

static void numbers_are_written_as_rfc_8785_has_them(void **state)
{
	static const struct {
		double x;
		const char *text;
	} rows[] = {
		{ 0, "0" }, { -0.0, "0" }, { 0.95, "0.95" }, { 333333333.33333329, "333333333.3333333" }, { 1e30, "1e+30" }, { 4.5, "4.5" },
		{ 2e-3, "0.002" }, { 1e-27, "1e-27" }, { 1e-7, "1e-7" }, { 1e-6, "0.000001" }, { 1e21, "1e+21" }, { -1.5e-9, "-1.5e-9" },
		{ 123456789012345680000.0, "123456789012345680000" }, { 391940000000.0, "391940000000" }, { 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf out = { 0 };

		buf_str(&out, "");
		certificate_number(&out, rows[i].x);
		assert_string_equal(out.text, strcmp(rows[i].text, "0") ? rows[i].text : "0");
		buf_done(&out);
	}
}

static void a_sealed_certificate_is_sound_in_whatever_layout(void **state)
{
	json_t *c = failing_example(), *again = NULL;
	char *text = json_dumps(c, JSON_COMPACT | JSON_PRESERVE_ORDER);
	struct err err;

	(void)state;
	assert_int_equal(certificate_read(span_of(text), &again, &err), CERTIFICATE_SOUND);
	assert_true(json_equal(c, again));
	free(text);
	json_decref(c);
	json_decref(again);
}

static void sealing_counts_links_and_tests(void **state)
{
	json_t *c = failing_example();

	(void)state;
	assert_int_equal(json_integer_value(at(c, "summary.nics")), 8);
	assert_int_equal(json_integer_value(at(c, "summary.failed")), 2);	/* with the suspect */
	assert_int_equal(json_integer_value(at(c, "summary.tests_not_known")), 1);
	json_decref(c);
}

static void every_changed_byte_is_refused(void **state)
{
	json_t *c = small_example(), *again = NULL;
	char *text = json_of(c);
	struct err err;
	size_t n = strlen(text), n_altered = 0;

	(void)state;
	for (size_t i = 0; i + 1 < n; i++) {
		char was = text[i];
		enum certificate_fault fault;

		text[i] = (char)(was ^ 1);
		fault = certificate_read((struct span){ text, n }, &again, &err);
		if (fault == CERTIFICATE_SOUND || !*err.text)
			fail_msg("byte %zu changed from '%c' to '%c', and it is sound", i, was, text[i]);
		n_altered += fault == CERTIFICATE_ALTERED;
		text[i] = was;
	}
	assert_true(n_altered > 500);
	assert_null(again);
	free(text);
	json_decref(c);
}

static void a_file_that_was_cut_is_refused(void **state)
{
	json_t *c = small_example(), *again = NULL;
	char *text = json_of(c);
	struct err err;

	(void)state;
	for (size_t n = 0; n + 1 < strlen(text); n += 13)
		assert_int_equal(certificate_read((struct span){ text, n }, &again, &err), CERTIFICATE_MALFORMED);
	free(text);
	json_decref(c);
}

static void a_certificate_with_another_value_is_altered_and_not_malformed(void **state)
{
	json_t *c = example(), *again = NULL;
	struct err err;
	char *text;

	(void)state;
	put(c, "links[3].settings[0]", "value", "\"1500\"");
	text = json_of(c);
	assert_int_equal(certificate_read(span_of(text), &again, &err), CERTIFICATE_ALTERED);
	assert_says(err.text, "sha256: the certificate was changed after it was sealed (recorded ");
	free(text);
	json_decref(c);
}

static void what_is_wrong_is_named_by_its_path(void **state)
{
	static const struct {
		const char *path, *key, *value, *words;
	} rows[] = {
		{ "", "by", NULL, "the certificate: \"by\" is missing" },
		{ "", "color", "1", "the certificate: \"color\" is not a key of it" },
		{ "", "began", "\"yesterday\"", "began: \"yesterday\" does not have the required form" },
		{ "", "state", "\"suspect\"", "state: \"suspect\" is not one of: pass, fail, not known" },
		{ "", "inventory", "[]", "inventory: is not of type object or null" },
		{ "policy", "sha256", "\"0\"", "policy.sha256: \"0\" does not have the required form" },
		{ "links[3]", "nic", NULL, "links[3]: \"nic\" is missing" },
		{ "links[3]", "nic", "7", "links[3].nic: is not of type string or null" },
		{ "links[3].stages[2]", "state", "\"green\\u001b[2J\"", "links[3].stages[2].state: \"green\\u001b[2J\" is not one of: pass, " },
		{ "links[0].stages[1]", "stage", "\"reach\"", "links[0].stages[1]: reach is listed twice" },
		{ "links[1]", "nic", "\"eth2\"", "links[1]: node1:eth2 is listed twice" },
		{ "devices[1]", "name", "\"node1\"", "devices[1]: node1 is listed twice" },
		{ "links[2].settings[3]", "value", "\"1\"", "links[2].settings[3]: leaf1 ecn.kmin has two values: 150000 and 1" },
		{ "tests[0]", "mtu", "4096.5", "tests[0].mtu: is not of type integer or null" },
		{ "tests[0]", "mtu", "-1", "tests[0].mtu: the number is too small" },
		{ "tests[0].counters.to", "gaps", "1e300", "tests[0].counters.to.gaps: is not of type integer or null" },
		{ "tests[0]", "rate_bps", "1e300", "tests[0].rate_bps: the number is too large" },
		{ "devices[0].facts", "firm\xc3\xbc", "\"1\"", "\"firm\xc3\xbc\" does not have the required form" },
		{ "devices[0].facts", "firmware", "{\"a\": 1}", "devices[0].facts.firmware: is not of type string or null" },
		{ "", "links", "{}", "links: is not of type array" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *c = example();
		struct err err;

		put(c, rows[i].path, rows[i].key, rows[i].value);
		if (certificate_seal(c, &err))
			fail_msg("sealed in spite of %s.%s", rows[i].path, rows[i].key);
		assert_says(err.text, rows[i].words);
		assert_null(json_object_get(c, "sha256"));
		json_decref(c);
	}
}

static void what_is_too_long_is_refused(void **state)
{
	json_t *c = example(), *limit = json_deep_copy(at(c, "limits[0]"));
	struct buf text = { 0 };
	struct err err;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		buf_str(&text, "x");
	json_object_set_new(at(c, "links[0]"), "what", json_string(text.text));
	assert_false(certificate_seal(c, &err));
	assert_says(err.text, "links[0].what: \"xxxx");
	assert_says(err.text, "is too long");
	put(c, "links[0]", "what", "null");
	for (size_t i = 0; i < 2000; i++)
		json_array_append(at(c, "limits"), limit);
	assert_false(certificate_seal(c, &err));
	assert_says(err.text, "limits: the list is too long");
	buf_done(&text);
	json_decref(limit);
	json_decref(c);
}

static void a_verdict_that_its_links_contradict_is_refused(void **state)
{
	json_t *c = failing_example(), *again = NULL;
	struct err err;
	char *text;

	(void)state;
	put(c, "", "state", "\"pass\"");
	assert_false(certificate_seal(c, &err));
	assert_says(err.text, "state: pass, although 2 links failed and 1 are not known");
	put(c, "", "state", "\"fail\"");
	seal(c);
	put(c, "summary", "failed", "0");
	text = json_of(c);
	assert_int_equal(certificate_read(span_of(text), &again, &err), CERTIFICATE_MALFORMED);
	assert_says(err.text, "summary.failed: the certificate lists 2");
	free(text);
	json_decref(c);
}

static void other_files_are_no_certificates(void **state)
{
	static const char *const texts[] = {
		"", "{", "[]", "{}", "null", "\"fabcon.certificate/1\"", "{\"schema\": \"fabcon.certificate/2\"}", "{\"schema\": 1}", "\xff\xfe",
		"{\"schema\": \"fabcon.certificate/1\"}", "{\"schema\": \"fabcon.certificate/1\", \"schema\": \"fabcon.certificate/1\"}",
	};
	struct buf deep = { 0 };
	json_t *out = NULL;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(certificate_read(span_of(texts[i]), &out, &err), CERTIFICATE_MALFORMED);
	for (size_t i = 0; i < 100000; i++)
		buf_str(&deep, "[");
	assert_int_equal(certificate_read(buf_span(&deep), &out, &err), CERTIFICATE_MALFORMED);
	assert_null(out);
	buf_done(&deep);
}

/* -- the published schema, by a validator of its own -- */

/* Each place of the object with a value that may not be there; out gets the variants. */
static void add_variants(json_t *whole, json_t *object, json_t *out)
{
	static const char *const values[] = { "null", "1.5", "-1", "7", "\"x\"", "[]", "{}", "\"pass\"", "true" };
	const char **keys = certificate_keys(object);
	json_t *value, *was;
	size_t i;

	for (const char **key = keys; *key; key++) {
		char *name = xstrdup(*key);	/* the object's own is freed with the value */

		was = json_incref(json_object_get(object, name));
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
			put(object, "", name, values[v]);
			json_array_append_new(out, json_deep_copy(whole));
		}
		put(object, "", name, NULL);
		json_array_append_new(out, json_deep_copy(whole));
		json_object_set(object, name, was);
		add_variants(whole, was, out);
		json_decref(was);
		free(name);
	}
	free(keys);
	json_array_foreach(object, i, value)
		add_variants(whole, value, out);
}

static void shorten(json_t *certificate)
{
	while (json_array_size(at(certificate, "links[0].stages")) > 1)
		json_array_remove(at(certificate, "links[0].stages"), 1);
	while (json_array_size(at(certificate, "links[0].settings")) > 1)
		json_array_remove(at(certificate, "links[0].settings"), 1);
}

static void an_independent_validator_of_the_schema_agrees(void **state)
{
	static const char script[] =
		"import sys\n"
		"try: import json, jsonschema\n"
		"except ImportError: sys.exit(99)\n"
		"d = json.load(sys.stdin)\n"
		"jsonschema.Draft202012Validator.check_schema(d['schema'])\n"
		"v = jsonschema.Draft202012Validator(d['schema'])\n"
		"print(''.join('1' if v.is_valid(x) else '0' for x in d['variants']))\n";
	json_t *c = small_example(), *schema = packed(json_loads(certificate_schema, 0, NULL)), *variants = json_array(), *both, *one;
	size_t i, n_valid = 0;
	struct run r;
	char *text;

	(void)state;
	shorten(c);
	json_array_append_new(variants, json_deep_copy(c));
	add_variants(c, c, variants);
	both = packed(json_pack("{s:O, s:O}", "schema", schema, "variants", variants));
	text = json_dumps(both, JSON_COMPACT);
	r = run_program((const char *const[]){ "/usr/bin/env", "python3", "-c", script, NULL }, text);
	if (r.code == 99 || r.code == 127) {
		print_message("skip: python3-jsonschema is not installed\n");
	} else {
		assert_int_equal(r.code, 0);
		json_array_foreach(variants, i, one) {
			bool fits = certificate_fits(schema, one, NULL);

			n_valid += fits;
			if (fits != (r.out.text[i] == '1'))
				fail_msg("variant %zu: ours says %d:\n%s", i, fits, json_dumps(one, JSON_INDENT(1)));
		}
		assert_int_equal(r.out.text[0], '1');
		assert_true(n_valid > 50 && i - n_valid > 500);
	}
	run_done(&r);
	free(text);
	json_decref(both);
	json_decref(variants);
	json_decref(schema);
	json_decref(c);
}

static void the_seal_is_what_another_program_computes(void **state)
{
	static const char script[] =
		"import sys, json, hashlib\n"
		"whole = lambda s: int(float(s)) if float(s).is_integer() else float(s)\n"
		"d = json.load(sys.stdin, parse_float=whole)\n"
		"said = d.pop('sha256')\n"
		"text = json.dumps(d, sort_keys=True, separators=(',', ':'), ensure_ascii=False)\n"
		"print(hashlib.sha256(text.encode()).hexdigest() == said)\n";
	json_t *c = failing_example();
	struct run r;
	char *text;

	(void)state;
	put(c, "", "by", "\"M\\u00fcller \\u4e2d \\ud83d\\ude00 \\\"\\\\\\n\\u0001\"");
	seal(c);
	text = json_of(c);
	r = run_program((const char *const[]){ "/usr/bin/env", "python3", "-c", script, NULL }, text);
	if (r.code == 127)
		print_message("skip: python3 is not installed\n");
	else
		assert_string_equal(r.out.text, "True\n");
	run_done(&r);
	free(text);
	json_decref(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_written_as_rfc_8785_has_them),
		cmocka_unit_test(a_sealed_certificate_is_sound_in_whatever_layout),
		cmocka_unit_test(sealing_counts_links_and_tests),
		cmocka_unit_test(every_changed_byte_is_refused),
		cmocka_unit_test(a_file_that_was_cut_is_refused),
		cmocka_unit_test(a_certificate_with_another_value_is_altered_and_not_malformed),
		cmocka_unit_test(what_is_wrong_is_named_by_its_path),
		cmocka_unit_test(what_is_too_long_is_refused),
		cmocka_unit_test(a_verdict_that_its_links_contradict_is_refused),
		cmocka_unit_test(other_files_are_no_certificates),
		cmocka_unit_test(an_independent_validator_of_the_schema_agrees),
		cmocka_unit_test(the_seal_is_what_another_program_computes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
