/* Checks of a port by itself: RDMA, link, bond, MTU, DCBX, and whether it is like the others of its kind. */
#include "core/judge/checks.h"

#include <stdio.h>

#include "core/application/application.h"

static bool known_to_be(const struct port *p, enum field f, uint64_t n)
{
	const struct cell *c = port_cell(p, f, 0);

	return c && c->value.is == VALUE_KNOWN && c->value.n == n;
}

/* Asked of every host port: the others are asked only where RDMA is known to run. */
void ask_rdma_known(struct case_of *c)
{
	const struct standing *s = &c->context->ports[c->port->id];

	if (s->roce == ROCE_YES)
		return ask_ok(c);
	if (s->roce == ROCE_UNKNOWN)
		return ask_unknown(c, LACK_REASON, c->port->device, "%.40s %.30s rdma: %s", c->port->device->name,
				   c->port->name, s->why ? s->why : "no reason");
	ask_na(c, s->why);
}

/* One finding a link: the right end is asked only where the left one does not know. */
void ask_link_up(struct case_of *c)
{
	const struct port *far = c->link ? link_far(c->link, c->port) : NULL;
	uint64_t up;

	if (far && c->link->b == c->port && port_number(c->model, far, FIELD_UP, 0, &up))
		return ask_na(c, "judged at the other end");
	if (!ask_port(c, c->port, FIELD_UP, 0, &up))
		return;
	if (up)
		return ask_ok(c);
	c->held = 1;
	ask_no_at(c, c->link || c->context->ports[c->port->id].roce == ROCE_YES ? VERDICT_FAIL : VERDICT_WARN, "the link is down");
}

void ask_rdma_hardware(struct case_of *c)
{
	const char *name;
	uint64_t soft;

	if (!ask_said(c->port, FIELD_RDMA_SOFT, 0))
		return ask_lost(c, "not reported");
	if (!ask_port(c, c->port, FIELD_RDMA_SOFT, 0, &soft))
		return;
	if (!soft)
		return ask_ok(c);
	name = port_text(c->port, FIELD_RDMA);
	ask_no(c, "%.100s is soft-RoCE: the CPU does the work, not the NIC", name ? name : "its bond's RDMA device");
}

void ask_rdma_active(struct case_of *c)
{
	uint64_t state;
	char word[24];

	if (!ask_port(c, c->port, FIELD_RDMA_STATE, 0, &state))
		return;
	if (state == RDMA_ACTIVE)
		return ask_ok(c);
	ask_no(c, "the RDMA port is %s", ask_word(FIELD_RDMA_STATE, state, word));
}

void ask_gid_v2(struct case_of *c)
{
	uint64_t has;

	if (!ask_port(c, c->port, FIELD_GID_V2, 0, &has))
		return;
	if (has)
		return ask_ok(c);
	ask_no(c, "no RoCE v2 GID with an IPv4 or IPv6 address, link-local ones aside");
}

void ask_rdma_mtu(struct case_of *c)
{
	uint64_t mtu, active, most;

	if (!ask_port(c, c->port, FIELD_RDMA_MTU, 0, &active) || !ask_port(c, c->port, FIELD_MTU, 0, &mtu))
		return;
	most = rdma_mtu_at(mtu);
	if (active == most)
		return ask_ok(c);
	ask_no(c, "RDMA packets carry %llu bytes, an MTU of %llu allows %llu", (unsigned long long)active,
	       (unsigned long long)mtu, (unsigned long long)most);
}

void ask_dcbx(struct case_of *c)
{
	uint64_t dcbx = DCBX_OFF, willing = 0;

	if (!ask_said(c->port, FIELD_DCBX, 0) && !ask_said(c->port, FIELD_DCBX_WILLING, 0))
		return ask_lost(c, "not reported");
	if (ask_said(c->port, FIELD_DCBX, 0))
		ask_port(c, c->port, FIELD_DCBX, 0, &dcbx);
	if (ask_said(c->port, FIELD_DCBX_WILLING, 0))
		ask_port(c, c->port, FIELD_DCBX_WILLING, 0, &willing);
	if (dcbx == DCBX_FW)
		return ask_no(c, "the NIC's firmware negotiates DCB and may overwrite QoS settings");
	if (willing)
		return ask_no(c, "it takes DCB settings from its peer");
	ask_ok_unless_lacking(c);
}

/* Bonds: each member needs what the others have. */

static const enum field member_fields[] = {
	FIELD_TRUST, FIELD_DSCP_PRIO, FIELD_PRIO_TC, FIELD_PFC_ON, FIELD_ECN_NP, FIELD_ECN_RP, FIELD_CNP_DSCP,
};

/* Whether this member is the odd one: its twin has what is wanted, or nothing is wanted and the twin comes first. */
static bool is_odd(struct case_of *c, const struct port *twin, enum field f, unsigned index)
{
	uint64_t mine, its, wanted;

	if (!ask_said(c->port, f, index) && !ask_said(twin, f, index))
		return false;
	if (!ask_port(c, c->port, f, index, &mine) || !ask_port(c, twin, f, index, &its) || mine == its)
		return false;
	return ask_wants(c, c->port, f, index, &wanted) ? its == wanted : natural_cmp(twin->name, c->port->name) < 0;
}

/* The first index at which it is the odd one; 64: none. */
static unsigned odd_index(struct case_of *c, const struct port *twin, enum field f)
{
	for (uint64_t set = policy_indices(c->policy, f); set; set &= set - 1) {
		unsigned index = (unsigned)__builtin_ctzll(set);

		c->n_evidence = 0;
		if (is_odd(c, twin, f, index))
			return index;
	}
	return 64;
}

/*
 * A member that differs in one setting was set up: the check of that setting says what is wrong with it, wherever the policy wants
 * something of it. One that differs in several was forgotten.
 */
static bool is_odd_beside(struct case_of *c, const struct port *twin)
{
	size_t odd = 0, first = 0;
	char of_row[8] = "";
	unsigned index;
	uint64_t wanted;
	enum field f;

	for (size_t i = 0; i < sizeof(member_fields) / sizeof(*member_fields); i++)
		if (odd_index(c, twin, member_fields[i]) < 64 && !odd++)
			first = i;
	if (!odd)
		return false;
	f = member_fields[first];
	index = odd_index(c, twin, f);
	if (field_table[f].width > 1)
		snprintf(of_row, sizeof(of_row), "[%u]", index);
	ask_no_at(c, odd == 1 && ask_wants(c, c->port, f, index, &wanted) ? VERDICT_LOOK : c->check->severity,
		  "%s%s differs from %.60s in the same bond", field_table[f].name, of_row, twin->name);
	return true;
}

/* A bond hands its MTU down when it is set. A member that was made smaller since drops what its bond takes; a larger one does no harm. */
static bool is_smaller_than_bond(struct case_of *c)
{
	const struct port *bond = port_source(c->port, FIELD_MTU, 0);
	uint64_t mine, its;

	c->n_evidence = 0;
	if (bond == c->port || !ask_own(c, c->port, FIELD_MTU, 0, &mine) || !ask_own(c, bond, FIELD_MTU, 0, &its) ||
	    mine >= its)
		return false;
	ask_no(c, "its MTU is %llu, and that of its bond %.60s is %llu", (unsigned long long)mine, bond->name, (unsigned long long)its);
	return true;
}

/* A member of which it is not known what it is a member of: true, and the answer lacks it. */
static bool lacks_bond(struct case_of *c, const struct port *p)
{
	uint64_t none;

	return known_to_be(p, FIELD_ROLE, ROLE_MEMBER) && ask_said(p, FIELD_BOND, 0) && !port_text(p, FIELD_BOND) &&
	       !ask_port(c, p, FIELD_BOND, 0, &none);
}

void ask_bond_members(struct case_of *c)
{
	if (lacks_bond(c, c->port))
		return;
	if (!port_text(c->port, FIELD_BOND) || !known_to_be(c->port, FIELD_ROLE, ROLE_MEMBER))
		return ask_na(c, "in no bond");
	if (is_smaller_than_bond(c))
		return;
	for (size_t i = 0; i < c->port->device->n_ports; i++) {
		const struct port *twin = c->port->device->ports[i];

		if (twin == c->port || lacks_bond(c, twin) || !port_is_twin(c->port, twin))
			continue;
		if (known_to_be(twin, FIELD_ROLE, ROLE_MEMBER) && is_odd_beside(c, twin))
			return;
	}
	ask_ok_unless_lacking(c);
}

/* -- two tools that tell of the same setting -- */

static void tell_disagreement(struct case_of *c, enum field f, unsigned index, const struct cell *cell)
{
	struct buf text = { 0 };

	ask_cite(c, c->port, f, index);
	buf_printf(&text, "%.40s reports %s ", cell->reply->probe, field_table[f].name);
	value_print(f, &cell->value, &text);
	buf_printf(&text, ", %.40s reports ", cell->other->reply->probe);
	value_print(f, &cell->other->value, &text);
	ask_no(c, "%s", text.text);
	buf_done(&text);
}

/* Two readings between which the setting was changed do not disagree. */
static bool disagree(const struct model *m, const struct cell *c)
{
	const struct cell *other = c->other;

	return other && other->generation == other->reply->generation && !reply_is_stale(m, other->reply) &&
	       c->value.is == VALUE_KNOWN && !cell_is_stale(m, c) && cells_coincide(c, other);
}

void ask_tools_agree(struct case_of *c)
{
	for (unsigned f = 0; c->port->n_others && f < FIELD_COUNT; f++) {
		const struct cell *cells = c->port->cells[f];

		if (!cells || field_table[f].kind >= KIND_COUNTER)
			continue;
		for (unsigned i = 0; i < field_table[f].width; i++)
			if (port_cell(c->port, (enum field)f, i) && disagree(c->model, &cells[i]))
				return tell_disagreement(c, (enum field)f, i, &cells[i]);
	}
	ask_ok(c);
}

/* With those that do not tell there may be a majority, and this port may be unlike it, or may not tell itself. */
static bool may_be_outlier(const struct case_of *c, const struct common *common, enum field f)
{
	const struct cell *mine = port_cell(c->port, f, 0);
	bool is_known = mine && mine->value.is == VALUE_KNOWN;
	bool is_like = is_known && mine->value.n == common->n && mine->value.text == common->text;
	unsigned all = common->of + common->silent, most = common->most + common->silent - (is_like || !is_known);

	if (!common->most || all < ALIKE_LEAST || most < ALIKE_SHARE * all || !mine)
		return false;
	return !is_like || cell_is_stale(c->model, mine);
}

static int shown(struct span s)
{
	return (int)(s.n < 40 ? s.n : 40);
}

static void tell_outlier(struct case_of *c, const struct common *common, enum field f)
{
	struct span own, most, part = nic_part(c->port);

	if (!alike_by_part(f))
		return ask_no(c, "%s differs from %u of %u ports of its kind", field_table[f].name, common->agree, common->of);
	own = firmware_version(port_text(c->port, f));
	most = firmware_version(common->text);
	ask_no(c, "firmware %.*s; %u of %u NICs%s%.*s have %.*s", shown(own), own.p, common->agree, common->of, part.n ? " of part " : "",
	       shown(part), part.p, shown(most), most.p);
}

static void ask_outlier(struct case_of *c, bool by_part)
{
	bool is_judged = false;
	uint64_t mine, wanted;

	for (size_t a = 0; a < alike_count; a++) {
		const struct common *common = scene_common(c->context, c->port, a);
		enum field f = alike_fields[a];

		if (alike_by_part(f) != by_part)
			continue;
		if (!ask_said(c->port, f, 0) || ask_wants(c, c->port, f, 0, &wanted))
			continue;
		if (common->has_parts && !ask_port(c, c->port, f, 0, &mine))
			continue;
		if (!common->agree && may_be_outlier(c, common, f) && !ask_lacks(c))
			ask_unknown(c, LACK_REASON, NULL, "%s of %u other ports of its kind", field_table[f].name, common->silent);
		if (!common->agree || (!port_number(c->model, c->port, f, 0, &mine) && !may_be_outlier(c, common, f)))
			continue;
		c->n_evidence = 0;
		if (!ask_port(c, c->port, f, 0, &mine))
			continue;
		is_judged = true;
		if (mine == common->n && port_cell(port_source(c->port, f, 0), f, 0)->value.text == common->text)
			continue;
		return tell_outlier(c, common, f);
	}
	if (!is_judged && !ask_lacks(c))
		return ask_na(c, "fewer than four ports of its kind, or they differ");
	ask_ok_unless_lacking(c);
}

void ask_fleet_outlier(struct case_of *c)
{
	ask_outlier(c, false);
}

void ask_firmware_outlier(struct case_of *c)
{
	ask_outlier(c, true);
}

/* Packets of peers that are set as wanted do not pass: at a switch its hosts', at a host those of a larger RDMA MTU. */
static bool takes_fewer_bytes(const struct case_of *c, uint64_t mtu, uint64_t wanted)
{
	return ask_is_switch(c, c->port) ? !takes_host_packets(c, mtu) : rdma_mtu_at(mtu) < rdma_mtu_at(wanted);
}

void ask_mtu_wanted(struct case_of *c)
{
	const struct port *whose = port_source(c->port, FIELD_MTU, 0);
	uint64_t mtu, wanted;

	if (ask_is_counted(c->port, FIELD_MTU))
		return ask_na(c, "the MTU is set on its bond and is judged at the bond's first member");

	if (!ask_wants(c, c->port, FIELD_MTU, 0, &wanted))
		return ask_na(c, "the policy sets no MTU here");
	if (!ask_port(c, c->port, FIELD_MTU, 0, &mtu))
		return;
	if (mtu == wanted || (mtu > wanted && ask_is_switch(c, c->port)))
		return ask_ok(c);
	ask_no_at(c, takes_fewer_bytes(c, mtu, wanted) ? VERDICT_WARN : VERDICT_LOOK,
		  "the MTU%s%s is %llu, expected %llu", whose == c->port ? "" : " of its bond ", whose == c->port ? "" : whose->name,
		  (unsigned long long)mtu, (unsigned long long)wanted);
}
