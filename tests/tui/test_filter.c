/* The filter language: what a row is asked, what is said of a bad term, and that a hostile one cannot hold the console. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/lib/say.h"
#include "tui/text/filter.h"

/* A row of "name=value" words; names here begin in a way that numbers can be told. */
static const char *const names[] = { "link", "trust", "mtu", "paused", "paused_share", "age", "age_ms", "what", "is:bad", NULL };

static void text_of(const void *ctx, const void *row, struct buf *out)
{
	(void)ctx;
	buf_str(out, row);
}

/* "link=a|trust=b": what stands after "name=" up to "|". */
static bool field_of(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number)
{
	struct span rest = span_of(row), item, key, value;
	char *end;

	(void)ctx;
	while (rest.n) {
		if (!span_cut(rest, '|', &item, &rest)) {
			item = rest;
			rest = (struct span){ .n = 0 };
		}
		if (!span_cut(item, '=', &key, &value) || !span_same(key, name))
			continue;
		buf_add(text, value.p, value.n);
		*number = strtod(text->text, &end);
		*is_number = end != text->text;
		return true;
	}
	return false;
}

static struct filter *filter_of(const char *text)
{
	struct err err = { .text = "" };
	struct filter *f = filter_new(text, names, &err);

	if (!f)
		fail_msg("%s: %s", text, err.text);
	return f;
}

static bool holds(const char *text, const char *row)
{
	struct filter_row r = { .row = row, .text = text_of, .field = field_of };
	struct filter *f = filter_of(text);
	bool result = filter_match(f, &r);

	filter_free(f);
	return result;
}

static void assert_refused(const char *text, const char *because)
{
	struct err err = { .text = "" };
	struct filter *f = filter_new(text, names, &err);

	if (f)
		fail_msg("%s is taken", text);
	if (!strstr(err.text, because))
		fail_msg("%s: \"%s\" lacks \"%s\"", text, err.text, because);
}

static const char *const row = "link=node07:eth2 - leaf2:Ethernet40|trust=pcp|mtu=9000|paused=12.5|paused_share=0.125|age=94|"
			       "age_ms=94000|what=the switch is on = off|is:bad=1";

static void words_are_held_and_not_held_whatever_their_case(void **state)
{
	(void)state;
	assert_true(holds("LEAF2 node07", row));
	assert_false(holds("leaf2 node08", row));
	assert_true(holds("!node08", row));
	assert_false(holds("!node07", row));
	assert_true(holds("node07:eth2", row));
	assert_true(holds("", row));
}

static void quotes_keep_blanks_and_signs_together(void **state)
{
	(void)state;
	assert_true(holds("\"on = off\"", row));
	assert_false(holds("\"off = on\"", row));
	assert_true(holds("what:\"switch is\"", row));
	assert_true(holds("!what:\"switch was\"", row));
	assert_true(holds("\"mtu=9000\"", row));
	assert_false(holds("\"mtu>5\"", row));
	assert_true(holds("\"on = of", row));	/* still being typed */
}

static void a_field_holds_or_is_equal_to_a_value(void **state)
{
	(void)state;
	assert_true(holds("trust:pc", row));
	assert_false(holds("trust=pc", row));
	assert_true(holds("trust=PCP", row));
	assert_true(holds("mtu=9k", row));
	assert_false(holds("mtu=9", row));
	assert_false(holds("!trust=pcp", row));
}

static void numbers_are_compared_in_units_of_ten_time_and_share(void **state)
{
	(void)state;
	assert_true(holds("mtu>8.9k mtu<9.1k mtu>=9000 mtu<=9k", row));
	assert_false(holds("mtu>9000", row));
	assert_true(holds("age>=94s age<2m age>0.02h", row));
	assert_true(holds("age_ms>94k age_ms<2m", row) == false);
	assert_true(holds("age_ms>93s age_ms<95s age_ms>90000", row));
	assert_true(holds("paused>12% paused<13%", row));
	assert_true(holds("paused_share>12% paused_share<13% paused_share>0.12", row));
}

static void what_is_not_known_is_neither_more_nor_less(void **state)
{
	(void)state;
	assert_false(holds("mtu>0", "mtu=?"));
	assert_false(holds("mtu<=100k", "mtu=?"));
	assert_false(holds("mtu=0", "mtu=?"));
	assert_false(holds("mtu>=0", "link=x"));
	assert_true(holds("mtu:?", "mtu=?"));
}

static void a_row_can_be_asked_what_it_is(void **state)
{
	(void)state;
	assert_true(holds("is:bad", row));
	assert_false(holds("!is:bad", row));
	assert_false(holds("is:bad", "is:bad=0"));
	assert_false(holds("is:bad", "link=x"));
	assert_refused("trst:dscp", "no field of that name");
	assert_refused("is:good", "is:good");
	assert_refused("is:good", "is:bad");
}

static void a_bad_term_is_named_with_what_would_do(void **state)
{
	(void)state;
	assert_refused("leaf2 weight>5", "weight>5");
	assert_refused("leaf2 weight>5", "mtu");
	assert_refused("mtu>", "mtu>");
	assert_refused("mtu>many", "a number");
	assert_refused("mtu>5x", "a number");
	assert_refused("~(a", "~(a");
	assert_refused("a b c d e f g h i j k l m n o p q", "\"q\"");
	assert_true(holds("26>3", "dscp 26>3"));	/* no field begins with a digit */
}

static void an_expression_is_matched_and_a_hostile_one_refused(void **state)
{
	(void)state;
	assert_true(holds("~node0[67].*leaf[0-9]", row));
	assert_false(holds("~^leaf", row));
	assert_true(holds("!~^leaf", row));
	assert_true(holds("~[0-9]{1,3}:eth[0-9]{1,2}", row));
	assert_refused("~(a*)*\\1", "~(a*)*\\1");
	assert_refused("~((a{100}){100}){100}", "~((a{100})");
	assert_refused("~a{1,99999999999999999999}", "{");
	assert_true(holds("~a\\{9999", "a{9999"));
}

/* A thousand rows of the worst text for the worst expressions that are let through, in the time of a few frames. */
static void no_expression_takes_long_over_a_thousand_rows(void **state)
{
	static const char *const worst[] = {
		"~(.*a){16}b", "~(a?){10}(a?){10}", "~((a|aa)+)+$", "~(a|a)*(a|a)*(a|a)*(a|a)*c", "~(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x",
		"~(a*a*a*a*a*a*a*a*a*a*)*y", "~([a-z]{1,10}){1,10}9", "~.{1,10}.{1,10}z",
		"~.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*a.*b", "~(.*a){100}b",
	};
	static char text[4096];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	for (size_t i = 0; i < sizeof(worst) / sizeof(*worst); i++) {
		struct filter_row r = { .row = text, .text = text_of, .field = field_of };
		clock_t begun = clock();
		struct filter *f = filter_of(worst[i]);
		double took;

		for (int n = 0; n < 1000; n++)
			filter_match(f, &r);
		took = (double)(clock() - begun) / CLOCKS_PER_SEC;
		filter_free(f);
		if (took > 5)	/* some tenths, were the machine ours */
			fail_msg("%s: %.3f s", worst[i], took);
	}
}

static void any_bytes_are_a_filter_or_are_refused(void **state)
{
	static const char alphabet[] = "a\"!~:<>=(){}[]\\*+?.%019kmMs \t\xff\xc3";
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct filter_row r = { .row = row, .text = text_of, .field = field_of };
		char text[24];
		size_t n = (size_t)rand_r(&seed) % sizeof(text);
		struct filter *f;
		struct err err;

		for (size_t k = 0; k < n; k++)
			text[k] = alphabet[(size_t)rand_r(&seed) % (sizeof(alphabet) - 1)];
		text[n ? n - 1 : 0] = '\0';
		f = filter_new(text, names, &err);
		filter_match(f, &r);
		filter_free(f);
	}
}

static void assert_completes(const char *text, const char *to, const char *others)
{
	struct buf out = { 0 }, more = { 0 };

	assert_true(filter_complete(text, names, &out, &more));
	assert_string_equal(out.text, to);
	assert_string_equal(more.n ? more.text : "", others);
	buf_done(&out);
	buf_done(&more);
}

static void a_name_is_completed_as_far_as_it_is_the_only_one(void **state)
{
	struct buf out = { 0 }, more = { 0 };

	(void)state;
	assert_completes("tr", "trust:", "");
	assert_completes("leaf2 !tr", "leaf2 !trust:", "");
	assert_completes("pa", "paused", "paused paused_share");
	assert_completes("i", "is:bad", "");
	assert_false(filter_complete("trust:p", names, &out, &more));
	assert_false(filter_complete("zz", names, &out, &more));
	assert_completes("", "", "link trust mtu paused paused_share age age_ms what is:bad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_held_and_not_held_whatever_their_case),
		cmocka_unit_test(quotes_keep_blanks_and_signs_together),
		cmocka_unit_test(a_field_holds_or_is_equal_to_a_value),
		cmocka_unit_test(numbers_are_compared_in_units_of_ten_time_and_share),
		cmocka_unit_test(what_is_not_known_is_neither_more_nor_less),
		cmocka_unit_test(a_row_can_be_asked_what_it_is),
		cmocka_unit_test(a_bad_term_is_named_with_what_would_do),
		cmocka_unit_test(an_expression_is_matched_and_a_hostile_one_refused),
		cmocka_unit_test(no_expression_takes_long_over_a_thousand_rows),
		cmocka_unit_test(any_bytes_are_a_filter_or_are_refused),
		cmocka_unit_test(a_name_is_completed_as_far_as_it_is_the_only_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
