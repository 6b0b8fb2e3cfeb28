#include "tests/lib/command_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- lines of a switch -- */

int mode_of(const struct grammar *g, const char *name)
{
	for (size_t i = 0; i < g->n_modes; i++)
		if (!strcmp(g->modes[i].name, name))
			return (int)i;
	return -1;
}

static bool is_of_mode(const struct rule *r, const struct grammar *g, size_t mode)
{
	return r->mode && !strcmp(r->mode, g->modes[mode].name);
}

/* Where the line can lead to from the modes in from. */
static bool line_leads(const struct grammar *g, struct words *w, const bool *from, bool *to, struct err *err)
{
	bool is_any = false;
	size_t best = 0;

	err_set(err, "\"%s\" is no command there", w->list[0]);
	for (size_t mode = 0; mode < g->n_modes; mode++) {
		int parent = g->modes[mode].parent ? mode_of(g, g->modes[mode].parent) : -1;
		int exec = mode_of(g, "exec");

		if (!from[mode])
			continue;
		if (w->n == 1 && !strcmp(w->list[0], "exit") && parent >= 0)
			is_any = to[parent] = true;
		if (w->n == 1 && !strcmp(w->list[0], "end") && parent >= 0)
			is_any = to[exec] = true;
		for (size_t i = 0; i < g->n_rules; i++) {
			const struct rule *r = &g->rules[i];
			size_t taken = 0, skipped = parent >= 0 && !strcmp(w->list[0], "do") && is_of_mode(r, g, (size_t)exec);

			if (!is_of_mode(r, g, skipped ? (size_t)exec : mode))
				continue;
			if (net_fits(g, &r->net, w->list + skipped, w->n - skipped, &taken)) {
				is_any = true;
				to[r->next && !skipped ? (size_t)mode_of(g, r->next) : mode] = true;
			} else if (taken > best) {
				best = taken;
				err_set(err, taken + skipped < w->n ? "\"%s\" is not expected there" : "words are missing behind \"%s\"",
					w->list[taken + skipped < w->n ? taken + skipped : w->n - 1]);
			}
		}
	}
	return is_any;
}

/* " | grep X", which is taken off the line. */
static bool filters_fit(const struct grammar *g, char *line, struct err *err)
{
	for (char *bar; (bar = strrchr(line, '|')); *bar = '\0') {
		bool from[MODES_MAX] = { false }, to[MODES_MAX];
		struct words w = { .n = 0 };
		int filter = mode_of(g, "filter");

		split(bar + 1, &w);
		if (filter < 0 || !w.n)
			return err_set(err, "no filter behind \"|\"");
		from[filter] = true;
		if (!line_leads(g, &w, from, to, err))
			return false;
	}
	return true;
}

bool switch_fits(const struct grammar *g, const char *command, struct err *err)
{
	bool at[MODES_MAX], fits = true;
	char *text = xstrdup(command), *rest = NULL;

	memset(at, true, sizeof(at));
	at[mode_of(g, "filter")] = false;
	for (char *line = strtok_r(text, "\n", &rest); line && fits; line = strtok_r(NULL, "\n", &rest)) {
		bool to[MODES_MAX] = { false };
		char *whole;
		struct words w;

		line += strspn(line, " \t");
		if (!*line || *line == '!')
			continue;
		whole = xstrdup(line);
		fits = filters_fit(g, line, err);
		split(line, &w);
		if (fits && !(w.n && line_leads(g, &w, at, to, err))) {
			struct err why = *err;

			fits = err_set(err, "\"%s\": %s", whole, why.text);
		}
		memcpy(at, to, sizeof(at));
		free(whole);
	}
	free(text);
	return fits;
}
