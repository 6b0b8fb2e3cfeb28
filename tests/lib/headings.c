#include "tests/lib/headings.h"

#include <stdlib.h>

#include "core/base/mem.h"

static bool is_blank(struct span s, size_t i)
{
	return i >= s.n || s.p[i] == ' ';
}

static bool cell_begins(struct span s, size_t i)
{
	return !is_blank(s, i) && (!i || is_blank(s, i - 1));
}

/* The cell's last character is before i. */
static bool cell_ends(struct span s, size_t i)
{
	return i && !is_blank(s, i - 1) && is_blank(s, i);
}

static struct heading *find(const struct headings *h, const char *kind, size_t place)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->rows[i].place == place && !strcmp(h->rows[i].kind, kind))
			return &h->rows[i];
	return NULL;
}

void headings_add(struct headings *h, const char *kind, struct span heading, struct span below)
{
	struct span rest = heading, word;

	for (size_t place = 0; span_word(&rest, &word); place++) {
		struct heading *row = find(h, kind, place);
		size_t begin = (size_t)(word.p - heading.p);

		if (!row) {
			row = GROW(h->rows, h->n, h->cap);
			h->n++;
			*row = (struct heading){ .kind = xstrdup(kind), .word = xstrndup(word.p, word.n), .place = place };
		}
		row->lines++;
		row->begins += cell_begins(below, begin);
		row->ends += cell_ends(below, begin + word.n);
	}
}

void headings_done(struct headings *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->rows[i].kind);
		free(h->rows[i].word);
	}
	free(h->rows);
	*h = (struct headings){ 0 };
}

bool headings_differ(const struct heading *theirs, const struct headings *ours)
{
	const struct heading *row = find(ours, theirs->kind, theirs->place);
	bool may_begin = theirs->begins == theirs->lines, may_end = theirs->ends == theirs->lines;

	if (!row || theirs->lines < 2 || (!may_begin && !may_end))
		return false;
	return !(may_begin && row->begins == row->lines) && !(may_end && row->ends == row->lines);
}
