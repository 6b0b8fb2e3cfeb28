#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/trials/plain_lines.h"

static void compare_worst(struct moment *m, const struct screen_lines *s)
{
	const char *title = line_with(s, "Worst links: ");
	double n = title ? atof(strstr(title, ": ") + 2) : NAN, waiting = 0;
	json_t *link;
	size_t i;

	json_array_foreach(rows_of(m->ports), i, link) {
		const char *name = text_of(link, "link"), *line;
		char begin[256];

		waiting += number_of(link, "paused_share") > 0;
		snprintf(begin, sizeof(begin), "%s: ", name);
		line = line_with(s, begin);
		if (line)
			same_figure(m, "the share stopped", name, line + strlen(begin) + strspn(line + strlen(begin), " "), "ports",
				    number_of(link, "paused_share") * 100);
	}
	m->count->statements++;
	if (!isnan(n) && n < waiting)
		differ(m, "links that wait", "Overview", title, "ports has more");
	if (waiting && line_with(s, "No loss and no pause"))
		differ(m, "links that wait", "Overview", "No loss and no pause", "ports has one");
}

static void compare_roots(struct moment *m, const struct screen_lines *s)
{
	const char *title = line_with(s, "Pause trees: ");
	json_t *root;
	size_t i, k;

	if (!title)
		return;
	same_number(m, "roots of pause", "Overview", "the screen", before(title, " root"), "pauses",
		    (double)json_array_size(rows_of(m->pauses)));
	json_array_foreach(rows_of(m->pauses), i, root) {
		bool is_said = false;

		for (k = 0; k < s->n; k++)
			is_said = is_said || strstr(s->list[k], text_of(root, "what"));
		m->count->statements++;
		if (!is_said && i < 2)
			differ(m, "a root of pause", text_of(root, "at"), "Overview does not say it", text_of(root, "what"));
	}
}

/* Summed over all ports, of what the cells tell as known. */
static double sum_of(const struct moment *m, const char *field)
{
	double sum = NAN;
	json_t *cell;
	size_t i;

	json_array_foreach(rows_of(m->cells), i, cell)
		if (!strcmp(text_of(cell, "field"), field) && !isnan(number_of(cell, "rate_per_s")))
			sum = (isnan(sum) ? 0 : sum) + number_of(cell, "rate_per_s");
	return sum;
}

/* How long the recording had gone on. */
static double recorded_s(const struct moment *m)
{
	json_t *changes = surfaces_sheet(m->file, NULL, "changes");
	double s = time_of(text_of(m->status, "at")) - time_of(text_of(changes, "since"));

	json_decref(changes);
	return s;
}

static void compare_rates(struct moment *m, const struct screen_lines *s)
{
	static const char *const rates[][2] = {
		{ "PFC frames received: ", "pfc.rx[3]" }, { "ECN marked by switches: ", "ecn.marked[3]" }, { "CNP sent by NICs: ", "cnp.sent" },
		{ "CNP handled by NICs: ", "cnp.handled" }, { "out of sequence: ", "oos" },
	};
	double recorded = recorded_s(m), unit;

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		const char *line = line_with(s, rates[i][0]), *last = line ? strstr(line, " in the last ") : NULL;

		last = last || !line ? last : strstr(line, " throughout the last ");
		if (line)
			same_figure(m, rates[i][1], "all ports", line + strlen(rates[i][0]), "the sum of the cells", sum_of(m, rates[i][1]));
		m->count->statements += last != NULL;
		if (last && seconds_of(strstr(last, "last ") + 5, &unit) > recorded + 2)
			differ(m, "a window", rates[i][0], last, "the recording is shorter");
	}
}

/* Rows of its list: what follows from nothing, in the order of findings, one each where they do not say the same. */
static void compare_overview_list(struct moment *m, const struct screen_lines *s)
{
	json_t *finding;
	size_t i, nth = 1;

	json_array_foreach(rows_of(m->findings), i, finding) {
		const char *row = nth_row(s, nth);

		if (*text_of(finding, "because_of") || !strcmp(text_of(finding, "severity"), "unknown"))
			continue;
		if (!row || !strstr(row, text_of(finding, "where")))
			break;
		compare_listed(m, finding, row, "Overview");
		nth++;
	}
}

/* "leaf1: critical, paused, 0/2 ok, 1 critical, 1 paused": each link is counted once. */
static void compare_map_rows(struct moment *m, const struct screen_lines *s)
{
	static const char *const words[] = { " critical", " paused", " warn", " unknown" };

	for (size_t i = 0; i < s->n; i++) {
		const char *ok = strstr(s->list[i], " ok"), *slash = ok;
		double sum;

		while (slash && slash > s->list[i] && slash[-1] >= '0' && slash[-1] <= '9')
			slash--;
		if (!slash || slash == ok || slash == s->list[i] || slash[-1] != '/')
			continue;
		sum = before(s->list[i], "/");
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			sum += isnan(before(ok, words[k])) ? 0 : before(ok, words[k]);
		m->count->statements++;
		if (sum > before(s->list[i], " ok"))
			differ(m, "links of a row", "Overview", s->list[i], "there are not so many");
	}
}

void compare_overview(struct moment *m, const struct screen_lines *s)
{
	compare_overview_list(m, s);
	compare_worst(m, s);
	compare_roots(m, s);
	compare_rates(m, s);
	compare_map_rows(m, s);
}
