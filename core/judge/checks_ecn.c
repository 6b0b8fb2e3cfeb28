/* Checks of ECN and DCQCN: marking at switches, notification and reaction at NICs. */
#include "core/judge/checks.h"

#include <math.h>
#include <stdio.h>

/* The queue that the lossless priority c->index leaves by; false, and the answer, when ECN is not wanted or unknown there. */
static bool wanted_queue(struct case_of *c, unsigned *queue)
{
	uint64_t wanted, n;

	if (!ask_wants(c, c->port, FIELD_ECN_ON, c->index, &wanted) || !wanted) {
		ask_na(c, "the policy sets no ECN on this priority");
		return false;
	}
	if (!map_queue(c, c->port, c->index, &n) || n > 7)
		return false;
	*queue = (unsigned)n;
	return true;
}

void ask_ecn_on(struct case_of *c)
{
	unsigned queue;
	uint64_t on;

	if (!wanted_queue(c, &queue) || !ask_port(c, c->port, FIELD_ECN_ON, queue, &on))
		return;
	if (on)
		return ask_ok(c);
	ask_no(c, "ECN is off on queue %u (priority %u)", queue, c->index);
}

/* Thresholds say something only where marking is on. */
static bool marking_queue(struct case_of *c, unsigned *queue)
{
	uint64_t on;

	if (!wanted_queue(c, queue) || !ask_port(c, c->port, FIELD_ECN_ON, *queue, &on))
		return false;
	if (!on)
		ask_na(c, "ECN is off here");
	return on;
}

void ask_ecn_sane(struct case_of *c)
{
	unsigned queue;
	uint64_t kmin, kmax, pmax;

	if (!marking_queue(c, &queue))
		return;
	if (ask_port(c, c->port, FIELD_ECN_KMIN, queue, &kmin) && ask_port(c, c->port, FIELD_ECN_KMAX, queue, &kmax) &&
	    kmin >= kmax)
		return ask_no(c, "Kmin %llu KB is not below Kmax %llu KB", (unsigned long long)(kmin / 1000),
			      (unsigned long long)(kmax / 1000));
	if (ask_port(c, c->port, FIELD_ECN_PMAX, queue, &pmax) && (pmax == 0 || pmax > 100))
		return ask_no(c, "the marking probability at Kmax is %llu %%", (unsigned long long)pmax);
	ask_ok_unless_lacking(c);
}

void ask_ecn_before_pfc(struct case_of *c)
{
	unsigned queue;
	uint64_t kmin, xoff, pg;

	if (!marking_queue(c, &queue))
		return;
	if (!ask_or_index(c, c->port, FIELD_PRIO_PG, c->index, &pg) || pg > 7)
		return;
	if (!ask_said(c->port, FIELD_BUFFER_XOFF, (unsigned)pg))
		return ask_lost(c, "this system does not show at which fill it sends pause");
	if (!ask_port(c, c->port, FIELD_BUFFER_XOFF, (unsigned)pg, &xoff) ||
	    !ask_port(c, c->port, FIELD_ECN_KMIN, queue, &kmin))
		return;
	if (kmin < xoff)
		return ask_ok(c);
	ask_no(c, "marking begins at %llu KB, pause is sent from %llu KB", (unsigned long long)(kmin / 1000),
	       (unsigned long long)(xoff / 1000));
}

/* Devices say KB and mean KiB, or the reverse. */
static bool is_near(const struct case_of *c, uint64_t is, uint64_t wanted)
{
	return fabs((double)is - (double)wanted) <= policy_limit(c->policy, LIMIT_KB_TOLERANCE) * (double)wanted;
}

static bool is_as_wanted(struct case_of *c, enum field f, unsigned queue, const char *name, const char *unit, unsigned per)
{
	uint64_t is, wanted;

	if (!ask_wants(c, c->port, f, c->index, &wanted) || !ask_port(c, c->port, f, queue, &is) || is_near(c, is, wanted))
		return true;
	ask_no_at(c, f == FIELD_ECN_KMIN && is > wanted ? VERDICT_WARN : VERDICT_LOOK,
		  "%s of queue %u is %llu %s, expected %llu", name, queue, (unsigned long long)(is / per), unit,
		  (unsigned long long)(wanted / per));
	return false;
}

void ask_ecn_wanted(struct case_of *c)
{
	unsigned queue;

	if (!marking_queue(c, &queue))
		return;
	if (is_as_wanted(c, FIELD_ECN_KMIN, queue, "Kmin", "KB", 1000) &&
	    is_as_wanted(c, FIELD_ECN_KMAX, queue, "Kmax", "KB", 1000) &&
	    is_as_wanted(c, FIELD_ECN_PMAX, queue, "Pmax", "%", 1))
		ask_ok_unless_lacking(c);
}

/* -- the two halves of DCQCN in the NIC -- */

static void half_of_dcqcn(struct case_of *c, enum field f, const char *means)
{
	uint64_t on, wanted;

	if (!ask_wants(c, c->port, f, c->index, &wanted) || !wanted)
		return ask_na(c, "the policy sets none on this priority");
	if (!ask_port(c, c->port, f, c->index, &on))
		return;
	if (on)
		return ask_ok(c);
	ask_no(c, "on priority %u %s", c->index, means);
}

void ask_np(struct case_of *c)
{
	half_of_dcqcn(c, FIELD_ECN_NP, "CE marks trigger no CNPs (NP disabled)");
}

void ask_rp(struct case_of *c)
{
	half_of_dcqcn(c, FIELD_ECN_RP, "CNPs are ignored (RP disabled)");
}

/* Each parameter against its limit: what is above lets the queue fill again at once. All are told, or it is not known. */
void ask_dcqcn_calm(struct case_of *c)
{
	static const struct {
		enum field field;
		enum limit most_mbps;
	} rates[] = {
		{ FIELD_CC_AI_RATE, LIMIT_AI_RATE }, { FIELD_CC_HAI_RATE, LIMIT_HAI_RATE }, { FIELD_CC_MIN_RATE, LIMIT_MIN_RATE },
	};
	char fast[80] = "";
	bool is_said = false;
	uint64_t is;

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		is_said |= ask_said(c->port, rates[i].field, 0);
	if (!is_said)
		return ask_lost(c, "the NIC does not report its DCQCN parameters");
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		double most = policy_limit(c->policy, rates[i].most_mbps);
		enum field f = rates[i].field;
		size_t n = strlen(fast);

		if (ask_port(c, c->port, f, 0, &is) && (double)is > most)
			snprintf(fast + n, sizeof(fast) - n, "%s%s %llu", n ? ", " : "", field_table[f].name, (unsigned long long)is);
	}
	if (*fast)
		return ask_no(c, "%s Mb/s, far above the default", fast);
	ask_ok_unless_lacking(c);
}

void ask_cnp_mark(struct case_of *c)
{
	uint64_t dscp, prio, wanted;

	if (!ask_wants(c, c->port, FIELD_CNP_DSCP, 0, &wanted))
		return ask_na(c, "the policy sets no DSCP for CNPs");
	if (!ask_port(c, c->port, FIELD_CNP_DSCP, 0, &dscp))
		return;
	if (dscp != wanted)
		return ask_no(c, "CNPs are sent with DSCP %llu, expected %llu", (unsigned long long)dscp,
			      (unsigned long long)wanted);
	if (ask_said(c->port, FIELD_CNP_PRIO, 0) && ask_wants(c, c->port, FIELD_CNP_PRIO, 0, &wanted) &&
	    ask_port(c, c->port, FIELD_CNP_PRIO, 0, &prio) && prio != wanted)
		return ask_no_at(c, VERDICT_LOOK, "CNPs are sent with 802.1p priority %llu, expected %llu",
				 (unsigned long long)prio, (unsigned long long)wanted);
	ask_ok_unless_lacking(c);
}
