#include "core/fix/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/fix/fix.h"

void fix_plan_init(struct fix_plan *p)
{
	*p = (struct fix_plan){ 0 };
}

static void step_done(struct fix_step *s)
{
	free(s->edits);
	free(s->lines.list);
	free(s->undo.list);
	free(s->save.list);
	free(s->files);
}

void fix_plan_done(struct fix_plan *p)
{
	for (size_t i = 0; i < p->n_steps; i++)
		step_done(&p->steps[i]);
	free(p->steps);
	free(p->units);
	arena_done(&p->arena);
	*p = (struct fix_plan){ 0 };
}

/* Steps are numbered from 1, on the screen and in the names of files and timers on devices. */
void fix_step_dir(const struct fix_plan *p, size_t step, char out[64])
{
	snprintf(out, 64, "/run/fabcon/%.40s.%zu", p->id, step + 1);
}

void fix_step_name(const struct fix_plan *p, size_t step, char out[64])
{
	snprintf(out, 64, "fabcon-%.40s-%zu", p->id, step + 1);
}

static bool is_alone(const struct fix_plan *p, size_t step)
{
	for (size_t u = 0; u < p->n_units; u++)
		if (p->units[u].first == step)
			return p->units[u].n == 1;
	return false;
}

const struct edit *fix_plan_one_end(const struct fix_plan *p, size_t step)
{
	const struct fix_step *s = &p->steps[step];

	for (size_t i = 0; is_alone(p, step) && i < s->n_edits; i++)
		if (s->edits[i].port && fix_is_of_link(s->edits[i].field))
			return &s->edits[i];
	return NULL;
}

bool fix_plan_say_one_end(const struct fix_plan *p, size_t step, struct buf *out)
{
	const struct edit *e = fix_plan_one_end(p, step);

	if (e)
		buf_printf(out, "the other end of %s %s is not part of this plan", e->device, e->port);
	return e;
}
