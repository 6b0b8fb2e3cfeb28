#include "core/certificate/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define DIGITS_MAX	17	/* enough for each double */

struct writer {
	struct buf *out;
	unsigned indent;
	bool is_ascii;
};

/* -- numbers -- */

/* The fewest digits that are that number again, and its exponent: 0.95 is "95", -1. Any locale's decimal sign is passed over. */
static int shortest(double x, char digits[DIGITS_MAX + 1])
{
	char text[40];
	size_t n = 0;
	const char *c;

	for (int places = 0; places < DIGITS_MAX; places++) {
		snprintf(text, sizeof(text), "%.*e", places, x);
		if (strtod(text, NULL) == x)
			break;
	}
	for (c = text; *c && *c != 'e'; c++)
		if (*c >= '0' && *c <= '9')
			digits[n++] = *c;
	digits[n] = '\0';
	return *c ? atoi(c + 1) : 0;
}

static void add_zeros(struct buf *out, int n)
{
	while (n-- > 0)
		buf_str(out, "0");
}

/* As ECMAScript writes numbers, which RFC 8785 asks for. */
void certificate_number(struct buf *out, double x)
{
	char digits[DIGITS_MAX + 1];
	int n, point;

	if (isnan(x))
		return;
	if (x < 0)
		buf_str(out, "-");
	point = shortest(fabs(x), digits) + 1;		/* digits before the decimal point */
	n = (int)strlen(digits);
	if (x == 0) {
		buf_str(out, "0");
	} else if (n <= point && point <= 21) {
		buf_str(out, digits);
		add_zeros(out, point - n);
	} else if (point > 0 && point <= 21) {
		buf_printf(out, "%.*s.%s", point, digits, digits + point);
	} else if (point > -6 && point <= 0) {
		buf_str(out, "0.");
		add_zeros(out, -point);
		buf_str(out, digits);
	} else {
		buf_printf(out, "%c%s%se%+d", digits[0], n > 1 ? "." : "", digits + 1, point - 1);
	}
}

/* -- strings -- */

/* The length of the UTF-8 character at p, which jansson has checked, and the character. */
static size_t decode(const unsigned char *p, unsigned *c)
{
	size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;

	*c = n == 1 ? *p : *p & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++)
		*c = *c << 6 | (p[i] & 0x3f);
	return n;
}

static void add_escaped(struct buf *out, unsigned c)
{
	if (c > 0xffff)
		buf_printf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
	else
		buf_printf(out, "\\u%04x", c);
}

static void add_string(const struct writer *w, const char *text)
{
	static const char named[] = "\b\t\n\f\r\"\\", letters[] = "btnfr\"\\";
	const char *name;
	unsigned c;

	buf_str(w->out, "\"");
	for (size_t n; *text; text += n) {
		n = decode((const unsigned char *)text, &c);
		name = n == 1 ? strchr(named, *text) : NULL;
		if (name)
			buf_printf(w->out, "\\%c", letters[name - named]);
		else if (c < 0x20 || (w->is_ascii && c >= 0x7f))
			add_escaped(w->out, c);
		else
			buf_add(w->out, text, n);
	}
	buf_str(w->out, "\"");
}

/* -- values -- */

static void add_value(const struct writer *w, const json_t *value, unsigned depth);

static void new_line(const struct writer *w, unsigned depth)
{
	if (!w->indent)
		return;
	buf_str(w->out, "\n");
	for (unsigned i = 0; i < depth * w->indent; i++)
		buf_str(w->out, " ");
}

static void add_object(const struct writer *w, const json_t *object, unsigned depth)
{
	const char **keys = certificate_keys(object);

	buf_str(w->out, "{");
	for (const char **key = keys; *key; key++) {
		buf_str(w->out, key > keys ? "," : "");
		new_line(w, depth + 1);
		add_string(w, *key);
		buf_str(w->out, w->indent ? ": " : ":");
		add_value(w, json_object_get(object, *key), depth + 1);
	}
	if (*keys)
		new_line(w, depth);
	buf_str(w->out, "}");
	free(keys);
}

static void add_array(const struct writer *w, const json_t *array, unsigned depth)
{
	size_t n = json_array_size(array);

	buf_str(w->out, "[");
	for (size_t i = 0; i < n; i++) {
		buf_str(w->out, i ? "," : "");
		new_line(w, depth + 1);
		add_value(w, json_array_get(array, i), depth + 1);
	}
	if (n)
		new_line(w, depth);
	buf_str(w->out, "]");
}

static void add_value(const struct writer *w, const json_t *value, unsigned depth)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		add_object(w, value, depth);
		break;
	case JSON_ARRAY:
		add_array(w, value, depth);
		break;
	case JSON_STRING:
		add_string(w, json_string_value(value));
		break;
	case JSON_INTEGER:
		buf_printf(w->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		certificate_number(w->out, json_real_value(value));
		break;
	default:
		buf_str(w->out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
	}
}

void certificate_canonical(const json_t *value, unsigned indent, bool is_ascii, struct buf *out)
{
	add_value(&(struct writer){ out, indent, is_ascii }, value, 0);
}
