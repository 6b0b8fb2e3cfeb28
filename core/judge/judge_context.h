/* What is worked out once for all checks: who is a switch, which ports carry RoCE, what the fleet has in common. */
#ifndef CORE_JUDGE_JUDGE_CONTEXT_H
#define CORE_JUDGE_JUDGE_CONTEXT_H

#include "core/fabric/link.h"
#include "core/pause/pause.h"

/* Whether a port is judged for RoCE. */
enum roce {
	ROCE_YES,
	ROCE_NOT,	/* and why not is known */
	ROCE_LOST,	/* nothing says that it is: also when what said so is gone */
	ROCE_UNKNOWN,	/* asked for and not to be had */
};

struct standing {
	uint8_t roce;		/* enum roce */
	const char *why;	/* when it is not ROCE_YES */
	uint32_t group;		/* of ports that should be alike */
	uint32_t part;		/* of NICs of one part among them; where the part is not known: group */
};

struct party {
	bool is_switch;
	const struct host *host;
};

#define ALIKE_LEAST	4	/* fewer ports than this are no fleet */
#define ALIKE_SHARE	0.8	/* and this part of them must agree */

/* What most ports of a group say of a field. */
struct common {
	uint64_t n;
	const char *text;
	unsigned agree, of;	/* agree 0: no majority */
	unsigned most, silent;	/* how many say so all the same; how many were asked and do not tell */
	bool has_parts;		/* of a group: a NIC that does not tell may be unlike the most of a part in it */
};

/* Who pauses whom, worked out when the first check of a round asks for it. */
struct pauses_asked {
	struct pauses graph;
	bool is_made;
};

struct judge_context {
	struct party *parties;		/* by device id */
	struct standing *ports;		/* by port id */
	struct common *commons;		/* by group, then by alike_fields */
	struct pauses_asked *pauses;
	size_t n_devices, n_ports, n_groups;
	/* RoCE ports that say how many virtual functions they have; those that have some; those that were asked and do not tell */
	unsigned vf_told, vf_with, vf_silent;
	/* RoCE ports by the kind of address in the GID that their host's NCCL names; those of which it is not known */
	unsigned gid_told[GID_FAMILIES], gid_silent;
	uint64_t serial, links_serial;
	bool is_made;
};

/* Fields that ports of one kind are expected to have in common. */
extern const enum field alike_fields[];
extern const size_t alike_count;

/* Up, and its first round has not ended: no answer time and no counter yet. What it has not said will come. */
bool judge_context_is_new(const struct device *d);
/* Whether a port may have virtual functions and it is not known: their number, or whether it carries RoCE. */
bool is_vf_silent(const struct judge_context *s, const struct port *p);

/* Makes context (zeroed before first use) agree with model and links; cheap when nothing has changed. */
void judge_context_update(struct judge_context *context, const struct model *m, const struct links *links,
			  const struct inventory *inv);
void judge_context_done(struct judge_context *context);

/* What a NIC of another part may well have of its own: the firmware. */
bool alike_by_part(enum field f);
/* Of a firmware as ethtool prints it, "28.39.1002 (MT_0000000838)", the id of the board; empty: its driver prints none. */
struct span nic_board(const struct port *p);
/* What NICs of one part have in common: that id, else the driver's name; empty: neither is known. */
struct span nic_part(const struct port *p);
/* Of such a text the version alone: "28.39.1002". */
struct span firmware_version(const char *firmware);

static inline const struct common *scene_common(const struct judge_context *s, const struct port *p, size_t alike)
{
	const struct standing *at = &s->ports[p->id];

	return &s->commons[(alike_by_part(alike_fields[alike]) ? at->part : at->group) * alike_count + alike];
}

#endif
