/* For tests: what a text has to hold, and what it must not. */
#ifndef TESTS_LIB_TEXT_H
#define TESTS_LIB_TEXT_H

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

#endif
