/* A text over the screen, to read and scroll: help, an explanation, a raw reply. */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "core/model.h"
#include "tui/draw.h"
#include "tui/keys.h"

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
};

void page_begin(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_done(struct page *p);
void page_add(struct page *p, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Words in lines of at most width columns, the first after a label, the others below it. */
void page_wrap(struct page *p, enum role role, const char *label, const char *text, int width);
/* The lines of a reply as it came, the one at cite marked. */
void page_reply(struct page *p, const struct reply *r, uint32_t cite);
/* What the keys do on a screen, then on the others. */
void page_keys(struct page *p, enum screen_id screen);

void page_draw(struct page *p, const struct draw *d, int y, int rows);
bool page_key(struct page *p, enum command command);

#endif
