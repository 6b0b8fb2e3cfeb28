#include "tests/states/tally.h"

#include <stdio.h>
#include <stdlib.h>

struct tally tally;

void tally_broken(const char *format, ...)
{
	char what[200];
	struct broken *b;
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	for (size_t i = 0; i < tally.n; i++)
		if (strcmp(tally.list[i].what, what) == 0) {
			tally.list[i].n++;
			return;
		}
	b = GROW(tally.list, tally.n, tally.cap);
	tally.n++;
	b->seed = tally.seed;
	b->n = 1;
	memcpy(b->what, what, sizeof(what));
}

static int most_first(const void *a_, const void *b_)
{
	const struct broken *a = a_, *b = b_;

	return a->n > b->n ? -1 : a->n < b->n;
}

void tally_print_broken(void)
{
	if (tally.n)
		qsort(tally.list, tally.n, sizeof(*tally.list), most_first);
	for (size_t i = 0; i < tally.n; i++)
		print_message("%6u times, first STATES=1 SEED=%llu: %s\n", tally.list[i].n, (unsigned long long)tally.list[i].seed,
			      tally.list[i].what);
}

void tally_done(void)
{
	free(tally.list);
	tally.list = NULL;
	tally.n = tally.cap = 0;
}
