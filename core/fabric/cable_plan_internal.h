/* Cable plans in their formats: what plan.c, plan_csv.c, plan_dot.c and plan_lldp.c share. */
#ifndef CORE_FABRIC_CABLE_PLAN_INTERNAL_H
#define CORE_FABRIC_CABLE_PLAN_INTERNAL_H

#include "core/fabric/cable_plan.h"

enum end { END_DEVICE, END_PORT, END_PEER, END_PEER_PORT, ENDS };

struct facing;

struct cable_plan_reading {
	struct inventory *inv;
	const char *file;
	struct err *err;
	unsigned line;
	struct facing *ports;		/* what each port is planned to face */
};

bool cable_plan_complain(struct cable_plan_reading *r, const char *what, const char *value);
/* One cable of the line that is read; the same again, from either end, is one. */
bool cable_plan_cable(struct cable_plan_reading *r, const char *const ends[ENDS]);

bool plan_read_csv(struct cable_plan_reading *r, struct span text);
/* Graphviz: "leaf1":"swp1" -- "node1":"eth2"; or the ports as taillabel and headlabel. */
bool plan_read_dot(struct cable_plan_reading *r, struct span text);
/* lldpcli show neighbors -f json, or json0; the device that printed it is the file's name. */
bool plan_read_lldp(struct cable_plan_reading *r, struct span text);

#endif
