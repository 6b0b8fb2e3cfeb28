/* One moment of a recording as its sheets have it, and how two statements of it are laid side by side. */
#ifndef TESTS_TRIALS_MOMENT_H
#define TESTS_TRIALS_MOMENT_H

#include "tests/lib/run.h"
#include "tests/trials/surfaces.h"

struct moment {
	const char *file, *at;		/* at: NULL: the end */
	json_t *status, *ports, *map, *findings, *pauses, *report, *diagnose;
	json_t *cells;			/* show of every device */
	struct surfaces_count *count;
	struct buf *words;
};

/* fabcon replay of it with these arguments; input: what is typed, or NULL. */
struct run moment_run(const struct moment *m, const char *const *args, const char *input);

/* Of a row; "" where there is none. */
const char *text_of(json_t *row, const char *key);
json_t *rows_of(json_t *sheet);
/* The number, or NAN. */
double number_of(json_t *row, const char *key);

/* "2026-11-23T17:21:45.881213Z" in seconds, for differences; NAN: it is no time. */
double time_of(const char *text);

/* what, of where, one surface and the other that contradict each other. */
void differ(struct moment *m, const char *what, const char *where, const char *one, const char *other);
void same_number(struct moment *m, const char *what, const char *where, const char *a, double x, const char *b, double y);
void same_word(struct moment *m, const char *what, const char *where, const char *a, const char *x, const char *b, const char *y);

/* -- the surfaces that have files of their own -- */

/* Each cell of -o csv is that of -o json. */
void compare_csv(struct moment *m);
/* The screens, in lines. */
void compare_plain(struct moment *m);
/* What findings and diagnose cite is what the cells say. */
void compare_cited(struct moment *m);

#endif
