/*
 * Replies as other releases, other tools and worse lines print them: what is known may become unknown, and nothing may
 * be told otherwise. MUTANTS=N makes N times as many; MUTANT="NAME OPERATOR NUMBER", as a wrong one prints it, makes
 * that one alone and shows it.
 */
#include "tests/mutants/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"

#define TIMES	      3 /* without MUTANTS */
#define OPERATORS_MAX 64
#define PROBES_MAX 96
#define SHOWN_MAX 24 /* wrong mutants of a probe and an operator that are told one by one */

struct tally {
	unsigned made, wrong, facts, lost;
};

struct row {
	const struct platform *platform;
	const struct probe *probe;
	struct tally of[OPERATORS_MAX];
};

struct table {
	struct row rows[PROBES_MAX];
	size_t n;
	unsigned excused[64];
	uint64_t *hashes;	/* owned; one of each mutant: some are made twice, where a reply has few places */
	size_t n_hashes, cap_hashes;
};

static struct row *row_of(struct table *t, const struct reply_text *r)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].probe == r->probe)
			return &t->rows[i];
	assert_true(t->n < PROBES_MAX);
	t->rows[t->n] = (struct row){ .platform = r->platform, .probe = r->probe };
	return &t->rows[t->n++];
}

static uint64_t seed_of(const char *reply, const char *operator, unsigned number)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) + number * UINT64_C(0x9e3779b97f4a7c15);

	for (const char *p = reply; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	for (const char *p = operator; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

static bool make(struct mutant *m, const struct reply_text *r, const struct operator* op, unsigned number)
{
	*m = (struct mutant){ .of = r, .status = r->status, .draw = seed_of(r->name, op->name, number) };
	draw_below(m, 2);
	if (op->apply(m) && !(m->text.n == r->n && memcmp(m->text.text, r->text, r->n) == 0))
		return true;
	buf_done(&m->text);
	buf_done(&m->rival);
	return false;
}

static uint64_t hash_of(const struct mutant *m)
{
	uint64_t hash = seed_of(m->of->name, m->is_partial ? "cut" : "", (unsigned)m->status);

	for (size_t i = 0; i < m->text.n; i++)
		hash = (hash ^ (unsigned char)m->text.text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void one(struct table *t, const struct reply_text *r, const struct told *original, const struct operator* op,
		unsigned number, bool is_shown)
{
	struct tally *tally = &row_of(t, r)->of[op - operator_table];
	struct verdict v = { 0 };
	struct mutant m;

	if (!make(&m, r, op, number))
		return;
	judge(op, &m, original, &v);
	tally->made++;
	*GROW(t->hashes, t->n_hashes, t->cap_hashes) = hash_of(&m);
	t->n_hashes++;
	tally->lost += v.lost;
	tally->facts += v.wrong;
	t->excused[v.excused]++;
	if (v.wrong && tally->wrong++ < SHOWN_MAX) {
		printf("wrong: MUTANT=\"%s %s %u\"", r->name, op->name, number);
		if (*m.new)
			printf("  \"%s\" -> \"%s\"", m.old, m.new);
		printf("\n%s", v.text.text);
	}
	if (is_shown)
		printf("== %s %s %u\n%.*s==\n", r->name, op->name, number, (int)m.text.n,
		       m.text.text ? m.text.text : "");
	buf_done(&v.text);
	buf_done(&m.text);
	buf_done(&m.rival);
}

static void all_of(struct table *t, const struct reply_text *r, unsigned times, const char *only)
{
	struct told original;

	told_parse(&original, r, (struct span){ r->text, r->n }, r->status, false);
	for (size_t i = 0; i < operator_count; i++) {
		unsigned n = operator_table[i].each ? operator_table[i].each * times : 1;

		if (only && strcmp(only, operator_table[i].name) != 0)
			continue;
		for (unsigned k = 0; k < n; k++)
			one(t, r, &original, &operator_table[i], k, false);
	}
	told_done(&original);
}

static bool one_alone(const struct replies *replies, struct table *t, const char *which)
{
	char name[256], operator[64];
	unsigned number;

	if (sscanf(which, "%255s %63s %u", name, operator, & number) != 3)
		fail_msg("MUTANT: NAME OPERATOR NUMBER, not \"%s\"", which);
	for (size_t i = 0; i < replies->n; i++)
		for (size_t k = 0; k < operator_count && strcmp(replies->list[i].name, name) == 0; k++) {
			struct told original;

			if (strcmp(operator_table[k].name, operator) != 0)
				continue;
			told_parse(&original, &replies->list[i],
				   (struct span){ replies->list[i].text, replies->list[i].n }, replies->list[i].status,
				   false);
			one(t, &replies->list[i], &original, &operator_table[k], number, true);
			told_done(&original);
			return true;
		}
	return false;
}

static void add_tally(struct tally *to, const struct tally *t)
{
	to->made += t->made;
	to->wrong += t->wrong;
	to->facts += t->facts;
	to->lost += t->lost;
}

static int by_hash(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t count_different(struct table *t)
{
	size_t n = 0;

	if (t->n_hashes)
		qsort(t->hashes, t->n_hashes, sizeof(*t->hashes), by_hash);
	for (size_t i = 0; i < t->n_hashes; i++)
		n += i == 0 || t->hashes[i] != t->hashes[i - 1];
	return n;
}

static struct tally print_table(const struct table *t)
{
	struct tally all = { 0 };

	printf("%-24s %8s %6s %8s %8s\n", "probe", "mutants", "wrong", "facts", "lost");
	for (size_t i = 0; i < t->n; i++) {
		struct tally sum = { 0 };
		char name[64];

		for (size_t k = 0; k < operator_count; k++)
			add_tally(&sum, &t->rows[i].of[k]);
		add_tally(&all, &sum);
		snprintf(name, sizeof(name), "%s %s", t->rows[i].platform->id, t->rows[i].probe->id);
		printf("%-24s %8u %6u %8u %8u", name, sum.made, sum.wrong, sum.facts, sum.lost);
		for (size_t k = 0; k < operator_count; k++)
			if (t->rows[i].of[k].wrong)
				printf("  %s %u/%u", operator_table[k].name, t->rows[i].of[k].wrong,
				       t->rows[i].of[k].made);
		printf("\n");
	}
	printf("%-24s %8s %6s %8s %8s\n", "operator", "mutants", "wrong", "facts", "lost");
	for (size_t k = 0; k < operator_count; k++) {
		struct tally sum = { 0 };

		for (size_t i = 0; i < t->n; i++)
			add_tally(&sum, &t->rows[i].of[k]);
		printf("%-24s %8u %6u %8u %8u  %s\n", operator_table[k].name, sum.made, sum.wrong, sum.facts, sum.lost,
		       operator_table[k].seen);
	}
	return all;
}

static void print_excuses(const struct table *t)
{
	for (size_t i = 0; i < excuse_count; i++)
		printf("not held against %s, %s, %s (%u mutants): %s\n", excuse_table[i].probe ? excuse_table[i].probe : "any probe",
		       excuse_table[i].operator ? excuse_table[i].operator : "any operator",
		       excuse_table[i].field == FIELD_COUNT ? "any field" : field_table[excuse_table[i].field].name, t->excused[i + 1],
		       excuse_table[i].why);
}

static void what_has_not_changed_is_told_as_before_or_not_at_all(void **state)
{
	const char *times = getenv("MUTANTS"), *which = getenv("MUTANT"), *probe = getenv("MUTANTS_OF"),
		   *only = getenv("MUTANTS_BY");
	static struct table table;
	struct replies replies;
	struct tally all;

	(void)state;
	replies_read(&replies);
	if (!replies.has_captures)
		printf("skip: no captures of real devices beside this tree: the fixtures alone\n");
	if (which && !one_alone(&replies, &table, which))
		fail_msg("no such reply or operator: %s", which);
	for (size_t i = 0; i < replies.n && !which; i++)
		if (!probe || strcmp(probe, replies.list[i].probe->id) == 0)
			all_of(&table, &replies.list[i], times ? (unsigned)atoi(times) : TIMES, only);
	all = print_table(&table);
	print_excuses(&table);
	replies_done(&replies);
	printf("%u mutants of %zu replies, %zu different: %u wrong, %u facts told wrongly, %u lost\n", all.made, replies.n,
	       count_different(&table), all.wrong, all.facts, all.lost);
	free(table.hashes);
	assert_int_equal(all.wrong, 0);
}

static void operators_have_names_and_sources(void **state)
{
	(void)state;
	assert_true(operator_count <= OPERATORS_MAX);
	for (size_t i = 0; i < operator_count; i++) {
		assert_true(operator_table[i].apply && *operator_table[i].seen);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(operator_table[i].name, operator_table[k].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_have_names_and_sources),
		cmocka_unit_test(what_has_not_changed_is_told_as_before_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
