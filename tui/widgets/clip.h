/*
 * Text for the clipboard of whoever sits before the terminal, through the terminal itself (OSC 52): it works over SSH, and
 * tmux and screen are told to pass it on. Nothing answers, so that it arrived cannot be known, and is not said.
 */
#ifndef TUI_WIDGETS_CLIP_H
#define TUI_WIDGETS_CLIP_H

#include "core/base/err.h"
#include "core/base/mem.h"

#define CLIP_MAX 74000	/* bytes of base64 that terminals take: xterm's and hterm's bounds are just above */

enum clip_by { CLIP_PLAIN, CLIP_TMUX, CLIP_SCREEN };

/* Appends the sequence; false when the text is too long for one. */
bool clip_sequence(struct span text, enum clip_by by, struct buf *out);

/*
 * Sends it to the terminal, or, when it is too long, writes a file of our own (0600) under $XDG_STATE_HOME/fabcon or
 * TMPDIR. said: what became of it, for a person. extension: of that file.
 */
bool clip_put(int terminal, struct span text, const char *extension, struct buf *said, struct err *err);

#endif
