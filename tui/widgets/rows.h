/*
 * The rows of a list as they stand on the screen, written down: to be copied, exported or read aloud. What a device said
 * goes through tui/text/safe.h; a cell nobody knows is "?" in words and null in JSON.
 */
#ifndef TUI_WIDGETS_ROWS_H
#define TUI_WIDGETS_ROWS_H

#include <jansson.h>

#include "tui/widgets/table.h"

enum rows_as {
	ROWS_TEXT,	/* aligned columns below a heading */
	ROWS_WORDS,	/* "link: node1:eth2; trust: pcp=dscp": a line a row, for those who hear it */
	ROWS_JSON,	/* an array of objects, as rows_json() */
	ROWS_CSV,	/* by RFC 4180; a cell that a spreadsheet would run begins with a quote */
	ROWS_MARKDOWN,
};

enum rows_which { ROWS_CURSOR, ROWS_MARKED, ROWS_SHOWN };

/* A list and its view; table NULL: every row and column, as the source has them. */
struct rows {
	struct table *table;
	const struct table_source *source;
	enum rows_which which;
	bool ascii_only;
};

/* The marked rows when there are any, else the one under the cursor. */
enum rows_which rows_meant(const struct table *t);

/* Appends them; the rows written. Lines end in LF, the last too; sparklines are left out but for JSON. */
size_t rows_write(const struct rows *r, enum rows_as as, struct buf *out);
/* Objects by the columns' names; numbers are numbers, without the unit. */
json_t *rows_json(const struct rows *r);

#endif
