#include "tests/lib/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

#define INDEX_MAX 15	/* priorities, queues, traffic classes: more are ports or rings */

void repeats_add(struct repeats *r, struct repeat line)
{
	*GROW(r->lines, r->n, r->cap) = line;
	r->n++;
}

void repeats_done(struct repeats *r)
{
	free(r->lines);
	*r = (struct repeats){ 0 };
}

/* -- rising indices: a row of lines whose index rises, or stays where a line is continued -- */

/* Where the row that begins at i ends. */
static size_t row_end(const struct repeats *r, size_t i)
{
	size_t end = i + 1;

	while (end < r->n && r->lines[end].index >= r->lines[end - 1].index && r->lines[end].block == r->lines[i].block)
		end++;
	return end;
}

/* "0-5,7" */
static char *row_text(const struct repeat *row, size_t n)
{
	struct buf out = { 0 };

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && row[end].index <= row[end - 1].index + 1; end++)
			;
		buf_printf(&out, row[end - 1].index > row[i].index ? "%s%ld-%ld" : "%s%ld", i ? "," : "", row[i].index, row[end - 1].index);
	}
	return out.text;
}

static bool has_row(const struct repeats *r, const char *row)
{
	bool has = false;

	for (size_t i = 0, end; i < r->n && !has; i = end) {
		char *text = row_text(&r->lines[i], (end = row_end(r, i)) - i);

		has = !strcmp(text, row);
		free(text);
	}
	return has;
}

/* Whether its numbers are indices: 0 to n without a gap somewhere, and never one alone. */
static bool is_indexed(const struct repeats *r)
{
	bool is_whole = false;

	for (size_t i = 0, end; i < r->n; i = end) {
		const struct repeat *first = &r->lines[i], *last;

		end = row_end(r, i);
		last = &r->lines[end - 1];
		if (first->index < 0 || first->index == last->index || last->index > INDEX_MAX)
			return false;
		is_whole |= end - i > 2 && first->index == 0 && last->index == (long)(end - i - 1);
	}
	return is_whole;
}

static char *indices_differ(const struct repeats *theirs, const struct repeats *ours)
{
	char *differ = NULL;

	if (!is_indexed(theirs))
		return NULL;
	for (size_t i = 0, end; i < ours->n && !differ; i = end) {
		char *row = row_text(&ours->lines[i], (end = row_end(ours, i)) - i), *first;

		if (!has_row(theirs, row)) {
			first = row_text(theirs->lines, row_end(theirs, 0));
			differ = xasprintf("indices %s in captures, %s here", first, row);
			free(first);
		}
		free(row);
	}
	return differ;
}

/* -- lines of a block -- */

static size_t block_end(const struct repeats *r, size_t i)
{
	size_t end = i;

	while (end < r->n && r->lines[end].block == r->lines[i].block)
		end++;
	return end;
}

static char *counts_differ(const struct repeats *theirs, const struct repeats *ours)
{
	size_t count = theirs->n ? block_end(theirs, 0) : 0;

	if (count < 2 || count == theirs->n)
		return NULL;
	for (size_t i = 0; i < theirs->n; i = block_end(theirs, i))
		if (block_end(theirs, i) - i != count)
			return NULL;
	for (size_t i = 0; i < ours->n; i = block_end(ours, i))
		if (block_end(ours, i) - i != count)
			return xasprintf("%zu times in captures, %zu times here", count, block_end(ours, i) - i);
	return NULL;
}

static char *numbers_differ(const struct repeats *theirs, const struct repeats *ours)
{
	unsigned numbers = theirs->n ? theirs->lines[0].numbers : 0;

	if (numbers < 3 || theirs->n < 2)
		return NULL;
	for (size_t i = 0; i < theirs->n; i++)
		if (theirs->lines[i].numbers != numbers)
			return NULL;
	for (size_t i = 0; i < ours->n; i++)
		if (ours->lines[i].numbers != numbers)
			return xasprintf("%u numbers in captures, %u here", numbers, ours->lines[i].numbers);
	return NULL;
}

char *repeats_differ(const struct repeats *theirs, const struct repeats *ours, bool are_cells)
{
	char *differ = indices_differ(theirs, ours);

	if (are_cells)
		return differ;
	differ = differ ? differ : counts_differ(theirs, ours);
	return differ ? differ : numbers_differ(theirs, ours);
}
