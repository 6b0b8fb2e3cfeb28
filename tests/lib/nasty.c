#include "tests/lib/nasty.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/span.h"

bool nasty_is_asked(void)
{
	const char *asked = getenv("NASTY_SEEDS");

	return asked && *asked;
}

size_t nasty_seeds(const char *committed, unsigned seeds[NASTY_MAX])
{
	struct span rest = span_of(nasty_is_asked() ? getenv("NASTY_SEEDS") : committed), word;
	uint64_t seed;
	size_t n = 0;

	while (n < NASTY_MAX && span_word(&rest, &word) && span_u64(word, &seed))
		seeds[n++] = (unsigned)seed;
	return n;
}

void nasty_dress(unsigned seed)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", seed);
	setenv("LAB_NASTY", text, 1);
}
