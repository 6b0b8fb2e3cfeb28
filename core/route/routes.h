/* The routes to the hosts of an inventory (core/inventory/route.h), made by one of two rules. */
#ifndef CORE_ROUTE_ROUTES_H
#define CORE_ROUTE_ROUTES_H

#include "core/inventory/inventory.h"

struct ssh_source;

/* By the inventory alone. */
void routes_plain(struct routes *r, const struct inventory *inv);
/*
 * As ssh would: what the inventory says is as said on ssh's command line, and wins; then ssh_config as it is for the
 * inventory's address, which is what Ansible calls ssh with; jump hosts likewise, each by its own entries.
 */
void routes_settle(struct routes *r, const struct inventory *inv, const struct ssh_source *source);

#endif
