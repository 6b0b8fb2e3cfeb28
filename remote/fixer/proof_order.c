/* The order of a plan: units and batches (remote/fixer/proof.h). */
#include "remote/fixer/proof.h"

#include <stdlib.h>

#include "core/fabric/link.h"
#include "remote/fixer/planner.h"
#include "remote/platforms.h"

#define AGAIN	"; nothing was sent: make the plan again"

struct order {
	const struct proof_scene *scene;
	const struct fix_plan *plan;
	struct links links;
	size_t *unit_of;	/* by device id: the unit of this batch that touches it, from 1; 0: none */
	struct err *err;
};

/* -- within a unit -- */

static bool edits_are_in_order(const struct order *o, const struct fix_step *s)
{
	if (!s->n_edits)
		return err_set(o->err, "a step of %.63s has no edits" AGAIN, s->device);
	for (size_t i = 1; i < s->n_edits; i++)
		if (edit_cmp(&s->edits[i - 1], &s->edits[i]) >= 0)
			return err_set(o->err, "the edits of %.63s are not in the planner's order, or one is there twice" AGAIN, s->device);
	return true;
}

static bool is_switch_step(const struct order *o, const struct fix_step *s)
{
	const struct device *d = model_find_device(o->scene->model, s->device);
	const struct platform *platform = platform_find(s->platform);

	return d ? device_is_switch(d, o->scene->inventory) : platform && platform->is_switch;
}

static bool is_same_kind(const struct order *o, const struct fix_unit *u)
{
	enum planner_kind kind = planner_kind_of(&o->plan->steps[u->first].edits[0]);

	for (size_t i = u->first; i < u->first + u->n; i++)
		for (size_t k = 0; k < o->plan->steps[i].n_edits; k++)
			if (planner_kind_of(&o->plan->steps[i].edits[k]) != kind)
				return err_set(o->err, "one unit of the plan changes %.63s as a whole and a port" AGAIN, o->plan->steps[i].device);
	return u->n == 1 || (kind == PLANNER_LINK && u->n == 2) ||
	       err_set(o->err, "one unit of the plan has %zu steps; a unit is one device, or the ends of one link" AGAIN, u->n);
}

static bool has_two_ports_at_most(const struct order *o, const struct fix_unit *u)
{
	size_t n = 0;

	for (size_t i = u->first; i < u->first + u->n; i++) {
		const struct fix_step *s = &o->plan->steps[i];

		for (size_t k = 0; k < s->n_edits; k++)
			n += s->edits[k].port && (!k || !s->edits[k - 1].port || strcmp(s->edits[k].port, s->edits[k - 1].port) != 0);
	}
	return n <= 2 || err_set(o->err, "one unit of the plan changes %zu ports; a link has two" AGAIN, n);
}

static bool unit_is_sound(const struct order *o, const struct fix_unit *u)
{
	const struct fix_step *a = &o->plan->steps[u->first], *b = u->n > 1 ? a + 1 : NULL;

	for (size_t i = 0; i < u->n; i++)
		if (!edits_are_in_order(o, a + i))
			return false;
	if (!is_same_kind(o, u) || !has_two_ports_at_most(o, u))
		return false;
	if (b && !strcmp(a->device, b->device))
		return err_set(o->err, "one unit of the plan changes %.63s in two steps" AGAIN, a->device);
	if (b && !is_switch_step(o, a) && is_switch_step(o, b))
		return err_set(o->err, "the plan changes %.63s before its switch %.63s" AGAIN, a->device, b->device);
	return true;
}

/* -- batches -- */

/* The first unit after those of its batch. */
static size_t end_of_wave(const struct fix_plan *p, size_t first)
{
	size_t u = first;

	while (u < p->n_units && p->units[u].wave == p->units[first].wave)
		u++;
	return u;
}

static enum planner_kind kind_of(const struct fix_plan *p, size_t unit)
{
	return planner_kind_of(&p->steps[p->units[unit].first].edits[0]);
}

/* Devices before ports, and last what only persists; each kind begins with one unit, and its batches no more than double. */
static bool waves_are_sound(const struct order *o)
{
	const struct fix_plan *p = o->plan;
	unsigned nth = 0;

	for (size_t first = 0, end; first < p->n_units; first = end, nth++) {
		enum planner_kind kind = kind_of(p, first);

		end = end_of_wave(p, first);
		if (first && kind < kind_of(p, first - 1))
			return err_set(o->err, "batch %u of the plan comes too early" AGAIN, p->units[first].wave);
		if (!first || kind != kind_of(p, first - 1))
			nth = 0;
		for (size_t u = first; u < end; u++)
			if (kind_of(p, u) != kind)
				return err_set(o->err, "batch %u of the plan changes whole devices and ports at once" AGAIN, p->units[first].wave);
		if (end - first > planner_wave_most(kind, nth))
			return err_set(o->err, "batch %u of the plan has %zu units; the planner puts at most %zu there" AGAIN,
				       p->units[first].wave, end - first, planner_wave_most(kind, nth));
	}
	return true;
}

static bool is_in_other_unit(const struct order *o, const char *device, const char *port, size_t unit)
{
	for (size_t u = 0; u < o->plan->n_units; u++)
		for (size_t i = 0; u != unit && i < o->plan->units[u].n; i++) {
			const struct fix_step *s = &o->plan->steps[o->plan->units[u].first + i];

			for (size_t k = 0; !strcmp(s->device, device) && k < s->n_edits; k++)
				if (s->edits[k].port && (!port || !strcmp(s->edits[k].port, port)))
					return true;
		}
	return false;
}

static bool touch(struct order *o, const struct device *d, size_t unit)
{
	if (o->unit_of[d->id] && o->unit_of[d->id] != unit + 1)
		return err_set(o->err, "two units of batch %u touch %.63s at once" AGAIN, o->plan->units[unit].wave, d->name);
	o->unit_of[d->id] = unit + 1;
	return true;
}

/* The far end, where LLDP of both ends says so: what one end alone says may be a neighbor behind an unmanaged switch. */
static const struct port *far_end(const struct order *o, const struct port *p)
{
	const struct link *l = links_of_port(&o->links, p);

	return l && l->by == BY_LLDP_BOTH ? link_far(l, p) : NULL;
}

/* A port of the unit that is at neither end of the link. */
static const struct edit *beside_link(const struct order *o, size_t unit, const struct port *a, const struct port *b)
{
	const struct fix_unit *u = &o->plan->units[unit];

	for (size_t i = u->first; i < u->first + u->n; i++)
		for (size_t k = 0; k < o->plan->steps[i].n_edits; k++) {
			const struct edit *e = &o->plan->steps[i].edits[k];
			const struct port *p = e->port ? model_find_port(o->scene->model, e->device, e->port) : NULL;

			if (p && p != a && p != b)
				return e;
		}
	return NULL;
}

/* The far end was not read, being of a later batch: its name and port, as this end's LLDP has them, are in the plan all the same. */
static bool is_split_from_unread(const struct order *o, const struct port *p, size_t unit)
{
	const char *device = port_text(p, FIELD_PEER_NAME), *port = port_text(p, FIELD_PEER_PORT);

	return device && port && is_in_other_unit(o, device, port, unit);
}

static bool touch_edit(struct order *o, const struct edit *e, size_t unit)
{
	const struct device *d = model_find_device(o->scene->model, e->device);
	const struct port *p = e->port ? model_find_port(o->scene->model, e->device, e->port) : NULL, *far = p ? far_end(o, p) : NULL;

	if (!d)
		return true;
	if (!touch(o, d, unit))
		return false;
	if (far && is_in_other_unit(o, far->device->name, far->name, unit))
		return err_set(o->err, "the plan changes the two ends of %.120s in two units" AGAIN, links_of_port(&o->links, p)->name);
	if (!far && p && is_split_from_unread(o, p, unit))
		return err_set(o->err, "the plan changes %.63s %.40s and the other end of its link in two units" AGAIN, e->device, e->port);
	if (far && beside_link(o, unit, p, far))
		return err_set(o->err, "one unit of the plan changes %.120s and a port of another link" AGAIN, links_of_port(&o->links, p)->name);
	return !far || (!device_is_switch(d, o->scene->inventory) && device_is_switch(far->device, o->scene->inventory)) ||
	       touch(o, far->device, unit);
}

static bool is_touched_once(struct order *o, size_t first, size_t end)
{
	memset(o->unit_of, 0, (model_devices(o->scene->model) + 1) * sizeof(*o->unit_of));
	for (size_t u = first; u < end; u++)
		for (size_t i = 0; i < o->plan->units[u].n; i++) {
			const struct fix_step *s = &o->plan->steps[o->plan->units[u].first + i];

			for (size_t k = 0; k < s->n_edits; k++)
				if (!touch_edit(o, &s->edits[k], u))
					return false;
		}
	return true;
}

/* From the plan alone: a device that was not read is compared by its name. */
static bool is_named_once(const struct order *o, size_t first, size_t end)
{
	const struct fix_plan *p = o->plan;
	size_t from = p->units[first].first, to = p->units[end - 1].first + p->units[end - 1].n;

	for (size_t i = from; i < to; i++)
		for (size_t k = i + 1; k < to; k++)
			if (!strcmp(p->steps[i].device, p->steps[k].device))
				return err_set(o->err, "batch %u of the plan changes %.63s twice" AGAIN, p->units[first].wave, p->steps[i].device);
	return true;
}

bool proof_of_order(const struct proof_scene *s, const struct fix_plan *p, struct err *err)
{
	struct order o = { .scene = s, .plan = p, .err = err };
	bool ok = true;

	o.unit_of = xcalloc(model_devices(s->model) + 1, sizeof(*o.unit_of));
	links_update(&o.links, s->model, s->inventory);
	for (size_t u = 0; ok && u < p->n_units; u++)
		ok = unit_is_sound(&o, &p->units[u]);
	ok = ok && waves_are_sound(&o);
	for (size_t u = 0, end; ok && u < p->n_units; u = end) {
		end = end_of_wave(p, u);
		ok = is_named_once(&o, u, end) && is_touched_once(&o, u, end);
	}
	links_done(&o.links);
	free(o.unit_of);
	return ok;
}
