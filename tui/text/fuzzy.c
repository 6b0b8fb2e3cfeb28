#include "tui/text/fuzzy.h"

#include <ctype.h>

#define WORD_MAX 64
#define NEAR_MAX 2	/* letters apart */

static char low(char c)
{
	return (char)tolower((unsigned char)c);
}

static bool begins(struct span letters, const char *text)
{
	for (size_t i = 0; i < letters.n; i++)
		if (low(letters.p[i]) != low(text[i]))	/* also at the end of text */
			return false;
	return true;
}

/* The letters in their order, the fewer others between them the better. */
static unsigned scattered(struct span letters, const char *text)
{
	unsigned gaps = 0;
	size_t i = 0;

	for (; *text && i < letters.n; text++) {
		if (low(*text) == low(letters.p[i]))
			i++;
		else
			gaps += i > 0;
	}
	if (i < letters.n)
		return 0;
	return gaps < 99 ? 100 - gaps : 1;
}

unsigned fuzzy_fit(struct span letters, const char *text)
{
	size_t n = strlen(text);
	unsigned best;

	if (letters.n > n || letters.n == 0)
		return letters.n == 0;
	best = scattered(letters, text);
	for (size_t at = 0; best && at + letters.n <= n; at++) {
		unsigned fit = at == 0 ? 400 : isalnum((unsigned char)text[at - 1]) ? 200 : 300;

		if (fit > best && begins(letters, text + at))
			best = fit;
	}
	return best == 400 && letters.n == n ? 500 : best;
}

size_t fuzzy_distance(struct span a, const char *b)
{
	size_t n = strlen(b), row[WORD_MAX];

	if (n >= WORD_MAX || a.n >= WORD_MAX)
		return 99;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t change = diagonal + (a.p[i - 1] != b[j - 1]), best = row[j] + 1;

			diagonal = row[j];
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = change < best ? change : best;
		}
	}
	return row[n];
}

void fuzzy_try(struct fuzzy_nearest *n, const char *word)
{
	size_t distance = fuzzy_distance(span_of(n->typed), word);

	if (distance > NEAR_MAX || distance * 3 > strlen(word) || (n->word && distance >= n->distance))
		return;
	n->word = word;
	n->distance = distance;
}
