/* Checks of a cable: as planned, and what both ends must agree on. */
#include "core/judge/checks.h"
#include "core/judge/fec.h"

#include <stdio.h>

/* Whether the plan has a cable at either end. */
static bool is_in_plan(const struct links *links, const struct link *l)
{
	for (size_t i = 0; i < links->n_planned; i++) {
		const struct planned *p = &links->planned[i];

		if ((p->a && (p->a == l->a || p->a == l->b)) || (p->b && (p->b == l->a || p->b == l->b)))
			return true;
	}
	return false;
}

void ask_cabled_as_planned(struct case_of *c)
{
	const struct link *l = c->link;

	if (!is_in_plan(c->links, l))
		return ask_na(c, "no cable plan has this link");
	ask_cite(c, l->a, FIELD_PEER_NAME, 0);
	ask_cite(c, l->a, FIELD_PEER_PORT, 0);
	if (l->planned_peer && l->b)
		return ask_no(c, "the cable goes to %.60s %.40s, planned is %.70s", l->b->device->name, l->b->name,
			      l->planned_peer);
	if (l->planned_peer)
		return ask_no(c, "the neighbor is %.80s, planned is %.80s", l->seen_peer ? l->seen_peer : "not named",
			      l->planned_peer);
	if (l->by == BY_PLAN)
		return ask_lost(c, "neither end reports its neighbor: only the cable plan does");
	ask_ok(c);
}

void ask_cables_swapped(struct case_of *c)
{
	const struct link *l = c->link, *other = l->swapped;

	if (!is_in_plan(c->links, l))
		return ask_na(c, "no cable plan has this link");
	if (!other)
		return l->by == BY_PLAN ? ask_lost(c, "neither end reports its neighbor: only the cable plan does") : ask_ok(c);
	ask_cite(c, l->a, FIELD_PEER_PORT, 0);
	ask_cite(c, other->a, FIELD_PEER_PORT, 0);
	ask_no(c, "%.40s:%.40s and %.40s:%.40s are each in the port planned for the other", l->a->device->name, l->a->name,
	       other->a->device->name, other->a->name);
}

enum end_is { END_KNOWN, END_NOT_READ, END_STRANGE };

/* One end of a planned cable; port: what the plan's words were found to be. */
static enum end_is planned_end(const struct case_of *c, const struct port *port, const char *device, const struct device **d)
{
	*d = port ? port->device : model_find_device(c->model, device);
	if (port)
		return END_KNOWN;
	return *d && (!(*d)->heard_us || !(*d)->n_ports || judge_context_is_new(*d)) ? END_NOT_READ : END_STRANGE;
}

static void end_words(const struct cable *c, bool far, const struct device *d, char *out, size_t size)
{
	const char *device = far ? c->peer : c->device, *port = far ? c->peer_port : c->port;

	if (d)
		snprintf(out, size, "%.40s has no port %.40s", device, port);
	else
		snprintf(out, size, "no device is called %.40s", device);
}

void ask_planned_cables_known(struct case_of *c)
{
	size_t n_strange = 0;
	char first[120] = "";

	if (!c->links->n_planned)
		return ask_na(c, "there is no cable plan");
	for (size_t i = 0; i < c->links->n_planned; i++) {
		const struct planned *p = &c->links->planned[i];
		const struct device *a, *b;
		enum end_is a_is = planned_end(c, p->a, p->cable->device, &a), b_is = planned_end(c, p->b, p->cable->peer, &b);

		if (a_is == END_NOT_READ || b_is == END_NOT_READ)
			ask_unknown(c, LACK_ABSENT, a_is == END_NOT_READ ? a : b, "%.40s, an end of a planned cable, is not read",
				    a_is == END_NOT_READ ? p->cable->device : p->cable->peer);
		if (a_is != END_STRANGE && b_is != END_STRANGE)
			continue;
		if (!n_strange++)
			end_words(p->cable, a_is != END_STRANGE, a_is == END_STRANGE ? a : b, first, sizeof(first));
	}
	if (n_strange)
		return ask_no(c, "%zu of %zu planned cable%s not found: %s%s", n_strange, c->links->n_planned,
			      c->links->n_planned == 1 ? "" : "s", first, n_strange > 1 ? ", …" : "");
	ask_ok_unless_lacking(c);
}

/* The device a neighbour's words "leaf9 ethernet1/1/1" begin with, when it is one of ours. */
static const struct device *named_in(const struct model *m, const char *words)
{
	char name[64];

	if (!words)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(words, " "), words);
	return model_find_device(m, name);
}

void ask_far_end(struct case_of *c)
{
	const struct link *l = c->link;
	const char *dash;

	if (l->b)
		return ask_ok(c);
	if (l->beside) {
		ask_unknown(c, LACK_FAR, l->beside->device, "the far end of the cable; LLDP or a cable plan would report it");
		snprintf(c->what, sizeof(c->what), "on one layer-2 segment with %.40s:%.40s, direct or through a switch that was not read",
			 l->beside->device->name, l->beside->name);
		return;
	}
	dash = strstr(l->name, " - ");
	ask_unknown(c, LACK_FAR, named_in(c->model, l->seen_peer ? l->seen_peer : dash ? dash + 3 : NULL), "%.90s",
		    l->seen_peer ? l->seen_peer : dash ? dash + 3 : "the neighbor");
	snprintf(c->what, sizeof(c->what), "the far end is not read");
}

static bool is_down(const struct case_of *c, const struct port *p)
{
	uint64_t up;

	return port_number(c->model, p, FIELD_UP, 0, &up) && !up;
}

/* A cable or a switch port for less than the card can is often meant so; it is half of the bandwidth all the same. */
void ask_speed_capable(struct case_of *c)
{
	uint64_t is, most;

	if (is_down(c, c->port))
		return ask_na(c, "the link is down");
	if (!ask_said(c->port, FIELD_SPEED_MAX, 0))
		return ask_na(c, "the card does not report what it supports");
	if (!ask_port(c, c->port, FIELD_SPEED_MAX, 0, &most) || !ask_port(c, c->port, FIELD_SPEED, 0, &is))
		return;
	if (is >= most)
		return ask_ok(c);
	ask_no(c, "the link runs at %llu Gb/s, its card can %llu", (unsigned long long)(is / 1000000000), (unsigned long long)(most / 1000000000));
}

void ask_speed_same(struct case_of *c)
{
	const struct port *far = ask_far(c);
	uint64_t a, b;

	if (!far)
		return;
	if (is_down(c, c->link->a) || is_down(c, far))
		return ask_na(c, "the link is down");
	if (!ask_port(c, c->link->a, FIELD_SPEED, 0, &a) || !ask_port(c, far, FIELD_SPEED, 0, &b))
		return;
	if (a == b)
		return ask_ok(c);
	ask_no(c, "%.50s runs at %llu Mb/s, %.50s at %llu Mb/s", c->link->a->device->name, (unsigned long long)(a / 1000000),
	       far->device->name, (unsigned long long)(b / 1000000));
}

/* What is active: a link that is down has agreed on none. Switches that do not tell it say nothing. */
void ask_fec_same(struct case_of *c)
{
	const struct port *near = c->link->a, *far = c->link->b;
	enum fec a, b;
	uint64_t is;

	if (!far || !ask_said(near, FIELD_FEC, 0) || !ask_said(far, FIELD_FEC, 0))
		return ask_lost(c, "one end does not report its FEC");
	if (is_down(c, near) || is_down(c, far))
		return ask_na(c, "the link is down");
	if (!ask_port(c, near, FIELD_FEC, 0, &is) || !ask_port(c, far, FIELD_FEC, 0, &is))
		return;
	a = fec_of(port_cell(near, FIELD_FEC, 0));
	b = fec_of(port_cell(far, FIELD_FEC, 0));
	if (a == FEC_OTHER || b == FEC_OTHER)
		return ask_lost(c, "an end names its FEC in words that are not known");
	if (a == b)
		return ask_ok(c);
	ask_no(c, "%.60s:%.30s has %.30s, %.60s:%.30s has %.30s", near->device->name, near->name, port_text(near, FIELD_FEC),
	       far->device->name, far->name, port_text(far, FIELD_FEC));
}

#define L2_HEADER	22	/* Ethernet 14, VLAN 4, FCS 4: a switch counts them, a host does not */

bool takes_host_packets(const struct case_of *c, uint64_t switch_mtu)
{
	const struct policy_target any_host = { .is_switch = false };
	struct value v;

	return policy_wants(c->policy, &any_host, FIELD_MTU, 0, &v, NULL) && switch_mtu >= v.n + L2_HEADER;
}

void ask_mtu_fits(struct case_of *c)
{
	const struct port *far = ask_far(c);
	uint64_t a, b;

	if (!far || !ask_port(c, c->link->a, FIELD_MTU, 0, &a) || !ask_port(c, far, FIELD_MTU, 0, &b))
		return;
	if (ask_is_switch(c, c->link->a) == ask_is_switch(c, far)) {
		bool is_enough = ask_is_switch(c, far) && takes_host_packets(c, a) && takes_host_packets(c, b);

		if (a == b)
			return ask_ok(c);
		return ask_no_at(c, is_enough ? VERDICT_LOOK : VERDICT_FAIL, "the MTU is %llu at %.40s and %llu at %.40s", (unsigned long long)a,
			      c->link->a->device->name, (unsigned long long)b, far->device->name);
	}
	if (b >= a + L2_HEADER)
		return ask_ok(c);
	ask_no(c, "the switch takes frames of %llu bytes, the host's MTU %llu needs %llu", (unsigned long long)b,
	       (unsigned long long)a, (unsigned long long)(a + L2_HEADER));
}
