#include "tui/widgets/typing.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "tui/text/safe.h"

#define CTRL(c) ((c) & 0x1f)

/* Characters: bytes, as far as they are seen as one */

static bool is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The character at a place stands on the one before it: an accent of its own, or a joiner. */
static bool is_combining(const char *p, size_t n)
{
	mbstate_t state = { 0 };
	wchar_t c;
	size_t used = mbrtowc(&c, p, n, &state);

	return used != (size_t)-1 && used != (size_t)-2 && used > 1 && wcwidth(c) == 0;
}

static size_t before(const struct typing *t, size_t at)
{
	do {
		while (at && is_tail(t->text[at - 1]))
			at--;
		at -= at > 0;
	} while (at && is_combining(t->text + at, t->n - at));
	return at;
}

static size_t after(const struct typing *t, size_t at)
{
	do {
		at += at < t->n;
		while (at < t->n && is_tail(t->text[at]))
			at++;
	} while (at < t->n && is_combining(t->text + at, t->n - at));
	return at;
}

/* -- editing -- */

static void cut(struct typing *t, size_t from, size_t to)
{
	memmove(t->text + from, t->text + to, t->n - to);
	t->n -= to - from;
	explicit_bzero(t->text + t->n, sizeof(t->text) - t->n);
	t->at = from;
}

/* A character comes byte by byte; one that would not fit is left out whole. */
static void insert(struct typing *t, char c)
{
	if (!is_tail(c))
		t->is_full = t->n + 4 >= sizeof(t->text);
	if (t->is_full || t->n + 1 >= sizeof(t->text))
		return;
	memmove(t->text + t->at + 1, t->text + t->at, t->n - t->at);
	t->text[t->at++] = c;
	t->text[++t->n] = '\0';
}

static size_t word_before(const struct typing *t)
{
	size_t at = t->at;

	while (at && t->text[at - 1] == ' ')
		at--;
	while (at && t->text[at - 1] != ' ')
		at--;
	return at;
}

static void set(struct typing *t, const char *text)
{
	cut(t, 0, t->n);
	for (; *text; text++)
		insert(t, *text);
}

void typing_replace(struct typing *t, size_t from, const char *text)
{
	cut(t, from, t->at);
	for (; *text; text++)
		insert(t, *text);
}

bool typing_key(struct typing *t, int code)
{
	switch (code) {
	case KEY_LEFT: case CTRL('b'):		t->at = before(t, t->at); break;
	case KEY_RIGHT: case CTRL('f'):		t->at = after(t, t->at); break;
	case KEY_HOME: case CTRL('a'):		t->at = 0; break;
	case KEY_END: case CTRL('e'):		t->at = t->n; break;
	case KEY_BACKSPACE: case 127: case 8:	cut(t, before(t, t->at), t->at); break;
	case KEY_DC: case CTRL('d'):		cut(t, t->at, after(t, t->at)); break;
	case CTRL('w'):				cut(t, word_before(t), t->at); break;
	case CTRL('u'):				cut(t, 0, t->at); break;
	case CTRL('k'):				cut(t, t->at, t->n); break;
	default:
		if (code < ' ' || code > 255)
			return false;
		insert(t, (char)code);
	}
	t->recalled = 0;
	return true;
}

void typing_paste(struct typing *t, int code)
{
	if (code == '\n' || code == '\r' || code == '\t')
		code = ' ';
	if (code >= ' ' && code < 256 && code != 127)
		insert(t, (char)code);
}

/* -- the past -- */

static void forget(struct past *p, size_t i)
{
	free(p->lines[i]);
	p->n--;
	memmove(p->lines + i, p->lines + i + 1, (p->n - i) * sizeof(*p->lines));
}

static void remember(struct past *p, const char *line)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->lines[i], line))
			forget(p, i--);
	if (p->n == PAST_MAX)
		forget(p, 0);
	p->lines[p->n++] = xstrdup(line);
}

bool typing_recall(struct typing *t, int by)
{
	const struct past *p = &t->past[t->kind];
	size_t to = t->recalled + (size_t)by;

	if (to > p->n)		/* also below 0 */
		return false;
	if (!t->recalled)
		memcpy(t->draft, t->text, sizeof(t->draft));
	t->recalled = to;
	set(t, to ? p->lines[p->n - to] : t->draft);
	return true;
}

/* -- beginning and end -- */

void typing_begin(struct typing *t, enum typing_kind kind, const char *first)
{
	t->kind = kind;
	t->recalled = 0;
	set(t, first);
}

void typing_end(struct typing *t, bool keep)
{
	if (keep && t->n && t->kind != TYPING_ANSWER)
		remember(&t->past[t->kind], t->text);
	explicit_bzero(t->text, sizeof(t->text));
	explicit_bzero(t->draft, sizeof(t->draft));
	t->n = t->at = t->recalled = 0;
	t->kind = TYPING_NOTHING;
}

void typing_done(struct typing *t)
{
	typing_end(t, false);
	for (size_t kind = 0; kind < TYPING_KINDS; kind++)
		while (t->past[kind].n)
			forget(&t->past[kind], 0);
}

/* -- drawing -- */

static struct span part(const struct typing *t, size_t from, size_t to)
{
	return (struct span){ t->text + from, to - from };
}

/* A piece of the line, in the columns that are left. */
static int draw_part(const struct draw *d, int y, int x, int end, const struct typing *t, size_t from, size_t to, bool is_secret)
{
	if (!is_secret)
		return x < end ? x + draw_span(d, y, x, end - x, ROLE_IS_DIALOG, part(t, from, to)) : x;
	for (; from < to && x < end; from = after(t, from))
		x += draw_text(d, y, x, end - x, ROLE_IS_DIALOG, "*");
	return x;
}

static int columns_of(const struct typing *t, const struct draw *d, size_t from, bool is_secret)
{
	int n = 0;

	if (!is_secret)
		return (int)safe_columns(part(t, from, t->at), d->glyphs->is_ascii);
	for (; from < t->at; from = after(t, from))
		n++;
	return n;
}

void typing_draw(const struct typing *t, const struct draw *d, int y, int x, int width, const char *head, const char *tail,
		 bool is_secret)
{
	int end = x + width, place;
	size_t from = 0;

	draw_blank(d, y, x, width);
	place = x + (int)safe_columns(span_of(head), d->glyphs->is_ascii);
	if (place <= end - 4)
		draw_text(d, y, x, width, ROLE_IS_DIALOG, head);
	else	/* no room for both: the line matters more, but it must be seen what is asked */
		place = width < 24 ? x : x + draw_text(d, y, x, width / 2, ROLE_IS_DIALOG, head);
	while (from < t->at && place + columns_of(t, d, from, is_secret) + 2 > end)
		from = after(t, from);
	x = draw_part(d, y, place, end, t, from, t->at, is_secret);
	if (x < end && t->at == t->n) {
		place = x + draw_text(d, y, x, end - x, ROLE_IS_DIALOG, "_");
	} else if (x < end) {
		place = draw_part(d, y, x, end, t, t->at, after(t, t->at), is_secret);
		draw_restyle(d, y, x, place - x, ROLE_IS_CURSOR);
		place = draw_part(d, y, place, end, t, after(t, t->at), t->n, is_secret);
	}
	if (*tail && place + 3 < end)
		draw_text(d, y, place + 3, end - place - 3, ROLE_IS_DIALOG, tail);
}
