#include "core/fix/text.h"

#define LETTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS	"0123456789"

/* As core/base/template.h allows them in commands; for a device, as core/inventory/inventory.h does. */
static const struct allowed {
	const char *first, *more;
	size_t most;
	const char *end;		/* what it must end with; NULL: anything */
} allowed[] = {
	[FIX_NAME_ID]		= { LETTERS DIGITS, LETTERS DIGITS "-", 40 },
	[FIX_NAME_DEVICE]	= { LETTERS DIGITS, LETTERS DIGITS "._-", 63 },
	[FIX_NAME_PORT]		= { LETTERS DIGITS, LETTERS DIGITS "._@-/:,", 31 },
	[FIX_NAME_WORD]		= { LETTERS DIGITS, LETTERS DIGITS "_-", 31 },
	/* None of the names in a step's directory on the device (undo, lock, path, decided, ...) has this end. */
	[FIX_NAME_FILE]		= { LETTERS DIGITS, LETTERS DIGITS "._-", 63, ".json" },
};

bool fix_name_is(enum fix_name kind, const char *text)
{
	const struct allowed *a = &allowed[kind];
	size_t n = strlen(text), end = a->end ? strlen(a->end) : 0;

	return n > end && n <= a->most && strchr(a->first, text[0]) && strspn(text, a->more) == n &&
	       (!end || !strcmp(text + n - end, a->end));
}

bool is_command(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c < 0x20 || *c > 0x7e)
			return false;
	return *text;
}

bool is_one_line(const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
			return false;
	return true;
}

/* The length of the well-formed character at the start of s; 0: none, by the table of RFC 3629. */
static size_t character(struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;

	if (p[0] >= 0x80 && (p[0] < 0xc2 || p[0] > 0xf4 || s.n < n))
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* True for U+10FF80 … U+10FFFF; gives the byte it stands for. */
static bool is_byte(const char *p, size_t n, unsigned char *byte)
{
	const unsigned char *u = (const unsigned char *)p;

	if (n != 4 || u[0] != 0xf4 || u[1] != 0x8f || (u[2] != 0xbe && u[2] != 0xbf))
		return false;
	*byte = (unsigned char)((u[2] & 3) << 6 | (u[3] & 0x3f));
	return true;
}

void utf8_of_bytes(struct span bytes, struct buf *out)
{
	while (bytes.n > 0) {
		size_t n = character(bytes);
		unsigned char byte;

		if (n > 0 && !is_byte(bytes.p, n, &byte)) {
			buf_add(out, bytes.p, n);
		} else {
			byte = (unsigned char)*bytes.p;
			n = 1;
			buf_add(out, (char[]){ (char)0xf4, (char)0x8f, (char)(0xbc | byte >> 6), (char)(0x80 | (byte & 0x3f)) }, 4);
		}
		bytes = (struct span){ bytes.p + n, bytes.n - n };
	}
}

void utf8_to_bytes(struct span utf8, struct buf *out)
{
	while (utf8.n > 0) {
		size_t n = character(utf8);
		unsigned char byte;

		if (n == 0)
			n = 1;
		if (is_byte(utf8.p, n, &byte))
			buf_add(out, &byte, 1);
		else
			buf_add(out, utf8.p, n);
		utf8 = (struct span){ utf8.p + n, utf8.n - n };
	}
}
