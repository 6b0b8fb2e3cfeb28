#include "core/base/template.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DIGITS	"0123456789"
#define LOWER	"abcdefghijklmnopqrstuvwxyz"
#define ALNUM	LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS

#define PORT_MAX	15	/* IFNAMSIZ without its NUL */
#define SWITCH_PORT_MAX	31
#define RUN_DIR		"/run/fabcon/"

/* First byte of first, the others of rest, at most max of them all. */
static bool is_made_of(const char *text, const char *first, const char *rest, size_t max)
{
	if (!text || !*text || !strchr(first, *text))
		return false;
	return strnlen(text, max + 1) <= max && !text[1 + strspn(text + 1, rest)];
}

bool template_is_port(const char *text)
{
	if (is_made_of(text, ALNUM, ALNUM "._@-", PORT_MAX))
		return true;
	return is_made_of(text, ALNUM, ALNUM "._@-/:,", SWITCH_PORT_MAX) && strpbrk(text, "/:,") && !strstr(text, "..");
}

bool template_is_name(const char *text)
{
	return is_made_of(text, ALNUM, ALNUM "._-", 63);
}

static bool is_word(const char *text)
{
	return is_made_of(text, LOWER, LOWER DIGITS "-", 16);
}

static bool is_list(const char *text)
{
	return is_made_of(text, DIGITS, DIGITS "-,", 255);
}

static bool is_dir(const char *text)
{
	size_t n = strlen(RUN_DIR);

	return text && !strncmp(text, RUN_DIR, n) && template_is_name(text + n);
}

static const struct {
	const char *slot;
	bool (*fits)(const char *text);		/* NULL: a number */
} slots[] = {
	{ "{port}",	template_is_port },
	{ "{name}",	template_is_name },
	{ "{number}",	NULL },
	{ "{word}",	is_word },
	{ "{list}",	is_list },
	{ "{dir}",	is_dir },
};
#define N_SLOTS	(sizeof(slots) / sizeof(*slots))

/* What a template holds in braces is a slot, or none of its business: { "op": … }. */
static size_t slot_at(const char *p)
{
	size_t word = 1 + strspn(p + 1, LOWER);

	for (size_t i = 0; i < N_SLOTS; i++)
		if (!strncmp(p, slots[i].slot, strlen(slots[i].slot)))
			return i;
	assert(word == 1 || p[word] != '}');
	return N_SLOTS;
}

/* Plain ASCII stays; the rest is told as \xNN: whoever shows err may show it anywhere. */
static void add_harmless(struct buf *out, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		unsigned char c = text[i];

		if (i == 64) {
			buf_str(out, "...");
			return;
		}
		if (c < 0x20 || c > 0x7e || c == '\\')
			buf_printf(out, "\\x%02x", c);
		else
			buf_add(out, &c, 1);
	}
}

static bool refuse(struct err *err, const char *slot, const char *text)
{
	struct buf shown = { 0 };

	if (!text)
		return err_set(err, "a command needs %s, which is not known", slot);
	add_harmless(&shown, text);
	err_set(err, "not sent in a command: \"%s\" is no %s", shown.text ? shown.text : "", slot);
	buf_done(&shown);
	return false;
}

bool template_fill(struct buf *out, struct err *err, const char *format, ...)
{
	struct buf line = { 0 };
	bool is_done = true;
	va_list args;

	va_start(args, format);
	while (*format && is_done) {
		size_t plain = strcspn(format, "{"), i;
		const char *text;

		buf_add(&line, format, plain);
		format += plain;
		if (!*format)
			break;
		i = slot_at(format);
		if (i == N_SLOTS) {
			buf_add(&line, format++, 1);
			continue;
		}
		format += strlen(slots[i].slot);
		if (!slots[i].fits) {
			buf_printf(&line, "%llu", (unsigned long long)va_arg(args, uint64_t));
			continue;
		}
		text = va_arg(args, const char *);
		is_done = slots[i].fits(text) || refuse(err, slots[i].slot, text);
		if (is_done)
			buf_str(&line, text);
	}
	va_end(args);
	if (is_done && line.n)
		buf_add(out, line.text, line.n);
	buf_done(&line);
	return is_done;
}
