/* Plans that the console makes: of what a key was pressed on, or of a plan without one of its steps. They only read. */
#ifndef TUI_CONSOLE_MAKE_PLAN_H
#define TUI_CONSOLE_MAKE_PLAN_H

#include "remote/fixer/planner.h"
#include "tui/screens/intent.h"
#include "tui/views/view_of.h"

/*
 * p gets the plan of an INTENT_PLAN, zeroed or made before; skipped a line for each setting that is not known and so was
 * left alone. False, with the reason, when there is none; p is then empty.
 */
bool fixmake_plan(const struct view_of *of, const struct intent *i, int64_t at_us, struct fix_plan *p, struct buf *skipped,
		  struct err *err);
/* The same without a step and what is done together with it. */
bool fixmake_without(const struct view_of *of, const struct fix_plan *whole, size_t step, int64_t at_us, struct fix_plan *p,
		     struct err *err);

#endif
