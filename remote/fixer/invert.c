/* The inverse plan: rolls back what was kept, by the edits in reverse, made from the latest read. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/fixer/proof.h"
#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

static const char *keep_text(struct fix_plan *p, const char *text)
{
	return text ? arena_text(&p->arena, text, strlen(text)) : NULL;
}

static void add_edits(const struct fix_step *from, struct fix_step *to)
{
	for (size_t i = 0; i < from->n_edits; i++) {
		struct edit *e = GROW(to->edits, to->n_edits, to->cap_edits);

		*e = from->edits[i];	/* its texts belong to the original plan, which lives longer */
		e->was = from->edits[i].want;
		e->want = from->edits[i].was;
		to->n_edits++;
	}
}

/* kept: the step to be rolled back. setup is the device's configuration now; *back gets it as it was before the change. */
static bool add_commands(struct fix_plan *p, size_t step, const struct fix_step *kept, const struct buf *setup, struct buf *back,
			 struct err *err)
{
	struct fix_step *s = &p->steps[step];
	const struct dialect *dialect = dialect_find(s->platform);
	char dir[64], name[64];
	struct dialect_place place = { .device = s->device, .dir = dir, .name = name };
	struct buf part = { 0 };

	if (startup_config_wants_only_saving(s->edits, s->n_edits))
		return err_set(err, "%s: a save cannot be undone: the previous startup configuration is not kept", s->device);
	fix_step_dir(p, step, dir);
	fix_step_name(p, step, name);
	bool is_restored = dialect->restore ?
				   dialect->restore(buf_span(setup), span_of(s->after), span_of(s->base), back, err) :
				   dialect->edit(buf_span(setup), s->edits, s->n_edits, back, err);
	if (!is_restored)
		return false;
	dialect->part(buf_span(back), s->edits, s->n_edits, &part);
	bool is_same = !strcmp(part.text ? part.text : "", s->after);
	buf_done(&part);
	if (!is_same)
		return err_set(err, "%s: the previous configuration cannot be restored exactly", s->device);
	return proof_of_inverse(kept, buf_span(back), err) &&
	       dialect->commands(buf_span(setup), buf_span(back), &place, &p->arena, s, err);
}

static bool add_step(struct fixer *f, const struct fix_reader *reader, struct fix_run *r, struct err *err)
{
	struct fix_plan *p = f->inverse;
	struct model *m = fix_reader_model(reader);
	struct buf setup = { 0 }, back = { 0 };

	fix_reader_judge(reader, r);
	if (r->part != PART_AFTER)
		return err_set(err, "%s: %s", r->step->device, r->why[0] ? r->why : "it was changed since it was kept");
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);
	*s = (struct fix_step){ .device = keep_text(p, r->step->device),
				.platform = keep_text(p, r->step->platform),
				.base = keep_text(p, r->step->after),
				.after = keep_text(p, r->step->base),
				.ports = keep_text(p, r->step->ports) };
	add_edits(r->step, s);
	f->inverse_of[p->n_steps++] = r->index;
	bool done = dialect_find(s->platform)->setup(m, model_find_device(m, s->device), &setup, err) &&
		    add_commands(p, p->n_steps - 1, r->step, &setup, &back, err);
	s->save_note = NULL;	/* it names what would persist the change being rolled back */
	buf_done(&setup);
	buf_done(&back);
	return done;
}

/* Units and steps in reverse order. */
static bool add_unit(struct fixer *f, const struct fix_reader *reader, const struct fix_unit *unit, unsigned last, struct err *err)
{
	struct fix_plan *p = f->inverse;
	size_t first = p->n_steps;

	for (size_t i = unit->n; i-- > 0;) {
		struct fix_run *r = &f->runs[unit->first + i];

		if (r->state == DEV_INVERTING && !add_step(f, reader, r, err))
			return false;
	}
	if (p->n_steps == first)
		return true;
	*GROW(p->units, p->n_units, p->cap_units) =
		(struct fix_unit){ .first = first, .n = p->n_steps - first, .wave = last + 1 - unit->wave };
	p->n_units++;
	return true;
}

bool fixer_invert(struct fixer *f, const struct fix_reader *reader, struct err *err)
{
	const struct fix_plan *from = f->plan;
	struct fix_plan *p = xcalloc(1, sizeof(*p));
	char *id = xasprintf("%s-u", from->id);
	unsigned last = 1;

	fix_plan_init(p);
	f->inverse = p;
	f->inverse_of = xcalloc(from->n_steps + 1, sizeof(*f->inverse_of));
	p->id = keep_text(p, id);
	p->made_us = from->made_us;
	p->fabric = keep_text(p, from->fabric);
	p->policy = keep_text(p, from->policy);
	p->title = keep_text(p, from->title);
	p->verify_us = from->verify_us;
	free(id);
	for (size_t u = 0; u < from->n_units; u++)
		last = from->units[u].wave > last ? from->units[u].wave : last;
	for (size_t u = from->n_units; u-- > 0;)
		if (!add_unit(f, reader, &from->units[u], last, err))
			return false;
	return true;
}

void fixer_inverse_free(struct fixer *f)
{
	if (!f->inverse)
		return;
	fix_plan_done(f->inverse);
	free(f->inverse);
	free(f->inverse_of);
	f->inverse = NULL;
}
