/* Checks of the way of a packet: ToS, trust, DSCP map, priority, traffic class and queue. */
#include "core/judge/checks.h"

#include <stdio.h>
#include <string.h>

#include "core/application/application.h"

/* -- reading the maps -- */

bool map_priority(struct case_of *c, const struct port *p, unsigned dscp, uint64_t *prio)
{
	uint64_t trust;

	if (!ask_port(c, p, FIELD_TRUST, 0, &trust))
		return false;
	if (trust != TRUST_DSCP && trust != TRUST_BOTH) {
		*prio = 0;	/* packets of RoCE v2 carry no VLAN tag as a rule: the port's default priority */
		return true;
	}
	return ask_port(c, p, FIELD_DSCP_PRIO, dscp, prio);
}

bool map_class(struct case_of *c, const struct port *p, unsigned prio, uint64_t *tc)
{
	if (ask_is_switch(c, p))
		return ask_or_index(c, p, FIELD_PRIO_TC, prio, tc);
	return ask_port(c, p, FIELD_PRIO_TC, prio, tc);
}

bool map_queue(struct case_of *c, const struct port *p, unsigned prio, uint64_t *queue)
{
	uint64_t tc;

	if (!map_class(c, p, prio, &tc))
		return false;
	if (ask_is_switch(c, p) && tc < 8)
		return ask_or_index(c, p, FIELD_TC_QUEUE, (unsigned)tc, queue);
	*queue = tc;
	return true;
}

/* -- the application's marking -- */

#define ECN_BITS	3
#define ECN_CE		3

static bool is_lossless_dscp(const struct case_of *c, unsigned dscp)
{
	uint64_t prio;

	return ask_wants(c, c->port, FIELD_DSCP_PRIO, dscp, &prio) && prio < 8 && ask_lossless(c, c->port) >> prio & 1;
}

/*
 * irdma puts all eight bits of the ToS on the wire, as the kernel's own Soft-RoCE does. Others take the DSCP from it and may set the ECN
 * bits by themselves: mlx5 where congestion control is on for the priority (mlx5_set_path() of rdma-core and of the kernel set only
 * ads.dscp), ionic and mana the DSCP alone, bnxt by its tos_ecn. No counter at the sender proves either.
 */
bool port_sends_tos_as_is(const struct port *p)
{
	const char *driver = port_text(p, FIELD_DRIVER);
	const struct cell *soft = port_cell(p, FIELD_RDMA_SOFT, 0);

	return (soft && soft->value.is == VALUE_KNOWN && soft->value.n) ||
	       (driver && (!strcmp(driver, "ice") || !strcmp(driver, "i40e") || !strcmp(driver, "irdma")));
}

/* Whether a host's port sends packets that software left without ECN; what is not known may do otherwise. */
static bool sends_without_ecn(const struct case_of *c, const struct port *p)
{
	struct app_tos app;
	uint64_t tos;

	if (app_tos(c->model, p, &app))
		return !(app.tos & ECN_BITS);
	return ((port_number(c->model, port_source(p, FIELD_TOS_FORCE, 0), FIELD_TOS_FORCE, 0, &tos) && tos) ||
		port_number(c->model, port_source(p, FIELD_TOS_CMA, 0), FIELD_TOS_CMA, 0, &tos)) &&
	       !(tos & ECN_BITS);
}

/* CE marks arrive although no host gives its packets ECN: the NICs do. */
static bool is_set_by_nic(const struct case_of *c)
{
	bool is_seen = false;
	double per_s;

	for (size_t i = 0; i < model_devices(c->model); i++) {
		const struct device *d = model_device(c->model, i);

		for (size_t k = 0; !device_is_switch(d, c->inventory) && k < d->n_ports; k++) {
			if (c->context->ports[d->ports[k]->id].roce == ROCE_NOT)
				continue;
			if (!sends_without_ecn(c, d->ports[k]))
				return false;
			is_seen |= port_rate(c->model, d->ports[k], FIELD_ECN_SEEN, 0, &per_s) && per_s > 0;
		}
	}
	return is_seen;
}

static enum verdict without_ecn(const struct case_of *c)
{
	return !port_sends_tos_as_is(c->port) && c->check->severity > VERDICT_WARN ? VERDICT_WARN : c->check->severity;
}

bool tos_is_right(struct case_of *c, uint64_t tos, uint64_t wanted, const char *by)
{
	unsigned dscp = (unsigned)tos >> 2 & 63;

	if (!is_lossless_dscp(c, dscp))
		ask_no(c, "ToS %llu%s is DSCP %u: not a lossless class (expected ToS %llu)", (unsigned long long)tos, by, dscp,
		       (unsigned long long)wanted);
	else if (!(tos & ECN_BITS) && !port_sends_tos_as_is(c->port) && is_set_by_nic(c))
		ask_no_at(c, VERDICT_LOOK, "ToS %llu%s is DSCP %u without ECN, but CE marks arrive: the NICs set ECT (expected ToS %llu)",
			  (unsigned long long)tos, by, dscp, (unsigned long long)wanted);
	else if (!(tos & ECN_BITS))
		ask_no_at(c, without_ecn(c), "ToS %llu%s is DSCP %u without ECN: %s as Not-ECT (expected ToS %llu)", (unsigned long long)tos, by,
			  dscp, port_sends_tos_as_is(c->port) ? "sent" : "likely sent", (unsigned long long)wanted);
	else if ((tos & ECN_BITS) == ECN_CE)
		ask_no(c, "ToS %llu%s marks every packet CE at the sender: each one triggers a CNP (expected ToS %llu)",
		       (unsigned long long)tos, by, (unsigned long long)wanted);
	else
		return true;
	return false;
}

/* What is forced on every QP wins over the default of rdma_cm; applications may still choose for themselves. */
void ask_tos(struct case_of *c)
{
	uint64_t tos = 0, wanted;
	bool is_forced = ask_said(c->port, FIELD_TOS_FORCE, 0);

	if (!ask_wants(c, c->port, FIELD_TOS_CMA, 0, &wanted))
		return ask_na(c, "the policy sets no ToS");
	if (is_forced && !ask_port(c, c->port, FIELD_TOS_FORCE, 0, &tos))
		return;
	if ((!is_forced || tos == 0) && !ask_port(c, c->port, FIELD_TOS_CMA, 0, &tos))
		return;
	if (tos == wanted)
		return ask_ok(c);
	if (tos == 0)
		return ask_no_at(c, VERDICT_LOOK, "no default ToS: applications must mark their packets themselves");
	if (tos_is_right(c, tos, wanted, ""))
		ask_ok(c);
}

/* -- as the policy wants -- */

static bool is_same_trust(uint64_t a, uint64_t b)
{
	return a == b || (a == TRUST_DSCP && b == TRUST_BOTH) || (a == TRUST_BOTH && b == TRUST_DSCP);
}

void ask_trust_wanted(struct case_of *c)
{
	uint64_t trust, wanted;
	char is[24], should[24];

	if (!ask_wants(c, c->port, FIELD_TRUST, 0, &wanted))
		return ask_na(c, "the policy sets no trust mode here");
	if (!ask_port(c, c->port, FIELD_TRUST, 0, &trust))
		return;
	if (is_same_trust(trust, wanted))
		return ask_ok(c);
	ask_no(c, "trusts %s, expected %s", ask_word(FIELD_TRUST, trust, is), ask_word(FIELD_TRUST, wanted, should));
}

/* "DSCP 26 -> 0 (wanted 3)", for each row of a map that is not as wanted. */
static void map_wanted(struct case_of *c, enum field f, const char *word, bool default_is_index)
{
	uint64_t is, wanted;
	char wrong[160] = "";
	size_t n = 0, rows = 0;

	for (uint64_t set = policy_indices(c->policy, f); set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);

		if (!ask_wants(c, c->port, f, i, &wanted))
			continue;
		rows++;
		if (!(default_is_index ? ask_or_index(c, c->port, f, i, &is) : ask_port(c, c->port, f, i, &is)))
			continue;
		if (is != wanted && n < sizeof(wrong) - 48)
			n += (size_t)snprintf(wrong + n, sizeof(wrong) - n, "%s%s %u -> %llu (expected %llu)", n ? ", " : "",
					      word, i, (unsigned long long)is, (unsigned long long)wanted);
	}
	if (n)
		return ask_no(c, "%s", wrong);
	if (!rows)
		return ask_na(c, "the policy sets nothing here");
	ask_ok_unless_lacking(c);
}

void ask_dscp_map_wanted(struct case_of *c)
{
	map_wanted(c, FIELD_DSCP_PRIO, "DSCP", false);
}

void ask_prio_tc_wanted(struct case_of *c)
{
	map_wanted(c, FIELD_PRIO_TC, "priority", ask_is_switch(c, c->port));
}

void ask_tc_queue_wanted(struct case_of *c)
{
	map_wanted(c, FIELD_TC_QUEUE, "class", true);
}

/* Whether the packets of a lossy priority leave by the queue (host: class) of a lossless one. */
static bool shares_queue(struct case_of *c, unsigned prio, unsigned lossless, uint64_t *queue)
{
	uint64_t its;

	if (!map_queue(c, c->port, prio, queue))
		return false;
	for (; lossless; lossless &= lossless - 1)
		if (map_queue(c, c->port, (unsigned)__builtin_ctz(lossless), &its) && its == *queue)
			return true;
	return false;
}

/* Unmarked traffic in the lossless class fills it and is paused with it. */
void ask_best_effort_lossy(struct case_of *c)
{
	unsigned lossless = ask_lossless(c, c->port);
	uint64_t trust, prio, queue;

	if (!ask_port(c, c->port, FIELD_TRUST, 0, &trust))
		return;
	if (trust != TRUST_DSCP && trust != TRUST_BOTH)
		return ask_na(c, "DSCP is not trusted here");
	if (!ask_said(c->port, FIELD_DSCP_PRIO, 0))
		return ask_lost(c, "not reported");
	if (!ask_port(c, c->port, FIELD_DSCP_PRIO, 0, &prio))
		return;
	if (prio < 8 && lossless >> prio & 1)
		return ask_no(c, "unmarked traffic (DSCP 0) is in the lossless priority %llu", (unsigned long long)prio);
	if (prio < 8 && shares_queue(c, (unsigned)prio, lossless, &queue))
		return ask_no(c, "unmarked traffic (DSCP 0, priority %llu) uses %s %llu, as lossless data does",
			      (unsigned long long)prio, ask_is_switch(c, c->port) ? "queue" : "class",
			      (unsigned long long)queue);
	ask_ok_unless_lacking(c);
}

#define DSCP_ISCSI	4
#define DSCP_ROCE	26

static bool class_of_dscp(struct case_of *c, unsigned dscp, uint64_t *tc)
{
	uint64_t prio;

	return ask_port(c, c->port, FIELD_DSCP_PRIO, dscp, &prio) && prio < 8 && map_class(c, c->port, (unsigned)prio, tc);
}

void ask_iscsi_apart(struct case_of *c)
{
	uint64_t trust, iscsi, roce;

	if (!ask_port(c, c->port, FIELD_TRUST, 0, &trust))
		return;
	if (trust != TRUST_DSCP && trust != TRUST_BOTH)
		return ask_na(c, "DSCP is not trusted here");
	if (!ask_said(c->port, FIELD_DSCP_PRIO, DSCP_ISCSI) || !ask_said(c->port, FIELD_DSCP_PRIO, DSCP_ROCE))
		return ask_lost(c, "not reported");
	if (ask_wants(c, c->port, FIELD_DSCP_PRIO, DSCP_ISCSI, &iscsi) && ask_wants(c, c->port, FIELD_DSCP_PRIO, DSCP_ROCE, &roce) &&
	    iscsi == roce)
		return ask_na(c, "the policy requires it");
	if (!class_of_dscp(c, DSCP_ISCSI, &iscsi) || !class_of_dscp(c, DSCP_ROCE, &roce))
		return;
	/* RoCE in the class of all else is another fault */
	if (iscsi != roce || roce == 0)
		return ask_ok_unless_lacking(c);
	ask_no(c, "DSCP %d (iSCSI) and %d (RoCE) are both in class %u", DSCP_ISCSI, DSCP_ROCE, (unsigned)roce);
}

/* -- both ends -- */

void ask_trust_same(struct case_of *c)
{
	const struct port *far = ask_far(c);
	uint64_t a, b;
	char left[24], right[24];

	if (!far || !ask_port(c, c->link->a, FIELD_TRUST, 0, &a) || !ask_port(c, far, FIELD_TRUST, 0, &b))
		return;
	if (is_same_trust(a, b))
		return ask_ok(c);
	ask_no(c, "%.50s trusts %s, %.50s trusts %s", c->link->a->device->name, ask_word(FIELD_TRUST, a, left),
	       far->device->name, ask_word(FIELD_TRUST, b, right));
}

/* A port that does not trust DSCP has no map that counts: its default priority is another fact than a row of its map. */
static const char *by_default(const struct case_of *c, const struct port *p)
{
	uint64_t trust;

	return port_number(c->model, p, FIELD_TRUST, 0, &trust) && trust != TRUST_DSCP && trust != TRUST_BOTH ?
		       " (its default: DSCP is not trusted)" : "";
}

/* False: the answer is given. */
static bool is_dscp_same(struct case_of *c, const struct port *far, unsigned dscp)
{
	const struct port *near = c->link->a;
	uint64_t a, b;

	c->n_evidence = 0;
	if (!map_priority(c, near, dscp, &a) || !map_priority(c, far, dscp, &b) || a == b)
		return true;
	ask_no(c, "DSCP %u gets priority %llu%s at %.50s and %llu%s at %.50s", dscp, (unsigned long long)a, by_default(c, near),
	       near->device->name, (unsigned long long)b, by_default(c, far), far->device->name);
	return false;
}

/* RoCE's own DSCP first. */
void ask_dscp_same(struct case_of *c)
{
	const struct port *far = ask_far(c);
	uint64_t tos;

	if (!far || (ask_wants(c, c->link->a, FIELD_TOS_CMA, 0, &tos) && !is_dscp_same(c, far, (unsigned)tos >> 2 & 63)))
		return;
	for (uint64_t set = policy_indices(c->policy, FIELD_DSCP_PRIO); set; set &= set - 1)
		if (!is_dscp_same(c, far, (unsigned)__builtin_ctzll(set)))
			return;
	ask_ok_unless_lacking(c);
}

void ask_cnp_lands(struct case_of *c)
{
	unsigned wanted = policy_cnp_priority(c->policy);
	const struct port *far;
	uint64_t dscp, prio;

	if (wanted > 7)
		return ask_na(c, "the policy has no priority for CNPs");
	if (ask_is_switch(c, c->link->a))
		return ask_na(c, "no host here sends CNPs");
	if (!(far = ask_far(c)) || !ask_port(c, c->link->a, FIELD_CNP_DSCP, 0, &dscp))
		return;
	if (dscp > 63)
		return ask_no(c, "CNPs are sent with DSCP %llu, which is not valid", (unsigned long long)dscp);
	if (!map_priority(c, far, (unsigned)dscp, &prio))
		return;
	if (prio == wanted)
		return ask_ok(c);
	ask_no(c, "CNPs (DSCP %llu) are classified into priority %llu at %.60s, expected %u", (unsigned long long)dscp,
	       (unsigned long long)prio, far->device->name, wanted);
}
