#include <ctype.h>
#include <string.h>

#include "core/inventory/literal.h"

#define DIGITS	"0123456789"
#define HEX	DIGITS "abcdefABCDEF"
#define BLANKS	" \t"

static bool is_one_of(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words) != 0)
		words++;
	return *words != NULL;
}

static bool is_any(char c, const char *set)
{
	return c && strchr(set, c);
}

/* At least one character, and each of them is of the set. */
static bool is_all(const char *text, const char *set)
{
	return *text && !text[strspn(text, set)];
}

/* -- YAML 1.1 -- */

static bool is_based(const char *t)
{
	return *t == '0' && (is_all(t + 1, "01234567_") || (t[1] == 'b' && is_all(t + 2, "01_")) || (t[1] == 'x' && is_all(t + 2, HEX "_")));
}

/* 1:30 is 90, 1:30:00.5 too. */
static bool is_sixties(const char *t)
{
	if (!is_any(*t, "123456789"))
		return false;
	t += strspn(t, DIGITS "_");
	if (*t != ':')
		return false;
	while (*t == ':') {
		size_t n = strspn(++t, DIGITS);

		if (n < 1 || n > 2 || (n == 2 && *t > '5'))
			return false;
		t += n;
	}
	return !*t || (*t == '.' && !t[1 + strspn(t + 1, DIGITS "_")]);
}

static bool is_grouped(const char *t)
{
	return isdigit((unsigned char)*t) && is_all(t, DIGITS "_") && strchr(t, '_');
}

/* An exponent counts with its sign alone. */
static bool is_fraction(const char *t)
{
	if (isdigit((unsigned char)*t))
		t += strspn(t, DIGITS "_");
	if (*t++ != '.')
		return false;
	t += strspn(t, DIGITS "_");
	return !*t || (is_any(t[0], "eE") && is_any(t[1], "-+") && is_all(t + 2, DIGITS));
}

/* 2026-1-31, and whatever is after it. */
static bool is_date(const char *t)
{
	size_t month = strspn(t, DIGITS) == 4 && t[4] == '-' ? strspn(t + 5, DIGITS) : 0;

	return (month == 1 || month == 2) && t[5 + month] == '-' && isdigit((unsigned char)t[6 + month]);
}

bool literal_yaml_converts(const char *text)
{
	static const char *const words[] = {
		"yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON", "off", "Off",
		"OFF", NULL,
	};
	static const char *const no_numbers[] = { ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", NULL };
	const char *t = text + is_any(*text, "-+");

	return is_one_of(text, words) || is_one_of(t, no_numbers) || is_based(t) || is_sixties(t) || is_grouped(t) || is_fraction(t) ||
	       (*text == '+' && is_all(t, DIGITS)) || is_date(text);
}

/* -- Python -- */

/* Nothing more is said, but for a comment. */
static bool is_end(const char *t)
{
	t += strspn(t, BLANKS);
	return !*t || *t == '#';
}

static bool is_truth(const char *t)
{
	return (!strncmp(t, "True", 4) && is_end(t + 4)) || (!strncmp(t, "False", 5) && is_end(t + 5));
}

/* A list or a tuple. "{{" is a template. */
static bool is_collection(const char *t)
{
	if (*t == '{')
		return t[1] && !is_any(t[1], "{%#");
	if (!is_any(*t, "[("))
		return false;
	while ((t = strpbrk(t + 1, "])")))
		if (is_end(t + 1))
			return true;
	return false;
}

/* 1.5e3, 1_000, 2j; nothing at all too. */
static bool is_python_number(const char *t)
{
	const char *exponent;

	t += is_any(*t, "-+");
	t += strspn(t, DIGITS "_");
	t += *t == '.';
	t += strspn(t, DIGITS "_");
	exponent = is_any(*t, "eE") ? t + 1 + is_any(t[1], "-+") : NULL;
	if (exponent && strspn(exponent, DIGITS "_"))
		t = exponent + strspn(exponent, DIGITS "_");
	return is_end(t + is_any(*t, "jJ"));
}

static bool is_python_based(const char *t)
{
	size_t n = *t == '0' && is_any(t[1], "xXoObB") ? strspn(t + 2, HEX "_") : 0;

	return n && is_end(t + 2 + n);
}

static bool is_quoted(const char *t)
{
	size_t n = strspn(t, "bBrRuUfF");

	return n <= 2 && is_any(t[n], "'\"");
}

bool literal_python_converts(const char *text)
{
	const char *t = text + strspn(text, BLANKS);

	return is_truth(t) || is_collection(t) || is_python_number(t) || is_python_based(t) || is_quoted(t);
}
