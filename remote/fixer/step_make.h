/*
 * One step of a plan, made from its edits and the device's configuration. The planner makes steps with it, and the proof makes
 * them again: both see the same lines because both call this. Pure: no I/O, no clock.
 */
#ifndef REMOTE_FIXER_STEP_MAKE_H
#define REMOTE_FIXER_STEP_MAKE_H

#include "core/inventory/inventory.h"
#include "remote/platform/dialect.h"

struct step_make {
	const struct model *model;
	const struct fix_plan *plan;	/* its id and its policy's name are used, nothing else */
	struct arena *arena;		/* of the texts of the step */
};

/*
 * index: of the step in the plan, from 0. s holds device, platform and edits; base, after, lines, undo, save, save_note, files,
 * disturbs and ports are added. before is the whole configuration; *after gets the one after the step, owned by the caller.
 */
bool step_make(const struct step_make *k, const struct dialect *dialect, size_t index, const char *before, struct fix_step *s,
	       char **after, struct err *err);

/* The agents beside us that may overwrite a change: lldpad, and the NIC's firmware. */
#define STEP_WRITERS	2
/* Whether the agent runs at the device, as far as is known. */
bool step_has_writer(const struct step_make *k, const struct fix_step *s, unsigned writer);
/* The warnings of a step: the agents, and that it has one end of a link alone (fix_plan_one_end). */
#define STEP_ONE_END	STEP_WRITERS
#define STEP_WARNINGS	(STEP_ONE_END + 1)
/* Adds the words of a set of warnings (a bit each) to disturbs, which may be NULL. */
const char *step_disturbs(struct arena *arena, const char *disturbs, unsigned warnings);

/* Of a host: names what persists the settings over a reboot, in save_note. */
void step_note_owner(const struct step_make *k, struct fix_step *s);

/* Settings of a device without any effect on traffic: planned last. */
bool step_affects_no_traffic(enum field f);

void step_done(struct fix_step *s);

#endif
