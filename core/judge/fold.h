/*
 * Findings as rows: one each, or those that say the same of many places as one row. "Not known" comes by the hundred
 * when one switch does not tell one counter; the faults beside it must stay in sight.
 */
#ifndef CORE_JUDGE_FOLD_H
#define CORE_JUDGE_FOLD_H

#include "core/judge/check.h"

struct fold {
	const struct finding *finding;	/* the first of them */
	size_t n;			/* how many there are */
	char whose[40];			/* not known and more than one: whose fact is lacking, "leaf1, leaf3, …" */
};

struct folds {
	struct fold *list;		/* owned */
	size_t n, cap;
};

void folds_clear(struct folds *f);
void folds_done(struct folds *f);
/* Adds one; with together, to the row of those before it that say the same. Warnings and faults stay apart. */
void folds_add(struct folds *f, const struct finding *finding, bool together);

/* They say the same, and may be one row. */
bool fold_same(const struct finding *a, const struct finding *b);
/* Findings of this kind are one row, however they differ in their figures. */
bool fold_is_alike(const struct finding *f);
/* What is lacking or found, without the place it is lacking at: "% Error: Unrecognized command." */
const char *fold_words(const struct finding *f);

#endif
