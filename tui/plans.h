/* A plan as a person names it: its file, or the id by which the audit keeps it. */
#ifndef TUI_PLANS_H
#define TUI_PLANS_H

#include "core/fix_plan.h"

/*
 * What is there under that name is a file, "P-…" else an id. p is initialised; false, with the reason, and p as it was but
 * for its arena.
 */
bool plan_named(const char *name, struct fix_plan *p, struct err *err);

#endif
