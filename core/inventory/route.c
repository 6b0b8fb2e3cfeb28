#include "core/inventory/route.h"

#include <stdlib.h>

static void free_list(struct route **list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i]->identities.list);
		free(list[i]->certificates.list);
		free(list[i]->known_hosts.list);
		free(list[i]->ssh_args.list);
		free(list[i]->notes.list);
		free(list[i]);
	}
	free(list);
}

void routes_done(struct routes *r)
{
	free_list(r->list, r->n);
	free_list(r->jumps, r->n_jumps);
	arena_done(&r->arena);
	*r = (struct routes){ 0 };
}

const struct route *routes_find(const struct routes *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->list[i]->name, name))
			return r->list[i];
	return NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool route_is_same(const struct route *a, const struct route *b)
{
	return a == b ||
	       (a && b && is_same_text(a->address, b->address) && a->port == b->port && is_same_text(a->user, b->user) &&
		texts_are_same(&a->identities, &b->identities) && texts_are_same(&a->certificates, &b->certificates) &&
		a->identities_only == b->identities_only && is_same_text(a->agent, b->agent) && route_is_same(a->jump, b->jump) &&
		is_same_text(a->proxy_command, b->proxy_command) && is_same_text(a->host_key_alias, b->host_key_alias) &&
		texts_are_same(&a->known_hosts, &b->known_hosts) && a->is_strict == b->is_strict && a->transport == b->transport &&
		texts_are_same(&a->ssh_args, &b->ssh_args) && is_same_text(a->destination, b->destination) &&
		is_same_text(a->trouble, b->trouble));
}

void route_jumps(const struct route *r, struct buf *out)
{
	if (!r->jump)
		return;
	route_jumps(r->jump, out);
	buf_printf(out, "%s%s", out->n ? "," : "", r->jump->name);
}
