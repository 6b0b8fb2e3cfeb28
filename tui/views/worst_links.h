/* The links that suffer most now: by what is dropped or damaged on them, and by how long they are stopped. */
#ifndef TUI_VIEWS_WORST_LINKS_H
#define TUI_VIEWS_WORST_LINKS_H

#include "tui/views/port_row.h"

struct worst_link {
	const struct portrow *row;
	double drops_per_s, errors_per_s;	/* of both ends; NAN: neither counts it */
	double paused_share;			/* NAN: not known */
	double lossy_per_s;			/* dropped in other classes than the priority's: NAN as above */
	double weight;				/* over 0 */
};

struct worst_links {
	struct worst_link *list;		/* worst first */
	size_t n, cap;
	size_t of;				/* links in all */
	size_t silent;				/* of these, those of which not all of drops, damage and pause is known at both ends */
	double lossy_per_s;			/* dropped in other classes, on all links together */
	const struct portrow *lossy;		/* where most of that is; NULL: nowhere */
};

/* Of one link. */
struct worst_link worst_link_of(const struct portrow *row, const struct model *m, unsigned priority);
void worst_links_update(struct worst_links *l, const struct portrow *rows, size_t n, const struct model *m,
			const struct findings *f, unsigned priority);
void worst_links_done(struct worst_links *l);

#endif
