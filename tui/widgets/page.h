/* A text over the screen, to read and scroll: help, an explanation, a raw reply. */
#ifndef TUI_WIDGETS_PAGE_H
#define TUI_WIDGETS_PAGE_H

#include "core/model/model.h"
#include "tui/widgets/draw.h"
#include "tui/widgets/keys.h"

#define PAGE_WORDS_MAX 128

struct page_line {
	enum role role;
	const char *text;	/* in the arena */
};

struct page {
	char title[128];
	struct page_line *lines;
	size_t n, cap;
	struct arena texts;
	size_t top;
	size_t pan;		/* characters gone to the left */
	int rows;		/* as last drawn */
	char words[PAGE_WORDS_MAX];	/* looked for; "": nothing */
	size_t found;		/* the line that has them, gone to last */
	size_t search_top;	/* where the search began */
	bool is_help;		/* made by tui/console/help_page.h about a screen, and again for other words */
	enum screen_id about;
};

void page_begin(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_done(struct page *p);
void page_add(struct page *p, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Words in lines of at most width columns, the first after a label, the others below it. */
void page_wrap(struct page *p, enum role role, const char *label, const char *text, int width);
/* The lines of a reply as it came, the one at cite marked. */
void page_reply(struct page *p, const struct reply *r, uint32_t cite);

/* Looks for words as they stand, any case, from where the search began; "" ends it. False: they are nowhere. */
bool page_find(struct page *p, const char *words);
/* To the next line that has them (1), or the one before (-1), around the end; false when there is none. */
bool page_find_next(struct page *p, int by);

void page_draw(struct page *p, const struct draw *d, int y, int rows);
bool page_key(struct page *p, enum command command);
/* Title and lines as text; what a device said is safe in it. */
void page_print(const struct page *p, bool ascii, struct buf *out);

#endif
