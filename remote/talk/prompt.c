#include "remote/talk/prompt.h"

#include <ctype.h>
#include <strings.h>

#define REPEATED_MAX	1024	/* bytes of a line that may be prompts and nothing else */

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.-:/@~+", c));
}

static bool take_group(struct span *s, char open, char close)
{
	struct span inside;

	while (s->n > 0 && *s->p == ' ')
		s->p++, s->n--;
	if (s->n == 0 || *s->p != open || !span_cut(*s, close, &inside, s))
		return false;
	return true;
}

bool prompt_shape(struct span tail, struct span *name, char *end)
{
	struct span s = span_trim(tail);
	size_t n = 0;

	while (n < s.n && is_name_char(s.p[n]))
		n++;
	if (n == 0 || n > 63 || !isalnum((unsigned char)*s.p))
		return false;
	*name = (struct span){ s.p, n };
	s = (struct span){ s.p + n, s.n - n };
	take_group(&s, '[', ']');
	for (unsigned modes = 0; modes < 3 && take_group(&s, '(', ')'); modes++)
		;
	s = span_trim(s);
	if (s.n != 1 || !strchr("#>$", *s.p))
		return false;
	*end = *s.p;
	return true;
}

struct span prompt_last(struct span tail)
{
	struct span name;
	char end;

	if (tail.n > REPEATED_MAX)
		return tail;
	for (size_t i = 0; i + 1 < tail.n; i++) {
		struct span first = { tail.p, i + 1 }, rest = { tail.p + i + 1, tail.n - i - 1 };

		if (!strchr("#>$", tail.p[i]) || !prompt_shape(first, &name, &end) || !span_trim(rest).n)
			continue;
		tail = rest;
		i = 0;
	}
	return tail;
}

bool prompt_is_pager(struct span tail)
{
	static const char *const forms[] = { "--more--", "-- more --", "<--- more --->" };

	tail = span_trim(tail);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (span_is_nocase(tail, forms[i]))
			return true;
	return false;
}

bool prompt_ends_with(struct span s, const char *end)
{
	size_t n = strlen(end);

	return s.n >= n && strncasecmp(s.p + s.n - n, end, n) == 0;
}

bool prompt_wants_password(struct span tail)
{
	return prompt_ends_with(span_trim(tail), "password:");
}

bool prompt_is_question(struct span tail)
{
	static const char *const choices[] = { "[yes/no", "[confirm", "(yes/no", "[y/n", "(y/n", "yes/no]" };

	tail = span_trim(tail);
	if (tail.n == 0 || !strchr(":?", tail.p[tail.n - 1]))
		return false;
	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
		if (span_find(tail, choices[i]))
			return true;
	return false;
}
