/* For tests: what a text has to hold, and what it must not. */
#ifndef TESTS_LIB_TEXT_H
#define TESTS_LIB_TEXT_H

#include <stdio.h>
#include <string.h>

#include "tests/lib/say.h"

static inline void assert_says(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is missing in:\n%s", wanted, text);
}

static inline void assert_silent(const char *text, const char *unwanted)
{
	if (strstr(text, unwanted))
		fail_msg("\"%s\" is not expected in:\n%s", unwanted, text);
}

/* The text after "# WORD: " in the head of a fixture's facts; false: there is none. */
static inline bool fixture_word(const char *facts, const char *word, char *out, size_t size)
{
	char mark[32];
	const char *at;

	snprintf(mark, sizeof(mark), "# %s: ", word);
	at = strstr(facts, mark);
	if (at)
		snprintf(out, size, "%.*s", (int)strcspn(at + strlen(mark), "\n"), at + strlen(mark));
	return at;
}

#endif
