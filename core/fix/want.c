#include "core/fix/want.h"

#include <math.h>
#include <stdio.h>

#include "core/judge/judge_context.h"

/* The policy's target for a port, or for a device. */
static struct policy_target fix_target(const struct fix_scene *s, const struct device *d, const struct port *p)
{
	return (struct policy_target){ d->name, p ? p->name : NULL, device_is_switch(d, s->inventory),
				       inventory_find(s->inventory, d->name) };
}

static bool wants(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		  uint64_t *out)
{
	struct policy_target t = fix_target(s, d, p);
	struct value v;

	if (!policy_wants(s->policy, &t, f, index, &v, NULL))
		return false;
	*out = v.n;
	return true;
}

static unsigned lossless(const struct fix_scene *s, const struct port *p)
{
	unsigned set = 0;
	uint64_t on;

	for (unsigned prio = 0; prio < 8; prio++)
		set |= (unsigned)(wants(s, p->device, p, FIELD_PFC_ON, prio, &on) && on) << prio;
	return set;
}

/* As the policy requires; a map that it does not set is the identity. */
static unsigned wanted_queue(const struct fix_scene *s, const struct port *p, unsigned prio)
{
	uint64_t tc, queue;

	if (!wants(s, p->device, p, FIELD_PRIO_TC, prio, &tc) || tc > 7)
		tc = prio;
	return wants(s, p->device, p, FIELD_TC_QUEUE, (unsigned)tc, &queue) && queue < 8 ? (unsigned)queue : (unsigned)tc;
}

static bool is_of_queue(enum field f)
{
	return f == FIELD_ECN_ON || f == FIELD_ECN_KMIN || f == FIELD_ECN_KMAX || f == FIELD_ECN_PMAX;
}

bool fix_policy_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		     struct fix_want *out)
{
	struct policy_target t = fix_target(s, d, p);

	if (!p || !is_of_queue(f))
		return policy_wants(s->policy, &t, f, index, &out->value, &out->why);
	for (unsigned prio = 0; prio < 8; prio++)
		if (wanted_queue(s, p, prio) == index && policy_wants(s->policy, &t, f, prio, &out->value, &out->why))
			return true;
	return false;
}

/* -- where the policy is silent -- */

struct asked {
	const struct fix_scene *s;
	const struct device *d;
	const struct port *p;
	enum field field;
	unsigned index;
	const struct value *now;
};

/* A forced ToS overrides the default: both must be the same. */
static bool usual_tos(const struct asked *a, uint64_t *out)
{
	return a->now->n != 0 && wants(a->s, a->d, a->p, FIELD_TOS_CMA, 0, out);
}

static bool usual_dcbx(const struct asked *a, uint64_t *out)
{
	*out = DCBX_OS;
	return a->now->n == DCBX_FW;
}

static bool usual_no(const struct asked *a, uint64_t *out)
{
	(void)a;
	*out = 0;
	return true;
}

static bool usual_yes(const struct asked *a, uint64_t *out)
{
	(void)a;
	*out = 1;
	return true;
}

/* Unplanned traffic leaves the lossless class: a NIC's own map is dscp / 8, a switch's is class 0. */
static bool usual_priority(const struct asked *a, uint64_t *out)
{
	unsigned set = lossless(a->s, a->p);

	*out = device_is_switch(a->d, a->s->inventory) ? 0 : a->index / 8;
	return a->now->n < 8 && set >> a->now->n & 1 && !(set >> *out & 1);
}

/* The egress queue of the priority. */
static bool usual_pfc_queue(const struct asked *a, uint64_t *out)
{
	*out = wanted_queue(a->s, a->p, a->index);
	return true;
}

static bool is_of_lossless(const struct asked *a, unsigned set, uint64_t pg)
{
	uint64_t its;

	for (; set; set &= set - 1)
		if (!port_number(a->s->model, a->p, FIELD_PRIO_PG, (unsigned)__builtin_ctz(set), &its) || its == pg)
			return true;
	return false;
}

/* A lossy priority joins the other lossy ones. */
static bool usual_group(const struct asked *a, uint64_t *out)
{
	unsigned set = lossless(a->s, a->p);

	if (set >> a->index & 1 || !is_of_lossless(a, set, a->now->n))
		return false;
	for (unsigned prio = 0; prio < 8; prio++)
		if (prio != a->index && !(set >> prio & 1) && port_number(a->s->model, a->p, FIELD_PRIO_PG, prio, out) &&
		    !is_of_lossless(a, set, *out))
			return true;
	*out = 0;
	return !is_of_lossless(a, set, 0);
}

static bool usual_algo(const struct asked *a, uint64_t *out)
{
	uint64_t share;

	*out = ETS_ETS;
	return wants(a->s, a->d, a->p, FIELD_ETS_SHARE, a->index, &share) && share > 0;
}

/* The required ETS bandwidth adds up to the whole link: nothing is left for other classes. */
static bool usual_share(const struct asked *a, uint64_t *out)
{
	uint64_t share, sum = 0;

	for (unsigned tc = 0; tc < 8; tc++)
		sum += wants(a->s, a->d, a->p, FIELD_ETS_SHARE, tc, &share) ? share : 0;
	*out = 0;
	return sum == 100;
}

static bool usual_ai(const struct asked *a, uint64_t *out)
{
	*out = 5;
	return a->now->n > *out;
}

static bool usual_hai(const struct asked *a, uint64_t *out)
{
	*out = 50;
	return a->now->n > *out;
}

static bool usual_min_rate(const struct asked *a, uint64_t *out)
{
	*out = 1;
	return a->now->n > *out;
}

static const struct usual {
	enum field field;
	bool (*want)(const struct asked *a, uint64_t *out);
	const char *why;
} usual_table[] = {
	{ FIELD_TOS_FORCE,	usual_tos,	"as the policy's tos.cma: a forced ToS overrides it" },
	{ FIELD_DCBX,		usual_dcbx,	"no other agent may overwrite these settings" },
	{ FIELD_DCBX_WILLING,	usual_no,	"no other agent may overwrite these settings" },
	{ FIELD_DSCP_PRIO,	usual_priority,	"not in the lossless class by policy: back to the default map" },
	{ FIELD_PFC_QUEUE,	usual_pfc_queue, "PFC must pause the egress queue that carries this priority" },
	{ FIELD_PRIO_PG,	usual_group,	"a lossy priority with the other lossy ones" },
	{ FIELD_ETS_ALGO,	usual_algo,	"the policy requires ETS for it" },
	{ FIELD_ETS_SHARE,	usual_share,	"the required ETS bandwidth adds up to the whole link" },
	{ FIELD_CC_AI_RATE,	usual_ai,	"the vendor's default" },
	{ FIELD_CC_HAI_RATE,	usual_hai,	"the vendor's default" },
	{ FIELD_CC_MIN_RATE,	usual_min_rate,	"the vendor's default" },
	{ FIELD_CONFIG_SAVED,	usual_yes,	"the saved configuration must equal the running one" },
};

/* The loaded modules plus ib_uverbs, through which programs open RDMA devices. */
static bool usual_modules(const struct value *now, struct fix_want *out)
{
	int n = snprintf(out->text, sizeof(out->text), "%s ib_uverbs", now->text);

	if (n < 0 || (size_t)n >= sizeof(out->text))
		return false;
	out->value = (struct value){ .is = VALUE_KNOWN, .text = out->text };
	out->why = "programs open RDMA devices through it";
	return true;
}

/* As on most similar ports. */
static bool usual_of_fleet(const struct asked *a, struct fix_want *out)
{
	struct judge_context context = { 0 };
	bool is_found = false;

	judge_context_update(&context, a->s->model, a->s->links, a->s->inventory);
	for (size_t i = 0; i < alike_count; i++) {
		const struct common *c = scene_common(&context, a->p, i);

		if (alike_fields[i] != a->field || !c->agree)
			continue;
		is_found = true;
		out->value = (struct value){ .is = VALUE_KNOWN, .n = c->n };
		out->why = "as on most similar ports";
	}
	judge_context_done(&context);
	return is_found;
}

bool fix_usual_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		    const struct value *now, struct fix_want *out)
{
	const struct asked a = { s, d, p, f, index, now };
	uint64_t n;

	if (f == FIELD_MODULES)
		return usual_modules(now, out);
	for (size_t i = 0; i < sizeof(usual_table) / sizeof(*usual_table); i++) {
		if (usual_table[i].field != f || !usual_table[i].want(&a, &n))
			continue;
		out->value = (struct value){ .is = VALUE_KNOWN, .n = n };
		out->why = usual_table[i].why;
		return true;
	}
	return p && field_table[f].kind != KIND_TEXT && usual_of_fleet(&a, out);
}

bool fix_implied_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, const struct cell *c,
		      struct fix_want *out)
{
	struct policy_target target;

	if (f != FIELD_TOS_FORCE || !c || c->value.is == VALUE_ABSENT)
		return false;
	if (c->value.is == VALUE_KNOWN)
		return fix_usual_want(s, d, p, f, 0, &c->value, out);
	target = fix_target(s, d, p);
	return policy_wants(s->policy, &target, FIELD_TOS_CMA, 0, &out->value, &out->why);
}

/* -- comparing -- */

bool fix_is_so(const struct fix_scene *s, const struct device *d, enum field f, const struct value *is,
	       const struct value *wanted)
{
	if (value_same(f, is, wanted))
		return true;
	if (field_table[f].kind == KIND_TEXT)
		return false;
	if (f == FIELD_ECN_KMIN || f == FIELD_ECN_KMAX || f == FIELD_ECN_PMAX)
		return fabs((double)is->n - (double)wanted->n) <=
			policy_limit(s->policy, LIMIT_KB_TOLERANCE) * (double)wanted->n;
	if (f == FIELD_TRUST)
		return is->n == TRUST_BOTH && wanted->n == TRUST_DSCP;
	return f == FIELD_MTU && is->n > wanted->n && device_is_switch(d, s->inventory);
}

bool fix_is_unset(const struct fix_scene *s, const struct port *p, enum field f, unsigned index)
{
	uint64_t n;

	if (!p || !device_is_switch(p->device, s->inventory))
		return false;
	if (f == FIELD_ECN_KMIN || f == FIELD_ECN_KMAX || f == FIELD_ECN_PMAX)
		return port_number(s->model, p, FIELD_ECN_ON, index, &n) && !n;
	return f == FIELD_DSCP_PRIO && port_number(s->model, p, FIELD_TRUST, 0, &n) && n != TRUST_DSCP && n != TRUST_BOTH;
}
