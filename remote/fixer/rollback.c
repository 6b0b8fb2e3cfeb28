/* The way back: by the undo that is armed, by the device itself, or by a plan of its own; and what became of it. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define GRACE_US	(SECOND_US * 3 / 2)	/* a timer's own inaccuracy, and a second begun */
#define UNDO_RUNS_US	(900 * SECOND_US)	/* how long its lines may take at most: a switch takes minutes for one */
#define LAGS_US		(5 * SECOND_US)		/* how long after them what is read may still change */

/* -- taking back -- */

void fixer_take_back(struct fixer *f)
{
	bool is_any_armed = false;

	EACH(f, r) {
		r->is_wanted = r->may_be_armed;
		r->is_settling = r->may_be_armed;
		is_any_armed |= r->may_be_armed;
		if (r->may_be_armed)
			fixer_state(r, FIX_UNDOING, "%s", r->reason);
	}
	if (!is_any_armed)
		return fixer_leave_alone(f, f->wants_undo ? "not begun: it was to be taken back" :
							    "not begun, since another device of its wave failed");
	f->again_us = 0;
	f->until_us = fixer_now_us() + SETTLE_US;
	fixer_jobs_begin(f, JOB_UNDO);
	fixer_enter(f, FIXER_TAKES_BACK);
}

/* Who was not reached is tried again, until the device must have done it by itself. */
static bool is_to_be_undone_again(const struct fix_run *r)
{
	int64_t until_us = r->undo_at_us ? r->undo_at_us : r->fixer->until_us;

	return r->is_settling && r->has_failed && !r->is_undone && !r->fixer->is_mute && fixer_now_us() < until_us;
}

void fixer_takes_back(struct fixer *f)
{
	if (!fixer_jobs_works_again(f, is_to_be_undone_again))
		fixer_settle_after_timers(f);
}

/* -- what became of it -- */

void fixer_settle_after_timers(struct fixer *f)
{
	f->until_us = 0;
	EACH(f, r)
		if (r->is_settling && (r->has_failed || f->is_mute) && r->undo_at_us + GRACE_US > f->until_us)
			f->until_us = r->undo_at_us + GRACE_US;
	fixer_enter(f, FIXER_AWAITS_TIMERS);
}

static bool is_settling(const struct fix_run *r)
{
	return r->is_settling;
}

void fixer_awaits_timers(struct fixer *f)
{
	if (fixer_now_us() < f->until_us)
		return;
	f->until_us = fixer_now_us() + SETTLE_US;
	f->undo_until_us = fixer_now_us() + UNDO_RUNS_US;
	f->again_us = f->ask_us = 0;
	EACH(f, r) {
		r->seen_us = 0;
		r->is_heard = r->is_undoing = false;
		r->is_wanted = r->is_settling;
	}
	fixer_jobs_begin(f, JOB_ASK);
	fixer_read_those(f, is_settling, UINT32_MAX, UNDO_RUNS_US);
	fixer_enter(f, FIXER_SETTLES);
}

/* Final, as it was read last. */
static void settle(struct fix_run *r)
{
	bool was_kept = r->state == FIX_KEPT, was_to_be_kept = fixer_is_verified(r) || was_kept;

	r->is_settling = r->may_be_armed = false;
	r->undo_at_us = 0;
	if (r->is_led_back && (r->part == PART_BEFORE || r->part == PART_AFTER))
		return fixer_state(r, FIX_UNKNOWN, "an undo of it is on its way already: %s; look again when that is over", r->holder);
	switch (r->part) {
	case PART_BEFORE:
		return fixer_state(r, FIX_UNDONE, "%s", was_kept ? "it was kept, and the device started again before it was saved" :
				   was_to_be_kept ? "the device took it back before keep was heard" : r->reason);
	case PART_AFTER:
		if (r->fixer->options.goal == FIXER_UNDO && r->is_not_ours) {	/* kept: by lines that lead back */
			r->is_to_invert = true;
			return;
		}
		if (!r->is_heard)
			return fixer_state(r, FIX_UNKNOWN, "as planned, but it did not say whether it is being taken back");
		if (was_to_be_kept || r->is_kept)
			return fixer_state(r, FIX_KEPT, "as planned, long after its timer");
		return fixer_state(r, FIX_MIXED, "still as planned, %s: %s",
				   r->is_undone ? "though it was taken back" : "and not known to have been taken back", r->reason);
	case PART_OTHER:
		return fixer_state(r, FIX_MIXED, "neither as before nor as planned: %s", r->reason);
	case PART_UNREAD:
	case PART_UNKNOWN:
	case PART_NOT_REACHED:
		return fixer_state(r, FIX_UNKNOWN, "%s", r->why);
	}
}

/* Whether its undo runs is asked beside: what is read before that has ended is not final. */
static void look_whether_settled(struct fixer *f, struct fix_run *r)
{
	int64_t now_us = fixer_now_us();
	bool is_late = now_us >= (r->is_undoing ? f->undo_until_us : f->until_us);

	if (!fix_reader_has(f->reader, r->is->device) && !is_late)
		return;
	fix_reader_judge(f->reader, r);
	if (!r->is_heard || r->is_undoing)
		r->seen_us = 0;
	else
		r->seen_us = r->seen_us ? r->seen_us : now_us;
	bool is_as_it_may_be = r->part == PART_BEFORE || (r->part == PART_AFTER && r->is_not_ours && !fixer_is_verified(r));
	if (is_as_it_may_be || is_late || (r->seen_us && now_us - r->seen_us >= LAGS_US))
		settle(r);
}

static bool is_undoing(const struct fix_run *r)
{
	return r->is_settling && (r->is_undoing || !r->is_heard) && fixer_now_us() < r->fixer->undo_until_us;
}

static void read_again(struct fixer *f)
{
	if (fixer_now_us() < f->ask_us)
		return;
	f->ask_us = fixer_now_us() + SECOND_US;
	EACH(f, r)
		if (r->is_settling && fix_reader_has(f->reader, r->is->device))
			fix_reader_ask(f->reader, r->is->device);
}

/* Sessions that still ask what was read meanwhile. */
static void stop_asking(struct fixer *f)
{
	EACH(f, r) {
		if (r->is_active)
			f->active--;
		r->is_active = r->is_wanted = false;
		fix_job_drop(r);
	}
	fixer_end_reading(f);
}

static void invert(struct fixer *f);

void fixer_settles(struct fixer *f)
{
	bool is_settled = true, is_half = false, is_kept = false;

	EACH(f, r) {
		if (r->is_settling)
			look_whether_settled(f, r);
		is_settled &= !r->is_settling;
		is_half |= r->state == FIX_UNDONE;
		is_kept |= r->state == FIX_KEPT || r->state == FIX_SAVED;
	}
	if (!is_settled) {
		fixer_jobs_works_again(f, is_undoing);
		return read_again(f);
	}
	stop_asking(f);
	EACH(f, r)
		r->is_wanted = r->is_to_invert;
	/* Of one wave: not the one without the other. */
	if (f->options.goal == FIXER_APPLY && is_half && is_kept && !f->is_mute)
		EACH(f, r)
			r->is_wanted = r->state == FIX_KEPT || r->state == FIX_SAVED;
	invert(f);
}

/* -- what was kept, by a plan that leads back -- */

static bool is_wanted(const struct fix_run *r)
{
	return r->is_wanted;
}

static void invert(struct fixer *f)
{
	bool is_any_wanted = false;

	EACH(f, r)
		is_any_wanted |= r->is_wanted;
	if (!is_any_wanted || f->is_mute)
		return fixer_leave_alone(f, "not begun, since a device before it failed");
	EACH(f, r)
		if (r->is_wanted)
			fixer_state(r, FIX_UNDOING, "it was kept: taken back by its undo commands, armed and verified as a change is");
	fixer_read_those(f, is_wanted, 2, READ_US);
	fixer_enter(f, FIXER_INVERTS);
}

static void inverted(struct fixer *f)
{
	for (size_t i = 0; i < f->inverse->n_steps; i++) {
		struct fix_run *r = &f->runs[f->inverse_of[i]], *did = &f->child->runs[i];
		bool is_only_running = did->state == FIX_KEPT && did->is->save.n;

		r->is_wanted = false;
		if (did->state == FIX_KEPT || did->state == FIX_SAVED || did->state == FIX_NOTHING_TO_DO)
			fixer_state(r, FIX_UNDONE, "by its undo commands, verified%s%s", is_only_running ? "; " : "",
				    is_only_running ? did->words : "");
		else if (did->state == FIX_UNDONE || did->state == FIX_PLANNED || did->state == FIX_REFUSED)
			fixer_state(r, f->options.goal == FIXER_UNDO ? FIX_REFUSED : FIX_KEPT, "not taken back: %s", did->words);
		else
			fixer_state(r, did->state, "%s", did->words);
	}
	fixer_leave_alone(f, "not begun, since a device before it failed");
}

static bool child_journal(void *ctx, const struct fix_event *e)
{
	struct fixer *f = ctx;
	bool is_whole = e->step == SIZE_MAX;
	const struct fix_run *r = is_whole ? NULL : &f->runs[f->inverse_of[e->step]];

	return fixer_journal(f, r, !strcmp(e->kind, "state") || is_whole ? "inverse" : e->kind, e->text, e->status, e->output);
}

static void child_observed(void *ctx, struct obs *o)
{
	struct fixer *f = ctx;

	if (f->hooks.observed)
		f->hooks.observed(f->hooks.ctx, o);
}

static void child_changed(void *ctx)
{
	struct fixer *f = ctx;

	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

static void child_ask(void *ctx, unsigned id, const struct question *q)
{
	struct fixer *f = ctx;

	fixer_ask(f, f->child, id, q);
}

static void child_ended(void *ctx)
{
	struct fixer *f = ctx;

	f->child_has_ended = true;
	fixer_go_on(f);
}

static void carry_out_inverse(struct fixer *f)
{
	struct fixer_options options = f->options;
	struct fixer_hooks hooks = { .ctx = f, .journal = child_journal, .observed = child_observed, .changed = child_changed,
				     .ask = f->hooks.ask ? child_ask : NULL, .ended = child_ended };

	options.goal = FIXER_APPLY;
	options.waits = false;
	f->child = fixer_new_for(f, f->loop, f->inverse, &options, &hooks);
}

void fixer_inverts(struct fixer *f)
{
	struct err err = { "" };

	if (f->child_has_ended)
		return inverted(f);
	if (f->child || !fix_reader_is_done(f->reader))
		return;
	if (fixer_invert(f, f->reader, &err)) {
		fixer_end_reading(f);
		return carry_out_inverse(f);
	}
	EACH(f, r)
		if (r->is_wanted)
			fixer_state(r, f->options.goal == FIXER_UNDO ? FIX_REFUSED : FIX_KEPT, "not taken back: %s", err.text);
	fixer_leave_alone(f, "not begun, since a device before it failed");
}
