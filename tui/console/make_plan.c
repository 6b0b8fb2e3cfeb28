#include "tui/console/make_plan.h"

#include <stdio.h>

#include "remote/platforms.h"


static struct fix_scene scene_of(const struct view_of *of)
{
	return (struct fix_scene){ .model = of->model, .links = of->links, .policy = of->policy, .inventory = of->inventory,
				   .can_set = dialect_can_set };
}

static bool make(const struct fix_scene *s, const struct edits *e, const char *title, const char *finding, int64_t at_us,
		 struct fix_plan *p, struct err *err)
{
	fix_plan_init(p);
	if (planner_make(s, e, title, finding, at_us, p, err))
		return true;
	fix_plan_done(p);
	fix_plan_init(p);
	return false;
}

/* -- of what -- */

static bool edits_of_link(const struct fix_scene *s, const struct port *a, struct edits *e, struct buf *skipped, struct err *err)
{
	const struct link *link = links_of_port(s->links, a);
	const struct port *b = link ? link_far(link, a) : NULL;

	if (!b)
		return err_set(err, "%s:%s: its far end is not known, and a change at one end alone may do harm", a->device->name, a->name);
	return fix_of_target(s, a->device, a, e, skipped, err) && fix_of_target(s, b->device, b, e, skipped, err);
}

/* What differs at the other ends of a device's links: of what is judged as a link, that half is asked for too. */
static void add_far_ends(const struct fix_scene *s, const struct device *d, struct buf *out)
{
	for (size_t i = 0; i < d->n_ports; i++) {
		const struct link *link = links_of_port(s->links, d->ports[i]);
		const struct port *far = link && link->is_fabric ? link_far(link, d->ports[i]) : NULL;
		struct edits e = { 0 };
		struct err err;

		if (far && far->device != d && fix_of_target(s, far->device, far, &e, NULL, &err) && e.n)
			buf_printf(out, "%s%s:%s (%s)", out->n ? ", " : "", far->device->name, far->name, field_table[e.list[0].field].name);
		edits_done(&e);
	}
}

static bool edits_of_device(const struct fix_scene *s, const char *name, struct edits *e, struct buf *skipped, struct err *err)
{
	const struct device *d = model_find_device(s->model, name);

	struct buf far = { 0 };
	bool ok;

	if (!d)
		return err_set(err, "%s: nothing is known about it", name);
	ok = fix_of_target(s, d, NULL, e, skipped, err);
	if (ok && !e->n)
		add_far_ends(s, d, &far);
	if (far.n)
		ok = err_set(err, "nothing differs at %.60s itself; at the other ends of its links: %.240s (plan the link)", d->name, far.text);
	buf_done(&far);
	return ok;
}

/* A title in words, and what the finding is called in the plan. */
static void name_plan(const struct view_of *of, const struct intent *i, char title[256], char finding[256])
{
	const struct link *link = i->port ? links_of_port(of->links, i->port) : NULL;

	finding[0] = '\0';
	if (i->finding) {
		snprintf(title, 256, "%s", i->finding->check->title);
		snprintf(finding, 256, "%s %s", i->finding->check->id, i->finding->where);
	} else {
		snprintf(title, 256, "%.120s as %.80s requires it", link ? link->name : i->device ? i->device : "",
			 of->policy ? policy_name(of->policy) : "the policy");
	}
}

bool fixmake_plan(const struct view_of *of, const struct intent *i, int64_t at_us, struct fix_plan *p, struct buf *skipped,
		  struct err *err)
{
	struct fix_scene s = scene_of(of);
	struct edits e = { 0 };
	char title[256], finding[256];
	bool ok;

	if (of->is_paused)
		return err_set(err, "the display is frozen: resume it before planning");
	name_plan(of, i, title, finding);
	if (i->finding)
		ok = fix_of_finding(&s, i->finding, &e, err);
	else if (i->port)
		ok = edits_of_link(&s, i->port, &e, skipped, err);
	else
		ok = edits_of_device(&s, i->device, &e, skipped, err);
	if (ok)
		fix_add_far_ends(&s, &e, skipped);
	if (ok && !e.n)
		ok = err_set(err, skipped->n ? "no known setting differs from the policy; some settings are not known" :
			     "nothing differs from the policy");
	ok = ok && make(&s, &e, title, *finding ? finding : NULL, at_us, p, err);
	edits_done(&e);
	return ok;
}

/* -- without a step -- */

static const struct fix_unit *unit_of(const struct fix_plan *p, size_t step)
{
	for (size_t i = 0; i < p->n_units; i++)
		if (step >= p->units[i].first && step < p->units[i].first + p->units[i].n)
			return &p->units[i];
	return NULL;
}

bool fixmake_without(const struct view_of *of, const struct fix_plan *whole, size_t step, int64_t at_us, struct fix_plan *p,
		     struct err *err)
{
	const struct fix_unit *dropped = unit_of(whole, step);
	struct fix_scene s = scene_of(of);
	struct edits e = { 0 };
	bool ok;

	for (size_t i = 0; i < whole->n_steps; i++)
		for (size_t k = 0; k < whole->steps[i].n_edits; k++)
			if (unit_of(whole, i) != dropped)
				edits_add(&e, &whole->steps[i].edits[k]);
	ok = make(&s, &e, whole->title, whole->finding, at_us, p, err);
	edits_done(&e);
	return ok;
}
