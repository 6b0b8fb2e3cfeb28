/*
 * The heat map: a sign for each link, rails across nodes. Where the links stand is worked out when they change, what
 * they are like at each change of anything; drawing asks for cells alone.
 */
#ifndef TUI_VIEWS_HEAT_MAP_H
#define TUI_VIEWS_HEAT_MAP_H

#include "tui/views/port_row.h"
#include "tui/widgets/draw.h"

struct heat_counts {
	unsigned n, ok, fault, warning, unknown, paused;
};

/* One node at one rail: as a rule one link, else the worst of several. */
struct heat_cell {
	const struct portrow *worst;	/* NULL: no link */
	char sign;			/* of the legend; 0: no link */
};

struct heat_row {
	char name[40], leaf[40];	/* "rail2" and "leaf2"; leaf is empty where it is the name */
	bool is_hosts;			/* its cells stand by node; else by link, one after the other */
	bool is_known;			/* the far end is */
	size_t first, n;		/* of the map's cells */
	size_t alike;			/* rows from this one on that are drawn as one; 0: drawn with one before */
	struct heat_counts counts;
	const struct portrow *worst;
	char sign;			/* of the worst cell */
};

/* Where a link stands. */
struct heat_place {
	size_t row, column;
};

struct heat {
	const struct device **nodes;	/* the columns; lent by the model */
	size_t n_nodes, cap_nodes;
	struct heat_row *rows;
	size_t n, cap;
	struct heat_cell *cells;
	struct heat_place *places;	/* by link; row SIZE_MAX: not on the map */
	size_t n_places, cap_places;
	const struct links *links;	/* what the places were made from */
	const struct model *model;
	uint64_t links_serial;
	size_t n_links;
	size_t worst;			/* the worst row; n when none is bad */
};

enum role heat_role(char sign);
/* A legend that fits: "x down  ! fault …". */
const char *heat_legend(int width);

/* Makes the map agree with the rows of the Ports screen, in any order. */
void heat_update(struct heat *h, const struct links *links, const struct portrow *rows, size_t n, const struct model *m,
		 const struct findings *f, const struct policy *policy, const struct inventory *inv);
void heat_done(struct heat *h);

/* The worst of n cells of a row (and of those drawn as one with it) from a column on. */
struct heat_cell heat_worst(const struct heat *h, size_t row, size_t column, size_t n);
/* The name of a row and of those drawn as one with it: "rail3..7". */
void heat_name(const struct heat *h, size_t row, char *out, size_t size);
/* As a filter of the Ports screen: the links of a row, or of some of its cells (n 0: all). */
void heat_filter(const struct heat *h, size_t row, size_t column, size_t n, struct buf *out);

#endif
