#include "core/base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE	(128 << 10)
#define ARENAS	2		/* the loop's and one for all other threads */

/* glibc raises its threshold with the largest piece ever freed, and from then on has it among the small ones. */
void mem_settle(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE);
	mallopt(M_ARENA_MAX, ARENAS);
#endif
}

static void (*put_back)(void);

void mem_at_end(void (*f)(void))
{
	put_back = f;
}

void mem_is_out(void)
{
	if (put_back)
		put_back();
	fputs("fabcon: out of memory\n", stderr);
	_Exit(5);
}

static void *checked(void *p)
{
	if (!p)
		mem_is_out();
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1));
}

char *xstrndup(const char *text, size_t n)
{
	char *copy = xmalloc(n + 1);

	if (n)
		memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return checked(text);
}

void *grow_array(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 8;
	return xrealloc(array, *cap * size);
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (b->n + n + 1 > b->cap) {
		size_t cap = b->cap ? b->cap : 64;

		while (cap < b->n + n + 1)
			cap *= 2;
		b->text = xrealloc(b->text, cap);
		b->cap = cap;
	}
	if (n)
		memcpy(b->text + b->n, bytes, n);
	b->n += n;
	b->text[b->n] = '\0';
}

void buf_str(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_printf(struct buf *b, const char *format, ...)
{
	char small[256];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n < sizeof(small)) {
		buf_add(b, small, (size_t)n);
		return;
	}
	buf_add(b, "", 0);
	b->text = xrealloc(b->text, b->n + (size_t)n + 1);
	b->cap = b->n + (size_t)n + 1;
	va_start(args, format);
	vsnprintf(b->text + b->n, (size_t)n + 1, format, args);
	va_end(args);
	b->n += (size_t)n;
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->text)
		b->text[0] = '\0';
}

void buf_done(struct buf *b)
{
	free(b->text);
	*b = (struct buf){ 0 };
}

struct arena_block {
	struct arena_block *older;
	size_t n, size;
	char bytes[];
};

const char *arena_text(struct arena *a, const char *p, size_t n)
{
	struct arena_block *b = a->newest;
	char *copy;

	if (!b || b->size - b->n < n + 1) {
		size_t size = n + 1 > 4000 ? n + 1 : 4000;

		b = xmalloc(sizeof(*b) + size);
		*b = (struct arena_block){ .older = a->newest, .size = size };
		a->newest = b;
	}
	copy = b->bytes + b->n;
	if (n)
		memcpy(copy, p, n);
	copy[n] = '\0';
	b->n += n + 1;
	return copy;
}

void arena_done(struct arena *a)
{
	struct arena_block *older;

	for (struct arena_block *b = a->newest; b; b = older) {
		older = b->older;
		free(b);
	}
	a->newest = NULL;
}

/* Keeps one block, so that an arena used again and again does not ask for memory each time. */
void arena_clear(struct arena *a)
{
	struct arena_block *b = a->newest;

	if (!b)
		return;
	a->newest = b->older;
	arena_done(a);
	b->older = NULL;
	b->n = 0;
	a->newest = b;
}
