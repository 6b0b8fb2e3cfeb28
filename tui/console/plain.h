/*
 * The console without a picture: lines go in, lines come out, nothing is drawn over. For those who listen to it, for a
 * terminal that can do no more, and for scripts. It is the same stage with the same screens; tui/console/app.c acts on its
 * intents as on those of keys.
 */
#ifndef TUI_CONSOLE_PLAIN_H
#define TUI_CONSOLE_PLAIN_H

#include <termios.h>

#include "tui/console/stage.h"

#define TYPED_MAX (1u << 16)	/* of a script that is read ahead; the rest waits in the pipe */

struct plain_finding;

struct plain {
	struct lines lines;
	struct buf typed;		/* not yet a whole line */
	bool is_ended;			/* nothing more will be typed */
	bool is_script;			/* no person at a terminal: lines wait until the devices have answered */
	bool is_awaited;		/* a prompt is out */
	struct plain_finding *open;	/* owned; what was open when news were told last, by key */
	size_t n_open, cap_open;
	bool has_news;			/* news are told from now on */
	size_t answered;		/* devices, as told last */
	bool was_answered;		/* all have, and it was told */
	struct termios before;
	bool is_silent;			/* what is typed is not shown */
};

void plain_begin(struct plain *p, bool ascii);
void plain_done(struct plain *p);

/* Takes what can be read now from standard input. */
void plain_read(struct plain *p, int fd);
/* The next whole line; false when there is none yet. Lent until the next call of plain_read(). */
bool plain_next(struct plain *p, struct buf *line);

/*
 * One line typed: an answer, a key ("x", "8"), a command of the key table ("ports"), or one with what it is about
 * ("open 3", "explain 3", "filter trust:pcp", "sort paused", "time -10m", "help ports"). An empty line shows again.
 */
struct intent plain_line(struct stage *s, const struct view_of *of, const char *line);

/* What is up: the question, the page (read by that, and closed), or the screen with every row. */
void plain_show(struct plain *p, struct stage *s, const struct view_of *of, struct buf *out);
/* After an intent was acted on: what was said, and the screen when it has changed. */
void plain_result(struct plain *p, struct stage *s, const struct view_of *of, const struct intent *i, struct buf *out);
/* Findings that opened or closed, devices that answered, since it was asked last. */
void plain_news(struct plain *p, const struct view_of *of, size_t answered, size_t hosts, struct buf *out);
void plain_prompt(struct plain *p, const struct stage *s, struct buf *out);

#endif
