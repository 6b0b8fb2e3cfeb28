/* How routes are made: what is known while the hosts of an inventory are gone through, and what fills a route. */
#ifndef CORE_ROUTE_INTERNAL_H
#define CORE_ROUTE_INTERNAL_H

#include "core/inventory/inventory.h"
#include "core/route/routes.h"
#include "core/ssh_config/args.h"
#include "core/ssh_config/ssh_config.h"
#include "core/ssh_config/words.h"

/* A jump host that was settled already, or is being. */
struct known_hop {
	const char *key;
	const struct route *route;
	bool is_open;			/* on the way to the one that is being settled: a circle */
};

struct settling {
	struct routes *r;
	const struct inventory *inv;
	const struct ssh_source *source;
	struct ssh_config *config;
	struct known_hop *hops;
	size_t n_hops, cap_hops;
	unsigned depth;
};

/* A destination and what was said of it on the command line. */
struct ask {
	const char *destination;
	const struct host *host;	/* NULL: a jump host that the inventory does not have */
	struct ssh_args args;
	struct ssh_settings said;
};

/* Texts of the routes' own arena; keep_own() frees text. */
const char *route_keep(struct settling *s, const char *text);
const char *route_keep_own(struct settling *s, char *text);

/* Trouble, of which the first is told: why, which it frees; a line that was said; one that is wrong wherever it is read. */
void route_stop(struct settling *s, struct route *out, char *why);
void route_stop_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why);
void route_wrong_at(struct settling *s, struct route *out, const struct ssh_said *said, const char *why);
void route_note(struct route *out, const char *text);

/* The tokens of most keywords. */
void route_tokens(struct settling *s, const struct ask *a, struct ssh_tokens *t);

/* Address, port, user, keys, agent and host keys. */
void route_fill(struct settling *s, const struct ask *a, struct route *out);
/* What is not followed, of any route; and of one whose connection is made from here. */
void route_limits(struct settling *s, const struct ask *a, struct route *out);
void route_limits_direct(struct settling *s, const struct ask *a, struct route *out);
/* The arguments for this machine's own ssh. */
void route_openssh(struct settling *s, const struct ask *a, struct route *out);

#endif
