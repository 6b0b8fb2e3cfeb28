/* Routes by the inventory alone: what it does not say is as usual. */
#include <stdlib.h>

#include "core/route/routes.h"

#define JUMPS_MAX	4	/* through one another; more is a circle */

static const char *keep(struct routes *r, struct span text)
{
	return arena_text(&r->arena, text.p, text.n);
}

/* Takes "user@address:port" or "[address]:port" apart; false when the port is none. */
static bool read_jump(struct routes *r, const char *spec, struct route *out)
{
	struct span address = span_of(spec), user = { 0 }, port = { 0 }, rest = { 0 };
	uint64_t number = 22;

	span_cut_last(address, '@', &user, &address);
	if (span_skip(&address, "[")) {
		span_cut(address, ']', &address, &rest);
		if (span_skip(&rest, ":"))
			port = rest;
	} else if (memchr(address.p, ':', address.n) == memrchr(address.p, ':', address.n)) {
		span_cut(address, ':', &address, &port);
	}
	if (!address.n || (port.n && (!span_u64(port, &number) || !number || number > 65535)))
		return false;
	*out = (struct route){ .name = keep(r, span_of(spec)), .address = keep(r, address), .port = (unsigned)number,
			       .user = user.n ? keep(r, user) : NULL };
	return true;
}

static void fill(struct routes *r, const struct inventory *inv, const struct host *h, struct route *out, unsigned depth);

/* The jump host of that name, or of that spec; one route serves all. NULL: it cannot be gone through. */
static const struct route *jump_of(struct routes *r, const struct inventory *inv, const char *spec, unsigned depth)
{
	const struct host *h = inventory_find(inv, spec);
	struct route *jump;

	for (size_t i = 0; i < r->n_jumps; i++)
		if (!strcmp(r->jumps[i]->name, spec))
			return r->jumps[i];
	if (depth >= JUMPS_MAX)
		return NULL;
	jump = xcalloc(1, sizeof(*jump));
	if (h) {
		fill(r, inv, h, jump, depth + 1);
	} else if (!read_jump(r, spec, jump)) {
		free(jump);
		return NULL;
	}
	*GROW(r->jumps, r->n_jumps, r->cap_jumps) = jump;
	r->n_jumps++;
	return jump;
}

static void fill(struct routes *r, const struct inventory *inv, const struct host *h, struct route *out, unsigned depth)
{
	*out = (struct route){ .name = keep(r, span_of(h->name)), .port = h->port ? h->port : 22,
			       .address = keep(r, span_of(h->address ? h->address : h->name)),
			       .user = h->user ? keep(r, span_of(h->user)) : NULL };
	if (h->identity)
		texts_add(&out->identities, keep(r, span_of(h->identity)));
	if (!h->jump)
		return;
	out->jump = jump_of(r, inv, h->jump, depth);
	if (out->jump && !out->jump->trouble)
		return;
	char *why = xasprintf("jump host: \"%s\" cannot be used (bad form, or a loop)", h->jump);
	out->trouble = keep(r, span_of(why));
	free(why);
}

void routes_plain(struct routes *r, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->n_hosts; i++) {
		struct route *route = xcalloc(1, sizeof(*route));

		fill(r, inv, &inv->hosts[i], route, 0);
		*GROW(r->list, r->n, r->cap) = route;
		r->n++;
	}
}
