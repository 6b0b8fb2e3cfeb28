/*
 * What a screen draws, as lines of words: for those who do not see a picture. A screen draws the same way; what it draws
 * comes here instead of onto a window, whole, in the order of the rows, without frames, bars and alignment.
 */
#ifndef TUI_WIDGETS_LINES_H
#define TUI_WIDGETS_LINES_H

#include "core/base/mem.h"
#include "tui/widgets/theme.h"

#define LINES_ROWS 25000	/* of the window that is not there: nothing has to give way */
#define LINES_COLS 100

struct piece {
	int y, x;
	size_t order;			/* in which it came */
	bool is_title, is_whole;	/* whole: a line of its own */
	const char *text;		/* in the arena, safe to print */
};

struct lines {
	struct piece *list;	/* owned */
	size_t n, cap;
	struct arena texts;
	bool ascii;
};

void lines_clear(struct lines *l);
void lines_done(struct lines *l);
/* A piece of a row; returns the columns it would have taken. */
int lines_add(struct lines *l, int y, int x, struct span text);
void lines_title(struct lines *l, int y, int x, const char *text);
/* A line of its own, below those of the same row before it: in words, or as somebody wrote it. */
void lines_words(struct lines *l, int y, struct span text);
void lines_verbatim(struct lines *l, int y, struct span text);
/* What a sparkline shows: "rising, 0 to 41k in the last 60 seconds". step_us: from one sample to the next; 0: a second. */
void lines_spark(struct lines *l, int y, int x, const float *values, size_t n, int64_t step_us);
void spark_words(struct buf *out, const float *values, size_t n, int64_t step_us);

/* Of a text that is nothing but a sign ("?": "not known"); NULL: it is more. */
const char *sign_words(const char *text);

/* Titles are lines ending in a full stop; the pieces of one row are one line. */
void lines_print(struct lines *l, struct buf *out);

#endif
