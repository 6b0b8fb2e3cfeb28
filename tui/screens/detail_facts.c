#include "tui/screens/detail_facts.h"

#include "tui/text/indices.h"

/* What the ends and the policy must agree on, in the order a packet meets it. */
static const enum field alike[] = {
	FIELD_UP, FIELD_SPEED, FIELD_MTU, FIELD_TRUST, FIELD_DSCP_PRIO, FIELD_PFC_ON, FIELD_PAUSE_RX,
	FIELD_ECN_ON, FIELD_ECN_KMIN, FIELD_ECN_KMAX, FIELD_ECN_PMAX, FIELD_ECN_NP, FIELD_ECN_RP, FIELD_CNP_DSCP, FIELD_CNP_PRIO,
	FIELD_TOS_CMA, FIELD_TOS_FORCE,
};
static const struct detail_part
moves = { "MOVES", "Counters and gauges that are changing at either end; pause on the lossless priority always." },
agrees = { "SETTINGS", "Settings that both ends and the policy must agree on, with no finding." },
others = { "OTHER SETTINGS", "Other facts reported by the two ends." },
quiet = { "QUIET", "Counters that are unchanged, or have no rate yet." };
#define ALIKE (sizeof(alike) / sizeof(*alike))
#define BOTH_ENDS 7	/* the first row: every port has these; those below are a switch's or a host's */

struct detail_view *detail_view(struct views *v)
{
	return views_own(v, SCREEN_DETAIL, sizeof(struct detail_view));
}

struct detail detail_of(const struct view_of *of, struct views *v)
{
	const struct link *link = views_link(of, v);

	return (struct detail){ of, v, detail_view(v), link ? link->a : v->subject, link ? link->b : NULL };
}

bool detail_is_counted(enum field f)
{
	return field_table[f].kind == KIND_COUNTER || field_table[f].kind == KIND_GAUGE;
}

/* By the checks on this field; two values that merely differ may be right (MTU, names). */
enum verdict detail_verdict(const struct detail *d, enum field f)
{
	return d->a ? findings_worst(d->of->findings, d->a, d->b, field_table[f].name) : VERDICT_NA;
}

const struct cell *detail_first(const struct port *p, enum field f, unsigned from)
{
	for (unsigned i = from; p && i < field_table[f].width; i++)
		if (port_cell(p, f, i))
			return port_cell(p, f, i);
	return NULL;
}

bool detail_is_beside(const struct detail *d, const struct port *p, enum field f)
{
	struct indices wanted;

	for (size_t i = 0; i < BOTH_ENDS; i++)
		if (alike[i] == f)
			return false;
	if (detail_first(p, f, 0))
		return false;
	indices_of_policy(&wanted, d->of->policy, d->of->inventory, p, f);
	return !wanted.any;
}

bool detail_has(const struct detail *d, const struct finding *f)
{
	return f->port && (f->port == d->a || f->port == d->b || (f->far && f->far == d->a));
}

/* A counter is quiet when neither end is known to move it. Those of pause on the lossless priority always show. */
static bool is_quiet(const struct detail *d, enum field f, unsigned index)
{
	const struct port *ends[] = { d->a, d->b };
	bool is_gauge = field_table[f].kind == KIND_GAUGE;
	double per_s;
	uint64_t n;

	if (f <= FIELD_PFC_TX_US && index == portrow_priority(d->of->policy))
		return false;
	if (field_table[f].width == 1 && detail_verdict(d, f) >= VERDICT_LOOK)
		return false;
	for (size_t i = 0; i < 2; i++)
		if (ends[i] && (is_gauge ? port_number(d->of->model, ends[i], f, index, &n) && n :
				port_rate(d->of->model, ends[i], f, index, &per_s) && per_s > 0))
			return false;
	return true;
}

static bool is_said(const struct detail *d, enum field f, unsigned index)
{
	if (!detail_is_counted(f))
		return detail_first(d->a, f, index) || detail_first(d->b, f, index);
	return (d->a && port_cell(d->a, f, index)) || (d->b && port_cell(d->b, f, index));
}

static void push(struct detail_view *v, enum field f, unsigned index, const struct detail_part *heading)
{
	*GROW(v->rows, v->n, v->cap) = (struct detail_row){ f, index, heading };
	v->n++;
}

static void add_setting(const struct detail *d, enum field f)
{
	if (is_said(d, f, 0))
		push(d->own, f, 0, NULL);
}

static bool is_alike(enum field f)
{
	for (size_t i = 0; i < ALIKE; i++)
		if (alike[i] == f)
			return true;
	return false;
}

static void add_alike(const struct detail *d, bool wrong)
{
	for (size_t i = 0; i < ALIKE; i++)
		if ((detail_verdict(d, alike[i]) >= VERDICT_LOOK) == wrong)
			add_setting(d, alike[i]);
}

static size_t add_counters(const struct detail *d, bool are_quiet, bool is_counting)
{
	size_t n = 0;

	for (unsigned f = FIELD_PFC_RX; f < FIELD_COUNT; f++) {
		for (unsigned i = 0; i < field_table[f].width && field_table[f].scope == SCOPE_PORT; i++) {
			if (!is_said(d, (enum field)f, i) || is_quiet(d, (enum field)f, i) != are_quiet)
				continue;
			n++;
			if (!is_counting)
				push(d->own, (enum field)f, i, NULL);
		}
	}
	return n;
}

static void add_other(const struct detail *d)
{
	for (unsigned f = 0; f < FIELD_PFC_RX; f++)
		if (field_table[f].scope == SCOPE_PORT && !is_alike((enum field)f))
			add_setting(d, (enum field)f);
}

/* A heading of nothing goes. */
static void end_part(struct detail_view *v)
{
	if (v->n && v->rows[v->n - 1].heading)
		v->n--;
}

void detail_rows(const struct detail *d)
{
	struct detail_view *v = d->own;

	v->n = v->n_quiet = 0;
	if (!d->a)
		return;
	add_alike(d, true);
	push(v, FIELD_COUNT, 0, &moves);
	add_counters(d, false, false);
	end_part(v);
	push(v, FIELD_COUNT, 0, &agrees);
	add_alike(d, false);
	end_part(v);
	push(v, FIELD_COUNT, 0, &others);
	add_other(d);
	end_part(v);
	push(v, FIELD_COUNT, 0, &quiet);
	v->n_quiet = add_counters(d, true, !d->v->without_pane[SCREEN_DETAIL]);
	end_part(v);
}
