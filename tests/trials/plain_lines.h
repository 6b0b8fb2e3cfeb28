/* The screens in lines, as --plain prints them: which line says what, and figures read back from how they are written. */
#ifndef TESTS_TRIALS_PLAIN_LINES_H
#define TESTS_TRIALS_PLAIN_LINES_H

#include "tests/trials/moment.h"

/* Of one screen, from the line that names it to the next screen's name. */
struct screen_lines {
	char **list;
	size_t n;
};

struct screen_lines lines_of(char *all[], size_t n, const char *title);
/* The first that begins so, or NULL. */
const char *line_with(const struct screen_lines *s, const char *begin);

/* "12. fault, …": behind the number; NULL: it is no row. */
const char *line_row(const char *line);
const char *nth_row(const struct screen_lines *s, size_t nth);
/* "pfc/s: 5.9k. …": what follows the label, up to the next; "" where there is none. */
const char *part_of(const char *row, const char *label, char out[256]);

/* The number before the word, "4 of 4 devices up": of the first such place; NAN: it is not there. */
double before(const char *text, const char *word);
/* "5.9k" as a number; NAN: it is none. */
double figure_of(const char *text);
/* "37 seconds", "1 minute 40 seconds": seconds, and the unit that it was cut to. */
double seconds_of(const char *text, double *unit);
/* The text is how the number is written: "54.6G" is each that rounds to it, "not known" is NAN. */
void same_figure(struct moment *m, const char *what, const char *where, const char *text, const char *sheet, double number);

/* Rows of findings, as a screen lists them. */
void compare_listed(struct moment *m, json_t *finding, const char *row, const char *screen);
/* Its list, the worst links, the roots of pause and the rates. */
void compare_overview(struct moment *m, const struct screen_lines *s);

#endif
