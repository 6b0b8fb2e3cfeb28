#include "tui/text/safe.h"

#include <stdio.h>
#include <wchar.h>

struct range {
	uint32_t first, last;
};

/*
 * Invisible, reordering or without a meaning of their own, though some locales give them a width. What wcwidth() calls
 * zero or less (controls, combining and zero-width characters, surrogates) needs no row.
 */
static const struct range never[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x00ad, 0x00ad },	/* C0, DEL and C1, soft hyphen */
	{ 0x061c, 0x061c }, { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },	/* Arabic mark, fillers */
	{ 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },	/* zero width, marks, separators, bidi */
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xd800, 0xf8ff },	/* isolates, filler, surrogates, private use */
	{ 0xfdd0, 0xfdef }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },	/* no characters, variation selectors, BOM */
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xffff }, { 0xe0000, 0x10ffff },	/* filler, annotations, tags and private planes */
};

/* What our own texts use, for those who have only ASCII. */
static const struct plain {
	uint32_t c;
	const char *ascii;
} plain_table[] = {
	{ 0x00b5, "u" },	{ 0x00b7, "." },	{ 0x2013, "-" },	{ 0x2014, "-" },
	{ 0x2026, "..." },	{ 0x2190, "<-" },	{ 0x2192, "->" },	{ 0x2194, "<->" },
	{ 0x2260, "!=" },	{ 0x2264, "<=" },	{ 0x2265, ">=" },	{ 0x03bc, "u" },
	{ 0x00d7, "x" },	{ 0x00a0, " " },
};

static bool is_never(uint32_t c)
{
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (c >= never[i].first && c <= never[i].last)
			return true;
	return false;
}

/* Length of the well-formed UTF-8 character at the front, and the character; 0 for bytes that are none. */
static size_t decode(struct span s, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s.p;
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xf5 ? 0 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;

	if (!n || n > s.n)
		return 0;
	*c = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	return *c >= least[n] && *c <= 0x10ffff ? n : 0;
}

static const char *plain(uint32_t c)
{
	for (size_t i = 0; i < sizeof(plain_table) / sizeof(*plain_table); i++)
		if (plain_table[i].c == c)
			return plain_table[i].ascii;
	return NULL;
}

static unsigned escape(char out[SAFE_MAX], uint32_t c, bool is_byte)
{
	return (unsigned)snprintf(out, SAFE_MAX, is_byte ? "\\x%02x" : c > 0xffff ? "\\U%06x" : "\\u%04x", (unsigned)c);
}

bool safe_next(struct span *rest, bool ascii_only, char out[SAFE_MAX], unsigned *columns)
{
	uint32_t c;
	size_t n;
	int width;

	if (!rest->n)
		return false;
	c = (unsigned char)*rest->p;
	if (c >= 0x20 && c < 0x7f) {
		out[0] = (char)c;
		out[1] = '\0';
		*columns = 1;
		n = 1;
	} else if (!(n = decode(*rest, &c)) || n == 1) {
		*columns = escape(out, (unsigned char)*rest->p, true);
		n = 1;
	} else if (ascii_only) {
		*columns = plain(c) ? (unsigned)snprintf(out, SAFE_MAX, "%s", plain(c)) : escape(out, c, false);
	} else if (is_never(c) || (width = wcwidth((wchar_t)c)) < 1) {
		*columns = escape(out, c, false);
	} else {
		memcpy(out, rest->p, n);
		out[n] = '\0';
		*columns = (unsigned)width;
	}
	rest->p += n;
	rest->n -= n;
	return true;
}

void safe_add(struct buf *out, struct span text, bool ascii_only)
{
	char one[SAFE_MAX];
	unsigned columns;

	while (safe_next(&text, ascii_only, one, &columns))
		buf_str(out, one);
}

unsigned safe_columns(struct span text, bool ascii_only)
{
	char one[SAFE_MAX];
	unsigned columns, sum = 0;

	while (safe_next(&text, ascii_only, one, &columns))
		sum += columns;
	return sum;
}
