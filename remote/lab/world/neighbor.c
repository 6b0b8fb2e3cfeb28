#include "remote/lab/world/neighbor.h"

#include <stdio.h>

void neighbor_of(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	const struct lab_device *d = &f->devices[p->device];

	*n = (struct neighbor){ .name = d->name, .chassis = d->mac };
	snprintf(n->description, sizeof(n->description), "%s", p->name);
	d->system->neighbor(f, p, n);
}
