/*
 * What a terminal would show of a byte stream, as plain lines: escape sequences gone, a line that is drawn over by
 * carriage return or backspace is what it became, log lines that the device prints in between are cut out.
 * The result does not depend on how the bytes were cut into chunks.
 */
#ifndef REMOTE_TALK_TELETYPE_H
#define REMOTE_TALK_TELETYPE_H

#include "core/base/mem.h"

struct teletype {
	struct buf text;	/* the lines so far; the last one may not have ended */
	size_t line;		/* where the last line begins in text */
	size_t max;		/* bytes of text kept; whole lines beyond it are dropped. 0: no limit */
	bool is_cut;		/* lines were dropped */
	enum { ESC_NONE, ESC_BEGUN, ESC_CSI, ESC_STRING, ESC_STRING_END, ESC_ONE_MORE } escape;
	bool returned;		/* a carriage return came last: what follows draws over the line, unless it is a line end */
};

void teletype_feed(struct teletype *t, struct span bytes);
/* The line that has not ended yet: where a prompt, a pager or a question stands. */
struct span teletype_tail(const struct teletype *t);
/* Takes the tail away, as if it had not been printed. */
void teletype_drop_tail(struct teletype *t);
void teletype_clear(struct teletype *t);
void teletype_done(struct teletype *t);

#endif
