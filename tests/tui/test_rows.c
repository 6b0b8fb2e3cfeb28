/* Rows of a list written down: what was shown is there, what is not known stays so, and nobody's text breaks the form. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"
#include "tui/widgets/rows.h"

static const struct column columns[] = {
	{ .name = "severity", .title = "S", .width = 1 },
	{ .name = "link", .title = "LINK", .width = 10 },
	{ .name = "paused", .title = "PAUSED", .width = 6, .right = true },
	{ .name = "spark", .title = "LAST MIN", .width = 8, .is_spark = true },
	{ .name = "note", .title = "NOTE", .width = 8 },
};

struct line {
	const char *link, *note;
	double paused;		/* NAN: nobody knows */
	enum verdict worst;
};

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	static const float samples[] = { 0.0f, NAN, 2.5f };
	const struct line *l = (const struct line *)ctx + row;

	switch (column) {
	case 0:
		snprintf(out->text, sizeof(out->text), "%s", verdict_sign(l->worst));
		out->is_number = true;
		out->number = l->worst;
		break;
	case 1:
		snprintf(out->text, sizeof(out->text), "%s", l->link);
		break;
	case 2:
		out->is_number = !isnan(l->paused);
		out->number = l->paused;
		snprintf(out->text, sizeof(out->text), out->is_number ? "%.0f%%" : "?", l->paused);
		break;
	case 3:
		out->spark = samples;
		out->n_spark = 3;
		break;
	case 4:
		snprintf(out->text, sizeof(out->text), "%s", l->note);
		break;
	}
}

static uint64_t key(const void *ctx, size_t row)
{
	return table_key(((const struct line *)ctx)[row].link);
}

static const struct line lines[] = {
	{ "node1:eth2", "", 41, VERDICT_FAIL },
	{ "node2:eth2", "=cmd|'/c calc'!A1", NAN, VERDICT_OK },
	{ "node3:eth2", "a|b \"c\"\033[2J\nd", 0, VERDICT_UNKNOWN },
};

static const struct table_source source = { .columns = columns, .n_columns = 5, .n_rows = 3, .ctx = lines, .key = key,
					    .cell = cell, .serial = 1, .empty = "" };

static char *written(struct table *t, enum rows_which which, enum rows_as as)
{
	struct rows r = { t, &source, which, false };
	struct buf out = { 0 };

	rows_write(&r, as, &out);
	return out.text ? out.text : xstrdup("");
}

static void assert_written(struct table *t, enum rows_which which, enum rows_as as, const char *want)
{
	char *text = written(t, which, as);

	assert_string_equal(text, want);
	free(text);
}

static void text_stands_in_columns(void **state)
{
	(void)state;
	assert_written(NULL, ROWS_SHOWN, ROWS_TEXT,
		       "S        LINK        PAUSED  NOTE\n"
		       "fail     node1:eth2     41%\n"
		       "ok       node2:eth2       ?  =cmd|'/c calc'!A1\n"
		       "unknown  node3:eth2      0%  a|b \"c\"\\x1b[2J\\x0ad\n");
}

static void words_name_each_value_and_say_what_is_not_known(void **state)
{
	(void)state;
	assert_written(NULL, ROWS_SHOWN, ROWS_WORDS,
		       "severity: fail; link: node1:eth2; paused: 41%\n"
		       "severity: ok; link: node2:eth2; paused: not known; note: =cmd|'/c calc'!A1\n"
		       "severity: unknown; link: node3:eth2; paused: 0%; note: a|b \"c\"\\x1b[2J\\x0ad\n");
}

static void in_csv_a_number_is_bare_and_a_formula_does_not_run(void **state)
{
	(void)state;
	assert_written(NULL, ROWS_SHOWN, ROWS_CSV,
		       "severity,link,paused,note\n"
		       "\"fail\",\"node1:eth2\",41,\"\"\n"
		       "\"ok\",\"node2:eth2\",\"\",\"'=cmd|'/c calc'!A1\"\n"
		       "\"unknown\",\"node3:eth2\",0,\"a|b \"\"c\"\"\\x1b[2J\\x0ad\"\n");
}

static void in_markdown_no_text_leaves_its_cell(void **state)
{
	(void)state;
	assert_written(NULL, ROWS_SHOWN, ROWS_MARKDOWN,
		       "| severity | link | paused | note |\n|---|---|--:|---|\n"
		       "| fail | node1:eth2 | 41% |  |\n"
		       "| ok | node2:eth2 | ? | =cmd\\|'/c calc'!A1 |\n"
		       "| unknown | node3:eth2 | 0% | a\\|b \"c\"\\\\x1b\\[2J\\\\x0ad |\n");
}

static void in_json_numbers_are_numbers_and_unknown_is_null(void **state)
{
	struct rows r = { NULL, &source, ROWS_SHOWN, false };
	json_t *rows = rows_json(&r), *first = json_array_get(rows, 0), *second = json_array_get(rows, 1);

	(void)state;
	assert_int_equal(json_array_size(rows), 3);
	assert_int_equal(json_integer_value(json_object_get(first, "paused")), 41);
	assert_string_equal(json_string_value(json_object_get(first, "severity")), "fail");
	assert_true(json_is_null(json_object_get(second, "paused")));
	assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 2), "paused")), 0);
	assert_true(json_is_null(json_array_get(json_object_get(first, "spark"), 1)));
	assert_true(json_real_value(json_array_get(json_object_get(first, "spark"), 2)) > 2.4);
	json_decref(rows);
}

static void a_filtered_and_turned_list_is_written_as_it_is_shown(void **state)
{
	const char **names = table_names(&source);
	struct table t = { 0 };
	struct err err;

	(void)state;
	table_filter(&t, filter_new("!node2", names, &err));
	table_invert(&t);
	assert_written(&t, ROWS_SHOWN, ROWS_WORDS,
		       "severity: unknown; link: node3:eth2; paused: 0%; note: a|b \"c\"\\x1b[2J\\x0ad\n"
		       "severity: fail; link: node1:eth2; paused: 41%\n");
	table_done(&t);
	free(names);
}

static void the_row_under_the_cursor_is_meant_until_some_are_marked(void **state)
{
	struct table t = { 0 };

	(void)state;
	table_update(&t, &source);
	assert_int_equal(rows_meant(&t), ROWS_CURSOR);
	assert_written(&t, rows_meant(&t), ROWS_WORDS, "severity: fail; link: node1:eth2; paused: 41%\n");
	table_move(&t, &source, 1);
	table_mark(&t, &source);
	assert_int_equal(rows_meant(&t), ROWS_MARKED);
	table_move(&t, &source, 1);
	assert_written(&t, rows_meant(&t), ROWS_WORDS,
		       "severity: ok; link: node2:eth2; paused: not known; note: =cmd|'/c calc'!A1\n");
	table_done(&t);
}

static void a_column_that_was_hidden_stays_so_and_the_others_stand_as_they_were_put(void **state)
{
	struct table t = { 0 };

	(void)state;
	columns_settle(&t.columns, 5);
	columns_toggle(&t.columns, 0, true);
	columns_shift(&t.columns, 2, -1);
	assert_written(&t, ROWS_CURSOR, ROWS_WORDS, "paused: 41%; link: node1:eth2\n");
	table_done(&t);
}

static void an_empty_list_has_a_heading_and_no_row(void **state)
{
	struct table_source none = source;
	struct table t = { 0 };
	struct rows r = { &t, &none, ROWS_SHOWN, false };
	struct buf out = { 0 };

	(void)state;
	none.n_rows = 0;
	assert_int_equal(rows_write(&r, ROWS_CSV, &out), 0);
	assert_string_equal(out.text, "severity,link,paused,note\n");
	buf_clear(&out);
	assert_int_equal(rows_write(&r, ROWS_TEXT, &out), 0);
	assert_string_equal(out.text, "S  LINK  PAUSED  NOTE\n");
	buf_done(&out);
	table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stands_in_columns),
		cmocka_unit_test(words_name_each_value_and_say_what_is_not_known),
		cmocka_unit_test(in_csv_a_number_is_bare_and_a_formula_does_not_run),
		cmocka_unit_test(in_markdown_no_text_leaves_its_cell),
		cmocka_unit_test(in_json_numbers_are_numbers_and_unknown_is_null),
		cmocka_unit_test(a_filtered_and_turned_list_is_written_as_it_is_shown),
		cmocka_unit_test(the_row_under_the_cursor_is_meant_until_some_are_marked),
		cmocka_unit_test(a_column_that_was_hidden_stays_so_and_the_others_stand_as_they_were_put),
		cmocka_unit_test(an_empty_list_has_a_heading_and_no_row),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
