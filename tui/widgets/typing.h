/*
 * A line being typed on the last row: a filter, a command, a time, an answer. Edited by characters as they are seen, with
 * what was typed before within reach of the arrows. What is pasted is text and nothing else, whatever it holds.
 */
#ifndef TUI_WIDGETS_TYPING_H
#define TUI_WIDGETS_TYPING_H

#include "tui/widgets/draw.h"

#define INPUT_MAX 512	/* bytes of a line, with the NUL */
#define PAST_MAX 50

/* What curses is to tell when the terminal brackets a paste; beyond every code of its own. */
#define KEY_PASTE_BEGIN	0x7001
#define KEY_PASTE_END	0x7002

enum typing_kind {
	TYPING_NOTHING, TYPING_FILTER, TYPING_TIME, TYPING_COMMAND, TYPING_ANSWER, TYPING_SEARCH, TYPING_ACK, TYPING_GIVE,
	TYPING_EXPORT, TYPING_REPORT, TYPING_SNAPSHOT, TYPING_REPLACE,
	TYPING_NOTE, TYPING_PLAN_FILE, TYPING_SKIP, TYPING_LABEL, TYPING_SHEET, TYPING_KINDS,
};

struct past {
	char *lines[PAST_MAX];		/* owned; oldest first, none twice */
	size_t n;
};

struct typing {
	enum typing_kind kind;
	char text[INPUT_MAX];
	size_t n, at;			/* bytes; at: where the cursor is */
	bool is_full;			/* the character that is coming has no room */
	struct past past[TYPING_KINDS];
	size_t recalled;		/* 1: the last of the past; 0: what is being typed */
	char draft[INPUT_MAX];		/* what was being typed before that */
};

void typing_done(struct typing *t);
void typing_begin(struct typing *t, enum typing_kind kind, const char *first);
/* Wipes the line; keep: it is put with the past of its kind. */
void typing_end(struct typing *t, bool keep);
/* A key that edits; false when it is none of these. */
bool typing_key(struct typing *t, int code);
/* Older (1) or newer (-1) lines of the same kind; false when there is none. */
bool typing_recall(struct typing *t, int by);
/* One key of a paste: line ends and tabs become blanks, other controls are left out. */
void typing_paste(struct typing *t, int code);
/* Replaces the bytes from the given place to the cursor. */
void typing_replace(struct typing *t, size_t from, const char *text);
/* Head, the line around its cursor, and tail; scrolled so that the cursor is seen. is_secret: one * a character. */
void typing_draw(const struct typing *t, const struct draw *d, int y, int x, int width, const char *head, const char *tail,
		 bool is_secret);

#endif
