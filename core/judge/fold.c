#include "core/judge/fold.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"

#define LOOK_BACK 64	/* rows; those of one check come one after the other, or nearly */

void folds_clear(struct folds *f)
{
	f->n = 0;
}

void folds_done(struct folds *f)
{
	free(f->list);
	memset(f, 0, sizeof(*f));
}

const char *fold_words(const struct finding *f)
{
	const char *colon;

	if (f->verdict != VERDICT_UNKNOWN)
		return f->what;
	colon = strstr(f->missing, ": ");
	return colon ? colon + 2 : f->missing;
}

bool fold_is_alike(const struct finding *f)
{
	return f->check->alike && f->verdict == VERDICT_LOOK;
}

bool fold_same(const struct finding *a, const struct finding *b)
{
	return a->check == b->check && a->verdict == b->verdict && a->verdict <= VERDICT_LOOK &&
	       (fold_is_alike(a) || strcmp(fold_words(a), fold_words(b)) == 0);
}

static bool is_listed(struct span list, struct span name)
{
	struct span word;

	while (span_word(&list, &word)) {
		word.n -= word.p[word.n - 1] == ',';
		if (word.n == name.n && memcmp(word.p, name.p, name.n) == 0)
			return true;
	}
	return false;
}

/* "leaf1 ethernet1/1/1 ecn.marked[3]: …" lacks a fact of leaf1. */
static void add_whose(struct fold *row, const struct finding *f)
{
	struct span missing = span_of(f->missing), device;
	size_t n = strlen(row->whose);

	if (fold_words(f) == f->missing || f->verdict != VERDICT_UNKNOWN || !span_word(&missing, &device))
		return;
	if (span_find(span_of(row->whose), "…"))
		return;
	if (is_listed(span_of(row->whose), device))
		return;
	if (n + device.n + 8 > sizeof(row->whose))
		snprintf(row->whose + n, sizeof(row->whose) - n, "%s…", n ? ", " : "");
	else
		snprintf(row->whose + n, sizeof(row->whose) - n, "%s%.*s", n ? ", " : "", (int)device.n, device.p);
}

void folds_add(struct folds *f, const struct finding *finding, bool together)
{
	struct fold *row;

	for (size_t i = f->n; together && i > 0 && f->n - i < LOOK_BACK; i--) {
		row = &f->list[i - 1];
		if (!fold_same(row->finding, finding))
			continue;
		row->n++;
		add_whose(row, finding);
		return;
	}
	row = GROW(f->list, f->n, f->cap);
	f->n++;
	*row = (struct fold){ .finding = finding, .n = 1 };
	add_whose(row, finding);
}
