/*
 * Links: which port faces which. Joined from LLDP names and MACs of either end, then from the inventory's cable plan; a
 * disagreement of the two is kept, to be a finding.
 */
#ifndef CORE_FABRIC_LINK_H
#define CORE_FABRIC_LINK_H

#include "core/inventory/inventory.h"
#include "core/model/model.h"

enum link_by {
	BY_NOTHING,
	BY_LLDP_BOTH,
	BY_LLDP_ONE,
	BY_MAC,
	BY_FDB,			/* the switch learned the NIC's MAC at that port, and at no other */
	BY_PLAN,
	BY_SEGMENT,		/* ARP or ND: on one layer-2 segment, direct or through a switch that was not read */
};


struct link {
	struct port *a;			/* the host's end; between switches, the lesser name */
	struct port *b;			/* NULL: the far end is not known or not reached */
	struct port *beside;		/* BY_SEGMENT: the other port on a's segment, which may or may not end the same cable */
	enum link_by by;
	bool is_fabric;			/* carries RoCE: an RDMA port, or switch to switch */
	const char *seen_peer;		/* what a's LLDP says when b is not known or differs: "leaf9 ethernet1/1/1"; or NULL */
	const char *planned_peer;	/* "leaf1 ethernet1/1/1" where the plan says otherwise; or NULL */
	const struct link *swapped;	/* each of the two is where the other is planned to be; or NULL */
	char name[160];			/* "node1:eth2 - leaf1:ethernet1/1/1" */
};

/* What became of a cable of the plan. */
enum planned_is {
	PLANNED_SEEN,		/* as planned */
	PLANNED_ELSEWHERE,	/* an end of it sees another */
	PLANNED_UNSEEN,		/* no end says what it sees, or is not known at all */
};

struct planned {
	const struct cable *cable;	/* lent by the inventory */
	struct port *a, *b;		/* its ends; NULL: no device names such a port */
	const struct link *link;	/* of an end; or NULL */
	enum planned_is is;
};

struct links {
	struct link *list;		/* hosts' links first, by device in inventory order, then port name (natural order) */
	size_t n, cap;
	struct arena arena;
	uint64_t serial;		/* model_config_serial() it was made from */
	const struct model *model;	/* and the model */
	size_t n_hosts, n_cables, n_ports;	/* and how large the inventory and the model were */
	struct link **of_port;		/* by port id; NULL: on no link */
	struct planned *planned;	/* a row each of the plan */
	size_t n_planned, cap_planned;
};

/* Makes *links (zeroed before first use) agree with the model again; cheap when nothing has changed. */
void links_update(struct links *links, const struct model *m, const struct inventory *inv);
void links_done(struct links *links);

/* The link that has this port at either end, or NULL. The other end of it, or NULL. */
const struct link *links_of_port(const struct links *links, const struct port *p);
struct port *link_far(const struct link *link, const struct port *p);
/* The other port to name a link by: its far end, or what is on the same segment; NULL: nobody is known. */
struct port *link_other(const struct link *link, const struct port *p);

/*
 * Soft RDMA (rxe, siw) at a port that is none of the fabric's, on a host that has others: the one that our session comes in
 * by; or, beside hardware RDMA, one on no link, or slower than that and facing what no hardware RDMA faces.
 */
bool link_is_soft_beside(const struct links *links, const struct port *p);
/* Its RDMA device is known to be iWARP. */
bool link_is_iwarp(const struct port *p);

/* "host" or "switch": from the platform once identified, else from the inventory's hint, else host. */
bool device_is_switch(const struct device *d, const struct inventory *inv);
/* Whether the platform, or the inventory, tells which of the two it is. */
bool device_is_identified(const struct device *d, const struct inventory *inv);

/* Natural order: eth2 before eth10. */
int natural_cmp(const char *a, const char *b);

#endif
