/* The list: what a person made of it stays theirs, and the rows stand as they asked. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/screen.h"
#include "tests/lib/say.h"

struct fruit {
	const char *name, *colour;
	int price;		/* -1: not known */
};

static const struct fruit fruits[] = {
	{ "plum", "blue", 3 }, { "apple", "red", 2 }, { "kiwi", "green", -1 }, { "cherry", "red", 9 }, { "lime", "green", 2 },
};
#define FRUITS (sizeof(fruits) / sizeof(*fruits))

enum { NAME, COLOUR, PRICE, NOTE, WIDE };

static const struct column columns[] = {
	[NAME]	 = { .name = "name", .title = "NAME", .width = 8, .grow = 1 },
	[COLOUR] = { .name = "colour", .title = "COLOUR", .width = 8, .priority = 1 },
	[PRICE]	 = { .name = "price", .title = "PRICE", .width = 8, .priority = 2, .right = true, .big_first = true },
	[NOTE]	 = { .name = "note", .title = "NOTE", .width = 10, .priority = 3 },
	[WIDE]	 = { .name = "wide", .title = "WIDE", .width = 8, .priority = 4, .from_cols = 100 },
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static uint64_t key(const void *ctx, size_t row)
{
	(void)ctx;
	return table_key(fruits[row].name);
}

static void cell(const void *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct fruit *f = &fruits[row];

	(void)ctx;
	switch (column) {
	case NAME:
		snprintf(out->text, sizeof(out->text), "%s", f->name);
		break;
	case COLOUR:
		snprintf(out->text, sizeof(out->text), "%s", f->colour);
		break;
	case PRICE:
		out->is_number = f->price >= 0;
		out->number = f->price;
		snprintf(out->text, sizeof(out->text), f->price < 0 ? "?" : "%d", f->price);
		break;
	default:
		snprintf(out->text, sizeof(out->text), "n%zu", row);
		break;
	}
}

static struct table_source source(void)
{
	static uint64_t serial;

	return (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = FRUITS, .key = key, .cell = cell,
				      .serial = ++serial, .empty = "no fruit" };
}

/* Names of the rows as they stand. */
static const char *rows(struct table *t)
{
	struct table_source s = source();
	static char text[256];
	size_t n = 0;

	text[0] = '\0';
	table_update(t, &s);
	for (size_t i = 0; i < t->n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "", fruits[t->order[i]].name);
	return text;
}

static const char *heading(const struct table *t, int cols)
{
	static char text[256];
	struct layout l;
	size_t n = 0;

	text[0] = '\0';
	columns_lay_out(&t->columns, columns, COLUMNS, 2, cols, &l);
	for (size_t i = 0; i < l.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s%s", i ? " " : "", columns[l.column[i]].name,
				      i + 1 == l.n_frozen ? "|" : "");
	return text;
}

static void look_for(struct table *t, const char *text)
{
	struct table_source s = source();
	const char **names = table_names(&s);
	struct err err;
	struct filter *f = filter_new(text, names, &err);

	if (!f)
		fail_msg("%s", err.text);
	table_filter(t, f);
	free(names);
}

static void restore(struct table *t, const char *text)
{
	struct table_source s = source();

	table_restore(t, &s, span_of(text));
}

static void rows_alike_by_one_column_stand_by_the_column_sorted_by_before(void **state)
{
	struct table t = { 0 };

	(void)state;
	table_sort_by(&t, NAME);
	table_sort_by(&t, COLOUR);
	assert_string_equal(rows(&t), "plum kiwi lime apple cherry");
	table_sort_by(&t, PRICE);
	assert_string_equal(rows(&t), "cherry plum lime apple kiwi");	/* lime before apple: green before red */
	table_invert(&t);
	assert_string_equal(rows(&t), "lime apple plum cherry kiwi");	/* what is not known is last either way */
	table_done(&t);
}

static void columns_give_way_by_priority_and_a_wide_screen_shows_more(void **state)
{
	struct table t = { 0 };

	(void)state;
	assert_string_equal(heading(&t, 20), "name| colour");
	assert_string_equal(heading(&t, 29), "name| colour price");
	assert_string_equal(heading(&t, 99), "name| colour price note");
	assert_string_equal(heading(&t, 100), "name| colour price note wide");
	assert_string_equal(heading(&t, 6), "name|");
	table_done(&t);
}

static void a_column_that_a_person_asked_for_goes_last(void **state)
{
	struct table t = { 0 };

	(void)state;
	columns_settle(&t.columns, COLUMNS);
	columns_toggle(&t.columns, NOTE, false);
	columns_toggle(&t.columns, COLOUR, true);
	assert_string_equal(heading(&t, 22), "name| note");
	assert_int_equal(columns_shift(&t.columns, NOTE, -1), PRICE);
	assert_string_equal(heading(&t, 40), "name| note price");
	table_done(&t);
}

static void frozen_columns_stay_when_the_others_are_panned(void **state)
{
	struct table_source s = source();
	struct table t = { 0 };

	(void)state;
	table_pan(&t, &s, 1);
	assert_string_equal(heading(&t, 30), "name| price note");
	table_pan(&t, &s, -1);
	table_freeze(&t, &s);
	assert_string_equal(heading(&t, 30), "name colour| price");
	table_pan(&t, &s, 1);
	assert_string_equal(heading(&t, 30), "name colour| note");
	for (int i = 0; i < 20; i++)
		table_pan(&t, &s, 1);
	assert_string_equal(heading(&t, 30), "name colour| wide");
	table_freeze(&t, &s);
	assert_string_equal(heading(&t, 29), "name| colour price");
	table_done(&t);
}

static void what_was_made_of_a_list_comes_back_from_its_line(void **state)
{
	struct table_source s = source();
	struct table t = { 0 }, again = { 0 };
	struct buf line = { 0 }, line_again = { 0 };

	(void)state;
	table_sort_by(&t, NAME);
	table_sort_by(&t, PRICE);
	table_invert(&t);
	look_for(&t, "!plum  price<10 100%");
	columns_settle(&t.columns, COLUMNS);
	columns_toggle(&t.columns, NOTE, false);
	columns_toggle(&t.columns, COLOUR, true);
	columns_shift(&t.columns, NOTE, -1);
	t.columns.frozen = 2;
	table_follow(&t);
	table_update(&t, &s);
	table_filter(&t, NULL);
	table_update(&t, &s);
	table_mark(&t, &s);
	look_for(&t, "!plum  price<10");
	table_save(&t, &s, &line);
	assert_string_equal(line.text, "table sort=-price,name columns=name,-colour,+note,price,wide frozen=2 cursor=fixed "
			    "filter=!plum%20%20price<10 marks=f1968b31237b4831");
	restore(&again, line.text);
	table_save(&again, &s, &line_again);
	assert_string_equal(line_again.text, line.text);
	assert_string_equal(rows(&again), rows(&t));
	buf_done(&line);
	buf_done(&line_again);
	table_done(&t);
	table_done(&again);
}

static void a_line_of_another_version_is_taken_as_far_as_it_is_understood(void **state)
{
	struct table t = { 0 };

	(void)state;
	restore(&t, "table sort=weight,-price,spark columns=gone,price,-note,price frozen=999999 filter=nofield>3 colour=red");
	assert_string_equal(rows(&t), "apple lime plum cherry kiwi");
	assert_string_equal(heading(&t, 80), "price name colour");
	assert_null(t.filter);
	restore(&t, "filter=red%2");
	assert_string_equal(filter_text(t.filter), "red%2");
	restore(&t, "filter=red");
	assert_string_equal(rows(&t), "apple cherry");
	table_done(&t);
}

static void a_damaged_line_does_no_harm(void **state)
{
	const char *good = "table sort=-price,name columns=name,-colour,+note,price,wide frozen=2 filter=~a%20(b marks=1f,2e,0,zz";
	char line[128];
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct table t = { 0 };
		size_t n = (size_t)snprintf(line, sizeof(line), "%s", good);

		for (int i = 0; i < 4; i++)
			line[rand_r(&seed) % n] = (char)(rand_r(&seed) % 256);
		line[rand_r(&seed) % (n + 1)] = '\0';
		restore(&t, line);
		rows(&t);
		heading(&t, 60);
		table_done(&t);
	}
}

static void the_cursor_follows_its_row_or_stays_at_its_place(void **state)
{
	struct table_source s = source();
	struct table t = { 0 };
	size_t row;

	(void)state;
	table_update(&t, &s);
	table_move(&t, &s, 1);
	table_sort_by(&t, NAME);
	s = source();
	table_update(&t, &s);
	assert_true(table_cursor(&t, &row));
	assert_string_equal(fruits[row].name, "apple");
	table_follow(&t);
	table_invert(&t);
	s = source();
	table_update(&t, &s);
	assert_true(table_cursor(&t, &row));
	assert_string_equal(fruits[row].name, "plum");
	table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_alike_by_one_column_stand_by_the_column_sorted_by_before),
		cmocka_unit_test(columns_give_way_by_priority_and_a_wide_screen_shows_more),
		cmocka_unit_test(a_column_that_a_person_asked_for_goes_last),
		cmocka_unit_test(frozen_columns_stay_when_the_others_are_panned),
		cmocka_unit_test(what_was_made_of_a_list_comes_back_from_its_line),
		cmocka_unit_test(a_line_of_another_version_is_taken_as_far_as_it_is_understood),
		cmocka_unit_test(a_damaged_line_does_no_harm),
		cmocka_unit_test(the_cursor_follows_its_row_or_stays_at_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
