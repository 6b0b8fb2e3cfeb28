#include "core/fabric/port_count.h"

#include <string.h>

static bool is_known_as(const struct port *p, enum field f, uint64_t n)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_KNOWN && c->value.n == n;
}

/* An RDMA device that no interface is known of goes by its own name, and has nothing that an interface has. */
static bool is_bare(const struct port *p)
{
	return !port_cell(p, FIELD_ROLE, 0) && !port_cell(p, FIELD_MAC, 0) && !port_cell(p, FIELD_UP, 0) &&
	       (port_cell(p, FIELD_RDMA_STATE, 0) || port_cell(p, FIELD_RDMA_LAYER, 0));
}

/* Not known to have none: a member's RDMA device is the bond's. */
static bool may_have_rdma(const struct port *p)
{
	return port_cell(p, FIELD_RDMA, 0) || is_known_as(p, FIELD_ROLE, ROLE_MEMBER);
}

static size_t *kind_of(struct port_count *n, const struct port *p, const struct links *links)
{
	if (is_known_as(p, FIELD_ROLE, ROLE_VF))
		return &n->vfs;
	if (is_known_as(p, FIELD_ROLE, ROLE_REPRESENTOR))
		return &n->representors;
	if (is_known_as(p, FIELD_ROLE, ROLE_BOND))
		return &n->bonds;
	if (!link_is_iwarp(p) && link_is_soft_beside(links, p))
		return &n->soft;
	if (is_known_as(p, FIELD_RDMA_LAYER, LAYER_INFINIBAND))
		return &n->infiniband;
	if (is_bare(p))
		return link_is_iwarp(p) ? &n->bare_iwarp : &n->bare;
	if (link_is_iwarp(p))
		return &n->iwarp;
	return may_have_rdma(p) ? &n->ports : &n->others;
}

void port_count(struct port_count *n, const struct device *d, const struct links *links, const struct inventory *inv)
{
	*n = (struct port_count){ 0 };
	if (device_is_switch(d, inv)) {
		n->ports = d->n_ports;
		return;
	}
	for (size_t i = 0; i < d->n_ports; i++)
		++*kind_of(n, d->ports[i], links);
}

void port_count_words(const struct port_count *n, struct buf *out)
{
	/* Which interface a bare device has is not known: it may be any of these. */
	const char *others = n->bare || n->bare_iwarp ? "without known RDMA" : "without RDMA";
	const struct {
		size_t n;
		const char *one, *many;
	} kinds[] = {
		{ n->vfs,		"VF",				"VFs" },
		{ n->representors,	"representor",			"representors" },
		{ n->bonds,		"bond",				"bonds" },
		{ n->soft,		"with soft RDMA",		"with soft RDMA" },
		{ n->infiniband,	"InfiniBand",			"InfiniBand" },
		{ n->bare,		"RDMA device without interface", "RDMA devices without interface" },
		{ n->bare_iwarp,	"iWARP device without interface", "iWARP devices without interface" },
		{ n->iwarp,		"with iWARP",			"with iWARP" },
		{ n->others,		others,				others },
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!kinds[i].n)
			continue;
		buf_printf(out, "%s%zu %s", between, kinds[i].n, kinds[i].n == 1 ? kinds[i].one : kinds[i].many);
		between = ", ";
	}
}
