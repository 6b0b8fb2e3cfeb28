/* What was probably meant: how well a few letters fit a name, and how far two words are apart. */
#ifndef TUI_TEXT_FUZZY_H
#define TUI_TEXT_FUZZY_H

#include "core/base/span.h"

/*
 * How well letters fit text, any case: the whole of it best, then its beginning, the beginning of a word, a part, and the
 * letters in their order with others between. 0: not at all.
 */
unsigned fuzzy_fit(struct span letters, const char *text);

/* Letters to change, add or leave out to make one of the other; 99 for what is too long to compare. */
size_t fuzzy_distance(struct span a, const char *b);

/* The word that what was typed is nearest to: within two letters, and those at most a third of the word. */
struct fuzzy_nearest {
	const char *typed;
	const char *word;	/* lent by who tried it; NULL: none yet */
	size_t distance;
};
void fuzzy_try(struct fuzzy_nearest *n, const char *word);

#endif
