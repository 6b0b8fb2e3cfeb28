/*
 * From edits to a plan: groups them by device and link, asks each platform's dialect for the commands and their undo, puts
 * units into waves. Reads the model; sends nothing.
 */
#ifndef REMOTE_FIXER_PLANNER_H
#define REMOTE_FIXER_PLANNER_H

#include "core/fix/fix.h"
#include "core/fix/plan.h"
#include "remote/platform/dialect.h"

/*
 * p is initialised. title, finding: copied. at_us: now. False, with the reason and device, when some edit cannot be planned;
 * p is then to be thrown away.
 */
bool planner_make(const struct fix_scene *s, const struct edits *e, const char *title, const char *finding, int64_t at_us,
		  struct fix_plan *p, struct err *err);

/* The same with other dialects than those of remote/platforms.c. */
typedef const struct dialect *planner_find(const char *platform);
bool planner_make_by(planner_find *find, const struct fix_scene *s, const struct edits *e, const char *title, const char *finding,
		     int64_t at_us, struct fix_plan *p, struct err *err);

#endif
