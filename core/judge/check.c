#include "core/judge/check.h"

#include "core/judge/finding.h"
#include "core/judge/predicate.h"

const struct check *check_find(const char *id)
{
	for (size_t i = 0; i < check_count; i++)
		if (strcmp(check_table[i].id, id) == 0)
			return &check_table[i];
	return NULL;
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "ok", "na", "unknown", "look", "warn", "fail" };

	return (size_t)v < sizeof(names) / sizeof(*names) ? names[v] : "unknown";
}

const char *severity_name(enum verdict v)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok", [VERDICT_NA] = "n/a", [VERDICT_UNKNOWN] = "unknown", [VERDICT_LOOK] = "info", [VERDICT_WARN] = "warning",
		[VERDICT_FAIL] = "critical",
	};

	return names[v];
}

const char *severity_of(const char *verdict)
{
	for (enum verdict v = VERDICT_OK; v <= VERDICT_FAIL; v++)
		if (strcmp(verdict_name(v), verdict) == 0)
			return severity_name(v);
	return verdict;
}

/* -- cases -- */

/* Whether the check has a say at a port of this standing; if not, the answer is in c. */
static bool stands_for_check(struct case_of *c, const struct standing *s)
{
	switch (s->roce) {
	case ROCE_YES:
		return true;
	case ROCE_NOT:
		ask_na(c, s->why);
		return false;
	case ROCE_LOST:
		ask_lost(c, s->why);
		return false;
	default:
		ask_unknown(c, LACK_RDMA, NULL, "rdma: %s", s->why ? s->why : "no reason");
		return false;
	}
}

/*
 * What a switch counts of pause, loss and damage is said of each port that has a lossless priority at work, whoever is
 * connected: a device that is not read stops the fabric as well.
 */
static bool is_told_by_itself(const struct case_of *c, const struct standing *s)
{
	bool is_pausable = ask_is_switch(c, c->port) && s->roce == ROCE_LOST && c->check->harm > HARM_NONE;
	unsigned lossless = policy_lossless(c->policy, true);
	uint64_t n;

	for (unsigned prio = 0; is_pausable && prio < 8; prio++)
		if (lossless >> prio & 1 && ((port_number(c->model, c->port, FIELD_PFC_RX, prio, &n) && n) ||
					     (port_number(c->model, c->port, FIELD_PFC_TX, prio, &n) && n)))
			return true;
	return false;
}

static bool is_on_side(const struct check *check, bool is_switch)
{
	return check->side == SIDE_ANY || (check->side == SIDE_SWITCH) == is_switch;
}

static void ask_port_case(struct findings *f, struct case_of *c)
{
	const struct standing *s = &c->context->ports[c->port->id];

	ask_begin(c);
	if (c->check->any_port || is_told_by_itself(c, s) || stands_for_check(c, s))
		c->check->ask(c);
	findings_settle(f, c);
}

static void judge_port(struct findings *f, struct case_of *c, const struct port *p)
{
	bool is_switch = c->context->parties[p->device->id].is_switch;
	unsigned lossless = policy_lossless(c->policy, is_switch);

	c->port = p;
	c->link = links_of_port(c->links, p);
	for (size_t i = 0; i < check_count; i++) {
		c->check = &check_table[i];
		if (c->check->of != OF_PORT || !is_on_side(c->check, is_switch))
			continue;
		for (c->index = 0; c->index < (c->check->each_priority ? 8 : 1); c->index++)
			if (!c->check->each_priority || lossless >> c->index & 1)
				ask_port_case(f, c);
	}
	c->index = 0;
	c->port = NULL;
	c->link = NULL;
}

static void judge_link(struct findings *f, struct case_of *c, const struct link *l)
{
	unsigned lossless = policy_lossless(c->policy, false) | policy_lossless(c->policy, true);

	c->link = l;
	for (size_t i = 0; i < check_count; i++) {
		c->check = &check_table[i];
		if (c->check->of != OF_LINK)
			continue;
		for (c->index = 0; c->index < (c->check->each_priority ? 8 : 1); c->index++) {
			if (c->check->each_priority && !(lossless >> c->index & 1))
				continue;
			ask_begin(c);
			if (l->is_fabric)
				c->check->ask(c);
			else if (stands_for_check(c, &c->context->ports[l->a->id]))
				ask_na(c, "carries no RoCE");
			findings_settle(f, c);
		}
	}
	c->index = 0;
	c->link = NULL;
}

static void judge_device(struct findings *f, struct case_of *c, const struct device *d)
{
	bool is_switch = c->context->parties[d->id].is_switch;

	c->device = d;
	for (size_t i = 0; i < check_count; i++) {
		c->check = &check_table[i];
		if (c->check->of != OF_DEVICE || !is_on_side(c->check, is_switch))
			continue;
		ask_begin(c);
		c->check->ask(c);
		findings_settle(f, c);
	}
	c->device = NULL;
}

static void judge_fabric(struct findings *f, struct case_of *c)
{
	for (size_t i = 0; i < check_count; i++) {
		c->check = &check_table[i];
		if (c->check->of != OF_FABRIC)
			continue;
		ask_begin(c);
		c->check->ask(c);
		findings_settle(f, c);
	}
}

/* Devices first: what they lack as a whole is told once and not again by each port. */
void findings_judge(struct findings *f, const struct model *m, const struct links *links, const struct policy *policy,
		    const struct inventory *inv)
{
	struct judge_context *context = findings_scene(f);
	struct case_of c = { .model = m, .links = links, .policy = policy, .inventory = inv, .context = context };

	judge_context_update(context, m, links, inv);
	findings_begin(f, m);
	for (size_t i = 0; i < model_devices(m); i++)
		judge_device(f, &c, model_device(m, i));
	for (size_t i = 0; i < model_ports(m); i++)
		judge_port(f, &c, model_port(m, i));
	for (size_t i = 0; i < links->n; i++)
		judge_link(f, &c, &links->list[i]);
	judge_fabric(f, &c);
	findings_end(f, links);
}
