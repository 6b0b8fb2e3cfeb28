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

static bool joins_switches(const struct link *link, const struct inventory *inv)
{
	return link->b && device_is_switch(link->a->device, inv) && device_is_switch(link->b->device, inv);
}

static bool has_uplink(const struct bringup_fabric *f, const struct device *leaf)
{
	for (size_t i = 0; i < f->links->n; i++) {
		const struct link *link = &f->links->list[i];

		if (joins_switches(link, f->inventory) && (link->a->device == leaf || link->b->device == leaf))
			return true;
	}
	return false;
}

static void add(struct bringup_test_plan *p, const struct bringup_unit *u, const struct bringup_fabric *f, const struct policy *policy)
{
	struct bringup_spot spot = { .unit = u };
	char why[BRINGUP_WORDS];

	if (u->course.state == BRINGUP_SKIPPED)
		return skip(p, u, u->words);
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
	p->nics[p->n].is_apart = !u->far || !has_uplink(f, u->far->device);
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

/* -- links between switches -- */

/* NULL: no NIC that is tested across leaves is cabled to this device. */
static const struct bringup_spot *spot_at_leaf(const struct bringup_test_plan *p, const struct device *leaf)
{
	const struct bringup_schedule *s = &p->schedule;

	for (size_t r = 0; r < s->n_rounds; r++)
		for (size_t i = s->rounds[r].first; s->rounds[r].kind == BRINGUP_CROSS_LEAF && i < s->rounds[r].first + s->rounds[r].n; i++)
			if (p->spots[s->flows[i].from].unit->far && p->spots[s->flows[i].from].unit->far->device == leaf)
				return &p->spots[s->flows[i].from];
	return NULL;
}

static void add_uplink(struct bringup_test_plan *p, const struct port *from, const struct port *to, const struct bringup_class *class)
{
	*GROW(p->uplinks, p->n_uplinks, p->cap_uplinks) = (struct bringup_uplink){ from, to, *class };
	p->n_uplinks++;
}

static void find_uplinks(struct bringup_test_plan *p, const struct bringup_fabric *f)
{
	for (size_t i = 0; i < f->links->n; i++) {
		const struct link *link = &f->links->list[i];
		const struct bringup_spot *spot;

		if (!joins_switches(link, f->inventory))
			continue;
		spot = spot_at_leaf(p, link->a->device);
		if (!spot)
			spot = spot_at_leaf(p, link->b->device);
		if (!spot)
			continue;
		add_uplink(p, link->a, link->b, &spot->class);
		add_uplink(p, link->b, link->a, &spot->class);
	}
}

void bringup_test_plan_make(struct bringup_test_plan *p, const struct bringup_rack *rack, const struct bringup_fabric *f,
			    const struct policy *policy, const struct bringup_wishes *wishes, const struct bringup_load *load)
{
	*p = (struct bringup_test_plan){ .load = *load, .inventory = f->inventory };
	p->spots = xcalloc(rack->n ? rack->n : 1, sizeof(*p->spots));
	p->nics = xcalloc(rack->n ? rack->n : 1, sizeof(*p->nics));
	p->skips = xcalloc(rack->n ? rack->n : 1, sizeof(*p->skips));
	for (size_t i = 0; i < rack->n; i++)
		add(p, &rack->units[i], f, policy);
	bringup_schedule_init(&p->schedule);
	bringup_schedule_make(&p->schedule, p->nics, p->n, wishes);
	find_uplinks(p, f);
	skip_unpaired(p);
}

void bringup_test_plan_done(struct bringup_test_plan *p)
{
	free(p->spots);
	free(p->nics);
	free(p->skips);
	free(p->uplinks);
	bringup_schedule_done(&p->schedule);
	*p = (struct bringup_test_plan){ 0 };
}

/* -- one NIC again -- */

bool bringup_test_plan_has(const struct bringup_test_plan *p, size_t spot)
{
	for (size_t i = 0; i < p->schedule.n_flows; i++)
		if (p->schedule.flows[i].from == spot || p->schedule.flows[i].to == spot)
			return true;
	return false;
}

/* n: it is not tested. */
static size_t spot_of(const struct bringup_test_plan *p, const char *host, const char *nic)
{
	size_t i = 0;

	while (i < p->n && (strcmp(p->spots[i].unit->host, host) != 0 || strcmp(p->spots[i].unit->nic, nic) != 0))
		i++;
	return i;
}

/* like: of that kind and tool. */
static void append(struct bringup_schedule *s, const struct bringup_round *like, struct bringup_flow flow, bool is_new_round)
{
	if (is_new_round) {
		*GROW(s->rounds, s->n_rounds, s->cap_rounds) =
			(struct bringup_round){ .kind = like->kind, .tool = like->tool, .first = s->n_flows };
		s->n_rounds++;
	}
	*GROW(s->flows, s->n_flows, s->cap_flows) = flow;
	s->n_flows++;
	s->rounds[s->n_rounds - 1].n++;
}

static bool is_to(const struct bringup_schedule *s, const struct bringup_round *round, size_t from, size_t to)
{
	for (size_t i = round->first; i < round->first + round->n; i++)
		if (s->flows[i].from == from && s->flows[i].to == to)
			return true;
	return false;
}

/* An incast is kept whole: one sender alone meets no congestion. */
static bool loads(const struct bringup_schedule *s, const struct bringup_round *round, struct bringup_flow flow, size_t spot)
{
	return flow.from == spot || flow.to == spot || (bringup_kind_is_incast(round->kind) && is_to(s, round, spot, flow.to));
}

static void keep_rounds_of(struct bringup_schedule *s, const struct bringup_schedule *whole, size_t spot)
{
	for (size_t r = 0; r < whole->n_rounds; r++) {
		const struct bringup_round *round = &whole->rounds[r];
		size_t n = s->n_flows;

		for (size_t i = round->first; i < round->first + round->n; i++)
			if (loads(whole, round, whole->flows[i], spot))
				append(s, round, whole->flows[i], s->n_flows == n);
	}
}

static bool has_flow(const struct bringup_schedule *s, const struct bringup_round *like, struct bringup_flow flow)
{
	for (size_t r = 0; r < s->n_rounds; r++) {
		const struct bringup_round *round = &s->rounds[r];

		for (size_t i = round->first; round->kind == like->kind && i < round->first + round->n; i++)
			if (bringup_flow_tool(round, &s->flows[i]) == like->tool && s->flows[i].from == flow.from && s->flows[i].to == flow.to)
				return true;
	}
	return false;
}

static void add_failed(struct bringup_test_plan *p, const struct bringup_tests *before, size_t spot)
{
	for (size_t i = 0; i < before->n; i++) {
		const struct bringup_evidence *e = &before->list[i].evidence;
		struct bringup_flow flow = { .from = spot_of(p, e->from.host, e->from.nic), .to = spot_of(p, e->to.host, e->to.nic) };
		const struct bringup_round like = { .kind = e->kind, .tool = e->tool };

		if (before->list[i].is_repeated || before->list[i].result.verdict != BRINGUP_FAILED || flow.from == p->n || flow.to == p->n)
			continue;
		if (!bringup_kind_is_incast(e->kind) && (flow.from == spot || flow.to == spot) && !has_flow(&p->schedule, &like, flow))
			append(&p->schedule, &like, flow, true);
	}
}

/* Why no test of it is planned, where it is no spot, or one without a partner. */
static void why_not(const struct bringup_test_plan *p, const char *host, const char *nic, char why[BRINGUP_WORDS])
{
	snprintf(why, BRINGUP_WORDS, "it is not in the plan of tests");
	for (size_t i = 0; i < p->n_skips; i++)
		if (p->skips[i].unit->nic && !strcmp(p->skips[i].unit->host, host) && !strcmp(p->skips[i].unit->nic, nic))
			snprintf(why, BRINGUP_WORDS, "%s", p->skips[i].why);
}

bool bringup_test_plan_again(struct bringup_test_plan *p, const struct bringup_tests *before, const char *host, const char *nic,
			     char why[BRINGUP_WORDS])
{
	struct bringup_schedule whole = p->schedule;
	size_t spot = spot_of(p, host, nic);

	if (spot == p->n || !bringup_test_plan_has(p, spot)) {
		why_not(p, host, nic, why);
		return false;
	}
	p->is_again = true;
	bringup_schedule_init(&p->schedule);
	keep_rounds_of(&p->schedule, &whole, spot);
	add_failed(p, before, spot);
	bringup_schedule_done(&whole);
	return true;
}

/* -- in words -- */

/* About how long its rounds take. */
static unsigned seconds_of(const struct bringup_test_plan *p)
{
	unsigned s = 0;

	for (size_t i = 0; i < p->schedule.n_rounds; i++)
		s += bringup_tool_seconds(p->schedule.rounds[i].tool, &p->load) + SET_UP_S;
	return s;
}

/* Each class once, in the order of NICs. */
static void class_words(const struct bringup_test_plan *p, struct buf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct bringup_class *c = &p->spots[i].class;
		bool is_told = !bringup_test_plan_has(p, i);

		for (size_t k = 0; k < i && !is_told; k++)
			is_told = bringup_test_plan_has(p, k) && p->spots[k].class.tos == c->tos && p->spots[k].class.priority == c->priority;
		if (!is_told)
			buf_printf(out, "; ToS %u, priority %u", c->tos, c->priority);
	}
}

/* Most that send to one NIC in a round of incast. */
static size_t most_senders(const struct bringup_schedule *s)
{
	size_t most = 0;

	for (size_t r = 0; r < s->n_rounds; r++) {
		const struct bringup_round *round = &s->rounds[r];

		for (size_t i = round->first; round->kind == BRINGUP_INCAST && i < round->first + round->n; i++) {
			size_t n = 0;

			for (size_t k = round->first; k < round->first + round->n; k++)
				n += s->flows[k].to == s->flows[i].to;
			most = n > most ? n : most;
		}
	}
	return most;
}

static bool has_kind(const struct bringup_schedule *s, enum bringup_kind kind)
{
	for (size_t r = 0; r < s->n_rounds; r++)
		if (s->rounds[r].kind == kind)
			return true;
	return false;
}

void bringup_test_plan_words(const struct bringup_test_plan *p, struct buf *out)
{
	double most = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (!bringup_test_plan_has(p, i))
			continue;
		n++;
		most = p->spots[i].tester.line_bps > most ? p->spots[i].tester.line_bps : most;
	}
	buf_printf(out, "%zu round%s, about %u s", p->schedule.n_rounds, plural_s(p->schedule.n_rounds), seconds_of(p));
	if (has_kind(&p->schedule, BRINGUP_CROSS_LEAF))
		buf_printf(out, ", across leaves over %zu link%s between switches", p->n_uplinks / 2, plural_s(p->n_uplinks / 2));
	buf_printf(out, "; %zu NIC%s", n, plural_s(n));
	if (most > 0)
		buf_printf(out, ", at most %.0f Gb/s each", most / 1e9);
	class_words(p, out);
	if (most_senders(&p->schedule))
		buf_printf(out, "; incast, up to %zu to 1", most_senders(&p->schedule));
	if (has_kind(&p->schedule, BRINGUP_LOSSY))
		buf_str(out, "; one incast with a stream of UDP, all that the kernel can send");
}

/* -- a test -- */

/* The rail of a NIC's leaf by the inventory, else that leaf; NULL: not known, or no switch. */
static const char *rail_of(const struct bringup_unit *u, const struct inventory *inv)
{
	const struct host *leaf;

	if (!u->far || !device_is_switch(u->far->device, inv))
		return NULL;
	leaf = inventory_find(inv, u->far->device->name);
	return leaf && leaf->rail ? leaf->rail : u->far->device->name;
}

/* Latencies of pairs on one rail are compared; across rails, those of the same two. */
static char *rails_of(const struct bringup_unit *a, const struct bringup_unit *b, const struct inventory *inv)
{
	const char *of_a = rail_of(a, inv), *of_b = rail_of(b, inv);
	int order = of_a && of_b ? strcmp(of_a, of_b) : 0;

	if (!of_a || !of_b)
		return NULL;
	return order ? xasprintf("%s and %s", order < 0 ? of_a : of_b, order < 0 ? of_b : of_a) : xstrdup(of_a);
}

/* One switch where both are cabled to it. What is between two leaves is not known here. */
static struct bringup_count hops_of(const struct bringup_unit *a, const struct bringup_unit *b)
{
	return (struct bringup_count){ a->far && b->far && a->far->device == b->far->device, 1 };
}

static struct bringup_place place_of_unit(const struct bringup_unit *u)
{
	return (struct bringup_place){ xstrdup(u->host), xstrdup(u->nic) };
}

void bringup_flow_begin(const struct bringup_test_plan *p, size_t flow, enum bringup_kind kind, enum bringup_tool tool,
			struct bringup_evidence *e)
{
	const struct bringup_spot *a = &p->spots[p->schedule.flows[flow].from], *b = &p->spots[p->schedule.flows[flow].to];

	*e = (struct bringup_evidence){
		.kind = kind, .run = p->run, .tool = tool, .class = a->class,
		.from = place_of_unit(a->unit), .to = place_of_unit(b->unit),
		.line_bps = bringup_lesser(a->tester.line_bps, b->tester.line_bps), .pcie_bps = bringup_lesser(a->tester.pcie_bps, b->tester.pcie_bps),
		.mtu = (unsigned long)bringup_lesser((double)a->tester.mtu, (double)b->tester.mtu),
		.is_soft = a->tester.is_soft || b->tester.is_soft, .rail = rails_of(a->unit, b->unit, p->inventory),
		.hops = hops_of(a->unit, b->unit), .pings = tool == BRINGUP_RPING ? BRINGUP_PINGS : 0, .cm_tos = a->tester.cm_tos,
	};
}

void bringup_uplink_begin(const struct bringup_test_plan *p, size_t uplink, const struct model *m, struct bringup_evidence *e)
{
	const struct bringup_uplink *u = &p->uplinks[uplink];
	uint64_t bps;

	*e = (struct bringup_evidence){
		.kind = BRINGUP_UPLINK, .run = p->run, .tool = BRINGUP_COUNTERS, .class = u->class,
		.from = { xstrdup(u->from->device->name), xstrdup(u->from->name) }, .to = { xstrdup(u->to->device->name), xstrdup(u->to->name) },
	};
	if (port_number(m, u->from, FIELD_SPEED, 0, &bps))
		e->line_bps = (double)bps;
}
