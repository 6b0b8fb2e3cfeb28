/*
 * Makes a plan from edits: groups them by device and link, asks each platform's dialect for the commands and their undo, and
 * puts the units into batches. Reads the model; sends nothing.
 */
#ifndef REMOTE_FIXER_PLANNER_H
#define REMOTE_FIXER_PLANNER_H

#include "core/fix/fix.h"
#include "core/fix/plan.h"
#include "remote/platform/dialect.h"

/*
 * p is initialized; title and finding are copied; at_us is now. False, with device and reason, when an edit cannot be planned:
 * discard p then.
 */
bool planner_make(const struct fix_scene *s, const struct edits *e, const char *title, const char *finding, int64_t at_us,
		  struct fix_plan *p, struct err *err);

/* Kinds of units, in the order in which they are planned: whole devices before their ports, and last what only persists. */
enum planner_kind { PLANNER_DEVICE, PLANNER_LINK, PLANNER_NO_TRAFFIC, PLANNER_KINDS };
enum planner_kind planner_kind_of(const struct edit *e);
/* The units of the nth batch of a kind, from 0, at most: 1, 2, 4, ... The first is a canary; whole devices stay alone. */
size_t planner_wave_most(enum planner_kind kind, unsigned nth);

/* The same with dialects other than those of remote/platforms.c; for tests. */
typedef const struct dialect *planner_find(const char *platform);
bool planner_make_by(planner_find *find, const struct fix_scene *s, const struct edits *e, const char *title, const char *finding,
		     int64_t at_us, struct fix_plan *p, struct err *err);

#endif
