/*
 * A cable plan as sites keep it: a CSV file with a heading, a cable a row.
 *
 *	device,port,peer,peer_port
 *	node1,eth2,leaf1,ethernet1/1/1
 *
 * The heading may spell the four in the ways of plan.c's table ("Switch Port", "a_device"); other columns are skipped, as
 * are blank lines and lines that begin with #. Commas, semicolons or tabs divide; fields may stand in double quotes.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/link.h"

/*
 * The cables of a text take the place of those that inv has. file: for messages ("file:line: reason"). A port that is
 * planned to face two others is refused; a cable that is written from both its ends is one.
 */
bool plan_read(struct inventory *inv, struct span text, const char *file, struct err *err);

/* The plan that would be kept to now: every cable of which some end says what it sees. Returns how many. */
size_t plan_write(const struct links *links, struct buf *out);

#endif
