/* Memory, where running out ends the program with a message; and the one growing array. */
#ifndef CORE_BASE_MEM_H
#define CORE_BASE_MEM_H

#include <stddef.h>

#include "core/base/span.h"

/* To be called first of all: large pieces that are given back leave the program, whatever it had needed before. */
void mem_settle(void);

/* What is called before the program ends for want of memory, such as to give the terminal back; NULL: nothing. It asks for none. */
void mem_at_end(void (*put_back)(void));
/* Says so and ends the program with 5: for whoever hears of it from a library. */
_Noreturn void mem_is_out(void);

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t n);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for one more element in array, which has length n and capacity cap (an lvalue), and gives its address:
 *	struct thing *t = GROW(list->things, list->n, list->cap); list->n++;
 * The element is zeroed.
 */
#define GROW(array, n, cap) \
	((array) = grow_array((array), (n), &(cap), sizeof(*(array))), \
	 memset(&(array)[n], 0, sizeof(*(array))), &(array)[n])
void *grow_array(void *array, size_t n, size_t *cap, size_t size);

/* A growing text. Always NUL-terminated once something was added; text is NULL before. */
struct buf {
	char *text;
	size_t n, cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_str(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_clear(struct buf *b);
void buf_done(struct buf *b);
static inline struct span buf_span(const struct buf *b)
{
	return (struct span){ b->text, b->n };
}

/* Strings that live as long as the arena. */
struct arena {
	struct arena_block *newest;
};
/* A NUL-terminated copy. */
const char *arena_text(struct arena *a, const char *p, size_t n);
void arena_clear(struct arena *a);
void arena_done(struct arena *a);

#endif
