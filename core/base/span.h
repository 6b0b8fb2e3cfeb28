/*
 * A slice of somebody else's text: where parsers work. Never NUL-terminated, never owned.
 */
#ifndef CORE_BASE_SPAN_H
#define CORE_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *p;
	size_t n;
};

#define SPAN(literal) ((struct span){ (literal), sizeof(literal) - 1 })

static inline struct span span_of(const char *text)
{
	return (struct span){ text, text ? strlen(text) : 0 };
}

/* Takes the next line off *rest, without its LF or CRLF; false at the end. */
bool span_line(struct span *rest, struct span *line);

/* Takes the next blank-separated word off *rest; false when only blanks are left. */
bool span_word(struct span *rest, struct span *word);
/* Whether it is one of these blank-separated words; words NULL: of none. */
bool span_is_among(struct span s, const char *words);

/* Splits at the first (or last) sep: head gets what is before, tail what is after; false when there is none. */
bool span_cut(struct span s, char sep, struct span *head, struct span *tail);
bool span_cut_last(struct span s, char sep, struct span *head, struct span *tail);

struct span span_trim(struct span s);
bool span_is_nocase(struct span s, const char *text);
bool span_starts_nocase(struct span s, const char *prefix);

/* Asked of every line of every reply: here, so that the compiler knows the length of a literal. */
static inline bool span_same(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.p, text, strlen(text)) == 0;
}

static inline bool span_starts(struct span s, const char *prefix)
{
	return s.n >= strlen(prefix) && memcmp(s.p, prefix, strlen(prefix)) == 0;
}

/* Takes prefix off the front of *s, if it is there. */
static inline bool span_skip(struct span *s, const char *prefix)
{
	if (!span_starts(*s, prefix))
		return false;
	*s = (struct span){ s->p + strlen(prefix), s->n - strlen(prefix) };
	return true;
}

/* "1 link", "2 links": what a noun ends with behind its number. */
static inline const char *plural_s(size_t n)
{
	return n == 1 ? "" : "s";
}

/* Where needle begins in s, or NULL. */
const char *span_find(struct span s, const char *needle);

/* The whole of s as a number; false, and *out untouched, for anything else or on overflow. */
bool span_u64(struct span s, uint64_t *out);
bool span_hex(struct span s, uint64_t *out);
/* Takes the leading digits off *s. */
bool span_take_u64(struct span *s, uint64_t *out);

/*
 * A counter as devices print it: "15,437" and "1.88684486633e+11" as well as "15437".
 * *rounded is set when the text held fewer digits than the value. "N/A", "-", "" are false: unknown, not zero.
 */
bool span_counter(struct span s, uint64_t *out, bool *rounded);

#endif
