#include "core/base/texts.h"

#include <string.h>

#include "core/base/mem.h"

void texts_add(struct texts *t, const char *text)
{
	*GROW(t->list, t->n, t->cap) = text;
	t->n++;
}

bool texts_are_same(const struct texts *a, const struct texts *b)
{
	for (size_t i = 0; i < a->n && a->n == b->n; i++)
		if (strcmp(a->list[i], b->list[i]) != 0)
			return false;
	return a->n == b->n;
}
