#include "core/base/span.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

bool span_line(struct span *rest, struct span *line)
{
	const char *end;

	if (rest->n == 0)
		return false;
	end = memchr(rest->p, '\n', rest->n);
	*line = (struct span){ rest->p, end ? (size_t)(end - rest->p) : rest->n };
	rest->p += line->n + (end != NULL);
	rest->n -= line->n + (end != NULL);
	while (line->n > 0 && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

bool span_word(struct span *rest, struct span *word)
{
	struct span s = *rest;
	size_t n = 0;

	while (s.n > 0 && is_blank(*s.p))
		s.p++, s.n--;
	while (n < s.n && !is_blank(s.p[n]))
		n++;
	*rest = n ? (struct span){ s.p + n, s.n - n } : s;	/* of no text at all p is NULL */
	if (n == 0)
		return false;
	*word = (struct span){ s.p, n };
	return true;
}

bool span_is_among(struct span s, const char *words)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		if (span_same(word, s))
			return true;
	return false;
}

static bool cut_at(struct span s, const char *at, struct span *head, struct span *tail)
{
	if (!at)
		return false;
	*head = (struct span){ s.p, (size_t)(at - s.p) };
	*tail = (struct span){ at + 1, s.n - head->n - 1 };
	return true;
}

bool span_cut(struct span s, char sep, struct span *head, struct span *tail)
{
	return cut_at(s, s.n ? memchr(s.p, sep, s.n) : NULL, head, tail);
}

bool span_cut_last(struct span s, char sep, struct span *head, struct span *tail)
{
	return cut_at(s, s.n ? memrchr(s.p, sep, s.n) : NULL, head, tail);
}

struct span span_trim(struct span s)
{
	while (s.n > 0 && is_blank(*s.p))
		s.p++, s.n--;
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool span_is_nocase(struct span s, const char *text)
{
	return s.n == strlen(text) && strncasecmp(s.p, text, s.n) == 0;
}

bool span_starts_nocase(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && strncasecmp(s.p, prefix, n) == 0;
}

const char *span_find(struct span s, const char *needle)
{
	return s.n ? memmem(s.p, s.n, needle, strlen(needle)) : NULL;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

bool span_take_u64(struct span *s, uint64_t *out)
{
	uint64_t value = 0;
	size_t n = 0;

	for (; n < s->n && is_digit(s->p[n]); n++) {
		unsigned digit = (unsigned)(s->p[n] - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (n == 0)
		return false;
	*s = (struct span){ s->p + n, s->n - n };
	*out = value;
	return true;
}

bool span_u64(struct span s, uint64_t *out)
{
	uint64_t value;

	if (!span_take_u64(&s, &value) || s.n > 0)
		return false;
	*out = value;
	return true;
}

bool span_hex(struct span s, uint64_t *out)
{
	uint64_t value = 0;

	if (!span_skip(&s, "0x"))
		span_skip(&s, "0X");
	if (s.n == 0 || s.n > 16)
		return false;
	for (; s.n > 0; s.p++, s.n--) {
		if (!isxdigit((unsigned char)*s.p))
			return false;
		value = value << 4 | (uint64_t)(*s.p <= '9' ? *s.p - '0' : (*s.p | 0x20) - 'a' + 10);
	}
	*out = value;
	return true;
}

static bool is_float(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_digit(s.p[i]) && !strchr(".eE+-", s.p[i]))
			return false;
	return s.n > 0 && is_digit(*s.p);
}

bool span_counter(struct span s, uint64_t *out, bool *rounded)
{
	char digits[40];
	size_t n = 0;
	double value;
	char *end;

	*rounded = false;
	s = span_trim(s);
	if (span_u64(s, out))	/* as nearly all are */
		return true;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == ',')
			continue;
		if (n == sizeof(digits) - 1)
			return false;
		digits[n++] = s.p[i];
	}
	digits[n] = '\0';
	if (span_u64((struct span){ digits, n }, out))
		return true;
	if (!is_float((struct span){ digits, n }))
		return false;
	value = strtod(digits, &end);
	if (*end || !(value >= 0) || value >= 18446744073709551616.0)
		return false;
	*rounded = true;
	*out = (uint64_t)value;
	return true;
}
