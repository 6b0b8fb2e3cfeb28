/* The rows of all links: one list for the Ports screen and for all others that show links. */
#ifndef TUI_SCREENS_PORT_ROWS_H
#define TUI_SCREENS_PORT_ROWS_H

#include "tui/views/port_row.h"
#include "tui/views/view_of.h"

struct views;

/* The rows of the Ports screen, begun once a change; each is made whole when it is looked at. */
struct portrows {
	struct portrow *list;
	size_t n, cap;
	uint64_t serial;
	struct port_seen *seen;		/* owned; by the id of the port at a: what moved, since when */
	size_t n_seen;
	const struct model *model;	/* that numbered them; never looked into */
};

void portrows_forget(struct portrows *rows);
void portrows_done(struct portrows *rows);
/* As of the last change. And one of them, whole. */
const struct portrows *views_ports(const struct view_of *of, struct views *v);
const struct portrow *views_port(const struct view_of *of, struct views *v, size_t row);

#endif
