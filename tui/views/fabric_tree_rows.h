/* The fabric's tree with what is known of each row: the worst below it, how much there is, and the words of its cells. */
#ifndef TUI_VIEWS_FABRIC_TREE_ROWS_H
#define TUI_VIEWS_FABRIC_TREE_ROWS_H

#include "core/fabric/tree.h"
#include "tui/views/port_row.h"

struct fabric_row {
	enum verdict worst;		/* of it and all below */
	unsigned devices, links, bad;	/* below; bad: links with a warning or a fault */
	unsigned cables, bad_cables;	/* of a rack: links with an end in it, each once */
	uint64_t key;			/* stays its own while the row has its name and its place */
	size_t parent;			/* SIZE_MAX: none */
};

struct fabric_rows {
	struct tree tree;
	struct fabric_row *list;	/* by row of the tree */
	enum verdict *verdicts;		/* by link */
	const struct model *model;
	const struct inventory *inventory;
};

/* rows: of each link, in any order. */
void fabric_rows_update(struct fabric_rows *b, const struct links *links, const struct portrow *rows, size_t n,
			const struct model *m, const struct findings *f, const struct inventory *inv);
void fabric_rows_done(struct fabric_rows *b);

static inline bool branch_has_below(const struct fabric_rows *b, size_t row)
{
	return b->tree.rows[row].end > row + 1;
}

/* Each adds what a row says: its name, what it faces (or how much is below), and what the plan says of that. */
void fabric_row_name(const struct fabric_rows *b, size_t row, struct buf *out);
void fabric_row_faces(const struct fabric_rows *b, size_t row, struct buf *out);
void fabric_row_plan(const struct fabric_rows *b, size_t row, struct buf *out);
/* NULL where a row has none. */
const char *fabric_row_rail(const struct fabric_rows *b, size_t row);
const char *fabric_row_known_by(const struct fabric_rows *b, size_t row);
const char *fabric_row_ups(const struct fabric_rows *b, size_t row);
/* Of the link, by the end that tells it. */
bool fabric_row_speed(const struct fabric_rows *b, size_t row, uint64_t *bps);

#endif
