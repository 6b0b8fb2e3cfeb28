#include "core/bringup/test_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_UP_S 3	/* logging in, and servers that begin to listen */

/* -- NICs -- */

static void skip(struct bringup_test_plan *p, const struct bringup_unit *u, const char *why)
{
	struct bringup_skip *s = &p->skips[p->n_skips++];

	s->unit = u;
	snprintf(s->why, sizeof(s->why), "%s", why);
}

/* Both are cabled to one switch; or, without a switch, one cable joins them. */
static bool share_leaf(const struct bringup_unit *a, const struct bringup_unit *b, const struct inventory *inv)
{
	if (a->far && b->far && a->far->device == b->far->device && device_is_switch(a->far->device, inv))
		return true;
	return (a->far && a->far == b->port) || (b->far && b->far == a->port);
}

/* Positions of hosts, of a host's NICs and of leaf switches: that of another NIC on the same leaf, else one of its own. */
static struct bringup_nic place_of(const struct bringup_test_plan *p, const struct bringup_unit *u, const struct inventory *inv)
{
	const struct bringup_spot *last = p->n ? &p->spots[p->n - 1] : NULL;
	bool is_same_host = last && !strcmp(last->unit->host, u->host);
	struct bringup_nic nic = { 0 };

	if (last)
		nic.node = p->nics[p->n - 1].node + !is_same_host;
	nic.rail = is_same_host ? p->nics[p->n - 1].rail + 1 : 0;
	nic.leaf = (unsigned)p->n;
	for (size_t i = 0; i < p->n; i++)
		if (share_leaf(u, p->spots[i].unit, inv)) {
			nic.leaf = p->nics[i].leaf;
			break;
		}
	return nic;
}

static void add(struct bringup_test_plan *p, const struct bringup_unit *u, const struct bringup_fabric *f, const struct policy *policy)
{
	struct bringup_spot spot = { .unit = u };
	char why[BRINGUP_WORDS];

	if (u->course.state == BRINGUP_FAIL) {
		snprintf(why, sizeof(why), "it fails at %s", bringup_stage_table[u->course.at].id);
		return skip(p, u, why);
	}
	if (!u->port)
		return skip(p, u, "it was not read");
	if (!bringup_tester_read(f->model, u->port, &spot.tester, why))
		return skip(p, u, why);
	if (!bringup_class_read(policy, u->port, f->inventory, &spot.class))
		return skip(p, u, "the policy names no lossless class for it");
	p->nics[p->n] = place_of(p, u, f->inventory);
	p->spots[p->n++] = spot;
}

/* A loopback is no test of a link. */
static bool has_partner(const struct bringup_schedule *s, size_t nic)
{
	for (size_t i = 0; i < s->n_flows; i++)
		if ((s->flows[i].from == nic) != (s->flows[i].to == nic))
			return true;
	return false;
}

/* Whom no round pairs with another is not tested either. */
static void skip_unpaired(struct bringup_test_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!has_partner(&p->schedule, i))
			skip(p, p->spots[i].unit, p->spots[i].unit->far ? "no NIC of another host on its leaf is tested"
									: "no partner: what it is cabled to is not known");
}

void bringup_test_plan_make(struct bringup_test_plan *p, const struct bringup_rack *rack, const struct bringup_fabric *f,
			    const struct policy *policy, const struct bringup_wishes *wishes, const struct bringup_load *load)
{
	*p = (struct bringup_test_plan){ .load = *load };
	p->spots = xcalloc(rack->n ? rack->n : 1, sizeof(*p->spots));
	p->nics = xcalloc(rack->n ? rack->n : 1, sizeof(*p->nics));
	p->skips = xcalloc(rack->n ? rack->n : 1, sizeof(*p->skips));
	for (size_t i = 0; i < rack->n; i++)
		add(p, &rack->units[i], f, policy);
	bringup_schedule_init(&p->schedule);
	bringup_schedule_make(&p->schedule, p->nics, p->n, wishes);
	skip_unpaired(p);
}

void bringup_test_plan_done(struct bringup_test_plan *p)
{
	free(p->spots);
	free(p->nics);
	free(p->skips);
	bringup_schedule_done(&p->schedule);
	*p = (struct bringup_test_plan){ 0 };
}

/* -- in words -- */

/* About how long its rounds take. */
static unsigned seconds_of(const struct bringup_test_plan *p)
{
	return (unsigned)p->schedule.n_rounds * (p->load.seconds + SET_UP_S);
}

/* Each class once, in the order of NICs. */
static void class_words(const struct bringup_test_plan *p, struct buf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct bringup_class *c = &p->spots[i].class;
		bool is_told = false;

		for (size_t k = 0; k < i && !is_told; k++)
			is_told = p->spots[k].class.tos == c->tos && p->spots[k].class.priority == c->priority;
		if (!is_told)
			buf_printf(out, "; ToS %u, priority %u", c->tos, c->priority);
	}
}

void bringup_test_plan_words(const struct bringup_test_plan *p, struct buf *out)
{
	double most = 0;

	for (size_t i = 0; i < p->n; i++)
		most = p->spots[i].tester.line_bps > most ? p->spots[i].tester.line_bps : most;
	buf_printf(out, "%zu round%s, about %u s; %zu NIC%s", p->schedule.n_rounds, plural_s(p->schedule.n_rounds),
		   seconds_of(p), p->n, plural_s(p->n));
	if (most > 0)
		buf_printf(out, ", at most %.0f Gb/s each", most / 1e9);
	class_words(p, out);
}

/* -- a test -- */

static struct bringup_place place_of_unit(const struct bringup_unit *u)
{
	return (struct bringup_place){ xstrdup(u->host), xstrdup(u->nic) };
}

void bringup_flow_begin(const struct bringup_test_plan *p, size_t flow, enum bringup_kind kind, struct bringup_evidence *e)
{
	const struct bringup_spot *a = &p->spots[p->schedule.flows[flow].from], *b = &p->spots[p->schedule.flows[flow].to];

	*e = (struct bringup_evidence){
		.kind = kind, .tool = BRINGUP_WRITE_BW, .class = a->class,
		.from = place_of_unit(a->unit), .to = place_of_unit(b->unit),
		.line_bps = bringup_lesser(a->tester.line_bps, b->tester.line_bps), .pcie_bps = bringup_lesser(a->tester.pcie_bps, b->tester.pcie_bps),
		.mtu = (unsigned long)bringup_lesser((double)a->tester.mtu, (double)b->tester.mtu),
		.is_soft = a->tester.is_soft || b->tester.is_soft,
	};
}
