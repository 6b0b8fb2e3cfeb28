/*
 * A cable plan as sites keep it. A CSV file, a cable a row,
 *
 *	device,port,peer,peer_port
 *	node1,eth2,leaf1,ethernet1/1/1
 *
 * whose heading may spell the four in the ways of plan_csv.c's table ("Switch Port", "a_device", NetBox's "Termination A");
 * other columns are skipped, as are blank lines and lines that begin with #. Commas, semicolons or tabs divide; fields may
 * stand in double quotes; four columns need no heading. Or a Graphviz file, "leaf1":"swp1" -- "node1":"eth2". Or what
 * `lldpcli show neighbors -f json` printed, in a file that is named after the device.
 */
#ifndef CORE_FABRIC_CABLE_PLAN_H
#define CORE_FABRIC_CABLE_PLAN_H

#include "core/fabric/link.h"

/*
 * The cables of a text take the place of those that inv has. file: for messages ("file:line: reason"). A port that is
 * planned to face two others is refused; a cable that is written from both its ends is one.
 */
bool cable_plan_read(struct inventory *inv, struct span text, const char *file, struct err *err);

/* The cables that inv has, as a CSV that cable_plan_read() reads back the same. */
void cable_plan_text(const struct inventory *inv, struct buf *out);

/* The plan that would be kept to now: every cable of which some end says what it sees. Returns how many. */
size_t cable_plan_write(const struct links *links, struct buf *out);

#endif
