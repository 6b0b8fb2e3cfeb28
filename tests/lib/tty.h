/*
 * For tests: a program on a terminal of its own (a pty), keys typed to it, and every byte it sent. What the bytes would
 * show is read by libvterm.
 */
#ifndef TESTS_LIB_TTY_H
#define TESTS_LIB_TTY_H

#include <sys/types.h>

#include "core/base/mem.h"

struct tty;

/* argv as in run_program(); TERM is xterm-256color, the locale C.UTF-8. */
struct tty *tty_open(const char *const *argv, int rows, int cols);
#define TTY(rows, cols, ...) tty_open((const char *const[]){ __VA_ARGS__, NULL }, (rows), (cols))
void tty_type(struct tty *t, const char *keys);
/* The terminal has another size from now on. */
void tty_resize(struct tty *t, int rows, int cols);
/* Reads until the screen shows (or no longer shows) text; false when that does not come within seconds. */
bool tty_shows(struct tty *t, const char *text, unsigned seconds);
bool tty_hides(struct tty *t, const char *text, unsigned seconds);
/* To the console: waits until what the keys before did has been drawn, by a word at its ":" prompt that is then cancelled. */
bool tty_settle(struct tty *t, unsigned seconds);
/* Lines of the screen; lent until the next call. */
const char *tty_screen(struct tty *t);
const struct buf *tty_bytes(const struct tty *t);
pid_t tty_pid(const struct tty *t);
/* Whether the program still runs, after what it had to say by now is read. */
bool tty_runs(struct tty *t);
/* Waits for the program's end, up to seconds; its exit status, 128 + signal, or -1 when it had to be killed. */
int tty_end(struct tty *t, unsigned seconds);
/* The terminal is gone, as when a window is closed; then as tty_end(). */
int tty_hang_up(struct tty *t, unsigned seconds);
void tty_close(struct tty *t);

#endif
