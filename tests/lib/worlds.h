/*
 * For tests of what is shown: fabrics of which more or less is known, and a screen's look at one. Small ones have two
 * links and a host more; the large one 128 nodes on eight leaves.
 */
#ifndef TESTS_LIB_WORLDS_H
#define TESTS_LIB_WORLDS_H

#include "tests/lib/world.h"
#include "tui/screens/screens.h"

enum known {
	KNOWN_WELL,	/* everything, and all is as it should be */
	KNOWN_FULL,	/* everything, with faults, warnings and what was refused */
	KNOWN_PARTLY,	/* some devices were not reached */
	KNOWN_UNKNOWN,	/* every device said that it cannot tell */
	KNOWN_NOTHING,
	KNOWN_LARGE,	/* 1024 links; three faults among them, and a node that was not reached */
	KNOWN_COUNT,
};

#define LARGE_NODES 128
#define LARGE_RAILS 8

const char *known_name(enum known k);
void world_known(struct world *w, enum known k);
/* Of that moment; each call is a change for who draws it. */
struct view_of world_view(const struct world *w);

#endif
