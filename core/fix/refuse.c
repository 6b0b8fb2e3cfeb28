/* What fabcon never does, whatever a policy says: one row each, with the reason. */
#include "core/fix/fix.h"

#include "core/fix/want.h"

#define IDLE_BYTES_PER_S 100e6		/* house: a link that carries less than this runs no job */

struct refused {
	const struct fix_scene *s;
	const struct edit *edit;
	const struct port *port;	/* NULL: an edit of the device, or the port is unknown */
};

static uint64_t role(const struct refused *r)
{
	const struct cell *c = r->port ? port_cell(r->port, FIELD_ROLE, 0) : NULL;

	return c && c->value.is == VALUE_KNOWN ? c->value.n : ROLE_OTHER;
}

static bool is_of_vf(const struct refused *r)
{
	return role(r) == ROLE_VF;
}

static bool is_of_bond(const struct refused *r)
{
	return role(r) == ROLE_BOND && !(field_table[r->edit->field].flags & FIELD_OF_BOND);
}

static bool is_link_pause(const struct refused *r)
{
	return (r->edit->field == FIELD_PAUSE_RX || r->edit->field == FIELD_PAUSE_TX) && r->edit->want.n;
}

static bool is_watchdog_off(const struct refused *r)
{
	return r->edit->field == FIELD_PFC_WATCHDOG && !r->edit->want.n;
}

static bool is_lossless(const struct refused *r, uint64_t prio)
{
	return prio < 8 && policy_lossless(r->s->policy, device_is_switch(r->port->device, r->s->inventory)) >> prio & 1;
}

/* The DSCP of the CNPs that this NIC, or the NIC at the far end, sends. */
static uint64_t cnp_dscp(const struct refused *r)
{
	const struct link *l = links_of_port(r->s->links, r->port);
	const struct port *far = l ? link_far(l, r->port) : NULL;
	uint64_t dscp;

	if (port_number(r->s->model, r->port, FIELD_CNP_DSCP, 0, &dscp) ||
	    (far && port_number(r->s->model, far, FIELD_CNP_DSCP, 0, &dscp)))
		return dscp;
	return 48;
}

static bool is_cnp_lossless(const struct refused *r)
{
	const struct edit *e = r->edit;
	uint64_t prio;

	if (!r->port)
		return false;
	if (e->field == FIELD_PFC_ON)
		return e->want.n && e->index == policy_cnp_priority(r->s->policy);
	if (e->field == FIELD_CNP_PRIO)
		return is_lossless(r, e->want.n);
	if (e->field == FIELD_DSCP_PRIO)
		return (e->index == cnp_dscp(r) || e->index == 48) && is_lossless(r, e->want.n);
	return e->field == FIELD_CNP_DSCP && e->want.n < 64 &&
	       port_number(r->s->model, r->port, FIELD_DSCP_PRIO, (unsigned)e->want.n, &prio) && is_lossless(r, prio);
}

static bool is_of_buffer(enum field f)
{
	return f == FIELD_BUFFER_SIZE || f == FIELD_BUFFER_XOFF || f == FIELD_CABLE || f == FIELD_PRIO_PG;
}

static bool rate_of(const struct refused *r, double *per_s)
{
	double one;
	bool is_known = false;

	if (port_rate(r->s->model, r->port, FIELD_RX_TOTAL, 0, per_s))
		return true;
	*per_s = 0;
	for (unsigned prio = 0; prio < 8; prio++)
		if (port_rate(r->s->model, r->port, FIELD_RX_BYTES, prio, &one)) {
			*per_s += one;
			is_known = true;
		}
	return is_known;
}

static bool is_under_traffic(const struct refused *r)
{
	double per_s;

	return r->port && is_of_buffer(r->edit->field) && rate_of(r, &per_s) && per_s > IDLE_BYTES_PER_S;
}

static bool is_perhaps_under_traffic(const struct refused *r)
{
	double per_s;

	return r->port && is_of_buffer(r->edit->field) && !rate_of(r, &per_s);
}

static const struct refusal {
	bool (*is_it)(const struct refused *r);
	const char *why;
	bool of_policy, of_moment;
} refusals[] = {
	{ is_of_vf, "a virtual function has no QoS settings of its own: set them on its physical function" },
	{ is_of_bond, "set the members of a bond, not the bond itself" },
	{ is_link_pause, "802.3x link pause stops every priority and replaces PFC: fabcon never turns it on" },
	{ is_watchdog_off, "without the PFC watchdog one stuck receiver can stop the fabric: fabcon never turns it off" },
	{ is_cnp_lossless, "CNPs in a lossless class would be paused exactly when they are needed: never set", .of_policy = true },
	{ is_under_traffic, "buffers are not changed under traffic, which would lose packets: drain the port first",
	  .of_moment = true },
	{ is_perhaps_under_traffic, "buffers are not changed under traffic, and whether the port carries any is not known",
	  .of_moment = true },
};

static bool refuses(const struct fix_scene *s, const struct edit *edit, bool is_planned, struct err *err)
{
	const struct refused r = { s, edit, edit->port ? model_find_port(s->model, edit->device, edit->port) : NULL };

	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		if ((is_planned && refusals[i].of_moment) || (!s->policy && refusals[i].of_policy) || !refusals[i].is_it(&r))
			continue;
		err_set(err, "%s%s%s %s: %s", edit->device, edit->port ? " " : "", edit->port ? edit->port : "",
			field_table[edit->field].name, refusals[i].why);
		return true;
	}
	return false;
}

bool fix_refuses(const struct fix_scene *s, const struct edit *edit, struct err *err)
{
	return refuses(s, edit, false, err);
}

bool fix_refuses_always(const struct fix_scene *s, const struct edit *edit, struct err *err)
{
	return refuses(s, edit, true, err);
}
