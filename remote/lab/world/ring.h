/* Routes that lock up: what goes from host to host of a leaf goes around by another leaf and two spines. */
#ifndef REMOTE_LAB_WORLD_RING_H
#define REMOTE_LAB_WORLD_RING_H

#include "remote/lab/world/fabric.h"

/* Whether two leaves with hosts share two spines, and the port's device is the first of these leaves. */
bool ring_begins_at(const struct fabric *f, const struct lab_port *p);

/* A flow that is begun while routes go around takes its way, if it is of the ring. */
void ring_route(struct fabric *f, const struct lab_flow *flow);
/* All flows: around, or by hash again. */
void ring_routes(struct fabric *f, bool on);

#endif
