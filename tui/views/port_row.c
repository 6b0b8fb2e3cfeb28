#include "tui/views/port_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/fabric/stopped.h"
#include "tui/text/human.h"

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

	if (port_number(e->model, port_source(e->port, FIELD_MTU, 0), FIELD_MTU, 0, &n))
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

#define ROCE_DSCP 26	/* the usual markings of RoCE data */
#define CNP_DSCP 48	/* and of CNPs */

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
	else if (port_number(e->model, e->port, FIELD_DSCP_PRIO, CNP_DSCP, &n))
		snprintf(e->out, e->size, "%d>%" PRIu64, CNP_DSCP, n);
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

enum verdict pair_worst(enum pair pair, const struct findings *f, const struct port *a, const struct port *b)
{
	return findings_worst(f, a, b, pair_table[pair].fields);
}

static enum verdict pair_verdict(const struct findings *f, const struct link *link, const struct pair_cell *cell, enum pair pair)
{
	enum verdict worst = pair_worst(pair, f, link->a, link->b);

	if (worst < VERDICT_LOOK && (cell->a[0] == '?' || cell->b[0] == '?'))
		return VERDICT_UNKNOWN;
	return worst;
}

static double rate_of(const struct model *m, const struct port *p, enum field f, unsigned index)
{
	double per_s;

	return p && port_rate(m, p, f, index, &per_s) ? per_s : NAN;
}

/* Pause frames that p received, as the pause trees tell them. */
static double pauses_at(const struct model *m, const struct port *p, const struct port *peer, unsigned priority)
{
	struct stopped s;

	stopped_of(m, p, peer, priority, &s);
	return s.frames_per_s;
}

/* One way of a link. Frames alone tell nothing but that it is not stopped at all. */
static bool take_pause(struct portrow *row, const struct model *m, const struct port *held, const struct port *holder, unsigned priority)
{
	struct stopped s;

	if (!stopped_of(m, held, holder, priority, &s) || (s.basis == PAUSE_BY_FRAMES && s.share > 0))
		return false;
	if (!row->paused_by || s.share > row->paused_share) {
		row->paused_share = s.share;
		row->paused_window_us = s.window_us;
		row->paused = held;
		row->paused_by = s.by;
		row->paused_field = s.field;
	}
	return true;
}

/* Both ways; of one alone it can be told that it is stopped, but not that the link is not. */
static void take_pauses(struct portrow *row, const struct model *m, const struct link *link, unsigned priority)
{
	bool a = take_pause(row, m, link->a, link->b, priority), b = take_pause(row, m, link->b, link->a, priority);

	row->paused_known = (a && b) || row->paused_share > 0;
}

int64_t portrow_age_us(const struct model *m, const struct port *p)
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
	int64_t a_us = portrow_age_us(m, link->a), b_us = portrow_age_us(m, link->b);
	unsigned priority = portrow_priority(policy);

	*row = (struct portrow){ .link = link, .worst = findings_worst(f, link->a, link->b, NULL),
				 .age_us = a_us > b_us ? a_us : b_us };
	if (row->worst < VERDICT_LOOK && (row->age_us < 0 || !link->b))
		row->worst = VERDICT_UNKNOWN;
	take_pauses(row, m, link, priority);
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
	row->pfc_a_per_s = pauses_at(m, link->a, link->b, e.priority);
	row->pfc_b_per_s = pauses_at(m, link->b, link->a, e.priority);
	row->pfc_per_s = row->pfc_a_per_s + row->pfc_b_per_s;
	row->cnp_per_s = rate_of(m, link->a, FIELD_CNP_SENT, 0);
	row->tx_bps = 8 * rate_of(m, link->a, FIELD_TX_TOTAL, 0);
	row->is_whole = true;
}

char pair_sign(const struct pair_cell *cell)
{
	if (cell->worst >= VERDICT_LOOK)
		return '!';
	return cell->worst == VERDICT_UNKNOWN || cell->a[0] == '?' || cell->b[0] == '?' ? '?' : '=';
}

const char *pair_joint(const struct pair_cell *cell)
{
	if (pair_sign(cell) != '!')
		return "=";
	return strcmp(cell->a, cell->b) && cell->a[0] != '?' && cell->b[0] != '?' ? "≠" : "!";
}

/* -- what the policy wants, in the same words -- */

static bool wants(const struct policy *policy, const struct policy_target *t, enum field f, unsigned index, uint64_t *out)
{
	struct value v;

	if (!policy_wants(policy, t, f, index, &v, NULL) || v.is != VALUE_KNOWN)
		return false;
	*out = v.n;
	return true;
}

static void want_pfc(const struct policy *policy, const struct policy_target *t, char *out, size_t size)
{
	size_t n = 0;
	uint64_t on;

	for (unsigned i = 0; i < 8 && n < size; i++)
		if (wants(policy, t, FIELD_PFC_ON, i, &on) && on)
			n += (size_t)snprintf(out + n, size - n, "%s%u", n ? "," : "", i);
}

static void want_ecn(const struct policy *policy, const struct policy_target *t, char *out, size_t size)
{
	unsigned priority = portrow_priority(policy);
	uint64_t np, rp;

	if (t->is_switch && wants(policy, t, FIELD_ECN_ON, priority, &np))
		snprintf(out, size, "%s", np ? "on" : "off");
	else if (wants(policy, t, FIELD_ECN_NP, priority, &np) && wants(policy, t, FIELD_ECN_RP, priority, &rp))
		snprintf(out, size, "%s", np && rp ? "on" : np ? "np only" : rp ? "rp only" : "off");
}

static void want_number(const struct policy *policy, const struct policy_target *t, enum field f, unsigned index, char *out,
			size_t size)
{
	char text[HUMAN_MAX];
	uint64_t n;

	if (!wants(policy, t, f, index, &n))
		return;
	if (f == FIELD_DSCP_PRIO)
		snprintf(out, size, "%u>%" PRIu64, index, n);
	else if (f == FIELD_MTU)
		snprintf(out, size, "%" PRIu64, n);
	else
		snprintf(out, size, "%s", human_value(text, f, n));
}

void pair_wanted(enum pair pair, const struct policy *policy, const struct policy_target *t, char *out, size_t size)
{
	static const enum field fields[PAIR_COUNT] = {
		[PAIR_SPEED] = FIELD_SPEED, [PAIR_MTU] = FIELD_MTU, [PAIR_TRUST] = FIELD_TRUST, [PAIR_CNP] = FIELD_CNP_DSCP,
	};

	snprintf(out, size, "-");
	if (pair == PAIR_PFC)
		want_pfc(policy, t, out, size);
	else if (pair == PAIR_ECN)
		want_ecn(policy, t, out, size);
	else if (pair == PAIR_DSCP || (pair == PAIR_CNP && t->is_switch))
		want_number(policy, t, FIELD_DSCP_PRIO, pair == PAIR_DSCP ? ROCE_DSCP : CNP_DSCP, out, size);
	else
		want_number(policy, t, fields[pair], 0, out, size);
}

bool pair_place(enum pair pair, bool is_switch, const struct policy *policy, struct pair_place *place)
{
	unsigned priority = portrow_priority(policy);

	switch (pair) {
	case PAIR_SPEED: *place = (struct pair_place){ FIELD_SPEED, 0 }; break;
	case PAIR_MTU:	 *place = (struct pair_place){ FIELD_MTU, 0 }; break;
	case PAIR_TRUST: *place = (struct pair_place){ FIELD_TRUST, 0 }; break;
	case PAIR_PFC:	 *place = (struct pair_place){ FIELD_PFC_ON, priority }; break;
	case PAIR_DSCP:	 *place = (struct pair_place){ FIELD_DSCP_PRIO, ROCE_DSCP }; break;
	case PAIR_ECN:	 *place = (struct pair_place){ is_switch ? FIELD_ECN_ON : FIELD_ECN_NP, priority }; break;
	case PAIR_CNP:
		*place = is_switch ? (struct pair_place){ FIELD_DSCP_PRIO, CNP_DSCP } : (struct pair_place){ FIELD_CNP_DSCP, 0 };
		break;
	default:
		return false;
	}
	return true;
}

const struct cell *pair_fact(enum pair pair, const struct port *p, bool is_switch, const struct policy *policy)
{
	struct pair_place place;

	return pair_place(pair, is_switch, policy, &place) ? port_cell(p, place.field, place.index) : NULL;
}

bool portrow_has(const struct link *link, const struct finding *f)
{
	return f->port && (f->port == link->a || f->port == link->b || f->far == link->a);
}

const struct finding *portrow_finding(const struct findings *f, const struct link *link)
{
	const struct finding *const *list;
	size_t n = findings_open(f, &list);

	for (size_t i = 0; i < n; i++)
		if (portrow_has(link, list[i]))
			return list[i];
	return NULL;
}

bool portrow_differs(const struct portrow *row, const struct findings *f, char *out, size_t size)
{
	const struct pair_cell *worst = NULL;
	const struct finding *found = NULL;
	const char *name;

	for (size_t i = 0; i < PAIR_COUNT; i++)
		if (pair_sign(&row->pairs[i]) != '=' && (!worst || row->pairs[i].worst > worst->worst))
			worst = &row->pairs[i];
	if (!worst || (row->worst >= VERDICT_LOOK && worst->worst < row->worst))
		found = portrow_finding(f, row->link);
	if (found) {
		snprintf(out, size, "%s%s", found->verdict == VERDICT_UNKNOWN ? "? " : "", found->check->id);
		return true;
	}
	if (!worst)
		return false;
	name = pair_table[worst - row->pairs].name;
	snprintf(out, size, "%s%.*s %s%s%s", pair_sign(worst) == '?' ? "? " : "", (int)strcspn(name, "_"), name, worst->a,
		 pair_joint(worst), worst->b);
	return true;
}
