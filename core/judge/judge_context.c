#include "core/judge/judge_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"

const enum field alike_fields[] = {
	FIELD_DRIVER, FIELD_FIRMWARE, FIELD_FEC, FIELD_RDMA_MTU, FIELD_MTU, FIELD_CABLE, FIELD_TRUST, FIELD_DCBX,
	FIELD_CNP_DSCP, FIELD_CNP_PRIO, FIELD_TOS_CMA, FIELD_TOS_FORCE, FIELD_CC_CNP_GAP, FIELD_CC_CLAMP,
	FIELD_CC_CLAMP_TIME, FIELD_CC_TIME_RESET, FIELD_CC_BYTE_RESET, FIELD_CC_THRESHOLD, FIELD_CC_MAX_RATE,
	FIELD_CC_AI_RATE, FIELD_CC_HAI_RATE, FIELD_CC_GD, FIELD_CC_MIN_DEC, FIELD_CC_MIN_RATE, FIELD_CC_FIRST_CNP,
	FIELD_CC_G, FIELD_CC_RTT, FIELD_CC_REDUCE, FIELD_CC_ALPHA,
};
const size_t alike_count = sizeof(alike_fields) / sizeof(*alike_fields);

struct group {
	UT_hash_handle hh;
	uint32_t id;
	char key[128];
};

/* Whether RDMA runs on a host's port: a bond's members carry the device of the bond; of one that may be a member it is not known. */
static const struct cell *rdma_cell(const struct model *m, const struct port *p)
{
	const struct cell *c = port_cell(p, FIELD_RDMA, 0);
	const struct cell *bond_cell = port_cell(p, FIELD_BOND, 0);
	const char *bond = port_text(p, FIELD_BOND);
	const struct port *master;

	if (!c && bond_cell && bond_cell->value.is == VALUE_UNKNOWN)
		return bond_cell;
	if ((c && c->value.is == VALUE_KNOWN) || !bond)
		return c;
	master = model_find_port(m, p->device->name, bond);
	return master ? port_cell(master, FIELD_RDMA, 0) : c;
}

static struct standing host_standing(const struct model *m, const struct links *links, const struct port *p)
{
	const struct cell *role = port_cell(p, FIELD_ROLE, 0), *rdma = rdma_cell(m, p);
	const struct cell *layer = port_cell(p, FIELD_RDMA_LAYER, 0);

	if (role && role->value.is == VALUE_KNOWN && role->value.n == ROLE_VF)
		return (struct standing){ ROCE_NOT, "a virtual function: judged at its PF", 0 };
	if (role && role->value.is == VALUE_KNOWN && role->value.n == ROLE_REPRESENTOR)
		return (struct standing){ ROCE_NOT, "a representor of a function: judged at its PF", 0 };
	if (role && role->value.is == VALUE_KNOWN && role->value.n == ROLE_BOND)
		return (struct standing){ ROCE_NOT, "a bond: judged at each of its members", 0 };
	if (layer && layer->value.is == VALUE_KNOWN && layer->value.n == LAYER_INFINIBAND)
		return (struct standing){ ROCE_NOT, "InfiniBand, not Ethernet", 0 };
	if (link_is_iwarp(p))
		return (struct standing){ ROCE_NOT, "iWARP, not RoCE", 0 };
	if (link_is_soft_beside(links, p))
		return (struct standing){ ROCE_NOT, "soft RDMA, on none of the fabric's ports", 0 };
	if (!rdma)
		return (struct standing){ ROCE_LOST, "no RDMA device is known here", 0 };
	if (rdma->value.is == VALUE_UNKNOWN)
		return (struct standing){ ROCE_UNKNOWN, rdma->value.text, 0 };
	return (struct standing){ ROCE_YES, NULL, 0 };
}

static struct standing switch_standing(const struct judge_context *s, const struct links *links, const struct port *p)
{
	const struct link *l = links_of_port(links, p);
	const struct port *far = l ? link_far(l, p) : NULL;

	if (!l)
		return (struct standing){ ROCE_LOST, "nothing is known to be connected", 0 };
	if (l->is_fabric)
		return (struct standing){ ROCE_YES, NULL, 0 };
	if (far && !s->parties[far->device->id].is_switch)
		return s->ports[far->id];
	return (struct standing){ ROCE_LOST, "the device at the other end is not read", 0 };
}

static void stand_ports(struct judge_context *s, const struct model *m, const struct links *links)
{
	for (size_t i = 0; i < s->n_ports; i++) {
		const struct port *p = model_port(m, i);

		if (!s->parties[p->device->id].is_switch)
			s->ports[i] = host_standing(m, links, p);
	}
	for (size_t i = 0; i < s->n_ports; i++) {
		const struct port *p = model_port(m, i);

		if (s->parties[p->device->id].is_switch)
			s->ports[i] = switch_standing(s, links, p);
	}
}

/* -- groups -- */

bool alike_by_part(enum field f)
{
	return f == FIELD_FIRMWARE;
}

/* Where " (MT_0000000838)" begins; NULL: there is no such end. */
static const char *board_begins(const char *firmware)
{
	size_t n = firmware ? strlen(firmware) : 0;
	const char *at = n && firmware[n - 1] == ')' ? strrchr(firmware, '(') : NULL;

	return at && at > firmware && at[-1] == ' ' && at[1] != ')' ? at - 1 : NULL;
}

struct span firmware_version(const char *firmware)
{
	const char *board = board_begins(firmware);

	return board ? (struct span){ firmware, (size_t)(board - firmware) } : span_of(firmware);
}

struct span nic_board(const struct port *p)
{
	const char *board = board_begins(port_text(p, FIELD_FIRMWARE));

	return board ? (struct span){ board + 2, strlen(board) - 3 } : SPAN("");
}

struct span nic_part(const struct port *p)
{
	struct span board = nic_board(p);

	return board.n ? board : span_of(port_text(p, FIELD_DRIVER));
}

static uint32_t group_by_key(struct group **groups, const char *key)
{
	struct group *g;

	HASH_FIND_STR(*groups, key, g);
	if (!g) {
		g = xcalloc(1, sizeof(*g));
		g->id = HASH_COUNT(*groups) + 1;	/* 0 is for ports that are known to carry no RoCE */
		snprintf(g->key, sizeof(g->key), "%s", key);
		HASH_ADD_STR(*groups, key, g);
	}
	return g->id;
}

static uint32_t group_of(struct group **groups, const struct judge_context *s, const struct port *p)
{
	const char *platform = device_text(p->device, FIELD_PLATFORM);
	const struct cell *role = port_cell(p, FIELD_ROLE, 0), *speed = port_cell(p, FIELD_SPEED, 0);
	char key[128];

	snprintf(key, sizeof(key), "%.64s %d %d %llu", platform ? platform : "", s->parties[p->device->id].is_switch,
		 role && role->value.is == VALUE_KNOWN ? (int)role->value.n : -1,
		 speed && speed->value.is == VALUE_KNOWN ? (unsigned long long)speed->value.n : 0);
	return group_by_key(groups, key);
}

/* No key of group_of() begins so. Without a firmware there is nothing to compare, and no part that it would be of. */
static uint32_t part_of(struct group **groups, uint32_t group, const struct port *p)
{
	struct span part = port_text(p, FIELD_FIRMWARE) ? nic_part(p) : SPAN("");
	char key[128];

	if (!part.n)
		return group;
	snprintf(key, sizeof(key), "part %u %.*s", group, (int)(part.n < 64 ? part.n : 64), part.p);
	return group_by_key(groups, key);
}

/*
 * Of a port that is not known to carry RoCE: whether it may. One on which nothing is known of RDMA, or of who is connected, may
 * while it is up.
 */
static bool may_carry_roce(const struct judge_context *s, const struct model *m, const struct port *p)
{
	uint64_t n;

	return s->ports[p->id].roce == ROCE_UNKNOWN ||
	       (s->ports[p->id].roce == ROCE_LOST && !(port_number(m, p, FIELD_UP, 0, &n) && !n));
}

static void group_ports(struct judge_context *s, const struct model *m)
{
	struct group *groups = NULL, *g, *next;

	for (size_t i = 0; i < s->n_ports; i++) {
		const struct port *p = model_port(m, i);
		bool is_of_one = s->ports[i].roce == ROCE_YES || may_carry_roce(s, m, p);

		s->ports[i].group = is_of_one ? group_of(&groups, s, p) : 0;
		s->ports[i].part = is_of_one ? part_of(&groups, s->ports[i].group, p) : 0;
	}
	s->n_groups = HASH_COUNT(groups) + 1;
	HASH_ITER(hh, groups, g, next) {
		HASH_DELETE(hh, groups, g);
		free(g);
	}
}

static bool is_silent(const struct port *p, enum field f)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_UNKNOWN;
}

static const struct value *said(const struct port *p, enum field f)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_KNOWN ? &c->value : NULL;
}

static bool has_majority(const struct common *c)
{
	return c->of >= ALIKE_LEAST && c->agree >= ALIKE_SHARE * (c->of + c->silent);
}

/* As far as is told, and whatever those that do not tell have: all but one of them may be like the most. */
static bool may_be_unlike(const struct common *c)
{
	unsigned all = c->of + c->silent;

	return c->agree && all >= ALIKE_LEAST && c->agree + c->silent - 1 >= ALIKE_SHARE * all;
}

/* A NIC that does not tell may be of any part. */
static void settle_parts(struct judge_context *s, size_t alike)
{
	bool *is_settled = xcalloc(s->n_groups, sizeof(*is_settled));

	for (size_t i = 0; i < s->n_ports; i++) {
		const struct standing *at = &s->ports[i];
		struct common *part = &s->commons[at->part * alike_count + alike], *group = &s->commons[at->group * alike_count + alike];

		if (at->part == at->group || is_settled[at->part])
			continue;
		is_settled[at->part] = true;
		part->silent += group->silent;
		group->has_parts |= may_be_unlike(part);
	}
	free(is_settled);
}

/* The only value that can have a majority (Boyer and Moore's vote), and then how many do agree with it. */
static void find_commons(struct judge_context *s, const struct model *m, size_t alike)
{
	enum field f = alike_fields[alike];
	bool by_part = alike_by_part(f);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->n_ports; i++) {
			struct common *c = &s->commons[(by_part ? s->ports[i].part : s->ports[i].group) * alike_count + alike];
			const struct value *v = said(model_port(m, i), f);
			bool same;

			if (s->ports[i].group == 0)
				continue;
			c->silent += pass == 0 && (is_silent(model_port(m, i), f) || (v && s->ports[i].roce != ROCE_YES));
			if (!v || s->ports[i].roce != ROCE_YES)
				continue;
			same = v->n == c->n && v->text == c->text;
			if (pass == 0 && c->agree == 0)
				*c = (struct common){ .n = v->n, .text = v->text, .agree = 1, .silent = c->silent };
			else if (pass == 0)
				c->agree += same ? 1 : -1u;
			else if (c->of++ == 0)
				c->agree = same;
			else
				c->agree += same;
		}
	if (by_part)
		settle_parts(s, alike);
	for (size_t g = 0; g < s->n_groups; g++) {
		struct common *c = &s->commons[g * alike_count + alike];

		c->most = c->agree;
		if (!has_majority(c))
			c->agree = 0;	/* also where those that do not tell might make it none */
	}
}

bool is_vf_silent(const struct judge_context *s, const struct port *p)
{
	const struct cell *c = port_cell(p, FIELD_VF, 0);

	return c && (s->ports[p->id].roce == ROCE_UNKNOWN || (s->ports[p->id].roce == ROCE_YES && c->value.is == VALUE_UNKNOWN));
}

static void count_vfs(struct judge_context *s, const struct model *m)
{
	for (size_t i = 0; i < s->n_ports; i++) {
		const struct value *vfs = said(model_port(m, i), FIELD_VF);

		s->vf_silent += is_vf_silent(s, model_port(m, i));
		if (s->ports[i].roce != ROCE_YES || !vfs)
			continue;
		s->vf_told++;
		s->vf_with += vfs->n > 0;
	}
}

/*
 * Soft RDMA is no peer whose family is told: it stands beside the fabric's hardware, unless what is read of its speed and its
 * link says that it does not, and what is not read must make no verdict better.
 */
static bool may_be_soft(const struct port *p)
{
	const struct cell *soft = port_cell(port_source(p, FIELD_RDMA_SOFT, 0), FIELD_RDMA_SOFT, 0);

	return !soft || soft->value.is != VALUE_KNOWN || soft->value.n;
}

static void count_gids(struct judge_context *s, const struct model *m)
{
	for (size_t i = 0; i < s->n_ports; i++) {
		const struct port *p = model_port(m, i);
		enum roce roce = (enum roce)s->ports[i].roce;
		bool is_peer = (roce == ROCE_YES || roce == ROCE_UNKNOWN) && !s->parties[p->device->id].is_switch;
		const struct cell *index = is_peer ? device_cell(p->device, FIELD_APP_GID_INDEX, 0) : NULL;
		const struct value *family = NULL;

		if (!index)
			continue;
		if (index->value.is == VALUE_KNOWN && index->value.n < field_table[FIELD_GID_FAMILY].width) {
			unsigned at = (unsigned)index->value.n;
			const struct cell *c = port_cell(port_source(p, FIELD_GID_FAMILY, at), FIELD_GID_FAMILY, at);

			family = c && c->value.is == VALUE_KNOWN ? &c->value : NULL;
		}
		if (roce == ROCE_YES && family && family->n < GID_FAMILIES && !may_be_soft(p))
			s->gid_told[family->n]++;
		else
			s->gid_silent++;
	}
}

static bool has_counted(const struct port *p)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		if (p->series[f])
			return true;
	return false;
}

bool judge_context_is_new(const struct device *d)
{
	const struct cell *state = device_cell(d, FIELD_STATE, 0);

	if (!state || state->value.is != VALUE_KNOWN || state->value.n != STATE_UP || device_cell(d, FIELD_LATENCY, 0))
		return false;
	for (size_t i = 0; i < d->n_ports; i++)
		if (has_counted(d->ports[i]))
			return false;
	return true;
}

void judge_context_update(struct judge_context *s, const struct model *m, const struct links *links,
			  const struct inventory *inv)
{
	if (s->pauses)
		s->pauses->is_made = false;
	if (s->is_made && s->serial == model_config_serial(m) && s->links_serial == links->serial && s->n_ports == model_ports(m) &&
	    s->n_devices == model_devices(m))
		return;
	judge_context_done(s);
	s->is_made = true;
	s->pauses = xcalloc(1, sizeof(*s->pauses));
	s->serial = model_config_serial(m);
	s->links_serial = links->serial;
	s->n_devices = model_devices(m);
	s->n_ports = model_ports(m);
	s->parties = xcalloc(s->n_devices + 1, sizeof(*s->parties));
	s->ports = xcalloc(s->n_ports + 1, sizeof(*s->ports));
	for (size_t i = 0; i < s->n_devices; i++) {
		const struct device *d = model_device(m, i);

		s->parties[i].is_switch = device_is_switch(d, inv);
		s->parties[i].host = inv ? inventory_find(inv, d->name) : NULL;
	}
	stand_ports(s, m, links);
	group_ports(s, m);
	s->commons = xcalloc(s->n_groups * alike_count, sizeof(*s->commons));
	for (size_t a = 0; a < alike_count; a++)
		find_commons(s, m, a);
	count_vfs(s, m);
	count_gids(s, m);
}

void judge_context_done(struct judge_context *s)
{
	if (s->pauses)
		pauses_done(&s->pauses->graph);
	free(s->pauses);
	free(s->parties);
	free(s->ports);
	free(s->commons);
	*s = (struct judge_context){ 0 };
}
