#include "tests/trials/matrix.h"

#include <stdlib.h>
#include <string.h>

#define CAUSES_MAX	80
#define PROBE_ROWS	100
#define TOLD		5	/* of what was named wrongly */

enum outcome first_outcome(const struct scenario *s, const struct diagnosed *d)
{
	if (d->n_answers == 0)
		return OUTCOME_UNKNOWN;
	for (size_t i = 0; i < s->n_faults; i++)
		if (names_fault(&d->answers[0], &s->faults[i]))
			return OUTCOME_RIGHT;
	return OUTCOME_WRONG;
}

/* Both of a pair are to stand before whatever else is thought of. */
#define NAMED_FIRST	3

bool all_named(const struct scenario *s, const struct diagnosed *d)
{
	size_t n = d->n_answers < NAMED_FIRST ? d->n_answers : NAMED_FIRST;

	for (size_t i = 0; i < s->n_faults; i++) {
		size_t k = 0;

		while (k < n && !names_fault(&d->answers[k], &s->faults[i]))
			k++;
		if (k == n)
			return false;
	}
	return true;
}

void print_wrong(const struct result *r, const struct diagnosed *d, FILE *out)
{
	char *file = scenario_file(&r->scenario);

	fprintf(out, "%s\n", file);
	for (size_t i = 0; i < r->scenario.n_faults; i++)
		fprintf(out, "  expected %s: %s\n", r->scenario.faults[i].kind->cause, r->scenario.faults[i].text);
	for (size_t i = 0; i < d->n_answers && i < TOLD; i++)
		fprintf(out, "  named %zu  %s at %s: %s\n", i + 1, d->answers[i].cause, d->answers[i].where, d->answers[i].why);
	if (d->n_answers == 0)
		fprintf(out, "  nothing named; %u findings%s%s\n", d->n_warned, d->n_warned ? ", one is " : "", d->warned);
	free(file);
}

/* The causes in a list without repetition. */
struct names {
	const char *list[CAUSES_MAX];
	size_t n;
};

static size_t place_of(struct names *names, const char *name)
{
	size_t i = 0;

	while (i < names->n && strcmp(names->list[i], name))
		i++;
	if (i == names->n && names->n < CAUSES_MAX - 1)
		names->list[names->n++] = name;
	return i;
}

static const char *first_of(const struct diagnosed *d)
{
	return d->n_answers ? d->answers[0].cause : "(nothing)";
}

void print_matrix(const struct result *results, size_t n, FILE *out)
{
	static unsigned cells[CAUSES_MAX][CAUSES_MAX];
	struct names names = { .n = 0 };
	size_t n_expected;

	memset(cells, 0, sizeof(cells));
	for (size_t i = 0; i < n; i++)
		place_of(&names, results[i].scenario.faults[0].kind->cause);
	n_expected = names.n;
	for (size_t i = 0; i < n; i++)
		if (results[i].is_judged)
			cells[place_of(&names, results[i].scenario.faults[0].kind->cause)]
			     [place_of(&names, first_of(&results[i].diagnosed))]++;
	fprintf(out, "\nexpected down, named first across\n%-22s", "");
	for (size_t k = 0; k < names.n; k++)
		fprintf(out, "%3zu", k + 1);
	for (size_t i = 0; i < n_expected; i++) {
		fprintf(out, "\n%2zu %-19s", i + 1, names.list[i]);
		for (size_t k = 0; k < names.n; k++)
			cells[i][k] ? fprintf(out, "%3u", cells[i][k]) : fprintf(out, "  .");
	}
	fputc('\n', out);
	for (size_t k = n_expected; k < names.n; k++)
		fprintf(out, "%2zu %s\n", k + 1, names.list[k]);
}

struct rate {
	unsigned right, all;
};

static void count_right(struct rate *rate, const struct result *r)
{
	rate->all++;
	rate->right += r->is_judged && first_outcome(&r->scenario, &r->diagnosed) == OUTCOME_RIGHT;
}

void print_rates(const struct result *results, size_t n, FILE *out)
{
	static const char *const systems[] = { "os10", "sonic", "mixed" };

	fprintf(out, "\n%-22s%-20s %7s %7s %7s %7s\n", "fault", "cause", "right", "os10", "sonic", "mixed");
	for (size_t k = 0; k < breakage_count(); k++) {
		struct rate all = { 0 }, by[3] = { { 0 } };

		for (size_t i = 0; i < n; i++) {
			const struct scenario *s = &results[i].scenario;

			if (s->faults[0].kind != &breakages()[k])
				continue;
			count_right(&all, &results[i]);
			for (size_t j = 0; j < 3; j++)
				if (!strcmp(s->os, systems[j]))
					count_right(&by[j], &results[i]);
		}
		if (all.all == 0)
			continue;
		fprintf(out, "%-22s%-20s %3u/%-3u", breakages()[k].fault, breakages()[k].cause, all.right, all.all);
		for (size_t j = 0; j < 3; j++)
			fprintf(out, " %3u/%-3u", by[j].right, by[j].all);
		fputc('\n', out);
	}
}

void print_without(const struct result *results, size_t n, FILE *out)
{
	static unsigned counts[PROBE_ROWS][3];
	struct names probes = { .n = 0 };

	memset(counts, 0, sizeof(counts));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < results[i].n_without; k++) {
			const struct without *w = &results[i].without[k];

			counts[place_of(&probes, w->probe)][w->outcome]++;
		}
	fprintf(out, "\n%-28s%7s %7s %7s\n", "without the probe", "right", "unknown", "wrong");
	for (size_t i = 0; i < probes.n; i++)
		fprintf(out, "%-28s%7u %7u %7u\n", probes.list[i], counts[i][OUTCOME_RIGHT], counts[i][OUTCOME_UNKNOWN],
			counts[i][OUTCOME_WRONG]);
}
