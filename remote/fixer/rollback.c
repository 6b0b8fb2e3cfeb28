/* Rollback: by command, by the device's own timer, or by an inverse plan; then reads which state each device is in. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/ssh/clock.h"

#define TIMER_SLACK_US	(SECOND_US * 3 / 2)	/* the inaccuracy of a device's timer */
#define UNDO_MOST_US	(900 * SECOND_US)	/* the longest that undo lines may run: a switch takes minutes for one */
#define READ_LAG_US	(5 * SECOND_US)		/* after an undo has ended, reads may still change for this long */

/* -- roll back -- */

void fixer_roll_back(struct fixer *f)
{
	bool is_any_armed = false;

	EACH(f, r) {
		is_any_armed |= fixer_can_roll_back(r);
		if (fixer_can_roll_back(r))
			fixer_move(r, EVENT_ROLLBACK_BEGUN, "%s", r->rollback_reason);
	}
	if (!is_any_armed)
		return fixer_skip_rest(f, f->wants_undo ? "not started: the plan was being rolled back"
							: "not started: another device of its batch failed");
	f->retry_us = 0;
	f->deadline_us = fixer_now_us() + SETTLE_US;
	fixer_jobs_begin(f, JOB_UNDO, fixer_is_settling);
	fixer_enter(f, PHASE_ROLL_BACK);
}

/* A failed rollback is retried until the device's own timer must have rolled back. */
static bool is_undo_retry_due(const struct fix_run *r)
{
	int64_t deadline_us = r->undo_at_us ? r->undo_at_us : r->fixer->deadline_us;

	return fixer_is_settling(r) && fixer_job_failed(r) && r->decision == DECIDED_NOTHING && !r->fixer->journal_failed &&
	       fixer_now_us() < deadline_us;
}

void fixer_phase_roll_back(struct fixer *f)
{
	if (!fixer_jobs_run_and_retry(f, is_undo_retry_due))
		fixer_settle_after_timers(f);
}

/* -- settle: read the final state -- */

void fixer_settle_after_timers(struct fixer *f)
{
	f->deadline_us = 0;
	EACH(f, r)
		if (fixer_is_settling(r) && (fixer_job_failed(r) || f->journal_failed) &&
		    r->undo_at_us + TIMER_SLACK_US > f->deadline_us)
			f->deadline_us = r->undo_at_us + TIMER_SLACK_US;
	fixer_enter(f, PHASE_AWAIT_TIMERS);
}

/* A host that needed long to be read is given as long again, three times. */
static int64_t settle_us(const struct fixer *f)
{
	return 3 * f->read_took_us > SETTLE_US ? 3 * f->read_took_us : SETTLE_US;
}

void fixer_phase_await_timers(struct fixer *f)
{
	if (fixer_now_us() < f->deadline_us)
		return;
	f->deadline_us = fixer_now_us() + settle_us(f);
	f->undo_deadline_us = fixer_now_us() + UNDO_MOST_US;
	f->retry_us = f->next_read_us = 0;
	EACH(f, r) {
		r->steady_since_us = r->settled_since_us = 0;
		r->undo = UNDO_NOT_REPORTED;
	}
	fixer_jobs_begin(f, JOB_QUERY_UNDO, fixer_is_settling);
	fixer_read(f, fixer_is_settling, UINT32_MAX, UNDO_MOST_US);
	fixer_enter(f, PHASE_SETTLE);
}

static const char *before_words(const struct fix_run *r)
{
	if (r->state == DEV_KEPT_UNCONFIRMED)
		return "it was committed, but the device rebooted before it was saved";
	return r->state == DEV_KEEP_UNCONFIRMED ? "the device rolled back before it received the keep" : r->rollback_reason;
}

static void settle_after(struct fix_run *r)
{
	if (r->fixer->options.goal == FIXER_UNDO && r->held == HELD_NOTHING && r->decision == DECIDED_NOTHING && !r->fixer->options.was_applied)
		return fixer_move(r, EVENT_REFUSED, "as planned, but neither the device nor the audit here has a record that this plan was applied: "
				  "make a new plan");
	if (r->fixer->options.goal == FIXER_UNDO && r->held == HELD_NOTHING && r->decision == DECIDED_UNDONE && !r->undo_failed)
		return fixer_move(r, EVENT_REFUSED, "as planned; this plan was rolled back, and it was set again since: make a new plan");
	if (r->fixer->options.goal == FIXER_UNDO && r->held == HELD_NOTHING)	/* it had been kept */
		return fix_state_move(&r->state, EVENT_INVERSE_NEEDED);
	if (fix_run_is_overtaken(r))
		return fixer_move(r, EVENT_DOUBTED, "as planned, not committed and not rolled back: locked: %s; run this again when it has ended",
				  r->holder);
	if (r->is_undecided && r->decision == DECIDED_NOTHING)
		return fixer_move(r, EVENT_DOUBTED, "as planned, not committed, and without a rollback timer: keep or undo it");
	if (r->decision == DECIDED_KEEP || (r->state != DEV_ROLLING_BACK && r->decision != DECIDED_UNDONE))
		return fixer_move(r, EVENT_SETTLED_AFTER, "as planned, long after its rollback timer expired");
	fixer_move(r, EVENT_SETTLED_OTHER, "still as planned, %s%s%s",
		   r->decision == DECIDED_UNDONE ? "although it was rolled back" : "and no rollback is known",
		   r->rollback_reason[0] ? ": " : "", r->rollback_reason);
}

static const char *part_words(const struct fix_run *r)
{
	return r->part == PART_BEFORE ? "as before" : r->part == PART_AFTER ? "as planned" : "neither as before nor as planned";
}

/* Time is up with an undo still running, or without a complete read after it. */
static void doubt(struct fixer *f, struct fix_run *r)
{
	struct err err;

	r->undo_at_us = 0;
	if (r->part == PART_UNKNOWN || r->part == PART_NOT_REACHED || r->part == PART_UNREAD)
		return fixer_move(r, EVENT_DOUBTED, "%s", r->why);
	if (r->undo == UNDO_RUNNING)
		return fixer_move(r, EVENT_DOUBTED, "%s, and its rollback is still running", part_words(r));
	if (r->undo == UNDO_NOT_REPORTED)
		return fixer_move(r, EVENT_DOUBTED, "%s, but it did not report whether it is being rolled back", part_words(r));
	fix_reader_is_whole(f->reader, r->step->device, r->settled_since_us, &err);
	fixer_move(r, EVENT_DOUBTED, "it could not be read completely after the rollback: %s", err.text);
}

static void settle_other(struct fix_run *r)
{
	char what[160];

	fixer_differing(r, what);
	fixer_move(r, EVENT_SETTLED_OTHER, "neither as before nor as planned%s%s%s", what, *r->rollback_reason ? ": " : "", r->rollback_reason);
}

/* Moves the device to its final state, according to the last read. */
static void settle(struct fix_run *r)
{
	r->undo_at_us = 0;
	if (r->is_held_by_inverse && (r->part == PART_BEFORE || r->part == PART_AFTER))
		return fixer_move(r, EVENT_DOUBTED, "its rollback is already in progress: %s; verify again when it has ended", r->holder);
	switch (r->part) {
	case PART_BEFORE:
		if (r->fixer->options.goal == FIXER_UNDO && r->held == HELD_NOTHING && r->decision != DECIDED_UNDONE)
			return fixer_move(r, EVENT_SETTLED_UNTOUCHED, "nothing of this plan is there");
		r->fixer->has_taken_back |= r->state == DEV_ROLLING_BACK;
		return fixer_move(r, EVENT_SETTLED_BEFORE, "%s", before_words(r));
	case PART_AFTER:
		return settle_after(r);
	case PART_OTHER:
		return settle_other(r);
	case PART_UNREAD:
	case PART_UNKNOWN:
	case PART_NOT_REACHED:
		return fixer_move(r, EVENT_DOUBTED, "%s", r->why);
	}
}

static void note_end_of_undo(const struct fixer *f, struct fix_run *r, int64_t now_us)
{
	if (r->undo != UNDO_NOT_RUNNING) {
		r->steady_since_us = 0;
	} else if (!r->steady_since_us) {
		r->steady_since_us = now_us;
		r->settled_since_us = clock_us();
		r->rounds_then = fix_reader_rounds(f->reader, r->step->device, CADENCE_CONFIG);
	}
}

/* An answer that was on its way when the undo ended shows what was there before: the first round may be of those. */
static bool has_lagged(const struct fixer *f, const struct fix_run *r, int64_t now_us)
{
	return now_us - r->steady_since_us >= READ_LAG_US &&
	       fix_reader_rounds(f->reader, r->step->device, CADENCE_CONFIG) >= r->rounds_then + 2;
}

/* While an undo runs, no read is final; the first complete read after it is. Settles then, or when time is up. */
static void settle_if_final(struct fixer *f, struct fix_run *r)
{
	int64_t now_us = fixer_now_us();
	bool is_late = now_us >= (r->undo == UNDO_RUNNING ? f->undo_deadline_us : f->deadline_us);

	note_end_of_undo(f, r, now_us);
	if (!is_late && (!r->steady_since_us || !fix_reader_has_read(f->reader, r->step->device)))
		return;
	fix_reader_judge(f->reader, r);
	bool is_final = r->steady_since_us && fix_reader_is_whole(f->reader, r->step->device, r->settled_since_us, NULL);
	bool needs_no_delay = r->part == PART_BEFORE || (r->part == PART_AFTER && r->held == HELD_NOTHING &&
							 r->decision != DECIDED_UNDONE && r->state != DEV_KEEP_UNCONFIRMED);
	if (is_final && (needs_no_delay || is_late || has_lagged(f, r, now_us)))
		settle(r);
	else if (is_late)
		doubt(f, r);
}

static bool may_be_undoing(const struct fix_run *r)
{
	return fixer_is_settling(r) && r->undo != UNDO_NOT_RUNNING && fixer_now_us() < r->fixer->undo_deadline_us;
}

static void refresh_settling(struct fixer *f)
{
	if (fixer_now_us() < f->next_read_us)
		return;
	f->next_read_us = fixer_now_us() + SECOND_US;
	EACH(f, r)
		if (fixer_is_settling(r) && fix_reader_has_read(f->reader, r->step->device))
			fix_reader_refresh(f->reader, r->step->device);
}

/* -- the inverse plan -- */

static bool is_inverse_due(const struct fix_run *r)
{
	return r->state == DEV_INVERSE_DUE;
}

/* Another device of its unit has just been rolled back. */
static bool is_left_by_its_unit(const struct fix_run *r)
{
	struct fixer *f = r->fixer;

	EACH(f, other)
		if (other->unit == r->unit && other->state == DEV_ROLLED_BACK)
			return true;
	return false;
}

static bool is_kept(const struct fix_run *r)
{
	bool is_committed = r->state == DEV_KEPT || r->state == DEV_SAVED || r->state == DEV_COMMITTED_EARLIER;

	return is_committed && (!r->was_committed_earlier || is_left_by_its_unit(r));
}

static bool is_inverting(const struct fix_run *r)
{
	return r->state == DEV_INVERTING;
}

/*
 * fabcon undo: one end of a link alone is not rolled back while the other is not known to be as before or as planned, or is left as
 * somebody set it. Returns the device that stands in the way, or NULL.
 */
static const struct fix_run *blocking(const struct fix_run *r)
{
	struct fixer *f = r->fixer;
	const struct fix_run *left = fixer_unit_astray(f, r->unit);

	EACH(f, other) {
		if (other->unit == r->unit && fix_state_is_back(fixer_shown(other)))
			return NULL;
		if (other->unit == r->unit && other->state == DEV_REFUSED && !left)
			left = other;
	}
	return is_inverse_due(r) ? left : NULL;
}

static void refuse_blocked(struct fixer *f)
{
	EACH(f, r) {
		const struct fix_run *other = blocking(r);

		if (other && (other->state == DEV_UNKNOWN || other->state == DEV_NOT_REACHED))
			fixer_move(r, EVENT_REFUSED, "not rolled back: the state of %s of the same link is not known: %.300s",
				   other->step->device, other->words);
		else if (other)
			fixer_move(r, EVENT_REFUSED, "not rolled back: %s of the same link was changed since, and one end alone is not "
				   "rolled back: make a new plan of both ends (fabcon plan)", other->step->device);
	}
}

static void invert(struct fixer *f, bool (*is_meant)(const struct fix_run *r))
{
	bool is_any = false;

	refuse_blocked(f);
	EACH(f, r) {
		if (f->journal_failed && is_inverse_due(r))
			fixer_move(r, EVENT_REFUSED, "not rolled back: the journal cannot be written");
		is_any |= is_meant(r);
	}
	if (!is_any || f->journal_failed)
		return fixer_skip_rest(f, "not started: an earlier device failed");
	EACH(f, r)
		if (is_meant(r))
			fixer_move(r, EVENT_INVERSE_BEGUN, "it had been committed: its undo commands run with a rollback timer and "
				   "are verified, as any change");
	fixer_read(f, is_inverting, 2, READ_US);
	fixer_enter(f, PHASE_INVERT);
}

/* Part of the batch was rolled back and part was kept: the kept part must be rolled back too. */
static bool is_half_kept(const struct fixer *f)
{
	bool is_half = false, is_any_kept = false;

	EACH(f, r) {
		is_half |= r->state == DEV_ROLLED_BACK;
		is_any_kept |= is_kept(r);
	}
	return (f->options.goal == FIXER_APPLY || f->options.goal == FIXER_FINISH) && is_half && is_any_kept && !f->journal_failed;
}

void fixer_phase_settle(struct fixer *f)
{
	bool is_settled = true;

	EACH(f, r) {
		if (fixer_is_settling(r))
			settle_if_final(f, r);
		is_settled &= !fixer_is_settling(r);
	}
	if (!is_settled) {
		fixer_jobs_run_and_retry(f, may_be_undoing);
		return refresh_settling(f);
	}
	fixer_jobs_stop(f);	/* JOB_QUERY_UNDO may still be running */
	fixer_end_read(f);
	invert(f, is_half_kept(f) ? is_kept : is_inverse_due);
}

/* What the end of a step of the inverse plan means for our step. */
static enum fix_device_event inverse_event(const struct fixer *f, const struct fix_run *child)
{
	switch (fixer_shown(child)) {
	case FIX_KEPT:
	case FIX_SAVED:
	case FIX_NOTHING_TO_DO:
		return EVENT_INVERSE_DONE;
	case FIX_UNDONE:
	case FIX_PLANNED:
	case FIX_REFUSED:
		return f->options.goal == FIXER_UNDO ? EVENT_REFUSED : EVENT_INVERSE_FAILED;
	case FIX_NOT_REACHED:
		return EVENT_UNREACHED;
	case FIX_MIXED:
		return EVENT_SETTLED_OTHER;
	default:
		return EVENT_DOUBTED;
	}
}

static void inverted(struct fixer *f)
{
	for (size_t i = 0; i < f->inverse->n_steps; i++) {
		struct fix_run *r = &f->runs[f->inverse_of[i]], *child = &f->child->runs[i];
		bool is_only_running = child->state == DEV_KEPT && child->step->save.n;
		enum fix_device_event event = inverse_event(f, child);

		f->has_taken_back |= event == EVENT_INVERSE_DONE;
		f->is_undo_taken_back |= fixer_shown(child) == FIX_UNDONE;
		if (event == EVENT_INVERSE_DONE)
			fixer_move(r, event, "by its undo commands, verified%s%s%s%s", child->unseen[0] ? ", but " : "", child->unseen,
				   is_only_running ? "; " : "", is_only_running ? child->words : "");
		else
			fixer_move(r, event, "%s%s", event == EVENT_REFUSED || event == EVENT_INVERSE_FAILED ? "not rolled back: " : "",
				   child->words);
	}
	fixer_free(f->child);	/* the next link to be finished may need an inverse plan of its own */
	f->child = NULL;
	f->child_has_ended = false;
	fixer_inverse_free(f);
	fixer_skip_rest(f, "not started: an earlier device failed");
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
	fixer_wake(f);
}

static void carry_out_inverse(struct fixer *f)
{
	struct fixer_options options = f->options;
	struct fixer_hooks hooks = { .ctx = f, .journal = child_journal, .observed = child_observed, .changed = child_changed,
				     .ask = f->hooks.ask ? child_ask : NULL, .ended = child_ended };

	options.goal = FIXER_APPLY;
	options.waits = false;
	f->child = f->new_child(f, &options, &hooks);
}

void fixer_phase_invert(struct fixer *f)
{
	struct err err = { "" };

	if (f->child_has_ended)
		return inverted(f);
	if (f->child || !fix_reader_is_done(f->reader))
		return;
	if (fixer_invert(f, f->reader, &err)) {
		fixer_end_read(f);
		return carry_out_inverse(f);
	}
	EACH(f, r)
		if (is_inverting(r))
			fixer_move(r, f->options.goal == FIXER_UNDO ? EVENT_REFUSED : EVENT_INVERSE_FAILED, "not rolled back: %s", err.text);
	fixer_inverse_free(f);
	fixer_skip_rest(f, "not started: an earlier device failed");
}
