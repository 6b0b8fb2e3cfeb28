/*
 * The rows of one link: what is judged wrong first, then what moves, then what must agree and does, then the rest. A
 * setting is one row, a counter one for each index.
 */
#ifndef TUI_SCREENS_DETAIL_FACTS_H
#define TUI_SCREENS_DETAIL_FACTS_H

#include "tui/screens/proof_pane.h"
#include "tui/widgets/sparkline_window.h"

/* A heading of Detail, and what stands below it. */
struct detail_part {
	const char *title, *help;
};

struct detail_row {
	enum field field;
	unsigned index;
	const struct detail_part *heading;	/* of the rows below; NULL: a field */
};

struct detail_view {
	struct detail_row *rows;
	size_t n, cap, n_quiet;
	enum window window;		/* of the sparklines */
	struct proof_pane proof;
};

struct detail {
	const struct view_of *of;
	struct views *v;
	struct detail_view *own;
	const struct port *a, *b;	/* b NULL: the far end is not known */
};

struct detail_view *detail_view(struct views *v);
/* Of the link that the views are about. */
struct detail detail_of(const struct view_of *of, struct views *v);
/* Makes the rows. */
void detail_rows(const struct detail *d);

bool detail_is_counted(enum field f);
/* The worst of the checks on a field, at either end. */
enum verdict detail_verdict(const struct detail *d, enum field f);
/* Nobody says it of this end, and the policy wants nothing of it there: a host has no queues to mark. */
bool detail_is_beside(const struct detail *d, const struct port *p, enum field f);
/* The first that stands, from an index on; NULL when there is none. */
const struct cell *detail_first(const struct port *p, enum field f, unsigned from);
/* A finding about one of the ends. */
bool detail_has(const struct detail *d, const struct finding *f);

#endif
