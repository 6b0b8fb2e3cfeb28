/* A list of texts, each held by an arena or whoever else outlives it. */
#ifndef CORE_BASE_TEXTS_H
#define CORE_BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct texts {
	const char **list;		/* owned; the texts are lent */
	size_t n, cap;
};

void texts_add(struct texts *t, const char *text);
bool texts_are_same(const struct texts *a, const struct texts *b);

#endif
