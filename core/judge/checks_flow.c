/* Checks of flow control and scheduling: PFC, link-level pause, buffers, watchdog, ETS. */
#include "core/judge/checks.h"

#include <stdio.h>

#include "core/roce/headroom.h"

/* -- PFC -- */

struct pfc {
	unsigned on, wanted, spoken;	/* sets of priorities; spoken: of which the policy says something */
};

static struct pfc pfc_sets(struct case_of *c)
{
	struct pfc s = { 0 };
	uint64_t is, wanted;

	for (unsigned prio = 0; prio < 8; prio++) {
		if (!ask_wants(c, c->port, FIELD_PFC_ON, prio, &wanted))
			continue;
		s.spoken |= 1u << prio;
		s.wanted |= (unsigned)(wanted != 0) << prio;
		if (ask_port(c, c->port, FIELD_PFC_ON, prio, &is))
			s.on |= (unsigned)(is != 0) << prio;
		else
			s.on |= (s.wanted & 1u << prio);	/* not known to be wrong */
	}
	return s;
}

/* What differs is the evidence, and not the first priorities that were read; far: the other end, or NULL. */
static void cite_pfc(struct case_of *c, const struct port *p, const struct port *far, unsigned differ)
{
	c->n_evidence = 0;
	for (unsigned prio = 0; prio < 8; prio++) {
		if (differ >> prio & 1)
			ask_cite(c, p, FIELD_PFC_ON, prio);
		if (far && differ >> prio & 1)
			ask_cite(c, far, FIELD_PFC_ON, prio);
	}
}

void ask_pfc_on(struct case_of *c)
{
	struct pfc s = pfc_sets(c);
	char is[24], should[24];

	if (!s.wanted)
		return ask_na(c, "the policy has no lossless priority here");
	if (!(s.wanted & ~s.on))
		return ask_ok_unless_lacking(c);
	cite_pfc(c, c->port, NULL, s.wanted ^ s.on);
	ask_no(c, "PFC is on for %s, expected %s", ask_set(s.on, is), ask_set(s.wanted, should));
}

void ask_pfc_only(struct case_of *c)
{
	struct pfc s = pfc_sets(c);
	char is[24], should[24];

	if (!(s.spoken & ~s.wanted))
		return ask_na(c, "the policy declares no priority lossy");
	if (!(s.on & ~s.wanted & s.spoken))
		return ask_ok_unless_lacking(c);
	cite_pfc(c, c->port, NULL, s.on & ~s.wanted & s.spoken);
	ask_no(c, "PFC is on for %s, expected only %s", ask_set(s.on, is), ask_set(s.wanted, should));
}

void ask_pfc_same(struct case_of *c)
{
	const struct port *far = ask_far(c);
	unsigned left = 0, right = 0;
	uint64_t a, b;
	char words[2][24];

	if (!far)
		return;
	for (unsigned prio = 0; prio < 8; prio++) {
		if (!ask_port(c, c->link->a, FIELD_PFC_ON, prio, &a) || !ask_port(c, far, FIELD_PFC_ON, prio, &b))
			continue;
		left |= (unsigned)(a != 0) << prio;
		right |= (unsigned)(b != 0) << prio;
	}
	if (left == right)
		return ask_ok_unless_lacking(c);
	cite_pfc(c, c->link->a, far, left ^ right);
	ask_no(c, "PFC is on for %s at %.50s and for %s at %.50s", ask_set(left, words[0]), c->link->a->device->name,
	       ask_set(right, words[1]), far->device->name);
}

/* A pause of a priority must stop the queue that the priority is sent from. */
void ask_pfc_queue(struct case_of *c)
{
	uint64_t stops, queue;

	if (!ask_said(c->port, FIELD_PFC_QUEUE, c->index))
		return ask_lost(c, "this system shows no such map");
	if (!ask_port(c, c->port, FIELD_PFC_QUEUE, c->index, &stops) || !map_queue(c, c->port, c->index, &queue))
		return;
	if (stops == queue)
		return ask_ok(c);
	ask_no(c, "a pause of priority %u pauses queue %llu, but its packets use queue %llu", c->index,
	       (unsigned long long)stops, (unsigned long long)queue);
}

void ask_buffer_shared(struct case_of *c)
{
	uint64_t mine, its, on;

	if (!ask_said(c->port, FIELD_PRIO_PG, c->index))
		return ask_lost(c, "not reported");
	if (!ask_port(c, c->port, FIELD_PRIO_PG, c->index, &mine))
		return;
	for (unsigned prio = 0; prio < 8; prio++) {
		if (prio == c->index || !ask_said(c->port, FIELD_PRIO_PG, prio))
			continue;
		if (!ask_port(c, c->port, FIELD_PRIO_PG, prio, &its) || its != mine)
			continue;
		if (ask_port(c, c->port, FIELD_PFC_ON, prio, &on) && !on)
			return ask_no(c, "priority %u shares receive buffer %llu with the lossy priority %u", c->index,
				      (unsigned long long)mine, prio);
	}
	ask_ok_unless_lacking(c);
}

/* 802.3x */

void ask_link_pause(struct case_of *c)
{
	uint64_t rx = 0, tx = 0, wanted_rx = 0, wanted_tx = 0;
	bool is_spoken = ask_wants(c, c->port, FIELD_PAUSE_RX, 0, &wanted_rx);

	is_spoken |= ask_wants(c, c->port, FIELD_PAUSE_TX, 0, &wanted_tx);
	if (!is_spoken)
		return ask_na(c, "the policy does not set link pause");
	if (ask_is_switch(c, c->port) && !ask_said(c->port, FIELD_PAUSE_RX, 0) && !ask_said(c->port, FIELD_PAUSE_TX, 0))
		return ask_lost(c, "this system shows no link pause");
	ask_port(c, c->port, FIELD_PAUSE_RX, 0, &rx);
	ask_port(c, c->port, FIELD_PAUSE_TX, 0, &tx);
	if ((rx && !wanted_rx) || (tx && !wanted_tx))
		return ask_no(c, "802.3x link pause is on (%s%s%s)", rx ? "rx" : "", rx && tx ? " and " : "", tx ? "tx" : "");
	ask_ok_unless_lacking(c);
}

void ask_headroom(struct case_of *c)
{
	/* A switch says what is left once pause is sent; of a host's buffer that is less than all of it. */
	enum field of = ask_is_switch(c, c->port) ? FIELD_BUFFER_HEADROOM : FIELD_BUFFER_SIZE;
	uint64_t on, pg, room, cable_m, speed;
	double needed;

	if (!ask_port(c, c->port, FIELD_PFC_ON, c->index, &on))
		return;
	if (!on)
		return ask_na(c, "PFC is off for this priority");
	if (!ask_said(c->port, FIELD_CABLE, 0))
		return ask_lost(c, "this system reports no cable length");
	/* A NIC puts several priorities in one buffer: the map is not the identity where it is not told. */
	if (!ask_is_switch(c, c->port) && !ask_said(c->port, FIELD_PRIO_PG, c->index))
		return ask_lost(c, "the NIC does not report which buffer holds the priority");
	if (!ask_or_index(c, c->port, FIELD_PRIO_PG, c->index, &pg) || pg > 7)
		return;
	if (!ask_said(c->port, of, (unsigned)pg))
		return ask_lost(c, "this system reports no headroom");
	if (!ask_port(c, c->port, of, (unsigned)pg, &room) || !ask_port(c, c->port, FIELD_CABLE, 0, &cable_m) ||
	    !ask_port(c, c->port, FIELD_SPEED, 0, &speed))
		return;
	needed = headroom_of_cable(speed, (double)cable_m);
	if ((double)room >= needed)
		return ask_ok(c);
	ask_no(c, "%.1f KB are left for priority %u once pause is sent; %llu m of cable alone hold %.1f KB", (double)room / 1000, c->index,
	       (unsigned long long)cable_m, needed / 1000);
}

void ask_watchdog(struct case_of *c)
{
	uint64_t on, wanted;

	if (!ask_wants(c, c->port, FIELD_PFC_WATCHDOG, 0, &wanted) || !wanted)
		return ask_na(c, "the policy requires no watchdog here");
	if (!ask_said(c->port, FIELD_PFC_WATCHDOG, 0))
		return ask_lost(c, "this system shows no PFC watchdog");
	if (!ask_port(c, c->port, FIELD_PFC_WATCHDOG, 0, &on))
		return;
	if (on)
		return ask_ok(c);
	ask_no(c, "the PFC watchdog is off: a stuck receiver can stop the fabric");
}

/* -- scheduling -- */

/* True when the class is served by share; where nobody states how, a share that is stated tells. */
static bool is_shared(struct case_of *c, unsigned tc, uint64_t *share)
{
	uint64_t algo;

	if (!ask_said(c->port, FIELD_ETS_ALGO, tc))
		return ask_said(c->port, FIELD_ETS_SHARE, tc) && ask_port(c, c->port, FIELD_ETS_SHARE, tc, share);
	return ask_port(c, c->port, FIELD_ETS_ALGO, tc, &algo) && algo == ETS_ETS &&
	       ask_port(c, c->port, FIELD_ETS_SHARE, tc, share);
}

/* Its answer was cut short: the classes that it does not name may have a share too. */
static bool is_cut(const struct cell *share)
{
	return share && share->since_us > share->reply->whole_us;
}

void ask_ets_sum(struct case_of *c)
{
	uint64_t share, sum = 0;
	unsigned classes = 0, said = 0;
	bool has_cut = false;

	for (unsigned tc = 0; tc < 8; tc++) {
		said += ask_said(c->port, FIELD_ETS_SHARE, tc) || ask_said(c->port, FIELD_ETS_ALGO, tc);
		has_cut |= is_cut(port_cell(c->port, FIELD_ETS_SHARE, tc));
		if (!is_shared(c, tc, &share))
			continue;
		sum += share;
		classes++;
	}
	if (!said) {
		ask_port(c, c->port, FIELD_ETS_SHARE, 0, &share);
		return;
	}
	if (ask_lacks(c))
		return;
	if (classes == 0)
		return ask_na(c, "no class is served by share");
	if (sum == 100)
		return ask_ok(c);
	if (sum < 100 && said < 8 && has_cut)
		return ask_unknown(c, LACK_REASON, c->port->device, "the shares of %u classes: the answer was cut short", 8 - said);
	ask_no_at(c, ask_is_switch(c, c->port) ? VERDICT_LOOK : VERDICT_WARN, "the shares add up to %llu %%, not to 100",
		  (unsigned long long)sum);
}

/* Whether a class of lossless data is served strictly before the class of the CNPs. */
static bool is_overtaken(struct case_of *c, unsigned cnp, unsigned *by)
{
	unsigned lossless = ask_lossless(c, c->port);
	uint64_t queue, algo;

	for (unsigned prio = 0; prio < 8; prio++) {
		if (!(lossless >> prio & 1) || !map_queue(c, c->port, prio, &queue) || queue == cnp || queue > 7)
			continue;
		if (!ask_said(c->port, FIELD_ETS_ALGO, (unsigned)queue) ||
		    !ask_port(c, c->port, FIELD_ETS_ALGO, (unsigned)queue, &algo) || algo != ETS_STRICT)
			continue;
		*by = (unsigned)queue;
		return true;
	}
	return false;
}

void ask_ets_cnp(struct case_of *c)
{
	unsigned prio = policy_cnp_priority(c->policy), by;
	uint64_t tc, algo = ETS_ETS, share, wanted = 0;

	if (prio > 7)
		return ask_na(c, "the policy has no priority for CNPs");
	if (!map_queue(c, c->port, prio, &tc) || tc > 7)
		return;
	if (ask_said(c->port, FIELD_ETS_ALGO, (unsigned)tc) && !ask_port(c, c->port, FIELD_ETS_ALGO, (unsigned)tc, &algo))
		return;
	if (algo == ETS_STRICT)
		return ask_ok(c);
	if (is_overtaken(c, (unsigned)tc, &by))
		return ask_no(c, "class %u has strict priority over the CNPs in class %u", by, (unsigned)tc);
	if (algo == ETS_VENDOR)
		return ask_no_at(c, VERDICT_LOOK, "the class of the CNPs (%u) has no share of its own", (unsigned)tc);
	if (!ask_port(c, c->port, FIELD_ETS_SHARE, (unsigned)tc, &share))
		return;
	ask_wants(c, c->port, FIELD_ETS_SHARE, (unsigned)tc, &wanted);
	if (share == 0 || share * 2 < wanted)
		return ask_no(c, "the class of the CNPs (%u) has %llu %% and no strict priority", (unsigned)tc,
			      (unsigned long long)share);
	ask_ok_unless_lacking(c);
}

void ask_ets_wanted(struct case_of *c)
{
	uint64_t is, wanted;
	bool is_judged = false;

	for (unsigned tc = 0; tc < 8; tc++) {
		if (!ask_wants(c, c->port, FIELD_ETS_SHARE, tc, &wanted) || !is_shared(c, tc, &is))
			continue;
		is_judged = true;
		if (is != wanted)
			return ask_no(c, "traffic class %u has %llu %% of the bandwidth, expected %llu %%", tc, (unsigned long long)is,
				      (unsigned long long)wanted);
	}
	if (!is_judged && !ask_lacks(c))
		return ask_lost(c, "no ETS bandwidth is reported here, or none is required");
	ask_ok_unless_lacking(c);
}
