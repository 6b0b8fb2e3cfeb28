#include "remote/talk/teletype.h"

#include <ctype.h>

#define LINE_MAX_BYTES 65536	/* no command prints a longer line; what does is noise */

/* Where "<165>1 2019-11-01T…" begins: syslog (RFC 5424) that OS10 prints into the session, even behind a prompt. */
static bool find_syslog(struct span line, size_t *at)
{
	struct span rest = line, number;
	const char *open;

	while ((open = rest.n ? memchr(rest.p, '<', rest.n) : NULL)) {
		uint64_t priority, year;

		*at = (size_t)(open - line.p);
		rest = (struct span){ open + 1, (size_t)(line.p + line.n - open - 1) };
		number = rest;
		if (span_take_u64(&number, &priority) && priority <= 191 && span_skip(&number, ">1 ") &&
		    span_take_u64(&number, &year) && year >= 1970 && span_skip(&number, "-"))
			return true;
	}
	return false;
}

static void end_line(struct teletype *t)
{
	size_t at;

	if (find_syslog(teletype_tail(t), &at)) {
		t->text.n = t->line + at;	/* the prompt before it is the tail again */
		return;
	}
	buf_add(&t->text, "\n", 1);
	if (t->max && t->text.n > t->max) {
		t->text.n = t->line;
		t->is_cut = true;
	}
	t->line = t->text.n;
}

/* A byte 0x80–0x9f alone would be a control character; inside a UTF-8 sequence it is part of a letter. */
static bool is_shown(const struct teletype *t, unsigned char c)
{
	unsigned char before = t->text.n > t->line ? (unsigned char)t->text.text[t->text.n - 1] : 0;

	if (c < 0x80)
		return c == '\t' || (c >= ' ' && c != 0x7f);
	return c >= 0xa0 || (before >= 0x80 && before != 0xc2);
}

static void put(struct teletype *t, unsigned char c)
{
	if (c == '\r') {
		t->returned = true;
		return;
	}
	if (c == '\n') {
		t->returned = false;
		end_line(t);
		return;
	}
	if (c == '\b') {
		if (t->text.n > t->line)
			t->text.n--;
		return;
	}
	if (!is_shown(t, c))
		return;
	if (t->returned)
		teletype_drop_tail(t);
	t->returned = false;
	if (t->text.n - t->line >= LINE_MAX_BYTES)
		t->is_cut = true;
	else
		buf_add(&t->text, &c, 1);
}

/* Escape sequences by ECMA-48: CSI … final; OSC, DCS, PM, APC, SOS strings up to BEL or ESC \; the rest is short. */
static void escape(struct teletype *t, unsigned char c)
{
	switch (t->escape) {
	case ESC_BEGUN:
		t->escape = c == '[' ? ESC_CSI : strchr("]PX^_", c) && c ? ESC_STRING :
			    c >= 0x20 && c <= 0x2f ? ESC_ONE_MORE : ESC_NONE;
		break;
	case ESC_CSI:
		if (c >= 0x40 && c <= 0x7e)
			t->escape = ESC_NONE;
		break;
	case ESC_STRING:
		t->escape = c == 0x07 ? ESC_NONE : c == 0x1b ? ESC_STRING_END : ESC_STRING;
		break;
	default:
		t->escape = ESC_NONE;
	}
}

void teletype_feed(struct teletype *t, struct span bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		unsigned char c = (unsigned char)bytes.p[i];

		/* A line end closes any sequence, so that a lone ESC cannot swallow the rest of the session. */
		if (c == '\n')
			t->escape = ESC_NONE;
		if (t->escape != ESC_NONE)
			escape(t, c);
		else if (c == 0x1b)
			t->escape = ESC_BEGUN;
		else
			put(t, c);
	}
}

struct span teletype_tail(const struct teletype *t)
{
	return (struct span){ t->text.text ? t->text.text + t->line : "", t->text.n - t->line };
}

void teletype_drop_tail(struct teletype *t)
{
	t->text.n = t->line;
}

void teletype_clear(struct teletype *t)
{
	buf_clear(&t->text);
	t->line = 0;
	t->is_cut = false;
}

void teletype_done(struct teletype *t)
{
	buf_done(&t->text);
}
