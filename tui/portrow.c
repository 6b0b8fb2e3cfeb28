#include "tui/portrow.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tui/human.h"

const struct pair_info pair_table[PAIR_COUNT] = {
#define X(id, n, t, f) [PAIR_##id] = { .name = n, .title = t, .fields = f },
	PAIRS(X)
#undef X
};

/* One end of a link, being asked. */
struct end {
	const struct model *model;
	const struct port *port;
	const struct policy *policy;
	bool is_switch;
	unsigned priority;
	char *out;
	size_t size;
};

static void say_number(const struct end *e, enum field f, unsigned index)
{
	char text[HUMAN_MAX];
	uint64_t n;

	if (port_number(e->model, e->port, f, index, &n))
		snprintf(e->out, e->size, "%s", human_value(text, f, n));
}

static void say_speed(const struct end *e)
{
	say_number(e, FIELD_SPEED, 0);
}

static void say_mtu(const struct end *e)
{
	uint64_t n;

	if (port_number(e->model, e->port, FIELD_MTU, 0, &n))
		snprintf(e->out, e->size, "%" PRIu64, n);
}

static void say_trust(const struct end *e)
{
	say_number(e, FIELD_TRUST, 0);
}

/* The priorities with PFC, "3,4"; "-" when known to be none; not known unless every one is. */
static void say_pfc(const struct end *e)
{
	size_t n = 0;
	uint64_t on;
	char list[24] = "";

	for (unsigned i = 0; i < 8; i++) {
		if (!port_number(e->model, e->port, FIELD_PFC_ON, i, &on))
			return;
		if (on)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%u", n ? "," : "", i);
	}
	snprintf(e->out, e->size, "%s", n ? list : "-");
}

#define ROCE_DSCP 26	/* the usual marking of RoCE data */

static void say_dscp(const struct end *e)
{
	uint64_t priority;

	if (port_number(e->model, e->port, FIELD_DSCP_PRIO, ROCE_DSCP, &priority))
		snprintf(e->out, e->size, "%d>%" PRIu64, ROCE_DSCP, priority);
}

/* The queue that the priority leaves by: a map that nobody states keeps the number. */
static bool queue_of(const struct end *e, uint64_t *queue)
{
	static const enum field maps[] = { FIELD_PRIO_TC, FIELD_TC_QUEUE };

	*queue = e->priority;
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		if (port_cell(e->port, maps[i], (unsigned)*queue) &&
		    (!port_number(e->model, e->port, maps[i], (unsigned)*queue, queue) || *queue > 7))
			return false;
	return true;
}

/* A switch marks on the queue; a host answers marks (NP) and obeys CNPs (RP): both or it is off. */
static void say_ecn(const struct end *e)
{
	uint64_t np, rp, queue;

	if (e->is_switch) {
		if (!queue_of(e, &queue))
			return;
		say_number(e, FIELD_ECN_ON, (unsigned)queue);
		if (strcmp(e->out, "yes") == 0 || strcmp(e->out, "no") == 0)
			snprintf(e->out, e->size, "%s", e->out[0] == 'y' ? "on" : "off");
		return;
	}
	if (!port_number(e->model, e->port, FIELD_ECN_NP, e->priority, &np) ||
	    !port_number(e->model, e->port, FIELD_ECN_RP, e->priority, &rp))
		return;
	snprintf(e->out, e->size, "%s", np && rp ? "on" : np ? "np only" : rp ? "rp only" : "off");
}

/* What a host marks CNPs with; where a switch sends that marking. */
static void say_cnp(const struct end *e)
{
	uint64_t n;

	if (!e->is_switch)
		say_number(e, FIELD_CNP_DSCP, 0);
	else if (port_number(e->model, e->port, FIELD_DSCP_PRIO, 48, &n))
		snprintf(e->out, e->size, "48>%" PRIu64, n);
}

static void (*const say[PAIR_COUNT])(const struct end *e) = {
	[PAIR_SPEED] = say_speed, [PAIR_MTU] = say_mtu, [PAIR_TRUST] = say_trust, [PAIR_PFC] = say_pfc,
	[PAIR_DSCP] = say_dscp, [PAIR_ECN] = say_ecn, [PAIR_CNP] = say_cnp,
};

unsigned portrow_priority(const struct policy *policy)
{
	unsigned lossless = policy_lossless(policy, false);

	return lossless ? (unsigned)__builtin_ctz(lossless) : 3;
}

static void say_end(struct end *e, enum pair pair, const struct port *p, bool is_switch, char *out, size_t size)
{
	e->port = p;
	e->is_switch = is_switch;
	e->out = out;
	e->size = size;
	snprintf(out, size, "?");
	if (p)
		say[pair](e);
}

static enum verdict pair_verdict(const struct findings *f, const struct link *link, const struct pair_cell *cell, enum pair pair)
{
	struct span fields = span_of(pair_table[pair].fields), word;
	enum verdict worst = VERDICT_OK;

	while (span_word(&fields, &word)) {
		char name[32];
		enum verdict v;

		snprintf(name, sizeof(name), "%.*s", (int)word.n, word.p);
		v = findings_worst(f, link->a, link->b, name);
		worst = v > worst ? v : worst;
	}
	if (worst < VERDICT_LOOK && (cell->a[0] == '?' || cell->b[0] == '?'))
		return VERDICT_UNKNOWN;
	return worst;
}

static double rate_of(const struct model *m, const struct port *p, enum field f, unsigned index)
{
	double per_s;

	return p && port_rate(m, p, f, index, &per_s) ? per_s : NAN;
}

/* Pause frames that p received: what it counts, or else what its peer says it sent. */
static double pauses_at(const struct model *m, const struct port *p, const struct port *peer, unsigned priority)
{
	double received = rate_of(m, p, FIELD_PFC_RX, priority);

	return isnan(received) ? rate_of(m, peer, FIELD_PFC_TX, priority) : received;
}

static void take_pause(struct portrow *row, const struct model *m, const struct port *p, unsigned priority)
{
	double share, raw;

	if (!p || !port_share(m, p, FIELD_PFC_RX_US, priority, &share, &raw))
		return;
	if (row->paused_known && share <= row->paused_share)
		return;
	row->paused_known = true;
	row->paused_share = share;
	row->paused = p;
}

static int64_t oldest_reply(const struct model *m, const struct port *p)
{
	static const enum field asked[] = { FIELD_MTU, FIELD_TRUST, FIELD_PFC_ON, FIELD_PFC_RX, FIELD_RX_TOTAL };
	int64_t oldest = -1;

	for (size_t i = 0; p && i < sizeof(asked) / sizeof(*asked); i++) {
		const struct cell *c = port_cell(p, asked[i], field_table[asked[i]].width == 8 ? 3 : 0);

		if (c && cell_age_us(m, c) > oldest)
			oldest = cell_age_us(m, c);
	}
	return oldest;
}

void portrow_begin(struct portrow *row, const struct model *m, const struct findings *f, const struct policy *policy,
		   const struct link *link)
{
	int64_t a_us = oldest_reply(m, link->a), b_us = oldest_reply(m, link->b);
	unsigned priority = portrow_priority(policy);

	*row = (struct portrow){ .link = link, .worst = findings_worst(f, link->a, link->b, NULL),
				 .age_us = a_us > b_us ? a_us : b_us };
	take_pause(row, m, link->a, priority);
	take_pause(row, m, link->b, priority);
}

void portrow_make(struct portrow *row, const struct model *m, const struct findings *f, const struct policy *policy,
		  const struct link *link, bool a_is_switch, bool b_is_switch)
{
	struct end e = { .model = m, .policy = policy, .priority = portrow_priority(policy) };

	portrow_begin(row, m, f, policy, link);
	for (unsigned i = 0; i < PAIR_COUNT; i++) {
		struct pair_cell *cell = &row->pairs[i];

		say_end(&e, (enum pair)i, link->a, a_is_switch, cell->a, sizeof(cell->a));
		say_end(&e, (enum pair)i, link->b, b_is_switch, cell->b, sizeof(cell->b));
		cell->worst = pair_verdict(f, link, cell, (enum pair)i);
	}
	row->pfc_per_s = pauses_at(m, link->a, link->b, e.priority) + pauses_at(m, link->b, link->a, e.priority);
	row->cnp_per_s = rate_of(m, link->a, FIELD_CNP_SENT, 0);
	row->tx_bps = 8 * rate_of(m, link->a, FIELD_TX_TOTAL, 0);
	row->is_whole = true;
}

enum verdict portrow_verdict(const struct portrow *row)
{
	return row->worst < VERDICT_LOOK && (row->age_us < 0 || !row->link->b) ? VERDICT_UNKNOWN : row->worst;
}

char pair_sign(const struct pair_cell *cell)
{
	if (cell->worst >= VERDICT_LOOK)
		return '!';
	return cell->worst == VERDICT_UNKNOWN || cell->a[0] == '?' || cell->b[0] == '?' ? '?' : '=';
}
