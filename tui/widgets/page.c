#include "tui/widgets/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/text/human.h"
#include "tui/text/safe.h"

#define LINES_MAX 20000		/* of a reply; a hostile one may be 4 MB of line ends */
#define LINE_BYTES 1000
#define TAB_COLUMNS 8

void page_done(struct page *p)
{
	free(p->lines);
	arena_done(&p->texts);
	memset(p, 0, sizeof(*p));
}

void page_begin(struct page *p, const char *format, ...)
{
	va_list args;

	page_done(p);
	va_start(args, format);
	vsnprintf(p->title, sizeof(p->title), format, args);
	va_end(args);
}

/* Devices print tables with tabs: they go to the next eighth column, as on a terminal. */
static void add_line(struct page *p, enum role role, struct span text)
{
	struct page_line *line = GROW(p->lines, p->n, p->cap);
	char out[LINE_BYTES];
	size_t n = 0;

	for (size_t i = 0; i < text.n && n < LINE_BYTES; i++) {
		out[n++] = text.p[i] == '\t' ? ' ' : text.p[i];
		while (text.p[i] == '\t' && n % TAB_COLUMNS && n < LINE_BYTES)
			out[n++] = ' ';
	}
	*line = (struct page_line){ role, arena_text(&p->texts, out, n) };
	p->n++;
}

void page_add(struct page *p, enum role role, const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add_line(p, role, span_of(text));
}

void page_wrap(struct page *p, enum role role, const char *label, const char *text, int width)
{
	struct span rest = span_of(text), word;
	struct buf line = { 0 };
	size_t indent = strlen(label);

	buf_printf(&line, "%s", label);
	while (span_word(&rest, &word)) {
		if (line.n > indent && line.n + 1 + word.n > (size_t)(width > 20 ? width : 20)) {
			add_line(p, role, buf_span(&line));
			buf_clear(&line);
			buf_printf(&line, "%*s", (int)indent, "");
		}
		buf_printf(&line, "%s%.*s", line.n > indent ? " " : "", (int)word.n, word.p);
	}
	add_line(p, role, buf_span(&line));
	buf_done(&line);
}

static void reply_lines(struct page *p, const struct reply *r, uint32_t cite)
{
	struct span rest = { r->raw, r->raw_n }, line;
	unsigned number = 0;

	while (p->n < LINES_MAX && span_line(&rest, &line)) {
		bool is_cited = cite != CITE_NONE && (size_t)(line.p - r->raw) <= cite &&
				cite <= (size_t)(line.p - r->raw) + line.n;
		char head[32];
		struct buf text = { 0 };

		number++;
		if (is_cited)
			p->top = p->n > 4 ? p->n - 4 : 0;
		snprintf(head, sizeof(head), "%c%5u  ", is_cited ? '>' : ' ', number);
		buf_str(&text, head);
		buf_add(&text, line.p, line.n < LINE_BYTES ? line.n : LINE_BYTES);
		add_line(p, is_cited ? ROLE_IS_WARN : ROLE_IS_TEXT, buf_span(&text));
		buf_done(&text);
	}
	if (rest.n)
		page_add(p, ROLE_IS_MUTED, "%zu more bytes are not shown", rest.n);
}

void page_reply(struct page *p, const struct reply *r, uint32_t cite)
{
	char time[HUMAN_MAX];

	page_begin(p, "Raw reply: %s, %s", r->device->name, r->probe);
	page_add(p, ROLE_IS_TITLE, "%s%s%s", r->command ? r->command : r->probe, r->subject ? "   about " : "",
		 r->subject ? r->subject : "");
	page_add(p, ROLE_IS_MUTED, "read %s, %zu bytes, %zu facts%s", human_date(time, r->at_us), r->raw_n, r->n_facts,
		 cite == CITE_NONE ? "" : "; > marks the line");
	if (r->raw)
		reply_lines(p, r, cite);
	else
		page_add(p, ROLE_IS_UNKNOWN, "The text of this reply was not kept.");
}

/* -- finding -- */

static void show_line(struct page *p, size_t line)
{
	size_t rows = p->rows > 0 ? (size_t)p->rows : 1;

	p->found = line;
	if (line < p->top || line >= p->top + rows)
		p->top = line > rows / 3 ? line - rows / 3 : 0;
}

static bool has_words(const struct page *p, size_t line)
{
	return *p->words && strcasestr(p->lines[line].text, p->words);
}

bool page_find(struct page *p, const char *words)
{
	snprintf(p->words, sizeof(p->words), "%s", words);
	p->top = p->search_top;
	for (size_t i = 0; i < p->n; i++) {
		size_t line = (p->search_top + i) % p->n;

		if (!has_words(p, line))
			continue;
		show_line(p, line);
		return true;
	}
	return !*words;
}

bool page_find_next(struct page *p, int by)
{
	for (size_t i = 1; i <= p->n; i++) {
		size_t line = (p->found + (by > 0 ? i : p->n - i)) % p->n;

		if (!has_words(p, line))
			continue;
		show_line(p, line);
		return true;
	}
	return false;
}

/* The words stand out wherever they are in the line, as far as it is seen. */
static void mark_words(const struct page *p, const struct draw *d, int y, struct span text)
{
	size_t n = strlen(p->words);
	const char *from = text.p, *at;

	while (n && (at = strcasestr(from, p->words))) {
		int x = 1 + (int)safe_columns((struct span){ text.p, (size_t)(at - text.p) }, d->glyphs->is_ascii);

		if (x >= d->cols)
			break;
		draw_restyle(d, y, x, (int)safe_columns((struct span){ at, n }, d->glyphs->is_ascii), ROLE_IS_CURSOR);
		from = at + n;
	}
}

void page_draw(struct page *p, const struct draw *d, int y, int rows)
{
	p->rows = rows - 1;
	draw_rule(d, y, 0, d->cols, p->title);
	for (size_t i = 0; d->lines && i < p->n; i++)
		lines_verbatim(d->lines, y + 1, span_of(p->lines[i].text));
	if (d->lines)
		return;
	if (p->top + (size_t)(p->rows > 0 ? p->rows : 0) > p->n)
		p->top = p->n > (size_t)p->rows ? p->n - (size_t)p->rows : 0;
	for (int i = 0; i < p->rows; i++) {
		struct span text = { NULL, 0 };
		char one[SAFE_MAX];
		unsigned columns;

		draw_blank(d, y + 1 + i, 0, d->cols);
		if (p->top + (size_t)i >= p->n)
			continue;
		text = span_of(p->lines[p->top + (size_t)i].text);
		for (size_t gone = 0; gone < p->pan && safe_next(&text, d->glyphs->is_ascii, one, &columns); gone++)
			;
		draw_span(d, y + 1 + i, 1, d->cols - 1, p->lines[p->top + (size_t)i].role, text);
		if (!p->is_help)
			mark_words(p, d, y + 1 + i, text);
	}
}

bool page_key(struct page *p, enum command command)
{
	size_t page = p->rows > 1 ? (size_t)p->rows - 1 : 1;
	size_t most = p->n > (size_t)p->rows ? p->n - (size_t)p->rows : 0;

	switch (command) {
	case DO_UP:		p->top -= p->top > 0; break;
	case DO_DOWN:		p->top += p->top < most; break;
	case DO_PAGE_UP:	p->top = p->top > page ? p->top - page : 0; break;
	case DO_PAGE_DOWN:	p->top = p->top + page < most ? p->top + page : most; break;
	case DO_TOP:		p->top = 0; break;
	case DO_BOTTOM:		p->top = most; break;
	case DO_LEFT:		p->pan = p->pan > 8 ? p->pan - 8 : 0; break;
	case DO_RIGHT:		p->pan += p->pan < LINE_BYTES ? 8 : 0; break;
	default:		return false;
	}
	return true;
}

void page_print(const struct page *p, bool ascii, struct buf *out)
{
	safe_add(out, span_of(p->title), ascii);
	buf_str(out, "\n");
	for (size_t i = 0; i < p->n; i++) {
		const char *text = p->lines[i].text;

		safe_add(out, span_of(!strcmp(text, " ") ? "" : text), ascii);
		buf_str(out, "\n");
	}
}
