/*
 * Themes: what each role of a text looks like. A file of lines "role = foreground background attributes", and the ground
 * that it is made for, dark (unless said), light or any:
 *
 *	ground	= dark
 *	crit	= bright-red default bold
 *	cursor	= default default reverse
 *
 * Colours: default, black red green yellow blue magenta cyan white, the same with bright- before, or 0 … 255 of the
 * 256-colour palette. Attributes: bold dim underline reverse italic. Roles not named stay as the terminal's own text.
 * Colour never carries a meaning alone: a glyph does, and the role comes beside it.
 */
#ifndef TUI_WIDGETS_THEME_H
#define TUI_WIDGETS_THEME_H

#include <curses.h>

#include "core/base/err.h"
#include "core/base/span.h"

#define ROLES(X) \
X(TEXT,		"text",		"everything else") \
X(MUTED,	"muted",	"secondary text: units, hints, inactive rows") \
X(TITLE,	"title",	"section and column titles") \
X(HEADER,	"header",	"the first row") \
X(KEY,		"key",		"a key in the key bar and in the help") \
X(CURSOR,	"cursor",	"the row with the cursor; by attributes, so that it shows without color") \
X(MARKED,	"marked",	"marked rows") \
X(OK,		"ok",		"known, fresh and as it should be") \
X(LOOK,		"look",		"info") \
X(WARN,		"warn",		"a warning, and values that differ") \
X(CRIT,		"crit",		"a fault") \
X(UNKNOWN,	"unknown",	"not known, or too old") \
X(CHANGED,	"changed",	"moved just now") \
X(SPARK,	"spark",	"sparklines") \
X(LIVE,		"live",		"the word LIVE") \
X(REPLAY,	"replay",	"the words REPLAY, PAUSED and STALE") \
X(DIALOG,	"dialog",	"questions")

enum role {
#define X(id, ...) ROLE_IS_##id,
	ROLES(X)
#undef X
	ROLE_COUNT,
};

#define THEME_DEFAULT (-1)	/* as the terminal has it */

struct style {
	short fg, bg;		/* 0 … 255, or THEME_DEFAULT */
	attr_t attributes;
};

enum ground { GROUND_DARK, GROUND_LIGHT, GROUND_ANY };

struct theme {
	char name[32];
	enum ground ground;
	struct style styles[ROLE_COUNT];
};

/* Reads a theme file's text; err says "file:line: what, and what is allowed". */
bool theme_read(struct theme *t, struct span text, const char *file, struct err *err);
/* A shipped one by name. */
bool theme_find(struct theme *t, const char *name, struct err *err);
/* Names of the shipped ones by index, NULL at the end; and the text of one as its file reads. */
const char *theme_name(size_t i);
struct span theme_text(size_t i);
const char *role_name(enum role r);
const char *role_help(enum role r);

/* What a colour is on a screen, as 0xRRGGBB; xterm's, for the first 16, which terminals let people change. */
uint32_t colour_rgb(short c);
/*
 * The colour to use on a terminal with fewer: by its hue, a part counting from two thirds of the largest on; of 16 the
 * bright ones for a dark ground. What would be too dark or too pale for the ground (of 8: black or blue on dark; yellow,
 * cyan or white on light) is the terminal's own text.
 */
short colour_among(short c, int colours, enum ground ground);

/* Tells curses (after initscr or newterm). Without colours, attributes alone carry the roles. */
void theme_start(const struct theme *t, bool with_colour);
attr_t theme_attributes(const struct theme *t, enum role r);

#endif
