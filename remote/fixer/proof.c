#include "remote/fixer/proof.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/link.h"
#include "remote/fixer/planner.h"
#include "remote/fixer/step_make.h"
#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

#define AGAIN	"; nothing was sent: make the plan again"

/* A step as the plan says it, and as it is made now. */
struct proof {
	const struct proof_scene *scene;
	const struct fix_plan *plan;
	const struct fix_step *said;
	const struct device *device;
	const struct dialect *dialect;
	struct step_make make;
	struct fix_step made;
	struct arena arena;
	const char *forgets;		/* what the dialect alone says about a reboot */
	struct err *err;
};

/* -- differences -- */

static bool differs(const struct proof *p, const char *what, const char *said, const char *made)
{
	return err_set(p->err, "%s of the plan is \"%.100s\"; the device and the edits give \"%.100s\"" AGAIN, what,
		       said ? said : "nothing", made ? made : "nothing");
}

static bool same_word(const struct proof *p, const char *what, const char *said, const char *made)
{
	if (said && made ? !strcmp(said, made) : said == made)
		return true;
	return differs(p, what, said, made);
}

/* The first line of two texts that is not the same. */
static bool same_text(const struct proof *p, const char *what, const char *said, const char *made)
{
	struct span a = span_of(said), b = span_of(made), x = { 0 }, y = { 0 };
	char where[120], of_plan[120], of_device[120];
	size_t n = 0;

	if (!strcmp(said, made))
		return true;
	do {
		bool more_said, more_made;

		x = y = (struct span){ "", 0 };
		more_said = span_line(&a, &x);
		more_made = span_line(&b, &y);
		if (!more_said && !more_made)
			break;
		n++;
	} while (span_same(x, y));
	snprintf(where, sizeof(where), "line %zu of %.90s", n, what);
	snprintf(of_plan, sizeof(of_plan), "%.*s", (int)(x.n < 100 ? x.n : 100), x.p);
	snprintf(of_device, sizeof(of_device), "%.*s", (int)(y.n < 100 ? y.n : 100), y.p);
	return differs(p, where, of_plan, of_device);
}

/* A plan may lack the dialect's waiting line, or have it, whatever the device says now. */
static size_t n_waiting(const struct proof *p, const struct fix_lines *lines)
{
	return p->dialect->waits && lines->n && !strcmp(lines->list[0], p->dialect->waits);
}

static bool same_lines(const struct proof *p, const char *what, const struct fix_lines *said, const struct fix_lines *made)
{
	size_t a = n_waiting(p, said), b = n_waiting(p, made);
	char where[60];

	for (size_t i = 0; a + i < said->n || b + i < made->n; i++) {
		const char *x = a + i < said->n ? said->list[a + i] : NULL, *y = b + i < made->n ? made->list[b + i] : NULL;

		if (x && y && !strcmp(x, y))
			continue;
		snprintf(where, sizeof(where), "%s %zu", what, a + i + 1);
		return differs(p, where, x, y);
	}
	return true;
}

static bool same_files(const struct proof *p)
{
	const struct fix_step *said = p->said, *made = &p->made;
	char where[100];

	for (size_t i = 0; i < said->n_files || i < made->n_files; i++) {
		const char *x = i < said->n_files ? said->files[i].name : NULL, *y = i < made->n_files ? made->files[i].name : NULL;

		if (!x || !y || strcmp(x, y) != 0)
			return differs(p, "file list", x, y);
		snprintf(where, sizeof(where), "file %.64s", x);
		if (!same_text(p, where, said->files[i].text, made->files[i].text))
			return false;
	}
	return true;
}

/* Not saved is allowed, with the reason: the device had unsaved changes of others then. */
static bool same_save(const struct proof *p)
{
	bool is_left = !p->said->save.n && p->said->save_note && !strcmp(p->said->save_note, startup_config_is_not_ours);

	return is_left || same_lines(p, "save line", &p->said->save, &p->made.save);
}

/*
 * The agents that run now must be named; one that has ended may be. That one end of a link changes alone may be said where it
 * does: whether the other end agreed when the plan was made is not read here.
 */
static bool same_disturbs(struct proof *p)
{
	unsigned running = 0, is_one_end = fix_plan_one_end(p->plan, (size_t)(p->said - p->plan->steps)) != NULL;

	for (unsigned i = 0; i < STEP_WRITERS; i++)
		running |= (unsigned)step_has_writer(&p->make, p->said, i) << i;
	for (unsigned named = 0; named < 1u << (STEP_WRITERS + is_one_end); named++) {
		const char *text = step_disturbs(&p->arena, p->made.disturbs, named);

		if ((named & running) == running && (text && p->said->disturbs ? !strcmp(text, p->said->disturbs) : text == p->said->disturbs))
			return true;
	}
	return differs(p, "disturbs", p->said->disturbs, step_disturbs(&p->arena, p->made.disturbs, running));
}

/* What persists the change: as it is now, or what the dialect alone says. Nothing is sent because of it. */
static bool same_note(struct proof *p)
{
	const char *said = p->said->save_note;
	const struct cell *unit = device_cell(p->device, FIELD_PERSIST_UNIT, 0);
	bool is_told = unit && unit->value.is == VALUE_KNOWN;

	if (said && !strcmp(said, startup_config_is_not_ours) && !p->said->save.n)
		return true;
	p->forgets = p->made.save_note;
	if (!device_is_switch(p->device, p->scene->inventory))
		step_note_owner(&p->make, &p->made);
	if (said && p->forgets && (!strcmp(said, p->forgets) || !is_told))
		return true;
	return same_word(p, "save_note", said, p->made.save_note);
}

/* -- one step -- */

static void proof_begin(struct proof *p, const struct proof_scene *s, const struct fix_plan *plan, size_t step, struct err *err)
{
	*p = (struct proof){ .scene = s, .plan = plan, .said = &plan->steps[step], .err = err };
	p->make = (struct step_make){ s->model, plan, &p->arena };
	p->device = model_find_device(s->model, p->said->device);
	p->dialect = dialect_find(p->said->platform);
	p->made = (struct fix_step){ .device = p->said->device, .platform = p->said->platform, .n_edits = p->said->n_edits };
	p->made.edits = p->said->edits;		/* lent */
}

static void proof_end(struct proof *p)
{
	p->made.edits = NULL;
	step_done(&p->made);
	arena_done(&p->arena);
}

static bool has_setup(struct proof *p, struct buf *setup)
{
	const char *platform = p->device ? device_text(p->device, FIELD_PLATFORM) : NULL;
	struct err why = { "" };

	if (!p->dialect || !platform || strcmp(platform, p->said->platform) != 0)
		return err_set(p->err, "the plan is for the platform \"%.31s\"; the device is %.60s" AGAIN, p->said->platform,
			       platform ? platform : "not known");
	return p->dialect->setup(p->scene->model, p->device, setup, &why) ||
	       err_set(p->err, "its configuration is incomplete: %.300s", why.text);
}

/* Which policy judged: the author may have planned by another, or only written its name. */
static bool refused_by(const struct proof *p, const struct err *why)
{
	const char *said = p->plan->policy, *loaded = p->scene->policy ? policy_name(p->scene->policy) : NULL;

	if (!loaded || (said && !strcmp(said, loaded)))
		return err_set(p->err, "%s", why->text);
	if (!said)
		return err_set(p->err, "%.340s; the plan names no policy, and was judged by %.60s: make the plan again", why->text, loaded);
	return err_set(p->err, "%.300s; the plan names policy %.40s, and was judged by %.40s: if that is another one, give it with -p",
		       why->text, said, loaded);
}

/*
 * Values of the moment (is the port busy?) were the planner's to judge; what is never set is refused in a plan file, too, by the
 * policy that is loaded: the name in the plan is its author's word.
 */
static bool is_allowed(const struct proof *p)
{
	struct links links = { 0 };
	struct fix_scene scene = { p->scene->model, &links, p->scene->policy, p->scene->inventory, NULL };
	struct err why = { "" };
	bool is_refused = false;

	links_update(&links, p->scene->model, p->scene->inventory);
	for (size_t i = 0; !is_refused && i < p->said->n_edits; i++)
		is_refused = fix_refuses_always(&scene, &p->said->edits[i], &why);
	links_done(&links);
	return !is_refused || refused_by(p, &why);
}

/* The value that an edit replaces sends nothing, but it is what people review. */
static bool same_was(const struct proof *p)
{
	static const struct value none = { .is = VALUE_ABSENT };
	bool ok = true;

	for (size_t i = 0; ok && i < p->said->n_edits; i++) {
		const struct edit *said = &p->said->edits[i];
		const struct port *port = said->port ? model_find_port(p->scene->model, said->device, said->port) : NULL;
		const struct cell *c = !said->port || port ? fact_cell(p->device, port, said->field, said->index) : NULL;
		struct edit made = *said;
		struct buf a = { 0 }, b = { 0 };

		made.was = c && c->value.is == VALUE_KNOWN ? c->value : none;	/* what is not known is planned as absent */
		edit_print(said, &a);
		edit_print(&made, &b);
		ok = value_same(said->field, &said->was, &made.was) || differs(p, "an edit", a.text, b.text);
		buf_done(&a);
		buf_done(&b);
	}
	return ok;
}

static bool is_same(struct proof *p)
{
	return same_was(p) && same_text(p, "base", p->said->base, p->made.base) && same_text(p, "after", p->said->after, p->made.after) &&
	       same_lines(p, "line", &p->said->lines, &p->made.lines) &&
	       same_lines(p, "undo line", &p->said->undo, &p->made.undo) && same_files(p) &&
	       same_word(p, "ports", p->said->ports, p->made.ports) && same_save(p) && same_disturbs(p) && same_note(p);
}

bool proof_of_step(const struct proof_scene *s, const struct fix_plan *plan, size_t step, struct err *err)
{
	struct buf setup = { 0 };
	char *after = NULL;
	struct err why = { "" };
	struct proof p;
	bool ok;

	proof_begin(&p, s, plan, step, err);
	ok = has_setup(&p, &setup) && is_allowed(&p);
	if (ok && !step_make(&p.make, p.dialect, step, setup.text ? setup.text : "", &p.made, &after, &why))
		ok = err_set(err, "the edits of the plan cannot be made here: %.300s" AGAIN, why.text);
	ok = ok && is_same(&p);
	free(after);
	buf_done(&setup);
	proof_end(&p);
	return ok;
}

/* Commands between two equal texts are none but the save. */
bool proof_of_save(const struct proof_scene *s, const struct fix_plan *plan, size_t step, struct err *err)
{
	char dir[64], name[64];
	const struct dialect_place place = { plan->steps[step].device, dir, name };
	struct buf setup = { 0 };
	struct err why = { "" };
	struct proof p;
	bool ok;

	fix_step_dir(plan, step, dir);
	fix_step_name(plan, step, name);
	proof_begin(&p, s, plan, step, err);
	ok = has_setup(&p, &setup);
	if (ok && !p.dialect->commands(buf_span(&setup), buf_span(&setup), &place, &p.arena, &p.made, &why))
		ok = err_set(err, "%.400s", why.text);
	ok = ok && (!p.said->save.n || same_lines(&p, "save line", &p.said->save, &p.made.save));
	buf_done(&setup);
	proof_end(&p);
	return ok;
}

bool proof_of_inverse(const struct fix_step *s, struct span back, struct err *err)
{
	const struct dialect *dialect = dialect_find(s->platform);
	struct buf forth = { 0 }, part = { 0 };
	struct err why = { "" };
	bool ok = dialect->edit(back, s->edits, s->n_edits, &forth, &why);

	if (ok)
		dialect->part(buf_span(&forth), s->edits, s->n_edits, &part);
	ok = ok && !strcmp(part.text ? part.text : "", s->after);
	buf_done(&forth);
	buf_done(&part);
	return ok || err_set(err, "%s: the plan's edits do not lead from its base to what the device has%s%.300s", s->device,
			     *why.text ? ": " : "", why.text);
}
