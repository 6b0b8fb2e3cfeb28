/*
 * The fabric as a tree, from LLDP: rack, device, port; and before the racks what is wrong with the cables as such. Rows
 * stand in the order they are shown; what is below a row follows it.
 */
#ifndef CORE_FABRIC_TREE_H
#define CORE_FABRIC_TREE_H

#include "core/fabric/link.h"

enum tree_is {
	TREE_SECTION,	/* title: what its rows have in common */
	TREE_RACK,	/* title */
	TREE_DEVICE,	/* device */
	TREE_LINK,	/* link, seen from port */
	TREE_SWAP,	/* link and link->swapped */
	TREE_CABLE,	/* of the plan, and not seen */
};

struct tree_row {
	enum tree_is is;
	unsigned depth;
	size_t end;			/* the first row that is not below this one */
	const char *title;
	const struct device *device;
	const struct port *port;
	const struct link *link;
	const struct planned *cable;
};

struct tree {
	struct tree_row *rows;
	size_t n, cap;
	const char **ups;		/* by device id: the spines that a leaf reaches, "spine1 x2, spine2 x2"; NULL: none */
	unsigned *n_hosts;		/* by device id: links to hosts, which stand at the hosts */
	const struct planned **plans;	/* by link: what the plan says of it; NULL: it is not in the plan */
	struct arena arena;
	uint64_t serial;		/* of the links it was made from, */
	const struct links *links;
	const struct model *model;	/* and the model, */
	size_t n_devices;		/* and how many devices it had */
};

/* Makes *tree (zeroed before first use) agree with the links; cheap when they have not changed. True when it was made anew. */
bool tree_update(struct tree *tree, const struct links *links, const struct model *m, const struct inventory *inv);
void tree_done(struct tree *tree);

/* The rail of a link's switch end by the inventory, else that switch; NULL when it is not known. */
const char *link_rail(const struct link *link, const struct inventory *inv);
/* "LLDP both ends", "plan alone", …: by what a link is known. */
const char *link_by_words(enum link_by by);

#endif
