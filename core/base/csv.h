/* Rows of fields: divided by a comma, a semicolon or a tab, in double quotes where they hold one. */
#ifndef CORE_BASE_CSV_H
#define CORE_BASE_CSV_H

#include "core/base/mem.h"

#define CSV_COLUMNS_MAX 64

struct csv {
	char divider;
	struct buf fields[CSV_COLUMNS_MAX];
	size_t n;
};

/* The divider is the first of , ; and tab that the line has. */
void csv_divide(struct csv *c, struct span heading);
/* The fields of one line; what is wrong with it, or NULL. */
const char *csv_row(struct csv *c, struct span line);
/* "" where the row has no such column. */
const char *csv_field(const struct csv *c, int column);
/* The column whose title is among spellings, in lower case with _ for blanks, dots and dashes: "name hostname device"; -1: none. */
int csv_column(const struct csv *c, const char *spellings);
void csv_done(struct csv *c);

#endif
