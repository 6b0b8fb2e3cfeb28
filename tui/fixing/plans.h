/* A plan as a person names it: its file, or the id by which the audit keeps it; and those that have not ended. */
#ifndef TUI_FIXING_PLANS_H
#define TUI_FIXING_PLANS_H

#include "core/fix/plan.h"

struct audit;

/* "P-…" is an id unless there is a file of that name. p is initialised; false, with the reason: it is not to be used. */
bool plan_named(const char *name, struct fix_plan *p, struct err *err);
/* The plan that the audit keeps by that id. Without steps: its text is not kept, or cannot be read. fix_plan_done() it. */
void plan_of_audit(struct audit *a, const char *id, struct fix_plan *p);
/* True when this very plan, with this hash, was begun from here. */
bool plan_is_on_record(const struct fix_plan *p);

/* "P-… was begun and not ended: node1 armed 40 s ago; fabcon verify P-…", a line each, oldest first. */
void plans_not_ended(struct buf *out);
/* Their ids alone, a line each. */
void plans_open(struct buf *ids);

/* One of them, as the audit has it. */
struct open_plan {
	/* "leaf1, node1"; "leaf1 committed, node1 may be armed: not answered": what is open, and the committed end of its link */
	char id[80], devices[160], state[160];
	int64_t rolls_back_us;			/* the first rollback timer of its devices runs out; 0: none is known to run */
	char committed[80], half[80];		/* ends of a link, and its other ends whose timers then leave half a link */
	int64_t half_us;			/* the first of those runs out; 0: none is known to run */
};
/* When the timer of each of its steps runs out, as last reported; 0: none is known to run. */
void plan_timers(const char *id, int64_t *rolls_back_us, size_t n_steps);
/* The audit's last entry of a step of the plan; 0: there is none. Grows with what whoever does with the plan. */
int64_t plan_last_entry(const char *id);
/* Whether the audit was written since this was asked last; *stamp is 0 at first. */
bool plans_have_moved(uint64_t *stamp);
/* Oldest first, at most so many. */
size_t plans_open_list(struct open_plan *list, size_t most);

/*
 * Whether p may begin. False, with the reason: what another plan left at one of its devices, or at the other end of a link of
 * one, is not settled.
 */
bool plans_let(const struct fix_plan *p, struct err *err);

/*
 * A plan that was made by this user of this machine, shown and written to a file: its whole hash is kept beside the audit. It
 * is confirmed by typing its devices, as a plan on the screen is.
 */
void plans_note_made(const struct fix_plan *p);
bool plans_made_here(const struct fix_plan *p);
/* The audit has this very plan, from its apply. */
bool plans_known(const struct fix_plan *p);

#endif
