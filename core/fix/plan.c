#include "core/fix/plan.h"

#include <stdio.h>
#include <stdlib.h>

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
