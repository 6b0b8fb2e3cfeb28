/*
 * The key table: what each key does, and on which screens. The key bar, the help, the man page and the ":" prompt are
 * made from it. One key means one thing everywhere; Space alone plays on History and marks elsewhere.
 */
#ifndef TUI_WIDGETS_KEYS_H
#define TUI_WIDGETS_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/mem.h"
#include "core/base/span.h"
#include "tui/widgets/screen_list.h"

enum command {
	DO_NOTHING,
	DO_HELP, DO_PROMPT, DO_FILTER,
	DO_UP, DO_DOWN, DO_LEFT, DO_RIGHT, DO_PAGE_UP, DO_PAGE_DOWN, DO_TOP, DO_BOTTOM, DO_NEXT_PANE, DO_PREVIOUS_PANE,
	DO_OPEN, DO_CANCEL, DO_BACK, DO_INTERRUPT, DO_SUSPEND, DO_REDRAW,
	SCREEN_LIST(SCREEN_GO_OF)
	DO_MARK, DO_MARK_ALL, DO_COMPARE, DO_PLAY, DO_SORT, DO_INVERT, DO_FREEZE, DO_COLUMNS, DO_FOLLOW,
	DO_PAUSE, DO_LIVE, DO_NEXT_SAMPLE, DO_PREVIOUS_SAMPLE, DO_NEXT_EVENT,
	DO_PREVIOUS_EVENT, DO_NEXT_NOTE, DO_TIME,
	DO_ZOOM_IN, DO_ZOOM_OUT, DO_MARK_A, DO_MARK_B, DO_NOTE, DO_SPEED,
	DO_EXPLAIN, DO_RAW, DO_PANE, DO_ACK, DO_UNDO, DO_DIAGNOSE, DO_ABOUT_ALL, DO_FIX, DO_APPLY, DO_KEEP, DO_DROP,
	DO_MANIFEST, DO_NEXT_FAILURE, DO_LABEL, DO_RETEST, DO_SKIP, DO_BLINK, DO_TEST, DO_TEST_RACK, DO_MATRIX, DO_ARM, DO_DISARM, DO_KEEP_HOSTS,
	DO_BASELINE, DO_ZERO, DO_UNZERO, DO_REFRESH, DO_FILL, DO_THEME, DO_SETTINGS, DO_MOUSE, DO_QUIT,
	DO_NEXT_MATCH, DO_PREVIOUS_MATCH, DO_COPY, DO_COPY_JSON, DO_EXPORT, DO_REPORT, DO_SNAPSHOT,
	COMMAND_COUNT,
};

/* Commands that are dealt with alike. */
enum key_group {
	KEYS_OTHER,
	KEYS_MOVE,		/* the cursor, the page; on History, the time */
	KEYS_TIME,		/* what is shown of the recording, or of what is remembered */
	KEYS_GO,		/* to another screen */
};

struct key {
	enum command command;
	const char *name;		/* after ":" */
	int codes[4];			/* as curses tells them; 0: none */
	const char *show;		/* "? F1" */
	unsigned screens;		/* bits 1 << enum screen_id */
	const char *bar;		/* its word in the key bar; NULL: not there */
	const char *help;
	enum key_group group;
	enum screen_id to;		/* of KEYS_GO */
};

extern const struct key key_table[];
extern const size_t key_count;

/* What a key means on a screen; DO_NOTHING when it means nothing there. */
enum command key_command(int code, enum screen_id screen);
/* The row of a command on a screen, or NULL. By its name, or what a screen is called: any screen. */
const struct key *key_of(enum command command, enum screen_id screen);
const struct key *key_named(struct span name);
/* A command's group; false: it is of another. */
bool command_is(enum command command, enum key_group group);
/* The screen that a command goes to; false: it goes to none. And the key that goes to a screen. */
bool command_goes(enum command command, enum screen_id *to);
const struct key *key_to(enum screen_id to);

/* What a screen is called; the rows of screen_list.h, by enum screen_id. */
struct screen_name {
	const char *name, *title, *brief;
};
extern const struct screen_name screen_names[SCREEN_COUNT];
/* By any of the three, in any case. */
bool screen_named(struct span word, enum screen_id *id);

#endif
